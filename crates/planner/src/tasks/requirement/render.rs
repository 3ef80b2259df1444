//! A requirement as a Markdown document. What it says comes back when it is read again.

use super::Requirement;

const NONE: &str = "(none)";

impl Requirement {
    /// The document.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# Goal\n\n{}\n", or_none(&self.goal));
        let mut section = |title: &str, body: String| text.push_str(&format!("\n{title}\n\n{body}\n"));
        section("## Background", or_none(&self.background));
        section("## Constraints", list(&self.constraints, "- "));
        section("## Acceptance Criteria", list(&self.acceptance_criteria, "- [ ] "));
        section("## Scope\n\n### In Scope", list(&self.in_scope, "- "));
        section("### Out of Scope", list(&self.out_of_scope, "- "));
        let paths: Vec<String> = self.allowed_paths.iter().map(|path| format!("`{path}`")).collect();
        section("### Allowed Paths", list(&paths, "- "));
        section("## Risk Assessment", self.risk_table());
        section("## Notes", or_none(&self.notes));
        text
    }

    fn risk_table(&self) -> String {
        if self.risks.is_empty() {
            return NONE.to_owned();
        }
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut table = "| Risk | Impact | Mitigation |\n|------|--------|------------|".to_owned();
        for item in &self.risks {
            table.push_str(&format!(
                "\n| {} | {} | {} |",
                cell(&item.risk),
                item.impact,
                cell(&item.mitigation)
            ));
        }
        table
    }
}

fn or_none(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}

fn list(items: &[String], mark: &str) -> String {
    if items.is_empty() {
        return NONE.to_owned();
    }
    let lines: Vec<String> = items.iter().map(|item| format!("{mark}{}", item.replace('\n', " "))).collect();
    lines.join("\n")
}
