//! Listing the positions of placement games, for tables and mining.
//!
//! Reachable classes of symmetric positions are numbered, first by the number of free
//! squares, then by the number of parts.

use super::bound::fewest;
use super::graph::Graph;
use super::picture::NOT_FREE;
use super::setup::SetupError;
use super::{Move, Placement, PlacementRules, Rules, State};
use crate::draw::{self, Diagram, Point};
use crate::game::{
    Arrangement, Board, Feature, FeatureValue, FiniteGame, ListError, NotationError, PaletteItem,
    Pattern, Playable, SizeError, Standing, write_arrangement,
};

/// The most classes of positions to list.
const MOST: u32 = 1 << 20;

impl Placement {
    /// Creates the kings game from a spec such as `kings:5x6` (rows x columns),
    /// `kings:.._/...` or `kings:3x3+2x4`, or Regio from a spec such as `regio:4x4`.
    ///
    /// # Errors
    /// If the spec is invalid, or the board is empty or too large.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let rules = PlacementRules::from_spec(spec)?;
        Ok(Self::with_limit(rules, MOST))
    }

    /// Creates the game on a graph. `name` is the path of its file as it stands in the spec,
    /// perhaps with `#` and the digest that the graph must have, and with settings after a comma.
    ///
    /// # Errors
    /// If the graph has another digest, or a setting is wrong.
    pub fn on_graph(name: &str, graph: Graph) -> Result<Self, SetupError> {
        let rules = PlacementRules::on_graph(name, graph)?;
        Ok(Self::with_limit(rules, MOST))
    }
}

/// The number of a square. Boards that are listed have at most 128 squares.
fn number(square: usize) -> u8 {
    u8::try_from(square).unwrap_or(u8::MAX)
}

impl FiniteGame for PlacementRules {
    fn too_large(&self, _error: &ListError) -> SizeError {
        let error = SetupError::TooMany {
            spec: self.spec.clone(),
            most: MOST,
        };
        SizeError::new(error.to_string())
    }

    fn fewest_positions(&self) -> u64 {
        let full = self.colours == 1 && self.board.len() == self.squares();
        match self.rules {
            Rules::Kings if full => fewest(self.rows, self.columns, true),
            Rules::Regio if full => fewest(self.rows, self.columns, false),
            _ => 0,
        }
    }

    fn check_picture(&self) -> Result<(), SizeError> {
        let drawn = self.pictured();
        drawn.map_err(|error| SizeError::new(error.to_string()))
    }

    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn image(&self, state: &State, symmetry: usize) -> State {
        State {
            free: self.turned(&state.free, self.symmetries[symmetry]),
        }
    }

    fn image_of_move(&self, mv: Move, symmetry: usize) -> Move {
        Move::of(self.image_of_place(mv.place(), self.symmetries[symmetry]))
    }

    fn canonical(&self, state: &State) -> State {
        let images =
            (0..self.symmetries.len()).map(|symmetry| FiniteGame::image(self, state, symmetry));
        let least = images.min_by(|a, b| a.free.cmp(&b.free));
        least.unwrap_or_else(|| state.clone())
    }

    fn stage(&self, state: &State) -> u32 {
        u32::try_from(self.board.len() - state.free()).unwrap_or(u32::MAX)
    }

    /// The number of free squares.
    fn stage_name(&self, stage: u32) -> String {
        (self.board.len() - stage as usize).to_string()
    }

    fn criterion(&self) -> &'static str {
        "parts"
    }

    fn classes(&self) -> Vec<String> {
        // On a board, parts do not touch, so there are at most half as many as squares. A
        // graph may have no edges at all, and every square a colour of its own.
        let most = match self.rules {
            Rules::Graph(_) => self.squares(),
            Rules::Kings | Rules::Regio if self.colours > 1 => self.squares(),
            Rules::Kings | Rules::Regio => self.squares().div_ceil(2),
        };
        (1..=most).map(|parts| parts.to_string()).collect()
    }

    fn class(&self, state: &State) -> usize {
        self.parts(&state.free).len() - 1
    }

    fn features(&self) -> Vec<Feature> {
        Self::columns()
    }

    fn measure(&self, state: &State, place: usize) -> FeatureValue {
        self.feature_value(state, place)
    }

    fn annotate(&self, diagram: Diagram, state: &State) -> Diagram {
        self.in_words(diagram, state)
    }

    fn with_past(&self, diagram: Diagram, written: &str, moves: &[Move]) -> Diagram {
        self.with_men(diagram, &self.taken(written, moves))
    }
}

impl Playable for PlacementRules {
    /// The sides have the same moves, so passing keeps the position.
    fn passed(&self, state: &State) -> Option<State> {
        Some(state.clone())
    }

    fn board(&self) -> Board {
        let (columns, rows) = self.drawn_size();
        Board::new(columns, rows)
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        self.all_walls(state)
    }

    /// A move is entered by pointing at its square.
    fn aim(&self, _state: &State, mv: Move) -> (draw::BoardSquare, Point) {
        let cell = self.cell(self.square_of(mv.place()));
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
        let empty = |cell: draw::BoardSquare| {
            let square = usize::from(cell.row) * self.columns + usize::from(cell.column);
            if self.board.contains(square) {
                '.'
            } else {
                '_'
            }
        };
        write_arrangement(size, things, &['_'], empty)
    }

    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        self.new_walls(state, mv)
    }

    fn name_of(&self, square: u8) -> String {
        self.name_of_square(square.into())
    }

    /// The free squares.
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let squares = state.free.iter();
        let named = squares.map(|square| {
            let name = self.name_of_square(square);
            (number(square), format!("free square {name}"))
        });
        named.collect()
    }

    fn without(&self, state: &State, square: u8) -> Option<State> {
        let mut free = state.free.clone();
        if !free.contains(square.into()) {
            return None;
        }
        free.remove(square.into());
        (!free.is_empty()).then_some(State { free })
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let mut found = Vec::new();
        for from in state.free.iter() {
            let empty = (0..self.squares())
                .filter(|&to| self.board.contains(to) && !state.free.contains(to));
            for to in empty {
                let mut free = state.free.clone();
                free.remove(from);
                free.insert(to);
                found.push((number(from), number(to), State { free }));
            }
        }
        found
    }

    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        Ok(Pattern {
            text: self.read_partial(text)?,
            sets: Vec::new(),
        })
    }
}
