//! Metrics from the texts people and programs write.

use luminos_core::talk::parse_strictly;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{BadMetric, MOST_METRICS, Metric};
use crate::evolve::clip::{clip, clip_line};

const SUMMARY: usize = 512;
const LOG: usize = 2000;
const MOST_LINES: usize = 50;

/// What was measured at a commit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// What came of it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The numbers.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Which tests ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests_executed: Vec<String>,
    /// What else was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Metrics beyond the number that is kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// How a file of metrics is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An object: revision → list of metrics, or name → number, or what an evaluator prints.
    Json,
    /// A table with the columns `commit`, `name`, `value` and perhaps `unit`, `higher_is_better`, `summary`.
    Csv,
}

impl Form {
    /// The form of a file by its name.
    pub(crate) fn of(name: &str) -> Self {
        if name.to_ascii_lowercase().ends_with(".csv") { Self::Csv } else { Self::Json }
    }
}

/// Metrics of several commits, by the revisions that the file names, in its order.
pub(crate) fn read_file(text: &str, form: Form) -> Result<Vec<(String, Measured)>, BadMetric> {
    match form {
        Form::Json => read_object(text),
        Form::Csv => read_table(text),
    }
}

fn shape(words: impl Into<String>) -> BadMetric {
    BadMetric::Shape(words.into())
}

fn read_object(text: &str) -> Result<Vec<(String, Measured)>, BadMetric> {
    let value: Value = parse_strictly(text).map_err(|error| shape(format!("it is no JSON: {error}")))?;
    let Value::Object(commits) = value else {
        return Err(shape("it must be an object: revision → metrics"));
    };
    commits.into_iter().map(|(revision, value)| Ok((revision, read_value(&value)?))).collect()
}

/// What a note or a program says about one commit: a list of metrics, name → number, or an evaluator's result.
pub(crate) fn read_note(text: &str) -> Result<Measured, BadMetric> {
    let value: Value = parse_strictly(text).map_err(|error| shape(format!("it is no JSON: {error}")))?;
    read_value(&value)
}

fn read_value(value: &Value) -> Result<Measured, BadMetric> {
    match value {
        Value::Array(list) => measured(list),
        Value::Object(fields) if fields.contains_key("metrics") || fields.contains_key("summary") => {
            read_result(fields, Summary::Optional)
        }
        Value::Object(fields) => {
            let mut all = Measured::default();
            for (name, value) in fields {
                add(&mut all, Metric::new(name, number(name, value)?)?)?;
            }
            Ok(all)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err(shape("metrics are a list, or an object: name → number"))
        }
    }
}

/// Whether a result must say in words what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Summary {
    /// It must.
    Required,
    /// It may.
    Optional,
}

/// What an evaluator prints: `{summary, metrics, tests_executed, logs}`.
pub(crate) fn read_result(fields: &Map<String, Value>, summary: Summary) -> Result<Measured, BadMetric> {
    let one;
    let list = match fields.get("metrics") {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(list)) => list,
        Some(single @ Value::Object(_)) => {
            one = [single.clone()];
            &one
        }
        Some(_) => return Err(shape("`metrics` must be a list of objects")),
    };
    let mut all = measured(list)?;
    all.summary = match fields.get("summary") {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(clip_line(text, SUMMARY)),
        None | Some(Value::Null) if summary == Summary::Optional => None,
        _ => return Err(shape("`summary` must be a text that says what came of it")),
    };
    all.tests_executed = lines(fields, "tests_executed")?;
    all.logs = lines(fields, "logs")?;
    Ok(all)
}

fn lines(fields: &Map<String, Value>, name: &str) -> Result<Vec<String>, BadMetric> {
    let texts: Vec<String> = match fields.get(name) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) => {
            let text = |value: &'_ Value| -> Option<String> {
                if value.is_null() { Some(String::new()) } else { value.as_str().map(str::to_owned) }
            };
            let texts: Option<Vec<String>> = list.iter().map(text).collect();
            texts.ok_or_else(|| shape(format!("`{name}` must be a list of texts")))?
        }
        Some(_) => return Err(shape(format!("`{name}` must be a text or a list of texts"))),
    };
    Ok(texts
        .into_iter()
        .map(|text| clip(&text, LOG))
        .filter(|text| !text.is_empty())
        .take(MOST_LINES)
        .collect())
}

