//! Working records of narrow values in 28 bits, for groups that do not fit the memory.
//!
//! The count and the two flags of a record share five bits:
//!
//! | code | both fields |
//! |---|---|
//! | `0..=29` | that many unresolved moves; the best value is decided if it is a win |
//! | `30` | the second value is decided, and one move is unresolved |
//! | `31` | both values are decided |
//!
//! That is enough, since a best value is undecided exactly while it is a floor that loses or
//! draws, and nothing is counted once both values are decided.
//!
//! [`Packing`] says how the bits are stored.

use super::Work;
use crate::base::cpu::Packing;
use crate::base::value::{Narrow, Value, Width};

/// The most unresolved moves that a packed record can have.
pub(in crate::solve) const MOST_MOVES: u32 = 29;

type Narrows = Work<Narrow>;

/// How records are packed: the best value is decided if it is a win, as
/// [`Value::outcome`] has it.
pub(in crate::solve) const PACKING: Packing = Packing {
    shift: Narrows::COUNT_SHIFT,
    first: Narrows::BEST_DECIDED as u32,
    second: Narrows::SECOND_DECIDED as u32,
    greatest: Narrow::LONGEST as u32,
    never: [
        Value::<Narrow>::VACANT.code() as u32,
        Value::<Narrow>::DRAW.code() as u32,
    ],
};

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;
    use crate::base::cpu::{Cpu, CpuTask, PACKED, Portable, dispatch};
    use crate::base::random::SplitMix64;

    /// Records as they come about: a first record, and moves resolved in order of distance.
    fn some_records(count: usize) -> Vec<u32> {
        let mut random = SplitMix64::new(7);
        let mut below = |n: usize| random.below(n);
        let mut records = Vec::new();
        while records.len() < count {
            let floors = [
                None,
                Some(Value::DRAW),
                Some(Value::SELF_MATE),
                Some(Value::from_code(below(222) as u16)),
                Some(Value::from_code(225 + below(29) as u16)),
            ];
            let floor = floors[below(5)];
            let moves = below(30) as u8;
            let mut work = Narrows::begin(floor, moves, below(128) as u8);
            let mut distance = 1;
            records.push(work.bits() as u32);
            for _ in 0..moves {
                distance += below(12) as u16;
                let irregular = below(8) == 0 && distance <= 29;
                let code = if irregular { 254 - distance } else { distance };
                if distance > 222 {
                    break;
                }
                work = work.resolve(Value::from_code(code), below(128) as u8);
                records.push(work.bits() as u32);
            }
        }
        records.push(Narrows::VACANT.bits() as u32);
        records.push(Narrows::OPEN.bits() as u32);
        records.push(Narrows::decided(Value::CHECKMATE, Value::CHECKMATE, 0).bits() as u32);
        records
    }

    #[test]
    fn records_are_the_same_after_packing() {
        for record in some_records(200_000) {
            let packed = PACKING.pack(record);
            assert!(packed < 1 << 28);
            assert_eq!(PACKING.unpack(packed), record, "{record:#x}");
        }
    }

    struct BlocksAreTheSame<'r>(&'r [u32; PACKED]);

    impl CpuTask for BlocksAreTheSame<'_> {
        type Output = ();

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) {
            let mut words = self.0.map(AtomicU32::new);
            let (mut bytes, mut portable) = ([0xaa; PACKED / 2 * 7], [0x55; PACKED / 2 * 7]);
            cpu.pack(&mut words, &mut bytes, PACKING);
            Portable.pack(&mut words, &mut portable, PACKING);
            assert_eq!(bytes, portable);
            let mut words = [0; PACKED].map(AtomicU32::new);
            cpu.unpack(&bytes, &mut words, PACKING);
            assert_eq!(words.map(AtomicU32::into_inner), *self.0);
            for (at, &record) in self.0.iter().enumerate() {
                assert_eq!(PACKING.get(&bytes, at), record);
                let (mut one, to) = (bytes, (at + 7) % PACKED);
                PACKING.set(&mut one, to, record);
                assert_eq!(PACKING.get(&one, to), record);
                let mut others = (0..PACKED).filter(|&other| other != to);
                let same = |other| PACKING.get(&one, other) == PACKING.get(&bytes, other);
                assert!(others.all(same), "other places stay as they are");
            }
            let places: Vec<u32> = (0..PACKED as u32)
                .map(|at| at * 5 % PACKED as u32)
                .collect();
            for places in places.chunks(13) {
                let mut found = [0; 16];
                cpu.gather_packed(&bytes, places, PACKING, &mut found);
                for (&place, &record) in places.iter().zip(&found) {
                    assert_eq!(record, self.0[place as usize]);
                }
            }
            for byte in [0, 1, 7, 222, 255] {
                let found = cpu.with_byte(&bytes, byte);
                assert_eq!(found, Portable.with_byte(&bytes, byte));
                for (at, record) in self.0.iter().enumerate() {
                    let [a, b, ..] = record.to_le_bytes();
                    assert_eq!(found >> at & 1 == 1, a == byte || b == byte);
                }
            }
        }
    }

    #[test]
    fn blocks_are_the_same_after_packing() {
        for records in some_records(60_000).as_chunks().0 {
            dispatch(BlocksAreTheSame(records));
            BlocksAreTheSame(records).run(Portable);
        }
    }
}
