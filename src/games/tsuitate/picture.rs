//! Shogi positions as diagrams, in the style of printed problems: characters in squares,
//! White's rotated by 180 degrees, and hands beside the board.

use std::fmt::Write;

use shogi_core::{Color, Piece, PieceKind, Square, ToUsi};

use super::notation::letter;
use super::{HAND_KINDS, Move, State, Tsuitate};
use crate::draw::{BoardSquare, Diagram, Flank, Glyph, PieceStand, Point, Slide, Symbol, Tone};
use crate::game::{Drawable, Happened, HiddenBoard, Standing, marked, slid};

const SIDE: u8 = 9;
const SOUND: &str = "the characters' outlines lie in their squares";
const FITS: &str = "the board has 81 squares, and its stars lie within it";

/// The sign of a player: the outline of a piece.
const PIECE: &str = "M500 80L790 190L920 920L80 920L210 190Z";

/// The character of a kind of piece and its outline.
const fn character(kind: PieceKind) -> (&'static str, &'static str) {
    match kind {
        PieceKind::King => ("玉", KING),
        PieceKind::Gold => ("金", GOLD),
        PieceKind::Rook => ("飛", ROOK),
        PieceKind::Bishop => ("角", BISHOP),
        PieceKind::Silver => ("銀", SILVER),
        PieceKind::Knight => ("桂", KNIGHT),
        PieceKind::Lance => ("香", LANCE),
        PieceKind::Pawn => ("歩", PAWN),
        PieceKind::ProRook => ("竜", DRAGON),
        PieceKind::ProBishop => ("馬", HORSE),
        PieceKind::ProSilver => ("全", PROMOTED_SILVER),
        PieceKind::ProKnight => ("圭", PROMOTED_KNIGHT),
        PieceKind::ProLance => ("杏", PROMOTED_LANCE),
        PieceKind::ProPawn => ("と", PROMOTED_PAWN),
    }
}

fn symbol(kind: PieceKind) -> Symbol {
    let (name, outline) = character(kind);
    Symbol::new(name, outline, Tone::Dark).expect(SOUND)
}

/// The symbol of a piece on the board. White's pieces point downward.
///
/// # Panics
/// Never: the outlines of the characters are part of the program.
pub fn glyph(piece: Piece) -> Glyph {
    let symbol = symbol(piece.piece_kind());
    Glyph::Symbol(match piece.color() {
        Color::Black => symbol,
        Color::White => symbol.half_turned(),
    })
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
    /// The number of each of [`HAND_KINDS`].
    Counts([u8; 7]),
}

/// A position to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The squares, row by row from the top, each from the left: 9a, 8a, … 1i.
    pub board: [Option<Piece>; 81],
    /// Black's hand: the number of each of [`HAND_KINDS`].
    pub hand: [u8; 7],
    /// White's hand.
    pub rest: Rest,
}

