//! Reachable states, paths, and the other reading of the repetition rule.

use std::path::Path;

use super::TableSession;
use super::statistics::state_at;
use crate::base::progress::Progress;
use crate::game::{Next, Repetition, TableGame};
use crate::session::resources::check_memory;
use crate::session::{
    Difference, Example, LureOptions, LureReport, PathReport, ReachDistance, ReachOptions,
    ReachReport, Searching, SessionError,
};
use crate::solve::{Rule, reach, reach_working_set, shortest_path};
use crate::table::{Table, difference};

/// Positions held in memory by a search for a path at most: 4 GB or less.
const MOST_POSITIONS: usize = 50_000_000;

impl<G: TableGame> Searching for TableSession<G> {
    fn reach(
        &self,
        options: ReachOptions,
        progress: &dyn Progress,
    ) -> Result<ReachReport, SessionError> {
        let game = &self.game;
        if options.take_backs && game.with_repetition(game.repetition()).is_none() {
            return Err(SessionError::Inapplicable {
                option: "take-backs",
                why: format!("is for rule 8 of Ostle; {} has no such rule", game.spec()),
            });
        }
        game.check_size()?;
        let job = format!("searching {}", game.spec());
        check_memory(&job, reach_working_set(game), options.memory)?;
        let rule = if options.take_backs {
            Rule::TakeBacks
        } else {
            Rule::Legal
        };
        let reached = reach(game, rule, &progress)?;
        let distances = (0..).zip(reached.counts());
        let distances = distances.map(|(plies_from_start, &states)| ReachDistance {
            plies_from_start,
            states,
        });
        Ok(ReachReport {
            game: game.spec(),
            states: reached.reached(),
            not_reached: reached.unreached(),
            distances: distances.collect(),
        })
    }

    fn path(
        &self,
        from: &str,
        to: &str,
        most: u16,
        progress: &dyn Progress,
    ) -> Result<PathReport, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let (from, to) = (self.read(from)?, self.read(to)?);
        let moves = shortest_path(game, &from, &to, most, MOST_POSITIONS, &progress);
        let moves = moves.map_err(|source| SessionError::Path {
            from: game.format_state(&from),
            to: game.format_state(&to),
            source,
        })?;
        let mut states = vec![from];
        for &mv in &moves {
            if let Some(Next::State(next)) = states.last().map(|state| game.play(state, mv)) {
                states.push(next);
            }
        }
        let positions: Vec<_> = states
            .iter()
            .map(|state| game.format_state(state))
            .collect();
        Ok(PathReport {
            game: game.spec(),
            from: positions.first().cloned().unwrap_or_default(),
            to: positions.last().cloned().unwrap_or_default(),
            plies: moves.len(),
            moves: moves.iter().map(|&mv| game.format_move(mv)).collect(),
            positions,
        })
    }

    fn lures(
        &self,
        options: &LureOptions,
        progress: &dyn Progress,
    ) -> Result<LureReport, SessionError> {
        self.find_lures(options, progress)
    }

    fn difference(&self, path: &Path, progress: &dyn Progress) -> Result<Difference, SessionError> {
        let game = &self.game;
        let other_table = Table::open(path)?;
        let spec = &other_table.description().game;
        let mut games = Repetition::ALL
            .into_iter()
            .filter_map(|reading| game.with_repetition(reading))
            .peekable();
        if games.peek().is_none() {
            return Err(SessionError::Inapplicable {
                option: "against",
                why: format!(
                    "compares two readings of a rule against repetition, and {} has none",
                    game.spec()
                ),
            });
        }
        let other = games.find(|other| other.spec() == *spec);
        let Some(other) = other else {
            let why = format!(
                "is a table of {spec}, not of {} under any reading",
                game.spec()
            );
            return Err(SessionError::unusable(path, why));
        };
        let table = self.table(progress)?;
        let found = difference(&table, game, &other_table, &other, &progress)?;
        table.expect_unchanged()?;
        other_table.expect_unchanged()?;
        let examples = found.examples.iter().map(|&(slot, forbidden)| {
            let there = forbidden
                .zip(other.cursor(slot))
                .map(|(number, cursor)| other.least_image_of_move(cursor, number).0);
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
            examples: examples.collect::<Result<_, SessionError>>()?,
        })
    }
}
