//! Boards: what stands on them, how they are drawn and played on, and how positions are
//! changed piece by piece and described in part.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::board::Board;
use super::moves::{Game, Moves, Next};
use super::notation::{NotationError, SizeError};
use crate::draw::{BoardSquare, Diagram, Glyph, MAX_SIDE, Mark, Point, Slide, Tone};

/// A thing on the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The cell it stands on.
    pub cell: BoardSquare,
    /// How it is drawn.
    pub glyph: Glyph,
    /// A description, such as `black piece`.
    pub words: Cow<'static, str>,
}

impl Standing {
    /// A thing on a cell.
    pub fn new(cell: BoardSquare, glyph: Glyph, words: impl Into<Cow<'static, str>>) -> Self {
        let words = words.into();
        Self { cell, glyph, words }
    }

    /// Places the same thing on each square of a set.
    pub fn on(
        board: Board,
        set: u64,
        glyph: Glyph,
        words: impl Into<Cow<'static, str>>,
    ) -> impl Iterator<Item = Self> {
        let words = words.into();
        Board::squares_in(set)
            .map(move |square| Self::new(board.cell(square), glyph.clone(), words.clone()))
    }
}

/// A kind of thing that can be put on the board by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteItem {
    /// How it is drawn.
    pub glyph: Glyph,
    /// What [`Standing::words`] says of it.
    pub words: Cow<'static, str>,
}

impl PaletteItem {
    /// A kind of thing.
    pub fn new(glyph: Glyph, words: impl Into<Cow<'static, str>>) -> Self {
        let words = words.into();
        Self { glyph, words }
    }
}

/// Things on the squares of a board: the cell of each, and its place in the palette. The
/// place after the last one stands for anything, in partial diagrams.
pub(crate) type Arrangement = [(BoardSquare, usize)];

/// Writes an arrangement row by row from the top, with `/` between the rows: a letter of
/// `letters` for each thing, and `empty` for the other squares.
pub(crate) fn write_arrangement(
    (columns, rows): (u8, u8),
    things: &Arrangement,
    letters: &[char],
    empty: impl Fn(BoardSquare) -> char,
) -> String {
    let letter = |cell| {
        let thing = things.iter().rev().find(|(at, _)| *at == cell);
        thing.map_or_else(
            || empty(cell),
            |&(_, place)| letters.get(place).copied().unwrap_or('?'),
        )
    };
    let row = |row| {
        (0..columns)
            .map(|column| letter(BoardSquare::new(column, row)))
            .collect::<String>()
    };
    (0..rows).rev().map(row).collect::<Vec<_>>().join("/")
}

/// What a move does on the board, square by square. Themes are recognized by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveEffect {
    /// The square that the moving piece leaves.
    pub from: u8,
    /// The old and the new square of every piece that changes squares and stays on the
    /// board, the moving piece first if it stays.
    pub moved: Vec<(u8, u8)>,
    /// The piece that leaves the board, if any.
    pub removed: Option<Leaving>,
    /// Whether the moving piece belongs to neither side.
    pub neutral: bool,
}

/// A piece leaving the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Where it stood.
    pub from: u8,
    /// Whether it belongs to the side that moves.
    pub own: bool,
    /// Whether it falls into a hole in the board, not over the edge.
    pub inside: bool,
}

/// A position described in part: what may stand on each square. The game that read it knows
/// what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// A position in letters, with `?` for those that may be any.
    pub(crate) text: String,
    /// For each kind of thing, the squares on which it may stand.
    pub(crate) sets: Vec<u64>,
}

impl Pattern {
    /// The place, in letters, at which a text first differs from the pattern; `None` if it
    /// matches.
    pub(crate) fn misfit(&self, text: &str) -> Option<usize> {
        let (mut pattern, mut text) = (self.text.chars(), text.chars());
        (0..).find_map(|at| match (pattern.next(), text.next()) {
            (None, None) => Some(None),
            (Some('?'), Some(_)) => None,
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(&b) => None,
            _ => Some(Some(at)),
        })?
    }
}

/// States that can be drawn.
pub trait Drawable: Game {
    /// Checks that the board is small enough for a diagram.
    ///
    /// # Errors
    /// If it has too many rows or columns.
    fn check_picture(&self) -> Result<(), SizeError> {
        Ok(())
    }

    /// Reads a position to be drawn; in it, the game may have ended.
    ///
    /// # Errors
    /// If the text is no position.
    fn parse_drawn(&self, text: &str) -> Result<Self::State, NotationError> {
        self.parse_state(text)
    }

    /// A diagram of the board with everything on it, the side to move, the forbidden move,
    /// and a description in words.
    fn diagram(&self, state: &Self::State) -> Diagram;