/// The diagram of a position. Files are numbered from the right, above the board, and ranks
/// lettered from the top, on the right.
///
/// # Panics
/// Never: the outlines of the characters are part of the program.
pub fn picture(shown: &Shown) -> Diagram {
    let mut diagram = Diagram::new(SIDE, SIDE).expect(FITS);
    for (cell, man) in men(shown) {
        diagram = diagram.place(cell, glyph(man)).expect(FITS);
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
        .stand(Flank::Right, stand(sign("Black", Tone::Dark), shown.hand))
        .title("Shogi position")
        .desc(words(shown));
    match white(shown) {
        Some(stand) => diagram.stand(Flank::Left, stand),
        None => diagram,
    }
}

/// The pieces on the board with their cells, row by row from the top.
fn men(shown: &Shown) -> impl Iterator<Item = (BoardSquare, Piece)> {
    let rows = (0..SIDE).rev();
    let cells = rows.flat_map(|row| (0..SIDE).map(move |column| BoardSquare::new(column, row)));
    let men = cells.zip(shown.board);
    men.filter_map(|(cell, man)| Some((cell, man?)))
}

fn sign(name: &'static str, tone: Tone) -> Symbol {
    Symbol::new(name, PIECE, tone).expect(SOUND)
}

fn stand(sign: Symbol, counts: [u8; 7]) -> PieceStand {
    let words = ["in hand", "nothing in hand"][usize::from(counts == [0; 7])];
    let held = HAND_KINDS.into_iter().zip(counts);
    let held = held.filter(|&(_, count)| count > 0);
    PieceStand {
        head: Some(sign),
        caption: words.to_owned(),
        held: held
            .map(|(kind, count)| (symbol(kind), count.into()))
            .collect(),
    }
}

fn white(shown: &Shown) -> Option<PieceStand> {
    let sign = sign("White", Tone::Light).half_turned();
    match shown.rest {
        Rest::Unsaid | Rest::Unseen => None,
        Rest::Remaining => Some(PieceStand {
            head: Some(sign),
            caption: "in hand: the rest".to_owned(),
            held: Vec::new(),
        }),
        Rest::Counts(counts) => Some(stand(sign, counts)),
    }
}

fn words(shown: &Shown) -> String {
    let side = |side: Color| {
        let own = men(shown).filter(|(_, man)| man.color() == side);
        let names: Vec<String> = own
            .map(|(cell, man)| {
                let rank = char::from(b'a' + SIDE - 1 - cell.row);
                let file = SIDE - cell.column;
                format!("{}{file}{rank}", letter(man.piece_kind()))
            })
            .collect();
        if names.is_empty() {
            "no pieces on the board".to_owned()
        } else {
            names.join(", ")
        }
    };
    let hand = |counts: [u8; 7]| {
        let held = HAND_KINDS.into_iter().zip(counts);
        let held: Vec<String> = held
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| match count {
                1 => letter(kind),
                _ => format!("{count} {}", letter(kind)),
            })
            .collect();
        if held.is_empty() {
            "nothing".to_owned()
        } else {
            held.join(", ")
        }
    };
    let white = match shown.rest {
        Rest::Unsaid => side(Color::White),
        Rest::Unseen => "not seen".to_owned(),
        Rest::Remaining => format!("{}; in hand the rest", side(Color::White)),
        Rest::Counts(counts) => format!("{}; in hand {}", side(Color::White), hand(counts)),
    };
    format!(
        "Black: {}; in hand {}. White: {white}.",
        side(Color::Black),
        hand(shown.hand)
    )
}

// The characters on the pieces as outlines: path data in a square of 1000 units,
// y downwards, each in the middle of its square.
//
// Shapes of Shippori Mincho, semi-bold, version 3.110. Copyright 2021 The Shippori
// Mincho Project Authors (github.com/fontdasu/ShipporiMincho), under the SIL Open
// Font License, Version 1.1: see OFL.txt. Written by tests/tools/outlines.py; not to
// be edited by hand.

/// 玉, a king.
pub(super) const KING: &str = "M720 447Q726 441 734 430Q742 419 746 414Q752 409 756 409Q762 409 787 428Q812 448 835 470Q858 491 858 498Q854 514 830 514L542 514L542 894L774 894L802 854Q806 847 814 836Q822 825 828 820Q832 814 836 814Q842 814 870 834Q898 855 922 878Q946 900 946 907Q942 923 918 923L232 923Q160 924 82 937L54 886Q110 892 188 894L444 894L444 514L326 514Q256 515 176 528L150 477Q206 483 284 485L444 485L444 170L288 170Q216 171 138 184L110 134Q166 140 244 142L728 142L754 103Q760 96 768 85Q776 74 780 68Q786 63 790 63Q796 63 822 83Q850 103 874 125Q898 147 898 154Q894 170 870 170L542 170L542 485L694 485ZM618 570Q718 595 766 640Q814 686 814 732Q814 758 800 774Q786 791 764 791Q742 791 724 776Q716 727 683 673Q650 619 610 577Z";

