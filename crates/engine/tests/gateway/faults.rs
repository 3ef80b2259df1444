//! What goes wrong on the way, and what that means for retries, the ledger and those who wait.

use std::time::Duration;

use luminos_core::spend::{Limits, Money, Totals};
use luminos_engine::{CallError, GatewayHandle, News};
use luminos_model_server::{
    Answer, Cut, EventFault, Lasts, ModelServer, Refusal, RetryAfter, Script, TurnFault, Usage, WireFault,
};
use luminos_models::Kind;
use tokio::sync::mpsc;

use crate::{BOTH, dollars, gateway, is_idle, question, setup, until};

fn hello() -> Answer {
    Answer::text("Hello, whoever you are.")
}

/// Whether a failed try is booked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Costs {
    Nothing,
    /// Its input, and what was received.
    ItsInput,
}

/// One failure of this kind is tried again and then answered.
async fn heals(model: &'static str, fault: Answer, costs: Costs) {
    let script = Script::new().then(fault.clone()).always(hello());
    let server = ModelServer::start(script).await.unwrap();
    let setup = setup(&server, dollars("1"), Duration::from_millis(1500));
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let (sender, mut news) = mpsc::channel(64);
    let answer = gateway.stream(question(model), sender).await.unwrap();
    assert_eq!((answer.reply.text().as_str(), answer.retries), ("Hello, whoever you are.", 1), "{fault:?}");
    let totals = gateway.totals().await.unwrap();
    let calls = if costs == Costs::Nothing { 1 } else { 2 };
    assert_eq!((totals.spending.spent.calls, is_idle(&totals)), (calls, true), "{model} {fault:?}");
    assert_eq!(answer.charged.money, Some(totals.spending.spent.money));
    // Whoever listens hears that what came before is void, and then the whole answer.
    let (mut text, mut retries) = (String::new(), 0);
    while let Ok(news) = news.try_recv() {
        match news {
            News::Text(more) => text.push_str(&more),
            News::Retry { .. } => {
                text.clear();
                retries += 1;
            }
            News::Started | News::Thinking(_) | News::ToolCall { .. } => {}
        }
    }
    assert_eq!((text.as_str(), retries), ("Hello, whoever you are.", 1), "{model} {fault:?}");
    assert_eq!((server.counters().requests, server.counters().invalid), (2, 0));
}

#[tokio::test]
async fn what_another_try_can_heal_is_tried_again() {
    let rows = [
        (hello().with(WireFault::Reset(Cut::BeforeHead)), Costs::ItsInput),
        (hello().with(WireFault::Reset(Cut::AfterEvents(4))), Costs::ItsInput),
        (hello().with(WireFault::Close(Cut::AfterEvents(4))), Costs::ItsInput),
        (hello().with(WireFault::Hang(Cut::BeforeHead, Lasts::Forever)), Costs::ItsInput),
        (hello().with(WireFault::Hang(Cut::AfterEvents(3), Lasts::Forever)), Costs::ItsInput),
        (hello().with(EventFault::WithoutEnd), Costs::ItsInput),
        (hello().with(EventFault::Error(4, Refusal::Overloaded)), Costs::ItsInput),
        (Refusal::Internal.into(), Costs::Nothing),
        (Refusal::Overloaded.into(), Costs::Nothing),
        (Refusal::OverloadInside500.into(), Costs::Nothing),
        (Refusal::RateLimited(RetryAfter::Millis(20)).into(), Costs::Nothing),
        (Refusal::RateLimited(RetryAfter::Unsaid).into(), Costs::Nothing),
    ];
    // Side by side, because most of it is waiting.
    let tries: Vec<_> = rows
        .into_iter()
        .flat_map(|(fault, costs)| BOTH.map(|model| tokio::spawn(heals(model, fault.clone(), costs))))
        .collect();
    for tried in tries {
        tried.await.unwrap();
    }
}

#[tokio::test]
async fn what_no_try_can_heal_is_told_at_once_and_costs_nothing() {
    for (refusal, kind) in [
        (Refusal::Unauthorized, Kind::KeyRefused),
        (Refusal::Billing, Kind::PaymentRequired),
        (Refusal::Forbidden, Kind::Forbidden),
        (Refusal::NotFound("model: gone".to_owned()), Kind::NotFound),
        (Refusal::ContextTooLong { tokens: 9, window: 5 }, Kind::ContextTooLong),
        (Refusal::Invalid("nonsense".to_owned()), Kind::BadRequest),
    ] {
        for model in BOTH {
            let server = ModelServer::start(Script::new().always(refusal.clone())).await.unwrap();
            let gateway = gateway(&server, dollars("1")).await;
            let error = gateway.complete(question(model)).await.unwrap_err();
            assert!(matches!(&error, CallError::Failed(error) if error.kind() == kind), "{error:?}");
            let totals = gateway.totals().await.unwrap();
            assert_eq!((totals.spending.spent, is_idle(&totals)), (Totals::default(), true));
            assert_eq!(server.counters().requests, 1);
        }
    }
}

