//! Puzzles of one or more files, with the games that they are of: how they are chosen, joined and
//! completed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::analysis::{Soundness, THEMES};
use crate::base::progress::Progress;
use crate::export::{ColumnData, puzzle_columns};
use crate::game::{Feature, FeatureValue};
use crate::games::registry::names_a_file;
use crate::mine::{Catalogue, Condition, PuzzleRow, compare};
use crate::session::binding::completed;
use crate::session::distinct::{Distinct, Puzzle, distinct, of_puzzle};
use crate::session::pack::pack;
use crate::session::{Options, Result, Session, SessionError};
use crate::table::Table;

/// Which puzzles of a collection are taken, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PuzzleChoice {
    /// A condition on the columns of puzzles, as in filters. There are also `stars`, flags such as
    /// `theme_quiet_key`, and the columns of the user's own.
    pub condition: Option<String>,
    /// The least and the greatest number of stars.
    pub stars: Option<(u8, u8)>,
    /// The names of columns to sort by, each after `-` if great values come first. Nothing: as in
    /// the files.
    pub order: Vec<String>,
    /// How many are taken at most.
    pub limit: Option<usize>,
    /// Whether order and limit are those of each file.
    pub each: bool,
}

/// A puzzle of a collection.
#[derive(Debug)]
struct Item {
    /// The number of its file, from 0.
    file: usize,
    name: String,
    row: PuzzleRow,
}

/// Puzzles of one or more files, perhaps of several games.
#[derive(Default)]
pub struct Collection {
    /// The game that the user gave, for puzzles of a game from a file.
    game: Option<String>,
    tables: Vec<PathBuf>,
    files: usize,
    items: Vec<Item>,
    sessions: HashMap<String, Box<dyn Session>>,
}

impl Collection {
    /// A collection without puzzles. A game that is read from a file must have been given as
    /// `game`: what is written in a table of puzzles opens no files. Each of the tables must be that
    /// of the game of some puzzle.
    pub fn new(game: Option<String>, tables: Vec<PathBuf>) -> Self {
        Self {
            game,
            tables,
            ..Self::default()
        }
    }

    /// Adds the puzzles of a file.
    pub fn add(&mut self, path: &Path, rows: Vec<PuzzleRow>) {
        let file = self.files;
        self.files += 1;
        let numbered = (1..).zip(rows);
        let items = numbered.map(|(number, row): (usize, _)| Item {
            file,
            name: format!("{}, row {number}", path.display()),
            row,
        });
        self.items.extend(items);
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &PuzzleRow> {
        self.items.iter().map(|item| &item.row)
    }

    /// How many puzzles each file has.
    pub fn by_file(&self) -> Vec<usize> {
        let mut counts = vec![0; self.files];
        for item in &self.items {
            counts[item.file] += 1;
        }
        counts
    }

    /// The puzzles with the sessions of their games, which are opened.
    ///
    /// # Errors
    /// If there is no such game, it is read from a file that was not given, or a table is not its
    /// own, or that of none of several games.
    pub fn entries(&mut self) -> Result<Vec<Puzzle<'_>>> {
        self.open()?;
        let entries = self.items.iter().map(|item| Puzzle {
            name: item.name.clone(),
            session: &*self.sessions[&item.row.game],
            row: &item.row,
        });
        Ok(entries.collect())
    }

    fn open(&mut self) -> Result<()> {
        // Later there are fewer puzzles, and perhaps none that a table is for.
        if !self.sessions.is_empty() {
            return Ok(());
        }
        let mut known = HashSet::new();
        let firsts = self.items.iter();
        let firsts: Vec<_> = firsts
            .filter(|item| known.insert(item.row.game.as_str()))
            .collect();
        let mut tables = HashMap::new();
        if firsts.len() > 1 || self.tables.len() > 1 {
            for path in &self.tables {
                let game = Table::open(path)?.description().game.clone();
                if !known.contains(game.as_str()) {
                    let path = path.clone();
                    return Err(SessionError::UnusedTable { path, game });
                }
                tables.insert(game, path);
            }
        } else if let (Some(item), Some(path)) = (firsts.first(), self.tables.first()) {
            tables.insert(item.row.game.clone(), path);
        }
        for item in firsts {
            let spec = &item.row.game;
            let table = tables.get(spec).map(|&path| path.clone());
            let session = open_of_row(spec, self.game.as_deref(), table);
            let session = session.map_err(|error| of_puzzle(&item.name, error))?;
            self.sessions.insert(spec.clone(), session);
        }
        Ok(())
    }

