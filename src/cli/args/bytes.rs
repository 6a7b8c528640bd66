//! Numbers of bytes.

/// Reads a number of bytes: `9GiB`, `9GB`, `512MiB`, or plain bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => 0.0,
    };
    let number = digits.trim().parse::<f64>().ok();
    let bytes = number.map_or(0.0, |number| number * unit);
    if !bytes.is_finite() || bytes < 1.0 {
        return Err("give a number of bytes with a unit, such as 9GiB or 800MB".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and saturating beyond all memory"
    )]
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes_have_units() {
        assert_eq!(parse_bytes("9GiB"), Ok(9 << 30));
        assert_eq!(parse_bytes("1.5gb"), Ok(1_500_000_000));
        assert_eq!(parse_bytes("4096"), Ok(4096));
        for wrong in ["", "GiB", "-3GB", "9 parsecs", "nan", "0"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
