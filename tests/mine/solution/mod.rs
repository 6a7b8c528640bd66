//! Solutions of small games' states, against exhaustive search with the slow solver's
//! values, and one of them in words.

mod tree;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io;

use tesuji::analysis::{Length, Solution, Soundness, Tree, write_solution};
use tesuji::base::value::{Outcome, Value};
use tesuji::game::{Game, Moves, Next, Oracle};
use tesuji::games::ostle::{Move, Ostle, State};
use tesuji::games::placement::Placement;
use tesuji::table::TableOracle;

use crate::common::truth::{Truth, best, on_3x3, on_3x4, on_4x4, preference};
use crate::common::{self, Tried, Worth, golden};

fn seen(value: Value) -> Worth {
    (value.outcome(), value.plies())
}

/// The moves with a worse outcome than `outcome` that exactly one reply refutes, best
/// first, and that reply.
fn tries(truth: &Truth, state: &State, outcome: Outcome) -> Vec<(Move, Worth, Move)> {
    let mut tries = Vec::new();
    for tried in truth.tried(state) {
        let Next::State(next) = truth.game.play(state, tried.mv) else {
            continue;
        };
        let replies = truth.tried(&next).into_iter();
        // After a refutation the mover has less than `outcome`.
        let refutes = |reply: &Tried| reply.worth.0.reversed() < outcome;
        let refutations: Vec<Move> = replies.filter(refutes).map(|reply| reply.mv).collect();
        if let ([only], true) = (&refutations[..], tried.worth.0 < outcome) {
            tries.push((tried.mv, tried.worth, *only));
        }
    }
    tries.sort_by_key(|&(_, worth, _)| Reverse(preference(worth)));
    tries
}

/// Compares what a solution says of the first moves, the main line and set play.
fn compare_moves(truth: &Truth, solution: &Solution<Ostle>) {
    let state = &solution.state;
    let text = truth.game.format_state(state);
    let (worth, tried) = (truth.worth(state), truth.tried(state));
    assert_eq!(seen(solution.value), worth, "{text}");
    let keys: Vec<Move> = best(&tried).iter().map(|tried| tried.mv).collect();
    assert_eq!(solution.keys, keys, "{text}");
    let same = tried.iter().filter(|tried| tried.worth.0 == worth.0);
    let slower = same.clone().filter(|tried| tried.worth != worth);
    let mut slower: Vec<_> = slower.map(|tried| (tried.mv, tried.worth)).collect();
    slower.sort_by_key(|&(_, worth)| Reverse(preference(worth)));
    let told = solution.slower.iter();
    let told: Vec<_> = told.map(|rated| (rated.mv, seen(rated.value))).collect();
    assert_eq!(told, slower, "{text}");
    assert_eq!(solution.only_key(), same.count() == 1, "{text}");
    let failing = tried.iter().filter(|tried| tried.worth.0 < worth.0);
    assert_eq!(solution.failing, failing.count(), "{text}");
    let told = solution.tries.iter();
    let told: Vec<_> = told
        .map(|this| (this.mv, seen(this.value), this.refutation))
        .collect();
    assert_eq!(told, tries(truth, state, worth.0), "{text}");

    let line = truth.line(state);
    let moves: Vec<Move> = line.iter().map(|ply| ply.mv).collect();
    assert_eq!(solution.line, moves, "{text}");
    let own: Vec<bool> = line.iter().step_by(2).map(|ply| ply.alone).collect();
    let told = solution.steps.iter().step_by(2);
    let told: Vec<bool> = told.map(|step| step.as_good.1 == 1).collect();
    assert_eq!(told, own, "{text}");

    let passed = truth.passed(state);
    let worth = truth.worth(&passed);
    let set_play = solution.set_play.as_ref().unwrap();
    assert_eq!(seen(set_play.value), worth, "{text}");
    let line = truth.line(&passed);
    let line = line.iter().filter(|_| worth.0 != Outcome::Draw);
    let moves: Vec<Move> = line.map(|ply| ply.mv).collect();
    assert_eq!(set_play.line, moves, "{text}");
}

