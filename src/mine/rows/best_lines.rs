//! The lines of best play from single positions, from those after each best move.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use super::RowGroup;
use super::duals::{Duals, Lines};
use super::turns::Turns;
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::value::{Record, Value};
use crate::game::{ByRows, RowExit, RowExitTo, RowMove, Squares};
use crate::solve::{Ordinal, RowTable, ValueOrder, WordWidth};
use crate::table::MoveValues;

/// What lines are found from: the values of moves within a group, and the lines of positions
/// that are decided sooner.
pub(in crate::mine) struct LineFinder<'a, 'g, G, W: WordWidth> {
    pub duals: &'a Duals,
    pub group: &'a RowGroup<'g, G>,
    pub values: &'a MoveValues<W>,
    pub order: &'a ValueOrder<W>,
}

/// A row whose positions are looked at.
pub(super) struct AtRow<'a, 'g> {
    pub table: &'a RowTable<'g>,
    pub row: usize,
    /// The index of its first record in the group.
    first: usize,
    free: Squares,
    moves: &'a [RowMove],
    exits: &'a [RowExit],
}

impl<'a, 'g> AtRow<'a, 'g> {
    /// The row of the record of an index; `None` if there is none.
    pub fn new<G: ByRows>(group: &'a RowGroup<'g, G>, index: usize) -> Option<Self> {
        let (table, row) = group.row_of(index)?;
        Some(Self {
            table,
            row,
            first: table.records(row).start,
            free: group.game.row(table.layer, row).free,
            moves: table.moves(row),
            exits: group.exits(table, row),
        })
    }

    /// Whether the record of an index is in the row.
    pub fn has(&self, index: usize) -> bool {
        (self.first..self.first + self.table.columns()).contains(&index)
    }

    /// The position of the record of an index, with the codes of that record.
    #[inline(always)]
    pub fn position<C: Cpu>(&self, cpu: C, index: usize, record: [u8; 3]) -> Position {
        let column = self.table.shape.columns[index - self.first];
        let [best, second, only] = record;
        Position {
            column,
            opponent: cpu.deposit(column, self.free),
            best,
            second,
            only: (best != second && only != Record::NO_MOVE).then_some(only),
            forbidden: None,
            moves: 0,
            first: [u8::MAX; 8],
            unknown: 0,
            lines: Lines::default(),
        }
    }
}

/// A position whose lines are being found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    column: Squares,
    /// The opponent's squares on the board.
    pub opponent: Squares,
    /// The code of its value.
    best: u8,
    /// That of its value if the best move alone is forbidden, if one move is best and stays in the
    /// group.
    second: u8,
    /// The number of the only best move within the group.
    only: Option<u8>,
    /// The number of a forbidden move.
    forbidden: Option<u8>,
    /// Best moves found so far.
    moves: u32,
    /// By symmetry: the least number of such a move, turned.
    first: [u8; 8],
    /// By symmetry: whether the lines after that move are unknown, a bit each.
    unknown: u8,
    pub lines: Lines,
}

impl Position {
    /// Whether the side to move wins: the code is that of a regular value.
    const fn is_won(&self) -> bool {
        self.best.is_multiple_of(2)
    }

    /// Adds a best move, with the lines after it, said of this position's turns.
    #[inline(always)]
    fn add<G: ByRows>(&mut self, game: &G, turns: &Turns, number: u8, lines: Lines) {
        self.moves += 1;
        for turn in 0..turns.symmetries() {
            let (number, bit) = (game.turned(turn, number), 1 << turn);
            let first = &mut self.first[usize::from(turn)];
            if number >= *first {
                continue;
            }
            *first = number;
            self.lines.dual_free = self.lines.dual_free & !bit | lines.dual_free & bit;
            self.unknown = self.unknown & !bit | if lines.unknown { bit } else { 0 };
        }
    }

