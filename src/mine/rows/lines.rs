//! Main lines of single positions, followed many at a time as far as they stay in a group.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::batch::{Batch, Line};
use super::choice::Asked;
use super::following::{Follower, Following};
use crate::base::cpu::{Cpu, CpuTask};
use crate::game::ByRows;

/// Lines that are followed together.
const TOGETHER: usize = 64;

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

/// Follows the lines of a batch, and says of each how far, given its number.
pub(super) struct Follow<'f, 'a, 'g, G, F> {
    pub follower: &'f Follower<'a, 'g, G>,
    pub batch: Batch,
    pub done: F,
}

impl<G, F> CpuTask for Follow<'_, '_, '_, G, F>
where
    G: ByRows,
    F: FnMut(&Batch, u32, Followed),
{
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) {
        let mut step = Step {
            all: Vec::with_capacity(TOGETHER),
            asked: Vec::new(),
        };
        loop {
            let lines = self.batch.take();
            if lines.is_empty() {
                return;
            }
            self.play(cpu, &lines, &mut step);
        }
    }
}

/// Memory for playing a move of each of many lines.
struct Step {
    /// Those that are looked at together.
    all: Vec<Following>,
    asked: Vec<Asked>,
}

impl<G, F> Follow<'_, '_, '_, G, F>
where
    G: ByRows,
    F: FnMut(&Batch, u32, Followed),
{
    /// Follows lines by a move each.
    #[inline(always)]
    fn play<C: Cpu>(&mut self, cpu: C, lines: &[Line], step: &mut Step) {
        let follower = self.follower;
        let Step { all, asked } = step;
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
                }
                follower.ask(cpu, number, at, asked);
                at.is_new = false;
            }
            for asked in asked.drain(..) {
                follower.settle(&asked, &mut all[asked.line]);
            }
            let mut number = 0;
            while number < count {
                let at = &mut all[number];
                let followed = match at.end() {
                    Some(followed) => Err(followed),
                    None if at.is_settled() => follower.play(cpu, at),
                    None => {
                        number += 1;
                        continue;
                    }
                };
                match followed {
                    Ok(line) => self.batch.go_on(line),
                    Err(followed) => (self.done)(&self.batch, at.line.id, followed),
                }
                count -= 1;
                all.swap(number, count);
            }
        }
    }
}
