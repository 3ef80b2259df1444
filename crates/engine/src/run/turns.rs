//! A turn of a model for a directory: paid, asked, journalled, answered, in this order.
//!
//! A turn that was answered before is answered again from memory. One that was paid but not answered when everything
//! died stays paid and is asked again.

use luminos_core::job::{Ask, JobId, NoTurn, Said};
use luminos_core::run::Rest;
use luminos_core::spend::Charge;
use luminos_core::talk::{AssistantBlock, Message, Pass, Request};
use luminos_core::turns::Odd;
use luminos_wire::worker::Answer;
use ractor::ActorRef;

use super::desk::Desk;
use super::loops::{Loop, TurnLine, plus, written};
use super::{Msg, keeping};
use crate::budget::NoSpend;
use crate::minds::Asked;

/// What came of a turn.
pub(super) struct TurnDone {
    job: JobId,
    question: u64,
    result: Result<(TurnLine, Charge), NoTurn>,
    /// How many pieces of the read record, and how many flags, are in the journal now.
    journalled: (usize, usize),
}

impl Desk {
    /// A loop wants a turn.
    pub(super) fn turn(&mut self, job: JobId, question: u64, mut ask: Ask) {
        let Some(work) = self.loops.get_mut(&job.dir) else { return };
        // Turns count from 1, whatever a worker says.
        ask.turn = ask.turn.max(1);
        if let Some(said) = remembered(work, ask.turn) {
            return self.answer(&job, question, Answer::Turn(Ok(Box::new(said))));
        }
        if let Some(opening) = ask.opening.take() {
            work.opening = Some(opening);
        }
        let Some(opening) = work.opening.clone() else {
            let why = NoTurn::ModelFailed("the conversation was never opened".to_owned());
            return self.answer(&job, question, Answer::Turn(Err(why)));
        };
        if let Some(through) = ask.compact_before {
            luminos_agent::compact(&mut work.messages, through);
        }
        let mut messages = work.messages.clone();
        messages.push(Message::User(ask.new.clone()));
        let request = Request {
            pass: Pass::Dir,
            system: opening.system.clone(),
            messages,
            tools: opening.tools.clone(),
            output: None,
            stop_sequences: Vec::new(),
            max_output: opening.max_output,
        };
        if ask.turn == 1 {
            ask.opening = Some(opening);
        }
        let paid_turn = u32::try_from(i64::from(ask.turn) + work.ledger_offset).unwrap_or(0).max(1);
        let round = work.round;
        let served = work.served[work.journalled..].to_vec();
        let flags = work.flags[work.flags_journalled..].to_vec();
        let journalled = (work.served.len(), work.flags.len());
        let (key, run) = (work.key, self.nonce.clone());
        let (minds, budget) = (self.minds.clone(), self.budget.clone());
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let (myself, mut cancelled) = (self.myself.clone(), self.cancelled.subscribe());
        let is_over = self.cancelled.subscribe();
        let line = self.lifeline("a turn");
        tokio::spawn(async move {
            let _line = line;
            let turn = async {
                let paid = budget.spend(job.dir.clone(), job.attempt, paid_turn).await;
                paid.map_err(|no| no_spend(no, &myself))?;
                // Without the attempt: whoever takes over from a dead worker gets the answer that was on its way.
                let place = (job.dir.to_word(), key, round);
                let id = format!("{}/{}/{}.{}/{}", job.investigation, place.0, place.1, place.2, ask.turn);
                let question = Asked { pass: Pass::Dir, place: &job.dir, ask: &ask, round };
                let heard = tokio::select! {
                    heard = minds.turn(question, request, id.clone()) => heard,
                    _ = cancelled.wait_for(|is_so| *is_so) => return Err(NoTurn::Stopped),
                };
                let (line, charged) =
                    written(heard, TurnLine { flags, ..TurnLine::blank(key, ask, served, run, round) });
                let receipt = investigation.append_turn(&writer, &job.dir, None, &line);
                let kept = keeping::kept(receipt, &writer, is_over).await;
                kept.map_err(|error| not_kept(error, &myself))?;
                minds.journalled(&id);
                match line.failed {
                    Some(why) => Err(why),
                    None => Ok((line, charged)),
                }
            };
            let result = turn.await;
            let _ = myself.cast(Msg::TurnDone(Box::new(TurnDone { job, question, result, journalled })));
        });
    }

    /// A turn is over.
    pub(super) fn turn_done(&mut self, done: TurnDone) {
        let TurnDone { job, question, result, journalled } = done;
        let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == job) else { return };
        let answer = match result {
            Ok((line, charge)) => {
                work.messages.push(Message::User(line.ask.new));
                work.messages.push(Message::Assistant(line.said.content.clone()));
                work.turns = line.ask.turn;
                (work.journalled, work.flags_journalled) = journalled;
                work.usage = work.usage + line.said.usage;
                work.cost = plus(work.cost, charge.money);
                Ok(Box::new(line.said))
            }
            // The budget of a run that was cancelled is closed. That is no limit: the next run goes on.
            Err(NoTurn::Limit(_)) if *self.cancelled.borrow() => Err(NoTurn::Stopped),
            Err(no_turn) => Err(no_turn),
        };
        let has_failed = matches!(answer, Err(NoTurn::ModelFailed(_)));
        let limit = match &answer {
            Err(NoTurn::Limit(reason)) => Some(reason.clone()),
            Ok(_) | Err(NoTurn::OutOfTurns | NoTurn::ModelFailed(_) | NoTurn::Stopped) => None,
        };
        self.answer(&job, question, Answer::Turn(answer));
        if let Some(reason) = limit {
            self.limit_reached(reason, Rest::Analyst);
        }
        if has_failed {
            self.model_failed(Pass::Dir);
        }
    }
}

/// What could not be stored pauses the run, and the loop stops where it is. What the store refuses, it would refuse again.
pub(super) fn not_kept(error: luminos_store::Error, myself: &ActorRef<Msg>) -> NoTurn {
    if error.is_refusal() {
        return NoTurn::ModelFailed(format!("what was said cannot be kept: {error}"));
    }
    let _ = myself.cast(Msg::StoreFailed(error));
    NoTurn::Stopped
}

fn no_spend(no_spend: NoSpend, myself: &ActorRef<Msg>) -> NoTurn {
    match no_spend {
        NoSpend::Odd(Odd::Closed) => NoTurn::Limit("a limit of the investigation was reached".to_owned()),
        NoSpend::Odd(Odd::NothingLeft) => NoTurn::OutOfTurns,
        NoSpend::Odd(_) | NoSpend::Gone => NoTurn::Stopped,
        NoSpend::Journal(error) => not_kept(error, myself),
    }
}

/// What the model said in a turn that is over.
fn remembered(work: &Loop, turn: u32) -> Option<Said> {
    if work.turns < turn {
        return None;
    }
    let mut answers = work.messages.iter().filter_map(|message| match message {
        Message::Assistant(content) => Some(content),
        Message::User(_) => None,
    });
    let content: Vec<AssistantBlock> = answers.nth(turn as usize - 1)?.clone();
    Some(Said { content, stop: luminos_core::talk::StopReason::EndTurn, usage: Default::default() })
}
