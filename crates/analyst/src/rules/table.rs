//! Every rule there is, declared once: its id, how bad it is, what it is called, why it matters, what to do.
//!
//! `docs/flags.md` is this table for people; a test holds one against the other. An id stays what it is: others filter by it.

use luminos_core::flag::Severity;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rule {
    /// A stable word: family, dot, name.
    pub(crate) id: &'static str,
    /// How bad it is in the program itself. In tests, examples and documentation it is good to know, no more.
    pub(crate) severity: Severity,
    /// What it finds.
    pub(crate) title: &'static str,
    /// Why somebody should care.
    pub(crate) why: &'static str,
    /// What to do about it.
    pub(crate) remedy: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $why:literal, $remedy:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule {
            id: $id,
            severity: Severity::$severity,
            title: $title,
            why: $why,
            remedy: $remedy,
        };)*
        /// All rules, in the order of the documentation.
        pub(crate) const ALL: &[Rule] = &[$($name),*];
    };
}

rules! {
    PRIVATE_KEY = "secret.private-key", Critical, "A private key",
        "Whoever can read the file can act as its owner; it stays in the history after it is removed.",
        "Revoke the key, make a new one, keep it outside of the tree.";
    TOKEN = "secret.token", Critical, "A token of a known service",
        "The shape is that of a real token of that service, and it works for whoever finds it.",
        "Revoke it at the service, then read it from the environment or a secret store.";
    ASSIGNED = "secret.assigned", Concern, "A random value assigned to a name like `password`",
        "It looks like a real password or key, not like a placeholder.",
        "Move it to the environment or a secret store, and change it.";
    URL_PASSWORD = "secret.url-password", Concern, "An address with a password in it",
        "The password goes wherever the address goes: logs, process lists, backups.",
        "Take the password out of the address, and change it.";
    KEY_STORE = "secret.key-store", Concern, "A file that keeps keys or passwords",
        "Key stores and password safes can be attacked at leisure by whoever has a copy.",
        "Keep it where only its owner can read it.";
    CARD = "secret.payment-card", Concern, "The number of a payment card",
        "Whoever reads it can pay with it; its check digit is right.",
        "Take it out, and keep it in a password safe.";
    EVAL = "code.eval", Concern, "Text is run as code",
        "Whoever controls the text controls the program.",
        "Parse the text instead, or make sure nobody else can write it.";
    SHELL = "code.shell", Concern, "A command line is put together and given to a shell",
        "Input that reaches the line can run other commands.",
        "Start the program with a list of arguments, without a shell.";
    DESERIALISE = "code.deserialise", Concern, "Data is deserialised in a way that can run code",
        "Data from somebody else can run code in this program.",
        "Use a format that only carries data, or the safe loader.";
    TLS_OFF = "code.tls-off", Concern, "Certificates are not checked",
        "Anybody on the way can read and change what is sent.",
        "Leave the check on; trust a private authority by name where one is needed.";
    SQL = "code.sql-concat", Concern, "SQL is put together from pieces",
        "Input that reaches the statement can change what it does.",
        "Pass values as parameters of the statement.";
    DOWNLOAD_RUN = "code.download-and-run", Concern, "Something is downloaded and run at once",
        "Whoever controls the server, or the way to it, runs code here.",
        "Download, compare with a known checksum, then run.";
    WIDE_MODE = "code.mode-777", Info, "Files are made writable for everybody",
        "Every user and every service of the machine can replace them.",
        "Grant what is needed to whoever needs it.";
    INSTALL_HOOK = "code.install-hook", Concern, "Code that runs on installation",
        "It runs on the machine of everybody who installs the package, before anybody looks at it.",
        "Read it; install with scripts turned off where that is possible.";
    ORDERS = "injection.suspected", Concern, "Text that gives orders to AI readers",
        "Tools that feed the file to a model may follow it. Here it is data.",
        "Read it, and find out who put it there.";
    BIDI = "text.bidirectional", Critical, "Characters that change the direction of text in code",
        "The code may read differently from what it does.",
        "Look at it in an editor that shows such characters; remove them.";
    INVISIBLE = "text.invisible", Concern, "Invisible characters in code, or text spelled in them",
        "People do not see them; programs and models do.",
        "Look at the bytes; remove them.";
    CONFLICT = "text.merge-conflict", Concern, "A merge conflict that was never resolved",
        "The file holds two versions at once and cannot work as it is.",
        "Decide for one side.";
    TODO = "todo.cluster", Info, "Many marks of unfinished work in one file",
        "Somebody knew that it is not done.",
        "Ask whether it still holds.";
    BROKEN_LINK = "link.broken", Info, "A link in a document to a file that is not there",
        "Readers end at nothing.",
        "Mend or remove the link.";
    BROKEN_SYMLINK = "link.symlink", Info, "A symbolic link that leads nowhere, or out of the tree",
        "It works on one machine only, or on none.",
        "Mend or remove the link.";
    SETUID = "file.setuid", Critical, "A program that runs with the rights of its owner",
        "Any fault in it is a fault for everybody who can start it.",
        "Remove the bit unless it is meant.";
    WORLD_WRITABLE = "file.world-writable", Concern, "Files that everybody may write",
        "Every user and every service of the machine can replace them.",
        "Take the right away from others.";
    BINARY = "tree.build-output", Info, "Compiled files among the sources",
        "Nobody can review them, and they go stale.",
        "Build them instead of keeping them.";
    LARGE = "tree.large-file", Info, "A very large file among the sources",
        "Everybody who copies the tree pays for it.",
        "Keep it where data is kept.";
    VENDORED = "tree.vendored", Info, "Copies of other projects",
        "Their faults and licences are now yours; nobody updates them by itself.",
        "Know their versions; prefer a package manager.";
    DUPLICATES = "tree.duplicates", Info, "Files with the same content",
        "One of them will be changed and the others not.",
        "Keep one.";
    NO_LICENCE = "missing.licence", Concern, "No licence",
        "Without one nobody else may use, change or pass on the code.",
        "Add a licence file.";
    NO_README = "missing.readme", Info, "No README",
        "Nobody says what this is and how to begin.",
        "Write one.";
    NO_TESTS = "missing.tests", Concern, "No tests",
        "Nobody can tell whether a change breaks something.",
        "Begin with what hurts most when it breaks.";
    NO_LOCK = "missing.lockfile", Info, "No lock file",
        "Two installations can get different versions of what this needs.",
        "Commit the lock file of the package manager.";
    GIANT = "function.large", Info, "A very long or deeply nested function",
        "Hard to test, hard to change.",
        "Cut it where its parts have names.";
}
