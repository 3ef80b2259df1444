use std::sync::Arc;

use luminos_models::{Error as ModelError, Line, Listener, Model, Reply, Request, Scripted};
use luminos_store::{Shelf, Store};
use serde_json::{Value, json};

use super::*;
use crate::evolve::gather::{Question, gather};
use crate::evolve::git::fixture::Fixture;
use crate::evolve::request::Wish;

/// A script as a model that can be handed around.
#[derive(Clone)]
struct Played(Arc<Scripted>);

impl Model for Played {
    fn id(&self) -> &str {
        self.0.id()
    }

    async fn stream(&self, request: &Request, listener: &mut Listener<'_>) -> Result<Reply, ModelError> {
        self.0.stream(request, listener).await
    }
}

impl Priced for Played {
    fn spent(&self) -> Option<String> {
        Some("0.25".to_owned())
    }
}

struct Place {
    fixture: Fixture,
    home: tempfile::TempDir,
}

impl Place {
    /// A base, and a branch of `own` commits beside it.
    fn new(own: usize) -> Self {
        let mut fixture = Fixture::new();
        let first = fixture.commit("First", &[("src/parse.rs", "a\n"), ("Cargo.toml", "x\n")]);
        fixture.commit("Second\n\nsecret AKIAQ3ZL7WXN5T2HBV6K", &[("src/parse.rs", "a\nb\n")]);
        let mut tip = first;
        for at in 0..own {
            tip = fixture.branch(
                "idea",
                &tip,
                &format!("Idea {at}"),
                &[("src/idea.rs", &"x\n".repeat(at + 1))],
            );
        }
        Self { fixture, home: tempfile::tempdir().unwrap() }
    }

    fn store(&self) -> Evolution {
        Store::open(&self.home.path().join("home")).unwrap().evolution()
    }

    fn question(&self) -> Question {
        Question {
            repo: self.fixture.path().to_owned(),
            base: "HEAD".to_owned(),
            inspirations: vec!["idea".to_owned()],
            wish: Wish { goal: "Parse faster".to_owned(), ..Wish::default() },
            ..Question::default()
        }
    }

    async fn plan(&self, mode: Mode, script: Vec<Line>) -> (Result<PlanDocument, Error>, Arc<Scripted>) {
        let scripted = Arc::new(Scripted::new(script));
        let asking = Asking {
            model_name: "m".to_owned(),
            mode,
            prompt_tokens: 20_000,
            max_output: 4096,
            chance: 7,
            command: None,
        };
        let gathered = gather(&self.question(), &self.store()).unwrap();
        let plan = plan_with(gathered, &Played(Arc::clone(&scripted)), &asking, &self.store(), 1).await;
        (plan, scripted)
    }
}

fn good() -> Value {
    let step = |id: &str, after: &[&str]| json!({"id": id, "title": "T", "intent": "I", "actions": ["a"], "validation": ["v"], "dependencies": after});
    json!({
        "plan_summary": "S", "rationale": "R", "focus_metrics": ["speed"], "guardrails": ["g"], "risks": ["r"],
        "validation": ["v"], "steps": [step("a", &[]), step("b", &["a"]), step("c", &["b"])],
    })
}

fn texts(texts: &[&str]) -> Vec<Line> {
    texts.iter().map(|text| Line::Reply(Reply::of_text(*text))).collect()
}

#[tokio::test]
async fn a_good_plan_is_the_models_own() {
    let place = Place::new(2);
    let (plan, scripted) = place.plan(Mode::Strict, texts(&[&good().to_string()])).await;
    let plan = plan.unwrap();
    assert_eq!((plan.source, plan.degraded, plan.plan.steps.len()), (Source::Model, None, 3));
    assert_eq!((plan.effort.calls, plan.effort.cost.as_deref()), (1, Some("0.25")));
    assert_eq!(scripted.lines_left(), 0);
    let attempts = place.store().all(Shelf::Attempts);
    assert_eq!(attempts.len(), 1);
    let prompt = attempts[0]["prompt"].as_str().unwrap();
    assert!(prompt.contains("Parse faster") && !prompt.contains("AKIAQ3ZL7WXN5T2HBV6K"), "{prompt}");
    assert_eq!(attempts[0]["plan"]["summary"], "S");
}

