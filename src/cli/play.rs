//! `tesuji play`

use anyhow::{Context, Result};

use crate::cli::args::{SolvedArgs, position};
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::base::files::typed_lines;
use tesuji::base::random::SplitMix64;
use tesuji::base::text::plural;
use tesuji::base::value::Outcome;
use tesuji::game::Next;
use tesuji::session::{
    GameKind, Lines, PLAYED_FROM_TABLE, Playing, SearchOptions, Session, SessionError, Umpired,
    Umpiring, refuse_given,
};
use tesuji::solve::belief::Heard;

/// Play against a perfect player, or a weaker one, in the terminal.
///
/// Type moves in the game's notation; `moves` lists them, `hint` shows a best move, `back`
/// takes back your last move, and `quit` ends. Without a table, a small game is solved
/// first.
///
/// In a game with hidden information you try to solve a problem, by default the shortest
/// way. You hear the umpire, who never fixes a position: of the answers that fit a position
/// that is still possible, he gives the one that holds out longest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji play kings:5x6
  tesuji play ostle:4x4,pieces=3,losses=2 --second
  tesuji play ostle:4x4,pieces=3,losses=2 --level 3
  tesuji play kings:3x3+2x4,play=misere
  tesuji play tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\"")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// The first position [default: the initial one].
    #[arg(num_args = 0..)]
    position: Vec<String>,
    /// Let the program move first.
    #[arg(long)]
    second: bool,
    #[command(flatten)]
    search: SearchOptions,
    /// Play against a player who searches this many plies and chooses at random among
    /// equal moves; `hint` then shows the best lure in a drawn position. From 5 plies on a move may
    /// take seconds.
    #[arg(long, value_name = "PLIES", conflicts_with = "lure", value_parser = clap::value_parser!(u8).range(1..=8))]
    level: Option<u8>,
    /// With --level: where the choice among equal moves begins; the same seed gives the same choices.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        requires = "level",
        conflicts_with = "lure"
    )]
    seed: u64,
    /// In drawn positions the program makes the move that is the best lure if you look this many
    /// plies ahead.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=8))]
    lure: Option<u8>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    let level = ("level", args.level.is_some());
    let lure = ("lure", args.lure.is_some());
    if let Ok(umpiring) = session.umpiring() {
        let spec = session.spec();
        let given = [("second", args.second), level, lure];
        let why = "is for games in which both sides see everything";
        refuse_given(&given, why, &spec)?;
        return against_umpire(umpiring, &position(&args.position)?, args.search);
    }
    args.search.refuse(&session.spec())?;
    if session.kind() == GameKind::Nimbers {
        let given = [("table", args.game.table.table.is_some()), level, lure];
        refuse_given(&given, PLAYED_FROM_TABLE, &session.spec())?;
    }
    let playing = session.playing()?;
    let position = session.position(&position(&args.position)?)?.text;
    playing.prepare(&ProgressBar::new())?;
    let mut game = Game {
        session: &*session,
        lines: session.lines()?,
        playing,
        position,
        earlier: Vec::new(),
        level: args.level,
        lure: args.lure,
        choices: SplitMix64::new(args.seed),
    };
    print(&format!("Type a move; {WORDS}.\n"))?;
    let mut input = typed_lines(std::io::stdin());
    let mut person = !args.second;
    loop {
        let (over, win, loss) = if person {
            let Some(line) = game.ask(&mut input)? else {
                return Ok(());
            };
            match game.obey(line.trim())? {
                Turn::Again => continue,
                Turn::Quit => return Ok(()),
                Turn::Moved(over) => (over, "You win", "You lose"),
            }
        } else {
            let Some(mv) = game.answer()? else {
                return Ok(());
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
            return print(&format!("{words}.\n"));
        }
        person = !person;
    }
}

/// What can be typed beside moves.
const WORDS: &str = "'moves' lists them, 'hint' shows the best one, 'back' takes back, 'quit' ends";

enum Turn {
    Again,
    Quit,
    /// A move was made, and possibly ended the game.
    Moved(Option<Outcome>),
}

struct Game<'s> {
    session: &'s dyn Session,
    lines: &'s dyn Lines,
    playing: &'s dyn Playing,
    position: String,
    /// The positions before each of the player's moves.
    earlier: Vec<String>,
    /// How far the program looks ahead, if it is not to play perfectly.
    level: Option<u8>,
    /// How far it believes that the player looks ahead.
    lure: Option<u8>,
    /// Choices among moves that the program likes.
    choices: SplitMix64,
}

