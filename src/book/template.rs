//! Templates: the house style of a book, or its language, as a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use thiserror::Error;

/// The templates that the program has.
const SHIPPED: [(&str, &str); 3] = [
    ("figurines", include_str!("templates/figurines.toml")),
    ("german", include_str!("templates/german.toml")),
    ("japanese", include_str!("templates/japanese.toml")),
];

/// The placeholders that stand for numbers, in `web/data.js` too.
const NUMBERS: [&str; 3] = ["n", "m", "k"];

/// The most words that stand for a placeholder of a short text, in `web/data.js` too. Otherwise its
/// pattern would fit sentences that say something else.
fn most_words(name: &str) -> usize {
    match name {
        "square" | "spec" => 1,
        "side" | "move" => 3,
        // Such as a black piece on b4.
        "piece" => 4,
        _ => usize::MAX,
    }
}

/// Why a template is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TemplateError(String);

/// What a book says in place of the texts of the program, how its solutions are set, and what
/// stands for the letters of moves. The default changes nothing.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// The file, without its texts.
    pub(super) file: File,
    /// Texts of the program, each with what replaces it; those with most letters outside
    /// placeholders first.
    texts: Vec<(Pattern, Pattern)>,
}

/// How solutions are set in a booklet.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Solutions {
    /// The number of columns, 1 to 3; by default what suits the paper.
    pub columns: Option<u8>,
    /// Whether the main line stands in the paragraph of the problem's number and task.
    pub run_in: bool,
}

/// The pages of a booklet, in mm.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Page {
    /// How much wider the inner margin is than the outer one.
    pub binding: f32,
    /// What is cut off on all sides. There are crop marks if it is more than 0.
    pub bleed: f32,
    /// The least width of diagrams: where they would be narrower, a page has fewer.
    pub diagram: f32,
}

/// A template as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    language: Option<String>,
    pub solutions: Solutions,
    pub page: Page,
    texts: BTreeMap<String, String>,
    /// For the first part of the spec of a game, letters and what is printed for them.
    moves: BTreeMap<String, BTreeMap<String, String>>,
    /// For the first part of the spec of a game, the address of a page that shows `{position}`.
    links: BTreeMap<String, String>,
}

/// A text with placeholders: what stands between them, and their names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    text: String,
    pieces: Vec<String>,
    names: Vec<String>,
}

impl Pattern {
    /// Reads `text {name} text`; `None` if a placeholder has no name or no end.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('{');
        let mut pieces = vec![parts.next()?.to_owned()];
        let mut names = Vec::new();
        for part in parts {
            let (name, piece) = part.split_once('}')?;
            let plain = |letter: char| letter.is_ascii_alphanumeric();
            if name.is_empty() || !name.chars().all(plain) {
                return None;
            }
            names.push(name.to_owned());
            pieces.push(piece.to_owned());
        }
        Some(Self {
            text: text.to_owned(),
            pieces,
            names,
        })
    }

    /// Whether one can tell what stands for each placeholder.
    fn is_clear(&self) -> bool {
        let mut between = self.pieces.iter().skip(1).rev().skip(1);
        self.weight() > 0 && between.all(|piece| !piece.is_empty())
    }

    fn weight(&self) -> usize {
        self.pieces.iter().map(String::len).sum()
    }

    /// What stands for the placeholders in a text of this pattern.
    fn captures<'t>(&self, text: &'t str) -> Option<Vec<(&str, &'t str)>> {
        let (first, pieces) = self.pieces.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let mut found = Vec::new();
        for (place, (piece, name)) in pieces.iter().zip(&self.names).enumerate() {
            let capture = if place + 1 == pieces.len() {
                rest.strip_suffix(piece.as_str())?
            } else {
                rest.split_once(piece.as_str())?.0
            };
            // A short pattern would fit across sentences.
            let ends = capture.is_empty() || capture.contains(". ");
            let ends = ends || capture.split(' ').count() > most_words(name);
            let digits = || capture.bytes().all(|byte| byte.is_ascii_digit());
            if ends || NUMBERS.contains(&name.as_str()) && !digits() {
                return None;
            }
            rest = rest.get(capture.len() + piece.len()..)?;
            found.push((name.as_str(), capture));
        }
        rest.is_empty().then_some(found)
    }
}

