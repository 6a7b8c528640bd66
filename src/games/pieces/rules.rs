//! The rules of a game of pieces.
//!
//! Everything is said as a side sees it that plays up the board: its home rank is rank 1, and a
//! step forward leads to the next rank. The other side is its image.

use indexmap::IndexSet;
use serde::Deserialize;

use crate::base::subsets::bits;
use crate::base::text::plural;
use crate::base::value::Outcome;
use crate::game::Board;

/// The most kinds of men, those included that the program adds.
pub(super) const MOST_KINDS: usize = 16;

pub(super) const MOST_SQUARES: u8 = 64;

/// A set of squares, one bit each, numbered as on the [`Board`]: row by row from the top left.
pub(super) type Squares = u64;

pub(super) type KindNumber = usize;

/// Sets of squares, by side and kind.
pub(super) type Sets = [[Squares; MOST_KINDS]; 2];

/// Numbers of men, by side and kind.
pub(super) type Counts = [[u8; MOST_KINDS]; 2];

/// A position, as the side to move sees it, whose men are the first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(super) struct Position {
    /// The squares of men, by side and kind.
    pub men: Sets,
    /// The numbers of men in hand, by side and kind.
    pub hands: Counts,
    /// The square of a man of the other side that has just made a double step and can be taken in
    /// passing. It is among the men of its kind.
    pub passing: Squares,
    /// The rights to castle of men that have not moved.
    pub castling: Rights,
}

/// A part of how a kind moves: one direction.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a letter of the notation"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    /// Columns to the right.
    pub right: i8,
    /// Ranks forward.
    pub forward: i8,
    /// How often it may be repeated over free squares; 0 stands for any number of times.
    pub range: u8,
    /// Whether it leads to free squares.
    pub goes: bool,
    /// Whether it takes men.
    pub takes: bool,
    /// Whether it takes a man in passing that has just made a double step over its target.
    pub takes_in_passing: bool,
    /// Whether the squares between its ends must be free.
    pub lame: bool,
    /// Whether it begins on the initial rank only.
    pub initial: bool,
    /// Whether it must go as far as it can.
    pub to_end: bool,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Kind {
    /// Its letter in the notation, a capital one.
    pub letter: char,
    /// The letters of either side's men on the board: that one and its small one, unless the rules
    /// name others.
    pub letters: [char; 2],
    /// What it is called, in small letters.
    pub name: String,
    /// Whether the side that loses it has lost.
    pub royal: bool,
    pub steps: Vec<Step>,
    pub squares: Squares,
    /// The rank, from 1, on which initial steps begin.
    pub initial_rank: u8,
    /// The kinds that it promotes to; none if it does not promote.
    pub promotes_to: Vec<KindNumber>,
    /// The squares on which it promotes when it comes there; none if it does not promote.
    pub promotion_squares: Squares,
    /// Whether it may stay what it is there.
    pub promotion_optional: bool,
    /// The kind that it becomes in a hand.
    pub in_hand: KindNumber,
    pub drop_squares: Squares,
    /// Whether it is not dropped on a file with another man of its side and kind.
    pub one_per_file: bool,
    /// Whether it may not be dropped where that mates.
    pub no_drop_mate: bool,
    pub wins_on_far_rank: bool,
    /// The kind of a man of this kind that has just made a double step and can be taken in
    /// passing.
    pub passing: Option<KindNumber>,
    /// If this is such a kind: the kind that the man has in all other respects, its letters and
    /// name among them. It stands last among the kinds.
    pub passing_of: Option<KindNumber>,
}

/// The ways in which men that have not moved may castle, a bit each: with the rook on the right and
/// on the left, those of the side to move first.
pub(super) type Rights = u8;

pub(super) const ALL_RIGHTS: Rights = 15;

/// Where the royal man comes from and goes to, and where the rook does, as their side sees it.
pub(super) type Way = [[u8; 2]; 2];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Castling {
    /// The royal kind, and that of the rooks.
    pub kinds: [KindNumber; 2],
    /// With a rook on the right, and on the left. All squares lie on one rank.
    pub ways: [Option<Way>; 2],
}

/// Rights as the other side sees them.
pub(super) const fn turned_rights(rights: Rights) -> Rights {
    rights >> 2 | (rights & 3) << 2
}

