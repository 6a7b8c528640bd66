//! Solving a problem: plies, fouls, keys, best line and statistics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::search::{Counts, Goal, Limits, Metaposition, Mode, Result, Search};
use super::tree::{AttackerTurn, LineStep};
use crate::base::progress::Progress;
use crate::game::Hidden;

/// The solution of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeliefSolution<M, C> {
    /// The solution tree.
    pub tree: Arc<AttackerTurn<M, C>>,
    /// Number of fouls that must be allowed.
    pub fouls_allowed: u8,
    /// Solutions with fewer fouls allowed and more plies, within [`Limits::beyond`].
    pub others: Vec<Level>,
    /// The work that the search took.
    pub statistics: Statistics,
}

/// A solution with fewer fouls allowed and more plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Number of plies.
    pub plies: u8,
    /// Number of fouls that must be allowed.
    #[serde(rename = "fouls_allowed")]
    pub fouls: u8,
}

/// The work that a search took, in the terms of the paper. A metaposition counts when it
/// is generated, with the attacker to move; the given position is included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    all: Counts,
    /// M, P and MP: the last stage, which finds the best line once plies and fouls are known.
    pub(crate) best: Counts,
    plies: u16,
    /// Wall-clock time of the first stage.
    pub(crate) proving: Duration,
    /// TB: wall-clock time of the last stage.
    pub(crate) choosing: Duration,
}

impl Statistics {
    /// TM and TP: metapositions generated, and positions in them.
    pub const fn total(&self) -> (u64, u64) {
        (self.all.metapositions, self.all.positions)
    }

    /// AP: positions per metaposition of the last stage, on average.
    pub(crate) fn average(&self) -> f64 {
        self.best.positions as f64 / self.best.metapositions.max(1) as f64
    }

    /// BM and BP: effective branching factors by metapositions and by positions, the `n`-th
    /// roots of M and P for a solution of `n` plies.
    pub(crate) fn branching(&self) -> (f64, f64) {
        let root = |count: u64| (count as f64).powf(1.0 / f64::from(self.plies.max(1)));
        (root(self.best.metapositions), root(self.best.positions))
    }

    /// Positions generated, whether in a metaposition or not.
    pub const fn looked_at(&self) -> u64 {
        self.all.looked_at
    }
}

impl<M: Copy + Eq, C: Copy> BeliefSolution<M, C> {
    /// Number of plies of the solution.
    pub fn plies(&self) -> u16 {
        self.tree.cost.plies
    }

    /// Number of fouls on the best line.
    pub fn fouls_in_line(&self) -> u16 {
        self.tree.cost.fouls
    }

    /// The best line.
    pub fn line(&self) -> Vec<LineStep<M, C>> {
        self.tree.line()
    }

    /// The first moves that solve the problem in as few plies and allowed fouls, the best
    /// one first.
    pub fn keys(&self) -> Vec<M> {
        let mut keys = vec![self.tree.mv];
        keys.extend_from_slice(&self.tree.duals);
        keys
    }
}

/// Solves a problem; `None` if it has no solution within the limits.
///
/// ```
/// use tesuji::base::progress::NoProgress;
/// use tesuji::game::Game;
/// use tesuji::games::tsuitate::Tsuitate;
/// use tesuji::solve::belief::{Limits, Mode, solve};
///
/// let game = Tsuitate::default();
/// let state = game.parse_state("l8/1kP6/2p6/1P7/9/9/9/9/9 b GS 1")?;
/// let solution = solve(&game, &state, &Limits::new(5, 1), Mode::Fast, &NoProgress)?;
/// let solution = solution.ok_or("no solution")?;
/// assert_eq!((solution.plies(), solution.fouls_allowed), (3, 0));
/// assert_eq!(game.format_move(solution.keys()[0]), "G*8c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the work is cancelled, or a limit of memory or effort is reached.
pub fn solve<G: Hidden>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    mode: Mode,
    progress: &dyn Progress,
) -> Result<Option<BeliefSolution<G::Move, G::Clue>>> {
    let mut search = Search::new(game, mode, limits, progress);
    let mut goal = Goal {
        all: Metaposition::of(game, vec![state.clone()]),
        plies: 0,
        fouls: 0,
    };
    let begun = Instant::now();
    for plies in (1..=limits.plies).step_by(2) {
        if !search.wins_with_perfect_information(state, plies)? {
            continue;
        }
        for fouls in 0..=limits.fouls {
            search.count(1);
            (goal.plies, goal.fouls) = (plies, fouls);
            if !search.proves(&goal)? {
                continue;
            }
            let proving = begun.elapsed();
            let before = search.counts;
            search.counts = Counts::default();
            search.count(1);
            let begun = Instant::now();
            let tree = search.best(goal.clone())?;
            let choosing = begun.elapsed();
            let best = search.counts;
            search.counts = before.plus(best);
            let others = others(&mut search, goal, limits)?;
            return Ok(tree.map(|tree| BeliefSolution {
                tree,
                fouls_allowed: fouls,
                others,
                statistics: Statistics {
                    all: before.plus(best),
                    best,
                    plies: plies.into(),
                    proving,
                    choosing,
                },
            }));
        }
    }
    Ok(None)
}

/// Solutions with fewer fouls and more plies than the shortest one.
fn others<G: Hidden>(
    search: &mut Search<'_, G>,
    mut goal: Goal<G::State>,
    limits: &Limits,
) -> Result<Vec<Level>> {
    let mut others = Vec::new();
    let mut fewest = goal.fouls;
    let last = goal.plies.saturating_add(limits.beyond);
    for plies in (goal.plies + 2..=last.min(Limits::MOST_PLIES)).step_by(2) {
        for fouls in 0..fewest {
            (goal.plies, goal.fouls) = (plies, fouls);
            if search.proves(&goal)? {
                others.push(Level { plies, fouls });
                fewest = fouls;
                break;
            }
        }
    }
    Ok(others)
}
