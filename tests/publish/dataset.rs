//! What data sets say of themselves, their layout, and data sets of moves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::Path;

use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use serde_json::{Value as Json, json};
use tesuji::game::{Game, Moves, Next, Ranked};

use super::export::{GAMES, rows, slot};
use crate::common::program::{ok, refused, threaded};
use crate::common::truth::on_3x3;
use crate::common::{self, files};

#[test]
fn moves_are_those_of_the_twin_with_their_children() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let [truth, _] = on_3x3();
    let game = &truth.game;
    ok(
        &["export", GAMES[0], "-o", "moves", "--moves", "--position"],
        here,
    );
    let mut by_slot: HashMap<u64, Vec<_>> = HashMap::new();
    for row in rows(&here.join("moves")) {
        by_slot.entry(slot(&row)).or_default().push(row);
    }
    assert_eq!(by_slot.len(), truth.positions.len());
    let mut forbidden = 0;
    for (slot, state) in &truth.positions {
        let state = game.unrestricted(state);
        let rows = &by_slot[slot];
        let tried = truth.tried(&state);
        assert_eq!(rows.len(), tried.len());
        let best = common::truth::best(&tried);
        for row in rows {
            assert_eq!(row["position"], json!(game.format_state(&state)));
            let mv = game.parse_move(row["move"].as_str().unwrap()).unwrap();
            let found = tried.iter().find(|tried| tried.mv == mv).expect("legal");
            let (outcome, plies) = found.worth;
            assert_eq!(row["outcome"], json!(outcome.name()), "{row:?}");
            assert_eq!(row["plies"], json!(plies), "{row:?}");
            assert_eq!(row["is_capture"], json!(found.capture), "{row:?}");
            assert_eq!(row["is_sacrifice"], json!(found.sacrifice), "{row:?}");
            let is_best = best.iter().any(|best| best.mv == mv);
            assert_eq!(row["is_best"], json!(is_best), "{row:?}");
            let child = match game.play(&state, mv) {
                Next::State(next) => Some(next),
                Next::Over(_) => None,
            };
            assert_eq!(row["ends_game"], json!(child.is_none()));
            assert_eq!(row["child"], json!(child.map(|child| game.rank(&child))));
            // With the forbidden reply, slot and reply make the state after the move.
            let reply = child.and_then(|child| {
                let stored = game.unrank(game.rank(&child))?;
                game.forbidden(&child)?;
                Some((stored, child))
            });
            let Some((stored, child)) = reply else {
                assert_eq!(row["child_forbidden"], Json::Null);
                continue;
            };
            forbidden += 1;
            let board = game.format_state(&stored);
            let board = board.strip_suffix('-').unwrap();
            let text = format!("{board}{}", row["child_forbidden"].as_str().unwrap());
            let stored = game.parse_state(&text).unwrap();
            assert_eq!(truth.identity(&stored), truth.identity(&child), "{row:?}");
        }
    }
    assert!(forbidden > 100);
}

#[test]
fn best_move_is_the_only_one_with_the_best_value() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let [truth, _] = on_3x3();
    let columns = "position,bannable_move,bannable_best,best_move,only_move,n_best,n_moves,outcome,second_outcome";
    ok(
        &[
            "export",
            GAMES[0],
            "-o",
            "states",
            "--restricted",
            "--columns",
            columns,
        ],
        here,
    );
    let (mut named, mut removing) = (0, 0);
    for row in rows(&here.join("states")) {
        let state = row["position"].as_str().unwrap();
        let state = truth.game.parse_state(state).unwrap();
        let best_ones = common::truth::best(&truth.tried(&state));
        let only = (best_ones.len() == 1).then(|| best_ones[0]);
        let name = only.map(|only| truth.game.format_move(only.mv));
        assert_eq!(row["best_move"], json!(name), "{row:?}");
        assert_eq!(row["only_move"], json!(only.is_some()), "{row:?}");
        assert_eq!(row["n_best"], json!(best_ones.len()), "{row:?}");
        let has_second = row["n_moves"] != json!(1);
        assert_eq!(row["second_outcome"] != Json::Null, has_second, "{row:?}");
        let bannable = only.filter(|only| !only.capture && !only.sacrifice);
        let bannable = bannable.filter(|_| row["forbidden"] == Json::Null);
        if row["bannable_best"] == json!(true) {
            assert_eq!(row["bannable_move"], json!(name), "{row:?}");
            assert!(bannable.is_some(), "{row:?}");
            named += 1;
        } else {
            assert_eq!(row["bannable_move"], Json::Null, "{row:?}");
        }
        removing += usize::from(only.is_some_and(|only| only.capture || only.sacrifice));
    }
    assert!(named > 100 && removing > 100, "{named} {removing}");
}

