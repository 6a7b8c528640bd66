//! The columns of a position that do not need its solution.

use shogi_core::{Color, PieceKind, Square};

use super::{State, Tsuitate};
use crate::game::{Feature, FeatureValue, Features};

impl Features for Tsuitate {
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::number(
                "own_pieces",
                "Black's pieces on the board, his king not counted",
            ),
            Feature::number(
                "opp_pieces",
                "White's pieces on the board, the king not counted",
            ),
            Feature::number("in_hand", "pieces in Black's hand"),
            Feature::number(
                "pieces",
                "pieces on the board and in Black's hand, kings not counted",
            ),
            Feature::flag("own_king", "Black has a king"),
            Feature::number("king_file", "file of White's king, 1 to 9"),
            Feature::number("king_rank", "rank of White's king, 1 (a) to 9 (i)"),
            Feature::number(
                "own_sliders",
                "Black's rooks, bishops and lances (promoted rooks and bishops too) on the board",
            ),
        ]
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
                    side == Color::Black
                        && matches!(
                            kind,
                            PieceKind::Rook
                                | PieceKind::Bishop
                                | PieceKind::Lance
                                | PieceKind::ProRook
                                | PieceKind::ProBishop
                        )
                })),
                _ => FeatureValue::NONE,
            });
        }
    }
}
