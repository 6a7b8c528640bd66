//! Books from the command line: the booklet read back, the data of the page against
//! the naive solver, and what is refused.

mod fitting;
mod joined;
mod letters;
mod mates;
mod parts;
mod played;
pub mod reading;
mod shells;
mod site;
mod spoken;
mod still;

use std::fs;
use std::path::Path;

use crate::common::golden;
use crate::common::program::{ok, refused};
use reading::{bookmarks, decode, links, open, texts};
use tempfile::TempDir;
use tesuji::mine::PuzzleRow;
use tesuji::session::title;

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// Conditions, and how many finds of each go into the book.
const FINDS: [(&str, &str, usize); 3] = [
    (
        "wins",
        "outcome = 'win' AND plies BETWEEN 5 AND 9 AND n_best = 1",
        3,
    ),
    ("draws", "outcome = 'draw' AND n_best = 1", 2),
    ("losses", "outcome = 'loss' AND plies BETWEEN 4 AND 6", 2),
];

/// A folder with `puzzles.csv`: three wins, two draws, two losses.
fn mined() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut csv = String::new();
    for (name, condition, count) in FINDS {
        let filter = format!(
            "name = \"{name}\"\ntitle = \"{name}\"\ntext = \"{name}\"\npredicate = \"{condition}\"\norder = [\"-plies\", \"n_winning\"]\nlimit = 3\n"
        );
        let file = format!("{name}.toml");
        fs::write(here.join(&file), filter).unwrap();
        ok(
            &[
                "mine", SMALL, "--filter", &file, "--draw", "0", "--output", "finds",
            ],
            here,
        );
        let found = fs::read_to_string(here.join("finds").join(name).join("puzzles.csv")).unwrap();
        let header = usize::from(!csv.is_empty());
        for line in found.lines().skip(header).take(count + 1 - header) {
            csv += line;
            csv.push('\n');
        }
    }
    fs::write(here.join("puzzles.csv"), csv).unwrap();
    folder
}

/// The CSV with `from` replaced by `to` everywhere.
fn edited(folder: &Path, name: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join("puzzles.csv")).unwrap();
    assert!(text.contains(from), "{from} is not in the CSV");
    fs::write(folder.join(name), text.replace(from, to)).unwrap();
}

#[test]
fn puzzles_are_titled_by_their_filter() {
    let titled = |filters: &[&str]| {
        let rows = filters.iter().map(|filter| PuzzleRow {
            filter: (*filter).to_owned(),
            ..PuzzleRow::default()
        });
        title(&rows.collect::<Vec<_>>())
    };
    assert_eq!(titled(&["longest-wins", "longest-wins"]), "Longest wins");
    assert_eq!(titled(&["longest-wins", "easy"]), "Puzzles");
    assert_eq!(
        titled(&["where", "where"]),
        "Puzzles",
        "`--where` is no name"
    );
    assert_eq!(titled(&[]), "Puzzles");
}

#[test]
fn the_booklet_says_what_it_should() {
    let folder = mined();
    let here = folder.path();
    let make = |name: &str| {
        let options = [
            "--title",
            "Little Ostle",
            "--author",
            "A. Composer",
            "--per-page",
            "4",
        ];
        ok(
            &[
                &["book", "puzzles.csv", "-o", name, "--paper", "a5"],
                &options[..],
            ]
            .concat(),
            here,
        );
        fs::read(here.join(name)).unwrap()
    };
    let bytes = make("book.pdf");
    assert_eq!(bytes, make("again.pdf"), "the same book has the same bytes");
    // Poppler takes it for an error where a file says that nothing about its tags is suspect.
    assert!(!bytes.windows(8).any(|part| part == b"Suspects"));
    let pdf = open(&bytes);
    let texts = texts(&pdf);
    golden("book/booklet.txt", &(texts.join("\n\u{c}\n") + "\n"));
    // Title, contents, two pages of problems, hints, solutions, two indexes.
    assert!(texts.len() >= 8, "{} pages", texts.len());
    assert!(
        !texts.concat().contains('\u{fffd}'),
        "all text can be copied"
    );
    // Seven parts in the contents; each of seven problems to its solution and back.
    assert_eq!(links(&pdf), 7 + 2 * 7);
    let expected = [
        "Little Ostle",
        "The rules of the game",
        "Problems",
        "1\u{2013}4",
        "5\u{2013}7",
        "Hints",
        "Second hints",
        "Solutions",
        "Index of themes",
        "Index of lengths",
    ];
    let mut found = bookmarks(&pdf);
    found.sort_by_key(|title| expected.iter().position(|other| other == title));
    assert_eq!(found, expected);
    let about = pdf.metadata();
    assert_eq!(
        about.title.as_deref().map(decode).as_deref(),
        Some("Little Ostle")
    );
    assert_eq!(
        about.author.as_deref().map(decode).as_deref(),
        Some("A. Composer")
    );
    assert!(
        about.creation_date.is_none(),
        "a date would change the bytes"
    );
    let (width, height) = pdf.pages()[0].base_dimensions();
    assert!((width - 419.53).abs() < 0.1 && (height - 595.28).abs() < 0.1);
}

