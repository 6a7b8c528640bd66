//! Nimbers and winners of placement games.

use super::frames::Frames;
use super::shapes::{BoardShapes, GraphShapes, MOST, Mask, ROW};
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::base::progress::{NoProgress, Progress};
use crate::base::threads::locked;
use crate::base::turn::Turn;
use crate::base::value::Outcome;
use crate::game::{Effort, Game, Impartial, Judged, Left, Nimber, NimberError, outcome_of};
use crate::solve::nimbers::{Misere, Nimbers, Shapes};

/// The most bytes that a search may use. Boards of a list are searched at the same time, one
/// on each thread.
const BYTES: u64 = 3 << 30;

/// Nimbers under normal play, winners under misère play.
#[derive(Debug)]
pub(super) enum Method<S: Shapes> {
    Normal(Nimbers<S>),
    Misere(Misere<S>),
}

#[derive(Debug)]
pub(super) enum Search {
    /// A board of one colour. Rows have their nimbers by a theorem, under normal play.
    Board(Box<Frames>, Option<Box<Method<BoardShapes>>>),
    /// A graph, or a board of several colours.
    Graph(Box<Method<GraphShapes>>),
    /// Too large.
    Nothing,
}

impl<S: Shapes> Method<S> {
    fn new(shapes: S, misere: bool) -> Self {
        if misere {
            Self::Misere(Misere::new(shapes, BYTES))
        } else {
            Self::Normal(Nimbers::new(shapes, BYTES))
        }
    }

    const fn shapes(&self) -> &S {
        match self {
            Self::Normal(search) => &search.shapes,
            Self::Misere(search) => &search.shapes,
        }
    }

    fn nimber(
        &mut self,
        parts: &[S::Shape],
        progress: &dyn Progress,
    ) -> Result<Nimber, NimberError> {
        match self {
            Self::Normal(search) => search.nimber(parts, progress),
            Self::Misere(_) => Err(NimberError::Misere),
        }
    }

    fn is_lost(
        &mut self,
        parts: &[S::Shape],
        progress: &dyn Progress,
    ) -> Result<bool, NimberError> {
        match self {
            Self::Normal(search) => search.is_lost(parts, progress),
            Self::Misere(search) => search.is_lost(parts, progress),
        }
    }

    fn effort(&self) -> Effort {
        match self {
            Self::Normal(search) => search.effort(),
            Self::Misere(search) => search.effort(),
        }
    }
}

impl PlacementRules {
    /// Calls a function with the search, which is chosen at the first call.
    fn searching<T>(&self, work: impl FnOnce(&mut Search) -> T) -> T {
        let mut search = locked(&self.search);
        work(search.get_or_insert_with(|| self.choose().unwrap_or(Search::Nothing)))
    }

    /// The search for this game; `None` if it is too large.
    fn choose(&self) -> Option<Search> {
        if matches!(self.rules, Rules::Graph(_)) || self.colours > 1 {
            if self.places() > MOST {
                return None;
            }
            let around = |place: usize| {
                let mut mask: Mask = 0;
                if self.board.contains(place) {
                    self.around(place, |near| mask |= 1 << near);
                }
                mask
            };
            let around = (0..self.places()).map(around).collect();
            let mirrors = self.symmetries.iter().map(|symmetry| {
                let image = |place| self.image_of_place(place, *symmetry);
                (0..self.places()).map(image).collect()
            });
            let shapes = GraphShapes::new(around, mirrors.collect());
            return Some(Search::Graph(Box::new(Method::new(shapes, self.misere))));
        }
        let frames = Frames::new(self);
        let method = if frames.boards == 0 && !self.misere {
            None
        } else {
            let sides = self.misere.then(|| frames.all_sides());
            let (rows, columns) = sides.unwrap_or(frames.sides);
            let shapes = BoardShapes::new(&self.rules, rows, columns)?;
            Some(Box::new(Method::new(shapes, self.misere)))
        };
        Some(Search::Board(Box::new(frames), method))
    }

    fn worth(
        &self,
        search: &mut Search,
        free: &Squares,
        progress: &dyn Progress,
    ) -> Result<Nimber, NimberError> {
        match search {
            Search::Nothing => Err(NimberError::TooLarge(format!(
                "a board of {} squares is too large to search: at most {MOST} squares, at most 16 a row, or any single row",
                self.places()
            ))),
            Search::Board(frames, method) => {
                let runs = frames.runs(free).into_iter();
                let on_line = runs.fold(0, |sum, run| sum ^ ROW.nimber(run.length));
                let Some(method) = method else {
                    return Ok(on_line);
                };
                let parts = frames.parts(method.shapes(), free);
                Ok(on_line ^ method.nimber(&parts, progress)?)
            }
            Search::Graph(method) => {
                let parts = method.shapes().parts(free.mask());
                method.nimber(&parts, progress)
            }
        }
    }

    fn is_lost(
        &self,
        search: &mut Search,
        free: &Squares,
        progress: &dyn Progress,
    ) -> Result<bool, NimberError> {
        match search {
            // Under normal play, rows are no parts of that search, so it may say who wins only
            // without them.
            Search::Board(frames, Some(method)) if self.misere || frames.runs(free).is_empty() => {
                let parts = frames.all_parts(method.shapes(), free);
                method.is_lost(&parts, progress)
            }
            Search::Graph(method) => {
                let parts = method.shapes().parts(free.mask());
                method.is_lost(&parts, progress)
            }
            _ => Ok(self.worth(search, free, progress)? == 0),
        }
    }

