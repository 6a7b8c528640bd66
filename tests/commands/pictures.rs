//! The commands that draw, from outside: files, formats, refusals.

use std::fs;
use std::path::Path;

use tesuji::export::{read_csv, write_csv};
use tesuji::mine::PuzzleRow;

use crate::common::files;
use crate::common::program::{self, ok, threaded};

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// The one message of a refusal, which leaves no file.
fn refused(args: &[&str], folder: &Path) -> String {
    let before = files(folder);
    let errors = program::refused(args, folder);
    assert_eq!(files(folder), before, "{args:?} left something");
    errors
}

#[test]
fn a_sheet_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let sheet = ok(&["style", "dark"], here);
    assert!(sheet.starts_with("# Light lines on a dark ground.\n"));
    fs::write(here.join("my.toml"), &sheet).unwrap();
    let drawn = |style: &str| ok(&["draw", SMALL, "initial", "--style", style], here);
    assert_eq!(drawn("my.toml"), drawn("dark"));
    fs::write(here.join("my.toml"), "base = \"dark\"\ncell_mm = 20\n").unwrap();
    assert!(drawn("my.toml").contains(" width=\"78.")); // three cells and more
    assert!(ok(&["style", "my.toml"], here).contains("cell_mm = 20.0\n"));
    fs::write(here.join("my.toml"), "cell_mm = 20\nink = 3\n").unwrap();
    for command in [
        &["style", "my.toml"][..],
        &["draw", SMALL, "initial", "--style", "my.toml"],
        &["mine", SMALL, "--style", "my.toml"],
        &[
            "solution", SMALL, "initial", "--style", "my.toml", "--tree", "t.svg",
        ],
    ] {
        let said = refused(command, here);
        assert!(said.contains("my.toml, line 2, column 7: ink: "), "{said}");
    }
    assert!(refused(&["style", "sepia"], here).contains("use print, screen or dark"));
    assert!(refused(&["style", "none.toml"], here).contains("cannot read style sheet none.toml"));
}

