//! Puzzle rows from finds.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::frame::Minable;
use crate::analysis::lures::{Lures, SwindleTask};
use crate::analysis::{
    Analysis, Grade, Looker, MOST_NODES, Quality, Solution, Step, Stipulation, Story, difficulty,
    profile_of_line, themes,
};
use crate::base::value::{Outcome, Record};
use crate::game::Oracle;
use crate::table::{TableError, TableOracle};

/// A state that a filter admits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find<S> {
    /// The index of its record in the table.
    pub index: u64,
    /// The state.
    pub state: S,
    /// The record.
    pub record: Record,
}

/// Adds to a row how far a player must look ahead to find its main line. That takes longer than
/// the rest of the row.
pub(crate) fn add_profile<G: Minable, O: Oracle<G>>(
    looker: &mut Looker<'_, G>,
    oracle: &O,
    line: &[Step<G::State, G::Move>],
    row: &mut PuzzleRow,
) -> Result<(), O::Error> {
    if let Some(profile) = profile_of_line(looker, oracle, line)? {
        row.line_look_ahead = Some(profile.hundredths());
        row.line_lure_run = Some(profile.lure_run);
        row.line_solved_at = profile.solved_at;
    }
    Ok(())
}

/// The solution of a mate with at most this many nodes, and what it asks; `None` if the shortest
/// win is no mate by checks alone.
pub(super) fn solved_mate<G: Minable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    most: usize,
) -> Result<Option<(Stipulation, Solution<G>)>, O::Error> {
    let value = oracle.value(game, state)?;
    let task = Stipulation::of_mate(game, value);
    if task.mate().is_none() || !task.met_in(game, state, value) {
        return Ok(None);
    }
    Ok(Some((task, Solution::of(game, oracle, state, task, most)?)))
}

/// The uniqueness of a solution with this number of keys.
pub(super) const fn of_keys(keys: usize) -> &'static str {
    if keys == 1 {
        "onlyShortest"
    } else {
        "multiple"
    }
}

/// Makes the rows of a filter's finds, without their [profiles](add_profile).
pub(crate) struct Describer<'a, G> {
    pub game: &'a G,
    pub oracle: TableOracle<'a>,
    pub filter: &'a str,
}

impl<G: Minable> Describer<'_, G> {
    /// The row of a state, and its solution.
    pub(crate) fn row(&self, state: &G::State) -> Result<(PuzzleRow, Solution<G>), TableError> {
        let solution = Solution::new(self.game, &self.oracle, state, MOST_NODES)?;
        Ok((self.described(state, &solution)?, solution))
    }

    /// The row of a mate, and its solution; `None` if the shortest win is no mate by checks alone.
    pub(crate) fn mate(
        &self,
        state: &G::State,
    ) -> Result<Option<(PuzzleRow, Solution<G>)>, TableError> {
        let solved = solved_mate(self.game, &self.oracle, state, MOST_NODES)?;
        let Some((task, solution)) = solved else {
            return Ok(None);
        };
        let mut row = self.described(state, &solution)?;
        row.ask(&task.to_string());
        if solution.keys.len() == 1 && row.uniqueness == "multiple" {
            "onlyShortest".clone_into(&mut row.uniqueness);
        }
        Ok(Some((row, solution)))
    }

    /// The row of a swindle, and its solution; `None` if no move forces a mistake. It is to have no
    /// profile: the solver wants more than to keep the outcome.
    pub(crate) fn swindle(
        &self,
        state: &G::State,
        (lures, looker): &mut (&Lures, Looker<'_, G>),
    ) -> Result<Option<(PuzzleRow, Solution<G>)>, TableError> {
        let Some(solution) = lures.solution(self.game, &self.oracle, looker, state)? else {
            return Ok(None);
        };
        let mut row = self.described(state, &solution)?;
        let task = SwindleTask {
            plies: solution.tree.nodes.first().map_or(0, |root| root.plies),
            depth: lures.depth,
        };
        row.ask(&task.to_string());
        of_keys(solution.keys.len()).clone_into(&mut row.uniqueness);
        Ok(Some((row, solution)))
    }

    fn described(&self, state: &G::State, solution: &Solution<G>) -> Result<PuzzleRow, TableError> {
        let (game, oracle) = (self.game, &self.oracle);
        let analysis = Analysis::new(game, oracle, state)?;
        let story = Story::new(game, oracle, solution)?;
        let value = solution.value;
        let moves = solution.line.iter().map(|&mv| game.format_move(mv));
        let moves: Vec<_> = moves.collect();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let names: Vec<_> = themes(&story).map(|theme| theme.name).collect();
        let mut row = PuzzleRow {
            game: game.spec(),
            position: game.format_state(state),
            forbidden: game.forbidden(state).map(|mv| game.format_move(mv)),
            side: game.side_to_move(state).to_owned(),
            outcome: value.outcome().name().to_owned(),
            plies: value.plies(),
            plies_to_checkmate: value.plies_to_checkmate(),
            key: moves.first().cloned().unwrap_or_default(),
            solution: moves.join(" "),
            n_moves: count(analysis.rated.len()),
            n_winning: count(analysis.count(Outcome::Win)),
            n_best: count(solution.keys.len()),
            uniqueness: analysis.uniqueness().to_owned(),
            soundness: solution.soundness().name().to_owned(),
            n_tries: count(solution.tries.len()),
            variations: solution.tree.variations(),
            themes: names.join(" "),
            score: Quality::new(solution, &story).total.into(),
            difficulty: difficulty(game, &solution.steps),
            filter: self.filter.to_owned(),
            slot: game.slot(state).index,
            table_fingerprint: oracle.table.description.fingerprint.clone(),
            ..PuzzleRow::default()
        };
        row.ask(&Stipulation::of(game, value).to_string());
        Ok(row)
    }
}

