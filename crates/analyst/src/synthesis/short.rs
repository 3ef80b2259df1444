//! Long ways that everything lies at the end of, as packages of Java do, told once and shortened after that.

use luminos_core::report::{Findings, ItemKind, Subsystem};

use crate::role::before_packages;
use crate::words::code;

/// A shorter way is told as it is.
const LONG: usize = 30;

/// A long way, and what stands for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Short {
    way: String,
    alias: String,
}

impl Short {
    /// The way that all parts in packages have in common.
    pub(super) fn of(parts: &[String]) -> Option<Self> {
        let packaged: Vec<&String> =
            parts.iter().filter(|part| before_packages(part).len() < part.len()).collect();
        let first = packaged.first().filter(|_| 1 < packaged.len())?;
        let mut way = first.as_str();
        while !packaged.iter().all(|part| is_within(part, way)) {
            way = way.rsplit_once('/')?.0;
        }
        let last = way.rsplit('/').next()?;
        (LONG < way.len()).then(|| Self { way: way.to_owned(), alias: format!("…/{last}") })
    }

    fn words(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.way), &format!("{}/", self.alias))
            .replace(&code(&self.way), &code(&self.alias))
    }

    fn name(&self, name: &str) -> String {
        if name == self.way { self.alias.clone() } else { self.words(name) }
    }

    /// Shortens what is said of the whole; what the short way stands for is said first.
    pub(super) fn shorten(&self, findings: &mut Findings) {
        let told = format!("Below, {} stands for {}.", code(&self.alias), code(&self.way));
        let detailed = self.words(&findings.detailed);
        let (first, rest) = detailed.split_once("\n\n").unwrap_or((&detailed, ""));
        findings.detailed = format!("{first} {told}\n\n{rest}").trim_end().to_owned();
        for item in findings.sections.values_mut().flatten() {
            item.name = self.name(&item.name);
            item.text = self.words(&item.text);
            if let Some(ItemKind::Uses { parts }) = &mut item.kind {
                parts.iter_mut().for_each(|part| *part = self.name(part));
            }
        }
    }

    pub(super) fn name_of(&self, subsystem: &mut Subsystem) {
        subsystem.name = self.name(&subsystem.name);
        subsystem.description = self.words(&subsystem.description);
    }
}

fn is_within(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_in_common_is_shortened() {
        let way = "src/main/java/org/example/samples/clinic";
        let parts = [way.to_owned(), format!("{way}/owner"), format!("{way}/vet"), "k8s".to_owned()];
        let short = Short::of(&parts).unwrap();
        assert_eq!(short.alias, "…/clinic");
        assert_eq!(
            short.words(&format!("uses `{way}/vet` and `{way}`")),
            "uses `…/clinic/vet` and `…/clinic`"
        );
        assert_eq!(Short::of(&["src/a".to_owned(), "src/b".to_owned()]), None);
    }
}
