//! Conditions on moves find row by row what they find position by position.

use std::path::Path;
use std::sync::LazyLock;

use tesuji::base::progress::NoProgress;
use tesuji::base::random::SplitMix64;
use tesuji::game::{Ranked, Repetition};
use tesuji::games::ostle::Ostle;
use tesuji::mine::{Catalogue, Filter, Predicate, Scan, Scope};
use tesuji::table::{Encoding, Table, ValueWidth};

use crate::common::{self, scan};

const BOARDS: [(u8, u8, u8, u8); 5] = [
    (3, 3, 3, 2),
    (3, 4, 2, 2),
    (3, 4, 3, 2),
    (4, 4, 3, 1),
    (4, 4, 2, 2),
];

/// Each board in two readings, solved once for all tests.
static SMALL: LazyLock<Vec<(Ostle, Table)>> = LazyLock::new(|| {
    let readings = [Repetition::Exact, Repetition::UpToSymmetry];
    let boards = BOARDS.into_iter();
    let games = boards.flat_map(|(columns, ranks, pieces, losses)| {
        readings.map(|reading| Ostle::new(columns, ranks, pieces, losses, reading).unwrap())
    });
    games.map(solved).collect()
});

static FOUR_BY_FOUR: LazyLock<(Ostle, Table)> =
    LazyLock::new(|| solved(Ostle::new(4, 4, 3, 2, Repetition::Exact).unwrap()));

/// A condition, and the column to order finds by.
struct Made {
    condition: String,
    order: String,
    restricted: bool,
}

impl Made {
    fn predicate(&self, game: &Ostle) -> Predicate {
        let Self {
            condition,
            order,
            restricted,
        } = self;
        let states = if *restricted { "all" } else { "unrestricted" };
        let text = format!(
            "name = 'made'\ntitle = ''\ntext = ''\nstates = '{states}'\npredicate = \"{condition}\"\n\
             order = ['{order}']"
        );
        let filter = Filter::parse(&text, "made.toml").unwrap();
        Predicate::new(&filter, &Catalogue::new(game)).unwrap()
    }
}

fn pick(random: &mut SplitMix64, words: &[&str]) -> String {
    words[random.below(words.len())].to_owned()
}

/// A condition on moves of one kind or two that remove something, and now and then on others.
fn on_exits(random: &mut SplitMix64) -> Made {
    let mut part = || {
        let kind = pick(random, &["sacrifice", "capture", "capture", "quiet"]);
        let other = pick(random, &["sacrifice", "capture"]);
        let count = pick(random, &["n", "winning", "drawing", "losing"]);
        match random.below(3) {
            0 => format!(
                "{count}_{kind} {} {}",
                pick(random, &["=", ">", "<"]),
                pick(random, &["0", "1", "2"])
            ),
            1 => format!("{count}_{kind} = n_{kind}"),
            _ => format!("({count}_{kind} > 0 OR losing_{other} > 1)"),
        }
    };
    Made {
        condition: format!("{} AND {}", part(), part()),
        order: "plies".to_owned(),
        restricted: false,
    }
}

/// A condition on anything that is known of moves.
fn on_moves(random: &mut SplitMix64) -> Made {
    const NUMBERS: [&str; 18] = [
        "n_moves",
        "n_winning",
        "n_drawing",
        "n_losing",
        "n_best",
        "win_margin",
        "n_failing",
        "n_tempting",
        "failing_tempting",
        "worst_tempting_plies",
        "winning_by_ban",
        "saving_by_ban",
        "passed_plies",
        "best_retreat",
        "best_push",
        "winning_positions",
        "losing_positions",
        "fastest_loss",
    ];
    let mut part = || {
        let kind = pick(
            random,
            &["sacrifice", "capture", "hole", "push", "quiet", "retreat"],
        );
        let count = pick(random, &["n", "winning", "drawing", "losing", "best"]);
        let number = match random.below(2) {
            0 => pick(random, &NUMBERS),
            _ => format!("{count}_{kind}"),
        };
        match random.below(8) {
            0 => "mutual_zugzwang".to_owned(),
            1 => "NOT zugzwang".to_owned(),
            2 => "worst_tempting = 'loss'".to_owned(),
            3 => "tempting_refused".to_owned(),
            _ => format!(
                "{number} {} {}",
                pick(random, &["=", ">", "<="]),
                pick(random, &["0", "1", "2", "5"])
            ),
        }
    };
    let condition = match part() {
        first if first.contains("zugzwang") => first,
        first => format!("{first} AND {}", part()),
    };
    Made {
        condition,
        order: format!("-{}", pick(random, &NUMBERS)),
        restricted: random.below(2) == 0,
    }
}

