#[test]
fn empty() {
    assert!(minilz::pack(b"").is_empty());
}

#[test]
fn one_byte() {
    assert_eq!(minilz::unpack(&minilz::pack(b"x")), b"x");
}

#[test]
fn long_run() {
    let run = [7u8; 900];
    assert_eq!(minilz::unpack(&minilz::pack(&run)), run);
}
