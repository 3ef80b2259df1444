//! The box itself: a program of the user's own that does its worst, and says what it got.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::faults::not_tested;
use crate::machine::{Machine, Run, finish};
use crate::site::{PATIENCE, until};

const KEY: &str = "CANARY-own-key-42";

/// A machine whose user has a program as a model. It is a script that gets this far.
fn machine(script: &str, settings: &str) -> Machine {
    let machine = Machine::new()
        .with_file("bin/agent", format!("#!/bin/sh\nasked=$(cat)\n{script}\n"))
        .with_file(".config/luminos/config.toml", format!("[models]\ncommand = ['agent']\n{settings}\n"))
        .with_file(".ssh/id", format!("{KEY}\n"))
        .with_file("project/README.md", "CANARY-target\n");
    fs::set_permissions(machine.home().join("bin/agent"), fs::Permissions::from_mode(0o755)).unwrap();
    machine
}

fn ask_command(machine: &Machine, arguments: &[&str]) -> Command {
    let mut command = machine.command(&[&["ask", "--model", "command", "Hello?"], arguments].concat());
    command.env("PATH", format!("{}:/usr/bin:/bin", machine.home().join("bin").display()));
    command
}

fn ask(machine: &Machine, arguments: &[&str]) -> Run {
    machine.ended(finish(&mut ask_command(machine, arguments), PATIENCE))
}

#[test]
fn v63_a_boxed_program_sees_no_file_of_the_user_or_the_target() {
    let machine = machine(
        "cat $HOME/.ssh/id $HOME/project/README.md $HOME/.config/luminos/config.toml /etc/shadow
ls $HOME; ls $HOME/project; ls /tmp; ls /proc
echo x > $HOME/new; echo x >> $HOME/project/README.md; echo x > /tmp/new-of-a-box; mkdir $HOME/project/new
chmod 777 $HOME/.ssh/id; chmod 777 $HOME; touch -d 2001-01-01 $HOME/project/README.md; ln $HOME/.ssh/id $TMPDIR/id
echo private > $TMPDIR/file && cat $TMPDIR/file
ls -A | wc -l
echo \"$asked\"",
        "",
    );
    let before = fs::metadata(machine.project().join("README.md")).unwrap().modified().unwrap();
    let asked = ask(&machine, &[]);
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "private\n0\nHello?\n"), "{asked}");
    let readme = machine.project().join("README.md");
    assert_eq!(fs::read_to_string(&readme).unwrap(), "CANARY-target\n");
    assert_eq!(fs::metadata(&readme).unwrap().modified().unwrap(), before);
    for path in [machine.home().join(".ssh/id"), machine.home()] {
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o777, "{path:?}");
    }
    assert!(!machine.home().join("new").exists() && !Path::new("/tmp/new-of-a-box").exists());
}

#[test]
fn what_a_user_adds_can_be_read_and_nothing_beside_it() {
    let script = "cat $HOME/cloud/config $HOME/.ssh/id; echo end";
    let machine = machine(script, "program-read = ['~/cloud']").with_file("cloud/config", "region\n");
    assert_eq!(ask(&machine, &[]).stdout, "region\nend\n");
}

#[test]
fn a_users_own_program_may_be_let_out_of_the_box_by_the_user_alone() {
    let machine = machine("cat $HOME/.ssh/id", "command-box = false");
    assert_eq!(ask(&machine, &[]).stdout, format!("{KEY}\n"));
    let config = machine.home().join(".config/luminos/config.toml");
    let own = fs::read_to_string(config).unwrap().replace("command-box = false", "");
    machine.write(".config/luminos/config.toml", own);
    for (setting, why) in [
        ("command-box = false", "`models.command-box` is not obeyed: whether programs are confined"),
        (
            "allow-unconfined-program = true",
            "`models.allow-unconfined-program` is not obeyed: whether programs are confined",
        ),
        ("program-read = ['~/.ssh']", "`models.program-read` is not obeyed: what programs may read"),
    ] {
        machine.write("project/luminos.toml", format!("[models]\n{setting}\n"));
        let asked = ask(&machine, &[]);
        assert!(asked.stderr.contains(why) && !asked.stdout.contains(KEY), "{asked}");
    }
}

/// The daemon runs already, and was started without them.
#[test]
fn programs_get_what_the_users_variables_say_about_the_network_from_ask_and_from_run() {
    let machine = machine("env > $HOME/seen; echo Fine.", "command-box = false");
    assert_eq!(machine.run("daemon start").code, Some(0));
    machine.write("certificates.pem", include_bytes!("../reached/ca.pem"));
    let variables = [
        ("HTTPS_PROXY", "http://proxy.test:3128"),
        ("NO_PROXY", "localhost,.test"),
        ("SSL_CERT_FILE", "../certificates.pem"),
        ("CODEX_HOME", "/srv/codex"),
        ("CLAUDE_CONFIG_DIR", "/srv/claude"),
        ("SECRET_OF_THE_SHELL", "x"),
    ];
    let path = format!("{}:/usr/bin:/bin", machine.home().join("bin").display());
    for arguments in [&["ask", "--model", "command", "Hello?"][..], &["run", "--model", "command", "."]] {
        let mut command = machine.command(arguments);
        machine.ended(finish(command.env("PATH", &path).envs(variables), PATIENCE));
        let seen = fs::read_to_string(machine.home().join("seen")).unwrap();
        let seen: Vec<&str> = seen.lines().collect();
        for (name, value) in &variables[..5] {
            // It stands elsewhere than its user.
            let file = format!("{}/../certificates.pem", machine.project().display());
            let value = if *name == "SSL_CERT_FILE" { &*file } else { value };
            assert!(seen.contains(&&*format!("{name}={value}")), "{arguments:?} {name}: {seen:?}");
        }
        assert!(!seen.iter().any(|line| line.starts_with("SECRET_OF_THE_SHELL")), "{seen:?}");
        machine.write("seen", "");
    }
}

