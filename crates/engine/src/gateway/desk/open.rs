//! A call that has no answer yet, and what holds it back.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use luminos_core::rate::Permit;
use luminos_core::spend::{Charge, Ledger, Refusal, ReservationId, Tokens, Wait};
use luminos_core::{ContentHash, Moment};
use luminos_models::{Error, Kind, Models, Request};

use crate::gateway::audience::Audience;
use crate::gateway::flight::Flight;
use crate::gateway::patience::Patience;
use crate::gateway::{CallId, Number, Reply, Retries};

/// A call without an answer yet.
pub(super) struct Open {
    pub(super) model: String,
    pub(super) request: Arc<Request>,
    pub(super) id: Option<(CallId, ContentHash)>,
    pub(super) worst: Charge,
    pub(super) redactions: usize,
    pub(super) callers: Vec<(Number, Reply)>,
    pub(super) audience: Audience,
    /// A retry waits until then.
    pub(super) not_before: Moment,
    /// How long it still waits for a provider that puts it off.
    pub(super) patience: Patience,
    /// What the provider said when it last put this call off.
    pub(super) put_off: Option<Arc<Error>>,
    /// When there may be a place at the model again.
    pub(super) not_before_place: Moment,
    /// Who makes it again if it fails.
    pub(super) retried: Retries,
    pub(super) retries: u32,
    pub(super) charged: Charge,
    pub(super) reservation: Option<ReservationId>,
    pub(super) flight: Option<(Flight, Permit)>,
}

/// What holds the younger calls of the queue back, and when to look again.
#[derive(Default)]
pub(super) struct Held {
    pub(super) by_ledger: bool,
    /// Models at which there is no place, and for how long their providers put everybody off.
    pub(super) at_models: HashMap<String, Option<Duration>>,
    pub(super) until: Option<Moment>,
}

impl Held {
    pub(super) fn until(&mut self, moment: Moment) {
        self.until = Some(self.until.map_or(moment, |until| until.min(moment)));
    }
}

/// Why a call does not go on.
pub(super) enum Stopped {
    Refused(Refusal),
    /// The provider puts it off for longer than it may wait.
    PutOff(Arc<Error>),
}

/// An answer that is cut off at this length has said most of what it had to say: rather so than waiting for others.
const LONG_ANSWER: u32 = 4096;
/// A shorter answer is not worth its question.
const SHORTEST_ANSWER: u32 = 1024;

impl Open {
    /// Asks for a shorter answer where a longer one does not fit into what a limit leaves: most answers are far shorter
    /// than the longest that is allowed, and a limit a little above the true cost would be of no use otherwise. Says
    /// whether it did.
    pub(super) fn shorten(&mut self, refusal: Refusal, ledger: &Ledger, facts: &Models, id: &str) -> bool {
        let (least, left) = match refusal {
            Refusal::Money { wait, .. } | Refusal::Tokens { wait, .. } => match wait {
                Wait::ForOthers => (LONG_ANSWER, ledger.left(wait)),
                Wait::InVain => (SHORTEST_ANSWER, ledger.left(wait)),
            },
            Refusal::Calls { .. } | Refusal::Deadline | Refusal::UnknownPrice => return false,
        };
        let asked = self.request.max_output;
        let input = Tokens(self.worst.tokens.0.saturating_sub(u64::from(asked)));
        let affordable = facts.affordable_answer(id, input, left, asked);
        if affordable < least || asked <= affordable {
            return false;
        }
        Arc::make_mut(&mut self.request).max_output = affordable;
        self.worst = facts.worst_case(id, input, Tokens(u64::from(affordable)));
        true
    }

    /// Waits for a place at the model; for a provider that puts everybody off, as long as patience lasts.
    pub(super) fn wait(
        &mut self,
        put_off: Option<Duration>,
        server: &str,
        now: Moment,
        held: &mut Held,
    ) -> Result<(), Stopped> {
        let Some(put_off) = put_off else {
            self.patience.end(now);
            return Ok(());
        };
        self.patience.begin(now);
        self.not_before_place = now.after(put_off);
        let left = self.patience.left(now);
        if left < put_off {
            let words = format!("it is to be left alone for {} s", put_off.as_secs());
            let error = || Arc::new(Error::new(Kind::RateLimited, server).message(words));
            return Err(Stopped::PutOff(self.put_off.clone().unwrap_or_else(error)));
        }
        held.until(now.after(left));
        Ok(())
    }

    /// When it is asked again at the earliest.
    pub(super) fn until(&self, now: Moment) -> Moment {
        self.not_before.max(self.not_before_place).max(now)
    }
}
