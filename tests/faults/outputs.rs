//! Output files in places where something else is: links, other people's files, folders,
//! devices; what killed runs leave; and refusals before work begins.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

use crate::common::files;
use crate::common::program::{ok, refused};
use crate::make_pipe;

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// Commands that write one file, and its name.
fn writers(here: &Path) -> Vec<(&'static str, Vec<&'static str>)> {
    ok(&["solve", GAME, "-o", "t.tsj"], here);
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "0"];
    ok(&[&mine[..], &["--limit", "3"]].concat(), here);
    let csv = "output/longest-wins/puzzles.csv";
    vec![
        ("u.tsj", vec!["repack", "t.tsj", "-o", "u.tsj"]),
        ("s.tsj", vec!["solve", "sliding:2x2", "-o", "s.tsj"]),
        ("d.svg", vec!["draw", GAME, "initial", "-o", "d.svg"]),
        ("b.html", vec!["book", csv, "-o", "b.html"]),
        ("n.csv", vec!["nimbers", "kings", "2x2", "-o", "n.csv"]),
        (
            "p.jsonl",
            vec![
                "export",
                "--puzzles",
                csv,
                "--format",
                "jsonl",
                "-o",
                "p.jsonl",
            ],
        ),
    ]
}

/// With `--force`.
fn forced<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &["--force"]].concat()
}

#[test]
fn a_file_named_partial_is_other_peoples() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let all = writers(here);
    fs::write(here.join("victim"), "years of work").unwrap();
    for (name, args) in &all {
        let partial = here.join(format!("{name}.partial"));
        symlink("victim", &partial).unwrap();
        ok(args, here);
        assert!(
            here.join(name).symlink_metadata().unwrap().is_file(),
            "{name}"
        );
        assert!(partial.is_symlink(), "{name}");
        assert_eq!(fs::read(here.join("victim")).unwrap(), b"years of work");
        fs::remove_file(&partial).unwrap();
        fs::remove_file(here.join(name)).unwrap();
        fs::write(&partial, "half of mine").unwrap();
        ok(args, here);
        assert_eq!(fs::read(&partial).unwrap(), b"half of mine", "{name}");
    }
}

#[test]
fn only_regular_files_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut all = writers(here);
    all.push(("t2.tsj", vec!["solve", GAME, "-o", "t2.tsj"]));
    fs::write(here.join("victim"), "years of work").unwrap();
    for (name, args) in &all {
        let path = here.join(name);
        for target in ["victim", ".", "nowhere", "/dev/null"] {
            symlink(target, &path).unwrap();
            let before = files_but_folders(here);
            let message = refused(&forced(args), here);
            assert!(
                message.contains(&format!("{name} is a symbolic link")),
                "{message}"
            );
            assert_eq!(files_but_folders(here), before, "{name}");
            assert!(path.is_symlink());
            fs::remove_file(&path).unwrap();
        }
        make_pipe(&path);
        let message = refused(&forced(args), here);
        assert!(
            message.contains(&format!("{name} is a device, pipe")),
            "{message}"
        );
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let message = refused(&forced(args), here);
        assert!(
            message.contains(&format!("{name} is a folder")),
            "{message}"
        );
        fs::remove_dir(&path).unwrap();
    }
}

