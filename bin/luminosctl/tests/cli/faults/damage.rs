//! F14, F21: bytes that are not those that were written, files that were cut, and a state directory of a newer program.

use std::fs;
use std::path::{Path, PathBuf};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use serde_json::Value;

use super::house::{House, Random};
use crate::machine::finish;
use crate::site::{PATIENCE, until};

/// So many places are damaged, one at a time.
const PLACES: u64 = 200;

/// What a finished run leaves, in memory: path and bytes.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files(&entry.path()));
        } else if kind.is_file() {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

/// Whether a file is checked: the words in locks, the page for people, logs of the daemon and the memory of scans are not
/// relied on.
fn is_relied_on(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let in_scan = path.components().any(|part| part.as_os_str() == "scan");
    let is_plain = name.ends_with(".lock")
        || ["report.md", "report.html", "daemon.log", "reserve"].contains(&name.as_str());
    !in_scan && !is_plain
}

#[expect(clippy::disallowed_methods, reason = "the test damages what was written")]
fn overwrite(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

/// Each kind of damage at each of two hundred places is found by `fsck`; every tenth time a run is made, and either comes to
/// the same report or says what cannot go on and how to start over.
#[test]
fn two_hundred_damaged_places_are_found() {
    let mut random = Random::new("two_hundred_damaged_places_are_found");
    let house = House::new(Policy::default());
    house.site.done(".");
    house.stop();
    let before = house.site.report();
    let whole: Vec<_> = files(&house.state()).into_iter().filter(|(path, _)| is_relied_on(path)).collect();
    let (mut found, mut mended, mut refused) = (0, 0, 0);
    for place in 0..PLACES {
        let (path, bytes) = &whole[random.below(whole.len() as u64) as usize];
        let at = random.below(bytes.len() as u64) as usize;
        let mut damaged = bytes.clone();
        let what = match place % 3 {
            0 => {
                damaged[at] ^= 1 << random.below(8);
                "a bit is turned"
            }
            1 => {
                // To its half at most: of a journal, less could be its last line, which may be missing.
                damaged.truncate(at / 2);
                "it is cut"
            }
            _ => {
                let end = bytes.len().min(at + 4096);
                damaged[at..end].fill(0);
                "zeros"
            }
        };
        let shown = path.strip_prefix(house.state()).unwrap().display().to_string();
        overwrite(path, &damaged);
        let findings = house.findings();
        let is_found = findings.iter().any(|finding| finding["is_fault"] == true);
        // A journal that ends early, at the end of a line or within its last one, is what a crash leaves.
        let is_short_journal = path.extension().is_some_and(|kind| kind == "jsonl" || kind == "log")
            && tail_only(bytes, &damaged);
        assert!(is_found || is_short_journal, "{what} at {at} of {shown}: {findings:#?}");
        found += u64::from(is_found);
        if place % 10 == 0 {
            let run = house.site.run(".");
            match run.code {
                Some(0 | 3) => mended += 1,
                Some(1) if run.stderr.contains("hint:") => refused += 1,
                _ => panic!("{what} at {at} of {shown}: {run}"),
            }
            house.stop();
            restore(&house, &whole);
        }
        overwrite(path, bytes);
    }
    println!(
        "{PLACES} damaged places: {found} found, the rest as a crash would leave it; runs: {mended} mended, {refused} refused with a way out"
    );
    assert_eq!(house.site.report(), before);
}

/// Whether only the end is missing, or what follows looks like one line that was never finished: no line ends in it.
fn tail_only(whole: &[u8], damaged: &[u8]) -> bool {
    let same = whole.iter().zip(damaged).take_while(|(a, b)| a == b).count();
    let last_line = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    whole.starts_with(damaged) || last_line <= same || !damaged[same..].contains(&b'\n')
}

/// Everything as it was.
fn restore(house: &House, whole: &[(PathBuf, Vec<u8>)]) {
    for (path, _) in files(&house.state()) {
        if is_relied_on(&path) && !whole.iter().any(|(known, _)| *known == path) {
            rustix::fs::unlink(&path).unwrap();
        }
    }
    for (path, bytes) in whole {
        overwrite(path, bytes);
    }
}

/// A document as a newer program would write it: its format is one higher, and its hash fits.
fn newer(bytes: &[u8]) -> Option<Vec<u8>> {
    use sha2::{Digest as _, Sha256};
    let text = std::str::from_utf8(bytes).ok()?;
    let (body, _) = text.rsplit_once(",\n  \"sha256\"").or_else(|| text.rsplit_once(",\"sha256\""))?;
    let separator = if text.contains(",\n  \"sha256\"") { ",\n  \"sha256\": \"" } else { ",\"sha256\":\"" };
    let document: Value = serde_json::from_str(text).ok()?;
    let format = document["format"].as_u64()?;
    let body = body.replacen(&format!("\"format\": {format}"), &format!("\"format\": {}", format + 1), 1);
    let body = body.replacen(&format!("\"format\":{format}"), &format!("\"format\":{}", format + 1), 1);
    let hash: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let end = if separator.starts_with(",\n") { "\"\n}\n" } else { "\"}\n" };
    Some(format!("{body}{separator}{hash}{end}").into_bytes())
}

/// The number of the daemon's life in a newer form means that a newer program owns the directory: nothing is touched.
#[test]
fn a_state_directory_of_a_newer_program_is_left_alone() {
    let house = House::new(Policy::default());
    house.site.done(".");
    house.stop();
    let epoch = house.state().join("epoch.json");
    overwrite(&epoch, &newer(&fs::read(&epoch).unwrap()).unwrap());
    let before: Vec<_> = files(&house.state()).into_iter().filter(|(path, _)| is_relied_on(path)).collect();
    let run = house.site.run(".");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("newer program"), "{run}");
    let after: Vec<_> = files(&house.state()).into_iter().filter(|(path, _)| is_relied_on(path)).collect();
    assert!(before == after, "something was written");
    assert!(house.findings().iter().any(|finding| finding["remedy"] == "somebody"));
}

/// The second question about `src` waits at the gate.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    Script::new().when(src, [Answer::policy(), Answer::policy().behind(gate)]).otherwise(Policy::default())
}

/// A daemon that starts looks over what an earlier one has left unfinished, and its log says what is wrong with it.
#[test]
fn a_daemon_tells_at_its_start_what_is_wrong_with_what_was_cut_off() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start("--parallel 1 --workers 1 .");
    house.site.until_asked(&[("src", 2)]);
    house.site.kill_daemon();
    house.site.wait(client);
    house.site.kill_daemon();
    gate.open();
    let transcripts = fs::read_dir(house.site.investigation().join("transcripts")).unwrap().flatten();
    let path = transcripts.map(|file| file.path()).find(|path| 2 < lines(path)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    bytes[second] ^= 1;
    overwrite(&path, &bytes);
    let start = house.site.machine.ended(finish(&mut house.site.command("daemon start"), PATIENCE));
    assert_eq!(start.code, Some(0), "{start}");
    let name = path.file_name().unwrap().to_str().unwrap();
    until(|| {
        let said = house.site.log();
        said.contains("something in the store is not as it should be") && said.contains(name)
    });
    house.stop();
    assert!(house.findings().iter().any(|finding| finding["is_fault"] == true));
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}
