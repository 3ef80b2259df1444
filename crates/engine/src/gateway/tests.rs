//! The gateway with scripted models, on a clock that runs only when everybody waits.

mod lanes;
mod oversight;

use std::time::Duration;

use insta::assert_snapshot;
use luminos_core::Moment;
use luminos_core::spend::{Money, Totals};
use luminos_models::{Error, Kind, Line, Pass, Scripted};

use super::*;

/// A price for the scripted model, so that money can be limited.
const PRICES: &str = "[scripted]\ninput = 10.0\noutput = 50.0\n";

/// Numbers that look random and are the same for the same seed.
fn dice(seed: u64) -> impl FnMut() -> u32 + Send {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) as u32
    }
}

fn setup(lines: impl IntoIterator<Item = Line>, limits: Limits) -> GatewaySetup {
    GatewaySetup {
        models: BTreeMap::from([("play".to_owned(), AnyModel::Scripted(Scripted::new(lines)))]),
        facts: Models::read(Some(PRICES)).unwrap(),
        input_count: InputCount::Estimated,
        limits,
        spent: Spending::default(),
        overseers: Vec::new(),
        lanes: Lanes::default(),
        patience: Duration::from_secs(600),
        concurrency: Concurrency { initial: 16, most: 64 },
        start: Instant::now(),
        random: Box::new(|| 0),
    }
}

async fn gateway(lines: impl IntoIterator<Item = Line>, limits: Limits) -> GatewayHandle {
    GatewayHandle::start(setup(lines, limits)).await.unwrap()
}

fn text(text: &str) -> Line {
    Line::Reply(luminos_models::Reply::of_text(text))
}

fn fail(kind: Kind) -> Line {
    Line::Fail(Error::new(kind, "the play"))
}

fn question() -> Call {
    Call::new("play", Request::question(Pass::Ask, "What is it?", 100))
}

fn dollars(amount: &str) -> Limits {
    Limits { money: Some(amount.parse().unwrap()), ..Limits::default() }
}

