//! The sentences of the analyst that others rely on: a small language that can be read back.
//!
//! An entry's claims are sentences for people. The synthesis reads the same sentences to find out what the whole is;
//! so what it knows is what the entries say, and nothing else. What is written by [`Statement::sentence`] is read by
//! [`Statement::read`].

use super::purpose::Purpose;
use super::words::{code, list};

/// Something that a file shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A document describes what this is.
    Describes {
        /// The document.
        path: String,
        /// Its words.
        words: String,
    },
    /// A source file says what it is for.
    Says {
        /// The file.
        path: String,
        /// Its words.
        words: String,
    },
    /// A manifest declares a package.
    Declares {
        /// The manifest.
        path: String,
        /// What kind, such as `Rust crate`.
        kind: String,
        /// The package's name.
        name: String,
        /// Its version.
        version: Option<String>,
    },
    /// A file names the version of all that lies with it.
    Versioned {
        /// The manifest.
        path: String,
        /// The version.
        version: String,
    },
    /// A file grants a licence.
    Licence {
        /// The file.
        path: String,
        /// The licence.
        name: String,
    },
    /// A file offers commands: `targets` of make, `scripts` of npm.
    Offers {
        /// The file.
        path: String,
        /// What they are called there.
        noun: String,
        /// Their names.
        names: Vec<String>,
    },
    /// A program starts here.
    Starts {
        /// The file.
        path: String,
        /// How one sees it.
        what: String,
    },
    /// A manifest names parts of a workspace.
    Members {
        /// The manifest.
        path: String,
        /// The parts.
        names: Vec<String>,
    },
    /// A manifest names what is needed.
    Needs {
        /// The manifest.
        path: String,
        /// Packages.
        names: Vec<String>,
    },
    /// A source file defines types or functions.
    Defines {
        /// The file.
        path: String,
        /// Each with its kind: ``struct `Queue` ``.
        names: Vec<String>,
    },
    /// A type or function is explained where it is defined.
    Explains {
        /// The file.
        path: String,
        /// The kind and the name: ``class `Queue` ``.
        name: String,
        /// The words there.
        words: String,
    },
    /// A file tells the command for something.
    Runs {
        /// The file.
        path: String,
        /// What one does with it.
        purpose: Purpose,
        /// The commands.
        commands: Vec<String>,
    },
    /// A manifest says what it must be run or built with.
    Requires {
        /// The manifest.
        path: String,
        /// What, with its version.
        what: String,
    },
    /// A manifest names what is needed by those who work on it.
    Develops {
        /// The manifest.
        path: String,
        /// Packages.
        names: Vec<String>,
    },
    /// A manifest says which file others load.
    Loads {
        /// The manifest.
        path: String,
        /// The file.
        what: String,
    },
    /// A file opens ports.
    Listens {
        /// The file.
        path: String,
        /// The ports, as they are written.
        ports: Vec<String>,
    },
    /// A file starts services: the name, and the image after a colon.
    Starting {
        /// The file.
        path: String,
        /// The services.
        names: Vec<String>,
    },
    /// A file takes variables of the environment.
    Takes {
        /// The file.
        path: String,
        /// Their names.
        names: Vec<String>,
    },
    /// A file of the repository leads to a history.
    History {
        /// The file that names the newest commit.
        path: String,
        /// What the history is, in words.
        words: String,
    },
    /// Some files change more than others.
    Churn {
        /// The file that names the newest commit.
        path: String,
        /// How many commits were compared.
        commits: u64,
        /// The files, each with how many of the commits changed it.
        files: Vec<(String, u64)>,
    },
    /// The files of a directory import modules.
    Imports {
        /// The directory.
        path: String,
        /// The modules, those that most files import first.
        names: Vec<String>,
    },
    /// A document says what a file of the target is.
    Tells {
        /// The document.
        path: String,
        /// The file.
        of: String,
        /// The words.
        words: String,
    },
    /// A type that many files beside its own name.
    Named {
        /// The file that defines it.
        path: String,
        /// Its kind and name: ``class `Queue` ``.
        name: String,
        /// How many other files of the directory name it.
        users: u64,
    },
    /// A project refers to other projects of the target.
    Refers {
        /// Its manifest.
        path: String,
        /// The directories of the others.
        names: Vec<String>,
    },
    /// A document has a title.
    Titled {
        /// The document.
        path: String,
        /// Its title.
        title: String,
    },
    /// A file of data holds so much of something.
    Holds {
        /// The file.
        path: String,
        /// What, in words.
        words: String,
    },
    /// A file of data covers a time.
    Spans {
        /// The file.
        path: String,
        /// The first day or moment, as it is written there.
        from: String,
        /// The last.
        to: String,
    },
    /// Something is wrong with data.
    Lacks {
        /// The file.
        path: String,
        /// What, in words.
        words: String,
    },
    /// A table has columns.
    Columns {
        /// The file.
        path: String,
        /// Their names.
        names: Vec<String>,
    },
}

