//! Players who look ahead and lures, against a second, naive program on all states of small
//! boards.

mod naive;
mod swindles;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use tesuji::analysis::lures::{
    Baseline, Baselines, Choices, DEEPEST, DrawnGraph, LureError, Lures, ONE,
};
use tesuji::analysis::{Analysis, Looker, PROFILE_DEPTH, Profile, profile, profile_of_line};
use tesuji::base::progress::NoProgress;
use tesuji::game::{Game, LOST, Ranked, Slot, WON};
use tesuji::games::ostle::Ostle;
use tesuji::solve::look_ahead::LookAhead;
use tesuji::table::{Table, TableOracle};

use super::common;
use naive::{FAR, Naive, Outcome};

/// A board twice.
struct Board {
    game: Ostle,
    table: Table,
    naive: Naive,
    graph: Arc<DrawnGraph>,
    /// By state of the naive program.
    slots: Vec<Slot>,
}

/// The greatest depth.
const DEEP: usize = DEEPEST as usize;

/// Moves of the opponent.
const MOVES: u8 = 6;

impl Board {
    fn new(files: usize, ranks: usize, pieces: usize, losses: usize) -> Self {
        let game = common::game(&format!(
            "ostle:rows={ranks},columns={files},pieces={pieces},losses={losses}"
        ));
        let table = common::table(&game);
        let naive = Naive::new(files, ranks, pieces, losses, DEEP);
        let graph = DrawnGraph::new(&game, &table, &NoProgress).unwrap();
        let slot = |state| game.slot(&game.parse_state(&naive.text(state)).unwrap());
        Self {
            slots: (0..naive.states.len()).map(slot).collect(),
            game,
            table,
            naive,
            graph: Arc::new(graph),
        }
    }

    fn chances(&self) -> Vec<Lures> {
        let mut found = Vec::new();
        let (game, graph) = (&self.game, &self.graph);
        let depths: Vec<u8> = (1..=DEEPEST).collect();
        let mut visit = |chances| {
            found.push(chances);
            Ok::<_, LureError>(())
        };
        Lures::each(game, graph, &depths, MOVES, None, &NoProgress, &mut visit).unwrap();
        found
    }

    /// The drawn states, with their numbers in the graph.
    fn drawn(&self) -> impl Iterator<Item = (usize, u32, Option<u8>)> {
        let states = 0..self.naive.states.len();
        let drawn = states.filter(|&state| self.naive.outcomes[state] == Outcome::Draw);
        drawn.map(|state| {
            let slot = self.slots[state];
            let number = self.graph.number(slot.index).unwrap();
            (state, number, slot.forbidden)
        })
    }
}

static BOARDS: LazyLock<[Board; 2]> =
    LazyLock::new(|| [Board::new(3, 3, 3, 2), Board::new(3, 4, 2, 2)]);

#[test]
fn values_are_those_of_the_naive_program() {
    // With three losses allowed, players may be two pieces ahead.
    let apart = Board::new(3, 3, 3, 3);
    let boards = BOARDS.iter().map(|board| (board, 1));
    for (board, most) in boards.chain([(&apart, 2)]) {
        let (naive, deepest) = (&board.naive, LookAhead::DEEPEST);
        let mut greatest = 0;
        for ahead in [0, 2, 3, deepest] {
            let found = LookAhead::new(&board.game, ahead, &NoProgress)
                .unwrap()
                .unwrap();
            for place in 0..naive.boards.len() {
                let slot = board.slots[place].index;
                let text = naive.text(place);
                let expected: Vec<i8> = [3, 2, 1, 0]
                    .into_iter()
                    .map(|less| {
                        let depth = ahead.saturating_sub(less);
                        match naive.value(place, depth.into()) {
                            FAR => WON,
                            value if value == -FAR => LOST,
                            value => i8::try_from(value).unwrap(),
                        }
                    })
                    .collect();
                assert_eq!(found.values(slot)[..], expected, "{text} at {ahead}");
                let seen = expected.into_iter().filter(|&it| it < WON);
                greatest = seen.fold(greatest, i8::max);
            }
        }
        assert_eq!(greatest, most);
    }
}

