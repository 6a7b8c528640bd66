//! `formula` through the program.

use std::fs;
use std::path::Path;

use tesuji::game::Language;

use super::emitted::has;
use crate::common::program::{ok, refusal, refused, tesuji};
use crate::common::{files, golden, sealed};

#[test]
fn programs_are_written_with_their_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let languages = if has(Language::Python) {
        "rust,python"
    } else {
        "rust"
    };
    let told = ok(
        &["formula", "sliding:2x2", "-o", "f", "--verify", languages],
        here,
    );
    for family in ["bits", "magic", "diagram", "hash", "residues"] {
        assert!(told.contains(&format!("\n{family:9}")), "{told}");
        for extension in ["rs", "c", "py"] {
            let text = fs::read_to_string(here.join(format!("f/sliding-2x2/{family}.{extension}")))
                .unwrap();
            assert!(text.contains("verified on 11 of 11 states"), "{text}");
            assert!(
                text.contains(&format!("tesuji formula sliding:2x2 --family {family}")),
                "{text}"
            );
            assert!(text.contains("bits of constants"), "{text}");
        }
    }
    golden(
        "cli/formula-bits.py",
        &fs::read_to_string(here.join("f/sliding-2x2/bits.py"))
            .unwrap()
            .replace("(rust)", "(rust, python)")
            .replace(" --verify rust\n", "\n"),
    );
    // The same again changes nothing; another program is not overwritten unasked.
    ok(
        &[
            "formula",
            "sliding:2x2",
            "--family",
            "bits",
            "-o",
            "f",
            "--verify",
            languages,
        ],
        here,
    );
    let other = [
        "formula",
        "sliding:2x2",
        "--family",
        "bits",
        "--max-addend",
        "1",
        "-o",
        "f",
        "--verify",
        languages,
    ];
    assert!(refused(&other, here).contains("--force"));
    // What was written is right when it is checked, and not with one digit changed.
    let path = here.join("f/sliding-2x2/bits.rs");
    let check = ["formula", "sliding:2x2", "--check", "f/sliding-2x2/bits.rs"];
    assert!(ok(&check, here).contains("right in 11 of 11 states"));
    let corrupted = fs::read_to_string(&path).unwrap().replace("33u64", "32u64");
    fs::write(&path, corrupted).unwrap();
    let found = tesuji(&check, here);
    assert_eq!(found.status.code(), Some(1));
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(
        !text.contains("11 of 11") && text.contains("is not as good as"),
        "{text}"
    );
}

#[test]
fn puzzles_of_two_rows_of_three_and_tic_tac_toe_have_programs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let languages = if has(Language::Python) {
        "rust,python"
    } else {
        "rust"
    };
    let told = ok(
        &[
            "formula",
            "sliding:2x3",
            "--family",
            "residues",
            "-o",
            "f",
            "--verify",
            languages,
        ],
        here,
    );
    assert!(told.contains("on 359 of 359 states"), "{told}");
    let few = ["--pairs", "4000000", "-o", "f", "--verify", languages];
    let told = ok(
        &[
            &[
                "formula",
                "tictactoe",
                "--family",
                "orders",
                "--family",
                "orders-all",
            ],
            &few[..],
        ]
        .concat(),
        here,
    );
    assert!(told.contains("2,304 of 362,880 single orders"), "{told}");
    assert!(
        told.contains("on 4520 of 4520 states (every state"),
        "{told}"
    );
    // Checked by the other path: all games are played with the program's answers.
    let check = |name: &str| {
        let output = tesuji(&["formula", "tictactoe", "--check", name], here);
        String::from_utf8(output.stdout).unwrap()
    };
    for family in ["orders", "orders-all"] {
        let text = check(&format!("f/tictactoe/{family}.rs"));
        assert!(text.contains("moving first it plays perfectly"), "{text}");
        assert!(text.contains("moving second it plays perfectly"), "{text}");
    }
}

