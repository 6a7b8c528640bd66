//! `tesuji solution` for games with hidden information.

use std::collections::HashMap;
use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::common::{heading, print};
use super::hidden::{HiddenArgs, plural, solution};
use crate::game::Hidden;
use crate::solve::belief::AttackerTurn;

/// Shows the solution of a position as a tree.
pub fn show<G: Hidden>(
    game: &G,
    text: &str,
    args: HiddenArgs,
    (nodes, json): (usize, bool),
) -> Result<ExitCode> {
    let (state, solved) = solution(game, text, args)?;
    let text = if json {
        let answer = json!({
            "game": game.spec(),
            "position": game.format_state(&state),
            "side": game.side_to_move(&state),
            "plies": solved.plies(),
            "fouls_allowed": solved.fouls_allowed(),
            "fouls_in_line": solved.fouls_in_line(),
            "nodes": Numbered::of(game, solved.tree()),
        });
        format!("{answer:#}\n")
    } else {
        let mut text = heading(game, &state);
        let _ = writeln!(
            text,
            "solution  {}, {} allowed\n",
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed().into(), "foul")
        );
        text + &written(game, solved.tree(), nodes)
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The solution as text, without heading.
pub fn written<G: Hidden>(game: &G, tree: &AttackerTurn<G::Move, G::Clue>, nodes: usize) -> String {
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
    fn turn(&mut self, lead: &str, depth: usize, ply: u16, turn: &AttackerTurn<G::Move, G::Clue>) {
        let indent = "  ".repeat(depth);
        if self.left == 0 {
            let _ = writeln!(self.text, "{indent}{lead}...");
            return;
        }
        self.left -= 1;
        let mv = self.game.format_move(turn.mv());
        let _ = write!(self.text, "{indent}{lead}{ply}.{mv}");
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
            let told = self.game.format_announced(stands.announced());
            let _ = writeln!(self.text, "{told} mate");
            return;
        }
        self.text.push('\n');
        for stands in turn.announcements() {
            let told = self.game.format_announced(stands.announced());
            let told = if told.is_empty() { told } else { told + " " };
            if stands.won() > 0 {
                let _ = writeln!(self.text, "{indent}  {told}mate");
            }
            for (heard, next) in stands.replies() {
                let lead = format!("{told}{} ", self.game.format_reply(heard));
                self.turn(&lead, depth + 1, ply + 2, next);
            }
        }
        if let Some(next) = turn.foul() {
            self.turn("foul ", depth + 1, ply, next);
        }
    }
}

/// The turns of a tree, each once, by number; the first is the root.
struct Numbered<'g, G: Hidden> {
    game: &'g G,
    numbers: HashMap<*const AttackerTurn<G::Move, G::Clue>, usize>,
    nodes: Vec<Json>,
}

impl<'g, G: Hidden> Numbered<'g, G> {
    fn of(game: &'g G, root: &AttackerTurn<G::Move, G::Clue>) -> Vec<Json> {
        let mut numbered = Self {
            game,
            numbers: HashMap::new(),
            nodes: Vec::new(),
        };
        numbered.add(root);
        numbered.nodes
    }

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
