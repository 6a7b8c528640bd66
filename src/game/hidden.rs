//! Games in which one side does not see what the other has and does.
//!
//! The *attacker* sees its own things alone and makes *tries*; an umpire, who sees
//! everything, answers each. The *defender* sees everything. A problem asks for a goal
//! that the attacker reaches whatever the defender replies. States that look alike to
//! the attacker make up one *metaposition* (Sakuta and Iida, *Solving problems with
//! uncertainty*), which is what [`metapositions`](crate::metapositions) searches.

use std::fmt::Debug;
use std::hash::Hash;

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

    /// What the umpire answers to a try that own things allow.
    fn answer(&self, state: &Self::State, mv: Self::Move) -> Answer<Self::Clue>;

    /// Whether a try that stands reaches the goal at once (the defender has no reply).
    fn wins(&self, state: &Self::State, mv: Self::Move) -> bool;

    /// Appends what the defender's replies to a try that stands and does not win lead to,
    /// each with what the attacker hears. States may come several times. `false` if a
    /// reply ends the game in the defender's favour; what was appended then says nothing.
    fn replies(
        &self,
        state: &Self::State,
        mv: Self::Move,
        replies: &mut Vec<(Self::Clue, Self::State)>,
    ) -> bool;

    /// What the attacker has left over once a winning try is made, as a number: less is
    /// better. The last criterion between solutions.
    fn left_over(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// A clue about a try as people write it behind the try; empty if there is none.
    fn format_announced(&self, clue: Self::Clue) -> String;

    /// A clue about a reply as people write it in the place of the unseen move.
    fn format_reply(&self, clue: Self::Clue) -> String;
}
