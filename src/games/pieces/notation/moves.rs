//! Moves that are written and read.

use super::knows_sfen;
use crate::game::NotationError;
use crate::games::pieces::rules::{KindNumber, Notation, Passes, Rules};
use crate::games::pieces::state::{Move, Origin, Told};

const PASS: &str = "pass";

const COMPLETE: &str = "the move is complete: leave out what follows";

pub(in crate::games::pieces) fn format_move(rules: &Rules, mv: Move) -> String {
    if let Some(told) = mv.told {
        return format_clausecker(rules, mv, told);
    }
    let mut text = match mv.from {
        Origin::Square(square) => rules.board.name(square),
        Origin::Hand(_) if rules.fills_squares() => String::new(),
        Origin::Hand(kind) => format!("{}@", rules.kinds[usize::from(kind)].letter),
        Origin::Pass => return PASS.to_owned(),
    };
    text += &rules.board.name(mv.to);
    if let Some(kind) = mv.promotes {
        text.push(rules.kinds[usize::from(kind)].letter.to_ascii_lowercase());
    }
    text
}

pub(in crate::games::pieces) fn parse_move(
    rules: &Rules,
    text: &str,
) -> Result<Move, NotationError> {
    let text = text.trim_end();
    if text == PASS && rules.passes != Passes::Never {
        return Ok(Move::PASS);
    }
    if rules.notation == Notation::Clausecker {
        return parse_clausecker(rules, text);
    }
    let fault = |at: usize, message: String| NotationError::new(text, at, message);
    let ends = |at: usize| match text.chars().nth(at) {
        Some(_) => Err(fault(at, COMPLETE.to_owned())),
        None => Ok(()),
    };
    if let Some((letters, _)) = text.split_once('@') {
        let mut named = letters.chars();
        let letter = named.next().filter(|_| named.as_str().is_empty());
        let kind = letter.and_then(|letter| rules.kind_of(letter.to_ascii_uppercase()));
        let held = kind.filter(|&kind| rules.can_be_in_hand(kind));
        let kind = held.ok_or_else(|| {
            let letters = letters_of(rules, |kind| rules.can_be_in_hand(kind));
            let message = match &letters[..] {
                "" => form(rules),
                letters => {
                    format!("a man from the hand is written before the @: one of {letters}")
                }
            };
            fault(0, message)
        })?;
        let (to, end) = read_square(rules, text, letters.chars().count() + 1)?;
        ends(end)?;
        return Ok(Move::new(Origin::Hand(kind as u8), to, None));
    }
    let (from, mut middle) = read_square(rules, text, 0)?;
    match text.chars().nth(middle) {
        // Line-up games are also written `b2-c3`, and `c3` for a drop.
        Some('-') => middle += 1,
        None => {
            let kinds = rules.written_kinds().map(|(kind, _)| kind);
            let held: Vec<_> = kinds.filter(|&kind| rules.can_be_in_hand(kind)).collect();
            if let [kind] = held[..] {
                return Ok(Move::new(Origin::Hand(kind as u8), from, None));
            }
        }
        _ => {}
    }
    let (to, end) = read_square(rules, text, middle)?;
    if from == to {
        let message = format!("a man goes to another square: {}", form(rules));
        return Err(fault(middle, message));
    }
    let mut promotes = None;
    if let Some(letter) = text.chars().nth(end) {
        let is_promoted = |&to: &KindNumber| {
            let mut kinds = rules.kinds.iter();
            kinds.any(|man| man.promotes_to.contains(&to))
        };
        let kind = rules.kind_of(letter.to_ascii_uppercase());
        let kind = kind.filter(is_promoted).ok_or_else(|| {
            let letters = letters_of(rules, |kind| is_promoted(&kind)).to_ascii_lowercase();
            let message = match &letters[..] {
                "" => COMPLETE.to_owned(),
                letters => format!(
                    "the move ends here, or with what the man is promoted to: one of {letters}"
                ),
            };
            fault(end, message)
        })?;
        ends(end + 1)?;
        promotes = Some(kind as u8);
    }
    Ok(Move::new(Origin::Square(from), to, promotes))
}

/// The letters of some kinds, with commas between.
fn letters_of(rules: &Rules, has: impl Fn(KindNumber) -> bool) -> String {
    let kinds = rules.written_kinds().filter(|&(kind, _)| has(kind));
    let letters: Vec<_> = kinds.map(|(_, kind)| kind.letter.to_string()).collect();
    letters.join(", ")
}

