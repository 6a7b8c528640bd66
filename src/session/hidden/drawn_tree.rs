//! Solution trees of problems with hidden information, to be drawn.

use crate::draw::{Diagram, NoSuchNode, Role, SolutionTree, TreeNode};
use crate::game::Hidden;
use crate::solve::belief::AttackerTurn;

/// The solution tree of a position, up to a number of turns.
pub(super) fn drawn_tree<G: Hidden>(
    game: &G,
    root: Diagram,
    tree: &AttackerTurn<G::Move, G::Clue>,
    nodes: usize,
) -> Result<SolutionTree, NoSuchNode> {
    let mut grower = Grower {
        game,
        tree: SolutionTree::new(root),
        left: nodes.max(1),
    };
    grower.turn(tree, None, String::new(), 1, Role::Main)?;
    let cut = grower.left == 0;
    let drawn = grower.tree.remark(
        "Above a line: what is heard. {n}: positions that look alike. #: mate in some of them.",
    );
    Ok(if cut {
        drawn.remark("\u{2026}: the solution goes on.")
    } else {
        drawn
    })
}

struct Grower<'g, G> {
    game: &'g G,
    tree: SolutionTree,
    /// Turns that may still be drawn.
    left: usize,
}

impl<G: Hidden> Grower<'_, G> {
    /// A turn with all that follows it; `heard` is what led to it.
    fn turn(
        &mut self,
        turn: &AttackerTurn<G::Move, G::Clue>,
        after: Option<usize>,
        heard: String,
        number: u16,
        role: Role,
    ) -> Result<(), NoSuchNode> {
        let game = self.game;
        if self.left == 0 {
            let node = TreeNode::new(role, "\u{2026}").edge(heard);
            self.tree.add(after, node)?;
            return Ok(());
        }
        self.left -= 1;
        let mate = turn.announcements().iter().any(|stands| stands.won() > 0);
        let key = if after.is_none() { "!" } else { "" };
        let mark = if mate { "#" } else { "" };
        let label = format!("{number}.{}{mark}{key}", game.format_move(turn.mv()));
        let mut node = TreeNode::new(role, label);
        if !heard.is_empty() {
            node = node.edge(heard);
        }
        let duals: Vec<_> = turn
            .duals()
            .iter()
            .map(|&mv| game.format_move(mv))
            .collect();
        let mut notes = Vec::new();
        if turn.positions() > 1 {
            notes.push(format!("{{{}}}", turn.positions()));
        }
        if !duals.is_empty() {
            notes.push(format!("({})", duals.join(", ")));
        }
        if !notes.is_empty() {
            node = node.note(notes.join(" "));
        }
        let drawn = self.tree.add(after, node)?;
        let main = turn.next_on_line().filter(|_| role == Role::Main);
        let role_of = |next: &AttackerTurn<G::Move, G::Clue>| {
            if main.is_some_and(|main| std::ptr::eq(main, next)) {
                Role::Main
            } else {
                Role::Variation
            }
        };
        for stands in turn.announcements() {
            let announced = game.format_announced(stands.announced());
            for (clue, next) in stands.replies() {
                let reply = game.format_reply(clue);
                let heard = [announced.as_str(), reply.trim_matches('-')].join(" ");
                let heard = heard.trim().to_owned();
                self.turn(next, Some(drawn), heard, number + 1, role_of(next))?;
            }
        }
        if let Some(next) = turn.foul() {
            self.turn(next, Some(drawn), "foul".into(), number, role_of(next))?;
        }
        Ok(())
    }
}
