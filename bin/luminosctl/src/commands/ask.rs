//! `luminosctl ask`

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::pin::pin;
use std::sync::Arc;

use clap::Args;
use luminos_core::config::{Layer, Origin, Resolved, Surroundings};
use luminos_core::spend::{Limits, Money, Refusal, Tokens};
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::{
    Answer, Call, CallError, CannotConnect, GatewayHandle, ModelError, ModelName, Models, News, Pass,
    Presence, Request, StopReason, UsageDoubt, gateway_setup, key_file, named_model, read_models,
};
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::leaving::model_and_place;
use super::model_name::find_model;
use super::target::UnconfinedArgs;
use crate::printer::{Printer, Stop};
use crate::session::{Session, for_terminal};

/// Ask a model one question and print its answer while it comes
///
/// A small way to see whether a model is set up: the question goes out as it is, without any tools. Secrets
/// that the question holds, such as keys, are taken out first. What the answer used and cost is told on
/// standard error.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct AskArgs {
    /// The question; `-` reads it from standard input
    question: String,

    /// The model, such as anthropic/claude-sonnet-5-5, openai/ID, ollama/llama3.2, codex or claude
    ///
    /// Without this flag, the setting `models.default` decides.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Do not ask if the answer could cost more than this many US dollars, such as 0.05
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<Money>,

    /// Do not ask if question and answer together could have more tokens than this
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,

    /// Cut the answer off after this many tokens
    #[arg(long, value_name = "N", default_value_t = 4096)]
    max_output: u32,

    #[command(flatten)]
    unconfined: UnconfinedArgs,

    /// Print a JSON object with text, stop, usage, cost and notes, once the answer is complete
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl ask --model ollama/llama3.2 'What is a monad?'
  luminosctl ask --model anthropic/claude-sonnet-5-5 --max-cost 0.05 - < question.txt
  OPENAI_BASE_URL=http://127.0.0.1:8080/v1 luminosctl ask --model openai/any 'Hello?'

Exit codes:
  0  answered
  1  the model could not be asked, or failed
  2  the command line or the configuration makes no sense
  3  a limit was reached: the question was not asked, or the answer is cut off
  130  interrupted";

/// Asks and prints.
pub(crate) fn run(args: &AskArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve(args.unconfined.over(Layer::default()))?;
    let name = model_name(args, &resolved, &mut session)?;
    let facts = models_known(&resolved)?;
    let question = question(&args.question)?;
    let model = named_model(&name, session.around(), &resolved.config.models, None)
        .map_err(|error| cannot_connect(&error, session.around(), &name))?;
    session.printer.note(format_args!(
        "asking {}; recognised secrets are taken out of the question",
        model_and_place(&name, session.around())
    ));
    let limits = Limits { money: args.max_cost, tokens: args.max_tokens.map(Tokens), ..Limits::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::caused_by("cannot start", &error))?;
    let call = Call::new(name.to_string(), Request::question(Pass::Ask, question, args.max_output));
    let asking = async {
        let models = BTreeMap::from([(name.to_string(), model)]);
        let setup = gateway_setup(models, facts, limits, &resolved.config.models);
        let gateway = GatewayHandle::start(setup).await.map_err(|error| explain(&error, &resolved))?;
        if args.json {
            return gateway.complete(call).await.map_err(|error| explain(&error, &resolved).into());
        }
        stream(&gateway, call, &resolved, session.printer).await
    };
    let answered = runtime.block_on(async {
        tokio::select! {
            biased;
            interrupted = interrupted() => interrupted.map(|()| None),
            answer = asking => answer.map(Some),
        }
    });
    // The call ends with it: its connection closes, the program that answers is ended. Nothing is waited for.
    runtime.shutdown_background();
    let Some(answer) = answered? else {
        session.printer.note("\ninterrupted; the provider may count what it was asked");
        return Ok(Exit::Interrupted);
    };
    if args.json {
        session.printer.print_json(&AnswerJson::new(&name, &answer))?;
    } else {
        tell_what_it_took(&name, &answer, session.printer);
    }
    Ok(if answer.reply.stop == StopReason::MaxOutput { Exit::Partial } else { Exit::Done })
}

