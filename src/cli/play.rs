//! `tesuji play`

use std::fmt::Write;
use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::common::{GameArgs, position, print};
use super::progress::Progress;
use super::solution;
use crate::analysis::rate_moves;
use crate::base::value::Outcome;
use crate::draw::{Glyph, Tone};
use crate::game::{Game, Impartial, Next, Playable, Retrograde};
use crate::games::registry::{AnyGame, RegistryError};
use crate::table::TableOracle;

/// Play against perfect play, in the terminal.
///
/// Moves are typed in the game's notation; `moves` lists them, `hint` tells a best one,
/// `back` takes back your last move, `quit` ends. Without a table a small game is
/// solved in passing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji play kings:5x6
  tesuji play ostle:4x4,pieces=3,losses=2 --second")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position to begin from [default: the initial one].
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
    match args.game.game()? {
        AnyGame::Ostle(game) => {
            let state = position(&game, &args.position.join(" "))?;
            play(&game, state, args.second, best_of_table(&game, args)?)
        }
        AnyGame::TicTacToe(game) => {
            let state = position(&game, &args.position.join(" "))?;
            play(&game, state, args.second, best_of_table(&game, args)?)
        }
        AnyGame::Sliding(game) => Err(RegistryError::OnePlayer(game.spec()).into()),
        AnyGame::Placement(game) => {
            let state = position(&game, &args.position.join(" "))?;
            play(&game, state, args.second, |state| best_of_sum(&game, state))
        }
        AnyGame::Tsuitate(game) => Err(RegistryError::hidden(game.rules()).into()),
    }
}

/// A best move by the table.
fn best_of_table<'g, G: Playable + Retrograde>(
    game: &'g G,
    args: &Args,
) -> Result<impl Fn(&G::State) -> Result<Option<G::Move>> + 'g> {
    let table = solution::load(game, args.table.as_ref())?;
    Ok(move |state: &G::State| {
        let oracle = TableOracle::new(&table, game)?;
        let rated = rate_moves(game, &oracle, state)?;
        Ok(rated.first().map(|rated| rated.mv))
    })
}

/// A winning move, or the first of all.
fn best_of_sum<G: Impartial>(game: &G, state: &G::State) -> Result<Option<G::Move>> {
    let progress = Progress::new();
    let options = game.options(state, &progress)?;
    let best = options.iter().min_by_key(|(_, nimber)| *nimber != 0);
    Ok(best.map(|(mv, _)| *mv))
}

fn play<G: Playable>(
    game: &G,
    mut state: G::State,
    second: bool,
    best: impl Fn(&G::State) -> Result<Option<G::Move>>,
) -> Result<ExitCode> {
    let mut lines = std::io::stdin().lock().lines();
    let mut earlier: Vec<G::State> = Vec::new();
    let mut person = !second;
    loop {
        if person {
            print(&format!(
                "{}{} to move> ",
                board(game, &state),
                game.side_to_move(&state)
            ))?;
            let Some(line) = lines.next().transpose()? else {
                return Ok(ExitCode::SUCCESS);
            };
            let moves = game.moves(&state);
            let mv = match line.trim() {
                "quit" => return Ok(ExitCode::SUCCESS),
                "" => continue,
                "back" => {
                    match earlier.pop() {
                        Some(before) => state = before,
                        None => print("there is nothing to take back\n")?,
                    }
                    continue;
                }
                "moves" => {
                    let names: Vec<_> = moves.iter().map(|&mv| game.format_move(mv)).collect();
                    print(&format!("{}\n", names.join(" ")))?;
                    continue;
                }
                "hint" => {
                    if let Some(mv) = best(&state)? {
                        print(&format!("{}\n", game.format_move(mv)))?;
                    }
                    continue;
                }
                text => match game.parse_move(text) {
                    Ok(mv) if moves.contains(&mv) => mv,
                    Ok(_) => {
                        print(&format!(
                            "{text} is no legal move here; 'moves' lists them\n"
                        ))?;
                        continue;
                    }
                    Err(error) => {
                        print(&format!(
                            "{error}\n('moves' lists the legal moves, 'quit' ends)\n"
                        ))?;
                        continue;
                    }
                },
            };
            earlier.push(state.clone());
            match game.play(&state, mv) {
                Next::State(next) => state = next,
                Next::Over(outcome) => return over(outcome, "You win", "You lose"),
            }
        } else {
            let Some(mv) = best(&state)? else {
                return Ok(ExitCode::SUCCESS);
            };
            print(&format!(
                "{}tesuji plays {}\n",
                board(game, &state),
                game.format_move(mv)
            ))?;
            match game.play(&state, mv) {
                Next::State(next) => state = next,
                Next::Over(outcome) => return over(outcome, "tesuji wins", "You win"),
            }
        }
        person = !person;
    }
}

fn over(outcome: Outcome, win: &str, loss: &str) -> Result<ExitCode> {
    print(&format!(
        "{}.\n",
        match outcome {
            Outcome::Win => win,
            Outcome::Loss => loss,
            Outcome::Draw => "A draw",
        }
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The board in letters, or the position in one line if it is too wide.
fn board<G: Playable>(game: &G, state: &G::State) -> String {
    const WIDEST: u8 = 26;
    let (columns, rows) = game.size();
    if columns >= WIDEST || rows >= WIDEST {
        return format!("\n{}\n", game.format_state(state));
    }
    let mut letters = vec![vec![".".to_owned(); columns.into()]; rows.into()];
    for thing in game.standing(state) {
        let letter = match &thing.glyph {
            Glyph::Piece(Tone::Dark) => "b",
            Glyph::Piece(Tone::Light) => "w",
            Glyph::Hole => "o",
            Glyph::Filled => "#",
            Glyph::Absent => " ",
            Glyph::Text(text) => text,
            Glyph::Symbol(_) => "?",
        };
        let row = letters.get_mut(usize::from(thing.cell.row));
        if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(thing.cell.column))) {
            letter.clone_into(cell);
        }
    }
    let mut text = "\n".to_owned();
    for (number, row) in letters.iter().enumerate().rev() {
        let _ = writeln!(text, "{:>3} {}", number + 1, row.join(" "));
    }
    let files: Vec<String> = ('a'..='z').take(columns.into()).map(String::from).collect();
    let _ = writeln!(text, "    {}", files.join(" "));
    text
}