/// Every setting gives a sound file with a diagram for every problem.
#[test]
fn every_setting_makes_a_booklet() {
    let folder = mined();
    let here = folder.path();
    for (paper, count, style) in [
        ("a4", "1", "screen"),
        ("letter", "12", "dark"),
        ("a5", "9", "print"),
    ] {
        let options = [
            "--paper",
            paper,
            "--per-page",
            count,
            "--style",
            style,
            "--force",
        ];
        ok(
            &[&["book", "puzzles.csv", "-o", "book.pdf"], &options[..]].concat(),
            here,
        );
        let pdf = open(&fs::read(here.join("book.pdf")).unwrap());
        let texts = texts(&pdf);
        let pages = 7_usize.div_ceil(count.parse().unwrap());
        let problems = texts.iter().filter(|text| text.contains("to move and"));
        assert!(problems.count() > pages, "{paper}");
        let last = "7. Black to move and lose in ";
        assert!(
            texts.iter().any(|text| text.contains(last)),
            "{paper}: {texts:#?}"
        );
    }
}

/// No markup language stands between a CSV and the page.
#[test]
fn texts_are_only_ever_text() {
    let folder = mined();
    let here = folder.path();
    let evil = "#read(/etc/passwd) $x$ *b* </script> \\ (]>>";
    edited(here, "evil.csv", "Black to move and draw", evil);
    ok(
        &["book", "evil.csv", "-o", "evil.pdf", "--title", evil],
        here,
    );
    let pdf = open(&fs::read(here.join("evil.pdf")).unwrap());
    // Lines may break anywhere.
    let texts: Vec<String> = texts(&pdf)
        .iter()
        .map(|text| text.replace('\n', " "))
        .collect();
    assert!(texts[0].contains(evil), "{}", texts[0]);
    assert!(texts[2..].iter().any(|text| text.contains(evil)));
    assert_eq!(
        pdf.metadata().title.as_deref().map(decode).as_deref(),
        Some(evil)
    );
    ok(
        &["book", "evil.csv", "-o", "evil.html", "--title", evil],
        here,
    );
    let html = fs::read_to_string(here.join("evil.html")).unwrap();
    // In the data not even the beginning of a tag may stand.
    assert_eq!(html.matches("</script").count(), 2, "of data and script");
    let data = html.split("id=\"book\">").nth(1).unwrap();
    let data = data.split("</script").next().unwrap();
    assert!(data.contains("u003c/script") && !data.contains(['<', '>', '&']));
    assert!(
        html.contains("<title>#read(/etc/passwd) $x$ *b* &lt;/script&gt; \\ (]&gt;&gt;</title>")
    );
}

#[test]
fn refusals_name_the_place_and_the_remedy() {
    let folder = mined();
    let here = folder.path();
    let refuse = |args: &[&str]| refused(&[&["book"], args].concat(), here);

    let text = refuse(&["puzzles.csv", "-o", "book.doc"]);
    assert!(
        text.contains("book.doc") && text.contains(".pdf or .html"),
        "{text}"
    );
    let text = refuse(&["none.csv", "-o", "book.pdf"]);
    assert!(text.contains("none.csv"), "{text}");
    let text = refuse(&["puzzles.csv", "-o", "book.pdf", "--paper", "a0"]);
    assert!(text.contains("a0") && text.contains("letter"), "{text}");

    let csv = fs::read_to_string(here.join("puzzles.csv")).unwrap();
    let header = csv.lines().next().unwrap();
    fs::write(here.join("empty.csv"), format!("{header}\n")).unwrap();
    let text = refuse(&["empty.csv", "-o", "book.pdf"]);
    assert!(text.contains("has no puzzles"), "{text}");

    // The second row says something else than the table.
    let plies = csv
        .lines()
        .nth(2)
        .unwrap()
        .split(" win in ")
        .nth(1)
        .unwrap();
    let plies = plies.split(',').next().unwrap().to_owned();
    let row = csv.lines().nth(2).unwrap();
    let other = row.replace(&format!(",win,{plies},"), ",win,99,");
    assert_ne!(row, other);
    fs::write(here.join("edited.csv"), csv.replace(row, &other)).unwrap();
    let text = refuse(&["edited.csv", "-o", "book.pdf"]);
    assert!(
        text.contains("edited.csv, row 2: ") && text.contains("win in 99"),
        "{text}"
    );

    let fingerprint = csv
        .lines()
        .nth(1)
        .unwrap()
        .rsplit(',')
        .next()
        .unwrap()
        .to_owned();
    edited(here, "foreign.csv", &fingerprint, "0123");
    let text = refuse(&["foreign.csv", "-o", "book.html"]);
    assert!(
        text.contains("foreign.csv, row 1: ") && text.contains("0123") && text.contains("--table"),
        "{text}"
    );

    edited(here, "games.csv", SMALL, "ostle:3x3,pieces=2,losses=1");
    let mixed = fs::read_to_string(here.join("games.csv")).unwrap();
    fs::write(
        here.join("mixed.csv"),
        format!("{csv}{}\n", mixed.lines().nth(1).unwrap()),
    )
    .unwrap();
    let text = refuse(&["mixed.csv", "-o", "book.html"]);
    assert!(text.contains("mixed.csv, row 8: "), "{text}");

    let text = refuse(&["puzzles.csv", "-o", "book.pdf", "--title", "手筋"]);
    assert!(text.contains("U+624B") && text.contains("手筋"), "{text}");

    assert!(!here.join("book.pdf").exists() && !here.join("book.html").exists());
    fs::write(here.join("book.html"), "mine").unwrap();
    let text = refuse(&["puzzles.csv", "-o", "book.html"]);
    assert!(text.contains("--force"), "{text}");
    assert_eq!(fs::read_to_string(here.join("book.html")).unwrap(), "mine");
}
