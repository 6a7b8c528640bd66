//! The source code of programs in Rust, C and Python.

use std::fmt::Write;

use super::bits::Term;
use super::measure;
use super::policy::AnswerKind;
use super::program::{Diagram, Displaced, Form, Index, MIX, Magic, Program, Returns};
use crate::game::{Digit, Language};

impl Program {
    /// The source code in a language: a function `best_move` from the number of a state to
    /// the number of a move, or `next_state` to the number of the next state, with all that
    /// it needs.
    pub fn source(&self, language: Language) -> String {
        // With its function named `best_move`.
        let source = match &self.form {
            Form::Bits(terms) => bits(terms, language),
            Form::Magic(it) => magic(it, language),
            Form::Diagram(it) => diagram(it, language),
            Form::Hash(it) => hash(it, language),
            Form::Orders(it) => {
                // Four bits a square, the first in the lowest bits.
                let orders = it.orders.iter().map(|order| {
                    let squares = order.iter().rev();
                    let word = squares.fold(0_u64, |word, &square| word << 4 | u64::from(square));
                    format!("0x{word:x}")
                });
                let orders: Vec<String> = orders.collect();
                let (before, index) = match &it.index {
                    Index::Term(index) => (String::new(), term(*index, 1, language)),
                    Index::Program(program) => (which(program, language), "which(n)".to_owned()),
                };
                let helper = &it.helpers[language as usize];
                before
                    + &helper
                        .replace("{INDEX}", &index)
                        .replace("{COUNT}", &orders.len().to_string())
                        .replace("{ORDERS}", &language.list(&orders))
            }
            Form::Residues(it) => {
                let helper = &it.helpers[language as usize];
                helper.replace("{TABLE}", &bytes("TABLE", &it.bytes, language))
            }
        };
        match &self.returns {
            Returns::Answer(kind) => source.replace(AnswerKind::Move.function(), kind.function()),
            Returns::Made(helpers) => source + "\n" + &helpers[language as usize],
        }
    }
}

/// The source code of a program that is part of another: its function is named `which`.
fn which(program: &Program, language: Language) -> String {
    let source = program.source(language);
    let source = source.replace("best_move", "which");
    let source = match language {
        Language::Rust => source.replace("pub fn which", "fn which"),
        Language::C => source.replace("uint64_t which", "static uint64_t which"),
        Language::Python => source,
    };
    source + "\n"
}

/// A term as an expression of `n`, with the bits of a mask.
fn term(term: Term, mask: u64, language: Language) -> String {
    let Term { a, c, s } = term;
    let sum = match c {
        0 => "n".to_owned(),
        _ => format!("(n + {c})"),
    };
    match language {
        // Products may exceed 64 bits, but only lower bits are used.
        Language::Rust if c == 0 => format!("{a}u64.wrapping_mul(n) >> {s} & {mask}"),
        Language::Rust => format!("{a}u64.wrapping_mul{sum} >> {s} & {mask}"),
        Language::C => format!("{a}ULL * {sum} >> {s} & {mask}"),
        Language::Python => format!("{a} * {sum} >> {s} & {mask}"),
    }
}

/// The function `best_move` with this body, after the lines `before`.
fn function(language: Language, before: &str, body: &str) -> String {
    match language {
        Language::Rust => format!("{before}pub fn best_move(n: u64) -> u64 {{\n{body}}}\n"),
        Language::C => {
            format!("#include <stdint.h>\n\n{before}uint64_t best_move(uint64_t n) {{\n{body}}}\n")
        }
        Language::Python => format!("{before}def best_move(n):\n{body}"),
    }
}

fn bits(terms: &[Term], language: Language) -> String {
    let mut body = String::new();
    for (bit, &one) in terms.iter().enumerate() {
        body += &named(&format!("b{bit}"), &term(one, 1, language), language);
    }
    let high = (1..terms.len()).rev();
    let high = high.map(|bit| format!("{} * b{bit}", 1_u64 << bit));
    let sum: Vec<String> = high.chain(["b0".to_owned()]).collect();
    body += &returned(&sum.join(" + "), language);
    function(language, "", &body)
}

