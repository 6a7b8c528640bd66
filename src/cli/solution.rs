//! `tesuji solution`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::args::{PictureArgs, SolvedArgs, between, encoded, is_kif_file, position};
use super::progress::ProgressBar;
use super::report::{answer, heading};
use tesuji::analysis::{Length, MOST_NODES};
use tesuji::base::files::{Existing, Place};
use tesuji::base::text::plural;
use tesuji::book::Paper;
use tesuji::draw::{SolutionTree, Style, tree, tree_pages};
use tesuji::session::{SearchOptions, SolutionOptions, SolutionReport};

/// Show the solution of a position in the notation of composers: key, variations, duals,
/// cooks, tries with their refutations, set play.
///
/// The tree has every defence that holds out longest. The attacker's moves are the shortest wins,
/// the first of several in the game's order of moves, with the others (duals) in brackets. Defences
/// with the same answer stand together, and ~ is every reply that holds out as long.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\"
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\" --tree tree.svg --boards
  tesuji solution ostle:4x4,pieces=3,losses=2 \"2b1/w1w1/1ob1/2b1 b -\" --tree pages.svg --paper a4
  tesuji solution ostle initial --json
  tesuji solution tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\"
  tesuji solution tsuitate initial --kif line.kif")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// The position in the game's notation, or for tsuitate a KIF file, FILE.kif.
    #[arg(num_args = 1.., required = true)]
    position: Vec<String>,
    /// How much to show: the main line, some variations, or all.
    #[arg(
        long,
        value_name = "LENGTH",
        value_enum,
        default_value = "full",
        conflicts_with = "json"
    )]
    solutions: Length,
    /// The most turns of the attacker in the tree; a longer tree is cut, but for its main line.
    #[arg(long, value_name = "N", default_value_t = MOST_NODES)]
    nodes: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Draw the tree into this file, .svg, .png, .pdf or .eps, instead of printing it.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    tree: Option<PathBuf>,
    /// Draw the tree on pages of this paper: a4, a5 or letter.
    #[arg(long, value_name = "PAPER", requires = "tree", conflicts_with_all = ["json", "kif"])]
    paper: Option<String>,
    /// Draw a small board where a variation ends.
    #[arg(long, requires = "tree", conflicts_with_all = ["json", "kif"])]
    boards: bool,
    /// Shogi: write the best line as a game record in KIF into this file: .kif (Shift JIS) or
    /// .kifu (UTF-8).
    /// White's moves are one way that agrees with what Black hears, and fouls stand in comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "tree"])]
    kif: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    search: SearchOptions,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.tree.is_none() {
        let why = "is for pictures; leave it out, or give --tree too";
        args.picture.refuse(why)?;
        if args.picture.force && args.kif.is_none() {
            bail!("--force is for --tree and --kif, which write files; leave it out");
        }
    }
    let format = PictureArgs::format(args.tree.as_ref())?;
    let mut style = args.picture.style(format)?;
    if let Some(paper) = &args.paper {
        let (width, height) = Paper::named(paper).context("--paper")?.millimetres();
        style.page_mm = width.try_into()?;
        style.page_height_mm = height.try_into()?;
    }
    let place = args.picture.place(args.tree.as_ref())?;
    let record = args.kif.as_ref();
    let claim = |path: &PathBuf| {
        let ends = "the name of a game record must end in .kif or .kifu";
        ensure!(is_kif_file(path), "{}: {ends}", path.display());
        let existing = Existing::same_unless(args.picture.force);
        Ok(Place::claim(path, existing)?)
    };
    let record = record.map(claim).transpose()?;
    let session = args.game.open()?;
    let solutions = session.solutions()?;
    let options = SolutionOptions {
        nodes: args.nodes,
        length: args.solutions,
        boards: args.boards,
        search: args.search,
    };
    let position = position(&args.position)?;
    if let Some(place) = record {
        let record = solutions.record(&position, &options, &ProgressBar::new())?;
        let bytes = encoded(&place.path, &record);
        return Ok(place.put(&bytes)?);
    }
    if let Some(place) = place {
        let drawn = solutions.drawn(&position, &options, &ProgressBar::new())?;
        let pages = if args.paper.is_some() {
            tree_pages("", &drawn.words, &drawn.tree, &style)
        } else {
            let svg = tree("", &drawn.words, &drawn.tree, &style);
            warn(&place.path, &svg, &drawn.tree, &style);
            vec![svg]
        };
        return args.picture.put_pages(place, pages);
    }
    let found = solutions.solution(&position, &options, &ProgressBar::new())?;
    answer(args.json, &found, |found| as_text(found, args.solutions))
}

/// Tells of a picture that is larger than a page of its style, and how to have a smaller one.
fn warn(path: &Path, svg: &str, tree: &SolutionTree, style: &Style) {
    let side = |name: &str| {
        let side = between(svg, &format!(" {name}=\""), "mm\"")?;
        side.parse::<f64>().ok()
    };
    let [width, height] = ["width", "height"].map(|name| side(name).unwrap_or(0.0));
    if height <= style.page_height_mm.get() {
        return;
    }
    eprintln!(
        "tesuji: {} is {width:.0} x {height:.0} mm, with {} of both sides; --paper a4 puts the tree on pages, --solutions short leaves variations out",
        path.display(),
        plural(tree.nodes().len() as u64, "move"),
    );
}

fn as_text(found: &SolutionReport, length: Length) -> String {
    match found {
        SolutionReport::Table(found) => {
            let (text, soundness) = (found.written(length), found.soundness.words());
            format!("{text}\nsoundness: {soundness}\n")
        }
        SolutionReport::Hidden(found) => {
            let (heading, text) = (heading(&found.game, &found.position), &found.text);
            let plies = plural(found.plies.into(), "ply");
            let fouls = plural(found.fouls_allowed.into(), "foul");
            format!("{heading}solution  {plies}, {fouls} allowed\n\n{text}")
        }
    }
}
