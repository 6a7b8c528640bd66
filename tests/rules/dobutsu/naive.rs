//! The rules of Dobutsu shogi once more, with letters on a board that is never turned.

/// A position: lines from the top, `-` for an empty square, the hands of Sente and Gote.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Naive {
    pub board: [[char; 3]; 4],
    pub hands: [Vec<char>; 2],
    pub gote: bool,
    pub drops: bool,
    pub held: bool,
}

/// Where a move leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Then {
    Wins,
    Loses,
    Goes(Naive),
}

impl Naive {
    /// Reads `S/gle/-c-/-C-/ELG/-`.
    pub fn read(text: &str, drops: bool, held: bool) -> Self {
        let parts: Vec<&str> = text.split('/').collect();
        let mut board = [['-'; 3]; 4];
        for (line, part) in board.iter_mut().zip(&parts[1..5]) {
            line.copy_from_slice(&part.chars().collect::<Vec<_>>());
        }
        let mut hands = [Vec::new(), Vec::new()];
        for letter in parts[5].chars().filter(|&letter| letter != '-') {
            let gote = letter.is_lowercase();
            hands[usize::from(gote)].push(letter.to_ascii_uppercase());
        }
        for hand in &mut hands {
            hand.sort_unstable();
        }
        Self {
            board,
            hands,
            gote: parts[0] == "G",
            drops,
            held,
        }
    }

