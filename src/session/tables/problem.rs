//! From a row of a CSV to a problem of a book.

use super::TableSession;
use super::play_tree::grow;
use crate::analysis::{Solution, write_solution, write_tree};
use crate::base::text::words;
use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::book::{BoardSize, Problem};
use crate::game::{Moves, Passing, Playable, TableGame};
use crate::mine::PuzzleRow;
use crate::session::lines::read;
use crate::session::{Problems, SessionError};
use crate::table::{Table, TableOracle};

/// Turns of the attacker in a printed solution at most.
const PRINTED: usize = 200;

/// Lines of a tree that are printed, before the tries and the rest.
const TREE_LINES: usize = 14;

/// Letters of a variation that is set beside its neighbours.
const SHORT: usize = 24;

impl<G: TableGame> Problems for TableSession<G> {
    fn board(&self) -> BoardSize {
        let (columns, rows) = self.game.size();
        BoardSize { columns, rows }
    }

    fn problem(&self, row: &PuzzleRow, watch: &dyn Watch) -> Result<Problem, SessionError> {
        self.game.check_picture()?;
        let table = self.table(watch)?;
        problem(&self.game, &table, row)
    }
}

/// The problem of a row, after a check that row and table agree.
fn problem<G: TableGame>(
    game: &G,
    table: &Table,
    row: &PuzzleRow,
) -> Result<Problem, SessionError> {
    let fingerprint = &table.description().fingerprint;
    if row.table_fingerprint != *fingerprint {
        return Err(SessionError::Row(format!(
            "it was mined from a table with the fingerprint {}, but this one has {fingerprint}; give the table it came from with --table",
            row.table_fingerprint
        )));
    }
    let state = read(game, &row.position)?;
    let oracle = TableOracle::new(table, game)?;
    let solution = Solution::new(game, &oracle, &state, PRINTED)?;
    let value = solution.value;
    if row.outcome != value.outcome().name() || row.plies != value.plies() {
        let plies = row
            .plies
            .map_or_else(String::new, |plies| format!(" in {plies}"));
        return Err(SessionError::Row(format!(
            "the row says {}{plies}, the table says {value}; was the row edited? mine it again",
            row.outcome
        )));
    }
    let side = game.side_to_move(&state);
    // Where the sides have the same moves, they have one name.
    let passed = game.passed(&state);
    let other = passed.map(|passed| game.side_to_move(&passed));
    let other = other.filter(|other| *other != side);
    let other = other.unwrap_or("The other player");
    Ok(Problem {
        id: row.puzzle_id.clone(),
        task: row.stipulation.clone(),
        side: side.to_owned(),
        other: other.to_owned(),
        plies: value.plies().unwrap_or(0),
        themes: row.themes.split_whitespace().map(words).collect(),
        difficulty: row.difficulty,
        position: game.format_state(&state),
        diagram: game.diagram(&state),
        hints: hints(game, &solution),
        solution: printed(game, &solution),
        play: grow(game, &oracle, &state, &solution.steps)?,
    })
}

fn hints<G: Playable + Passing>(game: &G, solution: &Solution<G>) -> Vec<String> {
    let state = &solution.state;
    let (keys, all) = (solution.keys.len(), game.moves(state).len());
    let one = |count: usize, one: &str, many: &str| {
        let verb = if count == 1 { one } else { many };
        format!("{count} of {all} moves {verb}")
    };
    let first = match solution.value.outcome() {
        Outcome::Win if solution.slower.is_empty() => format!("{}.", one(keys, "wins", "win")),
        Outcome::Win => format!(
            "{}; {keys} in time.",
            one(keys + solution.slower.len(), "wins", "win")
        ),
        Outcome::Draw => format!("{}.", one(keys, "holds the draw", "hold the draw")),
        Outcome::Loss => format!("{}.", one(keys, "holds out longest", "hold out longest")),
    };
    let from = solution.keys.first().map(|&mv| game.aim(state, mv).0);
    let mover = game
        .standing(state)
        .into_iter()
        .find(|thing| Some(thing.cell) == from);
    let second = mover.map(|thing| format!("The {} begins.", game.placed_words(&thing)));
    [first].into_iter().chain(second).collect()
}

/// The solution in words: the tree, shortened if it is long, then tries and set
/// play.
fn printed<G: Moves + Passing>(game: &G, solution: &Solution<G>) -> Vec<String> {
    let whole = write_solution(game, solution);
    let tree = write_tree(game, &solution.tree).lines().count().max(1);
    let lines: Vec<&str> = whole.lines().skip(1).collect();
    let (tree, rest) = lines.split_at(tree.min(lines.len()));
    let mut printed = joined(tree);
    if printed.len() > TREE_LINES {
        let more = printed.len() - TREE_LINES;
        printed.truncate(TREE_LINES);
        printed.push(format!("(and {more} lines more)"));
    }
    printed.extend(rest.iter().map(|&line| line.to_owned()));
    printed
}

/// Puts short variations of one depth side by side; what is indented below them
/// belongs to the last.
fn joined(tree: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let indent = |line: &str| line.len() - line.trim_start().len();
    // Whether the line before is a short variation.
    let mut short = false;
    for &line in tree {
        let brief = line.trim().len() <= SHORT && indent(line) > 0;
        match lines.last_mut() {
            Some(last) if short && brief && indent(last) == indent(line) => {
                last.push_str("; ");
                last.push_str(line.trim());
            }
            _ => lines.push(line.to_owned()),
        }
        short = brief;
    }
    lines
}
