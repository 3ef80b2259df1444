//! Forms that only programs read: photos of telephones and scanners, workbooks, sounds, tracks; and what is easily taken for a
//! program.

use std::fmt::Write as _;

use super::super::office::tests::zip;
use super::{put_bytes, tells};
use crate::fixture::put;

/// What a camera writes, as TIFF: a size, a model, a day, a place.
fn details(model: &str, day: &str, is_located: bool) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let (model, day) = ([model.as_bytes(), b"\0"].concat(), [day.as_bytes(), b"\0"].concat());
    let entries = 4 + u32::from(is_located);
    let model_at = 8 + 2 + 12 * entries + 4;
    let inner = model_at + model.len() as u32;
    let place = inner + 2 + 12 + 4 + day.len() as u32;
    let mut out = [b"II*\0\x08\0\0\0".to_vec(), (entries as u16).to_le_bytes().to_vec()].concat();
    out.extend(entry(0x100, 3, 1, 4032));
    out.extend(entry(0x101, 3, 1, 3024));
    out.extend(entry(0x110, 2, model.len() as u32, model_at));
    out.extend(entry(0x8769, 4, 1, inner));
    if is_located {
        out.extend(entry(0x8825, 4, 1, place));
    }
    out.extend([0; 4]);
    out.extend(model);
    out.extend([1, 0]);
    out.extend(entry(0x9003, 2, day.len() as u32, inner + 18));
    out.extend([0; 4]);
    out.extend(day);
    out.extend([1, 0]);
    out.extend(entry(2, 5, 3, 0));
    out.extend([0; 4]);
    out
}

/// A picture of a telephone, made of boxes.
fn heic(model: &str, day: &str) -> Vec<u8> {
    let head = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x40meta\0\0\0\0";
    let size = [&b"\0\0\0\x14ispe\0\0\0\0"[..], &4032_u32.to_be_bytes(), &3024_u32.to_be_bytes()].concat();
    let inside = [&b"Exif\0\0"[..], &details(model, day, true)].concat();
    [&head[..], &size, &[0; 32], b"\0\0\x02\0mdat", &inside, &[7; 40]].concat()
}

#[test]
fn photos_of_telephones_and_scanners_are_read() {
    let target = tempfile::tempdir().unwrap();
    for at in 1..=6 {
        let day = format!("2023:07:0{at} 10:00:00");
        put_bytes(&target, &format!("phone/IMG_400{at}.HEIC"), &heic("iPhone 14 Pro", &day));
    }
    for at in (1..=20).filter(|at| *at != 7) {
        let scan = details("Expression 12000XL", &format!("2018:05:03 09:{at:02}:00"), false);
        put_bytes(&target, &format!("box/MZ_{at:04}.tif"), &scan);
    }
    tells(
        &target,
        &[
            "6 photos, 2023-07-01 to 2023-07-06 (HEIC; taken with iPhone 14 Pro; all with the place where they were taken; up to 4032 × 3024 pixels)",
            "19 scans, 2018-05-03 (TIFF; made with Expression 12000XL; up to 4032 × 3024 pixels)",
            "number 0007 of `MZ_*` is not there; the others run from 0001 to 0020",
        ],
        &["taken with Expression", "carry no date", "damaged"],
    );
    // However they are damaged, nothing fails.
    let (phone, scan) = (heic("x", "2023:07:01 10:00:00"), details("y", "2018:05:03 09:00:00", true));
    for bytes in [phone, scan] {
        for end in 0..bytes.len() {
            let _ = luminos_tools::structure::picture(&bytes[..end], None);
            let _ = luminos_tools::structure::far(&bytes[..end]);
            let mut other = bytes.clone();
            other[end] ^= 0xff;
            let _ = luminos_tools::structure::picture(&other, Some((9, &bytes[..end])));
            let _ = luminos_tools::structure::far(&other);
        }
    }
}

