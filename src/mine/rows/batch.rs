//! Main lines that are followed together.

use crate::base::value::Record;

/// Stands for no move.
const NONE: u8 = Record::NO_MOVE;

/// A main line at a position of a group.
#[derive(Debug, Clone, Copy)]
pub(in crate::mine) struct Line {
    /// Where it is: the slot of the position that it has come to, the number of the symmetry that
    /// turns that position as it is stored to the board of the line, of three bits, and the
    /// number of the forbidden move in the position as it is stored, of eight.
    place: u64,
    /// Its number in the batch.
    pub id: u32,
    /// The code of the position's value.
    pub code: u8,
    /// The number of the only best move in the position as it is stored, if it is known.
    only: u8,
    /// Whether no single move that stays in the group is better than all others, the forbidden
    /// one included.
    pub is_tied: bool,
}

impl Line {
    /// The line of a number at a position, given by its slot and how it is turned, of a value
    /// that the move of number `best` alone has if none is forbidden; `None` if that is not one
    /// move that stays in the group.
    pub(crate) fn new(
        id: u32,
        (slot, turn): (u64, u8),
        code: u8,
        best: Option<u8>,
        forbidden: Option<u8>,
    ) -> Self {
        Self {
            place: slot << 11 | u64::from(turn & 7) << 8 | u64::from(forbidden.unwrap_or(NONE)),
            id,
            code,
            only: best.filter(|_| best != forbidden).unwrap_or(NONE),
            is_tied: best.is_none(),
        }
    }

    pub(crate) const fn slot(&self) -> u64 {
        self.place >> 11
    }

    pub(crate) const fn turn(&self) -> u8 {
        (self.place >> 8 & 7) as u8
    }

    pub(crate) fn forbidden(&self) -> Option<u8> {
        Some((self.place & 0xFF) as u8).filter(|&number| number != NONE)
    }

    pub(crate) fn only(&self) -> Option<u8> {
        Some(self.only).filter(|&number| number != NONE)
    }

    /// Whether the side to move wins: the code is that of a regular value.
    pub(crate) const fn is_won(&self) -> bool {
        self.code.is_multiple_of(2)
    }
}

/// Lines that are followed together. Those that come to the same position go on as one.
#[derive(Default)]
pub(in crate::mine) struct Batch {
    /// By the code of their positions' values.
    lines: Vec<Vec<Line>>,
    /// By number of a line: the position that it begins with.
    begun: Vec<Begun>,
}

/// What a line begins with, and which lines go on with it: a list, of which each has the next one
/// and the first one has the last.
struct Begun {
    slot: u64,
    next: u32,
    last: u32,
}

impl Batch {
    /// The memory in bytes that a line takes, with room for vectors to grow.
    pub(crate) const BYTES: u64 = 2 * (size_of::<Line>() + size_of::<Begun>()) as u64;

    pub(crate) const fn len(&self) -> usize {
        self.begun.len()
    }

    /// Adds the line that begins with the position of slot `of` and has come to the position of
    /// slot `slot` with this record, where nothing is forbidden.
    pub(crate) fn push(&mut self, of: u64, (slot, turn): (u64, u8), [best, second, only]: [u8; 3]) {
        let id = u32::try_from(self.begun.len()).expect("a batch is limited");
        self.begun.push(Begun {
            slot: of,
            next: u32::MAX,
            last: id,
        });
        let only = (best != second && only != NONE).then_some(only);
        self.go_on(Line::new(id, (slot, turn), best, only, None));
    }

    /// Adds a line that has moved.
    pub(crate) fn go_on(&mut self, line: Line) {
        let code = usize::from(line.code);
        if code >= self.lines.len() {
            self.lines.resize_with(code + 1, Vec::new);
        }
        self.lines[code].push(line);
    }

    /// Takes the lines that have farthest to go, by the slots of their positions; none if none
    /// are left.
    pub(crate) fn take(&mut self) -> Vec<Line> {
        // Lines that come to the same position have as far to go from there.
        let mut left = std::iter::from_fn(|| self.lines.pop());
        let lines = left.find(|lines| !lines.is_empty());
        let mut lines = lines.unwrap_or_default();
        lines.sort_unstable_by_key(|line| line.place);
        lines.dedup_by(|line, with| {
            let is_same = line.place == with.place;
            if is_same {
                self.join(line.id, with.id);
            }
            is_same
        });
        lines
    }

    /// Lets a line go on with another one.
    fn join(&mut self, line: u32, with: u32) {
        let (line, with) = (line as usize, with as usize);
        let last = self.begun[with].last as usize;
        self.begun[last].next = u32::try_from(line).unwrap_or(u32::MAX);
        self.begun[with].last = self.begun[line].last;
    }

    /// The slots of the positions that a line, and those that go on with it, begin with.
    pub(crate) fn begun_with(&self, line: u32) -> impl Iterator<Item = u64> {
        let at = |line: u32| self.begun.get(line as usize);
        let all = std::iter::successors(at(line), move |begun| at(begun.next));
        all.map(|begun| begun.slot)
    }
}
