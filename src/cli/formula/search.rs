//! The searches, one family after another.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::policy::Asked;
use super::report::Made;
use super::{Args, Family};
use crate::cli::common::{grouped, print};
use crate::cli::output::put;
use crate::cli::progress::Progress;
use crate::formula::{
    BitBounds, BitSearch, Entry, Form, MagicBounds, Policy, Program, diagram, magic, orders,
    orders_everywhere, perfect_hash, single_orders,
};
use crate::watch::Watch;

/// Time between two copies of a search on disk.
const EVERY: Duration = Duration::from_secs(5);

/// Looks for a program of a family; tells what there is to tell.
pub fn search(
    asked: &Asked,
    family: Family,
    asked_for: bool,
    args: &Args,
    folder: &Path,
) -> Result<Option<Made>> {
    let progress = Progress::new();
    let policy = &asked.policy;
    let program = match family {
        Family::Bits => bits(asked, args, folder, &progress)?,
        Family::Magic => {
            let bounds = MagicBounds {
                a: args
                    .max_multiplier
                    .unwrap_or_else(|| usual_multiplier(policy)),
                index_bits: args
                    .max_index
                    .unwrap_or_else(|| policy.entries().len().ilog2()),
            };
            let found = magic(policy, bounds, &progress);
            progress.finish();
            if found.is_none() {
                print(&format!(
                    "magic     no program with multipliers up to {} and tables of up to {} places\n",
                    grouped(bounds.a),
                    grouped(1 << bounds.index_bits)
                ))?;
            }
            found
        }
        Family::Diagram => diagram(policy, &asked.encodings),
        Family::Hash => perfect_hash(policy),
        Family::Orders => match &asked.tactics {
            Some((tactics, helpers)) => {
                for (side, name) in ["first", "second"].into_iter().enumerate() {
                    let (count, _) = single_orders(tactics, side);
                    print(&format!(
                        "orders    {} of 362,880 single orders are right for the side that moves {name}\n",
                        grouped(count as u64)
                    ))?;
                }
                let found = orders(tactics, args.pairs, helpers, &progress);
                progress.finish();
                if found.is_none() {
                    print(&format!(
                        "orders    no two of {} pairs of orders are right for both sides\n",
                        grouped(args.pairs)
                    ))?;
                }
                found
            }
            None if asked_for => bail!(
                "{} is no game of filling squares; orders is for tictactoe",
                asked.spec
            ),
            None => None,
        },
        Family::OrdersAll => match &asked.tactics {
            Some((tactics, helpers)) => orders_everywhere(tactics, &asked.encodings, helpers),
            None if asked_for => bail!(
                "{} is no game of filling squares; orders-all is for tictactoe",
                asked.spec
            ),
            None => None,
        },
        Family::Residues => match &asked.residues {
            Some(program) => Some(program.clone()),
            None if asked_for => bail!(
                "{} is no puzzle; residues is for sliding puzzles",
                asked.spec
            ),
            None => None,
        },
    };
    let Some(program) = program else {
        return Ok(None);
    };
    Ok(Some(Made {
        policy: scope(policy, &program)?,
        program,
        verified: Vec::new(),
    }))
}

/// The greatest multiplier for `magic` if none is given: large tables take longer to try.
fn usual_multiplier(policy: &Policy) -> u64 {
    if policy.entries().len() <= 10_000 {
        (1 << 20) - 1
    } else {
        (1 << 16) - 1
    }
}

/// The states that a program must be right in: all, or those of its own play.
fn scope(policy: &Policy, program: &Program) -> Result<Policy> {
    let own = match program.form() {
        Form::Orders(orders) => orders.reached.as_ref(),
        _ => None,
    };
    let Some(own) = own else {
        return Ok(policy.clone());
    };
    let reached = |entry: &&Entry| own.binary_search(&entry.code).is_ok();
    let entries = policy.entries().iter().filter(reached).copied().collect();
    Ok(Policy::new(entries, policy.answers())?)
}

/// A search on disk.
#[derive(Serialize, Deserialize)]
struct Kept {
    game: String,
    shortest: bool,
    search: BitSearch,
}

fn bits(asked: &Asked, args: &Args, folder: &Path, progress: &Progress) -> Result<Option<Program>> {
    let bounds = BitBounds {
        a: args.max_multiplier.unwrap_or((1 << 14) - 1),
        c: args.max_addend,
        s: args.max_shift,
    };
    let path = folder.join("bits.search");
    let mut search = match resumed(asked, args, bounds, &path)? {
        Some(search) => {
            eprintln!(
                "going on from {}: {:.0}% of the candidates are tried",
                path.display(),
                100.0 * search.share()
            );
            search
        }
        None => BitSearch::new(&asked.policy, bounds),
    };
    let whole = bounds
        .candidates()
        .saturating_mul(asked.policy.width().into());
    progress.begin("candidates", u64::try_from(whole).unwrap_or(u64::MAX));
    let mut last = Instant::now();
    let mut written = path.exists();
    while !search.is_finished() {
        search.advance(&asked.policy, progress);
        if last.elapsed() >= EVERY {
            let kept = Kept {
                game: asked.spec.clone(),
                shortest: args.shortest,
                search: search.clone(),
            };
            put(&path, &serde_json::to_vec(&kept)?, true)?;
            (last, written) = (Instant::now(), true);
        }
    }
    progress.finish();
    if written {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let solution = search.solution(&asked.policy);
    let counts: Vec<String> = solution
        .of_bit
        .iter()
        .enumerate()
        .map(|(bit, found)| {
            format!(
                "{} for bit {bit}",
                grouped(found.map_or(0, |found| found.count))
            )
        })
        .collect();
    let within = format!(
        "multipliers up to {}, addends up to {}, shifts up to {}",
        grouped(bounds.a),
        grouped(bounds.c),
        bounds.s
    );
    print(&match &solution.least {
        Some(_) => format!(
            "bits      with {within}: {} expressions, {} programs\n",
            counts.join(", "),
            solution.programs
        ),
        None => format!(
            "bits      no program with {within} (modulo 2^(shift+1)): {} expressions\n",
            counts.join(", ")
        ),
    })?;
    Ok(solution.least.map(|terms| Program::new(Form::Bits(terms))))
}

/// A search that was begun before, if it is this one.
fn resumed(
    asked: &Asked,
    args: &Args,
    bounds: BitBounds,
    path: &Path,
) -> Result<Option<BitSearch>> {
    if args.restart {
        return Ok(None);
    }
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let kept: Kept = serde_json::from_slice(&text).with_context(|| {
        format!(
            "{} is no search; give --restart to begin anew",
            path.display()
        )
    })?;
    let same =
        kept.game == asked.spec && kept.shortest == args.shortest && kept.search.bounds() == bounds;
    if !same || !kept.search.fits(&asked.policy) {
        bail!(
            "{} is a search of {} within other bounds; give the same ones to go on, or --restart to begin anew",
            path.display(),
            kept.game
        );
    }
    Ok(Some(kept.search))
}
