//! How an inspiration came about, in a few lines: what it has that the base has not.
//!
//! The steps from the common ancestor to the inspiration are told from the oldest to the newest: the earliest ones by
//! themselves, older ones in chunks of equal length that are summarised together, the recent ones by themselves again.
//! Chunks lie on a fixed grid that begins at the root of the chain, so that they are the same ones next time, whatever is
//! compared, and their summaries can be kept.
//!
//! **Guarantees**: the parts lie one after another and cover every step exactly once; at most as many chunks as allowed;
//! the recent part has at most `block - 1` steps more than asked for, and only so that it begins where a chunk does.
//!
//! Not here: who summarises a chunk.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::chain::{Chain, CommitId, Ground, MOST_DEPTH, Place};
use super::clip::{clip_line, counted};

#[cfg(test)]
mod tests;

/// How long the line of one step may be.
pub(crate) const STEP_LINE: usize = 240;

/// How much is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupSettings {
    /// Steps in a chunk; 0 counts as 1.
    pub block: usize,
    /// Chunks that are told, at most.
    pub chunks: usize,
    /// Recent steps that are told one by one.
    pub recent: usize,
    /// Where the grid of chunks begins; without it, at the end of the chain.
    pub root: Option<CommitId>,
}

impl Default for RollupSettings {
    fn default() -> Self {
        Self { block: 8, chunks: 3, recent: 6, root: None }
    }
}

/// What there is to tell about an inspiration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rollup {
    /// Base or inspiration is not named.
    Nothing,
    /// The chains have nothing in common, as far as was looked.
    Apart {
        /// Whether only so far was looked.
        is_too_deep: bool,
    },
    /// The inspiration is the base, or the base stands on it.
    Contained {
        /// The common ancestor: the inspiration itself.
        ancestor: CommitId,
    },
    /// Steps.
    Path(Path),
}

/// The steps of an inspiration that the base has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The nearest commit in common.
    pub ancestor: CommitId,
    /// Where the grid of chunks begins; `None` if the steps reach beyond it, and there are no chunks.
    pub anchor: Option<Anchor>,
    /// All steps, oldest first.
    pub steps: Vec<Place>,
    /// How they are told, in order.
    pub parts: Vec<Part>,
}

/// Where the grid of chunks begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The commit.
    pub commit: CommitId,
    /// Whether somebody chose it.
    pub mode: AnchorMode,
}

/// Why a commit is the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnchorMode {
    /// It was named.
    ExperimentRoot,
    /// The chain ends there.
    ChainRoot,
}

/// Some steps that follow one another, by their numbers in the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The first steps, one by one.
    Earliest(Range<usize>),
    /// A chunk, as one.
    Chunk(Range<usize>),
    /// Not told.
    Omitted(Range<usize>),
    /// The last steps, one by one.
    Recent(Range<usize>),
}

impl Part {
    /// Its steps.
    pub fn range(&self) -> Range<usize> {
        let (Self::Earliest(range) | Self::Chunk(range) | Self::Omitted(range) | Self::Recent(range)) = self;
        range.clone()
    }
}

/// What is told and what is not, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrajectoryMeta {
    /// The base.
    pub base_commit_hash: Option<CommitId>,
    /// The inspiration.
    pub inspiration_commit_hash: Option<CommitId>,
    /// The nearest commit in common.
    pub lca_commit_hash: Option<CommitId>,
    /// How many steps there are.
    pub unique_steps_count: usize,
    /// How many of them are not told.
    pub omitted_steps: usize,
    /// Where the grid of chunks begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor_commit_hash: Option<CommitId>,
    /// Why there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor_mode: Option<AnchorMode>,
}

/// How many commits an inspiration has that the base has not, in words: no number where no common commit was found.
pub(crate) fn own_commits(meta: Option<&TrajectoryMeta>) -> String {
    match meta {
        Some(meta) if meta.lca_commit_hash.is_some() => counted(meta.unique_steps_count, "commit"),
        Some(_) | None => "an unknown number of commits".to_owned(),
    }
}

