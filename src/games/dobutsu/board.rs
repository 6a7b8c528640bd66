//! Diagrams, and boards to play on: the board with a hand on either side.
//!
//! A hand is drawn as squares apart from the board, Gote's on the left and Sente's on the right,
//! so that a drop is a move from one square to another. Sente's animals are solid and upright,
//! Gote's hollow and upside down. The symbols are this program's own.
//!
//! Squares are numbered as on the board, and on from there for hands: two places for each
//! animal, Sente's first.

use super::Dobutsu;
use super::geometry::{Kind, SQUARES, Square, Squares, bit, squares_of};
use super::notation::{checked, format_board, format_hands, square_name};
use super::state::{Army, Move, Position, Side, State};
use crate::base::value::Outcome;
use crate::draw::{BoardSquare, Diagram, Glyph, Point, Slide, Symbol, Tone};
use crate::game::{
    Arrangement, Board, Drawable, Leaving, MoveEffect, Moves, Next, NotationError, PaletteItem,
    Pattern, Playable, Standing, drawn, marked, slid, write_arrangement,
};

/// The outlines of the animals, drawn for this program: path data in a square of 1000 units,
/// y downwards. Inner outlines run the other way round, so that they stay blank where a symbol
/// is solid.
#[rustfmt::skip]
mod outlines {
    /// The face of a lion in its mane.
    pub(super) const LION: &str = "M384 143Q500 20 616 143Q782 112 803 280Q957 352 875 500Q957 648 803 720Q782 888 616 857Q500 980 384 857Q218 888 197 720Q43 648 125 500Q43 352 197 280Q218 112 384 143ZM500 265C354 265 235 384 235 530C235 676 354 795 500 795C646 795 765 676 765 530C765 384 646 265 500 265ZM405 437C426 437 443 454 443 475C443 496 426 513 405 513C384 513 367 496 367 475C367 454 384 437 405 437ZM595 437C616 437 633 454 633 475C633 496 616 513 595 513C574 513 557 496 557 475C557 454 574 437 595 437ZM430 560L570 560L500 640ZM350 668Q430 735 500 668Q570 735 650 668Q580 800 500 730Q420 800 350 668Z";

    /// The head and neck of a giraffe.
    pub(super) const GIRAFFE: &str = "M300 940L330 560Q345 470 330 430L190 430Q110 420 120 345Q130 300 190 290L350 230L330 110Q330 70 365 70Q400 70 400 110L420 200L480 200L500 110Q505 70 540 70Q575 75 570 115L555 215L690 190Q700 270 590 310Q640 380 660 520L720 940ZM400 273C382 273 368 287 368 305C368 323 382 337 400 337C418 337 432 323 432 305C432 287 418 273 400 273ZM430 420L430 520L530 520L550 440ZM420 590L400 720L500 720L500 590ZM560 560L560 660L620 660L610 560ZM400 790L390 880L500 880L500 790ZM570 730L570 860L660 860L640 730Z";

    /// The face of an elephant.
    pub(super) const ELEPHANT: &str = "M360 190Q500 110 640 190C720 110 960 130 945 400C940 610 790 720 690 630Q660 660 625 670Q600 790 610 840Q630 890 680 850L735 890Q690 960 600 950Q500 930 490 800L480 740L440 740Q420 800 375 830Q345 830 350 790Q390 740 375 670Q340 660 310 630C210 720 60 610 55 400C40 130 280 110 360 190ZM400 354C380 354 364 370 364 390C364 410 380 426 400 426C420 426 436 410 436 390C436 370 420 354 400 354ZM600 354C580 354 564 370 564 390C564 410 580 426 600 426C620 426 636 410 636 390C636 370 620 354 600 354ZM300 300Q240 400 300 520Q200 560 180 420Q190 290 300 300ZM700 300Q810 290 820 420Q800 560 700 520Q760 400 700 300Z";

    /// A chick.
    pub(super) const CHICK: &str = "M470 170Q440 90 500 60Q505 110 530 130Q560 100 590 110Q565 140 560 175C760 190 880 340 880 560C880 760 760 880 620 905L660 950L560 950L540 915L460 915L440 950L340 950L380 905C240 880 120 760 120 560C120 340 240 190 470 170ZM370 402C343 402 322 423 322 450C322 477 343 498 370 498C397 498 418 477 418 450C418 423 397 402 370 402ZM630 402C603 402 582 423 582 450C582 477 603 498 630 498C657 498 678 477 678 450C678 423 657 402 630 402ZM500 500L410 575L500 650L590 575Z";