#[test]
fn formats_follow_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let draw = ["draw", SMALL, "initial", "-o"];
    let with = |rest: &[&'static str]| [&draw[..], rest].concat();
    ok(&with(&["a.png", "--dpi", "72"]), here);
    assert!(
        fs::read(here.join("a.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    let coarse = fs::read(here.join("a.png")).unwrap();
    let said = refused(&with(&["a.png", "--dpi", "300"]), here);
    assert!(said.contains("a.png exists with other content"), "{said}");
    ok(&with(&["a.png", "--dpi", "300", "--force"]), here);
    assert!(fs::read(here.join("a.png")).unwrap().len() > coarse.len());
    // Pixels hold no font: letters are outlines, the same on every machine.
    fs::write(here.join("embedded.toml"), "lettering = \"embedded\"").unwrap();
    ok(&with(&["c.png", "--style", "embedded.toml"]), here);
    assert_eq!(
        fs::read(here.join("c.png")).unwrap(),
        fs::read(here.join("a.png")).unwrap()
    );
    // No font has such a letter, and an empty box is none.
    let said = refused(&with(&["c.png", "--caption", "\u{10fffd}"]), here);
    assert!(said.contains("no font has the letter"), "{said}");
    for name in ["c.pdf", "c.eps"] {
        let said = refused(&with(&[name, "--caption", "Go \u{10fffd}"]), here);
        assert!(
            said.contains("no font has the letter '\u{10fffd}'"),
            "{said}"
        );
        assert!(
            said.contains("--font FILE") && !said.contains("use SVG"),
            "{said}"
        );
    }
    let said = refused(&with(&["a.gif"]), here);
    assert!(
        said.contains("a.gif: the name of a picture must end in .svg, .png, .pdf or .eps"),
        "{said}"
    );
    assert!(refused(&with(&["b.png", "--dpi", "9"]), here).contains("20..=2400"));
    assert!(refused(&with(&["b.svg", "--grid"]), here).contains("--grid, --animate and --columns"));
}

#[test]
fn marks_and_words_on_one_board() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let draw = ["draw", SMALL, "initial"];
    let with = |rest: &[&'static str]| [&draw[..], rest].concat();
    let plain = ok(&draw, here);
    let marked = ok(
        &with(&["--highlight", "a1,c3", "--arrows", "a1U,b1U"]),
        here,
    );
    let paths = |svg: &str| svg.matches("<path").count();
    // Four brackets a square, each on its halo, an arrow a move, a cross where the piece on b1
    // falls.
    assert_eq!(paths(&marked), paths(&plain) + 16 + 2 + 1);
    let words = ok(
        &with(&[
            "--number",
            "7",
            "--stipulation",
            "Win in 3",
            "--caption",
            "After Bell",
        ]),
        here,
    );
    for label in ["7", "Win in 3", "After Bell"] {
        assert!(
            words.contains(&format!("aria-label=\"{label}\"")),
            "{label}"
        );
    }
    let said = refused(&with(&["--highlight", "a1,d1"]), here);
    assert!(
        said.contains("--highlight: the board has no square 'd1'"),
        "{said}"
    );
    let said = refused(&with(&["--highlight", "11"]), here);
    assert!(
        said.contains("invalid square '11': write a letter and a number"),
        "{said}"
    );
    let said = refused(&with(&["--arrows", "b3U"]), here);
    assert!(said.contains("--arrows: b3U is not a legal move"), "{said}");
}

#[test]
fn snippets_name_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let args = [
        "draw",
        SMALL,
        "initial",
        "--caption",
        "50% done",
        "-o",
        "a.png",
        "--snippet",
    ];
    let latex = ok(&[&args[..], &["latex"]].concat(), here);
    assert!(
        latex.contains("]{a.png}") && !latex.contains("\\caption"),
        "{latex}"
    );
    assert!(
        latex.contains("alt={Black: a1, b1. White: b3, c3. Hole: b2. Black to move.}"),
        "{latex}"
    );
    let typst = ok(&[&args[..], &["typst"]].concat(), here);
    assert!(
        typst.starts_with("#figure(\n  image(\"a.png\", width: "),
        "{typst}"
    );
    assert!(here.join("a.png").exists());
    let eps = [
        "draw",
        SMALL,
        "initial",
        "-o",
        "a.eps",
        "--snippet",
        "typst",
    ];
    let said = refused(&eps, here);
    assert!(said.contains("Typst reads no EPS"), "{said}");
    assert!(!here.join("a.eps").exists());
}

/// A PDF and an EPS print with black ink alone, on a page as large as the picture.
#[test]
fn vectors_for_the_press() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let draw = |rest: &[&str]| ok(&[&["draw", SMALL, "initial"][..], rest].concat(), here);
    let latex = draw(&["-o", "a.pdf", "--snippet", "latex"]);
    assert!(
        latex.contains("graphicx") && latex.contains("]{a.pdf}"),
        "{latex}"
    );
    assert!(!latex.contains("svg"), "{latex}");
    let pdf = fs::read(here.join("a.pdf")).unwrap();
    let pdf = hayro_syntax::Pdf::new(pdf).expect("a sound PDF");
    let pages = pdf.pages();
    assert_eq!(pages.len(), 1);
    let svg = draw(&[]);
    let width = svg
        .split_once(" width=\"")
        .unwrap()
        .1
        .split_once("mm")
        .unwrap()
        .0;
    let width: f32 = width.parse().unwrap();
    let (wide, _) = pages[0].render_dimensions();
    assert!(
        (wide * 25.4 / 72.0 - width).abs() < 0.05,
        "{wide} points, {width} mm"
    );
    let mut operations = pages[0].operations();
    let mut grey = 0;
    while let Some(operation) = operations.next() {
        let name = String::from_utf8_lossy(operation.operator).into_owned();
        assert!(
            !["rg", "RG", "cs", "CS", "scn", "SCN"].contains(&name.as_str()),
            "{name}"
        );
        grey += usize::from(name == "g" || name == "G");
    }
    assert!(grey > 0);
    draw(&["-o", "a.eps"]);
    let eps = fs::read_to_string(here.join("a.eps")).unwrap();
    assert!(eps.starts_with("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 "));
    assert!(eps.contains("0 setgray") && !eps.contains("setrgbcolor"));
    draw(&["--style", "screen", "-o", "c.eps"]);
    assert!(
        fs::read_to_string(here.join("c.eps"))
            .unwrap()
            .contains("setrgbcolor")
    );
    // A line on pages is one file.
    draw(&["--moves", "a1U,c3D", "--grid", "-o", "line.pdf"]);
    assert!(here.join("line.pdf").exists());
}

#[test]
fn lines_become_strips_pages_and_films() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(
        here.join("small.toml"),
        "page_mm = 60\npage_height_mm = 60\n",
    )
    .unwrap();
    let line = [
        "draw",
        SMALL,
        "initial",
        "--moves",
        "a1U,c3D",
        "--caption",
        "Two",
    ];
    let with = |rest: &[&'static str]| [&line[..], rest].concat();
    let film = ok(&with(&["--animate"]), here);
    assert!(film.contains("@keyframes") && film.contains("<title>Two</title>"));
    let said = refused(&with(&["--grid", "--style", "small.toml"]), here);
    assert!(said.contains("the line takes 3 pages"), "{said}");
    ok(
        &with(&["--grid", "--style", "small.toml", "-o", "p.svg"]),
        here,
    );
    let names: Vec<_> = files(here).into_keys().collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(here.join("p-1.svg").exists() && here.join("p-3.svg").exists());
    assert_eq!(ok(&with(&["--grid"]), here).matches("<title>").count(), 1);
}

#[test]
fn solutions_become_trees() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = read_csv(mined(here).as_bytes()).unwrap();
    let position = rows[0].position.as_str();
    let text = ok(&["solution", SMALL, position], here);
    let tree = ["solution", SMALL, position, "--tree", "tree.svg"];
    assert_eq!(ok(&tree, here), "");
    let picture = || fs::read_to_string(here.join("tree.svg")).unwrap();
    let plain = picture();
    // The picture's description is the solution in words, without its soundness.
    let (words, _) = text.split_once("\nsoundness").unwrap();
    assert!(plain.contains(&format!("<desc>{words}")), "{words}");
    // Its name is the task.
    let (task, _) = words.split_once('\n').unwrap();
    assert!(
        plain.contains(&format!("<svg aria-label=\"{task}\" ")),
        "{task}"
    );
    // Replies may stand together.
    for mv in rows[0].solution.split(' ').step_by(2) {
        assert!(
            plain.contains(&format!("{mv}\"")) || plain.contains(&format!("{mv}!\"")),
            "{mv}"
        );
    }
    let boards = [&tree[..], &["--boards"]].concat();
    assert!(refused(&boards, here).contains("tree.svg exists with other content"));
    ok(&[&boards[..], &["--force"]].concat(), here);
    assert!(picture().matches("<circle").count() > plain.matches("<circle").count());
    let alone = ["solution", SMALL, position, "--boards"];
    assert!(refused(&alone, here).contains("--tree"));
}

