//! Arguments that several commands share.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use encoding_rs::{SHIFT_JIS, UTF_8};

use tesuji::base::files::{Existing, Place, open_lines, put_all, read_bytes, read_text};
use tesuji::base::text::{grouped, plural};
use tesuji::book::pictures;
use tesuji::draw::typeset::Face;
use tesuji::draw::{Lettering, Style, eps, raster};
use tesuji::export::{PgnRecord, misspelt, read_entries, read_epd, read_pgn, read_positions};
use tesuji::game::Repetition;
use tesuji::session::{Collection, Options, Puzzle, ScopeOptions, Session, SessionError};

use super::progress::ProgressBar;

/// Where `solve` writes tables, and other commands look for one.
pub(super) const TABLES: &str = "output";

/// How commands open a game whose table is not named.
pub(super) fn options() -> Options {
    Options::new().tables_in(TABLES)
}

/// The arguments for a game.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// The game: ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE,
    /// neutreeko, rules:FILE, dobutsu, tsuitate, ...
    #[arg(value_name = "GAME")]
    spec: String,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
}

impl GameArgs {
    pub(crate) fn open(&self) -> Result<Box<dyn Session>> {
        open(&self.spec, self.repetition, None)
    }
}

/// The arguments for a game with its table.
#[derive(Debug, clap::Args)]
pub(crate) struct SolvedArgs {
    /// The game: ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE,
    /// neutreeko, rules:FILE, dobutsu, tsuitate, ...
    #[arg(value_name = "GAME")]
    spec: String,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl SolvedArgs {
    pub(crate) fn open(&self) -> Result<Box<dyn Session>> {
        self.table.open(&self.spec)
    }
}

/// The arguments for the table of a game.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    repetition: Option<Repetition>,
    /// The game's table; a small game needs none [default: output/<game>.tsj, if it is there].
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}

impl TableArgs {
    pub(crate) fn open(&self, spec: &str) -> Result<Box<dyn Session>> {
        open(spec, self.repetition, self.table.as_ref())
    }
}

/// Which puzzles are taken.
#[derive(Debug, clap::Args)]
pub(crate) struct ChoiceArgs {
    /// Only puzzles that fulfil a condition on their columns, as in filters; 'stars' and your own
    /// columns count too.
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only puzzles with this number of stars: 2, or 2-4.
    #[arg(long, value_name = "STARS", value_parser = stars)]
    stars: Option<(u8, u8)>,
    /// Sort the puzzles by columns, separated by commas; -NAME puts large values first. With
    /// stars,difficulty the set becomes a ladder [default: as in the file].
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    order: Vec<String>,
    /// At most the first N puzzles; in a book, of each file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// A diverse choice of N puzzles among those: by game, side, length, stars and themes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pack: Option<u32>,
    /// The least number of squares that differ between two boards of a pack, however they are turned.
    #[arg(long, value_name = "SQUARES", default_value_t = 4, requires = "pack")]
    apart: u8,
    /// At least N puzzles of the pack fulfil a condition, such as 5:plies <= 7. May be repeated.
    #[arg(long, value_name = "N:CONDITION", requires = "pack", value_parser = quota)]
    quota: Vec<(usize, String)>,
}

impl ChoiceArgs {
    /// This kind of file, if all puzzles are for one.
    pub(crate) fn all_for(&self, kind: &'static str) -> Option<&'static str> {
        self.given().iter().all(|(_, given)| !given).then_some(kind)
    }

    /// The options that were given, by name.
    pub(crate) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("where", self.condition.is_some()),
            ("stars", self.stars.is_some()),
            ("order", !self.order.is_empty()),
            ("limit", self.limit.is_some()),
            ("pack", self.pack.is_some()),
        ]
    }

    /// Takes puzzles of a collection, of `each` file or of all together, after solving those that
    /// are not solved if it matters. `leave_out` leaves out others of those that fulfil the
    /// condition, in their order, before they are counted.
    pub(crate) fn choose(
        &self,
        puzzles: &mut Collection,
        each: bool,
        leave_out: impl FnOnce(&mut Collection) -> Result<()>,
    ) -> Result<()> {
        let given = self.given();
        // The first puzzles are the same before they are solved.
        let asks = given.iter().any(|&(name, given)| given && name != "limit");
        if asks && !puzzles.is_complete() {
            puzzles.complete(&ProgressBar::new())?;
        }
        puzzles.choose(self.condition.as_deref(), self.stars, &self.order, each)?;
        leave_out(puzzles)?;
        if let Some(limit) = self.limit {
            puzzles.limit(limit.try_into()?, each);
        }
        if let Some(count) = self.pack {
            let (all, count) = (puzzles.rows().len(), count.try_into()?);
            let found = puzzles.pack(count, self.apart.into(), &self.quota)?;
            let advice = if found < all {
                " that differ enough; a smaller --apart may find some"
            } else {
                ""
            };
            if found < count {
                let found = plural(found as u64, "puzzle");
                eprintln!("tesuji: the pack has {found}, not {count}: there are no more{advice}");
            }
        }
        Ok(())
    }
}