/// Waits until the gateway stands so; on a paused clock that takes no time.
async fn until(gateway: &GatewayHandle, stands: impl Fn(&GatewayTotals) -> bool) -> GatewayTotals {
    for _ in 0..10_000 {
        let totals = gateway.totals().await.unwrap();
        if stands(&totals) {
            return totals;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("still {:?}", gateway.totals().await)
}

fn is_idle(totals: &GatewayTotals) -> bool {
    (totals.in_flight, totals.waiting, totals.spending.reserved) == (0, 0, Totals::default())
}

#[tokio::test(start_paused = true)]
async fn a_call_is_answered_and_booked_at_what_it_used() {
    let gateway = gateway([text("A play.")], dollars("1")).await;
    let (news, mut heard) = mpsc::channel(8);
    let answer = gateway.stream(question(), news).await.unwrap();
    assert_eq!(answer.reply.text(), "A play.");
    // Ten tokens of input and two of output, as the script says.
    assert_eq!(answer.charged.money, Some(Money::from_nanodollars(200_000)));
    assert!(matches!(heard.recv().await, Some(News::Started)));
    assert!(matches!(heard.recv().await, Some(News::Text(text)) if text == "A play."));
    let totals = gateway.totals().await.unwrap();
    assert_eq!(
        (totals.spending.spent.calls, totals.spending.spent.tokens, is_idle(&totals)),
        (1, Tokens(12), true)
    );
}

#[tokio::test(start_paused = true)]
async fn secrets_are_taken_out_and_counted() {
    let key = format!("AKIA{}", "A1B2C3D4E5F6G7H8");
    let gateway = gateway([text("Fine.")], Limits::default()).await;
    let call = Call::new("play", Request::question(Pass::Ask, format!("Is {key} a key?"), 100));
    assert_eq!(gateway.complete(call).await.unwrap().redactions, 1);
    assert_eq!(gateway.totals().await.unwrap().redactions, 1);
}

#[tokio::test(start_paused = true)]
async fn a_throttled_crowd_waits_once_and_together() {
    const CROWD: usize = 12;
    let lines = (0..CROWD).map(|_| fail(Kind::RateLimited)).chain((0..CROWD).map(|_| text("Well.")));
    let gateway = gateway(lines, Limits::default()).await;
    let start = Instant::now();
    let callers: Vec<_> = (0..CROWD)
        .map(|_| {
            let gateway = gateway.clone();
            tokio::spawn(async move { gateway.complete(question()).await.unwrap() })
        })
        .collect();
    for caller in callers {
        assert_eq!(caller.await.unwrap().retries, 1);
    }
    // One pause of a second for all of them, not one for each.
    let took = start.elapsed();
    assert!((Duration::from_secs(1)..Duration::from_millis(1100)).contains(&took), "{took:?}");
    let totals = gateway.totals().await.unwrap();
    assert_eq!((totals.retries, totals.spending.spent.calls, is_idle(&totals)), (12, 12, true));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_came_during_the_pause_waits_for_its_end() {
    let gateway = gateway([fail(Kind::Overloaded), text("One."), text("Two.")], Limits::default()).await;
    let first = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question()).await }
    });
    until(&gateway, |totals| totals.retries == 1).await;
    let start = Instant::now();
    gateway.complete(question()).await.unwrap();
    assert!(Duration::from_millis(900) < start.elapsed(), "{:?}", start.elapsed());
    first.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn failures_are_tried_again_as_the_table_says() {
    let lines = [fail(Kind::ServerFailed), fail(Kind::BrokenOff), text("At last.")];
    let gateway = gateway(lines, dollars("1")).await;
    let (news, mut heard) = mpsc::channel(8);
    let answer = gateway.stream(question(), news).await.unwrap();
    assert_eq!(answer.retries, 2);
    assert!(
        matches!(heard.recv().await, Some(News::Retry { wait, .. }) if wait == Duration::from_millis(500))
    );
    // A server that failed before the first byte is owed nothing, a stream that broke its input and what came of the
    // answer: 53 tokens at $10 and one at $50.
    let totals = gateway.totals().await.unwrap();
    assert_eq!(totals.spending.spent.calls, 2);
    assert_eq!(answer.charged.money, Some(totals.spending.spent.money));
    assert_eq!(totals.spending.spent.money, Money::from_nanodollars(580_000 + 200_000));
    assert_eq!(totals.spending.spent.tokens, totals.usage.total(), "tokens are the sum of their kinds");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_help_is_not_tried_again() {
    let gateway = gateway([fail(Kind::SpendLimitReached), text("Never.")], Limits::default()).await;
    let error = gateway.complete(question()).await.unwrap_err();
    assert!(matches!(&error, CallError::Failed(error) if error.kind() == Kind::SpendLimitReached));
    assert_eq!(gateway.totals().await.unwrap().spending, Spending::default());
}

#[tokio::test(start_paused = true)]
async fn no_retry_passes_the_deadline() {
    let limits = Limits { deadline: Some(Moment(Duration::from_secs(5))), ..Limits::default() };
    let gateway = gateway((0..100).map(|_| fail(Kind::Overloaded)), limits).await;
    let error = gateway.complete(question()).await.unwrap_err();
    assert!(matches!(error, CallError::Failed(_) | CallError::Refused { .. }), "{error:?}");
    let late = gateway.totals().await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(gateway.totals().await.unwrap().retries, late.retries);
    let error = gateway.complete(question()).await.unwrap_err();
    assert_snapshot!(words(&error), @"
    scripted is not asked: the time limit is reached
    hint: raise the time limit
    ");
}

#[tokio::test(start_paused = true)]
async fn who_waits_is_refused_at_the_deadline() {
    let limits = Limits { deadline: Some(Moment(Duration::from_secs(5))), ..Limits::default() };
    let mut setup = setup([Line::Hang], limits);
    setup.concurrency = Concurrency { initial: 1, most: 1 };
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let hanging = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question()).await }
    });
    until(&gateway, |totals| totals.in_flight == 1).await;
    let error = gateway.complete(question()).await.unwrap_err();
    assert!(matches!(error, CallError::Refused { .. }), "{error:?}");
    hanging.abort();
    until(&gateway, is_idle).await;
}

fn words(error: &CallError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    }
}

