//! Swindles: the columns, and the lines of the page played through against every choice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::game::{FeatureValue, Game};
use tesuji::mine::{Catalogue, Filter, Find, Solved, measure, puzzles};
use tesuji::mine::{Predicate, Scope};

use super::BOARDS;
use super::naive::{Move, Naive, Outcome, To};
use crate::common::scan;

#[test]
fn columns_of_swindles_are_those_of_the_naive_program() {
    let mut some = BTreeSet::new();
    for board in &*BOARDS {
        let naive = &board.naive;
        let catalogue = Catalogue::new(&board.game);
        let all = 0..naive.states.len();
        let states: Vec<_> = all
            .clone()
            .map(|state| board.game.parse_state(&naive.text(state)).unwrap())
            .collect();
        let name = |depth: usize| format!("swindle_{depth}");
        let wanted: Vec<_> = (1..=6)
            .map(|depth| catalogue.find(&name(depth)).unwrap())
            .collect();
        assert!(catalogue.find(&name(7)).is_none());
        let rows = measure(&board.game, &board.table, &catalogue, &wanted, &states).unwrap();
        for depth in 1..=6 {
            let within = naive.forced(depth);
            for state in all.clone() {
                let expected = within[state].map_or(FeatureValue::NONE, |moves| {
                    FeatureValue::count(2 * moves as usize)
                });
                let found = rows[state][depth - 1];
                assert_eq!(found, expected, "{} at {depth}", naive.text(state));
                if found != FeatureValue::NONE {
                    some.insert(depth);
                }
            }
        }
    }
    assert_eq!(some.len(), 6, "swindles at all depths");
}

#[test]
fn problems_are_swindles_of_the_naive_program_with_their_key_alone() {
    let board = &BOARDS[1];
    let (game, naive) = (&board.game, &board.naive);
    let states: BTreeMap<_, _> = (0..naive.states.len())
        .map(|state| (naive.text(state), state))
        .collect();
    for (depth, limit) in [(1, 30), (2, 30), (3, 30)] {
        let text = format!(
            "name = 'made'\npredicate = 'swindle_{depth} >= 4'\norder = ['-swindle_{depth}']\nlimit = {limit}\nshortlist = 60\ndistinct = true\nagainst = {depth}"
        );
        let filter = Filter::parse(&text, "made.toml").unwrap();
        let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
        let tasks = [(&predicate, filter.scanned(Some(limit)))];
        let mut scans = scan(game, &board.table, &tasks, &Scope::all(), &NoProgress).unwrap();
        let source = Solved::new(&board.table, game).unwrap();
        let scan = scans.remove(0);
        let rows = puzzles(game, &source, &filter, scan, Some(limit), &NoProgress).unwrap();
        assert!(!rows.is_empty());
        let within = naive.forced(depth);
        for (row, _) in rows {
            let state = states[&row.position];
            let moves = within[state].unwrap();
            let task = format!(
                "force a mistake in {} plies from a player who looks {depth} {} ahead",
                2 * moves,
                if depth == 1 { "ply" } else { "plies" }
            );
            assert_eq!(row.stipulation, format!("Black to move and {task}"));
            assert_eq!(row.solution.split(' ').count(), 2 * moves as usize);
            let falls = |to: To| falls(naive, &within, depth, to);
            let keys: Vec<_> = naive
                .legal(state)
                .filter(|&(_, to)| naive.outcome(to) == Outcome::Draw && falls(to) == Some(moves))
                .map(|(mv, _)| naive.move_text(mv))
                .collect();
            assert_eq!(row.n_best as usize, keys.len(), "{}", row.position);
            assert!(keys.contains(&row.key), "{} {keys:?}", row.position);
            assert_eq!(row.soundness == "cooked", keys.len() > 1);
            assert_eq!((row.outcome.as_str(), row.plies), ("draw", None));
            assert_eq!((row.line_look_ahead, row.line_solved_at), (None, None));
        }
    }
}

