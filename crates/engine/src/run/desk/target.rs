//! The target of a run is scanned, and what earlier runs found out about it is taken up.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use luminos_core::entry::{DirEntry, ENTRY_FORMAT};
use luminos_core::job::Mind;
use luminos_core::judge::is_void;
use luminos_core::plan::Dirs;
use luminos_core::report::Report;
use luminos_core::run::Event;
use luminos_core::scan::{DEEPEST, Scan};
use luminos_core::survey::is_small;
use luminos_core::talk::Pass;
use luminos_core::{ContentHash, RelPath, TargetKind};
use luminos_scan::{Progress, Scanned};
use luminos_store::{Investigation, Problem, Urgency, Writer};
use luminos_tools::library::TargetLibrary;
use luminos_wire::control::RunEvent;

use super::Desk;
use crate::base_scan::{Memory, ScanRequest, base_scan};
use crate::run::{Msg, keys};

impl Desk {
    pub(super) fn begin_scan(&mut self) {
        let target = self.target.clone();
        // What was left out belongs into the report, path by path.
        let options = luminos_scan::Options { explain_skipped: true, ..self.walk.clone() };
        let home = self.store.home().to_owned();
        let (investigation, myself) = (self.investigation.clone(), self.myself.clone());
        let writer = self.writer.clone();
        let complete = self.meta.complete.filter(|_| self.is_settled);
        let rests_on = self.meta.rests_on.clone();
        let parameters = self.meta.parameters_hash;
        // Only the analyst looks at what the scan leaves out; a model is not asked again for a new commit alone.
        let looks_around = self.minds.mind(Pass::Dir) == Mind::Offline;
        let line = self.lifeline("the scan");
        tokio::task::spawn_blocking(move || {
            let _line = line;
            let request = ScanRequest { target: &target, options, home: &home, memory: Memory::Used };
            let (scanned, warning) = base_scan(request, &Progress::default());
            if let Some(warning) = warning {
                tracing::warn!(%warning, "the scan will not be remembered");
            }
            let around =
                if looks_around { luminos_analyst::surroundings(&target) } else { ContentHash::default() };
            let known = match scanned {
                Err(error) => Err(with_causes(&error)),
                Ok(Scanned { scan, .. })
                    if complete == Some((keys::whole(&scan, around), parameters))
                        && investigation.has_report() =>
                {
                    if !investigation.has_flags(rests_on.as_ref())
                        && let Ok(Some(report)) = investigation.report::<Report>()
                    {
                        drop(investigation.put_flags(&writer, &report.flags));
                    }
                    let _ = myself.cast(Msg::Event(Box::new(Event::Unchanged)));
                    return;
                }
                Ok(Scanned { mut scan, .. }) => {
                    let folded = scan.fold_below(DEEPEST);
                    // Before anything is added; if it cannot be done now, the next run tries again.
                    drop(investigation.tidy_entries(&writer));
                    let (mut entries, problems) = investigation.dir_entries();
                    let kind = luminos_analyst::target_kind(&scan);
                    let identity = luminos_scan::identity(&target).ok();
                    let scan = Arc::new(scan);
                    take_over_flags(&mut entries, &investigation, &writer, &target, &scan);
                    Ok(Known { scan, identity, kind, folded, around, entries, problems })
                }
            };
            let _ = myself.cast(Msg::Scanned(Box::new(known)));
        });
    }

    pub(in crate::run) fn scanned(&mut self, known: Result<Known, String>) {
        let known = match known {
            Ok(known) => known,
            Err(reason) => return self.feed(Event::ScanFailed { reason }),
        };
        if self.is_settled && self.minds.asks_models() {
            return self.probe(known);
        }
        self.take_up(known);
    }

    /// There is something to do, and whoever is to do it can be asked.
    pub(in crate::run) fn take_up(&mut self, known: Known) {
        let Known { scan, identity, kind, folded, around, entries, problems } = known;
        if std::mem::take(&mut self.is_settled) {
            let receipt = self.investigation.put_meta(&self.writer, &self.meta, Urgency::Usual);
            self.watch(receipt);
        }
        for words in self.made_again() {
            self.audience.tell(&RunEvent::Note(words));
        }
        for problem in problems {
            // What cannot be used is made again; until then it must not be in the way.
            tracing::warn!(%problem, "an entry cannot be used");
            drop(self.writer.quarantine(&problem));
        }
        // Of directories that are gone nothing is known any more, and nothing that was flagged in them is true.
        let there: HashSet<RelPath> = scan.dir_ids().map(|dir| scan.dir_path(dir)).collect();
        let entries = entries.into_iter().filter(|entry| there.contains(&entry.relative_path));
        self.entries = entries.map(|entry| (entry.relative_path.clone(), Arc::new(entry))).collect();
        self.library = TargetLibrary::open(&self.target, Arc::clone(&scan)).ok().map(Arc::new);
        let event = Event::Scanned { dirs: Dirs::of(&scan), is_small: is_small(&scan) };
        self.scan = Some(scan);
        self.identity = identity;
        self.target_kind = kind;
        self.folded = folded;
        self.around = around;
        self.feed(event);
    }
}

/// A target that was scanned, and what earlier runs found out about it.
pub(in crate::run) struct Known {
    scan: Arc<Scan>,
    identity: Option<String>,
    kind: TargetKind,
    folded: u64,
    around: ContentHash,
    entries: Vec<DirEntry>,
    problems: Vec<Problem>,
}

/// Puts flags that an older program kept beside its entries into them: those that are not void. Documents are kept so; what
/// the analyst found is found again.
fn take_over_flags(
    entries: &mut [DirEntry],
    investigation: &Investigation,
    writer: &Writer,
    target: &Path,
    scan: &Arc<Scan>,
) {
    if entries.iter().all(DirEntry::holds_its_flags) {
        return;
    }
    let flags = investigation.flags_beside_entries();
    let Ok(library) = TargetLibrary::open(target, Arc::clone(scan)) else { return };
    for entry in entries.iter_mut().filter(|entry| !entry.holds_its_flags()) {
        let dir = entry.relative_path.clone();
        let own = flags.iter().filter(|flag| flag.directory == dir);
        let mut library = library.of(&dir);
        entry.add_flags(own.filter(|flag| !is_void(flag, &mut library)).cloned());
        if investigation.is_document(&dir) {
            entry.format = ENTRY_FORMAT;
            drop(investigation.put_dir_entry(writer, entry));
        }
    }
}

/// An error with all that caused it, as one sentence.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |words, cause| format!("{words}: {cause}"))
}
