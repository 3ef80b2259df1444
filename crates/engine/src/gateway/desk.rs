//! The gateway's state: who waits, what is on its way, and what that does to ledger and limiters.
//!
//! The queue is in the order of arrival. Nobody overtakes an older call that waits for the same thing: room
//! in the ledger, or a place at the same model.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use luminos_core::Moment;
use luminos_core::rate::{End, Signals};
use luminos_core::spend::{Booking, CallEnd, Charge, Ledger, Limits, Refusal, Tokens, Wait};
use luminos_models::{AnyModel, Error, Model as _, Models, next_try};
use luminos_wire::control::ProviderWait;
use ractor::ActorRef;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::answers::Answers;
use super::audience::Audience;
use super::flight::{Flight, Landing, Plan};
use super::lanes::{Entry, Seat};
use super::open::{Held, Open, Stopped, TOLD_ANYHOW};
use super::oversight::Overseer;
use super::patience::Patience;
use super::{
    Answer, CallError, CallId, GatewaySetup, GatewayTotals, Msg, News, Number, Order, Retries, Served,
};

pub(super) struct Desk {
    gateway: ActorRef<Msg>,
    models: BTreeMap<String, Station>,
    facts: Arc<Models>,
    overseers: Arc<[Arc<dyn Overseer>]>,
    limits: Limits,
    patience: Duration,
    ledger: Ledger,
    calls: BTreeMap<Number, Open>,
    /// The calls that are not on their way.
    queue: BTreeSet<Number>,
    /// Callers that joined the call of another.
    joined: BTreeMap<Number, Number>,
    by_id: HashMap<CallId, Number>,
    answers: Answers,
    counted: GatewayTotals,
    start: Instant,
    random: Box<dyn FnMut() -> u32 + Send>,
    alarm: Option<Alarm>,
}

/// A model and the place at what its provider lets through.
struct Station {
    model: Arc<AnyModel>,
    seat: Seat,
}

