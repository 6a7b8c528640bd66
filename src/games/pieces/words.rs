//! The rules in words, as they are printed in a book.

use indexmap::{IndexMap, IndexSet};

use super::Pieces;
use super::betza::{FURTHEST, Vector};
use super::features::decides_by_goals;
use super::rules::{ALL_RIGHTS, Kind, Passes, Rules, Squares, Step, Try, Way};
use super::state::Side;
use crate::base::value::Outcome;
use crate::game::{Board, RuleExample, RuleInWords};

pub(super) fn rules(game: &Pieces) -> Vec<RuleInWords> {
    let rules = game.rules();
    // Where goals decide, kinds do not tell drops from moves.
    let quiet = if decides_by_goals(rules) && rules.has_hands() {
        RuleExample::None
    } else {
        RuleExample::Kind("quiet")
    };
    let parts = [
        ("Start", start(rules), RuleExample::Initial),
        ("Moves", moves(rules), quiet),
        ("Taking", taking(rules), RuleExample::Kind("capture")),
        (
            "In passing",
            in_passing(rules),
            RuleExample::Kind("in_passing"),
        ),
        (
            "Promotion",
            promotion(rules),
            RuleExample::Kind("promotion"),
        ),
        ("Castling", castling(rules), RuleExample::Kind("castling")),
        ("Drops", drops(rules), RuleExample::Kind("drop")),
        ("The end", end(rules), RuleExample::None),
    ];
    let rules = parts.into_iter().map(|(title, sentences, example)| {
        let said = !sentences.is_empty();
        said.then(|| RuleInWords::new(title, sentences.join(" "), example))
    });
    rules.flatten().collect()
}

fn start(rules: &Rules) -> Vec<String> {
    let (columns, rows) = rules.board.size();
    let mut text = vec![format!("The board has {columns} files and {rows} ranks.")];
    let [first, second] = Side::BOTH.map(|side| side.name(rules.names));
    if let Some(start) = &rules.start {
        if start.of_side(0) | start.of_side(1) == 0 {
            text.push("It is empty at first.".to_owned());
        }
        if rules.fills_squares() {
            text.push(format!(
                "{first} begins, and the sides take turns to fill a free square."
            ));
            return text;
        }
        for (hand, side) in start.hands.iter().zip([first, second]) {
            let held = rules.counted(|kind| hand[kind]);
            if !held.is_empty() {
                text.push(format!("{side} has {} in hand.", either(&held, "and")));
            }
        }
        text.push(format!("{first}, at the bottom, begins."));
    } else {
        text.push(format!(
            "The name of the game lists the men, and {first} or {second} is to move; {first} plays up the board."
        ));
    }
    let passes = [" and may not pass", ""][usize::from(rules.passes != Passes::Never)];
    text.push(format!("The sides take turns{passes}."));
    text
}

fn moves(rules: &Rules) -> Vec<String> {
    if rules.fills_squares() {
        return Vec::new();
    }
    let kinds = rules.written_kinds().map(|(_, kind)| kind);
    let mut text: Vec<_> = kinds.map(|kind| moves_of(rules, kind)).collect();
    let steps = || rules.kinds.iter().flat_map(|kind| &kind.steps);
    if steps().any(|step| step.range != 1) {
        text.push("A man that goes several squares needs free ones on its way.".to_owned());
    }
    if rules.alquerque {
        text.push("Diagonal steps begin on every second square only, the left corner of a side's home rank among them.".to_owned());
    }
    let one_sided = |kind: &Kind| {
        let has_image = |step: &Step| {
            let right = -step.right;
            kind.steps.contains(&Step { right, ..*step })
        };
        !kind.steps.iter().all(has_image)
    };
    let corners_differ = rules.board.size().0.is_multiple_of(2);
    if rules.alquerque && corners_differ || rules.kinds.iter().any(one_sided) {
        let first = Side::First.name(rules.names);
        text.push(if rules.rotated {
            "Left and right are as each side sees them from its own edge.".to_owned()
        } else {
            format!("Left and right are as {first} sees them, for both sides.")
        });
    }
    text
}

