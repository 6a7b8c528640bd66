//! The data of a web page as compact JSON: a move that occurs many times is written
//! once.
//!
//! Points are numbered row by row from the bottom, including the ring around the board:
//! `(row + 1) * (columns + 2) + column + 1`. A turn is `[board, choices, banned]`. A
//! choice is `[act, worth, reply, next]`, without the elements at the end that do not
//! apply; worth is plies, negative for a loss, 0 for a draw; next is -1 where the tree is
//! cut. A symbol is its index among the shapes, each `[name, path, degrees, is hollow]`. A
//! solution is text, and `[text, ply]` where it names a ply of the variations. A puzzle has the
//! index of its board, since books have puzzles of several games.

use std::borrow::Cow;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value as Json, json};

use super::data::{Act, Book, Choice, Problem, Reached, Turn, VariationPly};
use crate::analysis::Then;
use crate::base::value::{Outcome, Value};
use crate::draw::{BoardSquare, Diagram, Flank, Glyph, PieceStand, Point, Slide, Symbol, Tone};
use crate::game::Standing;

/// The data of the page as JSON that is safe inside HTML.
pub(super) fn encode(book: &Book) -> String {
    let mut encoder = Encoder::default();
    // Each with whether moves lead off it, in any of its problems.
    let mut boards: IndexMap<Json, bool> = IndexMap::new();
    let mut problems = Vec::new();
    for problem in &book.problems {
        encoder.size = problem.diagram.size();
        let board = boards.entry(encoder.ground(&problem.diagram));
        let place = board.index();
        *board.or_default() |= problem.leads_off();
        let mut data = encoder.problem(problem);
        let words = book.template.text(problem.grade.words());
        data["grade"] = json!([problem.grade.stars(), words]);
        data["board"] = json!(place);
        problems.push(data);
    }
    let boards = boards.into_iter().map(|(mut board, beyond)| {
        board["beyond"] = json!(beyond);
        board
    });
    let legend: Map<String, Json> = std::mem::take(&mut encoder.legend)
        .iter()
        .enumerate()
        .map(|(place, (glyph, words))| (letter(place).to_string(), encoder.kind(glyph, words)))
        .collect();
    let themes = book.themes.iter();
    let themes = themes.map(|(name, meaning)| (name.clone(), json!(meaning)));
    let chapters = book.chapters.iter();
    let chapters = chapters.map(|(title, problems)| (title, problems.start));
    let whole = json!({
        "title": book.front.title,
        "subtitle": book.front.subtitle,
        "author": book.front.author,
        "game": book.front.games.join("; "),
        "boards": boards.collect::<Vec<_>>(),
        "shapes": encoder.shapes.iter().map(shape).collect::<Vec<_>>(),
        "legend": legend,
        "themes": themes.collect::<Map<_, _>>(),
        "chapters": chapters.collect::<Vec<_>>(),
        "notes": book.notes,
        "words": book.template.texts().collect::<Vec<_>>(),
        "acts": encoder.acts.iter().collect::<Vec<_>>(),
        "bans": encoder.bans.iter().collect::<Vec<_>>(),
        "puzzles": problems,
    });
    harmless(&whole.to_string())
}

