//! `luminosctl models`

use clap::Args;
use luminos_core::config::{Layer, ModelChoice, ModelsConfig, Surroundings};
use luminos_core::spend::{Money, Tokens};
use luminos_core::{Exit, Failure};
use luminos_engine::{
    CannotConnect, KeySource, ModelFacts, Models, Pass, ServedModel, Service, found_key, probe, program,
    server,
};
use serde::Serialize;

use super::ask::models_known;
use super::model_name::problem_of;
use crate::printer::{Printer, Stop};
use crate::session::{Session, for_terminal};

/// List known models with their prices, and which keys, servers and programs were found
///
/// Prices are in US dollars for a million tokens. Other models can be used as well: then tokens are counted,
/// but no money. A server is asked what it offers only if a variable names it. Keys are looked for in a
/// variable, among the credentials of systemd and in a file that only you can read; they are never shown.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ModelsArgs {
    /// Print a JSON object with models, services and passes
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Names:
  anthropic/ID  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
  openai/ID     OPENAI_API_KEY, OPENAI_BASE_URL; any server that speaks chat completions
  ollama/ID     OLLAMA_HOST
  codex, claude programs on this machine; codex/ID and claude/ID name a model of theirs
  command       a program of your own, which the setting models.command names

Keys:
  From the strongest: the variable, the systemd credential anthropic-api-key or openai-api-key,
  the file anthropic.key or openai.key in ~/.config/luminos (mode 0600).

Examples:
  luminosctl models
  luminosctl models --json | jq -r '.models[] | \"\\(.id) \\(.input)\"'

Exit codes:
  0  done
  1  a configuration file could not be read
  2  the command line or the configuration makes no sense";

/// Prints what there is.
pub(crate) fn run(args: &ModelsArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve(Layer::default())?;
    let mut known = models_known(&resolved)?;
    let services = look_around(session.around(), Some(&resolved.config.models))?;
    services.iter().flat_map(Found::offered).for_each(|served| learn(&mut known, served));
    let offered: Vec<(Service, String)> = services
        .iter()
        .flat_map(|found| found.offered().iter().map(|model| (found.service, model.id.clone())))
        .collect();
    let passes = passes(&resolved.config.models, Some(&known), &offered);
    if args.json {
        let json = Json {
            models: known.iter().map(|(id, facts)| ModelJson::new(id, facts)).collect(),
            services: services.iter().map(ServiceJson::new).collect(),
            passes: passes
                .iter()
                .map(|pass| PassJson { pass: pass.word, model: pass.chosen.clone() })
                .collect(),
        };
        session.printer.print_json(&json)?;
        return Ok(Exit::Done);
    }
    print_models(&known.iter().collect::<Vec<_>>(), session.printer)?;
    session.printer.print("\nServices\n")?;
    for service in &services {
        session.printer.print(format_args!("  {:9}  {}\n", service.service.word(), service.words()))?;
    }
    session.printer.print("\nPasses\n")?;
    for pass in &passes {
        let chosen = pass.chosen.as_deref().unwrap_or("none");
        let why = match (&pass.chosen, &pass.problem) {
            (_, Some(problem)) => format!("  ({problem})"),
            (Some(_), None) if pass.is_default => "  (models.default)".to_owned(),
            (Some(_) | None, None) => String::new(),
        };
        session.printer.print(format_args!("  {:9}  {chosen}{why}\n", pass.word))?;
    }
    Ok(Exit::Done)
}

fn print_models(known: &[(&str, &ModelFacts)], printer: &mut Printer) -> Result<(), Stop> {
    let width = known.iter().map(|(id, _)| id.chars().count() + 2).max().unwrap_or_default().max(6);
    let head = ["window", "output", "$ in", "$ out", "$ cached"];
    let line = |label: &str, cells: [String; 5]| {
        let [window, output, input, out, cached] = cells;
        format!("{label:width$}  {window:>9}  {output:>7}  {input:>6}  {out:>6}  {cached:>8}\n")
    };
    printer.print(line("Models", head.map(str::to_owned)))?;
    for (id, facts) in known {
        let price =
            |price: Option<Money>| price.map_or("?".to_owned(), |price| price.to_string().replace('$', ""));
        let tokens = |tokens: Option<Tokens>| tokens.map_or("?".to_owned(), |tokens| grouped(tokens.0));
        let known = facts.price.as_ref();
        let cells = [
            tokens(facts.window),
            tokens(facts.max_output),
            price(known.map(|known| known.input)),
            price(known.map(|known| known.output)),
            price(known.map(|known| known.cache_read)),
        ];
        printer.print(line(&format!("  {id}"), cells))?;
    }
    Ok(())
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if 0 < index && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// What was found of a service.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) service: Service,
    pub(super) key: Key,
    pub(super) place: Place,
}

