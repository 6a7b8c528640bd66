//! Reports on programs, and writing them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{Args, Family};
use crate::cli::args::name_of;
use crate::cli::report::print;
use tesuji::base::files::put_all_claimed;
use tesuji::base::text::{grouped, plural};
use tesuji::formula::{AnswerKind, Form, Information, Policy, Program, run};
use tesuji::game::Language;
use tesuji::session::Questions;

/// A program and the states that it must be right in.
pub(super) struct Made {
    pub program: Program,
    pub policy: Policy,
    /// The languages in which it was run and right.
    pub verified: Vec<Language>,
}

impl Made {
    fn states(&self) -> usize {
        self.policy.asked().count()
    }

    fn scope(&self) -> &'static str {
        match &self.program.form {
            Form::Orders(orders) if orders.reached.is_some() => "states of its own play",
            _ => "every state",
        }
    }

    fn languages(&self, between: &str) -> String {
        let names: Vec<_> = self.verified.iter().map(|it| it.name()).collect();
        names.join(between)
    }
}

/// The size of a game's policy in several codings.
pub(super) fn measures(asked: &Questions, information: &Information) -> String {
    let states = asked.policy.entries.len() as u64;
    let bound = asked.policy.asked().count();
    let Information {
        raw, zstd, entropy, ..
    } = information;
    let of_legal = information.entropy_of_legal.map_or(String::new(), |bits| {
        format!(", {bits:.1} if the legal moves are known")
    });
    let known = match asked.policy.kind() {
        AnswerKind::Move => of_legal,
        AnswerKind::NextState => format!(
            "; of the moves, for who knows the rules, {:.1} bits{of_legal}",
            information.entropy_of_moves
        ),
    };
    format!(
        "game      {}\nstates    {}, {} of them with a move to choose\nraw       {} bits, {} a state\nzstd      {} bits\nentropy   {entropy:.1} bits{known}\n\n",
        asked.spec,
        grouped(states),
        grouped(bound as u64),
        grouped(*raw),
        raw / states,
        grouped(*zstd),
    )
}

pub(super) fn table(made: &[Made]) -> String {
    let mut text =
        "\nfamily       constants       rust          c     python  verified\n".to_owned();
    for one in made {
        let [rust, c, python] = Language::ALL
            .map(|language| grouped(one.program.source(language).chars().count() as u64));
        let (family, verified) = (one.program.family(), verified(one));
        let bits = grouped(one.program.constant_bits());
        let _ = writeln!(
            text,
            "{family:9} {bits:>7} bits {rust:>10} {c:>10} {python:>10}  {verified}"
        );
    }
    text
}

fn verified(one: &Made) -> String {
    if one.verified.is_empty() {
        return "not run".to_owned();
    }
    let states = one.states();
    let (scope, languages) = (one.scope(), one.languages(", "));
    format!("on {states} of {states} states ({scope}; {languages})")
}

fn head(
    asked: &Questions,
    information: &Information,
    one: &Made,
    args: &Args,
    language: Language,
) -> String {
    let source = one.program.source(language);
    let is_python = language == Language::Python;
    let mark = if is_python { "#" } else { "//" };
    let states = one.states();
    let kind = asked.policy.kind();
    let (answer, answers) = match kind {
        AnswerKind::Move => ("a best move", "best moves"),
        AnswerKind::NextState => ("the state after a best move", "next states"),
    };
    let lines = [
        format!("{}: {answer} in {}.", asked.spec, one.scope()),
        format!("{}.", asked.meaning[0]),
        format!("{}(n): {}.", kind.function(), asked.meaning[1]),
        format!("Made by: {}", command(asked, args, one)),
        format!(
            "Size: {} bits of constants, {} characters of source. All {answers} take {} bits as a table,",
            grouped(one.program.constant_bits()),
            grouped(source.chars().count() as u64),
            grouped(information.raw)
        ),
        format!(
            "{} compressed by zstd, {:.0} by their entropy.",
            grouped(information.zstd),
            information.entropy
        ),
        match one.languages(", ").as_str() {
            "" => "Not run.".to_owned(),
            languages => format!("verified on {states} of {states} states ({languages})"),
        },
    ];
    lines.map(|line| format!("{mark} {line}\n")).concat() + "\n"
}

/// The command that reproduces a program.
fn command(asked: &Questions, args: &Args, one: &Made) -> String {
    let family = one.program.family();
    let mut text = format!("tesuji formula {} --family {family}", asked.spec);
    if asked.policy.kind() == AnswerKind::NextState {
        text += " --answer next-state";
    }
    if args.shortest {
        text += " --shortest";
    }
    let is_own = |it: &Family| name_of(it) == family;
    for (name, given, default, families) in args.limits() {
        if let Some(most) = given
            && given != default
            && families.iter().any(is_own)
        {
            let _ = write!(text, " --{name} {most}");
        }
    }
    let names = one.languages(",");
    if !["", "rust,python"].contains(&names.as_str()) {
        let _ = write!(text, " --verify {names}");
    }
    text
}

