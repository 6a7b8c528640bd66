//! What single positions are worth to a player who looks a few plies ahead, by search.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::solving::{Leads, Retrograde};
use crate::base::value::Outcome;

/// The side to move wins, as far as the player sees.
pub const WON: i8 = 7;

/// The side to move loses, as far as the player sees.
pub const LOST: i8 = -7;

/// Positions that are remembered at most: about 100 megabytes.
const MOST_KNOWN: usize = 3_000_000;

/// Bounds of values that were found, by slot and depth: a value is at least the first and at
/// most the second.
#[derive(Debug, Default)]
pub struct Seen(HashMap<(u64, u8), (i8, i8), FixedState>);

/// What a move that ends the game is worth.
pub(crate) const fn of_end(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => WON,
        Outcome::Draw => 0,
        Outcome::Loss => LOST,
    }
}

/// The value that [`Retrograde::look_ahead`] asks for, by alpha-beta search.
pub(super) fn search<G: Retrograde>(
    game: &G,
    seen: &mut Seen,
    slot: u64,
    depth: u8,
    (mut above, mut below): (i8, i8),
) -> i8 {
    if depth == 0 {
        let layers = game.layers();
        let layer = layers.partition_point(|layer| layer.slots.end <= slot);
        return game.static_value(layer).clamp(LOST + 1, WON - 1);
    }
    let known = seen.0.get(&(slot, depth));
    let (least, most) = known.copied().unwrap_or((LOST, WON));
    if least >= below || least == most {
        return least;
    }
    if most <= above {
        return most;
    }
    (above, below) = (above.max(least - 1), below.min(most + 1));
    let Some(cursor) = game.cursor(slot) else {
        return LOST;
    };
    let (mut best, mut children) = (LOST, Vec::new());
    game.moves_by_slot(cursor, u32::MAX, |listed| match listed.leads {
        Leads::Over(outcome) => best = of_end(outcome).max(best),
        Leads::To { child, .. } => children.push(child),
    });
    for child in children {
        if best >= below || best == WON {
            break;
        }
        let child = game.place(child).slot;
        let worth = -search(game, seen, child, depth - 1, (-below, -best.max(above)));
        best = worth.max(best);
    }
    let bounds = match best {
        WON => (WON, WON),
        best if best >= below => (best, most),
        best if best <= above => (least, best),
        best => (best, best),
    };
    if seen.0.len() >= MOST_KNOWN {
        seen.0.clear();
    }
    seen.0.insert((slot, depth), bounds);
    best
}
