//! Placement games: nimbers against brute force, theorems, notation and laws.

use std::collections::HashMap;
use std::fmt::Write;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::Nimber;
use tesuji::game::laws;
use tesuji::game::{Features, Game, Impartial, Moves, Next, Ranked};
use tesuji::games::placement::{Graph, Placement};
use tesuji::solve::nimbers::{Octal, Periodic};

use crate::common::table;

/// Nimbers of A002187 of the On-Line Encyclopedia of Integer Sequences, heaps 0 to 33.
const DAWSON: [Nimber; 34] = [
    0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2,
    7, 4,
];

fn game(spec: &str) -> Placement {
    Placement::from_spec(spec).unwrap()
}

/// The length of the shortest period.
fn period(of: &Periodic) -> usize {
    let heaps = of.start()..of.start() + 500;
    let repeats = |period: &usize| {
        let mut heaps = heaps.clone();
        heaps.all(|heap| of.nimber(heap) == of.nimber(heap + period))
    };
    (1..500).find(repeats).unwrap()
}

/// The nimber of a set of vertices by the definition alone, without parts.
fn brute(around: &[u32], free: u32, known: &mut HashMap<u32, Nimber>) -> Nimber {
    if let Some(&nimber) = known.get(&free) {
        return nimber;
    }
    let mut seen = 0_u64;
    for vertex in (0..around.len()).filter(|vertex| free >> vertex & 1 == 1) {
        seen |= 1 << brute(around, free & !around[vertex], known);
    }
    let nimber = Nimber::try_from(seen.trailing_ones()).unwrap();
    known.insert(free, nimber);
    nimber
}

/// Each square with its neighbours, from their distances.
fn board(rows: i32, columns: i32, kings: bool) -> Vec<u32> {
    let squares = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
    let squares: Vec<_> = squares.collect();
    let near = |a: (i32, i32), b: (i32, i32)| {
        let (dr, dc) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        if kings { dr.max(dc) <= 1 } else { dr + dc <= 1 }
    };
    let around = |&a: &(i32, i32)| {
        let all = squares.iter().enumerate();
        all.filter(|&(_, &b)| near(a, b))
            .fold(0, |set, (number, _)| set | 1 << number)
    };
    squares.iter().map(around).collect()
}

#[test]
fn nimbers_of_all_boards_up_to_twenty_squares_are_those_of_brute_force() {
    for (family, kings) in [("kings", true), ("regio", false)] {
        for rows in 1..=4 {
            for columns in rows..=20 / rows {
                let around = board(rows, columns, kings);
                let all = u32::MAX >> (32 - around.len());
                let mut known = HashMap::new();
                let nimber = brute(&around, all, &mut known);
                for spec in [
                    format!("{family}:{rows}x{columns}"),
                    format!("{family}:{columns}x{rows}"),
                ] {
                    let game = game(&spec);
                    let state = game.initial();
                    assert_eq!(game.nimber(&state, &NoProgress).unwrap(), nimber, "{spec}");
                    let judged = game.outcome(&state, &NoProgress).unwrap();
                    assert_eq!(
                        judged.outcome == Outcome::Loss,
                        nimber == 0,
                        "{spec} {judged:?}"
                    );
                    assert!(judged.nimber.is_none_or(|told| told == nimber), "{spec}");
                }
                // Every move, on the board as it is numbered here.
                let game = game(&format!("{family}:{rows}x{columns}"));
                for (place, left) in game
                    .options(&game.initial(), &NoProgress)
                    .unwrap()
                    .into_iter()
                    .enumerate()
                {
                    let nimber = brute(&around, all & !around[place], &mut known);
                    assert_eq!(left.nimber, Some(nimber), "{}", game.format_move(left.mv));
                    assert_eq!(left.loses(), nimber == 0);
                }
            }
        }
    }
}

/// A small generator of random numbers (G. Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

#[test]
fn nimbers_of_random_graphs_are_those_of_brute_force() {
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..200 {
        let vertices = 1 + random.below(14);
        let mut around: Vec<u32> = (0..vertices).map(|vertex| 1 << vertex).collect();
        let density = 1 + random.below(8);
        let mut text = String::new();
        for a in 0..vertices {
            writeln!(text, "v{a}").unwrap();
        }
        for a in 0..vertices {
            for b in 0..a {
                if random.below(10) < density {
                    let (i, j) = (usize::try_from(a).unwrap(), usize::try_from(b).unwrap());
                    around[i] |= 1 << b;
                    around[j] |= 1 << a;
                    writeln!(text, "v{a} v{b} # an edge").unwrap();
                }
            }
        }
        let game = Placement::on_graph("random", Graph::parse(&text).unwrap()).unwrap();
        let all = u32::MAX >> (32 - vertices);
        let nimber = brute(&around, all, &mut HashMap::new());
        let state = game.initial();
        assert_eq!(game.nimber(&state, &NoProgress).unwrap(), nimber, "{text}");
        let lost = game.outcome(&state, &NoProgress).unwrap().outcome == Outcome::Loss;
        assert_eq!(lost, nimber == 0, "{text}");
    }
}

