//! `tesuji play`

use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::GameArgs;
use super::progress::Progress;
use super::report::print;
use crate::base::value::Outcome;
use crate::session::{Lines, Played, Playing, Session, SessionError};

/// Play against a perfect player in the terminal.
///
/// Type moves in the game's notation; `moves` lists them, `hint` shows a best move, `back`
/// takes back your last move, and `quit` ends. Without a table, a small game is solved
/// first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji play kings:5x6
  tesuji play ostle:4x4,pieces=3,losses=2 --second")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The first position [default: the initial one].
    #[arg(num_args = 0..)]
    position: Vec<String>,
    /// The game's table.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Let the program move first.
    #[arg(long)]
    second: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let session = args.game.open(args.table.as_ref())?;
    let playing = session.playing()?;
    let position = session.position(&args.position.join(" "))?.text;
    playing.prepare(&Progress::new())?;
    let mut game = Game {
        session: &*session,
        lines: session.lines()?,
        playing,
        position,
        earlier: Vec::new(),
    };
    let mut input = std::io::stdin().lock().lines();
    let mut person = !args.second;
    loop {
        let (over, win, loss) = if person {
            let Some(line) = game.ask(&mut input)? else {
                return Ok(ExitCode::SUCCESS);
            };
            match game.obey(line.trim())? {
                Turn::Again => continue,
                Turn::Quit => return Ok(ExitCode::SUCCESS),
                Turn::Moved(over) => (over, "You win", "You lose"),
            }
        } else {
            let Some(mv) = game.best()? else {
                return Ok(ExitCode::SUCCESS);
            };
            print(&format!("{}tesuji plays {mv}\n", game.board()?))?;
            (game.play(&mv)?, "tesuji wins", "You win")
        };
        if let Some(outcome) = over {
            let words = match outcome {
                Outcome::Win => win,
                Outcome::Loss => loss,
                Outcome::Draw => "A draw",
            };
            print(&format!("{words}.\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        person = !person;
    }
}

/// The result of a line of input.
enum Turn {
    /// No move was made.
    Again,
    /// The player quits.
    Quit,
    /// A move was made, and possibly ended the game.
    Moved(Option<Outcome>),
}

/// A game in progress.
struct Game<'s> {
    session: &'s dyn Session,
    lines: &'s dyn Lines,
    playing: &'s dyn Playing,
    position: String,
    /// The positions before each of the player's moves.
    earlier: Vec<String>,
}

impl Game<'_> {
    fn best(&self) -> Result<Option<String>> {
        Ok(self.playing.best(&self.position, &Progress::new())?)
    }

    fn board(&self) -> Result<String> {
        Ok(self.playing.letters(&self.position)?)
    }

    /// Makes a move. Returns the outcome for the mover if it ends the game.
    fn play(&mut self, mv: &str) -> Result<Option<Outcome>, SessionError> {
        Ok(match self.lines.play(&self.position, mv)? {
            Played::Next(next) => {
                self.position = next;
                None
            }
            Played::Over(outcome) => Some(outcome),
        })
    }

    /// Shows the board and reads a line.
    fn ask(
        &self,
        input: &mut impl Iterator<Item = std::io::Result<String>>,
    ) -> Result<Option<String>> {
        let side = self.session.position(&self.position)?.side;
        print(&format!("{}{side} to move> ", self.board()?))?;
        Ok(input.next().transpose()?)
    }

    /// Executes a line of input.
    fn obey(&mut self, line: &str) -> Result<Turn> {
        match line {
            "quit" => return Ok(Turn::Quit),
            "" => {}
            "back" => match self.earlier.pop() {
                Some(before) => self.position = before,
                None => print("there is nothing to take back\n")?,
            },
            "moves" => {
                let moves = self.lines.moves(&self.position)?;
                print(&format!("{}\n", moves.join(" ")))?;
            }
            "hint" => {
                if let Some(mv) = self.best()? {
                    print(&format!("{mv}\n"))?;
                }
            }
            mv => {
                let before = self.position.clone();
                match self.play(mv) {
                    Ok(over) => {
                        self.earlier.push(before);
                        return Ok(Turn::Moved(over));
                    }
                    Err(SessionError::Illegal { .. }) => {
                        print(&format!(
                            "{mv} is not a legal move here; 'moves' lists them\n"
                        ))?;
                    }
                    Err(error) => print(&format!(
                        "{error}\n('moves' lists the legal moves, 'quit' ends)\n"
                    ))?,
                }
            }
        }
        Ok(Turn::Again)
    }
}