/// 飛, a rook.
pub(super) const ROOK: &str = "M634 72Q638 68 644 60Q650 52 654 48Q658 44 662 44Q668 44 689 60Q710 76 730 95Q748 114 748 120Q738 132 710 136Q714 180 718 202Q740 202 772 206Q788 178 804 144Q820 110 826 84Q908 144 908 156Q908 162 900 162L884 162Q882 162 826 198L802 212Q850 224 872 248Q894 270 894 296Q894 312 884 324Q874 334 858 334Q848 334 838 330Q824 302 790 270Q756 238 722 218Q738 290 773 343Q808 396 864 416Q872 418 876 418Q882 418 888 408Q904 376 916 326L928 328L922 434Q948 460 948 480Q948 488 944 496Q932 518 900 518Q872 518 832 500Q732 456 686 362Q640 268 628 128L276 128Q206 130 126 142L100 92Q154 98 232 100L616 100ZM632 454Q636 450 641 442Q646 434 650 430Q654 426 658 426Q664 426 686 444Q708 460 726 480Q746 498 746 506Q736 516 708 520Q710 576 718 622L768 628Q798 564 814 504Q902 558 902 570Q902 572 894 574L878 576Q850 598 798 634Q848 650 874 676Q898 702 898 728Q898 744 888 756Q878 766 862 766Q854 766 842 762Q826 732 792 699Q758 666 722 642Q738 718 774 774Q810 828 868 850Q880 854 882 854Q888 854 894 842Q902 822 922 756L932 756L926 870Q952 900 952 918Q952 928 948 934Q936 956 906 956Q876 956 836 936Q728 890 681 782Q634 674 624 512L520 512L520 684Q522 808 528 920Q522 932 496 944Q472 956 448 956Q436 956 428 950Q420 944 420 936Q424 876 426 821Q430 766 430 676L430 512L312 512Q308 658 255 772Q202 886 66 954L58 944Q154 866 188 757Q224 648 226 512L172 512Q124 512 74 526L48 474Q98 480 168 482L226 482L226 316Q142 354 76 372L68 360Q116 332 172 292Q214 260 251 221Q288 182 306 146Q410 208 410 222Q410 226 396 228L372 230Q334 258 278 290Q338 310 338 322Q338 326 330 332L312 344L312 482L430 482L430 356Q430 230 418 152Q488 170 515 180Q542 190 542 196Q542 200 534 206L520 216L520 482L612 482Z";

/// 角, a bishop.
pub(super) const BISHOP: &str = "M614 130Q620 126 630 114Q640 104 646 104Q652 104 673 122Q694 140 714 160Q732 180 732 186Q726 192 718 194Q710 196 694 198Q616 272 552 314L774 314L792 288Q794 286 800 278Q806 270 810 266Q814 262 818 262Q824 262 847 278Q870 294 890 312Q910 330 910 338Q900 350 874 356L874 848Q874 886 865 910Q856 934 826 948Q796 964 738 970Q734 944 728 928Q722 912 710 900Q696 888 673 880Q650 872 612 866L612 850Q736 860 758 860Q772 860 778 854Q784 848 784 836L784 702L318 702Q298 784 247 852Q196 920 98 968L90 958Q182 876 214 774Q246 670 246 534L246 336Q176 390 104 424L94 412Q144 376 191 326Q238 276 278 218Q308 176 332 123Q356 70 366 30Q498 72 498 84Q498 86 488 88L470 92Q454 116 426 156L590 156ZM526 314Q560 260 590 186L402 186Q358 240 300 292L352 314ZM510 342L336 342L336 492L510 492ZM784 492L784 342L596 342L596 492ZM510 674L510 520L336 520L336 532Q336 620 326 674ZM596 520L596 674L784 674L784 520Z";

