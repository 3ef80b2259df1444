//! The paths that a summary names.

/// What stands in backticks and can only be meant as a path. Prose such as `and/or` is not looked at, nor are code,
/// addresses and patterns: a false alarm costs a turn.
pub(super) fn paths_in(summary: &str) -> impl Iterator<Item = &str> {
    summary.split('`').skip(1).step_by(2).map(|word| word.trim_end_matches('/')).filter(|word| is_path(word))
}

fn is_path(word: &str) -> bool {
    let is_plain = |character: char| {
        character.is_alphanumeric() || matches!(character, '/' | '.' | '-' | '_' | '+' | '@')
    };
    if word.is_empty() || word.starts_with(['-', '@', '/']) || !word.chars().all(is_plain) {
        return false;
    }
    if word.contains("//") || word.contains("..") {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let extension = name.rsplit_once('.');
    match extension {
        // `Foo.bar` and `self.x` look like files; only a few endings are certain.
        Some((stem, extension)) => !stem.is_empty() && CERTAIN.contains(&extension),
        None => false,
    }
}

/// Endings that hardly anything but a file has.
const CERTAIN: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php",
    "kt", "swift", "scala", "lua", "sh", "sql", "html", "css", "scss", "toml", "json", "yaml", "yml", "xml",
    "md", "rst", "txt", "csv", "tsv", "lock", "cfg", "ini", "proto", "vim", "pdf", "png", "jpg", "jpeg",
    "gif", "svg", "zip", "gz", "tar",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_surely_a_path_counts() {
        let summary = "Starts in `src/main.rs` and `./x/`, calls `Vec::new`, `a.b`, `and/or`, `--flag.rs`, `*.rs`, \
                       `http://a/b.md`, `/etc/x.cfg`, `../up.py`, and reads `config.toml`; see app.py.";
        let found: Vec<&str> = paths_in(summary).collect();
        assert_eq!(found, ["src/main.rs", "config.toml"]);
    }
}
