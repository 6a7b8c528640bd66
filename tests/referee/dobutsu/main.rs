//! Counts the mates by checks of Dobutsu shogi in all positions that a game can reach and that
//! have not ended, under several readings. Rules and search are written here once more and
//! share nothing with the library.
//!
//! ```sh
//! cargo run --release --example dobutsu_mates                          # the whole game
//! cargo run --release --example dobutsu_mates -- S/-l-/-c-/-C-/-L-/-   # fewer animals
//! ```
//!
//! As in T. Tanaka's analysis, a position has ended if the lion can be taken, or if the other
//! lion has stayed on its far rank. Positions are seen from the side to move; mirror images
//! count once.

pub(crate) mod rules;

use rules::{Position, can_try, canonical, has_ended, moves, read, takes_lion, turned};

/// What counts as a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    /// An attack on the lion.
    Attacks,
    /// A threat of a try, too: the lion could go to its far rank, and not be taken there.
    OrThreats,
}

/// The tries with which the attacker may end a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tries {
    None,
    /// Those after the last check, if each reply to it allows one or loses the lion.
    AfterTheLast,
    /// Those after at least one check.
    AfterOne,
    All,
}

/// Positions in a table, each in a slot of its own. No position is 0.
struct Table {
    slots: Vec<Position>,
    held: usize,
}

impl Table {
    fn find(&self, at: Position) -> usize {
        let mask = self.slots.len() - 1;
        let hash = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut slot = usize::try_from(hash).expect("32 bits") & mask;
        while self.slots[slot] != at && self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Whether the position is new.
    fn insert(&mut self, at: Position) -> bool {
        let slot = self.find(at);
        if self.slots[slot] == at {
            return false;
        }
        self.slots[slot] = at;
        self.held += 1;
        if self.held * 5 > self.slots.len() * 4 {
            let larger = vec![0; self.slots.len() * 2];
            for at in std::mem::replace(&mut self.slots, larger) {
                if at != 0 {
                    let slot = self.find(at);
                    self.slots[slot] = at;
                }
            }
        }
        true
    }
}

/// Slots to which moves lead: so many for each slot, one after the other.
#[derive(Default)]
struct Edges {
    counts: Vec<u8>,
    to: Vec<u32>,
}

impl Edges {
    /// Closes the list of a slot.
    fn close(&mut self, start: usize) {
        self.counts
            .push(u8::try_from(self.to.len() - start).expect("there are at most 38 moves"));
    }

    fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.to[..];
        self.counts.iter().map(move |&count| {
            let (found, after) = rest.split_at(count.into());
            rest = after;
            found
        })
    }
}

const ATTACKED: u8 = 1;
const THREATENED: u8 = 2;
const CAN_TRY: u8 = 4;

/// The open positions that can be reached from one.
pub(crate) struct Reached {
    table: Table,
    moves: u64,
    /// What holds in each slot: [`ATTACKED`], [`THREATENED`], [`CAN_TRY`].
    facts: Vec<u8>,
    /// The open positions to which checks lead.
    checks: Edges,
    /// The open positions to which moves out of check lead.
    replies: Edges,
}

impl Reached {
    pub(crate) fn from(start: Position) -> Self {
        let mut table = Table {
            slots: vec![0; 1 << 10],
            held: 0,
        };
        let start = canonical(start);
        table.insert(start);
        let (mut todo, mut count) = (vec![start], 0);
        while let Some(at) = todo.pop() {
            moves(at, |next| {
                count += 1;
                let next = canonical(next);
                if !has_ended(next) && table.insert(next) {
                    todo.push(next);
                }
            });
        }
        let facts = table.slots.iter().map(|&at| {
            u8::from(takes_lion(turned(at))) * ATTACKED
                | u8::from(can_try(turned(at))) * THREATENED
                | u8::from(can_try(at)) * CAN_TRY
        });
        let facts: Vec<u8> = facts.collect();
        let [mut checks, mut replies] = [Edges::default(), Edges::default()];
        for (&at, fact) in table.slots.iter().zip(&facts) {
            let starts = [checks.to.len(), replies.to.len()];
            if at != 0 {
                moves(at, |next| {
                    let next = canonical(next);
                    if has_ended(next) {
                        return;
                    }
                    let slot = table.find(next);
                    let to = u32::try_from(slot).expect("there are fewer positions");
                    if facts[slot] & (ATTACKED | THREATENED) != 0 {
                        checks.to.push(to);
                    }
                    if fact & (ATTACKED | THREATENED) != 0 {
                        replies.to.push(to);
                    }
                });
            }
            checks.close(starts[0]);
            replies.close(starts[1]);
        }
        Self {
            table,
            moves: count,
            facts,
            checks,
            replies,
        }
    }

