//! What the program teaches about investigations.

use insta::assert_snapshot;

use crate::machine::Machine;

#[test]
fn help_of_run() {
    assert_snapshot!(Machine::new().run("run --help"), @"
    exit code: 0
    ---- stdout
    Investigate a directory and print the report

    A second run on the same path resumes: only what changed is looked at again. Without a model the
    embedded analyst works, which needs no key and no network. Nothing is written into the directory.

    Usage: luminosctl run [OPTIONS] [PATH]

    Arguments:
      [PATH]
              The directory to investigate

              [default: .]

    Options:
          --model <NAME>
              Ask this model, such as anthropic/claude-sonnet-5-5 or ollama/llama3.2

              Without this flag, the settings `models.default` and `models.<pass>` decide; without
              those, nobody is asked.

          --offline
              Ask no model, whatever the configuration says

          --allow-unconfined-program
              Run a program used as a model (codex, claude, command) even where it cannot be confined

              Without Landlock and seccomp such a program is refused: it would act with all your rights
              on text that others may have written to steer it.

          --fresh
              Start over instead of resuming

          --refresh-plan
              Make the survey and the plan anew

          --judge <JUDGE>
              Judge claims against the bytes they cite (`mechanical`), and have a model try to refute
              what holds (`model`)

              [default: mechanical]

          --refine <N>
              Look again, up to this many times, into what came out unsure, unproved or in part

              [default: 0]

          --include-secrets
              Show models files that keep secrets by their names, such as `.env`, private keys and key
              stores

              Without it models see that such files are there, and nothing of what is in them. Secrets
              that are recognised by their form are taken out of everything that is sent, with and
              without it.

      -a, --all
              Look at hidden files, too

          --no-ignore
              Do not honour .gitignore, .ignore and .luminosignore

      -x, --exclude <NAME>
              Leave out files and directories of this name; can be repeated

          --keep <NAME>
              Look into directories of this name, though they are always left out; can be repeated

          --workers <N>
              Work with this many processes; 0 means one for each core

              [default: 0]

          --parallel <N>
              Look into this many directories at a time; 0 means as many as suit the model

              [default: 0]

          --max-cost <DOLLARS>
              Spend no more than this, in US dollars

          --max-tokens <N>
              Use no more tokens than this, input and output together

          --max-turns <N>
              Use no more turns than this for all directories together

          --max-time <SECONDS>
              Take no longer than this, in seconds

          --baseline <OLD>
              Hold the flags against those of OLD, an investigation or a JSON report

          --fail-on <SEVERITY>
              End with code 4 at such a flag or a worse one; critical:new, a new one

          --format <FORM>
              Print the report as text, md, html, json or sarif

              [default: text]

          --json
              Print the report as JSON: the same as --format json

      -d, --depth <LEVELS>
              Show this many levels of directories instead of as many as fit

      -o, --output <FILE>
              Write the report into this file instead of printing it

      -q, --quiet
              Show no progress

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
      luminosctl run .                                 look at the current directory, with no model
      luminosctl run ~/src/x --model ollama/llama3.2   ask a model on this machine
      luminosctl run . --model anthropic/claude-sonnet-5-5 --max-cost 0.50
      luminosctl run . --fail-on critical --quiet      for scripts
      luminosctl run . --baseline old.json --fail-on critical:new --format sarif -o flags.sarif

    Exit codes:
        0  done
        1  failed
        2  the command line or the configuration makes no sense
        3  done in part: a limit was reached, or a model kept failing
        4  done, and there are flags at or above --fail-on
      130  interrupted; the work is kept, and the next run resumes
    ");
}

#[test]
fn help_of_show() {
    assert_snapshot!(Machine::new().run("show -h"), @"
    exit code: 0
    ---- stdout
    Print the report of an investigation again

    Usage: luminosctl show [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path; or a file
                       with a report or a bundle [default: .]

    Options:
          --dir <PATH>          Show what is known about this directory of the target instead
          --full                Show everything: each directory with its claims and what they rest on
          --explain <FIELD>     Say where the answer to a question comes from: all candidates for FIELD,
                                with their scores
          --baseline <OLD>      Hold the flags against those of OLD, an investigation or a JSON report
          --fail-on <SEVERITY>  End with code 4 at such a flag or a worse one; critical:new, a new one
          --format <FORM>       Print the report as text, md, html, json or sarif [default: text]
          --json                Print the report as JSON: the same as --format json
      -d, --depth <LEVELS>      Show this many levels of directories instead of as many as fit
      -o, --output <FILE>       Write the report into this file instead of printing it
      -h, --help                Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_flags() {
    assert_snapshot!(Machine::new().run("flags -h"), @"
    exit code: 0
    ---- stdout
    Print the flags of an investigation: what somebody should look at

    Usage: luminosctl flags [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path [default: .]

    Options:
          --min <SEVERITY>  Leave out what is less severe than this: info, concern or critical [default:
                            info]
          --json            Print a JSON object for each flag, one on a line
      -h, --help            Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_plan() {
    assert_snapshot!(Machine::new().run("plan --help"), @r#"
    exit code: 0
    ---- stdout
    Show how an investigation would go about a directory: which parts get how many turns, and why

    The directory is scanned, surveyed and planned for, and nothing else is done or spent. `luminosctl
    run` then follows this plan. Without a model the plan is made by rule.

    Usage: luminosctl plan [OPTIONS] [PATH]

    Arguments:
      [PATH]
              The directory to plan for

              [default: .]

    Options:
          --model <NAME>
              Ask this model, such as anthropic/claude-sonnet-5-5 or ollama/llama3.2

              Without this flag, the settings `models.default` and `models.<pass>` decide; without
              those, nobody is asked.

          --offline
              Ask no model, whatever the configuration says

          --allow-unconfined-program
              Run a program used as a model (codex, claude, command) even where it cannot be confined

              Without Landlock and seccomp such a program is refused: it would act with all your rights
              on text that others may have written to steer it.

          --refresh
              Make the survey and the plan anew

      -a, --all
              Look at hidden files, too

          --no-ignore
              Do not honour .gitignore, .ignore and .luminosignore

      -x, --exclude <NAME>
              Leave out files and directories of this name; can be repeated

          --keep <NAME>
              Look into directories of this name, though they are always left out; can be repeated

          --max-turns <N>
              Plan for no more turns than this for all directories together

          --full
              List every directory, also those that get what all get

          --json
              Print a JSON object with order, rows, total, warnings, left_out and notes

      -q, --quiet
              Show no progress

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
      luminosctl plan .
      luminosctl plan ~/src/x --max-turns 200 --full
      luminosctl plan . --json | jq -r '.rows[] | "\(.turns)  \(.dir)"'

    Exit codes:
        0  done
        1  failed
        2  the command line or the configuration makes no sense
      130  interrupted
    "#);
}

#[test]
fn help_of_estimate() {
    assert_snapshot!(Machine::new().run("estimate --help"), @"
    exit code: 0
    ---- stdout
    Say what an investigation would take: turns, tokens and money

    No model is asked: the directory is scanned and planned for by rule, on this machine. Nobody can
    know how a model will go about it, so that every number is a range, and what it assumes stands
    below. For a model without a known price there are tokens only.

    Usage: luminosctl estimate [OPTIONS] [PATH]

    Arguments:
      [PATH]
              The directory that would be investigated

              [default: .]

    Options:
          --model <NAME>
              Ask this model, such as anthropic/claude-sonnet-5-5 or ollama/llama3.2

              Without this flag, the settings `models.default` and `models.<pass>` decide; without
              those, nobody is asked.

          --offline
              Ask no model, whatever the configuration says

          --allow-unconfined-program
              Run a program used as a model (codex, claude, command) even where it cannot be confined

              Without Landlock and seccomp such a program is refused: it would act with all your rights
              on text that others may have written to steer it.

      -a, --all
              Look at hidden files, too

          --no-ignore
              Do not honour .gitignore, .ignore and .luminosignore

      -x, --exclude <NAME>
              Leave out files and directories of this name; can be repeated

          --keep <NAME>
              Look into directories of this name, though they are always left out; can be repeated

          --max-turns <N>
              Use no more turns than this for all directories together

          --json
              Print a JSON object

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
      luminosctl estimate . --model anthropic/claude-sonnet-5-5
      luminosctl estimate ~/src/x --model ollama/llama3.2 --max-turns 100

    Exit codes:
      0  done
      1  the directory could not be scanned
      2  the command line or the configuration makes no sense
    ");
}

#[test]
fn help_of_list() {
    assert_snapshot!(Machine::new().run("list --help"), @"
    exit code: 0
    ---- stdout
    List all investigations: what they are about, how they stand, what they cost

    The newest stands last. The beginning of an id is enough to name an investigation to other commands;
    so is the path of its target.

    Usage: luminosctl list [OPTIONS]

    Options:
          --json
              Print a JSON array of objects with id, state, target, age_seconds, cost, reserved and
              lost_in_flight

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

    States:
      running, paused       the daemon has it under way
      done, partial         there is a report, of everything or of a part
      planned               there is a plan; `luminosctl run` follows it
      cancelled, interrupted, failed
                            `luminosctl run` on the target goes on where it was

    Exit codes:
      0  done
      1  the state directory could not be read
      2  the command line makes no sense
    ");
}

#[test]
fn help_of_status() {
    assert_snapshot!(Machine::new().run("status -h"), @"
    exit code: 0
    ---- stdout
    Show what is running and how far it is, or how one investigation stands

    Usage: luminosctl status [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path; all that
                       run without it

    Options:
          --json  Print a JSON object
      -h, --help  Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_pause() {
    assert_snapshot!(Machine::new().run("pause -h"), @"
    exit code: 0
    ---- stdout
    Let an investigation that is under way begin nothing new

    Usage: luminosctl pause [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path [default: .]

    Options:
      -h, --help  Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_resume() {
    assert_snapshot!(Machine::new().run("resume -h"), @"
    exit code: 0
    ---- stdout
    Let an investigation go on that was paused, cancelled or interrupted

    Usage: luminosctl resume [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path [default: .]

    Options:
          --max-cost <DOLLARS>        Spend no more than this from now on, in US dollars
          --allow-unconfined-program  Run a program used as a model (codex, claude, command) even where
                                      it cannot be confined
          --baseline <OLD>            Hold the flags against those of OLD, an investigation or a JSON
                                      report
          --fail-on <SEVERITY>        End with code 4 at such a flag or a worse one; critical:new, a new
                                      one
          --format <FORM>             Print the report as text, md, html, json or sarif [default: text]
          --json                      Print the report as JSON: the same as --format json
      -d, --depth <LEVELS>            Show this many levels of directories instead of as many as fit
      -o, --output <FILE>             Write the report into this file instead of printing it
      -q, --quiet                     Show no progress
      -h, --help                      Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_cancel() {
    assert_snapshot!(Machine::new().run("cancel -h"), @"
    exit code: 0
    ---- stdout
    Stop an investigation that is under way; what was found out is kept

    Usage: luminosctl cancel [OPTIONS] [INVESTIGATION]

    Arguments:
      [INVESTIGATION]  The investigation: its id, the beginning of it, or the target's path [default: .]

    Options:
      -h, --help  Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}

#[test]
fn help_of_clean() {
    assert_snapshot!(Machine::new().run("clean --help"), @"
    exit code: 0
    ---- stdout
    Remove investigations with everything that is known of them

    Says what would go; with --yes it goes. An investigation that is under way always stays.

    Usage: luminosctl clean [OPTIONS] [INVESTIGATIONS]...

    Arguments:
      [INVESTIGATIONS]...
              Remove these: ids, beginnings of ids, or paths of targets

    Options:
          --older-than <DAYS>
              Remove those to which nothing has happened for so many days

              With --keep, only those that are old and not among the newest of their target.

          --keep <N>
              Remove all but so many of each target, the newest

          --all
              Remove all

      -y, --yes
              Remove them indeed, instead of saying which

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
      luminosctl clean ~/src/x --yes            forget what is known about a directory
      luminosctl clean --older-than 90 --keep 1 say what is old and was replaced by something newer
      luminosctl clean --all --yes

    Exit codes:
      0  done, or nothing to do
      1  something could not be removed
      2  the command line makes no sense, or there is no such investigation
    ");
}

#[test]
fn help_of_tool() {
    assert_snapshot!(Machine::new().run("tool --help"), @r#"
    exit code: 0
    ---- stdout
    Call a tool by hand as a model would, to see what a model gets to see

    The tool works in a process that is locked in exactly as those are in which models look into
    directories: it can read the target and nothing else, write nothing, and reach no network. What is
    printed is what a model would read.

    Usage: luminosctl tool [OPTIONS] [NAME] [ARGUMENTS]

    Arguments:
      [NAME]
              The tool; --list tells which there are

      [ARGUMENTS]
              What it is given: a JSON object

              [default: {}]

    Options:
          --target <DIR>
              The directory that the tool may see

              [default: .]

          --dir <PATH>
              Call it from this directory of the target: relative paths start there

              [default: ""]

          --include-secrets
              Show files that keep secrets by their names, such as `.env`, private keys and key stores

          --list
              List the tools that models have while they look into a directory

          --json
              With --list, print a JSON array with the schema of each tool's arguments

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
      luminosctl tool --list
      luminosctl tool list_directory --target ~/src/x
      luminosctl tool read_file --target ~/src/x '{"path": "README.md"}'
      luminosctl tool run_command '{"argv": ["wc", "-l", "Cargo.toml"]}'

    Exit codes:
      0  the tool answered
      1  the tool failed, or the process could not be locked in
      2  the command line makes no sense
    "#);
}

#[test]
fn help_of_daemon() {
    assert_snapshot!(Machine::new().run("daemon -h"), @"
    exit code: 0
    ---- stdout
    Start, stop or ask the daemon that does the work

    Usage: luminosctl daemon [OPTIONS] <COMMAND>

    Commands:
      start   Start the daemon, unless it is there
      stop    Stop the daemon; runs that are under way can be resumed
      status  Tell whether the daemon is there and what it does
      help    Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help (see more with '--help')

    Global options:
          --color <WHEN>   When to colour what is printed [possible values: auto, always, never]
          --home <DIR>     Keep investigations, reports and caches in this directory
          --config <FILE>  Read this file instead of the project's luminos.toml
    ");
}
