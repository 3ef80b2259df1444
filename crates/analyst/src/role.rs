//! What a directory is by its name. Names are habits, so this is a guess, and is used where nothing better is known.

/// What directories of a name usually are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The program itself.
    Source,
    /// Programs for tests.
    Tests,
    /// Files that tests read.
    Fixtures,
    /// Documentation.
    Docs,
    /// Programs to learn from.
    Examples,
    /// Scripts for those who work on it.
    Scripts,
    /// Images, fonts and the like.
    Assets,
    /// Words in other languages.
    Translations,
    /// Changes of a database.
    Migrations,
    /// Measurements of speed.
    Benchmarks,
    /// Programs that feed others with random input.
    Fuzzing,
    /// Code of others.
    Vendored,
    /// Made by programs.
    Generated,
}

impl Role {
    /// The role of a directory by its path: that of its name, or of the nearest above it that makes all below it
    /// the same.
    pub(crate) fn of(path: &str) -> Option<Self> {
        // What packages of Java are called says nothing: `src/main/java/org/x/samples`.
        let path = before_packages(path);
        // Inside of the program `tools` is a part of it: `crates/tools`.
        let is_inside = path
            .rsplit_once('/')
            .is_some_and(|(above, _)| above.split('/').any(|name| by_name(name) == Some(Self::Source)));
        let own = path.rsplit('/').next().and_then(by_name);
        let own = own.filter(|own| !(is_inside && *own == Self::Scripts));
        let roles = || path.split('/').filter_map(by_name);
        // What was copied, generated or made for tests stays that, whatever its parts are called; so does documentation.
        let foreign =
            |role: &Self| matches!(role, Self::Vendored | Self::Generated | Self::Fixtures | Self::Docs);
        let spreads = |role: &Self| !matches!(role, Self::Source | Self::Scripts | Self::Migrations);
        let above = roles().find(foreign).or_else(|| roles().find(spreads));
        match (own, above) {
            (_, Some(above)) if foreign(&above) => Some(above),
            (Some(Self::Source | Self::Scripts), Some(above)) => Some(above),
            (Some(own), _) => Some(own),
            (None, above) => above,
        }
    }

    /// Whether a directory has the role, and none above it has.
    pub(crate) fn begins_at(self, path: &str) -> bool {
        let above = path.rsplit_once('/').map(|(above, _)| above);
        let is_above = above.is_some_and(|above| above.split('/').any(|name| by_name(name) == Some(self)));
        Self::of(path) == Some(self) && !is_above
    }

    /// What a directory inside of such a one is there for.
    pub(crate) fn aim(self) -> &'static str {
        match self {
            Self::Source | Self::Scripts | Self::Migrations | Self::Assets | Self::Translations => "",
            Self::Tests | Self::Fixtures => " for the tests",
            Self::Docs => " of the documentation",
            Self::Examples => " for the examples",
            Self::Benchmarks => " for the benchmarks",
            Self::Fuzzing => " for fuzzing",
            Self::Vendored => " of other projects",
            Self::Generated => ", generated",
        }
    }

    /// What such a directory holds, as a noun.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Source => "source code",
            Self::Tests => "tests",
            Self::Fixtures => "files that tests use",
            Self::Docs => "documentation",
            Self::Examples => "examples",
            Self::Scripts => "scripts",
            Self::Assets => "assets",
            Self::Translations => "translations",
            Self::Migrations => "database migrations",
            Self::Benchmarks => "benchmarks",
            Self::Fuzzing => "fuzz targets",
            Self::Vendored => "code of other projects",
            Self::Generated => "generated files",
        }
    }
}

/// A path up to where packages begin that lie in directories of their names: `src/main/java` of `src/main/java/org/x`.
pub(crate) fn before_packages(path: &str) -> &str {
    ["/java/", "/kotlin/", "/scala/"]
        .iter()
        .find_map(|mark| path.find(mark).map(|at| &path[..at + mark.len() - 1]))
        .unwrap_or(path)
}

