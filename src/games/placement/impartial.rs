//! Nimbers of placement games.

use std::sync::PoisonError;

use super::shapes::{BoardShapes, GraphShapes, MOST};
use super::squares::Squares;
use super::{Move, PlacementRules, Rules, State};
use crate::base::value::Outcome;
use crate::base::watch::{Unwatched, Watch};
use crate::game::{Effort, Nimber, NimberError, outcome_of};
use crate::game::{Impartial, Judged};
use crate::solve::nimbers::{Nimbers, Octal, Periodic};

/// The most bytes that a search may use.
const BYTES: u64 = 8 << 30;

/// The source of nimbers.
#[derive(Debug)]
pub(super) enum Search {
    /// Not chosen yet.
    Unbegun,
    /// The board is equivalent to a row.
    Row(Periodic),
    /// A board.
    Board(Box<Nimbers<BoardShapes>>),
    /// A graph.
    Graph(Box<Nimbers<GraphShapes>>),
    /// Too large.
    Nothing,
}

impl PlacementRules {
    /// Calls a function with the search, which is chosen at the first call.
    fn searching<T>(&self, work: impl FnOnce(&mut Search) -> T) -> T {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*search, Search::Unbegun) {
            *search = self.choose();
        }
        work(&mut search)
    }

    fn choose(&self) -> Search {
        if let Rules::Graph(graph) = &self.rules {
            let around = |vertex: usize| {
                let near = graph.neighbours(vertex).iter();
                near.fold(1 << vertex, |mask: u128, &near| mask | 1 << near)
            };
            if graph.len() > MOST {
                return Search::Nothing;
            }
            let shapes = GraphShapes::new((0..graph.len()).map(around).collect());
            return shapes.map_or(Search::Nothing, |shapes| {
                Search::Graph(Box::new(Nimbers::new(shapes, BYTES)))
            });
        }
        if self.is_row() {
            let row = Octal::dawsons_chess().periodic(1 << 12);
            return row.map_or(Search::Nothing, Search::Row);
        }
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let shapes = BoardShapes::new(&self.rules, side(self.rows), side(self.columns));
        shapes.map_or(Search::Nothing, |shapes| {
            Search::Board(Box::new(Nimbers::new(shapes, BYTES)))
        })
    }

    /// Whether the board is equivalent to a row: it has one row or column, or two rows of
    /// kings, where the two squares of a column have the same neighbours.
    const fn is_row(&self) -> bool {
        let short = if self.rows < self.columns {
            self.rows
        } else {
            self.columns
        };
        match self.rules {
            Rules::Kings => short <= 2,
            Rules::Regio => short == 1,
            Rules::Graph(_) => false,
        }
    }

    /// For a board that is equivalent to a row: the runs of free places, each as first
    /// place and length, in order.
    fn runs(&self, free: &Squares) -> Vec<(usize, usize)> {
        let length = self.rows.max(self.columns);
        let mut places = vec![false; length];
        for square in free.iter() {
            places[self.place_in_row(square)] = true;
        }
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (place, _) in places.iter().enumerate().filter(|(_, free)| **free) {
            match runs.last_mut() {
                Some((first, length)) if *first + *length == place => *length += 1,
                _ => runs.push((place, 1)),
            }
        }
        runs
    }

    const fn place_in_row(&self, square: usize) -> usize {
        if self.rows > self.columns {
            square / self.columns
        } else {
            square % self.columns
        }
    }

    /// The free squares in the numbering of the search.
    fn mask_for(&self, shapes: &BoardShapes, free: &Squares) -> u128 {
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        free.iter().fold(0, |mask, square| {
            let (row, column) = (square / self.columns, square % self.columns);
            mask | 1 << shapes.bit(number(row), number(column), number(self.rows))
        })
    }

    fn worth(
        &self,
        search: &mut Search,
        free: &Squares,
        watch: &impl Watch,
    ) -> Result<Nimber, NimberError> {
        match search {
            Search::Unbegun | Search::Nothing => Err(NimberError::TooLarge {
                squares: self.squares(),
                most: MOST,
            }),
            Search::Row(row) => {
                let runs = self.runs(free).into_iter();
                Ok(runs.fold(0, |sum, (_, length)| sum ^ row.nimber(length)))
            }
            Search::Board(nimbers) => {
                let parts = nimbers
                    .shapes()
                    .parts(self.mask_for(nimbers.shapes(), free));
                nimbers.nimber(&parts, watch)
            }
            Search::Graph(nimbers) => {
                let parts = nimbers.shapes().parts(free.mask());
                nimbers.nimber(&parts, watch)
            }
        }
    }
}

