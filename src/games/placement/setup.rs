//! Specs: boards, sums of boards, and settings; the rules in words.

use std::sync::Mutex;

use super::graph::Graph;
use super::layout::Layout;
use super::listed::MOST;
use super::squares::Squares;
use super::{Placement, PlacementRules, Rules};
use crate::game::{NotationError, RuleExample, RuleInWords};
use crate::games::settings::{self, Setting, SetupError};

const MOST_SQUARES: usize = 1 << 20;
pub(super) const MOST_COLOURS: usize = 4;
pub(super) const COLOURS: [char; MOST_COLOURS] = ['A', 'B', 'C', 'D'];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Settings {
    colours: usize,
    misere: bool,
}

impl Settings {
    /// Splits a spec such as `kings:3x3,play=misere` into the rest and the settings.
    fn split(spec: &str) -> Result<(&str, Self), SetupError> {
        let mut settings = Self {
            colours: 1,
            misere: false,
        };
        let (mut rest, mut seen) = (spec, Vec::new());
        while let Some((before, text)) = rest.rsplit_once(',') {
            let setting = Setting::new(spec, before.chars().count() + 1, text);
            match (setting.key, setting.value) {
                (_, None) => break,
                ("play", Some("normal")) => {}
                ("play", Some("misere")) => settings.misere = true,
                ("colours", Some(given)) => {
                    let known = |count: &usize| (1..=MOST_COLOURS).contains(count);
                    let count = settings::number(given).filter(known);
                    settings.colours = count.ok_or_else(|| {
                        SetupError::Refused(format!(
                            "give 1 to {MOST_COLOURS} colours, not '{given}'"
                        ))
                    })?;
                }
                _ => {
                    let message =
                        format!("unknown setting '{text}'; give play=misere or colours=2");
                    return Err(SetupError::Text(setting.fault(message)));
                }
            }
            if seen.contains(&setting.key) {
                return Err(SetupError::Text(setting.twice()));
            }
            seen.push(setting.key);
            rest = before;
        }
        Ok((rest, settings))
    }

    /// The settings that are not the defaults, in the notation of specs.
    fn words(self) -> String {
        let play = if self.misere { ",play=misere" } else { "" };
        let colours = match self.colours {
            1 => String::new(),
            count => format!(",colours={count}"),
        };
        format!("{play}{colours}")
    }
}

/// A connected or gapped board: its squares, row by row from the lowest.
struct Board {
    rows: usize,
    columns: usize,
    squares: Vec<bool>,
    /// In the notation of specs.
    text: String,
}

/// Rows times columns, if that many squares are allowed.
fn sized(rows: usize, columns: usize) -> Result<usize, SetupError> {
    let squares = rows.checked_mul(columns);
    let allowed = squares.filter(|count| (1..=MOST_SQUARES).contains(count));
    allowed.ok_or_else(|| wrong_size(rows, columns))
}

fn wrong_size(rows: usize, columns: usize) -> SetupError {
    SetupError::Refused(format!(
        "a board must have 1 to {MOST_SQUARES} squares, not {rows} x {columns}"
    ))
}

impl Board {
    /// Reads a size or a picture, which begins at a character of the spec.
    fn read(text: &str, spec: &str, at: usize) -> Result<Self, SetupError> {
        if let Some((rows, columns)) = settings::size(text) {
            return Ok(Self {
                rows,
                columns,
                squares: vec![true; sized(rows, columns)?],
                text: format!("{rows}x{columns}"),
            });
        }
        let fault =
            |at: usize, message: &str| SetupError::Text(NotationError::new(spec, at, message));
        let ranks: Vec<&str> = text.split('/').collect();
        let (rows, columns) = (ranks.len(), ranks[0].chars().count());
        if columns == 0 {
            let message = "the board is missing: give its rows and columns, such as 5x6, or a picture, such as ../._";
            return Err(fault(at, message));
        }
        let mut squares = vec![false; sized(rows, columns)?];
        let mut place = at;
        for (from_top, rank) in ranks.iter().enumerate() {
            for (column, letter) in rank.chars().enumerate() {
                match letter {
                    '.' if column < columns => {
                        squares[(rows - 1 - from_top) * columns + column] = true;
                    }
                    '_' if column < columns => {}
                    '.' | '_' => {
                        return Err(fault(place + column, "this rank is longer than the first"));
                    }
                    _ => {
                        let message = "a board is rows x columns, such as 5x6, or a picture of '.' (a square), '_' (a gap) and '/' (the next rank); boards are joined by '+'";
                        return Err(fault(place + column, message));
                    }
                }
            }
            let length = rank.chars().count();
            if length < columns {
                return Err(fault(place + length, "this rank is shorter than the first"));
            }
            place += length + 1;
        }
        if !squares.contains(&true) {
            return Err(fault(at, "the board has no squares"));
        }
        Ok(Self {
            rows,
            columns,
            squares,
            text: text.to_owned(),
        })
    }

