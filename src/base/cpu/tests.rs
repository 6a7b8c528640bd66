//! Every kind of processor does the same.

use super::*;
use crate::base::random::SplitMix64;

struct AgreesWithPortable;

impl CpuTask for AgreesWithPortable {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut x: u32 = 0x9e37_79b9;
        let mut next = || {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            x.rotate_left(13)
        };
        for _ in 0..10_000 {
            let (value, mask) = (next(), next());
            let gathered = Portable.extract(value, mask);
            assert_eq!(cpu.extract(value, mask), gathered);
            assert_eq!(gathered.count_ones(), (value & mask).count_ones());
            assert_eq!(Portable.deposit(gathered, mask), value & mask);
            assert_eq!(cpu.deposit(value, mask), Portable.deposit(value, mask));
            let atoms: Vec<_> = (0..next() % 65)
                .map(|_| AtomicU32::new(next() >> 28))
                .collect();
            let patterns = [(0xf, value >> 8 & 0xf), (0x3, mask >> 8 & 3)];
            let found = Portable.matching(&atoms, patterns);
            assert_eq!(cpu.matching(&atoms, patterns), found);
            for (place, atom) in atoms.iter().enumerate() {
                let word = atom.load(Relaxed);
                let matches = patterns.map(|(mask, bits)| word & mask == bits);
                assert_eq!(found >> place & 1 == 1, matches.contains(&true));
            }
            let words: Vec<u32> = (0..next() % 40).map(|_| next() >> 28).collect();
            let filter = Filter {
                mask: mask & 3,
                bits: value & mask & 3,
                key_mask: 6,
                key: next() & 6,
                with: next() & 15,
                without: next() & 15,
            };
            selects::<false, C>(cpu, &words, filter);
            selects::<true, C>(cpu, &words, filter);
        }
        for _ in 0..500 {
            positions(cpu, &mut next);
        }
    }
}

fn selects<const KEYED: bool, C: Cpu>(cpu: C, words: &[u32], filter: Filter) {
    let keyed = |word: u32| {
        let asked = [filter.without, filter.with];
        word & asked[usize::from(word & filter.key_mask == filter.key)] != 0
    };
    let passes = |&&word: &&u32| word & filter.mask == filter.bits && (!KEYED || keyed(word));
    let mut selected = NONE_SELECTED;
    let count = cpu.select::<KEYED>(words, filter, &mut selected);
    assert!(words.iter().filter(passes).eq(&selected[..count]));
}

