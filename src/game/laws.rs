//! Laws that every game must obey, as checks for tests. An error names the law and the
//! state that breaks it.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use thiserror::Error;

use crate::base::value::Outcome;
use crate::game::{
    Features, Game, Held, MoveSummary, Moves, Next, Repetition, Retrograde, Symmetric,
};

/// A law that a game breaks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{law}, but not in {state}: {detail}")]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// The state, in the game's notation.
    pub state: String,
    /// What was found.
    pub detail: String,
}

fn require<G: Game>(
    game: &G,
    state: &G::State,
    law: &'static str,
    holds: bool,
    detail: &dyn Debug,
) -> Result<(), Broken> {
    let broken = || Broken {
        law,
        state: game.format_state(state),
        detail: format!("{detail:?}"),
    };
    if holds { Ok(()) } else { Err(broken()) }
}

/// Checks that notation round-trips, and that moves are distinct, at least one, and
/// round-trip.
///
/// # Errors
/// The first law found broken.
pub fn notation<G: Moves>(game: &G, state: &G::State) -> Result<(), Broken> {
    let read = game.parse_state(&game.format_state(state));
    let law = "a state reads back as it was written";
    require(game, state, law, read.as_ref() == Ok(state), &read)?;
    let law = "a state reads back from every other notation";
    for (name, text) in game.other_notations(state) {
        let read = game.parse_state(&text);
        let detail = format_args!("{name} {text:?}: {read:?}");
        require(game, state, law, read.as_ref() == Ok(state), &detail)?;
    }
    let moves = game.moves(state);
    let distinct: HashSet<_> = moves.iter().collect();
    let law = "an unfinished game has moves, each listed once";
    let holds = distinct.len() == moves.len() && !moves.is_empty();
    require(game, state, law, holds, &moves)?;
    for &mv in &moves {
        let read = game.parse_move(&game.format_move(mv));
        let law = "a move reads back as it was written";
        require(game, state, law, read == Ok(mv), &read)?;
    }
    Ok(())
}

/// Checks that the state of a slot has that slot's rank, as do its canonical form and its
/// restrictions.
///
/// # Errors
/// The first law found broken.
pub fn ranking<G: Retrograde + Symmetric>(game: &G, index: u64) -> Result<(), Broken> {
    let Some(state) = game.unrank(index) else {
        return Ok(());
    };
    let slot = game.slot(&state);
    let law = "the state of a slot ranks there";
    let holds = (slot.index, slot.forbidden) == (index, None) && game.rank(&state) == index;
    require(game, &state, law, holds, &slot)?;
    let slot = game.slot(&game.canonical(&state));
    let law = "symmetric states share a slot";
    require(game, &state, law, slot.index == index, &slot)?;
    let symmetric = game.cursor(index).map(|cursor| game.is_symmetric(cursor));
    let law = "a cursor knows whether its position is symmetric";
    // Where no move can be forbidden, this is never asked.
    let bans = (0..=u8::MAX).any(|number| game.forbid(&state, number).is_some());
    // Two moves to images of one position count as a symmetry there.
    let doubles = game.repetition() == Repetition::AllImages && symmetric == Some(true);
    let holds = symmetric == Some(game.symmetries_kept(&state) > 1)
        || symmetric == Some(false) && !bans
        || doubles;
    require(game, &state, law, holds, &symmetric)?;
    if symmetric == Some(true) {
        return Ok(());
    }
    for number in 0..=u8::MAX {
        let Some(restricted) = game.forbid(&state, number) else {
            continue;
        };
        for image in [restricted.clone(), game.canonical(&restricted)] {
            let slot = game.slot(&image);
            let law = "a forbidden move keeps its number";
            let holds = (slot.index, slot.forbidden) == (index, Some(number));
            require(game, &restricted, law, holds, &slot)?;
        }
    }
    Ok(())
}

/// Checks that the position of a slot has those features that
/// [belong to its layer](Features::features_of_layers) as the first position of that layer has them.
///
/// # Errors
/// The law found broken.
pub fn layer_features<G: Retrograde + Features>(game: &G, index: u64) -> Result<(), Broken> {
    let (Some(state), Some(layer)) = (game.unrank(index), game.layer_at(index)) else {
        return Ok(());
    };
    let Some(first) = layer.slots.clone().find_map(|slot| game.unrank(slot)) else {
        return Ok(());
    };
    let wanted = game.features_of_layers();
    let [here, there] = [&state, &first].map(|state| {
        let mut values = Vec::new();
        game.measure(state, &wanted, &mut values);
        values
    });
    let law = "features of a layer are the same in all its positions";
    require(game, &state, law, here == there, &there)
}

