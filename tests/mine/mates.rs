//! Mate problems, against a search that knows legal moves and attacks on the lion only.

use std::collections::HashMap;

use crate::common::naive::{self, NaiveSolution};
use tesuji::analysis::{Fault, Solution, Stipulation, check};
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, Oracle, Ranked, Symmetric};
use tesuji::games::pieces::{Move, Pieces, State};
use tesuji::table::TableOracle;

use crate::common;

/// The longest mates that are asked for.
const LONGEST: u16 = 7;

struct Search {
    game: Pieces,
    known: HashMap<(State, u16), bool>,
}

impl Search {
    /// Whether a side's lion is attacked: read off the letters.
    fn lion_attacked(&self, state: &State, gote: bool) -> bool {
        let text = self.game.format_state(state);
        let rows: Vec<Vec<char>> = text
            .split('/')
            .skip(1)
            .take(4)
            .map(|row| row.chars().collect())
            .collect();
        let lion = if gote { 'l' } else { 'L' };
        let squares = || (0..4_usize).flat_map(|row| (0..3_usize).map(move |file| (row, file)));
        let at = |(row, file): (usize, usize)| rows[row][file];
        let to = squares().find(|&it| at(it) == lion).unwrap();
        squares().any(|from| {
            let letter = at(from);
            let theirs = letter != '-' && letter.is_lowercase() != gote;
            let near = to != from && to.0.abs_diff(from.0) <= 1 && to.1.abs_diff(from.1) <= 1;
            // Forward is up for Sente, who has the capitals.
            let ahead = if letter.is_lowercase() {
                to.0 > from.0
            } else {
                to.0 < from.0
            };
            let straight = to.0 == from.0 || to.1 == from.1;
            let steps = match letter.to_ascii_uppercase() {
                'L' => true,
                'C' => ahead && straight,
                'R' => ahead || straight,
                _ => false,
            };
            theirs && near && steps
        })
    }

    fn attacked(&self, state: &State) -> bool {
        self.lion_attacked(state, self.game.side_to_move(state) == "Gote")
    }

    /// Whether the side to move can take the lion.
    fn takes(&self, state: &State) -> bool {
        self.lion_attacked(state, self.game.side_to_move(state) == "Sente")
    }

    /// Whether a move begins a mate of at most this many plies.
    fn is_mating(&mut self, state: &State, mv: Move, plies: u16) -> bool {
        match self.game.play(state, mv) {
            Next::State(next) => {
                self.attacked(&next) && !self.takes(&next) && self.mated(&next, plies - 1)
            }
            Next::Over(_) => false,
        }
    }

