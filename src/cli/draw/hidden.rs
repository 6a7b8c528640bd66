//! Pictures of problems with hidden information: the position alone, since a line of play
//! is not what the attacker sees.

use std::process::ExitCode;

use anyhow::{Result, bail};

use super::puzzles::Job;
use super::{Args, captioned, puzzle, snippet};
use crate::cli::common::{position, print};
use crate::cli::pictures::PictureArgs;
use crate::draw::{Style, render};
use crate::game::Drawable;

/// Draws a position.
pub fn draw<G: Drawable>(game: &G, args: &Args) -> Result<ExitCode> {
    let given = [
        ("--solution", args.solution),
        ("--moves", !args.moves.is_empty()),
        ("--arrows", !args.arrows.is_empty()),
        ("--highlight", !args.highlight.is_empty()),
        ("--grid", args.grid),
        ("--animate", args.animate),
        ("--table", args.table.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        let spec = game.spec();
        bail!(
            "{name} is for games in which both sides see everything; of {spec} positions are drawn here, and solutions by 'tesuji solution {spec} ... --tree FILE.svg'"
        );
    }
    let format = PictureArgs::format(args.output.as_ref())?;
    let style = args.picture.style(format)?;
    let state = position(game, args.position.as_deref().unwrap_or_default())?;
    let svg = render(&captioned(game.diagram(&state), args), &style);
    let Some(place) = args.picture.place(args.output.as_ref())? else {
        print(&svg)?;
        return Ok(ExitCode::SUCCESS);
    };
    let words = args.stipulation.iter().chain(&args.caption);
    let headline = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let lines = match args.snippet {
        Some(kind) => snippet(kind, place.path(), &svg, &headline)?,
        None => String::new(),
    };
    args.picture.put_pages(place, vec![svg])?;
    print(&lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Whether a row of a CSV can be drawn.
pub fn sound<G: Drawable>(game: &G, job: &Job) -> Result<()> {
    if job.line {
        bail!(
            "the solution is a tree; leave --solution out, and draw it by 'tesuji solution {} ... --tree FILE.svg'",
            game.spec()
        );
    }
    game.parse_state(&job.row.position)?;
    Ok(())
}

/// The diagram of a row.
pub fn svg<G: Drawable>(game: &G, job: &Job, style: &Style) -> Result<String> {
    let row = job.row;
    let state = game.parse_state(&row.position)?;
    let diagram = puzzle(
        game.diagram(&state),
        job.number,
        &row.stipulation,
        &row.themes,
    );
    Ok(render(&diagram, style))
}
