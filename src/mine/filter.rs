//! Filters, which composers write.

use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use super::columns::DEEPEST;
use super::error::MineError;
use crate::base::files::read_text;
use crate::base::text::{capitalized, words};

/// A filter, as its TOML file says it. What it must have is checked apart, so that a message can name
/// all that is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// The name: lower-case letters, digits and hyphens.
    pub name: String,
    /// The title for readers.
    pub title: String,
    /// A description in one or two sentences.
    pub text: String,
    /// The condition.
    pub predicate: String,
    /// The columns that finds are sorted by; a leading `-` means descending. In a file, one may stand
    /// without brackets.
    #[serde(deserialize_with = "one_or_more")]
    pub order: Vec<String>,
    /// The maximum number of finds.
    pub limit: Option<usize>,
    /// How many finds, the first in the filter's order, are compared by score. The best are
    /// kept. Fewer than are wanted count as that many.
    pub shortlist: Option<usize>,
    /// Whether only the first of several finds with the same solution, up to symmetry, is
    /// kept.
    pub distinct: bool,
    /// How many plies ahead the player looks whom the solver is to force into a mistake; `None`
    /// for problems without such a player.
    pub against: Option<u8>,
    stipulation: Option<FilterStipulation>,
    /// The partial diagram that positions must fit, as they are or turned.
    pub pattern: Option<String>,
    /// The states of a position that it scans.
    pub states: States,
    /// Positions it must admit.
    pub admit: Vec<Example>,
    /// Positions it must refuse.
    pub refuse: Vec<Example>,
}

/// Texts in brackets, or one text.
fn one_or_more<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    match Value::deserialize(source)? {
        Value::String(one) => Ok(vec![one]),
        all => all.try_into().map_err(D::Error::custom),
    }
}

/// How many times its limit a filter keeps, to have enough when similar finds are left out.
const SPARE: usize = 20;

/// What the puzzles of a filter ask, if it is not the value of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FilterStipulation {
    /// A mate by checks alone, in the plies up to the mating move.
    Mate,
}

/// The states of a position that a filter scans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum States {
    /// Only the state in which nothing is forbidden.
    #[default]
    Unrestricted,
    /// Also the states with each forbidden move that can arise.
    All,
}

/// A position that a filter must admit or refuse.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Example {
    /// Spec of the game.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// Why it is admitted or refused.
    pub why: String,
}

/// The fields that a filter's file must have and lacks.
fn missing(written: &Table) -> Vec<String> {
    let mut missing = Vec::new();
    for list in ["admit", "refuse"] {
        let examples = written.get(list).and_then(Value::as_array);
        for (number, example) in (1..).zip(examples.into_iter().flatten()) {
            let fields = ["game", "position", "why"].into_iter();
            let lacking = fields.filter(|field| example.get(field).is_none());
            missing.extend(lacking.map(|field| format!("{field} of [[{list}]] number {number}")));
        }
    }
    let fields = ["name", "predicate"].into_iter();
    let lacking = fields.filter(|field| !written.contains_key(*field));
    missing.extend(lacking.map(str::to_owned));
    missing
}

/// A name in words, the first of which begins with a capital letter: the title of a filter that has
/// none.
pub fn titled(name: &str) -> String {
    capitalized(&words(name))
}

impl Filter {
    /// Reads a filter from the text of a file; `file` is its name in messages.
    ///
    /// # Errors
    /// If the text is not a filter in TOML, lacks fields (the message names all of them), or
    /// the filter's name has other characters than lower-case letters, digits and hyphens
    /// (it becomes the name of a folder).
    pub fn parse(text: &str, file: &str) -> Result<Self, MineError> {
        let malformed = |message: String| invalid(file, &message);
        let of_toml = |error: toml::de::Error| malformed(error.to_string());
        let mut filter: Self = toml::from_str(text).map_err(of_toml)?;
        let written: Table = toml::from_str(text).map_err(of_toml)?;
        let missing = missing(&written);
        if !missing.is_empty() {
            return Err(malformed(format!("missing {}", missing.join(", "))));
        }
        if !written.contains_key("title") {
            filter.title = titled(&filter.name);
        }
        filter.checked(file)
    }

    /// Reads a filter file.
    ///
    /// # Errors
    /// If it cannot be read or is invalid.
    pub fn load(path: &Path) -> Result<Self, MineError> {
        let text = read_text(path).map_err(unreadable(path))?;
        Self::parse(&text, &path.display().to_string())
    }

    /// Creates a filter from a condition: puzzles with different solutions, the longest
    /// first.
    ///
    /// # Errors
    /// If the name has other characters than lower-case letters, digits and hyphens.
    pub fn of_condition(name: &str, condition: &str) -> Result<Self, MineError> {
        let filter = Self {
            name: name.to_owned(),
            predicate: condition.to_owned(),
            order: vec!["-plies".to_owned()],
            distinct: true,
            ..Self::default()
        };
        filter.checked(name)
    }

