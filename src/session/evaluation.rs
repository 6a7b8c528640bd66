//! A position as data: its board, what it and its moves are worth, its solution, the verdict.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Map;

use crate::analysis::{
    Length, Mending, Profile, Purpose, Quality, Rated, SetPlay, Soundness, Tree, Try, Twin,
};
use crate::base::value::Value;
use crate::draw::{BoardSquare, Diagram, Point, SolutionTree};
use crate::game::{Game, Nimber, PaletteItem, Standing};
use crate::mine::PuzzleRow;
#[cfg(feature = "cli")]
use crate::session::parse_bytes;
use crate::session::{GameKind, Result, SessionError};
use crate::solve::belief::{Level, MOST_FOULS, Mode, TreeStats};

/// How a position is valued. Options that say nothing about a game are refused.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct EvaluationOptions {
    /// Of games with nimbers: only who wins, which larger boards allow.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub outcome_only: bool,
    /// Of games with hidden information: how problems are searched.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub search: SearchOptions,
    /// Drawn positions: rank the moves that keep the draw by the chance that an opponent who looks
    /// this many plies ahead goes wrong within their next 10 moves, those that force it first (see 'tesuji lure').
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=8)))]
    pub lure: Option<u8>,
    /// Games with hidden information: show how long the search took.
    #[cfg_attr(feature = "cli", arg(long))]
    pub times: bool,
}

/// How far a problem with hidden information is searched. What is not given has its
/// default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SearchOptions {
    /// Games with hidden information: the most plies of a solution [default: 15].
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99)))]
    pub depth: Option<u8>,
    /// Games with hidden information: the most fouls to allow, up to 8 [default: 3].
    #[cfg_attr(feature = "cli", arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS))))]
    pub fouls: Option<u8>,
    /// Games with hidden information: how to search [default: fast].
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub mode: Option<Mode>,
    /// Games with hidden information: look for solutions with fewer fouls up to this many
    /// plies beyond the shortest [default: 2].
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLIES"))]
    pub beyond: Option<u8>,
    /// Games with hidden information: the most memory for the search, such as 1GiB
    /// [default: 256MiB].
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", value_parser = parse_bytes))]
    pub memory: Option<u64>,
    /// Games with hidden information, reference mode: keep equal positions of a metaposition
    /// apart, to measure what their removal saves.
    #[cfg_attr(feature = "cli", arg(long))]
    pub duplicates: bool,
}

impl SearchOptions {
    /// The most plies and fouls.
    pub(crate) fn most(self) -> (u8, u8) {
        (self.depth.unwrap_or(15), self.fouls.unwrap_or(3))
    }

    /// The bytes that the search may take.
    pub(super) fn bytes(self) -> usize {
        usize::try_from(self.memory.unwrap_or(1 << 28)).unwrap_or(usize::MAX)
    }

    pub(super) fn mode(self) -> Mode {
        self.mode.unwrap_or_default()
    }

    /// Refuses all of them for a game without hidden information.
    ///
    /// # Errors
    /// If an option was given.
    pub fn refuse(self, spec: &str) -> Result<()> {
        let given = [
            ("depth", self.depth.is_some()),
            ("fouls", self.fouls.is_some()),
            ("mode", self.mode.is_some()),
            ("beyond", self.beyond.is_some()),
            ("memory", self.memory.is_some()),
            ("duplicates", self.duplicates),
        ];
        refuse_given(&given, "is for games with hidden information", spec)
    }
}

