//! Options that say nothing about what is asked are refused, by name, and nothing is written.

use std::fs;

use tesuji::session::parse_bytes;

use crate::common::files;
use crate::common::program::{ok, refused};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";
const POSITION: &str = "1ww/1o1/bb1 b -";

#[test]
fn options_that_do_not_apply_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAME, "-o", "t.tsj"], here);
    let sketch = format!("game,position\n\"{GAME}\",{POSITION}\n");
    fs::write(here.join("p.csv"), sketch).unwrap();
    let before = files(here);
    let draw = ["draw", GAME, POSITION];
    let solution = ["solution", GAME, POSITION];
    let lure = ["lure", GAME, "--depth", "1", "--moves", "2"];
    let of_draw = |more: &[&'static str]| [&draw[..], more].concat();
    let of_solution = |more: &[&'static str]| [&solution[..], more].concat();
    for (args, named) in [
        (of_draw(&["-o", "d.svg", "--dpi", "100"]), "--dpi"),
        (of_draw(&["-o", "d.pdf", "--dpi", "100"]), "--dpi"),
        (of_draw(&["--dpi", "100"]), "--dpi"),
        (of_draw(&["-o", "d.svg", "--columns", "3"]), "--columns"),
        (
            of_draw(&["--moves", "b1R", "--animate", "-o", "d.png"]),
            "--animate is for .svg",
        ),
        (
            vec!["draw", "--puzzles", "p.csv", "-o", "d", "--columns", "3"],
            "--columns",
        ),
        (
            vec!["draw", "--puzzles", "p.csv", "-o", "d", "--dpi", "100"],
            "--dpi",
        ),
        (of_solution(&["--dpi", "100"]), "--dpi"),
        (of_solution(&["--style", "dark"]), "--style"),
        (of_solution(&["--force"]), "--force"),
        (of_solution(&["--tree", "t.svg", "--dpi", "99"]), "--dpi"),
        (
            vec!["solution", "tsuitate", "initial", "--solutions", "main"],
            "--solutions",
        ),
        (
            vec!["book", "p.csv", "-o", "b.html", "--paper", "a5"],
            "--paper is for booklets",
        ),
        (
            vec!["book", "p.csv", "-o", "b.html", "--per-page", "4"],
            "--per-page is for booklets",
        ),
        (
            vec!["book", "p.csv", "-o", "b.html", "--style", "dark"],
            "--style is for booklets",
        ),
        (
            vec!["book", "p.csv", "-o", "site/", "--per-page", "4"],
            "--per-page is for booklets",
        ),
        (
            vec!["solve", GAME, "-o", "s.tsj", "--raw", "--level", "9"],
            "--level",
        ),
        (
            vec!["repack", "t.tsj", "-o", "s.tsj", "--raw", "--level", "9"],
            "--level",
        ),
        ([&lure[..], &["--force"]].concat(), "--output"),
        (vec!["nimbers", "kings", "3x3", "--force"], "--output"),
        (vec!["reach", "kings:3x3", "--take-backs"], "--take-backs"),
        (
            vec!["formula", "tictactoe", "--family", "hash", "--pairs", "9"],
            "--pairs is for searches of the family orders",
        ),
        (
            vec![
                "formula",
                "sliding:2x2",
                "--family",
                "magic",
                "--max-shift",
                "3",
            ],
            "--max-shift is for searches of the family bits",
        ),
        (
            vec![
                "formula",
                "tictactoe",
                "--check",
                "p.py",
                "--max-index",
                "9",
            ],
            "--max-index",
        ),
        (
            vec!["formula", "tictactoe", "--check", "p.py", "--output", "x"],
            "--output",
        ),
    ] {
        let message = refused(&args, here);
        assert!(message.contains(named), "{args:?}: {message}");
        assert_eq!(files(here), before, "{args:?}");
    }
}

/// An option that needs another one is refused where that one is excluded.
#[test]
fn options_of_excluded_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let draw = ["draw", GAME, POSITION, "-o", "d.svg"];
    for (args, named) in [
        ([&draw[..], &["--format", "png"]].concat(), "--format"),
        (vec!["probe", GAME, POSITION, "--slots"], "--slots"),
        (vec!["compose", GAME, POSITION, "--force"], "--force"),
        (vec!["man", "mine", "--force"], "--force"),
        (vec!["explore", GAME, "--port", "1", "--force"], "--force"),
        (
            vec!["solve", GAME, "-o", "t.tsj.partial", "--force"],
            "choose another name",
        ),
    ] {
        let message = refused(&args, here);
        assert!(message.contains(named), "{args:?}: {message}");
        assert!(files(here).is_empty(), "{args:?}");
    }
}

#[test]
fn numbers_of_bytes_have_units() {
    assert_eq!(parse_bytes("9GiB"), Ok(9 << 30));
    assert_eq!(parse_bytes("1.5gb"), Ok(1_500_000_000));
    assert_eq!(parse_bytes("4096"), Ok(4096));
    for wrong in ["", "GiB", "-3GB", "9 parsecs", "nan", "0"] {
        assert!(parse_bytes(wrong).is_err(), "{wrong}");
    }
}