    /// Finds out all columns of puzzles of which only game and position are known.
    ///
    /// # Errors
    /// If a position is not one of its game, a column says otherwise than what is found out, or a
    /// table cannot be read.
    pub fn complete(&mut self, progress: &dyn Progress) -> Result<()> {
        self.open()?;
        for item in &mut self.items {
            let found = completed(&*self.sessions[&item.row.game], &item.row, progress);
            item.row = found.map_err(|error| of_puzzle(&item.name, error))?;
        }
        Ok(())
    }

    /// Whether all rows have been completed or mined.
    pub fn is_complete(&self) -> bool {
        self.rows().all(|row| !row.outcome.is_empty())
    }

    /// Takes some of the puzzles, which must be complete if a column is asked for, in this order.
    ///
    /// # Errors
    /// [`SessionError::Choice`] if the condition or the order cannot be read, or as
    /// [`entries`](Self::entries) if there are tables.
    pub fn choose(&mut self, choice: &PuzzleChoice) -> Result<()> {
        if !self.tables.is_empty() {
            self.open()?;
        }
        let rows: Vec<_> = self.rows().cloned().collect();
        let (catalogue, columns) = columns_of(&rows)?;
        let mut chosen: Vec<usize> = (0..rows.len()).collect();
        if let Some(text) = &choice.condition {
            let condition =
                Condition::new(text, &catalogue).map_err(|error| SessionError::Choice {
                    option: "where",
                    why: error.to_string(),
                })?;
            let admitted = condition.test(rows.len(), |column| columns[column].clone());
            chosen.retain(|&place| admitted[place]);
        }
        if let Some((least, greatest)) = choice.stars {
            chosen.retain(|&place| (least..=greatest).contains(&rows[place].grade().stars()));
        }
        let order = choice.order.iter().map(|name| {
            let (name, descending) = match name.strip_prefix('-') {
                Some(name) => (name, true),
                None => (name.as_str(), false),
            };
            let column = catalogue.find(name).ok_or_else(|| SessionError::Choice {
                option: "order",
                why: match catalogue.nearest(name).first() {
                    Some(near) => format!("unknown column '{name}'; did you mean '{near}'?"),
                    None => format!("unknown column '{name}'"),
                },
            })?;
            Ok((&columns[column], descending))
        });
        let order = order.collect::<Result<Vec<_>>>()?;
        let file = |place: usize| {
            if choice.each {
                self.items[place].file
            } else {
                0
            }
        };
        chosen.sort_by(|&a, &b| {
            let keys = order.iter();
            let mut keys = keys.map(|(values, down)| compare(values[a], values[b], *down));
            let by_keys = keys.find(|order| order.is_ne());
            file(a)
                .cmp(&file(b))
                .then(by_keys.unwrap_or(std::cmp::Ordering::Equal))
        });
        let mut taken: HashMap<usize, usize> = HashMap::new();
        chosen.retain(|&place| {
            let taken = taken.entry(file(place)).or_default();
            *taken += 1;
            choice.limit.is_none_or(|limit| *taken <= limit)
        });
        self.keep(&chosen);
        Ok(())
    }

    /// Leaves out puzzles whose positions are known, or images of known ones, and tells how many.
    /// `known` gives the positions of a game.
    ///
    /// # Errors
    /// If a position cannot be read, or `known` fails.
    pub fn exclude<E: From<SessionError>>(
        &mut self,
        mut known: impl FnMut(&dyn Session) -> Result<Vec<String>, E>,
    ) -> Result<usize, E> {
        let mut of_game: HashMap<String, HashSet<_>> = HashMap::new();
        let entries = self.entries()?;
        let mut kept = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            let session = entry.session;
            if !of_game.contains_key(&entry.row.game) {
                let positions = known(session)?;
                let keys = positions.iter().map(|text| session.position_key(text));
                of_game.insert(entry.row.game.clone(), keys.collect::<Result<_>>()?);
            }
            let key = session.position_key(&entry.row.position);
            if !of_game[&entry.row.game].contains(&key.map_err(|error| entry.error(error))?) {
                kept.push(place);
            }
        }
        let left_out = self.items.len() - kept.len();
        self.keep(&kept);
        Ok(left_out)
    }

    /// Leaves out puzzles that are one problem with an earlier one, or with `solutions` have its
    /// solution, up to symmetry.
    ///
    /// # Errors
    /// If a position or a solution cannot be read.
    pub fn distinct(&mut self, solutions: bool) -> Result<Distinct> {
        let found = distinct(&self.entries()?, solutions)?;
        self.keep(&found.kept);
        Ok(found)
    }

    /// Keeps a diverse choice of so many puzzles at most, in their order: by game, side, length, stars
    /// and themes, with at least `apart` squares between any two boards of a game, turned and
    /// reflected in every way.
    ///
    /// # Errors
    /// As [`entries`](Self::entries).
    pub fn pack(&mut self, count: usize, apart: usize) -> Result<()> {
        let kept = pack(&self.entries()?, count, apart);
        self.keep(&kept);
        Ok(())
    }

    /// Keeps the puzzles of these places, in this order.
    fn keep(&mut self, places: &[usize]) {
        let mut items: Vec<_> = std::mem::take(&mut self.items)
            .into_iter()
            .map(Some)
            .collect();
        let kept = places.iter().filter_map(|&place| items[place].take());
        self.items = kept.collect();
    }
}

