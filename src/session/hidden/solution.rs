//! Solutions of problems with hidden information, written and drawn.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::json;

use crate::analysis::Length;
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::draw::{Diagram, Role, SolutionTree, TreeNode};
use crate::game::{Hidden, HiddenGame};
use crate::session::hidden::{HiddenSession, Solution};
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
        let solution = self.whole(position, options, progress)?;
        let solution = solution_data(&self.game, &solution, options.nodes);
        Ok(SolutionReport::Hidden(solution))
    }

    fn record(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<String> {
        let game = &self.game;
        let (state, solved) = self.whole(position, options, progress)?;
        let title = format!(
            "{}: mate in {} ({}), {} allowed; {}'s moves are one way that agrees with what is heard",
            game.spec(),
            plural(u64::from(solved.plies()).div_ceil(2), "move"),
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed.into(), "foul"),
            game.defender()
        );
        let line = seen(game, &state, &solved.line());
        let record = line.and_then(|line| game.record(&state, &line, &title));
        let why = format!("is for shogi; {} has no format of records", game.spec());
        record.ok_or_else(|| SessionError::inapplicable("kif", why))
    }

    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution> {
        let game = &self.game;
        let (state, solved) = self.whole(position, options, progress)?;
        let plies = plural(solved.plies().into(), "ply");
        let fouls = plural(solved.fouls_allowed.into(), "foul");
        let stipulation = format!("mate in {plies}, {fouls} allowed");
        let root = game.diagram(&state).stipulation(stipulation);
        let nodes = options.nodes.min(MOST_DRAWN);
        let turns = numbered(game, &solved.tree);
        Ok(DrawnSolution {
            tree: drawn_tree(root, &turns, nodes),
            words: written(&turns, nodes),
        })
    }
}

/// A solution, as text up to a number of turns.
pub(super) fn solution_data<G: HiddenGame>(
    game: &G,
    (state, solved): &Solution<G>,
    nodes: usize,
) -> HiddenSolution {
    let turns = numbered(game, &solved.tree);
    HiddenSolution {
        game: game.spec(),
        position: game.format_state(state),
        side: game.side_to_move(state).to_owned(),
        plies: solved.plies(),
        fouls_allowed: solved.fouls_allowed,
        fouls_in_line: solved.fouls_in_line(),
        text: written(&turns, nodes),
        nodes: turns.iter().map(|turn| json!(turn)).collect(),
    }
}

impl<G: HiddenGame> HiddenSession<G> {
    /// Solves a problem. Refuses options about variations, which these solutions do not have.
    fn whole(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<Solution<G>> {
        let spec = self.game.spec();
        if options.length != Length::Full {
            let why = format!(
                "leaves variations out, and a solution of {spec} is one whole; --nodes cuts it"
            );
            return Err(SessionError::inapplicable("solutions", why));
        }
        if options.boards {
            let why =
                format!("draws boards at the end of variations, which in {spec} are not known");
            return Err(SessionError::inapplicable("boards", why));
        }
        self.solved(position, options.search, progress)
    }
}

/// A turn of the attacker in the game's notation.
#[derive(Serialize)]
pub(super) struct Turn {
    #[serde(rename = "move")]
    mv: String,
    duals: Vec<String>,
    plies: u16,
    fouls_in_line: u16,
    /// How many positions look alike.
    positions: usize,
    stands: Vec<Stands>,
    foul: Option<usize>,
    /// The next turn on the best line.
    #[serde(skip)]
    main: Option<usize>,
}

/// A move that stands, with what is announced.
#[derive(Serialize)]
struct Stands {
    announced: String,
    mates: usize,
    replies: Vec<Reply>,
}

/// A reply, as it is heard, and the turn after it.
#[derive(Serialize)]
struct Reply {
    heard: String,
    node: usize,
}

/// The turns of a tree, each once; they name each other by their places. The first is the
/// root.
pub(super) fn numbered<G: Hidden>(game: &G, root: &AttackerTurn<G::Move, G::Clue>) -> Vec<Turn> {
    let mut numbered = Numbered {
        game,
        numbers: HashMap::new(),
        turns: Vec::new(),
    };
    numbered.add(root);
    numbered.turns.into_iter().flatten().collect()
}

struct Numbered<'g, G: Hidden> {
    game: &'g G,
    numbers: HashMap<*const AttackerTurn<G::Move, G::Clue>, usize>,
    turns: Vec<Option<Turn>>,
}

