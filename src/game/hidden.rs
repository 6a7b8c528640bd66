//! Games in which one side does not see what the other has and does.
//!
//! The *attacker* sees its own things alone and makes *tries*; an umpire, who sees
//! everything, answers each. The *defender* sees everything. A problem asks for a goal
//! that the attacker reaches whatever the defender replies. States that look alike to
//! the attacker make up one *metaposition* (Sakuta and Iida, *Solving problems with
//! uncertainty*), which is what `solve::belief` searches.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::Game;

/// What the umpire answers to a try in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer<C> {
    /// What is hidden forbids it: the attacker tries again, and no ply has passed.
    Foul,
    /// It would be legal, but is not of the kind that the task asks for (no check).
    Quiet,
    /// It stands, with what else the umpire announces (such as a capture).
    Stands(C),
}

/// What a reply of the defender's leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reply<C, S> {
    /// To this state, with what the attacker hears.
    To(C, S),
    /// The game ends in the defender's favour.
    Escape,
}

/// Games in which the attacker sees only its own things.
///
/// A [`State`](Game::State) is everything, seen and hidden, with the attacker to move.
/// Two states *look alike* if the attacker cannot tell them apart by looking; they then
/// have the same tries as far as own things decide them.
pub trait Hidden: Game {
    /// What the attacker hears. Clues sort in the order in which they are told.
    type Clue: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// A hash of a state, the same for equal states and, but for accidents of about one
    /// pair in 2^64, different for others.
    fn key(&self, state: &Self::State) -> u64;

    /// Appends the tries that own things allow and that are not [`Answer::Quiet`] in this
    /// state, with the answers, each once, in a fixed order of moves.
    fn tries(&self, state: &Self::State, tries: &mut Vec<(Self::Move, Answer<Self::Clue>)>);

    /// Appends the tries that stand in this state, in the same order.
    fn standing(&self, state: &Self::State, tries: &mut Vec<Self::Move>) {
        let mut all = Vec::new();
        self.tries(state, &mut all);
        let stands = |&(mv, answer): &(Self::Move, Answer<Self::Clue>)| {
            matches!(answer, Answer::Stands(_)).then_some(mv)
        };
        tries.extend(all.iter().filter_map(stands));
    }

    /// What the umpire answers to a try that own things allow.
    fn answer(&self, state: &Self::State, mv: Self::Move) -> Answer<Self::Clue>;

    /// Whether the defender has no reply to a try that stands: the attacker has reached the
    /// goal.
    fn wins(&self, state: &Self::State, mv: Self::Move) -> bool;

    /// Counts the defender's replies to a try that stands.
    fn count_replies(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// Visits what the defender's replies to a try that stands lead to, in a fixed order,
    /// until the visitor breaks off. States may come several times.
    fn replies(
        &self,
        state: &Self::State,
        mv: Self::Move,
        visit: impl FnMut(Reply<Self::Clue, Self::State>) -> ControlFlow<()>,
    );

    /// What the attacker has left over once a winning try is made, as a number: less is
    /// better. The last criterion between solutions.
    fn left_over(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// A clue about a try as people write it behind the try; empty if there is none.
    fn format_announced(&self, clue: Self::Clue) -> String;

    /// A clue about a reply as people write it in the place of the unseen move.
    fn format_reply(&self, clue: Self::Clue) -> String;

    /// A line in words, turned so that all its images under the symmetries of the board are
    /// the same text.
    fn canonical_words(&self, line: &str) -> String {
        line.to_owned()
    }
}

/// Games that can make positions up, to be mined. Every position is decided by the
/// numbers given, so that work can be repeated and shared out.
pub trait Generator: Hidden {
    /// The random position of a number; `None` if what came up is no position.
    fn generate(&self, number: u64) -> Option<Self::State>;

    /// A position that differs from this one in a few things.
    fn vary(&self, state: &Self::State, number: u64) -> Option<Self::State>;

    /// A position from which a try that stands, and a reply, lead to this one.
    fn predecessor(&self, state: &Self::State, number: u64) -> Option<Self::State>;
}
