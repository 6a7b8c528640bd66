//! Problems with hidden information: positions are generated, and those that filters admit are
//! kept; and for a book they are solved again and checked against their row.

use std::time::Instant;

use crate::analysis::Length;
use crate::base::progress::Progress;
use crate::base::text::grouped;
use crate::book::{Play, Problem, Rule, Turn};
use crate::export::{Batch, puzzle_columns};
use crate::game::HiddenGame;
use crate::mine::hidden::{HiddenFind, HiddenScan, Supply, mine, row as row_of};
use crate::mine::{Catalogue, Column, Filter, Predicate, PuzzleRow, States};
use crate::session::binding::{outline, rules};
use crate::session::evaluation::refuse_given;
use crate::session::hidden::HiddenSession;
use crate::session::hidden::checking::{HiddenTask, value_of};
use crate::session::hidden::solution::{numbered, written};
use crate::session::lines::read;
use crate::session::mining::{column_of, distinct_names, expect_mates};
use crate::session::tables::worded;
use crate::session::{
    BookOptions, Mined, MinedSet, Mining, MiningOptions, Problems, Result, ScopeOptions,
    SessionError, SupplyMethod, SupplyOptions,
};
use crate::solve::belief::{Limits, MOST_FOULS};

/// Bytes of memory that one search may take.
const MEMORY: usize = 1 << 27;

/// Moves and replies that positions are taken back from a won one at most.
const BACKWARDS: usize = 3;

impl<G: HiddenGame> HiddenSession<G> {
    fn supply(&self, options: &SupplyOptions) -> Result<Supply<G::State>> {
        let method = options.method.unwrap_or(if options.from.is_empty() {
            SupplyMethod::Random
        } else {
            SupplyMethod::Vary
        });
        if method != SupplyMethod::Vary && !options.from.is_empty() {
            let why = "names positions to vary, and another --method is given";
            return Err(SessionError::inapplicable("from", why));
        }
        Ok(match method {
            SupplyMethod::Random => Supply::Random,
            SupplyMethod::Backwards => Supply::Backwards(BACKWARDS),
            SupplyMethod::Vary if options.from.is_empty() => {
                Supply::Variations(vec![self.game.initial()])
            }
            SupplyMethod::Vary => {
                let states = options.from.iter().map(|text| read(&self.game, text));
                Supply::Variations(states.collect::<Result<_, _>>()?)
            }
        })
    }

    fn predicates(
        &self,
        catalogue: &Catalogue,
        filters: &[Filter],
        options: &MiningOptions,
    ) -> Result<Vec<Predicate>> {
        let scope = &options.scope;
        let unrestricted = |it: &Filter| it.states == States::default();
        let given = [
            ("layer", !scope.layers.is_empty()),
            ("class", !scope.classes.is_empty()),
            ("sample", scope.sample > 1),
            ("exclude", !scope.exclude.is_empty()),
            ("progressive", options.progressive),
            ("reachable", options.reachable),
            ("memory", options.memory.is_some()),
            ("pattern", filters.iter().any(|it| it.pattern.is_some())),
            ("shortlist", filters.iter().any(|it| it.shortlist.is_some())),
            ("states", !filters.iter().all(unrestricted)),
        ];
        refuse_given(&given, "is for games with tables", &self.game.spec())?;
        distinct_names(filters)?;
        expect_mates(filters, &self.game.spec(), None)?;
        self.supply(&options.supply)?;
        let predicate = |filter| Predicate::new(filter, catalogue);
        Ok(filters.iter().map(predicate).collect::<Result<_, _>>()?)
    }
}

impl<G: HiddenGame> Mining for HiddenSession<G> {
    fn columns(&self) -> Vec<Column> {
        Catalogue::hidden(&self.game).columns
    }

    fn about_columns(&self) -> &'static str {
        "Columns for SQL conditions. Conditions on the board are tested before a position is solved,\n\
         conditions on its solution after."
    }

    fn check(&self, filters: &[Filter], options: &MiningOptions) -> Result<()> {
        let catalogue = Catalogue::hidden(&self.game);
        self.predicates(&catalogue, filters, options).map(|_| ())
    }

    fn estimates(&self, _: &ScopeOptions) -> bool {
        false
    }

    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Mined> {
        let game = &self.game;
        let catalogue = Catalogue::hidden(game);
        let predicates = self.predicates(&catalogue, filters, options)?;
        let limits = filters.iter().map(|filter| options.limit_of(filter));
        let tasks: Vec<_> = predicates.iter().zip(limits).collect();
        let from = &options.supply;
        let first = from.first.unwrap_or(0);
        let count = from.positions.unwrap_or(20_000);
        let past = "and --positions together are past the last number";
        let end = first.checked_add(count);
        let end = end.ok_or_else(|| SessionError::inapplicable("first", past))?;
        let supply = self.supply(from)?;
        let mut limits = Limits::new(from.depth.unwrap_or(7), from.fouls.unwrap_or(2));
        limits.bytes = MEMORY;
        limits.effort = from.effort.unwrap_or(200_000);
        let scan = HiddenScan {
            supply: &supply,
            seed: from.seed.unwrap_or(1),
            numbers: first..end,
            limits,
            filters: &tasks,
        };
        let begun = Instant::now();
        let found = mine(game, &scan, progress)?;
        let about = format!(
            "{}: {} positions, {} solved, {} given up, {:.1} s; go on with --first {end}",
            game.spec(),
            grouped(found.positions),
            grouped(found.solved),
            grouped(found.given_up),
            begun.elapsed().as_secs_f64(),
        );
        let sets = filters.iter().zip(&found.finds);
        let sets = sets.map(|(filter, (finds, matched))| {
            let rows = finds.iter().map(|find| PuzzleRow {
                similar: find.similar,
                slot: find.number,
                ..row_of(game, &filter.name, &find.state, &find.solved)
            });
            let rows: Vec<_> = rows.collect();
            Ok(MinedSet {
                filter: filter.name.clone(),
                title: filter.title.clone(),
                matched: *matched,
                coverage: None,
                columns: Some(measured(&catalogue, &rows, finds)?),
                rows,
            })
        });
        Ok(Mined {
            about,
            sets: sets.collect::<Result<_>>()?,
        })
    }
}

