//! What an editor looks at before anything is printed: ink, marks, trees, folders, pages.

mod deck;
mod hidden;
mod marks;
mod own_columns;
mod sketches;
mod trees;

use std::fs;

use crate::book::reading::{open, operators};
use crate::common::program::{ok, refused};
use tesuji::draw::Style;

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// A filter file.
fn filter(condition: &str) -> String {
    format!(
        "name = \"wins\"\ntitle = \"Wins\"\ntext = \"Wins.\"\npredicate = \"{condition}\"\nlimit = 9\n"
    )
}

#[test]
fn a_printed_book_needs_black_ink_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("wins.toml"),
        filter("outcome = 'win' AND plies = 5"),
    )
    .unwrap();
    ok(&["mine", SMALL, "--filter", "wins.toml", "-o", "out"], here);
    let csv = "out/wins/puzzles.csv";
    for (name, style) in [("k.pdf", "print"), ("c.pdf", "screen")] {
        ok(&["book", csv, "--style", style, "-o", name], here);
        let used = operators(&open(&fs::read(here.join(name)).unwrap()));
        let coloured = ["rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN"];
        let coloured = coloured.iter().any(|colour| used.contains(*colour));
        assert_eq!(coloured, style == "screen", "{style}: {used:?}");
        assert!(used.contains("g") && used.contains("G"), "{used:?}");
    }
}

#[test]
fn mining_looks_at_its_folders_before_it_scans() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = |condition: &str, rest: &[&'static str]| {
        fs::write(here.join("wins.toml"), filter(condition)).unwrap();
        let command = ["mine", SMALL, "--filter", "wins.toml", "-o", "out"];
        [&command[..], rest].concat()
    };
    // Nothing is found: such a result is not in the way of the next.
    ok(&mine("plies > 5000", &[]), here);
    let found = ok(&mine("outcome = 'win' AND plies = 5", &[]), here);
    let kept = fs::read_to_string(here.join("out/wins/puzzles.csv")).unwrap();
    assert!(kept.lines().count() > 1, "{found}");
    // The same run again is no other run.
    ok(
        &mine("outcome = 'win' AND plies = 5", &["--progressive=never"]),
        here,
    );
    // Another one is refused before the game is solved: its table is not even read.
    let solved_first = ["--table", "none.tsj"];
    let said = refused(&mine("outcome = 'win' AND plies = 3", &solved_first), here);
    let expected = "has 9 puzzles of another run; give --force to replace them";
    assert!(said.contains(expected), "{said}");
    let again = fs::read_to_string(here.join("out/wins/puzzles.csv")).unwrap();
    assert_eq!(again, kept);
    ok(&mine("outcome = 'win' AND plies = 3", &["--force"]), here);
}

#[test]
fn squares_are_equally_large_on_all_pages_of_a_book() {
    use tesuji::book::{Book, Credit, Front, Paper, Play, Problem, Setting, Turn, Unit, booklet};
    let problem = |number: u8| Problem {
        id: format!("p{number}"),
        // The captions of the first page are long, those of the second short.
        credit: Credit::default(),
        task: "Move ".repeat(if number < 2 { 40 } else { 1 }),
        side: "Black".to_owned(),
        other: "White".to_owned(),
        plies: 1,
        themes: Vec::new(),
        grade: tesuji::analysis::Grade::new(1, None, 1),
        lured: false,
        unit: Unit::Plies,
        difficulty: 1,
        position: String::new(),
        link: None,
        diagram: tesuji::draw::Diagram::new(4, 4).unwrap(),
        hints: Vec::new(),
        solution: vec!["1.a1".to_owned().into()],
        play: Play {
            turns: vec![Turn {
                board: Vec::new(),
                choices: Vec::new(),
                banned: None,
            }],
            ..Play::default()
        },
    };
    let problems = (0..4).map(problem).collect();
    let front = Front {
        title: "A".to_owned(),
        games: vec!["B".to_owned()],
        ..Front::default()
    };
    let book = Book::new(front, problems).unwrap();
    let setting = Setting {
        paper: Paper::A5,
        per_page: 2,
        style: Style::print(),
        without: Vec::new(),
    };
    let pdf = booklet(&book, &setting).unwrap();
    let mut scales = crate::book::reading::scales(&open(&pdf));
    scales.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    // That of the frontispiece, then one for both pages of two problems.
    assert_eq!(scales.len(), 2, "{scales:?}");
}
