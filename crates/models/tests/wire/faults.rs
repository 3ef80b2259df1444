//! What goes wrong on the way, through both interfaces.

use std::error::Error as _;
use std::time::{Duration, Instant};

use luminos_model_server::{
    Answer, Cut, EventFault, Framing, Lasts, Limits, ModelServer, Policy, Refusal, RetryAfter, Script,
    Settings, Step, WireFault,
};
use luminos_models::{HttpClient, Kind, Model, OpenAi, OpenAiSettings, TimeOuts};
use tokio::io::AsyncWriteExt as _;

use crate::{
    CANARY, anthropic, anthropic_over, blank, both, events, failure, impatient, json, openai, patient, plays,
    question, send, text, words,
};

/// Both models fail in this way; the server did what the script said.
async fn fails_over(http: HttpClient, answer: impl Into<Answer>, kind: Kind) -> ModelServer {
    let server = ModelServer::start(Script::new().always(answer)).await.unwrap();
    for model in both(&http, &server.url()) {
        let error = failure(&model, &question()).await;
        assert_eq!(error.kind(), kind, "{error} {:?}", error.source());
    }
    let counters = server.counters();
    assert_eq!((counters.requests, counters.invalid, counters.unexpected), (2, 0, 0));
    server
}

async fn fails(answer: impl Into<Answer>, kind: Kind) -> ModelServer {
    fails_over(patient(), answer, kind).await
}

fn hello() -> Answer {
    Answer::text("Hello, whoever you are.")
}

#[tokio::test]
async fn nobody_listens() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    server.refuse_connections().await;
    for model in both(&patient(), &server.url()) {
        let error = failure(&model, &question()).await;
        assert_eq!(error.kind(), Kind::Unreachable);
        assert!(!error.may_have_cost() && error.retry_after().is_some());
        insta::allow_duplicates! {
            insta::assert_snapshot!(words(&server, &error), @"
            error: cannot reach 127.0.0.1:PORT
              because: error sending request
              because: client error (Connect)
              because: tcp connect error
              because: Connection refused (os error 111)

            hint: check the address, and whether a server runs there
            ");
        }
    }
    server.accept_connections().await;
    for model in both(&patient(), &server.url()) {
        model.complete(&question()).await.unwrap();
    }
}

#[tokio::test]
async fn a_name_that_leads_nowhere_and_a_server_without_encryption_cannot_be_reached() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let garbled = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    for url in ["http://no-such-host.invalid", &server.https_url(), &garbled] {
        for model in both(&impatient(), url) {
            let error = failure(&model, &question()).await;
            let is_expected = matches!(error.kind(), Kind::Unreachable | Kind::ConnectTimeout);
            assert!(is_expected, "{}", words(&server, &error));
            assert!(!error.may_have_cost());
        }
    }
}

#[tokio::test]
async fn a_server_that_hangs_is_left_after_a_while() {
    let started = Instant::now();
    for cut in [Cut::BeforeHead, Cut::AfterHead, Cut::AfterEvents(2), Cut::AfterBytes(700)] {
        let hangs = hello().with(WireFault::Hang(cut, Lasts::Forever));
        let server = fails_over(impatient(), hangs, Kind::IdleTimeout).await;
        server.until(|counters| counters.clients_left == 2).await;
    }
    assert!(started.elapsed() < Duration::from_secs(12), "{:?}", started.elapsed());
    let hangs = hello().with(WireFault::Hang(Cut::AfterEvents(2), Lasts::Forever));
    let server = ModelServer::start(Script::new().always(hangs)).await.unwrap();
    let error = failure(&anthropic_over(impatient(), &server.url()), &question()).await;
    assert_eq!(
        blank(&server, &error.to_string()),
        "127.0.0.1:PORT stopped sending: the limit is 400ms (request req_000000000000000000000001)"
    );
    assert!(error.may_have_cost() && error.retry_after().is_some());
}

