//! Books of mined puzzles, and the rows that they are made of.

use std::collections::HashMap;

use indexmap::IndexMap;
use rayon::prelude::*;

use crate::analysis::lures::SwindleTask;
use crate::analysis::{Grade, Stipulation, THEMES};
use crate::base::progress::{NoProgress, Progress};
use crate::base::random::SplitMix64;
use crate::base::text::words;
use crate::book::{
    Book, Credit, Front, LINES_NOTE, MATE_NOTE, MOVES_NOTE, Play, Problem, Rule, Unit,
};
use crate::draw::Diagram;
use crate::export::WORDS;
use crate::game::{Drawable, Moves, RuleExample, RuleInWords};
use crate::mine::{PuzzleRow, titled};
use crate::session::collection::{distinct, firsts, of_puzzle, refuse_many};
use crate::session::lines::read;
use crate::session::{BookOptions, Distinct, Problems, Puzzle, Result, SessionError};

/// A book, and what it leaves out.
#[derive(Debug)]
pub struct Bound {
    /// The book.
    pub book: Book,
    /// Which rows it has: those that repeat a problem are left out.
    pub distinct: Distinct,
    /// Problems that are nearly the same as one before, by their numbers from zero, each with that
    /// one.
    pub near: Vec<(usize, usize)>,
}

