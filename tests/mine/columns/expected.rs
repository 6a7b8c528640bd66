//! What every column should say, by its name.

use std::collections::HashSet;

use tesuji::base::value::Outcome;
use tesuji::game::{Feature, FeatureKind, Moves, Next, Symmetric};

use super::board::{self, KINDS};
use super::facts::Facts;
use super::solution::solution;
use crate::common::Worth;
use crate::common::truth::{best, preference};

/// What is to be seen in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    Null,
    Number(i32),
    Flag(bool),
    Word(String),
    /// Something that another test examines.
    Unchecked,
}

use Seen::{Flag, Null, Number, Word};

impl Seen {
    /// What a cell of a column with this in it holds.
    pub fn held(&self, feature: &Feature) -> Option<i32> {
        match (self, &feature.kind) {
            (Null, _) => None,
            (Number(number), FeatureKind::Number) => Some(*number),
            (Flag(flag), FeatureKind::Flag) => Some((*flag).into()),
            (Word(word), FeatureKind::Word(words)) => {
                let place = words.iter().position(|known| known == word);
                Some(i32::try_from(place.expect("the word is one of the column's")).unwrap())
            }
            _ => panic!("{} is no column of {self:?}", feature.name),
        }
    }
}

pub fn count(count: usize) -> Seen {
    Number(i32::try_from(count).unwrap())
}

fn outcome(worth: Worth) -> Seen {
    Word(worth.0.name().to_owned())
}

fn plies(worth: Worth) -> Seen {
    worth.1.map_or(Null, |plies| Number(plies.into()))
}

fn steps(steps: Option<i32>) -> Seen {
    Number(steps.expect("there are pieces of both sides"))
}

/// How to tell what a column says of a state.
pub type Rule = Box<dyn Fn(&Facts) -> Seen>;

pub fn rule(rule: impl Fn(&Facts) -> Seen + 'static) -> Rule {
    Box::new(rule)
}

/// The rule of a column; a new column needs one.
pub fn expected(name: &str) -> Rule {
    let of_kind = name.split_once('_').and_then(|(what, kind)| {
        let kind = KINDS
            .iter()
            .position(|known| *known == kind && what != "theme")?;
        Some((what.to_owned(), kind))
    });
    if let Some((what, kind)) = of_kind {
        return kind_rule(&what, kind);
    }
    record(name)
        .or_else(|| on_board(name))
        .or_else(|| pass_or_ban(name))
        .or_else(|| play(name))
        .or_else(|| solution(name))
        .unwrap_or_else(|| panic!("no test knows the column '{name}'"))
}

fn record(name: &str) -> Option<Rule> {
    Some(match name {
        "outcome" => rule(|f| outcome(f.worth)),
        "plies" => rule(|f| plies(f.worth)),
        "plies_to_checkmate" => rule(|f| match f.worth.1 {
            Some(plies) => Number(i32::from(plies) - 1),
            None => Null,
        }),
        "restricted" => rule(|f| Flag(f.restricted())),
        "bannable_best" => rule(|f| Flag(f.banned().is_some())),
        "banned_outcome" => rule(|f| outcome(f.banned().unwrap_or(f.worth))),
        "banned_plies" => rule(|f| plies(f.banned().unwrap_or(f.worth))),
        _ => return None,
    })
}

