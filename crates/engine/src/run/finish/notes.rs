//! What a reader of the report must know about how it came about.

use std::collections::BTreeMap;

use luminos_core::end::{EndKind, EndReason};
use luminos_core::entry::DirEntry;
use luminos_core::job::Mind;
use luminos_core::report::{Note, Origin};
use luminos_core::run::RunNote;
use luminos_core::scan::{DEEPEST, Trouble};
use luminos_core::talk::Pass;
use luminos_core::{RelPath, Untrusted, is_secret_file};
use luminos_store::{Lost, Mended};

use crate::run::desk::Desk;
use crate::run::fallback;

/// How many paths a note names.
const MOST_NAMED: usize = 5;
/// Of so many directories it is told what was lost of their reports.
const MOST_CORRECTED: usize = 20;

impl Desk {
    /// What a reader of the report must know.
    pub(super) fn notes(&self) -> Vec<Note> {
        let mut notes = self.notes_on_the_run();
        notes.extend(self.degraded.iter().cloned().map(Note::Degraded));
        notes.extend(self.passed().map(|passed| Note::Degraded(passed.to_string())));
        notes.extend(self.writer.take_mended(&self.investigation).iter().map(words_of_mended));
        notes.extend(self.spent.notes.iter().map(|(model, note)| {
            let model = Untrusted::new(model.as_bytes()).for_terminal();
            Note::Degraded(format!("{model}: {}", note.words()))
        }));
        match self.redacted_before + self.spent.redactions {
            0 => {}
            1 => notes.push(Note::Other("1 secret was taken out of what was sent to models".to_owned())),
            count => {
                notes.push(Note::Other(format!("{count} secrets were taken out of what was sent to models")))
            }
        }
        match self.void_flags {
            0 => {}
            1 => notes.push(Note::Other(
                "1 flag of an earlier run is void: what it cites has changed, or is gone".to_owned(),
            )),
            many => notes.push(Note::Other(format!(
                "{many} flags of earlier runs are void: what they cite has changed, or is gone"
            ))),
        }
        notes.extend(self.made_again().into_iter().map(Note::Other));
        notes
    }

    /// How the run went, as far as it is the same whenever the report is made: whoever writes it is told.
    pub(in crate::run) fn notes_on_the_run(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = self.target_gone.iter().cloned().map(Note::Partial).collect();
        notes.extend(self.limit.iter().cloned().map(Note::Partial));
        let mut not_reached = 0_u64;
        let mut filled_in: BTreeMap<String, (EndKind, Vec<&RelPath>)> = BTreeMap::new();
        let mut told: Vec<&RunNote> = self.run.notes().iter().collect();
        // Whoever finished first is chance: the same run told again says the same.
        told.sort_by_key(|note| rank(note));
        for note in told {
            match note {
                RunNote::NoSurvey => notes.push(Note::Degraded(self.why_no("survey"))),
                RunNote::NoPlan => notes.push(Note::Degraded(format!(
                    "{}; every directory got the same number of turns",
                    self.why_no("plan")
                ))),
                RunNote::Plan(warning) => notes.push(Note::Plan(warning.to_string())),
                RunNote::PartialDir { path, reason } => {
                    notes.push(Note::Partial(format!("{}: {reason}", path.for_terminal())));
                }
                RunNote::GivenUp { path, reason } => {
                    notes.push(Note::Partial(format!("{} was given up: {reason}", path.for_terminal())));
                }
                RunNote::FilledIn { path, reason, end } => {
                    let general = EndReason::in_general(reason);
                    filled_in.entry(general).or_insert_with(|| (*end, Vec::new())).1.push(path);
                }
                RunNote::NoSynthesis { reason } => notes.push(Note::Degraded(self.why_no_synthesis(reason))),
                RunNote::NotReached { .. } => not_reached += 1,
            }
        }
        notes.extend(filled_in.iter().map(|(reason, (end, dirs))| {
            let (first, rest) = (words_of_dirs(dirs.iter().copied()), end.way_on());
            Note::Partial(format!("{first} looked at by the analyst, because {reason}. {rest}"))
        }));
        notes.extend(self.kept_from_earlier());
        notes.extend(self.lost_from_reports());
        match not_reached {
            0 => {}
            1 => notes.push(Note::LeftOut("1 directory was not reached".to_owned())),
            many => notes.push(Note::LeftOut(format!("{many} directories were not reached"))),
        }
        if let Some((schedule, _)) = self.run.schedule()
            && !schedule.left_out.is_empty()
        {
            let paths: Vec<String> = schedule.left_out.iter().map(|left| left.path.for_terminal()).collect();
            notes.push(Note::LeftOut(format!("there were too few turns for {}", paths.join(", "))));
        }
        notes.extend(self.unreadable());
        if 0 < self.folded {
            let (verb, they) =
                if self.folded == 1 { ("directory lies", "its") } else { ("directories lie", "their") };
            notes.push(Note::Other(format!(
                "{} {verb} more than {DEEPEST} levels below the target: {they} files were looked at with the directory at that level",
                self.folded
            )));
        }
        notes.extend(self.withheld());
        notes
    }

    /// Why no model wrote the report on the whole, and who did.
    fn why_no_synthesis(&self, reason: &str) -> String {
        match self.report.as_ref().map(|report| report.origin) {
            Some(Origin::Model) => {
                format!("the words on the whole are those of an earlier report on the same content: {reason}")
            }
            _ => format!("the report was put together without a model, by the analyst: {reason}"),
        }
    }

    /// Directories of which the words of an earlier run were kept.
    fn kept_from_earlier(&self) -> Option<Note> {
        let reason = self.kept_earlier.values().next()?;
        let dirs = words_of_dirs(self.kept_earlier.keys());
        Some(Note::Partial(format!("{dirs} told as an earlier run found the same content, because {reason}")))
    }

