//! The notation of positions and moves.
//!
//! A position is written in FEN: the rows from the top with `/` between them, capital letters for
//! the men of the side that begins, small ones for those of the other side, a number for free
//! squares side by side. Where the rules give the men of either side letters of their own, these
//! stand there, and a dot for each free square. Games with hands go on with the men in hand in
//! brackets, as crazyhouse has them, unless these are all that are not on the board. The side to
//! move follows, and in games where men are taken in passing, `-` for
//! castling, which is not known here, and the square that a man has just passed, or `-`. A move is
//! written as UCI has it: `e2e4`, `e7e8q`, `P@e4`.

use super::Pieces;
use super::rules::{Kind, KindNumber, MOST_KINDS, Rules, Squares, counted};
use super::state::{Move, Origin, Position, Side, State};
use crate::game::NotationError;

/// The most characters of a position.
const MOST_LETTERS: usize = 1000;

/// The most men in a hand.
const MOST_IN_HAND: u32 = 64;

/// The letter of a kind, a capital one.
fn letter(rules: &Rules, kind: KindNumber) -> char {
    let kind = rules.kinds[kind].passing_of.unwrap_or(kind);
    rules.kinds[kind].letter
}

/// The letter of a side's men of a kind on the board.
pub(super) fn letter_of_side(rules: &Rules, side: usize, kind: KindNumber) -> char {
    let kind = rules.kinds[kind].passing_of.unwrap_or(kind);
    rules.kinds[kind].letters[side]
}

/// The letter of a side to move.
fn letter_to_move(rules: &Rules, side: Side) -> char {
    let name = side.name(rules.names).chars();
    name.map(|letter| letter.to_ascii_lowercase())
        .next()
        .unwrap_or('-')
}

/// A square that one side sees as the side sees it that begins, and the other way round.
fn turned_for(rules: &Rules, side: Side, square: u8) -> u8 {
    match side {
        Side::First => square,
        Side::Second => rules.seen_by_other(square),
    }
}

pub(super) fn format_state(rules: &Rules, state: &State) -> String {
    let at = state.seen_by_first(rules);
    let letter = |square| {
        let (side, kind) = at.on(square)?;
        Some(letter_of_side(rules, side, kind))
    };
    let mut text = format_board(rules, letter);
    if rules.has_hands() && rules.all_men().is_none() {
        text += &format_hands(rules, &at);
    }
    text.push(' ');
    text.push(letter_to_move(rules, state.side));
    if rules.takes_in_passing() {
        let passed = state.at.passed(rules);
        let name = passed.map(|square| rules.board.name(turned_for(rules, state.side, square)));
        text += " - ";
        text += name.as_deref().unwrap_or("-");
    }
    text
}

/// Writes a board of letters, by square.
pub(super) fn format_board(rules: &Rules, letter: impl Fn(u8) -> Option<char>) -> String {
    let (columns, rows) = rules.board.size();
    let dot = rules.has_dots().then_some('.');
    let row = |row: u8| {
        let (mut text, mut free) = (String::new(), 0);
        for square in row * columns..(row + 1) * columns {
            let Some(letter) = letter(square).or(dot) else {
                free += 1;
                continue;
            };
            if free > 0 {
                text += &free.to_string();
            }
            text.push(letter);
            free = 0;
        }
        if free > 0 {
            text += &free.to_string();
        }
        text
    };
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

fn format_hands(rules: &Rules, at: &Position) -> String {
    let mut text = "[".to_owned();
    for (side, hand) in at.hands.iter().enumerate() {
        for (kind, _) in rules.written_kinds() {
            let letter = letter_of_side(rules, side, kind);
            text.extend(std::iter::repeat_n(letter, hand[kind].into()));
        }
    }
    text.push(']');
    text
}

/// Reads a state.
pub(super) fn parse_state(game: &Pieces, text: &str) -> Result<State, NotationError> {
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
fn read_state(rules: &Rules, text: &str) -> Result<State, NotationError> {
    let text = text.trim_end();
    if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
        let message =
            format!("a position has at most {MOST_LETTERS} characters: leave the rest out");
        return Err(NotationError::new(&text[..end], MOST_LETTERS, message));
    }
    let reader = Reader { rules, text };
    let mut words = words(text).into_iter();
    let end = text.chars().count();
    let (at, board) = words.next().unwrap_or((end, ""));
    let (board, hands) = match board.find('[') {
        Some(bracket) => board.split_at(bracket),
        None => (board, ""),
    };
    let mut seen = Position::EMPTY;
    seen.men = reader.men(at, board)?;
    let at = at + board.chars().count();
    reader.royal_men(at, &seen)?;
    seen.hands = reader.hands(at, hands, &seen.men)?;

    let side = reader.side(words.next().unwrap_or((end, "")))?;
    let mut state = State {
        at: match side {
            Side::First => seen,
            Side::Second => seen.turned(rules),
        },
        side,
    };
    if let Some((at, castling)) = words.next()
        && castling != "-"
    {
        return Err(reader.fault(
            at,
            "castling rights are not known to this game: write - here",
        ));
    }
    if let Some(word) = words.next() {
        state.at.passing = reader.passing(&state, word)?;
    }
    // The moves since the last capture and the number of the move, which decide nothing here.
    for (at, number) in words.by_ref().take(2) {
        if number.parse::<u32>().is_err() {
            return Err(reader.fault(
                at,
                "expected a number of moves here, such as 0; it may be left out",
            ));
        }
    }
    match words.next() {
        Some((at, _)) => Err(reader.fault(at, "the position is complete: leave out what follows")),
        None => Ok(state),
    }
}

/// The words of a text with the places of their first characters.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut words, mut at) = (Vec::new(), 0);
    for word in text.split(char::is_whitespace) {
        if !word.is_empty() {
            words.push((at, word));
        }
        at += word.chars().count() + 1;
    }
    words
}

