//! What the fields of a dense table take.

use rayon::prelude::*;

use super::Dense;
use super::block::bits;
use super::cells::Cells;
use crate::base::progress::Progress;
use crate::game::{ByRows, Ranked, RowVisitor};
use crate::table::format::ENTRY;
use crate::table::{Field, Table, TableError};

const NAMES: [&str; 3] = [
    "whether won, and the best value if not",
    "moves whose being forbidden matters",
    "values without these moves",
];

impl Table {
    /// The bits a slot of the fields of a dense table of `game`, from every `step`-th block.
    pub(in crate::table) fn dense_fields<G: Ranked>(
        &self,
        game: &G,
        step: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Field>, TableError> {
        self.expect_layers(game)?;
        let Some(dense) = &self.dense else {
            return Ok(Vec::new());
        };
        let measuring = Measuring {
            table: self,
            dense,
            step: step.max(1),
            progress,
        };
        let found = game.by_rows(measuring);
        found.unwrap_or_else(|_| Err(self.no_rows(game)))
    }
}

struct Measuring<'t> {
    table: &'t Table,
    dense: &'t Dense,
    step: usize,
    progress: &'t dyn Progress,
}

impl RowVisitor for Measuring<'_> {
    type Output = Result<Vec<Field>, TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let (table, dense) = (self.table, self.dense);
        let blocks: Vec<usize> = (0..table.blocks()).step_by(self.step).collect();
        self.progress.begin("measuring", blocks.len() as u64);
        let measured = blocks.into_par_iter().map(|number| {
            let slots = table.slots_of(number);
            let leaves = table.leaves(game, dense, number)?;
            let layers = &table.description().layers;
            let layer = layers.partition_point(|layer| layer.end <= slots.start);
            let mut cells = Cells::new(game, layer, slots.start);
            let model = &dense.models[layer];
            let bits = bits(&mut cells, game, model, slots.start, &leaves)
                .ok_or_else(|| table.undecodable(number))?;
            self.progress.advance(1);
            Ok((leaves.len(), bits, table.stored(number)?.len()))
        });
        let measured = measured.collect::<Result<Vec<_>, TableError>>()?;
        let slots: usize = measured.iter().map(|&(slots, ..)| slots).sum();
        let stored: usize = measured.iter().map(|&(.., bytes)| bytes).sum();
        let slots = slots.max(1) as f64;
        let mut fields: Vec<Field> = (0..)
            .zip(NAMES)
            .map(|(at, name)| Field {
                name,
                bits: measured.iter().map(|(_, bits, _)| bits[at]).sum::<f64>() / slots,
            })
            .collect();
        let coded: f64 = fields.iter().map(|field| field.bits).sum();
        let all = table.description().slots().max(1) as f64;
        fields.push(Field {
            name: "lengths of parts, and rounding",
            bits: 8.0 * stored as f64 / slots - coded,
        });
        fields.push(Field {
            name: "frequencies",
            bits: 8.0 * dense.bytes as f64 / all,
        });
        fields.push(Field {
            name: "directory",
            bits: 8.0 * (table.blocks() * ENTRY) as f64 / all,
        });
        Ok(fields)
    }
}
