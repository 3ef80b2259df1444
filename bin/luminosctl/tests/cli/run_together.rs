//! Several runs, several clients.

use std::io::{BufRead as _, BufReader};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};

use crate::site::{Site, project};

/// The first question about this directory waits at the gate.
fn held(dir: &str, gate: &Gate) -> Script {
    let loops = Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"));
    Script::new().when(loops, [Answer::policy().behind(gate)]).otherwise(Policy::default())
}

#[test]
fn two_targets_at_once_share_one_daemon() {
    let gate = Gate::shut();
    let machine = project()
        .with_file("other/README.md", "# Other\n")
        .with_file("other/lib/a.rs", "pub fn a() {}\n")
        .with_file("other/lib/b.rs", "pub fn b() {}\n")
        .with_file("other/bin/c.rs", "fn main() {}\n")
        .with_file("other/bin/d.rs", "fn main() {}\n");
    let loops = |dir: &str| Matcher::any().offering("read_file").containing(&format!(r"directory: {dir}\n"));
    let script = Script::new()
        .when(loops("src/parser"), [Answer::policy().behind(&gate)])
        .when(loops("lib"), [Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let site = Site::new(machine, script);
    let first = site.start(".");
    let second = site.start("../other");
    site.until_asked(&[("src/parser", 1), ("lib", 1)]);
    assert_eq!(site.processes("serve").len(), 1);
    gate.open();
    let (first, second) = (site.wait(first), site.wait(second));
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first}\n{second}\n{}", site.log());
    assert!(first.stdout.contains("5 entries were looked at"), "{first}");
    assert!(second.stdout.contains("3 entries were looked at"), "{second}");
    assert_eq!(site.investigations().len(), 2);
}

#[test]
fn a_second_client_joins_a_run_that_is_under_way() {
    let gate = Gate::shut();
    let site = Site::new(project(), held("src", &gate));
    let first = site.start(".");
    site.until_asked(&[("src", 1)]);
    let mut second = site.start(".");
    let mut words = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("joining that run") {
        line.clear();
        assert_ne!(words.read_line(&mut line).unwrap(), 0, "it never joined");
    }
    gate.open();
    // What it says on the way must go somewhere.
    let rest = std::thread::spawn(move || words.lines().map_while(Result::ok).count());
    let (first, second) = (site.wait(first), site.wait(second));
    rest.join().unwrap();
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first}\n{second}");
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(site.dir_turns().len(), 20);
}
