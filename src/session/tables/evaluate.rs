//! Values by a table, and play by it.

use std::cmp::Reverse;
use std::fmt::Write;

use rayon::prelude::*;

use crate::analysis::{Analysis, Looker, rate_moves};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::draw::{Glyph, Symbol, Tone};
use crate::formula::AnswerKind;
use crate::game::{Drawable, Game, Moves, Playable, Ranked};
use crate::session::erased::{AnyState, ErasedGame};
use crate::session::tables::TableSession;
use crate::session::tables::lure::check_depth;
use crate::session::{
    Asked, Evaluating, Evaluation, EvaluationOptions, MoveValues, Operation, Playing,
    PlyEvaluation, PlyMove, PositionValues, Programming, Questions, Result, Session,
};
use crate::table::{Table, TableOracle};

pub(in crate::session) fn evaluate<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    state: &G::State,
) -> Result<PlyEvaluation> {
    let oracle = TableOracle::new(table, game)?;
    let analysis = Analysis::new(game, &oracle, state)?;
    let line = analysis.line(game, &oracle)?;
    let moves = analysis.rated.iter().map(|rated| PlyMove::new(game, rated));
    let value = analysis.value();
    table.expect_unchanged()?;
    Ok(PlyEvaluation {
        game: game.spec(),
        position: game.format_state(state),
        other_notations: game.other_notations(state).into_iter().collect(),
        side: game.side_to_move(state).to_owned(),
        value,
        plies_to_checkmate: value.plies_to_checkmate(),
        moves: moves.collect(),
        line: line.iter().map(|step| game.format_move(step.mv)).collect(),
        uniqueness: analysis.uniqueness(),
        fingerprint: table.description.fingerprint.clone(),
        swindle: None,
    })
}

impl Evaluating for TableSession {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        options.check(&self.game.spec(), self.kind())?;
        // The position is read first: a slip in it should not cost a solve.
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let mut found = evaluate(&self.game, &table, &state)?;
        if let Some(depth) = options.lure {
            self.add_lures(&mut found, &state, depth, progress)?;
        }
        Ok(Evaluation::Plies(found))
    }

    fn evaluate_batch(
        &self,
        questions: &[Asked<'_>],
        progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues>>> {
        let table = self.table(progress)?;
        let game = &self.game;
        let answer = |question: &Asked<'_>| values(game, &table, &self.asked(question)?);
        Ok(questions.par_iter().with_min_len(16).map(answer).collect())
    }
}

/// The value of a state and of all its moves, without a line.
fn values(game: &ErasedGame, table: &Table, state: &AnyState) -> Result<PositionValues> {
    let mut moves = game.engine.table_moves(table, state)?;
    moves.sort_by_key(|found| Reverse(found.value));
    let value = moves.first().map_or(Value::SELF_MATE, |found| found.value);
    let moves = moves.iter().map(|found| MoveValues {
        name: game.format_move(found.mv),
        value: found.value,
        child: found.child.map(|child| child.index),
    });
    Ok(PositionValues {
        slot: Some(game.rank(state)).filter(|&slot| slot != u64::MAX),
        position: game.format_state(state),
        side: game.side_to_move(state),
        value,
        moves: moves.collect(),
    })
}

impl Playing for TableSession {
    fn prepare(&self, progress: &dyn Progress) -> Result<()> {
        self.table(progress).map(|_| ())
    }

    fn best(&self, position: &str, progress: &dyn Progress) -> Result<Option<String>> {
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let rated = rate_moves(&self.game, &oracle, &state)?;
        Ok(rated.first().map(|rated| self.game.format_move(rated.mv)))
    }

    fn looking(&self, position: &str, depth: u8, choice: u64) -> Result<Option<String>> {
        check_depth("level", depth)?;
        let state = self.read(position)?;
        let liked = Looker::new(&self.game).liked(&state, depth);
        let place = choice.checked_rem(liked.len() as u64).unwrap_or(0);
        let place = usize::try_from(place).unwrap_or(0);
        Ok(liked.get(place).map(|&mv| self.game.format_move(mv)))
    }

    fn luring(&self, position: &str, depth: u8, progress: &dyn Progress) -> Result<Option<String>> {
        check_depth("lure", depth)?;
        let state = self.read(position)?;
        let known = self.lures_at(depth, progress)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        match known.lured(&self.game, &oracle, &state)?.first() {
            Some(&(mv, _)) => Ok(Some(self.game.format_move(mv))),
            None => self.best(position, progress),
        }
    }

    fn letters(&self, position: &str) -> Result<String> {
        Ok(letters(&self.game, &self.read(position)?))
    }
}

/// The board in letters, or the position in one line if it is too wide.
fn letters(game: &ErasedGame, state: &AnyState) -> String {
    const WIDEST: u8 = 26;
    let (columns, rows) = game.size();
    if columns >= WIDEST || rows >= WIDEST {
        return format!("\n{}\n", game.format_state(state));
    }
    let mut letters = vec![vec![".".to_owned(); columns.into()]; rows.into()];
    for thing in game.standing(state) {
        let letter = match thing.glyph {
            Glyph::Piece(Tone::Dark) => "b".to_owned(),
            Glyph::Piece(Tone::Light) => "w".to_owned(),
            Glyph::Men(tone, man, _) => {
                cased(man.letter(), tone == game.side_tone(&game.initial()))
            }
            Glyph::Hole => "o".to_owned(),
            Glyph::Filled | Glyph::Blocked => "#".to_owned(),
            Glyph::Absent => " ".to_owned(),
            Glyph::Text(text) => text,
            Glyph::Symbol(symbol) => initial(&symbol),
        };
        let row = letters.get_mut(usize::from(thing.cell.row));
        if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(thing.cell.column))) {
            *cell = letter;
        }
    }
    let mut text = "\n".to_owned();
    // A diagram knows how the game names its files and ranks, unless it is too small.
    let diagram = game.diagram(state);
    let (files, ranks) = diagram.labels();
    for (rank, row) in letters.iter().enumerate().rev() {
        let label = ranks.get(rank).map_or("", String::as_str);
        let _ = writeln!(text, "{label:>3} {}", row.join(" "));
    }
    let files = (0..columns.into()).map(|file| match files.get(file).map(String::as_str) {
        None | Some("") => " ",
        Some(label) => label,
    });
    let _ = writeln!(text, "    {}", files.collect::<Vec<_>>().join(" "));
    text
}

/// The first letter of a symbol's name, small if the symbol stands upside down.
fn initial(symbol: &Symbol) -> String {
    let letter = symbol.name.chars().next();
    letter.map_or_else(String::new, |letter| cased(letter, symbol.quarters() != 2))
}

fn cased(letter: char, capital: bool) -> String {
    if capital {
        letter.to_uppercase().collect()
    } else {
        letter.to_lowercase().collect()
    }
}

impl Programming for TableSession {
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions> {
        let table = self.table(progress)?;
        let found = self.game.engine.questions(&table, shortest, kind);
        found.unwrap_or_else(|| Err(self.unsupported(Operation::Programming)))
    }
}
