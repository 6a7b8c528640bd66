//! Positions that are read.

use super::{knows_sfen, letter_to_move};
use crate::game::{NotationError, words};
use crate::games::pieces::Pieces;
use crate::games::pieces::rules::{
    ALL_RIGHTS, Counts, KindNumber, MOST_KINDS, Notation, Position, Rights, Rules, Sets, Squares,
    counted,
};
use crate::games::pieces::state::{Side, State};
use crate::games::settings;

/// The most characters of a position.
const MOST_LETTERS: usize = 1000;

const MOST_IN_HAND: u32 = 64;

pub(in crate::games::pieces) fn parse_state(
    game: &Pieces,
    text: &str,
) -> Result<State, NotationError> {
    let state = read_state(game.rules(), text)?;
    let Some(fault) = game.fault_of(&state) else {
        return Ok(state);
    };
    if state.at.passing != 0 {
        // Other programs name the square after every double step, whether or not a man can
        // take in passing.
        let mut plain = state;
        plain.at.passing = 0;
        if game.fault_of(&plain).is_none() {
            return Ok(plain);
        }
    }
    Err(NotationError::new(text, 0, fault))
}

/// Reads a state that may be one that does not occur.
pub(in crate::games::pieces) fn read_state(
    rules: &Rules,
    text: &str,
) -> Result<State, NotationError> {
    let text = text.trim_end();
    if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
        let message =
            format!("a position has at most {MOST_LETTERS} characters: leave the rest out");
        return Err(NotationError::new(&text[..end], MOST_LETTERS, message));
    }
    let reader = Reader { rules, text };
    if let (Some(side), Some('/')) = (text.chars().next(), text.chars().nth(1))
        && side.is_alphabetic()
        && rules.board.size().0 > 1
    {
        return reader.clausecker(side);
    }
    let mut words = words(text, char::is_whitespace).into_iter();
    let end = text.chars().count();
    let (at, board) = words.next().unwrap_or((end, ""));
    let (board, hands) = match board.find('[') {
        Some(bracket) => board.split_at(bracket),
        None => (board, ""),
    };
    let mut seen = Position {
        men: reader.men(at, board)?,
        ..Position::default()
    };
    let at = at + board.chars().count();
    reader.royal_men(at, &seen)?;
    let to_move = words.next().unwrap_or((end, ""));
    if to_move.1.is_empty() && rules.fills_squares() {
        seen.hands = reader.hands(at, hands, &seen.men)?;
        let second = rules.second_drops(&seen.hands);
        return Ok(to_be_moved(rules, &seen, Side::BOTH[usize::from(second)]));
    }
    let has_hands = rules.has_hands() && rules.all_men().is_none();
    let is_sfen = has_hands || matches!(to_move.1, "b" | "w");
    if hands.is_empty() && knows_sfen(rules) && is_sfen {
        let side;
        (side, seen.hands) = reader.sfen(&seen.men, to_move, words)?;
        return Ok(to_be_moved(rules, &seen, side));
    }
    seen.hands = reader.hands(at, hands, &seen.men)?;

    let side = reader.side(to_move)?;
    if let Some(word) = words.next() {
        seen.castling = reader.castling(&seen.men, word)?;
    }
    let mut state = to_be_moved(rules, &seen, side);
    if let Some(word) = words.next() {
        state.at.passing = reader.passing(&state, word)?;
    }
    // The moves since the last capture and the number of the move, which decide nothing here.
    for (at, number) in words.by_ref().take(2) {
        if settings::number::<u32>(number).is_none() {
            let message = "expected a number of moves here, such as 0; it may be left out";
            return Err(reader.fault(at, message));
        }
    }
    match words.next() {
        Some((at, _)) => Err(reader.fault(at, "the position is complete: leave out what follows")),
        None => Ok(state),
    }
}

/// The state of a position as the side sees it that begins.
fn to_be_moved(rules: &Rules, seen: &Position, side: Side) -> State {
    let at = seen.seen_by(rules, side);
    State { at, side }
}

struct Reader<'a> {
    rules: &'a Rules,
    text: &'a str,
}

