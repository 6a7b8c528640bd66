//! Columns about forced mistakes of players who look ahead.

use super::counted;
use crate::analysis::lures::Lures;
use crate::game::{Feature, FeatureValue, Repetition, Retrograde, Slot};
use crate::mine::frame::Entrant;

/// The greatest depth of a player.
pub(in crate::mine) const DEEPEST: u8 = 6;

/// One column for each depth, where lures can be found.
pub(super) fn features<G: Retrograde>(game: &G) -> Vec<Feature> {
    if game.repetition() != Repetition::Exact || u32::try_from(game.slots()).is_err() {
        return Vec::new();
    }
    let feature = |depth: u8| {
        let ahead = if depth == 1 { "ply" } else { "plies" };
        Feature::number(
            format!("swindle_{depth}"),
            format!("in a draw, the plies within which a player who looks {depth} {ahead} ahead can be forced to make a move that loses; NULL if they cannot"),
        )
        .counts("plies")
    };
    (1..=DEEPEST).map(feature).collect()
}

/// The depth of the player that a column is about.
pub(in crate::mine) fn depth_of(place: usize) -> u8 {
    u8::try_from(place + 1).unwrap_or(DEEPEST)
}

pub(super) fn value<S>(lures: &Lures, row: &Entrant<S>) -> FeatureValue {
    counted(lures.forced_plies(Slot {
        index: row.slot,
        forbidden: row.forbidden,
    }))
}
