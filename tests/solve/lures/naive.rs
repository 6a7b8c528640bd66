//! Ostle, players who look ahead, and lures, written down a second time: boards of letters, every
//! board in all its orientations, numbers of thirty digits, and no table.

use std::collections::HashMap;

/// A move: the square and the direction, as in `a2U`.
pub type Move = (usize, usize);

/// By square, file by file within ranks from the bottom: `m` the side to move, `t` the other, `o`
/// the hole, `.` empty.
pub type Board = Vec<u8>;

/// The chance 1.
pub const ONE: u128 = 1_000_000_000_000_000_000_000_000_000_000;

/// More than any difference in pieces.
pub const FAR: i32 = 1000;

const STEPS: [(char, isize, isize); 4] = [('U', 0, 1), ('D', 0, -1), ('L', -1, 0), ('R', 1, 0)];

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum To {
    Win,
    Loss,
    /// A state, by its number.
    State(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

fn count(board: &[u8], letter: u8) -> usize {
    board.iter().map(|&it| usize::from(it == letter)).sum()
}

/// All boards of a game, and all states that arise.
pub struct Naive {
    files: usize,
    ranks: usize,
    pieces: usize,
    fewest: usize,
    pub boards: Vec<Board>,
    places: HashMap<Board, usize>,
    /// By state: the board, and the forbidden move. The first states are the boards, with
    /// nothing forbidden.
    pub states: Vec<(usize, Option<Move>)>,
    /// By board: its moves.
    moves: Vec<Vec<(Move, To)>>,
    pub outcomes: Vec<Outcome>,
    /// By depth and board.
    values: Vec<Vec<i32>>,
}

/// The result of a move on the board.
enum After {
    Win,
    Loss,
    Board(Board),
}

impl Naive {
    pub fn new(files: usize, ranks: usize, pieces: usize, losses: usize, depth: usize) -> Self {
        let mut naive = Self {
            files,
            ranks,
            pieces,
            fewest: pieces + 1 - losses,
            boards: Vec::new(),
            places: HashMap::new(),
            states: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            values: Vec::new(),
        };
        naive.list_boards(&mut Vec::new());
        let boards = naive.boards.iter().cloned().zip(0..);
        naive.places = boards.collect();
        naive.list_moves();
        naive.solve();
        naive.look(depth);
        naive
    }

    fn list_boards(&mut self, board: &mut Board) {
        if board.len() == self.files * self.ranks {
            let may = |letter| (self.fewest..=self.pieces).contains(&count(board, letter));
            if may(b'm') && may(b't') && count(board, b'o') == 1 {
                self.boards.push(board.clone());
            }
            return;
        }
        for letter in *b".mto" {
            board.push(letter);
            self.list_boards(board);
            board.pop();
        }
    }

    fn neighbour(&self, square: usize, (_, file, rank): (char, isize, isize)) -> Option<usize> {
        let at = (square % self.files).checked_add_signed(file)?;
        let up = (square / self.files).checked_add_signed(rank)?;
        (at < self.files && up < self.ranks).then_some(up * self.files + at)
    }

    fn play(&self, board: &Board, (from, step): Move) -> Option<After> {
        let step = STEPS[step];
        let mut after = board.clone();
        match board[from] {
            b'o' => {
                let to = self.neighbour(from, step)?;
                if board[to] != b'.' {
                    return None;
                }
                after.swap(from, to);
            }
            b'm' => {
                let (mut carried, mut at) = (b'.', Some(from));
                loop {
                    match at {
                        Some(square) if board[square] != b'o' => {
                            std::mem::swap(&mut after[square], &mut carried);
                            if carried == b'.' {
                                break;
                            }
                            at = self.neighbour(square, step);
                        }
                        _ => break,
                    }
                }
            }
            _ => return None,
        }
        if count(&after, b't') < self.fewest {
            return Some(After::Win);
        }
        if count(&after, b'm') < self.fewest {
            return Some(After::Loss);
        }
        let swapped = after.iter().map(|&letter| match letter {
            b'm' => b't',
            b't' => b'm',
            other => other,
        });
        Some(After::Board(swapped.collect()))
    }

    fn all_moves(&self, board: &Board) -> Vec<(Move, After)> {
        let moves =
            (0..board.len()).flat_map(|from| (0..STEPS.len()).map(move |step| (from, step)));
        let play = |mv| Some((mv, self.play(board, mv)?));
        moves.filter_map(play).collect()
    }

    fn list_moves(&mut self) {
        self.states = (0..self.boards.len()).map(|board| (board, None)).collect();
        let mut numbers: HashMap<(usize, Move), usize> = HashMap::new();
        for board in &self.boards {
            let mut moves = Vec::new();
            for (mv, after) in self.all_moves(board) {
                let to = match after {
                    After::Win => To::Win,
                    After::Loss => To::Loss,
                    After::Board(next) => {
                        // Whatever leads back to the board before is forbidden.
                        let back = self.all_moves(&next).into_iter().find(
                            |(_, after)| matches!(after, After::Board(again) if again == board),
                        );
                        let place = self.places[&next];
                        To::State(match back {
                            None => place,
                            Some((back, _)) => {
                                let states = &mut self.states;
                                *numbers.entry((place, back)).or_insert_with(|| {
                                    states.push((place, Some(back)));
                                    states.len() - 1
                                })
                            }
                        })
                    }
                };
                moves.push((mv, to));
            }
            self.moves.push(moves);
        }
    }

    /// The legal moves of a state.
    pub fn legal(&self, state: usize) -> impl Iterator<Item = (Move, To)> {
        let (board, forbidden) = self.states[state];
        let moves = self.moves[board].iter().copied();
        moves.filter(move |&(mv, _)| Some(mv) != forbidden)
    }

    /// The outcome of a move for the side that makes it.
    pub fn outcome(&self, to: To) -> Outcome {
        match to {
            To::Win => Outcome::Win,
            To::Loss => Outcome::Loss,
            To::State(state) => match self.outcomes[state] {
                Outcome::Win => Outcome::Loss,
                Outcome::Draw => Outcome::Draw,
                Outcome::Loss => Outcome::Win,
            },
        }
    }

    fn solve(&mut self) {
        self.outcomes = vec![Outcome::Draw; self.states.len()];
        loop {
            let mut changed = false;
            for state in 0..self.states.len() {
                if self.outcomes[state] != Outcome::Draw {
                    continue;
                }
                let moves = self.legal(state).map(|(_, to)| self.outcome(to));
                let moves: Vec<_> = moves.collect();
                let wins = moves.contains(&Outcome::Win);
                let loses = moves.iter().all(|&it| it == Outcome::Loss);
                if wins || loses {
                    self.outcomes[state] = if wins { Outcome::Win } else { Outcome::Loss };
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn look(&mut self, depth: usize) {
        let material = |board: &Board| {
            let pieces = |letter| i32::try_from(count(board, letter)).unwrap();
            pieces(b'm') - pieces(b't')
        };
        self.values = vec![self.boards.iter().map(material).collect()];
        for depth in 1..=depth {
            let of = |board: usize| {
                let moves = self.moves[board].iter();
                let worths = moves.map(|&(_, to)| self.worth(to, depth));
                worths.max().unwrap_or(-FAR)
            };
            let values = (0..self.boards.len()).map(of).collect();
            self.values.push(values);
        }
    }

    /// What a move is worth to the player who looks `depth` plies ahead.
    fn worth(&self, to: To, depth: usize) -> i32 {
        match to {
            To::Win => FAR,
            To::Loss => -FAR,
            To::State(state) => -self.values[depth - 1][self.states[state].0],
        }
    }

    /// The value of a board.
    pub fn value(&self, board: usize, depth: usize) -> i32 {
        self.values[depth][board]
    }

    /// The moves of a state that the player who looks `depth` plies ahead likes.
    pub fn liked(&self, state: usize, depth: usize) -> Vec<(Move, To)> {
        let worths = self.legal(state).map(|(_, to)| self.worth(to, depth));
        let best = worths.max();
        let liked = self.legal(state);
        liked
            .filter(|&(_, to)| Some(self.worth(to, depth)) == best)
            .collect()
    }

    fn all_liked(&self, depth: usize) -> Vec<Vec<(Move, To)>> {
        let states = 0..self.states.len();
        states.map(|state| self.liked(state, depth)).collect()
    }

    /// The moves of a drawn state that keep the draw, by the states that they lead to.
    pub fn keeping(&self, state: usize) -> Vec<usize> {
        let keeps = |(_, to)| match to {
            To::State(next) if self.outcomes[next] == Outcome::Draw => Some(next),
            _ => None,
        };
        self.legal(state).filter_map(keeps).collect()
    }

    /// The state in the game's notation.
    pub fn text(&self, state: usize) -> String {
        let (board, forbidden) = self.states[state];
        let rank = |rank: usize| {
            let squares = &self.boards[board][rank * self.files..(rank + 1) * self.files];
            let mut text = String::new();
            for &letter in squares {
                match (letter, text.chars().last().and_then(|it| it.to_digit(10))) {
                    (b'.', Some(empty)) => {
                        text.pop();
                        text += &(empty + 1).to_string();
                    }
                    (b'.', None) => text.push('1'),
                    (b'm', _) => text.push('b'),
                    (b't', _) => text.push('w'),
                    _ => text.push('o'),
                }
            }
            text
        };
        let ranks: Vec<_> = (0..self.ranks).rev().map(rank).collect();
        let forbidden = forbidden.map_or_else(|| "-".to_owned(), |mv| self.move_text(mv));
        format!("{} b {forbidden}", ranks.join("/"))
    }

    /// A move in the game's notation.
    pub fn move_text(&self, (from, step): Move) -> String {
        let file = ['a', 'b', 'c', 'd', 'e'][from % self.files];
        format!("{file}{}{}", from / self.files + 1, STEPS[step].0)
    }

    /// The chances of the lurer in every drawn state, and of one who is to choose by `choose`,
    /// which makes of the chances after each move one chance. The last entry is that with the
    /// opponent to move.
    pub fn lure(
        &self,
        depth: usize,
        moves: usize,
        choose: impl Fn(&Self, &[(usize, u128)]) -> u128,
    ) -> Vec<(Vec<u128>, Vec<u128>)> {
        let drawn = |state: &usize| self.outcomes[*state] == Outcome::Draw;
        let states: Vec<usize> = (0..self.states.len()).filter(drawn).collect();
        let liked = self.all_liked(depth);
        let mut lurer = vec![0; self.states.len()];
        let mut all = Vec::new();
        for _ in 0..moves {
            let mut opponent = vec![0; self.states.len()];
            for &state in &states {
                let liked = &liked[state];
                let of = |&(_, to): &(Move, To)| match (self.outcome(to), to) {
                    (Outcome::Draw, To::State(next)) => lurer[next],
                    _ => ONE,
                };
                opponent[state] = liked.iter().map(of).sum::<u128>() / liked.len() as u128;
            }
            let before = lurer.clone();
            for &state in &states {
                let moves = self.keeping(state).into_iter();
                let moves: Vec<_> = moves.map(|next| (next, opponent[next])).collect();
                lurer[state] = choose(self, &moves);
            }
            assert!(
                states
                    .iter()
                    .all(|&state| before[state] <= lurer[state] + 1000)
            );
            all.push((lurer.clone(), opponent));
        }
        all
    }

    /// By state, moves of the opponent within which they go wrong whatever they choose.
    pub fn forced(&self, depth: usize) -> Vec<Option<u32>> {
        let mut within: Vec<Option<u32>> = vec![None; self.states.len()];
        let liked = self.all_liked(depth);
        let drawn = |state: &usize| self.outcomes[*state] == Outcome::Draw;
        let keeping: Vec<(usize, Vec<usize>)> = (0..self.states.len())
            .filter(drawn)
            .map(|state| (state, self.keeping(state)))
            .collect();
        for moves in 1.. {
            let known = within.clone();
            let falls = |&next: &usize| {
                liked[next].iter().all(|&(_, to)| match to {
                    To::State(again) if self.outcome(to) == Outcome::Draw => known[again].is_some(),
                    _ => true,
                })
            };
            for (state, keeping) in &keeping {
                if known[*state].is_none() && keeping.iter().any(falls) {
                    within[*state] = Some(moves);
                }
            }
            if known == within {
                return within;
            }
        }
        within
    }
}
