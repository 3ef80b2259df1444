//! Risks, however they are written: a table, or a list.

use super::RiskItem;
use super::section::{Listing, Section};
use crate::tasks::task::Risk;

/// Risks, and what the section says besides.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) risks: Vec<RiskItem>,
    pub(super) rest: String,
}

/// Reads the risks of a section: the rows of its tables and the items of its lists; its paragraphs, if it has neither.
pub(super) fn read(section: Option<&Section<'_>>, warnings: &mut Vec<String>) -> Read {
    let Some(section) = section else { return Read::default() };
    let rows = section.rows();
    let Listing { items, rest } = section.listing();
    if rows.is_empty() {
        return Read { risks: items.into_iter().map(|item| listed(&item.text)).collect(), rest };
    }
    let mut risks = from_rows(&rows, warnings);
    risks.extend(section.list_items().into_iter().map(|item| listed(&item.text)));
    let rest: Vec<&str> = rest.lines().filter(|line| !line.starts_with('|')).collect();
    Read { risks, rest: rest.join("\n") }
}

fn from_rows(rows: &[(usize, Vec<String>)], warnings: &mut Vec<String>) -> Vec<RiskItem> {
    // Columns may come in any order if the table has a heading.
    let heading =
        rows.first().map(|(_, cells)| cells.iter().map(|cell| cell.to_lowercase()).collect::<Vec<_>>());
    let heading = heading.unwrap_or_default();
    let column = |words: &[&str]| heading.iter().position(|cell| words.contains(&cell.as_str()));
    let named = column(&["risk", "risks", "リスク"]);
    let (risk, impact, mitigation) = match named {
        Some(risk) => (
            risk,
            column(&["impact", "severity", "level", "影響"]).unwrap_or(1),
            column(&["mitigation", "mitigations", "countermeasure", "対策"]).unwrap_or(2),
        ),
        None => (0, 1, 2),
    };
    let mut risks = Vec::new();
    for (line, cells) in rows.iter().skip(usize::from(named.is_some())) {
        let cell = |at: usize| cells.get(at).cloned().unwrap_or_default();
        if cell(risk).is_empty() {
            continue;
        }
        let found = level(&cell(impact));
        if found.is_none() {
            let word = cell(impact);
            warnings.push(format!(
                "line {line}: the impact `{}` is none of high, medium and low, and is taken for medium",
                word.escape_debug()
            ));
        }
        risks.push(RiskItem {
            risk: cell(risk),
            impact: found.unwrap_or(Risk::Medium),
            mitigation: cell(mitigation),
        });
    }
    risks
}

/// How bad something is, in the words that people use.
pub(super) fn level(word: &str) -> Option<Risk> {
    let word = word.trim().trim_matches(['*', '_', '(', ')', '[', ']', '.']).to_lowercase();
    match word.as_str() {
        "high" | "h" | "critical" | "severe" | "高" => Some(Risk::High),
        "medium" | "med" | "m" | "moderate" | "中" => Some(Risk::Medium),
        "low" | "l" | "minor" | "低" => Some(Risk::Low),
        _ => None,
    }
}

/// `Risk: x; Impact: high; Mitigation: y`, `(high) x — y`, `x [impact: high]: y`, or just `x`.
fn listed(text: &str) -> RiskItem {
    let mut impact = None;
    let mut rest = text.to_owned();
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((start, end)) = bracket(&rest, open, close) {
            let inside = rest[start + 1..end].to_lowercase();
            let word = inside.rsplit(':').next().unwrap_or(&inside).trim().trim_end_matches(" impact");
            if let Some(found) = level(word) {
                impact = Some(found);
                rest.replace_range(start..=end, "");
            }
        }
    }
    let (mut risk, mut mitigation) = (String::new(), String::new());
    for part in rest.split([';', '|']) {
        let (key, value) = part.split_once(':').map_or(("", part), |(key, value)| (key.trim(), value));
        match key.to_lowercase().as_str() {
            "risk" => risk = value.trim().to_owned(),
            "impact" | "severity" | "level" => impact = level(value).or(impact),
            "mitigation" | "countermeasure" => mitigation = value.trim().to_owned(),
            word if level(word).is_some() && risk.is_empty() => {
                impact = level(word);
                risk = value.trim().to_owned();
            }
            _ if risk.is_empty() => risk = part.trim().to_owned(),
            _ => {
                mitigation = [mitigation.as_str(), part.trim()].join(" ").trim().to_owned();
            }
        }
    }
    if mitigation.is_empty()
        && let Some((before, after)) =
            [" — ", " – ", " -> ", " → ", " - "].iter().find_map(|mark| risk.split_once(mark))
    {
        (risk, mitigation) = (before.trim().to_owned(), after.trim().to_owned());
    }
    RiskItem { risk: risk.trim().to_owned(), impact: impact.unwrap_or(Risk::Medium), mitigation }
}

fn bracket(text: &str, open: char, close: char) -> Option<(usize, usize)> {
    let start = text.find(open)?;
    let end = start + text[start..].find(close)?;
    Some((start, end))
}
