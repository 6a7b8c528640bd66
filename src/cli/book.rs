//! `tesuji book`

use std::collections::HashSet;
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValue;

use super::args::{
    ChoiceArgs, FontArgs, RowGameArgs, has_extension, refuse, style, tell, tell_unsound,
};
use super::progress::ProgressBar;
use tesuji::analysis::Length;
use tesuji::base::files::{Claim, Existing, Place, put_all_claimed, read_text};
use tesuji::base::text::{capitalized, plural};
use tesuji::book::{Paper, Part, Setting, Template, booklet, check_letters, page, site};
use tesuji::mine::PuzzleRow;
use tesuji::session::{BookOptions, Collection, book, titled};

/// Make a booklet or a web page of mined puzzles.
///
/// FILE.pdf is a booklet to print: diagrams, hints, solutions with tries and variations,
/// and indexes by theme and by length. FILE.html is a page that works offline: a gallery in
/// which every puzzle can be played. FOLDER/ is a site for any web server: that page, a page with a
/// preview for each puzzle, and the puzzle of the day.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji book output/forced-sacrifice/puzzles.csv -o book.pdf --paper a5 --per-page 4
  tesuji book easy.csv hard.csv -o both.pdf --title \"Two chapters\"
  tesuji book sketches.csv -o club.pdf --solutions full --without cover,lengths
  tesuji book output/forced-sacrifice/puzzles.csv -o short.html --distinct near
  tesuji book puzzles.csv --limit 30 -o site/ --address https://example.org/puzzles
  tesuji book puzzles.csv -o german.pdf --template german")]
