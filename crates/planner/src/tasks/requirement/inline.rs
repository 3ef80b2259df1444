//! What stands within a line: code first, emphasis after, as far as a requirement needs them.
//!
//! Stars of globs are no emphasis: `src/**`, `**/*.md` and `a**b` keep theirs, quoted or not.

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span<'t> {
    /// Between backticks; `whole` has them still.
    Code {
        inside: &'t str,
        whole: &'t str,
    },
    Text(&'t str),
}

/// Takes a line apart. As many backticks end a piece of code as begin it; those that nothing ends are text.
fn spans(line: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(start) = line[at..].find('`').map(|found| at + found) {
        let ticks = run_of_ticks(&line[start..]);
        let after = start + ticks;
        match closing(&line[after..], ticks) {
            Some(end) => {
                if from < start {
                    spans.push(Span::Text(&line[from..start]));
                }
                let end_of_all = after + end + ticks;
                spans.push(Span::Code { inside: &line[after..after + end], whole: &line[start..end_of_all] });
                (from, at) = (end_of_all, end_of_all);
            }
            None => at = after,
        }
    }
    if from < line.len() {
        spans.push(Span::Text(&line[from..]));
    }
    spans
}

fn run_of_ticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Where a run of exactly so many backticks begins.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|found| at + found) {
        let found = run_of_ticks(&text[start..]);
        if found == ticks {
            return Some(start);
        }
        at = start + found;
    }
    None
}

/// Everything that stands between backticks, and how much of the line comes before it.
pub(super) fn code_spans(line: &str) -> Vec<(usize, String)> {
    let mut at = 0;
    let mut found = Vec::new();
    for span in spans(line) {
        match span {
            Span::Code { inside, whole } => {
                let inside = inside.trim();
                if !inside.is_empty() {
                    found.push((at, inside.to_owned()));
                }
                at += whole.len();
            }
            Span::Text(text) => at += text.len(),
        }
    }
    found
}

/// A line without the marks that only matter on a page. Code stays as it is.
pub(super) fn plain_text(line: &str) -> String {
    let line = line.trim();
    // Emphasis may stand around code, so its stars are looked for in the whole line, outside of the code.
    let mut is_code = vec![false; line.len()];
    let mut at = 0;
    for span in spans(line) {
        let length = match span {
            Span::Code { whole, .. } => {
                is_code[at..at + whole.len()].fill(true);
                whole.len()
            }
            Span::Text(text) => text.len(),
        };
        at += length;
    }
    let stars: Vec<usize> =
        line.match_indices("**").map(|(at, _)| at).filter(|at| !is_code[*at] && is_pair(line, *at)).collect();
    let mut marks = Vec::new();
    let mut opening: Option<usize> = None;
    for star in stars {
        match opening {
            Some(start) if closes(line, star) => {
                marks.extend([start, star]);
                opening = None;
            }
            Some(_) | None if opens(line, star) => opening = Some(star),
            Some(_) | None => {}
        }
    }
    let mut text = String::new();
    let mut from = 0;
    for mark in marks {
        text.push_str(&line[from..mark]);
        from = mark + 2;
    }
    text.push_str(&line[from..]);
    text.trim().to_owned()
}

/// Exactly two stars.
fn is_pair(line: &str, at: usize) -> bool {
    !line[..at].ends_with('*') && !line[at + 2..].starts_with('*')
}

fn opens(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    let after = line[at + 2..].chars().next();
    before.is_none_or(|letter| letter.is_whitespace() || "([{\"'“>—–-:,|".contains(letter))
        && after.is_some_and(|letter| !letter.is_whitespace() && !"/,.;)".contains(letter))
}

fn closes(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    let after = line[at + 2..].chars().next();
    before.is_some_and(|letter| !letter.is_whitespace() && letter != '/')
        && after.is_none_or(|letter| letter.is_whitespace() || ")]}\"'”.,;:!?—–-|".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_read_before_emphasis_and_stars_of_globs_stay() {
        for (line, expected) in [
            ("`**`", "`**`"),
            ("`**/*.md` and `src/**`", "`**/*.md` and `src/**`"),
            ("**/*.md", "**/*.md"),
            ("src/**, lib/**", "src/**, lib/**"),
            ("a**b", "a**b"),
            ("2**3 is 8 and 2**4 is 16", "2**3 is 8 and 2**4 is 16"),
            ("**Fast:** it answers within a second", "Fast: it answers within a second"),
            ("it is **very** fast, **really**.", "it is very fast, really."),
            ("**`a**b`** stays", "`a**b` stays"),
            ("``a`**`b`` is **code**", "``a`**`b`` is code"),
            ("**open only", "**open only"),
            ("***three***", "***three***"),
        ] {
            assert_eq!(plain_text(line), expected, "{line}");
        }
        let found = |line: &str| code_spans(line).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(found("`a`, ``b ` c`` and `open"), ["a", "b ` c"]);
        assert_eq!(found("`**`"), ["**"]);
    }
}
