//! What a game provides to have its positions listed.

use super::super::{
    Arrangement, Board, Feature, FeatureValue, Leaving, MoveEffect, Moves, Next, NotationError,
    PaletteItem, SizeError, Standing,
};
use super::ListError;
use crate::draw::{self, Diagram, Glyph, MAX_SIDE, Point, Tone};

/// A game of two players with finitely many positions, which may repeat.
///
/// Only [`Game`](super::super::Game) and [`Moves`] are required; every method here has a
/// default. [`Listed`](super::Listed) turns the game into one that can be solved into a
/// table, mined, drawn and played. States and moves are ordered so that results are
/// reproducible.
pub trait FiniteGame: Moves<State: Ord, Move: Ord> {
    /// The error for a game whose positions cannot be listed.
    fn too_large(&self, error: &ListError) -> SizeError {
        SizeError::new(error.to_string())
    }

    /// A number of positions, up to symmetry, that the game surely has, if it is quickly found:
    /// if there are more than may be listed, none is.
    fn fewest_positions(&self) -> u64 {
        0
    }

    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// If it has too many rows or columns.
    fn check_picture(&self) -> Result<(), SizeError> {
        let (columns, rows) = self.board().size();
        if columns.max(rows) <= MAX_SIDE {
            return Ok(());
        }
        let spec = self.spec();
        Err(SizeError::new(format!(
            "{spec} is too wide for a diagram: at most {MAX_SIDE} rows and columns can be drawn"
        )))
    }

    /// The number of symmetries of the rules, including the identity, which is number 0.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of a state under a symmetry.
    fn image(&self, state: &Self::State, _symmetry: usize) -> Self::State {
        state.clone()
    }

    /// The image of a move under a symmetry.
    fn image_of_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// The representative of all images of a state.
    fn canonical(&self, state: &Self::State) -> Self::State {
        let images = (0..self.symmetries()).map(|symmetry| self.image(state, symmetry));
        images.min().unwrap_or_else(|| state.clone())
    }

    /// A number that no move decreases, such as the number of stones where stones are only
    /// added. Each stage is a layer of the table and is solved after all higher ones. With
    /// only one stage, the game is solved in one piece.
    fn stage(&self, _state: &Self::State) -> u32 {
        0
    }

    /// The name of a stage.
    fn stage_name(&self, stage: u32) -> String {
        stage.to_string()
    }

    /// The names of the two sides, the one that begins first.
    fn sides(&self) -> [&'static str; 2] {
        let initial = self.initial();
        let mut moves = self.moves(&initial).into_iter();
        let next = moves.find_map(|mv| match self.play(&initial, mv) {
            Next::State(next) => Some(self.side_to_move(&next)),
            Next::Over(_) => None,
        });
        let first = self.side_to_move(&initial);
        [first, next.unwrap_or(first)]
    }

