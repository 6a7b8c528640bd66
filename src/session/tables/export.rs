//! A table as a data set.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::TableSession;
use crate::base::watch::Watch;
use crate::export::{Batch, ColumnData, DataColumn, DataSet, Format, Written};
use crate::game::{Backward, Classified, Feature, FeatureKind, FeatureValue, TableGame};
use crate::mine::{Catalogue, Measured, Partition, Scope, Tier, Wanted, measure_slots};
use crate::session::resources::check_disk;
use crate::session::{ExportOptions, Exported, Exporting, SessionError};
use crate::table::Table;

/// Rows of one Parquet file, about.
const PART: u64 = 1 << 24;

/// States of a position, about: one with no move forbidden, and those with one that can be.
const STATES: u64 = 4;

impl<G: TableGame> Exporting for TableSession<G> {
    fn export(
        &self,
        folder: &Path,
        options: &ExportOptions,
        watch: &dyn Watch,
    ) -> Result<Exported, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let scope = options.scope.scope(game)?;
        let set = DataSet::begin(folder, options.format, options.force)?;
        let partitions = scope.partitions(game);
        check_disk(
            &format!("exporting {}", game.spec()),
            room(slots_of(&partitions), options),
            set.partial(),
        )?;
        let table = self.whole_table(watch)?;
        let written = write(game, &table, &scope, &partitions, &set, options, watch)?;
        if written.rows == 0 {
            return Err(SessionError::unusable(
                folder,
                "would be an empty data set: no position is among those asked for; choose a lower --sample",
            ));
        }
        set.finish()?;
        Ok(Exported {
            game: game.spec(),
            fingerprint: table.description().fingerprint.clone(),
            rows: written.rows,
            files: written.files,
            bytes: written.bytes,
        })
    }
}

fn slots_of(partitions: &[Partition]) -> u64 {
    let slots = partitions.iter().map(|part| &part.slots);
    slots.map(|slots| slots.end - slots.start).sum()
}

/// The approximate number of bytes that the states of these slots take on disk.
fn room(slots: u64, options: &ExportOptions) -> u64 {
    // As measured on the 5x5 board with three pieces, rounded up.
    let (record, board, position) = match options.format {
        Format::Parquet => (5, 1, 5),
        Format::Jsonl => (170, 260, 40),
    };
    let row = record + board * u64::from(options.board) + position * u64::from(options.position);
    slots / options.scope.sample.max(1) * row * if options.restricted { STATES } else { 1 }
}

/// One file to write.
struct Part<'a> {
    partition: &'a Partition,
    number: usize,
    slots: Range<u64>,
}

/// Writes all files, several at a time.
fn write<G: TableGame>(
    game: &G,
    table: &Table,
    scope: &Scope,
    partitions: &[Partition],
    set: &DataSet,
    options: &ExportOptions,
    watch: &dyn Watch,
) -> Result<Written, SessionError> {
    let catalogue = Catalogue::new(game);
    let columns = wanted_columns(game, &catalogue, options.board);
    let headings: Vec<_> = columns
        .iter()
        .map(|&place| Heading::new(&catalogue.columns()[place].feature))
        .collect();
    let parts = parts(partitions, part_slots(options));
    watch.begin("exporting", slots_of(partitions));
    let wanted = Wanted {
        columns: &columns,
        scope,
        restricted: options.restricted,
        states: options.restricted || options.position,
    };
    parts
        .par_iter()
        .with_max_len(1)
        .map(|part| {
            let values = [
                ("layer", part.partition.layer.as_str()),
                (game.criterion(), part.partition.class.as_str()),
            ];
            let mut writer = set.part(&values, part.number);
            measure_slots(game, table, &catalogue, wanted, &part.slots, |measured| {
                let span = measured.span.end - measured.span.start;
                writer.push(batch(game, &headings, measured, options)?)?;
                watch.advance(span);
                Ok::<_, SessionError>(())
            })?;
            Ok(writer.finish()?)
        })
        .try_reduce(Written::default, |a, b| {
            Ok(Written {
                files: a.files + b.files,
                rows: a.rows + b.rows,
                bytes: a.bytes + b.bytes,
            })
        })
}

