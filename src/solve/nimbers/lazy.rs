//! A search for nimbers that asks no more than it must.
//!
//! Instead of all nimbers of all positions, it asks "is the value of this part k?".
//! The answer is no as soon as one option has the value k; only if none has, do the
//! values below k matter. Of the parts of a sum, all but the largest are valued, and
//! the question is passed on to that one. What is learned of a part, even if only
//! what its value is not, is kept.
//!
//! Method: J. Lemoine and S. Viennot, *Nimbers are inevitable* (2012).

use std::collections::HashMap;
use std::hash::Hash;

use crate::base::watch::Watch;
use crate::game::{Effort, Nimber, NimberError};

/// An impartial game on shapes that fall into parts.
pub trait Shapes {
    /// A connected part that something is left of.
    type Shape: Copy + Eq + Hash;

    /// Visits the parts that each move on a shape leaves; equal moves may be left out.
    fn options(&self, shape: Self::Shape, visit: &mut dyn FnMut(&[Self::Shape]));

    /// The representative of shapes that are worth the same for simple reasons, such
    /// as turning and shifting.
    fn canonical(&self, shape: Self::Shape) -> Self::Shape;

    /// How large a shape is: smaller ones are expected to be valued sooner.
    fn size(&self, shape: Self::Shape) -> u32;

    /// The nimber of a canonical shape if it is known by a theorem.
    fn known(&self, shape: Self::Shape) -> Option<Nimber>;
}

/// What is known of a shape: its nimber, or some that it is not.
#[derive(Debug, Clone, Copy, Default)]
struct Known(u32);

impl Known {
    const EXACT: u32 = 1 << 31;

    const fn exactly(nimber: Nimber) -> Self {
        Self(Self::EXACT | nimber as u32)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "an exact value was a nimber before"
    )]
    const fn exact(self) -> Option<Nimber> {
        if self.0 & Self::EXACT == 0 {
            None
        } else {
            Some(self.0 as Nimber)
        }
    }

    const fn excludes(self, nimber: Nimber) -> bool {
        nimber < 31 && self.0 >> nimber & 1 == 1
    }

    /// Values of 31 and more are not remembered.
    const fn without(self, nimber: Nimber) -> Self {
        if nimber < 31 {
            Self(self.0 | 1 << nimber)
        } else {
            self
        }
    }
}

/// The parts that a move leaves, as a stretch of a list.
#[derive(Debug, Clone, Copy)]
struct Leaves {
    from: usize,
    to: usize,
    largest: u32,
    /// The parts are canonical, the largest one last, and no two are equal.
    settled: bool,
}

/// Bytes that a known shape takes, with room for growth.
const BYTES: u64 = 64;
/// Questions between two looks at the watch.
const TICK: u64 = 1 << 12;

/// A search with all that it has learned.
#[derive(Debug)]
pub struct Nimbers<S: Shapes> {
    shapes: S,
    known: HashMap<S::Shape, Known, foldhash::fast::FixedState>,
    /// Moves and parts of the shapes under way, innermost last.
    moves: Vec<Leaves>,
    parts: Vec<S::Shape>,
    nodes: u64,
    most_bytes: u64,
}

impl<S: Shapes> Nimbers<S> {
    /// A search that has learned nothing yet, and may keep at most so many bytes.
    #[must_use]
    pub fn new(shapes: S, most_bytes: u64) -> Self {
        Self {
            shapes,
            known: HashMap::default(),
            moves: Vec::new(),
            parts: Vec::new(),
            nodes: 0,
            most_bytes,
        }
    }

    /// The shapes searched.
    pub const fn shapes(&self) -> &S {
        &self.shapes
    }

    /// What was done so far.
    #[must_use]
    pub fn effort(&self) -> Effort {
        Effort {
            nodes: self.nodes,
            kept: self.known.len(),
        }
    }

