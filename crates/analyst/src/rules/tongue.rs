//! The language of a file, as far as rules care, and which of its bytes are code.
//!
//! Not a parser: comments and strings are recognised by their marks, so that a rule about calls does not speak about prose.
//! What it gets wrong (a quote inside a regular expression) ends with the line.

/// A family of languages with the same marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tongue {
    Python,
    JavaScript,
    Go,
    Rust,
    C,
    Java,
    CSharp,
    Php,
    Ruby,
    Shell,
    Lua,
    Perl,
    Docker,
    Swift,
}

impl Tongue {
    /// By the name of the file, else by its first line.
    pub(super) fn of(name: &str, text: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if name == "dockerfile" || name == "containerfile" || name.starts_with("dockerfile.") {
            return Some(Self::Docker);
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
        Some(match ending {
            "py" | "pyw" | "pyi" => Self::Python,
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte" => {
                Self::JavaScript
            }
            "go" => Self::Go,
            "rs" => Self::Rust,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "m" | "mm" => Self::C,
            "java" | "kt" | "kts" | "scala" | "groovy" | "gradle" => Self::Java,
            "cs" => Self::CSharp,
            "php" => Self::Php,
            "rb" | "rake" | "gemspec" | "ru" => Self::Ruby,
            "sh" | "bash" | "zsh" | "ksh" => Self::Shell,
            "lua" => Self::Lua,
            "pl" | "pm" => Self::Perl,
            "swift" => Self::Swift,
            _ => {
                let first = text.lines().next().filter(|line| line.starts_with("#!"))?;
                let has = |word: &str| first.contains(word);
                match () {
                    () if has("python") => Self::Python,
                    () if has("node") => Self::JavaScript,
                    () if has("ruby") => Self::Ruby,
                    () if has("perl") => Self::Perl,
                    () if has("sh") => Self::Shell,
                    () => return None,
                }
            }
        })
    }

    fn line_comments(self) -> &'static [&'static str] {
        match self {
            Self::Python | Self::Ruby | Self::Shell | Self::Perl | Self::Docker => &["#"],
            Self::Php => &["//", "#"],
            Self::Lua => &["--"],
            Self::JavaScript | Self::Go | Self::Rust | Self::C | Self::Java | Self::CSharp | Self::Swift => {
                &["//"]
            }
        }
    }

    /// What begins and ends a comment or string that may go over several lines.
    fn blocks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Python => &[("\"\"\"", "\"\"\""), ("'''", "'''")],
            Self::JavaScript => &[("/*", "*/"), ("`", "`")],
            Self::Go => &[("/*", "*/"), ("`", "`")],
            Self::Rust => &[("/*", "*/"), ("r#\"", "\"#")],
            Self::Java | Self::Swift => &[("/*", "*/"), ("\"\"\"", "\"\"\"")],
            Self::C | Self::CSharp | Self::Php => &[("/*", "*/")],
            Self::Ruby => &[("\n=begin", "\n=end")],
            Self::Perl => &[("\n=pod", "\n=cut"), ("\n=head", "\n=cut")],
            Self::Lua => &[("--[[", "]]"), ("[[", "]]")],
            Self::Shell | Self::Docker => &[],
        }
    }

    fn quotes(self) -> &'static [u8] {
        match self {
            // A single quote is a lifetime there, or a character.
            Self::Rust => b"\"",
            // In a shell a string can hold the command that matters.
            Self::Shell | Self::Docker => b"",
            Self::Python
            | Self::JavaScript
            | Self::Go
            | Self::C
            | Self::Java
            | Self::CSharp
            | Self::Php
            | Self::Ruby
            | Self::Lua
            | Self::Perl
            | Self::Swift => b"\"'",
        }
    }

    /// The ranges of bytes that are comments or strings, in order. A string's first mark is not part of its range: a
    /// call that begins with a string still begins in code.
    pub(super) fn prose(self, text: &str) -> Vec<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut ranges = Vec::new();
        let mut at = 0;
        'next: while at < bytes.len() {
            let rest = &bytes[at..];
            for (open, close) in self.blocks() {
                if rest.starts_with(open.as_bytes()) {
                    let inside = at + open.len();
                    let end = memchr::memmem::find(&bytes[inside..], close.as_bytes())
                        .map_or(bytes.len(), |end| inside + end + close.len());
                    ranges.push((inside, end));
                    at = end;
                    continue 'next;
                }
            }
            if self.line_comments().iter().any(|mark| rest.starts_with(mark.as_bytes()))
                && self.may_comment(bytes, at)
            {
                let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| at + end);
                ranges.push((at, end));
                at = end;
                continue;
            }
            if self.quotes().contains(&bytes[at]) {
                let end = string_end(bytes, at);
                ranges.push((at + 1, end));
                at = end;
                continue;
            }
            at += 1;
        }
        ranges
    }

    /// Whether a range of prose is a comment, by what stands where it begins. Strings over several lines of Python are
    /// documentation more often than not.
    pub(super) fn is_comment(self, text: &str, start: usize) -> bool {
        let (before, rest) = (&text[..start], &text[start..]);
        let is_block = |(open, close): &(&str, &str)| {
            (self == Self::Python || open != close && !open.ends_with(['"', '[']) || *open == "--[[")
                && before.ends_with(open)
        };
        // A string may begin like a comment.
        let is_quoted = before.ends_with(['"', '\'', '`']);
        let is_line = !is_quoted && self.line_comments().iter().any(|mark| rest.starts_with(mark));
        is_line || self.blocks().iter().any(is_block)
    }

    /// `$#` and `${x#y}` are no comments, nor is a colour in a string of PHP.
    fn may_comment(self, bytes: &[u8], at: usize) -> bool {
        !matches!(self, Self::Shell | Self::Docker | Self::Perl | Self::Ruby)
            || at == 0
            || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b';')
    }
}

/// One past the end of a string in one line. A lone mark is none.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Whether a byte lies in none of the ranges.
pub(super) fn is_code(ranges: &[(usize, usize)], at: usize) -> bool {
    let next = ranges.partition_point(|(start, _)| *start <= at);
    next.checked_sub(1).is_none_or(|index| ranges[index].1 <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn code_of(tongue: Tongue, text: &str) -> String {
        let ranges = tongue.prose(text);
        text.char_indices().filter(|(at, _)| is_code(&ranges, *at)).map(|(_, character)| character).collect()
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        assert_eq!(code_of(Tongue::Python, "a('x') # eval(y)\n\"\"\"eval(\nz\"\"\"\nb"), "a(') \n\"\"\"\nb");
        assert_eq!(code_of(Tongue::JavaScript, "a /* x */ `y\nz` // w\nb"), "a /* ` \nb");
        assert_eq!(code_of(Tongue::Shell, "echo $# \"a\" # x\n"), "echo $# \"a\" \n");
        assert_eq!(code_of(Tongue::Rust, "fn a<'b>() { \"c\\\"d\" }"), "fn a<'b>() { \" }");
    }

    #[test]
    fn a_script_is_known_by_its_first_line() {
        assert_eq!(Tongue::of("run", "#!/usr/bin/env python3\n"), Some(Tongue::Python));
        assert_eq!(Tongue::of("run", "hello"), None);
        assert_eq!(Tongue::of("Dockerfile.dev", ""), Some(Tongue::Docker));
    }
}
