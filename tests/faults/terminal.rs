//! Texts of files that would steer the terminal on which they are shown.

use std::fs;

use crate::common::program::{ok, refused};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// A terminal obeys these.
const STEERING: [&str; 5] = [
    "\u{1b}[31mred",
    "\u{7}",
    "\u{9b}2J",
    "\u{202e}gpj",
    "\u{2066}",
];

#[test]
fn what_files_say_does_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "0"];
    ok(&[&mine[..], &["--limit", "1"]].concat(), here);
    let csv = fs::read_to_string(here.join("output/longest-wins/puzzles.csv")).unwrap();
    for steering in STEERING {
        let writes = [
            ("f.toml", format!("name = '{steering}'\n")),
            ("s.toml", format!("{steering} = 1\n")),
            ("g.txt", format!("a {steering}\n")),
            ("bad.csv", csv.replace(",win,", &format!(",{steering},"))),
            ("p.py", format!("{steering}\n")),
        ];
        for (name, text) in writes {
            fs::write(here.join(name), text).unwrap();
        }
        for args in [
            &["mine", GAME, "--filter", "f.toml"][..],
            &["draw", GAME, "initial", "--style", "s.toml"],
            &["probe", "graph:g.txt"],
            &["book", "bad.csv", "-o", "b.html"],
            &["formula", "tictactoe", "--check", "p.py"],
            &["probe", GAME, steering],
            &[&format!("x{steering}")],
            &["mine", GAME, &format!("--{steering}")],
            &["draw", "--puzzles", "p.csv", "--format", steering],
        ] {
            // A vertex may have marks of direction in its name.
            if args.contains(&"graph:g.txt") && !steering.contains(char::is_control) {
                continue;
            }
            let message = refused(args, here);
            let steers = |letter: char| {
                letter.is_control() && letter != '\n' || "\u{202e}\u{2066}".contains(letter)
            };
            assert!(!message.contains(steers), "{args:?}: {message:?}");
        }
    }
}
