//! Solutions of problems with hidden information, written and drawn.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::analysis::Length;
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::draw::{Diagram, NoSuchNode, Role, SolutionTree, TreeNode};
use crate::game::{Hidden, HiddenGame};
use crate::session::hidden::HiddenSession;
use crate::session::{
    DrawnSolution, HiddenSolution, Result, SessionError, SolutionOptions, SolutionReport, Solutions,
};
use crate::solve::belief::{AttackerTurn, seen};

/// Turns of a tree that are drawn at most.
const MOST_DRAWN: usize = 60;

impl<G: HiddenGame> Solutions for HiddenSession<G> {
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<SolutionReport> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        Ok(SolutionReport::Hidden(HiddenSolution {
            game: game.spec(),
            position: game.format_state(&state),
            side: game.side_to_move(&state).to_owned(),
            plies: solved.plies(),
            fouls_allowed: solved.fouls_allowed(),
            fouls_in_line: solved.fouls_in_line(),
            nodes: numbered(game, solved.tree()),
            text: written(game, solved.tree(), options.nodes),
        }))
    }

    fn record(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<String> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        let title = format!(
            "{}: mate in {} ({}), {} allowed; {}'s moves are one way that agrees with what is heard",
            game.spec(),
            plural(u64::from(solved.plies()).div_ceil(2), "move"),
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed().into(), "foul"),
            game.defender()
        );
        let line = seen(game, &state, &solved.line());
        line.and_then(|line| game.record(&state, &line, &title))
            .ok_or_else(|| SessionError::Inapplicable {
                option: "kif",
                why: format!("is for shogi; {} has no format of records", game.spec()),
            })
    }

    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        let stipulation = format!(
            "mate in {}, {} allowed",
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed().into(), "foul")
        );
        let root = game.diagram(&state).stipulation(stipulation);
        let nodes = options.nodes.min(MOST_DRAWN);
        Ok(DrawnSolution {
            tree: drawn_tree(game, root, solved.tree(), nodes)?,
            words: written(game, solved.tree(), nodes),
        })
    }
}

/// Refuses options about variations, which these solutions do not have.
fn refuse_parts(options: &SolutionOptions, spec: &str) -> Result<()> {
    if options.length != Length::Full {
        return Err(SessionError::Inapplicable {
            option: "solutions",
            why: format!(
                "leaves variations out, and a solution of {spec} is one whole; --nodes cuts it"
            ),
        });
    }
    if options.boards {
        return Err(SessionError::Inapplicable {
            option: "boards",
            why: format!("draws boards at the end of variations, which in {spec} are not known"),
        });
    }
    Ok(())
}

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
