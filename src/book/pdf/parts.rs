//! The parts of a booklet, one after the other.

use std::collections::BTreeMap;

use super::font::Font;
use super::sheet::{Place, Sheets};
use super::typeset::{Area, Flow, LEADING, Piece, Shape, foot, lines, piece};
use super::{Paper, PdfError, Setting};
use crate::book::{Book, Problem};
use crate::draw::render;

/// What a part of the book is set with.
struct Press<'a> {
    book: &'a Book,
    setting: &'a Setting,
    area: Area,
    /// The type size of running text.
    size: f32,
    /// Columns of running text.
    columns: u8,
    /// Parts begun so far: title and page, for the contents.
    parts: Vec<(String, usize)>,
}

/// Sets the whole book.
pub(super) fn lay_out(book: &Book, setting: &Setting, sheets: &mut Sheets) -> Result<(), PdfError> {
    let small = setting.paper == Paper::A5;
    let (side, head, feet) = if small { (40.0, 44.0, 62.0) } else { (58.0, 60.0, 76.0) };
    let area = Area {
        left: side,
        right: sheets.width - side,
        top: head,
        bottom: sheets.height - feet,
    };
    let mut press = Press {
        book,
        setting,
        area,
        size: if small { 9.2 } else { 9.8 },
        columns: if small { 1 } else { 2 },
        parts: Vec::new(),
    };
    press.title(sheets)?;
    // The contents are set when the pages of the parts are known.
    let contents = sheets.begin();
    press.problems(sheets)?;
    press.hints(sheets)?;
    press.solutions(sheets)?;
    press.themes(sheets)?;
    press.lengths(sheets)?;
    press.contents(sheets, contents)
}

