//! The entries of the document's lists.

use luminos_core::ContentHash;
use luminos_core::answer::{Answer, Candidate, Field};
use luminos_core::entry::{Claim, Coverage, DirEntry, FilledIn, Share};
use luminos_core::flag::Flag;
use luminos_core::proof::Evidence;
use luminos_core::report::{Counters, Item, Section, Subsystem};
use luminos_core::spend::{Money, PassSpend, Totals, Usage};
use serde::Serialize;

use crate::investigation::Standing;
use crate::json::path::Path;

#[derive(Serialize)]
pub(super) struct FieldEntry<'a> {
    field: Field,
    title: &'static str,
    told: Vec<CandidateEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<CandidateEntry<'a>>,
}

impl<'a> From<(&'a Field, &'a Answer)> for FieldEntry<'a> {
    fn from((field, answer): (&'a Field, &'a Answer)) -> Self {
        let Answer { told, others } = answer;
        let entries = |candidates: &'a [Candidate]| candidates.iter().map(CandidateEntry::from).collect();
        Self { field: *field, title: field.title(), told: entries(told), others: entries(others) }
    }
}

#[derive(Serialize)]
struct CandidateEntry<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
    #[serde(flatten)]
    path: Option<Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    source: &'a str,
    score: u8,
}

impl<'a> From<&'a Candidate> for CandidateEntry<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        let Candidate { text, about, path, line, source, score } = candidate;
        let line = (0 < *line).then_some(*line);
        Self { text, about, path: path.as_ref().map(Path::of), line, source, score: *score }
    }
}

#[derive(Serialize)]
pub(super) struct SectionEntry<'a> {
    section: &'static str,
    title: &'static str,
    items: Vec<ItemEntry<'a>>,
}

impl<'a> SectionEntry<'a> {
    pub(super) fn new(section: Section, items: &'a [Item]) -> Self {
        let items = items.iter().map(ItemEntry::from).collect();
        Self { section: section.word(), title: section.title(), items }
    }
}

#[derive(Serialize)]
struct ItemEntry<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    text: &'a str,
    #[serde(flatten)]
    path: Option<Path>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Path>,
}

impl<'a> From<&'a Item> for ItemEntry<'a> {
    fn from(item: &'a Item) -> Self {
        let Item { name, path, text, sources } = item;
        Self {
            name,
            text,
            path: path.as_ref().map(Path::of),
            sources: sources.iter().map(Path::of).collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct ClaimEntry<'a> {
    text: &'a str,
    verified: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    faults: &'a [String],
    evidence: Vec<EvidenceEntry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entries: Vec<Path>,
}

impl<'a> From<&'a Claim> for ClaimEntry<'a> {
    fn from(claim: &'a Claim) -> Self {
        let Claim { text, evidence, entries, faults, verified } = claim;
        Self {
            text,
            verified: *verified,
            faults,
            evidence: evidence.iter().map(EvidenceEntry::from).collect(),
            entries: entries.iter().map(Path::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct EvidenceEntry<'a> {
    #[serde(flatten)]
    path: Path,
    start_line: u64,
    end_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    quote: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quote_sha256: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<ContentHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
}

impl<'a> From<&'a Evidence> for EvidenceEntry<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        let Evidence { path, start_line, end_line, quote, quote_hash, start, end, blob, call } = evidence;
        Self {
            path: Path::of(path),
            start_line: *start_line,
            end_line: *end_line,
            quote: quote.as_deref(),
            quote_sha256: *quote_hash,
            start_byte: *start,
            end_byte: *end,
            sha256: *blob,
            call: call.as_ref().map(|call| call.0.as_str()),
        }
    }
}

#[derive(Serialize)]
pub(super) struct SubsystemEntry<'a> {
    name: &'a str,
    description: &'a str,
    directories: Vec<Path>,
}

impl<'a> From<&'a Subsystem> for SubsystemEntry<'a> {
    fn from(subsystem: &'a Subsystem) -> Self {
        let Subsystem { name, description, dirs } = subsystem;
        Self { name, description, directories: dirs.iter().map(Path::of).collect() }
    }
}

#[derive(Serialize)]
pub(crate) struct FlagEntry<'a> {
    severity: &'static str,
    #[serde(flatten)]
    path: Path,
    finding: &'a str,
    rule: &'a str,
    fingerprint: ContentHash,
    directory: Path,
    verified: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    faults: &'a [String],
    evidence: Vec<EvidenceEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'static str>,
}

impl FlagEntry<'_> {
    /// How it stands to an earlier report.
    pub(super) fn set_baseline(&mut self, standing: Standing) {
        self.baseline = Some(standing.word());
    }
}

