//! A diverse choice of puzzles.

use std::collections::HashMap;

use super::Session;
use crate::base::turn::Turn;
use crate::draw::{Diagram, Glyph};
use crate::mine::PuzzleRow;

/// A puzzle that may be chosen.
struct Candidate {
    place: usize,
    /// What it has in common with others: its game, side, length, stars and themes.
    traits: Vec<String>,
    /// By column and row.
    things: HashMap<(usize, usize), Glyph>,
    size: (usize, usize),
    game: String,
}

/// The greatest lengths of each class but the last, in plies.
const LENGTHS: [u16; 5] = [3, 7, 11, 19, 31];

/// Which puzzles a pack has at least, and how many of them.
pub(super) struct Quota {
    pub fits: Vec<bool>,
    pub least: usize,
}

/// Chooses `count` puzzles, by their places, in their order. One after the other, the first of those
/// is taken whose game, side, length, stars and themes are rarest among those that were taken; at
/// least `apart` squares tell it from each of them, however the board is turned or reflected. Those
/// of quotas come first, and what is missing of a quota stays in it.
pub(super) fn pack(
    rows: &[(&dyn Session, &PuzzleRow)],
    count: usize,
    apart: usize,
    quotas: &mut [Quota],
) -> Vec<usize> {
    let candidates = rows.iter().enumerate();
    let candidates =
        candidates.filter_map(|(place, &(session, row))| Candidate::new(place, session, row));
    let mut candidates: Vec<_> = candidates.collect();
    let mut taken: HashMap<String, u32> = HashMap::new();
    let mut places = Vec::new();
    while places.len() < count && !candidates.is_empty() {
        let cost = |candidate: &Candidate| {
            let all = candidate.traits.iter();
            let all = all.map(|name| taken.get(name).copied().unwrap_or(0));
            // As many themes as one has, so much each of them counts.
            1000 * all.sum::<u32>() / u32::try_from(candidate.traits.len()).unwrap_or(1)
        };
        let open = |candidate: &Candidate| {
            let mut quotas = quotas.iter();
            quotas.any(|quota| quota.least > 0 && quota.fits[candidate.place])
        };
        let all = candidates.iter().enumerate();
        let (at, _) = all
            .min_by_key(|(_, candidate)| (!open(candidate), cost(candidate)))
            .expect("there are candidates");
        let chosen = candidates.remove(at);
        for quota in quotas.iter_mut().filter(|quota| quota.fits[chosen.place]) {
            quota.least = quota.least.saturating_sub(1);
        }
        for name in &chosen.traits {
            *taken.entry(name.clone()).or_default() += 1;
        }
        places.push(chosen.place);
        let images = chosen.images();
        candidates.retain(|other| {
            other.game != chosen.game || images.iter().all(|image| other.differs(image) >= apart)
        });
    }
    places.sort_unstable();
    places
}

impl Candidate {
    /// `None` for a position that has no diagram.
    fn new(place: usize, session: &dyn Session, row: &PuzzleRow) -> Option<Self> {
        let diagram: Diagram = session.diagram(&row.position).ok()?;
        let length = LENGTHS.partition_point(|&most| most < row.plies.unwrap_or(0));
        let mut traits = vec![
            format!("game {}", row.game),
            format!("side {}", row.side),
            format!("length {length}"),
            format!("stars {}", row.grade().stars()),
        ];
        let themes = row.themes.split_whitespace();
        traits.extend(themes.map(|theme| format!("theme {theme}")));
        let things = diagram.glyphs();
        let things = things.map(|(at, glyph)| ((at.column.into(), at.row.into()), glyph.clone()));
        let size = diagram.size();
        let [columns, rows] = [size.column, size.row].map(|side| side.unsigned_abs().into());
        Some(Self {
            place,
            traits,
            things: things.collect(),
            size: (columns, rows),
            game: row.game.clone(),
        })
    }

    /// What stands on the board, turned and reflected in every way.
    fn images(&self) -> Vec<HashMap<(usize, usize), &Glyph>> {
        let (columns, rows) = self.size;
        let image = |turn: Turn| {
            let place = |(&at, glyph)| (turn.image(at, self.size), glyph);
            self.things.iter().map(place).collect()
        };
        Turn::of_board(columns, rows).map(image).collect()
    }

    /// The squares with something else, or nothing, on them.
    fn differs(&self, image: &HashMap<(usize, usize), &Glyph>) -> usize {
        let same = |(at, glyph): &(&(usize, usize), &Glyph)| image.get(at) == Some(glyph);
        let common = self.things.iter().filter(same).count();
        let both = self.things.keys().filter(|at| image.contains_key(at));
        // Squares that are taken in one of both, less those with the same on them.
        self.things.len() + image.len() - both.count() - common
    }
}