/// The CSV of a few puzzles.
fn mined(here: &Path) -> String {
    let filter = "name = \"wins\"\ntitle = \"Wins\"\ntext = \"Wins.\"\npredicate = \"outcome = 'win' AND plies > 3\"\nlimit = 12\n";
    fs::write(here.join("wins.toml"), filter).unwrap();
    ok(
        &[
            "mine",
            SMALL,
            "--filter",
            "wins.toml",
            "-o",
            "mined",
            "--draw",
            "12",
        ],
        here,
    );
    fs::read_to_string(here.join("mined/wins/puzzles.csv")).unwrap()
}

#[test]
fn all_puzzles_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let csv = mined(here);
    let draw = ["draw", "--puzzles", "mined/wins/puzzles.csv", "-o", "out"];
    let with = |rest: &[&'static str]| [&draw[..], rest].concat();
    assert_eq!(ok(&with(&["--solution"]), here), "24 pictures in out\n");
    let mut mined = files(&here.join("mined/wins"));
    mined.retain(|path, _| path.extension().is_some_and(|end| end == "svg"));
    assert!(mined.remove(Path::new("sheet.svg")).is_some());
    let drawn = files(&here.join("out"));
    assert!(drawn == mined, "not the same pictures as while mining");
    // Again: nothing changes. Another style: refused, unless forced.
    ok(&with(&["--solution"]), here);
    assert_eq!(files(&here.join("out")), drawn);
    let said = refused(&with(&["--solution", "--style", "dark"]), here);
    assert!(said.contains("exists with other content"), "{said}");
    let said = refused(&draw, here);
    assert!(
        said.contains("-solution.svg is a picture of an earlier, different run"),
        "{said}"
    );
    assert_eq!(
        ok(&with(&["--force", "--format", "png", "--dpi", "40"]), here),
        "12 pictures in out\n"
    );
    let names: Vec<_> = files(&here.join("out")).into_keys().collect();
    assert_eq!(names.len(), 12);
    assert!(
        names
            .iter()
            .all(|name| name.extension().is_some_and(|end| end == "png"))
    );

    // What is wrong is told with its row, and nothing is written.
    let rows = read_csv(csv.as_bytes()).unwrap();
    let broken = |change: fn(&mut PuzzleRow)| {
        let mut rows = rows.clone();
        change(&mut rows[1]);
        let mut text = Vec::new();
        write_csv(&mut text, &rows).unwrap();
        fs::write(here.join("broken.csv"), text).unwrap();
        let draw = ["draw", "--puzzles", "broken.csv", "--solution", "-o", "new"];
        refused(&draw, here)
    };
    let said = broken(|row| row.puzzle_id = "../../somewhere.".to_owned());
    let expected = "broken.csv, row 2: the puzzle_id \"../../somewhere.\" must be 16";
    assert!(said.contains(expected), "{said}");
    let said = broken(|row| row.position = "3/3/3 x -".to_owned());
    assert!(said.contains("broken.csv, row 2: "), "{said}");
    let said = broken(|row| row.solution = "z9U".to_owned());
    assert!(said.contains("broken.csv, row 2: "), "{said}");
    let said = broken(|row| row.solution += " a1U");
    let expected = "row 2: a1U comes after the end of the game";
    assert!(said.contains(expected), "{said}");
    let said = broken(|row| row.game = "go".to_owned());
    assert!(said.contains("unknown game 'go'"), "{said}");
    assert!(refused(&["draw", "--puzzles", "none.csv", "-o", "new"], here).contains("none.csv"));
    assert!(!here.join("new").exists());
}