/// In Python one value in a tuple needs a comma.
#[test]
fn one_order_for_every_state_is_a_program_in_all_languages() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules = r#"title = "Three and two"
columns = 3
rows = 3
no_move = "draw"
sides = "x-o"
drop_first = true
start = ["---", "---", "---"]
hands = ["MMM", "MM"]
[[piece]]
letter = "M"
side_letters = "xo"
moves = ""
[[goal]]
line = 3
directions = ["orthogonal"]
"#;
    fs::write(here.join("few.toml"), rules).unwrap();
    let languages = if has(Language::Python) {
        "rust,python"
    } else {
        "rust"
    };
    let formula = ["formula", "rules:few.toml", "--family", "orders-all"];
    let told = ok(
        &[&formula[..], &["-o", "f", "--verify", languages]].concat(),
        here,
    );
    assert!(told.contains("on 1090 of 1090 states"), "{told}");
    let written = files(&here.join("f")).into_keys();
    let python = written
        .into_iter()
        .find(|path| path.extension().is_some_and(|it| it == "py"));
    let text = fs::read_to_string(here.join("f").join(python.unwrap())).unwrap();
    let orders = text.lines().find(|line| line.starts_with("ORDERS = "));
    assert!(orders.unwrap().ends_with(','), "{text}");
}

#[test]
fn the_comment_s_program_loses() {
    if !has(Language::Python) {
        return;
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formula");
    for (name, right) in [("comment.py", "2,225"), ("comment-diagonals.py", "2,297")] {
        let output = tesuji(&["formula", "tictactoe", "--check", name], &data);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains(&format!("right in {right} of 4,520 states")),
            "{text}"
        );
        // It fills squares in their order: against a corner it takes the side next to it.
        assert!(
            text.contains("moving second it goes wrong: n = 1        x../.../...: b3"),
            "{text}"
        );
        assert!(text.contains("moving first it goes wrong"), "{text}");
    }
}

#[test]
fn searches_that_find_nothing_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let told = ok(
        &[
            "formula",
            "sliding:2x3",
            "--family",
            "bits",
            "--max-multiplier",
            "255",
            "--max-addend",
            "15",
        ],
        here,
    );
    assert!(
        told.contains("no program with multipliers up to 255, addends up to 15"),
        "{told}"
    );
    let told = ok(
        &[
            "formula",
            "sliding:2x3",
            "--family",
            "magic",
            "--max-multiplier",
            "999",
            "--max-index",
            "5",
        ],
        here,
    );
    assert!(
        told.contains("no program with multipliers up to 999 and tables of up to 32 places"),
        "{told}"
    );
    let terms = ["formula", "sliding:2x2", "--terms", "33,1,7", "2945,1,13"];
    assert!(ok(&terms, here).contains("right in 11 of 11 states that have a move, with 27 bits"));
    let [command, game, rest @ ..] = terms;
    let terms = [&[command, game, "--family", "bits"], &rest[..]].concat();
    assert!(ok(&terms, here).contains("right in 11 of 11 states that have a move, with 27 bits"));
    let terms = ["formula", "sliding:2x2", "--terms", "33,1,7", "2944,1,13"];
    assert_eq!(tesuji(&terms, here).status.code(), Some(1));
    assert!(files(here).is_empty());
}