/// Reads the parts of a position, which stand in a text.
struct Reader<'a> {
    rules: &'a Rules,
    text: &'a str,
}

/// Sets of squares by side and kind.
type Men = [[Squares; MOST_KINDS]; 2];

impl Reader<'_> {
    fn fault(&self, at: usize, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    /// The name of side 0 or 1.
    fn name(&self, side: usize) -> &'static str {
        let side = if side == 0 { Side::First } else { Side::Second };
        side.name(self.rules.names)
    }

    fn shape(&self) -> String {
        let (columns, rows) = self.rules.board.size();
        format!(
            "a board is {rows} rows of {columns} squares from the top, with / between them: a letter for each man, a number for free squares side by side"
        )
    }

    /// The side and the kind of the man of a letter.
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

    /// Reads a board that begins at a place of the text.
    fn men(&self, at: usize, board: &str) -> Result<Men, NotationError> {
        let (columns, rows) = self.rules.board.size();
        let mut men = Men::default();
        let (mut row, mut column) = (0, 0);
        let mut letters = (at..).zip(board.chars()).peekable();
        while let Some((at, letter)) = letters.next() {
            if letter == '/' {
                if column < columns || row + 1 == rows {
                    return Err(self.fault(at, self.shape()));
                }
                (row, column) = (row + 1, 0);
            } else if let Some(free) = digit(letter) {
                let mut free = free;
                while let Some((_, letter)) = letters.next_if(|&(_, next)| digit(next).is_some()) {
                    let digit = digit(letter).unwrap_or(0);
                    free = free.saturating_mul(10).saturating_add(digit);
                }
                if letter == '0' || free > columns - column {
                    return Err(self.fault(at, self.shape()));
                }
                column += free;
            } else if letter == '.' && column < columns {
                column += 1;
            } else {
                let (side, kind) = self.man(at, letter)?;
                if column == columns {
                    return Err(self.fault(at, self.shape()));
                }
                let square = row * columns + column;
                self.may_stand(at, side, kind, square)?;
                men[side][kind] |= 1 << square;
                column += 1;
            }
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
        let seen_by_owner = match side {
            0 => square,
            _ => self.rules.seen_by_other(square),
        };
        let kind = &self.rules.kinds[kind];
        if kind.squares >> seen_by_owner & 1 == 1 {
            return Ok(());
        }
        let (owner, name) = (self.name(side), &kind.name);
        let square = self.rules.board.name(square);
        Err(self.fault(
            at,
            format!("{owner}'s {name} never stands on {square}: put it on another square"),
        ))
    }

    /// Checks that each side has one royal man if there are any, with the end of the board.
    fn royal_men(&self, end: usize, at: &Position) -> Result<(), NotationError> {
        if !self.rules.has_royal() {
            return Ok(());
        }
        let royal: Vec<_> = self
            .rules
            .written_kinds()
            .filter(|(_, kind)| kind.royal)
            .collect();
        let names: Vec<&str> = royal.iter().map(|(_, kind)| &kind.name[..]).collect();
        let names = names.join(" or ");
        for (side, men) in at.men.iter().enumerate() {
            let count: u32 = royal.iter().map(|&(kind, _)| men[kind].count_ones()).sum();
            let owner = self.name(side);
            if count == 0 {
                return Err(
                    self.fault(end, format!("{owner} has one {names}: put it on the board"))
                );
            }
            if count > 1 {
                let place = self.second_royal_man(side).unwrap_or(end);
                return Err(self.fault(
                    place,
                    format!("{owner} has only one {names}: take this one out"),
                ));
            }
        }
        Ok(())
    }

    /// The place of a side's second royal man in the text, which begins with the board.
    fn second_royal_man(&self, side: usize) -> Option<usize> {
        let is_royal = |&(_, letter): &(usize, char)| {
            let man = self.rules.man_of(letter);
            man.is_some_and(|(of, kind)| of == side && self.rules.kinds[kind].royal)
        };
        let mut men = self.text.chars().enumerate().filter(is_royal);
        men.nth(1).map(|(place, _)| place)
    }

    /// Reads hands that begin at a place of the text, brackets included, where these men are on the
    /// board.
    fn hands(
        &self,
        at: usize,
        hands: &str,
        men: &Men,
    ) -> Result<[[u8; MOST_KINDS]; 2], NotationError> {
        let mut held = [[0; MOST_KINDS]; 2];
        if hands.is_empty() {
            if let Some(all) = self.rules.all_men() {
                return self.left(all, men);
            }
            return if self.rules.has_hands() {
                Err(self.fault(
                    at,
                    "write the men in hand here in brackets, [] if there are none",
                ))
            } else {
                Ok(held)
            };
        }
        let mut counts = [0; 2];
        let mut letters = (at..).zip(hands.chars()).skip(1);
        for (at, letter) in letters.by_ref() {
            if letter == ']' {
                return match letters.next() {
                    Some((at, _)) => {
                        Err(self.fault(at, "expected a blank and the side to move here"))
                    }
                    None => Ok(held),
                };
            }
            let (side, kind) = self.man(at, letter)?;
            if !self.rules.can_be_in_hand(kind) {
                let name = &self.rules.kinds[kind].name;
                return Err(self.fault(
                    at,
                    format!("a man of the kind {name} is never in hand: take it out"),
                ));
            }
            counts[side] += 1;
            if counts[side] > MOST_IN_HAND {
                return Err(self.fault(
                    at,
                    format!("at most {MOST_IN_HAND} men are in a hand: take some out"),
                ));
            }
            held[side][kind] += 1;
        }
        let end = at + hands.chars().count();
        Err(self.fault(end, "the hands end with a closing bracket: add ]"))
    }

    /// The men of all that are not on the board.
    fn left(
        &self,
        all: [[u8; MOST_KINDS]; 2],
        men: &Men,
    ) -> Result<[[u8; MOST_KINDS]; 2], NotationError> {
        let mut held = all;
        for (side, held) in held.iter_mut().enumerate() {
            for (kind, _) in self.rules.written_kinds() {
                let count = men[side][kind].count_ones();
                let left = u32::from(all[side][kind]).checked_sub(count);
                let Some(left) = left.filter(|&left| left == 0 || self.rules.can_be_in_hand(kind))
                else {
                    let name = counted(
                        u8::try_from(count).unwrap_or(u8::MAX),
                        &self.rules.kinds[kind].name,
                    );
                    return Err(self.fault(
                        0,
                        format!(
                            "{} has {name} here, of {}",
                            self.name(side),
                            all[side][kind]
                        ),
                    ));
                };
                held[kind] = u8::try_from(left).unwrap_or(u8::MAX);
            }
        }
        Ok(held)
    }

    fn side(&self, (at, word): (usize, &str)) -> Result<Side, NotationError> {
        let mut sides = [Side::First, Side::Second].into_iter();
        let is_named = |side: &Side| {
            let letter = letter_to_move(self.rules, *side);
            word.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4]))
        };
        sides.find(is_named).ok_or_else(|| {
            let [first, second] =
                [Side::First, Side::Second].map(|side| letter_to_move(self.rules, side));
            self.fault(
                at,
                format!("expected a blank and the side to move here, {first} or {second}"),
            )
        })
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
            let square = error.message();
            self.fault(
                at,
                format!("expected - here, or the square that a man has just passed; {square}"),
            )
        })?;
        let passed = turned_for(self.rules, state.side, square);
        let man = state.at.man_that_passed(self.rules, passed);
        let man = man.ok_or_else(|| {
            let name = self.rules.board.name(square);
            let other = state.side.other().name(self.rules.names);
            self.fault(
                at,
                format!("no man of {other} can have passed {name} in a double step: write - here"),
            )
        })?;
        Ok(1 << man)
    }
}

