//! The moves of a position, and those that led to it.

use super::geometry::{
    DROPS, FAR, HOME, Kind, NUMBERS, SQUARES, Square, Squares, around, bit, lowest, squares_of,
};
use super::setup::{Rules, Try};
use super::state::{Army, Position, Step};

/// How a position stands before anything is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The side to move can take the lion, and does.
    Taking,
    /// The lion of the other side has stayed on the far rank and cannot be taken: the side
    /// to move has lost, whatever it plays.
    Lost,
    /// All moves are possible.
    Open,
}

impl Standing {
    /// How a position stands.
    #[inline(always)]
    pub(super) fn of(at: &Position) -> Self {
        if at.takes_lion() {
            Self::Taking
        } else if bit(at.opp.lion) & HOME != 0 {
            Self::Lost
        } else {
            Self::Open
        }
    }
}

impl Rules {
    /// Whether a position occurs: nobody has won before, and the side to move has a move.
    /// The lions stand on the board, and no two men on one square.
    #[inline(always)]
    pub(super) fn occurs(self, at: &Position) -> bool {
        if bit(at.own.lion) & FAR != 0 {
            return false;
        }
        if bit(at.opp.lion) & HOME != 0 && self.try_rule == Try::Safe && !at.takes_lion() {
            return false;
        }
        around(at.own.lion) & !at.own.squares() != 0 || !at.is_stuck()
    }

    /// Whether a move of an [open](Standing::Open) position wins at once.
    #[inline(always)]
    pub(super) fn wins(self, step: &Step) -> bool {
        self.tries(step) || step.after.is_other_stuck()
    }

    /// Whether a move of an open position brings the lion to the far rank and wins by that.
    #[inline(always)]
    fn tries(self, step: &Step) -> bool {
        self.try_rule == Try::Safe
            && step.kind.is_none()
            && bit(step.to) & FAR != 0
            && !step.after.in_check()
    }

    /// Whether some move of an open position wins at once.
    #[inline(always)]
    pub(crate) fn has_win(self, at: &Position) -> bool {
        self.try_rule == Try::Safe && at.safe_tries() != 0 || self.can_stick(at)
    }

    /// Whether the side that does not move in `at`, the position after a move, could win at
    /// once with the next one.
    #[inline(always)]
    pub(crate) fn loses_to_reply(self, at: &Position) -> bool {
        if at.in_check() {
            return true;
        }
        if bit(at.own.lion) & FAR != 0 {
            // With the try held, the other side has lost.
            return false;
        }
        self.try_rule == Try::Safe && at.safe_tries_of_other() != 0
            || around(at.own.lion) & !at.own.squares() == 0 && self.can_stick(&at.turned())
    }

    /// Whether a move of an open position leaves the other side without a move.
    #[inline(always)]
    fn can_stick(self, at: &Position) -> bool {
        // A move frees squares for the other side's men and takes none away, so its lion must
        // be shut in by its own men before.
        around(at.opp.lion) & !at.opp.squares() == 0 && self.finds_stuck(at)
    }

    #[cold]
    fn finds_stuck(self, at: &Position) -> bool {
        let mut found = false;
        self.steps(at, |step| found |= step.after.is_other_stuck());
        found
    }

    /// Visits the moves of a position that take no lion, in order: men by their squares, then
    /// drops by animal, each by the square that it goes to.
    #[inline(always)]
    pub(super) fn steps(self, at: &Position, mut visit: impl FnMut(Step)) {
        let own = at.own.squares();
        let targets = !(own | bit(at.opp.lion));
        let mut left = own;
        while let Some(from) = lowest(left) {
            left &= left - 1;
            let kind = at.own.kind_on(from);
            let steps = kind.map_or_else(|| around(from), |kind| kind.steps(from));
            let mut ends = steps & targets;
            while let Some(to) = lowest(ends) {
                ends &= ends - 1;
                visit(self.step(at, from, to, kind));
            }
        }
        if !self.drops {
            return;
        }
        let empty = at.empty();
        for animal in 0..3 {
            if at.own.hand[animal] == 0 {
                continue;
            }
            let mut ends = empty;
            while let Some(to) = lowest(ends) {
                ends &= ends - 1;
                let mut after = *at;
                after.own.hand[animal] -= 1;
                after.own.men[animal] |= bit(to);
                visit(Step {
                    number: drop_number(animal, to),
                    from: None,
                    to,
                    kind: Some(Kind::ALL[animal]),
                    taken: None,
                    promotes: false,
                    after,
                });
            }
        }
    }