/// The columns of rows that a condition can name, and their values.
fn columns_of(rows: &[PuzzleRow]) -> Result<(Catalogue, Vec<Vec<FeatureValue>>)> {
    let (mut features, mut columns) = (Vec::new(), Vec::new());
    for column in puzzle_columns(rows)?.columns() {
        let name = column.name.as_str();
        let is_own = rows.iter().any(|row| !row.own(name).is_empty());
        match &column.values {
            ColumnData::Numbers(numbers) => {
                features.push(Feature::number(name, ""));
                columns.push(numbers.iter().map(|&it| FeatureValue::known(it)).collect());
            }
            ColumnData::Indices(numbers) if name != "slot" => {
                let number = |it: &Option<i64>| it.map(|it| i32::try_from(it).unwrap_or(i32::MAX));
                features.push(Feature::number(name, ""));
                columns.push(
                    numbers
                        .iter()
                        .map(|it| FeatureValue::known(number(it)))
                        .collect(),
                );
            }
            // Themes are asked for one by one.
            ColumnData::Texts(texts) if name != "themes" => {
                let texts: Vec<_> = texts
                    .iter()
                    .map(|text| text.as_deref().unwrap_or(""))
                    .collect();
                let numbers = texts.iter().map(|text| text.parse::<i32>().ok());
                let numbers: Vec<_> = numbers.collect();
                let all = texts.iter().zip(&numbers);
                if is_own
                    && all
                        .into_iter()
                        .all(|(text, it)| text.is_empty() || it.is_some())
                {
                    features.push(Feature::number(name, ""));
                    columns.push(numbers.into_iter().map(FeatureValue::known).collect());
                    continue;
                }
                let mut words: BTreeSet<&str> = texts.iter().copied().collect();
                words.extend(match name {
                    "outcome" => vec!["draw", "loss", "win"],
                    "soundness" => Soundness::ALL.map(Soundness::name).to_vec(),
                    _ => Vec::new(),
                });
                let words: Vec<&str> = words.into_iter().collect();
                let value = |text: &&str| {
                    if text.is_empty() {
                        return FeatureValue::NONE;
                    }
                    FeatureValue::word(words.partition_point(|word| word < text))
                };
                columns.push(texts.iter().map(value).collect());
                features.push(Feature::word(name, words, ""));
            }
            _ => {}
        }
    }
    features.push(Feature::number("stars", ""));
    let stars = rows
        .iter()
        .map(|row| FeatureValue::number(row.grade().stars().into()));
    columns.push(stars.collect());
    for theme in THEMES {
        let has = |row: &PuzzleRow| row.themes.split(' ').any(|name| name == theme.name);
        features.push(Feature::flag(
            format!("theme_{}", theme.name.replace('-', "_")),
            "",
        ));
        columns.push(
            rows.iter()
                .map(|row| FeatureValue::flag(has(row)))
                .collect(),
        );
    }
    Ok((Catalogue::of_rows(features), columns))
}

/// Opens the game of a puzzle. A game that is read from a file must have been `given` by the
/// user: what is written in a table of puzzles opens no files.
fn open_of_row(
    spec: &str,
    given: Option<&str>,
    table: Option<PathBuf>,
) -> Result<Box<dyn Session>> {
    let options = Options::new().table(table);
    let Some(given) = given else {
        if names_a_file(spec) {
            return Err(SessionError::FileOfRow(spec.to_owned()));
        }
        return options.open(spec);
    };
    let session = options.open(given)?;
    // In tables of earlier versions graphs have no digest.
    if session.spec() != spec && given != spec {
        return Err(SessionError::OtherThanGiven {
            spec: spec.to_owned(),
            given: session.spec(),
        });
    }
    Ok(session)
}
