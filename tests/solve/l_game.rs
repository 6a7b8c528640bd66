//! Games whose positions have more moves than narrow words count. The L game, by E. de Bono
//! (*The Five-Day Course in Thinking*, 1967), against the figures of Wikipedia's article about it:
//! of 2,296 positions up to symmetry, 15 are lost already and 14 soon; the others are drawn at
//! least.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Narrow, Outcome, Value};
use tesuji::game::{
    Board, FiniteGame, Game, Listed, Moves, Next, NotationError, Playable, Ranked, Symmetric, laws,
};
use tesuji::games::pieces::Pieces;
use tesuji::solve::{SolveError, Solver};
use tesuji::table::{Encoding, Table, ValueWidth, solve_in_memory, verify};

use crate::common::program::ok;
use crate::common::{naive, records, write};

const BOARD: Board = Board::new(4, 4);

/// The L of the side to move, the other one, and the two neutral pieces.
type State = (u64, u64, u64);

/// Where the L goes, and from where to where a neutral piece does: from a square to the same one
/// if both stay.
type Move = (u64, u8, u8);

struct LGame {
    /// All places of an L.
    places: BTreeSet<u64>,
}

impl LGame {
    fn new() -> Self {
        // Three squares in a row and one beside an end, moved over the board and turned.
        let shifts = (0..3).flat_map(|row| [0, 1].map(|column| 4 * row + column));
        let turned = shifts.flat_map(|shift| {
            let placed = 0b0001_0111 << shift;
            (0..8).map(move |turn| BOARD.image_of_set(placed, turn))
        });
        Self {
            places: turned.collect(),
        }
    }

    /// Where the side to move can put its L.
    fn goes(&self, &(own, other, neutral): &State) -> impl Iterator<Item = u64> {
        let places = self.places.iter().copied();
        places.filter(move |&place| place != own && place & (other | neutral) == 0)
    }

    /// The position after a move, though the game may be over.
    fn after(&(_, other, neutral): &State, (place, from, to): Move) -> State {
        let left = if from == to {
            neutral
        } else {
            neutral & !(1 << from) | 1 << to
        };
        (other, place, left)
    }
}

impl Game for LGame {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        "l-game".to_owned()
    }

    fn initial(&self) -> State {
        let [_, own, other, neutral] = BOARD.read("noo./.xo./.xo./.xxn", LETTERS).unwrap();
        (own, other, neutral)
    }

    fn format_state(&self, &(own, other, neutral): &State) -> String {
        BOARD.write([0, own, other, neutral], LETTERS)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let [_, own, other, neutral] = BOARD.read(text, LETTERS)?;
        Ok((own, other, neutral))
    }

    fn format_move(&self, (place, from, to): Move) -> String {
        let place: String = Board::squares_in(place).map(|at| BOARD.name(at)).collect();
        format!("{place}+{}{}", BOARD.name(from), BOARD.name(to))
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let wrong = || NotationError::new(text, 0, "four squares, +, and two");
        let (place, neutral) = text.split_once('+').ok_or_else(wrong)?;
        let square = |text: &str, at| BOARD.read_name(text.get(at..at + 2).ok_or_else(wrong)?);
        let place = (0..4).try_fold(0, |set, at| Ok(set | 1 << square(place, 2 * at)?))?;
        Ok((place, square(neutral, 0)?, square(neutral, 2)?))
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Next player"
    }
}

const LETTERS: [char; 4] = ['.', 'x', 'o', 'n'];

impl Moves for LGame {
    fn moves(&self, state: &State) -> Vec<Move> {
        let &(_, other, neutral) = state;
        let mut moves = Vec::new();
        for place in self.goes(state) {
            moves.push((place, 0, 0));
            let free = 0xffff & !(place | other | neutral);
            for from in Board::squares_in(neutral) {
                moves.extend(Board::squares_in(free).map(|to| (place, from, to)));
            }
        }
        moves
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let next = Self::after(state, mv);
        if self.goes(&next).next().is_none() {
            return Next::Over(Outcome::Win);
        }
        Next::State(next)
    }
}

impl Playable for LGame {}

impl FiniteGame for LGame {
    fn symmetries(&self) -> usize {
        BOARD.symmetries()
    }

    fn image(&self, &(own, other, neutral): &State, turn: usize) -> State {
        let [own, other, neutral] = [own, other, neutral].map(|set| BOARD.image_of_set(set, turn));
        (own, other, neutral)
    }

    fn image_of_move(&self, (place, from, to): Move, turn: usize) -> Move {
        let place = BOARD.image_of_set(place, turn);
        if from == to {
            return (place, from, to);
        }
        (place, BOARD.image(from, turn), BOARD.image(to, turn))
    }
}

