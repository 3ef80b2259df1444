//! What the machine says about this process, as a value.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The environment of this process. `main` reads it once; everything else takes it as an argument.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// The environment variables. Those whose names are not UTF-8 are none of ours and are left out.
    pub variables: BTreeMap<String, OsString>,
    /// The current directory, without symbolic links.
    pub current_dir: PathBuf,
    /// The user's home directory, where there is one.
    pub home_dir: Option<PathBuf>,
}

impl Surroundings {
    /// The value of a variable. An empty one counts as unset, as it does in most shells' habits.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(name).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// Where the user's own configuration file lies, whether or not it exists.
    pub fn user_file(&self) -> Option<PathBuf> {
        Some(self.config_dir()?.join("config.toml"))
    }

    /// The directory of the user's own configuration, whether or not it exists.
    pub fn config_dir(&self) -> Option<PathBuf> {
        Some(self.base_dir("XDG_CONFIG_HOME", ".config")?.join("luminos"))
    }

    /// Where a user's own facts about models lie unless a setting says otherwise. Without a home directory
    /// only the machine as a whole can have some.
    pub(super) fn default_models_file(&self) -> Option<PathBuf> {
        let dir = self.config_dir().unwrap_or_else(|| PathBuf::from("/etc/luminos"));
        Some(dir.join("models.toml"))
    }

    /// Where Luminos keeps its state unless it is told otherwise.
    pub(super) fn default_home(&self) -> Option<PathBuf> {
        Some(self.base_dir("XDG_STATE_HOME", ".local/state")?.join("luminos"))
    }

    /// Relative values of these variables are to be ignored: the XDG base directory specification says so.
    fn base_dir(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let named = self.variable(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| Some(self.home_dir.as_deref()?.join(below_home)))
    }

    /// A path as somebody wrote it, made absolute: `~/` is the home directory, all else starts at `base`.
    pub(super) fn absolute(&self, path: &Path, base: &Path) -> PathBuf {
        match (path.strip_prefix("~"), &self.home_dir) {
            (Ok(below_home), Some(home_dir)) => home_dir.join(below_home),
            (Ok(_), None) | (Err(_), _) => base.join(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(variables: &[(&str, &str)]) -> Surroundings {
        Surroundings {
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
            current_dir: "/work".into(),
            home_dir: Some("/home/ada".into()),
        }
    }

    #[track_caller]
    fn check(variables: &[(&str, &str)], user_file: &str, home: &str) {
        let around = around(variables);
        assert_eq!(around.user_file(), Some(user_file.into()), "{variables:?}");
        assert_eq!(around.default_home(), Some(home.into()), "{variables:?}");
    }

    #[test]
    fn files_lie_where_the_xdg_specification_puts_them() {
        check(&[], "/home/ada/.config/luminos/config.toml", "/home/ada/.local/state/luminos");
        check(&[("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")], "/c/luminos/config.toml", "/s/luminos");
        check(
            &[("XDG_CONFIG_HOME", "relative"), ("XDG_STATE_HOME", "")],
            "/home/ada/.config/luminos/config.toml",
            "/home/ada/.local/state/luminos",
        );
    }

    #[test]
    fn without_a_home_directory_nothing_is_invented() {
        assert_eq!(Surroundings::default().user_file(), None);
        assert_eq!(Surroundings::default().default_home(), None);
    }

    #[test]
    fn written_paths_become_absolute() {
        let around = around(&[]);
        for (written, expected) in [
            ("~", "/home/ada"),
            ("~/x", "/home/ada/x"),
            ("~bob/x", "/base/~bob/x"),
            ("x", "/base/x"),
            ("/x", "/x"),
        ] {
            assert_eq!(around.absolute(Path::new(written), Path::new("/base")), Path::new(expected));
        }
    }
}
