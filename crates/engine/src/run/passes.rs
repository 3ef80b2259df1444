//! Survey, plan, revision and synthesis: short conversations of the whole, or rules of the embedded analyst.
//!
//! They run on threads of their own and may fail; the run goes on without. What a model said in them is journalled
//! before it is acted on, so a run that died in the middle of a pass pays nothing twice.

use std::sync::{Arc, Mutex, PoisonError};

use crate::experience::experience;
use luminos_core::entry::DirEntry;
use luminos_core::evaluation::Evaluation;
use luminos_core::experience::Experience;
use luminos_core::job::{Ask, Mind, NoTurn, Opening, Said};
use luminos_core::plan::{Dirs, Revision};
use luminos_core::scan::Scan;
use luminos_core::services::Answers;
use luminos_core::talk::{Message, Pass, Request};
use luminos_core::turns::Account;
use luminos_core::whole::{DirSoFar, DirState, Material, Synthesis, Whole};
use luminos_core::{RelPath, TargetKind};
use luminos_store::{Fence, Investigation, Revised, StoredPlan, Writer};
use ractor::ActorRef;
use sha2::{Digest as _, Sha256};

use super::Msg;
use super::desk::Desk;
use super::loops::{TurnLine, place_of, written};
use super::turns::not_kept;
use crate::minds::{Asked, Minds};

/// What a pass of the whole works with.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) scan: Arc<Scan>,
    pub(super) kind: TargetKind,
    pub(super) name: String,
    pub(super) nonce: String,
    pub(super) minds: Minds,
    pub(super) investigation: Investigation,
    pub(super) writer: Writer,
    pub(super) run: ActorRef<Msg>,
    /// Whether what was said before a crash may be used again.
    pub(super) is_resumed: bool,
    /// Passes that had come to their end, and whose document was lost. What was said in them counts, whatever would be asked
    /// in them now.
    pub(super) lost: Vec<Pass>,
}

impl Table {
    pub(super) fn whole(&self, pass: Pass) -> Whole<'_> {
        let context_budget = self.minds.context_budget(pass);
        Whole { name: &self.name, scan: &self.scan, kind: self.kind, nonce: &self.nonce, context_budget }
    }

    /// The line to the model of a pass. Must be made inside the runtime, and used outside of it.
    fn line(&self, pass: Pass) -> PassLine {
        let place = place_of(pass);
        let remembered = if self.is_resumed {
            let found = self.investigation.transcript::<TurnLine>(&place);
            let lines = found.map(luminos_store::Records::into_bodies).unwrap_or_default();
            lines.into_iter().filter(|line| line.failed.is_none()).collect()
        } else {
            Vec::new()
        };
        PassLine {
            table: self.clone(),
            pass,
            place,
            runtime: tokio::runtime::Handle::current(),
            said: Mutex::new(Conversation { opening: None, messages: Vec::new(), next: None }),
            remembered,
            is_lost: self.lost.contains(&pass),
        }
    }
}

struct Conversation {
    opening: Option<Opening>,
    messages: Vec<Message>,
    /// Where the next answer stands among those that are remembered, as long as everything was the same so far.
    next: Option<usize>,
}

/// The line of a pass to its model.
struct PassLine {
    table: Table,
    pass: Pass,
    place: RelPath,
    runtime: tokio::runtime::Handle,
    said: Mutex<Conversation>,
    remembered: Vec<TurnLine>,
    /// Whether this pass is not made, but found again.
    is_lost: bool,
}

impl Answers for PassLine {
    fn turn(&self, ask: Ask) -> Result<Said, NoTurn> {
        let mut conversation = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        // A pass may hold several conversations, one after the other.
        if let Some(opening) = &ask.opening {
            conversation.opening = Some(opening.clone());
            conversation.messages.clear();
            conversation.next = self.remembered.iter().rposition(|line| self.is_said_to(line, &ask));
        }
        if let Some(through) = ask.compact_before {
            luminos_agent::compact(&mut conversation.messages, through);
        }
        conversation.messages.push(Message::User(ask.new.clone()));
        let known = conversation.next.and_then(|next| self.remembered.get(next));
        let said = match known.filter(|line| self.is_said_to(line, &ask)) {
            Some(line) => line.said.clone(),
            None => {
                conversation.next = None;
                self.ask(&conversation, ask)?
            }
        };
        conversation.next = conversation.next.map(|next| next + 1);
        conversation.messages.push(Message::Assistant(said.content.clone()));
        Ok(said)
    }

