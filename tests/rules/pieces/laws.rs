//! Laws of every game that ships, the slow solver, and specs.

use std::collections::HashSet;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, Ranked, Retrograde, Symmetric, laws};
use tesuji::games::pieces::Pieces;
use tesuji::table::verify;

use crate::common::{naive, records, table};

/// A game for each kind of rule.
const GAMES: [&str; 18] = [
    "advanced-teeko",
    "breakthrough",
    "chess-4x4:KP-KP",
    "chess:KP-KP",
    "chess:KQ-KR",
    "chess:KRP-KN",
    "chess:KRP-KR,castling",
    "dobutsu",
    "hexapawn",
    "minichess",
    "dao",
    "mondrago",
    "neutreeko",
    "shatranj:KF-KP",
    "tapatan",
    "teeko",
    "three-mens-morris",
    "tictactoe",
];

/// Drops, and promotions to two kinds that a man need not make, where a royal man can be taken.
const DROPS: &str = r#"
title = "Drops"
columns = 3
rows = 3
no_move = "loss"
captured = "hand"
start = ["kp-", "---", "-PK"]
piece = [
  { letter = "K", moves = "K", royal = true },
  { letter = "P", moves = "fWfF", promotes_to = "RB", promotion_optional = true },
  { letter = "R", moves = "W", in_hand = "P" },
  { letter = "B", moves = "F", in_hand = "P" },
]
"#;

/// The same with a palace for kings, and files that take one pawn.
fn bans() -> String {
    DROPS
        .replace("optional = true", "optional = true, one_per_file = true")
        .replace("royal", "squares = ['a1', 'b1', 'c1', 'b2'], royal")
}

/// The same with kings that are mated, but not by a pawn that is dropped.
fn no_drop_mates() -> String {
    DROPS
        .replace("no_move = \"loss\"", "no_move = \"draw\"\ncheck = true")
        .replace("optional = true", "optional = true, no_drop_mate = true")
}

