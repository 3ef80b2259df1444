//! A second run on the same target: only what changed is asked about again.

use std::collections::BTreeSet;

use luminos_model_server::Policy;

use crate::site::{Site, project};

#[test]
fn nothing_changed_and_nobody_is_asked() {
    let site = Site::new(project(), Policy::default());
    let first = site.done(".");
    let asked = site.server.counters().requests;
    let second = site.done(".");
    assert_eq!(site.server.counters().requests, asked, "{second}");
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(site.investigations().len(), 1);
    // Neither does a daemon that knows nothing but what is stored.
    site.kill_daemon();
    let third = site.done(".");
    assert_eq!(site.server.counters().requests, asked, "{third}");
    assert_eq!(first.stdout, third.stdout);
}

/// The directories that were asked about since, and the other passes.
fn since(site: &Site, requests: usize) -> BTreeSet<String> {
    let asked = site.asked().into_iter().skip(requests);
    asked.map(|asked| if asked.pass == "dir" { asked.dir } else { asked.pass.to_owned() }).collect()
}

#[test]
fn one_changed_file_concerns_its_directory_and_those_above_that_see_the_difference() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    // Another file: the summary counts files, so it changes, and so does what stands above.
    site.machine.write("project/src/parser/numbers.rs", "pub struct Number(u64);\n");
    site.done(".");
    assert_eq!(since(&site, before), ["src/parser", "src", "synthesis"].map(str::to_owned).into());
    assert_eq!(site.investigations().len(), 1);
    assert!(site.entry("src/parser")["summary"].as_str().unwrap().contains("3 files"));
}

#[test]
fn a_directory_that_comes_out_the_same_disturbs_nobody_above() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    // The first line, which is what the model quotes, and the number of files stay the same.
    site.machine.write("project/tests/all.rs", "#[test]\nfn it_runs_well() {}\n");
    site.done(".");
    assert_eq!(since(&site, before), ["tests", "synthesis"].map(str::to_owned).into());
}

#[test]
fn a_fresh_run_asks_about_everything_again() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let first = site.asked().len();
    site.done("--fresh .");
    assert_eq!(site.asked().len(), 2 * first);
    assert_eq!(site.investigations().len(), 2);
}

#[test]
fn a_plan_can_be_made_anew() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let before = site.asked().len();
    site.done("--refresh-plan .");
    assert_eq!(since(&site, before), ["survey", "plan"].map(str::to_owned).into());
}
