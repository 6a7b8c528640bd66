//! What stands in a page as it is: the rules of the game and, for browsers that run no scripts,
//! the puzzles as diagrams to look at.

use std::fmt::Write;

use super::data::Book;
use super::page::escape;
use crate::draw::{Lettering, Style, render};

/// The style of diagrams. Letters are outlines, since the page may load no typeface.
fn style() -> Style {
    Style {
        lettering: Lettering::Outlines,
        ..Style::default()
    }
}

/// The puzzles as a list of pictures with their tasks.
pub(super) fn plain(book: &Book) -> String {
    let style = style();
    let mut text = String::from("<ol class=\"still\">\n");
    for problem in &book.problems {
        let _ = writeln!(
            text,
            "<li><figure>{}<figcaption>{}{}<br><code>{}</code></figcaption></figure></li>",
            render(&problem.diagram, &style).trim_end(),
            escape(&problem.task),
            problem
                .grade
                .map_or_else(String::new, |grade| format!(" ({})", grade.words())),
            escape(&problem.position)
        );
    }
    text + "</ol>"
}

/// The rules of the game, to be unfolded; nothing if the book has none.
pub(super) fn rules(book: &Book) -> String {
    if book.rules.is_empty() {
        return String::new();
    }
    let style = style();
    let mut text = String::from(
        "<details id=\"rules\"><summary>The rules of the game</summary>\n<dl class=\"rules\">\n",
    );
    for rule in &book.rules {
        let diagram = rule.diagram.as_ref();
        let diagram = diagram.map_or_else(String::new, |diagram| render(diagram, &style));
        let _ = writeln!(
            text,
            "<div><dt>{}</dt><dd>{}<p>{}</p></dd></div>",
            escape(&rule.title),
            diagram.trim_end(),
            escape(&rule.text)
        );
    }
    text + "</dl></details>\n"
}
