//! What of a file is code, what is a comment, what is a string, and which of its lines are tests of the same file.

use std::cell::OnceCell;

use super::tongue::{Tongue, is_code};
use crate::eyes::FileText;

/// A file in its language; what costs a pass over it is found out when somebody asks.
pub(crate) struct Spoken<'f> {
    file: &'f FileText,
    tongue: Option<Tongue>,
    prose: OnceCell<Vec<(usize, usize)>>,
    tests: OnceCell<Vec<(usize, usize)>>,
}

impl<'f> Spoken<'f> {
    pub(crate) fn of(file: &'f FileText) -> Self {
        let tongue = Tongue::of(&file.name, &file.text);
        Self { file, tongue, prose: OnceCell::new(), tests: OnceCell::new() }
    }

    /// Whether it is a program, in a language that is known.
    pub(super) fn is_program(&self) -> bool {
        self.tongue.is_some()
    }

    /// Whether a byte is neither in a comment nor in a string.
    pub(crate) fn is_code(&self, at: usize) -> bool {
        is_code(self.prose(), at)
    }

    /// Whether a byte lies in a string. One that documents what it stands in is a comment.
    pub(super) fn is_string(&self, at: usize) -> bool {
        let Some(tongue) = self.tongue else { return false };
        let ranges = self.prose();
        let next = ranges.partition_point(|(start, _)| *start <= at);
        let Some((start, end)) = next.checked_sub(1).map(|index| ranges[index]) else { return false };
        at < end && !tongue.is_comment(&self.file.text, start)
    }

    /// Whether a line belongs to tests that stand in the file of what they test, as in Rust.
    pub(super) fn is_test(&self, line: usize) -> bool {
        let tests = self.tests.get_or_init(|| self.inner_tests());
        tests.iter().any(|(first, last)| *first <= line && line <= *last)
    }

    fn prose(&self) -> &[(usize, usize)] {
        self.prose.get_or_init(|| self.tongue.map(|tongue| tongue.prose(&self.file.text)).unwrap_or_default())
    }

    fn inner_tests(&self) -> Vec<(usize, usize)> {
        const MARK: &str = "#[cfg(test)]";
        if self.tongue != Some(Tongue::Rust) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for at in memchr::memmem::find_iter(self.file.text.as_bytes(), MARK.as_bytes()) {
            let first = self.file.line_at(at);
            let is_attribute = |line: &str| line.trim_start().starts_with("#[");
            let mut body = (first..=self.file.line_count()).map(|line| self.file.line(line));
            let is_module = body.find(|line| !is_attribute(line)).is_some_and(|line| {
                let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
                line.starts_with("mod ") && line.trim_end().ends_with('{')
            });
            if self.file.line(first) != MARK || !is_module {
                continue;
            }
            let last = (first..=self.file.line_count()).find(|line| self.file.line(*line) == "}");
            found.push((first, last.unwrap_or(self.file.line_count())));
        }
        found
    }
}
