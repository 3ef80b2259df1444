//! The languages that are read with a grammar, and the names of files that are written in them.

use serde::{Deserialize, Serialize};

/// A language with a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the languages' own")]
pub enum Language {
    Bash,
    C,
    CSharp,
    Cpp,
    Css,
    Go,
    Html,
    Java,
    JavaScript,
    Kotlin,
    Lua,
    Php,
    Python,
    Ruby,
    Rust,
    Scala,
    Sql,
    Swift,
    Tsx,
    TypeScript,
}

/// Endings of file names, in lower case.
const ENDINGS: &[(&str, Language)] = &[
    ("bash", Language::Bash),
    ("bats", Language::Bash),
    ("c", Language::C),
    ("c++", Language::Cpp),
    ("cc", Language::Cpp),
    ("cjs", Language::JavaScript),
    ("cpp", Language::Cpp),
    ("cs", Language::CSharp),
    ("css", Language::Css),
    ("cts", Language::TypeScript),
    ("cxx", Language::Cpp),
    ("gemspec", Language::Ruby),
    ("go", Language::Go),
    ("h", Language::C),
    ("h++", Language::Cpp),
    ("hh", Language::Cpp),
    ("hpp", Language::Cpp),
    ("htm", Language::Html),
    ("html", Language::Html),
    ("hxx", Language::Cpp),
    ("inl", Language::Cpp),
    ("ipp", Language::Cpp),
    ("java", Language::Java),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("kt", Language::Kotlin),
    ("kts", Language::Kotlin),
    ("ksh", Language::Bash),
    ("lua", Language::Lua),
    ("mjs", Language::JavaScript),
    ("mts", Language::TypeScript),
    ("php", Language::Php),
    ("phtml", Language::Php),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("pyw", Language::Python),
    ("rake", Language::Ruby),
    ("rb", Language::Ruby),
    ("rs", Language::Rust),
    ("sbt", Language::Scala),
    ("scala", Language::Scala),
    ("sc", Language::Scala),
    ("sh", Language::Bash),
    ("sql", Language::Sql),
    ("swift", Language::Swift),
    ("ts", Language::TypeScript),
    ("tsx", Language::Tsx),
    ("xhtml", Language::Html),
    ("zsh", Language::Bash),
];

/// Programs that a first line such as `#!/usr/bin/env python3` names, without the digits at their end.
const INTERPRETERS: &[(&str, Language)] = &[
    ("ash", Language::Bash),
    ("bash", Language::Bash),
    ("bats", Language::Bash),
    ("bun", Language::JavaScript),
    ("dash", Language::Bash),
    ("deno", Language::TypeScript),
    ("ksh", Language::Bash),
    ("lua", Language::Lua),
    ("luajit", Language::Lua),
    ("node", Language::JavaScript),
    ("nodejs", Language::JavaScript),
    ("php", Language::Php),
    ("pypy", Language::Python),
    ("python", Language::Python),
    ("ruby", Language::Ruby),
    ("sh", Language::Bash),
    ("ts-node", Language::TypeScript),
    ("tsx", Language::TypeScript),
    ("zsh", Language::Bash),
];

impl Language {
    /// Its name, as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "shell",
            Self::C => "C",
            Self::CSharp => "C#",
            Self::Cpp => "C++",
            Self::Css => "CSS",
            Self::Go => "Go",
            Self::Html => "HTML",
            Self::Java => "Java",
            Self::JavaScript => "JavaScript",
            Self::Kotlin => "Kotlin",
            Self::Lua => "Lua",
            Self::Php => "PHP",
            Self::Python => "Python",
            Self::Ruby => "Ruby",
            Self::Rust => "Rust",
            Self::Scala => "Scala",
            Self::Sql => "SQL",
            Self::Swift => "Swift",
            Self::Tsx => "TSX",
            Self::TypeScript => "TypeScript",
        }
    }

    /// The language of a file by the ending of its name, in lower case. A header is C++ if it says so.
    pub(crate) fn of_ending(ending: &str, bytes: &[u8]) -> Option<Self> {
        let found = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language)?;
        let is_cpp = ending == "h" && speaks_cpp(bytes);
        Some(if is_cpp { Self::Cpp } else { found })
    }

    /// The language of a script by its first line.
    pub(crate) fn of_shebang(bytes: &[u8]) -> Option<Self> {
        let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
        let line = std::str::from_utf8(line.get(..200).unwrap_or(line)).ok()?;
        let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
        let mut program = words.next()?.rsplit('/').next()?;
        if program == "env" {
            program = words.next()?.rsplit('/').next()?;
        }
        let program =
            program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
        INTERPRETERS.iter().find(|(known, _)| *known == program).map(|(_, language)| *language)
    }
}

/// Whether a header uses words that C does not have, at the beginning of a line.
fn speaks_cpp(bytes: &[u8]) -> bool {
    let signs: [&[u8]; 7] =
        [b"namespace ", b"class ", b"template <", b"template<", b"using ", b"public:", b"private:"];
    bytes.split(|byte| *byte == b'\n').take(2_000).any(|line| {
        let line = line.trim_ascii_start();
        signs.iter().any(|sign| line.starts_with(sign)) && !line.ends_with(b",")
    })
}