impl Game<'_> {
    /// The program's move.
    fn answer(&mut self) -> Result<Option<String>> {
        let Some(depth) = self.level else {
            return self.best(self.lure);
        };
        let choice = self.choices.next();
        Ok(self.playing.looking(&self.position, depth, choice)?)
    }

    /// The best move against a perfect player, or against one who looks some plies ahead.
    fn best(&self, against: Option<u8>) -> Result<Option<String>> {
        let (position, progress) = (&self.position, ProgressBar::new());
        Ok(match against {
            Some(depth) => self.playing.luring(position, depth, &progress)?,
            None => self.playing.best(position, &progress)?,
        })
    }

    fn board(&self) -> Result<String> {
        Ok(self.playing.letters(&self.position)?)
    }

    /// Makes a move. Returns the outcome for the mover if it ends the game.
    fn play(&mut self, mv: &str) -> Result<Option<Outcome>, SessionError> {
        Ok(match self.lines.play(&self.position, mv)? {
            Next::State(next) => {
                self.position = next;
                None
            }
            Next::Over(outcome) => Some(outcome),
        })
    }

    /// Shows the board and reads a line.
    fn ask(
        &self,
        input: &mut impl Iterator<Item = std::io::Result<String>>,
    ) -> Result<Option<String>> {
        let side = self.session.position(&self.position)?.side;
        print(&format!("{}{side} to move> ", self.board()?))?;
        let line = input.next().transpose();
        line.context("cannot read what was typed")
    }

    fn obey(&mut self, line: &str) -> Result<Turn> {
        match line {
            "quit" => return Ok(Turn::Quit),
            "" => {}
            "help" => print(&format!("{WORDS}\n"))?,
            "back" | "undo" => match self.earlier.pop() {
                Some(before) => self.position = before,
                None => print("there is nothing to take back\n")?,
            },
            "moves" => {
                let moves = self.lines.moves(&self.position)?;
                print(&format!("{}\n", moves.join(" ")))?;
            }
            "hint" => {
                if let Some(mv) = self.best(self.level)? {
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
                        let why = "is not a legal move here; 'moves' lists them";
                        print(&format!("{mv} {why}\n"))?;
                    }
                    Err(error) => print(&format!("{error}\n({WORDS})\n"))?,
                }
            }
        }
        Ok(Turn::Again)
    }
}

/// Lets a person solve a problem against the umpire.
fn against_umpire(umpiring: &dyn Umpiring, position: &str, options: SearchOptions) -> Result<()> {
    let mut problem = umpiring.umpire(position, options, &ProgressBar::new())?;
    let (attacker, defender) = problem.sides();
    let (plies, fouls) = problem.left();
    print(&format!(
        "{attacker} to win in {}, {} allowed. Of {defender}'s replies you hear what is captured: - is nothing.\nType a move; {WORDS}.\n",
        plural(plies.into(), "ply"),
        plural(fouls.into(), "foul")
    ))?;
    let mut input = typed_lines(std::io::stdin());
    loop {
        ask(&*problem)?;
        let line = input.next().transpose();
        let Some(line) = line.context("cannot read what was typed")? else {
            return Ok(());
        };
        match line.trim() {
            "quit" => return Ok(()),
            "" => {}
            "help" => print(&format!("{WORDS}\n"))?,
            "back" | "undo" => {
                if !problem.back() {
                    print("there is nothing to take back\n")?;
                }
            }
            "moves" => print(&format!("{}\n", problem.tries().join(" ")))?,
            "hint" => print(&match problem.hint(&ProgressBar::new())? {
                Some((mv, plies)) => format!("{mv}, {}\n", plural(plies.into(), "ply")),
                None => {
                    "the problem can no longer be solved from here; 'back' takes back\n".to_owned()
                }
            })?,
            mv => {
                if attempt(&mut *problem, mv)? {
                    return Ok(());
                }
            }
        }
    }
}

/// Shows what the person sees.
fn ask(problem: &dyn Umpired) -> Result<()> {
    let (attacker, _) = problem.sides();
    let (plies, fouls) = problem.left();
    let (plies, fouls) = (plural(plies.into(), "ply"), plural(fouls.into(), "foul"));
    let alike = match problem.positions() {
        1 => String::new(),
        count => format!(", {count} positions look alike"),
    };
    let board = problem.letters();
    print(&format!(
        "\n{board}{attacker} to move ({plies} and {fouls} left{alike})> "
    ))
}

/// Makes a try and says what is heard; whether the game is over.
fn attempt(problem: &mut dyn Umpired, mv: &str) -> Result<bool> {
    let heard = match problem.attempt(mv, &ProgressBar::new()) {
        Err(SessionError::Move(error)) => {
            print(&format!("{error}\n({WORDS})\n"))?;
            return Ok(false);
        }
        heard => heard?,
    };
    let hint = match heard {
        Heard::NoTry | Heard::Quiet => "; 'moves' lists the tries",
        _ => "",
    };
    print(&format!("{}{hint}.\n", problem.told(mv, &heard)))?;
    Ok(problem.is_over(&heard))
}
