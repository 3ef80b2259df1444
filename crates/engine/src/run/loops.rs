//! One directory under way.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use luminos_core::end::EndKind;
use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, FileEntry, FilledIn, Stamp, cut_summary};
use luminos_core::flag::Flag;
use luminos_core::job::{Ask, DirReport, JobId, Mind, NoTurn, Opening, Said};
use luminos_core::judge::coverage;
use luminos_core::plan::Turns;
use luminos_core::proof::{Served, Symbols};
use luminos_core::scan::{Category, DirId, Kind, Scan};
use luminos_core::seen::compact;
use luminos_core::spend::{Charge, Money, Tokens, Usage};
use luminos_core::talk::{Message, Pass, StopReason};
use luminos_core::{ContentHash, RelPath, Untrusted};
use luminos_models::Note;
use luminos_store::Investigation;
use serde::{Deserialize, Serialize};

use crate::minds::Heard;

mod assignment;

pub(super) use assignment::{Circumstances, assignment};

/// A directory under way.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) dir: DirId,
    pub(super) job: JobId,
    /// The attempt, as the state machine counts them.
    pub(super) attempt: u32,
    /// Who works on it: the analyst also where a model should, once that cannot be asked any more.
    pub(super) mind: Mind,
    pub(super) key: ContentHash,
    pub(super) opening: Option<Opening>,
    pub(super) messages: Vec<Message>,
    /// Turns that were answered.
    pub(super) turns: u32,
    /// Those of them that an earlier run paid: a run that goes on with what another left unfinished.
    pub(super) paid_before: u32,
    /// The word that fences what is shown in this conversation, if it is not the run's own.
    pub(super) nonce: Option<String>,
    /// Turns it may use.
    pub(super) allowed: u32,
    /// What its files define.
    pub(super) symbols: Vec<Symbols>,
    /// What is known of its files.
    pub(super) files: BTreeMap<RelPath, FileEntry>,
    /// Which time it is looked into again; 0 for a first look. And why.
    pub(super) round: u32,
    pub(super) doubts: Vec<String>,
    /// Whether its turns were promised anew after it had ended: what it used before was for something else.
    pub(super) is_reopened: bool,
    /// What is added to a turn of this conversation to get the ledger's: turns of earlier conversations less those
    /// that an earlier run paid.
    pub(super) ledger_offset: i64,
    /// What it has flagged, and how much of that is in the journal.
    pub(super) flags: Vec<Flag>,
    pub(super) flags_journalled: usize,
    /// Everything that tools have shown it.
    pub(super) served: Vec<Served>,
    /// How much of that was shown to an earlier look.
    pub(super) inherited: usize,
    /// How much of that is in the journal.
    pub(super) journalled: usize,
    pub(super) revisions: u32,
    pub(super) usage: Usage,
    pub(super) cost: Option<Money>,
    /// Whether somebody works on it, and whether it was to stop before anybody did.
    pub(super) is_offered: bool,
    pub(super) is_stopped: bool,
    /// The number of the last news that counted.
    pub(super) heard: Option<u32>,
}

impl Loop {
    pub(super) fn new(
        dir: DirId,
        job: JobId,
        attempt: u32,
        mind: Mind,
        key: ContentHash,
        allowed: Turns,
    ) -> Self {
        Self {
            dir,
            job,
            attempt,
            mind,
            key,
            opening: None,
            messages: Vec::new(),
            turns: 0,
            paid_before: 0,
            nonce: None,
            allowed: allowed.0,
            round: 0,
            doubts: Vec::new(),
            is_reopened: false,
            ledger_offset: 0,
            flags: Vec::new(),
            flags_journalled: 0,
            served: Vec::new(),
            symbols: Vec::new(),
            files: BTreeMap::new(),
            inherited: 0,
            journalled: 0,
            revisions: 0,
            usage: Usage::default(),
            cost: None,
            is_offered: false,
            is_stopped: false,
            heard: None,
        }
    }

    /// Takes up what an earlier life of the same directory had said and heard.
    pub(super) fn take_up(&mut self, recalled: Recalled) {
        let Recalled { opening, messages, turns, paid_before, nonce, inherited, served, files, .. } =
            recalled;
        let Recalled { flags, usage, cost, .. } = recalled;
        self.files = files;
        self.flags_journalled = flags.len();
        self.flags = flags;
        self.inherited = inherited;
        self.paid_before = paid_before;
        self.nonce = nonce;
        self.opening = opening;
        self.messages = messages;
        self.turns = turns;
        self.journalled = served.len();
        self.served = served;
        self.usage = usage;
        self.cost = cost;
    }

    pub(super) fn tokens(&self) -> Tokens {
        self.usage.total()
    }
}