pub(crate) struct Args {
    /// The puzzles: a CSV file from 'tesuji mine', or one with the columns game and position
    /// and perhaps stipulation, title, author and source. Several files are chapters.
    #[arg(value_name = "PUZZLES.csv", required = true, num_args = 1..)]
    puzzles: Vec<PathBuf>,
    /// The file to write, .pdf or .html; or the folder of a site, with / at its end.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The table that the puzzles were mined from; a small game needs none. May be repeated, for
    /// several games [default: output/<game>.tsj, if it is there].
    #[arg(long, value_name = "FILE")]
    table: Vec<PathBuf>,
    #[command(flatten)]
    game: RowGameArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// The title [default: the name of the filter].
    #[arg(long)]
    title: Option<String>,
    /// A line below the title.
    #[arg(long)]
    subtitle: Option<String>,
    /// The author of the book.
    #[arg(long)]
    author: Option<String>,
    /// The paper: a4, a5 or letter (PDF) [default: a4].
    #[arg(long)]
    paper: Option<String>,
    /// The number of diagrams on a page, 1 to 12 (PDF) [default: 6].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=12))]
    per_page: Option<u8>,
    /// The style of the diagrams: print (black and white), screen, dark, or a style sheet,
    /// FILE.toml (PDF) [default: print].
    #[arg(long)]
    style: Option<String>,
    /// Where the site will be: previews need it, and with it there is a feed (site).
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    #[command(flatten)]
    font: FontArgs,
    /// The language or the house style of the book: figurines (for chess), german,
    /// japanese, or a template, FILE.toml.
    #[arg(long, value_name = "NAME")]
    template: Option<String>,
    /// How much of each solution to print: the main line, some variations, or all.
    #[arg(long, value_name = "LENGTH", value_enum, default_value = "short")]
    solutions: Length,
    /// Leave parts out: cover, rules, hints, themes, lengths; separated by commas (PDF; of a web
    /// page, rules).
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    without: Vec<Part>,
    /// Leave out problems that are nearly the same as one before: one piece apart, up to turns and
    /// reflections of the board, with the same key. Without this, there is only a warning.
    #[arg(long, value_name = "HOW", value_parser = [PossibleValue::new("near").help("Those that are one piece apart")])]
    distinct: Option<String>,
    /// Refuse puzzles that are not sound, as 'tesuji check' finds them, or that cannot be checked.
    /// Without this, there is only a warning.
    #[arg(long)]
    strict: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// The kind of book, and where it goes.
enum Form {
    Pdf(Place, Setting),
    Html(Place),
    Site(Claim),
}

pub(super) fn run(args: &Args) -> Result<()> {
    let form = form(args)?;
    let template = match &args.template {
        Some(name) => template(name)?,
        None => Template::default(),
    };
    let for_one = args.choice.all_for("book");
    let mut puzzles = args.game.collect(&args.puzzles, &args.table, for_one)?;
    if puzzles.rows().len() == 0 {
        let shown = args.puzzles[0].display();
        bail!("{shown} has no puzzles; mine some with 'tesuji mine'");
    }
    args.choice.choose(&mut puzzles, true, |_| Ok(()))?;
    if puzzles.rows().len() == 0 {
        bail!("no puzzle is left; give other values of --where and --stars");
    }
    if let Form::Pdf(..) = form {
        args.font.add()?;
        check_letters(texts(args, &puzzles).chain(template.printed()))?;
    }
    let options = BookOptions {
        title: args.title.clone(),
        subtitle: args.subtitle.clone(),
        author: args.author.clone(),
        solutions: Some(args.solutions),
        chapters: chapters(&args.puzzles, &puzzles),
        apart: args.distinct.is_some(),
        template,
    };
    let entries = puzzles.entries()?;
    tell_unsound(&entries, args.strict)?;
    let mut bound = book(&entries, &options, &ProgressBar::new())?;
    tell(&bound.distinct.left_out());
    let mut known = HashSet::new();
    for entry in &entries {
        let spec = entry.session.spec();
        if known.insert(spec.clone()) && entry.session.problems()?.has_lines_only() {
            eprintln!(
                "tesuji: {spec} is too large to be solved on the way, so the book has the main lines of the CSV; after 'tesuji solve {spec}' it has all variations and its page can be played"
            );
        }
    }
    tell_twins(&bound.near, options.apart);
    if args.without.contains(&Part::Rules) {
        bound.book.rules.clear();
    }
    match form {
        Form::Pdf(place, setting) => place.put(&booklet(&bound.book, &setting)?)?,
        Form::Html(place) => place.put(page(&bound.book).as_bytes())?,
        Form::Site(_claim) => {
            let files = site(&bound.book, args.address.as_deref())?.into_iter();
            let files = files.map(|(name, bytes)| (args.output.join(name), bytes));
            put_all_claimed(&files.collect::<Vec<_>>(), args.force)?;
        }
    }
    Ok(())
}

/// The template of this name, or in this file.
fn template(name: &str) -> Result<Template> {
    if let Some(template) = Template::shipped(name) {
        return Ok(template);
    }
    let path = Path::new(name);
    if !has_extension(path, &["toml"]) {
        bail!(
            "--template {name}: there are figurines, german and japanese; for a template, give FILE.toml"
        );
    }
    let text = read_text(path).with_context(|| format!("cannot read template {name}"))?;
    Ok(Template::parse(&text, name)?)
}

/// The texts that a user gives.
fn texts<'a>(args: &'a Args, puzzles: &'a Collection) -> impl Iterator<Item = &'a str> {
    let front = [&args.title, &args.subtitle, &args.author];
    let front = front.into_iter().flatten().map(String::as_str);
    front.chain(puzzles.credits())
}

/// Tells of problems that are nearly the same as others.
fn tell_twins(twins: &[(usize, usize)], left_out: bool) {
    let lines = twins.iter().map(|(twin, first)| {
        let (twin, first) = (twin + 1, first + 1);
        format!("problem {twin} is nearly problem {first}: one piece apart, with the same key")
    });
    tell(&lines.collect::<Vec<_>>());
    match (twins.len() as u64, left_out) {
        (0, _) => {}
        (_, false) => eprintln!("tesuji: --distinct near leaves them out"),
        (count, true) => eprintln!("tesuji: {} left out", plural(count, "problem")),
    }
}

/// The headings of the files, and how many puzzles each has.
fn chapters(files: &[PathBuf], puzzles: &Collection) -> Vec<(String, usize)> {
    let mut rows = puzzles.rows();
    let chapters = files.iter().zip(puzzles.by_file()).map(|(path, count)| {
        let own: Vec<_> = rows.by_ref().take(count).collect();
        (heading(path, own.first().copied()), count)
    });
    chapters.collect()
}

/// The heading of a chapter: the name of its filter, if it has one, or that of its file.
fn heading(path: &Path, first: Option<&PuzzleRow>) -> String {
    let filter = first.map_or("", |row| row.filter.trim());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if filter.is_empty() {
        capitalized(&stem.replace(['-', '_'], " "))
    } else {
        titled(filter)
    }
}

/// The form that the name of the output asks for, after a check that all options are for it.
fn form(args: &Args) -> Result<Form> {
    let path = &args.output;
    let ends_in = |names: &[&str]| has_extension(path, names);
    let named_so = path.to_string_lossy().ends_with(is_separator);
    let is_folder = named_so || path.extension().is_none() && path.is_dir();
    let is_pdf = !is_folder && ends_in(&["pdf"]);
    if !is_folder && !ends_in(&["pdf", "html", "htm"]) {
        bail!(
            "{} is neither a PDF nor a web page; give --output a name that ends in .pdf or .html, or a folder/ ('tesuji export --puzzles' makes decks of cards)",
            path.display()
        );
    }
    let given = [
        ("paper", args.paper.is_some()),
        ("per-page", args.per_page.is_some()),
        ("font", !args.font.font.is_empty()),
        // A page is shown on screen, light or dark.
        ("style", args.style.is_some()),
    ];
    if !is_pdf {
        let why = "is for booklets; leave it out, or give --output a name that ends in .pdf";
        refuse(given, why)?;
    }
    if !is_pdf && args.without.iter().any(|part| *part != Part::Rules) {
        bail!("--without is for booklets; of a web page only the rules can be left out");
    }
    match &args.address {
        Some(_) if !is_folder => {
            bail!("--address is for a site; give --output a folder/, or leave it out")
        }
        Some(address) if !address.starts_with("https://") && !address.starts_with("http://") => {
            bail!("--address {address}: an address begins with https://")
        }
        _ => {}
    }
    if is_folder {
        return Ok(Form::Site(Claim::folder(path)?));
    }
    let claim = || Place::claim(path, Existing::refused_unless(args.force));
    if !is_pdf {
        return Ok(Form::Html(claim()?));
    }
    let setting = Setting {
        paper: Paper::named(args.paper.as_deref().unwrap_or("a4"))?,
        per_page: args.per_page.unwrap_or(6),
        style: style(args.style.as_deref().unwrap_or("print"))?,
        without: args.without.clone(),
    };
    Ok(Form::Pdf(claim()?, setting))
}
