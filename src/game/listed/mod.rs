//! Tables for any finite game. Its positions are listed once, from the initial one, and the
//! list provides everything that solving, mining and drawing need.
//!
//! A game implements [`Game`] and [`Moves`], then as much of [`FiniteGame`] as it likes,
//! and is wrapped: `Listed::of(game)`. This works for up to some tens of millions of
//! positions. A larger game numbers its positions itself: `Numbered::of(game)`.

mod finite;
mod list;
mod numbered;
mod reached;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use finite::{FiniteGame, ListError};
pub use list::List;
pub use numbered::{Numbered, NumberedGame};
pub use reached::{Expanded, Expander};

use super::board::Board;
use super::features::{Feature, FeatureValue, Features};
use super::impartial::{Effort, Impartial, Judged, Left, Nimber, NimberError};
use super::moves::{
    Encoded, Game, MoveKind, Moves, Next, RuleInWords, Symmetric, asks_for, least_line,
};
use super::notation::{NotationError, SizeError};
use super::playing::{
    Arrangement, Drawable, MoveEffect, PaletteItem, Pattern, Playable, Standing, drawn, marked,
    slid,
};
use super::solving::{Layer, ListedMove, MostMoves, MoveSummary, Placed, Ranked, Retrograde};
use crate::base::progress::{NoProgress, Progress};
use crate::base::threads;
use crate::base::value::Value;
use crate::draw::{BoardSquare, Diagram, Point, Slide, Tone};

/// A finite game with the numbers of its positions: from a list, see [`Listed`], or its own, see
/// [`Numbered`].
pub struct Positions<G, N> {
    game: G,
    numbers: N,
}

/// A game whose positions are listed when they are first needed.
///
/// If the list cannot be made, [`slots`](Ranked::slots) is one more than the
/// positions allowed, and every slot is vacant; call [`list`](Positions::list) first for the
/// error.
pub type Listed<G> = Positions<G, ByList<<G as Game>::State>>;

/// Numbers from a list, which has a limit of positions.
pub struct ByList<S> {
    most: u32,
    list: OnceLock<Result<Arc<List<S>>, ListError>>,
}

impl<G: FiniteGame> Listed<G> {
    /// The default limit: 33,554,432 positions.
    pub const MOST: u32 = 1 << 25;

    /// A game with at most [`MOST`](Self::MOST) positions.
    pub const fn of(game: G) -> Self {
        Self::with_limit(game, Self::MOST)
    }

    /// A game with at most `most` positions.
    pub const fn with_limit(game: G, most: u32) -> Self {
        let list = OnceLock::new();
        Self {
            game,
            numbers: ByList { most, list },
        }
    }

    /// A game whose positions are listed already.
    pub fn with_list(game: G, list: Arc<List<G::State>>) -> Self {
        let (most, list) = (u32::MAX, OnceLock::from(Ok(list)));
        Self {
            game,
            numbers: ByList { most, list },
        }
    }

    /// Lists the positions, if this has not been done before.
    ///
    /// # Errors
    /// If there are too many, if the game breaks a rule of [`FiniteGame`], or if the
    /// progress asks to stop.
    pub fn list(&self, progress: &dyn Progress) -> Result<(), ListError> {
        let ByList { most, list: held } = &self.numbers;
        if held.get().is_none() {
            let list = List::new(&mut Moved(&self.game, *most), progress).map(Arc::new);
            if matches!(list, Err(ListError::Cancelled)) {
                return Err(ListError::Cancelled);
            }
            // Another thread may have been faster; its list is the same.
            let _ = held.set(list);
        }
        let list = held.get().map_or(Ok(()), |list| list.as_ref().map(|_| ()));
        list.map_err(Clone::clone)
    }

    fn listed(&self) -> Option<&List<G::State>> {
        if self.numbers.list.get().is_none() {
            // `list` reports the error.
            let _ = self.list(&NoProgress);
        }
        self.numbers.list.get()?.as_ref().ok().map(Arc::as_ref)
    }
}

impl<G, N> Positions<G, N> {
    /// The wrapped game.
    pub const fn game(&self) -> &G {
        &self.game
    }
}

/// A game that is asked for its moves, and the most positions.
struct Moved<'g, G>(&'g G, u32);