/// When a royal man on the far rank has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Try {
    #[default]
    #[serde(rename = "none")]
    Never,
    /// When it arrives.
    Any,
    /// When it arrives where it cannot be taken.
    Safe,
    /// When the other side has made a move and has not taken it.
    Held,
}

/// When a side that is not in check may leave everything as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passes {
    Never,
    /// When it has no move. Then it must.
    Stuck,
    Always,
}

/// How positions and moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Notation {
    /// As in FEN and UCI.
    #[default]
    Fen,
    /// As in R. Clausecker's program for Dobutsu shogi, with rank 1 at the top.
    Clausecker,
}

/// What the two sides are called; the first one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Names {
    WhiteBlack,
    BlackWhite,
    SenteGote,
    XO,
}

/// The rules of a game of pieces. Reading a file checks all that can be said of them without
/// moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
pub struct Rules {
    pub(super) title: String,
    pub(super) board: Board,
    pub(super) names: Names,
    pub(super) notation: Notation,
    /// Whether a royal man may not be left where it can be taken, so that mate loses. If not, a
    /// side that can take one does, and wins.
    pub(super) check: bool,
    /// What a side gets that is to move, cannot, and is not in check; a draw if it passes.
    pub(super) no_move: Outcome,
    pub(super) passes: Passes,
    /// Whether men that are taken go to the hand of the side that takes them.
    pub(super) to_hand: bool,
    /// Whether no man moves while its side has men in hand.
    pub(super) drop_first: bool,
    /// The squares on which the first man may not be dropped.
    pub(super) not_first: Squares,
    pub(super) try_rule: Try,
    /// Whether a side has lost that has none but royal men.
    pub(super) bare_loses: bool,
    /// Whether a side has lost that has no men.
    pub(super) no_pieces_loses: bool,
    /// Whether the other side sees the board after half a turn; otherwise it is turned over, and
    /// left stays left.
    pub(super) rotated: bool,
    /// Whether diagonal steps begin on every second square only, the left corner of a side's home
    /// rank included, as on an alquerque board.
    pub(super) alquerque: bool,
    pub(super) kinds: Vec<Kind>,
    /// How the royal man castles, if it does.
    pub(super) castling: Option<Castling>,
    /// Sets of squares: a side whose men stand on one of them after its move wins.
    pub(super) goals: Vec<Squares>,
    /// Whether a side wins that has a man in a corner, with men of the other side on all squares
    /// beside it.
    pub(super) cornered_wins: bool,
    /// The initial position, as the side that begins sees it: the rules are for all that play can
    /// make of it. Without one they are for endings, whose men the spec names, as in `chess:KQ-KR`.
    pub(super) start: Option<Position>,
}

impl Rules {
    pub(super) const fn squares(&self) -> u8 {
        self.board.squares()
    }

    pub(super) const fn all(&self) -> Squares {
        Squares::MAX >> (MOST_SQUARES - self.squares())
    }

    /// The corners of the board, each with the squares beside it; none unless they decide games.
    pub(super) fn corners(&self) -> Vec<(Squares, Squares)> {
        if !self.cornered_wins {
            return Vec::new();
        }
        let (columns, rows) = self.board.size();
        let near = |at: u8, corner: u8| at.abs_diff(corner) < 2;
        let beside = |column: u8, row: u8| {
            let squares = (0..self.squares())
                .filter(|square| near(square % columns, column) && near(square / columns, row));
            squares.fold(0, |set, square| set | 1 << square)
        };
        let places = [0, columns - 1].map(|column| [0, rows - 1].map(|row| (column, row)));
        let mut corners: Vec<_> = (places.as_flattened().iter())
            .map(|&(column, row)| {
                let corner = 1 << (row * columns + column);
                (corner, beside(column, row) & !corner)
            })
            .collect();
        corners.dedup();
        corners
    }

    /// The squares of a rank, from 1.
    pub(super) fn rank(&self, rank: u8) -> Squares {
        let (columns, rows) = self.board.size();
        let from = rows.saturating_sub(rank) * columns;
        ((1 << columns) - 1) << from & self.all()
    }

    pub(super) fn far(&self) -> Squares {
        self.rank(self.board.size().1)
    }

