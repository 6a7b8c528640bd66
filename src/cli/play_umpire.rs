//! `tesuji play`, for problems with hidden information.

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::progress::ProgressBar;
use super::report::print;
use crate::base::files::typed_lines;
use crate::base::text::plural;
use crate::session::{SearchOptions, SessionError, Umpired, Umpiring};
use crate::solve::belief::Heard;

/// Lets a person solve a problem against the umpire.
pub fn run(umpiring: &dyn Umpiring, position: &str, options: SearchOptions) -> Result<ExitCode> {
    let mut problem = umpiring.umpire(position, options, &ProgressBar::new())?;
    let (attacker, defender) = problem.sides();
    let (plies, fouls) = problem.left();
    print(&format!(
        "{attacker} to win in {}, {} allowed. Of {defender}'s replies you hear what is captured: - is nothing.\n",
        plural(plies.into(), "ply"),
        plural(fouls.into(), "foul")
    ))?;
    let mut input = typed_lines(std::io::stdin());
    loop {
        ask(&*problem)?;
        let line = input.next().transpose();
        let Some(line) = line.context("cannot read what was typed")? else {
            return Ok(ExitCode::SUCCESS);
        };
        match line.trim() {
            "quit" => return Ok(ExitCode::SUCCESS),
            "" => {}
            "back" => {
                if !problem.back() {
                    print("there is nothing to take back\n")?;
                }
            }
            "moves" => print(&format!("{}\n", problem.tries().join(" ")))?,
            "hint" => hint(&*problem)?,
            mv => {
                if attempt(&mut *problem, mv)? {
                    return Ok(ExitCode::SUCCESS);
                }
            }
        }
    }
}

/// Shows what the person sees.
fn ask(problem: &dyn Umpired) -> Result<()> {
    let (attacker, _) = problem.sides();
    let (plies, fouls) = problem.left();
    let alike = match problem.positions() {
        1 => String::new(),
        count => format!(", {count} positions look alike"),
    };
    print(&format!(
        "\n{}{attacker} to move ({} and {} left{alike})> ",
        problem.letters(),
        plural(plies.into(), "ply"),
        plural(fouls.into(), "foul")
    ))
}

fn hint(problem: &dyn Umpired) -> Result<()> {
    let text = match problem.hint(&ProgressBar::new())? {
        Some((mv, plies)) => format!("{mv}, {}\n", plural(plies.into(), "ply")),
        None => "the problem can no longer be solved from here; 'back' takes back\n".to_owned(),
    };
    print(&text)
}

/// Makes a try and says what is heard; whether the game is over.
fn attempt(problem: &mut dyn Umpired, mv: &str) -> Result<bool> {
    let heard = match problem.attempt(mv, &ProgressBar::new()) {
        Ok(heard) => heard,
        Err(SessionError::Move(error)) => {
            print(&format!(
                "{error}\n('moves' lists the tries, 'quit' ends)\n"
            ))?;
            return Ok(false);
        }
        Err(error) => return Err(error.into()),
    };
    let hint = match heard {
        Heard::NoTry | Heard::Quiet => "; 'moves' lists the tries",
        _ => "",
    };
    print(&format!("{}{hint}.\n", problem.told(mv, &heard)))?;
    Ok(heard.is_end())
}
