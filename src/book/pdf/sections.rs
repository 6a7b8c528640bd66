//! The parts of a booklet: problems, hints, solutions, indexes.

use std::collections::BTreeMap;

use krilla::tagging::{ListNumbering, Tag};

use super::PdfError;
use super::parts::{Begun, Press, heading, spoken};
use super::sheet::{Place, Sheets};
use super::structure::{Element, Structure};
use super::typeset::{Flow, LEADING, Shape, even_lines, foot, line_around, piece};
use crate::book::Problem;
use crate::draw::Cut;

/// Where a problem is put.
struct Spot {
    page: usize,
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Press<'_> {
    /// Columns and rows of diagrams on a page.
    fn grid(&self) -> (u8, u8) {
        match self.per_page {
            0 | 1 => (1, 1),
            2 => (1, 2),
            3 => (1, 3),
            4 => (2, 2),
            5 | 6 => (2, 3),
            7 | 8 => (2, 4),
            9 => (3, 3),
            _ => (3, 4),
        }
    }

    pub fn problems(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let (columns, rows) = self.grid();
        let each = usize::from(self.per_page.clamp(1, 12));
        let gap = 18.0;
        let book = self.book;
        let Begun { page, y, section } = self.begin(sheets, "Problems")?;
        for (number, problems) in book.problems.chunks(each).enumerate() {
            let (page, top) = if number == 0 {
                (page, y)
            } else {
                let page = sheets.begin();
                foot(sheets, page, self.area, "Problems")?;
                (page, self.area.top)
            };
            let first = number * each;
            let range = format!("{}\u{2013}{}", first + 1, first + problems.len());
            sheets.bookmark(range, true, page, 0.0);
            let width = (self.area.width() - f32::from(columns - 1) * gap) / f32::from(columns);
            let height = (self.area.bottom - top) / f32::from(rows);
            let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
            for ((place, problem), (column, row)) in problems.iter().enumerate().zip(cells) {
                let spot = Spot {
                    page,
                    left: self.area.left + f32::from(column) * (width + gap),
                    top: top + f32::from(row) * height,
                    width,
                    height,
                };
                self.problem(sheets, &spot, section, first + place, problem)?;
            }
        }
        Ok(())
    }

    /// Sets a problem; whoever hears the book hears what is asked before the position.
    fn problem(
        &self,
        sheets: &mut Sheets,
        spot: &Spot,
        section: Element,
        place: usize,
        problem: &Problem,
    ) -> Result<(), PdfError> {
        let &Spot {
            page,
            left,
            top,
            width,
            height,
        } = spot;
        let size = self.size;
        let (item, link) = linked(&mut sheets.structure, section, place, problem);
        let label = piece(Cut::Bold, link, format!("{}.", place + 1));
        let task = [label, piece(Cut::Regular, link, &problem.task)];
        let caption = even_lines(&task, size, width)?;
        let below = (caption.len() as f32).mul_add(LEADING * size, 12.0);
        let picture = self.picture(sheets, problem)?;
        let (wide, high) = (
            sheets.pictures[picture].width,
            sheets.pictures[picture].height,
        );
        let zoom = (0.9 * width / wide)
            .min((height - below - 14.0).max(20.0) / high)
            .min(2.2);
        let free = (height - below - zoom * high) / 2.0;
        let mut y = top + free.clamp(0.0, 24.0);
        sheets.mark(Place::Problem(place), page, y);
        let middle = left + width / 2.0;
        let corner = (middle - zoom * wide / 2.0, y);
        sheets.picture(page, corner, zoom, picture, item, spoken(problem));
        y += zoom * high;
        let from = y;
        for line in caption {
            y += LEADING * size;
            line_around(sheets, page, (middle, y), size, line);
        }
        let area = [left, from, left + width, y + 3.0];
        let words = format!("Solution of problem {}", place + 1);
        sheets.link(page, area, Place::Solution(place), words, link);
        Ok(())
    }

    pub fn hints(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let problems = self.book.problems.iter().enumerate();
        let mut hinted = problems
            .filter(|(_, problem)| !problem.hints.is_empty())
            .peekable();
        if hinted.peek().is_none() {
            return Ok(());
        }
        let (mut flow, section) = self.flow(sheets, "Hints")?;
        let list = sheets
            .structure
            .below(section, Tag::L(ListNumbering::Decimal));
        for (place, problem) in hinted {
            let item = sheets.structure.below(list, Tag::LI);
            let label = sheets.structure.below(item, Tag::Lbl);
            let body = sheets.structure.below(item, Tag::LBody);
            let text = [
                piece(Cut::Bold, label, format!("{}.", place + 1)),
                piece(Cut::Regular, body, problem.hints.join(" ")),
            ];
            let shape = Shape {
                hang: 14.0,
                ..Shape::default()
            };
            flow.paragraph(sheets, &text, self.size, shape)?;
            flow.skip(0.25 * self.size);
        }
        Ok(())
    }