/// The lurer's best chance in a drawn state, in units of 1 / [`ONE`].
fn best_chance(lures: &Lures, number: u32, forbidden: Option<u8>) -> u32 {
    let moves = lures.moves(number, forbidden);
    moves.iter().map(|lure| lure.chance).max().unwrap_or(0)
}

/// Plies of search that are wasted before the choice is safe.
fn look_ahead(profile: &Profile) -> f64 {
    profile.wasted.0 as f64 / profile.wasted.1 as f64
}

#[test]
fn drawn_states_and_what_is_liked_are_those_of_the_naive_program() {
    for board in &*BOARDS {
        let naive = &board.naive;
        for state in 0..naive.states.len() {
            let Slot { index, forbidden } = board.slots[state];
            let drawn = board.graph.number(index);
            let drawn = drawn.is_some_and(|number| board.graph.is_drawn(number, forbidden));
            let expected = naive.outcomes[state] == Outcome::Draw;
            assert_eq!(drawn, expected, "{}", naive.text(state));
        }
        let oracle = TableOracle::new(&board.table, &board.game).unwrap();
        let mut looker = Looker::new(&board.game);
        for state in (0..naive.states.len()).step_by(7) {
            let text = naive.text(state);
            let at = board.game.parse_state(&text).unwrap();
            let outcome = naive.outcomes[state];
            let mut shares = Vec::new();
            for depth in 1..=PROFILE_DEPTH {
                let liked = naive.liked(state, depth.into());
                let mut expected: Vec<_> =
                    liked.iter().map(|&(mv, _)| naive.move_text(mv)).collect();
                let found = looker.liked(&at, depth).into_iter();
                let mut found: Vec<_> = found.map(|mv| board.game.format_move(mv)).collect();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{text} at {depth}");
                let holding = liked
                    .iter()
                    .filter(|&&(_, to)| naive.outcome(to) == outcome);
                let number = |count: usize| u32::try_from(count).unwrap();
                shares.push((number(holding.count()), number(liked.len())));
            }
            let profile = profile(&mut looker, &oracle, &at).unwrap();
            assert_eq!(profile.shares[..], shares, "{text}");
            let wrong = shares
                .iter()
                .map(|&(holding, liked)| 1.0 - f64::from(holding) / f64::from(liked));
            assert!((look_ahead(&profile) - wrong.sum::<f64>()).abs() < 1e-9);
            let run = shares.iter().filter(|(holding, _)| *holding == 0).count();
            assert_eq!(profile.lure_run as usize, run, "{text}");
            let safe_from = |&from: &usize| shares[from - 1..].iter().all(|(a, b)| a == b);
            let solved = (1..=shares.len()).find(safe_from);
            assert_eq!(profile.solved_at.map(|it| it as usize), solved, "{text}");
        }
    }
}