#[tokio::test]
async fn a_spend_limit_of_the_provider_ends_it() {
    let server = ModelServer::start(Script::new().always(Refusal::SpendLimit)).await.unwrap();
    let gateway = gateway(&server, Limits::default()).await;
    for model in BOTH {
        gateway.complete(question(model)).await.unwrap_err();
    }
    assert_eq!(server.counters().requests, 2);
}

#[tokio::test]
async fn a_server_that_comes_back_is_found_again() {
    let server = ModelServer::start(Script::new().always(hello())).await.unwrap();
    server.refuse_connections().await;
    let gateway = gateway(&server, dollars("1")).await;
    let asking = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question("messages")).await.unwrap() }
    });
    until(&gateway, |totals| totals.retries == 1).await;
    server.accept_connections().await;
    let answer = asking.await.unwrap();
    assert_eq!(answer.reply.text(), "Hello, whoever you are.");
    // What never arrived costs nothing.
    assert_eq!(gateway.totals().await.unwrap().spending.spent.calls, 1);
}

#[tokio::test]
async fn a_storm_of_refusals_makes_everybody_wait_together() {
    const CROWD: usize = 24;
    let refusal = Refusal::RateLimited(RetryAfter::Millis(300));
    let server = ModelServer::start(Script::new().times(50, refusal).always(hello())).await.unwrap();
    let gateway = gateway(&server, dollars("1")).await;
    let callers: Vec<_> = (0..CROWD)
        .map(|_| {
            let gateway = gateway.clone();
            tokio::spawn(async move { gateway.complete(question("messages")).await.unwrap() })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let totals = gateway.totals().await.unwrap();
    // Each refusal is one try again; each caller paid once.
    assert_eq!((totals.retries, totals.spending.spent.calls, is_idle(&totals)), (50, CROWD as u64, true));
    assert!(server.counters().most_in_flight <= 16);
}

#[tokio::test]
async fn what_is_reported_is_booked_and_what_is_not_is_estimated_within_what_was_set_aside() {
    for usage in [Usage::Missing, Usage::Zero, Usage::Negative, Usage::Huge, Usage::TooLow, Usage::OnlyAtEnd]
    {
        for model in BOTH {
            let script = Script::new().always(hello().with(TurnFault::Usage(usage)));
            let server = ModelServer::start(script).await.unwrap();
            let gateway = gateway(&server, dollars("0.002")).await;
            let answer = gateway.complete(question(model)).await.unwrap();
            let charged = answer.charged.money.unwrap();
            let limit: Money = "0.002".parse().unwrap();
            assert_eq!(limit < charged, usage == Usage::Huge, "{usage:?} {charged}");
            assert!(Money::default() < charged, "{usage:?} {charged}");
            assert_eq!(
                (answer.exceeded, answer.passed.is_some()),
                (limit < charged, limit < charged),
                "{usage:?}"
            );
            let totals = gateway.totals().await.unwrap();
            assert_eq!((totals.spending.spent.money, totals.passed), (charged, answer.passed), "{usage:?}");
            let is_doubted = !matches!(usage, Usage::Huge | Usage::OnlyAtEnd);
            assert_eq!(answer.doubt.is_some(), is_doubted, "{model} {usage:?} {:?}", answer.usage);
        }
    }
}

#[tokio::test]
async fn a_caller_that_leaves_closes_the_connection_and_pays() {
    let hangs = hello().with(WireFault::Hang(Cut::AfterEvents(2), Lasts::Forever));
    let server = ModelServer::start(Script::new().always(hangs)).await.unwrap();
    let gateway = gateway(&server, dollars("1")).await;
    for (model, number) in BOTH.into_iter().zip(1..) {
        let asking = tokio::spawn({
            let gateway = gateway.clone();
            async move { gateway.complete(question(model)).await }
        });
        server.until(|counters| counters.in_flight == 1).await;
        asking.abort();
        server.until(|counters| counters.clients_left == number).await;
        assert_eq!(until(&gateway, is_idle).await.spending.spent.calls, number);
    }
    // So does the end of the gateway.
    let asking = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question("chat")).await }
    });
    server.until(|counters| counters.in_flight == 1).await;
    gateway.stop();
    assert!(matches!(asking.await.unwrap(), Err(CallError::Gone)));
    server.until(|counters| counters.clients_left == 3).await;
}

#[tokio::test]
async fn tool_calls_of_a_turn_that_broke_off_are_never_seen() {
    let call = luminos_model_server::Turn::call("delete", &serde_json::json!({ "path": "everything" }));
    let cut = Answer::from(call).with(EventFault::WithoutEnd);
    let server = ModelServer::start(Script::new().then(cut).always(hello())).await.unwrap();
    let gateway = gateway(&server, dollars("1")).await;
    let answer = gateway.complete(question("messages")).await.unwrap();
    assert_eq!((answer.retries, answer.reply.tool_calls().count()), (1, 0));
}
