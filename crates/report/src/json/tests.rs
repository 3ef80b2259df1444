use std::collections::BTreeSet;

use luminos_core::scan::{Builder, Scan, Summary, SummaryOptions, TreeOptions};
use serde::Serialize;
use serde_json::Value;

use super::{Document, JsonOptions, write_json};
use crate::sample;

const EVERYTHING: JsonOptions = JsonOptions { files: true, skipped: true };

fn pretty(scan: &Scan, options: JsonOptions) -> String {
    let summary = Summary::of(scan, &SummaryOptions::default());
    let mut written = Vec::new();
    let mut serializer = serde_json::Serializer::pretty(&mut written);
    Document::new(&summary, options).serialize(&mut serializer).unwrap();
    String::from_utf8(written).unwrap()
}

fn compact(scan: &Scan, options: JsonOptions) -> String {
    let mut written = Vec::new();
    write_json(&mut written, &Summary::of(scan, &SummaryOptions::default()), options).unwrap();
    String::from_utf8(written).unwrap()
}

#[test]
fn a_small_project() {
    insta::assert_snapshot!(pretty(&sample::tiny(), EVERYTHING), @r#"
{
  "schema": "luminos.scan/1",
  "root": "/home/ada/hello",
  "content_hash": "3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f",
  "totals": {
    "files": 1,
    "directories": 2,
    "bytes": 12,
    "symlinks": 0,
    "specials": 0,
    "max_depth": 1
  },
  "categories": [
    {
      "category": "source",
      "files": 1,
      "bytes": 12
    },
    {
      "category": "config",
      "files": 0,
      "bytes": 0
    },
    {
      "category": "data",
      "files": 0,
      "bytes": 0
    },
    {
      "category": "document",
      "files": 0,
      "bytes": 0
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
      "comments": 0,
      "blanks": 0
    }
  ],
  "large_files": [],
  "more_large_files": 0,
  "recent_files": [
    {
      "path": "src/main.rs",
      "size": 12,
      "modified": "2026-11-16T03:00:00Z"
    }
  ],
  "disk_usage": [
    {
      "path": "src",
      "files": 1,
      "bytes": 12
    }
  ],
  "signals": {
    "total_files": 1,
    "extension_histogram": [
      {
        "extension": "rs",
        "files": 1
      }
    ],
    "file_descriptions": [],
    "filename_samples": [
      "main.rs"
    ]
  },
  "tree": {
    "name": "hello",
    "type": "directory",
    "size": 12,
    "children": [
      {
        "name": "src",
        "type": "directory",
        "size": 12,
        "children": [
          {
            "name": "main.rs",
            "type": "file",
            "size": 12
          }
        ]
      }
    ]
  },
  "problems": [],
  "skipped": {
    "counts": {
      "hidden": 0,
      "always_left_out": 0,
      "ignored": 0,
      "excluded": 0,
      "elsewhere": 0
    },
    "paths": []
  },
  "directories": [
    {
      "path": "src",
      "depth": 1,
      "files": 1,
      "bytes": 12,
      "content_hash": "0000000000000000000000000000000000000000000000000000000000000000"
    },
    {
      "path": ".",
      "depth": 0,
      "files": 1,
      "bytes": 12,
      "content_hash": "3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"
    }
  ],
  "files": [
    {
      "path": "src/main.rs",
      "kind": "file",
      "size": 12,
      "modified": "2026-11-16T03:00:00Z",
      "executable": false,
      "reading": "whole",
      "category": "source",
      "sha256": "1111111111111111111111111111111111111111111111111111111111111111",
      "lines": 1,
      "language": "Rust",
      "code": 1,
      "comments": 0,
      "blanks": 0
    }
  ]
}
"#);
}

#[test]
fn files_are_listed_only_when_asked_for() {
    let without: Value = serde_json::from_str(&compact(&sample::small(), JsonOptions::default())).unwrap();
    assert_eq!((without.get("files"), without["skipped"].get("paths")), (None, None));
    let with: Value = serde_json::from_str(&compact(&sample::small(), EVERYTHING)).unwrap();
    assert_eq!(with["files"].as_array().unwrap().len(), 10);
    assert_eq!(with["skipped"]["paths"].as_array().unwrap().len(), 7);
}

#[test]
fn the_document_is_one_inert_line() {
    for scan in [sample::small(), sample::hostile(), sample::everything()] {
        let written = compact(&scan, EVERYTHING);
        let line = written.strip_suffix('\n').unwrap();
        assert!(!line.contains(luminos_core::Untrusted::is_treacherous), "{line}");
        let same: Value = serde_json::from_str(&pretty(&scan, EVERYTHING)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(line).unwrap(), same);
    }
}

#[test]
fn directories_stand_leaves_first() {
    let document: Value = serde_json::from_str(&compact(&sample::small(), JsonOptions::default())).unwrap();
    let paths: Vec<&str> =
        document["directories"].as_array().unwrap().iter().map(|dir| dir["path"].as_str().unwrap()).collect();
    let expected = ["src/parser/deep/down", "src/parser/deep", "src/parser", "src", "tools", "web", "."];
    assert_eq!(paths, expected);
}

#[test]
fn a_very_deep_target_makes_a_document_of_sane_size() {
    let mut builder = Builder::new("/target", Vec::new());
    let mut at = Builder::ROOT;
    for _ in 0..1_000 {
        at = builder.add_dir(at, &[b'n'; 255]);
    }
    let written = compact(&builder.finish(), EVERYTHING);
    assert!(written.len() < 6_000_000, "{} bytes", written.len());
}

#[test]
fn the_deepest_tree_can_still_be_read() {
    let scan = sample::deep(200);
    let tree = TreeOptions { depth: u32::MAX, ..TreeOptions::default() };
    let mut written = Vec::new();
    let summary = Summary::of(&scan, &SummaryOptions { tree, ..SummaryOptions::default() });
    write_json(&mut written, &summary, JsonOptions::default()).unwrap();
    serde_json::from_slice::<Value>(&written).unwrap();
}

/// All keys, each with the way to it: `languages[].embedded[].code`.
fn keys(value: &Value, way: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                // These two go with every path, and each node of the tree is like its root.
                let way = match (way, key.as_str()) {
                    (_, "path_hex" | "path_cut") | ("", _) => key.clone(),
                    (way, _) => format!("{}.{key}", way.replace("tree.children[]", "tree")),
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
    for scan in [sample::small(), sample::everything()] {
        keys(&serde_json::from_str(&compact(&scan, EVERYTHING)).unwrap(), "", &mut written);
    }
    let page = include_str!("../../../../docs/scan-json.md");
    let documented: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(key, _)| key.to_owned())
        .collect();
    assert_eq!(documented, written);
    assert!(page.contains(super::SCHEMA));
}
