//! From a request to repeat a run to a request to run: what shaped it is read from its report, and what it had found
//! there already is put where it will find it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use luminos_core::RelPath;
use luminos_core::entry::FileEntry;
use luminos_core::report::{Provenance, Report};
use luminos_core::talk::Pass;
use luminos_store::{Investigation, Records, State, Store, Writer};
use luminos_wire::control::{Refused, Replay, RunLimits, RunRequest, Walk};
use serde_json::Value;

use super::begin::{path, refused};
use crate::minds::OFFLINE;
use crate::recordings::Recordings;
use crate::run::{TurnLine, place_of};

/// A run that is to be repeated.
pub(super) struct Again {
    /// Where it is kept.
    pub(super) source: Investigation,
    /// What came of it.
    pub(super) report: Report,
    /// What shaped it.
    pub(super) provenance: Provenance,
    /// What was said in it.
    pub(super) recordings: Arc<Recordings>,
}

impl Again {
    /// Finds what a request means. A run that is to be repeated as a whole must not lie in the store that repeats it.
    pub(super) fn find(replay: &Replay, home: &Path) -> Result<Self, Refused> {
        let source = path(&replay.home);
        let store = Store::existing(&source).map_err(|error| refused(&error, error.hint()))?;
        let id = replay.investigation.parse().ok();
        let (Some(store), Some(id)) = (store, id) else {
            return Err(usage("there is no such investigation"));
        };
        if replay.until.is_none() && source == home {
            return Err(usage("a run is not repeated where it lies: it would take the place of itself"));
        }
        let source = store.investigation(id);
        let report = source.report::<Report>().map_err(|problem| refused(&problem, None))?;
        let meta = source.meta().map_err(|problem| refused(&problem, None))?;
        let is_over = meta.is_some_and(|meta| matches!(meta.state, State::Done | State::Partial));
        let Some(report) = report.filter(|_| is_over) else {
            return Err(usage("its last run has not come to its end: there is nothing to compare with"));
        };
        let recordings = Recordings::open(store, source.clone(), &report, replay.until);
        let recordings = recordings
            .map_err(|error| refused(&error, Some("`luminosctl run` on its target makes another")))?;
        let provenance = report.provenance.clone().unwrap_or_default();
        Ok(Self { source, report, provenance, recordings: Arc::new(recordings) })
    }

    /// The request that the run was made for, as far as it shaped what came out.
    pub(super) fn request(&self, request: RunRequest) -> RunRequest {
        let Provenance { parameters, most_turns, refinements, .. } = &self.provenance;
        let models = self.report.models.iter().filter(|(_, name)| *name != OFFLINE);
        let is_on = |value: &Value| value.as_bool().unwrap_or_default();
        let names = |value: &Value| {
            let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        };
        let walk = &parameters["walk"];
        RunRequest {
            models: models.map(|(pass, name)| (pass.clone(), name.clone())).collect(),
            limits: RunLimits { turns: *most_turns, ..RunLimits::default() },
            refinements: *refinements,
            second_judge: is_on(&parameters["second_judge"]),
            show_secrets: is_on(&parameters["secrets"]),
            fresh: true,
            refresh_plan: false,
            plan_only: false,
            walk: Walk {
                hidden: is_on(&walk["hidden"]),
                ignore_files: is_on(&walk["ignore_files"]),
                exclude: names(&walk["exclude"]),
                keep: names(&walk["keep"]),
                cross_mounts: is_on(&walk["cross_mounts"]),
                ..request.walk.clone()
            },
            ..request
        }
    }

    /// Whether this program would ask the same in the same way.
    pub(super) fn check(&self, parameters: &Value) -> Result<(), Refused> {
        let recorded = [self.provenance.parameters.clone()];
        match luminos_models::first_difference(recorded, parameters, ["then", "now"]) {
            None => Ok(()),
            Some(difference) => Err(Refused {
                message: "this program works in another way than the one that made the report".to_owned(),
                causes: vec![difference],
                hint: Some("use the program that made it, or run the investigation again".to_owned()),
                is_usage: false,
            }),
        }
    }

    /// Puts what the run had found there already where the one that repeats it finds it: results of earlier runs, and
    /// survey and plan if they were not its own.
    pub(super) fn seed(&self, to: &Investigation, writer: &Writer) -> Result<(), Refused> {
        let run = &self.provenance.run;
        let failed = |error: luminos_store::Error| refused(&error, error.hint());
        let (entries, _) = self.source.dir_entries();
        let own: BTreeSet<RelPath> = entries
            .iter()
            .filter(|entry| entry.run == *run)
            .map(|entry| entry.relative_path.clone())
            .collect();
        let mut is_later = false;
        for entry in entries.iter().filter(|entry| entry.run != *run) {
            is_later = true;
            to.put_dir_entry(writer, entry).wait().map_err(failed)?;
        }
        if is_later {
            let (entries, _) = self.source.file_entries();
            let mut shelves: BTreeMap<RelPath, Vec<FileEntry>> = BTreeMap::new();
            for entry in entries {
                let dir = entry.relative_path.parent().unwrap_or_default();
                shelves.entry(dir).or_default().push(entry);
            }
            for (dir, entries) in shelves.iter().filter(|(dir, _)| !own.contains(*dir)) {
                to.put_file_entries(writer, dir, entries).wait().map_err(failed)?;
            }
        }
        let is_own = |pass: Pass| {
            let lines = self.source.transcript::<TurnLine>(&place_of(pass));
            let lines = lines.map(Records::into_bodies).unwrap_or_default();
            lines.iter().any(|line| line.run == *run)
        };
        if is_later
            && !is_own(Pass::Survey)
            && let Ok(Some(survey)) = self.source.survey()
        {
            to.put_survey(writer, &survey).wait().map_err(failed)?;
        }
        if is_later
            && !is_own(Pass::Plan)
            && let Ok(Some(plan)) = self.source.plan()
        {
            to.put_plan(writer, &plan).wait().map_err(failed)?;
        }
        Ok(())
    }
}

fn usage(message: &str) -> Refused {
    Refused { message: message.to_owned(), causes: Vec::new(), hint: None, is_usage: true }
}
