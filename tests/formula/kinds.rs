//! What programs are asked depends on the kind of a game, not on its name.

use tesuji::base::progress::NoProgress;
use tesuji::formula::AnswerKind;
use tesuji::game::{Encoded, FiniteGame, Game, Listed, Moves, Next, NotationError, Playable};
use tesuji::games::pieces::{Move, Pieces, State};
use tesuji::session::{Options, Questions, Session, SessionError, tables};

/// Tic-tac-toe by a name that begins as those of sliding puzzles do.
struct Renamed(Pieces);

impl Game for Renamed {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        "sliding-noughts".to_owned()
    }

    fn initial(&self) -> State {
        self.0.initial()
    }

    fn format_state(&self, state: &State) -> String {
        self.0.format_state(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        self.0.parse_state(text)
    }

    fn format_move(&self, mv: Move) -> String {
        self.0.format_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        self.0.parse_move(text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        self.0.side_to_move(state)
    }
}

impl Moves for Renamed {
    fn moves(&self, state: &State) -> Vec<Move> {
        self.0.moves(state)
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        self.0.play(state, mv)
    }

    fn encoded(&self) -> Option<&dyn Encoded<State = State, Move = Move>> {
        self.0.encoded()
    }
}

impl Playable for Renamed {}

impl FiniteGame for Renamed {}

fn asked(session: &dyn Session, shortest: bool) -> Result<Questions, SessionError> {
    session
        .programming()?
        .questions(shortest, AnswerKind::Move, &NoProgress)
}

#[test]
fn a_name_decides_nothing() {
    let renamed = tables(
        Listed::of(Renamed(Pieces::shipped("tictactoe").unwrap())),
        &Options::new(),
    );
    let known = tesuji::open("tictactoe").unwrap();
    for shortest in [false, true] {
        let [a, b] = [&renamed as &dyn Session, &*known].map(|it| asked(it, shortest).unwrap());
        assert_eq!(a.policy.entries, b.policy.entries);
        assert!(a.tactics.is_some() && a.residues.is_none());
    }
    // What wins soonest is less than what wins.
    let right = |shortest| -> u32 {
        let asked = asked(&renamed, shortest).unwrap();
        let entries = asked.policy.entries.iter();
        entries.map(|entry| entry.best.count_ones()).sum()
    };
    assert!(right(true) < right(false));
    // Puzzles of one player have nothing but the shortest way.
    let puzzle = tesuji::open("sliding:2x2").unwrap();
    assert!(asked(&*puzzle, false).unwrap().residues.is_some());
    let refused = asked(&*puzzle, true).unwrap_err().to_string();
    assert!(refused.contains("for games of two players"), "{refused}");
}