    /// What the classes are by.
    fn criterion(&self) -> &'static str {
        "side"
    }

    /// The names of the classes in which positions are counted.
    fn classes(&self) -> Vec<String> {
        self.sides().map(str::to_lowercase).into()
    }

    /// The class of a position, an index into [`classes`](Self::classes).
    fn class(&self, state: &Self::State) -> usize {
        usize::from(self.side_to_move(state) != self.side_to_move(&self.initial()))
    }

    /// The columns that filters may use, always the same ones in the same order.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// The value of a state in the column with this index in [`features`](Self::features).
    fn measure(&self, _state: &Self::State, _place: usize) -> FeatureValue {
        FeatureValue::NONE
    }

    /// The position with the other side to move; `None` if the game
    /// has no such position.
    fn passed(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// The board, of at most 26 columns and rows.
    fn board(&self) -> Board {
        Board::new(1, 1)
    }

    /// Everything on the board. Pieces of the two sides must be glyphs with a tone, or
    /// texts and symbols whose words begin with the name of their side.
    fn standing(&self, _state: &Self::State) -> Vec<Standing> {
        Vec::new()
    }

    /// The cell on which a move begins, and the point to which it leads; both are the same
    /// if a piece is placed on the board. No two legal moves of a state may share both. The
    /// default is right if moves are written with the names of these squares, such as `b2`
    /// and `b2-c3`.
    fn aim(&self, mv: Self::Move) -> (draw::BoardSquare, Point) {
        let (board, text) = (self.board(), self.format_move(mv));
        let letters = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        // Each name is a letter with the digits after it.
        let names = letters.flat_map(|word| {
            let starts = word
                .char_indices()
                .filter(|(_, letter)| letter.is_ascii_lowercase());
            starts.map(|(start, _)| {
                let rest = &word[start + 1..];
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                &word[start..=start + digits]
            })
        });
        let mut squares = names.filter_map(|name| board.read_name(name).ok());
        let from = squares.next().unwrap_or(0);
        let to = squares.next_back().unwrap_or(from);
        (board.cell(from), board.cell(to).into())
    }

    /// The tone of the pieces of the side to move: by default, dark for the side that
    /// begins.
    fn side_tone(&self, state: &Self::State) -> Tone {
        if self.side_to_move(state) == self.side_to_move(&self.initial()) {
            Tone::Dark
        } else {
            Tone::Light
        }
    }

    /// Adds everything else to the diagram of the board, such as its title and description.
    fn annotate(&self, diagram: Diagram, state: &Self::State) -> Diagram {
        let (text, side) = (self.format_state(state), self.side_to_move(state));
        let toned = |thing: &Standing| matches!(thing.glyph, Glyph::Piece(_));
        let diagram = diagram
            .title(format!("{} position", self.spec()))
            .desc(format!("{text}. {side} to move."));
        if self.standing(state).iter().any(toned) {
            diagram.to_move(self.side_tone(state))
        } else {
            diagram
        }
    }

    /// Adds what earlier moves left on the board to a diagram; see
    /// [`Drawable::with_past`](super::super::Drawable::with_past).
    fn with_past(&self, diagram: Diagram, _written: &str, _moves: &[Self::Move]) -> Diagram {
        diagram
    }

    /// The things that a move brings onto the board.
    fn appearing(&self, state: &Self::State, mv: Self::Move) -> Vec<Standing> {
        let (from, to) = self.aim(mv);
        let before = self.standing(state);
        if let Next::State(next) = self.play(state, mv) {
            let known = |cell| cell == from || before.iter().any(|thing| thing.cell == cell);
            let mut after = self.standing(&next);
            after.retain(|thing| !known(thing.cell) && Point::from(thing.cell) != to);
            if Point::from(from) == to {
                let at = |thing: &Standing| thing.cell == from;
                after.extend(self.standing(&next).into_iter().find(at));
            }
            return after;
        }
        // The final position is not known; the last piece is like the others.
        let like = before
            .into_iter()
            .find(|thing| Point::from(from) == to && self.side_of(state, thing) == Some(true));
        like.map(|like| Standing { cell: from, ..like })
            .into_iter()
            .collect()
    }

    /// What can be put on the board by hand; empty if positions cannot be set up thing by
    /// thing.
    fn palette(&self) -> Vec<PaletteItem> {
        Vec::new()
    }

    /// An arrangement in the notation of positions, with the side to move that begins the
    /// game or the other one. It need not be a position.
    fn arranged(&self, _things: &Arrangement, _second: bool) -> String {
        String::new()
    }

    /// Whether a thing belongs to the side to move; `None` if it belongs to neither side.
    fn side_of(&self, state: &Self::State, thing: &Standing) -> Option<bool> {
        match thing.glyph {
            Glyph::Piece(tone) => Some(tone == self.side_tone(state)),
            Glyph::Text(_) | Glyph::Symbol(_) => {
                let side = self.side_to_move(state);
                let start = thing.words.get(..side.len());
                Some(start.is_some_and(|start| start.eq_ignore_ascii_case(side)))
            }
            Glyph::Hole | Glyph::Absent | Glyph::Filled | Glyph::Blocked => None,
        }
    }

    /// The unfinished position with these things on the board, and everything else,
    /// including the side to move, as in `state`; `None` if there is none. It lets
    /// positions be changed piece by piece. The default is right if the notation of states
    /// begins with the board as [`Board::write`] writes it.
    fn with_pieces(&self, state: &Self::State, pieces: &[Standing]) -> Option<Self::State> {
        let board = self.board();
        let text: Vec<char> = self.format_state(state).chars().collect();
        let place = |square: u8| usize::from(square) + usize::from(square / board.size().0);
        let before = self.standing(state);
        let letter = |words| {
            let known = before.iter().find(|thing| thing.words == words)?;
            text.get(place(board.square(known.cell))).copied()
        };
        let mut changed = text.clone();
        let empty = (0..board.squares()).find(|&square| {
            before
                .iter()
                .all(|thing| board.square(thing.cell) != square)
        })?;
        let empty = *text.get(place(empty))?;
        for thing in &before {
            *changed.get_mut(place(board.square(thing.cell)))? = empty;
        }
        for thing in pieces {
            *changed.get_mut(place(board.square(thing.cell)))? = letter(thing.words)?;
        }
        let changed: String = changed.into_iter().collect();
        let found = self.parse_state(&changed).ok()?;
        (self.side_to_move(&found) == self.side_to_move(state)).then_some(found)
    }

    /// The name of a square of the board.
    fn square_name(&self, square: u8) -> String {
        self.board().name(square)
    }

    /// The effect of a move on the board.
    fn move_effect(&self, state: &Self::State, mv: Self::Move) -> MoveEffect {
        let (board, (from, to)) = (self.board(), self.aim(mv));
        let things = self.standing(state);
        let at = |point: Point| things.iter().find(|thing| Point::from(thing.cell) == point);
        let moves = at(from.into()).filter(|_| Point::from(from) != to);
        let inside = |number, size| u8::try_from(number).ok().filter(|&number| number < size);
        let (columns, rows) = board.size();
        let target = inside(to.column, columns).zip(inside(to.row, rows));
        let target = target.map(|(column, row)| board.square(draw::BoardSquare::new(column, row)));
        // What goes off the board leaves it itself.
        let leaving = if target.is_none() { moves } else { at(to) };
        MoveEffect {
            from: board.square(from),
            moved: moves
                .and(target)
                .map(|to| (board.square(from), to))
                .into_iter()
                .collect(),
            removed: moves.and(leaving).map(|thing| Leaving {
                from: board.square(thing.cell),
                own: self.side_of(state, thing) == Some(true),
                inside: target.is_some(),
            }),
            neutral: moves.is_none_or(|thing| self.side_of(state, thing).is_none()),
        }
    }

    /// Everything on the board that may be changed: the number of its square, and its
    /// description.
    fn things(&self, state: &Self::State) -> Vec<(u8, String)> {
        let board = self.board();
        let mut things = self.standing(state);
        let order = [Some(true), Some(false), None];
        things.sort_by_key(|thing| {
            order
                .iter()
                .position(|&side| side == self.side_of(state, thing))
        });
        let named = things.into_iter().map(|thing| {
            let number = board.square(thing.cell);
            (
                number,
                format!("{} on {}", thing.words, self.square_name(number)),
            )
        });
        named.collect()
    }

    /// The position without the thing on a square.
    fn without(&self, state: &Self::State, square: u8) -> Option<Self::State> {
        let (board, mut things) = (self.board(), self.standing(state));
        let before = things.len();
        things.retain(|thing| board.square(thing.cell) != square);
        (things.len() < before)
            .then(|| self.with_pieces(state, &things))
            .flatten()
    }

    /// Every position in which one thing has gone to an empty square, with the square it
    /// left and the square it went to.
    fn neighbours(&self, state: &Self::State) -> Vec<(u8, u8, Self::State)> {
        let (board, mut things) = (self.board(), self.standing(state));
        things.sort_by_key(|thing| board.square(thing.cell));
        let mut empty: Vec<_> = (0..board.squares())
            .map(|square| board.cell(square))
            .collect();
        empty.retain(|&cell| things.iter().all(|thing| thing.cell != cell));
        let mut found = Vec::new();
        for place in 0..things.len() {
            let from = things[place].cell;
            for &to in &empty {
                things[place].cell = to;
                let moved = self.with_pieces(state, &things);
                found.extend(moved.map(|moved| (board.square(from), board.square(to), moved)));
            }
            things[place].cell = from;
        }
        found
    }

    /// Reads a partial diagram into the one-line notation of states, with `?` for each
    /// letter that is not given.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn read_pattern(&self, text: &str) -> Result<String, NotationError> {
        Ok(text.to_owned())
    }
}
