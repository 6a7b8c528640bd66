//! The compressed sizes of the fields of a table, in several forms.

use rayon::prelude::*;

use super::{Table, TableError};
use crate::base::progress::Progress;
use crate::base::value::Record;
use crate::game::Ranked;

/// The size of a field in one form.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The field and the form.
    pub name: &'static str,
    /// Bits per slot after compression.
    pub bits: f64,
}

const NAMES: [&str; 6] = [
    "best value",
    "second value",
    "second value, 0 where it is the best",
    "second value XOR best value",
    "only best move",
    "only best move, where the values differ",
];

/// The bits a slot of each field of a table of `game`, from every `step`-th block. Those of a
/// dense table as they are stored; of any other table each field is compressed on its own, in
/// several forms, with Zstandard at `level` (1 to 22).
///
/// # Errors
/// If a block is damaged, or the table is of another game.
pub fn fields<G: Ranked>(
    table: &Table,
    game: &G,
    level: i32,
    step: usize,
    progress: &dyn Progress,
) -> Result<Vec<Field>, TableError> {
    if table.is_dense() {
        return table.dense_fields(game, step, progress);
    }
    compressed(table, level, step, progress)
}

fn compressed(
    table: &Table,
    level: i32,
    step: usize,
    progress: &dyn Progress,
) -> Result<Vec<Field>, TableError> {
    let blocks: Vec<usize> = (0..table.blocks()).step_by(step.max(1)).collect();
    progress.begin("compressing", blocks.len() as u64);
    let width = usize::from(table.description().value_bytes);
    let (slots, bytes) = blocks
        .into_par_iter()
        .map(|number| {
            let block = table.block(number)?;
            let records: Vec<Record> = block.records().collect();
            let plane = |code: &dyn Fn(&Record) -> u16| -> Vec<u8> {
                let codes = records.iter().flat_map(|record| {
                    let code = code(record).to_le_bytes();
                    code.into_iter().take(width)
                });
                codes.collect()
            };
            let narrow = |value: crate::base::value::Value| match width {
                1 => value
                    .resized::<crate::base::value::Narrow>()
                    .map_or(0, crate::base::value::Value::code),
                _ => value.code(),
            };
            let (best, second) = (
                |record: &Record| narrow(record.best()),
                |record: &Record| narrow(record.second()),
            );
            let only = |record: &Record| record.only_move().unwrap_or(Record::NO_MOVE);
            let forms: [Vec<u8>; 6] = [
                plane(&best),
                plane(&second),
                plane(&|record| {
                    if best(record) == second(record) {
                        0
                    } else {
                        second(record)
                    }
                }),
                plane(&|record| best(record) ^ second(record)),
                records.iter().map(only).collect(),
                records
                    .iter()
                    .filter_map(|record| record.only_move())
                    .collect(),
            ];
            let failed = TableError::io(table.path(), "compress");
            let sizes: Vec<usize> = forms
                .iter()
                .map(|form| Ok(zstd::bulk::compress(form, level)?.len()))
                .collect::<std::io::Result<_>>()
                .map_err(failed)?;
            progress.advance(1);
            Ok((records.len(), sizes))
        })
        .try_reduce(
            || (0, vec![0; NAMES.len()]),
            |mut a, b| {
                a.0 += b.0;
                for (sum, size) in a.1.iter_mut().zip(b.1) {
                    *sum += size;
                }
                Ok(a)
            },
        )?;
    Ok(NAMES
        .into_iter()
        .zip(bytes)
        .map(|(name, bytes)| Field {
            name,
            bits: 8.0 * bytes as f64 / slots.max(1) as f64,
        })
        .collect())
}