/// 金, a gold general.
pub(super) const GOLD: &str = "M256 391Q312 396 384 398L582 398L605 366Q610 360 616 352Q621 345 626 339Q632 333 636 333Q642 333 665 350Q688 366 708 385Q727 404 727 411Q724 427 702 427L537 427L537 580L734 580L759 544Q764 538 772 528Q779 518 784 513Q788 508 792 508Q798 508 823 526Q848 545 870 566Q891 586 891 593Q887 609 865 609L537 609L537 920L766 920L793 880Q797 875 805 863Q813 851 818 846Q823 840 827 840Q833 840 860 860Q886 881 910 904Q933 926 933 933Q931 941 924 945Q917 949 907 949L237 949Q166 950 87 963L61 912Q116 918 194 920L443 920L443 609L283 609Q212 610 133 623L107 572Q162 578 240 580L443 580L443 427L383 427Q332 428 277 441L253 393Q150 467 49 511L42 498Q122 447 206 368Q290 288 352 204Q415 115 429 37L588 86Q586 96 576 101Q566 106 544 107Q604 192 714 258Q824 323 958 370L956 385Q926 393 904 418Q883 444 877 474Q759 411 666 320Q573 229 527 119Q483 188 412 258Q342 329 256 391ZM742 668Q797 684 797 695Q797 701 787 704L769 710Q733 759 690 806Q648 853 609 887L596 878Q607 853 612 841Q631 795 647 736Q663 676 667 634ZM317 879Q296 879 274 857Q274 810 257 756Q240 701 215 654L226 649Q299 685 332 730Q366 774 366 815Q366 843 352 861Q338 879 317 879Z";

/// 銀, a silver general.
pub(super) const SILVER: &str = "M454 771L457 784Q301 864 132 939Q126 956 109 963L52 856Q61 855 161 835L214 824L214 516L165 516Q123 517 77 530L51 479Q96 485 161 487L214 487L214 358L137 358L130 334Q88 379 47 408L35 399Q91 333 143 222Q165 174 181 122Q197 70 200 30Q320 72 320 86Q320 89 311 93L293 100Q377 126 416 161Q454 196 454 230Q454 250 442 263Q429 276 411 276Q397 276 381 265Q368 235 342 196Q315 157 281 122Q254 174 216 228Q179 283 136 329L301 329L322 297Q325 292 332 282Q338 273 342 268Q346 264 350 264Q356 264 376 280Q396 297 414 316Q431 335 431 342Q427 358 406 358L295 358L295 487L327 487L348 452Q351 447 358 437Q364 427 368 422Q372 417 376 417Q382 417 402 435Q423 453 441 473Q459 493 459 500Q455 516 434 516L295 516L295 806ZM965 877L963 888Q935 892 914 912Q892 931 881 963Q789 894 734 798L711 811Q572 889 457 946Q449 963 434 970L380 862Q394 860 436 851L484 841L484 267Q484 141 471 62L578 105L784 105L801 77Q805 72 810 64Q815 56 818 52Q822 48 826 48Q832 48 854 65Q877 82 897 102Q917 121 917 128Q905 141 880 145L880 265Q882 389 888 500Q881 511 858 520Q938 586 938 598Q938 603 928 603L908 603Q824 658 742 690Q824 813 965 877ZM793 134L565 134L565 279L793 279ZM793 308L565 308L565 458L793 458ZM565 822L727 785Q663 665 639 487L565 487ZM840 526Q828 530 808 530L793 530L793 487L657 487Q679 585 729 670Q760 641 790 602Q820 562 840 526ZM318 760L319 755Q329 705 334 648Q339 591 337 550L401 573Q447 583 447 592Q447 597 436 602L419 610Q370 715 333 767ZM110 767Q112 743 112 731Q112 656 87 569L99 565Q144 604 165 645Q186 686 186 721Q186 750 174 768Q161 786 143 786Q126 786 110 767Z";