#[test]
fn chosen_columns_are_the_slot_layer_class_and_those() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let [truth, _] = on_3x3();
    let names = "n_winning,plies,zugzwang,layer,position";
    ok(
        &["export", GAMES[0], "-o", "some", "--columns", names],
        here,
    );
    for row in rows(&here.join("some")) {
        let found: BTreeSet<&str> = row.keys().map(String::as_str).collect();
        let asked = [
            "slot",
            "layer",
            "hole",
            "n_winning",
            "plies",
            "zugzwang",
            "position",
        ];
        assert_eq!(found, asked.into());
        let state = truth
            .game
            .parse_state(row["position"].as_str().unwrap())
            .unwrap();
        let tried = truth.tried(&state);
        let wins = tried
            .iter()
            .filter(|tried| tried.worth.0.name() == "win")
            .count();
        assert_eq!(row["n_winning"], json!(wins));
        assert_eq!(row["plies"], json!(truth.worth(&state).1));
    }
}

/// `_columns.csv` by name.
fn columns(set: &Path) -> BTreeMap<String, HashMap<String, String>> {
    let mut csv = csv::Reader::from_path(set.join("_columns.csv")).unwrap();
    let rows = csv.deserialize::<HashMap<String, String>>();
    let rows = rows.map(Result::unwrap);
    rows.map(|row| (row["name"].clone(), row)).collect()
}

#[test]
fn columns_are_as_the_data_set_describes_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (game, more) in [
        (GAMES[1], &["--board", "--restricted", "--position"][..]),
        (GAMES[0], &["--moves"]),
        ("kings:3x3", &["--board"]),
        ("tictactoe", &["--board"]),
        ("hexapawn", &["--board", "--position"]),
    ] {
        ok(
            &[&["export", game, "-o", "set", "--force"], more].concat(),
            here,
        );
        let set = here.join("set");
        let columns = columns(&set);
        let about: Json =
            serde_json::from_slice(&fs::read(set.join("_dataset.json")).unwrap()).unwrap();
        assert_eq!(about["game"], json!(game));
        let rows = rows(&set);
        assert_eq!(about["rows"], json!(rows.len()));
        let card = fs::read_to_string(set.join("README.md")).unwrap();
        assert!(card.contains(&format!("num_examples: {}\n", rows.len())));
        for name in columns.keys() {
            assert!(card.contains(&format!("  - name: {name}\n    dtype: ")));
        }
        let citation = fs::read_to_string(set.join("CITATION.cff")).unwrap();
        assert!(
            citation.contains(game) && citation.contains(about["fingerprint"].as_str().unwrap())
        );
        assert_eq!(
            about["files"].as_array().unwrap().len(),
            1,
            "one file is enough"
        );
        for (name, column) in &columns {
            assert!(
                !column["meaning"].is_empty() && !column["cost"].is_empty(),
                "{name}"
            );
            let cells = || rows.iter().map(|row| &row[name]);
            assert!(
                column["nullable"] == "true" || cells().all(|cell| !cell.is_null()),
                "{name}"
            );
            let numbers: Vec<i64> = cells().filter_map(Json::as_i64).collect();
            match column["type"].as_str() {
                "BIGINT" | "INTEGER" if name != "parts" => {
                    let ends = numbers.iter().min().zip(numbers.iter().max());
                    let range = ends.map(|(least, most)| format!("{least}..{most}"));
                    assert_eq!(column["range"], range.unwrap_or_default(), "{name}");
                }
                "BIGINT" | "INTEGER" => {}
                "BOOLEAN" => assert!(cells().all(|cell| cell.is_boolean() || cell.is_null())),
                "VARCHAR" => {
                    let words: BTreeSet<&str> = column["range"].split(' ').collect();
                    let known = |cell: &Json| cell.as_str().is_none_or(|w| words.contains(w));
                    assert!(column["range"].is_empty() || cells().all(known), "{name}");
                }
                other => panic!("{name} is of type {other}"),
            }
        }
        for row in &rows {
            let names: BTreeSet<&String> = row.keys().collect();
            assert!(names.into_iter().eq(columns.keys()), "{row:?}");
        }
        // The card has a line for each column.
        let card = fs::read_to_string(set.join("README.md")).unwrap();
        assert!(card.starts_with("---\n") && card.contains(game));
        assert!(
            columns
                .keys()
                .all(|name| card.contains(&format!("\n| `{name}` | ")))
        );
    }
}

