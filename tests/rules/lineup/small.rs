//! Small relatives of every game, against a second writing of the rules and the slow solver.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tesuji::game::{Game, Moves, Next, Ranked, Retrograde, Symmetric, laws};

use super::plain::{MORRIS, Plain};
use crate::common::{naive, records};

/// Everything that can be compared on a small board.
fn agrees(plain: &Plain, symmetries: usize) {
    let game = plain.game();
    let mut unfinished = BTreeSet::new();
    for text in plain.everything() {
        let written = Plain::write(&text);
        let over = plain.is_over(&text);
        assert_eq!(game.parse_state(&written).is_err(), over, "{written}");
        if !over {
            unfinished.insert(written);
        }
    }
    let slow = naive::solve(plain, unfinished.iter().cloned(), Clone::clone);
    assert_eq!(slow.len(), unfinished.len());
    let records = records(&game);
    let (mut slots, mut moves, mut unmoves) = (HashSet::new(), 0, 0);
    let mut images: BTreeMap<_, usize> = BTreeMap::new();
    for written in &unfinished {
        let state = game.parse_state(written).unwrap();
        assert_eq!(&game.format_state(&state), written);
        let slot = game.rank(&state);
        *images.entry((slot, game.side_to_move(&state))).or_default() += 1;
        let record = records[usize::try_from(slot).unwrap()];
        assert_eq!(slow.value(written), Some(record.best()), "{written}");
        assert_eq!(
            game.canonical(&game.unrank(slot).unwrap()),
            game.canonical(&state)
        );
        slots.insert(slot);
        laws::notation(&game, &state).unwrap();
        let names: BTreeSet<_> = game
            .moves(&state)
            .into_iter()
            .map(|mv| game.format_move(mv))
            .collect();
        let listed = plain.listed(&Plain::read(written));
        assert_eq!(
            names,
            listed.iter().map(|(name, _)| name.clone()).collect(),
            "{written}"
        );
        for (name, after) in listed {
            let after = Plain::write(&after);
            match game.play(&state, game.parse_move(&name).unwrap()) {
                Next::State(next) => {
                    assert_eq!(game.format_state(&next), after);
                    moves += 1;
                }
                Next::Over(_) => assert!(!unfinished.contains(&after), "{written} {name}"),
            }
        }
        for (before, mv) in game.predecessors(&state) {
            assert_eq!(game.play(&before, mv), Next::State(state));
            assert!(unfinished.contains(&game.format_state(&before)));
            unmoves += 1;
        }
    }
    assert_eq!(moves, unmoves);
    assert_eq!(images.into_values().max(), Some(symmetries), "{plain:?}");
    let mut numbered = 0;
    for slot in 0..game.slots() {
        numbered += usize::from(game.unrank(slot).is_some());
        laws::ranking(&game, slot).unwrap();
        laws::quick_moves(&game, slot).unwrap();
    }
    assert_eq!(numbered, slots.len(), "every numbered position, once");
    laws::arrows(&game).unwrap();
}

#[test]
fn men_in_corners_win_and_sides_pass_as_the_slow_solver_has_it() {
    let cornered = Plain {
        adjacency: "both",
        lines: (3, &["horizontal"]),
        cornered: true,
        ..MORRIS
    };
    agrees(&cornered, 4);
    agrees(
        &Plain {
            moves: "slide",
            start: &["b.b", ".wb", "w.w"],
            lines: (3, &["orthogonal"]),
            ..cornered
        },
        8,
    );
    // Men are often stuck in two columns, also on both sides.
    let narrow = Plain {
        columns: 2,
        men: 2,
        adjacency: "orthogonal",
        no_move: "pass",
        start: &["bw", "..", "wb"],
        lines: (2, &["diagonal"]),
        ..MORRIS
    };
    agrees(&narrow, 4);
    agrees(
        &Plain {
            columns: 3,
            rows: 2,
            moves: "slide",
            start: &["b.w", "w.b"],
            lines: (2, &["vertical"]),
            ..narrow
        },
        4,
    );
}

#[test]
fn games_with_drops_have_the_slow_solvers_values() {
    agrees(&MORRIS, 8);
    agrees(
        &Plain {
            adjacency: "orthogonal",
            ..MORRIS
        },
        8,
    );
    agrees(
        &Plain {
            adjacency: "diagonal",
            no_move: "draw",
            ..MORRIS
        },
        8,
    );
    agrees(
        &Plain {
            moves: "fly",
            ..MORRIS
        },
        8,
    );
    agrees(
        &Plain {
            lines: (3, &["horizontal"]),
            adjacency: "both",
            ..MORRIS
        },
        4,
    );
    let small = Plain {
        columns: 2,
        men: 2,
        lines: (2, &["diagonal"]),
        ..MORRIS
    };
    agrees(
        &Plain {
            no_move: "win",
            ..small.clone()
        },
        2,
    );
    agrees(
        &Plain {
            columns: 1,
            rows: 6,
            lines: (2, &["vertical"]),
            adjacency: "orthogonal",
            ..small
        },
        2,
    );
}

#[test]
fn sides_that_cannot_move_get_what_the_rules_say() {
    // Four men a side leave one free square.
    for no_move in ["loss", "draw", "win"] {
        agrees(
            &Plain {
                men: 4,
                no_move,
                ..MORRIS
            },
            8,
        );
        agrees(
            &Plain {
                men: 4,
                no_move,
                adjacency: "orthogonal",
                moves: "slide",
                ..MORRIS
            },
            8,
        );
    }
}

#[test]
fn games_from_a_position_have_the_slow_solvers_values() {
    let slides = Plain {
        columns: 4,
        men: 2,
        moves: "slide",
        adjacency: "both",
        start: &["b..w", "....", "w..b"],
        lines: (2, &["orthogonal"]),
        ..MORRIS
    };
    agrees(&slides, 4);
    agrees(
        &Plain {
            lines: (2, &["horizontal", "diagonal"]),
            adjacency: "orthogonal",
            ..slides.clone()
        },
        4,
    );
    agrees(
        &Plain {
            moves: "fly",
            lines: (2, &["diagonal"]),
            ..slides.clone()
        },
        4,
    );
    let squares = Plain {
        men: 4,
        moves: "step",
        start: &["bb..", "bw.w", "b.ww"],
        lines: (0, &[]),
        squares: "any",
        ..slides
    };
    let small = Plain {
        columns: 3,
        start: &["bbb", "w.w", "wbw"],
        ..squares
    };
    agrees(&small, 8);
    agrees(
        &Plain {
            squares: "upright",
            no_move: "draw",
            ..small.clone()
        },
        8,
    );
    agrees(
        &Plain {
            squares: "unit",
            lines: (3, &["diagonal"]),
            moves: "slide",
            ..small
        },
        8,
    );
}
