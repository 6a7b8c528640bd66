#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tesuji_fuzz::checks::engine(bytes));