impl<G: Hidden> Numbered<'_, G> {
    fn add(&mut self, turn: &AttackerTurn<G::Move, G::Clue>) -> usize {
        if let Some(&number) = self.numbers.get(&std::ptr::from_ref(turn)) {
            return number;
        }
        let number = self.turns.len();
        self.numbers.insert(std::ptr::from_ref(turn), number);
        self.turns.push(None);
        let game = self.game;
        let stands = turn.announcements.iter().map(|stands| {
            let replies = stands.replies.iter().map(|(clue, next)| Reply {
                heard: game.format_reply(*clue),
                node: self.add(next),
            });
            Stands {
                replies: replies.collect(),
                announced: game.format_announced(stands.announced),
                mates: stands.won,
            }
        });
        self.turns[number] = Some(Turn {
            mv: game.format_move(turn.mv),
            duals: turn.duals.iter().map(|&mv| game.format_move(mv)).collect(),
            plies: turn.cost.plies,
            fouls_in_line: turn.cost.fouls,
            positions: turn.positions,
            stands: stands.collect(),
            foul: turn.foul.as_ref().map(|next| self.add(next)),
            main: turn.next_on_line().map(|next| self.add(next)),
        });
        number
    }
}

/// The solution as text, up to a number of turns.
pub(super) fn written(turns: &[Turn], most: usize) -> String {
    let (mut text, mut left) = (String::new(), most.max(1));
    write_turn(&mut text, &mut left, turns, 0, "", 0, 1);
    text
}

/// Writes a turn behind what led to it, and below it everything that follows.
fn write_turn(
    text: &mut String,
    left: &mut usize,
    turns: &[Turn],
    place: usize,
    lead: &str,
    depth: usize,
    number: u16,
) {
    let indent = "  ".repeat(depth);
    if *left == 0 {
        let _ = writeln!(text, "{indent}{lead}...");
        return;
    }
    *left -= 1;
    let turn = &turns[place];
    let _ = write!(text, "{indent}{lead}{number}.{}", turn.mv);
    if !turn.duals.is_empty() {
        let _ = write!(text, " [{}]", turn.duals.join(" "));
    }
    if turn.positions > 1 {
        let _ = write!(text, " in {} positions", turn.positions);
    }
    if let ([stands], None) = (&turn.stands[..], turn.foul)
        && stands.replies.is_empty()
    {
        let _ = writeln!(text, "{} mate", stands.announced);
        return;
    }
    text.push('\n');
    for stands in &turn.stands {
        let space = if stands.announced.is_empty() { "" } else { " " };
        let announced = format!("{}{space}", stands.announced);
        if stands.mates > 0 {
            let _ = writeln!(text, "{indent}  {announced}mate");
        }
        for Reply { heard, node } in &stands.replies {
            let lead = format!("{announced}{heard} ");
            write_turn(text, left, turns, *node, &lead, depth + 1, number + 1);
        }
    }
    if let Some(next) = turn.foul {
        write_turn(text, left, turns, next, "foul ", depth + 1, number);
    }
}

/// The solution tree of a position, up to a number of turns.
fn drawn_tree(root: Diagram, turns: &[Turn], most: usize) -> SolutionTree {
    let mut grower = Grower {
        turns,
        tree: SolutionTree::new(root),
        left: most.max(1),
    };
    grower.turn(0, None, String::new(), 1, Role::Main);
    let drawn = grower.tree.remark(
        "Above a line: what is heard. {n}: positions that look alike. #: mate in some of them.",
    );
    match grower.left {
        0 => drawn.remark("\u{2026}: the solution goes on."),
        _ => drawn,
    }
}

struct Grower<'t> {
    turns: &'t [Turn],
    tree: SolutionTree,
    /// Turns that may still be drawn.
    left: usize,
}

impl Grower<'_> {
    /// A turn with all that follows it; `heard` is what led to it.
    fn turn(&mut self, place: usize, after: Option<usize>, heard: String, number: u16, role: Role) {
        if self.left == 0 {
            let node = TreeNode::new(role, "\u{2026}").edge(heard);
            self.tree.add(after, node);
            return;
        }
        self.left -= 1;
        let turn = &self.turns[place];
        let mate = turn.stands.iter().any(|stands| stands.mates > 0);
        let key = if after.is_none() { "!" } else { "" };
        let mark = if mate { "#" } else { "" };
        let mut node = TreeNode::new(role, format!("{number}.{}{mark}{key}", turn.mv));
        node.edge = Some(heard).filter(|heard| !heard.is_empty());
        let mut notes = Vec::new();
        if turn.positions > 1 {
            notes.push(format!("{{{}}}", turn.positions));
        }
        if !turn.duals.is_empty() {
            notes.push(format!("({})", turn.duals.join(", ")));
        }
        node.note = (!notes.is_empty()).then(|| notes.join(" "));
        let drawn = self.tree.add(after, node);
        let role_of = |next| match role {
            Role::Main if turn.main == Some(next) => Role::Main,
            _ => Role::Variation,
        };
        for stands in &turn.stands {
            for Reply { heard, node } in &stands.replies {
                let heard = [&stands.announced, heard.trim_matches('-')].join(" ");
                let heard = heard.trim().to_owned();
                self.turn(*node, Some(drawn), heard, number + 1, role_of(*node));
            }
        }
        if let Some(next) = turn.foul {
            self.turn(next, Some(drawn), "foul".into(), number, role_of(next));
        }
    }
}
