//! The streamed answers of a provider: whatever comes, and however it is cut, it is the same answer or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use luminos_models::{Dialect, decode_stream};

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let size = usize::from(*first) + 1;
    let whole = decode_stream(Dialect::Messages, [bytes]);
    let cut = decode_stream(Dialect::Messages, bytes.chunks(size));
    match (whole, cut) {
        (Ok(whole), Ok(cut)) => assert_eq!(format!("{whole:?}"), format!("{cut:?}")),
        (Err(whole), Err(cut)) => assert_eq!(whole.kind(), cut.kind()),
        (whole, cut) => panic!("whole: {whole:?}\ncut: {cut:?}"),
    }
});
