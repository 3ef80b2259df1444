//! Untrusted text and paths as Markdown.

use luminos_core::proof::Evidence;
use luminos_core::{RelPath, Untrusted};

use crate::investigation::cited::place;
use crate::prose;

/// A text on one line, nothing in it marked up.
pub(super) fn plain(text: &str) -> String {
    escaped(&prose::one_line(text))
}

/// An inert line as text. Whoever makes links of what looks like an address of mail does so after escapes were taken
/// away; only space around its sign keeps it from that.
fn escaped(line: &str) -> String {
    if !line.contains('@') {
        return Untrusted::new(line.as_bytes()).for_markdown();
    }
    let is_part = |character: Option<char>| character.is_some_and(|character| !character.is_whitespace());
    let mut apart = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '@' && is_part(apart.chars().next_back()) && is_part(characters.peek().copied()) {
            apart.push_str(" @ ");
        } else {
            apart.push(character);
        }
    }
    Untrusted::new(apart.as_bytes()).for_markdown()
}

/// A text on one line, in which single words between backticks are code: models write so, and nothing inside of code
/// means anything.
pub(in crate::investigation) fn inline(text: &str) -> String {
    let text = prose::one_line(text);
    let is_paired = text.matches('`').count().is_multiple_of(2) && !text.contains("``");
    if !is_paired {
        return plain(&text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            out.push('`');
            out.push_str(piece);
            out.push('`');
            continue;
        }
        // A space at the start is dangerous at the start of a line only.
        let rest = if index == 0 { piece } else { piece.trim_start_matches(' ') };
        if rest.len() < piece.len() {
            out.push(' ');
        }
        out.push_str(&escaped(rest));
    }
    out
}

/// What the line above was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    Words,
    Item,
}

/// Paragraphs and lists, without an empty line at the end.
pub(super) fn block(text: &str) -> String {
    let mut out = String::new();
    let mut above = Above::Nothing;
    for line in prose::lines(text) {
        let lead = prose::lead(&line);
        let mark = lead.trim_start_matches(' ');
        let words = inline(line.trim_start_matches(' ').strip_prefix(mark).unwrap_or(&line));
        if words.is_empty() {
            above = Above::Nothing;
            continue;
        }
        let is_item = !mark.is_empty();
        if !out.is_empty() {
            let is_apart = (above == Above::Item) != is_item || above == Above::Nothing;
            out.push_str(if is_apart { "\n\n" } else { "\n" });
        }
        let is_deeper = above == Above::Item && 2 <= lead.len() - mark.len();
        match mark.as_bytes() {
            [] => {}
            // A number keeps its width, so that its list stays one.
            [b'0'..=b'9', ..] => out.push_str(mark),
            _ if is_deeper => out.push_str("  - "),
            _ => out.push_str("- "),
        }
        out.push_str(&words);
        above = if is_item { Above::Item } else { Above::Words };
    }
    out
}

/// A block as a part of a list's item.
pub(super) fn indented(block: &str) -> String {
    let lines = block.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// A path that leads to what it names.
pub(super) fn link(path: &RelPath) -> String {
    linked(&path.for_terminal(), path, "")
}

/// A link to a path under another name.
pub(super) fn named_link(name: &str, path: &RelPath) -> String {
    linked(&prose::one_line(name), path, "")
}

/// How names of files end that GitHub shows as pages.
const PAGES: [&[u8]; 5] = [b".md", b".markdown", b".rst", b".adoc", b".org"];

/// A piece of evidence that leads to its lines.
pub(super) fn cited(evidence: &Evidence) -> String {
    let Evidence { start_line, end_line, .. } = *evidence;
    let anchor = match (start_line, end_line) {
        (0, _) => String::new(),
        (start, end) if end <= start => format!("#L{start}"),
        (start, end) => format!("#L{start}-L{end}"),
    };
    // Where a file is shown as a page, its lines can be pointed at in its plain form only.
    let is_page = PAGES.iter().any(|end| evidence.path.as_bytes().to_ascii_lowercase().ends_with(end));
    let anchor = if is_page && !anchor.is_empty() { format!("?plain=1{anchor}") } else { anchor };
    linked(&place(evidence), &evidence.path, &anchor)
}

fn linked(words: &str, path: &RelPath, anchor: &str) -> String {
    match destination(path) {
        Some(destination) => {
            format!("[{}]({destination}{anchor})", Untrusted::new(words.as_bytes()).for_markdown())
        }
        None => escaped(words),
    }
}

/// Where a path leads from the target: `None` for one that a page would take for another place, or that leads out.
pub(in crate::investigation) fn destination(path: &RelPath) -> Option<String> {
    let mut names = path.as_bytes().split(|&byte| byte == b'/');
    if path.is_root() || names.any(|name| matches!(name, b"" | b"." | b"..")) {
        return None;
    }
    let mut out = String::with_capacity(path.as_bytes().len());
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::sample;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inline(text), expected);
    }

    #[test]
    fn words_in_backticks_are_code_and_all_else_is_text() {
        check("reads `main.rs` and *ends*", "reads `main.rs` and \\*ends\\*");
        check("`a`b`c`", "`a`b`c`");
        check("`<b>` <b>", "`<b>` \\<b\\>");
        check("one ` alone", "one \\` alone");
        check("``two``", "\\`\\`two\\`\\`");
        check("- no list", "\\- no list");
        check("ada@example.org and @ada", "ada \\@ example.org and \\@ada");
        check("slash \\`x`", "slash \\\\`x`");
    }

    #[test]
    fn paragraphs_and_lists_stay_what_they_are() {
        let text = "Words\nmore:\n- one\n  * under\n+ two\nafter\n\n1. first\n# no heading\n    no code";
        let expected =
            "Words\nmore\\:\n\n- one\n  - under\n- two\n\nafter\n\n1. first\n\n\\# no heading\nno code";
        assert_eq!(block(text), expected);
        assert_eq!(indented("a\n\nb"), "  a\n\n  b");
    }

    #[test]
    fn lines_are_pointed_at_where_they_are_seen() {
        let to = |path: &str, start, end| cited(&sample::evidence(path, (start, end), None));
        assert_eq!(to("a.rs", 3, 3), "[a.rs\\:3](a.rs#L3)");
        assert_eq!(
            to("My (old) #1.md", 3, 5),
            "[My \\(old\\) \\#1.md\\:3–5](My%20%28old%29%20%231.md?plain=1#L3-L5)"
        );
        assert_eq!(to("README.md", 0, 0), "[README.md](README.md)");
    }

    #[test]
    fn paths_lead_into_the_target_or_nowhere() {
        let to = |path: &[u8]| destination(&RelPath::new(path));
        assert_eq!(to(b"src/main.rs").as_deref(), Some("src/main.rs"));
        assert_eq!(to(b"a b/(c)\xff:#?").as_deref(), Some("a%20b/%28c%29%FF%3A%23%3F"));
        for path in [&b""[..], b"/etc", b"//host/x", b"../x", b"a/../../x", b"./x", b"a//b", b"a/"] {
            assert_eq!(to(path), None);
        }
    }
}
