//! From a request to the steps that answer it: routes, checks, script, cache, limits, faults.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use crate::anthropic;
use crate::cache::{Account, Cache, Pending, Segment};
use crate::connection::Service;
use crate::conversation::Conversation;
use crate::exchange::{Api, Delivery, Exchange, Framing};
use crate::facts::ModelFacts;
use crate::fault::Fault;
use crate::http::Request;
use crate::limits::{Meter, Told};
use crate::openai;
use crate::record::Record;
use crate::refusal::{Refusal, RetryAfter};
use crate::script::{Answer, Script, Source};
use crate::settings::Settings;
use crate::step::Step;
use crate::turn::Turn;
use crate::turn_faults;

/// A request that was found to be in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) conversation: Conversation,
    pub(crate) segments: Vec<Segment>,
    pub(crate) facts: ModelFacts,
    pub(crate) max_tokens: u64,
    pub(crate) stream: bool,
    pub(crate) include_usage: bool,
    /// Binds what the model thinks to the messages before.
    pub(crate) binding: String,
}

/// Everything the server knows and decides.
#[derive(Debug)]
pub(crate) struct ModelService {
    settings: Settings,
    record: Record,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    script: Script,
    cache: Cache,
    meter: Meter,
    /// What becomes readable when the answer to a request begins.
    pending: HashMap<u64, Pending>,
}

impl ModelService {
    pub(crate) fn new(script: Script, settings: Settings) -> ModelService {
        let meter = Meter::new(settings.limits, Instant::now());
        let state = State { script, cache: Cache::default(), meter, pending: HashMap::new() };
        ModelService { settings, record: Record::new(), state: Mutex::new(state) }
    }

