//! What is kept apart: nothing of the directory that is looked at is a program, or configuration of one.
//!
//! Whoever wrote the target may have put a program, a configuration or a certificate there that is found by a variable of
//! the user's: `PATH` with `node_modules/.bin` in it, `CODEX_HOME` in a project. Where the target holds the user's home
//! directory, it is the user's own, programs included, and nothing is apart from it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use luminos_core::Untrusted;
use luminos_core::config::Surroundings;

use crate::error::{Error, Kind};

/// Variables that name configuration of programs. A relative one would lie wherever one happens to stand.
const CONFIGURATION: [&str; 2] = ["CODEX_HOME", "CLAUDE_CONFIG_DIR"];
/// Variables that name certificates to trust.
const CERTIFICATES: [&str; 3] = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];
/// Directories that are ignored where they are relative (XDG base directory specification).
const BASE_DIRS: [&str; 4] = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];

/// A directory whose files are no programs and no configuration; perhaps there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Apart {
    /// Without symbolic links.
    target: Option<PathBuf>,
}

impl Apart {
    /// What is kept apart from a target.
    pub fn new(target: Option<&Path>, around: &Surroundings) -> Self {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let home = around.home_dir.as_deref().map(real);
        let target = target.map(real);
        Self { target: target.filter(|target| !home.is_some_and(|home| home.starts_with(target))) }
    }

    /// Whether a path leads into the target.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let Some(target) = &self.target else { return false };
        // A link in the target is its author's wherever it leads; what does not exist lies where the directory above it lies.
        let plain = without_dots(path);
        let passes = |above: &Path| fs::canonicalize(above).is_ok_and(|real| real.starts_with(target));
        passes(path) || plain.ancestors().any(passes)
    }

    /// Where temporary files go: where the user says, unless that is relative or inside the target.
    pub fn scratch(&self, around: &Surroundings) -> PathBuf {
        let named = around.variable("TMPDIR").map(PathBuf::from);
        named.filter(|dir| dir.is_absolute() && !self.holds(dir)).unwrap_or_else(|| PathBuf::from("/tmp"))
    }

    /// The user's certificates are trusted, and those of the target are not.
    pub(crate) fn check_certificates(&self, around: &Surroundings) -> Result<(), Error> {
        let named = CERTIFICATES.iter().filter_map(|name| Some((*name, around.variable(name)?)));
        for (name, value) in named {
            self.check(name, &around.current_dir.join(value))?;
        }
        Ok(())
    }

    fn check(&self, name: &str, path: &Path) -> Result<(), Error> {
        if !self.holds(path) {
            return Ok(());
        }
        Err(refusal(name, path, "inside the directory that is looked at, of which nothing is configuration"))
    }

    /// The value of a variable for a program; `None` if the program is better off without.
    pub(crate) fn variable(&self, name: &str, around: &Surroundings) -> Result<Option<OsString>, Error> {
        let Some(value) = around.variable(name) else { return Ok(None) };
        let path = Path::new(value);
        if name == "PATH" {
            return Ok(Some(self.search_path(value)));
        }
        if CONFIGURATION.contains(&name) {
            if !path.is_absolute() {
                return Err(refusal(name, path, "relative: it needs the whole path"));
            }
            self.check(name, path)?;
        }
        if CERTIFICATES.contains(&name) {
            // A program stands elsewhere than its user does.
            return Ok(Some(around.current_dir.join(path).into_os_string()));
        }
        let is_useless = BASE_DIRS.contains(&name) && (!path.is_absolute() || self.holds(path));
        Ok(Some(value.to_owned()).filter(|_| !is_useless))
    }

    /// The directories of `PATH` that are absolute and not of the target.
    fn search_path(&self, path: &OsStr) -> OsString {
        let dirs = std::env::split_paths(path).filter(|dir| dir.is_absolute() && !self.holds(dir));
        // What was split at colons holds none.
        std::env::join_paths(dirs).unwrap_or_default()
    }
}

/// A path without `.` and `..`, as it is written.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

fn refusal(name: &str, path: &Path, why: &str) -> Error {
    let shown = Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal();
    Error::new(Kind::Misconfigured, "the model").message(format!("{name} names `{shown}`, which is {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(home: &Path, variables: &[(&str, String)]) -> Surroundings {
        Surroundings {
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
            current_dir: home.join("project"),
            home_dir: Some(home.to_owned()),
        }
    }

    #[test]
    fn nothing_of_the_target_is_program_or_configuration() {
        let dir = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(dir.path()).unwrap();
        let target = home.join("project");
        fs::create_dir_all(target.join("bin")).unwrap();
        fs::create_dir_all(home.join("bin")).unwrap();
        std::os::unix::fs::symlink(target.join("bin"), home.join("linked")).unwrap();
        let shown = home.display();
        std::os::unix::fs::symlink("/usr", target.join("out")).unwrap();
        let own = format!("{shown}/project/../bin");
        let path = format!(
            "{shown}/project/bin:bin:.::{shown}/project/out/bin:{shown}/none/../project/none:{shown}/linked:{own}:/usr/bin"
        );
        let inside = format!("{shown}/project/own");
        let named = |variables: &[(&str, String)], name: &str| {
            let around = around(&home, variables);
            Apart::new(Some(&target), &around).variable(name, &around).map_err(|error| error.to_string())
        };
        let expected = format!("{own}:/usr/bin");
        assert_eq!(named(&[("PATH", path.clone())], "PATH"), Ok(Some(expected.into())));
        for name in CONFIGURATION {
            let refused = named(&[(name, inside.clone())], name).unwrap_err();
            assert!(refused.contains(&format!("{name} names `{inside}`, which is inside")), "{refused}");
            let refused = named(&[(name, ".own".to_owned())], name).unwrap_err();
            assert!(refused.contains("which is relative"), "{refused}");
            let outside = format!("{shown}/own");
            assert_eq!(named(&[(name, outside.clone())], name), Ok(Some(outside.into())));
        }
        assert_eq!(named(&[("XDG_CONFIG_HOME", inside.clone())], "XDG_CONFIG_HOME"), Ok(None));
        let relative = named(&[("SSL_CERT_FILE", "ca.pem".to_owned())], "SSL_CERT_FILE");
        assert_eq!(relative, Ok(Some(inside.to_string().replace("own", "ca.pem").into())));
        let trusting = around(&home, &[("SSL_CERT_FILE", "ca.pem".to_owned()), ("TMPDIR", inside.clone())]);
        let apart = Apart::new(Some(&target), &trusting);
        assert!(apart.check_certificates(&trusting).is_err());
        assert_eq!(apart.scratch(&trusting), Path::new("/tmp"));

        // The home directory as a target is the user's own.
        let path = format!("{shown}/project/bin:{shown}/linked");
        let own = around(&home, &[("PATH", path.clone()), ("CODEX_HOME", inside.clone())]);
        let apart = Apart::new(Some(&home), &own);
        assert_eq!(apart.variable("CODEX_HOME", &own).unwrap(), Some(inside.into()));
        assert_eq!(apart.variable("PATH", &own).unwrap(), Some(path.into()));
    }
}