impl Impartial for PlacementRules {
    fn nimber(&self, state: &State, watch: &impl Watch) -> Result<Nimber, NimberError> {
        self.searching(|search| self.worth(search, &state.free, watch))
    }

    fn options(
        &self,
        state: &State,
        watch: &impl Watch,
    ) -> Result<Vec<(Move, Nimber)>, NimberError> {
        self.searching(|search| {
            let squares = state.free.iter();
            if let Search::Row(row) = search {
                let runs = self.runs(&state.free);
                let sum = runs.iter().fold(0, |sum, run| sum ^ row.nimber(run.1));
                let option = |square| {
                    let place = self.place_in_row(square);
                    let at = runs.partition_point(|&(first, _)| first <= place) - 1;
                    let (first, length) = runs[at];
                    let (before, behind) = (place - first, first + length - 1 - place);
                    let left =
                        row.nimber(before.saturating_sub(1)) ^ row.nimber(behind.saturating_sub(1));
                    (Move::of(square), sum ^ row.nimber(length) ^ left)
                };
                return Ok(squares.map(option).collect());
            }
            let option = |square| {
                let left = self.after(&state.free, square);
                Ok((Move::of(square), self.worth(search, &left, watch)?))
            };
            squares.map(option).collect()
        })
    }

    fn known(&self, state: &State) -> Option<Judged> {
        let judged = |nimber: Option<Nimber>, outcome: Outcome, by: String| Judged {
            outcome,
            by,
            nimber,
        };
        if self.is_row() {
            let nimber = self.nimber(state, &Unwatched).ok()?;
            let outcome = outcome_of(nimber);
            let by = "the period of Dawson's chess".to_owned();
            return Some(judged(Some(nimber), outcome, by));
        }
        let full = state.free == Squares::all(self.squares());
        let four = self.rows == 4 || self.columns == 4;
        if full && four && matches!(self.rules, Rules::Kings) {
            let by = "each move on four rows answered two rows on".to_owned();
            return Some(judged(Some(0), Outcome::Loss, by));
        }
        if self.is_mirrored(&state.free) {
            let by = "mirroring each move".to_owned();
            return Some(judged(Some(0), Outcome::Loss, by));
        }
        let mv = self.mirroring_move(state)?;
        let by = format!("mirroring after {}", self.name_of_square(mv.square()));
        Some(judged(None, Outcome::Win, by))
    }

    fn outcome(&self, state: &State, watch: &impl Watch) -> Result<Judged, NimberError> {
        if let Some(judged) = self.known(state) {
            return Ok(judged);
        }
        let lost = self.searching(|search| match search {
            Search::Board(nimbers) => {
                let parts = nimbers
                    .shapes()
                    .parts(self.mask_for(nimbers.shapes(), &state.free));
                nimbers.is_lost(&parts, watch)
            }
            Search::Graph(nimbers) => {
                let parts = nimbers.shapes().parts(state.free.mask());
                nimbers.is_lost(&parts, watch)
            }
            Search::Row(_) | Search::Nothing | Search::Unbegun => {
                Ok(self.worth(search, &state.free, watch)? == 0)
            }
        })?;
        Ok(Judged {
            outcome: if lost { Outcome::Loss } else { Outcome::Win },
            by: "search".to_owned(),
            nimber: None,
        })
    }

    fn effort(&self) -> Effort {
        self.searching(|search| match search {
            Search::Board(nimbers) => nimbers.effort(),
            Search::Graph(nimbers) => nimbers.effort(),
            Search::Row(_) | Search::Nothing | Search::Unbegun => Effort::default(),
        })
    }
}
