//! Problems with hidden information for a book: solved again, checked against their row,
//! printed with their whole tree.

use super::HiddenSession;
use super::written_tree::written;
use crate::analysis::Length;
use crate::base::progress::Progress;
use crate::base::text::{plural, words};
use crate::base::value::{Outcome, Value};
use crate::book::{BoardSize, Credit, OnBoard, Play, Problem, Rule, Turn};
use crate::game::HiddenGame;
use crate::mine::PuzzleRow;
use crate::mine::hidden::{HiddenFind, row as row_of};
use crate::session::lines::read;
use crate::session::tables::worded;
use crate::session::{BookOptions, Problems, SearchOptions, SessionError, rule_pages};
use crate::solve::belief::{Limits, MOST_FOULS, Mode, solve};

/// Turns of a tree that are printed.
const PRINTED: usize = 24;

impl<G: HiddenGame> Problems for HiddenSession<G> {
    fn board(&self) -> BoardSize {
        let (columns, rows) = self.game.size();
        BoardSize { columns, rows }
    }

    fn notes(&self) -> Vec<String> {
        let (attacker, defender) = (
            self.game.side_to_move(&self.game.initial()),
            self.game.defender(),
        );
        let general = [
            format!(
                "{attacker} sees the position at first, and after that none of {defender}'s moves. An umpire says what is heard of each move. A win in 5 with 1 foul allowed is won with the third move, whatever {defender} does, and on the way at most one try may turn out to be a foul: not allowed because of something unseen. After a foul {attacker} moves again."
            ),
            "Moves are numbered. Before each stands what was heard that leads to it: \u{2013} is a reply of which nothing is heard, foul a try that was not allowed. 'In 6 positions': so many positions look alike. Moves in square brackets are duals, which do as well. 'Mate' ends a line, in some or all of the positions.".to_owned(),
        ];
        general.into_iter().chain(self.game.legend()).collect()
    }

    fn rules(&self) -> Result<Vec<Rule>, SessionError> {
        rule_pages::plain(&self.game)
    }

    fn complete(
        &self,
        row: &PuzzleRow,
        progress: &dyn Progress,
    ) -> Result<PuzzleRow, SessionError> {
        let options = SearchOptions {
            fouls: Some(MOST_FOULS),
            ..SearchOptions::default()
        };
        let (state, solved) = self.solved(&row.position, options, progress)?;
        let value = Value::decided(Outcome::Win, solved.plies()).unwrap_or(Value::CHECKMATE);
        let find = HiddenFind {
            number: 0,
            state,
            solved,
            values: Vec::new(),
            similar: 0,
        };
        worded(
            row,
            row_of(&self.game, &row.filter, &find),
            value,
            |asked| match asked.mate() {
                // Such a problem ends with the mate.
                Some(plies) => value.plies() == Some(plies),
                None => asked.met_by(value),
            },
        )
    }

    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem, SessionError> {
        problem(&self.game, row, options, progress)
    }
}

/// The problem of a row. Whoever plays it sees no more than the position: the other side's
/// moves are hidden.
fn problem<G: HiddenGame>(
    game: &G,
    row: &PuzzleRow,
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Problem, SessionError> {
    let state = read(game, &row.position)?;
    let plies = row.plies.and_then(|plies| u8::try_from(plies).ok());
    let Some(plies) = plies.filter(|&plies| plies > 0 && row.outcome == "win") else {
        return Err(SessionError::Row(
            "the row has no number of plies to mate in; mine it again".to_owned(),
        ));
    };
    let limits = Limits::new(plies, MOST_FOULS);
    let Some(solved) = solve(game, &state, &limits, Mode::Fast, &progress)? else {
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
    let turns = match options.solutions {
        Some(Length::Main) => solved.tree().turns_of_line().len(),
        Some(Length::Full) => usize::MAX,
        Some(Length::Short) | None => PRINTED,
    };
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
        credit: Credit::default(),
        task: row.stipulation.clone(),
        side: game.side_to_move(&state).to_owned(),
        other: game.defender().to_owned(),
        plies: plies.into(),
        themes: row.themes.split_whitespace().map(words).collect(),
        grade: None,
        lured: false,
        mate: false,
        difficulty: row.difficulty,
        position: game.format_state(&state),
        diagram: game.diagram(&state),
        hints: hints.to_vec(),
        solution: written(game, tree, turns)
            .lines()
            .map(str::to_owned)
            .collect(),
        play: Play {
            turns: vec![Turn {
                board: board.collect(),
                choices: Vec::new(),
                banned: None,
            }],
            ..Play::default()
        },
    })
}
