//! An engine for programs that show games: exact values and best lines in UCI and USI.

use std::fmt::Write as _;

use super::lines::{USI_GAMES, has_usi};
use super::{Evaluating, Evaluation, EvaluationOptions, Lines, Result, Session, SessionError};
use crate::base::progress::NoProgress;
use crate::base::text::with_causes;
use crate::base::value::{Outcome, Value};
use crate::game::Next;

/// The most lines that are shown for a position.
const MOST_LINES: usize = 256;

/// What was asked for, or in words why there is none.
type Told<T> = Result<T, String>;

/// An engine of one game for programs that show games: it answers their commands in UCI, or in USI from
/// the command `usi` on.
pub struct Engine<'s> {
    spec: String,
    values: &'s dyn Evaluating,
    lines: &'s dyn Lines,
    /// Whether the program has asked for USI.
    is_usi: bool,
    /// The position, or why there is none.
    position: Told<String>,
    /// How many lines are shown.
    shown: usize,
    /// The best move, if it may not be told before the program says `stop`.
    held: Option<String>,
}

impl<'s> Engine<'s> {
    /// An engine before its first command.
    ///
    /// # Errors
    /// If the game has no table of both sides' moves, such as a puzzle of one player.
    pub fn new(session: &'s dyn Session) -> Result<Self> {
        let (spec, kind) = (session.spec(), session.kind().name());
        if session.kind() != super::GameKind::Table {
            return Err(SessionError::Refused(format!(
                "an engine needs a table of both sides' moves, and {spec} is a {kind}; ask 'tesuji probe'"
            )));
        }
        Ok(Self {
            spec,
            values: session.evaluating()?,
            lines: session.lines()?,
            is_usi: false,
            position: Err("give a position first".to_owned()),
            shown: 1,
            held: None,
        })
    }

    /// Obeys a command, which is one line, and returns the lines to answer, each with its end; a command
    /// that the protocol does not have is passed over, as it demands. `quit` is for the caller.
    pub fn answer(&mut self, command: &str) -> String {
        match &*command.split_whitespace().collect::<Vec<_>>() {
            ["usi", ..] if !has_usi(self.lines) => format!(
                "info string {} cannot be played in USI, which is for {USI_GAMES}; use UCI\n",
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
                self.position = self.read(rest);
                String::new()
            }
            ["go", "mate", ..] if self.is_usi => "checkmate notimplemented\n".to_owned(),
            ["go", limits @ ..] => {
                let mut text = String::new();
                let only = limits.iter().skip_while(|word| **word != "searchmoves");
                let is_move = |word: &&&str| word.contains(|letter: char| letter.is_ascii_digit());
                let only: Vec<_> = only.skip(1).take_while(is_move).collect();
                let best = match self.search(&only, &mut text) {
                    Ok(best) => best,
                    Err(error) => {
                        let _ = writeln!(text, "info string {error}");
                        self.no_move().to_owned()
                    }
                };
                let best = format!("bestmove {best}\n");
                let waits = |limit: &&str| matches!(*limit, "infinite" | "ponder");
                if limits.iter().any(waits) {
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

    /// Reads what follows `position`.
    fn read(&self, words: &[&str]) -> Told<String> {
        let moves = words.iter().position(|word| *word == "moves");
        let (position, moves) = words.split_at(moves.unwrap_or(words.len()));
        let position = match position {
            ["fen" | "sfen", fields @ ..] if !fields.is_empty() => fields.join(" "),
            ["startpos"] if self.is_usi => "initial".to_owned(),
            _ if self.is_usi => return Err("give the position as sfen, or as startpos".to_owned()),
            _ => return Err("give the position as fen".to_owned()),
        };
        let mut position = self.values.position(&position).map_err(first_line)?.text;
        for mv in moves.iter().skip(1) {
            position = match self.lines.play(&position, mv).map_err(first_line)? {
                Next::State(next) => next,
                Next::Over(_) => return Err(format!("the game is over after {mv}")),
            };
        }
        Ok(position)
    }

    /// Writes the best lines, and returns the best move: of some moves only, if any are given.
    fn search(&self, only: &[&&str], text: &mut String) -> Told<String> {
        let position = self.position.as_ref().map_err(String::clone)?;
        let options = EvaluationOptions::default();
        let found = self.values.evaluate(position, &options, &NoProgress);
        let Evaluation::Plies(found) = found.map_err(first_line)? else {
            return Err(format!("{} has no table", self.spec));
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
            if let Next::State(next) = self.lines.play(position, &mv.name).map_err(first_line)? {
                let rest = self.values.main_line(&next, &NoProgress);
                line.extend(rest.map_err(first_line)?);
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
    fn spelt(&self, position: &str, moves: Vec<String>) -> Told<Vec<String>> {
        if !self.is_usi {
            return Ok(moves);
        }
        let spelt = self.lines.in_usi(position, &moves).map_err(first_line)?;
        spelt.ok_or_else(|| format!("{} cannot be played in USI; use UCI", self.spec))
    }

    /// What stands for the best move where there is none.
    const fn no_move(&self) -> &'static str {
        if self.is_usi { "resign" } else { "(none)" }
    }

    /// A value for the side to move: moves of the side that mates, or plies in USI.
    fn score(&self, value: Value) -> String {
        let plies = value.plies().unwrap_or(0);
        let moves = plies.div_ceil(2);
        let mate = if self.is_usi { plies } else { moves };
        match value.outcome() {
            Outcome::Win => format!("mate {mate}"),
            Outcome::Draw => "cp 0".to_owned(),
            Outcome::Loss => format!("mate -{mate}"),
        }
    }
}

/// An error in one line, without the place that is marked below it.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn first_line(error: SessionError) -> String {
    let text = with_causes(&error);
    text.lines().next().unwrap_or_default().to_owned()
}
