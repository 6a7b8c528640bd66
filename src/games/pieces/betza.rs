//! How men move, in the notation of Ralph Betza.
//!
//! A text is a row of *atoms*, each with small letters before it that say more. An atom is a
//! step in all directions:
//!
//! | atom | step | atom | step |
//! |---|---|---|---|
//! | `W` | one square straight | `F` | one square diagonally |
//! | `D` | two squares straight | `A` | two squares diagonally |
//! | `H` | three squares straight | `G` | three squares diagonally |
//! | `N` | a knight's | `C` or `L` | three squares and one aside |
//! | `U` | any other square | `Z` or `J` | three squares and two aside |
//!
//! A doubled atom is repeated over free squares any number of times, `W3` up to three times and
//! `W0` any number of times. `R` is `WW`, `B` is `FF`, `Q` is both, and `K` is `WF`; `R3` is `W3`.
//!
//! | letter | meaning |
//! |---|---|
//! | `m`, `c` | only goes to free squares; only takes. Without either, and without `e`, both |
//! | `e` | takes in passing a man that has just made a double step |
//! | `n` | the squares between must be free; for `D`, `H`, `A` and `G` |
//! | `i` | from the initial rank only |
//! | `u` | must go as far as it can, without `i`; this letter is the program's own |
//! | `f`, `b`, `l`, `r` | forward, backward, left, right |
//! | `v`, `s` | `f` and `b`; `l` and `r` |
//!
//! Directions add up: `fsW` has three. On diagonal atoms a letter has the two directions on its
//! side, and a pair such as `fl` the one that is on both sides. On knights and their like a letter
//! has the two directions that lead mostly its way, so `fN` is a knight of shogi. A pair has those
//! that lead mostly the way of its second letter, if that is across the first: `fsN` are the two
//! flat ones forward, `frN` and `rfN` one each. `fhN` are all four forward. `XBoard` and
//! Fairy-Stockfish read these letters the same way.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::rules::Step;
use crate::game::NotationError;

/// The most characters of a text: far more than any man needs.
const MOST_CHARACTERS: usize = 200;

/// The greatest range that can be written, which is that of the longest side.
const MOST_RANGE: u8 = 16;

/// Columns to the right, and ranks forward.
pub(super) type Vector = (i8, i8);

/// Reads how a man moves.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, NotationError> {
    if text.chars().nth(MOST_CHARACTERS).is_some() {
        let message = format!("moves have at most {MOST_CHARACTERS} characters; write fewer atoms");
        return Err(NotationError::new(text, MOST_CHARACTERS, message));
    }
    let mut reader = Reader {
        text,
        letters: text.chars().collect(),
        at: 0,
    };
    let mut found = IndexMap::<Step, (usize, Step)>::new();
    while reader.at < reader.letters.len() {
        let atom = reader.atom()?;
        for step in atom.steps(&reader)? {
            // Steps that differ only in what they do at their end are one.
            let way = Step {
                goes: false,
                takes: false,
                takes_in_passing: false,
                ..step
            };
            let (_, one) = found.entry(way).or_insert((atom.at, step));
            one.goes |= step.goes;
            one.takes |= step.takes;
            one.takes_in_passing |= step.takes_in_passing;
        }
    }
    // A move is known by its ends, so no two steps may have the same ones.
    let mut targets = BTreeSet::new();
    for &(at, step) in found.values() {
        for target in targets_of(step) {
            let goes = step.goes && !targets.insert((target, false));
            let takes = step.takes && !targets.insert((target, true));
            if goes || takes {
                let message = "this atom leads to a square to which another one leads as well; leave one out, or give it another range";
                return reader.fault(at, message);
            }
        }
    }
    Ok(found.into_values().map(|(_, step)| step).collect())
}

/// Where a step leads on a large empty board.
fn targets_of(step: Step) -> impl Iterator<Item = Vector> {
    let last = match step.range {
        0 => MOST_RANGE,
        range => range,
    };
    // At most three times sixteen.
    (1..=last.cast_signed()).map(move |times| (step.right * times, step.forward * times))
}

/// How far an atom leads that leads anywhere. Single steps of other atoms are shorter.
pub(super) const FURTHEST: u8 = MOST_RANGE - 1;

