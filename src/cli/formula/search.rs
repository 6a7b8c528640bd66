//! Searching for programs, one function for each family.

use std::path::Path;

use anyhow::{Result, bail};

use super::report::Made;
use super::{Args, Family};
use crate::base::text::grouped;
use crate::cli::progress::Progress;
use crate::cli::report::print;
use crate::formula::{
    BitBounds, BitSearch, Entry, Form, Found, MagicBounds, MagicSearch, OrderSearch, Policy,
    Program, diagram, orders_everywhere, perfect_hash, single_orders,
};
use crate::session::{Questions, Search, SearchRun, finish};

/// Searches for a program of a family, and reports what it found.
pub fn search(
    asked: &Questions,
    family: Family,
    asked_for: bool,
    args: &Args,
    folder: &Path,
) -> Result<Option<Made>> {
    let policy = &asked.policy;
    let rules = match family {
        Family::Orders | Family::OrdersAll => asked.tactics.is_some(),
        Family::Residues => asked.residues.is_some(),
        _ => true,
    };
    if !rules && asked_for {
        let (what, whose) = match family {
            Family::Residues => ("puzzle", "sliding puzzles"),
            _ => ("game of filling squares", "tictactoe"),
        };
        let (spec, name) = (&asked.spec, family.name());
        bail!("{spec} is not a {what}; {name} is for {whose}");
    }
    let program = match family {
        Family::Bits => bits(asked, args, folder)?,
        Family::Magic => magic(asked, args, folder)?,
        Family::Diagram => diagram(policy, &asked.encodings),
        Family::Hash => perfect_hash(policy),
        Family::Orders => orders(asked, args, folder)?,
        Family::OrdersAll => asked
            .tactics
            .as_ref()
            .and_then(|(tactics, helpers)| orders_everywhere(tactics, &asked.encodings, helpers)),
        Family::Residues => asked.residues.clone(),
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

/// The default for the greatest multiplier of `magic`: large tables take longer to try.
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

/// Runs a search to its end, showing its progress.
fn finished<S: Search>(search: S, asked: &Questions, args: &Args, path: &Path) -> Result<S> {
    let progress = Progress::new();
    let run = SearchRun {
        shortest: args.shortest,
        restart: args.restart,
        path,
    };
    let search = finish(search, asked, run, &progress)?;
    progress.finish();
    Ok(search)
}

fn bits(asked: &Questions, args: &Args, folder: &Path) -> Result<Option<Program>> {
    let bounds = BitBounds {
        a: args.max_multiplier.unwrap_or((1 << 14) - 1),
        c: args.max_addend.unwrap_or((1 << 14) - 1),
        s: args.max_shift.unwrap_or(13),
    };
    let search = BitSearch::new(&asked.policy, bounds);
    let search = finished(search, asked, args, &folder.join("bits.search"))?;
    let solution = search.solution(&asked.policy);
    let count = |(bit, found): (usize, &Option<Found>)| {
        let count = grouped(found.map_or(0, |found| found.count));
        format!("{count} for bit {bit}")
    };
    let counts: Vec<String> = solution.of_bit.iter().enumerate().map(count).collect();
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

fn magic(asked: &Questions, args: &Args, folder: &Path) -> Result<Option<Program>> {
    let policy = &asked.policy;
    let bounds = MagicBounds {
        a: args
            .max_multiplier
            .unwrap_or_else(|| usual_multiplier(policy)),
        index_bits: args
            .max_index
            .unwrap_or_else(|| policy.entries().len().ilog2()),
    };
    let path = folder.join("magic.search");
    let search = finished(MagicSearch::new(bounds), asked, args, &path)?;
    let found = search.program(policy);
    if found.is_none() {
        print(&format!(
            "magic     no program with multipliers up to {} and tables of up to {} places\n",
            grouped(bounds.a),
            grouped(1 << bounds.index_bits)
        ))?;
    }
    Ok(found)
}

fn orders(asked: &Questions, args: &Args, folder: &Path) -> Result<Option<Program>> {
    let Some((tactics, helpers)) = &asked.tactics else {
        return Ok(None);
    };
    for (side, name) in ["first", "second"].into_iter().enumerate() {
        let (count, _) = single_orders(tactics, side);
        print(&format!(
            "orders    {} of 362,880 single orders are right for the side that moves {name}\n",
            grouped(count as u64)
        ))?;
    }
    let path = folder.join("orders.search");
    let search = finished(
        OrderSearch::new(args.pairs.unwrap_or(20_000_000)),
        asked,
        args,
        &path,
    )?;
    let found = search.program(tactics, helpers);
    if found.is_none() {
        print(&format!(
            "orders    no two of {} pairs of orders are right for both sides\n",
            grouped(args.pairs.unwrap_or(20_000_000))
        ))?;
    }
    Ok(found)
}