    /// Adds a move to the diagram of the state: an arrow, and a cross where a piece
    /// vanishes.
    fn with_move(&self, diagram: Diagram, state: &Self::State, mv: Self::Move) -> Diagram;

    /// Adds what the state does not record: what earlier moves left on the board. `written` is
    /// the notation from which the line began, and `moves` have been made since.
    fn with_past(&self, diagram: Diagram, _written: &str, _moves: &[Self::Move]) -> Diagram {
        diagram
    }

    /// Everything that changes its place or vanishes in a move of the state.
    fn slides(&self, state: &Self::State, mv: Self::Move) -> Vec<Slide>;
}

/// Games with a board for players and programs that do not know the rules, and for composers.
/// Every method has a default; most follow from [`board`](Self::board),
/// [`standing`](Self::standing) and the notation.
pub trait Playable: Moves {
    /// The board, of at most 26 columns and rows.
    fn board(&self) -> Board {
        Board::new(1, 1)
    }

    /// The numbers of columns and rows of the board.
    fn size(&self) -> (u8, u8) {
        self.board().size()
    }

    /// Everything on the board. Pieces of the two sides must be glyphs with a tone, or
    /// texts and symbols whose words begin with the name of their side.
    fn standing(&self, _state: &Self::State) -> Vec<Standing> {
        Vec::new()
    }

    /// The number of the square that is drawn on a cell.
    fn square(&self, cell: BoardSquare) -> u8 {
        self.board().square(cell)
    }

    /// The name of a square of the board.
    fn name_of(&self, square: u8) -> String {
        self.board().name(square)
    }

    /// One thing and where it stands, such as `black piece on a1`, the lower left square.
    fn placed_words(&self, thing: &Standing) -> String {
        let BoardSquare { column, row } = thing.cell;
        let file = char::from(b'a'.saturating_add(column));
        format!("{} on {file}{}", thing.words, u16::from(row) + 1)
    }

    /// The tone of the pieces of the side to move: by default, dark for the side that
    /// begins.
    fn side_tone(&self, state: &Self::State) -> Tone {
        if self.side_to_move(state) == self.side_to_move(&self.initial()) {
            Tone::Dark
        } else {
            Tone::Light
        }
    }

    /// Whether a thing belongs to the side to move; `None` if it belongs to neither side.
    fn side_of(&self, state: &Self::State, thing: &Standing) -> Option<bool> {
        match thing.glyph {
            Glyph::Piece(tone) | Glyph::Men(tone, ..) => Some(tone == self.side_tone(state)),
            Glyph::Text(_) | Glyph::Symbol(_) => {
                let side = self.side_to_move(state);
                let start = thing.words.get(..side.len());
                Some(start.is_some_and(|start| start.eq_ignore_ascii_case(side)))
            }
            Glyph::Hole | Glyph::Absent | Glyph::Filled | Glyph::Blocked => None,
        }
    }

    /// The cell on which a move begins, and the point to which it leads; both are the same
    /// if a piece is placed on the board. No two legal moves of a state may share both. The
    /// default is right if moves are written with the names of these squares, such as `b2`
    /// and `b2-c3`.
    fn aim(&self, _state: &Self::State, mv: Self::Move) -> (BoardSquare, Point) {
        let (board, text) = (self.board(), self.format_move(mv));
        let letters = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        // Each name is a letter with the digits after it.
        let names = letters.flat_map(|word| {
            let starts = word
                .char_indices()
                .filter(|(_, letter)| letter.is_ascii_lowercase());
            starts.map(|(start, _)| {
                let rest = &word[start + 1..];
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                &word[start..=start + digits]
            })
        });
        let mut squares = names.filter_map(|name| board.read_name(name).ok());
        let from = squares.next().unwrap_or(0);
        let to = squares.next_back().unwrap_or(from);
        (board.cell(from), board.cell(to).into())
    }

    /// The things that a move brings onto the board.
    fn appearing(&self, state: &Self::State, mv: Self::Move) -> Vec<Standing> {
        let (from, to) = self.aim(state, mv);
        let before = self.standing(state);
        if let Next::State(next) = self.play(state, mv) {
            let known = |cell| cell == from || before.iter().any(|thing| thing.cell == cell);
            let mut after = self.standing(&next);
            after.retain(|thing| !known(thing.cell) && Point::from(thing.cell) != to);
            if Point::from(from) == to {
                let at = |thing: &Standing| thing.cell == from;
                after.extend(self.standing(&next).into_iter().find(at));
            }
            return after;
        }
        // The final position is not known; the last piece is like the others.
        let like = before
            .into_iter()
            .find(|thing| Point::from(from) == to && self.side_of(state, thing) == Some(true));
        like.map(|like| Standing { cell: from, ..like })
            .into_iter()
            .collect()
    }

