//! What leaves the machine when a model is asked, and to whom: said before the first question goes out.

use luminos_core::Untrusted;
use luminos_core::config::Surroundings;
use luminos_engine::{ModelName, Service, server};

/// A model, and where what it is asked goes: the host that is asked in the end, or the program that passes it on, and what
/// that adds.
pub(crate) fn model_and_place(name: &ModelName, around: &Surroundings) -> String {
    let shown = Untrusted::new(name.to_string().as_bytes()).for_terminal();
    let program = |adds: &str| {
        format!(
            "{shown} (a program here, which sends everything to the provider it is set up for and adds instructions of its \
             own, {adds} and who its user is)"
        )
    };
    match name.service() {
        Service::Codex => program("the date, your time zone and shell"),
        Service::Claude => program("the date, your shell and operating system"),
        Service::Command => {
            format!("{shown} (your own program here, which may send what it is asked anywhere)")
        }
        service @ (Service::Anthropic | Service::OpenAi | Service::Ollama) => {
            let host = server(service, around).and_then(|server| server.host);
            let host = host.unwrap_or_else(|| "an address that cannot be used".to_owned());
            // A server on this machine is not always where the model is.
            let is_passed_on = service == Service::Ollama
                && name.id().is_some_and(|id| id.ends_with("-cloud") || id.ends_with(":cloud"));
            let further = if is_passed_on { ", which passes it on to ollama.com" } else { "" };
            format!("{shown} at {host}{further}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, variables: &[(&str, &str)], expected: &str) {
        let around = Surroundings {
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
            ..Surroundings::default()
        };
        assert_eq!(model_and_place(&name.parse().unwrap(), &around), expected);
    }

    #[test]
    fn the_host_is_the_one_that_is_asked_in_the_end() {
        check("anthropic/a", &[], "anthropic/a at api.anthropic.com");
        let gateway = [("ANTHROPIC_BASE_URL", "http://127.0.0.1:18181/v1/x")];
        check("anthropic/a", &gateway, "anthropic/a at 127.0.0.1:18181");
        let query = [("OPENAI_BASE_URL", "https://gpu.lan:8443?x=1")];
        check("openai/a", &query, "openai/a at gpu.lan:8443");
        check("ollama/a", &[], "ollama/a at 127.0.0.1:11434");
        check(
            "ollama/a:9b-cloud",
            &[],
            "ollama/a:9b-cloud at 127.0.0.1:11434, which passes it on to ollama.com",
        );
    }

    #[test]
    fn an_address_that_looks_like_another_is_told_as_it_is() {
        let disguised = [("ANTHROPIC_BASE_URL", r"https://evil.example\@api.anthropic.com")];
        check("anthropic/a", &disguised, "anthropic/a at evil.example");
        let alike = [("ANTHROPIC_BASE_URL", "https://\u{430}pi.anthropic.com")];
        check("anthropic/a", &alike, "anthropic/a at xn--pi-6kc.anthropic.com");
        let login = [("OPENAI_BASE_URL", "https://me:secret@gpu.lan")];
        check("openai/a", &login, "openai/a at an address that cannot be used");
    }

    #[test]
    fn of_a_program_it_is_told_what_it_adds() {
        check(
            "claude/opus",
            &[],
            "claude/opus (a program here, which sends everything to the provider it is set up for and adds instructions of \
             its own, the date, your shell and operating system and who its user is)",
        );
    }
}
