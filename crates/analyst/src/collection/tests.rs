//! Four collections, made here, each with facts that must be told and words that would be wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use luminos_core::job::DirReport;
use luminos_core::judge::{Author, Shown, judge};
use tempfile::TempDir;

mod forms;
mod kinds;
mod lessons;
mod papers;
mod portal;

use super::Keeps;
use super::days;
use crate::fixture::put;
use crate::tests::{Shelf, served, whole_of};

/// Holds a report against its facts, and every claim against the bytes.
#[track_caller]
fn tells(target: &TempDir, facts: &[&str], wrong: &[&str]) {
    let (entries, synthesis, script) = whole_of(target);
    let summaries: Vec<&str> = entries.iter().map(|entry| entry.summary.as_str()).collect();
    let findings = &synthesis.findings;
    let said = format!(
        "{}\n{}\n{:?}\n{}",
        findings.brief,
        findings.detailed,
        findings.sections,
        summaries.join("\n")
    );
    let missing: Vec<&&str> = facts.iter().filter(|fact| !said.contains(**fact)).collect();
    assert!(missing.is_empty(), "missing: {missing:#?}\nin: {said}");
    for word in wrong {
        assert!(!said.contains(word), "{word} is wrong: {said}");
    }
    let served = served(&script);
    for entry in entries {
        let report = DirReport { summary: entry.summary, claims: entry.claims, ..DirReport::default() };
        let shown = Shown { served: &served, entries: &BTreeMap::new(), author: Author::Analyst };
        assert_eq!(judge(report, shown, &mut Shelf(target)).faults, Vec::<String>::new());
    }
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own target")]
fn put_bytes(target: &TempDir, path: &str, bytes: &[u8]) {
    put(target, path, "");
    std::fs::write(target.path().join(path), bytes).unwrap();
}

fn month(year: i64, month: i64) -> Vec<String> {
    let first = days::number(year, month, 1).unwrap();
    let days = (first..first + 31).map(days::told);
    days.filter(|day| day.starts_with(&format!("{year}-{month:02}"))).collect()
}

#[test]
fn readings_of_sensors_are_told_as_one_set() {
    let target = tempfile::tempdir().unwrap();
    for at in 1..=6 {
        let name = if at == 4 { "temp" } else { "temperature" };
        let mut text = format!("day,station,{name}\n");
        for (row, day) in month(2023, at).iter().enumerate() {
            if at == 5 && (9..12).contains(&row) {
                continue;
            }
            for station in 1..=4 {
                if station == 3 && 2 < at {
                    continue;
                }
                let value = if row == 7 && station == 2 { String::new() } else { format!("{}.5", row % 20) };
                writeln!(text, "{day},{station},{value}").unwrap();
            }
        }
        if at == 2 {
            text.push_str("2023-02-28,1,7.5\n");
            text.push_str("2023-02-28,4,broken\n");
        }
        put(&target, &format!("readings/2023-{at:02}.csv"), &text);
    }
    tells(
        &target,
        &[
            "6 monthly tables, 2023-01-01 to 2023-06-30",
            "daily, ",
            "4 stations",
            "`station` 3 stops on 2023-02-28",
            "no rows on 3 days: 2023-05-10 to 2023-05-12",
            "`2023-04.csv` has `temp` where 5 files beside it have `temperature`",
            "values of `temperature` are missing",
            "1 value that is none, such as “broken”",
            "1 row stands there twice",
        ],
        &[
            "`station` 1 stops",
            "2023-04-01 to 2023-04-30",
            "hourly",
            "a collection of",
            "software",
            "lines of code",
        ],
    );
}

/// A picture with what a camera writes into it.
fn photo(taken: Option<(&str, &str)>) -> Vec<u8> {
    let mut out = b"\xff\xd8".to_vec();
    if let Some((date, model)) = taken {
        let (model, date) = ([model.as_bytes(), b"\0"].concat(), [date.as_bytes(), b"\0"].concat());
        let model_at = 8 + 2 + 24 + 4_u32;
        let details = model_at + model.len() as u32;
        let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0".to_vec();
        let entry = |tag: u16, kind: u16, count: u32, value: u32| {
            [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
        };
        exif.extend(entry(0x110, 2, model.len() as u32, model_at));
        exif.extend(entry(0x8769, 4, 1, details));
        exif.extend([0; 4]);
        exif.extend(&model);
        exif.extend([1, 0]);
        exif.extend(entry(0x9003, 2, date.len() as u32, details + 18));
        exif.extend([0; 4]);
        exif.extend(&date);
        out.extend([0xff, 0xe1]);
        out.extend((exif.len() as u16 + 2).to_be_bytes());
        out.extend(exif);
    }
    out.extend(b"\xff\xc0\x00\x0b\x08\x0b\xb8\x0f\xa0\x01\x01\x11\x00\xff\xda\xff\xd9");
    out
}

#[test]
fn photos_are_told_with_their_time_and_their_cameras() {
    let target = tempfile::tempdir().unwrap();
    for year in [2019, 2021] {
        for at in 1..=9 {
            let model = if at % 3 == 0 { "Pixel 4" } else { "EOS 80D" };
            let mut bytes = photo(Some((&format!("{year}:0{at}:11 10:00:00"), model)));
            bytes.extend([at as u8; 600]);
            put_bytes(&target, &format!("{year}/p{at}.jpg"), &bytes);
        }
    }
    put_bytes(&target, "2021/clock.jpg", &photo(Some(("2008:01:01 00:00:01", "EOS 80D"))));
    put_bytes(&target, "2021/scan.jpg", &photo(None));
    put_bytes(&target, "2021/setup.exe", b"MZ\x90\0and so on\n");
    put(
        &target,
        "2019/id_rsa",
        &format!(
            "-----BEGIN OPENSSH PRIVATE {}-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn\n",
            "KEY"
        ),
    );
    tells(
        &target,
        &[
            "20 photos, 2019-01-11 to 2021-09-11",
            "taken with EOS 80D (13) and Pixel 4 (6)",
            "up to 4000 × 3000 pixels",
            "`clock.jpg` says 2008-01-01, years from the rest",
            "1 picture carries no date: `scan.jpg`",
            "`setup.exe` is a program among 11 pictures",
            "a private key",
        ],
        &["2008-01-01 to", "a collection of", "software"],
    );
}

#[test]
fn a_home_directory_is_told_by_its_mail_and_its_papers() {
    let target = tempfile::tempdir().unwrap();
    let mut mails = String::new();
    for at in 0..30 {
        let (day, who) = (days::told(17_600 + at * 30), ["anna", "ben", "carla"][at as usize % 3]);
        let (year, month, day) = (&day[..4], &day[5..7], &day[8..]);
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let month = names[month.parse::<usize>().unwrap() - 1];
        let subject = ["Garden", "Re: Garden", "Invoice"][at as usize % 3];
        write!(mails, "From {who} x\nFrom: X <{who}@example.org>\nDate: Mon, {day} {month} {year} 10:00:00 +0100\nSubject: {subject}\n\nHello\n\n").unwrap();
    }
    put(&target, "Mail/archive.mbox", &mails);
    let pdf = |title: &str, pages: u32| {
        format!(
            "%PDF-1.4\n2 0 obj\n<< /Type /Pages /Count {pages} >>\nendobj\n3 0 obj\n<< /Title ({title}) >>\nendobj\n%%EOF\n"
        )
    };
    put(&target, "Documents/tax.pdf", &pdf("Tax return 2021", 12));
    put(&target, "Documents/rent.pdf", &pdf("Rental contract", 5));
    put(&target, "Documents/empty.txt", "");
    put(&target, "Notes/trip.md", "# Summer trip to Norway\n\nTent.\n");
    put_bytes(&target, "Notes/old.txt", b"Gr\xfc\xdfe aus K\xf6ln, viele davon\n");
    tells(
        &target,
        &[
            "30 mails, 2018-03-10 to 2020-07-27",
            "3 senders in 2 threads",
            "anna@example.org (10)",
            "‘Tax return 2021’ (12 pages)",
            "‘Rental contract’ (5 pages)",
            "‘Summer trip to Norway’",
            "it is not UTF-8",
            "1 file is empty: `Documents/empty.txt`",
        ],
        &["a collection of", "software", "lines of code"],
    );
}

#[test]
fn logs_and_backups_are_told_with_their_bursts_and_their_damage() {
    let target = tempfile::tempdir().unwrap();
    for turn in 0..4 {
        let day = format!("2024-03-{:02}", 17 - turn);
        let mut text = String::new();
        for hour in 0..24 {
            writeln!(text, "{day} {hour:02}:00:01 INFO served").unwrap();
            let errors = if turn == 2 && hour == 14 { 40 } else { u64::from(hour == 3) };
            for _ in 0..errors {
                writeln!(text, "{day} {hour:02}:30:00 ERROR no connection").unwrap();
            }
        }
        if turn == 0 {
            put(&target, "logs/app.log", &text);
        } else {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            packed.write_all(text.as_bytes()).unwrap();
            put_bytes(&target, &format!("logs/app.log.{turn}.gz"), &packed.finish().unwrap());
        }
    }
    put_bytes(&target, "backups/etc.tar.gz", &[0; 300]);
    put(
        &target,
        "backups/shop.sql",
        "-- dump\nCREATE TABLE customers (\n id integer\n);\nCOPY public.customers (id) FROM stdin;\n1\n2\n3\n\\.\nCREATE TABLE empty (\n id integer\n);\nINSERT INTO orders VALUES (1),(2);\n",
    );
    tells(
        &target,
        &[
            "log lines, 2024-03-14 to 2024-03-17",
            "in 4 files",
            "44 ERROR and 96 INFO",
            "errors come in a burst: 40 of 44 in the hour of 2024-03-15 14:00",
            "`customers` (3 rows)",
            "`orders` (2 rows)",
            "it is called .gz and does not begin like one",
        ],
        &["a collection of", "software", "lines of code", "Most of the code"],
    );
}

#[test]
fn what_is_kept_can_be_read_back() {
    for (period, details) in [
        (None, ""),
        (Some(("2021-01-02", "2021-01-02")), "by hand"),
        (Some(("2021-01-02", "2023-04-05")), "taken with A (3) and B (4); up to 4 × 3 pixels"),
    ] {
        for (count, noun) in [(1, "photo"), (1_234, "log line"), (2, "monthly table")] {
            let keeps = Keeps {
                path: "a/b".to_owned(),
                count,
                noun: noun.to_owned(),
                period: period.map(|(from, to)| (from.to_owned(), to.to_owned())),
                details: details.to_owned(),
            };
            assert_eq!(Keeps::read(&keeps.sentence()), Some(keeps));
        }
    }
    assert_eq!(Keeps::read("`a` holds 3 rows."), None);
}

#[test]
fn packed_tables_and_documents_maildirs_and_films_are_opened() {
    let target = tempfile::tempdir().unwrap();
    let columns = [("day", 1, Some(6)), ("city", 6, Some(0)), ("degrees", 5, None)];
    put_bytes(&target, "lake/weather.parquet", &super::parquet::tests::file(42, &columns));
    put_bytes(&target, "lake/cut.parquet", b"PAR1 and nothing more");
    let text = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Lease of the flat</w:t></w:r></w:p>";
    put_bytes(&target, "papers/lease.docx", &super::office::tests::zip(&[("word/document.xml", text)]));
    let sheets = "<sheets><sheet name=\"Costs\" sheetId=\"1\"/></sheets>";
    put_bytes(&target, "papers/money.xlsx", &super::office::tests::zip(&[("xl/workbook.xml", sheets)]));
    for (at, day) in [(1, "3 Jan 2024"), (2, "9 Mar 2024")] {
        let mail = format!("From: ada@example.org\nSubject: Trip\nDate: {day} 10:00:00 +0000\n\nHello\n");
        put(&target, &format!("Maildir/cur/170000000{at}.M1P1.host:2,S"), &mail);
    }
    // 2021-07-03 in seconds since 1904.
    let seconds = ((days::number(2021, 7, 3).unwrap() + days::SINCE_1904) * 86_400) as u32;
    let mut film = b"\0\0\0\x18ftypmp42\0\0\0\x6cmoov\0\0\0\x64mvhd\0\0\0\0".to_vec();
    film.extend(seconds.to_be_bytes());
    film.extend([0; 80]);
    put_bytes(&target, "films/norway.mp4", &film);
    tells(
        &target,
        &[
            "1 Parquet table (42 rows; day `day`, text `city` and decimal `degrees`)",
            "its end is not that of a Parquet file",
            "‘Lease of the flat’",
            "with the sheet ‘Costs’",
            "2 mails, 2024-01-03 to 2024-03-09",
            "1 video, 2021-07-03",
        ],
        &["packed file", "1970", "1904"],
    );
}

/// What a reader leaves out because there is too much of it, it says.
#[test]
fn limits_of_readers_are_told() {
    let target = tempfile::tempdir().unwrap();
    let many: String = (0..2_000).map(|at| format!("{{\"a{at}\": 1}}\n")).collect();
    put(&target, "keys.jsonl", &many);
    let wide = vec!["{}"; 300_000].join(",");
    put(&target, "wide.json", &format!("[{wide}]"));
    put(&target, "line.jsonl", &format!("{{\"a\": 1}}\n{{\"a\": [{wide}]}}\n{{\"a\": 2}}\n"));
    let columns = |cell: &str| vec![cell; 1_000].join(",");
    put(&target, "wide.csv", &format!("{}\n{}\n", columns("a"), columns("1")));
    let facts = [
        "more than 1,000 keys, of which the first were looked at",
        "it has so many values that it was not read as a whole",
        "1 line has so many values that it was not read",
        "1,000 columns, of which the first 400 were looked at",
    ];
    tells(&target, &facts, &[]);
}

/// A track as long as a year of walking is read once, not once for each of its points.
#[test]
fn a_track_of_very_many_points_is_told() {
    let target = tempfile::tempdir().unwrap();
    let points = "<trkpt lat=\"1.5\" lon=\"2.5\"><time>2024-01-01T00:00:00Z</time></trkpt>".repeat(150_000);
    put(&target, "a.gpx", &format!("<gpx><trk><trkseg>{points}</trkseg></trk></gpx>"));
    tells(&target, &["150,000 track points"], &[]);
}
