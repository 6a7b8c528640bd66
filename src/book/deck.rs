//! A book as a deck of cards for Anki: a text file to import, and pictures.

use super::data::{Book, Problem};
use super::page::escape;
use crate::draw::{Style, render};

/// A deck: a text file, and the files that its cards show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    /// Lines with fields between tabs, below a head that tells Anki what they are.
    pub text: String,
    /// Names and contents of the pictures.
    pub media: Vec<(String, Vec<u8>)>,
}

/// The columns of a deck, in order. The last but one is the tags of the card.
pub const DECK_COLUMNS: [&str; 6] = [
    "id",
    "picture",
    "question",
    "solution",
    "tags",
    "difficulty",
];

/// Makes a deck of a book: one card for each problem, with its diagram and what is asked on
/// the front, and its hints and solution on the back. Themes are tags. The text is HTML, and
/// no text of a problem is markup. Pictures are SVG, which Anki shows, in files that the text
/// names.
#[must_use]
pub fn deck(book: &Book, style: &Style) -> Deck {
    let mut text = format!(
        "#separator:tab\n#html:true\n#deck:{}\n#tags column:5\n#columns:{}\n",
        one_line(&book.front.title),
        DECK_COLUMNS.join("\t")
    );
    let mut media = Vec::new();
    for (number, problem) in (1..).zip(&book.problems) {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        // Names of files and tags have no other letters.
        let id: String = problem.id.chars().filter(|&letter| plain(letter)).collect();
        let name = format!("tesuji-{number:04}-{id}.svg");
        let picture = render(&problem.diagram, style);
        let fields = [
            one_line(&problem.id),
            format!("<img src=\"{name}\">"),
            question(problem),
            solution(problem),
            tags(problem),
            problem.difficulty.to_string(),
        ];
        text += &fields.join("\t");
        text.push('\n');
        media.push((name, picture.into_bytes()));
    }
    Deck { text, media }
}

/// Text as HTML in one field: without tabs and line breaks.
fn one_line(text: &str) -> String {
    escape(&text.replace(char::is_control, " "))
}

fn question(problem: &Problem) -> String {
    let credit = &problem.credit;
    let parts = [credit.title.clone(), credit.line(), problem.task.clone()];
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .map(|part| one_line(part))
        .collect::<Vec<_>>()
        .join("<br>")
}

/// The solution, indented as in print.
fn solution(problem: &Problem) -> String {
    let lines = problem.solution.iter().map(|line| {
        let inner = line.trim_start();
        let indent = "&nbsp;".repeat(2 * (line.len() - inner.len()).min(24));
        format!("{indent}{}", one_line(inner))
    });
    lines.collect::<Vec<_>>().join("<br>")
}

/// The themes as tags, which have no spaces.
fn tags(problem: &Problem) -> String {
    let tags = problem.themes.iter();
    let tags = tags.map(|theme| {
        one_line(theme)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join("-")
    });
    tags.collect::<Vec<_>>().join(" ")
}