/// The contents of the regular files of a folder; links are not followed.
fn files_but_folders(here: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = fs::read_dir(here).unwrap().flatten();
    let regular = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut all: Vec<_> = regular
        .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn what_is_replaced_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut all = writers(here);
    all.push(("t2.tsj", vec!["solve", GAME, "-o", "t2.tsj"]));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for (name, args) in &all {
        let path = here.join(name);
        fs::write(&path, "other content").unwrap();
        // What others may do with a new file is for the user's mask to say.
        let usual = mode(&path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
        ok(&forced(args), here);
        assert_ne!(fs::read(&path).unwrap(), b"other content", "{name}");
        assert_eq!(mode(&path), 0o604, "{name}");
        fs::remove_file(&path).unwrap();
        ok(args, here);
        assert_eq!(mode(&path), usual, "{name}");
    }
    ok(&["export", GAME, "-o", "set"], here);
    fs::set_permissions(here.join("set"), fs::Permissions::from_mode(0o705)).unwrap();
    ok(&["export", GAME, "-o", "set", "--board", "--force"], here);
    assert_eq!(mode(&here.join("set")), 0o705);
}

#[test]
fn a_solve_takes_up_only_files_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("victim"), "years of work").unwrap();
    let solve = ["solve", GAME, "-o", "t.tsj", "--restart", "--force"];
    for name in ["t.tsj.partial", "t.tsj.layers", "t.tsj.pass"] {
        let path = here.join(name);
        symlink("victim", &path).unwrap();
        let message = refused(&solve, here);
        assert!(
            message.contains(&format!("{name} is a symbolic link")),
            "{message}"
        );
        fs::remove_file(&path).unwrap();
        fs::write(&path, "years of work").unwrap();
        let message = refused(&solve, here);
        assert!(
            message.contains(&format!("{name} is in the way")),
            "{message}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"years of work");
        fs::remove_file(&path).unwrap();
        fs::write(here.join("empty"), "").unwrap();
        fs::hard_link(here.join("empty"), &path).unwrap();
        let message = refused(&solve, here);
        assert!(
            message.contains(&format!("{name} is in the way")),
            "{message}"
        );
        assert_eq!(fs::metadata(here.join("empty")).unwrap().len(), 0);
        fs::remove_file(here.join("empty")).unwrap();
        // Only root may give files away.
        if chown(&path, Some(12345), None).is_ok() {
            let message = refused(&solve, here);
            assert!(message.contains("another user's"), "{message}");
        }
        fs::remove_file(&path).unwrap();
        for link in ["t.tsj.layers.new", "t.tsj.pass.new"] {
            symlink("victim", here.join(link)).unwrap();
        }
        ok(&[&solve[..], &["--checkpoint-every", "0"]].concat(), here);
        for link in ["t.tsj.layers.new", "t.tsj.pass.new"] {
            fs::remove_file(here.join(link)).expect("it is not ours to remove");
        }
        assert_eq!(fs::read(here.join("victim")).unwrap(), b"years of work");
    }
}

#[test]
fn a_search_takes_up_only_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let inner = here.join("out/sliding-2x2");
    fs::create_dir_all(&inner).unwrap();
    fs::write(inner.join("magic.search"), "years of work").unwrap();
    let search = [
        "formula",
        "sliding:2x2",
        "--family",
        "magic",
        "-o",
        "out",
        "--restart",
        "--force",
    ];
    let message = refused(&search, here);
    assert!(message.contains("magic.search is in the way"), "{message}");
    assert_eq!(
        fs::read(inner.join("magic.search")).unwrap(),
        b"years of work"
    );
}

#[test]
fn places_are_looked_at_before_work_begins() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("there.pdf"), "years of work").unwrap();
    fs::write(here.join("there.tsj"), "years of work").unwrap();
    fs::create_dir(here.join("folder.svg")).unwrap();
    fs::create_dir(here.join("folder.csv")).unwrap();
    let before = files(here);
    // What the work needs is missing, too, and not what is told of.
    let cases: [(&[&str], &str); 9] = [
        (&["book", "none.csv", "-o", "there.pdf"], "there.pdf exists"),
        (&["book", "none.csv", "-o", "there.pdf/b.pdf"], "there.pdf"),
        (
            &["export", "--puzzles", "none.csv", "-o", "folder.csv"],
            "folder.csv is a folder",
        ),
        (
            &[
                "draw",
                GAME,
                "--table",
                "none.tsj",
                "initial",
                "--solution",
                "-o",
                "folder.svg",
            ],
            "folder.svg is a folder",
        ),
        (
            &[
                "solution",
                GAME,
                "--table",
                "none.tsj",
                "initial",
                "--tree",
                "folder.svg",
            ],
            "folder.svg is a folder",
        ),
        (
            &["lure", GAME, "--table", "none.tsj", "-o", "folder.csv"],
            "folder.csv is a folder",
        ),
        (
            &[
                "lure",
                GAME,
                "--table",
                "none.tsj",
                "--output",
                "/proc/q.csv",
            ],
            "/proc",
        ),
        // Days of work.
        (
            &["nimbers", "regio", "9x9", "-o", "/proc/tesuji.csv"],
            "/proc",
        ),
        (
            &["solve", "ostle", "--memory", "1MiB", "-o", "there.tsj"],
            "there.tsj exists",
        ),
    ];
    for (args, named) in cases {
        let message = refused(args, here);
        assert!(message.contains(named), "{args:?}: {message}");
        assert!(!message.contains("none."), "{args:?}: {message}");
        assert_eq!(files(here), before, "{args:?}");
    }
    let mine = ["mine", GAME, "--table", "none.tsj", "-o", "/proc"];
    assert!(
        refused(&mine, here).contains("/proc"),
        "no folder can be made there"
    );
}

