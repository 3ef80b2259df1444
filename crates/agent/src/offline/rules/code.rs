//! Calls that hand power to whoever controls their input.

use std::sync::LazyLock;

use luminos_core::flag::Severity;
use regex::Regex;

use super::{Found, pattern, places};
use crate::offline::eyes::FileText;

/// A dangerous habit in some languages.
struct Habit {
    rule: &'static str,
    endings: &'static [&'static str],
    /// What every such line contains.
    hint: &'static str,
    pattern: Option<Regex>,
    /// Makes it harmless when it stands in the line.
    unless: &'static [&'static str],
    severity: Severity,
    finding: &'static str,
}

static HABITS: LazyLock<Vec<Habit>> = LazyLock::new(|| {
    vec![
        Habit {
            rule: "code.eval",
            endings: &["py"],
            hint: "eval(",
            pattern: pattern(r#"(?:^|[^\w.])eval\(\s*[^"'\s)]"#),
            unless: &["def eval", "literal_eval"],
            severity: Severity::Concern,
            finding: "Evaluates text as Python code: whoever controls the text controls the program",
        },
        Habit {
            rule: "code.eval",
            endings: &["js", "jsx", "ts", "tsx", "mjs", "cjs"],
            hint: "eval(",
            pattern: pattern(r#"(?:^|[^\w.$])eval\(\s*[^"'\s)]"#),
            unless: &["function eval"],
            severity: Severity::Concern,
            finding: "Evaluates text as JavaScript: whoever controls the text controls the program",
        },
        Habit {
            rule: "code.shell",
            endings: &["py"],
            hint: "shell=True",
            pattern: pattern(r"\bshell=True\b"),
            unless: &[],
            severity: Severity::Concern,
            finding: "Runs commands through a shell: input that reaches the line can run other commands",
        },
        Habit {
            rule: "code.shell",
            endings: &["py"],
            hint: "os.system(",
            pattern: pattern(r#"\bos\.system\(\s*(?:f["']|[^"'\s)]|["'][^"']*["']\s*[%+.])"#),
            unless: &[],
            severity: Severity::Concern,
            finding: "Builds a shell line and runs it: input that reaches it can run other commands",
        },
        Habit {
            rule: "code.deserialise",
            endings: &["py"],
            hint: "pickle.load",
            pattern: pattern(r"\bpickle\.loads?\("),
            unless: &[],
            severity: Severity::Concern,
            finding: "Unpickles data: a pickle from an untrusted source runs code",
        },
        Habit {
            rule: "code.deserialise",
            endings: &["py"],
            hint: "yaml.load(",
            pattern: pattern(r"\byaml\.load\("),
            unless: &["SafeLoader", "Loader="],
            severity: Severity::Concern,
            finding: "Loads YAML with the unsafe loader: a document from an untrusted source runs code",
        },
        Habit {
            rule: "code.tls-off",
            endings: &["py"],
            hint: "verify=False",
            pattern: pattern(r"\bverify=False\b"),
            unless: &[],
            severity: Severity::Concern,
            finding: "Turns off the check of TLS certificates",
        },
        Habit {
            rule: "code.tls-off",
            endings: &["go"],
            hint: "InsecureSkipVerify",
            pattern: pattern(r"InsecureSkipVerify:\s*true"),
            unless: &[],
            severity: Severity::Concern,
            finding: "Turns off the check of TLS certificates",
        },
        Habit {
            rule: "code.tls-off",
            endings: &["js", "ts", "mjs", "cjs", "tsx", "jsx"],
            hint: "rejectUnauthorized",
            pattern: pattern(r"rejectUnauthorized:\s*false"),
            unless: &[],
            severity: Severity::Concern,
            finding: "Turns off the check of TLS certificates",
        },
    ]
});

/// Scripts that a package manager runs on installation.
static INSTALL: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r#"^\s*"(?:preinstall|install|postinstall)"\s*:\s*""#));

pub(super) fn look(file: &FileText) -> Vec<Found> {
    let ending = file.name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    let mut found = Vec::new();
    for habit in HABITS.iter().filter(|habit| habit.endings.contains(&ending)) {
        let Some(pattern) = &habit.pattern else { continue };
        if !file.text.contains(habit.hint) {
            continue;
        }
        let is_meant = |line: &str| {
            let start = line.trim_start();
            let is_comment = ["#", "//", "*", "/*"].iter().any(|mark| start.starts_with(mark));
            !is_comment && !habit.unless.iter().any(|word| line.contains(word))
        };
        let mut evidence: Vec<_> = file
            .lines()
            .filter(|(_, line)| {
                line.len() < 400 && line.contains(habit.hint) && is_meant(line) && pattern.is_match(line)
            })
            .map(|(number, _)| file.cite_lines(number, number))
            .collect();
        if !evidence.is_empty() {
            let places = places(&mut evidence);
            let finding = format!("{}{places}.", habit.finding);
            found.push(Found { rule: habit.rule, severity: habit.severity, finding, evidence });
        }
    }
    if file.name == "package.json"
        && let Some(pattern) = &*INSTALL
        && let Some((number, _)) = file.lines().find(|(_, line)| pattern.is_match(line))
    {
        found.push(Found {
            rule: "code.install-hook",
            severity: Severity::Concern,
            finding: "A script runs by itself when this package is installed.".to_owned(),
            evidence: vec![file.cite_lines(number, number)],
        });
    }
    found
}
