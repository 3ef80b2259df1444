//! The model that somebody means: by its full name, or by its id alone as `luminosctl models` lists it.
//!
//! An id alone is taken where one service only is known to serve it. What is misspelt is refused, or told, with what it
//! was perhaps meant to be.

use luminos_core::config::ModelsConfig;
use luminos_core::config::Surroundings;
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::{ModelName, Models, Presence, Service, probe, read_models};
use strsim::damerau_levenshtein;

use super::models::look_around;
use crate::session::Session;

/// No more names than this are suggested.
const MOST_SUGGESTED: usize = 3;

/// Ids that a family of models begins with, and the service that usually serves it.
const FAMILIES: &[(&str, Service)] = &[
    ("claude-", Service::Anthropic),
    ("gpt-", Service::OpenAi),
    ("chatgpt-", Service::OpenAi),
    ("llama", Service::Ollama),
    ("qwen", Service::Ollama),
    ("mistral", Service::Ollama),
    ("gemma", Service::Ollama),
];

/// A model, and what is odd about its name.
#[derive(Debug)]
struct Meant {
    name: ModelName,
    doubt: Option<String>,
}

/// The model that a text names. A doubt about it is told; it is asked all the same, since no list has every model.
pub(crate) fn find_model(
    text: &str,
    config: &ModelsConfig,
    session: &mut Session<'_>,
) -> Result<ModelName, Failure> {
    // A file of models that makes no sense is told of where it is used.
    let known = read_models(&config.config, Presence::Optional).or_else(|_| Models::read(None)).ok();
    let around = session.around();
    // A provider has more models than are listed; what an Ollama server has is what it lists.
    let lists = |service: Option<Service>| match service {
        None => offered(around, config),
        Some(Service::Ollama) => served_by_ollama(around, config),
        Some(_) => Vec::new(),
    };
    let Meant { name, doubt } = meant(text, known.as_ref(), lists)?;
    if let Some(doubt) = doubt {
        session.printer.warn(doubt);
    }
    Ok(name)
}

/// Why a text names no model; `None` if it does.
pub(super) fn problem_of(
    text: &str,
    known: Option<&Models>,
    offered: Vec<(Service, String)>,
) -> Option<String> {
    meant(text, known, |_| offered).err().map(|failure| failure.message)
}

/// What the servers that somebody chose offer.
fn offered(around: &Surroundings, config: &ModelsConfig) -> Vec<(Service, String)> {
    let found = look_around(around, Some(config)).unwrap_or_default();
    found
        .iter()
        .flat_map(|found| found.offered().iter().map(|model| (found.service, model.id.clone())))
        .collect()
}

/// What the Ollama server has that is asked in any case.
fn served_by_ollama(around: &Surroundings, config: &ModelsConfig) -> Vec<(Service, String)> {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return Vec::new();
    };
    let served = runtime.block_on(probe(Service::Ollama, around, config)).unwrap_or_default();
    served.into_iter().map(|model| (Service::Ollama, model.id)).collect()
}

fn meant(
    text: &str,
    known: Option<&Models>,
    offered: impl FnOnce(Option<Service>) -> Vec<(Service, String)>,
) -> Result<Meant, Failure> {
    let service_of =
        |provider: Option<&str>| Service::ALL.into_iter().find(|service| Some(service.word()) == provider);
    let mut all: Vec<(Service, String)> = known
        .into_iter()
        .flat_map(Models::iter)
        .filter_map(|(id, facts)| Some((service_of(facts.provider.as_deref())?, id.to_owned())))
        .collect();
    let parsed = text.parse::<ModelName>();
    if let Ok(name) = &parsed {
        let (service, Some(id)) = (name.service(), name.id()) else {
            return Ok(Meant { name: name.clone(), doubt: None });
        };
        // Whoever wrote down what it costs has spelt it.
        if known.is_some_and(|known| known.get(id).is_some()) {
            return Ok(Meant { name: name.clone(), doubt: None });
        }
        if !is_listed(service, id, &all) {
            all.extend(offered(Some(service)));
        }
        return Ok(Meant { doubt: doubt(service, id, &all), name: name.clone() });
    }
    if !text.contains('/') {
        all.extend(offered(None));
    }
    all.sort();
    all.dedup();
    let named: Vec<&(Service, String)> = all.iter().filter(|(_, id)| id == text).collect();
    let full = |(service, id): &(Service, String)| format!("{}/{id}", service.word());
    match named.as_slice() {
        [only] => {
            if let Ok(name) = full(only).parse() {
                return Ok(Meant { name, doubt: None });
            }
        }
        [] => {}
        several => {
            let names: Vec<String> = several.iter().map(|model| full(model)).collect();
            return Err(Failure::usage(
                format!("`{}` is served by several services", shown(text)),
                format!("write {}", names.join(" or ")),
            ));
        }
    }
    let error = match parsed {
        Err(error) => Failure { exit: Exit::Usage, ..Failure::new(&error, None) },
        Ok(name) => return Ok(Meant { name, doubt: None }),
    };
    let suggested = suggestions(text, &all);
    if suggested.is_empty() {
        return Err(error);
    }
    Err(Failure::usage(
        format!("`{}` names no model", shown(text)),
        format!("did you mean {}?", suggested.join(", ")),
    ))
}