/// One puzzle. The fields are the columns of its row, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRow {
    /// Stable name: 16 hexadecimal digits, a hash of game, position and stipulation.
    pub puzzle_id: String,
    /// The game, e.g. `ostle:4x4,pieces=3,losses=2`.
    pub game: String,
    /// The position to solve in the game's one-line notation, with its forbidden move.
    pub position: String,
    /// The forbidden move, if there is one. Tables of earlier versions have `-` for none.
    #[serde(deserialize_with = "move_or_none")]
    pub forbidden: Option<String>,
    /// The side to move.
    pub side: String,
    /// What is asked, e.g. `Black to move and win in 7` (plies, the last move included)
    /// or `Sente to move and mate in 5` (up to the mating move).
    pub stipulation: String,
    /// The outcome for the side to move: `win`, `loss` or `draw`.
    pub outcome: String,
    /// Plies to the end of the game; empty for a draw.
    pub plies: Option<u16>,
    /// Plies to a checkmate position: one less than `plies`, as the Ostle paper counts.
    pub plies_to_checkmate: Option<u16>,
    /// The best move; of several, the first in the game's order of moves.
    pub key: String,
    /// The main line, moves separated by spaces.
    pub solution: String,
    /// The number of legal moves.
    pub n_moves: u32,
    /// The number of moves that win.
    pub n_winning: u32,
    /// The number of best moves: shortest wins, otherwise draws, otherwise longest losses.
    /// Tables of earlier versions call it `n_shortest`.
    #[serde(alias = "n_shortest")]
    pub n_best: u32,
    /// `onlyWin`, `onlyShortest`, `onlyDraw`, `onlyLongest` or `multiple`.
    pub uniqueness: String,
    /// `cooked`, `uniqueShortestKey`, `dualFreeLine` or `dualFreeTree`.
    pub soundness: String,
    /// The number of tries: moves that fail to exactly one reply.
    pub n_tries: u32,
    /// The number of lines in the solution tree; 0 unless the position is won.
    pub variations: u64,
    /// Themes, such as `quiet-key`, separated by spaces.
    pub themes: String,
    /// Points for quality, 0 to 100.
    pub score: u32,
    /// The difficulty of finding the main line, in bits.
    pub difficulty: u32,
    /// The greatest number of plies of search, in hundredths, that are wasted at a move of the
    /// solver in the main line before the choice is safe; see
    /// [`Profile`](crate::analysis::Profile). Nothing for lost positions, games with hidden
    /// information and swindles, and in tables of earlier versions, like the next two.
    pub line_look_ahead: Option<u32>,
    /// The greatest number of depths at which every move that a player who looks so far ahead
    /// likes is wrong.
    pub line_lure_run: Option<u32>,
    /// The least depth from which on every move that such a player likes keeps the outcome, at
    /// each move of the solver in the main line; nothing if that is so at none of the depths.
    pub line_solved_at: Option<u32>,
    /// The number of other finds of the filter with the same solution, up to symmetry,
    /// that were left out in favour of this one.
    pub similar: u64,
    /// The name of the filter that found the position.
    pub filter: String,
    /// The slot of the position in the table; of a game with hidden information, its number
    /// in the run. Tables of earlier versions call it `table_index`.
    #[serde(alias = "table_index")]
    pub slot: u64,
    /// The fingerprint of the table.
    pub table_fingerprint: String,
    /// The outcome that was given with a puzzle that is not solved, whose `outcome` is empty.
    #[serde(skip)]
    pub given_outcome: String,
    /// Columns of the user's own, by name, such as the title and the author.
    #[serde(skip)]
    pub own: Vec<(Arc<str>, String)>,
}

impl PuzzleRow {
    /// How hard it is.
    pub fn grade(&self) -> Grade {
        Grade::new(self.difficulty, self.line_look_ahead, self.n_moves)
    }

    /// The moves of the main line. Words of USI before them, `position sfen ... moves`, are passed over.
    pub fn moves(&self) -> Vec<String> {
        let line = self.solution.rsplit_once("moves ");
        let line = line.map_or(&self.solution[..], |(_, line)| line);
        line.split_whitespace().map(str::to_owned).collect()
    }

    /// The stipulation without blanks at its ends; `None` if it is empty.
    pub(crate) fn asked(&self) -> Option<&str> {
        Some(self.stipulation.trim()).filter(|asked| !asked.is_empty())
    }

    /// The text of a column of the user's own; empty if there is none.
    pub fn own(&self, name: &str) -> &str {
        let mut own = self.own.iter();
        own.find(|(known, _)| &**known == name)
            .map_or("", |(_, text)| text)
    }

    /// Sets what the side to move is asked to do, and the name that depends on it.
    pub(super) fn ask(&mut self, task: &str) {
        self.stipulation = format!("{} to move and {task}", self.side);
        self.puzzle_id = Self::id(&self.game, &self.position, &self.stipulation);
    }

    /// The name of a puzzle: 16 hexadecimal digits that depend on game, position and
    /// stipulation only, not on table, filter or order of finds.
    pub(crate) fn id(game: &str, position: &str, stipulation: &str) -> String {
        let hash = xxh3_64(format!("{game}\n{position}\n{stipulation}").as_bytes());
        format!("{hash:016x}")
    }
}

/// Reads a move or nothing, which is also written `-`.
fn move_or_none<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    Ok(text.filter(|text| text != "-"))
}