    /// A hen with comb, wattle and wings.
    pub(super) const HEN: &str = "M340 235Q270 210 285 130Q340 150 360 190Q360 90 430 50Q470 100 460 170Q480 60 570 50Q590 120 560 180Q610 120 690 150Q690 220 640 240C760 300 820 400 830 500L960 420Q980 560 900 650Q960 680 960 740Q900 800 800 790C760 850 690 885 620 905L660 950L560 950L540 915L460 915L440 950L340 950L380 905C310 885 240 850 200 790Q100 800 40 740Q40 680 100 650Q20 560 40 420L170 500C180 400 240 290 340 235ZM390 394C365 394 344 415 344 440C344 465 365 486 390 486C415 486 436 465 436 440C436 415 415 394 390 394ZM610 394C585 394 564 415 564 440C564 465 585 486 610 486C635 486 656 465 656 440C656 415 635 394 610 394ZM500 480L420 550L500 620L580 550ZM455 660Q420 780 500 800Q580 780 545 660L500 690Z";
}

/// The hands are the first and the last column, and a blank one lies before the board and
/// behind it.
const COLUMNS: u8 = 7;
const ROWS: u8 = 4;
const SOUND: &str = "the outlines lie in their squares";

/// The names, outlines and descriptions of the lion and of the other men by kind.
const LION: Man = Man {
    name: "lion",
    outline: outlines::LION,
    words: ["Sente lion", "Gote lion"],
};

const MEN: [Man; 4] = [
    Man {
        name: "giraffe",
        outline: outlines::GIRAFFE,
        words: ["Sente giraffe", "Gote giraffe"],
    },
    Man {
        name: "elephant",
        outline: outlines::ELEPHANT,
        words: ["Sente elephant", "Gote elephant"],
    },
    Man {
        name: "chick",
        outline: outlines::CHICK,
        words: ["Sente chick", "Gote chick"],
    },
    Man {
        name: "hen",
        outline: outlines::HEN,
        words: ["Sente hen", "Gote hen"],
    },
];

/// Two men of a kind in hand, by animal.
const PAIRS: [[&str; 2]; 3] = [
    ["two Sente giraffes in hand", "two Gote giraffes in hand"],
    ["two Sente elephants in hand", "two Gote elephants in hand"],
    ["two Sente chicks in hand", "two Gote chicks in hand"],
];

#[derive(Clone, Copy)]
struct Man {
    name: &'static str,
    outline: &'static str,
    words: [&'static str; 2],
}

impl Man {
    fn symbol(self, side: Side, outline: String) -> Glyph {
        let symbol = Symbol::new(self.name, outline, tone(side)).expect(SOUND);
        Glyph::Symbol(match side {
            Side::Sente => symbol,
            Side::Gote => symbol.half_turned(),
        })
    }

