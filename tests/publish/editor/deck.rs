//! Decks of cards, read back as Anki reads them.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use rusqlite::{Connection, MAIN_DB};
use serde_json::Value as Json;
use zip::ZipArchive;

use super::sketches::{SMALL, sketches};
use crate::common::program::{ok, refused, says};

/// A note: its GUID, tags and fields by name.
struct Note {
    guid: String,
    tags: Vec<String>,
    fields: BTreeMap<String, String>,
}

/// What is in a deck: its notes in order, and its pictures.
fn read(path: &Path) -> (Vec<Note>, BTreeMap<String, String>) {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut file = |name: &str| {
        let mut bytes = Vec::new();
        let mut file = archive.by_name(name).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    let list: BTreeMap<String, String> = serde_json::from_slice(&file("media")).unwrap();
    let picture =
        |(number, name): (String, String)| (name, String::from_utf8(file(&number)).unwrap());
    let media = list.into_iter().map(picture).collect();
    let collection = file("collection.anki2");
    assert_eq!(archive.len(), 2 + BTreeMap::<String, String>::len(&media));
    let mut database = Connection::open_in_memory().unwrap();
    let size = collection.len();
    database
        .deserialize_read_exact(MAIN_DB, &collection[..], size, true)
        .unwrap();
    let one = |sql: &str| {
        database
            .query_row(sql, [], |row| row.get::<_, String>(0))
            .unwrap()
    };
    assert_eq!(one("PRAGMA integrity_check"), "ok");
    let models: Json = serde_json::from_str(&one("SELECT models FROM col")).unwrap();
    let (id, model) = models.as_object().unwrap().iter().next().unwrap();
    let names: Vec<&str> = model["flds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    // One card for each note, of the deck and of the note type.
    let decks: Json = serde_json::from_str(&one("SELECT decks FROM col")).unwrap();
    let cards = format!(
        "SELECT count(*) || '' FROM cards JOIN notes ON nid = notes.id WHERE mid = {id} AND did <> 1"
    );
    assert!(
        decks
            .as_object()
            .unwrap()
            .values()
            .any(|deck| deck["name"] == "tesuji::Wins")
    );
    let mut notes = database
        .prepare("SELECT guid, tags, flds FROM notes ORDER BY id")
        .unwrap();
    let notes = notes.query_map([], |row| {
        let (tags, fields): (String, String) = (row.get(1)?, row.get(2)?);
        Ok(Note {
            guid: row.get(0)?,
            tags: tags.split_whitespace().map(str::to_owned).collect(),
            fields: names
                .iter()
                .map(|it| (*it).to_owned())
                .zip(fields.split('\u{1f}').map(str::to_owned))
                .collect(),
        })
    });
    let notes: Vec<Note> = notes.unwrap().map(Result::unwrap).collect();
    assert_eq!(one(&cards), notes.len().to_string());
    (notes, media)
}

#[test]
fn a_deck_has_a_note_for_each_problem() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    let csv = "out/wins/puzzles.csv";
    ok(&["export", "--puzzles", csv, "-o", "deck.apkg"], here);
    ok(&["export", "--puzzles", csv, "-o", "again.apkg"], here);
    let bytes = fs::read(here.join("deck.apkg")).unwrap();
    assert!(
        bytes == fs::read(here.join("again.apkg")).unwrap(),
        "the same puzzles give the same bytes"
    );
    let (notes, media) = read(&here.join("deck.apkg"));
    assert_eq!(notes.len(), rows.len());
    assert_eq!(
        notes
            .iter()
            .map(|note| &note.guid)
            .collect::<HashSet<_>>()
            .len(),
        rows.len()
    );
    for (note, row) in notes.iter().zip(&rows) {
        let field = |name: &str| note.fields[name].as_str();
        assert_eq!(field("Id"), row.puzzle_id);
        let name = format!("tesuji-{}.svg", row.puzzle_id);
        assert_eq!(field("Picture"), format!("<img src=\"{name}\">"));
        assert!(media[&name].starts_with("<svg"));
        assert_eq!(
            (field("Side"), field("Stipulation")),
            ("Black to move", "win in 7")
        );
        assert!(
            field("Solution").contains(&format!("1.{}!", row.key)),
            "{}",
            field("Solution")
        );
        let mut tags: Vec<String> = row
            .themes
            .split(' ')
            .filter(|it| !it.is_empty())
            .map(|it| format!("theme::{it}"))
            .collect();
        let stars = note.fields["Stars"].matches('★').count();
        tags.extend([format!("stars::{stars}"), "plies::7".to_owned()]);
        assert_eq!(note.tags, tags);
        assert!((1..=5).contains(&stars));
    }
}

#[test]
fn a_problem_keeps_its_guid_however_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    ok(
        &[
            "export",
            "--puzzles",
            "out/wins/puzzles.csv",
            "-o",
            "deck.apkg",
        ],
        here,
    );
    let (notes, _) = read(&here.join("deck.apkg"));
    // The first puzzle turned by half, with credits and words of one's own, and once more.
    let (board, rest) = rows[0].position.split_once(' ').unwrap();
    let turned: String = board.chars().rev().collect();
    let csv = format!(
        "game,position,filter,title,comments,date\n\"{SMALL}\",{turned} {rest},wins,<b>One</b>,\"a\tb\n  c & d\",\n\"{SMALL}\",{},wins,Two,,\n",
        rows[0].position
    );
    fs::write(here.join("turned.csv"), csv).unwrap();
    let export = ["export", "--puzzles", "turned.csv", "-o", "turned.apkg"];
    let (code, out, said) = says(&export, here);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("1 row left out: a deck has each problem once"),
        "{said}"
    );
    assert!(out.starts_with("1 puzzle in"), "{out}");
    let (found, _) = read(&here.join("turned.apkg"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].guid, notes[0].guid);
    assert_eq!(found[0].fields["Title"], "&lt;b&gt;One&lt;/b&gt;");
    assert_eq!(
        found[0].fields["More"],
        "comments: a b<br>&nbsp;&nbsp;&nbsp;&nbsp;c &amp; d"
    );
    // A ban makes another problem; the puzzles themselves differ, too.
    assert!(notes[1..].iter().all(|note| note.guid != found[0].guid));
}

#[test]
fn a_table_or_a_game_that_no_deck_needs_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    sketches(here);
    ok(&["solve", SMALL, "-o", "t.tsj"], here);
    let csv = "out/wins/puzzles.csv";
    ok(
        &[
            "export",
            "--puzzles",
            csv,
            "--table",
            "t.tsj",
            "-o",
            "d.apkg",
        ],
        here,
    );
    let said = refused(
        &[
            "export",
            "--puzzles",
            csv,
            "--table",
            "t.tsj",
            "-o",
            "d.csv",
        ],
        here,
    );
    assert!(
        said.contains("--table is for --distinct and --exclude, for several files, for apkg"),
        "{said}"
    );
    let said = refused(
        &[
            "export",
            "--puzzles",
            csv,
            "--columns",
            "plies",
            "-o",
            "e.apkg",
        ],
        here,
    );
    assert!(said.contains("--columns is for puzzles as CSV"), "{said}");
    let said = refused(&["book", csv, "-o", "deck.txt"], here);
    assert!(
        said.contains("'tesuji export --puzzles' makes decks"),
        "{said}"
    );
}
