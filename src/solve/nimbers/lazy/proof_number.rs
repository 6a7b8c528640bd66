//! Proof-number search for the question whether a part has a nimber.
//!
//! The answer is yes if it is no for every option and for every smaller nimber of the part,
//! and no if it is yes for one of them. A *proof number* says how far an answer seems to be:
//! that of no is the least among the proof numbers of yes below; that of yes is the largest
//! of no below, and a little for each further question (weak proof numbers: a sum would
//! count what several questions share again and again). The search follows the numbers depth
//! first, and keeps them in memory with what else it learns.
//!
//! Methods: A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*
//! (2002); J. Pawlewicz and Ł. Lew, *Improving depth-first PN-search: 1+ε trick* (2007);
//! T. Ueda and others, *Weak proof-number search* (2008); J. Lemoine and S. Viennot,
//! *Nimbers are inevitable* (2012), for questions about parts and nimbers.

use super::{Nimbers, Shapes};
use crate::base::progress::Progress;
use crate::game::Nimber;
use crate::solve::nimbers::Result;
use crate::solve::nimbers::memo::{Known, Numbers};

/// What each open question but the one that seems hardest adds to the proof number of yes.
const EACH: u32 = 2;
/// A question is left when it seems harder than the next best one by more than the next
/// best one's number divided by this.
const PATIENCE: u32 = 4;

/// Shapes of at most this number of squares are searched without proof numbers, unless chosen
/// otherwise: their upkeep costs more there than it saves.
pub(super) const FEW: u32 = 40;

/// Whether a canonical shape has a nimber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Question<T> {
    pub shape: T,
    pub nimber: Nimber,
}

/// An open question on which another one depends.
#[derive(Debug, Clone, Copy)]
struct Branch<T> {
    asks: Asks<T>,
    numbers: Numbers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asks<T> {
    Shape(Question<T>),
    /// The parts that the move of this number leaves, some without a known nimber.
    Sum(usize),
}

impl<S: Shapes> Nimbers<S> {
    /// The proof numbers of a question as far as they are known.
    fn numbers(&self, question: Question<S::Shape>) -> Numbers {
        let Question { shape, nimber } = question;
        let (known, numbers) = self.known.look_up(shape, nimber);
        let known = known.or_else(|| self.shapes.known(shape).map(Known::exactly));
        match known.and_then(|known| known.answers(nimber)) {
            Some(answer) => Numbers::of(answer),
            None => numbers.unwrap_or_else(|| Numbers::guess(self.shapes.size(shape))),
        }
    }

    /// The numbers of a question, after a search unless they reach a limit already: until it
    /// has an answer, or one of its numbers reaches its limit.
    pub(super) fn ask(
        &mut self,
        question: Question<S::Shape>,
        limits: Numbers,
        progress: &dyn Progress,
    ) -> Result<Numbers> {
        let numbers = self.numbers(question);
        if numbers.answer().is_some() || numbers.yes >= limits.yes || numbers.no >= limits.no {
            return Ok(numbers);
        }
        let Question { shape, nimber } = question;
        if self.shapes.size(shape) <= self.few {
            return self.is(shape, nimber, progress).map(Numbers::of);
        }
        self.count(progress)?;
        let before = self.nodes;
        let numbers = self.with_moves(|search, first| {
            search.open(shape);
            match search.branches(question, first) {
                Some(branches) => search.compare(branches, question, limits, progress),
                None => Ok(Numbers::of(false)),
            }
        })?;
        self.learn(question, numbers, self.nodes - before + 1);
        Ok(numbers)
    }

    /// The open questions on which one depends, in order; `None` if one of them is answered
    /// with yes. The moves of the shape are listed from `first` on.
    fn branches(
        &mut self,
        question: Question<S::Shape>,
        first: usize,
    ) -> Option<Vec<Branch<S::Shape>>> {
        let mut all = Vec::with_capacity(self.moves.len() - first);
        for place in first..self.moves.len() {
            self.normalize(place);
            let leaves = self.moves[place];
            if leaves.from == leaves.to {
                if question.nimber == 0 {
                    return None;
                }
                continue;
            }
            let asks = match self.on_last_part(place, question.nimber) {
                Some(question) => Asks::Shape(question),
                None => Asks::Sum(place),
            };
            all.push(asks);
        }
        all.extend((0..question.nimber).map(|nimber| Asks::Shape(Question { nimber, ..question })));
        all.sort_unstable();
        all.dedup();
        let mut branches = Vec::with_capacity(all.len());
        for asks in all {
            let numbers = match asks {
                Asks::Shape(question) => self.numbers(question),
                Asks::Sum(place) => {
                    let parts = self.moves[place].from..self.moves[place].to;
                    let sizes = parts.map(|part| self.shapes.size(self.parts[part]));
                    Numbers::guess(sizes.sum())
                }
            };
            match numbers.answer() {
                Some(true) => return None,
                Some(false) => {}
                None => branches.push(Branch { asks, numbers }),
            }
        }
        Some(branches)
    }

