//! Lures in single positions, by a table.

use std::sync::{Arc, PoisonError};

use super::TableSession;
use super::lure::share;
use crate::analysis::lures::{Against, DEEPEST, DrawnGraph, Lure, Lures, ONE};
use crate::analysis::{Length, Looker, write_tree};
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::game::TableGame;
use crate::mine::{Catalogue, Solved};
use crate::session::resources::check_memory;
use crate::session::{LURED_MOVES, LureWorth, PlyEvaluation, SessionError};
use crate::table::{Table, TableOracle};

/// A move that keeps a draw, with what it is worth as a lure.
type Lured<M> = (M, LureWorth);

impl<G: TableGame> TableSession<G> {
    /// Refuses to look for lures where memory is short.
    pub(super) fn check_lures(&self, memory: Option<u64>) -> Result<(), SessionError> {
        let job = format!("finding lures in {}", self.game.spec());
        check_memory(&job, DrawnGraph::working_set(&self.game), memory)
    }

    /// A table as the source of some columns.
    pub(super) fn source_for<'t>(
        &self,
        table: &'t Table,
        catalogue: &Catalogue,
        columns: &[usize],
        progress: &dyn Progress,
    ) -> Result<Solved<'t>, SessionError> {
        let source = Solved::new(table, &self.game)?;
        let depths = catalogue.depths_of(columns.iter().copied());
        if !depths.is_empty() {
            self.check_lures(None)?;
            source.find_lures(&self.game, &depths, &progress)?;
        }
        Ok(source)
    }

    /// What is known about lures against players who look some numbers of plies ahead, in rising
    /// order. It is kept until other depths are asked for.
    pub(super) fn lures_for(
        &self,
        depths: &[u8],
        progress: &dyn Progress,
    ) -> Result<Vec<Arc<Lures>>, SessionError> {
        for &depth in depths {
            check_depth("lure", depth)?;
        }
        // The lock is held meanwhile, so that the work is done once.
        let mut held = self.lures.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |held: &[Arc<Lures>]| {
            let of = |depth: &u8| held.iter().find(|it| it.depth() == *depth).cloned();
            depths.iter().map(of).collect::<Option<Vec<_>>>()
        };
        if let Some(known) = known(&held) {
            return Ok(known);
        }
        let table = self.table(progress)?;
        self.check_lures(None)?;
        let found = Lures::find(&self.game, &table, depths, LURED_MOVES, &progress)?;
        *held = found.into_iter().map(Arc::new).collect();
        Ok(held.clone())
    }

    /// [`lures_for`](Self::lures_for) one player.
    pub(super) fn lures_at(
        &self,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<Arc<Lures>, SessionError> {
        let mut found = self.lures_for(&[depth], progress)?;
        found.pop().ok_or(SessionError::Stopped)
    }

    /// The moves of a state that keep the draw, the best lures first: those that force a mistake, the
    /// soonest first, then the others by their chance. None if the state is no draw.
    pub(super) fn lures_of(
        &self,
        state: &G::State,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<Vec<Lured<G::Move>>, SessionError> {
        let found = self.lures_at(depth, progress)?;
        self.lured(found.against(), state, progress)
    }

    fn lured(
        &self,
        against: Against<'_>,
        state: &G::State,
        progress: &dyn Progress,
    ) -> Result<Vec<Lured<G::Move>>, SessionError> {
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let moves = against.moves(&self.game, &oracle, state)?.into_iter();
        Ok(moves.map(|(mv, lure)| (mv, worth(&lure))).collect())
    }

    /// Adds to an evaluation what the moves are worth as lures, and puts the best first.
    pub(super) fn add_lures(
        &self,
        found: &mut PlyEvaluation,
        state: &G::State,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<(), SessionError> {
        if found.value.outcome() != Outcome::Draw {
            return Err(SessionError::Inapplicable {
                option: "lure",
                why: format!(
                    "is for drawn positions, and this one is a {}",
                    found.value.outcome()
                ),
            });
        }
        let known = self.lures_at(depth, progress)?;
        let lures = self.lured(known.against(), state, progress)?;
        let place = |name: &str| {
            let place = lures
                .iter()
                .position(|(mv, _)| self.game.format_move(*mv) == name);
            place.unwrap_or(usize::MAX)
        };
        for mv in &mut found.moves {
            mv.lure = lures.get(place(&mv.name)).map(|&(_, worth)| worth);
        }
        found.moves.sort_by_key(|mv| place(&mv.name));
        found.line = found
            .moves
            .first()
            .map(|mv| vec![mv.name.clone()])
            .unwrap_or_default();
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let mut looker = Looker::new(&self.game);
        let against = known.against();
        let tree = against.tree(&self.game, &oracle, &mut looker, state)?;
        let text = write_tree(&self.game, &tree, Length::Full).to_string();
        found.swindle = (!text.is_empty()).then_some(text);
        Ok(())
    }
}

/// Refuses depths that nobody looks ahead.
pub(super) fn check_depth(option: &'static str, depth: u8) -> Result<(), SessionError> {
    if (1..=DEEPEST).contains(&depth) {
        return Ok(());
    }
    Err(SessionError::Inapplicable {
        option,
        why: format!("{depth} is not a number of plies from 1 to {DEEPEST}"),
    })
}

fn worth(lure: &Lure) -> LureWorth {
    LureWorth {
        chance: share(lure.chance.into(), ONE.into()),
        forced_plies: lure.forced.map(|moves| 2 * u16::from(moves)),
    }
}