impl Template {
    /// The template of this name: `figurines`, `german` or `japanese`.
    pub fn shipped(name: &str) -> Option<Self> {
        let (name, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        Self::parse(text, name).ok()
    }

    /// Reads a template. `name` is its file, for errors.
    ///
    /// It is TOML with `language` (a BCP 47 tag), `[solutions]` with `columns` and `run-in`, `[page]`
    /// with `binding`, `bleed` and `diagram` (the least width) in mm,
    /// `[texts]`, which gives for each text of the program what is printed instead, and
    /// `[moves.GAME]`, which gives what is printed for letters of moves; `[links]`, which gives for a game
    /// the address of a page that shows a `{position}`. `{n}`, `{m}` and `{k}`
    /// stand for numbers, `{move}` and `{other}` for moves, other names in braces for texts that are looked up
    /// in turn: `{side}` and `{move}` for at most three words, `{piece}` for four, `{square}` and `{spec}` for one. Lists with
    /// commas and several sentences are looked up part by part, and stay as they are if one is missing.
    ///
    /// # Errors
    /// [`TemplateError`] if it is no such file, or a text names what its key does not.
    pub fn parse(text: &str, name: &str) -> Result<Self, TemplateError> {
        let wrong = |problem: String| TemplateError(format!("{name}: {problem}"));
        let mut file: File = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let columns = file.solutions.columns;
        if columns.is_some_and(|columns| !(1..=3).contains(&columns)) {
            return Err(wrong("solutions.columns is 1, 2 or 3".to_owned()));
        }
        let page = file.page;
        for (name, value, most) in [
            ("binding", page.binding, 20.0),
            ("bleed", page.bleed, 10.0),
            ("diagram", page.diagram, 120.0),
        ] {
            if !(0.0..=most).contains(&value) {
                let why = format!("page.{name} = {value} must be 0 to {most} mm");
                return Err(wrong(why));
            }
        }
        for (game, link) in &file.links {
            let rest = link.strip_prefix("https://");
            let rest = rest.or_else(|| link.strip_prefix("http://"));
            let parts = rest.and_then(|rest| rest.split_once('/'));
            let (host, path) = parts.unwrap_or_default();
            let in_host = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
            let is_host = host.starts_with(|it: char| it.is_ascii_alphanumeric());
            let is_plain = link.len() <= 1_000 && link.chars().all(|it| it.is_ascii_graphic());
            let is_whole = is_plain && is_host && host.chars().all(in_host);
            if !is_whole || path.matches("{position}").count() != 1 {
                return Err(wrong(format!(
                    "links.{game}: give an address such as \"https://lichess.org/analysis/{{position}}\", with {{position}} once after the host, at most 1,000 characters of ASCII and no spaces"
                )));
            }
        }
        let mut texts = Vec::new();
        for (key, said) in std::mem::take(&mut file.texts) {
            let both = Pattern::parse(&key).zip(Pattern::parse(&said));
            let Some((pattern, own)) = both.filter(|(pattern, _)| pattern.is_clear()) else {
                return Err(wrong(format!(
                    "texts.\"{key}\": a placeholder is a name in braces, and two need something between them"
                )));
            };
            if let Some(other) = own.names.iter().find(|it| !pattern.names.contains(it)) {
                return Err(wrong(format!(
                    "texts.\"{key}\" has no {{{other}}}, which '{said}' asks for"
                )));
            }
            // What stands for a placeholder is looked up in turn: more would fill all memory.
            let again = |(at, name): (usize, &String)| own.names[..at].contains(name);
            if said.len() > 4_000 || own.names.iter().enumerate().any(again) {
                return Err(wrong(format!(
                    "texts.\"{key}\": what is printed has at most 4,000 bytes, and each placeholder once"
                )));
            }
            texts.push((pattern, own));
        }
        texts.sort_by_key(|(pattern, _)| usize::MAX - pattern.weight());
        Ok(Self { file, texts })
    }

    /// The language of the texts.
    pub(super) fn language(&self) -> &str {
        self.file.language.as_deref().unwrap_or("en")
    }

    /// Whether it replaces no texts.
    pub(super) fn is_plain(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether it changes neither texts nor moves.
    pub(super) fn changes_nothing(&self) -> bool {
        self.is_plain() && self.file.moves.is_empty()
    }

    /// The address of a page that shows a position of a game. Spaces become `_`, as boards on the web read
    /// them.
    pub(super) fn link(&self, position: &str, game: &str) -> Option<String> {
        let position = address_part(&position.replace(' ', "_"), "/-._");
        Some(self.file.links.get(game)?.replace("{position}", &position))
    }

    /// The texts, each after the one of the program that it stands for.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts.iter();
        texts.map(|(pattern, printed)| (&*pattern.text, &*printed.text))
    }

    /// All that it may print.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        let moves = self.file.moves.values().flat_map(BTreeMap::values);
        let texts = self.texts.iter().map(|(_, printed)| &printed.text);
        texts.chain(moves).map(String::as_str)
    }

