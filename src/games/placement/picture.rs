//! Boards of placement games as diagrams.

use super::setup::SetupError;
use super::{Move, PlacementRules, Rules, State};
use crate::draw::{self, Diagram, Glyph, MAX_SIDE, Symbol, Tone};
use crate::game::Standing;

/// What is said of a square that is not free.
pub(super) const NOT_FREE: &str = "no free square";

/// A king: its foot, its crown and its cross.
const KING: &str = "M230 910L770 910L770 830L230 830Z\
    M265 790L185 500Q175 340 325 335Q440 335 500 450Q560 335 675 335Q825 340 815 500L735 790Z\
    M462 330L462 225L370 225L370 150L462 150L462 70L538 70L538 150L630 150L630 225L538 225\
    L538 330L500 400Z";

impl PlacementRules {
    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// [`SetupError::TooWide`] if it has too many rows or columns, and
    /// [`SetupError::Coloured`] if it has several colours.
    pub fn pictured(&self) -> Result<(), SetupError> {
        if self.colours > 1 {
            return Err(SetupError::Coloured {
                spec: self.spec.clone(),
            });
        }
        if self.rows.max(self.columns) > MAX_SIDE.into() {
            return Err(SetupError::TooWide {
                spec: self.spec.clone(),
                most: MAX_SIDE,
            });
        }
        Ok(())
    }

    /// The length of a side, limited to what can be drawn.
    pub(super) fn side(count: usize) -> u8 {
        u8::try_from(count).unwrap_or(u8::MAX).min(MAX_SIDE)
    }

    /// The cell of a square. On boards that are too large to draw, several squares share a
    /// cell.
    pub(super) fn cell(&self, square: usize) -> draw::BoardSquare {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        draw::BoardSquare::new(side(square % self.columns), side(square / self.columns))
    }

    /// The squares that cannot take every colour.
    fn walls(&self, state: &State) -> impl Iterator<Item = (usize, Glyph)> {
        (0..self.squares()).filter_map(|square| {
            let glyph = match self.letter_of(&state.free, square) {
                '.' => return None,
                '_' if self.board.contains(square) => Glyph::Blocked,
                '_' => Glyph::Absent,
                colours => Glyph::Text(colours.to_string()),
            };
            Some((square, glyph))
        })
    }

    fn wall(&self, square: usize, glyph: Glyph) -> Standing {
        Standing {
            cell: self.cell(square),
            glyph,
            words: NOT_FREE,
        }
    }

    fn title(&self) -> &'static str {
        match self.rules {
            Rules::Kings => "Kings placement position",
            Rules::Regio => "Regio position",
            Rules::Graph(_) => "Graph position",
        }
    }

    pub(super) fn all_walls(&self, state: &State) -> Vec<Standing> {
        let walls = self.walls(state);
        let walls = walls.map(|(square, glyph)| self.wall(square, glyph));
        walls.collect()
    }

    /// What stands on a square that a move took.
    fn man(&self) -> (Glyph, &'static str) {
        match self.rules {
            Rules::Kings => {
                let king = Symbol::new("king", KING, Tone::Dark);
                (Glyph::Symbol(king.expect("it lies in its square")), "king")
            }
            Rules::Regio | Rules::Graph(_) => (Glyph::Piece(Tone::Dark), "stone"),
        }
    }

    /// The man on the square that a move takes, and its neighbours, which are no longer free.
    pub(super) fn new_walls(&self, state: &State, mv: Move) -> Vec<Standing> {
        let mut appearing = Vec::new();
        self.around(mv.place(), |near| {
            if near == mv.place() {
                let (glyph, words) = self.man();
                let cell = self.cell(self.square_of(near));
                appearing.push(Standing { cell, glyph, words });
            } else if state.free.contains(near) {
                appearing.push(self.wall(self.square_of(near), Glyph::Blocked));
            }
        });
        appearing
    }

    /// The squares that a position shows as taken, and those that moves took.
    pub(super) fn taken(&self, written: &str, moves: &[Move]) -> Vec<usize> {
        let (mut row, mut column, mut run) = (self.rows, 0, String::new());
        let mut taken = Vec::new();
        row -= 1;
        for letter in written.trim().chars() {
            if letter.is_ascii_digit() {
                run.push(letter);
                continue;
            }
            column += std::mem::take(&mut run).parse().unwrap_or(0);
            match letter {
                '/' => (row, column) = (row.saturating_sub(1), 0),
                'x' => {
                    taken.push(row * self.columns + column);
                    column += 1;
                }
                _ => column += 1,
            }
        }
        taken.extend(moves.iter().map(|mv| self.square_of(mv.place())));
        taken
    }

    /// Puts men on the squares that were taken.
    pub(super) fn with_men(&self, diagram: Diagram, taken: &[usize]) -> Diagram {
        if taken.is_empty() {
            return diagram;
        }
        let (man, words) = self.man();
        let names = taken.iter().map(|&square| self.name_of_square(square));
        let names = names.collect::<Vec<_>>().join(", ");
        let free = diagram.desc.clone().unwrap_or_default();
        let diagram = taken.iter().fold(diagram, |diagram, &square| {
            let placed = diagram.clone().replace(self.cell(square), man.clone());
            placed.unwrap_or(diagram)
        });
        let many = if taken.len() == 1 { "" } else { "s" };
        let named = words[..1].to_uppercase() + &words[1..];
        diagram.desc(format!("{named}{many}: {names}. {free}"))
    }

    /// Adds to a diagram what its walls do not show.
    pub(super) fn in_words(&self, mut diagram: Diagram, state: &State) -> Diagram {
        if let Rules::Graph(graph) = &self.rules {
            let names = (0..self.columns).map(|vertex| graph.name(vertex).to_owned());
            diagram = diagram.clone().file_labels(names).unwrap_or(diagram);
        }
        let names: Vec<_> = state
            .free
            .iter()
            .map(|place| self.name_of_place(place))
            .collect();
        diagram
            .title(self.title())
            .desc(format!("Free squares: {}.", names.join(", ")))
    }
}