/// Moves within which the opponent, who is to move after `to`, goes wrong.
fn falls(naive: &Naive, within: &[Option<u32>], depth: usize, to: To) -> Option<u32> {
    let To::State(next) = to else { return None };
    let replies = naive
        .liked(next, depth)
        .into_iter()
        .map(|(_, to)| match to {
            To::State(again) if naive.outcome(to) == Outcome::Draw => within[again],
            _ => Some(0),
        });
    let replies: Option<Vec<u32>> = replies.collect();
    Some(1 + replies?.into_iter().max()?)
}

#[test]
fn a_find_without_a_forced_mistake_is_refused() {
    let board = &BOARDS[1];
    let game = &board.game;
    let text = "name = 'made'\npredicate = \"outcome = 'draw' AND swindle_2 IS NULL\"\nlimit = 1\nagainst = 2";
    let filter = Filter::parse(text, "made.toml").unwrap();
    let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
    let tasks = [(&predicate, Some(1))];
    let mut scans = scan(game, &board.table, &tasks, &Scope::all(), &NoProgress).unwrap();
    let first: &Find<_> = &scans[0].finds[0];
    let position = game.format_state(&first.state);
    let source = Solved::new(&board.table, game).unwrap();
    let refused = puzzles(
        game,
        &source,
        &filter,
        scans.remove(0),
        Some(1),
        &NoProgress,
    );
    let message = refused.unwrap_err().to_string();
    assert!(message.contains(&position), "{message}");
    assert!(message.contains("swindle_2 IS NOT NULL"), "{message}");
    for wrong in ["0", "7", "-1", "'x'"] {
        let text = text.replace("against = 2", &format!("against = {wrong}"));
        assert!(Filter::parse(&text, "made.toml").is_err(), "{wrong}");
    }
}

/// A swindle as the page prints it.
struct Printed {
    position: String,
    depth: usize,
    plies: u32,
    nodes: Vec<Node>,
}

/// A turn of the lurer.
#[derive(Default)]
struct Node {
    mv: String,
    /// Moves in parentheses, which force it as fast.
    duals: Vec<String>,
    /// What it goes on like is printed elsewhere.
    elsewhere: bool,
    /// Replies, and the turn that follows if the game goes on.
    replies: Vec<(Vec<String>, Option<usize>)>,
}

/// Reads indented variations.
fn read(lines: &[&str]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    // By indentation and number: the last turn.
    let mut last: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for line in lines {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let mut from: Option<(usize, usize)> = None;
        for token in line.split_whitespace() {
            let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
            if let Some((number, replies)) = token.split_once("...") {
                let parent = last[&(depth - 1, number.parse().unwrap())];
                nodes[parent].replies.push((names(replies), None));
                from = Some((parent, nodes[parent].replies.len() - 1));
            } else if let Some((number, mv)) = token.split_once('.').filter(|it| !it.1.is_empty()) {
                let (mv, duals) = mv.split_once('(').unwrap_or((mv, ""));
                let duals = duals.trim_end_matches(')');
                nodes.push(Node {
                    mv: mv.trim_end_matches('!').to_owned(),
                    duals: names(duals)
                        .into_iter()
                        .filter(|it| !it.is_empty())
                        .collect(),
                    ..Node::default()
                });
                let place = nodes.len() - 1;
                if let Some((parent, reply)) = from {
                    nodes[parent].replies[reply].1 = Some(place);
                }
                last.insert((depth, number.parse().unwrap()), place);
                from = Some((place, 0));
            } else if token == "etc." {
                nodes[from.unwrap().0].elsewhere = true;
            } else {
                let (place, _) = from.unwrap();
                nodes[place].replies.push((names(token), None));
                from = Some((place, nodes[place].replies.len() - 1));
            }
        }
    }
    nodes
}

