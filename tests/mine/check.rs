//! Verdicts and partial diagrams, against the slow solver and by hand.

use std::sync::LazyLock;

use crate::common::naive::NaiveSolution;
use tesuji::analysis::{Fault, Stipulation, check};
use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Playable, Ranked};
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::{Catalogue, Filter, Predicate, Scope};
use tesuji::table::Table;

use crate::common::{self, naive, tried, worth};

struct Solved {
    game: Ostle,
    table: Table,
    naive: NaiveSolution<State>,
}

static SMALL: LazyLock<Solved> = LazyLock::new(|| {
    let game = common::game("ostle:4x4,pieces=2,losses=2");
    let table = common::table(&game);
    let naive = naive(&game);
    Solved { game, table, naive }
});

/// How many moves do what is asked: the outcome, a win as soon or sooner, a loss as
/// late or later.
fn solving(solved: &Solved, state: &State, outcome: Outcome, plies: Option<u16>) -> usize {
    let moves = tried(&solved.game, &solved.naive, state);
    let solves = |worth: (Outcome, Option<u16>)| {
        let in_time = match outcome {
            Outcome::Win => worth.1 <= plies,
            Outcome::Loss => worth.1 >= plies,
            Outcome::Draw => true,
        };
        worth.0 == outcome && in_time
    };
    moves.iter().filter(|tried| solves(tried.worth)).count()
}

#[test]
fn verdicts_are_those_of_an_exhaustive_search() {
    let Solved { game, table, naive } = &*SMALL;
    let (mut sound, mut cooked, mut mended) = (0, 0, 0);
    for slot in (0..game.slots()).step_by(41) {
        let Some(state) = game.unrank(slot) else {
            continue;
        };
        let (outcome, plies) = worth(game, naive, &state);
        let task = plies.map_or_else(String::new, |plies| format!(" in {plies}"));
        let stipulation = Stipulation::parse(&format!("{}{task}", outcome.name())).unwrap();
        let verdict = check(game, table, &state, stipulation).unwrap();
        let count = solving(&SMALL, &state, outcome, plies);
        assert_eq!(verdict.solving.len(), count);
        let expected: &[Fault] = if count > 1 { &[Fault::Cooked] } else { &[] };
        assert_eq!(verdict.faults, expected);
        for (purpose, (square, thing)) in verdict.purposes.iter().zip(game.things(&state)) {
            assert_eq!(purpose.thing, thing);
            let less = game.without(&state, square);
            let found = purpose.value.map(|value| (value.outcome(), value.plies()));
            assert_eq!(found, less.map(|less| worth(game, naive, &less)));
            // Idle means the same task and one key; that it is the same key too is
            // not checked here.
            let same = less.is_some_and(|less| {
                worth(game, naive, &less) == (outcome, plies)
                    && solving(&SMALL, &less, outcome, plies) == 1
            });
            assert!(same || !purpose.idle);
        }
        if expected.is_empty() {
            sound += 1;
            assert!(verdict.mendings.is_empty());
        } else {
            cooked += 1;
            let neighbours = game.neighbours(&state).into_iter();
            let good = neighbours.filter(|(_, _, near)| {
                worth(game, naive, near) == (outcome, plies)
                    && solving(&SMALL, near, outcome, plies) == 1
            });
            assert_eq!(verdict.mendings.len(), good.count());
            mended += usize::from(!verdict.mendings.is_empty());
        }
    }
    assert!(
        sound > 20 && cooked > 20 && mended > 10,
        "{sound} {cooked} {mended}"
    );
}

#[test]
fn another_outcome_or_distance_is_a_fault() {
    let Solved { game, table, .. } = &*SMALL;
    let slot = (0..game.slots()).find(|&slot| {
        let state = game.unrank(slot);
        state.is_some_and(|state| {
            worth(game, &SMALL.naive, &state) == (Outcome::Win, Some(5))
                && solving(&SMALL, &state, Outcome::Win, Some(5)) == 1
        })
    });
    let state = game.unrank(slot.unwrap()).unwrap();
    let faults = |task| {
        let stipulation = Stipulation::parse(task).unwrap();
        check(game, table, &state, stipulation).unwrap().faults
    };
    assert_eq!(faults("win in 5"), []);
    assert_eq!(faults("Black to move and win in 5"), []);
    assert_eq!(faults("win in 3")[0], Fault::Distance);
    assert_eq!(faults("win in 7")[0], Fault::Distance);
    assert_eq!(faults("draw")[0], Fault::Outcome);
    assert_eq!(faults("lose in 4")[0], Fault::Outcome);
}

