//! A search for nimbers that avoids computing those it does not need.
//!
//! It decides questions of the form "is the nimber of this part `k`?". The answer is no as
//! soon as one option has the nimber `k`; only if none has, do the nimbers below `k` matter.
//! For a sum, it computes the nimbers of all parts except the largest, and reduces the
//! question to that one. It remembers what it learns about a part, even if that is only
//! which nimber the part does not have.
//!
//! Method: J. Lemoine and S. Viennot, *Nimbers are inevitable* (2012).

mod proof_number;

use std::fmt::Debug;
use std::hash::Hash;

use super::Result;
use super::memo::{Known, Memo, Numbers};
use crate::base::progress::Progress;
use crate::game::{Effort, Nimber, NimberError};

/// The moves of an impartial game whose positions are sums of independent parts.
pub trait Shapes {
    /// A part that is not empty and does not split further.
    type Shape: Copy + Ord + Hash + Debug;

    /// Visits, for each move in a shape, the parts that it leaves, in any order. Of moves
    /// that leave the same parts, one is enough.
    fn options(&self, shape: Self::Shape, visit: &mut dyn FnMut(&[Self::Shape]));

    /// The representative of shapes that are the same game for a simple reason, such as
    /// rotation and translation.
    fn canonical(&self, shape: Self::Shape) -> Self::Shape;

    /// The size of a shape: the search of a smaller one is expected to be quicker.
    fn size(&self, shape: Self::Shape) -> u32;

    /// The nimber of a canonical shape, if a theorem gives it.
    fn known(&self, shape: Self::Shape) -> Option<Nimber>;
}

/// The parts that a move leaves, as a range of [`Nimbers::parts`].
#[derive(Debug, Clone, Copy)]
struct Leaves {
    from: usize,
    to: usize,
    largest: u32,
    /// Whether the parts are canonical and different, with the largest one last.
    normalized: bool,
}

/// Number of questions between two progress reports.
const TICK: u64 = 1 << 12;

/// A search for nimbers with everything it has learned, which later searches use.
///
/// ```
/// use tesuji::base::progress::NoProgress;
/// use tesuji::game::Nimber;
/// use tesuji::solve::nimbers::{Nimbers, Shapes};
///
/// /// Kayles: a move removes one pin, or two neighbours, from a row.
/// struct Kayles;
///
/// impl Shapes for Kayles {
///     type Shape = u32;
///
///     fn options(&self, row: u32, visit: &mut dyn FnMut(&[u32])) {
///         for rest in (0..row).rev().take(2) {
///             for left in 0..=rest {
///                 let mut parts = vec![left, rest - left];
///                 parts.retain(|&part| part > 0);
///                 visit(&parts);
///             }
///         }
///     }
///
///     fn canonical(&self, row: u32) -> u32 {
///         row
///     }
///
///     fn size(&self, row: u32) -> u32 {
///         row
///     }
///
///     fn known(&self, _row: u32) -> Option<Nimber> {
///         None
///     }
/// }
///
/// let mut search = Nimbers::new(Kayles, 1 << 20);
/// assert_eq!(search.nimber(&[5], &NoProgress)?, 4);
/// assert!(search.is_lost(&[1, 2, 3], &NoProgress)?);
/// # Ok::<(), tesuji::game::NimberError>(())
/// ```
#[derive(Debug)]
pub struct Nimbers<S: Shapes> {
    pub(crate) shapes: S,
    known: Memo,
    /// Moves of the shapes under way, innermost last.
    moves: Vec<Leaves>,
    /// Parts that these moves leave.
    parts: Vec<S::Shape>,
    nodes: u64,
    /// Shapes of at most this many squares are searched without proof numbers.
    few: u32,
}

impl<S: Shapes> Nimbers<S> {
    /// Creates a search that has learned nothing yet. What it learns takes at most
    /// `most_bytes`; beyond that it forgets what took the least work.
    pub fn new(shapes: S, most_bytes: u64) -> Self {
        Self {
            shapes,
            known: Memo::new(most_bytes),
            moves: Vec::new(),
            parts: Vec::new(),
            nodes: 0,
            few: proof_number::FEW,
        }
    }

    /// Chooses the largest size of shapes that are searched without proof numbers where only
    /// the winner matters: 0 for none, [`u32::MAX`] for all. Without a choice it is 40.
    pub const fn without_proof_numbers_to(mut self, size: u32) -> Self {
        self.few = size;
        self
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        Effort {
            nodes: self.nodes,
            kept: self.known.len(),
        }
    }