    /// The position in notation.
    pub fn write(&self) -> String {
        let lines: Vec<String> = self
            .board
            .iter()
            .map(|line| line.iter().collect())
            .collect();
        let mut hands = String::new();
        for letter in ['C', 'G', 'E'] {
            for (side, hand) in self.hands.iter().enumerate() {
                let written = if side == 1 {
                    letter.to_ascii_lowercase()
                } else {
                    letter
                };
                hands.extend(hand.iter().filter(|&&held| held == letter).map(|_| written));
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = if self.gote { 'G' } else { 'S' };
        format!("{side}/{}/{hands}", lines.join("/"))
    }

    fn owned(letter: char, gote: bool) -> bool {
        letter != '-' && letter.is_lowercase() == gote
    }

    /// The squares to which the piece on a square steps, whatever stands there.
    fn targets(&self, line: usize, file: usize) -> Vec<(usize, usize)> {
        let letter = self.board[line][file];
        let straight = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        let diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
        let ahead = if letter.is_lowercase() { 1 } else { -1 };
        let steps: Vec<(i32, i32)> = match letter.to_ascii_uppercase() {
            'L' => [straight, diagonal].concat(),
            'G' => straight.to_vec(),
            'E' => diagonal.to_vec(),
            'C' => vec![(ahead, 0)],
            'R' => [&straight[..], &[(ahead, -1), (ahead, 1)]].concat(),
            _ => Vec::new(),
        };
        let at = |(down, right): (i32, i32)| {
            let to = (
                i32::try_from(line).unwrap() + down,
                i32::try_from(file).unwrap() + right,
            );
            let inside = (0..4).contains(&to.0) && (0..3).contains(&to.1);
            inside.then(|| {
                (
                    usize::try_from(to.0).unwrap(),
                    usize::try_from(to.1).unwrap(),
                )
            })
        };
        steps.into_iter().filter_map(at).collect()
    }

    fn squares() -> impl Iterator<Item = (usize, usize)> {
        (0..4).flat_map(|line| (0..3).map(move |file| (line, file)))
    }

    /// Whether a side's piece steps to a square.
    fn attacked_by(&self, gote: bool, target: (usize, usize)) -> bool {
        Self::squares().any(|(line, file)| {
            Self::owned(self.board[line][file], gote) && self.targets(line, file).contains(&target)
        })
    }

    fn lion(&self, gote: bool) -> (usize, usize) {
        let letter = if gote { 'l' } else { 'L' };
        Self::squares()
            .find(|&(line, file)| self.board[line][file] == letter)
            .unwrap()
    }

    /// Whether the lion of a side is on its far line.
    fn arrived(&self, gote: bool) -> bool {
        self.lion(gote).0 == if gote { 3 } else { 0 }
    }

    fn name((line, file): (usize, usize)) -> String {
        format!("{}{}", ['a', 'b', 'c'][file], line + 1)
    }

    /// The steps and drops of the side to move, each with the position that follows; `None`
    /// where the lion is taken.
    fn pseudo(&self) -> Vec<(String, Option<Self>)> {
        let mut found = Vec::new();
        let far = if self.gote { 3 } else { 0 };
        for from in Self::squares() {
            let letter = self.board[from.0][from.1];
            if !Self::owned(letter, self.gote) {
                continue;
            }
            for to in self.targets(from.0, from.1) {
                let taken = self.board[to.0][to.1];
                if Self::owned(taken, self.gote) {
                    continue;
                }
                let plus = letter.eq_ignore_ascii_case(&'c') && to.0 == far;
                let sign = if taken == '-' { '-' } else { 'x' };
                let shown = letter.to_ascii_uppercase().to_string().replace('R', "C");
                let name = format!(
                    "{shown}{}{sign}{}{}",
                    Self::name(from),
                    Self::name(to),
                    if plus { "+" } else { "" }
                );
                let mut next = self.clone();
                next.gote = !self.gote;
                next.board[from.0][from.1] = '-';
                next.board[to.0][to.1] = match (plus, self.gote) {
                    (true, true) => 'r',
                    (true, false) => 'R',
                    _ => letter,
                };
                if taken != '-' && self.drops {
                    let held = taken.to_ascii_uppercase().to_string().replace('R', "C");
                    let hand = &mut next.hands[usize::from(self.gote)];
                    hand.extend(held.chars());
                    hand.sort_unstable();
                }
                found.push((name, (!taken.eq_ignore_ascii_case(&'l')).then_some(next)));
            }
        }
        let mut hand = self.hands[usize::from(self.gote)].clone();
        hand.sort_unstable();
        hand.dedup();
        for held in hand {
            for to in Self::squares().filter(|&(line, file)| self.board[line][file] == '-') {
                let mut next = self.clone();
                next.gote = !self.gote;
                let hand = &mut next.hands[usize::from(self.gote)];
                hand.remove(hand.iter().position(|&letter| letter == held).unwrap());
                next.board[to.0][to.1] = if self.gote {
                    held.to_ascii_lowercase()
                } else {
                    held
                };
                found.push((format!("{held}*{}", Self::name(to)), Some(next)));
            }
        }
        found
    }

    /// The moves by name, sorted, and where they lead.
    pub fn moves(&self) -> Vec<(String, Then)> {
        let pseudo = self.pseudo();
        let mut found: Vec<(String, Then)> = Vec::new();
        if pseudo.iter().any(|(_, next)| next.is_none()) {
            let taking = pseudo.into_iter().filter(|(_, next)| next.is_none());
            found.extend(taking.map(|(name, _)| (name, Then::Wins)));
        } else if self.arrived(!self.gote) {
            assert!(self.held, "{}", self.write());
            found.extend(pseudo.into_iter().map(|(name, _)| (name, Then::Loses)));
        } else {
            for (name, next) in pseudo {
                let next = next.unwrap();
                let safe = !next.attacked_by(next.gote, next.lion(self.gote));
                let tried = !self.held && next.arrived(self.gote) && safe;
                let then = if tried || next.pseudo().is_empty() {
                    Then::Wins
                } else {
                    Then::Goes(next)
                };
                found.push((name, then));
            }
        }
        found.sort();
        found
    }

    /// The number of sequences of this many moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let on = moves.iter().map(|(_, then)| match then {
            Then::Goes(next) => next.perft(depth - 1),
            _ => 0,
        });
        on.sum()
    }
}
