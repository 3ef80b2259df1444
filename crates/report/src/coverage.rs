//! What was seen of a target, for `luminosctl coverage`.

use std::io::{self, Write};

use luminos_core::entry::{Coverage, DirEntry, Share};
use luminos_core::report::Report;
use luminos_core::seen::{Extent, SeenFile};
use luminos_core::{ByteSize, RelPath};
use serde::Serialize;

use crate::investigation::FileEntry;
use crate::measure::{count, number};
use crate::sheet::Sheet;
use crate::table::{Side, Table};
use crate::{Detail, Layout, prose, write_json_line};

/// How many directories are shown: those of which least was seen.
const SHOWN: usize = 40;

/// The coverage of all directories.
pub fn text(report: &Report, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    sheet.hanging("", &format!("{} · {}", prose::one_line(&report.path), whole(report.coverage)));
    sheet.hanging("", &extents(&report.files, report.files_unlisted));
    let mut rows: Vec<&DirEntry> = report.directories.iter().collect();
    let all = rows.len();
    if layout.detail != Detail::Full && SHOWN < all {
        rows.sort_by(|a, b| a.coverage.share().get().total_cmp(&b.coverage.share().get()));
        rows.truncate(SHOWN);
        rows.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
    }
    if rows.is_empty() {
        return sheet.finish();
    }
    sheet.line("");
    let heads = [
        ("directory", Side::Left),
        ("seen", Side::Right),
        ("self-rated", Side::Right),
        ("files", Side::Right),
        ("bytes", Side::Right),
        ("symbols", Side::Right),
        ("claims", Side::Right),
    ];
    let mut table = Table::new(heads, 0);
    rows.iter().for_each(|entry| table.row(cells(entry)));
    table.write(&mut sheet);
    if rows.len() < all {
        let more = number((all - rows.len()) as u64);
        sheet.more(&format!("{more} of which more was seen (--full shows all)"));
    }
    sheet.line("");
    let heads = [
        "seen: mean of the shares of files and bytes that tools have shown",
        "self-rated: what the investigation said of itself",
        "symbols: types and functions",
        "claims: verified of all",
    ];
    sheet.facts("", &heads.map(str::to_owned));
    sheet.finish()
}

fn whole(coverage: Coverage) -> String {
    format!(
        "{} of {} seen, {} of {}",
        number(coverage.files_seen),
        count(coverage.files, "file", "files"),
        ByteSize(coverage.bytes_seen),
        ByteSize(coverage.bytes)
    ) + &unreadable(coverage)
}

/// `; 1 directory could not be read`, where there is one.
pub(crate) fn unreadable(coverage: Coverage) -> String {
    match coverage.unreadable {
        0 => String::new(),
        dirs => format!("; {} could not be read", count(dirs, "directory", "directories")),
    }
}

/// `190 whole · 15 in ranges · 12 by name only`.
fn extents(files: &[SeenFile], unlisted: u64) -> String {
    let told = Extent::ALL.into_iter().filter_map(|extent| {
        let found = files.iter().filter(|file| file.extent == extent).count() as u64;
        let found = found + if extent == Extent::Skipped { unlisted } else { 0 };
        let words = words(extent);
        (0 < found).then(|| format!("{} {words}", number(found)))
    });
    told.collect::<Vec<_>>().join(" · ")
}

fn words(extent: Extent) -> &'static str {
    match extent {
        Extent::Whole => "whole",
        Extent::Ranges => "in ranges",
        Extent::Metadata => "by name and size only",
        Extent::Skipped => "left out",
        Extent::Unreadable => "unreadable",
    }
}

fn cells(entry: &DirEntry) -> [String; 7] {
    let coverage = entry.coverage;
    let of = |part: u64, whole: u64| format!("{}/{}", number(part), number(whole));
    let (verified, claims) = entry.verified_claims();
    let bytes = format!("{}/{}", ByteSize(coverage.bytes_seen), ByteSize(coverage.bytes));
    [
        entry.relative_path.for_terminal(),
        if coverage.files + coverage.unreadable == 0 {
            "–".to_owned()
        } else {
            coverage.share().to_string()
        },
        entry.completeness.map_or_else(|| "–".to_owned(), |share| share.to_string()),
        of(coverage.files_seen, coverage.files),
        if coverage.files == 0 { "–".to_owned() } else { bytes },
        if coverage.symbols == 0 { "–".to_owned() } else { of(coverage.symbols_seen, coverage.symbols) },
        of(verified, claims),
    ]
}

/// The files directly in a directory.
fn files_of<'a>(report: &'a Report, dir: &RelPath) -> impl Iterator<Item = &'a SeenFile> {
    report.files.iter().filter(move |file| file.path.parent().as_ref() == Some(dir) || file.path == *dir)
}

/// Each file of one directory; `None` if nothing is known of such a directory.
pub fn directory(report: &Report, dir: &RelPath, layout: &Layout) -> Option<String> {
    let entry = report.directories.iter().find(|entry| entry.relative_path == *dir);
    let files: Vec<&SeenFile> = files_of(report, dir).collect();
    if entry.is_none() && files.is_empty() {
        return None;
    }
    let mut sheet = Sheet::new(layout);
    let seen = match entry {
        Some(entry) => whole(entry.coverage),
        None => "not investigated".to_owned(),
    };
    sheet.hanging("", &format!("{} · {seen}", dir.for_terminal()));
    if files.is_empty() {
        sheet.line("No files lie directly in it.");
        return Some(sheet.finish());
    }
    sheet.line("");
    let heads = [("file", Side::Left), ("seen", Side::Left), ("size", Side::Right), ("of it", Side::Words)];
    let mut table = Table::new(heads, 3);
    for file in files {
        table.row([
            file.path.for_terminal(),
            words(file.extent).to_owned(),
            if file.extent == Extent::Skipped && file.size == 0 {
                "–".to_owned()
            } else {
                ByteSize(file.size).to_string()
            },
            about(file),
        ]);
    }
    table.write(&mut sheet);
    Some(sheet.finish())
}

