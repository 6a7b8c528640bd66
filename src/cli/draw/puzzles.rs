//! All puzzles of a CSV as pictures.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::{hidden, puzzle, solution_strip};
use crate::base::claim::Claim;
use crate::base::watch::Watch;
use crate::cli::boards::after;
use crate::cli::common::{grouped, parse_game, print};
use crate::cli::output::put;
use crate::cli::pictures::{Format, PictureArgs, stale, tidy};
use crate::cli::progress::Progress;
use crate::draw::{Style, render};
use crate::export::read_csv;
use crate::game::{Drawable, Moves};
use crate::games::registry::{AnyGame, with_game};
use crate::mine::PuzzleRow;

/// Draws each puzzle into a file of the folder, `01-<id>.svg` and so on, with its
/// solution in `01-<id>-solution.svg` if that is asked for.
pub fn draw(
    csv: &Path,
    folder: &Path,
    format: Format,
    solution: bool,
    picture: &PictureArgs,
) -> Result<ExitCode> {
    let style = picture.style(format)?;
    let file = File::open(csv).with_context(|| format!("cannot open {}", csv.display()))?;
    let rows = read_csv(std::io::BufReader::new(file));
    let rows = rows.with_context(|| csv.display().to_string())?;
    if rows.is_empty() {
        bail!("{} has no puzzles", csv.display());
    }
    let _claim = Claim::folder(folder)?;
    tidy(folder)?;
    let mut games = HashMap::new();
    for row in &rows {
        if !games.contains_key(&row.game) {
            games.insert(row.game.clone(), parse_game(&row.game, None)?);
        }
    }
    let digits = rows.len().to_string().len().max(2);
    let jobs: Vec<_> = (1..)
        .zip(&rows)
        .flat_map(|(number, row)| {
            let kinds: &[bool] = if solution { &[false, true] } else { &[false] };
            kinds.iter().map(move |&line| (number, row, line))
        })
        .map(|(number, row, line)| {
            let id = &row.puzzle_id;
            let sound = id.len() == 16 && id.chars().all(|digit| digit.is_ascii_hexdigit());
            if !sound {
                // The header is line 1, and rows have no line breaks within.
                bail!(
                    "{}, row {number}: the puzzle_id {id:?} must be 16 hexadecimal digits, since it names a file",
                    csv.display()
                );
            }
            let rest = if line { "-solution" } else { "" };
            let name = format!("{number:0digits$}-{id}{rest}.{}", format.extension());
            let path = folder.join(name);
            Ok(Job { number, row, line, path })
        })
        .collect::<Result<_>>()?;
    let make = |job: &Job| {
        let svg = match &games[&job.row.game] {
            AnyGame::Tsuitate(game) => hidden::svg(game, job, &style),
            game => with_game!(game, game => svg(game, job, &style)),
        };
        let bytes = svg.and_then(|svg| format.bytes(svg, picture.dpi));
        bytes.with_context(|| format!("{}, row {}", csv.display(), job.number))
    };
    // Nothing is written if a row is wrong or a file may not be replaced.
    let rows_are_sound = |job: &Job| match &games[&job.row.game] {
        AnyGame::Tsuitate(game) => hidden::sound(game, job),
        game => with_game!(game, game => sound(game, job)),
    };
    for_all(&jobs, |job| {
        rows_are_sound(job).with_context(|| format!("{}, row {}", csv.display(), job.number))
    })?;
    let made: std::collections::HashSet<&Path> =
        jobs.iter().map(|job| job.path.as_path()).collect();
    let stale = stale(folder, |path| made.contains(path));
    if !picture.force {
        if let Some(path) = stale.first() {
            bail!(
                "{} is a picture of an earlier, different run; give --force to replace it, or another folder with --output",
                path.display()
            );
        }
        for_all(&jobs, |job| {
            if job.path.exists() {
                crate::cli::output::check(&job.path, &make(job)?, false)?;
            }
            Ok(())
        })?;
    }
    let progress = Progress::new();
    progress.begin("drawing", jobs.len() as u64);
    for_all(&jobs, |job| {
        put(&job.path, &make(job)?, picture.force)?;
        progress.advance(1);
        Ok(())
    })?;
    progress.finish();
    for path in stale {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    print(&format!(
        "{} pictures in {}\n",
        grouped(jobs.len() as u64),
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// A picture to make.
pub(super) struct Job<'a> {
    pub(super) number: usize,
    pub(super) row: &'a PuzzleRow,
    /// Of the solution, not the position.
    pub(super) line: bool,
    path: PathBuf,
}

/// Does something for all jobs, in parallel; of several failures the first row's is
/// told.
fn for_all(jobs: &[Job], work: impl Fn(&Job) -> Result<()> + Sync) -> Result<()> {
    let failures = jobs.par_iter().map(|job| work(job).err());
    failures
        .find_first(Option::is_some)
        .flatten()
        .map_or(Ok(()), Err)
}

/// Whether the row's position and moves can be drawn.
fn sound<G: Drawable + Moves>(game: &G, job: &Job) -> Result<()> {
    let state = game.parse_state(&job.row.position)?;
    if job.line {
        moves(game, &state, job.row)?;
    }
    Ok(())
}

fn moves<G: Moves>(game: &G, state: &G::State, row: &PuzzleRow) -> Result<Vec<G::Move>> {
    let mut at = Some(state.clone());
    let mut moves = Vec::new();
    for text in row.solution.split_whitespace() {
        let mv = game.parse_move(text)?;
        let Some(from) = at.filter(|from| game.moves(from).contains(&mv)) else {
            bail!("the solution's {text} is not a legal move at that point");
        };
        at = after(game, &from, mv);
        moves.push(mv);
    }
    Ok(moves)
}

fn svg<G: Drawable + Moves>(game: &G, job: &Job, style: &Style) -> Result<String> {
    let row = job.row;
    let state = game.parse_state(&row.position)?;
    if job.line {
        let moves = moves(game, &state, row)?;
        let headline = (job.number, row.stipulation.as_str());
        return Ok(solution_strip(game, &state, &moves, headline, style));
    }
    let diagram = game.diagram(&state);
    let diagram = puzzle(diagram, job.number, &row.stipulation, &row.themes);
    Ok(render(&diagram, style))
}
