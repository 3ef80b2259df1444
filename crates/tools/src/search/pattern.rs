//! A regular expression from a stranger.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

/// How large a pattern may become when it is compiled, in bytes. A million repetitions do not fit.
const COMPILED: usize = 1 << 20;
/// How much the faster machine that is built while searching may take.
const BUILT: usize = 4 << 20;
/// How deep parentheses may be nested.
const NESTED: u32 = 100;

/// A pattern that can be searched for.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) matcher: RegexMatcher,
}

impl Pattern {
    /// Compiles a pattern, or says what is wrong with it.
    pub(super) fn new(pattern: &str, is_literal: bool, ignores_case: bool) -> Result<Self, String> {
        let built = RegexMatcherBuilder::new()
            .fixed_strings(is_literal)
            .case_insensitive(ignores_case)
            .line_terminator(Some(b'\n'))
            .size_limit(COMPILED)
            .dfa_size_limit(BUILT)
            .nest_limit(NESTED)
            .build(pattern);
        match built {
            Ok(matcher) => Ok(Self { matcher }),
            Err(error) => Err(refused(&error)),
        }
    }
}

fn refused(error: &grep_regex::Error) -> String {
    // The first lines draw the pattern with marks below; the last one says what is wrong.
    let text = error.to_string();
    let why = text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
    let hint = if matches!(error.kind(), grep_regex::ErrorKind::NotAllowed(_)) {
        "A pattern matches within one line. "
    } else if why.contains("size limit") {
        "Fewer or smaller repetitions would do. "
    } else {
        ""
    };
    format!("The pattern cannot be used: {why}. {hint}To search for plain text, pass \"literal\": true.")
}
