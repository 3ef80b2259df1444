//! The prompt of a directory's loop: the same for all loops of a run up to the first message, which holds the rest.

use luminos_core::job::{Assignment, Child, ListedFile};
use luminos_core::survey::Survey;
use luminos_core::{ByteSize, Fence, RelPath};

use super::{DIR, DIR_TASK, cut, fenced};

/// So many files are listed; of more, the first.
const LISTED: usize = 400;
/// Bytes for all child summaries together, and for one at least.
const CHILDREN: usize = 32 * 1024;
const CHILD: usize = 240;
/// Bytes for what the survey or the plan says.
const NOTES: usize = 4 * 1024;

/// What is the same for all loops of a run.
pub(crate) fn system(fence: &Fence) -> Vec<String> {
    vec![DIR.text(), fence.explanation()]
}

/// The first message.
pub(crate) fn task(assignment: &Assignment, fence: &Fence) -> String {
    let dir = &assignment.job.dir;
    let place = format!("directory: {}\ntarget: {}", dir.to_word(), assignment.target_name);
    let left = assignment.turns.0.saturating_sub(assignment.used.0);
    let tier = match assignment.tier_reason.as_str() {
        "" => format!("The plan gives it the tier {}.", assignment.tier.word()),
        reason => {
            let reason = fenced(&cut(reason, NOTES), "reason", fence);
            format!("The plan gives it the tier {}:\n{reason}", assignment.tier.word())
        }
    };
    let survey = assignment.survey.as_ref().map(|survey| survey_block(survey, fence)).unwrap_or_default();
    let plan = match assignment.plan_notes.as_str() {
        "" => String::new(),
        notes => format!(
            "\nWhat the planner wants everybody to know:\n{}\n",
            fenced(&cut(notes, NOTES), "plan", fence)
        ),
    };
    let example = match assignment.files.first() {
        Some(file) => file.path_in(dir).for_terminal(),
        None => RelPath::new([dir.as_bytes(), b"/name"].concat())
            .for_terminal()
            .trim_start_matches('/')
            .to_owned(),
    };
    DIR_TASK.fill(&[
        ("place", &fenced(&place, "place", fence)),
        ("turns", &left.to_string()),
        ("tier", &tier),
        ("files", &files(assignment, fence)),
        ("children", &children(assignment, fence)),
        ("survey", &survey),
        ("plan", &plan),
        ("example", &example),
    ])
}

/// What the survey said, as a labelled block.
pub(crate) fn survey_block(survey: &Survey, fence: &Fence) -> String {
    let mut text = format!("what it is: {}", survey.description);
    for (label, words) in [("how to go about it", &survey.approach), ("good to know", &survey.domain_notes)] {
        if !words.is_empty() {
            text.push_str(&format!("\n{label}: {words}"));
        }
    }
    let text = fenced(&cut(&text, NOTES), "survey", fence);
    format!(
        "\nA first look at the whole target, made without reading files ({} sure):\n{text}\n",
        survey.confidence
    )
}

/// Why a directory is looked at once more.
pub(crate) fn doubts(doubts: &[String], fence: &Fence) -> String {
    let lines: Vec<String> = doubts.iter().map(|doubt| format!("- {}", cut(doubt, 600))).collect();
    format!(
        "The doubts about the earlier result:\n{}",
        fenced(&cut(&lines.join("\n"), NOTES), "doubts", fence)
    )
}

fn files(assignment: &Assignment, fence: &Fence) -> String {
    let unreadable = match &assignment.unreadable {
        Some(reason) => {
            format!("The directory could not be read, or not wholly: {}\n", fenced(reason, "reason", fence))
        }
        None => String::new(),
    };
    if assignment.files.is_empty() {
        let known = if unreadable.is_empty() {
            "There are no files directly in it."
        } else {
            "No files in it are known."
        };
        return format!("{unreadable}{known}");
    }
    let lines: Vec<String> = assignment.files.iter().take(LISTED).map(line).collect();
    let shown = lines.len() as u64;
    let all = assignment.file_count.max(assignment.files.len() as u64);
    let head = match all - shown {
        0 => format!("The {all} files directly in it:"),
        _ => format!("The first {shown} of the {all} files directly in it; list_directory shows the rest:"),
    };
    format!("{unreadable}{head}\n{}", fenced(&lines.join("\n"), "files", fence))
}

fn line(file: &ListedFile) -> String {
    let mut line = format!("{}  {}", file.name.to_word(), ByteSize(file.size));
    match &file.kind {
        Some(kind) => line.push_str(&format!("  {kind}")),
        None => line.push_str(&format!("  {}", file.category.name())),
    }
    if let Some(language) = &file.language {
        line.push_str(&format!("  {language}"));
    }
    if 0 < file.lines {
        line.push_str(&format!("  {} lines", file.lines));
    }
    if file.executable {
        line.push_str("  executable");
    }
    if let Some(description) = &file.description {
        line.push_str(&format!("  ({})", cut(description, 80)));
    }
    line.replace('\n', "\\n")
}

/// What is known of the child directories: the truth about each.
fn children(assignment: &Assignment, fence: &Fence) -> String {
    let children = &assignment.children[..];
    if 0 < assignment.folded {
        return format!(
            "{} directories further down lie too deep to be investigated on their own: their files are listed here, with the path from this directory.",
            assignment.folded
        );
    }
    if children.is_empty() && assignment.unreadable.is_some() {
        return "Which child directories there are is not known.".to_owned();
    }
    if children.is_empty() {
        return "This is a leaf directory: there are no child directories.".to_owned();
    }
    let each = (CHILDREN / children.len()).max(CHILD);
    let shown = children.len().min(CHILDREN / CHILD);
    let lines: Vec<String> = children.iter().take(shown).map(|child| child_line(child, each)).collect();
    let more = match children.len() - shown {
        0 => String::new(),
        more => format!("\nThere are {more} more child directories; list_directory shows them."),
    };
    let nothing = children.iter().all(|child| matches!(child, Child::Missing { .. }));
    let head = if nothing {
        "Child directories exist but have not been investigated yet:"
    } else {
        "What the investigations of its child directories found:"
    };
    format!("{head}\n{}{more}", fenced(&lines.join("\n"), "child directories", fence))
}

fn child_line(child: &Child, most: usize) -> String {
    let path = child.path().to_word();
    match child {
        Child::Done(entry) => {
            let mark = match entry.filled_in {
                Some(part) => format!(" ({})", part.words()),
                None if entry.partial => " (incomplete)".to_owned(),
                None => String::new(),
            };
            format!("{path}/{mark}: {}", cut(&entry.summary, most))
        }
        Child::Skipped { reason, .. } => format!("{path}/: skipped by the plan: {}", cut(reason, most)),
        Child::Missing { reason, .. } => {
            format!("{path}/: exists but has not been investigated: {}", cut(reason, most))
        }
    }
}