    /// The lines, once all best moves are found.
    fn settle(&mut self) {
        if self.is_won() && self.moves != 1 {
            self.lines = Lines::default();
        } else if self.moves == 0 || self.unknown != 0 {
            // Without a best move the table contradicts itself. Whoever follows the line says so.
            self.lines = Lines::UNKNOWN;
        }
    }
}

/// A move within the group that is being fetched from memory.
struct Pending {
    position: usize,
    number: u8,
    bucket: u32,
    set: u32,
    /// The squares of the side to move after the move, turned.
    after: Squares,
    turn: u8,
    undo: u8,
    /// Whether the only best move after it is the one that takes it back.
    is_restricted: bool,
    /// What the move would be worth if nothing were forbidden after it.
    free: Ordinal,
}

/// Finds the lines of positions of a row, which are won or lost in a regular way.
pub(super) struct Find<'f, 'r, 'a, 'g, G, W: WordWidth> {
    pub finder: &'f LineFinder<'a, 'g, G, W>,
    pub at: &'f AtRow<'r, 'g>,
    pub some: &'f mut [Position],
}

impl<G: ByRows, W: WordWidth> CpuTask for Find<'_, '_, '_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let LineFinder {
            duals,
            group,
            values,
            order,
        } = *self.finder;
        let (game, table) = (group.game, self.at.table);
        let answers = table.answers;
        let layer = group.layer(answers);
        let mut pending = Vec::new();
        for (place, position) in self.some.iter_mut().enumerate() {
            let Position {
                column, opponent, ..
            } = *position;
            let mut ask = |mv: &RowMove| {
                let after = game.turn(mv.turn)(opponent ^ mv.flip);
                let set = table.shape.ranker.rank(cpu.extract(after, mv.bucket_free));
                values.prefetch(answers, mv.bucket as usize, set as usize);
                pending.push(Pending {
                    position: place,
                    number: mv.number,
                    bucket: mv.bucket,
                    set,
                    after,
                    turn: mv.turn,
                    undo: mv.undo,
                    is_restricted: false,
                    free: 0,
                });
            };
            if let Some(only) = position.only {
                // What a move pushes depends on the column, so several have the number.
                let is_it = |mv: &&RowMove| mv.number == only && mv.condition.holds(column);
                if let Some(mv) = self.at.moves.iter().find(is_it) {
                    ask(mv);
                }
                continue;
            }
            self.finder.leave(cpu, self.at.exits, position);
            // If no move is forbidden, a move within the group that is the only best one is known.
            let has_dual = match position.forbidden {
                None => position.moves != 1,
                Some(_) => position.moves > 1,
            };
            if position.best == 0 || position.is_won() && has_dual {
                continue;
            }
            let allowed =
                |mv: &&RowMove| mv.condition.holds(column) && Some(mv.number) != position.forbidden;
            for mv in self.at.moves.iter().filter(allowed) {
                ask(mv);
            }
        }
        // Few of the moves are best, so only then is more fetched from memory.
        pending.retain_mut(|asked: &mut Pending| {
            let value = values.get(answers, asked.bucket as usize, asked.set as usize);
            asked.is_restricted = value.only::<W>() == asked.undo;
            let position = &self.some[asked.position];
            if value.after::<W>(asked.is_restricted) != order.ordinal_of_code(position.best.into())
            {
                return false;
            }
            asked.free = value.after::<W>(false);
            duals.prefetch(layer, asked.bucket, asked.set);
            true
        });
        for asked in pending {
            let position = &mut self.some[asked.position];
            // What is known of the position after the move is known for no move being forbidden.
            // It holds as well if the move that takes this one back is not a best one there. Beside
            // others it is one if taking back leads to this position, with this move forbidden
            // alone, and that is decided two plies sooner.
            let is_missed = asked.undo != RowMove::NO_UNDO
                && position.best.checked_sub(2) == Some(position.second);
            let lines = if asked.is_restricted || is_missed {
                let free = order.value(asked.free).map(Value::code);
                let free = free.and_then(|code| u8::try_from(code.wrapping_sub(1)).ok());
                let best = position.best - 1;
                let codes = [best, free.unwrap_or(best), Record::NO_MOVE];
                self.finder.restricted(answers, &asked, codes)
            } else {
                duals.get(layer, asked.bucket, asked.set)
            };
            let lines = duals.turns.unseen(lines, asked.turn);
            position.add(game, &duals.turns, asked.number, lines);
        }
        for position in self.some {
            position.settle();
        }
    }
}

