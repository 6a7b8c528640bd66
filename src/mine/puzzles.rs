//! The puzzles of a scan: the best ones, without similar ones.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::error::MineError;
use super::filter::Filter;
use super::frame::Minable;
use super::puzzle::{Describer, Find, PuzzleRow, add_profile, solved_mate};
use super::scan::Scan;
use super::solved::Solved;
use crate::analysis::{Analysis, Line, Looker, Quality, Solution, Story, firsts, key_of_line};
use crate::base::progress::Progress;
use crate::base::threads;
use crate::game::Game;

/// The rows of a scan's finds with their states, at most `limit`. They are in the filter's
/// order or, if it has a shortlist, by descending score, with equal ones in the filter's
/// order. If the filter asks for distinct finds, only the first of similar ones is kept.
///
/// The scan should have kept as many finds as [`scanned`](Filter::scanned) says. Solving many finds
/// is much faster if a packed table is loaded.
///
/// # Errors
/// If the table cannot be read, or the work is cancelled.
pub fn puzzles<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    filter: &Filter,
    scan: Scan<G::State>,
    limit: Option<usize>,
    progress: &dyn Progress,
) -> Result<Vec<(PuzzleRow, G::State)>, MineError> {
    if let Some(depth) = filter.against {
        source.find_lures(game, &[depth], progress)?;
    }
    let finds = scan.finds;
    let solving = Solving {
        game,
        source,
        filter,
        finds: &finds,
        progress,
    };
    let limit = limit.unwrap_or(usize::MAX).min(finds.len());
    if filter.shortlist.is_some() || (filter.against.is_some() && filter.distinct) {
        return solving.profiled(solving.best(limit)?);
    }
    let firsts = if filter.distinct {
        solving.firsts()?
    } else {
        (0..limit).map(|place| (place, 0)).collect()
    };
    let (places, similar): (Vec<_>, Vec<_>) = firsts.into_iter().take(limit).unzip();
    progress.begin("solving puzzles", places.len() as u64);
    let mut solved = solving.solve(&places)?;
    for (solved, similar) in solved.iter_mut().zip(similar) {
        solved.row.similar = similar;
    }
    solving.profiled(solved)
}

/// Finds that are solved at least together, before the best are looked for among them.
const TOGETHER: usize = 64;

/// Finds after which the memory of a mapped table is given back: each one reads thousands of its
/// pages, at random places.
const READING: usize = 512;

/// How many of some finds a thread takes together: what it needs for them is made once.
fn together(finds: usize) -> usize {
    finds.div_ceil(64).clamp(1, 16)
}

struct Solving<'a, G: Minable> {
    game: &'a G,
    source: &'a Solved<'a>,
    filter: &'a Filter,
    finds: &'a [Find<G::State>],
    progress: &'a dyn Progress,
}

struct SolvedFind<G: Game> {
    place: usize,
    row: PuzzleRow,
    line: Line<G>,
    /// What similar finds share, if they are to be left out.
    key: Option<Vec<G::Move>>,
}

/// What is known of a find without its solution tree.
struct Preview<M> {
    /// The score is at most this.
    bound: u32,
    /// The key of the [`SolvedFind`].
    key: Option<Vec<M>>,
}