    fn tell_lost(&self, lost: &[String]) {
        let what = match self.pass {
            Pass::Survey => "the survey",
            Pass::Plan => "the plan",
            Pass::Synthesis => "the report on the whole",
            Pass::Dir | Pass::Judge | Pass::Tasks | Pass::Evolution | Pass::Ask => "an answer",
        };
        let _ = self.table.run.cast(Msg::Lost { what, lost: lost.to_vec() });
    }
}

impl PassLine {
    /// Whether a line answers a question.
    fn is_said_to(&self, line: &TurnLine, ask: &Ask) -> bool {
        let tools = |ask: &Ask| {
            let tools = ask.opening.iter().flat_map(|opening| &opening.tools);
            tools.map(|tool| tool.name.clone()).collect::<Vec<String>>()
        };
        line.ask == *ask || (self.is_lost && line.ask.turn == ask.turn && tools(&line.ask) == tools(ask))
    }

    fn ask(&self, conversation: &Conversation, ask: Ask) -> Result<Said, NoTurn> {
        let Some(opening) = &conversation.opening else {
            return Err(NoTurn::ModelFailed("the conversation was never opened".to_owned()));
        };
        let request = Request {
            pass: self.pass,
            system: opening.system.clone(),
            messages: conversation.messages.clone(),
            tools: opening.tools.clone(),
            output: None,
            stop_sequences: Vec::new(),
            max_output: opening.max_output,
        };
        let Table { minds, investigation, writer, .. } = &self.table;
        let id = call_of(investigation, &self.place, minds.name(self.pass), &request);
        let question = Asked { pass: self.pass, place: &self.place, ask: &ask, round: 0 };
        let heard = self.runtime.block_on(minds.turn(question, request, id.clone()));
        let (key, run) = (self.table.scan.content_hash(), self.table.nonce.clone());
        let (line, _) = written(heard, TurnLine::blank(key, ask, Vec::new(), run, 0));
        let kept = investigation.append_turn(writer, &self.place, None, &line).wait();
        kept.map_err(|error| not_kept(error, &self.table.run))?;
        minds.journalled(&id);
        line.failed.map_or(Ok(line.said), Err)
    }
}

