//! Graphs are drawn as graphs.

use std::collections::HashSet;
use std::fmt::Write;

use tesuji::draw::{BoardSquare, Glyph};
use tesuji::game::{Drawable, Game, Moves, Next, Playable};
use tesuji::games::placement::{Graph, Placement};

/// Where the vertices of a graph are drawn, in the order of their names.
fn drawn(edges: &str) -> Vec<(BoardSquare, String)> {
    let game = Placement::on_graph("g", Graph::parse(edges).unwrap()).unwrap();
    let diagram = game.diagram(&game.initial());
    let graph = diagram.drawn_graph().expect("a graph is drawn");
    let mut found: Vec<_> = graph
        .vertices()
        .map(|(at, name)| (at, name.to_owned()))
        .collect();
    found.sort_by(|a, b| a.1.cmp(&b.1));
    found
}

#[test]
fn graphs_are_drawn_as_their_distances_ask() {
    // A path lies on a line, each vertex as far from the next.
    let path: Vec<_> = drawn("a b\nb c\nc d\nd e")
        .into_iter()
        .map(|(at, _)| at)
        .collect();
    let row = |step: u8| {
        (0..5)
            .map(|n| BoardSquare::new(step * n, 0))
            .collect::<Vec<_>>()
    };
    let mut back = path.clone();
    back.reverse();
    assert!([path, back].contains(&row(2)));
    // Neighbours on a lattice are nearer than all others.
    let mut lattice = String::new();
    for (x, y) in (0..4).flat_map(|x| (0..3).map(move |y| (x, y))) {
        for (right, up) in [(x + 1, y), (x, y + 1)] {
            if right < 4 && up < 3 {
                writeln!(lattice, "{x}{y} {right}{up}").unwrap();
            }
        }
    }
    let places = drawn(&lattice);
    let digits = |name: &str| {
        name.bytes()
            .map(|digit| i32::from(digit - b'0'))
            .collect::<Vec<_>>()
    };
    for (at, name) in &places {
        for (other, far) in &places {
            let (a, b) = (digits(name), digits(far));
            let steps = (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
            let apart = [at.column.abs_diff(other.column), at.row.abs_diff(other.row)];
            let near = apart
                .into_iter()
                .map(u32::from)
                .map(|side| side * side)
                .sum::<u32>()
                <= 5;
            assert_eq!(near, steps <= 1, "{name} {far}");
        }
    }
    // As many as can be drawn have places of their own, whatever joins them.
    let mut many = String::new();
    for n in 0..127 {
        writeln!(many, "v{n} v{}", n + 1).unwrap();
        if n * 7 % 128 != n {
            writeln!(many, "v{n} v{}", n * 7 % 128).unwrap();
        }
    }
    let many: HashSet<_> = drawn(&many).into_iter().map(|(at, _)| at).collect();
    assert_eq!(many.len(), 128);
    let mut more = String::new();
    for n in 0..128 {
        writeln!(more, "v{n} v{}", n + 1).unwrap();
    }
    let more = Placement::on_graph("g", Graph::parse(&more).unwrap()).unwrap();
    let refused = more.check_picture().unwrap_err().to_string();
    assert!(refused.contains("at most 128"), "{refused}");
}

#[test]
fn what_happens_on_a_graph_is_drawn_on_its_vertices() {
    let game = Placement::on_graph("g", Graph::parse("a b\nb c\nd\n").unwrap()).unwrap();
    let start = game.initial();
    let initial = game.diagram(&start);
    let graph = initial.drawn_graph().unwrap();
    assert_eq!(graph.edges().len(), 2);
    let taken = game.parse_move("a").unwrap();
    let Next::State(after) = game.play(&start, taken) else {
        panic!("c and d are free");
    };
    let diagram = game.diagram(&after);
    for (at, name) in graph.vertices() {
        assert!(initial.has(at.into()));
        let blocked = diagram.glyph_at(at.into()) == Some(&Glyph::Hole);
        assert_eq!(blocked, ["a", "b"].contains(&name), "{name}");
    }
    let (columns, rows) = game.size();
    let squares = usize::from(columns) * usize::from(rows);
    let absent = initial
        .glyphs()
        .filter(|(_, glyph)| **glyph == Glyph::Absent);
    assert_eq!(absent.count(), squares - 4);
}
