//! What data there is, which time it covers and what is wrong with it.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::report::Item;

use super::Told;
use crate::offline::role::Role;
use crate::offline::statement::Statement;
use crate::offline::words::{code, some_of};

/// So many files are told.
const FILES: usize = 40;

impl Told<'_> {
    /// Tables, logs, mailboxes and notebooks with what they hold.
    pub(super) fn datasets(&self) -> Vec<Item> {
        let mut items: BTreeMap<&str, Item> = BTreeMap::new();
        for (entry, statement, _) in &self.statements {
            let (path, text) = if let Statement::Columns { path, names } = statement {
                let names: Vec<String> = names.iter().map(|name| code(name)).collect();
                (path, format!("columns {}", some_of(&names, 12)))
            } else if let Statement::Holds { path, words } = statement {
                (path, words.clone())
            } else {
                continue;
            };
            let item = Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text,
                sources: vec![entry.relative_path.clone()],
            };
            // What says how much there is says more than the names alone.
            if matches!(statement, Statement::Holds { .. }) || !items.contains_key(path.as_str()) {
                items.insert(path, item);
            }
        }
        items.into_values().take(FILES).collect()
    }

    /// The time that all data together covers. What tests use says nothing about it.
    pub(super) fn period(&self) -> Option<String> {
        let spans = self.statements.iter().filter_map(|(_, statement, _)| {
            let Statement::Spans { path, from, to } = statement else { return None };
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            let is_for_tests = matches!(Role::of(dir), Some(Role::Tests | Role::Fixtures | Role::Examples));
            (!is_for_tests).then_some((path, from, to))
        });
        let spans: Vec<_> = spans.collect();
        let (first, from, _) = spans.iter().min_by_key(|(_, from, _)| *from)?;
        let (last, _, to) = spans.iter().max_by_key(|(_, _, to)| *to)?;
        Some(if first == last {
            format!("{from} to {to} ({}).", code(first))
        } else {
            format!("{from} ({}) to {to} ({}).", code(first), code(last))
        })
    }

    /// What is wrong with the data.
    pub(super) fn quality(&self) -> Vec<Item> {
        let faults = self.statements.iter().filter_map(|(entry, statement, _)| {
            let Statement::Lacks { path, words } = statement else { return None };
            Some(Item {
                name: path.clone(),
                path: Some(RelPath::from(path.as_str())),
                text: words.clone(),
                sources: vec![entry.relative_path.clone()],
            })
        });
        faults.take(FILES).collect()
    }
}