#[test]
fn a_search_of_something_else_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir_all(here.join("output/formulas/sliding-2x2")).unwrap();
    let path = here.join("output/formulas/sliding-2x2/bits.search");
    let args = [
        "formula",
        "sliding:2x2",
        "--family",
        "bits",
        "--verify",
        "rust",
    ];
    fs::write(&path, "{ no search").unwrap();
    assert!(refused(&args, here).contains("was not made by tesuji"));
    fs::write(&path, sealed(r#"{"game":"sliding:2x2", no search"#)).unwrap();
    assert!(refused(&args, here).contains("--restart"));
    let other = r#"{"game":"sliding:2x2","shortest":false,"search":{"bounds":{"a":7,"c":7,"s":2},"groups":[[],[]],"next":[0,0,1]}}"#;
    fs::write(&path, sealed(other)).unwrap();
    assert!(refused(&args, here).contains("other bounds"));
    let nonsense = r#"{"game":"sliding:2x2","shortest":false,"search":{"bounds":{"a":16383,"c":16383,"s":13},"groups":[[]],"next":[9,99,0]}}"#;
    fs::write(&path, sealed(nonsense)).unwrap();
    assert!(refused(&args, here).contains("--restart"));
    let begun = r#"{"game":"sliding:2x2","shortest":false,"search":{"bounds":{"a":16383,"c":16383,"s":13},"groups":[[],[]],"next":[0,0,1]}}"#;
    fs::write(&path, sealed(begun)).unwrap();
    let told = ok(&args, here);
    assert!(told.contains("76,822 for bit 0"), "{told}");
    assert!(!path.exists());
}

#[test]
fn wrong_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("mine.txt"), "").unwrap();
    fs::write(here.join("mine.py"), "x = 1\n").unwrap();
    let loud = "def best_move(n):\n    print(n)\n    return 1\n";
    fs::write(here.join("loud.py"), loud).unwrap();
    for (args, message) in [
        (&["mine", "sliding:3x3"][..], "one player"),
        (&["features", "sliding:3x3"], "one player"),
        (&["play", "sliding:3x3"], "one player"),
        (&["solve", "sliding:4x4"], "at most 12 squares"),
        (&["probe", "sliding:3x3", "123/456/87."], "never brings"),
        (
            &["solve", "sliding:3x3", "--repetition", "exact"],
            "rule 8 of Ostle",
        ),
        (&["probe", "tictactoe:4x4"], "unknown setting"),
        (&["formula", "ostle"], "it has no formulas"),
        (
            &["formula", "sliding:4x4"],
            "10,461,394,944,000, and even their distances modulo 6",
        ),
        (
            &["formula", "sliding:2x2", "--family", "orders"],
            "is not a game of filling nine squares; orders is for those, such as tictactoe",
        ),
        (
            &["formula", "tictactoe", "--family", "residues"],
            "residues is for sliding",
        ),
        (
            &["formula", "sliding:2x2", "--shortest"],
            "--shortest is for games of two players",
        ),
        (
            &["formula", "sliding:2x2", "--terms", "1,1,1"],
            "needs 2 terms",
        ),
        (
            &["formula", "sliding:2x2", "--terms", "1,1"],
            "such as 33,1,7",
        ),
        (
            &[
                "formula",
                "sliding:2x2",
                "--family",
                "magic",
                "--terms",
                "33,1,7",
                "2945,1,13",
            ],
            "leave out --family magic",
        ),
        (
            &["formula", "sliding:2x2", "--check", "mine.txt"],
            ".rs, .c or .py",
        ),
        (
            &["formula", "sliding:2x2", "--check", "none.py"],
            "cannot read none.py",
        ),
        (
            &["stats", "sliding:2x2", "--compare", "x.csv"],
            "two players",
        ),
    ] {
        let text = refused(args, here);
        assert!(text.contains(message), "{args:?}: {text}");
    }
    if has(Language::Python) {
        let text = refused(&["formula", "sliding:2x2", "--check", "mine.py"], here);
        assert!(text.contains("best_move"), "{text}");
        let text = refused(&["formula", "sliding:2x2", "--check", "loud.py"], here);
        assert!(text.contains("it must not print or exit itself"), "{text}");
    }
    // A tool that is not there.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let args = ["formula", "sliding:2x2", "--family", "magic"];
    let output = command
        .args(args)
        .env("PYTHON", "no-such-python")
        .current_dir(here)
        .output()
        .unwrap();
    let text = refusal(&args, &output);
    assert!(
        text.contains("no-such-python") && text.contains("leave python out of --verify"),
        "{text}"
    );
    // A busy machine keeps the search for a while, and leaves its folder.
    let left = files(here)
        .into_keys()
        .map(|path| path.display().to_string());
    assert!(left.eq(["loud.py", "mine.py", "mine.txt"]));
}
