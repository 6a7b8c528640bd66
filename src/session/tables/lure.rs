//! Lures in all drawn positions and in single ones, by a table.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::lures::{
    Baseline, Baselines, Choices, DEEPEST, DrawnGraph, LureError, Lures, ONE,
};
use crate::analysis::{Length, Looker, write_tree};
use crate::base::files::{self, FileError};
use crate::base::progress::Progress;
use crate::base::threads::locked;
use crate::base::value::Outcome;
use crate::game::{Game, Ranked};
use crate::mine::{Catalogue, Solved};
use crate::session::erased::AnyState;
use crate::session::table_files::check_memory;
use crate::session::tables::TableSession;
use crate::session::{
    LURED_MOVES, LureChances, LureOptions, LureReport, LureWorth, LuredDepth, PlyEvaluation,
    Result, SessionError,
};
use crate::table::{Table, TableOracle};

impl TableSession {
    /// Finds out what lures in drawn positions attain against players who look some plies ahead.
    pub fn lures(&self, options: &LureOptions, progress: &dyn Progress) -> Result<LureReport> {
        let game = &self.game;
        let (first, last) = (*options.depths.start(), *options.depths.end());
        check_depth("depth", first)?;
        check_depth("depth", last)?;
        game.check_size()?;
        let table = self.table(progress)?;
        let kept = options.keep.as_deref();
        let kept = kept.map(|folder| Kept::new(folder, options, &table));
        let kept = kept.transpose()?;
        self.check_lures(options.memory)?;
        let graph = Arc::new(game.engine.drawn_graph(&table, progress)?);
        let mut depths: Vec<LuredDepth> = Vec::new();
        let work = Work {
            session: self,
            graph: &graph,
            choices: OnceCell::new(),
            options,
            progress,
        };
        if let Some(kept) = &kept {
            for depth in options.depths.clone() {
                depths.extend(kept.read(depth)?.filter(|_| !options.verify));
            }
        }
        let is_missing = |depth: &u8| depths.iter().all(|found| found.depth != *depth);
        let missing: Vec<u8> = options.depths.clone().filter(is_missing).collect();
        let (moves, initial) = (options.moves, work.initial());
        let mut keep = |found: Lures| {
            let found = work.depth(&found)?;
            if let Some(kept) = &kept {
                kept.write_or_compare(&found)?;
            }
            depths.push(found);
            Ok(())
        };
        let engine = &game.engine;
        engine.chances(&graph, &missing, moves, initial, progress, &mut keep)?;
        depths.sort_by_key(|found| found.depth);
        Ok(LureReport {
            game: game.spec(),
            fingerprint: table.description.fingerprint.clone(),
            drawn_positions: graph.drawn(),
            drawing_moves: graph.moves(),
            depths,
        })
    }
}