fn hexadecimal<'a>(bytes: impl Iterator<Item = &'a u8>) -> String {
    bytes.fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes(name: &str, bytes: &[u8], language: Language) -> String {
    const IN_A_LINE: usize = 20;
    if language == Language::Python {
        let mut text = format!("{name} = bytes.fromhex(\n");
        for line in bytes.chunks(2 * IN_A_LINE) {
            let hex = hexadecimal(line.iter());
            let _ = writeln!(text, "    \"{hex}\"");
        }
        return text + ")\n";
    }
    let count = bytes.len();
    let (mut text, end) = match language {
        Language::Rust => (format!("const {name}: [u8; {count}] = [\n"), "];\n"),
        _ => (
            format!("static const uint8_t {name}[{count}] = {{\n"),
            "};\n",
        ),
    };
    for line in bytes.chunks(IN_A_LINE) {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "    {},", numbers.join(","));
    }
    text + end
}

/// A packed constant: the lines before the function, and the expression for its entry
/// number `place`.
fn packed(
    name: &str,
    values: &[u64],
    width: u32,
    place: &str,
    language: Language,
) -> (String, String) {
    let mut content = measure::packed(values, width);
    let mask = (1_u64 << width) - 1;
    // A name needs no parentheses.
    let factor = if place.contains(' ') {
        format!("({place})")
    } else {
        place.to_owned()
    };
    if language == Language::Python {
        let hex = hexadecimal(content.iter().rev());
        let hex = hex.trim_start_matches('0');
        let hex = if hex.is_empty() { "0" } else { hex };
        return (
            format!("{name} = 0x{hex}\n\n"),
            format!("{name} >> {width} * {factor} & {mask}"),
        );
    }
    if content.len() <= 8 {
        let bytes = content.iter().rev();
        let word = bytes.fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        let is_rust = language == Language::Rust;
        let suffix = if is_rust { "_u64" } else { "ULL" };
        let entry = format!("0x{word:x}{suffix} >> {width} * {factor} & {mask}");
        return (String::new(), entry);
    }
    // Padded, so that every entry can be read as four bytes, or as eight if it is long.
    let short = width <= 25;
    content.extend_from_slice(if short { &[0; 4] } else { &[0; 8] });
    let constant = bytes(name, &content, language);
    let lower = name.to_lowercase();
    let getter = if language == Language::Rust {
        let word = if short {
            format!(
                "u32::from_le_bytes([{name}[at], {name}[at + 1], {name}[at + 2], {name}[at + 3]])"
            )
        } else {
            format!("u64::from_le_bytes(std::array::from_fn(|i| {name}[at + i]))")
        };
        format!(
            "fn {lower}(place: u64) -> u64 {{\n    let bit = place * {width};\n    let at = (bit / 8) as usize;\n    let word = {word};\n    u64::from(word) >> (bit % 8) & {mask}\n}}\n"
        )
    } else {
        let word = if short {
            "uint32_t word = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;"
        } else {
            "uint64_t word = 0;\n    for (int i = 7; i >= 0; i--) word = word << 8 | at[i];"
        };
        format!(
            "static uint64_t {lower}(uint64_t place) {{\n    uint64_t bit = place * {width};\n    const uint8_t *at = {name} + bit / 8;\n    {word}\n    return word >> bit % 8 & {mask};\n}}\n"
        )
    };
    let call = format!("{lower}({place})");
    (format!("{constant}\n{getter}\n"), call)
}

fn returned(expression: &str, language: Language) -> String {
    match language {
        Language::Rust => format!("    {expression}\n"),
        Language::C => format!("    return {expression};\n"),
        Language::Python => format!("    return {expression}\n"),
    }
}

fn named(name: &str, expression: &str, language: Language) -> String {
    match language {
        Language::Rust => format!("    let {name} = {expression};\n"),
        Language::C => format!("    uint64_t {name} = {expression};\n"),
        Language::Python => format!("    {name} = {expression}\n"),
    }
}

fn magic(it: &Magic, language: Language) -> String {
    let (a, s) = (it.a, it.s);
    let place = term(Term { a, c: 0, s }, (1 << it.index_bits) - 1, language);
    let (before, entry) = packed("TABLE", &it.table, it.width, &place, language);
    function(language, &before, &returned(&entry, language))
}

