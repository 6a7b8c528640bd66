//! The numbering of arrangements for programs that play.

use super::{Move, Sliding, State};
use crate::game::{Digit, Encoded, Helper, Language, Ranked};

impl Sliding {
    /// Whether the distance is odd with the blank on this square: every move changes the
    /// colour of its square, as on a chessboard, and the solved arrangement has distance 0.
    const fn is_odd(&self, blank: usize) -> bool {
        let (row, column) = (blank / self.columns, blank % self.columns);
        !(row + column + self.rows + self.columns).is_multiple_of(2)
    }

    /// The arrangement reflected in the diagonal through the home of the blank, with the
    /// tiles renamed accordingly. It has the same distance.
    fn transposed(&self, state: State) -> State {
        let image = |square: usize| square % self.columns * self.columns + square / self.columns;
        let renamed = |tile: usize| if tile == 0 { 0 } else { image(tile - 1) + 1 };
        let tiles = (0..self.squares()).map(|square| renamed(state.tile(image(square))));
        State::of(tiles)
    }

    /// The squares of the blank in stored arrangements: those of odd distance and, on
    /// square boards, above the diagonal, since the others are reflections.
    fn kept_blanks(&self) -> impl Iterator<Item = usize> + '_ {
        let square = self.rows == self.columns;
        let blanks = (0..self.squares()).filter(|&blank| self.is_odd(blank));
        blanks.filter(move |blank| !square || blank / self.columns < blank % self.columns)
    }
}

impl Encoded for Sliding {
    fn questions(&self) -> Vec<State> {
        let states = (0..self.states()).filter_map(|slot| self.unrank(slot));
        let mut states: Vec<State> = states.collect();
        states.sort_by_cached_key(|state| self.code(state));
        states
    }

    /// The solved arrangement.
    fn finished(&self) -> Vec<u64> {
        vec![self.code(&self.solved())]
    }

    fn code(&self, state: &State) -> u64 {
        let base = self.squares() as u64;
        (0..self.squares()).fold(0, |code, square| code * base + state.tile(square) as u64)
    }

    fn digits(&self) -> Vec<Digit> {
        let base = self.squares() as u64;
        let radix = u8::try_from(self.squares()).unwrap_or(u8::MAX);
        let places = (0..u32::try_from(self.squares()).unwrap_or(0)).rev();
        let digit = |place| Digit::Quotient {
            divisor: base.pow(place),
            radix,
        };
        places.map(digit).collect()
    }

    fn answer(&self, mv: Move) -> u8 {
        mv as u8
    }

    fn answers(&self) -> u8 {
        u8::try_from(Move::ALL.len()).unwrap_or(u8::MAX)
    }

    fn code_after(&self, state: &State, mv: Move) -> u64 {
        let after = self.after(*state, state.blank(), mv);
        self.code(&after.unwrap_or(*state))
    }

    fn meaning(&self) -> [String; 2] {
        let base = self.squares();
        [
            format!(
                "n: the squares row by row from the top as digits in base {base}, the blank being 0"
            ),
            "the blank goes 0 down, 1 left, 2 up, 3 right".to_owned(),
        ]
    }

    fn helper(&self, which: Helper, language: Language) -> Option<String> {
        if self.squares() > 12 {
            return None;
        }
        let template = match (which, language) {
            (Helper::Residues, Language::Rust) => include_str!("programs/residues.rs.txt"),
            (Helper::Residues, Language::C) => include_str!("programs/residues.c.txt"),
            (Helper::Residues, Language::Python) => include_str!("programs/residues.py.txt"),
            (Helper::NextState, Language::Rust) => include_str!("programs/next_state.rs.txt"),
            (Helper::NextState, Language::C) => include_str!("programs/next_state.c.txt"),
            (Helper::NextState, Language::Python) => include_str!("programs/next_state.py.txt"),
            (Helper::Orders, _) => return None,
        };
        let (folded, whole) = (self.rows == self.columns, self.squares());
        // Parts that are only for square boards, or only for others, are between marker
        // lines.
        let mut text = String::new();
        let mut wanted = true;
        for line in template.lines() {
            match line.trim() {
                "{SQUARE}" => wanted = folded,
                "{OTHERWISE}" => wanted = !folded,
                "{ALWAYS}" => wanted = true,
                _ if wanted => {
                    text += line;
                    text.push('\n');
                }
                _ => {}
            }
        }
        let kept: Vec<String> = self.kept_blanks().map(|blank| blank.to_string()).collect();
        Some(
            text.replace("{ROWS}", &self.rows.to_string())
                .replace("{COLUMNS}", &self.columns.to_string())
                .replace("{SQUARES}", &whole.to_string())
                .replace("{LAST}", &(whole - 1).to_string())
                .replace("{KEPT}", &kept.join(", "))
                .replace("{KEPT_COUNT}", &kept.len().to_string())
                .replace("{HOME}", &((self.rows + self.columns) % 2).to_string()),
        )
    }

    fn kept(&self) -> Option<u64> {
        Some(self.kept_blanks().count() as u64 * self.a_blank())
    }

    fn place_kept(&self, state: &State) -> Option<u64> {
        let mut state = *state;
        if self.rows == self.columns && state.blank() / self.columns > state.blank() % self.columns
        {
            state = self.transposed(state);
        }
        let blank = self
            .kept_blanks()
            .position(|blank| blank == state.blank())?;
        let tiles = self.rank(&state) % self.a_blank();
        Some(blank as u64 * self.a_blank() + tiles)
    }
}
