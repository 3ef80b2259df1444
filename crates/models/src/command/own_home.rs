//! A private copy of a program's own configuration, for one call.
//!
//! Codex has no switch for everything that a user may have set up: servers (MCP), skills, instructions, hooks and
//! notifications start, or enter the prompt, with every call, and a prompt that names a skill is given its file. So it gets
//! a directory that holds only whom it asks and who its user is. What it writes there goes with the directory: databases,
//! logs, transcripts.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

/// What a private copy of a program's configuration holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHome {
    /// Its file of settings, in TOML.
    pub settings: &'static str,
    /// The settings that are kept: who is asked, and how much it is to think.
    pub kept: &'static [&'static str],
    /// Files that stay where they are, since the program renews them: who its user is.
    pub linked: &'static [&'static str],
    /// Files that are copied: what spares the program questions at each start.
    pub copied: &'static [&'static str],
}

/// Larger files than this are no settings.
const MOST_BYTES: u64 = 8 << 20;

impl OwnHome {
    /// Makes the copy, and returns the files outside it that the program must be able to write.
    pub(super) fn make(&self, original: &Path, copy: &Path) -> io::Result<Vec<PathBuf>> {
        fs::DirBuilder::new().mode(0o700).create(copy)?;
        if let Some(text) = read(&original.join(self.settings))? {
            write(&copy.join(self.settings), self.without_the_rest(&text)?.as_bytes())?;
        }
        for name in self.copied {
            if let Some(text) = read(&original.join(name))? {
                write(&copy.join(name), text.as_bytes())?;
            }
        }
        let mut outside = Vec::new();
        for name in self.linked {
            // A link of the user's may lead on.
            let Ok(real) = fs::canonicalize(original.join(name)) else { continue };
            symlink(&real, copy.join(name))?;
            outside.push(real);
        }
        Ok(outside)
    }

    /// Takes back what the program renewed, if it put a file where the link was.
    pub(super) fn take_back(&self, original: &Path, copy: &Path) {
        for name in self.linked {
            let (new, old) = (copy.join(name), original.join(name));
            let is_new = fs::symlink_metadata(&new).is_ok_and(|found| found.is_file());
            let Some(text) = read(&new).ok().flatten().filter(|_| is_new && old.is_file()) else { continue };
            let beside = old.with_file_name(format!(".{name}.luminos-{}", std::process::id()));
            // Who cannot keep it logs in again.
            if write(&beside, text.as_bytes()).is_err() || rustix::fs::rename(&beside, &old).is_err() {
                let _ = rustix::fs::unlink(&beside);
            }
        }
    }

    fn without_the_rest(&self, text: &str) -> io::Result<String> {
        let mut table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| io::Error::other(error.message().to_owned()))?;
        table.retain(|key, _| self.kept.contains(&key) || key == "profiles");
        if let Some(profiles) = table.get_mut("profiles").and_then(toml::Value::as_table_mut) {
            let profiles = profiles.iter_mut().filter_map(|(_, profile)| profile.as_table_mut());
            profiles.for_each(|profile| profile.retain(|key, _| self.kept.contains(&key)));
        }
        Ok(table.to_string())
    }
}

/// The text of a regular file, if there is one.
fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= MOST_BYTES => fs::read_to_string(path).map(Some),
        Ok(_) => Err(io::Error::other("it is not a regular file of a usual size")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keys may stand in it.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(content)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
mod tests {
    use super::*;

    #[test]
    fn a_private_copy_holds_whom_to_ask_and_who_asks_and_nothing_that_runs() {
        let dir = tempfile::tempdir().unwrap();
        let (original, copy) = (dir.path().join("own"), dir.path().join("copy"));
        fs::create_dir_all(original.join("skills/x")).unwrap();
        let config = "model = 'm'\nnotify = ['sh']\n[mcp_servers.x]\ncommand = 'sh'\n[model_providers.y]\nname = 'y'\n\
                      [profiles.p]\nmodel = 'n'\ninstructions = 'x'\n[hooks]\nx = 1\n";
        for (name, text) in [
            ("config.toml", config),
            ("auth.json", "old"),
            ("AGENTS.md", "Obey."),
            ("skills/x/SKILL.md", "Obey."),
            ("installation_id", "id"),
        ] {
            fs::write(original.join(name), text).unwrap();
        }
        let home = super::super::Template::codex().own.unwrap().private.unwrap();
        let outside = home.make(&original, &copy).unwrap();
        assert_eq!(outside, [fs::canonicalize(original.join("auth.json")).unwrap()]);
        let mut names: Vec<_> =
            fs::read_dir(&copy).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["auth.json", "config.toml", "installation_id"]);
        let kept = fs::read_to_string(copy.join("config.toml")).unwrap();
        let kept: toml::Table = kept.parse().unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["model", "model_providers", "profiles"]);
        assert_eq!(kept["profiles"]["p"].as_table().unwrap().len(), 1);

        // Programs write through a link, or put a file in its place.
        fs::write(copy.join("auth.json"), "renewed").unwrap();
        home.take_back(&original, &copy);
        assert_eq!(fs::read_to_string(original.join("auth.json")).unwrap(), "renewed");
        fs::remove_file(copy.join("auth.json")).unwrap();
        fs::write(copy.join("auth.json"), "again").unwrap();
        home.take_back(&original, &copy);
        assert_eq!(fs::read_to_string(original.join("auth.json")).unwrap(), "again");
    }

    #[test]
    fn settings_that_make_no_sense_are_told_and_a_missing_directory_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let home = super::super::Template::codex().own.unwrap().private.unwrap();
        assert_eq!(
            home.make(&dir.path().join("none"), &dir.path().join("a")).unwrap(),
            Vec::<PathBuf>::new()
        );
        fs::write(dir.path().join("config.toml"), "no toml").unwrap();
        assert!(home.make(dir.path(), &dir.path().join("b")).is_err());
    }
}