    pub(crate) fn play(&self, script: Script) {
        self.state().script = script;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn, through either interface.
    fn turn(&self, api: Api, number: u64, request: &Request) -> Vec<Step> {
        let id = request_id(number);
        let raw = self.state().script.take_raw(request);
        if let Some(steps) = raw {
            return steps;
        }
        let asked = match api {
            Api::Messages => anthropic::check(request, &self.settings),
            Api::Chat if is_responses(request) => openai::responses::check(request, &self.settings),
            Api::Chat => openai::check(request, &self.settings),
        };
        let asked = match asked {
            Ok(asked) => asked,
            Err(refusal) => return self.invalid(api, &refusal, &id),
        };
        let mut state = self.state();
        let Some(answer) = state.script.take(request, Some(&asked.conversation)) else {
            drop(state);
            self.record.count(|counters| counters.unexpected += 1);
            let refusal = Refusal::Invalid("the script has no answer for this request".to_owned());
            return self.refuse(api, &refusal, &id, &plain());
        };
        let policy = state.script.policy();
        let (turn, latency) = match &answer.source {
            Source::Raw(steps) => return steps.clone(),
            Source::Refusal(refusal) => {
                drop(state);
                return self.refuse(api, refusal, &id, &answer);
            }
            Source::Turn(turn) => (turn.clone(), answer.latency),
            Source::Policy => (policy.next(&asked.conversation), answer.latency.max(policy.latency)),
        };
        let turn = turn_faults::apply(turn, &answer.faults).within(asked.max_tokens);
        let account = match state.pay(api, number, &asked, &turn) {
            Ok(account) => account,
            Err(wait) => {
                drop(state);
                let seconds = wait.as_secs_f64().ceil() as u64;
                let refusal = Refusal::RateLimited(RetryAfter::Seconds(seconds));
                return self.deliver(api, refusal.exchange(api, &id), &id, &plain(), Told::Truth);
            }
        };
        drop(state);
        self.record.count(|counters| {
            counters.prompt_tokens += account.total();
            counters.cached_tokens += account.read;
            counters.turn_tokens += turn.tokens();
        });
        let exchange = match api {
            Api::Messages => anthropic::exchange(&asked, &turn, account),
            Api::Chat if is_responses(request) => openai::responses::exchange(&asked, &turn, account),
            Api::Chat => openai::exchange(&asked, &turn, account, self.settings.dialect),
        };
        self.deliver(api, exchange, &id, &answer.after(latency), Told::Truth)
    }

    fn invalid(&self, api: Api, refusal: &Refusal, id: &str) -> Vec<Step> {
        self.record.count(|counters| counters.invalid += 1);
        self.refuse(api, refusal, id, &plain())
    }

    fn refuse(&self, api: Api, refusal: &Refusal, id: &str, answer: &Answer) -> Vec<Step> {
        self.deliver(api, refusal.exchange(api, id), id, answer, refusal.told())
    }

    /// Everything but turns: small questions with small answers.
    fn aside(
        &self,
        api: Api,
        number: u64,
        request: &Request,
        result: Result<Exchange, Refusal>,
    ) -> Vec<Step> {
        let id = request_id(number);
        let answer = self.state().script.take(request, None);
        if let Some(answer) = answer {
            let exchange = match &answer.source {
                Source::Raw(steps) => return steps.clone(),
                Source::Refusal(refusal) => return self.refuse(api, refusal, &id, &answer),
                Source::Turn(_) | Source::Policy => result,
            };
            return match exchange {
                Ok(exchange) => self.deliver(api, exchange, &id, &answer, Told::Truth),
                Err(refusal) => self.invalid(api, &refusal, &id),
            };
        }
        match result {
            Ok(exchange) => self.deliver(api, exchange, &id, &plain(), Told::Truth),
            Err(refusal) => self.invalid(api, &refusal, &id),
        }
    }

    fn deliver(&self, api: Api, mut exchange: Exchange, id: &str, answer: &Answer, told: Told) -> Vec<Step> {
        let name = match api {
            Api::Messages => "request-id",
            Api::Chat => "x-request-id",
        };
        exchange.headers.insert(0, (name.to_owned(), id.to_owned()));
        exchange.headers.extend(self.state().meter.headers(api, told, Timestamp::now()));
        let faults: &[Fault] = &answer.faults;
        let Answer { latency, between, framing, .. } = *answer;
        let gate = answer.gate.as_ref();
        Delivery { api, framing, faults, latency, between, gate }.steps(exchange)
    }
}

impl State {
    /// Counts the prompt against cache and limits; what it leaves in the cache waits for the answer to begin.
    fn pay(&mut self, api: Api, number: u64, asked: &Asked, turn: &Turn) -> Result<Account, Duration> {
        let now = Instant::now();
        let model = &asked.facts.id;
        let (account, pending) = match api {
            Api::Messages => self.cache.look_up(model, &asked.segments, asked.facts.min_cached, now),
            Api::Chat => self.cache.look_up_automatic(model, &asked.segments, now),
        };
        self.meter.take(account.fresh + account.written(), turn.tokens(), now)?;
        self.pending.insert(number, pending);
        Ok(account)
    }
}

impl Service for ModelService {
    fn answer(&self, number: u64, request: &Request) -> Vec<Step> {
        let api = api_of(request);
        match (request.method.as_str(), request.route()) {
            ("POST", "/v1/messages") => self.turn(Api::Messages, number, request),
            ("POST", "/v1/chat/completions" | RESPONSES) => self.turn(Api::Chat, number, request),
            ("POST", "/v1/messages/count_tokens") => {
                let result = anthropic::count_tokens(request, &self.settings);
                self.aside(Api::Messages, number, request, result)
            }
            ("GET", route) if route == "/v1/models" || route.starts_with("/v1/models/") => {
                let id = route.strip_prefix("/v1/models/");
                let result = match api {
                    Api::Messages => anthropic::models(request, &self.settings, id),
                    Api::Chat => openai::models(request, &self.settings, id),
                };
                self.aside(api, number, request, result)
            }
            (method, route) => {
                let refusal = Refusal::NotFound(format!("there is nothing at {method} {route}"));
                self.aside(api, number, request, Err(refusal))
            }
        }
    }

    fn too_large(&self, request: &Request) -> Vec<Step> {
        self.record.count(|counters| counters.invalid += 1);
        let answer = plain().framed(Framing::UntilClose);
        let api = api_of(request);
        self.refuse(api, &Refusal::TooLarge, "req_too_large", &answer)
    }

    fn begun(&self, number: u64) {
        let mut state = self.state();
        if let Some(pending) = state.pending.remove(&number) {
            state.cache.commit(pending, Instant::now());
        }
    }

    fn record(&self) -> &Record {
        &self.record
    }
}

fn api_of(request: &Request) -> Api {
    let is_messages =
        request.route().starts_with("/v1/messages") || request.header("anthropic-version").is_some();
    if is_messages { Api::Messages } else { Api::Chat }
}

/// Where the responses interface is. Keys, limits and refusals are those of chat completions.
const RESPONSES: &str = "/v1/responses";

fn is_responses(request: &Request) -> bool {
    request.route() == RESPONSES
}

fn plain() -> Answer {
    Answer::policy()
}

fn request_id(number: u64) -> String {
    format!("req_{number:024}")
}