impl<G: FiniteGame> Expander for Moved<'_, G> {
    type State = G::State;
    type Error = ListError;

    fn initial(&mut self) -> Result<Vec<G::State>, ListError> {
        let most = self.1.into();
        if self.0.fewest_positions() > most {
            self.check(u64::MAX, 8 * most, most)?;
        }
        Ok(vec![self.0.canonical(&self.0.initial())])
    }

    fn expand(&mut self, blocks: &[&[G::State]]) -> Result<Vec<Expanded<G::State>>, ListError> {
        let game = self.0;
        Ok(threads::map(blocks, |states| {
            let mut found = Expanded::default();
            for state in *states {
                for mv in game.moves(state) {
                    let next = game.play(state, mv);
                    found.push(next.map(|next| game.canonical(&next)));
                }
                found.end();
            }
            found
        }))
    }

    fn check(&mut self, positions: u64, moves: u64, expanded: u64) -> Result<(), ListError> {
        if positions <= self.1.into() {
            return Ok(());
        }
        let moves = u128::from(moves) * u128::from(self.1) / u128::from(expanded.max(1));
        Err(ListError::TooMany {
            spec: self.0.spec(),
            most: self.1,
            bytes: list::bytes::<G::State>(self.1.into(), u64::try_from(moves).unwrap_or(u64::MAX)),
        })
    }

    fn order(&mut self, states: &[G::State]) -> Result<Vec<(u32, u32)>, ListError> {
        let game = self.0;
        let order = threads::map(states.chunks(1 << 10), |states| {
            let order = states.iter().map(|state| {
                let class = u32::try_from(game.class(state)).unwrap_or(u32::MAX);
                (game.stage(state), class)
            });
            order.collect::<Vec<_>>()
        });
        Ok(order.concat())
    }

    fn stage_name(&self, stage: u32) -> String {
        self.0.stage_name(stage)
    }

    fn show(&self, state: &G::State) -> String {
        self.0.format_state(state)
    }

    fn show_move(&self, state: &G::State, number: usize, _: Option<u32>) -> String {
        let mv = self.0.moves(state).get(number).copied();
        mv.map_or_else(String::new, |mv| self.0.format_move(mv))
    }
}

impl<G: FiniteGame, N> fmt::Debug for Positions<G, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Positions").field(&self.game.spec()).finish()
    }
}

impl<G: FiniteGame, N: Send + Sync> Game for Positions<G, N> {
    type State = G::State;
    type Move = G::Move;

    hand_on! {
        fn spec(&self) -> String;
        fn rules_in_words(&self) -> Vec<RuleInWords>;
        fn family(&self) -> String;
        fn title(&self) -> String;
        fn initial(&self) -> G::State;
        fn has_beginning(&self) -> bool;
        fn format_state(&self, state: &G::State) -> String;
        fn parse_state(&self, text: &str) -> Result<G::State, NotationError>;
        fn other_notations(&self, state: &G::State) -> Vec<(&'static str, String)>;
        fn format_move(&self, mv: G::Move) -> String;
        fn parse_move(&self, text: &str) -> Result<G::Move, NotationError>;
        fn side_to_move(&self, state: &G::State) -> &'static str;
    }
}

impl<G: FiniteGame, N: Send + Sync> Moves for Positions<G, N> {
    hand_on! {
        fn encoded(&self) -> Option<&dyn Encoded<State = G::State, Move = G::Move>>;
        fn moves(&self, state: &G::State) -> Vec<G::Move>;
        fn play(&self, state: &G::State, mv: G::Move) -> Next<G::State>;
        fn through_move(&self, value: Value) -> Option<Value>;
        fn wins_by_mate(&self) -> bool;
        fn plies_after_mate(&self) -> Option<u16>;
        fn mate(&self, state: &G::State) -> Option<u16>;
        fn is_mated(&self, state: &G::State, plies: u16) -> bool;
        fn kinds(&self) -> &'static [MoveKind];
        fn kinds_of(&self, state: &G::State, mv: G::Move) -> u32;
        fn san(&self, state: &G::State, mv: G::Move) -> Option<String>;
        fn usi(&self, state: &G::State, mv: G::Move) -> Option<String>;
        fn spell_move(&self, state: &G::State, mv: G::Move) -> String;
        fn spell_value(&self, value: Value) -> String;
    }
}

/// A position of the list, and the number of a move of it: its index in the game's order.
type Unplaced = (u32, u8);

impl<G: FiniteGame> Ranked for Listed<G> {
    fn slots(&self) -> u64 {
        self.listed()
            .map_or(u64::from(self.numbers.most) + 1, List::len)
    }

