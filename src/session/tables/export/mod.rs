//! A table as a data set: its states, or the moves of its positions.

mod layout;
mod rows;

use std::ops::{ControlFlow, Range};
use std::path::Path;

use rayon::prelude::*;

use self::layout::{Layout, PartFile};
use self::rows::Rows;
use super::TableSession;
use crate::base::progress::Progress;
use crate::export::{About, Batch, ColumnData, DataSet, Described, Written};
use crate::game::{Game, Ranked};
use crate::mine::{Catalogue, Measured, Partition, Solved, Wanted};
use crate::session::erased::{AnyState, ErasedGame};
use crate::session::table_files::check_disk;
use crate::session::{
    Asked, ExportOptions, ExportRows, Exported, Exporting, Result, RowOptions, SessionError,
};

impl Exporting for TableSession {
    fn export(
        &self,
        folder: &Path,
        options: &ExportOptions,
        progress: &dyn Progress,
    ) -> Result<Exported> {
        let game = &self.game;
        game.check_size()?;
        let catalogue = Catalogue::new(game);
        let rows = wanted_rows(game, &catalogue, &options.wanted)?;
        let layout = Layout::new(game, options)?;
        let set = DataSet::begin(folder, options.format, options.force)?;
        let job = format!("exporting {}", game.spec());
        let room = layout.room(&rows.headings, options);
        check_disk(&job, room, set.partial())?;
        let table = self.table(progress)?;
        let fingerprint = table.description().fingerprint.clone();
        let set = set.describe(about(game, &fingerprint, options))?;
        let source = self.source_for(&table, &catalogue, &rows.measured, progress)?;
        progress.begin("exporting", layout.slots);
        let job = Job {
            game,
            source: &source,
            catalogue: &catalogue,
            layout: &layout,
            rows: &rows,
            restricted: options.wanted.rows.restricted(),
        };
        let written = job.run(&set, progress)?;
        table.expect_unchanged()?;
        if written.rows() == 0 {
            return Err(SessionError::unusable(
                folder,
                "would be an empty data set: no position is among those asked for; choose a lower --sample",
            ));
        }
        let exported = Exported {
            game: game.spec(),
            fingerprint,
            rows: written.rows(),
            files: written.files.len() as u64,
            bytes: written.bytes(),
        };
        let meanings = rows.headings.meanings(layout.meanings(), &written.extents);
        set.finish(&meanings, &layout.partitioned_by(), written)?;
        Ok(exported)
    }

    fn batches(
        &self,
        options: &RowOptions,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<()> {
        let game = &self.game;
        game.check_size()?;
        let catalogue = Catalogue::new(game);
        let rows = wanted_rows(game, &catalogue, options)?;
        let layout = Layout::whole(game, &options.scope)?;
        let table = self.table(progress)?;
        let source = self.source_for(&table, &catalogue, &rows.measured, progress)?;
        progress.begin("rows", layout.slots);
        let job = Job {
            game,
            source: &source,
            catalogue: &catalogue,
            layout: &layout,
            rows: &rows,
            restricted: options.rows.restricted(),
        };
        job.visit(progress, visit)
    }

    fn moves_of(&self, positions: &[Asked<'_>], progress: &dyn Progress) -> Result<Batch> {
        let table = self.table(progress)?;
        let game = &self.game;
        let rows = Rows::moves(game, true);
        let numbered = positions.par_iter().enumerate();
        let states =
            numbered.map(|(place, asked)| self.asked(asked).map_err(SessionError::of_many(place)));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let moves = |states: &[AnyState]| {
            let measured = Measured {
                span: 0..0,
                slots: states.iter().map(|state| game.rank(state)).collect(),
                states: states.to_vec(),
                columns: Vec::new(),
            };
            rows.batch(game, &table, measured)
        };
        let batches = states.par_chunks(TOGETHER).map(moves);
        // Without positions, the columns are there all the same.
        let mut all = moves(&[])?;
        for batch in batches.collect::<Result<Vec<_>, _>>()? {
            all.append(batch)?;
        }
        Ok(all)
    }
}

/// Positions whose moves are rows of one batch.
const TOGETHER: usize = 1 << 10;

fn wanted_rows(game: &ErasedGame, catalogue: &Catalogue, options: &RowOptions) -> Result<Rows> {
    Ok(match &options.rows {
        ExportRows::States {
            columns,
            restricted,
        } => Rows::states(game, catalogue, columns, *restricted, options.position)?,
        ExportRows::Moves => Rows::moves(game, options.position),
    })
}

/// What the files say of themselves.
fn about(game: &ErasedGame, fingerprint: &str, options: &ExportOptions) -> About {
    let repetition = game.repetition();
    let scope = &options.wanted.scope;
    let some = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    let sample = scope.sample.max(1);
    About {
        writer: concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: game.spec(),
        repetition: game
            .with_repetition(repetition)
            .map(|_| repetition.name().to_owned()),
        fingerprint: fingerprint.to_owned(),
        rows_are: match options.wanted.rows {
            ExportRows::States { .. } => "states",
            ExportRows::Moves => "moves",
        }
        .to_owned(),
        restricted: options.wanted.rows.restricted(),
        layers: some(&scope.layers),
        classes: some(&scope.classes),
        sample,
        sampled_by: if sample == 1 {
            "all positions".to_owned()
        } else {
            format!(
                "the positions whose slot, as the seed of SplitMix64, gives a first number that is a multiple of {sample}"
            )
        },
        sorted_by: "slot".to_owned(),
    }
}

struct Job<'a> {
    game: &'a ErasedGame,
    source: &'a Solved<'a>,
    catalogue: &'a Catalogue,
    layout: &'a Layout,
    rows: &'a Rows,
    restricted: bool,
}

impl Job<'_> {
    /// Writes all files, several at a time.
    fn run(&self, set: &Described, progress: &dyn Progress) -> Result<Written> {
        let parts = self.layout.parts.par_iter().with_max_len(1);
        parts
            .map(|part| self.write(part, set, progress))
            .try_reduce(Written::default, |mut a, b| {
                a.join(b);
                Ok(a)
            })
    }

