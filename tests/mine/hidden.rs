//! Problems with hidden information made up, solved and kept.

use std::fs;
use std::path::Path;

use tesuji::export::read_csv;
use tesuji::game::{Game, Hidden};
use tesuji::games::tsuitate::Tsuitate;
use tesuji::mine::PuzzleRow;
use tesuji::solve::belief::{Limits, Mode, solve};

use polars::prelude::{ParquetReader, SerReader};
use tesuji::base::progress::NoProgress;
use tesuji::mine::{Catalogue, Filter, Predicate, hidden};

use crate::common::program::{ok, refused};
use crate::common::{files, with_threads};

const M3: &str = "5S2k/9/8P/9/9/9/9/9/9 b BS 1";

#[test]
fn mining_is_decided_by_seed_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = |output: &str, more: &[&str]| {
        let args = [
            "mine",
            "tsuitate",
            "--filter",
            "needs-foul",
            "--from",
            M3,
            "--output",
            output,
        ];
        ok(&[&args[..], more].concat(), here);
        files(&here.join(output))
    };
    let whole = mine("whole", &["--positions", "2500"]);
    assert_eq!(mine("again", &["--positions", "2500"]), whole);
    // Other seeds give other finds.
    assert_ne!(
        mine("other", &["--positions", "2500", "--seed", "2"]),
        whole
    );
    let csv = fs::read_to_string(here.join("whole/needs-foul/puzzles.csv")).unwrap();
    assert!(csv.starts_with("puzzle_id,game,position"));
    let rows = read_csv(csv.as_bytes()).unwrap();
    assert!(rows.len() > 2, "{csv}");
    // Three tables, run.json, a sheet, and a diagram and a tree of each of the best six.
    assert_eq!(whole.len(), 5 + 2 * rows.len().min(6));
    assert_eq!(
        mine("bare", &["--positions", "2500", "--draw", "0"]).len(),
        4
    );
    let game = Tsuitate::default();
    for row in &rows {
        let state = game.parse_state(&row.position).unwrap();
        let plies = u8::try_from(row.plies.unwrap()).unwrap();
        let within = |plies, fouls| {
            let limits = Limits::new(plies, fouls);
            solve(&game, &state, &limits, Mode::Reference, &NoProgress).unwrap()
        };
        let expected = format!("win in {plies} with 1 foul allowed");
        assert!(row.stipulation.ends_with(&expected), "{}", row.stipulation);
        let solved = within(plies, 1).unwrap();
        let key = game.parse_move(&row.key).unwrap();
        assert_eq!(solved.keys(), [key], "{}", row.position);
        // Not sooner, and not without the foul.
        assert!(within(plies - 1, 1).is_none() && within(plies, 0).is_none());
    }
    let columns = fs::read_to_string(here.join("whole/needs-foul/columns.csv")).unwrap();
    assert!(columns.starts_with("puzzle_id,position,key,own_pieces"));
    assert_eq!(columns.lines().count(), csv.lines().count());
    // Backwards from random wins.
    let any = "name = \"any\"\ntitle = \"Any\"\ntext = \"Any.\"\npredicate = \"plies >= 1\"";
    fs::write(here.join("any.toml"), any).unwrap();
    let mine = [
        "mine",
        "tsuitate",
        "--method",
        "backwards",
        "--positions",
        "40",
    ];
    ok(
        &[&mine[..], &["--filter", "any.toml", "--output", "back"]].concat(),
        here,
    );
    let back = here.join("back/any");
    let rows = read_csv(fs::File::open(back.join("puzzles.csv")).unwrap()).unwrap();
    let parquet = fs::File::open(back.join("puzzles.parquet")).unwrap();
    let frame = ParquetReader::new(parquet).finish().unwrap();
    let ids = frame.column("puzzle_id").unwrap().str().unwrap();
    let expected = rows.iter().map(|row| row.puzzle_id.as_str());
    assert!(ids.iter().flatten().eq(expected) && rows.len() > 5);
    for row in rows {
        let state = game.parse_state(&row.position).unwrap();
        let limits = Limits::new(u8::try_from(row.plies.unwrap()).unwrap(), 2);
        let solved = solve(&game, &state, &limits, Mode::Reference, &NoProgress);
        assert!(solved.unwrap().is_some(), "{}", row.position);
    }
}

