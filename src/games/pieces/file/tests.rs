use super::*;
use crate::games::pieces::rules::{MOST_KINDS, Squares};

fn game(name: &str) -> Rules {
    Rules::parse(shipped(name).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn start(rules: &Rules) -> ([[Squares; MOST_KINDS]; 2], [[u8; MOST_KINDS]; 2]) {
    let start = rules.start.expect("this is for games with a start");
    (start.men, start.hands)
}

#[test]
fn every_file_that_ships_is_read() {
    let digests: Vec<String> = names().map(|name| game(name).digest()).collect();
    for (place, digest) in digests.iter().enumerate() {
        assert!(!digests[..place].contains(digest), "{digest}");
    }
    assert_eq!(names().count(), 14);
    assert!(shipped("nothing").is_none());
}

#[test]
fn chess() {
    let rules = game("chess");
    let letters: String = rules.kinds.iter().map(|kind| kind.letter).collect();
    assert_eq!(letters, "KQRBNPP");
    let (pawn, passing) = (&rules.kinds[5], &rules.kinds[6]);
    assert_eq!((pawn.passing, pawn.passing_of), (Some(6), None));
    assert_eq!((passing.passing, passing.passing_of), (None, Some(5)));
    assert_eq!(pawn.squares, 0x00ff_ffff_ffff_ff00);
    assert_eq!(passing.squares, 0x0000_00ff_0000_0000);
    assert_eq!(pawn.promotes_to, [1, 2, 3, 4]);
    assert_eq!(pawn.promotion_squares, 0xff);
    assert_eq!(pawn.name, "pawn");
    assert_eq!(rules.start, None);
}

#[test]
fn starts_and_goals() {
    let dobutsu = game("dobutsu");
    let (men, hands) = start(&dobutsu);
    assert_eq!(men[0][..5], [1 << 10, 1 << 7, 1 << 11, 1 << 9, 0]);
    assert_eq!(men[1][..5], [1 << 1, 1 << 4, 1, 1 << 2, 0]);
    assert_eq!(hands, [[0; MOST_KINDS]; 2]);
    assert_eq!((dobutsu.kinds[4].in_hand, dobutsu.kinds[1].in_hand), (1, 1));
    assert_eq!(dobutsu.kinds[1].promotion_squares, 0b111);

    let tictactoe = game("tictactoe");
    assert_eq!(start(&tictactoe).1.map(|hand| hand[0]), [5, 4]);
    let lines = [0o007, 0o070, 0o111, 0o124, 0o222, 0o421, 0o444, 0o700];
    assert_eq!(tictactoe.goals, lines);
    let goals = |name| game(name).goals.len();
    assert_eq!(goals("teeko"), 28 + 16);
    assert_eq!(goals("advanced-teeko"), 28 + 30);
    assert_eq!((goals("mondrago"), goals("neutreeko")), (50, 48));
    assert_eq!(game("hexapawn").kinds[0].squares, 0o770);
}
