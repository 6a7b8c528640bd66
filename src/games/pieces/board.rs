//! Diagrams, boards to play on, and partial diagrams.
//!
//! Men of chess are drawn as in chess diagrams, others as letters in discs, and where all men are
//! alike as pieces without a sign. Where men of several kinds can be in hand, or taken men go
//! there, hands are squares apart from the board, the first side's on the right and the other's on
//! the left, so that a drop is a move from one square to another.

use std::fmt::Write as _;

use super::Pieces;
use super::index::Placing;
use super::notation::{format_position, letter_to_move, read_state};
use super::rules::{KindNumber, Names, Notation, Position, Way};
use super::state::{Move, Origin, Side, State};
use super::symbols;
use crate::base::subsets::bits;
use crate::draw::{BoardSquare, Diagram, Glyph, MAX_SIDE, Man, Mark, Point, Slide, Tone};
use crate::game::{
    Arrangement, Board, Drawable, Game, Leaving, MoveEffect, Next, NotationError, PaletteItem,
    Pattern, Playable, SizeError, Standing, Symmetric, drawn, fits_picture, marked, slid,
};

/// Men that can be put on a cell: the side, the kind, and how many, more than one in hands only.
type Men = (usize, KindNumber, u8);

/// Where squares and hands are drawn.
struct Layout {
    board: Board,
    /// The kinds that have cells in the hands, those of the least worth first.
    held: Vec<KindNumber>,
}

impl Layout {
    fn new(game: &Pieces) -> Self {
        let rules = game.rules();
        let kinds = game.kinds_by_worth().into_iter().rev();
        let mut held: Vec<_> = kinds.filter(|&kind| rules.can_be_in_hand(kind)).collect();
        if held.len() == 1 && rules.all_men().is_some() {
            // The men on the board tell how many are in hand.
            held.clear();
        }
        Self {
            board: rules.board,
            held,
        }
    }

    /// The columns on either side of the board: those of a hand, and a blank one.
    fn beside(&self) -> u8 {
        let columns = self.held.len().div_ceil(self.board.size().1.into());
        u8::try_from(columns).map_or(0, |columns| columns + u8::from(columns > 0))
    }

    /// The board with all that is beside it.
    fn whole(&self) -> Board {
        let (columns, rows) = self.board.size();
        Board::new(columns.saturating_add(2 * self.beside()), rows)
    }

    fn cell(&self, square: u8) -> BoardSquare {
        let BoardSquare { column, row } = self.board.cell(square);
        BoardSquare::new(column.saturating_add(self.beside()), row)
    }

    fn square(&self, cell: BoardSquare) -> Option<u8> {
        let column = cell.column.checked_sub(self.beside())?;
        let (columns, rows) = self.board.size();
        let inside = column < columns && cell.row < rows;
        inside.then(|| self.board.square(BoardSquare::new(column, cell.row)))
    }

    /// The cell of a kind in the hand of a side: the first side's from the lower right corner up,
    /// the other's from the upper left corner down.
    fn hand(&self, side: usize, kind: KindNumber) -> Option<BoardSquare> {
        let place = self.held.iter().position(|&held| held == kind)?;
        let place = u8::try_from(place).ok()?;
        let (columns, rows) = self.whole().size();
        let (column, row) = (place / rows, place % rows);
        Some(match side {
            0 => BoardSquare::new(columns - 1 - column, row),
            _ => BoardSquare::new(column, rows - 1 - row),
        })
    }

    /// The side and the kind whose men in hand are drawn on a cell.
    fn held_on(&self, cell: BoardSquare) -> Option<(usize, KindNumber)> {
        let mut men = (0..2).flat_map(|side| self.held.iter().map(move |&kind| (side, kind)));
        men.find(|&(side, kind)| self.hand(side, kind) == Some(cell))
    }

    /// The cells that are neither squares nor hands.
    fn gaps(&self) -> impl Iterator<Item = BoardSquare> {
        let (columns, rows) = self.whole().size();
        let cells = (0..columns)
            .flat_map(move |column| (0..rows).map(move |row| BoardSquare::new(column, row)));
        cells.filter(|&cell| self.square(cell).is_none() && self.held_on(cell).is_none())
    }
}