#[test]
fn finds_do_not_depend_on_threads_nor_on_where_a_run_ends() {
    let game = Tsuitate::default();
    let catalogue = Catalogue::hidden(&game);
    let filter = Filter::parse(
        "name = \"all\"\ntitle = \"All\"\ntext = \"All.\"\npredicate = \"pieces > 0 AND plies >= 1\"\norder = [\"-plies\"]",
        "all.toml",
    )
    .unwrap();
    let predicate = Predicate::new(&filter, &catalogue).unwrap();
    let supply = hidden::Supply::Variations(vec![game.parse_state(M3).unwrap()]);
    let run = |threads: usize, numbers: std::ops::Range<u64>| {
        let scan = hidden::HiddenScan {
            supply: &supply,
            seed: 5,
            numbers,
            limits: Limits::new(5, 1),
            filters: &[(&predicate, None)],
        };
        with_threads(threads, || {
            let found = hidden::mine(&game, &scan, &NoProgress).unwrap();
            let finds = found.finds[0].0.iter();
            finds
                .map(|find| (find.number, find.values.clone()))
                .collect::<Vec<_>>()
        })
    };
    let whole = run(1, 0..600);
    assert!(whole.len() > 50);
    assert_eq!(run(3, 0..600), whole);
    // A second run goes on where the first one ended; it may find some again.
    let mut parts = [run(2, 0..300), run(2, 300..600)].concat();
    parts.sort_by_key(|(number, _)| *number);
    for (number, values) in whole {
        assert!(parts.contains(&(number, values)), "{number}");
    }
}

/// A line seen in a mirror.
fn image(line: &str) -> String {
    let files = "123456789";
    let turned = |c| {
        files
            .find(c)
            .map_or(c, |at| files.as_bytes()[8 - at].into())
    };
    line.chars().map(turned).collect()
}

#[test]
fn mirror_images_have_one_line() {
    let game = Tsuitate::default();
    let line = |position: &str| {
        let state = game.parse_state(position).unwrap();
        let solved = solve(&game, &state, &Limits::new(5, 1), Mode::Fast, &NoProgress).unwrap();
        let line = solved.unwrap().line();
        let words: Vec<_> = line.iter().map(|step| step.in_words(&game)).collect();
        words.join(" ")
    };
    let (one, other) = (line(M3), line("k2S5/9/P8/9/9/9/9/9/9 b BS 1"));
    assert_ne!(one, other);
    assert_eq!(game.canonical_words(&one), game.canonical_words(&other));
    assert_eq!(image(&one), other);
    let third = line("l8/1kP6/2p6/1P7/9/9/9/9/9 b GS 1");
    assert_ne!(game.canonical_words(&one), game.canonical_words(&third));
}

#[test]
fn of_finds_with_one_line_the_best_is_kept() {
    let game = Tsuitate::default();
    let catalogue = Catalogue::hidden(&game);
    let mut filter = Filter::parse(
        "name = \"all\"\ntitle = \"All\"\ntext = \"All.\"\npredicate = \"plies >= 1\"\norder = [\"-plies\", \"own_pieces\"]",
        "all.toml",
    )
    .unwrap();
    let supply = hidden::Supply::Variations(vec![game.parse_state(M3).unwrap()]);
    let mut run = |limit: Option<usize>, distinct: bool| {
        filter.distinct = distinct;
        let predicate = Predicate::new(&filter, &catalogue).unwrap();
        let scan = hidden::HiddenScan {
            supply: &supply,
            seed: 5,
            // Several batches, so that a group comes in parts.
            numbers: 0..2500,
            limits: Limits::new(5, 1),
            filters: &[(&predicate, limit)],
        };
        let found = hidden::mine(&game, &scan, &NoProgress).unwrap();
        let (finds, admitted) = &found.finds[0];
        let rows = finds.iter().map(|find| {
            let row = hidden::row(&game, "all", &find.state, &find.solved);
            (find.number, row.plies, row.solution, find.similar)
        });
        (rows.collect::<Vec<_>>(), *admitted)
    };
    let (all, admitted) = run(None, false);
    assert!(all.iter().all(|(.., similar)| *similar == 0));
    let mut expected: Vec<(u64, Option<u16>, String, u64)> = Vec::new();
    for row in all {
        let known = expected.iter_mut().find(|(_, plies, solution, _)| {
            plies.is_some_and(|plies| plies > 2) && (*solution == row.2 || image(solution) == row.2)
        });
        match known {
            Some(known) => known.3 += 1,
            None => expected.push(row),
        }
    }
    assert!(expected.iter().any(|(.., similar)| *similar > 3));
    assert_eq!(run(None, true), (expected.clone(), admitted));
    // What is cut off still counts.
    expected.truncate(3);
    assert_eq!(run(Some(3), true), (expected, admitted));
}

