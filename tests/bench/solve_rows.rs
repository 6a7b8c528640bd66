//! Solves a small board of Ostle by rows, with values of one byte, and writes the raw table.
//!
//! The program takes that way for large games alone; [instructions](instructions) counts it, and
//! counts what reads such tables.

use std::fs::File;
use std::path::Path;

use tesuji::base::{progress::NoProgress, value::Narrow};
use tesuji::game::Repetition;
use tesuji::games::ostle::Ostle;
use tesuji::solve::Solver;
use tesuji::table::{Encoding, TableError, TableWriter, ValueWidth};

const USAGE: &str = "usage: solve_rows 4x4 PIECES LOSSES FILE";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, pieces, losses, path] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let (rows, columns) = size.split_once('x').ok_or(USAGE)?;
    let (pieces, losses) = (pieces.parse()?, losses.parse()?);
    let game = Ostle::new(
        rows.parse()?,
        columns.parse()?,
        pieces,
        losses,
        Repetition::Exact,
    )?;
    let (path, width) = (Path::new(path), ValueWidth::NARROW);
    let file = File::create(path)?;
    let mut writer = TableWriter::new(file, path, &game, width, Encoding::Raw, 0)?;
    let mut solver = Solver::<_, Narrow>::new(&game);
    while let Some(solved) = solver.solve_next(&NoProgress)? {
        let slots = solved.slots();
        let records = |slots| Ok::<_, TableError>(solved.records(slots));
        writer.append(slots.end, records, |_| ())?;
    }
    writer.finish()?;
    Ok(())
}