/// A condition on winning moves that stay in the group.
fn on_winners(random: &mut SplitMix64) -> Made {
    const PARTS: [&str; 14] = [
        "winning_quiet = 0",
        "winning_hole < 1",
        "winning_push <= 1",
        "winning_retreat = 0",
        "n_winning = 1",
        "n_winning IN (1, 2)",
        "n_winning = 1 AND winning_by_ban = 1",
        "winning_by_ban > 0",
        "passed_outcome = 'win'",
        "passed_outcome NOT IN ('draw', 'loss')",
        "outcome = 'win'",
        "outcome <> 'draw' AND NOT only_move",
        "only_move AND second_outcome <> 'win'",
        "plies > 2",
    ];
    let parts = [(); 3].map(|()| pick(random, &PARTS));
    Made {
        condition: parts.join(" AND "),
        order: pick(random, &["-plies", "n_moves", "-n_losing"]),
        restricted: random.below(3) == 0,
    }
}

/// A condition that refuses wins whose main line has a dual.
fn on_duals(random: &mut SplitMix64) -> Made {
    const PARTS: [&str; 9] = [
        "plies > 1",
        "plies BETWEEN 3 AND 9",
        "plies = 3",
        "only_move",
        "NOT only_move",
        "n_best = 1",
        "winning_capture = 0",
        "n_sacrifice > 0",
        "plies > 6 AND n_best = 1",
    ];
    let first = pick(random, &PARTS);
    Made {
        condition: format!(
            "outcome = 'win' AND dual_free AND {first} AND {}",
            pick(random, &PARTS)
        ),
        order: pick(random, &["-plies", "n_moves", "n_winning"]),
        restricted: random.below(3) == 0,
    }
}

/// A condition on winning moves, now and then one that refuses wins whose main line has a dual:
/// for that, the values of a group are arranged, and others read them.
fn on_winners_beside_duals(random: &mut SplitMix64) -> Made {
    match random.below(5) {
        0 => on_duals(random),
        _ => on_winners(random),
    }
}

/// Numbers of finds and of slots that are none.
fn compare(seed: u64, made: impl Fn(&mut SplitMix64) -> Made) -> (u64, u64) {
    let mut random = SplitMix64::new(seed);
    let (mut found, mut refused) = (0, 0);
    for (game, table) in &*SMALL {
        let all: Vec<_> = (0..20).map(|_| made(&mut random)).collect();
        let predicates: Vec<_> = all.iter().map(|made| made.predicate(game)).collect();
        let tasks: Vec<_> = predicates
            .iter()
            .map(|predicate| (predicate, None))
            .collect();
        let [rows, positions] = [Scope::all(), by_positions(Scope::all())]
            .map(|scope| scan(game, table, &tasks, &scope, &NoProgress).unwrap());
        for ((rows, positions), made) in rows.iter().zip(&positions).zip(&all) {
            let of = |scan: &Scan<_>| -> Vec<_> {
                let finds = scan.finds.iter();
                finds.map(|find| (find.index, find.record)).collect()
            };
            let condition = &made.condition;
            assert_eq!(rows.matched, positions.matched, "{condition}");
            assert!(of(rows) == of(positions), "{condition}");
            found += rows.matched;
            refused += table.description.slots().saturating_sub(rows.matched);
        }
    }
    (found, refused)
}

#[test]
fn conditions_on_exits_find_the_same_by_rows_and_by_positions() {
    let (found, refused) = compare(19, on_exits);
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}

#[test]
fn conditions_on_all_moves_find_the_same_by_rows_and_by_positions() {
    let (found, refused) = compare(20, on_moves);
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}

#[test]
fn conditions_on_winning_moves_find_the_same_by_rows_and_by_positions() {
    let (found, refused) = compare(21, on_winners);
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}

#[test]
fn conditions_on_winning_moves_find_the_same_where_values_are_arranged() {
    let (found, refused) = compare(23, on_winners_beside_duals);
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}

#[test]
fn main_lines_without_duals_are_the_same_by_rows_and_by_positions() {
    let (found, refused) = compare(22, on_duals);
    assert!(
        found > 100_000 && refused > 100_000,
        "{found} and {refused}"
    );
}

#[test]
fn main_lines_of_one_layer_need_those_of_earlier_ones() {
    let (game, _) = &*FOUR_BY_FOUR;
    let last = game.layers().last().unwrap().name.clone();
    let scope = || Scope::all().layer(game, &last).unwrap();
    let [rows, positions] = [scope(), by_positions(scope())];
    let found = dual_free_wins("plies > 3", &rows);
    assert!(found.len() > 1000, "{}", found.len());
    assert!(found == dual_free_wins("plies > 3", &positions));
}

