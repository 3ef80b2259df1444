//! What the documentation says about each rule. The documentation itself is read, so that both say the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use luminos_core::flag::{Flag, Severity};

/// A rule in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    /// What it finds.
    pub(super) what: &'static str,
    /// Why that matters.
    pub(super) why: &'static str,
    /// What to do about it.
    pub(super) remedy: &'static str,
    /// How much it matters as a rule.
    pub(super) severity: Severity,
}

const DOCUMENT: &str = include_str!("../../../../../docs/flags.md");

static RULES: LazyLock<BTreeMap<&'static str, Rule>> = LazyLock::new(|| rules(DOCUMENT));

/// What is known about a rule.
pub(super) fn about(id: &str) -> Option<Rule> {
    if id == Flag::BY_MODEL {
        return Some(Rule {
            what: "A finding of a model",
            why: "A model that looked into the directory thought that somebody should know.",
            remedy: "Read the lines it cites, and decide.",
            severity: Severity::Concern,
        });
    }
    RULES.get(id).copied()
}

/// The rows of the tables, each under the heading of its severity.
fn rules(document: &'static str) -> BTreeMap<&'static str, Rule> {
    let mut severity = Severity::Info;
    let mut rules = BTreeMap::new();
    for line in document.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let named = Severity::ALL
                .into_iter()
                .find(|severity| severity.word().eq_ignore_ascii_case(heading.trim()));
            severity = named.unwrap_or(severity);
            continue;
        }
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if let [id, what, why, remedy] = cells[..]
            && let Some(id) = id.strip_prefix('`').and_then(|id| id.strip_suffix('`'))
        {
            rules.insert(id, Rule { what, why, remedy, severity });
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_tells_what_why_and_what_to_do() {
        let rule = about("secret.private-key").unwrap();
        assert_eq!((rule.severity, rule.what), (Severity::Critical, "A private key"));
        assert!(20 < RULES.len());
        for (id, rule) in RULES.iter() {
            assert!(!rule.what.is_empty() && !rule.why.is_empty() && !rule.remedy.is_empty(), "{id}");
        }
        assert_eq!(about("no.such-rule"), None);
    }
}