fn hash(it: &Displaced, language: Language) -> String {
    let displacements: Vec<u64> = it.displacements.iter().map(|&of| of.into()).collect();
    let (buckets, places) = (it.displacements.len(), it.table.len());
    let (first, d) = packed(
        "SHIFTS",
        &displacements,
        it.displacement_width,
        &format!("mix(n) % {buckets}"),
        language,
    );
    let [a, b] = MIX;
    let shifted = match language {
        Language::Rust => format!("mix(n.wrapping_add((d + 1).wrapping_mul(0x{a:x}))) % {places}"),
        Language::C => format!("mix(n + (d + 1) * 0x{a:x}ULL) % {places}"),
        Language::Python => format!("mix(n + (d + 1) * 0x{a:x}) % {places}"),
    };
    let (second, entry) = packed("TABLE", &it.table, it.width, "place", language);
    let mix = match language {
        Language::Rust => format!(
            "fn mix(n: u64) -> u64 {{\n    let n = (n ^ n >> 33).wrapping_mul(0x{a:x});\n    let n = (n ^ n >> 33).wrapping_mul(0x{b:x});\n    n ^ n >> 33\n}}\n\n"
        ),
        Language::C => format!(
            "static uint64_t mix(uint64_t n) {{\n    n = (n ^ n >> 33) * 0x{a:x}ULL;\n    n = (n ^ n >> 33) * 0x{b:x}ULL;\n    return n ^ n >> 33;\n}}\n\n"
        ),
        Language::Python => format!(
            "MASK = (1 << 64) - 1\n\ndef mix(n):\n    n &= MASK\n    n = (n ^ n >> 33) * 0x{a:x} & MASK\n    n = (n ^ n >> 33) * 0x{b:x} & MASK\n    return n ^ n >> 33\n\n"
        ),
    };
    let body = named("d", &d, language)
        + &named("place", &shifted, language)
        + &returned(&entry, language);
    function(language, &(mix + &first + &second), &body)
}

fn digit(digit: &Digit) -> String {
    match digit {
        Digit::Quotient { divisor: 1, radix } => format!("n % {radix}"),
        Digit::Quotient { divisor, radix } => format!("n / {divisor} % {radix}"),
        Digit::Bits(bits) => {
            let parts = bits
                .iter()
                .enumerate()
                .map(|(place, bit)| match (place, bit) {
                    (0, 0) => "n & 1".to_owned(),
                    (0, bit) => format!("n >> {bit} & 1"),
                    (place, bit) => format!("(n >> {bit} & 1) << {place}"),
                });
            let parts: Vec<String> = parts.collect();
            if parts.len() == 1 {
                parts.concat()
            } else {
                format!("({}) | {}", parts[0], parts[1..].join(" | "))
            }
        }
    }
}

fn diagram(it: &Diagram, language: Language) -> String {
    let answers = it.first() + 1 - it.nodes();
    let bounds = it.bounds();
    let (before, entry) = packed("NODES", &it.listed(), it.width(), "place", language);
    // From the top: a node has a greater number than all nodes below it.
    let mut body = match language {
        Language::Rust => format!("    let mut at = {}u64;\n", it.first()),
        Language::C => format!("    uint64_t at = {}, place;\n", it.first()),
        Language::Python => format!("    at = {}\n", it.first()),
    };
    for (level, asked) in it.digits.iter().enumerate() {
        if it.levels[level].is_empty() {
            // No node branches on this digit.
            continue;
        }
        let (nodes, entries) = bounds[level];
        let (first, radix) = (answers + nodes, asked.radix());
        let mut value = digit(asked);
        if language == Language::Python {
            value = value.replace(" / ", " // ");
        }
        // Entries follow from node numbers unless radices differ.
        let place = if entries == nodes * radix {
            format!("(at - {answers}) * {radix} + ({value})")
        } else {
            format!("(at - {first}) * {radix} + {entries} + ({value})")
        };
        let _ = match language {
            Language::Rust => write!(
                body,
                "    if at >= {first} {{\n        let place = {place};\n        at = {entry};\n    }}\n"
            ),
            Language::C => write!(
                body,
                "    if (at >= {first}) {{\n        place = {place};\n        at = {entry};\n    }}\n"
            ),
            Language::Python => write!(
                body,
                "    if at >= {first}:\n        place = {place}\n        at = {entry}\n"
            ),
        };
    }
    body += &returned("at", language);
    function(language, &before, &body)
}
