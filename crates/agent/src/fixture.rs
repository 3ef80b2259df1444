//! A daemon for tests: answers by a script, keeps turns like the real one, and remembers all it was told.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use luminos_core::entry::FileEntry;
use luminos_core::flag::Flag;
use luminos_core::job::{
    Ask, Assignment, DirResult, JobId, ListedFile, Loan, Mind, News, NoTurn, Reception, Said, ToolLine,
};
use luminos_core::plan::{Tier, Turns};
use luminos_core::scan::Category;
use luminos_core::spend::{Tokens, Usage};
use luminos_core::talk::{Arguments, AssistantBlock, Message, StopReason, ToolCall, UserBlock};
use luminos_core::{RelPath, TargetKind};
use serde_json::Value;

use crate::compact;
use luminos_core::services::{Answers, Services};

/// A daemon that answers by a script.
#[derive(Default)]
pub(crate) struct Script {
    said: RefCell<VecDeque<Result<Said, NoTurn>>>,
    loans: RefCell<VecDeque<Loan>>,
    receptions: RefCell<VecDeque<Reception>>,
    pub(crate) asked: RefCell<Vec<Ask>>,
    pub(crate) borrowed: RefCell<Vec<(Turns, String)>>,
    pub(crate) news: RefCell<Vec<News>>,
    pub(crate) results: RefCell<Vec<DirResult>>,
    /// The conversation as the gateway would keep it.
    pub(crate) transcript: RefCell<Vec<Message>>,
    stops_after: Cell<Option<usize>>,
}

impl Script {
    pub(crate) fn new(said: impl IntoIterator<Item = Said>) -> Self {
        Self { said: RefCell::new(said.into_iter().map(Ok).collect()), ..Self::default() }
    }

    /// And then there is no more turn.
    pub(crate) fn then_no(self, no_turn: NoTurn) -> Self {
        self.said.borrow_mut().push_back(Err(no_turn));
        self
    }

    pub(crate) fn lending(self, loan: Loan) -> Self {
        self.loans.borrow_mut().push_back(loan);
        self
    }

    pub(crate) fn receiving(self, reception: Reception) -> Self {
        self.receptions.borrow_mut().push_back(reception);
        self
    }

    /// The investigation is stopped after so many turns.
    pub(crate) fn stopping_after(self, turns: usize) -> Self {
        self.stops_after.set(Some(turns));
        self
    }

    /// The texts that were said to the model in a turn, results and all.
    pub(crate) fn told(&self, turn: usize) -> String {
        let asked = self.asked.borrow();
        let blocks = asked.get(turn - 1).map(|ask| ask.new.as_slice()).unwrap_or_default();
        let text = |block: &UserBlock| match block {
            UserBlock::Text(text) => text.clone(),
            UserBlock::ToolResult(result) => {
                format!("[{}{}] {}", result.call_id, if result.failed { " failed" } else { "" }, result.text)
            }
        };
        blocks.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn turns(&self) -> usize {
        self.asked.borrow().len()
    }

    pub(crate) fn flags(&self) -> Vec<Flag> {
        let flag = |news: &News| match news {
            News::Flag(flag) => Some(flag.clone()),
            News::Tool(_) | News::Served(_) | News::File(_) | News::Turn(_) | News::Symbols(_) => None,
        };
        self.news.borrow().iter().filter_map(flag).collect()
    }

    pub(crate) fn files(&self) -> Vec<FileEntry> {
        let file = |news: &News| match news {
            News::File(entry) => Some((**entry).clone()),
            News::Tool(_) | News::Served(_) | News::Flag(_) | News::Turn(_) | News::Symbols(_) => None,
        };
        self.news.borrow().iter().filter_map(file).collect()
    }

    pub(crate) fn tools(&self) -> Vec<ToolLine> {
        let line = |news: &News| match news {
            News::Tool(line) => Some(line.clone()),
            News::File(_) | News::Served(_) | News::Flag(_) | News::Turn(_) | News::Symbols(_) => None,
        };
        self.news.borrow().iter().filter_map(line).collect()
    }
}

impl Answers for Script {
    fn turn(&self, ask: Ask) -> Result<Said, NoTurn> {
        let mut transcript = self.transcript.borrow_mut();
        if !ask.new.is_empty() {
            transcript.push(Message::User(ask.new.clone()));
        }
        if let Some(through) = ask.compact_before {
            compact(&mut transcript, through);
        }
        self.asked.borrow_mut().push(ask);
        let said = self.said.borrow_mut().pop_front().unwrap_or(Ok(say("…")));
        if let Ok(said) = &said {
            transcript.push(Message::Assistant(said.content.clone()));
        }
        said
    }

