//! The solver's working record of a position: one word with everything known so far
//! and everything still needed. It has 32 bits for narrow values and 64 for wide ones.
//!
//! | bits if narrow | if wide | field |
//! |---|---|---|
//! | 8 | 16 | best value, or its floor while undecided |
//! | 8 | 16 | best value without the best move, or its floor |
//! | 7 | 8 | the best move, or the XOR of all unresolved moves |
//! | 6 | 8 | number of unresolved moves, 0 once losses no longer matter |
//! | 1 | 1 | the best value is decided (final when the pass reaches it) |
//! | 1 | 1 | the second value is decided |
//!
//! The *floor* is the value of the best move that leaves the group. Such moves lead to
//! groups that are solved already and can never be forbidden, so the floor bounds both
//! values from below. Moves within the group are *resolved* one by one in order of
//! distance, so the first win is the shortest and the last loss the longest.
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and words, and checks would cost time in hot loops"
)]

pub(super) mod packed;

use std::marker::PhantomData;

use crate::base::cpu::{Bound, CountDown};
use crate::base::value::{Outcome, Record, Value, Width};

/// What is known so far about one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Work<W>(u64, PhantomData<W>);

impl<W: Width> Work<W> {
    pub(super) const NUMBER_BITS: u32 = if W::BYTES == 1 { 7 } else { 8 };
    /// Number of bits for the count of unresolved moves.
    pub(super) const COUNT_BITS: u32 = if W::BYTES == 1 { 6 } else { 8 };
    const WIDTH: u32 = 8 * W::BYTES as u32;
    const VALUE_MASK: u64 = (1 << Self::WIDTH) - 1;
    const MOVE_SHIFT: u32 = 2 * Self::WIDTH;
    const MOVE_MASK: u64 = (1 << Self::NUMBER_BITS) - 1;
    const COUNT_SHIFT: u32 = Self::MOVE_SHIFT + Self::NUMBER_BITS;
    const COUNT_MASK: u64 = (1 << Self::COUNT_BITS) - 1;
    const BEST_DECIDED: u64 = 1 << (Self::COUNT_SHIFT + Self::COUNT_BITS);
    const SECOND_DECIDED: u64 = 2 * Self::BEST_DECIDED;

    /// The record of a slot without a position.
    pub(super) const VACANT: Self = Self::fields(Value::VACANT, Value::VACANT, 0, 0);

    /// The record of a position in which a move wins at once.
    pub(super) const CHECKMATE: Self = Self::decided(Value::CHECKMATE, Value::CHECKMATE, 0);

    /// The same, where the first pass has told all predecessors.
    pub(super) const TOLD: Self = Self::decided(Value::CHECKMATE, Value::CHECKMATE, 1);

    /// The mark, in the first pass, of a slot that holds an ended position.
    pub(super) const fn ended(outcome: Outcome) -> Self {
        Self::fields(Value::VACANT, Value::of_end(outcome), 0, 0)
    }

