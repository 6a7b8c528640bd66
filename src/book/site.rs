//! A book as a folder of files that any web server can hand out.

use std::fmt::Write;

use super::data::{Book, Problem};
use super::page::{escape, hash, page, style};
use super::template::address_part;
use crate::draw::{RasterError, Style, raster, render};

/// Dots per inch of preview pictures.
const DPI: u16 = 160;

const STYLE: &str = include_str!("web/site.css");
const SCRIPT: &str = include_str!("web/site.js");

/// The files of a site, by name: `index.html`, the [page](super::page()) of the book; for each
/// problem a page of its own with a preview picture; `today.html`, which leads to another problem
/// every day; and, if the address of the site is known, the feed `feed.xml` (RSS 2.0).
///
/// # Errors
/// If a picture cannot be made.
pub fn site(book: &Book, address: Option<&str>) -> Result<Vec<(String, Vec<u8>)>, RasterError> {
    let address = address.map(|address| address.trim_end_matches('/'));
    let mut files = vec![
        ("index.html".to_owned(), page(book).into_bytes()),
        ("today.html".to_owned(), today(book).into_bytes()),
    ];
    let names: Vec<String> = (1..).zip(&book.problems).map(name).collect();
    for (place, problem) in book.problems.iter().enumerate() {
        let around = [place.checked_sub(1), place.checked_add(1)];
        let around = around.map(|place| names.get(place?).map(String::as_str));
        let html = of_problem(book, (place + 1, problem), &names[place], around, address);
        files.push((format!("{}.html", names[place]), html.into_bytes()));
        let picture = raster(&render(&problem.diagram, &style(Style::print())), DPI)?;
        files.push((format!("{}.png", names[place]), picture));
    }
    if let Some(address) = address {
        let feed = feed(book, &names, address);
        files.push(("feed.xml".to_owned(), feed.into_bytes()));
    }
    Ok(files)
}

/// The name of a problem's files: its id, if that may be one, or its number, with a sign that no id
/// has.
fn name((number, problem): (usize, &Problem)) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let reserved = ["", "index", "today"].contains(&&*problem.id);
    if problem.id.len() <= 64 && problem.id.chars().all(fits) && !reserved {
        problem.id.clone()
    } else {
        format!("problem_{number}")
    }
}

/// The head of a document, with what it may load besides its style.
fn head(book: &Book, title: &str, allowed: &str, more: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {allowed}; style-src '{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"tesuji {}\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n{more}\
         <style>{STYLE}</style>\n</head>\n",
        escape(book.template.language()),
        hash(STYLE),
        env!("CARGO_PKG_VERSION"),
    )
}

fn of_problem(
    book: &Book,
    (number, problem): (usize, &Problem),
    name: &str,
    around: [Option<&str>; 2],
    address: Option<&str>,
) -> String {
    let (title, credit) = (escape(&book.front.title), problem.credit.line());
    let said = [problem.credit.title.trim(), &problem.task, &credit].into_iter();
    let said: Vec<_> = said.filter(|text| !text.is_empty()).map(escape).collect();
    let headline = format!("{number}. {}", said.first().map_or("", String::as_str));
    let said = said.join(" &middot; ");
    let words = escape(&problem.spoken(&book.template));
    // Readers of previews want whole addresses.
    let base = address.map_or_else(String::new, |address| format!("{}/", escape(address)));
    let preview = [
        ("og:type", "article"),
        ("og:title", &headline),
        ("og:description", &said),
        ("og:site_name", &title),
        ("og:image", &format!("{base}{name}.png")),
        ("og:image:alt", &words),
        ("twitter:card", "summary"),
    ]
    .map(|(property, content)| format!("<meta property=\"{property}\" content=\"{content}\">\n"));
    let named = format!("{headline} &middot; {title}");
    let script = hash(SCRIPT);
    let allowed = format!("img-src 'self' data:; frame-src 'self'; script-src '{script}'");
    let head = head(book, &named, &allowed, &preview.concat());
    let text = |words: &str| escape(&book.template.text(words));
    let to = |words: &str, other| match other {
        Some(other) => format!("<a href=\"{other}.html\">{}</a>", text(words)),
        None => "<span></span>".to_owned(),
    };
    let before = to("\u{2190} Previous", around[0]);
    let after = to("Next \u{2192}", around[1]);
    let frame = text(&format!("Problem {number}: {}", problem.task));
    let id = address_part(&problem.id, "-");
    format!(
        "{head}<body>\n<nav>{before}<a href=\"index.html\">{title}</a>{after}</nav>\n<main>\n\
         <script>{SCRIPT}</script>\n\
         <iframe src=\"index.html#{id}&amp;embed\" title=\"{frame}\"></iframe>\n\
         <noscript><p>{said}</p><img src=\"{name}.png\" alt=\"{words}\"></noscript>\n</main>\n</body>\n</html>\n"
    )
}

/// A page that leads to the problem of the day, which the page of the book knows.
fn today(book: &Book) -> String {
    let title = escape(&book.front.title);
    let go = "<meta http-equiv=\"refresh\" content=\"0; url=index.html#today\">\n";
    let text = |words: &str| escape(&book.template.text(words));
    let named = format!("{} &middot; {title}", text("Problem of the day"));
    let head = head(book, &named, "img-src data:", go);
    format!(
        "{head}<body>\n<p><a href=\"index.html#today\">{}</a></p>\n</body>\n</html>\n",
        text("The problem of the day")
    )
}

fn feed(book: &Book, names: &[String], address: &str) -> String {
    let (title, link) = (escape(&book.front.title), escape(address));
    let about = escape(&book.front.subtitle);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n<channel>\n<title>{title}</title>\n<link>{link}/</link>\n<description>{about}</description>\n"
    );
    for ((number, problem), name) in (1..).zip(&book.problems).zip(names) {
        let task = escape(&problem.task);
        let picture = format!("<img src=\"{link}/{name}.png\" alt=\"\"><p>{task}</p>");
        let _ = writeln!(
            text,
            "<item><title>{number}. {task}</title><link>{link}/{name}.html</link><guid>{link}/{name}.html</guid><description>{}</description></item>",
            escape(&picture)
        );
    }
    text += "</channel>\n</rss>\n";
    // XML cannot hold these even escaped.
    let forbidden = |letter: char| match letter {
        '\t' | '\n' | '\r' => false,
        letter => letter < ' ' || matches!(letter, '\u{fffe}' | '\u{ffff}'),
    };
    text.replace(forbidden, "\u{fffd}")
}
