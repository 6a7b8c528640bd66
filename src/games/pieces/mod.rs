//! Games of pieces that a file of rules describes: chess endings, small chess and shogi
//! variants, line-up games, and games of a reader's own.
//!
//! # Positions
//! A position is stored as the side to move sees it, with its home rank at the lower end. The
//! sides are images of each other, so what is known of one holds for the other.
#![expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "squares, kinds and numbers of moves are bounded when the rules are read"
)]

mod betza;
mod board;
mod castling;
mod core;
mod digits;
mod features;
mod file;
mod filling;
mod geometry;
mod goals;
mod index;
mod material;
mod mates;
mod movegen;
mod notation;
mod predecessors;
mod relatives;
mod retro;
mod rules;
mod setup;
mod state;
mod symbols;
mod unmoves;
mod words;

use std::sync::OnceLock;

pub use retro::Cursor;
pub use rules::Rules;
pub(crate) use state::Side;
pub use state::{Move, State};

use crate::base::subsets::bits;
use crate::base::value::Outcome;
use crate::game::{
    Encoded, Feature, FeatureValue, Features, Game, MoveKind, Moves, Next, NotationError, Ranked,
    RuleInWords, Symmetric, least_line,
};
use core::Core;
use features::Column;
use index::Placing;
use material::{Material, MaterialLayer};
use movegen::{After, Step};
use rules::{KindNumber, Notation, Position, Squares, Try};
use state::{Origin, Told};

/// A game of pieces.
#[derive(Debug)]
pub struct Pieces {
    spec: String,
    core: Core,
    /// The symmetries that keep the rules for all men, by number.
    symmetries: Vec<usize>,
    initial: OnceLock<State>,
    columns: Vec<Column>,
    /// Whether the rules are those of chess, which other programs know.
    is_chess: bool,
}

impl Pieces {
    const fn rules(&self) -> &Rules {
        &self.core.rules
    }

    /// Whether a royal man of the side to move can be taken at once if it stays.
    fn in_check(&self, at: &Position) -> bool {
        let placed = self.core.known(at);
        placed.is_some_and(|at| self.core.is_checked(&at, 0))
    }

    /// The kinds that have letters of their own, those of the most worth first.
    fn kinds_by_worth(&self) -> Vec<KindNumber> {
        let kinds = self.rules().written_kinds();
        let mut kinds: Vec<_> = kinds.map(|(kind, _)| kind).collect();
        kinds.sort_by_key(|&kind| std::cmp::Reverse(self.core.worth[kind]));
        kinds
    }

    /// Why a state does not occur in an unfinished game, in words that say what to change; `None`
    /// if it does.
    fn fault_of(&self, state: &State) -> Option<String> {
        let fitting = self.core.placing(state).filter(|_| self.fits_side(state));
        let Some(mut at) = fitting else {
            let other = state.turned(self.rules());
            return Some(if self.fits_side(&other) {
                format!("with these men, {} is to move", self.name(other.side))
            } else {
                let hands = self.rules().has_hands();
                format!(
                    "no game of {} comes to these men{}; put others on the board{}",
                    self.spec,
                    self.how_men_come(),
                    if hands { " or in hand" } else { "" }
                )
            });
        };
        if !self.core.occurs(&mut at) {
            return Some(if self.rules().check && self.core.is_checked(&at, 1) {
                let other = self.name(state.side.other());
                format!(
                    "{other}, which is not to move, is in check; move a man or give it the move"
                )
            } else if at.passing != 0 {
                "no man can take in passing there; write - instead of the square".to_owned()
            } else {
                "the game has ended already; change the position".to_owned()
            });
        }
        let outcome = self.core.ended(&mut at)?;
        let side = self.name(state.side);
        let result = match outcome {
            Outcome::Win => "has won",
            Outcome::Draw => "has no move, which is a draw",
            Outcome::Loss => "has no move and has lost",
        };
        Some(format!("the game has ended, {side} {result}; move a man"))
    }

    /// In words, where men come from: those of both sides together if all stay in the game, or the
    /// turns in which they are dropped.
    fn how_men_come(&self) -> String {
        let rules = self.rules();
        if rules.drop_first {
            let first = self.name(Side::First);
            return format!(": the sides drop men in turn, and {first} begins");
        }
        match rules.start.filter(|_| rules.to_hand) {
            Some(start) => {
                let men = rules.counted(|kind| start.material().of_kind(kind));
                format!(": there are {} in all", men.join(", "))
            }
            None => String::new(),
        }
    }

