//! A second writing of the rules, on boards of letters.

use std::fmt::Write as _;

use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, NotationError};
use tesuji::games::pieces::Pieces;

/// A game in the plainest terms: squares are columns and rows from the upper left.
#[derive(Debug, Clone)]
pub struct Plain {
    pub columns: i32,
    pub rows: i32,
    pub men: usize,
    pub adjacency: &'static str,
    pub moves: &'static str,
    pub no_move: &'static str,
    /// The rows of the board at the start; empty if men are dropped.
    pub start: &'static [&'static str],
    /// Lines: their length, and the ways in which they run.
    pub lines: (i32, &'static [&'static str]),
    /// Squares: the words of the file, with blanks between.
    pub squares: &'static str,
    /// Whether a man in a corner wins that is surrounded by men of the other side.
    pub cornered: bool,
}

/// Rows from the top, then the side to move.
pub type Text = (Vec<Vec<u8>>, u8);

impl Plain {
    pub fn file(&self) -> String {
        let quoted = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
            format!("[{}]", words.join(", "))
        };
        let free = ".".repeat(usize::try_from(self.columns).unwrap());
        let empty = vec![&free[..]; usize::try_from(self.rows).unwrap()];
        let start = if self.start.is_empty() {
            let hand = "M".repeat(self.men);
            let hands = quoted(&[&hand, &hand]);
            format!("{}\nhands = {hands}\ndrop_first = true", quoted(&empty))
        } else {
            quoted(self.start)
        };
        let moves = match (self.moves, self.adjacency) {
            ("fly", _) => "mU",
            ("step", "orthogonal") => "mW",
            ("step", "diagonal") => "mF",
            ("step", _) => "mK",
            (_, "orthogonal") => "muR",
            (_, "diagonal") => "muB",
            _ => "muQ",
        };
        let mut text = format!(
            "title = 'T'\ncolumns = {}\nrows = {}\nsides = 'black-white'\nno_move = '{}'\nstart = {start}\n",
            self.columns, self.rows, self.no_move
        );
        if self.cornered {
            text += "cornered_wins = true\n";
        }
        if self.adjacency == "alquerque" && self.moves != "fly" {
            text += "alquerque = true\n";
        }
        let man = "[[piece]]\nletter = 'M'\nside_letters = 'bw'\nname = 'man'";
        write!(text, "{man}\nmoves = '{moves}'\n").unwrap();
        let (length, ways) = self.lines;
        if length > 0 {
            let ways = quoted(ways);
            write!(text, "[[goal]]\nline = {length}\ndirections = {ways}\n").unwrap();
        }
        for word in self.squares.split_whitespace() {
            write!(text, "[[goal]]\nsquare = '{word}'\n").unwrap();
        }
        text
    }

    pub fn game(&self) -> Pieces {
        Pieces::from_file("plain.toml", &self.file()).unwrap()
    }

    pub fn read(text: &str) -> Text {
        let (board, side) = text.split_once(' ').unwrap();
        let rows = board.split('/').map(|row| row.bytes().collect()).collect();
        (rows, side.bytes().next().unwrap())
    }

    pub fn write((rows, side): &Text) -> String {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| String::from_utf8_lossy(row))
            .collect();
        format!("{} {}", rows.join("/"), char::from(*side))
    }

    pub fn at(&self, (rows, _): &Text, (column, row): (i32, i32)) -> Option<u8> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        inside.then(|| rows[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()])
    }

    pub fn all(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)))
    }

    pub fn name(&self, (column, row): (i32, i32)) -> String {
        let letter = b"abcdefghijklmnop"[usize::try_from(column).unwrap()];
        format!("{}{}", char::from(letter), self.rows - row)
    }

    pub fn of(&self, text: &Text, letter: u8) -> Vec<(i32, i32)> {
        self.all()
            .filter(|&square| self.at(text, square) == Some(letter))
            .collect()
    }

    pub fn directions(&self, (column, row): (i32, i32)) -> Vec<(i32, i32)> {
        let around = (-1..=1_i32).flat_map(|x| (-1..=1_i32).map(move |y| (x, y)));
        around
            .filter(|&(x, y)| match self.adjacency {
                "orthogonal" => x.abs() + y.abs() == 1,
                "diagonal" => x.abs() + y.abs() == 2,
                "both" => (x, y) != (0, 0),
                _ => x.abs() + y.abs() == 1 || x.abs() + y.abs() == 2 && (column + row) % 2 == 0,
            })
            .collect()
    }

    pub fn targets(&self, text: &Text, from: (i32, i32)) -> Vec<(i32, i32)> {
        if self.moves == "fly" {
            return self.of(text, b'.');
        }
        let mut found = Vec::new();
        for (x, y) in self.directions(from) {
            let mut at = from;
            loop {
                let next = (at.0 + x, at.1 + y);
                if self.at(text, next) != Some(b'.') {
                    break;
                }
                at = next;
                if self.moves == "step" {
                    break;
                }
            }
            if at != from {
                found.push(at);
            }
        }
        found
    }

    /// Whether men on these squares have lined up.
    pub fn wins(&self, men: &[(i32, i32)]) -> bool {
        let has = |square: (i32, i32)| men.contains(&square);
        if self.squares.contains("board") && self.corners().into_iter().all(has) {
            return true;
        }
        let (length, ways) = self.lines;
        for &(column, row) in men {
            for &way in ways {
                let steps: &[(i32, i32)] = match way {
                    "horizontal" => &[(1, 0)],
                    "vertical" => &[(0, 1)],
                    "orthogonal" => &[(1, 0), (0, 1)],
                    _ => &[(1, 1), (1, -1)],
                };
                for (x, y) in steps {
                    if length > 0 && (0..length).all(|i| has((column + i * x, row + i * y))) {
                        return true;
                    }
                }
            }
            for &(x, y) in men {
                let (x, y) = (x - column, y - row);
                let allowed = self.squares.split_whitespace().any(|word| match word {
                    "unit" => x.abs() + y.abs() == 1,
                    "upright" => x == 0 || y == 0,
                    "any" => true,
                    _ => false,
                });
                // The other two corners, a quarter turn on.
                let turned = [(column - y, row + x), (column + x - y, row + y + x)];
                if allowed && (x, y) != (0, 0) && turned.into_iter().all(has) {
                    return true;
                }
            }
        }
        false
    }

    fn corners(&self) -> [(i32, i32); 4] {
        let (right, low) = (self.columns - 1, self.rows - 1);
        [(0, 0), (right, 0), (0, low), (right, low)]
    }

    /// Whether a man of a side in a corner is surrounded by men of the other side.
    fn is_cornered(&self, text: &Text, letter: u8) -> bool {
        let other = if letter == b'b' { b'w' } else { b'b' };
        self.cornered
            && self.corners().into_iter().any(|(column, row)| {
                let mut beside = self.all().filter(|&at| {
                    at != (column, row) && (at.0 - column).abs() < 2 && (at.1 - row).abs() < 2
                });
                self.at(text, (column, row)) == Some(letter)
                    && beside.all(|at| self.at(text, at) == Some(other))
            })
    }

    pub fn is_over(&self, text: &Text) -> bool {
        let won = |side| self.wins(&self.of(text, side)) || self.is_cornered(text, side);
        won(b'b') || won(b'w') || self.listed(text).is_empty()
    }

    /// The moves by name, with the boards after them.
    pub fn listed(&self, text: &Text) -> Vec<(String, Text)> {
        let (rows, side) = text;
        let other = if *side == b'b' { b'w' } else { b'b' };
        let mine = self.of(text, *side);
        let set = |rows: &mut Vec<Vec<u8>>, (column, row): (i32, i32), letter| {
            rows[usize::try_from(row).unwrap()][usize::try_from(column).unwrap()] = letter;
        };
        let mut found = Vec::new();
        if mine.len() < self.men {
            for to in self.of(text, b'.') {
                let mut after = rows.clone();
                set(&mut after, to, *side);
                found.push((format!("M@{}", self.name(to)), (after, other)));
            }
            return found;
        }
        for from in mine {
            for to in self.targets(text, from) {
                let mut after = rows.clone();
                set(&mut after, from, b'.');
                set(&mut after, to, *side);
                found.push((self.name(from) + &self.name(to), (after, other)));
            }
        }
        if found.is_empty() && self.no_move == "pass" {
            found.push(("pass".to_owned(), (rows.clone(), other)));
        }
        found
    }

    /// Every way to put so many men of each side on the board, with each side to move that
    /// makes sense.
    pub fn everything(&self) -> Vec<Text> {
        let squares: Vec<_> = self.all().collect();
        let mut boards = vec![Vec::new()];
        for _ in &squares {
            boards = boards
                .into_iter()
                .flat_map(|board: Vec<u8>| {
                    b".bw".iter().map(move |&letter| {
                        let mut board = board.clone();
                        board.push(letter);
                        board
                    })
                })
                .filter(|board| {
                    let count = |letter| {
                        board
                            .iter()
                            .map(|&at| usize::from(at == letter))
                            .sum::<usize>()
                    };
                    count(b'b') <= self.men && count(b'w') <= self.men
                })
                .collect();
        }
        let columns = usize::try_from(self.columns).unwrap();
        let mut found = Vec::new();
        for board in boards {
            let count = |letter| {
                board
                    .iter()
                    .map(|&at| usize::from(at == letter))
                    .sum::<usize>()
            };
            let (black, white) = (count(b'b'), count(b'w'));
            let rows: Vec<Vec<u8>> = board.chunks(columns).map(<[u8]>::to_vec).collect();
            if (black, white) == (self.men, self.men) {
                found.push((rows.clone(), b'w'));
                found.push((rows, b'b'));
            } else if self.start.is_empty() && black == white {
                found.push((rows, b'b'));
            } else if self.start.is_empty() && black == white + 1 {
                found.push((rows, b'w'));
            }
        }
        found
    }
}