impl<'a> From<&'a Flag> for FlagEntry<'a> {
    fn from(flag: &'a Flag) -> Self {
        let Flag { path, finding, severity, rule: _, evidence, directory, verified, faults } = flag;
        Self {
            severity: severity.word(),
            path: Path::of(path),
            finding,
            rule: flag.rule_id(),
            fingerprint: flag.fingerprint(),
            directory: Path::of(directory),
            verified: *verified,
            faults,
            evidence: evidence.iter().map(EvidenceEntry::from).collect(),
            baseline: None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct CoverageEntry {
    files: u64,
    files_seen: u64,
    bytes: u64,
    bytes_seen: u64,
    symbols: u64,
    symbols_seen: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<u64>,
    share: f64,
}

impl From<Coverage> for CoverageEntry {
    fn from(coverage: Coverage) -> Self {
        let Coverage { files, files_seen, bytes, bytes_seen, symbols, symbols_seen, unreadable } = coverage;
        let unreadable = (0 < unreadable).then_some(unreadable);
        let share = coverage.share().get();
        Self { files, files_seen, bytes, bytes_seen, symbols, symbols_seen, unreadable, share }
    }
}

#[derive(Serialize)]
pub(super) struct DirectoryEntry<'a> {
    #[serde(flatten)]
    path: Path,
    entries: u64,
    category: &'static str,
    summary: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completeness: Option<f64>,
    coverage: CoverageEntry,
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filled_in: Option<FilledIn>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    corrections: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notable_files: Vec<Path>,
    claims: Vec<ClaimEntry<'a>>,
    verified_share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<ContentHash>,
    made_at: &'a str,
}

impl<'a> From<&'a DirEntry> for DirectoryEntry<'a> {
    fn from(entry: &'a DirEntry) -> Self {
        let (verified, claims) = entry.verified_claims();
        Self {
            path: Path::of(&entry.relative_path),
            entries: entry.child_count,
            category: entry.dominant_category.name(),
            summary: &entry.summary,
            confidence: entry.confidence.map(Share::get),
            confidence_reason: entry.confidence_reason.as_deref(),
            completeness: entry.completeness.map(Share::get),
            coverage: CoverageEntry::from(entry.coverage),
            partial: entry.partial,
            partial_reason: entry.partial_reason.as_deref(),
            filled_in: entry.filled_in,
            corrections: &entry.corrections,
            notable_files: entry.notable_files.iter().map(Path::of).collect(),
            claims: entry.claims.iter().map(ClaimEntry::from).collect(),
            verified_share: Share::of(verified, claims).rounded().get(),
            content_hash: entry.content_hash,
            made_at: &entry.cached_at.0,
        }
    }
}

#[derive(Serialize)]
pub(super) struct CountersEntry {
    files: u64,
    bytes: u64,
    directories: u64,
    directories_investigated: u64,
    directories_reused: u64,
    directories_partial: u64,
    directories_skipped: u64,
    directories_failed: u64,
    turns: u64,
    calls: u64,
    tokens: TokensEntry,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_nanodollars: Option<u64>,
    reserved: SumEntry,
    lost_in_flight: SumEntry,
    seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_judge: Option<SecondJudgeEntry>,
}

#[derive(Serialize)]
struct SecondJudgeEntry {
    asked: u64,
    refuted: u64,
    disagreement: f64,
}

/// What the calls of a pass came to.
#[derive(Serialize)]
pub(super) struct PassEntry<'a> {
    pass: &'a str,
    calls: u64,
    tokens: TokensEntry,
    tokens_booked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_nanodollars: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_in_flight: Option<SumEntry>,
}

/// What some calls came to.
#[derive(Serialize)]
struct SumEntry {
    calls: u64,
    tokens: u64,
    cost_usd: String,
    cost_nanodollars: u64,
}

impl From<Totals> for SumEntry {
    fn from(Totals { money, tokens, calls }: Totals) -> Self {
        Self { calls, tokens: tokens.0, cost_usd: dollars(money), cost_nanodollars: money.nanodollars() }
    }
}

impl<'a> PassEntry<'a> {
    pub(super) fn new(pass: &'a str, spend: &PassSpend) -> Self {
        Self {
            pass,
            calls: spend.calls,
            tokens: TokensEntry::from(spend.usage),
            tokens_booked: spend.tokens.0,
            cost_usd: spend.cost().map(dollars),
            cost_nanodollars: spend.cost().map(|cost| cost.nanodollars()),
            lost_in_flight: (spend.lost != Totals::default()).then(|| SumEntry::from(spend.lost)),
        }
    }
}

fn dollars(cost: Money) -> String {
    cost.to_string().trim_start_matches('$').to_owned()
}

impl From<Usage> for TokensEntry {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input.0,
            cache_write_5m: usage.cache_write_5m.0,
            cache_write_1h: usage.cache_write_1h.0,
            cache_read: usage.cache_read.0,
            output: usage.output.0,
        }
    }
}

#[derive(Serialize)]
struct TokensEntry {
    input: u64,
    cache_write_5m: u64,
    cache_write_1h: u64,
    cache_read: u64,
    output: u64,
}

impl From<&Counters> for CountersEntry {
    fn from(counters: &Counters) -> Self {
        Self {
            files: counters.files,
            bytes: counters.bytes,
            directories: counters.dirs,
            directories_investigated: counters.dirs_investigated,
            directories_reused: counters.dirs_reused,
            directories_partial: counters.dirs_partial,
            directories_skipped: counters.dirs_skipped,
            directories_failed: counters.dirs_failed,
            turns: counters.turns,
            calls: counters.calls,
            tokens: TokensEntry::from(counters.usage),
            cost_usd: counters.cost.map(dollars),
            cost_nanodollars: counters.cost.map(|cost| cost.nanodollars()),
            reserved: SumEntry::from(counters.reserved),
            lost_in_flight: SumEntry::from(counters.lost),
            seconds: counters.seconds,
            second_judge: counters.second_judge.map(|second| SecondJudgeEntry {
                asked: second.asked,
                refuted: second.refuted,
                disagreement: second.disagreement().rounded().get(),
            }),
        }
    }
}