#[tokio::test]
async fn the_model_sees_the_code_at_the_base() {
    let place = Place::new(1);
    let (plan, scripted) = place.plan(Mode::Strict, texts(&[&good().to_string()])).await;
    plan.unwrap();
    let prompt = format!("{:?}", scripted.asked()[0]);
    for words in [
        "src/parse.rs: its path says",
        "src/parse.rs, from line 1 of 2:",
        "2| b",
        "Cargo.toml",
        "What a plan without a model finds:",
    ] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
}

#[tokio::test]
async fn a_plan_for_files_that_are_not_there_is_refused_or_told() {
    let with = |files: &[&str]| {
        let mut plan = good();
        plan["steps"][0]["files"] = json!(files);
        plan.to_string()
    };
    let place = Place::new(1);
    let wrong = with(&["lib/sorting/quick.rs", "parse.rs"]);
    let (plan, scripted) =
        place.plan(Mode::Strict, texts(&[&wrong, &with(&["src/parse.rs", "src/new.rs (new)"])])).await;
    assert_eq!(plan.unwrap().plan.steps[0].files, ["src/parse.rs", "src/new.rs"]);
    let told = format!("{:?}", scripted.asked()[1].messages.last());
    assert!(told.contains("lib/sorting/quick.rs` of step `a` is not in the repository"), "{told}");
    assert!(told.contains("did you mean `src/parse.rs`?"), "{told}");
    let (plan, _) = place.plan(Mode::Strict, texts(&[&wrong, &wrong])).await;
    assert!(plan.unwrap_err().to_string().contains("is not in the repository"));
    let (plan, scripted) = place.plan(Mode::Lenient, texts(&[&wrong])).await;
    let plan = plan.unwrap();
    assert_eq!((scripted.lines_left(), plan.source), (0, Source::Model));
    assert_eq!(plan.plan.steps[0].files, ["lib/sorting/quick.rs", "src/parse.rs"]);
    let notes = plan.notes.join("\n");
    assert!(
        notes.contains("names `lib/sorting/quick.rs`, which is not there")
            && notes.contains("it says `src/parse.rs` now"),
        "{notes}"
    );
}

#[tokio::test]
async fn a_bad_plan_is_told_why_and_asked_for_once_more() {
    let mut circle = good();
    circle["steps"][0]["dependencies"] = json!(["c"]);
    let place = Place::new(1);
    let (plan, scripted) = place.plan(Mode::Strict, texts(&[&circle.to_string(), &good().to_string()])).await;
    assert_eq!(plan.unwrap().effort.calls, 2);
    let told = format!("{:?}", scripted.asked()[1].messages.last());
    assert!(told.contains("steps depend on one another in a circle"), "{told}");
    let (plan, _) = place.plan(Mode::Strict, texts(&["no", "no"])).await;
    assert_eq!(
        plan.unwrap_err().to_string(),
        "there is no plan: the model gave no usable document, twice: it holds no JSON document"
    );
    assert_eq!(place.store().all(Shelf::Attempts).len(), 2, "those of a failure are kept as well");
}

#[tokio::test]
async fn lenient_and_none_make_a_plan_of_words_and_say_so() {
    let place = Place::new(1);
    let (plan, _) = place.plan(Mode::Lenient, texts(&["words", "1. a\n2. b\n3. c"])).await;
    let plan = plan.unwrap();
    assert_eq!((plan.source, plan.plan.steps.len(), plan.effort.calls), (Source::Synthesised, 3, 2));
    assert!(plan.degraded.unwrap().contains("no usable document"));
    let (plan, scripted) = place.plan(Mode::None, texts(&[&good().to_string()])).await;
    let plan = plan.unwrap();
    assert_eq!((plan.source, plan.effort.calls), (Source::Synthesised, 1));
    assert_eq!(scripted.asked()[0].output, None);
}

#[tokio::test]
async fn chunks_are_summarised_once() {
    let place = Place::new(20);
    let (plan, scripted) = place.plan(Mode::None, texts(&["It grows.", "A plan."])).await;
    assert_eq!(plan.unwrap().inspirations[0].trajectory.as_ref().unwrap().unique_steps_count, 20);
    let prompt = format!("{:?}", scripted.asked().last().unwrap());
    assert!(prompt.contains("] It grows."), "{prompt}");
    let (plan, scripted) = place.plan(Mode::None, texts(&["A plan."])).await;
    plan.unwrap();
    assert!(format!("{:?}", scripted.asked().last().unwrap()).contains("] It grows."));
    assert_eq!(scripted.asked().len(), 1);
}