    fn standing(self, cell: BoardSquare, side: Side) -> Standing {
        Standing {
            cell,
            glyph: self.symbol(side, self.outline.to_owned()),
            words: self.words[side as usize].into(),
        }
    }
}

const fn tone(side: Side) -> Tone {
    match side {
        Side::Sente => Tone::Dark,
        Side::Gote => Tone::Light,
    }
}

/// The cell of a square of the board.
const fn cell(square: Square) -> BoardSquare {
    BoardSquare::new(2 + square % 3, square / 3)
}

/// The cell of an animal in a hand: Sente's from the lower right corner up, chicks first,
/// Gote's from the upper left corner down.
fn hand_cell(side: Side, animal: usize) -> BoardSquare {
    let row = 2_u8.saturating_sub(u8::try_from(animal).unwrap_or(0));
    match side {
        Side::Sente => BoardSquare::new(COLUMNS - 1, row),
        Side::Gote => BoardSquare::new(0, ROWS - 1 - row),
    }
}

/// An outline at three fifths of its size, twice: in the upper left and lower right corners.
fn doubled(outline: &str) -> String {
    let placed = |offset: u32| {
        let mut text = String::new();
        let mut digits = String::new();
        for letter in outline.chars().chain([' ']) {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            if let Ok(number) = digits.parse::<u32>() {
                text += &(number * 11 / 20 + offset).to_string();
            }
            digits.clear();
            text.push(letter);
        }
        text.trim_end().to_owned()
    };
    placed(0) + &placed(450)
}

fn of_army(side: Side, army: Army) -> impl Iterator<Item = Standing> {
    let men = Kind::ALL.into_iter().flat_map(move |kind| {
        let man = MEN[kind as usize];
        squares_of(army.men[kind as usize]).map(move |square| man.standing(cell(square), side))
    });
    let held = (0..3).filter_map(move |animal| {
        let (man, cell) = (MEN[animal], hand_cell(side, animal));
        match army.hand[animal] {
            0 => None,
            1 => Some(man.standing(cell, side)),
            _ => Some(Standing {
                cell,
                glyph: man.symbol(side, doubled(man.outline)),
                words: PAIRS[animal][side as usize].into(),
            }),
        }
    });
    std::iter::once(LION.standing(cell(army.lion), side))
        .chain(men)
        .chain(held)
}

/// The cells beside the board that belong to no hand. Those of hands are always there, with
/// something on them or not.
fn outside() -> Vec<Standing> {
    let between = [1, COLUMNS - 2]
        .into_iter()
        .flat_map(|column| (0..ROWS).map(move |row| BoardSquare::new(column, row)));
    let beyond = [
        BoardSquare::new(0, 0),
        BoardSquare::new(COLUMNS - 1, ROWS - 1),
    ];
    let absent = between.chain(beyond).map(|cell| Standing {
        cell,
        glyph: Glyph::Absent,
        words: "nothing".into(),
    });
    absent.collect()
}

fn words(state: &State) -> String {
    let whole = state.as_sente();
    let list = |army: &Army| {
        let mut names = vec![format!("lion {}", square_name(army.lion))];
        for kind in Kind::ALL {
            for square in squares_of(army.men[kind as usize]) {
                names.push(format!(
                    "{} {}",
                    MEN[kind as usize].name,
                    square_name(square)
                ));
            }
        }
        names.join(", ")
    };
    let Position { own, opp } = &whole;
    let hands = match format_hands(&whole).as_str() {
        "-" => "empty".to_owned(),
        letters => format!("{letters}, small letters Gote's"),
    };
    format!(
        "Sente: {}. Gote: {}. Hands: {hands}. {} to move.",
        list(own),
        list(opp),
        state.side.name()
    )
}

impl Dobutsu {
    /// The side that moves, and the cells that a move leads from and to.
    fn cells(state_side: Side, mv: Move) -> (BoardSquare, BoardSquare) {
        let animal = (mv.animal as usize).saturating_sub(1);
        let from = mv.from.map_or_else(|| hand_cell(state_side, animal), cell);
        (from, cell(mv.to))
    }
}

impl Drawable for Dobutsu {
    fn diagram(&self, state: &State) -> Diagram {
        drawn(self, state)
            .file_labels(["", "", "a", "b", "c", "", ""])
            .and_then(|diagram| diagram.rank_labels(["4", "3", "2", "1"]))
            .expect("there are as many as columns and rows")
            .to_move(tone(state.side))
            .home(Tone::Dark)
            .title(format!(
                "Dobutsu shogi position, {} to move",
                state.side.name()
            ))
            .desc(words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        marked(diagram, self.aim(state, mv), &[])
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let taken = mv.takes.then(|| cell(mv.to));
        slid(self.aim(state, mv), taken.as_slice())
    }
}

impl Playable for Dobutsu {
    fn board(&self) -> Board {
        Board::new(COLUMNS, ROWS)
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let Position { own, opp } = state.as_sente();
        let men = of_army(Side::Sente, own).chain(of_army(Side::Gote, opp));
        let mut standing: Vec<Standing> = men.collect();
        standing.extend(outside());
        standing
    }

    fn aim(&self, state: &State, mv: Move) -> (BoardSquare, Point) {
        let (from, to) = Self::cells(state.side, mv);
        (from, to.into())
    }