/// The steps of which an atom consists; none if the letter is no atom.
fn parts(letter: char) -> Vec<Vector> {
    match letter {
        'W' | 'R' => vec![(0, 1)],
        'F' | 'B' => vec![(1, 1)],
        'K' | 'Q' => vec![(0, 1), (1, 1)],
        'D' => vec![(0, 2)],
        'N' => vec![(1, 2)],
        'A' => vec![(2, 2)],
        'H' => vec![(0, 3)],
        'C' | 'L' => vec![(1, 3)],
        'Z' | 'J' => vec![(2, 3)],
        'G' => vec![(3, 3)],
        'U' => (1..=FURTHEST.cast_signed())
            .flat_map(|long| (0..=long).map(move |short| (short, long)))
            .collect(),
        _ => Vec::new(),
    }
}

/// An atom with the letters before it.
struct Atom {
    /// Where it stands, in characters.
    at: usize,
    letter: char,
    /// How often it may be repeated; 0 stands for any number of times.
    range: u8,
    /// What it does, with places.
    marks: Vec<(usize, char)>,
    /// Where it leads, with places.
    directions: Vec<(usize, char)>,
}

struct Reader<'t> {
    text: &'t str,
    letters: Vec<char>,
    at: usize,
}

impl Reader<'_> {
    fn fault<T>(&self, at: usize, message: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError::new(self.text, at, message))
    }

    fn next(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn atom(&mut self) -> Result<Atom, NotationError> {
        let (mut marks, mut directions) = (Vec::new(), Vec::new());
        while let Some(letter) = self.next().filter(|letter| !letter.is_ascii_uppercase()) {
            match letter {
                'm' | 'c' | 'e' | 'n' | 'i' | 'u' => {
                    if marks.iter().any(|&(_, other)| other == letter) {
                        let message = format!("'{letter}' stands here twice; leave one out");
                        return self.fault(self.at, message);
                    }
                    marks.push((self.at, letter));
                }
                'f' | 'b' | 'l' | 'r' | 's' | 'v' | 'h' => directions.push((self.at, letter)),
                _ => {
                    let message = format!(
                        "'{letter}' is not known before an atom; there are m, c, e, n, i, u, and the directions f, b, l, r, s, v"
                    );
                    return self.fault(self.at, message);
                }
            }
            self.at += 1;
        }
        let Some(letter) = self.next() else {
            return self.fault(self.at, "an atom must follow, a capital letter such as W");
        };
        if parts(letter).is_empty() {
            let message = format!(
                "'{letter}' is no atom; there are W, F, D, N, A, H, C, Z, G, U, and R, B, Q, K"
            );
            return self.fault(self.at, message);
        }
        let at = self.at;
        self.at += 1;
        Ok(Atom {
            at,
            letter,
            range: self.range(letter)?,
            marks,
            directions,
        })
    }

    /// The range that is written after an atom, or the one that it has by itself.
    fn range(&mut self, letter: char) -> Result<u8, NotationError> {
        let at = self.at;
        let repeats = |next: char| next == letter || next.is_ascii_digit();
        if letter == 'U' && self.next().is_some_and(repeats) {
            let message = "U leads to any square as it is; write it once, without a number";
            return self.fault(at, message);
        }
        if self.next() == Some(letter) {
            if matches!(letter, 'R' | 'B' | 'Q' | 'K') {
                let message =
                    "R, B, Q and K are not doubled: R, B and Q have any range already, and KK is Q";
                return self.fault(at, message);
            }
            self.at += 1;
            if self.next().is_some_and(|next| next.is_ascii_digit()) {
                let message =
                    "a doubled atom has any range; leave out the number, or write the atom once";
                return self.fault(self.at, message);
            }
            return Ok(0);
        }
        let mut range = None;
        while let Some(digit) = self.next().and_then(|next| next.to_digit(10)) {
            let sum = range.unwrap_or(0) * 10 + digit;
            if sum > MOST_RANGE.into() {
                let message =
                    format!("a range is at most {MOST_RANGE}; write 0 for any number of steps");
                return self.fault(at, message);
            }
            range = Some(sum);
            self.at += 1;
        }
        let alone = match letter {
            'R' | 'B' | 'Q' => 0,
            _ => 1,
        };
        Ok(range.map_or(alone, |range| u8::try_from(range).unwrap_or(MOST_RANGE)))
    }
}

impl Atom {
    /// The place of a letter that says what the atom does.
    fn mark(&self, letter: char) -> Option<usize> {
        let found = self.marks.iter().find(|&&(_, mark)| mark == letter);
        found.map(|&(at, _)| at)
    }

