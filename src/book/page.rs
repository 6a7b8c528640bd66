//! A book as one web page.
//!
//! The page loads nothing. Its content security policy allows only its own script and
//! style sheet, by their hashes.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::data::Book;
use super::encode::encode;
use crate::draw::{Lettering, Style, render};

const TEMPLATE: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("web/data.js"),
    include_str!("web/board.js"),
    include_str!("web/play.js"),
    include_str!("web/gallery.js"),
];

const STILL: &str = "Without JavaScript the puzzles can be looked at, but not played. The page asks nothing of the network.";

/// Makes a book one HTML document that works without a network. The same book always
/// gives the same bytes.
pub fn page(book: &Book) -> String {
    let script = format!("\"use strict\";\n{{\n{}}}\n", SCRIPTS.concat());
    let policy = policy(STYLE, &script);
    let data = encode(book);
    let title = escape(&book.front.title);
    let plain = plain(book);
    let rules = rules(book);
    let language = escape(book.template.language());
    let still = escape(&book.template.text(STILL));
    fill(|name| match name {
        "language" => &language,
        "csp" => &policy,
        "version" => env!("CARGO_PKG_VERSION"),
        "title" => &title,
        "style" => STYLE,
        "data" => &data,
        "plain" => &plain,
        "still" => &still,
        "rules" => &rules,
        "script" => &script,
        _ => "",
    })
}

/// Fills the template with values. Placeholders inside values are not expanded.
fn fill<'v>(value: impl Fn(&str) -> &'v str) -> String {
    let mut text = String::new();
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else {
            break;
        };
        text += before;
        text += value(name);
        rest = after;
    }
    text + rest
}

/// The content security policy of a page with this style sheet and this script, and no others.
pub(crate) fn policy(style: &str, script: &str) -> String {
    let (style, script) = (hash(style), hash(script));
    format!(
        "default-src 'none'; img-src data:; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
    )
}

/// The hash of an element's content, as a content security policy names it.
pub(super) fn hash(content: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(content)))
}

/// Escapes text for HTML, in elements and in attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
        .replace('\0', "\u{fffd}")
}

/// A style of diagrams. Letters are outlines, since pages and cards may load no typeface.
pub(super) fn style(base: Style) -> Style {
    Style {
        lettering: Lettering::Outlines,
        ..base
    }
}

/// The puzzles as a list of pictures with their tasks.
pub(super) fn plain(book: &Book) -> String {
    let style = style(Style::screen());
    let mut text = String::from("<ol class=\"still\">\n");
    for problem in &book.problems {
        let _ = writeln!(
            text,
            "<li><figure>{}<figcaption>{} ({})<br><code>{}</code></figcaption></figure></li>",
            render(&problem.diagram, &style).trim_end(),
            escape(&problem.task),
            escape(&book.template.text(problem.grade.words())),
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
    let style = style(Style::screen());
    let mut text = format!(
        "<details id=\"rules\"><summary>{}</summary>\n<dl class=\"rules\">\n",
        escape(&book.template.text("The rules of the game"))
    );
    for rule in &book.rules {
        let diagram = rule.diagram.as_ref().map(|it| render(it, &style));
        let _ = writeln!(
            text,
            "<div><dt>{}</dt><dd>{}<p>{}</p></dd></div>",
            escape(&rule.title),
            diagram.as_deref().unwrap_or_default().trim_end(),
            escape(&rule.text)
        );
    }
    text + "</dl></details>\n"
}