#[tokio::test]
async fn a_server_that_is_slow_but_alive_is_waited_for() {
    let idle = Duration::from_millis(1500);
    let http = HttpClient::new(TimeOuts { idle, ..TimeOuts::default() }, &luminos_models::Network::default())
        .unwrap();
    let slow = hello().paced(Duration::from_millis(200)).after(Duration::from_millis(300));
    let server = ModelServer::start(Script::new().always(slow)).await.unwrap();
    for model in both(&http, &server.url()) {
        let started = Instant::now();
        assert_eq!(model.complete(&question()).await.unwrap().text(), "Hello, whoever you are.");
        assert!(idle < started.elapsed(), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn signs_of_life_alone_do_not_keep_a_call_alive_for_ever() {
    let pings = hello().with(EventFault::EndlessPings(2));
    let server = ModelServer::start(Script::new().always(pings)).await.unwrap();
    for model in both(&impatient(), &server.url()) {
        let error = failure(&model, &question()).await;
        // Whichever comes first, the limit of time or of bytes.
        assert!(matches!(error.kind(), Kind::TotalTimeout | Kind::AnswerTooLarge), "{error}");
    }
    server.until(|counters| counters.clients_left == 2).await;
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_failed_turn() {
    for cut in
        [Cut::BeforeHead, Cut::AfterHead, Cut::AfterEvents(1), Cut::AfterEvents(4), Cut::AfterBytes(99)]
    {
        fails(hello().with(WireFault::Reset(cut)), Kind::BrokenOff).await;
        fails(hello().with(WireFault::Close(cut)), Kind::BrokenOff).await;
    }
    // Without chunks the end of the connection is the end of the answer, and still not the end of the turn.
    let until_close = hello().framed(Framing::UntilClose).with(EventFault::WithoutEnd);
    fails(until_close, Kind::BrokenOff).await;
    fails(hello().with(EventFault::WithoutEnd), Kind::BrokenOff).await;
    fails(hello().with(WireFault::EmptyBody), Kind::BrokenOff).await;
}

#[tokio::test]
async fn every_refusal_has_its_kind() {
    let seconds = |seconds| Refusal::RateLimited(RetryAfter::Seconds(seconds));
    let rows = [
        (Refusal::Invalid("nonsense".to_owned()), Kind::BadRequest),
        (Refusal::ContextTooLong { tokens: 9, window: 5 }, Kind::ContextTooLong),
        (Refusal::Unauthorized, Kind::KeyRefused),
        (Refusal::Billing, Kind::PaymentRequired),
        (Refusal::Forbidden, Kind::Forbidden),
        (Refusal::NotFound("model: gone".to_owned()), Kind::NotFound),
        (Refusal::TooLarge, Kind::RequestTooLarge),
        (seconds(3), Kind::RateLimited),
        (Refusal::RateLimited(RetryAfter::Unsaid), Kind::RateLimited),
        (Refusal::Internal, Kind::ServerFailed),
        (Refusal::OverloadInside500, Kind::Overloaded),
        (Refusal::Timeout, Kind::ServerFailed),
        (Refusal::Overloaded, Kind::Overloaded),
        (Refusal::Redirect("http://127.0.0.1:1/".to_owned()), Kind::Misconfigured),
        (Refusal::Page(502, "<html>Bad gateway</html>".to_owned()), Kind::ServerFailed),
    ];
    for (refusal, kind) in rows {
        fails(refusal.clone(), kind).await;
        // In the middle of a stream the status is long gone.
        let said = !matches!(refusal, Refusal::Redirect(_) | Refusal::Page(..));
        if said {
            let server =
                ModelServer::start(Script::new().always(hello().with(EventFault::Error(3, refusal))));
            let server = server.await.unwrap();
            let error = failure(&anthropic(&server), &question()).await;
            assert_eq!(error.kind(), kind, "midway");
            assert!(error.may_have_cost());
        }
    }
}

#[tokio::test]
async fn a_spend_limit_is_never_tried_again() {
    let server = ModelServer::start(Script::new().always(Refusal::SpendLimit)).await.unwrap();
    let [messages, chat] = both(&patient(), &server.url());
    let (messages, chat) = (failure(&messages, &question()).await, failure(&chat, &question()).await);
    assert_eq!((messages.kind(), messages.retry_after()), (Kind::SpendLimitReached, None));
    assert_eq!((chat.kind(), chat.retry_after()), (Kind::PaymentRequired, None));
}

#[tokio::test]
async fn a_provider_says_how_long_to_stay_away_and_what_is_left() {
    let milliseconds = |error: &luminos_models::Error| error.retry_after().map(|wait| wait.as_millis());
    for (said, expected) in [
        (RetryAfter::Seconds(7), 7000),
        (RetryAfter::Millis(70), 70),
        (RetryAfter::Text("1.5".to_owned()), 1500),
        (RetryAfter::Text("soon".to_owned()), 1000),
        (RetryAfter::Unsaid, 1000),
    ] {
        let server = ModelServer::start(Script::new().always(Refusal::RateLimited(said))).await.unwrap();
        for model in both(&patient(), &server.url()) {
            assert_eq!(milliseconds(&failure(&model, &question()).await), Some(expected));
        }
    }
    let limits = Limits { requests: 2, input_tokens: 60_000, output_tokens: 60_000 };
    let settings = Settings { limits, ..Settings::default() };
    let server = ModelServer::start_with(Policy::default(), settings).await.unwrap();
    for (model, left) in both(&patient(), &server.url()).iter().zip([1, 0]) {
        let signals = model.complete(&question()).await.unwrap().signals;
        let requests = signals.requests.unwrap();
        assert_eq!((requests.limit, requests.remaining), (2, left));
        assert_eq!(signals.tokens.unwrap().limit, 60_000);
    }
    let error = failure(&anthropic(&server), &question()).await;
    assert_eq!(error.kind(), Kind::RateLimited);
    assert!(error.retry_after().is_some_and(|wait| (20..=31).contains(&wait.as_secs())), "{error:?}");
}

#[tokio::test]
async fn answers_without_measure_are_refused() {
    let server = fails(hello().with(EventFault::Huge(8 << 20)), Kind::AnswerTooLarge).await;
    let error = failure(&anthropic(&server), &question()).await;
    insta::assert_snapshot!(words(&server, &error), @"error: the answer of 127.0.0.1:PORT is too large: an event of the stream has more than 4194304 bytes (request req_000000000000000000000003)");
    // Small things without end.
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let comments = format!(":{}\n", "x".repeat(99)).repeat(1000);
    let endless = || vec![Step::Send(head.to_vec()), Step::Endless(comments.clone().into_bytes())];
    let server = plays([endless(), endless()]).await;
    for model in both(&patient(), &server.url()) {
        assert_eq!(failure(&model, &question()).await.kind(), Kind::AnswerTooLarge);
    }
    server.until(|counters| counters.clients_left == 2).await;
    assert!(server.counters().bytes_sent < 200 << 20, "the client leaves in time");
}

#[tokio::test]
async fn what_is_compressed_is_never_blown_up() {
    for fault in [WireFault::Gzip, WireFault::GzipBomb(8 << 20)] {
        let server = ModelServer::start(Script::new().always(hello().with(fault))).await.unwrap();
        for model in both(&patient(), &server.url()) {
            let error = failure(&model, &question()).await;
            assert_eq!(error.kind(), Kind::NotUnderstood, "{error}");
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let redirect = Refusal::Redirect("http://127.0.0.1:1/".to_owned());
    let server = ModelServer::start(Script::new().always(redirect)).await.unwrap();
    let error = failure(&openai(&server), &question()).await;
    insta::assert_snapshot!(words(&server, &error), @"error: 127.0.0.1:PORT cannot be used as it is set up: status 307 (request req_000000000000000000000001)");
}

#[tokio::test]
async fn an_answer_in_another_language_is_not_understood() {
    let server = plays([send(events("data: <html>\n\n")), send(b"SMTP ready\r\n\r\n")]).await;
    let error = failure(&anthropic(&server), &question()).await;
    insta::assert_snapshot!(words(&server, &error), @"error: the answer of 127.0.0.1:PORT is not understood: expected value at line 1 column 1");
    assert_eq!(failure(&anthropic(&server), &question()).await.kind(), Kind::BrokenOff);
}

#[tokio::test]
async fn dropping_a_call_closes_its_connection() {
    let hangs = hello().with(WireFault::Hang(Cut::AfterEvents(2), Lasts::Forever));
    let server = ModelServer::start(Script::new().always(hangs)).await.unwrap();
    for (model, number) in both(&patient(), &server.url()).into_iter().zip(1..) {
        let asking = tokio::spawn(async move { model.complete(&question()).await });
        server.until(|counters| counters.in_flight == 1).await;
        asking.abort();
        server.until(|counters| counters.clients_left == number).await;
    }
}

#[tokio::test]
async fn a_server_may_close_a_connection_that_it_promised_to_keep() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = plays([body; 3].map(|body| send(events(body)))).await;
    let model = openai(&server);
    for _ in 0..3 {
        assert_eq!(model.complete(&question()).await.unwrap().text(), "Hi");
    }
    assert_eq!(server.counters().connections, 3);
}

#[tokio::test]
async fn the_key_is_in_its_header_and_nowhere_else() {
    let repeated = format!("{{\"error\":{{\"message\":\"wrong key {CANARY} or x-api-key: {CANARY}\"}}}}");
    let server = plays(["401 Unauthorized"; 2].map(|status| send(json(status, &repeated)))).await;
    let (first, second) = (anthropic(&server), openai(&server));
    let errors = [failure(&first, &question()).await, failure(&second, &question()).await];
    let shown = format!("{errors:?} {first:?} {second:?} {}", words(&server, &errors[0]));
    assert!(!shown.contains("CANARY"), "{shown}");
    for received in server.requests() {
        assert_eq!(text(&received).matches(CANARY).count(), 1, "{received:?}");
    }
    insta::assert_snapshot!(words(&server, &errors[0]), @"
    error: 127.0.0.1:PORT does not accept the key: wrong key [key] or x-api-key: [key]

    hint: check the key; it is read from the environment, a file or a credential
    ");
}

#[tokio::test]
async fn a_local_server_needs_no_key() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let model = OpenAi::new(patient(), OpenAiSettings::new("local-small", format!("{}/v1", server.url())));
    model.unwrap().complete(&question()).await.unwrap();
}

#[tokio::test]
async fn a_key_that_is_none_hides_no_word() {
    let refusal = json("500 Internal Server Error", r#"{"error":{"message":"none of the disks is left"}}"#);
    let server = plays([send(refusal)]).await;
    let model = OpenAi::new(patient(), OpenAiSettings::new("local-small", format!("{}/v1", server.url())));
    let error = model.unwrap().complete(&question()).await.unwrap_err();
    assert!(error.to_string().contains("none of the disks"), "{error}");
    assert_eq!(server.requests()[0].request.header("authorization"), Some("Bearer none"));
}
