//! The loop over one directory.
//!
//! It ends with a report, or with what it had already learned and what the analyst says instead; never with nothing. A report that is sent back is
//! mended on the turns that come with it, and handed in once more.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::{ENTRY_FORMAT, FileEntry, Share, Stamp};
use luminos_core::job::{
    Assignment, DirReport, DirResult, Loan, News, Opening, Reception, ToolLine, Unfinished,
};
use luminos_core::plan::Turns;
use luminos_core::scan::Category;
use luminos_core::talk::{Arguments, ToolCall};
use luminos_tools::{Effect, EntryDraft, EntryKind, Outcome, Session, Submission};

use crate::conversation::{Conversation, Deed, End, Hands, Limits};
use crate::prompt::{self, Nudges};
use luminos_core::end::EndReason;
use luminos_core::services::Services;

mod log;
mod partial;
mod report;
#[cfg(test)]
mod tests;

/// How long an answer may be, in tokens.
const MAX_OUTPUT: u32 = 8_192;
/// After so many rounds of corrections none is taken any more.
const MOST_REVISIONS: u32 = 3;
/// What ends the loop.
pub(crate) const NUDGES: Nudges = Nudges { submit: "submit_report" };

/// Investigates a directory with a model, by the tools of a session that was opened for it.
pub fn run_dir(assignment: &Assignment, session: &mut Session, services: &impl Services) -> DirResult {
    let fence = prompt::fence(&assignment.nonce);
    let opening =
        Opening { system: prompt::dir::system(&fence), tools: session.specs(), max_output: MAX_OUTPUT };
    let first = prompt::dir::task(assignment, &fence);
    investigate(assignment, opening, first, session, services)
}

/// Investigates a directory once more, because of doubts about what was found out before.
pub fn refine_dir(
    assignment: &Assignment,
    doubts: &[String],
    session: &mut Session,
    services: &impl Services,
) -> DirResult {
    let fence = prompt::fence(&assignment.nonce);
    let mut system = prompt::dir::system(&fence);
    system.insert(1, prompt::REFINE.text());
    let opening = Opening { system, tools: session.specs(), max_output: MAX_OUTPUT };
    let first =
        format!("{}\n\n{}", prompt::dir::task(assignment, &fence), prompt::dir::doubts(doubts, &fence));
    investigate(assignment, opening, first, session, services)
}

fn investigate<S: Services>(
    assignment: &Assignment,
    opening: Opening,
    first: String,
    session: &mut Session,
    services: &S,
) -> DirResult {
    let limits = Limits {
        turns: assignment.turns.0,
        used: assignment.used.0,
        context_budget: assignment.context_budget,
    };
    let mut hands = DirHands::new(assignment, session, services);
    let mut conversation = Conversation::new(services, NUDGES, opening, first, limits);
    conversation.take_up(&assignment.history, &mut hands);
    let mut revisions = 0;
    loop {
        let result = match conversation.run(&mut hands) {
            End::Submitted(report) => {
                hands.reported = Some(report.clone());
                DirResult::Reported(report)
            }
            End::Ended(reason) => return hands.give_up(&reason),
        };
        match services.done(result.clone()) {
            Reception::Revise { faults, turns } if turns.0 > 0 && revisions < MOST_REVISIONS => {
                revisions += 1;
                hands.session.reopen();
                conversation.grant(turns.0);
                conversation.say(NUDGES.revise(&faults, turns.0));
            }
            Reception::Revise { .. } | Reception::Accepted | Reception::Stale => return result,
        }
    }
}

/// What a directory's loop does with calls.
struct DirHands<'a, S> {
    assignment: &'a Assignment,
    session: &'a mut Session,
    services: &'a S,
    turn: u32,
    files: BTreeMap<RelPath, FileEntry>,
    notes: partial::Notes,
    reported: Option<DirReport>,
    /// Whether calls are only remembered, from an earlier life.
    is_silent: bool,
}

impl<'a, S: Services> DirHands<'a, S> {
    fn new(assignment: &'a Assignment, session: &'a mut Session, services: &'a S) -> Self {
        Self {
            assignment,
            session,
            services,
            turn: 0,
            files: BTreeMap::new(),
            notes: partial::Notes::default(),
            reported: None,
            is_silent: false,
        }
    }

    /// Ends without a new report: with the last one, where one was sent back, or with what was noted and what the
    /// analyst says.
    fn give_up(mut self, reason: &EndReason) -> DirResult {
        let result = match self.reported.take() {
            Some(report) => DirResult::Reported(report),
            None => DirResult::Partial(Box::new(Unfinished {
                reason: reason.to_string(),
                end: reason.kind(),
                analyst: self.ask_analyst(),
                noted: partial::noted(self.assignment, &self.files, self.notes),
            })),
        };
        let _ = self.services.done(result.clone());
        result
    }