/// All columns of finds, with the puzzle's name, position and key first.
fn measured<G: HiddenGame>(
    catalogue: &Catalogue,
    rows: &[PuzzleRow],
    finds: &[HiddenFind<G>],
) -> Result<Batch> {
    let mut columns = puzzle_columns(rows)?.into_columns();
    columns.retain(|column| ["puzzle_id", "position", "key"].contains(&column.name.as_str()));
    for (place, column) in catalogue.columns.iter().enumerate() {
        let values = finds.iter().map(|find| find.values[place]);
        columns.push(column_of(&column.feature, values));
    }
    Ok(Batch::new(columns)?)
}

fn no_mate(stipulation: &str) -> SessionError {
    SessionError::Refused(format!(
        "the stipulation is '{stipulation}', and there is no such mate; correct it, or leave it out"
    ))
}

/// Turns of a tree that are printed.
const PRINTED: usize = 24;

impl<G: HiddenGame> Problems for HiddenSession<G> {
    fn notes(&self) -> Vec<String> {
        let attacker = self.game.side_to_move(&self.game.initial());
        let defender = self.game.defender();
        let general = [
            format!(
                "{attacker} sees the position at first, and after that none of {defender}'s moves. An umpire says what is heard of each move. A win in 5 with 1 foul allowed is won with the third move, whatever {defender} does, and on the way at most one try may turn out to be a foul: not allowed because of something unseen. After a foul {attacker} moves again."
            ),
            "The umpire's answer comes before the next move: \u{2013} means that nothing is announced, and foul that the try was illegal. 'In 6 positions' means that the attacker cannot tell six positions apart. Square brackets hold duals, other moves that solve the problem. 'Mate' ends a line in some or all of these positions.".to_owned(),
        ];
        general.into_iter().chain(self.game.legend()).collect()
    }

    fn rules(&self) -> Result<Vec<Rule>> {
        rules(&self.game, |_| None)
    }

    fn complete(&self, row: &PuzzleRow, progress: &dyn Progress) -> Result<PuzzleRow> {
        let side = self.game.side_to_move(&read(&self.game, &row.position)?);
        // Free words may say anything; a task that can be read must be right.
        let task = match HiddenTask::read(&row.stipulation, side) {
            Err(SessionError::NoSolution(why)) => return Err(SessionError::NoSolution(why)),
            Err(error) if error.is_unchecked() => None,
            task => Some(task?),
        };
        let posed = self.posed(&row.position, task.as_ref(), progress)?;
        let (state, solved) = posed.ok_or_else(|| no_mate(&row.stipulation))?;
        let is_wrong = task.is_some_and(|task| task.fault(&solved).is_some());
        let value = value_of(&solved);
        let found = row_of(&self.game, &row.filter, &state, &solved);
        worded(row, found, value, is_wrong)
    }

    /// Whoever plays it sees no more than the position: the other side's moves are hidden.
    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem> {
        let game = &self.game;
        let state = read(game, &row.position)?;
        let plies = row.plies.and_then(|plies| u8::try_from(plies).ok());
        let Some(plies) = plies.filter(|&plies| plies > 0 && row.outcome == "win") else {
            let why = "the row has no number of plies to mate in; mine it again";
            return Err(SessionError::Refused(why.to_owned()));
        };
        let task = HiddenTask::of_row(row, plies);
        let Some((_, solved)) = self.posed(&row.position, Some(&task), progress)? else {
            return Err(SessionError::Refused(format!(
                "there is no mate in {plies} plies with up to {MOST_FOULS} fouls; was the row edited? mine it again"
            )));
        };
        if solved.plies() != u16::from(plies) {
            return Err(SessionError::Refused(format!(
                "the row says mate in {plies} plies, but {} are enough; was the row edited? mine it again",
                solved.plies()
            )));
        }
        let tree = &solved.tree;
        let turns = match options.solutions {
            Some(Length::Main) => solved.tree.turns_of_line().len(),
            Some(Length::Full) => usize::MAX,
            Some(Length::Short) | None => PRINTED,
        };
        let fouls = match solved.fouls_in_line() {
            0 => "is no foul".to_owned(),
            1 => "is 1 foul".to_owned(),
            many => format!("are {many} fouls"),
        };
        let alike = match tree.stats().largest {
            0 | 1 => "No two positions look alike.".to_owned(),
            many => format!("Up to {many} positions look alike."),
        };
        let hints = [
            format!("There {fouls} on the best line."),
            alike,
            format!("The first try is {}.", game.format_move(tree.mv)),
        ];
        let words = written(&numbered(game, tree), turns);
        Ok(Problem {
            other: game.defender().to_owned(),
            hints: hints.to_vec(),
            solution: words.lines().map(|line| line.to_owned().into()).collect(),
            play: Play {
                turns: vec![Turn {
                    board: game.on_board(&state),
                    choices: Vec::new(),
                    banned: None,
                }],
                ..Play::default()
            },
            ..outline(game, row, &state)
        })
    }
}