/// The key of a service.
#[derive(Debug)]
pub(super) enum Key {
    /// It needs none.
    Unneeded,
    Missing {
        variable: &'static str,
    },
    Found {
        place: String,
    },
    Unusable {
        why: String,
    },
}

/// Where a service is.
#[derive(Debug)]
pub(super) enum Place {
    /// A server, and what came of asking it, if it was.
    Server {
        address: String,
        variable: Option<&'static str>,
        answer: Option<Result<Vec<ServedModel>, Unanswered>>,
    },
    /// A program, if it is installed.
    Program(Option<String>),
}

/// Why a server did not say what it offers.
#[derive(Debug)]
pub(super) struct Unanswered {
    pub(super) why: String,
    pub(super) hint: Option<&'static str>,
}

/// Looks for keys, servers and programs. Without a configuration nobody is asked anything.
pub(super) fn look_around(
    around: &Surroundings,
    config: Option<&ModelsConfig>,
) -> Result<Vec<Found>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::caused_by("cannot start", &error))?;
    let found = Service::ALL.map(|service| Found {
        service,
        key: key(service, around),
        place: match server(service, around) {
            Some(server) => {
                // A server that nobody chose is left alone: a list is no reason to call anybody.
                let answer = server.variable.and(config).map(|config| {
                    let answer = runtime.block_on(probe(service, around, config));
                    answer.map_err(|error| unanswered(&error))
                });
                Place::Server { address: server.address, variable: server.variable, answer }
            }
            None => Place::Program(program(service, around, config).map(|path| for_terminal(&path))),
        },
    });
    Ok(found.into())
}

fn unanswered(error: &CannotConnect) -> Unanswered {
    let (why, hint) = match error {
        CannotConnect::NoKey { .. } => ("not asked, for want of a key".to_owned(), None),
        CannotConnect::BadKey(_) => ("not asked, since the key cannot be used".to_owned(), None),
        CannotConnect::Settings(error) => (error.to_string(), error.hint()),
    };
    Unanswered { why, hint }
}

fn key(service: Service, around: &Surroundings) -> Key {
    let Some(variable) = service.key_variable() else { return Key::Unneeded };
    match found_key(service, around) {
        Ok(Some(KeySource::Variable(name))) => Key::Found { place: format!("the variable {name}") },
        Ok(Some(KeySource::File(path))) => Key::Found { place: format!("the file {}", for_terminal(&path)) },
        Ok(Some(KeySource::Credential(name))) => Key::Found { place: format!("the credential {name}") },
        Ok(None) => Key::Missing { variable },
        Err(error) => Key::Unusable { why: error.to_string() },
    }
}

/// What a server says about a model counts more than the table. Of those that the table does not know, only
/// what the server tells is known: a bare name would be an empty line.
fn learn(known: &mut Models, served: &ServedModel) {
    let tells_limits = served.max_input.is_some() || served.max_output.is_some();
    if tells_limits {
        known.refine(served);
    }
}

impl Found {
    pub(super) fn offered(&self) -> &[ServedModel] {
        match &self.place {
            Place::Server { answer: Some(Ok(offered)), .. } => offered,
            Place::Server { .. } | Place::Program(_) => &[],
        }
    }

    /// Whether its server has just answered without one.
    pub(super) fn needs_no_key(&self) -> bool {
        matches!((&self.key, &self.place), (Key::Missing { .. }, Place::Server { answer: Some(Ok(_)), .. }))
    }

    fn words(&self) -> String {
        let key = match &self.key {
            Key::Unneeded => None,
            Key::Missing { .. } if self.needs_no_key() => Some("no key, and none needed".to_owned()),
            Key::Missing { variable } => Some(format!("no key (set {variable})")),
            Key::Found { place } => Some(format!("key in {place}")),
            Key::Unusable { why } => Some(why.clone()),
        };
        let place = match &self.place {
            Place::Server { address, answer: None, .. } => format!("server {address}, not asked"),
            Place::Server { address, answer: Some(Ok(offered)), .. } => {
                format!("server {address}, models offered: {}", names(offered))
            }
            Place::Server { address, answer: Some(Err(unanswered)), .. } => {
                format!("server {address}, {}", unanswered.why)
            }
            Place::Program(Some(path)) => format!("program {path}"),
            Place::Program(None) if self.service == Service::Command => {
                "no program, or none that can be run (models.command)".to_owned()
            }
            Place::Program(None) => "program not installed".to_owned(),
        };
        key.map_or(place.clone(), |key| format!("{key}; {place}"))
    }
}

