//! Inputs without an end or of absurd length, and programs that never end.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{ok, refusal};
use crate::make_pipe;

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// What is refused within seconds, and with less than 3 GB of addresses.
fn soon_refused(script: &str, here: &Path) -> String {
    let begun = Instant::now();
    let output = Command::new("bash")
        .args(["-c", &format!("ulimit -v 3000000; {script}")])
        .env("T", env!("CARGO_BIN_EXE_tesuji"))
        .current_dir(here)
        .output()
        .unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{script}");
    refusal(&[script], &output)
}

/// Leaves one puzzle in `output/longest-wins/puzzles.csv`.
fn mine_one(here: &Path) {
    let filter = ["--filter", "longest-wins", "--draw", "0", "--limit", "1"];
    ok(&[&["mine", GAME], &filter[..]].concat(), here);
}

#[test]
fn files_without_an_end_are_refused_soon() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::os::unix::fs::symlink("/dev/zero", here.join("zero.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", here.join("zero.py")).unwrap();
    mine_one(here);
    let csv = "output/longest-wins/puzzles.csv";
    for (script, named) in [
        (
            format!("$T mine {GAME} --filter /dev/zero -o o"),
            "/dev/zero: it has more than",
        ),
        (
            format!("$T mine {GAME} --filter /dev/stdin -o o < /dev/zero"),
            "/dev/stdin: it has",
        ),
        (
            format!("$T draw {GAME} initial --style zero.toml"),
            "zero.toml: it has more than",
        ),
        (
            format!("$T stats {GAME} --compare /dev/zero"),
            "without a line end",
        ),
        (format!("$T stats {GAME} --compare <(yes 3,3)"), "columns"),
        (
            "$T draw --puzzles /dev/zero -o d".to_owned(),
            "without a line end",
        ),
        (
            "$T book /dev/zero -o b.html".to_owned(),
            "without a line end",
        ),
        (
            "$T export --puzzles /dev/zero -o p.jsonl".to_owned(),
            "without a line end",
        ),
        (
            format!("$T export --puzzles <(cat {csv}; yes \"$(tail -1 {csv})\") -o p.jsonl"),
            "more than 256 MiB",
        ),
        (
            format!("$T play {GAME} < /dev/zero"),
            "what was typed: it has more than 1 MiB",
        ),
        (
            "$T play tsuitate < /dev/zero".to_owned(),
            "what was typed: it has more than 1 MiB",
        ),
        (
            "$T formula tictactoe --check zero.py".to_owned(),
            "zero.py: it has more than",
        ),
    ] {
        let message = soon_refused(&script, here);
        assert!(message.contains(named), "{script}: {message}");
    }
    assert_eq!(
        fs::read_dir(here).unwrap().count(),
        3,
        "nothing else is left"
    );
}

#[test]
fn a_pipe_to_which_nobody_writes_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    make_pipe(&here.join("pipe"));
    for script in [
        format!("$T probe {GAME} --table pipe"),
        "$T verify pipe".to_owned(),
        "$T info pipe".to_owned(),
        "$T repack pipe -o t.tsj".to_owned(),
    ] {
        let script = format!("timeout 10 bash -c '{}'", script.replace("$T", "\"$T\""));
        let message = soon_refused(&script, here);
        assert!(message.contains("pipe is not a tesuji table"), "{message}");
    }
}

#[test]
fn a_pipe_to_which_nobody_writes_is_not_waited_for_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    make_pipe(&here.join("pipe"));
    for command in ["book pipe -o b.html", "check --puzzles pipe"] {
        let message = soon_refused(&format!("$T {command}"), here);
        assert!(
            message.contains("no program wrote to this pipe"),
            "{message}"
        );
    }
}

#[test]
fn boards_with_far_too_many_positions_are_refused_before_any_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for spec in ["kings:9x9", "kings:20x20", "regio:8x8"] {
        let begun = Instant::now();
        let message = soon_refused(&format!("$T solve {spec} -o k.tsj"), here);
        assert!(message.contains("too many for a table"), "{message}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{spec}");
    }
}

#[test]
fn rules_of_megabytes_are_no_rules() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus/rules");
    let rules = fs::read_to_string(rules.join("neutreeko.toml")).unwrap();
    let goal = "[[goal]]\nline = 3\ndirections = [\"orthogonal\"]\n";
    fs::write(here.join("r.toml"), rules + &goal.repeat(100_000)).unwrap();
    let message = soon_refused("$T probe rules:r.toml", here);
    assert!(message.contains("rules have at most"), "{message}");
}

#[test]
fn a_field_of_megabytes_is_no_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    mine_one(here);
    let path = here.join("output/longest-wins/puzzles.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = reader.records().next().unwrap().unwrap();
    for column in ["stipulation", "key", "solution", "themes"] {
        let long = "A".repeat(1_000_000);
        let mut writer = csv::Writer::from_path(here.join("long.csv")).unwrap();
        writer.write_record(&header).unwrap();
        let fields = header.iter().zip(&row);
        let fields = fields.map(|(name, field)| if name == column { &long } else { field });
        writer.write_record(fields).unwrap();
        writer.flush().unwrap();
        for script in [
            "$T draw --puzzles long.csv -o d",
            "$T book long.csv -o b.pdf",
        ] {
            let message = soon_refused(script, here);
            let named = format!("line 2: the column '{column}' has more than");
            assert!(message.contains(&named), "{message}");
        }
    }
}

