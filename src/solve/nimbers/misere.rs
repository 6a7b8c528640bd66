//! Who wins a sum of impartial games under misère play, where the last move loses.
//!
//! Nimbers do not help there: sums of positions with the same nimber may have different
//! winners. The search therefore keeps whole sums of parts, in one form each.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::Result;
use super::lazy::Shapes;
use crate::base::progress::Progress;
use crate::game::{Effort, NimberError};

/// A sum in its one form: the parts in order. Of the parts that allow a single move, pairs
/// are left out, because each move on one of a pair can be answered on the other, and the
/// last one is kept apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Sum<T> {
    parts: Box<[T]>,
    single: bool,
}

/// Bytes of a remembered sum beside its parts.
const BYTES: u64 = 64;
/// Number of sums between two progress reports.
const TICK: u64 = 1 << 10;

/// A search for outcomes under misère play, with everything it has learned.
#[derive(Debug)]
pub(crate) struct Misere<S: Shapes> {
    pub(crate) shapes: S,
    lost: HashMap<Sum<S::Shape>, bool, FixedState>,
    /// Whether a part allows a single move.
    single: HashMap<S::Shape, bool, FixedState>,
    nodes: u64,
    bytes: u64,
    most_bytes: u64,
}

impl<S: Shapes> Misere<S> {
    /// Creates a search that has learned nothing yet. `most_bytes` limits the memory for
    /// what it learns.
    pub(crate) fn new(shapes: S, most_bytes: u64) -> Self {
        Self {
            shapes,
            lost: HashMap::default(),
            single: HashMap::default(),
            nodes: 0,
            bytes: 0,
            most_bytes,
        }
    }

    pub(crate) fn effort(&self) -> Effort {
        Effort {
            nodes: self.nodes,
            kept: self.lost.len(),
        }
    }

    /// Whether the side to move in a sum of parts loses. With no part left it wins, because
    /// the other side has made the last move.
    pub(crate) fn is_lost(&mut self, parts: &[S::Shape], progress: &dyn Progress) -> Result<bool> {
        let sum = self.sum(parts);
        self.search(sum, progress)
    }

    fn sum(&mut self, parts: &[S::Shape]) -> Sum<S::Shape> {
        let mut kept = Vec::with_capacity(parts.len());
        let mut single = false;
        for &part in parts {
            let part = self.shapes.canonical(part);
            if self.is_single(part) {
                single = !single;
            } else {
                kept.push(part);
            }
        }
        kept.sort_unstable();
        Sum {
            parts: kept.into(),
            single,
        }
    }

    fn is_single(&mut self, part: S::Shape) -> bool {
        if let Some(&single) = self.single.get(&part) {
            return single;
        }
        let mut single = true;
        self.shapes
            .options(part, &mut |left| single &= left.is_empty());
        self.single.insert(part, single);
        single
    }

    fn search(&mut self, sum: Sum<S::Shape>, progress: &dyn Progress) -> Result<bool> {
        if sum.parts.is_empty() {
            return Ok(sum.single);
        }
        if let Some(&lost) = self.lost.get(&sum) {
            return Ok(lost);
        }
        self.count(progress)?;
        let lost = self.all_options_win(&sum, progress)?;
        self.bytes += BYTES + size_of_val(&*sum.parts) as u64;
        self.lost.insert(sum, lost);
        Ok(lost)
    }

    fn all_options_win(&mut self, sum: &Sum<S::Shape>, progress: &dyn Progress) -> Result<bool> {
        if sum.single {
            let rest = Sum {
                parts: sum.parts.clone(),
                single: false,
            };
            if self.search(rest, progress)? {
                return Ok(false);
            }
        }
        for place in 0..sum.parts.len() {
            // Equal parts have the same moves.
            if place > 0 && sum.parts[place - 1] == sum.parts[place] {
                continue;
            }
            let mut options: Vec<Vec<S::Shape>> = Vec::new();
            self.shapes
                .options(sum.parts[place], &mut |left| options.push(left.to_vec()));
            for mut left in options {
                left.extend_from_slice(&sum.parts[..place]);
                left.extend_from_slice(&sum.parts[place + 1..]);
                let mut next = self.sum(&left);
                next.single ^= sum.single;
                if self.search(next, progress)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn count(&mut self, progress: &dyn Progress) -> Result<()> {
        self.nodes += 1;
        if self.bytes > self.most_bytes {
            return Err(NimberError::TooLarge(format!(
                "the search reached its limit of {} bytes with {} shapes; choose a smaller board, or ask for the outcome alone",
                self.most_bytes,
                self.lost.len()
            )));
        }
        if self.nodes.is_multiple_of(TICK) {
            progress.advance(TICK);
            progress.go_on(NimberError::Cancelled)?;
        }
        Ok(())
    }
}
