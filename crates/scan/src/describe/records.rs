//! Records for programs: databases, tables, captures, indexes, keys.

use luminos_core::scan::Category::{Archive, Config, Data, Media};

use super::Description;
use super::head::Endian::{self, Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"SQLite format 3\0", sqlite),
    words(b"\x37\x7f\x06\x82\0\x2d\xe2\x18", Data, "SQLite Write-Ahead Log, version 3007000"),
    words(b"\x37\x7f\x06\x83\0\x2d\xe2\x18", Data, "SQLite Write-Ahead Log, version 3007000"),
    words(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", Data, "SQLite Rollback Journal"),
    read(b"\x61\x15\x06\0", berkeley).at(12),
    read(b"\x62\x31\x05\0", berkeley).at(12),
    read(b"\x53\x22\x04\0", berkeley).at(12),
    words(b"\xce\x9a\x57\x13", Data, "GNU dbm 1.x or ndbm database, little endian, old"),
    words(b"\xcf\x9a\x57\x13", Data, "GNU dbm 1.x or ndbm database, little endian, 64-bit"),
    words(b"\x13\x57\x9a\xce", Data, "GNU dbm 1.x or ndbm database, big endian, old"),
    words(b"\0\x01\0\0Standard Jet DB\0", Data, "Microsoft Access Database"),
    words(b"\0\x01\0\0Standard ACE DB\0", Data, "Microsoft Access Database"),
    read(b"\x03", dbase),
    read(b"\xd4\xc3\xb2\xa1", capture),
    read(b"\xa1\xb2\xc3\xd4", capture),
    read(b"\x4d\x3c\xb2\xa1", capture),
    read(b"\xa1\xb2\x3c\x4d", capture),
    words(b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a", Data, "pcapng capture file - version 1.0"),
    read(b"\x0a\x0d\x0d\x0a", capture_ng),
    words(b"\x89HDF\r\n\x1a\n", Data, "Hierarchical Data Format (version 5) data"),
    words(b"\x0e\x03\x13\x01", Data, "Hierarchical Data Format (version 4) data"),
    words(b"CDF\x01", Data, "NetCDF Data Format data"),
    words(b"CDF\x02", Data, "NetCDF Data Format data (64-bit offset)"),
    read(b"\x93NUMPY", numpy),
    words(b"PAR1", Data, "Apache Parquet"),
    words(b"ORC", Data, "Apache ORC"),
    words(b"Obj\x01", Data, "Apache Avro version 1"),
    words(b"ARROW1\0\0", Data, "Apache Arrow columnar data"),
    words(b"FEA1", Data, "Feather columnar data, version 1"),
    words(b"SEQ\x06", Data, "Apache Hadoop Sequence file version 6"),
    words(b"MATLAB 5.0 MAT-file", Data, "Matlab v5 mat-file"),
    words(b"RDX2\nX\n", Data, "R workspace data, version 2"),
    words(b"RDX3\nX\n", Data, "R workspace data, version 3"),
    words(b"RRD\x000003\0", Data, "RRDTool DB version 0003"),
    words(b"PGDMP\x01", Data, "PostgreSQL custom database dump"),
    words(b"LASF\0\0", Data, "LIDAR point data records"),
    read(b"\0\0\x27\x0a\0\0\0\0", shapefile),
    words(b"n+1\0", Media, "NIfTI-1 neuroimaging data").at(344),
    words(b"DICM", Media, "DICOM medical imaging data").at(128),
    words(b"GRIB", Data, "Gridded binary (GRIB)"),
    words(b"GGUF", Data, "GGUF model weights"),
    words(b"ggml", Data, "GGML model weights"),
    words(b"\xfe\x01\x0a", Data, "MySQL table definition file"),
    words(b"\xfe\xfe\x07", Data, "MySQL MyISAM index file"),
    words(b"BAM\x01", Data, "SAMtools BAM (Binary Sequence Alignment/Map)"),
    words(b"CRAM\x03", Data, "CRAM sequence data, version 3"),
    read(b"PACK\0\0\0", git_pack),
    words(b"\xfftOc\0\0\0\x02", Data, "Git pack index, version 2"),
    read(b"DIRC\0\0\0", git_index),
    words(b"# v2 git bundle\n", Archive, "Git bundle"),
    words(b"# v3 git bundle\n", Archive, "Git bundle"),
    read(b"TZif", time_zone),
    read(b"\xde\x12\x04\x95", message_catalogue),
    read(b"\x95\x04\x12\xde", message_catalogue),
    read(b"\x1a\x01", terminfo),
    read(b"\x1e\x02", terminfo),
    read(b"\x30\x82", der),
    words(b"KBXf", Data, "GPG keybox database version 1").at(8),
    read(b"\x99\x01", pgp_key),
    words(b"\x85\x01\x0c\x03", Data, "PGP RSA encrypted session key"),
    words(b"\x85\x02\x0c\x03", Data, "PGP RSA encrypted session key"),
    words(b"\xfe\xed\xfe\xed\0\0\0\x02", Data, "Java KeyStore"),
    words(b"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5", Data, "Keepass password database 2.x KDBX"),
    words(b"\x03\xd9\xa2\x9a\x65\xfb\x4b\xb5", Data, "Keepass password database 1.x KDB"),
    words(b"\0\x05\x16\x07\0\x02\0\0", Data, "AppleDouble encoded Macintosh file"),
    words(b"\0\0\0\x01Bud1\0", Config, "Apple Desktop Services Store"),
    words(b"LPKSHHRH", Data, "systemd journal"),
    words(b"GVariant", Data, "GVariant Database file"),
    words(b"\x1c\x04\x1e\xf1", Data, "magic binary file for file(1) cmd (little endian)"),
    words(b"JAVA PROFILE 1.0.", Data, "Java HPROF dump"),
    words(b"NES\x1a", Archive, "NES ROM image (iNES)"),
    words(b"IWAD", Data, "doom main IWAD data"),
    words(b"PWAD", Data, "doom patch PWAD data"),
    words(b"\x34\x12\xaa\x55", Data, "Valve Pak file"),
    words(b"UnityFS\0", Data, "Unity asset bundle"),
    words(b"UnrealTournament", Data, "Unreal package"),
];

fn data(text: impl Into<std::borrow::Cow<'static, str>>) -> Option<Description> {
    Some(Description::new(Data, text))
}

/// Counters and page numbers are the file's own; the version that wrote it is a kind of file.
fn sqlite(head: Head<'_>) -> Option<Description> {
    match head.u32(96, Big) {
        Some(version) if version != 0 => {
            data(format!("SQLite 3.x database, last written using SQLite version {version}"))
        }
        _ => data("SQLite 3.x database"),
    }
}

fn berkeley(head: Head<'_>) -> Option<Description> {
    let form = match head.u32(12, Little)? {
        0x0006_1561 => "Hash",
        0x0005_3162 => "Btree",
        _ => "Queue",
    };
    data(format!("Berkeley DB ({form}, version {}, native byte-order)", head.u32(16, Little)?))
}

/// One byte is no magic number: date, lengths and the reserved bytes must make sense as well.
fn dbase(head: Head<'_>) -> Option<Description> {
    let (month, day) = (head.u8(2)?, head.u8(3)?);
    let (records, header, record) = (head.u32(4, Little)?, head.u16(8, Little)?, head.u16(10, Little)?);
    let plausible = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && header % 32 <= 1
        && 64 < header
        && record != 0
        && head.u16(12, Little)? == 0
        && u64::from(records) * u64::from(record) <= head.size;
    plausible.then(|| Description::new(Data, "FoxBase+/dBase III DBF"))
}

fn capture(head: Head<'_>) -> Option<Description> {
    let (endian, unit, order) = match head.u8(0)? {
        0xd4 => (Little, "microsecond", "little"),
        0x4d => (Little, "nanosecond", "little"),
        _ if head.u8(2)? == 0xc3 => (Big, "microseconds", "big"),
        _ => (Big, "nanosecond", "big"),
    };
    let (major, minor) = (head.u16(4, endian)?, head.u16(6, endian)?);
    let (length, link) = (head.u32(16, endian)?, head.u32(20, endian)?);
    let link = match link {
        0 => "no link-layer encapsulation".into(),
        1 => "Ethernet".into(),
        101 => "raw IP".into(),
        105 => "802.11".into(),
        113 => "Linux \"cooked\"".into(),
        number => format!("link type {number}"),
    };
    let version = format!("version {major}.{minor}");
    data(format!(
        "pcap capture file, {unit} ts ({order}-endian) - {version} ({link}, capture length {length})"
    ))
}

fn capture_ng(head: Head<'_>) -> Option<Description> {
    let endian = if head.has(8, b"\x4d\x3c\x2b\x1a") { Little } else { Big };
    (head.u32(8, endian)? == 0x1a2b_3c4d).then_some(())?;
    data(format!("pcapng capture file - version {}.{}", head.u16(12, endian)?, head.u16(14, endian)?))
}

fn numpy(head: Head<'_>) -> Option<Description> {
    let (major, minor) = (head.u8(6)?, head.u8(7)?);
    data(format!("NumPy array, version {major}.{minor}, header length {}", head.u16(8, Little)?))
}

fn shapefile(head: Head<'_>) -> Option<Description> {
    let form = match head.u32(32, Little)? {
        0 => "Null Shape",
        1 => "Point",
        3 => "PolyLine",
        5 => "Polygon",
        8 => "MultiPoint",
        11 => "PointZ",
        13 => "PolyLineZ",
        15 => "PolygonZ",
        18 => "MultiPointZ",
        21 => "PointM",
        23 => "PolyLineM",
        25 => "PolygonM",
        28 => "MultiPointM",
        31 => "MultiPatch",
        _ => return None,
    };
    let (version, length) = (head.u32(28, Little)?, head.u32(24, Big)?);
    data(format!("ESRI Shapefile version {version} length {length} type {form}"))
}

fn git_pack(head: Head<'_>) -> Option<Description> {
    data(format!("Git pack, version {}, {} objects", head.u32(4, Big)?, head.u32(8, Big)?))
}

fn git_index(head: Head<'_>) -> Option<Description> {
    data(format!("Git index, version {}, {} entries", head.u32(4, Big)?, head.u32(8, Big)?))
}

fn time_zone(head: Head<'_>) -> Option<Description> {
    let version = match head.u8(4)? {
        0 => "1",
        b'2' => "2",
        b'3' => "3",
        b'4' => "4",
        _ => return None,
    };
    // A slim file keeps its times in the second block only; the first is there for old readers.
    let slim = head.u32(32, Big)? == 0 && head.u32(36, Big)? <= 1 && head.u32(40, Big)? <= 1;
    let form = if slim { "slim" } else { "fat" };
    data(format!("timezone data ({form}), version {version}"))
}

fn message_catalogue(head: Head<'_>) -> Option<Description> {
    let (endian, order) = if head.u8(0)? == 0xde { (Little, "little") } else { (Big, "big") };
    catalogue(head, endian, order)
}

fn catalogue(head: Head<'_>, endian: Endian, order: &str) -> Option<Description> {
    let revision = head.u32(4, endian)?;
    let (major, minor, messages) = (revision >> 16, revision & 0xffff, head.u32(8, endian)?);
    let plural = if messages == 1 && endian == Little { "" } else { "s" };
    data(format!(
        "GNU message catalog ({order} endian), revision {major}.{minor}, {messages} message{plural}"
    ))
}

/// Two bytes prove little: the lengths must fit, and a name of printable letters must follow.
fn terminfo(head: Head<'_>) -> Option<Description> {
    let names = usize::from(head.u16(2, Little)?);
    let words = head.word(12, names.min(128));
    let name = words.split('|').next().filter(|name| !name.is_empty())?;
    head.has(12 + names - 1, b"\0").then_some(())?;
    let wide = if head.u8(0)? == 0x1e { " 32-bit" } else { "" };
    data(format!("Compiled{wide} terminfo entry \"{name}\""))
}

fn pgp_key(head: Head<'_>) -> Option<Description> {
    match head.u8(3)? {
        version @ 2..=4 => data(format!("OpenPGP Public Key Version {version}")),
        _ => None,
    }
}

/// A sequence that fills the file. Its first member tells keys (a small number) from certificates.
fn der(head: Head<'_>) -> Option<Description> {
    if u64::from(head.u16(2, Big)?) + 4 != head.size {
        return None;
    }
    match (head.u8(4)?, head.u8(8)?) {
        (0x30, 0xa0) => data("Certificate, Version=3"),
        (0x30, 0x02) => data("Certificate, Version=1"),
        (0x02, _) => data("DER Encoded Key"),
        _ => data("DER Encoded data"),
    }
}
