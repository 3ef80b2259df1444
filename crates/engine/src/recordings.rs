//! What an earlier run said, heard and was lent: for a run that repeats it.
//!
//! A question is answered by the line of a transcript that holds the very same question; a question that was never asked
//! is a miss, and its words name the first thing that differs. Turns that were lent are lent again, whatever the
//! ledger would say: who came first then is not known now. Nothing is sent to anybody, and nothing is spent: what the
//! calls came to is what their journal says.
//!
//! With a moment given (a fork), what was said before it is repeated, and everything else is asked anew.
//!
//! Not here: who compares the reports (`luminosctl replay`).

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use luminos_core::RelPath;
use luminos_core::entry::Stamp;
use luminos_core::experience::Experience;
use luminos_core::job::{Loan, Mind, NoTurn, Said};
use luminos_core::plan::Turns;
use luminos_core::report::Report;
use luminos_core::run::Foreseen;
use luminos_core::spend::{Books, Charge, PassSpend, Spending, Usage};
use luminos_core::talk::Pass;
use luminos_core::turns::{Ledger, LoanId, Outcome, Posting};
use luminos_models::{ModelName, Note, Request, redact_request};
use luminos_store::{Investigation, InvestigationId, Problem, Records, Store};

use crate::experience::experience_before;
use crate::gateway::GatewayTotals;
use crate::minds::{Asked, Heard};
use crate::run::{TurnLine, judge_place, place_of};
use crate::spend_journal::books;

/// What an earlier run left.
pub(crate) struct Recordings {
    store: Store,
    source: Investigation,
    /// Its planner knew the investigations older than this one.
    known_before: InvestigationId,
    is_of_fork: bool,
    /// The run that is repeated.
    run: String,
    /// From this moment on models are asked; without one nobody is.
    until: Option<u64>,
    /// When the directories' results were written.
    times: HashMap<RelPath, Stamp>,
    made_at: Stamp,
    seconds: u64,
    books: Books,
    moved: BTreeSet<RelPath>,
    /// All turns that were lent.
    lent: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    places: HashMap<RelPath, Arc<Vec<TurnLine>>>,
    /// How often each question was asked.
    played: HashMap<(RelPath, String), usize>,
    loans: HashMap<RelPath, VecDeque<Loan>>,
    redactions: u64,
    notes: BTreeSet<(String, Note)>,
    /// The first question that was never asked, in words.
    first_miss: Option<String>,
}

/// Why a run cannot be repeated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unrepeatable {
    /// Something in the store is damaged.
    #[error(transparent)]
    Damaged(#[from] Problem),
    /// It was made by a program that kept less.
    #[error("its report does not say which run made it: it was made by an older program")]
    NoProvenance,
}

impl Recordings {
    /// What the run that made a report left behind.
    pub(crate) fn open(
        store: Store,
        source: Investigation,
        report: &Report,
        until: Option<u64>,
    ) -> Result<Self, Unrepeatable> {
        let provenance = report.provenance.as_ref().ok_or(Unrepeatable::NoProvenance)?;
        let run = &provenance.run;
        let known_before = provenance.known_before.as_ref().and_then(|id| id.parse().ok());
        let postings = source.budget::<Posting>()?.into_all_bodies()?;
        let Lent { loans, moved } = lent(postings);
        let granted = loans.values().flatten().map(|loan| match loan {
            Loan::Granted(turns) => turns.0,
            Loan::Refused(_) => 0,
        });
        let times = report.directories.iter().map(|dir| (dir.relative_path.clone(), dir.cached_at.clone()));
        Ok(Self {
            run: run.clone(),
            until,
            times: times.collect(),
            made_at: report.made_at.clone(),
            seconds: report.counters.seconds,
            books: books(&source, run)?,
            moved,
            lent: granted.sum(),
            state: Mutex::new(State { loans, ..State::default() }),
            store,
            is_of_fork: known_before.is_some(),
            known_before: known_before.unwrap_or(source.id()),
            source,
        })
    }

