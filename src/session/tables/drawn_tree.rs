//! A solution as a tree to draw.

use std::collections::HashMap;

use crate::analysis::{Attack, SetPlay, Solution};
use crate::draw::{NoSuchNode, Role, SolutionTree, TreeNode};
use crate::game::{Drawable, Moves, Passing};
use crate::session::SessionError;
use crate::session::lines::after;

/// Plies of set play that are drawn.
const SET_PLAY: usize = 6;

/// Duals that are named beside a move; more are counted.
const DUALS: usize = 4;

/// The solution as inert data: the main line, variations, other solutions, tries and
/// set play; with `boards` a small board where a variation ends.
pub fn drawn_tree<G: Moves + Passing + Drawable>(
    game: &G,
    solution: &Solution<G>,
    boards: bool,
) -> Result<SolutionTree, SessionError> {
    let side = game.side_to_move(&solution.state);
    let stipulation = format!("{side} to move: {}", solution.value);
    let root = game.diagram(&solution.state).stipulation(stipulation);
    let mut grower = Grower {
        game,
        solution,
        boards,
        tree: SolutionTree::new(root),
        tags: tags(solution),
        seen: vec![false; solution.tree.nodes().len()],
    };
    if solution.tree.nodes().is_empty() {
        grower.line(&solution.line, Role::Main, 0)?;
    } else {
        grower.variations()?;
    }
    grower.others()?;
    grower.set_play()?;
    let Grower { mut tree, tags, .. } = grower;
    let duals = solution
        .tree
        .nodes()
        .iter()
        .any(|node| !node.duals.is_empty());
    if duals {
        tree = tree.remark("(a1U): duals, other moves that win as fast.");
    }
    if !tags.is_empty() {
        tree = tree.remark("=[1]: goes on as after the move marked [1].");
    }
    if !solution.tree.nodes().is_empty() && !solution.tree.complete() {
        tree = tree.remark("\u{2026}: the solution goes on.");
    }
    Ok(tree)
}

/// Numbers for the turns that several variations share.
fn tags<G: Moves + Passing>(solution: &Solution<G>) -> HashMap<usize, usize> {
    let nodes = solution.tree.nodes();
    let mut reached = vec![0_usize; nodes.len()];
    for reply in nodes.iter().flat_map(|node| &node.replies) {
        if let Some(next) = reply.then {
            reached[next] += 1;
        }
    }
    // A turn without replies is as short as a reference to it.
    let shared =
        (0..nodes.len()).filter(|&node| reached[node] > 1 && !nodes[node].replies.is_empty());
    shared.zip(1..).collect()
}

struct Grower<'a, G: Moves + Passing> {
    game: &'a G,
    solution: &'a Solution<G>,
    boards: bool,
    tree: SolutionTree,
    tags: HashMap<usize, usize>,
    seen: Vec<bool>,
}

/// A turn of the attacker that is to be drawn.
struct Waiting<S> {
    /// The turn, in the solution.
    turn: usize,
    /// The drawn reply before it.
    after: Option<usize>,
    /// Its number, from 1.
    number: usize,
    role: Role,
    /// The position before it.
    state: Option<S>,
}