struct Work<'a> {
    session: &'a TableSession,
    graph: &'a DrawnGraph,
    /// Found when it is first asked for.
    choices: OnceCell<Choices>,
    options: &'a LureOptions,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// The number of the initial position, if there is one and it is a draw.
    fn initial(&self) -> Option<u32> {
        let game = &self.session.game;
        let initial = game.has_beginning().then(|| game.initial())?;
        let number = self.graph.number(game.rank(&initial))?;
        self.graph.is_drawn(number, None).then_some(number)
    }

    fn depth(&self, found: &Lures) -> Result<LuredDepth> {
        let depth = found.depth;
        if self.options.verify {
            found.verify(self.progress)?;
        }
        let drawn = self.graph.drawn();
        let mean = |sum: u64| share(sum, drawn * u64::from(ONE));
        let mut baselines: Vec<Vec<f64>> = Vec::new();
        let is_wanted = !self.options.no_baselines;
        for kind in Baseline::ALL.into_iter().filter(|_| is_wanted) {
            baselines.push(self.baseline(found, kind)?.into_iter().map(mean).collect());
        }
        let (won_positions, won_lost) = found.likes.won(depth);
        let initial = self.initial();
        let chance = |units: u32| initial.map(|_| share(units.into(), ONE.into()));
        let rows = (1..).zip(&found.swept).map(|(moves, swept)| LureChances {
            moves,
            best: mean(swept.sum),
            opponent_first: mean(swept.opponent_sum),
            uniform: baselines.first().map(|means| means[usize::from(moves) - 1]),
            fewest_replies: baselines.get(1).map(|means| means[usize::from(moves) - 1]),
            initial: chance(swept.followed[0]),
            initial_opponent_first: chance(swept.followed[1]),
        });
        let forced = initial.and_then(|number| found.forced(number, None));
        let first = found.swept.first();
        Ok(LuredDepth {
            depth,
            draws_lost: first.map_or(0.0, |first| mean(first.opponent_sum)),
            wins_lost: share(won_lost, won_positions * u64::from(ONE)),
            wins_looked_at: won_positions,
            forced: found.histogram(),
            initial_forced_plies: forced.map(|moves| 2 * u16::from(moves)),
            chances: rows.collect(),
        })
    }

    /// The sums of the chances of another lurer within 1, 2, ... moves of the opponent.
    fn baseline(&self, found: &Lures, kind: Baseline) -> Result<Vec<u64>> {
        let choices = if let Some(known) = self.choices.get() {
            known
        } else {
            let found = Choices::new(self.graph, self.progress)?;
            self.choices.get_or_init(|| found)
        };
        let (depth, name) = (found.depth, kind.name());
        let mut chances = Baselines::new(self.graph, &found.likes, choices, kind, depth)
            .map_err(LureError::Memory)?;
        let sweeps = (1..=self.options.moves).map(|sweep| {
            let stage = format!("depth {depth}, {name}: sweep {sweep}");
            self.progress.begin(&stage, 2 * self.graph.len() as u64);
            Ok(chances.sweep(self.progress)?)
        });
        sweeps.collect()
    }
}

/// A share to seven places.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64 * 1e7).round() / 1e7
}

/// What was found by earlier runs, in a file for each depth.
struct Kept {
    folder: PathBuf,
    /// What a file must begin with.
    head: String,
}

impl Kept {
    fn new(folder: &Path, options: &LureOptions, table: &Table) -> Result<Self> {
        fs::create_dir_all(folder).map_err(FileError::io(folder, "create"))?;
        let (of, moves) = (&table.description, options.moves);
        let (game, fingerprint, baselines) = (&of.game, &of.fingerprint, !options.no_baselines);
        Ok(Self {
            folder: folder.to_owned(),
            head: format!("{game} {fingerprint} moves={moves} baselines={baselines}\n"),
        })
    }

    fn path(&self, depth: u8) -> PathBuf {
        self.folder.join(format!("depth-{depth}.json"))
    }

    fn read(&self, depth: u8) -> Result<Option<LuredDepth>> {
        let path = self.path(depth);
        let Some(text) = files::kept(&path)? else {
            return Ok(None);
        };
        let found = text.strip_prefix(self.head.as_bytes());
        let found = found.and_then(|json| serde_json::from_slice(json).ok());
        let found = found.filter(|found: &LuredDepth| found.depth == depth);
        let why = "is of another search; choose another folder, or remove it";
        let other = || SessionError::unusable(path, why);
        found.map(Some).ok_or_else(other)
    }

    /// Keeps what was found, or compares it with what was kept before.
    fn write_or_compare(&self, found: &LuredDepth) -> Result<()> {
        let path = self.path(found.depth);
        if let Some(before) = self.read(found.depth)? {
            if before != *found {
                let why = "is not what is found now; remove it, and find it again";
                return Err(SessionError::unusable(&path, why));
            }
            return Ok(());
        }
        let data = serde_json::to_value(found).unwrap_or_default();
        let text = format!("{}{data:#}\n", self.head);
        Ok(files::put(&path, &files::sealed(text.as_bytes()), false)?)
    }
}

impl From<LureError> for SessionError {
    fn from(error: LureError) -> Self {
        match error {
            LureError::Table(error) => Self::Table(error),
            LureError::Cancelled => Self::Stopped,
            other => Self::Lure(other),
        }
    }
}