    /// Whether models are asked what nobody was asked before.
    pub(crate) fn is_fork(&self) -> bool {
        self.until.is_some()
    }

    /// What its planner knew of earlier investigations.
    pub(crate) fn experience(&self, mind: Mind) -> Experience {
        experience_before(&self.store, self.known_before, mind)
    }

    /// What a report says about that.
    pub(crate) fn known_before(&self) -> Option<String> {
        (self.is_fork() || self.is_of_fork).then(|| self.known_before.to_string())
    }

    /// When a directory's result was written.
    pub(crate) fn written_at(&self, dir: &RelPath) -> Option<Stamp> {
        if self.is_fork() { None } else { self.times.get(dir).cloned() }
    }

    /// When the report was made, and how long that had taken.
    pub(crate) fn made(&self) -> Option<(Stamp, u64)> {
        (!self.is_fork()).then(|| (self.made_at.clone(), self.seconds))
    }

    /// What became of the plan.
    pub(crate) fn foreseen(&self) -> Option<Foreseen> {
        if self.is_fork() {
            return None;
        }
        let stored = self.source.plan().ok().flatten();
        let revisions = stored.into_iter().flat_map(|stored| stored.revisions);
        let revisions = revisions.filter(|revised| revised.run == self.run).map(|revised| revised.revision);
        Some(Foreseen { revisions: revisions.collect(), moved: self.moved.clone() })
    }

    /// How many turns there must be for all that was lent.
    pub(crate) fn lent_in_all(&self) -> Turns {
        Turns(if self.is_fork() { 0 } else { self.lent })
    }

    /// What a directory was lent the next time it asked; `None` if whoever keeps the ledger decides.
    pub(crate) fn next_loan(&self, dir: &RelPath) -> Option<Loan> {
        if self.is_fork() {
            return None;
        }
        let loan = self.state().loans.get_mut(dir).and_then(VecDeque::pop_front);
        Some(loan.unwrap_or_else(|| Loan::Refused("nothing more was lent when it was recorded".to_owned())))
    }

    /// Whether a directory had another turn, in a look at it; `None` if whoever keeps the ledger decides.
    pub(crate) fn had_turn(&self, dir: &RelPath, round: u32, turn: u32) -> Option<bool> {
        let is_it = |line: &TurnLine| line.run == self.run && line.round == round && line.ask.turn == turn;
        (!self.is_fork()).then(|| self.lines(dir).iter().any(is_it))
    }

    /// What was said to a question. `None` if a model is to be asked.
    pub(crate) fn answer(&self, asked: &Asked<'_>, request: &Request) -> Option<Result<Heard, NoTurn>> {
        let lines = self.lines(asked.place);
        let counts = |line: &&TurnLine| {
            line.run == self.run
                && line.round == asked.round
                && self.until.is_none_or(|until| line.at < until)
        };
        let same: Vec<&TurnLine> =
            lines.iter().filter(counts).filter(|line| line.ask == *asked.ask).collect();
        let said = same.iter().any(|line| line.failed.is_none());
        let same: Vec<&TurnLine> = same.into_iter().filter(|line| !said || line.failed.is_none()).collect();
        let Some(last) = same.len().checked_sub(1) else {
            return (!self.is_fork()).then(|| Err(NoTurn::Limit(self.miss(asked, &lines))));
        };
        let mut state = self.state();
        let question = (asked.place.clone(), serde_json::to_string(asked.ask).unwrap_or_default());
        let played = state.played.entry(question).or_default();
        let line = same[(*played).min(last)];
        *played += 1;
        if let Some(why) = &line.failed {
            return Some(Err(why.clone()));
        }
        let id = line.model.parse::<ModelName>().ok().and_then(|name| name.id().map(str::to_owned));
        let id = id.unwrap_or_else(|| line.model.clone());
        state.notes.extend(line.notes.iter().map(|note| (id.clone(), *note)));
        state.redactions += redact_request(&mut request.clone()) as u64;
        drop(state);
        let charged = Charge { money: line.cost, tokens: line.said.usage.total() };
        let heard = Heard {
            said: line.said.clone(),
            charged,
            model: line.model.clone(),
            notes: line.notes.clone(),
            redactions: line.redactions,
        };
        Some(Ok(if self.is_fork() { heard.for_nothing() } else { heard }))
    }

