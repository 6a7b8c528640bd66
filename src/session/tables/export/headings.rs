//! The columns of a data set, and what they mean.

use crate::export::{ColumnMeaning, Extents};
use crate::game::{Feature, FeatureKind};
use crate::mine::Column;
use crate::session::heading::Heading;

/// A column of slots, texts, or values of a feature.
pub(super) enum Kind {
    /// Slots.
    Slot,
    /// Texts.
    Text,
    /// Values of the feature.
    Feature,
}

/// The columns of the rows, without those of the partition.
pub(super) struct Headings(Vec<(Heading, Kind, &'static str)>);

impl Headings {
    /// The first columns of every data set: the slot, and if wanted the position.
    pub fn first(position: bool) -> Self {
        let mut headings = Self(Vec::new());
        let slot = Feature::number(
            "slot",
            "the number of the position in the table, the same for positions that are images of each other under a symmetry of the board",
        );
        headings.push(slot.always(), Kind::Slot, "record");
        if position {
            let text = Feature::word("position", [""; 0], "the position in one-line notation");
            headings.push(text.always(), Kind::Text, "board");
        }
        headings
    }

    /// Adds a column.
    pub fn push(&mut self, feature: Feature, kind: Kind, cost: &'static str) {
        self.0.push((Heading::new(feature), kind, cost));
    }

    /// Adds a column of the catalogue.
    pub fn push_measured(&mut self, column: &Column) {
        self.push(column.feature.clone(), Kind::Feature, column.tier.name());
    }

    /// The columns.
    pub fn iter(&self) -> impl Iterator<Item = &Heading> {
        self.0.iter().map(|(heading, ..)| heading)
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What the columns mean, those of the partition last.
    pub fn meanings(
        &self,
        partition: impl IntoIterator<Item = ColumnMeaning>,
        extents: &Extents,
    ) -> Vec<ColumnMeaning> {
        let columns = self.0.iter().enumerate();
        let columns = columns.map(|(place, (heading, kind, cost))| {
            let feature = heading.feature();
            let numbers = extents.of(place);
            let numbers =
                numbers.map_or_else(String::new, |(least, most)| format!("{least}..{most}"));
            let (sql_type, range) = match (kind, &feature.kind) {
                (Kind::Slot, _) => ("BIGINT", numbers),
                (Kind::Text, _) => ("VARCHAR", String::new()),
                (Kind::Feature, FeatureKind::Flag) => ("BOOLEAN", "false true".to_owned()),
                (Kind::Feature, FeatureKind::Number) => ("INTEGER", numbers),
                (Kind::Feature, FeatureKind::Word(words)) => ("VARCHAR", words.join(" ")),
            };
            ColumnMeaning {
                name: feature.name.clone(),
                sql_type,
                nullable: feature.nullable,
                unit: feature.unit.to_owned(),
                range,
                meaning: feature.meaning.clone(),
                cost: (*cost).to_owned(),
            }
        });
        columns.chain(partition).collect()
    }
}
