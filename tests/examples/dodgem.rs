//! A second game of one's own, with columns for filters, kinds of move and a picture: Dodgem.
//!
//! Rules: on a board of n by n squares, n - 1 cars of Black stand on the left edge and drive
//! to the right, n - 1 cars of White stand on the lower edge and drive up; the lower left
//! square is empty. In turn, Black first, a side drives one car one square forward or
//! sideways onto a free square. Forward over the far edge, a car leaves the board. Who is to
//! move and cannot wins, because the cars are off the board or shut in; endless play is a
//! draw. C. Vout, in E. Berlekamp, J. Conway and R. Guy, *Winning Ways*.

use tesuji::base::{progress::NoProgress, value::Outcome};
use tesuji::draw::{BoardSquare, Glyph, Point, Style, Symbol, Tone, render};
use tesuji::game::{
    Board, Feature, FeatureValue, FiniteGame, Game, Listed, MoveKind, Moves, Next, NotationError,
    Playable, Standing,
};
use tesuji::mine::Filter;
use tesuji::session::{Evaluation, EvaluationOptions, MiningOptions, Options, Session, tables};

/// Dodgem on a board with sides of 3 to 8 squares.
pub(crate) struct Dodgem(pub u8);

/// The cars of Black and of White, and whether Black is to move.
type State = (u64, u64, bool);

/// A way to go: columns to the right, rows up, and its letter.
type Way = (i8, i8, char);
const RIGHT: Way = (1, 0, '>');
const UP: Way = (0, 1, '^');
const LEFT: Way = (-1, 0, '<');
const DOWN: Way = (0, -1, 'v');

/// A car's outline, front upwards: hood, roof and rear window.
const CAR: &str = "M330 90L670 90L780 200L780 840L700 920L300 920L220 840L220 200Z\
                   M320 330L360 480L640 480L680 330ZM340 680L320 800L680 800L660 680Z";

impl Dodgem {
    const fn grid(&self) -> Board {
        Board::new(self.0, self.0)
    }

    /// The ways of the side to move, the first of which is forward.
    const fn ways(black: bool) -> [Way; 3] {
        if black {
            [RIGHT, UP, DOWN]
        } else {
            [UP, LEFT, RIGHT]
        }
    }

    /// The point to which a move leads.
    fn target(&self, (from, (right, up, _)): (u8, Way)) -> Point {
        let Point { column, row } = self.grid().cell(from).into();
        Point::new(column + right, row + up)
    }

    /// The square at a point; `None` off the board.
    fn square(&self, at: Point) -> Option<u8> {
        let side = |number| u8::try_from(number).ok().filter(|&number| number < self.0);
        let cell = BoardSquare::new(side(at.column)?, side(at.row)?);
        Some(self.grid().square(cell))
    }

    /// Moves that the cars of a side need to leave an empty board, and cars that cannot move.
    fn tally(&self, &(black, white, _): &State, blacks: bool) -> (usize, usize) {
        let (mut needed, mut stuck) = (0, 0);
        for car in Board::squares_in(if blacks { black } else { white }) {
            let BoardSquare { column, row } = self.grid().cell(car);
            needed += usize::from(self.0 - if blacks { column } else { row });
            let mut all = self.moves(&(black, white, blacks)).into_iter();
            stuck += usize::from(all.all(|(from, _)| from != car));
        }
        (needed, stuck)
    }
}

impl Game for Dodgem {
    type State = State;
    type Move = (u8, Way);

    fn spec(&self) -> String {
        format!("dodgem:{}", self.0)
    }

    fn initial(&self) -> State {
        let edge = |step: u64| (1..u64::from(self.0)).fold(0, |set, car| set | 1 << (car * step));
        let last = u64::from(self.0) * u64::from(self.0 - 1);
        (edge(self.0.into()) >> self.0, edge(1) << last, true)
    }

    fn format_state(&self, &(black, white, blacks): &State) -> String {
        let board = self.grid().write([0, black, white], ['.', 'b', 'w']);
        format!("{board} {}", if blacks { 'b' } else { 'w' })
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (board, side) = text.split_once(' ').unwrap_or((text, "b"));
        let [_, black, white] = self.grid().read(board, ['.', 'b', 'w'])?;
        let state = (black, white, side != "w");
        if black == 0 || white == 0 || self.moves(&state).is_empty() {
            return Err(NotationError::new(text, 0, "the game is over here"));
        }
        Ok(state)
    }

    fn format_move(&self, (from, (.., letter)): (u8, Way)) -> String {
        format!("{}{letter}", self.grid().name(from))
    }

    fn parse_move(&self, text: &str) -> Result<(u8, Way), NotationError> {
        let mut ways = [RIGHT, UP, LEFT, DOWN].into_iter();
        let read = ways.find_map(|way| Some((text.strip_suffix(way.2)?, way)));
        let (from, way) = read.ok_or_else(|| {
            NotationError::new(text, text.len(), "a move is a square and >, ^, < or v")
        })?;
        Ok((self.grid().read_name(from)?, way))
    }