#[test]
fn boards_with_gaps_and_positions_within_boards_are_those_of_brute_force() {
    let mut random = Random(2_463_534_242);
    for round in 0..200 {
        let kings = round % 2 == 0;
        let around = board(4, 5, kings);
        let gaps = u32::try_from(random.below(1 << 20) & random.below(1 << 20)).unwrap();
        let all = (1 << 20) - 1 & !gaps;
        let mut picture = String::new();
        for row in (0..4).rev() {
            for column in 0..5 {
                picture.push(if all >> (row * 5 + column) & 1 == 1 {
                    '.'
                } else {
                    '_'
                });
            }
            picture += if row > 0 { "/" } else { "" };
        }
        if all == 0 {
            continue;
        }
        let family = if kings { "kings" } else { "regio" };
        let nimber = brute(&around, all, &mut HashMap::new());
        let gapped = game(&format!("{family}:{picture}"));
        assert_eq!(
            gapped.nimber(&gapped.initial(), &NoProgress).unwrap(),
            nimber,
            "{picture}"
        );
        let whole = game(&format!("{family}:4x5"));
        let state = whole.parse_state(&picture).unwrap();
        assert_eq!(
            whole.nimber(&state, &NoProgress).unwrap(),
            nimber,
            "{picture}"
        );
        let judged = whole.outcome(&state, &NoProgress).unwrap();
        assert_eq!(
            judged.outcome == Outcome::Loss,
            nimber == 0,
            "{picture} {judged:?}"
        );
    }
}

#[test]
fn a_row_is_dawsons_chess() {
    let octal = Octal::dawsons_chess();
    let values = octal.nimbers(2000);
    assert_eq!(values[..34], DAWSON);
    let periodic = octal.periodic(1 << 12).unwrap();
    assert_eq!((period(&periodic), periodic.start()), (34, 52));
    let exceptions: Vec<_> = (0..values.len() - 34)
        .filter(|&heap| values[heap] != values[heap + 34 * ((2000 - heap) / 34)])
        .collect();
    assert_eq!(exceptions, [0, 14, 16, 17, 31, 34, 51]);
    for (heap, &value) in values.iter().enumerate() {
        assert_eq!(periodic.nimber(heap), value, "{heap}");
    }
    for length in [1, 2, 5, 33, 34, 51, 52, 700, 800, 2000] {
        for spec in [
            format!("kings:1x{length}"),
            format!("regio:{length}x1"),
            format!("kings:2x{length}"),
        ] {
            let game = game(&spec);
            assert_eq!(
                game.nimber(&game.initial(), &NoProgress).unwrap(),
                values[length],
                "{spec}"
            );
        }
    }
}

#[test]
fn the_moves_of_a_row_leave_two_rows() {
    let values = Octal::dawsons_chess().nimbers(60);
    let game = game("kings:1x60");
    let options = game.options(&game.initial(), &NoProgress).unwrap();
    for (place, left) in options.into_iter().enumerate() {
        let expected = values[place.saturating_sub(1)] ^ values[58_usize.saturating_sub(place)];
        assert_eq!(left.nimber, Some(expected), "{}", game.format_move(left.mv));
    }
}

#[test]
fn octal_games_that_others_have_worked_out() {
    // Kayles, 0.77: period 12 from heap 71 on (Guy and Smith).
    let kayles = Octal::new(&[7, 7]).unwrap().periodic(1 << 12).unwrap();
    assert_eq!((period(&kayles), kayles.start()), (12, 71));
    // Nim, 0.3333..., taken one by one: 0.3 alternates.
    let single = Octal::new(&[3]).unwrap().periodic(1 << 12).unwrap();
    assert_eq!((single.nimber(1000), single.nimber(1001)), (0, 1));
    assert!(Octal::new(&[8]).is_none());
}

#[test]
fn the_winners_that_the_paper_names() {
    let outcome = |spec: &str| {
        let game = game(spec);
        game.outcome(&game.initial(), &NoProgress).unwrap().outcome
    };
    for (spec, first_wins) in [
        ("kings:3x3", true),
        ("kings:2x4", false),
        ("kings:2x2", true),
        ("kings:4x4", false),
        ("kings:1x4", false),
        ("kings:1x6", true),
        ("kings:5x7", true),
        ("regio:4x4", false),
        ("regio:5x5", true),
        // Too large for all but a theorem.
        ("kings:301x301", true),
    ] {
        assert_eq!(outcome(spec) == Outcome::Win, first_wins, "{spec}");
    }
}

