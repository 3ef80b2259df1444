//! Small files with known descriptions: a table on disk, and some that are easier to build than to write.

use luminos_core::scan::Category;

use super::check;

/// A file, and what it should be.
pub(super) struct Sample {
    pub(super) bytes: Vec<u8>,
    pub(super) category: Category,
    pub(super) text: String,
}

#[test]
fn every_sample_is_described() {
    for Sample { bytes, category, text } in all() {
        check(bytes, &text, category);
    }
}

/// Every sample, those of the table first.
pub(super) fn all() -> Vec<Sample> {
    let lines = include_str!("samples.txt").lines().filter(|line| !line.starts_with("# "));
    lines.map(parse).chain(built()).collect()
}

fn parse(line: &str) -> Sample {
    let [category, zeros, bytes, text] = line.split('\t').collect::<Vec<_>>()[..] else {
        panic!("four fields, not {line:?}");
    };
    let named = |known: &Category| known.name() == category;
    let category = Category::ALL.into_iter().find(named).expect("a category");
    let mut bytes = unescape(bytes);
    bytes.resize(bytes.len() + zeros.parse::<usize>().expect("a number"), 0);
    Sample { bytes, category, text: text.to_owned() }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = text.bytes();
    while let Some(letter) = letters.next() {
        bytes.push(match letter {
            b'\\' => match letters.next().expect("something after a backslash") {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'0' => 0,
                b'x' => {
                    let digits: String = letters.by_ref().take(2).map(char::from).collect();
                    u8::from_str_radix(&digits, 16).expect("two digits")
                }
                itself => itself,
            },
            letter => letter,
        });
    }
    bytes
}

fn built() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |bytes: Vec<u8>, category, text: &str| {
        samples.push(Sample { bytes, category, text: text.to_owned() });
    };
    let long = "x".repeat(301);
    add(b"x".repeat(300), Category::Document, "ASCII text, with no line terminators");
    add(format!("{long}\n").into(), Category::Document, "ASCII text, with very long lines (301)");
    let text = "ASCII text, with very long lines (301), with CRLF line terminators";
    add(format!("{long}\r\n").into(), Category::Document, text);
    let text = "Unicode text, UTF-8 text, with very long lines (310)";
    add(format!("{}\n", "é".repeat(310)).into(), Category::Document, text);
    add(format!("{}\n", "é".repeat(300)).into(), Category::Document, "Unicode text, UTF-8 text");

    for (label, text) in [
        ("CERTIFICATE", "PEM certificate"),
        ("CERTIFICATE REQUEST", "PEM certificate request"),
        ("RSA PRIVATE KEY", "PEM RSA private key"),
        ("EC PRIVATE KEY", "PEM EC private key"),
        ("OPENSSH PRIVATE KEY", "OpenSSH private key"),
        ("PGP MESSAGE", "PGP message"),
        ("PGP SIGNATURE", "PGP signature"),
    ] {
        add(format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n").into(), Category::Data, text);
    }

    let office = |part| zip(&[("[Content_Types].xml", b"<x/>"), ("_rels/.rels", b"<x/>"), (part, b"<x/>")]);
    add(office("word/document.xml"), Category::Document, "Microsoft Word 2007+");
    add(office("xl/workbook.xml"), Category::Document, "Microsoft Excel 2007+");
    add(office("ppt/presentation.xml"), Category::Document, "Microsoft PowerPoint 2007+");
    let typed = |mimetype: &[u8]| zip(&[("mimetype", mimetype), ("content.xml", b"<x/>")]);
    add(typed(b"application/epub+zip"), Category::Document, "EPUB document");
    add(typed(b"application/vnd.oasis.opendocument.text"), Category::Document, "OpenDocument Text");
    let sheet = b"application/vnd.oasis.opendocument.spreadsheet";
    add(typed(sheet), Category::Document, "OpenDocument Spreadsheet");
    let package = zip(&[("AndroidManifest.xml", b"x")]);
    add(package, Category::Archive, "Android package (APK), with AndroidManifest.xml");
    let text = "Zip archive data, at least v2.0 to extract, compression method=store";
    add(zip(&[("notes.txt", &[b'x'; 100])]), Category::Archive, text);

    add(tar(b"ustar\x0000"), Category::Archive, "POSIX tar archive");
    add(tar(b"ustar  \0"), Category::Archive, "POSIX tar archive (GNU)");
    add(tar(&[0; 8]), Category::Archive, "tar archive");
    samples
}

/// An archive without the directory at its end, which neither we nor `file` look at.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, body) in members {
        let length = u32::try_from(body.len()).expect("a small body").to_le_bytes();
        let name_length = u16::try_from(name.len()).expect("a short name").to_le_bytes();
        bytes.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend(length);
        bytes.extend(length);
        bytes.extend(name_length);
        bytes.extend([0, 0]);
        bytes.extend(name.as_bytes());
        bytes.extend(*body);
    }
    bytes
}

/// An archive of one empty file.
fn tar(magic: &[u8; 8]) -> Vec<u8> {
    let mut header = [0; 512];
    header[..5].copy_from_slice(b"a.txt");
    header[100..107].copy_from_slice(b"0000644");
    header[108..115].copy_from_slice(b"0000000");
    header[116..123].copy_from_slice(b"0000000");
    header[124..135].copy_from_slice(b"00000000000");
    header[136..147].copy_from_slice(b"00000000000");
    header[148..156].fill(b' ');
    header[156] = b'0';
    header[257..265].copy_from_slice(magic);
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    header[154] = 0;
    let mut bytes = header.to_vec();
    bytes.resize(10_240, 0);
    bytes
}