/// The value of a digit.
fn digit(letter: char) -> Option<u8> {
    let value = letter.to_digit(10)?;
    u8::try_from(value).ok()
}

pub(super) fn format_move(rules: &Rules, mv: Move) -> String {
    let mut text = match mv.from {
        Origin::Square(square) => rules.board.name(square),
        Origin::Hand(kind) => format!("{}@", letter(rules, kind.into())),
    };
    text += &rules.board.name(mv.to);
    if let Some(kind) = mv.promotes {
        text.push(letter(rules, kind.into()).to_ascii_lowercase());
    }
    text
}

/// Reads a move.
pub(super) fn parse_move(rules: &Rules, text: &str) -> Result<Move, NotationError> {
    let text = text.trim_end();
    let fault = |at: usize, message: String| NotationError::new(text, at, message);
    let ends = |at: usize| match text.chars().nth(at) {
        Some(_) => Err(fault(
            at,
            "the move is complete: leave out what follows".to_owned(),
        )),
        None => Ok(()),
    };
    if let Some((letters, _)) = text.split_once('@') {
        let kind = kind_named(rules, letters).filter(|&(kind, _)| rules.can_be_in_hand(kind));
        let (_, kind) = kind.ok_or_else(|| {
            let held = |&(kind, _): &(KindNumber, &Kind)| rules.can_be_in_hand(kind);
            let kinds = rules.written_kinds().filter(held);
            let letters: Vec<_> = kinds.map(|(_, kind)| kind.letter.to_string()).collect();
            fault(
                0,
                if letters.is_empty() {
                    form(rules)
                } else {
                    format!(
                        "a man from the hand is written before the @: one of {}",
                        letters.join(", ")
                    )
                },
            )
        })?;
        let (to, end) = read_square(rules, text, letters.chars().count() + 1)?;
        ends(end)?;
        return Ok(Move {
            from: Origin::Hand(kind),
            to,
            promotes: None,
        });
    }
    let (from, mut middle) = read_square(rules, text, 0)?;
    match text.chars().nth(middle) {
        // Line-up games are also written `b2-c3`, and `c3` for a drop.
        Some('-') => middle += 1,
        None => {
            let kinds = rules.written_kinds().map(|(kind, _)| kind);
            let held: Vec<_> = kinds.filter(|&kind| rules.can_be_in_hand(kind)).collect();
            if let [kind] = held[..] {
                return Ok(Move {
                    from: Origin::Hand(u8::try_from(kind).unwrap_or(u8::MAX)),
                    to: from,
                    promotes: None,
                });
            }
        }
        _ => {}
    }
    let (to, end) = read_square(rules, text, middle)?;
    if from == to {
        return Err(fault(
            middle,
            format!("a man goes to another square: {}", form(rules)),
        ));
    }
    let mut promotes = None;
    if let Some(letter) = text.chars().nth(end) {
        let is_promoted = |kind| {
            rules
                .kinds
                .iter()
                .any(|man| man.promotes_to.contains(&kind))
        };
        let kind = kind_named(rules, letter.encode_utf8(&mut [0; 4]));
        let (_, kind) = kind.filter(|&(kind, _)| is_promoted(kind)).ok_or_else(|| {
            let kinds = rules.written_kinds().filter(|&(kind, _)| is_promoted(kind));
            let letters: Vec<_> = kinds
                .map(|(_, kind)| kind.letter.to_ascii_lowercase().to_string())
                .collect();
            fault(
                end,
                if letters.is_empty() {
                    "the move is complete: leave out what follows".to_owned()
                } else {
                    format!(
                        "the move ends here, or with what the man is promoted to: one of {}",
                        letters.join(", ")
                    )
                },
            )
        })?;
        ends(end + 1)?;
        promotes = Some(kind);
    }
    Ok(Move {
        from: Origin::Square(from),
        to,
        promotes,
    })
}