#[test]
fn threads_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    mined(here);
    for threads in ["1", "4"] {
        let puzzles = ["draw", "--puzzles", "mined/wins/puzzles.csv", "--solution"];
        let args = [&puzzles[..], &["-o", threads]].concat();
        assert!(threaded(threads, &args, here).status.success());
    }
    assert_eq!(files(&here.join("1")), files(&here.join("4")));
}

/// Lines in which something is dropped, taken into a hand or promoted.
#[test]
fn every_kind_of_move_can_be_put_in_motion() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (spec, position, moves, words) in [
        ("tapatan", "b.w/.b./... w", "c1", "1.M@c1"),
        (
            "neutreeko",
            ".w.w./..b../...../..w../.b.b. b",
            "b1-b4,c2-a4",
            "c2a4",
        ),
        ("dobutsu", "S/gle/-c-/-C-/ELG/-", "Cb3xb2,Lb1xb2", "Lb1xb2"),
        ("dobutsu", "S/l--/--C/---/--L/EGGec", "G*b3", "1.G*b3"),
        ("dobutsu", "S/l--/--C/---/--L/EGGec", "Cc2-c1+", "1.Cc2-c1+"),
    ] {
        let film = ok(
            &["draw", spec, position, "--moves", moves, "--animate"],
            here,
        );
        assert!(
            film.contains("@keyframes") && film.contains(words),
            "{spec} {moves}"
        );
    }
}
