//! Problems with hidden information for a book: solved again, checked against their row,
//! printed with their whole tree.

use anyhow::{Result, bail};

use super::book_problem::words;
use super::hidden::plural;
use super::hidden_tree::written;
use crate::base::watch::Watch;
use crate::book::{OnBoard, Play, Problem, Turn};
use crate::game::{Drawable, Hidden, Standing};
use crate::mine::PuzzleRow;
use crate::solve::belief::{Announcement, AttackerTurn, Limits, Mode, solve};

/// Turns of a tree that are printed.
const PRINTED: usize = 24;

/// The states of the largest metaposition of a tree.
fn most_alike<M: Copy, C: Copy>(tree: &AttackerTurn<M, C>) -> u64 {
    let replies = tree.announcements().iter().flat_map(Announcement::replies);
    let next = replies.map(|(_, next)| next).chain(tree.foul());
    let most = next.map(most_alike).max().unwrap_or(0);
    most.max(tree.positions() as u64)
}

/// Fouls that are looked for at most.
const FOULS: u8 = 4;

/// The problem of a row. Whoever plays it sees no more than the position: the other
/// side's moves are not for his eyes.
pub fn problem<G: Hidden + Drawable>(
    game: &G,
    on_board: impl Fn(&G::State) -> Vec<Standing>,
    row: &PuzzleRow,
    watch: &impl Watch,
) -> Result<Problem> {
    let state = game.parse_state(&row.position)?;
    let plies = row.plies.and_then(|plies| u8::try_from(plies).ok());
    let Some(plies) = plies.filter(|&plies| plies > 0 && row.outcome == "win") else {
        bail!("the row tells no number of plies to mate in; mine it again");
    };
    let Some(solved) = solve(game, &state, &Limits::new(plies, FOULS), Mode::Fast, watch)? else {
        bail!(
            "there is no mate in {plies} plies with up to {FOULS} fouls; was the row edited? mine it again"
        );
    };
    if solved.plies() != u16::from(plies) {
        bail!(
            "the row says mate in {plies}, but {} do; was the row edited? mine it again",
            solved.plies()
        );
    }
    let tree = solved.tree();
    let fouls = plural(solved.fouls_in_line().into(), "foul");
    let alike = plural(most_alike(tree), "position");
    let hints = [
        format!("There is {fouls} on the best line.")
            .replace("There is 0 fouls", "There is no foul"),
        format!("At most {alike} look alike."),
    ];
    let board = on_board(&state).into_iter().map(|thing| OnBoard {
        cell: thing.cell,
        glyph: thing.glyph,
        words: thing.words.to_owned(),
    });
    Ok(Problem {
        id: row.puzzle_id.clone(),
        task: row.stipulation.clone(),
        side: game.side_to_move(&state).to_owned(),
        other: "White".to_owned(),
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
