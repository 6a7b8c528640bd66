//! Counts, reachable states, paths, the other reading of the repetition rule, and table files of
//! games of two players.

use std::path::Path;

use serde_json::Value as Json;

use crate::analysis::{FollowedPly, follow};
use crate::base::files::Existing;
use crate::base::progress::Progress;
use crate::game::{Game, Moves, Ranked, Repetition, Retrograde};
use crate::session::erased::ErasedGame;
use crate::session::lines::{begun, walk};
use crate::session::table_files::{Claimed, check_groups, check_memory, given, repack, verified};
use crate::session::tables::TableSession;
use crate::session::{
    DepthCount, Difference, Example, PathReport, ReachDistance, ReachOptions, ReachReport, Result,
    SessionError, SolveOptions, Solving, Statistics, StatisticsReport, TableStatistics,
    VerifyReport, WrittenTable,
};
use crate::solve::{Rule, reach_working_set};
use crate::table::{LayerStatistics, Table, TableOracle};

/// A state by slot and forbidden move, in the game's notation; empty if there is none.
pub(super) fn state_at(game: &ErasedGame, slot: u64, forbidden: Option<u8>) -> String {
    let state = game.unrank(slot);
    let state = match forbidden {
        Some(number) => state.and_then(|state| game.forbid(&state, number)),
        None => state,
    };
    state.map_or_else(String::new, |state| game.format_state(&state))
}

impl Statistics for TableSession {
    fn comparable(&self) -> Vec<String> {
        let criterion = self.game.criterion();
        vec![
            "plies_to_checkmate,states".to_owned(),
            format!("{criterion},player_pieces,opponent_pieces,positions"),
            "layer,what,number".to_owned(),
        ]
    }

    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport> {
        let game = &self.game;
        let table = self.table(progress)?;
        let mut counted = game.engine.statistics(&table, progress)?;
        table.expect_unchanged()?;
        let (criterion, classes) = (game.criterion(), game.classes());
        for layer in &mut counted.layers {
            let counts = layer.by_class.iter().map(|&count| Json::from(count));
            let by_name = Json::Object(classes.iter().cloned().zip(counts).collect());
            layer.classes.insert(criterion.to_owned(), by_name);
        }
        let histogram = counted.histogram().map(|row| DepthCount {
            plies_to_checkmate: row.plies_to_checkmate,
            outcome: row.outcome.name(),
            states: row.states,
            example: state_at(game, row.example, row.example_forbidden),
        });
        let histogram = histogram.collect();
        let all = LayerStatistics::sum(&counted.layers);
        Ok(StatisticsReport::Table(TableStatistics {
            game: game.spec(),
            positions: all.positions,
            checkmate_positions: all.checkmate_positions,
            states: counted.states(),
            layers: counted.layers,
            histogram,
            fingerprint: table.description.fingerprint.clone(),
            criterion: criterion.to_owned(),
            classes,
        }))
    }
}

/// Positions held in memory by a search for a path at most: 4 GB or less.
const MOST_POSITIONS: usize = 50_000_000;

impl TableSession {
    /// Counts the states that can be reached from the initial one, by distance.
    pub fn reach(&self, options: ReachOptions, progress: &dyn Progress) -> Result<ReachReport> {
        let game = &self.game;
        if options.take_backs && !game.forbids_moves() {
            let why = format!("is for rule 8 of Ostle; {} has no such rule", game.spec());
            return Err(SessionError::inapplicable("take-backs", why));
        }
        game.check_size()?;
        begun(game, "initial")?;
        let job = format!("searching {}", game.spec());
        let arrays = reach_working_set(game);
        check_groups(&job, game, arrays)?;
        check_memory(&job, arrays, options.memory)?;
        let rule = if options.take_backs {
            Rule::TakeBacks
        } else {
            Rule::Legal
        };
        let reached = game.engine.reach(rule, progress)?;
        let distances = (0..).zip(reached.counts.clone());
        let distances = distances.map(|(plies_from_start, states)| ReachDistance {
            plies_from_start,
            states,
        });
        Ok(ReachReport {
            game: game.spec(),
            states: reached.counts.iter().sum(),
            not_reached: reached.unreached,
            distances: distances.collect(),
        })
    }

