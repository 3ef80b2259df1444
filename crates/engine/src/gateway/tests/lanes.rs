//! Gateways that ask the same provider.

use super::*;

/// A gateway on these lanes, with room for so many calls.
async fn on(lanes: &Lanes, room: u32, lines: impl IntoIterator<Item = Line>) -> GatewayHandle {
    let mut setup = setup(lines, Limits::default());
    setup.lanes = lanes.clone();
    setup.concurrency = Concurrency { initial: room, most: room };
    GatewayHandle::start(setup).await.unwrap()
}

fn ask(gateway: &GatewayHandle) -> tokio::task::JoinHandle<Result<Answer, CallError>> {
    let gateway = gateway.clone();
    tokio::spawn(async move { gateway.complete(question()).await })
}

#[tokio::test(start_paused = true)]
async fn places_at_a_model_are_for_all_gateways_together() {
    let lanes = Lanes::default();
    let first = on(&lanes, 1, [Line::Hang]).await;
    let second = on(&lanes, 1, [text("At last.")]).await;
    let hanging = ask(&first);
    until(&first, |totals| totals.in_flight == 1).await;
    let waiting = ask(&second);
    let totals = until(&second, |totals| totals.waiting == 1).await;
    assert_eq!(totals.in_flight, 0);
    hanging.abort();
    assert_eq!(waiting.await.unwrap().unwrap().reply.text(), "At last.");
    // Lanes of one's own know nothing of others.
    let third = on(&Lanes::default(), 1, [text("At once.")]).await;
    assert_eq!(ask(&third).await.unwrap().unwrap().reply.text(), "At once.");
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_ends_leaves_its_places_to_others() {
    let lanes = Lanes::default();
    let first = on(&lanes, 1, [Line::Hang, Line::Hang]).await;
    let (flying, queued) = (ask(&first), ask(&first));
    until(&first, |totals| (totals.in_flight, totals.waiting) == (1, 1)).await;
    let second = on(&lanes, 1, [text("At last.")]).await;
    let waiting = ask(&second);
    until(&second, |totals| totals.waiting == 1).await;
    first.actor.kill();
    assert_eq!(waiting.await.unwrap().unwrap().reply.text(), "At last.");
    assert!(flying.await.unwrap().is_err() && queued.await.unwrap().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_run_with_many_calls_does_not_keep_out_one_with_few() {
    let lanes = Lanes::default();
    let first =
        on(&lanes, 1, std::iter::once(Line::Hang).chain((0..100).map(|_| text("One of many.")))).await;
    let hanging = ask(&first);
    until(&first, |totals| totals.in_flight == 1).await;
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let ask_as = |who: &'static str, gateway: &GatewayHandle| {
        let (answer, order) = (ask(gateway), Arc::clone(&order));
        tokio::spawn(async move {
            answer.await.unwrap().unwrap();
            order.lock().unwrap().push(who);
        })
    };
    let many: Vec<_> = (0..100).map(|_| ask_as("many", &first)).collect();
    until(&first, |totals| totals.waiting == 100).await;
    let second = on(&lanes, 1, [text("The only one.")]).await;
    let few = ask_as("few", &second);
    until(&second, |totals| totals.waiting == 1).await;
    hanging.abort();
    for caller in many.into_iter().chain([few]) {
        caller.await.unwrap();
    }
    let order = order.lock().unwrap();
    let place = order.iter().position(|who| *who == "few").unwrap();
    assert!(place < 10, "it was number {place} of {}", order.len());
}

#[tokio::test(start_paused = true)]
async fn too_many_for_one_is_too_many_for_all() {
    let lanes = Lanes::default();
    let first = on(&lanes, 4, [fail(Kind::RateLimited), text("Later.")]).await;
    let second = on(&lanes, 4, [text("Later, too.")]).await;
    let start = Instant::now();
    let turned_away = ask(&first);
    until(&first, |totals| totals.retries == 1).await;
    let innocent = ask(&second);
    innocent.await.unwrap().unwrap();
    assert!(Duration::from_secs(1) <= start.elapsed(), "{:?}", start.elapsed());
    turned_away.await.unwrap().unwrap();
}
