//! The parameters of the game, their spec text, the initial state, and the rules in words.

use std::iter;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::directed_set::Shifts;
use super::notation::{self, Reader};
use super::state::Placement;
use super::{Move, Ostle, Side, State};
use crate::base::subsets::binomial;
use crate::base::turn::Turn;
use crate::game::{Game, Layer, NotationError, Repetition, RuleExample, RuleInWords};
use crate::games::ostle::grid::{Grid, Mask, Square};
use crate::games::settings::{self, SetupError};

/// The most pieces of a side on boards with more than 25 squares, and with more than 30. The
/// numbering of one more would take a gigabyte.
const MOST_ON_LARGE_BOARDS: [u8; 2] = [7, 6];

impl Ostle {
    /// The published game: 5x5, five pieces for each side, two losses lose.
    ///
    /// # Panics
    /// Never: its parameters are in range.
    pub fn published(repetition: Repetition) -> Self {
        Self::new(5, 5, 5, 2, repetition).expect("the published parameters are in range")
    }

    /// Creates a game on `width` files and `height` ranks (3 to 6 each), with `pieces` for each side. A side that has lost `losses` pieces loses the game.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(
        width: u8,
        height: u8,
        pieces: u8,
        losses: u8,
        repetition: Repetition,
    ) -> Result<Self, SetupError> {
        let wrong = |message| Err(SetupError::Refused(message));
        let Some(grid) = Grid::new(width, height) else {
            return wrong(format!(
                "a board of {height} rows and {width} columns is out of range: give 3 to 6 of each, such as 5x5 or rows=5,columns=6"
            ));
        };
        let [large, largest] = MOST_ON_LARGE_BOARDS;
        let most = match grid.squares() {
            squares @ ..=25 => (squares - 1) / 2,
            26..=30 => large,
            _ => largest,
        };
        if !(1..=most).contains(&pieces) {
            return wrong(format!(
                "{pieces} pieces for each side are out of range: give 1 to {most} on this board"
            ));
        }
        if !(1..=pieces).contains(&losses) {
            return wrong(format!(
                "losses={losses} is out of range: a side of {pieces} pieces can lose 1 to {pieces} of them"
            ));
        }
        let fewest = pieces - losses + 1;
        Ok(Self {
            shifts: Shifts::new(&grid),
            layers: layers(&grid, false, (fewest, pieces)),
            grid,
            pieces,
            losses,
            repetition,
            hole_moves_from: Mask::MAX,
            index: OnceLock::new(),
        })
    }

    /// The same game with a hole that nobody can move.
    pub fn with_fixed_hole(mut self) -> Self {
        self.hole_moves_from = 0;
        self.layers = layers(&self.grid, true, (self.fewest(), self.pieces));
        self.index = OnceLock::new();
        self
    }

    /// Reads a spec: `ostle`, optionally with `:` and settings separated by commas: a board
    /// `5x5`, `4x4` or `3x3`, or `rows=R,columns=C` (default 5x5), `pieces=N` (default: one
    /// on each file), `losses=N` (default 2), `repetition=exact|up-to-symmetry|all-images`,
    /// `hole=mobile|fixed`.
    ///
    /// # Errors
    /// If the text is malformed or a parameter is out of range.
    pub fn from_settings(spec: &str, repetition: Option<Repetition>) -> Result<Self, SetupError> {
        let (mut board, mut rows, mut columns) = (None, None, None);
        let (mut pieces, mut losses, mut rule, mut fixed) = (None, None, None, false);
        for setting in settings::read(spec, "ostle", "ostle:4x4,pieces=3,losses=2")? {
            match setting.key {
                "rows" | "columns" if setting.value.is_some() && board.is_some() => {
                    return Err(setting.twice().into());
                }
                "rows" if setting.value.is_some() => rows = Some(setting.number_given()?),
                "columns" if setting.value.is_some() => columns = Some(setting.number_given()?),
                "pieces" if setting.value.is_some() => pieces = Some(setting.number_given()?),
                "losses" if setting.value.is_some() => losses = Some(setting.number_given()?),
                "repetition" if setting.value.is_some() => {
                    let names = Repetition::ALL.map(|reading| (reading.name(), reading));
                    let expected = "expected 'exact', 'up-to-symmetry' or 'all-images'";
                    rule = Some(setting.named(&names, expected)?);
                }
                "hole" if setting.value.is_some() => {
                    let names = [("mobile", false), ("fixed", true)];
                    fixed = setting.named(&names, "expected 'mobile' or 'fixed'")?;
                }
                _ if setting.value.is_some() => {
                    return Err(setting.fault("unknown setting; known are rows, columns, pieces, losses, repetition and hole").into());
                }
                size => {
                    let Some((first, second)) = size.split_once('x') else {
                        return Err(setting.fault("expected a board such as 5x5, or rows=, columns=, pieces=, losses=, repetition=, hole=").into());
                    };
                    if board.is_some() || rows.is_some() || columns.is_some() {
                        return Err(setting.twice().into());
                    }
                    let at = first.chars().count() + 1;
                    let (first, second) = (setting.number(0, first)?, setting.number(at, second)?);
                    let in_range = |side| Grid::SIDES.contains(side);
                    if first != second && [first, second].iter().all(in_range) {
                        // Version 0.1 read it as files by ranks.
                        return Err(SetupError::Refused(format!(
                            "'{first}x{second}' is ambiguous: write rows={first},columns={second} or rows={second},columns={first}"
                        )));
                    }
                    board = Some((first, second));
                }
            }
        }
        let (height, width) = board.unwrap_or((rows.unwrap_or(5), columns.unwrap_or(5)));
        let pieces = pieces.unwrap_or(width);
        let losses = losses.unwrap_or_else(|| pieces.min(2));
        let repetition = repetition.or(rule).unwrap_or_default();
        let game = Self::new(width, height, pieces, losses, repetition)?;
        Ok(if fixed { game.with_fixed_hole() } else { game })
    }
}

