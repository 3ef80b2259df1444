//! Reports that somebody has changed: a thousand of each kind, and not one passes; one that nobody has changed does.
//!
//! What is corrupted here is a report of the real program, and it is checked by the code that `luminosctl verify` uses; a
//! thousand of those go through the program itself. The digest of a corrupted report is made anew where the checks
//! themselves are to be tested, as somebody would who wants it to pass.

#![expect(clippy::disallowed_methods, reason = "a test writes its own files")]

use std::fs;

use luminos_core::entry::Claim;
use luminos_core::proof::Evidence;
use luminos_core::report::Report;
use luminos_core::verify::verify;
use luminos_core::{ContentHash, RelPath};
use luminos_engine::{Memory, ScanRequest, TreeOnDisk, base_scan};
use luminos_model_server::Policy;
use luminos_report::investigation::{digest_fault, read_json, write_json};
use serde_json::{Value, json};

use crate::machine::finish;
use crate::site::{PATIENCE, Site, project};

const EACH: usize = 1_000;
/// How many of each kind go through the program: of all six together a thousand.
const BY_THE_PROGRAM: usize = EACH.div_ceil(6);
/// How many go through it at once.
const AT_ONCE: usize = 4;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

type Kind = (&'static str, fn(&mut Report, &mut Dice) -> bool);

/// What is done to a report; `false` where this one has nothing to corrupt that way.
const KINDS: [Kind; 6] = [
    ("quote changed", quote_changed),
    ("line shifted", line_shifted),
    ("hash swapped", hash_swapped),
    ("path renamed", path_renamed),
    ("range never served", never_served),
    ("number altered", number_altered),
];

/// A claim that the report calls verified and that cites something.
fn claim<'a>(report: &'a mut Report, dice: &mut Dice) -> Option<&'a mut Claim> {
    let claims = report.directories.iter_mut().flat_map(|entry| &mut entry.claims);
    let mut claims: Vec<&mut Claim> =
        claims.filter(|claim| claim.verified && !claim.evidence.is_empty()).collect();
    let chosen = dice.roll(claims.len());
    (!claims.is_empty()).then(|| claims.swap_remove(chosen))
}

fn evidence<'a>(report: &'a mut Report, dice: &mut Dice) -> Option<&'a mut Evidence> {
    let claim = claim(report, dice)?;
    let chosen = dice.roll(claim.evidence.len());
    claim.evidence.get_mut(chosen)
}

fn quote_changed(report: &mut Report, dice: &mut Dice) -> bool {
    let Some(evidence) = evidence(report, dice) else { return false };
    let Some(quote) = &mut evidence.quote else { return false };
    let places: Vec<usize> =
        quote.char_indices().filter(|(_, letter)| letter.is_alphanumeric()).map(|(at, _)| at).collect();
    if places.is_empty() {
        return false;
    }
    let at = places[dice.roll(places.len())];
    let letter = quote[at..].chars().next().unwrap();
    let other = if letter == 'q' { "z" } else { "q" };
    quote.replace_range(at..at + letter.len_utf8(), other);
    true
}

fn line_shifted(report: &mut Report, dice: &mut Dice) -> bool {
    let Some(evidence) = evidence(report, dice) else { return false };
    let by = 1 + dice.roll(40) as u64;
    evidence.start_line += by;
    evidence.end_line += by;
    true
}

fn hash_swapped(report: &mut Report, dice: &mut Dice) -> bool {
    let others: Vec<ContentHash> = report.files.iter().filter_map(|file| file.blob).collect();
    let other = others[dice.roll(others.len())];
    let Some(evidence) = evidence(report, dice) else { return false };
    if evidence.blob == Some(other) {
        return false;
    }
    evidence.blob = Some(other);
    true
}

