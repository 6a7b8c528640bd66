//! What a book has: the front, rules, problems and how each is played.
//!
//! A caller fills it; positions and moves are data, texts are plain.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use thiserror::Error;

use super::template::Template;
use crate::analysis::{Grade, TextLine, Then};
use crate::base::text::plural;
use crate::base::turn::Turn as Symmetry;
use crate::base::value::Value;
use crate::draw::{BoardSquare, Diagram, Flank, Glyph, Point, Slide};
use crate::game::Standing;

/// The title page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Front {
    /// The title.
    pub title: String,
    /// The line below the title; may be empty.
    pub subtitle: String,
    /// The author; may be empty.
    pub author: String,
    /// What readers call the games.
    pub games: Vec<String>,
}

/// What a composer says of a problem; each part may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credit {
    /// The title.
    pub title: String,
    /// The author.
    pub author: String,
    /// Where and when the problem was published first.
    pub source: String,
}

impl Credit {
    /// Author and source in one line.
    pub fn line(&self) -> String {
        let parts = [self.author.trim(), self.source.trim()];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// A rule of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What it is about, in a word or two.
    pub title: String,
    /// What it says.
    pub text: String,
    /// What shows it on a board.
    pub diagram: Option<Diagram>,
}

/// What the length of a problem is a number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Unit {
    /// Moves of the winner, who mates with the last.
    Moves,
    /// Plies to the end of the game.
    Plies,
    /// Plies to the mating move of a mate by checks, not to the end.
    PliesToMate,
}

impl Unit {
    /// A length, as a number of units and in words, such as `9 plies` or `5 moves`.
    pub(super) fn length(self, plies: u16) -> (Self, u16, String) {
        let counted = |count: u16, one| (self, count, plural(count.into(), one));
        match (plies, self) {
            (0, _) => (Self::Moves, 0, "Draws".to_owned()),
            (_, Self::Moves) => counted(plies.div_ceil(2), "move"),
            (_, Self::Plies) => counted(plies, "ply"),
            (_, Self::PliesToMate) => (self, plies, plural(plies.into(), "ply") + " to mate"),
        }
    }
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name, unique in the book.
    pub id: String,
    /// What its composer says of it.
    pub credit: Credit,
    /// The stipulation.
    pub task: String,
    /// The side to move.
    pub side: String,
    /// The other side.
    pub other: String,
    /// Plies to the end of the game, or to the end of a mate or swindle; 0 for a draw.
    pub plies: u16,
    /// The names of its themes.
    pub themes: Vec<String>,
    /// How hard it is to solve.
    pub grade: Grade,
    /// Whether it is solved when the other side has made a mistake that was forced, and the
    /// worths of moves count plies to it.
    pub lured: bool,
    /// What its length is a number of.
    pub unit: Unit,
    /// The difficulty: greater is harder.
    pub difficulty: u32,
    /// The position in notation.
    pub position: String,
    /// The address of a page elsewhere that shows it.
    pub link: Option<String>,
    /// The position as a diagram without captions.
    pub diagram: Diagram,
    /// Hints, each more specific than the one before.
    pub hints: Vec<String>,
    /// The lines of the solution. The moves that they name are those of [`Play::variations`].
    pub solution: Vec<TextLine>,
    /// All play that a reader of the web page can try.
    pub play: Play,
}

/// Why a book is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BookError(String);

/// A book. Every problem has a unique name, and all squares and turns that its play refers
/// to exist.
#[derive(Debug, Clone)]
pub struct Book {
    pub(crate) front: Front,
    /// The names of themes, as shown to readers, with what they mean: by default none is explained.
    pub themes: Vec<(String, String)>,
    pub(crate) problems: Vec<Problem>,
    /// How stipulations and solutions are read, a paragraph each: by default [`NOTES`].
    pub(crate) notes: Vec<String>,
    /// The rules of the game, perhaps none.
    pub rules: Vec<Rule>,
    /// What replaces the program's texts. Problems are in its words already.
    pub(crate) template: Template,
    /// Titles, each with the indices of its problems; in order, none empty, from 0 to the end.
    pub(super) chapters: Vec<(String, Range<usize>)>,
}

