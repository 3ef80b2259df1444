use super::*;
use crate::evolve::git::fixture::Fixture;

async fn evaluate(fixture: &Fixture, script: &str, limit: Duration) -> Result<Evaluated, NotEvaluated> {
    let scratch = tempfile::tempdir().unwrap();
    let path = std::env::vars_os().find(|(name, _)| name == "PATH").map(|(_, path)| path).unwrap_or_default();
    let evaluator = Evaluator {
        command: ["sh", "-c", script].map(OsString::from).to_vec(),
        time_limit: limit,
        variables: BTreeMap::from([("PATH".to_owned(), path)]),
        scratch: scratch.path().to_owned(),
    };
    let repo = fixture.open();
    let commit = repo.resolve("HEAD").unwrap();
    let result = evaluator.run(&repo, &commit).await;
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "the checkout is gone");
    result
}

fn fixture() -> Fixture {
    let mut fixture = Fixture::new();
    fixture.commit("first", &[("a.txt", "one\n"), ("dir/b.sh", "echo b\n")]);
    fixture
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_command_sees_the_files_of_the_commit_and_its_result_is_read() {
    let script = r#"test "$(cat a.txt)" = one && test -f dir/b.sh && test ! -e .git || exit 9
        echo noise; echo "{\"summary\": \"fine\", \"metrics\": [{\"name\": \"x\", \"value\": 2}], \"tests_executed\": [\"unit\"]}""#;
    let evaluated = evaluate(&fixture(), script, LONG).await.unwrap();
    assert_eq!(evaluated.measured.metrics[0].line(), "x: 2");
    assert_eq!(evaluated.measured.summary.as_deref(), Some("fine"));
    assert!(evaluated.printed.out.starts_with("noise"));
}

#[tokio::test]
async fn megabytes_of_output_do_not_block() {
    let script = r#"head -c 40000000 /dev/zero | tr '\0' 'x'; head -c 3000000 /dev/zero >&2
        echo; echo '{"summary": "s", "metrics": []}'"#;
    let evaluated = evaluate(&fixture(), script, LONG).await.unwrap();
    assert_eq!(evaluated.measured.summary.as_deref(), Some("s"));
    assert!(evaluated.printed.out.len() <= 2 * KEPT_BYTES);
}

#[tokio::test]
async fn when_time_is_up_the_whole_group_is_gone() {
    let alive = tempfile::NamedTempFile::new().unwrap();
    // The child holds a lock for as long as it lives.
    let script = format!("flock {} sleep 600 & sleep 600", alive.path().display());
    let failed = evaluate(&fixture(), &script, Duration::from_millis(300)).await.unwrap_err();
    assert!(matches!(failed.error, Error::TimeOut(_)) && failed.is_about_the_commit());
    let file = std::fs::File::open(alive.path()).unwrap();
    file.lock().unwrap();
}

#[tokio::test]
async fn failures_are_told_with_their_last_words() {
    let words = async |script: &str| evaluate(&fixture(), script, LONG).await.unwrap_err().error.to_string();
    assert_eq!(
        words("echo no such thing >&2; exit 3").await,
        "the evaluator failed (exit status: 3): no such thing"
    );
    assert_eq!(
        words("echo hello").await,
        "the result of the evaluator cannot be used: there is no JSON object in its output, which ends with: hello"
    );
    assert_eq!(words("true").await, "the result of the evaluator cannot be used: it printed nothing");
    assert_eq!(
        words(r#"echo '{"summary": "s", "metrics": [{"name": "x", "value": true}]}'"#).await,
        "the result of the evaluator cannot be used: the metric `x` is true or false; write 1 or 0"
    );
    assert_eq!(
        words(r#"echo '{"summary": "s", "metrics": [{"name": "x", "value": "nan"}]}'"#).await,
        "the result of the evaluator cannot be used: the metric `x` is not a finite number"
    );
}