    /// What of models' reports on directories could not be read.
    fn lost_from_reports(&self) -> Vec<Note> {
        let entries = self.report.iter().flat_map(|report| &report.directories);
        let corrected = entries.filter(|entry| !entry.corrections.is_empty());
        let note = |entry: &DirEntry| {
            let lost = fallback::some(&entry.corrections);
            format!(
                "the model's report on {} was read as far as possible: {lost}",
                entry.relative_path.for_terminal()
            )
        };
        corrected.take(MOST_CORRECTED).map(|entry| Note::Degraded(note(entry))).collect()
    }

    /// What of the target could not be read.
    fn unreadable(&self) -> Option<Note> {
        let scan = self.scan.as_deref()?;
        let is_unreadable = |trouble: &Trouble| match trouble {
            Trouble::Unlisted(_) | Trouble::Unread(_) | Trouble::TooDeep => true,
            Trouble::Changed
            | Trouble::TooLarge { .. }
            | Trouble::Sparse { .. }
            | Trouble::ForeignHardLink { .. }
            | Trouble::SetUid
            | Trouble::BadPattern { .. } => false,
        };
        let problems: Vec<_> = scan.problems.iter().filter(|one| is_unreadable(&one.trouble)).collect();
        let named: Vec<String> = problems
            .iter()
            .take(MOST_NAMED)
            .map(|one| {
                let path = one.path.for_terminal();
                if let Trouble::Unlisted(why) = &one.trouble {
                    format!("`{path}/` ({})", why.to_lowercase())
                } else if let Trouble::Unread(why) = &one.trouble {
                    format!("`{path}` ({})", why.to_lowercase())
                } else {
                    format!("`{path}` ({})", one.trouble)
                }
            })
            .collect();
        let more = match problems.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!named.is_empty()).then(|| {
            Note::LeftOut(format!("could not be read, and was not seen: {}{more}", named.join(", ")))
        })
    }

    /// Which files no model has seen because they keep secrets, by their names.
    fn withheld(&self) -> Option<Note> {
        if self.show_secrets || self.minds.mind(Pass::Dir) == Mind::Offline {
            return None;
        }
        let scan = self.scan.as_deref()?;
        let known = scan.file_ids().map(|file| scan.file_path(file));
        // Hidden files are left out of a scan, and could be read by their names all the same.
        let left_out = scan.skipped.iter().filter(|skipped| !skipped.is_dir);
        let mut paths: Vec<RelPath> =
            known.chain(left_out.map(|skipped| skipped.path.clone())).filter(is_secret_file).collect();
        paths.sort();
        let named: Vec<String> =
            paths.iter().take(MOST_NAMED).map(|path| format!("`{}`", path.for_terminal())).collect();
        let (count, more) = (paths.len(), paths.len().saturating_sub(MOST_NAMED));
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        (0 < count).then(|| {
            Note::LeftOut(format!(
                "models were not shown what is in {count} {} that, by {}, {} secrets: {}{more} (--include-secrets shows them)",
                if count == 1 { "file" } else { "files" },
                if count == 1 { "its name" } else { "their names" },
                if count == 1 { "keeps" } else { "keep" },
                named.join(", "),
            ))
        })
    }

    fn why_no(&self, what: &str) -> String {
        let known = self.failed_passes.iter().find(|why| why.contains(what)).cloned();
        known.unwrap_or_else(|| format!("there is no {what}"))
    }
}

/// What a reader is told of a journal that was damaged.
fn words_of_mended(mended: &Mended) -> Note {
    let Mended { problem, lost } = mended;
    let of = if problem.path.parent().is_some_and(|dir| dir.ends_with("transcripts")) {
        "a conversation of this investigation".to_owned()
    } else {
        format!("`{}`", problem.path.file_name().unwrap_or_default().to_string_lossy())
    };
    let lost = match lost {
        Lost::Lines(0) => "nothing of it was lost".to_owned(),
        Lost::Lines(1) => "1 line of it was lost".to_owned(),
        Lost::Lines(many) => format!("{many} lines of it were lost"),
        Lost::Everything => "all of it was lost".to_owned(),
    };
    Note::Degraded(format!("{of} was damaged ({}) and was mended: {lost}", problem.why))
}

/// Directories and their verb, the first of them named.
fn words_of_dirs<'a>(dirs: impl ExactSizeIterator<Item = &'a RelPath>) -> String {
    let count = dirs.len();
    let named: Vec<String> = dirs.take(MOST_NAMED).map(|dir| format!("`{}`", dir.for_terminal())).collect();
    let named = named.join(", ");
    match count.saturating_sub(MOST_NAMED) {
        _ if count == 1 => format!("1 directory ({named}) was"),
        0 => format!("{count} directories ({named}) were"),
        more => format!("{count} directories ({named} and {more} more) were"),
    }
}

/// The order in which notes are told.
fn rank(note: &RunNote) -> (u8, Option<&RelPath>) {
    match note {
        RunNote::NoSurvey => (0, None),
        RunNote::NoPlan => (1, None),
        RunNote::Plan(_) => (2, None),
        RunNote::PartialDir { path, .. } | RunNote::FilledIn { path, .. } => (3, Some(path)),
        RunNote::GivenUp { path, .. } => (4, Some(path)),
        RunNote::NoSynthesis { .. } => (5, None),
        RunNote::NotReached { path } => (6, Some(path)),
    }
}

pub(in crate::run) fn words(note: &Note) -> String {
    match note {
        Note::Partial(text)
        | Note::Degraded(text)
        | Note::Plan(text)
        | Note::LeftOut(text)
        | Note::Other(text) => text.clone(),
    }
}
