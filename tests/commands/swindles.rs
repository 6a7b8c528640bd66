//! Swindles and grades of difficulty, through the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::common::page_data;
use crate::common::program::{ok, refused};

const GAME: &str = "ostle:rows=4,columns=3,pieces=2,losses=2";

#[test]
#[expect(clippy::too_many_lines, reason = "one story, step by step")]
fn swindles_are_mined_bound_and_completed_from_a_sketch() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = [
        "mine",
        GAME,
        "--filter",
        "swindle-2",
        "--filter",
        "swindle-3",
        "--limit",
        "12",
        "--draw",
        "0",
        "-o",
        "out",
    ];
    ok(&mine, here);
    let read = |name: &str| {
        let mut rows = csv::Reader::from_path(here.join(name)).unwrap();
        let names = rows.headers().unwrap().clone();
        let rows: Vec<BTreeMap<String, String>> = rows
            .records()
            .map(|row| {
                let row = row.unwrap();
                let cells = names.iter().zip(&row);
                cells
                    .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
                    .collect()
            })
            .collect();
        rows
    };
    let rows = read("out/swindle-2/puzzles.csv");
    assert_eq!(rows.len(), 12);
    for row in rows.iter().take(3) {
        // Another way to the same: the moves of 'probe'.
        let found = ok(
            &["probe", GAME, &row["position"], "--lure", "2", "--json"],
            here,
        );
        let found: Json = serde_json::from_str(&found).unwrap();
        assert_eq!(found["outcome"], "draw");
        assert_eq!(found["moves"][0]["move"], row["key"]);
        let plies = &found["moves"][0]["forced_plies"];
        let task = format!(
            "Black to move and force a mistake in {plies} plies from a player who looks 2 plies ahead"
        );
        assert_eq!(row["stipulation"], task);
        let tree = found["swindle"].as_str().unwrap();
        assert!(tree.starts_with(&format!("1.{}!", row["key"])), "{tree}");
        assert_eq!(
            (&*row["outcome"], &*row["plies"], &*row["line_solved_at"]),
            ("draw", "", "")
        );
    }
    // Chapters against several players, as a page and as a booklet.
    let files = ["out/swindle-2/puzzles.csv", "out/swindle-3/puzzles.csv"];
    for book in ["b.html", "b.pdf"] {
        ok(
            &[
                "book",
                files[0],
                files[1],
                "-o",
                book,
                "--solutions",
                "full",
            ],
            here,
        );
    }
    let page = fs::read_to_string(here.join("b.html")).unwrap();
    let data = page_data(&page);
    let puzzles = data["puzzles"].as_array().unwrap();
    assert_eq!(puzzles.len(), rows.len() + read(files[1]).len());
    for (puzzle, row) in puzzles.iter().zip(&rows) {
        assert_eq!(puzzle["lured"], true);
        let bits: f64 = row["difficulty"].parse().unwrap();
        assert_eq!(puzzle["grade"][0], stars(bits));
        let found = ok(
            &["probe", GAME, &row["position"], "--lure", "2", "--json"],
            here,
        );
        let found: Json = serde_json::from_str(&found).unwrap();
        let tree = found["swindle"].as_str().unwrap();
        // Text, and the names of moves, each with the number of its ply.
        let pieces = puzzle["solution"].as_array().unwrap().iter();
        let printed: String = pieces
            .map(|piece| piece.as_str().unwrap_or_else(|| piece[0].as_str().unwrap()))
            .collect();
        let first = |text: &str| text.lines().next().unwrap().to_owned();
        assert_eq!(first(&printed), first(tree));
        // The choices of the first turn: the key alone is best, by the plies to the mistake.
        let length = puzzle["length"].as_i64().unwrap();
        let choices = puzzle["nodes"][0][1].as_array().unwrap();
        let best = choices.iter().filter(|it| it[1].as_i64() == Some(length));
        assert_eq!(best.count().to_string(), row["n_best"]);
        assert!(
            choices
                .iter()
                .all(|it| it[1].as_i64().unwrap() <= 0 || it[1].as_i64().unwrap() >= length)
        );
    }
    // A sketch says no more than game, position and task.
    let sketch = |task: &str| {
        let row = &rows[0];
        let text = format!(
            "game,position,stipulation\n\"{GAME}\",{},{task}\n",
            row["position"]
        );
        fs::write(here.join("sketch.csv"), text).unwrap();
    };
    sketch(&rows[0]["stipulation"]);
    ok(&["book", "sketch.csv", "-o", "c.html"], here);
    ok(
        &[
            "export",
            "--puzzles",
            "sketch.csv",
            "--format",
            "csv",
            "-o",
            "full.csv",
        ],
        here,
    );
    let full = read("full.csv");
    for name in ["puzzle_id", "key", "solution", "soundness", "stipulation"] {
        assert_eq!(full[0][name], rows[0][name], "{name}");
    }
    sketch("force a mistake in 98 plies from a player who looks 2 plies ahead");
    assert!(refused(&["book", "sketch.csv", "-o", "d.html"], here).contains("but it takes"));
    // Filters against players who look ahead run if they are named, where lures can be found.
    let other = [
        "mine",
        GAME,
        "--repetition",
        "up-to-symmetry",
        "--filter",
        "swindle-2",
        "-o",
        "no",
    ];
    assert!(refused(&other, here).contains("lures in"));
}

