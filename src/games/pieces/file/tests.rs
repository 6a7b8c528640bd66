use super::source::MOST_BYTES;
use super::*;
use crate::games::pieces::rules::{MOST_KINDS, Squares};

fn game(name: &str) -> Rules {
    Rules::parse(shipped(name).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn start(rules: &Rules) -> ([[Squares; MOST_KINDS]; 2], [[u8; MOST_KINDS]; 2]) {
    match rules.setup {
        Setup::Start { men, hands } => (men, hands),
        Setup::Ending => panic!("this is for games with a start"),
    }
}

#[test]
fn every_file_that_ships_is_read() {
    let digests: Vec<String> = names().map(|name| game(name).digest()).collect();
    for (place, digest) in digests.iter().enumerate() {
        assert!(!digests[..place].contains(digest), "{digest}");
    }
    assert_eq!(names().count(), 14);
    assert!(shipped("nothing").is_none());
}

#[test]
fn chess() {
    let rules = game("chess");
    let letters: String = rules.kinds.iter().map(|kind| kind.letter).collect();
    assert_eq!(letters, "KQRBNPP");
    let (pawn, passing) = (&rules.kinds[5], &rules.kinds[6]);
    assert_eq!((pawn.passing, pawn.passing_of), (Some(6), None));
    assert_eq!((passing.passing, passing.passing_of), (None, Some(5)));
    assert_eq!(pawn.squares, 0x00ff_ffff_ffff_ff00);
    assert_eq!(passing.squares, 0x0000_00ff_0000_0000);
    assert_eq!(pawn.promotes_to, [1, 2, 3, 4]);
    assert_eq!(pawn.promotion_squares, 0xff);
    assert_eq!(pawn.name, "pawn");
    assert_eq!(rules.setup, Setup::Ending);
}

#[test]
fn starts_and_goals() {
    let dobutsu = game("dobutsu");
    let (men, hands) = start(&dobutsu);
    assert_eq!(men[0][..5], [1 << 10, 1 << 7, 1 << 11, 1 << 9, 0]);
    assert_eq!(men[1][..5], [1 << 1, 1 << 4, 1, 1 << 2, 0]);
    assert_eq!(hands, [[0; MOST_KINDS]; 2]);
    assert_eq!((dobutsu.kinds[4].in_hand, dobutsu.kinds[1].in_hand), (1, 1));
    assert_eq!(dobutsu.kinds[1].promotion_squares, 0b111);

    let tictactoe = game("tictactoe");
    assert_eq!(start(&tictactoe).1.map(|hand| hand[0]), [5, 4]);
    let lines = [0o007, 0o070, 0o111, 0o124, 0o222, 0o421, 0o444, 0o700];
    assert_eq!(tictactoe.goals, lines);
    let goals = |name| game(name).goals.len();
    assert_eq!(goals("teeko"), 28 + 16);
    assert_eq!(goals("advanced-teeko"), 28 + 30);
    assert_eq!((goals("mondrago"), goals("neutreeko")), (50, 48));
    assert_eq!(game("hexapawn").kinds[0].squares, 0o770);
}

#[test]
fn digests_tell_rules_apart() {
    let text = shipped("minichess").unwrap();
    let digest = |text: &str| Rules::parse(text).unwrap().digest();
    let same = text
        .replace("Minichess on 4x4", "Another")
        .replace("mfWcfF", "cfFmfW");
    assert_eq!(digest(&same), digest(text));
    for (from, to) in [
        ("\"draw\"", "\"win\""),
        ("mfWcfF", "mfWcF"),
        ("---P", "--P-"),
        ("\"QRN\"", "\"RQN\""),
        ("check = true\n", ""),
        ("check", "opponent = \"rotated\"\ncheck"),
    ] {
        assert_ne!(digest(&text.replace(from, to)), digest(text), "{to}");
    }
}

fn with(name: &str, from: &str, to: &str) -> String {
    let text = shipped(name).unwrap();
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1)
}

/// A file that ships, a text of it, what takes its place, and the line, the key and a part of the
/// message.
const FAULTS: &str = r#"
neutreeko | ".b.b." | ".bbb." | 7 | start | lined up
hexapawn | start | endings = true\nstart | 6 | endings | either start or endings
hexapawn | columns = 3 | columns = 17 | 3 | columns | 1 to 16
chess | rows = 8 | rows = 9 | 4 | rows | at most 64
hexapawn | "---" | "--" | 6 | start | 3 texts of 3 squares
hexapawn | "---" | "-x-" | 6 | start | 'x' on b2
hexapawn | "ppp" | "Ppp" | 6 | start | cannot stand on a3
hexapawn | no_move | check = true\nno_move | 5 | check | no piece is royal
minichess | "kr--" | "kk--" | 7 | start | 2 royal men
minichess | no_move | no_pieces_loses = true\nno_move | 6 | no_pieces_loses | bare_loses
chess | endings = true | endings = true\nhands = ["Q", ""] | 8 | hands | leave this out
chess | moves = "N" | moves = "nN" | 28 | moves | at character 1
chess | moves = "N" | moves = "N"\ninitial_rank = 1 | 29 | initial_rank | 'i'
chess | letter = "N" | letter = "B" | 27 | letter | another
chess | ranks = [2, 7] | ranks = [2, 3] | 32 | moves | rank 4
chess | ranks = [2, 7] | ranks = [7, 2] | 33 | ranks | [1, 8]
chess | imfnD |  | 32 | moves | double step
chess | "QRBN" | "QK" | 34 | promotes_to | royal
chess | "QRBN" | "QX" | 34 | promotes_to | 'X'
chess | promotes_to = "QRBN" | promotion_ranks = 2 | 34 | promotion_ranks | add promotes_to
dobutsu | captured = "hand"\n |  | 42 | in_hand | captured
dobutsu | "gle" | "gce" | 10 | start | 0 royal men
dobutsu | in_hand | drop_ranks = [1, 3]\nin_hand | 43 | drop_ranks | never in hand
dobutsu | name = "hen" | name = "chick" | 41 | name | chick already
neutreeko | line = 3 | line = 4 | 22 | line | at most 3
neutreeko | line = 3\n |  | 21 | goal | either line and directions
teeko | hands | not_first = ["f6"]\nhands | 15 | not_first | a1
neutreeko | no_move | drop_first = true\nno_move | 6 | drop_first | ever in hand
neutreeko | no_move | captured = "hand"\nno_move | 6 | captured | no piece takes
tapatan | "mK" | "mW" | 6 | alquerque | no piece has
tictactoe | MMMMM | MMMMMM | 13 | hands | more men
shatranj | royal = true\n |  | 5 | check | royal
chess | moves = "K" | moves = "KcefFimfnD" | 11 | moves | royal
shatranj | "mfWcfF" | "mfWcfFR" | 35 | moves | at character 7
dobutsu | "fW" | "fW"\nwins_on_far_rank = true | 28 | promotes_to | wins
minichess | no_move | notation = "clausecker"\nno_move | 6 | notation | leave it out
minichess | no_move | try = "held"\nno_move | 6 | try | "any"
"#;

#[test]
fn faults_name_line_key_and_remedy() {
    for row in FAULTS.trim().lines() {
        let row: Vec<&str> = row.split(" | ").collect();
        let [name, from, to, line, key, words] = row[..] else {
            panic!("{row:?}");
        };
        let [from, to] = [from, to].map(|text| text.replace("\\n", "\n"));
        match Rules::parse(&with(name, &from, &to)) {
            Err(RulesError::Field {
                line: at,
                field,
                message,
            }) => {
                assert_eq!(
                    (at, field.as_str()),
                    (line.parse().unwrap(), key),
                    "{message}"
                );
                assert!(message.contains(words), "{message}");
            }
            other => panic!("{row:?}: {other:?}"),
        }
    }
}

#[test]
fn other_faults() {
    let long = "#".repeat(MOST_BYTES + 1);
    assert_eq!(Rules::parse(&long), Err(RulesError::Long(MOST_BYTES + 1)));
    let missing = |text: &str| Rules::parse(text).unwrap_err().to_string();
    assert_eq!(
        missing("columns = 3"),
        "missing title, rows, no_move, start (or endings = true), [[piece]]"
    );
    for (from, to, words) in [
        (
            "columns = 3",
            "columns = \"3\"",
            ["line 3", "a whole number"],
        ),
        ("columns", "colums", ["line 3", "colums"]),
        ("\"loss\"", "\"lose\"", ["line 5", "loss"]),
        ("start", "not_first = 3\nstart", ["line 6", "a list"]),
    ] {
        let error = missing(&with("hexapawn", from, to));
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}