    /// The nimber of a sum of parts.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    pub fn nimber(
        &mut self,
        parts: &[S::Shape],
        watch: &impl Watch,
    ) -> Result<Nimber, NimberError> {
        let mut sum = 0;
        for &part in parts {
            sum ^= self.value(self.shapes.canonical(part), watch)?;
        }
        Ok(sum)
    }

    /// Whether the side to move in a sum of parts loses.
    ///
    /// # Errors
    /// If memory is short or the watch asks to stop.
    pub fn is_lost(&mut self, parts: &[S::Shape], watch: &impl Watch) -> Result<bool, NimberError> {
        let from = self.parts.len();
        self.parts.extend_from_slice(parts);
        let largest = parts.iter().map(|&part| self.shapes.size(part));
        self.moves.push(Leaves {
            from,
            to: from + parts.len(),
            largest: largest.max().unwrap_or(0),
            settled: false,
        });
        let place = self.moves.len() - 1;
        let answer = self.has_value(place, 0, watch);
        self.moves.truncate(place);
        self.parts.truncate(from);
        answer
    }

    /// The nimber of a canonical shape.
    fn value(&mut self, shape: S::Shape, watch: &impl Watch) -> Result<Nimber, NimberError> {
        let mut nimber = 0;
        loop {
            if self.is(shape, nimber, watch)? {
                return Ok(nimber);
            }
            // A no often tells the value too.
            if let Some(exact) = self.known.get(&shape).and_then(|known| known.exact()) {
                return Ok(exact);
            }
            nimber += 1;
        }
    }

    /// Whether a canonical shape has this nimber.
    fn is(
        &mut self,
        shape: S::Shape,
        nimber: Nimber,
        watch: &impl Watch,
    ) -> Result<bool, NimberError> {
        let mut known = match self.known.get(&shape) {
            Some(&known) => known,
            None => self
                .shapes
                .known(shape)
                .map_or_else(Known::default, Known::exactly),
        };
        if let Some(exact) = known.exact() {
            return Ok(exact == nimber);
        }
        if known.excludes(nimber) {
            return Ok(false);
        }
        self.count(watch)?;
        let (first, first_part) = (self.moves.len(), self.parts.len());
        self.open(shape);
        let answer = self.decide(first, nimber, &mut known, watch);
        self.moves.truncate(first);
        self.parts.truncate(first_part);
        let answer = answer?;
        self.known.insert(shape, known);
        Ok(answer)
    }

    /// As [`is`](Self::is), for the shape whose moves are listed from `first` on; says
    /// in `known` what was learned.
    fn decide(
        &mut self,
        first: usize,
        nimber: Nimber,
        known: &mut Known,
        watch: &impl Watch,
    ) -> Result<bool, NimberError> {
        if self.some_has_value(first, nimber, watch)? {
            *known = known.without(nimber);
            return Ok(false);
        }
        // The value is at most this one, and the least that no option has.
        for less in 0..nimber {
            if known.excludes(less) {
                continue;
            }
            if !self.some_has_value(first, less, watch)? {
                *known = Known::exactly(less);
                return Ok(false);
            }
            *known = known.without(less);
        }
        *known = Known::exactly(nimber);
        Ok(true)
    }

    /// Whether one of the moves from `first` on leaves a sum with this nimber.
    fn some_has_value(
        &mut self,
        first: usize,
        nimber: Nimber,
        watch: &impl Watch,
    ) -> Result<bool, NimberError> {
        let end = self.moves.len();
        for place in first..end {
            if self.has_value(place, nimber, watch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a move leaves a sum with this nimber.
    fn has_value(
        &mut self,
        place: usize,
        nimber: Nimber,
        watch: &impl Watch,
    ) -> Result<bool, NimberError> {
        self.settle(place);
        let Leaves { from, to, .. } = self.moves[place];
        if from == to {
            return Ok(nimber == 0);
        }
        let mut rest = nimber;
        for part in from..to - 1 {
            rest ^= self.value(self.parts[part], watch)?;
        }
        self.is(self.parts[to - 1], rest, watch)
    }

    /// Makes the parts of a move canonical; two that are equal are worth nothing.
    fn settle(&mut self, place: usize) {
        let Leaves {
            from, to, settled, ..
        } = self.moves[place];
        if settled {
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
                // What came to this place was not looked at yet, unless it is one of
                // the two.
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
        (leaves.to, leaves.settled) = (end, true);
    }

    /// Lists the moves on a shape, those that leave only small parts first.
    fn open(&mut self, shape: S::Shape) {
        let first = self.moves.len();
        let (shapes, moves, parts) = (&self.shapes, &mut self.moves, &mut self.parts);
        shapes.options(shape, &mut |left| {
            let from = parts.len();
            parts.extend_from_slice(left);
            let largest = left.iter().map(|&part| shapes.size(part)).max();
            moves.push(Leaves {
                from,
                to: parts.len(),
                largest: largest.unwrap_or(0),
                settled: false,
            });
        });
        moves[first..].sort_by_key(|leaves| leaves.largest);
    }

    fn count(&mut self, watch: &impl Watch) -> Result<(), NimberError> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(TICK) {
            watch.advance(TICK);
            if watch.cancelled() {
                return Err(NimberError::Cancelled);
            }
            let kept = self.known.len();
            if kept as u64 * BYTES > self.most_bytes {
                return Err(NimberError::Memory {
                    kept,
                    bytes: self.most_bytes,
                });
            }
        }
        Ok(())
    }
}
