//! Folders of finds: tables, a sheet of the best, and pictures of some; and what an earlier run
//! left there, which is looked at before a new run begins.

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use super::collection::of_puzzle;
use super::{MinedSet, Result, Session, SessionError, SolutionOptions};
use crate::analysis::Stipulation;
use crate::base::files::{Claim, FileError, has, open_ours, put_all_claimed};
use crate::base::progress::NoProgress;
use crate::base::text::{grouped, words};
use crate::draw::{Diagram, Style, render, strip, tree};
use crate::export::{WORDS, write_batch, write_csv, write_parquet};
use crate::mine::{Filter, PuzzleRow};

/// The file that says which run the others are of.
const RUN: &str = "run.json";

/// The file that says how far a scan got which was stopped.
const SAMPLE: &str = "sample.json";

/// The most boards of a solution, besides the final one: a very long solution fits on no
/// page.
const STRIP: usize = 39;

const SHEET: usize = 24;

/// A folder for the finds of a filter, claimed before the work begins.
#[derive(Debug)]
pub struct FindFolder {
    path: PathBuf,
    /// The content of the file that describes the run, if there is one.
    run: Option<Vec<u8>>,
    /// Files of a run that found nothing or was stopped.
    in_the_way: Vec<PathBuf>,
    /// Whether it has all finds of the same run, which a part must not replace.
    is_whole: bool,
    _claim: Claim,
}

impl FindFolder {
    /// Claims a folder.
    ///
    /// # Errors
    /// If another process writes to the folder, or it cannot be made.
    pub fn claim(path: &Path) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            run: None,
            in_the_way: Vec::new(),
            is_whole: false,
            _claim: Claim::folder(path)?,
        })
    }

    /// Claims a folder for a filter's finds in a game, and checks that what is there may be
    /// replaced or will be the same. `rest` has all else that the finds depend on.
    ///
    /// # Errors
    /// If another process writes to the folder, or it holds what may not be replaced.
    pub fn claim_for(
        path: &Path,
        game: &str,
        filter: &Filter,
        rest: &str,
        force: bool,
    ) -> Result<Self> {
        let version = env!("CARGO_PKG_VERSION");
        let key = xxh3_64(format!("{version}\n{game}\n{filter:?}\n{rest}").as_bytes());
        let json = json!({
            "game": game,
            "filter": filter.name,
            "tesuji": version,
            "key": format!("{key:016x}"),
        });
        let run = format!("{json:#}\n").into_bytes();
        let mut folder = Self::claim(path)?;
        folder.in_the_way = earlier(path, &run, force)?;
        folder.is_whole = !force
            && path.join("puzzles.csv").is_file()
            && has(&path.join(RUN), &run)? == Some(true)
            && !path.join(SAMPLE).exists();
        folder.run = Some(run);
        Ok(folder)
    }

    /// Whether the folder keeps what it has: all finds of a run that was now stopped.
    pub const fn keeps(&self, set: &MinedSet) -> bool {
        self.is_whole && set.coverage.is_some()
    }
}

/// Checks the finds of an earlier run. Returns the files of one that found nothing or was
/// stopped: they are not in the way.
fn earlier(folder: &Path, run: &[u8], force: bool) -> Result<Vec<PathBuf>> {
    let puzzles = folder.join("puzzles.csv");
    let Some(file) = open_ours(&puzzles)? else {
        return Ok(Vec::new());
    };
    let mut bytes = BufReader::new(file).bytes();
    let lines = bytes.try_fold(0, |lines, byte| Ok(lines + u64::from(byte? == b'\n')));
    // The header is line 1.
    let found = lines.map_err(FileError::io(&puzzles, "read"))?;
    let found: u64 = found.saturating_sub(1);
    let same = has(&folder.join(RUN), run)?;
    let stopped = same == Some(true) && folder.join(SAMPLE).is_file();
    if found == 0 || stopped {
        let tables = ["puzzles.csv", "puzzles.parquet", "columns.csv"].into_iter();
        let names = tables.chain(["sheet.svg", SAMPLE, RUN]);
        let mut files: Vec<_> = names.map(|name| folder.join(name)).collect();
        files.retain(|file| file.is_file());
        if stopped {
            files.extend(stale_pictures(folder, |_| false));
        }
        return Ok(files);
    }
    if same == Some(false) && !force {
        let why = format!(
            "has {} puzzles of another run; give --force to replace them, or another folder with --output",
            grouped(found)
        );
        return Err(SessionError::unusable(folder, why));
    }
    Ok(Vec::new())
}