/// The JSON with all characters escaped that could end a script element or begin a
/// comment.
pub(crate) fn harmless(json: &str) -> String {
    // These occur in strings only.
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// The graph that is drawn instead of squares: `{"names": {point: name}, "edges": [[a, b], ...]}`.
fn graph(ground: &Diagram, point: impl Fn(BoardSquare) -> i32) -> Option<Json> {
    let graph = ground.drawn_graph()?;
    let names = graph.vertices();
    let names = names.map(|(at, name)| (point(at).to_string(), json!(name)));
    let edges: Vec<_> = graph.edges().iter().map(|edge| edge.map(&point)).collect();
    Some(json!({ "names": names.collect::<Map<_, _>>(), "edges": edges }))
}

/// The words of a solution: text, and for the name of a move `[text, ply]`.
fn words(problem: &Problem) -> Vec<Json> {
    let mut words = Vec::new();
    let mut text = String::new();
    for line in &problem.solution {
        let mut told = 0;
        for named in &line.moves {
            text += &line.text[told..named.place.start];
            words.push(json!(std::mem::take(&mut text)));
            words.push(json!([line.text[named.place.clone()], named.ply]));
            told = named.place.end;
        }
        text += &line.text[told..];
        text.push('\n');
    }
    words.push(json!(text.trim_end()));
    words
}

#[derive(Default)]
struct Encoder {
    /// That of the board at hand.
    size: Point,
    acts: IndexSet<Json>,
    bans: IndexSet<Json>,
    legend: IndexSet<(Glyph, Cow<'static, str>)>,
    shapes: IndexSet<Symbol>,
}

/// The letter that stands for a glyph on boards: a to z, then private-use characters, of
/// which there are more than squares.
fn letter(place: usize) -> char {
    let mut letters = ('a'..='z').chain('\u{e01a}'..='\u{f8ff}');
    letters.nth(place).unwrap_or('\u{f8ff}')
}

fn shape(symbol: &Symbol) -> Json {
    let degrees = 90 * u16::from(symbol.quarters());
    let hollow = symbol.tone == Tone::Light;
    json!([symbol.name, symbol.outline(), degrees, hollow])
}

/// A value in a number: plies, negative for a loss, 0 for a draw.
pub(crate) fn signed(value: Value) -> i32 {
    let plies = i32::from(value.plies().unwrap_or(0));
    if value.outcome() == Outcome::Loss {
        -plies
    } else {
        plies
    }
}

const fn tone_name(tone: Tone) -> &'static str {
    match tone {
        Tone::Dark => "dark",
        Tone::Light => "light",
    }
}

impl Encoder {
    fn kind(&mut self, glyph: &Glyph, words: &str) -> Json {
        match glyph {
            &Glyph::Piece(tone) => json!([tone_name(tone), words]),
            &Glyph::Men(tone, ref man, count) => {
                let tone = tone_name(tone);
                json!(["man", words, tone, man.letter(), man.paths(), count])
            }
            Glyph::Hole => json!(["hole", words]),
            Glyph::Absent => json!(["absent", words]),
            Glyph::Filled => json!(["filled", words]),
            Glyph::Blocked => json!(["blocked", words]),
            Glyph::Text(text) => json!(["text", words, text]),
            Glyph::Symbol(symbol) => {
                json!(["symbol", words, self.shapes.insert_full(symbol.clone()).0])
            }
        }
    }

    /// A stand: `[head, caption, [[symbol, count], ...]]`; head is null if there is none.
    fn stand(&mut self, stand: &PieceStand) -> Json {
        let head = stand.head.clone();
        let head = head.map(|sign| self.shapes.insert_full(sign).0);
        let held = stand
            .held
            .iter()
            .map(|(symbol, count)| json!([self.shapes.insert_full(symbol.clone()).0, count]));
        json!([head, stand.caption, held.collect::<Vec<_>>()])
    }

    fn point(&self, point: Point) -> i32 {
        let width = i32::from(self.size.column) + 2;
        (i32::from(point.row) + 1) * width + i32::from(point.column) + 1
    }

    /// The empty board of a diagram.
    fn ground(&self, ground: &Diagram) -> Json {
        let (files, ranks) = ground.labels();
        json!({
            "size": [self.size.column, self.size.row],
            "files": files,
            "ranks": ranks,
            "above": ground.files_above,
            "right": ground.ranks_at == Flank::Right,
            "graph": graph(ground, |square| self.point(square.into())),
            "shaded": ground.shaded().map(|square| self.point(square.into())).collect::<Vec<_>>(),
            "stars": ground.stars().map(|star| [star.column, star.row]).collect::<Vec<_>>(),
        })
    }

    /// The number of a move.
    fn act(&mut self, act: &Act) -> usize {
        let ends = |slide: &Slide| [self.point(slide.from.into()), self.point(slide.to)];
        let slides: Vec<i32> = act.slides.iter().flat_map(ends).collect();
        let lost = act.slides.iter().position(|slide| slide.lost);
        let lost = lost.map_or(json!(-1), Json::from);
        let (from, to) = (self.point(act.from.into()), self.point(act.to));
        let mut whole = vec![json!(act.name), json!(from), json!(to), json!(slides), lost];
        if !act.appears.is_empty() {
            let appears = act.appears.iter();
            let appears: Vec<Json> = appears
                .flat_map(|thing| {
                    let key = (thing.glyph.clone(), thing.words.clone());
                    let letter = letter(self.legend.insert_full(key).0).to_string();
                    [json!(self.point(thing.cell.into())), json!(letter)]
                })
                .collect();
            whole.push(json!(appears));
        }
        self.acts.insert_full(Json::Array(whole)).0
    }

    /// The number of a forbidden move.
    fn ban(&mut self, act: &Act) -> usize {
        let ban = json!([act.name, self.point(act.from.into()), self.point(act.to)]);
        self.bans.insert_full(ban).0
    }

    fn cells(&mut self, things: &[Standing]) -> String {
        let sides = [self.size.column, self.size.row];
        let [columns, rows] = sides.map(|side| usize::from(side.unsigned_abs()));
        let mut letters = vec!['.'; columns * rows];
        for thing in things {
            let square = usize::from(thing.cell.row) * columns + usize::from(thing.cell.column);
            let key = (thing.glyph.clone(), thing.words.clone());
            letters[square] = letter(self.legend.insert_full(key).0);
        }
        letters.into_iter().collect()
    }

    fn choice(&mut self, choice: &Choice) -> Json {
        let mut packed = vec![json!(self.act(&choice.act)), json!(signed(choice.worth))];
        if let Some(reply) = &choice.reply {
            packed.push(json!(self.act(reply)));
            match choice.then {
                Then::Over => {}
                Then::Turn(next) => packed.push(json!(next)),
                Then::Cut => packed.push(json!(-1)),
            }
        }
        Json::Array(packed)
    }

    fn turn(&mut self, turn: &Turn) -> Json {
        let board = self.cells(&turn.board);
        let choices = turn.choices.iter();
        let choices: Vec<Json> = choices.map(|choice| self.choice(choice)).collect();
        match &turn.banned {
            Some(act) => json!([board, choices, self.ban(act)]),
            None => json!([board, choices]),
        }
    }

    /// A ply: `[act, ply before it, banned]`; the ply before it is -1 for a first move. Banned is
    /// left out where nothing is, and -1 at the end of the game.
    fn ply(&mut self, ply: &VariationPly) -> Json {
        let act = self.act(&ply.act);
        let after = ply.after.map_or(json!(-1), Json::from);
        match &ply.reached {
            Reached::End => json!([act, after, -1]),
            Reached::Position(Some(banned)) => json!([act, after, self.ban(banned)]),
            Reached::Position(None) => json!([act, after]),
        }
    }

    fn problem(&mut self, problem: &Problem) -> Json {
        let play = &problem.play;
        let nodes: Vec<Json> = play.turns.iter().map(|turn| self.turn(turn)).collect();
        let line: Vec<usize> = play.line.iter().map(|act| self.act(act)).collect();
        let plies: Vec<Json> = play.variations.iter().map(|ply| self.ply(ply)).collect();
        let stands = [Flank::Right, Flank::Left].into_iter();
        let stands = stands.filter_map(|flank| problem.diagram.stand_at(flank));
        let stands: Vec<Json> = stands.map(|stand| self.stand(stand)).collect();
        json!({
            "id": problem.id,
            "title": problem.credit.title,
            "by": problem.credit.line(),
            "task": problem.task,
            "side": problem.side,
            "tone": problem.diagram.to_move.map(tone_name),
            "other": problem.other,
            "length": problem.plies,
            "unit": problem.unit,
            "themes": problem.themes,
            "lured": problem.lured,
            "difficulty": problem.difficulty,
            "position": problem.position,
            "link": problem.link,
            "hints": problem.hints,
            "solution": words(problem),
            "plies": plies,
            "nodes": nodes,
            "line": line,
            "stands": stands,
        })
    }
}