    /// Everything that can stand on a cell: single animals of both sides, then pairs in hand.
    fn palette(&self) -> Vec<PaletteItem> {
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

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let middle = 2..COLUMNS - 2;
        let on_board: Vec<_> = things
            .iter()
            .filter(|(cell, _)| middle.contains(&cell.column))
            .map(|&(cell, place)| (BoardSquare::new(cell.column - 2, cell.row), place))
            .collect();
        let letters: Vec<char> = (0..self.palette().len())
            .map(|place| letter(place).0)
            .collect();
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

    fn placed_words(&self, thing: &Standing) -> String {
        let BoardSquare { column, row } = thing.cell;
        for side in [Side::Sente, Side::Gote] {
            let held = (0..3).find(|&animal| hand_cell(side, animal) == thing.cell);
            if let Some(animal) = held {
                return format!("{} in hand", MEN[animal].words[side as usize]);
            }
        }
        let square = square_name(3 * row + column.saturating_sub(2));
        format!("{} on {square}", thing.words)
    }

    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        let Next::State(next) = self.play(state, mv) else {
            return Vec::new();
        };
        let (from, to) = Self::cells(state.side, mv);
        let before = self.standing(state);
        let slid = |thing: &Standing| {
            before.iter().any(|old| {
                old.glyph == thing.glyph
                    && (old.cell == thing.cell && old.cell != from && old.cell != to
                        || old.cell == from && thing.cell == to)
            })
        };
        let mut appearing = self.standing(&next);
        appearing.retain(|thing| !slid(thing));
        appearing
    }

    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let named = sides(state).into_iter().flat_map(|(side, army)| {
            possessions(side, &army).map(move |(number, name)| {
                let owner = side.name();
                match hand_place(number) {
                    Some(_) => (number, format!("{owner} {name} in hand")),
                    None => (number, format!("{owner} {name} on {}", square_name(number))),
                }
            })
        });
        named.collect()
    }

