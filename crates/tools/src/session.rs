//! The tools in the hands of one loop: what it may call, what was shown to it, what it wants done.
//!
//! A session answers every call. What is wrong with one is told in the answer, in words that help; nothing a model
//! can send makes it fail. It writes nothing: entries, flags and wishes are handed to the loop as effects.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use luminos_core::flag::Flag;
use luminos_core::proof::{Served, ToolCallId};
use luminos_core::secrets::{self, Secret, TextKind};
use luminos_core::talk::{Arguments, ToolCall, ToolSpec};
use luminos_core::{Fence, RelPath, Untrusted, is_secret_file};

use crate::blobs::{Blobs, Encoding, Facts};
use crate::parse_structure::Outlines;
use crate::read_cache::Entries;
use crate::root::{Opened, Root};
use crate::run_command::Commands;
use crate::submission::{DirReport, Submission};
use crate::toolbox::{self, Checked, Corrections, Deed, Offer, Ready, Scope, Unfit};
use crate::write_cache::{self, EntryDraft};

mod limits;
#[cfg(test)]
mod tests;

pub use limits::Limits;

/// What comes of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Something for the model to read.
    Result {
        /// What it reads.
        text: String,
        /// Whether the tool failed.
        failed: bool,
        /// What the loop must see to.
        effects: Vec<Effect>,
        /// What of the target was shown.
        served: Vec<Served>,
    },
    /// What the pass has waited for. Nothing more is taken until [`Session::reopen`].
    Submit {
        /// It.
        submission: Submission,
        /// What had to be changed before it could be read.
        corrections: Corrections,
    },
}

/// What a loop must see to after a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Keep an entry.
    Entry(EntryDraft),
    /// Raise a flag.
    Flag(Flag),
    /// Keep what could be read of a report that was sent back: better than nothing, if no other comes.
    Leftover(Box<DirReport>),
    /// Ask the budget for more.
    RequestTurns {
        /// How many.
        turns: u32,
        /// What for.
        reason: String,
    },
    /// Keep in sight when the conversation is shortened.
    Checkpoint {
        /// What is known.
        learned: String,
        /// What is not.
        still_unknown: String,
        /// What comes next.
        next_phase: String,
    },
}

/// What a tool gives: an answer, or a sentence that says why there is none.
pub(crate) type Reply = Result<Done, String>;

/// An answer.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) text: String,
    pub(crate) effects: Vec<Effect>,
    pub(crate) served: Vec<Served>,
}

impl Done {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn with(mut self, effect: Effect) -> Self {
        self.effects.push(effect);
        self
    }
}

/// What becomes of files that keep secrets, by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// They can be listed, and what is in them is not shown.
    Withheld,
    /// They are files like others.
    Shown,
}

/// Says what a file is, by its first bytes and its size.
pub type Describe = fn(&[u8], u64) -> String;

/// The tools in the hands of one loop.
pub struct Session {
    scope: Scope,
    root: Option<Arc<Root>>,
    dir: RelPath,
    fence: Fence,
    pub(crate) limits: Limits,
    skip: Vec<String>,
    pub(crate) secrets: Secrets,
    pub(crate) commands: Option<Arc<dyn Commands>>,
    pub(crate) outlines: Option<Arc<dyn Outlines>>,
    pub(crate) entries: Option<Arc<dyn Entries>>,
    pub(crate) describe: Option<Describe>,
    pub(crate) blobs: Blobs,
    calls: usize,
    ids: HashSet<String>,
    is_over: bool,
}

impl Session {
    /// The session of a pass that sees no files.
    pub fn new(scope: Scope, fence: Fence, limits: Limits) -> Self {
        Self {
            scope,
            root: None,
            dir: RelPath::root(),
            fence,
            blobs: Blobs::new(limits.hash_bytes),
            limits,
            skip: Vec::new(),
            secrets: Secrets::Withheld,
            commands: None,
            outlines: None,
            entries: None,
            describe: None,
            calls: 0,
            ids: HashSet::new(),
            is_over: false,
        }
    }

