//! Calls that are what a program is for: a shell runs what its user types, a compiler runs what it compiled, a
//! configuration in code is code. They are told all the same, as something to know; in words that say what they are.

use luminos_core::flag::Severity;

use super::table::{DESERIALISE, EVAL, SHELL, TLS_OFF};
use crate::eyes::FileText;

const FILE_AS_CODE: &str =
    "Runs a file as code, as an import would: whoever can write that file controls the program";
const TYPED: &str = "Runs what its user types as code, as a shell does";
const COMPILED: &str =
    "Runs code that it has compiled itself: whoever controls what is compiled controls the program";
const READ_BACK: &str = "Reads back what it has serialised itself, in a way that could run code";
const STORED: &str = "Reads back what it has stored, in a way that can run code: whoever can write to the store controls the program";
const CONFIGURATION: &str =
    "Reads its configuration in a way that can run code: whoever can write that file controls the program";
const ITSELF: &str = "Runs a program that it names itself through a shell, with the path of its own binary";
const ASKED_FOR: &str = "Turns off the check of TLS certificates where its user asks for that";
const THIS_MACHINE: &str =
    "Turns off the check of TLS certificates, as it seems for a server on this machine";

/// So far above a call one looks for where its argument comes from.
const NEAR: usize = 60;
/// A value that is read back is fetched right before.
const BEFORE: usize = 4;

/// What a call is, in better words than its rule has, and how bad that is where it is less than the rule says.
pub(super) fn of(rule: &str, file: &FileText, line: usize) -> Option<(&'static str, Option<Severity>)> {
    let stored = || rule == DESERIALISE.id && is_written_here(file, line);
    match lesser(rule, file, line) {
        Some(words) => Some((words, Some(Severity::Info))),
        None => stored().then_some((STORED, None)),
    }
}

fn lesser(rule: &str, file: &FileText, line: usize) -> Option<&'static str> {
    let text = file.line(line);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // What comes over the network is never meant.
    if has(&["request", "req.", "params", "body", "query", "payload", "recv("]) {
        return None;
    }
    let above = |lines: usize| (line.saturating_sub(lines).max(1)..line).map(|number| file.line(number));
    if rule == EVAL.id {
        if has(&["exec(compile(", "eval(compile("]) && has(&[".read()"]) {
            return Some(FILE_AS_CODE);
        }
        let stem = file.name.split('.').next().unwrap_or_default();
        let is_shell = matches!(stem, "shell" | "repl" | "console" | "interactive");
        if is_shell || has(&["(input("]) {
            return Some(TYPED);
        }
        let is_compiled = |line: &str| line.contains("= compile(") || line.contains("= generate(");
        return (has(&["new Function("]) && above(NEAR).any(is_compiled)).then_some(COMPILED);
    }
    if rule == DESERIALISE.id {
        let argument =
            text.split("loads(").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
        let is_own = |line: &str| {
            line.trim_start()
                .strip_prefix(argument)
                .is_some_and(|rest| rest.starts_with(" = self.") && rest.contains('['))
        };
        if !argument.is_empty() && above(BEFORE).any(is_own) && is_written_here(file, line) {
            return Some(READ_BACK);
        }
        let stem = file.name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        return (stem.contains("config") || stem.contains("settings")).then_some(CONFIGURATION);
    }
    if rule == SHELL.id {
        return is_about_itself(file, line).then_some(ITSELF);
    }
    if rule != TLS_OFF.id {
        return None;
    }
    // `if(config->insecure)`, `if !verify`: an option decides.
    let is_asked = |line: &str| {
        let lower = line.trim().to_ascii_lowercase();
        let is_condition = ["if ", "if(", "} else if", "elif ", "when ", "unless "]
            .iter()
            .any(|word| lower.starts_with(word));
        is_condition
            && ["insecure", "verify", "no_check", "skip_tls", "allow_invalid"]
                .iter()
                .any(|word| lower.contains(word))
    };
    if above(BEFORE).any(is_asked) {
        return Some(ASKED_FOR);
    }
    let is_here =
        |line: &str| ["localhost", "127.0.0.1", "0.0.0.0", "::1"].iter().any(|host| line.contains(host));
    let below = (line + 1..line + NEAR).map(|number| file.line(number));
    (above(NEAR * 2).any(is_here) || below.take(BEFORE).any(is_here)).then_some(THIS_MACHINE)
}

/// Whether a command line of C is one that names a program and gives it nothing but the path of the running one:
/// `snprintf(line, sizeof(line), "addr2line -e %s", exepath)`.
fn is_about_itself(file: &FileText, line: usize) -> bool {
    let argument = ["popen(", "system("].iter().find_map(|call| file.line(line).split(call).nth(1));
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let buffer = argument.and_then(|rest| rest.split(|letter| !is_name(letter)).next()).unwrap_or_default();
    if buffer.is_empty() {
        return false;
    }
    let mut fills = (line.saturating_sub(NEAR / 2).max(1)..line)
        .map(|number| file.line(number))
        .filter(|text| text.contains(&format!("printf({buffer},")))
        .peekable();
    let is_own = |text: &str| {
        let Some((format, rest)) = text.rsplit_once('"') else { return false };
        let words: Vec<&str> =
            rest.split(|letter| !is_name(letter)).filter(|word| !word.is_empty()).collect();
        let is_path =
            |word: &&str| word.contains("exe") || word.contains("progname") || word.contains("self");
        format.matches("%s").count() == words.len() && words.iter().all(is_path)
    };
    fills.peek().is_some() && fills.all(is_own)
}

/// Whether what a line reads with a module is written with the same in its file.
fn is_written_here(file: &FileText, line: usize) -> bool {
    let text = file.line(line);
    let Some(at) = text.find(".load") else { return false };
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let module = text[..at].rsplit(|character| !is_name(character)).next().unwrap_or_default();
    let writes = ["dumps(", "dump("].iter().any(|word| file.text.contains(&format!("{module}.{word}")));
    !module.is_empty() && writes
}
