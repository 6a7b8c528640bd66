//! SFEN, the notation of shogi engines. For this game
//! [vshogi](https://github.com/ctgk/vshogi) and others write it with the letters of
//! [`notation`](super::notation), but for a hen, which is `+C`: `gle/1c1/1C1/ELG b - 1`.

use super::geometry::{Kind, SQUARES, Square};
use super::notation::{Placing, letter_on, on_line};
use super::setup::Rules;
use super::state::{Army, Position, Side, State};
use crate::game::NotationError;

const SFEN: &str = "SFEN is four ranks of three squares from the top with / between them (a digit for so many empty squares, +C for a hen), b if Sente is to move or w, the hands, and perhaps a move number, e.g. gle/1c1/1C1/ELG b - 1";

const SFEN_HANDS: &str =
    "write the animals in hand here, as in 2Gc, or - if there are none; a blank ends them";

const TANAKA: &str = "positions in the form of T. Tanaka's programs are not read; write this one in SFEN, e.g. gle/1c1/1C1/ELG b - 1";

/// Animals as they come in hands, with their letters.
const SFEN_ORDER: [(Kind, char); 3] = [
    (Kind::Giraffe, 'G'),
    (Kind::Elephant, 'E'),
    (Kind::Chick, 'C'),
];
/// A state in notations of other programs, by their names.
pub(super) fn written(state: &State) -> Vec<(&'static str, String)> {
    vec![("sfen", format_sfen(state))]
}

/// Reads a state in SFEN; `None` if the text is not in that notation.
pub(super) fn parse_state(rules: Rules, text: &str) -> Option<Result<State, NotationError>> {
    let mut letters = text.trim_start().chars();
    let (first, second) = (letters.next()?, letters.next());
    if !text.contains('/') {
        return matches!(first, '+' | '-' | '.').then(|| Err(NotationError::new(text, 0, TANAKA)));
    }
    // No rank of SFEN is a single letter, which names the side to move otherwise.
    let names_side = first.is_alphabetic() && second == Some('/');
    (!names_side && first != '/').then(|| parse_sfen(rules, text))
}

/// All squares from the top left.
fn squares() -> impl Iterator<Item = Square> {
    (0..SQUARES).map(|place| on_line(place / 3, place % 3))
}

/// A letter as a side writes it.
const fn as_of(side: Side, letter: char) -> char {
    match side {
        Side::Sente => letter,
        Side::Gote => letter.to_ascii_lowercase(),
    }
}

/// The armies of both sides, Sente's first.
const fn armies(at: &Position) -> [(Side, &Army); 2] {
    [(Side::Sente, &at.own), (Side::Gote, &at.opp)]
}

