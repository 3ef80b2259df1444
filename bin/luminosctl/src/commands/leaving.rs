//! What leaves the machine when a model is asked, and to whom: said before the first question goes out.

use luminos_core::Untrusted;
use luminos_core::config::Surroundings;
use luminos_engine::{ModelName, Service, server};

/// A model, and where what it is asked goes: the host that is asked in the end, or the program that passes it on.
pub(crate) fn model_and_place(name: &ModelName, around: &Surroundings) -> String {
    let shown = Untrusted::new(name.to_string().as_bytes()).for_terminal();
    match name.service() {
        Service::Codex | Service::Claude => format!(
            "{shown} (a program here, which adds instructions of its own and sends everything to its own provider)"
        ),
        Service::Command => {
            format!("{shown} (your own program here, which may send what it is asked anywhere)")
        }
        service @ (Service::Anthropic | Service::OpenAi | Service::Ollama) => {
            let server = server(service, around);
            format!(
                "{shown} at {}",
                server.as_ref().map_or("an unknown place", |server| host(&server.address))
            )
        }
    }
}

/// Host and port of an address, without whoever logs in there.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    rest.rsplit_once('@').map_or(rest, |(_, host)| host)
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
        let login = [("OPENAI_BASE_URL", "https://me:secret@gpu.lan:8443?x=1")];
        check("openai/a", &login, "openai/a at gpu.lan:8443");
        check("ollama/a", &[], "ollama/a at 127.0.0.1:11434");
    }
}
