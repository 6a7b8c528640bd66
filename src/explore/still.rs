//! A small game as one file: the page, with every position that play reaches and its values.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde_json::{Value as Json, json};

use super::answers;
use super::page::one_file;
use crate::base::progress::Progress;
use crate::base::value::{Outcome, Value};
use crate::session::{
    Arranging, Asked, Evaluating, Lines, Played, PointedMove, PositionValues, Session, SessionError,
};

/// The most bytes of data: a file that a browser opens at once.
const MOST_BYTES: usize = 20 << 20;

/// Positions that are valued together.
const TOGETHER: usize = 1000;

/// What can be done without the program.
const OPERATIONS: [&str; 3] = ["boards", "values", "lines of play"];

/// The page of a small game as one HTML document that works without the program: boards,
/// values and lines of play of every position that the game reaches. The same game always
/// gives the same bytes.
///
/// # Errors
/// If the game has no boards or no table, or its positions take more than 20 MiB.
pub fn still_page(session: &dyn Session, progress: &dyn Progress) -> Result<String, SessionError> {
    let mut game = answers::game(session)?;
    game["operations"] = json!(OPERATIONS);
    game["filters"] = json!([]);
    let mut reached = Reached {
        boards: session.arranging()?,
        evaluating: session.evaluating()?,
        lines: session.lines()?,
        positions: IndexSet::from([session.position("")?.text]),
        acts: IndexSet::new(),
        extra: HashMap::new(),
        things: game["palette"].as_array().cloned().unwrap_or_default(),
    };
    let mut states = Vec::new();
    let mut bytes = 0;
    progress.begin("positions", 0);
    while states.len() < reached.positions.len() {
        for state in reached.next(states.len(), progress)? {
            bytes += state.to_string().len();
            states.push(state);
        }
        progress.advance(TOGETHER as u64);
        if bytes > MOST_BYTES {
            return Err(SessionError::TooMany {
                what: "bytes for a page without the program",
                asked: bytes as u64,
                most: MOST_BYTES as u64,
            });
        }
    }
    let ground = session.arranging()?.board("")?;
    game["ground"] = json!({
        "size": [ground.size.0, ground.size.1],
        "files": ground.files,
        "ranks": ground.ranks,
        "graph": answers::graph(&ground),
    });
    let acts = reached.acts.iter();
    let acts: Vec<_> = acts
        .map(|(name, from, to)| json!([name, from, to]))
        .collect();
    let whole = json!({ "game": game, "things": reached.things, "acts": acts, "states": states });
    Ok(one_file(&session.spec(), &whole.to_string()))
}

/// A move: its name, where it begins and where it is aimed.
type Act = (String, [u8; 2], [i8; 2]);

/// Positions, found by playing all moves.
struct Reached<'a> {
    boards: &'a dyn Arranging,
    evaluating: &'a dyn Evaluating,
    lines: &'a dyn Lines,
    positions: IndexSet<String>,
    acts: IndexSet<Act>,
    /// Things that are not in the palette, by their words.
    extra: HashMap<String, usize>,
    things: Vec<Json>,
}

impl Reached<'_> {
    /// The states of the next positions: `[position, side, value, squares, moves, forbidden]`.
    /// Squares are column, row and thing, one after the other; a move is `[act, value,
    /// next]`, with next below 0 if it ends the game. Values are plies, negative for a loss,
    /// 0 for a draw.
    fn next(&mut self, from: usize, progress: &dyn Progress) -> Result<Vec<Json>, SessionError> {
        let asked: Vec<_> = self
            .positions
            .iter()
            .skip(from)
            .take(TOGETHER)
            .cloned()
            .collect();
        let questions: Vec<_> = asked.iter().map(|text| Asked::Position(text)).collect();
        let values = self.evaluating.evaluate_batch(&questions, progress)?;
        let states = asked
            .iter()
            .zip(values)
            .map(|(text, values)| self.state(text, &values?));
        states.collect()
    }

    fn state(&mut self, text: &str, values: &PositionValues) -> Result<Json, SessionError> {
        let board = self.boards.board(text)?;
        let mut squares = Vec::new();
        for thing in &board.things {
            let place = thing.place.unwrap_or_else(|| {
                *self.extra.entry(thing.words.clone()).or_insert_with(|| {
                    self.things.push(answers::thing(&thing.glyph, &thing.words));
                    self.things.len() - 1
                })
            });
            squares.extend([thing.cell.column.into(), thing.cell.row.into(), place]);
        }
        let mut moves = Vec::new();
        // Best first, as the program lists them.
        for value in &values.moves {
            let Some(pointed) = board.moves.iter().find(|mv| mv.name == value.name) else {
                continue;
            };
            let next = match self.lines.play(text, &value.name)? {
                Played::Next(next) => {
                    i64::try_from(self.positions.insert_full(next).0).unwrap_or(-1)
                }
                Played::Over(_) => -1,
            };
            moves.push(json!([self.act(pointed), signed(value.value), next]));
        }
        let forbidden = board.forbidden.as_ref().map(|mv| self.act(mv));
        let value = signed(values.value);
        Ok(json!([
            board.position,
            board.side,
            value,
            squares,
            moves,
            forbidden
        ]))
    }

    fn act(&mut self, mv: &PointedMove) -> usize {
        let (from, to) = ([mv.from.column, mv.from.row], [mv.to.column, mv.to.row]);
        self.acts.insert_full((mv.name.clone(), from, to)).0
    }
}

/// A value in a number.
fn signed(value: Value) -> i32 {
    let plies = i32::from(value.plies().unwrap_or(0));
    if value.outcome() == Outcome::Loss {
        -plies
    } else {
        plies
    }
}