/// The swindles of the page: each a command and what it prints.
fn printed() -> Vec<Printed> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analysis/lures/README.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("## Three swindles").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let blocks: Vec<&str> = section.split("```").skip(1).step_by(2).collect();
    let swindles = blocks.chunks(2).map(|pair| {
        let [command, output] = pair else {
            panic!("a command without what it prints")
        };
        let position = command.split('"').nth(1).unwrap();
        let (_, depth) = command.trim().rsplit_once(' ').unwrap();
        let (_, after) = output.split_once("mistake forced within ").unwrap();
        let (plies, _) = after.split_once(' ').unwrap();
        let (_, tree) = output.split_once("an opponent chooses\n").unwrap();
        Printed {
            position: position.to_owned(),
            depth: depth.parse().unwrap(),
            plies: plies.parse().unwrap(),
            nodes: read(&tree.lines().collect::<Vec<_>>()),
        }
    });
    swindles.collect()
}

/// Plays a turn and what follows against every choice of the player who looks ahead. Returns the
/// number of the opponent's moves up to the last mistake, or what is not as printed.
fn play(
    naive: &Naive,
    this: &Printed,
    within: &[Option<u32>],
    place: usize,
    state: usize,
) -> Result<u32, String> {
    let node = &this.nodes[place];
    if node.elsewhere {
        // The same move stands with its variations in some other place.
        let full = this.nodes.iter().enumerate();
        let full = full.filter(|(_, other)| !other.elsewhere && other.mv == node.mv);
        let mut played = full.map(|(other, _)| play(naive, this, within, other, state));
        return played
            .find(Result::is_ok)
            .unwrap_or_else(|| Err(format!("{} etc. in {}", node.mv, naive.text(state))));
    }
    let named = |name: &str| -> Option<(Move, To)> {
        naive
            .legal(state)
            .find(|&(mv, _)| naive.move_text(mv) == name)
    };
    for dual in &node.duals {
        let (_, to) = named(dual).ok_or_else(|| format!("{dual} is no move"))?;
        if falls(naive, within, this.depth, to) != within[state] {
            return Err(format!("{dual} is no dual in {}", naive.text(state)));
        }
    }
    let (_, to) = named(&node.mv).ok_or_else(|| format!("{} is no move", node.mv))?;
    let (To::State(next), Outcome::Draw) = (to, naive.outcome(to)) else {
        return Err(format!("{} gives up the draw", node.mv));
    };
    let liked: BTreeMap<String, To> = naive
        .liked(next, this.depth)
        .into_iter()
        .map(|(mv, to)| (naive.move_text(mv), to))
        .collect();
    let written: BTreeSet<&str> = (node.replies.iter())
        .flat_map(|(names, _)| names.iter().map(String::as_str))
        .collect();
    let expected: BTreeSet<&str> = liked.keys().map(String::as_str).collect();
    if written != BTreeSet::from(["~"]) && written != expected {
        return Err(format!("{written:?} where {expected:?} are liked"));
    }
    let mut longest = 0;
    for (names, then) in &node.replies {
        for (name, &to) in liked
            .iter()
            .filter(|(it, _)| names.contains(it) || names[0] == "~")
        {
            let more = match (then, to, naive.outcome(to)) {
                (None, _, Outcome::Loss) => 0,
                (Some(then), To::State(again), Outcome::Draw) => {
                    play(naive, this, within, *then, again)?
                }
                _ => return Err(format!("{name} in {}", naive.text(next))),
            };
            longest = longest.max(1 + more);
        }
    }
    Ok(longest)
}

#[test]
fn the_swindles_of_the_page_work_against_every_choice() {
    let naive = &BOARDS[1].naive;
    let found = printed();
    assert_eq!(found.len(), 3);
    let states: BTreeMap<_, _> = (0..naive.states.len())
        .map(|state| (naive.text(state), state))
        .collect();
    for mut this in found {
        let start = states[&this.position];
        assert_eq!(naive.outcomes[start], Outcome::Draw, "{}", this.position);
        let within = naive.forced(this.depth);
        let moves = play(naive, &this, &within, 0, start);
        assert_eq!(moves.map(|it| 2 * it), Ok(this.plies), "{}", this.position);
        // A line less is missed.
        let replies = &mut this.nodes[0].replies;
        if replies.len() > 1 {
            replies.pop();
            assert!(
                play(naive, &this, &within, 0, start).is_err(),
                "{}",
                this.position
            );
        }
    }
}
