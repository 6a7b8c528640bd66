//! What the columns about whole solutions should say.

use std::collections::HashMap;

use tesuji::base::value::Outcome;
use tesuji::game::{Moves, Next};
use tesuji::games::ostle::State;

use super::expected::Seen::{Flag, Number, Unchecked, Word};
use super::expected::{Rule, count, rule};
use super::facts::Facts;
use crate::common::truth::{best, preference};

/// A tree below a state: its variations, and whether no turn of the solver in it has
/// two best moves.
type Grown = (usize, bool);

/// Grows the tree of a won state; `known` has a state for each turn of the solver.
fn grow(f: &Facts, state: &State, known: &mut HashMap<State, Grown>) -> Grown {
    if let Some(&grown) = known.get(state) {
        return grown;
    }
    let game = &f.truth.game;
    let keys = best(&f.truth.tried(state));
    let mut grown = (1, keys.len() == 1);
    if let Next::State(defence) = game.play(state, keys[0].mv) {
        grown.0 = 0;
        for reply in best(&f.truth.tried(&defence)) {
            match game.play(&defence, reply.mv) {
                Next::Over(_) => grown.0 += 1,
                Next::State(next) => {
                    let below = grow(f, &next, known);
                    grown = (grown.0 + below.0, grown.1 && below.1);
                }
            }
        }
    }
    known.insert(*state, grown);
    grown
}

/// The tree of a state: variations, freedom of duals, turns of the solver.
fn tree(f: &Facts) -> (usize, bool, usize) {
    if f.worth.0 != Outcome::Win {
        return (0, false, 0);
    }
    let mut known = HashMap::new();
    let grown = grow(f, &f.state, &mut known);
    (grown.0, grown.1, known.len())
}

/// Moves with a worse outcome that exactly one reply refutes.
fn tries(f: &Facts) -> usize {
    let refuted_once = |mv| match f.truth.game.play(&f.state, mv) {
        Next::Over(_) => false,
        Next::State(next) => {
            let replies = f.truth.tried(&next);
            let refute = replies
                .iter()
                .filter(|reply| reply.worth.0.reversed() < f.worth.0);
            refute.count() == 1
        }
    };
    let failing = f.moves.iter().filter(|mv| mv.tried.worth.0 < f.worth.0);
    failing.filter(|mv| refuted_once(mv.tried.mv)).count()
}

/// How sound it is, worst first.
fn level(f: &Facts) -> usize {
    let keys = f.moves.iter().filter(|mv| mv.tried.worth == f.worth);
    if keys.count() != 1 {
        0
    } else if !f.own_plies().iter().all(|ply| ply.alone) {
        1
    } else if !tree(f).1 {
        2
    } else {
        3
    }
}

fn given_up(f: &Facts) -> usize {
    let own = |ply: &crate::common::truth::Ply| {
        let tried = f.truth.tried(&ply.state).into_iter();
        tried
            .filter(|tried| tried.mv == ply.mv)
            .any(|tried| tried.sacrifice)
    };
    f.own_plies().iter().filter(|ply| own(ply)).count()
}

pub fn solution(name: &str) -> Option<Rule> {
    Some(match name {
        "solver_moves" => rule(|f| count(f.own_plies().len())),
        "unique_moves" => rule(|f| {
            let plies = f.own_plies();
            count(
                plies
                    .iter()
                    .position(|ply| !ply.alone)
                    .unwrap_or(plies.len()),
            )
        }),
        "dual_free" => rule(|f| Flag(f.own_plies().iter().all(|ply| ply.alone))),
        "soundness" => rule(|f| {
            let names = [
                "cooked",
                "uniqueShortestKey",
                "dualFreeLine",
                "dualFreeTree",
            ];
            Word(names[level(f)].to_owned())
        }),
        "n_tries" => rule(|f| count(tries(f))),
        "variations" => rule(|f| count(tree(f).0)),
        "tree_nodes" => rule(|f| count(tree(f).2)),
        "score_soundness" => rule(|f| {
            let only = f.moves.iter().filter(|mv| mv.tried.worth.0 == f.worth.0);
            let only = only.count() == 1;
            count(10 * level(f) + if only { 5 } else { 0 })
        }),
        "score_temptation" => rule(|f| {
            let failing = f.moves.iter().filter(|mv| mv.tried.worth.0 < f.worth.0);
            count((2 * tries(f) + failing.count()).min(15))
        }),
        "difficulty" => rule(|f| {
            let bits = f.own_plies().into_iter().map(|ply| {
                let moves = f.truth.tried(&ply.state);
                (moves.len() as f64 / best(&moves).len() as f64).log2()
            });
            Number(format!("{:.0}", bits.sum::<f64>()).parse().unwrap())
        }),
        // The sums of what the themes are worth; themes are examined one by one in
        // tests/mine/themes.rs.
        "score" | "score_paradox" => rule(|_| Unchecked),
        // Players who look ahead have a second program of their own, in tests/solve/lures.
        "look_ahead" | "lure_run" | "solved_at" | "line_look_ahead" | "line_lure_run"
        | "line_solved_at" => rule(|_| Unchecked),
        name if name.starts_with("swindle_") => rule(|_| Unchecked),
        _ => theme(name.strip_prefix("theme_")?),
    })
}

