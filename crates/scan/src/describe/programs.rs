//! Compiled programs: native executables and objects, byte code of virtual machines.

use luminos_core::scan::Category::Archive;

use super::Description;
use super::head::Endian::{Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

mod elf;
mod mach;
mod windows;

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"\x7fELF", elf::read),
    read(b"\xca\xfe\xba\xbe", java_class_or_universal_binary),
    read(b"\xfe\xed\xfa\xce", mach::read),
    read(b"\xfe\xed\xfa\xcf", mach::read),
    read(b"\xce\xfa\xed\xfe", mach::read),
    read(b"\xcf\xfa\xed\xfe", mach::read),
    read(b"MZ", windows::executable),
    read(b"\x64\x86", windows::object),
    read(b"\x4c\x01", windows::object),
    read(b"\x64\xaa", windows::object),
    read(b"\xc4\x01", windows::object),
    read(b"\0asm", wasm),
    read(b"\x1bLua", lua),
    words(b"\x1bLJ", Archive, "LuaJIT bytecode"),
    read(b"dex\n", dalvik),
    words(b"BC\xc0\xde", Archive, "LLVM IR bitcode"),
    words(b"\xde\xc0\x17\x0b", Archive, "LLVM bitcode, wrapper"),
    read(b"\r\r\n", python_module).at(1),
    words(b"\x03\xf3\r\n", Archive, "python 2.7 byte-compiled"),
    words(b"\xd1\xf2\r\n", Archive, "python 2.6 byte-compiled"),
    read(b"FOR1", beam),
    words(b"Caml1999I", Archive, "OCaml interface file (.cmi)"),
    words(b"Caml1999O", Archive, "OCaml object file (.cmo)"),
    words(b"Caml1999A", Archive, "OCaml library file (.cma)"),
    words(b"Caml1999Y", Archive, "OCaml native object file (.cmx)"),
    words(b"Caml1999Z", Archive, "OCaml native library file (.cmxa)"),
    words(b"GOOF----LE-8-", Archive, "Guile Object, little endian, 64bit, bytecode"),
    words(b";ELC\x17", Archive, "Emacs/XEmacs v23 byte-compiled Lisp data"),
    words(b"\xda\xda\xfe\xca\0\0\x01\0", Archive, "Java module image (little endian), version 1.0"),
    words(b"\xca\xfe\xda\xda\0\x01\0\0", Archive, "Java module image (big endian), version 1.0"),
    words(b"JM\x01\0PK\x03\x04", Archive, "Java jmod module version 1.0"),
    words(b"\xac\xed\0\x05", Archive, "Java serialization data, version 5"),
    words(b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0", Archive, "MSVC program database ver 7.00"),
    words(b"MDMP\x93\xa7", Archive, "Mini DuMP crash report"),
    words(b"NIBArchive", Archive, "Apple nib archive"),
    words(b"go object ", Archive, "Go object file"),
    words(b"CPCH", Archive, "Clang precompiled header"),
    words(b"gpch", Archive, "GCC precompiled header"),
];

fn java_class_or_universal_binary(head: Head<'_>) -> Option<Description> {
    // Both begin alike: a class file has its version where a universal binary counts its programs, and no
    // Java was ever older than version 43 (Apple ships at most a handful of programs in one file).
    let number = head.u32(4, Big)?;
    if number < 40 {
        return mach::universal(head, number);
    }
    let (major, minor) = (head.u16(6, Big)?, head.u16(4, Big)?);
    let java = match major {
        45 => " (Java 1.1)".into(),
        46..=52 => format!(" (Java 1.{})", major - 44),
        53.. => format!(" (Java SE {})", major - 44),
        _ => String::new(),
    };
    Some(Description::new(Archive, format!("compiled Java class data, version {major}.{minor}{java}")))
}

fn wasm(head: Head<'_>) -> Option<Description> {
    let text = match head.u32(4, Little)? {
        1 => "WebAssembly (wasm) binary module version 0x1 (MVP)".into(),
        version => format!("WebAssembly (wasm) binary module version {version:#x}"),
    };
    Some(Description::new(Archive, text))
}

fn lua(head: Head<'_>) -> Option<Description> {
    let version = head.u8(4)?;
    Some(Description::new(Archive, format!("Lua bytecode, version {}.{}", version >> 4, version & 15)))
}

fn dalvik(head: Head<'_>) -> Option<Description> {
    let version = head.word(4, 3);
    head.has(7, b"\0").then(|| Description::new(Archive, format!("Dalvik dex file version {version}")))
}

/// The first two bytes of a Python module count the changes of its byte code: each release took a range.
fn python_module(head: Head<'_>) -> Option<Description> {
    let number = head.u16(0, Little)?;
    let release = match number {
        3390..=3394 => "7",
        3400..=3413 => "8",
        3420..=3425 => "9",
        3430..=3439 => "10",
        3450..=3495 => "11",
        3500..=3999 => "12 or newer",
        3360..=3379 => "6",
        3350..=3351 => "5",
        _ => return None,
    };
    if number < 3390 {
        return Some(Description::new(
            Archive,
            format!("Byte-compiled Python module for CPython 3.{release}"),
        ));
    }
    let validity = match head.u32(4, Little)? & 3 {
        0 | 2 => "timestamp-based",
        1 => "hash-based, check-source flag unset",
        _ => "hash-based, check-source flag set",
    };
    let text = format!("Byte-compiled Python module for CPython 3.{release}, {validity}");
    Some(Description::new(Archive, text))
}

fn beam(head: Head<'_>) -> Option<Description> {
    head.has(8, b"BEAM").then(|| Description::new(Archive, "Erlang BEAM file"))
}
