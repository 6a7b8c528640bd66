//! Names of outputs that are refused wherever the program runs.
#![cfg(unix)]

use std::fs;

use crate::common::program::{ok, refused};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

#[test]
fn names_with_control_characters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let whole = here.join("a\nb/x").display().to_string();
    for name in ["a\nb", "a\u{1b}[31m/x", "x/\u{85}", &whole] {
        let picture = format!("{name}.svg");
        for command in [
            &["draw", GAME, "initial", "-o", &picture][..],
            &[
                "draw",
                GAME,
                "initial",
                "-o",
                &picture,
                "--snippet",
                "latex",
            ],
            &["export", GAME, "-o", name],
            &["mine", GAME, "--filter", "longest-wins", "-o", name],
        ] {
            let message = refused(command, here);
            assert!(
                message.contains("has a control character in its name"),
                "{message}"
            );
            assert_eq!(message.trim_end().lines().count(), 1, "{message:?}");
        }
    }
    assert_eq!(fs::read_dir(here).unwrap().count(), 0);
}

#[test]
fn names_of_devices_on_windows_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = ["mine", GAME, "--filter", "longest-wins", "-o"];
    for name in ["con", "aux/x", "x/NUL", "com\u{b9}", "Lpt9.old"] {
        let message = refused(&[&mine[..], &[name]].concat(), here);
        assert!(message.contains("reserved on Windows"), "{message}");
        let message = refused(&["export", GAME, "-o", name], here);
        assert!(message.contains("reserved on Windows"), "{message}");
        let picture = format!("{name}.svg");
        let message = refused(&["draw", GAME, "initial", "-o", &picture], here);
        assert!(message.contains("reserved on Windows"), "{message}");
    }
    assert_eq!(fs::read_dir(here).unwrap().count(), 0);
    // Names that only begin so, and folders that were there before.
    for name in ["console.svg", "com.svg", "comb.svg", "lpt10.svg"] {
        ok(&["draw", GAME, "initial", "-o", name], here);
    }
    let own = here.join("aux");
    fs::create_dir(&own).unwrap();
    ok(&["draw", GAME, "initial", "-o", "d.svg"], &own);
    let whole = own.join("e.svg");
    ok(
        &["draw", GAME, "initial", "-o", whole.to_str().unwrap()],
        here,
    );
}