fn by_name(name: &str) -> Option<Role> {
    let is_small = !name.starts_with(|first: char| first.is_ascii_uppercase());
    let is_set_of_tests = ["Test", "Tests"].iter().any(|end| {
        name.strip_suffix(end).is_some_and(|before| {
            before.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit())
        })
    });
    let name = name.to_ascii_lowercase();
    // Projects of .NET stand beside what they test: `Knot.Tests`.
    if [".tests", ".test", ".unittests", ".integrationtests", ".specs"].iter().any(|end| name.ends_with(end))
    {
        return Some(Role::Tests);
    }
    if name.ends_with(".fuzztests") || name.ends_with(".fuzz") {
        return Some(Role::Fuzzing);
    }
    if name.ends_with(".benchmarks") {
        return Some(Role::Benchmarks);
    }
    // Sets of sources of Kotlin are called for what they are: `jvmTest`, `commonTest`.
    if is_small && (is_set_of_tests || name.ends_with("_tests") || name.ends_with("-tests")) {
        return Some(Role::Tests);
    }
    // Programs to learn from stand beside each other: `watch Example`.
    if [" example", " examples", "-example", "-examples", "_example", "_examples"]
        .iter()
        .any(|end| name.ends_with(end))
    {
        return Some(Role::Examples);
    }
    Some(match name.trim_start_matches(['_', '.']) {
        "src" | "source" | "lib" | "core" | "app" | "crates" | "packages" | "pkg" | "internal" | "cmd" => {
            Role::Source
        }
        "test" | "tests" | "tests__" | "spec" | "specs" | "e2e" | "unittests" | "step_definitions"
        | "molecule" => Role::Tests,
        "fixture" | "fixtures" | "testdata" | "test-data" | "test_data" | "snapshots" | "golden"
        | "goldens" => Role::Fixtures,
        "doc" | "docs" | "documentation" | "man" | "manual" => Role::Docs,
        "example" | "examples" | "samples" | "sample" | "demo" | "demos" | "tutorial" | "tutorials" => {
            Role::Examples
        }
        "script" | "scripts" | "tools" | "hack" | "ci" => Role::Scripts,
        "assets" | "static" | "images" | "img" | "icons" | "fonts" | "media" | "public" | "resources" => {
            Role::Assets
        }
        "locale" | "locales" | "i18n" | "l10n" | "translations" | "po" | "lang" => Role::Translations,
        "migrations" => Role::Migrations,
        "bench" | "benches" | "benchmark" | "benchmarks" => Role::Benchmarks,
        "fuzz" | "fuzzing" | "fuzzers" => Role::Fuzzing,
        "vendor" | "deps" | "third_party" | "third-party" | "thirdparty" | "3rdparty" | "external"
        | "node_modules" | "gtest" | "gmock" | "googletest" | "googlemock" => Role::Vendored,
        "generated" | "autogen" => Role::Generated,
        // In capitals it holds what builds, not what was built.
        "dist" | "build" | "target" if is_small => Role::Generated,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Role;

    #[test]
    fn a_name_tells_and_some_names_tell_for_all_below() {
        assert_eq!(Role::of("src"), Some(Role::Source));
        assert_eq!(Role::of("src/tests"), Some(Role::Tests));
        assert_eq!(Role::of("tests/fixtures/app"), Some(Role::Fixtures));
        assert_eq!(Role::of("tests/forms"), Some(Role::Tests));
        assert_eq!(Role::of("vendor/x/src"), Some(Role::Vendored));
        assert_eq!(Role::of("src/eval"), None);
        assert_eq!(Role::of("src/main/java/org/x/samples"), None);
        assert_eq!(Role::of("src/test/java/org/x/samples"), Some(Role::Tests));
        assert_eq!(Role::of("docs/src"), Some(Role::Docs));
        assert_eq!(Role::of("tools/release"), None);
        assert_eq!(Role::of("tools"), Some(Role::Scripts));
        assert_eq!(Role::of("crates/tools"), None);
        assert_eq!(Role::of("fuzz/targets"), Some(Role::Fuzzing));
        assert_eq!(Role::of("Src/Knot.Tests/Linq"), Some(Role::Tests));
        assert_eq!(Role::of("Src/Knot"), None);
        assert_eq!(Role::of("knot/src/jvmTest/kotlin/knot"), Some(Role::Tests));
        assert_eq!(Role::of("src/contest"), None);
        assert_eq!(Role::of("watch Example/Loop"), Some(Role::Examples));
        assert_eq!(Role::of("test/gtest"), Some(Role::Vendored));
    }
}
