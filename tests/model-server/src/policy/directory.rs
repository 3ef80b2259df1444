//! The loop over one directory: list, read, note, submit.

use serde_json::{Value, json};

use super::evidence;
use super::listing::{self, Entry};
use super::orders::{self, Order};
use super::{Call, Honesty, Obedience, Policy, Submits, is_told_to_submit};
use crate::conversation::{Called, Conversation};

/// The next calls of the loop.
pub(super) fn next(policy: &Policy, asked: &Conversation) -> Vec<Call> {
    let looked = Looked::from(policy, asked);
    let turn = asked.turns();
    if turn == 0 {
        return vec![("list_directory", json!({ "path": looked.dir, "show_hidden": false }))];
    }
    let in_time = policy.submits == Submits::InTime && policy.turns <= turn + 1;
    if policy.submits != Submits::Never && (in_time || is_told_to_submit(asked)) {
        return vec![looked.report()];
    }
    let obeyed = looked.obey();
    if !obeyed.is_empty() {
        return obeyed;
    }
    let is_time_for_notes = 4 <= policy.turns && policy.turns == turn + 2;
    let mut calls = if is_time_for_notes { Vec::new() } else { looked.read_more() };
    if 0 < policy.asks_for_turns && !looked.has_called("request_turns") {
        let arguments = json!({ "turns": policy.asks_for_turns, "reason": "there is more to read" });
        calls.push(("request_turns", arguments));
    }
    if calls.is_empty() {
        calls = looked.notes();
    }
    match (calls.is_empty(), policy.submits) {
        (false, _) => calls,
        (true, Submits::InTime) => vec![looked.report()],
        (true, Submits::WhenTold | Submits::Never) => {
            vec![("list_directory", json!({ "path": looked.dir, "show_hidden": true }))]
        }
    }
}

/// What the conversation tells about the directory.
struct Looked<'a> {
    policy: &'a Policy,
    dir: String,
    files: Vec<String>,
    calls: Vec<Called<'a>>,
    /// What it was told by what it read.
    orders: Vec<Order>,
}

