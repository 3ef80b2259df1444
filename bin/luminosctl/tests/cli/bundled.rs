//! Bundles: everything for a bug report, and nothing that is nobody's business.

use std::fs;

use luminos_model_server::Policy;
use serde_json::Value;

use crate::machine::{Run, finish};
use crate::site::{PATIENCE, Site, project};

/// Secrets of known forms, which must not be in a bundle in any.
const CANARIES: [&str; 3] =
    ["AKIAQ3EXAMPLEZ7CANRY", "ghp_c4naryC4NARYc4naryC4NARYc4naryC4NARY", "hunter2-Zq8xW3vLp0Rt5Ym"];

#[track_caller]
fn ctl(site: &Site, arguments: &str) -> Run {
    site.machine.ended(finish(&mut site.command(arguments), PATIENCE))
}

fn site() -> Site {
    let [aws, github, password] = CANARIES;
    let machine = project()
        .with_file("project/src/keys.py", format!("KEY = \"{aws}\"\npassword = \"{password}\"\n"))
        .with_file("project/docs/notes.md", format!("The token is {github} today.\nRead it twice.\n"));
    Site::new(machine, Policy::default())
}

#[track_caller]
fn holds_no_canary(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for canary in CANARIES {
        assert!(!text.contains(canary), "{canary} is in the bundle");
        assert!(!text.contains(&canary[4..]), "a part of {canary} is in the bundle");
    }
}

#[test]
fn a_bundle_holds_no_secret_and_no_content_beyond_what_is_quoted() {
    let site = site();
    site.done(".");
    let packed = ctl(&site, "bundle . -o ../bug.tar");
    assert_eq!(packed.code, Some(0), "{packed}");
    for name in ["bundle.json", "report.json", "meta.json", "plan.json", "budget.jsonl", "turns.jsonl"] {
        assert!(packed.stdout.contains(name), "{name}: {packed}");
    }
    assert!(packed.stdout.contains("look into it before you send it"), "{packed}");
    let bytes = fs::read(site.machine.project().join("../bug.tar")).unwrap();
    holds_no_canary(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("pub fn run() {}"), "what was shown and is not quoted stays here");
    let home = site.machine.home().to_str().unwrap().to_owned();
    assert!(!text.contains(&home), "the home directory has another name");
    assert!(!text.contains("key-of-a-test"));

    let with = ctl(&site, "bundle . --with-transcripts -o ../more.tar");
    assert_eq!(with.code, Some(0), "{with}");
    assert!(!with.stdout.contains("nothing in it looked like a secret"), "{with}");
    let more = fs::read(site.machine.project().join("../more.tar")).unwrap();
    holds_no_canary(&more);
    assert!(String::from_utf8_lossy(&more).contains("pub fn run() {}"));

    // A quote without its secret is proved by the hash of the true one.
    let report = String::from_utf8_lossy(&bytes);
    assert!(report.contains("[redacted aws-key]") && report.contains("quote_sha256"), "{report}");
    for arguments in ["verify .", "verify ../bug.tar --tree ."] {
        let verified = ctl(&site, arguments);
        assert_eq!(verified.code, Some(0), "{arguments}: {verified}");
    }
    let keys = site.machine.project().join("src/keys.py");
    let forged = fs::read_to_string(&keys).unwrap().replace(CANARIES[0], "AKIAQ3EXAMPLEZ7CANRZ");
    site.machine.write("project/src/keys.py", forged);
    let verified = ctl(&site, "verify ../bug.tar --tree .");
    assert!(verified.code != Some(0), "another key is not the one that was flagged: {verified}");
}

#[test]
fn the_report_in_a_bundle_can_be_shown_compared_and_verified() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    assert_eq!(ctl(&site, "bundle . -o ../bug.tar").code, Some(0));
    let shown = ctl(&site, "show ../bug.tar --json");
    assert_eq!(shown.code, Some(0), "{shown}");
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(shown["brief"], site.report()["brief"]);
    let verified = ctl(&site, "verify ../bug.tar --tree .");
    assert_eq!(verified.code, Some(0), "{verified}");
    let compared = ctl(&site, "diff ../bug.tar .");
    assert_eq!(compared.code, Some(0), "{compared}");
    // Every machine can look into it.
    #[expect(clippy::disallowed_methods, reason = "tar is what everybody has")]
    let listed = std::process::Command::new("tar")
        .arg("tf")
        .arg(site.machine.project().join("../bug.tar"))
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert!(String::from_utf8_lossy(&listed.stdout).lines().any(|name| name == "report.json"));
    let wrong = ctl(&site, "show ../luminosctl");
    assert_eq!(wrong.code, Some(2), "{wrong}");
}
