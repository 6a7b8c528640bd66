//! `tesuji engine`

use anyhow::Result;

use crate::cli::args::SolvedArgs;
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::base::files::typed_lines;
use tesuji::session::Engine;

/// Answer a chess program in UCI, or a shogi program in USI: exact values, best lines, perfect play.
///
/// Enter this command as an engine in the program. In UCI, positions and moves are those of the
/// game's notation, which for chess is FEN and UCI; in USI, positions are in SFEN. Scores are moves to
/// mate, in USI plies to the end of the game, or 0 for a draw. The option `MultiPV` sets how many lines
/// are shown. `go searchmoves` is obeyed; limits of time and depth are not needed. If a position is not
/// in the table, an 'info string' gives the reason, and the best move is `(none)`, in USI `resign`.
/// Programs start engines in a folder of their own: give the table of a large game with its whole path.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji engine chess:KQ-KR
  tesuji engine dobutsu:pieces=lion+chick")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    let mut engine = Engine::new(session.as_ref())?;
    session.playing()?.prepare(&ProgressBar::new())?;
    for line in typed_lines(std::io::stdin()) {
        let line = match line {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                print("info string ignored a line that is not UTF-8\n")?;
                continue;
            }
            line => line?,
        };
        if line.split_whitespace().next() == Some("quit") {
            break;
        }
        print(&engine.answer(&line))?;
    }
    Ok(())
}
