//! Positions set up animal by animal.

use super::geometry::Kind;
use super::picture::{COLUMNS, LION, MEN, Man, PAIRS, ROWS, doubled, hand_cell};
use super::state::Side;
use crate::draw::BoardSquare;
use crate::game::{Arrangement, PaletteItem, write_arrangement};

const SIDES: [Side; 2] = [Side::Sente, Side::Gote];

/// The letters of the lion and of the other animals by kind.
const LETTERS: [char; 5] = ['L', 'G', 'E', 'C', 'R'];

/// Everything that can stand on a cell: single animals of both sides, then pairs in hand.
pub(super) fn palette() -> Vec<PaletteItem> {
    let single = SIDES.into_iter().flat_map(|side| {
        let men = std::iter::once(LION).chain(MEN);
        men.map(move |man: Man| {
            let glyph = man.symbol(side, man.outline.to_owned());
            PaletteItem::new(glyph, man.words[side as usize])
        })
    });
    let pairs = SIDES.into_iter().flat_map(|side| {
        let animals = MEN.iter().zip(&PAIRS);
        animals.map(move |(man, words)| {
            let glyph = man.symbol(side, doubled(man.outline));
            PaletteItem::new(glyph, words[side as usize])
        })
    });
    single.chain(pairs).collect()
}

/// The letters that stand for a place of the palette, and how many of them.
fn letter(place: usize) -> (char, usize) {
    let singles = 2 * LETTERS.len();
    let of = |second: bool, letter: char| {
        if second {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    };
    if place < singles {
        let letter = LETTERS[place % LETTERS.len()];
        return (of(place >= LETTERS.len(), letter), 1);
    }
    let pair = place - singles;
    (of(pair >= PAIRS.len(), LETTERS[1 + pair % PAIRS.len()]), 2)
}

/// Everything on cells, in the notation of positions.
pub(super) fn arranged(things: &Arrangement, second: bool) -> String {
    let middle = 2..COLUMNS - 2;
    let on_board: Vec<_> = things
        .iter()
        .filter(|(cell, _)| middle.contains(&cell.column))
        .map(|&(cell, place)| (BoardSquare::new(cell.column - 2, cell.row), place))
        .collect();
    let letters: Vec<char> = (0..palette().len()).map(|place| letter(place).0).collect();
    let board = write_arrangement((COLUMNS - 4, ROWS), &on_board, &letters, |_| '-');
    let mut hands = String::new();
    for animal in [Kind::Chick, Kind::Giraffe, Kind::Elephant].map(Kind::animal) {
        for side in SIDES {
            let cell = hand_cell(side, animal);
            let held = things.iter().filter(|(at, _)| *at == cell);
            for &(_, place) in held {
                let (letter, count) = letter(place);
                hands.extend(std::iter::repeat_n(letter, count));
            }
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    format!("{}/{board}/{hands}", if second { 'G' } else { 'S' })
}
