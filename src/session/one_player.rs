//! Sessions with puzzles of one player.

use std::path::Path;
use std::sync::Arc;

use crate::base::files::folder_of;
use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::formula::AnswerKind;
use crate::game::OnePlayerGame;
use crate::session::lines::{read, session_methods};
use crate::session::programs::of_one_player;
use crate::session::table_files::{
    TableSource, check_disk, check_memory, claimed, given, repack, verified, write_whole,
};
use crate::session::{
    Evaluating, Evaluation, EvaluationOptions, Interfaces, Operation, Options, Position,
    Programming, PuzzleDepth, PuzzleStatistics, Questions, Result, Session, SessionError,
    SolveOptions, Solving, Statistics, StatisticsReport, VerifyReport, WrittenTable,
};
use crate::solve::Distances;
use crate::table::{Table, ValueWidth, depths, solve_puzzle_in_memory, verify_solitaire};

#[derive(Debug)]
pub(crate) struct OnePlayerSession<G> {
    game: G,
    source: TableSource,
}

pub(crate) fn one_player<G: OnePlayerGame>(game: G, options: &Options) -> OnePlayerSession<G> {
    OnePlayerSession {
        source: TableSource::new(options, &game.spec()),
        game,
    }
}

impl<G: OnePlayerGame> OnePlayerSession<G> {
    /// The table, solved in memory if there is no file.
    fn table(&self, progress: &dyn Progress) -> Result<Arc<Table>> {
        self.source.get(&self.game, progress, || {
            Ok(solve_puzzle_in_memory(&self.game, progress)?)
        })
    }
}

impl<G: OnePlayerGame> Session for OnePlayerSession<G> {
    session_methods! { OnePlayer }

    fn interfaces(&self) -> Interfaces<'_> {
        let programs = self.game.encoded().is_some();
        Interfaces {
            lines: Some(&self.game),
            evaluating: Some(self),
            statistics: Some(self),
            solving: Some(self),
            programming: programs.then_some(self as &dyn Programming),
            ..Interfaces::default()
        }
    }
}

impl<G: OnePlayerGame> Evaluating for OnePlayerSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        options.check(&self.game.spec(), self.kind())?;
        self.game.check_size()?;
        let state = read(&self.game, position)?;
        let table = self.table(progress)?;
        let found = crate::session::tables::evaluate(&self.game, &table, &state)?;
        Ok(Evaluation::Plies(found))
    }
}

impl<G: OnePlayerGame> Programming for OnePlayerSession<G> {
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions> {
        let Some(encoded) = self.game.encoded() else {
            return Err(self.unsupported(Operation::Programming));
        };
        if shortest {
            let why = "is for games of two players; in puzzles only the shortest way is right";
            return Err(SessionError::inapplicable("shortest", why));
        }
        of_one_player(&self.game, encoded, &*self.table(progress)?, kind)
    }
}

/// Bytes a slot that a solve takes: one, and eight for each slot of the two widest
/// distances.
const BYTES_A_SLOT: u64 = 3;

impl<G: OnePlayerGame> Solving for OnePlayerSession<G> {
    fn slots(&self) -> u64 {
        self.game.slots()
    }

    /// Nothing is kept for a later run: the largest board that is solved takes minutes.
    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable> {
        let game = &self.game;
        game.check_size()?;
        let place = claimed(path, options.force)?;
        let job = format!("solving {}", game.spec());
        let bytes = game.slots() * BYTES_A_SLOT;
        check_memory(&job, bytes, options.memory)?;
        check_disk(&job, bytes, folder_of(path))?;
        let distances = Distances::of(game, progress)?;
        let records = |slots| Ok(distances.records(game, slots));
        let (how, stage) = ((ValueWidth::WIDE, options), ("writing", progress));
        write_whole(game, place, how, records, |_| Ok(()), stage)
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport> {
        let table = given(&self.game, &self.source)?;
        let found = verify_solitaire(&table, &self.game, progress)?;
        verified(&self.game, &table, found)
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

impl<G: OnePlayerGame> Statistics for OnePlayerSession<G> {
    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport> {
        let game = &self.game;
        game.check_size()?;
        let table = self.table(progress)?;
        let depths = depths(&table, game, progress)?;
        table.expect_unchanged()?;
        let unsolved: u64 = depths.values().map(|depth| depth.states).sum();
        let histogram = depths.iter().map(|(&plies, depth)| PuzzleDepth {
            plies,
            states: depth.states,
            example: game
                .unrank(depth.example)
                .map_or_else(String::new, |state| game.format_state(&state)),
        });
        Ok(StatisticsReport::Puzzle(PuzzleStatistics {
            game: game.spec(),
            states: unsolved + 1,
            longest: depths.keys().flatten().max().copied(),
            histogram: histogram.collect(),
            fingerprint: table.description.fingerprint.clone(),
        }))
    }
}
