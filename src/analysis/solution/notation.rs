//! Solutions in the notation of composers.
//!
//! `!` marks the key, `?` a try, `but` its refutation. Variations are indented. The
//! attacker's moves are numbered and the defender's follow them: `1.d2L! a1R 2.c2L`. Defences
//! with the same answer stand together, `7...a3D,b1U 8.d5R`, and `~` is every defence.

use std::collections::HashSet;
use std::fmt::Write;

use super::fold::{Defence, Folded, Follow, Length};
use super::{Solution, Tree};
use crate::game::{Game, Moves, Passing};

/// Defences with the same answer that are named; of more, the others are counted.
const NAMED: usize = 4;

/// The lines of variations in a short solution.
const SHORT: usize = 14;

/// Writes a solution: key, variations, cooks, slower wins, tries, set play. At the length of
/// the main line there is nothing but cooks beside it.
#[must_use]
pub fn write_solution<G: Moves + Passing>(
    game: &G,
    solution: &Solution<G>,
    length: Length,
) -> String {
    let mut text = String::new();
    let name = |mv: &G::Move| game.format_move(*mv);
    let side = game.side_to_move(&solution.state);
    let _ = writeln!(text, "{side} to move: {}", solution.value);
    if solution.tree.nodes().is_empty() {
        text += &numbered(&solution.line.iter().map(name).collect::<Vec<_>>(), true);
        text.push('\n');
    } else {
        text += &write_tree(game, &solution.tree, length);
    }
    let cooks: Vec<_> = solution.keys.iter().skip(1).map(name).collect();
    if !cooks.is_empty() {
        let _ = writeln!(text, "cooks: {}", cooks.join(" "));
    }
    if length == Length::Main {
        return text;
    }
    if length == Length::Short {
        // Moves with the same value stand together.
        for same in solution.slower.chunk_by(|a, b| a.value == b.value) {
            let moves: Vec<_> = same.iter().map(|rated| name(&rated.mv)).collect();
            let _ = writeln!(text, "also 1.{} ({})", moves.join(" "), same[0].value);
        }
    } else {
        for rated in &solution.slower {
            let _ = writeln!(text, "also 1.{} ({})", name(&rated.mv), rated.value);
        }
    }
    for this in &solution.tries {
        let _ = writeln!(
            text,
            "but 1.{}? {}! ({})",
            name(&this.mv),
            name(&this.refutation),
            this.value
        );
    }
    if let Some(set_play) = &solution.set_play {
        let line: Vec<_> = set_play.line.iter().map(name).collect();
        let _ = writeln!(
            text,
            "set play ({} to move): {}{}{}",
            game.side_to_move(&set_play.state),
            set_play.value,
            if line.is_empty() { "" } else { ": " },
            numbered(&line, false)
        );
    }
    text
}

/// A main line with the numbers of its moves, the first of which is the key.
#[must_use]
pub fn write_line(line: &[String]) -> String {
    let numbered = numbered(line, true);
    match numbered.split_once(' ') {
        Some((key, rest)) => format!("{key}! {rest}"),
        None => numbered + "!",
    }
}

/// A line of moves with numbers. The first is the attacker's, or the defender's.
fn numbered(line: &[String], attack: bool) -> String {
    let first = usize::from(!attack);
    let moves = line.iter().enumerate().map(|(place, name)| {
        let ply = place + first;
        let (number, own) = (ply / 2 + 1, ply.is_multiple_of(2));
        match (own, place) {
            (true, _) => format!("{number}.{name}"),
            (false, 0) => format!("{number}...{name}"),
            (false, _) => name.clone(),
        }
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// The names of defences that have the same answer: all of them, or `~` where they are all
/// that there are and are many; otherwise the first few with the number of the others.
#[must_use]
pub fn write_defences<G: Game>(game: &G, defence: &Defence<G::Move>, between: &str) -> String {
    let replies = &defence.replies;
    if defence.all && replies.len() > NAMED {
        return "~".to_owned();
    }
    // A single one more takes no more room than its number.
    let most = if replies.len() > NAMED + 1 {
        NAMED
    } else {
        NAMED + 1
    };
    let named = replies.iter().take(most);
    let mut names: Vec<_> = named.map(|&mv| game.format_move(mv)).collect();
    if replies.len() > most {
        names.push(format!("+{}", replies.len() - most));
    }
    names.join(between)
}

/// Writes the tree as indented variations. The first variation of every position continues
/// its line, and the others follow, indented. A subtree is shown only once.
#[must_use]
pub fn write_tree<G: Game>(game: &G, tree: &Tree<G::Move>, length: Length) -> String {
    let folded = Folded::new(tree);
    let mut writer = Writer {
        game,
        folded: &folded,
        seen: HashSet::new(),
        lines: Vec::new(),
    };
    if let Some(root) = folded.root() {
        writer.line(root, 1, 0, String::new());
    }
    let lines = writer.lines;
    let most = match length {
        Length::Main => 1,
        Length::Short => SHORT,
        Length::Full => usize::MAX,
    };
    let mut text = String::new();
    for line in lines.iter().take(most) {
        text += line;
        text.push('\n');
    }
    if lines.len() > most && length == Length::Short {
        let more = lines.len() - most;
        let many = if more == 1 { "" } else { "s" };
        let _ = writeln!(text, "(and {more} more line{many})");
    }
    if !lines.is_empty() && !tree.complete() && length == Length::Full {
        text += "(the tree goes on)\n";
    }
    text
}

struct Writer<'a, G: Game> {
    game: &'a G,
    folded: &'a Folded<G::Move>,
    seen: HashSet<usize>,
    lines: Vec<String>,
}

impl<G: Game> Writer<'_, G> {
    /// Writes the line that begins with `start` and continues at a turn, then the other
    /// variations.
    fn line(&mut self, turn: usize, number: usize, depth: usize, start: String) {
        let (mut at, mut move_number, mut line) = (turn, number, start);
        let mut aside = Vec::new();
        loop {
            let turn = &self.folded.turns()[at];
            let key = Some(at) == self.folded.root();
            let mark = if key { "!" } else { "" };
            if !line.is_empty() {
                line.push(' ');
            }
            let _ = write!(
                line,
                "{move_number}.{}{mark}",
                self.game.format_move(turn.mv)
            );
            if !key && !turn.duals.is_empty() {
                let duals = turn.duals.iter().map(|&mv| self.game.format_move(mv));
                let _ = write!(line, "({})", duals.collect::<Vec<_>>().join(","));
            }
            let Some((first, others)) = turn.defences.split_first() else {
                break;
            };
            if !self.seen.insert(at) {
                line += " etc.";
                break;
            }
            aside.extend(others.iter().map(|other| (move_number, other)));
            let _ = write!(line, " {}", write_defences(self.game, first, ","));
            let Follow::Turn(next) = first.then else {
                line += cut(first.then);
                break;
            };
            (at, move_number) = (next, move_number + 1);
        }
        self.lines.push(format!("{}{line}", "  ".repeat(depth)));
        for (number, defence) in aside {
            let names = write_defences(self.game, defence, ",");
            let start = format!("{number}...{names}");
            if let Follow::Turn(next) = defence.then {
                self.line(next, number + 1, depth + 1, start);
            } else {
                let indent = "  ".repeat(depth + 1);
                self.lines
                    .push(format!("{indent}{start}{}", cut(defence.then)));
            }
        }
    }
}

/// What marks a line that the tree does not follow to its end.
const fn cut(follow: Follow) -> &'static str {
    match follow {
        Follow::Cut => " \u{2026}",
        Follow::Over | Follow::Turn(_) => "",
    }
}
