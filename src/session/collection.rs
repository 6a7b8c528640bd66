//! Puzzles of one or more files, with the games that they are of: how they are chosen, joined and
//! completed.

use std::collections::hash_map::{self, HashMap};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::analysis::lures::SwindleTask;
use crate::analysis::{Soundness, Stipulation, THEMES};
use crate::base::progress::Progress;
use crate::base::text::{grouped, plural};
use crate::export::{ColumnData, ExportError, WORDS, changed, puzzle_columns};
use crate::game::{Feature, FeatureValue, same_game};
use crate::games::registry::names_a_file;
use crate::mine::{Catalogue, Condition, PuzzleRow, compare};
use crate::session::pack::{Quota, pack};
use crate::session::{Options, Result, Session, SessionError};
use crate::table::Table;

/// The most problems of a book or a deck: each needs about 200 kB of memory.
const MOST: usize = 10_000;

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
    /// How games are opened whose tables are not among those.
    options: Options,
    files: usize,
    items: Vec<Item>,
    sessions: HashMap<String, Box<dyn Session>>,
}

impl Collection {
    /// A collection without puzzles. A game that is read from a file must have been given as
    /// `game`: what is written in a table of puzzles opens no files. Each of the tables must be that
    /// of the game of some puzzle; for other games, `options` say where a table may be.
    pub fn new(game: Option<String>, tables: Vec<PathBuf>, options: Options) -> Self {
        Self {
            game,
            tables,
            options,
            ..Self::default()
        }
    }

