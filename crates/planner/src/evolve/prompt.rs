//! What a model is asked, within a number of tokens.
//!
//! What was asked for is always there. What is known about commits is there as far as it fits, the more important first;
//! what does not fit is named, to whoever reads the plan. All text of the repository stands between marks.
//!
//! Not here: the schema of the answer; the runner of structured answers adds it.

use luminos_core::{Fence, Untrusted};

use luminos_models::{Mode, Pass, Request, estimate_text};
use serde::{Deserialize, Serialize};

use super::card::Changes;
use super::clip::clip_line;
use super::code::{Code, unlisted_words};
use super::request::{CommitContext, PlanningRequest};

#[cfg(test)]
mod tests;

/// Raised with every change of the words below, since cached summaries and plans depend on them.
pub(crate) const PROMPT_VERSION: u32 = 2;
/// How long a plan may be, in tokens.
pub const MOST_OUTPUT: u32 = 8192;
/// The most metrics told of one commit.
const METRICS: usize = 10;
const DIFFERENCE: usize = 8;
const LINE: usize = 512;
/// How many files are left out of a list at once.
const FILES_OF_A_PIECE: usize = 50;

/// A prompt and what it holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prompt {
    /// The request.
    pub request: Request,
    /// How it came about.
    pub account: PromptAccount,
}

/// How large a prompt is, and what it does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PromptAccount {
    /// The version of its words.
    pub version: u32,
    /// How many tokens it has at most.
    pub tokens: u64,
    /// How many it may have.
    pub budget: u64,
    /// What did not fit.
    pub dropped: Vec<String>,
}

/// What was asked for does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("goal and constraints alone take {needed} tokens, and the prompt may have {budget}")]
pub struct TooLarge {
    /// What it takes.
    pub needed: u64,
    /// What there is.
    pub budget: u64,
}

const ROLE: &str = "\
You plan changes to a code base that evolves in small experiments: each starts from a base commit, changes it, and is
measured. You write the plan for the next experiment; somebody else carries it out. You change nothing yourself.";

const COLD_START: &str = "\
Nothing has been tried yet. Propose directions that differ clearly from one another rather than one safe tweak: what
is learned now matters more than the result.";

const DELIVERABLE: &str = "\
# What to deliver

A plan of 3 to 6 steps that build on one another. Each step says what to do, in which files (relative to the repository,
named as they are listed above; a file that is to be made is written `PATH (new)`), how to see that it worked, and what
may go wrong. Say in the rationale which metrics and commits speak for the plan. Focus
metrics are names of metrics above, if there are any. Do not repeat what has failed near the base, unless you say what is
different this time.";

/// How readily a piece is left out: the greater, the sooner.
type Weight = u8;

/// A part of a prompt that can be left out.
struct Piece {
    weight: Weight,
    label: String,
    lines: Vec<String>,
}

/// A commit, or what was learned: its pieces stand together between marks.
struct Block {
    heading: String,
    label: String,
    pieces: Vec<Piece>,
}

/// Writes the prompt of a request.
pub(crate) fn write_prompt(
    request: &PlanningRequest,
    code: Option<&Code>,
    mode: Mode,
    budget: u64,
    fence: &Fence,
) -> Result<Prompt, TooLarge> {
    let mut blocks = blocks(request);
    blocks.extend(code.map(code_block));
    let mut dropped = Vec::new();
    loop {
        let system = format!("{ROLE}\n\n{}", fence.explanation());
        let text = assemble(request, mode, &blocks, fence);
        let tokens = estimate_text(&system).0 + estimate_text(&text).0;
        if tokens <= budget {
            let mut asked = Request::question(Pass::Evolution, text, MOST_OUTPUT);
            asked.system = vec![system];
            let account = PromptAccount { version: PROMPT_VERSION, tokens, budget, dropped };
            return Ok(Prompt { request: asked, account });
        }
        match drop_one(&mut blocks) {
            Some(label) => dropped.push(label),
            None => return Err(TooLarge { needed: tokens, budget }),
        }
    }
}

/// Leaves out the piece that matters least; of several, the last.
fn drop_one(blocks: &mut Vec<Block>) -> Option<String> {
    let all = blocks.iter().enumerate().flat_map(|(block, content)| {
        content.pieces.iter().enumerate().map(move |(piece, content)| (content.weight, block, piece))
    });
    let (_, block, piece) = all.max()?;
    let removed = blocks[block].pieces.remove(piece);
    if blocks[block].pieces.is_empty() {
        blocks.remove(block);
    }
    Some(removed.label)
}

fn assemble(request: &PlanningRequest, mode: Mode, blocks: &[Block], fence: &Fence) -> String {
    let wish = &request.wish;
    let mut parts = Vec::new();
    if wish.cold_start {
        parts.push(COLD_START.to_owned());
    }
    parts.push(format!("# Goal\n\n{}", wish.goal));
    parts.push(format!("# Constraints\n\n{}", bullets(&wish.constraints)));
    parts.push(format!("# Acceptance criteria\n\n{}", bullets(&wish.acceptance_criteria)));
    parts.push(format!("# Hint\n\n{}", wish.iteration_hint.as_deref().unwrap_or("None provided")));
    for block in blocks {
        let lines: Vec<&str> =
            block.pieces.iter().flat_map(|piece| piece.lines.iter().map(String::as_str)).collect();
        let data = Untrusted::new(lines.join("\n").as_bytes()).for_prompt(&block.label, fence);
        parts.push(format!("# {}\n\n{data}", block.heading));
    }
    if request.inspirations.is_empty() {
        parts.push("# Inspirations\n\nNone".to_owned());
    }
    parts.push(DELIVERABLE.to_owned());
    parts.push(
        match mode {
            Mode::Strict => "Answer with one JSON object and nothing else: no fences, no words around it.",
            Mode::Lenient => "Answer with one JSON object. If you cannot, write the plan as a numbered list.",
            Mode::None => "Answer in plain text. Write the steps as a numbered list.",
        }
        .to_owned(),
    );
    parts.join("\n\n")
}

