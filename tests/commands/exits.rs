//! Exit codes: 0 done, 1 the answer is "no", 2 it could not be done. They are the same when
//! nobody reads the output.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::program::{ok, says};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// The exit code of a run whose output is closed at once, as `head` may close it.
fn unread(args: &[&str], here: &Path) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(here);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    drop(process.stdout.take());
    process.wait().unwrap().code()
}

#[test]
fn the_code_says_what_came_of_it_whoever_reads() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAME, "-o", "t.tsj"], here);
    fs::write(here.join("wrong.csv"), "plies_to_checkmate,states\n1,3\n").unwrap();
    fs::write(here.join("p.py"), "def best_move(n):\n    return 0\n").unwrap();
    let stats = ["stats", GAME, "--compare"];
    let cases: [(&[&str], i32); 9] = [
        (&["verify", "t.tsj"], 0),
        (&["probe", GAME], 0),
        (&["features", GAME], 0),
        (&[&stats[..], &["wrong.csv"]].concat(), 1),
        (&["reach", GAME, "--compare", "states.csv"], 1),
        (&["check", GAME, "initial", "--stipulation", "win in 3"], 1),
        (&["formula", "tictactoe", "--check", "p.py"], 1),
        (&["verify", "none.tsj"], 2),
        (&["probe", GAME, "nonsense"], 2),
    ];
    fs::write(here.join("states.csv"), "plies_from_start,states\n0,7\n").unwrap();
    for (args, code) in cases {
        let (read, ..) = says(args, here);
        assert_eq!(read, Some(code), "{args:?}");
        assert_eq!(unread(args, here), Some(code), "{args:?}, unread");
    }
}
