//! What holds for every report, whatever a model or a target wrote into it.

use luminos_core::Untrusted;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{directory, sample, text, write_json};
use crate::measure::width as columns;
use crate::{Detail, Layout, Style};

/// Any text at all; and marks, in any order, of what means something to a terminal or a page.
fn any_text() -> impl Strategy<Value = String> {
    let marks = [
        "\x1b[31m",
        "\x1b]8;;x\x07",
        "\u{9b}",
        "\u{202e}",
        "\u{200b}",
        "\0",
        "\r",
        "\n",
        "\n\n",
        "\t",
        " ",
        "    ",
        "`",
        "``",
        "```",
        "~~~",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "<",
        ">",
        "![",
        "](",
        "[",
        "]",
        "(",
        ")",
        "]:",
        "[^1]",
        "*",
        "**",
        "_",
        "~~",
        "#",
        "- ",
        "+ ",
        "1. ",
        "1) ",
        "> ",
        "---",
        "===",
        "|",
        "|-|",
        "\\",
        "&lt;",
        "&",
        "$",
        "$$",
        ":",
        "https://",
        "www.",
        "evil.example",
        "mail@",
        "@",
        "x",
        "word",
        "é",
        "数",
        "{",
        "}",
        "!",
        "^",
        "---\ntitle: x\n---\n",
    ];
    let marks = vec(proptest::sample::select(marks.to_vec()), 0..12).prop_map(|marks| marks.concat());
    prop_oneof![any::<String>(), marks.clone(), marks]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_on_a_terminal_is_anything_but_text(texts in vec(any_text(), 1..6), width in 0usize..140) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let report = sample::made_of(&texts);
        for detail in [Detail::Brief, Detail::Usual, Detail::Full] {
            let layout = Layout { width, style: Style::Plain, detail, ..Layout::default() };
            let mut pages = vec![text(&report, &layout), crate::flags::text(&report.flags, &layout)];
            pages.extend(report.directories.iter().map(|entry| directory(entry, &report.flags, &layout)));
            for page in pages {
                prop_assert!(!page.contains(|c: char| c != '\n' && Untrusted::is_treacherous(c)), "{page:?}");
                for line in page.lines() {
                    prop_assert!(columns(line) <= width.max(40), "{line:?} on a page of {width}");
                }
            }
        }
    }

    #[test]
    fn nothing_on_a_page_is_anything_but_text(texts in vec(any_text(), 1..6)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        super::markdown::tests::check(&sample::made_of(&texts));
    }

    #[test]
    fn a_document_says_what_was_said(texts in vec(any_text(), 1..6)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let report = sample::made_of(&texts);
        let mut written = Vec::new();
        write_json(&mut written, &report, None).unwrap();
        let line = std::str::from_utf8(&written).unwrap().strip_suffix('\n').unwrap();
        prop_assert!(!line.contains(Untrusted::is_treacherous), "{line:?}");
        let read: serde_json::Value = serde_json::from_str(line).unwrap();
        prop_assert_eq!(read["brief"].as_str(), Some(report.findings.brief.as_str()));
        prop_assert_eq!(read["flags"][0]["finding"].as_str(), Some(report.flags[0].finding.as_str()));
    }
}
