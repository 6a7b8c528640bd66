//! The rules on bit sets, written for this baseline alone: neither the crate's
//! numbering nor its un-moves are used. Squares are counted file by file.

use tesuji::game::{Game, Repetition};
use tesuji::games::ostle::Ostle;

/// Most moves of a position (H. Takizawa, Strongly solved Ostle (2023), doi
/// 10.7717/peerj-cs.1560, Theorem 6).
pub const MOST_MOVES: u8 = 24;

/// No square.
const OUTSIDE: u8 = u8::MAX;

/// A position, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub own: u32,
    pub opp: u32,
    pub hole: u8,
}

impl Position {
    /// All of it in one word.
    #[inline]
    pub const fn packed(self) -> u64 {
        (self.hole as u64) << 50 | (self.own as u64) << 25 | self.opp as u64
    }
}

/// A move and what it does.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub from: u8,
    pub direction: u8,
    /// The position after it, seen by the side then to move.
    pub next: Position,
    /// Whether the same squares, moved back, would restore the position.
    pub undoable: bool,
}

/// A symmetry of the board: images of squares, and of sets of nine, eight and
/// eight squares.
#[derive(Debug)]
struct Symmetry {
    squares: [u8; 25],
    parts: [[u32; 512]; 3],
}

impl Symmetry {
    fn new(squares: [u8; 25]) -> Self {
        let part = |first: usize| {
            std::array::from_fn(|set| {
                let inside = (first..25)
                    .take(9)
                    .filter(|at| set >> (at - first) & 1 == 1);
                inside.fold(0, |image, at| image | 1 << squares[at])
            })
        };
        Self {
            squares,
            parts: [part(0), part(9), part(17)],
        }
    }

    #[inline]
    fn set(&self, set: u32) -> u32 {
        let [low, middle, high] = &self.parts;
        low[(set & 511) as usize]
            | middle[(set >> 9 & 255) as usize]
            | high[(set >> 17 & 255) as usize]
    }

    #[inline]
    fn position(&self, of: Position) -> Position {
        Position {
            own: self.set(of.own),
            opp: self.set(of.opp),
            hole: self.squares[usize::from(of.hole)],
        }
    }
}

/// The board with its parameters.
#[derive(Debug)]
pub struct Rules {
    pub height: u8,
    pub width: u8,
    pub fewest: u32,
    pub most: u32,
    pub all: u32,
    neighbours: [[u8; 4]; 25],
    /// By direction, the squares with no square beyond them.
    edges: [u32; 4],
    symmetries: Vec<Symmetry>,
    /// By square of the hole, the symmetries that bring it to the least square of
    /// its orbit (the paper's Observation 1).
    settling: Vec<Vec<usize>>,
    /// The least squares of the orbits, and the number of each square's orbit.
    pub holes: Vec<u8>,
    orbits: [u8; 25],
}

/// Up, down, left, right: the order of Algorithm 1.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (0, -1), (-1, 0), (1, 0)];

