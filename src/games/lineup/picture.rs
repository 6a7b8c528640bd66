//! Boards as diagrams, and to play on.

use super::{LineUp, Move, State};
use crate::draw::{BoardSquare, Diagram, Glyph, MAX_SIDE, Mark, Point, Slide, Tone};
use crate::game::{
    Arrangement, Board, Drawable, Game, PaletteItem, Playable, SizeError, Standing,
    write_arrangement,
};

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
        let (columns, rows) = self.board().size();
        if columns.max(rows) <= MAX_SIDE {
            return Ok(());
        }
        let spec = self.spec();
        Err(SizeError::new(format!(
            "{spec} is too wide for a diagram: at most {MAX_SIDE} rows and columns can be drawn"
        )))
    }

    fn side_tone(&self, state: &State) -> Tone {
        state.side.tone()
    }

    fn diagram(&self, state: &State) -> Diagram {
        let (columns, rows) = self.board().size();
        let empty = Diagram::new(columns.min(MAX_SIDE), rows.min(MAX_SIDE));
        let empty = empty.expect("sides are cut to what fits");
        let diagram = self
            .standing(state)
            .into_iter()
            .fold(empty, |diagram, man| {
                // Anything beyond the largest board that can be drawn is left out.
                diagram
                    .clone()
                    .place(man.cell, man.glyph)
                    .unwrap_or(diagram)
            });
        let (title, side) = (&self.rules.title, state.side.name());
        diagram
            .to_move(state.side.tone())
            .title(format!("{title} position, {side} to move"))
            .desc(self.words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        let (from, to) = self.aim(state, mv);
        let mark = if mv.is_drop() {
            Mark::Highlight(from)
        } else {
            Mark::Arrow { from, to }
        };
        // A diagram of another size has no room for it and is left unchanged.
        diagram.clone().mark(mark).unwrap_or(diagram)
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let (from, to) = self.aim(state, mv);
        let slide = Slide {
            from,
            to,
            lost: false,
        };
        if mv.is_drop() {
            Vec::new()
        } else {
            vec![slide]
        }
    }
}

impl Playable for LineUp {
    fn size(&self) -> (u8, u8) {
        self.board().size()
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let men = |men, side: super::Side| {
            Standing::on(self.board(), men, Glyph::Piece(side.tone()), side.man())
        };
        men(state.own, state.side)
            .chain(men(state.other, state.side.other()))
            .collect()
    }

    fn aim(&self, _state: &State, mv: Move) -> (BoardSquare, Point) {
        let board = self.board();
        (board.cell(mv.from), board.cell(mv.to).into())
    }

    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        if !mv.is_drop() {
            return Vec::new();
        }
        let side = state.side;
        Standing::on(
            self.board(),
            1 << mv.to,
            Glyph::Piece(side.tone()),
            side.man(),
        )
        .collect()
    }

    fn palette(&self) -> Vec<PaletteItem> {
        let sides = [super::Side::Black, super::Side::White];
        let of = |side: super::Side| PaletteItem::new(Glyph::Piece(side.tone()), side.man());
        sides.map(of).into()
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let board = write_arrangement(self.size(), things, &['b', 'w'], |_| '.');
        format!("{board} {}", if second { 'w' } else { 'b' })
    }
}
