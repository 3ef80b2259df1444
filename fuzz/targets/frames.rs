//! The frames of clients, workers and daemons: whatever bytes come, in whatever pieces, they are values or errors.

#![no_main]

use libfuzzer_sys::fuzz_target;
use luminos_wire::control::{Hello, Reply, Request, RunEvent};
use luminos_wire::worker::{FromWorker, Greeting, ToWorker};
use luminos_wire::{Frames, decode, encode};

const MOST: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let size = usize::from(*first) + 1;
    let mut frames = Frames::new(MOST);
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    'pieces: for piece in bytes.chunks(size) {
        frames.feed(piece);
        loop {
            match frames.take() {
                Ok(Some(body)) => bodies.push(body.to_vec()),
                Ok(None) => break,
                Err(_) => break 'pieces,
            }
        }
    }
    // However the bytes are cut, the same bodies come out.
    let mut whole = Frames::new(MOST);
    whole.feed(bytes);
    for body in &bodies {
        assert!(body.len() <= MOST);
        assert_eq!(whole.take().ok().flatten(), Some(body.as_slice()));
        let _ = decode::<Hello>(body);
        let _ = decode::<Reply>(body);
        let _ = decode::<RunEvent>(body);
        let _ = decode::<Greeting>(body);
        let _ = decode::<ToWorker>(body);
        let _ = decode::<FromWorker>(body);
        // What is understood can be said again, and means the same.
        if let Ok(request) = decode::<Request>(body) {
            let frame = encode(&request).unwrap();
            assert_eq!(decode::<Request>(&frame[4..]).unwrap(), request);
        }
    }
});
