//! A few facts for a file such as AGENTS.md: what was verified, and what a reader of the code would not find at once.
//!
//! Between two marks, so that it can be brought up to date without touching anything else in the file; never longer than
//! a kilobyte. Titles, licences and dependencies are left out, because everybody sees those by opening one file.

use luminos_core::flag::Severity;
use luminos_core::report::Report;

use super::cited::place;
use super::place_of;

const BEGIN: &str = "<!-- luminos:begin -->";
const END: &str = "<!-- luminos:end -->";
/// The longest block, marks included, in bytes.
const LONGEST: usize = 1024;
/// The longest fact.
const LONGEST_FACT: usize = 160;
/// What claims say that anybody finds by opening the file they name.
const OBVIOUS: [&str; 7] = [
    " is titled ",
    " names the licence",
    " depends on ",
    " is written in ",
    " holds ",
    " begins with ",
    " is empty",
];

/// The block, with its marks; `None` where there is nothing to say.
pub fn agents_md(report: &Report) -> Option<String> {
    let head = "Found out about this tree and checked against its bytes:\n";
    let mut block = format!("{BEGIN}\n{head}");
    let mut facts = 0;
    for fact in facts_of(report) {
        let line = format!("- {fact}\n");
        if block.len() + line.len() + END.len() < LONGEST && !block.contains(&line) {
            block.push_str(&line);
            facts += 1;
        }
    }
    block.push_str(END);
    block.push('\n');
    (0 < facts).then_some(block)
}

/// Facts, those first that matter most: what is dangerous, what was said about the whole, what was said about parts,
/// the largest of them first.
fn facts_of(report: &Report) -> Vec<String> {
    let flags = report.flags.iter().filter(|flag| Severity::Concern <= flag.severity && flag.verified);
    let flags = flags.map(|flag| fact(&flag.finding, &place_of(flag)));
    let whole = report.findings.claims.iter();
    let mut dirs: Vec<_> = report.directories.iter().filter(|entry| !entry.relative_path.is_root()).collect();
    dirs.sort_by_key(|entry| std::cmp::Reverse(entry.coverage.bytes));
    // One of each part, so that no part fills the block.
    let parts = dirs.into_iter().filter_map(|entry| {
        entry
            .claims
            .iter()
            .find(|claim| claim.verified && !is_obvious(&claim.text) && !claim.evidence.is_empty())
    });
    let claims = whole.filter(|claim| claim.verified && !is_obvious(&claim.text)).chain(parts);
    let claims = claims.filter_map(|claim| {
        let first = claim.evidence.first()?;
        Some(fact(&claim.text, &place(first)))
    });
    flags.chain(claims).filter(|fact| fact.len() <= LONGEST_FACT).collect()
}

fn is_obvious(text: &str) -> bool {
    OBVIOUS.iter().any(|words| text.contains(words))
}

/// A sentence and where it can be seen, as Markdown on one line. No mark of ours can stand in it.
fn fact(sentence: &str, place: &str) -> String {
    let sentence = super::markdown::inline(sentence.trim_end_matches('.'));
    let place = place.replace('`', "'");
    if sentence.contains(&place) { sentence } else { format!("{sentence} (`{place}`)") }
}

/// A file with the block in it: in place of the one there was, or behind everything else. `Err` where the file has only
/// one of the marks, or has them more than once: then nobody can say what belongs to whom.
pub fn with_agents_block(file: &str, block: &str) -> Result<String, &'static str> {
    let (begins, ends) = (file.matches(BEGIN).count(), file.matches(END).count());
    match (begins, ends, file.find(BEGIN), file.find(END)) {
        (0, 0, _, _) => {
            let gap = match file {
                "" => "",
                file if file.ends_with("\n\n") => "",
                file if file.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            Ok(format!("{file}{gap}{block}"))
        }
        (1, 1, Some(begin), Some(end)) if begin < end => {
            let rest = &file[end + END.len()..];
            let rest = rest.strip_prefix('\n').unwrap_or(rest);
            Ok(format!("{}{block}{rest}", &file[..begin]))
        }
        _ => Err("its marks `luminos:begin` and `luminos:end` do not stand there once each, in this order"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::sample;

    #[test]
    fn only_what_was_verified_is_told_and_briefly() {
        let block = agents_md(&sample::report()).unwrap();
        insta::assert_snapshot!(block, @"
        <!-- luminos:begin -->
        Found out about this tree and checked against its bytes:
        - A database password is kept in the repository (`deploy/values.yaml:17`)
        - Uploads are read into memory whole before their size is checked, so that a few callers can use up all of it (`src/routes/upload.rs:40–44`)
        - Every handler checks the session first (`src/routes/mod.rs:12–19`)
        <!-- luminos:end -->
        ");
        assert_eq!(agents_md(&sample::bare()), None);
        for report in [sample::large(500), sample::hostile()] {
            let block = agents_md(&report).unwrap_or_default();
            assert!(block.len() <= LONGEST, "{}", block.len());
            assert!(block.matches("luminos:").count() <= 2, "{block}");
            assert!(!block.contains("<script") && !block.contains("]("), "{block}");
        }
    }

    #[test]
    fn the_rest_of_a_file_stays_as_it_is() {
        let block = format!("{BEGIN}\nnew\n{END}\n");
        let with = |file: &str| with_agents_block(file, &block);
        assert_eq!(with("").as_deref(), Ok(block.as_str()));
        assert_eq!(with("# A\n").unwrap(), format!("# A\n\n{block}"));
        let file = format!("# A\r\n\n{BEGIN}\nold\nold\n{END}\n\nafter");
        let made = with(&file).unwrap();
        assert_eq!(made, format!("# A\r\n\n{block}\nafter"));
        assert_eq!(with(&made).unwrap(), made, "a second time changes nothing");
        for broken in [format!("{BEGIN}\n"), format!("{END}\n{BEGIN}"), format!("{block}{block}")] {
            assert!(with(&broken).is_err(), "{broken}");
        }
    }
}
