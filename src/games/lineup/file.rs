//! Files of rules, in TOML.
//!
//! ```toml
//! title = "Neutreeko"
//! columns = 5
//! rows = 5
//! men = 3                # of each side
//! adjacency = "both"     # orthogonal, diagonal, both or alquerque
//! moves = "slide"        # step, slide or fly
//! no_moves = "lose"      # lose, draw or win: what a side gets that cannot move
//! start = [".w.w.", "..b..", ".....", "..w..", ".b.b."]   # or "drop"
//!
//! [[goal]]
//! line = 3
//! directions = ["orthogonal", "diagonal"]
//! ```
//!
//! The page of these games explains every key.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::LineUp;
use super::index::check_size;
use super::rules::{
    Adjacency, Corners, Directions, Fault, Goal, LONGEST_SIDE, Movement, NoMoves, Rules, Start,
};
use crate::game::Board;
use crate::games::rules_file::{List, RulesError, Source, from_toml};
use crate::games::settings;

/// Rules as they are written, perhaps without keys that they must have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: Option<String>,
    #[serde(rename = "text")]
    _text: Option<String>,
    columns: Option<Spanned<toml::Value>>,
    rows: Option<Spanned<toml::Value>>,
    men: Option<Spanned<toml::Value>>,
    adjacency: Option<Adjacency>,
    moves: Option<Movement>,
    no_moves: Option<NoMoves>,
    start: Option<Spanned<toml::Value>>,
    not_first: Option<Spanned<List<String>>>,
    #[serde(default)]
    goal: List<Spanned<WrittenGoal>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGoal {
    line: Option<Spanned<toml::Value>>,
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

impl Rules {
    /// Reads a file of rules.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, lacks keys (the message names all), or the
    /// rules make no game that can be solved. Messages have the line and the key.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let written = from_toml(text)?;
        Reader { text, written }.rules()
    }

    /// A short digest of everything that decides how the game is played.
    pub(crate) fn digest(&self) -> String {
        settings::digest(&self.signature())
    }
}

impl LineUp {
    /// The game of a file of rules. `name` is the path of the file as it stands in the spec,
    /// perhaps with `#` and the digest that the rules must have.
    ///
    /// # Errors
    /// If the rules are wrong, or not those of the digest.
    pub fn from_file(name: &str, text: &str) -> Result<Self, RulesError> {
        let rules = Rules::parse(text)?;
        let found = rules.digest();
        let (path, expected) = settings::split_digest(name);
        RulesError::unless_same(expected, &found)?;
        Ok(Self::new(format!("rules:{path}#{found}"), rules))
    }
}

/// Rules as they are written, with their text for the numbers of lines.
struct Reader<'t> {
    text: &'t str,
    written: Written,
}