    /// The move of a man to a square that is empty or has a man of the other side.
    #[inline(always)]
    fn step(self, at: &Position, from: Square, to: Square, kind: Option<Kind>) -> Step {
        let mut after = *at;
        let taken = at.opp.kind_on(to);
        if let Some(taken) = taken {
            after.opp.men[taken as usize] &= !bit(to);
            if self.drops {
                after.own.hand[taken.animal()] += 1;
            }
        }
        let promotes = kind == Some(Kind::Chick) && bit(to) & FAR != 0;
        match kind {
            None => after.own.lion = to,
            Some(kind) => {
                let now = if promotes { Kind::Hen } else { kind };
                after.own.men[kind as usize] &= !bit(from);
                after.own.men[now as usize] |= bit(to);
            }
        }
        Step {
            number: NUMBERS.steps[usize::from(from)][usize::from(to)],
            from: Some(from),
            to,
            kind,
            taken,
            promotes,
            after,
        }
    }

    /// Visits every position from which a move leads to `at`, from the view of the side that
    /// makes it, with the number of the move. Moves that take a man are among them if
    /// `captures` is set.
    #[inline(always)]
    pub(crate) fn unsteps(
        self,
        at: &Position,
        captures: bool,
        mut visit: impl FnMut(Position, u8),
    ) {
        let after = at.turned();
        let empty = after.empty();
        let mut visit = |before: Position, number: u8| {
            // A side that can take the lion makes no other move.
            if !before.takes_lion() {
                visit(before, number);
            }
        };
        let arrived = bit(after.own.lion) & FAR != 0;
        for to in squares_of(bit(after.own.lion)) {
            for from in squares_of(around(to) & empty & !FAR) {
                let number = NUMBERS.steps[usize::from(from)][usize::from(to)];
                let mut before = after;
                before.own.lion = from;
                self.uncaptures(before, to, captures, |before| visit(before, number));
            }
        }
        if arrived {
            return;
        }
        for kind in Kind::ALL {
            let mut men = after.own.men[kind as usize];
            while let Some(to) = lowest(men) {
                men &= men - 1;
                let mut lifted = after;
                lifted.own.men[kind as usize] &= !bit(to);
                let mut come = |from: Squares, was: Kind| {
                    for from in squares_of(from & empty) {
                        let number = NUMBERS.steps[usize::from(from)][usize::from(to)];
                        let mut before = lifted;
                        before.own.men[was as usize] |= bit(from);
                        self.uncaptures(before, to, captures, |before| visit(before, number));
                    }
                };
                let far = bit(to) & FAR != 0;
                if kind != Kind::Chick || !far {
                    come(kind.origins(to), kind);
                }
                if kind == Kind::Hen && far {
                    come(Kind::Chick.origins(to), Kind::Chick);
                }
                if self.drops && kind != Kind::Hen {
                    let mut before = lifted;
                    before.own.hand[kind.animal()] += 1;
                    visit(before, drop_number(kind.animal(), to));
                }
            }
        }
    }

    /// Visits a position in which a move has been taken back, and those in which it took a
    /// man on `to`.
    #[inline(always)]
    fn uncaptures(
        self,
        before: Position,
        to: Square,
        captures: bool,
        mut visit: impl FnMut(Position),
    ) {
        visit(before);
        if !captures {
            return;
        }
        for kind in Kind::ALL {
            let mut with = before;
            let animal = kind.animal();
            if self.drops {
                if with.own.hand[animal] == 0 {
                    continue;
                }
                with.own.hand[animal] -= 1;
            } else if !self.animals[animal]
                || count(&before.own, animal) + count(&before.opp, animal) == 2
            {
                continue;
            }
            with.opp.men[kind as usize] |= bit(to);
            visit(with);
        }
    }
}

/// The number of a drop.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "there are three animals")]
const fn drop_number(animal: usize, to: Square) -> u8 {
    DROPS + SQUARES * animal as u8 + to
}

/// The number of men of an animal on the board.
#[inline]
pub(super) const fn count(army: &Army, animal: usize) -> u32 {
    let hens = if animal == 2 { army.men[3] } else { 0 };
    (army.men[animal] | hens).count_ones()
}