fn measured(list: &[Value]) -> Result<Measured, BadMetric> {
    let mut all = Measured::default();
    for value in list {
        let Value::Object(fields) = value else { return Err(shape("a metric must be an object")) };
        let name = match fields.get("name") {
            Some(Value::String(name)) => name,
            _ => return Err(BadMetric::NoName),
        };
        let value = number(name, fields.get("value").unwrap_or(&Value::Null))?;
        let text = |field| match fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(BadMetric::Field { name: name.clone(), field, wanted: "a text" }),
        };
        let higher = match fields.get("higher_is_better") {
            None | Some(Value::Null) => None,
            Some(Value::Bool(higher)) => Some(*higher),
            Some(_) => {
                let field = "higher_is_better";
                return Err(BadMetric::Field { name: name.clone(), field, wanted: "true or false" });
            }
        };
        add(&mut all, Metric::new(name, value)?.with(text("unit")?, higher, text("summary")?))?;
    }
    Ok(all)
}

/// A number, also if it was written as a text.
fn number(name: &str, value: &Value) -> Result<f64, BadMetric> {
    match value {
        Value::Bool(_) => Err(BadMetric::Boolean(clip_line(name, 60))),
        Value::Number(number) => number.as_f64().ok_or_else(|| BadMetric::NotANumber(clip_line(name, 60))),
        Value::String(text) => parsed(name, text),
        Value::Null | Value::Array(_) | Value::Object(_) => Err(BadMetric::NotANumber(clip_line(name, 60))),
    }
}

fn parsed(name: &str, text: &str) -> Result<f64, BadMetric> {
    text.trim().parse().map_err(|_| BadMetric::NotANumber(clip_line(name, 60)))
}

