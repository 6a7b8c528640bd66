//! `tesuji probe` for games with hidden information.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::common::{grouped, heading, position, print};
use super::limits::parse_bytes;
use super::progress::Progress;
use crate::base::watch::Watch;
use crate::game::{Game, Hidden};
use crate::solve::belief::{BeliefSolution, Limits, LineStep, MOST_FOULS, Mode, Statistics, solve};

/// How a problem with hidden information is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// With a table of metapositions and the condition that every state is won in sight.
    Fast,
    /// As the paper has it: iterative deepening alone.
    Reference,
}

/// How far a problem with hidden information is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct HiddenArgs {
    /// Of games with hidden information: plies to look for a solution at most
    /// [default: 15].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=99))]
    depth: Option<u8>,
    /// Of games with hidden information: fouls to allow at most, up to 8 [default: 3].
    #[arg(long, value_name = "FOULS", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_FOULS)))]
    fouls: Option<u8>,
    /// Of games with hidden information: how to search [default: fast].
    #[arg(long, value_enum)]
    mode: Option<ModeArg>,
    /// Of games with hidden information: look for cooks with fewer fouls up to so many
    /// plies beyond the solution [default: 2].
    #[arg(long, value_name = "PLIES")]
    beyond: Option<u8>,
    /// Of games with hidden information: memory that the search may take, such as 1GiB
    /// [default: 256MiB].
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
}

