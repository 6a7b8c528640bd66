//! Problems with hidden information for a book: solved again, checked against their row,
//! printed with their whole tree.

use super::HiddenSession;
use super::written_tree::written;
use crate::base::text::{plural, words};
use crate::base::watch::Watch;
use crate::book::{BoardSize, OnBoard, Play, Problem, Turn};
use crate::game::HiddenGame;
use crate::mine::PuzzleRow;
use crate::session::lines::read;
use crate::session::{Problems, SessionError};
use crate::solve::belief::{Limits, MOST_FOULS, Mode, solve};

/// Turns of a tree that are printed.
const PRINTED: usize = 24;

impl<G: HiddenGame> Problems for HiddenSession<G> {
    fn board(&self) -> BoardSize {
        let (columns, rows) = self.game.size();
        BoardSize { columns, rows }
    }

    fn problem(&self, row: &PuzzleRow, watch: &dyn Watch) -> Result<Problem, SessionError> {
        problem(&self.game, row, watch)
    }
}

/// The problem of a row. Whoever plays it sees no more than the position: the other side's
/// moves are hidden.
fn problem<G: HiddenGame>(
    game: &G,
    row: &PuzzleRow,
    watch: &dyn Watch,
) -> Result<Problem, SessionError> {
    let state = read(game, &row.position)?;
    let plies = row.plies.and_then(|plies| u8::try_from(plies).ok());
    let Some(plies) = plies.filter(|&plies| plies > 0 && row.outcome == "win") else {
        return Err(SessionError::Row(
            "the row has no number of plies to mate in; mine it again".to_owned(),
        ));
    };
    let limits = Limits::new(plies, MOST_FOULS);
    let Some(solved) = solve(game, &state, &limits, Mode::Fast, &watch)? else {
        return Err(SessionError::Row(format!(
            "there is no mate in {plies} plies with up to {MOST_FOULS} fouls; was the row edited? mine it again"
        )));
    };
    if solved.plies() != u16::from(plies) {
        return Err(SessionError::Row(format!(
            "the row says mate in {plies} plies, but {} are enough; was the row edited? mine it again",
            solved.plies()
        )));
    }
    let tree = solved.tree();
    let fouls = plural(solved.fouls_in_line().into(), "foul");
    let alike = plural(tree.stats().largest as u64, "position");
    let hints = [
        format!("There is {fouls} on the best line.")
            .replace("There is 0 fouls", "There is no foul"),
        format!("At most {alike} look alike."),
    ];
    let board = game.on_board(&state).into_iter().map(|thing| OnBoard {
        cell: thing.cell,
        glyph: thing.glyph,
        words: thing.words.to_owned(),
    });
    Ok(Problem {
        id: row.puzzle_id.clone(),
        task: row.stipulation.clone(),
        side: game.side_to_move(&state).to_owned(),
        other: game.defender().to_owned(),
        plies: plies.into(),
        themes: row.themes.split_whitespace().map(words).collect(),
        difficulty: row.difficulty,
        position: game.format_state(&state),
        diagram: game.diagram(&state),
        hints: hints.to_vec(),
        solution: written(game, tree, PRINTED)
            .lines()
            .map(str::to_owned)
            .collect(),
        play: Play {
            turns: vec![Turn {
                board: board.collect(),
                choices: Vec::new(),
                banned: None,
            }],
            line: Vec::new(),
        },
    })
}