impl Reader<'_> {
    /// An error at a place of the text.
    fn fault(&self, span: Range<usize>, field: &str, message: impl Into<String>) -> RulesError {
        Source(self.text).error(span, field, message)
    }

    /// Where a key stands.
    fn span(&self, fault: &Fault) -> Range<usize> {
        let written = &self.written;
        let of = |number: &Option<Spanned<toml::Value>>| number.as_ref().map(Spanned::span);
        let goal = fault.goal.and_then(|place| written.goal.0.get(place));
        let within = goal.and_then(|goal| match fault.field {
            "line" => of(&goal.get_ref().line),
            "directions" => goal.get_ref().directions.as_ref().map(Spanned::span),
            "square" => goal.get_ref().square.as_ref().map(Spanned::span),
            _ => None,
        });
        let whole = match fault.field {
            "columns" => of(&written.columns),
            "rows" => of(&written.rows),
            "men" => of(&written.men),
            _ => None,
        };
        within
            .or_else(|| goal.map(Spanned::span))
            .or(whole)
            .unwrap_or(0..0)
    }

    /// A whole number as a byte: what is too small or too large stays so.
    fn byte(&self, field: &str, number: &Spanned<toml::Value>) -> Result<u8, RulesError> {
        let Some(whole) = number.get_ref().as_integer() else {
            let message = "give a whole number, such as 3";
            return Err(self.fault(number.span(), field, message));
        };
        Ok(u8::try_from(whole.clamp(0, u8::MAX.into())).unwrap_or(0))
    }

    /// The keys that the file lacks.
    fn missing(&self) -> Vec<&'static str> {
        let it = &self.written;
        let keys = [
            ("title", it.title.is_none()),
            ("columns", it.columns.is_none()),
            ("rows", it.rows.is_none()),
            ("men", it.men.is_none()),
            ("adjacency", it.adjacency.is_none()),
            ("moves", it.moves.is_none()),
            ("no_moves", it.no_moves.is_none()),
            ("start", it.start.is_none()),
            ("[[goal]]", it.goal.0.is_empty()),
        ];
        let missing = keys.into_iter().filter(|(_, missing)| *missing);
        missing.map(|(key, _)| key).collect()
    }

    fn rules(&self) -> Result<Rules, RulesError> {
        let missing = || RulesError::Missing(self.missing().join(", "));
        let it = &self.written;
        if !self.missing().is_empty() {
            return Err(missing());
        }
        let number = |field, number: &Option<Spanned<toml::Value>>| {
            self.byte(field, number.as_ref().ok_or_else(missing)?)
        };
        let start = it.start.as_ref().ok_or_else(missing)?;
        let goals: Result<_, _> = it.goal.0.iter().map(|goal| self.goal(goal)).collect();
        let mut rules = Rules {
            title: it.title.clone().ok_or_else(missing)?,
            columns: number("columns", &it.columns)?,
            rows: number("rows", &it.rows)?,
            men: number("men", &it.men)?,
            adjacency: it.adjacency.ok_or_else(missing)?,
            movement: it.moves.ok_or_else(missing)?,
            start: Start::Drop { not_first: 0 },
            no_moves: it.no_moves.ok_or_else(missing)?,
            goals: goals?,
        };
        let checked = rules.check();
        checked.map_err(|fault| self.fault(self.span(&fault), fault.field, fault.message))?;
        rules.start = self.start(&rules, start)?;
        let game = LineUp::new(String::new(), rules);
        let (squares, turns) = (game.rules.squares(), game.symmetries());
        if let Err(error) = check_size(squares, game.rules.men, game.drops(), turns) {
            let span = it.men.as_ref().map_or(0..0, Spanned::span);
            return Err(self.fault(span, "men", error.to_string()));
        }
        self.check_start(&game, start.span())?;
        Ok(game.rules)
    }

    fn goal(&self, goal: &Spanned<WrittenGoal>) -> Result<Goal, RulesError> {
        let WrittenGoal {
            line,
            directions,
            square,
        } = goal.get_ref();
        match (line, directions, square) {
            (Some(line), Some(directions), None) => {
                let mut found = Directions {
                    horizontal: false,
                    vertical: false,
                    diagonal: false,
                };
                for direction in &directions.get_ref().0 {
                    match direction {
                        Direction::Horizontal => found.horizontal = true,
                        Direction::Vertical => found.vertical = true,
                        Direction::Orthogonal => {
                            (found.horizontal, found.vertical) = (true, true);
                        }
                        Direction::Diagonal => found.diagonal = true,
                    }
                }
                Ok(Goal::Line {
                    length: self.byte("line", line)?,
                    directions: found,
                })
            }
            (None, None, Some(square)) => Ok(Goal::Square(*square.get_ref())),
            (Some(_), None, None) => {
                let message =
                    "a row needs directions, such as directions = [\"orthogonal\", \"diagonal\"]";
                Err(self.fault(goal.span(), "goal", message))
            }
            _ => {
                let message = "a goal has either line and directions, or square; write further goals as [[goal]] of their own";
                Err(self.fault(goal.span(), "goal", message))
            }
        }
    }

    fn start(&self, rules: &Rules, start: &Spanned<toml::Value>) -> Result<Start, RulesError> {
        let fault = |message: String| Err(self.fault(start.span(), "start", message));
        let board = Board::new(rules.columns, rules.rows);
        let names = self.written.not_first.as_ref();
        match start.get_ref() {
            toml::Value::String(word) if word == "drop" => {
                let mut not_first = 0;
                for name in names.into_iter().flat_map(|names| &names.get_ref().0) {
                    let span = names.map_or(0..0, Spanned::span);
                    let square = board
                        .read_name(name)
                        .map_err(|error| self.fault(span, "not_first", error.message()))?;
                    not_first |= 1 << square;
                }
                Ok(Start::Drop { not_first })
            }
            toml::Value::Array(rows) => {
                if let Some(names) = names {
                    let message = "this is for games that begin with drops; leave it out, or write start = \"drop\"";
                    return Err(self.fault(names.span(), "not_first", message));
                }
                let rows: Option<Vec<&str>> = rows.iter().map(toml::Value::as_str).collect();
                let Some(rows) = rows.filter(|rows| rows.len() <= LONGEST_SIDE.into()) else {
                    return fault("give one text for each row of the board, the upper first".into());
                };
                let width = |row: &&str| row.chars().count() == usize::from(rules.columns);
                if rows.len() != usize::from(rules.rows) || !rows.iter().all(width) {
                    return fault(format!(
                        "give {} texts of {} squares each, the upper row first, or change rows and columns",
                        rules.rows, rules.columns
                    ));
                }
                match board.read(&rows.join("/"), ['.', 'b', 'w']) {
                    Ok([_, black, white]) => Ok(Start::Placed { black, white }),
                    Err(error) => fault(format!("row by row from the top, {}", error.message())),
                }
            }
            _ => fault(
                "give \"drop\" for an empty board, or one text for each row of the board, with b, w and '.'"
                    .into(),
            ),
        }
    }

    /// Checks that play can begin.
    fn check_start(&self, game: &LineUp, span: Range<usize>) -> Result<(), RulesError> {
        let fault = |message: String| Err(self.fault(span.clone(), "start", message));
        match game.rules.start {
            Start::Drop { not_first } => {
                if not_first == game.geometry.all {
                    let span = self.written.not_first.as_ref().map_or(0..0, Spanned::span);
                    let message = "no square is left for the first man; name fewer";
                    return Err(self.fault(span, "not_first", message));
                }
            }
            Start::Placed { black, white } => {
                let men = game.men();
                for (side, name) in [(black, "Black"), (white, "White")] {
                    if side.count_ones() != men {
                        return fault(format!(
                            "{name} has {} men, and men = {men} says another number",
                            side.count_ones()
                        ));
                    }
                    if game.geometry.wins(side) {
                        return fault(format!("{name} has lined up already; move one of its men"));
                    }
                }
                if game.is_stuck(black, white) {
                    return fault(
                        "Black begins and has no move; leave a free square beside one of its men"
                            .to_owned(),
                    );
                }
            }
        }
        Ok(())
    }
}

/// The names of the games that ship, with their files.
const FILES: [(&str, &str); 6] = [
    (
        "advanced-teeko",
        include_str!("shipped/advanced-teeko.toml"),
    ),
    ("mondrago", include_str!("shipped/mondrago.toml")),
    ("neutreeko", include_str!("shipped/neutreeko.toml")),
    ("tapatan", include_str!("shipped/tapatan.toml")),
    ("teeko", include_str!("shipped/teeko.toml")),
    (
        "three-mens-morris",
        include_str!("shipped/three-mens-morris.toml"),
    ),
];

/// The names of the games that ship.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The game of a name; `None` if no such game ships.
///
/// # Panics
/// Never: the files are part of the program, and a test reads each of them.
pub fn game(name: &str) -> Option<LineUp> {
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    let rules = Rules::parse(text).expect("a test reads every file that ships");
    Some(LineUp::new((*name).to_owned(), rules))
}