/// How many models of a server are named.
const MOST_NAMES: usize = 8;

/// How many models there are, and which: one of these names is what to write after the service.
fn names(offered: &[ServedModel]) -> String {
    if offered.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<&str> = offered.iter().take(MOST_NAMES).map(|model| model.id.as_str()).collect();
    let more = if offered.len() <= MOST_NAMES { "" } else { ", …" };
    format!("{} ({}{more})", offered.len(), names.join(", "))
}

/// The model of a pass.
#[derive(Debug)]
pub(super) struct PassModel {
    pub(super) word: &'static str,
    pub(super) chosen: Option<String>,
    pub(super) is_default: bool,
    pub(super) problem: Option<String>,
}

/// Which model each pass would use.
pub(super) fn passes(
    config: &ModelsConfig,
    known: Option<&Models>,
    offered: &[(Service, String)],
) -> Vec<PassModel> {
    let of = |word, choice: &ModelChoice, is_own: bool| {
        let chosen = choice.name().or(config.default.name()).map(str::to_owned);
        let problem = chosen.as_deref().and_then(|name| problem_of(name, known, offered.to_vec()));
        PassModel { word, chosen, is_default: !is_own && choice.name().is_none(), problem }
    };
    vec![
        of("default", &config.default, true),
        of(Pass::Survey.word(), &config.survey, false),
        of(Pass::Plan.word(), &config.plan, false),
        of(Pass::Dir.word(), &config.dir, false),
        of(Pass::Judge.word(), &config.judge, false),
        of(Pass::Synthesis.word(), &config.synthesis, false),
    ]
}

/// All of it, for programs. The fields are an interface.
#[derive(Debug, Serialize)]
struct Json {
    models: Vec<ModelJson>,
    services: Vec<ServiceJson>,
    passes: Vec<PassJson>,
}

/// Prices are decimal texts: US dollars for a million tokens.
#[derive(Debug, Serialize)]
struct ModelJson {
    id: String,
    provider: Option<String>,
    window: Option<u64>,
    max_output: Option<u64>,
    input: Option<String>,
    output: Option<String>,
    cache_write: Option<String>,
    cache_read: Option<String>,
}

impl ModelJson {
    fn new(id: &str, facts: &ModelFacts) -> Self {
        let price = facts.price.as_ref();
        let text = |money: Option<Money>| money.map(|money| money.to_string().replace('$', ""));
        Self {
            id: id.to_owned(),
            provider: facts.provider.clone(),
            window: facts.window.map(|tokens| tokens.0),
            max_output: facts.max_output.map(|tokens| tokens.0),
            input: text(price.map(|price| price.input)),
            output: text(price.map(|price| price.output)),
            cache_write: text(price.map(|price| price.cache_write_5m)),
            cache_read: text(price.map(|price| price.cache_read)),
        }
    }
}

#[derive(Debug, Serialize)]
struct ServiceJson {
    service: &'static str,
    /// Where the key is; never the key.
    key: Option<String>,
    address: Option<String>,
    program: Option<String>,
    /// How many models its server offers; nothing if it was not asked or did not answer.
    offers: Option<usize>,
    /// Their ids.
    models: Vec<String>,
    problem: Option<String>,
}

impl ServiceJson {
    fn new(found: &Found) -> Self {
        let (key, key_problem) = match &found.key {
            Key::Unneeded | Key::Missing { .. } => (None, None),
            Key::Found { place } => (Some(place.clone()), None),
            Key::Unusable { why } => (None, Some(why.clone())),
        };
        let (address, program, answer) = match &found.place {
            Place::Server { address, answer, .. } => (Some(address.clone()), None, answer.as_ref()),
            Place::Program(path) => (None, path.clone(), None),
        };
        let (offers, problem) = match answer {
            Some(Ok(offered)) => (Some(offered.len()), None),
            Some(Err(unanswered)) => (None, Some(unanswered.why.clone())),
            None => (None, None),
        };
        let service = found.service.word();
        let models = found.offered().iter().map(|model| model.id.clone()).collect();
        Self { service, key, address, program, offers, models, problem: key_problem.or(problem) }
    }
}

#[derive(Debug, Serialize)]
struct PassJson {
    pass: &'static str,
    model: Option<String>,
}