/// Writes sets of finds, each into its folder: `puzzles.csv`, `puzzles.parquet`, `sheet.svg` with
/// the 24 best puzzles side by side, a diagram and the solution of the best few, and
/// `columns.csv` where the game measures more. A part of a set that its folder has as a whole is
/// not written. With 0 puzzles to draw `separately` there is no
/// sheet either. Everything is made before anything is written, and if one file may not be written,
/// none is.
///
/// # Errors
/// If a find cannot be drawn, or a file cannot be written.
pub fn write_finds(
    session: &dyn Session,
    sets: &[MinedSet],
    folders: &[FindFolder],
    (style, separately): (&Style, usize),
    force: bool,
) -> Result<()> {
    let (mut files, mut old, mut in_the_way) = (Vec::new(), Vec::new(), Vec::new());
    let folders = sets.iter().zip(folders);
    for (set, folder) in folders.filter(|(set, folder)| !folder.keeps(set)) {
        let path = &folder.path;
        let made = files_of(session, set, path, style, separately);
        let made = made.map_err(|source| match folder.run {
            // With several filters, the message names the filter.
            Some(_) => of_puzzle(&format!("filter {}", set.filter), source),
            None => source,
        })?;
        old.extend(stale_pictures(path, |old| {
            made.iter().any(|(kept, _)| kept == old)
        }));
        let sample = path.join(SAMPLE);
        if set.coverage.is_none() && sample.is_file() {
            old.push(sample);
        }
        files.extend(made);
        files.extend(folder.run.clone().map(|run| (path.join(RUN), run)));
        in_the_way.extend_from_slice(&folder.in_the_way);
    }
    old.retain(|file| !in_the_way.contains(file));
    if !force {
        refuse_stale(&old)?;
    }
    remove_pictures(&in_the_way)?;
    put_all_claimed(&files, force)?;
    remove_pictures(&old)
}

fn files_of(
    session: &dyn Session,
    set: &MinedSet,
    folder: &Path,
    style: &Style,
    separately: usize,
) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let (mut csv, mut parquet) = (Vec::new(), Vec::new());
    write_csv(&mut csv, &set.rows)?;
    write_parquet(&mut parquet, &set.rows)?;
    let mut files = vec![
        (folder.join("puzzles.csv"), csv),
        (folder.join("puzzles.parquet"), parquet),
    ];
    if let Some(columns) = &set.columns {
        let mut csv = Vec::new();
        write_batch(&mut csv, columns)?;
        files.push((folder.join("columns.csv"), csv));
    }
    if let Some(coverage) = set.coverage {
        let json = json!({
            "filter": set.filter,
            "complete": false,
            "slots_looked_at": coverage.looked_at,
            "slots": coverage.of,
            "found": set.matched,
            "estimated": coverage.estimate.number.round(),
            "error_95": coverage.estimate.error.ceil(),
        });
        files.push((folder.join(SAMPLE), format!("{json:#}\n").into_bytes()));
    }
    for (number, row) in (1..).zip(set.rows.iter().take(separately)) {
        let stem = format!("{number:02}-{}", row.puzzle_id);
        let puzzle = puzzle_svg(session, row, number, style)?;
        files.push((folder.join(format!("{stem}.svg")), puzzle.into_bytes()));
        let solution = solution_svg(session, row, number, style)?;
        let name = format!("{stem}-solution.svg");
        files.push((folder.join(name), solution.into_bytes()));
    }
    if separately > 0 && !set.rows.is_empty() {
        let sheet = sheet(session, &set.title, &set.rows, style)?;
        files.push((folder.join("sheet.svg"), sheet.into_bytes()));
    }
    Ok(files)
}

