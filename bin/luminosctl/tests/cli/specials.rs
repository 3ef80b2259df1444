//! Pipes, sockets and devices lie wherever a command looks, under the names that it looks for. None is opened: whoever opened
//! one would wait for ever, and each of these commands comes to its end.

use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, makedev, mkfifoat, mknodat};

use crate::machine::{Machine, Run, finish};
use crate::site::PATIENCE;

/// Names that a command may look for in a target.
const NAMES: &[&str] = &[
    "pipe",
    "src/pipe.py",
    "README.rst",
    "LICENSE",
    "Makefile",
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "go.mod",
    "setup.py",
    "requirement.md",
    "CODEOWNERS",
    "AGENTS.md",
    "metrics.csv",
    "docs/requirement.md",
    "src/.gitignore",
    ".gitignore",
    ".gitmodules",
    ".gitattributes",
    ".mailmap",
    ".env.example",
    ".luminosignore",
    ".github/CODEOWNERS",
    ".github/workflows/ci.yml",
    ".luminos/verify.contract.json",
    ".luminos/policy-recovery.json",
    ".luminos/planner-init-allowed-paths.txt",
];

const WISH: &str = "# Goal\nNumbers are multiplied, too.\n";

fn pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = rustix::fs::unlink(path);
    mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
}

fn machine() -> Machine {
    let machine = Machine::new()
        .with_file("project/README.md", "# Adder\n\nAdds numbers.\n")
        .with_file("project/src/main.py", "def add(a, b):\n    return a + b\n")
        .with_file("wish.md", WISH);
    for name in NAMES {
        pipe(&machine.project().join(name));
    }
    let _socket = UnixListener::bind(machine.project().join("socket.py")).unwrap();
    // Only root may make devices; for others there are none.
    for (name, numbers) in [("zero", (1, 5)), ("src/full.py", (1, 7))] {
        let path = machine.project().join(name);
        let _ = mknodat(CWD, path, FileType::CharacterDevice, Mode::RUSR, makedev(numbers.0, numbers.1));
    }
    machine
}

#[track_caller]
fn ends(machine: &Machine, arguments: &[&str]) -> Run {
    machine.ended(finish(&mut machine.command(arguments), PATIENCE))
}

#[test]
fn whatever_reads_a_target_opens_none_of_them() {
    let machine = machine();
    for (words, code) in [
        ("scan .", 0),
        ("run . --offline --quiet", 0),
        ("show .", 0),
        ("flags .", 0),
        ("coverage .", 0),
        ("verify .", 0),
        ("plan .", 0),
        ("estimate .", 0),
        ("bundle . -o ../bundle.tar", 0),
        ("export agents-md .", 0),
        ("config show", 0),
        ("tasks list", 0),
        ("tasks plan ../wish.md --no-model --quiet", 3),
        ("tasks research --later What-is-it?", 0),
        ("tasks events", 0),
    ] {
        let run = ends(&machine, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(code), "{words}: {run}");
    }
    let report = ends(&machine, &["show", ".", "--format", "json"]);
    assert!(!report.stdout.contains("Stale file handle"), "{report}");
}

