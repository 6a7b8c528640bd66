//! A game under the types of [`ErasedGame`](super::ErasedGame).

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::FixedState;
use indexmap::IndexSet;

use super::{AnyMove, AnyState, hand_on};
use crate::base::value::Value;
use crate::draw::{BoardSquare, Diagram, Point, Slide, Tone};
use crate::game::{
    Arrangement, Board, Digit, Drawable, Encoded, Feature, FeatureValue, Features, Game, Helper,
    Language, Layer, MostMoves, MoveEffect, MoveKind, Moves, Next, NotationError, PaletteItem,
    Pattern, Playable, Ranked, Repetition, RuleInWords, SizeError, Slot, Standing, Symmetric,
    TableGame,
};

/// A game, and the moves that were seen so far.
pub(in crate::session) struct Typed<G: Game> {
    pub game: G,
    moves: RwLock<IndexSet<G::Move, FixedState>>,
}

impl<G: Game<State: 'static>> Typed<G> {
    pub(crate) fn new(game: G) -> Self {
        Self {
            game,
            moves: RwLock::default(),
        }
    }

    /// The state as the game has it.
    pub(crate) fn of(state: &AnyState) -> &G::State {
        let state: &dyn Any = &*state.0;
        let state = state.downcast_ref();
        state.unwrap_or_else(|| unreachable!("states are asked of the game that made them"))
    }

    pub(crate) fn state(state: G::State) -> AnyState {
        AnyState(Arc::new(state))
    }

    fn next(next: Next<G::State>) -> Next<AnyState> {
        match next {
            Next::State(next) => Next::State(Self::state(next)),
            Next::Over(outcome) => Next::Over(outcome),
        }
    }

    pub(crate) fn of_move(&self, mv: AnyMove) -> G::Move {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let found = moves.get_index(mv.0 as usize).copied();
        found.unwrap_or_else(|| unreachable!("moves are asked of the game that made them"))
    }

    pub(crate) fn mv(&self, mv: G::Move) -> AnyMove {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let number = known.get_index_of(&mv);
        drop(known);
        let number = number.unwrap_or_else(|| {
            let mut moves = self.moves.write().unwrap_or_else(PoisonError::into_inner);
            moves.insert_full(mv).0
        });
        AnyMove(u32::try_from(number).expect("a game has fewer than 2^32 different moves"))
    }

    pub(crate) fn numbered_moves(
        &self,
        moves: impl ExactSizeIterator<Item = G::Move>,
    ) -> Vec<AnyMove> {
        let mut numbers = Vec::with_capacity(moves.len());
        let mut known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        for mv in moves {
            let number = known.get_index_of(&mv);
            if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
                numbers.push(AnyMove(number));
                continue;
            }
            drop(known);
            numbers.push(self.mv(mv));
            known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        }
        numbers
    }

    pub(crate) fn of_moves(&self, moves: &[AnyMove]) -> Vec<G::Move> {
        moves.iter().map(|&mv| self.of_move(mv)).collect()
    }
}

/// Asks the game about a state and, where one is named, a move, as the game has them.
macro_rules! of_state {
    ($($name:ident($($mv:ident)?) -> $result:ty;)+) => {
        $(fn $name(&self, state: &AnyState, $($mv: AnyMove)?) -> $result {
            self.game.$name(Self::of(state), $(self.of_move($mv))?)
        })+
    };
}

impl<G: TableGame> Game for Typed<G> {
    type State = AnyState;
    type Move = AnyMove;

    hand_on! {
        spec() -> String;
        family() -> String;
        rules_in_words() -> Vec<RuleInWords>;
        is_solitaire() -> bool;
    }

