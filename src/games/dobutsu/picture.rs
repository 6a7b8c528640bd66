//! Diagrams, and boards to play on: the board with a hand on either side.
//!
//! A hand is drawn as squares apart from the board, Gote's on the left and Sente's on the right,
//! so that a drop is a move from one square to another. Sente's animals are solid and upright,
//! Gote's hollow and upside down. The symbols are this program's own.

use super::Dobutsu;
use super::arranged;
use super::geometry::{Kind, Square, squares_of};
use super::notation::{format_hands, square_name};
use super::outlines;
use super::position::{Army, Position};
use super::state::{Move, Side, State};
use crate::draw::{BoardSquare, Diagram, Glyph, Mark, Point, Slide, Symbol, Tone};
use crate::game::{Arrangement, Drawable, Moves, Next, PaletteItem, Playable, Standing};

/// The hands are the first and the last column, and a blank one lies before the board and
/// behind it.
pub(super) const COLUMNS: u8 = 7;
pub(super) const ROWS: u8 = 4;
const FITS: &str = "the squares of board and hands are in the diagram";
const SOUND: &str = "the outlines lie in their squares";

/// The names, outlines and descriptions of the lion and of the other men by kind.
pub(super) const LION: Man = Man {
    name: "lion",
    outline: outlines::LION,
    words: ["Sente lion", "Gote lion"],
};

pub(super) const MEN: [Man; 4] = [
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
pub(super) const PAIRS: [[&str; 2]; 3] = [
    ["two Sente giraffes in hand", "two Gote giraffes in hand"],
    ["two Sente elephants in hand", "two Gote elephants in hand"],
    ["two Sente chicks in hand", "two Gote chicks in hand"],
];

#[derive(Clone, Copy)]
pub(super) struct Man {
    name: &'static str,
    pub outline: &'static str,
    pub words: [&'static str; 2],
}

impl Man {
    pub fn symbol(self, side: Side, outline: String) -> Glyph {
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
            words: self.words[side as usize],
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
pub(super) fn hand_cell(side: Side, animal: usize) -> BoardSquare {
    let row = 2_u8.saturating_sub(u8::try_from(animal).unwrap_or(0));
    match side {
        Side::Sente => BoardSquare::new(COLUMNS - 1, row),
        Side::Gote => BoardSquare::new(0, ROWS - 1 - row),
    }
}

/// An outline at three fifths of its size, twice: in the upper left and lower right corners.
pub(super) fn doubled(outline: &str) -> String {
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
                words: PAIRS[animal][side as usize],
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
        words: "nothing",
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
    fn side_tone(&self, state: &State) -> Tone {
        tone(state.side)
    }

    fn diagram(&self, state: &State) -> Diagram {
        let mut diagram = Diagram::new(COLUMNS, ROWS).expect(FITS);
        for thing in self.standing(state) {
            diagram = diagram.place(thing.cell, thing.glyph).expect(FITS);
        }
        diagram
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
        let (from, to) = Self::cells(state.side, mv);
        let arrow = Mark::Arrow {
            from,
            to: to.into(),
        };
        // A diagram of another size has no room for it and is left unchanged.
        diagram.clone().mark(arrow).unwrap_or(diagram)
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let (from, to) = Self::cells(state.side, mv);
        let to = to.into();
        let mut slides = vec![Slide {
            from,
            to,
            lost: false,
        }];
        if mv.takes {
            let from = cell(mv.to);
            slides.push(Slide {
                from,
                to,
                lost: true,
            });
        }
        slides
    }
}

impl Playable for Dobutsu {
    fn size(&self) -> (u8, u8) {
        (COLUMNS, ROWS)
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

    fn palette(&self) -> Vec<PaletteItem> {
        arranged::palette()
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        arranged::arranged(things, second)
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
}
