//! Boards as diagrams and to play on, what moves do on them, changes to positions, and
//! partial diagrams.

use std::iter;

use super::{Move, Ostle, Side, State};
use crate::draw::{BoardSquare, Diagram, Glyph, Mark, Point, Slide};
use crate::game::{
    Arrangement, Board, Drawable, Game, MoveEffect, Next, NotationError, PaletteItem, Pattern,
    Playable, Standing, drawn, marked, write_arrangement,
};
use crate::games::ostle::grid::{Direction, Mask, Square, squares_of};

const FITS: &str = "squares of the board and their neighbours are in the diagram";

/// The point one step further, which may be just off the board.
pub(super) const fn beside(point: Point, direction: Direction) -> Point {
    let Point { column, row } = point;
    match direction {
        Direction::Up => Point::new(column, row + 1),
        Direction::Down => Point::new(column, row - 1),
        Direction::Left => Point::new(column - 1, row),
        Direction::Right => Point::new(column + 1, row),
    }
}

impl Ostle {
    pub(super) fn cell(&self, square: Square) -> BoardSquare {
        BoardSquare::new(self.grid.file(square), self.grid.rank(square))
    }

    /// A square and the point that a move from it leads to.
    pub(super) fn arrow(&self, mv: Move) -> (BoardSquare, Point) {
        let from = self.cell(mv.from);
        (from, beside(from.into(), mv.direction))
    }

    fn words(&self, state: &State) -> String {
        let list = |mask: Mask| {
            let names: Vec<_> = squares_of(mask).map(|s| self.grid.square_name(s)).collect();
            names.join(", ")
        };
        let [black, white] = state.sides().map(list);
        let hole = self.grid.square_name(state.hole());
        let forbidden = state.forbidden.map_or_else(String::new, |mv| {
            format!(" Forbidden: {}.", self.format_move(mv))
        });
        let side = state.side.name();
        format!("Black: {black}. White: {white}. Hole: {hole}. {side} to move.{forbidden}")
    }
}

impl Drawable for Ostle {
    fn diagram(&self, state: &State) -> Diagram {
        let mut diagram = drawn(self, state);
        if let Some(mv) = state.forbidden {
            let (from, to) = self.arrow(mv);
            diagram = diagram.mark(Mark::Forbidden { from, to }).expect(FITS);
            diagram = diagram.forbidden(self.format_move(mv));
        }
        diagram
            .to_move(state.side.tone())
            .home(Side::Black.tone())
            .title(format!(
                "{} position, {} to move",
                self.title(),
                state.side.name()
            ))
            .desc(self.words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        let Some(effect) = self.effect(state, mv) else {
            return diagram;
        };
        let last = effect.removed.map(|removal| self.cell(removal.from));
        let gone = last.map(|last| beside(last.into(), mv.direction));
        marked(diagram, self.arrow(mv), gone)
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let effect = self.move_effect(state, mv);
        let slide = |from: Square, lost| {
            let from = self.cell(from);
            let to = beside(from.into(), mv.direction);
            Slide { from, to, lost }
        };
        let stays = effect.moved.iter().map(|&(from, _)| slide(from, false));
        let leaves = effect.removed.map(|leaving| slide(leaving.from, true));
        stays.chain(leaves).collect()
    }
}

const fn piece(side: Side) -> &'static str {
    ["black piece", "white piece"][side as usize]
}

/// The position with the other side to move.
pub(super) const fn turned(state: &State) -> State {
    State::open(state.placement.turned(), state.side.other())
}

impl Playable for Ostle {
    fn board(&self) -> Board {
        Board::new(self.grid.width, self.grid.height)
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let pieces = |mask: Mask, side: Side| {
            let glyph = Glyph::Piece(side.tone());
            squares_of(mask)
                .map(move |square| Standing::new(self.cell(square), glyph.clone(), piece(side)))
        };
        let hole = Standing::new(self.cell(state.hole()), Glyph::Hole, "hole");
        pieces(state.own(), state.side)
            .chain(pieces(state.opponent(), state.side.other()))
            .chain([hole])
            .collect()
    }

    fn aim(&self, _state: &State, mv: Move) -> (BoardSquare, Point) {
        self.arrow(mv)
    }

    fn palette(&self) -> Vec<PaletteItem> {
        let of = |side: Side| PaletteItem::new(Glyph::Piece(side.tone()), piece(side));
        let hole = PaletteItem::new(Glyph::Hole, "hole");
        vec![of(Side::Black), of(Side::White), hole]
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let board = write_arrangement(self.size(), things, &['b', 'w', 'o'], |_| '1');
        format!("{board} {}", if second { 'w' } else { 'b' })
    }

    fn square(&self, cell: BoardSquare) -> u8 {
        cell.column * self.grid.height + cell.row
    }

