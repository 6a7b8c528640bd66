//! Features: columns of positions that filters, exports and books use.

use super::moves::Game;

/// The value of a feature: a number, a flag, a word, or nothing (SQL NULL). The [`Feature`]
/// has the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureValue(i32);

impl FeatureValue {
    /// No value.
    pub const NONE: Self = Self(i32::MIN);

    /// A whole number.
    pub const fn number(number: i32) -> Self {
        Self(number)
    }

    /// A count; at most `i32::MAX`.
    pub fn count(count: usize) -> Self {
        Self(i32::try_from(count).unwrap_or(i32::MAX))
    }

    pub(crate) fn known(number: Option<impl Into<i32>>) -> Self {
        number.map_or(Self::NONE, |number| Self::number(number.into()))
    }

    /// A flag.
    pub const fn flag(flag: bool) -> Self {
        Self(flag as i32)
    }

    /// A word, by its index in the feature's list of words.
    pub fn word(place: usize) -> Self {
        Self::count(place)
    }

    /// The number, 1 or 0 for a flag, or the index of the word; `None` if there is no
    /// value.
    pub const fn get(self) -> Option<i32> {
        if self.0 == i32::MIN {
            None
        } else {
            Some(self.0)
        }
    }
}

/// The type of a feature column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureKind {
    /// True or false.
    Flag,
    /// A whole number.
    Number,
    /// One of these words, in sorting order.
    Word(Vec<String>),
}

/// A documented property of a state that filters may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Column name in SQL, in snake case.
    pub name: String,
    /// Type of the values.
    pub kind: FeatureKind,
    /// Description, with unit and range.
    pub meaning: String,
    /// What the numbers count, e.g. `plies`; empty if they count nothing or it was not said.
    pub unit: &'static str,
    /// Whether values may be missing (SQL NULL).
    pub nullable: bool,
}

impl Feature {
    fn new(name: impl Into<String>, kind: FeatureKind, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind,
            meaning: meaning.into(),
            unit: "",
            nullable: true,
        }
    }

    /// A feature as a table has it, with ` | ` between the cells: its name; `flag`, `number` or what
    /// `words` knows; what its numbers count; `NULL` if values may be missing; and its meaning.
    pub(crate) fn read(row: &'static str, words: impl Fn(&str) -> Vec<String>) -> Self {
        let mut cells = row.splitn(5, " | ");
        let cells: [_; 5] = std::array::from_fn(|_| cells.next().unwrap_or_default());
        let [name, kind, unit, missing, meaning] = cells;
        let kind = match kind {
            "flag" => FeatureKind::Flag,
            "number" => FeatureKind::Number,
            kind => FeatureKind::Word(words(kind)),
        };
        Self {
            unit: if unit == "-" { "" } else { unit },
            nullable: missing == "NULL",
            ..Self::new(name, kind, meaning)
        }
    }

    /// The features of a table, one a line, as [`read`](Self::read) has them.
    pub(crate) fn listed(table: &'static str, words: impl Fn(&str) -> Vec<String>) -> Vec<Self> {
        table.lines().map(|row| Self::read(row, &words)).collect()
    }

    /// The feature, with what its numbers count.
    pub(crate) fn counts(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The feature, with a value in every state: it is never NULL.
    pub(crate) fn always(self) -> Self {
        Self {
            nullable: false,
            ..self
        }
    }

    /// A feature with numbers.
    pub fn number(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::new(name, FeatureKind::Number, meaning)
    }

    /// A feature with flags.
    pub fn flag(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::new(name, FeatureKind::Flag, meaning)
    }

    /// A feature with words, given in sorting order.
    pub fn word(
        name: impl Into<String>,
        words: impl IntoIterator<Item = impl Into<String>>,
        meaning: impl Into<String>,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        Self::new(name, FeatureKind::Word(words), meaning)
    }

    /// A feature with numbers that are decimal, or need more than 32 bits. Its values are places in
    /// the list of the numbers, which rises.
    pub(crate) fn decimal(name: impl Into<String>, numbers: &[f64]) -> Self {
        let words = numbers.iter().map(f64::to_string);
        Self::word(name, words, "").counts(Self::DECIMAL)
    }

    /// A value in words, as conditions have it.
    pub(crate) fn written(&self, value: FeatureValue) -> String {
        let Some(number) = value.get() else {
            return "NULL".to_owned();
        };
        let word = |words: &[String]| words.get(usize::try_from(number).ok()?).cloned();
        match &self.kind {
            FeatureKind::Flag => (number != 0).to_string(),
            FeatureKind::Number => number.to_string(),
            FeatureKind::Word(words) => word(words).unwrap_or_default(),
        }
    }

    /// What tells the numbers of [`decimal`](Self::decimal) from words.
    pub(crate) const DECIMAL: &'static str = "decimal";
}

/// Features that depend on the board alone, not on the values of positions.
pub trait Features: Game {
    /// The features, always the same in the same order.
    fn features(&self) -> Vec<Feature>;

    /// Appends the values of one state to `values`, for the features in `wanted`, which are
    /// indices into [`features`](Self::features).
    fn measure(&self, state: &Self::State, wanted: &[usize], values: &mut Vec<FeatureValue>);

    /// The features that are the same in all positions of a [layer](super::Layer), such as
    /// numbers of pieces, as indices into [`features`](Self::features) in rising order. A scan
    /// leaves a layer out if a filter refuses it by them.
    fn features_of_layers(&self) -> Vec<usize> {
        Vec::new()
    }
}
