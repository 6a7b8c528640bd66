//! Solutions and verdicts by a table.

use super::TableSession;
use super::drawn_tree::drawn_tree;
use crate::analysis::{
    Length, Looker, Neighbour, Quality, Rated, SetPlay, Solution, Stipulation, Story, Try, check,
    difficulty, neighbours, profile_of_line, themes, write_solution,
};
use crate::base::progress::Progress;
use crate::game::{Moves, Playable, TableGame};
use crate::session::{
    CheckReport, Checking, DrawnSolution, Merits, PlyMove, SessionError, SolutionOptions,
    SolutionReport, Solutions, TableSolution,
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
            None => Stipulation::of(table.value(self.game.slot(state))?),
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
        table.expect_unchanged()?;
        let mut looker = Looker::new(game);
        let profile = profile_of_line(&mut looker, &oracle, &verdict.solution.steps)?;
        let solving = verdict
            .solving
            .iter()
            .map(|rated| PlyMove::new(game, rated));
        Ok(CheckReport {
            stipulation: stipulation.to_string(),
            sound: verdict.faults.is_empty(),
            faults: verdict.faults.iter().map(|fault| fault.name()).collect(),
            solving: solving.collect(),
            merits: Merits {
                themes: themes(&story).map(|theme| theme.name).collect(),
                score: Quality::new(&verdict.solution, &story),
                difficulty: difficulty(game, &verdict.solution.steps),
                depth_profile: profile,
            },
            solution: data(game, &verdict.solution),
            purposes: verdict.purposes,
            mendings: verdict.mendings,
        })
    }

    fn neighbours(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Vec<Neighbour>, SessionError> {
        let game = &self.game;
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let stipulation = self.stipulation(&table, &state, stipulation)?;
        Ok(neighbours(game, &table, &state, stipulation)?)
    }
}

/// A solution as data.
fn data<G: Moves + Playable>(game: &G, found: &Solution<G>) -> TableSolution {
    let name = |mv: &G::Move| game.format_move(*mv);
    let names = |moves: &[G::Move]| moves.iter().map(name).collect::<Vec<_>>();
    let slower = found.slower.iter().map(|rated| Rated {
        mv: name(&rated.mv),
        value: rated.value,
    });
    let tries = found.tries.iter().map(|this| Try {
        mv: name(&this.mv),
        value: this.value,
        refutation: name(&this.refutation),
    });
    TableSolution {
        game: game.spec(),
        position: game.format_state(&found.state),
        side: game.side_to_move(&found.state).to_owned(),
        value: found.value,
        soundness: found.soundness(),
        only_key: found.only_key(),
        key: found.keys.first().map(name),
        cooks: names(found.keys.get(1..).unwrap_or_default()),
        slower: slower.collect(),
        failing: found.failing,
        tries: tries.collect(),
        set_play: found.set_play.as_ref().map(|play| SetPlay {
            state: game.format_state(&play.state),
            value: play.value,
            line: names(&play.line),
        }),
        line: names(&found.line),
        tree: found.tree.named(|mv| game.format_move(mv)),
        text: write_solution(game, found, Length::Full).to_string(),
        short: write_solution(game, found, Length::Short).to_string(),
        main: write_solution(game, found, Length::Main).to_string(),
    }
}
