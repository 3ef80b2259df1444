//! V17: other file systems inside the target.

use serde_json::Value;

use crate::machine::Machine;
use crate::project::{files, report};

/// Runs a line of shell that may mount what it likes, and be seen by nobody else. Nothing where the machine
/// forbids that.
fn with_mounts(machine: &Machine, script: &str) -> Option<Value> {
    let unshare = "unshare --user --map-root-user --mount sh -c";
    let probe = format!("{unshare} 'mount -t tmpfs none mnt && mount --rbind /proc proc'");
    let output = machine.shell(&probe).output().unwrap();
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        eprintln!("not tested, for this machine forbids mounts: {}", reason.trim_end());
        return None;
    }
    let output = machine.shell(&format!("{unshare} '{script}'")).output().unwrap();
    Some(report(&machine.ended(output)))
}

fn machine() -> Machine {
    let machine = Machine::new().with_file("project/file", "").with_file("outside/secret", "");
    let machine = machine.with_file("project/mnt/covered", "").with_file("project/proc/covered", "");
    machine.with_file("project/same/covered", "")
}

const MOUNT: &str = "mount -t tmpfs none mnt && touch mnt/inside && mount --rbind /proc proc &&
    mount --bind ../outside same && exec $CTL scan --json --files --why-skipped";

#[test]
fn other_file_systems_are_not_entered() {
    let machine = machine();
    let Some(report) = with_mounts(&machine, MOUNT) else { return };
    assert_eq!(files(&report), ["file"]);
    let skipped: Vec<String> =
        report["skipped"]["paths"].as_array().unwrap().iter().map(Value::to_string).collect();
    insta::assert_snapshot!(skipped.join("\n"), @r#"
    {"path":".git","code":"always-left-out","rule":"always left out (--keep NAME looks inside)"}
    {"path":"mnt","code":"other-file-system","rule":"mounted from elsewhere (--cross-mounts goes there)"}
    {"path":"proc","code":"other-file-system","rule":"mounted from elsewhere (--cross-mounts goes there)"}
    {"path":"same","code":"other-file-system","rule":"mounted from elsewhere (--cross-mounts goes there)"}
    "#);
}

#[test]
fn other_file_systems_are_entered_on_request_but_never_the_kernels() {
    let machine = machine();
    let Some(report) = with_mounts(&machine, &format!("{MOUNT} --cross-mounts")) else { return };
    assert_eq!(files(&report), ["file", "mnt/inside", "same/secret"]);
    let skipped: Vec<String> =
        report["skipped"]["paths"].as_array().unwrap().iter().map(Value::to_string).collect();
    insta::assert_snapshot!(skipped.join("\n"), @r#"
    {"path":".git","code":"always-left-out","rule":"always left out (--keep NAME looks inside)"}
    {"path":"proc","code":"kernel","rule":"a view into the kernel, which holds no files"}
    "#);
}
