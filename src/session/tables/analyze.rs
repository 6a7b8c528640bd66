//! Solutions and verdicts by a table.

use super::TableSession;
use super::drawn_tree::drawn_tree;
use crate::analysis::{
    Length, Looker, Quality, Solution, Stipulation, Story, Tree, check, difficulty, neighbours,
    profile_of_line, themes, write_solution,
};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::game::{Game, Moves, Passing, TableGame};
use crate::session::{
    CheckReport, Checking, DrawnSolution, Mended, Merits, MoveValue, Needed, NeighbourReport,
    ReplyData, Score, SessionError, SetLine, SolutionOptions, SolutionReport, Solutions,
    SolvingMove, TableSolution, TreeData, TreeNodeData, TryData,
};
use crate::table::{Table, TableOracle};

impl<G: TableGame> TableSession<G> {
    fn solve(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<Solution<G>, SessionError> {
        options.search.refuse(&self.game.spec())?;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let nodes = options.nodes.max(1);
        let solution = Solution::new(&self.game, &oracle, &state, nodes)?;
        table.expect_unchanged()?;
        Ok(solution)
    }

    /// A stipulation that this game can have.
    fn asked_of(&self, asked: &str) -> Result<Stipulation, SessionError> {
        let asked = Stipulation::parse(asked)?;
        asked.expect_of(&self.game)?;
        Ok(asked)
    }

    /// The stipulation that is asked for, or that of the position's value.
    fn stipulation(
        &self,
        table: &Table,
        state: &G::State,
        asked: Option<&str>,
    ) -> Result<Stipulation, SessionError> {
        Ok(match asked {
            Some(asked) => self.asked_of(asked)?,
            None => Stipulation::of(table.value_in(&self.game, self.game.slot(state))?),
        })
    }
}

impl<G: TableGame> Solutions for TableSession<G> {
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<SolutionReport, SessionError> {
        let found = self.solve(position, options, progress)?;
        Ok(SolutionReport::Table(Box::new(data(&self.game, &found))))
    }

    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution, SessionError> {
        self.game.check_picture()?;
        let found = self.solve(position, options, progress)?;
        Ok(DrawnSolution {
            tree: drawn_tree(&self.game, &found, options)?,
            words: write_solution(&self.game, &found, options.length).to_string(),
        })
    }
}

impl<G: TableGame> Checking for TableSession<G> {
    fn check(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<CheckReport, SessionError> {
        let game = &self.game;
        let state = self.read(position)?;
        // Read first: a slip in it should not cost a solve.
        stipulation.map(|asked| self.asked_of(asked)).transpose()?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        let verdict = check(game, &table, &state, stipulation)?;
        let oracle = TableOracle::new(&table, game)?;
        let story = Story::new(game, &oracle, &verdict.solution)?;
        let quality = Quality::new(&verdict.solution, &story);
        table.expect_unchanged()?;
        let mut looker = Looker::new(game);
        let profile = profile_of_line(&mut looker, &oracle, &verdict.solution.steps)?;
        let solving = verdict.solving.iter().map(|rated| SolvingMove {
            name: game.format_move(rated.mv),
            value: rated.value.into(),
        });
        let purposes = verdict.purposes.iter().map(|purpose| Needed {
            thing: purpose.thing.clone(),
            idle: purpose.idle,
            outcome: purpose.value.map(|value| value.outcome().name()),
            plies: purpose.value.and_then(Value::plies),
        });
        let mendings = verdict.mendings.iter().map(|mending| Mended {
            from: game.name_of(mending.from),
            to: game.name_of(mending.to),
            position: game.format_state(&mending.state),
            soundness: mending.soundness.name(),
        });
        Ok(CheckReport {
            stipulation: stipulation.to_string(),
            sound: verdict.faults.is_empty(),
            faults: verdict.faults.iter().map(|fault| fault.name()).collect(),
            solving: solving.collect(),
            merits: Merits {
                themes: themes(&story).map(|theme| theme.name).collect(),
                score: Score {
                    total: quality.score(),
                    soundness: quality.soundness,
                    paradox: quality.paradox,
                    temptation: quality.temptation,
                    length: quality.length,
                    variety: quality.variety,
                    economy: quality.economy,
                },
                difficulty: difficulty(game, &verdict.solution.steps),
                depth_profile: profile.map(Into::into),
            },
            purposes: purposes.collect(),
            mendings: mendings.collect(),
            solution: data(game, &verdict.solution),
        })
    }

    fn neighbours(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Vec<NeighbourReport>, SessionError> {
        let game = &self.game;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        let found = neighbours(game, &table, &state, stipulation)?;
        let reports = found.into_iter().map(|near| NeighbourReport {
            change: near.change.name(),
            sound: near.sound,
            thing: near.thing,
            to: near.to,
            position: game.format_state(&near.state),
            value: near.value.into(),
            solving: near.solving,
        });
        Ok(reports.collect())
    }
}

/// A solution as data.
fn data<G: Moves + Passing>(game: &G, found: &Solution<G>) -> TableSolution {
    let name = |mv: &G::Move| game.format_move(*mv);
    let names = |moves: &[G::Move]| moves.iter().map(name).collect::<Vec<_>>();
    let slower = found.slower.iter().map(|rated| MoveValue {
        name: name(&rated.mv),
        value: rated.value.into(),
    });
    let tries = found.tries.iter().map(|this| TryData {
        name: name(&this.mv),
        value: this.value.into(),
        refutation: name(&this.refutation),
    });
    TableSolution {
        game: game.spec(),
        position: game.format_state(&found.state),
        side: game.side_to_move(&found.state).to_owned(),
        value: found.value.into(),
        soundness: found.soundness().name(),
        only_key: found.only_key(),
        key: found.keys.first().map(name),
        cooks: names(found.keys.get(1..).unwrap_or_default()),
        slower: slower.collect(),
        failing: found.failing,
        tries: tries.collect(),
        set_play: found.set_play.as_ref().map(|play| SetLine {
            value: play.value.into(),
            line: names(&play.line),
        }),
        line: names(&found.line),
        tree: tree(game, &found.tree),
        text: write_solution(game, found, Length::Full).to_string(),
        short: write_solution(game, found, Length::Short).to_string(),
        main: write_solution(game, found, Length::Main).to_string(),
    }
}

fn tree<G: Game>(game: &G, tree: &Tree<G::Move>) -> TreeData {
    let nodes = tree.nodes().iter().map(|node| TreeNodeData {
        name: game.format_move(node.mv),
        duals: node.duals.iter().map(|&mv| game.format_move(mv)).collect(),
        plies: node.plies,
        replies: node
            .replies
            .iter()
            .map(|reply| ReplyData {
                name: game.format_move(reply.mv),
                node: reply.then,
            })
            .collect(),
    });
    TreeData {
        complete: tree.complete(),
        dual_free: tree.dual_free(),
        variations: tree.variations(),
        nodes: nodes.collect(),
    }
}
