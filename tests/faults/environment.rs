//! Odd environments: a right result, or one message and exit code 2; nothing is left behind, and
//! nothing stands in the way of the next run.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::chance::{Chance, times};
use crate::common::program::ok;
use crate::common::{files, skipped};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";
const PROGRAM: &str = env!("CARGO_BIN_EXE_tesuji");

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// How a shell starts the program, `"$@"`.
const ENVIRONMENTS: [&str; 45] = [
    "env -i \"$@\"",
    "env -u HOME -u PATH -u TMPDIR \"$@\"",
    "env HOME= \"$@\"",
    "env HOME=/nonexistent \"$@\"",
    "env TMPDIR= \"$@\"",
    "env TMPDIR=/nonexistent \"$@\"",
    "env TMPDIR=/proc \"$@\"",
    "env TMPDIR=/dev/null \"$@\"",
    "env COLUMNS=0 LINES=0 \"$@\"",
    "env COLUMNS=-1 \"$@\"",
    "env COLUMNS=99999999999999999999 \"$@\"",
    "env NO_COLOR=1 \"$@\"",
    "env CLICOLOR_FORCE=1 \"$@\"",
    "env TERM= \"$@\"",
    "env TERM=dumb \"$@\"",
    "env LANG=C LC_ALL=C \"$@\"",
    "env LANG=ja_JP.SJIS LC_ALL=tr_TR.UTF-8 \"$@\"",
    "env TZ=:/nonexistent \"$@\"",
    "env RUST_BACKTRACE=full RUST_LOG=trace \"$@\"",
    "env TESUJI_PORTABLE= \"$@\"",
    "env RAYON_NUM_THREADS=0 \"$@\"",
    "env RAYON_NUM_THREADS=many \"$@\"",
    "env RAYON_NUM_THREADS=1000000 \"$@\"",
    "env RAYON_NUM_THREADS=99999999999999999999 \"$@\"",
    "env POLARS_MAX_THREADS=many \"$@\"",
    "env RUST_MIN_STACK=0 \"$@\"",
    "env RUST_MIN_STACK=1 \"$@\"",
    "env RUST_MIN_STACK=big \"$@\"",
    "env RUST_MIN_STACK=1000000000000000 \"$@\"",
    "env RUST_MIN_STACK=18446744073709551615 \"$@\"",
    "ulimit -n 4; \"$@\"",
    "ulimit -n 5; \"$@\"",
    "ulimit -n 6; \"$@\"",
    "ulimit -n 8; \"$@\"",
    "ulimit -s 512; \"$@\"",
    "ulimit -f 0; \"$@\" >/dev/null 2>/dev/full",
    "\"$@\" <&-",
    "\"$@\" >&-",
    "\"$@\" 2>&-",
    "\"$@\" <&- >&- 2>&-",
    "\"$@\" >/dev/full",
    "\"$@\" 2>/dev/full",
    "\"$@\" >/dev/full 2>/dev/full",
    "\"$@\" </dev/zero",
    "mkdir gone; cd gone; rmdir ../gone; \"$@\"",
];

/// Commands that write each a file or a folder, and some that write nothing.
const COMMANDS: [&[&str]; 14] = [
    &["solve", GAME, "-o", "t.tsj"],
    &[
        "mine",
        GAME,
        "--filter",
        "longest-wins",
        "--draw",
        "2",
        "--limit",
        "4",
    ],
    &["export", GAME, "-o", "states"],
    &["export", GAME, "--format", "jsonl", "-o", "lines"],
    &["draw", GAME, "initial", "-o", "a.svg"],
    &["draw", GAME, "initial", "-o", "a.png"],
    &["book", "P", "-o", "b.pdf"],
    &["book", "P", "-o", "b.html"],
    &["export", "--puzzles", "P", "-o", "deck.apkg"],
    &["nimbers", "kings", "2x3", "-o", "n.csv"],
    &["solution", "tsuitate", "initial", "--kif", "a.kif"],
    &["stats", "tictactoe"],
    &["probe", "chess:KQ-K", "initial", "--json"],
    &["mine", "nonsense"],
];

/// A command, with the table of puzzles that it may read, as it ends undisturbed.
struct Trial {
    args: Vec<String>,
    code: Option<i32>,
    lines: usize,
    after: Tree,
}

