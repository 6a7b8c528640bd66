//! Mining games with hidden information: positions are generated, solved one by one, and
//! measured.
//!
//! Conditions on the board are tested before a position is solved, and conditions on the
//! solution afterwards. The result depends only on the seed and the numbers of the
//! positions, not on the number of threads, and a later run can continue where another
//! ended.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::error::MineError;
use super::kept::compare;
use super::predicate::Task;
use super::puzzle::{PuzzleRow, of_keys};
use crate::analysis::{Soundness, rounded};
use crate::base::progress::{NoProgress, Progress};
use crate::base::random::SplitMix64;
use crate::base::text::plural;
use crate::game::{FeatureValue, Features, Generator, Hidden};
use crate::solve::belief::{BeliefSolution, Limits, Mode, SearchError, solve};

/// A position that a filter admits.
#[derive(Debug, Clone)]
pub struct HiddenFind<G: Hidden> {
    /// Its number in the supply.
    pub number: u64,
    /// The position.
    pub state: G::State,
    /// Its solution.
    pub solved: BeliefSolution<G::Move, G::Clue>,
    /// The values of all columns.
    pub values: Vec<FeatureValue>,
    /// How many finds with the same best line were left out in favour of it.
    pub similar: u64,
}

impl<G: Hidden> HiddenFind<G> {
    /// The key that similar finds share: the best line, up to symmetry; `None` if it is too
    /// short to distinguish puzzles.
    fn line_key(&self, game: &G) -> Option<String> {
        (self.solved.plies() > 2).then(|| game.canonical_words(&line_in_words(game, &self.solved)))
    }
}

fn line_in_words<G: Hidden>(game: &G, solved: &BeliefSolution<G::Move, G::Clue>) -> String {
    let line = solved.line();
    let words: Vec<_> = line.iter().map(|step| step.in_words(game)).collect();
    words.join(" ")
}

/// How positions are generated.
#[derive(Debug, Clone)]
pub enum Supply<S> {
    /// At random.
    Random,
    /// Variations of these positions, in turn.
    Variations(Vec<S>),
    /// Backward from random positions that are won at once, by up to this many pairs of an
    /// attacker's move and a reply.
    Backwards(usize),
}

/// How many random positions to try for one that is won at once.
const ATTEMPTS: usize = 64;

impl<S> Supply<S> {
    /// The position with this number; `None` if there is none.
    pub fn position<G: Generator<State = S>>(&self, game: &G, seed: u64, number: u64) -> Option<S> {
        let mut numbers = SplitMix64::new(seed);
        let mut numbers = SplitMix64::new(numbers.next() ^ number);
        match self {
            Self::Random => game.generate(numbers.next()),
            Self::Variations(seeds) => {
                let count = u64::try_from(seeds.len()).unwrap_or(u64::MAX).max(1);
                let place = usize::try_from(number % count).unwrap_or(0);
                game.vary(seeds.get(place)?, numbers.next())
            }
            Self::Backwards(moves) => {
                let won = |state: &S| {
                    let mut tries = Vec::new();
                    game.standing(state, &mut tries);
                    tries.iter().any(|&mv| game.wins(state, mv))
                };
                let mut state = (0..ATTEMPTS)
                    .find_map(|_| game.generate(numbers.next()).filter(|state| won(state)))?;
                for _ in 0..=numbers.below((*moves).max(1)) {
                    match game.predecessor(&state, numbers.next()) {
                        Some(before) => state = before,
                        None => break,
                    }
                }
                Some(state)
            }
        }
    }
}

/// The values of all columns for a solved position, in order.
pub fn values<G: Hidden + Features>(
    game: &G,
    state: &G::State,
    solved: &BeliefSolution<G::Move, G::Clue>,
) -> Vec<FeatureValue> {
    let of_board: Vec<usize> = (0..game.features().len()).collect();
    let mut values = Vec::new();
    game.measure(state, &of_board, &mut values);
    let mut checks = Vec::new();
    game.standing(state, &mut checks);
    let stats = solved.tree.stats();
    let many = |count: u64| FeatureValue::count(usize::try_from(count).unwrap_or(usize::MAX));
    values.extend([
        FeatureValue::number(solved.plies().into()),
        FeatureValue::number(solved.fouls_allowed.into()),
        FeatureValue::number(solved.fouls_in_line().into()),
        FeatureValue::flag(solved.fouls_allowed > 0),
        FeatureValue::count(solved.keys().len()),
        FeatureValue::count(checks.len()),
        FeatureValue::flag(solved.tree.line_is_dual_free()),
        FeatureValue::flag(stats.dual_turns == 0),
        many(stats.dual_turns),
        many(stats.turns),
        many(stats.variations),
        many(stats.fouls),
        many(stats.informing_fouls),
        FeatureValue::flag(stats.informing_fouls > 0),
        FeatureValue::count(stats.largest),
        many(stats.heard),
        FeatureValue::flag(solved.tree.cost.left_over == 0),
        FeatureValue::number(score(solved).into()),
    ]);
    values
}