/// A least number of puzzles, and the condition that they fulfil.
fn quota(text: &str) -> Result<(usize, String), String> {
    let parts = text.split_once(':');
    let parts = parts.and_then(|(least, text)| Some((least.trim().parse().ok()?, text.trim())));
    let (least, text) = parts.ok_or("give a number and a condition, such as 5:plies <= 7")?;
    Ok((least, text.to_owned()))
}

/// A number of stars, or the least and the greatest one.
fn stars(text: &str) -> Result<(u8, u8), String> {
    let (least, greatest) = text.split_once('-').unwrap_or((text, text));
    let one = |text: &str| text.parse().ok().filter(|stars| (1..=5).contains(stars));
    match (one(least), one(greatest)) {
        (Some(least), Some(greatest)) if least <= greatest => Ok((least, greatest)),
        _ => Err("give a number from 1 to 5, or two, such as 2-4".to_owned()),
    }
}

/// The game of puzzles from a CSV file.
#[derive(Debug, clap::Args)]
pub(crate) struct RowGameArgs {
    /// The game of the puzzles, if it is read from a file: graph:FILE or rules:FILE.
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
}

impl RowGameArgs {
    /// The puzzles of CSV files, with their tables if there are any; all are `for_one` book or deck, or
    /// a choice is still to come. Files without puzzles are passed over, and told.
    pub(crate) fn collect(
        &self,
        files: &[PathBuf],
        tables: &[PathBuf],
        for_one: Option<&str>,
    ) -> Result<Collection> {
        let mut puzzles = Collection::new(self.game.clone(), tables.to_vec(), options());
        for path in files {
            let shown = path.display();
            let file = open_lines(path).with_context(|| format!("cannot read {shown}"))?;
            let before = puzzles.rows().len();
            let added = read_entries(file).map_err(SessionError::from);
            let added = added.and_then(|rows| puzzles.add(path, rows, for_one));
            added.with_context(|| shown.to_string())?;
            let first = puzzles.rows().nth(before);
            if let Some((own, known)) = first.and_then(misspelt) {
                eprintln!(
                    "tesuji: {shown}: '{own}' is kept as a column of your own; did you mean '{known}'?"
                );
            }
            if first.is_none() && files.len() > 1 {
                eprintln!("tesuji: {shown} has no puzzles and is passed over");
            }
        }
        Ok(puzzles)
    }
}

/// Opens a game by its spec, with its table if there is one.
pub(super) fn open(
    spec: &str,
    repetition: Option<Repetition>,
    table: Option<&PathBuf>,
) -> Result<Box<dyn Session>> {
    let options = options().repetition(repetition).table(table.cloned());
    Ok(options.open(spec)?)
}

/// The position of some arguments: their text, or that of the KIF file that they name, FILE.kif
/// or FILE.kifu. No game writes a position like that.
pub(super) fn position(words: &[String]) -> Result<String> {
    let text = words.join(" ");
    let path = Path::new(text.trim());
    if is_kif_file(path) {
        kif(path)
    } else {
        Ok(text)
    }
}