#[test]
fn a_table_of_puzzles_opens_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("g.txt"), "alice bob\nbob carol\n").unwrap();
    let mine = ["mine", "graph:g.txt", "--filter", "f.toml", "--draw", "0"];
    let filter = "name = 'f'\ntitle = ''\ntext = ''\npredicate = \"outcome = 'win'\"\n";
    fs::write(here.join("f.toml"), filter).unwrap();
    ok(&mine, here);
    let csv = "output/f/puzzles.csv";
    let rows = fs::read_to_string(here.join(csv)).unwrap();
    assert!(rows.contains("graph:g.txt#"), "{rows}");
    for rest in [
        "draw --puzzles P -o d",
        "book P -o b.html",
        "export --distinct --puzzles P -o p.csv",
    ] {
        let script = format!("$T {}", rest.replace('P', csv));
        let message = soon_refused(&script, here);
        assert!(message.contains("--game 'graph:g.txt#"), "{message}");
        // Not even whether it is there is told.
        let other = rows.replace("graph:g.txt", "graph:/etc/shadow");
        fs::write(here.join("other.csv"), other).unwrap();
        let message = soon_refused(&script.replace(csv, "other.csv"), here);
        assert!(message.contains("is not opened"), "{message}");
        let message = soon_refused(&format!("{script} --game kings:3x3"), here);
        assert!(message.contains("not of 'kings:3x3'"), "{message}");
        let args: Vec<&str> = script.split_whitespace().skip(1).collect();
        ok(&[&args[..], &["--game", "graph:g.txt"]].concat(), here);
    }
}

/// Begins to check a program, and waits for the number of a process that it writes.
fn checking(program: &str, here: &Path) -> (Child, String) {
    fs::write(here.join("endless.py"), program).unwrap();
    let mark = here.join("pid");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["formula", "tictactoe", "--check", "endless.py"]);
    command.current_dir(here).env("MARK", &mark);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let process = command.spawn().unwrap();
    let begun = Instant::now();
    let pid = loop {
        let pid = fs::read_to_string(&mark).unwrap_or_default();
        if pid.parse::<u32>().is_ok() {
            break pid;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "it does not begin"
        );
        std::thread::sleep(Duration::from_millis(20));
    };
    (process, pid)
}

#[test]
fn a_program_that_never_ends_is_stopped_and_leaves_no_child() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let program =
        "import os, time\nopen(os.environ['MARK'], 'w').write(str(os.getpid()))\ntime.sleep(600)\n";
    let (mut process, child) = checking(program, here);
    // Even if the program is killed, the process that it began ends.
    process.kill().unwrap();
    process.wait().unwrap();
    if cfg!(target_os = "linux") {
        let there = format!("/proc/{child}");
        let gone = || !Path::new(&there).exists();
        let begun = Instant::now();
        while !gone() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(gone(), "process {child} is left");
    }
}

#[test]
fn a_signal_ends_what_a_program_waits_for_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let program = "import os, subprocess\nwaits = subprocess.Popen(['sleep', '60'])\nopen(os.environ['MARK'], 'w').write(str(waits.pid))\nwaits.wait()\n";
    let signal = |name: &str, process: &str| {
        let mut kill = Command::new("kill");
        kill.args([name, process]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    let (mut process, waits) = checking(program, here);
    // Others, such as SIGHUP, may be ignored where tests run.
    assert!(signal("-TERM", &process.id().to_string()));
    assert_eq!(
        process.wait().unwrap().code(),
        None,
        "it ends by the signal"
    );
    let begun = Instant::now();
    while signal("-0", &waits) {
        assert!(begun.elapsed() < Duration::from_secs(50));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_process_that_a_program_leaves_behind_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The second has a process group of its own, and cannot be stopped with the program.
    for (left, more) in [
        ("", ""),
        (
            ", start_new_session=True",
            "left its output to a process that goes on",
        ),
    ] {
        let program = format!(
            "import subprocess\nsubprocess.Popen(['sleep', '30']{left})\ndef move(state): return 0\n"
        );
        fs::write(here.join("leaves.py"), program).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(["formula", "tictactoe", "--check", "leaves.py"]);
        let begun = Instant::now();
        let output = command.current_dir(here).output().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(20), "{left}");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = told + &String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{told}");
        assert!(told.contains(more), "{told}");
    }
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    for asked in [
        "--version",
        "--help",
        "mine --help",
        "features",
        "completions bash",
        "man",
    ] {
        let script = format!("\"$T\" {asked} > /dev/full");
        let folder = tempfile::tempdir().unwrap();
        let message = soon_refused(&script, folder.path());
        assert!(
            message.contains("cannot write to standard output"),
            "{message}"
        );
    }
}