/// So that the slow solver solves it. States are texts.
impl Game for Plain {
    type State = String;
    type Move = u16;

    fn spec(&self) -> String {
        "plain".to_owned()
    }

    fn initial(&self) -> String {
        unreachable!("the roots are given")
    }

    fn format_state(&self, state: &String) -> String {
        state.clone()
    }

    fn parse_state(&self, text: &str) -> Result<String, NotationError> {
        Ok(text.to_owned())
    }

    fn format_move(&self, mv: u16) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u16, NotationError> {
        Err(NotationError::new(text, 0, "not read here"))
    }

    fn side_to_move(&self, _state: &String) -> &'static str {
        "Next player"
    }
}

impl Moves for Plain {
    fn moves(&self, state: &String) -> Vec<u16> {
        (0..).take(self.listed(&Self::read(state)).len()).collect()
    }

    fn play(&self, state: &String, mv: u16) -> Next<String> {
        let text = Self::read(state);
        let (_, next) = self.listed(&text).swap_remove(usize::from(mv));
        if self.wins(&self.of(&next, text.1)) || self.is_cornered(&next, text.1) {
            return Next::Over(Outcome::Win);
        }
        if self.is_cornered(&next, next.1) {
            return Next::Over(Outcome::Loss);
        }
        if self.listed(&next).is_empty() {
            return Next::Over(match self.no_move {
                "loss" => Outcome::Win,
                "draw" => Outcome::Draw,
                _ => Outcome::Loss,
            });
        }
        Next::State(Self::write(&next))
    }
}

