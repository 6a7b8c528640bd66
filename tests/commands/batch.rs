//! `probe --batch`: many positions from standard input.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value as Json, json};
use tesuji::game::{Game, Ranked};

use crate::common::program::{ok, refusal};
use crate::common::truth::on_3x3;

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// Runs the program with a text on standard input.
fn fed(args: &[&str], text: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A refusal may close the pipe before all is read.
    let _ = child.stdin.take().unwrap().write_all(text);
    child.wait_with_output().unwrap()
}

fn answers(output: &Output) -> Vec<Json> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_state_is_answered_as_the_twin_answers() {
    let [truth, _] = on_3x3();
    let game = &truth.game;
    let states = truth.states();
    let lines: Vec<String> = states
        .iter()
        .map(|state| game.format_state(state))
        .collect();
    let output = fed(&["probe", SMALL, "--batch"], lines.join("\n").as_bytes());
    assert!(output.status.success());
    let answers = answers(&output);
    assert_eq!(answers.len(), states.len());
    for ((state, line), answer) in states.iter().zip(&lines).zip(&answers) {
        assert_eq!(answer["position"], json!(line));
        assert_eq!(answer["slot"], json!(game.rank(state)));
        let (outcome, plies) = truth.worth(state);
        assert_eq!(
            (&answer["outcome"], &answer["plies"]),
            (&json!(outcome.name()), &json!(plies))
        );
        let moves = answer["moves"].as_array().unwrap();
        let tried = truth.tried(state);
        assert_eq!(moves.len(), tried.len(), "{line}");
        let mut last = i32::MAX;
        for found in moves {
            let mv = game.parse_move(found["move"].as_str().unwrap()).unwrap();
            let tried = tried.iter().find(|tried| tried.mv == mv).unwrap();
            let (outcome, plies) = tried.worth;
            assert_eq!(found["outcome"], json!(outcome.name()), "{line}");
            assert_eq!(found["plies"], json!(plies), "{line}");
            let preference = crate::common::truth::preference(tried.worth);
            assert!(preference <= last, "{line}: best first");
            last = preference;
        }
    }
}

#[test]
fn slots_are_asked_as_positions_are() {
    let [truth, _] = on_3x3();
    let game = &truth.game;
    let positions = truth.positions.iter().step_by(7);
    let (slots, texts): (Vec<String>, Vec<String>) = positions
        .map(|(slot, _)| {
            let state = game.unrank(*slot).unwrap();
            (slot.to_string(), game.format_state(&state))
        })
        .unzip();
    // Blank lines, blanks and line ends of other systems make no difference.
    let by_slot = fed(
        &["probe", SMALL, "--batch", "--slots"],
        format!("\n {}\r\n", slots.join(" \r\n\n")).as_bytes(),
    );
    let by_text = fed(&["probe", SMALL, "--batch"], texts.join("\n").as_bytes());
    assert!(by_slot.status.success());
    assert_eq!(by_slot.stdout, by_text.stdout);
    assert_eq!(answers(&by_slot).len(), slots.len());
    assert!(fed(&["probe", SMALL, "--batch"], b"").stdout.is_empty());
}

#[test]
fn vacant_slots_are_answered_as_such_and_the_next_line_is_read() {
    let [truth, _] = on_3x3();
    let vacant = (0..truth.game.slots()).find(|&slot| truth.game.unrank(slot).is_none());
    let vacant = vacant.expect("there are vacant slots");
    let lines = format!("0\n{vacant}\n0\n");
    let output = fed(&["probe", SMALL, "--batch", "--slots"], lines.as_bytes());
    assert!(output.status.success());
    let found = answers(&output);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], found[2]);
    assert_eq!(found[1], json!({ "slot": vacant, "position": null }));
}

#[test]
fn a_wrong_line_is_named_and_those_before_are_answered() {
    let long = "b".repeat(20_000);
    for (slots, wrong, named) in [
        (false, "1ww/1x1/bb1 b -", "invalid position"),
        (false, long.as_str(), "longer than"),
        (true, "-1", "'-1' is not the number of a slot"),
        (true, "+1", "'+1' is not the number of a slot"),
        (true, "1e3", "'1e3' is not the number of a slot"),
        (true, "99999999999", "slots are numbered from 0 to"),
    ] {
        let good = if slots { "0" } else { "1ww/1o1/bb1 b -" };
        let more: &[&str] = if slots { &["--slots"] } else { &[] };
        let args = [&["probe", SMALL, "--batch"], more].concat();
        let output = fed(&args, format!("{good}\n\n{wrong}\n{good}\n").as_bytes());
        let message = refusal(&args, &output);
        assert!(
            message.contains(named) && message.contains("line 3 of standard input"),
            "{message}"
        );
        assert_eq!(answers(&output).len(), 1, "{wrong}");
    }
    let output = fed(&["probe", SMALL, "--batch"], b"\xff\xfe\n");
    assert!(refusal(&["--batch"], &output).contains("line 1 of standard input: not UTF-8"));
}

/// Editors write one at the beginning of a file.
#[test]
fn a_byte_order_mark_is_passed_over() {
    let args = ["probe", SMALL, "--batch", "--slots"];
    let [plain, marked] = ["0\r\n", "\u{feff}0\r\n"].map(|text| fed(&args, text.as_bytes()));
    assert!(marked.status.success());
    assert_eq!(answers(&marked), answers(&plain));
}

#[test]
fn options_that_say_nothing_about_batches_are_refused() {
    for (args, named) in [
        (&[SMALL, "--batch", "--json"][..], "--json"),
        (&[SMALL, "--batch", "initial"], "--batch"),
        (&[SMALL, "--batch", "--depth", "3"], "--depth"),
        (&[SMALL, "--slots"], "--batch"),
        (
            &["tsuitate", "--batch"],
            "--batch is for games of two players with tables",
        ),
        (
            &["sliding:3x3", "--batch"],
            "--batch is for games of two players with tables",
        ),
    ] {
        let args = [&["probe"], args].concat();
        let message = refusal(&args, &fed(&args, b"initial\n"));
        assert!(message.contains(named), "{message}");
    }
    // A game with nimbers is answered by its table.
    let output = fed(&["probe", "kings:3x3", "--batch"], b"initial\n");
    let one = ok(&["stats", "kings:3x3", "--json"], Path::new("."));
    assert!(output.status.success() && one.contains("positions"));
    assert_eq!(answers(&output)[0]["moves"].as_array().unwrap().len(), 9);
}

/// With one square taken beforehand, two are left: whoever takes one ends the game, as they touch.
#[test]
fn a_position_that_only_its_moves_lead_into_the_table_has_no_slot() {
    let output = fed(&["probe", "kings:1x3", "--batch"], b"_..\n...\n");
    assert!(output.status.success());
    let found = answers(&output);
    assert_eq!(found[0]["slot"], Json::Null);
    assert_eq!(
        (&found[0]["outcome"], &found[0]["plies"]),
        (&json!("win"), &json!(1))
    );
    assert_eq!(found[1]["slot"], json!(1));
}
