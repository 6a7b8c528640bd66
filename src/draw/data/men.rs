//! Men of sides: the six of chess as printed chess diagrams have them, and letters for others.

/// What a man of a side shows. Men stand upright whichever way the board is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Man {
    /// A chess king.
    King,
    /// A chess queen.
    Queen,
    /// A chess rook.
    Rook,
    /// A chess bishop.
    Bishop,
    /// A chess knight.
    Knight,
    /// A chess pawn.
    Pawn,
    /// Any other man: its letter in a disc.
    Letter(char),
}

impl Man {
    /// Its letter, a capital one for the men of chess.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Knight => 'N',
            Self::Pawn => 'P',
            Self::Letter(letter) => letter,
        }
    }

    /// Its outline and the lines inside it, as path data in the square of a
    /// [`Symbol`](super::Symbol); `None` for a letter.
    pub const fn paths(self) -> Option<[&'static str; 2]> {
        // The outlines are this program's own.
        Some(match self {
            Self::King => [
                "M458 50L542 50L542 105L602 105L602 185L542 185L542 250C565 270 577 300 580 340C640 280 765 270 835 340C915 420 885 540 745 640L740 760L780 830L780 900L220 900L220 830L260 760L255 640C115 540 85 420 165 340C235 270 360 280 420 340C423 300 435 270 458 250L458 185L398 185L398 105L458 105Z",
                "M255 640Q500 580 745 640M260 760Q500 705 740 760M420 340C440 420 480 500 500 595C520 500 560 420 580 340",
            ],
            Self::Queen => [
                "M240 640L120 300L320 520L300 215L440 500L500 180L560 500L700 215L680 520L880 300L760 640Q730 700 740 760L780 830L780 900L220 900L220 830L260 760Q270 700 240 640ZM73 265C73 242 92 223 115 223C138 223 157 242 157 265C157 288 138 307 115 307C92 307 73 288 73 265ZM255 175C255 152 274 133 297 133C320 133 339 152 339 175C339 198 320 217 297 217C274 217 255 198 255 175ZM458 135C458 112 477 93 500 93C523 93 542 112 542 135C542 158 523 177 500 177C477 177 458 158 458 135ZM661 175C661 152 680 133 703 133C726 133 745 152 745 175C745 198 726 217 703 217C680 217 661 198 661 175ZM843 265C843 242 862 223 885 223C908 223 927 242 927 265C927 288 908 307 885 307C862 307 843 288 843 265Z",
                "M240 640Q500 580 760 640M260 760Q500 705 740 760",
            ],
            Self::Rook => [
                "M195 900L195 825L275 780L310 390L230 325L230 140L345 140L345 205L440 205L440 140L560 140L560 205L655 205L655 140L770 140L770 325L690 390L725 780L805 825L805 900Z",
                "M310 390L690 390M275 780L725 780",
            ],
            Self::Bishop => [
                "M500 175C605 255 705 365 705 475C705 545 670 595 622 630L645 740Q790 765 815 830L815 900L185 900L185 830Q210 765 355 740L378 630C330 595 295 545 295 475C295 365 395 255 500 175ZM452 125C452 98 473 77 500 77C527 77 548 98 548 125C548 152 527 173 500 173C473 173 452 152 452 125Z",
                "M500 330L500 510M410 420L590 420M378 630Q500 590 622 630M355 740Q500 700 645 740",
            ],
            Self::Knight => [
                "M250 900C250 760 330 700 400 630Q450 580 455 510Q400 560 330 560Q310 640 240 655Q190 660 165 620Q130 590 140 530C170 460 230 380 260 300Q290 220 370 190L385 75L450 160L520 75L555 165C745 215 840 420 830 900Z",
                "M330 325L380 300M190 565L205 540M555 255C690 330 740 480 745 750M265 815L825 815",
            ],
            Self::Pawn => [
                "M240 900L240 830Q240 770 315 735C400 690 425 610 425 510L370 510Q348 510 348 480Q348 450 380 445L430 420C380 395 357 350 357 305C357 225 420 160 500 160C580 160 643 225 643 305C643 350 620 395 570 420L620 445Q652 450 652 480Q652 510 630 510L575 510C575 610 600 690 685 735Q760 770 760 830L760 900Z",
                "M250 810L750 810",
            ],
            Self::Letter(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Man;
    use crate::data::{Symbol, Tone};

    #[test]
    fn figures_lie_in_their_squares() {
        use Man::{Bishop, King, Knight, Letter, Pawn, Queen, Rook};
        for man in [King, Queen, Rook, Bishop, Knight, Pawn] {
            let paths = man.paths().into_iter().flatten();
            assert_eq!(paths.clone().count(), 2);
            for path in paths {
                assert!(Symbol::new("man", path, Tone::Dark).is_ok(), "{path}");
            }
        }
        assert_eq!(Letter('L').paths(), None);
    }
}