/// Refuses the first option that was given.
///
/// # Errors
/// If an option was given.
pub fn refuse_given(given: &[(&'static str, bool)], purpose: &str, spec: &str) -> Result<()> {
    let Some((option, _)) = given.iter().find(|(_, given)| *given) else {
        return Ok(());
    };
    let why = format!("{purpose}; {spec} is not one of them");
    Err(SessionError::inapplicable(option, why))
}

/// What a look ahead is for. A game with nimbers can have a table, too, but is not played from it.
pub const PLAYED_FROM_TABLE: &str = "is for games of two players that are played from a table";

impl EvaluationOptions {
    /// Refuses what says nothing about a game of a kind.
    pub(super) fn check(&self, spec: &str, kind: GameKind) -> Result<()> {
        if kind != GameKind::Nimbers {
            let given = [("outcome", self.outcome_only)];
            refuse_given(&given, "is for games with nimbers", spec)?;
        }
        if kind != GameKind::Hidden {
            self.search.refuse(spec)?;
            let given = [("times", self.times)];
            refuse_given(&given, "is for games with hidden information", spec)?;
        }
        if kind != GameKind::Table {
            refuse_given(&[("lure", self.lure.is_some())], PLAYED_FROM_TABLE, spec)?;
        }
        Ok(())
    }
}

/// What a position is worth. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Evaluation {
    /// By a table: outcome and plies.
    Plies(PlyEvaluation),
    /// By a search for nimbers.
    Nimber(NimberEvaluation),
    /// By a search of a problem with hidden information.
    Hidden(HiddenEvaluation),
}

/// A position of a game with a table.
#[derive(Debug, Clone, Serialize)]
pub struct PlyEvaluation {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The position in notations of other programs, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other_notations: BTreeMap<&'static str, String>,
    /// The side to move.
    pub side: String,
    /// What it is worth for the side to move.
    #[serde(flatten)]
    pub value: Value,
    /// Plies to the checkmate position, one less.
    pub plies_to_checkmate: Option<u16>,
    /// All legal moves, best first.
    pub moves: Vec<PlyMove>,
    /// The main line.
    pub line: Vec<String>,
    /// `onlyWin`, `onlyShortest`, `onlyDraw`, `onlyLongest` or `multiple`.
    pub uniqueness: &'static str,
    /// Fingerprint of the table.
    pub fingerprint: String,
    /// If lures were asked for, and one forces a mistake: all that the opponent may choose, as
    /// indented variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swindle: Option<String>,
}

/// A move of such a position.
#[derive(Debug, Clone, Serialize)]
pub struct PlyMove {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// What it is worth for the side that moves, the move included in the plies.
    #[serde(flatten)]
    pub value: Value,
    /// What the move is worth as a lure, if that was asked for and it keeps a draw.
    #[serde(flatten)]
    pub lure: Option<LureWorth>,
}

impl PlyMove {
    pub(super) fn new<G: Game>(game: &G, rated: &Rated<G::Move>) -> Self {
        Self {
            name: game.format_move(rated.mv),
            value: rated.value,
            lure: None,
        }
    }
}

/// What a move is worth as a lure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LureWorth {
    /// The chance that the opponent goes wrong.
    pub chance: f64,
    /// Plies within which they go wrong whatever they choose, the move included; `None` if they
    /// need not.
    pub forced_plies: Option<u16>,
}

/// A position of an impartial game.
#[derive(Debug, Clone, Serialize)]
pub struct NimberEvaluation {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// `win` or `loss` for the side to move.
    pub outcome: &'static str,
    /// The nimber; `None` if only the outcome was asked for and no theorem gives it.
    pub nimber: Option<Nimber>,
    /// The theorem that says so, or `search`.
    pub by: String,
    /// The independent parts with their nimbers, whose XOR is the nimber; empty if there is
    /// a single one, there are more than a hundred, or the nimber was not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<NimberPart>,
    /// All moves, winning ones first; empty if only the outcome was asked for.
    pub moves: Vec<NimberMove>,
    /// Questions about shapes that the search asked.
    pub nodes: u64,
}

/// A move of such a position.
#[derive(Debug, Clone, Serialize)]
pub struct NimberMove {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// `win` or `loss` for the side that moves.
    pub outcome: &'static str,
    /// The nimber of what the move leaves; `None` under misère play.
    pub nimber: Option<Nimber>,
}

/// An independent part of a position.
#[derive(Debug, Clone, Serialize)]
pub struct NimberPart {
    /// The part alone, as a position.
    pub position: String,
    /// Its nimber.
    pub nimber: Nimber,
}

/// A problem with hidden information.
#[derive(Debug, Clone, Serialize)]
pub struct HiddenEvaluation {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// How it was searched.
    pub mode: Mode,
    /// The most plies that were searched.
    pub depth: u8,
    /// The most fouls that were allowed.
    pub fouls: u8,
    /// Whether there is a solution within these limits.
    pub solved: bool,
    /// The solution.
    #[serde(flatten)]
    pub solution: Option<HiddenSolved>,
}

/// The solution of a problem with hidden information.
#[derive(Debug, Clone, Serialize)]
pub struct HiddenSolved {
    /// Plies, replies counted.
    pub plies: u16,
    /// Fouls that must be allowed.
    pub fouls_allowed: u8,
    /// Fouls on the best line.
    pub fouls_in_line: u16,
    /// The best line, step by step.
    pub line: Vec<String>,
    /// The first move.
    pub key: String,
    /// First moves that solve it as well, the key included.
    pub n_keys: usize,
    /// How unique the solution is.
    pub uniqueness: Uniqueness,
    /// The other first moves that solve it.
    pub cooks: Vec<String>,
    /// Solutions with fewer fouls and more plies.
    pub fewer_fouls: Vec<Level>,
    /// Counts of the solution tree.
    pub tree: TreeStats,
    /// Counts of the search, by the names of the paper.
    pub statistics: Map<String, serde_json::Value>,
    /// The best line with its moves numbered, as people read it.
    #[serde(skip)]
    pub numbered_line: String,
}

