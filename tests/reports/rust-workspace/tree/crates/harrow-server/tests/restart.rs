//! A broker that is started again finds what it had.

use harrow_log::{Offset, Segment};

#[test]
fn offsets_survive_a_restart() {
    let s = Segment::create(Offset(7), Vec::new());
    assert_eq!(s.len(), 0);
}

#[test]
fn first_offset_is_zero() {
    assert_eq!(Offset(0).next(), Offset(1));
}
