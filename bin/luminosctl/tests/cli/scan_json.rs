//! `luminosctl scan --json`: what a program sees.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::machine::Machine;
use crate::project::{files, json, of_files, strings, typical};

/// A report a person can read.
fn small() -> Machine {
    of_files(&[
        ("src/main.rs", b"// Greets.\nfn main() {}\n"),
        ("README.md", b"# Hello\n"),
        ("index", b"SQLite format 3\0"),
        ("debug.log", b"hello\n"),
        (".ignore", b"*.log\n"),
    ])
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[test]
fn the_whole_report() {
    assert_snapshot!(pretty(&json(&small(), "")), @r#"
    {
      "categories": [
        {
          "bytes": 24,
          "category": "source",
          "files": 1
        },
        {
          "bytes": 0,
          "category": "config",
          "files": 0
        },
        {
          "bytes": 16,
          "category": "data",
          "files": 1
        },
        {
          "bytes": 8,
          "category": "document",
          "files": 1
        },
        {
          "bytes": 0,
          "category": "media",
          "files": 0
        },
        {
          "bytes": 0,
          "category": "archive",
          "files": 0
        },
        {
          "bytes": 0,
          "category": "unknown",
          "files": 0
        }
      ],
      "content_hash": "69ab9cdee0cbfad4f4c06a7043d1e033010e3448e996fc4d9439d3215d6df01a",
      "directories": [
        {
          "bytes": 24,
          "content_hash": "2a02ef9bd802ed2c2243f83b94a2ac68694cc999febd748d3c396c6b2c0ceb01",
          "depth": 1,
          "files": 1,
          "path": "src"
        },
        {
          "bytes": 48,
          "content_hash": "69ab9cdee0cbfad4f4c06a7043d1e033010e3448e996fc4d9439d3215d6df01a",
          "depth": 0,
          "files": 3,
          "path": "."
        }
      ],
      "disk_usage": [
        {
          "bytes": 24,
          "files": 1,
          "path": "src"
        }
      ],
      "languages": [
        {
          "blanks": 0,
          "code": 1,
          "comments": 1,
          "files": 1,
          "language": "Rust"
        },
        {
          "blanks": 0,
          "code": 0,
          "comments": 1,
          "files": 1,
          "language": "Markdown"
        }
      ],
      "large_files": [],
      "more_large_files": 0,
      "problems": [],
      "recent_files": [
        {
          "modified": "2026-11-16T04:00:00Z",
          "path": "src/main.rs",
          "size": 24
        },
        {
          "modified": "2026-11-16T03:59:00Z",
          "path": "README.md",
          "size": 8
        },
        {
          "modified": "2026-11-16T03:58:00Z",
          "path": "index",
          "size": 16
        }
      ],
      "root": "[ROOT]/home/project",
      "schema": "luminos.scan/1",
      "signals": {
        "extension_histogram": [
          {
            "extension": "(none)",
            "files": 1
          },
          {
            "extension": "md",
            "files": 1
          },
          {
            "extension": "rs",
            "files": 1
          }
        ],
        "file_descriptions": [
          {
            "description": "SQLite 3.x database",
            "files": 1
          }
        ],
        "filename_samples": [
          "README.md",
          "index",
          "main.rs"
        ],
        "total_files": 3
      },
      "skipped": {
        "counts": {
          "always_left_out": 1,
          "elsewhere": 0,
          "excluded": 0,
          "hidden": 1,
          "ignored": 1
        }
      },
      "totals": {
        "bytes": 48,
        "directories": 2,
        "files": 3,
        "max_depth": 1,
        "specials": 0,
        "symlinks": 0
      },
      "tree": {
        "children": [
          {
            "name": "README.md",
            "size": 8,
            "type": "file"
          },
          {
            "name": "index",
            "size": 16,
            "type": "file"
          },
          {
            "children": [
              {
                "name": "main.rs",
                "size": 24,
                "type": "file"
              }
            ],
            "name": "src",
            "size": 24,
            "type": "directory"
          }
        ],
        "name": "project",
        "size": 48,
        "type": "directory"
      }
    }
    "#);
}

#[test]
fn the_report_is_one_line() {
    let run = small().run("scan --json");
    assert_eq!((run.stdout.matches('\n').count(), run.stdout.ends_with('\n')), (1, true));
}

#[test]
fn files_adds_every_file_and_changes_nothing_else() {
    let machine = small();
    let mut report = json(&machine, "--files");
    let files = report.as_object_mut().unwrap().remove("files").unwrap();
    let lines: Vec<String> = files.as_array().unwrap().iter().map(Value::to_string).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    {"blanks":0,"category":"document","code":0,"comments":1,"executable":false,"kind":"file","language":"Markdown","lines":1,"modified":"2026-11-16T03:59:00Z","path":"README.md","reading":"whole","sha256":"90f8ec5669cd34183b9b0fdf8b94f5efb4c3672876330f4aa76088c2b4ad17be","size":8}
    {"category":"data","description":"SQLite 3.x database","executable":false,"kind":"file","lines":1,"modified":"2026-11-16T03:58:00Z","path":"index","reading":"whole","sha256":"3f8434aff012ffcb594ad7527d6042841ce94f499887f86ab828f84a9a275f91","size":16}
    {"blanks":0,"category":"source","code":1,"comments":1,"executable":false,"kind":"file","language":"Rust","lines":2,"modified":"2026-11-16T04:00:00Z","path":"src/main.rs","reading":"whole","sha256":"d0b7f7df784b21c5b1b56494c084770ecc69d5b4ff578a5a02462035f8db2c13","size":24}
    "#);
    assert_eq!(report, json(&machine, ""));
}

#[test]
fn every_file_of_a_typical_project() {
    let report = json(&typical(), "--files");
    assert_eq!(
        files(&report),
        [
            "Cargo.toml",
            "README.md",
            "index",
            "latest",
            "logo.png",
            "data/names.csv",
            "src/main.rs",
            "src/greet/words.rs",
            "tools/run",
            "web/index.html",
        ]
    );
    assert_eq!(strings(&report["directories"], "path"), ["src/greet", "data", "src", "tools", "web", "."]);
}

#[test]
fn why_skipped_adds_every_path_that_was_left_out() {
    let report = json(&small(), "--why-skipped");
    assert_snapshot!(pretty(&report["skipped"]), @r#"
    {
      "counts": {
        "always_left_out": 1,
        "elsewhere": 0,
        "excluded": 0,
        "hidden": 1,
        "ignored": 1
      },
      "paths": [
        {
          "code": "hidden",
          "path": ".ignore",
          "rule": "hidden (-a shows hidden files)"
        },
        {
          "code": "always-left-out",
          "path": ".git",
          "rule": "always left out (--keep NAME looks inside)"
        },
        {
          "code": "ignore-file",
          "path": "debug.log",
          "rule": ".ignore: *.log"
        }
      ]
    }
    "#);
}

/// Every key of a report is explained in the documentation that the help names.
#[test]
fn the_documentation_explains_every_key() {
    fn collect(value: &Value, keys: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
            Value::Object(fields) => {
                for (key, field) in fields {
                    keys.push(key.clone());
                    collect(field, keys);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let documentation =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scan-json.md")).unwrap();
    let mut keys = Vec::new();
    collect(&json(&typical(), "--files --why-skipped"), &mut keys);
    for key in keys {
        let is_explained =
            [format!(".{key}`"), format!("`{key}`")].iter().any(|form| documentation.contains(form));
        assert!(is_explained, "docs/scan-json.md does not explain {key}");
    }
}