fn on_board(name: &str) -> Option<Rule> {
    let own = |f: &Facts| board::squares(&f.truth.game, f.state.own());
    let other = |f: &Facts| board::squares(&f.truth.game, f.state.opponent());
    let fewest = |f: &Facts| usize::from(f.truth.game.pieces - f.truth.game.losses + 1);
    Some(match name {
        "layer" => rule(move |f| Word(format!("{}-{}", own(f).len(), other(f).len()))),
        "own_pieces" => rule(move |f| count(own(f).len())),
        "opp_pieces" => rule(move |f| count(other(f).len())),
        "own_spare" => rule(move |f| count(own(f).len() - fewest(f))),
        "opp_spare" => rule(move |f| count(other(f).len() - fewest(f))),
        "hole" => rule(|f| Word(board::hole_name(&f.truth.game, &f.state))),
        "hole_edge_distance" => rule(|f| {
            let game = &f.truth.game;
            Number(board::to_edge(game, board::hole(game, &f.state)))
        }),
        "own_on_edge" => rule(|f| count(board::on_edge(&f.truth.game, f.state.own()))),
        "opp_on_edge" => rule(|f| count(board::on_edge(&f.truth.game, f.state.opponent()))),
        "own_hole_distance" => rule(move |f| {
            let hole = board::hole(&f.truth.game, &f.state);
            steps(board::apart(&own(f), &[hole]))
        }),
        "opp_hole_distance" => rule(move |f| {
            let hole = board::hole(&f.truth.game, &f.state);
            steps(board::apart(&other(f), &[hole]))
        }),
        "contact_distance" => rule(move |f| steps(board::apart(&own(f), &other(f)))),
        "own_mobility" => rule(|f| count(f.all_moves.len())),
        "opp_mobility" => rule(|f| count(f.truth.game.moves(&f.turned).len())),
        "opp_captures" => rule(|f| {
            let moves = f.truth.tried(&f.turned);
            count(moves.iter().filter(|tried| tried.capture).count())
        }),
        "symmetries" => rule(|f| count(board::symmetries(&f.truth.game, &f.state))),
        _ => return None,
    })
}

fn pass_or_ban(name: &str) -> Option<Rule> {
    Some(match name {
        "passed_outcome" => rule(|f| outcome(f.passed)),
        "passed_plies" => rule(|f| plies(f.passed)),
        "zugzwang" => rule(|f| Flag(preference(f.passed) > preference(f.worth))),
        "mutual_zugzwang" => rule(|f| {
            let other = f.truth.worth(&f.turned).0;
            let worse = other.reversed() > f.worth.0;
            // The same said of the other side.
            assert_eq!(worse, f.worth.0.reversed() > other);
            Flag(worse)
        }),
        "arises" => rule(|f| {
            let ban = f.arising.bans.contains_key(&f.truth.identity(&f.state));
            Flag(if f.restricted() { ban } else { f.arising.free })
        }),
        "n_bans" => rule(|f| count(f.arising.bans.len())),
        "ban_decides" => rule(|f| {
            let mut bans = f.arising.bans.values();
            Flag(bans.any(|state| f.truth.worth(state).0 != f.free.0))
        }),
        "free_outcome" => rule(|f| outcome(f.free)),
        "free_plies" => rule(|f| plies(f.free)),
        "ban_hurts" => rule(|f| {
            let best = f.all_moves.iter().filter(|tried| tried.worth.0 == f.free.0);
            let best: Vec<_> = best.map(|tried| Some(tried.mv)).collect();
            Flag(f.restricted() && best == [f.state.forbidden])
        }),
        _ => return None,
    })
}

