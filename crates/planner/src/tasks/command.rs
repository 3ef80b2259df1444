//! Commands: one parser and one policy for everybody who looks at one.
//!
//! A command is one program with its arguments, perhaps after `NAME=value`. Words are split as a POSIX shell splits them,
//! quotes and escapes included; whatever would need a shell to run (`&&`, pipes, redirections, `$(…)`, variables, globs)
//! makes it a command that cannot be run, and the reason is told with its place.
//!
//! Not here: running anything.

#[cfg(test)]
mod tests;

/// A command, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Variables that are set for it alone.
    pub assignments: Vec<(String, String)>,
    /// The program.
    pub program: String,
    /// What it is given.
    pub arguments: Vec<String>,
}

/// Why a command cannot be run, or must not be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It only sets variables.
    #[error("it names no program")]
    NoProgram,
    /// It needs a shell.
    #[error("`{what}` at letter {at} needs a shell, and commands run without one")]
    Shell {
        /// What needs one.
        what: String,
        /// Where, counted from 1.
        at: usize,
    },
    /// A quote has no end.
    #[error("the quote at letter {at} has no end")]
    OpenQuote {
        /// Where it starts, counted from 1.
        at: usize,
    },
    /// A backslash ends it.
    #[error("it ends with a backslash")]
    OpenEscape,
    /// It is several lines.
    #[error("it has more than one line")]
    Lines,
    /// The policy forbids it.
    #[error("`{rule}` is not allowed")]
    Denied {
        /// What forbids it.
        rule: String,
    },
}

impl Command {
    /// Takes a command apart.
    pub fn parse(text: &str) -> Result<Self, CannotRun> {
        let text = text.trim();
        if text.is_empty() {
            return Err(CannotRun::Empty);
        }
        let mut words = split(text)?.into_iter().peekable();
        let mut assignments = Vec::new();
        while let Some(word) = words.next_if(|word| word.assigned().is_some()) {
            assignments.extend(word.assigned());
        }
        let program = words.next().map(|word| word.text).filter(|program| !program.is_empty());
        let program = program.ok_or(CannotRun::NoProgram)?;
        Ok(Self { assignments, program, arguments: words.map(|word| word.text).collect() })
    }

    /// The last part of the program's name.
    pub fn name(&self) -> &str {
        self.program.rsplit('/').next().unwrap_or(&self.program)
    }

    /// Program and arguments, joined with single spaces: what rules are held against.
    pub fn plain(&self) -> String {
        let mut words = vec![self.program.as_str()];
        words.extend(self.arguments.iter().map(String::as_str));
        words.join(" ")
    }
}

#[derive(Debug)]
struct Word {
    text: String,
    /// How many letters at its start were neither quoted nor escaped.
    bare: usize,
}

impl Word {
    /// `NAME=value`, if the name was written plainly.
    fn assigned(&self) -> Option<(String, String)> {
        let (name, value) = self.text.split_once('=')?;
        let is_name = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && name.chars().count() < self.bare;
        is_name.then(|| (name.to_owned(), value.to_owned()))
    }
}

/// Splits text into words as a shell would, refusing what only a shell could do.
fn split(text: &str) -> Result<Vec<Word>, CannotRun> {
    let letters: Vec<char> = text.chars().collect();
    let shell = |what: &str, at: usize| CannotRun::Shell { what: what.to_owned(), at: at + 1 };
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut is_plain = true;
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        let begin = word.is_none();
        let current = |word: &mut Option<Word>, letter: char, is_plain: bool| {
            let word = word.get_or_insert_with(|| Word { text: String::new(), bare: 0 });
            word.text.push(letter);
            word.bare += usize::from(is_plain);
        };
        match letter {
            '\n' | '\r' => return Err(CannotRun::Lines),
            ' ' | '\t' => {
                words.extend(word.take());
                is_plain = true;
            }
            '\'' => {
                let end = find(&letters, at + 1, '\'').ok_or(CannotRun::OpenQuote { at: at + 1 })?;
                is_plain = false;
                word.get_or_insert_with(|| Word { text: String::new(), bare: 0 });
                letters[at + 1..end].iter().for_each(|letter| current(&mut word, *letter, false));
                at = end;
            }
            '"' => {
                is_plain = false;
                word.get_or_insert_with(|| Word { text: String::new(), bare: 0 });
                let start = at;
                loop {
                    at += 1;
                    match (letters.get(at).copied(), letters.get(at + 1).copied()) {
                        (None, _) => return Err(CannotRun::OpenQuote { at: start + 1 }),
                        (Some('"'), _) => break,
                        (Some('`'), _) => return Err(shell("`", at)),
                        (Some('$'), next) if is_expansion(next) && next != Some('"') => {
                            return Err(shell(&dollar(next), at));
                        }
                        (Some('\\'), Some(next @ ('"' | '\\' | '$' | '`'))) => {
                            current(&mut word, next, false);
                            at += 1;
                        }
                        (Some(letter), _) => current(&mut word, letter, false),
                    }
                }
            }
            '\\' => {
                current(&mut word, next.ok_or(CannotRun::OpenEscape)?, false);
                is_plain = false;
                at += 1;
            }
            '&' | '|' if next == Some(letter) => return Err(shell(&format!("{letter}{letter}"), at)),
            '|' | ';' | '<' | '>' | '&' | '`' | '(' | ')' => return Err(shell(&letter.to_string(), at)),
            '$' if is_expansion(next) => return Err(shell(&dollar(next), at)),
            '#' if begin => return Err(shell("#", at)),
            '~' if begin && matches!(next, None | Some('/' | ' ')) => return Err(shell("~", at)),
            '*' | '?' => return Err(shell(&letter.to_string(), at)),
            letter => current(&mut word, letter, is_plain),
        }
        at += 1;
    }
    words.extend(word);
    Ok(words)
}

