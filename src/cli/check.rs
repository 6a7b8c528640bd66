//! `tesuji check`

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;
use serde::Serialize;

use crate::cli::args::{
    PictureArgs, RowGameArgs, TableArgs, has_extension, open, options, position, records,
};
use crate::cli::progress::ProgressBar;
use crate::cli::report::{answer, print};
use crate::cli::score::check_scores;
use tesuji::analysis::{Length, PROFILE_DEPTH, Profile, Purpose, Soundness};
use tesuji::base::text::{grouped, plural};
use tesuji::export::PgnRecord;
use tesuji::mine::filters;
use tesuji::session::{
    CheckReport, Checked, CheckedTable, GameKind, Session, SessionError, StudyReport, StudyVerdict,
    check_study, open_study, open_table,
};

/// The most corrections listed.
const LISTED: usize = 8;

/// The most men whose roles are listed one by one.
const MEN: usize = 14;

/// Check a puzzle as a problem editor would: its soundness, cooks, duals and tries, the
/// role of each piece, and possible corrections.
///
/// With --puzzles, checks every position of a CSV file and prints one line for each. For chess
/// studies in PGN and positions in EPD, checks the solution and its variations, beginning at the
/// first position whose ending is solved: that of --table, of --game, or the one with the men of
/// the study. The tag Stipulation, and dm of EPD, is the task; all moves of bm are solutions.
///
/// With --game-score, the moves of a game that was played are valued: what each gives away, and what
/// would have been better. The file has moves separated by spaces, with or without numbers, or is PGN,
/// or KIF (FILE.kif or FILE.kifu) in games that shogi programs play.
///
/// With --filter, says also whether a filter, such as a sketch that 'tesuji compose --save' wrote, admits
/// the position, and which parts of its condition are not true.
///
/// For a problem with hidden information, the stipulation can limit the fouls, such as 'win in 7
/// with 1 foul allowed'. Otherwise it allows as few fouls as a win of that length needs.
///
/// The exit code is 0 if the puzzle is sound and admitted, or all are, and 1 if one is not. With --puzzles it is
/// also 1 if one is not checked, because its stipulation cannot be read or the search would have to
/// be deeper.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji check ostle:4x4,pieces=3,losses=2 \"w2b/1bw1/bo2/3w b -\" --stipulation \"win in 75\"
  tesuji check dobutsu:pieces=lion+chick S/---/R-l/L--/--r/- --stipulation \"mate in 3\"
  tesuji check tsuitate \"5S2k/9/8P/9/9/9/9/9/9 b BS 1\" --stipulation \"win in 3 with 1 foul allowed\"
  tesuji check ostle:4x4,pieces=3,losses=2 \"w2b/1bw1/bo2/3w b -\" --filter longest-wins
  tesuji check --puzzles sketches.csv
  tesuji check --puzzles studies.pgn
  tesuji check ostle:4x4,pieces=3,losses=2 --game-score game.txt -o mistakes.svg
  tesuji check --puzzles output/forced-sacrifice/puzzles.csv --json > verdicts.jsonl")]
