//! Subsystems by place: the directories at the top, or one level down where a single one holds nearly all of the program.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::fact::Opening;
use luminos_core::report::{Subsystem, SubsystemTold as Told};
use luminos_core::scan::DirId;

use super::lines_of_code;
use super::sides::Sides;
use crate::role::Role;
use crate::sentence::{gist_of, quotation_of, short_gist_of};
use crate::words::{clipped, code, count, first_sentence, list, some_of};
use luminos_core::whole::Material;

/// As many as a reader can keep in mind.
const MOST: usize = 10;
/// So much is said of each.
const LONGEST: usize = 200;
/// So many directories inside of one are told, if each has at least one in so many of its lines.
const INNER: usize = 4;
const LEAST_SHARE: u64 = 20;
/// With their own words, where those are short.
const INNER_WORDS: usize = 100;
/// So many of the smaller ones are named.
const REST: usize = 8;
/// How deep a program is taken apart.
const DEEPEST: usize = 8;

/// Forms subsystems of directories.
pub(super) fn subsystems(material: &Material<'_>, components: &[RelPath], sides: &Sides) -> Vec<Subsystem> {
    let scan = material.whole.scan;
    let by_path: BTreeMap<RelPath, DirId> = scan.dir_ids().map(|dir| (scan.dir_path(dir), dir)).collect();
    let code = |path: &RelPath| {
        by_path.get(path).map_or(0, |dir| sides.code(scan, dir.0..scan.dir(*dir).subtree_end))
    };
    let mut heads: Vec<RelPath> = if scan.dirs.is_empty() {
        Vec::new()
    } else {
        scan.children_of(DirId(0)).map(|dir| scan.dir_path(dir)).collect()
    };
    let own: u64 = heads.iter().filter(|path| !sides.has(&path.to_word())).map(&code).sum();
    for _ in 0..DEEPEST {
        // One that holds most of the program, or only groups others, is no division: look inside.
        let coarse = heads.iter().position(|path| {
            let word = path.to_word();
            let Some(dir) = by_path.get(path).filter(|_| !sides.has(&word)) else { return false };
            let children = scan.children_of(*dir).count();
            let is_group = scan.dir(*dir).own_files == 0 && 0 < children;
            let holds_most = own * 6 < code(path) * 10 && 2 < children && heads.len() < MOST;
            is_group || holds_most
        });
        let Some(coarse) = coarse else { break };
        let path = heads.remove(coarse);
        let Some(dir) = by_path.get(&path) else { break };
        heads.extend(scan.children_of(*dir).map(|child| scan.dir_path(child)));
        // Its own files stay together.
        if 0 < scan.dir(*dir).own_files {
            heads.push(path);
        }
    }
    let heads: BTreeSet<RelPath> = heads.into_iter().collect();
    let mut groups: BTreeMap<RelPath, Vec<RelPath>> = BTreeMap::new();
    for entry in material.dirs {
        // The nearest one above: there may be as many heads as directories.
        let above = std::iter::successors(Some(entry.relative_path.clone()), RelPath::parent);
        if let Some(head) = above.filter(|path| !path.is_root()).find_map(|path| heads.get(&path)) {
            groups.entry(head.clone()).or_default().push(entry.relative_path.clone());
        }
    }
    let mut groups: Vec<(bool, u64, RelPath, Vec<RelPath>)> = groups
        .into_iter()
        .map(|(path, members)| {
            let own = members.iter().filter_map(|member| by_path.get(member));
            let lines = own.map(|dir| sides.code(scan, dir.0..dir.0 + 1)).sum();
            (sides.has(&path.to_word()), lines, path, members)
        })
        .collect();
    // The program first, then what stands around it; most code first.
    groups.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then_with(|| a.2.cmp(&b.2)));
    // Tests that are a good part of everything are no small matter.
    let total: u64 = groups.iter().map(|(_, lines, _, _)| lines).sum();
    let is_large =
        |(is_side, lines, _, _): &(bool, u64, RelPath, Vec<RelPath>)| *is_side && total <= lines * 10;
    if let Some(large) = groups.iter().position(is_large).filter(|at| MOST - 2 < *at && MOST < groups.len()) {
        let group = groups.remove(large);
        groups.insert(MOST - 2, group);
    }
    let rest = if MOST < groups.len() { groups.split_off(MOST - 1) } else { Vec::new() };
    let mut subsystems: Vec<Subsystem> = groups
        .into_iter()
        .map(|(is_side, lines, path, members)| {
            let entry = material.dirs.iter().find(|entry| entry.relative_path == path);
            // What it is for is told with the components; here, what it is made of.
            let is_told = components.contains(&path);
            let made_of = made_of(material, &path, &members, lines, sides).filter(|_| !is_side);
            let (description, told) = match (made_of, entry) {
                (Some(made_of), _) => (made_of, Told::InWords),
                (None, Some(entry)) => plainly(entry, lines, is_told),
                (None, None) if lines == 0 => (count(members.len() as u64, "directory"), Told::InWords),
                (None, None) => (lines_of_code(lines), Told::Size),
            };
            Subsystem { name: name_of(&path, entry), description, dirs: members, told }
        })
        .collect();
    if !rest.is_empty() {
        let heads: Vec<String> =
            rest.iter().map(|(_, _, path, _)| crate::words::code(&path.to_word())).collect();
        let description = format!("smaller ones: {}", some_of(&heads, REST));
        let dirs = rest.into_iter().flat_map(|(_, _, _, members)| members).collect();
        let name = "Everything else".to_owned();
        subsystems.push(Subsystem { name, description, dirs, told: Told::InWords });
    }
    subsystems
}

