//! The rules of Dobutsu shogi, written for the referee. Positions are seen from the side to
//! move.

/// Four bits for each square, rank by rank from the far one, then two bits each for the chicks,
/// elephants and giraffes in hand, those of the side to move first.
pub(crate) type Position = u64;

/// A set of squares: the lowest of the four bits of each.
type Squares = u64;

/// The animals, by their bits on a square; [`THEIRS`] is set for the other side's.
const LETTERS: [char; 6] = ['-', 'C', 'E', 'G', 'R', 'L'];
const CHICK: u64 = 1;
const HEN: u64 = 4;
const LION: u64 = 5;
const THEIRS: u64 = 8;

const ALL: Squares = 0x1111_1111_1111;
const FAR_RANK: Squares = 0x111;
const HOME_RANK: Squares = 0x111 << 36;
const FILE_A: u64 = 0x00f0_0f00_f00f;
const HANDS: u32 = 48;

/// The ways to go, files to the right and ranks down: those of the chick, of the giraffe and of
/// the hen come first, the elephant's last.
#[rustfmt::skip]
const WAYS: [(i8, i8); 8] = [
    (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1),
];

/// The squares to which each animal of the side to move steps, by its square.
static STEPS: [[Squares; 12]; 6] = [
    steps(0),
    steps(0b0000_0001),
    steps(0b1111_0000),
    steps(0b0000_1111),
    steps(0b0011_1111),
    steps(0b1111_1111),
];

const fn steps(ways: u8) -> [Squares; 12] {
    let (mut steps, mut from) = ([0; 12], 0);
    while from < 12 {
        let mut way = 0;
        while way < WAYS.len() {
            let (file, rank) = (from % 3 + WAYS[way].0, from / 3 + WAYS[way].1);
            if ways >> way & 1 == 1 && 0 <= file && file < 3 && 0 <= rank && rank < 4 {
                steps[from.unsigned_abs() as usize] |= 1 << (4 * (3 * rank + file));
            }
            way += 1;
        }
        from += 1;
    }
    steps
}

const fn taken(at: Position) -> Squares {
    (at | at >> 1 | at >> 2) & ALL
}

const fn own(at: Position) -> Squares {
    taken(at) & !(at >> 3)
}

/// The squares of both lions: no other animal has these two bits.
const fn lions(at: Position) -> Squares {
    at & at >> 2 & ALL
}

fn each(mut set: Squares) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize / 4;
        set &= set.wrapping_sub(1);
        (square < 12).then_some(square)
    })
}

/// The squares to which the animal of the side to move on a square steps.
fn steps_from(at: Position, square: usize) -> Squares {
    let animal = usize::try_from(at >> (4 * square) & 7).expect("three bits");
    STEPS[animal][square]
}

/// The position as the other side sees it.
pub(crate) const fn turned(at: Position) -> Position {
    let board = at & (15 * ALL);
    let swapped = (board & 0x0f0f_0f0f_0f0f) << 4 | board >> 4 & 0x0f0f_0f0f_0f0f;
    let board = swapped.swap_bytes() >> 16;
    let hands = at >> HANDS;
    (board ^ taken(board) << 3) | (hands >> 6 | (hands & 63) << 6) << HANDS
}

/// The position or its mirror image, whichever is the smaller number.
pub(crate) fn canonical(at: Position) -> Position {
    let outer = FILE_A | FILE_A << 8;
    let image = (at & FILE_A) << 8 | at >> 8 & FILE_A | at & !outer;
    image.min(at)
}

/// The position after a step, from the same side.
const fn stepped(at: Position, from: usize, to: usize) -> Position {
    let (mut animal, taken) = (at >> (4 * from) & 7, at >> (4 * to) & 7);
    if animal == CHICK && to < 3 {
        animal = HEN;
    }
    let held = match taken {
        0 | LION => 0,
        HEN => 1 << HANDS,
        _ => 1 << (HANDS as u64 + 2 * (taken - 1)),
    };
    (at & !(15 << (4 * from)) & !(15 << (4 * to)) | animal << (4 * to)) + held
}

/// Visits the positions after each move, as the other side sees them.
pub(crate) fn moves(at: Position, mut visit: impl FnMut(Position)) {
    let own = own(at);
    for from in each(own) {
        each(steps_from(at, from) & !own).for_each(|to| visit(turned(stepped(at, from, to))));
    }
    for kind in (0..3).filter(|kind| at >> (HANDS + 2 * kind) & 3 > 0) {
        let dropped = |to| at + (u64::from(kind + 1) << (4 * to)) - (1 << (HANDS + 2 * kind));
        each(ALL & !taken(at)).for_each(|to| visit(turned(dropped(to))));
    }
}

/// Whether the side to move can take the lion.
pub(crate) fn takes_lion(at: Position) -> bool {
    let lion = lions(at) & at >> 3;
    each(own(at)).any(|from| steps_from(at, from) & lion != 0)
}

pub(crate) fn has_ended(at: Position) -> bool {
    takes_lion(at) || lions(at) & at >> 3 & HOME_RANK != 0
}

/// Whether the side to move can go to the far rank with its lion and not be taken there.
pub(crate) fn can_try(at: Position) -> bool {
    let lion = lions(at) & !(at >> 3);
    let arrives = |from| steps_from(at, from) & FAR_RANK & !own(at);
    each(lion).any(|from| each(arrives(from)).any(|to| !takes_lion(turned(stepped(at, from, to)))))
}

/// Reads a position with Sente to move, such as `S/gle/-c-/-C-/ELG/-`.
pub(crate) fn read(text: &str) -> Option<Position> {
    let (ranks, hands) = text.strip_prefix("S/")?.rsplit_once('/')?;
    let find = |letter: char| {
        let kind = LETTERS
            .iter()
            .position(|it| it.eq_ignore_ascii_case(&letter))?;
        let theirs = if letter.is_ascii_lowercase() {
            THEIRS
        } else {
            0
        };
        Some((u64::try_from(kind).ok()?, theirs))
    };
    let mut at = 0;
    let letters: Vec<char> = ranks.chars().filter(|&letter| letter != '/').collect();
    for &letter in letters.iter().rev() {
        let (kind, theirs) = find(letter)?;
        at = at << 4 | kind | theirs;
    }
    for letter in hands.chars().filter(|&letter| letter != '-') {
        let (kind, theirs) = find(letter)?;
        at += 1 << (u64::from(HANDS) + 2 * (kind - 1) + if theirs > 0 { 6 } else { 0 });
    }
    (letters.len() == 12 && lions(at).count_ones() == 2).then_some(at)
}

/// Writes a position.
pub(crate) fn write(at: Position) -> String {
    let letter = |kind: u64, theirs: bool| {
        let letter = usize::try_from(kind)
            .ok()
            .and_then(|kind| LETTERS.get(kind));
        let letter = *letter.unwrap_or(&'?');
        if theirs {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    };
    let mut text = String::from("S");
    for square in 0..12 {
        if square % 3 == 0 {
            text.push('/');
        }
        let animal = at >> (4 * square) & 15;
        text.push(letter(animal & 7, animal & THEIRS != 0));
    }
    text.push('/');
    let hands = text.len();
    for place in 0..6 {
        for _ in 0..at >> (HANDS + 2 * place) & 3 {
            text.push(letter(1 + u64::from(place % 3), place >= 3));
        }
    }
    if text.len() == hands {
        text.push('-');
    }
    text
}
