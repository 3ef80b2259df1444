//! A try that is on its way: a task of its own, so that the gateway never waits for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luminos_core::rate::{End, Signals};
use luminos_core::spend::{Outcome, Usage};
use luminos_models::{
    AnyModel, Error, Event, Kind, Model as _, Models, Reply, Request, UsageDoubt, rate_end,
};
use ractor::ActorRef;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::AbortHandle;

use super::{Msg, News, Number};

/// How a try ended, and what that means for those who let it start.
#[derive(Debug)]
pub(super) struct Landing {
    pub(super) result: Result<Reply, Error>,
    pub(super) usage: Usage,
    pub(super) outcome: Outcome,
    pub(super) doubt: Option<UsageDoubt>,
    pub(super) end: End,
    pub(super) signals: Signals,
}

/// A try on its way. Dropping it ends the task, which closes the connection.
#[derive(Debug)]
pub(super) struct Flight(AbortHandle);

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Flight {
    /// Sends a request. However the task ends, the gateway hears of it.
    pub(super) fn start(
        gateway: ActorRef<Msg>,
        number: Number,
        model: Arc<AnyModel>,
        models: Arc<Models>,
        request: Arc<Request>,
        audience: Audience,
    ) -> Self {
        let report = Report { gateway, number, landing: None };
        let task = tokio::spawn(async move {
            let mut report = report;
            let result = model.stream(&request, &mut |event| audience.tell(event)).await;
            audience.flush();
            report.landing = Some(land(&models, model.id(), &request, result));
        });
        Self(task.abort_handle())
    }
}

fn land(models: &Models, id: &str, request: &Request, result: Result<Reply, Error>) -> Landing {
    let (outcome, doubt) = models.settlement(id, request, &result);
    let usage = result.as_ref().map(|reply| models.book(id, request, reply).usage).unwrap_or_default();
    let (end, signals) = rate_end(&result);
    Landing { result, usage, outcome, doubt, end, signals }
}

/// Tells the gateway how the task ended, also if it panicked.
struct Report {
    gateway: ActorRef<Msg>,
    number: Number,
    landing: Option<Landing>,
}

impl Drop for Report {
    fn drop(&mut self) {
        let landing = self.landing.take().unwrap_or_else(|| Landing {
            result: Err(Error::new(Kind::BrokenOff, "the model's own code")),
            usage: Usage::default(),
            outcome: Outcome::Unknown,
            doubt: None,
            end: End::Failed,
            signals: Signals::default(),
        });
        // Without a gateway there is no ledger either.
        let _ = self.gateway.cast(Msg::Landed { number: self.number, landing: Box::new(landing) });
    }
}

/// Who hears news of a call. Callers can join while it is under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Audience(Arc<Mutex<Vec<Listening>>>);

#[derive(Debug)]
struct Listening {
    news: mpsc::Sender<News>,
    /// Text that a full channel had no room for. It joins the text that follows.
    text: String,
}

impl Audience {
    pub(super) fn join(&self, news: mpsc::Sender<News>) {
        self.locked().push(Listening { news, text: String::new() });
    }

    pub(super) fn tell(&self, event: Event<'_>) {
        let news = match event {
            Event::Text(text) => News::Text(text.to_owned()),
            Event::Started => News::Started,
            Event::Thinking(text) => News::Thinking(text.to_owned()),
            Event::ToolCall { name } => News::ToolCall { name: name.to_owned() },
        };
        self.send(&news);
    }

    pub(super) fn send(&self, news: &News) {
        self.locked().iter_mut().for_each(|listening| listening.send(news.clone()));
    }

    /// Sends what text is left over.
    fn flush(&self) {
        self.locked().iter_mut().for_each(Listening::flush);
    }

    /// Nothing can be left half done, so a lock that somebody died with is as good as any.
    fn locked(&self) -> MutexGuard<'_, Vec<Listening>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listening {
    fn send(&mut self, news: News) {
        match news {
            News::Text(text) => {
                self.text.push_str(&text);
                self.flush();
            }
            News::Retry { .. } => {
                self.text.clear();
                let _ = self.news.try_send(news);
            }
            News::Started | News::Thinking(_) | News::ToolCall { .. } => {
                self.flush();
                let _ = self.news.try_send(news);
            }
        }
    }

    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        match self.news.try_send(News::Text(std::mem::take(&mut self.text))) {
            Err(TrySendError::Full(News::Text(text))) => self.text = text,
            Err(TrySendError::Full(_) | TrySendError::Closed(_)) | Ok(()) => {}
        }
    }
}