    /// Adds the puzzles of a file. If all of the collection are to be `for_one` book or deck, more than
    /// it has are refused before the rest is read.
    ///
    /// # Errors
    /// If a row cannot be read, or there are too many.
    pub fn add(
        &mut self,
        path: &Path,
        rows: impl Iterator<Item = std::result::Result<PuzzleRow, ExportError>>,
        for_one: Option<&str>,
    ) -> Result<()> {
        let file = self.files;
        self.files += 1;
        for (number, row) in (1_usize..).zip(rows) {
            let (name, row) = (format!("{}, row {number}", path.display()), row?);
            self.items.push(Item { file, name, row });
            // Where many repeat others, they are not counted again for each row.
            let many = self.items.len() - 1;
            let counts = many.is_multiple_of(MOST) && (many / MOST).is_power_of_two();
            if let Some(kind) = for_one.filter(|_| counts) {
                // What is wrong with a row or a table is found when all are read.
                let found = self.entries().and_then(|all| Ok(firsts(&all)?.len()));
                self.sessions.clear();
                refuse_many(kind, found.unwrap_or(0))?;
            }
        }
        Ok(())
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &PuzzleRow> {
        self.items.iter().map(|item| &item.row)
    }

    /// The titles, authors and sources of the puzzles.
    pub fn credits(&self) -> impl Iterator<Item = &str> {
        self.rows().flat_map(|row| WORDS.map(|name| row.own(name)))
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
        let mut firsts: Vec<_> = self.items.iter().collect();
        firsts.retain(|item| known.insert(item.row.game.as_str()));
        let mut tables = HashMap::new();
        if firsts.len() > 1 || self.tables.len() > 1 {
            for path in &self.tables {
                let game = Table::open(path)?.description.game.clone();
                if !known.iter().any(|known| same_game(known, &game)) {
                    return Err(SessionError::Refused(format!(
                        "{}: it is the table of {game}, and no puzzle is of that game; leave it out",
                        path.display()
                    )));
                }
                tables.insert(game, path);
            }
        } else if let (Some(item), Some(path)) = (firsts.first(), self.tables.first()) {
            tables.insert(item.row.game.clone(), path);
        }
        for item in firsts {
            let spec = &item.row.game;
            let mut tables = tables.iter();
            let table = tables.find(|(game, _)| same_game(game, spec));
            let table = table.map(|(_, &path)| path.clone());
            let options = self.options.clone().table(table);
            let session = open_of_row(spec, self.game.as_deref(), &options);
            let session = session.map_err(|error| of_puzzle(&item.name, error))?;
            self.sessions.insert(spec.clone(), session);
        }
        Ok(())
    }

    /// Computes all columns of puzzles of which only game and position are known.
    ///
    /// # Errors
    /// If a position is not one of its game, a column says otherwise than what is computed, or a
    /// table cannot be read.
    pub fn complete(&mut self, progress: &dyn Progress) -> Result<()> {
        self.open()?;
        let open = self.items.iter_mut().filter(|it| it.row.outcome.is_empty());
        for item in open {
            let found = completed(&*self.sessions[&item.row.game], &item.row, progress);
            item.row = found.map_err(|error| of_puzzle(&item.name, error))?;
        }
        Ok(())
    }

    /// Whether all rows have been completed or mined.
    pub fn is_complete(&self) -> bool {
        self.rows().all(|row| !row.outcome.is_empty())
    }

    /// Keeps the puzzles that fulfil a condition on their columns, as in filters, and whose stars are
    /// between the least and the greatest number. There are also the columns `stars`, flags such as
    /// `theme_quiet_key`, and those of the user's own. The puzzles, or those of `each` file, are sorted
    /// by the columns of `order`, each named after `-` if great values come first. All must be complete
    /// if a column is asked for.
    ///
    /// # Errors
    /// [`SessionError::Refused`] if the condition or the order cannot be read, or as
    /// [`entries`](Self::entries) if there are tables.
    pub fn choose(
        &mut self,
        condition: Option<&str>,
        stars: Option<(u8, u8)>,
        order: &[String],
        each: bool,
    ) -> Result<()> {
        if !self.tables.is_empty() {
            self.open()?;
        }
        let rows: Vec<_> = self.rows().cloned().collect();
        let (catalogue, columns) = columns_of(&rows)?;
        let mut chosen: Vec<usize> = (0..rows.len()).collect();
        if let Some(text) = condition {
            let admitted = admitted("where", text, (&catalogue, &columns), rows.len())?;
            chosen.retain(|&place| admitted[place]);
        }
        if let Some((least, greatest)) = stars {
            chosen.retain(|&place| (least..=greatest).contains(&rows[place].grade().stars()));
        }
        let order = order.iter().map(|name| {
            let ascending = (name.as_str(), false);
            let (name, descending) = name.strip_prefix('-').map_or(ascending, |it| (it, true));
            let column = catalogue.find(name).ok_or_else(|| {
                if name == "themes" {
                    let why =
                        "--order: themes have no order; sort by one, such as -theme_quiet_key";
                    return SessionError::Refused(why.to_owned());
                }
                let near = catalogue.nearest(name);
                let near = near.first().map(|near| format!("; did you mean '{near}'?"));
                let near = near.unwrap_or_default();
                SessionError::Refused(format!("--order: unknown column '{name}'{near}"))
            })?;
            Ok((&columns[column], descending))
        });
        let order = order.collect::<Result<Vec<_>>>()?;
        let file = |place: usize| each.then(|| self.items[place].file);
        chosen.sort_by(|&a, &b| {
            let keys = order.iter();
            let keys = keys.map(|&(values, down)| (values[a], values[b], down));
            file(a).cmp(&file(b)).then(compare(keys))
        });
        self.keep(&chosen);
        Ok(())
    }

    /// Keeps the first puzzles, or the first of `each` file, as many as `most`.
    pub fn limit(&mut self, most: usize, each: bool) {
        let mut taken = vec![0; self.files];
        self.items.retain(|item| {
            let taken = &mut taken[if each { item.file } else { 0 }];
            *taken += 1;
            *taken <= most
        });
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
            let key = key.map_err(|error| of_puzzle(&entry.name, error))?;
            if !of_game[&entry.row.game].contains(&key) {
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

    /// Keeps a diverse choice of at most `count` puzzles, in their order: by game, side, length, stars
    /// and themes, with at least `apart` squares between any two boards of a game, turned and
    /// reflected in every way. Of the puzzles that fulfil the condition of a quota there are at least
    /// as many as it says. Returns how many are kept.
    ///
    /// # Errors
    /// [`SessionError::Refused`] if a condition cannot be read or a quota not be filled, or as
    /// [`entries`](Self::entries).
    pub fn pack(
        &mut self,
        count: usize,
        apart: usize,
        quotas: &[(usize, String)],
    ) -> Result<usize> {
        let entries = self.entries()?;
        let rows: Vec<_> = entries.iter().map(|it| (it.session, it.row)).collect();
        let own: Vec<_> = rows.iter().map(|(_, row)| (*row).clone()).collect();
        let (catalogue, columns) = columns_of(&own)?;
        let open = quotas.iter().map(|&(least, ref text)| {
            let fits = admitted("quota", text, (&catalogue, &columns), own.len())?;
            Ok(Quota { fits, least })
        });
        let mut open = open.collect::<Result<Vec<_>>>()?;
        let kept = pack(&rows, count, apart, &mut open);
        if let Some(((least, text), quota)) = quotas.iter().zip(&open).find(|it| it.1.least > 0) {
            let found = least - quota.least;
            let fit = quota.fits.iter().filter(|fits| **fits).count();
            let why = if fit < *least {
                let all = plural(own.len() as u64, "puzzle");
                format!("{fit} of {all} fulfil the condition; ask for fewer, or change it")
            } else {
                format!(
                    "the pack has room for {found} of them that differ enough; ask for fewer, for a larger pack, or for a smaller --apart"
                )
            };
            let why = format!("--quota {least}:{text}: {why}");
            return Err(SessionError::Refused(why));
        }
        self.keep(&kept);
        Ok(kept.len())
    }

    /// Keeps the puzzles of these places, in this order.
    fn keep(&mut self, places: &[usize]) {
        let items = std::mem::take(&mut self.items).into_iter();
        let mut items: Vec<_> = items.map(Some).collect();
        let kept = places.iter().filter_map(|&place| items[place].take());
        self.items = kept.collect();
    }
}

/// Which rows fulfil the condition of an option.
fn admitted(
    option: &str,
    text: &str,
    (catalogue, columns): (&Catalogue, &[Vec<FeatureValue>]),
    rows: usize,
) -> Result<Vec<bool>> {
    let refused = |error| SessionError::Refused(format!("--{option}: {error}"));
    let condition = Condition::new(text, catalogue).map_err(refused)?;
    Ok(condition.test(rows, |column| columns[column].clone()))
}

/// The columns of rows that a condition can name, and their values.
fn columns_of(rows: &[PuzzleRow]) -> Result<(Catalogue, Vec<Vec<FeatureValue>>)> {
    let (mut features, mut columns) = (Vec::new(), Vec::new());
    let mut add = |feature, values: Vec<FeatureValue>| {
        features.push(feature);
        columns.push(values);
    };
    for column in puzzle_columns(rows)?.columns() {
        let name = column.name.as_str();
        let is_own = rows.iter().any(|row| !row.own(name).is_empty());
        match &column.values {
            ColumnData::Numbers(numbers) => {
                let values = numbers.iter().map(|&it| FeatureValue::known(it));
                add(Feature::number(name, ""), values.collect());
            }
            ColumnData::Indices(indices) => {
                let text = |it: &Option<i64>| it.map_or_else(String::new, |it| it.to_string());
                let texts: Vec<_> = indices.iter().map(text).collect();
                let texts: Vec<_> = texts.iter().map(String::as_str).collect();
                if let Some((feature, values)) = numbers(name, &texts) {
                    add(feature, values);
                }
            }
            // Themes are asked for one by one.
            ColumnData::Texts(texts) if name != "themes" => {
                let texts = texts.iter().map(|text| text.as_deref().unwrap_or(""));
                let texts: Vec<_> = texts.collect();
                if let Some((feature, values)) = is_own.then(|| numbers(name, &texts)).flatten() {
                    add(feature, values);
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
                let values = texts.iter().map(value).collect();
                add(Feature::word(name, words, ""), values);
            }
            _ => {}
        }
    }
    let stars = |row: &PuzzleRow| FeatureValue::number(row.grade().stars().into());
    let stars = rows.iter().map(stars).collect();
    add(Feature::number("stars", ""), stars);
    for theme in THEMES {
        let has = |row: &PuzzleRow| row.themes.split(' ').any(|name| name == theme.name);
        let values = rows.iter().map(|row| FeatureValue::flag(has(row)));
        let name = format!("theme_{}", theme.name.replace('-', "_"));
        add(Feature::flag(name, ""), values.collect());
    }
    Ok((Catalogue::of_rows(features), columns))
}

/// A column of numbers; `None` if a cell that is not empty is no finite number.
fn numbers(name: &str, texts: &[&str]) -> Option<(Feature, Vec<FeatureValue>)> {
    let filled = || texts.iter().filter(|text| !text.is_empty());
    let whole = |text: &&str| text.parse().ok().filter(|&number: &i32| number > i32::MIN);
    if filled().all(|text| whole(text).is_some()) {
        let values = texts.iter().map(|text| FeatureValue::known(whole(text)));
        return Some((Feature::number(name, ""), values.collect()));
    }
    let decimal = |text: &&str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let mut all = filled().map(decimal).collect::<Option<Vec<_>>>()?;
    all.sort_by(f64::total_cmp);
    all.dedup();
    let value = |number: f64| FeatureValue::word(all.partition_point(|&it| it < number));
    let value = |text| decimal(text).map_or(FeatureValue::NONE, value);
    let values = texts.iter().map(value).collect();
    Some((Feature::decimal(name, &all), values))
}

/// The row of a puzzle that was not mined, with all that can be computed.
fn completed(session: &dyn Session, row: &PuzzleRow, progress: &dyn Progress) -> Result<PuzzleRow> {
    let mut found = session.problems()?.complete(row, progress)?;
    found.similar = row.similar;
    match changed(row, &found)? {
        Some((column, given, found)) => Err(SessionError::Refused(format!(
            "the column {column} is '{given}', but tesuji finds '{found}'; leave it out, or give a column of your own another name"
        ))),
        None => Ok(found),
    }
}

/// Opens the game of a puzzle. A game that is read from a file must have been `given` by the
/// user: what is written in a table of puzzles opens no files.
fn open_of_row(spec: &str, given: Option<&str>, options: &Options) -> Result<Box<dyn Session>> {
    let Some(given) = given else {
        if names_a_file(spec) {
            return Err(SessionError::Refused(format!(
                "a file of rules or a graph that a table of puzzles names is not opened; if you trust '{spec}', add --game '{spec}'"
            )));
        }
        return options.open(spec);
    };
    let session = options.open(given)?;
    // In tables of earlier versions graphs have no digest.
    if !same_game(&session.spec(), spec) && given != spec {
        return Err(SessionError::Refused(format!(
            "the puzzle is of '{spec}', not of '{}'; leave out --game, or give that game",
            session.spec()
        )));
    }
    Ok(session)
}

/// A puzzle with the session of its game.
#[derive(Clone)]
pub struct Puzzle<'a> {
    /// Where it stands, for messages, such as `sets.csv, row 3`.
    pub name: String,
    /// The session of its game.
    pub session: &'a dyn Session,
    /// Its row.
    pub row: &'a PuzzleRow,
}

impl<'a> Puzzle<'a> {
    /// Puzzles of one game, named by their numbers and names.
    pub fn of_rows(session: &'a dyn Session, rows: &'a [PuzzleRow]) -> Vec<Self> {
        let entries = (1..).zip(rows).map(|(number, row): (usize, _)| Self {
            name: format!("puzzle {number} ({})", row.puzzle_id),
            session,
            row,
        });
        entries.collect()
    }
}

pub(super) fn of_puzzle(name: &str, source: SessionError) -> SessionError {
    match source {
        SessionError::Stopped => SessionError::Stopped,
        source => SessionError::Puzzle {
            name: name.to_owned(),
            source: Box::new(source),
        },
    }
}

/// Refuses more problems than fit a file of this kind.
pub(super) fn refuse_many(kind: &str, count: usize) -> Result<()> {
    if count <= MOST {
        return Ok(());
    }
    Err(SessionError::Refused(format!(
        "a {kind} has at most {} problems, and these are more; choose some with --limit, --where or --pack",
        grouped(MOST as u64)
    )))
}

/// The first puzzle in each position of a game, up to symmetry, by a text that only these have.
pub(super) fn firsts<'e, 'a>(
    entries: &'e [Puzzle<'a>],
) -> Result<IndexMap<String, &'e Puzzle<'a>>> {
    let mut firsts = IndexMap::new();
    for entry in entries {
        let key = entry.session.position_key(&entry.row.position)?;
        let identity = format!("{}\n{key}", entry.session.spec());
        firsts.entry(identity).or_insert(entry);
    }
    Ok(firsts)
}

/// Which rows are the first of their problem, and why others are left out.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The rows that stay, by their places.
    pub kept: Vec<usize>,
    /// Rows that have the position of one that stays.
    pub exact: u64,
    /// Rows that have an image of such a position.
    pub images: u64,
    /// Rows that have the solution of one that stays, up to symmetry.
    pub similar: u64,
}

/// Finds rows that are one problem: of one game, they ask for the same, a win, a mate or a
/// forced mistake, in one position up to the symmetries of the game. With `solutions` those with
/// the same solution up to symmetry are one, too.
pub(super) fn distinct(entries: &[Puzzle<'_>], solutions: bool) -> Result<Distinct> {
    let mut positions = HashMap::new();
    let mut lines = HashSet::new();
    let mut found = Distinct::default();
    for (place, entry) in entries.iter().enumerate() {
        let (session, row) = (entry.session, entry.row);
        let mut sort = || -> Result<()> {
            let text = session.position(&row.position)?.text;
            let mate = Stipulation::parse(&row.stipulation).is_ok_and(|it| it.mate().is_some());
            let depth = SwindleTask::parse(&row.stipulation).map(|task| task.depth);
            let spec = session.spec();
            let image = session.position_key(&row.position)?;
            match positions.entry((spec.clone(), mate, depth, image)) {
                hash_map::Entry::Occupied(first) if *first.get() == text => found.exact += 1,
                hash_map::Entry::Occupied(_) => found.images += 1,
                hash_map::Entry::Vacant(first) => {
                    first.insert(text);
                    let line = solutions.then(|| session.line_key(row)).transpose()?;
                    let line = line.flatten();
                    if line.is_some_and(|line| !lines.insert((spec, line))) {
                        found.similar += 1;
                    } else {
                        found.kept.push(place);
                    }
                }
            }
            Ok(())
        };
        sort().map_err(|error| of_puzzle(&entry.name, error))?;
    }
    Ok(found)
}

impl Distinct {
    /// How many rows are left out and why, a line for each reason.
    pub fn left_out(&self) -> Vec<String> {
        let told = |count, one: &str, many: &str, what: &str| {
            let verb = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{} {verb} {what}", plural(count, "row")))
        };
        let how = [
            (self.exact, "exactly"),
            (self.images, "mirrored, turned or with colours swapped"),
        ];
        let how = how.into_iter().filter(|(count, _)| *count > 0);
        let how = how.map(|(count, how)| format!("{} {how}", grouped(count)));
        let how = format!("a problem: {}", how.collect::<Vec<_>>().join(", "));
        let repeats = told(self.exact + self.images, "repeats", "repeat", &how);
        let solution = "the solution of an earlier one, up to symmetry";
        let similar = told(self.similar, "has", "have", solution);
        repeats.into_iter().chain(similar).collect()
    }
}