#[test]
fn rows_with_one_line_are_told_by_their_words() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let from = ["mine", "tsuitate", "--positions", "2500", "--from", M3];
    fs::write(
        here.join("f.toml"),
        "name = \"f\"\ntitle = \"F\"\ntext = \"F.\"\npredicate = \"needs_foul\"",
    )
    .unwrap();
    ok(
        &[&from[..], &["--filter", "f.toml", "-o", "m"]].concat(),
        here,
    );
    let args = ["--distinct", "--format", "csv", "-o", "d.csv"];
    ok(
        &[&["export", "--puzzles", "m/f/puzzles.csv"], &args[..]].concat(),
        here,
    );
    let rows = |name: &str| read_csv(fs::File::open(here.join(name)).unwrap()).unwrap();
    let (all, kept) = (rows("m/f/puzzles.csv"), rows("d.csv"));
    let lines = |rows: &[PuzzleRow]| {
        let lines = rows
            .iter()
            .map(|row| row.solution.clone().min(image(&row.solution)));
        lines.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(lines(&all), lines(&kept));
    assert_eq!(lines(&kept).len(), kept.len());
    assert!(kept.len() < all.len());
}

#[test]
fn finds_are_drawn_as_often_and_in_the_style_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("green.toml"), "paper = \"#0a7b3c\"\n").unwrap();
    let mine = |output: &str, more: &[&str]| {
        let mut args = vec!["mine", "tsuitate", "--filter", "needs-foul", "--from", M3];
        args.extend(["--positions", "2500", "--output", output]);
        args.extend(more);
        ok(&args, here);
        files(&here.join(output).join("needs-foul"))
    };
    let drawn = mine("green", &["--draw", "2", "--style", "green.toml"]);
    let mut pictures = 0;
    for (path, bytes) in &drawn {
        if path.extension().is_some_and(|extension| extension == "svg") {
            let svg = std::str::from_utf8(bytes).unwrap();
            assert!(svg.contains("#0a7b3c"), "{}", path.display());
            pictures += 1;
        }
    }
    // A diagram and a tree of each of the best two, and a sheet.
    assert_eq!((pictures, drawn.len()), (5, 9));
    let plain = mine("plain", &["--draw", "1"]);
    assert_eq!(plain.len(), 7);
    assert_eq!(
        plain[Path::new("puzzles.csv")],
        drawn[Path::new("puzzles.csv")]
    );
    let nobody = ["mine", "tsuitate", "--style", "nobody", "-o", "none"];
    assert!(refused(&nobody, here).contains("nobody"));
    assert!(!here.join("none").exists());
}

#[test]
fn two_filters_of_one_name_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (file, plies) in [("a.toml", 1), ("b.toml", 3)] {
        let text = format!("name = 'same'\ntitle = ''\ntext = ''\npredicate = 'plies = {plies}'");
        fs::write(here.join(file), text).unwrap();
    }
    let twice = ["--filter", "a.toml", "--filter", "b.toml"];
    for game in [&["tsuitate", "--positions", "10"][..], &["tictactoe"]] {
        let args = [&["mine"], game, &twice].concat();
        assert!(refused(&args, here).contains("'same'"), "{game:?}");
        assert!(!here.join("output").exists());
    }
}