#[test]
fn files_know_where_they_come_from_and_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let out = ok(
        &[
            "export", GAMES[1], "-o", "set", "--sample", "3", "--layer", "2-2",
        ],
        here,
    );
    let about = fs::read(here.join("set/_dataset.json")).unwrap();
    let about: Json = serde_json::from_slice(&about).unwrap();
    let fingerprint = about["fingerprint"].as_str().unwrap();
    assert!(out.contains(fingerprint));
    let file = File::open(here.join("set/data/part-00000.parquet")).unwrap();
    let mut reader = ParquetReader::new(file);
    let metadata = reader.get_metadata().unwrap();
    let keys = metadata.key_value_metadata().as_ref().unwrap().iter();
    let keys: BTreeMap<&str, &str> = keys
        .map(|pair| (pair.key.as_str(), pair.value.as_deref().unwrap()))
        .collect();
    for (key, value) in [
        ("tesuji.game", GAMES[1]),
        ("tesuji.repetition", "exact"),
        ("tesuji.fingerprint", fingerprint),
        (
            "tesuji.writer",
            concat!("tesuji ", env!("CARGO_PKG_VERSION")),
        ),
        ("tesuji.rows_are", "states"),
        ("tesuji.layers", "[\"2-2\"]"),
        ("tesuji.sample", "3"),
    ] {
        assert_eq!(keys[key], value);
    }
    for group in &metadata.row_groups {
        let order = group.sorting_columns().unwrap();
        assert_eq!(
            (order.len(), order[0].column_idx, order[0].descending),
            (1, 0, false)
        );
    }
}

/// Of each row of a file: its slot, whether it is of layer 3-3 with the hole on a2, and whether a move
/// is forbidden.
fn places(path: &Path) -> Vec<(i64, bool, bool)> {
    let columns = ["slot", "layer", "hole", "restricted"].map(str::to_owned);
    let frame = ParquetReader::new(File::open(path).unwrap())
        .with_columns(Some(columns.to_vec()))
        .finish()
        .unwrap();
    let words = |name| frame.column(name).unwrap().str().unwrap();
    let slots = frame
        .column("slot")
        .unwrap()
        .i64()
        .unwrap()
        .into_no_null_iter();
    let restricted = frame.column("restricted").unwrap().bool().unwrap();
    let chosen = words("layer").iter().zip(words("hole").iter());
    slots
        .zip(chosen)
        .zip(restricted.iter())
        .map(|((slot, chosen), restricted)| {
            (
                slot,
                chosen == (Some("3-3"), Some("a2")),
                restricted.unwrap(),
            )
        })
        .collect()
}

#[test]
fn large_data_sets_are_divided_and_threads_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = "ostle:4x4,pieces=4,losses=3";
    ok(&["solve", game, "-o", "t.tsj"], here);
    let export = |set: &'static str| {
        [
            "export",
            game,
            "--table",
            "t.tsj",
            "--restricted",
            "-o",
            set,
        ]
    };
    let sets = [("1", "one"), ("2", "two")].map(|(threads, set)| {
        let output = threaded(threads, &export(set), here);
        assert!(output.status.success());
        files(&here.join(set))
    });
    assert!(sets[0] == sets[1]);
    let about: Json = serde_json::from_slice(&sets[0][Path::new("_dataset.json")]).unwrap();
    let listed = about["files"].as_array().unwrap();
    assert!(listed.len() > 1);
    let mut rows = Vec::new();
    for (number, file) in listed.iter().enumerate() {
        let path = format!("data/part-{number:05}.parquet");
        assert_eq!(file["path"], json!(path));
        let part = places(&here.join("one").join(path));
        assert_eq!(file["rows"], json!(part.len()));
        rows.extend(part);
    }
    assert_eq!(about["rows"], json!(rows.len()));
    assert!(rows.is_sorted_by_key(|row| row.0));
    // A selection has the same columns, and the same rows.
    let args = [&export("some")[..], &["--layer", "3-3", "--class", "a2"]].concat();
    ok(&args, here);
    rows.retain(|&(_, is_chosen, _)| is_chosen);
    assert!(rows.iter().any(|&(.., restricted)| restricted));
    assert_eq!(places(&here.join("some/data/part-00000.parquet")), rows);
    // Data sets of another program of the same layout are left alone.
    fs::write(
        here.join("some/_dataset.json"),
        "{\"writer\": \"other 1.0\"}",
    )
    .unwrap();
    refused(&[&args[..], &["--force"]].concat(), here);
}

