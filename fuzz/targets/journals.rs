//! Journals of the store that may have been damaged: good lines are read, and a bad one stops what rests on it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| luminos_store::probe::journal(data));
