//! What makes two plans the same: everything that shapes one, known before a model is asked.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What shapes a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanInputs {
    /// The sha256 of the requirement's text.
    pub requirement_hash: String,
    /// The repository.
    pub repo: String,
    /// The commit it stands at; `None` where there is none.
    pub repo_head: Option<String>,
    /// The hash of the files as they are, uncommitted changes included.
    pub content_hash: Option<String>,
    /// Who plans.
    pub model: String,
    /// The sha256 over settings, contract, policy-recovery rules and override lists.
    pub rules_hash: String,
    /// The version of the planner's rules and prompts.
    pub version: u32,
}

impl PlanInputs {
    /// The version of this planner. A new one plans anew.
    pub const VERSION: u32 = 1;

    /// The signature, in hexadecimal digits.
    pub fn signature(&self) -> String {
        hash(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}

/// The sha256 of bytes, in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_shapes_a_plan_changes_its_signature() {
        let inputs = PlanInputs {
            requirement_hash: "r".to_owned(),
            repo: "/x".to_owned(),
            repo_head: None,
            content_hash: Some("c".to_owned()),
            model: "offline".to_owned(),
            rules_hash: "s".to_owned(),
            version: 1,
        };
        let others = [
            PlanInputs { requirement_hash: "q".to_owned(), ..inputs.clone() },
            PlanInputs { repo_head: Some("abc".to_owned()), ..inputs.clone() },
            PlanInputs { content_hash: Some("d".to_owned()), ..inputs.clone() },
            PlanInputs { model: "m".to_owned(), ..inputs.clone() },
            PlanInputs { rules_hash: "t".to_owned(), ..inputs.clone() },
        ];
        let mut seen = vec![inputs.signature()];
        assert_eq!(seen[0], inputs.clone().signature());
        for other in others {
            assert!(!seen.contains(&other.signature()));
            seen.push(other.signature());
        }
        assert_eq!(seen[0].len(), 64);
    }
}