fn play(name: &str) -> Option<Rule> {
    let worst = |f: &Facts| {
        let worths = f.captures().into_iter().map(|tried| tried.worth);
        worths.min_by_key(|&worth| preference(worth))
    };
    Some(match name {
        "n_moves" => rule(|f| count(f.moves.len())),
        "n_winning" => rule(|f| count(f.with(Outcome::Win))),
        "n_drawing" => rule(|f| count(f.with(Outcome::Draw))),
        "n_losing" => rule(|f| count(f.with(Outcome::Loss))),
        "n_best" => rule(|f| {
            let best = f.moves.iter().filter(|mv| mv.tried.worth == f.worth);
            count(best.count())
        }),
        "win_margin" => rule(|f| {
            let wins = f.moves.iter().filter(|mv| mv.tried.worth.0 == Outcome::Win);
            let mut plies: Vec<_> = wins.map(|mv| mv.tried.worth.1.unwrap()).collect();
            plies.sort_unstable();
            match plies[..] {
                [first, second, ..] => Number((second - first).into()),
                _ => Null,
            }
        }),
        "only_move" => rule(|f| {
            let best = f.moves.iter().filter(|mv| mv.tried.worth == f.worth);
            Flag(best.count() == 1)
        }),
        "second_outcome" => rule(|f| f.second().map_or(Null, outcome)),
        "second_plies" => rule(|f| f.second().map_or(Null, plies)),
        "second_margin" => rule(|f| match (f.worth, f.second()) {
            ((was, Some(plies)), Some((is, Some(then)))) if was == is => {
                Number((i32::from(plies) - i32::from(then)).abs())
            }
            _ => Null,
        }),
        "n_failing" => rule(|f| {
            let worse = f.moves.iter().filter(|mv| mv.tried.worth.0 < f.worth.0);
            count(worse.count())
        }),
        "n_tempting" => rule(|f| count(f.captures().len())),
        "failing_tempting" => rule(|f| {
            let captures = f.captures();
            count(captures.iter().filter(|mv| mv.worth.0 < f.worth.0).count())
        }),
        "worst_tempting" => rule(move |f| worst(f).map_or(Null, outcome)),
        "worst_tempting_plies" => rule(move |f| worst(f).map_or(Null, plies)),
        "tempting_refused" => rule(|f| {
            let captures = f.captures();
            Flag(!captures.is_empty() && captures.iter().all(|mv| mv.worth != f.worth))
        }),
        "winning_by_ban" => rule(|f| {
            let moves = f.moves.iter();
            let wins = moves.filter(|mv| mv.tried.worth.0 == Outcome::Win);
            count(wins.filter(|mv| mv.free.0 != Outcome::Win).count())
        }),
        "saving_by_ban" => rule(|f| {
            let moves = f.moves.iter();
            let holds = moves.filter(|mv| mv.tried.worth.0 != Outcome::Loss);
            count(holds.filter(|mv| mv.free.0 == Outcome::Loss).count())
        }),
        "winning_positions" => rule(|f| count(positions(f, Outcome::Win))),
        "drawing_positions" => rule(|f| count(positions(f, Outcome::Draw))),
        "losing_positions" => rule(|f| count(positions(f, Outcome::Loss))),
        "fastest_loss" => rule(|f| {
            let moves = f.moves.iter().map(|mv| mv.tried.worth);
            let losing = moves.filter(|worth| worth.0 == Outcome::Loss);
            losing.min_by_key(|worth| worth.1).map_or(Null, plies)
        }),
        _ => return None,
    })
}

/// How many positions up to symmetry the moves of an outcome lead to, the end of the game
/// being one.
fn positions(f: &Facts, outcome: Outcome) -> usize {
    let game = &f.truth.game;
    let moves = f.moves.iter().map(|mv| mv.tried);
    let moves = moves.filter(|tried| tried.worth.0 == outcome);
    let after = moves.map(|tried| match game.play(&f.state, tried.mv) {
        Next::Over(_) => None,
        Next::State(next) => Some(game.canonical(&next.unrestricted())),
    });
    after.collect::<HashSet<_>>().len()
}

/// The columns named after kinds of move.
fn kind_rule(what: &str, kind: usize) -> Rule {
    let with = move |f: &Facts, of: Option<Outcome>| {
        let moves = f.moves.iter().filter(|mv| mv.kinds[kind]);
        let moves = moves.filter(|mv| of.is_none_or(|outcome| mv.tried.worth.0 == outcome));
        count(moves.count())
    };
    let is = move |f: &Facts, ply: &crate::common::truth::Ply| {
        board::kinds(&f.truth.game, &ply.state, ply.mv)[kind]
    };
    match what {
        "n" => rule(move |f| with(f, None)),
        "winning" => rule(move |f| with(f, Some(Outcome::Win))),
        "drawing" => rule(move |f| with(f, Some(Outcome::Draw))),
        "losing" => rule(move |f| with(f, Some(Outcome::Loss))),
        "best" => rule(move |f| {
            let moves: Vec<_> = f.moves.iter().map(|mv| mv.tried).collect();
            let best = best(&moves).into_iter();
            count(
                best.filter(|tried| board::kinds(&f.truth.game, &f.state, tried.mv)[kind])
                    .count(),
            )
        }),
        "key" => rule(move |f| Flag(is(f, &f.line()[0]))),
        "line" => rule(move |f| count(f.own_plies().iter().filter(|ply| is(f, ply)).count())),
        _ => panic!("no test knows the column '{what}_{}'", KINDS[kind]),
    }
}