fn format_sfen(state: &State) -> String {
    let at = state.as_sente();
    let (mut text, mut empty) = (String::new(), 0);
    for (place, square) in (0..).zip(squares()) {
        if place > 0 && place % 3 == 0 {
            text.push('/');
        }
        let letter = letter_on(&at, square);
        if letter == '-' {
            empty += 1;
        }
        if empty > 0 && (letter != '-' || place % 3 == 2) {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        match letter {
            '-' => {}
            'R' => text.push_str("+C"),
            'r' => text.push_str("+c"),
            letter => text.push(letter),
        }
    }
    let mut hands = String::new();
    for (side, army) in armies(&at) {
        for (kind, letter) in SFEN_ORDER {
            let held = army.hand[kind.animal()];
            if held > 1 {
                hands.push_str(&held.to_string());
            }
            if held > 0 {
                hands.push(as_of(side, letter));
            }
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let side = match state.side {
        Side::Sente => 'b',
        Side::Gote => 'w',
    };
    format!("{text} {side} {hands} 1")
}

/// A text that is read letter by letter.
struct Reader<'a> {
    text: &'a str,
    letters: Vec<char>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.trim_end();
        Self {
            text,
            letters: text.chars().collect(),
            at: 0,
        }
    }

    fn fault(&self, at: usize, message: &str) -> NotationError {
        NotationError::new(self.text, at, message)
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    /// The next letter and its place.
    fn take(&mut self) -> (usize, Option<char>) {
        let found = (self.at, self.peek());
        self.at += usize::from(found.1.is_some());
        found
    }

    /// Whether there were blanks, which are left out.
    fn skip_blanks(&mut self) -> bool {
        let before = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at > before
    }
}

fn parse_sfen(rules: Rules, text: &str) -> Result<State, NotationError> {
    let mut reader = Reader::new(text);
    reader.skip_blanks();
    let mut placing = Placing::default();
    for row in 0..4 {
        if row > 0 {
            let (at, found) = reader.take();
            if found != Some('/') {
                return Err(reader.fault(at, SFEN));
            }
        }
        read_rank(&mut reader, rules, &mut placing, row)?;
    }
    let spaced = reader.skip_blanks();
    let side = match reader.take() {
        (_, Some('b')) if spaced => Side::Sente,
        (_, Some('w')) if spaced => Side::Gote,
        (at, _) => {
            let message =
                "after the ranks and a blank, write b if Sente is to move or w if Gote is";
            return Err(reader.fault(at, message));
        }
    };
    if !reader.skip_blanks() {
        return Err(reader.fault(reader.at, SFEN_HANDS));
    }
    read_hands(&mut reader, rules, &mut placing)?;
    reader.skip_blanks();
    // The number of the move is not kept.
    while reader.peek().is_some_and(|digit| digit.is_ascii_digit()) {
        reader.at += 1;
    }
    if reader.peek().is_some() {
        let message = "nothing but the number of the move comes after the hands";
        return Err(reader.fault(reader.at, message));
    }
    let finished = placing.finish(rules, side);
    finished.map_err(|message| reader.fault(0, &message))
}

/// Reads a rank of SFEN.
fn read_rank(
    reader: &mut Reader<'_>,
    rules: Rules,
    placing: &mut Placing,
    row: u8,
) -> Result<(), NotationError> {
    let mut file = 0;
    while file < 3 {
        let (at, found) = reader.take();
        let letter = match found {
            Some('1') => {
                file += 1;
                continue;
            }
            Some('2') if file < 2 => {
                file += 2;
                continue;
            }
            Some('3') if file == 0 => return Ok(()),
            Some('+') => match reader.take() {
                (_, Some('C')) => 'R',
                (_, Some('c')) => 'r',
                (at, _) => {
                    let message = "only a chick is promoted; a hen is +C, or +c for Gote";
                    return Err(reader.fault(at, message));
                }
            },
            Some(letter) if "LGEClgec".contains(letter) => letter,
            _ => return Err(reader.fault(at, SFEN)),
        };
        placing
            .put(rules, letter, Some(on_line(row, file)))
            .map_err(|message| reader.fault(at, &message))?;
        file += 1;
    }
    Ok(())
}

/// Reads the hands of SFEN.
fn read_hands(
    reader: &mut Reader<'_>,
    rules: Rules,
    placing: &mut Placing,
) -> Result<(), NotationError> {
    let solid = |letter: &char| !letter.is_whitespace();
    if reader.peek() == Some('-') {
        reader.at += 1;
    } else if reader.peek().is_none() {
        return Err(reader.fault(reader.at, SFEN_HANDS));
    } else {
        while let Some(letter) = reader.peek().filter(solid) {
            let count = letter.to_digit(10);
            reader.at += usize::from(count.is_some());
            let count = count.unwrap_or(1);
            let (at, found) = reader.take();
            let letter = found.filter(|&letter| count > 0 && "LGEClgec".contains(letter));
            let letter = letter.ok_or_else(|| reader.fault(at, SFEN_HANDS))?;
            for _ in 0..count {
                placing
                    .put(rules, letter, None)
                    .map_err(|message| reader.fault(at, &message))?;
            }
        }
    }
    match reader.peek().filter(solid) {
        None => Ok(()),
        Some(_) => Err(reader.fault(reader.at, SFEN_HANDS)),
    }
}
