//! A table as a data set: its states, or the moves of its positions.

mod headings;
mod layout;
mod moves;
mod states;

use std::path::Path;

use rayon::prelude::*;

use self::headings::Headings;
use self::layout::{Layout, Part};
use self::moves::MoveRows;
use self::states::StateRows;
use super::TableSession;
use crate::base::watch::Watch;
use crate::export::{About, Batch, ColumnData, DataSet, Described, Written};
use crate::game::TableGame;
use crate::mine::{Catalogue, Measured, Wanted, measure_slots};
use crate::session::resources::check_disk;
use crate::session::{ExportOptions, ExportRows, Exported, Exporting, SessionError};
use crate::table::Table;

/// What the rows of a data set are, and how they come from states.
trait Rows<G: TableGame>: Sync {
    /// Their columns, without those of the partition.
    fn headings(&self) -> &Headings;

    /// The columns of the catalogue that must be measured, as indices in rising order.
    fn measured(&self) -> &[usize];

    /// Whether [`batch`](Self::batch) needs the states.
    fn needs_states(&self) -> bool;

    /// The rows of some states.
    fn batch(
        &self,
        game: &G,
        table: &Table,
        measured: Measured<G::State>,
    ) -> Result<Batch, SessionError>;
}

impl<G: TableGame> Exporting for TableSession<G> {
    fn export(
        &self,
        folder: &Path,
        options: &ExportOptions,
        watch: &dyn Watch,
    ) -> Result<Exported, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let catalogue = Catalogue::new(game);
        let rows: Box<dyn Rows<G>> = match &options.rows {
            ExportRows::States {
                columns,
                restricted,
            } => Box::new(StateRows::new(
                game,
                &catalogue,
                columns,
                *restricted,
                options.position,
            )?),
            ExportRows::Moves => Box::new(MoveRows::new(game, options.position)),
        };
        let layout = Layout::new(game, options)?;
        let set = DataSet::begin(folder, options.format, options.force)?;
        check_disk(
            &format!("exporting {}", game.spec()),
            layout.room(rows.headings(), options),
            set.partial(),
        )?;
        let table = self.whole_table(watch)?;
        let fingerprint = table.description().fingerprint.clone();
        let set = set.describe(about(game, &fingerprint, options))?;
        watch.begin("exporting", layout.slots());
        let job = Job {
            game,
            table: &table,
            catalogue: &catalogue,
            layout: &layout,
            rows: &*rows,
            set: &set,
            restricted: options.rows.restricted(),
        };
        let written = job.run(watch)?;
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
        let meanings = rows
            .headings()
            .meanings(layout.meanings(), &written.extents);
        set.finish(&meanings, &layout.partitioned_by(), written)?;
        Ok(exported)
    }
}

/// What the files say of themselves.
fn about<G: TableGame>(game: &G, fingerprint: &str, options: &ExportOptions) -> About {
    let repetition = game.repetition();
    let scope = &options.scope;
    let some = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    let sample = scope.sample.max(1);
    About {
        writer: concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned(),
        game: game.spec(),
        repetition: game
            .with_repetition(repetition)
            .map(|_| repetition.name().to_owned()),
        fingerprint: fingerprint.to_owned(),
        rows_are: match options.rows {
            ExportRows::States { .. } => "states",
            ExportRows::Moves => "moves",
        }
        .to_owned(),
        restricted: options.rows.restricted(),
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

/// All that is needed to write the files.
struct Job<'a, G: TableGame> {
    game: &'a G,
    table: &'a Table,
    catalogue: &'a Catalogue,
    layout: &'a Layout,
    rows: &'a dyn Rows<G>,
    set: &'a Described,
    restricted: bool,
}

impl<G: TableGame> Job<'_, G> {
    /// Writes all files, several at a time.
    fn run(&self, watch: &dyn Watch) -> Result<Written, SessionError> {
        let parts = self.layout.parts().par_iter().with_max_len(1);
        parts
            .map(|part| self.write(part, watch))
            .try_reduce(Written::default, |mut a, b| {
                a.join(b);
                Ok(a)
            })
    }

    /// Writes a file.
    fn write(&self, part: &Part, watch: &dyn Watch) -> Result<Written, SessionError> {
        let mut writer = self.set.part(&self.layout.path(part), part.number);
        let wanted = Wanted {
            columns: self.rows.measured(),
            scope: self.layout.scope(),
            restricted: self.restricted,
            states: self.rows.needs_states(),
        };
        for stretch in &part.stretches {
            measure_slots(
                self.game,
                self.table,
                self.catalogue,
                wanted,
                &stretch.slots,
                |measured| {
                    let span = measured.span.end - measured.span.start;
                    let batch = self.rows.batch(self.game, self.table, measured)?;
                    let batch = self.layout.with_partition(stretch, batch)?;
                    writer.push(batch)?;
                    watch.advance(span);
                    Ok::<_, SessionError>(())
                },
            )?;
        }
        Ok(writer.finish()?)
    }
}

/// A column of slots.
fn slots(slots: Vec<u64>) -> ColumnData {
    // Tables have far fewer slots than this type has numbers.
    let slots = slots.into_iter();
    ColumnData::Indices(slots.map(|slot| i64::try_from(slot).ok()).collect())
}