/// How sound a puzzle is as far as its main line tells.
fn soundness(truth: &Truth, state: &State) -> Soundness {
    let line = truth.line(state);
    let mut own = line.iter().step_by(2);
    if !line[0].alone {
        Soundness::Cooked
    } else if own.any(|ply| !ply.alone) {
        Soundness::UniqueShortestKey
    } else {
        Soundness::DualFreeLine
    }
}

/// What was seen of solutions, so that a test can tell that it saw everything.
#[derive(Debug, Default)]
struct Seen {
    solutions: usize,
    tries: usize,
    soundness: HashSet<Soundness>,
    shared: usize,
    cut: usize,
    most_nodes: usize,
    most_lines: u64,
}

/// Compares the solution of a won state.
fn compare_won(truth: &Truth, state: &State, sum: &mut Seen) {
    let game = &truth.game;
    let text = game.format_state(state);
    let oracle = TableOracle::new(&truth.table, game).unwrap();
    let solution = Solution::new(game, &oracle, state, usize::MAX).unwrap();
    assert_eq!(solution.state, *state);
    compare_moves(truth, &solution);
    let tree = &solution.tree;
    let turns = tree::turns(truth, state);
    tree::compare(truth, state, tree, &turns);
    assert_eq!(tree::main_line(tree), solution.line, "{text}");
    let lines = tree::lines(&turns, state, &mut HashMap::new());
    assert_eq!(tree.variations(), lines, "{text}");
    let dual_free = turns.values().all(|turn| turn.best.len() == 1);
    assert_eq!(tree.dual_free(), dual_free, "{text}");
    let mut soundness = soundness(truth, state);
    if soundness == Soundness::DualFreeLine && dual_free {
        soundness = Soundness::DualFreeTree;
    }
    assert_eq!(solution.soundness(), soundness, "{text}");
    let nodes = tree.nodes.len();
    for most in [1, nodes / 2, nodes - 1] {
        if (1..nodes).contains(&most) {
            let cut = Tree::new(game, &oracle, state, most).unwrap();
            tree::compare_cut(tree, &cut, most);
            sum.cut += 1;
        }
    }
    let exact = Tree::new(game, &oracle, state, nodes).unwrap();
    assert_eq!(exact, *tree, "{text}");
    let replies = tree.nodes.iter().flat_map(|node| &node.replies);
    let arrows = replies.filter(|reply| reply.then.is_some()).count();
    sum.shared += usize::from(arrows + 1 > nodes);
    sum.solutions += 1;
    sum.tries += solution.tries.len();
    sum.soundness.insert(soundness);
    sum.most_nodes = sum.most_nodes.max(nodes);
    sum.most_lines = sum.most_lines.max(lines);
}

/// Compares the solutions of every `stride`-th won state, unrestricted or not, and of
/// fewer of the others.
fn every_solution(truths: [&Truth; 2], stride: usize) {
    for truth in truths {
        let (mut sum, mut others) = (Seen::default(), 0);
        let states = truth.states();
        let outcome = |won: bool| {
            let states = states.iter();
            states.filter(move |state| (truth.worth(state).0 == Outcome::Win) == won)
        };
        for state in outcome(true).step_by(stride) {
            compare_won(truth, state, &mut sum);
        }
        for state in outcome(false).step_by(stride) {
            let oracle = TableOracle::new(&truth.table, &truth.game).unwrap();
            let solution = Solution::new(&truth.game, &oracle, state, 100).unwrap();
            compare_moves(truth, &solution);
            assert!(solution.tree.nodes.is_empty() && solution.tree.complete);
            assert_eq!(solution.tree.variations(), 0);
            // Without a tree nothing is known beyond the main line.
            assert_eq!(solution.soundness(), soundness(truth, state));
            others += 1;
        }
        println!("{truth:?}: {sum:?}, and {others} not won");
        assert!(sum.solutions > 500 && others > 50);
        assert!(sum.tries > 0 && sum.shared > 0 && sum.cut > 0);
        assert_eq!(sum.soundness.len(), 4);
    }
}

#[test]
fn solutions_on_3x3_are_what_exhaustive_search_finds() {
    every_solution(on_3x3(), 1);
}

#[test]
fn solutions_on_3x4_are_what_exhaustive_search_finds() {
    every_solution(on_3x4(), 61);
}

#[test]
fn solutions_on_4x4_are_what_exhaustive_search_finds() {
    every_solution(on_4x4(), 23);
}

