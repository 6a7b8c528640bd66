//! The columns of a position that do not need its solution.

use shogi_core::{Color, PieceKind, Square};

use super::geometry::ways;
use super::{State, Tsuitate};
use crate::game::{Feature, FeatureValue, Features};

impl Features for Tsuitate {
    fn features(&self) -> Vec<Feature> {
        Feature::listed(include_str!("columns.txt"), |_| Vec::new())
    }

    fn measure(&self, state: &State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let count = |of: &dyn Fn(PieceKind, Color) -> bool| {
            Square::all()
                .filter_map(|on| state.piece_at(on))
                .filter(|piece| of(piece.piece_kind(), piece.color()))
                .count()
        };
        let of_side = |side: Color| count(&|kind, this| kind != PieceKind::King && this == side);
        let in_hand = || {
            state
                .hand(Color::Black)
                .map(|(_, count)| usize::from(count))
                .sum::<usize>()
        };
        let king = state.king(Color::White);
        for place in wanted {
            values.push(match place {
                0 => FeatureValue::count(of_side(Color::Black)),
                1 => FeatureValue::count(of_side(Color::White)),
                2 => FeatureValue::count(in_hand()),
                3 => FeatureValue::count(of_side(Color::Black) + of_side(Color::White) + in_hand()),
                4 => FeatureValue::flag(state.king(Color::Black).is_some()),
                5 => FeatureValue::known(king.map(|on| i32::from(on.file()))),
                6 => FeatureValue::known(king.map(|on| i32::from(on.rank()))),
                7 => FeatureValue::count(count(&|kind, side| {
                    side == Color::Black && !ways(kind).1.is_empty()
                })),
                _ => FeatureValue::NONE,
            });
        }
    }
}
