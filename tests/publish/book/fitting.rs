//! Books whose texts are longer than usual: nothing leaves the paper, overlaps or is torn apart.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hayro_syntax::Pdf;

use super::SMALL;
use super::reading::{areas, bookmarks, open, scales, texts, words};
use crate::common::program::ok;

/// Positions that Black wins, for files of problems.
fn won(plies: &str, here: &Path) -> Vec<String> {
    let filter = format!("name = 'f'\npredicate = \"outcome = 'win' AND {plies}\"\nlimit = 80\n");
    fs::write(here.join("f.toml"), filter).unwrap();
    let args = [
        "mine", SMALL, "--filter", "f.toml", "--draw", "0", "--force",
    ];
    ok(&[&args[..], &["-o", "finds"]].concat(), here);
    let rows = fs::File::open(here.join("finds/f/puzzles.csv")).unwrap();
    let rows = tesuji::export::read_csv(rows).unwrap();
    let rows: Vec<String> = rows.into_iter().map(|row| row.position).collect();
    rows
}

/// Writes a file of problems, each with title, author and what is asked, if it has them.
fn write(positions: &[String], more: impl Fn(usize) -> String, name: &str, here: &Path) {
    let mut csv = "game,position,title,author,stipulation\n".to_owned();
    for (place, position) in positions.iter().enumerate() {
        writeln!(csv, "\"{SMALL}\",{position},{},", more(place)).unwrap();
    }
    fs::write(here.join(name), csv.replace("!,\n", "\n")).unwrap();
}

/// The book of some files, on whose pages no text overlaps another.
fn made(files: &[&str], more: &[&str], here: &Path) -> Pdf {
    let args = ["-o", "book.pdf", "--force"];
    ok(&[&["book"], files, &args, more].concat(), here);
    let pdf = open(&fs::read(here.join("book.pdf")).unwrap());
    for (page, words) in words(&pdf).iter().enumerate() {
        for (place, (x, y, text)) in words.iter().enumerate() {
            assert!((20.0..800.0).contains(y), "page {page}: {text} at {y}");
            for (left, base, other) in &words[..place] {
                let apart = (base - y).abs();
                let over = (left - x).abs() < 30.0 && apart > 0.1 && apart < 7.0;
                assert!(!over, "page {page}: {text} is over {other}");
            }
        }
    }
    pdf
}

#[test]
fn what_is_said_of_one_problem_stands_on_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(
        &["bw1/o2/1b1 b -".to_owned()],
        |_| ",".to_owned(),
        "p.csv",
        here,
    );
    // The solution ends below the middle of the page.
    let small = texts(&made(&["p.csv"], &["--paper", "a5"], here));
    assert_eq!(small.len(), 2);
    assert!(small[1].contains("How to read the solution"));
    // A hint of one line stands in the left column.
    let pages = words(&made(&["p.csv"], &["--paper", "a4"], here));
    let hint = pages[1].iter().find(|(.., text)| text.starts_with("1."));
    assert!(hint.is_some_and(|&(x, ..)| x < 100.0), "{:?}", pages[1]);
}

/// Credits that are longer than the others, as long as titles may be.
#[test]
fn a_long_credit_takes_no_room_from_other_diagrams() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let positions = won("plies >= 3", here);
    let sizes = |credit: &str| {
        let credits = |place| {
            if place == 3 {
                credit.to_owned()
            } else {
                ",".to_owned()
            }
        };
        write(&positions[..12], credits, "p.csv", here);
        let pdf = made(&["p.csv"], &["--paper", "a5", "--per-page", "12"], here);
        let text = texts(&pdf).join(" ").replace('\n', " ");
        assert!(text.contains(credit.split(',').next().unwrap()), "{text}");
        let all = scales(&pdf).into_iter();
        (all.fold(f64::INFINITY, f64::min), bookmarks(&pdf))
    };
    let (plain, marks) = sizes(",");
    assert!(marks.contains(&"1\u{2013}12".to_owned()), "{marks:?}");
    for repeats in [1, 5] {
        let title = vec!["The return of the lost piece and its end"; repeats].join(" ");
        let (least, _) = sizes(&format!("{title},A. Composer and B. Composer of Kyoto"));
        assert!(least > 0.9 * plain, "{least}, not {plain}");
    }
    // Nor does an endless one overlap anything.
    let title = "Endless ".repeat(900);
    write(
        &positions[..4],
        |_| format!("{title},{title}"),
        "p.csv",
        here,
    );
    for count in ["1", "4", "12"] {
        made(&["p.csv"], &["--paper", "a5", "--per-page", count], here);
    }
}