/// The text of a KIF file, in UTF-8 or `Shift_JIS`, or in UTF-16 with a mark.
pub(super) fn kif(path: &Path) -> Result<String> {
    let shown = path.display();
    let bytes = read_bytes(path).with_context(|| format!("cannot read {shown}"))?;
    // A mark of UTF-16 goes before what is asked for.
    let encoding = match std::str::from_utf8(&bytes) {
        Ok(_) => UTF_8,
        Err(_) => SHIFT_JIS,
    };
    let (text, _, is_wrong) = encoding.decode(&bytes);
    if is_wrong {
        bail!("{shown} is neither UTF-8 nor Shift_JIS, nor UTF-16 with a mark; save it as UTF-8");
    }
    if text.trim().is_empty() {
        bail!("{shown} is empty; a KIF file has a board or moves");
    }
    Ok(text.into_owned())
}

/// A game record as the name of its file says: FILE.kif is in `Shift_JIS`, FILE.kifu in UTF-8.
pub(super) fn encoded(path: &Path, record: &str) -> Vec<u8> {
    if has_extension(path, &["kifu"]) {
        return record.as_bytes().to_vec();
    }
    let record = record.replacen("encoding=UTF-8", "encoding=Shift_JIS", 1);
    SHIFT_JIS.encode(&record).0.into_owned()
}

/// Whether a file has the name of a game record.
pub(super) fn is_kif_file(path: &Path) -> bool {
    has_extension(path, &["kif", "kifu"])
}