    /// The rank, from 1, of a square as a side sees it, 0 for the side to move.
    pub(super) const fn rank_seen_by(&self, side: usize, square: u8) -> u8 {
        self.board.cell(self.seen_by(side, square)).row + 1
    }

    pub(super) fn files_of(&self, set: Squares) -> Squares {
        let columns = self.board.size().0;
        let first = (0..self.squares()).step_by(columns.into());
        let file = first.fold(0, |file, square| file | 1 << square);
        let files = (0..columns).map(|column| file << column);
        let of_set = files.filter(|file| file & set != 0);
        of_set.fold(0, |all, file| all | file)
    }

    /// A square that a side, 0 for the first one, sees as the first one sees it, and the other way
    /// round.
    pub(super) const fn seen_by(&self, side: usize, square: u8) -> u8 {
        match side {
            0 => square,
            _ => self.board.image(square, if self.rotated { 3 } else { 2 }),
        }
    }

    pub(super) fn set_seen_by(&self, side: usize, set: Squares) -> Squares {
        match side {
            0 => set,
            _ => bits(set).fold(0, |seen, square| seen | 1 << self.seen_by(side, square)),
        }
    }

    pub(super) fn has_one_kind(&self) -> bool {
        self.written_kinds().count() == 1
    }

    /// Whether the sides only fill squares: all men are alike, are dropped in turn, and stay where
    /// they are.
    pub(super) fn fills_squares(&self) -> bool {
        let mut kinds = self.written_kinds();
        self.drop_first && self.has_one_kind() && kinds.all(|(_, kind)| kind.steps.is_empty())
    }

    /// Whether the second side is to move where the sides only fill squares, by the men in hand of
    /// either side; those of the side that begins come first.
    pub(super) fn second_drops(&self, hands: &Counts) -> bool {
        let more = |hands: &Counts| -> i32 {
            let [own, other] = hands.map(|hand| hand.iter().copied().map(i32::from).sum::<i32>());
            own - other
        };
        (self.start).is_some_and(|start| more(hands) != more(&start.hands))
    }

    pub(super) fn has_taking(&self) -> bool {
        let mut steps = self.kinds.iter().flat_map(|kind| &kind.steps);
        steps.any(|step| step.takes || step.takes_in_passing)
    }

    /// The royal kind; there is one at most.
    pub(super) fn royal_kind(&self) -> Option<KindNumber> {
        self.kinds.iter().position(|kind| kind.royal)
    }

    pub(super) fn has_royal(&self) -> bool {
        self.royal_kind().is_some()
    }

    /// Whether royal men can be taken, which wins.
    pub(super) fn takes_royal_men(&self) -> bool {
        self.has_royal() && !self.check
    }

    /// The kind of a letter, a capital one.
    pub(super) fn kind_of(&self, letter: char) -> Option<KindNumber> {
        let has = |kind: &Kind| kind.letter == letter && kind.passing_of.is_none();
        self.kinds.iter().position(has)
    }

    /// The side and the kind of the men with a letter on the board.
    pub(super) fn man_of(&self, letter: char) -> Option<(usize, KindNumber)> {
        self.written_kinds().find_map(|(number, kind)| {
            let side = kind.letters.iter().position(|&own| own == letter)?;
            Some((side, number))
        })
    }

    /// Whether positions are written with a dot for each free square: where letters are not those
    /// of FEN.
    pub(super) fn has_dots(&self) -> bool {
        let own = |(_, kind): (KindNumber, &Kind)| {
            kind.letters != [kind.letter, kind.letter.to_ascii_lowercase()]
        };
        self.written_kinds().any(own)
    }

    /// The kinds that have letters of their own, with their numbers.
    pub(super) fn written_kinds(&self) -> impl Iterator<Item = (KindNumber, &Kind)> {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter(|(_, kind)| kind.passing_of.is_none())
    }

    /// Whether each kind is promoted to one other at most, from which it comes back in a hand.
    pub(super) fn has_simple_promotions(&self) -> bool {
        let back = |(number, kind): (KindNumber, &Kind)| {
            let from = &self.kinds[kind.in_hand];
            kind.in_hand == number || from.promotes_to == [number]
        };
        let one = |(_, kind): (KindNumber, &Kind)| match kind.promotes_to[..] {
            [] => true,
            [to] => self.kinds[to].in_hand == kind.in_hand,
            _ => false,
        };
        let mut kinds = self.written_kinds();
        kinds.all(|kind| back(kind) && one(kind))
    }

