//! Which slots go to which files, and the columns of a data set.

use std::sync::Arc;

use crate::export::{Batch, ColumnData, ColumnMeaning, DataColumn, ExportError, Extents, Format};
use crate::game::{Feature, FeatureKind, Ranked, Retrograde};
use crate::mine::{Partition, Scope};
use crate::session::erased::ErasedGame;
use crate::session::mining::Heading;
use crate::session::{ExportOptions, ExportRows, Result, ScopeOptions};

/// Rows of one Parquet file, about.
const PART: u64 = 1 << 24;

/// Rows, about, up to which all go to one file.
const ONE_FILE: u64 = 1 << 22;

/// States of a position, about: one with no move forbidden, and those with one that can be.
const STATES: u64 = 4;

/// Moves of a position, about.
const MOVES: u64 = 16;

/// Rows of a position, about.
const fn rows_of_position(rows: &ExportRows) -> u64 {
    match rows {
        ExportRows::States {
            restricted: false, ..
        } => 1,
        ExportRows::States {
            restricted: true, ..
        } => STATES,
        ExportRows::Moves => MOVES,
    }
}

pub(super) struct PartFile {
    pub number: usize,
    /// Its slots. With partitions they are of one layer and one class.
    pub stretches: Vec<Partition>,
}

/// The files of a data set. A small one is one file, and others are divided by layer and
/// class: the two columns are in the paths then, and otherwise in the file.
pub(super) struct Layout {
    pub scope: Scope,
    criterion: &'static str,
    layers: Arc<[String]>,
    classes: Arc<[String]>,
    in_paths: bool,
    /// The number of slots of all files, vacant and unwanted ones too.
    pub slots: u64,
    pub parts: Vec<PartFile>,
}

impl Layout {
    pub(super) fn new(game: &ErasedGame, options: &ExportOptions) -> Result<Self> {
        let whole = Self::whole(game, &options.wanted.scope)?;
        let rows = rows_of_position(&options.wanted.rows);
        // The slots that make this many rows.
        let slots_of = |most: u64| (most / rows).saturating_mul(options.wanted.scope.sample.max(1));
        if whole.slots <= slots_of(ONE_FILE) {
            return Ok(whole);
        }
        let stretches = whole.parts.into_iter().flat_map(|part| part.stretches);
        // JSON Lines have one file a partition.
        let most = match options.format {
            Format::Parquet => slots_of(PART),
            Format::Jsonl => u64::MAX,
        };
        Ok(Self {
            in_paths: true,
            parts: parts(stretches, most),
            ..whole
        })
    }

    /// All positions together, with the columns of layer and class among the others.
    pub(super) fn whole(game: &ErasedGame, scope: &ScopeOptions) -> Result<Self> {
        let scope = scope.scope(game)?;
        let layers = game.layers().iter().map(|layer| layer.name.clone());
        let stretches = scope.partitions(game);
        Ok(Self {
            scope,
            criterion: game.criterion(),
            layers: layers.collect(),
            classes: game.classes().into(),
            in_paths: false,
            slots: stretches.iter().map(|s| s.slots.end - s.slots.start).sum(),
            parts: vec![PartFile {
                number: 0,
                stretches,
            }],
        })
    }

    /// The columns in the paths.
    pub(super) fn partitioned_by(&self) -> Vec<&str> {
        if self.in_paths {
            vec!["layer", self.criterion]
        } else {
            Vec::new()
        }
    }

    /// The columns in the path of a file, with their values.
    pub(super) fn path(&self, part: &PartFile) -> Vec<(&str, &str)> {
        match part.stretches.first() {
            Some(stretch) if self.in_paths => vec![
                ("layer", &self.layers[stretch.layer]),
                (self.criterion, &self.classes[stretch.class]),
            ],
            _ => Vec::new(),
        }
    }

    /// Rows of a stretch with the columns that are not in the path.
    pub(crate) fn with_partition(
        &self,
        stretch: &Partition,
        rows: Batch,
    ) -> Result<Batch, ExportError> {
        if self.in_paths {
            return Ok(rows);
        }
        let count = rows.rows();
        let same = |words: &Arc<[String]>, place: usize| ColumnData::Words {
            words: Arc::clone(words),
            places: vec![i32::try_from(place).ok(); count],
        };
        let class = match self.class_numbers() {
            Some(numbers) => ColumnData::Numbers(vec![Some(numbers[stretch.class]); count]),
            None => same(&self.classes, stretch.class),
        };
        let mut columns = rows.into_columns();
        let layer = same(&self.layers, stretch.layer);
        columns.push(DataColumn::required("layer", layer));
        columns.push(DataColumn::required(self.criterion, class));
        Batch::new(columns)
    }