    fn write(&self, part: &PartFile, set: &Described, progress: &dyn Progress) -> Result<Written> {
        let mut writer = set.part(&self.layout.path(part), part.number);
        for stretch in &part.stretches {
            self.measure(stretch, &stretch.slots, progress, |batch| {
                Ok(writer.push(batch)?)
            })?;
        }
        Ok(writer.finish()?)
    }

    /// Hands over all rows in order. Some spans are measured at a time, each by one thread.
    fn visit(
        &self,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<()> {
        let stretches = self.layout.parts.iter().flat_map(|part| &part.stretches);
        let spans: Vec<_> = stretches
            .flat_map(|stretch| {
                let starts = stretch.slots.clone().step_by(SPAN);
                let end = |start: u64| stretch.slots.end.min(start + SPAN as u64);
                starts.map(move |start| (stretch, start..end(start)))
            })
            .collect();
        if visit(self.columns()?).is_break() {
            return Ok(());
        }
        for some in spans.chunks(2 * rayon::current_num_threads()) {
            if progress.cancelled() {
                return Err(SessionError::Stopped);
            }
            let measured = some.par_iter().map(|(stretch, slots)| {
                let mut rows = Batch::default();
                self.measure(stretch, slots, progress, |batch| Ok(rows.append(batch)?))?;
                Ok::<_, SessionError>(rows)
            });
            for batch in measured.collect::<Result<Vec<_>, _>>()? {
                if batch.rows() > 0 && visit(batch).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The columns, without rows.
    fn columns(&self) -> Result<Batch> {
        let measured = Measured {
            span: 0..0,
            slots: Vec::new(),
            states: Vec::new(),
            columns: vec![Vec::new(); self.rows.measured.len()],
        };
        let none = Partition {
            layer: 0,
            class: 0,
            slots: 0..0,
        };
        let rows = self.rows.batch(self.game, self.source.table(), measured)?;
        Ok(self.layout.with_partition(&none, rows)?)
    }

    /// Makes the rows of some slots of a stretch.
    fn measure(
        &self,
        stretch: &Partition,
        slots: &Range<u64>,
        progress: &dyn Progress,
        mut take: impl FnMut(Batch) -> Result<()>,
    ) -> Result<()> {
        let wanted = Wanted {
            columns: &self.rows.measured,
            scope: &self.layout.scope,
            restricted: self.restricted,
            states: self.rows.needs_states(),
        };
        self.game.engine().measure_slots(
            self.source,
            self.catalogue,
            wanted,
            slots,
            &mut |measured| {
                let span = measured.span.end - measured.span.start;
                let batch = self.rows.batch(self.game, self.source.table(), measured)?;
                take(self.layout.with_partition(stretch, batch)?)?;
                progress.advance(span);
                Ok(())
            },
        )
    }
}

/// Slots that one thread measures at a time.
const SPAN: usize = 1 << 16;

fn slots(slots: Vec<u64>) -> ColumnData {
    // Tables have far fewer slots than this type has numbers.
    let slots = slots.into_iter();
    ColumnData::Indices(slots.map(|slot| i64::try_from(slot).ok()).collect())
}
