//! Which reader a file is for, by its name and its first bytes.

use super::manifest::Tool;
use super::source::Language;
use super::tree::Syntax;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Archive,
    Compose,
    Data(Syntax),
    Database,
    Dockerfile,
    Environment,
    GitLab,
    Manifest(Tool),
    Markdown,
    Notebook,
    Pdf,
    Restructured,
    Source(Language),
    Table(Option<char>),
    Vector,
}

/// Whole names, in lower case.
const NAMES: &[(&str, Kind)] = &[
    (".env", Kind::Environment),
    (".gitlab-ci.yml", Kind::GitLab),
    ("build.gradle", Kind::Manifest(Tool::Gradle)),
    ("build.gradle.kts", Kind::Manifest(Tool::Gradle)),
    ("cargo.lock", Kind::Data(Syntax::Toml)),
    ("cargo.toml", Kind::Manifest(Tool::Cargo)),
    ("cmakelists.txt", Kind::Manifest(Tool::CMake)),
    ("compose.yaml", Kind::Compose),
    ("compose.yml", Kind::Compose),
    ("composer.json", Kind::Manifest(Tool::Composer)),
    ("composer.lock", Kind::Data(Syntax::Json)),
    ("constraints.txt", Kind::Manifest(Tool::Pip)),
    ("containerfile", Kind::Dockerfile),
    ("dockerfile", Kind::Dockerfile),
    ("gemfile", Kind::Manifest(Tool::Bundler)),
    ("gnumakefile", Kind::Manifest(Tool::Make)),
    ("go.mod", Kind::Manifest(Tool::Go)),
    ("makefile", Kind::Manifest(Tool::Make)),
    ("package.json", Kind::Manifest(Tool::Npm)),
    ("pipfile", Kind::Data(Syntax::Toml)),
    ("pipfile.lock", Kind::Data(Syntax::Json)),
    ("poetry.lock", Kind::Data(Syntax::Toml)),
    ("pom.xml", Kind::Manifest(Tool::Maven)),
    ("pyproject.toml", Kind::Manifest(Tool::Python)),
    ("rakefile", Kind::Source(Language::Ruby)),
    ("readme", Kind::Markdown),
    ("settings.gradle", Kind::Manifest(Tool::Gradle)),
    ("settings.gradle.kts", Kind::Manifest(Tool::Gradle)),
    ("setup.cfg", Kind::Manifest(Tool::Python)),
    ("uv.lock", Kind::Data(Syntax::Toml)),
    ("vagrantfile", Kind::Source(Language::Ruby)),
];

/// Endings of names, in lower case.
const ENDINGS: &[(&str, Kind)] = &[
    ("cmake", Kind::Manifest(Tool::CMake)),
    ("csproj", Kind::Manifest(Tool::DotNet)),
    ("csv", Kind::Table(None)),
    ("dockerfile", Kind::Dockerfile),
    ("env", Kind::Environment),
    ("fsproj", Kind::Manifest(Tool::DotNet)),
    ("gemspec", Kind::Manifest(Tool::Bundler)),
    ("geojson", Kind::Data(Syntax::Json)),
    ("ipynb", Kind::Notebook),
    ("json", Kind::Data(Syntax::Json)),
    ("json5", Kind::Data(Syntax::Json)),
    ("jsonc", Kind::Data(Syntax::Json)),
    ("jsonl", Kind::Data(Syntax::Json)),
    ("markdown", Kind::Markdown),
    ("md", Kind::Markdown),
    ("mdx", Kind::Markdown),
    ("mk", Kind::Manifest(Tool::Make)),
    ("ndjson", Kind::Data(Syntax::Json)),
    ("plist", Kind::Data(Syntax::Xml)),
    ("psv", Kind::Table(Some('|'))),
    ("rst", Kind::Restructured),
    ("svg", Kind::Vector),
    ("tab", Kind::Table(Some('\t'))),
    ("toml", Kind::Data(Syntax::Toml)),
    ("tsv", Kind::Table(Some('\t'))),
    ("vbproj", Kind::Manifest(Tool::DotNet)),
    ("webmanifest", Kind::Data(Syntax::Json)),
    ("xml", Kind::Data(Syntax::Xml)),
    ("xsd", Kind::Data(Syntax::Xml)),
    ("yaml", Kind::Data(Syntax::Yaml)),
    ("yml", Kind::Data(Syntax::Yaml)),
];

/// The form of bytes that say it themselves.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(super::database::MAGIC) {
        return Some(Kind::Database);
    }
    let is_archive = bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"PK\x05\x06")
        || bytes.starts_with(b"\x1f\x8b\x08")
        || bytes.get(257..262) == Some(b"ustar");
    if is_archive {
        return Some(Kind::Archive);
    }
    bytes.starts_with(b"%PDF-").then_some(Kind::Pdf)
}

/// The form of a text by the name of its file, in lower case.
pub(super) fn of_name(name: &str, text: &[u8]) -> Option<Kind> {
    if let Some((_, kind)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*kind);
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
    let is_yaml = matches!(ending, "yml" | "yaml");
    if is_yaml && (name.starts_with("docker-compose") || name.starts_with("compose.")) {
        return Some(Kind::Compose);
    }
    if name.starts_with("requirements") && ending == "txt" || name.ends_with("-requirements.txt") {
        return Some(Kind::Manifest(Tool::Pip));
    }
    if name.starts_with("dockerfile.") || name.starts_with("containerfile.") {
        return Some(Kind::Dockerfile);
    }
    if name.starts_with(".env.") {
        return Some(Kind::Environment);
    }
    if name.starts_with("makefile.") {
        return Some(Kind::Manifest(Tool::Make));
    }
    let of_ending = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind);
    let of_language =
        || Language::of_ending(ending, text).or_else(|| Language::of_shebang(text)).map(Kind::Source);
    of_ending.or_else(of_language)
}
