//! Mining a table, and positions that fit a partial diagram.

use std::slice;
use std::sync::Arc;
use std::time::Instant;

use crate::analysis::{Neighbour, Solution, faults, neighbours, solving, twins};
use crate::base::progress::{Progress, Uncancelled};
use crate::base::text::{grouped, plural};
use crate::game::{Game, Moves, Oracle, Playable, Ranked};
use crate::mine::{
    Catalogue, Column, Filter, Predicate, Reachable, Scan, Scope, Solved, Way, puzzles,
};
use crate::session::erased::AnyState;
use crate::session::evaluation::refuse_given;
use crate::session::mining::{distinct_names, expect_mates};
use crate::session::table_files::{check_memory, most_memory};
use crate::session::tables::TableSession;
use crate::session::{
    Composition, Mined, MinedSet, Mining, MiningOptions, Result, ScopeOptions, SessionError,
    TwinReport,
};
use crate::table::TableOracle;

/// Finds that are worth loading the whole table to solve them.
const MANY: usize = 1000;

impl TableSession {
    /// The conditions of filters, checked against the game's columns.
    pub(super) fn predicates(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
    ) -> Result<Vec<Predicate>, SessionError> {
        let purpose = "is for games with hidden information";
        refuse_given(&options.supply.given(), purpose, &self.game.spec())?;
        distinct_names(filters)?;
        self.game.check_size()?;
        options.scope.scope(&self.game)?;
        if options.progressive && !self.estimates(&options.scope) {
            let why = "is for scans of all positions, and --sample chooses some";
            return Err(SessionError::inapplicable("progressive", why));
        }
        let has_reading = self.game.forbids_moves();
        if options.reachable && (has_reading || !self.game.has_beginning()) {
            let spec = self.game.spec();
            let why = if has_reading {
                format!("is for games without a rule against repetition, and {spec} has one")
            } else {
                format!("is for games with one initial position, and {spec} has none")
            };
            return Err(SessionError::inapplicable("reachable", why));
        }
        let catalogue = Catalogue::new(&self.game);
        if let Some(filter) = filters.iter().find(|filter| filter.against.is_some())
            && catalogue.find("swindle_1").is_none()
        {
            return Err(SessionError::Refused(format!(
                "filter '{}' is against a player who looks ahead, and lures in {} cannot be found: they are defined for the exact reading of a rule against repetition, in games of less than 4294967296 positions",
                filter.name,
                self.game.spec()
            )));
        }
        expect_mates(filters, &self.game.spec(), self.game.plies_after_mate())?;
        let predicate = |filter| Predicate::new(filter, &catalogue);
        let predicates = filters.iter().map(predicate);
        let predicates = predicates.collect::<Result<Vec<_>, _>>()?;
        for predicate in &predicates {
            predicate.pattern(&self.game)?;
        }
        Ok(predicates)
    }

    pub(super) fn scope(
        &self,
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Scope, SessionError> {
        let game = &self.game;
        let mut scope = options.scope.scope(game)?;
        if options.reachable {
            let job = format!("following all games of {}", game.spec());
            check_memory(&job, Reachable::bytes(game.slots()), options.memory)?;
            scope.reachable = Some(Arc::new(game.engine.reachable(progress)?));
        }
        Ok(scope)
    }

    /// What filters find in a solved game, as much as puzzles are made of.
    pub(super) fn scan(
        &self,
        source: &Solved<'_>,
        predicates: &[Predicate],
        options: &MiningOptions,
        scope: &Scope,
        progress: &dyn Progress,
    ) -> Result<Vec<Scan<AnyState>>, SessionError> {
        let catalogue = Catalogue::new(&self.game);
        let needed = predicates.iter().flat_map(Predicate::needed);
        let lures = !catalogue.depths_of(needed).is_empty();
        if lures || predicates.iter().any(|it| it.filter.against.is_some()) {
            self.check_lures(options.memory)?;
        }
        let most = |filter: &Filter| filter.scanned(options.limit_of(filter));
        let tasks: Vec<_> = predicates.iter().map(|it| (it, most(&it.filter))).collect();
        let way = if options.progressive {
            Way::Progressive
        } else {
            Way::Whole
        };
        let engine = &self.game.engine;
        Ok(engine.scan(source, &tasks, scope, way, progress)?)
    }
}

impl Mining for TableSession {
    fn columns(&self) -> Vec<Column> {
        Catalogue::new(&self.game).columns.clone()
    }

    fn about_columns(&self) -> &'static str {
        "Columns for SQL conditions. Costs, from cheap to expensive: record (read from the table), board, pass\n\
         (the other side to move), ban (moves that may have led here), kind (the values of the moves of one\n\
         kind), play (the value of every move), lure (a search for lures in all drawn positions first),\n\
         solution (the main line). Cheap conditions run first."
    }

    fn check(&self, filters: &[Filter], options: &MiningOptions) -> Result<(), SessionError> {
        self.predicates(filters, options).map(|_| ())
    }