    /// Lets it see a target, from one of its directories.
    pub fn in_directory(mut self, root: Arc<Root>, dir: RelPath) -> Self {
        self.root = Some(root);
        self.dir = dir;
        self
    }

    /// Lets it run programs. Without, `run_command` is not offered.
    pub fn with_commands(mut self, commands: Arc<dyn Commands>) -> Self {
        self.commands = Some(commands);
        self
    }

    /// Says what becomes of files that keep secrets. They are withheld unless this says otherwise.
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Lets it show outlines.
    pub fn with_outlines(mut self, outlines: Arc<dyn Outlines>) -> Self {
        self.outlines = Some(outlines);
        self
    }

    /// Lets it look up entries.
    pub fn with_entries(mut self, entries: Arc<dyn Entries>) -> Self {
        self.entries = Some(entries);
        self
    }

    /// Lets it say what binary files are.
    pub fn with_describer(mut self, describe: Describe) -> Self {
        self.describe = Some(describe);
        self
    }

    /// Leaves tools out. What submits stays, and unknown names do no harm.
    pub fn without_tools(mut self, skip: Vec<String>) -> Self {
        self.skip = skip;
        self
    }

    /// The tools, as the model gets to see them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        toolbox::specs(self.scope, &self.offer())
    }

    /// Tells that the model has the word again: calls are counted anew.
    pub fn begin_turn(&mut self) {
        self.calls = 0;
        self.ids.clear();
    }

    /// Takes calls again after something was submitted and sent back.
    pub fn reopen(&mut self) {
        self.is_over = false;
    }

    /// Answers a call.
    pub fn call(&mut self, call: &ToolCall) -> Outcome {
        match self.answer(call) {
            Ok(Answer::Submission(submission, corrections)) => {
                self.is_over = true;
                Outcome::Submit { submission, corrections }
            }
            Ok(Answer::Done(done)) => {
                let Done { text, effects, served } = done;
                Outcome::Result { text: self.capped(text), failed: false, effects, served }
            }
            Ok(Answer::Leftover(why, report)) => Outcome::Result {
                text: self.capped(why),
                failed: true,
                effects: vec![Effect::Leftover(report)],
                served: Vec::new(),
            },
            Err(why) => Outcome::Result {
                text: self.capped(why),
                failed: true,
                effects: Vec::new(),
                served: Vec::new(),
            },
        }
    }

    fn answer(&mut self, call: &ToolCall) -> Result<Answer, String> {
        let name = shown_name(&call.name);
        if self.is_over {
            return Err(format!("`{name}` was not run: the work was already submitted."));
        }
        let tool = self.find(&call.name);
        // What was worked for counts however many calls stand beside it, and whatever they are called.
        let is_submission = tool.as_ref().is_ok_and(|tool| matches!(tool.deed, Deed::Submit(_)));
        self.calls += usize::from(!is_submission);
        let most = self.limits.calls_per_turn;
        if most < self.calls && !is_submission {
            return Err(format!(
                "`{name}` was not run: only {most} calls are taken in one turn. Call it again."
            ));
        }
        if !self.ids.insert(call.id.clone()) && !is_submission {
            return Err(format!("`{name}` was not run: another call of this turn has the same id."));
        }
        let tool = tool?;
        let not_run = |why: String| format!("`{name}` was not run. {why}");
        if let Arguments::Object(object) = &call.arguments
            && let Some(why) = write_cache::carries_contents(object)
        {
            return Err(not_run(why));
        }
        let Checked { value, corrections } = match toolbox::checked(tool, &call.arguments) {
            Ok(checked) => checked,
            Err(Unfit { why, readable }) => {
                return match readable.and_then(|readable| leftover(tool, *readable)) {
                    Some(report) => Ok(Answer::Leftover(not_run(why), report)),
                    None => Err(not_run(why)),
                };
            }
        };
        let misread =
            |why: String| not_run(format!("The arguments do not fit: {why}. {}", tool.takes.usage()));
        match tool.deed {
            Deed::Submit(take) => Ok(Answer::Submission(take(value).map_err(misread)?, corrections)),
            Deed::Run(run) => {
                let id = ToolCallId(call.id.clone());
                let mut done = run(self, value, &id).map_err(misread)??;
                done.text.push_str(&corrections.words());
                Ok(Answer::Done(done))
            }
        }
    }

    fn offer(&self) -> Offer<'_> {
        Offer { run_command: self.commands.is_some(), skip: &self.skip }
    }

    fn find(&self, name: &str) -> Result<&'static Ready, String> {
        let offer = self.offer();
        let mut offered = toolbox::offered(self.scope, &offer);
        if let Some(tool) = offered.find(|tool| tool.spec.name == name) {
            return Ok(tool);
        }
        let names: Vec<&str> =
            toolbox::offered(self.scope, &offer).map(|tool| tool.spec.name.as_str()).collect();
        let near = toolbox::nearest(name, names.iter().copied());
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let name = shown_name(name);
        Err(format!("There is no tool `{name}` here.{near} There are: {}.", names.join(", ")))
    }

    /// The last resort: tools see to it themselves that what they cut can be read on.
    fn capped(&self, mut text: String) -> String {
        let most = self.limits.result_bytes;
        if most < text.len() {
            let length = text.len();
            text.truncate(text.floor_char_boundary(most.saturating_sub(64)));
            text.push_str(&format!("\n[cut: {length} bytes in all]"));
        }
        text
    }

    /// The directory this loop is about.
    pub fn dir(&self) -> &RelPath {
        &self.dir
    }

    /// The target, where it can be seen.
    pub fn target(&self) -> Option<Arc<Root>> {
        self.root.clone()
    }

    pub(crate) fn root(&self) -> Result<&Arc<Root>, String> {
        self.root.as_ref().ok_or_else(|| "Files cannot be seen in this pass.".to_owned())
    }

    /// The path that a model means.
    pub(crate) fn path(&self, word: &str) -> Result<RelPath, String> {
        RelPath::from_word(word).ok_or_else(|| {
            "A path that begins with `hex:` needs pairs of hexadecimal digits, as list_directory shows them."
                .to_owned()
        })
    }

    /// The path that a model means, by its proper name, if there is something at it.
    pub(crate) fn existing(&self, word: &str) -> Result<RelPath, String> {
        let path = self.path(word)?;
        match &self.root {
            Some(root) => root.look(&path).map(|(_, name)| name).map_err(|refused| refused.to_string()),
            None => Ok(path),
        }
    }

    /// Whether what is in the file at a path may be shown, if there is one. A link counts for what it leads to.
    pub(crate) fn may_show_at(&self, path: &RelPath) -> Result<(), String> {
        match self.root()?.file(path) {
            Ok(opened) => self.may_show(&opened),
            Err(_) => Ok(()),
        }
    }

    /// Whether what is in a file may be shown, by its proper name and by any other name that it has in the target.
    pub(crate) fn may_show(&self, opened: &Opened) -> Result<(), String> {
        if self.secrets == Secrets::Shown || !self.keeps_secrets(opened) {
            return Ok(());
        }
        let name = opened.name.for_terminal();
        let why = match is_secret_file(&opened.name) {
            true => format!("`{name}` keeps secrets, by its name"),
            false => format!("`{name}` is a file that has another name, too, by which it keeps secrets"),
        };
        Err(format!(
            "{why}: it can be listed, but what is in it is not shown. Say that it is there, and go on without it. (Whoever \
             runs Luminos can allow it with --include-secrets.)"
        ))
    }

    /// Whether a file keeps secrets by any name that it has in the target.
    pub(crate) fn keeps_secrets(&self, opened: &Opened) -> bool {
        self.root.as_ref().is_some_and(|root| root.keeps_secrets(opened))
    }

    /// The secrets of a file that touch a range of its bytes. None are masked in one that whoever runs it wants to be shown.
    pub(crate) fn secrets(
        &mut self,
        opened: &Opened,
        encoding: Encoding,
        range: Range<u64>,
    ) -> Result<Arc<Vec<Secret>>, String> {
        if self.secrets == Secrets::Shown && self.keeps_secrets(opened) {
            return Ok(Arc::default());
        }
        let found = self.blobs.secrets(opened, encoding, range);
        found.map_err(|error| format!("It could not be read: {error}."))
    }

    /// What is known of a file as a whole.
    pub(crate) fn facts(&mut self, opened: &Opened) -> Result<Arc<Facts>, String> {
        self.blobs
            .facts(&opened.file, &opened.stamp)
            .map_err(|error| format!("It could not be read: {error}."))
    }

    /// Bytes of the target between the marks that say so. What is a secret by its form goes by here in no case, whatever
    /// tool shows it; tools that know the file have masked more. Where files that keep secrets may be shown, theirs do.
    pub(crate) fn quoted(&self, bytes: &[u8], label: &str) -> String {
        let is_masked = self.secrets == Secrets::Withheld;
        let redaction = is_masked.then(|| secrets::redact(bytes, TextKind::Other)).flatten();
        let bytes = redaction.as_ref().map_or(bytes, |redaction| &redaction.bytes);
        Untrusted::new(bytes).for_prompt(label, &self.fence)
    }

    /// As many bytes as fit between the marks, and how many those are. Cut where a line ends if that is near, and never
    /// inside a character.
    pub(crate) fn fitted(&self, bytes: &[u8], label: &str, room: usize) -> (usize, String) {
        let mut take = bytes.len().min(room);
        loop {
            take = cut_near(bytes, take);
            let text = self.quoted(&bytes[..take], label);
            if text.len() <= room || take == 0 {
                return (take, text);
            }
            // What must be made visible grows: take as much less as it grew, and a little.
            take = (take * room / text.len()).min(take - 1);
        }
    }
}