    fn name_of(&self, square: u8) -> String {
        self.grid.square_name(square)
    }

    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let at = state.placement;
        let piece = |side: Side| {
            let words = format!("{} piece on ", side.name());
            move |square| (square, words.clone() + &self.name_of(square))
        };
        let own = squares_of(at.own).map(piece(state.side));
        let opponent = squares_of(at.opp).map(piece(state.side.other()));
        let hole = (at.hole, format!("hole on {}", self.name_of(at.hole)));
        own.chain(opponent).chain([hole]).collect()
    }

    fn move_effect(&self, state: &State, mv: Move) -> MoveEffect {
        let mut whole = MoveEffect {
            from: mv.from,
            moved: Vec::new(),
            removed: None,
            neutral: mv.from == state.placement.hole,
        };
        let Some(effect) = self.effect(state, mv) else {
            return whole;
        };
        whole.removed = effect.removed;
        // The mover and every piece it pushes go one square further, except the last of
        // them if it leaves the board.
        let next = |&at: &Square| self.grid.neighbour(at, mv.direction);
        let pushed = |&to: &Square| effect.chain >> to & 1 == 1;
        let moving = iter::successors(Some(mv.from), |at| next(at).filter(pushed));
        let stays = |&at: &Square| effect.removed.is_none_or(|removal| removal.from != at);
        whole.moved = moving
            .filter(stays)
            .filter_map(|at| Some((at, next(&at)?)))
            .collect();
        whole
    }

    fn passed(&self, state: &State) -> Option<Next<State>> {
        Some(Next::State(turned(state)))
    }

    // A pattern is the board as in the one-line notation, for Black to move, with `?` for a
    // square that may have anything on it, `x` for a piece of either side, and `.` for an
    // empty square (digits work too). For example, `??w??/?b?/...` has five ranks of five on
    // 5x5.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let grid = &self.grid;
        let (width, height) = (usize::from(grid.width), usize::from(grid.height));
        let fault = |at: usize, message: &str| Err(NotationError::new(text, at, message));
        // The squares where each side's pieces, the hole, and nothing may be.
        let mut sets: [Mask; 4] = [0; 4];
        let board = text.trim_end();
        let end = board.chars().count();
        let (mut rank, mut file) = (height - 1, 0);
        for (at, letter) in board.chars().enumerate() {
            if letter == '/' {
                if file != width || rank == 0 {
                    let message =
                        format!("a pattern has {height} ranks of {width} squares, separated by /");
                    return fault(at, &message);
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let (count, may_be) = match letter {
                'b' => (1, 0b0001),
                'w' => (1, 0b0010),
                'o' => (1, 0b0100),
                'x' => (1, 0b0011),
                '.' => (1, 0b1000),
                '?' => (1, 0b1111),
                '1'..='9' => (letter as usize - '0' as usize, 0b1000),
                _ => {
                    let message = "a pattern is made of b, w, o, x (either piece), . or digits (empty) and ? (anything), for Black to move";
                    return fault(at, message);
                }
            };
            if file + count > width {
                let message = format!("this rank has more than {width} squares");
                return fault(at, &message);
            }
            for file in file..file + count {
                let bit: Mask = 1 << (file * height + rank);
                for (kind, set) in sets.iter_mut().enumerate() {
                    *set |= bit * (may_be >> kind & 1);
                }
            }
            file += count;
        }
        if rank != 0 || file != width {
            let message = format!(
                "the pattern ends early: {height} ranks of {width} squares, separated by /, are needed"
            );
            return fault(end, &message);
        }
        let [own, opponent, hole, _] = sets;
        self.possible(board, [own, opponent, hole])?;
        Ok(Pattern {
            text: board.to_owned(),
            sets: sets.into(),
        })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let all = self.grid.all();
        self.grid.symmetries.iter().find_map(|symmetry| {
            let at = state.placement.image(symmetry);
            let hole: Mask = 1 << at.hole;
            let kinds = [at.own, at.opp, hole, all & !(at.occupied() | hole)];
            let mut kinds = kinds.into_iter().zip(&pattern.sets);
            let fits = kinds.all(|(squares, &may_be)| squares & !may_be == 0);
            fits.then(|| self.image(state, symmetry))
        })
    }
}

impl Ostle {
    /// Checks that some unfinished position has as many men and holes as a pattern.
    fn possible(&self, board: &str, [own, opponent, hole]: [Mask; 3]) -> Result<(), NotationError> {
        let (most, least) = (usize::from(self.pieces), u32::from(self.fewest()));
        let end = board.chars().count();
        let fault = |at: usize, message: &str| Err(NotationError::new(board, at, message));
        let second_hole = "a position has one hole; this is a second one";
        let one_more = format!("each side has at most {most} pieces; this is one more");
        for (letter, most, message) in [
            ('o', 1, second_hole),
            ('b', most, &one_more),
            ('w', most, &one_more),
        ] {
            let letters = board.chars().enumerate();
            let mut places = letters.filter(|&(_, other)| other == letter);
            if let Some((extra, _)) = places.nth(most) {
                return fault(extra, message);
            }
        }
        let pieces = board.chars().filter(|&letter| "bwx".contains(letter));
        if pieces.count() > 2 * most {
            let message = format!("there are at most {} pieces on the board", 2 * most);
            return fault(end, &message);
        }
        if hole & self.holes() == 0 {
            let message = "no square is left for the hole; write o or ? for one where it can be";
            return fault(end, message);
        }
        if own.count_ones().min(opponent.count_ones()) < least {
            let message = format!(
                "each side has at least {least} pieces while the game goes on; leave room for them with ?"
            );
            return fault(end, &message);
        }
        Ok(())
    }
}