#[test]
fn small_boards_obey_the_laws_and_their_tables_agree_with_nimbers() {
    for spec in [
        "kings:4x5",
        "kings:4x4",
        "regio:3x4",
        "kings:.../._./.._",
        "kings:1x9",
    ] {
        let game = game(spec);
        let table = table(&game);
        for slot in 0..game.slots() {
            laws::ranking(&game, slot).unwrap();
            laws::quick_moves(&game, slot).unwrap();
            let state = game.unrank(slot).unwrap();
            laws::notation(&game, &state).unwrap();
            let won = table.record(slot).unwrap().best().outcome() == Outcome::Win;
            let nimber = game.nimber(&state, &NoProgress).unwrap();
            assert_eq!(won, nimber > 0, "{}", game.format_state(&state));
            for mv in game.moves(&state) {
                if let Next::State(next) = game.play(&state, mv) {
                    assert!(game.rank(&next) < slot);
                }
            }
        }
        assert_eq!(game.rank(&game.initial()), game.slots() - 1);
    }
}

#[test]
fn kings_on_5x6_has_the_known_number_of_positions() {
    // Counted by an earlier prototype: classes of reachable sets of free squares, the
    // empty one included, and those with one winning move up to symmetry.
    let game = game("kings:5x6");
    assert_eq!(game.slots() + 1, 1643);
    let names = game.features();
    let orbits = names
        .iter()
        .position(|feature| feature.name == "winning_orbits");
    let unique = (0..game.slots()).filter(|&slot| {
        let mut cells = Vec::new();
        game.measure(&game.unrank(slot).unwrap(), &[orbits.unwrap()], &mut cells);
        cells[0].get() == Some(1)
    });
    assert_eq!(unique.count(), 382);
}

#[test]
fn faults_in_text_are_shown_where_they_are() {
    let game = game("kings:3x4");
    for (text, at, says) in [
        ("..../..../...", 13, "3 ranks of 4"),
        ("..../..../....x", 14, "3 ranks of 4"),
        ("..../.y../....", 6, "consists of"),
        ("..../xx../....", 5, "only one can be taken"),
        ("..../....", 9, "3 ranks"),
        ("____/____/____", 0, "over"),
        ("0.../..../....", 0, "consists of"),
        ("99999999999999999999/4/4", 0, "consists of"),
        ("", 0, "3 ranks"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.message.contains(says), "{text}: {error}");
    }
    let taken = game.parse_state("..../.x../....").unwrap();
    assert_eq!(game.format_state(&taken), "___./___./___.");
    for (text, says) in [
        ("a 1\nb c d\n", "two names"),
        ("a a\n", "itself"),
        ("# nothing\n", "no vertex"),
        ("digraph { a -> b; }", "undirected"),
        ("graph { a -- b", "missing at the end"),
        ("graph { a -- ; }", "unexpected ';'"),
        ("graph { a -- b /* }", "no end"),
    ] {
        let error = Graph::parse(text).unwrap_err();
        assert!(error.message.contains(says), "{text}: {error}");
    }
    for spec in [
        "kings",
        "kings:",
        "kings:0x4",
        "kings:4x",
        "kings:../...",
        "kings:__",
        "kings:99999x99999",
    ] {
        assert!(Placement::from_spec(spec).is_err(), "{spec}");
    }
}

#[test]
fn both_notations_of_graphs_read_alike() {
    let edges = Graph::parse("a b\r\nb,c\nd\n").unwrap();
    let dot = Graph::parse("graph G { a -- b -- c [color=red]; // a path\n d; }").unwrap();
    assert_eq!(edges, dot);
}

/// The queens graph of a board: a queen's moves are its edges.
fn queens(side: usize) -> Placement {
    let mut text = "q0\n".to_owned();
    for a in 0..side * side {
        for b in 0..a {
            let rows = (a / side).abs_diff(b / side);
            let columns = (a % side).abs_diff(b % side);
            if rows == 0 || columns == 0 || rows == columns {
                writeln!(text, "q{a} q{b}").unwrap();
            }
        }
    }
    Placement::on_graph("queens", Graph::parse(&text).unwrap()).unwrap()
}

#[test]
fn sequences_that_others_have_published() {
    // A316632 of the encyclopedia: node Kayles on the 3 x n lattice.
    let lattice = [2, 1, 1, 0, 3, 3, 2, 2, 2, 3, 3, 5];
    for (length, nimber) in (1..).zip(lattice) {
        let game = game(&format!("regio:3x{length}"));
        assert_eq!(
            game.nimber(&game.initial(), &NoProgress).unwrap(),
            nimber,
            "{length}"
        );
    }
    // A344227: non-attacking queens placed in turn on n x n.
    for (side, nimber) in (1..).zip([1, 1, 2, 1, 3, 1, 2]) {
        let game = queens(side);
        assert_eq!(
            game.nimber(&game.initial(), &NoProgress).unwrap(),
            nimber,
            "{side}"
        );
    }
}
