//! Positions as diagrams.

use std::fmt::Write;

use shogi_core::{Color, PieceKind, Square, ToUsi};

use super::picture::{Kind, Man, Rest, Shown, picture};
use super::{Move, State, Tsuitate};
use crate::draw::{BoardSquare, Diagram, Mark, Point, Slide};
use crate::game::{Drawable, Happened, HiddenBoard, Standing};

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

    /// White's pieces have small letters, and the letters of promoted pieces follow a `+`.
    fn in_letters(&self, state: &State, whole: bool) -> String {
        let mut text = String::new();
        for rank in 1..=9 {
            for file in (1..=9).rev() {
                let piece = Square::new(file, rank).and_then(|on| state.piece_at(on));
                let seen = piece.filter(|piece| whole || piece.color() == Color::Black);
                let letter = seen.map_or_else(|| ".".to_owned(), |piece| piece.to_usi_owned());
                let _ = write!(text, "{letter:>3}");
            }
            let _ = writeln!(text, "  {}", char::from(b'`' + rank));
        }
        text.push_str("  9  8  7  6  5  4  3  2  1\n");
        let hand = state.hand(Color::Black).map(|(kind, count)| {
            let letter = super::notation::letter(kind);
            if count > 1 {
                format!(" {count}{letter}")
            } else {
                format!(" {letter}")
            }
        });
        let hand: String = hand.collect();
        let none = if hand.is_empty() { " nothing" } else { "" };
        text + "in hand:" + &hand + none + "\n"
    }

    fn seen(&self, state: &State) -> Diagram {
        let whole = shown(state);
        let seen = Shown {
            board: whole.board.map(|man| man.filter(|man| !man.white)),
            rest: Rest::Unseen,
            ..whole
        };
        picture(&seen).title("What Black sees")
    }

    fn defender(&self) -> &'static str {
        "White"
    }

    fn record(&self, state: &State, line: &[Happened<Move, State>], title: &str) -> Option<String> {
        Some(super::kif::record(state, line, title))
    }

    fn legend(&self) -> Vec<String> {
        vec![
            "Before a reply stands what the move itself took: in 'xP - 2.G*3g' Black has taken a pawn, and of White's reply nothing is heard. x2c is a reply that captures on 2c, and /check says that it gives check. A move is written with the squares that it leads from and to, such as 2d1e, with + where a man promotes; S*2d is a silver dropped on 2d.".to_owned(),
            "Men are drawn as printed shogi problems have them. In moves K is a king, R a rook, B a bishop, G a gold, S a silver, N a knight, L a lance, P a pawn, and + before a letter a promoted man.".to_owned(),
        ]
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