/// The first 24 puzzles side by side, numbered, as a picture.
pub(crate) fn sheet(
    session: &dyn Session,
    title: &str,
    rows: &[PuzzleRow],
    style: &Style,
) -> Result<String> {
    let boards = (1..).zip(rows.iter().take(SHEET)).map(|(number, row)| {
        let diagram = session.diagram(&row.position)?.number(number);
        Ok(credited(diagram.caption(&row.stipulation), row))
    });
    let boards = boards.collect::<Result<Vec<_>>>()?;
    Ok(strip(title, &boards, 6, style))
}

/// The diagram of a puzzle with its title, author and source, as far as its row has them.
fn credited(diagram: Diagram, row: &PuzzleRow) -> Diagram {
    let words = WORDS.map(|name| row.own(name).trim());
    let words: Vec<_> = words.into_iter().filter(|text| !text.is_empty()).collect();
    if words.is_empty() {
        return diagram;
    }
    diagram.caption(words.join(", "))
}

/// The picture of a puzzle, with its number, stipulation, author and, if the style asks for them,
/// themes.
///
/// # Errors
/// If the position cannot be drawn.
pub fn puzzle_svg(
    session: &dyn Session,
    row: &PuzzleRow,
    number: usize,
    style: &Style,
) -> Result<String> {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let side = session.position(&row.position)?.side;
    let asked = Stipulation::with_side(&row.stipulation, &side);
    let diagram = session.diagram(&row.position)?.number(number);
    let mut diagram = credited(diagram.stipulation(&asked), row).title(&asked);
    diagram.themes = row.themes.split_whitespace().map(words).collect();
    Ok(render(&diagram, style))
}

/// The picture of a solution: a strip of boards, or a tree if the moves of the other side
/// are hidden.
///
/// # Errors
/// If the solution cannot be found or drawn.
pub fn solution_svg(
    session: &dyn Session,
    row: &PuzzleRow,
    number: usize,
    style: &Style,
) -> Result<String> {
    let headline = format!("{number}. {}", row.stipulation);
    if let Ok(lines) = session.lines() {
        let boards = lines.boards(&row.position, &row.moves(), STRIP)?;
        return Ok(strip(&headline, &boards, 4, style));
    }
    let options = SolutionOptions::of_row(row);
    let solutions = session.solutions()?;
    let drawn = solutions.drawn(&row.position, &options, &NoProgress)?;
    Ok(tree(&headline, &drawn.words, &drawn.tree, style))
}

/// The pictures of puzzles in a folder that are not among those that are `made`. They belong to
/// an earlier run, and would mix two sets.
pub fn stale_pictures(folder: &Path, made: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut paths: Vec<_> = regular.map(|entry| entry.path()).collect();
    paths.retain(|path| is_picture(path) && !made(path));
    paths.sort();
    paths
}

/// Whether a file name is that of a picture of a puzzle: a number of two or more digits, a
/// hyphen, and an id of 16 digits.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((number, rest)) = name.split_once('-') else {
        return false;
    };
    let end = path.extension().and_then(|end| end.to_str());
    number.len() >= 2
        && number.chars().all(|c| c.is_ascii_digit())
        && rest.len() >= 20
        && rest.chars().take(16).all(|c| c.is_ascii_hexdigit())
        && end.is_some_and(|end| ["svg", "png", "pdf", "eps"].contains(&end))
}

/// Refuses to replace pictures of an earlier run.
///
/// # Errors
/// If there are any; the error names the first.
pub fn refuse_stale(old: &[PathBuf]) -> Result<()> {
    let why = "is a picture of an earlier, different run; give --force to replace it, or another folder with --output";
    let first = old.first();
    first.map_or(Ok(()), |picture| Err(SessionError::unusable(picture, why)))
}

/// Removes files of an earlier run.
///
/// # Errors
/// If one cannot be removed.
pub fn remove_pictures(old: &[PathBuf]) -> Result<()> {
    let remove = |path: &PathBuf| fs::remove_file(path).map_err(FileError::io(path, "remove"));
    Ok(old.iter().try_for_each(remove)?)
}