#[test]
fn contents_have_as_many_pages_as_they_need() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let names: Vec<String> = (10..50).map(|number| format!("c{number}.csv")).collect();
    for (two, name) in won("plies >= 3", here).chunks(2).zip(&names) {
        write(two, |_| ",".to_owned(), name, here);
    }
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let pdf = made(&files, &["--paper", "a5", "--per-page", "1"], here);
    let texts = texts(&pdf);
    let note = texts.iter().position(|text| text.contains("leads to its"));
    assert!(note.is_some_and(|page| page < 5), "{note:?}");
    let pages = words(&pdf);
    let listed: Vec<_> = pages[1..4].iter().flatten().collect();
    for number in 10..50 {
        let title = format!("C{number}");
        let at = listed.iter().position(|(.., text)| *text == title).unwrap();
        let page: usize = listed[at + 1].2.parse().unwrap();
        let heading = |(.., text): &(f64, f64, String)| *text == title;
        assert!(pages[page - 1].iter().any(heading), "{title} on {page}");
    }
    // A page with one problem is named after it.
    let marks = bookmarks(&pdf);
    assert!(marks.contains(&"7".to_owned()), "{marks:?}");
}

#[test]
fn long_titles_and_names_of_files_stay_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let positions = won("plies >= 3", here);
    let name = "Problems of the tournament for small boards that took place in the other towns of the year";
    for (two, name) in positions
        .chunks(2)
        .zip([format!("{name}.csv"), "b.csv".to_owned()])
    {
        write(two, |_| ",".to_owned(), &name, here);
    }
    let title = vec!["A long title of a book"; 29].join(" ");
    let file = format!("{name}.csv");
    let pdf = made(
        &[&file, "b.csv"],
        &["--paper", "a5", "--title", &title],
        here,
    );
    let texts = texts(&pdf);
    assert!(texts[0].replace('\n', " ").contains(&title), "{}", texts[0]);
    let (head, words) = (&name[..30], words(&pdf));
    let page = words[4..]
        .iter()
        .find(|words| words.iter().any(|(.., text)| text.contains(head)));
    let runs: Vec<&str> = page
        .unwrap()
        .iter()
        .map(|(.., text)| text.as_str())
        .collect();
    assert!(!runs.contains(&name), "{runs:?}");
    assert!(runs.concat().contains(name), "{runs:?}");
    assert!(
        runs.iter().any(|text| text.ends_with('\u{2026}')),
        "{runs:?}"
    );
}

/// What is said of a problem begins below its number, and what leads to it is where the number is.
#[test]
fn columns_tear_no_entry_apart() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let positions = won("plies >= 3", here);
    let style = "[solutions]\ncolumns = 3\nrun-in = true\n";
    fs::write(here.join("house.toml"), style).unwrap();
    let alike = won("plies = 7", here);
    for count in [2, 8, 22] {
        write(&alike[..count], |_| ",".to_owned(), "p.csv", here);
        let pdf = made(&["p.csv"], &["--paper", "a4"], here);
        let pages = words(&pdf);
        let index = pages.last().unwrap();
        let entries = index.windows(2).filter(|two| two[0].2.ends_with(" plies"));
        let entries: Vec<_> = entries.collect();
        assert!(!entries.is_empty(), "{index:?}");
        for two in entries {
            assert!((two[1].0 - two[0].0 - 14.0).abs() < 0.1, "{two:?}");
        }
    }
    let task = "find the way in which the hole stays in the middle and ".repeat(4);
    write(&positions[..30], |_| format!(",,{task}!"), "p.csv", here);
    let more = ["--template", "house.toml", "--solutions", "full"];
    let pdf = made(&["p.csv"], &more, here);
    let (pages, links, texts) = (words(&pdf), areas(&pdf), texts(&pdf));
    let mut checked = 0;
    for (page, links) in links.iter().enumerate().skip(2) {
        for [left, top, right, bottom] in links {
            if !texts[page].contains("Solutions") {
                continue;
            }
            checked += 1;
            let within = |(x, y, text): &(f64, f64, String)| {
                let number = text.trim_end_matches(['.', ' ']).parse::<usize>();
                number.is_ok() && (left - 0.1..=*right).contains(x) && (*top..=*bottom).contains(y)
            };
            assert!(pages[page].iter().any(within), "page {page}: {left} {top}");
        }
    }
    assert_eq!(checked, 30);
}
