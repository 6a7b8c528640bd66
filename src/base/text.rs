//! Numbers and names as people read them.

/// A number with its digits in groups of three: `2,735,147,685`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in GiB or MiB.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30))
    } else {
        format!("{:.0} MiB", (bytes as f64 / f64::from(1 << 20)).ceil())
    }
}

/// A count with its noun: `1 ply`, `7 plies`, `2 fouls`.
#[must_use]
pub fn plural(count: u64, one: &str) -> String {
    match (count, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(count)),
        _ => format!("{} {one}s", grouped(count)),
    }
}

/// A name such as `edgeSacrifice` or `forced-sacrifice` in words: `edge sacrifice`.
#[must_use]
pub fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text.replace(['-', '_'], " ").trim().to_owned()
}
