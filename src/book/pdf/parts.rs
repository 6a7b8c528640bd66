//! A booklet from title page to last index; the parts themselves are in `sections`.

use std::num::NonZeroU16;

use krilla::tagging::kind::Hn;
use krilla::tagging::{ArtifactType, Tag, TagKind};

use super::font::Run;
use super::picture::Picture;
use super::setting::{Paper, Part, PdfError, Setting};
use super::sheet::{Element, LinkTarget, Role, Sheets};
use super::typeset::{Area, Flow, Runs, Shape, TIGHT, fitted, piece};
use crate::book::data::{Book, Problem};
use crate::book::page::style;
use crate::draw::typeset::Cut;
use crate::draw::{Diagram, Style, render};

/// What a part of the book is set with.
pub(super) struct Press<'a> {
    pub book: &'a Book,
    pub sheets: Sheets,
    /// How many diagrams a page has.
    pub per_page: u8,
    style: Style,
    pub area: Area,
    /// The type size of running text.
    pub size: f32,
    /// Columns of running text.
    pub columns: u8,
    /// Whether themes are named.
    pub themed: bool,
    /// Parts begun so far: title and page, for the contents.
    parts: Vec<(String, usize)>,
    /// The page and the height at which running text ended, if another part may follow there.
    pub rest: Option<(usize, f32)>,
}

/// Sets the whole book: again, if the contents turn out to need more pages than were kept free.
pub(super) fn lay_out(book: &Book, setting: &Setting) -> Result<Sheets, PdfError> {
    let mut kept = 1;
    loop {
        let (sheets, missing) = set(book, setting, kept)?;
        if missing == 0 {
            return Ok(sheets);
        }
        kept += missing;
    }
}

/// Sets the whole book with `kept` pages of contents, and gives how many more they need.
fn set(book: &Book, setting: &Setting, kept: usize) -> Result<(Sheets, usize), PdfError> {
    let sheets = Sheets::new(setting.paper, book.template.file.page);
    let columns = book.template.file.solutions.columns;
    let small = setting.paper == Paper::A5;
    let (side, head, feet) = if small {
        (40.0, 44.0, 62.0)
    } else {
        (58.0, 60.0, 76.0)
    };
    let area = Area {
        left: side,
        right: sheets.width - side,
        top: head,
        bottom: sheets.height - feet,
    };
    // A single problem is a sheet: its diagram, and the texts about it.
    let alone = book.problems.len() == 1;
    let mut press = Press {
        book,
        sheets,
        per_page: if alone { 1 } else { setting.per_page },
        style: style(setting.style.clone()),
        area,
        size: if small { 9.2 } else { 9.8 },
        columns: columns.unwrap_or(if small { 1 } else { 2 }),
        themed: !setting.without.contains(&Part::Themes),
        parts: Vec::new(),
        rest: None,
    };
    let has = |part: Part| {
        !setting.without.contains(&part) && (!alone || matches!(part, Part::Hints | Part::Themes))
    };
    if has(Part::Cover) {
        press.title()?;
    }
    // The contents are set when the pages of the parts are known.
    let contents = if alone {
        None
    } else {
        let page = press.sheets.begin();
        let title = press.text("Contents");
        for _ in 1..kept {
            press.sheets.begin();
        }
        Some((page, press.heading((page, area.top), &title)?, title))
    };
    if has(Part::Rules) {
        press.rules()?;
    }
    press.problems()?;
    if has(Part::Hints) {
        press.hints()?;
    }
    press.solutions()?;
    if press.themed && !alone {
        press.themes()?;
    }
    if has(Part::Lengths) {
        press.lengths()?;
    }
    let pages = press.sheets.pages.len();
    let Some((page, section, title)) = contents else {
        press.notes()?;
        return Ok((press.sheets, 0));
    };
    let mut flow = Flow::new(area, 1, page, area.top + HEADING, &title);
    flow.kept = page + kept - 1;
    press.contents(&mut flow, section)?;
    let missing = press.sheets.pages.len() - pages;
    Ok((press.sheets, missing))
}

