//! Names that an unknown name may have been meant as.

/// Up to three names that are similar to an unknown one, the most similar first. Lower and
/// upper case count as the same.
pub(crate) fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // The distance takes the product of the lengths: of a long name the beginning will do.
    let unknown: String = unknown.chars().take(64).collect::<String>().to_lowercase();
    let far = |name: &str| {
        3.min(name.chars().count() / 2)
            .max(name.chars().count() / 3)
    };
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&unknown, &name.to_lowercase()),
                name,
            )
        })
        .filter(|&(distance, name)| distance <= far(name))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}
