//! The data of the page, read by a second hand: every move of every position in it
//! is checked with the rules and the naive solver.

use std::collections::HashMap;
use std::fs;

use crate::common::naive::NaiveSolution;
use serde_json::Value as Json;
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, Ranked};
use tesuji::games::ostle::{Ostle, State};

use super::{SMALL, mined};
use crate::common::program::ok;
use crate::common::{Worth, game, naive, page_data, worth};

/// The squares of a position from its one-line form, rank by rank from below.
pub fn squares(text: &str) -> Vec<char> {
    let board = text.split(' ').next().unwrap();
    let ranks = board.split('/').rev();
    ranks
        .flat_map(|rank| {
            rank.chars().flat_map(|letter| match letter.to_digit(10) {
                Some(empty) => vec!['.'; empty as usize],
                None => vec![letter],
            })
        })
        .collect()
}

fn small(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

struct Page<'a> {
    data: Json,
    game: &'a Ostle,
    naive: &'a NaiveSolution<State>,
    /// Problem by problem: the nodes seen, with their states.
    seen: HashMap<u64, State>,
    moves: usize,
}

impl Page<'_> {
    /// The letters of the notation for a board of the page.
    fn board(&self, board: &Json) -> Vec<char> {
        let letters = board.as_str().unwrap().chars();
        letters
            .map(|letter| {
                let kind = &self.data["legend"][letter.to_string()];
                match kind[0].as_str() {
                    Some("dark") => 'b',
                    Some("light") => 'w',
                    Some("hole") => 'o',
                    _ => '.',
                }
            })
            .collect()
    }

    /// Plays an act on letters, as the page does: everything slides, what is lost
    /// is gone.
    fn slide(&self, board: &[char], act: &Json) -> Vec<char> {
        let width = self.data["boards"][0]["size"][0].as_u64().unwrap();
        let place = |point: u64| {
            let (row, column) = (point / (width + 2), point % (width + 2));
            (1..=width)
                .contains(&column)
                .then(|| small((row - 1) * width + column - 1))
        };
        let slides: Vec<u64> = act[3]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect();
        let mut after = board.to_vec();
        for pair in slides.chunks(2) {
            after[place(pair[0]).unwrap()] = '.';
        }
        for (index, pair) in slides.chunks(2).enumerate() {
            if act[4] != index {
                after[place(pair[1]).unwrap()] = board[place(pair[0]).unwrap()];
            }
        }
        after
    }

    /// Whether an act begins and aims where its name says.
    fn aims(&self, act: &Json) {
        let name: Vec<char> = act[0].as_str().unwrap().chars().collect();
        let width = self.data["boards"][0]["size"][0].as_u64().unwrap() + 2;
        let column = u64::from(u32::from(name[0]) - u32::from('a'));
        let row = u64::from(name[1].to_digit(10).unwrap()) - 1;
        let from = (row + 1) * width + column + 1;
        let to = match name[2] {
            'U' => from + width,
            'D' => from - width,
            'L' => from - 1,
            _ => from + 1,
        };
        assert_eq!(
            (act[1].as_u64(), act[2].as_u64()),
            (Some(from), Some(to)),
            "{act}"
        );
    }

    fn act(&self, number: &Json) -> &Json {
        &self.data["acts"][small(number.as_u64().unwrap())]
    }

    /// A move by its name, what it is worth, and what it leads to; its slides are
    /// compared with the rules.
    fn step(&self, state: &State, number: &Json) -> (Worth, Next<State>) {
        let act = self.act(number);
        self.aims(act);
        let mv = self.game.parse_move(act[0].as_str().unwrap()).unwrap();
        assert!(self.game.moves(state).contains(&mv), "{act} is legal");
        let next = self.game.play(state, mv);
        let value = match &next {
            Next::Over(outcome) => (*outcome, Some(1)),
            Next::State(next) => {
                let slid = self.slide(&squares(&self.game.format_state(state)), act);
                assert_eq!(slid, squares(&self.game.format_state(next)), "{act}");
                let (outcome, plies) = worth(self.game, self.naive, next);
                (outcome.reversed(), plies.map(|plies| plies + 1))
            }
        };
        (value, next)
    }

    fn node(&mut self, problem: &Json, place: u64, state: &State) {
        if let Some(before) = self.seen.insert(place, *state) {
            assert_eq!(before, *state, "one node is one position");
            return;
        }
        let node = &problem["nodes"][small(place)];
        let text = self.game.format_state(state);
        assert_eq!(self.board(&node[0]), squares(&text));
        let banned = text.rsplit(' ').next().unwrap();
        let told = node
            .get(2)
            .map(|ban| &self.data["bans"][small(ban.as_u64().unwrap())]);
        assert_eq!(told.map_or("-", |ban| ban[0].as_str().unwrap()), banned);

        let choices = node[1].as_array().unwrap().clone();
        let mut names: Vec<_> = choices
            .iter()
            .map(|c| self.act(&c[0])[0].as_str().unwrap().to_owned())
            .collect();
        let mut legal: Vec<_> = self
            .game
            .moves(state)
            .iter()
            .map(|&mv| self.game.format_move(mv))
            .collect();
        names.sort();
        legal.sort();
        assert_eq!(names, legal, "all legal moves and no other");
        let mine = worth(self.game, self.naive, state);
        for choice in choices {
            self.moves += 1;
            let (value, next) = self.step(state, &choice[0]);
            let signed = match value {
                (Outcome::Win, Some(plies)) => i64::from(plies),
                (Outcome::Loss, Some(plies)) => -i64::from(plies),
                _ => 0,
            };
            assert_eq!(choice[1].as_i64(), Some(signed), "{choice}");
            let Next::State(defence) = next else {
                assert_eq!(
                    choice.as_array().unwrap().len(),
                    2,
                    "nothing follows the end"
                );
                continue;
            };
            let best = value == mine;
            if best && value.0 == Outcome::Draw {
                assert_eq!(choice.as_array().unwrap().len(), 2, "a draw held is solved");
                continue;
            }
            let (reply, after) = self.step(&defence, &choice[2]);
            assert_eq!(
                reply,
                worth(self.game, self.naive, &defence),
                "the best reply"
            );
            match (after, choice.get(3).and_then(Json::as_u64)) {
                (Next::State(next), Some(place)) if best => self.node(problem, place, &next),
                (Next::Over(_), None) if best => {}
                (_, None) if !best => {}
                other => panic!("{choice}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_page_holds_the_truth() {
    let folder = mined();
    let here = folder.path();
    ok(&["book", "puzzles.csv", "-o", "book.html"], here);
    ok(&["book", "puzzles.csv", "-o", "again.html"], here);
    let html = fs::read_to_string(here.join("book.html")).unwrap();
    assert_eq!(html, fs::read_to_string(here.join("again.html")).unwrap());
    let data = page_data(&html);

    let game = game(SMALL);
    assert!(game.slots() < 100_000, "small enough for the naive solver");
    let naive = naive(&game);
    let mut page = Page {
        data: data.clone(),
        game: &game,
        naive: &naive,
        seen: HashMap::new(),
        moves: 0,
    };
    let csv = fs::read_to_string(here.join("puzzles.csv")).unwrap();
    assert_eq!(
        data["puzzles"].as_array().unwrap().len(),
        csv.lines().count() - 1
    );
    let mut plies = 0;
    for problem in data["puzzles"].as_array().unwrap() {
        page.seen.clear();
        let state = game
            .parse_state(problem["position"].as_str().unwrap())
            .unwrap();
        page.node(problem, 0, &state);
        assert_eq!(
            page.seen.len(),
            problem["nodes"].as_array().unwrap().len(),
            "no node is idle"
        );
        // The main line is as long as the problem, and legal.
        let mut at = Next::State(state);
        for number in problem["line"].as_array().unwrap() {
            let Next::State(state) = at else {
                panic!("the game is over before the line is");
            };
            at = page.step(&state, number).1;
            plies += 1;
        }
        if problem["length"] != 0 {
            assert_eq!(
                Some(problem["line"].as_array().unwrap().len() as u64),
                problem["length"].as_u64()
            );
            assert!(matches!(at, Next::Over(_)));
        }
    }
    assert!(
        page.moves > 50 && plies > 20,
        "{} moves, {plies} plies",
        page.moves
    );
}
