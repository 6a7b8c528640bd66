//! `tesuji compose`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::args::{ExcludeArgs, ScopeArgs, SolvedArgs, has_extension, style};
use super::progress::ProgressBar;
use super::report::answer;
use tesuji::analysis::Soundness;
use tesuji::base::files::{Existing, Place};
use tesuji::base::text::{file_stem, plural};
use tesuji::mine::{Filter, filters};
use tesuji::session::{Composition, FindFolder, MinedSet, ScopeOptions, write_finds};

/// Find positions that match a partial diagram and a filter.
///
/// The pattern is the board as in the one-line notation, for Black to move, with ? for a
/// square that may have anything on it, x for a piece of either side, and . or a digit for
/// empty squares. It may be rotated and reflected; positions are shown as they match it.
/// In games of pieces, a letter at the end can name the side to move: '8/8/??k?????/... b'.
/// The condition may limit the number of pieces.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji compose ostle:4x4,pieces=3,losses=2 \"????/?o??/????/b??w\" \\
      --where \"plies = 9 AND n_winning = 1\"
  tesuji compose ostle:4x4,pieces=3,losses=2 \"????/?o??/????/b??w\" --save sketch.toml
  tesuji compose ostle:4x4,pieces=3,losses=2 --filter sketch.toml
  tesuji compose ostle:4x4,pieces=3,losses=2 \"????/?o??/????/b??w\" --order=-n_capture -o sketches")]
pub(crate) struct Args {
    #[command(flatten)]
    game: SolvedArgs,
    /// The partial diagram [default: that of the filter].
    #[arg(value_name = "PATTERN", required_unless_present = "filter")]
    pattern: Option<String>,
    /// A filter: a TOML file, or the name of a shipped one.
    #[arg(long, value_name = "FILTER", conflicts_with = "condition")]
    filter: Option<String>,
    /// An SQL condition on columns that 'tesuji features' lists [default: wins in two
    /// plies or more with exactly one shortest first move].
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    exclude: ExcludeArgs,
    /// The most positions to show.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print a JSON list.
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Columns to sort positions by, such as -plies,score; - for descending. The first
    /// ones by this order are compared by score [default: -plies, or the filter's].
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    order: Vec<String>,
    /// Save pattern, condition and order as a filter, FILE.toml, which 'tesuji mine', this command
    /// and the explorer read. Its line "text" is for notes.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write puzzles.csv, puzzles.parquet, a sheet and pictures to this folder, as 'tesuji
    /// mine' does.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// The number of positions to draw separately.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        requires = "output",
        conflicts_with = "json"
    )]
    draw: usize,
    /// print (black and white), screen, dark, or a style sheet: FILE.toml.
    #[arg(
        long,
        default_value = "print",
        requires = "output",
        conflicts_with = "json"
    )]
    style: String,
    /// Overwrite files with other content.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let session = args.game.open()?;
    let composing = session.composing()?;
    let filter = filter(&session.family(), args)?;
    let style = style(&args.style)?;
    if args.force && args.output.is_none() && args.save.is_none() {
        bail!("--force is for --output and --save; leave it out, or give one of them");
    }
    let pattern = args.pattern.as_ref().or(filter.pattern.as_ref()).cloned();
    let pattern = pattern.unwrap_or_default();
    let saved = args.save.as_deref();
    let saved = saved.map(|path| sketch(&filter, &pattern, path, args.force));
    let saved = saved.transpose()?;
    let folder = args.output.as_deref().map(FindFolder::claim).transpose()?;
    let scope = ScopeOptions {
        exclude: args.exclude.positions(&*session)?,
        ..args.scope.options()
    };
    let (given, limit) = (args.pattern.as_deref(), args.limit as usize);
    let found = composing.compose(given, &filter, &scope, limit, &ProgressBar::new())?;
    if let Some((place, text)) = saved {
        place.put(text.as_bytes())?;
    }
    if let Some(folder) = folder {
        let set = MinedSet {
            filter: filter.name.clone(),
            title: format!("{}: {pattern}", session.spec()),
            matched: found.matched,
            coverage: None,
            rows: found.rows.clone(),
            columns: None,
        };
        let drawn = (&style, args.draw);
        write_finds(&*session, &[set], &[folder], drawn, args.force)?;
    }
    answer(args.json, &found, |found| as_text(&session.spec(), found))
}

/// The place of a sketch and its text. Its name is that of its file.
fn sketch(filter: &Filter, pattern: &str, path: &Path, force: bool) -> Result<(Place, String)> {
    if !has_extension(path, &["toml"]) {
        bail!("--save {}: give a name that ends in .toml", path.display());
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = file_stem(&name).to_ascii_lowercase();
    let mut saved = Filter::of_condition(name.trim_start_matches('-'), &filter.predicate)?;
    saved.order.clone_from(&filter.order);
    saved.pattern = Some(pattern.to_owned());
    let place = Place::claim(path, Existing::refused_unless(force))?;
    Ok((place, saved.sketch()))
}

/// The filter or the condition that was given, with the order that was given.
fn filter(family: &str, args: &Args) -> Result<Filter> {
    let condition = args.condition.as_deref();
    let condition = condition.unwrap_or("outcome = 'win' AND plies > 1 AND n_best = 1");
    let mut filter = match &args.filter {
        Some(name) => filters(family, std::slice::from_ref(name))?.remove(0),
        None => Filter::of_condition("where", condition)?,
    };
    if !args.order.is_empty() {
        filter.order.clone_from(&args.order);
    }
    Ok(filter)
}

fn as_text(spec: &str, found: &Composition) -> String {
    let shown = match found.rows.len() {
        all if all as u64 == found.matched => String::new(),
        1 => "; shown is the best by score".to_owned(),
        few => format!("; shown are the best {few} by score, with different solutions"),
    };
    let count = plural(found.matched, "position");
    let mut text = format!("{spec}: {count} found{shown}\n\n");
    for row in &found.rows {
        let sound = Soundness::named(&row.soundness).map_or("", Soundness::words);
        let (position, asked) = (&row.position, &row.stipulation);
        let (score, themes) = (row.score, &row.themes);
        let line = format!("{position}  {asked}  {sound}  score {score}  {themes}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
