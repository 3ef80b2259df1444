//! Where a run is, and what it has used so far.

use std::path::Path;

use luminos_core::flag::Flag;
use luminos_core::run::{Phase, Rest};
use luminos_wire::control::{ActiveDir, RunEvent, Snapshot};
use ractor::ActorRef;
use tokio::sync::mpsc;

use super::Msg;
use super::desk::Desk;
use crate::budget::BudgetTotals;
use crate::gateway::GatewayTotals;

impl Desk {
    pub(super) fn subscribe(&mut self) -> (Snapshot, mpsc::Receiver<RunEvent>) {
        let events = self.audience.join();
        (self.snapshot(), events)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let progress = self.run.progress();
        let mut active: Vec<ActiveDir> = self
            .loops
            .values()
            .map(|work| ActiveDir {
                dir: work.job.dir.clone(),
                turn: work.turns,
                turns: work.allowed,
                state: None,
            })
            .collect();
        active.sort_by(|a, b| a.dir.cmp(&b.dir));
        let mut flags = [0_u64; 3];
        let entries = self.entries.values().flat_map(|entry| &entry.flags);
        let raised = entries.chain(self.loops.values().flat_map(|work| &work.flags));
        // When the report is made, entries are in it.
        let raised = raised.filter(|_| self.flags.is_empty()).chain(&self.flags);
        // What a model raises without showing it is not counted, here and at the end.
        let counts =
            |flag: &&Flag| flag.rule.is_some() || (!flag.evidence.is_empty() && flag.faults.is_empty());
        raised.filter(counts).for_each(|flag| flags[flag.severity as usize] += 1);
        Snapshot {
            investigation: self.investigation.id().to_string(),
            target: self.meta.display.clone(),
            phase: phase_word(progress.phase).to_owned(),
            dirs_done: progress.finished as u64,
            dirs_reused: progress.reused as u64,
            dirs_total: (progress.finished + progress.open) as u64,
            turns_used: u64::from(self.turn_totals.used.0),
            turns_total: u64::from(self.turn_totals.total.0),
            active,
            parked: progress.parked as u64,
            tokens: self.spent.spending.spent.tokens,
            cost: self.cost(),
            reserved: self.spent.spending.reserved,
            lost: self.spent.spending.lost,
            flags,
            seconds: self.started.elapsed().as_secs(),
            paused: self.paused().map(str::to_owned),
            waiting: self.spent.provider_wait.clone(),
        }
    }

    /// Tells clients where the run is, and looks at the clock.
    pub(super) fn tick(&mut self) {
        self.look_at_store();
        if let Some(seconds) = self.limits.seconds
            && u128::from(seconds) * 900 <= self.started.elapsed().as_millis()
        {
            self.limit_reached(format!("the time limit of {seconds} s was reached"), Rest::Analyst);
        }
        self.end_filling_in();
        if !std::mem::replace(&mut self.is_counting, true) {
            let (minds, budget, myself) = (self.minds.clone(), self.budget.clone(), self.myself.clone());
            let target = self.target.clone();
            tokio::spawn(async move {
                let spent = minds.totals().await.unwrap_or_default();
                let turns = budget.totals().await;
                let _ = myself.cast(Msg::Counted { spent: Box::new(spent), turns });
                look_after(&target, &myself).await;
            });
        }
    }

    /// What was to be looked into is not there any more: what was found out is kept, and nobody pretends that it is all.
    pub(super) fn target_gone(&mut self) {
        if self.scan.is_some() && self.run.progress().phase != Phase::Ended {
            let reason = "the target disappeared while it was looked into".to_owned();
            self.limit_reached(reason, Rest::LeftOut);
        }
    }

    /// Counts what was used, and then writes the report.
    pub(super) fn count_and_write(&mut self) {
        let (minds, budget, myself) = (self.minds.clone(), self.budget.clone(), self.myself.clone());
        let target = self.target.clone();
        tokio::spawn(async move {
            let spent = minds.totals().await.unwrap_or_default();
            let turns = budget.totals().await;
            let _ = myself.cast(Msg::Counted { spent: Box::new(spent), turns });
            look_after(&target, &myself).await;
            let _ = myself.cast(Msg::WriteReport);
        });
    }

    pub(super) fn counted(&mut self, spent: GatewayTotals, turns: BudgetTotals) {
        self.is_counting = false;
        let had_passed = self.passed().is_some();
        self.spent = spent;
        if let Some(wait) = &self.spent.provider_wait
            && self.waits_told.insert(wait.reason.clone())
        {
            let words = format!("waiting for a provider: {}", wait.reason);
            self.audience.tell(&RunEvent::Note(words));
        }
        if let Some(passed) = self.passed().filter(|_| !had_passed) {
            self.audience.tell(&RunEvent::Note(passed.to_string()));
        }
        self.turn_totals = turns;
        if !self.audience.is_empty() && self.run.progress().phase != Phase::Ended {
            let snapshot = Box::new(self.snapshot());
            self.audience.tell(&RunEvent::Progress(snapshot));
        }
    }
}

/// Looks whether the target is still there, and says so if it is not.
async fn look_after(target: &Path, myself: &ActorRef<Msg>) {
    let target = target.to_owned();
    let found = tokio::task::spawn_blocking(move || std::fs::symlink_metadata(target)).await;
    if matches!(found, Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound) {
        let _ = myself.cast(Msg::TargetGone);
    }
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Scanning => "scanning",
        Phase::Surveying => "surveying",
        Phase::Planning => "planning",
        Phase::Looping => "looping",
        Phase::Evaluating => "evaluating",
        Phase::Synthesising => "synthesising",
        Phase::Reporting => "reporting",
        Phase::Ended => "ended",
    }
}