/// The places of the columns to export. One that is in every path anyway is left out.
fn wanted_columns<G: Classified>(game: &G, catalogue: &Catalogue, board: bool) -> Vec<usize> {
    let columns = catalogue.columns().iter().enumerate();
    columns
        .filter(|(_, column)| column.tier == Tier::Record || board && column.tier == Tier::Board)
        .filter(|(_, column)| column.feature.name != game.criterion())
        .map(|(place, _)| place)
        .collect()
}

/// Slots of one file at most. JSON Lines have one file a partition.
fn part_slots(options: &ExportOptions) -> u64 {
    match options.format {
        Format::Jsonl => u64::MAX,
        Format::Parquet if options.restricted => {
            (PART / STATES).saturating_mul(options.scope.sample.max(1))
        }
        Format::Parquet => PART.saturating_mul(options.scope.sample.max(1)),
    }
}

/// Divides partitions into files of at most `most` slots.
fn parts(partitions: &[Partition], most: u64) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for partition in partitions {
        let mut from = partition.slots.start;
        let mut number = 0;
        while from < partition.slots.end {
            let slots = from..partition.slots.end.min(from.saturating_add(most));
            from = slots.end;
            parts.push(Part {
                partition,
                number,
                slots,
            });
            number += 1;
        }
    }
    parts
}

/// A column's feature, with its words ready to share.
struct Heading<'a> {
    feature: &'a Feature,
    words: Arc<[String]>,
}

impl<'a> Heading<'a> {
    fn new(feature: &'a Feature) -> Self {
        let words = match &feature.kind {
            FeatureKind::Word(words) => words.as_slice(),
            FeatureKind::Flag | FeatureKind::Number => &[],
        };
        Self {
            feature,
            words: words.into(),
        }
    }

    fn column(&self, values: &[FeatureValue]) -> DataColumn {
        let values = values.iter().map(|value| value.get());
        DataColumn {
            name: self.feature.name.clone(),
            values: match self.feature.kind {
                FeatureKind::Flag => {
                    ColumnData::Flags(values.map(|value| Some(value? != 0)).collect())
                }
                FeatureKind::Number => ColumnData::Numbers(values.collect()),
                FeatureKind::Word(_) => ColumnData::Words {
                    words: Arc::clone(&self.words),
                    places: values.collect(),
                },
            },
        }
    }
}

/// The rows of some states.
fn batch<G: Backward>(
    game: &G,
    headings: &[Heading<'_>],
    measured: Measured<G::State>,
    options: &ExportOptions,
) -> Result<Batch, SessionError> {
    // Tables have far fewer slots than this type has numbers.
    let slots = measured.slots.into_iter();
    let slots = slots
        .map(|slot| i64::try_from(slot).unwrap_or(i64::MAX))
        .collect();
    let column = |name: &str, values| DataColumn {
        name: name.to_owned(),
        values,
    };
    let mut columns = vec![column("slot", ColumnData::Indices(slots))];
    let states = measured.states.iter();
    if options.position {
        let texts = states.clone().map(|state| Some(game.format_state(state)));
        columns.push(column("position", ColumnData::Texts(texts.collect())));
    }
    if options.restricted {
        let moves = states.map(|state| game.forbidden(state).map(|mv| game.format_move(mv)));
        columns.push(column("forbidden", ColumnData::Texts(moves.collect())));
    }
    let values = headings.iter().zip(&measured.columns);
    columns.extend(values.map(|(heading, values)| heading.column(values)));
    Ok(Batch::new(columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_slot_once_and_are_numbered_in_each_partition() {
        let partition = |slots| Partition {
            layer: "5-4".to_owned(),
            class: "a1".to_owned(),
            slots,
        };
        let partitions = [partition(3..13), partition(13..16)];
        let parts = parts(&partitions, 4);
        let found: Vec<_> = parts.into_iter().map(|p| (p.number, p.slots)).collect();
        assert_eq!(found, [(0, 3..7), (1, 7..11), (2, 11..13), (0, 13..16)]);
    }
}
