//! Files that keep secrets are there, and what is in them is not.

use std::sync::{Arc, Mutex};

use serde_json::json;

mod ways_out;

use super::super::Secrets;
use crate::fixture::{Fixture, refused, told};
use crate::run_command::CommandOutput;

/// What stands in every secret file.
const CANARY: &str = "hunter2-canary";

const FILES: &[&str] =
    &[".env", "deploy/production.env", "id_rsa", "tls/server.pem", ".aws/credentials", "vault.kdbx"];

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    for path in FILES {
        fixture.file(path, format!("PASSWORD={CANARY}\n"));
    }
    fixture
        .file(".env.example", "PASSWORD=\n")
        .file("id_rsa.pub", "ssh-rsa AAAA\n")
        .file("app.py", "PASSWORD = load()\n");
    fixture.link("notes.txt", ".env");
    fixture
}

#[test]
fn secret_files_are_not_read() {
    let fixture = fixture();
    let outlines = |_: &luminos_core::RelPath, bytes: &[u8]| {
        Ok(crate::Outline { text: String::from_utf8_lossy(bytes).into_owned(), ..Default::default() })
    };
    let mut session = fixture.session(".").with_outlines(Arc::new(outlines));
    for path in FILES.iter().chain(&["notes.txt"]) {
        for tool in ["read_file", "parse_structure"] {
            let text = refused(&mut session, tool, json!({ "path": path }));
            assert!(text.contains("keeps secrets") && text.contains("--include-secrets"), "{text}");
            assert!(!text.contains(CANARY), "{text}");
        }
        let text = refused(&mut session, "search", json!({ "pattern": "PASS", "path": path }));
        assert!(!text.contains(CANARY), "{text}");
    }
    for path in [".env.example", "id_rsa.pub", "app.py"] {
        told(&mut session, "read_file", json!({ "path": path }));
    }
    // They can be seen to be there.
    assert!(told(&mut session, "list_directory", json!({ "path": "." })).contains("id_rsa"));
}

#[test]
fn a_search_passes_secret_files_by_and_says_so() {
    let fixture = fixture();
    let mut session = fixture.session(".");
    let text = told(&mut session, "search", json!({ "pattern": "PASSWORD", "all": true }));
    assert!(text.contains("app.py") && !text.contains(CANARY), "{text}");
    assert!(
        text.contains("Not searched, because their names say that they keep secrets: 6 files."),
        "{text}"
    );
    let text = told(&mut session, "search", json!({ "pattern": "PASSWORD" }));
    assert!(!text.contains(CANARY), "{text}");
}

#[test]
fn programs_are_not_given_secret_files() {
    let fixture = fixture();
    let given: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
    let run = {
        let given = Arc::clone(&given);
        move |argv: &[String]| {
            given.lock().unwrap().push(argv.to_vec());
            Ok(CommandOutput::default())
        }
    };
    let mut session = fixture.session(".").with_commands(Arc::new(run));
    for argv in [
        json!(["head", ".env"]),
        json!(["head", "-n", "3", "./.env"]),
        json!(["tail", "notes.txt"]),
        json!(["grep", "-r", "PASS", "tls/server.pem"]),
        json!(["grep", "-e", "PASS", "id_rsa"]),
        json!(["sort", "--", "vault.kdbx"]),
    ] {
        let text = refused(&mut session, "run_command", json!({ "argv": argv }));
        assert!(text.contains("keeps secrets"), "{text}");
    }
    assert!(given.lock().unwrap().is_empty());
    told(&mut session, "run_command", json!({ "argv": ["wc", "-l", ".env"] }));
    told(&mut session, "run_command", json!({ "argv": ["grep", ".env", "app.py"] }));
    told(&mut session, "run_command", json!({ "argv": ["grep", "-r", "--include=.env", "PASS", "--", "."] }));
    let given = given.lock().unwrap();
    let last = given.last().unwrap();
    let place = |word: &str| last.iter().position(|known| known == word).unwrap();
    // Of options that contradict each other the last one counts.
    assert!(place("--include=.env") < place("--exclude=.env") && place("--exclude=.env") < place("--"));
    assert!(last.contains(&"--exclude-dir=.ssh".to_owned()));
    crate::command::check(last).unwrap();
}

#[test]
fn whoever_runs_it_can_allow_secret_files() {
    let fixture = fixture();
    let mut session = fixture.session(".").with_secrets(Secrets::Shown);
    assert!(told(&mut session, "read_file", json!({ "path": ".env" })).contains(CANARY));
    let text = told(&mut session, "search", json!({ "pattern": "PASSWORD", "all": true }));
    assert!(text.contains(CANARY) && !text.contains("Not searched"), "{text}");
}
