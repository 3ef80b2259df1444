//! Photos, sounds, logs, databases, archives and downloads, whole and damaged.

use std::fmt::Write as _;

use super::super::office::tests::zip;
use super::{photo, put_bytes, tells};
use crate::fixture::put;

/// A recording with its tags.
fn recording(fields: &[(&str, &str)]) -> Vec<u8> {
    let frames: Vec<u8> = fields
        .iter()
        .flat_map(|(field, value)| {
            let body = [b"\0", value.as_bytes()].concat();
            [field.as_bytes(), &(body.len() as u32).to_be_bytes(), &[0, 0], &body].concat()
        })
        .collect();
    [b"ID3\x03\0\0\0\0", &[(frames.len() >> 7) as u8, (frames.len() & 0x7f) as u8][..], &frames].concat()
}

#[test]
fn pictures_and_albums_are_told_with_what_they_lack() {
    let target = tempfile::tempdir().unwrap();
    for at in 1..=6 {
        let bytes = photo(Some((&format!("2022:07:0{at} 10:00:00"), "ILCE-7M3")));
        put_bytes(&target, &format!("trip/DSC{at}.jpg"), &[bytes, vec![at; 9]].concat());
        let raw = [
            &b"II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x70\x17\0\0\x01\x01\x03\0\x01\0\0\0\xa0\x0f\0\0"[..],
            &[at; 40],
        ];
        put_bytes(&target, &format!("trip/DSC{at}.ARW"), &raw.concat());
        put_bytes(
            &target,
            &format!("shots/Screenshot_2022010{at}-101000.png"),
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x08\0\x08\x06\0\0\0IEND",
        );
    }
    let whole = photo(Some(("2022:07:08 10:00:00", "ILCE-7M3")));
    put_bytes(&target, "trip/cut.jpg", &whole[..whole.len() - 4]);
    put(&target, "trip/Thumbs.db", "xxxx");
    for track in [1, 2, 4] {
        let tags =
            [("TPE1", "Miles, John"), ("TALB", "Blue"), ("TYER", "1961"), ("TRCK", &track.to_string())];
        put_bytes(&target, &format!("music/{track}.mp3"), &recording(&tags));
    }
    tells(
        &target,
        &[
            "13 photos, 2022-07-01 to 2022-07-08 (JPEG (7) and ARW (6); 6 as both; taken with ILCE-7M3 (7); up to 6000 × 4000 pixels)",
            "`cut.jpg` is damaged: the image data breaks off",
            "6 screenshots, 2022-01-01 to 2022-01-06 (days by their names; up to 2048 × 1024 pixels)",
            "3 recordings (MP3; ‘Blue’ by Miles, John, 1961)",
            "track 3 of ‘Blue’ is not there",
            "1 system leftover (`Thumbs.db`",
        ],
        &["1 db file", "carry no date"],
    );
}

#[test]
fn logs_are_told_with_what_should_worry_somebody() {
    let target = tempfile::tempdir().unwrap();
    let mut secure = String::new();
    for minute in 0..40 {
        writeln!(
            secure,
            "Jun  1 09:{minute:02}:01 web1 sshd[81]: Failed password for root from 203.0.113.{} port 4 ssh2",
            minute % 3
        )
        .unwrap();
    }
    put(&target, "auth.log", &secure);
    let mut app = String::new();
    for hour in 0..20 {
        writeln!(app, "2024-06-02 {hour:02}:00:00 ERROR [w-{hour}] c.e.Stock - timeout after {hour} ms")
            .unwrap();
        writeln!(app, "\tat java.base/java.lang.Thread.run(Thread.java:840)").unwrap();
        writeln!(app, "2024-06-02 {hour:02}:00:00 INFO done").unwrap();
    }
    put(&target, "app/worker.log", &app);
    put(&target, "app/gc.log", &"[0.1s][info][gc] Pause Young\n".repeat(30));
    let mut web = String::new();
    for second in 0..30 {
        let (page, status) = if second % 2 == 0 { ("/wp-login.php", 404) } else { ("/", 200) };
        writeln!(web, "10.0.0.1 - - [02/Jun/2024:10:00:{second:02} +0000] \"GET {page} HTTP/1.1\" {status} 5 \"-\" \"x\"").unwrap();
    }
    put(&target, "web/access.log", &web);
    tells(
        &target,
        &[
            "40 logins failed, most from 203.0.113.0 (14), 203.0.113.1 (13) and 203.0.113.2 (13)",
            "all 20 errors say “timeout after # ms”",
            "30 log lines (without dates; 30 INFO)",
            "15 requests try doors that attackers look for, most often /wp-login.php (15)",
            "15 requests for what is not there or not allowed",
        ],
        &["burst", "1 data file"],
    );
}

#[test]
fn mails_are_told_by_what_they_are_about() {
    let target = tempfile::tempdir().unwrap();
    let mut mails = String::new();
    for at in 1..=9 {
        let subject = match at {
            1..=4 => "=?utf-8?q?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln?=".to_owned(),
            _ => format!("Newsletter week {at}"),
        };
        let list = if 4 < at { "List-Id: <shop.example>\n" } else { "" };
        write!(mails, "From x y\nFrom: Ada <ada@example.org>\n{list}Date: Mon, {at} May 2023 10:00:00 +0100\nSubject: {subject}\n\nHello\n\n").unwrap();
    }
    put(&target, "box.mbox", &mails);
    tells(
        &target,
        &[
            "9 mails, 2023-05-01 to 2023-05-09 (1 sender in 2 threads; all from ada@example.org; about ‘Newsletter week …’ (5) and ‘Grüße aus Köln’ (4); 5 sent to many)",
        ],
        &["=?utf-8", "most from"],
    );
}

#[test]
fn what_is_cut_off_is_told_and_so_is_what_is_packed_and_called_wrongly() {
    let target = tempfile::tempdir().unwrap();
    let mut database = b"SQLite format 3\0".to_vec();
    database.resize(4096, 0);
    database[16..18].copy_from_slice(&4096_u16.to_be_bytes());
    database[28..32].copy_from_slice(&9_u32.to_be_bytes());
    put_bytes(&target, "data/old.sqlite", &database);
    put(
        &target,
        "data/site.sql",
        "CREATE TABLE `wp_posts` (\n  `id` int\n);\nCREATE TABLE `wp_users` (\n  `user_pass` text\n);\nINSERT INTO `wp_users` VALUES (1,'a'),(2,'b');\nINSERT INTO `wp_posts` VALUES (1),(2",
    );
    put_bytes(
        &target,
        "packed/home.zip",
        &zip(&[("home/taxes/a.txt", "x"), ("home/cv/b.txt", "y"), ("home/passwords.txt", "z")]),
    );
    for name in ["setup.exe", "invoice.pdf.exe"] {
        put(&target, &format!("Downloads/{name}"), &format!("MZ{name}"));
    }
    put(&target, "Downloads/film.part", "xx");
    put(&target, "apt/key.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n");
    tells(
        &target,
        &[
            "it has fewer pages than its head says: cut off",
            "it ends in the middle of a statement: cut off",
            "a site of WordPress",
            "`wp_users.user_pass` is about people",
            "`home/cv/`, `home/taxes/` and ‘home/passwords.txt’",
            "it packs ‘home/passwords.txt’: by the name, keys or passwords",
            "2 programs (`invoice.pdf.exe` and `setup.exe`",
            "`invoice.pdf.exe` is called like a document and is a program",
            "`film.part` never finished",
        ],
        &["raster map"],
    );
}
