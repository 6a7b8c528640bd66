//! The lurer's best chances against one player.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::chunk::{Arc, CHUNK, NONE};
use super::graph::DrawnGraph;
use super::lanes::Lanes;
use super::words::Lurer;
use super::{END, LureError, ONE};
use crate::base::watch::Watch;

/// Graphs with more positions are worked on for two depths at a time, others for four: what is
/// known of a position at several depths shares a cache line, but takes memory.
const LARGE: usize = 1 << 24;

/// Of a position: the number of a best move, moves of the opponent within which they go wrong
/// whatever they choose, or 0; and the same if that best move is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forced {
    pub number: u8,
    pub within: [u8; 2],
}

/// The chances of the lurer against players of one depth.
#[derive(Debug)]
pub struct Chances {
    depth: u8,
    /// Within one move of the opponent less.
    before: Vec<Lurer>,
    forced: Vec<Forced>,
    swept: Vec<Swept>,
}

/// What a sweep found, over the positions that are drawn with nothing forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// The sum of the best chances, in units of 1 / [`ONE`].
    pub sum: u64,
    /// The sum of the chances if the opponent is to move.
    pub opponent_sum: u64,
    /// Number of positions in which the opponent goes wrong whatever they choose.
    pub forced: u64,
    /// Of the position that is followed, the chance with the lurer to move, and with the
    /// opponent.
    pub followed: [u32; 2],
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

impl Chances {
    /// Finds the chances within `moves` moves of the opponent, who looks `depth` plies ahead,
    /// for each of some depths that follow each other. Positions in which the opponent goes wrong
    /// in any case are followed to the last, if it takes up to 255 moves.
    ///
    /// The chances of the position `follow` are part of what each sweep finds. `visit` gets the
    /// chances of each depth in turn, and returns whether to go on.
    ///
    /// # Errors
    /// If the watch cancels.
    ///
    /// # Panics
    /// If a depth is not among those of the graph, or `moves` is not from 1 to 255.
    pub fn each(
        graph: &DrawnGraph,
        depths: RangeInclusive<u8>,
        moves: u8,
        follow: Option<u32>,
        watch: &impl Watch,
        mut visit: impl FnMut(Self) -> bool,
    ) -> Result<(), LureError> {
        assert!(
            *depths.start() >= 1 && *depths.end() <= graph.depths() && moves > 0,
            "depths of the graph, and a move"
        );
        let depths: Vec<u8> = depths.collect();
        if graph.len() > LARGE {
            return Self::by_lanes::<2>(graph, &depths, moves, follow, watch, &mut visit);
        }
        Self::by_lanes::<4>(graph, &depths, moves, follow, watch, &mut visit)
    }

