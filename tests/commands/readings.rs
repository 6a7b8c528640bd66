//! Export and probes under the third reading of rule 8, state by state.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::common::files;
use crate::common::program::ok;

const GAME: &str = "ostle:3x3,pieces=2,losses=1,repetition=all-images";

fn lines(text: &str) -> Vec<Json> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn columns_of_states_count_the_moves_that_a_probe_lists() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let columns = "slot,outcome,plies,n_moves,n_winning,n_best";
    let export = [
        "export",
        GAME,
        "--restricted",
        "--position",
        "--columns",
        columns,
    ];
    ok(
        &[&export[..], &["--format", "jsonl", "-o", "set"]].concat(),
        here,
    );
    let mut states = Vec::new();
    for (path, content) in files(&here.join("set")) {
        if path.extension().is_some_and(|end| end == "jsonl") {
            states.extend(lines(&String::from_utf8(content).unwrap()));
        }
    }
    let positions = states
        .iter()
        .map(|state| state["position"].as_str().unwrap());
    let positions = positions.collect::<Vec<_>>().join("\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["probe", GAME, "--batch"]).current_dir(here);
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let fed = std::thread::spawn(move || input.write_all(positions.as_bytes()));
    let output = process.wait_with_output().unwrap();
    fed.join().unwrap().unwrap();
    let answers = lines(&String::from_utf8(output.stdout).unwrap());
    assert!(states.len() > 500);
    assert_eq!(states.len(), answers.len());
    for (state, answer) in states.iter().zip(answers) {
        let moves = answer["moves"].as_array().unwrap();
        let count = |is: &dyn Fn(&&Json) -> bool| moves.iter().filter(is).count();
        let found = [
            moves.len(),
            count(&|mv| mv["outcome"] == "win"),
            count(&|mv| (&mv["outcome"], &mv["plies"]) == (&answer["outcome"], &answer["plies"])),
        ];
        let expected = ["n_moves", "n_winning", "n_best"].map(|name| state[name].as_u64());
        assert_eq!(expected, found.map(|count| Some(count as u64)), "{state}");
        assert_eq!(state["outcome"], answer["outcome"], "{state}");
        assert_eq!(state["plies"], answer["plies"], "{state}");
    }
}
