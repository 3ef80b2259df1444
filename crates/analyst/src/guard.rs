//! The rules' own look at a directory that a model investigates: what they find is flagged whatever the model says, or is
//! talked into not saying.
//!
//! It comes before the model's first turn, reads every file that the model could be shown, and asks nobody. Only the lines
//! that a flag cites are recorded as shown: what is said of a model's reading stays true. What a plan skips is looked over
//! with the directory above it: a planner can be talked into skipping, too.

use std::io::Read as _;

use luminos_core::flag::Flag;
use luminos_core::job::{Assignment, Child, ListedFile, News, ToolLine};
use luminos_core::proof::{Served, ToolCallId};
use luminos_core::scan::Category;
use luminos_core::{ContentHash, RelPath};
use luminos_tools::Root;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::bounds::bound_flag;
use super::dir::MOST_FLAGS;
use super::eyes::FileText;
use super::rules;
use luminos_core::services::Services;

/// Of a larger file the beginning is looked at.
const LARGEST: u64 = 8 << 20;
/// So many bytes of a directory are looked at.
const ROOM: u64 = 64 << 20;
/// And so many files below it that are skipped.
const MOST_SKIPPED: usize = 5_000;

/// Looks over a directory and raises what the rules find.
pub fn look_over(assignment: &Assignment, root: &Root, services: &impl Services) {
    let mut guard = Guard { dir: &assignment.job.dir, beside: &assignment.files, root, room: ROOM, calls: 0 };
    let mut flags = Vec::new();
    let mut links = Vec::new();
    let mut withheld = Vec::new();
    let mut looked = 0_u64;
    let files = assignment.files.iter().filter(|file| file.kind.is_none() && file.size != 0);
    for file in files {
        if services.is_stopped() {
            return;
        }
        let Some(seen) = guard.look(&file.path_in(guard.dir), file.category, file.hash) else { continue };
        looked += 1;
        withheld.extend(seen.withheld);
        flags.extend(seen.flags);
        links.extend(seen.links);
    }
    let skipped = assignment.children.iter().filter(|child| matches!(child, Child::Skipped { .. }));
    for path in skipped.flat_map(|child| files_below(root, child.path())) {
        if services.is_stopped() {
            return;
        }
        let Some(seen) = guard.look(&path, Category::Unknown, None) else { continue };
        looked += 1;
        withheld.extend(seen.withheld);
        flags.extend(seen.flags);
    }
    for (path, _) in rules::hidden_files(assignment, root) {
        let Some(seen) = guard.look(&path, Category::Config, None) else { continue };
        withheld.extend(seen.withheld);
        flags.extend(seen.flags);
    }
    let links: Vec<_> =
        links.iter().map(|(path, links): &(RelPath, Vec<_>)| (path.clone(), links.as_slice())).collect();
    flags.extend(rules::of_dir(assignment, root, &links));
    services.news(News::Tool(ToolLine {
        turn: 0,
        tool: "rules".to_owned(),
        args: json!({ "path": guard.dir.to_word(), "files": looked }),
        result_length: ROOM - guard.room,
        failed: false,
    }));
    if !withheld.is_empty() {
        services.news(News::Served(withheld));
    }
    for flag in rules::at_most(rules::together(flags), MOST_FLAGS) {
        let served = served(&flag);
        if !served.is_empty() {
            services.news(News::Served(served));
        }
        services.news(News::Flag(bound_flag(flag)));
    }
}

/// The files of a directory and of all below it, hidden ones apart, in the order of their names.
fn files_below(root: &Root, dir: &RelPath) -> Vec<RelPath> {
    let (mut files, mut left) = (Vec::new(), vec![dir.clone()]);
    while let Some(dir) = left.pop().filter(|_| files.len() < MOST_SKIPPED) {
        let Ok(dir) = root.directory(&dir) else { continue };
        let mut below = Vec::new();
        // What cannot be listed any further is left at that: the scan has told it.
        let _ = dir.each(|entry| {
            if !entry.name.starts_with(b".") && (entry.kind.is_dir() || entry.kind.is_file()) {
                below.push((dir.child(entry.name), entry.kind.is_dir()));
            }
        });
        below.sort();
        for (path, is_dir) in below.into_iter().rev() {
            if is_dir {
                left.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files.truncate(MOST_SKIPPED);
    files
}

/// What a flag cites, as shown.
fn served(flag: &Flag) -> Vec<Served> {
    let cited = flag.evidence.iter().filter_map(|evidence| {
        Some(Served {
            path: evidence.path.clone(),
            blob: evidence.blob,
            start: evidence.start?,
            end: evidence.end?,
            first_line: evidence.start_line,
            last_line: evidence.end_line,
            call: evidence.call.clone()?,
        })
    });
    cited.collect()
}

struct Guard<'a> {
    dir: &'a RelPath,
    beside: &'a [ListedFile],
    root: &'a Root,
    room: u64,
    calls: u32,
}

struct Seen {
    flags: Vec<Flag>,
    /// A file that keeps secrets and has flags: those cite lines, and none of its bytes.
    withheld: Option<Served>,
    links: Option<(RelPath, Vec<rules::links::Link>)>,
}

impl Guard<'_> {
    fn look(&mut self, path: &RelPath, category: Category, hash: Option<ContentHash>) -> Option<Seen> {
        let mut bytes = Vec::new();
        let most = self.room.min(LARGEST);
        let opened = self.root.file(path).ok()?;
        let is_withheld = self.root.keeps_secrets(&opened);
        opened.file.take(most).read_to_end(&mut bytes).ok()?;
        self.room -= bytes.len() as u64;
        self.calls += 1;
        let call = ToolCallId(format!("0.{}", self.calls));
        let is_whole = (bytes.len() as u64) < most;
        let blob = if is_whole { Some(ContentHash(Sha256::digest(&bytes).into())) } else { hash };
        let text = blob.and_then(|blob| FileText::of(path, bytes.clone(), blob, call));
        let text = text.map(|text| text.withheld_if(is_withheld));
        Some(match text {
            Some(text) => {
                let flags = rules::flags(&text, rules::category_of(&text, category), self.dir, self.beside);
                let call = flags.iter().find_map(|flag| flag.evidence.first()?.call.clone());
                let withheld = call.filter(|_| text.is_withheld).map(|call| Served {
                    path: path.clone(),
                    blob,
                    start: 0,
                    end: bytes.len() as u64,
                    first_line: 1,
                    last_line: text.line_count() as u64,
                    call,
                });
                Seen { flags, withheld, links: Some((path.clone(), rules::links::of(&text))) }
            }
            None => Seen {
                flags: rules::in_bytes(&bytes, path, self.dir).into_iter().collect(),
                withheld: None,
                links: None,
            },
        })
    }
}