/// Sockets of this machine: agents of keys, containers, and our own daemon.
#[test]
fn a_boxed_program_reaches_no_socket_of_this_machine() {
    let script = "python3 - <<'END'
import socket, os
for family, address in ((socket.AF_UNIX, os.environ['HOME'] + '/agent.sock'), (socket.AF_UNIX, '\\0luminos-test-abstract')):
    try:
        s = socket.socket(family, socket.SOCK_STREAM); s.connect(address); print('reached', address)
    except OSError as error:
        print('refused')
try:
    s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print('listens')
except OSError as error:
    print('no listening')
END";
    if !Path::new("/usr/bin/python3").exists() {
        return not_tested("python3 is missing");
    }
    let machine = machine(script, "");
    let listener = UnixListener::bind(machine.home().join("agent.sock")).unwrap();
    thread::spawn(move || listener.accept());
    assert_eq!(ask(&machine, &[]).stdout, "refused\nrefused\nno listening\n");
}

/// Numbers of processes with this word on their command line.
pub(crate) fn processes_with(word: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let with_word = entries.filter(|path| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        let is_zombie = fs::read_to_string(path.join("stat")).is_ok_and(|stat| stat.contains(") Z "));
        !is_zombie && line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())
    });
    with_word.map(|path| path.display().to_string()).collect()
}

#[test]
fn v65_nothing_survives_a_program_that_puts_itself_into_the_background() {
    let machine =
        machine("setsid sh -c 'setsid sleep 86301 & sleep 86301' & (sleep 86301 &) ; echo done", "");
    assert_eq!(ask(&machine, &[]).stdout, "done\n");
    until(|| processes_with("86301").is_empty());
}

#[test]
fn v65_a_program_that_hangs_is_ended_in_time_with_all_that_it_started() {
    let script = "setsid sleep 86302 & trap '' TERM INT HUP; sleep 86302; echo late";
    let machine = machine(script, "total-timeout = '2 s'");
    let asked = ask(&machine, &[]);
    assert_eq!(asked.code, Some(1), "{asked}");
    assert!(asked.stderr.contains("the program `agent` took too long and was ended"), "{asked}");
    until(|| processes_with("86302").is_empty());
}

#[test]
fn nothing_survives_whoever_asked() {
    let machine = machine("setsid sleep 86303 & sleep 86303", "");
    let mut asking = ask_command(&machine, &[]).spawn().unwrap();
    until(|| 2 <= processes_with("86303").len());
    asking.kill().unwrap();
    asking.wait().unwrap();
    until(|| processes_with("86303").is_empty());
}

/// Without process namespaces the keeper adopts what is left behind.
#[test]
fn nothing_survives_where_there_are_no_process_namespaces() {
    let machine =
        machine("setsid sh -c 'setsid sleep 86304 & sleep 86304' & (sleep 86304 &) ; echo done", "");
    let Some(asked) = without(&machine, "unshare", &[]) else { return };
    assert_eq!(asked.stdout, "done\n", "{asked}");
    until(|| processes_with("86304").is_empty());
}

/// What comes of a question where a system call does not exist.
fn without(machine: &Machine, call: &str, arguments: &[&str]) -> Option<Run> {
    let plain = ask_command(machine, arguments);
    let mut traced = machine.shell("exec \"$@\"");
    traced.args(["sh", "strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none"]);
    traced.args(["-e", &format!("inject={call}:error=ENOSYS"), "-e", &format!("trace={call}")]);
    traced.arg(plain.get_program()).args(plain.get_args());
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", machine.home().join("bin").display());
    let ended = machine.ended(finish(traced.env("PATH", path), PATIENCE));
    if ended.code == Some(127) {
        not_tested("strace is missing, or it may not be used (`apt-get install strace`)");
        return None;
    }
    Some(ended)
}

#[test]
fn without_landlock_a_program_is_refused_unless_the_user_says_otherwise() {
    let machine = machine("cat $HOME/.ssh/id", "");
    let Some(refused) = without(&machine, "landlock_create_ruleset", &[]) else { return };
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(refused.stderr.contains("the program `command` cannot be confined here"), "{refused}");
    assert!(refused.stderr.contains("--allow-unconfined-program"), "{refused}");
    assert!(!refused.stdout.contains(KEY), "{refused}");
    let allowed = without(&machine, "landlock_create_ruleset", &["--allow-unconfined-program"]).unwrap();
    assert_eq!(allowed.stdout, format!("{KEY}\n"), "{allowed}");
}