/// From the upper edge of a heading to what follows it.
pub(super) const HEADING: f32 = 36.0;

/// A heading of a level from 1.
pub(super) fn heading(level: u16, title: impl Into<String>) -> Tag<Hn> {
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    Tag::Hn(level, Some(title.into()))
}

impl Press<'_> {
    /// Adds an element as the last below another.
    pub(super) fn below(&mut self, parent: Element, tag: impl Into<TagKind>) -> Element {
        self.sheets.structure.below(parent, tag)
    }

    /// What comes of work on pages of which nothing is kept, below an element.
    pub(super) fn trying<T>(
        &mut self,
        section: Element,
        work: impl FnOnce(&mut Self) -> Result<T, PdfError>,
    ) -> Result<T, PdfError> {
        let scratch = self.sheets.scratch(section);
        let kept = std::mem::replace(&mut self.sheets, scratch);
        let done = work(self);
        self.sheets = kept;
        done
    }

    /// What the book says in place of a text of the program.
    pub(super) fn text(&self, text: &str) -> String {
        self.book.template.text(text)
    }

    fn centred_lines(&mut self, page: usize, mut y: f32, (size, lines): (f32, Vec<Runs>)) -> f32 {
        for line in lines {
            y += TIGHT * size;
            self.sheets
                .line_around(page, (self.area.middle(), y), size, line);
        }
        y
    }

    fn title(&mut self) -> Result<(), PdfError> {
        let page = self.sheets.begin();
        let front = &self.book.front;
        let scale = self.sheets.width / 595.28;
        self.sheets.bookmark(front.title.clone(), false, page, 0.0);
        let section = self.sheets.structure.top(Tag::Section);
        let mut y = 0.13 * self.sheets.height;
        let mut line = |press: &mut Self, element, cut, (before, size), text: &str| {
            y += before * scale;
            let text = piece(cut, element, text);
            // Together they take half of the page at most, above the last line.
            let room = if size > 20.0 { 0.3 } else { 0.1 } * press.sheets.height;
            let lines = fitted(&text, size * scale, press.area.width(), room)?;
            y = press.centred_lines(page, y, lines);
            Ok(y)
        };
        if !front.author.trim().is_empty() {
            let element = self.below(section, Tag::P);
            line(self, element, Cut::Regular, (0.0, 13.0), &front.author)?;
        }
        let element = self.below(section, Tag::Title);
        let mut below = line(self, element, Cut::Regular, (26.0, 34.0), &front.title)?;
        if !front.subtitle.trim().is_empty() {
            let element = self.below(section, Tag::P);
            below = line(self, element, Cut::Italic, (10.0, 15.0), &front.subtitle)?;
        }
        // The first problem as a frontispiece, as large as there is room.
        let problem = &self.book.problems[0];
        let picture = self.picture(problem)?;
        let (width, height) = self.sheets.pictures[picture].size;
        let foot = self.area.bottom - 20.0;
        let room = foot - below - 60.0 * scale;
        if room > 60.0 {
            let zoom = (0.62 * self.area.width() / width).min(room / height);
            let at = (
                self.area.middle() - zoom * width / 2.0,
                below + 30.0 * scale + (room - zoom * height) / 2.0,
            );
            let words = problem.spoken(&self.book.template);
            self.sheets.picture(page, at, zoom, picture, section, words);
        }
        let several = front.games.len() > 1;
        let games = if several { "Games" } else { "Game" };
        let names = front.games.join("; ");
        let text = self.text(&format!("{games}: {names}. Solved with tesuji."));
        let text = piece(Cut::Regular, self.below(section, Tag::P), text);
        let lines = fitted(&text, 10.0 * scale, self.area.width(), 50.0)?;
        self.centred_lines(page, foot, lines);
        Ok(())
    }

    /// Adds the diagram of a problem.
    pub(super) fn picture(&mut self, problem: &Problem) -> Result<usize, PdfError> {
        self.diagram(&problem.diagram, &format!("of problem '{}'", problem.id))
    }

    /// Adds a diagram; `whose` names it in an error.
    pub(super) fn diagram(&mut self, diagram: &Diagram, whose: &str) -> Result<usize, PdfError> {
        let picture = Picture::new(&render(diagram, &self.style), &format!("that {whose}"))?;
        self.sheets.pictures.push(picture);
        Ok(self.sheets.pictures.len() - 1)
    }

    /// Begins a section with its heading, of one line or two smaller ones.
    fn heading(&mut self, (page, top): (usize, f32), title: &str) -> Result<Element, PdfError> {
        let Area { left, right, .. } = self.area;
        let section = self.sheets.structure.top(Tag::Section);
        let title = piece(Cut::Regular, self.below(section, heading(1, title)), title);
        let (size, lines) = fitted(&title, 20.0, right - left, 30.0)?;
        let mut y = match lines.len() {
            ..=1 => top + 16.0,
            _ => top + 20.0 - TIGHT * size,
        };
        for line in lines {
            self.sheets.line_from(page, (left, y), size, line);
            y += TIGHT * size;
        }
        self.sheets.rule(page, left, right, top + 26.0);
        Ok(section)
    }

    /// Begins a part, on a new page or below the running text before it. Returns the page, the
    /// height at which its text begins, and its section.
    pub(super) fn begin(
        &mut self,
        title: &str,
        below: Option<(usize, f32)>,
    ) -> Result<(usize, f32, Element), PdfError> {
        let (page, y) = below.unwrap_or_else(|| (self.sheets.begin(), self.area.top));
        self.sheets.bookmark(title, false, page, y);
        let part = LinkTarget::Section(self.parts.len());
        self.sheets.mark(part, page, y);
        self.parts.push((title.to_owned(), page));
        let section = self.heading((page, y), title)?;
        if below.is_none() {
            self.sheets.foot(page, self.area, title)?;
        }
        Ok((page, y + HEADING, section))
    }

    fn contents(&mut self, flow: &mut Flow, section: Element) -> Result<(), PdfError> {
        let area = self.area;
        let size = self.size + 1.2;
        let list = self.below(section, Tag::TOC);
        let dot = Run::new(Cut::Regular, ".")?;
        // The baseline of the first is 50 points down.
        flow.y += 50.0 - HEADING - 0.98 * size;
        for (place, (title, number)) in std::mem::take(&mut self.parts).iter().enumerate() {
            let entry = self.below(list, Tag::TOCI);
            let element = self.below(entry, Tag::Link);
            let words = self.text(&format!("{title}, page {}", number + 1));
            let number = Run::new(Cut::Regular, (number + 1).to_string())?;
            let right = area.right - number.width() * size;
            flow.width = right - area.left - 20.0;
            let title = [piece(Cut::Regular, element, title)];
            let (first, [_, top, width]) =
                flow.paragraph(&mut self.sheets, &title, size, Shape::default())?;
            let (page, y) = (flow.page, flow.y - 0.3 * size);
            let top = if first == page { top } else { area.top };
            let sheets = &mut self.sheets;
            sheets.run(page, Role::Part(element), (right, y), size, number);
            let mut x = (area.left + width + 8.0).max(area.left);
            x += (right - x).rem_euclid(6.0);
            let dots = Role::Artifact(ArtifactType::Layout);
            while x < right - 8.0 {
                sheets.run(page, dots, (x, y), size, dot.clone());
                x += 6.0;
            }
            let link = [area.left, top - 0.02 * size, area.right, y + 0.3 * size];
            sheets.link(page, link, LinkTarget::Section(place), words, element);
            flow.y += 0.42 * size;
        }
        flow.width = area.width();
        flow.y += 14.0 + 0.98 * size;
        let numbers = "The number of a problem leads to its solution, the number of a solution back to the problem.";
        let numbers = self.text(numbers);
        let notes = self.book.notes.iter().map(String::as_str);
        self.paragraphs(section, flow, notes.chain([&*numbers]))
    }
}
