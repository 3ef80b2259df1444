use std::collections::BTreeSet;

use luminos_core::entry::FilledIn;
use luminos_core::fact::{Fact, FactKind, Reader, Subject};
use luminos_core::report::{ItemKind, Report, SecondJudge, SubsystemTold};
use luminos_core::{ContentHash, RelPath, Untrusted};
use serde_json::{Value, json};

use super::{Document, SCHEMA, write_json};
use crate::investigation::{Comparison, sample};

/// The schema, as it is published.
const PUBLISHED: &str = include_str!("../../../../../docs/report.schema.json");

fn written(report: &Report) -> String {
    let mut written = Vec::new();
    write_json(&mut written, report, None).unwrap();
    String::from_utf8(written).unwrap()
}

fn document(report: &Report) -> Value {
    serde_json::from_str(&written(report)).unwrap()
}

/// A report in which every optional key appears.
fn everything() -> Report {
    let mut report = sample::report();
    report.directories.push(sample::entry(&"long/".repeat(900), "Far down."));
    report.findings.claims[0].evidence[0].path = RelPath::new(*b"src/\xff");
    report.findings.claims[0].entries = vec![RelPath::from("src")];
    report.flags[0].faults = vec!["it does not stand there".to_owned()];
    report.findings.claims[0].evidence[0].quote_hash = Some(ContentHash([7; 32]));
    report.directories[0].coverage.unreadable = 2;
    report.directories[0].filled_in = Some(FilledIn { claims: 1, noted: true });
    report.directories[0].corrections = vec!["`claims[2]` could not be read".to_owned()];
    let licence = FactKind::Licence { name: "MIT".to_owned() };
    let cited = report.findings.claims[0].evidence.clone();
    let fact = Fact::new(Subject::File(RelPath::from("LICENSE")), licence, cited, Reader::Manifest);
    report.findings.claims[0].fact = Some(Box::new(fact.bare()));
    report.directories[0].facts = vec![fact];
    let items = report.findings.sections.values_mut().flatten();
    items.for_each(|item| item.kind = Some(ItemKind::Uses { parts: vec!["src/b".to_owned()] }));
    report.subsystems[0].told = SubsystemTold::Size;
    report
}

fn all() -> [Report; 5] {
    [sample::report(), sample::hostile(), sample::bare(), sample::large(30), everything()]
}

