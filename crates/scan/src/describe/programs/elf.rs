//! The Executable and Linkable Format.

use luminos_core::scan::Category::Archive;

use crate::describe::Description;
use crate::describe::head::{Endian, Head};

/// Where the fields lie: 32-bit and 64-bit files differ from the addresses on.
struct Layout {
    program_headers: usize,
    section_headers: usize,
    counts: usize,
    wide: bool,
}

const NARROW: Layout = Layout { program_headers: 28, section_headers: 32, counts: 42, wide: false };
const WIDE: Layout = Layout { program_headers: 32, section_headers: 40, counts: 54, wide: true };

/// Real programs have a dozen program headers and some dozens of sections; a damaged file claims 65,535.
const MOST_HEADERS: usize = 256;

pub(super) fn read(head: Head<'_>) -> Option<Description> {
    let (bits, layout) = match head.u8(4)? {
        1 => ("32-bit", NARROW),
        2 => ("64-bit", WIDE),
        _ => return Some(Description::new(Archive, "ELF")),
    };
    let (order, endian) = match head.u8(5)? {
        1 => ("LSB", Endian::Little),
        2 => ("MSB", Endian::Big),
        _ => return Some(Description::new(Archive, "ELF")),
    };
    let linkage = linkage(head, endian, &layout);
    let form = match head.u16(16, endian)? {
        1 => "relocatable",
        2 => "executable",
        3 if linkage.interpreter.is_some() => "pie executable",
        3 => "shared object",
        4 => "core file",
        _ => "unknown type",
    };
    let machine = machine(head.u16(18, endian)?);
    let version = head.u32(20, endian)?;
    let system = system(head.u8(7)?);
    let mut text = format!("ELF {bits} {order} {form}, {machine}version {version} ({system})");
    match form {
        "relocatable" | "core file" => {}
        _ if linkage.headers == 0 => text.push_str(", no program header"),
        _ if linkage.dynamic => text.push_str(", dynamically linked"),
        _ => text.push_str(", statically linked"),
    }
    if let Some(interpreter) = linkage.interpreter {
        text.push_str(", interpreter ");
        text.push_str(interpreter);
    }
    if let Some(symbols) = symbols(head, endian, &layout) {
        text.push_str(symbols);
    }
    Some(Description::new(Archive, text))
}

struct Linkage<'a> {
    headers: usize,
    dynamic: bool,
    interpreter: Option<&'a str>,
}

fn linkage<'a>(head: Head<'a>, endian: Endian, layout: &Layout) -> Linkage<'a> {
    let mut linkage = Linkage { headers: 0, dynamic: false, interpreter: None };
    let first = address(head, layout.program_headers, endian, layout);
    let size = head.u16(layout.counts, endian).map(usize::from);
    let count = head.u16(layout.counts + 2, endian).map(usize::from);
    let (Some(first), Some(size), Some(count)) = (first, size, count) else {
        return linkage;
    };
    linkage.headers = count;
    for number in 0..count.min(MOST_HEADERS) {
        let Some(at) = number.checked_mul(size).and_then(|skip| first.checked_add(skip)) else { break };
        match head.u32(at, endian) {
            Some(2) => linkage.dynamic = true,
            Some(3) => {
                let place = address(head, at.saturating_add(if layout.wide { 8 } else { 4 }), endian, layout);
                linkage.interpreter =
                    place.map(|place| head.word(place, 256)).filter(|name| !name.is_empty());
            }
            Some(_) => {}
            None => break,
        }
    }
    linkage
}

/// Whether symbols are left. The sections are listed at the end of the file: often out of reach.
fn symbols(head: Head<'_>, endian: Endian, layout: &Layout) -> Option<&'static str> {
    let first = address(head, layout.section_headers, endian, layout)?;
    let size = usize::from(head.u16(layout.counts + 4, endian)?);
    let count = usize::from(head.u16(layout.counts + 6, endian)?);
    if count == 0 {
        return Some(", no section header");
    }
    if MOST_HEADERS < count {
        return None;
    }
    let mut stripped = true;
    for number in 0..count {
        let at = first.checked_add(number.checked_mul(size)?)?.checked_add(4)?;
        stripped &= head.u32(at, endian)? != 2;
    }
    Some(if stripped { ", stripped" } else { ", not stripped" })
}

fn address(head: Head<'_>, at: usize, endian: Endian, layout: &Layout) -> Option<usize> {
    if layout.wide {
        usize::try_from(head.u64(at, endian)?).ok()
    } else {
        usize::try_from(head.u32(at, endian)?).ok()
    }
}

/// The machine's name and a comma, as `file` writes them.
fn machine(number: u16) -> String {
    let name = match number {
        0 => "no machine",
        2 => "SPARC",
        3 => "Intel 80386",
        4 => "Motorola m68k, 68020",
        8 => "MIPS",
        15 => "PA-RISC",
        18 => "SPARC32PLUS",
        20 => "PowerPC or cisco 4500",
        21 => "64-bit PowerPC or cisco 7500",
        22 => "IBM S/390",
        40 => "ARM",
        41 => "Alpha",
        42 => "Renesas SH",
        43 => "SPARC V9",
        50 => "IA-64",
        62 => "x86-64",
        83 => "Atmel AVR 8-bit",
        93 => "ARCompact",
        94 => "Tensilica Xtensa",
        105 => "TI msp430",
        106 => "Analog Devices Blackfin",
        113 => "Altera Nios II",
        164 => "QUALCOMM DSP6",
        183 => "ARM aarch64",
        189 => "Xilinx MicroBlaze 32-bit RISC",
        190 => "NVIDIA CUDA architecture",
        195 => "ARCv2",
        224 => "AMD GPU",
        243 => "UCB RISC-V",
        247 => "eBPF",
        252 => "C-SKY",
        258 => "LoongArch",
        0x9026 => "Alpha (unofficial)",
        _ => return format!("*unknown arch {number:#x}* "),
    };
    format!("{name}, ")
}

fn system(number: u8) -> &'static str {
    match number {
        0 => "SYSV",
        1 => "HP-UX",
        2 => "NetBSD",
        3 => "GNU/Linux",
        4 => "GNU/Hurd",
        6 => "Solaris",
        7 => "Monterey",
        8 => "IRIX",
        9 => "FreeBSD",
        10 => "Tru64",
        12 => "OpenBSD",
        97 => "ARM",
        255 => "embedded",
        _ => "unknown",
    }
}
