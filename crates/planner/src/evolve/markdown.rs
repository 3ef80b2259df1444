//! Plans and scores for people, as Markdown.
//!
//! All text of repositories and models is inert in it.

use luminos_core::Untrusted;

use super::document::{PlanDocument, Source};
use super::plan::{PlanStep, PlanningPlan};
use super::rollup::own_commits;
use super::score::{Direction, Score, StepStatus};

/// How many files of one kind a score lists.
const SHOWN: usize = 12;

/// Text that makes no link, no image, no HTML, no heading and no emphasis of its own, but reads as it is without a renderer.
/// Code in backticks stays.
fn inert(text: &str) -> String {
    let line = Untrusted::new(text.as_bytes()).for_terminal();
    let mut out = String::with_capacity(line.len());
    for (at, character) in line.char_indices() {
        let is_marked = match character {
            '<' | '[' | '*' | '!' => true,
            '#' | '>' | '-' | '+' => line[..at].trim().is_empty(),
            // An address becomes a link without any mark.
            ':' => line[at..].starts_with("://"),
            '.' => line[..at].to_ascii_lowercase().ends_with("www"),
            '&' => line[at..].find(';').is_some_and(|end| end < 12),
            _ => false,
        };
        if is_marked {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// A plan with its origin.
pub fn plan_page(document: &PlanDocument) -> String {
    let mut page = format!("# Plan: {}\n\n", inert(&document.wish.goal));
    let made = match document.source {
        Source::Model => format!("Made by {}", inert(&document.effort.model)),
        Source::Synthesised => format!("Put together from what {} said", inert(&document.effort.model)),
        Source::Offline => "Made offline, without a model".to_owned(),
    };
    let base = document
        .base_metrics
        .iter()
        .map(|metric| format!("{} {}", inert(&metric.name), inert(&metric.amount())));
    let base: Vec<String> = base.collect();
    page.push_str(&format!("Base {}{}. {made}.\n", document.base.short(), in_brackets(&base.join(", "))));
    for inspired in &document.inspirations {
        let commits = own_commits(inspired.trajectory.as_ref());
        let (revision, short) = (inert(&inspired.revision), inspired.commit.short());
        let name = if inspired.revision.starts_with(short) {
            short.to_owned()
        } else {
            format!("{revision} ({short})")
        };
        page.push_str(&format!("Inspiration {name}: {commits} of its own.\n"));
    }
    if let Some(reason) = &document.degraded {
        page.push_str(&format!("\n**Degraded**: {}\n", inert(reason)));
    }
    page.push('\n');
    page.push_str(&plan_lines(&document.plan));
    if !document.notes.is_empty() {
        page.push_str("\n## About this plan\n\n");
        push_list(&mut page, "", &document.notes);
    }
    page
}

fn in_brackets(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}

/// The plan alone.
pub(crate) fn plan_lines(plan: &PlanningPlan) -> String {
    let mut page = format!("{}\n\n{}\n", inert(&plan.summary), inert(&plan.rationale));
    for (title, items) in [
        ("Focus metrics", &plan.focus_metrics),
        ("Guardrails", &plan.guardrails),
        ("Risks", &plan.risks),
        ("Validation", &plan.validation),
    ] {
        if !items.is_empty() {
            page.push_str(&format!("\n## {title}\n\n"));
            push_list(&mut page, "", items);
        }
    }
    page.push_str("\n## Steps\n");
    for (at, step) in plan.steps.iter().enumerate() {
        push_step(&mut page, at + 1, step);
    }
    if !plan.handoff_notes.is_empty() {
        page.push_str("\n## Notes\n\n");
        push_list(&mut page, "", &plan.handoff_notes);
    }
    if let Some(fallback) = &plan.fallback_plan {
        let lines: Vec<String> = fallback.lines().map(inert).collect();
        page.push_str(&format!("\n## If it does not work\n\n{}\n", lines.join("\n")));
    }
    page
}

fn push_step(page: &mut String, number: usize, step: &PlanStep) {
    let after = if step.dependencies.is_empty() {
        String::new()
    } else {
        let ids: Vec<String> = step.dependencies.iter().map(|id| inert(id)).collect();
        format!(", after {}", ids.join(", "))
    };
    page.push_str(&format!(
        "\n### {number}. {} ({}{after})\n\n{}\n\n",
        inert(&step.title),
        inert(&step.step_id),
        inert(&step.intent)
    ));
    push_list(page, "", &step.actions);
    // A hash is recognised by its beginning.
    let references: Vec<String> = step.references.iter().map(|reference| short(reference)).collect();
    for (title, items) in [
        ("Files", &step.files),
        ("Validation", &step.validation),
        ("Risks", &step.risks),
        ("References", &references),
    ] {
        match items.as_slice() {
            [] => {}
            [one] => page.push_str(&format!("\n{title}: {}\n", inert(one))),
            many if matches!(title, "Files" | "References") => {
                let items: Vec<String> = many.iter().map(|item| inert(item)).collect();
                page.push_str(&format!("\n{title}: {}\n", items.join(", ")));
            }
            many => {
                page.push_str(&format!("\n{title}:\n"));
                push_list(page, "", many);
            }
        }
    }
}

fn short(reference: &str) -> String {
    let is_hash = 40 <= reference.len() && reference.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { reference[..12].to_owned() } else { reference.to_owned() }
}

fn push_list(page: &mut String, indent: &str, items: &[String]) {
    for item in items {
        page.push_str(&format!("{indent}- {}\n", inert(item)));
    }
}

/// What became of a plan.
pub fn score_page(score: &Score) -> String {
    let number = score.score.map_or("no score".to_owned(), |score| format!("score {score:.2}"));
    let mut page = format!(
        "# Score: {}\n\nFrom {} to {}: the plan {} ({number}).\n",
        inert(&score.goal),
        score.base.short(),
        score.result.short(),
        score.verdict.words()
    );
    if !score.metrics.is_empty() {
        page.push_str("\n## Focus metrics\n\n");
    }
    for metric in &score.metrics {
        let value = |value: Option<f64>| value.map_or("not measured".to_owned(), |value| value.to_string());
        let word = match metric.direction {
            Direction::Better => "better",
            Direction::Same => "the same",
            Direction::Worse => "worse",
            Direction::Changed => "changed; nobody said which way is better",
            Direction::Unknown => "unknown",
        };
        page.push_str(&format!(
            "- {}: {} → {} ({word})\n",
            inert(&metric.name),
            value(metric.before),
            value(metric.after)
        ));
    }
    page.push_str("\n## Steps\n\n");
    for step in &score.steps {
        let word = match step.status {
            StepStatus::Completed => "completed",
            StepStatus::Partial => "in part",
            StepStatus::Skipped => "skipped",
            StepStatus::Unknown => "unknown: it names no files, and no commit names it",
        };
        let left = if step.untouched.is_empty() {
            String::new()
        } else {
            format!("; not touched: {}", few(&step.untouched))
        };
        page.push_str(&format!("- {}: {word}{left}\n", inert(&step.step_id)));
    }
    page.push_str(&format!(
        "\n## Files\n\n- planned and touched: {}\n- planned, not touched: {}\n- touched, not planned: {}\n",
        few(&score.files_planned_touched),
        few(&score.files_planned_untouched),
        few(&score.files_unplanned)
    ));
    page
}

fn few(items: &[String]) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    let mut shown: Vec<String> = items.iter().take(SHOWN).map(|item| inert(item)).collect();
    if SHOWN < items.len() {
        shown.push(format!("and {} more", items.len() - SHOWN));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_makes_no_markup() {
        assert_eq!(inert("a `b_c` (d): e."), "a `b_c` (d): e.");
        assert_eq!(
            inert("<b>[x](http://y) ![i](j) *k* www.z &lt; # &"),
            r"\<b>\[x](http\://y) \!\[i](j) \*k\* www\.z \&lt; # &"
        );
        assert_eq!(inert("# head"), r"\# head");
        assert_eq!(inert("a\n- b\u{1b}[2J"), r"a\n- b\u{1b}\[2J");
    }
}
