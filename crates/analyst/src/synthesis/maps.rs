//! What documents say of single files and directories, by the paths that they mean.

use std::collections::BTreeMap;

use luminos_core::fact::FactKind;
use luminos_core::scan::Scan;

use super::Known;
use super::sides::Sides;

/// Words about files and directories by their paths.
pub(super) fn of(facts: &[Known<'_>], scan: &Scan, sides: &Sides) -> BTreeMap<String, String> {
    if !facts.iter().any(|known| matches!(known.fact, FactKind::Mention { .. })) {
        return BTreeMap::new();
    }
    let dirs = scan.dir_ids().map(|dir| scan.dir_path(dir).to_word());
    let files = scan.file_ids().map(|file| scan.file_path(file).to_word());
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in dirs.chain(files).filter(|path| !path.is_empty()) {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        by_name.entry(name).or_default().push(path);
    }
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    for Known { entry, fact, .. } in facts {
        let FactKind::Mention { of, text } = fact else { continue };
        let home = entry.relative_path.to_word();
        let home = if entry.relative_path.is_root() { "" } else { &home };
        if let Some(path) = meant(of, home, &by_name, sides) {
            // What stands nearest to the top was read first.
            said.entry(path).or_insert_with(|| text.clone());
        }
    }
    said
}

/// The path that a name in a document means: below the document, or else the only one of that name that lies highest.
fn meant(of: &str, home: &str, by_name: &BTreeMap<String, Vec<String>>, sides: &Sides) -> Option<String> {
    let candidates = by_name.get(of.rsplit('/').next()?)?;
    let below = if home.is_empty() { of.to_owned() } else { format!("{home}/{of}") };
    if let Some(path) = candidates.iter().find(|path| **path == below || *path == of) {
        return Some(path.clone());
    }
    let ends = |path: &&String| {
        path.strip_suffix(of).is_some_and(|before| before.ends_with('/'))
            && path.starts_with(home)
            && !sides.has(path.rsplit_once('/').map_or("", |(dir, _)| dir))
    };
    let depth = |path: &String| path.matches('/').count();
    let highest = candidates.iter().filter(ends).map(depth).min()?;
    let mut highest = candidates.iter().filter(ends).filter(|path| depth(path) == highest);
    let only = highest.next()?;
    highest.next().is_none().then(|| only.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_what_lies_highest() {
        let paths = [
            "src/fire.c",
            "tests/fire.c",
            "packages/kiln",
            "packages/x/src/kiln",
            "a/twin.c",
            "b/twin.c",
            "src/ui/x.c",
        ];
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in paths {
            let name = path.rsplit('/').next().unwrap().to_owned();
            by_name.entry(name).or_default().push(path.to_owned());
        }
        let meant = |of: &str, home: &str| meant(of, home, &by_name, &Sides::default());
        assert_eq!(meant("fire.c", "").as_deref(), Some("src/fire.c"));
        assert_eq!(meant("kiln", "").as_deref(), Some("packages/kiln"));
        assert_eq!(meant("x.c", "src/ui").as_deref(), Some("src/ui/x.c"));
        assert_eq!(meant("twin.c", ""), None);
        assert_eq!(meant("smoke.c", ""), None);
    }
}