    /// The words of the first miss, whoever misses now: what is asked later builds upon answers that were not there, so
    /// it differs because of the first, and which of them is heard of first is chance.
    fn miss(&self, asked: &Asked<'_>, lines: &[TurnLine]) -> String {
        if let Some(first) = &self.state().first_miss {
            return if *asked.place == place_of(Pass::Synthesis) {
                "what it would have been made of is not what it was".to_owned()
            } else {
                first.clone()
            };
        }
        let words = self.difference(asked, lines);
        self.state().first_miss.get_or_insert(words).clone()
    }

    fn difference(&self, asked: &Asked<'_>, lines: &[TurnLine]) -> String {
        let mine = lines.iter().filter(|line| line.run == self.run);
        let recorded = mine.filter_map(|line| serde_json::to_value(&line.ask).ok());
        let wanted = serde_json::to_value(asked.ask).unwrap_or_default();
        let difference = luminos_models::first_difference(recorded, &wanted, ["is recorded", "is asked"]);
        let place = asked.place.for_terminal();
        let turn = asked.ask.turn;
        match difference {
            Some(difference) => format!("turn {turn} of `{place}` was never asked so: {difference}"),
            None => format!("turn {turn} of `{place}` was never asked: there is no transcript of it"),
        }
    }

    /// What the calls of the run came to, as its journal says. A fork pays for itself.
    pub(crate) fn totals(&self) -> GatewayTotals {
        let total = self.books.total();
        let PassSpend { usage, unpriced, lost, .. } = total;
        let state = self.state();
        GatewayTotals {
            spending: Spending { spent: total.spent(), lost, ..Spending::default() },
            usage,
            unpriced,
            redactions: state.redactions,
            notes: state.notes.clone(),
            ..GatewayTotals::default()
        }
    }

    /// The same by pass.
    pub(crate) fn by_pass(&self) -> BTreeMap<String, PassSpend> {
        self.books.by_pass()
    }

