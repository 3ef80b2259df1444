//! How a program is called, and how the two that everybody has are.

use super::own_home::OwnHome;
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
    /// Variables that do the same where there is no option for it.
    pub variables: &'static [(&'static str, &'static str)],
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
const CODEX_FEATURES: [&str; 24] = [
    "shell_tool",
    "shell_snapshot",
    "unified_exec",
    "view_image",
    "image_generation",
    "hooks",
    "plugins",
    "remote_plugin",
    "apps",
    "daemon_auto_start",
    "multi_agent",
    "multi_agent_v2",
    "skill_search",
    "sleep_tool",
    "tool_suggest",
    "workspace_dependencies",
    "browser_use",
    "browser_use_external",
    "computer_use",
    "in_app_browser",
    "code_mode_host",
    "memories",
    "skill_mcp_dependency_install",
    "goals",
];

/// Its settings: no documents of a project, no skills, no company of other agents, nothing told to anybody but the model.
const CODEX_SETTINGS: [&str; 9] = [
    "project_doc_max_bytes=0",
    "web_search=disabled",
    "skills.include_instructions=false",
    "skills.bundled.enabled=false",
    "agents.max_concurrent_threads_per_session=1",
    "analytics.enabled=false",
    "feedback.enabled=false",
    "otel.exporter=none",
    "check_for_update_on_startup=false",
];

/// What of the user's settings says whom codex asks.
const CODEX_KEPT: [&str; 18] = [
    "chatgpt_base_url",
    "cli_auth_credentials_store",
    "disable_response_storage",
    "forced_chatgpt_workspace_id",
    "forced_login_method",
    "model",
    "model_context_window",
    "model_max_output_tokens",
    "model_provider",
    "model_providers",
    "model_reasoning_effort",
    "model_reasoning_summary",
    "model_verbosity",
    "openai_base_url",
    "oss_provider",
    "preferred_auth_method",
    "profile",
    "service_tier",
];

/// Files that a prompt names (`@path`) would be read and sent; the user's own instructions and memories would be sent;
/// each prompt would be sent a second time, for a title; and what is done with the program would be told to its maker.
const CLAUDE_VARIABLES: [(&str, &str); 7] = [
    ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"),
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
    ("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS", "1"),
    ("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
];

impl Template {
    /// The conventions of `codex exec`: no session on disk, no documents of a project, no tools that read or run.
    pub fn codex() -> Self {
        let mut set = words("--ephemeral --cd {dir}");
        for setting in CODEX_SETTINGS {
            set.extend(["-c".to_owned(), setting.to_owned()]);
        }
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
            variables: &[],
            own: Some(OwnPlace {
                variable: "CODEX_HOME",
                below_home: &[".codex"],
                private: Some(OwnHome {
                    settings: "config.toml",
                    kept: &CODEX_KEPT,
                    linked: &["auth.json"],
                    copied: &["installation_id", "models_cache.json", "version.json"],
                }),
            }),
        }
    }

    /// The conventions of `claude -p`: no session on disk, no tools, no settings but the user's own.
    pub fn claude() -> Self {
        let with_rest = |first: &[&str]| {
            let mut set: Vec<String> = first.iter().map(|word| (*word).to_owned()).collect();
            set.extend(["--tools", "", "--no-session-persistence"].map(str::to_owned));
            set
        };
        // Older versions have an option for each, and hooks of the user's own would hear of every prompt.
        let older = [
            "--setting-sources",
            "user",
            "--strict-mcp-config",
            "--disable-slash-commands",
            "--settings",
            r#"{"disableAllHooks":true}"#,
        ];
        Self {
            program: "claude".to_owned(),
            arguments: words("-p --output-format stream-json --include-partial-messages --verbose"),
            protection: Protection {
                help: words("--help"),
                sets: vec![with_rest(&["--safe-mode"]), with_rest(&older)],
            },
            with_model: words("--model {model}"),
            with_schema: words("--json-schema {schema}"),
            last: Vec::new(),
            prints: Prints::ClaudeEvents,
            variables: &CLAUDE_VARIABLES,
            own: Some(OwnPlace {
                variable: "CLAUDE_CONFIG_DIR",
                below_home: &[".claude", ".claude.json"],
                private: None,
            }),
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
        let both =
            "--tools <t...>  x\n --no-session-persistence  y\n --disable-slash-commands\n --settings <s>\n";
        let new = format!("  --safe-mode   Start\n --setting-sources <s>\n {both}");
        assert_eq!(claude.known_set(&new).unwrap()[0], "--safe-mode");
        let older = format!("--setting-sources <s>\n --strict-mcp-config\n {both}");
        assert_eq!(claude.known_set(&older).unwrap()[0], "--setting-sources");
        assert_eq!(claude.known_set("--safe-modest --tools --no-session-persistence"), None);
        assert_eq!(claude.known_set(""), None);
        let codex = Template::codex().protection;
        assert!(codex.known_set("  -c, --config <key=value>\n  -C, --cd <DIR>\n --ephemeral\n").is_some());
        assert_eq!(codex.known_set("  -c, --config <key=value>\n  -C, --cd <DIR>\n"), None);
    }
}
