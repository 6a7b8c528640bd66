//! The games that ship, against a second writing of their rules and what is published.

use tesuji::base::value::Outcome;
use tesuji::game::{Game, Moves, Next, Ranked};
use tesuji::games::pieces::{Pieces, State};

use super::plain::{Plain, Text, twins};
use crate::common::records;

/// Lines of play of so many plies.
fn perft(game: &Pieces, state: &State, plies: u32) -> u64 {
    let moves = game.moves(state);
    if plies == 1 {
        return moves.len() as u64;
    }
    let counts = moves.into_iter().map(|mv| match game.play(state, mv) {
        Next::State(next) => perft(game, &next, plies - 1),
        Next::Over(_) => 0,
    });
    counts.sum()
}

fn plain_perft(game: &Plain, text: &Text, plies: u32) -> u64 {
    if game.is_over(text) {
        return 0;
    }
    let next = game.listed(text);
    if plies == 1 {
        return next.len() as u64;
    }
    next.iter()
        .map(|(_, next)| plain_perft(game, next, plies - 1))
        .sum()
}

#[test]
fn games_that_ship_play_by_the_second_writing_of_their_rules() {
    for (name, plain) in twins() {
        let game = Pieces::shipped(name).unwrap();
        assert_eq!(
            (game.spec(), game.family()),
            (name.to_owned(), "lineup".to_owned())
        );
        let initial = game.initial();
        let text = Plain::read(&game.format_state(&initial));
        let deepest = if plain.rows == 3 { 6 } else { 3 };
        for plies in 1..=deepest {
            assert_eq!(
                perft(&game, &initial, plies),
                plain_perft(&plain, &text, plies),
                "{name} {plies}"
            );
        }
    }
}

/// The longest win, how many positions up to symmetry have each outcome for the side to
/// move, and the value of the initial one.
fn solved(game: &Pieces) -> (u16, [usize; 3], Outcome) {
    let records = records(game);
    let (mut longest, mut counts) = (0, [0; 3]);
    for record in records.iter().filter(|record| !record.is_vacant()) {
        let best = record.best();
        counts[best.outcome() as usize] += 1;
        if best.outcome() == Outcome::Win {
            longest = longest.max(best.plies().unwrap());
        }
    }
    let slot = usize::try_from(game.rank(&game.initial())).unwrap();
    (longest, counts, records[slot].best().outcome())
}

#[test]
fn neutreeko_has_the_published_figures() {
    let game = Pieces::shipped("neutreeko").unwrap();
    let (longest, counts, initial) = solved(&game);
    // http://neutreeko.net/neutreeko.htm: 51 plies, about 3 percent, a draw.
    assert_eq!((longest, initial), (51, Outcome::Draw));
    let drawn = counts[Outcome::Draw as usize] as f64;
    let all: usize = counts.iter().sum();
    assert!((0.025..0.035).contains(&(drawn / all as f64)), "{counts:?}");
}

#[test]
fn dao_has_the_published_figures() {
    let game = Pieces::shipped("dao").unwrap();
    let (longest, counts, initial) = solved(&game);
    // D. De Clercq, http://puzzles.net23.net/dao.htm: a draw; the deepest position is a win in 11.
    assert_eq!((longest, initial), (11, Outcome::Draw));
    // D. desJardins, http://www.di.fc.ul.pt/~jpn/gv/dao.htm: around 110,000 positions.
    let all: usize = counts.iter().sum();
    assert!((105_000..115_000).contains(&all), "{counts:?}");
}

#[test]
fn teeko_is_drawn_and_advanced_teeko_is_won_by_the_side_that_begins() {
    // G. Steele, 1998, as https://mathworld.wolfram.com/Teeko.html has it.
    for (name, outcome) in [("teeko", Outcome::Draw), ("advanced-teeko", Outcome::Win)] {
        let game = Pieces::shipped(name).unwrap();
        assert_eq!(solved(&game).2, outcome, "{name}");
    }
}

#[test]
fn morris_is_won_by_the_centre_alone() {
    // Published of three men's morris: won by the side that begins, drawn if it may not
    // begin in the centre.
    let game = Pieces::shipped("three-mens-morris").unwrap();
    assert_eq!(solved(&game).2, Outcome::Win);
    let (_, plain) = twins()
        .into_iter()
        .find(|(name, ..)| *name == "three-mens-morris")
        .unwrap();
    let text = plain
        .file()
        .replace("drop_first", "not_first = ['b2']\ndrop_first");
    let game = Pieces::from_file("no-centre.toml", &text).unwrap();
    assert_eq!(solved(&game).2, Outcome::Draw);
    // A corner that is forbidden has two images in a mirror that keeps the rules.
    let corners = text.replace("['b2']", "['a1', 'b2']");
    let corners = Pieces::from_file("x.toml", &corners).unwrap();
    assert!(corners.slots() > 2 * game.slots());
}