impl Press<'_> {
    fn middle(&self) -> f32 {
        f32::midpoint(self.area.left, self.area.right)
    }

    fn centred_lines(
        &self,
        sheets: &mut Sheets,
        page: usize,
        mut y: f32,
        size: f32,
        text: Piece,
    ) -> Result<f32, PdfError> {
        let width = self.area.width();
        for line in lines(&mut sheets.fonts, &[text], size, (width, width))? {
            for (font, text) in line {
                y += 1.15 * size;
                sheets.centred(page, (self.middle(), y), size, font, &text)?;
            }
        }
        Ok(y)
    }

    fn title(&self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let page = sheets.begin();
        let front = &self.book.front;
        let scale = sheets.width / 595.28;
        sheets.bookmark(front.title.clone(), false, page, 0.0);
        let mut y = 0.13 * sheets.height;
        if !front.author.trim().is_empty() {
            y = self.centred_lines(sheets, page, y, 13.0 * scale, piece(Font::Regular, &front.author))?;
        }
        y += 26.0 * scale;
        y = self.centred_lines(sheets, page, y, 34.0 * scale, piece(Font::Regular, &front.title))?;
        if !front.subtitle.trim().is_empty() {
            y += 10.0 * scale;
            y = self.centred_lines(sheets, page, y, 15.0 * scale, piece(Font::Italic, &front.subtitle))?;
        }
        // The first problem as a frontispiece, as large as there is room.
        let picture = sheets.add_picture(&render(&self.book.problems[0].diagram, &self.setting.style))?;
        let (width, height) = (sheets.pictures[picture].width, sheets.pictures[picture].height);
        let foot = self.area.bottom - 20.0;
        let room = foot - y - 60.0 * scale;
        if room > 60.0 {
            let zoom = (0.62 * self.area.width() / width).min(room / height);
            let at = (
                self.middle() - zoom * width / 2.0,
                y + 30.0 * scale + (room - zoom * height) / 2.0,
            );
            sheets.picture(page, at, zoom, picture);
        }
        let line = format!("{}, solved completely with tesuji", front.game);
        self.centred_lines(sheets, page, foot, 10.0 * scale, piece(Font::Regular, line))?;
        Ok(())
    }

    /// Begins a part on a new page, and returns the page and where its text begins.
    fn begin(&mut self, sheets: &mut Sheets, title: &str) -> Result<(usize, f32), PdfError> {
        let page = sheets.begin();
        let y = self.area.top;
        sheets.bookmark(title, false, page, y);
        sheets.mark(Place::Section(self.parts.len()), page, y);
        self.parts.push((title.to_owned(), page));
        sheets.text(page, (self.area.left, y + 16.0), 20.0, Font::Regular, title)?;
        sheets.rule(page, (self.area.left, self.area.right), y + 26.0);
        foot(sheets, page, self.area, title)?;
        Ok((page, y + 36.0))
    }

    fn contents(&self, sheets: &mut Sheets, page: usize) -> Result<(), PdfError> {
        let area = self.area;
        let size = self.size + 1.2;
        sheets.text(page, (area.left, area.top + 16.0), 20.0, Font::Regular, "Contents")?;
        sheets.rule(page, (area.left, area.right), area.top + 26.0);
        let mut y = area.top + 50.0;
        for (place, (title, at)) in self.parts.iter().enumerate() {
            let width = sheets.text(page, (area.left, y), size, Font::Regular, title)?;
            let number = sheets.fonts.shape(Font::Regular, &(at + 1).to_string())?;
            let right = area.right - number.width() * size;
            sheets.run(page, (right, y), size, &number);
            let dot = sheets.fonts.shape(Font::Regular, ".")?;
            let mut x = (area.left + width + 8.0).max(area.left);
            x += (right - x).rem_euclid(6.0);
            while x < right - 8.0 {
                sheets.run(page, (x, y), size, &dot);
                x += 6.0;
            }
            let link = [area.left, y - size, area.right, y + 0.3 * size];
            sheets.link(page, link, Place::Section(place));
            y += 1.7 * size;
        }
        y += 14.0;
        let mut flow = Flow::new(area, 1, page, y, "");
        for text in [
            "A problem says who is to move and what is asked. Plies count the moves of both sides, the last one of the game included: a win in 7 is won with the winner's fourth move.",
            "In solutions ! marks the key, ? a try, which fails to the one reply after it. Variations are indented; moves in brackets are duals, which do as well. Set play is what would happen if the other side were to move.",
            "The number of a problem leads to its solution, the number of a solution back to the problem.",
        ] {
            flow.paragraph(sheets, area, &[piece(Font::Regular, text)], self.size, Shape::default())?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
    }

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

    fn problems(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
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
        let (wide, high) = (sheets.pictures[picture].width, sheets.pictures[picture].height);
        let zoom = (0.9 * width / wide).min((height - below - 14.0).max(20.0) / high).min(2.2);
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
        sheets.link(page, [left, from, left + width, y + 3.0], Place::Solution(place));
        Ok(())
    }

    fn hints(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        if self.book.problems.iter().all(|problem| problem.hints.is_empty()) {
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
            let shape = Shape { hang: 14.0, ..Shape::default() };
            flow.paragraph(sheets, self.area, &text, self.size, shape)?;
            flow.skip(0.25 * self.size);
        }
        Ok(())
    }

    fn solutions(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let (page, below) = self.begin(sheets, "Solutions")?;
        let mut flow = Flow::new(self.area, self.columns, page, below, "Solutions");
        for (place, problem) in self.book.problems.iter().enumerate() {
            let mut head = vec![
                piece(Font::Bold, format!("{}.", place + 1)),
                piece(Font::Regular, &problem.task),
            ];
            if !problem.themes.is_empty() {
                head.push(piece(Font::Italic, format!("({})", problem.themes.join(", "))));
            }
            let shape = Shape { hang: 14.0, keep: 2, ..Shape::default() };
            let (page, y) = flow.paragraph(sheets, self.area, &head, self.size, shape)?;
            let left = flow.left();
            sheets.mark(Place::Solution(place), page, y);
            let link = [left, y, left + flow.width, y + LEADING * self.size];
            sheets.link(page, link, Place::Problem(place));
            for line in &problem.solution {
                let text = line.trim_start();
                let depth = (line.len() - text.len()).min(12) as f32;
                let indent = 14.0 + 3.5 * depth;
                let shape = Shape { indent, hang: indent + 10.0, keep: 0 };
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
            let shape = Shape { hang: 14.0, keep: 1, ..Shape::default() };
            flow.paragraph(sheets, self.area, &head, self.size, shape)?;
            let numbers: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
            let shape = Shape { indent: 14.0, hang: 14.0, keep: 0 };
            let text = [piece(Font::Regular, numbers.join(", "))];
            flow.paragraph(sheets, self.area, &text, self.size, shape)?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
    }

    fn themes(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
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

    fn lengths(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
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
