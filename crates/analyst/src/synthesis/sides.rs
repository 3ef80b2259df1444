//! What stands beside the program: tests, documents, examples, copies of others. By their names, unless what is in them
//! says otherwise: a package called `test` that holds no test is one that helps others to test, and is shipped.

use std::collections::BTreeSet;

use luminos_core::scan::{Category, DirId, Scan};

use crate::role::Role;
use crate::rules::is_for_tests;

/// Directories that stand beside the program.
#[derive(Debug, Default)]
pub(super) struct Sides {
    /// Those that are called so and do not.
    shipped: BTreeSet<String>,
    /// Whether each directory of the scan holds copies of others.
    copies: Vec<bool>,
    /// Whether each holds tests.
    tests: Vec<bool>,
    /// Those that hold scenarios, with the steps to play them.
    features: BTreeSet<String>,
}

impl Sides {
    /// Looks for packages that are called like tests and hold none.
    pub(super) fn of(scan: &Scan) -> Self {
        let holds = |dir: DirId, wanted: &[u8]| {
            scan.files_of(dir).any(|file| scan.name(scan.file(file).name) == wanted)
        };
        let mut shipped = BTreeSet::new();
        for dir in scan.dir_ids().skip(1) {
            let path = scan.dir_path(dir).to_word();
            if !Role::Tests.begins_at(&path) {
                continue;
            }
            let above = scan.dir_path(dir).parent();
            let above = above.and_then(|above| scan.dir_ids().find(|other| scan.dir_path(*other) == above));
            let is_package = holds(dir, b"__init__.py")
                && above.is_some_and(|above| above.0 != 0 && holds(above, b"__init__.py"));
            let is_gem = path.split('/').any(|step| step == "lib")
                && sources(scan, dir).all(|name| name.ends_with(".rb"));
            let has_test = sources(scan, dir).any(|name| is_test(&name));
            if (is_package || is_gem) && !has_test && sources(scan, dir).count() > 1 {
                shipped.insert(path);
            }
        }
        let is_copy = |dir: DirId| Role::of(&scan.dir_path(dir).to_word()) == Some(Role::Vendored);
        let has_scenarios = |dir: &DirId| {
            dir.0 != 0
                && scan.files_of(*dir).any(|file| scan.name(scan.file(file).name).ends_with(b".feature"))
        };
        let features = scan.dir_ids().filter(has_scenarios).map(|dir| scan.dir_path(dir).to_word()).collect();
        let copies = scan.dir_ids().map(is_copy).collect();
        let mut sides = Self { shipped, copies, tests: Vec::new(), features };
        let is_test = |dir: DirId| {
            let path = scan.dir_path(dir).to_word();
            sides.has_scenarios(&path)
                || matches!(Role::of(&path), Some(Role::Tests | Role::Fixtures)) && !sides.is_shipped(&path)
        };
        sides.tests = scan.dir_ids().map(is_test).collect();
        sides
    }

    /// The lines of code of the tests below some directories.
    pub(super) fn code_of_tests(&self, scan: &Scan, dirs: std::ops::Range<u32>) -> u64 {
        let of_dir = |dir: u32| match self.tests.get(dir as usize).copied().unwrap_or(false) {
            true => self.code(scan, dir..dir + 1),
            // In some languages they stand beside what they try.
            false => {
                let files = scan.files_of(DirId(dir)).map(|file| scan.file(file));
                let is_beside = |name: &[u8]| std::str::from_utf8(name).is_ok_and(is_test_beside);
                let files =
                    files.filter(|file| file.category == Category::Source && is_beside(scan.name(file.name)));
                files.map(|file| u64::from(file.code)).sum()
            }
        };
        let is_copy = |dir: &u32| self.copies.get(*dir as usize).copied().unwrap_or(false);
        dirs.filter(|dir| !is_copy(dir)).map(of_dir).sum()
    }