#[test]
fn books_grade_problems_by_how_far_one_must_look_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filters = [
        (
            "easiest",
            "outcome = 'win' AND plies = 7",
            "line_look_ahead",
        ),
        (
            "hardest",
            "outcome = 'win' AND plies = 7",
            "-line_look_ahead",
        ),
        ("lost", "outcome = 'loss' AND plies = 6", "n_moves"),
    ];
    let mut names = csv::StringRecord::new();
    let mut all = Vec::new();
    for (name, condition, order) in filters {
        let text =
            format!("name = '{name}'\npredicate = \"{condition}\"\norder = ['{order}']\nlimit = 2");
        let file = format!("{name}.toml");
        fs::write(here.join(&file), text).unwrap();
        let mine = ["mine", GAME, "--filter", &file, "--draw", "0", "-o", "out"];
        ok(&mine, here);
        let path = here.join(format!("out/{name}/puzzles.csv"));
        let mut reader = csv::Reader::from_path(path).unwrap();
        names = reader.headers().unwrap().clone();
        all.extend(reader.records().map(Result::unwrap));
    }
    let place = |name: &str| names.iter().position(|it| it == name).unwrap();
    // Some of each grade, and a lost position.
    let mut kept: BTreeMap<String, csv::StringRecord> = BTreeMap::new();
    for row in all {
        let solved = if &row[place("outcome")] == "loss" {
            "lost"
        } else {
            &row[place("line_solved_at")]
        };
        kept.entry(solved.to_owned()).or_insert(row);
    }
    assert!(
        kept.len() > 2 && kept.contains_key("lost"),
        "{:?}",
        kept.keys()
    );
    // Files of earlier versions have no such columns.
    let later = ["line_look_ahead", "line_lure_run", "line_solved_at"].map(place);
    for (file, old) in [("new.csv", false), ("old.csv", true)] {
        let mut writer = csv::Writer::from_path(here.join(file)).unwrap();
        for row in std::iter::once(&names).chain(kept.values()) {
            let cells = row.iter().enumerate();
            let cells = cells.filter(|(place, _)| !(old && later.contains(place)));
            writer.write_record(cells.map(|(_, cell)| cell)).unwrap();
        }
        writer.flush().unwrap();
    }
    let grades = |csv: &str, html: &str| {
        ok(&["book", csv, "-o", html], here);
        let page = fs::read_to_string(here.join(html)).unwrap();
        let data = page_data(&page);
        let notes = data["notes"].as_array().unwrap().clone();
        assert!(
            notes
                .iter()
                .any(|note| note.as_str().unwrap().starts_with("Stars say"))
        );
        let puzzles = data["puzzles"].as_array().unwrap().iter();
        puzzles
            .map(|puzzle| puzzle["grade"].clone())
            .collect::<Vec<_>>()
    };
    let found = grades("new.csv", "new.html");
    assert_eq!(grades("old.csv", "old.html"), found);
    let words = ["very easy", "easy", "medium", "hard", "very hard"];
    for ((solved, row), grade) in kept.iter().zip(&found) {
        let position = &row[place("position")];
        let checked = ok(&["check", GAME, position, "--json"], here);
        let checked: Json = serde_json::from_str(&checked).unwrap();
        let profile = &checked["depth_profile"];
        let number = |name: &str| row[place(name)].parse::<f64>().ok();
        let wasted = number("line_look_ahead").unwrap_or(0.0) / 100.0;
        let moves = number("n_moves").unwrap();
        let stars = stars(number("difficulty").unwrap() + wasted * moves.log2());
        let expected = serde_json::json!([stars, words[stars - 1]]);
        assert_eq!(*grade, expected, "{position}");
        assert_eq!(checked["stars"], stars);
        if solved == "lost" {
            assert_eq!(*profile, Json::Null);
            continue;
        }
        for name in ["line_look_ahead", "line_lure_run", "line_solved_at"] {
            let of_row = row[place(name)].parse::<u64>().ok();
            assert_eq!(profile[name].as_u64(), of_row, "{name}");
        }
    }
}

/// Stars by the page on lures: one, and one more from each of these efforts on.
fn stars(effort: f64) -> usize {
    1 + [8.0, 16.0, 28.0, 48.0]
        .iter()
        .filter(|&&least| effort >= least)
        .count()
}

/// What is published was made by a program with the same themes and scores.
#[test]
fn the_published_swindles_are_those_that_are_mined() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = "ostle:4x4,pieces=3,losses=2";
    let mine = ["mine", game, "--filter", "swindle-3", "--draw", "0"];
    ok(&[&mine[..], &["-o", "o"]].concat(), here);
    let published = "output/ostle/lures/swindles/swindle-3.csv";
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join(published);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let found = read(&here.join("o/swindle-3/puzzles.csv"));
    assert!(found == read(&published), "renew {}", published.display());
}