/// The name of a call of a pass: the same question of the same run to the same model is the same call, also after a death.
pub(super) fn call_of(
    investigation: &Investigation,
    place: &RelPath,
    model: &str,
    request: &Request,
) -> String {
    // Its messages are all that differs between questions of one place.
    let mut hash = Sha256::new();
    for part in
        [&serde_json::to_vec(&request.system), &serde_json::to_vec(&request.messages)].into_iter().flatten()
    {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let question = luminos_core::ContentHash(hash.finalize().into());
    format!("{}/{}/{model}/{question}", investigation.id(), place.to_word())
}

/// A directory and its entry, if it is done.
type SoFar = (DirSoFar, Option<Arc<DirEntry>>);

/// Names of the tools that loops over directories have.
const DIR_TOOLS: &[&str] = &[
    "read_file",
    "list_directory",
    "run_command",
    "parse_structure",
    "search",
    "write_cache",
    "think",
    "checkpoint",
    "flag",
    "request_turns",
];

impl Desk {
    /// Makes a survey, or takes the one there is.
    pub(super) fn survey(&mut self) {
        let Some(table) = self.table() else { return };
        let stored = if self.refresh_plan { None } else { self.investigation.survey().ok().flatten() };
        let myself = self.myself.clone();
        if let Some(survey) = stored {
            let _ = myself.cast(Msg::Surveyed { survey: Some(survey), note: None });
            return;
        }
        let line = table.line(Pass::Survey);
        let lifeline = self.lifeline("the survey");
        tokio::task::spawn_blocking(move || {
            let _lifeline = lifeline;
            let made = match table.minds.mind(Pass::Survey) {
                Mind::Offline => Ok(luminos_analyst::survey(&table.whole(Pass::Survey))),
                Mind::Remote => luminos_agent::survey(&table.whole(Pass::Survey), DIR_TOOLS, &line),
            };
            let (survey, note) = match made {
                Ok(survey) => (Some(survey), None),
                Err(reason) => (None, Some(format!("there is no survey: {reason}"))),
            };
            if let Some(survey) = &survey {
                keep(table.investigation.put_survey(&table.writer, survey).wait(), &myself);
            }
            let _ = myself.cast(Msg::Surveyed { survey, note });
        });
    }

    /// Makes a plan, or takes the one there is.
    pub(super) fn plan(&mut self) {
        let Some(table) = self.table() else { return };
        let myself = self.myself.clone();
        let stored = if self.refresh_plan { None } else { self.investigation.plan().ok().flatten() };
        if let Some(mut stored) = stored {
            if !table.is_resumed {
                // What an earlier run planned for directories that have been removed since is no news.
                let dirs = Dirs::of(&table.scan);
                stored.plan.retain_named(|path| dirs.find(path).is_some());
            }
            let plan = Some(stored.plan.clone());
            let _ = myself.cast(Msg::Planned { plan, stored: Some(Box::new(stored)), note: None });
            return;
        }
        let survey = self.run.survey().cloned();
        let cached: Vec<RelPath> = self.entries.keys().cloned().collect();
        let store = self.store.clone();
        let line = table.line(Pass::Plan);
        let clock = self.clock;
        let lifeline = self.lifeline("the plan");
        let waits = myself.clone();
        let told = move |holder| drop(waits.cast(Msg::WaitsToPlan { holder }));
        let work = Box::new(move |fence| {
            let _lifeline = lifeline;
            let fence = match fence {
                Ok(fence) => fence,
                Err(error) => {
                    let note = Some(format!("there is no plan: {error}"));
                    let _ = myself.cast(Msg::Planned { plan: None, stored: None, note });
                    return;
                }
            };
            let whole = table.whole(Pass::Plan);
            let mind = table.minds.mind(Pass::Dir);
            let experience = match table.minds.recordings() {
                Some(recordings) => recordings.experience(mind),
                None => experience(&store, &table.investigation, mind),
            };
            let made = match table.minds.mind(Pass::Plan) {
                Mind::Offline => Ok(luminos_analyst::plan(&whole, &experience)),
                Mind::Remote => {
                    let learned = learned(&table.investigation, &experience);
                    luminos_agent::plan(&whole, survey.as_ref(), &cached, &learned, &line)
                }
            };
            let (plan, note) = match made {
                Ok(plan) => (Some(plan), None),
                Err(reason) => (None, Some(format!("there is no plan: {reason}"))),
            };
            let stored =
                plan.clone().map(|plan| StoredPlan { fence, plan, revisions: Vec::new(), made: clock() });
            if let Some(stored) = &stored {
                keep(table.investigation.put_plan(&table.writer, stored).wait(), &myself);
            }
            let _ = myself.cast(Msg::Planned { plan, stored: stored.map(Box::new), note });
        });
        self.planner.plan_telling(work, told);
    }

    /// Lets the planner see how it goes.
    pub(super) fn revise(&mut self) {
        let Some(table) = self.table() else { return };
        let survey = self.run.survey().cloned();
        let (so_far, done) = self.so_far();
        let (myself, planner, budget) = (self.myself.clone(), self.planner.clone(), self.budget.clone());
        let (stored, clock) = (self.stored_plan.clone(), self.clock);
        let line = table.line(Pass::Plan);
        let lifeline = self.lifeline("the revision of the plan");
        tokio::spawn(async move {
            let lifeline = lifeline;
            let mut complete = Vec::with_capacity(so_far.len());
            for (mut dir, entry) in so_far {
                if let Some(entry) = entry {
                    dir.state = done_state(&entry, budget.account(dir.path.clone()).await);
                }
                complete.push(dir);
            }
            planner.plan(Box::new(move |fence| {
                let _lifeline = lifeline;
                let revision = fence.ok().and_then(|fence| {
                    let made = match table.minds.mind(Pass::Plan) {
                        Mind::Offline => Ok(luminos_analyst::revise(&complete)),
                        Mind::Remote => {
                            luminos_agent::revise(&table.whole(Pass::Plan), survey.as_ref(), &complete, &line)
                        }
                    };
                    made.ok().filter(|revision| !revision.moves.is_empty()).map(|revision| (fence, revision))
                });
                let (revision, stored) = match (revision, stored) {
                    (Some((fence, revision)), Some(stored)) => {
                        let when = (done, clock(), table.nonce.clone());
                        let stored = revised(*stored, fence, &revision, when);
                        keep(table.investigation.put_plan(&table.writer, &stored).wait(), &myself);
                        (Some(revision), Some(Box::new(stored)))
                    }
                    (revision, _) => (revision.map(|(_, revision)| revision), None),
                };
                let _ = myself.cast(Msg::Revised { revision, stored });
            }));
        });
    }

    /// Where each directory stands, with its entry if it is done; and how many are.
    fn so_far(&self) -> (Vec<SoFar>, u64) {
        let Some((schedule, dirs)) = self.run.schedule() else { return (Vec::new(), 0) };
        let mut done = 0;
        let all = dirs.ids().filter(|dir| schedule.of(*dir).is_investigated()).map(|dir| {
            let path = dirs.path(dir).clone();
            let allocation = schedule.of(dir);
            let entry =
                if self.finished.contains_key(&dir) { self.entries.get(&path).cloned() } else { None };
            done += u64::from(entry.is_some());
            let state = if self.loops.contains_key(&path) { DirState::Running } else { DirState::Waiting };
            (DirSoFar { path, tier: allocation.tier, allocated: allocation.turns, state }, entry)
        });
        (all.collect(), done)
    }
}

/// What earlier runs learned, in words for the planner: of this target, and of others.
fn learned(own: &Investigation, experience: &Experience) -> String {
    let mut lines = Vec::new();
    if let Some(evaluation) = own.evaluation::<Evaluation>().ok().flatten() {
        let mut rows: Vec<_> = evaluation.per_directory.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.turns_used));
        lines.extend(rows.iter().take(40).map(|row| {
            let path = row.dir.for_terminal();
            let (used, given) = (row.turns_used.0, row.turns_allocated.0);
            format!("{path}: {used} turns used of {given}, coverage {}", row.coverage)
        }));
    }
    lines.extend(experience.lines().into_iter().take(40));
    lines.join("\n")
}

fn done_state(entry: &DirEntry, account: Account) -> DirState {
    DirState::Done {
        used: account.used,
        borrowed: account.borrowed,
        coverage: entry.coverage.share(),
        completeness: entry.completeness,
        partial: entry.partial,
    }
}

fn revised(
    mut stored: StoredPlan,
    fence: Fence,
    revision: &Revision,
    (dirs_done, at, run): (u64, luminos_core::entry::Stamp, String),
) -> StoredPlan {
    stored.fence = fence;
    stored.revisions.push(Revised { at, dirs_done, revision: revision.clone(), run });
    stored
}

/// Says so if something could not be kept.
fn keep(kept: Result<(), luminos_store::Error>, myself: &ActorRef<Msg>) {
    if let Err(error) = kept {
        let _ = myself.cast(Msg::StoreFailed(error));
    }
}

/// Writes the report on the whole. On a thread of its own.
pub(super) fn synthesise(table: &Table, material: &Material<'_>) -> Synthesis {
    match table.minds.mind(Pass::Synthesis) {
        Mind::Offline => luminos_analyst::synthesise(material),
        Mind::Remote => luminos_agent::synthesise(material, &table.line(Pass::Synthesis)),
    }
}
