//! Tsuitate-tsume-shogi: shogi mate problems in which Black sees only his own pieces.
//!
//! # Rules
//! Black is the attacker, is to move, and may have a king. Every piece that is neither on
//! the board nor in Black's hand is in White's hand. Black knows the initial position, but
//! after that only what the umpire announces. A *try* must be legal as far as Black's own
//! pieces go (no two pawns on a file, no drop or move to where a piece could never move
//! again). It is
//!
//! - a *foul* if White's pieces forbid it: a slide past one of them, a drop on one of
//!   them, a pawn drop that mates, Black's own king left in check. Black tries again;
//! - a *check*, after which White makes a legal move;
//! - otherwise *quiet*, which problems forbid.
//!
//! Black hears whether a try is a foul, a check or mate, the kind of piece that a check
//! captures, the square on which a piece of Black's vanishes, and a countercheck. He must
//! mate whatever White replies, with at most a given number of fouls. A check is a ply, and
//! so is the reply; a foul is not. Repetition is allowed, as in the paper.
//!
//! Settings for what the paper leaves open, the paper's reading first:
//!
//! - `futile=kept` or `futile=omitted`: White may, or may not, drop a piece between a
//!   sliding piece and the king if that only puts off mate: the slider takes it at once
//!   without promoting, and that mates, further such drops left aside;
//! - `captures=unpromoted` or `captures=promoted`: a captured promoted piece is announced
//!   by the kind that comes to hand, or as promoted;
//! - `entry=nothing` or `entry=escape`: nothing happens if White's king enters Black's
//!   camp (ranks g to i), or White is then safe.
//!
//! Source: M. Sakuta, H. Iida, *Solving problems with uncertainty: a case study using
//! Tsuitate-Tsume-Shogi*, "the paper" below.

mod features;
mod generate;
mod geometry;
mod kif;
mod notation;
mod picture;
mod setup;
mod state;
mod tries;

pub use picture::{Kind, Man, Rest, Shown, picture};
pub use setup::{Captures, Entry, Futile, Rules};
pub use state::Clue;
pub use state::State;
pub use state::{HAND_KINDS, Move};

use std::ops::ControlFlow;

use crate::game::{Answer, Game, Hidden, NotationError, Reply, RuleInWords};

/// The game with its rule settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tsuitate {
    rules: Rules,
    /// The sample problem of the paper.
    sample: State,
}

impl Tsuitate {
    /// The rule settings.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }
}

impl Game for Tsuitate {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        self.rules.spec()
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        setup::rules(self.rules)
    }

    /// The sample problem of the paper. A problem may begin with any position.
    fn initial(&self) -> State {
        self.sample.clone()
    }

    fn format_state(&self, state: &State) -> String {
        notation::write(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        if kif::is_kif(text) {
            kif::read(text)
        } else {
            notation::read(text)
        }
    }

    fn format_move(&self, mv: Move) -> String {
        notation::write_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(text)
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Black"
    }
}

impl Hidden for Tsuitate {
    type Clue = Clue;

    fn key(&self, state: &State) -> u64 {
        state.position().key()
    }

    fn tries(&self, state: &State, tries: &mut Vec<(Move, Answer<Clue>)>) {
        self.list_tries(state, tries);
    }

    fn allows(&self, state: &State, mv: Move) -> bool {
        tries::own_things_allow(state, mv)
    }

    fn answer(&self, state: &State, mv: Move) -> Answer<Clue> {
        self.judge(state, mv)
    }

    fn standing(&self, state: &State, tries: &mut Vec<Move>) {
        Self::list_checks(state, tries);
    }

    fn wins(&self, state: &State, mv: Move) -> bool {
        self.mates(state, mv)
    }

    fn count_replies(&self, state: &State, mv: Move) -> usize {
        self.count_defences(state, mv)
    }

    fn replies(
        &self,
        state: &State,
        mv: Move,
        visit: impl FnMut(Reply<Clue, State>) -> ControlFlow<()>,
    ) {
        self.visit_replies(state, mv, visit);
    }

    /// The pieces in Black's hand: their number, then the number of each kind, so that a
    /// subset is always less. The paper compares by subset only; the rest makes the order
    /// total.
    fn left_over(&self, state: &State, mv: Move) -> u64 {
        let after = state.after(mv);
        let hand = after.hand(shogi_core::Color::Black);
        let counts = HAND_KINDS.map(|kind| u64::from(hand.count(kind).unwrap_or(0)));
        counts
            .iter()
            .fold(counts.iter().sum(), |number, count| number << 5 | count)
    }

    fn format_announced(&self, clue: Clue) -> String {
        clue.kind()
            .map_or_else(String::new, |kind| format!("x{}", notation::letter(kind)))
    }

    fn format_reply(&self, clue: Clue) -> String {
        let capture = clue.vanished().map_or_else(
            || "-".to_owned(),
            |square| format!("x{}", notation::square_name(square)),
        );
        if clue.countercheck() {
            capture + "/check"
        } else {
            capture
        }
    }

    /// The line or its mirror image, whichever is first. Files are the only digits in it.
    fn canonical_words(&self, line: &str) -> String {
        let mirrored = line.chars().map(|c| match c.to_digit(10) {
            Some(file @ 1..=9) => char::from_digit(10 - file, 10).unwrap_or(c),
            _ => c,
        });
        mirrored.collect::<String>().min(line.to_owned())
    }
}
