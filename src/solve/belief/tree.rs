//! Solution trees: inert data.

use std::sync::Arc;

use crate::game::Hidden;

/// How good a solution is for the attacker: less is better, in the order of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Plies to the goal.
    pub plies: u16,
    /// Fouls on the line.
    pub fouls: u16,
    /// What is left over at the end, see [`Hidden::left_over`](crate::game::Hidden).
    pub left_over: u64,
}

/// A turn of the attacker in a solution tree: the try, and everything that may come of
/// it. Turns that are the same in several places may be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackerTurn<M, C> {
    pub(super) mv: M,
    pub(super) cost: Cost,
    pub(super) positions: usize,
    pub(super) duals: Vec<M>,
    pub(super) foul: Option<Arc<AttackerTurn<M, C>>>,
    pub(super) announcements: Vec<Announcement<M, C>>,
}

/// What may come of a try that stands, with one announcement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement<M, C> {
    pub(super) announced: C,
    pub(super) won: usize,
    pub(super) left_over: u64,
    pub(super) replies: Vec<(C, Arc<AttackerTurn<M, C>>)>,
}

impl<M: Copy, C: Copy> AttackerTurn<M, C> {
    /// The try.
    pub const fn mv(&self) -> M {
        self.mv
    }

    /// The worst that the defender can make of it.
    pub const fn cost(&self) -> Cost {
        self.cost
    }

    /// States in the metaposition.
    pub const fn positions(&self) -> usize {
        self.positions
    }

    /// Other tries that win in as few plies with the fouls that are left.
    pub fn duals(&self) -> &[M] {
        &self.duals
    }

    /// How it goes on if the try is a foul in some state.
    pub fn foul(&self) -> Option<&Self> {
        self.foul.as_deref()
    }

    /// How it goes on where the try stands, by announcement.
    pub fn announcements(&self) -> &[Announcement<M, C>] {
        &self.announcements
    }
}

impl<M: Copy, C: Copy> Announcement<M, C> {
    /// What is announced with the try.
    pub const fn announced(&self) -> C {
        self.announced
    }

    /// In how many states the goal is reached at once.
    pub const fn won(&self) -> usize {
        self.won
    }

    /// How it goes on after a reply, by what is heard of it.
    pub fn replies(&self) -> impl ExactSizeIterator<Item = (C, &AttackerTurn<M, C>)> {
        self.replies.iter().map(|(clue, turn)| (*clue, &**turn))
    }
}

/// A step of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineStep<M, C> {
    /// A try that is a foul.
    Foul(M),
    /// A try that stands, with what is announced.
    Stands(M, C),
    /// A reply, as it is heard.
    Reply(C),
}

impl<M: Copy, C: Copy> LineStep<M, C> {
    /// The step as people write it.
    pub fn in_words<G: Hidden<Move = M, Clue = C>>(&self, game: &G) -> String {
        match *self {
            Self::Foul(mv) => format!("{}(foul)", game.format_move(mv)),
            Self::Stands(mv, announced) => game.format_move(mv) + &game.format_announced(announced),
            Self::Reply(clue) => game.format_reply(clue),
        }
    }
}

/// What follows a turn on a line.
enum Then<'a, M, C> {
    Foul(&'a AttackerTurn<M, C>),
    Won(C),
    Reply(C, C, &'a AttackerTurn<M, C>),
}

impl<M: Copy, C: Copy> AttackerTurn<M, C> {
    /// The line in which the defender does the worst, of several the first: by
    /// announcement, then by reply, fouls last.
    pub fn line(&self) -> Vec<LineStep<M, C>> {
        let mut steps = Vec::new();
        let mut turn = self;
        loop {
            let (_, then) = turn.worst();
            match then {
                Then::Foul(next) => {
                    steps.push(LineStep::Foul(turn.mv));
                    turn = next;
                }
                Then::Won(announced) => {
                    steps.push(LineStep::Stands(turn.mv, announced));
                    return steps;
                }
                Then::Reply(announced, heard, next) => {
                    steps.push(LineStep::Stands(turn.mv, announced));
                    steps.push(LineStep::Reply(heard));
                    turn = next;
                }
            }
        }
    }

    /// The turn that comes next on the [line](Self::line), if there is one.
    pub fn next_on_line(&self) -> Option<&Self> {
        match self.worst().1 {
            Then::Foul(next) | Then::Reply(_, _, next) => Some(next),
            Then::Won(_) => None,
        }
    }

    /// The worst that may come of the try, and its cost. A try that stands in no state
    /// is in no tree, so there is always something.
    fn worst(&self) -> (Cost, Then<'_, M, C>) {
        let mut worst: Option<(Cost, Then<'_, M, C>)> = None;
        let mut meet = |cost: Cost, then| {
            if worst.as_ref().is_none_or(|(so_far, _)| cost > *so_far) {
                worst = Some((cost, then));
            }
        };
        for stands in &self.announcements {
            let announced = stands.announced;
            if stands.won > 0 {
                meet(after_win(stands.left_over), Then::Won(announced));
            }
            for (heard, turn) in &stands.replies {
                meet(after_reply(turn.cost), Then::Reply(announced, *heard, turn));
            }
        }
        if let Some(turn) = &self.foul {
            meet(after_foul(turn.cost), Then::Foul(turn));
        }
        worst.unwrap_or_else(|| unreachable!("a try of a tree stands somewhere"))
    }

    /// The cost by what may come of the try.
    pub(super) fn weigh(&mut self) {
        self.cost = self.worst().0;
    }
}

/// The cost of reaching the goal at once.
const fn after_win(left_over: u64) -> Cost {
    Cost {
        plies: 1,
        fouls: 0,
        left_over,
    }
}

const fn after_reply(cost: Cost) -> Cost {
    Cost {
        plies: cost.plies + 2,
        ..cost
    }
}

const fn after_foul(cost: Cost) -> Cost {
    Cost {
        fouls: cost.fouls + 1,
        ..cost
    }
}