/// Reads the name of a square at a place of a text, and says where it ends.
fn read_square(rules: &Rules, text: &str, at: usize) -> Result<(u8, usize), NotationError> {
    let mut letters = text.chars().skip(at);
    let file = letters.next();
    let rank = letters.take_while(char::is_ascii_digit);
    let name: String = file.into_iter().chain(rank).collect();
    let square = rules.board.read_name(&name).map_err(|error| {
        let message = format!("{}; {}", form(rules), error.message);
        NotationError::new(text, at, message)
    })?;
    Ok((square, at + name.chars().count()))
}

/// Writes a move as in `3d3c`, `2b2a+` or `C*2c`; `None` unless positions are written in SFEN, and on boards
/// that are larger than those of shogi.
pub(in crate::games::pieces) fn format_usi(rules: &Rules, mv: Move) -> Option<String> {
    let (columns, rows) = rules.board.size();
    let name = |square: u8| {
        let (row, column) = (square / columns, square % columns);
        format!("{}{}", columns - column, char::from(b'a' + row))
    };
    let to = name(mv.to);
    let is_known = knows_sfen(rules) && columns.max(rows) <= 9;
    is_known.then(|| match mv.from {
        Origin::Hand(kind) => format!("{}*{to}", rules.kinds[usize::from(kind)].letter),
        Origin::Square(from) if mv.promotes.is_some() => format!("{}{to}+", name(from)),
        Origin::Square(from) => format!("{}{to}", name(from)),
        Origin::Pass => PASS.to_owned(),
    })
}

/// Writes a move as in `Gc4-c3`, `Cb3xb2`, `Cb2-b1+` or `C*b2`.
fn format_clausecker(rules: &Rules, mv: Move, told: Told) -> String {
    let letter = rules.kinds[usize::from(told.kind)].letter;
    let to = rules.board.name(mv.to);
    let Origin::Square(from) = mv.from else {
        return format!("{letter}*{to}");
    };
    let sign = if told.takes { 'x' } else { '-' };
    let plus = if mv.promotes.is_some() { "+" } else { "" };
    format!("{letter}{}{sign}{to}{plus}", rules.board.name(from))
}

fn parse_clausecker(rules: &Rules, text: &str) -> Result<Move, NotationError> {
    let letters: Vec<char> = text.chars().collect();
    let form = |at: usize| NotationError::new(text, at, form(rules));
    let square = |at: usize| read_square(rules, text, at);
    let letter = letters.first().map(char::to_ascii_uppercase);
    let kind = letter.and_then(|letter| rules.kind_of(letter));
    let kind = rules.kinds[kind.ok_or_else(|| form(0))?].in_hand;
    let (from, takes, middle) = if letters.get(1) == Some(&'*') {
        if !rules.can_be_in_hand(kind) {
            return Err(form(0));
        }
        (Origin::Hand(kind as u8), false, 1)
    } else {
        let (from, middle) = square(1)?;
        let takes = match letters.get(middle) {
            Some('x') => true,
            Some('-') => false,
            _ => return Err(form(middle)),
        };
        (Origin::Square(from), takes, middle)
    };
    let (to, mut end) = square(middle + 1)?;
    let mut promotes = None;
    if let (Origin::Square(_), Some('+'), [promoted]) =
        (from, letters.get(end), &rules.kinds[kind].promotes_to[..])
    {
        promotes = Some(*promoted as u8);
        end += 1;
    }
    if letters.len() > end {
        return Err(form(end));
    }
    let kind = kind as u8;
    Ok(Move {
        told: Some(Told { kind, takes }),
        ..Move::new(from, to, promotes)
    })
}

fn form(rules: &Rules) -> String {
    let (columns, _) = rules.board.size();
    let from = rules.board.name(rules.squares() - columns);
    let to = rules.board.name(columns - 1);
    let (mut text, sign) = match rules.notation {
        Notation::Fen => (
            format!("a move is the square it leaves and the square it goes to, as in {from}{to}"),
            '@',
        ),
        Notation::Clausecker => {
            let letters = letters_of(rules, |kind| rules.kinds[kind].in_hand == kind);
            let first = &letters[..1];
            (
                format!(
                    "a move is a man ({letters}), its square, - or x if it takes a man, and the square it goes to, as in {first}{from}-{to}, with + if it is promoted"
                ),
                '*',
            )
        }
    };
    let mut kinds = rules.written_kinds();
    if let Some((_, kind)) = kinds.find(|&(kind, _)| rules.can_be_in_hand(kind)) {
        text.push_str("; a man from the hand is written ");
        text.extend([kind.letter, sign]);
        text.push_str(&to);
    }
    if rules.passes != Passes::Never {
        text.push_str(", or pass");
    }
    text
}
