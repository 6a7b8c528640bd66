//! Reading style sheets.

use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::Style;
use super::error::StyleError;

/// The key that names the preset on which a sheet is based.
const BASE: &str = "base";

/// The least similarity for which a name is suggested, 0 to 1 (equal).
const ALIKE: f64 = 0.6;

impl Style {
    /// Reads a style sheet. Keys that it leaves out keep the values of the preset named
    /// by its key `base`, `print` by default. `file` is the name for messages.
    ///
    /// # Errors
    /// [`StyleError::Sheet`] with line and column, if the text is not TOML, a key is
    /// unknown (the message suggests the nearest one), or a value has the wrong type or
    /// is out of range.
    pub fn parse(text: &str, file: &str) -> Result<Self, StyleError> {
        let wrong = |place: Range<usize>, message: String| {
            let before = text.get(..place.start).unwrap_or(text);
            let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
            StyleError::Sheet {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                message,
            }
        };
        let refused = |error: toml::de::Error| {
            let place = error.span().unwrap_or(0..0);
            wrong(place, error.message().to_owned())
        };
        let sheet = DeTable::parse(text).map_err(refused)?.into_inner();
        let base = match sheet.get(BASE) {
            None => Self::print(),
            Some(value) => base(value).map_err(|message| wrong(value.span(), message))?,
        };
        let mut table = Table::try_from(&base)
            .map_err(|error| wrong(0..0, format!("cannot read the preset: {error}")))?;
        let mut style = base;
        for (key, value) in &sheet {
            let name: &str = key.get_ref();
            if name == BASE {
                continue;
            }
            if !table.contains_key(name) {
                let keys = table.keys().map(String::as_str);
                let message = unknown("key", name, keys.chain([BASE]));
                return Err(wrong(key.span(), message));
            }
            // One at a time, so that an error is about this key.
            table.insert(name.to_owned(), owned(value.get_ref()));
            style = table.clone().try_into().map_err(|error: toml::de::Error| {
                wrong(value.span(), format!("{name}: {}", error.message()))
            })?;
        }
        Ok(style)
    }
}

fn base(value: &Spanned<DeValue>) -> Result<Style, String> {
    let DeValue::String(name) = value.get_ref() else {
        return Err(format!(
            "{BASE} must be the name of a preset in quotes: {}",
            Style::presets().collect::<Vec<_>>().join(", ")
        ));
    };
    Style::preset(name).map_err(|_| unknown("preset", name, Style::presets()))
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<(f64, &str)> = known
        .map(|other| (strsim::jaro_winkler(name, other), other))
        .collect();
    known.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    match known.first() {
        Some((alike, nearest)) if *alike >= ALIKE => {
            format!("unknown {what} {name:?}; did you mean {nearest:?}?")
        }
        _ => {
            let mut names: Vec<&str> = known.iter().map(|(_, name)| *name).collect();
            names.sort_unstable();
            format!("unknown {what} {name:?}; use one of {}", names.join(", "))
        }
    }
}

/// The value without its positions in the text. A number that does not fit becomes
/// text, which is an error for every key with a number.
fn owned(value: &DeValue) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    match value {
        DeValue::String(string) => text(string),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| text(number.as_str()), Value::Integer),
        DeValue::Float(number) => number
            .as_str()
            .parse()
            .map_or_else(|_| text(number.as_str()), Value::Float),
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        DeValue::Datetime(date) => Value::Datetime(*date),
        DeValue::Array(values) => {
            Value::Array(values.iter().map(|value| owned(value.get_ref())).collect())
        }
        DeValue::Table(table) => {
            let pairs = table.iter();
            let pairs =
                pairs.map(|(key, value)| (key.get_ref().to_string(), owned(value.get_ref())));
            Value::Table(pairs.collect())
        }
    }
}