    /// Two boards side by side with a gap between.
    fn beside(self, other: &Self) -> Result<Self, SetupError> {
        let rows = self.rows.max(other.rows);
        let columns = self.columns + 1 + other.columns;
        let mut squares = vec![false; sized(rows, columns)?];
        for (board, first) in [(&self, 0), (other, self.columns + 1)] {
            for (place, _) in board.squares.iter().enumerate().filter(|(_, is)| **is) {
                let (row, column) = (place / board.columns, place % board.columns);
                squares[row * columns + first + column] = true;
            }
        }
        Ok(Self {
            rows,
            columns,
            squares,
            text: format!("{}+{}", self.text, other.text),
        })
    }
}

impl Placement {
    /// The kings game on the board of a spec such as `kings:5x6` (rows x columns),
    /// `kings:.._/...` or `kings:3x3+2x4`, or Regio, `regio:4x4`, with settings such as
    /// `kings:3x3,play=misere,colours=2`.
    ///
    /// # Errors
    /// If the spec is invalid, or the board is empty or too large.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let (rest, settings) = Settings::split(spec)?;
        let (name, boards) = rest.split_once(':').unwrap_or((rest, ""));
        let rules = if name == "regio" {
            Rules::Regio
        } else {
            Rules::Kings
        };
        let mut at = name.chars().count() + 1;
        let mut boards = boards.split('+').map(|text| {
            let board = Board::read(text, spec, at);
            at += text.chars().count() + 1;
            board
        });
        let first = boards.next().unwrap_or_else(|| Err(wrong_size(0, 0)))?;
        let board = boards.try_fold(first, |whole, board| whole.beside(&board?))?;
        let spec = format!("{name}:{}{}", board.text, settings.words());
        PlacementRules::new(spec, rules, &board, settings)
    }

    /// The game on a graph. `name` is the path of its file as written in the spec, perhaps
    /// with `#` and the digest that the graph must have, and with settings after a comma.
    ///
    /// # Errors
    /// If the graph has another digest, or a setting is wrong.
    pub fn on_graph(name: &str, graph: Graph) -> Result<Self, SetupError> {
        let (name, settings) = Settings::split(name)?;
        let found = graph.digest();
        let (path, expected) = settings::split_digest(name);
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            return Err(SetupError::Changed(format!(
                "it is not the graph of '#{expected}': it has changed and is now '#{found}'; leave the '#...' out to play on the new graph, and solve the game again"
            )));
        }
        let board = Board {
            rows: 1,
            columns: graph.names.len(),
            squares: vec![true; graph.names.len()],
            text: String::new(),
        };
        let spec = format!("graph:{path}#{found}{}", settings.words());
        PlacementRules::new(spec, Rules::Graph(graph), &board, settings)
    }
}

impl PlacementRules {
    /// The file of the spec of a graph, which is what comes before its settings.
    pub(crate) fn file_of(spec: &str) -> Result<&str, SetupError> {
        Ok(Settings::split(spec)?.0)
    }

    fn new(
        spec: String,
        rules: Rules,
        board: &Board,
        settings: Settings,
    ) -> Result<Placement, SetupError> {
        let squares = board.squares.len();
        if squares * settings.colours > MOST_SQUARES {
            return Err(wrong_size(board.rows, board.columns));
        }
        let places = squares * settings.colours;
        let inside = (0..places).filter(|place| board.squares[place % squares]);
        let layout = match &rules {
            Rules::Graph(graph) => Layout::new(graph),
            Rules::Kings | Rules::Regio => None,
        };
        let mut game = Self {
            spec,
            rules,
            layout,
            rows: board.rows,
            columns: board.columns,
            colours: settings.colours,
            misere: settings.misere,
            board: Squares::of(places, inside),
            symmetries: Vec::new(),
            search: Mutex::new(None),
        };
        game.symmetries = game.find_symmetries();
        Ok(Placement::with_limit(game, MOST))
    }
}

pub(super) fn rules(game: &PlacementRules) -> Vec<RuleInWords> {
    let (place, neighbours) = match &game.rules {
        Rules::Kings => (
            "square",
            "Squares are neighbours if a chess king could step from one to the other: a square away from the edges has eight.",
        ),
        Rules::Regio => (
            "square",
            "Squares that share a side are neighbours: a square away from the edges has four.",
        ),
        Rules::Graph(_) => ("vertex", "Vertices that an edge joins are neighbours."),
    };
    let turn = if game.colours > 1 {
        format!(
            "Both players make the same moves. A turn gives a {place} that has none a colour, one of {}, that no neighbour has.",
            game.colours
        )
    } else {
        format!(
            "Both players make the same moves. A turn takes a {place} that is free: neither it nor a neighbour of it has been taken. What is no longer free is hatched."
        )
    };
    let end = if game.misere {
        "Whoever makes the last move loses."
    } else {
        "Whoever cannot move loses: the last move wins."
    };
    let names = match &game.rules {
        Rules::Graph(_) => "A move is the name of the vertex.",
        _ => {
            "A move is the name of the square. Files have letters from the left, ranks numbers from below."
        }
    };
    vec![
        RuleInWords::new("Turns", turn, RuleExample::Initial),
        RuleInWords::new("Neighbours", neighbours, RuleExample::Kind("split")),
        RuleInWords::new("The end", end, RuleExample::Kind("lone")),
        RuleInWords::new("Notation", names, RuleExample::None),
    ]
}