/// A sum of which a part may not be known.
pub(super) fn plus(sum: Option<Money>, money: Option<Money>) -> Option<Money> {
    match (sum, money) {
        (Some(sum), Some(money)) => Some(sum.plus(money)),
        (sum, money) => sum.or(money),
    }
}

/// A line of a directory's transcript: a question, the answer to it, and what tools had shown before.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TurnLine {
    /// The key of the directory at that time: a transcript of other content is another conversation.
    pub(crate) key: ContentHash,
    pub(crate) ask: Ask,
    pub(crate) said: Said,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) served: Vec<Served>,
    /// What was flagged before. A loop that goes on does not raise it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) flags: Vec<Flag>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<Money>,
    /// The model that said it.
    pub(crate) model: String,
    /// The run in which it was said, all its lives together.
    #[serde(default)]
    pub(crate) run: String,
    /// Which time the directory was looked into again; 0 for a first look.
    #[serde(default, skip_serializing_if = "is_first")]
    pub(crate) round: u32,
    /// When it was said, in microseconds since 1970: turns of all conversations are in this order.
    #[serde(default)]
    pub(crate) at: u64,
    /// What was unusual about the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    /// How many secrets were taken out of what was asked.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(crate) redactions: u64,
    /// Why nothing was said, if that is so. Then it is no part of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<NoTurn>,
}

impl TurnLine {
    /// A question, before anybody has said anything.
    pub(super) fn blank(key: ContentHash, ask: Ask, served: Vec<Served>, run: String, round: u32) -> Self {
        let said = Said { content: Vec::new(), stop: StopReason::EndTurn, usage: Usage::default() };
        let (model, notes) = (String::new(), Vec::new());
        let (flags, cost, failed) = (Vec::new(), None, None);
        let (at, redactions) = (moment(), 0);
        Self { key, ask, said, served, flags, cost, model, run, round, at, notes, redactions, failed }
    }
}

/// The line of a turn, and what is to be booked for it. A turn that came to nothing is written down, too, for whoever
/// wants to know how it really was.
pub(super) fn written(heard: Result<Heard, NoTurn>, blank: TurnLine) -> (TurnLine, Charge) {
    match heard {
        Ok(Heard { said, charged, model, notes, redactions }) => {
            (TurnLine { said, cost: charged.money, model, notes, redactions, ..blank }, charged)
        }
        Err(why) => {
            let (served, flags) = (Vec::new(), Vec::new());
            (TurnLine { failed: Some(why), served, flags, ..blank }, Charge::default())
        }
    }
}

/// The time that turns are told by.
fn moment() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_microsecond()).unwrap_or_default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_first(round: &u32) -> bool {
    *round == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What of a line tells how many secrets were taken out.
#[derive(Deserialize)]
struct Redacted {
    #[serde(default)]
    run: String,
    #[serde(default)]
    redactions: u64,
}

/// How many secrets earlier lives of a run have taken out of what they sent.
pub(super) fn redacted_before(investigation: &Investigation, run: &str) -> u64 {
    let lines = investigation.turns::<Redacted>();
    lines.into_iter().filter(|line| line.run == run).map(|line| line.redactions).sum()
}

/// Where the conversation of a pass is kept: no path in a target begins so.
pub(crate) fn place_of(pass: Pass) -> RelPath {
    RelPath::from(format!("/{}", pass.word()).as_str())
}

/// What an earlier life of a directory had said and heard.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    opening: Option<Opening>,
    messages: Vec<Message>,
    turns: u32,
    paid_before: u32,
    nonce: Option<String>,
    /// What was shown: first to earlier looks at the same content, and so many pieces; then in this conversation.
    inherited: usize,
    served: Vec<Served>,
    /// What was flagged in this conversation.
    flags: Vec<Flag>,
    /// What was noted of its files.
    files: BTreeMap<RelPath, FileEntry>,
    /// What was used in the run that goes on; what an earlier one used is booked there.
    usage: Usage,
    cost: Option<Money>,
}

