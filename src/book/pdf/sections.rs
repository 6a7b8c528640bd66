//! The parts of a booklet after the cover: rules, problems, hints, solutions and indexes.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use krilla::tagging::{ListNumbering, Tag};

use super::parts::{HEADING, Press, heading};
use super::setting::PdfError;
use super::sheet::{Element, LinkTarget, MILLIMETRE, Structure};
use super::typeset::{Flow, LEADING, Runs, Shape, even_lines, lines, piece, shortened};
use crate::book::data::Problem;
use crate::draw::typeset::Cut;
use crate::draw::{Diagram, Point};

/// Width and height of the diagrams at most, where there are a few and where there are many.
const LARGE: (f32, f32) = (150.0, 122.0);
const SMALL: (f32, f32) = (92.0, 74.0);

/// Between two columns of diagrams.
const GAP: f32 = 18.0;

/// The longer side of a diagram at least, unless it is small by itself or alone on a page.
const LEAST: f32 = 12.0 * MILLIMETRE;

/// How many diagrams are a few.
const FEW: usize = 3;

/// What is left free beside and below a diagram.
const BESIDE: f32 = 18.0;
const BELOW: f32 = 10.0;

impl Press<'_> {
    /// The rules, if the book has any.
    pub(super) fn rules(&mut self) -> Result<(), PdfError> {
        let book = self.book;
        if book.rules.is_empty() {
            return Ok(());
        }
        let title = &self.text("The rules of the game");
        let (mut page, mut y, section) = self.begin(title, None)?;
        let diagrams = book.rules.iter().filter(|rule| rule.diagram.is_some());
        let (width, highest) = if diagrams.count() <= FEW {
            LARGE
        } else {
            SMALL
        };
        for rule in &book.rules {
            let picture = rule.diagram.as_ref();
            let whose = format!("of the rule '{}'", rule.title);
            let picture = picture.map(|diagram| self.diagram(diagram, &whose));
            let picture = picture.transpose()?;
            let item = self.below(section, Tag::Section);
            let head = self.below(item, heading(2, &rule.title));
            let body = self.below(item, Tag::P);
            let left = self.area.left + width + BESIDE;
            let room = self.area.right - left;
            let words = [
                (self.size + 1.0, vec![piece(Cut::Bold, head, &rule.title)]),
                (self.size, vec![piece(Cut::Regular, body, &rule.text)]),
            ];
            let mut set = Vec::new();
            for (size, words) in words {
                let broken = lines(&words, size, room, room)?;
                set.extend(broken.into_iter().map(|line| (size, line)));
            }
            let text: f32 = set.iter().map(|(size, _)| LEADING * size).sum();
            let (zoom, high) = picture.map_or((1.0, 0.0), |picture| {
                let (wide, high) = self.sheets.pictures[picture].size;
                let zoom = (width / wide).min(highest / high);
                (zoom, zoom * high)
            });
            let height = text.max(high);
            if y + height > self.area.bottom {
                page = self.sheets.begin();
                self.sheets.foot(page, self.area, title)?;
                y = self.area.top;
            }
            let mut base = y;
            for (size, line) in set {
                base += LEADING * size;
                let at = (left, base - 0.25 * size);
                self.sheets.line_from(page, at, size, line);
            }
            if let Some(picture) = picture {
                let at = (self.area.left, y);
                let spoken = rule.diagram.as_ref().and_then(Diagram::spoken);
                let spoken = spoken.filter(|_| book.template.is_plain());
                let words = spoken.unwrap_or_else(|| rule.title.clone());
                self.sheets.picture(page, at, zoom, picture, item, words);
            }
            y += height + BELOW;
        }
        Ok(())
    }
}

/// How much diagrams are enlarged, by their boards, and the heights above and below each and of it.
type Sizes = (HashMap<Point, f32>, Vec<[f32; 3]>);

/// A text by a diagram: at most so much that a page has room for the diagram and all its texts.
fn brief(text: &str) -> String {
    shortened(text, |text| text.chars().count() <= 300)
}

/// Where a problem is put.
struct Spot {
    page: usize,
    left: f32,
    width: f32,
    /// The upper edge of its diagram, the same in a row.
    top: f32,
    /// The number of its picture, and how much it is enlarged.
    picture: usize,
    zoom: f32,
}

