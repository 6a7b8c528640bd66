//! `tesuji lure`

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;

use super::args::{SolvedArgs, claimed};
use super::progress::ProgressBar;
use super::report::{answer, in_plies};
use tesuji::base::files::Existing;
use tesuji::base::text::{grouped, plural};
use tesuji::session::{LureOptions, LureReport};

/// Measure how well a player can lure an opponent into a mistake in drawn positions.
///
/// The opponent searches some plies: they see each win within these plies, otherwise
/// count pieces, and make any of the moves that look best. The lurer keeps the draw
/// and makes the move with the greatest chance that the opponent goes wrong. Chances are means
/// over all positions that are drawn with nothing forbidden; "forced" are the positions in which
/// the opponent goes wrong whatever they choose.
///
/// For comparison there are two other lurers: one who makes any move that keeps the draw, and one
/// who leaves the opponent as few moves that keep it as possible.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji lure ostle:rows=4,columns=3,pieces=2,losses=2
  tesuji lure ostle:4x4,pieces=3,losses=2 --depth 2 --moves 20 --output lures.csv
  tesuji lure ostle:rows=4,columns=3,pieces=2,losses=2 --keep lures --verify
  tesuji lure ostle --depth 1-4 --keep lures")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    #[command(flatten)]
    options: LureOptions,
    /// Write the chances by depth and number of moves to a CSV file.
    #[arg(short, long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "output")]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let place = claimed(args.output.as_ref(), Existing::same_unless(args.force))?;
    let session = args.game.open()?;
    let searching = session.searching()?;
    let found = searching.lures(&args.options, &ProgressBar::new())?;
    if let Some(place) = place {
        place.put(found.csv().as_bytes())?;
    }
    answer(args.json, &found, as_text)
}

fn as_text(found: &LureReport) -> String {
    let mut text = format!("game             {}\n", found.game);
    let _ = writeln!(text, "fingerprint      {}", found.fingerprint);
    let drawn = grouped(found.drawn_positions);
    let _ = writeln!(text, "drawn positions  {drawn}");
    let moves = found.depths.first().map_or(0, |depth| depth.chances.len());
    let _ = writeln!(
        text,
        "\nchance in percent that the opponent goes wrong within {}, by the plies they look ahead\n\n\
         depth     best   fewest  uniform  initial         forced  within",
        plural(moves as u64, "move")
    );
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "-".to_owned(), |share| format!("{:.2}", 100.0 * share))
    };
    for depth in &found.depths {
        let Some(last) = depth.chances.last() else {
            continue;
        };
        let _ = write!(text, "{:>5} {:>8}", depth.depth, percent(Some(last.best)));
        for chance in [last.fewest_replies, last.uniform, last.initial] {
            let _ = write!(text, " {:>8}", percent(chance));
        }
        let (forced, within) = (grouped(depth.forced.iter().sum()), depth.forced.len());
        let _ = writeln!(text, " {forced:>14} {within:>7}");
    }
    text += "\nhow often a move throws away, in percent\n\ndepth   a draw    a win\n";
    for depth in &found.depths {
        let [draws, wins] = [depth.draws_lost, depth.wins_lost].map(|lost| percent(Some(lost)));
        let _ = writeln!(text, "{:>5} {draws:>8} {wins:>8}", depth.depth);
    }
    for depth in &found.depths {
        if let Some(plies) = depth.initial_forced_plies {
            let (depth, plies) = (depth.depth, in_plies("mistake", Some(plies)));
            let _ = writeln!(
                text,
                "\nfrom the initial position, depth {depth}: forced {plies}"
            );
        }
    }
    text
}
