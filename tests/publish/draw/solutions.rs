//! Solution trees.

use proptest::prelude::*;
use resvg::usvg;
use tesuji::draw::{Diagram, Millimetres, Role, SolutionTree, Style, Tone, TreeNode, tree};

use super::fixtures::board;
use super::{golden, lines, readable, shapes};

type Done = Result<(), Box<dyn std::error::Error>>;

const ROLES: [Role; 5] = [
    Role::Main,
    Role::Variation,
    Role::Other,
    Role::Try,
    Role::SetPlay,
];

/// A key with two replies, a try, and set play.
fn small() -> Result<SolutionTree, Box<dyn std::error::Error>> {
    let root = board(&["o..", ".xo", "@.."])?;
    let last = board(&["...", "o.x", "@.."])?;
    let mut tree = SolutionTree::new(root.to_move(Tone::Dark).stipulation("Win in 3"));
    let key = tree.add(None, TreeNode::new(Role::Main, "1.b2R!"));
    let reply = tree.add(Some(key), TreeNode::new(Role::Main, "a3D"));
    let mut end = TreeNode::new(Role::Main, "2.c2U").note("(c2L)");
    end.board = Some(last);
    tree.add(Some(reply), end);
    let other = tree.add(Some(key), TreeNode::new(Role::Variation, "a3R"));
    tree.add(Some(other), TreeNode::new(Role::Variation, "2.c2L"));
    let tried = tree.add(None, TreeNode::new(Role::Try, "1.a1U?"));
    tree.add(Some(tried), TreeNode::new(Role::Try, "c2L!").note("draw"));
    tree.add(None, TreeNode::new(Role::SetPlay, "1\u{2026}c2D"));
    Ok(tree.remark("(c2L): a dual."))
}

/// A line of eight moves, with a second reply to the third that goes on for one move.
fn line_of_eight() -> Result<SolutionTree, Box<dyn std::error::Error>> {
    let mut tree = SolutionTree::new(Diagram::new(3, 3)?);
    let mut last = None;
    for ply in 0..8 {
        last = Some(tree.add(last, TreeNode::new(Role::Main, format!("m{ply}"))));
    }
    let other = tree.add(Some(2), TreeNode::new(Role::Variation, "n3"));
    tree.add(Some(other), TreeNode::new(Role::Variation, "n4"));
    Ok(tree)
}

#[test]
fn variations_have_rows_and_plies_columns() -> Done {
    let style = Style {
        page_mm: Millimetres::try_from(1000.0)?,
        ..readable(Style::print())
    };
    let svg = tree("", "", &line_of_eight()?, &style);
    let document = usvg::roxmltree::Document::parse(&svg)?;
    let at = |label: &str| {
        let mut nodes = document.descendants();
        let node = nodes.find(|node| node.has_tag_name("text") && node.text() == Some(label));
        let place = |name| node.and_then(|node| node.attribute(name)?.parse::<f64>().ok());
        (place("x").expect(label), place("y").expect(label))
    };
    let main = (0..8).map(|ply| at(&format!("m{ply}")));
    let (columns, rows): (Vec<f64>, Vec<f64>) = main.unzip();
    assert!(columns.is_sorted_by(|a, b| a < b), "{columns:?}");
    assert!(rows.iter().all(|y| (y - rows[0]).abs() < 0.005), "{rows:?}");
    let (third, fourth) = (at("n3"), at("n4"));
    assert!(
        (third.0 - columns[3]).abs() < 0.005,
        "beside the first reply"
    );
    assert!((fourth.0 - columns[4]).abs() < 0.005);
    assert!((third.1 - fourth.1).abs() < 0.005 && third.1 > rows[0]);
    Ok(())
}

#[test]
fn a_wide_tree_goes_on_below() -> Done {
    // Too narrow for anything: two columns a band.
    let style = Style {
        page_mm: Millimetres::try_from(Millimetres::MIN)?,
        ..readable(Style::print())
    };
    let lines = lines(&tree("", "", &line_of_eight()?, &style));
    let is_letter = |line: &&String| line.len() == 1 && line.chars().all(char::is_uppercase);
    let mut letters: Vec<_> = lines.iter().filter(is_letter).collect();
    letters.sort_unstable();
    assert_eq!(letters, ["A", "A", "B", "B", "C", "C", "D", "D"]);
    let drawn = lines.iter().filter(|line| line.starts_with(['m', 'n']));
    let moves = drawn.filter(|line| line.len() == 2);
    assert_eq!(moves.count(), 10, "every node once");
    Ok(())
}

#[test]
fn golden_tree() -> Done {
    let style = readable(Style::print());
    golden(
        "tree",
        &tree("Three plies", "1.b2R! a3D 2.c2U", &small()?, &style),
    );
    Ok(())
}

