//! What somebody should know about: a finding with a severity and a source.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::proof::Evidence;
use crate::{ContentHash, RelPath};

/// How much a flag matters. Greater is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Somebody should look at it.
    Concern,
    /// Somebody should look at it today.
    Critical,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 3] = [Self::Critical, Self::Concern, Self::Info];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Concern => "concern",
            Self::Critical => "critical",
        }
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// What it is about.
    pub path: RelPath,
    /// The finding, in one or two sentences.
    pub finding: String,
    /// How much it matters.
    pub severity: Severity,
    /// The rule that found it, for findings that a rule found: a stable word such as `secret.private-key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where to see it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The directory whose loop raised it.
    pub directory: RelPath,
    /// Whether the judge has looked at it and found nothing wrong. A flag that is not verified is shown last, as
    /// unproved, and decides nothing.
    #[serde(default)]
    pub verified: bool,
    /// What the judge found wrong with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl Flag {
    /// The rule of a finding that no rule found, but a model.
    pub const BY_MODEL: &str = "model.finding";

    /// Whether nothing shows that it is so: a model cites nothing for it, or what is cited does not hold. What a rule finds
    /// counts until something is wrong with it.
    pub fn is_unproved(&self) -> bool {
        !self.verified && (self.rule.is_none() || !self.faults.is_empty())
    }

    /// The rule that found it.
    pub fn rule_id(&self) -> &str {
        self.rule.as_deref().unwrap_or(Self::BY_MODEL)
    }

    /// What makes it the same finding in another investigation: the rule, the path and the words it cites first, white
    /// space apart. Lines may move. Where it cites nothing, its own words count.
    pub fn fingerprint(&self) -> ContentHash {
        let quoted = self.evidence.iter().find_map(|evidence| evidence.quote.as_deref());
        let words = quoted.filter(|quote| !quote.trim().is_empty()).unwrap_or(&self.finding);
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut hash = Sha256::new();
        for part in
            [b"luminos.flag/1", self.rule_id().as_bytes(), self.path.as_bytes(), words.join(" ").as_bytes()]
        {
            // With its length, so that no two lists of parts look alike.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        ContentHash(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(rule: Option<&str>, line: u64, quote: Option<&str>) -> Flag {
        let evidence = Evidence {
            path: RelPath::from("a.py"),
            start_line: line,
            end_line: line,
            quote: quote.map(str::to_owned),
            quote_hash: None,
            start: None,
            end: None,
            blob: None,
            call: None,
        };
        Flag {
            path: RelPath::from("a.py"),
            finding: format!("Line {line} is bad."),
            severity: Severity::Concern,
            rule: rule.map(str::to_owned),
            evidence: vec![evidence],
            directory: RelPath::root(),
            verified: false,
            faults: Vec::new(),
        }
    }

    #[test]
    fn a_fingerprint_survives_moves_and_tells_everything_else_apart() {
        let one = flag(Some("code.eval"), 3, Some("eval(x)")).fingerprint();
        assert_eq!(flag(Some("code.eval"), 90, Some("  eval(x)\n")).fingerprint(), one);
        let others = [
            flag(Some("code.exec"), 3, Some("eval(x)")),
            flag(None, 3, Some("eval(x)")),
            flag(Some("code.eval"), 3, Some("eval(y)")),
            flag(Some("code.eval"), 3, None),
            Flag { path: RelPath::from("b.py"), ..flag(Some("code.eval"), 3, Some("eval(x)")) },
        ];
        for other in others {
            assert_ne!(other.fingerprint(), one, "{other:?}");
        }
    }
}
