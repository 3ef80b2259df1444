use super::*;

fn error(kind: Kind) -> Error {
    Error::new(kind, "api.example.com")
}

const ALL: [Kind; 24] = [
    Kind::Unreachable,
    Kind::ConnectTimeout,
    Kind::IdleTimeout,
    Kind::TotalTimeout,
    Kind::BrokenOff,
    Kind::NotUnderstood,
    Kind::AnswerTooLarge,
    Kind::RateLimited,
    Kind::Overloaded,
    Kind::ServerFailed,
    Kind::KeyRefused,
    Kind::Forbidden,
    Kind::PaymentRequired,
    Kind::SpendLimitReached,
    Kind::NotFound,
    Kind::ContextTooLong,
    Kind::RequestTooLarge,
    Kind::BadRequest,
    Kind::Misconfigured,
    Kind::ProgramMissing,
    Kind::ProgramFailed,
    Kind::ProgramTimeout,
    Kind::NotRecorded,
    Kind::ScriptEnded,
];

#[test]
fn every_kind_has_words_a_retry_rule_and_a_price() {
    let mut table = String::new();
    for kind in ALL {
        let error = error(kind);
        let retry = error.retry_after().map_or("never".to_owned(), |wait| format!("{wait:?}"));
        let cost = if error.may_have_cost() { "may cost" } else { "free" };
        table.push_str(&format!("{error} | {retry} | {cost} | {}\n", error.hint().unwrap_or("-")));
    }
    insta::assert_snapshot!(table);
}

#[test]
fn what_was_said_and_the_request_follow_the_words() {
    let error = error(Kind::RateLimited).message("slow down").request_id(Some("req_1".to_owned()));
    assert_eq!(error.to_string(), "api.example.com accepts no more calls for now: slow down (request req_1)");
}

#[test]
fn own_waits_double_and_end() {
    let error = error(Kind::ServerFailed);
    let waits: Vec<_> =
        (0..6).map(|retries| backoff(&error, retries, 0).map(|wait| wait.as_millis())).collect();
    assert_eq!(waits, [Some(500), Some(1000), Some(2000), Some(4000), None, None]);
    assert_eq!(backoff(&error, 0, u32::MAX), Some(Duration::from_millis(375)));
}

#[test]
fn the_provider_has_the_last_word_on_when_but_not_on_spending() {
    let seven_seconds = Duration::from_secs(7);
    let seven = Some(seven_seconds);
    assert_eq!(error(Kind::RateLimited).provider_advice(seven, None).retry_after(), seven);
    let spread = backoff(&error(Kind::RateLimited).provider_advice(seven, None), 0, u32::MAX).unwrap();
    assert!(seven_seconds < spread && spread < Duration::from_secs(8));
    assert_eq!(error(Kind::RateLimited).provider_advice(seven, Some(false)).retry_after(), None);
    assert!(error(Kind::BadRequest).provider_advice(None, Some(true)).retry_after().is_some());
    assert_eq!(error(Kind::SpendLimitReached).provider_advice(seven, Some(true)).retry_after(), None);
}

#[test]
fn an_answer_that_had_begun_may_have_cost() {
    assert!(!error(Kind::Overloaded).may_have_cost());
    assert!(error(Kind::Overloaded).midway().may_have_cost());
}
