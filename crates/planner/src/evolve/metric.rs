//! Numbers about a commit, and the texts they come in.
//!
//! **Guarantee**: every value is finite, every name is there once. What cannot be understood is refused as a whole, with
//! the place and a way out: half of somebody's numbers would mislead.

mod read;

use serde::{Deserialize, Serialize};

use super::clip::clip_line;

pub use read::Measured;
pub(crate) use read::{Form, Summary, read_file, read_note, read_result};

/// The most metrics of one commit.
pub(crate) const MOST_METRICS: usize = 64;
const NAME: usize = 128;
const UNIT: usize = 32;
const SUMMARY: usize = 120;

/// A number about a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its value; finite.
    pub value: f64,
    /// The unit of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Which way is better, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub higher_is_better: Option<bool>,
    /// What it says, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl Metric {
    /// A metric within its bounds.
    pub fn new(name: &str, value: f64) -> Result<Self, BadMetric> {
        let name = name.trim();
        if name.is_empty() {
            return Err(BadMetric::NoName);
        }
        let shown = clip_line(name, NAME);
        if shown != name {
            return Err(BadMetric::Name(shown));
        }
        if !value.is_finite() {
            return Err(BadMetric::NotFinite(shown));
        }
        Ok(Self { name: shown, value, unit: None, higher_is_better: None, summary: None })
    }

    pub(crate) fn with(
        mut self,
        unit: Option<&str>,
        higher_is_better: Option<bool>,
        summary: Option<&str>,
    ) -> Self {
        let some =
            |text: Option<&str>, most| text.map(|text| clip_line(text, most)).filter(|text| !text.is_empty());
        self.unit = some(unit, UNIT);
        self.summary = some(summary, SUMMARY);
        self.higher_is_better = higher_is_better;
        self
    }

    /// The line that a person or a model reads.
    pub fn line(&self) -> String {
        let mut line = format!("{}: {}", self.name, self.amount());
        match self.higher_is_better {
            Some(true) => line.push_str(" (higher is better)"),
            Some(false) => line.push_str(" (lower is better)"),
            None => {}
        }
        if let Some(summary) = &self.summary {
            line.push_str(&format!(" — {summary}"));
        }
        line
    }

    /// The value with its unit.
    pub fn amount(&self) -> String {
        match self.unit.as_deref() {
            Some(unit) if unit.starts_with(|first: char| first.is_alphanumeric()) => {
                format!("{} {unit}", self.value)
            }
            Some(unit) => format!("{}{unit}", self.value),
            None => self.value.to_string(),
        }
    }
}

/// Why something is no metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMetric {
    /// A line of a table is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong.
        problem: Box<BadMetric>,
    },
    /// It has no name.
    #[error("a metric has no name")]
    NoName,
    /// Its name is too long, or more than one line.
    #[error(
        "the name `{0}` of a metric is longer than 128 characters or has blanks that are no single spaces"
    )]
    Name(String),
    /// Its value is no number that can be compared.
    #[error("the metric `{0}` is not a finite number")]
    NotFinite(String),
    /// Its value is true or false.
    #[error("the metric `{0}` is true or false; write 1 or 0")]
    Boolean(String),
    /// Its value is something else.
    #[error("the value of the metric `{0}` is no number")]
    NotANumber(String),
    /// It is there twice.
    #[error("the metric `{0}` is there twice")]
    Twice(String),
    /// A field of it is of another kind than it must be.
    #[error("`{field}` of the metric `{name}` must be {wanted}")]
    Field {
        /// The metric.
        name: String,
        /// The field.
        field: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// The text has another form.
    #[error("{0}")]
    Shape(String),
}

/// Adds metrics to others; of the same name the newer ones count.
pub(crate) fn overlay(below: &mut Vec<Metric>, above: Vec<Metric>) {
    for metric in above {
        match below.iter_mut().find(|known| known.name == metric.name) {
            Some(known) => *known = metric,
            None => below.push(metric),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_reads_as_a_sentence() {
        let plain = Metric::new("speed", 1.5).unwrap();
        assert_eq!(plain.line(), "speed: 1.5");
        let full = plain.clone().with(Some("ms"), Some(false), Some(" of  one call "));
        assert_eq!(full.line(), "speed: 1.5 ms (lower is better) — of one call");
        assert_eq!(plain.with(Some("%"), Some(true), None).line(), "speed: 1.5% (higher is better)");
    }

    #[test]
    fn what_cannot_be_compared_is_no_metric() {
        assert_eq!(Metric::new(" ", 1.0), Err(BadMetric::NoName));
        assert_eq!(Metric::new("x", f64::NAN), Err(BadMetric::NotFinite("x".to_owned())));
        assert_eq!(Metric::new("x", f64::INFINITY), Err(BadMetric::NotFinite("x".to_owned())));
        assert!(matches!(Metric::new(&"x".repeat(129), 1.0), Err(BadMetric::Name(_))));
    }

    #[test]
    fn the_newer_of_two_counts() {
        let mut below = vec![Metric::new("a", 1.0).unwrap(), Metric::new("b", 1.0).unwrap()];
        overlay(&mut below, vec![Metric::new("b", 2.0).unwrap(), Metric::new("c", 2.0).unwrap()]);
        let values: Vec<f64> = below.iter().map(|metric| metric.value).collect();
        assert_eq!(values, [1.0, 2.0, 2.0]);
    }
}
