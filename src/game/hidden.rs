//! Games in which one side does not see the pieces and moves of the other.
//!
//! The *attacker* sees only its own pieces and makes *tries*; an umpire, who sees
//! everything, answers each. The *defender* sees everything. A problem asks for a goal that
//! the attacker reaches whatever the defender replies. States that look alike to the
//! attacker make up one *metaposition* (Sakuta and Iida, *Solving problems with
//! uncertainty*). `solve::belief` searches metapositions.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::moves::Game;
use super::playing::Standing;
use crate::draw::Diagram;

/// The umpire's answer to a try in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer<C> {
    /// A hidden piece makes it illegal: the attacker tries again, and no ply has passed.
    Foul,
    /// It is legal, but not of the kind that the problem asks for (no check).
    Quiet,
    /// It stands, with what the umpire announces, such as a capture.
    Stands(C),
}

/// The result of a reply of the defender.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reply<C, S> {
    /// This state, with what the attacker hears.
    To(C, S),
    /// The game ends in the defender's favour.
    Escape,
}

/// A step of a line that was played, everything seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened<M, S> {
    /// A try that was a foul.
    Foul(M),
    /// A try that stood, and the state after the reply; `None` if there was none.
    Stands(M, Option<S>),
}

/// Games in which the attacker sees only its own pieces.
///
/// A [`State`](Game::State) is everything, visible and hidden, with the attacker to move.
/// Two states *look alike* if the attacker cannot distinguish them by looking; their tries
/// are then the same, as far as the attacker's own pieces decide them.
pub trait Hidden: Game {
    /// What the attacker hears. Clues sort in the order in which they are announced.
    type Clue: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// A hash of a state. Different states have different hashes, except for about one pair
    /// in 2^64.
    fn key(&self, state: &Self::State) -> u64;

    /// Appends the tries that the attacker's own pieces allow and that are not
    /// [`Answer::Quiet`] in this state, with their answers. Each try occurs once, in a
    /// fixed order.
    fn tries(&self, state: &Self::State, tries: &mut Vec<(Self::Move, Answer<Self::Clue>)>);

    /// Appends the tries that stand in this state, in the same order.
    fn standing(&self, state: &Self::State, tries: &mut Vec<Self::Move>) {
        let mut all = Vec::new();
        self.tries(state, &mut all);
        all.retain(|(_, answer)| matches!(answer, Answer::Stands(_)));
        tries.extend(all.into_iter().map(|(mv, _)| mv));
    }

    /// Whether the attacker's own pieces allow a try. The default is right if they allow
    /// every move that can be written.
    fn allows(&self, _state: &Self::State, _mv: Self::Move) -> bool {
        true
    }

    /// The umpire's answer to a try that the attacker's own pieces allow.
    fn answer(&self, state: &Self::State, mv: Self::Move) -> Answer<Self::Clue>;

    /// Whether the defender has no reply to a try that stands: the attacker has reached the
    /// goal.
    fn wins(&self, state: &Self::State, mv: Self::Move) -> bool;

    /// Counts the defender's replies to a try that stands.
    fn count_replies(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// Visits the results of the defender's replies to a try that stands, in a fixed order,
    /// until the visitor breaks off. A state may occur several times.
    fn replies(
        &self,
        state: &Self::State,
        mv: Self::Move,
        visit: impl FnMut(Reply<Self::Clue, Self::State>) -> ControlFlow<()>,
    );

    /// A measure of what the attacker has left over after a winning try; less is better. It
    /// is the last criterion between solutions.
    fn left_over(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// The notation of a clue about a try, written after the try; empty if there is none.
    fn format_announced(&self, clue: Self::Clue) -> String;

    /// The notation of a clue about a reply, written in the place of the unseen move.
    fn format_reply(&self, clue: Self::Clue) -> String;

    /// A line in notation, turned so that all its images under the symmetries of the board
    /// have the same text.
    fn canonical_words(&self, line: &str) -> String {
        line.to_owned()
    }

    /// A position in notation, turned so that all its images have the same text.
    fn canonical_text(&self, state: &Self::State) -> String {
        self.format_state(state)
    }
}

/// Games that can generate positions for mining. A position depends only on the numbers
/// given, so that work can be repeated and divided.
pub trait Generator: Hidden {
    /// Generates the random position with this number; `None` if the result is not a legal
    /// position.
    fn generate(&self, number: u64) -> Option<Self::State>;

    /// Generates a position that differs from this one in a few pieces.
    fn vary(&self, state: &Self::State, number: u64) -> Option<Self::State>;

    /// Generates a position from which a try that stands and a reply lead to this one.
    fn predecessor(&self, state: &Self::State, number: u64) -> Option<Self::State>;
}

/// The board of a game with hidden information, as a book shows it.
pub trait HiddenBoard: Hidden {
    /// Everything on the board.
    fn on_board(&self, state: &Self::State) -> Vec<Standing>;

    /// The board in letters on lines of its own, with what the attacker has besides. Unless
    /// `whole`, only what the attacker sees is shown.
    fn in_letters(&self, state: &Self::State, whole: bool) -> String;

    /// A diagram of what the attacker sees: of a state, without the men of the other side.
    fn seen(&self, state: &Self::State) -> Diagram;

    /// The name of the side that sees everything, e.g. `White`.
    fn defender(&self) -> &'static str;

    /// A line from a state, as a file that other programs for the game read, with a title in
    /// words; `None` if there is no such format.
    fn record(
        &self,
        _state: &Self::State,
        _line: &[Happened<Self::Move, Self::State>],
        _title: &str,
    ) -> Option<String> {
        None
    }

    /// What the notation of announcements means, a paragraph each.
    fn legend(&self) -> Vec<String> {
        Vec::new()
    }
}
