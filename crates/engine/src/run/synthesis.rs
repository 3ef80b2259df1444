//! From what is known of directories to the report on the whole.
//!
//! An investigation may have many thousand entries: they are handed to the thread that writes the report, and stay in
//! it. Nobody needs them beside it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use luminos_agent::mechanical;
use luminos_core::end::EndReason;
use luminos_core::entry::{DirEntry, FileEntry};
use luminos_core::flag::Flag;
use luminos_core::job::Mind;
use luminos_core::judge::{is_void, judge_findings, judge_flag};
use luminos_core::proof::Served;
use luminos_core::report::{Origin, Report, worst_first};
use luminos_core::run::Event;
use luminos_core::seen::ledger;
use luminos_core::survey::Survey;
use luminos_core::talk::Pass;
use luminos_core::whole::{Material, Synthesis};
use luminos_core::{ContentHash, RelPath};
use luminos_report::investigation as paper;
use luminos_store::Investigation;
use luminos_tools::library::TargetLibrary;

use super::desk::Desk;
use super::drift::{Again, Drift};
use super::finish::{joined, words};
use super::lifeline::Lifeline;
use super::passes::{self, Table};
use super::{Msg, keys};

/// What there is to write.
pub(super) struct Written {
    pub(super) report: Report,
    /// Why no model wrote it, where one should have.
    pub(super) failure: Option<String>,
    /// What has changed in the target meanwhile.
    pub(super) changes: Option<Drift>,
    /// Flags of earlier runs that are void: what they cite has changed, or is gone.
    pub(super) void: u64,
}

impl Desk {
    /// Makes the report out of what is known, unless the one there is was made from just that.
    pub(super) fn synthesise(&mut self) {
        let Some(scan) = self.scan.clone() else { return };
        let flags = worst_first(self.known().flat_map(|entry| entry.flags.iter().cloned()).collect());
        let key = keys::report_key(
            self.known().map(Arc::as_ref),
            &flags,
            keys::whole(&scan, self.around),
            self.meta.parameters_hash,
        );
        self.report_key = Some(key);
        if self.limit.is_some() {
            return self.write_anew();
        }
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let (myself, line) = (self.myself.clone(), self.lifeline("the synthesis"));
        tokio::task::spawn_blocking(move || {
            let _line = line;
            let stands = stands(&investigation, &writer, key);
            let _ = myself.cast(if stands { Msg::ReportStands } else { Msg::WriteAnew });
        });
    }

    /// The entries of directories that are looked at, by path.
    fn known(&self) -> impl Iterator<Item = &Arc<DirEntry>> {
        let planned = self.run.schedule();
        let looked_at: HashSet<&RelPath> = planned
            .into_iter()
            .flat_map(|(schedule, dirs)| {
                dirs.ids().filter(|dir| schedule.of(*dir).is_investigated()).map(|dir| dirs.path(dir))
            })
            .collect();
        self.entries.iter().filter(move |(path, _)| looked_at.contains(path)).map(|(_, entry)| entry)
    }

    /// Directories that the plan skipped, with the reason.
    fn not_planned(&self) -> BTreeMap<RelPath, String> {
        let Some((schedule, dirs)) = self.run.schedule() else { return BTreeMap::new() };
        let skipped = dirs.ids().filter(|dir| !schedule.of(*dir).is_investigated());
        skipped.map(|dir| (dirs.path(dir).clone(), schedule.of(dir).reason.clone())).collect()
    }

    /// Nothing has changed that the report tells of.
    pub(super) fn report_stands(&mut self) {
        self.is_report_reused = true;
        self.feed(Event::Synthesised { failure: None });
    }