    pub fn solutions(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let (mut flow, section) = self.flow(sheets, "Solutions")?;
        for (place, problem) in self.book.problems.iter().enumerate() {
            let (item, element) = linked(&mut sheets.structure, section, place, problem);
            let mut head = vec![
                piece(Cut::Bold, element, format!("{}.", place + 1)),
                piece(Cut::Regular, element, &problem.task),
            ];
            if !problem.themes.is_empty() {
                let themes = format!("({})", problem.themes.join(", "));
                head.push(piece(Cut::Italic, element, themes));
            }
            let shape = Shape {
                hang: 14.0,
                keep: 2,
                ..Shape::default()
            };
            let (page, y) = flow.paragraph(sheets, &head, self.size, shape)?;
            let left = flow.left();
            sheets.mark(Place::Solution(place), page, y);
            let area = [left, y, left + flow.width, y + LEADING * self.size];
            let words = format!("Diagram of problem {}", place + 1);
            sheets.link(page, area, Place::Problem(place), words, element);
            let mut nest = Nest::new(item);
            for line in &problem.solution {
                let text = line.trim_start();
                let depth = (line.len() - text.len()).min(12);
                let indent = 14.0 + 3.5 * depth as f32;
                let shape = Shape {
                    indent,
                    hang: indent + 10.0,
                    keep: 0,
                };
                let body = nest.item(&mut sheets.structure, depth);
                let text = [piece(Cut::Regular, body, text)];
                flow.paragraph(sheets, &text, self.size - 0.6, shape)?;
            }
            flow.skip(0.7 * self.size);
        }
        Ok(())
    }

    /// An index: headings, each with the numbers of problems.
    fn index(
        &mut self,
        sheets: &mut Sheets,
        title: &str,
        entries: &[(String, String, Vec<usize>)],
    ) -> Result<(), PdfError> {
        let (mut flow, section) = self.flow(sheets, title)?;
        let list = sheets.structure.below(section, Tag::L(ListNumbering::None));
        for (name, meaning, places) in entries {
            let body = item(&mut sheets.structure, list);
            let entry = sheets.structure.below(body, Tag::P);
            let mut head = vec![piece(Cut::Bold, entry, name)];
            if !meaning.is_empty() {
                head.push(piece(Cut::Italic, entry, meaning));
            }
            let shape = Shape {
                hang: 14.0,
                keep: 1,
                ..Shape::default()
            };
            flow.paragraph(sheets, &head, self.size, shape)?;
            let numbers: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
            let shape = Shape {
                indent: 14.0,
                hang: 14.0,
                keep: 0,
            };
            let element = sheets.structure.below(body, Tag::P);
            let text = [piece(Cut::Regular, element, numbers.join(", "))];
            flow.paragraph(sheets, &text, self.size, shape)?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
    }

    /// Begins a part of running text.
    fn flow(&mut self, sheets: &mut Sheets, title: &str) -> Result<(Flow, Element), PdfError> {
        let Begun { page, y, section } = self.begin(sheets, title)?;
        Ok((Flow::new(self.area, self.columns, page, y, title), section))
    }

    pub fn themes(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let book = self.book;
        for (place, problem) in book.problems.iter().enumerate() {
            for theme in &problem.themes {
                found.entry(theme).or_default().push(place);
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let meaning = |name: &str| {
            let known = book.themes.iter().find(|theme| theme.name == name);
            known.map_or(String::new(), |theme| theme.meaning.clone())
        };
        let entries = found.into_iter();
        let entries: Vec<_> = entries
            .map(|(name, places)| (name.to_owned(), meaning(name), places))
            .collect();
        self.index(sheets, "Index of themes", &entries)
    }

    pub fn lengths(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let mut found: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (place, problem) in self.book.problems.iter().enumerate() {
            found.entry(problem.plies).or_default().push(place);
        }
        let name = |plies| match plies {
            0 => "Draws".to_owned(),
            1 => "1 ply".to_owned(),
            plies => format!("{plies} plies"),
        };
        let entries = found.into_iter();
        let entries: Vec<_> = entries
            .map(|(plies, places)| (name(plies), String::new(), places))
            .collect();
        self.index(sheets, "Index of lengths", &entries)
    }
}

/// A section for a problem, with a heading that is a link: section and link.
fn linked(
    structure: &mut Structure,
    part: Element,
    place: usize,
    problem: &Problem,
) -> (Element, Element) {
    let item = structure.below(part, Tag::Section);
    let title = format!("{}. {}", place + 1, problem.task);
    let head = structure.below(item, heading(2, title));
    (item, structure.below(head, Tag::Link))
}

/// Adds an item to a list, and returns its body.
fn item(structure: &mut Structure, list: Element) -> Element {
    let item = structure.below(list, Tag::LI);
    structure.below(item, Tag::LBody)
}

/// Lists within lists, as deep as the lines of a solution are indented.
struct Nest {
    section: Element,
    /// The lists that are not over: indentation, list and the last item's body.
    open: Vec<(usize, Element, Element)>,
}

impl Nest {
    const fn new(section: Element) -> Self {
        Self {
            section,
            open: Vec::new(),
        }
    }

    /// Adds an item that is indented so far, and returns its body.
    fn item(&mut self, structure: &mut Structure, depth: usize) -> Element {
        while self.open.last().is_some_and(|&(open, ..)| open > depth) {
            self.open.pop();
        }
        let list = match self.open.pop() {
            Some((open, list, _)) if open == depth => list,
            outer => {
                let parent = outer.map_or(self.section, |(_, _, body)| body);
                self.open.extend(outer);
                structure.below(parent, Tag::L(ListNumbering::None))
            }
        };
        let body = item(structure, list);
        self.open.push((depth, list, body));
        body
    }
}