/// 桂, a knight.
pub(super) const KNIGHT: &str = "M332 244Q336 238 341 228Q346 218 350 214Q354 209 358 209Q364 209 384 226Q402 244 419 264Q436 284 436 291Q434 299 428 303Q420 307 410 307L292 307L292 428Q362 455 395 491Q428 527 428 561Q428 581 417 594Q406 607 390 607Q374 607 356 592Q346 536 292 450L292 697Q294 821 300 932Q294 944 270 955Q244 966 222 966Q208 966 200 960Q192 954 192 946Q196 887 198 832Q202 776 202 686L202 531Q144 647 56 734L44 722Q96 640 134 532Q170 424 190 307L150 307Q116 308 82 321L56 270Q96 276 156 278L202 278L202 239Q202 113 190 34Q262 52 290 62Q318 73 318 81Q318 84 310 90L292 101L292 278L312 278ZM826 393Q828 388 836 378Q844 367 848 362Q854 357 858 357Q864 357 886 376Q910 394 930 414Q950 435 950 442Q946 458 924 458L558 458Q486 459 408 472L382 421Q438 427 516 429L600 429L600 245L542 245Q492 246 438 259L412 209Q464 215 538 217L600 217Q600 109 588 44Q662 61 689 71Q716 81 716 88Q716 93 708 98L690 110L690 217L766 217L790 181Q794 175 800 165Q808 155 812 150Q816 145 820 145Q826 145 849 164Q872 182 892 202Q912 223 912 230Q908 245 886 245L690 245L690 429L802 429ZM800 623Q804 618 811 608Q818 597 824 592Q828 587 832 587Q838 587 861 605Q884 623 903 644Q922 664 922 671Q920 687 898 687L690 687L690 909L808 909L832 873Q836 867 844 856Q852 846 856 841Q860 836 864 836Q870 836 893 854Q916 873 936 894Q956 915 956 922Q952 938 930 938L508 938Q438 939 358 952L334 901Q388 907 466 909L600 909L600 687L534 687Q478 688 414 701L388 651Q444 657 522 659L600 659Q600 543 588 476Q662 493 689 503Q716 513 716 520Q716 525 708 530L690 541L690 659L776 659Z";

/// 香, a lance.
pub(super) const LANCE: &str = "M578 292Q635 358 736 406Q838 454 950 476L948 488Q895 500 878 570Q769 526 684 456Q599 386 552 292L542 292L542 362Q544 450 548 500Q542 510 520 521Q498 532 468 532Q458 532 452 526Q447 520 447 512Q451 468 453 402L453 338Q364 440 219 518L319 562L674 562L694 536Q698 532 704 525Q709 518 713 514Q717 510 721 510Q727 510 750 526Q773 542 792 560Q812 578 812 586Q800 602 775 606L775 716Q778 854 782 930Q776 940 748 950Q720 960 698 960Q679 960 679 940Q679 940 683 918L683 898L313 898L313 934Q313 942 288 954Q262 964 237 964Q227 964 222 958Q216 952 216 944Q220 892 223 802L223 720Q223 604 211 522Q133 564 58 590L50 574Q146 524 230 448Q314 374 370 292L231 292Q160 292 81 306L54 254Q109 260 187 262L453 262L453 160Q294 172 135 172L132 154Q285 140 460 104Q634 70 737 36L824 126Q818 132 805 132Q790 132 767 124Q668 140 542 152L542 262L787 262L811 230Q814 226 822 216Q829 206 834 200Q839 196 843 196Q849 196 872 212Q896 230 916 249Q937 268 937 276Q934 292 911 292ZM683 590L313 590L313 712L683 712ZM683 740L313 740L313 868L683 868Z";

/// 歩, a pawn.
pub(super) const PAWN: &str = "M948 372Q944 387 921 387L455 387Q522 403 548 413Q573 423 573 430Q573 433 566 438L550 448L550 638Q550 675 541 698Q532 720 505 734Q478 748 424 753Q421 729 416 714Q412 700 402 690Q391 679 372 672Q354 665 321 660L321 646Q421 653 440 653Q450 653 454 649Q459 645 459 635L459 513Q459 434 451 387L228 387Q157 388 78 401L52 351Q102 357 174 359L233 359L233 313Q233 187 220 108Q290 124 316 134Q343 144 343 151Q343 155 336 160L321 170L321 359L459 359L459 238Q459 112 446 33Q521 50 549 60Q577 70 577 78Q577 82 569 87L551 98L551 193L683 193L709 156Q713 151 721 140Q729 129 734 124Q739 118 743 118Q749 118 775 138Q801 157 824 178Q846 199 846 206Q842 222 819 222L551 222L551 359L783 359L810 321Q815 315 823 304Q831 293 836 288Q841 283 845 283Q851 283 877 302Q903 322 926 344Q948 365 948 372ZM360 495Q311 560 234 623Q156 686 68 724L60 712Q120 664 180 588Q211 549 236 500Q261 451 271 411L338 453Q389 476 389 486Q389 490 378 492ZM648 441Q741 457 801 488Q861 519 888 554Q915 590 915 621Q915 642 904 655Q892 668 873 668Q859 668 845 661Q818 608 759 550Q700 491 640 451ZM747 606Q796 630 796 640Q796 644 782 646L761 648Q675 757 577 822Q479 887 367 920Q255 952 109 967L107 950Q252 916 359 869Q466 822 552 742Q589 708 628 654Q666 600 682 561Z";

