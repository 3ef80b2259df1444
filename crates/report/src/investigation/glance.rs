//! What a reader looks for first, as pairs of a word and what is told: the answers that won.

use luminos_core::RelPath;
use luminos_core::answer::{Answer, Candidate, Field};
use luminos_core::report::Report;

use crate::prose;

/// What the head of every report says in its own words.
const IN_THE_HEAD: [Field; 3] = [Field::Kind, Field::Name, Field::Purpose];
/// What has a chapter of its own further down.
const TOLD_BELOW: [Field; 2] = [Field::History, Field::Worries];

/// One field of the page: its word, and one inert line for each thing that is told.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) lines: Vec<Line>,
}

/// One thing that is told: what, what there is to say about it, and who says so.
pub(super) struct Line {
    /// Whether the text is something to type or a path, to be set as code.
    pub(super) is_code: bool,
    pub(super) text: String,
    pub(super) about: String,
    pub(super) place: String,
}

impl Line {
    /// The line as plain text.
    pub(super) fn plain(&self) -> String {
        let text = if self.is_code { format!("`{}`", self.text) } else { self.text.clone() };
        let about = if self.about.is_empty() { String::new() } else { format!(": {}", self.about) };
        let place = if self.place.is_empty() { String::new() } else { format!(" ({})", self.place) };
        format!("{text}{about}{place}")
    }
}

/// The rows of the page.
pub(super) fn rows(report: &Report) -> Vec<Row> {
    let answers = report.findings.answers.iter();
    let is_shown = |field: Field| !IN_THE_HEAD.contains(&field) && !TOLD_BELOW.contains(&field);
    answers
        .filter(|(field, answer)| is_shown(**field) && !answer.told.is_empty())
        .map(|(field, answer)| Row {
            title: field.title(),
            lines: answer.told.iter().map(|candidate| line(*field, candidate)).collect(),
        })
        .collect()
}

fn line(field: Field, candidate: &Candidate) -> Line {
    let path = candidate.path.as_ref().map(RelPath::for_terminal).unwrap_or_default();
    let text = prose::one_line(&candidate.text);
    // A path that names itself needs no place.
    let place = match candidate.line {
        _ if path.is_empty() || path == text => String::new(),
        0 => path,
        line => format!("{path}:{line}"),
    };
    let is_code = match field {
        Field::Install | Field::Build | Field::Test | Field::Run => true,
        Field::Entry | Field::Start | Field::Parts => candidate.text.bytes().all(|byte| byte != b' '),
        Field::Kind
        | Field::Name
        | Field::Purpose
        | Field::Version
        | Field::Licence
        | Field::Requires
        | Field::Services
        | Field::Tests
        | Field::History
        | Field::Worries => false,
    };
    Line { is_code, text, about: prose::one_line(&candidate.about), place }
}

/// What of a program nothing says: which of the things that every program should tell have no answer.
pub(super) fn unanswered(report: &Report) -> Vec<&'static str> {
    let answers = &report.findings.answers;
    let kinds = answers.get(&Field::Kind).map(|kind| kind.told.as_slice()).unwrap_or_default();
    if !kinds.iter().any(|kind| kind.text == "software") {
        return Vec::new();
    }
    let has_answer =
        |field: &Field| answers.get(field).is_some_and(|answer: &Answer| !answer.told.is_empty());
    let expected = [
        (Field::Version, "its version"),
        (Field::Licence, "its licence"),
        (Field::Install, "how it is installed"),
        (Field::Test, "how it is tested"),
    ];
    expected.into_iter().filter(|(field, _)| !has_answer(field)).map(|(_, words)| words).collect()
}

/// All candidates of a field with their scores, for whoever wants to know why an answer is what it is.
pub fn explain(report: &Report, field: Field) -> String {
    let mut out = format!("{}\n", field.title());
    let empty = Answer::default();
    let answer = report.findings.answers.get(&field).unwrap_or(&empty);
    if answer.is_empty() {
        out.push_str("  nothing here says it\n");
        return out;
    }
    let told = answer.told.iter().map(|candidate| ("told", candidate));
    let others = answer.others.iter().map(|candidate| ("", candidate));
    for (mark, candidate) in told.chain(others) {
        let source = prose::one_line(&candidate.source);
        let line = line(field, candidate).plain();
        out.push_str(&format!("  {mark:<5} {:>3}  {line}\n              {source}\n", candidate.score));
    }
    out
}

#[cfg(test)]
mod tests {
    use luminos_core::answer::{Answer, Candidate, Field};

    use super::*;
    use crate::investigation::sample;

    #[test]
    fn what_nothing_says_is_named_for_programs_only() {
        let mut report = sample::bare();
        assert_eq!(unanswered(&report), Vec::<&str>::new());
        let kind = |word: &str| Answer::choose(Field::Kind, vec![Candidate::new(word, "the scan", 90)]);
        report.findings.answers.insert(Field::Kind, kind("software"));
        assert_eq!(
            unanswered(&report),
            ["its version", "its licence", "how it is installed", "how it is tested"]
        );
        report.findings.answers.insert(Field::Kind, kind("photos"));
        assert_eq!(unanswered(&report), Vec::<&str>::new());
    }

    #[test]
    fn all_candidates_are_explained_with_their_numbers() {
        let report = sample::report();
        insta::assert_snapshot!(explain(&report, Field::Version), @"
        Version
          told   90  2.1.0 (Cargo.toml:3)
                      the package of the top
                 40  1.9.0: the newest heading (CHANGELOG.md:5)
                      the changelog
        ");
        assert_eq!(explain(&report, Field::Services), "Talks to\n  nothing here says it\n");
    }
}
