//! Tasks as text for others: Markdown, a graph for a page, a graph for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::task::{Needs, Status, Task, TaskId};

/// All tasks as a Markdown document, in the order in which they can be done.
pub fn as_markdown(tasks: &[Task]) -> String {
    let names = names(tasks);
    let mut text = "# Tasks\n".to_owned();
    for task in tasks {
        let mark = if task.status == Status::Done { 'x' } else { ' ' };
        let _ = write!(text, "\n## [{mark}] {} (`{}`)\n\n{}\n\n", task.title, task.id.short(), task.goal);
        let reason = task.block_reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let _ = writeln!(
            text,
            "- {}{reason}, {}, risk {}, {} minutes, priority {}",
            task.status, task.role, task.risk_level, task.timebox_minutes, task.priority
        );
        let mut list = |title: &str, items: &[String]| {
            if !items.is_empty() {
                let items: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
                let _ = writeln!(text, "- {title}: {}", items.join(", "));
            }
        };
        list("Start at", &task.context.files);
        list("May change", &task.allowed_paths);
        list("May change on the way", &task.implied_paths);
        list("Verify with", &task.commands);
        for edge in &task.dependencies {
            let _ = writeln!(text, "- After: {} (must be {})", name(&names, &edge.task), edge.needs);
        }
        for (title, words) in [("What exactly", &task.context.specs), ("Notes", &task.context.notes)] {
            if !words.is_empty() {
                let _ = write!(text, "\n{title}:\n\n{words}\n");
            }
        }
        for place in &task.context.evidence {
            let _ = writeln!(text, "- found: {place}");
        }
    }
    text
}

/// The graph for a page: an arrow leads from what comes first, dotted where it only has to be over.
pub fn as_mermaid(tasks: &[Task]) -> String {
    let mut text = "flowchart TD\n".to_owned();
    for task in tasks {
        let title: String = task
            .title
            .chars()
            .map(|letter| if "\"[]{}<>`|".contains(letter) { '\'' } else { letter })
            .collect();
        let _ = writeln!(text, "  t{}[\"{title}<br/>{}, {}\"]", task.id.short(), task.status, task.role);
    }
    for task in tasks {
        for edge in task.dependencies.iter().filter(|edge| tasks.iter().any(|other| other.id == edge.task)) {
            let arrow = match edge.needs {
                Needs::Done => "-->",
                Needs::Settled => "-.->",
            };
            let _ = writeln!(text, "  t{} {arrow} t{}", edge.task.short(), task.id.short());
        }
    }
    text
}

/// The graph for a terminal: every task once, with what it waits for.
pub fn as_graph(tasks: &[Task]) -> String {
    let names = names(tasks);
    let mut text = String::new();
    for task in tasks {
        let _ = writeln!(text, "{}  {} ({})", task.id.short(), task.title, task.status);
        for edge in &task.dependencies {
            let word = match edge.needs {
                Needs::Done => "needs",
                Needs::Settled => "after",
            };
            let _ = writeln!(text, "          {word} {}", name(&names, &edge.task));
        }
    }
    text
}

fn names(tasks: &[Task]) -> BTreeMap<&TaskId, &str> {
    tasks.iter().map(|task| (&task.id, task.title.as_str())).collect()
}

fn name(names: &BTreeMap<&TaskId, &str>, id: &TaskId) -> String {
    match names.get(id) {
        Some(title) => format!("{} {title}", id.short()),
        None => id.short().to_owned(),
    }
}
