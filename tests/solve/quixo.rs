//! Quixo, whose positions have numbers in many layers: small boards against a list, and the last
//! layers of 5x5, which no list could begin with, against counts by the authors of *Quixo Is Solved*.

use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Wide};
use tesuji::game::{
    Board, FiniteGame, Game, Layer, Moves, Next, NotationError, Numbered, NumberedGame, Playable,
    Ranked,
};
use tesuji::solve::Solver;

use crate::numbered::agrees;

/// The cubes of the side to move and of the other one, and whether x is to move.
type State = (u64, u64, bool);

/// A board of n by n cubes, all blank at first. In turn, x first, a side takes a cube from the edge
/// that is blank or its own and pushes it back in with its own face up, at another end of the row or
/// column that it left. A line of n is lost if it is the other side's, else won.
struct Quixo {
    side: u8,
    layers: Vec<Layer>,
    /// The cubes of the side to move and of the other one, by layer.
    cubes: Vec<(u32, u32)>,
}

/// How many sets of `few` of `many` there are.
fn choose(many: u32, few: u32) -> u64 {
    let factor = |place| u64::from(many.saturating_sub(place));
    (0..few).fold(1, |found, place| {
        found * factor(place) / u64::from(place + 1)
    })
}

/// The number of a set among those of its size.
fn number(set: u64) -> u64 {
    let squares = Board::squares_in(set).zip(1..);
    squares
        .map(|(square, few)| choose(square.into(), few))
        .sum()
}

/// The set of a number.
fn set(mut number: u64, size: u32) -> u64 {
    let mut found = 0;
    for few in (1..=size).rev() {
        let next = (few..64).find(|&next| choose(next, few) > number).unwrap();
        number -= choose(next - 1, few);
        found |= 1 << (next - 1);
    }
    found
}

/// A set without the squares of another one between its own, and back.
fn squeezed(set: u64, without: u64) -> u64 {
    let squares = (0..).zip(Board::squares_in(!without));
    let held = squares.filter(|(_, square)| set >> square & 1 == 1);
    held.fold(0, |found, (place, _)| found | 1 << place)
}

fn spread(set: u64, without: u64) -> u64 {
    let squares = (0..).zip(Board::squares_in(!without));
    let held = squares.filter(|(place, _)| set >> place & 1 == 1);
    held.fold(0, |found, (_, square)| found | 1 << square)
}

impl Quixo {
    /// A move turns a blank cube, or leaves the numbers of cubes to the other side each. The table
    /// has only the first `groups` groups of layers.
    fn new(side: u8, groups: usize) -> Self {
        let (all, mut group, mut start) = (u32::from(side * side), 0, 0);
        let (mut layers, mut cubes) = (Vec::new(), Vec::new());
        for total in (0..=all).rev() {
            for few in (0..=total / 2).take(groups - group) {
                let mut pair = vec![(few, total - few), (total - few, few)];
                pair.dedup();
                for (own, other) in pair {
                    let size = 2 * choose(all, own) * choose(all - own, other);
                    let (name, slots) = (format!("{own}-{other}"), start..start + size);
                    layers.push(Layer { name, slots, group });
                    cubes.push((own, other));
                    start += size;
                }
                group += 1;
            }
        }
        Self {
            side,
            layers,
            cubes,
        }
    }

    const fn grid(&self) -> Board {
        Board::new(self.side, self.side)
    }

    /// From where to where cubes go.
    fn ways(&self) -> Vec<(u8, u8)> {
        let (n, last) = (self.side, self.side - 1);
        let ends = |from| {
            [
                from / n * n,
                from / n * n + last,
                from % n,
                last * n + from % n,
            ]
        };
        let ways = (0..n * n).flat_map(|from| ends(from).map(|to| (from, to)));
        ways.filter(|&(from, to)| from != to && ends(from).contains(&from))
            .collect()
    }

    /// A set of cubes after those between have moved up, without the cube that goes.
    fn pushed(&self, set: u64, (from, to): (u8, u8)) -> u64 {
        let row = from / self.side == to / self.side;
        let step = if row { 1 } else { self.side };
        let (mut at, mut found) = (from, set & !(1 << from));
        while at != to {
            let next = if at < to { at + step } else { at - step };
            found = found & !(1 << next) | (set >> next & 1) << at;
            at = next;
        }
        found
    }

    fn has_line(&self, set: u64) -> bool {
        let n = self.side;
        let has = |first, step| (0..n).all(|place| set >> (first + place * step) & 1 == 1);
        (0..n).any(|place| has(place * n, 1) || has(place, n)) || has(0, n + 1) || has(n - 1, n - 1)
    }

    /// What a slot stands for, even if the game is over there or an image has another number.
    fn at(&self, index: u64) -> Option<State> {
        let place = self
            .layers
            .partition_point(|layer| layer.slots.end <= index);
        let slots = &self.layers.get(place)?.slots;
        let half = (slots.end - slots.start) / 2;
        let (first, index) = (index - slots.start < half, (index - slots.start) % half);
        let (own, other) = self.cubes[place];
        let others = choose(u32::from(self.side * self.side) - own, other);
        let own = set(index / others, own);
        Some((own, spread(set(index % others, other), own), first))
    }
}

impl Game for Quixo {
    type State = State;
    type Move = (u8, u8);

    fn spec(&self) -> String {
        format!("quixo:{}", self.side)
    }

    fn initial(&self) -> State {
        (0, 0, true)
    }