    const fn name(&self, side: Side) -> &'static str {
        side.name(self.rules().names)
    }

    /// The state of a placing. Colours are only names: in endings, the stronger side has those of
    /// the first side.
    fn state_of(&self, at: &Placing) -> State {
        let side = self.side_of(self.core.layer(at));
        State {
            at: self.core.position(at),
            side,
        }
    }

    /// The side to move in positions of a material, the first if it can be either.
    fn side_of(&self, layer: &MaterialLayer) -> Side {
        let second = if self.has_beginning() {
            layer.turns == [false, true]
        } else {
            let worth = |side: usize| {
                let men = self.core.worth.iter().zip(layer.material.board[side]);
                men.map(|(worth, men)| worth * u32::from(men)).sum::<u32>()
            };
            worth(0) < worth(1)
        };
        Side::BOTH[usize::from(second)]
    }

    fn is_dropping(&self, material: &Material) -> bool {
        self.rules().drop_first && material.hands.iter().flatten().any(|&men| men > 0)
    }

    /// Whether the position with the colours of both sides swapped is one of the game too, so that
    /// colours are only names.
    fn may_swap_colours(&self, state: &State) -> bool {
        let may_swap = |at| !self.has_beginning() || self.core.layer(&at).turns == [true; 2];
        self.core.placing(state).is_some_and(may_swap)
    }

    /// Whether it can be the turn of the side that is to move.
    fn fits_side(&self, state: &State) -> bool {
        self.core.placing(state).is_some_and(|at| {
            let layer = self.core.layer(&at);
            !self.is_dropping(&layer.material) || layer.turns[state.side as usize]
        })
    }

    fn move_of(&self, state: &State, step: Step) -> Move {
        if step.is_pass() {
            return Move::PASS;
        }
        let mv = Move {
            from: match step.from {
                Some(from) => Origin::Square(from as u8),
                None => Origin::Hand(step.kind as u8),
            },
            to: step.to as u8,
            promotes: (step.becomes != step.kind).then_some(step.becomes as u8),
            told: (self.rules().notation == Notation::Clausecker).then(|| Told {
                kind: self.rules().kinds[step.kind].in_hand as u8,
                takes: step.takes.is_some(),
            }),
        };
        mv.map(|square| state.seen_square(self.rules(), square))
    }

    /// The position after a move, as the side sees it that moved, what its man did, and where that
    /// leads; `None` if it is no move of the state.
    fn made(&self, state: &State, mv: Move) -> Option<(Placing, Step, After)> {
        let mut found = None;
        self.core
            .moves(&mut self.core.placing(state)?, |after, step, to| {
                let is_it = self.move_of(state, step) == mv;
                if is_it {
                    found = Some((*after, step, to));
                }
                !is_it
            });
        found
    }

    /// The first state: that of the rules, or one of the largest ending.
    fn first_state(&self) -> State {
        let side = Side::First;
        if let Some(at) = self.rules().start {
            return State { at, side };
        }
        // From the middle of the largest layer in which the stronger side is to move and there are
        // states, the first in which no move ends the game. Where some move always does, the first.
        let goes_on = |state: &State| {
            let ends = |mv| matches!(self.play(state, mv), Next::Over(_));
            !self.moves(state).into_iter().any(ends)
        };
        let numbered = self.layers().iter().zip(&self.core.index.order);
        let mut numbered: Vec<_> = numbered.collect();
        numbered.sort_by_key(|(layer, number)| {
            let men = &self.core.materials.layers[**number as usize];
            let slots = &layer.slots;
            (self.side_of(men) == side, slots.end - slots.start)
        });
        let found = numbered.into_iter().rev().find_map(|(layer, _)| {
            let middle = layer.slots.start.midpoint(layer.slots.end);
            let slots = || (middle..layer.slots.end).chain(layer.slots.start..middle);
            let states = || slots().take(1_000_000).filter_map(|slot| self.unrank(slot));
            states().find(goes_on).or_else(|| states().next())
        });
        let at = Position::default();
        found.unwrap_or(State { at, side })
    }

    /// The images of the position of a state under the symmetries that keep the rules for its men.
    fn images(&self, state: &State) -> impl Iterator<Item = Position> {
        let placed = self.core.placing(state);
        let set = placed.map_or(1, |at| self.core.index.symmetries(at.layer));
        let at = state.at;
        bits(set.into()).map(move |turn| at.image(self.rules(), turn.into()))
    }

    /// The state after a move, unless that ends the game.
    fn next(&self, state: &State, after: &Placing, layer: u32, passing: Squares) -> Next<State> {
        let layer = &self.core.materials.layers[layer as usize];
        let plain = &self.core.materials.layers[layer.plain as usize];
        let at = Position {
            men: after.men,
            hands: plain.material.turned().hands,
            passing,
            castling: plain.material.turned().castling,
        };
        self.come_to(&State { at, ..*state }.turned(self.rules()))
    }

    /// A state, unless the game has ended there.
    fn come_to(&self, state: &State) -> Next<State> {
        let placing = self.core.placing(state);
        let ended = placing.and_then(|mut at| self.core.ended(&mut at));
        ended.map_or(Next::State(*state), |outcome| {
            Next::Over(outcome.reversed())
        })
    }
}