/// What is done to many positions at once, against the portable version and the words of
/// the documentation.
fn positions<C: Cpu>(cpu: C, next: &mut impl FnMut() -> u32) {
    let len = next() as usize % 100;
    let ranker = Ranker::new(20, 5);
    let sets: Vec<u32> = (0..len)
        .map(|_| ranker.patterns()[next() as usize % 15_504])
        .collect();
    let of = |change: &dyn Fn(&mut [u32])| {
        let mut changed = sets.clone();
        change(&mut changed);
        changed
    };
    let shifts = Shifts::between(Portable, 0x1f_ffff, 0x3f_fffe ^ 0x20_0000, 0).unwrap();
    let expected: Vec<_> = sets
        .iter()
        .map(|&set| ranker.rank(shifts.of(set)))
        .collect();
    assert_eq!(of(&|sets| cpu.ranks(sets, shifts, &ranker)), expected);
    let mut map = BitMap::default();
    map.set(20, 0, |place| 1 << ((place * 7 + 3) % 20));
    let expected: Vec<_> = sets.iter().map(|&set| ranker.rank(map.of(set))).collect();
    assert_eq!(of(&|sets| cpu.image_ranks(sets, &map, &ranker)), expected);

    let words: Vec<_> = (0..len).map(|_| AtomicU32::new(next())).collect();
    let in_use = |first: usize| u16::MAX >> (16 - (len - first).min(16));
    let chosen = (0..len)
        .step_by(16)
        .map(|first| next() as u16 & in_use(first));
    let chosen: Vec<u16> = chosen.collect();
    let is_chosen =
        |place: &usize| place / 16 < chosen.len() && chosen[place / 16] >> (place % 16) & 1 == 1;
    let places: Vec<usize> = (0..len).filter(is_chosen).collect();
    let read = |&place: &usize| words[place].load(Relaxed);
    let expected: Vec<u32> = places.iter().map(read).collect();
    let mut found = vec![0; len + 16];
    let count = cpu.compress(&words, &chosen, &mut found);
    assert_eq!(found[..count], expected);
    let some: Vec<u32> = places.iter().map(|&place| place as u32).collect();
    cpu.gather(&words, &some, &mut found[..count]);
    assert_eq!(found[..count], expected);

    let mut greatest: Vec<u32> = (0..len).map(|_| next() >> 29).collect();
    let mut second: Vec<u32> = greatest.iter().map(|&number| number.min(3)).collect();
    let numbers: Vec<u32> = (0..count).map(|_| next() >> 29).collect();
    let raised = |place: usize| {
        let number = places.iter().position(|&chosen| chosen == place);
        let mut all = vec![greatest[place], second[place]];
        all.extend(number.map(|at| numbers[at]));
        all.sort_unstable_by(|a, b| b.cmp(a));
        (all[0], all[1])
    };
    let expected: (Vec<u32>, Vec<u32>) = (0..len).map(raised).unzip();
    cpu.raise(&mut greatest, &mut second, &chosen, &numbers);
    assert_eq!((greatest, second), expected);

    let (step, bound) = (
        CountDown {
            shift: 23,
            flag: 1 << 29,
            xor: 0x55 << 16,
        },
        Bound {
            flags: 3 << 29,
            shift: 8,
            most: next() as u8,
        },
    );
    let mut rest = NONE_SELECTED;
    if let Some(count) = cpu.failing(&words, &some, bound, &mut rest) {
        let fails = |&&place: &&u32| {
            let word = words[place as usize].load(Relaxed);
            let byte = (word >> 8) as u8;
            word & bound.flags != bound.flags || byte > bound.most || (byte ^ bound.most) & 1 == 1
        };
        assert!(some.iter().filter(fails).eq(&rest[..count]));
    }
    let before: Vec<u32> = words.iter().map(|word| word.load(Relaxed)).collect();
    if let Some(count) = cpu.count_down(&words, &some, step, &mut rest) {
        let mut few = Vec::new();
        for (place, &old) in before.iter().enumerate() {
            let left = old >> step.shift & 63;
            let mut expected = old;
            if is_chosen(&place) && (1..=2).contains(&left) {
                few.push(place as u32);
            } else if is_chosen(&place) && left > 2 {
                expected -= 1 << step.shift;
                expected ^= if old & step.flag == 0 { step.xor } else { 0 };
            }
            assert_eq!(words[place].load(Relaxed), expected);
        }
        assert_eq!(rest[..count], few);
    }
}

#[test]
fn every_processor_does_the_same() {
    AgreesWithPortable.run(Portable);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        if let Some(cpu) = Avx2::detected() {
            cpu.run(AgreesWithPortable);
        }
        if let Some(cpu) = Avx512::detected() {
            cpu.run(AgreesWithPortable);
        }
    }
}

#[test]
fn shifts_renumber_as_spreading_and_gathering_do() {
    let mut random = SplitMix64::new(3);
    let mut next = || (random.next() >> 39) as u32;
    let (mut near, mut far) = (0, 0);
    for _ in 0..20_000 {
        let from = next() & next() | next();
        // Most often a square that is exchanged for another.
        let to = (0..next() % 3).fold(from, |to, _| to ^ 1 << (next() % 25));
        let flip = next() & from & to;
        let set = extract(next(), (1 << from.count_ones()) - 1);
        let expected = extract(deposit(set, from) ^ flip, to);
        if let Some(shifts) = Shifts::between(Portable, from, to, flip) {
            assert_eq!(shifts.of(set), expected, "{from:b} {to:b}");
            near += 1;
        } else {
            far += 1;
        }
    }
    assert!(near > 10_000 && far > 100);
}

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
