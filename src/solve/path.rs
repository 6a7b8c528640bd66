//! A shortest sequence of legal moves from one state to another, on the plain
//! board: two breadth-first searches that meet.
//!
//! A position can be entered in states that differ in the forbidden move, but two
//! of them are enough to know: the soonest, and the soonest in which another move
//! (or none) is forbidden, as any move is possible in one of the two. So too
//! backward: the move that leads on soonest, and the soonest other one, as no
//! state forbids both.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use thiserror::Error;

use crate::base::watch::Watch;
use crate::game::{Backward, Next};

/// Why there is no path.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// There is none at all.
    #[error("no sequence of legal moves leads there, however long")]
    Impossible,
    /// There is none that short.
    #[error("no sequence of at most {plies} plies leads there; allow more with --max-plies")]
    TooLong {
        /// The most plies allowed.
        plies: u16,
    },
    /// Too many positions were met.
    #[error(
        "no sequence of at most {plies} plies leads there, and after {positions} positions the search stops for want of memory; choose states closer to each other"
    )]
    TooLarge {
        /// Plies that were searched completely.
        plies: u16,
        /// Positions met.
        positions: usize,
    },
    /// The work was stopped on request.
    #[error("stopped before the end, as asked")]
    Cancelled,
}

/// Two ways to a position, or on from it: plies, and what tells them apart: the
/// move that is forbidden, or the move to be made.
#[derive(Debug, Clone, Copy)]
struct Ways<M> {
    first: (u16, Option<M>),
    second: Option<(u16, Option<M>)>,
}

/// A way that was looked for, with what tells it apart.
struct Way<M> {
    mv: Option<M>,
}

impl<M: Copy + PartialEq> Ways<M> {
    /// A way of so many plies that suits.
    fn find(&self, plies: u16, suits: impl Fn(Option<M>) -> bool) -> Option<Way<M>> {
        std::iter::once(self.first)
            .chain(self.second)
            .find(|&(length, way)| length == plies && suits(way))
            .map(|(_, mv)| Way { mv })
    }
}

/// One of the two searches: the positions met, and the ways of the last level.
struct Side<S, M> {
    met: HashMap<S, Ways<M>>,
    level: Vec<(S, Option<M>)>,
    plies: u16,
}

impl<S: Clone + Eq + Hash, M: Copy + PartialEq> Side<S, M> {
    /// Notes a way of one ply more than the last level's.
    fn meet(&mut self, position: S, way: Option<M>, next: &mut Vec<(S, Option<M>)>) {
        let entry = (self.plies + 1, way);
        match self.met.entry(position.clone()) {
            Entry::Vacant(vacant) => {
                let second = None;
                vacant.insert(Ways {
                    first: entry,
                    second,
                });
            }
            Entry::Occupied(mut known) => {
                let ways = known.get_mut();
                // Where nothing is forbidden, no other way can add anything.
                if ways.second.is_some() || ways.first.1.is_none() || ways.first.1 == way {
                    return;
                }
                ways.second = Some(entry);
            }
        }
        next.push((position, way));
    }
}

/// Both searches.
struct Search<'g, G: Backward> {
    game: &'g G,
    from: G::State,
    goal: G::State,
    /// What must be forbidden at the goal, if anything.
    wanted: Option<G::Move>,
    forward: Side<G::State, G::Move>,
    backward: Side<G::State, G::Move>,
}

/// A shortest sequence of legal moves from `from` to `to`, empty if they are the
/// same. If nothing is forbidden in `to`, any state of its position with the same
/// side to move will do. At most `most_plies` plies are tried, and about
/// `most_positions` positions held in memory.
///
/// # Errors
/// If there is no such sequence within these bounds.
pub fn shortest_path<G: Backward>(
    game: &G,
    from: &G::State,
    to: &G::State,
    most_plies: u16,
    most_positions: usize,
    watch: &impl Watch,
) -> Result<Vec<G::Move>, PathError> {
    let (start, goal) = (game.unrestricted(from), game.unrestricted(to));
    if from == to || *to == goal && start == goal {
        return Ok(Vec::new());
    }
    let mut search = Search::new(game, from, to);
    loop {
        let plies = search.forward.plies + search.backward.plies;
        if let Some(path) = search.path() {
            return Ok(path);
        }
        if plies >= most_plies {
            return Err(PathError::TooLong { plies: most_plies });
        }
        let (ahead, behind) = (search.forward.level.len(), search.backward.level.len());
        if ahead == 0 || behind == 0 {
            return Err(PathError::Impossible);
        }
        let done = if search.backward.plies > 0 && ahead <= behind {
            search.step_forward(most_positions, watch)
        } else {
            search.step_backward(most_positions, watch)
        };
        if watch.cancelled() {
            return Err(PathError::Cancelled);
        }
        if !done {
            return Err(PathError::TooLarge {
                plies,
                positions: search.positions(),
            });
        }
    }
}

impl<'g, G: Backward> Search<'g, G> {
    fn new(game: &'g G, from: &G::State, to: &G::State) -> Self {
        let (start, goal) = (game.unrestricted(from), game.unrestricted(to));
        let (forbidden, wanted) = (game.forbidden(from), game.forbidden(to));
        let mut forward = Side {
            met: HashMap::new(),
            level: vec![(start.clone(), forbidden)],
            plies: 0,
        };
        let mut backward = Side {
            met: HashMap::new(),
            level: vec![(goal.clone(), None)],
            plies: 0,
        };
        let here = |way| Ways {
            first: (0, way),
            second: None,
        };
        forward.met.insert(start, here(forbidden));
        if wanted.is_none() {
            // Nothing remains to be done there; but a path may pass through the
            // position of a restricted goal.
            backward.met.insert(goal.clone(), here(None));
        }
        Self {
            game,
            from: from.clone(),
            goal,
            wanted,
            forward,
            backward,
        }
    }