    fn rank(&self, state: &G::State) -> u64 {
        let slot = |list: &List<_>| list.slot(&self.game.canonical(state));
        self.listed().and_then(slot).map_or(u64::MAX, u64::from)
    }

    fn unrank(&self, index: u64) -> Option<G::State> {
        self.listed()?.state(index).cloned()
    }

    fn check_size(&self) -> Result<(), SizeError> {
        self.game.check_picture()?;
        let listed = self.list(&NoProgress);
        listed.map_err(|error| self.game.too_large(&error))
    }

    fn layers(&self) -> &[Layer] {
        self.listed().map_or(&[], |list| &list.layers)
    }

    fn most_moves(&self) -> MostMoves {
        let list = self.listed();
        list.map_or_else(MostMoves::default, |list| list.most_moves)
    }
}

impl<G: FiniteGame> Retrograde for Listed<G> {
    type Cursor = u32;
    type Unplaced = Unplaced;

    fn cursor(&self, index: u64) -> Option<u32> {
        let slot = u32::try_from(index).ok()?;
        (index < self.listed()?.len()).then_some(slot)
    }

    fn place(&self, (slot, number): Unplaced) -> Placed {
        Placed::new(slot.into(), number)
    }

    fn summarize_moves(&self, cursor: u32, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let Some(list) = self.listed() else { return };
        let first = list.group(cursor).start;
        let (mut count, mut xor) = (0, 0);
        for (number, target) in (0..).zip(list.targets(cursor)) {
            match target {
                Next::Over(outcome) => visit(MoveSummary::Over(outcome)),
                Next::State(slot) if u64::from(slot) < first => {
                    visit(MoveSummary::Earlier((slot, 0)));
                }
                Next::State(slot) => {
                    count += 1;
                    xor ^= number;
                    if list.wins(slot) {
                        visit(MoveSummary::IntoCheckmate(number));
                    }
                }
            }
        }
        visit(MoveSummary::Within { count, xor });
    }

    fn edges(&self, cursor: u32, mut visit: impl FnMut(u8, Unplaced)) {
        let Some(list) = self.listed() else { return };
        let first = list.group(cursor).start;
        for (number, target) in (0..).zip(list.targets(cursor)) {
            if let Next::State(slot) = target
                && u64::from(slot) >= first
            {
                visit(number, (slot, 0));
            }
        }
    }

    fn unmoves(&self, cursor: u32, mut visit: impl FnMut(Unplaced)) {
        let Some(list) = self.listed() else { return };
        let end = list.group(cursor).end;
        let parents = list.parents(cursor);
        parents
            .take_while(|&(parent, _)| u64::from(parent) < end)
            .for_each(&mut visit);
    }

    fn arrivals(&self, cursor: u32, mut visit: impl FnMut(Option<u8>)) {
        let list = self.listed();
        if list.is_some_and(|list| list.parents(cursor).next().is_some()) {
            visit(None);
        }
    }

    fn class(&self, cursor: u32) -> usize {
        let state = self.listed().and_then(|list| list.state(cursor.into()));
        state.map_or(0, |state| self.game.class(state))
    }

    fn moves_by_slot(&self, cursor: u32, kinds: u32, mut visit: impl FnMut(ListedMove<Unplaced>)) {
        let Some(list) = self.listed() else { return };
        let Some(state) = list.state(cursor.into()) else {
            return;
        };
        let first = list.group(cursor).start;
        let moves = self.game.moves(state);
        for ((number, mv), target) in (0..).zip(moves).zip(list.targets(cursor)) {
            let kinds_of_move = self.game.kinds_of(state, mv);
            if !asks_for(kinds, kinds_of_move) {
                continue;
            }
            visit(ListedMove {
                number,
                kinds: kinds_of_move,
                within: matches!(target, Next::State(slot) if u64::from(slot) >= first),
                leads: target.map(|slot| ((slot, 0), false)),
            });
        }
    }

