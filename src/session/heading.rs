//! Columns of features as columns of data sets.

use std::sync::Arc;

use crate::export::{ColumnData, DataColumn};
use crate::game::{Feature, FeatureKind, FeatureValue};

/// A feature as a column, with its words ready to share.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    feature: Feature,
    words: Arc<[String]>,
}

impl Heading {
    /// The column of a feature.
    pub fn new(feature: Feature) -> Self {
        let words = match &feature.kind {
            FeatureKind::Word(words) => words.as_slice(),
            FeatureKind::Flag | FeatureKind::Number => &[],
        };
        Self {
            words: words.into(),
            feature,
        }
    }

    /// The feature.
    pub const fn feature(&self) -> &Feature {
        &self.feature
    }

    /// The column with these values.
    pub fn column(&self, values: impl Iterator<Item = FeatureValue>) -> DataColumn {
        let values = values.map(FeatureValue::get);
        self.with(match self.feature.kind {
            FeatureKind::Flag => ColumnData::Flags(values.map(|value| Some(value? != 0)).collect()),
            FeatureKind::Number => ColumnData::Numbers(values.collect()),
            FeatureKind::Word(_) => ColumnData::Words {
                words: Arc::clone(&self.words),
                places: values.collect(),
            },
        })
    }

    /// The column with these data.
    pub fn with(&self, data: ColumnData) -> DataColumn {
        let name = self.feature.name.as_str();
        if self.feature.nullable {
            DataColumn::nullable(name, data)
        } else {
            DataColumn::required(name, data)
        }
    }
}