fn bullets(items: &[String]) -> String {
    if items.is_empty() {
        return "None".to_owned();
    }
    items.iter().map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

fn blocks(request: &PlanningRequest) -> Vec<Block> {
    let mut blocks = vec![commit_block("Base commit".to_owned(), "base", &request.base, 0)];
    for (at, inspiration) in request.inspirations.iter().enumerate() {
        let number = at + 1;
        let (heading, label) = (format!("Inspiration {number}"), format!("inspiration {number}"));
        blocks.push(commit_block(heading, &label, inspiration, 1));
    }
    if !request.lessons.is_empty() {
        let pieces = request.lessons.iter().enumerate().map(|(at, lesson)| Piece {
            weight: 2,
            label: format!("lesson {}", at + 1),
            lines: vec![format!("- {}", clip_line(lesson, LINE))],
        });
        blocks.push(Block {
            heading: "What was tried near the base before".to_owned(),
            label: "earlier experiments".to_owned(),
            pieces: pieces.collect(),
        });
    }
    blocks
}

/// The code at the base. The list of files goes first if room is short, its end before its beginning.
fn code_block(code: &Code) -> Block {
    let mut pieces = Vec::new();
    let mut piece = |weight: Weight, label: &str, heading: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let heading = (!heading.is_empty()).then(|| heading.to_owned());
            pieces.push(Piece {
                weight,
                label: label.to_owned(),
                lines: heading.into_iter().chain(lines).collect(),
            });
        }
    };
    let bulleted =
        |lines: &[String]| lines.iter().map(|line| format!("  - {}", clip_line(line, LINE))).collect();
    piece(
        1,
        "candidates",
        "Files that the goal seems to be about, best first, by names, words and history:",
        bulleted(&code.candidates),
    );
    piece(
        2,
        "what a plan without a model finds",
        "What a plan without a model finds:",
        bulleted(&code.found),
    );
    for excerpt in &code.excerpts {
        piece(6, "lines of a candidate", "", excerpt.clone());
    }
    let chunks = code.files.chunks(FILES_OF_A_PIECE);
    let last = chunks.len().saturating_sub(1);
    for (at, files) in chunks.enumerate() {
        let mut lines = files.to_vec();
        if at == last && 0 < code.unlisted {
            lines.push(unlisted_words(code.unlisted));
        }
        let heading = if at == 0 { "Files of the base, those that may matter first:" } else { "" };
        piece(9, "a part of the list of files", heading, lines);
    }
    Block { heading: "Code at the base".to_owned(), label: "code".to_owned(), pieces }
}

fn commit_block(heading: String, label: &str, context: &CommitContext, weight: Weight) -> Block {
    let card = &context.card;
    let mut pieces = Vec::new();
    let mut piece = |weight: Weight, what: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            pieces.push(Piece { weight, label: format!("{what} of {label}"), lines });
        }
    };
    let listed = |title: &str, items: Vec<String>| {
        let mut lines = vec![if items.is_empty() { format!("{title}: None") } else { format!("{title}:") }];
        lines.extend(items.into_iter().map(|item| format!("  - {}", clip_line(&item, LINE))));
        lines
    };
    let facts = vec![
        format!("Hash: {}", card.commit_hash),
        format!("Subject: {}", card.subject),
        format!("Change summary: {}", card.change_summary),
        format!("Evaluation summary: {}", card.evaluation_summary.as_deref().unwrap_or("N/A")),
    ];
    piece(weight, "facts", facts);
    let mut metrics: Vec<String> =
        card.metrics.iter().take(METRICS).map(super::metric::Metric::line).collect();
    if METRICS < card.metrics.len() {
        metrics.push(format!("({} more)", card.metrics.len() - METRICS));
    }
    piece(weight, "metrics", listed("Metrics", metrics));
    piece(5 + weight, "highlights", listed("Highlights", card.highlights.clone()));
    piece(7 + weight, "key files", listed("Key files", card.key_files.clone()));
    if let Some(difference) = &context.difference {
        piece(4, "difference from the base", difference_lines(difference));
    }
    if !context.trajectory.is_empty() {
        let mut lines = vec!["Trajectory (unique vs base):".to_owned()];
        lines.extend(context.trajectory.iter().map(|line| format!("  {line}")));
        piece(3, "trajectory", lines);
    }
    Block { heading, label: label.to_owned(), pieces }
}

fn difference_lines(difference: &Changes) -> Vec<String> {
    let mut lines = vec![format!("Difference from the base: {}", difference.total())];
    lines.extend(difference.files.iter().take(DIFFERENCE).map(|file| format!("  - {}", file.line())));
    if DIFFERENCE < difference.files.len() {
        lines.push(format!("  ({} more)", difference.files.len() - DIFFERENCE));
    }
    lines
}