/// Makes a book of puzzles of one or more games, in their order, with the names of their authors;
/// of those that are one problem it has the first. They were mined, or no more than game and
/// position is known.
///
/// # Errors
/// If there are no puzzles, one does not agree with the table ([`SessionError::Puzzle`] names it),
/// or the work is to stop.
pub fn book(
    entries: &[Puzzle<'_>],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Bound> {
    let text = |text: &str| options.template.text(text);
    let themes = THEMES.iter();
    let themes = themes.map(|theme| (text(&words(theme.name)), text(theme.meaning)));
    let distinct = distinct(entries, false)?;
    let kept: Vec<_> = distinct.kept.iter().map(|&place| &entries[place]).collect();
    refuse_many("book", kept.len())?;
    let found = all(&kept, options, progress)?;
    let games = of_games(&kept);
    let notes = notes_of(&games, &kept, &found, text)?;
    let rules = rules_of(&games, text)?;
    let rows = entries.iter().map(|entry| entry.row);
    let front = Front {
        title: options.title.clone().unwrap_or_else(|| text(&title(rows))),
        subtitle: String::new(),
        author: options.author.clone().unwrap_or_default(),
        games: games.values().map(|it| name_of(it[0])).collect(),
    };
    let mut book = Book::new(front, found)?;
    (book.themes, book.notes, book.rules) = (themes.collect(), notes, rules);
    book.template = options.template.clone();
    if options.chapters.len() > 1 {
        let mut end = 0;
        let chapters = options.chapters.iter().map(|(title, count)| {
            let first = end;
            end += count;
            let kept = distinct.kept.iter().filter(|it| (first..end).contains(it));
            let game = match entries.get(first) {
                Some(entry) if games.len() > 1 => format!(": {}", name_of(entry)),
                _ => String::new(),
            };
            (text(title) + &game, kept.count())
        });
        book = book.with_chapters(chapters.collect());
    }
    let near = book.near_twins();
    if options.apart {
        book = book.without(&near);
    }
    let subtitle = options.subtitle.clone();
    book.front.subtitle = subtitle.unwrap_or_else(|| match book.problems.len() {
        1 => text("1 problem with its solution"),
        many => text(&format!("{many} problems with their solutions")),
    });
    Ok(Bound {
        book,
        distinct,
        near,
    })
}

/// The cards of puzzles, one for each that is not the problem of an earlier one, in their order.
///
/// # Errors
/// If one does not agree with the table ([`SessionError::Puzzle`] names it), or the work is to stop.
#[cfg(feature = "anki")]
pub fn cards(entries: &[Puzzle<'_>], progress: &dyn Progress) -> Result<Vec<crate::book::Card>> {
    let kept = firsts(entries)?;
    refuse_many("deck", kept.len())?;
    let shown: Vec<_> = kept.values().copied().collect();
    let problems = all(&shown, &BookOptions::default(), progress)?;
    let problems = kept.iter().zip(problems);
    let cards = problems.map(|((identity, entry), problem)| {
        let own = entry.row.own.iter();
        let own = own.filter(|(name, text)| !WORDS.contains(&&**name) && !text.is_empty());
        let own = own.map(|(name, text)| (name.to_string(), text.clone()));
        crate::book::Card::new(identity, problem, own.collect())
    });
    Ok(cards.collect())
}

/// What the problem of a row has whatever is known of its solution.
pub(super) fn outline<G: Drawable>(game: &G, row: &PuzzleRow, state: &G::State) -> Problem {
    Problem {
        id: row.puzzle_id.clone(),
        credit: Credit::default(),
        task: row.stipulation.clone(),
        side: game.side_to_move(state).to_owned(),
        other: String::new(),
        plies: row.plies.unwrap_or(0),
        themes: row.themes.split_whitespace().map(words).collect(),
        grade: row.grade(),
        lured: false,
        unit: Unit::Plies,
        difficulty: row.difficulty,
        position: game.format_state(state),
        link: None,
        diagram: game.diagram(state),
        hints: Vec::new(),
        solution: Vec::new(),
        play: Play::default(),
    }
}

/// The problem of a row, which need not be complete.
fn problem(
    problems: &dyn Problems,
    row: &PuzzleRow,
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Problem> {
    let mut problem = if row.outcome.is_empty() {
        problems.problem(&problems.complete(row, progress)?, options, progress)?
    } else {
        problems.problem(row, options, progress)?
    };
    problem.task = Stipulation::with_side(&problem.task, &problem.side);
    let [title, author, source] = WORDS.map(|name| row.own(name).trim().to_owned());
    problem.credit = Credit {
        title,
        author,
        source,
    };
    Ok(problem)
}

/// The rules of games; those that several have, such as the endings of one game, are there once.
fn rules_of(
    games: &IndexMap<String, Vec<&Puzzle<'_>>>,
    text: impl Fn(&str) -> String + Copy,
) -> Result<Vec<Rule>> {
    let mut rules: Vec<(String, Vec<Rule>)> = Vec::new();
    for of_game in games.values() {
        let own = of_game[0].session.problems()?.rules()?;
        let name = name_of(of_game[0]);
        match rules.iter_mut().find(|(_, other)| same(other, &own)) {
            Some((names, other)) => {
                names.extend(["; ", &name]);
                for (rule, own) in other.iter_mut().zip(own) {
                    rule.diagram = rule.diagram.take().or(own.diagram);
                }
            }
            None => rules.push((name, own)),
        }
    }
    let one = rules.len() == 1;
    let named = rules.into_iter().flat_map(|(names, rules)| {
        let of = if one { String::new() } else { names + ": " };
        rules.into_iter().map(move |rule| Rule {
            title: format!("{of}{}", text(&rule.title)),
            text: text(&rule.text),
            ..rule
        })
    });
    Ok(named.collect())
}

fn same(rules: &[Rule], others: &[Rule]) -> bool {
    let words = |rule: &Rule| (rule.title.clone(), rule.text.clone());
    rules.iter().map(words).eq(others.iter().map(words))
}

/// How stipulations and solutions are read. What is so in some of the games only names them.
fn notes_of(
    games: &IndexMap<String, Vec<&Puzzle<'_>>>,
    entries: &[&Puzzle<'_>],
    found: &[Problem],
    text: impl Fn(&str) -> String,
) -> Result<Vec<String>> {
    let mut notes: IndexMap<String, Vec<String>> = IndexMap::new();
    for (spec, of_game) in games {
        let problems = of_game[0].session.problems()?;
        let own = entries.iter().zip(found);
        let own = own.filter(|(entry, _)| entry.session.spec() == *spec);
        let units: Vec<_> = own.map(|(_, problem)| problem.unit).collect();
        let mut told = problems.notes();
        if units.contains(&Unit::Moves) {
            MOVES_NOTE.clone_into(&mut told[0]);
        }
        if problems.has_lines_only() {
            // The others are about tries and variations.
            told.truncate(1);
            told.push(LINES_NOTE.to_owned());
        }
        if units.contains(&Unit::PliesToMate) {
            told.push(MATE_NOTE.to_owned());
        }
        for note in told {
            notes.entry(note).or_default().push(name_of(of_game[0]));
        }
    }
    let notes = notes.into_iter().map(|(note, names)| match names.len() {
        all if all == games.len() => text(&note),
        _ => format!("{}: {}", names.join("; "), text(&note)),
    });
    let mut notes: Vec<_> = notes.collect();
    notes.push(text(Grade::LEGEND));
    if found.iter().any(|problem| problem.lured) {
        notes.push(text(SwindleTask::LEGEND));
    }
    Ok(notes)
}

/// The entries of each game, in the order in which the games first come.
fn of_games<'e, 'a>(entries: &[&'e Puzzle<'a>]) -> IndexMap<String, Vec<&'e Puzzle<'a>>> {
    let mut games: IndexMap<String, Vec<_>> = IndexMap::new();
    for entry in entries {
        games.entry(entry.session.spec()).or_default().push(*entry);
    }
    games
}

/// What readers call a game, with its settings or the file of its graph.
fn name_of(entry: &Puzzle<'_>) -> String {
    let (spec, title) = (entry.session.spec(), entry.session.title());
    let settings = match spec.rsplit_once('#') {
        _ if title == spec => None,
        Some((graph, _)) if spec.starts_with("graph:") => graph.split_once(':'),
        Some((_, digest)) => digest.split_once(','),
        None => spec.split_once(':'),
    };
    let settings = settings.map(|(_, it)| it.replace('=', ": ").replace(',', ", "));
    settings.map_or_else(|| title.clone(), |it| format!("{title} ({it})"))
}

/// Makes the problems of rows.
fn all(
    entries: &[&Puzzle<'_>],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Vec<Problem>> {
    let made = |entry: &Puzzle<'_>, progress: &dyn Progress| {
        let found = problem(entry.session.problems()?, entry.row, options, progress);
        let mut found = found.map_err(|error| of_puzzle(&entry.name, error))?;
        let spec = entry.session.spec();
        let family = spec.split(':').next().unwrap_or_default();
        found.translate(&options.template, family);
        Ok(found)
    };
    let mut firsts = HashMap::new();
    for of_game in of_games(entries).values() {
        let rows: Vec<_> = of_game.iter().map(|entry| entry.row).collect();
        let problems = of_game[0].session.problems()?;
        problems.prepare_problems(&rows, progress)?;
        // The first problem prepares what the others share, such as the table.
        firsts.insert(of_game[0].name.as_str(), made(of_game[0], progress)?);
    }
    progress.begin("solutions", entries.len() as u64);
    let found = entries.par_iter().map(|entry| {
        progress.go_on(SessionError::Stopped)?;
        let first = firsts.get(entry.name.as_str()).cloned();
        let found = first.map_or_else(|| made(entry, &NoProgress), Ok);
        progress.advance(1);
        found
    });
    // The error of the first row is reported, not the first in time.
    let found: Vec<_> = found.collect();
    found.into_iter().collect()
}

/// The title of puzzles: the name of their filter, if they have one in common that is not `--where`.
pub fn title<'r>(rows: impl IntoIterator<Item = &'r PuzzleRow>) -> String {
    let mut filters = rows.into_iter().map(|row| row.filter.trim());
    let filter = filters.next().unwrap_or_default();
    if filters.all(|other| other == filter) && !["", "where"].contains(&filter) {
        titled(filter)
    } else {
        "Puzzles".to_owned()
    }
}

/// Games that are played at random in the search for an example, and the moves of each.
const GAMES: u64 = 200;
const LONGEST: usize = 60;

/// The rules of a game. `of_kind` draws a move of a kind.
pub(super) fn rules<G: Drawable>(
    game: &G,
    of_kind: impl Fn(&str) -> Option<Diagram>,
) -> Result<Vec<Rule>> {
    let shown = |rule: RuleInWords| {
        game.check_picture()?;
        let diagram = match rule.example {
            RuleExample::None => None,
            RuleExample::Initial => Some(game.diagram(&game.initial())),
            RuleExample::Kind(kind) => of_kind(kind),
            RuleExample::Position(position, mv) => {
                let state = read(game, position)?;
                let mv = game.parse_move(mv).map_err(SessionError::Move)?;
                Some(game.with_move(game.diagram(&state), &state, mv))
            }
        };
        Ok(Rule {
            title: rule.title.to_owned(),
            text: rule.text,
            diagram,
        })
    };
    game.rules_in_words().into_iter().map(shown).collect()
}

/// A move of a kind, as early as one comes in games played at random; always the same.
pub(super) fn example<G: Drawable + Moves>(game: &G, kind: &str) -> Option<Diagram> {
    let place = game.kinds().iter().position(|known| known.name == kind)?;
    let mut most = LONGEST;
    let mut earliest = None;
    for number in 0..GAMES {
        let mut numbers = SplitMix64::new(number);
        let mut state = game.initial();
        for plies in 0..most {
            let moves = game.moves(&state);
            let mut of_kind = moves.iter();
            let of_kind = of_kind.find(|&&mv| game.kinds_of(&state, mv) >> place & 1 == 1);
            if let Some(&mv) = of_kind {
                earliest = Some((state, mv));
                most = plies;
                break;
            }
            let choice = numbers.next() % (moves.len() as u64).max(1);
            let mv = moves.get(usize::try_from(choice).unwrap_or(0));
            let Some(next) = mv.and_then(|&mv| game.play(&state, mv).state()) else {
                break;
            };
            state = next;
        }
    }
    let (state, mv) = earliest?;
    Some(game.with_move(game.diagram(&state), &state, mv))
}
