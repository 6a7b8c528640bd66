//! Solutions as games in PGN.

use crate::analysis::{Length, Solution};
use crate::base::value::Outcome;
use crate::export::{Mark, PgnGame, PgnMove};
use crate::game::{Game, Moves};
use crate::mine::PuzzleRow;
use crate::session::erased::{AnyMove, AnyState, ErasedGame};
use crate::session::lines::after;
use crate::session::{Result, SessionError};

/// The most variations of a short solution.
const SHORT: usize = 24;

/// A puzzle with its solution.
///
/// # Errors
/// [`SessionError::NoChess`] if moves have no standard algebraic notation.
pub(super) fn pgn(
    game: &ErasedGame,
    row: &PuzzleRow,
    found: &Solution<ErasedGame>,
    length: Length,
) -> Result<PgnGame> {
    let san = |mv: &AnyMove| game.san(&found.state, *mv);
    let best: Option<Vec<_>> = found.keys.iter().map(san).collect();
    let best = best.ok_or_else(|| SessionError::NoChess(game.spec()))?;
    let mut writer = Writer {
        game,
        found,
        written: vec![false; found.tree.nodes().len()],
        left: match length {
            Length::Main => 0,
            Length::Short => SHORT,
            Length::Full => usize::MAX,
        },
    };
    let mut moves = if found.tree.nodes().is_empty() {
        writer.plain(&found.state, &found.line)
    } else {
        writer.line(0, &found.state)
    };
    if let Some(key) = moves.first_mut() {
        key.mark = Some(Mark::Good);
        key.instead.extend(writer.tries());
    }
    let white = game.side_to_move(&found.state) == "White";
    let result = match (found.value.outcome(), white) {
        (Outcome::Draw, _) => "1/2-1/2",
        (Outcome::Win, true) | (Outcome::Loss, false) => "1-0",
        _ => "0-1",
    };
    let wins = found.value.outcome() == Outcome::Win;
    let or = |text: &str, other: &str| {
        let text = if text.is_empty() { other } else { text };
        text.to_owned()
    };
    let more = [("Stipulation", &row.stipulation), ("Themes", &row.themes)];
    let more = more.into_iter().filter(|(_, text)| !text.is_empty());
    let plies = found.value.plies().filter(|_| wins);
    Ok(PgnGame {
        event: or(row.own("title"), &or(&row.filter, "?")),
        site: or(row.own("source"), "?"),
        author: or(row.own("author"), "?"),
        id: row.puzzle_id.clone(),
        tags: more.map(|(name, text)| (name, text.clone())).collect(),
        // No move was made since the last capture, and the first one is to come.
        fen: format!("{} 0 1", game.format_state(&found.state)),
        result,
        moves,
        best,
        mate: plies.map(|plies| plies.div_ceil(2)),
    })
}

struct Writer<'a> {
    game: &'a ErasedGame,
    found: &'a Solution<ErasedGame>,
    /// Whether each turn of the tree is written already.
    written: Vec<bool>,
    /// Variations that may still be added.
    left: usize,
}

impl Writer<'_> {
    fn named(&self, state: &AnyState, mv: AnyMove) -> PgnMove {
        PgnMove::new(self.game.san(state, mv).unwrap_or_default())
    }

    /// Moves one after the other.
    fn plain(&self, state: &AnyState, moves: &[AnyMove]) -> Vec<PgnMove> {
        let mut line = Vec::new();
        let mut at = Some(state.clone());
        for &mv in moves {
            let Some(state) = at else { break };
            line.push(self.named(&state, mv));
            at = after(self.game, &state, mv);
        }
        line
    }

    fn may_add(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }

    /// The line that begins with a turn of the attacker, with its variations.
    fn line(&mut self, node: usize, state: &AnyState) -> Vec<PgnMove> {
        let nodes = self.found.tree.nodes();
        // The line itself first, so that variations that lead into it end there.
        let (mut path, mut at) = (Vec::new(), Some((node, state.clone())));
        while let Some((node, state)) = at.take() {
            let turn = &nodes[node];
            let again = std::mem::replace(&mut self.written[node], true);
            if !again
                && let Some(reply) = turn.replies.first()
                && let Some(defence) = after(self.game, &state, turn.mv)
            {
                at = reply.then.zip(after(self.game, &defence, reply.mv));
            }
            path.push((node, state, again));
        }
        let mut line = Vec::new();
        for (node, state, again) in path {
            let turn = &nodes[node];
            let mut attack = self.named(&state, turn.mv);
            for &dual in if again { &[] } else { &turn.duals[..] } {
                if self.may_add() {
                    attack.instead.push(vec![self.named(&state, dual)]);
                }
            }
            line.push(attack);
            let defence = after(self.game, &state, turn.mv).filter(|_| !again);
            let Some((defence, (first, others))) = defence.zip(turn.replies.split_first()) else {
                continue;
            };
            let mut reply = self.named(&defence, first.mv);
            for other in others {
                if !self.may_add() {
                    break;
                }
                let mut variation = vec![self.named(&defence, other.mv)];
                if let Some((node, state)) = other.then.zip(after(self.game, &defence, other.mv)) {
                    variation.extend(self.line(node, &state));
                }
                reply.instead.push(variation);
            }
            line.push(reply);
        }
        line
    }

    /// Moves that fail to one reply, each with it.
    fn tries(&mut self) -> Vec<Vec<PgnMove>> {
        let state = &self.found.state;
        let mut tries = Vec::new();
        for this in &self.found.tries {
            if !self.may_add() {
                break;
            }
            let mut tried = self.plain(state, &[this.mv, this.refutation]);
            for (mv, mark) in tried.iter_mut().zip([Mark::Mistake, Mark::Good]) {
                mv.mark = Some(mark);
            }
            tries.push(tried);
        }
        tries
    }
}
