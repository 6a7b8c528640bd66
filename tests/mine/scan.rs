//! Scans, against the slow solver.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex};
use std::thread::sleep;
use std::time::Duration;

use tesuji::base::progress::{Interim, NoProgress, Progress};
use tesuji::base::value::Outcome;
use tesuji::game::Ranked;
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::{
    self, Catalogue, Filter, MineError, Predicate, Scan, Scope, Solved as Source, Way, puzzles,
};
use tesuji::table::Table;

use crate::common::{self, scan};

pub(super) type Solved = LazyLock<(Ostle, Table)>;

fn solved(spec: &str) -> (Ostle, Table) {
    let game = common::game(spec);
    let table = common::table(&game);
    (game, table)
}

pub(super) static TINY: Solved = LazyLock::new(|| solved("ostle:3x3,pieces=2,losses=2"));
static SMALL: Solved = LazyLock::new(|| solved("ostle:4x4,pieces=2,losses=2"));
static OBLONG: Solved = LazyLock::new(|| solved("ostle:rows=4,columns=3,pieces=3,losses=2"));
pub(super) static WIDE: Solved = LazyLock::new(|| solved("ostle:4x4,pieces=3,losses=2"));

const SACRIFICE: &str = "outcome = 'win' AND winning_sacrifice = n_winning";
const UNDERDOG: &str = "n_winning = 1 AND own_pieces < opp_pieces";
const SUPERIOR: &str = "n_winning > 1 AND own_spare >= opp_spare";
const POISONED: &str = "outcome = 'draw' AND n_capture > 0 AND losing_capture = n_capture";

/// The predicate for a filter with this condition and order.
pub(super) fn predicate(
    game: &Ostle,
    condition: &str,
    order: &[&str],
) -> Result<Predicate, MineError> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let order: Vec<_> = order.iter().map(|name| quoted(name)).collect();
    let text = format!(
        "name = 'made'\ntitle = ''\ntext = ''\npredicate = {}\norder = [{}]",
        quoted(condition),
        order.join(", ")
    );
    let filter = Filter::parse(&text, "made.toml").unwrap();
    assert_eq!(filter.predicate, condition);
    Predicate::new(&filter, &Catalogue::new(game))
}

/// One scan with one filter that must be sound.
pub(super) fn find(
    solved: &Solved,
    condition: &str,
    order: &[&str],
    limit: Option<usize>,
) -> Scan<State> {
    let (game, table) = &**solved;
    let predicate = predicate(game, condition, order).unwrap();
    let mut scans = scan(
        game,
        table,
        &[(&predicate, limit)],
        &Scope::all(),
        &NoProgress,
    )
    .unwrap();
    assert_eq!(scans.len(), 1);
    scans.remove(0)
}

fn indices(scan: &Scan<State>) -> Vec<u64> {
    scan.finds.iter().map(|find| find.index).collect()
}

/// Stops a scan after so many slots.
struct Stops {
    after: u64,
    scanning: AtomicBool,
    done: AtomicU64,
}

impl Progress for Stops {
    fn begin(&self, stage: &str, _total: u64) {
        self.scanning.store(stage == "scanning", Relaxed);
    }

    fn advance(&self, steps: u64) {
        if self.scanning.load(Relaxed) {
            self.done.fetch_add(steps, Relaxed);
        }
    }

    fn cancelled(&self) -> bool {
        self.done.load(Relaxed) >= self.after
    }
}

#[test]
fn a_progressive_scan_that_is_not_stopped_finds_the_same_in_the_same_order() {
    for (solved, limit) in [(&TINY, None), (&WIDE, Some(300))] {
        let (game, table) = &**solved;
        let source = Source::new(table, game).unwrap();
        for condition in [
            SACRIFICE,
            POISONED,
            "plies >= 9",
            "zugzwang AND own_mobility < 5",
        ] {
            let all = find(solved, condition, &["-plies"], limit);
            let predicate = predicate(game, condition, &["-plies"]).unwrap();
            let tasks = [(&predicate, limit)];
            let progress = NoProgress;
            let scans = mine::scan(
                game,
                &source,
                &tasks,
                &Scope::all(),
                Way::Progressive,
                &progress,
            )
            .unwrap();
            assert_eq!(indices(&scans[0]), indices(&all), "{condition}");
            assert_eq!(scans[0].matched, all.matched);
            assert_eq!(scans[0].coverage, None);
        }
    }
}