impl Pieces {
    fn men(&self, (side, kind, count): Men) -> PaletteItem {
        let rules = self.rules();
        let kind = &rules.kinds[kind];
        let man = match &kind.name[..] {
            "king" => Man::King,
            "queen" => Man::Queen,
            "rook" => Man::Rook,
            "bishop" => Man::Bishop,
            "knight" => Man::Knight,
            "pawn" => Man::Pawn,
            _ => Man::Letter(kind.letter),
        };
        let alike = man.paths().is_none() && rules.has_one_kind();
        let tone = Side::BOTH[side].tone(rules.names);
        let whose = Side::BOTH[side].name(rules.names);
        let glyph = match symbols::of(&kind.name, tone, side == 1, count) {
            Some(symbol) => Glyph::Symbol(symbol),
            None if alike && rules.names == Names::XO => Glyph::Text(whose.to_owned()),
            None if alike && count == 1 => Glyph::Piece(tone),
            None => Glyph::Men(tone, man, count),
        };
        let words = match rules.names {
            Names::XO if alike => whose.to_owned(),
            Names::SenteGote | Names::XO => format!("{whose} {}", kind.name),
            Names::WhiteBlack | Names::BlackWhite => {
                format!("{whose} {}", kind.name).to_lowercase()
            }
        };
        match count {
            1 => PaletteItem::new(glyph, words),
            _ => PaletteItem::new(glyph, format!("{words}, {count} in hand")),
        }
    }

    fn standing_in(&self, seen: &Position) -> Vec<Standing> {
        let (rules, layout) = (self.rules(), Layout::new(self));
        let put = |cell, men| {
            let PaletteItem { glyph, words } = self.men(men);
            Standing { cell, glyph, words }
        };
        let men = (0..rules.squares()).filter_map(|square| {
            let (side, kind) = seen.on(square)?;
            Some(put(layout.cell(square), (side, kind, 1)))
        });
        let mut standing: Vec<_> = men.collect();
        for (side, hand) in seen.hands.iter().enumerate() {
            for &kind in layout.held.iter().filter(|&&kind| hand[kind] > 0) {
                let cell = layout.hand(side, kind);
                standing.extend(cell.map(|cell| put(cell, (side, kind, hand[kind]))));
            }
        }
        let gaps = layout.gaps();
        standing.extend(gaps.map(|cell| Standing::new(cell, Glyph::Absent, "nothing")));
        standing
    }

    /// What can be put on a cell, in the order of the palette: single men, and those in hands.
    fn items(&self) -> Vec<Men> {
        let rules = self.rules();
        let single =
            (0..2).flat_map(|side| rules.written_kinds().map(move |(kind, _)| (side, kind, 1)));
        let mut items: Vec<_> = single.collect();
        for side in 0..2 {
            for kind in Layout::new(self).held {
                items.extend((2..=self.most_in_hand(kind)).map(|count| (side, kind, count)));
            }
        }
        items
    }

    /// The most men of a kind in a hand: those of all kinds that can become this one.
    fn most_in_hand(&self, kind: KindNumber) -> u8 {
        let rules = self.rules();
        let Some(start) = &rules.start else {
            return 2;
        };
        let becomes = |from: &KindNumber| rules.becoming([*from]).contains(&kind);
        let kinds = (0..rules.kinds.len()).filter(becomes);
        kinds.map(|kind| start.material().of_kind(kind)).sum()
    }

    /// The square, as the first side sees it, of the man that a move takes.
    fn taken(&self, state: &State, mv: Move) -> Option<u8> {
        let (_, step, _) = self.made(state, mv)?;
        step.takes?;
        if step.in_passing {
            let seen = state.seen_by_first(self.rules());
            return Board::squares_in(seen.passing).next();
        }
        Some(mv.to)
    }

    /// Where a rook comes from and goes to when a move castles.
    fn castled(&self, state: &State, mv: Move) -> Option<[BoardSquare; 2]> {
        let (_, step, _) = self.made(state, mv)?;
        let [_, rook] = self.rules().way_of(&step)?;
        let cell = |square| Layout::new(self).cell(state.seen_square(self.rules(), square));
        Some(rook.map(cell))
    }