    fn positions(&self) -> usize {
        self.forward.met.len() + self.backward.met.len()
    }

    /// Searches a ply further ahead; `false` if there are too many positions.
    fn step_forward(&mut self, most: usize, watch: &impl Watch) -> bool {
        let level = std::mem::take(&mut self.forward.level);
        let stage = format!("{} plies forward", self.forward.plies + 1);
        watch.begin(&stage, level.len() as u64);
        let mut next = Vec::new();
        for (position, forbidden) in level {
            let moves = self.game.moves(&position).into_iter();
            for mv in moves.filter(|&mv| Some(mv) != forbidden) {
                if let Next::State(after) = self.game.play(&position, mv) {
                    let way = self.game.forbidden(&after);
                    let after = self.game.unrestricted(&after);
                    self.forward.meet(after, way, &mut next);
                }
            }
            if self.positions() > most || watch.cancelled() {
                return false;
            }
            watch.advance(1);
        }
        self.forward.level = next;
        self.forward.plies += 1;
        true
    }

    /// Searches a ply further back; `false` if there are too many positions.
    fn step_backward(&mut self, most: usize, watch: &impl Watch) -> bool {
        let level = std::mem::take(&mut self.backward.level);
        let stage = format!("{} plies backward", self.backward.plies + 1);
        watch.begin(&stage, level.len() as u64);
        let mut next = Vec::new();
        for (position, way) in level {
            for (before, mv) in self.game.predecessors(&position) {
                let Next::State(after) = self.game.play(&before, mv) else {
                    continue;
                };
                let forbidden = self.game.forbidden(&after);
                let leads = match way {
                    Some(way) => forbidden != Some(way),
                    None => self.wanted.is_none() || forbidden == self.wanted,
                };
                if leads {
                    self.backward.meet(before, Some(mv), &mut next);
                }
            }
            if self.positions() > most || watch.cancelled() {
                return false;
            }
            watch.advance(1);
        }
        self.backward.level = next;
        self.backward.plies += 1;
        true
    }

    /// A whole path, if the last levels meet.
    fn path(&self) -> Option<Vec<G::Move>> {
        let (forward, backward) = (&self.forward, &self.backward);
        let (position, forbidden, mv) = if forward.level.len() <= backward.level.len() {
            forward.level.iter().find_map(|(position, forbidden)| {
                let ways = backward.met.get(position)?;
                let way = ways.find(backward.plies, |mv| mv.is_none() || mv != *forbidden)?;
                Some((position, *forbidden, way.mv))
            })?
        } else {
            backward.level.iter().find_map(|(position, mv)| {
                let ways = forward.met.get(position)?;
                let suits = |forbidden: Option<G::Move>| mv.is_none() || forbidden != *mv;
                let way = ways.find(forward.plies, suits)?;
                Some((position, way.mv, *mv))
            })?
        };
        // A restricted goal itself says nothing of how it was come to.
        if mv.is_none() && (self.wanted.is_some() || *position != self.goal) {
            return None;
        }
        let mut path = self.trace_back(position, forbidden)?;
        path.extend(self.trace_on(position, mv)?);
        Some(path)
    }

    /// Moves from the start to a state that the forward search has just met.
    fn trace_back(&self, position: &G::State, forbidden: Option<G::Move>) -> Option<Vec<G::Move>> {
        let (mut position, mut forbidden) = (position.clone(), forbidden);
        let mut path = Vec::new();
        for plies in (0..self.forward.plies).rev() {
            let (before, mv, way) =
                self.game
                    .predecessors(&position)
                    .into_iter()
                    .find_map(|(before, mv)| {
                        let after = match self.game.play(&before, mv) {
                            Next::State(after) => self.game.forbidden(&after),
                            Next::Over(_) => return None,
                        };
                        let ways = self.forward.met.get(&before)?;
                        let way = ways.find(plies, |way| way != Some(mv))?;
                        (after == forbidden).then_some((before, mv, way.mv))
                    })?;
            path.push(mv);
            (position, forbidden) = (before, way);
        }
        path.reverse();
        (position == self.game.unrestricted(&self.from)).then_some(path)
    }

    /// Moves to the goal from a state that the backward search has just met, the
    /// first of them given.
    fn trace_on(&self, position: &G::State, first: Option<G::Move>) -> Option<Vec<G::Move>> {
        let (mut position, mut next) = (position.clone(), first);
        let mut path = Vec::new();
        for plies in (0..self.backward.plies).rev() {
            let mv = next?;
            let Next::State(after) = self.game.play(&position, mv) else {
                return None;
            };
            path.push(mv);
            position = self.game.unrestricted(&after);
            if plies > 0 {
                let forbidden = self.game.forbidden(&after);
                let ways = self.backward.met.get(&position)?;
                let way = ways.find(plies, |mv| mv.is_some() && mv != forbidden)?;
                next = way.mv;
            }
        }
        (position == self.goal).then_some(path)
    }
}