    fn side_to_move(&self, &(.., blacks): &State) -> &'static str {
        if blacks { "Black" } else { "White" }
    }
}

impl Moves for Dodgem {
    fn moves(&self, &(black, white, blacks): &State) -> Vec<(u8, Way)> {
        let own = if blacks { black } else { white };
        let ways = Self::ways(blacks);
        let all = Board::squares_in(own).flat_map(|from| ways.map(|way| (from, way)));
        let free = |&mv: &(u8, Way)| match self.square(self.target(mv)) {
            Some(to) => (black | white) >> to & 1 == 0,
            None => mv.1 == ways[0],
        };
        all.filter(free).collect()
    }

    fn play(&self, &(mut black, mut white, blacks): &State, mv: (u8, Way)) -> Next<State> {
        let own = if blacks { &mut black } else { &mut white };
        let to = self.square(self.target(mv));
        *own = *own & !(1 << mv.0) | to.map_or(0, |to| 1 << to);
        if *own == 0 {
            return Next::Over(Outcome::Win);
        }
        let next = (black, white, !blacks);
        if self.moves(&next).is_empty() {
            return Next::Over(Outcome::Loss);
        }
        Next::State(next)
    }

    fn kinds(&self) -> &'static [MoveKind] {
        const { &[MoveKind::new("exit", true, "drives a car off the board")] }
    }

    fn kinds_of(&self, _state: &State, mv: (u8, Way)) -> u32 {
        u32::from(self.square(self.target(mv)).is_none())
    }
}

impl FiniteGame for Dodgem {
    #[rustfmt::skip]
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::number("own_needed", "moves that the cars of the side to move need to leave an empty board"),
            Feature::number("opp_needed", "moves that the cars of the other side need"),
            Feature::number("own_stuck", "cars of the side to move that cannot move"),
            Feature::number("opp_stuck", "cars of the other side that could not move"),
        ]
    }

    fn measure(&self, state: &State, place: usize) -> FeatureValue {
        let (needed, stuck) = self.tally(state, place.is_multiple_of(2) == state.2);
        FeatureValue::count(if place < 2 { needed } else { stuck })
    }
}

impl Playable for Dodgem {
    fn board(&self) -> Board {
        self.grid()
    }

    fn standing(&self, &(black, white, _): &State) -> Vec<Standing> {
        let car = |tone| Symbol::new("car", CAR, tone).expect("the outline lies in its square");
        let [black_car, white_car] = [car(Tone::Dark).turned(1), car(Tone::Light)];
        let black = Standing::on(self.grid(), black, Glyph::Symbol(black_car), "black car");
        let white = Standing::on(self.grid(), white, Glyph::Symbol(white_car), "white car");
        black.chain(white).collect()
    }

    fn aim(&self, _state: &State, mv: (u8, Way)) -> (BoardSquare, Point) {
        (self.grid().cell(mv.0), self.target(mv))
    }
}

const FILTER: &str = r#"name = "not-yet"
    title = "Not yet"
    text = "A car could leave the board, but only another move wins."
    predicate = "outcome = 'win' AND n_exit > 0 AND winning_exit = 0 AND n_winning = 1"
    order = ["-plies", "opp_needed"]
    limit = 6"#;

/// Solves and mines, and writes `dodgem-3.svg`, the first find with its key; gives what to print.
fn show(game: Dodgem, folder: &std::path::Path) -> Result<String, Box<dyn std::error::Error>> {
    let size = game.0;
    let session: Box<dyn Session> = Box::new(tables(Listed::of(game), &Options::new()));
    let start = session.evaluating()?;
    let start = start.evaluate("initial", &EvaluationOptions::default(), &NoProgress)?;
    let filters = [Filter::parse(FILTER, "not-yet.toml")?];
    let mined = session
        .mining()?
        .mine(&filters, &MiningOptions::default(), &NoProgress)?;
    let Evaluation::Plies(start) = start else {
        unreachable!("a game with a table has plies")
    };
    let mut told = format!("{}: {}", session.spec(), start.value.outcome());
    if let Some(row) = mined.sets[0].rows.first() {
        let diagram = session.diagram(&row.position)?;
        let key = [row.key.clone()];
        let diagram = session.lines()?.marked(diagram, &row.position, &key)?;
        let file = folder.join(format!("dodgem-{size}.svg"));
        std::fs::write(file, render(&diagram, &Style::print()))?;
        told = format!("{told}\n{} by {}", row.position, row.solution);
    }
    Ok(told)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for size in [3, 4] {
        println!("{}", show(Dodgem(size), folder.as_ref())?);
    }
    Ok(())
}