fn find(letters: &[char], from: usize, wanted: char) -> Option<usize> {
    letters.get(from..)?.iter().position(|letter| *letter == wanted).map(|at| from + at)
}

fn is_expansion(next: Option<char>) -> bool {
    next.is_some_and(|next| next.is_ascii_alphanumeric() || "({_@*#?!$-'\"".contains(next))
}

fn dollar(next: Option<char>) -> String {
    match next {
        Some(next @ ('(' | '{')) => format!("${next}"),
        Some(_) | None => "$".to_owned(),
    }
}

/// What no verification command may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPolicy {
    /// Beginnings of commands, in words: `rm -rf /`, `sudo`.
    pub denied: Vec<String>,
}

impl Default for CommandPolicy {
    fn default() -> Self {
        let denied = ["rm -rf /", "sudo", "chmod 777", "doas", "su", "shutdown", "reboot", "mkfs", "dd"];
        Self { denied: denied.map(str::to_owned).to_vec() }
    }
}

/// Programs that run others: what they run must be allowed, too.
const WRAPPERS: &[&str] = &["env", "nice", "time", "timeout", "nohup", "xargs", "command", "exec"];
/// Programs that would be a shell again.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "fish", "ksh", "pwsh", "powershell", "cmd"];
/// Words that make a command run for ever: a server is no check.
const SERVERS: &[&str] = &["serve", "runserver", "--watch", "watch", "dev", "start"];

impl CommandPolicy {
    /// Whether a command may be a verification command; if so, taken apart.
    pub fn check(&self, text: &str) -> Result<Command, CannotRun> {
        let command = Command::parse(text)?;
        let denied = |rule: &str| CannotRun::Denied { rule: rule.to_owned() };
        let words: Vec<&str> =
            std::iter::once(command.name()).chain(command.arguments.iter().map(String::as_str)).collect();
        if let Some(rule) = self.denied.iter().find(|rule| starts_with(&words, rule)) {
            return Err(denied(rule));
        }
        if SHELLS.contains(&command.name())
            && command.arguments.iter().any(|word| matches!(word.as_str(), "-c" | "-lc" | "/c" | "-Command"))
        {
            return Err(denied(&format!("{} -c", command.name())));
        }
        if WRAPPERS.contains(&command.name()) {
            let inner = command.arguments.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
            if let Some(inner) = inner.into_iter().find(|word| self.denied.iter().any(|rule| rule == word)) {
                return Err(denied(inner));
            }
        }
        if let Some(word) = server_word(&command) {
            return Err(denied(&word));
        }
        Ok(command)
    }

    /// Those of some commands that may run, each once and trimmed, and what is wrong with the others.
    pub fn sort(&self, commands: &[String]) -> (Vec<String>, Vec<(String, CannotRun)>) {
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for text in commands {
            let text = text.trim();
            match self.check(text) {
                Ok(_) => super::task::add_new(&mut good, [text.to_owned()]),
                Err(CannotRun::Empty) => {}
                Err(why) => bad.push((text.to_owned(), why)),
            }
        }
        (good, bad)
    }
}

/// A command that starts a server or a watcher, in words.
fn server_word(command: &Command) -> Option<String> {
    let first: Vec<&str> =
        command.arguments.iter().map(String::as_str).filter(|word| *word != "run").take(3).collect();
    let runs_scripts = matches!(command.name(), "npm" | "pnpm" | "yarn" | "bun" | "deno");
    let word = match command.name() {
        _ if first.contains(&"--watch") => "--watch",
        _ if runs_scripts => {
            let script = first.iter().find(|word| !word.starts_with('-'))?;
            SERVERS.iter().find(|server| server == &script)?
        }
        "rails" | "flask" | "uvicorn" | "gunicorn" | "nodemon"
            if command
                .arguments
                .first()
                .is_some_and(|word| matches!(word.as_str(), "server" | "s" | "run"))
                || matches!(command.name(), "uvicorn" | "gunicorn" | "nodemon") =>
        {
            command.name()
        }
        _ if first.contains(&"runserver") => "runserver",
        _ => return None,
    };
    let is_server = word == command.name();
    Some(if is_server {
        format!("{word} {}", command.arguments.first().map_or("", String::as_str))
    } else {
        format!("{} {word}", command.name())
    })
}

fn starts_with(words: &[&str], rule: &str) -> bool {
    let rule: Vec<&str> = rule.split_whitespace().collect();
    !rule.is_empty() && rule.len() <= words.len() && rule.iter().zip(words).all(|(a, b)| a == b)
}
