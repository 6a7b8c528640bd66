//! What solvers ask of a game: numbered positions, forbidden moves, moves and un-moves by
//! slot, classes.

use std::ops::Range;

use super::looking::{LOST, Seen, WON, of_end};
use super::moves::{Moves, Next};
use super::notation::SizeError;
use super::rows::{Row, RowExit, RowImages, RowLayer, RowMove, Squares, Transposed};
use crate::base::cpu::Cpu;
use crate::base::text::named;
use crate::base::value::Outcome;

/// The place of a state in a table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the record of the state's position, up to symmetry.
    pub index: u64,
    /// Number of the forbidden move in the stored position; `None` if no move is forbidden.
    pub forbidden: Option<u8>,
}

named! {
    /// What a move may not restore (rule 8 of Ostle).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Repetition {
        /// The exact position.
        #[default]
        Exact = "exact",
        /// That position, or a rotation or reflection of it: one move is forbidden, the first that leads to any, as in the program behind the paper.
        UpToSymmetry = "up-to-symmetry",
        /// That position and all its rotations and reflections: every move that leads to one is forbidden.
        AllImages = "all-images",
    }
}

/// Games whose positions are numbered, and in which a move may be forbidden because it takes
/// back the previous one (rule 8 of Ostle). By default nothing is ever forbidden.
pub trait Ranked: Moves {
    /// The number of slots. A few may be vacant.
    fn slots(&self) -> u64 {
        self.layers().last().map_or(0, |layer| layer.slots.end)
    }

    /// The number of positions up to symmetry if the game can count them without listing them,
    /// otherwise the number of slots.
    fn positions(&self) -> u64 {
        self.slots()
    }

    /// The index of a state's position, the same for symmetric positions. `u64::MAX` if the
    /// position is not numbered.
    fn rank(&self, state: &Self::State) -> u64;

    /// The unrestricted state at an index; `None` if the slot is vacant or past the end.
    fn unrank(&self, index: u64) -> Option<Self::State>;

    /// All legal moves of a state in the game's order, with the slots of the states that they
    /// lead to.
    fn children(&self, state: &Self::State) -> Vec<(Self::Move, Next<Slot>)> {
        let moves = self.moves(state).into_iter();
        let placed = moves.map(|mv| (mv, self.play(state, mv).map(|next| self.slot(&next))));
        placed.collect()
    }

    /// Checks that the board is small enough for a table.
    ///
    /// # Errors
    /// If there are too many positions.
    fn check_size(&self) -> Result<(), SizeError> {
        Ok(())
    }

    /// The layers of the table, in the order in which they can be solved.
    fn layers(&self) -> &[Layer];

    /// The layer of a slot.
    fn layer_at(&self, slot: u64) -> Option<&Layer> {
        let layers = self.layers();
        layers.get(layers.partition_point(|layer| layer.slots.end <= slot))
    }

    /// Number of groups of layers that are solved together.
    fn groups(&self) -> usize {
        self.layers().last().map_or(0, |layer| layer.group + 1)
    }

    /// The slots of a group; none if there is no such group.
    fn group_slots(&self, group: usize) -> Range<u64> {
        let layers = || self.layers().iter().filter(|layer| layer.group == group);
        let first = layers().map(|layer| layer.slots.start).min().unwrap_or(0);
        first..layers().map(|layer| layer.slots.end).max().unwrap_or(0)
    }

    /// The names of a group's layers, joined by `+`; of many, the first ones and how many follow.
    fn group_name(&self, group: usize) -> String {
        let layers = self.layers().iter().filter(|layer| layer.group == group);
        let names: Vec<_> = layers.map(|layer| layer.name.as_str()).collect();
        match names.len().saturating_sub(4) {
            0 | 1 => names.join("+"),
            more => format!("{}+{more} more", names[..4].join("+")),
        }
    }

    /// How many moves a position may have. A game with more than by default is solved with
    /// [`Wide`](crate::base::value::Wide) values.
    fn most_moves(&self) -> MostMoves {
        MostMoves::default()
    }

