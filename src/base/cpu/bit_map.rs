//! Maps of sets that take each square to a square, by tables.

/// A map of sets of up to 24 places that takes each place to another, or to none, and then
/// changes some places: three look-ups for each set, however the places are permuted.
#[derive(Debug, Clone)]
pub struct BitMap {
    /// By part of eight places: the image of each set of them.
    parts: Box<[[u32; 256]; 3]>,
}

impl Default for BitMap {
    fn default() -> Self {
        Self {
            parts: Box::new([[0; 256]; 3]),
        }
    }
}

impl BitMap {
    /// Sets the map to one of `places` places: `image` gives that of each as a bit, or zero,
    /// and `flip` the places that are changed afterwards.
    ///
    /// # Panics
    /// If there are more than 24 places.
    pub fn set(&mut self, places: u32, flip: u32, mut image: impl FnMut(u32) -> u32) {
        assert!(places <= 24, "too many places");
        for (first, part) in (0..).step_by(8).zip(self.parts.iter_mut()) {
            part[0] = if first == 0 { flip } else { 0 };
            for bit in 0..8 {
                let place = first + bit;
                let image = if place < places { image(place) } else { 0 };
                let (known, new) = part.split_at_mut(1 << bit);
                for (&known, new) in known.iter().zip(new) {
                    *new = known ^ image;
                }
            }
        }
    }

    /// The image of a set.
    #[must_use]
    #[inline]
    pub fn of(&self, set: u32) -> u32 {
        let part = |number: usize| (set >> (8 * number) & 255) as usize;
        self.parts[0][part(0)] ^ self.parts[1][part(1)] ^ self.parts[2][part(2)]
    }

    /// The tables: by part of eight places, the image of each set of them.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    pub(super) fn tables(&self) -> &[[u32; 256]; 3] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SplitMix64;

    #[test]
    fn a_map_takes_each_place_to_its_image() {
        let mut random = SplitMix64::new(5);
        let mut map = BitMap::default();
        for places in [0, 3, 8, 9, 16, 22, 24] {
            let images: Vec<u32> = (0..places).map(|_| 1 << random.below(25)).collect();
            let flip = (random.next() >> 40) as u32;
            map.set(places, flip, |place| images[place as usize]);
            for _ in 0..1_000 {
                let set = (random.next() >> 40) as u32 & ((1 << places) - 1);
                let of = |place: u32| {
                    if set >> place & 1 == 1 {
                        images[place as usize]
                    } else {
                        0
                    }
                };
                let expected = (0..places).fold(flip, |image, place| image ^ of(place));
                assert_eq!(map.of(set), expected);
            }
        }
    }
}