    fn without(&self, state: &State, square: u8) -> Option<State> {
        if self.rules().drops || square >= SQUARES {
            // All animals stay in the game.
            return None;
        }
        let Position { own, opp } = state.as_sente();
        let clear = |army: Army| Army {
            men: army.men.map(|men| men & !bit(square)),
            ..army
        };
        let (sente, gote) = (clear(own), clear(opp));
        if (sente, gote) == (own, opp) {
            return None;
        }
        self.with(state, sente, gote)
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let whole = state.as_sente();
        let mut found = Vec::new();
        for from in squares_of(whole.own.squares() | whole.opp.squares()) {
            for to in squares_of(whole.empty()) {
                let [sente, gote] = [whole.own, whole.opp].map(|army| moved(army, from, to));
                found.extend(self.with(state, sente, gote).map(|state| (from, to, state)));
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        match hand_place(square) {
            Some((side, animal, _)) => format!("{} in {}'s hand", ANIMALS[animal], side.name()),
            None => square_name(square),
        }
    }

    fn move_effect(&self, state: &State, mv: Move) -> MoveEffect {
        let [(side, own), _] = sides(state);
        let from = mv.from.unwrap_or_else(|| {
            let animal = (mv.animal as usize).saturating_sub(1);
            place_in_hand(side, animal, own.hand[animal].saturating_sub(1))
        });
        MoveEffect {
            from,
            moved: vec![(from, mv.to)],
            removed: mv.takes.then_some(Leaving {
                from: mv.to,
                own: false,
                inside: false,
            }),
            neutral: false,
        }
    }

    fn pieces_of(&self, state: &State) -> (Vec<u8>, Vec<u8>) {
        let numbers = |(side, army): (Side, Army)| {
            possessions(side, &army).map(|(number, _)| number).collect()
        };
        let [own, other] = sides(state);
        (numbers(own), numbers(other))
    }

    fn passed(&self, state: &State) -> Option<Next<State>> {
        let at = state.at.turned();
        if at.is_stuck() {
            return Some(Next::Over(Outcome::Win));
        }
        let side = state.side.other();
        let occurs = self.rules().occurs(&at);
        occurs.then_some(Next::State(State { at, side }))
    }

    // A pattern is the board as in the one-line notation for Sente to move, four ranks from the
    // top, with `?` for a square that may have anything on it, `X` for any animal of Sente and
    // `x` for any of Gote. The hands may follow, as in the notation; if they are left out, they
    // may be any.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let text = text.trim_end();
        let board: String = text.chars().take(15).collect();
        for (at, letter) in board.chars().enumerate() {
            let fits = if at % 4 == 3 {
                letter == '/'
            } else {
                "LGECRXlgecrx-?".contains(letter)
            };
            if !fits {
                return Err(NotationError::new(text, at, SHAPE));
            }
        }
        let length = board.chars().count();
        if length < 15 {
            return Err(NotationError::new(text, length, SHAPE));
        }
        let mut rest = text.chars().skip(15);
        let hands = match rest.next() {
            None => None,
            Some('/') => {
                let hands: String = rest.collect();
                let odd = hands.chars().position(|letter| !"GECgec".contains(letter));
                match odd {
                    Some(_) if hands == "-" => {}
                    Some(at) => return Err(NotationError::new(text, 16 + at, SHAPE)),
                    None if hands.is_empty() => return Err(NotationError::new(text, 16, SHAPE)),
                    None => {}
                }
                Some(hands)
            }
            Some(_) => return Err(NotationError::new(text, 15, SHAPE)),
        };
        let hands = hands.map_or_else(String::new, |hands| format!("/{}", sorted(&hands)));
        Ok(Pattern {
            text: board + &hands,
            sets: Vec::new(),
        })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        [state.at, state.at.mirrored()].into_iter().find_map(|at| {
            let letters = format!("{}/{}", format_board(&at), sorted(&format_hands(&at)));
            // Without hands in the pattern, they may be any.
            let all = pattern.text.len() <= 15 || pattern.text.len() == letters.len();
            let mut pairs = pattern.text.chars().zip(letters.chars());
            let fits = all
                && pairs.all(|(wanted, found)| match wanted {
                    '?' => true,
                    'X' => found.is_ascii_uppercase(),
                    'x' => found.is_ascii_lowercase(),
                    _ => wanted == found,
                });
            fits.then_some(State {
                at,
                side: Side::Sente,
            })
        })
    }
}

const SIDES: [Side; 2] = [Side::Sente, Side::Gote];

/// The letters of the lion and of the other animals by kind.
const LETTERS: [char; 5] = ['L', 'G', 'E', 'C', 'R'];

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

const ANIMALS: [&str; 4] = ["giraffe", "elephant", "chick", "hen"];

/// The number of a place in a hand.
fn place_in_hand(side: Side, animal: usize, place: u8) -> u8 {
    let first = SQUARES + 6 * u8::from(side == Side::Gote);
    first + 2 * u8::try_from(animal).unwrap_or(0) + place
}

/// The side whose hand has a place, its animal, and which of the two places it is; `None`
/// for a square of the board.
fn hand_place(number: u8) -> Option<(Side, usize, u8)> {
    let place = number.checked_sub(SQUARES).filter(|&place| place < 12)?;
    let side = if place < 6 { Side::Sente } else { Side::Gote };
    Some((side, usize::from(place % 6 / 2), place % 2))
}

/// The two sides with their men, from Sente's view, the given side first.
fn sides(state: &State) -> [(Side, Army); 2] {
    let Position { own, opp } = state.as_sente();
    let both = [(Side::Sente, own), (Side::Gote, opp)];
    match state.side {
        Side::Sente => both,
        Side::Gote => [both[1], both[0]],
    }
}

/// Everything that a side has: its number, and its name.
fn possessions(side: Side, army: &Army) -> impl Iterator<Item = (u8, &'static str)> + use<> {
    let army = *army;
    let men = Kind::ALL.into_iter().flat_map(move |kind| {
        squares_of(army.men[kind as usize]).map(move |square| (square, ANIMALS[kind as usize]))
    });
    let held = (0..3).flat_map(move |animal| {
        (0..army.hand[animal])
            .map(move |place| (place_in_hand(side, animal, place), ANIMALS[animal]))
    });
    std::iter::once((army.lion, "lion")).chain(men).chain(held)
}

impl Dobutsu {
    /// The position with other men; `None` if the game would be over.
    fn with(&self, state: &State, sente: Army, gote: Army) -> Option<State> {
        checked(self.rules(), state.side, sente, gote).ok()
    }
}

/// The men with the one on a square, if any, on another.
fn moved(army: Army, from: Square, to: Square) -> Army {
    let shift = |men: Squares| {
        if men & bit(from) == 0 {
            men
        } else {
            men & !bit(from) | bit(to)
        }
    };
    Army {
        lion: if army.lion == from { to } else { army.lion },
        men: army.men.map(shift),
        ..army
    }
}

const SHAPE: &str = "a pattern is four ranks of three squares from the top, for Sente to move, with / between them: L, G, E, C, R for Sente's animals, small letters for Gote's, X and x for any of Sente's and Gote's, - for an empty square and ? for anything; the hands may follow, e.g. ?l?/???/-L-/???/Cc";

fn sorted(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}