    /// The lines of code below some directories, without copies of others.
    pub(super) fn code(&self, scan: &Scan, dirs: std::ops::Range<u32>) -> u64 {
        let own = dirs.filter(|dir| !self.copies.get(*dir as usize).copied().unwrap_or(false));
        let files = own.flat_map(|dir| scan.files_of(DirId(dir))).map(|file| scan.file(file));
        // Wrappers of build tools are nobody's own code.
        let files = files.filter(|file| !matches!(scan.name(file.name), b"mvnw" | b"gradlew"));
        files.filter(|file| file.category == Category::Source).map(|file| u64::from(file.code)).sum()
    }

    /// Whether a directory is no part of the program itself.
    pub(super) fn has(&self, dir: &str) -> bool {
        Role::of(dir).is_some_and(|role| !matches!(role, Role::Source | Role::Migrations))
            && !self.is_shipped(dir)
            || self.has_scenarios(dir)
    }

    /// Whether a path lies where scenarios do.
    fn has_scenarios(&self, path: &str) -> bool {
        self.features.iter().any(|dir| {
            path.strip_prefix(dir.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Whether a file is for tests.
    pub(super) fn tests(&self, path: &str) -> bool {
        is_for_tests(path) && !self.is_shipped(path) || self.has_scenarios(path)
    }

    /// Whether a path lies in a package that is called like tests and holds none.
    pub(super) fn is_shipped(&self, path: &str) -> bool {
        self.shipped.iter().any(|dir| {
            path.strip_prefix(dir.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// The names of the source files below a directory.
fn sources(scan: &Scan, dir: DirId) -> impl Iterator<Item = String> {
    let below = (dir.0..scan.dir(dir).subtree_end).flat_map(|dir| scan.files_of(DirId(dir)));
    let files = below.map(|file| scan.file(file)).filter(|file| file.category == Category::Source);
    files.map(|file| String::from_utf8_lossy(scan.name(file.name)).into_owned())
}

/// Whether a file is a test by a name that no other file has.
fn is_test_beside(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    name.contains(".test.")
        || name.contains(".spec.")
        || stem.ends_with("_test") && (name.ends_with(".go") || name.ends_with(".py"))
        || stem.starts_with("test_") && name.ends_with(".py")
}

/// Whether a file is a test by the habits of its language.
fn is_test(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.starts_with("test_")
        || matches!(stem, "test" | "tests" | "conftest")
        || ["_test", "_tests", "_spec", "Test", "Tests", "Spec"].iter().any(|end| stem.ends_with(end))
        || name.contains(".test.")
        || name.contains(".spec.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::put;

    #[test]
    fn a_package_that_helps_to_test_is_no_test() {
        let target = tempfile::tempdir().unwrap();
        for path in
            ["shop/__init__.py", "shop/test/__init__.py", "shop/test/client.py", "shop/cart/__init__.py"]
        {
            put(&target, path, "class Client:\n    pass\n");
        }
        for path in [
            "shop/cart/tests/__init__.py",
            "shop/cart/tests/test_cart.py",
            "tests/__init__.py",
            "tests/helper.py",
        ] {
            put(&target, path, "def test_it():\n    pass\n");
        }
        for path in ["lib/rack/test.rb", "lib/rack/test/session.rb", "lib/rack/test/cookies.rb"] {
            put(&target, path, "class Session\nend\n");
        }
        let scan = luminos_scan::scan(
            target.path(),
            &luminos_scan::Options::default(),
            &luminos_scan::Cache::default(),
            &luminos_scan::Progress::default(),
        );
        let sides = Sides::of(&scan.unwrap().scan);
        assert!(!sides.has("shop/test") && !sides.tests("shop/test/client.py"));
        assert!(!sides.has("lib/rack/test"));
        assert!(sides.has("shop/cart/tests") && sides.tests("shop/cart/tests/test_cart.py"));
        assert!(sides.has("tests") && sides.tests("tests/helper.py"));
    }
}
