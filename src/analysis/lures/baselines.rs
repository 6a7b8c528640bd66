//! What a lurer attains who does not know the best lure.
//!
//! The chance with the lurer to move is a mean over some of their moves, as that with the opponent
//! to move is one over moves that they like. So both are kept as sum and number, by position, and
//! the mean without a forbidden move is found from these and from what that move is worth. This
//! is stored, but only for moves that are forbidden after some move and part of such a mean.

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::analysis::lures::chunks::{CHUNK, Chunk, place_of};
use crate::analysis::lures::graph::DrawnGraph;
use crate::analysis::lures::likes::{Liked, Likes};
use crate::analysis::lures::sweeps::{AHEAD, Changed, Mean, Stale, Sum, WORDS, fetch, note, stale};
use crate::analysis::lures::{END, LureError, ONE, Result};
use crate::base::progress::Progress;
use crate::base::text::named;
use crate::solve::WordArray;

/// The chances of a lurer who chooses by a [`Baseline`] against players of one depth.
#[derive(Debug)]
pub struct Baselines<'g> {
    setting: Setting<'g>,
    /// By chunk: the chances after moves of the lurer whose forbidden answer is liked, and the
    /// chances after liked moves of the opponent whose forbidden answer the lurer may choose.
    stored: [Vec<Vec<u32>>; 2],
    /// Lurer to move, opponent to move.
    changed: [Changed; 2],
    /// By chunk: the sum over positions that are drawn with nothing forbidden.
    sums: Vec<u64>,
}

/// Who plays whom, and what is known of each position.
#[derive(Debug)]
struct Setting<'g> {
    graph: &'g DrawnGraph,
    likes: &'g Likes,
    choices: &'g Choices,
    kind: Baseline,
    depth: u8,
    lurer: WordArray<AtomicU64>,
    opponent: WordArray<AtomicU64>,
}

impl<'g> Baselines<'g> {
    /// Nothing is known yet.
    ///
    /// # Errors
    /// If memory is short.
    ///
    /// # Panics
    /// If the depth is not among those of `likes`.
    pub fn new(
        graph: &'g DrawnGraph,
        likes: &'g Likes,
        choices: &'g Choices,
        kind: Baseline,
        depth: u8,
    ) -> io::Result<Self> {
        let setting = Setting {
            graph,
            likes,
            choices,
            kind,
            depth,
            lurer: WordArray::new(graph.len())?,
            opponent: WordArray::new(graph.len())?,
        };
        let rows = (0..graph.chunks.len()).into_par_iter().map(|place| {
            let (lurer, opponent) = (setting.row::<true>(place), setting.row::<false>(place));
            (lurer.room(), opponent.room())
        });
        let (lurer, opponent) = rows.unzip();
        Ok(Self {
            setting,
            stored: [lurer, opponent],
            changed: [Changed::all(graph.len()), Changed::all(graph.len())],
            sums: vec![0; graph.chunks.len()],
        })
    }

    /// Goes one move of the opponent further. Returns the sum of the chances, over the positions
    /// that are drawn with nothing forbidden, in units of 1 / [`ONE`].
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn sweep(&mut self, progress: &dyn Progress) -> Result<u64> {
        self.value::<false>(progress)?;
        self.value::<true>(progress)?;
        Ok(self.sums.iter().sum())
    }

    /// The chance with the lurer to move in a position with nothing forbidden, in units of
    /// 1 / [`ONE`].
    ///
    /// # Panics
    /// If there is no such position.
    pub fn chance(&self, number: u32) -> u32 {
        load(&self.setting.lurer, number as usize).mean()
    }

    /// Values the stale positions with the lurer to move, or, if not, the opponent.
    fn value<const LURES: bool>(&mut self, progress: &dyn Progress) -> Result<()> {
        let (of, [lurer, opponent]) = (&self.setting, &mut self.changed);
        let (own, changed, words, known) = if LURES {
            (lurer, opponent, &of.lurer, &of.opponent)
        } else {
            (opponent, lurer, &of.opponent, &of.lurer)
        };
        let stored = &mut self.stored[usize::from(!LURES)];
        let places = own.0.par_chunks_mut(WORDS).zip(stored);
        let places = places.zip(words.par_chunks(CHUNK)).zip(&mut self.sums);
        let places = places.enumerate();
        places.try_for_each(|(place, (((own, stored), words), sum))| {
            progress.go_on(LureError::Cancelled)?;
            let row = of.row::<LURES>(place);
            let matters = |arc| row.is_chosen(arc) || row.is_second_choice(arc);
            let places = stale(row.chunk, own, changed, matters, |arc| row.is_stored(arc));
            for (next, it) in (AHEAD..).zip(&places) {
                fetch(row.chunk, places.get(next), known);
                let before = load(words, it.at);
                let (now, more) = row.value(it, before, &mut stored[it.stored..], known);
                if now == before && !more {
                    continue;
                }
                words[it.at].store(now.0, Relaxed);
                note(own, it.at);
                if LURES && row.chunk.is_drawn_free(it.at) {
                    *sum += u64::from(now.mean());
                    *sum -= u64::from(before.mean());
                }
            }
            progress.advance(row.chunk.len() as u64);
            Ok(())
        })
    }
}

impl Setting<'_> {
    fn row<const LURES: bool>(&self, place: usize) -> Row<'_, LURES> {
        Row {
            chunk: &self.graph.chunks[place],
            liked: &self.likes.chunks[place],
            rules: &self.choices.chunks[place],
            kind: self.kind,
            lane: self.likes.lane(self.depth),
        }
    }
}

fn load(words: &[AtomicU64], at: usize) -> Mean {
    Mean(words[at].load(Relaxed))
}

