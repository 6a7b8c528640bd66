//! Boards of placement games as diagrams.

use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::base::text::{capitalized, plural};
use crate::draw::{BoardSquare, Diagram, DrawnGraph, Glyph, MAX_SIDE, Point, Symbol, Tone};
use crate::game::{
    Arrangement, Board, Game, NotationError, PaletteItem, Pattern, Playable, Standing,
    write_arrangement,
};

const NOT_FREE: &str = "no free square";

/// A king: its foot, its crown and its cross.
const KING: &str = "M230 910L770 910L770 830L230 830Z\
    M265 790L185 500Q175 340 325 335Q440 335 500 450Q560 335 675 335Q825 340 815 500L735 790Z\
    M462 330L462 225L370 225L370 150L462 150L462 70L538 70L538 150L630 150L630 225L538 225\
    L538 330L500 400Z";

/// A disc, for the round vertices of graphs.
const DISC: &str = "M900 500Q900 666 783 783Q666 900 500 900Q334 900 217 783Q100 666 100 500\
    Q100 334 217 217Q334 100 500 100Q666 100 783 217Q900 334 900 500Z";

impl PlacementRules {
    /// The cell of a square. On boards that are too large to draw, several squares share a
    /// cell.
    pub(super) fn cell(&self, square: usize) -> BoardSquare {
        if let Some(layout) = &self.layout {
            return layout.cells[square];
        }
        BoardSquare::new(number(square % self.columns), number(square / self.columns))
    }

    /// The squares that cannot take every colour.
    fn walls(&self, free: &Squares) -> impl Iterator<Item = (usize, Glyph)> {
        (0..self.squares()).filter_map(|square| {
            let glyph = match self.letter_of(free, square) {
                '.' => return None,
                '_' if self.board.contains(square) => self.taken_glyph(),
                '_' => Glyph::Absent,
                colours => Glyph::Text(colours.to_string()),
            };
            Some((square, glyph))
        })
    }

    const fn taken_glyph(&self) -> Glyph {
        match self.rules {
            Rules::Kings | Rules::Regio => Glyph::Blocked,
            // A vertex is round.
            Rules::Graph(_) => Glyph::Hole,
        }
    }

    fn wall(&self, square: usize, glyph: Glyph) -> Standing {
        Standing::new(self.cell(square), glyph, NOT_FREE)
    }

    /// What stands on a square that a move took.
    fn man(&self) -> (Glyph, &'static str) {
        match self.rules {
            Rules::Kings => (outlined("king", KING), "king"),
            Rules::Regio => (Glyph::Piece(Tone::Dark), "stone"),
            Rules::Graph(_) => (outlined("disc", DISC), "stone"),
        }
    }

    /// Adds what stands on the squares that a position shows as taken, and on those that moves took.
    pub(super) fn with_men(&self, diagram: Diagram, written: &str, moves: &[usize]) -> Diagram {
        // A name such as `initial` shows none.
        let shown = self.read_signs(written, written).ok();
        let shown = shown.into_iter().flat_map(|(_, taken)| taken);
        let shown = shown.map(|(place, _)| place);
        let taken = shown.chain(moves.iter().copied());
        let taken: Vec<_> = taken.map(|place| self.square_of(place)).collect();
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
        let counted = plural(taken.len() as u64, words);
        let named = counted.split_once(' ').map_or("", |(_, named)| named);
        let named = capitalized(named);
        diagram.desc(format!("{named}: {names}. {free}"))
    }

    /// Adds to a diagram what its walls do not show.
    pub(super) fn in_words(&self, mut diagram: Diagram, free: &Squares) -> Diagram {
        if let Rules::Graph(graph) = &self.rules {
            let vertices = 0..self.columns;
            let named = vertices
                .clone()
                .map(|vertex| (self.cell(vertex), graph.names[vertex].clone()));
            let edges = vertices.flat_map(|vertex| {
                let neighbours = graph.neighbours[vertex].iter();
                let later = neighbours.filter(move |&&other| other > vertex);
                later.map(move |&other| [vertex, other].map(|end| self.cell(end)))
            });
            let drawn = DrawnGraph::new(named, edges);
            diagram = diagram.clone().graph(drawn).unwrap_or(diagram);
        }
        let names: Vec<_> = free.iter().map(|place| self.format_move(place)).collect();
        diagram
            .title(format!("{} position", self.title()))
            .desc(format!("Free squares: {}.", names.join(", ")))
    }
}