/// The schema without room for keys that it does not name.
fn strict(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            for value in object.values_mut() {
                *value = strict(value.take());
            }
            if object.contains_key("properties") {
                object.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = strict(item.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    schema
}

#[test]
fn every_document_fits_the_published_schema() {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    let schemas = [published.clone(), strict_but_for_shared_parts(published)];
    for schema in schemas {
        let validator = jsonschema::validator_for(&schema).unwrap();
        for report in all() {
            let document = document(&report);
            let faults: Vec<String> = validator
                .iter_errors(&document)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert_eq!(faults, Vec::<String>::new());
        }
    }
}

/// Paths are a part of other objects, so they alone may have other keys beside theirs.
fn strict_but_for_shared_parts(published: Value) -> Value {
    let mut schema = strict(published);
    let path = schema["$defs"]["path"].as_object_mut().unwrap();
    path.remove("unevaluatedProperties");
    schema
}

#[test]
fn the_strict_schema_notices_keys_that_it_does_not_name() {
    let schema = strict_but_for_shared_parts(serde_json::from_str(PUBLISHED).unwrap());
    let validator = jsonschema::validator_for(&schema).unwrap();
    for pointer in
        ["", "/flags/0", "/directories/5/claims/0/evidence/0", "/counters/tokens", "/sections/0/items/0"]
    {
        let mut document = document(&sample::report());
        document.pointer_mut(pointer).unwrap()["more"] = json!(1);
        assert!(!validator.is_valid(&document), "{pointer}");
    }
}

#[test]
fn the_schema_notices_what_does_not_fit() {
    let validator = jsonschema::validator_for(&serde_json::from_str(PUBLISHED).unwrap()).unwrap();
    for (pointer, wrong) in [
        ("/schema", json!("luminos.report/2")),
        ("/flags/0/severity", json!("bad")),
        ("/counters/cost_usd", json!(2.5)),
        ("/totals/verified_share", json!(1.5)),
        ("/directories/0/path", json!(7)),
        ("/sections/0/section", json!("other")),
        ("/notes/0/kind", json!("other kind")),
    ] {
        let mut document = document(&sample::report());
        assert!(validator.is_valid(&document));
        *document.pointer_mut(pointer).unwrap() = wrong;
        assert!(!validator.is_valid(&document), "{pointer}");
    }
}

#[test]
fn the_document_is_one_inert_line_and_says_what_was_said() {
    for report in all() {
        let written = written(&report);
        let line = written.strip_suffix('\n').unwrap();
        assert!(!line.contains(Untrusted::is_treacherous), "{line}");
        let mut read: Value = serde_json::from_str(line).unwrap();
        read.as_object_mut().unwrap().remove("digest").unwrap();
        assert_eq!(read, serde_json::to_value(Document::from(&report)).unwrap());
        assert_eq!(read["brief"], json!(report.findings.brief));
    }
}

#[test]
fn money_is_exact_and_absent_where_a_price_is_not_known() {
    let mut report = sample::report();
    let counters = document(&report)["counters"].clone();
    assert_eq!(counters["cost_usd"], json!("2.498765432"));
    assert_eq!(counters["cost_nanodollars"], json!(2_498_765_432_u64));
    report.counters.cost = None;
    let counters = document(&report)["counters"].clone();
    assert_eq!((counters.get("cost_usd"), counters.get("cost_nanodollars")), (None, None));
}

#[test]
fn a_claim_carries_all_that_is_needed_to_check_it_again() {
    let document = document(&sample::report());
    insta::assert_snapshot!(serde_json::to_string_pretty(&document["directories"][5]).unwrap(), @r#"
{
  "path": "src/routes",
  "entries": 4,
  "category": "source",
  "summary": "HTTP handlers, one file each.\n\nThe router in `mod.rs` puts the session check in front of all of them but the two that couriers call, which sign their requests instead; uploads go to a bucket and are scanned before anybody sees them.",
  "confidence": 0.9,
  "completeness": 0.8,
  "coverage": {
    "files": 4,
    "files_seen": 3,
    "bytes": 9000,
    "bytes_seen": 6000,
    "symbols": 20,
    "symbols_seen": 15,
    "share": 0.71
  },
  "partial": false,
  "notable_files": [
    {
      "path": "src/routes/mod.rs"
    },
    {
      "path": "src/routes/upload.rs"
    }
  ],
  "claims": [
    {
      "text": "Every handler checks the session first.",
      "verified": true,
      "evidence": [
        {
          "path": "src/routes/mod.rs",
          "start_line": 12,
          "end_line": 19,
          "quote": ".layer(from_fn(require_session))",
          "start_byte": 120,
          "end_byte": 152,
          "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
          "call": "call-7"
        }
      ]
    },
    {
      "text": "Uploads are limited to 2 MB.",
      "verified": false,
      "faults": [
        "the quote does not say 2 MB"
      ],
      "evidence": [
        {
          "path": "src/routes/upload.rs",
          "start_line": 8,
          "end_line": 8,
          "quote": "const LIMIT: usize = 4 << 20;",
          "start_byte": 120,
          "end_byte": 149,
          "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
          "call": "call-7"
        },
        {
          "path": "src/routes/upload.rs",
          "start_line": 40,
          "end_line": 44
        }
      ]
    }
  ],
  "verified_share": 0.5,
  "content_hash": "2222222222222222222222222222222222222222222222222222222222222222",
  "made_at": "2026-11-16T07:01:00Z"
}
"#);
}

#[test]
fn the_rest_of_a_document() {
    let mut document = document(&sample::report());
    for list in ["directories", "claims"] {
        document[list] = json!([]);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap(), @r#"
    {
      "schema": "luminos.report/1",
      "investigation": "019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee",
      "target": "parcel",
      "path": "/home/ada/parcel",
      "content_hash": "3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f",
      "made_at": "2026-11-16T07:05:09Z",
      "origin": "model",
      "partial": true,
      "models": {
        "dir": "anthropic/claude-haiku-4-5",
        "synthesis": "anthropic/claude-opus-4-5"
      },
      "brief": "A web service, written in Rust, with which shops hand parcels to couriers. Customers follow their parcel on a page of its own; couriers report by a small API.",
      "detailed": "Shops create shipments over HTTP, couriers are told by webhooks.\n\nState is kept in PostgreSQL; everything else can be thrown away at any time.",
      "fields": [
        {
          "field": "kind",
          "title": "Kind",
          "told": [
            {
              "text": "software",
              "source": "the files by their kinds",
              "score": 100
            }
          ]
        },
        {
          "field": "name",
          "title": "Name",
          "told": [
            {
              "text": "parcels",
              "source": "the package of the top",
              "score": 90
            }
          ]
        },
        {
          "field": "version",
          "title": "Version",
          "told": [
            {
              "text": "2.1.0",
              "path": "Cargo.toml",
              "line": 3,
              "source": "the package of the top",
              "score": 90
            }
          ],
          "others": [
            {
              "text": "1.9.0",
              "about": "the newest heading",
              "path": "CHANGELOG.md",
              "line": 5,
              "source": "the changelog",
              "score": 40
            }
          ]
        },
        {
          "field": "test",
          "title": "Test",
          "told": [
            {
              "text": "cargo test",
              "path": "README.md",
              "line": 12,
              "source": "a command in the README",
              "score": 90
            }
          ]
        },
        {
          "field": "entry",
          "title": "Begins in",
          "told": [
            {
              "text": "src/main.rs",
              "path": "src/main.rs",
              "line": 8,
              "source": "a main function",
              "score": 90
            }
          ]
        },
        {
          "field": "parts",
          "title": "Parts",
          "told": [
            {
              "text": "src/routes",
              "about": "the handlers, one file each",
              "source": "its own words",
              "score": 80
            },
            {
              "text": "src/domain",
              "about": "the rules of parcels",
              "source": "its own words",
              "score": 80
            }
          ]
        }
      ],
      "sections": [
        {
          "section": "overall_purpose",
          "title": "Purpose",
          "items": [
            {
              "text": "Lets shops hand parcels to couriers and lets customers follow them."
            }
          ]
        },
        {
          "section": "architecture",
          "title": "Architecture",
          "items": [
            {
              "text": "One process serves HTTP and talks to PostgreSQL.\n\nRequests pass three layers:\n- `src/routes` checks what came in and answers in JSON or as a page, depending on what the caller accepts;\n- `src/domain` decides;\n- `src/db` keeps.\n"
            }
          ]
        },
        {
          "section": "components",
          "title": "Components",
          "items": [
            {
              "name": "Routes",
              "text": "Twenty handlers, one file each, and the middleware that knows who is asking. Sessions live in a signed cookie.",
              "path": "src/routes",
              "sources": [
                {
                  "path": "src/routes"
                }
              ]
            },
            {
              "name": "Tracking",
              "text": "The states of a parcel as a state machine.",
              "path": "src/domain/tracking.rs"
            }
          ]
        },
        {
          "section": "tech_stack",
          "title": "Built with",
          "items": [
            {
              "name": "Rust",
              "text": "the whole service, edition 2021"
            },
            {
              "name": "PostgreSQL",
              "text": "through sqlx, with migrations"
            }
          ]
        },
        {
          "section": "entry_points",
          "title": "Entry points",
          "items": [
            {
              "text": "starts the server",
              "path": "src/main.rs"
            },
            {
              "name": "parcelctl",
              "text": "administers it",
              "path": "src/bin/ctl.rs"
            }
          ]
        },
        {
          "section": "concerns",
          "title": "Concerns",
          "items": [
            {
              "text": "No test covers refunds."
            },
            {
              "text": "Two ways to read settings.\nThey disagree."
            }
          ]
        }
      ],
      "claims": [],
      "subsystems": [
        {
          "name": "Delivery",
          "description": "Everything between an order and a courier.",
          "directories": [
            {
              "path": "src"
            },
            {
              "path": "src/routes"
            }
          ]
        }
      ],
      "flags": [
        {
          "severity": "critical",
          "path": "deploy/values.yaml",
          "finding": "A database password is kept in the repository.",
          "rule": "secret.password",
          "fingerprint": "1c2204ef243cbdd780f0cfd886b8cfad1ef1a10976a48407d70eb51feb185926",
          "directory": {
            "path": "deploy"
          },
          "verified": true,
          "evidence": [
            {
              "path": "deploy/values.yaml",
              "start_line": 17,
              "end_line": 17,
              "quote": "  password: correct-horse",
              "start_byte": 120,
              "end_byte": 145,
              "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
              "call": "call-7"
            }
          ]
        },
        {
          "severity": "concern",
          "path": "src/routes/upload.rs",
          "finding": "Uploads are read into memory whole before their size is checked, so that a few callers can use up all of it.",
          "rule": "model.finding",
          "fingerprint": "99a7eb2aff21fd0ce179c0b2f8e63d827ea592eef07c8c6fd5c220377f10d336",
          "directory": {
            "path": "src/routes"
          },
          "verified": true,
          "evidence": [
            {
              "path": "src/routes/upload.rs",
              "start_line": 40,
              "end_line": 44,
              "quote": "let body = to_bytes(body, usize::MAX).await?;",
              "start_byte": 120,
              "end_byte": 165,
              "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
              "call": "call-7"
            },
            {
              "path": "src/routes/avatar.rs",
              "start_line": 21,
              "end_line": 21
            }
          ]
        },
        {
          "severity": "info",
          "path": ".",
          "finding": "The licence file is missing.",
          "rule": "model.finding",
          "fingerprint": "31be9b226416e71c9bc21d2af2c031f637be7c9df574ab26f7b9df2836b34de3",
          "directory": {
            "path": "."
          },
          "verified": true,
          "evidence": []
        }
      ],
      "directories": [],
      "totals": {
        "claims": 2,
        "claims_verified": 1,
        "verified_share": 0.5,
        "coverage": {
          "files": 30,
          "files_seen": 20,
          "bytes": 84000,
          "bytes_seen": 40096,
          "symbols": 120,
          "symbols_seen": 90,
          "share": 0.57
        }
      },
      "files": [
        {
          "path": ".git",
          "seen": "skipped",
          "size": 0,
          "lines": 0,
          "bytes_seen": 0,
          "reason": "always left out (--keep NAME looks inside)"
        },
        {
          "path": "deploy/key.pem",
          "seen": "unreadable",
          "size": 1700,
          "lines": 56,
          "bytes_seen": 0,
          "reason": "not read: Permission denied"
        },
        {
          "path": "src/latest",
          "seen": "metadata",
          "size": 0,
          "lines": 0,
          "bytes_seen": 0,
          "reason": "symlink"
        },
        {
          "path": "src/main.rs",
          "seen": "whole",
          "size": 900,
          "lines": 30,
          "bytes_seen": 900,
          "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
          "looks": [
            {
              "start_byte": 0,
              "end_byte": 900,
              "start_line": 1,
              "end_line": 30,
              "call": "call-7"
            }
          ]
        },
        {
          "path": "src/routes/upload.rs",
          "seen": "ranges",
          "size": 4800,
          "lines": 160,
          "bytes_seen": 1200,
          "sha256": "5555555555555555555555555555555555555555555555555555555555555555",
          "looks": [
            {
              "start_byte": 0,
              "end_byte": 300,
              "start_line": 1,
              "end_line": 10,
              "call": "call-7"
            },
            {
              "directory": {
                "path": "."
              },
              "start_byte": 0,
              "end_byte": 1200,
              "start_line": 1,
              "end_line": 40,
              "call": "call-7"
            }
          ]
        }
      ],
      "files_unlisted": 3,
      "files_digest": "a788308a3ccb27a43e6d5573f993dfd18157579ea84f666a1ce7dc0cad782e85",
      "counters": {
        "files": 1204,
        "bytes": 7340032,
        "directories": 9,
        "directories_investigated": 7,
        "directories_reused": 2,
        "directories_partial": 1,
        "directories_skipped": 1,
        "directories_failed": 1,
        "turns": 61,
        "calls": 68,
        "tokens": {
          "input": 41200,
          "cache_write_5m": 90100,
          "cache_write_1h": 0,
          "cache_read": 812000,
          "output": 38450
        },
        "cost_usd": "2.498765432",
        "cost_nanodollars": 2498765432,
        "reserved": {
          "calls": 0,
          "tokens": 0,
          "cost_usd": "0.00",
          "cost_nanodollars": 0
        },
        "lost_in_flight": {
          "calls": 1,
          "tokens": 11200,
          "cost_usd": "0.131",
          "cost_nanodollars": 131000000
        },
        "seconds": 192
      },
      "passes": [
        {
          "pass": "survey",
          "calls": 1,
          "tokens": {
            "input": 4100,
            "cache_write_5m": 0,
            "cache_write_1h": 0,
            "cache_read": 0,
            "output": 350
          },
          "tokens_booked": 4450,
          "cost_usd": "0.02",
          "cost_nanodollars": 20000000
        },
        {
          "pass": "plan",
          "calls": 1,
          "tokens": {
            "input": 18200,
            "cache_write_5m": 0,
            "cache_write_1h": 0,
            "cache_read": 0,
            "output": 900
          },
          "tokens_booked": 19100,
          "cost_usd": "0.066765432",
          "cost_nanodollars": 66765432
        },
        {
          "pass": "dir",
          "calls": 61,
          "tokens": {
            "input": 900000,
            "cache_write_5m": 0,
            "cache_write_1h": 0,
            "cache_read": 0,
            "output": 31000
          },
          "tokens_booked": 931000,
          "cost_usd": "2.00",
          "cost_nanodollars": 2000000000
        },
        {
          "pass": "synthesis",
          "calls": 5,
          "tokens": {
            "input": 21000,
            "cache_write_5m": 0,
            "cache_write_1h": 0,
            "cache_read": 0,
            "output": 6200
          },
          "tokens_booked": 27200,
          "cost_usd": "0.412",
          "cost_nanodollars": 412000000,
          "lost_in_flight": {
            "calls": 1,
            "tokens": 11200,
            "cost_usd": "0.131",
            "cost_nanodollars": 131000000
          }
        }
      ],
      "notes": [
        {
          "kind": "partial",
          "text": "the limit of $2.50 was reached after 61 turns"
        },
        {
          "kind": "plan",
          "text": "the plan names `src/legacy`, which is no directory of the target"
        },
        {
          "kind": "left_out",
          "text": "fixtures (shallow): no turns were left"
        },
        {
          "kind": "degraded",
          "text": "the model server was overloaded 3 times; calls were repeated"
        },
        {
          "kind": "other",
          "text": "2 directories had not changed since the run of yesterday"
        }
      ],
      "digest": "c6414b4b17d7b1c450b3ae545d76cf55ee86752c964a9a2ea8b0cc6abe9b8d79"
    }
    "#);
}

/// All keys, each with the way to it: `directories[].claims[].text`.
fn keys(value: &Value, way: &str, found: &mut BTreeSet<String>) {
    match value {
        // Which passes there are is for the run to say.
        Value::Object(_) if way == "models" => {}
        // Which values a fact or an item has is for its kind to say.
        Value::Object(_) if way.ends_with("facts[].fact") || way.ends_with("items[].kind") => {}
        Value::Object(entries) => {
            for (key, value) in entries {
                let way = match (way, key.as_str()) {
                    (_, "path_hex" | "path_cut") | ("", _) => key.clone(),
                    // Coverage, claims and evidence look alike wherever they stand.
                    ("passes[].tokens", _) => format!("counters.tokens.{key}"),
                    (way, _) if way.ends_with("coverage") => format!("coverage.{key}"),
                    (way, _) if way.ends_with("evidence[]") => format!("evidence[].{key}"),
                    (way, _) if way.ends_with("claims[]") => format!("claims[].{key}"),
                    (way, _) if way.ends_with("facts[]") => format!("facts[].{key}"),
                    (way, _) => format!("{way}.{key}"),
                };
                found.insert(way.clone());
                keys(value, &way, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, &format!("{way}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_documentation_names_every_key_and_no_other() {
    let mut written = BTreeSet::new();
    let mut report = everything();
    report.counters.second_judge = Some(SecondJudge { asked: 7, refuted: 1 });
    let compared = Comparison::new(&[], &report.flags);
    let mut bytes = Vec::new();
    write_json(&mut bytes, &report, Some(&compared)).unwrap();
    keys(&serde_json::from_slice(&bytes).unwrap(), "", &mut written);
    let page = include_str!("../../../../../docs/report-json.md");
    let documented: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(key, _)| key.to_owned())
        .collect();
    assert_eq!(documented, written);
    assert!(page.contains(SCHEMA));
}

#[test]
fn every_word_of_the_document_is_under_its_digest() {
    let mut bytes = Vec::new();
    write_json(&mut bytes, &everything(), None).unwrap();
    assert_eq!(crate::investigation::digest_fault(&bytes), None);
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    let pretty = serde_json::to_vec_pretty(&document).unwrap();
    assert_eq!(crate::investigation::digest_fault(&pretty), None, "how it is set does not matter");
    // Each value in turn is changed; the digest alone must tell.
    let mut ways = Vec::new();
    leaves(&document, "", &mut ways);
    assert!(100 < ways.len());
    for way in ways.iter().filter(|way| *way != "/digest") {
        let mut changed = document.clone();
        let leaf = changed.pointer_mut(way).unwrap();
        *leaf = match &*leaf {
            Value::String(text) => Value::String(format!("{text}.")),
            Value::Bool(is_so) => Value::Bool(!is_so),
            Value::Number(number) => Value::from(number.as_f64().unwrap() + 1.0),
            Value::Null | Value::Array(_) | Value::Object(_) => Value::Null,
        };
        let fault = crate::investigation::digest_fault(&serde_json::to_vec(&changed).unwrap());
        let fault = fault.unwrap_or_else(|| panic!("{way} can be changed"));
        assert!(fault.contains("its digest does not fit"), "{fault}");
    }
    let mut without = document;
    without.as_object_mut().unwrap().remove("digest");
    let fault = crate::investigation::digest_fault(&serde_json::to_vec(&without).unwrap()).unwrap();
    assert!(fault.contains("has no digest"), "{fault}");
}

/// The ways to all values that hold no others.
fn leaves(value: &Value, way: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(value, &format!("{way}/{key}"), found);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| leaves(item, &format!("{way}/{at}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(way.to_owned()),
    }
}
