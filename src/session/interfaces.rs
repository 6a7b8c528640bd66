//! What can be asked of a game, in small interfaces that take text and give data.
//!
//! All of them are object-safe; what one kind of session alone has are methods of that
//! [`TableSession`]. Positions and moves are texts in the game's notation; an empty position, or
//! `initial`, is the initial one.
//!
//! Every method fails if a text that it gets cannot be read, an option says nothing about the
//! game, a value is needed and there is no table and the game is too large to be solved on the
//! way, memory or disk are short, a file may not be written, or `progress` asks to stop. What
//! else can go wrong is listed with each method.
#![expect(clippy::missing_errors_doc, reason = "said above for all of them")]

use std::path::Path;

use crate::analysis::lures::SwindleTask;
use crate::analysis::{Fault, StipulationError};
use crate::base::progress::Progress;
use crate::base::text::{named, plural};
use crate::book::{Problem, Rule};
use crate::draw::{Diagram, Frame};
use crate::export::PgnGame;
use crate::formula::AnswerKind;
use crate::game::Next;
use crate::mine::{Column, Filter, PuzzleRow};
use crate::session::{
    Asked, BookOptions, CheckReport, DrawnSolution, Evaluation, EvaluationOptions, GameKind, Mined,
    MiningOptions, PLAYED_FROM_TABLE, PositionValues, Questions, Result, ScopeOptions,
    SearchOptions, SessionError, SolutionOptions, SolutionReport, SolveOptions, StatisticsReport,
    TableSession, VerifyReport, WrittenTable,
};
use crate::solve::belief::Heard;

/// A position that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// In the game's one-line notation.
    pub text: String,
    /// The name of the side to move.
    pub side: String,
}

/// A game that was opened.
///
/// Every session reads positions and draws them. The other interfaces are there or not,
/// depending on the kind of game ([`interfaces`](Self::interfaces)); the methods that give them
/// one by one, such as `evaluating`, say by [`SessionError::Unsupported`] that one is not there.
pub trait Session: Send + Sync {
    /// The canonical spec of the game.
    fn spec(&self) -> String;

    /// The name of the game's family, by which shipped filters are found: the spec up to
    /// its colon, unless the game says otherwise.
    fn family(&self) -> String;

    /// What readers call the game, without its settings.
    fn title(&self) -> String;

    /// How the game is solved.
    fn kind(&self) -> GameKind;

    /// What can be asked of it.
    fn interfaces(&self) -> Interfaces<'_>;

    /// Reads a position.
    fn position(&self, position: &str) -> Result<Position>;

    /// The position as a picture, without a stipulation.
    fn diagram(&self, position: &str) -> Result<Diagram>;

    /// What a solution has in common with all solutions symmetric to it; `None` if it is
    /// too short (one or two plies) to tell puzzles apart.
    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>> {
        let lines = self.interfaces().lines;
        let lines = lines.ok_or_else(|| self.unsupported(Operation::Lines))?;
        lines.line_key(&row.solution)
    }

    /// A text that positions share which are one problem: images of one another under the
    /// symmetries of the game, with the same move forbidden.
    fn position_key(&self, position: &str) -> Result<String> {
        let lines = self.interfaces().lines;
        let lines = lines.ok_or_else(|| self.unsupported(Operation::Lines))?;
        lines.position_key(position)
    }