impl Press<'_> {
    /// Columns and rows of diagrams on a page.
    fn grid(&self) -> (u8, u8) {
        let columns = match self.per_page {
            ..=3 => 1,
            4..=8 => 2,
            _ => 3,
        };
        (columns, self.per_page.clamp(1, 12).div_ceil(columns))
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
        let stars = "\u{2605}".repeat(problem.grade.stars().into());
        let grade = format!("({} {stars})", self.text(problem.grade.words()));
        let task = [brief(&problem.task), grade].map(|text| piece(Cut::Regular, link, text));
        let task: Vec<_> = [label].into_iter().chain(task).collect();
        even_lines(&task, self.caption_size(), width)
    }

    /// What stands above a diagram, in lines: its title, then its author and source.
    fn credit(
        &mut self,
        parent: Element,
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
                let text = [piece(cut, self.below(parent, Tag::P), brief(text))];
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

    /// The heights of what stands above and below the diagram of each problem.
    fn around(&mut self, section: Element) -> Result<Vec<(f32, f32)>, PdfError> {
        let width = self.width();
        self.trying(section, |press| {
            let mut heights = Vec::new();
            for (place, problem) in press.book.problems.iter().enumerate() {
                let high = press.caption(section, place, problem, width)?.len() as f32;
                let credit = press.credit(section, problem, width)?;
                let below = high.mul_add(LEADING * press.caption_size(), 12.0);
                heights.push((press.above(&credit), below));
            }
            Ok(heights)
        })
    }

    pub(super) fn problems(&mut self) -> Result<(), PdfError> {
        let book = self.book;
        let mut chapters = book.chapters.clone();
        if chapters.is_empty() {
            let title = match &book.problems[..] {
                [_] if !book.front.title.trim().is_empty() => book.front.title.clone(),
                _ => self.text("Problems"),
            };
            chapters.push((title, 0..book.problems.len()));
        }
        let pictures = book.problems.iter().map(|problem| self.picture(problem));
        let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
        let (zooms, sizes) = self.zooms(&pictures)?;
        let each = usize::from(self.per_page.clamp(1, 12));
        let width = self.width();
        for (title, range) in chapters {
            let (mut page, mut top, section) = self.begin(&title, None)?;
            let mut first = range.start;
            while first < range.end {
                if first > range.start {
                    page = self.sheets.begin();
                    self.sheets.foot(page, self.area, &title)?;
                    top = self.area.top;
                }
                let rows = self.rows(&(first..range.end.min(first + each)), &sizes, top);
                let end = rows.last().map_or(range.end, |(row, _)| row.end);
                let range = match end - first {
                    1 => end.to_string(),
                    _ => format!("{}\u{2013}{end}", first + 1),
                };
                self.sheets.bookmark(range, true, page, 0.0);
                first = end;
                for (row, top) in rows {
                    for (place, column) in row.zip(0_u8..) {
                        let problem = &book.problems[place];
                        let spot = Spot {
                            page,
                            left: self.area.left + f32::from(column) * (width + GAP),
                            top,
                            width,
                            picture: pictures[place],
                            zoom: zooms[&problem.diagram.size()],
                        };
                        self.problem(&spot, section, place, problem)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The rows of a page that begins at `top`, and where their diagrams do: as many of the problems
    /// as there is room for, since one that needs more than its cell moves the next down. `sizes` are
    /// the heights above and below a diagram, and its own.
    fn rows(
        &self,
        problems: &Range<usize>,
        sizes: &[[f32; 3]],
        top: f32,
    ) -> Vec<(Range<usize>, f32)> {
        let (columns, count) = self.grid();
        let height = (self.area.bottom - top) / f32::from(count);
        let most = if self.per_page <= 1 {
            f32::INFINITY
        } else {
            24.0
        };
        let (mut rows, mut next) = (Vec::new(), top);
        for start in problems.clone().step_by(columns.into()) {
            let row = start..problems.end.min(start + usize::from(columns));
            let highest = |part: usize| {
                let sizes = sizes[row.clone()].iter().map(|size| size[part]);
                sizes.fold(0.0, f32::max)
            };
            let [above, below, high] = [0, 1, 2].map(highest);
            let from = next.max(top + rows.len() as f32 * height);
            next = from + above + below + high;
            if next > self.area.bottom && !rows.is_empty() {
                break;
            }
            let free = (height - above - below - high) / 2.0;
            rows.push((row, from + free.clamp(0.0, most) + above));
        }
        rows
    }

    /// The width of a cell of the grid.
    fn width(&self) -> f32 {
        let columns = f32::from(self.grid().0);
        (self.area.width() - (columns - 1.0) * GAP) / columns
    }

    /// How much the diagrams with boards of each size are enlarged: as much as all of them can be,
    /// so that squares are equally large on all pages.
    /// Where a few long texts would make them too small, as much as most can be; rows with such texts
    /// are higher then. Where one would still be too small, or narrower than the template asks for,
    /// a page has fewer of them.
    fn zooms(&mut self, pictures: &[usize]) -> Result<Sizes, PdfError> {
        let least = self.book.template.file.page.diagram * MILLIMETRE;
        // An element to measure with; it stays empty, and empty ones are in no file.
        let section = self.sheets.structure.top(Tag::Section);
        loop {
            // The first page of a chapter has least room.
            let top = self.area.top + HEADING;
            let width = self.width();
            let height = (self.area.bottom - top) / f32::from(self.grid().1);
            let around = self.around(section)?;
            let most = around.iter().fold((0.0_f32, 0.0_f32), |most, it| {
                (most.0.max(it.0), most.1.max(it.1))
            });
            let mut sorted = around.clone();
            sorted.sort_by(|one, two| (one.0 + one.1).total_cmp(&(two.0 + two.1)));
            for (above, below) in [most, sorted[sorted.len() / 2]] {
                let room = (height - above - below - 14.0).max(20.0);
                let enlarged = if self.per_page <= 1 { 8.0 } else { 2.2 };
                let sizes = pictures.iter().map(|&it| self.sheets.pictures[it].size);
                let boards = self.book.problems.iter();
                let boards = boards.map(|problem| problem.diagram.size()).zip(sizes);
                let mut zooms: HashMap<Point, f32> = HashMap::new();
                for (board, (wide, high)) in boards.clone() {
                    let zoom = zooms.entry(board).or_insert(enlarged);
                    *zoom = zoom.min((0.9 * width / wide).min(room / high));
                }
                let (mut narrow, mut small) = (false, false);
                for (board, (wide, high)) in boards.clone() {
                    let zoom = zooms[&board];
                    narrow |= zoom * wide < least;
                    small |= zoom < enlarged && zoom * wide.max(high) < LEAST;
                }
                let fits = most.0 + room + most.1 <= self.area.bottom - top;
                if self.per_page <= 1 || fits && !narrow && !small {
                    let sizes = around.iter().zip(boards);
                    let sizes = sizes.map(|(&(above, below), (board, (_, high)))| {
                        [above, below, zooms[&board] * high]
                    });
                    let sizes = sizes.collect();
                    return Ok((zooms, sizes));
                }
                if !small {
                    break;
                }
            }
            self.per_page = match self.per_page {
                10.. => 9,
                9 => 8,
                7 | 8 => 6,
                5 | 6 => 4,
                few => few - 1,
            };
        }
    }

    /// Sets a problem; whoever hears the book hears what is asked before the position.
    fn problem(
        &mut self,
        spot: &Spot,
        section: Element,
        place: usize,
        problem: &Problem,
    ) -> Result<(), PdfError> {
        let Spot { page, left, .. } = *spot;
        let size = self.caption_size();
        let (item, link) = self.linked(section, place, problem);
        let caption = self.caption(link, place, problem, spot.width)?;
        let credit = self.credit(item, problem, spot.width)?;
        let above = self.above(&credit);
        let (wide, high) = self.sheets.pictures[spot.picture].size;
        let (wide, high) = (spot.zoom * wide, spot.zoom * high);
        let mut y = spot.top - above;
        self.sheets.mark(LinkTarget::Problem(place), page, y);
        let middle = left + spot.width / 2.0;
        for (number, line) in (1_u8..).zip(credit) {
            let base = f32::from(number).mul_add(LEADING * size, y - 0.3 * size);
            self.sheets.line_around(page, (middle, base), size, line);
        }
        y += above;
        let corner = (middle - wide / 2.0, y);
        let words = problem.spoken(&self.book.template);
        self.sheets
            .picture(page, corner, spot.zoom, spot.picture, item, words);
        if let Some(address) = &problem.link {
            let area = [corner.0, y, corner.0 + wide, y + high];
            let element = self.below(item, Tag::Link);
            let to = LinkTarget::Address(address.clone());
            let words = self.text("Open the position on the web");
            self.sheets.link(page, area, to, words, element);
        }
        y += high;
        let from = y;
        for line in caption {
            y += LEADING * size;
            self.sheets.line_around(page, (middle, y), size, line);
        }
        let area = [left, from, left + spot.width, y + 3.0];
        let words = self.text(&format!("Solution of problem {}", place + 1));
        let to = LinkTarget::Solution(place);
        self.sheets.link(page, area, to, words, link);
        Ok(())
    }
}

/// From the end of a part to the heading of one that follows on the same page.
const BETWEEN: f32 = 16.0;

/// The room for the notes, so that they stand on the page of a single problem's solution.
const NOTES: f32 = 190.0;

/// Halvings of the range in which the end of balanced columns lies.
const STEPS: usize = 7;

impl Press<'_> {
    /// A section for a problem, with a heading that is a link: section and link.
    fn linked(&mut self, part: Element, place: usize, problem: &Problem) -> (Element, Element) {
        let item = self.below(part, Tag::Section);
        let head = self.below(item, heading(2, format!("{}. {}", place + 1, problem.task)));
        (item, self.below(head, Tag::Link))
    }

    /// A part of running text. The columns of its last page are about equally long; if they end on
    /// the upper half, or there is room for the notes on a single problem, the next part follows there.
    fn running(
        &mut self,
        title: &str,
        set: impl Fn(&mut Self, Element, &mut Flow) -> Result<(), PdfError>,
    ) -> Result<(), PdfError> {
        let below = self.rest.take();
        let (page, y, section) = self.begin(title, below)?;
        let (area, columns) = (self.area, self.columns);
        let flow = || Flow::new(area, columns, page, y, title);
        // The page on which the text ends, where a page has a column that ends at so much.
        let tried = |press: &mut Self, last: Option<(usize, f32)>| {
            let mut flow = flow();
            flow.last = last;
            press.trying(section, |press| set(press, section, &mut flow))?;
            Ok::<_, PdfError>(flow.page)
        };
        let mut last = None;
        if columns > 1 {
            let end = tried(self, None)?;
            let top = if end == page { y } else { area.top };
            let (mut low, mut high) = (top, area.bottom);
            for _ in 0..STEPS {
                let middle = f32::midpoint(low, high);
                if tried(self, Some((end, middle)))? == end {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            last = Some((end, high));
        }
        let mut flow = flow();
        flow.last = last;
        set(self, section, &mut flow)?;
        let (page, end) = last.unwrap_or((flow.page, flow.y));
        let lowest = match self.book.problems.len() {
            1 => area.bottom - NOTES,
            _ => f32::midpoint(area.top, area.bottom),
        };
        self.rest = (end < lowest).then_some((page, end + BETWEEN));
        Ok(())
    }

    pub(super) fn hints(&mut self) -> Result<(), PdfError> {
        let problems = self.book.problems.iter().enumerate();
        // The last hint is the first move, which stands with the solution.
        for (step, title) in ["Hints", "Second hints"].into_iter().enumerate() {
            let hints = problems.clone();
            let hints =
                hints.filter_map(|(place, problem)| Some((place, problem.hints.get(step)?)));
            let hints: Vec<_> = hints.collect();
            if hints.is_empty() {
                continue;
            }
            self.running(&self.text(title), |press, section, flow| {
                let list = press.below(section, Tag::L(ListNumbering::Decimal));
                for (place, hint) in &hints {
                    let item = press.below(list, Tag::LI);
                    let label = press.below(item, Tag::Lbl);
                    let text = [
                        piece(Cut::Bold, label, format!("{}.", place + 1)),
                        piece(Cut::Regular, press.below(item, Tag::LBody), hint),
                    ];
                    let shape = Shape {
                        hang: 14.0,
                        ..Shape::default()
                    };
                    flow.paragraph(&mut press.sheets, &text, press.size, shape)?;
                    flow.skip(0.25 * press.size);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    pub(super) fn solutions(&mut self) -> Result<(), PdfError> {
        self.running(&self.text("Solutions"), |press, section, flow| {
            for place in 0..press.book.problems.len() {
                press.solution(section, flow, place)?;
            }
            Ok(())
        })
    }

    /// The solution of a problem, below what is asked.
    fn solution(
        &mut self,
        section: Element,
        flow: &mut Flow,
        place: usize,
    ) -> Result<(), PdfError> {
        let problem = &self.book.problems[place];
        let (item, element) = self.linked(section, place, problem);
        let mut head = vec![
            piece(Cut::Bold, element, format!("{}.", place + 1)),
            piece(Cut::Regular, element, &problem.task),
        ];
        if self.themed && !problem.themes.is_empty() {
            let themes = format!("({})", problem.themes.join(self.book.template.comma()));
            head.push(piece(Cut::Italic, element, themes));
        }
        // In a paragraph of its own the main line would be set smaller.
        let run_in = self.book.template.file.solutions.run_in && !problem.solution.is_empty();
        if run_in {
            let line = problem.solution[0].text.trim_start();
            head.push(piece(Cut::Regular, element, line));
        }
        let shape = Shape {
            hang: 14.0,
            keep: 2,
            ..Shape::default()
        };
        let (page, [left, y, _]) = flow.paragraph(&mut self.sheets, &head, self.size, shape)?;
        self.sheets.mark(LinkTarget::Solution(place), page, y);
        let area = [left, y, left + flow.width, y + LEADING * self.size];
        let words = self.text(&format!("Diagram of problem {}", place + 1));
        self.sheets
            .link(page, area, LinkTarget::Problem(place), words, element);
        let mut nest = Nest {
            section: item,
            open: Vec::new(),
        };
        for line in problem.solution.iter().skip(run_in.into()) {
            let text = line.text.trim_start();
            let depth = line.indent().min(12);
            let indent = 14.0 + 3.5 * depth as f32;
            let shape = Shape {
                indent,
                hang: indent + 10.0,
                keep: 0,
            };
            let body = nest.item(&mut self.sheets.structure, depth);
            let text = [piece(Cut::Regular, body, text)];
            flow.paragraph(&mut self.sheets, &text, self.size - 0.6, shape)?;
        }
        flow.skip(0.7 * self.size);
        Ok(())
    }

    pub(super) fn paragraphs<'t>(
        &mut self,
        section: Element,
        flow: &mut Flow,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<(), PdfError> {
        for text in texts {
            let text = [piece(Cut::Regular, self.below(section, Tag::P), text)];
            flow.paragraph(&mut self.sheets, &text, self.size, Shape::default())?;
            flow.skip(0.5 * self.size);
        }
        Ok(())
    }

    /// What a reader of solutions must know, where no contents have it.
    pub(super) fn notes(&mut self) -> Result<(), PdfError> {
        if self.book.notes.is_empty() {
            return Ok(());
        }
        let title = &self.text("How to read the solution");
        self.running(title, |press, section, flow| {
            press.paragraphs(section, flow, press.book.notes.iter().map(String::as_str))
        })
    }

    /// An index: headings, each with the numbers of problems.
    fn index(
        &mut self,
        title: &str,
        entries: &[(String, String, Vec<usize>)],
    ) -> Result<(), PdfError> {
        self.running(&self.text(title), |press, section, flow| {
            let list = press.below(section, Tag::L(ListNumbering::None));
            for (name, meaning, places) in entries {
                let numbers = places.iter().map(|place| (place + 1).to_string());
                let numbers = numbers.collect::<Vec<_>>().join(", ");
                let measured = [piece(Cut::Regular, section, &numbers)];
                let room = flow.width - 14.0;
                let several = lines(&measured, press.size, room, room)?.len() > 1;
                let item = press.below(list, Tag::LI);
                let body = press.below(item, Tag::LBody);
                let entry = press.below(body, Tag::P);
                let mut head = vec![piece(Cut::Bold, entry, name)];
                if !meaning.is_empty() {
                    head.push(piece(Cut::Italic, entry, meaning));
                }
                let shape = Shape {
                    hang: 14.0,
                    // Its numbers keep two lines together, if they have several.
                    keep: 1 + u8::from(several),
                    ..Shape::default()
                };
                flow.paragraph(&mut press.sheets, &head, press.size, shape)?;
                let shape = Shape {
                    indent: 14.0,
                    hang: 14.0,
                    keep: 0,
                };
                let text = [piece(Cut::Regular, press.below(body, Tag::P), numbers)];
                flow.paragraph(&mut press.sheets, &text, press.size, shape)?;
                flow.skip(0.5 * press.size);
            }
            Ok(())
        })
    }

    pub(super) fn themes(&mut self) -> Result<(), PdfError> {
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
            let known = book.themes.iter().find(|(known, _)| known == name);
            known.map_or(String::new(), |(_, meaning)| meaning.clone())
        };
        let entry = |(name, places): (&str, _)| (name.to_owned(), meaning(name), places);
        let entries: Vec<_> = found.into_iter().map(entry).collect();
        self.index("Index of themes", &entries)
    }

    pub(super) fn lengths(&mut self) -> Result<(), PdfError> {
        let mut found: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (place, problem) in self.book.problems.iter().enumerate() {
            let length = problem.unit.length(problem.plies);
            found.entry(length).or_default().push(place);
        }
        let entries = found.into_iter();
        let entries: Vec<_> = entries
            .map(|((.., name), places)| (self.text(&name), String::new(), places))
            .collect();
        self.index("Index of lengths", &entries)
    }
}

/// Lists within lists, as deep as the lines of a solution are indented.
struct Nest {
    section: Element,
    /// The lists that are not over: indentation, list and the last item's body.
    open: Vec<(usize, Element, Element)>,
}

impl Nest {
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
        let item = structure.below(list, Tag::LI);
        let body = structure.below(item, Tag::LBody);
        self.open.push((depth, list, body));
        body
    }
}