    fn predecessors(&self, state: &G::State) -> Vec<(G::State, G::Move)> {
        let slot = u32::try_from(self.rank(state)).unwrap_or(u32::MAX);
        let Some(list) = self.listed().filter(|list| u64::from(slot) < list.len()) else {
            return Vec::new();
        };
        let mut parents: Vec<u32> = list.parents(slot).map(|(parent, _)| parent).collect();
        parents.dedup();
        let parents = parents.into_iter();
        let parents = parents.filter_map(|slot| list.state(slot.into()));
        let images = parents.flat_map(|parent| self.images(parent));
        moves_to(self, state, images.collect())
    }

    hand_on! {
        fn criterion(&self) -> &'static str;
        fn classes(&self) -> Vec<String>;
    }
}

impl<G: FiniteGame, N: Send + Sync> Symmetric for Positions<G, N> {
    fn canonical(&self, state: &G::State) -> G::State {
        self.game.canonical(state)
    }

    fn symmetries_kept(&self, state: &G::State) -> u32 {
        let kept = self.images(state).filter(|image| image == state);
        u32::try_from(kept.count()).unwrap_or(u32::MAX)
    }

    fn canonical_line(&self, line: &[G::Move]) -> Vec<G::Move> {
        let image = |&mv: &G::Move, &symmetry: &usize| self.game.image_of_move(mv, symmetry);
        least_line(line, 0..self.game.symmetries(), image)
    }
}

impl<G: FiniteGame, N: Send + Sync> Features for Positions<G, N> {
    fn features(&self) -> Vec<Feature> {
        self.game.features()
    }

    fn measure(&self, state: &G::State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let measured = wanted.iter().map(|&place| self.game.measure(state, place));
        values.extend(measured);
    }
}

/// The moves to a state from those of these states that are numbered.
fn moves_to<G: Ranked<State: Ord, Move: Ord>>(
    game: &G,
    state: &G::State,
    mut before: Vec<G::State>,
) -> Vec<(G::State, G::Move)> {
    before.sort_unstable();
    before.dedup();
    before.retain(|before| game.unrank(game.rank(before)).is_some());
    let mut found = Vec::new();
    for before in before {
        let mut moves = game.moves(&before);
        moves.retain(|&mv| matches!(game.play(&before, mv), Next::State(next) if next == *state));
        found.extend(moves.into_iter().map(|mv| (before.clone(), mv)));
    }
    found.sort_unstable();
    found
}

impl<G: FiniteGame, N> Positions<G, N> {
    fn images(&self, state: &G::State) -> impl Iterator<Item = G::State> {
        (0..self.game.symmetries()).map(|symmetry| self.game.image(state, symmetry))
    }

    fn vanishing(&self, state: &G::State, mv: G::Move) -> Vec<BoardSquare> {
        let (from, to) = self.game.aim(state, mv);
        if Point::from(from) == to {
            return Vec::new();
        }
        let after = self.game.play(state, mv).state();
        let after = after.map(|next| self.game.standing(&next));
        let gone = |cell: BoardSquare| {
            let left = |after: &Vec<Standing>| after.iter().all(|thing| thing.cell != cell);
            cell != from && (Point::from(cell) == to || after.as_ref().is_some_and(left))
        };
        let things = self.game.standing(state).into_iter();
        let cells = things.map(|thing| thing.cell);
        cells.filter(|&cell| gone(cell)).collect()
    }
}

impl<G: FiniteGame, N: Send + Sync> Drawable for Positions<G, N> {
    fn diagram(&self, state: &G::State) -> Diagram {
        self.game.annotate(drawn(&self.game, state), state)
    }

    fn with_move(&self, diagram: Diagram, state: &G::State, mv: G::Move) -> Diagram {
        let gone = self.vanishing(state, mv).into_iter().map(Point::from);
        marked(diagram, self.game.aim(state, mv), gone)
    }

    fn slides(&self, state: &G::State, mv: G::Move) -> Vec<Slide> {
        slid(self.game.aim(state, mv), self.vanishing(state, mv))
    }