fn moves_of(rules: &Rules, kind: &Kind) -> String {
    // One sentence lists all directions of steps that are alike otherwise.
    let mut groups = IndexMap::<Step, Vec<Vector>>::new();
    for step in told(kind) {
        let alike = Step {
            right: 0,
            forward: 0,
            takes_in_passing: false,
            ..step
        };
        let ways = groups.entry(alike).or_default();
        ways.push((step.right, step.forward));
    }
    let mut text = Vec::new();
    for (step, ways) in groups {
        let subject = match (text.is_empty(), step.initial) {
            (true, false) => format!("The {}", kind.name),
            (true, true) => format!("From its rank {}, the {}", kind.initial_rank, kind.name),
            (false, false) => "It".to_owned(),
            (false, true) => format!("From its rank {}, it", kind.initial_rank),
        };
        let mut clauses = Vec::new();
        let (near, far): (Vec<_>, Vec<_>) = ways.into_iter().partition(|&way| length(way) == 1);
        let (anywhere, far): (Vec<_>, Vec<_>) =
            far.into_iter().partition(|&way| length(way) == FURTHEST);
        if !near.is_empty() {
            clauses.push(clause(step, false, &directions(&near)));
        }
        if !far.is_empty() {
            clauses.push(clause(step, true, &leaps(&far)));
        }
        if !anywhere.is_empty() {
            let verb = if step.goes { "moves to" } else { "takes on" };
            clauses.push(match (anywhere.len(), step.takes) {
                (4, true) => format!("{verb} any other square"),
                (4, false) => format!("{verb} any free square"),
                _ => format!(
                    "{verb} any square {} between its diagonals, these included",
                    directions(&anywhere)
                ),
            });
        }
        let mut clauses = clauses.join(", or ");
        if step.goes && !step.takes && rules.has_taking() {
            clauses += " without taking";
        }
        if step.lame {
            clauses += if far.iter().all(|&way| length(way) == 2) {
                ", if the square between is free"
            } else {
                ", if the squares between are free"
            };
        }
        text.push(format!("{subject} {clauses}."));
    }
    if text.is_empty() {
        text.push(format!("The {} does not move.", kind.name));
    }
    if let Some(squares) = bounds(rules, kind) {
        let wins = if kind.wins_on_far_rank {
            ", or goes to the far rank and wins"
        } else {
            ""
        };
        text.push(format!("It stays on {squares}{wins}."));
    }
    text.join(" ")
}

/// The steps that go or take. Of an atom that leads anywhere, these are the furthest straight ones:
/// each speaks for all on its side of the diagonals.
fn told(kind: &Kind) -> Vec<Step> {
    let all = kind.steps.iter().copied();
    let (furthest, mut steps): (Vec<Step>, Vec<Step>) =
        all.partition(|step| size((step.right, step.forward)) == (0, FURTHEST));
    for step in &mut steps {
        let long = length((step.right, step.forward));
        for far in &furthest {
            let along = step.right * far.right.signum() + step.forward * far.forward.signum();
            if far.initial == step.initial && u8::try_from(along) == Ok(long) {
                step.goes &= !far.goes;
                step.takes &= !far.takes;
            }
        }
    }
    steps.extend(furthest);
    steps.retain(|step| step.goes || step.takes);
    steps
}

/// The greatest coordinate of a way: 1 for the steps of a king.
fn length((right, forward): Vector) -> u8 {
    right.unsigned_abs().max(forward.unsigned_abs())
}

