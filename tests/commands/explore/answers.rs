//! Answers are those of the program's `--json`, byte by byte.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};
use tesuji::base::random::SplitMix64;

use super::client::Running;
use crate::common::program::ok;

/// Games with tables of different kinds: two sides, men in hand, the same moves for both.
const GAMES: [&str; 3] = [
    "ostle:3x3,pieces=2,losses=2",
    "dobutsu:pieces=lion+chick",
    "kings:3x4",
];

/// Random positions of a game, each as `probe --batch` writes it: unvisited slots are left
/// out.
fn batch(spec: &str, table: &Path, count: usize) -> Vec<Json> {
    let slots = tesuji::open(spec).unwrap().solving().unwrap().slots();
    let mut random = SplitMix64::new(23);
    let mut found = Vec::new();
    // Slots without a position end a batch, so they are tried one by one in the library.
    let session = tesuji::session::Options::new()
        .table(Some(table.to_owned()))
        .open(spec)
        .unwrap();
    let progress = tesuji::base::progress::NoProgress;
    while found.len() < count {
        let slot = random.below(usize::try_from(slots).unwrap()) as u64;
        let asked = [tesuji::session::Asked::Slot(slot)];
        let answer = session
            .evaluating()
            .unwrap()
            .evaluate_batch(&asked, &progress)
            .unwrap();
        found.extend(answer.into_iter().flatten().map(|found| found.position));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.txt");
    std::fs::write(&file, found.join("\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["probe", spec, "--batch", "--table", table.to_str().unwrap()])
        .stdin(Stdio::from(std::fs::File::open(&file).unwrap()))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_thousand_random_positions_of_three_games_are_answered_as_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for spec in GAMES {
        let table = here.join(format!("{}.tsj", spec.len()));
        ok(&["solve", spec, "-o", table.to_str().unwrap()], here);
        let it = Running::with_table(spec, Some(&table));
        let expected = batch(spec, &table, 1000);
        assert_eq!(expected.len(), 1000);
        let positions: Vec<_> = expected.iter().map(|found| &found["position"]).collect();
        let answers = it.ask("evaluate", &json!({ "positions": positions }));
        assert_eq!(answers.as_array().unwrap(), &expected, "{spec}");
        // With line and uniqueness: what '--json' prints, by the library.
        let options = tesuji::session::Options::new().table(Some(table.clone()));
        let session = options.open(spec).unwrap();
        let progress = tesuji::base::progress::NoProgress;
        let options = tesuji::session::EvaluationOptions::default();
        for position in &positions {
            let text = position.as_str().unwrap();
            let found = session
                .evaluating()
                .unwrap()
                .evaluate(text, &options, &progress);
            let printed = format!("{:#}\n", serde_json::to_value(found.unwrap()).unwrap());
            assert_eq!(
                it.post("evaluate", &json!({ "position": position })),
                (200, printed)
            );
        }
        // And by the program, with other questions: fewer, since each is a process.
        for found in expected.iter().step_by(100) {
            let position = found["position"].as_str().unwrap();
            for (command, question) in [
                ("probe", "evaluate"),
                ("solution", "solution"),
                ("check", "check"),
            ] {
                let args = [
                    command,
                    spec,
                    position,
                    "--json",
                    "--table",
                    table.to_str().unwrap(),
                ];
                let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
                    .args(args)
                    .output()
                    .unwrap();
                // A problem that is not sound is exit code 1.
                assert!(output.status.code() < Some(2), "{args:?}");
                let (status, text) = it.post(question, &json!({ "position": position }));
                assert_eq!(
                    (status, text.as_str()),
                    (200, &*String::from_utf8_lossy(&output.stdout)),
                    "{args:?}"
                );
            }
        }
    }
}

#[test]
fn columns_and_compositions_are_those_of_the_program() {
    let spec = GAMES[0];
    let folder = tempfile::tempdir().unwrap();
    let it = Running::new(spec);
    assert_eq!(
        it.get("api/columns").1,
        ok(&["features", spec, "--json"], folder.path())
    );
    let condition = "outcome = 'win' AND plies >= 5";
    let printed = ok(
        &[
            "compose",
            spec,
            "???/?o?/??w",
            "--where",
            condition,
            "--limit",
            "5",
            "--json",
        ],
        folder.path(),
    );
    let asked = json!({ "pattern": "???/?o?/??w", "condition": condition, "limit": 5 });
    assert_eq!(it.post("compose", &asked), (200, printed));
}

#[test]
fn positions_are_set_up_thing_by_thing() {
    for spec in [
        GAMES[0],
        GAMES[1],
        GAMES[2],
        "tictactoe",
        "three-mens-morris",
        "dobutsu",
        "hexapawn",
    ] {
        let it = Running::new(spec);
        let board = it.ask("board", &json!({ "position": "" }));
        let game: Json = serde_json::from_str(&it.get("api/game").1).unwrap();
        let items = game["palette"].as_array().unwrap().len();
        let things: Vec<_> = board["squares"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|thing| thing[2].as_u64().unwrap() < items as u64)
            .collect();
        let arranged = it.ask("arrange", &json!({ "things": things }));
        assert_eq!(arranged["position"], board["position"], "{spec}");
        // What is no position is told so, in words.
        let crowd: Vec<_> = (0..3)
            .flat_map(|column| (0..3).map(move |row| json!([column, row, 0])))
            .collect();
        let told = it.ask("arrange", &json!({ "things": crowd }));
        assert!(
            told["position"].is_null() != told["why"].is_null(),
            "{spec}: {told}"
        );
        if spec != GAMES[2] {
            assert!(
                told["why"].as_str().is_some_and(|why| why.contains(spec)),
                "{spec}: {told}"
            );
        }
    }
}

#[test]
fn a_partial_diagram_comes_from_the_board() {
    // (game, things, open squares, pattern)
    let cases = [
        (
            GAMES[0],
            json!([[1, 1, 2], [2, 0, 1]]),
            json!([[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 1], [2, 2]]),
            "???/?o?/??w",
        ),
        (
            "tictactoe",
            json!([[0, 0, 0]]),
            json!([[1, 1], [2, 2]]),
            "..?/.?./x..",
        ),
    ];
    for (spec, things, open, expected) in cases {
        let it = Running::new(spec);
        let found = it.ask("pattern", &json!({ "things": things, "open": open }));
        assert_eq!(found["pattern"], expected, "{spec}");
    }
}

#[test]
fn neighbours_are_judged_as_check_judges_them() {
    let it = Running::new(GAMES[0]);
    let position = "1ww/1o1/bb1 b -";
    let task = it.ask("check", &json!({ "position": position }))["stipulation"].clone();
    let found = it.ask("neighbours", &json!({ "position": position }));
    let found = found.as_array().unwrap();
    for kind in ["moved", "removed", "added"] {
        // Both sides have all their pieces, and may lose one.
        let count = found.iter().filter(|near| near["change"] == kind).count();
        assert_eq!(
            count,
            match kind {
                "moved" => 5 * 4,
                "removed" => 4,
                _ => 0,
            },
            "{kind}"
        );
    }
    for near in found {
        let asked = json!({ "position": near["position"], "stipulation": task });
        let verdict = it.ask("check", &asked);
        assert_eq!(near["sound"], verdict["sound"], "{near}");
        assert_eq!(near["value"], verdict["solution"]["value"], "{near}");
    }
}

#[test]
fn finds_come_bit_by_bit_and_go_into_files() {
    let spec = "ostle:4x4,pieces=3,losses=2";
    let it = Running::new(spec);
    let (status, text) = it.post("mine", &json!({ "filter": "forced-sacrifice", "limit": 3 }));
    assert_eq!(status, 200);
    let events: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = events.last().unwrap();
    assert_eq!(
        (&last["event"], &last["complete"]),
        (&json!("finds"), &json!(true))
    );
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "mine",
        spec,
        "--filter",
        "forced-sacrifice",
        "--limit",
        "3",
        "--draw",
        "0",
        "--output",
        ".",
    ];
    ok(&args, folder.path());
    let csv = std::fs::read_to_string(folder.path().join("forced-sacrifice/puzzles.csv")).unwrap();
    let puzzles = &last["puzzles"];
    for (format, start) in [
        ("csv", &*csv),
        ("svg", "<svg"),
        ("html", "<!doctype html>"),
        ("pdf", "%PDF"),
    ] {
        let (status, file) = it.post("export", &json!({ "format": format, "puzzles": puzzles }));
        assert_eq!(status, 200, "{format}: {file}");
        assert!(file.starts_with(start), "{format}");
    }
    let mut forged = puzzles.clone();
    forged[0]["outcome"] = json!("draw");
    let (status, why) = it.post("export", &json!({ "format": "html", "puzzles": forged }));
    assert!(status == 400 && why.contains("edited"), "{why}");
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_program() {
    let it = Running::new(GAMES[0]);
    let (status, why) = it.post("evaluate", &json!({ "position": "1ww/1o1/bb2 b -" }));
    assert!(status == 400 && why.contains("more than 3"), "{why}");
    let (status, why) = it.post("mine", &json!({ "condition": "n_wining = 1" }));
    assert!(status == 400 && why.contains("n_winning"), "{why}");
    let (status, why) = it.post("board", &json!({ "postion": "" }));
    assert!(status == 400 && why.contains("postion"), "{why}");
    // Its fields are no options of a command.
    let (status, why) = it.post("evaluate", &json!({ "position": "initial", "depth": 3 }));
    let told = why.contains("'depth' is for games with hidden information");
    assert!(status == 400 && told, "{why}");
    let puzzle = Running::new("sliding:3x3");
    let (status, why) = puzzle.post("check", &json!({ "position": "" }));
    assert!(
        status == 400 && why.contains("puzzle of one player"),
        "{why}"
    );
    let folder = tempfile::tempdir().unwrap();
    let printed = ok(&["probe", "sliding:3x3", "--json"], folder.path());
    let asked = json!({ "position": "" });
    assert_eq!(puzzle.post("evaluate", &asked), (200, printed));
}