    /// What the question whether a move leaves a sum of this nimber means for its largest
    /// part, if the nimbers of the others are known.
    pub(super) fn on_last_part(&self, place: usize, nimber: Nimber) -> Option<Question<S::Shape>> {
        let (from, last) = (self.moves[place].from, self.moves[place].to - 1);
        let mut rest = nimber;
        for &part in &self.parts[from..last] {
            rest ^= self.known(part).exact()?;
        }
        Some(Question {
            shape: self.parts[last],
            nimber: rest,
        })
    }

    /// [`on_last_part`](Self::on_last_part), after a search for the nimbers of the other parts.
    pub(super) fn of_last_part(
        &mut self,
        place: usize,
        nimber: Nimber,
        progress: &dyn Progress,
    ) -> Result<Question<S::Shape>> {
        let (from, last) = (self.moves[place].from, self.moves[place].to - 1);
        let mut rest = nimber;
        for part in from..last {
            rest ^= self.value(self.parts[part], progress)?;
        }
        Ok(Question {
            shape: self.parts[last],
            nimber: rest,
        })
    }

    /// Searches the most promising question again and again, until the one that depends on
    /// them has an answer, or reaches a limit.
    fn compare(
        &mut self,
        mut branches: Vec<Branch<S::Shape>>,
        question: Question<S::Shape>,
        limits: Numbers,
        progress: &dyn Progress,
    ) -> Result<Numbers> {
        loop {
            let Some(best) = (0..branches.len()).min_by_key(|&place| branches[place].numbers.yes)
            else {
                return Ok(Numbers::of(true));
            };
            let Branch { asks, numbers } = branches[best];
            let others = branches.iter().enumerate();
            let others = others.filter(|&(place, _)| place != best);
            let next = others.map(|(_, branch)| branch.numbers.yes).min();
            let hardest = branches.iter().map(|branch| branch.numbers.no).max();
            let further = u32::try_from(branches.len() - 1).unwrap_or(u32::MAX);
            let further = further.saturating_mul(EACH);
            let here = Numbers {
                yes: hardest
                    .unwrap_or(0)
                    .saturating_add(further)
                    .min(Numbers::MOST),
                no: numbers.yes,
            };
            if here.yes >= limits.yes || here.no >= limits.no {
                return Ok(here);
            }
            let beyond = next.map_or(Numbers::NEVER, |next| next + next / PATIENCE + 1);
            let below = Numbers {
                yes: limits.no.min(beyond),
                no: if limits.yes == Numbers::NEVER {
                    Numbers::NEVER
                } else {
                    limits.yes - further
                },
            };
            let asked = match asks {
                Asks::Shape(asked) => asked,
                Asks::Sum(place) => self.of_last_part(place, question.nimber, progress)?,
            };
            // Another way may have led to the answer, or to better numbers.
            let numbers = self.ask(asked, below, progress)?;
            let asks = Asks::Shape(asked);
            match numbers.answer() {
                Some(true) => return Ok(Numbers::of(false)),
                Some(false) => _ = branches.remove(best),
                None => branches[best] = Branch { asks, numbers },
            }
        }
    }

    fn learn(&mut self, question: Question<S::Shape>, numbers: Numbers, work: u64) {
        let Question { shape, nimber } = question;
        match numbers.answer() {
            None => self.known.put_numbers(shape, nimber, numbers, work),
            Some(true) => self.known.put(shape, Known::exactly(nimber), work),
            Some(false) => {
                let known = self.known(shape);
                // A smaller nimber may have been found in between.
                if known.exact().is_none() {
                    self.known.put(shape, known.without(nimber), work);
                }
            }
        }
    }
}