/// Games of few squares, each with rules that meet in no game that ships: columns and rows, the
/// start, pieces, and other keys.
const MIXED: [[&str; 4]; 21] = [
    // Captures in passing without a royal man.
    [
        "2, 5",
        "p-,--,--,--,-P",
        "P mfWcefFimfnD, wins_on_far_rank = true",
        "",
    ],
    [
        "3, 5",
        "pp-,---,---,---,-PP",
        "P mfWcefFimfnD, wins_on_far_rank = true",
        "",
    ],
    // Long steps from the initial rank.
    [
        "2, 5",
        "p-,--,--,--,-P",
        "P cfFimfR3, initial_rank = 1",
        "no_pieces_loses = true",
    ],
    // As far as it can, but two steps at most.
    [
        "4, 3",
        "p---,----,---P",
        "P cFmuR2",
        "no_pieces_loses = true",
    ],
    // Drops on one rank.
    [
        "1, 6",
        "-,-,-,-,-,-",
        "P cW, drop_ranks = [6, 6]",
        "no_pieces_loses = true\nhands = ['PP', 'PP']\nno_move = 'win'",
    ],
    // The lines of a board that looks different to either side.
    [
        "2, 4",
        "g-,--,--,-G",
        "G WF",
        "no_pieces_loses = true\nopponent = 'rotated'\nalquerque = true",
    ],
    [
        "2, 3",
        "-p,pP,--",
        "P NNnDbF, wins_on_far_rank = true",
        "alquerque = true",
    ],
    // Kings that attack to the left, and so not each other.
    [
        "3, 4",
        "k--,---,---,G-K",
        "K lWfFfWbW, royal = true;G R2",
        "check = true",
    ],
    // A man that cannot stand where the king is.
    [
        "2, 5",
        "--,-k,SK,--,--",
        "K N, royal = true;S bF, ranks = [2, 5]",
        "try = 'safe'",
    ],
    // A side that is stuck loses, though the move before it was not legal: a king could be taken.
    [
        "2, 4",
        "gk,-g,GG,-K",
        "K N, royal = true;G B, ranks = [1, 2]",
        "captured = 'hand'\ntry = 'any'",
    ],
    // A side that is stuck wins, and kings can be taken.
    [
        "3, 2",
        "ggk,GK-",
        "K W, royal = true;G cFmfR2",
        "captured = 'hand'\nopponent = 'rotated'\nno_move = 'win'",
    ],
    // Men that are dropped first, more on one side.
    [
        "2, 2",
        "-g,--",
        "G lFmuR",
        "no_pieces_loses = true\nhands = ['GG', '']\ndrop_first = true\nno_move = 'win'",
    ],
    [
        "3, 3",
        "---,---,-M-",
        "M mK",
        "hands = ['M', 'MMM']\nno_move = 'win'\ngoal = [ { line = 3, directions = ['orthogonal'] } ]",
    ],
    // Pawns that capture in passing only.
    [
        "3, 5",
        "pp-,---,---,---,-PP",
        "P mfWfeFimfnD, wins_on_far_rank = true",
        "",
    ],
    // Knights become men that tell left from right, by the lines of the board.
    [
        "2, 3",
        "ss,-q,-Q",
        "Q N, promotes_to = 'S';S K",
        "alquerque = true",
    ],
    // The first man is not dropped on a corner, which is another one for the other side.
    [
        "2, 2",
        "--,--",
        "N U",
        "hands = ['N', 'NN']\nnot_first = ['b1']",
    ],
    // The board tells the men in hand.
    [
        "3, 6",
        "---,---,---,---,-N-,---",
        "N muH2",
        "hands = ['', 'N']\nno_move = 'win'\nsides = 'sente-gote'",
    ],
    // Three men that have room for two.
    [
        "2, 4",
        "-p,P-,P-,P-",
        "P fW, promotes_to = 'Q';Q W, squares = ['a4', 'b4']",
        "",
    ],
    // Kings that castle with men that are not alone.
    [
        "4, 3",
        "-k-r,----,GK-R",
        "K W, royal = true\ncastles_with = 'R'\ncastling = ['b1d1 d1c1'];R W2;G mfN, promotes_to = 'R'",
        "check = true\nno_move = 'pass'\nmay_pass = true",
    ],
    // Half a turn exchanges left and right, and kings castle to the squares of the other men.
    [
        "5, 3",
        "--k-r,-----,R-K-R",
        "K FsW, royal = true\ncastles_with = 'R'\ncastling = ['c1e1 e1d1', 'c1a1 a1b1'];R fF",
        "check = true\nopponent = 'rotated'",
    ],
    // Captured men come back, but not as men that have not moved.
    [
        "4, 2",
        "k--r,K--R",
        "K FsW, royal = true\ncastles_with = 'R'\ncastling = ['a1c1 d1b1'];R bfFW",
        "check = true\ncaptured = 'hand'",
    ],
];

