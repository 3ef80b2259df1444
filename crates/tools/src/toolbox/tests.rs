use std::collections::BTreeSet;

use serde_json::json;

use super::*;

const SCOPES: [Scope; 7] =
    [Scope::Survey, Scope::Plan, Scope::Revise, Scope::Dir, Scope::Refine, Scope::Grouping, Scope::Synthesis];

const ALL: Offer<'static> = Offer { run_command: true, skip: &[] };

fn names(scope: Scope, offer: &Offer<'_>) -> String {
    specs(scope, offer).iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_pass_has_its_tools() {
    let table: Vec<String> =
        SCOPES.iter().map(|scope| format!("{scope:?}: {}", names(*scope, &ALL))).collect();
    insta::assert_snapshot!(table.join("\n"), @"
    Survey: submit_survey
    Plan: submit_plan
    Revise: revise_plan
    Dir: list_directory read_file parse_structure search run_command write_cache flag think checkpoint request_turns submit_report
    Refine: list_directory read_file parse_structure search run_command list_cache read_cache write_cache flag think checkpoint request_turns submit_report
    Grouping: list_cache read_cache think submit_grouping
    Synthesis: list_cache read_cache flag think submit_report
    ");
}

#[test]
fn tools_can_be_left_out_but_not_what_submits() {
    let skip = ["run_command", "search", "submit_report", "no_such_tool"].map(str::to_owned);
    insta::assert_snapshot!(names(Scope::Dir, &Offer { run_command: true, skip: &skip }), @"list_directory read_file parse_structure write_cache flag think checkpoint request_turns submit_report");
    let without = names(Scope::Dir, &Offer { run_command: false, skip: &[] });
    assert!(!without.contains("run_command") && without.contains("read_file"), "{without}");
}

#[test]
fn what_a_model_reads_about_each_tool() {
    for tool in READY.iter() {
        let scope = tool.declared.scopes[0];
        let schema = serde_json::to_string_pretty(&tool.spec.schema).unwrap();
        let page = format!("{}\n\n{}\n", tool.spec.description, schema);
        insta::assert_snapshot!(format!("{}_{scope:?}", tool.spec.name), page);
    }
}

#[test]
fn every_schema_is_strict_and_plain() {
    for tool in READY.iter() {
        let name = &tool.spec.name;
        assert!(tool.takes.can_check(), "{name}: its schema is no schema");
        let schema = Value::Object(tool.spec.schema.clone());
        assert_eq!(schema["type"], "object", "{name}");
        let text = schema.to_string();
        for word in [
            "$ref",
            "$schema",
            "anyOf",
            "oneOf",
            "\"null\"",
            "x-lenient",
            "\"format\"",
            "\"default\":",
            "\"title\"",
        ] {
            assert!(!text.contains(word), "{name} has {word}: {text}");
        }
        strict(name, &schema);
    }
}

/// Every object is closed, and everything in it is explained.
fn strict(name: &str, schema: &Value) {
    if schema["type"] == "object" {
        assert_eq!(schema["additionalProperties"], json!(false), "{name}: {schema}");
        for (field, property) in schema["properties"].as_object().unwrap() {
            assert!(property.get("description").is_some(), "{name}: `{field}` is not explained");
            assert!(property.get("type").is_some(), "{name}: `{field}` has no type");
            strict(name, property);
        }
    }
    if schema["type"] == "array" {
        strict(name, &schema["items"]);
    }
}

#[test]
fn names_are_unique_in_each_pass_and_fit_every_provider() {
    for scope in SCOPES {
        let specs = specs(scope, &ALL);
        let unique: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(unique.len(), specs.len(), "{scope:?}");
        assert!(specs.iter().all(|spec| spec.description.len() <= 1024 && spec.name.len() <= 64));
        assert_eq!(specs, super::specs(scope, &ALL), "the order is always the same");
    }
}