/// How stipulations and solutions of games with full information are read.
pub(crate) const NOTES: [&str; 3] = [
    "A problem says who is to move and what is asked. Plies count the moves of both sides, the last one of the game included: a win in 7 is won with the winner's fourth move.",
    "In solutions ! marks the key, ? a try, which fails to the one reply after it. Variations are indented, and replies with the same answer stand together; ~ is every reply that holds out as long. Moves in brackets are duals, which do as well. Set play is what would happen if the other side were to move.",
    "The tree of a solution has only the replies that hold out longest. Three dots mark where it is cut.",
];

/// How a mate in a number of moves is read; the first of [`NOTES`] where every win is a mate.
pub(crate) const MOVES_NOTE: &str = "A problem says who is to move and what is asked. Mate in 5: the side to move mates with its fifth move, and not sooner if the other side defends well.";

/// What a book that was made without a table lacks.
pub const LINES_NOTE: &str = "This book was made without the table of the game: its solutions are main lines, without tries and variations, and on a web page other moves are not judged.";

/// How a mate problem is read, for a book that has one.
pub const MATE_NOTE: &str = "Mate in 5: each move of the solver gives check, and plies count up to the move after which nothing saves the other side, here the solver's third. The last plies of the game follow in the solution, but do not count.";

impl Book {
    /// A book of problems in this order.
    ///
    /// # Errors
    /// [`BookError`] if there is no problem, two have the same name, or the play of a problem
    /// refers to squares or turns that do not exist.
    pub fn new(front: Front, problems: Vec<Problem>) -> Result<Self, BookError> {
        if problems.is_empty() {
            return Err(BookError("a book needs at least one problem".to_owned()));
        }
        let mut names = HashSet::new();
        for problem in &problems {
            if !names.insert(problem.id.as_str()) {
                return Err(BookError(format!(
                    "two problems are named '{}': rename or remove one of them",
                    problem.id
                )));
            }
            problem.check()?;
        }
        Ok(Self {
            front,
            themes: Vec::new(),
            problems,
            notes: NOTES.map(str::to_owned).into(),
            rules: Vec::new(),
            template: Template::default(),
            chapters: Vec::new(),
        })
    }

    /// The book divided into chapters: titles with the numbers of their problems, in order.
    /// Problems beyond the last chapter belong to it.
    pub fn with_chapters(mut self, chapters: Vec<(String, usize)>) -> Self {
        let all = self.problems.len();
        let mut end = 0;
        let chapters = chapters.into_iter().map(|(title, problems)| {
            let first = end;
            end = all.min(first + problems);
            (title, first..end)
        });
        let chapters = chapters.filter(|(_, problems)| !problems.is_empty());
        self.chapters = chapters.collect();
        if let Some((_, problems)) = self.chapters.last_mut() {
            problems.end = all;
        }
        self
    }
}

/// A move as it is shown on a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// The move in notation.
    pub name: String,
    /// The square where it begins.
    pub from: BoardSquare,
    /// The point to which it leads.
    pub to: Point,
    /// All that leaves its square, and where it goes. At most one thing leaves the board.
    pub slides: Vec<Slide>,
    /// What appears on the board.
    pub appears: Vec<Standing>,
}

/// A legal move of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub act: Act,
    /// Its value for the solver; plies include the move itself.
    pub worth: Value,
    /// The best reply, if the game goes on.
    pub reply: Option<Act>,
    /// What follows; nothing if the move was wrong.
    pub then: Then,
}

/// A position with the solver to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// All glyphs on the board.
    pub board: Vec<Standing>,
    /// All legal moves.
    pub choices: Vec<Choice>,
    /// The move that the rules forbid; it has no slides.
    pub banned: Option<Act>,
}

/// A ply of a variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariationPly {
    /// The number of the ply before it, which is smaller; `None` in the position to solve.
    pub after: Option<usize>,
    /// The move.
    pub act: Act,
    /// What follows.
    pub reached: Reached,
}

/// What a ply of a variation leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// The end of the game.
    End,
    /// More play, without the move that the rules forbid; it has no slides.
    Position(Option<Act>),
}

/// The play of a problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Play {
    /// The turns of the solver; the first is the problem.
    pub turns: Vec<Turn>,
    /// The main line, moves of both sides.
    pub line: Vec<Act>,
    /// The plies that the words of the solution name.
    pub variations: Vec<VariationPly>,
}