/// 竜, a promoted rook.
pub(super) const DRAGON: &str = "M780 130Q783 125 790 114Q798 104 803 99Q808 94 812 94Q818 94 843 112Q868 131 890 151Q911 171 911 178Q907 194 885 194L630 194Q742 221 742 233Q742 236 733 240L715 247Q664 307 602 356L780 356L806 318Q810 312 818 301Q826 290 831 284Q836 279 840 279Q846 279 870 298Q895 318 917 340Q939 362 939 369Q935 385 912 385L229 385Q158 386 79 399L53 348Q108 354 186 356L569 356Q603 280 626 194L298 194Q362 212 392 242Q422 271 422 301Q422 323 408 338Q394 354 374 354Q353 354 333 337Q332 303 317 264Q302 226 281 198L288 194L230 194Q179 195 124 208L97 157Q152 163 230 165L450 165Q450 87 442 40Q514 57 541 66Q568 76 568 84Q568 87 560 93L544 104L544 165L755 165ZM737 441Q740 438 746 430Q752 422 756 418Q761 415 765 415Q771 415 794 432Q818 448 838 466Q858 484 858 491Q846 504 820 510L820 606Q823 726 827 791Q821 800 792 810Q764 820 742 820L727 820L727 774L541 774L541 859Q541 875 550 880Q560 886 592 886L717 886Q804 886 824 885Q844 882 852 872Q864 855 894 766L904 766L908 874Q930 881 938 890Q947 899 947 912Q947 932 928 942Q910 952 860 956Q811 960 708 960L580 960Q526 960 498 952Q470 945 458 926Q447 908 447 871L447 774L271 774L271 824Q271 829 259 836Q247 844 229 850Q211 855 194 855Q183 855 178 849Q172 843 172 835Q176 786 179 701L179 623Q179 497 166 418L277 466L717 466ZM447 605L447 495L271 495L271 605ZM727 605L727 495L541 495L541 605ZM271 634L271 745L447 745L447 634ZM541 634L541 745L727 745L727 634Z";

/// 馬, a promoted bishop.
pub(super) const HORSE: &str = "M720 376Q724 372 731 362Q738 352 744 346Q748 342 752 342Q758 342 782 358Q806 376 826 395Q846 414 846 422Q842 438 820 438L560 438L560 558L804 558L826 534Q830 530 840 519Q850 508 856 508Q862 508 884 524Q904 540 923 559Q942 578 942 584Q930 598 904 602Q882 870 812 926Q788 942 760 950Q732 958 694 958Q694 938 689 923Q684 908 674 898Q650 878 582 864L582 850Q688 860 714 860Q728 860 736 858Q744 856 750 850Q770 832 787 763Q804 694 812 586L288 586L288 610Q288 614 278 622Q268 630 251 635Q234 640 212 640Q202 640 194 634Q188 628 188 620Q192 570 194 520Q196 470 198 394L198 270Q198 144 184 66L300 112L714 112L740 78Q744 70 750 62Q756 54 762 48Q768 42 772 42Q778 42 803 60Q828 78 849 98Q870 118 870 126Q866 142 844 142L560 142L560 262L696 262L720 228Q724 224 731 214Q738 204 744 200Q748 194 752 194Q758 194 782 212Q806 228 826 248Q846 268 846 274Q842 290 818 290L560 290L560 408L696 408ZM470 262L470 142L288 142L288 262ZM288 408L470 408L470 290L288 290ZM470 438L288 438L288 558L470 558ZM572 630Q652 640 690 672Q728 704 728 740Q728 758 717 772Q706 784 688 784Q674 784 660 776Q652 740 622 701Q594 662 562 636ZM432 648Q498 678 530 716Q560 754 560 790Q560 814 548 829Q536 844 518 844Q500 844 482 828Q482 786 464 738Q446 690 422 654ZM188 652Q206 710 206 758Q206 808 190 843Q172 878 146 896Q128 908 106 908Q92 908 80 900Q68 892 62 878Q58 870 58 862Q58 846 69 831Q80 816 96 808Q128 788 152 746Q176 702 174 654ZM302 654Q346 692 366 731Q386 770 386 806Q386 836 371 857Q356 878 336 878Q314 878 296 854Q304 820 304 778Q304 716 290 658Z";

