//! The packages of a target as a whole: which of them it is named for, which version that has, and what a workspace is.

use luminos_core::entry::DirEntry;
use luminos_core::fact::FactKind;

use super::{Known, Told};
use crate::words::{code, count, quoted, some_of};

impl<'a> Told<'a> {
    /// The package that is called like the target, where nothing at the top says what that is: its kind, name and version
    /// in words, and where it lies.
    pub(super) fn namesake(&self) -> Option<(String, &'a DirEntry)> {
        let target = self.material.whole.name.to_ascii_lowercase();
        let packages = self.facts.iter().filter_map(|Known { entry, fact, .. }| {
            let FactKind::Package { kind, name, version, .. } = fact else { return None };
            let own = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
            let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
            (own == target && !entry.relative_path.is_root())
                .then(|| (format!("{kind} {}{version}", code(name)), *entry))
        });
        packages.into_iter().next()
    }

    /// The version of a workspace, or of a program whose manifest has none; that of a package is told with its name.
    pub(super) fn version(&self) -> Option<String> {
        let is_told = self
            .of_root()
            .any(|Known { fact, .. }| matches!(fact, FactKind::Package { version: Some(_), .. }));
        if is_told {
            return None;
        }
        let of_file = self.facts.iter().find_map(|Known { entry, path, fact, .. }| {
            let FactKind::Version { version } = fact else { return None };
            let dir = entry.relative_path.to_word();
            let is_near =
                entry.relative_path.is_root() || !self.sides.has(&dir) && dir.matches('/').count() < 2;
            let is_part = self.is_declared_apart(&dir);
            (is_near && !is_part).then(|| (version.clone(), path.clone()))
        });
        // Of a workspace, that of the package it is named for.
        let of_namesake = || {
            let target = self.material.whole.name.to_ascii_lowercase();
            self.facts.iter().find_map(|Known { path, fact, .. }| {
                let FactKind::Package { name, version: Some(version), .. } = fact else {
                    return None;
                };
                (name.to_ascii_lowercase() == target).then(|| (version.clone(), path.clone()))
            })
        };
        let (version, path) = of_file.or_else(of_namesake)?;
        Some(format!(" Version {} ({}).", version.trim_start_matches('v'), code(&path)))
    }

    /// Whether a directory lies in a package below the top that has a version of its own.
    fn is_declared_apart(&self, dir: &str) -> bool {
        self.facts.iter().any(|Known { entry, fact, .. }| {
            let home = entry.relative_path.to_word();
            matches!(fact, FactKind::Package { .. })
                && !entry.relative_path.is_root()
                && dir.strip_prefix(&home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// The packages of a workspace, each with its kind, name and version.
    fn packages_below(&self) -> Vec<(&str, &str, Option<&str>, &'a DirEntry)> {
        let mut packages: Vec<(&str, &str, Option<&str>, &'a DirEntry)> = Vec::new();
        for Known { entry, fact, .. } in &self.facts {
            if let FactKind::Package { kind, name, version, .. } = fact
                && !entry.relative_path.is_root()
                && !self.sides.has(&entry.relative_path.to_word())
                && !packages.iter().any(|(_, _, _, known)| known.relative_path == entry.relative_path)
            {
                packages.push((kind, name, version.as_deref(), *entry));
            }
        }
        packages
    }

    /// The package that a workspace is named for: by the name of the target, or by the names of most others.
    pub(super) fn main_package(&self) -> Option<&'a DirEntry> {
        let is_workspace = self.of_root().any(|Known { fact, .. }| matches!(fact, FactKind::Members { .. }));
        let packages = if is_workspace { self.packages_below() } else { Vec::new() };
        let target = self.material.whole.name.to_ascii_lowercase();
        let words: Vec<&str> = target.split(['-', '_', '.', ' ']).collect();
        // Most packages of a workspace may be called for one: `@kiln/fire` and `@kiln/ash` for `kiln`.
        let is_of = |name: &str, scope: &str| {
            name.strip_prefix('@').and_then(|name| name.split_once('/')).is_some_and(|(of, _)| of == scope)
        };
        let is_main = |name: &str| {
            let own = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
            let scoped = packages.iter().filter(|(_, other, _, _)| is_of(other, name)).count();
            words.contains(&own.as_str()) && !name.starts_with('@') || packages.len() <= scoped * 2
        };
        let named = |name: &str| {
            let own = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
            words.contains(&own.as_str())
        };
        let main = |test: &dyn Fn(&str) -> bool| {
            packages
                .iter()
                .filter(|(_, name, _, entry)| test(name) && self.words_of(entry).is_some())
                .min_by_key(|(_, name, _, _)| (name.contains('/'), name.len()))
                .map(|(_, _, _, entry)| *entry)
        };
        main(&is_main).or_else(|| main(&named))
    }

    /// What a workspace is, where nothing at the top says so: its packages, and the one it is named for.
    pub(super) fn workspace(&self) -> Option<String> {
        let is_workspace = self.of_root().any(|Known { fact, .. }| matches!(fact, FactKind::Members { .. }));
        let packages = self.packages_below();
        let (kind, ..) = packages.first().filter(|_| is_workspace && 1 < packages.len())?;
        let many = count(packages.len() as u64, kind);
        let called = code(self.material.whole.name);
        let main = self.main_package();
        let main = packages
            .iter()
            .find(|(_, _, _, entry)| main.is_some_and(|main| main.relative_path == entry.relative_path));
        Some(match main {
            Some((_, name, version, entry)) => {
                let version = version.map(|version| format!(" {version}")).unwrap_or_default();
                let said = self.words_of(entry).map(quoted).unwrap_or_default();
                let place = code(&entry.relative_path.to_word());
                format!("{called} is a workspace of {many} around {}{version} ({place}): {said}", code(name))
            }
            None => {
                let names: Vec<String> = packages.iter().map(|(_, name, _, _)| code(name)).collect();
                format!("{called} is a workspace of {many}: {}.", some_of(&names, 6))
            }
        })
    }
}
