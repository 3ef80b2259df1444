//! The few sentences that stand above a report: what it is, what it is written in, and what to look at.

use luminos_core::entry::DirEntry;
use luminos_core::fact::FactKind;
use luminos_core::flag::Severity;

use super::{Known, Told};
use crate::sentence;
use crate::survey::{builds_of, collection};
use crate::tree::{categories, languages_in_words};
use crate::words::{code, count, first_sentence, list, number};

impl Told<'_> {
    /// What a directory says of itself.
    pub(super) fn words_of(&self, entry: &DirEntry) -> Option<&str> {
        self.facts.iter().find_map(|Known { entry: of, fact, .. }| {
            let FactKind::Description { text } = *fact else { return None };
            (of.relative_path == entry.relative_path).then_some(text.as_str())
        })
    }

    pub(super) fn brief(&self) -> String {
        let scan = self.material.whole.scan;
        let name = code(self.material.whole.name);
        let is_told =
            self.root.is_some_and(|root| root.confidence.is_some_and(|confidence| 0.9 <= confidence.get()));
        let what = match self.root {
            Some(_) if !is_told && !self.is_software() && self.collected().is_some() => {
                format!("{name} {}", self.collected().unwrap_or_default())
            }
            Some(_) if !is_told && !self.is_software() => {
                collection(&self.material.whole, &categories(scan)).about(&name)
            }
            Some(_)
                if !is_told
                    && self.is_software()
                    && let Some(words) = self.workspace() =>
            {
                words
            }
            Some(_) if !is_told && let Some((package, entry)) = self.namesake() => {
                let words = self.words_of(entry).map(|words| format!(": {}", crate::words::quoted(words)));
                let place = code(&entry.relative_path.to_word());
                format!("{name} holds the {package} in {place}{}", words.unwrap_or_default())
            }
            Some(root) => match root.opening.as_deref() {
                Some(opening) => sentence::opening_alone(&name, opening),
                // A model wrote it.
                None => first_sentence(root.summary.split("\n\n").next().unwrap_or_default()).to_owned(),
            },
            None => self.material.survey.map_or_else(
                || format!("{name} was not described as a whole."),
                |survey| format!("{name}: {}", survey.description),
            ),
        };
        // What somebody wrote about a collection says why it is there; what is in it comes next.
        let kept = if is_told && !self.is_software() { self.collected() } else { None };
        let languages = languages_in_words(scan, 3);
        let builds = builds_of(scan);
        let mut parts = vec![ended(&what)];
        parts.extend(kept.map(|kept| format!("It {kept}")));
        if self.is_software() && !languages.is_empty() {
            let built =
                if builds.is_empty() { String::new() } else { format!("; built with {}", list(&builds)) };
            let last = self.last_day().map(|day| format!("; last commit {day}")).unwrap_or_default();
            parts.push(format!("Written in {languages}{built}{last}."));
        }
        let flags = self.material.flags;
        let of = |severity: Severity| flags.iter().filter(|flag| flag.severity == severity).count() as u64;
        match (of(Severity::Critical), of(Severity::Concern)) {
            (0, 0) => {}
            (critical, 0) => parts.push(format!("{} critical to look at.", number(critical))),
            (0, concerns) => parts.push(format!("{} to look at.", count(concerns, "concern"))),
            (critical, concerns) => {
                parts.push(format!(
                    "{} critical and {} to look at.",
                    number(critical),
                    count(concerns, "concern")
                ));
            }
        }
        parts.join(" ")
    }
}

/// A sentence with its end.
fn ended(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', ')'])
        || text.ends_with(".”")
        || text.ends_with("!”")
        || text.ends_with("?”")
        || text.ends_with("…”")
    {
        return text.to_owned();
    }
    format!("{text}.")
}
