//! Which `luminos.toml` is the current project's.
//!
//! The nearest one counts, from the current directory upwards to the root of the git repository or the home
//! directory. Where there is neither above, only the current directory is looked at: a file that somebody
//! left in `/tmp` or `/` shall not speak for everything below.
//!
//! **Invariant**: a file inside the target is never read. The target is what is being looked at; it has no
//! say in how it is looked at.

use std::path::{Path, PathBuf};

use super::Surroundings;

/// The name of a project's configuration file.
pub const PROJECT_FILE: &str = "luminos.toml";

/// What a setting decides that is for the user alone to say, wherever a project's file lies: it comes with whatever one
/// happens to stand in. `None` if a project has a say in it.
pub(super) fn not_for_projects(key: &str) -> Option<&'static str> {
    match key {
        "home" => Some("where results are kept"),
        "models.config" => Some("what models cost"),
        "models.command" | "models.command-schema" => Some("which programs are run"),
        "models.program-read" => Some("what programs may read"),
        "models.command-box" | "models.allow-unconfined-program" => Some("whether programs are confined"),
        "planner.tracker" | "planner.tracker-url" => Some("who gets a token of yours"),
        "planner.model" => Some("which models are asked, and how,"),
        key if key.starts_with("models.") => Some("which models are asked, and how,"),
        _ => None,
    }
}

/// A place where the project's configuration file could lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectPlace {
    /// The path of the file.
    pub path: PathBuf,
    /// Whether it is there and counts.
    pub standing: Standing,
}

/// Whether a configuration file counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It exists and is read.
    Read,
    /// There is no such file.
    Absent,
    /// It exists, but a nearer one is read.
    Shadowed,
    /// It exists, but it lies inside the target.
    InsideTarget,
}

/// The places where the project's file could lie, nearest first. At most one of them is read.
///
/// `real_path` answers for the file system: the path without symbolic links, if there is anything at it.
/// The target must be such a path too.
pub fn project_places(
    around: &Surroundings,
    target: Option<&Path>,
    real_path: impl Fn(&Path) -> Option<PathBuf>,
) -> Vec<ProjectPlace> {
    let home_dir = around.home_dir.as_deref().and_then(&real_path);
    let is_boundary = |dir: &Path| home_dir.as_deref() == Some(dir) || real_path(&dir.join(".git")).is_some();
    let levels = around.current_dir.ancestors().position(is_boundary).map_or(1, |above| above + 1);

    let mut places = Vec::with_capacity(levels);
    let mut found = false;
    for dir in around.current_dir.ancestors().take(levels) {
        let path = dir.join(PROJECT_FILE);
        let standing = match real_path(&path) {
            None => Standing::Absent,
            Some(real)
                if target.is_some_and(|target| path.starts_with(target) || real.starts_with(target)) =>
            {
                Standing::InsideTarget
            }
            Some(_) if found => Standing::Shadowed,
            Some(_) => Standing::Read,
        };
        found |= standing == Standing::Read;
        places.push(ProjectPlace { path, standing });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::Standing::{Absent, InsideTarget, Read, Shadowed};
    use super::*;

    /// A file system of these paths; `a -> b` is a symbolic link.
    #[track_caller]
    fn check(files: &[&str], current_dir: &str, target: Option<&str>, expected: &[(&str, Standing)]) {
        let around = Surroundings {
            current_dir: current_dir.into(),
            home_dir: Some("/home/ada".into()),
            ..Surroundings::default()
        };
        let real_path = |path: &Path| {
            if path == Path::new("/home/ada") {
                return Some(path.to_owned());
            }
            files.iter().find_map(|file| match file.split_once(" -> ") {
                Some((link, real)) => (Path::new(link) == path).then(|| real.into()),
                None => (Path::new(file) == path).then(|| path.to_owned()),
            })
        };
        let places = project_places(&around, target.map(Path::new), real_path);
        let places: Vec<_> =
            places.iter().map(|place| (place.path.to_str().unwrap(), place.standing)).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn the_nearest_file_up_to_the_git_root_counts() {
        check(
            &["/w/p/.git", "/w/p/luminos.toml", "/w/luminos.toml"],
            "/w/p/src",
            None,
            &[("/w/p/src/luminos.toml", Absent), ("/w/p/luminos.toml", Read)],
        );
        check(
            &["/w/p/.git", "/w/p/luminos.toml", "/w/p/src/luminos.toml"],
            "/w/p/src",
            None,
            &[("/w/p/src/luminos.toml", Read), ("/w/p/luminos.toml", Shadowed)],
        );
    }

    /// A setting that is added is for the user alone, or is added here.
    #[test]
    fn a_project_has_a_say_in_how_things_look_and_are_walked_and_in_nothing_else() {
        let settings = super::super::SETTINGS.iter().map(|setting| setting.key);
        let open: Vec<&str> = settings.filter(|key| not_for_projects(key).is_none()).collect();
        assert_eq!(
            open,
            [
                "color",
                "scan.hidden",
                "scan.ignore-files",
                "scan.exclude",
                "scan.keep",
                "scan.cross-mounts",
                "scan.depth",
                "scan.threads",
                "scan.hash-limit",
                "scan.cache",
                "daemon.idle",
                "daemon.patience",
                "planner.timeout",
                "planner.retries",
                "planner.dedupe-window",
                "planner.verify-commands",
                "planner.verify-max",
                "planner.verify-augment",
                "planner.verify-uninitialised",
            ]
        );
    }

    #[test]
    fn the_home_directory_is_the_last_place() {
        check(
            &["/home/ada/luminos.toml", "/home/luminos.toml"],
            "/home/ada/p",
            None,
            &[("/home/ada/p/luminos.toml", Absent), ("/home/ada/luminos.toml", Read)],
        );
    }

    #[test]
    fn without_a_boundary_above_only_the_current_directory_is_looked_at() {
        check(&["/tmp/luminos.toml"], "/tmp/x", None, &[("/tmp/x/luminos.toml", Absent)]);
    }

    #[test]
    fn a_file_inside_the_target_never_counts() {
        check(
            &["/w/.git", "/w/p/luminos.toml", "/w/luminos.toml"],
            "/w/p/src",
            Some("/w/p"),
            &[
                ("/w/p/src/luminos.toml", Absent),
                ("/w/p/luminos.toml", InsideTarget),
                ("/w/luminos.toml", Read),
            ],
        );
        check(&["/w/luminos.toml"], "/w", Some("/"), &[("/w/luminos.toml", InsideTarget)]);
        check(&["/w/luminos.toml"], "/w", Some("/w/target"), &[("/w/luminos.toml", Read)]);
        check(&["/w/luminos.toml"], "/w", Some("/w/lumi"), &[("/w/luminos.toml", Read)]);
    }

    #[test]
    fn a_link_into_or_out_of_the_target_does_not_count_either() {
        check(
            &["/w/luminos.toml -> /w/target/luminos.toml"],
            "/w",
            Some("/w/target"),
            &[("/w/luminos.toml", InsideTarget)],
        );
        check(
            &["/w/luminos.toml -> /elsewhere/luminos.toml"],
            "/w",
            Some("/w"),
            &[("/w/luminos.toml", InsideTarget)],
        );
    }
}