    /// The position after a move, as the first side sees it.
    fn seen_after(&self, state: &State, mv: Move) -> Option<Position> {
        let (rules, (after, step, _)) = (self.rules(), self.made(state, mv)?);
        let mut hands = state.at.hands;
        if step.from.is_none() {
            hands[0][step.kind] = hands[0][step.kind].saturating_sub(1);
        }
        if let Some(taken) = step.takes.filter(|_| rules.to_hand) {
            hands[0][rules.kinds[taken].in_hand] += 1;
        }
        let at = Position {
            men: after.men,
            hands,
            passing: 0,
            castling: 0,
        };
        Some(State { at, ..*state }.seen_by_first(rules))
    }

    fn words(&self, state: &State) -> String {
        let (rules, seen) = (self.rules(), state.seen_by_first(self.rules()));
        let alone = rules.has_one_kind();
        let mut text = String::new();
        for (side, whose) in Side::BOTH.into_iter().enumerate() {
            let men = rules.kinds.iter().zip(seen.men[side]);
            let men = men.flat_map(|(kind, men)| {
                Board::squares_in(men).map(move |square| match rules.board.name(square) {
                    name if alone => name,
                    name => format!("{} {name}", kind.name),
                })
            });
            let mut listed = men.collect::<Vec<_>>().join(", ");
            if listed.is_empty() {
                "no man on the board".clone_into(&mut listed);
            }
            let held = rules.counted(|kind| seen.hands[side][kind]).join(", ");
            if !held.is_empty() {
                listed = format!("{listed}; in hand {held}");
            }
            let _ = write!(text, "{}: {listed}. ", whose.name(rules.names));
        }
        if let Some(square) = state.at.passed(rules) {
            let square = rules.board.name(state.seen_square(rules, square));
            let _ = write!(text, "A man may be taken in passing on {square}. ");
        }
        let rights = rules.letters_of_rights(seen.castling);
        if !rights.is_empty() {
            let _ = write!(text, "Castling: {rights}. ");
        }
        text + self.side_to_move(state) + " to move."
    }

    /// A pattern without the letter of the side to move at its end, and that side.
    fn side_of_pattern<'t>(&self, text: &'t str) -> (&'t str, Option<Side>) {
        let named = text.rsplit_once(' ').and_then(|(board, last)| {
            let is_named = |side: &Side| last.chars().eq([letter_to_move(self.rules(), *side)]);
            Some((board.trim_end(), Side::BOTH.into_iter().find(is_named)?))
        });
        named.map_or((text, None), |(board, side)| (board, Some(side)))
    }
}

impl Drawable for Pieces {
    fn check_picture(&self) -> Result<(), SizeError> {
        fits_picture(self)
    }

    fn parse_drawn(&self, text: &str) -> Result<State, NotationError> {
        self.parse_state(text).or_else(|fault| {
            let state = read_state(self.rules(), text)?;
            let has_ended = |at: &Placing| {
                let unmoved = self.rules().check && self.core.is_checked(at, 1);
                state.at.passing == 0 && !unmoved
            };
            let at = self.core.placing(&state).filter(has_ended);
            at.map(|_| state).ok_or(fault)
        })
    }