#[test]
fn written_solutions_are_the_golden_ones() {
    let game = common::game("ostle:4x4,pieces=3,losses=2");
    let table = common::table(&game);
    let oracle = TableOracle::new(&table, &game).unwrap();
    let write = |position: &str, most: usize| {
        let state = game.parse_state(position).unwrap();
        let solution = Solution::new(&game, &oracle, &state, most).unwrap();
        write_solution(&game, &solution, Length::Full).to_string()
    };
    // A cook, slower wins, a try, duals, and set play that does not win at once.
    golden("solution/cooked.txt", &write("4/2b1/o2w/w1b1 b -", 100));
    // Variations that meet again, and the same tree cut.
    golden("solution/meeting.txt", &write("4/bw2/o1b1/1w2 b -", 100));
    golden("solution/cut.txt", &write("4/bw2/o1b1/1w2 b -", 5));
    // Neither side can win, or the mover loses: lines instead of a tree.
    golden("solution/drawn.txt", &write("4/b1w1/b3/o2w b -", 100));
    golden("solution/lost.txt", &write("4/1bw1/o1b1/1w2 w c3L", 100));
    golden(
        "solution/restricted.txt",
        &write("4/2b1/o2w/w1b1 b c1U", 100),
    );
}

#[test]
fn every_move_that_a_text_names_can_be_played_where_it_stands() {
    let game = common::game("ostle:4x4,pieces=3,losses=2");
    let table = common::table(&game);
    let oracle = TableOracle::new(&table, &game).unwrap();
    for position in [
        "4/2b1/o2w/w1b1 b -",
        "4/bw2/o1b1/1w2 b -",
        "4/1bw1/o1b1/1w2 w c3L",
    ] {
        let state = game.parse_state(position).unwrap();
        let solution = Solution::new(&game, &oracle, &state, 100).unwrap();
        for length in [Length::Main, Length::Short, Length::Full] {
            let text = write_solution(&game, &solution, length);
            let mut reached = Vec::new();
            for ply in &text.plies {
                let before = ply
                    .after
                    .map_or(state, |after: usize| match reached[after] {
                        Next::State(before) => before,
                        Next::Over(_) => panic!("{position}: play goes on after the end"),
                    });
                assert!(game.moves(&before).contains(&ply.mv), "{position}");
                reached.push(game.play(&before, ply.mv));
            }
            let mut named = 0;
            for line in &text.lines {
                for of_line in &line.moves {
                    let name = &line.text[of_line.place.clone()];
                    let mv = text.plies[of_line.ply].mv;
                    assert!(name == "~" || game.parse_move(name) == Ok(mv), "{name}");
                    named += 1;
                }
            }
            // No ply is named twice.
            assert!(named > 0 && named <= text.plies.len());
        }
    }
}

#[test]
fn where_both_sides_have_the_same_moves_there_is_no_set_play() {
    let game = Placement::from_spec("kings:3x4").unwrap();
    let table = common::table(&game);
    let oracle = TableOracle::new(&table, &game).unwrap();
    let solution = Solution::new(&game, &oracle, &game.initial(), 100).unwrap();
    assert!(solution.set_play.is_none());
}

/// Says of every state that it is lost in six plies.
struct AlwaysLost;

impl Oracle<Ostle> for AlwaysLost {
    type Error = io::Error;

    fn value(&self, _game: &Ostle, _state: &State) -> io::Result<Value> {
        Ok(Value::decided(Outcome::Loss, 6).unwrap())
    }

    fn values(&self, game: &Ostle, states: &[State]) -> io::Result<Vec<Value>> {
        states.iter().map(|state| self.value(game, state)).collect()
    }

    fn contradiction(&self, game: &Ostle, state: &State) -> io::Error {
        io::Error::other(game.format_state(state))
    }
}

/// Where no win comes nearer, play could go round in circles.
#[test]
fn values_that_contradict_each_other_make_no_tree() {
    let game = &on_3x3()[0].game;
    let state = game.parse_state("bw1/o2/1b1 b -").unwrap();
    for most in [1, 2_000] {
        let error = Tree::new(game, &AlwaysLost, &state, most).unwrap_err();
        assert!(game.parse_state(&error.to_string()).is_ok(), "{error}");
    }
}
