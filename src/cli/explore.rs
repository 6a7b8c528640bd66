//! `tesuji explore`

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::args::{SolvedArgs, claimed};
use super::progress::ProgressBar;
use super::report::print;
use tesuji::base::files::Existing;
use tesuji::explore::{Server, still_page};

/// Explore a game in the browser: set up positions, see the values of all moves, check and
/// compose problems, mine, and make books of the finds.
///
/// The page is served to this machine only, at an address with a random part that nobody
/// else knows. It loads nothing from the network. Ctrl-C ends the program.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji explore ostle:4x4,pieces=4,losses=2
  tesuji explore ostle --port 8080
  tesuji explore tictactoe --html tictactoe.html")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// The port of the address [default: any that is free].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Write a page of a small game into this file instead, which needs no program: boards,
    /// values and lines of play of every position that the game reaches.
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    html: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "html", conflicts_with = "port")]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let place = claimed(args.html.as_ref(), Existing::same_unless(args.force))?;
    let session = args.game.open()?;
    // A stage of its own, before that of the page.
    if let Ok(playing) = session.playing() {
        playing.prepare(&ProgressBar::new())?;
    }
    if let Some(place) = place {
        let page = still_page(&*session, &ProgressBar::new())?;
        return Ok(place.put(page.as_bytes())?);
    }
    let spec = session.spec();
    let server = Arc::new(Server::bind(session, args.port)?);
    let stopped = Arc::clone(&server);
    ctrlc::set_handler(move || stopped.stop()).context("cannot catch Ctrl-C")?;
    let url = server.url();
    print(&format!(
        "{spec} is at\n\n  {url}\n\nuntil Ctrl-C is pressed\n"
    ))?;
    server.run();
    Ok(())
}
