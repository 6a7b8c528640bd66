//! Random conditions and rows.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::expression::{Part, Row, Value, WORDS};

/// Rows, many of whose values are missing.
pub fn rows() -> impl Strategy<Value = Vec<Row>> {
    let number = || option::weighted(0.8, prop_oneof![-3..4i32, 5..30i32]);
    let flag = || option::weighted(0.8, any::<bool>());
    let word = || option::weighted(0.8, 0..WORDS.len());
    let row = (number(), number(), flag(), flag(), word(), word());
    let row = row.prop_map(|(n, m, p, q, w, v)| Row {
        numbers: [n, m],
        flags: [p, q],
        words: [w, v],
    });
    vec(row, 1..12)
}

fn boxed<const N: usize>(parts: [Part; N]) -> [Box<Part>; N] {
    parts.map(Box::new)
}

/// An arithmetic, NULL among its values.
pub fn number(depth: u32) -> BoxedStrategy<Part> {
    let leaf = prop_oneof![
        4 => (0..2usize).prop_map(Part::Number),
        3 => (-3..8i128).prop_map(|n| Part::Literal(Value::Whole(n))),
        1 => (-6..7i32).prop_map(|n| Part::Literal(Value::Decimal(f64::from(n) / 2.0))),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let below = || number(depth - 1);
    let sign = prop::sample::select(vec!["+", "-", "*", "/", "%"]);
    let one = prop::sample::select(vec!["ABS", "SIGN", "CEIL", "FLOOR", "ROUND"]);
    let several = prop::sample::select(vec!["COALESCE", "GREATEST", "LEAST"]);
    prop_oneof![
        2 => leaf,
        1 => below().prop_map(|a| Part::Negative(Box::new(a))),
        5 => (sign, below(), below()).prop_map(|(sign, a, b)| {
            let [a, b] = boxed([a, b]);
            Part::Arithmetic(sign, a, b)
        }),
        2 => (one, below()).prop_map(|(name, a)| Part::Call(name, vec![a])),
        2 => (several, vec(below(), 1..4)).prop_map(|(name, parts)| Part::Call(name, parts)),
        1 => (below(), below()).prop_map(|(a, b)| Part::Call("NULLIF", vec![a, b])),
        1 => text(depth - 1).prop_map(|a| Part::Call("LENGTH", vec![a])),
        2 => case(depth, below()),
    ]
    .boxed()
}

/// A text.
pub fn text(depth: u32) -> BoxedStrategy<Part> {
    let leaf = prop_oneof![
        4 => (0..2usize).prop_map(Part::Word),
        1 => any_word().prop_map(Part::Literal),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let below = || text(depth - 1);
    let one = prop::sample::select(vec!["LOWER", "UPPER"]);
    prop_oneof![
        4 => leaf,
        1 => (one, below()).prop_map(|(name, a)| Part::Call(name, vec![a])),
        1 => vec(below(), 1..4).prop_map(|parts| Part::Call("COALESCE", parts)),
        1 => (below(), below()).prop_map(|(a, b)| Part::Call("NULLIF", vec![a, b])),
        1 => case(depth, below()),
    ]
    .boxed()
}

fn any_word() -> impl Strategy<Value = Value> {
    prop::sample::select(&WORDS[..]).prop_map(|word| Value::Text(word.to_owned()))
}

/// A CASE of either form, sometimes without ELSE, sometimes with NULL as a value.
fn case(depth: u32, value: BoxedStrategy<Part>) -> BoxedStrategy<Part> {
    let null = Just(Part::Literal(Value::Null));
    let any = prop_oneof![9 => value.clone(), 1 => null].boxed();
    // One value is not NULL, so that there is a type.
    let searched = (
        (condition(depth - 1), value.clone()),
        option::of((condition(depth - 1), any.clone())),
        option::of(any.clone()),
    );
    let searched = searched.prop_map(|(first, second, otherwise)| {
        let arms = [Some(first), second].into_iter().flatten().collect();
        Part::Case(None, arms, otherwise.map(Box::new))
    });
    let when = vec((number(0), any), 1..3);
    let simple = (number(0), when, value).prop_map(|(operand, arms, otherwise)| {
        Part::Case(Some(Box::new(operand)), arms, Some(Box::new(otherwise)))
    });
    prop_oneof![2 => searched, 1 => simple].boxed()
}

/// A condition.
pub fn condition(depth: u32) -> BoxedStrategy<Part> {
    let leaf = prop_oneof![
        4 => (0..2usize).prop_map(Part::Flag),
        1 => any::<bool>().prop_map(|flag| Part::Literal(Value::Flag(flag))),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let below = || condition(depth - 1);
    let (number, text) = (|| number(depth - 1), || text(depth - 1));
    let sign = || prop::sample::select(vec!["=", "<>", "!=", "<", "<=", ">", ">="]);
    let equal = prop::sample::select(vec!["=", "<>"]);
    let logic = prop::sample::select(vec!["AND", "OR"]);
    let patterns = vec![
        "%", "", "_", "w%", "%s", "%a_b%", "D___", "_i_", "%\\%", "(a|b)%", "%%o%",
    ];
    let compared = |(sign, a, b)| {
        let [a, b] = boxed([a, b]);
        Part::Comparison(sign, a, b)
    };
    let any_literal = prop_oneof![
        (-3..8i128).prop_map(Value::Whole),
        (-6..7i32).prop_map(|n| Value::Decimal(f64::from(n) / 2.0)),
    ];
    let whole = (-3..8i128).prop_map(Value::Whole);
    prop_oneof![
        1 => leaf,
        6 => (sign(), number(), number()).prop_map(compared),
        // A literal text would have to be one of the words of the other side.
        2 => (sign(), text(), (0..2usize).prop_map(Part::Word)).prop_map(|(sign, a, b)| {
            let [a, b] = boxed([if matches!(a, Part::Literal(_)) { b.clone() } else { a }, b]);
            Part::Comparison(sign, a, b)
        }),
        1 => (equal, below(), below()).prop_map(compared),
        6 => (logic, below(), below()).prop_map(|(word, a, b)| {
            let [a, b] = boxed([a, b]);
            Part::Logic(word, a, b)
        }),
        3 => below().prop_map(|a| Part::Not(Box::new(a))),
        2 => (prop_oneof![number(), text(), below()], any::<bool>())
            .prop_map(|(a, negated)| Part::Missing(Box::new(a), negated)),
        1 => (number(), number(), any::<bool>()).prop_map(|(a, b, negated)| {
            let [a, b] = boxed([a, b]);
            Part::Distinct(a, b, negated)
        }),
        2 => (number(), number(), number(), any::<bool>()).prop_map(|(a, b, c, negated)| {
            let [a, b, c] = boxed([a, b, c]);
            Part::Between(a, b, c, negated)
        }),
        2 => (number(), prop_oneof![vec(whole, 1..4), vec(any_literal, 1..4)], any::<bool>())
            .prop_map(|(a, list, negated)| Part::In(Box::new(a), list, negated)),
        1 => ((0..2usize), vec(any_word(), 1..4), any::<bool>())
            .prop_map(|(a, list, negated)| Part::In(Box::new(Part::Word(a)), list, negated)),
        1 => (text(), prop::sample::select(patterns), any::<bool>())
            .prop_map(|(a, pattern, negated)| Part::Like(Box::new(a), pattern, negated)),
        1 => vec(below(), 1..4).prop_map(|parts| Part::Call("COALESCE", parts)),
        1 => case(depth, below()),
    ]
    .boxed()
}
