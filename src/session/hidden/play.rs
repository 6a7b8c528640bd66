//! Problems with hidden information, played against the umpire.

use super::HiddenSession;
use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::game::{Hidden, HiddenGame};
use crate::session::{SearchOptions, SessionError, Umpired, Umpiring, refuse_given};
use crate::solve::belief::{Heard, Limits, Umpire};

impl<G: HiddenGame> Umpiring for HiddenSession<G> {
    fn umpire<'s>(
        &'s self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Umpired + 's>, SessionError> {
        let given = [
            ("mode", options.mode.is_some()),
            ("beyond", options.beyond.is_some()),
            ("duplicates", options.duplicates),
        ];
        refuse_given(
            &given,
            "is for 'tesuji probe' and 'tesuji solution'",
            "a game with the umpire",
        )?;
        let (state, solved) = self.solved(position, options, progress)?;
        // A solution is searched within the limits of plies, which fit a byte.
        let plies = u8::try_from(solved.plies()).unwrap_or(u8::MAX);
        let (depth, fouls) = (options.depth, options.fouls);
        let limits = Limits::new(
            depth.unwrap_or(plies),
            fouls.unwrap_or_else(|| solved.fouls_allowed()),
        );
        let umpire = Umpire::new(&self.game, state, limits.memory(options.bytes()));
        Ok(Box::new(InPlay {
            game: &self.game,
            umpire,
        }))
    }
}

/// A problem in play.
struct InPlay<'s, G: Hidden> {
    game: &'s G,
    umpire: Umpire<'s, G>,
}

impl<G: HiddenGame> Umpired for InPlay<'_, G> {
    /// The attacker knows the first position, and later a position that is alone possible.
    fn letters(&self) -> String {
        let states = self.umpire.states();
        self.game.in_letters(&states[0], states.len() == 1)
    }

    fn diagram(&self) -> Diagram {
        match self.umpire.states() {
            [state] => self.game.diagram(state),
            states => self.game.seen(&states[0]),
        }
    }

    fn sides(&self) -> (&'static str, &'static str) {
        let attacker = self.game.side_to_move(&self.umpire.states()[0]);
        (attacker, self.game.defender())
    }

    fn left(&self) -> (u8, u8) {
        self.umpire.left()
    }

    fn positions(&self) -> usize {
        self.umpire.states().len()
    }

    fn tries(&self) -> Vec<String> {
        let tries = self.umpire.tries().into_iter();
        tries.map(|mv| self.game.format_move(mv)).collect()
    }

    fn hint(&self, progress: &dyn Progress) -> Result<Option<(String, u16)>, SessionError> {
        let best = self.umpire.best(&progress)?;
        Ok(best.map(|(mv, cost)| (self.game.format_move(mv), cost.plies)))
    }

    fn attempt(
        &mut self,
        mv: &str,
        progress: &dyn Progress,
    ) -> Result<Heard<String>, SessionError> {
        let mv = self.game.parse_move(mv).map_err(SessionError::Move)?;
        let announced = |clue| self.game.format_announced(clue);
        Ok(match self.umpire.attempt(mv, &progress)? {
            Heard::NoTry => Heard::NoTry,
            Heard::Quiet => Heard::Quiet,
            Heard::Foul(left) => Heard::Foul(left),
            Heard::TooManyFouls => Heard::TooManyFouls,
            Heard::Reply(clue, heard) => {
                Heard::Reply(announced(clue), self.game.format_reply(heard))
            }
            Heard::Won(clue) => Heard::Won(announced(clue)),
            Heard::Escaped(clue) => Heard::Escaped(announced(clue)),
            Heard::TooLate(clue) => Heard::TooLate(announced(clue)),
        })
    }

    fn back(&mut self) -> bool {
        self.umpire.back()
    }
}
