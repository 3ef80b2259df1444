//! What a reader looks for first, field by field: every source offers candidates, and the best of them answers.
//!
//! A score says how often a source of that kind is right: a manifest of the main language nearly always, a habit of
//! its tool less often. Each file here ranks some fields; none of them reads files.

use luminos_core::answer::{Answer, Answers, Candidate, Field};

use super::{Known, Told};

mod around;
mod commands;
mod identity;
mod inside;

impl Told<'_> {
    /// The answers, for each field that has a candidate.
    pub(super) fn answers(&self) -> Answers {
        let offered = [
            (Field::Kind, self.kinds()),
            (Field::Name, self.names()),
            (Field::Purpose, self.purposes()),
            (Field::Version, self.versions()),
            (Field::Licence, self.licences()),
            (Field::Requires, self.requirements()),
            (Field::Install, self.to_install()),
            (Field::Build, self.to_build()),
            (Field::Test, self.to_test()),
            (Field::Run, self.to_run()),
            (Field::Entry, self.ways_to_enter()),
            (Field::Start, self.places_to_begin()),
            (Field::Parts, self.what_it_is_made_of()),
            (Field::Services, self.what_it_talks_to()),
            (Field::Tests, self.what_is_tested()),
            (Field::History, self.how_alive()),
            (Field::Worries, self.what_worries()),
        ];
        let answers =
            offered.into_iter().map(|(field, candidates)| (field, Answer::choose(field, candidates)));
        answers.filter(|(_, answer)| !answer.is_empty()).collect()
    }
}

/// A candidate with the place that its fact cites.
fn cited(text: &str, source: &str, score: u8, known: &Known<'_>) -> Candidate {
    let path = known.whole.subject.path(&known.entry.relative_path).clone();
    let evidence = if known.whole.evidence.is_empty() {
        known.worded.map_or(&[][..], |claim| &claim.evidence)
    } else {
        &known.whole.evidence
    };
    let cited = evidence.iter().find(|evidence| evidence.path == path).or(evidence.first());
    match cited {
        Some(cited) => Candidate::new(text, source, score).at(cited.path.clone(), cited.start_line),
        None => Candidate::new(text, source, score).at(path, 0),
    }
}
