//! Mach-O: the programs of Apple's systems.

use luminos_core::scan::Category::Archive;

use crate::describe::Description;
use crate::describe::head::Endian::{self, Big, Little};
use crate::describe::head::Head;

pub(super) fn read(head: Head<'_>) -> Option<Description> {
    let endian = if head.has(0, b"\xfe\xed") { Big } else { Little };
    program(head, endian).map(|text| Description::new(Archive, text))
}

/// Several programs in one file, for machines of several kinds.
pub(super) fn universal(head: Head<'_>, count: u32) -> Option<Description> {
    let plural = if count == 1 { "" } else { "s" };
    let mut text = format!("Mach-O universal binary with {count} architecture{plural}:");
    for number in 0..usize::try_from(count).ok()? {
        let at = 8 + number * 20;
        let machine = machine(head.u32(at, Big)?, head.u32(at + 4, Big)?);
        text.push_str(&format!(" [{machine}]"));
    }
    Some(Description::new(Archive, text))
}

fn program(head: Head<'_>, endian: Endian) -> Option<String> {
    let wide = matches!((head.u8(0)?, head.u8(3)?), (0xcf, _) | (_, 0xcf));
    let bits = if wide { " 64-bit" } else { "" };
    let machine = machine(head.u32(4, endian)?, head.u32(8, endian)?);
    let form = match head.u32(12, endian)? {
        1 => "object",
        2 => "executable",
        3 => "fixed virtual memory shared library",
        4 => "core",
        5 => "preload executable",
        6 => "dynamically linked shared library",
        7 => "dynamic linker",
        8 => "bundle",
        9 => "dynamically linked shared library stub",
        10 => "dSYM companion file",
        11 => "kext bundle",
        _ => "file of unknown type",
    };
    let mut text = format!("Mach-O{bits} {machine} {form}");
    let flags = head.u32(24, endian)?;
    if flags != 0 {
        text.push_str(", flags:<");
        push_flags(&mut text, flags);
        text.push('>');
    }
    Some(text)
}

fn push_flags(text: &mut String, flags: u32) {
    // `file` writes a bar before every flag but the very first of the list.
    for (bit, name) in FLAGS {
        if flags & (1 << bit) != 0 {
            if *bit != 0 {
                text.push('|');
            }
            text.push_str(name);
        }
    }
}

const FLAGS: &[(u32, &str)] = &[
    (0, "NOUNDEFS"),
    (1, "INCRLINK"),
    (2, "DYLDLINK"),
    (3, "BINDATLOAD"),
    (4, "PREBOUND"),
    (5, "SPLIT_SEGS"),
    (6, "LAZY_INIT"),
    (7, "TWOLEVEL"),
    (8, "FORCE_FLAT"),
    (9, "NOMULTIDEFS"),
    (10, "NOFIXPREBINDING"),
    (11, "PREBINDABLE"),
    (12, "ALLMODSBOUND"),
    (13, "SUBSECTIONS_VIA_SYMBOLS"),
    (14, "CANONICAL"),
    (15, "WEAK_DEFINES"),
    (16, "BINDS_TO_WEAK"),
    (17, "ALLOW_STACK_EXECUTION"),
    (18, "ROOT_SAFE"),
    (19, "SETUID_SAFE"),
    (20, "NO_REEXPORTED_DYLIBS"),
    (21, "PIE"),
    (22, "DEAD_STRIPPABLE_DYLIB"),
    (23, "HAS_TLV_DESCRIPTORS"),
    (24, "NO_HEAP_EXECUTION"),
];

fn machine(cpu: u32, variant: u32) -> &'static str {
    match (cpu, variant & 0xff) {
        (7, _) => "i386",
        (12, _) => "arm",
        (18, _) => "ppc",
        (0x0100_0007, 8) => "x86_64h",
        (0x0100_0007, _) => "x86_64",
        (0x0100_000c, 2) => "arm64e",
        (0x0100_000c, _) => "arm64",
        (0x0200_000c, _) => "arm64_32",
        (0x0100_0012, _) => "ppc64",
        _ => "of an unknown machine",
    }
}