    fn format_state(&self, &(own, other, first): &State) -> String {
        let [x, o] = if first { [own, other] } else { [other, own] };
        let board = self.grid().write([0, x, o], ['.', 'x', 'o']);
        format!("{board} {}", if first { 'x' } else { 'o' })
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (board, side) = text.split_once(' ').unwrap_or((text, "x"));
        let [_, x, o] = self.grid().read(board, ['.', 'x', 'o'])?;
        if self.has_line(x) || self.has_line(o) {
            return Err(NotationError::new(text, 0, "the game is over here"));
        }
        Ok(if side == "o" {
            (o, x, false)
        } else {
            (x, o, true)
        })
    }

    fn format_move(&self, (from, to): (u8, u8)) -> String {
        [from, to].map(|square| self.grid().name(square)).join("-")
    }

    fn parse_move(&self, text: &str) -> Result<(u8, u8), NotationError> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Ok((self.grid().read_name(from)?, self.grid().read_name(to)?))
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if state.2 { "x" } else { "o" }
    }
}

impl Moves for Quixo {
    fn moves(&self, &(_, other, _): &State) -> Vec<(u8, u8)> {
        let mut ways = self.ways();
        ways.retain(|(from, _)| other >> from & 1 == 0);
        ways
    }

    fn play(&self, &(own, other, first): &State, way: (u8, u8)) -> Next<State> {
        let [own, other] = [own, other].map(|set| self.pushed(set, way));
        let own = own | 1 << way.1;
        match (self.has_line(own), self.has_line(other)) {
            (_, true) => Next::Over(Outcome::Loss),
            (true, false) => Next::Over(Outcome::Win),
            (false, false) => Next::State((other, own, !first)),
        }
    }
}

impl FiniteGame for Quixo {
    fn symmetries(&self) -> usize {
        self.grid().symmetries()
    }

    fn image(&self, &(own, other, first): &State, turn: usize) -> State {
        let [own, other] = [own, other].map(|set| self.grid().image_of_set(set, turn));
        (own, other, first)
    }

    fn image_of_move(&self, (from, to): (u8, u8), turn: usize) -> (u8, u8) {
        (self.grid().image(from, turn), self.grid().image(to, turn))
    }
}

impl Playable for Quixo {
    fn board(&self) -> Board {
        self.grid()
    }
}

impl Ranked for Quixo {
    fn rank(&self, state: &State) -> u64 {
        let (own, other, first) = self.canonical(state);
        let sizes = (own.count_ones(), other.count_ones());
        let Some(place) = self.cubes.iter().position(|&cubes| cubes == sizes) else {
            return u64::MAX;
        };
        let slots = &self.layers[place].slots;
        let others = choose(u32::from(self.side * self.side) - sizes.0, sizes.1);
        let before = if first {
            0
        } else {
            (slots.end - slots.start) / 2
        };
        slots.start + before + number(own) * others + number(squeezed(other, own))
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let state = self.at(index)?;
        let over = self.has_line(state.0) || self.has_line(state.1);
        (!over && self.canonical(&state) == state).then_some(state)
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

impl NumberedGame for Quixo {
    fn before(&self, &(own, other, first): &State) -> Vec<State> {
        let mut found = Vec::new();
        for (from, to) in self.ways() {
            if other >> to & 1 == 1 {
                let [mover, own] = [other, own].map(|set| self.pushed(set, (to, from)));
                found.extend([(mover, own, !first), (mover | 1 << from, own, !first)]);
            }
        }
        found
    }
}

#[test]
fn small_boards_agree_with_a_list() {
    agrees(|| Quixo::new(2, usize::MAX));
    agrees(|| Quixo::new(3, usize::MAX));
}

/// <https://github.com/st34-satoshi/quixo-cpp>, `python/result-5by5-activeIsO.txt`: how many boards
/// without blank cubes are won, lost and drawn for the side to move, by how many cubes it has. Boards
/// with lines are among them.
#[test]
fn the_last_layers_of_the_real_board_have_the_published_counts() {
    let published = [
        [0, 1, 0],
        [0, 25, 0],
        [0, 300, 0],
        [0, 2_300, 0],
        [0, 12_650, 0],
        [12, 53_118, 0],
        [304, 176_796, 0],
        [3_304, 477_396, 0],
    ];
    let game = Numbered::of(Quixo::new(5, published.len()));
    let mut solver = Solver::<_, Wide>::new(&game);
    for (few, published) in published.into_iter().enumerate() {
        let solved = solver.solve_next(&NoProgress).unwrap().unwrap();
        let name = format!("{few}-{}", 25 - few);
        let layer = game
            .layers()
            .iter()
            .find(|layer| layer.name == name)
            .unwrap();
        let mut counts = [0; 3];
        let half = (layer.slots.end - layer.slots.start) / 2;
        for slot in layer.slots.start..layer.slots.start + half {
            let state = game.game().at(slot).unwrap();
            // Whoever has a line as well as the other one has not made it, and has won.
            let outcome = match state {
                (own, ..) if game.game().has_line(own) => Outcome::Win,
                (_, other, _) if game.game().has_line(other) => Outcome::Loss,
                _ => {
                    let slot = game.rank(&state);
                    solved.records(slot..slot + 1)[0].best().outcome()
                }
            };
            let all = [Outcome::Win, Outcome::Loss, Outcome::Draw];
            counts[all.iter().position(|&other| other == outcome).unwrap()] += 1;
        }
        assert_eq!(counts, published, "{name}");
    }
}
