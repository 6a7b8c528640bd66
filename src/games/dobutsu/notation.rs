//! Positions and moves in the notation of R. Clausecker's program `dobutsu`
//! (<https://github.com/clausecker/dobutsu>), and what positions in all notations share.

use super::geometry::{FAR, Kind, Square, bit};
use super::movegen::count;
use super::setup::{ANIMALS, Rules, Try};
use super::state::{Animal, Army, Move, Position, Side, State};
use crate::game::NotationError;

const SHAPE: &str = "a position is S or G for the side to move, four ranks of three squares from the top, and the hands, all with / between them, e.g. S/gle/-c-/-C-/ELG/-; SFEN is read as well";

/// The letters of men on the board, Sente's, by kind.
const LETTERS: [char; 4] = ['G', 'E', 'C', 'R'];

/// The order in which hands are written.
const HAND_ORDER: [Kind; 3] = [Kind::Chick, Kind::Giraffe, Kind::Elephant];

/// The name of a square of the board: file a to c from the left, rank 1 to 4 from the top.
pub(super) fn square_name(square: Square) -> String {
    let file = char::from(b'a' + square % 3);
    format!("{file}{}", 4 - square / 3)
}

/// The square on line `row` from the top.
pub(super) const fn on_line(row: u8, file: u8) -> Square {
    3 * (3 - row) + file
}

/// The letter of what stands on a square, a small one for Gote; `-` for nothing.
pub(super) fn letter_on(at: &Position, square: Square) -> char {
    let man = |army: &Army| {
        let lion = (army.lion == square).then_some('L');
        lion.or_else(|| army.kind_on(square).map(|kind| LETTERS[kind as usize]))
    };
    let gote = || man(&at.opp).map(|letter| letter.to_ascii_lowercase());
    man(&at.own).or_else(gote).unwrap_or('-')
}

/// The four ranks of a position as Sente sees it, with `/` between them.
pub(super) fn format_board(at: &Position) -> String {
    let rank = |row| {
        (0..3)
            .map(|file| letter_on(at, on_line(row, file)))
            .collect()
    };
    let ranks: Vec<String> = (0..4).map(rank).collect();
    ranks.join("/")
}

/// The hands of a position as Sente sees it; `-` if they are empty.
pub(super) fn format_hands(at: &Position) -> String {
    let mut hands = String::new();
    for kind in HAND_ORDER {
        let letter = LETTERS[kind as usize];
        for (army, letter) in [(&at.own, letter), (&at.opp, letter.to_ascii_lowercase())] {
            let held = usize::from(army.hand[kind.animal()]);
            hands.extend(std::iter::repeat_n(letter, held));
        }
    }
    if hands.is_empty() {
        "-".to_owned()
    } else {
        hands
    }
}

pub(super) fn format_state(state: &State) -> String {
    let at = state.as_sente();
    let side = match state.side {
        Side::Sente => 'S',
        Side::Gote => 'G',
    };
    format!("{side}/{}/{}", format_board(&at), format_hands(&at))
}

/// Men read one by one.
#[derive(Default)]
pub(super) struct Placing {
    lions: [Option<Square>; 2],
    men: [[u16; 4]; 2],
    hands: [[u8; 3]; 2],
}

impl Placing {
    /// Places the man of a letter on a square, or in a hand. Says what is wrong otherwise.
    pub(super) fn put(
        &mut self,
        rules: Rules,
        letter: char,
        square: Option<Square>,
    ) -> Result<(), String> {
        let side = usize::from(letter.is_ascii_lowercase());
        let upper = letter.to_ascii_uppercase();
        if upper == 'L' {
            let Some(square) = square else {
                return Err("a lion is never in hand: the game would be over".to_owned());
            };
            if self.lions[side].replace(square).is_some() {
                return Err("each side has one lion".to_owned());
            }
            return Ok(());
        }
        let Some(place) = LETTERS.iter().position(|&known| known == upper) else {
            return Err("men are L, G, E, C and R (a hen, the promoted chick), small letters for Gote; an empty square is -".to_owned());
        };
        let kind = Kind::ALL[place];
        if !rules.animals[kind.animal()] {
            return Err(format!(
                "this game is played without {}s; leave it out",
                ANIMALS[kind.animal()]
            ));
        }
        match square {
            Some(square) => self.men[side][place] |= bit(square),
            None if kind == Kind::Hen => {
                return Err("a captured hen is a chick again; write C or c".to_owned());
            }
            None if !rules.drops => {
                return Err("captured animals leave this game; leave the hands empty".to_owned());
            }
            None => self.hands[side][place] += 1,
        }
        let both = [0, 1].map(|side| {
            let army = self.army(side, 0);
            count(&army, kind.animal()) + u32::from(army.hand[kind.animal()])
        });
        if both[0] + both[1] > 2 {
            return Err("there are two of each animal, a hen being a chick".to_owned());
        }
        Ok(())
    }

    /// The state with all these men, if it is one of an unfinished game.
    pub(super) fn finish(&self, rules: Rules, side: Side) -> Result<State, String> {
        let [Some(lion), Some(other)] = self.lions else {
            return Err("each side has a lion on the board".to_owned());
        };
        checked(rules, side, self.army(0, lion), self.army(1, other))
    }

    const fn army(&self, side: usize, lion: Square) -> Army {
        Army {
            lion,
            men: self.men[side],
            hand: self.hands[side],
        }
    }
}

