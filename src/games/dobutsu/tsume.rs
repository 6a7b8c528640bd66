//! Mates by checks alone (tsume): every move of the attacker attacks the lion, until it can
//! no longer be saved.
//!
//! The length of a mate counts to the move after which the lion is lost whatever the other
//! side does; the table's plies also count that last defence and the taking of the lion, two
//! more.

use std::collections::HashMap;

use super::movegen::Standing;
use super::setup::Rules;
use super::state::Position;

/// The longest mates that are looked for, in plies: those of the whole game are no longer.
pub(super) const LONGEST: u8 = 23;

/// The plies of a game after the mating move: the last defence, and the taking of the lion.
pub(super) const AFTER: u16 = 2;

/// In place of a number of plies: in however many.
const EVER: u8 = u8::MAX;

/// The most positions that a search may look at.
const MOST: u32 = 200_000;

/// A search, with what it has learnt of positions with the attacker to move.
struct Search {
    rules: Rules,
    /// The plies in which there is a mate, or the greatest number in which there is none.
    known: HashMap<Position, (bool, u8)>,
    looked: u32,
    /// Whether a line was given up because it is longer than asked for.
    cut: bool,
}

/// The plies of the shortest mate by checks alone from a position that is not decided, an odd
/// number; `None` if there is none in at most `longest` plies.
pub(super) fn shortest(rules: Rules, at: &Position, longest: u8) -> Option<u8> {
    if Standing::of(at) != Standing::Open {
        return None;
    }
    Search::new(rules).deepen(longest, |search, plies| search.mates(at, plies))
}

/// Whether the side to move has been given a check and is mated by checks alone within this
/// many plies, an even number, at most one less than [`LONGEST`].
pub(super) fn is_mated(rules: Rules, at: &Position, plies: u8) -> bool {
    let checked = at.in_check() && Standing::of(at) == Standing::Open;
    let mated = |search: &mut Search, plies| search.is_mated(at, plies);
    checked && plies < LONGEST && Search::new(rules).deepen(plies + 1, mated).is_some()
}

impl Search {
    fn new(rules: Rules) -> Self {
        Self {
            rules,
            known: HashMap::new(),
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

    /// Whether the side to move mates in at most this number of plies.
    fn mates(&mut self, at: &Position, plies: u8) -> bool {
        if let Some(&(found, known)) = self.known.get(at) {
            if found && known <= plies {
                return true;
            }
            if !found && known >= plies {
                self.cut |= known != EVER;
                return false;
            }
        }
        self.looked += 1;
        if self.looked > MOST {
            self.cut = true;
            return false;
        }
        let mut checks = Vec::new();
        self.rules.steps(at, |step| {
            if step.after.takes_lion() && !step.after.in_check() {
                checks.push(step.after.turned());
            }
        });
        let cut_before = std::mem::take(&mut self.cut);
        let found = checks.iter().any(|reached| self.is_mated(reached, plies));
        let known = if found || self.cut { plies } else { EVER };
        self.known.insert(*at, (found, known));
        self.cut |= cut_before;
        found
    }

    /// Whether the side to move, whose lion is attacked, is mated by the last of `plies`
    /// plies, the first of which has just been played.
    fn is_mated(&mut self, at: &Position, plies: u8) -> bool {
        let mut defences = Vec::new();
        self.rules.steps(at, |step| {
            if !step.after.in_check() {
                defences.push((self.rules.wins(&step), step.after.turned()));
            }
        });
        if plies == 1 {
            self.cut |= !defences.is_empty();
            return defences.is_empty();
        }
        defences.iter().all(|(wins, reached)| {
            !wins && Standing::of(reached) == Standing::Open && self.mates(reached, plies - 2)
        })
    }
}
