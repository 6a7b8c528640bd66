//! Main lines of positions that filters look at.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::KnownDuals;
use super::best_lines::{AtRow, Find, LineFinder, Position};
use super::duals::{Lines, TOGETHER};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Narrow, Record, Value};
use crate::game::ByRows;
use crate::mine::plan::Admitted;
use crate::solve::WordWidth;
use crate::table::Block;

impl<G: ByRows, W: WordWidth> LineFinder<'_, '_, G, W> {
    /// Takes filters away from the unrestricted states of a block whose main lines have a dual
    /// as they will be looked at: those of `filters`, which admit no such state. Positions are given
    /// by their place in the block, in order. `as_stored` tells whether the position of a slot will
    /// be looked at as it is stored, and not turned.
    pub fn narrow(
        &self,
        block: &Block<'_>,
        filters: u64,
        as_stored: impl Fn(u64) -> bool,
        admitted: &mut Vec<(usize, Admitted)>,
    ) {
        let Some((best, second, only)) = block.narrow_planes() else {
            return;
        };
        let first = self.group.index(block.slots().start);
        let is_asked = |&(place, admitted): &(usize, Admitted)| {
            admitted.free & filters != 0 && self.duals.knows(best[place])
        };
        let mut at: Option<AtRow<'_, '_>> = None;
        let mut rest = &mut admitted[..];
        while let Some(one) = rest.iter().position(is_asked) {
            let index = first + rest[one].0;
            if at.as_ref().is_none_or(|at| !at.has(index)) {
                at = AtRow::new(self.group, index);
            }
            let Some(at) = &at else {
                return;
            };
            let here = rest[one..].iter().take(TOGETHER);
            let here = here.take_while(|(place, _)| at.has(first + place)).count();
            let (some, later) = rest[one..].split_at_mut(here);
            rest = later;
            dispatch(Narrowing {
                finder: self,
                at,
                first,
                codes: |place| [best[place], second[place], only[place]],
                filters,
                as_stored: |place| as_stored(block.slots().start + place as u64),
                some,
            });
        }
        admitted.retain(|(_, admitted)| !admitted.is_empty());
    }
}

/// Takes filters away from positions of a row.
struct Narrowing<'f, 'r, 'a, 'g, 's, G, W: WordWidth, F, S> {
    finder: &'f LineFinder<'a, 'g, G, W>,
    at: &'f AtRow<'r, 'g>,
    /// The index of the block's first record in the group.
    first: usize,
    /// The codes of the record at a place of the block.
    codes: F,
    filters: u64,
    /// Whether the position at a place of the block will be looked at as it is stored.
    as_stored: S,
    some: &'s mut [(usize, Admitted)],
}

impl<G, W, F, S> CpuTask for Narrowing<'_, '_, '_, '_, '_, G, W, F, S>
where
    G: ByRows,
    W: WordWidth,
    F: Fn(usize) -> [u8; 3],
    S: Fn(usize) -> bool,
{
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let (finder, at) = (self.finder, self.at);
        let is_asked = |&(place, admitted): &(usize, Admitted)| {
            admitted.free & self.filters != 0 && finder.duals.knows((self.codes)(place)[0])
        };
        let asked = self.some.iter().filter(|one| is_asked(one));
        let asked =
            asked.map(|&(place, _)| at.position(cpu, self.first + place, (self.codes)(place)));
        let mut positions: Vec<Position> = asked.collect();
        let some = &mut positions[..];
        Find { finder, at, some }.run(cpu);
        let asked = self.some.iter_mut().filter(|one| is_asked(one));
        for ((place, admitted), position) in asked.zip(positions) {
            let Lines { dual_free, unknown } = position.lines;
            let is_refused = dual_free == 0 || dual_free & 1 == 0 && (self.as_stored)(*place);
            if is_refused && !unknown {
                admitted.free &= !self.filters;
            }
        }
    }
}

impl<G: ByRows, W: WordWidth> KnownDuals for LineFinder<'_, '_, G, W> {
    fn verdict(&self, slot: u64, record: Record) -> Option<bool> {
        let code = |value: Value| {
            let code = value.resized::<Narrow>().map(Value::code);
            code.and_then(|code| u8::try_from(code).ok())
        };
        let (best, second) = (code(record.best())?, code(record.second())?);
        let only = record.only_move().unwrap_or(Record::NO_MOVE);
        if !self.duals.knows(best) {
            return None;
        }
        let index = self.group.index(slot);
        let lines = dispatch(One {
            finder: self,
            at: AtRow::new(self.group, index)?,
            index,
            codes: [best, second, only],
        });
        (!lines.unknown).then_some(lines.dual_free & 1 == 1)
    }
}

/// Finds the lines of one position.
struct One<'f, 'r, 'a, 'g, G, W: WordWidth> {
    finder: &'f LineFinder<'a, 'g, G, W>,
    at: AtRow<'r, 'g>,
    index: usize,
    codes: [u8; 3],
}

impl<G: ByRows, W: WordWidth> CpuTask for One<'_, '_, '_, '_, G, W> {
    type Output = Lines;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Lines {
        let mut some = [self.at.position(cpu, self.index, self.codes)];
        Find {
            finder: self.finder,
            at: &self.at,
            some: &mut some,
        }
        .run(cpu);
        some[0].lines
    }
}
