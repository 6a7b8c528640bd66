//! `tesuji export --puzzles`

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::common::{grouped, parse_game, print};
use super::export::{Args, FormatArg};
use super::output::put;
use crate::analysis::{firsts, key_of_line};
use crate::export::{read_csv, write_csv, write_csv_columns, write_jsonl, write_parquet};
use crate::game::{Hidden, Moves, Symmetric};
use crate::games::registry::{AnyGame, with_game};
use crate::mine::PuzzleRow;

/// Writes puzzles in another format.
pub fn convert(puzzles: &Path, args: &Args) -> Result<ExitCode> {
    if !args.columns.is_empty() && args.format != FormatArg::Csv {
        bail!("--columns is for --format csv; the other formats have all columns");
    }
    let unreadable = || format!("cannot read {}", puzzles.display());
    let file = File::open(puzzles).with_context(unreadable)?;
    let mut rows = read_csv(BufReader::new(file)).with_context(unreadable)?;
    if args.distinct {
        rows = distinct(&rows, puzzles)?;
    }
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let mut content = Vec::new();
    match args.format {
        FormatArg::Parquet => write_parquet(&mut content, &rows)?,
        FormatArg::Jsonl => write_jsonl(&mut content, &rows)?,
        FormatArg::Csv if args.columns.is_empty() => write_csv(&mut content, &rows)?,
        FormatArg::Csv => {
            write_csv_columns(&mut content, &rows, &args.columns).context("--columns")?;
        }
    }
    put(&args.output, &content, args.force)?;
    print(&format!(
        "{} puzzles in {}\n",
        grouped(rows.len() as u64),
        args.output.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The first of every group of puzzles whose solutions are the same up to a symmetry of
/// the board.
fn distinct(rows: &[PuzzleRow], puzzles: &Path) -> Result<Vec<PuzzleRow>> {
    let mut games = HashMap::new();
    let mut keys = Vec::with_capacity(rows.len());
    for (number, row) in (1..).zip(rows) {
        if !games.contains_key(&row.game) {
            games.insert(row.game.clone(), parse_game(&row.game, None)?);
        }
        let line = match &games[&row.game] {
            // What is heard is no move: the words are compared.
            AnyGame::Tsuitate(game) => Ok(row
                .plies
                .is_some_and(|plies| plies > 2)
                .then(|| vec![game.canonical_words(&row.solution)])),
            game => with_game!(game, game => line(game, &row.solution)),
        };
        let line = line.with_context(|| format!("{}, row {number}", puzzles.display()))?;
        keys.push(line.map(|line| (row.game.clone(), line)));
    }
    let kept = firsts(&keys).into_iter();
    Ok(kept.map(|(first, _)| rows[first].clone()).collect())
}

/// A solution turned so that all its images are the same text; nothing if it is too
/// short to tell puzzles apart.
fn line<G: Moves + Symmetric>(game: &G, solution: &str) -> Result<Option<Vec<String>>> {
    let moves = solution
        .split_whitespace()
        .map(|text| game.parse_move(text));
    let moves = moves.collect::<Result<Vec<_>, _>>()?;
    let key = key_of_line(game, &moves);
    Ok(key.map(|line| line.into_iter().map(|mv| game.format_move(mv)).collect()))
}
