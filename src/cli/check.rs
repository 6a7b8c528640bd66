//! `tesuji check`

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::GameArgs;
use super::progress::Progress;
use super::report::answer;
use crate::session::{CheckReport, Needed, Worth};

/// The most corrections listed.
const LISTED: usize = 8;

/// Check a puzzle as a problem editor would: its soundness, cooks, duals and tries, the
/// role of each piece, and possible corrections.
///
/// The exit code is 0 if the puzzle is sound and 1 if it is not.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  tesuji check ostle:4x4,pieces=3,losses=2 \"w2b/1bw1/bo2/3w b -\" --stipulation \"win in 75\"")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// The stipulation: 'win in 7' (plies, including the last move), 'win', 'draw', 'lose
    /// in 8' [default: that of the position's value].
    #[arg(long, value_name = "TASK")]
    stipulation: Option<String>,
    /// The game's table; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = args.game.open(args.table.as_ref())?;
    let progress = Progress::new();
    let position = args.position.join(" ");
    let stipulation = args.stipulation.as_deref();
    let found = session
        .checking()?
        .check(&position, stipulation, &progress)?;
    progress.finish();
    answer(args.json, &found, as_text)?;
    Ok(ExitCode::from(u8::from(!found.sound)))
}

fn as_text(found: &CheckReport) -> String {
    let mut text = format!(
        "position     {}\nstipulation  {}\n",
        found.solution.position, found.stipulation
    );
    if found.sound {
        let soundness = found.solution.soundness;
        let _ = writeln!(text, "verdict      sound ({soundness})");
    } else {
        let _ = writeln!(text, "verdict      not sound: {}", found.faults.join(", "));
    }
    let solving = found.solving.iter();
    let solving: Vec<_> = solving
        .map(|mv| format!("{} ({})", mv.name, mv.value))
        .collect();
    let or = |list: String, none: &str| {
        if list.is_empty() {
            none.to_owned()
        } else {
            list
        }
    };
    let _ = writeln!(text, "solved by    {}", or(solving.join(", "), "none"));
    let merits = &found.merits;
    let _ = writeln!(text, "themes       {}", or(merits.themes.join(" "), "-"));
    let score = merits.score;
    let _ = writeln!(
        text,
        "score        {} of 100: soundness {}, paradox {}, temptation {}, length {}, variety {}, economy {}",
        score.total,
        score.soundness,
        score.paradox,
        score.temptation,
        score.length,
        score.variety,
        score.economy
    );
    let _ = writeln!(text, "difficulty   {} bits\n", merits.difficulty);
    text += &found.solution.text;
    text += "\nrole of each piece\n";
    for purpose in &found.purposes {
        let _ = writeln!(text, "  {:24} {}", purpose.thing, without(purpose));
    }
    if !found.sound {
        let count = found.mendings.len();
        let _ = writeln!(text, "\nsound with one piece moved: {count}");
        for mended in found.mendings.iter().take(LISTED) {
            let _ = writeln!(
                text,
                "  {} to {}  {}  {}",
                mended.from, mended.to, mended.position, mended.soundness
            );
        }
    }
    text
}

/// What happens without a piece.
fn without(purpose: &Needed) -> String {
    let Some(outcome) = purpose.outcome else {
        return "cannot be removed".to_owned();
    };
    if purpose.idle {
        return "idle: the puzzle is the same without it".to_owned();
    }
    let plies = purpose.plies;
    format!("without it: {}", Worth { outcome, plies })
}
