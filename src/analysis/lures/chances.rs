//! The lurer's best chances against one player.

use std::sync::Arc;

use crate::analysis::lures::chunks::{CHUNK, Chunk, NONE, place_of};
use crate::analysis::lures::graph::DrawnGraph;
use crate::analysis::lures::likes::Likes;
use crate::analysis::lures::sweeps::{Forced, Lurer, Sweeps, Swept};
use crate::analysis::lures::{END, LureError, ONE, Result};
use crate::base::progress::Progress;
use crate::game::Retrograde;
use crate::solve::look_ahead::KEPT;

/// The drawn positions of a game, and the chances of the lurer in them against players of one
/// depth.
#[derive(Debug)]
pub struct Lures {
    pub(super) graph: Arc<DrawnGraph>,
    /// How many plies ahead the opponent looks.
    pub depth: u8,
    /// What is liked at this depth, and maybe at others.
    pub likes: Arc<Likes>,
    /// Within one move of the opponent less.
    before: Vec<Lurer>,
    forced: Vec<Forced>,
    /// What each sweep found, for 1, 2, ... moves of the opponent.
    pub swept: Vec<Swept>,
}

/// A move of the lurer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lure {
    /// The slot that the move leads to; `None` if it ends the game.
    pub slot: Option<u64>,
    /// The number of the move that is forbidden there.
    pub forbidden: Option<u8>,
    /// The chance that the opponent goes wrong, in units of 1 / [`ONE`].
    pub chance: u32,
    /// Moves of the opponent within which they go wrong whatever they choose.
    pub forced: Option<u8>,
}

impl Lures {
    /// Finds the chances within `moves` moves of the opponent, who looks `depth` plies ahead,
    /// for each of some depths, in rising order. Positions in which the opponent goes wrong
    /// in any case are followed to the last, if it takes up to 255 moves.
    ///
    /// The chances of the position `follow` are part of what each sweep finds. `visit` gets the
    /// chances of each depth in turn.
    ///
    /// # Errors
    /// If memory is short, the work is cancelled, or `visit` fails.
    ///
    /// # Panics
    /// If a depth is not from 1 to [`DEEPEST`](crate::analysis::lures::DEEPEST), or `moves` is 0.
    pub fn each<G: Retrograde, E: From<LureError>>(
        game: &G,
        graph: &Arc<DrawnGraph>,
        depths: &[u8],
        moves: u8,
        follow: Option<u32>,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        assert!(moves > 0, "a move");
        let runs = depths.chunk_by(|a, b| a + 1 == *b);
        for some in runs.flat_map(|run| run.chunks(KEPT)) {
            let likes = Likes::new(game, graph, some[0]..=some[some.len() - 1], progress)?;
            let likes = Arc::new(likes);
            for &depth in some {
                visit(Self::of(graph, &likes, depth, moves, follow, progress)?)?;
            }
        }
        Ok(())
    }

    /// [`each`](Self::each), for one depth.
    fn of(
        graph: &Arc<DrawnGraph>,
        likes: &Arc<Likes>,
        depth: u8,
        moves: u8,
        follow: Option<u32>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut sweeps = Sweeps::new(graph, likes, depth)?;
        let (mut before, mut swept) = (Vec::new(), Vec::new());
        for sweep in 1..=u8::MAX {
            if sweep == moves {
                before.extend(sweeps.lurer());
            }
            let stage = format!("depth {depth}: sweep {sweep}");
            progress.begin(&stage, 2 * graph.len() as u64);
            let (found, more) = sweeps.sweep(sweep, follow, progress)?;
            if sweep <= moves {
                swept.push(found);
            }
            if sweep >= moves && !more {
                break;
            }
        }
        Ok(Self {
            graph: Arc::clone(graph),
            depth,
            likes: Arc::clone(likes),
            before,
            forced: sweeps.forced,
            swept,
        })
    }

