//! Tsuitate-tsume-shogi: shogi mate problems in which Black sees only his own pieces.
//!
//! # Rules
//! Black is the attacker, is to move, and may have a king. Every piece that is neither on
//! the board nor in Black's hand is in White's hand. Black knows the initial position, but
//! after that only what the umpire announces. A *try* must be legal as far as Black's own
//! pieces go (no two pawns on a file, no drop or move to where a piece could never move
//! again). It is
//!
//! - a *foul* if White's pieces forbid it: a slide past one of them, a drop on one of
//!   them, a pawn drop that mates, Black's own king left in check. Black tries again;
//! - a *check*, after which White makes a legal move;
//! - otherwise *quiet*, which problems forbid.
//!
//! Black hears whether a try is a foul, a check or mate, the kind of piece that a check
//! captures, the square on which a piece of Black's vanishes, and a countercheck. He must
//! mate whatever White replies, with at most a given number of fouls. A check is a ply, and
//! so is the reply; a foul is not. Repetition is allowed, as in the paper.
//!
//! Settings for what the paper leaves open, the paper's reading first:
//!
//! - `futile=kept` or `futile=omitted`: White may, or may not, drop a piece between a
//!   sliding piece and the king if that only puts off mate: the slider takes it at once
//!   without promoting, and that mates, further such drops left aside;
//! - `captures=unpromoted` or `captures=promoted`: a captured promoted piece is announced
//!   by the kind that comes to hand, or as promoted;
//! - `entry=nothing` or `entry=escape`: nothing happens if White's king enters Black's
//!   camp (ranks g to i), or White is then safe.
//!
//! Source: M. Sakuta, H. Iida, *Solving problems with uncertainty: a case study using
//! Tsuitate-Tsume-Shogi*, "the paper" below.

mod generate;
mod geometry;
mod kif;
mod notation;
mod picture;
mod setup;
mod state;
mod tries;

pub use picture::{glyph, picture};
pub use state::{Clue, HAND_KINDS, Move, State};

use shogi_core::{Color, PieceKind, Square};

use crate::game::{Feature, FeatureValue, Features, Game, NotationError, RuleInWords};
use geometry::ways;

/// The game with its rule settings. The default is the paper's reading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tsuitate {
    /// Whether White may not make drops that only delay mate.
    omits_futile: bool,
    /// Whether the capture of a promoted piece is announced as such, not by its kind in hand.
    tells_promoted: bool,
    /// Whether White is safe once its king enters Black's camp.
    entry_escapes: bool,
}

impl Game for Tsuitate {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        setup::spec(self)
    }

    fn title(&self) -> String {
        "Tsuitate-tsume-shogi".to_owned()
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        setup::rules(self)
    }

    /// The sample problem of the paper. A problem may begin with any position.
    fn initial(&self) -> State {
        notation::read(notation::SAMPLE).expect("the sample is a position of a problem")
    }

    fn format_state(&self, state: &State) -> String {
        notation::write(state, false)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        if kif::is_kif(text) {
            kif::read(text)
        } else {
            notation::read(text)
        }
    }

    fn format_move(&self, mv: Move) -> String {
        notation::write_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(text)
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Black"
    }
}

/// The columns of a position that do not need its solution.
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