    /// What the positions of a layer are worth to a player who looks at nothing but the
    /// board, for the side to move, from -6 to 6: for example the difference in pieces. The
    /// players of [`look_ahead`](crate::solve::look_ahead) judge by it.
    fn static_value(&self, _layer: usize) -> i8 {
        0
    }

    /// Lets `visitor` use the game [by rows](ByRows), which is much faster.
    ///
    /// # Errors
    /// Gives the visitor back if the positions of the game do not stand in rows.
    fn by_rows<'g, V: RowVisitor<'g>>(&'g self, visitor: V) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        Err(visitor)
    }

    /// How the game reads the rule.
    fn repetition(&self) -> Repetition {
        Repetition::Exact
    }

    /// The same game with another reading of the rule; `None` if it has no such rule.
    fn with_repetition(&self, _repetition: Repetition) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Whether a move can be forbidden because it takes back the one before.
    fn forbids_moves(&self) -> bool
    where
        Self: Sized,
    {
        self.with_repetition(self.repetition()).is_some()
    }

    /// The move forbidden in a state; the first, if several are.
    fn forbidden(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// The move that names all those that are forbidden together with a move of the position;
    /// that move, where one alone is forbidden.
    fn named_ban(&self, _position: &Self::State, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The same position with nothing forbidden.
    fn unrestricted(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// The slot of a state, and the number of its forbidden move. The same for symmetric
    /// states.
    fn slot(&self, state: &Self::State) -> Slot {
        Slot {
            index: self.rank(state),
            forbidden: None,
        }
    }

    /// The position of `state` with move number `number` forbidden; `None` if there is no
    /// such move. Numbers refer to the stored position, so `state` must come from
    /// [`unrank`](Ranked::unrank).
    fn forbid(&self, _state: &Self::State, _number: u8) -> Option<Self::State> {
        None
    }
}

/// How many moves the positions of a game may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MostMoves {
    /// The most moves of a position that stay in its group.
    pub within: u8,
    /// The greatest number of a move that stays in its group, plus one.
    pub numbers: u8,
}

/// What any width of values holds.
impl Default for MostMoves {
    fn default() -> Self {
        Self {
            within: 63,
            numbers: 128,
        }
    }
}

/// A part of a table: all positions with the same material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Short name, e.g. `5-4` (mover's pieces, opponent's pieces).
    pub name: String,
    /// Its slots.
    pub slots: Range<u64>,
    /// Layers with the same number depend on each other and are solved together;
    /// groups depend only on groups with lower numbers.
    pub group: usize,
}

/// What the first pass of the retrograde solver learns about the moves of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveSummary<U> {
    /// A move ends the game, with this outcome for the mover.
    Over(Outcome),
    /// A move leads to a position of an earlier group; it can never be forbidden.
    Earlier(U),
    /// The moves that stay in the group.
    Within {
        /// Number of moves.
        count: u8,
        /// XOR of the numbers of these moves in the stored position.
        xor: u8,
    },
    /// The move that stays in the group with this number leads to a checkmate position.
    IntoCheckmate(u8),
}

/// The slot of an [unplaced](Retrograde::Unplaced) position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its slot.
    pub slot: u64,
    /// Whether it has a symmetry of its own, so that its moves and the un-moves that lead
    /// to it may not correspond one to one.
    pub symmetric: bool,
    /// The number, in the stored position, of the move given with it.
    pub number: u8,
}

impl Placed {
    /// A position whose moves and un-moves correspond one to one.
    pub const fn new(slot: u64, number: u8) -> Self {
        Self {
            slot,
            symmetric: false,
            number,
        }
    }
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// No position.
    Nothing,
    /// A position in which the game has ended, with the outcome for the side to move.
    Ended(Outcome),
    /// A position in which a move wins at once, and whose predecessors all report their moves to
    /// it as [`MoveSummary::IntoCheckmate`].
    Won,
    /// A position of an unfinished game.
    Open {
        /// Whether it has a symmetry of its own.
        symmetric: bool,
    },
}

/// What [`Retrograde::examine_all`] tells of a slot: first each move, then what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examined<U> {
    /// A part of the summary of the moves.
    Move(MoveSummary<U>),
    /// All of the slot has been told.
    Slot(Held),
}

