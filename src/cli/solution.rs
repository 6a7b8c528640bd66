//! `tesuji solution`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::{GameArgs, PictureArgs, SearchArgs};
use super::progress::Progress;
use super::report::{answer, heading};
use crate::analysis::MOST_NODES;
use crate::base::text::plural;
use crate::draw::tree;
use crate::session::{SolutionOptions, SolutionReport};

/// Show the solution of a position in the notation of composers: key, variations, duals,
/// cooks, tries with their refutations, set play.
///
/// The tree has every defence that holds out longest. The attacker's moves are the shortest
/// wins, the first of several in the game's order of moves, with the others (duals) in
/// brackets.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\"
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\" --tree tree.svg --boards
  tesuji solution ostle --table output/ostle.tsj \"...\" --json
  tesuji solution tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\"")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// The game's table; a small game needs none.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The most turns of the attacker in the tree; a longer tree is cut.
    #[arg(long, value_name = "N", default_value_t = MOST_NODES)]
    nodes: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Draw the tree into this file, .svg or .png, instead of printing it.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    tree: Option<PathBuf>,
    /// Draw a small board where a variation ends.
    #[arg(long, requires = "tree")]
    boards: bool,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let format = PictureArgs::format(args.tree.as_ref())?;
    let style = args.picture.style(format)?;
    let place = args.picture.place(args.tree.as_ref())?;
    let session = args.game.open(args.table.as_ref())?;
    let solutions = session.solutions()?;
    let options = SolutionOptions {
        nodes: args.nodes,
        boards: args.boards,
        search: args.search.options(),
    };
    let position = args.position.join(" ");
    let progress = Progress::new();
    if let Some(place) = place {
        let drawn = solutions.drawn(&position, &options, &progress)?;
        progress.finish();
        let svg = tree("", &drawn.words, &drawn.tree, &style);
        args.picture.put(place, svg)?;
        return Ok(ExitCode::SUCCESS);
    }
    let found = solutions.solution(&position, &options, &progress)?;
    progress.finish();
    answer(args.json, &found, as_text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_text(found: &SolutionReport) -> String {
    match found {
        SolutionReport::Table(found) => {
            format!("{}\nsoundness: {}\n", found.text, found.soundness)
        }
        SolutionReport::Hidden(found) => format!(
            "{}solution  {}, {} allowed\n\n{}",
            heading(&found.game, &found.position),
            plural(found.plies.into(), "ply"),
            plural(found.fouls_allowed.into(), "foul"),
            found.text
        ),
    }
}
