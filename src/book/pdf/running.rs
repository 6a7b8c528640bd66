//! Running text of a booklet: hints, solutions, indexes.

use std::collections::BTreeMap;

use krilla::tagging::{ListNumbering, Tag};

use super::PdfError;
use super::parts::{Begun, Press};
use super::sections::linked;
use super::sheet::{Place, Sheets};
use super::structure::{Element, Structure};
use super::typeset::{Flow, LEADING, Shape, piece};
use crate::draw::typeset::Cut;

/// Halvings of the range in which the end of balanced columns lies.
const STEPS: usize = 7;

impl Press<'_> {
    /// A part of running text. The columns of its last page are about equally long.
    fn running(
        &mut self,
        sheets: &mut Sheets,
        title: &str,
        set: impl Fn(&Self, &mut Sheets, Element, &mut Flow) -> Result<(), PdfError>,
    ) -> Result<(), PdfError> {
        let Begun { page, y, section } = self.begin(sheets, title)?;
        let flow = || Flow::new(self.area, self.columns, page, y, title);
        // Where the text ends on a page and in a column that ends at so much.
        let tried = |last: Option<(usize, f32)>| {
            let mut scratch = sheets.scratch(section);
            let mut flow = flow();
            flow.last = last;
            set(self, &mut scratch, section, &mut flow)?;
            Ok::<_, PdfError>(flow.page())
        };
        let mut last = None;
        if self.columns > 1 {
            let end = tried(None)?;
            let top = if end == page { y } else { self.area.top };
            let (mut low, mut high) = (top, self.area.bottom);
            for _ in 0..STEPS {
                let middle = f32::midpoint(low, high);
                if tried(Some((end, middle)))? == end {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            last = Some((end, high));
        }
        let mut flow = flow();
        flow.last = last;
        set(self, sheets, section, &mut flow)
    }

    pub fn hints(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let problems = &self.book.problems;
        if problems.iter().all(|problem| problem.hints.is_empty()) {
            return Ok(());
        }
        self.running(sheets, "Hints", |press, sheets, section, flow| {
            let numbering = Tag::L(ListNumbering::Decimal);
            let list = sheets.structure.below(section, numbering);
            let problems = press.book.problems.iter().enumerate();
            for (place, problem) in problems.filter(|(_, problem)| !problem.hints.is_empty()) {
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
                flow.paragraph(sheets, &text, press.size, shape)?;
                flow.skip(0.25 * press.size);
            }
            Ok(())
        })
    }

    pub fn solutions(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        self.running(sheets, "Solutions", |press, sheets, section, flow| {
            for place in 0..press.book.problems.len() {
                press.solution(sheets, section, flow, place)?;
            }
            Ok(())
        })
    }

    /// The solution of a problem, below what is asked.
    fn solution(
        &self,
        sheets: &mut Sheets,
        section: Element,
        flow: &mut Flow,
        place: usize,
    ) -> Result<(), PdfError> {
        let problem = &self.book.problems[place];
        let (item, element) = linked(&mut sheets.structure, section, place, problem);
        let mut head = vec![
            piece(Cut::Bold, element, format!("{}.", place + 1)),
            piece(Cut::Regular, element, &problem.task),
        ];
        if self.themed && !problem.themes.is_empty() {
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
        Ok(())
    }

    /// An index: headings, each with the numbers of problems.
    fn index(
        &mut self,
        sheets: &mut Sheets,
        title: &str,
        entries: &[(String, String, Vec<usize>)],
    ) -> Result<(), PdfError> {
        self.running(sheets, title, |press, sheets, section, flow| {
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
                flow.paragraph(sheets, &head, press.size, shape)?;
                let numbers: Vec<String> =
                    places.iter().map(|place| (place + 1).to_string()).collect();
                let shape = Shape {
                    indent: 14.0,
                    hang: 14.0,
                    keep: 0,
                };
                let element = sheets.structure.below(body, Tag::P);
                let text = [piece(Cut::Regular, element, numbers.join(", "))];
                flow.paragraph(sheets, &text, press.size, shape)?;
                flow.skip(0.5 * press.size);
            }
            Ok(())
        })
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
