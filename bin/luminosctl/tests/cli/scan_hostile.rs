//! Targets made by somebody who means harm, and the real program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use luminos_core::Untrusted;

use crate::machine::Machine;
use crate::project::{files, json, report, typical};

/// Names that steer a terminal, hide, or are no text at all.
const NAMES: [&[u8]; 13] = [
    b"new\nline",
    b"return\rtab\t",
    b"\x1b[2Jclear",
    b"\x1b]52;c;cm0gLXJm\x07",
    b"\x1b]8;;http:evil\x1b\\link",
    b"\x9b31m",
    b"\xff\xfe",
    b"\x7f\x08\x08",
    "\u{9b}31m".as_bytes(),
    "\u{202e}gpj.exe".as_bytes(),
    "\u{2066}a\u{200b}b\u{feff}".as_bytes(),
    "\u{e0041}\u{e007f}".as_bytes(),
    b"plain",
];

/// Each name as a file, as a directory, as something left out, and in what files say of themselves.
fn machine_of_names() -> Machine {
    let mut machine = Machine::new();
    let path = |parts: &[&[u8]]| PathBuf::from(OsStr::from_bytes(&parts.concat()));
    for name in NAMES {
        machine = machine
            .with_file(path(&[b"project/files/", name]), b"x")
            .with_file(path(&[b"project/dirs/", name, b"/file.rs"]), b"fn main() {}\n")
            .with_file(path(&[b"project/left-out/", name]), b"x")
            .with_file(path(&[b"project/ignored/", name, b".log"]), b"x")
            .with_file(path(&[b"project/ignored/", name, b"/.gitignore"]), [b"[", name].concat())
            .with_file(path(&[b"project/scripts/script", name]), [b"#!/bin/", name, b"\n"].concat())
            .with_file(
                path(&[b"project/packed/packed", name]),
                [b"\x1f\x8b\x08\x08\0\0\0\0\0\x03", name, b"\0"].concat(),
            );
    }
    let patterns = NAMES.map(|name| [b"left-out/", name, b"\n"].concat()).concat();
    machine.with_file("project/.gitignore", [b"*.log\n", &*patterns].concat())
}

#[test]
fn whatever_files_are_called_the_output_is_inert() {
    let machine = machine_of_names();
    for arguments in
        ["", "--depth 9", "--why-skipped", "--json", "--json --files --why-skipped -a --no-ignore"]
    {
        let run = machine.run(&format!("scan {arguments}"));
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments}");
        let odd =
            run.stdout.chars().find(|&character| character != '\n' && Untrusted::is_treacherous(character));
        assert_eq!(odd, None, "{arguments}: {run}");
    }
}

#[test]
fn a_program_can_find_every_file_by_what_the_report_says() {
    let machine = machine_of_names();
    let report = json(&machine, "--files --no-ignore");
    let all = report["files"].as_array().unwrap();
    assert_eq!(all.len(), NAMES.len() * 6);
    for file in all {
        let bytes = match file["path_hex"].as_str() {
            Some(hex) => from_hex(hex),
            None => file["path"].as_str().unwrap().as_bytes().to_vec(),
        };
        assert_eq!(file["path_hex"].is_string(), std::str::from_utf8(&bytes).is_err());
        let path = machine.project().join(std::ffi::OsString::from_vec(bytes));
        assert_eq!(fs::metadata(&path).unwrap().len(), file["size"].as_u64().unwrap(), "{path:?}");
    }
}

fn from_hex(digits: &str) -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap() as u8;
    digits.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

#[test]
fn what_may_not_be_read_is_a_problem_and_the_rest_is_scanned() {
    let machine = Machine::new()
        .with_file("project/open/file.rs", "fn main() {}\n")
        .with_file("project/closed/file.rs", "fn main() {}\n")
        .with_file("project/listed/file.rs", "fn main() {}\n")
        .with_file("project/secret.rs", "fn main() {}\n");
    let set_mode = |path: &str, mode: u32| {
        fs::set_permissions(machine.project().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode("closed", 0o000);
    set_mode("listed", 0o444);
    set_mode("secret.rs", 0o000);
    let run = |arguments: &str| machine.ended(machine.unprivileged(arguments).output().unwrap());
    let text = run("scan");
    let problems: Vec<&str> = text.stdout.lines().skip_while(|line| !line.starts_with("Problems")).collect();
    assert_snapshot!(problems.join("\n"), @"
    Problems  3
      closed: directory not listed: Permission denied
      listed/file.rs: not read: Permission denied
      secret.rs: not read: Permission denied
    ");
    assert_eq!((text.code, &*text.stderr), (Some(0), ""));
    let report = report(&run("scan --json --files"));
    assert_eq!(files(&report), ["secret.rs", "listed/file.rs", "open/file.rs"]);
    set_mode("closed", 0o755);
    set_mode("listed", 0o755);
}

#[test]
fn configuration_inside_the_target_is_not_obeyed() {
    let evil = "home = '/tmp/evil'\ncolor = 'always'\n[scan]\nexclude = ['src']\ncache = 'no sense'\n";
    let machine = typical();
    let machine = machine.with_file("project/src/luminos.toml", evil);
    let elsewhere = machine.run("scan");
    let in_src = |arguments: &[&str]| {
        let mut command = machine.command(arguments);
        machine.ended(command.current_dir(machine.project().join("src")).output().unwrap())
    };
    let inside = in_src(&["scan", ".."]);
    assert_eq!((inside.code, inside.stdout), (Some(0), elsewhere.stdout));
    assert_snapshot!(inside.stderr, @"warning: `[ROOT]/home/project/src/luminos.toml` lies inside the target and is not read (hint: to use it, name it with `--config`)");
    assert_snapshot!(in_src(&["scan", "../web"]), @r#"
    exit code: 2
    ---- stderr
    error: `luminos.toml` line 5: `scan.cache` cannot be "no sense" (hint: expected true or false)

    hint: `luminosctl config path` names the files that are read
    "#);
}

/// Everything that a write would change.
fn state_of(dir: &Path) -> BTreeMap<PathBuf, (u64, u32, i64, i64, i64, i64)> {
    let mut found = BTreeMap::new();
    let mut left = vec![dir.to_owned()];
    while let Some(path) = left.pop() {
        let stat = fs::symlink_metadata(&path).unwrap();
        if stat.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let times = (stat.mtime(), stat.mtime_nsec(), stat.ctime(), stat.ctime_nsec());
        found.insert(path, (stat.size(), stat.mode(), times.0, times.1, times.2, times.3));
    }
    found
}

#[test]
fn nothing_is_written_into_the_target() {
    let machine = typical();
    let before = state_of(&machine.project());
    for arguments in
        ["", "", "--json --files", "-a --no-ignore --keep node_modules --why-skipped", "--no-cache"]
    {
        assert_eq!(machine.run(&format!("scan {arguments}")).code, Some(0));
    }
    assert_eq!(state_of(&machine.project()), before);
}
