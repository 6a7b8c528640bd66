//! The diagrams of a booklet, chapter by chapter.

use krilla::tagging::Tag;

use super::PdfError;
use super::parts::{Begun, HEADING, Press, heading, spoken};
use super::sheet::{Place, Sheets};
use super::structure::{Element, Structure};
use super::typeset::{LEADING, Runs, even_lines, foot, line_around, piece};
use crate::book::Problem;
use crate::draw::typeset::Cut;

/// Where a problem is put.
struct Spot {
    page: usize,
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    /// The number of its picture, and how much it is enlarged.
    picture: usize,
    zoom: f32,
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

    /// The type size of what stands around a diagram: larger beside a large one.
    const fn caption_size(&self) -> f32 {
        if self.per_page <= 1 {
            1.6 * self.size
        } else {
            self.size
        }
    }

    /// What stands below a diagram, in lines.
    fn caption(
        &self,
        link: Element,
        place: usize,
        problem: &Problem,
        width: f32,
    ) -> Result<Vec<Runs>, PdfError> {
        let label = piece(Cut::Bold, link, format!("{}.", place + 1));
        let mut task = vec![label, piece(Cut::Regular, link, &problem.task)];
        if let Some(grade) = problem.grade {
            let stars = "\u{2605}".repeat(grade.stars().into());
            let grade = format!("({} {stars})", grade.words());
            task.push(piece(Cut::Regular, link, grade));
        }
        even_lines(&task, self.caption_size(), width)
    }

    /// What stands above a diagram, in lines: its title, then its author and source.
    fn credit(
        &self,
        parent: Element,
        structure: &mut Structure,
        problem: &Problem,
        width: f32,
    ) -> Result<Vec<Runs>, PdfError> {
        let credit = &problem.credit;
        let mut lines = Vec::new();
        for (cut, text) in [
            (Cut::Italic, credit.title.trim()),
            (Cut::Regular, credit.line().as_str()),
        ] {
            if !text.is_empty() {
                let element = structure.below(parent, Tag::P);
                let text = [piece(cut, element, text)];
                lines.extend(even_lines(&text, self.caption_size(), width)?);
            }
        }
        Ok(lines)
    }

    /// The height of what stands above a diagram.
    fn above(&self, credit: &[Runs]) -> f32 {
        if credit.is_empty() {
            return 0.0;
        }
        (credit.len() as f32).mul_add(LEADING * self.caption_size(), 5.0)
    }

    /// The height of what stands below a diagram.
    fn below(&self, caption: &[Runs]) -> f32 {
        (caption.len() as f32).mul_add(LEADING * self.caption_size(), 12.0)
    }

    /// How much diagrams are enlarged: as much as all of them can be, so that squares are
    /// equally large on all pages.
    fn scale(
        &self,
        sheets: &Sheets,
        section: Element,
        pictures: &[usize],
        (width, height): (f32, f32),
    ) -> Result<f32, PdfError> {
        let mut scale = if self.per_page <= 1 { 8.0 } else { 2.2 };
        let problems = self.book.problems.iter().enumerate();
        for ((place, problem), &picture) in problems.zip(pictures) {
            let picture = &sheets.pictures[picture];
            let caption = self.caption(section, place, problem, width)?;
            // Only its height matters: these elements are in no file.
            let credit =
                self.credit(section, &mut Structure::measuring(section), problem, width)?;
            let text = self.above(&credit) + self.below(&caption);
            let high = (height - text - 14.0).max(20.0);
            scale = (0.9 * width / picture.width)
                .min(high / picture.height)
                .min(scale);
        }
        Ok(scale)
    }

    pub fn problems(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let (columns, rows) = self.grid();
        let each = usize::from(self.per_page.clamp(1, 12));
        let gap = 18.0;
        let book = self.book;
        let mut chapters = book.chapters.clone();
        if chapters.is_empty() {
            chapters.push(("Problems".to_owned(), 0));
        }
        let width = (self.area.width() - f32::from(columns - 1) * gap) / f32::from(columns);
        let height = |top: f32| (self.area.bottom - top) / f32::from(rows);
        let heights = (height(self.area.top + HEADING), height(self.area.top));
        let pictures = book.problems.iter();
        let pictures = pictures.map(|problem| self.picture(sheets, problem));
        let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
        let mut zoom = None;
        let ends = chapters.iter().skip(1).map(|(_, first)| *first);
        let ends: Vec<usize> = ends.chain([book.problems.len()]).collect();
        for ((title, start), end) in chapters.into_iter().zip(ends) {
            let Begun { page, y, section } = self.begin(sheets, &title)?;
            // The first page of a chapter has least room.
            let zoom = match zoom {
                Some(zoom) => zoom,
                None => *zoom.insert(self.scale(sheets, section, &pictures, (width, heights.0))?),
            };
            for (number, problems) in book.problems[start..end].chunks(each).enumerate() {
                let (page, top, height) = if number == 0 {
                    (page, y, heights.0)
                } else {
                    let page = sheets.begin();
                    foot(sheets, page, self.area, &title)?;
                    (page, self.area.top, heights.1)
                };
                let first = start + number * each;
                let range = format!("{}\u{2013}{}", first + 1, first + problems.len());
                sheets.bookmark(range, true, page, 0.0);
                let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
                for ((place, problem), (column, row)) in problems.iter().enumerate().zip(cells) {
                    let spot = Spot {
                        page,
                        left: self.area.left + f32::from(column) * (width + gap),
                        top: top + f32::from(row) * height,
                        width,
                        height,
                        picture: pictures[first + place],
                        zoom,
                    };
                    self.problem(sheets, &spot, section, first + place, problem)?;
                }
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
            picture,
            zoom,
        } = spot;
        let size = self.caption_size();
        let (item, link) = linked(&mut sheets.structure, section, place, problem);
        let caption = self.caption(link, place, problem, width)?;
        let credit = self.credit(item, &mut sheets.structure, problem, width)?;
        let above = self.above(&credit);
        let (wide, high) = (
            sheets.pictures[picture].width,
            sheets.pictures[picture].height,
        );
        let free = (height - above - self.below(&caption) - zoom * high) / 2.0;
        let most = if self.per_page <= 1 {
            f32::INFINITY
        } else {
            24.0
        };
        let mut y = top + free.clamp(0.0, most);
        sheets.mark(Place::Problem(place), page, y);
        let middle = left + width / 2.0;
        for (number, line) in (1_u8..).zip(credit) {
            let base = f32::from(number).mul_add(LEADING * size, y - 0.3 * size);
            line_around(sheets, page, (middle, base), size, line);
        }
        y += above;
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
}

/// A section for a problem, with a heading that is a link: section and link.
pub(super) fn linked(
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
