//! What the program teaches about itself.

use insta::assert_snapshot;

use crate::machine::Machine;

#[test]
fn help_in_short() {
    assert_snapshot!(Machine::new().run("-h"), @"
    exit code: 0
    ---- stdout
    Look into directories and explain what is there

    Usage: luminosctl [OPTIONS] <COMMAND>

    Commands:
      run          Investigate a directory and print the report
      watch        Investigate a directory, and again whenever something in it changes
      show         Print the report of an investigation again
      flags        Print the flags of an investigation: what somebody should look at
      coverage     Say what of each file was seen, and what was left out
      verify       Check again everything that a report says it has verified
      replay       Repeat a run from its transcripts, and compare the reports byte for byte
      bundle       Pack an investigation into one file for a bug report, without secrets
      diff         Say what changed between two investigations of a target
      plan         Show how an investigation would go about a directory: which parts get how many turns,
                   and why
      estimate     Say what an investigation would take: turns, tokens and money
      export       Write what is known for another purpose
      list         List all investigations: what they are about, how they stand, what they cost
      status       Show what is running and how far it is, or how one investigation stands
      pause        Let an investigation that is under way begin nothing new
      resume       Let an investigation go on that was paused, cancelled or interrupted
      cancel       Stop an investigation that is under way; what was found out is kept
      clean        Remove investigations with everything that is known of them
      fsck         Look over the state directory and say what is wrong with it
      scan         Show what is in a directory: tree, kinds of files, languages, sizes
      tasks        Turn a requirement into tasks, and work through them
      tool         Call a tool by hand as a model would, to see what a model gets to see
      ask          Ask a model one question and print its answer while it comes
      evolve       Plan the next change of a repository from its history and metrics, measure it, and
                   score the plan
      models       List known models with their prices, and which keys, servers and programs were found
      doctor       Check what is set up, and say what is missing
      daemon       Start, stop or ask the daemon that does the work
      config       Show the configuration and where it comes from
      completions  Print a completion script for a shell
      man          Print the manual page, or write all manual pages
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_the_program() {
    assert_snapshot!(Machine::new().run("--help"), @"
    exit code: 0
    ---- stdout
    Look into directories and explain what is there

    Data goes to standard output, everything else to standard error. What is printed into a file or a
    pipe has no colours.

    Usage: luminosctl [OPTIONS] <COMMAND>

    Commands:
      run          Investigate a directory and print the report
      watch        Investigate a directory, and again whenever something in it changes
      show         Print the report of an investigation again
      flags        Print the flags of an investigation: what somebody should look at
      coverage     Say what of each file was seen, and what was left out
      verify       Check again everything that a report says it has verified
      replay       Repeat a run from its transcripts, and compare the reports byte for byte
      bundle       Pack an investigation into one file for a bug report, without secrets
      diff         Say what changed between two investigations of a target
      plan         Show how an investigation would go about a directory: which parts get how many turns,
                   and why
      estimate     Say what an investigation would take: turns, tokens and money
      export       Write what is known for another purpose
      list         List all investigations: what they are about, how they stand, what they cost
      status       Show what is running and how far it is, or how one investigation stands
      pause        Let an investigation that is under way begin nothing new
      resume       Let an investigation go on that was paused, cancelled or interrupted
      cancel       Stop an investigation that is under way; what was found out is kept
      clean        Remove investigations with everything that is known of them
      fsck         Look over the state directory and say what is wrong with it
      scan         Show what is in a directory: tree, kinds of files, languages, sizes
      tasks        Turn a requirement into tasks, and work through them
      tool         Call a tool by hand as a model would, to see what a model gets to see
      ask          Ask a model one question and print its answer while it comes
      evolve       Plan the next change of a repository from its history and metrics, measure it, and
                   score the plan
      models       List known models with their prices, and which keys, servers and programs were found
      doctor       Check what is set up, and say what is missing
      daemon       Start, stop or ask the daemon that does the work
      config       Show the configuration and where it comes from
      completions  Print a completion script for a shell
      man          Print the manual page, or write all manual pages
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl run .                              investigate the current directory, with no model
      luminosctl show .                             print its report again
      luminosctl estimate . --model NAME            say what that would take with a model
      luminosctl scan .                             show what is in the current directory
      luminosctl doctor                             check what is set up, and say what is missing
      luminosctl ask --model ollama/llama3.2 'Hi!'  ask a model, to see whether it can be reached
      luminosctl config show --origin               print every setting and the place that decided it
      luminosctl completions bash                   print a completion script for bash
      luminosctl man --out ~/.local/share/man/man1  write the manual pages

    Configuration:
      From the strongest to the weakest: flags, environment variables (LUMINOS_…), the luminos.toml
      of the current project, the user's config.toml, defaults.
      `luminosctl config --help` explains all settings.

    Exit codes:
        0  done
        1  failed
        2  the command line or the configuration makes no sense
        3  done in part: a limit was reached
        4  done, and there are flags at or above --fail-on
      130  interrupted
    ");
}

#[test]
fn help_of_scan() {
    assert_snapshot!(Machine::new().run("scan --help"), @r#"
    exit code: 0
    ---- stdout
    Show what is in a directory: tree, kinds of files, languages, sizes

    Reads every file once and uses no model. What git ignores, hidden files and some directories that
    hold nothing of one's own (node_modules, build, …) are left out; --why-skipped tells which, and why.
    Nothing is written into the directory. A second scan reads only what has changed.

    Usage: luminosctl scan [OPTIONS] [PATH]

    Arguments:
      [PATH]
              The directory to look at

              [default: .]

    Options:
      -a, --all
              Look at hidden files, too

          --no-ignore
              Do not honour .gitignore, .ignore and .luminosignore

      -x, --exclude <NAME>
              Leave out files and directories of this name; can be repeated

              A name may have wildcards: --exclude '*.min.js'.

          --keep <NAME>
              Look into directories of this name, though they are always left out; can be repeated

          --cross-mounts
              Enter other file systems that are mounted inside

      -d, --depth <LEVELS>
              Show this many levels of the tree; the scan itself goes all the way down

              Without this flag or the setting `scan.depth`, three levels are shown, and only as much of
              them as leaves the rest of the report on the screen.

          --threads <N>
              Work with this many threads; 0 means one for each core

          --hash-limit <SIZE>
              Sample files larger than this (1 GiB) instead of reading them whole

          --no-cache
              Read every file, whatever earlier scans remembered

          --why-skipped
              List every path that was left out, and the rule that did it, instead of the report

              With --json, the list is added to the report.

          --json
              Print the report as JSON; docs/scan-json.md in the source explains every key

          --files
              Add every file to the JSON, with its hash and line counts

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl scan ~/src/project
      luminosctl scan . --depth 1 --exclude docs
      luminosctl scan . --keep build --why-skipped
      luminosctl scan . --json | jq '.languages[] | {language, code}'
      luminosctl scan . --json --files | jq -r '.files[] | "\(.sha256)  \(.path)"'

    Always left out:
      .git .svn .hg __pycache__ node_modules .tox .mypy_cache .pytest_cache .venv venv .env dist build
      .eggs *.egg-info, and target beside a Cargo.toml

    Settings:
      What should hold for every scan can be written into a configuration file:
      `luminosctl config --help` explains how.

    Exit codes:
      0  done; what could not be read is listed under problems
      1  the directory could not be scanned
      2  the command line or the configuration makes no sense
    "#);
}

#[test]
fn help_of_scan_in_short() {
    assert_snapshot!(Machine::new().run("scan -h"), @"
    exit code: 0
    ---- stdout
    Show what is in a directory: tree, kinds of files, languages, sizes

    Usage: luminosctl scan [OPTIONS] [PATH]

    Arguments:
      [PATH]  The directory to look at [default: .]

    Options:
      -a, --all                Look at hidden files, too
          --no-ignore          Do not honour .gitignore, .ignore and .luminosignore
      -x, --exclude <NAME>     Leave out files and directories of this name; can be repeated
          --keep <NAME>        Look into directories of this name, though they are always left out; can
                               be repeated
          --cross-mounts       Enter other file systems that are mounted inside
      -d, --depth <LEVELS>     Show this many levels of the tree; the scan itself goes all the way down
          --threads <N>        Work with this many threads; 0 means one for each core
          --hash-limit <SIZE>  Sample files larger than this (1 GiB) instead of reading them whole
          --no-cache           Read every file, whatever earlier scans remembered
          --why-skipped        List every path that was left out, and the rule that did it, instead of
                               the report
          --json               Print the report as JSON; docs/scan-json.md in the source explains every
                               key
          --files              Add every file to the JSON, with its hash and line counts
      -h, --help               Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_ask() {
    assert_snapshot!(Machine::new().run("ask --help"), @"
    exit code: 0
    ---- stdout
    Ask a model one question and print its answer while it comes

    A small way to see whether a model is set up: the question goes out as it is, without any tools.
    Secrets that the question holds, such as keys, are taken out first. What the answer used and cost is
    told on standard error.

    Usage: luminosctl ask [OPTIONS] <QUESTION>

    Arguments:
      <QUESTION>
              The question; `-` reads it from standard input

    Options:
          --model <NAME>
              The model, such as anthropic/claude-sonnet-5-5, openai/ID, ollama/llama3.2, codex or
              claude

              Without this flag, the setting `models.default` decides.

          --max-cost <DOLLARS>
              Do not ask if the answer could cost more than this many US dollars, such as 0.05

          --max-tokens <N>
              Do not ask if question and answer together could have more tokens than this

          --max-output <N>
              Cut the answer off after this many tokens

              [default: 4096]

          --allow-unconfined-program
              Run a program used as a model (codex, claude, command) even where it cannot be confined

              Without Landlock and seccomp such a program is refused: it would act with all your rights
              on text that others may have written to steer it.

          --json
              Print a JSON object with text, stop, usage, cost and notes, once the answer is complete

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl ask --model ollama/llama3.2 'What is a monad?'
      luminosctl ask --model anthropic/claude-sonnet-5-5 --max-cost 0.05 - < question.txt
      OPENAI_BASE_URL=http://127.0.0.1:8080/v1 luminosctl ask --model openai/any 'Hello?'

    Exit codes:
      0  answered
      1  the model could not be asked, or failed
      2  the command line or the configuration makes no sense
      3  a limit was reached: the question was not asked, or the answer is cut off
      130  interrupted
    ");
}

#[test]
fn help_of_models() {
    assert_snapshot!(Machine::new().run("models --help"), @r#"
    exit code: 0
    ---- stdout
    List known models with their prices, and which keys, servers and programs were found

    Prices are in US dollars for a million tokens. Other models can be used as well: then tokens are
    counted, but no money. A server is asked what it offers only if a variable names it. Keys are looked
    for in a variable, among the credentials of systemd and in a file that only you can read; they are
    never shown.

    Usage: luminosctl models [OPTIONS]

    Options:
          --json
              Print a JSON object with models, services and passes

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Names:
      anthropic/ID  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
      openai/ID     OPENAI_API_KEY, OPENAI_BASE_URL; any server that speaks chat completions
      ollama/ID     OLLAMA_HOST
      codex, claude programs on this machine; codex/ID and claude/ID name a model of theirs
      command       a program of your own, which the setting models.command names

    Keys:
      From the strongest: the variable, the systemd credential anthropic-api-key or openai-api-key,
      the file anthropic.key or openai.key in ~/.config/luminos (mode 0600).

    Examples:
      luminosctl models
      luminosctl models --json | jq -r '.models[] | "\(.id) \(.input)"'

    Exit codes:
      0  done
      1  a configuration file could not be read
      2  the command line or the configuration makes no sense
    "#);
}

#[test]
fn help_of_doctor() {
    assert_snapshot!(Machine::new().run("doctor --help"), @r#"
    exit code: 0
    ---- stdout
    Check what is set up, and say what is missing

    Looks at the state directory, the daemon, how well processes can be locked in, the configuration
    files, the keys, the servers that a variable names, and the terminal; and says where room or limits
    are short. The state directory is made if it is missing; nothing else is changed. Keys are never
    shown.

    Usage: luminosctl doctor [OPTIONS]

    Options:
          --json
              Print a JSON array of objects with check, state, words and hint

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl doctor
      luminosctl doctor --json | jq -r '.[] | select(.state == "bad") | .words'

    Exit codes:
      0  everything that is set up works
      1  something does not
      2  the command line makes no sense
    "#);
}

#[test]
fn help_of_config() {
    assert_snapshot!(Machine::new().run("config --help"), @r#"
    exit code: 0
    ---- stdout
    Show the configuration and where it comes from

    From the strongest to the weakest, these places decide a setting:

    1. a flag of the command line, such as `--color`;

    2. its environment variable; an empty one counts as unset, and lists are written with commas;

    3. the project's luminos.toml: the nearest one, from the current directory upwards to the root of
    the git repository or the home directory, but never one inside the directory that is looked at;

    4. $XDG_CONFIG_HOME/luminos/config.toml, or ~/.config/luminos/config.toml;

    5. the default.

    A list replaces a weaker one as a whole.

    Usage: luminosctl config [OPTIONS] <COMMAND>

    Commands:
      show  Print every setting as it holds here and now
      path  Print where configuration files can lie, and which of them are read
      help  Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Settings:
      home (LUMINOS_HOME)
          Where Luminos keeps what it learns: investigations, reports, and the cache of scans. By
          default `$XDG_STATE_HOME/luminos`, or `~/.local/state/luminos` where that variable is not set.
          A relative path starts at the directory of the file it is written in.
      color (LUMINOS_COLOR)
          When to colour what is printed: "auto" (on terminals only), "always" or "never". A non-empty
          variable `NO_COLOR` means "never", unless `--color` or `LUMINOS_COLOR` says otherwise.
      scan.hidden (LUMINOS_SCAN_HIDDEN)
          Whether to look at hidden files and directories, those whose names begin with a dot.
      scan.ignore-files (LUMINOS_SCAN_IGNORE_FILES)
          Whether `.gitignore`, `.ignore` and `.luminosignore` decide what is left out.
      scan.exclude (LUMINOS_SCAN_EXCLUDE)
          Names of files and directories to leave out, wherever they are.
      scan.keep (LUMINOS_SCAN_KEEP)
          Names of directories to look into although they are always left out otherwise, such as
          `node_modules`, `dist` or `build`.
      scan.cross-mounts (LUMINOS_SCAN_CROSS_MOUNTS)
          Whether to enter directories that lie on another file system than the target.
      scan.depth (LUMINOS_SCAN_DEPTH)
          How many levels of the tree to show. The scan itself always goes all the way down.
      scan.threads (LUMINOS_SCAN_THREADS)
          How many threads share the work; 0 means one for each core of the machine.
      scan.hash-limit (LUMINOS_SCAN_HASH_LIMIT)
          Larger files are recognised by samples of their content instead of being hashed whole. A
          number of bytes, or a size such as "512 MB" or "1 GiB"; units count in steps of 1024.
      scan.cache (LUMINOS_SCAN_CACHE)
          Whether to remember the hashes of files between scans, so that unchanged files are not read
          again.
      models.config (LUMINOS_MODELS_CONFIG)
          A file like config/models.toml with prices and windows that differ from those, or of other
          models. By default `models.toml` beside your own config.toml, if it exists.
      models.default (LUMINOS_MODELS_DEFAULT)
          The model to ask, such as "anthropic/claude-sonnet-5-5", "openai/ID", "ollama/llama3.2",
          "codex" or "claude"; "" is none.
      models.survey (LUMINOS_MODELS_SURVEY)
          The model that takes a first look at the whole; "" is the default one.
      models.plan (LUMINOS_MODELS_PLAN)
          The model that plans how much each directory gets; "" is the default one.
      models.dir (LUMINOS_MODELS_DIR)
          The model that looks into directories; "" is the default one.
      models.judge (LUMINOS_MODELS_JUDGE)
          The model that judges what was said about directories; "" is the default one.
      models.synthesis (LUMINOS_MODELS_SYNTHESIS)
          The model that writes the report as a whole; "" is the default one.
      models.connect-timeout (LUMINOS_MODELS_CONNECT_TIMEOUT)
          How long to wait for a connection to a model server, such as "10 s" or "2 min".
      models.idle-timeout (LUMINOS_MODELS_IDLE_TIMEOUT)
          How long to wait for the next bytes of an answer, the first ones included.
      models.total-timeout (LUMINOS_MODELS_TOTAL_TIMEOUT)
          How long an answer may take as a whole, whether from a server or from a program.
      models.provider-patience (LUMINOS_MODELS_PROVIDER_PATIENCE)
          How long a call waits, all its tries together, for a provider that says "too many calls" or
          "overloaded" (429, 529). A provider that asks to stay away for longer is not waited for.
      models.count-input (LUMINOS_MODELS_COUNT_INPUT)
          Whether to let the server count the tokens of each question where it can (Anthropic's can),
          instead of estimating them from above. A money limit then leaves room for more calls, at one
          more request each.
      models.anthropic-version (LUMINOS_MODELS_ANTHROPIC_VERSION)
          The version of Anthropic's interface.
      models.anthropic-beta (LUMINOS_MODELS_ANTHROPIC_BETA)
          Betas of Anthropic's interface to ask for, such as ["context-management-2025-06-27"].
      models.cache-time (LUMINOS_MODELS_CACHE_TIME)
          How long Anthropic's cache remembers a prompt: "5m", or "1h", which costs more to write.
      models.command (LUMINOS_MODELS_COMMAND)
          A program of your own, which is the model "command" then: it and its arguments, such as
          ["my-agent", "--read-only"]. It gets the prompt on standard input, and what it prints is the
          answer. With "{model}" in a word the model is "command/ID", and the ID takes that place. Not
          in a project's file.
      models.command-schema (LUMINOS_MODELS_COMMAND_SCHEMA)
          Further arguments of that program where its answer must be JSON of a certain shape: "{schema}"
          is the JSON schema, "{schema-file}" a file with it. Without them the shape is described in the
          prompt.
      models.command-box (LUMINOS_MODELS_COMMAND_BOX)
          Whether that program runs in the box that every program used as a model runs in: it reads
          itself, the system's programs and libraries and `models.program-read`, and writes a private
          directory. Not in a project's file.
      models.program-read (LUMINOS_MODELS_PROGRAM_READ)
          Further files and directories that programs used as models may read and execute, such as
          ["~/.aws/config", "~/.aws/sso"]. Not in a project's file.
      models.allow-unconfined-program (LUMINOS_MODELS_ALLOW_UNCONFINED_PROGRAM)
          Whether programs used as models may run without the box on a machine that has none to offer
          (no Landlock, or no seccomp). The flag `--allow-unconfined-program` says so for one command.
          Not in a project's file.
      daemon.idle (LUMINOS_DAEMON_IDLE)
          How many seconds a daemon that a command started stays when there is nothing to do.
      daemon.patience (LUMINOS_DAEMON_PATIENCE)
          After so long without a sign of life whoever looks into a directory counts as stuck: another
          process takes over, and a directory that has had three is given up and named in the report.
      planner.model (LUMINOS_PLANNER_MODEL)
          The model that plans tasks; "" is the default one.
      planner.timeout (LUMINOS_PLANNER_TIMEOUT)
          How long a plan may take as a whole. What the model has not said by then is done by rule.
      planner.retries (LUMINOS_PLANNER_RETRIES)
          How often a question that failed is asked again, after what the provider says or ever longer.
      planner.dedupe-window (LUMINOS_PLANNER_DEDUPE_WINDOW)
          For how long the same requirement for the same files is not planned again.
      planner.verify-commands (LUMINOS_PLANNER_VERIFY_COMMANDS)
          Where verification commands come from: "off", "contract" (`.luminos/verify.contract.json`),
          "llm", "fallback" (the contract, then the manifests) or "hybrid" (the contract, then a model,
          then the manifests).
      planner.verify-max (LUMINOS_PLANNER_VERIFY_MAX)
          No task gets more verification commands than this.
      planner.verify-augment (LUMINOS_PLANNER_VERIFY_AUGMENT)
          Whether tasks that came with verification commands get more.
      planner.verify-uninitialised (LUMINOS_PLANNER_VERIFY_UNINITIALISED)
          Whether tasks of an empty repository get verification commands.
      planner.tracker (LUMINOS_PLANNER_TRACKER)
          Where tasks get issues: "none" is nowhere, "github:OWNER/NAME" a repository there (the token
          is looked for in `GITHUB_TOKEN`, then in `github.key` beside your own config.toml),
          "markdown:DIRECTORY" a file for each.
      planner.tracker-url (LUMINOS_PLANNER_TRACKER_URL)
          Where the interface of GitHub is; another address for a server of your own.

    Examples:
      luminosctl config show --origin
      luminosctl config path
      LUMINOS_SCAN_EXCLUDE=vendor,fixtures luminosctl config show

    Exit codes:
      0  done
      1  a configuration file could not be read
      2  the command line or the configuration makes no sense
    "#);
}

#[test]
fn help_of_config_show() {
    assert_snapshot!(Machine::new().run("config show --help"), @r#"
    exit code: 0
    ---- stdout
    Print every setting as it holds here and now

    What is printed is a valid configuration file.

    Usage: luminosctl config show [OPTIONS]

    Options:
          --origin
              Print beside each value the place that decided it

          --json
              Print a JSON array of objects with key, value and origin

          --target <DIR>
              Show what holds for a command that looks at this directory

              A luminos.toml inside it is then not read. Which one is obeyed, and what of it is not, is
              said on standard error.

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl config show
      luminosctl config show --origin --target .
      luminosctl config show --json | jq '.[] | select(.origin.kind != "default")'

    Exit codes:
      0  done
      1  a configuration file could not be read
      2  the command line or the configuration makes no sense
    "#);
}

#[test]
fn help_of_config_path() {
    assert_snapshot!(Machine::new().run("config path --help"), @r#"
    exit code: 0
    ---- stdout
    Print where configuration files can lie, and which of them are read

    The strongest comes first. This works also when a file is faulty.

    Usage: luminosctl config path [OPTIONS]

    Options:
          --json
              Print a JSON array of objects with role, path and standing

          --target <DIR>
              Show what holds for a command that looks at this directory

              A luminos.toml inside it is then not read.

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl config path
      luminosctl config path --json | jq -r '.[] | select(.standing == "read") | .path'

    Exit codes:
      0  done
      2  the command line makes no sense
    "#);
}

#[test]
fn help_of_completions() {
    assert_snapshot!(Machine::new().run("completions --help"), @"
    exit code: 0
    ---- stdout
    Print a completion script for a shell

    Print it into the file where your shell looks for completions; the examples say where that is. No
    configuration is read.

    Usage: luminosctl completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>
              The shell to complete in

              [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl completions bash > ~/.local/share/bash-completion/completions/luminosctl
      luminosctl completions zsh > ~/.zfunc/_luminosctl
      luminosctl completions fish > ~/.config/fish/completions/luminosctl.fish

    Exit codes:
      0  done
      1  the script could not be written
      2  no such shell
    ");
}

#[test]
fn help_of_man() {
    assert_snapshot!(Machine::new().run("man --help"), @"
    exit code: 0
    ---- stdout
    Print the manual page, or write all manual pages

    Without `--out`, print the page of luminosctl itself. With it, write one page for luminosctl and one
    for each of its commands, and print the path of each file written. The pages say what `--help` says.
    No configuration is read.

    Usage: luminosctl man [OPTIONS]

    Options:
          --out <DIR>
              Write all pages into this directory, which is made if it does not exist

      -h, --help
              Print help (see a summary with '-h')

    Global options:
          --color <WHEN>
              When to colour what is printed

              Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.

              [possible values: auto, always, never]

          --home <DIR>
              Keep investigations, reports and caches in this directory

          --config <FILE>
              Read this file instead of the project's luminos.toml

              The user's own file is read all the same; what this one says is stronger.

    Examples:
      luminosctl man | man -l -
      luminosctl man --out ~/.local/share/man/man1

    Exit codes:
      0  done
      1  a page could not be written
      2  the command line makes no sense
    ");
}

#[test]
fn the_version_is_told() {
    assert_snapshot!(Machine::new().run("--version"), @"
    exit code: 0
    ---- stdout
    luminosctl 0.1.0
    ");
}

#[test]
fn a_misspelt_command_gets_a_tip() {
    assert_snapshot!(Machine::new().run("config shwo"), @"
    exit code: 2
    ---- stderr
    error: unrecognized subcommand 'shwo'

      tip: a similar subcommand exists: 'show'

    Usage: luminosctl config [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn a_misspelt_flag_gets_a_tip() {
    assert_snapshot!(Machine::new().run("config show --orign"), @"
    exit code: 2
    ---- stderr
    error: unexpected argument '--orign' found

      tip: a similar argument exists: '--origin'

    Usage: luminosctl config show --origin

    For more information, try '--help'.
    ");
}

#[test]
fn no_command_at_all_is_wrong_usage() {
    let run = Machine::new().run("");
    assert_eq!((run.code, &*run.stdout), (Some(2), ""));
    assert!(run.stderr.contains("Usage: luminosctl [OPTIONS] <COMMAND>"), "{run}");
}