pub(crate) struct Args {
    /// The game: ostle, or e.g. ostle:4x4,pieces=3,losses=2.
    #[arg(value_name = "GAME", required_unless_present = "puzzles")]
    spec: Option<String>,
    /// The position in the game's notation. With --game-score, where the game began [default:
    /// initial].
    #[arg(num_args = 1.., required_unless_present_any = ["puzzles", "game_score"])]
    position: Vec<String>,
    /// Check every puzzle of a file: CSV from 'tesuji mine', or with the columns game and position and
    /// perhaps stipulation; or chess studies, FILE.pgn or FILE.epd.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["spec", "position", "repetition", "stipulation"]
    )]
    puzzles: Option<PathBuf>,
    #[command(flatten)]
    game: RowGameArgs,
    /// Value the moves of a game that was played.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["puzzles", "stipulation", "solutions"]
    )]
    game_score: Option<PathBuf>,
    /// With --game-score: a picture of the positions in which the outcome changes, .svg, .png, .pdf
    /// or .eps.
    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "game_score",
        conflicts_with_all = ["puzzles", "stipulation", "solutions"]
    )]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
    /// The stipulation: 'win in 7' (plies, including the last move), 'win', 'draw', 'lose
    /// in 8', 'mate in 5' (checks alone, up to the mating move), for tsuitate also 'win in 7 with 1 foul
    /// allowed' [default: that of the position's value].
    #[arg(long, value_name = "TASK")]
    stipulation: Option<String>,
    /// How much of the solution to show: the main line, some variations, or all [default: short].
    #[arg(
        long,
        value_name = "LENGTH",
        value_enum,
        conflicts_with_all = ["json", "puzzles"]
    )]
    solutions: Option<Length>,
    /// A filter to hold against the position: a TOML file, or the name of a shipped one.
    #[arg(long, value_name = "FILTER", conflicts_with_all = ["puzzles", "game_score"])]
    filter: Option<String>,
    #[command(flatten)]
    table: TableArgs,
    /// Print one JSON object; with --puzzles, one on each line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let picture = if let Some(path) = &args.output {
        let style = args.picture.style(PictureArgs::format(Some(path))?)?;
        args.picture.place(Some(path))?.zip(Some(style))
    } else {
        let why = "is for the picture of --game-score; give --output too, or leave it out";
        args.picture.refuse(why)?;
        if args.picture.force {
            bail!("--force {why}");
        }
        None
    };
    if let Some(file) = &args.puzzles {
        if has_extension(file, &["pgn", "epd"]) {
            return check_studies(file, args);
        }
        return check_many(file, args);
    }
    if args.game.game.is_some() {
        bail!("--game is for --puzzles; give the game as the first argument");
    }
    // Without --puzzles the parser requires a game.
    let spec = args.spec.as_deref().unwrap_or_default();
    let session = args.table.open(spec)?;
    if let Some(path) = &args.game_score {
        let start = match &args.position[..] {
            [] => "initial".to_owned(),
            words => position(words)?,
        };
        let picture = (&args.picture, picture);
        check_scores(&*session, (path, &start), args.json, picture)?;
        return Ok(ExitCode::SUCCESS);
    }
    let position = position(&args.position)?;
    let stipulation = args.stipulation.as_deref();
    let whole = matches!(args.solutions, None | Some(Length::Full));
    if session.kind() == GameKind::Hidden && !whole {
        bail!(
            "--solutions leaves variations out, and a solution of {spec} is one whole; leave it out"
        );
    }
    let filter = args.filter.as_ref().map(|name| {
        let filter = filters(&session.family(), slice::from_ref(name))?.remove(0);
        let composing = session.composing().context("--filter")?;
        let unmet = composing.unmet(&position, &filter, &ProgressBar::new())?;
        let name = filter.name;
        anyhow::Ok(Admission { name, unmet })
    });
    let filter = filter.transpose()?;
    let checking = session.checking()?;
    let found = checking.check(&position, stipulation, &ProgressBar::new())?;
    let is_right = found.sound && filter.as_ref().is_none_or(|it| it.unmet.is_empty());
    let length = args.solutions.unwrap_or(Length::Short);
    answer(args.json, &Judged { found, filter }, |judged| {
        as_text(judged, length)
    })?;
    Ok(ExitCode::from(u8::from(!is_right)))
}

/// What is found in a position, and what a filter says.
#[derive(Serialize)]
struct Judged {
    #[serde(flatten)]
    found: CheckReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    filter: Option<Admission>,
}

/// Whether a filter admits a position: if nothing is unmet.
#[derive(Serialize)]
struct Admission {
    name: String,
    unmet: Vec<String>,
}

fn as_text(Judged { found, filter }: &Judged, length: Length) -> String {
    let (position, asked) = (found.position(), &found.stipulation);
    let mut text = format!("position     {position}\nstipulation  {asked}\n");
    let _ = writeln!(text, "verdict      {}", verdict_on(found));
    if let Some(Admission { name, unmet }) = filter {
        let verb = ["refuses", "admits"][usize::from(unmet.is_empty())];
        let _ = writeln!(text, "filter       {name} {verb} it");
        for part in unmet {
            let _ = writeln!(text, "  not met    {part}");
        }
    }
    let solving = found.solving.iter();
    let solving = solving.map(|mv| format!("{} ({})", mv.name, mv.value));
    let solving = solving.collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "solved by    {}", or(&solving, "none"));
    text + &match &found.found {
        Checked::Table(table) => of_table(table, found.sound, length),
        Checked::Hidden(hidden) => match &hidden.solution {
            Some(solution) => format!("\n{}", solution.text),
            None => String::new(),
        },
    }
}

fn verdict_on(found: &CheckReport) -> String {
    if found.sound {
        let soundness = found.soundness().map_or("", Soundness::words);
        return format!("sound ({soundness})");
    }
    format!("not sound: {}", found.faults.join(", "))
}

fn or<'t>(list: &'t str, none: &'t str) -> &'t str {
    if list.is_empty() { none } else { list }
}