impl TableSession {
    /// Refuses to look for lures where memory is short.
    pub(super) fn check_lures(&self, memory: Option<u64>) -> Result<()> {
        let job = format!("finding lures in {}", self.game.spec());
        check_memory(&job, DrawnGraph::working_set(&self.game), memory)
    }

    pub(super) fn source_for<'t>(
        &self,
        table: &'t Table,
        catalogue: &Catalogue,
        columns: &[usize],
        progress: &dyn Progress,
    ) -> Result<Solved<'t>> {
        let source = Solved::new(table, &self.game)?;
        let depths = catalogue.depths_of(columns.iter().copied());
        if !depths.is_empty() {
            self.check_lures(None)?;
            self.game.engine.find_lures(&source, &depths, progress)?;
        }
        Ok(source)
    }

    /// What is known about lures against players who look some numbers of plies ahead, in rising
    /// order. It is kept until other depths are asked for.
    pub(super) fn lures_for(
        &self,
        depths: &[u8],
        progress: &dyn Progress,
    ) -> Result<Vec<Arc<Lures>>> {
        for &depth in depths {
            check_depth("lure", depth)?;
        }
        // Holding the lock while searching lets the work be done once.
        let mut held = locked(&self.lures);
        let known = |held: &[Arc<Lures>]| {
            let of = |depth: &u8| held.iter().find(|it| it.depth == *depth).cloned();
            depths.iter().map(of).collect::<Option<Vec<_>>>()
        };
        if let Some(known) = known(&held) {
            return Ok(known);
        }
        let table = self.table(progress)?;
        self.check_lures(None)?;
        let engine = &self.game.engine;
        let graph = Arc::new(engine.drawn_graph(&table, progress)?);
        let mut found = Vec::new();
        let mut keep = |lures| {
            found.push(Arc::new(lures));
            Ok(())
        };
        engine.chances(&graph, depths, LURED_MOVES, None, progress, &mut keep)?;
        *held = found;
        Ok(held.clone())
    }

    /// [`lures_for`](Self::lures_for) one player.
    pub(super) fn lures_at(&self, depth: u8, progress: &dyn Progress) -> Result<Arc<Lures>> {
        let mut found = self.lures_for(&[depth], progress)?;
        found.pop().ok_or(SessionError::Stopped)
    }

    /// Adds to an evaluation what the moves are worth as lures, and puts the best first.
    pub(super) fn add_lures(
        &self,
        found: &mut PlyEvaluation,
        state: &AnyState,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<()> {
        if found.value.outcome() != Outcome::Draw {
            let outcome = found.value.outcome();
            let why = format!("is for drawn positions, and this one is a {outcome}");
            return Err(SessionError::inapplicable("lure", why));
        }
        let known = self.lures_at(depth, progress)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let lures = known.lured(&self.game, &oracle, state)?;
        let place = |name: &str| {
            let mut moves = lures.iter().map(|(mv, _)| self.game.format_move(*mv));
            moves.position(|mv| mv == name).unwrap_or(usize::MAX)
        };
        for mv in &mut found.moves {
            mv.lure = lures.get(place(&mv.name)).map(|(_, lure)| LureWorth {
                chance: share(lure.chance.into(), ONE.into()),
                forced_plies: lure.forced.map(|moves| 2 * u16::from(moves)),
            });
        }
        found.moves.sort_by_key(|mv| place(&mv.name));
        let first = found.moves.iter().take(1);
        found.line = first.map(|mv| mv.name.clone()).collect();
        let mut looker = Looker::new(&self.game);
        let tree = known.tree(&self.game, &oracle, &mut looker, state)?;
        let text = write_tree(&self.game, state, &tree, Length::Full).to_string();
        found.swindle = (!text.is_empty()).then_some(text);
        Ok(())
    }
}

/// Refuses depths that nobody looks ahead.
pub(super) fn check_depth(option: &'static str, depth: u8) -> Result<()> {
    if (1..=DEEPEST).contains(&depth) {
        return Ok(());
    }
    let why = format!("{depth} is not a number of plies from 1 to {DEEPEST}");
    Err(SessionError::inapplicable(option, why))
}
