//! Main lines of single positions, followed many at a time as far as they stay in a group.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::following::{Asked, Follower, Following};
use crate::base::cpu::{Cpu, CpuTask};
use crate::base::value::Record;
use crate::game::ByRows;
use crate::solve::WordWidth;

/// Lines that are followed together.
const TOGETHER: usize = 64;

/// A main line at a position of a group.
#[derive(Debug, Clone, Copy)]
pub(in crate::mine) struct Line {
    /// The slot of the position that it begins with.
    pub of: u64,
    /// The slot of the position that it has come to.
    pub slot: u64,
    /// The number of the symmetry that turns that position as it is stored to the board of the
    /// line.
    pub turn: u8,
    /// The code of the position's value.
    pub code: u8,
    /// The numbers of the only best move, if one move is best and stays in the group, and of the
    /// forbidden move, if one is, in the position as it is stored.
    pub only: Option<u8>,
    pub forbidden: Option<u8>,
}

impl Line {
    /// The line of the position of slot `of`, which has come to the position of a slot with this
    /// record, where nothing is forbidden.
    pub fn at(of: u64, slot: u64, turn: u8, [best, second, only]: [u8; 3]) -> Self {
        Self {
            of,
            slot,
            turn,
            code: best,
            only: (best != second && only != Record::NO_MOVE).then_some(only),
            forbidden: None,
        }
    }

    /// Whether the side to move wins: the code is that of a regular value.
    pub const fn is_won(&self) -> bool {
        self.code.is_multiple_of(2)
    }
}

/// How far a line could be followed in a group.
pub(super) enum Followed {
    /// To its end: whether each move of the winner is the only best one, or to the first that is
    /// not.
    Ended { is_dual_free: bool },
    /// To a position of an earlier group, given by its slot and the symmetry that turns it, as it
    /// is stored, to the board of the line.
    Left { slot: u64, turn: u8 },
    /// The values contradict each other.
    Contradicted,
}

/// Follows lines, and says of each how far, given the slot of the position that it begins with.
pub(super) struct Follow<'f, 'a, 'g, G, W, F> {
    pub follower: &'f Follower<'a, 'g, G, W>,
    pub lines: Vec<Line>,
    pub done: F,
}

impl<G, W, F> CpuTask for Follow<'_, '_, '_, G, W, F>
where
    G: ByRows,
    W: WordWidth,
    F: FnMut(u64, Followed),
{
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let mut lines = std::mem::take(&mut self.lines);
        let mut step = Step {
            all: Vec::with_capacity(TOGETHER),
            asked: Vec::new(),
            next: Vec::with_capacity(lines.len()),
        };
        while !lines.is_empty() {
            // Lines in the same row need the same moves.
            lines.sort_unstable_by_key(|line| line.slot);
            self.play(cpu, &lines, &mut step);
            std::mem::swap(&mut lines, &mut step.next);
            step.next.clear();
        }
    }
}

/// Memory for playing a move of each of many lines.
struct Step {
    /// Those that are looked at together.
    all: Vec<Following>,
    asked: Vec<Asked>,
    /// The lines after the move.
    next: Vec<Line>,
}

impl<G, W, F> Follow<'_, '_, '_, G, W, F>
where
    G: ByRows,
    W: WordWidth,
    F: FnMut(u64, Followed),
{
    /// Follows lines by a move each.
    #[inline(always)]
    fn play<C: Cpu>(&mut self, cpu: C, lines: &[Line], step: &mut Step) {
        let follower = self.follower;
        let Step { all, asked, next } = step;
        let mut lines = lines.iter();
        // Those that are not done come first. Others keep memory for further ones.
        let mut count = 0;
        loop {
            while count < TOGETHER
                && let Some(line) = lines.next()
            {
                match all.get_mut(count) {
                    Some(at) => at.line = *line,
                    None => all.push(Following::new(*line)),
                }
                follower.reach(cpu, &mut all[count]);
                if count == 0 || !all[count].is_beside(&all[count - 1]) {
                    follower.prefetch_row(&all[count]);
                }
                count += 1;
            }
            if count == 0 {
                return;
            }
            for (number, at) in all[..count].iter_mut().enumerate() {
                if at.is_new {
                    follower.list(at);
                    at.is_new = false;
                }
                follower.ask(cpu, number, at, asked);
            }
            for asked in asked.drain(..) {
                follower.settle(&asked, &mut all[asked.line]);
            }
            let mut number = 0;
            while number < count {
                let at = &mut all[number];
                let followed = match at.end() {
                    Some(followed) => Err(followed),
                    None if at.is_settled() => follower.play(at),
                    None => {
                        number += 1;
                        continue;
                    }
                };
                match followed {
                    Ok(line) => next.push(line),
                    Err(followed) => (self.done)(at.line.of, followed),
                }
                count -= 1;
                all.swap(number, count);
            }
        }
    }
}