fn path_renamed(report: &mut Report, dice: &mut Dice) -> bool {
    let others: Vec<RelPath> = report.files.iter().map(|file| file.path.clone()).collect();
    let other = match dice.roll(2) {
        0 => others[dice.roll(others.len())].clone(),
        _ => RelPath::from(format!("src/nowhere{}.rs", dice.roll(100)).as_str()),
    };
    let Some(evidence) = evidence(report, dice) else { return false };
    if evidence.path == other {
        return false;
    }
    evidence.path = other;
    true
}

/// Whoever wants it to pass makes the list of what was read anew, too.
fn never_served(report: &mut Report, dice: &mut Dice) -> bool {
    let Some(Evidence { path, start, .. }) = evidence(report, dice).cloned() else { return false };
    let mut files = std::mem::take(&mut report.files);
    let Some(file) = files.iter_mut().find(|file| file.path == path) else { return false };
    // What was shown ends before what is cited, or was never shown at all.
    let end = start.unwrap_or_default();
    file.looks.iter_mut().for_each(|look| look.end = look.end.min(end));
    file.looks.iter_mut().for_each(|look| look.last_line = look.first_line);
    file.looks.retain(|look| look.start < look.end);
    let unlisted = report.files_unlisted;
    report.set_files((files, unlisted));
    true
}

fn number_altered(report: &mut Report, dice: &mut Dice) -> bool {
    let Some(claim) = claim(report, dice) else { return false };
    let Some(at) = claim.text.find(|letter: char| letter.is_ascii_digit()) else { return false };
    let end =
        claim.text[at..].find(|letter: char| !letter.is_ascii_digit()).map_or(claim.text.len(), |n| at + n);
    let other = format!("{}{}", 7 + dice.roll(2), 1_000 + dice.roll(9_000));
    claim.text.replace_range(at..end, &other);
    true
}

fn tree(site: &Site) -> TreeOnDisk {
    let target = site.machine.project();
    let options = luminos_scan::Options { hidden: true, ignore_files: false, ..Default::default() };
    let home = site.store();
    let request = ScanRequest { target: &target, options, home: &home, memory: Memory::Unused };
    let (scanned, _) = base_scan(request, &luminos_scan::Progress::default());
    TreeOnDisk::open(&target, scanned.unwrap().scan).unwrap()
}

/// The report as the program writes it into a file: what is printed has another path in it.
fn given(site: &Site) -> Vec<u8> {
    let file = site.machine.home().join("honest.json");
    let arguments = format!("show --json -o {}", file.display());
    let run = site.machine.ended(finish(&mut site.command(&arguments), PATIENCE));
    assert_eq!(run.code, Some(0), "{run}");
    fs::read(&file).unwrap()
}

fn written(report: &Report) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_json(&mut bytes, report, None).unwrap();
    bytes
}

/// Checks with the program. The state directory is another one: it knows nothing of the report.
#[track_caller]
fn verified_by_the_program(site: &Site, bytes: &[u8], name: &str) -> bool {
    let file = site.machine.home().join(format!("{name}.json"));
    fs::write(&file, bytes).unwrap();
    let elsewhere = site.machine.home().join("elsewhere");
    let arguments = format!("--home {} verify {} --tree .", elsewhere.display(), file.display());
    let run = site.machine.ended(finish(&mut site.command(&arguments), PATIENCE));
    assert!(matches!(run.code, Some(0 | 1)), "{run}");
    run.code == Some(0)
}

