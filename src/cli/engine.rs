//! `tesuji engine`

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};

use crate::cli::args::SolvedArgs;
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::base::files::typed_lines;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Value};
use tesuji::game::Next;
use tesuji::session::{Evaluating, Evaluation, EvaluationOptions, GameKind, Lines};

/// The most lines that are shown for a position.
const MOST_LINES: usize = 256;

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
    if session.kind() != GameKind::Table {
        bail!(
            "an engine needs a table of both sides' moves, and {} is a {}; ask 'tesuji probe'",
            session.spec(),
            session.kind().name()
        );
    }
    let mut engine = Engine {
        spec: session.spec(),
        values: session.evaluating()?,
        lines: session.lines()?,
        is_usi: false,
        position: Err("give a position first".to_owned()),
        shown: 1,
        held: None,
    };
    session.playing()?.prepare(&ProgressBar::new())?;
    for line in typed_lines(std::io::stdin()) {
        let line = match line {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                print("info string ignored a line that is not UTF-8\n")?;
                continue;
            }
            line => line?,
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            break;
        }
        let answer = engine.answer(&words);
        if !answer.is_empty() {
            print(&answer)?;
        }
    }
    Ok(())
}

struct Engine<'s> {
    spec: String,
    values: &'s dyn Evaluating,
    lines: &'s dyn Lines,
    /// Whether the program has asked for USI.
    is_usi: bool,
    /// The position, or why there is none.
    position: Result<String, String>,
    /// How many lines are shown.
    shown: usize,
    /// The best move, if it may not be told before the program says `stop`.
    held: Option<String>,
}

impl Engine<'_> {
    /// Obeys a command of the protocol. What is not known is passed over, as it demands.
    fn answer(&mut self, words: &[&str]) -> String {
        match words {
            ["usi", ..] if !self.has_usi() => format!(
                "info string {} cannot be played in USI, which is for games of Sente and Gote on up to nine by nine squares with one promotion for each kind; use UCI\n",
                self.spec
            ),
            [protocol @ ("uci" | "usi"), ..] => {
                self.is_usi = *protocol == "usi";
                format!(
                    "id name tesuji {} {}\nid author the authors of tesuji\noption name MultiPV type spin default 1 min 1 max {MOST_LINES}\n{protocol}ok\n",
                    env!("CARGO_PKG_VERSION"),
                    self.spec
                )
            }
            ["isready", ..] => "readyok\n".to_owned(),
            ["setoption", "name", name, "value", value, ..]
                if name.eq_ignore_ascii_case("multipv") =>
            {
                match value.parse() {
                    Ok(shown @ 1..=MOST_LINES) => self.shown = shown,
                    _ => {
                        return format!("info string MultiPV is a number from 1 to {MOST_LINES}\n");
                    }
                }
                String::new()
            }
            ["position", rest @ ..] => {
                self.position = self.read(rest).map_err(|error| first_line(&error));
                String::new()
            }
            ["go", "mate", ..] if self.is_usi => "checkmate notimplemented\n".to_owned(),
            ["go", limits @ ..] => {
                let mut text = String::new();
                let only: Vec<_> = limits
                    .iter()
                    .skip_while(|word| **word != "searchmoves")
                    .skip(1)
                    .take_while(|word| word.contains(|letter: char| letter.is_ascii_digit()))
                    .collect();
                let best = match self.search(&only, &mut text) {
                    Ok(best) => best,
                    Err(error) => {
                        let _ = writeln!(text, "info string {}", first_line(&error));
                        self.no_move().to_owned()
                    }
                };
                let best = format!("bestmove {best}\n");
                if limits
                    .iter()
                    .any(|limit| matches!(*limit, "infinite" | "ponder"))
                {
                    self.held = Some(best);
                } else {
                    text += &best;
                }
                text
            }
            ["stop" | "ponderhit", ..] => self.held.take().unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// Whether the game's moves can be written in USI.
    fn has_usi(&self) -> bool {
        let first = || {
            let moves = self.lines.moves("initial")?;
            self.lines.in_usi("initial", &moves[..moves.len().min(1)])
        };
        first().is_ok_and(|moves| moves.is_some())
    }

    /// Reads what follows `position`.
    fn read(&self, words: &[&str]) -> Result<String> {
        let moves = words.iter().position(|word| *word == "moves");
        let (position, moves) = words.split_at(moves.unwrap_or(words.len()));
        let position = match position {
            ["fen" | "sfen", fields @ ..] if !fields.is_empty() => fields.join(" "),
            ["startpos"] if self.is_usi => "initial".to_owned(),
            _ if self.is_usi => bail!("give the position as sfen, or as startpos"),
            _ => bail!("give the position as fen"),
        };
        let mut position = self.values.position(&position)?.text;
        for mv in moves.iter().skip(1) {
            position = match self.lines.play(&position, mv)? {
                Next::State(next) => next,
                Next::Over(_) => bail!("the game is over after {mv}"),
            };
        }
        Ok(position)
    }

    /// Writes the best lines, and returns the best move: of some moves only, if any are given.
    fn search(&self, only: &[&&str], text: &mut String) -> Result<String> {
        let position = match &self.position {
            Ok(position) => position,
            Err(why) => bail!("{why}"),
        };
        let options = EvaluationOptions::default();
        let Evaluation::Plies(found) = self.values.evaluate(position, &options, &NoProgress)?
        else {
            bail!("{} has no table", self.spec);
        };
        let mut best = None;
        let mut shown = 1..=self.shown;
        for mv in &found.moves {
            // Programs name moves as the protocol does.
            let name = self.spelt(position, vec![mv.name.clone()])?;
            if !only.is_empty() && !only.iter().any(|asked| **asked == name[0]) {
                continue;
            }
            let Some(number) = shown.next() else {
                break;
            };
            let mut line = vec![mv.name.clone()];
            if let Next::State(next) = self.lines.play(position, &mv.name)? {
                line.extend(self.values.main_line(&next, &NoProgress)?);
            }
            let line = self.spelt(position, line)?;
            best.get_or_insert_with(|| line[0].clone());
            let _ = writeln!(
                text,
                "info depth {} multipv {number} score {} pv {}",
                line.len(),
                self.score(mv.value),
                line.join(" ")
            );
        }
        Ok(best.unwrap_or_else(|| self.no_move().to_owned()))
    }

    /// Moves from a position on as the protocol has them.
    fn spelt(&self, position: &str, moves: Vec<String>) -> Result<Vec<String>> {
        if !self.is_usi {
            return Ok(moves);
        }
        let spelt = self.lines.in_usi(position, &moves)?;
        spelt.with_context(|| format!("{} cannot be played in USI; use UCI", self.spec))
    }

    /// What stands for the best move where there is none.
    const fn no_move(&self) -> &'static str {
        if self.is_usi { "resign" } else { "(none)" }
    }

    /// A value for the side to move: moves of the side that mates, or plies in USI.
    fn score(&self, value: Value) -> String {
        let plies = value.plies().unwrap_or(0);
        let mate = if self.is_usi {
            plies
        } else {
            plies.div_ceil(2)
        };
        match value.outcome() {
            Outcome::Win => format!("mate {mate}"),
            Outcome::Draw => "cp 0".to_owned(),
            Outcome::Loss => format!("mate -{mate}"),
        }
    }
}

/// An error in one line, without the place that is marked below it.
fn first_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or_default().to_owned()
}
