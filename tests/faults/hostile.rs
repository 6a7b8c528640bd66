//! Files by people who mean harm: nothing is written elsewhere, no script gets into a
//! page or picture, nothing takes all memory, and conditions read no files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::files;
use crate::common::program::{ok, refusal, refused};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// What must be refused at once and with little memory.
fn cheaply_refused(args: &[&str], folder: &Path) -> String {
    let script = "ulimit -v 3000000; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_tesuji")]);
    let begun = Instant::now();
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{args:?} took long"
    );
    let message = refusal(args, &output);
    assert!(
        message.len() < 4000,
        "{args:?}: a message of {} bytes",
        message.len()
    );
    message
}

fn filter(name: &str, predicate: &str) -> String {
    let [name, predicate] = [name, predicate].map(|text| toml::Value::from(text).to_string());
    format!("name = {name}\ntitle = \"<i>t</i>\"\ntext = \"t\"\npredicate = {predicate}\n")
}

/// A folder within a folder, with puzzles.
fn inner(folder: &Path) -> std::path::PathBuf {
    let here = folder.join("inner");
    fs::create_dir(&here).unwrap();
    ok(
        &[
            "mine",
            GAME,
            "--filter",
            "longest-wins",
            "--limit",
            "3",
            "--draw",
            "0",
        ],
        &here,
    );
    fs::rename(
        here.join("output/longest-wins/puzzles.csv"),
        here.join("p.csv"),
    )
    .unwrap();
    fs::remove_dir_all(here.join("output")).unwrap();
    here
}

#[test]
fn names_in_files_do_not_lead_out_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = inner(folder.path());
    let before = files(folder.path());
    let absolute = folder.path().join("absolute");
    let absolute = absolute.to_str().unwrap();
    for name in [
        "../x", "..", ".", "", "a/b", "/x", "a\\b", "-x", "x\u{0}", "con:", absolute,
    ] {
        fs::write(here.join("f.toml"), filter(name, "plies > 1")).unwrap();
        let message = refused(&["mine", GAME, "--filter", "f.toml"], &here);
        assert!(message.contains("name = "), "{message}");
        fs::remove_file(here.join("f.toml")).unwrap();
        assert_eq!(files(folder.path()), before, "{name}");
    }
    let csv = fs::read_to_string(here.join("p.csv")).unwrap();
    let id = csv.lines().nth(1).unwrap().split(',').next().unwrap();
    for name in [
        "../../0123456789",
        "../x",
        "",
        "0123456789abcde/",
        "/tmp/0123456789a",
    ] {
        fs::write(here.join("bad.csv"), csv.replace(id, name)).unwrap();
        let args = ["draw", "--puzzles", "bad.csv", "-o", "pictures"];
        let message = refused(&args, &here);
        assert!(message.contains("puzzle_id"), "{message}");
        fs::remove_file(here.join("bad.csv")).unwrap();
        assert_eq!(files(folder.path()), before, "{name}");
    }
}

/// Texts that run or load something if they get into a page as they are.
const SCRIPTS: [&str; 5] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "]]><!--<script>",
    "{{data}}{{script}}</title><script>alert(1)</script>",
];

