//! Shogi positions as diagrams, in the style of printed problems: characters in squares,
//! White's rotated by 180 degrees, and hands beside the board.

use super::outlines;
use crate::draw::{BoardSquare, Diagram, Flank, Glyph, PieceStand, Symbol, Tone};

const SIDE: u8 = 9;
const SOUND: &str = "the characters' outlines lie in their squares";
const FITS: &str = "the board has 81 squares, and its stars lie within it";

/// The sign of a player: the outline of a piece.
const PIECE: &str = "M500 80L790 190L920 920L80 920L210 190Z";

/// A kind of piece, not promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A king.
    King,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A gold general.
    Gold,
    /// A silver general.
    Silver,
    /// A knight.
    Knight,
    /// A lance.
    Lance,
    /// A pawn.
    Pawn,
}

impl Kind {
    /// The kinds that can be in hand, in the order of notation.
    pub const IN_HAND: [Self; 7] = [
        Self::Rook,
        Self::Bishop,
        Self::Gold,
        Self::Silver,
        Self::Knight,
        Self::Lance,
        Self::Pawn,
    ];

    const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Gold => 'G',
            Self::Silver => 'S',
            Self::Knight => 'N',
            Self::Lance => 'L',
            Self::Pawn => 'P',
        }
    }

    /// The character and its outline. Kings and golds have only one side.
    const fn character(self, promoted: bool) -> (&'static str, &'static str) {
        match (self, promoted) {
            (Self::King, _) => ("玉", outlines::KING),
            (Self::Gold, _) => ("金", outlines::GOLD),
            (Self::Rook, false) => ("飛", outlines::ROOK),
            (Self::Bishop, false) => ("角", outlines::BISHOP),
            (Self::Silver, false) => ("銀", outlines::SILVER),
            (Self::Knight, false) => ("桂", outlines::KNIGHT),
            (Self::Lance, false) => ("香", outlines::LANCE),
            (Self::Pawn, false) => ("歩", outlines::PAWN),
            (Self::Rook, true) => ("竜", outlines::DRAGON),
            (Self::Bishop, true) => ("馬", outlines::HORSE),
            (Self::Silver, true) => ("全", outlines::PROMOTED_SILVER),
            (Self::Knight, true) => ("圭", outlines::PROMOTED_KNIGHT),
            (Self::Lance, true) => ("杏", outlines::PROMOTED_LANCE),
            (Self::Pawn, true) => ("と", outlines::PROMOTED_PAWN),
        }
    }

    fn symbol(self, promoted: bool) -> Symbol {
        let (name, outline) = self.character(promoted);
        Symbol::new(name, outline, Tone::Dark).expect(SOUND)
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// Its kind.
    pub kind: Kind,
    /// Whether it is promoted; ignored for kings and golds.
    pub promoted: bool,
    /// Whether it is White's, whose pieces point downward.
    pub white: bool,
}

impl Man {
    /// The symbol of the piece.
    ///
    /// # Panics
    /// Never: the outlines of the characters are part of the program.
    #[must_use]
    pub fn glyph(self) -> Glyph {
        let symbol = self.kind.symbol(self.promoted);
        Glyph::Symbol(if self.white {
            symbol.half_turned()
        } else {
            symbol
        })
    }
}

/// White's hand in a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// Not shown.
    Unsaid,
    /// Not shown, as are White's men on the board: Black does not see them.
    Unseen,
    /// All pieces that are not elsewhere, described in words.
    Remaining,
    /// The number of each of [`Kind::IN_HAND`].
    Counts([u8; 7]),
}

/// A position to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The squares, row by row from the top, each from the left: 9a, 8a, … 1i.
    pub board: [Option<Man>; 81],
    /// Black's hand: the number of each of [`Kind::IN_HAND`].
    pub hand: [u8; 7],
    /// White's hand.
    pub rest: Rest,
}