/// How sound a problem is.
pub(crate) fn soundness<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> Soundness {
    if solved.keys().len() != 1 {
        Soundness::Cooked
    } else if solved.tree.stats().dual_turns == 0 {
        Soundness::DualFreeTree
    } else if solved.tree.line_is_dual_free() {
        Soundness::DualFreeLine
    } else {
        Soundness::UniqueShortestKey
    }
}

/// What a solution does: the plies, and the fouls that must be allowed.
pub(crate) fn task<M: Copy + Eq, C: Copy>(solved: &BeliefSolution<M, C>) -> String {
    let fouls = match solved.fouls_allowed {
        0 => String::new(),
        fouls => format!(" with {} allowed", plural(fouls.into(), "foul")),
    };
    format!("win in {}{fouls}", solved.plies())
}

/// Points for quality, 0 to 100: 3 for each ply, 15 for each foul that must be allowed (up
/// to three), 10 for a foul that informs, 10 for a dual-free line, 15 for a dual-free
/// solution, 5 if nothing is left over.
fn score<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> u16 {
    let stats = solved.tree.stats();
    let points = 3 * solved.plies()
        + 15 * u16::from(solved.fouls_allowed.min(3))
        + 10 * u16::from(stats.informing_fouls > 0)
        + 10 * u16::from(solved.tree.line_is_dual_free())
        + 15 * u16::from(stats.dual_turns == 0)
        + 5 * u16::from(solved.tree.cost.left_over == 0);
    points.min(100)
}