    fn steps(&self, reader: &Reader) -> Result<Vec<Step>, NotationError> {
        self.check(reader)?;
        let [goes, takes, takes_in_passing, lame, initial, to_end] =
            ['m', 'c', 'e', 'n', 'i', 'u'].map(|letter| self.mark(letter).is_some());
        let plain = !(goes || takes || takes_in_passing);
        let mut found = Vec::new();
        for part in parts(self.letter) {
            for (right, forward) in self.directions(reader, part)? {
                found.push(Step {
                    right,
                    forward,
                    range: self.range,
                    goes: goes || plain,
                    takes: takes || plain,
                    takes_in_passing,
                    lame,
                    initial,
                    to_end,
                });
            }
        }
        Ok(found)
    }

    fn check(&self, reader: &Reader) -> Result<(), NotationError> {
        if let Some(at) = self.mark('n')
            && !(matches!(self.letter, 'D' | 'H' | 'A' | 'G') && self.range == 1)
        {
            let message = "'n' is for D, H, A and G, once each, which have squares between their ends; leave it out";
            return reader.fault(at, message);
        }
        if let Some(at) = self.mark('u') {
            if self.range == 1 {
                let message =
                    "'u' is for atoms that are repeated, such as muQ or muWW; leave it out";
                return reader.fault(at, message);
            }
            if self.mark('i').is_some() {
                let message = "'u' and 'i' do not stand together; leave one out";
                return reader.fault(at, message);
            }
            if self.mark('m').is_none() || self.mark('c').or(self.mark('e')).is_some() {
                let message = "'u' is for going to free squares; write 'm' with it, as in muQ, and the taking as an atom of its own";
                return reader.fault(at, message);
            }
        }
        if let Some(at) = self.mark('e')
            && (self.range != 1 || self.mark('n').or(self.mark('i')).is_some())
        {
            let message = "'e' is for single steps from anywhere, as in cefF; leave out the range, 'n' and 'i'";
            return reader.fault(at, message);
        }
        Ok(())
    }

    /// The directions of a part of the atom.
    fn directions(&self, reader: &Reader, part: Vector) -> Result<IndexSet<Vector>, NotationError> {
        let all = images(part);
        if self.directions.is_empty() {
            return Ok(all);
        }
        let straight = part.0 == 0;
        let oblique = !straight && part.0 != part.1;
        let both = parts(self.letter).len() > 1;
        let mut found = IndexSet::new();
        let mut letters = self.directions.iter().copied().peekable();
        while let Some((at, first)) = letters.next() {
            if first == 'h' {
                let message = "'h' stands behind f, b, l or r, as in fhN";
                return reader.fault(at, message);
            }
            let pairs = |&(_, second): &(usize, char)| match second {
                'h' => true,
                second => second == first || !straight && is_across(first, second),
            };
            let second = letters.next_if(pairs).map_or(first, |(_, second)| second);
            if second == 'h' && !(oblique && matches!(first, 'f' | 'b' | 'l' | 'r')) {
                let message = "'h' is for N, C and Z, behind f, b, l or r, as in fhN; leave it out";
                return reader.fault(at, message);
            }
            if both && is_across(first, second) {
                let message = format!(
                    "'{first}{second}' can be read in two ways on {}; write its straight and its diagonal atom apart",
                    self.letter
                );
                return reader.fault(at, message);
            }
            let led = all.iter().copied();
            found.extend(led.filter(|&to| leads(to, first, second, oblique)));
        }
        Ok(found)
    }
}

fn images((aside, along): Vector) -> IndexSet<Vector> {
    let turned = [(aside, along), (along, aside)].into_iter();
    let all = turned.flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)]);
    all.collect()
}

/// Whether one of two letters is of the kind forward or backward, and the other not.
fn is_across(one: char, other: char) -> bool {
    let along = |letter| matches!(letter, 'f' | 'b' | 'v');
    other != 'h' && along(one) != along(other)
}

/// Whether a direction is one of those of a pair of letters; of two that are the same, for one.
fn leads(to: Vector, first: char, second: char, oblique: bool) -> bool {
    let (right, forward) = to;
    let beside = |letter| match letter {
        'f' => forward > 0,
        'b' => forward < 0,
        'v' => forward != 0,
        'l' => right < 0,
        'r' => right > 0,
        's' => right != 0,
        _ => true,
    };
    // Of a pair, the second letter has the larger part of the way.
    let mostly = match second {
        'h' => true,
        'f' | 'b' | 'v' => forward.abs() > right.abs(),
        _ => right.abs() > forward.abs(),
    };
    beside(first) && beside(second) && (!oblique || mostly)
}
