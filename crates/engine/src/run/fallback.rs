//! What happens when models cannot be asked, or not any more: a run that nobody answers ends before it has changed
//! anything, and what a model does not finish is told by the analyst.
//!
//! What an earlier run had finished with the same content is worth more than what the analyst can say: it is kept.

use luminos_core::ContentHash;
use luminos_core::RelPath;
use luminos_core::end::EndKind;
use luminos_core::entry::{DirEntry, FilledIn, LONGEST_SUMMARY};
use luminos_core::flag::Flag;
use luminos_core::job::{DirReport, JobId, Mind};
use luminos_core::judge::judge_flag;
use luminos_core::plan::Turns;
use luminos_core::proof::Served;
use luminos_core::run::{Event, Rest};
use luminos_core::scan::DirId;
use luminos_core::talk::Pass;
use luminos_core::turns::Posting;
use luminos_wire::control::RunEvent;

use super::Msg;
use super::desk::{Desk, Known};
use super::loops::{Ending, Loop};
use crate::minds::Standing;

/// In place of a model the analyst is not to run short of turns.
const ENOUGH_TURNS: Turns = Turns(1_000_000);
/// How long, at least, the analyst may go on after the time is up.
const GRACE_SECONDS: u64 = 10;
/// So many lost pieces of a submission are named.
const MOST_LOST: usize = 5;

impl Desk {
    /// Finds out whether anybody can be asked, before anything is changed.
    pub(super) fn probe(&mut self, known: Known) {
        self.waiting = Some(Box::new(known));
        let (minds, myself, line) = (self.minds.clone(), self.myself.clone(), self.lifeline("the probe"));
        let second_judge = self.second_judge;
        tokio::spawn(async move {
            let _line = line;
            let why_not = minds.probe(second_judge).await.err().map(|refused| refused.words());
            let _ = myself.cast(Msg::Probed { why_not });
        });
    }

    /// It is known whether anybody can be asked.
    pub(super) fn probed(&mut self, why_not: Option<String>) {
        let Some(known) = self.waiting.take() else { return };
        match why_not {
            None => self.take_up(*known),
            Some(reason) => {
                self.is_settled = false;
                self.feed(Event::NoModel { reason });
            }
        }
    }

    /// A call of a pass has failed for good: perhaps it is not worth asking any more.
    pub(super) fn model_failed(&mut self, pass: Pass) {
        let is_new = self.finished.is_empty() && self.limit.is_none();
        match self.minds.standing(pass) {
            Standing::Answers => {}
            Standing::NeverAnswered(reason) if is_new => self.feed(Event::NoModel { reason }),
            Standing::NeverAnswered(reason) | Standing::Gone(reason) => {
                if pass == Pass::Dir {
                    if self.limit.is_none() {
                        self.limit_end = EndKind::ModelFailed;
                    }
                    self.limit_reached(format!("the model failed: {reason}"), Rest::Analyst);
                }
            }
        }
    }

    /// Has the analyst look at a directory in place of the model, unless more is known of it.
    pub(super) fn fill_in(&mut self, dir: DirId, attempt: u32, key: ContentHash) -> Option<Event> {
        let path = self.path(dir);
        self.budget.post(Posting::Release { dir: path.clone() });
        if self.entries.get(&path).is_some_and(|entry| self.stands_for(dir, entry)) {
            let reason = self.limit.clone().unwrap_or_default();
            self.keep_earlier(&path, &reason);
            return Some(Event::Reused { dir });
        }
        let job = JobId {
            investigation: self.investigation.id().to_string(),
            dir: path.clone(),
            attempt: self.earlier.get(&path).copied().unwrap_or_default().attempt + attempt,
            epoch: self.writer.epoch(),
        };
        let work = Loop::new(dir, job.clone(), attempt, Mind::Offline, key, ENOUGH_TURNS);
        self.loops.insert(path.clone(), Loop { is_offered: true, ..work });
        self.offer(&job);
        None
    }

    /// Whether an entry of an earlier run still tells of just what lies in a directory, and tells all of it.
    pub(super) fn stands_for(&self, dir: DirId, entry: &DirEntry) -> bool {
        let content = self.scan.as_ref().map(|scan| scan.dir(dir).hash);
        let is_whole = !entry.partial || entry.filled_in.is_some_and(|part| part.noted);
        is_whole && content.is_some() && entry.content_hash == content
    }

