//! The front door: open a game by its spec, then ask.
//!
//! A [`Session`] takes text and gives inert data, so that a command line, another
//! language or a server needs no more than this room. It is implemented once for each
//! [`Kind`] of game and knows no game: [`open`] asks the
//! [registry](crate::games::registry), and a game of one's own comes in by [`tables`],
//! [`nimbers`], [`one_player`] or [`hidden`].
//!
//! What can be asked is grouped into small interfaces ([`Evaluating`], [`Mining`], ...).
//! A session has those that make sense for its kind; asking for another one is
//! [`SessionError::Unsupported`], which names the kind, the operation, and what the kind
//! can do.
//!
//! ```
//! use tesuji::base::progress::NoProgress;
//! use tesuji::session::{Evaluation, EvaluationOptions};
//!
//! let session = tesuji::open("ostle:3x3,pieces=2,losses=2")?;
//! let options = EvaluationOptions::default();
//! let evaluation = session.evaluating()?.evaluate("1ww/1o1/bb1 b -", &options, &NoProgress)?;
//! let Evaluation::Plies(found) = evaluation else { unreachable!("ostle has a table") };
//! assert_eq!(found.moves[0].name, found.line[0]);
//! # Ok::<(), tesuji::session::SessionError>(())
//! ```

mod analyzing;
mod arranging;
mod batch;
mod binding;
mod error;
mod evaluation;
mod exporting;
mod finds;
mod heading;
mod hidden;
mod interfaces;
mod kind;
mod lines;
mod load;
mod luring;
mod methods;
mod mining;
mod nimbers;
mod one_player;
mod options;
mod published;
mod questions;
mod rank_boards;
mod repack;
mod resources;
mod resume;
mod row_games;
mod rule_pages;
mod saved_search;
mod solving;
mod statistics;
mod tables;

pub use analyzing::{
    CheckReport, Composition, DrawnSolution, HiddenSolution, Merits, SolutionOptions,
    SolutionReport, TableSolution,
};
pub use arranging::{BoardReport, BoardThing, Palette, PointedMove};
pub use batch::{Asked, BatchError, LineError, MoveValues, PositionValues, answer_lines};
pub use binding::{BookOptions, book, book_of_entries, check_row, completed};
pub use error::SessionError;
pub use evaluation::{
    Evaluation, EvaluationOptions, HiddenEvaluation, HiddenSolved, LureWorth, NimberEvaluation,
    NimberMove, NimberPart, PlyEvaluation, PlyMove, SearchOptions, Uniqueness, refuse_given,
};
pub use exporting::{ExportColumns, ExportOptions, ExportRows, Exported, RowOptions};
pub use finds::{
    FindFolder, FindPictures, puzzle_svg, refuse_stale, remove_pictures, sheet, solution_svg,
    stale_pictures, write_finds,
};
pub use interfaces::{
    Arranging, Checking, Composing, Evaluating, Exporting, Interfaces, Lines, Mining, Operation,
    Played, Playing, Position, Problems, Programming, Searching, Session, Solutions, Solving,
    Statistics, Umpired, Umpiring,
};
pub use kind::Kind;
pub use load::read_table;
pub use luring::{LURED_MOVES, LureChances, LureOptions, LureReport, LuredDepth, Swindle};
pub use mining::{
    ColumnReport, Mined, MinedSet, MiningOptions, ScopeOptions, SupplyMethod, SupplyOptions,
};
pub use options::{Options, open, open_table};
pub use published::{Comparisons, Counts, Published, PublishedError};
pub use questions::Questions;
pub use rank_boards::{RankedBoard, rank_boards};
pub use resources::available_memory;
pub use row_games::open_of_row;
pub use saved_search::{Search, SearchRun, finish};
pub use solving::{Packed, SolveOptions, VerifyReport, WrittenTable, WrongRecord};
pub use statistics::{
    DepthCount, Difference, Example, LayerStatistics, PathReport, PuzzleDepth, PuzzleStatistics,
    ReachDistance, ReachOptions, ReachReport, StatisticsReport, TableStatistics,
};

pub use hidden::hidden;
pub use nimbers::nimbers;
pub use one_player::one_player;
pub use tables::tables;