impl Reader<'_> {
    fn fault(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    fn name(&self, side: usize) -> &'static str {
        Side::BOTH[side].name(self.rules.names)
    }

    fn shape(&self) -> String {
        let (columns, rows) = self.rules.board.size();
        let of = format!("{rows} rows of {columns} squares from the top");
        match self.rules.notation {
            Notation::Fen => format!(
                "a board is {of}, with / between them: a letter for each man, a number for free squares side by side"
            ),
            Notation::Clausecker => {
                let [first, second] = self.to_move().map(|letter| letter.to_ascii_uppercase());
                format!(
                    "a position is {first} or {second} for the side to move, {of} with a letter for each man and - for each free square, and the men in hand or -, all with / between them"
                )
            }
        }
    }

    fn to_move(&self) -> [char; 2] {
        Side::BOTH.map(|side| letter_to_move(self.rules, side))
    }

    fn man(&self, at: usize, letter: char) -> Result<(usize, KindNumber), NotationError> {
        self.rules.man_of(letter).ok_or_else(|| {
            let [first, second] = [0, 1].map(|side| {
                let kinds = self.rules.written_kinds();
                let letters: Vec<_> = kinds
                    .map(|(_, kind)| kind.letters[side].to_string())
                    .collect();
                format!("{} for {}", letters.join(", "), self.name(side))
            });
            self.fault(at, format!("men are {first} and {second}"))
        })
    }

    /// The side and the kind of a promoted man, `+C` for what C becomes.
    fn promoted(
        &self,
        at: usize,
        letter: Option<(usize, char)>,
    ) -> Result<(usize, KindNumber), NotationError> {
        let (side, kind) = match letter {
            Some((at, letter)) => self.man(at, letter)?,
            None => return Err(self.fault(at + 1, self.shape())),
        };
        if let [promoted] = self.rules.kinds[kind].promotes_to[..] {
            return Ok((side, promoted));
        }
        let name = &self.rules.kinds[kind].name;
        let message = format!("+ stands before a man that is promoted, and no {name} is");
        Err(self.fault(at, message))
    }

    /// Reads a board that begins at a place of the text.
    fn men(&self, at: usize, board: &str) -> Result<Sets, NotationError> {
        let (columns, rows) = self.rules.board.size();
        let mut men = Sets::default();
        let (mut row, mut column) = (0, 0);
        let mut letters = (at..).zip(board.chars()).peekable();
        while let Some((at, letter)) = letters.next() {
            if letter == '/' {
                if column < columns || row + 1 == rows {
                    return Err(self.fault(at, self.shape()));
                }
                (row, column) = (row + 1, 0);
                continue;
            }
            let (mut count, mut man) = (1, None);
            if let Some(free) = letter.to_digit(10) {
                count = free;
                while let Some(digit) = letters.next_if_map(|it| it.1.to_digit(10).ok_or(it)) {
                    count = count.saturating_mul(10).saturating_add(digit);
                }
            } else if letter == '+' {
                man = Some(self.promoted(at, letters.next())?);
            } else if !matches!(letter, '.' | '-') {
                man = Some(self.man(at, letter)?);
            }
            if letter == '0' || count > u32::from(columns - column) {
                return Err(self.fault(at, self.shape()));
            }
            if let Some((side, kind)) = man {
                let square = row * columns + column;
                self.may_stand(at, side, kind, square)?;
                men[side][kind] |= 1 << square;
            }
            column += count as u8;
        }
        if column < columns || row + 1 < rows {
            let end = at + board.chars().count();
            return Err(self.fault(end, format!("squares are missing: {}", self.shape())));
        }
        Ok(men)
    }

    /// Checks that a man can stand on a square, as the side sees it that begins.
    fn may_stand(
        &self,
        at: usize,
        side: usize,
        kind: KindNumber,
        square: u8,
    ) -> Result<(), NotationError> {
        let seen_by_owner = self.rules.seen_by(side, square);
        let kind = &self.rules.kinds[kind];
        if kind.squares >> seen_by_owner & 1 == 1 {
            return Ok(());
        }
        let (owner, name) = (self.name(side), &kind.name);
        let square = self.rules.board.name(square);
        let message =
            format!("{owner}'s {name} never stands on {square}: put it on another square");
        Err(self.fault(at, message))
    }

    /// Checks that each side has one royal man if there are any, with the end of the board.
    fn royal_men(&self, end: usize, at: &Position) -> Result<(), NotationError> {
        let Some(royal) = self.rules.royal_kind() else {
            return Ok(());
        };
        let name = &self.rules.kinds[royal].name;
        for (side, men) in at.men.iter().enumerate() {
            let count = men[royal].count_ones();
            let owner = self.name(side);
            if count == 0 {
                let message = format!("{owner} has one {name}: put it on the board");
                return Err(self.fault(end, message));
            }
            if count > 1 {
                let is_royal =
                    |&(_, letter): &(usize, char)| self.rules.man_of(letter) == Some((side, royal));
                // The text begins with the board.
                let second = self.text.chars().enumerate().filter(is_royal).nth(1);
                let place = second.map_or(end, |(place, _)| place);
                let message = format!("{owner} has only one {name}: take this one out");
                return Err(self.fault(place, message));
            }
        }
        Ok(())
    }

    /// Reads a position that begins with the side to move, the rest after slashes.
    fn clausecker(&self, side: char) -> Result<State, NotationError> {
        let side = self.side((0, side.encode_utf8(&mut [0; 4])))?;
        let rows = usize::from(self.rules.board.size().1);
        let (_, rest) = self.text.split_once('/').unwrap_or_default();
        let end = rest.match_indices('/').nth(rows - 1).map(|(end, _)| end);
        let (board, hands) = rest.split_at(end.unwrap_or(rest.len()));
        let mut seen = Position {
            men: self.men(2, board)?,
            ..Position::default()
        };
        let at = 2 + board.chars().count();
        self.royal_men(at, &seen)?;
        let none = "write / and the men in hand here, or /- if there are none";
        let hands = hands.get(1..).filter(|hands| !hands.is_empty());
        let hands = hands.ok_or_else(|| self.fault(self.text.chars().count(), none))?;
        let hands = if hands == "-" { "" } else { hands };
        seen.hands = self.in_hand(at + 1, hands, &seen.men)?;
        Ok(to_be_moved(self.rules, &seen, side))
    }

    /// Reads what stands after the board in SFEN: the side to move, the hands, and perhaps the
    /// number of the move, which decides nothing.
    fn sfen<'t>(
        &self,
        men: &Sets,
        (at, to_move): (usize, &str),
        mut words: impl Iterator<Item = (usize, &'t str)>,
    ) -> Result<(Side, Counts), NotationError> {
        let side = match to_move {
            "b" => Side::First,
            "w" => Side::Second,
            _ => {
                let [first, second] = [0, 1].map(|side| self.name(side));
                let message = format!(
                    "the men in hand are missing: write them in brackets after the board, or b if {first} is to move, w if {second} is, and then the hands, as in SFEN"
                );
                return Err(self.fault(at, message));
            }
        };
        let Some((at, hands)) = words.next() else {
            let message = "write the men in hand here, as in 2Pp, or - if there are none";
            return Err(self.fault(self.text.chars().count(), message));
        };
        let hands = match hands {
            "-" => Default::default(),
            _ if self.rules.has_hands() => self.in_hand(at, hands, men)?,
            _ => return Err(self.fault(at, "no man is ever in hand in this game: write - here")),
        };
        let mut rest =
            words.skip_while(|(_, word)| word.bytes().all(|digit| digit.is_ascii_digit()));
        match rest.next() {
            None => Ok((side, hands)),
            Some((at, _)) => {
                let message = "nothing but the number of the move comes after the hands";
                Err(self.fault(at, message))
            }
        }
    }

    /// Reads hands in brackets, which begin at a place of the text, where these men are on the board.
    fn hands(&self, at: usize, hands: &str, men: &Sets) -> Result<Counts, NotationError> {
        if hands.is_empty() {
            return if self.rules.all_men().is_some() || !self.rules.has_hands() {
                self.in_hand(at, "", men)
            } else {
                let message = "write the men in hand here in brackets, [] if there are none";
                Err(self.fault(at, message))
            };
        }
        let (letters, rest) = hands[1..].split_once(']').ok_or_else(|| {
            let end = at + hands.chars().count();
            self.fault(end, "the hands end with a closing bracket: add ]")
        })?;
        if !rest.is_empty() {
            let end = at + letters.chars().count() + 2;
            return Err(self.fault(end, "expected a blank and the side to move here"));
        }
        self.in_hand(at + 1, letters, men)
    }

    /// Reads the letters of men in hand, each perhaps with a number before it, which begin at a
    /// place of the text. Without any, those are in hand that the board tells.
    fn in_hand(&self, at: usize, letters: &str, men: &Sets) -> Result<Counts, NotationError> {
        let mut held = [[0; MOST_KINDS]; 2];
        if let Some(all) = self.rules.all_men().filter(|_| letters.is_empty()) {
            return self.left(all, men);
        }
        let mut counts = [0; 2];
        let mut letters = (at..).zip(letters.chars());
        while let Some((mut at, mut letter)) = letters.next() {
            let mut number: Option<u32> = None;
            while let Some(digit) = letter.to_digit(10)
                && let Some(next) = letters.next()
            {
                let tens = number.unwrap_or(0).saturating_mul(10);
                number = Some(tens.saturating_add(digit));
                (at, letter) = next;
            }
            let (side, kind) = self.man(at, letter)?;
            let name = &self.rules.kinds[kind].name;
            if !self.rules.can_be_in_hand(kind) {
                let message = format!("a man of the kind {name} is never in hand: take it out");
                return Err(self.fault(at, message));
            }
            let number = number.unwrap_or(1);
            counts[side] = u32::saturating_add(counts[side], number);
            if number == 0 || counts[side] > MOST_IN_HAND {
                let message = format!("1 to {MOST_IN_HAND} men are in a hand: take some out");
                return Err(self.fault(at, message));
            }
            held[side][kind] += u8::try_from(number).unwrap_or(u8::MAX);
        }
        Ok(held)
    }

    /// The men of all that are not on the board.
    fn left(&self, all: Counts, men: &Sets) -> Result<Counts, NotationError> {
        let mut held = all;
        for (side, held) in held.iter_mut().enumerate() {
            for (kind, _) in self.rules.written_kinds() {
                let count = men[side][kind].count_ones();
                let left = u32::from(all[side][kind]).checked_sub(count);
                let Some(left) = left.filter(|&left| left == 0 || self.rules.can_be_in_hand(kind))
                else {
                    let count = u8::try_from(count).unwrap_or(u8::MAX);
                    let name = counted(count, &self.rules.kinds[kind].name);
                    let (owner, all) = (self.name(side), all[side][kind]);
                    let message = format!("{owner} has {name} here, of {all}");
                    return Err(self.fault(0, message));
                };
                held[kind] = u8::try_from(left).unwrap_or(u8::MAX);
            }
        }
        Ok(held)
    }

    fn side(&self, (at, word): (usize, &str)) -> Result<Side, NotationError> {
        let mut sides = Side::BOTH.into_iter();
        let is_named = |side: &Side| {
            let letter = letter_to_move(self.rules, *side);
            word.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4]))
        };
        sides.find(is_named).ok_or_else(|| {
            let [first, second] = self.to_move();
            let message =
                format!("expected a blank and the side to move here, {first} or {second}");
            self.fault(at, message)
        })
    }

    /// Reads rights to castle, where these men are on the board.
    fn castling(&self, men: &Sets, (at, word): (usize, &str)) -> Result<Rights, NotationError> {
        let all = self.rules.letters_of_rights(ALL_RIGHTS);
        if word != "-" && all.is_empty() {
            let message = "nobody castles in this game: write - here, or end the spec of a chess ending with ,castling";
            return Err(self.fault(at, message));
        }
        let (mut rights, most) = (0, self.rules.most_rights(men));
        for (at, letter) in (at..).zip(word.chars()).filter(|_| word != "-") {
            let Some(right) = self.rules.right_of(letter) else {
                let message = format!("expected - here, or rights to castle, of {all}");
                return Err(self.fault(at, message));
            };
            if most & right == 0 {
                let message =
                    format!("not both men stand where they castle by {letter}: leave it out");
                return Err(self.fault(at, message));
            }
            rights |= right;
        }
        Ok(rights)
    }

    /// Reads the square that a man has passed; the set of the man's square, as the side to move
    /// sees it.
    fn passing(&self, state: &State, (at, word): (usize, &str)) -> Result<Squares, NotationError> {
        if word == "-" {
            return Ok(0);
        }
        if !self.rules.takes_in_passing() {
            return Err(self.fault(at, "no man is taken in passing in this game: write - here"));
        }
        let square = self.rules.board.read_name(word).map_err(|error| {
            let square = error.message;
            let message =
                format!("expected - here, or the square that a man has just passed; {square}");
            self.fault(at, message)
        })?;
        let passed = state.seen_square(self.rules, square);
        let man = state.at.man_that_passed(self.rules, passed);
        let man = man.ok_or_else(|| {
            let name = self.rules.board.name(square);
            let other = state.side.other().name(self.rules.names);
            let message =
                format!("no man of {other} can have passed {name} in a double step: write - here");
            self.fault(at, message)
        })?;
        Ok(1 << man)
    }
}