/// What a man does, with what is known of where.
fn clause(step: Step, leaps: bool, to: &str) -> String {
    let verb = match (step.goes, leaps && !step.lame) {
        (true, true) => "leaps",
        (true, false) => "moves",
        (false, true) => "takes with a leap of",
        (false, false) => "takes",
    };
    match (step.range, step.to_end, leaps) {
        (1, _, true) => format!("{verb} {to}"),
        (0, _, true) => format!("{verb} {to}, any number of times in the same direction"),
        (most, _, true) => format!(
            "{verb} {to}, up to {} times in the same direction",
            number(most)
        ),
        (1, _, false) => format!("{verb} one square {to}"),
        (0, true, false) => format!("{verb} {to} as far as it can go"),
        (most, true, false) => format!(
            "{verb} {to} as far as it can go, but at most {} squares",
            number(most)
        ),
        (0, false, false) => format!("{verb} any number of squares {to}"),
        (most, false, false) => format!("{verb} up to {} squares {to}", number(most)),
    }
}

/// The directions of steps to neighbours, or of ways that are several times as long.
fn directions(ways: &[Vector]) -> String {
    let has = |way: &Vector| {
        ways.iter()
            .any(|&(right, forward)| (right.signum(), forward.signum()) == *way)
    };
    let (straight, diagonal) = (
        [(0, 1), (0, -1), (-1, 0), (1, 0)],
        [(-1, 1), (1, 1), (-1, -1), (1, -1)],
    );
    // What stands earlier says what later lines would say in part.
    let named: [(&[Vector], &str); 14] = [
        (&[straight, diagonal].concat(), "in any direction"),
        (&straight, "along its rank or file"),
        (&diagonal, "diagonally"),
        (&[(0, 1)], "forward"),
        (&[(0, -1)], "backward"),
        (&[(-1, 0), (1, 0)], "sideways"),
        (&[(-1, 0)], "to the left"),
        (&[(1, 0)], "to the right"),
        (&[(-1, 1), (1, 1)], "diagonally forward"),
        (&[(-1, -1), (1, -1)], "diagonally backward"),
        (&[(-1, 1)], "diagonally forward to the left"),
        (&[(1, 1)], "diagonally forward to the right"),
        (&[(-1, -1)], "diagonally backward to the left"),
        (&[(1, -1)], "diagonally backward to the right"),
    ];
    let (mut told, mut words) = (Vec::new(), Vec::new());
    for (ways, name) in named {
        if ways.iter().all(has) && ways.iter().any(|way| !told.contains(way)) {
            told.extend_from_slice(ways);
            words.push(name.to_owned());
        }
    }
    either(&words, "or")
}