/// Finds out what there is to tell.
pub fn roll_up(
    ground: &Ground<'_>,
    chain: &Chain,
    inspiration: &CommitId,
    settings: &RollupSettings,
) -> Rollup {
    if inspiration.as_str().trim().is_empty() {
        return Rollup::Nothing;
    }
    let Some(ancestor) = ground.common_ancestor(inspiration) else {
        return Rollup::Apart { is_too_deep: ground.is_too_deep(inspiration) };
    };
    let steps = ground.unique_path(inspiration, ancestor);
    let ancestor = chain.id(ancestor);
    if steps.is_empty() {
        return Rollup::Contained { ancestor };
    }
    let (anchor, first_depth) = anchor(chain, inspiration, steps.len(), settings.root.as_ref());
    let parts = match first_depth {
        Some(first_depth) => lay_out(steps.len(), first_depth, settings),
        None => {
            let start = steps.len() - settings.recent.min(steps.len());
            fill_gaps(steps.len(), vec![Part::Recent(start..steps.len())])
        }
    };
    let anchor = first_depth.is_some().then_some(anchor);
    Rollup::Path(Path { ancestor, anchor, steps, parts })
}

/// The anchor, and how far above it the first of the steps stands; `None` if the steps begin before it.
fn anchor(
    chain: &Chain,
    inspiration: &CommitId,
    steps: usize,
    root: Option<&CommitId>,
) -> (Anchor, Option<usize>) {
    let mut walked = 0_usize;
    let mut anchor = Anchor { commit: inspiration.clone(), mode: AnchorMode::ChainRoot };
    for place in chain.place(inspiration).into_iter().flat_map(|start| chain.walk(start)) {
        walked += 1;
        anchor.commit = chain.id(place);
        if root == Some(&anchor.commit) {
            anchor.mode = AnchorMode::ExperimentRoot;
            break;
        }
    }
    (anchor, walked.checked_sub(steps))
}

/// How steps are told, the first of which stands so far above the anchor.
fn lay_out(count: usize, first_depth: usize, settings: &RollupSettings) -> Vec<Part> {
    let block = settings.block.max(1);
    // How many steps of its chunk stand before a step. The anchor itself ends a chunk.
    let before = |step: usize| (first_depth + step + block - 1) % block;

    let mut start = count - settings.recent.min(count);
    if start < count {
        start = start.saturating_sub(before(start));
    }
    let chunks = chunks(count, start, block, before, settings.chunks);

    let partial = if before(0) == 0 { 0 } else { (block - before(0)).min(count) };
    let mut earliest = partial.min(settings.recent).min(start);
    if earliest == 0 {
        earliest = settings.recent.min(2).min(start);
    }
    // What a chunk tells is not told twice.
    earliest = earliest.min(chunks.first().map_or(count, |chunk| chunk.start));

    let mut parts = vec![Part::Earliest(0..earliest)];
    parts.extend(chunks.into_iter().map(Part::Chunk));
    parts.push(Part::Recent(start..count));
    fill_gaps(count, parts)
}

/// The chunks that are told: the oldest, and then the newest ones, in the order of time.
fn chunks(
    count: usize,
    end: usize,
    block: usize,
    before: impl Fn(usize) -> usize,
    most: usize,
) -> Vec<Range<usize>> {
    let first = (block - before(0)) % block;
    let whole: Vec<Range<usize>> = (first..count)
        .step_by(block)
        .map(|start| start..start + block)
        .take_while(|chunk| chunk.end <= end)
        .collect();
    let newest = whole.len().saturating_sub(most.saturating_sub(1)).max(1);
    whole
        .into_iter()
        .enumerate()
        .filter(|(at, _)| 0 < most && (*at == 0 || newest <= *at))
        .map(|(_, chunk)| chunk)
        .collect()
}

/// The parts, with what lies between them as omitted ones.
fn fill_gaps(count: usize, told: Vec<Part>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    for part in told.into_iter().filter(|part| !part.range().is_empty()) {
        let range = part.range();
        if at < range.start {
            parts.push(Part::Omitted(at..range.start));
        }
        at = range.end;
        parts.push(part);
    }
    if at < count {
        parts.push(Part::Omitted(at..count));
    }
    parts
}

impl Path {
    /// How many steps are not told.
    pub fn omitted(&self) -> usize {
        self.gaps().map(|gap| gap.len()).sum()
    }

    fn gaps(&self) -> impl Iterator<Item = Range<usize>> {
        self.parts.iter().filter(|part| matches!(part, Part::Omitted(_))).map(Part::range)
    }

    /// The chunks: the commit before the first step, the last step, and all steps.
    pub fn chunks(&self, chain: &Chain) -> Vec<Chunk> {
        let chunk = |range: Range<usize>| {
            let steps = self.steps.get(range)?;
            let start = chain.parent(*steps.first()?)?;
            Some(Chunk { start: chain.id(start), end: chain.id(*steps.last()?), steps: steps.to_vec() })
        };
        self.parts
            .iter()
            .filter(|part| matches!(part, Part::Chunk(_)))
            .filter_map(|part| chunk(part.range()))
            .collect()
    }