fn about(file: &SeenFile) -> String {
    if let Some(reason) = &file.reason {
        return prose::one_line(reason);
    }
    if file.extent != Extent::Ranges {
        return String::new();
    }
    let mut lines: Vec<(u64, u64)> =
        file.looks.iter().map(|look| (look.first_line, look.last_line)).collect();
    lines.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (first, last) in lines {
        match merged.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            Some(_) | None => merged.push((first, last)),
        }
    }
    let share = Share::of(file.bytes_seen, file.size);
    let lines: Vec<String> = merged
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") })
        .collect();
    format!("{share}: lines {}", lines.join(", "))
}

#[derive(Serialize)]
struct Row<'a> {
    path: String,
    completeness: Option<f64>,
    share: f64,
    files: u64,
    files_seen: u64,
    bytes: u64,
    bytes_seen: u64,
    symbols: u64,
    symbols_seen: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<Vec<FileEntry<'a>>>,
}

/// Writes the coverage for programs: one JSON object a line, one for each directory. With a directory, that one alone,
/// and each of its files as in the JSON report.
pub fn write_json_lines(out: &mut dyn Write, report: &Report, dir: Option<&RelPath>) -> io::Result<()> {
    let wanted = |entry: &&DirEntry| dir.is_none_or(|dir| entry.relative_path == *dir);
    report.directories.iter().filter(wanted).try_for_each(|entry| {
        let Coverage { files, files_seen, bytes, bytes_seen, symbols, symbols_seen, unreadable } =
            entry.coverage;
        write_json_line(
            out,
            &Row {
                path: entry.relative_path.to_word(),
                completeness: entry.completeness.map(Share::get),
                share: entry.coverage.share().get(),
                files,
                files_seen,
                bytes,
                bytes_seen,
                symbols,
                symbols_seen,
                unreadable: (0 < unreadable).then_some(unreadable),
                seen: dir.map(|dir| files_of(report, dir).map(FileEntry::from).collect()),
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::sample;

    #[test]
    fn directories_stand_with_what_was_seen_beside_what_they_say() {
        let report = sample::report();
        insta::assert_snapshot!(text(&report, &Layout::default()), @"
/home/ada/parcel · 20 of 30 files seen, 39.2 KB of 82.0 KB
1 whole · 1 in ranges · 1 by name and size only · 4 left out · 1 unreadable

directory   seen  self-rated  files           bytes  symbols  claims
.           71 %        80 %    3/4   5.9 KB/8.8 KB    15/20     0/0
deploy      71 %        80 %    3/4   5.9 KB/8.8 KB    15/20     0/0
migrations  71 %        80 %    3/4   5.9 KB/8.8 KB    15/20     0/0
src         71 %        80 %    3/4   5.9 KB/8.8 KB    15/20     0/0
src/domain  23 %        80 %    2/6  4.0 KB/29.3 KB        –     0/0
src/routes  71 %        80 %    3/4   5.9 KB/8.8 KB    15/20     1/2
web         71 %           –    3/4   5.9 KB/8.8 KB    15/20     0/0

seen: mean of the shares of files and bytes that tools have shown
self-rated: what the investigation said of itself · symbols: types and functions
claims: verified of all
");
    }

    #[test]
    fn files_stand_with_what_was_seen_of_each() {
        let report = sample::report();
        let of = |dir: &str| directory(&report, &RelPath::from(dir), &Layout::default());
        let all: Vec<String> = ["", "src", "src/routes", "deploy"].into_iter().filter_map(of).collect();
        insta::assert_snapshot!(all.join("\n"), @"
. · 3 of 4 files seen, 5.9 KB of 8.8 KB

file  seen      size  of it
.git  left out     –  always left out (--keep NAME looks inside)

src · 3 of 4 files seen, 5.9 KB of 8.8 KB

file         seen                    size  of it
src/latest   by name and size only    0 B  symlink
src/main.rs  whole                  900 B

src/routes · 3 of 4 files seen, 5.9 KB of 8.8 KB

file                  seen         size  of it
src/routes/upload.rs  in ranges  4.7 KB  25 %: lines 1–40

deploy · 3 of 4 files seen, 5.9 KB of 8.8 KB

file            seen          size  of it
deploy/key.pem  unreadable  1.7 KB  not read: Permission denied
");
        assert_eq!(of("nowhere"), None);
    }

    #[test]
    fn programs_get_a_line_for_each_directory() {
        let report = sample::report();
        let written = |dir: Option<&RelPath>| {
            let mut written = Vec::new();
            write_json_lines(&mut written, &report, dir).unwrap();
            String::from_utf8(written).unwrap()
        };
        assert_eq!(written(None).lines().count(), report.directories.len());
        insta::assert_snapshot!(written(Some(&RelPath::from("src"))), @r#"{"path":"src","completeness":0.8,"share":0.71,"files":4,"files_seen":3,"bytes":9000,"bytes_seen":6000,"symbols":20,"symbols_seen":15,"seen":[{"path":"src/latest","seen":"metadata","size":0,"lines":0,"bytes_seen":0,"reason":"symlink"},{"path":"src/main.rs","seen":"whole","size":900,"lines":30,"bytes_seen":900,"sha256":"5555555555555555555555555555555555555555555555555555555555555555","looks":[{"start_byte":0,"end_byte":900,"start_line":1,"end_line":30,"call":"call-7"}]}]}"#);
    }
}
