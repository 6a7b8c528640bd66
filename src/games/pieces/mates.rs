//! Mates by checks alone (tsume), in games in which royal men are taken: every move of the
//! attacker attacks the royal man, until it can no longer be saved.
//!
//! The length of a mate counts to the move after which the royal man is lost whatever the other
//! side does. The plies of a table also count that last defence and the taking, two more.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::core::Core;
use super::index::Placing;
use super::movegen::After;
use super::state::State;
use crate::base::value::Outcome;

/// The longest mates that are looked for, in plies: those of Dobutsu shogi are no longer.
pub(super) const LONGEST: u8 = 23;

/// The plies of a game after the mating move: the last defence, and the taking.
pub(super) const AFTER: u16 = 2;

/// In place of a number of plies: in however many.
const EVER: u8 = u8::MAX;

/// The most positions that a search may look at.
const MOST: u32 = 200_000;

/// A search, with what it has learnt of positions with the attacker to move.
struct Search<'c> {
    core: &'c Core,
    /// By slot, the plies in which there is a mate, or the greatest number in which there is none.
    known: HashMap<u64, (bool, u8), FixedState>,
    looked: u32,
    /// Whether a line was given up because it is longer than asked for.
    cut: bool,
}

impl Core {
    /// The plies of the shortest mate by checks alone from a position in which nobody can take a
    /// royal man or has held one, an odd number; `None` if there is none in at most `longest`
    /// plies.
    pub(super) fn mate(&self, state: &State, longest: u8) -> Option<u8> {
        let at = self.open(state)?;
        let layer = self.layer_with(at.layer, at.passing);
        let (found, _) = (self.index).find::<0>(&self.geometry, layer, &at, at.passing)?;
        Search::new(self).deepen(longest, |search, plies| search.mates(found.slot, plies))
    }

    /// Whether the side to move has been given a check and is mated by checks alone within this
    /// many plies, an even number, at most one less than [`LONGEST`].
    pub(super) fn is_mated(&self, state: &State, plies: u8) -> bool {
        let at = self.open(state).filter(|at| self.is_checked(at, 0));
        let Some(mut at) = at.filter(|_| plies < LONGEST) else {
            return false;
        };
        let mated = |search: &mut Search<'_>, plies| search.is_mated(&mut at, plies);
        Search::new(self).deepen(plies + 1, mated).is_some()
    }

    fn open(&self, state: &State) -> Option<Placing> {
        let at = self.placing(state)?;
        let open = self.rules.takes_royal_men() && self.is_open(&at);
        open.then_some(at)
    }

    /// Whether all moves are possible, and none is in vain.
    fn is_open(&self, at: &Placing) -> bool {
        !self.takes_royal(at) && !self.has_held(at)
    }

    /// The slot of the position after a move; `None` if the game has ended.
    fn slot_after(&self, after: &Placing, to: After) -> Option<u64> {
        match to {
            After::Layer(layer, passing) => Some(self.place_after(after, layer, passing).slot),
            After::Over(_) => None,
        }
    }
}

impl<'c> Search<'c> {
    fn new(core: &'c Core) -> Self {
        Self {
            core,
            known: HashMap::default(),
            looked: 0,
            cut: false,
        }
    }

    /// The least odd number of plies, at most `longest`, in which there is a mate.
    fn deepen(&mut self, longest: u8, mut mates: impl FnMut(&mut Self, u8) -> bool) -> Option<u8> {
        for plies in (1..=longest).step_by(2) {
            self.cut = false;
            if mates(self, plies) {
                return Some(plies);
            }
            if !self.cut || self.looked > MOST {
                break;
            }
        }
        None
    }

    fn mates(&mut self, slot: u64, plies: u8) -> bool {
        if let Some(&(found, known)) = self.known.get(&slot) {
            if found && known <= plies {
                return true;
            }
            if !found && known >= plies {
                self.cut |= known != EVER;
                return false;
            }
        }
        self.looked += 1;
        let core = self.core;
        let Some(mut at) = core.placing_in(slot).filter(|_| self.looked <= MOST) else {
            self.cut = true;
            return false;
        };
        let mut safe = Vec::new();
        core.moves(&mut at, |after, _, to| {
            if !core.is_checked(after, 0) {
                safe.extend(core.slot_after(after, to));
            }
            true
        });
        let cut_before = std::mem::take(&mut self.cut);
        let found = safe.into_iter().any(|slot| {
            let checked = core.placing_in(slot).filter(|at| core.is_checked(at, 0));
            checked.is_some_and(|mut at| self.is_mated(&mut at, plies))
        });
        let known = if found || self.cut { plies } else { EVER };
        self.known.insert(slot, (found, known));
        self.cut |= cut_before;
        found
    }

    /// Whether the side to move, whose royal man is attacked, is mated by the last of `plies`
    /// plies, the first of which has just been played.
    fn is_mated(&mut self, at: &mut Placing, plies: u8) -> bool {
        let core = self.core;
        let (mut defences, mut stuck) = (Vec::new(), true);
        core.moves(at, |after, _, to| {
            stuck = false;
            if to == After::Over(Outcome::Win) || !core.is_checked(after, 0) {
                defences.push(core.slot_after(after, to));
            }
            true
        });
        if stuck {
            return core.rules.no_move == Outcome::Loss;
        }
        if plies == 1 {
            self.cut |= !defences.is_empty();
            return defences.is_empty();
        }
        // Without a slot, the defence has won.
        defences.into_iter().all(|slot| {
            let open =
                slot.filter(|&slot| core.placing_in(slot).is_some_and(|at| core.is_open(&at)));
            open.is_some_and(|slot| self.mates(slot, plies - 2))
        })
    }
}