/// A workbook with one sheet.
fn workbook(name: &str, rows: &[Vec<String>]) -> Vec<u8> {
    let mut sheet = String::from("<worksheet><sheetData>");
    for row in rows {
        sheet.push_str("<row>");
        for (at, cell) in row.iter().enumerate() {
            let place = char::from(b'A' + at as u8);
            match cell.parse::<f64>() {
                Ok(number) if at == 0 => write!(sheet, "<c r=\"{place}1\" s=\"1\"><v>{number}</v></c>"),
                Ok(number) => write!(sheet, "<c r=\"{place}1\"><v>{number}</v></c>"),
                Err(_) if cell.is_empty() => Ok(()),
                Err(_) => write!(sheet, "<c r=\"{place}1\" t=\"inlineStr\"><is><t>{cell}</t></is></c>"),
            }
            .unwrap();
        }
        sheet.push_str("</row>");
    }
    sheet.push_str("</sheetData></worksheet>");
    zip(&[
        (
            "xl/workbook.xml",
            &format!(
                "<sheets><sheet name=\"{name}\" r:id=\"r1\"/><sheet name=\"Notes\" r:id=\"r2\"/></sheets>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Target=\"worksheets/sheet2.xml\"/>",
        ),
        ("xl/styles.xml", "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs>"),
        ("xl/worksheets/sheet1.xml", &sheet),
        ("xl/worksheets/sheet2.xml", "<worksheet><sheetData/></worksheet>"),
    ])
}

#[test]
fn the_year_of_an_accountant_is_told_with_what_is_missing() {
    let target = tempfile::tempdir().unwrap();
    let mut rows: Vec<Vec<String>> = vec![["Date", "Text", "Debit", "Credit"].map(str::to_owned).to_vec()];
    for at in 0..60 {
        let text = if at == 7 { String::new() } else { ["Rent", "Fees"][at % 2].to_owned() };
        let amount = format!("{}.5", at + 10);
        let (debit, credit) = if at % 3 == 0 { (amount, String::new()) } else { (String::new(), amount) };
        rows.push(vec![(45_292 + at).to_string(), text, debit, credit]);
    }
    put_bytes(&target, "ledger.xlsx", &workbook("Journal", &rows));
    for month in (1..=12).filter(|month| *month != 8) {
        let mut text = String::from("Date;Text;Amount;Balance\n");
        for day in 1..=9 {
            writeln!(text, "0{day}.{month:02}.2024;Rent;-{day},50;{}{month},00", day * 100).unwrap();
        }
        put(&target, &format!("bank/statement-2024-{month:02}.csv"), &text);
    }
    for year in [2019, 2020, 2022] {
        put(&target, &format!("taxes/return-{year}.txt"), &format!("Tax return of {year}\n"));
    }
    put(&target, "todo.txt", "- call the bank\n- file the taxes\n");
    tells(
        &target,
        &[
            "`ledger.xlsx` 2 sheets, 2024-01-01 to 2024-02-29 (‘Journal’ (60 rows)",
            "in ‘Journal’ 2 different `Text`",
            "`Debit` 10.5 to 67.5",
            "40 of 60 values of `Debit` and 20 of `Credit` are missing: together as many as there are rows (‘Journal’)",
            "‘Notes’ is empty",
            "11 monthly tables, 2024-01-01 to 2024-12-09",
            "no `statement-*.csv` for 2024-08, where every other month has one",
            "no `return-*.txt` for 2021, between 2019 and 2022",
        ]
        .map(|fact| fact.trim_start_matches("`ledger.xlsx` ")),
        &["call the bank", "45292", "software"],
    );
}

#[test]
fn sounds_tracks_and_participants_are_told() {
    let target = tempfile::tempdir().unwrap();
    let field = |name: &[u8], value: &[u8]| {
        let length = (24 + value.len() as u32).to_be_bytes();
        [&length[..], name, &[0; 4], b"data", &[0; 8], value].concat()
    };
    for track in 1..=3_u8 {
        let list = [
            field(b"\xa9ART", b"Lina Holm"),
            field(b"\xa9alb", b"Slow Signals"),
            field(b"\xa9day", b"2019"),
            field(b"trkn", &[0, 0, 0, track, 0, 3]),
        ]
        .concat();
        let clock =
            [&[0; 12][..], &1000_u32.to_be_bytes(), &(60_000 * u32::from(track)).to_be_bytes()].concat();
        let file = [&b"\0\0\0\x10ftypM4A \0\0\0\0    mvhd"[..], &clock, b"ilst", &list].concat();
        put_bytes(&target, &format!("music/0{track}.m4a"), &file);
    }
    let mut track = String::from("<gpx><trk><name>Piz Nair</name><trkseg>");
    for at in 0..50 {
        let lat = 46.5 + f64::from(at) * 0.001;
        write!(
            track,
            "<trkpt lat=\"{lat:.3}\" lon=\"9.8\"><ele>{}</ele><time>2023-05-06T07:{at:02}:00Z</time></trkpt>",
            1700 + at
        )
        .unwrap();
    }
    track.push_str("</trkseg></trk></gpx>");
    put(&target, "tours/nair.gpx", &track);
    let mut people = String::from("participant_id,age,site\n");
    for at in 0..60 {
        writeln!(people, "P{at},{},Chur", if at == 44 { 219 } else { 20 + at % 50 }).unwrap();
    }
    put(&target, "study/participants.csv", &people);
    put(&target, "study/lengths.csv", "Chins Situps Jumps\n5 162 60\n2 110 61\n12 101 101\n");
    tells(
        &target,
        &[
            "3 recordings (M4A; ‘Slow Signals’ by Lina Holm, 2019; 6 minutes)",
            "(‘Piz Nair’; 5.4 km, 49 m up; latitude 46.50 to 46.55, longitude 9.80)",
            "`age` is 219 once, and at most 69 everywhere else",
            "`Chins` 2 to 12",
        ],
        &["longitude 9.80 to 9.80", "software"],
    );
}

#[test]
fn letters_and_saved_pages_are_no_programs() {
    let target = tempfile::tempdir().unwrap();
    for at in 0..20 {
        let text = format!(
            "From: Ada <ada@example.org>\nSubject: Trip\nDate: {} Feb 2024 10:00:00 +0000\n\nHello\n",
            1 + at
        );
        // The machine is called `vm`, as many are.
        put(&target, &format!("Maildir/new/17319451{at:02}.M8P1Q{at}.vm"), &text);
    }
    tells(
        &target,
        &["20 mails, 2024-02-01 to 2024-02-20"],
        &["Velocity", "lines of code", "licence", "No tests"],
    );
    let site = tempfile::tempdir().unwrap();
    for page in ["Index", "About", "History"] {
        let text =
            format!("<html><head><title>{page} – Fire Brigade Muri</title></head><body>x</body></html>");
        put(&site, &format!("{}.html", page.to_lowercase()), &text);
    }
    put(&site, "css/style.css", "body { color: #333; }\n");
    tells(
        &site,
        &["3 web pages (of the site ‘Fire Brigade Muri’; HTML; ‘About’, ‘History’ and ‘Index’)"],
        &["Written in HTML", "No tests", "licence"],
    );
}

#[test]
fn a_backup_that_is_too_small_is_told() {
    let target = tempfile::tempdir().unwrap();
    for day in 1..=8 {
        let files: Vec<String> =
            (0..if day == 6 { 2 } else { 12 }).map(|at| format!("www/f{at}.html")).collect();
        let parts: Vec<(&str, &str)> = files.iter().map(|name| (name.as_str(), "text")).collect();
        put_bytes(&target, &format!("daily/www-2024-06-0{day}.zip"), &zip(&parts));
    }
    let photos: Vec<String> = (0..20).map(|at| format!("album/p{at}.jpg")).collect();
    let parts: Vec<(&str, &str)> = photos.iter().map(|name| (name.as_str(), "x")).collect();
    put_bytes(&target, "photos.zip", &zip(&parts));
    put(&target, "wifi password.txt", "Alpenblick\n");
    tells(
        &target,
        &[
            "8 archives, 2024-06-01 to 2024-06-08 (daily",
            "`www-2024-06-06.zip` packs only 2 files, where 12 are usual",
            "JPG, all in `album/`",
        ],
        &["‘album/p0.jpg’", "Alpenblick"],
    );
}
