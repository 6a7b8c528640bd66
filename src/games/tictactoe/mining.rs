//! Tic-tac-toe for the solver of tables and for mining.
//!
//! No position ever comes back, so nothing is forbidden, and every move leads to an
//! earlier layer.

use super::{BOARD, Move, State, TURNS, TicTacToe, has_line, open_lines, squares, turned};
use crate::game::{
    Account, Accounts, Arrivals, Backward, Classified, Editable, Forward, Layer, Leads,
    MoveSummary, Moves, Next, NotationError, Passing, Patterned, Placed, Ranked, Repetition,
    Retrograde, Slot, Survey, Surveyed,
};

/// What may be on each square, as sets of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    x: u16,
    o: u16,
    free: u16,
}

impl TicTacToe {
    /// Whether play can reach a position.
    fn is_listed(&self, state: State) -> bool {
        self.list.slot(state).is_some()
    }

    fn nexts(&self, state: State) -> impl Iterator<Item = (u8, Next<State>)> + '_ {
        squares(state.free()).map(move |square| (square, self.play(&state, Move(square))))
    }
}

impl Ranked for TicTacToe {
    fn slots(&self) -> u64 {
        self.list.len()
    }

    fn rank(&self, state: &State) -> Slot {
        Slot {
            index: self.list.slot(*state).unwrap_or(u64::MAX),
            forbidden: None,
        }
    }

    fn unrank(&self, index: u64) -> Option<State> {
        self.list.position(index)
    }

    fn layers(&self) -> &[Layer] {
        self.list.layers()
    }

    fn forbid(&self, _state: &State, _number: u8) -> Option<State> {
        None
    }
}

impl Retrograde for TicTacToe {
    type Cursor = State;
    type Unplaced = (State, u8);

    fn repetition(&self) -> Repetition {
        Repetition::Exact
    }

    fn cursor(&self, index: u64) -> Option<State> {
        self.list.position(index)
    }

    fn is_symmetric(&self, cursor: State) -> bool {
        cursor.kept().nth(1).is_some()
    }

    fn place(&self, (state, number): (State, u8)) -> Placed {
        Placed {
            slot: self.rank(&state).index,
            symmetric: self.is_symmetric(state),
            number,
        }
    }

    fn summarize_moves(&self, cursor: State, mut visit: impl FnMut(MoveSummary<(State, u8)>)) {
        for (_, next) in self.nexts(cursor) {
            visit(match next {
                Next::Over(outcome) => MoveSummary::Over(outcome),
                Next::State(next) => MoveSummary::Earlier((next, 0)),
            });
        }
        visit(MoveSummary::Within { count: 0, xor: 0 });
    }

    fn edges(&self, _cursor: State, _visit: impl FnMut(u8, (State, u8), bool)) {}

    fn unmoves(&self, _cursor: State, _visit: impl FnMut((State, u8), Option<u8>)) {}

    fn follow(&self, _cursor: State, _number: u8) -> u64 {
        u64::MAX
    }
}

impl Arrivals for TicTacToe {
    /// Every listed position arises, the first one at the start.
    fn arrivals(&self, _cursor: State, mut visit: impl FnMut(Option<u8>)) {
        visit(None);
    }
}

impl Classified for TicTacToe {
    fn criterion(&self) -> &'static str {
        "side to move"
    }

    fn classes(&self) -> Vec<String> {
        vec!["x".to_owned(), "o".to_owned()]
    }

    fn class(&self, cursor: State) -> usize {
        usize::from(!cursor.x_moves())
    }
}

impl Forward for TicTacToe {
    fn departures(&self, cursor: State, mut visit: impl FnMut((State, u8))) {
        for (_, next) in self.nexts(cursor) {
            if let Next::State(next) = next {
                visit((next, 0));
            }
        }
    }

    fn least_image_of_move(&self, cursor: State, number: u8) -> (u8, bool) {
        cursor
            .kept()
            .fold((number, false), |(least, several), turn| {
                let image = turn[usize::from(number)];
                (least.min(image), several || image != number)
            })
    }

    fn may_return_turned(&self, _cursor: State) -> bool {
        false
    }
}