/// Reads a state.
pub(super) fn parse_state(rules: Rules, text: &str) -> Result<State, NotationError> {
    let text = text.trim_end();
    let fault = |at: usize, message: &str| NotationError::new(text, at, message);
    let end = text.chars().count();
    let mut letters = text.chars().enumerate();
    let side = match letters.next() {
        Some((_, 'S')) => Side::Sente,
        Some((_, 'G')) => Side::Gote,
        _ => return Err(fault(0, SHAPE)),
    };
    let mut placing = Placing::default();
    for row in 0..4 {
        for place in 0..4 {
            let Some((at, letter)) = letters.next() else {
                return Err(fault(end, SHAPE));
            };
            match (place, letter) {
                (0, '/') => {}
                (0, _) | (_, '/') => return Err(fault(at, SHAPE)),
                (_, '-') => {}
                (file, letter) => {
                    let square = on_line(row, file - 1);
                    placing
                        .put(rules, letter, Some(square))
                        .map_err(|message| fault(at, &message))?;
                }
            }
        }
    }
    match letters.next() {
        Some((_, '/')) => {}
        found => return Err(fault(found.map_or(end, |(at, _)| at), SHAPE)),
    }
    let mut empty = true;
    while let Some((at, letter)) = letters.next() {
        if letter == '-' && empty && letters.next().is_none() {
            empty = false;
            break;
        }
        empty = false;
        placing
            .put(rules, letter, None)
            .map_err(|message| fault(at, &message))?;
    }
    if empty {
        return Err(fault(end, "write the hands here, or - if they are empty"));
    }
    placing
        .finish(rules, side)
        .map_err(|message| fault(2, &message))
}

/// The state with these men, if it is one of an unfinished game.
pub(super) fn checked(rules: Rules, side: Side, sente: Army, gote: Army) -> Result<State, String> {
    let men: u32 = (0..3)
        .map(|animal| {
            let held = sente.hand[animal] + gote.hand[animal];
            count(&sente, animal) + count(&gote, animal) + u32::from(held)
        })
        .sum();
    let second = |army: &Army| (0..3).any(|animal| count(army, animal) > 1);
    if !rules.drops && (second(&sente) || second(&gote)) {
        return Err("captured animals leave this game, so each side has at most one of each, a hen being a chick".to_owned());
    }
    if rules.drops && men != u32::from(rules.men()) {
        return Err(
            "animals are missing: there are two of each, on the board or in hand".to_owned(),
        );
    }
    let as_sente = Position {
        own: sente,
        opp: gote,
    };
    let at = match side {
        Side::Sente => as_sente,
        Side::Gote => as_sente.turned(),
    };
    if bit(at.own.lion) & FAR != 0 {
        return Err(format!(
            "the game is over: {}'s lion has stayed on the far rank",
            side.name()
        ));
    }
    if rules.occurs(&at) {
        return Ok(State { at, side });
    }
    Err(if at.is_stuck() {
        format!("the game is over: {} has no move and has lost", side.name())
    } else {
        debug_assert_eq!(rules.try_rule, Try::Safe);
        format!(
            "the game is over: {}'s lion has reached the far rank and cannot be taken",
            side.other().name()
        )
    })
}

pub(super) fn format_move(mv: Move) -> String {
    let to = square_name(mv.to);
    let letter = mv.animal.letter();
    let Some(from) = mv.from else {
        return format!("{letter}*{to}");
    };
    let sign = if mv.takes { 'x' } else { '-' };
    let plus = if mv.promotes { "+" } else { "" };
    format!("{letter}{}{sign}{to}{plus}", square_name(from))
}

/// Reads a move.
pub(super) fn parse_move(text: &str) -> Result<Move, NotationError> {
    const FORM: &str = "a move is an animal (L, G, E, C), its square, - or x (it takes a man), and the square it goes to, as in Gc4-c3 or Cb2xb1+; a drop is written C*b2";
    let letters: Vec<char> = text.trim_end().chars().collect();
    let fault = |at: usize| NotationError::new(text, at, FORM);
    let letter = letters.first().map(char::to_ascii_uppercase);
    let letter = if letter == Some('R') {
        Some('C')
    } else {
        letter
    };
    let animal = Animal::ALL
        .into_iter()
        .find(|animal| Some(animal.letter()) == letter);
    let animal = animal.ok_or_else(|| fault(0))?;
    let square = |at: usize| {
        let file = letters
            .get(at)
            .and_then(|letter| "abc".find(letter.to_ascii_lowercase()));
        let file = file.ok_or_else(|| fault(at))?;
        let row = letters.get(at + 1).and_then(|digit| "1234".find(*digit));
        let row = row.ok_or_else(|| fault(at + 1))?;
        u8::try_from(3 * (3 - row) + file).map_err(|_| fault(at))
    };
    let ends = |at: usize| {
        if letters.len() > at {
            Err(fault(at))
        } else {
            Ok(())
        }
    };
    if letters.get(1) == Some(&'*') {
        if animal == Animal::Lion {
            return Err(fault(0));
        }
        let to = square(2)?;
        ends(4)?;
        return Ok(Move {
            animal,
            from: None,
            to,
            takes: false,
            promotes: false,
        });
    }
    let from = Some(square(1)?);
    let takes = match letters.get(3) {
        Some('x') => true,
        Some('-') => false,
        _ => return Err(fault(3)),
    };
    let to = square(4)?;
    let promotes = letters.get(6) == Some(&'+') && animal == Animal::Chick;
    ends(6 + usize::from(promotes))?;
    Ok(Move {
        animal,
        from,
        to,
        takes,
        promotes,
    })
}