    fn diagram(&self, state: &State) -> Diagram {
        let rules = self.rules();
        let layout = Layout::new(self);
        let beside = layout.beside().into();
        let blank = || std::iter::repeat_n(String::new(), beside);
        let files = ('a'..='z').take(rules.board.size().0.into());
        let labels = blank().chain(files.map(String::from)).chain(blank());
        let labels: Vec<_> = labels.take(MAX_SIDE.into()).collect();
        let mut diagram = drawn(self, state);
        if rules.check && beside == 0 {
            diagram = diagram.checkered();
        }
        let labelled = diagram.clone().labelled(labels, rules.board.ranks());
        let (title, side) = (&rules.title, self.side_to_move(state));
        let diagram = labelled.unwrap_or(diagram);
        // The letters X and O have no tone, and no home.
        let toned = match self.men((0, 0, 1)).glyph {
            Glyph::Text(_) => diagram,
            _ => diagram
                .to_move(state.side.tone(rules.names))
                .home(Side::First.tone(rules.names)),
        };
        // The square that a man has passed, and the rooks that may castle.
        let passed = state.at.passed(rules).map_or(0, |square| 1 << square);
        let rook = |(_, side, way): (u8, usize, Way)| 1 << rules.seen_by(side, way[1][0]);
        let rooks = rules.ways(state.at.castling).map(rook);
        let all = rooks.fold(passed, |all, rook| all | rook);
        let marked = bits(all).fold(toned, |diagram, square: u8| {
            let cell = layout.cell(state.seen_square(rules, square));
            let marked = diagram.clone().mark(Mark::Highlight(cell));
            marked.unwrap_or(diagram)
        });
        marked
            .title(format!("{title} position, {side} to move"))
            .desc(self.words(state))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        if mv == Move::PASS {
            return diagram;
        }
        let layout = Layout::new(self);
        let in_passing = self.taken(state, mv).filter(|&square| square != mv.to);
        let gone = in_passing.map(|square| layout.cell(square).into());
        marked(diagram, self.aim(state, mv), gone)
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        if mv == Move::PASS {
            return Vec::new();
        }
        let taken = self.taken(state, mv);
        let taken = taken.map(|square| Layout::new(self).cell(square));
        let mut slides = slid(self.aim(state, mv), taken);
        let rook = self.castled(state, mv);
        slides.extend(
            rook.into_iter()
                .flat_map(|[from, to]| slid((from, to.into()), None)),
        );
        slides
    }
}

impl Playable for Pieces {
    fn board(&self) -> Board {
        Layout::new(self).whole()
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        self.standing_in(&state.seen_by_first(self.rules()))
    }

    fn name_of(&self, number: u8) -> String {
        let (rules, layout) = (self.rules(), Layout::new(self));
        let cell = layout.whole().cell(number);
        match (layout.square(cell), layout.held_on(cell)) {
            (Some(square), _) => rules.board.name(square),
            (None, Some((side, kind))) => {
                let (name, whose) = (&rules.kinds[kind].name, Side::BOTH[side].name(rules.names));
                format!("{name} in {whose}'s hand")
            }
            (None, None) => layout.whole().name(number),
        }
    }

    fn placed_words(&self, thing: &Standing) -> String {
        let words = &thing.words;
        match Layout::new(self).square(thing.cell) {
            Some(square) => format!("{words} on {}", self.rules().board.name(square)),
            None if words.ends_with("in hand") => words.clone().into_owned(),
            None => format!("{words} in hand"),
        }
    }

    fn side_tone(&self, state: &State) -> Tone {
        state.side.tone(self.rules().names)
    }

    fn aim(&self, state: &State, mv: Move) -> (BoardSquare, Point) {
        let layout = Layout::new(self);
        let mut to = layout.cell(mv.to);
        let from = match mv.from {
            Origin::Square(from) => layout.cell(from),
            Origin::Hand(kind) => layout.hand(state.side as usize, kind.into()).unwrap_or(to),
            // A man of the side that passes stays: the royal one, if there is one.
            Origin::Pass => {
                let royal = self.core.royal_kind.map_or(0, |kind| state.at.men[0][kind]);
                let men = if royal == 0 {
                    state.at.of_side(0)
                } else {
                    royal
                };
                let man = bits(men).next().unwrap_or(0);
                to = layout.cell(state.seen_square(self.rules(), man));
                to
            }
        };
        (from, to.into())
    }

    fn appearing(&self, state: &State, mv: Move) -> Vec<Standing> {
        let (from, to) = self.aim(state, mv);
        let Some(after) = self.seen_after(state, mv) else {
            return Vec::new();
        };
        let before = self.standing(state);
        let slides = self.slides(state, mv);
        let stays = |thing: &Standing| {
            before.iter().any(|old| {
                let still =
                    old.cell == thing.cell && old.cell != from && Point::from(old.cell) != to;
                let mut slides = slides.iter().filter(|slide| !slide.lost);
                let slid = slides.any(|it| old.cell == it.from && Point::from(thing.cell) == it.to);
                old.glyph == thing.glyph && (still || slid)
            })
        };
        let mut appearing = self.standing_in(&after);
        appearing.retain(|thing| !stays(thing));
        appearing
    }