/// Play without seeing the other side: what is announced stands above the lines, and
/// how many positions remain possible below the moves.
pub fn hidden(root: Diagram) -> SolutionTree {
    let mut tree = SolutionTree::new(root.stipulation("Mate in 5, one foul allowed"));
    let node = |role, label: &str, count: u32| match count {
        0 => TreeNode::new(role, label),
        1 => TreeNode::new(role, label).note("1 position"),
        _ => TreeNode::new(role, label).note(format!("{count} positions")),
    };
    let (main, other) = (Role::Main, Role::Variation);
    let key = tree.add(None, node(main, "1.S1e!", 1));
    let held = tree.add(Some(key), node(main, "3.R3b+", 12).edge("check"));
    tree.add(Some(held), node(main, "5.G*2b", 7).edge("check"));
    let taken = node(other, "5.Rx2b", 3).edge("x3b");
    tree.add(Some(held), taken);
    let foul = tree.add(Some(held), node(other, "3.R3c+", 2).edge("foul"));
    tree.add(Some(foul), node(other, "5.G*2b", 2).edge("check"));
    let lost = tree.add(
        Some(key),
        node(other, "3.S*2d", 4).edge("x1e, countercheck"),
    );
    tree.add(Some(lost), node(other, "5.R1d", 4).edge("check"));
    // A node may also be the set of positions itself.
    let set = TreeNode::new(Role::Try, "{9}").edge("foul");
    let tried = tree.add(None, TreeNode::new(Role::Try, "1.R3b+?"));
    tree.add(Some(tried), set);
    tree.remark("Not the solution of anything.")
}

#[test]
fn golden_fouls() -> Done {
    let root = board(&["o..", ".xo", "@.."])?;
    let style = readable(Style::print());
    golden("fouls", &tree("Announcements", "", &hidden(root), &style));
    Ok(())
}

/// Words above a line keep to its length, between the upright line and the move.
#[test]
fn words_above_lines_have_room() -> Done {
    let width = |words: &str| -> Result<f32, Box<dyn std::error::Error>> {
        let mut drawn = SolutionTree::new(board(&["x"])?);
        let key = drawn.add(None, TreeNode::new(Role::Main, "a"));
        drawn.add(Some(key), TreeNode::new(Role::Main, "b"));
        drawn.add(Some(key), TreeNode::new(Role::Main, "c").edge(words));
        let svg = tree("", "", &drawn, &Style::print());
        assert!(words.is_empty() || lines(&svg).iter().any(|line| line == words));
        Ok(shapes(&svg).size().width())
    };
    let (none, short, long) = (width("")?, width("x")?, width("taken on 2d, countercheck")?);
    assert!((none - short).abs() < 0.01, "a line has room for a letter");
    assert!(long > short + 50.0, "and grows with what is above it");
    Ok(())
}

/// Every role has its own line, and the legend explains them.
#[test]
fn roles_are_told_without_colour() -> Done {
    let svg = tree("", "", &small()?, &readable(Style::print()));
    let words = lines(&svg);
    for name in ["main line", "variation", "try", "set play"] {
        assert!(words.iter().any(|word| word == name), "{name}");
    }
    assert!(
        !words.iter().any(|word| word == "also solves"),
        "there is none"
    );
    let dashes: std::collections::BTreeSet<_> = svg
        .split("stroke-dasharray=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(dashes.len(), 2, "tries and set play");
    Ok(())
}

#[test]
fn nodes_follow_nodes() -> Done {
    let mut tree = SolutionTree::new(board(&["x"])?);
    assert_eq!(tree.add(None, TreeNode::new(Role::Main, "a")), 0);
    assert_eq!(tree.add(Some(0), TreeNode::new(Role::Main, "b")), 1);
    Ok(())
}

proptest! {
    /// Whatever the tree, every move is drawn once, and nothing sticks out.
    #[test]
    fn any_tree_is_sound(
        nodes in proptest::collection::vec((any::<u32>(), 0..5_usize, any::<bool>(), any::<bool>()), 0..60),
        page in 20.0..400.0_f64,
    ) {
        let root = board(&["o..", ".xo", "@.."])?;
        let mut drawn = SolutionTree::new(root.clone());
        for (number, (parent, role, note, small)) in nodes.iter().enumerate() {
            let mut node = TreeNode::new(ROLES[*role], format!("move{number}"));
            if *note {
                node = node.note("a note");
            }
            if *small {
                node.board = Some(root.clone());
            }
            if parent % 3 == 0 {
                node = node.edge("announced");
            }
            // One of the nodes before, or the position.
            let parent = (*parent as usize) % (number + 1);
            drawn.add(parent.checked_sub(1), node);
        }
        let style = Style { page_mm: Millimetres::try_from(page)?, ..Style::print() };
        let svg = tree("Title", "words", &drawn, &style);
        let words = lines(&svg);
        for number in 0..nodes.len() {
            let label = format!("move{number}");
            prop_assert_eq!(words.iter().filter(|word| **word == label).count(), 1);
        }
        let tree = shapes(&svg);
        let drawn = tree.root().abs_stroke_bounding_box();
        prop_assert!(drawn.left() > -0.3 && drawn.top() > -0.3, "{:?}", drawn);
        prop_assert!(drawn.right() < tree.size().width() + 0.3, "{:?}", drawn);
        prop_assert!(drawn.bottom() < tree.size().height() + 0.3, "{:?}", drawn);
    }
}