impl Game for Pieces {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn title(&self) -> String {
        self.rules().title.clone()
    }

    /// Games that goals decide have columns of their own; games of filling squares, and positions
    /// in Clausecker's notation, have filters.
    fn family(&self) -> String {
        let family = match self.rules().notation {
            _ if self.rules().fills_squares() => "tictactoe",
            _ if features::decides_by_goals(self.rules()) => "lineup",
            Notation::Clausecker => "dobutsu",
            Notation::Fen => "pieces",
        };
        family.to_owned()
    }

    fn has_beginning(&self) -> bool {
        self.rules().start.is_some()
    }

    fn initial(&self) -> State {
        *self.initial.get_or_init(|| self.first_state())
    }

    fn format_state(&self, state: &State) -> String {
        notation::format_state(self.rules(), state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        notation::parse_state(self, text)
    }

    fn other_notations(&self, state: &State) -> Vec<(&'static str, String)> {
        let is_known = notation::knows_sfen(self.rules());
        let sfen = is_known.then(|| ("sfen", notation::format_sfen(self, state)));
        sfen.into_iter().collect()
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(self.rules(), mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self.rules(), text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        self.name(state.side)
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        words::rules(self)
    }
}

impl Moves for Pieces {
    fn encoded(&self) -> Option<&dyn Encoded<State = State, Move = Move>> {
        self.filling()
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        let Some(mut at) = self.core.placing(state) else {
            return moves;
        };
        self.core.moves(&mut at, |_, step, _| {
            moves.push(self.move_of(state, step));
            true
        });
        moves
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        match self.made(state, mv) {
            Some((_, _, After::Over(outcome))) => Next::Over(outcome),
            Some((after, _, After::Layer(layer, passing))) => {
                self.next(state, &after, layer, passing)
            }
            // The caller must give a move of this state; otherwise, nothing happens.
            None => Next::State(*state),
        }
    }

    fn san(&self, state: &State, mv: Move) -> Option<String> {
        notation::format_san(self, state, mv)
    }

    fn usi(&self, _: &State, mv: Move) -> Option<String> {
        notation::format_usi(self.rules(), mv)
    }

    fn wins_by_mate(&self) -> bool {
        let rules = self.rules();
        let other = rules.bare_loses
            || rules.try_rule != Try::Never
            || rules.no_move != Outcome::Draw
            || !rules.goals.is_empty()
            || rules.cornered_wins
            || rules.kinds.iter().any(|kind| kind.wins_on_far_rank);
        rules.has_royal() && rules.check && !other
    }

    fn plies_after_mate(&self) -> Option<u16> {
        self.rules().takes_royal_men().then_some(mates::AFTER)
    }

    fn mate(&self, state: &State) -> Option<u16> {
        self.core.mate(state, mates::LONGEST).map(u16::from)
    }

    fn is_mated(&self, state: &State, plies: u16) -> bool {
        u8::try_from(plies).is_ok_and(|plies| self.core.is_mated(state, plies))
    }

    fn kinds(&self) -> &'static [MoveKind] {
        features::kinds(self.rules())
    }

    fn kinds_of(&self, state: &State, mv: Move) -> u32 {
        let placing = self.core.placing(state);
        let before = placing.and_then(|at| features::before(&self.core, &at));
        let made = self.made(state, mv);
        let draws = self.play(state, mv) == Next::Over(Outcome::Draw);
        made.map_or(0, |(after, step, _)| {
            features::kinds_of(&self.core, before, &after, step, draws)
        })
    }
}

impl Features for Pieces {
    fn features(&self) -> Vec<Feature> {
        let columns = self.columns.iter();
        columns.map(|column| column.feature(self.rules())).collect()
    }

    fn measure(&self, state: &State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let columns = wanted.iter().map(|&place| self.columns.get(place));
        let value = |column: &Column| column.value(self, state);
        values.extend(columns.map(|column| column.map_or(FeatureValue::NONE, value)));
    }

    fn features_of_layers(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let material = columns.filter(|(_, column)| column.is_material());
        material.map(|(place, _)| place).collect()
    }
}

impl Symmetric for Pieces {
    fn canonical(&self, state: &State) -> State {
        let placed = self.core.placing(state);
        State {
            at: self.images(state).min().unwrap_or(state.at),
            side: placed.map_or(state.side, |at| self.side_of(self.core.layer(&at))),
        }
    }

    fn symmetries_kept(&self, state: &State) -> u32 {
        let images = self.images(state);
        images.filter(|image| *image == state.at).count() as u32
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        let board = self.rules().board;
        let image = |mv: &Move, &&turn: &&usize| mv.map(|square| board.image(square, turn));
        least_line(line, self.symmetries.iter(), image)
    }
}