#[tokio::test]
async fn a_program_that_writes_files_while_it_plans_spoils_the_plan() {
    struct Writes(std::path::PathBuf);
    #[derive(Clone)]
    struct Shared(Arc<Writes>);
    impl Model for Shared {
        fn id(&self) -> &str {
            "writes"
        }
        async fn stream(&self, _: &Request, _: &mut Listener<'_>) -> Result<Reply, ModelError> {
            std::fs::create_dir(self.0.0.join("d")).unwrap();
            std::fs::File::create(self.0.0.join("d/new.txt")).unwrap();
            Ok(Reply::of_text("words"))
        }
    }
    impl Priced for Shared {
        fn spent(&self) -> Option<String> {
            None
        }
    }
    let place = Place::new(1);
    let asking = Asking {
        model_name: "m".to_owned(),
        mode: Mode::None,
        prompt_tokens: 20_000,
        max_output: 4096,
        chance: 7,
        command: None,
    };
    let gathered = gather(&place.question(), &place.store()).unwrap();
    let model = Shared(Arc::new(Writes(place.fixture.path().to_owned())));
    let error = plan_with(gathered, &model, &asking, &place.store(), 1).await.unwrap_err();
    assert_eq!(error.to_string(), "files changed while the plan was made: d/new.txt");
}

#[test]
fn what_is_wrong_with_a_question_is_found_before_a_model_is_asked() {
    let place = Place::new(2);
    let words = |change: &dyn Fn(&mut Question)| {
        let mut question = place.question();
        change(&mut question);
        gather(&question, &place.store()).unwrap_err().to_string()
    };
    assert_eq!(words(&|question| question.wish.goal.clear()), "the goal is empty");
    assert!(words(&|question| question.base = "nope".to_owned()).contains("`nope` names no commit"));
    assert!(
        words(&|question| question.inspirations = vec!["nope".to_owned()]).contains("`nope` names no commit")
    );
    assert_eq!(
        words(&|question| question.inspirations = vec!["idea".to_owned(); 11]),
        "there are 11 inspirations; at most 10 are taken"
    );
    assert!(
        words(&|question| question.metrics = Some("/nonexistent.json".into()))
            .contains("cannot read `/nonexistent.json`")
    );
}

#[test]
fn inspirations_that_say_nothing_new_take_no_place() {
    let place = Place::new(2);
    let mut question = place.question();
    question.inspirations = ["idea", "idea", "HEAD~1", "HEAD"].map(str::to_owned).to_vec();
    let gathered = gather(&question, &place.store()).unwrap();
    assert_eq!(gathered.request.inspirations.len(), 1);
    assert_eq!(gathered.notes.len(), 3, "{:?}", gathered.notes);
    let plan = plan_offline(&gathered, 1).unwrap();
    assert_eq!((plan.source, plan.plan.steps.len()), (Source::Offline, 5));
}

#[test]
fn metrics_come_from_what_was_measured_from_notes_and_from_a_file() {
    let place = Place::new(1);
    let repo = place.fixture.open();
    let head = repo.resolve("HEAD").unwrap();
    let measured = json!({"metrics": [{"name": "a", "value": 1.0}, {"name": "b", "value": 1.0}]});
    place.store().put(Shelf::Measured, head.as_str(), &measured).unwrap();
    repo.write_note(&head, r#"{"b": 2, "c": 2}"#, 1).unwrap();
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::io::Write::write_all(&mut file.as_file(), b"commit,name,value\nHEAD,c,3\nlost,c,4\n").unwrap();
    let question = Question { metrics: Some(file.path().to_owned()), ..place.question() };
    let gathered = gather(&question, &place.store()).unwrap();
    let lines: Vec<String> = gathered.request.base.card.metrics.iter().map(|metric| metric.line()).collect();
    assert_eq!(lines, ["a: 1", "b: 2", "c: 3"]);
    assert!(
        gathered.notes[0].contains("1 revision that this repository does not know"),
        "{:?}",
        gathered.notes
    );
    repo.write_note(&head, "nonsense", 2).unwrap();
    let error = gather(&place.question(), &place.store()).unwrap_err().to_string();
    assert!(error.starts_with("cannot use the metrics of the note about"), "{error}");
}
