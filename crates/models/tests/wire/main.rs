//! The providers against a server on this machine that behaves, and misbehaves, like real ones.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod bodies;
mod faults;
mod learning;
mod recordings;
mod server;

use std::time::Duration;

use luminos_models::{Anthropic, AnthropicSettings, HttpClient, OpenAi, OpenAiSettings, Secret, TimeOuts};
use server::Server;

/// A key that must never be seen anywhere but in its header.
const CANARY: &str = "sk-ant-CANARY-0123456789abcdefghij";

/// Patient enough for a busy machine.
fn patient() -> HttpClient {
    let seconds = Duration::from_secs;
    let time_outs = TimeOuts { connect: seconds(10), idle: seconds(20), total: seconds(60) };
    HttpClient::new(time_outs, None).unwrap()
}

/// For tests in which waiting is the point.
fn impatient() -> HttpClient {
    let milliseconds = Duration::from_millis;
    let time_outs =
        TimeOuts { connect: milliseconds(500), idle: milliseconds(400), total: milliseconds(2000) };
    HttpClient::new(time_outs, None).unwrap()
}

fn anthropic(server: &Server) -> Anthropic {
    anthropic_over(patient(), server)
}

fn anthropic_over(http: HttpClient, server: &Server) -> Anthropic {
    let settings = AnthropicSettings {
        base_url: server.url(),
        ..AnthropicSettings::new("claude-sonnet-5-5", Secret::new(CANARY.to_owned()))
    };
    Anthropic::new(http, settings).unwrap()
}

fn openai(server: &Server) -> OpenAi {
    let settings = OpenAiSettings {
        key: Some(Secret::new(CANARY.to_owned())),
        ..OpenAiSettings::new("some-model", format!("{}/v1", server.url()))
    };
    OpenAi::new(patient(), settings).unwrap()
}