    /// The lines. `step` words one step, `summary` a chunk by its number.
    pub fn lines(
        &self,
        chain: &Chain,
        step: impl Fn(Place) -> String,
        summary: impl Fn(usize, &Chunk) -> String,
    ) -> Vec<String> {
        let chunks = self.chunks(chain);
        let range = |range: &Range<usize>| match (self.steps.get(range.start), self.steps.get(range.end - 1))
        {
            (Some(first), Some(last)) => {
                format!("{}..{}", chain.id(*first).short(), chain.id(*last).short())
            }
            (None, _) | (_, None) => String::new(),
        };
        let mut lines = vec![self.headline()];
        let (mut next_chunk, mut is_omission_told) = (0, false);
        for part in &self.parts {
            match part {
                Part::Earliest(steps) | Part::Recent(steps) => {
                    lines.push(match part {
                        Part::Earliest(_) => "  Earliest steps:".to_owned(),
                        Part::Recent(_) | Part::Chunk(_) | Part::Omitted(_) => {
                            format!("  Recent steps ({}):", steps.len())
                        }
                    });
                    for &place in self.steps.get(steps.clone()).unwrap_or_default() {
                        let line = format!("{}: {}", chain.id(place).short(), step(place));
                        lines.push(format!("    {}", clip_line(&line, STEP_LINE)));
                    }
                }
                Part::Chunk(_) => {
                    if next_chunk == 0 {
                        lines.push("  Older steps, in chunks:".to_owned());
                    }
                    if let Some(chunk) = chunks.get(next_chunk) {
                        let words = summary(next_chunk, chunk);
                        lines.push(format!("    [{}..{}] {words}", chunk.start.short(), chunk.end.short()));
                    }
                    next_chunk += 1;
                }
                Part::Omitted(_) if is_omission_told => {}
                Part::Omitted(_) => {
                    is_omission_told = true;
                    let gaps: Vec<String> = self.gaps().map(|gap| range(&gap)).collect();
                    lines.push(format!(
                        "  Omitted: {} ({})",
                        counted(self.omitted(), "step"),
                        gaps.join(", ")
                    ));
                }
            }
        }
        lines
    }

    fn headline(&self) -> String {
        let anchor = self.anchor.as_ref().map_or(String::new(), |anchor| {
            let mode = match anchor.mode {
                AnchorMode::ExperimentRoot => "experiment_root",
                AnchorMode::ChainRoot => "chain_root",
            };
            format!(", anchor {} ({mode})", anchor.commit.short())
        });
        format!("unique_steps_count: {} (lca {}{anchor})", self.steps.len(), self.ancestor.short())
    }
}

/// Steps that are told as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The commit before the first step.
    pub start: CommitId,
    /// The last step.
    pub end: CommitId,
    /// All steps, oldest first.
    pub steps: Vec<Place>,
}

impl Rollup {
    /// The one line of an inspiration without steps.
    pub fn without_steps(&self) -> Option<String> {
        match self {
            Self::Nothing | Self::Path(_) => None,
            Self::Apart { is_too_deep: true } => Some(format!(
                "unavailable: base and inspiration have no common commit within {MOST_DEPTH} steps"
            )),
            Self::Apart { is_too_deep: false } => {
                Some("unavailable: the chains of base and inspiration do not overlap".to_owned())
            }
            Self::Contained { ancestor } => Some(format!(
                "unique_steps_count: 0 (lca {}): the inspiration is the base, or an ancestor of it",
                ancestor.short()
            )),
        }
    }

    /// What is told and what is not, for programs.
    pub fn meta(&self, base: &CommitId, inspiration: &CommitId) -> TrajectoryMeta {
        let mut meta = TrajectoryMeta {
            base_commit_hash: Some(base.clone()),
            inspiration_commit_hash: Some(inspiration.clone()),
            ..TrajectoryMeta::default()
        };
        match self {
            Self::Nothing | Self::Apart { .. } => {}
            Self::Contained { ancestor } => meta.lca_commit_hash = Some(ancestor.clone()),
            Self::Path(path) => {
                meta.lca_commit_hash = Some(path.ancestor.clone());
                meta.unique_steps_count = path.steps.len();
                meta.omitted_steps = path.omitted();
                meta.anchor_commit_hash = path.anchor.as_ref().map(|anchor| anchor.commit.clone());
                meta.anchor_mode = path.anchor.as_ref().map(|anchor| anchor.mode);
            }
        }
        meta
    }
}