/// A move of a position as [`moves_by_slot`](Retrograde::moves_by_slot) lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedMove<U> {
    /// The move's number.
    pub number: u8,
    /// Its kinds, as given by [`Moves::kinds_of`].
    pub kinds: u32,
    /// Whether it leads to a position of the same group.
    pub within: bool,
    /// Where it leads: to the end of the game, or to a position with a move of it, and whether that
    /// move takes the listed move back.
    pub leads: Next<(U, bool)>,
}

/// Games that retrograde analysis can solve: un-moves, and fast access by slot. Methods by
/// cursor are called billions of times. Those with a default can be derived from
/// [`moves_by_slot`](Self::moves_by_slot); a game writes them itself where it is faster.
pub trait Retrograde: Ranked {
    /// A position decoded from its slot.
    type Cursor: Copy;
    /// A position whose slot is not known yet, and a move of it. [`place`](Self::place) is
    /// a separate step so that a caller can look up many positions at once and overlap
    /// their memory accesses.
    type Unplaced: Copy + PartialEq;

    /// Decodes a slot; `None` if vacant.
    fn cursor(&self, index: u64) -> Option<Self::Cursor>;

    /// Whether slots may hold positions in which the game has ended, such as a mate. They are
    /// no states, and [`cursor`](Self::cursor) finds nothing there. The solver then learns from
    /// their un-moves which moves end the game, instead of a test of every move.
    fn has_ended_positions(&self) -> bool {
        false
    }

    /// What a slot holds and, if that is a position of an unfinished game, a summary of its
    /// moves for the first pass of the solver. Where slots may hold
    /// [ended positions](Self::has_ended_positions), a move to one counts like any other that
    /// stays in the group or leads to an earlier one. Moves into positions for which this returns
    /// [`Held::Won`] are reported as [`MoveSummary::IntoCheckmate`], other moves into checkmate
    /// positions are not.
    #[inline]
    fn examine(&self, index: u64, visit: impl FnMut(MoveSummary<Self::Unplaced>)) -> Held {
        let Some(cursor) = self.cursor(index) else {
            return Held::Nothing;
        };
        self.summarize_moves(cursor, visit);
        Held::Open {
            symmetric: self.is_symmetric(cursor),
        }
    }

    /// [Examines](Self::examine) slots side by side, in order. A game overrides this if their
    /// positions have much in common.
    #[inline]
    fn examine_all(&self, slots: Range<u64>, mut visit: impl FnMut(u64, Examined<Self::Unplaced>)) {
        for slot in slots {
            let held = self.examine(slot, |found| visit(slot, Examined::Move(found)));
            visit(slot, Examined::Slot(held));
        }
    }

    /// Decodes a slot that is known to hold a position of an unfinished game, as
    /// [`cursor`](Self::cursor) does.
    #[inline]
    fn decoded(&self, index: u64) -> Option<Self::Cursor> {
        self.cursor(index)
    }

    /// Looks up the slot of a position.
    fn place(&self, unplaced: Self::Unplaced) -> Placed;

    /// Visits the moves of a position that are of at least one of these kinds, in the
    /// game's fixed order. Kinds are bits as in [`ListedMove::kinds`]; `u32::MAX` stands
    /// for all moves, even those of no kind.
    fn moves_by_slot(
        &self,
        cursor: Self::Cursor,
        kinds: u32,
        visit: impl FnMut(ListedMove<Self::Unplaced>),
    );