impl<G: Moves + Passing + Drawable> Grower<'_, G> {
    fn name(&self, mv: G::Move) -> String {
        self.game.format_move(mv)
    }

    /// The tree of the defences that hold out longest, the main line first.
    fn variations(&mut self) -> Result<(), SessionError> {
        let nodes = self.solution.tree.nodes();
        let mut stack = vec![Waiting {
            turn: 0,
            after: None,
            number: 1,
            role: Role::Main,
            state: Some(self.solution.state.clone()),
        }];
        while let Some(at) = stack.pop() {
            let attack = &nodes[at.turn];
            let again = std::mem::replace(&mut self.seen[at.turn], true);
            let node = self.attack(attack, &at, again);
            let drawn = self.tree.add(at.after, node)?;
            if again {
                continue;
            }
            let state = at
                .state
                .and_then(|state| after(self.game, &state, attack.mv));
            let mut next = Vec::new();
            for (place, reply) in attack.replies.iter().enumerate() {
                let role = if at.role == Role::Main && place == 0 {
                    Role::Main
                } else {
                    Role::Variation
                };
                let state = state
                    .as_ref()
                    .and_then(|state| after(self.game, state, reply.mv));
                let cut = if reply.then.is_none() && state.is_some() {
                    " \u{2026}"
                } else {
                    ""
                };
                let node = TreeNode::new(role, format!("{}{cut}", self.name(reply.mv)));
                let drawn = self.tree.add(Some(drawn), node)?;
                next.extend(reply.then.map(|turn| Waiting {
                    turn,
                    after: Some(drawn),
                    number: at.number + 1,
                    role,
                    state,
                }));
            }
            stack.extend(next.into_iter().rev());
        }
        Ok(())
    }

    /// A turn of the attacker; one that was drawn before refers to itself.
    fn attack(&self, attack: &Attack<G::Move>, at: &Waiting<G::State>, again: bool) -> TreeNode {
        let key = if at.turn == 0 { "!" } else { "" };
        let label = format!("{}.{}{key}", at.number, self.name(attack.mv));
        let mut notes = Vec::new();
        if let Some(tag) = self.tags.get(&at.turn) {
            notes.push(format!("{}[{tag}]", if again { "=" } else { "" }));
        }
        // Other keys are cooks, with a row of their own.
        if at.turn != 0 && !attack.duals.is_empty() {
            let named = attack.duals.iter().take(DUALS).map(|&mv| self.name(mv));
            let mut named: Vec<_> = named.collect();
            if attack.duals.len() > DUALS {
                named.push(format!("+{}", attack.duals.len() - DUALS));
            }
            notes.push(format!("({})", named.join(", ")));
        }
        let mut node = TreeNode::new(at.role, label);
        if !notes.is_empty() {
            node = node.note(notes.join(" "));
        }
        if let (true, true, Some(state)) = (self.boards, attack.replies.is_empty(), &at.state) {
            let board = self.game.diagram(state);
            node = node.board(self.game.with_move(board, state, attack.mv));
        }
        node
    }

    /// Moves in a row that begin at the position, the first of them at this ply.
    fn line(&mut self, moves: &[G::Move], role: Role, first: usize) -> Result<(), NoSuchNode> {
        let mut last = None;
        for (place, &mv) in moves.iter().enumerate() {
            let ply = place + first;
            let name = self.name(mv);
            let label = match (ply % 2, place) {
                (0, _) => format!("{}.{name}", ply / 2 + 1),
                (_, 0) => format!("{}\u{2026}{name}", ply / 2 + 1),
                _ => name,
            };
            last = Some(self.tree.add(last, TreeNode::new(role, label))?);
        }
        Ok(())
    }

    /// Cooks, slower wins, and tries with their refutations.
    fn others(&mut self) -> Result<(), SessionError> {
        let solution = self.solution;
        for &mv in solution.keys.iter().skip(1) {
            let node = TreeNode::new(Role::Other, format!("1.{}", self.name(mv)));
            self.tree.add(None, node.note("cook"))?;
        }
        for rated in &solution.slower {
            let node = TreeNode::new(Role::Other, format!("1.{}", self.name(rated.mv)));
            self.tree.add(None, node.note(rated.value.to_string()))?;
        }
        for this in &solution.tries {
            let node = TreeNode::new(Role::Try, format!("1.{}?", self.name(this.mv)));
            let drawn = self.tree.add(None, node)?;
            let node = TreeNode::new(Role::Try, format!("{}!", self.name(this.refutation)));
            self.tree
                .add(Some(drawn), node.note(this.value.to_string()))?;
        }
        Ok(())
    }

    /// What would happen if the other side were to move.
    fn set_play(&mut self) -> Result<(), SessionError> {
        let Some(SetPlay { line, .. }) = &self.solution.set_play else {
            return Ok(());
        };
        let shown = &line[..line.len().min(SET_PLAY)];
        Ok(self.line(shown, Role::SetPlay, 1)?)
    }
}