/// The number of a square. Boards that are listed have at most 128 squares.
fn number(square: usize) -> u8 {
    u8::try_from(square).unwrap_or(u8::MAX)
}

impl Playable for PlacementRules {
    fn board(&self) -> Board {
        // Limited to what can be drawn.
        let side = |count: usize| u8::try_from(count).unwrap_or(u8::MAX).min(MAX_SIDE);
        match &self.layout {
            Some(layout) => Board::new(layout.columns, layout.rows),
            None => Board::new(side(self.columns), side(self.rows)),
        }
    }

    fn standing(&self, free: &Squares) -> Vec<Standing> {
        let walls = self.walls(free);
        let walls = walls.map(|(square, glyph)| self.wall(square, glyph));
        let mut all: Vec<_> = walls.collect();
        if let Some(layout) = &self.layout {
            let cells = (0..layout.rows).flat_map(|row| {
                (0..layout.columns).map(move |column| BoardSquare::new(column, row))
            });
            let between = cells.filter(|cell| !layout.cells.contains(cell));
            all.extend(between.map(|cell| Standing::new(cell, Glyph::Absent, "nothing")));
        }
        all
    }

    /// A move is entered by pointing at its square.
    fn aim(&self, _free: &Squares, place: usize) -> (BoardSquare, Point) {
        let cell = self.cell(self.square_of(place));
        (cell, cell.into())
    }

    fn palette(&self) -> Vec<PaletteItem> {
        vec![PaletteItem::new(self.taken_glyph(), NOT_FREE)]
    }

    fn arranged(&self, things: &Arrangement, _second: bool) -> String {
        if self.layout.is_some() {
            // One letter for each vertex, in the order of the file.
            let taken = |vertex| things.iter().any(|(cell, _)| *cell == self.cell(vertex));
            let letters = (0..self.columns).map(|vertex| if taken(vertex) { '_' } else { '.' });
            return letters.collect();
        }
        let size = self.board().size();
        let empty = |cell: BoardSquare| {
            let square = usize::from(cell.row) * self.columns + usize::from(cell.column);
            if self.board.contains(square) {
                '.'
            } else {
                '_'
            }
        };
        write_arrangement(size, things, &['_'], empty)
    }

    fn appearing(&self, free: &Squares, place: usize) -> Vec<Standing> {
        let mut appearing = Vec::new();
        self.around(place, |near| {
            if near == place {
                let (glyph, words) = self.man();
                let cell = self.cell(self.square_of(near));
                appearing.push(Standing::new(cell, glyph, words));
            } else if free.contains(near) {
                appearing.push(self.wall(self.square_of(near), self.taken_glyph()));
            }
        });
        appearing
    }

    fn name_of(&self, square: u8) -> String {
        self.name_of_square(square.into())
    }

    /// The free squares.
    fn things(&self, free: &Squares) -> Vec<(u8, String)> {
        let named = free.iter().map(|square| {
            let name = self.name_of_square(square);
            (number(square), format!("free square {name}"))
        });
        named.collect()
    }

    fn without(&self, free: &Squares, square: u8) -> Option<Squares> {
        if !free.contains(square.into()) {
            return None;
        }
        let mut left = free.clone();
        left.remove(square.into());
        (!left.is_empty()).then_some(left)
    }

    fn neighbours(&self, free: &Squares) -> Vec<(u8, u8, Squares)> {
        let mut found = Vec::new();
        for from in free.iter() {
            let empty =
                (0..self.squares()).filter(|&to| self.board.contains(to) && !free.contains(to));
            for to in empty {
                let mut moved = free.clone();
                moved.remove(from);
                moved.insert(to);
                found.push((number(from), number(to), moved));
            }
        }
        found
    }

    /// A picture with `?` for a square that may be free or not.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        // The open squares are free in one reading and not free in the other.
        let read = |open: &str| self.read_picture(&text.replace('?', open), text);
        let (most, least) = (
            self.format_state(&read(".")?),
            self.format_state(&read("_")?),
        );
        let letters = most.chars().zip(least.chars());
        Ok(Pattern {
            text: letters.map(|(a, b)| if a == b { a } else { '?' }).collect(),
            sets: Vec::new(),
        })
    }
}

fn outlined(name: &'static str, outline: &'static str) -> Glyph {
    let symbol = Symbol::new(name, outline, Tone::Dark);
    Glyph::Symbol(symbol.expect("it lies in its square"))
}