/// 全, a promoted silver general.
pub(super) const PROMOTED_SILVER: &str = "M50 526L42 514Q122 460 206 378Q290 294 352 206Q416 116 438 44L588 86Q586 94 576 100Q566 104 544 106Q604 194 714 264Q824 332 958 384L956 398Q926 406 905 432Q884 458 878 488Q758 420 666 326Q574 232 528 118Q458 232 324 346Q190 460 50 526ZM706 634Q710 626 716 618Q722 610 728 604Q734 598 738 598Q744 598 769 616Q794 634 814 654Q836 674 836 680Q832 696 810 696L540 696L540 912L768 912L794 874Q798 870 806 858Q814 848 818 842Q824 836 828 836Q834 836 859 856Q884 876 907 897Q930 918 930 926Q928 934 920 938Q914 942 904 942L246 942Q176 942 96 956L70 904Q124 910 202 912L444 912L444 696L360 696Q290 698 210 710L186 660Q240 666 318 668L444 668L444 478L370 478Q306 480 232 492L208 442Q264 448 342 450L640 450L664 418Q670 412 675 404Q680 396 686 390Q692 384 696 384Q702 384 724 401Q748 418 767 436Q786 456 786 462Q786 470 778 474Q772 478 762 478L540 478L540 668L680 668Z";

/// 圭, a promoted knight.
pub(super) const PROMOTED_KNIGHT: &str = "M800 406Q802 400 810 390Q818 380 822 374Q828 370 832 370Q838 370 862 388Q886 406 906 426Q928 446 928 454Q924 470 902 470L252 470Q182 470 102 484L76 432Q132 438 210 440L454 440L454 244L326 244Q254 246 176 258L150 208Q204 214 282 216L454 216Q454 108 444 42Q518 60 546 70Q574 80 574 88Q574 92 566 96L548 108L548 216L720 216L744 180Q748 176 755 165Q762 154 768 150Q772 144 776 144Q782 144 806 162Q828 180 849 201Q870 222 870 228Q866 244 844 244L548 244L548 440L776 440ZM764 628Q766 622 774 612Q782 602 786 596Q792 592 796 592Q802 592 826 610Q850 628 870 648Q892 668 892 676Q888 692 866 692L548 692L548 914L792 914L818 878Q822 872 830 862Q838 850 842 845Q848 840 852 840Q858 840 882 858Q906 878 927 899Q948 920 948 928Q948 936 940 940Q934 944 924 944L228 944Q156 944 78 958L52 906Q106 912 184 914L454 914L454 692L306 692Q234 692 156 706L130 656Q184 662 262 664L454 664Q454 554 444 488Q518 506 546 516Q574 526 574 534Q574 538 566 542L548 554L548 664L738 664Z";