    of_state! {
        format_state() -> String;
        other_notations() -> Vec<(&'static str, String)>;
        side_to_move() -> &'static str;
    }

    fn initial(&self) -> AnyState {
        Self::state(self.game.initial())
    }

    fn parse_state(&self, text: &str) -> Result<AnyState, NotationError> {
        self.game.parse_state(text).map(Self::state)
    }

    fn format_move(&self, mv: AnyMove) -> String {
        self.game.format_move(self.of_move(mv))
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, NotationError> {
        self.game.parse_move(text).map(|mv| self.mv(mv))
    }
}

impl<G: TableGame> Moves for Typed<G> {
    hand_on! {
        through_move(value: Value) -> Option<Value>;
        wins_by_mate() -> bool;
        plies_after_mate() -> Option<u16>;
        kinds() -> &'static [MoveKind];
    }

    of_state! {
        san(mv) -> Option<String>;
        mate() -> Option<u16>;
        kinds_of(mv) -> u32;
    }

    fn moves(&self, state: &AnyState) -> Vec<AnyMove> {
        self.numbered_moves(self.game.moves(Self::of(state)).into_iter())
    }

    fn play(&self, state: &AnyState, mv: AnyMove) -> Next<AnyState> {
        Self::next(self.game.play(Self::of(state), self.of_move(mv)))
    }

    fn encoded(&self) -> Option<&dyn Encoded<State = AnyState, Move = AnyMove>> {
        self.game.encoded().map(|_| self as _)
    }

    fn is_mated(&self, state: &AnyState, plies: u16) -> bool {
        self.game.is_mated(Self::of(state), plies)
    }
}

impl<G: TableGame> Symmetric for Typed<G> {
    fn canonical(&self, state: &AnyState) -> AnyState {
        Self::state(self.game.canonical(Self::of(state)))
    }

    fn symmetries_kept(&self, state: &AnyState) -> u32 {
        self.game.symmetries_kept(Self::of(state))
    }

    fn canonical_line(&self, line: &[AnyMove]) -> Vec<AnyMove> {
        self.numbered_moves(self.game.canonical_line(&self.of_moves(line)).into_iter())
    }
}

impl<G: TableGame> Features for Typed<G> {
    hand_on! {
        features() -> Vec<Feature>;
        features_of_layers() -> Vec<usize>;
    }

    fn measure(&self, state: &AnyState, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        self.game.measure(Self::of(state), wanted, values);
    }
}

impl<G: TableGame> Drawable for Typed<G> {
    hand_on! {
        check_picture() -> Result<(), SizeError>;
    }

    of_state! {
        diagram() -> Diagram;
        slides(mv) -> Vec<Slide>;
    }

    fn with_move(&self, diagram: Diagram, state: &AnyState, mv: AnyMove) -> Diagram {
        let mv = self.of_move(mv);
        self.game.with_move(diagram, Self::of(state), mv)
    }

    fn with_past(&self, diagram: Diagram, written: &str, moves: &[AnyMove]) -> Diagram {
        self.game.with_past(diagram, written, &self.of_moves(moves))
    }
}

impl<G: TableGame> Playable for Typed<G> {
    hand_on! {
        board() -> Board;
        size() -> (u8, u8);
        square(cell: BoardSquare) -> u8;
        name_of(square: u8) -> String;
        placed_words(thing: &Standing) -> String;
        palette() -> Vec<PaletteItem>;
        arranged(things: &Arrangement, second: bool) -> String;
        parse_pattern(text: &str) -> Result<Pattern, NotationError>;
    }

    of_state! {
        standing() -> Vec<Standing>;
        side_tone() -> Tone;
        aim(mv) -> (BoardSquare, Point);
        appearing(mv) -> Vec<Standing>;
        things() -> Vec<(u8, String)>;
        pieces_of() -> (Vec<u8>, Vec<u8>);
        move_effect(mv) -> MoveEffect;
    }

    fn side_of(&self, state: &AnyState, thing: &Standing) -> Option<bool> {
        self.game.side_of(Self::of(state), thing)
    }

    fn with_pieces(&self, state: &AnyState, pieces: &[Standing]) -> Option<AnyState> {
        let changed = self.game.with_pieces(Self::of(state), pieces);
        changed.map(Self::state)
    }

    fn without(&self, state: &AnyState, square: u8) -> Option<AnyState> {
        let changed = self.game.without(Self::of(state), square);
        changed.map(Self::state)
    }

    fn neighbours(&self, state: &AnyState) -> Vec<(u8, u8, AnyState)> {
        let near = self.game.neighbours(Self::of(state)).into_iter();
        near.map(|(from, to, state)| (from, to, Self::state(state)))
            .collect()
    }

    fn passed(&self, state: &AnyState) -> Option<Next<AnyState>> {
        let passed = self.game.passed(Self::of(state));
        passed.map(Self::next)
    }

    fn fit(&self, pattern: &Pattern, state: &AnyState) -> Option<AnyState> {
        let found = self.game.fit(pattern, Self::of(state));
        found.map(Self::state)
    }
}

impl<G: TableGame> Ranked for Typed<G> {
    hand_on! {
        slots() -> u64;
        check_size() -> Result<(), SizeError>;
        most_moves() -> MostMoves;
        layers() -> &[Layer];
        groups() -> usize;
        group_slots(group: usize) -> Range<u64>;
        group_name(group: usize) -> String;
        static_value(layer: usize) -> i8;
        repetition() -> Repetition;
    }

    fn children(&self, state: &AnyState) -> Vec<(AnyMove, Next<Slot>)> {
        let children = self.game.children(Self::of(state));
        let moves = self.numbered_moves(children.iter().map(|(mv, _)| *mv));
        let moves = moves.into_iter().zip(children);
        moves.map(|(mv, (_, next))| (mv, next)).collect()
    }

    of_state! {
        rank() -> u64;
        slot() -> Slot;
    }

    fn unrank(&self, index: u64) -> Option<AnyState> {
        self.game.unrank(index).map(Self::state)
    }

    fn forbidden(&self, state: &AnyState) -> Option<AnyMove> {
        self.game.forbidden(Self::of(state)).map(|mv| self.mv(mv))
    }

    fn named_ban(&self, position: &AnyState, mv: AnyMove) -> AnyMove {
        self.mv(self.game.named_ban(Self::of(position), self.of_move(mv)))
    }

    fn unrestricted(&self, state: &AnyState) -> AnyState {
        Self::state(self.game.unrestricted(Self::of(state)))
    }

    fn forbid(&self, state: &AnyState, number: u8) -> Option<AnyState> {
        let state = self.game.forbid(Self::of(state), number);
        state.map(Self::state)
    }
}

impl<G: TableGame> Typed<G> {
    /// The numbering of a game that has one; nobody else is asked.
    fn numbers(&self) -> &dyn Encoded<State = G::State, Move = G::Move> {
        let numbers = self.game.encoded();
        numbers.unwrap_or_else(|| unreachable!("the game said that it has numbers"))
    }
}

impl<G: TableGame> Encoded for Typed<G> {
    fn questions(&self) -> Vec<AnyState> {
        let states = self.numbers().questions().into_iter();
        states.map(Self::state).collect()
    }

    hand_on! { to numbers():
        finished() -> Vec<u64>;
        digits() -> Vec<Digit>;
        answers() -> u8;
        meaning() -> [String; 2];
        helper(which: Helper, language: Language) -> Option<String>;
        kept() -> Option<u64>;
    }

    fn code(&self, state: &AnyState) -> u64 {
        self.numbers().code(Self::of(state))
    }

    fn answer(&self, mv: AnyMove) -> u8 {
        self.numbers().answer(self.of_move(mv))
    }

    fn code_after(&self, state: &AnyState, mv: AnyMove) -> u64 {
        let mv = self.of_move(mv);
        self.numbers().code_after(Self::of(state), mv)
    }

    fn forced(&self, state: &AnyState) -> Option<AnyMove> {
        let forced = self.numbers().forced(Self::of(state));
        forced.map(|mv| self.mv(mv))
    }

    fn place_kept(&self, state: &AnyState) -> Option<u64> {
        self.numbers().place_kept(Self::of(state))
    }
}
