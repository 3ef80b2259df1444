//! Which language a file is in: exactly as tokei decides, but without opening the file a second time.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use luminos_core::scan::LanguageId;
use tokei::{Config, LanguageType};

/// Every language tokei knows, in its own order; a [`LanguageId`] is a place in it.
static LANGUAGES: LazyLock<Vec<LanguageType>> =
    LazyLock::new(|| LanguageType::list().iter().map(|&(language, _)| language).collect());

/// Names that decide the language whatever their extension says.
static BY_NAME: LazyLock<HashMap<&'static str, LanguageType>> = LazyLock::new(|| {
    let names = [
        "build",
        "workspace",
        "module",
        "cmakelists.txt",
        "dockerfile",
        "justfile",
        "gnumakefile",
        "makefile",
        "meson.build",
        "meson_options.txt",
        "nuget.config",
        "packages.config",
        "nugetdefaults.config",
        "pkgbuild",
        "rakefile",
        "sconstruct",
        "sconscript",
        "snakefile",
    ];
    names.into_iter().filter_map(|name| Some((name, ask_tokei(name)?))).collect()
});

static BY_EXTENSION: LazyLock<HashMap<&'static str, LanguageType>> = LazyLock::new(|| {
    let extensions = LanguageType::list().iter().flat_map(|(_, extensions)| extensions.iter());
    extensions.filter_map(|&ext| Some((ext, LanguageType::from_file_extension(ext)?))).collect()
});

/// Programs that `#!/usr/bin/env` may start; the first that is a prefix decides.
static BY_ENV_PROGRAM: &[(&str, LanguageType)] = &[
    ("bash", LanguageType::Bash),
    ("csh", LanguageType::CShell),
    ("crystal", LanguageType::Crystal),
    ("cython", LanguageType::Cython),
    ("elvish", LanguageType::Elvish),
    ("fish", LanguageType::Fish),
    ("groovy", LanguageType::Groovy),
    ("just", LanguageType::Just),
    ("ksh", LanguageType::Ksh),
    ("python", LanguageType::Python),
    ("racket", LanguageType::Racket),
    ("raku", LanguageType::Raku),
    ("perl6", LanguageType::Raku),
    ("ruby", LanguageType::Ruby),
    ("sh", LanguageType::Sh),
];

/// How far tokei looks for the end of a first line.
const FIRST_LINE_LIMIT: usize = 128;

/// The languages by [`LanguageId`].
pub(crate) fn all() -> &'static [LanguageType] {
    &LANGUAGES
}

/// The names of the languages, by [`LanguageId`].
pub(crate) fn names() -> Vec<&'static str> {
    LANGUAGES.iter().map(|language| language.name()).collect()
}

/// The number of a language.
pub(crate) fn id_of(language: LanguageType) -> LanguageId {
    // Tokei's enum and its list stand in the same order; a test holds that.
    LanguageId(language as u16)
}

/// What a name says about the language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByName {
    /// It is in this language.
    Language(LanguageType),
    /// The first line decides: there is no extension.
    AskFirstLine,
    /// It is in no known language.
    None,
}

/// Looks at the name alone.
pub(crate) fn by_name(name: &[u8]) -> ByName {
    // Names beyond the usual take the long way; nothing on the short one allocates.
    let mut lower = [0_u8; 64];
    let lower = match lower.get_mut(..name.len()) {
        Some(lower) if name.is_ascii() => {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            str::from_utf8(lower).ok()
        }
        _ => None,
    };
    let Some(lower) = lower else {
        return by_unusual_name(&String::from_utf8_lossy(name));
    };
    decide(lower, extension_of(lower))
}

/// Long names and those with other letters, which change length in lower case.
fn by_unusual_name(name: &str) -> ByName {
    let lower = name.to_lowercase();
    let extension = extension_of(name).map(str::to_lowercase);
    decide(&lower, extension.as_deref())
}

fn decide(lower: &str, extension: Option<&str>) -> ByName {
    if let Some(&language) = BY_NAME.get(lower) {
        return ByName::Language(language);
    }
    if lower.ends_with(".blade.php") {
        return ByName::Language(LanguageType::Blade);
    }
    match extension {
        Some(extension) => {
            BY_EXTENSION.get(extension).map_or(ByName::None, |&language| ByName::Language(language))
        }
        None => ByName::AskFirstLine,
    }
}