fn shown(text: &str) -> String {
    Untrusted::new(text.as_bytes()).for_terminal()
}

/// Full names that a text may have been meant to be: one for a slip, the newest few for a word that several have.
fn suggestions(text: &str, all: &[(Service, String)]) -> Vec<String> {
    let (word, id) = text.split_once('/').map_or((text, None), |(word, id)| (word, Some(id)));
    let name = |service: Service, id: &str| format!("`{}/{}`", service.word(), shown(id));
    let near = nearest(id.unwrap_or(text), all.iter());
    let slip = |service: &Service| (1..=2).contains(&damerau_levenshtein(word, service.word()));
    let meant = Service::ALL.into_iter().find(|service| 3 < word.len() && slip(service));
    match (near, meant, id) {
        (Some((service, known)), meant, _) if meant.is_none_or(|meant| meant == *service) => {
            return vec![name(*service, known)];
        }
        (_, Some(service), Some(id)) => return vec![name(service, id)],
        (None, Some(service), None) if service.is_program() => return vec![format!("`{}`", service.word())],
        _ => {}
    }
    let id = id.unwrap_or(text);
    let newest = by_words(id, all.iter().rev());
    let mut names: Vec<String> =
        newest.take(MOST_SUGGESTED).map(|(service, id)| name(*service, id)).collect();
    let family = FAMILIES.iter().find(|(start, _)| id.to_lowercase().starts_with(start));
    if names.is_empty()
        && let Some((_, service)) = family
        && id.parse::<ModelName>().is_err()
    {
        names.push(name(*service, id));
    }
    names
}

/// Whose ids a service takes: a program takes those of its maker.
fn list_of(service: Service) -> Service {
    match service {
        Service::Claude => Service::Anthropic,
        Service::Codex => Service::OpenAi,
        Service::Anthropic | Service::OpenAi | Service::Ollama | Service::Command => service,
    }
}

fn is_listed(service: Service, id: &str, all: &[(Service, String)]) -> bool {
    all.iter().any(|(own, known)| *own == list_of(service) && known == id)
}

/// What is odd about an id that nobody knows and that is close to a known one. Another version of a known model is not,
/// nor is a nickname that a program understands.
fn doubt(service: Service, id: &str, all: &[(Service, String)]) -> Option<String> {
    if is_listed(service, id, all) || service.is_program() && !id.contains('-') {
        return None;
    }
    let letters = |id: &str| id.chars().filter(|letter| letter.is_alphabetic()).collect::<String>();
    let own = || all.iter().filter(|(own, _)| *own == list_of(service));
    if own().any(|(_, known)| letters(known) == letters(id)) {
        return None;
    }
    let (_, near) = nearest(id, own()).or_else(|| by_words(id, own().rev()).next())?;
    let word = service.word();
    Some(format!("`{word}/{}` is in no list of models; did you mean `{word}/{}`?", shown(id), shown(near)))
}

/// The one model whose id is closest to what is written, the newest of several; none if all are far.
fn nearest<'a>(
    written: &str,
    all: impl Iterator<Item = &'a (Service, String)>,
) -> Option<&'a (Service, String)> {
    let plain = |id: &str| id.to_lowercase().replace(['_', '.', ' '], "-");
    let written = plain(written);
    let most = (written.len() / 6).max(1);
    let far = |known: &str| damerau_levenshtein(&written, &plain(known));
    let near = all.map(|model| (far(&model.1), model)).filter(|(far, _)| *far <= most);
    near.min_by(|(a, x), (b, y)| a.cmp(b).then_with(|| y.cmp(x))).map(|(_, model)| model)
}

