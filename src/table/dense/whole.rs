//! What can be done with a dense table: ask for records, and write it out.

use std::io::{Cursor, Seek, Write};

use super::Dense;
use super::block::decode_block;
use super::group::GroupOfLeaves;
use super::leaf::Leaf;
use super::probe::{Answer, Asked, Question};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Record, Value, Wide};
use crate::game::{ByRows, Ranked, RowVisitor, Slot};
use crate::solve::{ValueOrder, WordWidth};
use crate::table::resident::unpack;
use crate::table::{Encoding, LayerDescription, Table, TableError, TableWriter, ValueWidth};

impl Table {
    /// The record of a slot in a table of `game`, also if the table is dense.
    ///
    /// # Errors
    /// If the slot is out of range, or the table is damaged or of another game.
    pub fn record_in<G: Ranked>(&self, game: &G, slot: u64) -> Result<Record, TableError> {
        let Some(dense) = &self.dense else {
            return self.record(slot);
        };
        match self.ask(game, dense, Question::Record(slot))? {
            Answer::Record(record) => Ok(record),
            Answer::Value(_) => unreachable!("a record was asked for"),
        }
    }

    /// The value of a state in a table of `game`, also if the table is dense.
    ///
    /// # Errors
    /// If the slot is out of range, or the table is damaged or of another game.
    pub fn value_in<G: Ranked>(&self, game: &G, state: Slot) -> Result<Value, TableError> {
        let Some(dense) = &self.dense else {
            return match state.forbidden {
                None => self.best(state.index),
                forbidden => Ok(self.record(state.index)?.without(forbidden)),
            };
        };
        match self.ask(game, dense, Question::Value(state))? {
            Answer::Value(value) => Ok(value),
            Answer::Record(record) => Ok(record.without(state.forbidden)),
        }
    }

    fn ask<G: Ranked>(
        &self,
        game: &G,
        dense: &Dense,
        question: Question,
    ) -> Result<Answer, TableError> {
        self.expect_layers(game)?;
        let asked = Asked {
            table: self,
            dense,
            question,
        };
        let answer = game.by_rows(asked);
        answer.unwrap_or_else(|_| Err(self.no_rows(game)))
    }

    /// Whether the table is dense: its records are derived, with
    /// [`record_in`](Self::record_in) one at a time, with [`expanded`](Self::expanded) all
    /// together.
    #[must_use]
    pub const fn is_dense(&self) -> bool {
        self.dense.is_some()
    }

    /// The records of a dense table of `game`, as a raw table in memory: 3 or 5 bytes a slot,
    /// and while they are derived as much as verifying takes.
    ///
    /// # Errors
    /// If the table is damaged, not dense, or of another game, or memory runs out.
    pub fn expanded<G: Ranked>(
        &self,
        game: &G,
        progress: &dyn Progress,
    ) -> Result<Self, TableError> {
        let record = 2 * usize::from(self.description.value_bytes) + 1;
        let slots = usize::try_from(self.description.slots()).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(slots.saturating_mul(record).saturating_add(1 << 20))
            .map_err(|_| TableError::Io {
                path: self.path().to_owned(),
                action: "allocate memory for the records of",
                source: std::io::ErrorKind::OutOfMemory.into(),
            })?;
        let (sink, path) = (Cursor::new(bytes), self.path());
        let mut writer = TableWriter::new(sink, path, game, self.width(), Encoding::Raw, 0)?;
        self.expand_into(game, &mut writer, progress)?;
        let (sink, fingerprint, _) = writer.finish()?;
        self.expect_fingerprint(&fingerprint)?;
        Self::from_bytes(sink.into_inner(), path)
    }

    /// Appends all records of a dense table of `game` to a table in another encoding.
    ///
    /// # Errors
    /// If the table is damaged, not dense, or of another game, writing fails, or memory runs
    /// out.
    pub fn expand_into<G: Ranked, S: Write + Seek>(
        &self,
        game: &G,
        writer: &mut TableWriter<S>,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        self.expect_layers(game)?;
        let Some(dense) = &self.dense else {
            return Err(TableError::Invalid {
                path: self.path().to_owned(),
                what: "the table is not dense".to_owned(),
            });
        };
        let expansion = Expansion {
            table: self,
            dense,
            writer,
            progress,
        };
        let done = game.by_rows(expansion);
        done.unwrap_or_else(|_| Err(self.no_rows(game)))
    }

    /// Checks that the table belongs to this game and has its layers.
    pub(super) fn expect_layers<G: Ranked>(&self, game: &G) -> Result<(), TableError> {
        self.expect_game(game)?;
        let found = &self.description.layers;
        if game
            .layers()
            .iter()
            .map(LayerDescription::from)
            .eq(found.iter().cloned())
        {
            return Ok(());
        }
        Err(TableError::Invalid {
            path: self.path().to_owned(),
            what: "its layers are not those of the game".to_owned(),
        })
    }

    /// The error if the fingerprint of the records is not that of the table.
    fn expect_fingerprint(&self, found: &str) -> Result<(), TableError> {
        let expected = &self.description.fingerprint;
        if found == expected {
            return Ok(());
        }
        Err(TableError::Invalid {
            path: self.path().to_owned(),
            what: format!("its fingerprint is {expected}, but its records have {found}"),
        })
    }

    pub(super) fn width(&self) -> ValueWidth {
        match self.description.value_bytes {
            1 => ValueWidth::NARROW,
            _ => ValueWidth::WIDE,
        }
    }

    pub(super) fn no_rows<G: Ranked>(&self, game: &G) -> TableError {
        TableError::NoRows {
            path: self.path().to_owned(),
            game: game.spec(),
        }
    }

    /// The leaves of a block of a dense table.
    pub(super) fn leaves<G: ByRows>(
        &self,
        game: &G,
        dense: &Dense,
        number: usize,
    ) -> Result<Vec<Leaf>, TableError> {
        let slots = self.slots_of(number);
        let layers = &self.description.layers;
        let layer = layers.partition_point(|layer| layer.end <= slots.start);
        let model = &dense.models[layer];
        decode_block(game, layer, model, self.stored(number)?, slots)
            .ok_or_else(|| self.undecodable(number))
    }
}

/// Writes a dense table out in another encoding.
struct Expansion<'t, S> {
    table: &'t Table,
    dense: &'t Dense,
    writer: &'t mut TableWriter<S>,
    progress: &'t dyn Progress,
}

impl<S: Write + Seek> RowVisitor for Expansion<'_, S> {
    type Output = Result<(), TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        match self.table.description.value_bytes {
            1 => self.expand::<Narrow, G>(game),
            _ => self.expand::<Wide, G>(game),
        }
    }
}

impl<S: Write + Seek> Expansion<'_, S> {
    fn expand<W: WordWidth, G: ByRows>(self, game: &G) -> Result<(), TableError> {
        let (table, progress) = (self.table, self.progress);
        let order = ValueOrder::<W>::new();
        let mut earlier = table.no_codes::<W, G>(game)?;
        let groups = game.groups();
        for number in 0..groups {
            let group = GroupOfLeaves {
                table,
                number,
                leaves: &|slots| {
                    let (block, ..) = table.find(slots.start)?;
                    table.leaves(game, self.dense, block)
                },
                earlier: &mut earlier,
                order: &order,
                progress,
            };
            group.derive(game, |slots, records| {
                progress.begin("deriving records", slots.end - slots.start);
                let block = |slots| Ok(records(slots).into_iter().map(unpack::<W>).collect());
                self.writer
                    .append_blocks(slots.end, block, |done| progress.advance(done))
            })?;
        }
        Ok(())
    }
}
