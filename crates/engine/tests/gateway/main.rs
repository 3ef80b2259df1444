//! The gateway with real clients over real connections, to a server that misbehaves on script.
#![cfg(test)]

mod faults;
mod investigation;
mod limits;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use luminos_core::rate::Concurrency;
use luminos_core::spend::{Limits, Spending, Totals};
use luminos_engine::{Call, GatewayHandle, GatewaySetup, GatewayTotals, InputCount, Models, Pass, Request};
use luminos_model_server::ModelServer;
use luminos_models::{
    Anthropic, AnthropicSettings, AnyModel, HttpClient, OpenAi, OpenAiSettings, Secret, TimeOuts,
};
use tokio::time::Instant;

/// The names of the models, one behind each interface.
const BOTH: [&str; 2] = ["messages", "chat"];

/// A price for the model behind chat completions, so that money can be limited there, too.
const PRICES: &str = "[local-small]\ninput = 2.0\noutput = 10.0\n";

/// Made once for each patience: reading the machine's certificates takes a while.
fn http(idle: Duration) -> HttpClient {
    static MADE: Mutex<BTreeMap<Duration, HttpClient>> = Mutex::new(BTreeMap::new());
    // For the head of an answer both are waited for.
    let time_outs = TimeOuts { connect: idle, idle, total: Duration::from_secs(120) };
    let mut made = MADE.lock().unwrap();
    made.entry(idle)
        .or_insert_with(|| HttpClient::new(time_outs, &luminos_models::Network::default()).unwrap())
        .clone()
}

fn setup(server: &ModelServer, limits: Limits, idle: Duration) -> GatewaySetup {
    let http = http(idle);
    let key = || Secret::new("sk-test".to_owned());
    let anthropic =
        AnthropicSettings { base_url: server.url(), ..AnthropicSettings::new("claude-sonnet-5-5", key()) };
    let openai = OpenAiSettings::new("local-small", format!("{}/v1", server.url()));
    let models = [
        AnyModel::Anthropic(Anthropic::new(http.clone(), anthropic).unwrap()),
        AnyModel::OpenAi(OpenAi::new(http, openai).unwrap()),
    ];
    GatewaySetup {
        models: BOTH.map(str::to_owned).into_iter().zip(models).collect::<BTreeMap<_, _>>(),
        facts: Models::read(Some(PRICES)).unwrap(),
        input_count: InputCount::Estimated,
        limits,
        spent: Spending::default(),
        patience: Duration::from_secs(600),
        overseers: Vec::new(),
        lanes: luminos_engine::Lanes::default(),
        concurrency: Concurrency { initial: 16, most: 64 },
        start: Instant::now(),
        random: Box::new(|| 0),
    }
}

async fn gateway(server: &ModelServer, limits: Limits) -> GatewayHandle {
    GatewayHandle::start(setup(server, limits, Duration::from_secs(20))).await.unwrap()
}

fn dollars(amount: &str) -> Limits {
    Limits { money: Some(amount.parse().unwrap()), ..Limits::default() }
}

fn question(model: &str) -> Call {
    Call::new(model, Request::question(Pass::Ask, "What is it?", 100))
}

fn is_idle(totals: &GatewayTotals) -> bool {
    (totals.in_flight, totals.waiting, totals.spending.reserved) == (0, 0, Totals::default())
}

/// Waits until the gateway stands so.
async fn until(gateway: &GatewayHandle, stands: impl Fn(&GatewayTotals) -> bool) -> GatewayTotals {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let totals = gateway.totals().await.unwrap();
        if stands(&totals) {
            return totals;
        }
        assert!(Instant::now() < deadline, "still {totals:?}");
        tokio::task::yield_now().await;
    }
}
