//! A game of one's own that numbers its positions, so that none are listed: mu torere.
//!
//! Rules: eight points stand in a ring around a ninth, the centre. Black has four men side by side
//! on the ring, White has the rest of it. In turn, Black first, a side moves a man to the free
//! point: along the ring, from the centre, or to the centre, if the man has one of the other side
//! beside it. Who cannot move has lost; endless play is a draw. M. Ascher, *Mu Torere*, 1987.

use tesuji::base::{progress::NoProgress, value::Outcome};
use tesuji::draw::{Glyph, Tone};
use tesuji::game::{
    Board, FiniteGame, Game, Layer, Moves, Next, NotationError, Numbered, NumberedGame, Playable,
    Ranked, Standing,
};
use tesuji::table::solve_in_memory;

/// The men of the side to move and of the other, and whether Black is to move.
type State = (u64, u64, bool);
const BOARD: Board = Board::new(3, 3);
/// The points of the ring, one next to the other.
const RING: [u8; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
const CENTRE: u8 = 4;

/// The place on the ring of a point that is not the centre.
fn place(point: u8) -> usize {
    RING.iter().position(|&other| other == point).unwrap_or(0)
}

/// The point without men.
fn free((own, other, _): State) -> u8 {
    (0..9).find(|at| (own | other) >> at & 1 == 0).unwrap_or(0)
}

/// The men of Black and of White.
fn men((own, other, black): State) -> [u64; 2] {
    if black { [own, other] } else { [other, own] }
}

pub(crate) struct MuTorere {
    /// Four of eight points, in each of the 70 ways, in order.
    fours: Vec<u64>,
    layers: Vec<Layer>,
}

impl MuTorere {
    pub(crate) fn new() -> Self {
        let fours = (0..256_u64).filter(|set| set.count_ones() == 4).collect();
        let (name, slots, group) = ("all".to_owned(), 0..2 * 9 * 70, 0);
        let layers = vec![Layer { name, slots, group }];
        Self { fours, layers }
    }
}

impl Game for MuTorere {
    type State = State;
    type Move = (u8, u8);

    fn spec(&self) -> String {
        "mu-torere".to_owned()
    }

    fn initial(&self) -> State {
        let side = |points: &[u8]| points.iter().fold(0, |set, point| set | 1 << point);
        (side(&RING[..4]), side(&RING[4..]), true)
    }

    fn format_state(&self, state: &State) -> String {
        let [black, white] = men(*state);
        let board = BOARD.write([0, black, white], ['.', 'b', 'w']);
        format!("{board} {}", if state.2 { 'b' } else { 'w' })
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (board, side) = text.split_once(' ').unwrap_or((text, "b"));
        let [_, black, white] = BOARD.read(board, ['.', 'b', 'w'])?;
        let [own, other] = men((black, white, side != "w"));
        let state = (own, other, side != "w");
        if own.count_ones() != 4 || other.count_ones() != 4 || self.moves(&state).is_empty() {
            let message = "each side has four men, and the side to move can move";
            return Err(NotationError::new(text, 0, message));
        }
        Ok(state)
    }

    fn format_move(&self, (from, to): (u8, u8)) -> String {
        [from, to].map(|point| BOARD.name(point)).join("-")
    }

    fn parse_move(&self, text: &str) -> Result<(u8, u8), NotationError> {
        let (from, to) = text.split_once('-').unwrap_or((text, ""));
        Ok((BOARD.read_name(from)?, BOARD.read_name(to)?))
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if state.2 { "Black" } else { "White" }
    }
}

impl Moves for MuTorere {
    fn moves(&self, &(own, other, black): &State) -> Vec<(u8, u8)> {
        let to = free((own, other, black));
        let next_to = |point| [1, 7].map(|step| RING[(place(point) + step) % 8]);
        let goes = |from: &u8| match (*from, to) {
            (CENTRE, _) => true,
            (_, CENTRE) => next_to(*from).iter().any(|at| other >> at & 1 == 1),
            _ => next_to(*from).contains(&to),
        };
        let from = Board::squares_in(own).filter(goes);
        from.map(|from| (from, to)).collect()
    }

    fn play(&self, &(own, other, black): &State, (from, to): (u8, u8)) -> Next<State> {
        let next = (other, own & !(1 << from) | 1 << to, !black);
        if self.moves(&next).is_empty() {
            return Next::Over(Outcome::Win);
        }
        Next::State(next)
    }
}

impl FiniteGame for MuTorere {
    fn symmetries(&self) -> usize {
        16
    }

    fn image(&self, &(own, other, black): &State, turn: usize) -> State {
        let point = |point| self.image_of_move((point, point), turn).0;
        let image = |set| Board::squares_in(set).fold(0, |image, at| image | 1 << point(at));
        (image(own), image(other), black)
    }

    fn image_of_move(&self, (from, to): (u8, u8), turn: usize) -> (u8, u8) {
        let image = |point| match (point, turn % 2) {
            (CENTRE, _) => CENTRE,
            (_, 0) => RING[(turn / 2 + place(point)) % 8],
            (_, _) => RING[(turn / 2 + 8 - place(point)) % 8],
        };
        (image(from), image(to))
    }
}

impl Playable for MuTorere {
    fn board(&self) -> Board {
        BOARD
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let [black, white] = men(*state);
        let black = Standing::on(BOARD, black, Glyph::Piece(Tone::Dark), "black man");
        let white = Standing::on(BOARD, white, Glyph::Piece(Tone::Light), "white man");
        black.chain(white).collect()
    }
}

impl Ranked for MuTorere {
    fn rank(&self, state: &State) -> u64 {
        let (own, other, black) = self.canonical(state);
        let free = free((own, other, black));
        let below = (1 << free) - 1;
        let four = self.fours.binary_search(&(own & below | own >> 1 & !below));
        let number = |four| (u64::from(!black) * 9 + u64::from(free)) * 70 + four as u64;
        four.map_or(u64::MAX, number)
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let (side, free) = (index / 70 / 9, index / 70 % 9);
        let four = self.fours[usize::try_from(index % 70).ok()?];
        let below = (1 << free) - 1;
        let own = four & below | (four & !below) << 1;
        let state = (own, 0o777 & !own & !(1 << free), side == 0);
        let holds = side < 2 && self.canonical(&state) == state && !self.moves(&state).is_empty();
        holds.then_some(state)
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

impl NumberedGame for MuTorere {
    fn before(&self, &(own, other, black): &State) -> Vec<State> {
        let back = 1 << free((own, other, black));
        let before = |to: u8| (other & !(1 << to) | back, own, !black);
        Board::squares_in(other).map(before).collect()
    }
}

/// The value of the start, as the commands print it.
pub(crate) fn value() -> Result<String, Box<dyn std::error::Error>> {
    let game = Numbered::of(MuTorere::new());
    let table = solve_in_memory(&game, &NoProgress)?;
    let start = table.record(game.rank(&game.initial()))?;
    Ok(start.best().to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    value().map(|value| println!("{value}"))
}