#[test]
fn a_scan_that_is_stopped_keeps_what_it_found_and_estimates_the_rest() {
    let (game, table) = &*WIDE;
    let source = Source::new(table, game).unwrap();
    for condition in [SACRIFICE, "plies >= 9", "zugzwang AND own_mobility < 5"] {
        let all = find(&WIDE, condition, &["-plies"], None);
        let predicate = predicate(game, condition, &["-plies"]).unwrap();
        let tasks = [(&predicate, None)];
        let mut looked_at = 0;
        for quarters in [0, 1, 2] {
            let progress = Stops {
                after: game.slots() * quarters / 4,
                scanning: AtomicBool::new(false),
                done: AtomicU64::new(0),
            };
            let scans = mine::scan(
                game,
                &source,
                &tasks,
                &Scope::all(),
                Way::Progressive,
                &progress,
            )
            .unwrap();
            let (scan, coverage) = (&scans[0], scans[0].coverage.unwrap());
            // In the order of the whole scan, nothing twice and nothing else.
            let mut rest = all.finds.iter();
            assert!(
                scan.finds
                    .iter()
                    .all(|find| rest.any(|other| other == find))
            );
            assert_eq!(scan.matched, scan.finds.len() as u64);
            assert_eq!(coverage.of, game.slots());
            assert!(coverage.looked_at > looked_at || quarters == 0);
            assert!(coverage.looked_at < coverage.of);
            looked_at = coverage.looked_at;
            // Within three times the bound that 95 of 100 samples keep.
            let off = coverage.estimate.number - all.matched as f64;
            let error = coverage.estimate.error;
            assert!(
                off.abs() <= 3.0 * error,
                "{condition}: off by {off}, error {error}"
            );
            assert!(scan.matched <= all.matched);
        }
    }
}

/// Keeps what it is told of a slow scan.
#[derive(Default)]
struct Told(Mutex<Vec<Interim>>);

impl Progress for Told {
    fn begin(&self, stage: &str, _total: u64) {
        if stage == "scanning" {
            sleep(Duration::from_secs(1));
        }
    }

    fn advance(&self, _steps: u64) {}

    fn interim(&self, so_far: &[Interim]) {
        self.0.lock().unwrap().extend_from_slice(so_far);
    }
}

#[test]
fn a_progressive_scan_tells_how_many_finds_there_will_be() {
    let (game, table) = &*WIDE;
    let source = Source::new(table, game).unwrap();
    let all = find(&WIDE, "plies >= 9", &["-plies"], None);
    let predicate = predicate(game, "plies >= 9", &["-plies"]).unwrap();
    let told = Told::default();
    mine::scan(
        game,
        &source,
        &[(&predicate, None)],
        &Scope::all(),
        Way::Progressive,
        &told,
    )
    .unwrap();
    let told = told.0.into_inner().unwrap();
    let first = told.first().expect("a report after a second");
    assert_eq!(first.name, "made");
    assert!(first.found <= all.matched);
    let off = first.estimate.number - all.matched as f64;
    assert!(off.abs() <= 3.0 * first.estimate.error);
    assert!(first.best.as_ref().unwrap().contains(" to move and "));
}