pub const MORRIS: Plain = Plain {
    columns: 3,
    rows: 3,
    men: 3,
    adjacency: "alquerque",
    moves: "step",
    no_move: "loss",
    start: &[],
    lines: (3, &["orthogonal", "diagonal"]),
    squares: "",
    cornered: false,
};

pub const TEEKO: Plain = Plain {
    columns: 5,
    rows: 5,
    men: 4,
    adjacency: "both",
    lines: (4, &["orthogonal", "diagonal"]),
    squares: "unit",
    ..MORRIS
};

/// The games that ship, by name, as this second writing has them.
pub fn twins() -> [(&'static str, Plain); 7] {
    [
        (
            "advanced-teeko",
            Plain {
                squares: "upright",
                ..TEEKO
            },
        ),
        (
            "dao",
            Plain {
                columns: 4,
                rows: 4,
                moves: "slide",
                start: &["b..w", ".bw.", ".wb.", "w..b"],
                lines: (4, &["orthogonal"]),
                squares: "unit board",
                cornered: true,
                ..TEEKO
            },
        ),
        (
            "mondrago",
            Plain {
                start: &["bb.ww", ".....", ".....", ".....", "ww.bb"],
                lines: (0, &[]),
                squares: "any",
                ..TEEKO
            },
        ),
        (
            "neutreeko",
            Plain {
                men: 3,
                moves: "slide",
                start: &[".w.w.", "..b..", ".....", "..w..", ".b.b."],
                lines: (3, &["orthogonal", "diagonal"]),
                squares: "",
                ..TEEKO
            },
        ),
        ("tapatan", MORRIS),
        ("teeko", TEEKO),
        (
            "three-mens-morris",
            Plain {
                adjacency: "orthogonal",
                ..MORRIS
            },
        ),
    ]
}
