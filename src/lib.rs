//! tesuji solves a game completely, mines the solution for puzzles, exports the
//! finds as tables and draws them.
//!
//! # Sessions
//! [`open`] a game by its spec and ask the [`session`]: text goes in, data comes out. The
//! program's commands (the `tesuji` binary) do no more than that.
//! ```
//! use tesuji::base::progress::NoProgress;
//! use tesuji::draw::{Style, render};
//! use tesuji::mine::Filter;
//! use tesuji::session::{Evaluation, EvaluationOptions, MiningOptions};
//!
//! let session = tesuji::open("ostle:3x3,pieces=2,losses=2")?;
//!
//! // The value of a position, and its best line.
//! let options = EvaluationOptions::default();
//! let found = session.evaluating()?.evaluate("1ww/1o1/bb1 b -", &options, &NoProgress)?;
//! assert!(matches!(found, Evaluation::Plies(found) if !found.line.is_empty()));
//!
//! // All positions with one shortest win, the longest first, as rows.
//! let condition = "outcome = 'win' AND plies > 1 AND n_best = 1";
//! let filters = [Filter::of_condition("one-key", condition)?];
//! let mined = session.mining()?.mine(&filters, &MiningOptions::default(), &NoProgress)?;
//! let puzzle = &mined.sets[0].rows[0];
//!
//! // A diagram.
//! let svg = render(&session.diagram(&puzzle.position)?, &Style::print());
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A game of one's own comes in by [`session::tables`].
//!
//! # The modules
//! Imports run one way:
//! `cli -> session -> {mine, formula, book, export} -> analysis -> table -> solve -> game ->
//! base`. [`games`] has the rules of the games, [`draw`] knows none of them.
//!
//! | module | content |
//! |---|---|
//! | [`base`] | values, progress, files, random numbers, text |
//! | [`game`] | what a game can do, in small traits |
//! | [`games`] | the games; [`games::registry`] alone names them |
//! | [`solve`] | solvers, none of which names a game |
//! | [`table`] | solved games as files |
//! | [`analysis`] | one position: moves, solution, themes, quality |
//! | [`mine`] | filters over all positions |
//! | [`export`], [`draw`], [`book`], [`formula`] | what comes out |
//! | [`session`] | the interface to all of these |
//! | `explore` | the page that a browser shows, and its server |
//!
//! # How it works
//! **One record for each position.** Rule 8 of Ostle makes a state a position *with at most
//! one forbidden move*, so there are several times as many states as positions. But the
//! value of a state is the best over all moves except one. A record of three numbers
//! therefore answers for all states of its position: the best value, the move that has it
//! if only one does, and the best value without that move.
//!
//! **A dense index.** Positions are numbered by formula, up to the symmetries of the board,
//! layer by layer (pieces of the mover, pieces of the other side). There is no list of
//! positions; a table is an array. Layers with fewer pieces are solved first.
//!
//! **Events, not sweeps.** A value that is final is reported to every predecessor once.
//! Un-moves are collected in batches, numbered in one tight loop, and applied one batch
//! later, when their words have arrived from memory. That hides most of the latency of
//! memory, which is the floor of this method.
//!
//! **Rows, where a game has them.** In Ostle a move is the same for all placements of the
//! opponent, so positions stand in rows that share the mover's pieces and the hole, and each
//! move is worked out once a row ([`game::ByRows`]). A pass then goes through rows, each of
//! which takes the values that its moves lead to. Verification takes the same way.
//!
//! **Two widths of value.** The published game fits one byte for each value. Small boards
//! have longer wins: 5x5 with three pieces has wins over 222 plies, so a value may have two
//! bytes. The fingerprint of a table depends on neither width nor compression.
//!
//! **Snapshots between passes.** The solver hands a snapshot of the layers under way to a
//! [sink](solve::SnapshotSink) and can continue from one; it knows nothing of files. The
//! checkpoints of [`table`] write them, and [`session`] decides when.
//!
//! **Scanning.** A scan looks up the verdict on a record in a table of the combinations of
//! values seen so far. States that pass go on in batches, column by column, cheap tiers
//! first, and moves one kind at a time. For columns that look at moves the table is held in
//! memory record by record, and the records of all moves of a batch are requested before
//! any is read.
//!
//! **Nimbers without tables.** For impartial games the solver asks "is the value of this
//! part k?" instead of "what is its value?" (Lemoine and Viennot, *Nimbers are
//! inevitable*), of shapes that are shifted, turned and mirrored into one form. Where the
//! positions can be listed, a table with plies is made as well, so mining, drawing and
//! books need not know the difference; the nimber is one more column.
//!
//! **One player.** A puzzle is a game in which one side makes all moves: the value of a state
//! passes through a move unchanged (`Moves::through_move`), and its table is made breadth
//! first from the solutions. Commands for games of two players refuse it by name.
//!
//! **Belief states.** A metaposition is a set of states that look alike. The solver knows of
//! the game only what a try does in each of them. The reference search is iterative
//! deepening over plies and fouls and remembers nothing. The fast one has a table over the
//! sum of the states' hashes, with bounds for every number of fouls, and drops a
//! metaposition as soon as one of its states could not be won even with perfect
//! information. Both give the same trees.
//!
//! **Programs are data.** A search of `formula` gets a policy (numbers of states with the
//! numbers of their best moves) and gives a program as data, which `source` writes out.
//! What knows a game's rules in another language is kept with the game, in `programs/`, as
//! text with holes for the constants.
//!
//! **Left out on purpose.** A list of positions (the index replaces it); a query language of
//! our own (conditions are SQL, and other engines take them as they are); message passing
//! between machines (the published game is within one machine's reach, and tables are blocks
//! with checksums); evaluation functions and search (values are exact); servers for the
//! network (the explorer answers this machine alone; exports and SVG go anywhere).
//!
//! # What always holds
//! - A game knows nothing of files, tables or mining; only [`games::registry`] names a
//!   concrete game.
//! - Values are exact, and always those of the side to move. Plies count to the
//!   end of the game unless a name says `plies_to_checkmate`.
//! - The same input gives the same bytes: results depend neither on the number of
//!   threads nor on the machine. A table's fingerprint depends on its logical
//!   content alone.
//! - A damaged table is an error, never a wrong value.
//! - Files are written whole or not at all, and never over other content unasked.
//! - One process at a time writes to a place; see [`base::files`].
//! - Unsafe code stands in three places, each with its contract: `base::cpu` (instructions
//!   that only some processors have, used where they are found), the arrays of [`solve`]
//!   (zeroed maps as atomic words, prefetching), and the reader of [`table`] (maps of files).
#![cfg_attr(feature = "cli", deny(unreachable_pub))]
#![deny(missing_docs)]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "features that are off use it")
)]

/// The example in the tutorial for developers is compiled and run with those of the documentation.
#[cfg(all(doctest, feature = "session"))]
#[doc = include_str!("../notebooks/developer/README.md")]
struct TutorialDoctests;

/// So is the one on the page of data sets.
#[cfg(all(doctest, feature = "session", feature = "polars"))]
#[doc = include_str!("../output/interop/README.md")]
struct DataSetDoctests;

pub mod analysis;
pub mod base;
#[cfg(feature = "book")]
pub mod book;
#[doc(inline)]
pub use tesuji_draw as draw;
#[cfg(feature = "explore")]
pub mod explore;
#[cfg(feature = "rows")]
pub mod export;
pub mod formula;
pub mod game;
pub mod games;
#[cfg(feature = "rows")]
pub mod mine;
#[cfg(feature = "session")]
pub mod session;
pub mod solve;
pub mod table;

#[cfg(feature = "session")]
pub use session::open;