#[tokio::test(start_paused = true)]
async fn refusals_say_which_limit_and_what_to_do() {
    let gateway = gateway([], dollars("0.001")).await;
    assert_snapshot!(words(&gateway.complete(question()).await.unwrap_err()), @"
    scripted is not asked: the money limit of $0.001 leaves $0.001, and the next call can cost $0.00553
    hint: raise the money limit, or allow a shorter answer
    ");

    let mut unpriced = setup([], dollars("1"));
    unpriced.facts = Models::read(None).unwrap();
    let gateway = GatewayHandle::start(unpriced).await.unwrap();
    assert_snapshot!(words(&gateway.complete(question()).await.unwrap_err()), @r#"
    scripted is not asked: there is a money limit, and the price of the model is not known
    hint: drop the money limit, or add these lines to models.toml, in dollars for a million tokens:
    ["scripted"]
    input = …
    output = …
    "#);

    let gateway = self::gateway([], Limits { tokens: Some(Tokens(50)), ..Limits::default() }).await;
    assert_snapshot!(words(&gateway.complete(question()).await.unwrap_err()), @"
    scripted is not asked: the limit of 50 tokens leaves 50, and the next call can use 153
    hint: raise the limit of tokens, or allow a shorter answer
    ");

    let gateway = self::gateway([text("One.")], Limits { calls: Some(1), ..Limits::default() }).await;
    gateway.complete(question()).await.unwrap();
    assert_snapshot!(words(&gateway.complete(question()).await.unwrap_err()), @"
    scripted is not asked: the limit of 1 model calls is reached
    hint: raise the limit of calls
    ");

    let nobody = Call { model: "nobody".to_owned(), ..question() };
    assert_snapshot!(words(&gateway.complete(nobody).await.unwrap_err()), @"there is no model `nobody`");
}

#[tokio::test(start_paused = true)]
async fn a_repeated_call_joins_the_running_one_or_gets_its_answer() {
    let lines = [fail(Kind::ServerFailed), text("Once."), text("Twice.")];
    let gateway = gateway(lines, Limits::default()).await;
    let call = || question().with_id(CallId("dir-7/turn-3".to_owned()));
    let first = tokio::spawn({
        let (gateway, call) = (gateway.clone(), call());
        async move { gateway.complete(call).await.unwrap() }
    });
    until(&gateway, |totals| totals.retries == 1).await;
    let second = gateway.complete(call()).await.unwrap();
    assert_eq!(first.await.unwrap(), second);
    assert_eq!(gateway.complete(call()).await.unwrap(), second);
    assert_eq!(second.reply.text(), "Once.");
    // The failed try and the repeated calls cost nothing.
    assert_eq!(gateway.totals().await.unwrap().spending.spent.calls, 1);
}

#[tokio::test(start_paused = true)]
async fn a_joined_call_goes_on_until_the_last_caller_leaves() {
    let gateway = gateway([Line::Hang], dollars("1")).await;
    let call = || question().with_id(CallId("one".to_owned()));
    let callers: Vec<_> = (0..2)
        .map(|_| {
            let (gateway, call) = (gateway.clone(), call());
            tokio::spawn(async move { gateway.complete(call).await })
        })
        .collect();
    until(&gateway, |totals| totals.in_flight == 1).await;
    callers[0].abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(gateway.totals().await.unwrap().in_flight, 1);
    callers[1].abort();
    let totals = until(&gateway, is_idle).await;
    // A call that was cut off costs its input and what was received of the answer: nothing.
    assert_eq!(totals.spending.spent.calls, 1);
    assert_eq!(totals.spending.spent.money, Money::from_nanodollars(530_000));
    assert_eq!(totals.spending.spent.tokens, totals.usage.total());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_gateway_is_an_error_for_all_and_a_hang_for_none() {
    let mut setup = setup([Line::Hang, Line::Hang], Limits::default());
    setup.concurrency = Concurrency { initial: 1, most: 1 };
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let callers: Vec<_> = (0..2)
        .map(|_| {
            let gateway = gateway.clone();
            tokio::spawn(async move { gateway.complete(question()).await })
        })
        .collect();
    until(&gateway, |totals| (totals.in_flight, totals.waiting) == (1, 1)).await;
    gateway.actor.kill();
    for caller in callers {
        assert!(matches!(caller.await.unwrap(), Err(CallError::Gone)));
    }
    assert!(matches!(gateway.complete(question()).await, Err(CallError::Gone)));
    assert!(matches!(gateway.totals().await, Err(CallError::Gone)));
}

#[tokio::test(start_paused = true)]
async fn a_slow_listener_holds_nothing_up_and_hears_joined_texts() {
    let gateway = gateway([text("Long story.")], Limits::default()).await;
    let (news, mut heard) = mpsc::channel(2);
    let answer = gateway.stream(question(), news).await.unwrap();
    assert_eq!(answer.reply.text(), "Long story.");
    assert!(matches!(heard.recv().await, Some(News::Started)));
}

#[tokio::test(start_paused = true)]
async fn an_id_stands_for_one_request_only() {
    let gateway = gateway([fail(Kind::ServerFailed), text("Once.")], Limits::default()).await;
    let id = || CallId("dir-7/turn-3".to_owned());
    let other = || Call::new("play", Request::question(Pass::Ask, "What else?", 100)).with_id(id());
    let first = tokio::spawn({
        let (gateway, call) = (gateway.clone(), question().with_id(id()));
        async move { gateway.complete(call).await.unwrap() }
    });
    until(&gateway, |totals| totals.retries == 1).await;
    let error = gateway.complete(other()).await.unwrap_err();
    assert_snapshot!(words(&error), @"the call id `dir-7/turn-3` was used before for another request");
    first.await.unwrap();
    assert!(matches!(gateway.complete(other()).await, Err(CallError::IdReused { .. })));
    assert_eq!(gateway.complete(question().with_id(id())).await.unwrap().reply.text(), "Once.");
    assert_eq!(gateway.totals().await.unwrap().spending.spent.calls, 1);
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_run_spent_counts() {
    let mut setup = setup([text("Never.")], dollars("1"));
    let half = Totals { money: "0.4995".parse().unwrap(), tokens: Tokens(5), calls: 1 };
    setup.spent = Spending { spent: half, lost: half, ..Spending::default() };
    let gateway = GatewayHandle::start(setup).await.unwrap();
    assert!(matches!(gateway.complete(question()).await, Err(CallError::Refused { .. })));
}

#[tokio::test(start_paused = true)]
async fn no_answer_is_longer_than_the_model_can_give() {
    let mut setup = setup([text("Short.")], Limits { tokens: Some(Tokens(70)), ..Limits::default() });
    setup.facts = Models::read(Some("[scripted]\nmax-output = 10\n")).unwrap();
    let gateway = GatewayHandle::start(setup).await.unwrap();
    // With the hundred that were asked for, the limit would not allow it.
    assert_eq!(gateway.complete(question()).await.unwrap().reply.text(), "Short.");
}

#[tokio::test(start_paused = true)]
async fn no_answer_is_longer_than_the_window_has_room_for() {
    let mut setup = setup([text("Short.")], Limits { tokens: Some(Tokens(80)), ..Limits::default() });
    setup.facts = Models::read(Some("[scripted]\nwindow = 80\n")).unwrap();
    let gateway = GatewayHandle::start(setup).await.unwrap();
    // Question and answer share the window, so together they cannot use more.
    assert_eq!(gateway.complete(question()).await.unwrap().reply.text(), "Short.");
}

#[tokio::test(start_paused = true)]
async fn more_than_was_reserved_is_booked_and_passing_a_limit_is_told() {
    let said = |tokens| {
        let usage = Usage { input: Tokens(20), output: Tokens(tokens), ..Usage::default() };
        Line::Reply(luminos_models::Reply { usage: Some(usage), ..luminos_models::Reply::of_text("Well.") })
    };
    let gateway = gateway([said(300), said(9000), text("Never.")], dollars("0.1")).await;
    // Above what was reserved, below the limit.
    let answer = gateway.complete(question()).await.unwrap();
    assert_eq!((answer.exceeded, answer.passed), (true, None));
    assert_eq!(answer.charged.money, Some("0.0152".parse().unwrap()));
    let answer = gateway.complete(question()).await.unwrap();
    assert_eq!(
        answer.passed.unwrap().to_string(),
        "the money limit of $0.10 was passed: $0.4654 was spent, as the provider reported more than was reserved"
    );
    let totals = gateway.totals().await.unwrap();
    assert_eq!((totals.spending.spent.money, totals.passed), ("0.4654".parse().unwrap(), answer.passed));
    assert!(matches!(gateway.complete(question()).await, Err(CallError::Refused { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_limit_a_little_above_the_true_cost_is_usable() {
    // The longest answer would cost $0.41; each takes a hundred tokens, and a hundred of input: $0.006.
    let usage = Usage { input: Tokens(100), output: Tokens(100), ..Usage::default() };
    let said = || {
        Line::Reply(luminos_models::Reply { usage: Some(usage), ..luminos_models::Reply::of_text("Well.") })
    };
    let long = || Call::new("play", Request::question(Pass::Ask, "What is it?", 8192));
    let gateway = gateway((0..20).map(|_| said()), dollars("0.17")).await;
    let mut answered = 0;
    for _ in 0..20 {
        answered += u32::from(gateway.complete(long()).await.is_ok());
    }
    assert_eq!(answered, 20);
    // What is left would pay for no answer that is worth its question.
    let error = gateway.complete(long()).await.unwrap_err();
    assert!(matches!(error, CallError::Refused { .. }), "{error:?}");
    assert_eq!(gateway.totals().await.unwrap().spending.spent.money, "0.12".parse().unwrap());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_provider_without_end_and_everybody_sees_it() {
    let setup = setup((0..1000).map(|_| fail(Kind::RateLimited)), Limits::default());
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let start = Instant::now();
    let asking = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question()).await }
    });
    let waits = until(&gateway, |totals| totals.provider_wait.is_some()).await.provider_wait.unwrap();
    assert_eq!(waits.reason, "the play accepts no more calls for now");
    assert!((590..=600).contains(&waits.gives_up), "{waits:?}");
    let error = asking.await.unwrap().unwrap_err();
    assert!(matches!(&error, CallError::Failed(error) if error.kind() == Kind::RateLimited), "{error:?}");
    let waited = start.elapsed();
    assert!((Duration::from_secs(595)..Duration::from_secs(605)).contains(&waited), "{waited:?}");
    assert_eq!(gateway.totals().await.unwrap().provider_wait, None);
}

#[tokio::test(start_paused = true)]
async fn a_call_behind_a_pause_that_outlasts_its_patience_is_given_up() {
    let mut setup = setup([fail(Kind::Overloaded), text("Late.")], Limits::default());
    setup.patience = Duration::from_millis(500);
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let start = Instant::now();
    let first = tokio::spawn({
        let gateway = gateway.clone();
        async move { gateway.complete(question()).await }
    });
    until(&gateway, |totals| totals.retries == 1 || totals.waiting == 1 || start.elapsed() != Duration::ZERO)
        .await;
    // The provider's model is paused for a second, for everybody.
    let second = gateway.complete(question()).await.unwrap_err();
    assert!(matches!(&second, CallError::Failed(error) if error.kind() == Kind::RateLimited), "{second:?}");
    first.await.unwrap().unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// A line that lies, fails or hangs.
fn adversarial(roll: u32) -> Line {
    let said = |tokens| {
        let usage = Usage { input: Tokens(tokens), output: Tokens(tokens), ..Usage::default() };
        Line::Reply(luminos_models::Reply {
            usage: Some(usage),
            ..luminos_models::Reply::of_text("Well. ".repeat(20))
        })
    };
    match roll % 9 {
        0..=3 => said(40),
        4 => said(0),
        5 => Line::Reply(luminos_models::Reply { usage: None, ..luminos_models::Reply::of_text("Well.") }),
        6 => fail(Kind::Overloaded),
        7 => fail(Kind::BrokenOff),
        _ => Line::Hang,
    }
}

async fn crowd(seed: u64) {
    const CALLERS: u64 = 64;
    let limit: Money = "0.3".parse().unwrap();
    let mut rolls = dice(seed);
    let mut setup = setup((0..4000).map(|_| adversarial(rolls())), dollars("0.3"));
    setup.random = Box::new(dice(seed ^ 77));
    let gateway = GatewayHandle::start(setup).await.unwrap();
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let gateway = gateway.clone();
            tokio::spawn(async move {
                let mut rolls = dice(seed ^ (caller << 32));
                let mut refusals = 0;
                for _ in 0..12 {
                    // A caller that loses patience drops its call wherever it is.
                    let patience = Duration::from_millis(u64::from(rolls() % 5000));
                    let called = tokio::time::timeout(patience, gateway.complete(question())).await;
                    refusals += u32::from(matches!(called, Ok(Err(CallError::Refused { .. }))));
                    let totals = gateway.totals().await.unwrap();
                    assert!(totals.spending.all().money <= limit, "seed {seed}: {totals:?}");
                }
                refusals
            })
        })
        .collect();
    let mut refusals = 0;
    for caller in callers {
        refusals += caller.await.unwrap();
    }
    let totals = until(&gateway, is_idle).await;
    assert!(0 < refusals && totals.spending.spent.money <= limit, "seed {seed}: {refusals} {totals:?}");
    assert!(Money::default() < totals.spending.spent.money);
}

#[tokio::test(start_paused = true)]
async fn no_crowd_of_callers_passes_the_limit_or_leaks() {
    for seed in 1..=8 {
        crowd(seed * 7919).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nor_does_a_crowd_on_several_threads() {
    let lines = (0..2000).map(|number| if number % 7 == 0 { Line::Hang } else { text("Well.") });
    let gateway = gateway(lines, dollars("0.2")).await;
    let callers: Vec<_> = (0..64_u64)
        .map(|caller| {
            let gateway = gateway.clone();
            tokio::spawn(async move {
                let mut rolls = dice(caller);
                for _ in 0..8 {
                    let patience = Duration::from_micros(u64::from(rolls() % 3000));
                    let _ = tokio::time::timeout(patience, gateway.complete(question())).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let totals = until(&gateway, is_idle).await;
    assert!(totals.spending.spent.money <= "0.2".parse().unwrap(), "{totals:?}");
}