/// The end of the last line up to a place, if that is near; else the end of the last character.
fn cut_near(bytes: &[u8], place: usize) -> usize {
    if bytes.len() <= place {
        return bytes.len();
    }
    match memchr::memrchr(b'\n', &bytes[..place]) {
        Some(feed) if place / 2 < feed => feed + 1,
        Some(_) | None => char_boundary(bytes, place),
    }
}

/// What a call led to.
enum Answer {
    Done(Done),
    Submission(Submission, Corrections),
    /// A report without what makes it one: why it was not taken, and what could be read of it.
    Leftover(String, Box<DirReport>),
}

/// The claims of a report that has no summary.
fn leftover(tool: &Ready, readable: Checked) -> Option<Box<DirReport>> {
    let (Deed::Submit(take), mut value) = (tool.deed, readable.value) else { return None };
    value.as_object_mut()?.insert("summary".to_owned(), "".into());
    let Ok(Submission::Dir(report)) = take(value) else { return None };
    (!report.claims.is_empty() || !report.evidence.is_empty()).then(|| Box::new(report))
}

/// A tool's name as a model wrote it, in a length that can be told.
fn shown_name(name: &str) -> String {
    let name: String = name.chars().take(60).collect();
    Untrusted::new(name.as_bytes()).for_terminal()
}

/// The last end of a character up to a place.
pub(crate) fn char_boundary(bytes: &[u8], place: usize) -> usize {
    let mut end = place.min(bytes.len());
    if end < bytes.len() {
        // No character has more than three bytes after its first; what has is no UTF-8, and may be cut anywhere.
        let start = (end.saturating_sub(3)..=end).rev().find(|&at| bytes[at] & 0xc0 != 0x80);
        end = start.unwrap_or(end);
    }
    end
}