    /// What can be put on the board by hand; empty if positions cannot be set up thing by
    /// thing.
    fn palette(&self) -> Vec<PaletteItem> {
        Vec::new()
    }

    /// An arrangement in the notation of positions, with the side to move that begins the
    /// game or the other one. It need not be a position: `parse_state` says why it is none.
    fn arranged(&self, _things: &Arrangement, _second: bool) -> String {
        String::new()
    }

    /// The unfinished position with these things on the board, nothing forbidden, and everything
    /// else, including the side to move, as in `state`; `None` if there is none. It lets
    /// positions be changed piece by piece. The default is right if everything on the board is
    /// in the [`palette`](Self::palette); without one, if the notation of states begins with
    /// the board as [`Board::write`] writes it.
    fn with_pieces(&self, state: &Self::State, pieces: &[Standing]) -> Option<Self::State> {
        let palette = self.palette();
        let text = if palette.is_empty() {
            with_letters(self, state, pieces)?
        } else {
            let place = |thing: &Standing| {
                let known = |item: &PaletteItem| item.words == thing.words;
                Some((thing.cell, palette.iter().position(known)?))
            };
            let there = pieces.iter().filter(|thing| thing.glyph != Glyph::Absent);
            let things: Option<Vec<_>> = there.map(place).collect();
            let second = self.side_to_move(state) != self.side_to_move(&self.initial());
            self.arranged(&things?, second)
        };
        let found = self.parse_state(&text).ok()?;
        (self.side_to_move(&found) == self.side_to_move(state)).then_some(found)
    }

    /// Everything on the board that may be changed: the number of its square, and its
    /// description.
    fn things(&self, state: &Self::State) -> Vec<(u8, String)> {
        let mut things = self.standing(state);
        things.retain(|thing| thing.glyph != Glyph::Absent);
        // First those of the side to move, last those of neither.
        things.sort_by_key(|thing| Reverse(self.side_of(state, thing)));
        let named = things
            .into_iter()
            .map(|thing| (self.square(thing.cell), self.placed_words(&thing)));
        named.collect()
    }

    /// The position without the thing on a square, nothing forbidden; `None` if there is no
    /// such thing, or the game would be over.
    fn without(&self, state: &Self::State, square: u8) -> Option<Self::State> {
        let mut things = self.standing(state);
        let before = things.len();
        things.retain(|thing| self.square(thing.cell) != square);
        (things.len() < before)
            .then(|| self.with_pieces(state, &things))
            .flatten()
    }

    /// Every position in which one thing has gone to an empty square and nothing is
    /// forbidden, with the square it left and the square it went to.
    fn neighbours(&self, state: &Self::State) -> Vec<(u8, u8, Self::State)> {
        let (board, mut things) = (self.board(), self.standing(state));
        things.sort_by_key(|thing| self.square(thing.cell));
        let mut empty: Vec<_> = (0..board.squares())
            .map(|square| board.cell(square))
            .collect();
        empty.retain(|&cell| things.iter().all(|thing| thing.cell != cell));
        empty.sort_by_key(|&cell| self.square(cell));
        things.retain(|thing| thing.glyph != Glyph::Absent);
        let mut found = Vec::new();
        for place in 0..things.len() {
            let from = things[place].cell;
            for &to in &empty {
                things[place].cell = to;
                let moved = self.with_pieces(state, &things);
                found.extend(moved.map(|moved| (self.square(from), self.square(to), moved)));
            }
            things[place].cell = from;
        }
        found
    }

    /// What a legal move does on the board.
    fn move_effect(&self, state: &Self::State, mv: Self::Move) -> MoveEffect {
        let (board, (from, to)) = (self.board(), self.aim(state, mv));
        let things = self.standing(state);
        let at = |point: Point| things.iter().find(|thing| Point::from(thing.cell) == point);
        let moves = at(from.into()).filter(|_| Point::from(from) != to);
        let inside = |number, size| u8::try_from(number).ok().filter(|&number| number < size);
        let (columns, rows) = board.size();
        let target = inside(to.column, columns).zip(inside(to.row, rows));
        let target = target.map(|(column, row)| self.square(BoardSquare::new(column, row)));
        // What goes off the board leaves it itself.
        let leaving = if target.is_none() { moves } else { at(to) };
        MoveEffect {
            from: self.square(from),
            moved: moves
                .and(target)
                .map(|to| (self.square(from), to))
                .into_iter()
                .collect(),
            removed: moves.and(leaving).map(|thing| Leaving {
                from: self.square(thing.cell),
                own: self.side_of(state, thing) == Some(true),
                inside: target.is_some(),
            }),
            neutral: moves.is_none_or(|thing| self.side_of(state, thing).is_none()),
        }
    }