/// What a user names is opened, if it is a file.
#[test]
fn a_pipe_in_the_place_of_a_named_file_is_told() {
    let machine = machine();
    assert_eq!(ends(&machine, &["run", ".", "--offline", "--quiet"]).code, Some(0));
    for words in [
        "tasks plan requirement.md --no-model",
        "export agents-md . -o AGENTS.md",
        "show . --config pipe",
        "scan . --config zero",
    ] {
        let run = ends(&machine, &words.split(' ').collect::<Vec<_>>());
        assert!(matches!(run.code, Some(1 | 2)), "{words}: {run}");
        assert!(run.stderr.contains("it is not a regular file"), "{words}: {run}");
    }
    // A user's settings name files, too.
    machine.write("elsewhere/README.md", "# Elsewhere\n");
    machine.write(".config/luminos/config.toml", "[models]\nconfig = \"../../project/pipe\"\n");
    for words in ["models", "ask What-is-it? --model ollama/none", "estimate ../project --model ollama/none"]
    {
        let mut command = machine.command(&words.split(' ').collect::<Vec<_>>());
        command.current_dir(machine.home().join("elsewhere"));
        let run = machine.ended(finish(&mut command, PATIENCE));
        assert!(matches!(run.code, Some(1 | 2)), "{words}: {run}");
        assert!(run.stderr.contains("it is not a regular file"), "{words}: {run}");
    }
    machine.write(".config/luminos/config.toml", "");
    for words in ["show pipe", "verify pipe", "diff pipe pipe", "scan pipe", "run pipe --offline"] {
        let run = ends(&machine, &words.split(' ').collect::<Vec<_>>());
        assert!(matches!(run.code, Some(1 | 2)), "{words}: {run}");
    }
    let passed = "$CTL tasks plan /dev/stdin --no-model --quiet --dry-run < ../wish.md";
    let run = machine.ended(finish(&mut machine.shell(passed), PATIENCE));
    assert_eq!(run.code, Some(3), "{run}");
}

/// Git's own files are opened by whoever asks about history.
#[test]
fn a_repository_of_pipes_is_told() {
    for place in ["HEAD", "config", "packed-refs", "refs/heads/main", "objects/info/alternates"] {
        let machine = Machine::new().with_file("project/README.md", "# Adder\n").with_file("wish.md", WISH);
        let git = "rm -r .git && git init -q -b main . && git add README.md && git -c user.name=A -c user.email=a@b commit -q -m Begin";
        assert!(machine.shell(git).status().unwrap().success());
        pipe(&machine.project().join(".git").join(place));
        for words in ["evolve plan --goal Faster", "evolve evaluate -- true"] {
            let run = ends(&machine, &words.split(' ').collect::<Vec<_>>());
            assert!(run.code != Some(0) && run.stderr.contains("is a pipe"), "{place}: {words}: {run}");
        }
        for words in ["run . --offline --quiet", "tasks plan ../wish.md --no-model --quiet", "tasks list"] {
            let run = ends(&machine, &words.split(' ').collect::<Vec<_>>());
            assert!(matches!(run.code, Some(0 | 3)), "{place}: {words}: {run}");
        }
    }
}

#[test]
fn no_program_of_a_model_is_given_one() {
    let machine = machine();
    std::os::unix::fs::symlink("pipe", machine.project().join("to-pipe")).unwrap();
    for argv in [
        r#"["head", "pipe"]"#,
        r#"["tail", "-n", "3", "README.md", "pipe"]"#,
        r#"["wc", "-l", "src/pipe.py"]"#,
        r#"["grep", "", "to-pipe"]"#,
        r#"["sort", "socket.py"]"#,
        r#"["uniq", "./pipe"]"#,
    ] {
        let run = ends(&machine, &["tool", "run_command", &format!(r#"{{"argv": {argv}}}"#)]);
        assert!(
            run.code == Some(1) && run.stdout.contains("no regular file, and is never opened"),
            "{argv}: {run}"
        );
    }
    for tool in ["read_file", "parse_structure"] {
        let run = ends(&machine, &["tool", tool, r#"{"path": "pipe"}"#]);
        assert!(run.code == Some(1) && run.stdout.contains("never opened"), "{tool}: {run}");
    }
    for (tool, arguments) in [
        ("search", r#"{"pattern": "add"}"#),
        ("list_directory", "{}"),
        ("run_command", r#"{"argv": ["grep", "-rn", "add", "."]}"#),
        ("run_command", r#"{"argv": ["file", "pipe", "socket.py"]}"#),
        ("run_command", r#"{"argv": ["stat", "pipe"]}"#),
        ("run_command", r#"{"argv": ["find", ".", "-type", "p"]}"#),
    ] {
        let run = ends(&machine, &["tool", tool, arguments]);
        assert_eq!(run.code, Some(0), "{tool} {arguments}: {run}");
    }
}