    /// Notes that the words of an earlier run are kept.
    pub(super) fn keep_earlier(&mut self, dir: &RelPath, reason: &str) {
        self.kept_earlier.insert(dir.clone(), reason.to_owned());
    }

    /// Why the analyst works on a directory, if it does so in place of a model.
    pub(super) fn in_place_of_model(&self, work: &Loop) -> Option<String> {
        let is_so = work.mind == Mind::Offline && self.minds.mind(Pass::Dir) == Mind::Remote;
        is_so.then(|| self.limit.clone().unwrap_or_else(|| "the model was not asked".to_owned()))
    }

    /// A loop that was told to stop knows nothing of the limit that was reached.
    pub(super) fn why_it_stopped(&self, reason: String, end: EndKind) -> (String, EndKind) {
        match self.limit.clone().filter(|_| end == EndKind::Stopped) {
            Some(limit) => (limit, self.limit_end),
            None => (reason, end),
        }
    }

    /// The analyst may go on for a while after the time is up, and not for ever.
    pub(super) fn end_filling_in(&mut self) {
        let Some(seconds) = self.limits.seconds.filter(|_| self.limit.is_some() && !self.is_left_out) else {
            return;
        };
        if seconds + (seconds / 10).max(GRACE_SECONDS) <= self.started.elapsed().as_secs() {
            self.limit_reached(format!("the time limit of {seconds} s was reached"), Rest::LeftOut);
        }
    }

    /// Tells of a flag. What a model raises is held against the bytes first; `served` is what it was shown.
    pub(super) fn tell_flag(&mut self, flag: Flag, served: Option<Vec<Served>>) {
        let (Some(served), Some(library)) = (served, self.library()) else {
            // What a rule cites it has just read.
            return self.audience.tell(&RunEvent::Flag(Flag { verified: true, ..flag }));
        };
        let (myself, line) = (self.myself.clone(), self.lifeline("the judge"));
        tokio::task::spawn_blocking(move || {
            let _line = line;
            let mut flag = flag;
            let dir = flag.directory.clone();
            judge_flag(&mut flag, &served, &mut library.of(&dir));
            let _ = myself.cast(Msg::Flagged(Box::new(flag)));
        });
    }

    /// Something of what a pass submitted could not be read.
    pub(super) fn lost_of_pass(&mut self, what: &'static str, lost: &[String]) {
        let note = format!("what the model submitted as {what} was read as far as possible: {}", some(lost));
        if !self.degraded.contains(&note) {
            self.degraded.push(note);
        }
    }

    /// Which investigation `show` finds after a run that came to nothing: the one that it found before.
    pub(super) fn restore_current(&self) {
        if let Some(before) = self.current_before {
            self.watch(self.writer.set_current(&self.meta.target, before));
        }
    }
}

/// What was lost, the first of it named.
pub(super) fn some(lost: &[String]) -> String {
    let named = lost.iter().take(MOST_LOST).cloned().collect::<Vec<_>>().join("; ");
    match lost.len().saturating_sub(MOST_LOST) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}

/// How a directory ended that the analyst looked at in place of the model.
pub(super) fn filled_in(reason: String, end: EndKind, report: &DirReport, noted: bool) -> Ending {
    let filled_in = Some(FilledIn { claims: report.claims.len() as u64, noted });
    Ending { reason, end: Some(end), filled_in }
}

/// What the analyst says of a directory, and what the model had noted before it ended.
pub(super) fn completed(noted: DirReport, analyst: DirReport, why: Ending) -> (DirReport, Ending) {
    let has_notes = !noted.summary.is_empty() || !noted.claims.is_empty();
    let end = why.end.unwrap_or(EndKind::Limit);
    let ending = filled_in(why.reason, end, &analyst, has_notes);
    let mut summary = analyst.summary;
    if !noted.summary.is_empty() {
        summary.push_str("\n\nWhat the model had noted before it ended: ");
        summary.push_str(&noted.summary);
    }
    summary.truncate(summary.floor_char_boundary(LONGEST_SUMMARY));
    let claims = noted.claims.into_iter().chain(analyst.claims).collect();
    (DirReport { summary, claims, corrections: noted.corrections, ..analyst }, ending)
}
