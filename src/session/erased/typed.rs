//! A game under the types of [`ErasedGame`](super::ErasedGame), and the work on all of its
//! positions, which is compiled for each game and asked for without its type.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::FixedState;
use indexmap::IndexSet;

use super::{AnyMove, AnyState, ErasedGame};
use crate::analysis::lures::{DrawnGraph, LureError, Lures};
use crate::analysis::{TableMove, table_moves};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Value, Wide};
use crate::draw::{BoardSquare, Diagram, Point, Slide, Tone};
use crate::formula::AnswerKind;
use crate::game::{
    Arrangement, Board, Drawable, Feature, FeatureValue, Features, Game, Layer, ListedMove,
    MostMoves, MoveEffect, MoveKind, Moves, Next, NotationError, PaletteItem, Pattern, Placed,
    Playable, Ranked, Repetition, RuleInWords, Seen, SizeError, Slot, Standing, Symmetric,
    TableGame, hand_on,
};
use crate::mine::{
    Catalogue, Measured, MineError, Reachable, Scan, Scope, Solved, Task, Wanted, Way,
    measure_slots, scan,
};
use crate::session::programs::of_two_players;
use crate::session::table_files::Claimed;
use crate::session::{Questions, SessionError, SolveOptions, WrittenTable};
use crate::solve::{PathError, Reach, ReachError, Rule, reach, shortest_path, working_set};
use crate::table::{
    Difference, InMemoryError, Statistics, Table, TableError, Verified, difference,
    solve_in_memory, statistics, verify,
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

/// Implements a trait for [`Typed`] and, by asking that, for [`ErasedGame`], from one list of
/// methods: what the game answers itself; what it answers about a state and, where one is named, a
/// move; and the rest, as a `Typed` game answers it. Methods of `ErasedGame` alone come last.
macro_rules! erased {
    (
        $trait:ident $(($($type:tt)+))?:
        $(game { $($plain:ident($($given:ident: $given_of:ty),*) -> $plain_result:ty;)+ })?
        $(state { $($asked:ident($($mv:ident)?) -> $asked_result:ty;)+ })?
        $(fn $name:ident(&$typed:ident $(, $argument:ident: $of:ty)*) $(-> $result:ty)? $body:block)*
        $(erased { $($own:tt)+ })?
    ) => {
        impl<G: TableGame> $trait for Typed<G> {
            $($($type)+)?
            $(hand_on! { $(fn $plain(&self $(, $given: $given_of)*) -> $plain_result;)+ })?
            $($(fn $asked(&self, state: &AnyState, $($mv: AnyMove)?) -> $asked_result {
                self.game.$asked(Self::of(state), $(self.of_move($mv))?)
            })+)?
            $(fn $name(&$typed $(, $argument: $of)*) $(-> $result)? $body)*
        }

        impl $trait for ErasedGame {
            $($($type)+)?
            $(hand_on! { to engine:
                $(fn $plain(&self $(, $given: $given_of)*) -> $plain_result;)+
            })?
            $($(fn $asked(&self, state: &AnyState, $($mv: AnyMove)?) -> $asked_result {
                self.engine.$asked(state, $($mv)?)
            })+)?
            $(fn $name(&self $(, $argument: $of)*) $(-> $result)? {
                self.engine.$name($($argument),*)
            })*
            $($($own)+)?
        }
    };
}

erased! { Game (type State = AnyState; type Move = AnyMove;):
    game {
        spec() -> String;
        family() -> String;
        title() -> String;
        rules_in_words() -> Vec<RuleInWords>;
        is_solitaire() -> bool;
        has_beginning() -> bool;
    }

    state {
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

erased! { Moves:
    game {
        through_move(value: Value) -> Option<Value>;
        wins_by_mate() -> bool;
        plies_after_mate() -> Option<u16>;
        kinds() -> &'static [MoveKind];
    }

    state {
        san(mv) -> Option<String>;
        usi(mv) -> Option<String>;
        mate() -> Option<u16>;
        kinds_of(mv) -> u32;
    }

    fn moves(&self, state: &AnyState) -> Vec<AnyMove> {
        self.numbered_moves(self.game.moves(Self::of(state)).into_iter())
    }

    fn play(&self, state: &AnyState, mv: AnyMove) -> Next<AnyState> {
        let next = self.game.play(Self::of(state), self.of_move(mv));
        next.map(Self::state)
    }

    fn is_mated(&self, state: &AnyState, plies: u16) -> bool {
        self.game.is_mated(Self::of(state), plies)
    }
}

erased! { Symmetric:
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

erased! { Features:
    game {
        features() -> Vec<Feature>;
        features_of_layers() -> Vec<usize>;
    }

    fn measure(&self, state: &AnyState, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        self.game.measure(Self::of(state), wanted, values);
    }
}

erased! { Drawable:
    game {
        check_picture() -> Result<(), SizeError>;
    }

    state {
        diagram() -> Diagram;
        slides(mv) -> Vec<Slide>;
    }

    fn parse_drawn(&self, text: &str) -> Result<AnyState, NotationError> {
        self.game.parse_drawn(text).map(Self::state)
    }

    fn with_move(&self, diagram: Diagram, state: &AnyState, mv: AnyMove) -> Diagram {
        self.game.with_move(diagram, Self::of(state), self.of_move(mv))
    }

    fn with_past(&self, diagram: Diagram, written: &str, moves: &[AnyMove]) -> Diagram {
        self.game.with_past(diagram, written, &self.of_moves(moves))
    }
}

erased! { Playable:
    game {
        board() -> Board;
        size() -> (u8, u8);
        square(cell: BoardSquare) -> u8;
        name_of(square: u8) -> String;
        placed_words(thing: &Standing) -> String;
        palette() -> Vec<PaletteItem>;
        arranged(things: &Arrangement, second: bool) -> String;
        parse_pattern(text: &str) -> Result<Pattern, NotationError>;
    }

    state {
        standing() -> Vec<Standing>;
        side_tone() -> Tone;
        aim(mv) -> (BoardSquare, Point);
        appearing(mv) -> Vec<Standing>;
        things() -> Vec<(u8, String)>;
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
        self.game.without(Self::of(state), square).map(Self::state)
    }

    fn neighbours(&self, state: &AnyState) -> Vec<(u8, u8, AnyState)> {
        let near = self.game.neighbours(Self::of(state)).into_iter();
        near.map(|(from, to, state)| (from, to, Self::state(state)))
            .collect()
    }

    fn passed(&self, state: &AnyState) -> Option<Next<AnyState>> {
        let passed = self.game.passed(Self::of(state));
        passed.map(|next| next.map(Self::state))
    }

    fn fit(&self, pattern: &Pattern, state: &AnyState) -> Option<AnyState> {
        self.game.fit(pattern, Self::of(state)).map(Self::state)
    }
}

erased! { Ranked:
    game {
        slots() -> u64;
        positions() -> u64;
        check_size() -> Result<(), SizeError>;
        most_moves() -> MostMoves;
        layers() -> &[Layer];
        groups() -> usize;
        group_slots(group: usize) -> Range<u64>;
        group_name(group: usize) -> String;
        static_value(layer: usize) -> i8;
        repetition() -> Repetition;
    }

    state {
        rank() -> u64;
        slot() -> Slot;
    }

    fn children(&self, state: &AnyState) -> Vec<(AnyMove, Next<Slot>)> {
        let children = self.game.children(Self::of(state));
        let moves = self.numbered_moves(children.iter().map(|(mv, _)| *mv));
        let moves = moves.into_iter().zip(children);
        moves.map(|(mv, (_, next))| (mv, next)).collect()
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
        self.game.forbid(Self::of(state), number).map(Self::state)
    }

    erased {
        fn with_repetition(&self, repetition: Repetition) -> Option<Self> {
            let engine = self.engine.reading(repetition)?;
            Some(Self { engine })
        }
    }
}

/// Declares [`Engine`], and implements it for the only type that has it, from one list of methods:
/// what the game answers itself, what it answers about a slot, and the rest.
macro_rules! engine {
    (
        game { $($plain:ident($($given:ident: $given_of:ty),*) -> $plain_result:ty;)+ }
        slot { $($asked:ident($($with:ident: $with_of:ty),*) -> $asked_result:ty;)+ }
        $(
            $(#[$meaning:meta])*
            fn $name:ident(&$typed:ident $(, $argument:ident: $of:ty)* $(,)?) $(-> $result:ty)? $body:block
        )+
    ) => {
        /// What is asked of a whole game, and of single slots. Shapes and errors are those of the
        /// functions of the same names in other modules.
        pub(in crate::session) trait Engine:
            Game<State = AnyState, Move = AnyMove>
            + Ranked
            + Features
            + Drawable
            + Playable
            + Symmetric
        {
            $(fn $plain(&self, $($given: $given_of),*) -> $plain_result;)+
            $(fn $asked(&self, slot: u64, $($with: $with_of),*) -> $asked_result;)+
            $($(#[$meaning])* fn $name(&self $(, $argument: $of)*) $(-> $result)?;)+
        }

        impl<G: TableGame> Engine for Typed<G> {
            hand_on! { $(fn $plain(&self $(, $given: $given_of)*) -> $plain_result;)+ }
            $(fn $asked(&self, slot: u64, $($with: $with_of),*) -> $asked_result {
                self.game.$asked(self.at(slot), $($with),*)
            })+
            $(fn $name(&$typed $(, $argument: $of)*) $(-> $result)? $body)+
        }
    };
}

engine! {
    game {
        look_ahead(seen: &mut Seen, slot: u64, depth: u8, bounds: (i8, i8)) -> i8;
        criterion() -> &'static str;
        classes() -> Vec<String>;
        stretch(layer: &Layer, class: usize) -> Range<u64>;
    }

    slot {
        is_symmetric() -> bool;
        least_image_of_move(number: u8) -> (u8, bool);
        forbids(forbidden: u8, number: u8) -> bool;
        may_return_turned() -> bool;
        class() -> usize;
    }

    /// The game under another reading of its repetition rule.
    fn reading(&self, repetition: Repetition) -> Option<Arc<dyn Engine>> {
        let game = self.game.with_repetition(repetition)?;
        Some(Arc::new(Self::new(game)))
    }

    fn holds(&self, slot: u64) -> bool {
        self.game.cursor(slot).is_some()
    }

    fn visit_moves(&self, slot: u64, kinds: u32, visit: &mut dyn FnMut(ListedMove<Placed>)) {
        let game = &self.game;
        game.moves_by_slot(self.at(slot), kinds, |listed| {
            visit(ListedMove {
                number: listed.number,
                kinds: listed.kinds,
                within: listed.within,
                leads: listed
                    .leads
                    .map(|(child, undo)| (game.place(child), undo)),
            });
        });
    }

    fn visit_edges(&self, slot: u64, visit: &mut dyn FnMut(u8, Placed, bool)) {
        let game = &self.game;
        game.edges_with_undo(self.at(slot), |number, next, undo| {
            visit(number, game.place(next), undo);
        });
    }

    fn visit_unmoves(&self, slot: u64, visit: &mut dyn FnMut(Placed, Option<u8>)) {
        let game = &self.game;
        game.legal_unmoves(self.at(slot), |before, undo| {
            visit(game.place(before), undo);
        });
    }

    fn visit_arrivals(&self, slot: u64, visit: &mut dyn FnMut(Option<u8>)) {
        self.game.arrivals(self.at(slot), visit);
    }

    fn predecessors(&self, state: &AnyState) -> Vec<(AnyState, AnyMove)> {
        let before = self.game.predecessors(Self::of(state)).into_iter();
        let before = before.map(|(state, mv)| (Self::state(state), self.mv(mv)));
        before.collect()
    }

    /// Bytes that solving or verifying takes, with values of `value_bytes` bytes.
    fn working_set(&self, value_bytes: u8) -> u64 {
        match value_bytes {
            1 => working_set::<_, Narrow>(&self.game),
            _ => working_set::<_, Wide>(&self.game),
        }
    }

    fn solve_in_memory(&self, progress: &dyn Progress) -> Result<Table, InMemoryError> {
        solve_in_memory(&self.game, progress)
    }

    fn solve(
        &self,
        options: &SolveOptions,
        claimed: &Claimed,
        progress: &dyn Progress,
    ) -> Result<WrittenTable, SessionError> {
        options.run(&self.game, claimed, progress)
    }

    fn verify(&self, table: &Table, progress: &dyn Progress) -> Result<Verified, TableError> {
        verify(table, &self.game, progress)
    }

    fn statistics(&self, table: &Table, progress: &dyn Progress) -> Result<Statistics, TableError> {
        statistics(table, &self.game, progress)
    }

    fn difference(
        &self,
        table: &Table,
        reading: Repetition,
        other: &Table,
        progress: &dyn Progress,
    ) -> Result<Difference, TableError> {
        let there = self.game.with_repetition(reading);
        let there = there.unwrap_or_else(|| unreachable!("the game has said that it has readings"));
        difference(table, &self.game, other, &there, progress)
    }

    fn reach(&self, rule: Rule, progress: &dyn Progress) -> Result<Reach, ReachError> {
        reach(&self.game, rule, progress)
    }

    fn path(
        &self,
        from: &AnyState,
        to: &AnyState,
        most: u16,
        most_positions: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<AnyMove>, PathError> {
        let (from, to) = (Self::of(from), Self::of(to));
        let moves = shortest_path(&self.game, from, to, most, most_positions, progress)?;
        Ok(self.numbered_moves(moves.into_iter()))
    }

    fn reachable(&self, progress: &dyn Progress) -> Result<Reachable, MineError> {
        Reachable::new(&self.game, progress)
    }

    fn scan(
        &self,
        source: &Solved<'_>,
        tasks: &[Task<'_>],
        scope: &Scope,
        way: Way,
        progress: &dyn Progress,
    ) -> Result<Vec<Scan<AnyState>>, MineError> {
        let scans = scan(&self.game, source, tasks, scope, way, progress)?.into_iter();
        Ok(scans.map(|scan| scan.map(Self::state)).collect())
    }

    fn measure_slots(
        &self,
        source: &Solved<'_>,
        catalogue: &Catalogue,
        wanted: Wanted<'_>,
        slots: &Range<u64>,
        visit: &mut dyn FnMut(Measured<AnyState>) -> Result<(), SessionError>,
    ) -> Result<(), SessionError> {
        measure_slots(&self.game, source, catalogue, wanted, slots, |measured| {
            visit(Measured {
                span: measured.span,
                slots: measured.slots,
                states: measured.states.into_iter().map(Self::state).collect(),
                columns: measured.columns,
            })
        })
    }

    fn table_moves(
        &self,
        table: &Table,
        state: &AnyState,
    ) -> Result<Vec<TableMove<AnyMove>>, TableError> {
        let moves = table_moves(&self.game, table, Self::of(state))?.into_iter();
        let moves = moves.map(|found| TableMove {
            mv: self.mv(found.mv),
            kinds: found.kinds,
            value: found.value,
            child: found.child,
        });
        Ok(moves.collect())
    }

    fn has_programs(&self) -> bool {
        self.game.encoded().is_some()
    }

    /// What programs are asked that play; `None` if the game has none.
    fn questions(
        &self,
        table: &Table,
        shortest: bool,
        kind: AnswerKind,
    ) -> Option<Result<Questions, SessionError>> {
        let numbers = self.game.encoded()?;
        Some(of_two_players(&self.game, numbers, table, shortest, kind))
    }

    fn drawn_graph(&self, table: &Table, progress: &dyn Progress) -> Result<DrawnGraph, LureError> {
        DrawnGraph::new(&self.game, table, progress)
    }

    fn chances(
        &self,
        graph: &Arc<DrawnGraph>,
        depths: &[u8],
        moves: u8,
        followed: Option<u32>,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Lures) -> Result<(), SessionError>,
    ) -> Result<(), SessionError> {
        Lures::each(&self.game, graph, depths, moves, followed, progress, visit)
    }

    fn find_lures(
        &self,
        source: &Solved<'_>,
        depths: &[u8],
        progress: &dyn Progress,
    ) -> Result<(), LureError> {
        source.find_lures(&self.game, depths, progress)
    }
}

impl<G: TableGame> Typed<G> {
    /// The cursor of a slot that a cursor was given out for.
    fn at(&self, slot: u64) -> G::Cursor {
        let cursor = self.game.cursor(slot);
        cursor.unwrap_or_else(|| unreachable!("slot {slot} was said to hold a position"))
    }
}