impl Recalled {
    /// The conversation that a transcript ends with, if it is about the same content. What `run` did not pay itself,
    /// an earlier run did. A second look remembers what a first one was shown, and nothing of what was said.
    pub(super) fn from_lines(lines: Vec<TurnLine>, key: ContentHash, run: &str, round: u32) -> Self {
        let mut recalled = Self::default();
        let mut shown = Vec::new();
        for line in lines.into_iter().filter(|line| line.failed.is_none()) {
            let is_other = line.round != round || (0 < round && line.run != run);
            if is_other {
                if line.key == key && 0 < round {
                    shown.extend(line.served);
                }
                continue;
            }
            if line.key != key || line.ask.turn == 1 {
                recalled = Self::default();
            }
            if line.key != key || line.ask.turn != recalled.turns + 1 {
                continue;
            }
            recalled.turns = line.ask.turn;
            recalled.opening = line.ask.opening.or(recalled.opening);
            if let Some(through) = line.ask.compact_before {
                luminos_agent::compact(&mut recalled.messages, through);
            }
            recalled.messages.push(Message::User(line.ask.new));
            recalled.messages.push(Message::Assistant(line.said.content));
            recalled.served.extend(line.served);
            recalled.flags.extend(line.flags);
            if line.run == run {
                recalled.usage = recalled.usage + line.said.usage;
                recalled.cost = plus(recalled.cost, line.cost);
            } else {
                recalled.paid_before += 1;
            }
            recalled.nonce.get_or_insert(line.run);
        }
        recalled.inherited = shown.len();
        recalled.served = shown.into_iter().chain(recalled.served).collect();
        recalled
    }

    /// With what was noted of the files, if anything was said of them in the conversation that goes on.
    pub(super) fn with_files(mut self, round: u32, noted: impl FnOnce() -> Vec<FileEntry>) -> Self {
        if 0 < self.turns || 0 < round {
            self.files = noted().into_iter().map(|entry| (entry.relative_path.clone(), entry)).collect();
        }
        self
    }

    /// With what an older program had flagged in a conversation that goes on: it did not say so in the conversation.
    pub(super) fn with_flags(mut self, kept_beside: impl FnOnce() -> Vec<Flag>) -> Self {
        if 0 < self.turns && self.flags.is_empty() {
            self.flags = kept_beside();
        }
        self
    }

    /// What its calls used.
    pub(super) fn used(&self) -> (Tokens, Option<Money>) {
        (self.usage.total(), self.cost)
    }
}

/// What was shown of a directory's own files.
fn seen_of(scan: &Scan, dir: DirId, work: &Loop) -> Coverage {
    let files = scan.files_of(dir).filter(|file| scan.file(*file).kind == Kind::File);
    let files = files.map(|file| (scan.file_path(file), scan.file(file).size));
    let unreadable = u64::from(scan.dir(dir).unreadable);
    Coverage { unreadable, ..coverage(files, &work.served, &work.symbols) }
}

/// What most files of a directory are good for; of its whole subtree where it has none of its own.
fn dominant_category(scan: &Scan, dir: DirId) -> Category {
    let mut counts = [0_u64; Category::ALL.len()];
    let record = scan.dir(dir);
    let dirs = if record.own_files == 0 { dir.0..record.subtree_end } else { dir.0..dir.0 + 1 };
    for file in dirs.flat_map(|dir| scan.files_of(DirId(dir))) {
        counts[scan.file(file).category as usize] += 1;
    }
    let most = Category::ALL.into_iter().rev().max_by_key(|category| counts[*category as usize]);
    most.unwrap_or_default()
}

/// How a directory ended for which there is no report of whoever was asked.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    /// Why.
    pub(super) reason: String,
    /// The same without the details, where a conversation ended.
    pub(super) end: Option<EndKind>,
    /// What the analyst wrote of it instead.
    pub(super) filled_in: Option<FilledIn>,
}

/// The entry of a directory. Its digest is for whoever has all of it to add.
pub(super) fn entry(
    scan: &Scan,
    work: &Loop,
    report: DirReport,
    ending: Option<Ending>,
    (at, run): (Stamp, &str),
) -> DirEntry {
    let path = scan.dir_path(work.dir);
    let place = scan.root.join(OsStr::from_bytes(path.as_bytes()));
    let children = scan.children_of(work.dir).count() as u64;
    DirEntry {
        opening: report.opening,
        facts: report.facts,
        format: ENTRY_FORMAT,
        path: Untrusted::new(place.as_os_str().as_encoded_bytes()).for_terminal(),
        relative_path: path,
        child_count: u64::from(scan.dir(work.dir).own_files) + children,
        summary: cut_summary(report.summary),
        dominant_category: dominant_category(scan, work.dir),
        cached_at: at,
        notable_files: report.notable_files,
        confidence: report.confidence,
        confidence_reason: report.confidence_reason,
        completeness: report.completeness,
        coverage: seen_of(scan, work.dir, work),
        claims: report.claims,
        flags: work.flags.clone(),
        reads: compact(work.served.clone()),
        partial: ending.is_some(),
        filled_in: ending.as_ref().and_then(|ending| ending.filled_in),
        partial_end: ending.as_ref().and_then(|ending| ending.end),
        partial_reason: ending.map(|ending| ending.reason),
        corrections: report.corrections,
        content_hash: Some(scan.dir(work.dir).hash),
        key: Some(work.key),
        digest: None,
        epoch: work.job.epoch,
        run: run.to_owned(),
    }
}