/// What follows the last dot, unless that dot is the first character.
fn extension_of(name: &str) -> Option<&str> {
    match name.rfind('.') {
        None | Some(0) => None,
        Some(_) if name == ".." => None,
        Some(dot) => Some(&name[dot + 1..]),
    }
}

/// Looks at the first line of a file without extension.
pub(crate) fn by_first_line(head: &[u8]) -> Option<LanguageType> {
    if !head.starts_with(b"#!") {
        return None;
    }
    let head = &head[..head.len().min(FIRST_LINE_LIMIT)];
    let line = head.split(|&byte| byte == b'\n').next()?;
    let mut words = str::from_utf8(line).ok()?.split_whitespace();
    let program = words.next()?;
    if let Some(&language) = all().iter().find(|language| language.shebangs().contains(&program)) {
        return Some(language);
    }
    if program != "#!/usr/bin/env" {
        return None;
    }
    let word = words.next()?;
    BY_ENV_PROGRAM.iter().find(|(name, _)| word.starts_with(name)).map(|&(_, language)| language)
}

/// Asks tokei about a name, with a path below a device so that nothing can be opened there.
fn ask_tokei(name: &str) -> Option<LanguageType> {
    LanguageType::from_path(Path::new("/dev/null").join(name), &Config::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_name(name: &str) {
        let ours = match by_name(name.as_bytes()) {
            ByName::Language(language) => Some(language),
            ByName::AskFirstLine | ByName::None => None,
        };
        assert_eq!(ours, ask_tokei(name), "{name:?}");
    }

    #[test]
    fn numbers_follow_tokeis_list() {
        for (index, &language) in all().iter().enumerate() {
            assert_eq!(usize::from(id_of(language).0), index, "{language}");
        }
    }

    #[test]
    fn every_extension_in_any_case_gives_tokeis_language() {
        for (_, extensions) in LanguageType::list() {
            for extension in *extensions {
                check_name(&format!("a.{extension}"));
                check_name(&format!("B.{}", extension.to_uppercase()));
                check_name(&format!(".{extension}"));
                check_name(&format!("x.y.{extension}"));
            }
        }
    }

    #[test]
    fn special_and_odd_names_give_tokeis_language() {
        let odd = [
            "Makefile",
            "GNUmakefile",
            "Dockerfile",
            "BUILD",
            "WORKSPACE",
            "CMakeLists.txt",
            "a.blade.php",
            "Justfile",
            "PKGBUILD",
            "SConstruct",
            "Snakefile",
            "Rakefile",
            "meson.build",
            "packages.config",
            "README",
            "a.",
            ".",
            "..",
            "...",
            "a..rs",
            ".gitignore",
            "Ünïcode.RS",
            "x.İ",
            "no-extension",
            "MODULE.bazel",
            "module",
            "very-long-name-that-does-not-fit-on-the-short-way-because-it-has-too-many-letters.RS",
        ];
        for name in odd {
            check_name(name);
        }
    }

    #[test]
    fn first_lines_give_tokeis_language() {
        let dir = tempfile::tempdir().unwrap();
        let mut lines: Vec<String> = [
            "#!/usr/bin/env bash",
            "#!/usr/bin/env python3.12",
            "#!/usr/bin/env  node",
            "#!/usr/bin/env",
            "#! /bin/sh",
            "#!/bin/sh -e",
            "",
            "#!",
            "#!/usr/bin/env pythonish",
            "#!/usr/bin/env shx",
            "\u{feff}#!/bin/sh",
            "#!/usr/bin/env just --justfile",
            "#!/bin/awk -f",
            "#!/usr/bin/env -S bash",
        ]
        .map(str::to_owned)
        .to_vec();
        lines.push(format!("#!/bin/sh {}", "x".repeat(200)));
        lines.extend(BY_ENV_PROGRAM.iter().map(|(program, _)| format!("#!/usr/bin/env {program}")));
        let shebangs = all().iter().flat_map(|language| language.shebangs());
        lines.extend(shebangs.map(|shebang| (*shebang).to_owned()));
        for line in lines {
            let path = dir.path().join("script");
            #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
            std::fs::write(&path, format!("{line}\nrest")).unwrap();
            let ours = by_first_line(format!("{line}\nrest").as_bytes());
            assert_eq!(ours, LanguageType::from_shebang(&path), "{line:?}");
        }
    }
}
