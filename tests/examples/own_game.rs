//! A game of one's own: three men's morris, solved, mined, drawn and put into a booklet.
//!
//! Rules: the board is 3x3 points, joined along rows, columns and the two diagonals. Each
//! side, Black first, puts three men on free points in turn, then moves one along a line to
//! a free point next to it. Three in a line win; who cannot move has lost (a rule of this
//! program); endless play is a draw. R. C. Bell, *Board and Table Games*: tapatan.

use tesuji::base::{progress::NoProgress, value::Outcome};
use tesuji::book::{Book, Front, page};
use tesuji::draw::{Glyph, Style, Tone, render};
use tesuji::game::{
    Board, FiniteGame, Game, Listed, Moves, Next, NotationError, Playable, Standing,
};
use tesuji::mine::Filter;
use tesuji::session::{
    BookOptions, Evaluation, EvaluationOptions, MiningOptions, Options, Session, tables,
};

pub(crate) struct Morris;

/// The men of the side to move and of the other, and whether Black is to move.
type State = (u64, u64, bool);
const BOARD: Board = Board::new(3, 3);
const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn men(&(own, other, black): &State) -> [u64; 2] {
    if black { [own, other] } else { [other, own] }
}

impl Game for Morris {
    type State = State;
    type Move = (u8, u8);

    fn spec(&self) -> String {
        "morris".to_owned()
    }

    fn initial(&self) -> State {
        (0, 0, true)
    }

    fn format_state(&self, state: &State) -> String {
        let [black, white] = men(state);
        let board = BOARD.write([0, black, white], ['.', 'b', 'w']);
        format!("{board} {}", if state.2 { 'b' } else { 'w' })
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (board, side) = text.split_once(' ').unwrap_or((text, "b"));
        let [_, black, white] = BOARD.read(board, ['.', 'b', 'w'])?;
        let [own, other] = men(&(black, white, side != "w"));
        Ok((own, other, side != "w"))
    }

    fn format_move(&self, (from, to): (u8, u8)) -> String {
        let mut names = [from, to].map(|point| BOARD.name(point)).to_vec();
        names.dedup();
        names.join("-")
    }

    fn parse_move(&self, text: &str) -> Result<(u8, u8), NotationError> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Ok((BOARD.read_name(from)?, BOARD.read_name(to)?))
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if state.2 { "Black" } else { "White" }
    }
}

impl Moves for Morris {
    fn moves(&self, &(own, other, _): &State) -> Vec<(u8, u8)> {
        let free = || Board::squares_in(0o777 & !own & !other);
        if own.count_ones() < 3 {
            return free().map(|point| (point, point)).collect();
        }
        let steps = Board::squares_in(own).flat_map(|from| free().map(move |to| (from, to)));
        let near = |a: u8, b: u8| (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3) == 1;
        let joined = |&(a, b): &(u8, u8)| near(a, b) || a == 4 || b == 4;
        steps.filter(joined).collect()
    }

    fn play(&self, &(own, other, black): &State, (from, to): (u8, u8)) -> Next<State> {
        let next = (other, own & !(1 << from) | 1 << to, !black);
        let won = LINES.iter().any(|line| next.1 & line == *line);
        if won || self.moves(&next).is_empty() {
            return Next::Over(Outcome::Win);
        }
        Next::State(next)
    }
}

impl FiniteGame for Morris {
    fn symmetries(&self) -> usize {
        BOARD.symmetries()
    }

    fn image(&self, &(own, other, black): &State, turn: usize) -> State {
        let [own, other] = [own, other].map(|men| BOARD.image_of_set(men, turn));
        (own, other, black)
    }

    fn image_of_move(&self, (from, to): (u8, u8), turn: usize) -> (u8, u8) {
        (BOARD.image(from, turn), BOARD.image(to, turn))
    }
}

impl Playable for Morris {
    fn board(&self) -> Board {
        BOARD
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let [black, white] = men(state);
        let black = Standing::on(BOARD, black, Glyph::Piece(Tone::Dark), "black man");
        let white = Standing::on(BOARD, white, Glyph::Piece(Tone::Light), "white man");
        black.chain(white).collect()
    }
}

const FILTER: &str = r#"name = "quiet-wins"
    title = "Quiet wins"
    text = "One move alone wins, and not at once."
    predicate = "outcome = 'win' AND plies > 3 AND n_winning = 1"
    limit = 6"#;

/// Solves, mines, and writes `find.svg` and `book.html`; gives what to print.
fn show(folder: &std::path::Path) -> Result<String, Box<dyn std::error::Error>> {
    let session: Box<dyn Session> = Box::new(tables(Listed::of(Morris), &Options::new()));
    let start = session.evaluating()?;
    let start = start.evaluate(".../.../... b", &EvaluationOptions::default(), &NoProgress)?;
    let Evaluation::Plies(start) = start else {
        unreachable!("a game with a table has plies")
    };
    let filters = [Filter::parse(FILTER, "quiet-wins.toml")?];
    let mining = session.mining()?;
    let mined = mining.mine(&filters, &MiningOptions::default(), &NoProgress)?;
    let rows = &mined.sets[0].rows;
    let diagram = session.diagram(&rows[0].position)?;
    std::fs::write(folder.join("find.svg"), render(&diagram, &Style::print()))?;
    let problems = session.problems()?;
    let problem = |row| problems.problem(row, &BookOptions::default(), &NoProgress);
    let found: Result<Vec<_>, _> = rows.iter().map(problem).collect();
    let front = Front {
        title: "Three men's morris".to_owned(),
        games: vec![session.spec()],
        ..Front::default()
    };
    let book = Book::new(front, found?)?;
    std::fs::write(folder.join("book.html"), page(&book))?;
    let (plies, key) = (start.value.plies().unwrap_or(0), &start.moves[0].name);
    let (outcome, find) = (start.value.outcome(), &rows[0].position);
    Ok(format!("{outcome} in {plies} by {key}\n{find}"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    println!("{}", show(folder.as_ref())?);
    Ok(())
}