fn corrupt(site: &Site, kinds: &[Kind], by_the_program: usize) {
    let bytes = given(site);
    let honest = read_json(&bytes).unwrap();
    let mut tree = tree(site);
    let outcome = verify(&honest, &mut tree);
    assert!(outcome.holds(), "nobody has changed it: {outcome:?}");
    assert_eq!(digest_fault(&bytes), None);
    assert!(verified_by_the_program(site, &bytes, "honest"));
    let mut dice = Dice(7);
    let mut forged = Vec::new();
    for (kind, change) in kinds {
        let mut done = 0;
        let mut tries = 0;
        while done < EACH {
            tries += 1;
            assert!(tries < EACH * 20, "{kind}: there is nothing to corrupt");
            let mut report = honest.clone();
            if !change(&mut report, &mut dice) {
                continue;
            }
            done += 1;
            let outcome = verify(&report, &mut tree);
            assert!(!outcome.holds(), "{kind}, number {done}, passes:\n{}", difference(&honest, &report));
            if done <= by_the_program {
                forged.push((format!("{kind}, number {done}"), written(&report)));
            }
        }
    }
    let share = forged.len().div_ceil(AT_ONCE);
    std::thread::scope(|scope| {
        for (number, share) in forged.chunks(share).enumerate() {
            let name = format!("forged-{number}");
            scope.spawn(move || {
                for (what, bytes) in share {
                    assert!(!verified_by_the_program(site, bytes, &name), "{what}");
                }
            });
        }
    });
    println!("{} corrupted reports, {} of them through the program", EACH * kinds.len(), forged.len());
}

fn difference(honest: &Report, report: &Report) -> String {
    let all = |report: &Report| -> Vec<Claim> {
        report.directories.iter().flat_map(|entry| entry.claims.clone()).collect()
    };
    let pairs = all(honest).into_iter().zip(all(report));
    pairs.filter(|(one, other)| one != other).map(|(one, other)| format!("{one:#?}\n{other:#?}")).collect()
}

#[test]
fn a_thousand_corrupted_citations_of_each_kind_are_all_caught_in_a_models_report() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    corrupt(&site, &KINDS, BY_THE_PROGRAM);
}

#[test]
fn a_thousand_corrupted_citations_of_each_kind_are_all_caught_in_the_analysts_report() {
    let machine = project()
        .with_file("project/package.json", "{\n  \"name\": \"lantern\",\n  \"version\": \"1.4.2\",\n  \"scripts\": { \"test\": \"node test.js\" }\n}\n")
        .with_file("project/Makefile", "build:\n\tcargo build\n\ntest:\n\tcargo test\n")
        .with_file("project/src/db.py", "import os\nimport sqlite3\n\npassword = os.environ[\"DB_PASSWORD\"]\n\ndef rows():\n    return eval(\"1\")\n");
    let site = Site::new(machine, Policy::default());
    let run = site.machine.ended(finish(&mut site.command("run --offline ."), PATIENCE));
    assert_eq!(run.code, Some(0), "{run}");
    // What the analyst's sentences count is its rules' business; its citations are everybody's.
    let citations: Vec<Kind> = KINDS.into_iter().filter(|(kind, _)| *kind != "number altered").collect();
    corrupt(&site, &citations, 10);
    altered_sentences_show(&site);
}

/// Sentences, numbers and flags of the analyst: the digest tells, and the state directory does even if that was made anew.
fn altered_sentences_show(site: &Site) {
    let bytes = given(site);
    let honest = read_json(&bytes).unwrap();
    let mut dice = Dice(11);
    for number in 0..EACH {
        let mut report: Value = serde_json::from_slice(&bytes).unwrap();
        let dirs = report["directories"].as_array_mut().unwrap();
        let mut claims: Vec<&mut Value> =
            dirs.iter_mut().flat_map(|dir| dir["claims"].as_array_mut().unwrap()).collect();
        let chosen = dice.roll(claims.len());
        let text = claims[chosen]["text"].as_str().unwrap().to_owned();
        claims[chosen]["text"] = json!(format!("{text} {}", dice.roll(1_000)));
        let fault = digest_fault(&serde_json::to_vec(&report).unwrap());
        assert!(fault.is_some(), "number {number} passes");
    }
    let mut forged = honest;
    assert!(number_altered(&mut forged, &mut dice) || quote_changed(&mut forged, &mut dice));
    forged.findings.brief.push_str(" All is well.");
    let file = site.machine.home().join("forged.json");
    fs::write(&file, written(&forged)).unwrap();
    let run = site.machine.ended(finish(&mut site.command(&format!("verify {}", file.display())), PATIENCE));
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stdout.contains("it is not the report that the investigation"), "{run}");
}
