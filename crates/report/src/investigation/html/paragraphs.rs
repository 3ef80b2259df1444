//! What somebody wrote, as HTML: paragraphs, lists, and words in backticks as code. Nothing else comes of it.

use luminos_core::Untrusted;

use crate::prose;

/// A text on one line.
pub(super) fn text(text: &str) -> String {
    Untrusted::new(prose::one_line(text).as_bytes()).for_html()
}

/// A text on one line, in which words between backticks are code.
pub(super) fn inline(text: &str) -> String {
    let text = prose::one_line(text);
    let is_paired = text.matches('`').count().is_multiple_of(2);
    if !is_paired {
        return Untrusted::new(text.as_bytes()).for_html();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (index, piece) in text.split('`').enumerate() {
        let piece = Untrusted::new(piece.as_bytes()).for_html();
        match index % 2 {
            1 if !piece.is_empty() => {
                out.push_str("<code>");
                out.push_str(&piece);
                out.push_str("</code>");
            }
            _ => out.push_str(&kept_together(&piece)),
        }
    }
    out
}

/// No line ends between a number and its percent sign.
fn kept_together(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(" %") {
        match piece.strip_suffix(" %") {
            Some(number) if number.ends_with(|letter: char| letter.is_ascii_digit()) => {
                out.push_str(number);
                out.push_str("&nbsp;%");
            }
            Some(_) | None => out.push_str(piece),
        }
    }
    out
}

/// Paragraphs and lists.
pub(super) fn block(text: &str) -> String {
    let mut out = String::new();
    let mut paragraph: Vec<String> = Vec::new();
    let mut is_list = false;
    let end_paragraph = |out: &mut String, paragraph: &mut Vec<String>| {
        if !paragraph.is_empty() {
            out.push_str("<p>");
            out.push_str(&inline(&paragraph.join(" ")));
            out.push_str("</p>");
            paragraph.clear();
        }
    };
    for line in prose::lines(text) {
        let mark = prose::lead(&line).trim_start_matches(' ').to_owned();
        let words = line.trim_start_matches(' ');
        if mark.is_empty() {
            if is_list {
                out.push_str("</ul>");
                is_list = false;
            }
            if words.is_empty() {
                end_paragraph(&mut out, &mut paragraph);
            } else {
                paragraph.push(words.to_owned());
            }
            continue;
        }
        end_paragraph(&mut out, &mut paragraph);
        if !is_list {
            out.push_str("<ul>");
            is_list = true;
        }
        out.push_str("<li>");
        out.push_str(&inline(words.strip_prefix(mark.as_str()).unwrap_or(words)));
        out.push_str("</li>");
    }
    if is_list {
        out.push_str("</ul>");
    }
    end_paragraph(&mut out, &mut paragraph);
    out
}

/// Lines as they are.
pub(super) fn lines(text: &str) -> String {
    Untrusted::new(text.as_bytes()).for_html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lists_and_code_and_nothing_else() {
        assert_eq!(
            block("One `a<b`\nstill.\n\nTwo:\n- x\n* <b>y\n\nEnd `open"),
            "<p>One <code>a&lt;b</code> still.</p><p>Two:</p><ul><li>x</li><li>&lt;b&gt;y</li></ul><p>End &#96;open</p>"
        );
        assert_eq!(block(" \n"), "");
        assert_eq!(inline("7 % of 8 % or % `9 %`"), "7&nbsp;% of 8&nbsp;% or % <code>9 %</code>");
        assert_eq!(inline("a\u{202e}b"), "a\\u{202e}b");
    }
}
