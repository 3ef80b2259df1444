//! Secrets of every family, by every way out of a file: whatever tool shows whatever part of it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use super::*;
use crate::session::Session;
use crate::structure;

#[path = "../../../../../core/src/secrets/tests/samples.rs"]
mod samples;

use samples::{Filled, SAMPLES};

/// How a text may lie in a file, besides as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Plain,
    WindowsLines,
    Utf16,
    Added,
    Removed,
}

impl Stored {
    fn bytes(self, text: &str) -> Vec<u8> {
        let signed = |sign: char| text.lines().map(|line| format!("{sign}{line}\n")).collect::<String>();
        match self {
            Self::Plain => text.as_bytes().to_vec(),
            Self::WindowsLines => text.replace('\n', "\r\n").into_bytes(),
            Self::Utf16 => {
                std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
            Self::Added => format!("--- a/x\n+++ b/x\n@@ -0,0 +1,9 @@\n{}", signed('+')).into_bytes(),
            Self::Removed => format!("--- a/x\n+++ b/x\n@@ -1,9 +0,0 @@\n{}", signed('-')).into_bytes(),
        }
    }
}

/// Whether a piece of a secret that would help somebody stands in a text.
fn leaks(text: &str, filled: &Filled) -> bool {
    filled.secrets.iter().any(|secret| {
        let piece = secret.len().min(8);
        secret
            .as_bytes()
            .windows(piece)
            .any(|piece| text.as_bytes().windows(piece.len()).any(|part| part == piece))
    })
}

/// Programs, run as they are in the target: how they are confined is tested elsewhere.
#[expect(clippy::disallowed_methods, reason = "a test runs the programs that a model may run")]
fn programs(target: PathBuf) -> impl Fn(&[String]) -> Result<CommandOutput, String> {
    move |argv| {
        crate::command::check(argv).unwrap();
        let ran = std::process::Command::new(&argv[0]).args(&argv[1..]).current_dir(&target).output();
        let ran = ran.unwrap();
        Ok(CommandOutput { stdout: ran.stdout, stderr: ran.stderr, ..CommandOutput::default() })
    }
}

fn outline(path: &luminos_core::RelPath, bytes: &[u8]) -> Result<crate::Outline, String> {
    let outline = structure::outline(path.as_bytes(), bytes, &structure::Limits::default());
    let words = outline.map(|outline| outline.for_model()).unwrap_or_default();
    let text = format!("{words}\n{}", String::from_utf8_lossy(bytes));
    Ok(crate::Outline { text, ..Default::default() })
}

/// Everything that can be asked about a file, with what is said.
fn answers(session: &mut Session, file: &str, bytes: &[u8], filled: &Filled) -> Vec<(String, String)> {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count().max(1);
    let first = &filled.secrets[0];
    let middle = bytes
        .windows(4)
        .position(|part| part == &first.as_bytes()[first.len() / 2..][..4.min(first.len() / 2)])
        .unwrap_or(bytes.len() / 2);
    let head: String = first.chars().take(6).collect();
    let dir = file.rsplit_once('/').unwrap().0;
    let mut calls = vec![
        ("read_file", json!({ "path": file })),
        ("read_file", json!({ "path": file, "numbered": true })),
        ("read_file", json!({ "path": file, "offset": middle })),
        ("read_file", json!({ "path": file, "offset": middle / 2, "max_bytes": middle / 2 + 6 })),
        ("search", json!({ "path": file, "pattern": "." })),
        ("search", json!({ "path": dir, "pattern": head, "literal": true })),
        ("search", json!({ "path": dir, "pattern": head, "literal": true, "context": 2 })),
        ("search", json!({ "path": file, "pattern": "[A-Za-z0-9+/=]{12,}" })),
        ("parse_structure", json!({ "path": file })),
    ];
    calls.extend((2..=lines).map(|line| ("read_file", json!({ "path": file, "start_line": line }))));
    let from = (middle + 1).to_string();
    for argv in [
        vec!["grep", "-rH", "", dir],
        vec!["grep", "-n", "", file],
        vec!["grep", "-o", "[A-Za-z0-9+/=_.!&-]*", file],
        vec!["grep", "-A3", "-B3", &head, file],
        vec!["tail", "-n", "+2", file],
        vec!["tail", "-c", &format!("+{from}"), file],
        vec!["head", "-c", &from, file],
        vec!["head", "-n", "4", file],
        vec!["sort", file],
        vec!["sort", "-r", file],
        vec!["uniq", "-c", file],
    ] {
        calls.push(("run_command", json!({ "argv": argv })));
    }
    let told = calls.into_iter().map(|(tool, arguments)| {
        let asked = format!("{tool} {arguments}");
        (asked, crate::fixture::call(session, tool, arguments).text)
    });
    // Whoever asks for a secret has it already.
    told.filter(|(asked, said)| !(said.contains("No line matches") && asked.contains(&head))).collect()
}

#[test]
fn no_secret_of_any_family_gets_out_by_any_way() {
    let fixture = Fixture::new();
    let mut files = Vec::new();
    for (number, sample) in SAMPLES.iter().enumerate() {
        for stored in [Stored::Plain, Stored::WindowsLines, Stored::Utf16, Stored::Added, Stored::Removed] {
            // What a column is called does not stand in a diff of a row.
            if sample.name == "a table" && matches!(stored, Stored::Added | Stored::Removed) {
                continue;
            }
            let filled = sample.fill();
            let bytes = stored.bytes(&filled.text);
            let file = format!("{stored:?}/{number}/{}", sample.file);
            fixture.file(&file, &bytes);
            files.push((sample, stored, file, bytes, filled));
        }
    }
    let mut session = fixture
        .session(".")
        .with_outlines(Arc::new(outline))
        .with_commands(Arc::new(programs(fixture.target())));
    let (mut ways, mut out) = (0, Vec::new());
    for (sample, stored, file, bytes, filled) in &files {
        let answers = answers(&mut session, file, bytes, filled);
        ways += answers.len();
        let leaked = answers.iter().filter(|(_, said)| leaks(said, filled));
        out.extend(leaked.map(|(asked, said)| format!("{} {stored:?}: {asked}\n{said}", sample.name)));
    }
    assert!(120 * 15 < ways, "{ways}");
    assert!(out.is_empty(), "{} of {ways}:\n{}", out.len(), out.join("\n"));
}

#[test]
fn a_file_with_another_name_that_keeps_secrets_is_withheld_by_every_name() {
    let fixture = super::fixture();
    let target = fixture.target();
    std::fs::hard_link(target.join(".env"), target.join("notes [1].md")).unwrap();
    std::fs::create_dir(target.join("deep")).unwrap();
    std::fs::hard_link(target.join("tls/server.pem"), target.join("deep/readme.txt")).unwrap();
    std::fs::set_permissions(target.join("app.py"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let mut session = fixture
        .session(".")
        .with_outlines(Arc::new(outline))
        .with_commands(Arc::new(programs(fixture.target())));
    for path in ["notes [1].md", "deep/readme.txt"] {
        for (tool, arguments) in [
            ("read_file", json!({ "path": path })),
            ("parse_structure", json!({ "path": path })),
            ("search", json!({ "path": path, "pattern": "PASS" })),
            ("run_command", json!({ "argv": ["head", path] })),
            ("run_command", json!({ "argv": ["grep", "PASS", path] })),
        ] {
            let text = refused(&mut session, tool, arguments);
            assert!(text.contains("keeps secrets") && !text.contains(CANARY), "{text}");
        }
    }
    let everything = json!({ "argv": ["grep", "-r", "", "."] });
    for (tool, arguments) in
        [("search", json!({ "pattern": "PASSWORD", "all": true })), ("run_command", everything)]
    {
        let text = told(&mut session, tool, arguments);
        assert!(text.contains("app.py"), "{text}");
        for hidden in [CANARY, "notes [1]", "readme.txt"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }
}
