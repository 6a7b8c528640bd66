//! Games of two players without their types.
//!
//! A session asks a game about single positions: moves, notation, pictures, values. None of
//! that needs to be compiled again for each game, so a session holds an [`ErasedGame`]: it
//! implements the traits of [`game`](crate::game) over a trait object. What looks at every
//! position (solving, verifying, scanning, counting) stays compiled for each game and is
//! reached through [`Engine`], with one virtual call a job.

mod typed;

use std::any::Any;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::game::{Layer, ListedMove, Placed, Retrograde, Seen, hand_on};

pub(super) use typed::{Engine, Typed};

/// A state of an [`ErasedGame`].
#[derive(Debug, Clone)]
pub(super) struct AnyState(Arc<dyn StateObject>);

trait StateObject: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn StateObject) -> bool;
    fn hash_code(&self) -> u64;
}

impl<S: Any + Debug + Eq + Hash + Send + Sync> StateObject for S {
    fn equals(&self, other: &dyn StateObject) -> bool {
        (other as &dyn Any).downcast_ref::<S>() == Some(self)
    }

    fn hash_code(&self) -> u64 {
        FixedState::default().hash_one(self)
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash_code());
    }
}

/// A move of an [`ErasedGame`]: a number that the game gave it when it was first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AnyMove(u32);

/// A game of two players, whatever it is.
#[derive(Clone)]
pub(super) struct ErasedGame {
    /// The work that is compiled for the game itself.
    pub engine: Arc<dyn Engine>,
}

/// By slot, for work on single positions. A cursor is a slot, and where a move leads is placed
/// at once.
impl Retrograde for ErasedGame {
    type Cursor = u64;
    type Unplaced = Placed;

    hand_on! { to engine:
        fn look_ahead(&self, seen: &mut Seen, slot: u64, depth: u8, bounds: (i8, i8)) -> i8;
        fn predecessors(&self, state: &AnyState) -> Vec<(AnyState, AnyMove)>;
        fn is_symmetric(&self, slot: u64) -> bool;
        fn least_image_of_move(&self, slot: u64, number: u8) -> (u8, bool);
        fn forbids(&self, slot: u64, forbidden: u8, number: u8) -> bool;
        fn may_return_turned(&self, slot: u64) -> bool;
        fn criterion(&self) -> &'static str;
        fn classes(&self) -> Vec<String>;
        fn class(&self, slot: u64) -> usize;
        fn stretch(&self, layer: &Layer, class: usize) -> Range<u64>;
    }

    fn cursor(&self, index: u64) -> Option<u64> {
        self.engine.holds(index).then_some(index)
    }

    fn place(&self, placed: Placed) -> Placed {
        placed
    }

    fn moves_by_slot(&self, slot: u64, kinds: u32, mut visit: impl FnMut(ListedMove<Placed>)) {
        self.engine.visit_moves(slot, kinds, &mut visit);
    }

    fn unmoves(&self, slot: u64, mut visit: impl FnMut(Placed)) {
        self.engine
            .visit_unmoves(slot, &mut |before, _| visit(before));
    }

    fn unmoves_with_undo(&self, slot: u64, mut visit: impl FnMut(Placed, Option<u8>)) {
        self.engine.visit_unmoves(slot, &mut visit);
    }

    fn edges_with_undo(&self, slot: u64, mut visit: impl FnMut(u8, Placed, bool)) {
        self.engine.visit_edges(slot, &mut visit);
    }

    fn arrivals(&self, slot: u64, mut visit: impl FnMut(Option<u8>)) {
        self.engine.visit_arrivals(slot, &mut visit);
    }
}
