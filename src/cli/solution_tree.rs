//! `tesuji solution`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};

use super::common::{GameArgs, position, print};
use super::drawn_tree::drawn_tree;
use super::hidden::HiddenArgs;
use super::hidden_drawn;
use super::hidden_tree;
use super::pictures::PictureArgs;
use super::solution;
use crate::analysis::{MOST_NODES, Solution, Tree, write_solution};
use crate::base::value::Value;
use crate::draw::tree;
use crate::game::{Drawable, Game, Moves, Passing, Retrograde};
use crate::games::registry::{AnyGame, with_table_game};
use crate::table::TableOracle;

/// Turns of a tree with hidden information that are drawn at most.
const MOST_DRAWN: usize = 60;

/// Show the solution of a position as composers write it: key, variations, duals,
/// cooks, tries with their refutations, set play.
///
/// The tree has every defence that holds out longest; the attacker's moves are the
/// shortest wins, the first of several in the game's move order, with the others
/// (duals) in brackets.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\"
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\" --tree tree.svg --boards
  tesuji solution ostle --table output/ostle.tsj \"...\" --json
  tesuji solution tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\"")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position in the game's notation.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// The game's table; without it a small game is solved in passing.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Turns of the attacker in the tree at most; a longer tree is cut.
    #[arg(long, value_name = "N", default_value_t = MOST_NODES)]
    nodes: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Draw the tree into this file, .svg or .png, instead of printing it.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    tree: Option<PathBuf>,
    /// Draw a small board where a variation ends.
    #[arg(long, requires = "tree")]
    boards: bool,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    hidden: HiddenArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let game = args.game.game()?;
    if let AnyGame::Tsuitate(game) = &game {
        if args.table.is_some() || args.boards {
            bail!(
                "{} has no tables, and what is on its boards at the end is not known: leave --table and --boards out",
                game.spec()
            );
        }
        let text = args.position.join(" ");
        if let Some(path) = &args.tree {
            let tree = (args.nodes.min(MOST_DRAWN), path.as_path());
            return hidden_drawn::draw(game, &text, args.hidden, tree, &args.picture);
        }
        return hidden_tree::show(game, &text, args.hidden, (args.nodes, args.json));
    }
    args.hidden.none_of(&game.spec())?;
    with_table_game!(game, game => show(&game, args))
}

fn show<G: Moves + Retrograde + Passing + Drawable>(game: &G, args: &Args) -> Result<ExitCode> {
    let format = PictureArgs::format(args.tree.as_ref())?;
    let style = args.picture.style(format)?;
    let state = position(game, &args.position.join(" "))?;
    let table = solution::load(game, args.table.as_ref())?;
    let oracle = TableOracle::new(&table, game)?;
    let found = Solution::new(game, &oracle, &state, args.nodes.max(1))?;
    if let Some(path) = &args.tree {
        let drawn = drawn_tree(game, &found, args.boards)?;
        let svg = tree("", &write_solution(game, &found), &drawn, &style);
        args.picture.put(path, svg)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = if args.json {
        format!("{:#}\n", as_json(game, &found))
    } else {
        format!(
            "{}\nsoundness: {}\n",
            write_solution(game, &found),
            found.soundness().name()
        )
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn valued(value: Value) -> Json {
    json!({ "outcome": value.outcome().name(), "plies": value.plies() })
}

/// A solution as JSON.
pub fn as_json<G: Moves + Passing>(game: &G, solution: &Solution<G>) -> Json {
    let name = |mv: &G::Move| game.format_move(*mv);
    let names = |moves: &[G::Move]| moves.iter().map(name).collect::<Vec<_>>();
    let slower = solution.slower.iter();
    let slower =
        slower.map(|rated| json!({ "move": name(&rated.mv), "value": valued(rated.value) }));
    let tries = solution.tries.iter().map(|this| {
        json!({
            "move": name(&this.mv),
            "value": valued(this.value),
            "refutation": name(&this.refutation),
        })
    });
    let set_play = solution.set_play.as_ref();
    let set_play =
        set_play.map(|play| json!({ "value": valued(play.value), "line": names(&play.line) }));
    json!({
        "game": game.spec(),
        "position": game.format_state(&solution.state),
        "side": game.side_to_move(&solution.state),
        "value": valued(solution.value),
        "soundness": solution.soundness().name(),
        "only_key": solution.only_key(),
        "key": solution.keys.first().map(name),
        "cooks": names(solution.keys.get(1..).unwrap_or_default()),
        "slower": slower.collect::<Vec<_>>(),
        "failing": solution.failing,
        "tries": tries.collect::<Vec<_>>(),
        "set_play": set_play,
        "line": names(&solution.line),
        "tree": tree_as_json(game, &solution.tree),
    })
}

fn tree_as_json<G: Game>(game: &G, tree: &Tree<G::Move>) -> Json {
    let nodes: Vec<_> = tree
        .nodes()
        .iter()
        .map(|node| {
            let replies: Vec<_> = node
                .replies
                .iter()
                .map(|reply| json!({ "move": game.format_move(reply.mv), "node": reply.then }))
                .collect();
            let duals: Vec<_> = node.duals.iter().map(|&mv| game.format_move(mv)).collect();
            json!({
                "move": game.format_move(node.mv),
                "duals": duals,
                "plies": node.plies,
                "replies": replies,
            })
        })
        .collect();
    json!({
        "complete": tree.complete(),
        "dual_free": tree.dual_free(),
        "variations": tree.variations(),
        "nodes": nodes,
    })
}