    hand_on! {
        fn check_picture(&self) -> Result<(), SizeError>;
        fn with_past(&self, diagram: Diagram, written: &str, moves: &[G::Move]) -> Diagram;
    }
}

/// Slots of a game in which a pattern that nothing fits is refused.
const LOOKED_AT: u64 = 1 << 26;

impl<G: FiniteGame, N: Send + Sync> Playable for Positions<G, N>
where
    Self: Ranked<State = G::State, Move = G::Move>,
{
    fn without(&self, state: &G::State, square: u8) -> Option<G::State> {
        let left = self.game.without(state, square);
        left.filter(|left| self.rank(left) != u64::MAX)
    }

    fn with_pieces(&self, state: &G::State, pieces: &[Standing]) -> Option<G::State> {
        let changed = self.game.with_pieces(state, pieces);
        changed.filter(|changed| self.rank(changed) != u64::MAX)
    }

    fn passed(&self, state: &G::State) -> Option<Next<G::State>> {
        let passed = self.game.passed(state)?;
        let unknown = matches!(&passed, Next::State(state) if self.rank(state) == u64::MAX);
        (!unknown).then_some(passed)
    }

    fn neighbours(&self, state: &G::State) -> Vec<(u8, u8, G::State)> {
        let mut found = self.game.neighbours(state);
        found.retain(|(_, _, state)| self.rank(state) != u64::MAX);
        found
    }

    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let pattern = self.game.parse_pattern(text)?;
        // Only in a short list is it seen soon that nothing fits.
        if self.slots() > LOOKED_AT {
            return Ok(pattern);
        }
        let mut furthest = 0;
        for state in (0..self.slots()).filter_map(|slot| self.unrank(slot)) {
            for image in self.images(&state) {
                match pattern.misfit(&self.game.format_state(&image)) {
                    None => return Ok(pattern),
                    Some(at) => furthest = furthest.max(at),
                }
            }
        }
        let example = self.game.format_state(&self.game.initial());
        let message = format!(
            "no position matches from here on; a pattern is a position, such as {example}, with ? for letters that may be any"
        );
        Err(NotationError::new(text, furthest, message))
    }

    fn fit(&self, pattern: &Pattern, state: &G::State) -> Option<G::State> {
        let text = |image: &G::State| self.game.format_state(image);
        let images = self.images(state);
        let fitting = images.filter(|image| pattern.misfit(&text(image)).is_none());
        fitting.min()
    }

    hand_on! {
        fn board(&self) -> Board;
        fn size(&self) -> (u8, u8);
        fn standing(&self, state: &G::State) -> Vec<Standing>;
        fn square(&self, cell: BoardSquare) -> u8;
        fn name_of(&self, square: u8) -> String;
        fn placed_words(&self, thing: &Standing) -> String;
        fn side_tone(&self, state: &G::State) -> Tone;
        fn side_of(&self, state: &G::State, thing: &Standing) -> Option<bool>;
        fn aim(&self, state: &G::State, mv: G::Move) -> (BoardSquare, Point);
        fn appearing(&self, state: &G::State, mv: G::Move) -> Vec<Standing>;
        fn palette(&self) -> Vec<PaletteItem>;
        fn arranged(&self, things: &Arrangement, second: bool) -> String;
        fn things(&self, state: &G::State) -> Vec<(u8, String)>;
        fn move_effect(&self, state: &G::State, mv: G::Move) -> MoveEffect;
    }
}

impl<G: FiniteGame + Impartial> Impartial for Listed<G> {
    hand_on! {
        fn has_nimbers(&self) -> bool;
        fn summands(&self, state: &G::State) -> Vec<G::State>;
        fn nimber(&self, state: &G::State, progress: &dyn Progress) -> Result<Nimber, NimberError>;
        fn options(&self, state: &G::State, progress: &dyn Progress) -> Result<Vec<Left<G::Move>>, NimberError>;
        fn known(&self, state: &G::State) -> Option<Judged>;
        fn outcome(&self, state: &G::State, progress: &dyn Progress) -> Result<Judged, NimberError>;
        fn effort(&self) -> Effort;
    }
}