impl Play {
    /// All moves that are played.
    fn acts(&self) -> impl Iterator<Item = &Act> {
        let choices = self.turns.iter().flat_map(|turn| &turn.choices);
        let acts = choices.flat_map(|choice| choice.reply.iter().chain([&choice.act]));
        let plies = self.variations.iter().map(|ply| &ply.act);
        acts.chain(&self.line).chain(plies)
    }

    /// All moves that the rules forbid.
    fn banned(&self) -> impl Iterator<Item = &Act> {
        let turns = self.turns.iter().filter_map(|turn| turn.banned.as_ref());
        let plies = self.variations.iter().filter_map(|ply| match &ply.reached {
            Reached::Position(banned) => banned.as_ref(),
            Reached::End => None,
        });
        turns.chain(plies)
    }
}

impl Problem {
    /// Whether a move leads off the board.
    pub(super) fn leads_off(&self) -> bool {
        let mut acts = self.play.acts();
        acts.any(|act| self.diagram.square(act.to).is_none())
    }

    /// Whether a move stays on the board, or beside it.
    fn takes(&self, act: &Act) -> bool {
        let board = &self.diagram;
        let on_board = |square: BoardSquare| board.square(square.into()).is_some();
        let slides = act.slides.iter().map(|slide| (slide.from, slide.to));
        let mut ways = slides.chain([(act.from, act.to)]);
        ways.all(|(from, to)| on_board(from) && board.check_point(to).is_ok())
            && act.appears.iter().all(|thing| on_board(thing.cell))
    }

    /// The diagram in words, which only games know in English.
    pub(super) fn spoken(&self, template: &Template) -> String {
        let words = self.diagram.spoken().filter(|_| template.is_plain());
        let position = || format!("{} to move. Position: {}", self.side, self.position);
        words.unwrap_or_else(|| template.text(&position()))
    }

    /// Puts the problem, which is of this game, into the words of a template.
    pub(crate) fn translate(&mut self, template: &Template, game: &str) {
        self.link = template.link(&self.position, game);
        if template.changes_nothing() {
            return;
        }
        let texts = [&mut self.task, &mut self.side, &mut self.other].into_iter();
        for text in texts.chain(&mut self.themes).chain(&mut self.hints) {
            *text = template.said(text, game);
        }
        for flank in [Flank::Right, Flank::Left] {
            if let Some(mut stand) = self.diagram.stand_at(flank).cloned() {
                stand.caption = template.text(&stand.caption);
                self.diagram = self.diagram.clone().stand(flank, stand);
            }
        }
        let play = &mut self.play;
        for TextLine { text, moves } in &mut self.solution {
            let mut whole = String::new();
            let mut end = 0;
            for named in moves {
                let Range { start, end: next } = named.place.clone();
                whole += &template.clauses(&text[end..start], game);
                let from = whole.len();
                whole += &template.spelled(&text[start..next], game);
                (named.place, end) = (from..whole.len(), next);
            }
            whole += &template.clauses(&text[end..], game);
            *text = whole;
        }
        let choices = play.turns.iter_mut().flat_map(|turn| {
            let choices = turn.choices.iter_mut();
            let acts = choices.flat_map(|choice| [Some(&mut choice.act), choice.reply.as_mut()]);
            acts.chain([turn.banned.as_mut()]).flatten()
        });
        let plies = play.variations.iter_mut().map(|ply| &mut ply.act);
        for Act { name, appears, .. } in choices.chain(&mut play.line).chain(plies) {
            *name = template.spelled(name, game);
            for thing in appears {
                thing.words = template.text(&thing.words).into();
            }
        }
        for thing in play.turns.iter_mut().flat_map(|turn| &mut turn.board) {
            thing.words = template.text(&thing.words).into();
        }
    }