impl Trial {
    fn new(args: &[&str], puzzles: &Path) -> Self {
        let named = |arg: &&str| match *arg {
            "P" => puzzles.display().to_string(),
            arg => arg.to_owned(),
        };
        let mut trial = Self {
            args: args.iter().map(named).collect(),
            code: None,
            lines: 0,
            after: Tree::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        let output = trial.run("\"$@\"", folder.path());
        trial.code = output.status.code();
        trial.lines = output.stderr.split(|&byte| byte == b'\n').count();
        trial.after = files(folder.path());
        trial
    }

    fn run(&self, script: &str, folder: &Path) -> Output {
        let mut command = Command::new("timeout");
        let script = format!("exec 3<&-; {script}");
        command.args(["120", "sh", "-c", &script, "sh", PROGRAM]);
        command.args(&self.args).current_dir(folder);
        command.output().unwrap()
    }

    /// Runs it in an environment; whether it was refused.
    fn endures(&self, script: &str, may_abort: bool) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let output = self.run(script, here);
        let errors = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        let what = format!("{script} of {:?}: {code:?}: {errors}", self.args);
        assert!(!errors.contains("panicked"), "{what}");
        let mut left = files(here);
        if code == self.code && code != Some(2) {
            assert!(left == self.after, "{what}: other files");
            return false;
        }
        let aborts = may_abort && code == Some(134) && errors.contains("memory allocation of");
        assert!(code == Some(2) || aborts, "{what}");
        // What is printed last may be what fails, after all was written.
        left.retain(|path, content| self.after.get(path) != Some(content));
        let full = script.contains("/dev/full");
        assert!(full || aborts || left.len() == files(here).len(), "{what}");
        if aborts {
            assert!(
                left.keys().all(|path| under_way(path)),
                "{what}: {:?}",
                left.keys()
            );
        } else {
            assert_eq!(left, Tree::new(), "{what}");
        }
        if !full && !aborts && !script.contains("2>&-") {
            let lines = errors.split('\n').count();
            let message = errors.trim_end().lines().last().unwrap_or_default();
            assert!(message.starts_with("tesuji: ") || lines > 1, "{what}");
            assert!(lines <= self.lines + 1, "{what}");
        }
        // Nothing is in the way of the next run.
        let again = self.run("\"$@\"", here);
        let errors = String::from_utf8_lossy(&again.stderr);
        let done = again.status.code() == Some(2) && errors.contains("--force");
        assert!(
            done || again.status.code() == self.code,
            "{what}: then {errors}"
        );
        assert!(files(here) == self.after, "{what}: then other files");
        true
    }
}

/// Whether a name says that the file is not whole.
fn under_way(path: &Path) -> bool {
    let path = path.to_string_lossy();
    [".partial", ".lock", ".layers", ".pass"]
        .iter()
        .any(|word| path.contains(word))
}

/// All commands, and a folder with their puzzles.
fn trials() -> (tempfile::TempDir, Vec<Trial>) {
    let folder = tempfile::tempdir().unwrap();
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "0"];
    ok(&[&mine[..], &["--limit", "3"]].concat(), folder.path());
    let puzzles = folder.path().join("output/longest-wins/puzzles.csv");
    let trials = COMMANDS.iter().map(|args| Trial::new(args, &puzzles));
    let trials = trials.collect();
    (folder, trials)
}

#[test]
fn odd_environments_end_with_a_result_or_a_message() {
    let (_folder, trials) = trials();
    let mut chance = Chance::new("environments");
    let (mut runs, mut refused) = (0, 0);
    // Every environment, with some of the commands or all.
    for script in ENVIRONMENTS {
        let most = times(2).min(trials.len());
        let first = chance.below(trials.len());
        for trial in trials.iter().cycle().skip(first).take(most) {
            refused += usize::from(trial.endures(script, false));
            runs += 1;
        }
    }
    println!("environments: {runs} runs, {refused} refused");
}

#[test]
fn little_memory_ends_with_a_result_or_a_message() {
    let (_folder, trials) = trials();
    let mut chance = Chance::new("memory");
    // Where the program starts at all.
    let starts = |kilobytes: &usize| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" --version");
        let status = Command::new("sh").args(["-c", &script, PROGRAM]).output();
        status.unwrap().status.success()
    };
    let least = (15..24).map(|bits| 1 << bits).find(starts).unwrap();
    let (mut runs, mut refused) = (0, 0);
    for _ in 0..times(12) {
        let kilobytes = least + chance.below(2 * least);
        let trial = &trials[chance.below(trials.len())];
        let script = format!("ulimit -v {kilobytes}; \"$@\"");
        refused += usize::from(trial.endures(&script, true));
        runs += 1;
    }
    println!("memory: {runs} runs from {least} KiB on, {refused} refused");
}

#[test]
fn where_nothing_can_be_written_a_message_says_so() {
    let (_folder, trials) = trials();
    let mut refused = 0;
    for trial in &trials {
        for folder in ["/proc", "/sys"] {
            let output = trial.run("\"$@\"", Path::new(folder));
            let errors = String::from_utf8_lossy(&output.stderr);
            let what = format!("{folder}: {:?}: {errors}", trial.args);
            assert!(!errors.contains("panicked"), "{what}");
            if trial.after.is_empty() {
                assert_eq!(output.status.code(), trial.code, "{what}");
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{what}");
            assert!(errors.contains("tesuji: cannot "), "{what}");
            refused += 1;
        }
    }
    println!("folders without writing: {refused} refused");
    assert!(refused > 10);
}

#[test]
fn few_processes_end_with_a_result_or_a_message() {
    // The limit holds for the processes of a user, and not for root.
    let nobody = ["setpriv", "--reuid=65534", "--clear-groups"];
    let probed = Command::new("setpriv")
        .args(&nobody[1..])
        .args([PROGRAM, "--version"])
        .output();
    if !probed.is_ok_and(|output| output.status.success()) {
        skipped(
            "limits on processes",
            "run as root, with setpriv, where others can run the program",
        );
        return;
    }
    let (_folder, trials) = trials();
    let mut refused = 0;
    for processes in [1, 2, 3, 4, 6] {
        for trial in trials.iter().filter(|trial| trial.after.is_empty()) {
            let nproc = format!("--nproc={processes}");
            let mut command = Command::new(nobody[0]);
            command
                .args(&nobody[1..])
                .args(["prlimit", &nproc, PROGRAM]);
            let output = command.args(&trial.args).current_dir("/").output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            let what = format!("{processes}: {:?}: {errors}", trial.args);
            let code = output.status.code();
            assert!(!errors.contains("panicked"), "{what}");
            assert!(code == trial.code || code == Some(2), "{what}");
            refused += usize::from(code != trial.code);
        }
    }
    println!("processes: {refused} refused");
}