    /// In a drawn state in which the lurer is to move, moves of the opponent within which they go
    /// wrong whatever they choose; `None` if they need not.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn forced(&self, number: u32, forbidden: Option<u8>) -> Option<u8> {
        self.forced_without(number, forbidden.unwrap_or(NONE))
    }

    fn forced_without(&self, number: u32, forbidden: u8) -> Option<u8> {
        let forced = self.forced[number as usize];
        let moves = forced.within[usize::from(forced.number == forbidden)];
        (moves > 0).then_some(moves)
    }

    /// How many positions that are drawn with nothing forbidden are lost for the opponent within
    /// 1, 2, ... moves of theirs, and no earlier, whatever they choose.
    pub(crate) fn histogram(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for (number, forced) in self.forced.iter().enumerate() {
            let chunk = &self.graph.chunks[number / CHUNK];
            let moves = usize::from(forced.within[0]);
            if moves == 0 || !chunk.is_drawn_free(number % CHUNK) {
                continue;
            }
            counts.resize(counts.len().max(moves), 0);
            counts[moves - 1] += 1;
        }
        counts
    }

    /// Finds every position that is drawn with nothing forbidden once more, from the positions
    /// after its moves, and compares: moves within which a mistake is forced, and the sum of the
    /// chances. Returns the number of positions.
    ///
    /// # Errors
    /// If something differs, or the work is cancelled.
    pub fn verify(&self, progress: &dyn Progress) -> Result<u64> {
        let stage = format!("depth {}: verifying", self.depth);
        let chunks = self.graph.by_chunk(&stage, progress, |place, chunk| {
            let (mut positions, mut sum) = (0, 0);
            for at in (0..chunk.len()).filter(|&at| chunk.is_drawn_free(at)) {
                let number = u32::try_from(place * CHUNK + at).unwrap_or(u32::MAX);
                let (mut best, mut soonest) = (0, None);
                for arc in chunk.arc_range(at) {
                    let (chance, forced) = self.worth(place, arc);
                    best = chance.max(best);
                    soonest = soonest.into_iter().chain(forced).min();
                }
                if soonest != self.forced(number, None) {
                    let first = format!(", first in slot {}", self.graph.slot(number));
                    return Err(self.unsound(&first));
                }
                positions += 1;
                sum += u64::from(best);
            }
            Ok((positions, sum))
        })?;
        let (mut positions, mut sum) = (0, 0);
        for chunk in chunks {
            let found = chunk?;
            (positions, sum) = (positions + found.0, sum + found.1);
        }
        if self.swept.last().is_some_and(|swept| swept.sum != sum) {
            return Err(self.unsound(""));
        }
        Ok(positions)
    }

    fn unsound(&self, place: &str) -> LureError {
        LureError::Refused(format!(
            "lures at depth {} are not what follows from the positions after the moves{place}: the memory of the machine may be faulty; find them again",
            self.depth
        ))
    }

    /// The lurer's moves in a drawn state, in the order of their numbers in the stored position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn moves(&self, number: u32, forbidden: Option<u8>) -> Vec<Lure> {
        let (place, at) = place_of(number);
        let chunk = &self.graph.chunks[place];
        let arcs = chunk.arc_range(at);
        let arcs = arcs.filter(|&arc| Some(chunk.keys[arc].number) != forbidden);
        let lures = arcs.map(|arc| {
            let (child, forbidden) = (chunk.child(arc), chunk.keys[arc].forbidden);
            let (chance, forced) = self.worth(place, arc);
            Lure {
                slot: (child != END).then(|| self.graph.slot(child)),
                forbidden: (forbidden != NONE).then_some(forbidden),
                chance,
                forced,
            }
        });
        lures.collect()
    }

    /// The chance after a move of the lurer, and moves of the opponent within which they go wrong
    /// whatever they choose.
    fn worth(&self, place: usize, arc: usize) -> (u32, Option<u8>) {
        let chunk = &self.graph.chunks[place];
        let child = chunk.child(arc);
        if child == END {
            return (0, None);
        }
        let liked = self.likes.chunks[place].is_forbidden_liked(arc, self.lane());
        let lost = chunk.forbidden_loses(arc) && liked;
        self.replies(child, chunk.keys[arc].forbidden, lost)
    }

    fn lane(&self) -> usize {
        self.likes.lane(self.depth)
    }

    /// The chance that the opponent goes wrong in a state, and moves within which they must. It is
    /// said whether a forbidden move is one that loses and that they like.
    fn replies(&self, number: u32, forbidden: u8, lost: bool) -> (u32, Option<u8>) {
        let lane = self.lane();
        let (place, at) = place_of(number);
        let (chunk, liked) = (&self.graph.chunks[place], &self.likes.chunks[place]);
        let free = || {
            let arcs = chunk.arc_range(at);
            arcs.filter(|&arc| chunk.keys[arc].number != forbidden)
        };
        let [losing, losing_second] = liked.losing(at, lane);
        let first = free().filter(|&arc| liked.is_liked(arc, lane));
        let found = self.mean(chunk, losing - u8::from(lost), first);
        found.unwrap_or_else(|| {
            let second = free().filter(|&arc| liked.is_second(arc, lane));
            self.mean(chunk, losing_second, second).unwrap_or((0, None))
        })
    }

    /// The mean over losing moves and moves that keep the draw, and moves within which the
    /// opponent goes wrong; `None` if there is no move.
    fn mean(
        &self,
        chunk: &Chunk,
        losing: u8,
        arcs: impl Iterator<Item = usize>,
    ) -> Option<(u32, Option<u8>)> {
        let mut count = u32::from(losing);
        let (mut sum, mut within) = (count * ONE, Some(0));
        for arc in arcs {
            count += 1;
            let (child, forbidden) = (chunk.child(arc), chunk.keys[arc].forbidden);
            if child == END {
                within = None;
                continue;
            }
            sum += self.before[child as usize].without(forbidden);
            let forced = self.forced_without(child, forbidden);
            within = within.zip(forced).map(|(a, b): (u8, u8)| a.max(b));
        }
        let within = within.map(|within| within.saturating_add(1));
        Some((sum.checked_div(count)?, within))
    }
}