    /// The value `V_d` of [`solve::look_ahead`](crate::solve::look_ahead) of the position of a
    /// slot at a depth, with nothing forbidden: exact if it is between the bounds, otherwise a
    /// bound on the same side.
    fn look_ahead(&self, seen: &mut Seen, slot: u64, depth: u8, (above, below): (i8, i8)) -> i8 {
        if depth == 0 {
            let layers = self.layers();
            let layer = layers.partition_point(|layer| layer.slots.end <= slot);
            return self.static_value(layer).clamp(LOST + 1, WON - 1);
        }
        let (least, most) = seen.bounds(slot, depth);
        if least >= below || least == most {
            return least;
        }
        if most <= above {
            return most;
        }
        let (above, below) = (above.max(least - 1), below.min(most + 1));
        let Some(cursor) = self.cursor(slot) else {
            return LOST;
        };
        let (mut best, mut children) = (LOST, Vec::new());
        self.moves_by_slot(cursor, u32::MAX, |listed| match listed.leads {
            Next::Over(outcome) => best = of_end(outcome).max(best),
            Next::State((child, _)) => children.push(child),
        });
        // Alpha-beta search.
        for child in children {
            if best >= below || best == WON {
                break;
            }
            let child = self.place(child).slot;
            let bounds = (-below, -best.max(above));
            best = best.max(-self.look_ahead(seen, child, depth - 1, bounds));
        }
        let bounds = match best {
            WON => (WON, WON),
            best if best >= below => (best, most),
            best if best <= above => (least, best),
            best => (best, best),
        };
        seen.remember(slot, depth, bounds);
        best
    }

    /// Summarizes the moves of the position. Moves that end the game or leave the group may
    /// be left out if another move leads to the same state. If a move wins at once, all
    /// others may be left out. Where slots may hold
    /// [ended positions](Self::has_ended_positions), moves into checkmate positions need not be
    /// reported as such.
    fn summarize_moves(
        &self,
        cursor: Self::Cursor,
        mut visit: impl FnMut(MoveSummary<Self::Unplaced>),
    ) {
        let (mut count, mut xor, mut mates) = (0, 0, Vec::new());
        self.moves_by_slot(cursor, u32::MAX, |listed| match listed.leads {
            Next::Over(outcome) => visit(MoveSummary::Over(outcome)),
            Next::State((child, _)) if !listed.within => visit(MoveSummary::Earlier(child)),
            Next::State((child, _)) => {
                (count, xor) = (count + 1, xor ^ listed.number);
                let child = self.cursor(self.place(child).slot);
                let mated = child.is_some_and(|child| self.wins_at_once(child));
                mates.extend(mated.then_some(listed.number));
            }
        });
        for number in mates {
            visit(MoveSummary::IntoCheckmate(number));
        }
        visit(MoveSummary::Within { count, xor });
    }

    /// Whether a move of the position wins at once.
    fn wins_at_once(&self, cursor: Self::Cursor) -> bool {
        let mut wins = false;
        self.moves_by_slot(cursor, u32::MAX, |listed| {
            wins |= listed.leads == Next::Over(Outcome::Win);
        });
        wins
    }

    /// Visits every move of the position that stays in the group: its number, and the
    /// position it leads to.
    fn edges(&self, cursor: Self::Cursor, mut visit: impl FnMut(u8, Self::Unplaced)) {
        self.moves_by_slot(cursor, u32::MAX, |listed| match listed.leads {
            Next::State((child, _)) if listed.within => visit(listed.number, child),
            _ => {}
        });
    }

