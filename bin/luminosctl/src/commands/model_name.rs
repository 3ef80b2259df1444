//! The model that somebody means: by its full name, or by its id alone as `luminosctl models` lists it.
//!
//! An id alone is taken where one service only is known to serve it. What is misspelt is refused, or told, with what it
//! was perhaps meant to be.

use luminos_core::config::ModelsConfig;
use luminos_core::config::Surroundings;
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::{ModelName, Models, Presence, Service, read_models};
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
    let Meant { name, doubt } = meant(text, known.as_ref(), || offered(around, config))?;
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
    meant(text, known, || offered).err().map(|failure| failure.message)
}

/// What the servers that somebody chose offer.
fn offered(around: &Surroundings, config: &ModelsConfig) -> Vec<(Service, String)> {
    let found = look_around(around, Some(config)).unwrap_or_default();
    found
        .iter()
        .flat_map(|found| found.offered().iter().map(|model| (found.service, model.id.clone())))
        .collect()
}

fn meant(
    text: &str,
    known: Option<&Models>,
    offered: impl FnOnce() -> Vec<(Service, String)>,
) -> Result<Meant, Failure> {
    let service_of =
        |provider: Option<&str>| Service::ALL.into_iter().find(|service| Some(service.word()) == provider);
    let mut all: Vec<(Service, String)> = known
        .into_iter()
        .flat_map(Models::iter)
        .filter_map(|(id, facts)| Some((service_of(facts.provider.as_deref())?, id.to_owned())))
        .collect();
    let parsed = text.parse::<ModelName>();
    if let Ok(name) = parsed {
        let doubt = name.id().and_then(|id| doubt(name.service(), id, &all));
        return Ok(Meant { name, doubt });
    }
    if !text.contains('/') {
        all.extend(offered());
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

/// Full names that a text may have been meant to be, the nearest first.
fn suggestions(text: &str, all: &[(Service, String)]) -> Vec<String> {
    let id = text.split_once('/').map_or(text, |(_, id)| id);
    let name = |service: Service, id: &str| format!("`{}/{}`", service.word(), shown(id));
    let mut near: Vec<(usize, &(Service, String))> =
        all.iter().filter_map(|model| Some((distance(id, &model.1)?, model))).collect();
    near.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| y.cmp(x)));
    // A word of a name, such as `sonnet`: the highest numbers first.
    let has_word =
        |model: &&(Service, String)| 3 < id.len() && model.1.split(['-', ':', '.']).any(|word| word == id);
    let by_word = all.iter().rev().filter(has_word);
    let mut names: Vec<String> = near
        .into_iter()
        .map(|(_, model)| model)
        .chain(by_word)
        .map(|(service, id)| name(*service, id))
        .take(MOST_SUGGESTED)
        .collect();
    let family = FAMILIES.iter().find(|(start, _)| id.to_lowercase().starts_with(start));
    if names.is_empty()
        && let Some((_, service)) = family
        && id.parse::<ModelName>().is_err()
    {
        names.push(name(*service, id));
    }
    names
}

/// What is odd about an id that nobody knows and that is close to a known one. Another version of a known model is not.
fn doubt(service: Service, id: &str, all: &[(Service, String)]) -> Option<String> {
    let own: Vec<&String> = all.iter().filter(|(own, _)| *own == service).map(|(_, id)| id).collect();
    if own.iter().any(|known| *known == id) {
        return None;
    }
    let letters = |id: &str| id.chars().filter(|letter| letter.is_alphabetic()).collect::<String>();
    let near = own.iter().filter_map(|known| Some((distance(id, known)?, known)));
    let (_, near) = near.min_by_key(|(far, _)| *far)?;
    (letters(id) != letters(near)).then(|| {
        format!(
            "`{}/{}` is in no list of models; did you mean `{}/{near}`?",
            service.word(),
            shown(id),
            service.word()
        )
    })
}

/// How far two ids are apart, if they are close.
fn distance(written: &str, known: &str) -> Option<usize> {
    let far = damerau_levenshtein(&written.to_lowercase(), &known.to_lowercase());
    (far <= (written.len() / 6).max(1)).then_some(far)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, offered: &[(Service, &str)]) -> String {
        let known = Models::read(None).unwrap();
        let offered = offered.iter().map(|(service, id)| (*service, (*id).to_owned())).collect();
        match meant(text, Some(&known), || offered) {
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
                "`claude-sonet-5-5` names no model: did you mean `anthropic/claude-sonnet-5-5`, `anthropic/claude-sonnet-4-6`?",
            ),
            (
                "sonnet",
                "`sonnet` names no model: did you mean `anthropic/claude-sonnet-5-5`, `anthropic/claude-sonnet-5`, `anthropic/claude-sonnet-4-6`?",
            ),
            ("gpt-4", "`gpt-4` names no model: did you mean `openai/gpt-4`?"),
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
