//! Slots, moves and un-moves for solvers and scans, from the list.

use super::super::{
    Backward, Banning, Classified, Forward, Layer, Leads, ListedMove, MoveSummary, Moves,
    MovesBySlot, Next, Placed, Ranked, Retrograde, SizeError,
};
use super::list::{List, Target};
use super::{FiniteGame, Listed};
use crate::base::progress::NoProgress;

/// A position of the list, and the number of a move of it: its index in the game's order.
type Unplaced = (u32, u8);

impl<G: FiniteGame> Banning for Listed<G> {}

impl<G: FiniteGame> Ranked for Listed<G> {
    fn slots(&self) -> u64 {
        self.listed().map_or(u64::from(self.limit()) + 1, List::len)
    }

    fn rank(&self, state: &G::State) -> u64 {
        let slot = |list: &List<_>| list.slot(&self.game.canonical(state));
        self.listed().and_then(slot).unwrap_or(u64::MAX)
    }

    fn unrank(&self, index: u64) -> Option<G::State> {
        self.listed()?.state(index).cloned()
    }

    fn check_size(&self) -> Result<(), SizeError> {
        self.game.check_picture()?;
        let listed = self.list(&NoProgress);
        listed.map_err(|error| self.game.too_large(&error))
    }

    fn layers(&self) -> &[Layer] {
        self.listed().map_or(&[], List::layers)
    }
}

impl<G: FiniteGame> Retrograde for Listed<G> {
    type Cursor = u32;
    type Unplaced = Unplaced;

    fn cursor(&self, index: u64) -> Option<u32> {
        let slot = u32::try_from(index).ok()?;
        (index < self.listed()?.len()).then_some(slot)
    }

    fn place(&self, (slot, number): Unplaced) -> Placed {
        Placed {
            slot: slot.into(),
            // Every move has its un-move.
            symmetric: false,
            number,
        }
    }

    fn summarize_moves(&self, cursor: u32, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let Some(list) = self.listed() else { return };
        let first = list.group(cursor).start;
        let (mut count, mut xor) = (0, 0);
        for (number, target) in (0..).zip(list.targets(cursor)) {
            match target {
                Target::Over(outcome) => visit(MoveSummary::Over(outcome)),
                Target::Slot(slot) if u64::from(slot) < first => {
                    visit(MoveSummary::Earlier((slot, 0)));
                }
                Target::Slot(slot) => {
                    count += 1;
                    xor ^= number;
                    if list.wins(slot) {
                        visit(MoveSummary::IntoCheckmate(number));
                    }
                }
            }
        }
        visit(MoveSummary::Within { count, xor });
    }

    fn edges(&self, cursor: u32, mut visit: impl FnMut(u8, Unplaced)) {
        let Some(list) = self.listed() else { return };
        let first = list.group(cursor).start;
        for (number, target) in (0..).zip(list.targets(cursor)) {
            if let Target::Slot(slot) = target
                && u64::from(slot) >= first
            {
                visit(number, (slot, 0));
            }
        }
    }

    fn unmoves(&self, cursor: u32, mut visit: impl FnMut(Unplaced)) {
        let Some(list) = self.listed() else { return };
        let end = list.group(cursor).end;
        let parents = list.parents(cursor);
        parents
            .take_while(|&(parent, _)| u64::from(parent) < end)
            .for_each(&mut visit);
    }
}

impl<G: FiniteGame> Classified for Listed<G> {
    fn criterion(&self) -> &'static str {
        self.game.criterion()
    }

    fn classes(&self) -> Vec<String> {
        self.game.classes()
    }

    fn class(&self, cursor: u32) -> usize {
        let state = self.listed().and_then(|list| list.state(cursor.into()));
        state.map_or(0, |state| self.game.class(state))
    }
}

impl<G: FiniteGame> Forward for Listed<G> {
    fn departures(&self, cursor: u32, mut visit: impl FnMut(Unplaced)) {
        let Some(list) = self.listed() else { return };
        let first = list.group(cursor).start;
        for target in list.targets(cursor) {
            if let Target::Slot(slot) = target
                && u64::from(slot) < first
            {
                visit((slot, 0));
            }
        }
    }
}

impl<G: FiniteGame> MovesBySlot for Listed<G> {
    fn moves_by_slot(&self, cursor: u32, kinds: u32, mut visit: impl FnMut(ListedMove<Unplaced>)) {
        let Some(list) = self.listed() else { return };
        let Some(state) = list.state(cursor.into()) else {
            return;
        };
        let moves = self.game.moves(state);
        for ((number, mv), target) in (0..).zip(moves).zip(list.targets(cursor)) {
            let kinds_of_move = self.game.kinds_of(state, mv);
            if kinds != u32::MAX && kinds_of_move & kinds == 0 {
                continue;
            }
            let leads = match target {
                Target::Over(outcome) => Leads::Over(outcome),
                Target::Slot(slot) => Leads::To {
                    child: (slot, 0),
                    undo: false,
                },
            };
            visit(ListedMove {
                number,
                kinds: kinds_of_move,
                leads,
            });
        }
    }
}

impl<G: FiniteGame> Backward for Listed<G> {
    fn predecessors(&self, state: &G::State) -> Vec<(G::State, G::Move)> {
        let slot = u32::try_from(self.rank(state)).unwrap_or(u32::MAX);
        let Some(list) = self.listed().filter(|list| u64::from(slot) < list.len()) else {
            return Vec::new();
        };
        let mut parents: Vec<u32> = list.parents(slot).map(|(parent, _)| parent).collect();
        parents.dedup();
        let mut found = Vec::new();
        for parent in parents
            .into_iter()
            .filter_map(|slot| list.state(slot.into()))
        {
            for symmetry in 0..self.game.symmetries() {
                let before = self.game.image(parent, symmetry);
                for mv in self.moves(&before) {
                    if matches!(self.play(&before, mv), Next::State(next) if next == *state) {
                        found.push((before.clone(), mv));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