    /// Visits every position of the group that has a move to this one, with that move, once
    /// for each un-move from here. Slots without a position may be among them.
    fn unmoves(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));

    /// Visits every position of an earlier group that a move of this position leads to, at
    /// least once each, even if a move wins at once. Neither such a move nor the reply to
    /// it is ever forbidden.
    fn departures(&self, cursor: Self::Cursor, mut visit: impl FnMut(Self::Unplaced)) {
        self.moves_by_slot(cursor, u32::MAX, |listed| match listed.leads {
            Next::State((child, _)) if !listed.within => visit(child),
            _ => {}
        });
    }

    /// Every unrestricted state, with the same side to move, that has a move to the
    /// position of `state`, and that move. The forbidden move of `state` does not matter.
    fn predecessors(&self, state: &Self::State) -> Vec<(Self::State, Self::Move)>;

    /// Whether the moves of the position and the un-moves that lead to it may not correspond
    /// one to one: it has a symmetry of its own or, where the rule forbids
    /// [all images](Repetition::AllImages), two moves to images of one position. May return
    /// `false` if they always do in this game.
    fn is_symmetric(&self, _cursor: Self::Cursor) -> bool {
        false
    }

    /// [`Retrograde::edges`], each with whether the move given with the position takes the
    /// edge back.
    fn edges_with_undo(
        &self,
        cursor: Self::Cursor,
        mut visit: impl FnMut(u8, Self::Unplaced, bool),
    ) {
        self.edges(cursor, |number, next| visit(number, next, false));
    }

    /// [`Retrograde::unmoves`], each with the number of the move of this position that
    /// takes the un-move's move back, if there is one.
    #[expect(
        clippy::inline_always,
        reason = "only what is inlined uses the special instructions of the processor"
    )]
    #[inline(always)]
    fn unmoves_with_undo(
        &self,
        cursor: Self::Cursor,
        mut visit: impl FnMut(Self::Unplaced, Option<u8>),
    ) {
        self.unmoves(cursor, |before| visit(before, None));
    }

    /// [`Retrograde::unmoves_with_undo`] by moves that the rules allow. For solving, un-moves may
    /// also come from positions that are won at once, by moves that the rules forbid there.
    fn legal_unmoves(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced, Option<u8>)) {
        self.unmoves_with_undo(cursor, visit);
    }

    /// The slot that a move within the group leads to; `u64::MAX` if there is no such move.
    fn follow(&self, cursor: Self::Cursor, number: u8) -> u64 {
        let mut slot = u64::MAX;
        self.edges(cursor, |other, next| {
            if other == number {
                slot = self.place(next).slot;
            }
        });
        slot
    }

    /// The least number among the images of a move under the position's own symmetries, and
    /// whether the move has more than one image. Where the rule forbids
    /// [all images](Repetition::AllImages), those of all moves to images of one position.
    fn least_image_of_move(&self, _cursor: Self::Cursor, number: u8) -> (u8, bool) {
        (number, false)
    }

    /// Whether a move of the position is forbidden in its state in which `forbidden` is.
    fn forbids(&self, _cursor: Self::Cursor, forbidden: u8, number: u8) -> bool {
        forbidden == number
    }

    /// Whether two successive moves within the group, to or from this position, may lead
    /// from a position to an image of it other than by exactly taking a move back. `false`
    /// only if they never do.
    fn may_return_turned(&self, _cursor: Self::Cursor) -> bool {
        false
    }

    /// Visits every *possibly reachable* state of a position once: each state that a move
    /// from some position leads to, whether or not that position can be reached itself. A
    /// state is given by the number of its forbidden move. Symmetric states are visited as
    /// one.
    fn arrivals(&self, cursor: Self::Cursor, visit: impl FnMut(Option<u8>));

    /// What the classes are by, e.g. `hole`.
    fn criterion(&self) -> &'static str;

    /// The names of the classes.
    fn classes(&self) -> Vec<String>;

    /// The class of a position, an index into [`classes`](Self::classes). Within a layer,
    /// classes never decrease from slot to slot.
    fn class(&self, cursor: Self::Cursor) -> usize;

    /// The slots of a layer that hold the positions of a class.
    fn stretch(&self, layer: &Layer, class: usize) -> Range<u64> {
        // The class of the first position at or after a slot.
        let class_from = |slot: u64| {
            let mut rest = slot..layer.slots.end;
            let cursor = rest.find_map(|slot| self.cursor(slot));
            cursor.map_or(usize::MAX, |cursor| self.class(cursor))
        };
        let first = |class: usize| {
            let (mut low, mut high) = (layer.slots.start, layer.slots.end);
            while low < high {
                let middle = low.midpoint(high);
                if class_from(middle) < class {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(class)..first(class + 1)
    }
}

/// A game whose positions stand in rows, numbered row by row.
///
/// The slot of a position is that of its layer, plus its row times the number of columns,
/// plus its column. Of positions that are images of each other under a symmetry of their
/// row, one is stored, and the slots of the others are vacant.
pub trait ByRows: Retrograde {
    /// The layers, in the order of [`layers`](Ranked::layers).
    fn row_layers(&self) -> Vec<RowLayer<'_>>;

    /// The free squares of a row, and whether it has vacant slots.
    fn row(&self, layer: usize, row: usize) -> Row;

    /// Appends the moves of a row that stay in the group and end nothing.
    fn row_moves(&self, layer: usize, row: usize, moves: &mut Vec<RowMove>);

    /// Appends the moves of a row that leave the group or end the game. Moves that do the
    /// same stand in one entry.
    fn row_exits(&self, layer: usize, row: usize, exits: &mut Vec<RowExit>);

    /// The kinds of moves (see [`Moves::kinds_of`](super::Moves::kinds_of)), one bit each, all
    /// of whose moves leave the group or end the game.
    fn exit_kinds(&self) -> u32;

    /// The kinds of moves, one bit each, that depend on more than the row.
    fn varying_kinds(&self) -> u32;

    /// The kinds of a move of a row that stays in the group, one bit each, without the
    /// [varying](Self::varying_kinds) ones.
    fn kinds_of_row_move(&self, layer: usize, row: usize, mv: &RowMove) -> u32;

    /// The [varying kinds](Self::varying_kinds) of the move of number `number` in the position
    /// of a row with the opponent on `opponent` (squares of the board), one bit each.
    fn varying_kinds_of(&self, layer: usize, row: usize, number: u8, opponent: Squares) -> u32;

    /// The symmetry of number `turn`, which maps sets of squares; 0 is the identity.
    fn turn(&self, turn: u8) -> impl Fn(Squares) -> Squares;

    /// By the numbers of two symmetries: that of the first one and then the second.
    fn compositions(&self) -> Vec<Vec<u8>>;

    /// The number of a move after the symmetry of number `turn`.
    fn turned(&self, turn: u8, number: u8) -> u8;

    /// Visits the position of a row with the opponent on `opponent` (squares of the board),
    /// and a move of it, as its bucket sees it: each of its images under the symmetries of
    /// the bucket once.
    fn transposed<C: Cpu>(
        &self,
        cpu: C,
        row: &RowImages,
        opponent: Squares,
        number: u8,
        visit: impl FnMut(Transposed),
    );

    /// The images of a row, for [`transposed`](Self::transposed).
    fn row_images(&self, layer: usize, row: usize) -> RowImages;

    /// The slot of the position of a layer in which the side to move has `squares` and the
    /// other side what bucket `bucket` of the layer says, and the number of the symmetry that
    /// turns it to the position as it is stored.
    fn transposed_place<C: Cpu>(
        &self,
        cpu: C,
        layer: usize,
        bucket: usize,
        squares: Squares,
    ) -> (u64, u8);

    /// Whether from the position of a slot some move may lead back to an image of the position
    /// before that does not take the last move back exactly, and is forbidden all the same.
    fn may_lead_back_turned(&self, slot: u64) -> bool {
        self.repetition() == Repetition::UpToSymmetry
            && self
                .cursor(slot)
                .is_some_and(|cursor| self.is_symmetric(cursor) || self.may_return_turned(cursor))
    }

    /// The slot after the move of number `number` in that position, if it stays in the
    /// group; otherwise `u64::MAX`. The number is the one of the position as the bucket
    /// sees it.
    fn transposed_follow(&self, layer: usize, bucket: usize, squares: Squares, number: u8) -> u64;
}

/// A use of a game by rows, for [`Ranked::by_rows`](Ranked::by_rows).
pub trait RowVisitor<'g> {
    /// What the use yields.
    type Output;

    /// Uses the game.
    fn visit<G: ByRows>(self, game: &'g G) -> Self::Output;
}

/// Puzzles. The player makes all moves, so the value of a state is a win in as many plies
/// as the shortest solution has moves, and
/// [`Moves::through_move`](super::Moves::through_move) keeps the outcome. The solved state
/// is not a state of the unfinished game; if it has a slot, the slot is vacant.
pub trait Solitaire: Ranked {
    /// Every state that has a move to this one, at least once each.
    fn predecessors(&self, state: &Self::State) -> Vec<Self::State>;

    /// The number of a move in records.
    fn number(&self, mv: Self::Move) -> u8;
}
