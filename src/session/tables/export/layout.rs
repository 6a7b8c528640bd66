//! Which slots go to which files, and the columns of a data set.

use std::sync::Arc;

use crate::export::{Batch, ColumnData, ColumnMeaning, DataColumn, ExportError, Extents, Format};
use crate::game::{Feature, FeatureKind, Ranked, Retrograde};
use crate::mine::{LAYER, Partition, Scope};
use crate::session::erased::ErasedGame;
use crate::session::{ExportOptions, ExportRows, Result, RowOptions};

/// Rows of one file, about.
const PART: u64 = 1 << 23;

/// States of a position, about: one with no move forbidden, and those with one that can be.
const STATES: u64 = 4;

/// Moves of a position, about.
const MOVES: u64 = 16;

/// Rows of a position, about.
const fn rows_of_position(rows: &ExportRows) -> u64 {
    match rows {
        ExportRows::Moves => MOVES,
        states if states.restricted() => STATES,
        ExportRows::States { .. } => 1,
    }
}

/// The files of a data set: its rows in the order of slots, divided where a file is full.
pub(super) struct Layout {
    pub scope: Scope,
    criterion: &'static str,
    layers: Arc<[String]>,
    classes: Arc<[String]>,
    /// The number of slots of all files, vacant and unwanted ones too.
    pub slots: u64,
    /// The stretches of each file.
    pub parts: Vec<Vec<Partition>>,
}

impl Layout {
    pub(super) fn new(game: &ErasedGame, wanted: &RowOptions) -> Result<Self> {
        let scope = wanted.scope.scope(game)?;
        let layers = game.layers().iter().map(|layer| layer.name.clone());
        let stretches = scope.partitions(game);
        let slots: u64 = stretches.iter().map(|s| s.slots.end - s.slots.start).sum();
        // The slots that make this many rows, and files of one size, which are written side by side.
        let most = PART / rows_of_position(&wanted.rows);
        let most = most.saturating_mul(wanted.scope.sample.max(1));
        let most = slots.div_ceil(slots.div_ceil(most).max(1)).max(1);
        Ok(Self {
            scope,
            criterion: game.criterion(),
            layers: layers.collect(),
            classes: game.classes().into(),
            slots,
            parts: parts(stretches, most),
        })
    }

    /// Rows of a stretch with the columns of layer and class.
    pub(crate) fn with_layer_and_class(
        &self,
        stretch: &Partition,
        rows: Batch,
    ) -> Result<Batch, ExportError> {
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

    /// The classes as numbers, if all are.
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
        let class = self.class_numbers().map_or("VARCHAR", |_| "INTEGER");
        let meaning = "the class of the position, by which tables are divided";
        [
            column("layer", "VARCHAR", &self.layers, LAYER),
            column(self.criterion, class, &self.classes, meaning),
        ]
    }

    /// The bytes that the rows take on disk, about.
    pub(super) fn room(&self, headings: &Headings, options: &ExportOptions) -> u64 {
        let wanted = &options.wanted;
        let positions = self.slots / wanted.scope.sample.max(1);
        let columns = headings.0.len() as u64 + 2;
        // As measured on the 5x5 board with three pieces, rounded up.
        let row = match options.format {
            Format::Parquet => 2 + columns / 2 + 4 * u64::from(wanted.position),
            Format::Jsonl => 25 * columns,
        };
        positions * rows_of_position(&wanted.rows) * row
    }
}

/// Divides stretches into files of `most` slots.
fn parts(stretches: Vec<Partition>, most: u64) -> Vec<Vec<Partition>> {
    let (mut parts, mut part, mut room) = (Vec::new(), Vec::new(), most);
    for Partition {
        layer,
        class,
        mut slots,
    } in stretches
    {
        while !slots.is_empty() {
            let end = slots.end.min(slots.start.saturating_add(room));
            part.push(Partition {
                layer,
                class,
                slots: slots.start..end,
            });
            room -= end - slots.start;
            slots.start = end;
            if room == 0 {
                parts.push(std::mem::take(&mut part));
                room = most;
            }
        }
    }
    parts.push(part);
    parts
}

/// The columns of the rows, without layer and class. Of each, whether it has slots, and its cost.
pub(super) struct Headings(Vec<(Feature, bool, &'static str)>);

impl Headings {
    /// The first columns of every data set: the slot, and if wanted the position.
    pub(super) fn first(position: bool) -> Self {
        let mut headings = Self(Vec::new());
        let slot = "the number of the position in the table, the same for positions that are images of each other under a symmetry of the board";
        headings.push_slots(Feature::number("slot", slot).always(), "record");
        if position {
            let text = Feature::word("position", [""; 0], "the position in one-line notation");
            headings.push(text.always(), "board");
        }
        headings
    }

    pub(super) fn push(&mut self, feature: Feature, cost: &'static str) {
        self.0.push((feature, false, cost));
    }

    pub(super) fn push_slots(&mut self, feature: Feature, cost: &'static str) {
        self.0.push((feature, true, cost));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Feature> {
        self.0.iter().map(|(feature, ..)| feature)
    }

    /// What the columns mean, those of layer and class last.
    pub(crate) fn meanings(
        &self,
        layer_and_class: impl IntoIterator<Item = ColumnMeaning>,
        extents: &Extents,
    ) -> Vec<ColumnMeaning> {
        let columns = self.0.iter().enumerate();
        let columns = columns.map(|(place, (feature, has_slots, cost))| {
            let numbers = extents.of(place);
            let numbers =
                numbers.map_or_else(String::new, |(least, most)| format!("{least}..{most}"));
            let (sql_type, range) = match &feature.kind {
                FeatureKind::Number if *has_slots => ("BIGINT", numbers),
                FeatureKind::Number => ("INTEGER", numbers),
                FeatureKind::Flag => ("BOOLEAN", "false true".to_owned()),
                FeatureKind::Word(words) => ("VARCHAR", words.join(" ")),
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
        columns.chain(layer_and_class).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_slot_once_and_are_full_but_the_last() {
        let stretch = |slots| Partition {
            layer: 0,
            class: 0,
            slots,
        };
        let parts = parts(vec![stretch(3..13), stretch(13..16), stretch(20..22)], 4);
        let found = parts.iter().map(|part| {
            let slots = part.iter().map(|it| (it.slots.start, it.slots.end));
            slots.collect::<Vec<_>>()
        });
        let expected = [
            vec![(3, 7)],
            vec![(7, 11)],
            vec![(11, 13), (13, 15)],
            vec![(15, 16), (20, 22)],
        ];
        assert!(found.eq(expected));
    }
}
