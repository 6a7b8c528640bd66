//! Games of two players without their types.
//!
//! A session asks a game about single positions: moves, notation, pictures, values. None of
//! that needs to be compiled again for each game, so a session holds an [`ErasedGame`]: it
//! implements the traits of [`game`](crate::game) over a trait object. What looks at every
//! position (solving, verifying, scanning, counting) stays compiled for each game and is
//! reached through [`Engine`], with one virtual call a job.

mod typed;

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::base::value::Value;
use crate::draw::{BoardSquare, Diagram, Point, Slide, Tone};
use crate::game::{
    Arrangement, Board, Drawable, Encoded, Feature, FeatureValue, Features, Game, Layer,
    ListedMove, MostMoves, MoveEffect, MoveKind, Moves, Next, NotationError, PaletteItem, Pattern,
    Placed, Playable, Ranked, Repetition, Retrograde, RuleInWords, Seen, SizeError, Slot, Standing,
    Symmetric, TableGame,
};

pub(super) use typed::{Engine, Typed};

/// A state of an [`ErasedGame`].
#[derive(Clone)]
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

impl Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A move of an [`ErasedGame`]: a number that the game gave it when it was first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AnyMove(u32);

/// A game of two players, whatever it is.
#[derive(Clone)]
pub(super) struct ErasedGame {
    game: Arc<dyn Engine>,
}

impl ErasedGame {
    pub(super) fn new<G: TableGame>(game: Arc<Typed<G>>) -> Self {
        Self { game }
    }

    /// The work that is compiled for the game itself.
    pub(super) fn engine(&self) -> &dyn Engine {
        &*self.game
    }
}

impl Debug for ErasedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErasedGame").field(&self.spec()).finish()
    }
}

/// Hands methods on to the field `game`, or another one, or to what a method gives, which have the
/// same ones.
macro_rules! hand_on {
    (to $field:ident: $($name:ident($($argument:ident: $of:ty),*) -> $result:ty;)+) => {
        $(fn $name(&self, $($argument: $of),*) -> $result {
            self.$field.$name($($argument),*)
        })+
    };
    (to $method:ident(): $($name:ident($($argument:ident: $of:ty),*) -> $result:ty;)+) => {
        $(fn $name(&self, $($argument: $of),*) -> $result {
            self.$method().$name($($argument),*)
        })+
    };
    ($($all:tt)+) => {
        hand_on! { to game: $($all)+ }
    };
}

pub(in crate::session) use hand_on;

impl Game for ErasedGame {
    type State = AnyState;
    type Move = AnyMove;