    fn is_stopped(&self) -> bool {
        self.stops_after.get().is_some_and(|turns| turns <= self.turns())
    }
}

impl Services for Script {
    fn borrow(&self, turns: Turns, reason: &str) -> Loan {
        self.borrowed.borrow_mut().push((turns, reason.to_owned()));
        self.loans.borrow_mut().pop_front().unwrap_or_else(|| Loan::Refused("none are free".to_owned()))
    }

    fn news(&self, news: News) {
        self.news.borrow_mut().push(news);
    }

    fn done(&self, result: DirResult) -> Reception {
        self.results.borrow_mut().push(result);
        self.receptions.borrow_mut().pop_front().unwrap_or(Reception::Accepted)
    }
}

/// An answer without a call.
pub(crate) fn say(text: &str) -> Said {
    Said {
        content: vec![AssistantBlock::Text(text.to_owned())],
        stop: StopReason::EndTurn,
        usage: usage(1_000),
    }
}

/// An answer with calls. Their ids are their places: `a`, `b`, ….
pub(crate) fn call(calls: &[(&str, Value)]) -> Said {
    let block = |(place, (name, arguments)): (usize, &(&str, Value))| {
        AssistantBlock::ToolCall(ToolCall {
            id: char::from(b'a' + (place % 26) as u8).to_string(),
            name: (*name).to_owned(),
            arguments: Arguments::parse(&arguments.to_string()),
        })
    };
    Said {
        content: calls.iter().enumerate().map(block).collect(),
        stop: StopReason::ToolUse,
        usage: usage(1_000),
    }
}

/// The same answer, for another reason.
pub(crate) fn stopped(said: Said, stop: StopReason) -> Said {
    Said { stop, ..said }
}

/// The same answer, to a prompt of so many tokens.
pub(crate) fn measured(said: Said, input: u64) -> Said {
    Said { usage: usage(input), ..said }
}

fn usage(input: u64) -> Usage {
    Usage { input: Tokens(input), output: Tokens(10), ..Usage::default() }
}

/// An assignment about `src` with two files.
pub(crate) fn assignment(turns: u32) -> Assignment {
    let file = |name: &str, size: u64| ListedFile {
        name: RelPath::from(name),
        size,
        category: Category::Source,
        language: Some("Rust".to_owned()),
        description: None,
        lines: 3,
        hash: None,
        kind: None,
        executable: false,
    };
    Assignment {
        job: JobId { investigation: "i".to_owned(), dir: RelPath::from("src"), attempt: 1, epoch: 1 },
        mind: Mind::Remote,
        target_name: "wheel".to_owned(),
        target_kind: TargetKind::PROGRAM,
        tier: Tier::Default,
        turns: Turns(turns),
        used: Turns(0),
        files: vec![file("main.rs", MAIN.len() as u64), file("wheel.rs", WHEEL.len() as u64)],
        file_count: 2,
        endings: Vec::new(),
        unreadable: None,
        folded: 0,
        children: Vec::new(),
        survey: None,
        plan_notes: String::new(),
        doubts: Vec::new(),
        tier_reason: String::new(),
        context_budget: 100_000,
        commands: false,
        show_secrets: false,
        nonce: "00000000000005ee".to_owned(),
        history: Vec::new(),
    }
}

pub(crate) const MAIN: &str = "//! Turns the wheel.\n\nfn main() { wheel::turn(); }\n";
pub(crate) const WHEEL: &str = "//! A wheel that can be turned.\n\n/// Turns it once.\npub fn turn() {}\n";

/// A target with those files.
pub(crate) fn target() -> tempfile::TempDir {
    let target = tempfile::tempdir().unwrap();
    std::fs::create_dir(target.path().join("src")).unwrap();
    put(&target, "src/main.rs", MAIN);
    put(&target, "src/wheel.rs", WHEEL);
    target
}

#[expect(clippy::disallowed_methods, reason = "a target for tests is not user data")]
pub(crate) fn put(target: &tempfile::TempDir, path: &str, text: &str) {
    let path = target.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