pub(super) fn write(
    asked: &Questions,
    information: &Information,
    made: &[Made],
    args: &Args,
    folder: &Path,
) -> Result<()> {
    if made.is_empty() {
        return Ok(());
    }
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for one in made {
        let [rust, c, python] =
            Language::ALL.map(|language| one.program.source(language).chars().count().to_string());
        let row = [
            ("game", asked.spec.clone()),
            ("family", one.program.family().to_owned()),
            ("scope", one.scope().to_owned()),
            ("states", one.states().to_string()),
            ("constant_bits", one.program.constant_bits().to_string()),
            ("rust_characters", rust),
            ("c_characters", c),
            ("python_characters", python),
            ("raw_bits", information.raw.to_string()),
            ("zstd_bits", information.zstd.to_string()),
            ("entropy_bits", format!("{:.1}", information.entropy)),
            ("verified", one.languages(", ")),
            ("command", command(asked, args, one)),
        ];
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(row.iter().map(|(name, _)| name))?;
        rows.write_record(row.iter().map(|(_, value)| value))?;
        let name = format!("{}.csv", one.program.family());
        files.push((folder.join(name), rows.into_inner()?));
        for language in Language::ALL {
            let text =
                head(asked, information, one, args, language) + &one.program.source(language);
            let name = format!("{}.{}", one.program.family(), language.extension());
            files.push((folder.join(name), text.into_bytes()));
        }
    }
    put_all_claimed(&files, args.force)?;
    let (programs, folder) = (plural(made.len() as u64, "program"), folder.display());
    print(&format!("\n{programs} in {folder}\n"))
}

/// Explains why an answer is wrong.
pub(super) fn fault(asked: &Questions, code: u64, answer: u64) -> String {
    let state = asked.state(code);
    let entries = &asked.policy.entries;
    let Ok(place) = entries.binary_search_by_key(&code, |entry| entry.code) else {
        return String::new();
    };
    let entry = entries[place];
    let policy = &asked.policy;
    let next_state = policy.kind() == AnswerKind::NextState;
    let named = |mv: u8| {
        let name = asked.move_name(mv.into());
        match policy.answer(code, mv) {
            Some(next) if next_state => format!("{name} to {next}"),
            _ => name,
        }
    };
    let best = (0..16_u8).filter(|mv| entry.best >> mv & 1 == 1).map(named);
    let best: Vec<String> = best.collect();
    let mv = policy.move_of(code, answer);
    let verdict = match mv.filter(|mv| entry.legal >> mv & 1 == 1) {
        Some(mv) => format!("{} is not as good as", named(mv)),
        None if next_state => format!("no move leads to {answer}; best is"),
        None => format!("{answer} is not a legal move; best is"),
    };
    format!("n = {code:<8} {state}: {verdict} {}\n", best.join(" or "))
}

/// For games of two players: whether a program keeps the outcome when it plays, and if not,
/// the first line in which it does not.
pub(crate) fn games_lost(asked: &Questions, source: &str, language: Language) -> Result<String> {
    let Some((tactics, _)) = &asked.tactics else {
        return Ok(String::new());
    };
    let codes: Vec<u64> = tactics.states.iter().map(|tactic| tactic.code).collect();
    let answers = run(source, language, asked.policy.kind(), &codes)?;
    let mut text = String::new();
    for (side, begins) in ["first", "second"].into_iter().zip(&tactics.begins) {
        let mut seen = vec![false; tactics.states.len()];
        let mut open: Vec<u32> = begins.iter().rev().copied().collect();
        let (mut reached, mut fault) = (0_u64, None);
        while let Some(place) = open.pop() {
            let place = place as usize;
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            reached += 1;
            let (tactic, answer) = (&tactics.states[place], answers[place]);
            let mv = asked.policy.move_of(tactic.code, answer);
            let Some(mv) = mv.filter(|mv| tactic.best >> mv & 1 == 1) else {
                fault = fault.or(Some(self::fault(asked, tactic.code, answer)));
                continue;
            };
            let next = tactic.replies.get(usize::from(mv));
            open.extend(next.into_iter().flatten().rev());
        }
        let _ = match fault {
            None => writeln!(
                text,
                "moving {side} it plays perfectly: right in all {} states that it comes to",
                grouped(reached)
            ),
            Some(fault) => write!(text, "moving {side} it goes wrong: {fault}"),
        };
    }
    Ok(text)
}