    hand_on! {
        spec() -> String;
        family() -> String;
        initial() -> AnyState;
        format_state(state: &AnyState) -> String;
        parse_state(text: &str) -> Result<AnyState, NotationError>;
        other_notations(state: &AnyState) -> Vec<(&'static str, String)>;
        format_move(mv: AnyMove) -> String;
        parse_move(text: &str) -> Result<AnyMove, NotationError>;
        side_to_move(state: &AnyState) -> &'static str;
        rules_in_words() -> Vec<RuleInWords>;
        is_solitaire() -> bool;
    }
}

impl Moves for ErasedGame {
    hand_on! {
        moves(state: &AnyState) -> Vec<AnyMove>;
        play(state: &AnyState, mv: AnyMove) -> Next<AnyState>;
        through_move(value: Value) -> Option<Value>;
        encoded() -> Option<&dyn Encoded<State = AnyState, Move = AnyMove>>;
        san(state: &AnyState, mv: AnyMove) -> Option<String>;
        wins_by_mate() -> bool;
        plies_after_mate() -> Option<u16>;
        mate(state: &AnyState) -> Option<u16>;
        is_mated(state: &AnyState, plies: u16) -> bool;
        kinds() -> &'static [MoveKind];
        kinds_of(state: &AnyState, mv: AnyMove) -> u32;
    }
}

impl Symmetric for ErasedGame {
    hand_on! {
        canonical(state: &AnyState) -> AnyState;
        symmetries_kept(state: &AnyState) -> u32;
        canonical_line(line: &[AnyMove]) -> Vec<AnyMove>;
    }
}

impl Features for ErasedGame {
    hand_on! {
        features() -> Vec<Feature>;
        measure(state: &AnyState, wanted: &[usize], values: &mut Vec<FeatureValue>) -> ();
        features_of_layers() -> Vec<usize>;
    }
}

impl Drawable for ErasedGame {
    hand_on! {
        check_picture() -> Result<(), SizeError>;
        diagram(state: &AnyState) -> Diagram;
        with_move(diagram: Diagram, state: &AnyState, mv: AnyMove) -> Diagram;
        with_past(diagram: Diagram, written: &str, moves: &[AnyMove]) -> Diagram;
        slides(state: &AnyState, mv: AnyMove) -> Vec<Slide>;
    }
}

impl Playable for ErasedGame {
    hand_on! {
        board() -> Board;
        size() -> (u8, u8);
        standing(state: &AnyState) -> Vec<Standing>;
        square(cell: BoardSquare) -> u8;
        name_of(square: u8) -> String;
        placed_words(thing: &Standing) -> String;
        side_tone(state: &AnyState) -> Tone;
        side_of(state: &AnyState, thing: &Standing) -> Option<bool>;
        aim(state: &AnyState, mv: AnyMove) -> (BoardSquare, Point);
        appearing(state: &AnyState, mv: AnyMove) -> Vec<Standing>;
        palette() -> Vec<PaletteItem>;
        arranged(things: &Arrangement, second: bool) -> String;
        with_pieces(state: &AnyState, pieces: &[Standing]) -> Option<AnyState>;
        things(state: &AnyState) -> Vec<(u8, String)>;
        pieces_of(state: &AnyState) -> (Vec<u8>, Vec<u8>);
        without(state: &AnyState, square: u8) -> Option<AnyState>;
        neighbours(state: &AnyState) -> Vec<(u8, u8, AnyState)>;
        move_effect(state: &AnyState, mv: AnyMove) -> MoveEffect;
        passed(state: &AnyState) -> Option<Next<AnyState>>;
        parse_pattern(text: &str) -> Result<Pattern, NotationError>;
        fit(pattern: &Pattern, state: &AnyState) -> Option<AnyState>;
    }
}

impl Ranked for ErasedGame {
    hand_on! {
        slots() -> u64;
        children(state: &AnyState) -> Vec<(AnyMove, Next<Slot>)>;
        rank(state: &AnyState) -> u64;
        unrank(index: u64) -> Option<AnyState>;
        check_size() -> Result<(), SizeError>;
        layers() -> &[Layer];
        groups() -> usize;
        group_slots(group: usize) -> Range<u64>;
        group_name(group: usize) -> String;
        most_moves() -> MostMoves;
        static_value(layer: usize) -> i8;
        repetition() -> Repetition;
        forbidden(state: &AnyState) -> Option<AnyMove>;
        named_ban(position: &AnyState, mv: AnyMove) -> AnyMove;
        unrestricted(state: &AnyState) -> AnyState;
        slot(state: &AnyState) -> Slot;
        forbid(state: &AnyState, number: u8) -> Option<AnyState>;
    }

    fn with_repetition(&self, repetition: Repetition) -> Option<Self> {
        let game = self.game.reading(repetition)?;
        Some(Self { game })
    }
}

/// By slot, for work on single positions. A cursor is a slot, and where a move leads is placed
/// at once.
impl Retrograde for ErasedGame {
    type Cursor = u64;
    type Unplaced = Placed;

    hand_on! {
        look_ahead(seen: &mut Seen, slot: u64, depth: u8, bounds: (i8, i8)) -> i8;
        predecessors(state: &AnyState) -> Vec<(AnyState, AnyMove)>;
        is_symmetric(slot: u64) -> bool;
        least_image_of_move(slot: u64, number: u8) -> (u8, bool);
        forbids(slot: u64, forbidden: u8, number: u8) -> bool;
        may_return_turned(slot: u64) -> bool;
        criterion() -> &'static str;
        classes() -> Vec<String>;
        class(slot: u64) -> usize;
        stretch(layer: &Layer, class: usize) -> Range<u64>;
    }

    fn cursor(&self, index: u64) -> Option<u64> {
        self.game.holds(index).then_some(index)
    }

    fn place(&self, placed: Placed) -> Placed {
        placed
    }

    fn moves_by_slot(&self, slot: u64, kinds: u32, mut visit: impl FnMut(ListedMove<Placed>)) {
        self.game.visit_moves(slot, kinds, &mut visit);
    }

    fn unmoves(&self, slot: u64, mut visit: impl FnMut(Placed)) {
        self.game
            .visit_unmoves(slot, &mut |before, _| visit(before));
    }

    fn unmoves_with_undo(&self, slot: u64, mut visit: impl FnMut(Placed, Option<u8>)) {
        self.game.visit_unmoves(slot, &mut visit);
    }

    fn edges_with_undo(&self, slot: u64, mut visit: impl FnMut(u8, Placed, bool)) {
        self.game.visit_edges(slot, &mut visit);
    }

    fn arrivals(&self, slot: u64, mut visit: impl FnMut(Option<u8>)) {
        self.game.visit_arrivals(slot, &mut visit);
    }
}
