//! Where the vertices of a graph are drawn.
//!
//! The distances in the drawing shall be those in the graph. Source: E. R. Gansner, Y. Koren and
//! S. North, *Graph drawing by stress majorization* (2004), section 2, one vertex at a time. The
//! result is rounded to the squares of a board, since games are entered by pointing at squares.

use super::graph::Graph;
use crate::draw::{BoardSquare, MAX_SIDE};

/// The most vertices of a graph that is drawn. More would not fit side by side.
pub(super) const MOST_DRAWN: usize = 128;

const ROUNDS: usize = 300;

/// The mean length of an edge, and the least distance of two vertices, in squares, unless the
/// board is too small.
const EDGE: f64 = 2.0;
const NEAREST: f64 = 1.2;

/// From the vertices of one part of a graph to those of another, in longest distances inside a
/// part.
const APART: f64 = 0.6;

type Place = [f64; 2];

/// The squares of the vertices on a board that has just room for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub columns: u8,
    pub rows: u8,
    /// By vertex.
    pub cells: Vec<BoardSquare>,
}

impl Layout {
    /// The layout of a graph; `None` if it has more than [`MOST_DRAWN`] vertices.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        if graph.names.len() > MOST_DRAWN {
            return None;
        }
        let wanted = distances(graph);
        let starts = [on_a_circle(graph.names.len()), between_far_ones(&wanted)];
        let improved = starts.map(|start| improve(start, &wanted));
        let [first, second] = improved.each_ref().map(|places| stress(places, &wanted));
        let [on_circle, between] = improved;
        let best = if second < first { between } else { on_circle };
        Some(Self::on_squares(graph, &level(best)))
    }

    /// Gives each place the nearest square that is still free.
    fn on_squares(graph: &Graph, places: &[Place]) -> Self {
        let lengths = (0..places.len()).flat_map(|vertex| {
            let neighbours = graph.neighbours[vertex].iter();
            neighbours.map(move |&other| distance(places[vertex], places[other]))
        });
        let lengths: Vec<f64> = lengths.collect();
        let mean = match lengths.len() {
            0 => 1.0,
            edges => lengths.iter().sum::<f64>() / edges as f64,
        };
        let all = pairs(places.len()).map(|(a, b)| distance(places[a], places[b]));
        let nearest = all.fold(f64::INFINITY, f64::min);
        let least = [0, 1].map(|axis| {
            let along = places.iter().map(|at| at[axis]);
            along.fold(f64::INFINITY, f64::min)
        });
        let apart = places.iter();
        let apart = apart.flat_map(|at| [at[0] - least[0], at[1] - least[1]]);
        let widest = apart.fold(0.0, f64::max);
        let room = f64::from(MAX_SIDE - 1);
        let wanted = (EDGE / mean).max(NEAREST / nearest.max(1e-6));
        let scale = wanted.min(room / widest.max(1e-6));
        let mut cells: Vec<BoardSquare> = Vec::new();
        for at in places {
            let at = [0, 1].map(|axis| (at[axis] - least[axis]) * scale);
            let free = (0..MAX_SIDE)
                .flat_map(|row| (0..MAX_SIDE).map(move |column| BoardSquare::new(column, row)))
                .filter(|cell| !cells.contains(cell));
            let far = |cell: &BoardSquare| distance(at, [cell.column, cell.row].map(f64::from));
            cells.extend(free.min_by(|a, b| far(a).total_cmp(&far(b))));
        }
        let first = |of: fn(&BoardSquare) -> u8| cells.iter().map(of).min().unwrap_or(0);
        let (left, bottom) = (first(|cell| cell.column), first(|cell| cell.row));
        for cell in &mut cells {
            *cell = BoardSquare::new(cell.column - left, cell.row - bottom);
        }
        let last = |of: fn(&BoardSquare) -> u8| cells.iter().map(of).max().unwrap_or(0);
        Self {
            columns: last(|cell| cell.column) + 1,
            rows: last(|cell| cell.row) + 1,
            cells,
        }
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

fn distance(a: Place, b: Place) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The numbers of edges from each vertex to each other one.
fn distances(graph: &Graph) -> Vec<Vec<f64>> {
    let count = graph.names.len();
    let mut found = vec![vec![f64::INFINITY; count]; count];
    for (start, row) in found.iter_mut().enumerate() {
        row[start] = 0.0;
        let mut queue = vec![start];
        let mut done = 0;
        while let Some(&vertex) = queue.get(done) {
            done += 1;
            for &near in &graph.neighbours[vertex] {
                if row[near].is_infinite() {
                    row[near] = row[vertex] + 1.0;
                    queue.push(near);
                }
            }
        }
    }
    let known = found.iter().flatten().copied();
    let longest = known.filter(|far| far.is_finite()).fold(1.0, f64::max);
    for far in found.iter_mut().flatten().filter(|far| far.is_infinite()) {
        *far = APART * (longest + 1.0);
    }
    found
}

fn on_a_circle(count: usize) -> Vec<Place> {
    let turn = std::f64::consts::TAU / count.max(1) as f64;
    let angles = (0..count).map(|vertex| vertex as f64 * turn);
    angles.map(|angle| [angle.cos(), angle.sin()]).collect()
}

/// Places by the distances to two vertices that are far apart, and to one that is far from both.
fn between_far_ones(wanted: &[Vec<f64>]) -> Vec<Place> {
    let farthest = |far: &dyn Fn(usize) -> f64| {
        (0..wanted.len()).max_by(|&a, &b| far(a).total_cmp(&far(b)).then(b.cmp(&a)))
    };
    let a = farthest(&|vertex| wanted[0][vertex]).unwrap_or(0);
    let b = farthest(&|vertex| wanted[a][vertex]).unwrap_or(0);
    let c = farthest(&|vertex| wanted[a][vertex].min(wanted[b][vertex])).unwrap_or(0);
    let places = (0..wanted.len()).map(|vertex| {
        let [a, b, c] = [a, b, c].map(|end| wanted[end][vertex]);
        // No two are in one place, from which nothing would part them.
        let angle = vertex as f64;
        [
            (a - b) / 2.0 + 0.01 * angle.cos(),
            c - f64::midpoint(a, b) + 0.01 * angle.sin(),
        ]
    });
    places.collect()
}

/// Moves one vertex after the other to where the others want it.
fn improve(mut places: Vec<Place>, wanted: &[Vec<f64>]) -> Vec<Place> {
    for _ in 0..ROUNDS {
        for vertex in 0..places.len() {
            let at = places[vertex];
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for (other, &there) in places.iter().enumerate() {
                let far = wanted[vertex][other];
                if other == vertex {
                    continue;
                }
                let weight = far.powi(-2);
                let stretch = far / distance(at, there).max(1e-9);
                for axis in 0..2 {
                    sum[axis] += weight * (there[axis] + (at[axis] - there[axis]) * stretch);
                }
                weights += weight;
            }
            if weights > 0.0 {
                places[vertex] = sum.map(|axis| axis / weights);
            }
        }
    }
    places
}

/// How far the distances are from the wanted ones.
fn stress(places: &[Place], wanted: &[Vec<f64>]) -> f64 {
    let part =
        |(a, b): (usize, usize)| (distance(places[a], places[b]) / wanted[a][b] - 1.0).powi(2);
    pairs(places.len()).map(part).sum()
}

/// Turns the drawing so that it is wide rather than high.
fn level(mut places: Vec<Place>) -> Vec<Place> {
    let count = places.len().max(1) as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|at| at[axis]).sum::<f64>() / count);
    let product = |a: usize, b: usize| -> f64 {
        let product = |at: &Place| (at[a] - mean[a]) * (at[b] - mean[b]);
        places.iter().map(product).sum()
    };
    let angle = 0.5 * (2.0 * product(0, 1)).atan2(product(0, 0) - product(1, 1));
    let (sin, cos) = angle.sin_cos();
    for [x, y] in &mut places {
        [*x, *y] = [*x * cos + *y * sin, *y * cos - *x * sin];
    }
    places
}
