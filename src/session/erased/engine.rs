//! The work on all positions of a game, compiled for each game and asked for without its type.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::typed::Typed;
use super::{AnyMove, AnyState};
use crate::analysis::lures::{Chances, DrawnGraph, LureError, Lures};
use crate::analysis::{TableMove, table_moves};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Wide};
use crate::game::{
    Drawable, Features, Game, Layer, Leads, ListedMove, Placed, Playable, Ranked, Repetition, Seen,
    Symmetric, TableGame,
};
use crate::mine::{
    Catalogue, Measured, MineError, Reachable, Scan, Scope, Solved, Task, Wanted, Way,
    measure_slots, scan,
};
use crate::session::table_files::{Claimed, ResumableSolve};
use crate::session::{SessionError, WrittenTable};
use crate::solve::{
    PathError, Reach, ReachError, Rule, reach, reach_working_set, shortest_path, working_set,
};
use crate::table::{
    Difference, InMemoryError, Statistics, Table, TableError, Verified, difference,
    solve_in_memory, statistics, verify,
};

/// Declares [`Engine`], and implements it for the only type that has it, from one list of methods.
macro_rules! engine {
    ($(
        $(#[$meaning:meta])*
        fn $name:ident(&$typed:ident $(, $argument:ident: $of:ty)* $(,)?) $(-> $result:ty)? $body:block
    )+) => {
        /// What is asked of a whole game, and of single slots. Shapes and errors are those of the
        /// functions of the same names in other rooms.
        pub(in crate::session) trait Engine:
            Game<State = AnyState, Move = AnyMove>
            + Ranked
            + Features
            + Drawable
            + Playable
            + Symmetric
        {
            $($(#[$meaning])* fn $name(&self $(, $argument: $of)*) $(-> $result)?;)+
        }

        impl<G: TableGame> Engine for Typed<G> {
            $(fn $name(&$typed $(, $argument: $of)*) $(-> $result)? $body)+
        }
    };
}

engine! {
    fn look_ahead(&self, seen: &mut Seen, slot: u64, depth: u8, bounds: (i8, i8)) -> i8 {
        self.game.look_ahead(seen, slot, depth, bounds)
    }

    fn criterion(&self) -> &'static str {
        self.game.criterion()
    }

    fn classes(&self) -> Vec<String> {
        self.game.classes()
    }

    fn stretch(&self, layer: &Layer, class: usize) -> Range<u64> {
        self.game.stretch(layer, class)
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
                leads: match listed.leads {
                    Leads::Over(outcome) => Leads::Over(outcome),
                    Leads::To { child, undo } => Leads::To {
                        child: game.place(child),
                        undo,
                    },
                },
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
        game.unmoves_with_undo(self.at(slot), |before, undo| {
            visit(game.place(before), undo);
        });
    }

    fn visit_arrivals(&self, slot: u64, visit: &mut dyn FnMut(Option<u8>)) {
        self.game.arrivals(self.at(slot), visit);
    }

    fn predecessors(&self, state: &AnyState) -> Vec<(AnyState, AnyMove)> {
        let before = self.game.predecessors(Self::of(state)).into_iter();
        before
            .map(|(state, mv)| (Self::state(state), self.mv(mv)))
            .collect()
    }

    fn is_symmetric(&self, slot: u64) -> bool {
        self.game.is_symmetric(self.at(slot))
    }

    fn least_image_of_move(&self, slot: u64, number: u8) -> (u8, bool) {
        self.game.least_image_of_move(self.at(slot), number)
    }

    fn forbids(&self, slot: u64, forbidden: u8, number: u8) -> bool {
        self.game.forbids(self.at(slot), forbidden, number)
    }

    fn may_return_turned(&self, slot: u64) -> bool {
        self.game.may_return_turned(self.at(slot))
    }

    fn class(&self, slot: u64) -> usize {
        self.game.class(self.at(slot))
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
        run: &ResumableSolve,
        claimed: &Claimed,
        progress: &dyn Progress,
    ) -> Result<WrittenTable, SessionError> {
        run.run(&self.game, claimed, progress)
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

    fn reach_working_set(&self) -> u64 {
        reach_working_set(&self.game)
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
        let scans = scan(&self.game, source, tasks, scope, way, progress)?;
        Ok(Self::scans(scans))
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
            let states = measured.states.into_iter();
            visit(Measured {
                span: measured.span,
                slots: measured.slots,
                states: states.map(Self::state).collect(),
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

    fn drawn_graph(&self, table: &Table, progress: &dyn Progress) -> Result<DrawnGraph, LureError> {
        DrawnGraph::new(&self.game, table, progress)
    }

    fn chances(
        &self,
        graph: &DrawnGraph,
        depths: RangeInclusive<u8>,
        moves: u8,
        followed: Option<u32>,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Chances) -> bool,
    ) -> Result<(), LureError> {
        Chances::each(&self.game, graph, depths, moves, followed, progress, visit)
    }

    fn lures(
        &self,
        table: &Table,
        depths: &[u8],
        moves: u8,
        progress: &dyn Progress,
    ) -> Result<Vec<Lures>, LureError> {
        Lures::find(&self.game, table, depths, moves, progress)
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

    fn scans(scans: Vec<Scan<G::State>>) -> Vec<Scan<AnyState>> {
        let scans = scans.into_iter();
        scans.map(|scan| scan.map(Self::state)).collect()
    }
}