impl HiddenArgs {
    /// Refuses arguments that a game without hidden information has no use for.
    pub fn none_of(self, spec: &str) -> Result<()> {
        let given = [
            ("--depth", self.depth.is_some()),
            ("--fouls", self.fouls.is_some()),
            ("--mode", self.mode.is_some()),
            ("--beyond", self.beyond.is_some()),
            ("--memory", self.memory.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => bail!(
                "{name} is for games with hidden information, such as tsuitate; {spec} has none, so leave it out"
            ),
            None => Ok(()),
        }
    }

    /// Plies and fouls to look for at most.
    pub fn most(self) -> (u8, u8) {
        (self.depth.unwrap_or(15), self.fouls.unwrap_or(3))
    }

    pub fn limits(self) -> Limits {
        let (depth, fouls) = self.most();
        let bytes = self.memory.unwrap_or(1 << 28);
        Limits::new(depth, fouls)
            .beyond(self.beyond.unwrap_or(2))
            .memory(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    pub fn mode(self) -> Mode {
        match self.mode {
            Some(ModeArg::Reference) => Mode::Reference,
            Some(ModeArg::Fast) | None => Mode::Fast,
        }
    }

    const fn mode_name(self) -> &'static str {
        match self.mode {
            Some(ModeArg::Reference) => "reference",
            Some(ModeArg::Fast) | None => "fast",
        }
    }
}

/// A problem with its solution, if it has one within the limits.
pub struct Searched<G: Hidden> {
    /// The position.
    pub state: G::State,
    /// The solution.
    pub solved: Option<BeliefSolution<G::Move, G::Clue>>,
}

/// Reads a position and solves it.
pub fn search<G: Hidden>(game: &G, text: &str, args: HiddenArgs) -> Result<Searched<G>> {
    let state = position(game, text)?;
    let progress = Progress::new();
    progress.begin("looking at positions", 0);
    let solved = solve(game, &state, &args.limits(), args.mode(), &progress);
    progress.finish();
    Ok(Searched {
        state,
        solved: solved?,
    })
}

/// A position and its solution.
pub type Answered<G> = (
    <G as Game>::State,
    BeliefSolution<<G as Game>::Move, <G as Hidden>::Clue>,
);

/// As [`search`], for those who need the solution: that there is none is an error.
pub fn solution<G: Hidden>(game: &G, text: &str, args: HiddenArgs) -> Result<Answered<G>> {
    let Searched { state, solved } = search(game, text, args)?;
    let Some(solved) = solved else {
        let (depth, fouls) = args.most();
        bail!(
            "{} has no solution within {depth} plies with {fouls} fouls allowed; allow more with --depth or --fouls",
            game.format_state(&state)
        );
    };
    Ok((state, solved))
}

/// Probes a position. With `times`, how long the search took is told as well.
pub fn probe<G: Hidden>(
    game: &G,
    text: &str,
    args: HiddenArgs,
    (json, times): (bool, bool),
) -> Result<ExitCode> {
    let Searched { state, solved } = search(game, text, args)?;
    let (depth, fouls) = args.most();
    print(&match (&solved, json) {
        (solved, true) => {
            let mut answer = json!({
                "game": game.spec(),
                "position": game.format_state(&state),
                "side": game.side_to_move(&state),
                "mode": args.mode_name(),
                "depth": depth,
                "fouls": fouls,
                "solved": solved.is_some(),
            });
            if let (Some(answer), Some(solved)) = (answer.as_object_mut(), solved) {
                answer.extend(as_json(game, solved, times));
            }
            format!("{answer:#}\n")
        }
        (Some(solved), false) => heading(game, &state) + &as_text(game, solved, times),
        (None, false) => format!(
            "{}no solution within {depth} plies with {fouls} fouls allowed\n",
            heading(game, &state)
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A line with its plies numbered; a foul has the number of the ply that it is not.
pub fn numbered_line<G: Hidden>(game: &G, line: &[LineStep<G::Move, G::Clue>]) -> String {
    let mut ply = 1;
    let mut text = String::new();
    for step in line {
        let _ = write!(text, "{ply}.{} ", step.in_words(game));
        ply += u16::from(!matches!(step, LineStep::Foul(_)));
    }
    text + "mate"
}

/// One word for how unique a solution is.
pub fn uniqueness<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> &'static str {
    if solved.keys().len() > 1 {
        "multiple"
    } else if solved.tree().stats().dual_turns == 0 {
        "everyMove"
    } else if solved.tree().line_is_dual_free() {
        "line"
    } else {
        "firstMove"
    }
}

/// A number with two decimals.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn counts(statistics: &Statistics, times: bool) -> serde_json::Map<String, Json> {
    let ((tm, tp), (m, p)) = (statistics.total(), statistics.last_stage());
    let (bm, bp) = statistics.branching();
    let mut counts = serde_json::Map::new();
    let mut put = |name: &str, value: Json| counts.insert(name.to_owned(), value);
    put("TM", tm.into());
    put("TP", tp.into());
    put("M", m.into());
    put("P", p.into());
    put("MP", statistics.largest().into());
    put("AP", rounded(statistics.average()).into());
    put("BM", rounded(bm).into());
    put("BP", rounded(bp).into());
    put("looked_at", statistics.looked_at().into());
    if times {
        let (best, all) = statistics.times();
        put("TB", best.as_secs_f64().into());
        put("TT", all.as_secs_f64().into());
    }
    counts
}

fn as_json<G: Hidden>(
    game: &G,
    solved: &BeliefSolution<G::Move, G::Clue>,
    times: bool,
) -> serde_json::Map<String, Json> {
    let keys: Vec<_> = solved
        .keys()
        .iter()
        .map(|&mv| game.format_move(mv))
        .collect();
    let stats = solved.tree().stats();
    let others: Vec<_> = solved
        .others()
        .iter()
        .map(|level| json!({ "plies": level.plies, "fouls_allowed": level.fouls }))
        .collect();
    let mut answer = serde_json::Map::new();
    let mut put = |name: &str, value: Json| answer.insert(name.to_owned(), value);
    put("plies", solved.plies().into());
    put("fouls_allowed", solved.fouls_allowed().into());
    put("fouls_in_line", solved.fouls_in_line().into());
    let line: Vec<_> = solved
        .line()
        .iter()
        .map(|step| step.in_words(game))
        .collect();
    put("line", line.into());
    put("key", keys[0].clone().into());
    put("n_keys", keys.len().into());
    put(
        "uniqueness",
        json!({
            "word": uniqueness(solved),
            "first_move": keys.len() == 1,
            "line": solved.tree().line_is_dual_free(),
            "every_move": stats.dual_turns == 0,
            "dual_turns": stats.dual_turns,
        }),
    );
    put("cooks", keys[1..].into());
    put("fewer_fouls", others.into());
    put(
        "tree",
        json!({
            "turns": stats.turns,
            "variations": stats.variations,
            "fouls": stats.fouls,
            "informing_fouls": stats.informing_fouls,
            "largest": stats.largest,
        }),
    );
    put("statistics", counts(solved.statistics(), times).into());
    answer
}

/// So many of something.
pub fn plural(count: u64, one: &str) -> String {
    match (count, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(count)),
        _ => format!("{} {one}s", grouped(count)),
    }
}

fn as_text<G: Hidden>(game: &G, solved: &BeliefSolution<G::Move, G::Clue>, times: bool) -> String {
    let mut text = format!(
        "solution  {}, {} allowed, {} on the best line\n",
        plural(solved.plies().into(), "ply"),
        plural(solved.fouls_allowed().into(), "foul"),
        solved.fouls_in_line()
    );
    let _ = writeln!(text, "line      {}", numbered_line(game, &solved.line()));
    let keys: Vec<_> = solved
        .keys()
        .iter()
        .map(|&mv| game.format_move(mv))
        .collect();
    let _ = writeln!(text, "key       {}", keys[0]);
    if keys.len() > 1 {
        let _ = writeln!(text, "cooks     {}", keys[1..].join(" "));
    }
    let stats = solved.tree().stats();
    let unique = match uniqueness(solved) {
        "multiple" => "no: there are cooks".to_owned(),
        "everyMove" => "every move of Black's".to_owned(),
        "line" => format!(
            "every move of the best line; {} of the tree with duals",
            plural(stats.dual_turns, "turn")
        ),
        _ => "the first move".to_owned(),
    };
    let _ = writeln!(text, "unique    {unique}");
    for level in solved.others() {
        let _ = writeln!(
            text,
            "also      {}, {} allowed",
            plural(level.plies.into(), "ply"),
            plural(level.fouls.into(), "foul")
        );
    }
    let _ = writeln!(
        text,
        "tree      {}, {}, {} in the largest metaposition",
        plural(stats.turns, "turn"),
        plural(stats.variations, "variation"),
        plural(stats.largest as u64, "position")
    );
    text.push('\n');
    for (name, value) in counts(solved.statistics(), times) {
        let _ = writeln!(text, "{name:9} {value}");
    }
    text
}
