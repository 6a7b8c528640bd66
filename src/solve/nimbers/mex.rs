//! The minimum excluded value.

use crate::game::Nimber;

/// The minimum excluded value: the least number that is not among `values`.
///
/// ```
/// assert_eq!(tesuji::solve::nimbers::mex([0, 1, 3]), 2);
/// ```
#[must_use]
pub fn mex(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    let mut seen = Vec::new();
    for value in values {
        let value = usize::from(value);
        if value >= seen.len() {
            seen.resize(value + 1, false);
        }
        seen[value] = true;
    }
    let least = seen.iter().position(|&seen| !seen).unwrap_or(seen.len());
    Nimber::try_from(least).unwrap_or(Nimber::MAX)
}