fn themes<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> String {
    let (allowed, in_line) = (solved.fouls_allowed, solved.fouls_in_line());
    let words = [
        (allowed > 0).then_some("needs-foul"),
        (allowed > 1).then_some("needs-fouls"),
        (u16::from(allowed) > in_line).then_some("foul-off-the-line"),
        (solved.tree.stats().informing_fouls > 0).then_some("informing-foul"),
        (solved.tree.cost.left_over == 0).then_some("nothing-left"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The row of a solved position. Tries with one refutation are not counted. There is no table, so
/// that the slot is for the number of the position, if it has one.
pub fn row<G: Hidden>(
    game: &G,
    filter: &str,
    state: &G::State,
    solved: &BeliefSolution<G::Move, G::Clue>,
) -> PuzzleRow {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let keys = count(solved.keys().len());
    let mut checks = Vec::new();
    game.standing(state, &mut checks);
    let stats = solved.tree.stats();
    let choice = (checks.len().max(1) as f64).log2();
    let bits = choice * solved.tree.turns_of_line().len() as f64;
    let mut row = PuzzleRow {
        game: game.spec(),
        position: game.format_state(state),
        side: game.side_to_move(state).to_owned(),
        outcome: "win".to_owned(),
        plies: Some(solved.plies()),
        plies_to_checkmate: Some(solved.plies().saturating_sub(1)),
        key: game.format_move(solved.tree.mv),
        solution: line_in_words(game, solved),
        n_moves: count(checks.len()),
        n_winning: keys,
        n_best: keys,
        uniqueness: of_keys(solved.keys().len()).to_owned(),
        soundness: soundness(solved).name().to_owned(),
        variations: stats.variations,
        themes: themes(solved),
        score: score(solved).into(),
        difficulty: rounded(bits),
        filter: filter.to_owned(),
        table_fingerprint: "-".to_owned(),
        ..PuzzleRow::default()
    };
    row.ask(&task(solved));
    row
}

/// Positions that are processed together.
const BATCH: usize = 1024;

/// The step of the catalogue that has the columns of the board; the other one has those of the
/// solution.
const BOARD: usize = 0;

/// What to mine.
#[derive(Debug, Clone)]
pub struct HiddenScan<'a, S> {
    /// The source of positions.
    pub supply: &'a Supply<S>,
    /// The seed of the positions.
    pub seed: u64,
    /// The numbers of the positions.
    pub numbers: Range<u64>,
    /// The limits of each search.
    pub limits: Limits,
    /// The filters. Of one that asks for distinct finds, only the best of several with the same
    /// best line, up to symmetry, is kept.
    pub filters: &'a [Task<'a>],
}

/// The result of mining.
#[derive(Debug)]
pub struct Yield<G: Hidden> {
    /// The number of different positions generated.
    pub positions: u64,
    /// The number of positions solved.
    pub solved: u64,
    /// The number of positions given up because of effort or memory.
    pub given_up: u64,
    /// For each filter, its finds, best first, and how many it admitted in all.
    pub finds: Vec<(Vec<HiddenFind<G>>, u64)>,
}

/// Mines. Repeated positions are skipped.
///
/// # Errors
/// If the work is cancelled.
pub fn mine<G: Generator + Features + Clone>(
    game: &G,
    scan: &HiddenScan<'_, G::State>,
    progress: &dyn Progress,
) -> Result<Yield<G>, MineError> {
    let mut found = Yield {
        positions: 0,
        solved: 0,
        given_up: 0,
        finds: scan.filters.iter().map(|_| (Vec::new(), 0)).collect(),
    };
    let mut seen: HashSet<u64, FixedState> = HashSet::default();
    let mut lines = vec![HashMap::new(); scan.filters.len()];
    let Range { start, end } = scan.numbers;
    progress.begin("solving positions", end - start);
    for first in (start..end).step_by(BATCH) {
        let batch = first..end.min(first.saturating_add(BATCH as u64));
        let made = batch.clone().into_par_iter().filter_map(|number| {
            let state = scan.supply.position(game, scan.seed, number)?;
            Some((number, state))
        });
        let mut new: Vec<_> = made.collect();
        new.retain(|(_, state)| seen.insert(game.key(state)));
        found.positions += new.len() as u64;
        take(game, scan, new, &mut found, &mut lines)?;
        progress.advance(batch.end - batch.start);
        progress.go_on(MineError::Cancelled)?;
    }
    for ((finds, _), lines) in found.finds.iter_mut().zip(&lines) {
        for find in finds {
            let all = find.line_key(game).and_then(|line| lines.get(&line));
            find.similar = all.map_or(0, |all| all - 1);
        }
    }
    Ok(found)
}

/// Processes a batch. `lines` counts the finds with each best line, for filters that ask
/// for distinct finds.
fn take<G: Hidden + Features + Clone>(
    game: &G,
    scan: &HiddenScan<'_, G::State>,
    new: Vec<(u64, G::State)>,
    found: &mut Yield<G>,
    lines: &mut [HashMap<String, u64>],
) -> Result<(), MineError> {
    // First, the board decides whether any filter may admit a position.
    let mut wanted = vec![false; new.len()];
    for (predicate, _) in scan.filters {
        let test = predicate.stages[BOARD].test(new.len(), |column| {
            let measure = |(_, state): &(u64, G::State)| {
                let mut values = Vec::new();
                game.measure(state, &[column], &mut values);
                values.pop().unwrap_or(FeatureValue::NONE)
            };
            new.iter().map(measure).collect()
        });
        for (wanted, passes) in wanted.iter_mut().zip(test) {
            *wanted |= passes;
        }
    }
    let answers: Vec<_> = new
        .into_par_iter()
        .zip(wanted)
        .with_max_len(1)
        .filter(|(_, wanted)| *wanted)
        .map(|((number, state), _)| {
            let solved = solve(game, &state, &scan.limits, Mode::Fast, &NoProgress);
            (number, state, solved)
        })
        .collect();
    let mut finds = Vec::new();
    for (number, state, solved) in answers {
        match solved {
            Ok(Some(solved)) => {
                let values = values(game, &state, &solved);
                finds.push(HiddenFind {
                    number,
                    state,
                    solved,
                    values,
                    similar: 0,
                });
            }
            Ok(None) => {}
            Err(SearchError::Cancelled) => return Err(MineError::Cancelled),
            Err(SearchError::Memory(_) | SearchError::Effort(_)) => found.given_up += 1,
        }
    }
    found.solved += finds.len() as u64;
    let outcomes = found.finds.iter_mut().zip(lines);
    for (&(predicate, limit), ((kept, admitted), lines)) in scan.filters.iter().zip(outcomes) {
        let distinct = predicate.filter.distinct;
        let passes = predicate.condition.test(finds.len(), |column| {
            finds.iter().map(|find| find.values[column]).collect()
        });
        for (find, passes) in finds.iter().zip(passes) {
            if passes {
                *admitted += 1;
                if let Some(line) = find.line_key(game).filter(|_| distinct) {
                    *lines.entry(line).or_insert(0) += 1;
                }
                kept.push(find.clone());
            }
        }
        kept.sort_by(|a, b| {
            let columns = predicate.order.iter();
            compare(columns.map(|&(it, down)| (a.values[it], b.values[it], down)))
                .then(a.number.cmp(&b.number))
        });
        if distinct {
            let mut met = HashSet::new();
            kept.retain(|find| find.line_key(game).is_none_or(|line| met.insert(line)));
        }
        kept.truncate(limit.unwrap_or(usize::MAX));
    }
    Ok(())
}