/// The one timer. Dropping it stops it.
struct Alarm {
    at: Moment,
    task: AbortHandle,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Desk {
    pub(super) fn new(gateway: ActorRef<Msg>, setup: GatewaySetup, models: Served) -> Self {
        let GatewaySetup {
            facts, limits, patience, spent, overseers, lanes, concurrency, start, random, ..
        } = setup;
        let station = |(name, model): (String, Arc<AnyModel>)| {
            let seat = lanes.seat(&model, concurrency, &gateway);
            (name, Station { model, seat })
        };
        let models = models.into_iter().map(station).collect();
        Self {
            gateway,
            models,
            facts: Arc::new(facts),
            overseers: overseers.into(),
            limits,
            patience,
            ledger: Ledger::resume(limits, spent),
            calls: BTreeMap::new(),
            queue: BTreeSet::new(),
            joined: BTreeMap::new(),
            by_id: HashMap::new(),
            answers: Answers::default(),
            counted: GatewayTotals::default(),
            start,
            random,
            alarm: None,
        }
    }

    fn now(&self) -> Moment {
        Moment(self.start.elapsed())
    }

    /// Takes a call on: joins it to one of the same id, or puts it into the queue.
    pub(super) fn take(&mut self, order: Order) {
        let Some(order) = self.recognise(order) else { return };
        let Order { number, model, mut request, id, retries: retried, input, redactions, news, reply } =
            order;
        let Some(station) = self.models.get(&model) else {
            let _ = reply.send(Err(CallError::NoModel { name: model }));
            return;
        };
        request.max_output = self.facts.longest_answer(station.model.id(), input, request.max_output);
        let max_output = Tokens(u64::from(request.max_output));
        let worst = self.facts.worst_case(station.model.id(), input, max_output);
        let audience = Audience::default();
        audience.join(news);
        if let Some((id, _)) = &id {
            self.by_id.insert(id.clone(), number);
        }
        let open = Open {
            model,
            request: Arc::new(request),
            id,
            worst,
            redactions,
            callers: vec![(number, reply)],
            audience,
            not_before: Moment::default(),
            patience: Patience::new(self.patience),
            put_off: None,
            not_before_place: Moment::default(),
            retried,
            retries: 0,
            charged: Charge { money: worst.money.map(|_| Default::default()), tokens: Tokens(0) },
            reservation: None,
            flight: None,
        };
        self.counted.redactions += redactions as u64;
        self.calls.insert(number, open);
        self.queue.insert(number);
    }

    /// A call whose id is known joins the one that runs, gets the answer that there is, or is refused, if it is
    /// another one. Others come back.
    fn recognise(&mut self, order: Order) -> Option<Order> {
        let Some((id, fingerprint)) = &order.id else { return Some(order) };
        let refused = || Err(CallError::IdReused { id: id.0.clone() });
        if let Some((asked, answer)) = self.answers.get(id) {
            let result = if asked == fingerprint { Ok(answer.clone()) } else { refused() };
            let _ = order.reply.send(result);
            return None;
        }
        let Some(&first) = self.by_id.get(id) else { return Some(order) };
        let Some(open) = self.calls.get_mut(&first) else { return Some(order) };
        if open.id.as_ref().is_none_or(|(_, asked)| asked != fingerprint) {
            let result = refused();
            let _ = order.reply.send(result);
            return None;
        }
        open.audience.join(order.news);
        open.callers.push((order.number, order.reply));
        self.joined.insert(order.number, first);
        None
    }

    /// A caller is gone. With the last one, the call ends; of what was on its way, input and what came are booked.
    pub(super) fn cancel(&mut self, caller: Number) {
        let number = self.joined.remove(&caller).unwrap_or(caller);
        let Some(open) = self.calls.get_mut(&number) else { return };
        open.callers.retain(|(waiting, _)| *waiting != caller);
        if !open.callers.is_empty() {
            return;
        }
        if let Some((flight, _)) = &open.flight {
            let settlement = flight.abort();
            self.counted.usage = self.counted.usage + settlement.usage;
            self.release(number, settlement.end, End::Failed, Signals::default());
        } else {
            self.release(number, CallEnd::NotSent, End::Failed, Signals::default());
        }
        self.close(number);
    }

    /// A try ended: books it, and answers, tries again or gives up.
    pub(super) fn landed(&mut self, number: Number, landing: Landing) {
        let Landing { result, settlement, end, signals, veto } = landing;
        // A call that was cancelled is settled already.
        let Some(booking) = self.release(number, settlement.end, end, signals) else { return };
        let now = self.now();
        let Some(open) = self.calls.get_mut(&number) else { return };
        let exceeded = booking.is_some_and(|booking| booking.exceeded);
        if let Some(booking) = booking {
            open.charged = plus(open.charged, booking.charged);
            self.counted.unpriced += u64::from(booking.charged.money.is_none());
        }
        if exceeded {
            self.counted.passed = self.limits.passed_by(self.ledger.spending());
        }
        self.counted.usage = self.counted.usage + settlement.usage;
        if let Some(veto) = veto {
            return self.finish(number, Err(veto));
        }
        match result {
            Ok(reply) => {
                let (usage, doubt, passed) = (settlement.usage, settlement.doubt, self.counted.passed);
                if !reply.notes.is_empty() {
                    let name = self.models.get(&open.model).map(|station| station.model.id().to_owned());
                    let name = name.unwrap_or_default();
                    self.counted.notes.extend(reply.notes.iter().map(|note| (name.clone(), *note)));
                }
                let Open { charged, retries, redactions, .. } = *open;
                let answer = Answer { reply, usage, charged, retries, redactions, doubt, exceeded, passed };
                self.finish(number, Ok(answer));
            }
            Err(error) if open.retried == Retries::ByCaller => {
                self.finish(number, Err(CallError::Failed(Arc::new(error))));
            }
            Err(error) => {
                let (random, deadline) = ((self.random)(), self.limits.deadline);
                match next_try(&error, open.retries, random, now, deadline, open.patience.left(now)) {
                    Some(moment) => self.try_again(number, error, moment, now),
                    None => self.finish(number, Err(CallError::Failed(Arc::new(error)))),
                }
            }
        }
    }

    fn try_again(&mut self, number: Number, error: Error, moment: Moment, now: Moment) {
        let Some(open) = self.calls.get_mut(&number) else { return };
        open.retries += 1;
        open.not_before = moment;
        let error = Arc::new(error);
        if error.is_put_off() {
            open.patience.begin(now);
            open.put_off = Some(Arc::clone(&error));
        }
        open.audience.retry(&News::Retry { because: error, wait: moment.since(now) });
        self.counted.retries += 1;
        self.queue.insert(number);
    }

    /// The alarm rang.
    pub(super) fn woken(&mut self) {
        self.alarm = None;
    }

    /// Starts all that can start, refuses what cannot, and sets the alarm for the rest.
    pub(super) fn pump(&mut self) {
        let now = self.now();
        let mut held = Held::default();
        for number in self.queue.iter().copied().collect::<Vec<_>>() {
            if let Err(stopped) = self.advance(number, now, &mut held) {
                self.release(number, CallEnd::NotSent, End::Failed, Signals::default());
                let model = self.calls.get(&number).and_then(|open| self.models.get(&open.model));
                let error = match stopped {
                    Stopped::Refused(refusal) => {
                        let model = model.map(|station| station.model.id().to_owned()).unwrap_or_default();
                        CallError::Refused { model, refusal }
                    }
                    Stopped::PutOff(error) => CallError::Failed(error),
                };
                self.finish(number, Err(error));
            }
        }
        if let Some(deadline) = self.limits.deadline
            && !self.queue.is_empty()
        {
            held.until(deadline);
        }
        for (name, station) in &self.models {
            if !held.at_models.contains_key(name) {
                station.seat.leave();
            }
        }
        self.set_alarm(held.until);
    }

    /// Brings one call of the queue as far as it gets.
    fn advance(&mut self, number: Number, now: Moment, held: &mut Held) -> Result<(), Stopped> {
        let Some(open) = self.calls.get_mut(&number) else { return Ok(()) };
        if self.limits.deadline.is_some_and(|deadline| deadline <= now) {
            return Err(Stopped::Refused(Refusal::Deadline));
        }
        if now < open.not_before {
            held.until(open.not_before);
            return Ok(());
        }
        if open.reservation.is_none() {
            if held.by_ledger {
                return Ok(());
            }
            let mut reserved = self.ledger.reserve(open.worst, now);
            if let Err(refusal) = reserved
                && let Some(station) = self.models.get(&open.model)
                && open.shorten(refusal, &self.ledger, &self.facts, station.model.id())
            {
                reserved = self.ledger.reserve(open.worst, now);
            }
            match reserved {
                Ok(reservation) => open.reservation = Some(reservation),
                Err(refusal) if can_wait(refusal) => {
                    held.by_ledger = true;
                    return Ok(());
                }
                Err(refusal) => return Err(Stopped::Refused(refusal)),
            }
        }
        let Some(station) = self.models.get(&open.model) else { return Ok(()) };
        if let Some(put_off) = held.at_models.get(&open.model).copied() {
            return open.wait(put_off, station.model.server(), now, held);
        }
        match station.seat.admit(open.worst.tokens) {
            Entry::Go(permit) => {
                let plan = Plan {
                    number,
                    id: open.id.as_ref().map(|(id, _)| id.clone()),
                    model: station.model.clone(),
                    facts: self.facts.clone(),
                    overseers: self.overseers.clone(),
                    request: open.request.clone(),
                    worst: open.worst,
                    retries: open.retries,
                    audience: open.audience.clone(),
                };
                open.patience.end(now);
                open.flight = Some((Flight::start(self.gateway.clone(), plan), permit));
                self.queue.remove(&number);
                Ok(())
            }
            Entry::After(time) => {
                held.until(now.after(time));
                held.at_models.insert(open.model.clone(), Some(time));
                open.wait(Some(time), station.model.server(), now, held)
            }
            Entry::WhenWoken { put_off } => {
                held.at_models.insert(open.model.clone(), put_off);
                open.wait(put_off, station.model.server(), now, held)
            }
        }
    }

    /// Gives back what a call holds: its place at the model and its reservation. `None` if it holds none; otherwise what is
    /// booked for it, if it cost something.
    fn release(
        &mut self,
        number: Number,
        settled: CallEnd,
        end: End,
        signals: Signals,
    ) -> Option<Option<Booking>> {
        let open = self.calls.get_mut(&number)?;
        if let Some((_flight, permit)) = open.flight.take()
            && let Some(station) = self.models.get(&open.model)
        {
            station.seat.end(permit, end, signals);
        }
        Some(self.ledger.settle(open.reservation.take()?, settled))
    }

    /// Answers everybody who waits for a call.
    fn finish(&mut self, number: Number, result: Result<Answer, CallError>) {
        let Some(open) = self.close(number) else { return };
        if let (Some((id, fingerprint)), Ok(answer)) = (open.id, &result) {
            self.answers.keep(id, fingerprint, answer.clone());
        }
        for (caller, reply) in open.callers {
            self.joined.remove(&caller);
            // A caller that is gone needs no answer.
            let _ = reply.send(result.clone());
        }
    }

    fn close(&mut self, number: Number) -> Option<Open> {
        self.queue.remove(&number);
        let open = self.calls.remove(&number)?;
        if let Some((id, _)) = &open.id {
            self.by_id.remove(id);
        }
        Some(open)
    }

    fn set_alarm(&mut self, moment: Option<Moment>) {
        if self.alarm.as_ref().map(|alarm| alarm.at) == moment {
            return;
        }
        self.alarm = moment.map(|at| {
            // A moment that no clock reaches is one that nobody waits for.
            let instant = self.start.checked_add(at.0);
            let gateway = self.gateway.clone();
            let task = tokio::spawn(async move {
                match instant {
                    Some(instant) => tokio::time::sleep_until(instant).await,
                    None => std::future::pending().await,
                }
                let _ = gateway.cast(Msg::Wake);
            });
            Alarm { at, task: task.abort_handle() }
        });
    }

    /// The provider that has put off a call for so long that somebody should hear of it: the call that is asked next.
    fn provider_wait(&self) -> Option<ProviderWait> {
        let now = self.now();
        let waiting = self.queue.iter().filter_map(|number| self.calls.get(number)).filter(|open| {
            let is_long = TOLD_ANYHOW <= open.until(now).since(now);
            open.patience.is_waiting() && (open.put_off.is_some() || is_long)
        });
        let next = waiting.min_by_key(|open| open.until(now))?;
        let reason = match &next.put_off {
            // Without the number of the request, which differs from try to try.
            Some(error) => error.in_general(),
            None => format!("{} accepts no more calls for now", self.models.get(&next.model)?.model.server()),
        };
        let (seconds, gives_up) = (next.until(now).since(now).as_secs(), next.patience.left(now).as_secs());
        Some(ProviderWait { reason, seconds, gives_up })
    }

    pub(super) fn totals(&self) -> GatewayTotals {
        GatewayTotals {
            spending: self.ledger.spending(),
            in_flight: self.calls.values().filter(|open| open.flight.is_some()).count() as u64,
            waiting: self.queue.len() as u64,
            provider_wait: self.provider_wait(),
            ..self.counted.clone()
        }
    }
}

/// What is on its way ends with the gateway, and is settled; its places are for others.
impl Drop for Desk {
    fn drop(&mut self) {
        for open in self.calls.values_mut() {
            let Some((flight, permit)) = open.flight.take() else { continue };
            flight.abort();
            if let Some(station) = self.models.get(&open.model) {
                station.seat.end(permit, End::Failed, Signals::default());
            }
        }
    }
}

fn can_wait(refusal: Refusal) -> bool {
    match refusal {
        Refusal::Money { wait, .. } | Refusal::Tokens { wait, .. } | Refusal::Calls { wait, .. } => {
            wait == Wait::ForOthers
        }
        Refusal::Deadline | Refusal::UnknownPrice => false,
    }
}

fn plus(sum: Charge, charge: Charge) -> Charge {
    let money = match (sum.money, charge.money) {
        (Some(sum), Some(money)) => Some(sum.plus(money)),
        (sum, money) => sum.or(money),
    };
    Charge { money, tokens: sum.tokens + charge.tokens }
}