#[test]
fn no_script_gets_into_pages_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let here = inner(folder.path());
    let mut reader = csv::Reader::from_path(here.join("p.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let (mut pages, mut pictures) = (0, 0);
    for script in SCRIPTS {
        for column in 0..header.len() {
            let mut writer = csv::Writer::from_path(here.join("bad.csv")).unwrap();
            writer.write_record(&header).unwrap();
            for row in &rows {
                let fields = row.iter().enumerate();
                let fields = fields.map(|(at, text)| if at == column { script } else { text });
                writer.write_record(fields).unwrap();
            }
            writer.flush().unwrap();
            let book = ["book", "bad.csv", "-o", "b.html", "--force"];
            let draw = ["draw", "--puzzles", "bad.csv", "-o", "d", "--force"];
            for args in [&book[..], &draw] {
                let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
                let output = command.args(args).current_dir(&here).output().unwrap();
                // A field that must be a number, a move and so on is refused.
                if !output.status.success() {
                    refusal(args, &output);
                }
            }
            for (path, content) in files(&here) {
                let text = String::from_utf8_lossy(&content);
                let name = path.to_string_lossy();
                if name.ends_with(".html") {
                    pages += 1;
                    assert_eq!(
                        text.matches("<script").count(),
                        2,
                        "{script}: data and program"
                    );
                    assert_eq!(text.matches("</script").count(), 2);
                    assert!(!text.contains("<img src=x") && !text.contains("<svg onload"));
                } else if name.ends_with(".svg") {
                    pictures += 1;
                    let picture = is_harmless(&text);
                    assert!(picture, "{name} with {script} in {}", &header[column]);
                }
            }
            let _ = fs::remove_file(here.join("b.html"));
            let _ = fs::remove_dir_all(here.join("d"));
        }
        let title = ["--title", script, "--author", script, "--subtitle", script];
        let book = [&["book", "p.csv", "-o", "t.html", "--force"], &title[..]].concat();
        ok(&book, &here);
        let page = fs::read_to_string(here.join("t.html")).unwrap();
        assert_eq!(page.matches("<script").count(), 2, "{script}");
        assert!(!page.contains("<img src=x") && !page.contains("<svg onload"));
        fs::write(here.join("s.toml"), format!("highlight = {script:?}")).unwrap();
        let message = refused(
            &["draw", GAME, "initial", "--style", "s.toml", "-o", "s.svg"],
            &here,
        );
        assert!(message.contains("s.toml"), "{message}");
    }
    let graph = "graph { \"<script>alert(1)</script>\" -- \"a\" onload=\"x\" }";
    for graph in [graph, "<script>alert(1)</script> \"onload=alert(1)"] {
        fs::write(here.join("g.txt"), graph).unwrap();
        let draw = ["draw", "graph:g.txt", "initial", "-o", "g.svg", "--force"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let output = command.args(draw).current_dir(&here).output().unwrap();
        if output.status.success() {
            let picture = fs::read_to_string(here.join("g.svg")).unwrap();
            assert!(is_harmless(&picture), "{picture}");
            pictures += 1;
        }
    }
    assert!(
        pages > 20 && pictures > 20,
        "{pages} pages, {pictures} pictures"
    );
}

/// Whether a picture is XML with nothing in it that runs or loads.
fn is_harmless(text: &str) -> bool {
    let low = text.to_ascii_lowercase();
    let runs = [
        "<script",
        "<foreignobject",
        "<img",
        "<iframe",
        "javascript:",
        "<!doctype",
    ];
    let tags_close = text.matches('<').count() == text.matches('>').count();
    // An attribute that runs something would stand in a tag.
    let handlers = low.split('<').skip(1).any(|tag| {
        let tag = tag.split('>').next().unwrap_or_default();
        let outside = tag.split('"').step_by(2).collect::<String>();
        outside.contains(" on")
    });
    tags_close && !handlers && !runs.iter().any(|word| low.contains(word))
}

#[test]
fn conditions_read_no_files_and_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let here = inner(folder.path());
    ok(&["export", "--puzzles", "p.csv", "-o", "p.parquet"], &here);
    let deep = format!("{}plies{} > 1", "(".repeat(300), ")".repeat(300));
    let nots = format!("{}only_move", "NOT ".repeat(170));
    let signs = format!("{}1 > 0", "- ".repeat(340));
    let cases = format!(
        "{}1{} > 0",
        "CASE WHEN true THEN ".repeat(28),
        " END".repeat(28)
    );
    let predicates = [
        "plies IN (SELECT plies FROM read_parquet('p.parquet'))",
        "plies IN (select plies from READ_PARQUET('p.parquet'))",
        "plies IN (FROM read_parquet('p.parquet'))",
        "plies IN (SELECT plies FROM read_csv('p.csv'))",
        "plies = (SELECT max(plies) FROM read_parquet('p.parquet'))",
        "EXISTS (SELECT 1 FROM read_parquet('missing.parquet'))",
        "plies IN (WITH t AS (SELECT 1) SELECT * FROM t)",
        "plies IN (TABLE t)",
        "plies IS DISTINCT FROM (FROM read_parquet('p.parquet'))",
        "outcome = '' OR plies IN (/**/SELECT/**/plies FROM \"read_parquet\"('p.parquet'))",
        "ROW_NUMBER() OVER () = 1",
        "LAG(plies) OVER (ORDER BY plies) = 1",
        "LENGTH(LPAD(outcome, 1000000000, 'a')) > 3",
        "LENGTH(RPAD(outcome, 1000000000, 'a')) > 3",
        "LENGTH(\"lpad\"(outcome, 1000000000, 'a')) > 3",
        "LENGTH(REPEAT(outcome, 1000000000)) > 3",
        "LENGTH(REPLACE(REPLACE(outcome, '', 'aaaaaaaaaaaaaaaa'), '', 'aaaaaaaaaaaaaa')) > 3",
        "outcome REGEXP '((a{1000}){1000}){1000}'",
        "plies > 99999999999999999999999999999999",
        deep.as_str(),
        signs.as_str(),
    ];
    let before = files(&here);
    for predicate in predicates {
        fs::write(here.join("f.toml"), filter("x", predicate)).unwrap();
        let message = cheaply_refused(&["mine", GAME, "--filter", "f.toml"], &here);
        assert!(message.contains("filter x"), "{predicate}: {message}");
        // Not even whether a file is there can be learned.
        let learned = message.contains("No such file") || message.contains("os error");
        assert!(!learned, "{predicate}: {message}");
        fs::remove_file(here.join("f.toml")).unwrap();
        assert_eq!(files(&here), before, "{predicate}");
    }
    // Deep, but sound; and what only looks like it is allowed.
    for predicate in [nots.as_str(), cases.as_str(), "plies IS DISTINCT FROM 3"] {
        fs::write(here.join("f.toml"), filter("x", predicate)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(["mine", GAME, "--filter", "f.toml", "--force", "--draw", "0"]);
        let output = command.current_dir(&here).output().unwrap();
        if !output.status.success() {
            refusal(&[predicate], &output);
        }
    }
    let lines = fs::read_to_string(here.join("output/x/puzzles.csv")).unwrap();
    assert!(
        lines.lines().count() > 100,
        "IS DISTINCT FROM finds nothing"
    );
}

#[test]
fn huge_numbers_in_specs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let long = format!("kings:{}", ".".repeat(2_000_000));
    let specs = [
        "ostle:255x255",
        "ostle:0x0",
        "ostle:99999999999999999999x4",
        "ostle:5x5,pieces=255",
        "ostle:5x5,pieces=18446744073709551616",
        "ostle:5x5,pieces=12,losses=12",
        "ostle:5x5,pieces=-1",
        "ostle:5x5,pieces=+3",
        "sliding:+3x+3",
        "chess:men=+3",
        "kings:+3x+3",
        "kings:3x3,colours=+2",
        "kings:0x0",
        "kings:1000000x1000000",
        "kings:18446744073709551615x18446744073709551615",
        "kings:18446744073709551616x1",
        "regio:4294967296x4294967296",
        "graph:/dev/zero",
        "graph:/",
        "graph:",
    ];
    for spec in specs {
        for args in [
            &["solve", spec, "-o", "t.tsj", "--memory", "1GiB"][..],
            &["mine", spec],
        ] {
            cheaply_refused(args, here);
            assert!(files(here).is_empty(), "{args:?}");
        }
    }
    // Too long for a command line, but not for a file.
    let mut row = "0,".repeat(28);
    row.pop();
    let header = "puzzle_id,game,position,forbidden,side,stipulation,outcome,plies,plies_to_checkmate,key,solution,n_moves,n_winning,n_best,uniqueness,soundness,n_tries,variations,themes,score,difficulty,line_look_ahead,line_lure_run,line_solved_at,similar,filter,slot,table_fingerprint";
    for spec in [
        long.as_str(),
        "kings:9999999999x9",
        &"ostle:".repeat(100_000),
    ] {
        let row = row.replacen("0,0", &format!("0123456789abcdef,{spec}"), 1);
        fs::write(here.join("p.csv"), format!("{header}\n{row}\n")).unwrap();
        for args in [
            &["book", "p.csv", "-o", "b.html"][..],
            &["draw", "--puzzles", "p.csv", "-o", "d"],
            &[
                "export",
                "--puzzles",
                "p.csv",
                "--distinct",
                "-o",
                "q.parquet",
            ],
        ] {
            cheaply_refused(args, here);
        }
        assert_eq!(files(here).len(), 1);
    }
}

#[test]
fn odd_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = inner(folder.path());
    let nested = format!("limit = {}", "[".repeat(300_000));
    let dotted = format!("a{} = 1", ".a".repeat(300_000));
    let name = format!("graph {{ \"{}\" -- b; }}", "a".repeat(1_000_000));
    let braces = format!("graph {}", "{".repeat(100_000));
    let clique: String = (0..700)
        .flat_map(|a| (0..a).map(move |b| format!("v{a} v{b}\n")))
        .collect();
    let sheets = [
        nested.as_str(),
        &dotted,
        "cell_mm = 1e308",
        "cell_mm = nan",
        "text_mm = inf",
    ];
    for text in sheets {
        fs::write(here.join("s.toml"), text).unwrap();
        let draw = ["draw", GAME, "initial", "--style", "s.toml", "-o", "d.svg"];
        let message = cheaply_refused(&draw, &here);
        assert!(message.contains("s.toml"), "{message}");
        let message = cheaply_refused(&["mine", GAME, "--filter", "s.toml"], &here);
        assert!(message.contains("s.toml"), "{message}");
    }
    // A board of metres in dots.
    fs::write(here.join("s.toml"), "cell_mm = 1000").unwrap();
    let draw = [
        "draw", GAME, "initial", "--style", "s.toml", "--dpi", "2400", "-o", "d.png",
    ];
    assert!(cheaply_refused(&draw, &here).contains("pixels"));
    for text in [
        name.as_str(),
        &braces,
        "a b c",
        "graph { a -- }",
        "\u{0}{",
        &clique,
    ] {
        fs::write(here.join("g.txt"), text).unwrap();
        let draw = ["draw", "graph:g.txt", "initial", "-o", "d.svg"];
        cheaply_refused(&draw, &here);
        cheaply_refused(&["solve", "graph:g.txt", "-o", "t.tsj"], &here);
    }
    let csv = fs::read(here.join("p.csv")).unwrap();
    let text = String::from_utf8(csv.clone()).unwrap();
    let quoted = format!("{}\"", text.lines().next().unwrap());
    for bytes in [
        &b"\xff\xfe\x00"[..],
        b"",
        b"\"",
        b"a,b\n1,2\n",
        &csv[..csv.len() - 9],
        quoted.as_bytes(),
    ] {
        fs::write(here.join("bad.csv"), bytes).unwrap();
        let message = cheaply_refused(&["book", "bad.csv", "-o", "b.pdf"], &here);
        assert!(message.contains("bad.csv"), "{message}");
    }
    let made = files(&here)
        .into_keys()
        .map(|path| path.display().to_string());
    let made: Vec<_> = made.collect();
    assert_eq!(made, ["bad.csv", "g.txt", "p.csv", "s.toml"]);
}