/// The kind that a text names by its letter, in either case, twice: moves have small numbers.
fn kind_named(rules: &Rules, text: &str) -> Option<(KindNumber, u8)> {
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty())?;
    let kind = rules.kind_of(letter.to_ascii_uppercase())?;
    Some((kind, u8::try_from(kind).ok()?))
}

/// Reads the name of a square at a place of a text, and says where it ends.
fn read_square(rules: &Rules, text: &str, at: usize) -> Result<(u8, usize), NotationError> {
    let mut letters = text.chars().skip(at);
    let file = letters.next();
    let rank = letters.take_while(char::is_ascii_digit);
    let name: String = file.into_iter().chain(rank).collect();
    let square = rules.board.read_name(&name).map_err(|error| {
        let message = format!("{}; {}", form(rules), error.message());
        NotationError::new(text, at, message)
    })?;
    Ok((square, at + name.chars().count()))
}

/// What a move looks like.
fn form(rules: &Rules) -> String {
    let (columns, _) = rules.board.size();
    let from = rules.board.name(rules.squares() - columns);
    let to = rules.board.name(columns - 1);
    let mut text =
        format!("a move is the square it leaves and the square it goes to, as in {from}{to}");
    let mut kinds = rules.written_kinds();
    if let Some((_, kind)) = kinds.find(|&(kind, _)| rules.can_be_in_hand(kind)) {
        let letter = kind.letter;
        text.push_str("; a man from the hand is written ");
        text.extend([letter, '@']);
        text.push_str(&to);
    }
    text
}

#[cfg(test)]
pub(super) mod tests;
