//! The second game of one's own against a search by the rules as they are published.

#[path = "../examples/dodgem.rs"]
#[allow(dead_code, reason = "what it does with the game is seen by running it")]
mod rules;

use std::collections::HashMap;
use std::fs;

use rules::Dodgem;
use tesuji::base::value::Outcome;
use tesuji::game::{FeatureValue, Features, Game, Leaving, Listed, Playable, Ranked};

use crate::common::program::example;
use crate::common::records;
use crate::listed::{agrees, states};

type Car = (i32, i32);

/// The cars of Black and of White, by file and rank, and whose turn it is: 0 is Black's.
type Position = ([Vec<Car>; 2], usize);

fn initial(size: i32) -> Position {
    let black = (1..size).map(|rank| (0, rank)).collect();
    let white = (1..size).map(|file| (file, 0)).collect();
    ([black, white], 0)
}

fn next((cars, side): &Position, size: i32) -> Vec<Position> {
    let ways = [[(1, 0), (0, 1), (0, -1)], [(0, 1), (-1, 0), (1, 0)]][*side];
    let mut found = Vec::new();
    for (place, (file, rank)) in cars[*side].iter().enumerate() {
        for (way, (right, up)) in ways.into_iter().enumerate() {
            let to = (file + right, rank + up);
            let inside = (0..size).contains(&to.0) && (0..size).contains(&to.1);
            if cars.iter().flatten().any(|car| *car == to) || !inside && way > 0 {
                continue;
            }
            let mut after = cars.clone();
            after[*side].remove(place);
            after[*side].extend(inside.then_some(to));
            after[*side].sort_unstable();
            found.push((after, 1 - side));
        }
    }
    found
}

/// Who wins: the side to move (1), the other one (-1) or nobody (0). Who is to move and cannot
/// has won, though all its cars may have gone two plies before.
fn swept(size: i32) -> HashMap<Position, i32> {
    let mut all = vec![initial(size)];
    let mut known = HashMap::from([(all[0].clone(), 0)]);
    let mut done = 0;
    while done < all.len() {
        for next in next(&all[done], size) {
            if known.insert(next.clone(), 0).is_none() {
                all.push(next);
            }
        }
        done += 1;
    }
    loop {
        let mut changed = false;
        for position in &all {
            let values: Vec<i32> = (next(position, size).iter())
                .map(|next| known[next])
                .collect();
            let value = match values.iter().min() {
                None => 1,
                Some(least) => -least,
            };
            changed |= known.insert(position.clone(), value) != Some(value);
        }
        if !changed {
            return known;
        }
    }
}

/// A position as the example reads it.
fn written((cars, side): &Position, size: i32) -> String {
    let letter = |at| ['b', 'w', '.'][(0..2).find(|&side| cars[side].contains(&at)).unwrap_or(2)];
    let rank = |rank| {
        (0..size)
            .map(|file| letter((file, rank)))
            .collect::<String>()
    };
    let ranks: Vec<String> = (0..size).rev().map(rank).collect();
    format!("{} {}", ranks.join("/"), ['b', 'w'][*side])
}

#[test]
fn dodgem_is_won_on_three_squares_by_the_side_that_begins_and_drawn_on_four() {
    let game = agrees(Dodgem(3));
    let records = records(&game);
    let mut compared = 0;
    for (position, value) in swept(3) {
        let Ok(state) = game.parse_state(&written(&position, 3)) else {
            continue;
        };
        let record = records[usize::try_from(game.rank(&state)).unwrap()].best();
        let expected = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        let expected = expected[usize::try_from(value + 1).unwrap()];
        assert_eq!(record.outcome(), expected, "{}", written(&position, 3));
        compared += 1;
    }
    assert_eq!(compared, states(&game).len());
    // Winning Ways, and D. des Jardins (1996).
    let folder = tempfile::tempdir().unwrap();
    let shown = example("dodgem", folder.path());
    let (three, four) = shown.split_once("dodgem:4: ").unwrap();
    assert!(three.starts_with("dodgem:3: win\n"), "{shown}");
    assert!(four.starts_with("draw\n"), "{shown}");
    let picture = fs::read_to_string(folder.path().join("dodgem-3.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("car"));
}

#[test]
fn a_car_that_leaves_is_measured_and_described() {
    let game = Listed::of(Dodgem(3));
    let measured = |text| {
        let mut values = Vec::new();
        game.measure(&game.parse_state(text).unwrap(), &[0, 1, 2, 3], &mut values);
        values
    };
    // Black's car on b3 is shut in by those of White on c3 and b2.
    assert_eq!(
        measured(".bw/.wb/... b"),
        [3, 3, 1, 0].map(FeatureValue::count)
    );
    assert_eq!(
        measured("..w/b../.w. b"),
        [2 + 1, 1 + 3, 0, 0].map(FeatureValue::count)
    );
    assert_eq!(
        measured("..w/b../.w. w"),
        [1 + 3, 2 + 1, 0, 0].map(FeatureValue::count)
    );
    let state = game.parse_state(".bw/.wb/... b").unwrap();
    let exit = game.parse_move("c2>").unwrap();
    let effect = game.move_effect(&state, exit);
    let leaves = Leaving {
        from: 5,
        own: true,
        inside: false,
    };
    assert_eq!((effect.moved, effect.removed), (Vec::new(), Some(leaves)));
}