    /// The plies of the shortest mate in each slot, up to the last check or the try: positive
    /// for the side to move, negative against it, 0 if there is none.
    fn solve(&self, checks: Checks, tries: Tries) -> Vec<i8> {
        let check = match checks {
            Checks::Attacks => ATTACKED,
            Checks::OrThreats => ATTACKED | THREATENED,
        };
        let is = |slot: u32, facts: u8| self.facts[slot as usize] & facts != 0;
        let can_try = |&slot: &u32| is(slot, CAN_TRY);
        let mut mates = vec![0; self.facts.len()];
        for plies in 0.. {
            let mut found = false;
            let edges = if plies % 2 == 1 {
                &self.checks
            } else {
                &self.replies
            };
            for (slot, to) in (0_u32..).zip(edges.each()) {
                if mates[slot as usize] != 0 || self.table.slots[slot as usize] == 0 {
                    continue;
                }
                let known = |&to: &u32| mates[to as usize];
                // Who can try is not mated, and saves himself by it.
                let checked = is(slot, check) && !can_try(&slot);
                let holds = match plies {
                    0 if tries == Tries::AfterTheLast => checked && to.iter().all(can_try),
                    0 => checked && to.is_empty(),
                    1 if tries == Tries::All && can_try(&slot) => true,
                    odd if odd % 2 == 1 => to.iter().any(|to| is(*to, check) && known(to) < 0),
                    _ => {
                        let after = tries == Tries::AfterOne || tries == Tries::All;
                        checked && to.iter().all(|to| known(to) > 0 || after && can_try(to))
                    }
                };
                if holds {
                    mates[slot as usize] = if plies % 2 == 1 { plies } else { -plies.max(1) };
                    found = true;
                }
            }
            if !found && plies > 0 {
                return mates;
            }
        }
        mates
    }

    /// Every position with what [`solve`](Self::solve) says of it.
    pub(crate) fn mates(
        &self,
        checks: Checks,
        tries: Tries,
    ) -> impl Iterator<Item = (Position, i8)> {
        let solved = self.solve(checks, tries);
        let all = self.table.slots.iter().copied().zip(solved);
        all.filter(|(at, _)| *at != 0)
    }
}

fn main() {
    let text = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "S/gle/-c-/-C-/ELG/-".to_owned());
    let start = read(&text).expect("a position with Sente to move, such as S/gle/-c-/-C-/ELG/-");
    let reached = Reached::from(start);
    println!("{} positions, {} moves", reached.table.held, reached.moves);
    for checks in [Checks::Attacks, Checks::OrThreats] {
        for tries in [
            Tries::None,
            Tries::AfterTheLast,
            Tries::AfterOne,
            Tries::All,
        ] {
            let mut counts = vec![0_u64; 64];
            let mut longest = (0, start);
            for (at, plies) in reached.mates(checks, tries) {
                if let Ok(plies @ 1..) = usize::try_from(plies) {
                    counts[plies / 2] += 1;
                    longest = longest.max((plies, at));
                }
            }
            counts.truncate(longest.0 / 2 + 1);
            let all: u64 = counts.iter().sum();
            println!("checks {checks:?}, tries {tries:?}: {all} {counts:?}");
            println!("  {} plies: {}", longest.0, rules::write(longest.1));
        }
    }
}