fn mixed([size, start, pieces, keys]: [&str; 4]) -> Pieces {
    let (columns, rows) = size.split_once(", ").unwrap();
    let rows_of_text = start.replace(',', "', '");
    let pieces = pieces.split(';').map(|piece| {
        let (letter, rest) = piece.split_once(' ').unwrap();
        let (moves, keys) = rest.split_once(',').unwrap_or((rest, ""));
        let name = letter.to_lowercase().replace('k', "king");
        format!("[[piece]]\nletter = '{letter}'\nname = '{name}'\nmoves = '{moves}'\n{keys}\n")
    });
    let pieces: String = pieces.collect();
    let no_move = if keys.contains("no_move") {
        ""
    } else {
        "no_move = 'loss'"
    };
    let text = format!(
        "title = 'Mixed'\ncolumns = {columns}\nrows = {rows}\n{no_move}\n{keys}\nstart = ['{rows_of_text}']\n{pieces}"
    );
    Pieces::from_file("mixed.toml", &text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Small games that are solved: those that ship, some of drops with each kind of end, and mixed
/// ones.
fn small() -> Vec<Pieces> {
    let shipped = [
        "hexapawn",
        "tictactoe",
        "three-mens-morris",
        "tapatan",
        "chess:KR-K,castling",
        "shatranj:KF-K",
    ];
    let shipped = shipped.map(|spec| Pieces::shipped(spec).unwrap());
    let files = [
        DROPS.to_owned(),
        DROPS.replace("no_move = \"loss\"", "no_move = \"draw\"\ncheck = true"),
        DROPS
            .replace("no_move = \"loss\"", "no_move = \"win\"\ntry = \"safe\"")
            .replace("promotion_optional = true", "promotion_optional = false"),
        bans(),
        no_drop_mates(),
        no_drop_mates().replace("no_move = \"draw\"", "no_move = \"win\""),
    ];
    let files = files.map(|text| Pieces::from_file("drops.toml", &text).unwrap());
    let mixed = MIXED.map(mixed);
    shipped.into_iter().chain(files).chain(mixed).collect()
}

fn check(game: &Pieces, slot: u64) -> bool {
    laws::ranking(game, slot).unwrap();
    laws::quick_moves(game, slot).unwrap();
    laws::layer_features(game, slot).unwrap();
    let Some(state) = game.unrank(slot) else {
        return false;
    };
    laws::notation(game, &state).unwrap();
    let mut numbers = Vec::new();
    let cursor = game.cursor(slot).unwrap();
    game.moves_by_slot(cursor, u32::MAX, |listed| numbers.push(listed.number));
    let distinct: HashSet<_> = numbers.iter().collect();
    assert_eq!(distinct.len(), game.moves(&state).len(), "{numbers:?}");
    for (before, mv) in game.predecessors(&state) {
        laws::notation(game, &before).unwrap();
        assert_eq!(game.play(&before, mv), Next::State(state));
    }
    true
}

#[test]
fn laws_hold_on_a_sample_of_every_game_that_ships() {
    for spec in GAMES {
        let game = Pieces::shipped(spec).unwrap();
        let step = (game.slots() / 500).max(1);
        let mut sampled = (0..game.slots()).step_by(usize::try_from(step).unwrap());
        let mut checked = sampled.by_ref().filter(|&slot| check(&game, slot)).count();
        for layer in game.layers() {
            checked += usize::from(check(&game, layer.slots.start));
        }
        assert!(checked > 50, "{spec}");
        laws::notation(&game, &game.initial()).unwrap();
    }
    let mut names: Vec<_> = GAMES
        .iter()
        .filter_map(|spec| spec.split(':').next())
        .collect();
    names.dedup();
    assert!(
        Pieces::names().all(|name| names.contains(&name)),
        "{names:?}"
    );
}

#[test]
fn moves_and_unmoves_are_the_same_arrows() {
    for game in small() {
        laws::arrows(&game).unwrap();
        for slot in 0..game.slots().min(5_000) {
            check(&game, slot);
        }
    }
}

#[test]
fn palaces_and_files_that_have_a_man_are_not_entered() {
    let game = Pieces::from_file("bans.toml", &bans()).unwrap();
    for (text, expected) in [
        (
            "k2/3/P1K[P] w",
            "P@b1 P@b2 P@b3 P@c2 P@c3 a1a2 a1b2 c1b1 c1b2",
        ),
        (
            "p1k/3/K2[p] b",
            "P@b1 P@b2 P@b3 P@c1 P@c2 a3a2 a3b2 c3b2 c3b3",
        ),
    ] {
        let state = game.parse_state(text).unwrap();
        let moves = game.moves(&state).into_iter();
        let mut moves: Vec<_> = moves.map(|mv| game.format_move(mv)).collect();
        moves.sort_unstable();
        assert_eq!(moves.join(" "), expected, "{text}");
    }
}

#[test]
fn a_pawn_is_dropped_where_it_gives_check_but_not_where_it_mates() {
    let drops = |rules: &str, text: &str| {
        let game = Pieces::from_file("mates.toml", rules).unwrap();
        let state = game.parse_state(text).unwrap();
        let moves = game.moves(&state).into_iter();
        let mut drops: Vec<_> = moves.map(|mv| game.format_move(mv)).collect();
        drops.retain(|mv| mv.starts_with('P'));
        drops.sort_unstable();
        drops.join(" ")
    };
    let banned = no_drop_mates();
    let free = banned.replace(", no_drop_mate = true", "");
    // On a2 and b2 it attacks a3, and the king on b1 guards it.
    let mate = "k2/3/1K1[PP] w";
    assert_eq!(drops(&free, mate), "P@a1 P@a2 P@b2 P@b3 P@c1 P@c2 P@c3");
    assert_eq!(drops(&banned, mate), "P@a1 P@b3 P@c1 P@c2 P@c3");
    let mate = "1k1/3/K2[pp] b";
    assert_eq!(drops(&banned, mate), "P@a3 P@b1 P@c1 P@c2 P@c3");
    // The king captures a man that nobody guards, or goes to a2.
    let check = "k2/3/2K[PP] w";
    assert_eq!(drops(&banned, check), drops(&free, check));
    let error = Pieces::from_file("x.toml", &banned.replace("check = true", "")).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("no_drop_mate: without check = true"),
        "{error}"
    );
}

/// Values that follow from the words of the page by hand.
#[test]
fn mixed_rules_mean_what_the_page_says() {
    let value = |game: &Pieces, text: &str| {
        let state = game.parse_state(text).unwrap();
        let slot = game.rank(&state);
        let value = table(game).record(slot).unwrap().best();
        (value.outcome(), value.plies())
    };
    let moves = |game: &Pieces, text: &str| {
        let state = game.parse_state(text).unwrap();
        let moves = game.moves(&state).into_iter();
        let mut moves: Vec<_> = moves.map(|mv| game.format_move(mv)).collect();
        moves.sort_unstable();
        moves.join(" ")
    };
    // Pawns that only go forward never draw. White's meets the other with Black to move.
    let pawns = mixed(MIXED[0]);
    assert_eq!(value(&pawns, "2/p1/2/1P/2 w"), (Outcome::Loss, Some(2)));
    // The man captures, and the first drop leaves the other side without a move, which wins.
    let drops = mixed(MIXED[4]);
    assert_eq!(value(&drops, "p/P/1/1/1/1[p] w"), (Outcome::Win, Some(2)));
    // Knights' jumps are no lines of the board.
    let jumps = mixed(MIXED[6]);
    assert_eq!(moves(&jumps, "p1/1P/1P w"), "b1a3 b2a1");
    // The sword cannot stand on its first rank, so it does not attack there.
    let [size, start, pieces, _] = MIXED[8];
    let swords = mixed([size, start, pieces, ""]);
    assert_eq!(moves(&swords, "2/2/1K/S1/1k w"), "b3a1 b3a5");
    // White drops a second time, and it is White's turn after Black's move.
    let drops = mixed(MIXED[11]);
    drops.parse_state("G1/1g[G] w").unwrap();
    // So says the second solver of tests/referee/rules.
    let knights = mixed(MIXED[14]);
    assert_eq!(value(&knights, "Q1/2/q1 w"), (Outcome::Loss, Some(8)));
    // Whatever White does, Black captures its last man.
    let corner = mixed(MIXED[15]);
    assert_eq!(value(&corner, "nn/N1[] w"), (Outcome::Loss, Some(2)));
}

#[test]
fn small_games_have_the_slow_solvers_values() {
    for game in small() {
        let spec = game.spec();
        let table = table(&game);
        let states = (0..game.slots()).filter_map(|slot| game.unrank(slot));
        let slow = naive::solve(&game, states, |state| game.canonical(state));
        for slot in 0..game.slots() {
            let record = table.record(slot).unwrap();
            match game.unrank(slot) {
                Some(state) => {
                    let known = slow.value(&game.canonical(&state));
                    let written = game.format_state(&state);
                    assert_eq!(known, Some(record.best()), "{spec} {written}");
                }
                None => assert!(record.is_vacant(), "{spec} {slot}"),
            }
        }
        let verified = verify(&table, &game, &NoProgress).unwrap();
        assert_eq!(verified.flawed, 0, "{spec}: {:?}", verified.flaws);
    }
}

#[test]
fn published_results() {
    // M. Gardner's hexapawn is won by the second player (The Unexpected Hanging, chapter 8). The
    // page of line-up games has the source for Neutreeko.
    for (spec, outcome) in [
        ("hexapawn", Outcome::Loss),
        ("tictactoe", Outcome::Draw),
        ("neutreeko", Outcome::Draw),
    ] {
        let game = Pieces::shipped(spec).unwrap();
        let slot = usize::try_from(game.rank(&game.initial())).unwrap();
        assert_eq!(records(&game)[slot].best().outcome(), outcome, "{spec}");
    }
}

#[test]
fn specs_are_read_and_refused() {
    for (spec, canonical) in [
        ("hexapawn", "hexapawn"),
        ("chess:KQ-KR", "chess:KQ-KR"),
        ("chess:KR-KQ,KQ-KR", "chess:KQ-KR"),
        ("chess:KPQ-K", "chess:KQP-K"),
        ("chess:KRPvKR", "chess:KRP-KR"),
        ("chess:KRPKR,KK", "chess:KRP-KR,K-K"),
        ("chess:men=3", "chess:men=3"),
        ("chess:3", "chess:men=3"),
        ("chess:03", "chess:men=3"),
        ("chess:K-KR,KQ-K,castling", "chess:KR-K,KQ-K,castling"),
        ("chess:3,castling", "chess:men=3,castling"),
        ("minichess:pieces=pawn+king", "minichess:pieces=king+pawn"),
        ("minichess:pieces=pawn+rook+king", "minichess"),
    ] {
        assert_eq!(Pieces::shipped(spec).unwrap().spec(), canonical);
    }
    // Rooks are there by promotion only.
    let pawns = Pieces::shipped("minichess:pieces=king+pawn").unwrap();
    assert_eq!(pawns.format_state(&pawns.initial()), "k3/p3/3P/3K w");
    for (spec, word) in [
        ("chess", "KQ-KR"),
        ("chess:", "expected -"),
        ("chess:KQ", "expected -"),
        ("chess:KKQK", "the second side has 2 kings; leave it one"),
        ("chess:KvKvK", "found 'v'"),
        ("chess:KX-K", "found 'X'"),
        ("chess:Q-KR", "the first side has 0 kings; give it one"),
        ("chess:KK-K", "the first side has 2 kings; leave it one"),
        ("chess:men=1", "from 2 to 8"),
        ("chess:1", "from 2 to 8"),
        ("chess:4men", "from 2 to 8"),
        ("chess:castling", "found 'c'"),
        ("chess:KR-K,castling,KQ-K", "found 'c'"),
        (
            "chess:KP-K,castling",
            "none of these men castle; leave this out (character 12)",
        ),
        ("shatranj:KR-K,castling", "none of these men castle"),
        ("chess:men=99", "from 2 to 8"),
        ("hexapawn:KQ-K", "unknown setting"),
        ("hexapawn:drops=no", "leave it out"),
        ("minichess:try=held", "leave it out"),
        ("minichess:pieces=rook+pawn", "begin with king"),
        ("chess:KQQQQQQQQQQQQQQQQ-K", "at most 15"),
        ("chess:men=8", "leave out men"),
        ("chess:KQQQQQQQQQQQQQQ-KQQQQQQQQQQQQQQ", "million million"),
        ("checkers", "no game"),
    ] {
        let error = Pieces::shipped(spec).unwrap_err().to_string();
        assert!(error.contains(word), "{spec}: {error}");
    }
}