impl Game for Ostle {
    type State = State;
    type Move = Move;

    fn title(&self) -> String {
        "Ostle".to_owned()
    }

    /// With all parameters except for the published game.
    fn spec(&self) -> String {
        let (width, height) = (self.grid.width, self.grid.height);
        let (pieces, losses) = (self.pieces, self.losses);
        let published = (width, height, pieces, losses) == (5, 5, 5, 2);
        let mut settings = Vec::new();
        if !published {
            settings.push(if width == height {
                format!("{height}x{width}")
            } else {
                format!("rows={height},columns={width}")
            });
            settings.push(format!("pieces={pieces},losses={losses}"));
        }
        if self.repetition != Repetition::Exact {
            settings.push(format!("repetition={}", self.repetition.name()));
        }
        if self.has_fixed_hole() {
            settings.push("hole=fixed".to_owned());
        }
        settings::spec("ostle", &settings)
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        let (files, ranks) = (self.grid.width, self.grid.height);
        let (pieces, losses) = (self.pieces, self.losses);
        let lost = match losses {
            1 => "a piece".to_owned(),
            losses => format!("{losses} pieces"),
        };
        let equal = match self.repetition {
            Repetition::Exact => {
                "No position may equal the one two plies before: a move that takes back the opponent's last move is forbidden."
            }
            Repetition::UpToSymmetry => {
                "The first move that leads back to the position of two plies before, or to a rotation or a mirror image of it, is forbidden."
            }
            Repetition::AllImages => {
                "No move may lead back to the position of two plies before, nor to a rotation or a mirror image of it."
            }
        };
        let (or_hole, hole) = if self.has_fixed_hole() {
            ("", "Nobody moves the hole.")
        } else {
            (
                ", or the hole,",
                "Either side may move the hole, but only onto an empty square of the board.",
            )
        };
        let [files, ranks, pieces] = [files, ranks, pieces].map(|count| count.to_string());
        let values = [
            ("{files}", &files[..]),
            ("{ranks}", &ranks),
            ("{pieces}", &pieces),
            ("{lost}", &lost),
            ("{or_hole}", or_hole),
            ("{hole}", hole),
            ("{equal}", equal),
        ];
        let mut rules = RuleInWords::listed(include_str!("rules.txt"), &values);
        for rule in &mut rules {
            if self.has_fixed_hole() && rule.example == RuleExample::Kind("hole") {
                rule.example = RuleExample::None;
            }
        }
        rules
    }

    /// Black's pieces in the middle of rank 1, White's rotated by 180 degrees, the hole in the
    /// middle. More pieces than files fill further ranks.
    fn initial(&self) -> State {
        let grid = &self.grid;
        let (width, height) = (grid.width, grid.height);
        let hole = grid.middle();
        let first = width.saturating_sub(self.pieces) / 2;
        let squares =
            (0..height).flat_map(|rank| (first..width).map(move |file| file * height + rank));
        let fill = |squares: &mut dyn Iterator<Item = Square>, taken: Mask| {
            let free = squares.filter(|&square| taken >> square & 1 == 0);
            let filled = free.take(self.pieces.into());
            filled.fold(0, |mask: Mask, square| mask | 1 << square)
        };
        let black = fill(&mut squares.clone(), 1 << hole);
        let turned = |square| grid.squares() - 1 - square;
        let white = fill(&mut squares.map(turned), 1 << hole | black);
        let placement = Placement {
            own: black,
            opp: white,
            hole,
        };
        State::open(placement, Side::Black)
    }

