//! A small investigation: several directories at once, each a conversation of its own, under one money limit and
//! with faults on the way.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use luminos_core::spend::{Tokens, Usage};
use luminos_engine::{
    Attempt, Call, CallId, GatewayHandle, GatewaySetup, Overseer, Pass, Request, StopReason, Verdict,
};
use luminos_model_server::{
    Answer, Cut, EventFault, Manner, Matcher, ModelServer, Policy, Refusal, Script, WireFault,
};
use luminos_models::{Message, Reply, ToolResult, ToolSpec, UserBlock};
use serde_json::{Map, Value, json};

use crate::{BOTH, dollars, is_idle, setup, until};

const DIRS: [&str; 6] = ["src", "docs", "tests", "tools", "data", "web"];
const TOOLS: [&str; 5] = ["list_directory", "read_file", "write_cache", "flag", "submit_report"];

fn tool(name: &str) -> ToolSpec {
    let schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    let description = format!("What {name} does, in many words. ").repeat(20);
    ToolSpec { name: name.to_owned(), description, schema }
}

fn result(name: &str) -> &'static str {
    match name {
        "list_directory" => "lib.rs  40 B  file\nREADME.md  9 B  file",
        "read_file" => "1\tpub fn answer() -> u32 { 42 }\n2\t// TODO: ask",
        _ => "ok",
    }
}

/// The request that follows a reply.
fn follow(request: &mut Request, reply: &Reply) {
    let results = reply.tool_calls().map(|call| {
        let text = result(&call.name).to_owned();
        UserBlock::ToolResult(ToolResult { call_id: call.id.clone(), text, failed: false })
    });
    let results = results.collect();
    request.messages.push(Message::Assistant(reply.content.clone()));
    request.messages.push(Message::User(results));
}

/// What came out of one directory.
struct Report {
    evidence: Value,
    turns: u64,
    usage: Usage,
}

async fn investigate(gateway: &GatewayHandle, model: &str, dir: &str) -> Report {
    let mut request = Request {
        system: vec!["You look into directories. ".repeat(100)],
        tools: TOOLS.map(tool).to_vec(),
        ..Request::question(Pass::Dir, format!("Directory: {dir}\nInvestigate it."), 2000)
    };
    let mut usage = Usage::default();
    for turn in 1..=9 {
        let call =
            || Call::new(model, request.clone()).with_id(CallId(format!("run/{model}/{dir}/{turn}/1")));
        let answer = gateway.complete(call()).await.unwrap();
        // A worker that died comes back with the same call, and gets the same answer for nothing.
        assert_eq!(gateway.complete(call()).await.unwrap(), answer);
        assert_eq!(answer.reply.stop, StopReason::ToolUse);
        usage = usage + answer.usage;
        if let Some(report) = answer.reply.tool_calls().find(|call| call.name == "submit_report") {
            return Report {
                evidence: report.arguments.to_object()["evidence"][0].clone(),
                turns: turn,
                usage,
            };
        }
        follow(&mut request, &answer.reply);
    }
    panic!("{dir} comes to no end")
}

/// Counts the tries that it authorised.
#[derive(Debug, Default)]
struct Budget(AtomicU64);

impl Overseer for Budget {
    fn before_paying<'a>(&'a self, attempt: Attempt<'a>) -> Verdict<'a> {
        assert!(attempt.id.is_some());
        Box::pin(async {
            tokio::task::yield_now().await;
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directories_are_looked_into_side_by_side_through_both_interfaces() {
    let policy = Policy { manner: Manner::Thinks, ..Policy::default() };
    let faults = [
        Answer::policy().with(WireFault::Reset(Cut::AfterEvents(3))),
        Answer::from(Refusal::Overloaded),
        Answer::policy().with(EventFault::WithoutEnd),
    ];
    let script = Script::new().when(Matcher::any().containing("Directory: docs"), faults).otherwise(policy);
    let server = ModelServer::start(script).await.unwrap();
    let budget = Arc::new(Budget::default());
    let setup = GatewaySetup {
        overseers: vec![budget.clone()],
        ..setup(&server, dollars("2"), std::time::Duration::from_secs(20))
    };
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let mut loops = Vec::new();
    for model in BOTH {
        for dir in DIRS {
            let gateway = gateway.clone();
            loops.push((dir, tokio::spawn(async move { investigate(&gateway, model, dir).await })));
        }
    }
    let (mut turns, mut usage) = (0, Usage::default());
    for (dir, investigation) in loops {
        let report = investigation.await.unwrap();
        let quote = json!({
            "path": format!("{dir}/lib.rs"), "start_line": 1, "end_line": 1, "quote": "pub fn answer() -> u32 { 42 }",
        });
        assert_eq!(report.evidence, quote);
        turns += report.turns;
        usage = usage + report.usage;
    }
    let totals = until(&gateway, is_idle).await;
    let counters = server.counters();
    assert_eq!((counters.invalid, counters.unexpected), (0, 0));
    // Every turn was paid once; three tries failed, of which one cannot have cost anything.
    assert_eq!((totals.spending.spent.calls, totals.retries), (turns + 2, 3));
    assert_eq!(counters.requests, turns + 3);
    assert_eq!(budget.0.load(Ordering::Relaxed), turns + 3);
    // What broke off is booked on top of what was answered: its input, and what was received.
    assert!(usage.input < totals.usage.input && usage.output <= totals.usage.output, "{:?}", totals.usage);
    let cached = |usage: Usage| (usage.cache_read, usage.cache_write_5m, usage.cache_write_1h);
    assert_eq!(cached(totals.usage), cached(usage));
    // Most of what was sent had been sent before.
    assert!(usage.input + usage.cache_write_5m < usage.cache_read, "{usage:?}");
    assert!(totals.spending.spent.money < "2".parse().unwrap() && Tokens(0) < totals.spending.spent.tokens);
}
