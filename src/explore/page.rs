//! The page: its files, and a small game as one file, without a server.

use std::collections::HashMap;
use std::fmt::Write;

use indexmap::IndexSet;
use serde_json::{Value as Json, json};

use super::answers;
use crate::base::progress::Progress;
use crate::book::{escape, harmless, policy, signed};
use crate::session::{
    Asked, Evaluating, Lines, Palette, PointedMove, PositionValues, Session, SessionError,
    TableSession,
};

/// The questions and answers, in the terms of `OpenAPI`.
pub(super) const OPENAPI: &str = include_str!("openapi.json");

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [(&str, &str, &str); 10] = [
    ("", HTML, include_str!("web/page.html")),
    ("page.css", CSS, include_str!("web/page.css")),
    ("app.js", SCRIPT, include_str!("web/app.js")),
    ("api.js", SCRIPT, include_str!("web/api.js")),
    ("board.js", SCRIPT, include_str!("web/board.js")),
    ("values.js", SCRIPT, include_str!("web/values.js")),
    ("desk.js", SCRIPT, include_str!("web/desk.js")),
    ("umpire.js", SCRIPT, include_str!("web/umpire.js")),
    ("mining.js", SCRIPT, include_str!("web/mining.js")),
    ("dom.js", SCRIPT, include_str!("web/dom.js")),
];

pub(super) fn file(path: &str) -> Option<(&'static str, &'static str)> {
    let found = FILES.iter().find(|(name, ..)| *name == path)?;
    Some((found.1, found.2))
}

/// What answers in a page without the program, in place of `api.js`.
const STILL: &str = include_str!("web/still.js");

/// The modules in an order in which each follows those that it imports.
const ORDER: [&str; 8] = [
    "dom", "api", "board", "values", "desk", "umpire", "mining", "app",
];

/// The page as one document that answers from its own data, which is JSON.
pub(super) fn one_file(title: &str, data: &str) -> String {
    let mut script = String::from("\"use strict\";\nconst modules = {};\n");
    for name in ORDER {
        let text = match name {
            "api" => STILL,
            name => file(&format!("{name}.js")).map_or("", |(_, text)| text),
        };
        script += &as_function(name, text);
    }
    let style = file("page.css").map_or("", |(_, text)| text);
    let policy = policy(style, &script);
    let page = file("").map_or("", |(_, text)| text);
    let charset = "<meta charset=\"utf-8\">\n";
    let policy =
        format!("{charset}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    let title = format!("<title>{}</title>", escape(title));
    let link = "<link rel=\"stylesheet\" href=\"page.css\">";
    let style = format!("<style>{style}</style>");
    let module = "<script type=\"module\" src=\"app.js\"></script>\n";
    let data = format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{script}</script>\n</body>",
        harmless(data)
    );
    let parts = [
        (charset, policy),
        ("<title>tesuji explore</title>", title),
        (link, style),
        (module, String::new()),
        ("</body>", data),
    ];
    // No part has a place that comes after it: titles are escaped, and style sheets have no tags.
    let put = |page: String, (place, part): (&str, String)| page.replacen(place, &part, 1);
    parts.into_iter().fold(page.to_owned(), put)
}

/// A module as a function that gives what the module exports. Its imports and exports must
/// each be a line, as they are in these modules.
fn as_function(name: &str, text: &str) -> String {
    let mut body = String::new();
    let mut exports = Vec::new();
    for line in text.lines() {
        let import = line.strip_prefix("import ");
        if let Some((what, from)) = import.and_then(|it| it.split_once(" from \"./")) {
            let module = from.trim_end_matches(".js\";");
            let what = what.trim_start_matches("* as ");
            let _ = writeln!(body, "const {what} = modules.{module};");
            continue;
        }
        let exported = line.strip_prefix("export ");
        if let Some(line) = exported {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let mut names =
                words.filter(|word| !["", "const", "async", "function", "class"].contains(word));
            exports.extend(names.next());
        }
        body += exported.unwrap_or(line);
        body.push('\n');
    }
    let exports = exports.join(", ");
    format!("modules.{name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

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
/// If the game is too large for one page, or its table cannot be read.
pub fn still_page(session: &dyn Session, progress: &dyn Progress) -> Result<String, SessionError> {
    let mut game = answers::game(session)?;
    game["operations"] = json!(OPERATIONS);
    game["filters"] = json!([]);
    let mut reached = Reached {
        boards: session.arranging()?,
        evaluating: session.evaluating()?,
        lines: session.lines()?,
        palette: session.arranging()?.palette(),
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
            return Err(SessionError::TooMuch(format!(
                "{} has too many positions for a page without the program, which has at most {} MiB; leave --html out to explore it with the program, or take a smaller board",
                session.spec(),
                MOST_BYTES >> 20
            )));
        }
    }
    let ground = session.arranging()?.board("")?;
    let (files, ranks) = ground.diagram.labels();
    game["ground"] = json!({
        "size": [ground.size.0, ground.size.1],
        "files": files,
        "ranks": ranks,
        "graph": answers::graph(&ground.diagram),
        "shaded": answers::shaded(&ground.diagram),
    });
    let acts: Vec<_> = reached.acts.iter().collect();
    let whole = json!({ "game": game, "things": reached.things, "acts": acts, "states": states });
    Ok(one_file(&session.spec(), &whole.to_string()))
}

/// A move: its name, where it begins and where it is aimed.
type Act = (String, [u8; 2], [i8; 2]);

/// Positions, found by playing all moves.
struct Reached<'a> {
    boards: &'a TableSession,
    evaluating: &'a dyn Evaluating,
    lines: &'a dyn Lines,
    palette: Palette,
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
        let asked = self.positions.iter().skip(from).take(TOGETHER);
        let asked: Vec<_> = asked.cloned().collect();
        let questions: Vec<_> = asked.iter().map(|text| Asked::Position(text)).collect();
        let values = self.evaluating.evaluate_batch(&questions, progress)?;
        let valued = asked.iter().zip(values);
        let states = valued.map(|(text, values)| self.state(text, &values?));
        states.collect()
    }

    fn state(&mut self, text: &str, values: &PositionValues) -> Result<Json, SessionError> {
        let board = self.boards.board(text)?;
        let mut squares = Vec::new();
        for thing in &board.things {
            let place = self.palette.place(thing).unwrap_or_else(|| {
                let known = self.extra.entry(thing.words.to_string());
                *known.or_insert_with(|| {
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
            let next = self.lines.play(text, &value.name)?.state();
            let place = |next| self.positions.insert_full(next).0.into();
            let next: Json = next.map_or(json!(-1), place);
            moves.push(json!([self.act(pointed), signed(value.value), next]));
        }
        let forbidden = board.forbidden.as_ref().map(|mv| self.act(mv));
        let (position, side, value) = (board.position, board.side, signed(values.value));
        Ok(json!([position, side, value, squares, moves, forbidden]))
    }

    fn act(&mut self, mv: &PointedMove) -> usize {
        let (from, to) = ([mv.from.column, mv.from.row], [mv.to.column, mv.to.row]);
        self.acts.insert_full((mv.name.clone(), from, to)).0
    }
}
