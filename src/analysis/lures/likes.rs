//! What players who look ahead like in drawn positions, for up to four depths at a time.

use std::ops::RangeInclusive;

use crate::analysis::lures::chunks::{Chunk, for_each, place_of};
use crate::analysis::lures::graph::DrawnGraph;
use crate::analysis::lures::won::{WonPositions, worths};
use crate::analysis::lures::{LureError, Result};
use crate::base::progress::Progress;
use crate::game::{Retrograde, WON};
use crate::solve::look_ahead::{KEPT, LookAhead};

/// Which moves of drawn positions players of some depths like.
///
/// Depths follow each other; each has a *lane*, 0 for the greatest, 1 for the one before it, and
/// so on.
#[derive(Debug)]
pub struct Likes {
    depths: RangeInclusive<u8>,
    pub(super) chunks: Vec<Liked>,
    won: WonPositions,
}

/// What is liked in a chunk. Bit `lane` of a number belongs to a depth.
#[derive(Debug, Default)]
pub(super) struct Liked {
    /// By move: whether it is liked, and in the upper four bits, whether it is if the only liked
    /// move is forbidden.
    moves: Vec<u8>,
    /// By move: whether the move that is forbidden after it is liked.
    forbidden: Vec<u8>,
    /// By position: the number of losing moves that are liked.
    losing: Vec<[u8; KEPT]>,
    /// The same if the only liked move is forbidden.
    losing_second: Vec<[u8; KEPT]>,
}

impl Liked {
    #[inline]
    pub(crate) fn is_liked(&self, arc: usize, lane: usize) -> bool {
        self.moves[arc] >> lane & 1 != 0
    }

    /// Whether a move is liked if the only liked move is forbidden.
    #[inline]
    pub(crate) fn is_second(&self, arc: usize, lane: usize) -> bool {
        self.moves[arc] >> (KEPT + lane) & 1 != 0
    }

    #[inline]
    pub(crate) fn is_either(&self, arc: usize, lane: usize) -> bool {
        self.moves[arc] >> lane & (1 | 1 << KEPT) != 0
    }

    /// Whether the move that is forbidden after a move is liked.
    #[inline]
    pub(crate) fn is_forbidden_liked(&self, arc: usize, lane: usize) -> bool {
        self.forbidden[arc] >> lane & 1 != 0
    }

    /// The number of losing moves of a position that are liked, and of those that are if the only
    /// liked move is forbidden.
    #[inline]
    pub(super) fn losing(&self, at: usize, lane: usize) -> [u8; 2] {
        [self.losing[at][lane], self.losing_second[at][lane]]
    }
}

impl Likes {
    /// Finds what players of up to four depths, which follow each other, like.
    pub(crate) fn new<G: Retrograde>(
        game: &G,
        graph: &DrawnGraph,
        depths: RangeInclusive<u8>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let (first, last) = (*depths.start(), *depths.end());
        assert!(
            first >= 1 && first <= last && usize::from(last - first) < KEPT,
            "up to four depths"
        );
        let seen = LookAhead::new(game, last - 1, progress)?.ok_or(LureError::Cancelled)?;
        let lanes = usize::from(last - first) + 1;
        let chunks = graph.by_chunk("finding liked moves", progress, |place, chunk| {
            liked(game, &seen, chunk, &graph.slots_of(place), lanes)
        })?;
        let (mut chunks, values): (Vec<Liked>, Vec<_>) = chunks.into_iter().unzip();
        // Whether the move that is forbidden after a move of a chunk is liked, by lane. The values
        // of the position before it are given one ply less deep.
        let mark = |chunk: &Chunk, arc: usize, mine: [i8; KEPT]| {
            if !chunk.forbidden_loses(arc) {
                let back = graph.back(chunk, arc);
                return back.map_or(0, |(place, back)| chunks[place].moves[back] & 0xf);
            }
            let (place, at) = place_of(chunk.child(arc));
            let value = values[place][at];
            (0..lanes).fold(0, |liked, lane| {
                liked | u8::from(-mine[lane] == value[lane]) << lane
            })
        };
        let forbidden = graph.by_chunk("finding forbidden moves", progress, |place, chunk| {
            let mut found = Vec::with_capacity(chunk.keys.len());
            for (at, &slot) in graph.slots_of(place).iter().enumerate() {
                let [third, second, first, last] = seen.values(slot.into());
                let mine = [last, first, second, third];
                found.extend(chunk.arc_range(at).map(|arc| mark(chunk, arc, mine)));
            }
            found
        })?;
        for (chunk, forbidden) in chunks.iter_mut().zip(forbidden) {
            chunk.forbidden = forbidden;
        }
        Ok(Self {
            depths,
            chunks,
            won: graph.won.thrown_away(game, &seen, progress)?,
        })
    }