    /// [`each`](Self::each), for `LANES` depths at a time.
    fn by_lanes<const LANES: usize>(
        graph: &DrawnGraph,
        depths: &[u8],
        moves: u8,
        follow: Option<u32>,
        watch: &impl Watch,
        visit: &mut impl FnMut(Self) -> bool,
    ) -> Result<(), LureError> {
        for some in depths.chunks(LANES) {
            let mut lanes = Lanes::<LANES>::new(graph, some);
            let mut before = Vec::new();
            let mut swept = vec![Vec::new(); some.len()];
            for sweep in 1..=u8::MAX {
                if sweep == moves {
                    before.clone_from(&lanes.lurer);
                }
                let deepest = some.last().copied().unwrap_or_default();
                watch.begin(
                    &format!("depths {} to {deepest}: sweep {sweep}", some[0]),
                    2 * graph.len() as u64,
                );
                let (found, changed) = lanes.sweep(sweep, watch);
                if watch.cancelled() {
                    return Err(LureError::Cancelled);
                }
                if sweep <= moves {
                    for (lane, (swept, mut found)) in swept.iter_mut().zip(found).enumerate() {
                        found.followed = lanes.followed(follow, lane);
                        swept.push(found);
                    }
                }
                if sweep >= moves && !changed {
                    break;
                }
            }
            for ((lane, &depth), swept) in some.iter().enumerate().zip(swept) {
                let found = Self {
                    depth,
                    before: before.iter().map(|lanes| lanes[lane]).collect(),
                    forced: lanes.forced.iter().map(|lanes| lanes[lane]).collect(),
                    swept,
                };
                if !visit(found) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// How many plies ahead the opponent looks.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// What each sweep found, for 1, 2, ... moves of the opponent.
    #[must_use]
    pub fn swept(&self) -> &[Swept] {
        &self.swept
    }

    /// The lurer's best chance in a drawn state, in units of 1 / [`ONE`].
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn chance(&self, graph: &DrawnGraph, number: u32, forbidden: Option<u8>) -> u32 {
        let moves = self.moves(graph, number, forbidden);
        moves.iter().map(|lure| lure.chance).max().unwrap_or(0)
    }

    /// In a drawn state in which the lurer is to move, moves of the opponent within which they go
    /// wrong whatever they choose; `None` if they need not.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
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
    #[must_use]
    pub fn histogram(&self, graph: &DrawnGraph) -> Vec<u64> {
        let mut counts = Vec::new();
        for (number, forced) in self.forced.iter().enumerate() {
            let chunk = &graph.chunks[number / CHUNK];
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
    /// [`LureError::Unsound`] if something differs, and if the watch cancels.
    pub fn verify(&self, graph: &DrawnGraph, watch: &impl Watch) -> Result<u64, LureError> {
        watch.begin(
            &format!("depth {}: verifying", self.depth),
            graph.len() as u64,
        );
        let chunks = graph.chunks.par_iter().enumerate().map(|(place, chunk)| {
            if watch.cancelled() {
                return Err(LureError::Cancelled);
            }
            let (mut positions, mut sum) = (0, 0);
            let drawn = (0..chunk.len()).filter(|&at| chunk.is_drawn_free(at));
            for at in drawn {
                let number = u32::try_from(place * CHUNK + at).unwrap_or(u32::MAX);
                let (mut best, mut soonest) = (0, None);
                for lure in self.moves(graph, number, None) {
                    best = lure.chance.max(best);
                    let earlier = |now: u8| soonest.is_none_or(|soonest| now < soonest);
                    if lure.forced.is_some_and(earlier) {
                        soonest = lure.forced;
                    }
                }
                if soonest != self.forced(number, None) {
                    let (depth, slot) = (self.depth, Some(graph.slot(number)));
                    return Err(LureError::Unsound { depth, slot });
                }
                positions += 1;
                sum += u64::from(best);
            }
            watch.advance(chunk.len() as u64);
            Ok((positions, sum))
        });
        let (positions, sum) = chunks.try_reduce(|| (0, 0), |a, b| Ok((a.0 + b.0, a.1 + b.1)))?;
        if self.swept.last().is_some_and(|swept| swept.sum != sum) {
            let (depth, slot) = (self.depth, None);
            return Err(LureError::Unsound { depth, slot });
        }
        Ok(positions)
    }

    /// Positions that make good problems, the best first, at most `most`: drawn with nothing
    /// forbidden, with two moves or more that keep the draw, of which only one forces a mistake.
    /// Those are best that take longest, and of these those with the most moves that keep the
    /// draw.
    #[must_use]
    pub fn problems(&self, graph: &DrawnGraph, most: usize) -> Vec<u32> {
        let numbers = 0..u32::try_from(graph.len()).unwrap_or(u32::MAX);
        let mut found: Vec<(u8, usize, u32)> = numbers
            .into_par_iter()
            .filter_map(|number| {
                let moves = self.forced_without(number, NONE)?;
                let (chunk, at) = (graph.chunk(number), number as usize % CHUNK);
                let arcs = chunk.arc_range(at).len();
                if !chunk.is_drawn_free(at) || arcs < 2 {
                    return None;
                }
                let forcing = graph.arcs(number).map(|arc| self.lure(graph, arc));
                let forcing = forcing.filter(|lure| lure.forced.is_some()).count();
                (forcing == 1).then_some((moves, arcs, number))
            })
            .collect();
        found.sort_by_key(|&(moves, arcs, number)| (Reverse((moves, arcs)), number));
        found.truncate(most);
        found.into_iter().map(|(_, _, number)| number).collect()
    }

    /// The lurer's moves in a drawn state, in the order of their numbers in the stored position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn moves(&self, graph: &DrawnGraph, number: u32, forbidden: Option<u8>) -> Vec<Lure> {
        let arcs = graph
            .arcs(number)
            .filter(|arc| Some(arc.number) != forbidden);
        arcs.map(|arc| self.lure(graph, arc)).collect()
    }

    fn lure(&self, graph: &DrawnGraph, arc: Arc) -> Lure {
        if arc.child == END {
            return Lure {
                slot: None,
                forbidden: None,
                chance: 0,
                forced: None,
            };
        }
        let bit = 1 << (self.depth - 1);
        let lost = arc.forbidden_loses && arc.forbidden_liked & bit != 0;
        let (chance, forced) = self.replies(graph, arc.child, arc.forbidden, lost);
        Lure {
            slot: Some(graph.slot(arc.child)),
            forbidden: (arc.forbidden != NONE).then_some(arc.forbidden),
            chance,
            forced,
        }
    }

    /// With the opponent to move in a position with nothing forbidden that is drawn, the chance
    /// that they go wrong, in units of 1 / [`ONE`], and moves within which they do whatever they
    /// choose.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn opponent_to_move(&self, graph: &DrawnGraph, number: u32) -> (u32, Option<u8>) {
        self.replies(graph, number, NONE, false)
    }

    /// The chance that the opponent goes wrong in a state, and moves within which they must. It is
    /// said whether a forbidden move is one that loses and that they like.
    fn replies(
        &self,
        graph: &DrawnGraph,
        number: u32,
        forbidden: u8,
        lost: bool,
    ) -> (u32, Option<u8>) {
        let lane = usize::from(self.depth - 1);
        let (chunk, at) = (graph.chunk(number), number as usize % CHUNK);
        let free = || graph.arcs(number).filter(|arc| arc.number != forbidden);
        let first = free().filter(|arc| arc.liked >> lane & 1 == 1);
        let losing = chunk.losing[at][lane] - u8::from(lost);
        let found = self.mean(losing, first);
        found.unwrap_or_else(|| {
            let second = free().filter(|arc| arc.liked_second >> lane & 1 == 1);
            let found = self.mean(chunk.losing_second[at][lane], second);
            found.unwrap_or((0, None))
        })
    }

    /// The mean over losing moves and moves that keep the draw, and moves within which the
    /// opponent goes wrong; `None` if there is no move.
    fn mean(&self, losing: u8, arcs: impl Iterator<Item = Arc>) -> Option<(u32, Option<u8>)> {
        let mut count = u32::from(losing);
        let (mut sum, mut within) = (count * ONE, Some(0));
        for arc in arcs {
            count += 1;
            if arc.child == END {
                within = None;
                continue;
            }
            sum += self.before[arc.child as usize].without(arc.forbidden);
            let forced = self.forced_without(arc.child, arc.forbidden);
            within = within.zip(forced).map(|(a, b): (u8, u8)| a.max(b));
        }
        let within = within.map(|within| within.saturating_add(1));
        Some((sum.checked_div(count)?, within))
    }
}
