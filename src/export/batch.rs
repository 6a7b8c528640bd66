//! The columns of a data set.

use std::sync::Arc;

use super::error::ExportError;

/// The values of a column, one for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnData {
    /// Indices of a table, `None` where missing.
    Indices(Vec<Option<i64>>),
    /// Whole numbers, `None` where missing.
    Numbers(Vec<Option<i32>>),
    /// Booleans, `None` where missing.
    Flags(Vec<Option<bool>>),
    /// Words of a short list, such as names of outcomes.
    Words {
        /// The list.
        words: Arc<[String]>,
        /// The index in the list for each row; missing if `None` or past the end.
        places: Vec<Option<i32>>,
    },
    /// Any texts, `None` where missing.
    Texts(Vec<Option<String>>),
}

impl ColumnData {
    /// Slots of a table, which has far fewer than this type has numbers.
    pub(crate) fn slots(slots: impl Iterator<Item = Option<u64>>) -> Self {
        Self::Indices(slots.map(|slot| i64::try_from(slot?).ok()).collect())
    }

    const fn len(&self) -> usize {
        match self {
            Self::Indices(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::Flags(values) => values.len(),
            Self::Words { places, .. } => places.len(),
            Self::Texts(values) => values.len(),
        }
    }

    pub(crate) fn has_missing(&self) -> bool {
        match self {
            Self::Indices(values) => values.contains(&None),
            Self::Numbers(values) => values.contains(&None),
            Self::Flags(values) => values.contains(&None),
            Self::Words { words, places } => {
                places.iter().any(|&place| word(words, place).is_none())
            }
            Self::Texts(values) => values.contains(&None),
        }
    }

    /// Adds the rows of another column; `false` if its type differs.
    pub(crate) fn append(&mut self, more: Self) -> bool {
        match (self, more) {
            (Self::Indices(values), Self::Indices(more)) => values.extend(more),
            (Self::Numbers(values), Self::Numbers(more)) => values.extend(more),
            (Self::Flags(values), Self::Flags(more)) => values.extend(more),
            (
                Self::Words { words, places },
                Self::Words {
                    words: others,
                    places: more,
                },
            ) if *words == others => places.extend(more),
            (Self::Texts(values), Self::Texts(more)) => values.extend(more),
            _ => return false,
        }
        true
    }

    /// Removes and returns the first rows.
    fn take(&mut self, rows: usize) -> Self {
        fn first<T>(values: &mut Vec<T>, rows: usize) -> Vec<T> {
            let rest = values.split_off(rows.min(values.len()));
            std::mem::replace(values, rest)
        }
        match self {
            Self::Indices(values) => Self::Indices(first(values, rows)),
            Self::Numbers(values) => Self::Numbers(first(values, rows)),
            Self::Flags(values) => Self::Flags(first(values, rows)),
            Self::Words { words, places } => Self::Words {
                words: Arc::clone(words),
                places: first(places, rows),
            },
            Self::Texts(values) => Self::Texts(first(values, rows)),
        }
    }
}

/// The word at an index of the list, if there is one.
pub(super) fn word(words: &[String], place: Option<i32>) -> Option<&str> {
    words.get(usize::try_from(place?).ok()?).map(String::as_str)
}

/// A column with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataColumn {
    /// The name, as in SQL.
    pub name: String,
    /// Whether values may be missing.
    pub nullable: bool,
    /// One value for each row.
    pub values: ColumnData,
}

impl DataColumn {
    /// A column in which values may be missing.
    pub fn nullable(name: impl Into<String>, values: ColumnData) -> Self {
        Self {
            name: name.into(),
            nullable: true,
            values,
        }
    }

    /// A column in which every row has a value. [`Batch::new`] refuses it if one is missing.
    pub fn required(name: impl Into<String>, values: ColumnData) -> Self {
        Self {
            nullable: false,
            ..Self::nullable(name, values)
        }
    }
}

/// Some rows of a data set, column by column.
///
/// ```
/// use tesuji::export::{Batch, ColumnData, DataColumn};
///
/// let plies = DataColumn::nullable("plies", ColumnData::Numbers(vec![Some(7), None]));
/// let mut batch = Batch::new(vec![plies])?;
/// assert_eq!((batch.take(1).rows(), batch.rows()), (1, 1));
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch(Vec<DataColumn>);

impl Batch {
    /// A batch of columns of equal length.
    ///
    /// # Errors
    /// [`ExportError::Columns`] with the first column that differs in length from the
    /// first one, [`ExportError::Missing`] with the first one that misses a value and may
    /// not.
    pub fn new(columns: Vec<DataColumn>) -> Result<Self, ExportError> {
        let rows = columns.first().map_or(0, |column| column.values.len());
        if let Some(odd) = columns.iter().find(|column| column.values.len() != rows) {
            return Err(ExportError::Columns(odd.name.clone()));
        }
        let mut required = columns.iter().filter(|column| !column.nullable);
        match required.find(|column| column.values.has_missing()) {
            Some(column) => Err(ExportError::Missing(column.name.clone())),
            None => Ok(Self(columns)),
        }
    }

    /// The columns.
    pub fn columns(&self) -> &[DataColumn] {
        &self.0
    }

    /// The columns, to make other batches of them.
    pub(crate) fn into_columns(self) -> Vec<DataColumn> {
        self.0
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.first().map_or(0, |column| column.values.len())
    }

    /// Adds rows with the same columns in the same order.
    ///
    /// # Errors
    /// [`ExportError::Columns`] with the first column that differs in name or type.
    pub fn append(&mut self, more: Self) -> Result<(), ExportError> {
        if self.0.is_empty() {
            *self = more;
            return Ok(());
        }
        let named = |batch: &Self, place: usize| {
            let column = batch.0.get(place);
            column.map(|column| (column.name.clone(), column.nullable))
        };
        let most = self.0.len().max(more.0.len());
        if let Some(place) = (0..most).find(|&place| named(self, place) != named(&more, place)) {
            let named = named(&more, place).or_else(|| named(self, place));
            return Err(ExportError::Columns(named.unwrap_or_default().0));
        }
        for (column, more) in self.0.iter_mut().zip(more.0) {
            if !column.values.append(more.values) {
                return Err(ExportError::Columns(more.name));
            }
        }
        Ok(())
    }

    /// Removes and returns the first rows, or all if there are fewer.
    pub fn take(&mut self, rows: usize) -> Self {
        let columns = self.0.iter_mut().map(|column| DataColumn {
            name: column.name.clone(),
            nullable: column.nullable,
            values: column.values.take(rows),
        });
        Self(columns.collect())
    }
}
