//! How often players who look ahead throw a won position away.

use rayon::prelude::*;

use super::{DEPTHS, LureError, ONE};
use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::game::{Leads, MovesBySlot};
use crate::solve::look_ahead::{LookAhead, WON};
use crate::table::Table;

/// About how many slots are looked at.
const MOST: u64 = 1 << 22;

/// Number of slots that a thread takes at a time.
const RUN: u64 = 1 << 10;

/// Won positions, and what becomes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WonPositions {
    /// How many were looked at.
    pub positions: u64,
    /// By depth: the sum of the chances that the player's move throws the win away, in units of
    /// 1 / [`ONE`], each rounded down.
    pub lost: [u64; DEPTHS],
}

/// Looks at each slot of a table, or at every second, third, ... slot if there are more than
/// four million. Of the positions that are won with nothing forbidden, finds the chances that
/// players who look 1 to `depths` plies ahead do not keep the win.
pub(super) fn won_positions<G: MovesBySlot>(
    game: &G,
    table: &Table,
    seen: &LookAhead,
    depths: u8,
    watch: &impl Watch,
) -> Result<WonPositions, LureError> {
    let step = game.slots().div_ceil(MOST).max(1);
    let count = game.slots().div_ceil(step);
    watch.begin("looking at won positions", count);
    let runs = (0..count.div_ceil(RUN)).into_par_iter().map(|run| {
        let (mut found, mut moves) = (WonPositions::default(), Vec::new());
        for number in run * RUN..count.min((run + 1) * RUN) {
            if watch.cancelled() {
                return Err(LureError::Cancelled);
            }
            let slot = number * step;
            let Some(cursor) = game.cursor(slot) else {
                continue;
            };
            if table.record(slot)?.best().outcome() != Outcome::Win {
                continue;
            }
            moves.clear();
            game.moves_by_slot(cursor, u32::MAX, |listed| moves.push(listed.leads));
            let moves = moves.iter().map(|leads| look(game, table, seen, leads));
            let moves: Vec<_> = moves.collect::<Result<_, LureError>>()?;
            found.positions += 1;
            for (depth, lost) in found.lost.iter_mut().enumerate().take(depths.into()) {
                let best = moves.iter().map(|(worths, _)| worths[depth]).max();
                let liked = moves.iter().filter(|it| Some(it.0[depth]) == best);
                let wrong = liked.clone().filter(|(_, wins)| !wins).count() as u64;
                *lost += wrong * u64::from(ONE) / liked.count().max(1) as u64;
            }
        }
        watch.advance(RUN);
        Ok(found)
    });
    runs.try_reduce(WonPositions::default, |mut a, b| {
        a.positions += b.positions;
        for (a, b) in a.lost.iter_mut().zip(b.lost) {
            *a += b;
        }
        Ok(a)
    })
}

/// What a move is worth at each depth, and whether it wins.
fn look<G: MovesBySlot>(
    game: &G,
    table: &Table,
    seen: &LookAhead,
    leads: &Leads<G::Unplaced>,
) -> Result<([i8; DEPTHS], bool), LureError> {
    Ok(match *leads {
        Leads::Over(Outcome::Win) => ([WON; DEPTHS], true),
        Leads::Over(Outcome::Draw) => ([0; DEPTHS], false),
        Leads::Over(Outcome::Loss) => ([-WON; DEPTHS], false),
        Leads::To { child, undo } => {
            let child = game.place(child);
            let value = table.record(child.slot)?;
            let value = value.without(undo.then_some(child.number));
            let worths = seen.values(child.slot).map(|value| -value);
            (worths, value.outcome() == Outcome::Loss)
        }
    })
}