#[test]
fn a_scan_finds_what_a_brute_force_finds() {
    let mut found = [0; 5];
    for solved in [&TINY, &SMALL, &OBLONG] {
        let (game, table) = &**solved;
        let naive = common::naive(game);
        let mut expected = [const { Vec::new() }; 5];
        for slot in 0..game.slots() {
            let Some(state) = game.unrank(slot) else {
                continue;
            };
            let (outcome, _) = common::worth(game, &naive, &state);
            let tried = common::tried(game, &naive, &state);
            let mut wins = tried.iter().filter(|tried| tried.worth.0 == Outcome::Win);
            if outcome == Outcome::Win && wins.all(|tried| tried.sacrifice) {
                expected[0].push((slot, state));
            }
            let captures = || tried.iter().filter(|tried| tried.capture);
            let poisoned = captures().all(|tried| tried.worth.0 == Outcome::Loss);
            if outcome == Outcome::Draw && captures().count() > 0 && poisoned {
                expected[1].push((slot, state));
            }
            let of = |wanted| tried.iter().filter(|it| it.worth.0 == wanted).count();
            let (winning, drawing) = (of(Outcome::Win), of(Outcome::Draw));
            let mut layers = game.layers().iter();
            let layer = layers.find(|layer| layer.slots.contains(&slot)).unwrap();
            let (own, opp) = layer.name.split_once('-').unwrap();
            let admitted = [
                winning == 1 && own < opp,
                winning > 1 && own >= opp,
                (1..3).contains(&drawing) && winning == 0,
            ];
            for (place, _) in (2..).zip(admitted).filter(|(_, admitted)| *admitted) {
                expected[place].push((slot, state));
            }
        }
        // All at once, so that each must be kept apart from the others.
        let predicates = [
            SACRIFICE,
            POISONED,
            UNDERDOG,
            SUPERIOR,
            "n_drawing IN (1, 2) AND n_winning = 0",
        ]
        .map(|text| predicate(game, text, &[]).unwrap());
        let filters = predicates.each_ref().map(|predicate| (predicate, None));
        let scans = scan(game, table, &filters, &Scope::all(), &NoProgress).unwrap();
        for (place, (scan, expected)) in scans.iter().zip(&expected).enumerate() {
            let states = scan.finds.iter().map(|find| (find.index, find.state));
            assert_eq!(&states.collect::<Vec<_>>(), expected);
            assert_eq!(scan.matched, expected.len() as u64);
            found[place] += expected.len();
            for find in &scan.finds {
                let best = find.record.best();
                let worth = common::worth(game, &naive, &find.state);
                assert_eq!((best.outcome(), best.plies()), worth);
            }
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn a_limit_keeps_the_first_finds_and_counts_them_all() {
    for order in [&[][..], &["-plies"], &["n_moves", "-hole"]] {
        let all = find(&SMALL, "outcome = 'win'", order, None);
        assert_eq!(all.matched, all.finds.len() as u64);
        assert!(all.matched > 5);
        for limit in [1, 5] {
            let some = find(&SMALL, "outcome = 'win'", order, Some(limit));
            assert_eq!(some.finds, &all.finds[..limit]);
            assert_eq!(some.matched, all.matched);
        }
        let more = find(&SMALL, "outcome = 'win'", order, Some(usize::MAX));
        assert_eq!(more.finds, all.finds);
    }
}

#[test]
fn the_best_puzzles_are_the_first_of_all_ranked_ones() {
    let (game, table) = &*WIDE;
    let source = Source::new(table, game).unwrap();
    for distinct in [false, true] {
        let mut similar = 0;
        for condition in [
            "outcome = 'win' AND plies > 4 AND n_winning = 1",
            "outcome = 'draw' AND n_drawing = 1 AND n_capture > 0",
        ] {
            let text = format!(
                "name = 'made'\ntitle = ''\ntext = ''\npredicate = \"{condition}\"\norder = ['-plies']\n\
                 limit = 1\nshortlist = 500\ndistinct = {distinct}"
            );
            let filter = Filter::parse(&text, "made.toml").unwrap();
            let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
            let task = [(&predicate, Some(500))];
            let scans = scan(game, table, &task, &Scope::all(), &NoProgress).unwrap();
            let of = |limit| {
                let scan = scans[0].clone();
                let rows = puzzles(game, &source, &filter, scan, limit, &NoProgress).unwrap();
                rows.into_iter().map(|(row, _)| row).collect::<Vec<_>>()
            };
            let all = of(None);
            assert!(all.is_sorted_by_key(|row| Reverse(row.score)));
            similar += all.iter().filter(|row| row.similar > 0).count();
            for limit in [0, 1, 7, 100] {
                assert_eq!(of(Some(limit)), all[..limit]);
            }
        }
        // Of the wins some are similar, and told only if that is asked.
        assert_eq!(similar > 0, distinct);
    }
}

#[test]
fn finds_come_in_the_asked_order_and_ties_by_index() {
    let plain = find(&SMALL, "plies > 0", &[], None);
    assert!(indices(&plain).is_sorted_by(|a, b| a < b));
    let key = |find: &tesuji::mine::Find<State>| (find.record.best().plies().unwrap(), find.index);
    let rising = find(&SMALL, "plies > 0", &["plies"], None);
    assert!(rising.finds.is_sorted_by(|a, b| key(a) < key(b)));
    let falling = find(&SMALL, "plies > 0", &["-plies"], None);
    let keys = falling.finds.iter().map(key);
    let keys: Vec<_> = keys.map(|(plies, at)| (u16::MAX - plies, at)).collect();
    assert!(keys.is_sorted_by(|a, b| a < b));
    assert_eq!(plain.matched, rising.matched);
    assert_eq!(plain.matched, falling.matched);
}

#[test]
fn null_plies_neither_meet_a_condition_nor_its_opposite() {
    let count = |text| find(&SMALL, text, &[], None).matched;
    let (draws, all) = (count("outcome = 'draw'"), count("true"));
    assert!(draws > 0 && draws < all);
    assert_eq!(count("plies > 0"), all - draws);
    assert_eq!(count("NOT (plies > 0)"), 0);
    assert_eq!(count("plies IS NULL"), draws);
    assert_eq!(count("plies > 0 OR outcome = 'draw'"), all);
    assert_eq!(count("plies = NULLIF(1, 1)"), 0);
    assert!(predicate(&SMALL.0, "plies = NULL", &[]).is_err());
    // What is missing comes last in either order.
    for order in ["plies", "-plies"] {
        let all = find(&SMALL, "true", &[order], None);
        let drawn = |find: &tesuji::mine::Find<State>| find.record.best().plies().is_none();
        assert!(all.finds.is_sorted_by_key(drawn));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (_, table) = &*WIDE;
    assert!(table.blocks() > 2);
    // Few finds against many, and many ties.
    for (text, order) in [
        (SACRIFICE, &["n_winning"][..]),
        ("n_moves > 9", &["-plies"]),
    ] {
        let [one, two] = [1, 2]
            .map(|threads| common::with_threads(threads, || find(&WIDE, text, order, Some(50))));
        assert!(one.matched > 0);
        assert_eq!(one.finds, two.finds);
        assert_eq!(one.matched, two.matched);
    }
}