/// Where ways lead that are no steps to neighbours.
fn leaps(ways: &[Vector]) -> String {
    let mut sizes: Vec<(u8, u8)> = ways.iter().map(|&way| size(way)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut words = Vec::new();
    for (less, most) in sizes {
        let mut ways = ways.to_vec();
        ways.retain(|&way| size(way) == (less, most));
        if less == 0 || less == most {
            words.push(format!("{} squares {}", number(most), directions(&ways)));
        } else if ways.len() == 8 {
            words.push(format!(
                "{} squares along its rank or file and {} to the side",
                number(most),
                number(less)
            ));
        } else {
            words.extend(ways.iter().map(|&(right, forward)| {
                let side = if right < 0 { "left" } else { "right" };
                let along = if forward < 0 { "backward" } else { "forward" };
                let [right, forward] = [right, forward].map(|by| number(by.unsigned_abs()));
                format!("{forward} {along} and {right} to the {side}")
            }));
        }
    }
    either(&words, "or")
}

/// The lesser and the greater coordinate of a way, without their signs.
fn size((right, forward): Vector) -> (u8, u8) {
    let (right, forward) = (right.unsigned_abs(), forward.unsigned_abs());
    (right.min(forward), right.max(forward))
}

/// The squares on which a kind stays, unless its way of moving and its promotion say it.
fn bounds(rules: &Rules, kind: &Kind) -> Option<String> {
    let mut never = rules.all() & !kind.squares;
    if !kind.promotion_optional {
        never &= !kind.promotion_squares;
    }
    if kind.wins_on_far_rank {
        never &= !rules.far();
    }
    if kind.steps.iter().all(|step| step.forward > 0) {
        let ranks = (1..=rules.board.size().1).map(|rank| rules.rank(rank));
        let behind = ranks.take_while(|rank| rank & kind.squares == 0);
        never &= !behind.fold(0, |all, rank| all | rank);
    }
    (never != 0).then(|| places(rules, kind.squares))
}

fn taking(rules: &Rules) -> Vec<String> {
    if !rules.has_taking() {
        return Vec::new();
    }
    let mut text = vec!["A man takes one of the other side by going to its square.".to_owned()];
    if !rules.to_hand {
        text.push("The man that is taken is out of the game.".to_owned());
        return text;
    }
    text.push("The man that is taken goes to the hand of the side that took it.".to_owned());
    for (number, kind) in rules.written_kinds() {
        if kind.in_hand != number && !kind.royal {
            let becomes = &rules.kinds[kind.in_hand].name;
            text.push(format!("{} becomes {} there.", one(kind), a(becomes)));
        }
    }
    text
}

fn in_passing(rules: &Rules) -> Vec<String> {
    let Some((kind, _)) = rules.passing_kinds() else {
        return Vec::new();
    };
    // The men that are taken in passing are those that take so.
    let kind = &rules.kinds[kind];
    let (name, man) = (&kind.name, a(&kind.name));
    vec![format!(
        "When {man} has gone two squares at once from its rank {}, {man} of the other side can take it with the very next move, as if the {name} had gone only one.",
        kind.initial_rank
    )]
}

fn promotion(rules: &Rules) -> Vec<String> {
    let kinds = rules.written_kinds().map(|(_, kind)| kind);
    let promoting = kinds.filter(|kind| !kind.promotes_to.is_empty());
    let sentence = |kind: &Kind| {
        let to = kind.promotes_to.iter();
        let to: Vec<_> = to.map(|&to| a(&rules.kinds[to].name)).collect();
        let becomes = if kind.promotion_optional && kind.promotion_squares & kind.squares != 0 {
            "may become"
        } else {
            "becomes"
        };
        let choice = if to.len() > 1 {
            ", as its side likes"
        } else {
            ""
        };
        let (zone, to) = (kind.promotion_squares, either(&to, "or"));
        let (stays, must) = (zone & kind.squares, zone & !kind.squares);
        let (zone, must) = match (kind.promotion_optional, stays, must) {
            (true, 1.., 1..) => (stays, format!("; on {} it must", places(rules, must))),
            _ => (zone, String::new()),
        };
        format!(
            "{} that comes to {} {becomes} {to}{choice}{must}.",
            one(kind),
            places(rules, zone)
        )
    };
    let mut text: Vec<_> = promoting.map(sentence).collect();
    if !text.is_empty() && rules.has_hands() {
        text.push("A man that is dropped there stays what it is.".to_owned());
    }
    text
}

fn castling(rules: &Rules) -> Vec<String> {
    let Some(castling) = &rules.castling else {
        return Vec::new();
    };
    let [royal, rook] = castling.kinds.map(|kind| &rules.kinds[kind].name);
    let way = |(_, side, way): (u8, usize, Way)| {
        let name = |square| rules.board.name(rules.seen_by(side, square));
        let [[from, to], [begin, end]] = way.map(|both| both.map(name));
        format!("the {royal} goes from {from} to {to} and the {rook} from {begin} to {end}")
    };
    let ways: Vec<_> = rules.ways(ALL_RIGHTS).map(way).collect();
    vec![format!(
        "A {royal} may castle with a {rook} if neither has moved: {}. All squares between and those where the men go must be free of others, and the {royal} may not be in check, nor pass a square where it could be taken.",
        either(&ways, "or")
    )]
}

fn drops(rules: &Rules) -> Vec<String> {
    if !rules.has_hands() {
        return Vec::new();
    }
    let moves = rules.kinds.iter().any(|kind| !kind.steps.is_empty());
    let how = match (moves, rules.drop_first) {
        (false, _) => "A side puts a man from its hand on a free square.",
        (true, true) => {
            "A side that has men in hand puts one of them on a free square; its men move only when all are on the board."
        }
        (true, false) => "Instead of moving, a side may put a man from its hand on a free square.",
    };
    let mut text = Vec::new();
    if !rules.fills_squares() {
        text.push(how.to_owned());
    }
    if rules.not_first != 0 {
        text.push(format!(
            "The first man of all may not be put on {}.",
            names(rules, rules.not_first, "or")
        ));
    }
    for (number, kind) in rules.written_kinds() {
        if rules.can_be_in_hand(number) && kind.drop_squares != rules.all() {
            let squares = places(rules, kind.drop_squares);
            text.push(format!("{} may be put on {squares} only.", one(kind)));
        }
        if kind.one_per_file {
            text.push(format!(
                "{} may not be put on a file that has another {} of its side.",
                one(kind),
                kind.name
            ));
        }
        if kind.no_drop_mate {
            text.push(format!("{} may not be put where that mates.", one(kind)));
        }
    }
    text
}

fn end(rules: &Rules) -> Vec<String> {
    let royal = rules.royal_kind();
    let royal = royal.map_or("", |kind| &rules.kinds[kind].name);
    let mut text = Vec::new();
    if rules.check {
        text.push(format!("A side whose {royal} could be taken is in check, and no side may leave its {royal} in check. A side that is in check and has no move is mated and loses."));
    } else if rules.has_royal() {
        text.push(format!(
            "A side that takes the {royal} wins, and a side that can take it does."
        ));
    }
    let when = match rules.try_rule {
        Try::Never => None,
        Try::Any => Some(""),
        Try::Safe => Some(", if it cannot be taken there"),
        Try::Held => Some(" when the other side has made a move and has not taken it"),
    };
    if let Some(when) = when {
        text.push(format!(
            "A side whose {royal} comes to the far rank wins{when}."
        ));
    }
    let kinds = rules.written_kinds().map(|(_, kind)| kind);
    let winning = kinds.filter(|kind| kind.wins_on_far_rank);
    text.extend(
        winning.map(|Kind { name, .. }| format!("A side whose {name} comes to the far rank wins.")),
    );
    let goals = goals(rules);
    if !goals.is_empty() {
        text.push(format!("A side that has {goals} after its move wins."));
    }
    if rules.cornered_wins {
        text.push(
            "A side whose man in a corner is surrounded by men of the other side wins.".to_owned(),
        );
    }
    if rules.bare_loses {
        text.push(format!("A side that has nothing but its {royal} has lost."));
    }
    if rules.no_pieces_loses {
        text.push("A side that has no men has lost.".to_owned());
    }
    let unless = ["", " and is not in check"][usize::from(rules.check)];
    text.push(match (rules.passes, rules.no_move) {
        (Passes::Stuck, _) => format!("A side that has no move{unless} passes."),
        (Passes::Always, _) => format!(
            "Instead of moving, a side{} may pass.",
            unless.replacen(" and", " that", 1)
        ),
        (_, Outcome::Loss) => format!("A side that has no move{unless} loses."),
        (_, Outcome::Win) => format!("A side that has no move{unless} wins."),
        (_, Outcome::Draw) => {
            format!("If the side to move has no move{unless}, the game is a draw.")
        }
    });
    let mut steps = rules.kinds.iter().flat_map(|kind| &kind.steps);
    if rules.to_hand || rules.passes != Passes::Never || steps.any(|step| step.forward <= 0) {
        text.push("Endless play is a draw.".to_owned());
    }
    text
}

/// What the sets of squares that win look like.
fn goals(rules: &Rules) -> String {
    const LARGER: &str = "on the corners of a larger square along rows and columns";
    const CORNERS: &str = "in the four corners of the board";
    let (columns, squares) = (rules.board.size().0, rules.squares());
    let corners = [0, columns - 1, squares - columns, squares - 1];
    let corners = corners.iter().fold(0, |set, square| set | 1 << square);
    let mut shapes = IndexMap::<String, IndexSet<String>>::new();
    for &goal in &rules.goals {
        let men: Vec<_> = Board::squares_in(goal).collect();
        let at =
            |square: u8| Vector::from([square % columns, square / columns].map(u8::cast_signed));
        let by = |pair: &[u8]| {
            let (from, to) = (at(pair[0]), at(pair[1]));
            (to.0 - from.0, to.1 - from.1)
        };
        let step = men.get(..2).map_or((0, 0), by);
        // What is no row is the corners of a square.
        let (what, shape) = if length(step) == 1 && men.windows(2).all(|pair| by(pair) == step) {
            let line = match step {
                (_, 0) => "row",
                (0, _) => "column",
                _ => "diagonal",
            };
            let count = number(u8::try_from(men.len()).unwrap_or(u8::MAX));
            (format!("{count} men side by side in a"), line)
        } else {
            let square = match step {
                (1, 0) => "in a square of two by two",
                (_, 0) if goal == corners => CORNERS,
                (_, 0) => LARGER,
                _ => "on the corners of a tilted square",
            };
            ("four men".to_owned(), square)
        };
        shapes.entry(what).or_default().insert(shape.to_owned());
    }
    let words = shapes.into_iter().map(|(what, mut shapes)| {
        if shapes.contains(LARGER) {
            shapes.shift_remove(CORNERS);
        }
        let shapes = Vec::from_iter(shapes);
        format!("{what} {}", either(&shapes, "or"))
    });
    words.collect::<Vec<_>>().join(", or ")
}

/// Squares as their owner sees them: the far rank, ranks side by side, or their names, for each
/// side if they differ.
fn places(rules: &Rules, set: Squares) -> String {
    let ranks = 1..=rules.board.size().1;
    let ranks: Vec<u8> = ranks.filter(|&rank| rules.rank(rank) & !set == 0).collect();
    let whole = ranks.iter().fold(0, |all, &rank| all | rules.rank(rank));
    match ranks[..] {
        _ if set == rules.far() => "the far rank".to_owned(),
        [rank] if whole == set => format!("its rank {rank}"),
        [first, .., last] if whole == set && usize::from(last - first) + 1 == ranks.len() => {
            format!("its ranks {first} to {last}")
        }
        _ => {
            let [first, second] = Side::BOTH.map(|side| side.name(rules.names));
            let [own, other] = [0, 1].map(|side| names(rules, rules.set_seen_by(side, set), "and"));
            if own == other {
                own
            } else {
                format!("{own} ({first}) or {other} ({second})")
            }
        }
    }
}

fn names(rules: &Rules, set: Squares, last: &str) -> String {
    let names = Board::squares_in(set).map(|square| rules.board.name(square));
    either(&names.collect::<Vec<_>>(), last)
}

/// `a, b or c`.
fn either(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A name with its article.
fn a(name: &str) -> String {
    let is_vowel = |letter: char| "aeiou".contains(letter);
    let mut letters = name.chars();
    let [first, second, third] = [(); 3].map(|()| letters.next().unwrap_or(' '));
    // As in unicorn.
    let is_spoken_you = first == 'u' && !is_vowel(second) && is_vowel(third);
    let article = if is_vowel(first) && !is_spoken_you {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// Its name with its article, at the beginning of a sentence.
fn one(kind: &Kind) -> String {
    a(&kind.name).replacen('a', "A", 1)
}

fn number(number: u8) -> String {
    const WORDS: [&str; 9] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    let word = WORDS.get(usize::from(number));
    word.map_or_else(|| number.to_string(), |&word| word.to_owned())
}
