//! Solutions in the notation of composers.
//!
//! `!` marks the key, `?` a try, `but` its refutation. Variations are indented. The
//! attacker's moves are numbered and the defender's follow them: `1.d2L! a1R 2.c2L`.

use std::collections::HashSet;
use std::fmt::Write;

use super::{Solution, Tree};
use crate::game::{Game, Moves, Passing};

/// Writes a solution: key, variations, cooks, slower wins, tries, set play.
#[must_use]
pub fn write_solution<G: Moves + Passing>(game: &G, solution: &Solution<G>) -> String {
    let mut text = String::new();
    let name = |mv: &G::Move| game.format_move(*mv);
    let side = game.side_to_move(&solution.state);
    let _ = writeln!(text, "{side} to move: {}", solution.value);
    if solution.tree.nodes().is_empty() {
        let line: Vec<_> = solution.line.iter().map(name).collect();
        let _ = writeln!(text, "1.{}", line.join(" "));
    } else {
        text += &write_tree(game, &solution.tree);
    }
    let cooks: Vec<_> = solution.keys.iter().skip(1).map(name).collect();
    if !cooks.is_empty() {
        let _ = writeln!(text, "cooks: {}", cooks.join(" "));
    }
    for rated in &solution.slower {
        let _ = writeln!(text, "also 1.{} ({})", name(&rated.mv), rated.value);
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
            if line.is_empty() { "" } else { ": 1..." },
            line.join(" ")
        );
    }
    text
}

/// Writes the tree as indented variations. The first variation of every position continues
/// its line, and the others follow, indented. A subtree is shown only once.
#[must_use]
pub fn write_tree<G: Game>(game: &G, tree: &Tree<G::Move>) -> String {
    let mut writer = Writer {
        game,
        tree,
        seen: HashSet::new(),
        text: String::new(),
    };
    if !tree.nodes().is_empty() {
        writer.line(0, 1, 0, String::new());
        if !tree.complete() {
            writer.text += "(the tree goes on)\n";
        }
    }
    writer.text
}

struct Writer<'a, G: Game> {
    game: &'a G,
    tree: &'a Tree<G::Move>,
    seen: HashSet<usize>,
    text: String,
}

impl<G: Game> Writer<'_, G> {
    /// Writes the line that begins with `start` and continues at a node, then the other
    /// variations.
    fn line(&mut self, node: usize, number: usize, depth: usize, start: String) {
        let (mut at, mut move_number, mut line) = (node, number, start);
        let mut aside = Vec::new();
        loop {
            let attack = &self.tree.nodes()[at];
            let mark = if at == 0 { "!" } else { "" };
            let _ = write!(
                line,
                "{}{move_number}.{}{mark}",
                if line.is_empty() || line.ends_with(' ') {
                    ""
                } else {
                    " "
                },
                self.game.format_move(attack.mv)
            );
            if at != 0 && !attack.duals.is_empty() {
                let duals: Vec<_> = attack
                    .duals
                    .iter()
                    .map(|&mv| self.game.format_move(mv))
                    .collect();
                let _ = write!(line, "({})", duals.join(","));
            }
            if !self.seen.insert(at) {
                if !attack.replies.is_empty() {
                    line += " etc.";
                }
                break;
            }
            let Some((first, others)) = attack.replies.split_first() else {
                break;
            };
            aside.extend(others.iter().map(|reply| (move_number, reply)));
            let _ = write!(line, " {}", self.game.format_move(first.mv));
            let Some(next) = first.then else {
                break;
            };
            (at, move_number) = (next, move_number + 1);
        }
        let indent = "  ".repeat(depth);
        let _ = writeln!(self.text, "{indent}{line}");
        for (number, reply) in aside {
            let start = format!("{number}...{}", self.game.format_move(reply.mv));
            if let Some(next) = reply.then {
                self.line(next, number + 1, depth + 1, start);
            } else {
                let indent = "  ".repeat(depth + 1);
                let _ = writeln!(self.text, "{indent}{start}");
            }
        }
    }
}