#[test]
fn stipulations_are_read_or_refused() {
    for good in [
        "win in 7",
        "win",
        "draw",
        "lose in 8",
        "loss in 8",
        "mate in 5",
        "Sente to move and mate in 1",
        " win in 1 ",
    ] {
        assert!(Stipulation::parse(good).is_ok(), "{good}");
    }
    for (common, plain) in [
        ("Win in 7", "win in 7"),
        ("WIN", "win"),
        ("win in 7 plies.", "win in 7"),
        ("win in 4 moves", "win in 7"),
        ("lose in 4 moves", "lose in 8"),
        ("Black to move, draw", "draw"),
        ("black to move: Mate in 3 moves", "mate in 5"),
        ("White to move and win in 1 ply", "win in 1"),
        ("Win in 7!", "win in 7"),
        ("win in 3 moves", "win in 5"),
        ("White to move and win in 9", "win in 9"),
        ("mate in 2", "mate in 2"),
        ("Black wins in 7 plies", "win in 7"),
        ("Black to play and mate in two moves", "mate in 3"),
        ("White to mate in three", "mate in 3"),
        ("Sente mates in 5", "mate in 5"),
        ("Next player to move and win", "win"),
        ("Next player wins", "win"),
        ("X to move. Draws.", "draw"),
        ("Black win in 7", "win in 7"),
        ("White loses in 8 half-moves", "lose in 8"),
        ("checkmate in 3", "mate in 3"),
    ] {
        let found = Stipulation::parse(common).map_or(String::new(), |found| found.to_string());
        assert_eq!(found, plain, "{common}");
    }
    for bad in [
        "",
        "7",
        "win 7",
        "win in",
        "win in x",
        "win in -1",
        "win in 0",
        "draw in 3",
        "mate",
        "mate in 0",
        "mate 3",
        "win in 0 moves",
        "win in 40000 moves",
        "win in 7 years",
        "White to move",
        "White to move and think",
        "There is no win in 7",
        "White to move, Black wins in 8",
        "win in 7 or 9",
        "win in thirteen",
    ] {
        let error = Stipulation::parse(bad).expect_err(bad);
        assert!(error.to_string().contains("write 'win in 7'"));
    }
}

#[test]
fn a_position_fits_its_own_diagram_however_it_is_turned() {
    let Solved { game, .. } = &*SMALL;
    for slot in (0..game.slots()).step_by(17) {
        let Some(state) = game.unrank(slot) else {
            continue;
        };
        let text = game.format_state(&state);
        let board = text.split(' ').next().unwrap();
        let pattern = game.parse_pattern(board).unwrap();
        let fit = game.fit(&pattern, &state).unwrap();
        assert_eq!(game.format_state(&fit), text);
        let wild = board.replace(['b', 'w'], "x");
        let pattern = game.parse_pattern(&wild).unwrap();
        let fit = game.fit(&pattern, &state).unwrap();
        assert_eq!(game.slot(&fit), game.slot(&state));
        // With the colours exchanged it fits only if it is its own exchange, turned.
        let other = board.replace('b', "B").replace('w', "b").replace('B', "w");
        let pattern = game.parse_pattern(&other).unwrap();
        let exchanged = game.parse_state(&format!("{other} b -")).unwrap();
        let same = game.slot(&exchanged) == game.slot(&state);
        assert_eq!(game.fit(&pattern, &state).is_some(), same);
    }
}

#[test]
fn a_pattern_that_is_none_is_refused_with_the_place() {
    let Solved { game, .. } = &*SMALL;
    for (bad, at) in [
        ("", 0),
        ("????", 4),
        ("????/????/????/???", 18),
        ("????/????/????/?????", 19),
        ("????/????/????/????/", 19),
        ("????/?q??/????/????", 6),
        ("5/4/4/4", 0),
        ("???/????/????/????", 3),
    ] {
        let error = game.parse_pattern(bad).expect_err(bad);
        assert_eq!(error.at, at, "{bad}: {error}");
    }
    assert!(game.parse_pattern("4/?.1?/????/x??b").is_ok());
}

#[test]
fn a_search_by_pattern_finds_what_a_walk_over_all_positions_finds() {
    let Solved { game, table, .. } = &*SMALL;
    let filter = "name = 'a'\npattern = '????/?o??/????/b??w'\npredicate = \"plies IN (5, 7) AND outcome IN ('win')\"";
    let filter = Filter::parse(filter, "a.toml").unwrap();
    let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
    let tasks = [(&predicate, None)];
    let scans = common::scan(game, table, &tasks, &Scope::all(), &NoProgress).unwrap();
    let found: Vec<_> = scans[0].finds.iter().map(|find| find.index).collect();
    // b3 the hole, a1 black, d1 white, in the board as drawn.
    let mut expected = Vec::new();
    for slot in 0..game.slots() {
        let Some(state) = game.unrank(slot) else {
            continue;
        };
        let (outcome, plies) = worth(game, &SMALL.naive, &state);
        if outcome == Outcome::Win
            && matches!(plies, Some(5 | 7))
            && game.grid.symmetries.iter().any(|symmetry| {
                symmetry.square(state.hole()) == 4 + 2
                    && symmetry.mask(state.own()) & 1 == 1
                    && symmetry.mask(state.opponent()) >> 12 & 1 == 1
            })
        {
            expected.push(slot);
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
    for find in &scans[0].finds {
        let text = game.format_state(&find.state);
        let ranks: Vec<_> = text.split(' ').next().unwrap().split('/').collect();
        assert!(
            ranks[3].starts_with('b') && ranks[3].ends_with('w'),
            "{text}"
        );
    }
}