/// Whether the name of a file ends with one of these extensions, in any case.
pub(super) fn has_extension(path: &Path, names: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    names.iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// The games of a file in PGN or, if its name ends so, the positions of one in EPD.
pub(super) fn records(path: &Path) -> Result<Vec<PgnRecord>> {
    let shown = path.display();
    let text = read_text(path).map_err(|error| {
        let remedy = match error.kind() {
            ErrorKind::InvalidData => {
                " as UTF-8; a file in Latin-1 is converted by 'iconv -f LATIN1 -t UTF-8'"
            }
            _ => "",
        };
        anyhow::Error::new(error).context(format!("cannot read {shown}{remedy}"))
    })?;
    if has_extension(path, &["epd"]) {
        return Ok(read_epd(&text));
    }
    read_pgn(&text).with_context(|| shown.to_string())
}

/// Claims the file of an option, if it is given, before the work begins.
pub(super) fn claimed(path: Option<&PathBuf>, existing: Existing) -> Result<Option<Place>> {
    let place = path.map(|path| Place::claim(path, existing));
    Ok(place.transpose()?)
}

/// Refuses the first option that is given, of those that say nothing here.
pub(super) fn refuse(
    options: impl IntoIterator<Item = (&'static str, bool)>,
    why: &str,
) -> Result<()> {
    match options.into_iter().find(|(_, given)| *given) {
        Some((name, _)) => bail!("--{name} {why}"),
        None => Ok(()),
    }
}

/// The most lines that are printed before the rest are counted.
const TOLD: usize = 8;

/// Prints the first lines, and how many more there are.
pub(super) fn tell(lines: &[String]) {
    for line in lines.iter().take(TOLD) {
        eprintln!("tesuji: {line}");
    }
    if lines.len() > TOLD {
        let more = grouped((lines.len() - TOLD) as u64);
        eprintln!("tesuji: and {more} more");
    }
}

/// Tells which puzzles are not sound, or not checked, with the name of each row; if `strict`, they
/// are refused. Games that cannot be checked, or have no table at hand, are passed over otherwise.
pub(super) fn tell_unsound(entries: &[Puzzle<'_>], strict: bool) -> Result<()> {
    use SessionError::{Memory, NotSolved, Search, Size, Unsupported};
    let progress = ProgressBar::new();
    let mut lines = Vec::new();
    for entry in entries {
        let name = &entry.name;
        let checking = entry.session.checking();
        match checking.and_then(|it| it.faults(entry.row, &progress)) {
            Ok(faults) if faults.is_empty() => {}
            Ok(faults) => {
                let names: Vec<_> = faults.iter().map(|fault| fault.name()).collect();
                lines.push(format!("{name}: not sound: {}", names.join(", ")));
            }
            Err(why) if why.is_unchecked() => lines.push(format!("{name}: not checked: {why}")),
            Err(NotSolved { .. } | Unsupported { .. } | Size(_) | Memory { .. } | Search(_))
                if !strict => {}
            Err(error) => return Err(error).context(name.clone()),
        }
    }
    progress.finish();
    tell(&lines);
    if strict && !lines.is_empty() {
        let puzzles = plural(lines.len() as u64, "puzzle");
        bail!("--strict: {puzzles} not sound or not checked; mend or remove them");
    }
    Ok(())
}

/// The part of a table that is looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct ScopeArgs {
    /// Only this layer (own pieces - opponent's pieces, e.g. 5-4). May be repeated.
    #[arg(long, value_name = "LAYER")]
    layer: Vec<String>,
    /// Only positions of this class: in Ostle, the square of the hole, up to symmetry (a1
    /// a2 a3 b2 b3 c3 on 5x5); in placement games, the number of parts. May be repeated.
    #[arg(long, value_name = "CLASS")]
    class: Vec<String>,
    /// The old name of --class.
    #[arg(long, value_name = "CLASS", hide = true)]
    hole: Vec<String>,
    /// Only one position in N, evenly distributed and always the same ones.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
}

impl ScopeArgs {
    /// The scope given by these arguments.
    pub(crate) fn options(&self) -> ScopeOptions {
        if !self.hole.is_empty() {
            eprintln!("tesuji: --hole is deprecated; use --class");
        }
        ScopeOptions {
            layers: self.layer.clone(),
            classes: self.class.iter().chain(&self.hole).cloned().collect(),
            sample: self.sample,
            ..ScopeOptions::default()
        }
    }
}

/// Positions that are known already.
#[derive(Debug, clap::Args)]
pub(crate) struct ExcludeArgs {
    /// Leave out positions that are known, with all their images: those in the column position of a
    /// CSV file, of a PGN or EPD file, or one on each line of another file.
    #[arg(long, value_name = "FILE")]
    pub(crate) exclude: Option<PathBuf>,
}

impl ExcludeArgs {
    /// The positions of the file that are some of a game; tells how many are not.
    pub(crate) fn positions(&self, session: &dyn Session) -> Result<Vec<String>> {
        let Some(path) = &self.exclude else {
            return Ok(Vec::new());
        };
        let shown = path.display();
        let positions: Vec<String> = if has_extension(path, &["csv"]) {
            let file = open_lines(path).with_context(|| format!("cannot read {shown}"))?;
            read_positions(file).with_context(|| shown.to_string())?
        } else if has_extension(path, &["pgn", "epd"]) {
            let records = records(path)?;
            let fen = |record: &PgnRecord| record.fen().to_owned();
            records.iter().map(fen).collect()
        } else {
            let text = read_text(path).with_context(|| format!("cannot read {shown}"))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        let all = positions.len();
        let of_game = positions.into_iter();
        let of_game = of_game.filter_map(|text| Some(session.position(&text).ok()?.text));
        let found: Vec<_> = of_game.collect();
        if found.is_empty() {
            let spec = session.spec();
            bail!("{shown}: none of its positions is one of {spec}; give a file with some");
        }
        if found.len() < all {
            let others = plural((all - found.len()) as u64, "position");
            let why = "are of other games, or have ended, and exclude nothing";
            tell(&[format!("{shown}: {others} {why}")]);
        }
        Ok(found)
    }
}

/// Fonts for letters that the built-in ones lack.
#[derive(Debug, clap::Args)]
pub(crate) struct FontArgs {
    /// A font for letters that the built-in ones lack, such as Japanese: .otf, .ttf or .ttc. May
    /// be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) font: Vec<PathBuf>,
}

impl FontArgs {
    /// Adds the fonts, until the program ends.
    pub(super) fn add(&self) -> Result<()> {
        for path in &self.font {
            let name = path.display();
            let data = read_bytes(path).with_context(|| format!("cannot read font {name}"))?;
            Face::add(data).with_context(|| format!("cannot use font {name}"))?;
        }
        Ok(())
    }
}

/// The style and the file of a picture.
#[derive(Debug, clap::Args)]
pub(crate) struct PictureArgs {
    /// print (black and white), screen, dark, or a style sheet, FILE.toml ('tesuji style'
    /// prints one to start from) [default: print].
    #[arg(long)]
    style: Option<String>,
    /// Dots per inch of a PNG [default: 300].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=2400))]
    dpi: Option<u16>,
    #[command(flatten)]
    font: FontArgs,
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

/// The name of a value on the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The formats of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Vectors: for print and the web.
    Svg,
    /// Pixels.
    Png,
    /// Vectors, for print; LaTeX needs no other program for them.
    Pdf,
    /// Vectors, for older typesetters.
    Eps,
}

impl Format {
    /// The format for a file name.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let named = Self::from_str(&extension, true).ok();
        let ends = "the name of a picture must end in .svg, .png, .pdf or .eps";
        named.with_context(|| format!("{}: {ends}", path.display()))
    }

    /// Encodes a picture in this format.
    pub(super) fn bytes(self, svg: String, dpi: u16) -> Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => Ok(raster(&svg, dpi)?),
            Self::Pdf => Ok(pictures(std::slice::from_ref(&svg), &said(&svg))?),
            Self::Eps => Ok(eps(&svg)?.into_bytes()),
        }
    }
}