/// Waits for somebody to end this: Ctrl-C, or a polite signal.
pub(super) async fn interrupted() -> Result<(), Stop> {
    let listen = |kind| signal(kind).map_err(|error| Failure::caused_by("cannot wait for signals", &error));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// Prints the answer while it comes.
async fn stream(
    gateway: &GatewayHandle,
    call: Call,
    resolved: &Resolved,
    printer: &mut Printer,
) -> Result<Answer, Stop> {
    let (sender, mut news) = mpsc::channel(256);
    let mut shown = Shown::default();
    let mut asking = pin!(gateway.stream(call, sender));
    let result = loop {
        tokio::select! {
            biased;
            Some(news) = news.recv() => shown.show(&news, printer)?,
            result = &mut asking => break result,
        }
    };
    while let Ok(news) = news.try_recv() {
        shown.show(&news, printer)?;
    }
    let printed = shown.text;
    if result.is_err() && !printed.is_empty() {
        printer.print('\n')?;
    }
    let answer = result.map_err(|error| explain(&error, resolved))?;
    let text = answer.reply.text();
    // Whatever did not come as news is in the answer. Where the news was something else, the answer counts.
    let rest = match text.strip_prefix(&printed) {
        Some(rest) => rest,
        None => {
            printer.print("\n\n")?;
            &text
        }
    };
    printer.print(printable(rest))?;
    if !text.ends_with('\n') {
        printer.print('\n')?;
    }
    Ok(answer)
}

/// What was shown of an answer so far.
#[derive(Default)]
struct Shown {
    text: String,
    /// Why the last try failed.
    failure: Option<Arc<ModelError>>,
}

impl Shown {
    fn show(&mut self, news: &News, printer: &mut Printer) -> Result<(), Stop> {
        match news {
            News::Text(text) => {
                self.text.push_str(text);
                printer.print(printable(text))?;
                printer.flush()
            }
            News::Retry { because, wait } => {
                if !self.text.is_empty() {
                    self.text.clear();
                    printer.print('\n')?;
                }
                let seconds = wait.as_secs_f32();
                if self.failure.as_ref().is_some_and(|before| before.is_like(because)) {
                    printer.warn(format_args!("the same again; asking again in {seconds:.1} s"));
                } else {
                    printer.warn(format_args!("{because}; asking again in {seconds:.1} s"));
                }
                self.failure = Some(Arc::clone(because));
                Ok(())
            }
            News::Started | News::Thinking(_) | News::ToolCall { .. } => Ok(()),
        }
    }
}

/// Text of a model, in its lines, but unable to steer a terminal.
fn printable(text: &str) -> String {
    let line = |line: &str| {
        let parts: Vec<String> =
            line.split('\t').map(|part| Untrusted::new(part.as_bytes()).for_terminal()).collect();
        parts.join("\t")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn tell_what_it_took(name: &ModelName, answer: &Answer, printer: &mut Printer) {
    let (input, output) = (answer.usage.prompt().0, answer.usage.output.0);
    let cost = answer.charged.money.map_or("price unknown".to_owned(), |money| money.to_string());
    printer.note(format_args!("{name} · {input} tokens in, {output} out · {cost}"));
    for note in notes(answer) {
        printer.note(format_args!("note: {note}"));
    }
}

/// What is unusual about an answer.
fn notes(answer: &Answer) -> Vec<String> {
    let mut notes: Vec<String> = answer.reply.notes.iter().map(|note| note.words().to_owned()).collect();
    if 0 < answer.redactions {
        notes.push(format!("secrets taken out of the question: {}", answer.redactions));
    }
    if 0 < answer.retries {
        notes.push(format!("tries that failed before: {}", answer.retries));
    }
    match answer.doubt {
        Some(UsageDoubt::Missing) => notes.push("what was used was not said; it is estimated".to_owned()),
        Some(UsageDoubt::TooLow) => {
            notes.push("the server says less was used than can be; it is estimated".to_owned());
        }
        None => {}
    }
    if answer.exceeded {
        notes.push("the server says more was used than was reserved; that is what counts".to_owned());
    }
    notes.extend(answer.passed.map(|passed| passed.to_string()));
    match &answer.reply.stop {
        StopReason::MaxOutput => {
            notes.push("the answer is cut off; --max-output allows a longer one".to_owned())
        }
        StopReason::WindowFull => notes.push("the answer is cut off: the model's window is full".to_owned()),
        StopReason::Refusal { .. } => notes.push("the model declined to answer".to_owned()),
        StopReason::EndTurn
        | StopReason::ToolUse
        | StopReason::StopSequence
        | StopReason::Paused
        | StopReason::Other(_) => {}
    }
    notes
}

fn model_name(args: &AskArgs, resolved: &Resolved, session: &mut Session<'_>) -> Result<ModelName, Failure> {
    let chosen = args.model.as_deref().or(resolved.config.models.default.name());
    let Some(chosen) = chosen else {
        return Err(Failure::usage(
            "no model is named",
            "name one with `--model`, or in the setting `models.default`; `luminosctl models` lists some",
        ));
    };
    find_model(chosen, &resolved.config.models, session)
}

/// What is known about models.
pub(super) fn models_known(resolved: &Resolved) -> Result<Models, Failure> {
    let is_named = resolved
        .settings()
        .any(|setting| setting.key == "models.config" && *setting.origin != Origin::Default);
    let presence = if is_named { Presence::Required } else { Presence::Optional };
    read_models(&resolved.config.models.config, presence)
        .map_err(|error| Failure { exit: Exit::Usage, ..Failure::new(&error, None) })
}

fn question(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut question = String::new();
    let read = io::stdin().lock().read_to_string(&mut question);
    read.map_err(|error| Failure::caused_by("cannot read the question from standard input", &error))?;
    Ok(question)
}

/// Words for a model that cannot be asked at all.
pub(super) fn cannot_connect(error: &CannotConnect, around: &Surroundings, name: &ModelName) -> Failure {
    match error {
        CannotConnect::NoKey { variable, .. } => {
            let file = key_file(name.service(), around).map_or(String::new(), |path| {
                format!(", or put the key into `{}` (mode 0600)", for_terminal(&path))
            });
            Failure {
                message: format!("{name} needs a key"),
                causes: Vec::new(),
                hint: Some(format!("set {variable}{file}")),
                exit: Exit::Failed,
            }
        }
        CannotConnect::BadKey(_) => Failure::new(error, None),
        CannotConnect::Settings(error) => Failure::new(error, error.hint()),
    }
}

/// Words for a call without an answer.
pub(super) fn explain(error: &CallError, resolved: &Resolved) -> Failure {
    let path = for_terminal(&resolved.config.models.config);
    match error {
        CallError::Refused { model, refusal: Refusal::UnknownPrice } => Failure {
            hint: Some(format!(
                "leave out `--max-cost`, or {}\n(your models.toml is `{path}`)",
                Models::how_to_price(model)
            )),
            exit: Exit::Usage,
            ..Failure::new(error, None)
        },
        CallError::Refused { .. } => {
            Failure { exit: Exit::Partial, ..Failure::new(error, error.hint().as_deref()) }
        }
        CallError::Failed(failed) => Failure::new(&**failed, failed.hint()),
        CallError::NoModel { .. }
        | CallError::IdReused { .. }
        | CallError::Vetoed { .. }
        | CallError::Gone => Failure::new(error, error.hint().as_deref()),
    }
}

/// An answer, for programs. Its fields are an interface.
#[derive(Debug, Serialize)]
struct AnswerJson {
    model: String,
    text: String,
    stop: String,
    usage: UsageJson,
    /// In US dollars, as a decimal text; nothing if the price is not known.
    cost: Option<String>,
    retries: u32,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct UsageJson {
    input: u64,
    cache_write: u64,
    cache_read: u64,
    output: u64,
}

impl AnswerJson {
    fn new(name: &ModelName, answer: &Answer) -> Self {
        let usage = answer.usage;
        Self {
            model: name.to_string(),
            text: answer.reply.text(),
            stop: stop_name(&answer.reply.stop).to_owned(),
            usage: UsageJson {
                input: usage.input.0,
                cache_write: (usage.cache_write_5m + usage.cache_write_1h).0,
                cache_read: usage.cache_read.0,
                output: usage.output.0,
            },
            cost: answer.charged.money.map(|money| money.to_string().replace('$', "")),
            retries: answer.retries,
            notes: notes(answer),
        }
    }
}

fn stop_name(stop: &StopReason) -> &str {
    match stop {
        StopReason::EndTurn => "end-turn",
        StopReason::ToolUse => "tool-use",
        StopReason::MaxOutput => "max-output",
        StopReason::StopSequence => "stop-sequence",
        StopReason::Paused => "paused",
        StopReason::Refusal { .. } => "refusal",
        StopReason::WindowFull => "window-full",
        StopReason::Other(other) => other,
    }
}