    /// What the analyst says of the directory. Whoever is to leave everything as it is needs nothing.
    fn ask_analyst(&self) -> Option<DirReport> {
        if self.services.is_kept() {
            return None;
        }
        let noted: BTreeSet<RelPath> = self.files.keys().cloned().collect();
        let root = self.session.target()?;
        luminos_analyst::report_instead(self.assignment, &noted, &root, self.services)
    }

    fn tell(&self, news: News) {
        if !self.is_silent {
            self.services.news(news);
        }
    }

    fn tell_call(&self, call: &ToolCall, result_length: usize, failed: bool) {
        self.tell(News::Tool(ToolLine {
            turn: self.turn,
            tool: log::name(&call.name),
            args: log::arguments(&call.arguments),
            result_length: result_length as u64,
            failed,
        }));
    }

    /// Sees to what a call wants done. What comes back is said to the model instead of the tool's own words.
    fn see_to(&mut self, effect: Effect) -> Option<(String, u32)> {
        match effect {
            Effect::Entry(draft) => self.keep(draft),
            Effect::Flag(flag) => self.tell(News::Flag(flag)),
            Effect::Checkpoint { learned, .. } => self.notes.learned = Some(learned),
            Effect::Leftover(report) => {
                self.notes.leftover = Some(report::report(*report, &self.assignment.job.dir, Vec::new()));
            }
            Effect::RequestTurns { turns, reason } => return Some(self.borrow(turns, &reason)),
        }
        None
    }

    fn borrow(&self, turns: u32, reason: &str) -> (String, u32) {
        if self.is_silent {
            return (String::new(), 0);
        }
        match self.services.borrow(Turns(turns), reason) {
            Loan::Granted(Turns(0)) => (NUDGES.no_more_turns("none are free"), 0),
            Loan::Granted(granted) => (NUDGES.more_turns(granted.0), granted.0),
            Loan::Refused(why) => (NUDGES.no_more_turns(why.trim_end_matches('.')), 0),
        }
    }

    fn keep(&mut self, draft: EntryDraft) {
        let EntryDraft { kind, path, data } = draft;
        match kind {
            // The directory's own entry is made of the report. What was said before it is not lost if none comes.
            EntryKind::Dir => self.notes.learned = Some(data.summary),
            EntryKind::File => {
                let evidence = data.evidence();
                let listed = self.assignment.files.iter();
                let listed = listed.filter(|file| file.path_in(&self.assignment.job.dir) == path);
                let listed = listed.take(1).next();
                let share = |number: Option<f64>| number.and_then(Share::new);
                let entry = FileEntry {
                    facts: Vec::new(),
                    format: ENTRY_FORMAT,
                    path: String::new(),
                    relative_path: path.clone(),
                    size_bytes: listed.map_or(0, |file| file.size),
                    category: listed.map_or(Category::Unknown, |file| file.category),
                    summary: data.summary,
                    cached_at: Stamp::default(),
                    notable: data.notable.unwrap_or(data.notable_reason.is_some()),
                    notable_reason: data.notable_reason,
                    confidence: share(data.confidence),
                    confidence_reason: data.confidence_reason,
                    evidence,
                    content_hash: listed.and_then(|file| file.hash),
                };
                self.tell(News::File(Box::new(entry.clone())));
                self.files.insert(path, entry);
            }
        }
    }
}

impl<S: Services> Hands for DirHands<'_, S> {
    type Submission = DirReport;

    fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        self.session.begin_turn();
    }

    fn call(&mut self, call: &ToolCall) -> Deed<DirReport> {
        match self.session.call(call) {
            Outcome::Submit { submission: Submission::Dir(report), corrections } => {
                self.tell_call(call, 0, false);
                let words = corrections.words();
                let submission = report::report(report, &self.assignment.job.dir, corrections.lost);
                Deed::Submitted { submission, corrections: words }
            }
            Outcome::Submit { .. } => {
                self.session.reopen();
                Deed::Result {
                    text: "This is not what this loop reports.".to_owned(),
                    failed: true,
                    more_turns: 0,
                }
            }
            Outcome::Result { mut text, failed, effects, served } => {
                if !served.is_empty() {
                    self.tell(News::Served(served));
                }
                let mut more_turns = 0;
                for effect in effects {
                    if let Some((words, turns)) = self.see_to(effect) {
                        text = words;
                        more_turns += turns;
                    }
                }
                self.tell_call(call, text.len(), failed);
                Deed::Result { text, failed, more_turns }
            }
        }
    }

    fn last_words(&mut self, words: &str) {
        if !words.is_empty() {
            self.notes.last_words = Some(words.to_owned());
        }
    }

    fn remember(&mut self, call: &ToolCall) {
        let has_notes = matches!(call.name.as_str(), "write_cache" | "checkpoint" | "submit_report");
        if !has_notes || !matches!(call.arguments, Arguments::Object(_)) {
            return;
        }
        self.is_silent = true;
        self.session.begin_turn();
        if let Deed::Submitted { submission, .. } = self.call(call) {
            self.reported = Some(submission);
            self.session.reopen();
        }
        self.is_silent = false;
    }
}
