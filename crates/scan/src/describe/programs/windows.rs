//! Programs and object files of DOS and Windows.

use luminos_core::scan::Category::Archive;

use crate::describe::Description;
use crate::describe::head::Endian::Little;
use crate::describe::head::Head;

const DLL: u16 = 0x2000;
const DEBUG_STRIPPED: u16 = 0x0200;

pub(super) fn executable(head: Head<'_>) -> Option<Description> {
    let text = portable(head).or_else(|| {
        // Two letters prove little: a DOS program has a header of 28 bytes and is no text.
        let dos = 28 <= head.bytes.len() && head.starts_binary();
        dos.then(|| "MS-DOS executable, MZ for MS-DOS".into())
    })?;
    Some(Description::new(Archive, text))
}

fn portable(head: Head<'_>) -> Option<String> {
    let start = usize::try_from(head.u32(60, Little)?).ok()?;
    if head.has(start, b"NE") {
        return Some("MS-DOS executable, NE for MS Windows".into());
    }
    if !head.has(start, b"PE\0\0") {
        return None;
    }
    // The optional header follows 24 bytes after the mark; no field is further than 94 from it.
    start.checked_add(94)?;
    let machine = machine(head.u16(start + 4, Little)?)?;
    let sections = head.u16(start + 6, Little)?;
    let flags = head.u16(start + 22, Little)?;
    let format = match head.u16(start + 24, Little)? {
        0x10b => "PE32",
        0x20b => "PE32+",
        0x107 => "PE ROM image",
        _ => "PE",
    };
    let library = if flags & DLL != 0 { " (DLL)" } else { "" };
    let subsystem = match head.u16(start + 92, Little)? {
        1 => " (native)",
        2 => " (GUI)",
        3 => " (console)",
        5 => " (OS/2)",
        7 => " (POSIX)",
        9 => " (Windows CE)",
        10 => " (EFI application)",
        11 => " (EFI boot service driver)",
        12 => " (EFI runtime driver)",
        13 => " (EFI ROM)",
        14 => " (XBOX)",
        16 => " (Windows boot application)",
        _ => "",
    };
    let stripped = if flags & DEBUG_STRIPPED != 0 { " (stripped to external PDB)" } else { "" };
    Some(format!(
        "{format} executable{library}{subsystem} {machine}{stripped}, for MS Windows, {sections} sections"
    ))
}

/// An object file: no magic number but the machine's, so the rest of the header must make sense.
pub(super) fn object(head: Head<'_>) -> Option<Description> {
    // A program is said to be for "x86-64", an object for "Intel amd64".
    let machine = match machine(head.u16(0, Little)?)? {
        "x86-64" => "Intel amd64",
        machine => machine,
    };
    let sections = u64::from(head.u16(2, Little)?);
    let symbols_at = u64::from(head.u32(8, Little)?);
    let optional_header = head.u16(16, Little)?;
    let sections_end = 20 + sections * 40;
    let plausible =
        0 < sections && sections_end <= symbols_at && symbols_at < head.size && optional_header == 0;
    plausible.then(|| Description::new(Archive, format!("{machine} COFF object file, {sections} sections")))
}

fn machine(number: u16) -> Option<&'static str> {
    Some(match number {
        0x014c => "Intel 80386",
        0x0166 => "MIPS R4000",
        0x01c0 => "ARM",
        0x01c2 => "ARM Thumb",
        0x01c4 => "ARMv7 Thumb",
        0x01f0 => "PowerPC",
        0x0200 => "Intel Itanium",
        0x0ebc => "EFI byte code",
        0x5032 => "RISC-V 32-bit",
        0x5064 => "RISC-V 64-bit",
        0x6264 => "LoongArch 64-bit",
        0x8664 => "x86-64",
        0xaa64 => "Aarch64",
        _ => return None,
    })
}
