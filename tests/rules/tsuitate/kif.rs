//! KIF in and out: positions written by hand as Japanese programs write them, and best lines
//! that another implementation of shogi can play.

use proptest::prelude::*;
use shogi_core::{
    Color, LegalityChecker, Move as Played, PartialPosition, Piece, PieceKind, Square,
};
use shogi_legality_lite::LiteLegalityChecker;
use shogi_usi_parser::FromUsi;
use tesuji::base::progress::NoProgress;
use tesuji::game::{Game, Generator};
use tesuji::games::tsuitate::Tsuitate;
use tesuji::session::{SolutionOptions, Solutions};

/// The sample problem of the paper, as a Japanese program writes it: with dates and names, and
/// a record after the board.
const SAMPLE: &str = "# ---- Kifu for Windows V7 ----
開始日時：2024/01/01
作品名：見本
手合割：その他　
後手の持駒：角二　金四　銀　桂四　香三　歩十七　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・v銀 ・ ・ ・ ・ ・ ・ 銀|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ 飛 銀v玉|四
| ・ ・ ・ ・ ・ ・ ・ ・v龍|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ 歩|七
| ・ ・ ・ ・ ・ ・ 香 ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：なし
先手：攻方
後手：玉方
手数----指手---------消費時間--
   1 １五銀(24)   ( 0:00/00:00:00)
この行は読まれない
";

fn game() -> Tsuitate {
    Tsuitate::default()
}

fn sfen(kif: &str) -> String {
    let game = game();
    game.format_state(&game.parse_state(kif).unwrap())
}

#[test]
fn positions_are_read_from_kif() {
    let expected = "1s6S/9/9/6RSk/8+r/9/8P/6L2/9 b - 1";
    let sample = SAMPLE;
    assert_eq!(sfen(sample), expected);
    // White's hand may be left out, or named as the rest; line ends and a mark at the
    // beginning of the file are those of Windows; the sides may be the lower and the upper one.
    let rest = sample.replace("角二　金四　銀　桂四　香三　歩十七　", "残り全部");
    assert_eq!(sfen(&rest), expected);
    let windows = format!("\u{feff}{}", sample.replace('\n', "\r\n"));
    assert_eq!(sfen(&windows), expected);
    let sides = sample
        .replace("先手の", "下手の")
        .replace("後手の", "上手の");
    assert_eq!(sfen(&sides), expected);
    let hand = sample
        .replace("先手の持駒：なし", "先手の持駒：金二 桂")
        .replace("金四", "金二")
        .replace("桂四", "桂三");
    assert_eq!(sfen(&hand), "1s6S/9/9/6RSk/8+r/9/8P/6L2/9 b 2GN 1");
}

#[test]
fn what_is_wrong_with_kif_is_told_with_the_line() {
    for (from, to, line, words) in [
        (
            "銀　桂四",
            "銀二　桂四",
            "board from line 8",
            "White's hand must be the rest",
        ),
        ("歩十七", "歩十九", "board from line 8", "White's hand"),
        ("歩十七", "歩十八　歩十八", "line 5", "that many 歩"),
        (
            "角二　金四",
            "角二　象四",
            "line 5",
            "'象' is no piece in hand",
        ),
        (
            "角二　金四",
            "馬二　金四",
            "line 5",
            "'馬' is no piece in hand",
        ),
        (
            "飛 銀v玉|四",
            "飛 銀v玉 ・|四",
            "line 11",
            "has 10 squares, not 9",
        ),
        ("飛 銀v玉|四", "飛v玉|四", "line 11", "has 8 squares"),
        ("飛 銀v玉|四", "飛 銀v玉|五", "line 11", "should be rank 四"),
        ("飛 銀v玉|四", "飛 銀vk|四", "line 11", "'k' is no piece"),
        ("飛 銀v玉|四", "飛 銀v玉", "line 11", "no '|' at its end"),
        ("銀v玉|四", "銀v金|四", "board from line 8", "one king"),
        (
            "先手：攻方",
            "後手番",
            "line 19",
            "Black (先手) is the attacker",
        ),
        ("先手：攻方", "なにか", "line 19", "a line of the header"),
        ("先手：攻方", "先手の持駒：なし", "line 19", "given before"),
        (
            "| ・ ・ ・ ・ ・ ・ 香 ・ ・|八\n",
            "",
            "line 15",
            "should be rank 八",
        ),
        (
            "+---------------------------+\n先手の",
            "|\n",
            "line 17",
            "more than nine ranks",
        ),
    ] {
        let text = SAMPLE.replacen(from, to, 1);
        let error = game().parse_state(&text).unwrap_err();
        let message = error.message;
        assert!(
            message.contains(line) && message.contains(words),
            "{to}: {message}"
        );
    }
    let board = SAMPLE.split_once("+--").unwrap().0;
    let error = game().parse_state(board).unwrap_err();
    assert!(error.message.contains("0 of the nine ranks"), "{error}");
}

/// The kind of a piece in a move or on a board, as KIF names it.
fn kind(name: &str) -> PieceKind {
    let names = [
        ("玉", PieceKind::King),
        ("飛", PieceKind::Rook),
        ("角", PieceKind::Bishop),
        ("金", PieceKind::Gold),
        ("銀", PieceKind::Silver),
        ("桂", PieceKind::Knight),
        ("香", PieceKind::Lance),
        ("歩", PieceKind::Pawn),
        ("龍", PieceKind::ProRook),
        ("馬", PieceKind::ProBishop),
        ("成銀", PieceKind::ProSilver),
        ("成桂", PieceKind::ProKnight),
        ("成香", PieceKind::ProLance),
        ("と", PieceKind::ProPawn),
    ];
    names
        .iter()
        .find(|(known, _)| *known == name)
        .unwrap_or_else(|| panic!("{name}"))
        .1
}

