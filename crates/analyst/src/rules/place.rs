//! What is wrong with the files of a directory as files: rights, links that lead nowhere, key stores by their names.

use luminos_core::RelPath;
use luminos_core::job::{Assignment, ListedFile};
use luminos_tools::{Directory, Root};

use super::Found;
use super::orders;
use super::table::{BROKEN_SYMLINK, KEY_STORE, ORDERS, SETUID, WORLD_WRITABLE};
use crate::words::{code, count, some_of};

/// Files that keep keys or passwords, by the ends of their names.
const STORES: &[&str] =
    &[".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".agilekeychain", ".gnucash-keys"];

/// Hidden files that hold passwords where they are used as they are meant.
const HIDDEN: &[&str] = &[
    ".env",
    ".env.local",
    ".env.production",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
];

/// A directory of so many files has few names.
const FEW: u64 = 200;

/// Those of them that are there and that no scan has listed.
pub(super) fn hidden(assignment: &Assignment, root: &Root) -> Vec<(RelPath, u64)> {
    let Ok(dir) = root.directory(&assignment.job.dir) else { return Vec::new() };
    let is_listed = |name: &str| assignment.files.iter().any(|file| file.name.to_utf8() == Some(name));
    // To go through a few names is quicker than to ask for each of those; of many it is not.
    let mut there: Option<Vec<Vec<u8>>> = (assignment.file_count <= FEW).then(Vec::new);
    if let Some(names) = &mut there {
        let noted = dir.each(|entry| {
            if entry.name.starts_with(b".") {
                names.push(entry.name.to_vec());
            }
        });
        if noted.is_err() {
            there = None;
        }
    }
    let may_be_there =
        |name: &str| there.as_ref().is_none_or(|there| there.iter().any(|known| known == name.as_bytes()));
    let names = HIDDEN.iter().filter(|name| may_be_there(name) && !is_listed(name));
    names
        .filter_map(|name| Some((dir.child(name.as_bytes()), dir.look(name.as_bytes()).ok()?.size)))
        .collect()
}

/// What the directory's entries deserve; each with the file it is about.
pub(super) fn look(assignment: &Assignment, root: &Root) -> Vec<(RelPath, Found)> {
    let mut found = Vec::new();
    let Ok(dir) = root.directory(&assignment.job.dir) else { return found };
    found.extend(rights(&dir, &assignment.files));
    found.extend(symlinks(&dir, root, &assignment.files));
    found.extend(assignment.files.iter().filter_map(|file| store(&dir, file)));
    // Beside a program such a list is a list of words.
    if !assignment.target_kind.is_program() {
        found.extend(assignment.files.iter().filter_map(|file| passwords(&dir, file)));
    }
    found.extend(names(&dir, assignment));
    found
}

/// Names that give orders: of files, and of the directory itself.
fn names(dir: &Directory, assignment: &Assignment) -> Vec<(RelPath, Found)> {
    let word = assignment.job.dir.to_word();
    let own =
        word.rsplit('/').next().filter(|name| orders::in_name(name)).map(|_| assignment.job.dir.clone());
    let files = assignment.files.iter().filter(|file| orders::in_name(&file.name.to_word()));
    let files = files.map(|file| dir.child(file.name.as_bytes()));
    let finding = "The name tries to instruct AI readers. It was treated as data; tools that list it to a model may not do that.";
    own.into_iter()
        .chain(files)
        .map(|path| (path, Found::new(&ORDERS, finding.to_owned(), Vec::new())))
        .collect()
}

fn is_regular(file: &ListedFile) -> bool {
    file.kind.is_none()
}

fn rights(dir: &Directory, files: &[ListedFile]) -> Vec<(RelPath, Found)> {
    let mut modes = Vec::new();
    for file in files.iter().filter(|file| is_regular(file)) {
        let Ok(stamp) = dir.look(file.name.as_bytes()) else { continue };
        modes.push((file, stamp.mode & 0o7777));
    }
    let mut found = Vec::new();
    for (file, mode) in &modes {
        if mode & 0o6000 != 0 && mode & 0o111 != 0 {
            let who = if mode & 0o4000 != 0 { "owner" } else { "group" };
            let finding =
                format!("Whoever starts this program gets the rights of its {who} (mode {mode:o}).");
            found.push((dir.child(file.name.as_bytes()), Found::new(&SETUID, finding, Vec::new())));
        }
    }
    // Where every file has every right, the file system knows no rights.
    let is_rightless = 1 < modes.len() && modes.iter().all(|(_, mode)| *mode == 0o777);
    let open: Vec<_> = modes.iter().filter(|(_, mode)| mode & 0o002 != 0).collect();
    if let Some((first, mode)) = open.first().filter(|_| !is_rightless) {
        let names: Vec<String> = open.iter().map(|(file, _)| code(&file.name.to_word())).collect();
        let finding = match names.len() {
            1 => format!("Everybody on this machine may write this file (mode {mode:o})."),
            all => format!("Everybody on this machine may write {all} files here: {}.", some_of(&names, 5)),
        };
        found.push((dir.child(first.name.as_bytes()), Found::new(&WORLD_WRITABLE, finding, Vec::new())));
    }
    found
}

fn symlinks(dir: &Directory, root: &Root, files: &[ListedFile]) -> Vec<(RelPath, Found)> {
    let mut lost = Vec::new();
    let mut outside = Vec::new();
    for file in files.iter().filter(|file| file.kind.as_deref() == Some("symlink")) {
        let Ok(leads) = dir.link(file.name.as_bytes()) else { continue };
        let path = dir.child(file.name.as_bytes());
        let told = format!("{} → {}", code(&file.name.to_word()), code(&RelPath::new(&*leads).to_word()));
        if leads.starts_with(b"/") {
            outside.push((path, told));
        } else {
            match joined(dir.name.as_bytes(), &leads) {
                None => outside.push((path, told)),
                Some(to) => {
                    if root.look(&RelPath::new(to)).is_err() {
                        lost.push((path, told));
                    }
                }
            }
        }
    }
    let flag = |links: Vec<(RelPath, String)>, words: &str| {
        let (first, _) = links.first()?.clone();
        let told: Vec<String> = links.into_iter().map(|(_, told)| told).collect();
        let finding =
            format!("{} {words}: {}.", count(told.len() as u64, "symbolic link"), some_of(&told, 4));
        Some((first, Found::new(&BROKEN_SYMLINK, finding, Vec::new())))
    };
    let lead = |links: &[(RelPath, String)]| if links.len() == 1 { "leads" } else { "lead" };
    let (nowhere, out) = (format!("{} nowhere", lead(&lost)), format!("{} out of the tree", lead(&outside)));
    flag(lost, &nowhere).into_iter().chain(flag(outside, &out)).collect()
}

/// A path from a directory, by its parts; `None` if it leads out of the target.
fn joined(dir: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = dir.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(&b'/'))
}

