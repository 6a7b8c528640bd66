//! The parts of a booklet: problems, hints, solutions, indexes.

use std::collections::BTreeMap;

use super::PdfError;
use super::font::Font;
use super::parts::Press;
use super::sheet::{Place, Sheets};
use super::typeset::{Flow, LEADING, Shape, foot, lines, piece};
use crate::book::Problem;
use crate::draw::render;

impl Press<'_> {
    /// Columns and rows of diagrams on a page.
    fn grid(&self) -> (u8, u8) {
        match self.setting.per_page {
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
        let each = usize::from(self.setting.per_page.clamp(1, 12));
        let gap = 18.0;
        let book = self.book;
        for (number, problems) in book.problems.chunks(each).enumerate() {
            let (page, top) = if number == 0 {
                self.begin(sheets, "Problems")?
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
                let left = self.area.left + f32::from(column) * (width + gap);
                let cell = [left, top + f32::from(row) * height, width, height];
                self.problem(sheets, page, first + place, problem, cell)?;
            }
        }
        Ok(())
    }

    fn problem(
        &self,
        sheets: &mut Sheets,
        page: usize,
        place: usize,
        problem: &Problem,
        [left, top, width, height]: [f32; 4],
    ) -> Result<(), PdfError> {
        let size = self.size;
        let label = piece(Font::Bold, format!("{}.", place + 1));
        let task = [label, piece(Font::Regular, &problem.task)];
        let caption = lines(&mut sheets.fonts, &task, size, (width, width))?;
        let below = (caption.len() as f32).mul_add(LEADING * size, 12.0);
        let picture = sheets.add_picture(&render(&problem.diagram, &self.setting.style))?;
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
        sheets.picture(page, (middle - zoom * wide / 2.0, y), zoom, picture);
        y += zoom * high;
        let from = y;
        for line in caption {
            y += LEADING * size;
            let mut runs = Vec::new();
            for (font, text) in line {
                runs.push(sheets.fonts.shape(font, &text)?);
            }
            let total: f32 = runs.iter().map(|run| run.width() * size).sum();
            let mut x = middle - total / 2.0;
            for run in runs {
                sheets.run(page, (x, y), size, &run);
                x += run.width() * size;
            }
        }
        sheets.link(
            page,
            [left, from, left + width, y + 3.0],
            Place::Solution(place),
        );
        Ok(())
    }

    pub fn hints(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        if self
            .book
            .problems
            .iter()
            .all(|problem| problem.hints.is_empty())
        {
            return Ok(());
        }
        let (page, below) = self.begin(sheets, "Hints")?;
        let mut flow = Flow::new(self.area, self.columns, page, below, "Hints");
        for (place, problem) in self.book.problems.iter().enumerate() {
            if problem.hints.is_empty() {
                continue;
            }
            let text = [
                piece(Font::Bold, format!("{}.", place + 1)),
                piece(Font::Regular, problem.hints.join(" ")),
            ];
            let shape = Shape {
                hang: 14.0,
                ..Shape::default()
            };
            flow.paragraph(sheets, self.area, &text, self.size, shape)?;
            flow.skip(0.25 * self.size);
        }
        Ok(())
    }

    pub fn solutions(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let (page, below) = self.begin(sheets, "Solutions")?;
        let mut flow = Flow::new(self.area, self.columns, page, below, "Solutions");
        for (place, problem) in self.book.problems.iter().enumerate() {
            let mut head = vec![
                piece(Font::Bold, format!("{}.", place + 1)),
                piece(Font::Regular, &problem.task),
            ];
            if !problem.themes.is_empty() {
                head.push(piece(
                    Font::Italic,
                    format!("({})", problem.themes.join(", ")),
                ));
            }
            let shape = Shape {
                hang: 14.0,
                keep: 2,
                ..Shape::default()
            };
            let (page, y) = flow.paragraph(sheets, self.area, &head, self.size, shape)?;
            let left = flow.left();
            sheets.mark(Place::Solution(place), page, y);
            let link = [left, y, left + flow.width, y + LEADING * self.size];
            sheets.link(page, link, Place::Problem(place));
            for line in &problem.solution {
                let text = line.trim_start();
                let depth = (line.len() - text.len()).min(12) as f32;
                let indent = 14.0 + 3.5 * depth;
                let shape = Shape {
                    indent,
                    hang: indent + 10.0,
                    keep: 0,
                };
                let text = [piece(Font::Regular, text)];
                flow.paragraph(sheets, self.area, &text, self.size - 0.6, shape)?;
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
        let (page, below) = self.begin(sheets, title)?;
        let mut flow = Flow::new(self.area, self.columns, page, below, title);
        for (name, meaning, places) in entries {
            let mut head = vec![piece(Font::Bold, name)];
            if !meaning.is_empty() {
                head.push(piece(Font::Italic, meaning));
            }
            let shape = Shape {
                hang: 14.0,
                keep: 1,
                ..Shape::default()
            };
            flow.paragraph(sheets, self.area, &head, self.size, shape)?;
            let numbers: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
            let shape = Shape {
                indent: 14.0,
                hang: 14.0,
                keep: 0,
            };
            let text = [piece(Font::Regular, numbers.join(", "))];
            flow.paragraph(sheets, self.area, &text, self.size, shape)?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
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