/// The positions of a chunk with the lurer to move, or, if not, the opponent.
#[derive(Clone, Copy)]
struct Row<'a, const LURES: bool> {
    chunk: &'a Chunk,
    liked: &'a Liked,
    rules: &'a [Rule],
    kind: Baseline,
    lane: usize,
}

impl<const LURES: bool> Row<'_, LURES> {
    /// Whether the side to move may choose a move.
    #[inline]
    fn is_chosen(&self, arc: usize) -> bool {
        if LURES {
            self.kind == Baseline::Uniform || self.rules[arc].has(Rule::FEWEST)
        } else {
            self.liked.is_liked(arc, self.lane)
        }
    }

    /// Whether it may choose a move if the only one that it may choose is forbidden.
    #[inline]
    fn is_second_choice(&self, arc: usize) -> bool {
        if LURES {
            self.kind == Baseline::FewestReplies && self.rules[arc].has(Rule::SECOND_FEWEST)
        } else {
            self.liked.is_second(arc, self.lane)
        }
    }

    /// Whether the other side might choose the move that is forbidden after a move, and it keeps the
    /// draw.
    #[inline]
    fn leads_back(&self, arc: usize) -> bool {
        match (LURES, self.kind) {
            (true, _) => {
                self.liked.is_forbidden_liked(arc, self.lane) && !self.chunk.forbidden_loses(arc)
            }
            (false, Baseline::Uniform) => self.rules[arc].has(Rule::FORBIDDEN_KEEPING),
            (false, Baseline::FewestReplies) => self.rules[arc].has(Rule::FORBIDDEN_FEWEST),
        }
    }

    #[inline]
    fn is_stored(&self, arc: usize) -> bool {
        self.is_chosen(arc) && self.leads_back(arc)
    }

    /// Room for the chances that are stored.
    fn room(&self) -> Vec<u32> {
        let arcs = 0..self.chunk.keys.len();
        vec![0; arcs.filter(|&arc| self.is_stored(arc)).count()]
    }

    /// The chances in a position, and whether something stored is new; `known` are those of the
    /// positions after the moves.
    fn value(
        &self,
        &Stale { at, .. }: &Stale,
        before: Mean,
        stored: &mut [u32],
        known: &[AtomicU64],
    ) -> (Mean, bool) {
        let [mut first, mut second] = if LURES {
            [Sum::default(); 2]
        } else {
            self.liked.losing(at, self.lane).map(Sum::losing)
        };
        let (mut stored, mut more) = (stored.iter_mut(), false);
        for arc in self.chunk.arc_range(at) {
            let is_chosen = self.is_chosen(arc);
            if !is_chosen && !self.is_second_choice(arc) {
                continue;
            }
            let chance = match self.chunk.child(arc) {
                END => 0,
                child => {
                    let child = load(known, child as usize);
                    if self.leads_back(arc) {
                        // The forbidden move leads back here, and there this move is forbidden.
                        let stored = if is_chosen { stored.next() } else { None };
                        back_again(child, before, stored, &mut more)
                    } else if LURES && self.liked.is_forbidden_liked(arc, self.lane) {
                        child.without(ONE)
                    } else {
                        child.mean()
                    }
                }
            };
            if is_chosen {
                first.add(chance);
            } else {
                second.add(chance);
            }
        }
        (Mean::new(first, second), more)
    }
}

/// The chance after a move without the forbidden one, which leads back to a position of chances
/// `before`, where the move itself is forbidden. What is stored of the move is brought up to date.
#[inline]
fn back_again(after: Mean, before: Mean, stored: Option<&mut u32>, more: &mut bool) -> u32 {
    let chance = after.without(match &stored {
        Some(chance) => before.without(**chance),
        None => before.mean(),
    });
    if let Some(stored) = stored {
        *more |= *stored != chance;
        *stored = chance;
    }
    chance
}

named! {
    /// A way to choose among the moves that keep the draw.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Baseline {
        /// All of them are as likely.
        Uniform = "uniform",
        /// Those that leave the opponent the fewest moves that keep the draw; these are as likely.
        FewestReplies = "fewest-replies",
    }
}

/// Among which moves they choose, whatever the opponent likes.
#[derive(Debug)]
pub struct Choices {
    chunks: Vec<Vec<Rule>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rule(u8);

impl Rule {
    /// It leaves the fewest replies.
    const FEWEST: u8 = 1;
    /// It leaves the fewest if the only such move is forbidden.
    const SECOND_FEWEST: u8 = 2;
    /// The move that is forbidden after it would keep the draw.
    const FORBIDDEN_KEEPING: u8 = 4;
    /// That move is one that leaves the fewest replies.
    const FORBIDDEN_FEWEST: u8 = 8;

    #[inline]
    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

impl Choices {
    /// Counts the replies to each move.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn new(graph: &DrawnGraph, progress: &dyn Progress) -> Result<Self> {
        let chunks =
            graph.by_chunk("counting replies", progress, |_, chunk| rules(graph, chunk))?;
        let chunks = graph.by_chunk("finding forbidden choices", progress, |place, chunk| {
            let rules = chunks[place].iter().enumerate();
            let rules = rules.map(|(arc, rule)| match graph.back(chunk, arc) {
                Some((place, back)) if chunks[place][back].has(Rule::FEWEST) => {
                    Rule(rule.0 | Rule::FORBIDDEN_FEWEST)
                }
                _ => *rule,
            });
            rules.collect::<Vec<_>>()
        })?;
        Ok(Self { chunks })
    }
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
            let is_keeping = graph.back(chunk, arc).is_some();
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
