//! Solutions of problems with hidden information, written and drawn.

use super::HiddenSession;
use super::drawn_tree::drawn_tree;
use super::written_tree::{numbered, written};
use crate::analysis::Length;
use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::game::HiddenGame;
use crate::session::{
    DrawnSolution, HiddenSolution, SessionError, SolutionOptions, SolutionReport, Solutions,
};
use crate::solve::belief::seen;

/// Turns of a tree that are drawn at most.
const MOST_DRAWN: usize = 60;

impl<G: HiddenGame> Solutions for HiddenSession<G> {
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<SolutionReport, SessionError> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        Ok(SolutionReport::Hidden(HiddenSolution {
            game: game.spec(),
            position: game.format_state(&state),
            side: game.side_to_move(&state).to_owned(),
            plies: solved.plies(),
            fouls_allowed: solved.fouls_allowed(),
            fouls_in_line: solved.fouls_in_line(),
            nodes: numbered(game, solved.tree()),
            text: written(game, solved.tree(), options.nodes),
        }))
    }

    fn record(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<String, SessionError> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        let title = format!(
            "{}: mate in {} ({}), {} allowed; {}'s moves are one way that agrees with what is heard",
            game.spec(),
            plural(u64::from(solved.plies()).div_ceil(2), "move"),
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed().into(), "foul"),
            game.defender()
        );
        let line = seen(game, &state, &solved.line());
        line.and_then(|line| game.record(&state, &line, &title))
            .ok_or_else(|| SessionError::Inapplicable {
                option: "kif",
                why: format!("is for shogi; {} has no format of records", game.spec()),
            })
    }

    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution, SessionError> {
        let game = &self.game;
        refuse_parts(options, &game.spec())?;
        let (state, solved) = self.solved(position, options.search, progress)?;
        let stipulation = format!(
            "mate in {}, {} allowed",
            plural(solved.plies().into(), "ply"),
            plural(solved.fouls_allowed().into(), "foul")
        );
        let root = game.diagram(&state).stipulation(stipulation);
        let nodes = options.nodes.min(MOST_DRAWN);
        Ok(DrawnSolution {
            tree: drawn_tree(game, root, solved.tree(), nodes)?,
            words: written(game, solved.tree(), nodes),
        })
    }
}

/// Refuses options about variations, which these solutions do not have.
fn refuse_parts(options: &SolutionOptions, spec: &str) -> Result<(), SessionError> {
    if options.length != Length::Full {
        return Err(SessionError::Inapplicable {
            option: "solutions",
            why: format!(
                "leaves variations out, and a solution of {spec} is one whole; --nodes cuts it"
            ),
        });
    }
    if options.boards {
        return Err(SessionError::Inapplicable {
            option: "boards",
            why: format!("draws boards at the end of variations, which in {spec} are not known"),
        });
    }
    Ok(())
}
