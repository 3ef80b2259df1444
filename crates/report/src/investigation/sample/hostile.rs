//! Reports whose texts somebody wrote who wants the reader's terminal, page or trust.

use luminos_core::RelPath;
use luminos_core::answer::{Answer, Candidate, Field};
use luminos_core::entry::{Claim, DirEntry, Stamp};
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::{Evidence, ToolCallId};
use luminos_core::report::{Findings, Item, Note, Origin, Report, Section, Subsystem};

use super::{entry, evidence, flag, text};

/// What somebody writes who wants the reader's terminal, page or trust.
pub(crate) const HOSTILE: &[&str] = &[
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred",
    "\u{202e}gpj.exe\u{2066}\u{200b}",
    "\u{9b}31m\u{7f}\0\u{85}\u{2028}",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "![pixel](https://evil.example/p.png) [click](javascript:alert(1)) <https://evil.example>",
    "https://evil.example www.evil.example mail@evil.example",
    "`code` ``` `<b>` \\`<i>x</i>` | cell | [x]: https://evil.example",
    "```\n<b>out of the block</b>\n```\n~~~\n# heading\n---\n===\n    code\n\t<b>tab</b>\n> quote\n1. one",
    "- item <b>\n* item\n+ item\n  - deeper ![x](y)\n\n\n\nnew paragraph\r\nback\rwards\u{b}\u{c}",
    "[link]: <javascript:x>\n[^1]: note\n<!-- comment\n-->\n&lt;b&gt; &#60;b&#62;",
    "$$math$$ ~~gone~~ **bold** _it_ :tada: #1 @ada",
    "",
    " ",
];

/// A report in which every text is hostile.
pub(crate) fn hostile() -> Report {
    made_of(HOSTILE)
}

/// A report whose every text is one of these, with each of them in each kind of place.
pub(crate) fn made_of(texts: &[&str]) -> Report {
    let words = |index: usize| texts[index % texts.len()].to_owned();
    let path = |index: usize| RelPath::new(format!("d/{}", words(index)).into_bytes());
    let evidence = |index: usize| Evidence {
        path: path(index),
        quote: Some(words(index)),
        quote_hash: None,
        call: Some(ToolCallId(words(index))),
        ..evidence("", (1, index as u64), None)
    };
    let claim = |index: usize| Claim {
        refuted: false,
        fact: None,
        text: words(index),
        evidence: vec![evidence(index), evidence(index + 1)],
        entries: vec![path(index)],
        faults: vec![words(index)],
        verified: index.is_multiple_of(2),
    };
    let entries = (0..texts.len()).map(|index| DirEntry {
        relative_path: path(index),
        notable_files: vec![path(index + 1), RelPath::new(*b"\xff\xfe<b>")],
        confidence_reason: Some(words(index)),
        claims: vec![claim(index), claim(index + 3)],
        partial: true,
        partial_reason: Some(words(index)),
        ..entry("", &words(index))
    });
    let flags = (0..texts.len()).map(|index| Flag {
        rule: Some(words(index + 1)),
        path: path(index),
        verified: false,
        faults: vec![words(index)],
        ..flag(Severity::ALL[index % 3], &words(index), vec![evidence(index), evidence(index + 2)])
    });
    let strange =
        ["/etc/passwd", "//evil.example/x", "../../outside", "a/./b", "javascript:alert(1)", "a b?c#d"];
    let items = |section: usize| {
        let items = (0..texts.len()).map(|index| Item {
            kind: None,
            name: words(index + section),
            path: Some(RelPath::from(strange[(index + section) % strange.len()])),
            text: words(index + 1),
            sources: vec![path(index)],
        });
        items.collect::<Vec<_>>()
    };
    let sections = Section::ALL.into_iter().enumerate().map(|(index, section)| match index % 2 {
        0 => (section, items(index)),
        _ => (section, text(&texts.join("\n"))),
    });
    let findings = Findings {
        brief: texts.join("\n"),
        detailed: texts.join("\n\n"),
        sections: sections.collect(),
        claims: vec![claim(3), claim(5)],
        answers: Field::ALL
            .into_iter()
            .enumerate()
            .map(|(index, field)| {
                let candidate = |index: usize| {
                    Candidate::new(&words(index), &words(index + 1), 60)
                        .about(&words(index + 2))
                        .at(path(index), 7)
                };
                (field, Answer::choose(field, vec![candidate(index), candidate(index + 3)]))
            })
            .collect(),
    };
    let mut report = Report::new(Origin::Model, findings, entries.collect(), flags.collect());
    report.investigation = words(0);
    report.target = words(4);
    report.path = words(1);
    report.made_at = Stamp(words(2));
    report.models = [(words(3), words(4))].into();
    report.subsystems = (0..texts.len())
        .map(|index| Subsystem {
            told: Default::default(),
            name: words(index),
            description: words(index + 1),
            dirs: vec![path(index)],
        })
        .collect();
    let kinds = [Note::Partial, Note::Degraded, Note::Plan, Note::LeftOut, Note::Other];
    report.notes = (0..texts.len()).map(|index| kinds[index % kinds.len()](words(index))).collect();
    report
}