impl Survey for TicTacToe {
    fn survey(&self, cursor: State, kinds: u32, mut visit: impl FnMut(Surveyed<(State, u8)>)) {
        for (number, next) in self.nexts(cursor) {
            let kinds_of_move = self.kinds_of(&cursor, Move(number));
            if kinds != u32::MAX && kinds_of_move & kinds == 0 {
                continue;
            }
            let leads = match next {
                Next::Over(outcome) => Leads::Over(outcome),
                Next::State(next) => Leads::To {
                    child: (next, 0),
                    undo: false,
                },
            };
            visit(Surveyed {
                number,
                kinds: kinds_of_move,
                leads,
            });
        }
    }
}

impl Passing for TicTacToe {
    /// None: the marks on the board tell whose turn it is.
    fn passed(&self, _state: &State) -> Option<State> {
        None
    }
}

impl Accounts for TicTacToe {
    /// Nothing changes its square.
    fn account(&self, _state: &State, mv: Move) -> Account {
        Account {
            from: mv.0,
            moved: Vec::new(),
            removed: None,
            neutral: true,
        }
    }

    fn pieces_of(&self, state: &State) -> (Vec<u8>, Vec<u8>) {
        (squares(state.own).collect(), squares(state.other).collect())
    }
}

impl Backward for TicTacToe {
    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let taken = squares(state.other).map(|square| {
            let before = State {
                own: state.other & !(1 << square),
                other: state.own,
            };
            (before, Move(square))
        });
        taken
            .filter(|&(before, _)| self.is_listed(before))
            .collect()
    }

    fn unrestricted(&self, state: &State) -> State {
        *state
    }

    fn forbidden(&self, _state: &State) -> Option<Move> {
        None
    }
}

impl Editable for TicTacToe {
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let (own, other) = if state.x_moves() {
            ("X", "O")
        } else {
            ("O", "X")
        };
        let named = |set, side: &str| {
            let side = side.to_owned();
            squares(set).map(move |square| {
                (
                    square,
                    format!("{side} on {}", super::notation::name(square)),
                )
            })
        };
        named(state.own, own)
            .chain(named(state.other, other))
            .collect()
    }

    /// Without one stone the other side would be to move.
    fn without(&self, _state: &State, _square: u8) -> Option<State> {
        None
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let mut found = Vec::new();
        for from in squares(state.own | state.other) {
            for to in squares(state.free()) {
                let shifted = |set: u16| {
                    if set >> from & 1 == 1 {
                        set & !(1 << from) | 1 << to
                    } else {
                        set
                    }
                };
                let state = State {
                    own: shifted(state.own),
                    other: shifted(state.other),
                };
                if !has_line(state.own) && !has_line(state.other) && self.is_listed(state) {
                    found.push((from, to, state));
                }
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        super::notation::name(square)
    }
}

impl Patterned for TicTacToe {
    type Pattern = Pattern;

    /// As a position, with `?` for a square that may hold anything.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let mut pattern = Pattern {
            x: 0,
            o: 0,
            free: 0,
        };
        let mut square = 0;
        for (at, letter) in text.chars().enumerate() {
            let message = "a pattern is three rows of three, such as x?o/???/..?";
            let fault = NotationError::new(text, at, message);
            if at % 4 == 3 {
                if letter != '/' {
                    return Err(fault);
                }
                continue;
            }
            if square == 9 {
                return Err(fault);
            }
            match letter.to_ascii_lowercase() {
                'x' => pattern.x |= 1 << square,
                'o' => pattern.o |= 1 << square,
                '.' => pattern.free |= 1 << square,
                '?' => {}
                _ => return Err(fault),
            }
            square += 1;
        }
        if square < 9 {
            let message = "squares are missing: three rows of three";
            return Err(NotationError::new(text, text.chars().count(), message));
        }
        Ok(pattern)
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let (x, o) = if state.x_moves() {
            (state.own, state.other)
        } else {
            (state.other, state.own)
        };
        let fits = |turn: &&[u8; 9]| {
            let (x, o) = (turned(x, turn), turned(o, turn));
            pattern.x & !x == 0 && pattern.o & !o == 0 && pattern.free & (x | o) == 0
        };
        let turn = TURNS.iter().find(fits)?;
        Some(state.turned(turn))
    }
}

impl TicTacToe {
    /// Squares that complete a line: two of it are in a set, the third in neither.
    pub(super) fn completing(set: u16, other: u16) -> u16 {
        let free = BOARD & !set & !other;
        squares(free)
            .filter(|&square| has_line(set | 1 << square))
            .fold(0, |found, square| found | 1 << square)
    }

    /// Lines with two of a side and the third square free.
    pub(super) fn threats(own: u16, other: u16) -> usize {
        open_lines(own, other, 2)
    }
}