/// How unique a solution is.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Uniqueness {
    /// `everyMove`, `line`, `firstMove` or `multiple`.
    pub word: &'static str,
    /// There is one first move.
    pub first_move: bool,
    /// No turn on the best line has a dual.
    pub line: bool,
    /// No turn at all has a dual.
    pub every_move: bool,
    /// Turns with duals.
    pub dual_turns: u64,
}

/// What of a solution is wanted.
#[derive(Debug, Clone)]
pub struct SolutionOptions {
    /// Turns of the attacker in the tree at most; a longer tree is cut, but for its main line.
    pub nodes: usize,
    /// How much of the tree is drawn.
    pub length: Length,
    /// Draw a small board where a variation ends.
    pub boards: bool,
    /// Of games with hidden information: how problems are searched.
    pub search: SearchOptions,
}

impl SolutionOptions {
    /// Options with which the solution of a puzzle is found again: no deeper than the row
    /// says.
    pub(crate) fn of_row(row: &PuzzleRow) -> Self {
        Self {
            search: SearchOptions {
                depth: row.plies.and_then(|plies| u8::try_from(plies).ok()),
                fouls: Some(MOST_FOULS),
                ..SearchOptions::default()
            },
            ..Self::default()
        }
    }
}

impl Default for SolutionOptions {
    fn default() -> Self {
        Self {
            nodes: crate::analysis::MOST_NODES,
            length: Length::Full,
            boards: false,
            search: SearchOptions::default(),
        }
    }
}

/// A solution. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum SolutionReport {
    /// Of a position with a table.
    Table(Box<TableSolution>),
    /// Of a problem with hidden information.
    Hidden(HiddenSolution),
}

/// The solution of a position with a table.
#[derive(Debug, Clone, Serialize)]
pub struct TableSolution {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// What the position is worth.
    pub value: Value,
    /// How sound it is.
    pub soundness: Soundness,
    /// No other move has the outcome of the key at all.
    pub only_key: bool,
    /// The best move; of several, the first in the game's move order.
    pub key: Option<String>,
    /// The other best moves.
    pub cooks: Vec<String>,
    /// Moves with the outcome of the key that take longer.
    pub slower: Vec<Rated<String>>,
    /// How many moves have a worse outcome.
    pub failing: usize,
    /// Moves with a worse outcome that fail to one reply alone.
    pub tries: Vec<Try<String>>,
    /// What would happen if the other side were to move; `None` if it cannot.
    pub set_play: Option<SetPlay<String, String>>,
    /// The main line.
    pub line: Vec<String>,
    /// All defences that hold out longest.
    pub tree: Tree<String>,
    /// The solution as composers write it, at each length.
    #[serde(skip)]
    pub(super) texts: [String; 3],
}

impl TableSolution {
    /// The solution as composers write it, at this length.
    pub fn written(&self, length: Length) -> &str {
        &self.texts[length as usize]
    }
}

/// The solution of a problem with hidden information.
#[derive(Debug, Clone, Serialize)]
pub struct HiddenSolution {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// Plies, replies counted.
    pub plies: u16,
    /// Fouls that must be allowed.
    pub fouls_allowed: u8,
    /// Fouls on the best line.
    pub fouls_in_line: u16,
    /// The turns of the tree, each once; the first is the root.
    pub nodes: Vec<serde_json::Value>,
    /// The tree as text.
    #[serde(skip)]
    pub text: String,
}

/// A solution to be drawn.
#[derive(Debug, Clone)]
pub struct DrawnSolution {
    /// The tree.
    pub tree: SolutionTree,
    /// The same in words.
    pub words: String,
}

/// The verdict on a problem.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// What the solver is asked to do.
    pub stipulation: String,
    /// Nothing is wrong.
    pub sound: bool,
    /// What is wrong: `other outcome`, `distance mismatch`, `other number of fouls`, `cooked`, `other key`.
    pub faults: Vec<&'static str>,
    /// The moves that do what is asked, the key first.
    pub solving: Vec<PlyMove>,
    /// What else is known of the problem.
    #[serde(flatten)]
    pub found: Checked,
}

