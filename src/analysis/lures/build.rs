//! How the graph of drawn positions is built, position by position.

use rayon::prelude::*;

use super::chunk::{Chunk, Key, NONE};
use super::members::Members;
use super::{DEPTHS, LureError};
use crate::base::value::{Outcome, Record};
use crate::base::watch::Watch;
use crate::game::{Leads, MovesBySlot};
use crate::solve::look_ahead::{LookAhead, WON};
use crate::table::Table;

/// The positions with a drawn state, and those whose outcome depends on what is forbidden.
pub(super) fn unsettled(table: &Table, watch: &impl Watch) -> Result<Vec<u32>, LureError> {
    watch.begin("finding drawn positions", table.description().slots());
    let blocks = (0..table.blocks()).into_par_iter().map(|number| {
        if watch.cancelled() {
            return Err(LureError::Cancelled);
        }
        let block = table.block(number)?;
        let slots = block.slots();
        let found: Vec<u32> = slots
            .clone()
            .zip(block.records())
            .filter(|(_, record)| is_unsettled(*record))
            .filter_map(|(slot, _)| u32::try_from(slot).ok())
            .collect();
        watch.advance(slots.end - slots.start);
        Ok(found)
    });
    let blocks: Vec<Vec<u32>> = blocks.collect::<Result<_, LureError>>()?;
    Ok(blocks.concat())
}

fn is_unsettled(record: Record) -> bool {
    let (best, second) = (record.best(), record.second());
    !record.is_vacant() && (best.outcome() == Outcome::Draw || best.outcome() != second.outcome())
}

/// Everything from which the graph is built.
pub(super) struct Build<'a, G> {
    pub game: &'a G,
    pub table: &'a Table,
    pub seen: &'a LookAhead,
    pub members: &'a Members,
    pub depths: u8,
}

/// A legal move of a drawn position.
struct Candidate {
    /// What it is worth at each depth.
    worths: [i8; DEPTHS],
    /// The index of the move among those that keep the draw; `None` if it loses.
    arc: Option<usize>,
}

impl<G: MovesBySlot> Build<'_, G> {
    /// The chunk of the positions in some slots.
    pub fn chunk(&self, slots: &[u32]) -> Result<Chunk, LureError> {
        let mut chunk = Chunk {
            starts: vec![0],
            ..Chunk::default()
        };
        let mut candidates = Vec::new();
        for &slot in slots {
            self.add(slot.into(), &mut chunk, &mut candidates)?;
            let arcs = u32::try_from(chunk.children.len());
            chunk.starts.push(arcs.unwrap_or(u32::MAX));
        }
        chunk.children.shrink_to_fit();
        chunk.keys.shrink_to_fit();
        Ok(chunk)
    }

    /// Adds a position.
    fn add(
        &self,
        slot: u64,
        chunk: &mut Chunk,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(), LureError> {
        let record = self.table.record(slot)?;
        let drawn = [record.best(), record.second()]
            .iter()
            .any(|value| value.outcome() == Outcome::Draw);
        let winner = match record.best().outcome() {
            Outcome::Win => record.only_move().unwrap_or(NONE),
            _ => NONE,
        };
        chunk.drawn.push(drawn);
        chunk.winner.push(winner);
        candidates.clear();
        if let Some(cursor) = self.game.cursor(slot).filter(|_| drawn) {
            let mut failed = None;
            self.game.moves_by_slot(cursor, u32::MAX, |listed| {
                if listed.number == winner || failed.is_some() {
                    return;
                }
                match self.candidate(listed.number, listed.leads, chunk) {
                    Ok(found) => candidates.push(found),
                    Err(error) => failed = Some(error),
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        self.like(chunk, candidates);
        Ok(())
    }

    /// Looks at a move, and adds it to the moves that keep the draw if it does.
    fn candidate(
        &self,
        number: u8,
        leads: Leads<G::Unplaced>,
        chunk: &mut Chunk,
    ) -> Result<Candidate, LureError> {
        let mut key = Key {
            number,
            forbidden: NONE,
            forbidden_liked: 0,
            liked: 0,
            liked_second: 0,
        };
        let (child, undo) = match leads {
            // The game is drawn at once: the move keeps the draw, and leads nowhere.
            Leads::Over(Outcome::Draw) => {
                let arc = Some(chunk.children.len());
                chunk.children.push(super::END);
                chunk.keys.push(key);
                return Ok(Candidate {
                    worths: [0; DEPTHS],
                    arc,
                });
            }
            Leads::Over(outcome) => {
                let worth = if outcome == Outcome::Win { WON } else { -WON };
                return Ok(Candidate {
                    worths: [worth; DEPTHS],
                    arc: None,
                });
            }
            Leads::To { child, undo } => (self.game.place(child), undo),
        };
        let worths = self.seen.values(child.slot).map(|value| -value);
        let mut arc = None;
        if let Some(place) = self.members.number(child.slot) {
            let forbidden = undo.then_some(child.number);
            let value = self.table.record(child.slot)?.without(forbidden);
            if value.outcome() == Outcome::Draw {
                arc = Some(chunk.children.len());
                key.forbidden = forbidden.unwrap_or(NONE);
                chunk.children.push(place);
                chunk.keys.push(key);
            }
        }
        Ok(Candidate { worths, arc })
    }

    /// Finds out which moves of a position each player likes.
    fn like(&self, chunk: &mut Chunk, candidates: &[Candidate]) {
        let (mut losing, mut losing_second) = ([0; DEPTHS], [0; DEPTHS]);
        let mut deepest = -WON;
        for depth in 0..usize::from(self.depths) {
            let bit = 1 << depth;
            let worth = |candidate: &Candidate| candidate.worths[depth];
            let best = candidates.iter().map(worth).max().unwrap_or(-WON);
            let tops = candidates.iter().filter(|it| worth(it) == best);
            for candidate in tops.clone() {
                match candidate.arc {
                    Some(arc) => chunk.keys[arc].liked |= bit,
                    None => losing[depth] += 1,
                }
            }
            deepest = best;
            if tops.count() > 1 {
                continue;
            }
            let others = || candidates.iter().filter(|it| worth(it) != best);
            let second = others().map(worth).max();
            for candidate in others().filter(|it| Some(worth(it)) == second) {
                match candidate.arc {
                    Some(arc) => chunk.keys[arc].liked_second |= bit,
                    None => losing_second[depth] += 1,
                }
            }
        }
        chunk.losing.push(losing);
        chunk.losing_second.push(losing_second);
        chunk.deepest.push(deepest);
    }
}