/// Themes that can be told without following pieces.
fn theme(name: &str) -> Rule {
    let key = |f: &Facts| {
        let key = f.line()[0].mv;
        *f.moves.iter().find(|mv| mv.tried.mv == key).unwrap()
    };
    let won = |f: &Facts| f.worth.0 == Outcome::Win;
    match name {
        "sacrifice" => rule(|f| Flag(given_up(f) == 1)),
        "double_sacrifice" => rule(|f| Flag(given_up(f) >= 2)),
        "hole_key" => rule(move |f| Flag(key(f).kinds[2])),
        "quiet_key" => rule(move |f| Flag(key(f).kinds[4] && f.own_plies().len() >= 3)),
        "underdog" => rule(move |f| {
            Flag(won(f) && f.state.own().count_ones() < f.state.opponent().count_ones())
        }),
        "capture_refused" => rule(|f| {
            let captures = f.captures();
            let refused = captures.iter().all(|mv| mv.worth != f.worth);
            Flag(!captures.is_empty() && refused)
        }),
        "symmetry" => rule(|f| Flag(super::board::symmetries(&f.truth.game, &f.state) > 1)),
        "zugzwang" => rule(move |f| {
            let Next::State(next) = f.truth.game.play(&f.state, f.line()[0].mv) else {
                return Flag(false);
            };
            // Were the defender to pass, the solver would be to move again.
            let passed = f.truth.worth(&f.truth.passed(&next)).0.reversed();
            Flag(won(f) && preference((passed, None)) > preference((Outcome::Loss, None)))
        }),
        "ban_win" => rule(move |f| {
            let by_ban = f.own_plies().into_iter().any(|ply| {
                let Next::State(next) = f.truth.game.play(&ply.state, ply.mv) else {
                    return false;
                };
                f.truth.worth(&next).0 != f.truth.worth(&next.unrestricted()).0
            });
            Flag(won(f) && by_ban)
        }),
        "mutate" => rule(move |f| {
            let (truth, game) = (f.truth, &f.truth.game);
            let set = truth.passed(&f.state);
            let (outcome, plies) = truth.worth(&set);
            let keys = best(&truth.tried(&f.state));
            let sooner = won(f) && outcome == Outcome::Loss && plies < f.worth.1;
            let ([key], true) = (&keys[..], sooner) else {
                return Flag(false);
            };
            let Next::State(after) = game.play(&f.state, key.mv) else {
                return Flag(false);
            };
            let answer = |state: &State, defence| match game.play(state, defence) {
                Next::State(next) => match best(&truth.tried(&next))[..] {
                    [only] => Some(only.mv),
                    _ => None,
                },
                Next::Over(_) => None,
            };
            let in_set = game.moves(&set);
            let defences = best(&truth.tried(&after)).into_iter();
            let mut in_both = defences.filter(|defence| in_set.contains(&defence.mv));
            Flag(in_both.any(|defence| {
                let (before, now) = (answer(&set, defence.mv), answer(&after, defence.mv));
                before.is_some() && now.is_some() && before != now && before != Some(key.mv)
            }))
        }),
        // Ostle has no moves of their kinds.
        "mirror_trap" | "promotion_race" | "shattering_key" => rule(|_| Flag(false)),
        // Those that follow pieces are examined in tests/mine/themes.rs.
        "decoy" | "echo" | "edge_sacrifice" | "hole_sacrifice" | "long_march" | "round_trip"
        | "self_block" | "single_piece" | "switchback" => rule(|_| Unchecked),
        _ => panic!("no test knows the theme '{name}'"),
    }
}