    /// Writes a report.
    pub(super) fn write_anew(&mut self) {
        let Some(table) = self.table() else { return };
        let known: BTreeSet<RelPath> = self.known().map(|entry| entry.relative_path.clone()).collect();
        let entries = std::mem::take(&mut self.entries).into_iter();
        let entries = entries.filter(|(path, _)| known.contains(path));
        let dirs =
            entries.map(|(_, entry)| Arc::try_unwrap(entry).unwrap_or_else(|shared| (*shared).clone()));
        // A model sees files one by one only of a small target; the analyst can look through all of them.
        let shows_files = known.len() < 5 || self.minds.mind(Pass::Synthesis) == Mind::Offline;
        let gists = std::mem::take(&mut self.gists);
        let is_all_noted = known.iter().all(|dir| gists.contains_key(dir));
        let work = Work {
            gists: (shows_files && is_all_noted).then_some(gists),
            dirs: dirs.collect(),
            run: self.nonce.clone(),
            survey: self.run.survey().cloned(),
            notes: self.notes_on_the_run().iter().map(words).collect(),
            not_planned: self.not_planned(),
            shows_files,
            library: self.library(),
            again: Again {
                target: self.target.clone(),
                walk: self.walk.clone(),
                home: self.store.home().to_owned(),
                identity: self.identity.clone(),
            },
        };
        let (myself, line) = (self.myself.clone(), self.lifeline("the synthesis"));
        tokio::spawn(async move {
            let line: Lifeline = line;
            let minds = table.minds.to_the_end().await.unwrap_or_else(|_| table.minds.clone());
            let table = Table { minds, ..table };
            tokio::task::spawn_blocking(move || {
                let _line = line;
                let _ = myself.cast(Msg::Synthesised(Box::new(work.write(&table))));
            });
        });
    }

    /// There are words for the whole.
    pub(super) fn synthesised(&mut self, written: Written) {
        let Written { report, failure, changes, void } = written;
        if failure.is_some() || changes.is_some() {
            // The next run tries again, even if nothing has changed since, or all is as it was.
            self.report_key = None;
        }
        match changes {
            Some(Drift::Gone(words)) => self.target_gone = Some(words),
            Some(Drift::Changed(words)) => self.degraded.push(words),
            None => {}
        }
        self.void_flags = void;
        self.flags.clone_from(&report.flags);
        self.report = Some(report);
        self.feed(Event::Synthesised { failure });
    }
}

/// What a report is made of, on a thread of its own.
struct Work {
    dirs: Vec<DirEntry>,
    /// What was noted of all files, if that was in this run.
    gists: Option<BTreeMap<RelPath, Vec<FileEntry>>>,
    /// The run that makes it.
    run: String,
    survey: Option<Survey>,
    notes: Vec<String>,
    not_planned: BTreeMap<RelPath, String>,
    shows_files: bool,
    library: Option<Arc<TargetLibrary>>,
    again: Again,
}

impl Work {
    fn write(self, table: &Table) -> Written {
        let Self { dirs, gists, run, survey, notes, not_planned, shows_files, library, again } = self;
        let there: HashSet<RelPath> = dirs.iter().map(|entry| entry.relative_path.clone()).collect();
        let (flags, void) = flags_of(&dirs, &run, library.as_deref());
        let files = match (table.minds.mind(Pass::Synthesis), gists) {
            _ if !shows_files => Vec::new(),
            (Mind::Offline, Some(gists)) => {
                let mut files: Vec<FileEntry> = gists.into_values().flatten().collect();
                files.sort_unstable_by(|a, b| a.relative_path.cmp(&b.relative_path));
                files
            }
            (mind, _) => {
                // What loops have noted is on the disk once this is answered; whether all is well shows elsewhere.
                let _ = table.writer.look().wait();
                match mind {
                    Mind::Offline => table.investigation.file_gists(),
                    Mind::Remote => table.investigation.file_entries().0,
                }
            }
        };
        // What else the report needs rests on the same, and is found out meanwhile.
        let (changes, seen, synthesis) = std::thread::scope(|scope| {
            let meanwhile =
                scope.spawn(|| (again.changes_since(&table.scan), ledger(&table.scan, &dirs, &not_planned)));
            // Whoever writes about the whole must know which flags are proved.
            let mut flags = flags;
            judge_flags(&mut flags, &dirs, library.as_deref());
            let mut synthesis = synthesis(table, survey.as_ref(), &dirs, files, &flags, &notes);
            judge_findings(&mut synthesis.findings, &dirs);
            judge_flags(&mut synthesis.flags, &dirs, library.as_deref());
            synthesis.flags.splice(0..0, flags);
            let (changes, seen) = joined(meanwhile);
            (changes, seen, synthesis)
        });
        let Synthesis { origin, findings, subsystems, mut flags, failure } = synthesis;
        flags.retain(|flag| there.contains(&flag.directory));
        let mut report = Report::new(origin, findings, dirs, flags);
        report.subsystems = subsystems;
        report.set_files(seen);
        Written { report, failure: failure.map(|failure| failure.to_string()), changes, void }
    }
}