/// Models whose ids have all these words, written nearly so.
fn by_words<'a>(
    written: &str,
    all: impl Iterator<Item = &'a (Service, String)>,
) -> impl Iterator<Item = &'a (Service, String)> {
    let words = |id: &str| -> Vec<String> {
        let words = id.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let wanted = words(written);
    let is_like =
        |word: &str, known: &str| word == known || 3 < word.len() && damerau_levenshtein(word, known) <= 1;
    let is_word = |word: &String| 3 < word.len() && word.chars().any(char::is_alphabetic);
    let says_something = wanted.iter().any(is_word);
    all.filter(move |(_, id)| {
        let known = words(id);
        says_something && wanted.iter().all(|word| known.iter().any(|known| is_like(word, known)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, offered: &[(Service, &str)]) -> String {
        let known = Models::read(None).unwrap();
        let offered = offered.iter().map(|(service, id)| (*service, (*id).to_owned())).collect();
        match meant(text, Some(&known), |_| offered) {
            Ok(Meant { name, doubt }) => format!("{name} {}", doubt.unwrap_or_default()).trim().to_owned(),
            Err(failure) => format!("{}: {}", failure.message, failure.hint.unwrap_or_default()),
        }
    }

    #[test]
    fn a_model_is_named_as_it_is_listed_and_a_typo_is_told() {
        let local = [
            (Service::Ollama, "llama3.2"),
            (Service::OpenAi, "gpt-5.5"),
            (Service::OpenAi, "both"),
            (Service::Ollama, "both"),
        ];
        for (text, expected) in [
            ("claude-sonnet-5-5", "anthropic/claude-sonnet-5-5"),
            ("anthropic/claude-sonnet-5-5", "anthropic/claude-sonnet-5-5"),
            ("llama3.2", "ollama/llama3.2"),
            ("gpt-5.5", "openai/gpt-5.5"),
            ("codex", "codex"),
            ("openai/anything-of-mine", "openai/anything-of-mine"),
            // A newer version than the table knows is no typo.
            ("anthropic/claude-sonnet-5-6", "anthropic/claude-sonnet-5-6"),
            (
                "anthropic/claude-sonet-5-5",
                "anthropic/claude-sonet-5-5 `anthropic/claude-sonet-5-5` is in no list of models; did you mean `anthropic/claude-sonnet-5-5`?",
            ),
            (
                "claude-sonet-5-5",
                "`claude-sonet-5-5` names no model: did you mean `anthropic/claude-sonnet-5-5`?",
            ),
            (
                "sonnet",
                "`sonnet` names no model: did you mean `anthropic/claude-sonnet-5-5`, `anthropic/claude-sonnet-5`, `anthropic/claude-sonnet-4-6`?",
            ),
            ("gpt-4", "`gpt-4` names no model: did you mean `openai/gpt-4`?"),
            (
                "Claude_Sonnet_5.5",
                "`Claude_Sonnet_5.5` names no model: did you mean `anthropic/claude-sonnet-5-5`?",
            ),
            (
                "opus-5",
                "`opus-5` names no model: did you mean `anthropic/claude-opus-5-5`, `anthropic/claude-opus-5`?",
            ),
            (
                "haikou",
                "`haikou` names no model: did you mean `anthropic/claude-haiku-5-5`, `anthropic/claude-haiku-4-5`?",
            ),
            ("cluade", "`cluade` names no model: did you mean `claude`?"),
            ("codxe", "`codxe` names no model: did you mean `codex`?"),
            ("olama/mine", "`olama/mine` names no model: did you mean `ollama/mine`?"),
            (
                "ollama/lama3.2",
                "ollama/lama3.2 `ollama/lama3.2` is in no list of models; did you mean `ollama/llama3.2`?",
            ),
            ("ollama/llama3.3", "ollama/llama3.3"),
            (
                "anthropic/sonnet",
                "anthropic/sonnet `anthropic/sonnet` is in no list of models; did you mean `anthropic/claude-sonnet-5-5`?",
            ),
            ("claude/sonnet", "claude/sonnet"),
            (
                "claude/claude-sonet-5-5",
                "claude/claude-sonet-5-5 `claude/claude-sonet-5-5` is in no list of models; did you mean `claude/claude-sonnet-5-5`?",
            ),
            ("both", "`both` is served by several services: write openai/both or ollama/both"),
            (
                "antropic/claude-sonnet-5-5",
                "`antropic/claude-sonnet-5-5` names no model: did you mean `anthropic/claude-sonnet-5-5`?",
            ),
        ] {
            assert_eq!(told(text, &local), expected, "{text}");
        }
        assert!(told("nobody", &[]).starts_with("`nobody` names no model (hint: write `anthropic/ID`"));
    }
}
