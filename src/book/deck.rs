//! A deck of cards for [Anki](https://docs.ankiweb.net): an archive of pictures and a database
//! (`SQLite`, version 11), which is laid out as its importer and
//! [genanki](https://github.com/kerrickstaley/genanki) have it.
//!
//! Nothing in it depends on when it is made, so the same problems give the same bytes. A note is
//! known by its problem: a deck that is imported again doubles none.

use std::collections::HashSet;
use std::io::{Cursor, Write};

use rusqlite::{Connection, params};
use serde_json::{Map, Value as Json, json};
use sha1::{Digest, Sha1};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::data::Problem;
use super::page::{escape, style};
use crate::draw::{Style, render};

/// A problem as a card.
#[derive(Debug, Clone)]
pub struct Card {
    /// What tells problems apart in all decks.
    pub guid: String,
    /// The problem.
    pub problem: Problem,
    /// What else is said of it, with the name of each part.
    pub own: Vec<(String, String)>,
}

impl Card {
    /// A card of a problem that is known by a text.
    pub(crate) fn new(identity: &str, problem: Problem, own: Vec<(String, String)>) -> Self {
        Self {
            guid: format!("{:016x}", xxh3_64(identity.as_bytes())),
            problem,
            own,
        }
    }
}

/// Why a deck cannot be made.
#[derive(Debug, Error)]
#[error("cannot make the deck: {0}")]
pub enum DeckError {
    /// The database refuses it.
    Database(#[from] rusqlite::Error),
    /// The archive refuses it.
    Archive(#[from] zip::result::ZipError),
    /// The archive cannot be written.
    Io(#[from] std::io::Error),
}

const TABLES: &str = "
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null, ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null, models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null, usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null, mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null, ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn on notes (usn);
CREATE INDEX ix_cards_usn on cards (usn);
CREATE INDEX ix_revlog_usn on revlog (usn);
CREATE INDEX ix_cards_nid on cards (nid);
CREATE INDEX ix_cards_sched on cards (did, queue, due);
CREATE INDEX ix_revlog_cid on revlog (cid);
CREATE INDEX ix_notes_csum on notes (csum);
";

/// The time of all that has one, in milliseconds; names of notes count from it, too.
const TIME: i64 = 1_700_000_000_000;

/// Seconds after it within which notes are said to be written.
const YEARS: u64 = 60_000_000;

/// The name of the note type in numbers. It changes when the fields or templates do.
const NOTE_TYPE: i64 = TIME + 1;

const FIELDS: [&str; 10] = [
    "Id",
    "Picture",
    "Side",
    "Stipulation",
    "Title",
    "Author",
    "Source",
    "Solution",
    "Stars",
    "More",
];

const FRONT: &str = "{{#Title}}<b>{{Title}}</b><br>{{/Title}}{{#Author}}{{Author}}{{#Source}}, {{/Source}}{{/Author}}{{Source}}
<div>{{Picture}}</div>
<div>{{Side}}: {{Stipulation}}</div>";

const BACK: &str = "{{FrontSide}}
<hr id=answer>
<div class=solution>{{Solution}}</div>
<div>{{Stars}}</div>
<div class=more>{{More}}</div>";

const CSS: &str = ".card { font-family: serif; font-size: 20px; text-align: center; color: black; background: white; }
img { background: white; width: 20em; max-width: 100%; }
.solution, .more { display: inline-block; text-align: left; }
.more { font-size: 75%; }";

/// Makes a deck: on the front of each card the diagram, the side to move and what is asked, on the
/// back the solution. Themes, stars and plies are tags.
///
/// # Errors
/// If the database or the archive cannot be made.
pub fn deck(title: &str, cards: &[Card]) -> Result<Vec<u8>, DeckError> {
    let style = style(Style::print());
    let mut database = Connection::open_in_memory()?;
    database.execute_batch(TABLES)?;
    let deck = TIME + (xxh3_64(title.as_bytes()) >> 24).cast_signed();
    begin(&database, title, deck)?;
    let (mut names, mut media) = (HashSet::new(), Vec::new());
    for (number, card) in (1..).zip(cards) {
        let problem = &card.problem;
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let is_plain = problem.id.len() <= 64 && problem.id.chars().all(plain);
        let mut name = format!("tesuji-{}.svg", problem.id);
        if !is_plain || !names.insert(name.clone()) {
            name = format!("tesuji-of-{}.svg", card.guid);
        }
        let fields = fields(card, &name);
        let checksum = Sha1::digest(fields[0].as_bytes());
        let checksum = u32::from_be_bytes([checksum[0], checksum[1], checksum[2], checksum[3]]);
        let (tags, text) = (tags(problem), fields.join("\u{1f}"));
        // Notes with the same time count as the same: that of a note depends on what it says.
        let written = xxh3_64(format!("{tags}{text}").as_bytes()) % YEARS;
        let time = TIME / 1000 + written.cast_signed();
        let id = TIME + number;
        database.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            params![
                id, card.guid, NOTE_TYPE, time, tags, text, fields[0], checksum
            ],
        )?;
        database.execute(
            "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            params![id, id, deck, TIME / 1000, number],
        )?;
        media.push((name, render(&problem.diagram, &style)));
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut put = |name: &str, bytes: &[u8]| {
        archive.start_file(name, options)?;
        archive.write_all(bytes).map_err(DeckError::from)
    };
    put("collection.anki2", &database.serialize("main")?)?;
    let mut list = Map::new();
    for (number, (name, picture)) in media.into_iter().enumerate() {
        put(&number.to_string(), picture.as_bytes())?;
        list.insert(number.to_string(), name.into());
    }
    put("media", Json::from(list).to_string().as_bytes())?;
    Ok(archive.finish()?.into_inner())
}

/// Writes what a collection has besides notes: the note type, and the deck.
fn begin(database: &Connection, title: &str, deck: i64) -> Result<(), DeckError> {
    let seconds = TIME / 1000;
    let fields = (0..).zip(FIELDS).map(|(place, name): (u8, _)| {
        json!({ "name": name, "ord": place, "sticky": false, "rtl": false, "font": "Arial", "size": 20, "media": [] })
    });
    let note_type = json!({
        "id": NOTE_TYPE, "name": "tesuji problem", "type": 0, "mod": seconds, "usn": -1, "sortf": 0, "did": deck,
        "flds": fields.collect::<Vec<_>>(),
        "tmpls": [{ "name": "Problem", "ord": 0, "qfmt": FRONT, "afmt": BACK, "did": null, "bqfmt": "", "bafmt": "" }],
        "css": CSS, "latexPre": "", "latexPost": "", "tags": [], "vers": [], "req": [[0, "any", [1]]],
    });
    let named = |id: i64, name: &str| {
        json!({
            "id": id, "name": name, "mod": seconds, "usn": -1, "desc": "", "dyn": 0, "collapsed": false, "conf": 1,
            "extendNew": 0, "extendRev": 0, "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0],
        })
    };
    let options = json!({
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0, "replayq": true,
        "new": { "delays": [1, 10], "ints": [1, 4, 7], "initialFactor": 2500, "order": 1, "perDay": 20, "bury": false },
        "rev": { "perDay": 200, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "bury": false },
        "lapse": { "delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0 },
    });
    let settings = json!({ "activeDecks": [1], "curDeck": 1, "nextPos": 1, "sortType": "noteFld", "sortBackwards": false });
    let by_id = |id: i64, value: Json| Map::from_iter([(id.to_string(), value)]);
    let mut decks = by_id(1, named(1, "Default"));
    decks.append(&mut by_id(deck, named(deck, title)));
    database.execute(
        "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
        params![
            seconds,
            TIME,
            TIME,
            settings.to_string(),
            Json::from(by_id(NOTE_TYPE, note_type)).to_string(),
            Json::from(decks).to_string(),
            Json::from(by_id(1, options)).to_string(),
        ],
    )?;
    Ok(())
}

/// The fields of a note.
fn fields(card: &Card, picture: &str) -> [String; FIELDS.len()] {
    let problem = &card.problem;
    let credit = &problem.credit;
    let side = format!("{} to move", problem.side);
    let asked = problem.task.strip_prefix(&side).unwrap_or(&problem.task);
    let stars = "★".repeat(problem.grade.stars().into());
    let grade = format!("{stars} {}", problem.grade.words());
    let own = card.own.iter();
    let own = own.map(|(name, text)| format!("{}: {}", line(name), lines(text.lines())));
    [
        line(&problem.id),
        format!("<img src=\"{picture}\">"),
        line(&side),
        line(asked.trim_start_matches(" and ")),
        line(&credit.title),
        line(&credit.author),
        line(&credit.source),
        lines(problem.solution.iter().map(|line| &*line.text)),
        grade,
        own.collect::<Vec<_>>().join("<br>"),
    ]
}

/// Text as HTML, without control characters, which part the fields.
fn line(text: &str) -> String {
    escape(&text.replace(char::is_control, " "))
}

/// Lines as HTML, indented as in print.
fn lines<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let lines = lines.map(|text| {
        let inner = text.trim_start();
        let indent = "&nbsp;".repeat(2 * (text.len() - inner.len()).min(24));
        format!("{indent}{}", line(inner))
    });
    lines.collect::<Vec<_>>().join("<br>")
}

/// Themes, stars and plies as tags, which have no spaces.
fn tags(problem: &Problem) -> String {
    let themes = problem.themes.iter().map(|theme| {
        let words: Vec<_> = theme.split_whitespace().collect();
        format!("theme::{}", words.join("-"))
    });
    let stars = format!("stars::{}", problem.grade.stars());
    let plies = (problem.plies > 0).then(|| format!("plies::{}", problem.plies));
    let tags: Vec<_> = themes.chain([stars]).chain(plies).collect();
    format!(" {} ", tags.join(" "))
}
