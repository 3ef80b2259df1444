//! Those who have a say in every try.

use std::sync::Mutex;

use luminos_models::{Exchange, Outcome, Reply};
use tokio::sync::Semaphore;

use super::*;

/// An objection for tests.
#[derive(Debug, thiserror::Error)]
#[error("no turns are left")]
struct NoTurns;

/// Writes down what it sees; lets tries begin one by one; objects where it is told to.
#[derive(Debug)]
struct Notary {
    seen: Mutex<Vec<String>>,
    allowed: Semaphore,
    objects_at: Option<Stage>,
}

impl Notary {
    fn new(allowed: usize, objects_at: Option<Stage>) -> Arc<Self> {
        Arc::new(Self { seen: Mutex::default(), allowed: Semaphore::new(allowed), objects_at })
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    fn note(&self, what: String, stage: Stage) -> Result<(), Objection> {
        self.seen.lock().unwrap().push(what);
        if self.objects_at == Some(stage) { Err(Arc::new(NoTurns)) } else { Ok(()) }
    }
}

impl Overseer for Notary {
    fn before_paying<'a>(&'a self, attempt: Attempt<'a>) -> Verdict<'a> {
        Box::pin(async move {
            let id = attempt.id.map_or("none", |id| id.0.as_str());
            self.allowed.acquire().await.unwrap().forget();
            let worst = attempt.worst.money.unwrap();
            let what = format!("{} {id} try {} for {worst}", attempt.model, attempt.retries);
            self.note(what, Stage::Paying)
        })
    }

    fn before_answering<'a>(&'a self, _: Attempt<'a>, result: &'a Result<Reply, Error>) -> Verdict<'a> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let what = result.as_ref().map_or_else(ToString::to_string, Reply::text);
            self.note(what, Stage::Answering)
        })
    }
}

async fn overseen(lines: impl IntoIterator<Item = Line>, overseer: Arc<dyn Overseer>) -> GatewayHandle {
    let setup = GatewaySetup { overseers: vec![overseer], ..setup(lines, dollars("1")) };
    GatewayHandle::start(setup).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn every_try_is_seen_before_it_is_paid_and_before_it_is_answered() {
    let notary = Notary::new(9, None);
    let gateway = overseen([fail(Kind::ServerFailed), text("Well.")], notary.clone()).await;
    gateway.complete(question().with_id(CallId("dir/1".to_owned()))).await.unwrap();
    assert_eq!(
        notary.seen(),
        [
            "scripted dir/1 try 0 for $0.00553",
            "the play failed",
            "scripted dir/1 try 1 for $0.00553",
            "Well.",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn an_objection_before_paying_costs_nothing() {
    let notary = Notary::new(9, Some(Stage::Paying));
    let gateway = overseen([text("Never.")], notary).await;
    let error = gateway.complete(question()).await.unwrap_err();
    assert_snapshot!(words(&error), @"the model is not asked: no turns are left");
    let CallError::Vetoed { because, .. } = error else { panic!("{error:?}") };
    assert!(because.downcast_ref::<NoTurns>().is_some());
    let totals = gateway.totals().await.unwrap();
    assert_eq!((totals.spending.spent, is_idle(&totals)), (Totals::default(), true));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_withheld_is_paid_for() {
    let notary = Notary::new(9, Some(Stage::Answering));
    let gateway = overseen([text("Well."), text("Never.")], notary).await;
    let error = gateway.complete(question()).await.unwrap_err();
    assert_snapshot!(words(&error), @"the answer of the model is withheld: no turns are left");
    let totals = gateway.totals().await.unwrap();
    assert_eq!((totals.spending.spent.calls, is_idle(&totals)), (1, true));
    assert!(Money::default() < totals.spending.spent.money);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_before_it_is_paid_for_owes_nothing() {
    let notary = Notary::new(0, None);
    let gateway = overseen([text("Never.")], notary.clone()).await;
    let caller = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question()).await }
    });
    until(&gateway, |totals| totals.in_flight == 1).await;
    caller.abort();
    let totals = until(&gateway, is_idle).await;
    assert_eq!((totals.spending.spent, notary.seen()), (Totals::default(), Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn every_exchange_can_be_recorded_without_secrets() {
    let key = format!("AKIA{}", "A1B2C3D4E5F6G7H8");
    let recorded: Arc<Mutex<Vec<Exchange>>> = Arc::default();
    let sink = recorded.clone();
    let recording = Recording(Arc::new(move |exchange| sink.lock().unwrap().push(exchange)));
    let said = format!("The key is {key}.");
    let gateway = overseen([fail(Kind::Overloaded), text(&said)], Arc::new(recording)).await;
    let call = Call::new("play", Request::question(Pass::Ask, format!("Is {key} a key?"), 100));
    gateway.complete(call).await.unwrap();
    let recorded = recorded.lock().unwrap();
    assert!(matches!(&recorded[0].outcome, Outcome::Failure(words) if words == "the play is overloaded"));
    let shown = serde_json::to_string(&recorded[1]).unwrap();
    assert!(shown.contains("The key is [redacted aws-key]."), "{shown}");
    assert!(!serde_json::to_string(&*recorded).unwrap().contains(&key));
}