/// The diagram of a position. Files are numbered from the right, above the board, and ranks
/// lettered from the top, on the right.
///
/// # Panics
/// Never: the outlines of the characters are part of the program.
#[must_use]
pub fn picture(shown: &Shown) -> Diagram {
    let mut diagram = Diagram::new(SIDE, SIDE).expect(FITS);
    for (cell, man) in men(shown) {
        diagram = diagram.place(cell, man.glyph()).expect(FITS);
    }
    for (column, row) in [(3, 3), (3, 6), (6, 3), (6, 6)] {
        diagram = diagram.star(BoardSquare::new(column, row)).expect(FITS);
    }
    let diagram = diagram
        .file_labels((1..=SIDE).rev().map(|file| file.to_string()))
        .and_then(|diagram| diagram.rank_labels(('a'..='i').rev().map(String::from)))
        .expect("there are nine of each")
        .files_above()
        .ranks_at(Flank::Right)
        .stand(Flank::Right, black(shown))
        .title("Shogi position")
        .desc(words(shown));
    match white(shown) {
        Some(stand) => diagram.stand(Flank::Left, stand),
        None => diagram,
    }
}

/// The pieces on the board with their cells, row by row from the top.
fn men(shown: &Shown) -> impl Iterator<Item = (BoardSquare, Man)> {
    let rows = (0..SIDE).rev();
    let cells = rows.flat_map(|row| (0..SIDE).map(move |column| BoardSquare::new(column, row)));
    let men = cells.zip(shown.board);
    men.filter_map(|(cell, man)| Some((cell, man?)))
}

fn sign(name: &'static str, tone: Tone) -> Symbol {
    Symbol::new(name, PIECE, tone).expect(SOUND)
}

fn filled(stand: PieceStand, counts: [u8; 7]) -> PieceStand {
    let held = Kind::IN_HAND.into_iter().zip(counts);
    held.fold(stand, |stand, (kind, count)| {
        stand.held(kind.symbol(false), count.into())
    })
}

fn caption(counts: [u8; 7]) -> PieceStand {
    PieceStand::new(if counts == [0; 7] {
        "nothing in hand"
    } else {
        "in hand"
    })
}

fn black(shown: &Shown) -> PieceStand {
    let stand = caption(shown.hand).head(sign("Black", Tone::Dark));
    filled(stand, shown.hand)
}

fn white(shown: &Shown) -> Option<PieceStand> {
    let sign = sign("White", Tone::Light).half_turned();
    match shown.rest {
        Rest::Unsaid | Rest::Unseen => None,
        Rest::Remaining => Some(PieceStand::new("in hand: the rest").head(sign)),
        Rest::Counts(counts) => Some(filled(caption(counts).head(sign), counts)),
    }
}

/// A description of the position, with the letters of international notation.
fn words(shown: &Shown) -> String {
    let side = |white: bool| {
        let own = men(shown).filter(|(_, man)| man.white == white);
        let names: Vec<String> = own
            .map(|(cell, man)| {
                let plus = if man.promoted { "+" } else { "" };
                let rank = char::from(b'a' + SIDE - 1 - cell.row);
                let file = SIDE - cell.column;
                format!("{plus}{}{file}{rank}", man.kind.letter())
            })
            .collect();
        if names.is_empty() {
            "no pieces on the board".to_owned()
        } else {
            names.join(", ")
        }
    };
    let hand = |counts: [u8; 7]| {
        let held = Kind::IN_HAND.into_iter().zip(counts);
        let held: Vec<String> = held
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| match count {
                1 => kind.letter().to_string(),
                _ => format!("{count} {}", kind.letter()),
            })
            .collect();
        if held.is_empty() {
            "nothing".to_owned()
        } else {
            held.join(", ")
        }
    };
    let white = match shown.rest {
        Rest::Unsaid => side(true),
        Rest::Unseen => "not seen".to_owned(),
        Rest::Remaining => format!("{}; in hand the rest", side(true)),
        Rest::Counts(counts) => format!("{}; in hand {}", side(true), hand(counts)),
    };
    format!(
        "Black: {}; in hand {}. White: {white}.",
        side(false),
        hand(shown.hand)
    )
}