    /// A shortest sequence of legal moves from one position to another.
    pub fn path(
        &self,
        from: &str,
        to: &str,
        most: u16,
        progress: &dyn Progress,
    ) -> Result<PathReport> {
        let game = &self.game;
        game.check_size()?;
        let (from, to) = (begun(game, from)?, begun(game, to)?);
        let engine = &game.engine;
        let moves = engine.path(&from, &to, most, MOST_POSITIONS, progress);
        let moves = moves.map_err(|error| {
            let (from, to) = (game.format_state(&from), game.format_state(&to));
            SessionError::Refused(format!("no path from '{from}' to '{to}': {error}"))
        })?;
        let mut states = vec![from];
        for &mv in &moves {
            let next = states.last().and_then(|state| game.play(state, mv).state());
            states.extend(next);
        }
        let positions = states.iter().map(|state| game.format_state(state));
        let positions: Vec<_> = positions.collect();
        Ok(PathReport {
            game: game.spec(),
            from: positions.first().cloned().unwrap_or_default(),
            to: positions.last().cloned().unwrap_or_default(),
            plies: moves.len(),
            moves: moves.iter().map(|&mv| game.format_move(mv)).collect(),
            positions,
        })
    }

    /// Values a line of moves from a position on, and tells what else keeps the outcome at each. Moves
    /// are spelled as people read them.
    pub fn follow(
        &self,
        position: &str,
        moves: &[String],
        progress: &dyn Progress,
    ) -> Result<Vec<FollowedPly>> {
        let game = &self.game;
        let walk = walk(game, begun(game, position)?, moves)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, game)?;
        let plies = follow(game, &oracle, &walk.steps)?;
        table.expect_unchanged()?;
        Ok(plies)
    }

    /// Compares the game's values with those of a table of the same game under the other
    /// reading of its repetition rule.
    pub fn difference(&self, path: &Path, progress: &dyn Progress) -> Result<Difference> {
        let game = &self.game;
        let other_table = Table::open(path)?;
        let spec = &other_table.description.game;
        let games = Repetition::ALL.into_iter();
        let mut games = games.filter_map(|reading| Some((reading, game.with_repetition(reading)?)));
        if !game.forbids_moves() {
            let own = game.spec();
            let why =
                format!("compares two readings of a rule against repetition, and {own} has none");
            return Err(SessionError::inapplicable("against", why));
        }
        let other = games.find(|(_, other)| other.spec() == *spec);
        let Some((reading, other)) = other else {
            let own = game.spec();
            let why = format!("is a table of {spec}, not of {own} under any reading");
            return Err(SessionError::unusable(path, why));
        };
        let table = self.table(progress)?;
        let engine = &game.engine;
        let found = engine.difference(&table, reading, &other_table, progress)?;
        table.expect_unchanged()?;
        other_table.expect_unchanged()?;
        let examples = found.examples.iter().map(|&(slot, forbidden)| {
            let there = forbidden.zip(other.cursor(slot));
            let there = there.map(|(number, at)| other.least_image_of_move(at, number).0);
            Ok::<_, SessionError>(Example {
                state: state_at(game, slot, forbidden),
                value: table.record(slot)?.without(forbidden).to_string(),
                other_value: other_table.record(slot)?.without(there).to_string(),
            })
        });
        Ok(Difference {
            game: game.spec(),
            other: other.spec(),
            positions_with_other_records: found.records,
            positions_with_other_values: found.positions,
            states_with_other_values: found.states,
            states_with_other_outcomes: found.outcomes,
            examples: examples.collect::<Result<_>>()?,
        })
    }
}

impl Solving for TableSession {
    fn slots(&self) -> u64 {
        self.game.slots()
    }

    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        self.game.check_size()?;
        // Names of tables leave signs of specs out, so one may be that of another game.
        let there = Table::open(path).map(|table| table.description.game);
        if let Ok(other) = there
            && !options.force
            && other != self.game.spec()
        {
            let why = format!("is a table of '{other}'; give another name with --output");
            return Err(SessionError::unusable(path, why));
        }
        let claimed = Claimed::new(path, Existing::refused_unless(options.force))?;
        self.game.engine.solve(options, &claimed, progress)
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport> {
        let game = &self.game;
        let table = given(game, &self.source)?;
        // What verifying holds in memory is what solving does.
        let needed = game.engine.working_set(table.description.value_bytes);
        check_memory(&format!("verifying {}", game.spec()), needed, None)?;
        let found = game.engine.verify(&table, progress)?;
        verified(game, &table, found)
    }

    fn repack(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<(WrittenTable, u64)> {
        repack(&self.game, &self.source, path, options, progress)
    }
}