#[test]
fn the_profile_of_a_line_is_the_worst_of_the_solvers_moves() {
    let mut unlike = 0;
    for board in &*BOARDS {
        let (game, naive) = (&board.game, &board.naive);
        let states = 0..naive.states.len();
        let by_text: HashMap<_, _> = states.clone().map(|it| (naive.text(it), it)).collect();
        let oracle = TableOracle::new(&board.table, game).unwrap();
        let mut looker = Looker::new(game);
        for state in states.step_by(31) {
            let at = game.parse_state(&naive.text(state)).unwrap();
            let analysis = Analysis::new(game, &oracle, &at).unwrap();
            let line = analysis.line(game, &oracle).unwrap();
            let found = profile_of_line(&mut looker, &oracle, &line).unwrap();
            if naive.outcomes[state] == Outcome::Loss {
                assert_eq!(found, None);
                continue;
            }
            let (mut wasted, mut run, mut solved) = (0.0_f64, 0, 1);
            for step in line.iter().step_by(2) {
                let here = by_text[&game.format_state(&step.state)];
                let wrong = (1..=PROFILE_DEPTH).map(|depth| {
                    let liked = naive.liked(here, depth.into());
                    let outcome = naive.outcomes[here];
                    let wrong = liked.iter().filter(|it| naive.outcome(it.1) != outcome);
                    (wrong.count(), liked.len())
                });
                let wrong: Vec<_> = wrong.collect();
                let share = |&(wrong, all): &(usize, usize)| wrong as f64 / all as f64;
                wasted = wasted.max(wrong.iter().map(share).sum());
                run = run.max(wrong.iter().filter(|(wrong, all)| wrong == all).count());
                let late = wrong.iter().rposition(|(wrong, _)| *wrong > 0);
                solved = solved.max(late.map_or(1, |depth| depth + 2));
            }
            let found = found.unwrap();
            let text = naive.text(state);
            assert!((look_ahead(&found) - wasted).abs() < 1e-9, "{text}");
            assert_eq!(found.lure_run as usize, run, "{text}");
            let expected = (solved <= PROFILE_DEPTH.into()).then_some(solved);
            assert_eq!(found.solved_at.map(|it| it as usize), expected, "{text}");
            let first = profile(&mut looker, &oracle, &at).unwrap();
            unlike += usize::from(first != found);
        }
    }
    assert!(unlike > 0, "some line is harder than its first move");
}

#[test]
fn chances_and_forced_lures_are_those_of_the_naive_program() {
    let best = |_: &Naive, moves: &[(usize, u128)]| moves.iter().map(|it| it.1).max().unwrap();
    let unit = naive::ONE / u128::from(ONE);
    for board in &*BOARDS {
        for chances in board.chances() {
            let depth = chances.depth;
            let lured = board.naive.lure(depth.into(), MOVES.into(), best);
            let (lurer, opponent) = lured.last().unwrap();
            let within = board.naive.forced(depth.into());
            let near = |found: u32, exact: u128| {
                let found = u128::from(found) * unit;
                // What the second program rounds is next to nothing.
                found <= exact + 1000 && exact <= found + u128::from(MOVES) * unit
            };
            let free = board
                .drawn()
                .filter(|(_, _, forbidden)| forbidden.is_none());
            let positions: BTreeSet<u32> = free.map(|(_, number, _)| number).collect();
            let verified = chances.verify(&NoProgress).unwrap();
            assert_eq!(verified, positions.len() as u64);
            for (state, number, forbidden) in board.drawn() {
                let text = board.naive.text(state);
                let found = best_chance(&chances, number, forbidden);
                assert!(near(found, lurer[state]), "{text}, depth {depth}: {found}");
                let forced = chances.forced(number, forbidden);
                let expected = within[state];
                assert_eq!(forced.map(u32::from), expected, "{text}, depth {depth}");
                let moves = chances.moves(number, forbidden);
                let most = moves.iter().map(|lure| lure.chance).max();
                assert_eq!(most, Some(found), "{text}, depth {depth}");
                let soonest = moves.iter().filter_map(|lure| lure.forced).min();
                assert_eq!(soonest, forced, "{text}, depth {depth}");
                assert_eq!(moves.len(), board.naive.keeping(state).len(), "{text}");
                // With the opponent to move, in both programs' order of chances.
                let mut found: Vec<_> = moves.iter().map(|lure| lure.chance).collect();
                let keeping = board.naive.keeping(state).into_iter();
                let mut exact: Vec<_> = keeping.map(|next| opponent[next]).collect();
                found.sort_unstable();
                exact.sort_unstable();
                for (found, exact) in found.into_iter().zip(exact) {
                    assert!(near(found, exact), "{text}, depth {depth}: {found}");
                }
            }
        }
    }
}

