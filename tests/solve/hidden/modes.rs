//! All modes give the same answers on positions of all kinds.

use shogi_core::Color;
use tesuji::base::progress::{NoProgress, Progress};
use tesuji::base::random::SplitMix64;
use tesuji::game::{Game, Generator, Hidden};
use tesuji::games::tsuitate::{State, Tsuitate};
use tesuji::solve::belief::{Limits, Mode, SearchError, solve};

/// Random positions, and variations of problems that need fouls.
fn positions(game: &Tsuitate, count: u64) -> Vec<State> {
    let seeds = [
        "5S2k/9/8P/9/9/9/9/9/9 b SB 1",
        "7n1/7kl/5SP1b/7pp/9/9/9/9/9 b N 1",
        "9/9/8p/7k1/5GP2/9/6N1P/6GP1/8L b SN 1",
        // With a king of Black's.
        "7n1/7kl/5SP1b/7pp/9/9/9/9/4K4 b N 1",
        "4r4/9/5S2k/9/8P/9/9/4G4/4K4 b SB 1",
    ];
    let seeds = seeds.map(|text| game.parse_state(text).unwrap());
    let mut numbers = SplitMix64::new(8);
    let mut found = Vec::new();
    for number in 0..count {
        let place = usize::try_from(number).unwrap() % (seeds.len() + 2);
        let state = match seeds.get(place) {
            Some(seed) => game.vary(seed, numbers.next()),
            None => game.generate(numbers.next()),
        };
        found.extend(state);
    }
    found
}

fn compare(game: &Tsuitate, count: u64, most_plies: u8) -> (usize, usize) {
    let (mut solved, mut with_fouls) = (0, 0);
    for state in positions(game, count) {
        // The reference mode has no patience for large hands.
        let in_hand: u8 = state.hand(Color::Black).map(|(_, count)| count).sum();
        let plies = if in_hand > 1 { 3 } else { most_plies };
        // Futile interpositions are slow to tell.
        let mut limits = Limits::new(plies, 2);
        limits.beyond = if most_plies == 5 && plies == 3 { 2 } else { 0 };
        let [fast, reference, numbers] = [Mode::Fast, Mode::Reference, Mode::ProofNumber]
            .map(|mode| solve(game, &state, &limits, mode, &NoProgress).unwrap());
        let text = game.format_state(&state);
        assert_eq!(fast.is_some(), reference.is_some(), "{text}");
        assert_eq!(numbers.is_some(), reference.is_some(), "{text}");
        let (Some(fast), Some(reference), Some(numbers)) = (fast, reference, numbers) else {
            continue;
        };
        assert_eq!(numbers.tree, reference.tree, "{text}");
        assert_eq!(numbers.others, reference.others, "{text}");
        solved += 1;
        with_fouls += usize::from(fast.fouls_allowed > 0);
        assert_eq!(fast.plies(), reference.plies(), "{text}");
        assert_eq!(fast.fouls_allowed, reference.fouls_allowed, "{text}");
        assert_eq!(fast.keys(), reference.keys(), "{text}");
        assert_eq!(fast.others, reference.others, "{text}");
        // The whole trees are the same, and with them the lines.
        assert_eq!(fast.tree, reference.tree, "{text}");
        assert_eq!(fast.tree.stats(), reference.tree.stats(), "{text}");
    }
    (solved, with_fouls)
}

#[test]
fn both_modes_agree() {
    let (solved, with_fouls) = compare(&Tsuitate::default(), 400, 5);
    assert!(solved > 50 && with_fouls > 25, "{solved}, {with_fouls}");
}

#[test]
fn both_modes_agree_under_other_rules() {
    for spec in [
        "tsuitate:futile=omitted",
        "tsuitate:captures=promoted,entry=escape",
    ] {
        let game = Tsuitate::from_spec(spec).unwrap();
        assert_eq!(game.spec(), spec);
        let (solved, with_fouls) = compare(&game, 80, 3);
        assert!(
            solved > 10 && with_fouls > 5,
            "{spec}: {solved}, {with_fouls}"
        );
    }
}

#[test]
fn a_made_up_problem_depends_on_its_number_alone() {
    let game = Tsuitate::default();
    let made: Vec<_> = (0..50).map(|number| game.generate(number)).collect();
    let again: Vec<_> = (0..50).map(|number| game.generate(number)).collect();
    assert_eq!(made, again);
    assert!(made.iter().flatten().count() > 20);
}

#[test]
fn a_position_taken_back_leads_to_the_one_it_came_from() {
    let game = Tsuitate::default();
    let mut found = 0;
    for (number, state) in (0..).zip(positions(&game, 40)) {
        let Some(before) = game.predecessor(&state, number) else {
            continue;
        };
        found += 1;
        let mut checks = Vec::new();
        game.standing(&before, &mut checks);
        let leads = checks.iter().any(|&mv| {
            let mut here = false;
            game.replies(&before, mv, |reply| {
                here |= matches!(reply, tesuji::game::Reply::To(_, to) if to == state);
                std::ops::ControlFlow::Continue(())
            });
            here
        });
        assert!(leads, "{}", game.format_state(&before));
    }
    assert!(found > 5, "{found}");
}

/// Wants to stop at once.
struct Stop;

impl Progress for Stop {
    fn begin(&self, _stage: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_search_stops_when_asked_and_within_its_bounds() {
    let game = Tsuitate::default();
    let state = game
        .parse_state("9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b PNB 1")
        .unwrap();
    let wide = Limits::new(7, 2);
    for mode in [Mode::Fast, Mode::Reference] {
        let ask = |limits: &Limits| solve(&game, &state, limits, mode, &NoProgress);
        let stopped = solve(&game, &state, &wide, mode, &Stop);
        assert_eq!(stopped, Err(SearchError::Cancelled));
        let mut narrow = wide;
        narrow.effort = 50;
        assert_eq!(ask(&narrow), Err(SearchError::Effort(50)));
        assert!(ask(&wide).unwrap().is_some());
    }
    // A hundred positions are not enough for the metapositions of the reference mode.
    let bytes = 200 * size_of::<State>();
    let mut small = wide;
    small.bytes = bytes;
    let short = solve(&game, &state, &small, Mode::Reference, &NoProgress);
    assert!(matches!(short, Err(SearchError::Memory(_))));
    // What is remembered makes no difference to the answer.
    let full = solve(&game, &state, &wide, Mode::Fast, &NoProgress).unwrap();
    let mut tight = wide;
    tight.bytes = 1 << 20;
    let tight = solve(&game, &state, &tight, Mode::Fast, &NoProgress).unwrap();
    assert_eq!(full.unwrap().tree, tight.unwrap().tree);
}
