//! Books of a hidden game that is not shogi: its board and its sides are its own, and as
//! many fouls are allowed as mining allows.
//!
//! A hider puts a ball under one of a few shells in a row while the finder looks away;
//! then the finder lifts shells, and lifting an empty one is a foul. Whoever lifts all but
//! one shell in vain knows where the ball is, so one foul fewer than there are shells must
//! be allowed.

use std::ops::ControlFlow;

use tesuji::base::progress::NoProgress;
use tesuji::book::{Book, Front, page};
use tesuji::draw::{BoardSquare, Diagram, Glyph, Slide, Tone};
use tesuji::game::{
    Answer, Drawable, Feature, FeatureValue, Features, Game, Generator, Hidden, HiddenBoard,
    NotationError, Reply, Standing,
};
use tesuji::mine::Filter;
use tesuji::session::{BookOptions, MiningOptions, Options, Session, SupplyOptions, hidden};

use crate::common::page_data;

/// So many shells.
#[derive(Clone)]
struct Shells(u8);

/// Where the ball is; nowhere yet at first.
type State = Option<u8>;

fn wrong(text: &str) -> NotationError {
    NotationError::new(text, 0, "a number or -")
}

/// A number as it is written; `-` stands for none, which is also the move of looking away.
fn read(text: &str) -> Result<State, NotationError> {
    match text {
        "-" => Ok(None),
        text => text.parse().map(Some).map_err(|_| wrong(text)),
    }
}

fn write(number: State) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

impl Game for Shells {
    type State = State;
    type Move = Option<u8>;

    fn spec(&self) -> String {
        "shells".to_owned()
    }

    fn initial(&self) -> State {
        None
    }

    fn format_state(&self, state: &State) -> String {
        write(*state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        read(text)
    }

    fn format_move(&self, mv: Option<u8>) -> String {
        write(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Option<u8>, NotationError> {
        read(text)
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Finder"
    }
}

impl Hidden for Shells {
    type Clue = ();

    fn key(&self, state: &State) -> u64 {
        let number = state.map_or(0, |ball| u64::from(ball) + 1);
        (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn tries(&self, state: &State, tries: &mut Vec<(Option<u8>, Answer<()>)>) {
        match state {
            None => tries.push((None, Answer::Stands(()))),
            Some(_) => tries.extend((0..self.0).map(|n| (Some(n), self.answer(state, Some(n))))),
        }
    }

    fn answer(&self, state: &State, mv: Option<u8>) -> Answer<()> {
        if *state == mv {
            Answer::Stands(())
        } else {
            Answer::Foul
        }
    }

    fn wins(&self, state: &State, _mv: Option<u8>) -> bool {
        state.is_some()
    }

    fn count_replies(&self, state: &State, _mv: Option<u8>) -> usize {
        if state.is_some() { 0 } else { self.0.into() }
    }

    fn replies(
        &self,
        state: &State,
        mv: Option<u8>,
        mut visit: impl FnMut(Reply<(), State>) -> ControlFlow<()>,
    ) {
        for ball in 0..u8::try_from(self.count_replies(state, mv)).unwrap() {
            if visit(Reply::To((), Some(ball))).is_break() {
                return;
            }
        }
    }

    fn left_over(&self, _state: &State, _mv: Option<u8>) -> u64 {
        0
    }

    fn format_announced(&self, (): ()) -> String {
        String::new()
    }

    fn format_reply(&self, (): ()) -> String {
        "-".to_owned()
    }
}

impl Generator for Shells {
    fn generate(&self, _number: u64) -> Option<State> {
        Some(None)
    }

    fn vary(&self, state: &State, _number: u64) -> Option<State> {
        Some(*state)
    }

    fn predecessor(&self, _state: &State, _number: u64) -> Option<State> {
        Some(None)
    }
}

impl Features for Shells {
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    fn measure(&self, _state: &State, _wanted: &[usize], _cells: &mut Vec<FeatureValue>) {}
}

impl Drawable for Shells {
    fn diagram(&self, _state: &State) -> Diagram {
        Diagram::new(self.0, 1).unwrap()
    }

    fn with_move(&self, diagram: Diagram, _state: &State, _mv: Option<u8>) -> Diagram {
        diagram
    }

    fn slides(&self, _state: &State, _mv: Option<u8>) -> Vec<Slide> {
        Vec::new()
    }
}

impl HiddenBoard for Shells {
    fn on_board(&self, _state: &State) -> Vec<Standing> {
        let shell = |column| Standing {
            cell: BoardSquare::new(column, 0),
            glyph: Glyph::Piece(Tone::Dark),
            words: "shell".into(),
        };
        (0..self.0).map(shell).collect()
    }

    fn in_letters(&self, _state: &State, _whole: bool) -> String {
        "?".repeat(self.0.into())
    }

    fn seen(&self, state: &State) -> Diagram {
        self.diagram(state)
    }

    fn defender(&self) -> &'static str {
        "Hider"
    }
}

#[test]
fn board_sides_and_number_of_fouls_are_those_of_the_game() {
    // Eight fouls are the most.
    for shells in 2..=9 {
        let session: &dyn Session = &hidden(Shells(shells), &Options::new()).unwrap();
        let options = MiningOptions {
            supply: SupplyOptions {
                positions: Some(1),
                fouls: Some(8),
                ..SupplyOptions::default()
            },
            ..MiningOptions::default()
        };
        let filters = [Filter::of_condition("found", "plies >= 1").unwrap()];
        let mining = session.mining().unwrap();
        let mined = mining.mine(&filters, &options, &NoProgress).unwrap();
        let row = &mined.sets[0].rows[0];
        let fouls = if shells == 2 {
            "1 foul"
        } else {
            &format!("{} fouls", shells - 1)
        };
        assert_eq!(
            row.stipulation,
            format!("Finder to move and win in 3 with {fouls} allowed")
        );
        let problems = session.problems().unwrap();
        let problem = problems
            .problem(row, &BookOptions::default(), &NoProgress)
            .unwrap();
        let front = Front {
            title: "Shells".to_owned(),
            games: vec![session.spec()],
            ..Front::default()
        };
        let book = Book::new(front, vec![problem]).unwrap();
        let data = page_data(&page(&book));
        assert_eq!(data["boards"][0]["size"], serde_json::json!([shells, 1]));
        let printed = &data["puzzles"][0];
        assert_eq!(
            (&printed["side"], &printed["other"]),
            (&"Finder".into(), &"Hider".into())
        );
    }
}