    fn palette(&self) -> Vec<PaletteItem> {
        self.items().into_iter().map(|men| self.men(men)).collect()
    }

    fn arranged(&self, things: &Arrangement, second: bool) -> String {
        let (rules, layout, items) = (self.rules(), Layout::new(self), self.items());
        let letter = |square| {
            let cell = layout.cell(square);
            let (_, place) = things.iter().rev().find(|(at, _)| *at == cell)?;
            let men = items.get(*place);
            Some(men.map_or('?', |&(side, kind, _)| rules.kinds[kind].letters[side]))
        };
        let side = Side::BOTH[usize::from(second)];
        format_position(rules, side, letter, |side, kind| {
            let drawn = layout.hand(side, kind);
            let men = things.iter();
            let men = men.filter(|&&(cell, _)| drawn.is_none_or(|hand| hand == cell));
            let men = men.filter_map(|&(_, place)| items.get(place));
            let men = men.filter(|men| (men.0, men.1) == (side, kind));
            let count = men.map(|men| usize::from(men.2)).sum();
            // A hand without a cell has the men that are not on the board.
            let all = rules.all_men().filter(|_| drawn.is_none());
            all.map_or(count, |all| {
                usize::from(all[side][kind]).saturating_sub(count)
            })
        })
    }

    fn move_effect(&self, state: &State, mv: Move) -> MoveEffect {
        let (from, _) = self.aim(state, mv);
        let square_of = |square| self.square(Layout::new(self).cell(square));
        let from = self.square(from);
        let to = if mv == Move::PASS {
            from
        } else {
            square_of(mv.to)
        };
        let (moved, rook) = ((from != to).then_some((from, to)), self.castled(state, mv));
        let rook = rook.map(|both| both.map(|cell| self.square(cell)).into());
        MoveEffect {
            from,
            moved: moved.into_iter().chain(rook).collect(),
            removed: self.taken(state, mv).map(|square| Leaving {
                from: square_of(square),
                own: false,
                inside: false,
            }),
            neutral: false,
        }
    }

    fn passed(&self, state: &State) -> Option<Next<State>> {
        if self.rules().check && self.in_check(&state.at) {
            return None;
        }
        let mut passed = state.turned(self.rules());
        passed.at.passing = 0;
        let mut at = self.core.placing(&passed)?;
        let occurs = self.core.occurs(&mut at) && self.fits_side(&passed);
        occurs.then(|| self.come_to(&passed))
    }

