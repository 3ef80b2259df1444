//! What is known by its ending alone: counted under a name that people have for it, so that nothing in a directory is left
//! unsaid.

use std::collections::BTreeMap;

use luminos_core::fact::{Detail, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::{ByteSize, RelPath};

use super::{Look, kept, lacks, warns};
use crate::words::{code, some_of};

/// So many files of a kind are named.
const NAMED: usize = 3;

/// What file browsers leave.
pub(super) const LEFTOVER: &str = "system leftover";

const NOUNS: &[(&str, &[&str])] = &[
    ("sidecar", &["xmp", "aae", "thm", "pp3"]),
    ("drawing", &["svg", "ai", "eps", "psd", "xcf", "sketch", "kra", "drawio", "vsdx", "afdesign"]),
    ("3D model", &["stl", "blend", "fbx", "3mf", "step", "stp", "dwg", "dxf", "gltf", "glb", "skp"]),
    ("font", &["ttf", "otf", "ttc", "woff", "woff2", "pfb", "afm"]),
    ("disk image", &["iso", "img", "vhd", "vhdx", "vmdk", "qcow2", "vdi", "ova"]),
    ("installer", &["dmg", "pkg", "deb", "rpm", "appimage", "msi", "xpi", "crx"]),
    ("unfinished download", &["part", "crdownload", "partial", "download", "aria2"]),
    ("torrent", &["torrent"]),
    ("playlist", &["m3u", "m3u8", "pls", "xspf"]),
    ("subtitle file", &["srt", "vtt", "sub", "ass"]),
    ("saved game", &["ess", "fos", "sl2", "mca", "wld"]),
    ("Outlook mailbox", &["pst", "ost"]),
    ("Redis dump", &["rdb"]),
    (
        "data array",
        &["npy", "npz", "mat", "h5", "hdf5", "nc", "fits", "rds", "rdata", "feather", "arrow", "zarr"],
    ),
    ("pickled object", &["pkl", "pickle", "joblib"]),
    ("statistics file", &["dta", "sas7bdat", "por"]),
    ("bibliography", &["bib", "ris", "enw"]),
    ("bank export", &["ofx", "qif", "qfx", "mt940", "camt"]),
    ("raster map", &["dem", "hgt", "mbtiles", "pbf"]),
    ("systemd journal", &["journal"]),
    ("certificate", &["crt", "cer", "der"]),
];

/// Whether a file is what systems leave in every directory they show.
pub(super) fn is_leftover(name: &str) -> bool {
    matches!(name, "thumbs.db" | "ehthumbs.db" | "desktop.ini" | "icon\r" | ".ds_store")
}

/// Whether a file is one in which a system writes down who logs in.
pub(super) fn is_login_record(name: &str) -> bool {
    matches!(
        name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.'),
        "wtmp" | "btmp" | "lastlog" | "utmp" | "faillog"
    )
}

/// The name for files of an ending; `None` where there is none.
pub(super) fn noun_of(name: &str) -> Option<&'static str> {
    if is_leftover(&name.to_ascii_lowercase()) {
        return Some(LEFTOVER);
    }
    if name.to_ascii_lowercase().ends_with(".pem") {
        // A key, or a certificate that everybody may see.
        return Some("PEM file");
    }
    if luminos_core::is_secret_file(&RelPath::from(name)) {
        return Some("key file");
    }
    if is_login_record(name) {
        return Some("login log");
    }
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    NOUNS.iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(noun, _)| *noun)
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut kinds: BTreeMap<&str, Vec<&ListedFile>> = BTreeMap::new();
    for file in files {
        if let Some(noun) = file.name.to_utf8().and_then(noun_of) {
            kinds.entry(noun).or_default().push(file);
        }
    }
    let mut told = Vec::new();
    for (noun, files) in kinds {
        // One file stands for all: the smallest is read soonest.
        let Some(head) = files.iter().min_by_key(|file| file.size).and_then(|file| peek(file)) else {
            continue;
        };
        let names: Vec<String> = files.iter().filter_map(|file| file.name.to_utf8()).map(code).collect();
        let bytes = files.iter().map(|file| file.size).sum();
        let keeps = Holding {
            count: files.len() as u64,
            noun: noun.to_owned(),
            period: None,
            details: vec![Detail::Names(format!("{}, {}", some_of(&names, NAMED), ByteSize(bytes)))],
        };
        told.push(kept(dir, keeps, vec![head.cite_head()]));
        let remark = match noun {
            "unfinished download" => " never finished: what is there of it is of no use",
            "pickled object" => {
                ", a pickle, runs what is written in it when it is loaded: only load what you know the maker of"
            }
            _ => continue,
        };
        told.push(lacks(dir, format!("{}{remark}", some_of(&names, NAMED)), vec![head.cite_head()]));
    }
    told
}

/// Programs, and those among them that are called like something else.
pub(super) fn programs(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let Some(head) = files.iter().min_by_key(|file| file.size).and_then(|file| peek(file)) else {
        return Vec::new();
    };
    let names: Vec<String> = files.iter().filter_map(|file| file.name.to_utf8()).map(code).collect();
    let bytes = files.iter().map(|file| file.size).sum();
    let keeps = Holding {
        count: files.len() as u64,
        noun: "program".to_owned(),
        period: None,
        details: vec![Detail::Names(format!("{}, {}", some_of(&names, NAMED), ByteSize(bytes)))],
    };
    let mut told = vec![kept(dir, keeps, vec![head.cite_head()])];
    for file in files.iter().filter(|file| file.name.to_utf8().is_some_and(is_disguised)).take(NAMED) {
        let Some(head) = peek(file) else { continue };
        let words = format!("out of place: {} is called like a document and is a program", code(&head.name));
        told.push(warns(dir, words, vec![head.cite_head()]));
    }
    told
}

/// `invoice.pdf.exe`.
fn is_disguised(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.rsplit_once('.').map_or("", |(stem, _)| stem);
    ["pdf", "doc", "docx", "xls", "xlsx", "jpg", "jpeg", "png", "txt", "mp4", "zip"]
        .iter()
        .any(|ending| stem.ends_with(&format!(".{ending}")))
}

#[cfg(test)]
mod tests {
    use super::{NOUNS, noun_of};

    #[test]
    fn every_ending_has_one_name() {
        let mut all: Vec<&str> = NOUNS.iter().flat_map(|(_, endings)| endings.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(noun_of("DSC1.XMP"), Some("sidecar"));
        assert_eq!(noun_of("noending"), None);
        assert_eq!(noun_of("id_rsa"), Some("key file"));
        assert_eq!(noun_of("key.asc"), None);
    }
}