    /// The nimber of a sum of parts.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn nimber(&mut self, parts: &[S::Shape], progress: &dyn Progress) -> Result<Nimber> {
        let mut sum = 0;
        for &part in parts {
            sum ^= self.value(self.shapes.canonical(part), progress)?;
        }
        Ok(sum)
    }

    /// Whether the side to move in a sum of parts loses. The question about the largest part
    /// is searched by proof numbers, which find a winning move sooner if there is one.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn is_lost(&mut self, parts: &[S::Shape], progress: &dyn Progress) -> Result<bool> {
        self.with_moves(|search, place| {
            list(&search.shapes, &mut search.moves, &mut search.parts, parts);
            search.normalize(place);
            if search.moves[place].from == search.moves[place].to {
                return Ok(true);
            }
            let last = search.of_last_part(place, 0, progress)?;
            let numbers = search.ask(last, Numbers::NO_LIMITS, progress)?;
            // Without limits the search ends with an answer.
            Ok(numbers.answer() == Some(true))
        })
    }

    /// Does some work with moves listed from a place on, and forgets them afterwards.
    fn with_moves<T>(&mut self, work: impl FnOnce(&mut Self, usize) -> T) -> T {
        let (place, from) = (self.moves.len(), self.parts.len());
        let done = work(self, place);
        self.moves.truncate(place);
        self.parts.truncate(from);
        done
    }

    /// The nimber of a canonical shape.
    fn value(&mut self, shape: S::Shape, progress: &dyn Progress) -> Result<Nimber> {
        let mut nimber = 0;
        loop {
            if self.is(shape, nimber, progress)? {
                return Ok(nimber);
            }
            // The search may have found the exact nimber on the way to a no.
            if let Some(exact) = self.known.get(shape).and_then(Known::exact) {
                return Ok(exact);
            }
            nimber += 1;
        }
    }

    /// What is known about a canonical shape without a search.
    fn known(&self, shape: S::Shape) -> Known {
        let theorem = || self.shapes.known(shape).map(Known::exactly);
        self.known.get(shape).or_else(theorem).unwrap_or_default()
    }

    /// Whether a canonical shape has this nimber.
    fn is(&mut self, shape: S::Shape, nimber: Nimber, progress: &dyn Progress) -> Result<bool> {
        let mut known = self.known(shape);
        if let Some(answer) = known.answers(nimber) {
            return Ok(answer);
        }
        self.count(progress)?;
        let before = self.nodes;
        let answer = self.with_moves(|search, first| {
            search.open(shape);
            search.decide(first, nimber, &mut known, progress)
        })?;
        self.known.put(shape, known, self.nodes - before + 1);
        Ok(answer)
    }

    /// Whether the shape whose moves are listed from `first` on has this nimber. Adds what
    /// is learned about the shape to `known`.
    fn decide(
        &mut self,
        first: usize,
        nimber: Nimber,
        known: &mut Known,
        progress: &dyn Progress,
    ) -> Result<bool> {
        if self.some_has_value(first, nimber, progress)? {
            *known = known.without(nimber);
            return Ok(false);
        }
        // The nimber is the least that no option has, so it is at most this one.
        for less in 0..nimber {
            if known.excludes(less) {
                continue;
            }
            if !self.some_has_value(first, less, progress)? {
                *known = Known::exactly(less);
                return Ok(false);
            }
            *known = known.without(less);
        }
        *known = Known::exactly(nimber);
        Ok(true)
    }

    fn some_has_value(
        &mut self,
        first: usize,
        nimber: Nimber,
        progress: &dyn Progress,
    ) -> Result<bool> {
        // What memory tells of any move is asked before the first one is searched.
        let mut unknown = Vec::new();
        for place in first..self.moves.len() {
            match self.remembered(place, nimber) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => unknown.push(place),
            }
        }
        for place in unknown {
            if self.has_value(place, nimber, progress)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a move leaves a sum with this nimber.
    fn has_value(&mut self, place: usize, nimber: Nimber, progress: &dyn Progress) -> Result<bool> {
        self.normalize(place);
        if self.moves[place].from == self.moves[place].to {
            return Ok(nimber == 0);
        }
        let last = self.of_last_part(place, nimber, progress)?;
        self.is(last.shape, last.nimber, progress)
    }

    /// Whether a move leaves a sum with this nimber, if memory tells.
    fn remembered(&mut self, place: usize, nimber: Nimber) -> Option<bool> {
        self.normalize(place);
        let Leaves { from, to, .. } = self.moves[place];
        if from == to {
            return Some(nimber == 0);
        }
        let last = self.on_last_part(place, nimber)?;
        self.known(last.shape).answers(last.nimber)
    }

    /// Makes the parts of a move canonical, and drops pairs of equal ones, whose sum is 0.
    fn normalize(&mut self, place: usize) {
        let Leaves {
            from,
            to,
            normalized,
            ..
        } = self.moves[place];
        if normalized {
            return;
        }
        for part in from..to {
            self.parts[part] = self.shapes.canonical(self.parts[part]);
        }
        let mut end = to;
        let mut part = from;
        while part < end {
            let twin = (part + 1..end).find(|&other| self.parts[other] == self.parts[part]);
            if let Some(twin) = twin {
                self.parts.swap(twin, end - 1);
                self.parts.swap(part, end - 2);
                // The part swapped in has not been compared yet.
                end -= 2;
            } else {
                part += 1;
            }
        }
        let sizes = from..end;
        if let Some(largest) = sizes.max_by_key(|&part| self.shapes.size(self.parts[part])) {
            self.parts.swap(largest, end - 1);
        }
        let leaves = &mut self.moves[place];
        (leaves.to, leaves.normalized) = (end, true);
    }

    /// Lists the moves in a shape, those that leave only small parts first.
    fn open(&mut self, shape: S::Shape) {
        let first = self.moves.len();
        let (shapes, moves, parts) = (&self.shapes, &mut self.moves, &mut self.parts);
        shapes.options(shape, &mut |left| list(shapes, moves, parts, left));
        moves[first..].sort_by_key(|leaves| leaves.largest);
    }

    fn count(&mut self, progress: &dyn Progress) -> Result<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(TICK) {
            progress.advance(TICK);
            progress.go_on(NimberError::Cancelled)?;
        }
        Ok(())
    }
}

/// Lists a move that leaves some parts.
fn list<S: Shapes>(
    shapes: &S,
    moves: &mut Vec<Leaves>,
    parts: &mut Vec<S::Shape>,
    left: &[S::Shape],
) {
    let from = parts.len();
    parts.extend_from_slice(left);
    let largest = left.iter().map(|&part| shapes.size(part)).max();
    moves.push(Leaves {
        from,
        to: parts.len(),
        largest: largest.unwrap_or(0),
        normalized: false,
    });
}
