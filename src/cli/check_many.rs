//! Verdicts on all puzzles of a CSV file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::args::RowGameArgs;
use super::progress::ProgressBar;
use super::report::print;
use crate::base::files::open_lines;
use crate::base::text::grouped;
use crate::export::read_entries;
use crate::session::{CheckReport, SessionError, check_row};

/// A verdict as a line of JSON.
#[derive(Serialize)]
struct Numbered<'r> {
    /// The number of the row, from one.
    number: usize,
    #[serde(flatten)]
    found: &'r CheckReport,
}

/// Checks every puzzle, a line each. The exit code is 1 if one is not sound.
pub fn check_many(
    csv: &Path,
    game: &RowGameArgs,
    table: Option<&PathBuf>,
    json: bool,
) -> Result<ExitCode> {
    let shown = csv.display();
    let file = open_lines(csv).with_context(|| format!("cannot open {shown}"))?;
    let entries = read_entries(file).with_context(|| shown.to_string())?;
    let Some(first) = entries.first() else {
        bail!("{shown} has no puzzles");
    };
    // Rows of one game stand together, as a rule: the last game that was opened is kept.
    let in_row = |number: usize| format!("{shown}, row {number}");
    let mut spec = &first.row.game;
    let mut session = game.open(spec, table).with_context(|| in_row(1))?;
    let mut sound = 0;
    for (number, entry) in (1..).zip(&entries) {
        let row = &entry.row;
        if row.game != *spec {
            spec = &row.game;
            session = game.open(spec, table).with_context(|| in_row(number))?;
        }
        let progress = ProgressBar::new();
        let found: Result<_, SessionError> = check_row(&*session, row, &progress);
        let found = found.with_context(|| in_row(number))?;
        progress.finish();
        sound += u64::from(found.sound);
        print(&if json {
            serde_json::to_string(&Numbered {
                number,
                found: &found,
            })? + "\n"
        } else {
            as_line(number, &found)
        })?;
    }
    let all = entries.len() as u64;
    if !json {
        print(&format!("{} of {} sound\n", grouped(sound), grouped(all)))?;
    }
    Ok(ExitCode::from(u8::from(sound < all)))
}

/// A verdict on one line.
fn as_line(number: usize, found: &CheckReport) -> String {
    let verdict = if found.sound {
        format!("sound ({})", found.solution.soundness.name())
    } else {
        format!("not sound: {}", found.faults.join(", "))
    };
    format!(
        "{number:>4}  {verdict:<36}  {:<11}  {}\n",
        found.stipulation, found.solution.position
    )
}