/// A document that is called after what it should not hold.
fn passwords(dir: &Directory, file: &ListedFile) -> Option<(RelPath, Found)> {
    let name = file.name.to_utf8()?.to_ascii_lowercase();
    let (stem, ending) = name.rsplit_once('.')?;
    let is_open = ["txt", "csv", "md", "docx", "xlsx", "ods", "odt", "rtf"].contains(&ending);
    // `wifi password.txt`; a page called `reset-password.md` tells how, not which.
    let last = if ending == "md" { stem } else { stem.rsplit(' ').next().unwrap_or(stem) };
    let is_list =
        ["password", "passwords", "passwort", "passwörter", "logins", "credentials", "pins"].contains(&last);
    if !is_regular(file) || file.size == 0 || !is_open || !is_list {
        return None;
    }
    let finding =
        "By its name this document lists passwords, and anybody who can read it has them.".to_owned();
    Some((dir.child(file.name.as_bytes()), Found::new(&KEY_STORE, finding, Vec::new())))
}

fn store(dir: &Directory, file: &ListedFile) -> Option<(RelPath, Found)> {
    let name = file.name.to_utf8()?.to_ascii_lowercase();
    if !is_regular(file) || file.size == 0 || !STORES.iter().any(|ending| name.ends_with(ending)) {
        return None;
    }
    let finding = "By its name this file keeps keys or passwords.".to_owned();
    Some((dir.child(file.name.as_bytes()), Found::new(&KEY_STORE, finding, Vec::new())))
}
