//! Requirements that people write: whatever they wrote, it is read or refused, and what was read can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use luminos_planner::tasks::Requirement;

fuzz_target!(|text: &str| {
    let first = Requirement::parse(text);
    let again = Requirement::parse(text);
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
});