/// What is found in a position with a table.
fn of_table(found: &CheckedTable, sound: bool, length: Length) -> String {
    let mut text = format!("themes       {}\n", or(&found.themes.join(" "), "-"));
    let score = found.score;
    let _ = writeln!(
        text,
        "score        {} of 100: soundness {}, paradox {}, temptation {}, length {}, variety {}, economy {}",
        score.total,
        score.soundness,
        score.paradox,
        score.temptation,
        score.length,
        score.variety,
        score.economy
    );
    let stars = "*".repeat(found.stars.into());
    let bits = plural(found.difficulty.into(), "bit");
    let _ = writeln!(text, "difficulty   {bits} ({stars})");
    if let Some(profile) = &found.depth_profile {
        let _ = writeln!(text, "to find      {}", to_find(profile));
    }
    text.push('\n');
    text += found.solution.written(length);
    text += &roles(&found.purposes);
    if !sound {
        let count = found.mendings.len();
        let _ = writeln!(text, "\nsound with one piece moved: {count}");
        for mended in found.mendings.iter().take(LISTED) {
            let (from, to, position) = (&mended.from, &mended.to, &mended.position);
            let soundness = mended.soundness.words();
            let _ = writeln!(text, "  {from} to {to}  {position}  {soundness}");
        }
    }
    text
}

/// How hard the main line is to find.
fn to_find(profile: &Profile) -> String {
    let depths = PROFILE_DEPTH;
    let plies = |depth: u64| plural(depth, "ply");
    let from = match profile.solved_at {
        Some(depth) => format!("by looking {} ahead", plies(depth.into())),
        None => format!("by looking more than {} ahead", plies(depths.into())),
    };
    let lured = match profile.lure_run {
        0 => String::new(),
        run => format!("; misled at {run} of {depths} depths"),
    };
    from + &lured
}

/// The role of each piece. Many pieces, or squares where a game has no men, stand together if
/// the same happens without them.
fn roles(purposes: &[Purpose]) -> String {
    if purposes.len() <= MEN {
        let mut text = "\nrole of each piece\n".to_owned();
        for purpose in purposes {
            let _ = writeln!(text, "  {:24} {}", purpose.thing, without(purpose));
        }
        return text;
    }
    let mut groups: IndexMap<_, Vec<&str>> = IndexMap::new();
    for purpose in purposes {
        let thing = purpose.thing.as_str();
        let (kind, name) = thing.rsplit_once(' ').unwrap_or(("", thing));
        let group = groups.entry((kind, without(purpose)));
        group.or_default().push(name);
    }
    let mut text = "\nrole of each piece or square\n".to_owned();
    for ((kind, role), names) in groups {
        let _ = writeln!(text, "  {kind} {}: {role}", names.join(" "));
    }
    text
}

/// What happens without a piece.
fn without(purpose: &Purpose) -> String {
    let Some(value) = purpose.value else {
        return "cannot be removed".to_owned();
    };
    if purpose.idle {
        return "idle: the puzzle is the same without it".to_owned();
    }
    format!("without it: {value}")
}

/// A verdict as a line of JSON.
#[derive(Serialize)]
struct Verdict<'r, T> {
    /// The number of the row or the game, from one.
    number: usize,
    /// Title and author of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'r str>,
    #[serde(flatten)]
    found: Option<T>,
    /// Why it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_checked: Option<String>,
}

/// Prints each verdict, and how many are sound. The exit code is 1 if one is not.
fn tell_all<'r, T: Serialize>(
    verdicts: impl Iterator<Item = Result<Verdict<'r, T>>>,
    as_json: bool,
    is_sound: impl Fn(&T) -> bool,
    as_text: impl Fn(&Verdict<'r, T>) -> String,
) -> Result<ExitCode> {
    let (mut all, mut sound, mut unchecked) = (0, 0, 0);
    for verdict in verdicts {
        let verdict = verdict?;
        all += 1;
        sound += u64::from(verdict.found.as_ref().is_some_and(&is_sound));
        unchecked += u64::from(verdict.found.is_none());
        print(&if as_json {
            serde_json::to_string(&verdict)? + "\n"
        } else {
            as_text(&verdict)
        })?;
    }
    if !as_json {
        let rest = match unchecked {
            0 => String::new(),
            some => format!(", {} not checked", grouped(some)),
        };
        let (sound, all) = (grouped(sound), grouped(all));
        print(&format!("{sound} of {all} sound{rest}\n"))?;
    }
    Ok(ExitCode::from(u8::from(sound < all)))
}

fn check_many(csv: &Path, args: &Args) -> Result<ExitCode> {
    let (files, tables) = ([csv.to_owned()], args.table.table.as_slice());
    let mut puzzles = args.game.collect(&files, tables, None)?;
    let entries = puzzles.entries()?;
    if entries.is_empty() {
        bail!("{} has no puzzles", csv.display());
    }
    let verdicts = (1..).zip(&entries).map(|(number, entry)| {
        let checking = entry.session.checking();
        let found = checking.and_then(|it| it.check_row(entry.row, &ProgressBar::new()));
        let (found, not_checked) = match found {
            Ok(found) => (Some(found), None),
            Err(why) if why.is_unchecked() => (None, Some(why.to_string())),
            Err(error) => return Err(error).with_context(|| entry.name.clone()),
        };
        Ok(Verdict {
            number,
            title: None,
            author: None,
            found,
            not_checked,
        })
    });
    tell_all(verdicts, args.json, |found| found.sound, as_line)
}

