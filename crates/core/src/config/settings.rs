//! The table of settings. To add one, add a row: `config/luminos.toml` must then explain it in the same
//! words, which a test checks.

use std::path::PathBuf;

use super::table::{Setting, settings};
use super::value::Value;
use super::{
    BareName, CacheTime, ColorChoice, CommandLine, CommandSource, Given, HeaderWord, ModelChoice,
    Surroundings, Threads, TimeSpan, TrackerChoice, WebAddress,
};
use crate::ByteSize;

settings! {
    /// Where Luminos keeps what it learns: investigations, reports, and the cache of scans.
    /// By default `$XDG_STATE_HOME/luminos`, or `~/.local/state/luminos` where that variable is not set.
    /// A relative path starts at the directory of the file it is written in.
    home "home": PathBuf = Surroundings::default_home;

    /// When to colour what is printed: "auto" (on terminals only), "always" or "never".
    /// A non-empty variable `NO_COLOR` means "never", unless `--color` or `LUMINOS_COLOR` says otherwise.
    color "color": ColorChoice = |_| Some(ColorChoice::Auto);

    sections {
        /// How a target is walked, and how much of it is read.
        scan: ScanConfig, ScanLayer {
            /// Whether to look at hidden files and directories, those whose names begin with a dot.
            hidden "scan.hidden": bool = |_| Some(false);

            /// Whether `.gitignore`, `.ignore` and `.luminosignore` decide what is left out.
            ignore_files "scan.ignore-files": bool = |_| Some(true);

            /// Names of files and directories to leave out, wherever they are.
            exclude "scan.exclude": Vec<BareName> = |_| Some(Vec::new());

            /// Names of directories to look into although they are always left out otherwise, such as
            /// `node_modules`, `dist` or `build`.
            keep "scan.keep": Vec<BareName> = |_| Some(Vec::new());

            /// Whether to enter directories that lie on another file system than the target.
            cross_mounts "scan.cross-mounts": bool = |_| Some(false);

            /// How many levels of the tree to show. The scan itself always goes all the way down.
            depth "scan.depth": u32 = |_| Some(3);

            /// How many threads share the work; 0 means one for each core of the machine.
            threads "scan.threads": Threads = |_| Some(Threads::default());

            /// Larger files are recognised by samples of their content instead of being hashed whole.
            /// A number of bytes, or a size such as "512 MB" or "1 GiB"; units count in steps of 1024.
            hash_limit "scan.hash-limit": ByteSize = |_| Some(ByteSize(1 << 30));

            /// Whether to remember the hashes of files between scans, so that unchanged files are not read
            /// again.
            cache "scan.cache": bool = |_| Some(true);
        }

        /// Which models are asked, and what is known about them. `luminosctl models` lists what there is.
        models: ModelsConfig, ModelsLayer {
            /// A file like config/models.toml with prices and windows that differ from those, or of other models.
            /// By default `models.toml` beside your own config.toml, if it exists.
            config "models.config": PathBuf = Surroundings::default_models_file;

            /// The model to ask, such as "anthropic/claude-sonnet-5-5", "openai/ID", "ollama/llama3.2", "codex" or
            /// "claude"; "" is none.
            default "models.default": ModelChoice = |_| Some(ModelChoice::default());

            /// The model that takes a first look at the whole; "" is the default one.
            survey "models.survey": ModelChoice = |_| Some(ModelChoice::default());

            /// The model that plans how much each directory gets; "" is the default one.
            plan "models.plan": ModelChoice = |_| Some(ModelChoice::default());

            /// The model that looks into directories; "" is the default one.
            dir "models.dir": ModelChoice = |_| Some(ModelChoice::default());

            /// The model that judges what was said about directories; "" is the default one.
            judge "models.judge": ModelChoice = |_| Some(ModelChoice::default());

            /// The model that writes the report as a whole; "" is the default one.
            synthesis "models.synthesis": ModelChoice = |_| Some(ModelChoice::default());

            /// How long to wait for a connection to a model server, such as "10 s" or "2 min".
            connect_timeout "models.connect-timeout": TimeSpan = |_| Some(TimeSpan::from_secs(10));

            /// How long to wait for the next bytes of an answer, the first ones included.
            idle_timeout "models.idle-timeout": TimeSpan = |_| Some(TimeSpan::from_secs(180));

            /// How long an answer may take as a whole, whether from a server or from a program.
            total_timeout "models.total-timeout": TimeSpan = |_| Some(TimeSpan::from_secs(900));

            /// How long a call waits, all its tries together, for a provider that says "too many calls" or "overloaded" (429,
            /// 529). A provider that asks to stay away for longer is not waited for.
            provider_patience "models.provider-patience": TimeSpan = |_| Some(TimeSpan::from_secs(600));

            /// Whether to let the server count the tokens of each question where it can (Anthropic's can), instead of
            /// estimating them from above. A money limit then leaves room for more calls, at one more request each.
            count_input "models.count-input": bool = |_| Some(false);

            /// The version of Anthropic's interface.
            anthropic_version "models.anthropic-version": HeaderWord = |_| "2023-06-01".parse().ok();

            /// Betas of Anthropic's interface to ask for, such as ["context-management-2025-06-27"].
            anthropic_beta "models.anthropic-beta": Vec<HeaderWord> = |_| Some(Vec::new());

            /// How long Anthropic's cache remembers a prompt: "5m", or "1h", which costs more to write.
            cache_time "models.cache-time": CacheTime = |_| Some(CacheTime::FiveMinutes);

            /// A program of your own, which is the model "command" then: it and its arguments, such as
            /// ["my-agent", "--read-only"]. It gets the prompt on standard input, and what it prints is the answer. With
            /// "{model}" in a word the model is "command/ID", and the ID takes that place. Not in a project's file.
            command "models.command": CommandLine = |_| Some(CommandLine::default());

            /// Further arguments of that program where its answer must be JSON of a certain shape: "{schema}" is the JSON
            /// schema, "{schema-file}" a file with it. Without them the shape is described in the prompt.
            command_schema "models.command-schema": CommandLine = |_| Some(CommandLine::default());

            /// Whether that program runs in the box that every program used as a model runs in: it reads itself, the
            /// system's programs and libraries and `models.program-read`, and writes a private directory. Not in a
            /// project's file.
            command_box "models.command-box": bool = |_| Some(true);

            /// Further files and directories that programs used as models may read and execute, such as
            /// ["~/.aws/config", "~/.aws/sso"]. Not in a project's file.
            program_read "models.program-read": Vec<PathBuf> = |_| Some(Vec::new());

            /// Whether programs used as models may run without the box on a machine that has none to offer (no Landlock,
            /// or no seccomp). The flag `--allow-unconfined-program` says so for one command. Not in a project's file.
            allow_unconfined_program "models.allow-unconfined-program": bool = |_| Some(false);
        }

        /// The program that does the work. It is started when it is needed.
        daemon: DaemonConfig, DaemonLayer {
            /// How many seconds a daemon that a command started stays when there is nothing to do.
            idle "daemon.idle": u32 = |_| Some(300);

            /// After so long without a sign of life whoever looks into a directory counts as stuck: another process
            /// takes over, and a directory that has had three is given up and named in the report.
            patience "daemon.patience": TimeSpan = |_| Some(TimeSpan::from_secs(300));
        }

        /// How requirements become tasks (`luminosctl tasks`).
        planner: PlannerConfig, PlannerLayer {
            /// The model that plans tasks; "" is the default one.
            model "planner.model": ModelChoice = |_| Some(ModelChoice::default());

            /// How long a plan may take as a whole. What the model has not said by then is done by rule.
            timeout "planner.timeout": TimeSpan = |_| Some(TimeSpan::from_secs(1200));

            /// How often a question that failed is asked again, after what the provider says or ever longer.
            retries "planner.retries": u32 = |_| Some(2);

            /// For how long the same requirement for the same files is not planned again.
            dedupe_window "planner.dedupe-window": TimeSpan = |_| Some(TimeSpan::from_secs(600));

            /// Where verification commands come from: "off", "contract" (`.luminos/verify.contract.json`), "llm", "fallback"
            /// (the contract, then the manifests) or "hybrid" (the contract, then a model, then the manifests).
            verify_commands "planner.verify-commands": CommandSource = |_| Some(CommandSource::Hybrid);

            /// No task gets more verification commands than this.
            verify_max "planner.verify-max": u32 = |_| Some(4);

            /// Whether tasks that came with verification commands get more.
            verify_augment "planner.verify-augment": bool = |_| Some(false);

            /// Whether tasks of an empty repository get verification commands.
            verify_uninitialised "planner.verify-uninitialised": bool = |_| Some(false);

            /// Where tasks get issues: "none" is nowhere, "github:OWNER/NAME" a repository there (the token is looked for in
            /// `GITHUB_TOKEN`, then in `github.key` beside your own config.toml), "markdown:DIRECTORY" a file for each.
            tracker "planner.tracker": TrackerChoice = |_| Some(TrackerChoice::None);

            /// Where the interface of GitHub is; another address for a server of your own.
            tracker_url "planner.tracker-url": WebAddress = |_| "https://api.github.com".parse().ok();
        }
    }
}