    fn mates(&mut self, state: &State, plies: u16) -> bool {
        if self.takes(state) {
            return false;
        }
        let key = (self.game.canonical(state), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let moves = self.game.moves(state);
        let found = moves.into_iter().any(|mv| self.is_mating(state, mv, plies));
        self.known.insert(key, found);
        found
    }

    fn mated(&mut self, state: &State, plies: u16) -> bool {
        self.game
            .moves(state)
            .into_iter()
            .all(|mv| match self.game.play(state, mv) {
                Next::Over(outcome) => outcome == Outcome::Loss,
                Next::State(next) if self.takes(&next) => true,
                Next::State(next) => plies >= 2 && self.mates(&next, plies - 1),
            })
    }

    fn shortest(&mut self, state: &State) -> Option<u16> {
        (1..=LONGEST)
            .step_by(2)
            .find(|&plies| self.mates(state, plies))
    }
}

fn worth(game: &Pieces, naive: &NaiveSolution<State>, state: &State) -> (Outcome, Option<u16>) {
    let value = naive.value(&game.canonical(state)).unwrap();
    (value.outcome(), value.plies())
}

#[test]
fn mates_are_those_of_a_search_that_knows_moves_and_attacks() {
    let game = Pieces::shipped("dobutsu:pieces=lion+chick").unwrap();
    let table = common::table(&game);
    let positions = (0..game.slots()).filter_map(|slot| game.unrank(slot));
    let naive = naive::solve(&game, positions, |state| game.canonical(state));
    let mut search = Search {
        game: Pieces::shipped("dobutsu:pieces=lion+chick").unwrap(),
        known: HashMap::new(),
    };
    let oracle = TableOracle::new(&table, &game).unwrap();
    // By verdict: sound, cooked, of another length, quiet wins that are no cooks.
    let (mut sound, mut cooked, mut other, mut quiet) = (0, 0, 0, 0);
    for (slot, state) in (0..game.slots()).filter_map(|slot| Some((slot, game.unrank(slot)?))) {
        let shortest = search.shortest(&state);
        if shortest.is_none_or(|plies| plies == 1) && slot % 37 != 0 {
            continue;
        }
        let (outcome, plies) = worth(&game, &naive, &state);
        for asked in [1, 3, 5] {
            let met =
                outcome == Outcome::Win && shortest == Some(asked) && plies == Some(asked + 2);
            let moves = game.moves(&state);
            let solving: Vec<Move> = moves
                .into_iter()
                .filter(|&mv| !search.takes(&state) && search.is_mating(&state, mv, asked))
                .collect();
            let mut expected = Vec::new();
            if outcome != Outcome::Win {
                expected.push(Fault::Outcome);
            } else if !met {
                expected.push(Fault::Distance);
            }
            if solving.len() > 1 {
                expected.push(Fault::Cooked);
            }
            let task = Stipulation::parse(&format!("mate in {asked}")).unwrap();
            let text = game.format_state(&state);
            let value = oracle.value(&game, &state).unwrap();
            assert_eq!(task.met_in(&game, &state, value), met, "{text} {asked}");
            if met || slot % 37 == 0 {
                let verdict = check(&game, &table, &state, task).unwrap();
                assert_eq!(verdict.faults, expected, "{text} {asked}");
                let mut found: Vec<Move> = verdict.solving.iter().map(|it| it.mv).collect();
                found.sort_unstable();
                let mut solving = solving.clone();
                solving.sort_unstable();
                assert_eq!(found, solving, "{text} {asked}");
                if met {
                    let mut keys = verdict.solution.keys.clone();
                    keys.sort_unstable();
                    assert_eq!(keys, solving, "{text} {asked}");
                    // The solver gives check up to the move that mates.
                    let own = verdict.solution.steps.iter().step_by(2);
                    for step in own.take(usize::from(asked / 2 + 1)) {
                        let Next::State(next) = game.play(&step.state, step.mv) else {
                            panic!("{text}: the mating move does not end the game");
                        };
                        assert!(search.attacked(&next), "{text} {asked}");
                    }
                    let plain = Solution::new(&game, &oracle, &state, 0).unwrap();
                    quiet += usize::from(plain.keys.len() > keys.len());
                }
            }
            match expected[..] {
                [] => sound += 1,
                [Fault::Cooked] => cooked += 1,
                _ => other += 1,
            }
        }
    }
    println!("{sound} sound, {cooked} cooked, {other} others, {quiet} with quiet wins");
    assert!(
        sound > 30 && cooked > 5 && other > 1000,
        "{sound} {cooked} {other}"
    );
}

/// Kings and guards on three files, where games end in other ways too: keys of the rules and of
/// the guard.
fn guards(keys: &str, of_guard: &str) -> Pieces {
    let rules = format!(
        "title = 'Guards'\ncolumns = 3\nrows = 4\n{keys}\nstart = ['-kg', '---', '---', 'GK-']\n[[piece]]\nletter = 'K'\nmoves = 'K'\nroyal = true\n[[piece]]\nletter = 'G'\nname = 'guard'\nmoves = 'W'\n{of_guard}\n"
    );
    Pieces::from_file("guards.toml", &rules).unwrap()
}

/// A defender who wins at once, or is stuck where that does not lose, is not mated.
#[test]
fn mates_are_won_whatever_else_ends_the_game() {
    let mut counted = Vec::new();
    for (keys, of_guard) in [
        ("no_move = 'loss'\ntry = 'any'", ""),
        ("no_move = 'loss'\nbare_loses = true", ""),
        ("no_move = 'win'", ""),
        ("no_move = 'draw'", ""),
        ("no_move = 'loss'", "wins_on_far_rank = true"),
    ] {
        let game = guards(keys, of_guard);
        let table = common::table(&game);
        let oracle = TableOracle::new(&table, &game).unwrap();
        let mut mates = 0;
        for state in (0..game.slots()).filter_map(|slot| game.unrank(slot)) {
            let Some(plies) = game.mate(&state) else {
                continue;
            };
            let text = format!("{keys} {of_guard}: {}", game.format_state(&state));
            let value = oracle.value(&game, &state).unwrap();
            assert_eq!(value.outcome(), Outcome::Win, "{text}");
            assert!(value.plies() <= Some(plies + 2), "{text}");
            mates += 1;
            let task = Stipulation::parse(&format!("mate in {plies}")).unwrap();
            if task.met_in(&game, &state, value) {
                check(&game, &table, &state, task).unwrap();
            }
        }
        counted.push(mates);
    }
    // Whoever takes the only guard wins at once.
    assert_eq!(counted.remove(1), 0);
    assert!(counted.iter().all(|&mates| mates > 4), "{counted:?}");
}

#[test]
fn games_without_mates_refuse_them() {
    let asked = Stipulation::parse("Black to move and mate in 5").unwrap();
    let game = common::game("ostle:3x3,pieces=2,losses=2");
    let error = asked.in_game(&game).unwrap_err();
    let words = error.to_string();
    assert!(
        words.starts_with("there are no mates")
            && words.contains("ostle:3x3,pieces=2,losses=2")
            && words.contains("mate in 5")
    );
    let mates = asked.in_game(&Pieces::shipped("dobutsu").unwrap()).unwrap();
    assert_eq!(mates.to_string(), "mate in 5");
    assert_eq!(asked.to_string(), "mate in 5");
}