    /// What replaces a text; the text itself if the template has nothing for it.
    pub fn text(&self, text: &str) -> String {
        self.said(text, "")
    }

    /// The same for a text with moves of a game.
    pub(super) fn said(&self, text: &str, game: &str) -> String {
        self.known(text, game).unwrap_or_else(|| text.to_owned())
    }

    /// What replaces a text, or each of its sentences, or each part of a list. Nothing, if
    /// the template has nothing for one of them: half of a sentence in each language is none.
    fn known(&self, text: &str, game: &str) -> Option<String> {
        for (pattern, printed) in &self.texts {
            let Some(captures) = pattern.captures(text) else {
                continue;
            };
            let mut whole = printed.pieces[0].clone();
            for (name, piece) in printed.names.iter().zip(&printed.pieces[1..]) {
                let capture = captures.iter().find(|(other, _)| other == name);
                let capture = capture.map_or("", |(_, capture)| capture);
                whole += &match name.as_str() {
                    "move" | "other" => self.spelled(capture, game),
                    number if NUMBERS.contains(&number) => capture.to_owned(),
                    _ => self.said(capture, game),
                };
                whole += piece;
            }
            return Some(whole);
        }
        let (between, after, sign) = [(". ", ".", " "), (", ", "", self.comma())]
            .into_iter()
            .find(|(between, ..)| text.contains(between))?;
        let parts = text
            .split_inclusive(between)
            .map(|part| match part.strip_suffix(between) {
                Some(words) => {
                    let said = self.known(&format!("{words}{after}"), game)?;
                    // A full stop of full width has room of its own.
                    let blank = (!said.ends_with('。')).then_some(sign);
                    Some(said + blank.unwrap_or_default())
                }
                None => self.known(part, game),
            });
        parts.collect()
    }

    /// What stands between the parts of a list.
    pub(super) fn comma(&self) -> &str {
        let own = self.texts().find(|&(text, _)| text == ",");
        own.map_or(", ", |(_, printed)| printed)
    }

    /// A move of a game with the letters of the template.
    pub(super) fn spelled(&self, name: &str, game: &str) -> String {
        let Some(letters) = self.file.moves.get(game) else {
            return name.to_owned();
        };
        let printed = |letter: char| {
            let letter = letter.to_string();
            letters.get(&letter).cloned().unwrap_or(letter)
        };
        name.chars().map(printed).collect()
    }

    /// A part of a solution between moves, clause by clause.
    pub(super) fn clauses(&self, text: &str, game: &str) -> String {
        let mut whole = String::new();
        for part in text.split_inclusive(['(', ')', ':', ';', ',']) {
            let words = part.trim_matches(['(', ')', ':', ';', ',', ' ']);
            match part.find(words).filter(|_| !words.is_empty()) {
                Some(at) => {
                    let said = self.said(words, game);
                    // The moves of set play stand in no variation.
                    let moves = said == words && words.contains(|c: char| c.is_ascii_digit());
                    whole += &part[..at];
                    whole += &if moves {
                        self.spelled(words, game)
                    } else {
                        said
                    };
                    whole += &part[at + words.len()..];
                }
                None => whole += part,
            }
        }
        whole
    }
}

/// A text as a part of an address: but for letters, digits and what else is plain there, it is
/// written as its bytes.
pub(super) fn address_part(text: &str, plain: &str) -> String {
    let mut part = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(char::from(byte)) {
            part.push(byte.into());
        } else {
            let _ = write!(part, "%{byte:02X}");
        }
    }
    part
}