/// Plays a move as it stands in a KIF file, after a check that it is legal.
fn play(position: &mut PartialPosition, text: &str, last: Option<Square>) -> Square {
    let signs: Vec<char> = text.chars().collect();
    let to = if signs[0] == '同' {
        last.unwrap()
    } else {
        let file = "１２３４５６７８９"
            .chars()
            .position(|sign| sign == signs[0])
            .unwrap();
        let rank = "一二三四五六七八九"
            .chars()
            .position(|sign| sign == signs[1])
            .unwrap();
        Square::new(
            u8::try_from(file).unwrap() + 1,
            u8::try_from(rank).unwrap() + 1,
        )
        .unwrap()
    };
    let rest: String = signs[2..].iter().collect();
    let mv = if let Some(name) = rest.strip_suffix('打') {
        let piece = Piece::new(kind(name), position.side_to_move());
        Played::Drop { piece, to }
    } else {
        let (name, from) = rest.strip_suffix(')').unwrap().split_once('(').unwrap();
        let from: u8 = from.parse().unwrap();
        let from = Square::new(from / 10, from % 10).unwrap();
        let promote = name.ends_with('成');
        let name = name.strip_suffix('成').unwrap_or(name);
        assert_eq!(
            position.piece_at(from).unwrap().piece_kind(),
            kind(name),
            "{text}"
        );
        Played::Normal { from, to, promote }
    };
    assert!(
        LiteLegalityChecker.is_legal_partial_lite(position, mv),
        "{text}"
    );
    position.make_move(mv).unwrap();
    to
}

/// The best line of a problem as KIF: how many of its moves were played, and its fouls.
fn replayed(position: &str) -> (usize, Vec<String>) {
    let session = tesuji::open("tsuitate").unwrap();
    let solutions: &dyn Solutions = session.solutions().unwrap();
    let options = SolutionOptions::default();
    let kif = solutions.record(position, &options, &NoProgress).unwrap();
    // The file is read back as the position that it begins with.
    assert_eq!(sfen(&kif), position);
    let game = game();
    let white: Vec<_> = game
        .parse_state(position)
        .unwrap()
        .hand(Color::White)
        .map(|(kind, count)| {
            let usi = shogi_core::ToUsi::to_usi_owned(&Piece::new(kind, Color::White));
            format!("{count}{usi}")
        })
        .collect();
    let white = white.concat();
    let fields: Vec<&str> = position.split(' ').collect();
    let black = fields[2].trim_matches('-');
    let whole = format!("sfen {} b {black}{white} 1", fields[0]);
    let mut state = PartialPosition::from_usi(&whole).unwrap();
    let (mut made, mut fouls, mut last) = (0, Vec::new(), None);
    let (_, moves) = kif.split_once("消費時間--\n").unwrap();
    for line in moves.lines() {
        if let Some(comment) = line.strip_prefix('*') {
            if let Some(foul) = comment.strip_prefix("反則 (foul): ") {
                fouls.push(foul.to_owned());
            }
            continue;
        }
        let (number, words) = line.trim().split_once(' ').unwrap();
        assert_eq!(number.parse::<usize>().unwrap(), made + 1);
        if words == "詰み" {
            assert!(shogi_legality_lite::is_in_check_partial_lite(&state));
            assert_eq!(
                LiteLegalityChecker.all_legal_moves_partial(&state).len(),
                0,
                "{kif}"
            );
            return (made, fouls);
        }
        last = Some(play(&mut state, words, last));
        made += 1;
    }
    panic!("no mate in {kif}");
}

#[test]
fn best_lines_are_legal_games_that_mate() {
    // The paper: mate in 9, and no foul on the best line.
    let (moves, fouls) = replayed("8S/9/9/6RSk/8r/9/8P/6L2/9 b - 1");
    assert_eq!((moves, fouls.len()), (9, 0));
    // B*3c, any reply, S*2b is a foul, S*1b mates.
    let (moves, fouls) = replayed("5S2k/9/8P/9/9/9/9/9/9 b BS 1");
    assert_eq!((moves, fouls), (3, vec!["２二銀打".to_owned()]));
}

proptest! {
    #[test]
    fn no_text_like_kif_makes_the_reader_panic(
        ranks in prop::collection::vec("[ v・玉飛角金銀桂香歩龍馬全圭杏とx|]{0,24}", 0..11),
        hand in "[飛角金銀桂香歩一二十八 　なし残]{0,12}",
        end in "\\PC{0,20}",
    ) {
        let board: Vec<_> = ranks.iter().map(|rank| format!("|{rank}|\n")).collect();
        let board = board.concat();
        let text = format!("後手の持駒：{hand}\n{board}{end}\n先手の持駒：{hand}");
        let _ = game().parse_state(&text);
    }

    #[test]
    fn positions_survive_kif(number in any::<u64>()) {
        let game = game();
        if let Some(state) = game.generate(number) {
            let kif = tesuji::game::HiddenBoard::record(&game, &state, &[], "").unwrap();
            prop_assert_eq!(game.parse_state(&kif).unwrap(), state);
        }
    }
}
