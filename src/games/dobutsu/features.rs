//! The columns of a position.

use super::state::{Army, Position, State};
use super::{Dobutsu, tsume};
use crate::game::{Feature, FeatureValue, Features, Symmetric};

fn held(army: &Army) -> usize {
    army.hand.iter().map(|&held| usize::from(held)).sum()
}

fn animals(army: &Army) -> usize {
    let on_board = army.men.iter().map(|men| men.count_ones() as usize);
    on_board.sum::<usize>() + held(army)
}

impl Features for Dobutsu {
    #[rustfmt::skip]
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::number("own_animals", "animals of the side to move, on the board and in hand, without the lion"),
            Feature::number("opp_animals", "animals of the other side, on the board and in hand, without the lion"),
            Feature::number("own_hand", "animals in the hand of the side to move"),
            Feature::number("opp_hand", "animals in the hand of the other side"),
            Feature::number("own_hens", "hens of the side to move"),
            Feature::number("opp_hens", "hens of the other side"),
            Feature::number("own_lion_rank", "the rank of the lion of the side to move, 1 at home to 3"),
            Feature::number("opp_lion_rank", "the rank of the other lion, 1 at its home to 4"),
            Feature::flag("middle_file", "whether both lions are on the file b"),
            Feature::flag("in_check", "whether the lion of the side to move is attacked"),
            Feature::flag("can_take_lion", "whether the side to move can take the lion, so that the game counts as decided"),
            Feature::number("mate", format!("plies of the shortest mate by checks alone, up to the mating move, 1 to {}; NULL if there is none (found move by move, so put cheaper conditions beside it)", tsume::LONGEST)),
            Feature::number("symmetries", "symmetries of the board that keep the position, 1 or 2"),
        ]
    }

    fn measure(&self, state: &State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let Position { own, opp } = &state.at;
        for place in wanted {
            values.push(match place {
                0 => FeatureValue::count(animals(own)),
                1 => FeatureValue::count(animals(opp)),
                2 => FeatureValue::count(held(own)),
                3 => FeatureValue::count(held(opp)),
                4 => FeatureValue::count(own.men[3].count_ones() as usize),
                5 => FeatureValue::count(opp.men[3].count_ones() as usize),
                6 => FeatureValue::number(i32::from(own.lion / 3) + 1),
                7 => FeatureValue::number(4 - i32::from(opp.lion / 3)),
                8 => FeatureValue::flag(own.lion % 3 == 1 && opp.lion % 3 == 1),
                9 => FeatureValue::flag(state.at.in_check()),
                10 => FeatureValue::flag(state.at.takes_lion()),
                11 => FeatureValue::known(tsume::shortest(self.rules(), &state.at, tsume::LONGEST)),
                12 => FeatureValue::count(self.symmetries_kept(state) as usize),
                _ => FeatureValue::NONE,
            });
        }
    }
}
