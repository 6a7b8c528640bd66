//! Pictures of puzzles: the position, and the solution.

use anyhow::Result;

use crate::base::text::words;
use crate::draw::{Diagram, Style, render, strip, tree};
use crate::mine::PuzzleRow;
use crate::session::{Operation, Session, SolutionOptions};

/// The most boards of a solution, besides the final one: a very long solution fits on no
/// page.
const STRIP: usize = 39;

/// The number of boards in a row.
const COLUMNS: usize = 4;

/// The diagram of a puzzle, with its number, stipulation and themes.
pub fn puzzle(session: &dyn Session, row: &PuzzleRow, number: usize) -> Result<Diagram> {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let diagram = session.diagram(&row.position)?.number(number);
    let diagram = diagram.stipulation(&row.stipulation);
    let themes = row.themes.split_whitespace().map(words);
    Ok(themes.fold(diagram.title(&row.stipulation), Diagram::theme))
}

/// The picture of a puzzle.
pub fn puzzle_svg(
    session: &dyn Session,
    row: &PuzzleRow,
    number: usize,
    style: &Style,
) -> Result<String> {
    Ok(render(&puzzle(session, row, number)?, style))
}

/// The picture of a solution: a strip of boards, or a tree if the moves of the other side
/// are hidden.
pub fn solution_svg(
    session: &dyn Session,
    row: &PuzzleRow,
    number: usize,
    style: &Style,
) -> Result<String> {
    let headline = format!("{number}. {}", row.stipulation);
    if session.operations().contains(&Operation::Lines) {
        let moves: Vec<String> = row.solution.split_whitespace().map(str::to_owned).collect();
        let boards = session.lines()?.boards(&row.position, &moves, STRIP)?;
        return Ok(strip(&headline, &boards, COLUMNS, style));
    }
    let options = SolutionOptions::of_row(row);
    let progress = crate::base::progress::NoProgress;
    let drawn = session
        .solutions()?
        .drawn(&row.position, &options, &progress)?;
    Ok(tree(&headline, &drawn.words, &drawn.tree, style))
}