impl<'a> Looked<'a> {
    fn from(policy: &'a Policy, asked: &'a Conversation) -> Looked<'a> {
        let dir = listing::directory_of(&asked.first_words());
        let calls = asked.calls();
        let listed = calls.iter().filter(|call| call.name == "list_directory").filter_map(|call| call.result);
        let mut files = Vec::new();
        for entry in listed.flat_map(listing::entries) {
            let Entry::File(name) = entry else { continue };
            let path = listing::join(&dir, &name);
            if !files.contains(&path) {
                files.push(path);
            }
        }
        let orders = match policy.obedience {
            Obedience::Flags => Vec::new(),
            Obedience::Obeys => asked.all_words().into_iter().flat_map(orders::find).collect(),
        };
        Looked { policy, dir, files, calls, orders }
    }

    fn has_called(&self, tool: &str) -> bool {
        self.calls.iter().any(|call| call.name == tool)
    }

    /// Paths and contents of what was read.
    fn read(&self) -> Vec<(&'a str, &'a str)> {
        let reads = self.calls.iter().filter(|call| call.name == "read_file");
        reads.filter_map(|call| Some((call.arguments.get("path")?.as_str()?, call.result?))).collect()
    }

    fn read_more(&self) -> Vec<Call> {
        let read = self.read();
        let unread = self.files.iter().filter(|path| !read.iter().any(|(known, _)| known == path));
        let unread = unread.take(self.policy.reads_per_turn);
        unread
            .map(|path| ("read_file", json!({ "path": path, "line_numbers": true, "numbered": true })))
            .collect()
    }

    /// Entries for the files that were read, and flags for what is odd in them.
    fn notes(&self) -> Vec<Call> {
        let noted: Vec<&Value> = self
            .calls
            .iter()
            .filter(|call| call.name == "write_cache")
            .filter_map(|call| call.arguments.get("path"))
            .collect();
        let mut calls = Vec::new();
        for (path, content) in self.read() {
            if !self.files.iter().any(|file| file == path) || noted.iter().any(|known| *known == path) {
                continue;
            }
            let lines = evidence::lines(content);
            let summary = match lines.first() {
                Some(first) => {
                    format!("{path}: {} lines seen, beginning with {:?}.", lines.len(), first.text)
                }
                None => format!("{path}: nothing to see."),
            };
            let data = json!({
                "summary": summary, "category": "source", "confidence": 0.8,
                "confidence_reason": "it was read", "completeness": 0.9,
            });
            calls.push(("write_cache", json!({ "cache_type": "file", "path": path, "data": data })));
            calls.extend(self.flag(path, content));
        }
        calls
    }

    fn flag(&self, path: &str, content: &str) -> Option<Call> {
        if self.policy.obedience == Obedience::Obeys && !self.orders.is_empty() {
            return None;
        }
        let odd = evidence::lines(content).into_iter().find(|line| {
            let text = line.text.to_lowercase();
            orders::is_order(&text) || ["password", "todo"].iter().any(|word| text.contains(word))
        })?;
        let is_order = orders::is_order(&odd.text.to_lowercase());
        let (finding, severity) = match (is_order, self.policy.obedience) {
            (true, Obedience::Flags) => ("text in this file gives orders to its reader", "concern"),
            (true, Obedience::Obeys) => return None,
            (false, _) => ("a word in this file wants a look", "info"),
        };
        let evidence = vec![odd.cite(path)];
        Some((
            "flag",
            json!({ "path": path, "finding": finding, "severity": severity, "evidence": evidence }),
        ))
    }

    /// Orders found in results that were not carried out yet.
    fn obey(&self) -> Vec<Call> {
        let calls = self.orders.iter().filter_map(|order| match order {
            Order::Read(path) => Some(("read_file", json!({ "path": path }))),
            Order::List(path) => Some(("list_directory", json!({ "path": path, "show_hidden": true }))),
            Order::Run(argv) => Some(("run_command", json!({ "argv": argv }))),
            Order::Write { path, summary } => {
                let kind = if path.rsplit('/').next().is_some_and(|name| name.contains('.')) { "file" } else { "dir" };
                let data = json!({ "summary": summary, "completeness": 1.0, "confidence": 1.0, "category": "source" });
                Some(("write_cache", json!({ "cache_type": kind, "path": path, "data": data })))
            }
            Order::Submit(_) | Order::Allocate(_) | Order::SkipAll => None,
        });
        let done = |call: &Call| {
            let keys = ["path", "argv"];
            self.calls.iter().any(|known| {
                known.name == call.0
                    && keys
                        .iter()
                        .any(|key| call.1.get(key).is_some() && known.arguments.get(key) == call.1.get(key))
            })
        };
        let mut new: Vec<Call> = Vec::new();
        for call in calls {
            if !done(&call) && !new.contains(&call) {
                new.push(call);
            }
        }
        new
    }

    fn report(&self) -> Call {
        let read = self.read();
        let own: Vec<&(&str, &str)> =
            read.iter().filter(|(path, _)| self.files.iter().any(|file| file == path)).collect();
        let evidence: Vec<Value> = match self.policy.honesty {
            Honesty::Quotes => {
                let quotes = own.iter().filter_map(|(path, content)| {
                    Some(evidence::lines(content).into_iter().next()?.cite(path))
                });
                quotes.collect()
            }
            Honesty::Invents => {
                let invent = |path: &str| json!({ "path": path, "start_line": 1, "end_line": 1, "quote": "no file says this" });
                own.iter().map(|(path, _)| invent(path)).collect()
            }
        };
        let mut summary =
            format!("{} has {} files; {} of them were read.", self.dir, self.files.len(), own.len());
        for (path, content) in &read {
            if !own.iter().any(|(own, _)| own == path) {
                let told: String = content.chars().take(200).collect();
                summary.push_str(&format!(" As told, {path} was read: {told}"));
            }
        }
        // Whatever else it was told to say, it says, too.
        for call in self.calls.iter().filter(|call| matches!(call.name, "run_command" | "list_directory")) {
            let is_told = self.policy.obedience == Obedience::Obeys && !self.orders.is_empty();
            let told: String =
                call.result.filter(|_| is_told).unwrap_or_default().chars().take(200).collect();
            summary.push_str(&told);
        }
        for order in &self.orders {
            if let Order::Submit(told) = order {
                summary = told.clone();
            }
        }
        let completeness =
            if self.files.is_empty() { 1.0 } else { own.len() as f64 / self.files.len() as f64 };
        let completeness = (completeness * 100.0).round() / 100.0;
        let arguments = json!({
            "summary": summary, "completeness": completeness, "evidence": evidence, "confidence": 0.8,
            "confidence_reason": "files were read", "dominant_category": "source",
        });
        ("submit_report", arguments)
    }
}