    /// What comes of passing: the position with the other side to move and nothing forbidden, or
    /// the end of the game, if that side cannot move. `None` if no position differs by the side to
    /// move alone.
    fn passed(&self, _state: &Self::State) -> Option<Next<Self::State>> {
        None
    }

    /// Reads a partial diagram in the notation that the game documents: by default, the notation
    /// of positions with `?` for each letter that may be any.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        Ok(Pattern {
            text: text.to_owned(),
            sets: Vec::new(),
        })
    }

    /// A state symmetric to this one that matches the pattern, if there is one. The default
    /// looks at no symmetries.
    fn fit(&self, pattern: &Pattern, state: &Self::State) -> Option<Self::State> {
        let misfit = pattern.misfit(&self.format_state(state));
        misfit.is_none().then(|| state.clone())
    }
}

/// The notation of `state` with other pieces on the board, where the notation begins with the
/// board and each thing has the letter that it has in `state`.
fn with_letters<G: Playable + ?Sized>(
    game: &G,
    state: &G::State,
    pieces: &[Standing],
) -> Option<String> {
    let board = game.board();
    let text: Vec<char> = game.format_state(state).chars().collect();
    let place = |square: u8| usize::from(square) + usize::from(square / board.size().0);
    let before = game.standing(state);
    let letter = |words: &str| {
        let known = before.iter().find(|thing| thing.words == words)?;
        text.get(place(board.square(known.cell))).copied()
    };
    let mut changed = text.clone();
    let empty = (0..board.squares()).find(|&square| {
        before
            .iter()
            .all(|thing| board.square(thing.cell) != square)
    })?;
    let empty = *text.get(place(empty))?;
    for thing in &before {
        *changed.get_mut(place(board.square(thing.cell)))? = empty;
    }
    for thing in pieces {
        *changed.get_mut(place(board.square(thing.cell)))? = letter(&thing.words)?;
    }
    Some(changed.into_iter().collect())
}

/// Checks that the board is small enough for a diagram.
pub(crate) fn fits_picture<G: Playable + ?Sized>(game: &G) -> Result<(), SizeError> {
    let (columns, rows) = Playable::board(game).size();
    if columns.max(rows) <= MAX_SIDE {
        return Ok(());
    }
    let spec = game.spec();
    Err(SizeError::new(format!(
        "{spec} is too wide for a diagram: at most {MAX_SIDE} rows and columns can be drawn"
    )))
}

/// A diagram of everything on the board. Anything beyond the largest board that can be drawn is
/// left out.
pub(crate) fn drawn<G: Playable>(game: &G, state: &G::State) -> Diagram {
    let (columns, rows) = game.size();
    let [columns, rows] = [columns, rows].map(|side| side.min(MAX_SIDE));
    let empty = Diagram::new(columns, rows).expect("sides are cut to what fits");
    let things = game.standing(state).into_iter();
    things.fold(empty, |diagram, thing| {
        let placed = diagram.clone().place(thing.cell, thing.glyph);
        placed.unwrap_or(diagram)
    })
}

/// Adds a move to a diagram: an arrow, or a highlight of the cell where a thing is put, and a
/// cross where one vanishes. A diagram of another size has no room for them and is left
/// unchanged.
pub(crate) fn marked(
    diagram: Diagram,
    (from, to): (BoardSquare, Point),
    gone: impl IntoIterator<Item = Point>,
) -> Diagram {
    let mark = if Point::from(from) == to {
        Mark::Highlight(from)
    } else {
        Mark::Arrow { from, to }
    };
    let gone = gone.into_iter().map(Mark::Removed);
    std::iter::once(mark)
        .chain(gone)
        .fold(diagram, |diagram, mark| {
            diagram.clone().mark(mark).unwrap_or(diagram)
        })
}

/// What slides in a move, unless it puts a thing on the board, and what vanishes.
pub(crate) fn slid(
    (from, to): (BoardSquare, Point),
    gone: impl IntoIterator<Item = BoardSquare>,
) -> Vec<Slide> {
    let slide = |from, to, lost| Slide { from, to, lost };
    let goes = (Point::from(from) != to).then(|| slide(from, to, false));
    let gone = gone.into_iter().map(|cell| slide(cell, cell.into(), true));
    goes.into_iter().chain(gone).collect()
}