/// 杏, a promoted lance.
pub(super) const PROMOTED_LANCE: &str = "M803 176Q808 169 814 160Q820 152 826 146Q832 139 836 139Q842 139 866 158Q890 176 912 197Q933 218 933 225Q929 241 906 241L566 241Q626 319 732 380Q838 441 953 475L951 486Q924 491 904 513Q885 535 875 570Q765 514 678 431Q591 348 542 241L541 241L541 338Q544 459 548 525Q542 536 516 547Q491 558 466 558Q455 558 449 552Q443 546 443 538Q447 487 450 398L450 318Q381 407 281 476Q181 546 55 593L47 579Q156 520 244 430Q333 341 387 241L234 241Q163 242 84 255L58 204Q113 210 191 212L450 212Q450 98 439 32Q511 49 539 60Q567 70 567 77Q567 82 559 87L541 98L541 212L778 212ZM322 938Q322 943 310 950Q298 957 280 962Q263 968 245 968Q235 968 230 962Q224 956 224 948Q229 903 231 828L231 757Q231 631 218 552L328 599L678 599L698 574Q702 569 710 559Q719 549 725 549Q731 549 754 564Q776 580 795 598Q814 616 814 623Q810 629 800 634Q791 640 778 642L778 741Q781 865 785 932Q779 941 752 952Q724 963 702 963Q683 963 683 943Q683 943 687 915L687 890L322 890ZM322 628L322 861L687 861L687 628Z";

/// と, a promoted pawn.
pub(super) const PROMOTED_PAWN: &str = "M284 749Q284 675 324 622Q364 568 434 521Q396 490 380 456Q363 423 363 371Q363 343 367 319Q371 295 378 261Q383 241 386 220Q390 199 390 181Q390 135 365 105Q359 99 352 93Q345 87 345 85Q345 81 349 80Q353 78 362 78Q373 78 387 80Q401 83 410 87Q489 111 489 179Q489 196 484 212Q479 227 468 250L459 270Q445 303 437 329Q429 355 429 386Q429 420 444 452Q458 483 478 483Q491 483 506 477Q520 471 543 459Q566 447 580 441Q595 435 607 435Q635 435 658 450Q680 465 680 484Q680 507 658 516Q637 526 584 535Q485 551 418 599Q350 647 350 725Q350 775 382 804Q415 834 480 834Q514 834 572 822Q622 812 646 812Q680 812 698 824Q716 836 716 859Q716 894 660 908Q604 922 529 922Q422 922 353 882Q284 842 284 749Z";

/// The cell of a square: file 1 is on the right, rank a at the top.
fn cell(square: Square) -> BoardSquare {
    BoardSquare::new(9 - square.file(), 9 - square.rank())
}

fn men_of(state: &State) -> impl Iterator<Item = (Square, Piece)> + '_ {
    Square::all().filter_map(|square| Some((square, state.piece_at(square)?)))
}

fn shown(state: &State) -> Shown {
    let mut board = [None; 81];
    for (square, man) in men_of(state) {
        // Row by row from the top, each from the left.
        let cell = cell(square);
        board[usize::from(8 - cell.row) * 9 + usize::from(cell.column)] = Some(man);
    }
    Shown {
        board,
        hand: HAND_KINDS.map(|kind| state.in_hand(Color::Black, kind)),
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
            let letter = letter(kind);
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
            board: whole
                .board
                .map(|man| man.filter(|man| man.color() == Color::Black)),
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
        let standing = men_of(state).map(|(square, man)| {
            let words = ["Black piece", "White piece"][usize::from(man.color() == Color::White)];
            Standing::new(cell(square), glyph(man), words)
        });
        standing.collect()
    }
}

/// Where a move begins and leads; both are the same for a drop.
fn aim(mv: Move) -> (BoardSquare, Point) {
    let to = cell(mv.to());
    (mv.from().map_or(to, cell), to.into())
}

impl Drawable for Tsuitate {
    fn diagram(&self, state: &State) -> Diagram {
        picture(&shown(state)).title("Tsuitate-tsume-shogi position")
    }

    fn with_move(&self, diagram: Diagram, _state: &State, mv: Move) -> Diagram {
        marked(diagram, aim(mv), &[])
    }

    fn slides(&self, _state: &State, mv: Move) -> Vec<Slide> {
        slid(aim(mv), &[])
    }
}