#[test]
fn the_longest_wins_of_a_condition_have_their_lines() {
    for plies in [3, 5, 9] {
        let plies = format!("plies BETWEEN 3 AND {plies}");
        let found = dual_free_wins(&plies, &Scope::all());
        assert!(found.len() > 1000, "{plies}: {}", found.len());
        let positions = by_positions(Scope::all());
        assert!(found == dual_free_wins(&plies, &positions), "{plies}");
    }
}

/// The scope, in which each position is tested alone.
fn by_positions(scope: Scope) -> Scope {
    Scope {
        by_positions: true,
        ..scope
    }
}

#[test]
fn lines_for_which_there_is_no_memory_are_followed_one_by_one() {
    let positions = dual_free_wins("plies > 3", &by_positions(Scope::all()));
    assert!(positions.len() > 1000, "{}", positions.len());
    // From too little for any to enough for all.
    for kibibytes in (0..=4096).step_by(256) {
        let scope = Scope {
            memory: Some(kibibytes << 10),
            ..Scope::all()
        };
        let found = dual_free_wins("plies > 3", &scope);
        assert!(found == positions, "{} in {kibibytes} KiB", found.len());
    }
}

/// So many finds are sorted before those that come too late are told by their records.
const MANY: u64 = 4096;

#[test]
fn the_first_finds_in_the_order_of_winning_moves_are_the_same_however_few_are_kept() {
    let conditions = [
        "outcome = 'win' AND only_move AND n_best = 1 AND dual_free",
        "outcome = 'win' AND dual_free AND n_moves > 4",
        "outcome = 'win' AND plies > 4 AND n_best = 1 AND dual_free",
        "outcome = 'win' AND n_best < 3",
    ];
    first_by_winning_moves(&FOUR_BY_FOUR, &conditions);
    let up_to_symmetry = Ostle::new(4, 4, 3, 2, Repetition::UpToSymmetry).unwrap();
    first_by_winning_moves(
        &solved(up_to_symmetry),
        &["outcome = 'win' AND n_best = 1", "plies > 3"],
    );
}

fn first_by_winning_moves((game, table): &(Ostle, Table), conditions: &[&str]) {
    let catalogue = Catalogue::new(game);
    for (number, condition) in conditions.iter().enumerate() {
        let made = |order: &str, states: &str| {
            let text = format!(
                "name = 'made'\ntitle = ''\ntext = ''\nstates = '{states}'\n\
                 predicate = \"{condition}\"\norder = [{order}]"
            );
            let filter = Filter::parse(&text, "made.toml").unwrap();
            Predicate::new(&filter, &catalogue).unwrap()
        };
        let orders = [
            "'n_winning', '-plies', 'own_mobility'",
            "'-n_winning', 'plies'",
            "'plies', 'n_winning', 'hole'",
            // Many are equal: the first ones in the table come first.
            "'n_winning'",
        ];
        // Each order meets two conditions.
        let orders = orders.into_iter().cycle().skip(number).take(2);
        let all = orders.map(|order| ["all", "unrestricted"].map(|states| made(order, states)));
        let all: Vec<_> = all.collect();
        let all = all.as_flattened();
        let find =
            |tasks: &[_], scope: &Scope| scan(game, table, tasks, scope, &NoProgress).unwrap();
        let tasks: Vec<_> = all.iter().map(|predicate| (predicate, None)).collect();
        let found = find(&tasks, &by_positions(Scope::all()));
        for (place, (predicate, all)) in all.iter().zip(&found).enumerate() {
            let few = find(&[(predicate, Some(10))], &Scope::all()).remove(0);
            assert!(all.matched > MANY, "{condition}: {}", all.matched);
            assert_eq!(few.matched, all.matched, "{condition} {place}");
            assert_eq!(few.finds, &all.finds[..10], "{condition} {place}");
        }
    }
}

fn solved(game: Ostle) -> (Ostle, Table) {
    let records = common::records(&game);
    let (bytes, _) = common::write(&game, &records, ValueWidth::NARROW, Encoding::Raw);
    let table = Table::from_bytes(bytes, Path::new("memory.tsj")).unwrap();
    (game, table)
}

/// The slots of the wins without duals that a condition on plies admits.
fn dual_free_wins(plies: &str, scope: &Scope) -> Vec<u64> {
    let (game, table) = &*FOUR_BY_FOUR;
    let made = Made {
        condition: format!("outcome = 'win' AND {plies} AND dual_free"),
        order: "plies".to_owned(),
        restricted: false,
    };
    let predicate = made.predicate(game);
    let scans = scan(game, table, &[(&predicate, None)], scope, &NoProgress).unwrap();
    scans[0].finds.iter().map(|find| find.index).collect()
}