    /// Refuses a problem whose play refers to what does not exist.
    fn check(&self) -> Result<(), BookError> {
        let play = &self.play;
        let refused = |why: &str| Err(BookError(format!("problem '{}' {why}", self.id)));
        let follow = play.turns.iter().flat_map(|turn| &turn.choices);
        let follow = follow.filter_map(|choice| match choice.then {
            Then::Turn(next) => Some(next),
            Then::Over | Then::Cut => None,
        });
        // The first turn is the problem.
        if let Some(turn) = follow.chain([0]).find(|&turn| turn >= play.turns.len()) {
            return refused(&format!("has no turn {turn}"));
        }
        let no_ply = "names a ply that does not exist, or where its solution has no text";
        let mut plies = play.variations.iter().enumerate();
        if plies.any(|(number, ply)| ply.after.is_some_and(|after| after >= number)) {
            return refused(no_ply);
        }
        let mut things = play.turns.iter().flat_map(|turn| &turn.board);
        let stand = things.all(|thing| self.diagram.square(thing.cell.into()).is_some());
        let mut acts = play.acts().chain(play.banned());
        if !stand || !acts.all(|act| self.takes(act)) {
            return refused("has a glyph off the board, or a move to more than one square off");
        }
        for line in &self.solution {
            let mut end = 0;
            for named in &line.moves {
                let there = named.place.start >= end && named.ply < play.variations.len();
                if !there || line.text.get(named.place.clone()).is_none() {
                    return refused(no_ply);
                }
                end = named.place.end;
            }
        }
        Ok(())
    }
}

/// What near-twins have in common: the size of the board, the place of the key, and all things
/// but at most one, as they stand after a turn or a reflection of the board.
type Common<'b> = (Point, [Place; 2], Vec<(Place, &'b Glyph)>);

/// A column and a row, counted with the ring of squares around the board, where moves may end.
type Place = (usize, usize);

impl Book {
    /// Problems that differ from one before in no more than one thing on the board, which stands
    /// elsewhere or is missing, and have the same key, up to turns and reflections of the board;
    /// each with the problem that it is nearly the same as, by their numbers from zero. Problems
    /// without a line to play are none.
    pub(crate) fn near_twins(&self) -> Vec<(usize, usize)> {
        let mut known: HashMap<Common<'_>, usize> = HashMap::new();
        let mut twins = Vec::new();
        for (place, problem) in self.problems.iter().enumerate() {
            let Some(key) = problem.play.line.first() else {
                continue;
            };
            let as_it_is = commons(problem, key, Symmetry::IDENTITY);
            if let Some(&twin) = as_it_is.iter().find_map(|common| known.get(common)) {
                twins.push((place, twin));
                continue;
            }
            let (columns, rows) = place_of(problem.diagram.size());
            for symmetry in Symmetry::of_board(columns, rows) {
                for common in commons(problem, key, symmetry) {
                    known.entry(common).or_insert(place);
                }
            }
        }
        twins
    }

    /// The book without such problems. A chapter of which nothing is left has no heading.
    pub(crate) fn without(mut self, twins: &[(usize, usize)]) -> Self {
        let left_out: HashSet<usize> = twins.iter().map(|&(place, _)| place).collect();
        let chapters = std::mem::take(&mut self.chapters).into_iter();
        let chapters = chapters.map(|(title, problems)| {
            let kept = problems.filter(|place| !left_out.contains(place));
            (title, kept.count())
        });
        let mut kept = (0..).map(|place| !left_out.contains(&place));
        self.problems.retain(|_| kept.next() == Some(true));
        self.with_chapters(chapters.collect())
    }
}

/// The board of a problem as it is, and without each thing but the one that the key moves, all
/// turned.
fn commons<'p>(problem: &'p Problem, key: &Act, symmetry: Symmetry) -> Vec<Common<'p>> {
    let board = problem.diagram.size();
    let (columns, rows) = place_of(board);
    let turned = |point| symmetry.image(place_of(point), (columns + 1, rows + 1));
    let things = &problem.play.turns[0].board;
    let mut all: Vec<_> = things
        .iter()
        .map(|thing| (thing.cell, turned(thing.cell.into()), &thing.glyph))
        .collect();
    all.sort_by_key(|&(_, (column, row), _)| (row, column));
    let key_places = [key.from.into(), key.to].map(turned);
    let without = |left_out: Option<usize>| {
        let left = all.iter().enumerate();
        let left = left.filter(|(place, _)| Some(*place) != left_out);
        let left = left.map(|(_, &(_, place, glyph))| (place, glyph));
        (board, key_places, left.collect())
    };
    let idle = (0..all.len()).filter(|&place| all[place].0 != key.from);
    idle.map(Some).chain([None]).map(without).collect()
}

fn place_of(point: Point) -> Place {
    let place = |at: i8| usize::try_from(at + 1).unwrap_or_default();
    (place(point.column), place(point.row))
}
