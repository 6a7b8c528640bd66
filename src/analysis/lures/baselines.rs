//! What a lurer attains who does not know the best lure.

use rayon::prelude::*;

use super::chunk::{Arc, CHUNK, NONE};
use super::graph::DrawnGraph;
use super::{END, LureError, ONE};
use crate::base::watch::Watch;

/// A way to choose among the moves that keep the draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Baseline {
    /// All of them are as likely.
    Uniform,
    /// Those that leave the opponent the fewest moves that keep the draw; these are as likely.
    FewestReplies,
}

impl Baseline {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::FewestReplies];

    /// The name used in tables: `uniform` or `fewest-replies`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::FewestReplies => "fewest-replies",
        }
    }
}

/// The chances within `moves` moves of an opponent who looks `depth` plies ahead against a lurer
/// who chooses by `baseline`: by position of the graph with nothing forbidden, in units of
/// 1 / [`ONE`]. `visit` gets them after each move, 1, 2, ...
///
/// # Errors
/// If the watch cancels.
///
/// # Panics
/// If the depth is not among those of the graph.
pub fn baseline(
    graph: &DrawnGraph,
    baseline: Baseline,
    depth: u8,
    moves: u8,
    watch: &impl Watch,
    mut visit: impl FnMut(&[u32]),
) -> Result<(), LureError> {
    assert!(
        (1..=graph.depths()).contains(&depth),
        "a depth of the graph"
    );
    let work = Work {
        graph,
        baseline,
        lane: usize::from(depth - 1),
    };
    let name = baseline.name();
    watch.begin(&format!("{name}: counting replies"), graph.len() as u64);
    let replies = work.by_arc(watch, |arc| work.replies(arc));
    // The chances after each move: of the lurer, and of the opponent.
    let mut lurer = work.by_arc(watch, |_| 0);
    let mut chances = vec![0; graph.len()];
    for sweep in 1..=moves {
        let stage = format!("{name}, depth {depth}: sweep {sweep}");
        watch.begin(&stage, 2 * graph.len() as u64);
        let opponent = work.by_arc(watch, |arc| work.opponent(arc, &lurer));
        lurer = work.by_arc(watch, |arc| {
            if arc.child == END {
                return 0;
            }
            work.lurer(arc.child, arc.forbidden, &replies, &opponent)
        });
        if watch.cancelled() {
            return Err(LureError::Cancelled);
        }
        let all = chances.par_iter_mut().enumerate();
        all.for_each(|(number, chance)| {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            *chance = work.lurer(number, NONE, &replies, &opponent);
        });
        visit(&chances);
    }
    Ok(())
}

/// Something of each move, by chunk.
type ByArc = Vec<Vec<u32>>;

struct Work<'g> {
    graph: &'g DrawnGraph,
    baseline: Baseline,
    lane: usize,
}

impl Work<'_> {
    fn by_arc(&self, watch: &impl Watch, of: impl Fn(Arc) -> u32 + Sync) -> ByArc {
        let chunks = self.graph.chunks.par_iter();
        let chunks = chunks.map(|chunk| {
            let arcs = (0..chunk.len()).flat_map(|at| chunk.arcs(at));
            let found = arcs.map(&of).collect();
            watch.advance(chunk.len() as u64);
            found
        });
        chunks.collect()
    }

    /// Number of moves that keep the draw after a move.
    fn replies(&self, arc: Arc) -> u32 {
        if arc.child == END {
            return 0;
        }
        let replies = self.graph.arcs(arc.child);
        let count = replies.filter(|it| it.number != arc.forbidden).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The moves of a position that a forbidden move leaves, with what is known of each.
    fn known<'a>(
        &'a self,
        number: u32,
        forbidden: u8,
        known: &'a ByArc,
    ) -> impl Iterator<Item = (Arc, u32)> + 'a {
        let (chunk, at) = (self.graph.chunk(number), number as usize % CHUNK);
        let known = known[number as usize / CHUNK][chunk.arc_range(at)].iter();
        let arcs = chunk.arcs(at).zip(known.copied());
        arcs.filter(move |(arc, _)| arc.number != forbidden)
    }

    /// The chance with the opponent to move after a move.
    fn opponent(&self, arc: Arc, lurer: &ByArc) -> u32 {
        if arc.child == END {
            return 0;
        }
        let (chunk, at) = (self.graph.chunk(arc.child), arc.child as usize % CHUNK);
        let lost = arc.forbidden_loses && arc.forbidden_liked >> self.lane & 1 == 1;
        let all = || self.known(arc.child, arc.forbidden, lurer);
        let liked = all().filter(|(it, _)| it.liked >> self.lane & 1 == 1);
        let losing = u32::from(chunk.losing[at][self.lane]) - u32::from(lost);
        mean(losing, liked.map(|(_, chance)| chance)).unwrap_or_else(|| {
            let liked = all().filter(|(it, _)| it.liked_second >> self.lane & 1 == 1);
            let losing = u32::from(chunk.losing_second[at][self.lane]);
            mean(losing, liked.map(|(_, chance)| chance)).unwrap_or(0)
        })
    }

    /// The chance with the lurer to move.
    fn lurer(&self, number: u32, forbidden: u8, replies: &ByArc, opponent: &ByArc) -> u32 {
        let all = || self.known(number, forbidden, opponent);
        let chances = || all().map(|(_, chance)| chance);
        match self.baseline {
            Baseline::Uniform => mean(0, chances()),
            Baseline::FewestReplies => {
                let replies = || self.known(number, forbidden, replies).map(|(_, it)| it);
                let fewest = replies().min();
                let few = chances().zip(replies());
                let few = few.filter(|&(_, replies)| Some(replies) == fewest);
                mean(0, few.map(|(chance, _)| chance))
            }
        }
        .unwrap_or(0)
    }
}

/// The mean of some losing moves and some chances, rounded down; `None` of nothing.
fn mean(losing: u32, chances: impl Iterator<Item = u32>) -> Option<u32> {
    let (mut sum, mut count) = (losing * ONE, losing);
    for chance in chances {
        sum += chance;
        count += 1;
    }
    sum.checked_div(count)
}