impl<G: Minable> Solving<'_, G> {
    /// The rows of finds, given by their places, in that order.
    fn solve(&self, places: &[usize]) -> Result<Vec<SolvedFind<G>>, MineError> {
        let (game, name) = (self.game, &self.filter.name);
        let describer = Describer {
            game,
            oracle: self.source.oracle(),
            filter: name,
        };
        let lures = self.filter.against.map(|depth| self.source.lures(depth));
        // What players see of a position is remembered from one find to the next.
        let looking = || lures.map(|lures| (lures, Looker::new(self.game)));
        self.each(places, looking, |looking, place, find| {
            let (row, solution) = match looking {
                None if self.filter.asks_mates() => {
                    describer.mate(&find.state)?.ok_or_else(|| self.no_mate(find))?
                }
                None => describer.row(&find.state)?,
                Some(looking) => describer.swindle(&find.state, looking)?.ok_or_else(|| {
                    let position = game.format_state(&find.state);
                    let depth = looking.0.depth;
                    MineError::Refused(format!(
                        "filter {name}: no move forces a mistake of a player who looks {depth} ahead in {position}; add 'swindle_{depth} IS NOT NULL' to the condition"
                    ))
                })?,
            };
            Ok(SolvedFind {
                place,
                row,
                key: self.key(&solution),
                line: solution.steps,
            })
        })
    }

    /// The first find of every group of similar ones, and how many more are in the group. Only finds
    /// whose solution has at least two moves of the solver are grouped; shorter ones would all be
    /// alike.
    fn firsts(&self) -> Result<Vec<(usize, u64)>, MineError> {
        let (game, oracle) = (self.game, &self.source.oracle());
        let key = |find: &Find<G::State>| {
            let steps = Analysis::new(game, oracle, &find.state)?.line(game, oracle)?;
            let moves: Vec<_> = steps.iter().map(|step| step.mv).collect();
            Ok::<_, MineError>(key_of_line(game, &moves))
        };
        let keys: Vec<_> = threads::try_map(self.finds, key)?;
        Ok(firsts(&keys))
    }

    /// What is known of all finds without their trees.
    fn previews(&self) -> Result<Vec<Preview<G::Move>>, MineError> {
        let (game, oracle) = (self.game, &self.source.oracle());
        let places: Vec<_> = (0..self.finds.len()).collect();
        self.progress.begin("comparing finds", places.len() as u64);
        self.each(
            &places,
            || (),
            |(), _, find| {
                let solution = if self.filter.asks_mates() {
                    let found = solved_mate(game, oracle, &find.state, 0)?;
                    found.ok_or_else(|| self.no_mate(find))?.1
                } else {
                    Solution::new(game, oracle, &find.state, 0)?
                };
                let story = Story::new(game, oracle, &solution)?;
                Ok(Preview {
                    bound: Quality::bound(&solution, &story).total.into(),
                    key: self.key(&solution),
                })
            },
        )
    }

    fn no_mate(&self, find: &Find<G::State>) -> MineError {
        MineError::Refused(format!(
            "filter {}: the shortest win is no mate by checks alone in {}; add 'outcome = 'win' AND mate = plies - {}' to the condition",
            self.filter.name,
            self.game.format_state(&find.state),
            self.game.plies_after_mate().unwrap_or(0)
        ))
    }

    fn key(&self, solution: &Solution<G>) -> Option<Vec<G::Move>> {
        let key = || key_of_line(self.game, &solution.line);
        self.filter.distinct.then(key).flatten()
    }

    /// Asks about finds, given by their places, with something that threads do not share.
    fn each<W, A: Send>(
        &self,
        places: &[usize],
        with: impl Fn() -> W + Sync + Send,
        ask: impl Fn(&mut W, usize, &Find<G::State>) -> Result<A, MineError> + Sync,
    ) -> Result<Vec<A>, MineError> {
        let done = AtomicUsize::new(0);
        let answers = threads::try_map(places.chunks(together(places.len())), |places| {
            let mut with = with();
            let answers = places.iter().map(|&place| {
                self.progress.go_on(MineError::Cancelled)?;
                let answer = ask(&mut with, place, &self.finds[place])?;
                if done.fetch_add(1, Relaxed) % READING == READING - 1 {
                    self.source.table.forget_all();
                }
                self.progress.advance(1);
                Ok(answer)
            });
            answers.collect::<Result<Vec<_>, MineError>>()
        })?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// The rows with the profiles of their main lines, which only rows that are kept need.
    fn profiled(
        &self,
        mut solved: Vec<SolvedFind<G>>,
    ) -> Result<Vec<(PuzzleRow, G::State)>, MineError> {
        if self.filter.against.is_none() {
            let game = self.game;
            self.progress.begin("looking ahead", solved.len() as u64);
            let together = together(solved.len());
            threads::try_map(solved.chunks_mut(together), |some| {
                let mut looker = Looker::new(game);
                some.iter_mut()
                    .try_for_each(|SolvedFind { row, line, .. }| {
                        self.progress.go_on(MineError::Cancelled)?;
                        add_profile(&mut looker, &self.source.oracle(), line, row)?;
                        self.progress.advance(1);
                        Ok::<_, MineError>(())
                    })
            })?;
            self.source.table.forget_all();
        }
        let state = |place: usize| self.finds[place].state.clone();
        let rows = solved.into_iter().map(|it| (it.row, state(it.place)));
        Ok(rows.collect())
    }

    /// The best finds, at most `limit`, by descending score; without similar ones,
    /// if the filter asks for that.
    ///
    /// The tree takes nearly all the time of a solution, and adds few points. So finds are
    /// solved in the order of the most points that they can get, until none that is left can be
    /// among the best.
    fn best(&self, limit: usize) -> Result<Vec<SolvedFind<G>>, MineError> {
        let count = self.finds.len();
        // A swindle has no preview: its line is one of its tree.
        let previews = if limit < count && self.filter.against.is_none() {
            self.previews()?
        } else {
            Vec::new()
        };
        let bound = |place: usize| previews.get(place).map_or(u32::MAX, |it| it.bound);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&place| Reverse(bound(place)));
        let mut left = &order[..];
        let mut solved = Vec::new();
        self.progress.begin("solving puzzles", count as u64);
        while let Some(&next) = left.first() {
            let enough = groups(&solved, bound(next));
            if enough >= limit {
                break;
            }
            let (some, later) = left.split_at((limit - enough).max(TOGETHER).min(left.len()));
            left = later;
            solved.extend(self.solve(some)?);
            let ranked = self.filter.shortlist.is_some();
            let score = |solved: &SolvedFind<G>| if ranked { solved.row.score } else { 0 };
            solved.sort_by_key(|solved| (Reverse(score(solved)), solved.place));
        }
        self.progress.advance(left.len() as u64);
        let mut keys: Vec<_> = solved.iter_mut().map(|solved| solved.key.take()).collect();
        let of_preview = |&place: &usize| Some(previews.get(place)?.key.clone());
        keys.extend(left.iter().filter_map(of_preview));
        let mut solved: Vec<_> = solved.into_iter().map(Some).collect();
        let firsts = firsts(&keys).into_iter().filter_map(|(first, more)| {
            let mut found = solved.get_mut(first)?.take()?;
            found.row.similar += more;
            Some(found)
        });
        Ok(firsts.take(limit).collect())
    }
}

/// How many groups of similar finds, among these by descending score, have a score above
/// `score`.
fn groups<G: Game>(solved: &[SolvedFind<G>], score: u32) -> usize {
    let above = solved.iter().take_while(|solved| solved.row.score > score);
    let keys: Vec<_> = above.map(|solved| solved.key.as_ref()).collect();
    firsts(&keys).len()
}