fn add(all: &mut Measured, metric: Metric) -> Result<(), BadMetric> {
    if all.metrics.iter().any(|known| known.name == metric.name) {
        return Err(BadMetric::Twice(metric.name));
    }
    if all.metrics.len() < MOST_METRICS {
        all.metrics.push(metric);
    } else {
        all.left_out += 1;
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct Row {
    commit: String,
    name: String,
    value: String,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    higher_is_better: Option<String>,
    #[serde(default)]
    summary: Option<String>,
}

fn read_table(text: &str) -> Result<Vec<(String, Measured)>, BadMetric> {
    const COLUMNS: &str = "the columns are commit,name,value[,unit][,higher_is_better][,summary]";
    let mut commits: Vec<(String, Measured)> = Vec::new();
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let wrong = |error: csv::Error| shape(format!("{error}; {COLUMNS}"));
    let columns = reader.headers().map_err(wrong)?.clone();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let row: Row = record.deserialize(Some(&columns)).map_err(wrong)?;
        let at = |problem| BadMetric::Line {
            line: record.position().map_or(0, csv::Position::line),
            problem: Box::new(problem),
        };
        add_row(&mut commits, row).map_err(at)?;
    }
    Ok(commits)
}

fn add_row(commits: &mut Vec<(String, Measured)>, row: Row) -> Result<(), BadMetric> {
    if matches!(row.value.to_ascii_lowercase().as_str(), "true" | "false") {
        return Err(BadMetric::Boolean(clip_line(&row.name, 60)));
    }
    let higher = match row.higher_is_better.as_deref().map(str::to_ascii_lowercase).as_deref() {
        None | Some("") => None,
        Some("true" | "1" | "yes") => Some(true),
        Some("false" | "0" | "no") => Some(false),
        Some(_) => {
            let field = "higher_is_better";
            return Err(BadMetric::Field { name: clip_line(&row.name, 60), field, wanted: "true or false" });
        }
    };
    let metric = Metric::new(&row.name, parsed(&row.name, &row.value)?)?.with(
        row.unit.as_deref(),
        higher,
        row.summary.as_deref(),
    );
    match commits.iter_mut().find(|(commit, _)| *commit == row.commit) {
        Some((_, all)) => add(all, metric),
        None => {
            let mut all = Measured::default();
            add(&mut all, metric)?;
            commits.push((row.commit, all));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(measured: &Measured) -> Vec<(&str, f64)> {
        measured.metrics.iter().map(|metric| (metric.name.as_str(), metric.value)).collect()
    }

    #[test]
    fn an_object_may_hold_lists_numbers_or_results() {
        let text = r#"{"a1": [{"name": "x", "value": 1, "unit": "ms", "higher_is_better": false}],
            "b2": {"x": 2, "y": "3.5"}, "c3": {"summary": "ok", "metrics": {"name": "z", "value": 4}}}"#;
        let commits = read_file(text, Form::Json).unwrap();
        let seen: Vec<_> = commits.iter().map(|(commit, all)| (commit.as_str(), names(all))).collect();
        assert_eq!(
            seen,
            [("a1", vec![("x", 1.0)]), ("b2", vec![("x", 2.0), ("y", 3.5)]), ("c3", vec![("z", 4.0)])]
        );
        assert_eq!(commits[0].1.metrics[0].line(), "x: 1 ms (lower is better)");
    }

    #[test]
    fn a_table_groups_its_rows_by_commit() {
        let text = "commit,name,value,unit,higher_is_better,summary\na1, x ,1,ms,no,\na1,y,2,,,\nb2,x,-3e2,,TRUE,good\n";
        let commits = read_file(text, Form::Csv).unwrap();
        let seen: Vec<_> = commits.iter().map(|(commit, all)| (commit.as_str(), names(all))).collect();
        assert_eq!(seen, [("a1", vec![("x", 1.0), ("y", 2.0)]), ("b2", vec![("x", -300.0)])]);
        assert_eq!(commits[1].1.metrics[0].line(), "x: -300 (higher is better) — good");
        assert_eq!(names(&read_file("commit,name,value\na,b,1\n", Form::Csv).unwrap()[0].1), [("b", 1.0)]);
    }

    #[track_caller]
    fn refused(text: &str, form: Form, expected: &str) {
        assert_eq!(read_file(text, form).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn what_is_no_number_is_refused_in_words() {
        refused(r#"{"a": {"x": true}}"#, Form::Json, "the metric `x` is true or false; write 1 or 0");
        refused(r#"{"a": {"x": "NaN"}}"#, Form::Json, "the metric `x` is not a finite number");
        refused(r#"{"a": {"x": null}}"#, Form::Json, "the value of the metric `x` is no number");
        refused(r#"{"a": [{"value": 1}]}"#, Form::Json, "a metric has no name");
        refused(
            r#"{"a": [{"name": "x", "value": 1}, {"name": "x", "value": 2}]}"#,
            Form::Json,
            "the metric `x` is there twice",
        );
        refused(
            r#"{"a": [{"name": "x", "value": 1, "higher_is_better": "yes"}]}"#,
            Form::Json,
            "`higher_is_better` of the metric `x` must be true or false",
        );
        refused("[1]", Form::Json, "it must be an object: revision → metrics");
        refused("commit,name,value\na,x,inf\n", Form::Csv, "line 2: the metric `x` is not a finite number");
        refused(
            "commit,name,value\na,x,true\n",
            Form::Csv,
            "line 2: the metric `x` is true or false; write 1 or 0",
        );
        refused("commit,name,value\na,x,1\na,x,2\n", Form::Csv, "line 3: the metric `x` is there twice");
        assert!(
            read_file("commit,name\na,x\n", Form::Csv).unwrap_err().to_string().contains("the columns are")
        );
    }

    #[test]
    fn a_result_needs_a_summary_and_drops_empty_lines() {
        let fields = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap();
        let text = r#"{"summary": " all\n good ", "metrics": null, "tests_executed": "unit", "logs": ["", null, "x"]}"#;
        let result = read_result(&fields(text), Summary::Required).unwrap();
        assert_eq!(result.summary.as_deref(), Some("all good"));
        assert_eq!((result.tests_executed, result.logs), (vec!["unit".to_owned()], vec!["x".to_owned()]));
        assert!(read_result(&fields(r#"{"metrics": []}"#), Summary::Required).is_err());
        assert!(read_result(&fields(r#"{"summary": "x", "metrics": 3}"#), Summary::Required).is_err());
    }

    #[test]
    fn more_metrics_than_are_kept_are_counted() {
        let list: Vec<String> = (0..70).map(|at| format!("\"m{at}\": {at}")).collect();
        let all = read_note(&format!("{{{}}}", list.join(","))).unwrap();
        assert_eq!((all.metrics.len(), all.left_out), (MOST_METRICS, 6));
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_finite_and_there_once(text in ".{0,60}", table in "commit,name,value\n([ab],[xy],[0-9eEinfNa.+-]{1,4}\n){0,5}") {
            for (text, form) in [(&text, Form::Json), (&text, Form::Csv), (&table, Form::Csv)] {
                for (_, all) in read_file(text, form).into_iter().flatten() {
                    let mut names: Vec<&str> = all.metrics.iter().map(|metric| metric.name.as_str()).collect();
                    prop_assert!(all.metrics.iter().all(|metric| metric.value.is_finite()));
                    names.sort_unstable();
                    names.dedup();
                    prop_assert_eq!(names.len(), all.metrics.len());
                }
            }
        }
    }
}
