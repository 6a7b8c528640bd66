//! Positions as diagrams.

use super::{Move, State, TicTacToe, squares};
use crate::draw::{BoardSquare, Diagram, Glyph, Mark, Point, Slide, Tone};
use crate::game::{Drawable, Game, Playable, Standing};

fn cell(square: u8) -> BoardSquare {
    BoardSquare::new(square % 3, 2 - square / 3)
}

/// The stones with their letters, X first.
fn stones(state: State) -> impl Iterator<Item = (u8, &'static str)> {
    let (x, o) = if state.x_moves() {
        (state.own, state.other)
    } else {
        (state.other, state.own)
    };
    let side = |set, letter| squares(set).map(move |square| (square, letter));
    side(x, "X").chain(side(o, "O"))
}

fn standing(square: u8, letter: &'static str) -> Standing {
    Standing {
        cell: cell(square),
        glyph: Glyph::Text(letter.to_owned()),
        words: letter,
    }
}

impl Drawable for TicTacToe {
    fn side_tone(&self, state: &State) -> Tone {
        if state.x_moves() {
            Tone::Dark
        } else {
            Tone::Light
        }
    }

    fn diagram(&self, state: &State) -> Diagram {
        let empty = Diagram::new(3, 3).expect("the board has 3x3 squares");
        let diagram = stones(*state).fold(empty, |diagram, (square, letter)| {
            let glyph = Glyph::Text(letter.to_owned());
            let placed = diagram.clone().place(cell(square), glyph);
            placed.unwrap_or(diagram)
        });
        let side = self.side_to_move(state);
        diagram.title("Tic-tac-toe position").desc(format!(
            "Rows from the top: {}. {side} to move.",
            self.format_state(state)
        ))
    }

    fn with_move(&self, diagram: Diagram, _state: &State, mv: Move) -> Diagram {
        let marked = diagram.clone().mark(Mark::Highlight(cell(mv.0)));
        marked.unwrap_or(diagram)
    }

    fn slides(&self, _state: &State, _mv: Move) -> Vec<Slide> {
        Vec::new()
    }
}

impl Playable for TicTacToe {
    fn size(&self) -> (u8, u8) {
        (3, 3)
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let stones = stones(*state);
        stones
            .map(|(square, letter)| standing(square, letter))
            .collect()
    }

    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        vec![standing(mv.0, self.side_to_move(state))]
    }

    /// A move is made by pointing at its square.
    fn aim(&self, mv: Move) -> (BoardSquare, Point) {
        (cell(mv.0), cell(mv.0).into())
    }

    fn banned(&self, _state: &State) -> Option<Move> {
        None
    }
}