    fn estimates(&self, scope: &ScopeOptions) -> bool {
        scope.sample <= 1
    }

    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Mined, SessionError> {
        let game = &self.game;
        let predicates = self.predicates(filters, options)?;
        let mut scope = self.scope(options, progress)?;
        scope.memory = Some(most_memory(options.memory));
        let begun = Instant::now();
        let table = self.table(progress)?;
        let about = format!(
            "{}: {} slots, fingerprint {}, ready after {:.1} s",
            game.spec(),
            grouped(game.slots()),
            table.description.fingerprint,
            begun.elapsed().as_secs_f64()
        );
        let source = Solved::new(&table, game)?;
        let scans = self.scan(&source, &predicates, options, &scope, progress)?;
        let finds: usize = scans.iter().map(|scan| scan.finds.len()).sum();
        // What a scan found that was stopped is solved all the same.
        let uncancelled = Uncancelled(progress);
        let progress: &dyn Progress = if scans.iter().any(|scan| scan.coverage.is_some()) {
            let finds = plural(finds as u64, "find");
            progress.note(&format!(
                "stopped: solving {finds}; Ctrl-C again discards them"
            ));
            &uncancelled
        } else {
            progress
        };
        if finds > MANY && !source.is_mapped() {
            source.load(scope.most_memory(), progress)?;
        }
        let sets = scans.into_iter().zip(filters).map(|(scan, filter)| {
            let (matched, coverage) = (scan.matched, scan.coverage);
            let limit = options.limit_of(filter);
            let rows = puzzles(game, &source, filter, scan, limit, progress)?;
            Ok(MinedSet {
                filter: filter.name.clone(),
                title: filter.title.clone(),
                matched,
                coverage,
                rows: rows.into_iter().map(|(row, _)| row).collect(),
                columns: None,
            })
        });
        let sets = sets.collect::<Result<_, SessionError>>()?;
        table.expect_unchanged()?;
        Ok(Mined { about, sets })
    }
}

/// How many positions are compared by score for each one that is shown.
const COMPARED: usize = 10;

impl TableSession {
    /// The positions that fit a pattern and a filter, as many as `limit`. Without a pattern, it is
    /// that of the filter.
    pub fn compose(
        &self,
        pattern: Option<&str>,
        filter: &Filter,
        scope: &ScopeOptions,
        limit: usize,
        progress: &dyn Progress,
    ) -> Result<Composition, SessionError> {
        let mut filter = filter.clone();
        if let Some(pattern) = pattern
            && filter.pattern.replace(pattern.to_owned()).is_some()
        {
            return Err(SessionError::Refused(format!(
                "the filter {} has a partial diagram already; give no other one",
                filter.name
            )));
        }
        let Some(pattern) = &filter.pattern else {
            let why = "give a partial diagram, with ? for squares that are open";
            return Err(SessionError::Refused(why.to_owned()));
        };
        let read = self.game.parse_pattern(pattern);
        read.map_err(SessionError::Pattern)?;
        let compared = limit.saturating_mul(COMPARED);
        filter.shortlist.get_or_insert(compared);
        let options = MiningOptions {
            scope: scope.clone(),
            limit: Some(limit),
            ..MiningOptions::default()
        };
        let mut mined = self.mine(&[filter], &options, progress)?;
        let MinedSet { matched, rows, .. } = mined.sets.remove(0);
        Ok(Composition { matched, rows })
    }

    /// What a filter asks that a position does not meet, in words; nothing if it admits the position.
    pub fn unmet(
        &self,
        position: &str,
        filter: &Filter,
        progress: &dyn Progress,
    ) -> Result<Vec<String>> {
        let game = &self.game;
        let state = self.read(position)?;
        let mut predicates = self.predicates(slice::from_ref(filter), &MiningOptions::default())?;
        let predicate = predicates.remove(0);
        if filter.against.is_some() || filter.asks_mates() {
            return Err(SessionError::Refused(format!(
                "the filter {} asks more than its condition, by 'against' or 'stipulation'; give one without them",
                filter.name
            )));
        }
        let lures = Catalogue::new(game).depths_of(predicate.needed());
        if !lures.is_empty() {
            self.check_lures(None)?;
        }
        let table = self.table(progress)?;
        let unmet = predicate.unmet(game, &table, &state)?;
        table.expect_unchanged()?;
        Ok(unmet)
    }

    /// The sound problems with the same stipulation, at most `most_changes` changes away, that begin with
    /// another move, if this is one itself. Without a stipulation, that of the position's value.
    pub fn twins(
        &self,
        position: &str,
        stipulation: Option<&str>,
        most_changes: u8,
        progress: &dyn Progress,
    ) -> Result<TwinReport> {
        let game = &self.game;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        let oracle = TableOracle::new(&table, game)?;
        let value = oracle.value(game, &state)?;
        let solving = solving(game, &oracle, &state, stipulation)?;
        let faults = faults(game, &state, stipulation, value, solving.len());
        if let Some(fault) = faults.first() {
            return Err(SessionError::Refused(format!(
                "the position is no sound problem: {}; 'tesuji check' shows what would mend it",
                fault.name()
            )));
        }
        let found = TwinReport {
            game: game.spec(),
            position: game.format_state(&state),
            stipulation: stipulation.to_string(),
            line: Solution::of(game, &oracle, &state, stipulation, 0)?.written_line(game),
            twins: twins(game, &table, &state, stipulation, most_changes)?,
        };
        table.expect_unchanged()?;
        Ok(found)
    }

    /// Judges all positions in which one thing is moved to an empty square, removed, or
    /// added, against the same stipulation. Without one, that of the position's value.
    pub fn neighbours(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Vec<Neighbour>> {
        let game = &self.game;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        Ok(neighbours(game, &table, &state, stipulation)?)
    }
}
