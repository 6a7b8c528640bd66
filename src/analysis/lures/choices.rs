//! Among which moves a lurer chooses who does not know the best lure.

use rayon::prelude::*;

use super::chunk::{Chunk, NONE, place_of};
use super::graph::DrawnGraph;
use super::{END, LureError};
use crate::base::progress::Progress;

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

/// Among which moves they choose, whatever the opponent likes.
#[derive(Debug)]
pub struct Choices {
    chunks: Vec<Vec<Rule>>,
}

/// How a move that keeps the draw is chosen.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rule(u8);

impl Rule {
    const FEWEST: u8 = 1;
    const SECOND_FEWEST: u8 = 2;
    const FORBIDDEN_KEEPING: u8 = 4;
    const FORBIDDEN_FEWEST: u8 = 8;

    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Whether it leaves the fewest replies.
    #[inline]
    pub const fn is_fewest(self) -> bool {
        self.has(Self::FEWEST)
    }

    /// Whether it leaves the fewest if the only such move is forbidden.
    #[inline]
    pub const fn is_second_fewest(self) -> bool {
        self.has(Self::SECOND_FEWEST)
    }

    /// Whether the move that is forbidden after it would keep the draw.
    #[inline]
    pub const fn is_forbidden_keeping(self) -> bool {
        self.has(Self::FORBIDDEN_KEEPING)
    }

    /// Whether that move is one that leaves the fewest replies.
    #[inline]
    pub const fn is_forbidden_fewest(self) -> bool {
        self.has(Self::FORBIDDEN_FEWEST)
    }
}

impl Choices {
    /// Counts the replies to each move.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn new(graph: &DrawnGraph, progress: &dyn Progress) -> Result<Self, LureError> {
        progress.begin("counting replies", graph.len() as u64);
        let chunks = by_chunk(graph, progress, |_, chunk| rules(graph, chunk))?;
        progress.begin("finding forbidden choices", graph.len() as u64);
        let chunks = by_chunk(graph, progress, |place, chunk| {
            let rules = chunks[place].iter().enumerate();
            let rules = rules.map(|(arc, rule)| match back(graph, chunk, arc) {
                Some((place, back)) if chunks[place][back].is_fewest() => {
                    Rule(rule.0 | Rule::FORBIDDEN_FEWEST)
                }
                _ => *rule,
            });
            rules.collect()
        })?;
        Ok(Self { chunks })
    }

    /// The rules of the moves of a chunk.
    pub(super) fn of(&self, place: usize) -> &[Rule] {
        &self.chunks[place]
    }
}

fn by_chunk(
    graph: &DrawnGraph,
    progress: &dyn Progress,
    of: impl Fn(usize, &Chunk) -> Vec<Rule> + Sync,
) -> Result<Vec<Vec<Rule>>, LureError> {
    let chunks = graph.chunks.par_iter().enumerate().map(|(place, chunk)| {
        if progress.cancelled() {
            return Err(LureError::Cancelled);
        }
        let found = of(place, chunk);
        progress.advance(chunk.len() as u64);
        Ok(found)
    });
    chunks.collect()
}

/// The place of the move that is forbidden after a move, if it would keep the draw.
fn back(graph: &DrawnGraph, chunk: &Chunk, arc: usize) -> Option<(usize, usize)> {
    let (child, forbidden) = (chunk.child(arc), chunk.keys[arc].forbidden);
    if child == END || forbidden == NONE {
        return None;
    }
    let (place, at) = place_of(child);
    Some((place, graph.chunks[place].find(at, forbidden)?))
}

/// All about the moves of a chunk but whether forbidden moves leave the fewest replies.
fn rules(graph: &DrawnGraph, chunk: &Chunk) -> Vec<Rule> {
    let mut rules = vec![Rule::default(); chunk.keys.len()];
    let mut replies = Vec::new();
    for at in 0..chunk.len() {
        let range = chunk.arc_range(at);
        replies.clear();
        for arc in range.clone() {
            let count = match chunk.child(arc) {
                END => 0,
                child => {
                    let (place, at) = place_of(child);
                    graph.chunks[place].arc_range(at).len()
                }
            };
            let is_keeping = back(graph, chunk, arc).is_some();
            if is_keeping {
                rules[arc].0 |= Rule::FORBIDDEN_KEEPING;
            }
            replies.push(count - usize::from(is_keeping));
        }
        let fewest = replies.iter().min();
        let count = replies.iter().filter(|it| Some(*it) == fewest).count();
        let others = replies.iter().filter(|it| Some(*it) != fewest);
        let second = others.min().filter(|_| count == 1);
        for (rule, replies) in rules[range].iter_mut().zip(&replies) {
            if Some(replies) == fewest {
                rule.0 |= Rule::FEWEST;
            } else if Some(replies) == second {
                rule.0 |= Rule::SECOND_FEWEST;
            }
        }
    }
    rules
}
