//! The rules of the game, each beside its diagram.

use super::PdfError;
use super::parts::{Begun, Press, heading};
use super::sheet::Sheets;
use super::typeset::{LEADING, foot, line_from, lines, piece};
use crate::book::Rule;
use crate::draw::Diagram;
use crate::draw::typeset::Cut;
use krilla::tagging::Tag;

/// Width and height of the diagrams at most, where there are a few and where there are many.
const LARGE: (f32, f32) = (150.0, 122.0);
const SMALL: (f32, f32) = (92.0, 74.0);

/// How many diagrams are a few.
const FEW: usize = 3;

/// What is left free beside and below a diagram.
const BESIDE: f32 = 18.0;
const BELOW: f32 = 10.0;

impl Press<'_> {
    /// The rules, if the book has any.
    pub fn rules(&mut self, sheets: &mut Sheets) -> Result<(), PdfError> {
        let book = self.book;
        if book.rules.is_empty() {
            return Ok(());
        }
        let title = "The rules of the game";
        let Begun {
            mut page,
            mut y,
            section,
        } = self.begin(sheets, title)?;
        let diagrams = book.rules.iter().filter(|rule| rule.diagram.is_some());
        let (width, highest) = if diagrams.count() <= FEW {
            LARGE
        } else {
            SMALL
        };
        for rule in &book.rules {
            let picture = rule.diagram.as_ref();
            let picture = picture.map(|diagram| {
                self.diagram(sheets, diagram, || format!("of the rule '{}'", rule.title))
            });
            let picture = picture.transpose()?;
            let item = sheets.structure.below(section, Tag::Section);
            let head = sheets.structure.below(item, heading(2, &rule.title));
            let body = sheets.structure.below(item, Tag::P);
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
                let picture = &sheets.pictures[picture];
                let zoom = (width / picture.width).min(highest / picture.height);
                (zoom, zoom * picture.height)
            });
            let height = text.max(high);
            if y + height > self.area.bottom {
                page = sheets.begin();
                foot(sheets, page, self.area, title)?;
                y = self.area.top;
            }
            let mut base = y;
            for (size, line) in set {
                base += LEADING * size;
                line_from(sheets, page, (left, base - 0.25 * size), size, line);
            }
            if let Some(picture) = picture {
                let at = (self.area.left, y);
                sheets.picture(page, at, zoom, picture, item, spoken(rule));
            }
            y += height + BELOW;
        }
        Ok(())
    }
}

/// The diagram of a rule in words.
fn spoken(rule: &Rule) -> String {
    let words = rule.diagram.as_ref().and_then(Diagram::spoken);
    words.unwrap_or_else(|| rule.title.clone())
}
