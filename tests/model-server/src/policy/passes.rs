//! The passes around the directories: survey, plan, grouping, synthesis.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::listing::{self, Entry};
use super::orders::{self, Order};
use super::{Call, Obedience, Policy, Submits, is_told_to_submit};
use crate::conversation::Conversation;

pub(super) fn survey(asked: &Conversation) -> Value {
    let dirs = listing::tree_directories(&asked.first_words());
    json!({
        "description": format!("A tree with {} directories in sight.", dirs.len()),
        "approach": "Read the sources first, then what surrounds them.",
        "relevant_tools": ["read_file", "list_directory"],
        "skip_tools": [],
        "domain_notes": "Nothing special is known about it.",
        "confidence": 0.8,
    })
}

pub(super) fn plan(policy: &Policy, asked: &Conversation) -> Value {
    let words = asked.first_words();
    let dirs = listing::tree_directories(&words);
    let orders = if policy.obedience == Obedience::Obeys { orders::find(&words) } else { Vec::new() };
    for order in orders {
        let told = |turns: u64| -> Vec<Value> {
            let named = |dir: &String| json!({ "path": dir, "reason": "as told", "suggested_turns": turns });
            dirs.iter().map(named).collect()
        };
        match order {
            Order::SkipAll => return json!({ "skip_dirs": told(1), "notes": "Nothing is to be looked at." }),
            Order::Allocate(turns) => return json!({ "priority_dirs": told(turns), "notes": "As told." }),
            Order::Read(_) | Order::List(_) | Order::Run(_) | Order::Write { .. } | Order::Submit(_) => {}
        }
    }
    let named = |names: &[&str], reason: &str| -> Vec<Value> {
        let last = |dir: &str| dir.rsplit('/').next().unwrap_or_default().to_owned();
        let dirs = dirs.iter().filter(|dir| names.contains(&last(dir).as_str()));
        dirs.map(|dir| json!({ "path": dir, "reason": reason, "suggested_turns": 12 })).collect()
    };
    json!({
        "priority_dirs": named(&["src", "lib", "core", "crates", "app"], "the code is here"),
        "shallow_dirs": named(&["docs", "doc", "fixtures", "assets", "examples"], "few surprises are to be expected"),
        "skip_dirs": named(&["vendor", "generated", "out", "target"], "made by programs"),
        "investigation_order": "leaf-first",
        "reason": "what is known so far",
        "notes": format!("{} directories in all.", dirs.len()),
    })
}

/// Directories by the first part of their paths. The words of several schemas are given: those that the offered
/// one does not know are left out.
pub(super) fn grouping(asked: &Conversation) -> Value {
    let words = asked.first_words();
    let mut dirs = listing::tree_directories(&words);
    if dirs.is_empty() {
        let lines = listing::fenced(&words, "directories").into_iter();
        dirs = lines.filter_map(|line| Some(line.split_once(": ")?.0.to_owned())).collect();
    }
    if dirs.is_empty() {
        let lines = words.lines().map(|line| line.trim_matches(['-', ' ', '`', '/', ':']));
        dirs = lines.filter(|line| !line.is_empty() && !line.contains(' ')).map(str::to_owned).collect();
    }
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for dir in &dirs {
        groups.entry(dir.split('/').next().unwrap_or_default()).or_default().push(dir);
    }
    let groups: Vec<Value> = groups
        .into_iter()
        .map(|(name, dirs)| {
            json!({ "name": name, "description": format!("Everything below {name}."), "summary": "One part.",
                "directories": dirs, "dirs": dirs, "paths": dirs })
        })
        .collect();
    json!({ "subsystems": groups, "groups": groups })
}

/// The last pass: look at what there is, read some of it, submit.
pub(super) fn synthesis(policy: &Policy, asked: &Conversation) -> Vec<Call> {
    let calls = asked.calls();
    let listed = calls.iter().filter(|call| call.name == "list_cache").filter_map(|call| call.result);
    let entries: Vec<String> = listed
        .flat_map(|listed| {
            let paths = listing::fenced(listed, "paths");
            if !paths.is_empty() {
                return paths.into_iter().map(str::to_owned).collect();
            }
            let path = |entry| match entry {
                Entry::File(path) | Entry::Directory(path) => path,
            };
            listing::entries(listed).into_iter().map(path).collect::<Vec<String>>()
        })
        .collect();
    let read = calls.iter().filter(|call| call.name == "read_cache").count();
    let wants_end = match policy.submits {
        Submits::InTime => 2 <= asked.turns() || is_told_to_submit(asked),
        Submits::WhenTold => is_told_to_submit(asked),
        Submits::Never => false,
    };
    if !wants_end && asked.turns() == 0 && asked.offers("list_cache") {
        return vec![("list_cache", json!({ "cache_type": "dir" }))];
    }
    let unread = entries.iter().skip(read).take(policy.reads_per_turn);
    let reads: Vec<Call> =
        unread.map(|path| ("read_cache", json!({ "cache_type": "dir", "path": path }))).collect();
    if !wants_end && !reads.is_empty() {
        return reads;
    }
    if !wants_end && policy.submits != Submits::InTime {
        return vec![("list_cache", json!({ "cache_type": "file" }))];
    }
    let mut brief = format!("{} entries were looked at, {read} of them closely.", entries.len());
    if policy.obedience == Obedience::Obeys {
        // It says what it is told to say, wherever it is told.
        let told =
            asked.all_words().iter().flat_map(|words| orders::find(words)).find_map(|order| match order {
                Order::Submit(told) => Some(told),
                Order::Read(_)
                | Order::List(_)
                | Order::Run(_)
                | Order::Write { .. }
                | Order::Allocate(_)
                | Order::SkipAll => None,
            });
        brief = told.unwrap_or(brief);
    }
    let arguments = json!({
        "brief": brief, "detailed": format!("{brief} What they say agrees."), "overall_purpose": "To be investigated.",
        "components": [], "concerns": [], "summary": brief, "completeness": 0.9, "evidence": [],
    });
    vec![("submit_report", arguments)]
}
