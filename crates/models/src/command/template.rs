//! How a program is called, and how the two that everybody has are.

use super::places::OwnPlace;

/// How a program is called.
///
/// In each argument `{model}` stands for the model's id, `{schema}` for the JSON schema of the answer,
/// `{schema-file}` for a file that holds it and `{dir}` for the empty directory that the program runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The program: a path, or a name that is looked for in the `PATH` it is given.
    pub program: String,
    /// Arguments of every call.
    pub arguments: Vec<String>,
    /// What keeps the program from its own tools, from settings that lie about, and from keeping transcripts.
    pub protection: Protection,
    /// Further ones, if a model is named.
    pub with_model: Vec<String>,
    /// Further ones, if the answer must have a shape. None if the program cannot enforce one.
    pub with_schema: Vec<String>,
    /// The last ones.
    pub last: Vec<String>,
    /// What it prints.
    pub prints: Prints,
    /// Where it keeps its own configuration.
    pub own: Option<OwnPlace>,
}

/// Arguments that protect: of several sets the first that the program knows whole. A program that knows none is not
/// used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Protection {
    /// What makes the program list its options.
    pub help: Vec<String>,
    /// The sets, best first. Without any the program is not asked what it knows.
    pub sets: Vec<Vec<String>>,
}

/// What a program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prints {
    /// The answer.
    Text,
    /// Lines of JSON, as `codex exec --json` does.
    CodexEvents,
    /// Lines of JSON, as `claude -p --output-format stream-json` does.
    ClaudeEvents,
}

/// Tools of codex, and what reaches out beside them. A name that a version does not know changes nothing there.
const CODEX_FEATURES: [&str; 16] = [
    "shell_tool",
    "unified_exec",
    "view_image",
    "image_generation",
    "hooks",
    "plugins",
    "apps",
    "multi_agent",
    "browser_use",
    "browser_use_external",
    "computer_use",
    "in_app_browser",
    "code_mode_host",
    "memories",
    "skill_mcp_dependency_install",
    "goals",
];

impl Template {
    /// The conventions of `codex exec`: no session on disk, no documents of a project, no tools that read or run.
    pub fn codex() -> Self {
        let mut set = words("--ephemeral --cd {dir} -c project_doc_max_bytes=0 -c web_search=disabled");
        for feature in CODEX_FEATURES {
            set.extend(["-c".to_owned(), format!("features.{feature}=false")]);
        }
        Self {
            program: "codex".to_owned(),
            arguments: words("exec --json --sandbox read-only --skip-git-repo-check"),
            protection: Protection { help: words("exec --help"), sets: vec![set] },
            with_model: words("--model {model}"),
            with_schema: words("--output-schema {schema-file}"),
            last: words("-"),
            prints: Prints::CodexEvents,
            own: Some(OwnPlace { variable: "CODEX_HOME", below_home: &[".codex"] }),
        }
    }

    /// The conventions of `claude -p`: no session on disk, no tools, no settings but the user's own.
    pub fn claude() -> Self {
        let with_rest = |first: &str| {
            let mut set = words(first);
            set.extend(["--tools", "", "--no-session-persistence"].map(str::to_owned));
            set
        };
        Self {
            program: "claude".to_owned(),
            arguments: words("-p --output-format stream-json --include-partial-messages --verbose"),
            protection: Protection {
                help: words("--help"),
                sets: vec![with_rest("--safe-mode"), with_rest("--setting-sources user --strict-mcp-config")],
            },
            with_model: words("--model {model}"),
            with_schema: words("--json-schema {schema}"),
            last: Vec::new(),
            prints: Prints::ClaudeEvents,
            own: Some(OwnPlace { variable: "CLAUDE_CONFIG_DIR", below_home: &[".claude", ".claude.json"] }),
        }
    }
}

impl Protection {
    /// The first set whose options are all in a program's help.
    pub(super) fn known_set(&self, help: &str) -> Option<&[String]> {
        let is_known = |option: &str| {
            help.split(|letter: char| letter.is_whitespace() || ",=<[".contains(letter))
                .any(|word| word == option)
        };
        let is_whole = |set: &&Vec<String>| {
            set.iter().filter(|word| word.starts_with('-')).all(|option| is_known(option))
        };
        self.sets.iter().find(is_whole).map(Vec::as_slice)
    }

    /// The options of which one is needed, in words.
    pub(super) fn first_options(&self) -> String {
        let options = self.sets.iter().filter_map(|set| set.first());
        options.map(|option| format!("`{option}`")).collect::<Vec<_>>().join(" nor ")
    }
}

pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_sets_the_first_is_taken_that_the_program_knows_whole() {
        let claude = Template::claude().protection;
        let new = "  --safe-mode   Start\n --tools <tools...>  x\n --no-session-persistence  y\n --setting-sources <s>\n";
        assert_eq!(claude.known_set(new).unwrap()[0], "--safe-mode");
        let older = "--setting-sources <s>\n --strict-mcp-config\n --tools <t>\n --no-session-persistence";
        assert_eq!(claude.known_set(older).unwrap()[0], "--setting-sources");
        assert_eq!(claude.known_set("--safe-modest --tools --no-session-persistence"), None);
        assert_eq!(claude.known_set(""), None);
        let codex = Template::codex().protection;
        assert!(codex.known_set("  -c, --config <key=value>\n  -C, --cd <DIR>\n --ephemeral\n").is_some());
        assert_eq!(codex.known_set("  -c, --config <key=value>\n  -C, --cd <DIR>\n"), None);
    }
}
