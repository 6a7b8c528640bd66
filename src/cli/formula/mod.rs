//! `tesuji formula`

mod report;
mod search;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::args::{name_of, open};
use super::progress::ProgressBar;
use super::report::print;
use report::Made;
use tesuji::base::files::{Claim, read_text};
use tesuji::base::text::{file_stem, grouped, plural};
use tesuji::formula::{AnswerKind, Form, Information, Program, Term, check, end_together};
use tesuji::game::Language;
use tesuji::session::Questions;

/// Search for the shortest program that plays a game perfectly without searching.
///
/// A program maps the number of a state to the number of a best move, or of the next
/// state (--answer next-state). Families: `bits`, an
/// expression a * (n + c) >> s & 1 for each bit of the answer; `magic`, a multiplication
/// and a packed table; `diagram`, a decision diagram; `hash`, a perfect hash and a packed
/// table, for comparison; `orders` (tic-tac-toe), win or block, otherwise the first free
/// square in one of two orders, right in every state of its own play; `orders-all`, with
/// several orders, right in every state; `residues` (sliding puzzles), distances modulo 6
/// and looking two moves ahead. Every program is written in Rust, C and Python, compiled,
/// run on every state and compared with the solved game.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  tesuji formula sliding:2x2                          # all families
  tesuji formula sliding:2x2 --family bits --terms 33,1,7 2945,1,13
  tesuji formula tictactoe --family orders -o formulas
  tesuji formula tictactoe --check mine.py            # a program of your own
  tesuji formula sliding:2x3 --family residues --answer next-state
Exit code: 1 if a program that was given is wrong somewhere.")]
pub(crate) struct Args {
    /// The game: sliding:2x2, sliding:3x3, tictactoe.
    #[arg(value_name = "GAME")]
    spec: String,
    /// A family; may be repeated [default: all families of the game].
    #[arg(long, value_enum)]
    family: Vec<Family>,
    /// What a program answers: the number of a best move, or of the state after it.
    #[arg(long, value_enum, default_value = "move", value_name = "KIND")]
    answer: AnswerKind,
    /// Games of two players: accept only the quickest win or the slowest loss, not every
    /// move that keeps the outcome.
    #[arg(long)]
    shortest: bool,
    /// The languages in which programs are run on every state, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["rust", "python"])]
    verify: Vec<Language>,
    /// The greatest multiplier [default: 16383 for bits; for magic 1048575, or 65535 for
    /// games with more than 10,000 states].
    #[arg(long, value_name = "A", value_parser = clap::value_parser!(u64).range(1..=u64::MAX >> 2))]
    max_multiplier: Option<u64>,
    /// bits: the greatest addend [default: 16383].
    #[arg(long, value_name = "C")]
    max_addend: Option<u64>,
    /// bits: the greatest shift [default: 13].
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(0..=62))]
    max_shift: Option<u32>,
    /// magic: the largest table, in bits of its index [default: as large as a table of all
    /// states].
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=24))]
    max_index: Option<u32>,
    /// orders: the number of pairs of orders to try [default: 20000000].
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
    /// bits: these constants instead of a search, A,C,S for each bit, the least significant
    /// bit first.
    #[arg(long, value_name = "A,C,S", num_args = 1.., conflicts_with_all = ["check", "verify", "output", "force", "restart"], value_parser = parse_term)]
    terms: Vec<Term>,
    /// Check a program of your own instead: a .rs, .c or .py file with a function
    /// `best_move`, or `next_state` with --answer next-state.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["family", "verify", "output", "force", "restart"])]
    check: Option<PathBuf>,
    /// Discard the unfinished search of an earlier run and start over.
    #[arg(long)]
    restart: bool,
    /// The folder to write to. Each game gets a subfolder.
    #[arg(short, long, value_name = "FOLDER", default_value = "output/formulas")]
    output: PathBuf,
    /// Overwrite files with other content.
    #[arg(long)]
    force: bool,
}

/// A family of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Family {
    /// An expression for each bit.
    Bits,
    /// A multiplication into a table.
    Magic,
    /// A decision diagram.
    Diagram,
    /// A perfect hash and a table.
    Hash,
    /// Win, block, or one of two orders of squares; right in every state of its own play.
    Orders,
    /// Win, block, or one of several orders; right in every state.
    OrdersAll,
    /// Distances modulo 6.
    Residues,
}