#[test]
fn no_baseline_is_better_than_the_best_lure_and_chances_grow_with_moves() {
    let uniform = |_: &Naive, moves: &[(usize, u128)]| {
        moves.iter().map(|it| it.1).sum::<u128>() / moves.len() as u128
    };
    let fewest = |naive: &Naive, moves: &[(usize, u128)]| {
        let replies = |state: usize| naive.keeping(state).len();
        let least = moves.iter().map(|it| replies(it.0)).min();
        let few = moves.iter().filter(|it| Some(replies(it.0)) == least);
        few.clone().map(|it| it.1).sum::<u128>() / few.count() as u128
    };
    let unit = naive::ONE / u128::from(ONE);
    for board in &*BOARDS {
        let mut sums = HashMap::new();
        let choices = Choices::new(&board.graph, &NoProgress).unwrap();
        for chances in board.chances() {
            let depth = chances.depth;
            let swept = &chances.swept;
            assert!(swept.is_sorted_by_key(|swept| swept.sum));
            assert!(swept.is_sorted_by_key(|swept| swept.forced));
            if depth > 3 {
                continue;
            }
            for kind in Baseline::ALL {
                let likes = &chances.likes;
                let mut found = Baselines::new(&board.graph, likes, &choices, kind, depth).unwrap();
                let grown: Vec<u64> = (0..MOVES)
                    .map(|_| found.sweep(&NoProgress).unwrap())
                    .collect();
                assert!(grown.is_sorted());
                let lured = match kind {
                    Baseline::Uniform => board.naive.lure(depth.into(), MOVES.into(), uniform),
                    Baseline::FewestReplies => board.naive.lure(depth.into(), MOVES.into(), fewest),
                };
                let expected = &lured.last().unwrap().0;
                for (state, number, forbidden) in board.drawn() {
                    if forbidden.is_some() {
                        continue;
                    }
                    let (text, found) = (board.naive.text(state), found.chance(number));
                    let exact = u128::from(found) * unit;
                    let slack = 2 * u128::from(MOVES) * unit;
                    assert!(
                        exact <= expected[state] + 1000 && expected[state] <= exact + slack,
                        "{text}, depth {depth}: {found}"
                    );
                    assert!(
                        found <= best_chance(&chances, number, None) + u32::from(MOVES),
                        "{text}"
                    );
                    *sums.entry(kind).or_insert(0) += u64::from(found);
                }
            }
        }
        assert!(sums.values().all(|&sum| sum > 0));
    }
}

#[test]
fn lines_of_forced_lures_win_against_every_choice() {
    for board in &*BOARDS {
        let naive = &board.naive;
        let numbers: HashMap<_, _> = board
            .drawn()
            .map(|(_, number, forbidden)| ((board.graph.slot(number), forbidden), number))
            .collect();
        let mut played = 0;
        for chances in board.chances().into_iter().take(4) {
            let depth = usize::from(chances.depth);
            for (state, number, forbidden) in board.drawn() {
                let Some(moves) = chances.forced(number, forbidden) else {
                    continue;
                };
                // The opponent's choices after the best move, by the naive program; its states are
                // found by their slots.
                let lures = chances.moves(number, forbidden);
                let best = lures.iter().filter(|lure| lure.forced == Some(moves));
                let best: Vec<_> = best.map(|it| (it.slot.unwrap(), it.forbidden)).collect();
                // Of a position with a symmetry, one forbidden move has several numbers.
                let here = |next: &usize| {
                    let slot = board.slots[*next];
                    best.iter().any(|it| it.0 == slot.index)
                };
                let same = |next: &usize| {
                    let slot = board.slots[*next];
                    best.contains(&(slot.index, slot.forbidden))
                };
                let keeping = naive.keeping(state);
                let next = keeping.iter().copied().find(same);
                let next = next.or_else(|| keeping.iter().copied().find(here)).unwrap();
                for (_, to) in naive.liked(next, depth) {
                    let naive::To::State(again) = to else {
                        assert_eq!(naive.outcome(to), Outcome::Loss);
                        continue;
                    };
                    if naive.outcome(to) == Outcome::Draw {
                        let slot = board.slots[again];
                        let number = numbers[&(slot.index, slot.forbidden)];
                        let left = chances.forced(number, slot.forbidden);
                        assert!(
                            left.is_some_and(|left| left < moves),
                            "{}",
                            naive.text(state)
                        );
                    }
                }
                played += 1;
            }
        }
        assert!(played > 0, "a board without forced lures shows nothing");
    }
}