/// How large a subsystem is, and what is in it; not again what it is for where it is told as a component.
fn plainly(entry: &DirEntry, lines: u64, is_told: bool) -> (String, Told) {
    // Pages of a manual are no code.
    let lines = if Role::of(&entry.relative_path.to_word()) == Some(Role::Docs) { 0 } else { lines };
    // How many lines it has is told behind it; which types, with the components.
    let gist = if lines == 0 { gist_of(entry) } else { short_gist_of(entry) };
    let gist = clipped(&gist, LONGEST);
    let is_settings = matches!(entry.opening.as_deref(), Some(Opening::Inside(inside)) if inside.is_settings);
    match (is_told, lines) {
        (_, 0) if is_settings => (gist, Told::Settings),
        (_, 0) => (gist, Told::InWords),
        (false, lines) => (format!("{gist}; {}", lines_of_code(lines)), Told::InWords),
        (true, lines) => (lines_of_code(lines), Told::Size),
    }
}

/// The directories with most of the code of a subsystem, each with its own lines and what it says of itself.
fn made_of(
    material: &Material<'_>,
    head: &RelPath,
    members: &[RelPath],
    all: u64,
    sides: &Sides,
) -> Option<String> {
    let scan = material.whole.scan;
    let by_path: BTreeMap<RelPath, DirId> = scan.dir_ids().map(|dir| (scan.dir_path(dir), dir)).collect();
    // A directory that only leads to another is no division: `src`.
    let mut base = *by_path.get(head)?;
    let whole = |dir: DirId| sides.code(scan, dir.0..scan.dir(dir).subtree_end);
    let is_own = |dir: &DirId| !sides.has(&scan.dir_path(*dir).to_word());
    while let Some(only) =
        scan.children_of(base).filter(is_own).find(|child| whole(base) * 9 < whole(*child) * 10)
    {
        base = only;
    }
    let paths: BTreeMap<RelPath, u64> = scan
        .children_of(base)
        .filter(is_own)
        .map(|dir| (scan.dir_path(dir), whole(dir)))
        .filter(|(path, lines)| all < lines * LEAST_SHARE && members.contains(path))
        .collect();
    let mut inner: Vec<(u64, &RelPath)> = paths.iter().map(|(path, lines)| (*lines, path)).collect();
    inner.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    inner.truncate(INNER);
    let shown: u64 = inner.iter().map(|(lines, _)| lines).sum();
    let told: Vec<String> = inner
        .into_iter()
        .map(|(lines, path)| {
            let below = path.as_bytes().strip_prefix(head.as_bytes()).unwrap_or(path.as_bytes());
            let below = String::from_utf8_lossy(below);
            let entry = material.dirs.iter().find(|entry| entry.relative_path == *path);
            let words = entry
                .and_then(quotation_of)
                .map(first_sentence)
                .filter(|words| words.chars().count() <= INNER_WORDS);
            let words = words.map(|words| format!(", “{words}”")).unwrap_or_default();
            format!("{} ({}{words})", code(below.trim_start_matches('/')), count(lines, "line"))
        })
        .collect();
    let how = if all <= shown * 2 { "most in" } else { "among them" };
    let place = scan.dir_path(base).to_word();
    let house = place.strip_prefix(&head.to_word()).unwrap_or_default().trim_start_matches('/');
    // One that holds nearly everything is named, unless its name says nothing.
    if !house.is_empty() && !matches!(house, "src" | "lib" | "source") {
        let whole = format!("{}, nearly all in {}", lines_of_code(all), code(house));
        return Some(if told.is_empty() { whole } else { format!("{whole}: {how} {}", list(&told)) });
    }
    (!told.is_empty()).then(|| format!("{}, {how} {}", lines_of_code(all), list(&told)))
}

/// The path, with what such directories hold where that is another word.
fn name_of(path: &RelPath, entry: Option<&DirEntry>) -> String {
    let word = path.to_word();
    let told = match entry.and_then(|entry| entry.opening.as_deref()) {
        Some(Opening::Inside(inside)) => inside.has_documents,
        Some(Opening::Readme { role: Some(role), .. }) => role == Role::Docs.noun(),
        Some(
            Opening::Package { text: Some(text), .. }
            | Opening::Readme { text, .. }
            | Opening::MainFile { text, .. }
            | Opening::OnlyFile { text, .. },
        ) => text.contains("document"),
        Some(Opening::Package { text: None, .. }) | None => false,
    };
    match Role::of(&word) {
        Some(Role::Docs) if !told => format!("{word} (documentation)"),
        _ => word,
    }
}