    /// The outcome of the ended position of a slot, for the side to move there.
    pub(super) fn has_ended(self) -> Option<Outcome> {
        (self.best().is_vacant() && !self.second().is_vacant()).then(|| self.second().outcome())
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits, PhantomData)
    }

    const fn fields(best: Value<W>, second: Value<W>, mv: u8, count: u8) -> Self {
        Self::from_bits(
            best.code() as u64
                | (second.code() as u64) << Self::WIDTH
                | (mv as u64 & Self::MOVE_MASK) << Self::MOVE_SHIFT
                | (count as u64 & Self::COUNT_MASK) << Self::COUNT_SHIFT,
        )
    }

    pub(super) const fn decided(best: Value<W>, second: Value<W>, mv: u8) -> Self {
        Self::from_bits(
            Self::fields(best, second, mv, 0).0 | Self::BEST_DECIDED | Self::SECOND_DECIDED,
        )
    }

    /// A record with only the second value decided, the one without move `mv`.
    pub(crate) const fn second_decided(second: Value<W>, mv: u8) -> Self {
        Self::from_bits(Self::fields(second, second, mv, 1).0 | Self::SECOND_DECIDED)
    }

    /// A record with only the best value decided, that of move `mv`.
    pub(crate) const fn best_decided(best: Value<W>, mv: u8) -> Self {
        Self::from_bits(Self::fields(best, Value::DRAW, mv, 0).0 | Self::BEST_DECIDED)
    }

    /// A record with nothing decided and no count of unresolved moves, because losses no
    /// longer matter.
    pub(super) const OPEN: Self = Self::fields(Value::DRAW, Value::DRAW, 0, 0);

    /// A record with nothing decided and at least two unresolved moves.
    #[inline(always)]
    pub(super) const fn open(floor: Value<W>, xor: u8, count: u8) -> Self {
        Self::fields(floor, floor, xor, count)
    }

    /// The first record of a position, from its floor and the number and XOR of the moves
    /// within the group.
    pub(super) fn begin(floor: Option<Value<W>>, count: u8, xor: u8) -> Self {
        match floor {
            Some(win) if win.outcome() == Outcome::Win => Self::decided(win, win, 0),
            Some(draw) if draw.outcome() == Outcome::Draw => Self::OPEN,
            _ => {
                // Without a move out of the group, forbidding the only move would leave
                // none; no known rule set allows that.
                let floor = floor.unwrap_or(Value::SELF_MATE);
                match count {
                    0 => Self::decided(floor, floor, 0),
                    1 => Self::second_decided(floor, xor),
                    _ => Self::open(floor, xor, count),
                }
            }
        }
    }

    #[inline(always)]
    pub(super) const fn best(self) -> Value<W> {
        Value::from_code((self.0 & Self::VALUE_MASK) as u16)
    }

    #[inline(always)]
    pub(super) const fn second(self) -> Value<W> {
        Value::from_code((self.0 >> Self::WIDTH & Self::VALUE_MASK) as u16)
    }

    /// The best move, if a single one is known to be best.
    #[inline(always)]
    pub(super) const fn mv(self) -> u8 {
        (self.0 >> Self::MOVE_SHIFT & Self::MOVE_MASK) as u8
    }

    #[inline(always)]
    const fn count(self) -> u64 {
        self.0 >> Self::COUNT_SHIFT & Self::COUNT_MASK
    }

    #[inline(always)]
    pub(crate) const fn has_best(self) -> bool {
        self.0 & Self::BEST_DECIDED != 0
    }

    #[inline(always)]
    pub(crate) const fn has_second(self) -> bool {
        self.0 & Self::SECOND_DECIDED != 0
    }

    /// The patterns, for [`WordWidth::matching`](super::words::WordWidth::matching), of
    /// records whose best or whose second value is decided to be `value`.
    #[inline(always)]
    pub(crate) const fn deciding(value: Value<W>) -> [(u64, u64); 2] {
        let code = value.code() as u64;
        let second = Self::WIDTH;
        [
            (
                Self::VALUE_MASK | Self::BEST_DECIDED,
                code | Self::BEST_DECIDED,
            ),
            (
                Self::VALUE_MASK << second | Self::SECOND_DECIDED,
                code << second | Self::SECOND_DECIDED,
            ),
        ]
    }

    /// Whether the best and the second value are decided to be `value`.
    #[inline(always)]
    pub(super) const fn decides(self, value: Value<W>) -> (bool, bool) {
        let [(best, is), (second, or)] = Self::deciding(value);
        (self.0 & best == is, self.0 & second == or)
    }

    #[inline(always)]
    const fn with(self, field: u64, mask: u64, shift: u32) -> Self {
        Self::from_bits(self.0 & !(mask << shift) | field << shift)
    }

    #[inline(always)]
    const fn with_best(self, value: Value<W>) -> Self {
        let next = self.with(value.code() as u64, Self::VALUE_MASK, 0);
        Self::from_bits(next.0 | Self::BEST_DECIDED)
    }

    #[inline(always)]
    const fn with_second(self, value: Value<W>) -> Self {
        let next = self.with(value.code() as u64, Self::VALUE_MASK, Self::WIDTH);
        Self::from_bits(next.0 | Self::SECOND_DECIDED)
    }

    #[inline(always)]
    const fn with_move(self, mv: u8) -> Self {
        self.with(mv as u64, Self::MOVE_MASK, Self::MOVE_SHIFT)
    }

    #[inline(always)]
    const fn with_count(self, count: u64) -> Self {
        self.with(count, Self::COUNT_MASK, Self::COUNT_SHIFT)
    }

    /// Whether `held` is a win at most as long as the win `value`.
    #[inline(always)]
    fn wins_by(held: Value<W>, value: Value<W>) -> bool {
        held.outcome() == Outcome::Win && held.plies_to_checkmate() <= value.plies_to_checkmate()
    }

    /// The record after move `mv` is found to win with `value`.
    #[inline]
    pub(crate) fn resolve_win(self, value: Value<W>, mv: u8) -> Self {
        if self.has_best() && Self::wins_by(self.best(), value) {
            if self.has_second() && Self::wins_by(self.second(), value) {
                return self;
            }
            return self.with_second(value).with_count(0);
        }
        let next = self.with_best(value).with_move(mv);
        match self.count() {
            0 => next,
            1 if !self.has_second() => Self::from_bits(next.with_count(0).0 | Self::SECOND_DECIDED),
            count => next.with_count(count - 1),
        }
    }

    /// The record after move `mv` is found to lose with `value`.
    #[inline]
    pub(crate) fn resolve_loss(self, value: Value<W>, mv: u8) -> Self {
        let count = self.count();
        if count == 0 {
            return self;
        }
        let next = self.with_count(count - 1);
        if self.has_best() {
            // The best move is a win, so this one counts for the second value.
            return if count == 1 {
                next.with_second(value.max(self.second()))
            } else {
                next
            };
        }
        match count {
            1 => next.with_best(value.max(self.best())),
            2 => next
                .with_move(self.mv() ^ mv)
                .with_second(value.max(self.second())),
            _ => next.with_move(self.mv() ^ mv),
        }
    }

    /// The first record after `lost` moves, whose numbers have this XOR, are found to lose to a
    /// move that wins at once.
    #[inline(always)]
    pub(super) fn resolve_first_losses(self, lost: u8, xor: u8) -> Self {
        // With a move left only the XOR of those resolved matters; with none left of several,
        // both values are the same and the move has no meaning.
        (0..lost).fold(self, |work, resolved| {
            let number = if resolved == 0 { xor } else { 0 };
            work.resolve_loss(Value::from_code(1), number)
        })
    }

    /// [`resolve_early_loss`](Self::resolve_early_loss) of words of 32 bits.
    #[inline(always)]
    pub(crate) const fn early_loss(mv: u8) -> CountDown {
        CountDown {
            shift: Self::COUNT_SHIFT,
            flag: Self::BEST_DECIDED as u32,
            xor: (mv as u32) << Self::MOVE_SHIFT,
        }
    }

    /// [`is_won`](Self::is_won) of words of 32 bits.
    #[inline(always)]
    pub(super) const fn won(value: Value<W>) -> Bound {
        Bound {
            flags: (Self::BEST_DECIDED | Self::SECOND_DECIDED) as u32,
            shift: Self::WIDTH,
            most: value.code() as u8,
        }
    }

    /// Whether the record of these bits is known to be decided by two wins at most as long as
    /// the regular win `value`, so that another win of that length changes nothing.
    #[inline(always)]
    pub(crate) const fn is_won(bits: u64, value: Value<W>) -> bool {
        let both = Self::BEST_DECIDED | Self::SECOND_DECIDED;
        let second = (bits >> Self::WIDTH & Self::VALUE_MASK) as u16;
        // Regular wins have even codes, and the best value is no worse than the second.
        bits & both == both && second <= value.code() && (second ^ value.code()) & 1 == 0
    }

    /// The bits of a record after move `mv` is found to lose, if that decides nothing:
    /// unless one or two moves are left. Free of branches otherwise.
    #[inline(always)]
    pub(crate) const fn resolve_early_loss(bits: u64, mv: u8) -> Option<u64> {
        let count = bits >> Self::COUNT_SHIFT & Self::COUNT_MASK;
        if count.wrapping_sub(1) < 2 {
            return None;
        }
        let open = (count != 0) as u64;
        let undecided = (open & (bits & Self::BEST_DECIDED == 0) as u64).wrapping_neg();
        let bits = bits - (open << Self::COUNT_SHIFT);
        Some(bits ^ (mv as u64) << Self::MOVE_SHIFT & undecided)
    }

    /// The record after move `mv` is found to have `value`, a win or a loss.
    #[inline]
    pub(crate) fn resolve(self, value: Value<W>, mv: u8) -> Self {
        if value.outcome() == Outcome::Win {
            self.resolve_win(value, mv)
        } else {
            self.resolve_loss(value, mv)
        }
    }

    /// The record after move `mv` is found to end the game, with this outcome for the other
    /// side. Such a move can never be forbidden.
    pub(super) fn resolve_end(self, outcome: Outcome, mv: u8) -> Self {
        match outcome {
            // Un-moves also lead to positions in which their move is not legal because another one
            // wins at once.
            Outcome::Loss if self == Self::TOLD => self,
            Outcome::Loss => Self::CHECKMATE,
            Outcome::Draw if self.has_best() && self.best().outcome() == Outcome::Win => self,
            Outcome::Draw => Self::OPEN,
            Outcome::Win => self.resolve_loss(Value::SELF_MATE, mv),
        }
    }

    /// Whether a solver that knows distances up to `furthest` can have this record.
    pub(super) fn is_possible(self, furthest: u16) -> bool {
        let possible = |decided: bool, value: Value<W>| match value.plies_to_checkmate() {
            Some(plies) if decided => plies <= furthest,
            // A floor, which is no win.
            Some(plies) => plies <= W::LONGEST && value.outcome() == Outcome::Loss,
            None => !decided && !value.is_vacant(),
        };
        let best = possible(self.has_best(), self.best());
        self == Self::VACANT || best && possible(self.has_second(), self.second())
    }

    /// The final best value, after the last pass: a draw if undecided.
    pub(crate) fn final_best(self) -> Value<W> {
        if self.has_best() || self.best().is_vacant() {
            self.best()
        } else {
            Value::DRAW
        }
    }

    /// The final record, after the last pass: undecided values are draws.
    pub(super) fn record(self) -> Record {
        if self.best().is_vacant() {
            return Record::VACANT;
        }
        let or_draw = |decided: bool, value: Value<W>| {
            let value = if decided { value } else { Value::DRAW };
            value.resized().expect("every narrow value is a wide one")
        };
        Record::new(
            or_draw(self.has_best(), self.best()),
            or_draw(self.has_second(), self.second()),
            self.mv(),
        )
    }
}

#[cfg(test)]
mod tests;