/// The flags of entries, the worst first, and how many are left out because they are void. What this run itself has
/// flagged is shown, whatever has become of it since.
fn flags_of(dirs: &[DirEntry], run: &str, library: Option<&TargetLibrary>) -> (Vec<Flag>, u64) {
    let (mut flags, mut void) = (Vec::new(), 0);
    for entry in dirs.iter().filter(|entry| !entry.flags.is_empty()) {
        let mut library =
            library.filter(|_| entry.run != run).map(|library| library.of(&entry.relative_path));
        for flag in &entry.flags {
            if library.as_mut().is_some_and(|library| is_void(flag, library)) {
                void += 1;
            } else {
                flags.push(flag.clone());
            }
        }
    }
    (worst_first(flags), void)
}

/// The words. There are always some: what a model does not write an earlier one has, of just the same content, or the
/// analyst does; and where whoever writes dies of it, they are put together from the entries.
fn synthesis(
    table: &Table,
    survey: Option<&Survey>,
    dirs: &[DirEntry],
    files: Vec<FileEntry>,
    flags: &[Flag],
    notes: &[String],
) -> Synthesis {
    let whole = table.whole(Pass::Synthesis);
    let material = Material { whole, survey, dirs, files: &files, flags, notes };
    let made = catch_unwind(AssertUnwindSafe(|| passes::synthesise(table, &material)));
    let died = || EndReason::ModelFailed("the synthesis died; the daemon's log says more".to_owned());
    let made = made.unwrap_or_else(|_| in_words_of_entries(&material, died()));
    let Some(failure) = made.failure else { return made };
    if let Some(earlier) = earlier_words(table) {
        let Report { findings, subsystems, .. } = earlier;
        return Synthesis {
            origin: Origin::Model,
            findings,
            subsystems,
            flags: made.flags,
            failure: Some(failure),
        };
    }
    // The analyst looks through all files.
    let (files, _) = table.investigation.file_entries();
    let material = Material { files: &files, ..material };
    let by_analyst = catch_unwind(AssertUnwindSafe(|| luminos_analyst::synthesise(&material)));
    match by_analyst {
        Ok(Synthesis { origin, findings, subsystems, .. }) => {
            let subsystems = if made.subsystems.is_empty() { subsystems } else { made.subsystems };
            Synthesis { origin, findings, subsystems, flags: made.flags, failure: Some(failure) }
        }
        Err(_) => in_words_of_entries(&material, failure),
    }
}

/// What the entries say, put together.
fn in_words_of_entries(material: &Material<'_>, failure: EndReason) -> Synthesis {
    Synthesis {
        origin: Origin::Mechanical,
        findings: mechanical(material),
        subsystems: Vec::new(),
        flags: Vec::new(),
        failure: Some(failure),
    }
}

/// The report that a model wrote of just the same content, if there is one.
fn earlier_words(table: &Table) -> Option<Report> {
    let report = table.investigation.report::<Report>().ok().flatten()?;
    let is_same = report.content_hash == Some(table.scan.content_hash());
    (report.origin == Origin::Model && is_same).then_some(report)
}

/// Whether the report that is kept was made from just what is known now. Its head tells; where it has none, it gets one.
fn stands(investigation: &Investigation, writer: &luminos_store::Writer, key: ContentHash) -> bool {
    if let Ok(Some(head)) = investigation.report_head::<paper::Head>() {
        return head.key() == Some(key);
    }
    let report = investigation.report::<Report>().ok().flatten();
    let Some(report) = report.filter(|report| report.key == Some(key)) else { return false };
    investigation.put_report_head(writer, &paper::Head::of(&report)).wait().is_ok()
}

/// Checks flags against what loops were shown.
fn judge_flags(flags: &mut [Flag], dirs: &[DirEntry], library: Option<&TargetLibrary>) {
    let Some(library) = library else { return };
    let mut served: HashMap<&RelPath, Vec<Served>> = HashMap::new();
    let cited: HashSet<RelPath> =
        flags.iter().flat_map(|flag| &flag.evidence).map(|evidence| evidence.path.clone()).collect();
    for read in dirs.iter().flat_map(|entry| &entry.reads).filter(|read| cited.contains(&read.path)) {
        served.entry(&read.path).or_default().push(read.clone());
    }
    for flag in flags {
        let paths: BTreeSet<&RelPath> = flag.evidence.iter().map(|evidence| &evidence.path).collect();
        let shown: Vec<Served> =
            paths.into_iter().filter_map(|path| served.get(path)).flatten().cloned().collect();
        let dir = flag.directory.clone();
        judge_flag(flag, &shown, &mut library.of(&dir));
    }
}