impl Rules {
    /// The rules of a game of the crate, which must read repetition up to symmetry.
    pub fn of(game: &Ostle, width: u8, height: u8) -> Self {
        assert!(game.spec().contains("up-to-symmetry"), "{}", game.spec());
        assert!(4 * (game.pieces + 1) <= MOST_MOVES, "too many moves");
        let squares = usize::from(width * height);
        let at = |file: i8, rank: i8| {
            let (file, rank) = (u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
            (file < width && rank < height).then_some(file * height + rank)
        };
        let (w, h) = (width.cast_signed(), height.cast_signed());
        let mut neighbours = [[OUTSIDE; 4]; 25];
        let mut edges = [0; 4];
        // The identity comes first.
        let mut images = vec![[0; 25]; if w == h { 8 } else { 4 }];
        for (file, rank) in (0..w).flat_map(|file| (0..h).map(move |rank| (file, rank))) {
            let square = at(file, rank).expect("on the board");
            for (direction, (right, up)) in DIRECTIONS.into_iter().enumerate() {
                match at(file + right, rank + up) {
                    Some(next) => neighbours[usize::from(square)][direction] = next,
                    None => edges[direction] |= 1 << square,
                }
            }
            for (number, image) in images.iter_mut().enumerate() {
                let (mut x, mut y) = (file, rank);
                if number & 1 == 1 {
                    x = w - 1 - x;
                }
                if number & 2 == 2 {
                    y = h - 1 - y;
                }
                if number & 4 == 4 {
                    (x, y) = (y, x);
                }
                image[usize::from(square)] = at(x, y).expect("an image is on the board");
            }
        }
        let least = |square: usize| images.iter().map(|image| image[square]).min();
        let leasts: Vec<u8> = (0..squares).filter_map(least).collect();
        let mut holes = leasts.clone();
        holes.sort_unstable();
        holes.dedup();
        let mut orbits = [0; 25];
        for (orbit, &square) in orbits.iter_mut().zip(&leasts) {
            *orbit = u8::try_from(holes.partition_point(|&hole| hole < square)).expect("few");
        }
        let settling = (0..squares)
            .map(|square| {
                let settles = |&number: &usize| images[number][square] == leasts[square];
                (0..images.len()).filter(settles).collect()
            })
            .collect();
        Self {
            height,
            width,
            fewest: u32::from(game.pieces - game.losses + 1),
            most: u32::from(game.pieces),
            all: (1 << squares) - 1,
            neighbours,
            edges,
            symmetries: images.into_iter().map(Symmetry::new).collect(),
            settling,
            holes,
            orbits,
        }
    }

    /// Visits all moves in the order of Algorithm 1, until `visit` says so.
    #[inline]
    pub fn find_move(&self, at: Position, mut visit: impl FnMut(u8, Step) -> bool) -> Option<u8> {
        let occupied = at.own | at.opp;
        let mut movers = at.own | 1 << at.hole;
        let mut number = 0;
        while movers != 0 {
            let from = movers.trailing_zeros();
            movers &= movers - 1;
            for direction in 0..4 {
                let step = if from == u32::from(at.hole) {
                    self.hole_move(at, occupied, direction)
                } else {
                    Some(self.piece_move(at, occupied, from, direction))
                };
                let Some(step) = step else {
                    continue;
                };
                if visit(number, step) {
                    return Some(number);
                }
                number += 1;
            }
        }
        None
    }

    /// Visits all moves in the order of Algorithm 1.
    #[inline]
    pub fn moves(&self, at: Position, mut visit: impl FnMut(u8, Step)) {
        self.find_move(at, |number, step| {
            visit(number, step);
            false
        });
    }

    #[inline]
    fn hole_move(&self, at: Position, occupied: u32, direction: u8) -> Option<Step> {
        let to = self.neighbours[usize::from(at.hole)][usize::from(direction)];
        (to != OUTSIDE && occupied >> to & 1 == 0).then_some(Step {
            from: at.hole,
            direction,
            next: Position {
                own: at.opp,
                opp: at.own,
                hole: to,
            },
            undoable: true,
        })
    }

    #[inline]
    fn piece_move(&self, at: Position, occupied: u32, from: u32, direction: u8) -> Step {
        let mut last = 1u32 << from;
        let mut chain = last;
        let from = u8::try_from(from).unwrap_or(OUTSIDE);
        let mut next = self.neighbours[usize::from(from)][usize::from(direction)];
        while next != OUTSIDE && occupied >> next & 1 == 1 {
            last = 1 << next;
            chain |= last;
            next = self.neighbours[usize::from(next)][usize::from(direction)];
        }
        let removes = next == OUTSIDE || next == at.hole;
        let moving = if removes { chain ^ last } else { chain };
        let ahead = |set: u32| match direction {
            0 => set << 1,
            1 => set >> 1,
            2 => set >> self.height,
            _ => set << self.height,
        };
        Step {
            from,
            direction,
            next: Position {
                own: at.opp & !chain | ahead(at.opp & moving),
                opp: at.own & !chain | ahead(at.own & moving),
                hole: at.hole,
            },
            undoable: !removes && last & at.opp != 0,
        }
    }

    /// Whether the side to move wins at once: it has the other side at its last
    /// piece to spare, and pushes one off from behind.
    #[inline]
    pub fn is_checkmate(&self, at: Position) -> bool {
        if at.opp.count_ones() > self.fewest {
            return false;
        }
        (0..4).any(|direction: usize| {
            // Squares with a square behind them are those off the opposite edge.
            let behind = |set: u32| {
                let set = set & !self.edges[direction ^ 1];
                match direction {
                    0 => set >> 1,
                    1 => set << 1,
                    2 => set << self.height,
                    _ => set >> self.height,
                }
            };
            let mut run = at.opp & (self.edges[direction] | behind(1 << at.hole));
            while run != 0 {
                let pushing = behind(run);
                if pushing & at.own != 0 {
                    return true;
                }
                run = pushing & at.opp;
            }
            false
        })
    }

    /// The least of all images: its key, by which the list is sorted (orbit of
    /// the hole, own pieces, the other side's; Algorithm 3).
    #[inline]
    pub fn canonical(&self, at: Position) -> u64 {
        let orbit = u64::from(self.orbits[usize::from(at.hole)]);
        let sets = |&number: &usize| {
            let symmetry = &self.symmetries[number];
            u64::from(symmetry.set(at.own)) << 25 | u64::from(symmetry.set(at.opp))
        };
        let settling = &self.settling[usize::from(at.hole)];
        orbit << 50 | settling.iter().map(sets).min().unwrap_or(0)
    }

    /// The position of a key.
    #[inline]
    pub fn position(&self, key: u64) -> Position {
        let set = |word: u64| u32::try_from(word & 0x1ff_ffff).unwrap_or(0);
        Position {
            own: set(key >> 25),
            opp: set(key),
            hole: self.holes[usize::try_from(key >> 50).unwrap_or(0)],
        }
    }

    /// All images of a position, packed; the last repeats to make eight.
    #[inline]
    pub fn images(&self, at: Position) -> [u64; 8] {
        std::array::from_fn(|number| {
            let symmetry = &self.symmetries[number % self.symmetries.len()];
            symmetry.position(at).packed()
        })
    }

    /// The number of the first move of `at` that leads to one of these positions:
    /// the move that rule 8 forbids (the inner loop of Algorithm 6).
    #[inline]
    pub fn restoring(&self, at: Position, images: &[u64; 8]) -> Option<u8> {
        self.find_move(at, |_, step| {
            let reached = step.next.packed();
            // Unlike `contains`, this needs no branches.
            let equal = |is: u64, &image: &u64| is | u64::from(image == reached);
            images.iter().fold(0, equal) != 0
        })
    }
}

/// A game of the crate with the reading of repetition that the paper's program
/// has.
pub fn game(width: u8, height: u8, pieces: u8, losses: u8) -> Ostle {
    Ostle::new(width, height, pieces, losses, Repetition::UpToSymmetry).expect("in range")
}