#[test]
fn the_l_game_has_the_published_figures() {
    let game = Listed::of(LGame::new());
    game.list(&NoProgress).unwrap();
    let states: Vec<State> = (0..game.slots())
        .map(|slot| game.unrank(slot).unwrap())
        .collect();
    let mut ended = BTreeSet::new();
    for state in &states {
        for mv in game.moves(state) {
            if matches!(game.play(state, mv), Next::Over(_)) {
                ended.insert(game.canonical(&LGame::after(state, mv)));
            }
        }
    }
    assert_eq!((states.len() + ended.len(), ended.len()), (2296, 15));
    let most = game.most_moves();
    assert_eq!(
        most.numbers, 221,
        "17 places of an L, with 13 ways for the neutral pieces"
    );
    assert!(most.within > 128);

    let records = records(&game);
    let slow = naive::solve(&game, [game.initial()], |state| game.canonical(state));
    assert_eq!(slow.len(), states.len());
    for (slot, state) in (0..).zip(&states) {
        let value = records[usize::try_from(slot).unwrap()].best();
        assert_eq!(
            slow.value(state),
            Some(value),
            "{}",
            game.format_state(state)
        );
        laws::notation(&game, state).unwrap();
        laws::ranking(&game, slot).unwrap();
        laws::quick_moves(&game, slot).unwrap();
    }
    let lost = records
        .iter()
        .filter(|record| record.best().outcome() == Outcome::Loss);
    assert_eq!(lost.count(), 14);
    let start = usize::try_from(game.rank(&game.initial())).unwrap();
    assert_eq!(records[start].best(), Value::DRAW);
    assert!(records.iter().any(|record| record.only_move() > Some(127)));

    // A table keeps them, and they follow from one another.
    let (bytes, _) = write(&game, &records, ValueWidth::WIDE, Encoding::Packed);
    let table = Table::from_bytes(bytes, Path::new("l-game.tsj")).unwrap();
    for (slot, record) in (0..).zip(&records) {
        assert_eq!(table.record(slot).unwrap(), *record);
    }
    let verified = verify(&table, &game, &NoProgress).unwrap();
    assert!(verified.flaws.is_empty(), "{verified:?}");
    assert!(verified.fingerprint_holds);
}

#[test]
fn narrow_values_are_refused_where_their_words_are_too_short() {
    let game = Listed::of(LGame::new());
    let error = Solver::<_, Narrow>::new(&game)
        .solve_next(&NoProgress)
        .unwrap_err();
    assert!(
        matches!(error, SolveError::Moves(most) if most == game.most_moves()),
        "{error}"
    );
}

/// Three men that can go to any square of an empty board but their own, with the rules in a file.
fn flying(rows: usize, last: &str) -> (Pieces, String) {
    let empty = "'.......', ".repeat(rows - 2);
    let rules = format!(
        "title = 'T'\ncolumns = 7\nrows = {rows}\nno_move = 'loss'\n\
         start = ['MM.M...', {empty}'{last}']\n\
         [[piece]]\nletter = 'M'\nmoves = 'mU'\n\
         [[goal]]\nline = 3\ndirections = ['orthogonal', 'diagonal']\n"
    );
    (Pieces::from_file("fly.toml", &rules).unwrap(), rules)
}

#[test]
fn a_line_up_game_has_66_moves() {
    let (game, _) = flying(4, "m.m...m");
    assert_eq!(game.most_moves().numbers, 81);
    assert_eq!(game.moves(&game.initial()).len(), 66);
    for slot in (0..game.slots()).step_by(9973) {
        laws::quick_moves(&game, slot).unwrap();
    }
    let table = solve_in_memory(&game, &NoProgress).unwrap();
    let verified = verify(&table, &game, &NoProgress).unwrap();
    assert_eq!(
        (verified.flaws, verified.fingerprint_holds),
        (Vec::new(), true)
    );
}

#[test]
fn a_game_with_wide_values_is_the_same_in_a_file() {
    let (game, rules) = flying(7, "m......");
    assert_eq!(game.most_moves().numbers, 144);
    assert_eq!(game.moves(&game.initial()).len(), 135);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("fly.toml"), rules).unwrap();
    let args = ["solve", "rules:fly.toml", "--output", "fly.tsj"];
    ok(&args, folder.path());
    let table = Table::open(&folder.path().join("fly.tsj")).unwrap();
    for (slot, record) in (0..).zip(records(&game)) {
        assert_eq!(table.record(slot).unwrap(), record);
    }
    ok(&["verify", "fly.tsj"], folder.path());
}
