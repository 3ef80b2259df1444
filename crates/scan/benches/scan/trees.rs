//! A tree made for measuring: sources of several languages, documents, data, in directories of about ten.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Makes a tree with this many files.
pub(crate) fn make(root: &Path, files: usize) -> PathBuf {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut dir = PathBuf::new();
    for file in 0..files {
        if file % 10 == 0 {
            let number = file / 10;
            dir = root.join(format!("part{}", number % 20)).join(format!("module{}", number / 20 % 50));
            dir.push(format!("unit{number}"));
            std::fs::create_dir_all(&dir).unwrap();
        }
        let lines = 10 + next() % 150;
        let (name, text) = match next() % 10 {
            0..=3 => (format!("file{file}.rs"), rust(lines)),
            4..=5 => (format!("file{file}.py"), python(lines)),
            6..=7 => (format!("file{file}.c"), c(lines)),
            8 => (format!("note{file}.md"), "# Title\n\nSome words about it.\n".repeat(lines as usize / 3)),
            _ => (format!("data{file}"), "key value 17\n".repeat(lines as usize)),
        };
        std::fs::write(dir.join(name), text).unwrap();
    }
    root.to_owned()
}

/// Waits until a scan remembers the files of a tree that was just made.
pub(crate) fn wait_until_old(tree: &Path) {
    let probe = tree.parent().unwrap().join("probe");
    let is_young = |probe: &Path| {
        let made = std::fs::metadata(probe).and_then(|found| found.modified());
        made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age.as_millis() < 2_500))
    };
    if std::fs::write(&probe, "").is_ok() {
        while is_young(&probe) {
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
        let _ = std::fs::remove_file(&probe);
    }
}

fn rust(lines: u64) -> String {
    let mut text = String::from("//! A module.\n\nuse std::fmt;\n\n");
    for line in 0..lines / 6 {
        let _ = write!(
            text,
            "/// Does number {line}.\npub fn f{line}(a: &str) -> String {{\n    // Joins.\n    format!(\"{{a}} {line}\")\n}}\n\n"
        );
    }
    text
}

fn python(lines: u64) -> String {
    let mut text = String::from("\"\"\"A module.\"\"\"\nimport os\n\n");
    for line in 0..lines / 5 {
        let _ = write!(
            text,
            "def f{line}(a):\n    \"\"\"Does it.\"\"\"\n    # Joins.\n    return a + 'x{line}'\n\n"
        );
    }
    text
}

fn c(lines: u64) -> String {
    let mut text = String::from("/*\n * A file.\n */\n#include <stdio.h>\n\n");
    for line in 0..lines / 5 {
        let _ = write!(text, "/* Does it. */\nint f{line}(int a) {{\n    return a + {line}; // more\n}}\n\n");
    }
    text
}