    fn lines(&self, place: &RelPath) -> Arc<Vec<TurnLine>> {
        if let Some(lines) = self.state().places.get(place) {
            return Arc::clone(lines);
        }
        let found = self.source.transcript::<TurnLine>(place);
        let lines = Arc::new(found.map(Records::into_bodies).unwrap_or_default());
        self.state().places.insert(place.clone(), Arc::clone(&lines));
        lines
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heard {
    /// The same, from memory: it costs nothing.
    fn for_nothing(self) -> Self {
        let said = Said { usage: Usage::default(), ..self.said };
        Self { said, charged: Charge::default(), ..self }
    }
}

/// What the ledger of a run lent, and to whom it promised something else after it had been opened.
struct Lent {
    loans: HashMap<RelPath, VecDeque<Loan>>,
    moved: BTreeSet<RelPath>,
}

/// What was lent in the last run that began with a directory: one that only looked has lent nothing.
fn lent(postings: Vec<Posting>) -> Lent {
    let is_open = |posting: &Posting| matches!(posting, Posting::Open { .. });
    let runs: Vec<&[Posting]> = {
        let mut starts: Vec<usize> = (0..postings.len()).filter(|at| is_open(&postings[*at])).collect();
        starts.push(postings.len());
        starts.windows(2).map(|pair| &postings[pair[0]..pair[1]]).collect()
    };
    let begins = |run: &&&[Posting]| run.iter().any(|posting| matches!(posting, Posting::Start { .. }));
    let run = runs.iter().rev().find(begins).copied().unwrap_or_default();
    let mut ledger = Ledger::new();
    let (mut wishes, mut loans): (Vec<(LoanId, RelPath)>, HashMap<LoanId, Loan>) = Default::default();
    let (mut promised, mut started, mut moved) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for posting in run {
        match posting {
            Posting::Borrow { loan, dir, .. } => wishes.push((*loan, dir.clone())),
            Posting::Start { dir, .. } => drop(started.insert(dir.clone())),
            Posting::Promise { dir, .. } if !promised.insert(dir.clone()) && !started.contains(dir) => {
                moved.insert(dir.clone());
            }
            Posting::Release { dir } if !started.contains(dir) => drop(moved.insert(dir.clone())),
            Posting::Open { .. }
            | Posting::Limit { .. }
            | Posting::Promise { .. }
            | Posting::Release { .. }
            | Posting::Spend { .. }
            | Posting::Refund { .. }
            | Posting::End { .. }
            | Posting::Withdraw { .. }
            | Posting::RefuseOne
            | Posting::Close => {}
        }
        // What the journal holds was allowed once, so it is again.
        for outcome in ledger.post(posting).unwrap_or_default() {
            match outcome {
                Outcome::Granted { loan, turns } => drop(loans.insert(loan, Loan::Granted(turns))),
                Outcome::Refused { loan, because } => {
                    loans.insert(loan, Loan::Refused(because.to_string()));
                }
                Outcome::Waits(_) => {}
            }
        }
    }
    let mut by_dir: HashMap<RelPath, VecDeque<Loan>> = HashMap::new();
    for (wish, dir) in wishes {
        by_dir.entry(dir).or_default().extend(loans.remove(&wish));
    }
    Lent { loans: by_dir, moved }
}

/// A turn of a run, for whoever wants to know how it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurn {
    /// When it was said, in microseconds since 1970.
    pub at: u64,
    /// The pass.
    pub pass: Pass,
    /// The directory, where the pass has one.
    pub dir: Option<RelPath>,
    /// Which turn of its conversation.
    pub turn: u32,
    /// The model that said it.
    pub model: String,
    /// What it wanted called, or why it said nothing.
    pub said: String,
    /// What it used.
    pub usage: Usage,
}

/// Where conversations about the directories of a report are kept, and those about the whole.
pub(crate) fn places(report: &Report) -> impl Iterator<Item = (Pass, Option<RelPath>, RelPath)> {
    let dirs = report.directories.iter().map(|entry| &entry.relative_path);
    let wholes = [Pass::Survey, Pass::Plan, Pass::Synthesis].map(|pass| (pass, None, place_of(pass)));
    let judged = dirs.clone().map(|dir| (Pass::Judge, Some(dir.clone()), judge_place(dir)));
    let looked = dirs.map(|dir| (Pass::Dir, Some(dir.clone()), dir.clone()));
    wholes.into_iter().chain(judged).chain(looked)
}

/// The turns of the run that made a report, in the order in which they were answered.
pub fn recorded_turns(source: &Investigation, report: &Report) -> Vec<RecordedTurn> {
    let run = report.provenance.as_ref().map(|provenance| provenance.run.clone()).unwrap_or_default();
    let mut turns = Vec::new();
    for (pass, dir, place) in places(report) {
        let lines = source.transcript::<TurnLine>(&place).map(Records::into_bodies).unwrap_or_default();
        let mine = lines.into_iter().filter(|line| line.run == run);
        turns.extend(mine.map(|line| RecordedTurn {
            at: line.at,
            pass,
            dir: dir.clone(),
            turn: line.ask.turn,
            said: words(&line),
            model: line.model,
            usage: line.said.usage,
        }));
    }
    turns.sort_by(|a, b| (a.at, &a.dir, a.turn).cmp(&(b.at, &b.dir, b.turn)));
    turns
}

fn words(line: &TurnLine) -> String {
    use luminos_core::talk::AssistantBlock;
    if let Some(why) = &line.failed {
        return why.to_string();
    }
    let calls = line.said.content.iter().filter_map(|block| match block {
        AssistantBlock::ToolCall(call) => Some(call.name.clone()),
        AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => None,
    });
    let calls: Vec<String> = calls.collect();
    if calls.is_empty() { "words only".to_owned() } else { calls.join(", ") }
}