/// Checks that the moves of a slot for the solver agree with [`Moves`]: outcomes, slots of
/// earlier groups, and edges. Forbidden moves are compared where positions repeat exactly
/// and the target has no symmetry, which would give a move two numbers.
///
/// # Errors
/// The first law found broken.
pub fn quick_moves<G: Retrograde + Moves>(game: &G, index: u64) -> Result<(), Broken> {
    let (Some(cursor), Some(state)) = (game.cursor(index), game.unrank(index)) else {
        return Ok(());
    };
    let group = |slot| game.layer_at(slot).map(|layer| layer.group);
    let exact = game.repetition() == Repetition::Exact;
    let comparable = |slot| exact && game.cursor(slot).is_some_and(|c| !game.is_symmetric(c));
    let (mut over, mut earlier, mut within) = (HashSet::new(), HashSet::new(), Vec::new());
    for mv in game.moves(&state) {
        match game.play(&state, mv) {
            Next::Over(outcome) => drop(over.insert(outcome)),
            Next::State(next) => {
                let slot = game.slot(&next);
                if group(slot.index) == group(index) {
                    within.push((
                        slot.index,
                        slot.forbidden.filter(|_| comparable(slot.index)),
                    ));
                } else {
                    earlier.insert(slot.index);
                }
            }
        }
    }
    let (mut quick_over, mut quick_earlier) = (HashSet::new(), HashSet::new());
    let (mut summary, mut into_checkmate) = ((0, 0), HashSet::new());
    game.summarize_moves(cursor, |found| match found {
        MoveSummary::Over(outcome) => drop(quick_over.insert(outcome)),
        MoveSummary::Earlier(child) => drop(quick_earlier.insert(game.place(child).slot)),
        MoveSummary::Within { count, xor } => summary = (count, xor),
        MoveSummary::IntoCheckmate(number) => drop(into_checkmate.insert(number)),
    });
    let law = "the summary of moves finds all moves that leave the group";
    // If a move wins at once, the summary may leave out all others.
    let wins = over.contains(&Outcome::Win);
    let holds = if wins {
        quick_over.contains(&Outcome::Win)
            && quick_over.is_subset(&over)
            && quick_earlier.is_subset(&earlier)
    } else {
        quick_over == over && quick_earlier == earlier
    };
    let detail = format_args!("{quick_over:?} {quick_earlier:?} for {over:?} {earlier:?}");
    require(game, &state, law, holds, &detail)?;
    let (mut edges, mut followed) = (Vec::new(), true);
    let (mut counted, mut mating, mut numbers) = ((0, 0), HashSet::new(), 0);
    game.edges_with_undo(cursor, |number, child, has_undo| {
        numbers = numbers.max(u32::from(number) + 1);
        let child = game.place(child);
        let undo = has_undo.then_some(child.number);
        edges.push((child.slot, undo.filter(|_| comparable(child.slot))));
        counted = (counted.0 + 1, counted.1 ^ number);
        followed &= game.follow(cursor, number) == child.slot;
        let mate = game.cursor(child.slot);
        if mate.is_some_and(|mate| game.wins_at_once(mate)) {
            mating.insert(number);
        }
    });
    let most = game.most_moves();
    let numbered = (0..=u8::MAX).take(most.numbers.into());
    let leading = numbered.filter(|&number| game.follow(cursor, number) != u64::MAX);
    followed &= leading.count() == usize::from(counted.0);
    let law = "summarize_moves, edges and follow agree";
    let told = game.has_ended_positions() || into_checkmate == mating;
    let holds = wins || (summary == counted && told);
    let detail = format_args!("{summary:?} {counted:?} {into_checkmate:?} {mating:?}");
    require(game, &state, law, followed && holds, &detail)?;
    let law = "most_moves bounds the moves within the group and their numbers";
    let holds = counted.0 <= most.within && numbers <= u32::from(most.numbers);
    let detail = format_args!("{counted:?}, numbers below {numbers}, {most:?}");
    require(game, &state, law, holds, &detail)?;
    within.sort_unstable();
    edges.sort_unstable();
    let law = "edges are the moves within the group";
    let detail = format_args!("{edges:?} for {within:?}");
    require(game, &state, law, edges == within, &detail)
}

/// Checks that moves and legal un-moves agree between positions without a symmetry.
///
/// # Errors
/// A move that only one of the two has.
pub fn arrows<G: Retrograde>(game: &G) -> Result<(), Broken> {
    let mut balance: HashMap<_, i32> = HashMap::new();
    let asymmetric = |slot| game.cursor(slot).filter(|&c| !game.is_symmetric(c));
    for slot in 0..game.slots() {
        let Some(cursor) = asymmetric(slot) else {
            continue;
        };
        game.edges_with_undo(cursor, |number, child, has_undo| {
            let child = game.place(child);
            if asymmetric(child.slot).is_some() {
                let undo = has_undo.then_some(child.number);
                let key = (slot, number, child.slot, undo);
                *balance.entry(key).or_default() += 1;
            }
        });
        game.legal_unmoves(cursor, |before, undo| {
            let before = game.place(before);
            let held = game.examine(before.slot, |_| {});
            if !before.symmetric && matches!(held, Held::Open { .. } | Held::Won) {
                let key = (before.slot, before.number, slot, undo);
                *balance.entry(key).or_default() -= 1;
            }
        });
    }
    let odd = balance.into_iter().filter(|&(_, count)| count != 0).min();
    let Some((arrow, count)) = odd else {
        return Ok(());
    };
    let state = game.unrank(arrow.2).map(|state| game.format_state(&state));
    Err(Broken {
        law: "moves and un-moves are the same arrows",
        state: state.unwrap_or_default(),
        detail: format!("{arrow:?} {count:+}"),
    })
}
