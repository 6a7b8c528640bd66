//! Problems whose answers are known from elsewhere: the sample of Sakuta and Iida's paper
//! (its diagram is an image; this position fits all that the text says of it and yields
//! the printed solution), problems of the public list of the solver
//! tempakyousuke/tsuitate-solver (q and a number), and mined ones that another program
//! has solved (m).

use tesuji::base::progress::NoProgress;
use tesuji::game::{Game, Hidden};
use tesuji::games::tsuitate::Tsuitate;
use tesuji::solve::belief::{BeliefSolution, Limits, LineStep, Mode, solve};

/// Name, position, plies, fouls allowed, first move.
const KNOWN: [(&str, &str, u16, u8, &str); 11] = [
    ("sample", "8S/9/9/6RSk/8r/9/8P/6L2/9 b - 1", 9, 1, "2d1e"),
    ("m3", "5S2k/9/8P/9/9/9/9/9/9 b SB 1", 3, 1, "B*3c"),
    ("m5a", "4B4/6k2/8S/9/8S/9/9/9/9 b GR 1", 5, 1, "G*3c"),
    ("m7", "9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b PNB 1", 7, 1, "2c2b"),
    ("q6", "7n1/7kl/5SP1b/7pp/9/9/9/9/9 b N 1", 3, 1, "3c3b+"),
    ("q5", "l8/1kP6/2p6/1P7/9/9/9/9/9 b GS 1", 3, 0, "G*8c"),
    ("q7", "7n1/5Sskl/6p2/7pp/9/9/9/9/9 b 2BN 1", 5, 1, "B*3a"),
    ("q2", "5s1g1/7kr/5p2p/6P2/7P1/9/9/9/9 b SN 1", 7, 1, "S*3c"),
    ("q13", "9/9/8p/7k1/5GP2/9/6N1P/6GP1/8L b SN 1", 7, 2, "4e3d"),
    ("q40", "l2g5/2k6/p2p5/2P6/9/9/9/9/9 b RGS 1", 9, 0, "G*7c"),
    (
        "q43",
        "5B1nk/6+Rgl/6g1p/5Bp2/7p1/9/9/9/9 b N 1",
        11,
        1,
        "3b2b",
    ),
];

type Answer = BeliefSolution<<Tsuitate as Game>::Move, <Tsuitate as Hidden>::Clue>;

fn solved(game: &Tsuitate, position: &str, (plies, fouls): (u8, u8), mode: Mode) -> Option<Answer> {
    let state = game.parse_state(position).unwrap();
    solve(game, &state, &Limits::new(plies, fouls), mode, &NoProgress).unwrap()
}

fn line(game: &Tsuitate, answer: &Answer) -> Vec<String> {
    let write = |step: LineStep<_, _>| match step {
        LineStep::Foul(mv) => format!("{}(foul)", game.format_move(mv)),
        LineStep::Stands(mv, clue) => game.format_move(mv) + &game.format_announced(clue),
        LineStep::Reply(clue) => game.format_reply(clue),
    };
    answer.line().into_iter().map(write).collect()
}

#[test]
fn known_problems_have_their_answers_in_all_modes() {
    let game = Tsuitate::default();
    for (name, position, plies, fouls, key) in KNOWN {
        for mode in [Mode::Fast, Mode::Reference, Mode::ProofNumber] {
            let answer = solved(&game, position, (11, 2), mode).unwrap();
            let keys: Vec<_> = answer
                .keys()
                .iter()
                .map(|&mv| game.format_move(mv))
                .collect();
            let found = (answer.plies(), answer.fouls_allowed, keys);
            assert_eq!(
                found,
                (plies, fouls, vec![key.to_owned()]),
                "{name} {mode:?}"
            );
        }
    }
}

#[test]
fn fouls_on_the_line_may_be_fewer_than_allowed() {
    let game = Tsuitate::default();
    for (name, fouls) in [("sample", 0), ("q13", 1)] {
        let (_, position, ..) = KNOWN.into_iter().find(|known| known.0 == name).unwrap();
        for mode in [Mode::Fast, Mode::Reference] {
            let answer = solved(&game, position, (11, 2), mode).unwrap();
            assert_eq!(answer.fouls_in_line(), fouls, "{name} {mode:?}");
            // Without that many fouls there is no solution of so few plies.
            let plies = u8::try_from(answer.plies()).unwrap();
            let fewer = answer.fouls_allowed - 1;
            assert!(solved(&game, position, (plies, fewer), mode).is_none());
        }
    }
}

#[test]
fn the_sample_has_the_line_that_the_paper_prints() {
    // 1.S1e 2.(-) 3.R*2c 4.(-) 5.R1d 6.x2c 7.R2d 8.(-) 9.R2b+ mate
    let printed = [
        "2d1exR", "-", "R*2c", "-", "3d1d", "x2c", "1d2d", "-", "2d2b+",
    ];
    let game = Tsuitate::default();
    for mode in [Mode::Fast, Mode::Reference] {
        let answer = solved(&game, KNOWN[0].1, (9, 1), mode).unwrap();
        assert_eq!(line(&game, &answer), printed, "{mode:?}");
    }
}

#[test]
fn the_line_of_m3_makes_its_foul() {
    let game = Tsuitate::default();
    let answer = solved(&game, KNOWN[1].1, (9, 3), Mode::Fast).unwrap();
    assert_eq!(line(&game, &answer), ["B*3c", "-", "S*2b(foul)", "S*1b"]);
    // The tree has a branch on that foul, and one in which the try mates.
    let second = &answer.tree.announcements[0].replies[0].1;
    assert_eq!(game.format_move(second.mv), "S*2b");
    assert!(second.announcements[0].won > 0);
    assert_eq!(game.format_move(second.foul.as_ref().unwrap().mv), "S*1b");
}

#[test]
fn equal_positions_kept_apart_change_the_counts_alone() {
    let game = Tsuitate::default();
    let mut more = 0;
    for (name, position, plies, ..) in KNOWN.into_iter().filter(|known| known.2 <= 7) {
        let state = game.parse_state(position).unwrap();
        let limits = Limits::new(u8::try_from(plies).unwrap(), 2);
        let of = |limits: &Limits| {
            solve(&game, &state, limits, Mode::Reference, &NoProgress)
                .unwrap()
                .unwrap()
        };
        let mut duplicates = limits;
        duplicates.duplicates = true;
        let (one, apart) = (of(&limits), of(&duplicates));
        assert_eq!(line(&game, &one), line(&game, &apart), "{name}");
        assert_eq!(one.keys(), apart.keys(), "{name}");
        let (fewer, all) = (one.statistics.total().1, apart.statistics.total().1);
        assert!(fewer <= all, "{name}");
        more += usize::from(fewer < all);
    }
    assert!(more >= 3, "{more}");
}