    /// Sets are those of the first side's kinds, the other side's kinds, and free squares.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let whole = text.trim_end();
        let (text, _) = self.side_of_pattern(whole);
        let rules = self.rules();
        let ((columns, rows), kinds) = (rules.board.size(), rules.written_kinds().count());
        let fault = |at| {
            let of = format!(
                "a pattern is {rows} rows of {columns} squares from the top, with / between them: letters for men"
            );
            let shape = match rules.notation {
                Notation::Fen => format!(
                    "{of}, a number for free squares side by side, x for any man and ? for anything; in games with hands, the men in hand may follow in brackets; then a space and {} or {} for the side to move",
                    letter_to_move(rules, Side::First),
                    letter_to_move(rules, Side::Second)
                ),
                Notation::Clausecker => {
                    let [first, second] = Side::BOTH.map(|side| side.name(rules.names));
                    format!(
                        "{of}, - for a free square, X and x for any man of {first} and {second}, and ? for anything; / and the men in hand may follow"
                    )
                }
            };
            Err(NotationError::new(whole, at, shape))
        };
        let man = |letter: char| {
            let (side, kind) = rules.man_of(letter)?;
            Some(kind + kinds * side)
        };
        let mut sets = vec![0; 2 * kinds + 1];
        let (mut row, mut column) = (0, 0);
        let mut letters = text.chars().enumerate().peekable();
        let slashed = rules.notation == Notation::Clausecker;
        let is_board = |row: u8, column: u8, letter: char| {
            letter != '[' && !(slashed && letter == '/' && (row + 1, column) == (rows, columns))
        };
        while let Some((at, letter)) = letters.next_if(|&(_, letter)| is_board(row, column, letter))
        {
            if letter == '/' {
                if column < columns || row + 1 >= rows {
                    return fault(at);
                }
                (row, column) = (row + 1, 0);
                continue;
            }
            let (mut count, mut places) = (1, 0..sets.len());
            if matches!(letter, '.' | '-') {
                places.start = 2 * kinds;
            } else if let Some(digit) = letter.to_digit(10) {
                count = digit;
                while let Some(next) = letters.next_if_map(|it| it.1.to_digit(10).ok_or(it)) {
                    count = count.saturating_mul(10).saturating_add(next);
                }
                places.start = 2 * kinds;
            } else if let Some(place) = man(letter) {
                places = place..place + 1;
            } else if slashed && letter == 'X' {
                places.end = kinds;
            } else if letter == 'x' {
                places = if slashed { kinds } else { 0 }..2 * kinds;
            } else if letter != '?' {
                return fault(at);
            }
            if letter == '0' || count > u32::from(columns - column) {
                return fault(at);
            }
            for _ in 0..count {
                let square = row * columns + column;
                sets[places.clone()]
                    .iter_mut()
                    .for_each(|set| *set |= 1 << square);
                column += 1;
            }
        }
        let end = text.chars().count();
        if column < columns || row + 1 < rows {
            return fault(letters.next().map_or(end, |(at, _)| at));
        }
        if let Some((open, _)) = letters.next() {
            let close = if slashed { "" } else { "]" };
            let hands = text.chars().skip(open + 1).collect::<String>();
            let held = hands.strip_suffix(close);
            let mut letters = held.unwrap_or(&hands).chars();
            let odd = letters.position(|held| man(held).is_none());
            let none = slashed && hands == "-";
            if held.is_none()
                || !rules.has_hands()
                || !none && (odd.is_some() || slashed && hands.is_empty())
            {
                return fault(odd.map_or(end, |odd| open + 1 + odd));
            }
        }
        Ok(Pattern {
            text: whole.to_owned(),
            sets,
        })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let rules = self.rules();
        let kinds = rules.written_kinds().count();
        let (text, asked) = self.side_of_pattern(&pattern.text);
        let mut hands = text.split_once('[').map(|(_, hands)| hands);
        if rules.notation == Notation::Clausecker {
            hands = text.split('/').nth(rules.board.size().1.into());
        }
        let canonical = self.canonical(state).side;
        let sides = asked.map_or(vec![canonical, canonical.other()], |side| vec![side]);
        let sides = sides
            .into_iter()
            .filter(|&side| side == canonical || self.may_swap_colours(state));
        let mut images = sides.flat_map(|side| {
            let symmetries = self.symmetries.iter();
            symmetries.map(move |&symmetry| State {
                at: state.at.image(rules, symmetry),
                side,
            })
        });
        images.find(|image| {
            let seen = image.seen_by_first(rules);
            let on_board = (0..rules.squares()).all(|square| {
                let place = seen.on(square).map_or(2 * kinds, |(side, kind)| {
                    kinds * side + rules.kinds[kind].passing_of.unwrap_or(kind)
                });
                let set = pattern.sets.get(place);
                set.is_some_and(|set| set >> square & 1 == 1)
            });
            let held = |hands: &str, side: usize, kind: KindNumber| {
                let letter = rules.kinds[kind].letters[side];
                let held = hands.chars().filter(|&held| held == letter).count();
                held == usize::from(seen.hands[side][kind])
            };
            let mut all = (0..2).flat_map(|side| (0..kinds).map(move |kind| (side, kind)));
            on_board && hands.is_none_or(|hands| all.all(|(side, kind)| held(hands, side, kind)))
        })
    }
}
