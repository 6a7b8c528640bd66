//! Columns of one's own, measured when the positions are listed.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use tesuji::game::{Feature, FeatureValue};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Given {
    /// `None`.
    Nothing,
    Flag(bool),
    Number(i32),
    Word(String),
}

impl Given {
    const fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Flag(_) => Some("bool"),
            Self::Number(_) => Some("int"),
            Self::Word(_) => Some("str"),
        }
    }
}

#[derive(Debug, Default)]
struct OwnColumn {
    name: String,
    kind: Option<&'static str>,
    words: BTreeMap<String, i32>,
    values: Vec<i32>,
}

#[derive(Debug, Default)]
pub(super) struct OwnColumns(Vec<OwnColumn>);

impl OwnColumns {
    /// What stands for no value.
    const NONE: i32 = i32::MIN;

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the values of the next positions; the first ones name the columns.
    pub(super) fn extend(
        &mut self,
        given: Vec<(String, impl IntoIterator<Item = Given>)>,
        first: bool,
    ) -> Result<(), String> {
        if first {
            for (name, _) in &given {
                check_name(name)?;
                self.0.push(OwnColumn {
                    name: name.clone(),
                    ..OwnColumn::default()
                });
            }
        }
        if given.len() != self.0.len() {
            let known: Vec<_> = self.0.iter().map(|column| column.name.as_str()).collect();
            return Err(format!(
                "{} values instead of those of {}; give all of them in every position, None where there is none",
                given.len(),
                known.join(", ")
            ));
        }
        for (column, (name, values)) in self.0.iter_mut().zip(given) {
            if name != column.name {
                return Err(format!(
                    "'{name}' stands where '{}' is due; give the same columns in the same order",
                    column.name
                ));
            }
            for value in values {
                column.push(value)?;
            }
        }
        Ok(())
    }

    /// All values, in the order of these rows.
    pub(super) fn hash(&self, rows: &[usize], hasher: &mut impl Hasher) {
        for column in &self.0 {
            (&column.name, column.kind).hash(hasher);
            for word in column.words.keys() {
                word.hash(hasher);
            }
            for &row in rows {
                column.values.get(row).hash(hasher);
            }
        }
    }

    /// The columns as conditions name them. Words are in sorting order from here on.
    pub(super) fn finish(&mut self) {
        for column in &mut self.0 {
            let mut places = vec![0; column.words.len()];
            for (place, &number) in (0..).zip(column.words.values()) {
                places[usize::try_from(number).unwrap_or(0)] = place;
            }
            // Columns of another kind have no words.
            for value in &mut column.values {
                if let Some(&place) = usize::try_from(*value).ok().and_then(|at| places.get(at)) {
                    *value = place;
                }
            }
        }
    }

    pub(super) fn features(&self) -> Vec<Feature> {
        let features = self.0.iter().map(|column| {
            let (name, meaning) = (column.name.clone(), "a column of the game's own");
            match column.kind {
                Some("bool") => Feature::flag(name, meaning),
                Some("str") => Feature::word(name, column.words.keys(), meaning),
                _ => Feature::number(name, meaning),
            }
        });
        features.collect()
    }

    pub(super) fn value(&self, place: usize, position: u32) -> FeatureValue {
        let column = self.0.get(place);
        let value = column.and_then(|column| column.values.get(position as usize));
        match value {
            Some(&value) if value != Self::NONE => FeatureValue::number(value),
            _ => FeatureValue::NONE,
        }
    }
}

impl OwnColumn {
    fn push(&mut self, value: Given) -> Result<(), String> {
        let kind = value.kind();
        if let (Some(now), Some(before)) = (kind, self.kind)
            && now != before
        {
            return Err(format!(
                "'{}' is of type {now} here and {before} before",
                self.name
            ));
        }
        self.kind = self.kind.or(kind);
        let number = match value {
            Given::Nothing => OwnColumns::NONE,
            Given::Flag(flag) => i32::from(flag),
            Given::Number(number) => number,
            Given::Word(word) => {
                let next = i32::try_from(self.words.len()).unwrap_or(i32::MAX);
                *self.words.entry(word).or_insert(next)
            }
        };
        self.values.push(number);
        Ok(())
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if ["slot", "position", "side"].contains(&name) {
        return Err(format!(
            "every game has a column '{name}'; call yours otherwise"
        ));
    }
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if begins && name.chars().all(plain) && name.len() <= 60 {
        return Ok(());
    }
    Err(format!(
        "'{name:.60}' is no name of a column; use small letters, digits and _, and begin with a letter"
    ))
}