/// A verdict on one line.
fn as_line(verdict: &Verdict<'_, CheckReport>) -> String {
    let number = verdict.number;
    let Some(found) = &verdict.found else {
        let why = verdict.not_checked.as_deref().unwrap_or_default();
        return format!("{number:>4}  not checked: {why}\n");
    };
    let (verdict, asked, position) = (verdict_on(found), &found.stipulation, found.position());
    format!("{number:>4}  {verdict:<36}  {asked:<11}  {position}\n")
}

fn check_studies(path: &Path, args: &Args) -> Result<ExitCode> {
    let studies = records(path)?;
    if studies.is_empty() {
        bail!("{} has no studies", path.display());
    }
    let named = match (args.game.game.as_deref(), args.table.table.as_ref()) {
        (None, None) => None,
        (None, Some(table)) => Some(open_table(table)?),
        (Some(game), table) => Some(open(game, None, table)?),
    };
    let progress = ProgressBar::new();
    let mut last = None;
    let verdicts = (1..).zip(&studies).map(|(number, study)| {
        let found = match &named {
            Some(session) => check_study(&**session, study, &progress),
            None => ending_of(study, &mut last)
                .and_then(|session| check_study(session, study, &progress)),
        };
        let (found, not_checked) = match found {
            Err(SessionError::Stopped) => return Err(SessionError::Stopped.into()),
            Err(why) => (None, Some(why.to_string())),
            Ok(found) => (Some(found), None),
        };
        Ok(Verdict {
            number,
            title: Some(study.tag("Event")),
            author: Some(study.tag("White")),
            found,
            not_checked,
        })
    });
    let is_sound = |found: &StudyReport| found.verdict == StudyVerdict::Sound;
    tell_all(verdicts, args.json, is_sound, study_as_text)
}

/// The session with the ending of a study, the last one if that is it.
fn ending_of<'s>(
    study: &PgnRecord,
    last: &'s mut Option<Box<dyn Session>>,
) -> Result<&'s dyn Session, SessionError> {
    let next = open_study(study, &options())?;
    let same = last.take().filter(|last| last.spec() == next.spec());
    Ok(&**last.insert(same.unwrap_or(next)))
}

/// The verdict on a study on one line, and moves below it.
fn study_as_text(study: &Verdict<'_, StudyReport>) -> String {
    let number = study.number;
    let names = [study.author, study.title].into_iter().flatten();
    let names = names.filter(|name| !name.is_empty());
    let title = names.collect::<Vec<_>>().join(": ");
    let Some(found) = &study.found else {
        let why = study.not_checked.as_deref().unwrap_or_default();
        return format!("{number:>4}  {title}\n      not checked: {why}\n");
    };
    let verb = match found.claim {
        "loss" => "lose",
        claim => claim,
    };
    let asked = found.stipulation.as_deref();
    let timed = asked.filter(|asked| asked.contains(" in "));
    let claim = match timed {
        Some(asked) => format!("{} to move and {asked}", found.solver),
        None => format!("{} {verb}s", found.solver),
    };
    let verdict = match (found.verdict, found.outcome) {
        (StudyVerdict::Sound, _) if !found.duals.is_empty() => "sound (one key, duals later)",
        (StudyVerdict::Sound, _) => "sound",
        (StudyVerdict::Dual, _) => "right, with duals",
        (StudyVerdict::Cooked, _) => "right, but cooked",
        (StudyVerdict::Fails, _) => "right, but a move spoils it",
        (StudyVerdict::Refuted, "draw") => "wrong: it is a draw",
        (StudyVerdict::Refuted, "win") => "wrong: it is a win",
        (StudyVerdict::Refuted, _) => "wrong: it is lost",
    };
    let distance = found.distance.as_ref();
    let right = distance.map(|it| format!("wrong: it is {it}"));
    let verdict = right.as_deref().unwrap_or(verdict);
    let mut text = format!("{number:>4}  {title}\n      {claim}: {verdict}");
    if found.before > 0 {
        let plies = plural(found.before as u64, "ply");
        let _ = write!(text, " (checked after {plies}, from {})", found.position);
    }
    text.push('\n');
    let also = timed.map_or_else(|| format!("also {verb}"), |_| "also solve it".to_owned());
    for (words, moves, between) in [
        ("because of", &found.because, ", "),
        (&also, &found.duals, " "),
        ("lead back into the solution", &found.longer, " "),
    ] {
        if !moves.is_empty() {
            let _ = writeln!(text, "        {words}: {}", moves.join(between));
        }
    }
    text
}
