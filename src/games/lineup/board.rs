//! Boards as diagrams and to play on, changes to positions, and partial diagrams.

use super::{LineUp, Move, Side, State};
use crate::draw::{BoardSquare, Diagram, Glyph, Point, Slide};
use crate::game::{
    Arrangement, Board, Drawable, Next, NotationError, PaletteItem, Pattern, Playable, SizeError,
    Standing, drawn, fits_picture, marked, slid, write_arrangement,
};

/// What the men of a side are called.
const fn man(side: Side) -> &'static str {
    match side {
        Side::Black => "black man",
        Side::White => "white man",
    }
}

impl LineUp {
    /// A description of the position.
    fn words(&self, state: &State) -> String {
        let list = |men: u64| {
            let names: Vec<_> = Board::squares_in(men)
                .map(|square| self.board().name(square))
                .collect();
            if names.is_empty() {
                "no man on the board".to_owned()
            } else {
                names.join(", ")
            }
        };
        let [black, white] = state.sides().map(list);
        let side = state.side.name();
        format!("Black: {black}. White: {white}. {side} to move.")
    }
}

impl Drawable for LineUp {
    fn check_picture(&self) -> Result<(), SizeError> {
        fits_picture(self)
    }

    fn diagram(&self, state: &State) -> Diagram {
        let diagram = drawn(self, state);
        let (title, side) = (&self.rules.title, state.side.name());
        diagram
            .to_move(state.side.tone())
            .title(format!("{title} position, {side} to move"))
            .desc(self.words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        marked(diagram, self.aim(state, mv), &[])
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        slid(self.aim(state, mv), &[])
    }
}

impl Playable for LineUp {
    fn board(&self) -> Board {
        self.geometry.board
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let men =
            |men, side: Side| Standing::on(self.board(), men, Glyph::Piece(side.tone()), man(side));
        men(state.own, state.side)
            .chain(men(state.other, state.side.other()))
            .collect()
    }

    fn aim(&self, _state: &State, mv: Move) -> (BoardSquare, Point) {
        let board = self.board();
        (board.cell(mv.from), board.cell(mv.to).into())
    }

    fn palette(&self) -> Vec<PaletteItem> {
        let sides = [Side::Black, Side::White];
        let of = |side: Side| PaletteItem::new(Glyph::Piece(side.tone()), man(side));
        sides.map(of).into()
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let board = write_arrangement(self.size(), things, &['b', 'w'], |_| '.');
        format!("{board} {}", if second { 'w' } else { 'b' })
    }

    /// There is none: the numbers of men say whose turn it is.
    fn without(&self, _state: &State, _square: u8) -> Option<State> {
        None
    }

    fn passed(&self, state: &State) -> Option<Next<State>> {
        let passed = state.passed();
        if self
            .known_side(state.own.count_ones(), state.other.count_ones())
            .is_some()
        {
            return None;
        }
        Some(if self.is_stuck(passed.own, passed.other) {
            Next::Over(self.after_no_moves())
        } else {
            Next::State(passed)
        })
    }

    /// Letters are those of positions, `x` for a man of either side and `?` for anything.
    /// Where either side may be to move, it is Black.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let letters = ['.', 'b', 'w', 'x', '?'];
        let [free, black, white, man, any] = self.board().read(text.trim_end(), letters)?;
        Ok(Pattern {
            text: text.to_owned(),
            sets: vec![black | man | any, white | man | any, free | any],
        })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let known = self.known_side(state.own.count_ones(), state.other.count_ones());
        let seen = State {
            side: known.unwrap_or(Side::Black),
            ..*state
        };
        self.images(&seen).find(|image| {
            let [black, white] = image.sides();
            let free = self.geometry.all & !image.taken();
            let mut kinds = [black, white, free].into_iter().zip(&pattern.sets);
            kinds.all(|(squares, may_be)| squares & !may_be == 0)
        })
    }
}