    fn format_state(&self, state: &State) -> String {
        notation::format_state(self, state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        Reader { game: self, text }.read_state()
    }

    fn format_move(&self, mv: Move) -> String {
        self.grid.square_name(mv.from) + &mv.direction.letter().to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        Reader { game: self, text }.read_move(0, text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        state.side.name()
    }
}

/// The number of positions of a board up to symmetry whose sides have these numbers of pieces: the
/// mean, over the symmetries, of the number of positions that they keep (Burnside's lemma). A hole
/// that is fixed stays where it is at the start, and so do the symmetries.
pub(super) fn positions(
    size: (usize, usize),
    is_fixed: bool,
    own: RangeInclusive<u8>,
    opp: RangeInclusive<u8>,
) -> u64 {
    let numbers = [own, opp].map(|side| usize::from(*side.start())..usize::from(*side.end()) + 1);
    let hole = ((size.0 - 1) / 2, (size.1 - 1) / 2);
    let keeps = |turn: &Turn| !is_fixed || turn.image(hole, size) == hole;
    let turns: Vec<_> = Turn::of_board(size.0, size.1).filter(keeps).collect();
    let kept = turns.iter().map(|turn| {
        let squares = (0..size.0).flat_map(|column| (0..size.1).map(move |row| (column, row)));
        // The lengths of cycles, each at its first square.
        let cycles = squares.filter_map(|square| {
            let cycle = iter::successors(Some(square), |&at| {
                Some(turn.image(at, size)).filter(|&next| next != square)
            });
            let cycle: Vec<_> = cycle.collect();
            (cycle.iter().min() == Some(&square)).then_some(cycle.len())
        });
        let mut cycles: Vec<usize> = cycles.collect();
        // The hole is on a square that is kept.
        let Some(place) = cycles.iter().position(|&length| length == 1) else {
            return 0;
        };
        let all = cycles.iter().filter(|&&length| length == 1).count();
        let holes = if is_fixed { 1 } else { all };
        cycles.remove(place);
        // By the numbers of pieces of both sides: the choices of whole cycles for them.
        let mut choices = vec![vec![0u64; numbers[1].end]; numbers[0].end];
        choices[0][0] = 1;
        for length in cycles {
            for own in (0..numbers[0].end).rev() {
                for opp in (0..numbers[1].end).rev() {
                    let by_own = own.checked_sub(length).map_or(0, |own| choices[own][opp]);
                    let by_opp = opp.checked_sub(length).map_or(0, |opp| choices[own][opp]);
                    choices[own][opp] += by_own + by_opp;
                }
            }
        }
        let of_layers = choices[numbers[0].clone()].iter();
        let of_layers = of_layers.flat_map(|row| &row[numbers[1].clone()]);
        holes as u64 * of_layers.sum::<u64>()
    });
    kept.sum::<u64>() / turns.len() as u64
}

pub(super) fn size_of(grid: &Grid) -> (usize, usize) {
    (grid.width.into(), grid.height.into())
}

/// All (mover's, opponent's) numbers of pieces, least material first and transposed pairs
/// together: the order in which layers can be solved.
pub(super) fn layer_order(fewest: u8, most: u8) -> Vec<(u8, u8)> {
    let mut order: Vec<_> = (fewest..=most)
        .flat_map(|own| (fewest..=most).map(move |opp| (own, opp)))
        .collect();
    order.sort_by_key(|&(own, opp)| (own + opp, own.max(opp), opp));
    order
}

/// The layers with their slots. They are counted by Burnside's lemma, so that sizes are
/// known before any table of the numbering is built.
fn layers(grid: &Grid, is_fixed: bool, (fewest, most): (u8, u8)) -> Vec<Layer> {
    let (mut layers, mut start) = (Vec::new(), 0);
    let order = layer_order(fewest, most);
    let pairs = order.chunk_by(|&(own, opp), &other| other == (opp, own));
    for (group, pair) in pairs.enumerate() {
        for &(own, opp) in pair {
            let free = u32::from(grid.squares() - 1 - own);
            let rows = positions(size_of(grid), is_fixed, own..=own, 0..=0);
            let slots = rows * binomial(free, opp.into());
            layers.push(Layer {
                name: format!("{own}-{opp}"),
                slots: start..start + slots,
                group,
            });
            start += slots;
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::positions;

    #[test]
    fn positions_are_counted_as_published() {
        // Ostle paper; the larger boards by independent programs.
        let counted =
            |size, numbers: RangeInclusive<u8>| positions(size, false, numbers.clone(), numbers);
        assert_eq!(counted((5, 5), 4..=5), 2_735_147_685);
        assert_eq!(counted((6, 5), 4..=5), 59_038_743_258);
        assert_eq!(counted((6, 5), 2..=2), 1_069_398);
        assert_eq!(counted((5, 6), 1..=2), 1_240_218);
        assert_eq!(counted((6, 6), 2..=2), 1_414_530);
    }
}
