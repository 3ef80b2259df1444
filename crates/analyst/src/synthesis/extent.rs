//! How much there is of a target, and on which terms: its files, lines, version and licence.

use luminos_core::ByteSize;
use luminos_core::fact::FactKind;

use super::{Known, Told, lines_of_code};
use crate::tree::{languages, root_names};
use crate::words::{code, count, list};

impl Told<'_> {
    /// How many files, directories, bytes and lines there are.
    pub(super) fn extent(&self) -> Option<String> {
        let scan = self.material.whole.scan;
        let root = scan.dirs.first()?;
        let code: u64 = languages(scan).iter().map(|(_, lines)| lines).sum();
        let of_code = if code == 0 || !self.is_software() {
            String::new()
        } else {
            format!(", {}", lines_of_code(code))
        };
        Some(format!(
            "{} in {}, {}{of_code}.{}{}",
            count(root.files, "file"),
            count(scan.dirs.len() as u64, "directory"),
            ByteSize(root.bytes),
            self.version().unwrap_or_default(),
            self.licence()
        ))
    }

    /// Which licences the files at the top name, each once with those that do.
    fn licence(&self) -> String {
        let mut licences: Vec<(&str, Vec<String>)> = Vec::new();
        for Known { path, fact, .. } in self.of_root() {
            if let FactKind::Licence { name } = fact {
                match licences.iter_mut().find(|(known, _)| is_same_licence(known, name)) {
                    Some((known, paths)) => {
                        paths.push(code(path));
                        // The longer name says more: `AGPL-3.0-or-later`.
                        *known = if known.len() < name.len() { name } else { known };
                    }
                    None => licences.push((name, vec![code(path)])),
                }
            }
        }
        // The one that is named most stands for the whole; a file for something else comes last.
        licences.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
        // A manifest that leaves a choice names all of them.
        let choice = licences.iter().find(|(name, _)| name.contains(" OR ")).map(|(name, _)| *name);
        licences.retain(|(name, _)| choice.is_none_or(|choice| *name == choice || !choice.contains(*name)));
        let told: Vec<String> =
            licences.into_iter().map(|(name, paths)| format!("{name} ({})", list(&paths))).collect();
        match (told.is_empty(), self.is_software()) {
            (true, false) => String::new(),
            (true, true) => match self.licence_file() {
                Some(path) => format!(" Licence: terms of its own ({}).", code(&path)),
                None => " No licence was found at the top.".to_owned(),
            },
            (false, _) => format!(" Licence: {}.", list(&told)),
        }
    }

    /// A file at the top that grants a licence in words that nobody here knows.
    pub(super) fn licence_file(&self) -> Option<String> {
        let is_it = |name: &String| {
            let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
            matches!(stem.as_str(), "LICENSE" | "LICENCE" | "COPYING")
        };
        root_names(self.material.whole.scan).into_iter().find(is_it)
    }
}

/// Whether two names mean one licence: `AGPL-3.0` and `AGPL-3.0-or-later`.
pub(super) fn is_same_licence(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    one == other || one.starts_with(&format!("{other}-")) || other.starts_with(&format!("{one}-"))
}