impl CheckReport {
    /// The position.
    pub fn position(&self) -> &str {
        match &self.found {
            Checked::Table(found) => &found.solution.position,
            Checked::Hidden(found) => &found.position,
        }
    }

    /// How sound it is; `None` if it has no solution.
    pub fn soundness(&self) -> Option<Soundness> {
        match &self.found {
            Checked::Table(found) => Some(found.solution.soundness),
            Checked::Hidden(found) => found.soundness,
        }
    }
}

/// What is known of a problem that was checked. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Checked {
    /// Of a position with a table.
    Table(Box<CheckedTable>),
    /// Of a problem with hidden information.
    Hidden(CheckedHidden),
}

/// What was found in a position with a table.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedTable {
    /// Themes, by name.
    pub themes: Vec<&'static str>,
    /// Points for quality.
    pub score: Quality,
    /// How hard the main line is to find, in bits.
    pub difficulty: u32,
    /// The same as one to five stars, which also count how far one must look ahead.
    pub stars: u8,
    /// How far a player must look ahead to find the main line; `None` if the position is lost.
    pub depth_profile: Option<Profile>,
    /// What each piece is for.
    pub purposes: Vec<Purpose>,
    /// Sound positions that differ by one thing moved; only looked for if this one is not
    /// sound.
    pub mendings: Vec<Mending>,
    /// The solution.
    pub solution: TableSolution,
}

/// What was found in a problem with hidden information.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedHidden {
    /// The position.
    pub position: String,
    /// How sound it is; `None` without a solution.
    pub soundness: Option<Soundness>,
    /// The solution; `None` if there is none within the plies and fouls of the stipulation.
    pub solution: Option<HiddenSolution>,
}

/// The twins of a problem.
#[derive(Debug, Clone, Serialize)]
pub struct TwinReport {
    /// The game.
    pub game: String,
    /// The problem.
    pub position: String,
    /// What the solver is asked to do, in it and in its twins.
    pub stipulation: String,
    /// The main line of its solution.
    pub line: String,
    /// Sound problems that begin with another move.
    pub twins: Vec<Twin>,
}

/// Positions that fit a pattern and a filter.
#[derive(Debug, Clone, Serialize)]
pub struct Composition {
    /// How many there are.
    pub matched: u64,
    /// The first of them, or the best, as the filter says.
    #[serde(rename = "puzzles")]
    pub rows: Vec<PuzzleRow>,
}

/// A position that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked<'a> {
    /// In the game's notation.
    Position(&'a str),
    /// The unrestricted state of a slot of the table.
    Slot(u64),
}

/// A position with its value and those of all its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PositionValues {
    /// The slot of the position in the table; `None` if only its moves lead there.
    pub slot: Option<u64>,
    /// The position in the game's one-line notation.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// What it is worth for the side to move.
    #[serde(flatten)]
    pub value: Value,
    /// All legal moves, best first, equal ones in the game's order of moves.
    pub moves: Vec<MoveValues>,
}

/// A move of such a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveValues {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// What it is worth for the side that moves, the move included in the plies.
    #[serde(flatten)]
    pub value: Value,
    /// The slot of the position after the move; `None` if it ends the game.
    pub child: Option<u64>,
}

/// A position with everything on its board and everything that can be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardReport {
    /// The position in the game's one-line notation.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// Columns and rows.
    pub size: (u8, u8),
    /// Its picture, with labels of files and ranks or, instead of squares, a graph.
    pub diagram: Diagram,
    /// Everything on the board.
    pub things: Vec<Standing>,
    /// The legal moves, in the game's order.
    pub moves: Vec<PointedMove>,
    /// The move that the rules forbid.
    pub forbidden: Option<PointedMove>,
}

/// A move, as it is entered by pointing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedMove {
    /// The move in notation.
    pub name: String,
    /// Where it begins.
    pub from: BoardSquare,
    /// Where it is aimed; where it begins, if something is put on the board there.
    pub to: Point,
}

/// What positions are set up from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// What can be put on the board. Empty if positions cannot be set up thing by thing.
    pub things: Vec<PaletteItem>,
    /// The sides that can be to move, the one that begins the game first.
    pub sides: Vec<String>,
}

impl Palette {
    /// The place of a thing, if it is there.
    pub fn place(&self, thing: &Standing) -> Option<usize> {
        let mut items = self.things.iter();
        items.position(|item| item.words == thing.words && item.glyph == thing.glyph)
    }
}
