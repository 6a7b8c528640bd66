//! Solution trees of problems with hidden information as text and as numbered turns.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::game::Hidden;
use crate::solve::belief::AttackerTurn;

/// The solution as text, up to a number of turns.
pub(super) fn written<G: Hidden>(
    game: &G,
    tree: &AttackerTurn<G::Move, G::Clue>,
    nodes: usize,
) -> String {
    let mut written = Written {
        game,
        text: String::new(),
        left: nodes.max(1),
    };
    written.turn("", 0, 1, tree);
    written.text
}

/// A tree on its way to text.
struct Written<'g, G> {
    game: &'g G,
    text: String,
    /// Turns that may still be written.
    left: usize,
}

impl<G: Hidden> Written<'_, G> {
    /// Writes a turn behind what led to it, and below it everything that follows.
    fn turn(
        &mut self,
        lead: &str,
        depth: usize,
        number: u16,
        turn: &AttackerTurn<G::Move, G::Clue>,
    ) {
        let indent = "  ".repeat(depth);
        if self.left == 0 {
            let _ = writeln!(self.text, "{indent}{lead}...");
            return;
        }
        self.left -= 1;
        let mv = self.game.format_move(turn.mv());
        let _ = write!(self.text, "{indent}{lead}{number}.{mv}");
        let duals: Vec<_> = turn
            .duals()
            .iter()
            .map(|&mv| self.game.format_move(mv))
            .collect();
        if !duals.is_empty() {
            let _ = write!(self.text, " [{}]", duals.join(" "));
        }
        if turn.positions() > 1 {
            let _ = write!(self.text, " in {} positions", turn.positions());
        }
        if let ([stands], None) = (turn.announcements(), turn.foul())
            && stands.replies().len() == 0
        {
            let announced = self.game.format_announced(stands.announced());
            let _ = writeln!(self.text, "{announced} mate");
            return;
        }
        self.text.push('\n');
        for stands in turn.announcements() {
            let announced = self.game.format_announced(stands.announced());
            let announced = if announced.is_empty() {
                announced
            } else {
                announced + " "
            };
            if stands.won() > 0 {
                let _ = writeln!(self.text, "{indent}  {announced}mate");
            }
            for (heard, next) in stands.replies() {
                let lead = format!("{announced}{} ", self.game.format_reply(heard));
                self.turn(&lead, depth + 1, number + 1, next);
            }
        }
        if let Some(next) = turn.foul() {
            self.turn("foul ", depth + 1, number, next);
        }
    }
}

/// The turns of a tree, each once; they name each other by their places. The first is the
/// root.
pub(super) fn numbered<G: Hidden>(game: &G, root: &AttackerTurn<G::Move, G::Clue>) -> Vec<Json> {
    let mut numbered = Numbered {
        game,
        numbers: HashMap::new(),
        nodes: Vec::new(),
    };
    numbered.add(root);
    numbered.nodes
}

/// The turns of a tree while they are numbered.
struct Numbered<'g, G: Hidden> {
    game: &'g G,
    numbers: HashMap<*const AttackerTurn<G::Move, G::Clue>, usize>,
    nodes: Vec<Json>,
}

impl<G: Hidden> Numbered<'_, G> {
    fn add(&mut self, turn: &AttackerTurn<G::Move, G::Clue>) -> usize {
        if let Some(&number) = self.numbers.get(&std::ptr::from_ref(turn)) {
            return number;
        }
        let number = self.nodes.len();
        self.numbers.insert(std::ptr::from_ref(turn), number);
        self.nodes.push(Json::Null);
        let game = self.game;
        let stands: Vec<_> = turn
            .announcements()
            .iter()
            .map(|stands| {
                let replies: Vec<_> = stands
                    .replies()
                    .map(|(heard, next)| {
                        json!({ "heard": game.format_reply(heard), "node": self.add(next) })
                    })
                    .collect();
                json!({
                    "announced": game.format_announced(stands.announced()),
                    "mates": stands.won(),
                    "replies": replies,
                })
            })
            .collect();
        let foul = turn.foul().map(|next| self.add(next));
        let duals: Vec<_> = turn
            .duals()
            .iter()
            .map(|&mv| game.format_move(mv))
            .collect();
        self.nodes[number] = json!({
            "move": game.format_move(turn.mv()),
            "duals": duals,
            "plies": turn.cost().plies,
            "fouls_in_line": turn.cost().fouls,
            "positions": turn.positions(),
            "stands": stands,
            "foul": foul,
        });
        number
    }
}