impl Statement {
    /// What a file says of itself or of what it lies beside.
    pub(crate) fn own_words(&self) -> Option<&str> {
        let (Self::Describes { words, .. } | Self::Says { words, .. }) = self else { return None };
        Some(words)
    }

    /// How much it matters to whoever wants to know the whole: less is more.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Describes { .. } | Self::Declares { .. } => 0,
            Self::Starts { .. }
            | Self::Offers { .. }
            | Self::Members { .. }
            | Self::Versioned { .. }
            | Self::Licence { .. }
            | Self::Runs { .. }
            | Self::Requires { .. }
            | Self::Loads { .. }
            | Self::Listens { .. }
            | Self::Starting { .. }
            | Self::Refers { .. }
            | Self::Named { .. }
            | Self::History { .. }
            | Self::Churn { .. } => 1,
            Self::Needs { .. }
            | Self::Develops { .. }
            | Self::Tells { .. }
            | Self::Takes { .. }
            | Self::Columns { .. }
            | Self::Holds { .. }
            | Self::Spans { .. }
            | Self::Lacks { .. } => 2,
            Self::Says { .. } | Self::Explains { .. } => 3,
            Self::Imports { .. } => 2,
            Self::Titled { .. } => 4,
            Self::Defines { .. } => 5,
        }
    }

    /// The statement as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let codes = |names: &[String]| list(&names.iter().map(|name| code(name)).collect::<Vec<_>>());
        match self {
            Self::Describes { path, words } => format!("{} describes it: “{words}”", code(path)),
            Self::Says { path, words } => format!("{} says of itself: “{words}”", code(path)),
            Self::Declares { path, kind, name, version } => {
                let version =
                    version.as_deref().map(|version| format!(", version {version}")).unwrap_or_default();
                format!("{} declares the {kind} {}{version}.", code(path), code(name))
            }
            Self::Versioned { path, version } => {
                format!("{} names the version {version}.", code(path))
            }
            Self::Licence { path, name } => format!("{} names the licence {name}.", code(path)),
            Self::Offers { path, noun, names } => {
                format!("{} has the {} {}.", code(path), noun_for(noun, names), codes(names))
            }
            Self::Starts { path, what } => format!("{} is an entry point: {}.", code(path), code(what)),
            Self::Members { path, names } => format!("{} is a workspace of {}.", code(path), codes(names)),
            Self::Needs { path, names } => format!("{} depends on {}.", code(path), codes(names)),
            Self::Defines { path, names } => format!("{} defines {}.", code(path), list(names)),
            Self::Explains { path, name, words } => {
                format!("{} explains {name}: “{words}”", code(path))
            }
            Self::Runs { path, purpose, commands } => {
                format!("{} {} with {}.", code(path), purpose.verb(), codes(commands))
            }
            Self::Requires { path, what } => format!("{} requires {}.", code(path), code(what)),
            Self::Develops { path, names } => {
                format!("{} names for development {}.", code(path), codes(names))
            }
            Self::Loads { path, what } => format!("{} is loaded at {}.", code(path), code(what)),
            Self::Listens { path, ports } => format!("{} opens port {}.", code(path), codes(ports)),
            Self::Starting { path, names } => format!("{} starts {}.", code(path), codes(names)),
            Self::Takes { path, names } => {
                format!("{} takes from the environment {}.", code(path), codes(names))
            }
            Self::History { path, words } => format!("{} leads to {words}.", code(path)),
            Self::Churn { path, commits, files } => {
                let files: Vec<String> =
                    files.iter().map(|(file, changes)| format!("{} ({changes})", code(file))).collect();
                format!(
                    "{} shows what the last {commits} commits changed most: {}.",
                    code(path),
                    list(&files)
                )
            }
            Self::Imports { path, names } => format!("{} imports {}.", code(path), codes(names)),
            Self::Tells { path, of, words } => format!("{} says of {}: “{words}”", code(path), code(of)),
            Self::Named { path, name, users } => {
                let files = if *users == 1 { "1 file".to_owned() } else { format!("{users} files") };
                format!("{} is where {name} is defined, which {files} beside it name.", code(path))
            }
            Self::Refers { path, names } => format!("{} refers to {}.", code(path), codes(names)),
            Self::Titled { path, title } => format!("{} is titled “{title}”", code(path)),
            Self::Holds { path, words } => format!("{} holds {words}.", code(path)),
            Self::Spans { path, from, to } => format!("{} covers {from} to {to}.", code(path)),
            Self::Lacks { path, words } => format!("{} has a catch: {words}.", code(path)),
            Self::Columns { path, names } => format!("{} has the columns {}.", code(path), codes(names)),
        }
    }

    /// The statement that a sentence makes; `None` for other sentences.
    pub(crate) fn read(sentence: &str) -> Option<Self> {
        let (path, rest) = sentence.strip_prefix('`')?.split_once('`')?;
        let path = path.to_owned();
        let rest = rest.strip_prefix(' ')?;
        let quoted = |rest: &str| rest.strip_suffix('”').map(str::to_owned);
        if let Some(rest) = rest.strip_prefix("describes it: “") {
            return Some(Self::Describes { path, words: quoted(rest)? });
        }
        if let Some(rest) = rest.strip_prefix("says of itself: “") {
            return Some(Self::Says { path, words: quoted(rest)? });
        }
        if let Some((of, words)) = rest.strip_prefix("says of `").and_then(|rest| rest.split_once("`: “")) {
            return Some(Self::Tells { path, of: of.to_owned(), words: quoted(words)? });
        }
        if let Some(rest) = rest.strip_prefix("is titled “") {
            return Some(Self::Titled { path, title: quoted(rest)? });
        }
        if let Some(rest) = rest.strip_prefix("explains ") {
            let (name, words) = rest.split_once(": “")?;
            return Some(Self::Explains { path, name: name.to_owned(), words: quoted(words)? });
        }
        let rest = rest.strip_suffix('.')?;
        if let Some((purpose, rest)) = Purpose::ALL
            .into_iter()
            .find_map(|purpose| Some((purpose, rest.strip_prefix(purpose.verb())?.strip_prefix(" with ")?)))
        {
            return Some(Self::Runs { path, purpose, commands: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("requires ") {
            return Some(Self::Requires { path, what: rest.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("is where ") {
            let (name, users) = rest.split_once(" is defined, which ")?;
            let users = users.split(' ').next()?.parse().ok()?;
            return Some(Self::Named { path, name: name.to_owned(), users });
        }
        if let Some(rest) = rest.strip_prefix("refers to ") {
            return Some(Self::Refers { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("names for development ") {
            return Some(Self::Develops { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("is loaded at ") {
            return Some(Self::Loads { path, what: rest.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("opens port ") {
            return Some(Self::Listens { path, ports: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("starts ") {
            return Some(Self::Starting { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("takes from the environment ") {
            return Some(Self::Takes { path, names: codes_in(rest) });
        }
        if let Some(words) = rest.strip_prefix("leads to ") {
            return Some(Self::History { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("shows what the last ") {
            let (commits, rest) = rest.split_once(" commits changed most: ")?;
            let mut pieces = rest.split('`').skip(1);
            let mut files = Vec::new();
            while let (Some(file), Some(after)) = (pieces.next(), pieces.next()) {
                let changes = after.trim_start_matches(" (").split(')').next()?.parse().ok()?;
                files.push((file.to_owned(), changes));
            }
            return Some(Self::Churn { path, commits: commits.parse().ok()?, files });
        }
        if let Some(rest) = rest.strip_prefix("declares the ") {
            let (kind, rest) = rest.split_once(" `")?;
            let (name, rest) = rest.split_once('`')?;
            let version = rest.strip_prefix(", version ").map(str::to_owned);
            return Some(Self::Declares { path, kind: kind.to_owned(), name: name.to_owned(), version });
        }
        if let Some(version) = rest.strip_prefix("names the version ") {
            return Some(Self::Versioned { path, version: version.to_owned() });
        }
        if let Some(name) = rest.strip_prefix("names the licence ") {
            return Some(Self::Licence { path, name: name.to_owned() });
        }
        if let Some(what) = rest.strip_prefix("is an entry point: ") {
            return Some(Self::Starts { path, what: what.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("is a workspace of ") {
            return Some(Self::Members { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("depends on ") {
            return Some(Self::Needs { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("imports ") {
            return Some(Self::Imports { path, names: codes_in(rest) });
        }
        if let Some(words) = rest.strip_prefix("holds ") {
            return Some(Self::Holds { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("covers ") {
            let (from, to) = rest.split_once(" to ")?;
            return Some(Self::Spans { path, from: from.to_owned(), to: to.to_owned() });
        }
        if let Some(words) = rest.strip_prefix("has a catch: ") {
            return Some(Self::Lacks { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("has the columns ") {
            return Some(Self::Columns { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("defines ") {
            let names = rest.split(", ").flat_map(|part| part.split(" and ")).map(str::to_owned);
            return Some(Self::Defines { path, names: names.collect() });
        }
        let (noun, rest) = rest.strip_prefix("has the ")?.split_once(' ')?;
        let names = codes_in(rest);
        let noun = if names.len() == 1 { format!("{noun}s") } else { noun.to_owned() };
        Some(Self::Offers { path, noun, names })
    }
}

/// What the summary of a file tells of its imports.
pub(crate) fn imports_sentence(modules: &[String]) -> String {
    let codes: Vec<String> = modules.iter().map(|name| code(name)).collect();
    format!("{IMPORTS}{}.", list(&codes))
}

/// The imports in the summary of a file.
pub(crate) fn imports_in(summary: &str) -> impl Iterator<Item = &str> {
    let told = summary.rfind(IMPORTS).map_or("", |at| &summary[at + IMPORTS.len()..]);
    told.split('`').skip(1).step_by(2)
}

const IMPORTS: &str = "It imports ";

/// A noun in the plural, or in the singular for a single name.
pub(crate) fn noun_for<'n>(noun: &'n str, names: &[String]) -> &'n str {
    if names.len() == 1 { noun.trim_end_matches('s') } else { noun }
}

fn codes_in(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn there_and_back(statement: Statement, sentence: &str) {
        assert_eq!(statement.sentence(), sentence);
        assert_eq!(Statement::read(sentence), Some(statement));
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn what_is_written_can_be_read() {
        let path = || "a/b.toml".to_owned();
        there_and_back(
            Statement::Describes { path: path(), words: "A “good” thing.".to_owned() },
            "`a/b.toml` describes it: “A “good” thing.”",
        );
        there_and_back(
            Statement::Says { path: path(), words: "Hm.".to_owned() },
            "`a/b.toml` says of itself: “Hm.”",
        );
        let declares = |version: Option<&str>| Statement::Declares {
            path: path(),
            kind: "Rust crate".to_owned(),
            name: "x".to_owned(),
            version: version.map(str::to_owned),
        };
        there_and_back(declares(Some("0.1.0")), "`a/b.toml` declares the Rust crate `x`, version 0.1.0.");
        there_and_back(declares(None), "`a/b.toml` declares the Rust crate `x`.");
        there_and_back(
            Statement::Versioned { path: path(), version: "0.1.0".to_owned() },
            "`a/b.toml` names the version 0.1.0.",
        );
        there_and_back(
            Statement::Licence { path: path(), name: "MIT".to_owned() },
            "`a/b.toml` names the licence MIT.",
        );
        there_and_back(
            Statement::Offers { path: path(), noun: "targets".to_owned(), names: words(&["all", "test"]) },
            "`a/b.toml` has the targets `all` and `test`.",
        );
        there_and_back(
            Statement::Offers { path: path(), noun: "programs".to_owned(), names: words(&["x"]) },
            "`a/b.toml` has the program `x`.",
        );
        there_and_back(
            Statement::Starts { path: path(), what: "fn main".to_owned() },
            "`a/b.toml` is an entry point: `fn main`.",
        );
        there_and_back(
            Statement::Members { path: path(), names: words(&["x", "y", "z"]) },
            "`a/b.toml` is a workspace of `x`, `y` and `z`.",
        );
        there_and_back(Statement::Needs { path: path(), names: words(&["x"]) }, "`a/b.toml` depends on `x`.");
        there_and_back(
            Statement::Defines { path: path(), names: words(&["struct `A`", "enum `B`"]) },
            "`a/b.toml` defines struct `A` and enum `B`.",
        );
        there_and_back(
            Statement::Tells { path: path(), of: "src/a.c".to_owned(), words: "It: starts.".to_owned() },
            "`a/b.toml` says of `src/a.c`: “It: starts.”",
        );
        there_and_back(
            Statement::Named { path: path(), name: "struct `Hub`".to_owned(), users: 12 },
            "`a/b.toml` is where struct `Hub` is defined, which 12 files beside it name.",
        );
        there_and_back(
            Statement::Refers { path: path(), names: words(&["x", "y/z"]) },
            "`a/b.toml` refers to `x` and `y/z`.",
        );
        there_and_back(
            Statement::Titled { path: path(), title: "Hm".to_owned() },
            "`a/b.toml` is titled “Hm”",
        );
        there_and_back(
            Statement::Columns { path: path(), names: words(&["id", "name"]) },
            "`a/b.toml` has the columns `id` and `name`.",
        );
        there_and_back(
            Statement::Imports { path: path(), names: words(&["a.b", "c"]) },
            "`a/b.toml` imports `a.b` and `c`.",
        );
        there_and_back(
            Statement::Holds { path: path(), words: "3 rows; date `day`".to_owned() },
            "`a/b.toml` holds 3 rows; date `day`.",
        );
        there_and_back(
            Statement::Spans { path: path(), from: "2021-01-02".to_owned(), to: "2023-04-05".to_owned() },
            "`a/b.toml` covers 2021-01-02 to 2023-04-05.",
        );
        there_and_back(
            Statement::Lacks { path: path(), words: "1 of 9 values of `x` are missing".to_owned() },
            "`a/b.toml` has a catch: 1 of 9 values of `x` are missing.",
        );
        there_and_back(
            Statement::Explains {
                path: path(),
                name: "class `Hub`".to_owned(),
                words: "What: all meet in.".to_owned(),
            },
            "`a/b.toml` explains class `Hub`: “What: all meet in.”",
        );
        there_and_back(
            Statement::Runs {
                path: path(),
                purpose: Purpose::Test,
                commands: words(&["make test", "x with y"]),
            },
            "`a/b.toml` tests with `make test` and `x with y`.",
        );
        there_and_back(
            Statement::Requires { path: path(), what: "Python >=3.10".to_owned() },
            "`a/b.toml` requires `Python >=3.10`.",
        );
        there_and_back(
            Statement::Develops { path: path(), names: words(&["mocha"]) },
            "`a/b.toml` names for development `mocha`.",
        );
        there_and_back(
            Statement::Loads { path: path(), what: "index.js".to_owned() },
            "`a/b.toml` is loaded at `index.js`.",
        );
        there_and_back(
            Statement::Listens { path: path(), ports: words(&["80", "443:8443"]) },
            "`a/b.toml` opens port `80` and `443:8443`.",
        );
        there_and_back(
            Statement::Starting { path: path(), names: words(&["db: postgres:15", "web"]) },
            "`a/b.toml` starts `db: postgres:15` and `web`.",
        );
        there_and_back(
            Statement::Takes { path: path(), names: words(&["PORT"]) },
            "`a/b.toml` takes from the environment `PORT`.",
        );
        there_and_back(
            Statement::History { path: path(), words: "3 commits by 1 author".to_owned() },
            "`a/b.toml` leads to 3 commits by 1 author.",
        );
        there_and_back(
            Statement::Churn {
                path: path(),
                commits: 200,
                files: vec![("a.c".to_owned(), 12), ("b/x y.c".to_owned(), 3)],
            },
            "`a/b.toml` shows what the last 200 commits changed most: `a.c` (12) and `b/x y.c` (3).",
        );
        let sentence = imports_sentence(&words(&["a.b", "c", "d"]));
        assert_eq!(imports_in(&format!("Python. {sentence}")).collect::<Vec<_>>(), ["a.b", "c", "d"]);
        assert_eq!(Statement::read("Something else."), None);
    }
}
