//! What the planner needs to know of a repository: names, manifests, and the files of its own below `.luminos`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use luminos_core::scan::Scan;
use luminos_core::{Exit, Failure};
use luminos_engine::evolve::Repo;
use luminos_engine::open_named;
use luminos_engine::tasks::{
    CommandPolicy, Contract, MANIFESTS, MOST_MANIFESTS, PathLists, Recovery, RepoFacts, hash, read_list,
};

use crate::session::for_terminal;

/// No manifest is read beyond this.
const MOST_BYTES: u64 = 64 * 1024;

/// What a repository says about how it wants to be planned for.
pub(super) struct Rules {
    pub(super) contract: Option<Contract>,
    pub(super) recovery: Recovery,
    pub(super) lists: PathLists,
    /// A hash over all of it.
    pub(super) hash: String,
}

/// Names and manifests of a repository.
pub(super) fn facts(repo: &Path, scan: &Scan) -> RepoFacts {
    let files: BTreeSet<String> = scan.file_ids().map(|file| scan.file_path(file).to_word()).collect();
    let entries = fs::read_dir(repo).into_iter().flatten().flatten();
    let top = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != ".git")
        .collect();
    let is_manifest = |path: &&String| MANIFESTS.contains(&path.rsplit('/').next().unwrap_or(path));
    let mut manifests: Vec<&String> = files.iter().filter(is_manifest).collect();
    manifests.sort_by_key(|path| path.matches('/').count());
    let manifests = manifests.into_iter().take(MOST_MANIFESTS);
    let manifests =
        manifests.filter_map(|path| Some((path.clone(), read(&repo.join(path), MOST_BYTES)?))).collect();
    RepoFacts { files, top, manifests }
}

/// The beginning of a regular file, as text.
pub(super) fn read(path: &Path, most: u64) -> Option<String> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    open_named(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The rules of a repository. What cannot be understood is a failure, not silence.
pub(super) fn rules(repo: &Path, policy: &CommandPolicy) -> Result<Rules, Failure> {
    let dir = repo.join(".luminos");
    let mut all = String::new();
    let mut text = |name: &str| {
        let text = read(&dir.join(name), 1 << 20);
        all.push_str(text.as_deref().unwrap_or("-"));
        all.push('\0');
        text
    };
    let bad = |name: &str, error: &dyn std::error::Error| Failure {
        exit: Exit::Usage,
        hint: Some("correct it, or move it away: the repository has no say then".to_owned()),
        ..Failure::caused_by(format!("cannot use `{}`", for_terminal(&dir.join(name))), error)
    };
    let name = "verify.contract.json";
    let contract = text(name)
        .map(|json| Contract::read(&json, policy))
        .transpose()
        .map_err(|error| bad(name, &error))?;
    let name = "policy-recovery.json";
    let recovery = match text(name) {
        Some(json) => Recovery::default().over(&json).map_err(|error| bad(name, &error))?,
        None => Recovery::default(),
    };
    let mut lists = PathLists::default();
    let mut add = |list: &mut Vec<String>, name: &str| {
        list.extend(text(name).map(|text| read_list(&text)).unwrap_or_default())
    };
    add(&mut lists.init_allowed, "planner-init-allowed-paths.txt");
    add(&mut lists.init_root_files, "planner-init-root-files.txt");
    add(&mut lists.lockfiles, "planner-lockfile-paths.txt");
    add(&mut lists.docser_allowed, "planner-docser-allowed-paths.txt");
    Ok(Rules { contract, recovery, lists, hash: hash(all.as_bytes()) })
}

/// The commit that a repository stands at; `None` without git, or without commits.
pub(super) fn head(repo: &Path) -> Option<String> {
    Repo::open(repo).ok()?.resolve("HEAD").ok().map(|commit| commit.to_string())
}
