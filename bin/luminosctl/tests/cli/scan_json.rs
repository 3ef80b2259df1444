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
      "schema": "luminos.scan/1",
      "root": "[ROOT]/home/project",
      "content_hash": "69ab9cdee0cbfad4f4c06a7043d1e033010e3448e996fc4d9439d3215d6df01a",
      "totals": {
        "files": 3,
        "directories": 2,
        "bytes": 48,
        "symlinks": 0,
        "specials": 0,
        "max_depth": 1
      },
      "categories": [
        {
          "category": "source",
          "files": 1,
          "bytes": 24
        },
        {
          "category": "config",
          "files": 0,
          "bytes": 0
        },
        {
          "category": "data",
          "files": 1,
          "bytes": 16
        },
        {
          "category": "document",
          "files": 1,
          "bytes": 8
        },
        {
          "category": "media",
          "files": 0,
          "bytes": 0
        },
        {
          "category": "archive",
          "files": 0,
          "bytes": 0
        },
        {
          "category": "unknown",
          "files": 0,
          "bytes": 0
        }
      ],
      "languages": [
        {
          "language": "Rust",
          "files": 1,
          "code": 1,
          "comments": 1,
          "blanks": 0
        },
        {
          "language": "Markdown",
          "files": 1,
          "code": 0,
          "comments": 1,
          "blanks": 0
        }
      ],
      "large_files": [],
      "more_large_files": 0,
      "recent_files": [
        {
          "path": "src/main.rs",
          "size": 24,
          "modified": "2026-11-16T04:00:00Z"
        },
        {
          "path": "README.md",
          "size": 8,
          "modified": "2026-11-16T03:59:00Z"
        },
        {
          "path": "index",
          "size": 16,
          "modified": "2026-11-16T03:58:00Z"
        }
      ],
      "disk_usage": [
        {
          "path": "src",
          "files": 1,
          "bytes": 24
        }
      ],
      "signals": {
        "total_files": 3,
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
        ]
      },
      "tree": {
        "name": "project",
        "type": "directory",
        "size": 48,
        "children": [
          {
            "name": "README.md",
            "type": "file",
            "size": 8
          },
          {
            "name": "index",
            "type": "file",
            "size": 16
          },
          {
            "name": "src",
            "type": "directory",
            "size": 24,
            "children": [
              {
                "name": "main.rs",
                "type": "file",
                "size": 24
              }
            ]
          }
        ]
      },
      "problems": [],
      "skipped": {
        "counts": {
          "hidden": 1,
          "always_left_out": 1,
          "ignored": 1,
          "excluded": 0,
          "elsewhere": 0
        }
      },
      "directories": [
        {
          "path": "src",
          "depth": 1,
          "files": 1,
          "bytes": 24,
          "content_hash": "2a02ef9bd802ed2c2243f83b94a2ac68694cc999febd748d3c396c6b2c0ceb01"
        },
        {
          "path": ".",
          "depth": 0,
          "files": 3,
          "bytes": 48,
          "content_hash": "69ab9cdee0cbfad4f4c06a7043d1e033010e3448e996fc4d9439d3215d6df01a"
        }
      ]
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
    {"path":"README.md","kind":"file","size":8,"modified":"2026-11-16T03:59:00Z","executable":false,"reading":"whole","category":"document","sha256":"90f8ec5669cd34183b9b0fdf8b94f5efb4c3672876330f4aa76088c2b4ad17be","lines":1,"language":"Markdown","code":0,"comments":1,"blanks":0}
    {"path":"index","kind":"file","size":16,"modified":"2026-11-16T03:58:00Z","executable":false,"reading":"whole","category":"data","description":"SQLite 3.x database","sha256":"3f8434aff012ffcb594ad7527d6042841ce94f499887f86ab828f84a9a275f91","lines":1}
    {"path":"src/main.rs","kind":"file","size":24,"modified":"2026-11-16T04:00:00Z","executable":false,"reading":"whole","category":"source","sha256":"d0b7f7df784b21c5b1b56494c084770ecc69d5b4ff578a5a02462035f8db2c13","lines":2,"language":"Rust","code":1,"comments":1,"blanks":0}
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
        "hidden": 1,
        "always_left_out": 1,
        "ignored": 1,
        "excluded": 0,
        "elsewhere": 0
      },
      "paths": [
        {
          "path": ".ignore",
          "code": "hidden",
          "rule": "hidden (-a shows hidden files)"
        },
        {
          "path": ".git",
          "code": "always-left-out",
          "rule": "always left out (--keep NAME looks inside)"
        },
        {
          "path": "debug.log",
          "code": "ignore-file",
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
