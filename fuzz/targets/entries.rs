//! Documents of the store that may have been damaged: what is not as it was written is refused, never believed.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| luminos_store::probe::document(data));