impl PictureArgs {
    /// The style for pictures of this format, once the fonts are added. A PNG cannot embed a font, and PDF and EPS have
    /// shapes alone, so letters become outlines.
    pub(crate) fn style(&self, format: Format) -> Result<Style> {
        if self.dpi.is_some() && format != Format::Png {
            let format = name_of(&format);
            bail!("--dpi is for PNG, and .{format} has no dots; leave it out");
        }
        self.font.add()?;
        let mut style = style(self.style.as_deref().unwrap_or("print"))?;
        let vectors = matches!(format, Format::Pdf | Format::Eps);
        if vectors || format == Format::Png && style.lettering == Lettering::Embedded {
            style.lettering = Lettering::Outlines;
        }
        Ok(style)
    }

    /// Refuses what says nothing where no picture is made.
    pub(crate) fn refuse(&self, why: &str) -> Result<()> {
        let given = [
            ("style", self.style.is_some()),
            ("dpi", self.dpi.is_some()),
            ("font", !self.font.font.is_empty()),
        ];
        refuse(given, why)
    }

    pub(crate) fn dots(&self) -> u16 {
        self.dpi.unwrap_or(300)
    }

    /// The format of the file, SVG for standard output.
    pub(crate) fn format(path: Option<&PathBuf>) -> Result<Format> {
        path.map_or(Ok(Format::Svg), |path| Format::of(path))
    }

    /// Claims the file of a picture, if there is one, before the picture is made.
    pub(crate) fn place(&self, path: Option<&PathBuf>) -> Result<Option<Place>> {
        claimed(path, Existing::same_unless(self.force))
    }

    /// Writes the pages of a picture in the format for the file name. Several pages have numbers
    /// before the file extension.
    /// If one of the files may not be written, none is.
    pub(crate) fn put_pages(&self, place: Place, mut pages: Vec<String>) -> Result<()> {
        let path = &place.path;
        let format = Format::of(path)?;
        if pages.len() == 1 {
            let bytes = format.bytes(pages.remove(0), self.dots());
            let bytes = bytes.with_context(|| path.display().to_string())?;
            return Ok(place.put(&bytes)?);
        }
        if format == Format::Pdf {
            // One file with all pages.
            let words = pages.first().map(|page| said(page)).unwrap_or_default();
            return Ok(place.put(&pictures(&pages, &words)?)?);
        }
        let digits = pages.len().to_string().len();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = name_of(&format);
        let files = (1..).zip(pages).map(|(number, page)| {
            let name = format!("{stem}-{number:0digits$}.{extension}");
            Ok((path.with_file_name(name), format.bytes(page, self.dots())?))
        });
        let files = files.collect::<Result<Vec<_>>>()?;
        Ok(put_all(&files, self.force)?)
    }
}

/// What stands between two texts in a picture.
pub(super) fn between<'s>(svg: &'s str, from: &str, to: &str) -> Option<&'s str> {
    Some(svg.split_once(from)?.1.split_once(to)?.0)
}

/// What a picture says of itself, without XML escapes.
pub(super) fn said(svg: &str) -> String {
    between(svg, "<desc>", "</desc>")
        .unwrap_or_default()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The style with this name: a preset or a file.
pub(super) fn style(name: &str) -> Result<Style> {
    let path = Path::new(name);
    let toml = path.extension().is_some_and(|end| end == "toml");
    if !toml && !path.is_file() {
        return Style::preset(name)
            .with_context(|| format!("--style {name} (for a style sheet, give FILE.toml)"));
    }
    let text = read_text(path).with_context(|| format!("cannot read style sheet {name}"))?;
    Ok(Style::parse(&text, name)?)
}
