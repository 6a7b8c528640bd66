//! Mate problems from the filter to the book, through the program.

use std::fs;
use std::path::Path;

use tesuji::book::MATE_NOTE;
use tesuji::export::read_csv;

use super::reading::{open, texts};
use crate::common::page_data;
use crate::common::program::{ok, refused};

const GAME: &str = "dobutsu:pieces=lion+chick";

/// The text of a booklet, its lines joined.
fn booklet(here: &Path, csv: &str, name: &str) -> String {
    ok(&["book", csv, "-o", name], here);
    let pages = texts(&open(&fs::read(here.join(name)).unwrap()));
    let text = pages.join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn mates_are_mined_checked_and_bound() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = [
        "mine", GAME, "--filter", "tsume", "--limit", "5", "--draw", "1", "-o", "out",
    ];
    let said = ok(&mine, here);
    assert!(said.contains("to move and mate in"), "{said}");
    let csv = "out/tsume/puzzles.csv";
    let rows = read_csv(fs::File::open(here.join(csv)).unwrap()).unwrap();
    assert_eq!(rows.len(), 5);
    for row in &rows {
        let plies = row.plies.unwrap();
        let task = format!("{} to move and mate in {}", row.side, plies - 2);
        assert_eq!(row.stipulation, task);
        assert_eq!(row.solution.split(' ').count(), usize::from(plies));
    }
    // The program judges the rows by the task that they name.
    let verdicts = ok(&["check", "--puzzles", csv], here);
    assert!(!verdicts.contains("not sound"), "{verdicts}");
    assert!(verdicts.contains("mate in"), "{verdicts}");

    let text = booklet(here, csv, "mates.pdf");
    assert!(text.contains(MATE_NOTE), "{text}");
    for row in &rows {
        assert!(text.contains(&row.stipulation), "{text}");
    }
    ok(&["book", csv, "-o", "mates.html"], here);
    let page = fs::read_to_string(here.join("mates.html")).unwrap();
    for (puzzle, row) in page_data(&page)["puzzles"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&rows)
    {
        assert_eq!(puzzle["length"], row.plies.unwrap() - 2);
    }
    assert!(page.contains(MATE_NOTE));
    ok(&["draw", "--puzzles", csv, "-o", "drawn"], here);

    // Rows of earlier versions ask for the win.
    let mates = fs::read_to_string(here.join(csv)).unwrap();
    let mut wins = mates.clone();
    for plies in [3, 5, 7, 9, 11] {
        wins = wins.replace(
            &format!("mate in {plies},"),
            &format!("win in {},", plies + 2),
        );
    }
    fs::write(here.join("wins.csv"), &wins).unwrap();
    let text = booklet(here, "wins.csv", "wins.pdf");
    assert!(!text.contains(MATE_NOTE) && !text.contains("mate in"));

    // A wrong task is refused, with its puzzle.
    let longer = rows[0].stipulation.replace("mate in ", "mate in 1");
    fs::write(
        here.join("wrong.csv"),
        mates.replacen(&rows[0].stipulation, &longer, 1),
    )
    .unwrap();
    let said = refused(&["book", "wrong.csv", "-o", "w.pdf"], here);
    assert!(said.contains("the shortest win is no such mate"), "{said}");
    assert!(said.contains("wrong.csv, row 1: "), "{said}");
}

#[test]
fn a_sketch_may_ask_for_a_mate() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let sketch = |name: &str, game: &str, position: &str, task: &str| {
        let text = format!("game,position,stipulation\n\"{game}\",{position},{task}\n");
        fs::write(here.join(name), text).unwrap();
    };
    // Two checks by the hen, and the lion is lost.
    sketch("good.csv", GAME, "S/---/R-l/L--/--r/-", "mate in 3");
    let text = booklet(here, "good.csv", "good.pdf");
    assert!(
        text.contains("mate in 3") && text.contains(MATE_NOTE),
        "{text}"
    );
    sketch("long.csv", GAME, "S/---/R-l/L--/--r/-", "mate in 5");
    let said = refused(&["book", "long.csv", "-o", "l.pdf"], here);
    assert!(
        said.contains("mate in 5, but the shortest win is no such mate"),
        "{said}"
    );
    // What 'mate in 3' counts depends on the game, so each note names its games.
    let two = "game,position,stipulation\n\
        chess:KP-K,1k6/1P6/8/2K5/8/8/8/8 w - -,\n\
        dobutsu:pieces=lion+chick,S/---/R-l/L--/--r/-,mate in 3\n";
    fs::write(here.join("two.csv"), two).unwrap();
    let text = booklet(here, "two.csv", "two.pdf");
    for part in [
        "Games: Chess endings (KP-K); Dobutsu shogi (pieces: lion+chick).",
        "Chess endings (KP-K): A problem says who is to move and what is asked. Mate in 5:",
        &format!("Dobutsu shogi (pieces: lion+chick): {MATE_NOTE}"),
        " In solutions ! marks the key",
        // Lengths say what they count, each kind by itself.
        " moves 1 3 plies to mate 2",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other = "ostle:3x3,pieces=2,losses=2";
    sketch("other.csv", other, "initial", "mate in 5");
    let said = refused(&["book", "other.csv", "-o", "o.pdf"], here);
    assert!(
        said.contains("there are no mates by checks in ostle:3x3"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_with_a_mate_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let other = "ostle:3x3,pieces=2,losses=2";
    let said = refused(
        &["check", other, "initial", "--stipulation", "mate in 5"],
        here,
    );
    assert!(
        said.contains("there are no mates by checks in ostle:3x3"),
        "{said}"
    );
    assert!(said.contains("'mate in 5'"), "{said}");
    let filter = |keys: &str| {
        let text = format!("name = \"mine\"\npredicate = \"outcome = 'win'\"\n{keys}\n");
        fs::write(here.join("mine.toml"), text).unwrap();
    };
    let mine = |game| refused(&["mine", game, "--filter", "mine.toml", "-o", "out"], here);
    filter("stipulation = \"mate\"\nlimit = 3");
    let said = mine(other);
    assert!(
        said.contains("filter 'mine' asks for mates by checks"),
        "{said}"
    );
    let said = mine(GAME);
    assert!(
        said.contains("filter mine: the shortest win is no mate"),
        "{said}"
    );
    assert!(said.contains("mate = plies - 2"), "{said}");
    filter("stipulation = \"win\"");
    assert!(mine(GAME).contains("expected `mate`"));
    filter("stipulation = \"mate\"\nagainst = 2");
    assert!(mine(GAME).contains("against and stipulation"));
}
