//! `formula --answer next-state` through the program.

use std::fs;

use tesuji::game::Language;

use super::emitted::has;
use crate::common::program::{ok, refused, tesuji};
use crate::common::sealed;

fn languages() -> &'static str {
    if has(Language::Python) {
        "rust,python"
    } else {
        "rust"
    }
}

#[test]
fn programs_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let next = |rest: &[&'static str]| {
        let args = ["formula", "sliding:2x2", "--answer", "next-state"];
        [&args[..], rest].concat()
    };
    let small = [
        "-o",
        "f",
        "--max-addend",
        "511",
        "--max-multiplier",
        "2047",
        "--verify",
        languages(),
    ];
    let told = ok(&next(&small), here);
    assert!(told.contains("raw       96 bits, 8 a state"), "{told}");
    // The moves have as many bits as `formula sliding:2x2` measures.
    assert!(
        told.contains("of the moves, for who knows the rules, 21.3 bits"),
        "{told}"
    );
    let path = |family: &str, extension: &str| {
        here.join(format!("f/sliding-2x2/next-state/{family}.{extension}"))
    };
    for family in ["magic", "hash", "residues"] {
        for extension in ["rs", "c", "py"] {
            let text = fs::read_to_string(path(family, extension)).unwrap();
            assert!(text.contains("verified on 11 of 11 states"), "{text}");
            assert!(text.contains(&format!(
                "sliding:2x2 --family {family} --answer next-state"
            )));
            assert!(text.contains("next_state(n): the number of the state after a best move"));
        }
    }
    // No expression gives the second bit of the next state.
    assert!(told.contains("0 for bit 1"), "{told}");
    assert!(!path("bits", "py").exists() && !path("diagram", "py").exists());
    // What was written is right when it is checked, and not with one digit changed.
    let check = "f/sliding-2x2/next-state/magic.rs";
    let checked = next(&["--check", check]);
    assert!(ok(&checked, here).contains("right in 11 of 11 states"));
    let source = fs::read_to_string(here.join(check)).unwrap();
    let corrupted = source.replace("& 255", "& 127");
    assert_ne!(source, corrupted);
    fs::write(here.join(check), corrupted).unwrap();
    let found = tesuji(&checked, here);
    assert_eq!(found.status.code(), Some(1));
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(
        text.contains("no move leads to") && !text.contains("11 of 11"),
        "{text}"
    );
    // A program for moves has another function.
    let moves = [
        "formula",
        "sliding:2x2",
        "--check",
        "f/sliding-2x2/next-state/hash.rs",
    ];
    assert!(refused(&moves, here).contains("best_move"));
}

#[test]
fn a_program_that_goes_another_way_is_told_the_right_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Always the first free square, from the state that follows.
    let source = "pub fn next_state(n: u64) -> u64 {\n    let free = !(n | n >> 9) & 511;\n    (n & 511) << 9 | n >> 9 | free & free.wrapping_neg()\n}\n";
    fs::write(here.join("mine.rs"), source).unwrap();
    let args = [
        "formula",
        "tictactoe",
        "--answer",
        "next-state",
        "--check",
        "mine.rs",
    ];
    let found = tesuji(&args, here);
    assert_eq!(found.status.code(), Some(1));
    let text = String::from_utf8(found.stdout).unwrap();
    // To a stone on a3 the one good reply is the middle: 1 << 9 for that stone, 16 for ours.
    assert!(
        text.contains("b3 to 514 is not as good as b2 to 528"),
        "{text}"
    );
    assert!(
        text.contains("moving second it goes wrong: n = 1 "),
        "{text}"
    );
    // The same program that names squares is judged in the same states.
    let source =
        "pub fn best_move(n: u64) -> u64 {\n    (!(n | n >> 9) & 511).trailing_zeros() as u64\n}\n";
    fs::write(here.join("mine.rs"), source).unwrap();
    let args = ["formula", "tictactoe", "--check", "mine.rs"];
    let moves = String::from_utf8(tesuji(&args, here).stdout).unwrap();
    assert_eq!(text.lines().next(), moves.lines().next());
}

#[test]
fn games_are_played_perfectly_by_next_states() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let all = ["--pairs", "4000000", "-o", "f", "--verify", languages()];
    let families = ["--family", "orders", "--family", "orders-all"];
    for spec in ["tictactoe", "tictactoe:diagonals=none"] {
        let args = [
            &["formula", spec, "--answer", "next-state"],
            &families[..],
            &all,
        ]
        .concat();
        let told = ok(&args, here);
        // Without diagonals no two of so few pairs of orders will do, whatever is answered.
        let pair = told.contains("states of its own play");
        assert_eq!(pair, spec == "tictactoe", "{told}");
        assert!(told.contains("(every state"), "{told}");
    }
    let written = "f/tictactoe/next-state/orders.rs";
    let args = [
        "formula",
        "tictactoe",
        "--answer",
        "next-state",
        "--check",
        written,
    ];
    let text = String::from_utf8(tesuji(&args, here).stdout).unwrap();
    for side in ["first", "second"] {
        assert!(
            text.contains(&format!("moving {side} it plays perfectly")),
            "{text}"
        );
    }
    let args = ["--family", "residues", "-o", "f", "--verify", languages()];
    let args = [
        &["formula", "sliding:2x3", "--answer", "next-state"],
        &args[..],
    ]
    .concat();
    assert!(ok(&args, here).contains("on 359 of 359 states"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let next = ["formula", "sliding:2x2", "--answer", "next-state"];
    let text = refused(&[&next[..], &["--family", "diagram"]].concat(), here);
    assert!(text.contains("diagram answers with moves"), "{text}");
    let text = refused(
        &[&next[..], &["--terms", "33,1,7", "2945,1,13"]].concat(),
        here,
    );
    assert!(text.contains("needs 8 terms, not 2"), "{text}");
    let text = refused(&["formula", "ostle", "--answer", "next-state"], here);
    assert!(text.contains("it has no formulas"), "{text}");
    // A search for moves is not taken up, even where it would fit.
    let begun = r#"{"game":"sliding:2x2","shortest":false,"search":{"bounds":{"a":1048575,"index_bits":3},"next":[0,0],"found":null}}"#;
    let path = here.join("output/formulas/sliding-2x2/next-state/magic.search");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, sealed(begun)).unwrap();
    let text = refused(&[&next[..], &["--family", "magic"]].concat(), here);
    assert!(text.contains("--restart"), "{text}");
}