    /// The moves in a board with rows, where a move changes one run.
    fn options_with_rows(
        &self,
        search: &mut Search,
        free: &Squares,
        progress: &dyn Progress,
    ) -> Result<Vec<Left<usize>>, NimberError> {
        let sum = self.worth(search, free, progress)?;
        let runs = match search {
            Search::Board(frames, ..) => frames.runs(free),
            _ => Vec::new(),
        };
        let option = |place| {
            if let Search::Board(frames, _) = search
                && let Some((run, before, behind)) = frames.run_of(place, &runs)
            {
                let rest = |length: usize| ROW.nimber(length.saturating_sub(1));
                let left = sum ^ ROW.nimber(run.length) ^ rest(before) ^ rest(behind);
                return Ok(Left::with_nimber(place, left));
            }
            let left = self.after(free, place);
            let nimber = self.worth(search, &left, progress)?;
            Ok(Left::with_nimber(place, nimber))
        };
        free.iter().map(option).collect()
    }
}

impl Impartial for PlacementRules {
    fn has_nimbers(&self) -> bool {
        !self.misere
    }

    fn summands(&self, free: &Squares) -> Vec<Squares> {
        let parts = self.parts(free).into_iter();
        parts.map(|part| Squares::of(self.places(), part)).collect()
    }

    fn nimber(&self, free: &Squares, progress: &dyn Progress) -> Result<Nimber, NimberError> {
        if self.misere {
            return Err(NimberError::Misere);
        }
        self.searching(|search| self.worth(search, free, progress))
    }

    fn options(
        &self,
        free: &Squares,
        progress: &dyn Progress,
    ) -> Result<Vec<Left<usize>>, NimberError> {
        self.searching(|search| {
            if !self.misere {
                return self.options_with_rows(search, free, progress);
            }
            let option = |place| {
                let left = self.after(free, place);
                // Whoever cannot move has won.
                let lost = !left.is_empty() && self.is_lost(search, &left, progress)?;
                Ok(Left {
                    mv: place,
                    outcome: if lost { Outcome::Loss } else { Outcome::Win },
                    nimber: None,
                })
            };
            free.iter().map(option).collect()
        })
    }

    fn known(&self, free: &Squares) -> Option<Judged> {
        if self.misere {
            return None;
        }
        let by_nimber = |nimber: Nimber, by: &str| {
            Some(Judged {
                outcome: outcome_of(nimber),
                by: by.to_owned(),
                nimber: Some(nimber),
            })
        };
        if self.searching(|search| matches!(search, Search::Board(_, None))) {
            let nimber = self.nimber(free, &NoProgress).ok()?;
            return by_nimber(nimber, "the period of Dawson's chess");
        }
        let full = *free == Squares::of(self.squares(), 0..self.squares());
        let four = self.rows == 4 || self.columns == 4;
        if full && four && matches!(self.rules, Rules::Kings) {
            return by_nimber(0, "each move on four rows answered two rows on");
        }
        if self.is_mirrored(free) {
            return by_nimber(0, "mirroring each move");
        }
        let place = self.mirroring_move(free)?;
        Some(Judged {
            outcome: Outcome::Win,
            by: format!("mirroring after {}", self.format_move(place)),
            nimber: None,
        })
    }

    fn outcome(&self, free: &Squares, progress: &dyn Progress) -> Result<Judged, NimberError> {
        if let Some(judged) = self.known(free) {
            return Ok(judged);
        }
        let lost = self.searching(|search| self.is_lost(search, free, progress))?;
        Ok(Judged {
            outcome: if lost { Outcome::Loss } else { Outcome::Win },
            by: "search".to_owned(),
            nimber: None,
        })
    }

    fn effort(&self) -> Effort {
        self.searching(|search| match search {
            Search::Board(_, Some(method)) => method.effort(),
            Search::Graph(method) => method.effort(),
            Search::Board(..) | Search::Nothing => Effort::default(),
        })
    }
}

// Proofs by mirroring: a player who answers each move by its mirror image makes the last
// move, if no move can prevent its own image.
//
// Source: the paper, for boards with odd sides. In combinatorial game theory this is the
// Tweedledum and Tweedledee argument.

/// The number of free squares from which a board counts as large.
const LARGE: usize = 400;

impl PlacementRules {
    /// Whether the second player makes the last move by mirroring: a symmetry of order two
    /// keeps the free places, and maps none of them to itself or a neighbour. Under misère
    /// play that is of no use.
    pub(super) fn is_mirrored(&self, free: &Squares) -> bool {
        let fits = |symmetry| {
            let apart = free.iter().all(|place| {
                let image = self.image_of_place(place, symmetry);
                let mut apart = free.contains(image);
                self.around(place, |near| apart &= near != image);
                apart
            });
            apart && self.turned(free, symmetry) == *free
        };
        !self.misere && self.mirrors().any(fits)
    }

    /// A first move after which its player can mirror. On large boards only the middle is
    /// tried, because no other move could clear a whole axis.
    pub(super) fn mirroring_move(&self, free: &Squares) -> Option<usize> {
        let small = free.len() <= LARGE;
        let middle = |place: usize| {
            let square = self.square_of(place);
            self.image_of_square(square, Turn::HALF) == square
        };
        let mut places = free.iter().filter(|&place| small || middle(place));
        places.find(|&place| self.is_mirrored(&self.after(free, place)))
    }
}
