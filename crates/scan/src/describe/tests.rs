use proptest::prelude::*;

use super::*;

mod against_file;
mod samples;

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, text: &str, category: Category) {
    let bytes = bytes.as_ref();
    let described = describe(bytes, bytes.len() as u64);
    assert_eq!(described, Description::new(category, text.to_owned()));
}

#[test]
fn small_files() {
    check("", "empty", Category::Unknown);
    check("a", "very short file (no magic)", Category::Unknown);
    check("ab", "ASCII text, with no line terminators", Category::Document);
    check([0, 1, 2], "data", Category::Unknown);
}

#[test]
fn what_is_left_out_is_what_names_one_file_alone() {
    let gzip = b"\x1f\x8b\x08\x08\x11\x22\x33\x44\0\x03name.txt\0\x03\0\0\0\0\0\0\0\0\0";
    check(gzip, "gzip compressed data, from Unix", Category::Archive);
    let module = b"\xa7\x0d\x0d\x0a\0\0\0\0\x11\x22\x33\x64\x10\0\0\0\xe3\0\0\0";
    check(module, "Byte-compiled Python module for CPython 3.11, timestamp-based", Category::Archive);
}

#[test]
fn an_interpreter_is_known_wherever_it_lies() {
    check("#!/opt/bin/python3.12 -u\n", "Python script, ASCII text executable", Category::Source);
    check(
        "#!/usr/bin/env -S bash -e\n",
        "Bourne-Again shell script, ASCII text executable",
        Category::Source,
    );
    check("#!/usr/bin/sh\n", "POSIX shell script, ASCII text executable", Category::Source);
    let (unknown, text) = ("#!/usr/bin/env frob --x\n", "a frob --x script, ASCII text executable");
    check(unknown, text, Category::Source);
}

#[test]
fn formats_unknown_to_file_have_names_too() {
    check(b"GGUF\x03\0\0\0\0\0\0\0", "GGUF model weights", Category::Data);
    check(b"\x1bLJ\x02\x02\0\0", "LuaJIT bytecode", Category::Archive);
    check(b"ARROW1\0\0\xff\xff\xff\xff", "Apache Arrow columnar data", Category::Data);
}

#[test]
fn a_text_that_goes_on_is_judged_by_its_head() {
    let json = b"{\"a\": [1, 2";
    assert_eq!(describe(json, 1 << 30).text, "JSON text data");
    assert_eq!(describe(json, json.len() as u64).text, "ASCII text, with no line terminators");
    // Cut in the middle of a character.
    let accents = "é".repeat(40_000);
    let cut = &accents.as_bytes()[..65_535];
    assert!(describe(cut, 80_000).text.starts_with("Unicode text, UTF-8 text"));
}

#[test]
fn numbers_that_point_anywhere_are_not_followed() {
    let mut elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    elf.resize(64, 0xff);
    let text = describe(&elf, 64).text;
    assert!(text.starts_with("ELF 64-bit LSB shared object, x86-64"), "{text}");
}

#[test]
fn the_table_is_large_and_every_entry_can_be_reached() {
    let all = signature::all().count();
    assert!(250 <= all, "{all} signatures");
    for signature in signature::all() {
        let sample = signature.sample();
        describe(&sample, sample.len() as u64);
    }
}

/// One short line, whatever the bytes: it goes to terminals and into reports.
fn is_one_line(described: &Description) -> bool {
    described.text.len() < 400 && !described.text.contains(char::is_control)
}

proptest! {
    #[test]
    fn any_bytes_have_a_description(bytes in prop::collection::vec(any::<u8>(), 0..2048), size in any::<u64>()) {
        prop_assert!(is_one_line(&describe(&bytes, size)));
    }

    /// Random bytes hardly ever look like anything. Behind a magic number, every reader is tried.
    #[test]
    fn any_bytes_behind_a_magic_number_have_a_description(
        number in 0..signature::all().count(),
        tail in prop::collection::vec(any::<u8>(), 0..1024),
        cut in 0..2048_usize,
    ) {
        let mut bytes = signature::all().nth(number).unwrap().sample();
        bytes.extend(tail);
        bytes.truncate(cut);
        let size = bytes.len() as u64;
        prop_assert!(is_one_line(&describe(&bytes, size)));
    }

    #[test]
    fn any_text_has_a_description(
        text in "(#!|\\{|\\[|\"|<!--|<\\?xml|-----BEGIN |from |import |\\\\|,|\r|\n|\u{85}|é| |a){0,200}",
    ) {
        prop_assert!(is_one_line(&describe(text.as_bytes(), text.len() as u64)));
    }
}