impl<G: ByRows, W: WordWidth> LineFinder<'_, '_, G, W> {
    /// The lines of the position after a move to a layer of the group, if the move that takes it
    /// back is forbidden; with the codes of the value then, and of the value if it is not.
    fn restricted(&self, answers: usize, mv: &Pending, codes: [u8; 3]) -> Lines {
        let group = self.group;
        let layer = group.layer(answers);
        let bucket = mv.bucket as usize;
        let slot = group.game.transposed_slot(layer, bucket, mv.after);
        let index = group.index(slot);
        let Some(at) = AtRow::new(group, index) else {
            return Lines::UNKNOWN;
        };
        dispatch(Restricted {
            finder: self,
            at,
            index,
            mv,
            codes,
        })
    }

    /// Adds the best moves of a position, of all that leave the group or win at once.
    #[inline(always)]
    fn leave<C: Cpu>(&self, cpu: C, exits: &[RowExit], position: &mut Position) {
        let Self { duals, group, .. } = *self;
        let Position {
            column, opponent, ..
        } = *position;
        let target = self.order.ordinal_of_code(position.best.into());
        for exit in exits.iter().filter(|exit| exit.condition.holds(column)) {
            let lines = match exit.to {
                RowExitTo::Win if position.best == 0 => Lines::DUAL_FREE,
                RowExitTo::Win | RowExitTo::Loss => continue,
                RowExitTo::Earlier {
                    layer,
                    bucket,
                    turn,
                    ..
                } => {
                    let floors = &group.floors;
                    let (value, set) = floors.look_up::<_, W, _>(cpu, group.game, exit, opponent);
                    if value != target {
                        continue;
                    }
                    duals.turns.unseen(duals.get(layer, bucket, set), turn)
                }
            };
            for number in exit.numbers.iter().take(exit.moves.into()) {
                position.add(group.game, &duals.turns, *number, lines);
            }
        }
    }
}

/// Finds the lines of the position after a move that must not be taken back.
struct Restricted<'f, 'r, 'a, 'g, G, W: WordWidth> {
    finder: &'f LineFinder<'a, 'g, G, W>,
    at: AtRow<'r, 'g>,
    index: usize,
    mv: &'f Pending,
    codes: [u8; 3],
}

impl<G: ByRows, W: WordWidth> CpuTask for Restricted<'_, '_, '_, '_, G, W> {
    type Output = Lines;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Lines {
        let Self { finder, at, mv, .. } = &self;
        let (game, turns) = (finder.group.game, &finder.duals.turns);
        let mut position = at.position(cpu, self.index, self.codes);
        let images = game.row_images(at.table.layer, at.row);
        let ranker = finder.group.tables[at.table.answers].shape.ranker;
        let mut turn = None;
        game.transposed(cpu, &images, position.opponent, 0, |seen| {
            if seen.bucket == mv.bucket && ranker.rank(seen.set) == mv.set {
                turn = Some(seen.turn);
            }
        });
        let Some(turn) = turn else {
            return Lines::UNKNOWN;
        };
        position.forbidden = Some(game.turned(turns.inverse(turn), mv.undo));
        let mut some = [position];
        Find {
            finder,
            at,
            some: &mut some,
        }
        .run(cpu);
        turns.seen(some[0].lines, turn)
    }
}
