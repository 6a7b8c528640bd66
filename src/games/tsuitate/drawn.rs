//! Positions as diagrams.

use shogi_core::{Color, PieceKind, Square};

use super::picture::{Kind, Man, Rest, Shown, picture};
use super::{Move, State, Tsuitate};
use crate::draw::{BoardSquare, Diagram, Mark, Point, Slide, Tone};
use crate::game::{Drawable, HiddenBoard, Standing};

/// The cell of a square: file 1 is on the right, rank a at the top.
fn cell(square: Square) -> BoardSquare {
    BoardSquare::new(9 - square.file(), 9 - square.rank())
}

fn man(kind: PieceKind, white: bool) -> Man {
    let (plain, promoted) = match kind {
        PieceKind::King => (Kind::King, false),
        PieceKind::Rook => (Kind::Rook, false),
        PieceKind::Bishop => (Kind::Bishop, false),
        PieceKind::Gold => (Kind::Gold, false),
        PieceKind::Silver => (Kind::Silver, false),
        PieceKind::Knight => (Kind::Knight, false),
        PieceKind::Lance => (Kind::Lance, false),
        PieceKind::Pawn => (Kind::Pawn, false),
        PieceKind::ProRook => (Kind::Rook, true),
        PieceKind::ProBishop => (Kind::Bishop, true),
        PieceKind::ProSilver => (Kind::Silver, true),
        PieceKind::ProKnight => (Kind::Knight, true),
        PieceKind::ProLance => (Kind::Lance, true),
        PieceKind::ProPawn => (Kind::Pawn, true),
    };
    Man {
        kind: plain,
        promoted,
        white,
    }
}

fn men(state: &State) -> impl Iterator<Item = (Square, Man)> + '_ {
    Square::all().filter_map(|square| {
        let piece = state.piece_at(square)?;
        let white = piece.color() == Color::White;
        Some((square, man(piece.piece_kind(), white)))
    })
}

fn shown(state: &State) -> Shown {
    let mut board = [None; 81];
    for (square, man) in men(state) {
        // Row by row from the top, each from the left.
        let cell = cell(square);
        board[usize::from(8 - cell.row) * 9 + usize::from(cell.column)] = Some(man);
    }
    let held = |kind: Kind| {
        let mut hand = state.hand(Color::Black);
        let found = hand.find(|(held, _)| man(*held, false).kind == kind);
        found.map_or(0, |(_, count)| count)
    };
    Shown {
        board,
        hand: Kind::IN_HAND.map(held),
        rest: Rest::Remaining,
    }
}

impl HiddenBoard for Tsuitate {
    fn size(&self) -> (u8, u8) {
        (9, 9)
    }

    fn defender(&self) -> &'static str {
        "White"
    }

    fn on_board(&self, state: &State) -> Vec<Standing> {
        let standing = men(state).map(|(square, man)| Standing {
            cell: cell(square),
            glyph: man.glyph(),
            words: if man.white {
                "White piece"
            } else {
                "Black piece"
            },
        });
        standing.collect()
    }
}

impl Drawable for Tsuitate {
    fn side_tone(&self, _state: &State) -> Tone {
        Tone::Dark
    }

    fn diagram(&self, state: &State) -> Diagram {
        picture(&shown(state)).title("Tsuitate-tsume-shogi position")
    }

    fn with_move(&self, diagram: Diagram, _state: &State, mv: Move) -> Diagram {
        let to = cell(mv.to());
        let mark = match mv.from() {
            Some(from) => Mark::Arrow {
                from: cell(from),
                to: to.into(),
            },
            None => Mark::Highlight(to),
        };
        diagram.clone().mark(mark).unwrap_or(diagram)
    }

    fn slides(&self, _state: &State, mv: Move) -> Vec<Slide> {
        let slide = mv.from().map(|from| Slide {
            from: cell(from),
            to: Point::from(cell(mv.to())),
            lost: false,
        });
        slide.into_iter().collect()
    }
}
