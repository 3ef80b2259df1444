//! Limits that a server tells, and those that a user sets.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use luminos_core::spend::Tokens;
use luminos_engine::{
    Call, CallError, GatewayHandle, GatewaySetup, InputCount, Pass, Recording, Request, refine_limits,
};
use luminos_model_server::{Answer, Matcher, ModelFacts, ModelServer, Policy, Refusal, Script, Settings};
use luminos_models::{Exchange, Replay};

use crate::{BOTH, dollars, gateway, question, setup};

const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn what_a_server_says_about_its_models_counts_more_than_the_table() {
    let settings = Settings {
        messages_models: vec![ModelFacts {
            max_output: 60,
            ..ModelFacts::plain("claude-sonnet-5-5", 5000, 60)
        }],
        ..Settings::default()
    };
    let server = ModelServer::start_with(Policy::default(), settings).await.unwrap();
    let mut setup = setup(&server, dollars("1"), PATIENCE);
    refine_limits(&mut setup.facts, &setup.models).await;
    let facts = setup.facts.get("claude-sonnet-5-5").unwrap();
    assert_eq!((facts.window, facts.max_output), (Some(Tokens(5000)), Some(Tokens(60))));
    assert!(facts.price.is_some());
    // A longer answer than the server gives would be refused there, so it is not asked for.
    let gateway = GatewayHandle::start(setup).await.unwrap();
    gateway.complete(question("messages")).await.unwrap();
    let sent = server.requests().last().unwrap().request.json();
    assert_eq!((&sent["max_tokens"], server.counters().invalid), (&60.into(), 0));
}

#[tokio::test]
async fn a_server_that_counts_leaves_more_room_under_a_limit() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    // Signs that are a token each by our estimate, and a quarter of one on the server.
    let long = || Call::new("messages", Request::question(Pass::Ask, "{}".repeat(4000), 100));
    let limits = dollars("0.02");
    let estimated = gateway(&server, limits).await;
    assert!(matches!(estimated.complete(long()).await, Err(CallError::Refused { .. })));
    let setup = GatewaySetup { input_count: InputCount::Asked, ..setup(&server, limits, PATIENCE) };
    let counted = GatewayHandle::start(setup).await.unwrap();
    let answer = counted.complete(long()).await.unwrap();
    assert!(!answer.exceeded, "{answer:?}");

    // One that fails to count, or cannot, is done without.
    let broken = Script::new()
        .when(Matcher::any().path("/v1/messages/count_tokens"), [Answer::from(Refusal::Internal)])
        .otherwise(Policy::default());
    server.play(broken);
    for model in BOTH {
        counted.complete(question(model)).await.unwrap();
    }
}

#[tokio::test]
async fn what_was_recorded_on_the_way_can_be_played_again_without_a_server() {
    let recorded: Arc<Mutex<Vec<Exchange>>> = Arc::default();
    let sink = recorded.clone();
    let recording = Recording(Arc::new(move |exchange| sink.lock().unwrap().push(exchange)));
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let setup =
        GatewaySetup { overseers: vec![Arc::new(recording)], ..setup(&server, dollars("1"), PATIENCE) };
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let mut answers = Vec::new();
    for model in BOTH {
        answers.push(gateway.complete(question(model)).await.unwrap().reply.text());
    }
    let recorded = recorded.lock().unwrap().clone();
    for ((exchange, answer), model) in
        recorded.into_iter().zip(answers).zip(["claude-sonnet-5-5", "local-small"])
    {
        let replay = Replay::new(model, [exchange]);
        let again = luminos_models::Model::complete(&replay, &question("any").request).await.unwrap();
        assert_eq!(again.text(), answer);
    }
}
