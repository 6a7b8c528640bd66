//! Pictures of all puzzles of a CSV file.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::base::files::{Claim, Existing, check_content, open_lines, put_all_claimed};
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::cli::args::{Format, PictureArgs, RowGameArgs};
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use crate::export::read_entries;
use crate::mine::PuzzleRow;
use crate::session::{
    Session, completed, puzzle_svg, refuse_stale, remove_pictures, solution_svg, stale_pictures,
};

/// Draws each puzzle into a file of the folder, `01-<id>.svg` and so on, and its solution,
/// if asked for, into `01-<id>-solution.svg`.
pub fn draw(
    csv: &Path,
    game: &RowGameArgs,
    folder: &Path,
    format: Format,
    solution: bool,
    picture: &PictureArgs,
) -> Result<ExitCode> {
    let style = picture.style(format)?;
    let file = open_lines(csv).with_context(|| format!("cannot open {}", csv.display()))?;
    let entries = read_entries(file);
    let entries = entries.with_context(|| csv.display().to_string())?;
    if entries.is_empty() {
        bail!("{} has no puzzles", csv.display());
    }
    let _claim = Claim::folder(folder)?;
    let given: Vec<PuzzleRow> = entries.into_iter().map(|entry| entry.row).collect();
    let sessions = sessions(csv, &given, game)?;
    let mut rows = Vec::with_capacity(given.len());
    let progress = ProgressBar::new();
    for (number, row) in (1..).zip(&given) {
        let row = completed(&*sessions[row.game.as_str()], row, &progress);
        rows.push(row.with_context(|| format!("{}, row {number}", csv.display()))?);
    }
    progress.finish();
    let jobs = jobs(csv, &rows, folder, format, solution)?;
    let in_row = |job: &Job| format!("{}, row {}", csv.display(), job.number);
    let make = |job: &Job| {
        let session = &*sessions[job.row.game.as_str()];
        let svg = if job.solution {
            solution_svg(session, job.row, job.number, &style)
        } else {
            puzzle_svg(session, job.row, job.number, &style)
        };
        let bytes = svg
            .map_err(Into::into)
            .and_then(|svg| format.bytes(svg, picture.dots()));
        bytes.with_context(|| in_row(job))
    };
    // If a row is wrong or a file may not be replaced, nothing is written.
    for_all(&jobs, |job| {
        let session = &*sessions[job.row.game.as_str()];
        sound(session, job).with_context(|| in_row(job))
    })?;
    let made: HashSet<&Path> = jobs.iter().map(|job| job.path.as_path()).collect();
    let stale = stale_pictures(folder, |path| made.contains(path));
    if !picture.force {
        refuse_stale(&stale)?;
        for_all(&jobs, |job| {
            if job.path.exists() {
                check_content(&job.path, &make(job)?, Existing::Same)?;
            }
            Ok(())
        })?;
    }
    let progress = ProgressBar::new();
    progress.begin("drawing", jobs.len() as u64);
    for_all(&jobs, |job| {
        put_all_claimed(&[(job.path.clone(), make(job)?)], picture.force)?;
        progress.advance(1);
        Ok(())
    })?;
    progress.finish();
    remove_pictures(&stale)?;
    print(&format!(
        "{} in {}\n",
        plural(jobs.len() as u64, "picture"),
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The games of all rows.
fn sessions<'r>(
    csv: &Path,
    rows: &'r [PuzzleRow],
    game: &RowGameArgs,
) -> Result<HashMap<&'r str, Box<dyn Session>>> {
    let mut sessions = HashMap::new();
    for (number, row) in (1..).zip(rows) {
        if !sessions.contains_key(row.game.as_str()) {
            let session = game.open(&row.game, None);
            let session = session.with_context(|| format!("{}, row {number}", csv.display()))?;
            sessions.insert(row.game.as_str(), session);
        }
    }
    Ok(sessions)
}

/// A picture to make.
struct Job<'a> {
    number: usize,
    row: &'a PuzzleRow,
    /// Whether it shows the solution, not the position.
    solution: bool,
    path: PathBuf,
}

/// The pictures to make.
fn jobs<'a>(
    csv: &Path,
    rows: &'a [PuzzleRow],
    folder: &Path,
    format: Format,
    solution: bool,
) -> Result<Vec<Job<'a>>> {
    let digits = rows.len().to_string().len().max(2);
    let kinds: &[bool] = if solution { &[false, true] } else { &[false] };
    let mut jobs = Vec::new();
    for (number, row) in (1..).zip(rows) {
        let id = &row.puzzle_id;
        let sound = id.len() == 16 && id.chars().all(|digit| digit.is_ascii_hexdigit());
        if !sound {
            // The header is line 1, and rows have no line breaks.
            bail!(
                "{}, row {number}: the puzzle_id {id:?} must be 16 hexadecimal digits, since it names a file",
                csv.display()
            );
        }
        for &solution in kinds {
            let rest = if solution { "-solution" } else { "" };
            let name = format!("{number:0digits$}-{id}{rest}.{}", format.extension());
            let path = folder.join(name);
            jobs.push(Job {
                number,
                row,
                solution,
                path,
            });
        }
    }
    Ok(jobs)
}

/// Runs all jobs in parallel. Of several errors, that of the first row is returned.
fn for_all(jobs: &[Job], work: impl Fn(&Job) -> Result<()> + Sync) -> Result<()> {
    let failures = jobs.par_iter().map(|job| work(job).err());
    failures
        .find_first(Option::is_some)
        .flatten()
        .map_or(Ok(()), Err)
}

/// Checks that the row's position and moves can be drawn.
fn sound(session: &dyn Session, job: &Job) -> Result<()> {
    session.position(&job.row.position)?;
    if let (true, Ok(lines)) = (job.solution, session.lines()) {
        let moves = job.row.solution.split_whitespace().map(str::to_owned);
        lines.boards(&job.row.position, &moves.collect::<Vec<_>>(), 0)?;
    }
    Ok(())
}
