//! Searching for programs, one function for each family.

use std::path::Path;

use anyhow::{Result, bail};

use super::report::Made;
use super::{Args, Family};
use crate::cli::args::name_of;
use crate::cli::progress::ProgressBar;
use crate::cli::report::print;
use tesuji::base::text::grouped;
use tesuji::formula::{
    AnswerKind, BitBounds, BitSearch, Form, Found, MagicBounds, MagicSearch, OrderSearch, Policy,
    Program, Search, diagram, orders_everywhere, perfect_hash, single_orders,
};
use tesuji::session::{Questions, SearchRun, finish};

pub(super) fn search(
    asked: &Questions,
    family: Family,
    args: &Args,
    folder: &Path,
) -> Result<Option<Made>> {
    let policy = &asked.policy;
    let asked_for = !args.family.is_empty();
    let rules = match family {
        Family::Orders | Family::OrdersAll => asked.tactics.is_some(),
        Family::Residues => asked.residues.is_some(),
        _ => true,
    };
    if !rules && asked_for {
        let (what, whose) = match family {
            Family::Residues => ("puzzle", "sliding puzzles"),
            _ => ("game of filling nine squares", "those, such as tictactoe"),
        };
        let (spec, name) = (&asked.spec, name_of(&family));
        bail!("{spec} is not a {what}; {name} is for {whose}");
    }
    if family == Family::Diagram && policy.kind() == AnswerKind::NextState {
        if asked_for {
            bail!(
                "diagram answers with moves: a diagram is small where many states have the same answer, and few have the same next state; leave out --answer next-state, or --family diagram"
            );
        }
        return Ok(None);
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
    let Some(mut program) = program else {
        return Ok(None);
    };
    let knows_rules = matches!(program.form, Form::Orders(_) | Form::Residues(_));
    if let Some(helpers) = asked.making_moves.as_ref().filter(|_| knows_rules) {
        program = program.making_moves(helpers.clone());
    }
    Ok(Some(Made {
        policy: scope(policy, &program)?,
        program,
        verified: Vec::new(),
    }))
}

/// The states that a program must be right in: all, or those of its own play.
fn scope(policy: &Policy, program: &Program) -> Result<Policy> {
    if let Form::Orders(orders) = &program.form
        && let Some(own) = &orders.reached
    {
        return Ok(policy.among(|code| own.binary_search(&code).is_ok())?);
    }
    Ok(policy.clone())
}

/// Runs a search to its end, showing its progress.
fn finished<S: Search>(
    search: S,
    aim: &S::Aim,
    asked: &Questions,
    args: &Args,
    path: &Path,
) -> Result<S> {
    let run = SearchRun {
        shortest: args.shortest,
        restart: args.restart,
        path,
    };
    Ok(finish(search, aim, asked, run, &ProgressBar::new())?)
}

fn bits(asked: &Questions, args: &Args, folder: &Path) -> Result<Option<Program>> {
    let bounds = BitBounds {
        a: args.max_multiplier.unwrap_or((1 << 14) - 1),
        c: args.max_addend.unwrap_or((1 << 14) - 1),
        s: args.max_shift.unwrap_or(13),
    };
    let policy = &asked.policy;
    let search = BitSearch::new(policy, bounds);
    let path = folder.join("bits.search");
    let solution = finished(search, policy, asked, args, &path)?.solution(policy);
    let count = |(bit, found): (usize, &Option<Found>)| {
        let count = grouped(found.map_or(0, |found| found.count));
        format!("{count} for bit {bit}")
    };
    let counts: Vec<String> = solution.of_bit.iter().enumerate().map(count).collect();
    let (a, c, s) = (grouped(bounds.a), grouped(bounds.c), bounds.s);
    let within = format!("multipliers up to {a}, addends up to {c}, shifts up to {s}");
    print(&match &solution.least {
        Some(_) => format!(
            "bits      with {within}: {} expressions, {} programs\n",
            counts.join(", "),
            match solution.programs {
                u128::MAX => "more than 2^128".to_owned(),
                count => count.to_string(),
            }
        ),
        None => format!(
            "bits      no program with {within} (modulo 2^(shift+1)): {} expressions\n",
            counts.join(", ")
        ),
    })?;
    let program = |terms| Program::answering(Form::Bits(terms), policy.kind());
    Ok(solution.least.map(program))
}

fn magic(asked: &Questions, args: &Args, folder: &Path) -> Result<Option<Program>> {
    let policy = &asked.policy;
    let states = policy.entries.len();
    // Large tables take longer to try.
    let multiplier_bits = if states <= 10_000 { 20 } else { 16 };
    // As many places as there are states. Moves are so few that states share places, so for them it
    // is rounded down.
    let places = match policy.kind() {
        AnswerKind::Move => states,
        AnswerKind::NextState => states.next_power_of_two(),
    };
    let bounds = MagicBounds {
        a: args.max_multiplier.unwrap_or((1 << multiplier_bits) - 1),
        index_bits: args.max_index.unwrap_or_else(|| places.ilog2()),
    };
    let path = folder.join("magic.search");
    let search = finished(MagicSearch::new(bounds), policy, asked, args, &path)?;
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
        let count = grouped(single_orders(tactics, side) as u64);
        print(&format!(
            "orders    {count} of 362,880 single orders are right for the side that moves {name}\n"
        ))?;
    }
    let path = folder.join("orders.search");
    let pairs = args.pairs.unwrap_or(20_000_000);
    let search = finished(OrderSearch::new(pairs), tactics, asked, args, &path)?;
    let found = search.program(tactics, helpers);
    if found.is_none() {
        let pairs = grouped(pairs);
        print(&format!(
            "orders    no two of {pairs} pairs of orders are right for both sides\n"
        ))?;
    }
    Ok(found)
}