    /// The text of a file with the name, the pattern, the condition and the order of the filter, and
    /// an empty line for notes. [`parse`](Self::parse) reads it.
    pub fn sketch(&self) -> String {
        let text = |text: &str| Value::from(text);
        let pattern = self.pattern.as_deref();
        let pattern = pattern.map_or_else(String::new, |it| format!("pattern = {}\n", text(it)));
        format!(
            "name = {}\ntext = \"\"\n{pattern}predicate = {}\norder = {}\n",
            text(&self.name),
            text(&self.predicate),
            Value::from(self.order.clone())
        )
    }

    fn checked(self, file: &str) -> Result<Self, MineError> {
        let name = &self.name;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        // It is the name of a folder, and of a device there.
        let device = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let least = self.limit.unwrap_or(1);
        let fault = if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
            &format!("name = {name:?} must be made of lower-case letters, digits and hyphens")
        } else if matches!(device, "con" | "prn" | "aux" | "nul" | "com" | "lpt") {
            &format!("name = {name:?} is reserved on Windows; give another one")
        } else if let Some(depth) = self.against.filter(|depth| !(1..=DEEPEST).contains(depth)) {
            &format!("against = {depth} must be a number of plies from 1 to {DEEPEST}")
        } else if self.limit == Some(0) {
            "limit = 0 keeps nothing; leave it out to keep all finds"
        } else if self.against.is_some() && self.stipulation.is_some() {
            "against and stipulation ask different things of the solver; leave one out"
        } else if self.shortlist.is_some_and(|shortlist| shortlist < least) {
            "shortlist is less than limit; it is the number of finds that are compared by score, so give several times the limit"
        } else {
            return Ok(self);
        };
        Err(invalid(file, fault))
    }

    /// How many finds a scan must keep so that `limit` puzzles remain.
    pub fn scanned(&self, limit: Option<usize>) -> Option<usize> {
        if let Some(shortlist) = self.shortlist {
            return Some(shortlist.max(limit.unwrap_or(0)));
        }
        let spare = if self.distinct { SPARE } else { 1 };
        Some(limit?.saturating_mul(spare))
    }

    /// Whether its puzzles ask for mates by checks alone, and not for what the position's value
    /// says.
    pub(crate) const fn asks_mates(&self) -> bool {
        matches!(self.stipulation, Some(FilterStipulation::Mate))
    }
}

fn invalid(file: &str, message: &str) -> MineError {
    MineError::Refused(format!("invalid filter {file}: {message}"))
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> MineError {
    move |error| MineError::Refused(format!("cannot read filter {}: {error}", path.display()))
}

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/filters");

/// The folder of the filters for all games; those of a family that have the same name take their
/// place.
const ANY: &str = "any";

/// Finds filters by name: a TOML file, or a shipped filter of a family of games (the name
/// before the colon of a spec). Without names, all shipped filters of the family, sorted, but
/// those against a player who looks ahead ([`Filter::against`]), which are a lot of work.
///
/// # Errors
/// If a file cannot be used, or there is no such filter.
pub fn filters(family: &str, names: &[String]) -> Result<Vec<Filter>, MineError> {
    if names.is_empty() {
        let mut filters = of_family(family)?;
        filters.retain(|filter| filter.against.is_none());
        filters.sort_by(|a, b| a.name.cmp(&b.name));
        return Ok(filters);
    }
    names.iter().map(|name| find(family, name)).collect()
}

fn find(family: &str, name: &str) -> Result<Filter, MineError> {
    let path = Path::new(name);
    if is_toml(path) || path.exists() {
        return Filter::load(path);
    }
    let filters = of_family(family)?;
    if let Some(found) = filters.iter().find(|filter| filter.name == name) {
        return Ok(found.clone());
    }
    let known: Vec<_> = filters.iter().map(|filter| &filter.name[..]).collect();
    let known = known.join(", ");
    Err(MineError::Refused(format!(
        "unknown filter '{name}': the filters for {family} are {known}; or give a TOML file"
    )))
}

/// The shipped filters of a family, and of all games.
fn of_family(family: &str) -> Result<Vec<Filter>, MineError> {
    let mut filters = shipped(family)?;
    for filter in shipped(ANY)? {
        if filters.iter().all(|own| own.name != filter.name) {
            filters.push(filter);
        }
    }
    Ok(filters)
}

fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "toml")
}

/// The filters of a folder: from `filters/` in the current directory, if
/// there is one (so that edits take effect), otherwise the built-in ones.
fn shipped(family: &str) -> Result<Vec<Filter>, MineError> {
    let folder = Path::new("filters").join(family);
    if folder.is_dir() {
        let entries = std::fs::read_dir(&folder).map_err(unreadable(&folder))?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| is_toml(path));
        files.sort();
        return files.iter().map(|path| Filter::load(path)).collect();
    }
    let Some(folder) = SHIPPED.get_dir(family) else {
        return Ok(Vec::new());
    };
    let files = folder.files().filter(|file| is_toml(file.path()));
    let filters = files.map(|file| {
        let name = file.path().display().to_string();
        Filter::parse(file.contents_utf8().unwrap_or_default(), &name)
    });
    filters.collect()
}