    /// The classes as numbers, if all are: engines take them for numbers in a path, too.
    fn class_numbers(&self) -> Option<Vec<i32>> {
        self.classes.iter().map(|name| name.parse().ok()).collect()
    }

    /// What the columns of layer and class mean.
    pub(crate) fn meanings(&self) -> [ColumnMeaning; 2] {
        let column = |name: &str, sql_type, names: &[String], meaning: &str| ColumnMeaning {
            name: name.to_owned(),
            sql_type,
            nullable: false,
            unit: String::new(),
            range: names.join(" "),
            meaning: meaning.to_owned(),
            cost: "record".to_owned(),
        };
        let class = if self.class_numbers().is_some() {
            "INTEGER"
        } else {
            "VARCHAR"
        };
        [
            column(
                "layer",
                "VARCHAR",
                &self.layers,
                "the layer of the table: the material, the mover's first",
            ),
            column(
                self.criterion,
                class,
                &self.classes,
                "the class of the position, by which tables are divided",
            ),
        ]
    }

    /// The bytes that the rows take on disk, about.
    pub(super) fn room(&self, headings: &Headings, options: &ExportOptions) -> u64 {
        let wanted = &options.wanted;
        let positions = self.slots / wanted.scope.sample.max(1);
        let columns = headings.len() as u64;
        // As measured on the 5x5 board with three pieces, rounded up.
        let row = match options.format {
            Format::Parquet => 2 + columns / 2 + 4 * u64::from(wanted.position),
            Format::Jsonl => 25 * columns,
        };
        positions * rows_of_position(&wanted.rows) * row
    }
}

/// Divides stretches into files of at most `most` slots.
fn parts(stretches: impl IntoIterator<Item = Partition>, most: u64) -> Vec<PartFile> {
    let mut parts = Vec::new();
    for Partition {
        layer,
        class,
        slots,
    } in stretches
    {
        let step = usize::try_from(most).unwrap_or(usize::MAX);
        for (number, start) in slots.clone().step_by(step).enumerate() {
            let stretches = vec![Partition {
                layer,
                class,
                slots: start..slots.end.min(start.saturating_add(most)),
            }];
            parts.push(PartFile { number, stretches });
        }
    }
    parts
}

/// A column of slots, texts, or values of a feature.
pub(super) enum ColumnKind {
    Slot,
    Text,
    Feature,
}

/// The columns of the rows, without those of the partition.
pub(super) struct Headings(Vec<(Heading, ColumnKind, &'static str)>);

impl Headings {
    /// The first columns of every data set: the slot, and if wanted the position.
    pub(super) fn first(position: bool) -> Self {
        let mut headings = Self(Vec::new());
        let slot = Feature::number(
            "slot",
            "the number of the position in the table, the same for positions that are images of each other under a symmetry of the board",
        );
        headings.push(slot.always(), ColumnKind::Slot, "record");
        if position {
            let text = Feature::word("position", [""; 0], "the position in one-line notation");
            headings.push(text.always(), ColumnKind::Text, "board");
        }
        headings
    }

    pub(super) fn push(&mut self, feature: Feature, kind: ColumnKind, cost: &'static str) {
        self.0.push((Heading::new(feature), kind, cost));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Heading> {
        self.0.iter().map(|(heading, ..)| heading)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What the columns mean, those of the partition last.
    pub(crate) fn meanings(
        &self,
        partition: impl IntoIterator<Item = ColumnMeaning>,
        extents: &Extents,
    ) -> Vec<ColumnMeaning> {
        let columns = self.0.iter().enumerate();
        let columns = columns.map(|(place, (heading, kind, cost))| {
            let feature = &heading.feature;
            let numbers = extents.of(place);
            let numbers =
                numbers.map_or_else(String::new, |(least, most)| format!("{least}..{most}"));
            let (sql_type, range) = match (kind, &feature.kind) {
                (ColumnKind::Slot, _) => ("BIGINT", numbers),
                (ColumnKind::Text, _) => ("VARCHAR", String::new()),
                (ColumnKind::Feature, FeatureKind::Flag) => ("BOOLEAN", "false true".to_owned()),
                (ColumnKind::Feature, FeatureKind::Number) => ("INTEGER", numbers),
                (ColumnKind::Feature, FeatureKind::Word(words)) => ("VARCHAR", words.join(" ")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_slot_once_and_are_numbered_in_each_partition() {
        let stretch = |slots| Partition {
            layer: 0,
            class: 0,
            slots,
        };
        let parts = parts(vec![stretch(3..13), stretch(13..16)], 4).into_iter();
        let found: Vec<_> = parts
            .map(|p| (p.number, p.stretches[0].slots.clone()))
            .collect();
        assert_eq!(found, [(0, 3..7), (1, 7..11), (2, 11..13), (0, 13..16)]);
    }
}
