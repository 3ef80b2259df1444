use luminos_core::flag::Severity;
use serde_json::{Value, json};

use super::document;
use crate::investigation::baseline::Comparison;
use crate::investigation::sample;

#[test]
fn a_flag_has_a_rule_a_place_and_a_fingerprint() {
    let report = sample::report();
    let document = document(&report, None);
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    let worst = &results[0];
    assert_eq!(worst["ruleId"], "secret.password");
    assert_eq!(worst["level"], "error");
    assert_eq!(
        worst["locations"][0]["physicalLocation"]["artifactLocation"],
        json!({"uri": "deploy/values.yaml", "uriBaseId": "TARGET"})
    );
    assert_eq!(worst["locations"][0]["physicalLocation"]["region"]["startLine"], 17);
    assert_eq!(results[1]["relatedLocations"].as_array().unwrap().len(), 1);
    let index = worst["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "secret.password");
    assert_eq!(worst["baselineState"], Value::Null);
}

#[test]
fn a_fingerprint_survives_moved_lines_and_tells_twins_apart() {
    let flag = |line| {
        sample::flag(Severity::Concern, "Odd.", vec![sample::evidence("a.c", (line, line), Some("gets(s);"))])
    };
    let prints = |lines: [u64; 2]| {
        let mut report = sample::bare();
        report.flags = lines.map(flag).to_vec();
        let results = document(&report, None)["runs"][0]["results"].clone();
        [0, 1].map(|at| results[at]["partialFingerprints"].to_string())
    };
    assert_eq!(prints([3, 9]), prints([300, 900]));
    let [one, other] = prints([3, 9]);
    assert_ne!(one, other);
}

#[test]
fn held_against_a_baseline_each_says_how_it_stands() {
    let before = sample::report();
    let mut now = before.clone();
    let gone = now.flags.remove(0);
    now.flags[0].severity = Severity::Critical;
    now.flags.push(sample::flag(Severity::Info, "New.", Vec::new()));
    let compared = Comparison::new(&before.flags, &now.flags);
    let document = document(&now, Some(&compared));
    let states: Vec<&str> = document["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["baselineState"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["updated", "unchanged", "new", "absent"]);
    assert_eq!(document["runs"][0]["results"][3]["message"]["text"], gone.finding.as_str());
}

/// What the standard demands of everything that is written here.
fn check_structure(document: &Value) {
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[text]["text"].as_str().unwrap().is_empty(), "{rule}");
        }
    }
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note", "none"].contains(&result["level"].as_str().unwrap()));
        let message = result["message"]["text"].as_str().unwrap();
        assert!(!message.is_empty());
        let unescaped = message.replace("\\\\", "").replace("\\[", "").replace("\\]", "");
        assert!(!unescaped.contains(['[', ']']), "{message}");
        let others = result["relatedLocations"].as_array().into_iter().flatten();
        for location in result["locations"].as_array().unwrap().iter().chain(others) {
            let place = &location["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.starts_with('/') && !uri.contains(':') && !uri.contains(".."), "{uri}");
            if let Some(region) = place.get("region") {
                assert!(
                    1 <= region["startLine"].as_u64().unwrap()
                        && region["startLine"].as_u64() <= region["endLine"].as_u64()
                );
            }
        }
    }
}

#[test]
fn whatever_flags_say_the_document_is_well_formed() {
    for report in [sample::report(), sample::hostile(), sample::bare(), sample::large(50)] {
        check_structure(&document(&report, None));
        let nothing = Comparison::new(&report.flags, &[]);
        let mut empty = report.clone();
        empty.flags.clear();
        check_structure(&document(&empty, Some(&nothing)));
    }
}

/// The schema of the standard is no part of the project; `tests/run` brings it, and with it this test does not pass
/// without.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test asks who runs it")]
fn the_document_fits_the_schema_of_the_standard() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/sarif-2.1.0.json");
    let Ok(schema) = std::fs::read_to_string(path) else {
        assert!(std::env::var_os("LUMINOS_TESTS_NEED_SCHEMA").is_none(), "no {path}; tests/run brings it");
        println!("note: no {path}; tests/run brings it");
        return;
    };
    let schema: Value = serde_json::from_str(schema.trim_start_matches('\u{feff}')).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for report in [sample::report(), sample::hostile(), sample::bare(), sample::large(50)] {
        let compared = Comparison::new(&sample::report().flags, &report.flags);
        for compared in [None, Some(&compared)] {
            let document = document(&report, compared);
            let faults: Vec<String> = validator
                .iter_errors(&document)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert_eq!(faults, Vec::<String>::new());
        }
    }
    let mut broken = document(&sample::report(), None);
    broken["runs"][0]["results"][0]["level"] = json!("dreadful");
    assert!(!validator.is_valid(&broken), "the schema is one that can be failed");
}
