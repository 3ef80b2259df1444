//! A target for tests, with something outside that nobody must see.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luminos_core::talk::{Arguments, ToolCall};
use luminos_core::{Fence, RelPath};
use serde_json::Value;

use crate::root::Root;
use crate::session::{Effect, Limits, Outcome, Session};
use crate::toolbox::Scope;
use luminos_core::proof::Served;

/// What stands in every file outside.
pub(crate) const SECRET: &str = "the secret outside";

/// A target `t` in a directory of its own, with `secret` beside it.
pub(crate) struct Fixture {
    dir: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let fixture = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(fixture.target()).unwrap();
        write(&fixture.outside("secret"), SECRET.as_bytes());
        fixture
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.dir.path().join("t")
    }

    /// A path beside the target.
    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Makes a file in the target, with the directories it needs.
    pub(crate) fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.target().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, bytes.as_ref());
        self
    }

    pub(crate) fn directory(&self, path: &str) -> &Self {
        fs::create_dir_all(self.target().join(path)).unwrap();
        self
    }

    pub(crate) fn link(&self, path: &str, to: impl AsRef<Path>) -> &Self {
        std::os::unix::fs::symlink(to, self.target().join(path)).unwrap();
        self
    }

    pub(crate) fn root(&self) -> Root {
        Root::open(&self.target()).unwrap()
    }

    /// A session of a directory's loop.
    pub(crate) fn session(&self, dir: &str) -> Session {
        self.session_with(dir, Limits::default())
    }

    pub(crate) fn session_with(&self, dir: &str, limits: Limits) -> Session {
        let dir = RelPath::from_word(dir).unwrap();
        Session::new(Scope::Dir, Fence::new(0xfe), limits).in_directory(Arc::new(self.root()), dir)
    }
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Came {
    pub(crate) text: String,
    pub(crate) failed: bool,
    pub(crate) effects: Vec<Effect>,
    pub(crate) served: Vec<Served>,
}

/// Calls a tool in a turn of its own.
pub(crate) fn call(session: &mut Session, tool: &str, arguments: Value) -> Came {
    session.begin_turn();
    let arguments = Arguments::parse(&arguments.to_string());
    let call = ToolCall { id: "c1".to_owned(), name: tool.to_owned(), arguments };
    match session.call(&call) {
        Outcome::Result { text, failed, effects, served } => Came { text, failed, effects, served },
        Outcome::Submit { submission, .. } => panic!("{submission:?}"),
    }
}

/// What a tool says that must work.
#[track_caller]
pub(crate) fn told(session: &mut Session, tool: &str, arguments: Value) -> String {
    let came = call(session, tool, arguments);
    assert!(!came.failed, "{}", came.text);
    came.text
}

/// What a tool says that must not.
#[track_caller]
pub(crate) fn refused(session: &mut Session, tool: &str, arguments: Value) -> String {
    let came = call(session, tool, arguments);
    assert!(came.failed, "{}", came.text);
    assert!(came.effects.is_empty() && came.served.is_empty());
    came.text
}