#[test]
fn what_killed_runs_left_is_known_by_more_than_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let draw = ["draw", GAME, "initial", "-o", "d.svg"];
    ok(&draw, here);
    let whole = files(here);
    fs::write(here.join("victim"), "years of work").unwrap();
    let left = ".d.svg.0123abcd.tesuji.partial";
    let lock = here.join(".d.svg.tesuji.lock");
    fs::write(here.join(left), "half").unwrap();
    fs::write(&lock, "").unwrap();
    ok(&draw, here);
    assert!(!here.join(left).exists() && !lock.exists());
    // The name alone is not enough.
    symlink("victim", here.join(left)).unwrap();
    fs::write(&lock, "").unwrap();
    ok(&draw, here);
    assert!(here.join(left).is_symlink());
    fs::remove_file(here.join(left)).unwrap();
    fs::write(here.join(left), "half").unwrap();
    if chown(here.join(left), Some(12345), None).is_ok() {
        fs::write(&lock, "").unwrap();
        ok(&draw, here);
        assert_eq!(fs::metadata(here.join(left)).unwrap().uid(), 12345);
    }
    fs::remove_file(here.join(left)).unwrap();
    fs::write(&lock, "somebody else's").unwrap();
    let message = refused(
        &forced(&["draw", GAME, "initial", "--moves", "a1U", "-o", "d.svg"]),
        here,
    );
    assert!(
        message.contains(".d.svg.tesuji.lock is in the way"),
        "{message}"
    );
    fs::remove_file(&lock).unwrap();
    fs::remove_file(here.join("victim")).unwrap();
    assert_eq!(files(here), whole);
    // In a folder that is claimed as a whole, too.
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "1"];
    ok(&mine, here);
    let whole = files(here);
    let out = here.join("output/longest-wins");
    let theirs = [
        "thesis.partial",
        "sheet.svg.partial",
        "09-0123456789abcdef.svg.partial",
    ];
    for name in theirs {
        fs::write(out.join(name), "years of work").unwrap();
    }
    fs::write(out.join(".sheet.svg.0123abcd.tesuji.partial"), "half").unwrap();
    ok(&mine, here);
    for name in theirs {
        fs::remove_file(out.join(name)).expect("it is not ours to remove");
    }
    assert_eq!(files(here), whole);
}

#[test]
fn only_data_sets_of_our_own_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let export = ["export", GAME, "-o", "set", "--force"];
    // Other programs write partitions, too.
    fs::create_dir_all(here.join("set/year=2025")).unwrap();
    fs::write(here.join("set/year=2025/part-0.parquet"), "years of work").unwrap();
    let before = files(here);
    let message = refused(&export, here);
    assert!(message.contains("data set of tesuji"), "{message}");
    assert_eq!(files(here), before);
    fs::rename(here.join("set"), here.join("set.partial")).unwrap();
    ok(&export, here);
    assert!(here.join("set.partial/year=2025/part-0.parquet").exists());
    ok(&export, here);
    fs::rename(here.join("set"), here.join("real")).unwrap();
    symlink("real", here.join("set")).unwrap();
    let message = refused(&export, here);
    assert!(message.contains("set is a symbolic link"), "{message}");
}
