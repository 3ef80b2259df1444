//! `luminosctl scan`: what a person sees.

use std::fs::File;
use std::io;

use insta::assert_snapshot;

use crate::machine::Machine;
use crate::project::{broken_header, typical};

#[test]
fn a_typical_project() {
    assert_snapshot!(broken_header(&typical().run("scan")), @"
    exit code: 0
    ---- stdout
    [ROOT]/home/project
    9 files · 6 directories · 305 B · 1 symlink · 0ba73df0

    project/
    ├── Cargo.toml  41 B
    ├── README.md  21 B
    ├── data/
    │   └── names.csv  9 B
    ├── index  16 B
    ├── latest  (symlink)
    ├── logo.png  33 B
    ├── src/
    │   ├── greet/
    │   │   └── words.rs  33 B
    │   └── main.rs  55 B
    ├── tools/
    │   └── run  35 B
    └── web/
        └── index.html  62 B

    Categories
      source    4  ███████████▌                 44.4%      185 B
      data      2  █████▊                       22.2%       25 B
      config    1  ██▉                          11.1%       41 B
      document  1  ██▉                          11.1%       21 B
      media     1  ██▉                          11.1%       33 B

    Languages         files     code  comment    blank
      Rust                2        5        1        1
      HTML                1        4        1        0
      └ JavaScript        1        1        0        0
      TOML                1        3        0        1
      Shell               1        1        2        0
      Markdown            1        0        2        1
      all                 6       14        6        3

    Last modified  UTC
      2026-11-16 04:00  src/main.rs
      2026-11-16 03:59  src/greet/words.rs
      2026-11-16 03:58  Cargo.toml
      2026-11-16 03:57  README.md
      2026-11-16 03:56  web/index.html
      2026-11-16 03:55  tools/run
      2026-11-16 03:54  data/names.csv
      2026-11-16 03:53  logo.png
      2026-11-16 03:52  index

    Largest directories  of 305 B
           88 B   28.9%  ███████▌                    src/
           62 B   20.3%  █████▎                      web/
           35 B   11.5%  ██▉                         tools/
           33 B   10.8%  ██▊                         src/greet/
            9 B    3.0%  ▊                           data/

    Files their names do not explain
      1  POSIX shell script, ASCII text executable
      1  SQLite 3.x database

    Left out  7 paths; --why-skipped lists each with its rule
      2  by ignore files (--no-ignore looks at them)
      2  hidden (-a looks at them)
      3  always left out, like .git or node_modules
    ");
}

#[test]
fn the_same_project_by_its_path() {
    let machine = typical();
    let here = machine.run("scan");
    assert_eq!(machine.run("scan ../project").stdout, here.stdout);
    let path = machine.project();
    let output = machine.command(&["scan", path.to_str().unwrap()]).current_dir("/").output().unwrap();
    assert_eq!(machine.ended(output).stdout, here.stdout);
}

#[test]
fn why_paths_were_left_out() {
    assert_snapshot!(typical().run("scan --why-skipped -x data -x *.png"), @"
    exit code: 0
    ---- stdout
    9 paths left out

    hidden (-a shows hidden files)  2
      .editorconfig
      .gitignore

    always left out (--keep NAME looks inside)  2
      .git
      node_modules

    Cargo's build output (--keep target looks inside)  1
      target

    --exclude *.png  1
      logo.png

    --exclude data  1
      data

    .gitignore: *.log  1
      debug.log

    .gitignore: /out  1
      out
    ");
}

#[test]
fn nothing_to_see() {
    let machine = Machine::new();
    assert_snapshot!(broken_header(&machine.run("scan")), @"
    exit code: 0
    ---- stdout
    [ROOT]/home/project
    0 files · 1 directory · 0 B · 9ea92a7b

    project/
    (all of it was left out)

    Left out  1 path; --why-skipped lists each with its rule
      1  always left out, like .git or node_modules
    ");
    assert_snapshot!(machine.run("scan --keep .git -a --why-skipped"), @"
    exit code: 0
    ---- stdout
    Nothing was left out.
    ");
}

/// A reader should not have to scroll past the tree.
#[test]
fn a_long_tree_is_shortened_unless_its_depth_was_asked_for() {
    let mut machine = Machine::new();
    for number in 0..200 {
        machine = machine.with_file(format!("project/d{}/f{number}", number % 20), "");
    }
    let tree_of = |variables: &[(&str, &str)], arguments: &str| -> Vec<String> {
        let run = machine.run_with(variables, arguments);
        run.stdout
            .lines()
            .skip_while(|line| *line != "project/")
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let tree = tree_of(&[], "scan");
    assert!(tree.len() < 70, "{tree:#?}");
    assert_snapshot!(tree.last().unwrap(), @"(shortened: --depth 3 shows more of it)");
    assert_eq!(tree_of(&[], "scan --depth 2").len(), 221);
    assert_eq!(tree_of(&[("LUMINOS_SCAN_DEPTH", "2")], "scan").len(), 221);
    assert_eq!(tree_of(&[], "scan --depth 1").len(), 21);
}

#[test]
fn colours_are_for_who_asks_for_them() {
    let machine = typical();
    let has_colours = |variables: &[(&str, &str)], arguments: &str| {
        let run = machine.run_with(variables, arguments);
        assert_eq!((run.code, &*run.stderr), (Some(0), ""));
        run.stdout.contains('\x1b')
    };
    let terminal = ("TERM", "xterm-256color");
    for command in ["scan", "scan --why-skipped"] {
        assert!(!has_colours(&[terminal], command));
        assert!(has_colours(&[terminal], &format!("{command} --color always")));
        assert!(!has_colours(&[terminal, ("NO_COLOR", "1")], command));
        assert!(!has_colours(&[terminal, ("LUMINOS_COLOR", "always")], &format!("{command} --color never")));
    }
    assert!(!has_colours(&[terminal], "scan --json --color always"));
}

#[test]
fn colours_change_nothing_else() {
    let machine = typical();
    let mut coloured = machine.run("scan --color always").stdout;
    while let Some(start) = coloured.find('\x1b') {
        let end = start + coloured[start..].find('m').unwrap();
        coloured.replace_range(start..=end, "");
    }
    assert_eq!(coloured, machine.run("scan").stdout);
}

#[test]
fn a_terminal_gets_colours_and_its_width() {
    let machine = typical();
    let on_terminal = |width: u32, variables: &str| {
        let script = format!("script -qec 'stty cols {width} rows 24; {variables} $CTL scan' /dev/null");
        let run = machine.ended(machine.shell(&script).env("TERM", "xterm").output().unwrap());
        assert_eq!(run.code, Some(0), "{run}");
        run.stdout
    };
    assert!(on_terminal(80, "").contains("\x1b["));
    assert!(!on_terminal(80, "NO_COLOR=1").contains('\x1b'));
    let width_of_bars = |width: u32| {
        let report = on_terminal(width, "NO_COLOR=1");
        report.lines().find(|line| line.starts_with("  source ")).unwrap().trim_end().chars().count()
    };
    assert!(width_of_bars(60) < width_of_bars(80));
}

#[test]
fn who_has_seen_enough_ends_the_scan_quietly() {
    let machine = typical();
    for arguments in ["scan", "scan --why-skipped", "scan --json --files"] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let run = machine.ended(machine.command(&arguments).stdout(writer).output().unwrap());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments:?}");
    }
    let mut shell = machine.shell("{ $CTL scan --json --files; echo $? >&2; } | head -c 10");
    let run = machine.ended(shell.output().unwrap());
    assert_eq!((&*run.stdout, &*run.stderr), ("{\"schema\":", "0\n"));
}

#[test]
fn a_full_disk_is_a_failure() {
    let machine = typical();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let run = machine.ended(machine.command(&["scan"]).stdout(full()).output().unwrap());
    assert_snapshot!(run, @"
    exit code: 1
    ---- stderr
    error: cannot write to standard output
      because: No space left on device (os error 28)
    ");
    let json = machine.ended(machine.command(&["scan", "--json"]).stdout(full()).output().unwrap());
    assert_eq!((json.code, json.stderr), (run.code, run.stderr));
}
