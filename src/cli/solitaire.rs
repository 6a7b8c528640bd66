//! Puzzles, which have one player, for the commands that solve, verify and count.

use std::fmt::Write;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::common::{grouped, guard, partial_name};
use super::limits::{check_disk, check_memory};
use super::progress::Progress;
use super::solution::SMALL;
use crate::base::claim::Claim;
use crate::game::Solitaire;
use crate::solve::Distances;
use crate::table::{Encoding, Table, TableWriter, ValueWidth, depths};

/// How a table is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub encoding: Encoding,
    pub level: i32,
    /// The most memory to use, in bytes.
    pub memory: Option<u64>,
    /// Overwrite a table.
    pub force: bool,
}

/// Solves a puzzle into a file; tells fingerprint and size. Nothing is kept for a later
/// run: the largest board that is solved takes minutes.
pub fn solve<G: Solitaire>(game: &G, path: &Path, form: Form) -> Result<(String, u64)> {
    let job = format!("solving {}", game.spec());
    // A byte a slot, and eight for each slot of the two widest distances.
    check_memory(&job, game.slots() * 3, form.memory)?;
    let partial = partial_name(path);
    let claim = Claim::file(&partial)?;
    let written = guard(path, form.force).and_then(|()| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        check_disk(&job, game.slots() * 3, folder.unwrap_or(Path::new(".")))?;
        let progress = Progress::new();
        let distances = Distances::of(game, &progress)?;
        let written = write(game, &distances, &claim, form, &progress)?;
        progress.finish();
        fs::rename(&partial, path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(written)
    });
    if written.is_err() {
        // Nothing half-written stays behind.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn write<G: Solitaire>(
    game: &G,
    distances: &Distances,
    claim: &Claim,
    form: Form,
    progress: &Progress,
) -> Result<(String, u64)> {
    let partial = claim.path();
    let unwritable = || format!("cannot write {}", partial.display());
    let file = claim.handle().and_then(|file| {
        file.set_len(0)?;
        Ok(file)
    });
    let sink = std::io::BufWriter::new(file.with_context(unwritable)?);
    let mut writer = TableWriter::new(
        sink,
        partial,
        game,
        ValueWidth::WIDE,
        form.encoding,
        form.level,
    )?;
    append(game, distances, &mut writer, progress)?;
    let (sink, fingerprint, size) = writer.finish()?;
    let file = sink
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error);
    file.and_then(|file| file.sync_all())
        .with_context(unwritable)?;
    Ok((fingerprint, size))
}

fn append<G: Solitaire, W: std::io::Write + std::io::Seek>(
    game: &G,
    distances: &Distances,
    writer: &mut TableWriter<W>,
    progress: &Progress,
) -> Result<()> {
    use crate::base::watch::Watch;
    progress.begin("writing", game.slots());
    let record = |slot| distances.record(game, slot);
    Ok(writer.append(game.slots(), record, |done| progress.advance(done))?)
}

/// The table at `path`, or without one a small puzzle solved in memory.
pub fn load<G: Solitaire>(game: &G, path: Option<&PathBuf>) -> Result<Table> {
    if let Some(path) = path {
        let table = Table::open(path)?;
        table.expect_game(game)?;
        return Ok(table);
    }
    if game.slots() > SMALL {
        let spec = game.spec();
        let count = grouped(game.slots());
        bail!(
            "{spec} has {count} arrangements, too many to solve in passing; run 'tesuji solve {spec}' once and give its file with --table"
        );
    }
    let name = Path::new("(solved in memory)");
    let progress = Progress::new();
    let distances = Distances::of(game, &progress)?;
    let sink = Cursor::new(Vec::new());
    let mut writer = TableWriter::new(sink, name, game, ValueWidth::WIDE, Encoding::Raw, 0)?;
    append(game, &distances, &mut writer, &progress)?;
    let (sink, ..) = writer.finish()?;
    Ok(Table::from_bytes(sink.into_inner(), name)?)
}

/// Counts a puzzle's states by distance. The solved state counts too, at distance 0.
pub fn stats<G: Solitaire>(game: &G, table: &Table, json: bool) -> Result<String> {
    let progress = Progress::new();
    let depths = depths(table, game, &progress)?;
    progress.finish();
    let unsolved: u64 = depths.values().map(|depth| depth.states).sum();
    let states = unsolved + 1;
    let example = |slot| {
        game.unrank(slot)
            .map_or(String::new(), |state| game.format_state(&state))
    };
    let fingerprint = &table.description().fingerprint;
    if json {
        let rows: Vec<_> = depths
            .iter()
            .map(|(plies, depth)| json!({ "plies": plies, "states": depth.states, "example": example(depth.example) }))
            .collect();
        let json = json!({
            "game": game.spec(),
            "states": states,
            "longest": depths.keys().flatten().max(),
            "histogram": rows,
            "fingerprint": fingerprint,
        });
        return Ok(format!("{json:#}\n"));
    }
    let mut text = format!("game         {}\nfingerprint  {fingerprint}\n", game.spec());
    let _ = writeln!(
        text,
        "states       {} (the solved one included)",
        grouped(states)
    );
    let _ = writeln!(
        text,
        "\n{:>5} {:>14}  example\n{:>5} {:>14}  (solved)",
        "plies", "states", 0, 1
    );
    for (plies, depth) in &depths {
        let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
        let _ = writeln!(
            text,
            "{plies:>5} {:>14}  {}",
            grouped(depth.states),
            example(depth.example)
        );
    }
    Ok(text)
}