    pub(super) fn lane(&self, depth: u8) -> usize {
        assert!(self.depths.contains(&depth), "one of the depths");
        usize::from(self.depths.end() - depth)
    }

    /// Won positions that were looked at, and the sum of the chances that the move of a player of
    /// this depth throws the win away, in units of 1 / [`ONE`](crate::analysis::lures::ONE), each rounded down.
    pub(crate) fn won(&self, depth: u8) -> (u64, u64) {
        (self.won.positions, self.won.lost[self.lane(depth)])
    }
}

/// A legal move of a drawn position.
#[derive(Clone, Copy)]
struct Candidate {
    /// What it is worth, by lane.
    worths: [i8; KEPT],
    /// The place of the move among those that keep the draw; `None` if it loses.
    arc: Option<usize>,
}

/// What is liked in a chunk, but for forbidden moves, and what the positions are worth by lane.
fn liked<G: Retrograde>(
    game: &G,
    seen: &LookAhead,
    chunk: &Chunk,
    slots: &[u32],
    lanes: usize,
) -> (Liked, Vec<[i8; KEPT]>) {
    let mut found = Liked {
        moves: vec![0; chunk.keys.len()],
        ..Liked::default()
    };
    let (mut values, mut candidates) = (Vec::with_capacity(slots.len()), Vec::new());
    for_each(
        game,
        slots,
        |slot| seen.prefetch(slot),
        |at, moves| {
            let mut arcs = chunk.arc_range(at).peekable();
            let legal = moves.iter().filter(|it| it.0 != chunk.winner[at]);
            candidates.clear();
            candidates.extend(legal.map(|&(number, to)| Candidate {
                worths: worths(seen, to),
                arc: arcs.next_if(|&arc| chunk.keys[arc].number == number),
            }));
            values.push(found.like(&candidates, lanes));
        },
    );
    (found, values)
}

impl Liked {
    /// Finds out which moves of the next position are liked. Returns what the position is worth.
    fn like(&mut self, candidates: &[Candidate], lanes: usize) -> [i8; KEPT] {
        let (mut losing, mut losing_second) = ([0; KEPT], [0; KEPT]);
        let mut values = [-WON; KEPT];
        for lane in 0..lanes {
            let worth = |candidate: &Candidate| candidate.worths[lane];
            let best = candidates.iter().map(worth).max().unwrap_or(-WON);
            let tops = candidates.iter().filter(|it| worth(it) == best);
            for candidate in tops.clone() {
                match candidate.arc {
                    Some(arc) => self.moves[arc] |= 1 << lane,
                    None => losing[lane] += 1,
                }
            }
            values[lane] = best;
            if tops.count() > 1 {
                continue;
            }
            let others = || candidates.iter().filter(|it| worth(it) != best);
            let second = others().map(worth).max();
            for candidate in others().filter(|it| Some(worth(it)) == second) {
                match candidate.arc {
                    Some(arc) => self.moves[arc] |= 1 << (KEPT + lane),
                    None => losing_second[lane] += 1,
                }
            }
        }
        self.losing.push(losing);
        self.losing_second.push(losing_second);
        values
    }
}
