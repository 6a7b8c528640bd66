//! Goals: sets of squares that win.

use serde::Deserialize;
use toml::Spanned;

use super::source::{List, Source, Whole};
use crate::game::Board;
use crate::games::pieces::rules::Squares;
use crate::games::settings::SetupError;

/// The most goals of a file. Each one is all rows or squares of a kind.
const MOST_GOALS: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGoal {
    line: Option<Spanned<Whole>>,
    directions: Option<Spanned<List<Direction>>>,
    square: Option<Spanned<Corners>>,
}

/// A direction, or two, in which men can stand in a row.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Horizontal,
    Vertical,
    Orthogonal,
    Diagonal,
}

impl Direction {
    /// The steps from a man to the next one, to the right and down.
    const fn steps(self) -> &'static [(i8, i8)] {
        match self {
            Self::Horizontal => &[(1, 0)],
            Self::Vertical => &[(0, 1)],
            Self::Orthogonal => &[(1, 0), (0, 1)],
            Self::Diagonal => &[(1, 1), (-1, 1)],
        }
    }
}

/// Which four squares are the corners of a square.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Corners {
    /// Neighbours: two by two.
    Unit,
    /// Of any size, with sides along rows and columns.
    Upright,
    /// Of any size and tilt.
    Any,
    /// The four corners of the board, though that be no square.
    Board,
}

/// The sets of squares of all goals, each once, for sides that have at most this number of men.
pub(super) fn read(
    source: Source,
    board: Board,
    goals: &[Spanned<WrittenGoal>],
    most_men: u32,
) -> Result<Vec<Squares>, SetupError> {
    if let Some(goal) = goals.get(MOST_GOALS) {
        let message = format!("a game has at most {MOST_GOALS} goals; leave some out");
        return source.fault(goal.span(), "goal", message);
    }
    let mut found = Vec::new();
    for goal in goals {
        found.extend(of_goal(source, board, goal, most_men)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn of_goal(
    source: Source,
    board: Board,
    goal: &Spanned<WrittenGoal>,
    most_men: u32,
) -> Result<Vec<Squares>, SetupError> {
    let it = goal.get_ref();
    let (field, span, needs, sets) = match (&it.line, &it.directions, &it.square) {
        (Some(line), Some(directions), None) => {
            let (columns, rows) = board.size();
            let men = line.get_ref().up_to(columns.max(rows));
            let Some(men) = men.filter(|&men| men > 1) else {
                let message = "a row has 2 men or more, and fits the board";
                return source.fault(line.span(), "line", message);
            };
            if directions.get_ref().0.is_empty() {
                let message = "give one direction or more, such as [\"orthogonal\"]";
                return source.fault(directions.span(), "directions", message);
            }
            let steps = directions.get_ref().0.iter();
            let steps = steps.flat_map(|direction| direction.steps());
            // There are at most as many men as the longest side has squares.
            let places = 0..men.cast_signed();
            let row = |&(x, y): &(i8, i8)| places.clone().map(|man| (man * x, man * y)).collect();
            let rows: Vec<_> = steps.map(row).collect();
            ("line", line.span(), u32::from(men), placed(board, &rows))
        }
        (None, None, Some(square)) => {
            let sets = placed(board, &squares(board, *square.get_ref()));
            ("square", square.span(), 4, sets)
        }
        (Some(_), None, None) => {
            let message =
                "a row needs directions, such as directions = [\"orthogonal\", \"diagonal\"]";
            return source.fault(goal.span(), "goal", message);
        }
        _ => {
            let message = "a goal has either line and directions, or square; write further goals as [[goal]] of their own";
            return source.fault(goal.span(), "goal", message);
        }
    };
    if needs > most_men {
        let message = format!(
            "this goal takes {needs} men, and a side has at most {most_men}; give it more men, or make the goal smaller"
        );
        return source.fault(span, field, message);
    }
    if sets.is_empty() {
        let message = "this goal does not fit the board; give a larger board or a smaller goal";
        return source.fault(span, field, message);
    }
    Ok(sets)
}

/// The corners of all squares that may fit a board, from the first one on.
fn squares(board: Board, corners: Corners) -> Vec<Vec<(i8, i8)>> {
    let (columns, rows) = board.size();
    let longest = columns.max(rows).cast_signed();
    let (sides, tilts) = match corners {
        Corners::Unit => (1..2, 0..1),
        Corners::Upright => (1..longest, 0..1),
        Corners::Any => (1..longest, 0..longest),
        Corners::Board => {
            let (x, y) = (columns.cast_signed() - 1, rows.cast_signed() - 1);
            return vec![vec![(0, 0), (x, 0), (0, y), (x, y)]];
        }
    };
    let sides = sides.flat_map(|x| tilts.clone().map(move |y| (x, y)));
    let corners = |(x, y)| vec![(0, 0), (x, y), (x - y, x + y), (-y, x)];
    sides.map(corners).collect()
}

/// All sets of squares that have one of these shapes.
fn placed(board: Board, shapes: &[Vec<(i8, i8)>]) -> Vec<Squares> {
    let (columns, rows) = board.size();
    let mut found = Vec::new();
    for first in 0..board.squares() {
        let beside = |&(right, down): &(i8, i8)| {
            let column = (first % columns).checked_add_signed(right)?;
            let row = (first / columns).checked_add_signed(down)?;
            (column < columns && row < rows).then(|| row * columns + column)
        };
        for shape in shapes {
            let mut men = shape.iter().map(beside);
            let set = men.try_fold(0, |set, man| Some(set | 1 << man?));
            found.extend(set);
        }
    }
    found
}