    /// The kinds that men of some kinds may become, one after the other; these come first.
    pub(super) fn becoming(
        &self,
        begin: impl IntoIterator<Item = KindNumber>,
    ) -> IndexSet<KindNumber> {
        let (mut found, mut next) = (IndexSet::<KindNumber>::from_iter(begin), 0);
        while let Some(&kind) = found.get_index(next) {
            let of = &self.kinds[kind];
            let becomes = of.promotes_to.iter().chain([&of.in_hand]);
            found.extend(becomes.chain(&of.passing));
            next += 1;
        }
        found
    }

    /// The squares to which men of a kind go: on which they stand, win or become what stands there.
    pub(super) fn targets(&self, kind: &Kind) -> Squares {
        let becomes = kind.promotes_to.iter();
        let becomes = becomes.fold(0, |all, &to| all | self.kinds[to].squares);
        let far = if kind.wins_on_far_rank { self.far() } else { 0 };
        let zone = kind.promotion_squares;
        let stays = if kind.promotion_optional { zone } else { 0 };
        (kind.squares | far) & (!zone | stays) | zone & becomes
    }

    /// The kinds whose men change or win by going forward.
    pub(super) fn advancing(&self) -> impl Iterator<Item = KindNumber> {
        let advances =
            |(_, kind): &(KindNumber, &Kind)| !kind.promotes_to.is_empty() || kind.wins_on_far_rank;
        self.written_kinds().filter(advances).map(|(kind, _)| kind)
    }

    pub(super) fn too_many_men(&self) -> String {
        let squares = self.squares();
        format!("there are more men than the {squares} squares of the board; leave some out")
    }

    pub(super) fn has_hands(&self) -> bool {
        let mut kinds = self.written_kinds();
        self.to_hand || self.drop_first || kinds.any(|(kind, _)| self.begins_in_hand(kind))
    }

    pub(super) fn can_be_in_hand(&self, kind: KindNumber) -> bool {
        let comes_there = |taken: &Kind| !taken.royal && taken.in_hand == kind;
        self.begins_in_hand(kind) || self.to_hand && self.kinds.iter().any(comes_there)
    }

    /// The men of each side, by kind, if all that are not on the board are in its hand.
    pub(super) fn all_men(&self) -> Option<Counts> {
        let men = self.start?.material();
        let promotes = |kind: &Kind| !kind.promotes_to.is_empty();
        if self.has_taking() || self.kinds.iter().any(promotes) {
            return None;
        }
        let all = |side: usize, kind: KindNumber| {
            men.board[side][kind].saturating_add(men.hands[side][kind])
        };
        Some([0, 1].map(|side| std::array::from_fn(|kind| all(side, kind))))
    }

    fn begins_in_hand(&self, kind: KindNumber) -> bool {
        let mut hands = self.start.iter().flat_map(|start| start.hands);
        hands.any(|hand| hand[kind] > 0)
    }

    /// How many men there are of each kind of which there are some: `1 chick`, `3 men`.
    pub(super) fn counted(&self, count: impl Fn(KindNumber) -> u8) -> Vec<String> {
        let kinds = self.written_kinds().filter(|&(kind, _)| count(kind) > 0);
        kinds
            .map(|(number, kind)| counted(count(number), &kind.name))
            .collect()
    }

    pub(super) fn takes_in_passing(&self) -> bool {
        self.passing_kinds().is_some()
    }

    /// The kind of men that can be taken in passing, and the one that they have when they can;
    /// there is one at most. Their double step leads two ranks forward.
    pub(super) fn passing_kinds(&self) -> Option<(KindNumber, KindNumber)> {
        let mut kinds = self.kinds.iter().enumerate();
        kinds.find_map(|(number, kind)| Some((number, kind.passing?)))
    }
}

/// A number of men of a kind: `1 chick`, `3 men`.
pub(super) fn counted(count: u8, name: &str) -> String {
    let text = plural(count.into(), name);
    match text.strip_suffix("mans") {
        Some(stem) => format!("{stem}men"),
        None => text,
    }
}
