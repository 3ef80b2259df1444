//! Scripts: the interpreter their first line names.

use luminos_core::scan::Category::Source;

use super::language::{Guess, Place};

/// Reads a first line that begins with `#!`.
///
/// Unlike `file`, it does not matter in which directory the interpreter lies, nor which options `env` is
/// given: `/opt/bin/python3` runs Python too.
pub(super) fn guess(text: &[u8]) -> Option<Guess> {
    let line = text.strip_prefix(b"#!")?;
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    let line = std::str::from_utf8(&line[..end.min(120)]).ok()?.trim();
    let (path, arguments) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let arguments = arguments.trim_start();
    let through_env = path.ends_with("/env");
    let program = if through_env {
        let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
        arguments.split_ascii_whitespace().find(is_program).unwrap_or("env")
    } else {
        path
    };
    let program = program.rsplit('/').next().unwrap_or(program);
    let (name, place) =
        match program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
            "sh" => ("POSIX shell script", Place::BeforeExecutable),
            "bash" => ("Bourne-Again shell script", Place::BeforeExecutable),
            "zsh" => ("Paul Falstad's zsh script", Place::BeforeExecutable),
            "ksh" => ("Korn shell script", Place::BeforeExecutable),
            "csh" => ("C shell script", Place::BeforeExecutable),
            "tcsh" => ("Tenex C shell script", Place::BeforeExecutable),
            "fish" => ("fish shell script", Place::BeforeExecutable),
            "ash" => ("Neil Brown's ash script", Place::BeforeExecutable),
            "rc" => ("Plan 9 rc shell script", Place::BeforeExecutable),
            "python" | "pypy" => ("Python script", Place::BeforeExecutable),
            "ruby" => ("Ruby script", Place::BeforeExecutable),
            "lua" | "luajit" => ("Lua script", Place::BeforeExecutable),
            "php" => ("PHP script", Place::BeforeExecutable),
            "awk" => ("awk script", Place::BeforeExecutable),
            "gawk" => ("GNU awk script", Place::BeforeExecutable),
            "nawk" => ("new awk script", Place::BeforeExecutable),
            "tclsh" | "wish" if through_env => ("Tcl script", Place::BeforeExecutable),
            "tclsh" | "wish" => ("Tcl/Tk script", Place::BeforeExecutable),
            "node" | "nodejs" => ("Node.js script executable", Place::Before),
            "julia" => ("Julia script executable", Place::Before),
            "perl" => ("Perl script text executable", Place::Alone),
            _ => {
                let command = if through_env { arguments } else { line };
                let printable: String = command.chars().filter(|letter| !letter.is_control()).collect();
                let name = format!("a {printable} script").into();
                return Some(Guess { category: Source, name, place: Place::BeforeExecutable });
            }
        };
    Some(Guess { category: Source, name: name.into(), place })
}