#[test]
fn only_a_data_set_is_replaced_and_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["export", GAMES[0], "-o", "set"], here);
    let before = files(&here.join("set"));
    let message = refused(&["export", GAMES[0], "-o", "set", "--board"], here);
    assert!(message.contains("--force"), "{message}");
    assert_eq!(files(&here.join("set")), before);
    ok(&["export", GAMES[1], "-o", "set", "--force"], here);
    assert_ne!(files(&here.join("set")), before);
    // A run that was killed leaves a folder that nobody takes for a data set.
    let left = here.join(".new.0123abcd.tesuji.partial");
    fs::create_dir_all(left.join("data")).unwrap();
    fs::write(left.join("data/part-00000.parquet"), "PAR1").unwrap();
    fs::write(here.join(".new.tesuji.lock"), "").unwrap();
    ok(&["export", GAMES[0], "-o", "new"], here);
    assert!(!left.exists());
    assert_eq!(files(&here.join("new")), before);
    // Whatever else is in a folder stays there.
    fs::write(here.join("set/thesis.txt"), "years of work").unwrap();
    for target in ["set", ".", "set/thesis.txt", ".."] {
        refused(&["export", GAMES[0], "-o", target, "--force"], here);
    }
    assert!(here.join("set/thesis.txt").exists());
    // Also among the data, and in folders that only look like partitions.
    fs::rename(
        here.join("set/thesis.txt"),
        here.join("set/data/thesis.parquet"),
    )
    .unwrap();
    let message = refused(&["export", GAMES[0], "-o", "set", "--force"], here);
    assert!(message.contains("'data/thesis.parquet'"), "{message}");
    for (folder, other) in [
        ("experiment/seed=1", "model.bin"),
        ("older", "_tesuji_data_set"),
        ("theirs", "_dataset.json"),
    ] {
        fs::create_dir_all(here.join(folder)).unwrap();
        fs::write(here.join(folder).join(other), "{}").unwrap();
        let target = folder.split('/').next().unwrap();
        let message = refused(&["export", GAMES[0], "-o", target, "--force"], here);
        assert!(message.contains("_dataset.json"), "{message}");
        assert!(here.join(folder).join(other).exists());
    }
}

#[test]
fn options_of_puzzles_are_refused_for_data_sets() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (more, named) in [
        (&["--limit", "10"][..], "--limit is for --puzzles"),
        (&["--distinct"], "--distinct is for --puzzles"),
        (
            &["--limit", "10", "--distinct", "--columns", "plies"],
            "is for --puzzles",
        ),
        (&["--format", "csv"], "--format csv is for --puzzles"),
        (&["--columns", "plies", "--board"], "--board"),
        (&["--columns", "plies", "--moves"], "--moves"),
        (&["--moves", "--board"], "--board"),
        (&["--moves", "--restricted"], "--restricted"),
        (&["--columns", "plys"], "perhaps plies"),
        (&["--columns", "forbidden"], "unknown column 'forbidden'"),
    ] {
        let message = refused(&[&["export", GAMES[0], "-o", "set"], more].concat(), here);
        assert!(message.contains(named), "{message}");
        assert!(files(here).is_empty());
    }
}

/// The name of a file may have any signs; a part is not called all.
#[cfg(unix)]
#[test]
fn titles_of_parts_and_of_files_with_odd_names() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules = include_str!("../../src/games/pieces/shipped/hexapawn.toml");
    fs::write(here.join(r#"a"b|c\d.toml"#), rules).unwrap();
    let export = ["export", r#"rules:a"b|c\d.toml"#, "-o", "set", "--force"];
    for (more, title) in [
        (&[][..], "All states of GAME"),
        (
            &["--sample", "2", "--columns", "plies"],
            "Some states of GAME: one position in 2",
        ),
        (
            &["--layer", "3-3", "--moves"],
            "Some moves of GAME: layer 3-3",
        ),
    ] {
        ok(&[&export[..], more].concat(), here);
        let read = |name: &str| fs::read_to_string(here.join("set").join(name)).unwrap();
        let about: Json = serde_json::from_str(&read("_dataset.json")).unwrap();
        let game = about["game"].as_str().unwrap();
        let (citation, card) = (read("CITATION.cff"), read("README.md"));
        let value = |text: &str, key: &str| -> String {
            let mut lines = text.lines();
            let value = lines.find_map(|line| line.strip_prefix(key)).unwrap();
            serde_json::from_str(value).unwrap()
        };
        assert_eq!(value(&citation, "title: "), title.replace("GAME", game));
        assert!(value(&card, "pretty_name: ").ends_with(game), "{card}");
        let quoted = format!("`{game}`");
        let heading = format!("\n# {}\n", title.replace("GAME", &quoted));
        assert!(card.contains(&heading), "{card}");
        let row = format!("| game | {} |\n", quoted.replace('|', r"\|"));
        assert!(card.contains(&row), "{card}");
        let by_outcome = card.contains("SELECT outcome, count(*) FROM");
        assert_eq!(by_outcome, !more.contains(&"plies"), "{card}");
    }
}
