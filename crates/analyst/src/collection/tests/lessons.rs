//! What real collections taught: slips in numbers, people in columns, records in lines, logs without years, series with gaps.

use std::fmt::Write as _;
use std::io::Write as _;

use super::{put_bytes, tells};
use crate::collection::days;
use crate::fixture::put;

fn packed(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

#[test]
fn a_slip_in_a_number_and_people_in_a_column_are_told() {
    let target = tempfile::tempdir().unwrap();
    let mut orders = "id,date,price,customer,rent\n".to_owned();
    let first = days::number(2023, 1, 1).unwrap();
    for row in 0..60 {
        let price = if row == 41 { 99_999 } else { 5 + row % 30 };
        let rent = if row == 7 { "" } else { "900" };
        writeln!(orders, "{row},{},{price},ada{}@example.org,{rent}", days::told(first + row), row % 9)
            .unwrap();
    }
    put(&target, "sales/orders.csv", &orders);
    let mut events = String::new();
    for row in 0..50 {
        let value = if row == 3 { "null" } else { "1.5" };
        let day = days::told(first + row);
        writeln!(events, "{{\"ts\": \"{day}T10:00:00Z\", \"type\": \"view\", \"value\": {value}}}").unwrap();
    }
    put(&target, "events/events.jsonl", &events);
    put(&target, "README.md", "# Shop\n\nExports of the web shop, made every month.\n");
    put(&target, "look.ipynb", "{\"cells\": [], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}");
    tells(
        &target,
        &[
            "Exports of the web shop, made every month.” It keeps 1 table, 2023-01-01 to 2023-03-01",
            "keeps the table `orders.csv`, 2023-01-01 to 2023-03-01",
            "`price` is 99999 once, and at most 34 everywhere else",
            "`customer` holds e-mail addresses of people",
            "1 of 60 values of `rent` is missing",
            "50 records, 2023-01-01 to 2023-02-19",
            "with `ts`, `type` and `value`",
            "1 of 50 values of `value` is missing",
        ],
        &["values of `rent` are missing", "`id` is 59 once", "nothing written says", "Jupyter", "No licence"],
    );
}

#[test]
fn a_program_makes_software_and_queries_alone_do_not() {
    let target = tempfile::tempdir().unwrap();
    put(
        &target,
        "schema.sql",
        "-- The library.\nCREATE TABLE books (id INT);\nCREATE TABLE authors (id INT);\n",
    );
    put(&target, "exports/books.csv", "id,year\n1,1900\n2,1950\n");
    tells(
        &target,
        &["2 table definitions", "`authors` and `books`", "1 table, 1900 to 1950 (2 rows; also `id`)"],
        &["No tests", "No licence", "Written in", "0 rows"],
    );
}

#[test]
fn logs_without_years_and_logs_of_json_are_read() {
    let target = tempfile::tempdir().unwrap();
    let mut system = String::new();
    for minute in 0..30 {
        writeln!(system, "Jun  1 09:{minute:02}:01 web1 sshd[81{minute}]: Failed password for admin")
            .unwrap();
    }
    system.push_str("Jun  3 10:00:00 web1 cron[7]: (root) CMD\n");
    put(&target, "syslog", &system);
    let mut app = String::new();
    for hour in 0..20 {
        let level = if hour == 4 { "error" } else { "info" };
        writeln!(app, "{{\"time\":\"2024-06-02T{hour:02}:00:00Z\",\"level\":\"{level}\",\"msg\":\"x\"}}")
            .unwrap();
    }
    put(&target, "app/shop.log", &app);
    let errors = "2024/06/03 10:00:01 [error] 31#31: refused\n".repeat(20);
    put(&target, "nginx/error.log", &errors);
    tells(
        &target,
        &[
            "31 log lines (Jun 1 to Jun 3, without a year; most from sshd (30) and cron (1))",
            "`shop.log` with 20 log lines, 2024-06-02 (1 ERROR and 19 INFO)",
            "`error.log` with 20 log lines, 2024-06-03 (20 ERROR)",
        ],
        &["burst", "1 data file"],
    );
}

#[test]
fn backups_are_one_series_with_its_gap_and_its_damage() {
    let target = tempfile::tempdir().unwrap();
    for day in ["2024-01-07", "2024-01-14", "2024-01-21", "2024-02-04"] {
        put_bytes(&target, &format!("www/www-{day}.gz"), &packed(b"words of a page"));
    }
    let whole = packed(&[7; 5000]);
    put_bytes(&target, "db/shop.sql.gz", &whole[..whole.len() / 2]);
    put(&target, "passwords.txt", "bank: hunter2\n");
    let (_, synthesis, script) = crate::tests::whole_of(&target);
    let rules: Vec<Option<String>> = script.flags().into_iter().map(|flag| flag.rule).collect();
    assert_eq!(rules, [Some("secret.key-store".to_owned())]);
    let findings = &synthesis.findings;
    assert!(findings.brief.contains("4 archives, 2024-01-07 to 2024-02-04"), "{}", findings.brief);
    tells(
        &target,
        &[
            "weekly; `www-2024-01-07.gz` and the like; 1 packed file in each",
            "no archive between 2024-01-21 and 2024-02-04, where one came every 7 days",
            "`db/shop.sql.gz`: it does not unpack to its end: cut off or damaged",
        ],
        &["(no name)", "GB unpacked", "hunter2"],
    );
}