    /// The error for an operation that the session does not have.
    fn unsupported(&self, operation: Operation) -> SessionError {
        let (spec, kind, asked) = (self.spec(), self.kind().name(), operation.name());
        let possible = self.interfaces().operations();
        let names: Vec<_> = possible.iter().map(|possible| possible.name()).collect();
        let names = match names.as_slice() {
            [] => "nothing".to_owned(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        SessionError::Unsupported(format!(
            "{spec} is a {kind}: it has no {asked}, only {names}"
        ))
    }
}

/// From the list of what can be asked, of each its meaning, the method of a session that gives it, the
/// operation, who does it and its name: the operations, and their places among the interfaces of a session.
macro_rules! interfaces {
    ($($(#[$meaning:meta])+ $getter:ident: $operation:ident($interface:ty) = $name:literal;)+) => {
        named! {
            /// Something that can be asked of a session.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            #[non_exhaustive]
            pub enum Operation {
                $($(#[$meaning])+ $operation = $name,)+
            }
        }

        /// The interfaces of a session, as far as its kind of game has them.
        #[derive(Clone, Copy, Default)]
        pub struct Interfaces<'s> {
            $($(#[$meaning])+ pub $getter: Option<&'s $interface>,)+
        }

        impl Interfaces<'_> {
            /// What can be asked.
            pub fn operations(&self) -> Vec<Operation> {
                let all = [$(self.$getter.map(|_| Operation::$operation),)+];
                all.into_iter().flatten().collect()
            }
        }

        /// The interfaces, or [`SessionError::Unsupported`].
        impl dyn Session + '_ {
            $($(#[$meaning])+
            pub fn $getter(&self) -> Result<&$interface> {
                let found = self.interfaces().$getter;
                found.ok_or_else(|| self.unsupported(Operation::$operation))
            })+
        }
    };
}

interfaces! {
    /// List and make moves, draw lines of play, count sequences of moves.
    lines: Lines(dyn Lines) = "lines of play";
    /// The value of a position and of its moves.
    evaluating: Evaluating(dyn Evaluating) = "values";
    /// The solution of a problem, written or drawn.
    solutions: Solutions(dyn Solutions) = "solutions";
    /// The verdict on a problem.
    checking: Checking(dyn Checking) = "checking";
    /// Positions that fit a partial diagram, and those near a problem.
    composing: Composing(TableSession) = "composing";
    /// Positions that filters admit.
    mining: Mining(dyn Mining) = "mining";
    /// Problems of a book.
    problems: Problems(dyn Problems) = "books";
    /// Counts over all positions.
    statistics: Statistics(dyn Statistics) = "statistics";
    /// Reachable states, paths, lines that were played, and the difference between two readings of
    /// the rules.
    searching: Searching(TableSession) = "searches";
    /// Solve into a file, verify and repack tables.
    solving: Solving(dyn Solving) = "tables";
    /// The rules by slot, for other solvers.
    stepping: Stepping(TableSession) = "steps";
    /// Data sets of all states.
    exporting: Exporting(TableSession) = "data sets";
    /// Play against the best moves.
    playing: Playing(dyn Playing) = "playing";
    /// Play of problems with hidden information against an umpire.
    umpiring: Umpiring(dyn Umpiring) = "play against an umpire";
    /// States as numbers, for programs that play.
    programming: Programming(dyn Programming) = "formulas";
    /// Boards to look at and to set up.
    arranging: Arranging(TableSession) = "boards";
}

/// Moves and lines of play.
pub trait Lines: Send + Sync {
    /// [`Session::line_key`] of a solution.
    fn line_key(&self, solution: &str) -> Result<Option<Vec<String>>>;

    /// [`Session::position_key`].
    fn position_key(&self, position: &str) -> Result<String>;

    /// The legal moves, in the game's order.
    fn moves(&self, position: &str) -> Result<Vec<String>>;

    /// Makes a move, which leads to a position unless the game is over.
    fn play(&self, position: &str, mv: &str) -> Result<Next<String>>;

    /// Moves as shogi programs write them, in USI; `None` in games that they do not play.
    fn in_usi(&self, position: &str, moves: &[String]) -> Result<Option<Vec<String>>>;

    /// A numbered picture for each of the first `limit` moves of a line, the move marked,
    /// and one of the position after them if the game is not over. If moves are left out,
    /// the last caption says how many.
    fn boards(&self, position: &str, moves: &[String], limit: usize) -> Result<Vec<Diagram>>;

    /// The frames of an animation of a line.
    fn frames(&self, position: &str, moves: &[String]) -> Result<Vec<Frame>>;

    /// A picture of the position with these legal moves marked on it.
    fn marked(&self, diagram: Diagram, position: &str, moves: &[String]) -> Result<Diagram>;

    /// The number of sequences of exactly `depth` moves.
    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u64>;
}

/// Play against the best moves.
pub trait Playing: Send + Sync {
    /// Does what must be done once before moves can be chosen quickly, such as reading or
    /// making the table.
    fn prepare(&self, progress: &dyn Progress) -> Result<()>;

    /// A best move; `None` if there is no move.
    fn best(&self, position: &str, progress: &dyn Progress) -> Result<Option<String>>;

    /// A move of the player who looks `depth` plies ahead: one of those that this player likes,
    /// chosen by the number `choice`; `None` if there is no move.
    fn looking(&self, _position: &str, _depth: u8, _choice: u64) -> Result<Option<String>> {
        Err(SessionError::inapplicable("level", PLAYED_FROM_TABLE))
    }

    /// The best move against a player who looks `depth` plies ahead: in a drawn position the
    /// best lure, otherwise a [best](Self::best) move.
    fn luring(&self, position: &str, depth: u8, progress: &dyn Progress) -> Result<Option<String>> {
        let _ = (position, depth, progress);
        Err(SessionError::inapplicable("lure", PLAYED_FROM_TABLE))
    }

    /// The board in letters, rank by rank from the top, with coordinates.
    fn letters(&self, position: &str) -> Result<String>;
}

/// Play of problems with hidden information against an umpire.
pub trait Umpiring: Send + Sync {
    /// Sets up a problem. The plies and fouls that are allowed are those of its solution,
    /// unless the options give them.
    ///
    /// # Errors
    /// If the position cannot be read, or the problem has no solution within the limits.
    fn umpire<'s>(
        &'s self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Umpired + 's>>;
}

/// A problem in play. The umpire never fixes a position: of the answers that fit a position
/// that is still possible, he gives the worst.
pub trait Umpired {
    /// What the person who plays sees, in letters; at the beginning, everything.
    fn letters(&self) -> String;

    /// What the person who plays sees, as a diagram; everything as long as one position alone is
    /// possible.
    fn diagram(&self) -> Diagram;

    /// The names of the attacker and of the defender.
    fn sides(&self) -> (&'static str, &'static str);

    /// Plies and fouls that are left.
    fn left(&self) -> (u8, u8);

    /// The number of positions that are still possible.
    fn positions(&self) -> usize;

    /// The tries that are possible: they fail in no position for want of a check, and stand
    /// in at least one.
    fn tries(&self) -> Vec<String>;

    /// The best try, with the plies that it takes; `None` if the problem is not solved any
    /// more within what is left.
    fn hint(&self, progress: &dyn Progress) -> Result<Option<(String, u16)>>;

    /// Makes a try.
    fn attempt(&mut self, mv: &str, progress: &dyn Progress) -> Result<Heard<String>>;

    /// Whether the game has ended with what was heard of the last try: by the umpire's word, or as
    /// no try is left.
    fn is_over(&self, heard: &Heard<String>) -> bool {
        heard.is_end() || self.tries().is_empty()
    }

    /// What was heard about the last try, `mv`, in sentences without the last full stop.
    fn told(&self, mv: &str, heard: &Heard<String>) -> String {
        let (attacker, defender) = self.sides();
        let end = if !heard.is_end() && self.tries().is_empty() {
            format!(". {attacker} has no try left. {defender} wins")
        } else {
            String::new()
        };
        let told = match heard {
            Heard::NoTry => format!("{mv} is not possible with your own pieces"),
            Heard::Quiet => format!(
                "{mv} gives no check in a position that is still possible, and so is not allowed"
            ),
            Heard::Foul(left) => format!("{mv}: foul. {} left", plural((*left).into(), "foul")),
            Heard::TooManyFouls => format!("{mv}: foul, and no foul was left. {defender} wins"),
            Heard::Reply(announced, reply) => {
                format!("{mv}{announced}: check. {defender} replies {reply}")
            }
            Heard::Won(announced) => format!("{mv}{announced}: mate. You win"),
            Heard::Escaped(announced) => {
                format!("{mv}{announced}: check, but {defender} escapes and wins")
            }
            Heard::TooLate(announced) => {
                format!("{mv}{announced}: check, but no mate, and no ply is left. {defender} wins")
            }
        };
        told + &end
    }

    /// Takes back the last try that was made; `false` if there is none.
    fn back(&mut self) -> bool;
}

/// Values of positions and moves.
pub trait Evaluating: Session {
    /// The value of a position and of all its moves, with the main line. A small game is
    /// solved in memory first if no table was given.
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation>;

    /// The main line of a position, of a game whose lines have an end.
    fn main_line(&self, position: &str, progress: &dyn Progress) -> Result<Vec<String>> {
        let options = EvaluationOptions::default();
        Ok(match self.evaluate(position, &options, progress)? {
            Evaluation::Plies(found) => found.line,
            Evaluation::Nimber(_) => Vec::new(),
            Evaluation::Hidden(found) => found.solution.map_or_else(Vec::new, |it| it.line),
        })
    }

    /// The values of many positions, each with all its moves, by the game's table: much
    /// faster than one by one, since no main line is followed. The answers are in the order
    /// of the questions.
    ///
    /// # Errors
    /// Those of a question stand in its place: the position cannot be read, or the slot is
    /// vacant or past the end of the table. The whole fails if the game has no table, or
    /// none was given and it is too large to be solved on the way.
    fn evaluate_batch(
        &self,
        _questions: &[Asked<'_>],
        _progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues>>> {
        let spec = self.spec();
        let why = format!("is for games of two players with tables; {spec} is not one of them");
        Err(SessionError::inapplicable("batch", why))
    }
}

/// Solutions of problems.
pub trait Solutions: Send + Sync {
    /// The solution in a composer's terms.
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<SolutionReport>;

    /// The solution as a tree to be drawn.
    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution>;

    /// A puzzle with its solution as a game in PGN, which chess programs read: the main line, and
    /// where there is room, other replies, duals, cooks and tries.
    fn pgn(
        &self,
        row: &PuzzleRow,
        _options: &SolutionOptions,
        _progress: &dyn Progress,
    ) -> Result<PgnGame> {
        Err(SessionError::NoChess(row.game.clone()))
    }

    /// The best line as a file that other programs for the game read.
    fn record(
        &self,
        _position: &str,
        _options: &SolutionOptions,
        _progress: &dyn Progress,
    ) -> Result<String> {
        let why = "is for tsuitate: KIF is a format for shogi";
        Err(SessionError::inapplicable("kif", why))
    }
}

/// Verdicts on problems.
pub trait Checking: Send + Sync {
    /// Judges a problem: is it sound, what are its cooks, duals and tries, what is each
    /// piece for, and what would mend it. Without a stipulation, that of its value.
    fn check(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<CheckReport>;

    /// Judges the puzzle of a row, and what the row claims: the stipulation, and of a mined puzzle its
    /// outcome, its length and its key. Swindles are not judged.
    fn check_row(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<CheckReport> {
        if let Some(task) = row.asked().filter(|it| SwindleTask::parse(it).is_some()) {
            return Err(StipulationError::Swindle(task.to_owned()).into());
        }
        let mut found = self.check(&row.position, row.asked(), progress)?;
        let faults = self.faults(row, progress)?;
        found.sound = faults.is_empty();
        found.faults = faults.iter().map(|fault| fault.name()).collect();
        Ok(found)
    }

    /// What [`check_row`](Self::check_row) finds wrong, without the rest of its report.
    fn faults(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<Vec<Fault>>;
}

/// Positions that filters admit.
pub trait Mining: Send + Sync {
    /// The columns that a filter may name, cheap ones first.
    fn columns(&self) -> Vec<Column>;

    /// What to know about the cost of columns, in a few lines.
    fn about_columns(&self) -> &'static str;

    /// Checks that filters and options make sense for the game, before any work.
    fn check(&self, filters: &[Filter], options: &MiningOptions) -> Result<()>;

    /// Whether finds can be estimated while such positions are scanned.
    fn estimates(&self, scope: &ScopeOptions) -> bool;

    /// Runs filters over the game.
    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Mined>;
}

/// Problems for books.
pub trait Problems: Send + Sync {
    /// How stipulations and solutions are read, a paragraph each.
    fn notes(&self) -> Vec<String> {
        crate::book::NOTES.map(str::to_owned).into()
    }

    /// Does what the problems of these rows share, so that it is done once.
    fn prepare_problems(&self, _rows: &[&PuzzleRow], _progress: &dyn Progress) -> Result<()> {
        Ok(())
    }

    /// The row of a puzzle of which no more is known than its game, its position and perhaps
    /// its stipulation.
    fn complete(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<PuzzleRow>;

    /// The rules of the game, each with a diagram where one helps.
    fn rules(&self) -> Result<Vec<Rule>>;

    /// Whether the game has no table and is too large to be solved on the way, so that problems
    /// have no more than the main lines of their rows, and cannot be played.
    fn has_lines_only(&self) -> bool {
        false
    }

    /// The problem of a row, after a check that the row agrees with its game.
    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem>;
}

/// Counts over all positions.
pub trait Statistics: Send + Sync {
    /// Headers of files with published counts that can be compared with what is counted.
    fn comparable(&self) -> Vec<String> {
        Vec::new()
    }

    /// Counts positions and states by layer, class, and distance.
    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport>;
}

/// Table files.
pub trait Solving: Send + Sync {
    /// The number of slots of the game's table.
    fn slots(&self) -> u64;

    /// Solves the game into a file, or goes on where an earlier run was stopped. The place
    /// is checked and claimed before the work begins.
    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable>;

    /// Checks every record of the session's table against its children's.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport>;

    /// Writes the session's table again, with `raw`, `level` and `force` of these options. Also gives
    /// the size of the table as it was.
    fn repack(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<(WrittenTable, u64)>;
}

named! {
    /// What the rules say of slots, as rows in the order of the slots. Results are for the side that
    /// moves: 1 a win, 0 a draw, -1 a loss. Under the reading [`AllImages`](crate::game::Repetition::AllImages),
    /// moves of a symmetric position that are forbidden together count as one, the first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Relation {
        /// A row for each slot: `slot`; `open`, the number of its moves that stay in the group of
        /// layers, and `numbers`, the exclusive or of their numbers; `leaving`, the number of those
        /// that lead to an earlier group; `over`, the best result of those that end the game;
        /// `symmetric`, whether the position has a symmetry of its own. All but `slot` are missing
        /// if it holds no position of an unfinished game.
        Degrees = "degrees",
        /// A row for each move: `row`, the place of its slot among those asked for; `number`;
        /// `child`, the slot that it leads to, or missing and `over` the result; `within`, whether
        /// it stays in the group; `undo`, the number of the move of the child that takes it back, if
        /// the rules can forbid that; `symmetric`, of the child.
        Successors = "successors",
        /// A row for each un-move to a position of the same group: `row`; `parent`, its slot;
        /// `number`, that of the parent's move; `undo`, the number of the move from here that takes
        /// that move back; `symmetric`, of the parent.
        Predecessors = "predecessors",
    }
}

/// States as numbers, for programs that play.
pub trait Programming: Send + Sync {
    /// The questions that a program is asked, with their answers of a kind. With `shortest`,
    /// only the quickest win and the slowest loss are right.
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions>;
}