fn parse_term(text: &str) -> Result<Term, String> {
    let numbers = text.split(',').map(|number| number.trim().parse().ok());
    let numbers: Option<Vec<u64>> = numbers.collect();
    match numbers.as_deref() {
        Some(&[a, c, s]) if s <= 63 => Ok(Term {
            a,
            c,
            s: u32::try_from(s).unwrap_or(63),
        }),
        _ => Err("a term is multiplier, addend and shift (at most 63), such as 33,1,7".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let session = open(&args.spec, None, None)?;
    refuse_limits(args)?;
    end_together();
    let kind = args.answer;
    let programming = session.programming()?;
    let asked = programming.questions(args.shortest, kind, &ProgressBar::new())?;
    if let Some(path) = &args.check {
        return check_given(&asked, path);
    }
    let information = Information::of(&asked.policy);
    let information = information.context("cannot compress the table of moves")?;
    print(&report::measures(&asked, &information))?;
    if !args.terms.is_empty() {
        return given_terms(&asked, args, &information);
    }
    let families = Family::value_variants().iter().copied();
    let families = families.filter(|family| args.family.is_empty() || args.family.contains(family));
    let mut folder = args.output.join(file_stem(&asked.spec));
    if kind == AnswerKind::NextState {
        folder.push("next-state");
    }
    let _claim = Claim::folder(&folder)?;
    let mut made = Vec::new();
    for family in families {
        made.extend(search::search(&asked, family, args, &folder)?);
    }
    let mut wrong = false;
    for one in &mut made {
        wrong |= !verify(one, args)?;
    }
    print(&report::table(&made))?;
    if wrong {
        bail!("a program was wrong when it was run, so nothing is written; please report this");
    }
    report::write(&asked, &information, &made, args, &folder)?;
    Ok(ExitCode::SUCCESS)
}

/// A limit of searches: its option, what was given, its default if all have the same, and the
/// families that it is for.
type Limit = (&'static str, Option<u64>, Option<u64>, &'static [Family]);

impl Args {
    /// The limits of searches.
    fn limits(&self) -> [Limit; 5] {
        use Family::{Bits, Magic, Orders};
        let (shift, index) = (self.max_shift.map(u64::from), self.max_index.map(u64::from));
        [
            ("max-multiplier", self.max_multiplier, None, &[Bits, Magic]),
            ("max-addend", self.max_addend, Some(16_383), &[Bits]),
            ("max-shift", shift, Some(13), &[Bits]),
            ("max-index", index, None, &[Magic]),
            ("pairs", self.pairs, Some(20_000_000), &[Orders]),
        ]
    }
}

/// Refuses limits of searches that are not made.
fn refuse_limits(args: &Args) -> Result<()> {
    let nothing = args.check.is_some() || !args.terms.is_empty();
    let searched = |family| !nothing && (args.family.is_empty() || args.family.contains(family));
    for (name, given, _, families) in args.limits() {
        if given.is_some() && !families.iter().any(searched) {
            let families: Vec<_> = families.iter().map(name_of).collect();
            let families = families.join(" or ");
            bail!("--{name} is for searches of the family {families}; leave it out");
        }
    }
    Ok(())
}

/// Runs a program in the given languages. Returns whether it is right.
fn verify(made: &mut Made, args: &Args) -> Result<bool> {
    let mut right = true;
    for &language in &args.verify {
        let wrong = check(&made.program.source(language), language, &made.policy)?;
        if let Some((code, answer)) = wrong.first() {
            let states = plural(wrong.len() as u64, "state");
            print(&format!(
                "{}: the {} program is wrong in {states}, first in n = {code}, where it answers {answer}\n",
                made.program.family(),
                language.name()
            ))?;
            right = false;
        }
        made.verified.push(language);
    }
    Ok(right)
}

fn check_given(asked: &Questions, path: &Path) -> Result<ExitCode> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let mut languages = Language::ALL.into_iter();
    let shown = path.display();
    let Some(language) = languages.find(|it| extension == Some(it.extension())) else {
        bail!("{shown}: a program to check ends in .rs, .c or .py");
    };
    let source = read_text(path).with_context(|| format!("cannot read {shown}"))?;
    let wrong = check(&source, language, &asked.policy).with_context(|| shown.to_string())?;
    let states = asked.policy.asked().count();
    let [right, states] = [states - wrong.len(), states].map(|count| grouped(count as u64));
    let mut text = format!("{shown} is right in {right} of {states} states that have a move\n");
    for &(code, answer) in wrong.iter().take(10) {
        text += &report::fault(asked, code, answer);
    }
    if wrong.len() > 10 {
        let _ = writeln!(text, "and {} more", grouped((wrong.len() - 10) as u64));
    }
    text += &report::games_lost(asked, &source, language)?;
    print(&text)?;
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}

/// Checks given constants instead of searching for them.
fn given_terms(asked: &Questions, args: &Args, information: &Information) -> Result<ExitCode> {
    if let Some(other) = args.family.iter().find(|&&family| family != Family::Bits) {
        let other = name_of(other);
        bail!("--terms are constants of the family bits; leave out --family {other}");
    }
    let width = asked.policy.width() as usize;
    let (spec, given) = (&asked.spec, args.terms.len());
    if given != width {
        bail!("answers of {spec} have {width} bits, so --terms needs {width} terms, not {given}");
    }
    let form = Form::Bits(args.terms.clone());
    let program = Program::answering(form, asked.policy.kind());
    let right = asked.policy.asked().filter(|entry| {
        let answer = program.answer(entry.code);
        answer.is_some_and(|answer| asked.policy.is_right(entry, answer))
    });
    let (right, states) = (right.count(), asked.policy.asked().count());
    print(&format!(
        "these terms are right in {right} of {states} states that have a move, with {} bits of constants against {:.1} bits of information\n",
        program.constant_bits(),
        information.entropy
    ))?;
    print(&program.source(Language::C))?;
    Ok(ExitCode::from(u8::from(right < states)))
}
