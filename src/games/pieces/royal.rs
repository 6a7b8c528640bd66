//! The columns about royal men.

use super::rules::{Position, Rules, Try};
use super::state::{State, number, of_side};
use super::{Pieces, mates};
use crate::base::subsets::bits;
use crate::game::{Feature, FeatureValue};

/// A column. Side 0 is the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoyalColumn {
    InCheck,
    Checkers,
    Distance,
    /// The rank of a side's royal man, and how far it is from the nearer side of the board.
    Rank(usize),
    File(usize),
    CanTake,
    Mate,
}

pub(super) fn columns(rules: &Rules) -> Vec<RoyalColumn> {
    use RoyalColumn::{CanTake, Checkers, Distance, File, InCheck, Mate, Rank};
    if !rules.has_royal() {
        return Vec::new();
    }
    let mut columns = vec![InCheck, Checkers, Distance];
    // Elsewhere, symmetries of the board may exchange ranks and files.
    if rules.advancing().next().is_some() || rules.try_rule != Try::Never {
        columns.extend([Rank(0), Rank(1), File(0), File(1)]);
    }
    if rules.takes_royal_men() {
        columns.extend([CanTake, Mate]);
    }
    columns
}

impl RoyalColumn {
    pub(super) fn feature(self) -> Feature {
        match self {
            Self::InCheck => Feature::flag(
                "in_check",
                "whether the royal man of the side to move can be taken at once if it stays",
            ),
            Self::Checkers => Feature::number(
                "checkers",
                "men of the other side that attack the royal man of the side to move",
            )
            .counts("men"),
            Self::Distance => Feature::number(
                "royal_distance",
                "the steps of a king from one royal man to the other over a free board",
            )
            .counts("steps"),
            Self::Rank(side) => number(
                side,
                "royal_rank",
                format!(
                    "the rank of the royal man {}, from 1, its home, on; where the board can be turned, in the image that is stored",
                    of_side(side)
                ),
            ),
            Self::File(side) => number(
                side,
                "royal_file",
                format!(
                    "files from the nearer side of the board to the royal man {}, 0 on the first and the last file; where the board can be turned, in the image that is stored",
                    of_side(side)
                ),
            )
            .counts("files"),
            Self::CanTake => Feature::flag(
                "can_take_royal",
                "whether the side to move can take the royal man, so that the game counts as decided",
            ),
            Self::Mate => Feature::number(
                "mate",
                format!(
                    "plies of the shortest mate by checks alone, up to the mating move, 1 to {}; NULL if there is none (found move by move, so put cheaper conditions beside it)",
                    mates::LONGEST
                ),
            ),
        }
    }

    pub(super) fn value(self, game: &Pieces, state: &State) -> FeatureValue {
        let (rules, at) = (game.rules(), &state.at);
        match self {
            Self::InCheck => FeatureValue::flag(game.in_check(at)),
            Self::Checkers => {
                let royal = royal_square(rules, at, 0).zip(game.core.known(at));
                let attackers =
                    royal.map_or(0, |(royal, at)| game.core.attackers(&at, 1, royal.into()));
                FeatureValue::count(attackers.count_ones() as usize)
            }
            Self::Distance => FeatureValue::known(distance(rules, at)),
            Self::Rank(side) => {
                let square = royal_square(rules, at, side);
                FeatureValue::known(square.map(|square| rules.rank_seen_by(side, square)))
            }
            Self::File(side) => {
                let columns = rules.board.size().0;
                let file = royal_square(rules, at, side).map(|square| square % columns);
                FeatureValue::known(file.map(|file| file.min(columns - 1 - file)))
            }
            Self::CanTake => {
                let placed = game.core.known(at);
                FeatureValue::flag(placed.is_some_and(|at| game.core.takes_royal(&at)))
            }
            Self::Mate => FeatureValue::known(game.core.mate(state, mates::LONGEST)),
        }
    }
}

fn royal_square(rules: &Rules, at: &Position, side: usize) -> Option<u8> {
    bits(at.men[side][rules.royal_kind()?]).next()
}

fn distance(rules: &Rules, at: &Position) -> Option<u8> {
    let (columns, _) = rules.board.size();
    let (own, other) = (royal_square(rules, at, 0)?, royal_square(rules, at, 1)?);
    let right = (own % columns).abs_diff(other % columns);
    Some(right.max((own / columns).abs_diff(other / columns)))
}
