//! Investigations that there are, as commands name them.

use std::path::Path;

use luminos_core::report::Report;
use luminos_core::spend::Money;
use luminos_core::{Exit, Failure};
use luminos_engine::{Counters, Investigation, Meta, NoTurn, State, Store, StoreError, used};
use luminos_report::investigation;
use luminos_wire::control::DaemonStatus;

use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Words for what is wrong with the store.
pub(crate) fn failure(error: &StoreError) -> Failure {
    Failure::new(error, error.hint())
}

/// Words for why this process may not plan.
pub(crate) fn no_turn(error: &NoTurn) -> Failure {
    match error {
        NoTurn::Store(error) => failure(error),
        NoTurn::Gone => Failure::new(error, None),
    }
}

/// The store, if there is one.
pub(crate) fn store(home: &Path) -> Result<Store, Failure> {
    let none = || Failure {
        message: "there are no investigations yet".to_owned(),
        causes: Vec::new(),
        hint: Some("`luminosctl run <path>` makes one".to_owned()),
        exit: Exit::Failed,
    };
    Store::existing(home).map_err(|error| failure(&error))?.ok_or_else(none)
}

/// The investigation that somebody means.
pub(crate) fn find(home: &Path, word: &Path, session: &Session<'_>) -> Result<Investigation, Failure> {
    let store = store(home)?;
    let known = store.investigations();
    let found = known.find(word.as_os_str()).or_else(|error| {
        // A path means the same from everywhere.
        let absolute = session.absolute(word);
        if absolute.exists() { known.find(absolute.as_os_str()) } else { Err(error) }
    });
    Ok(store.investigation(found.map_err(|error| Failure { exit: Exit::Usage, ..failure(&error) })?))
}

/// What an investigation is.
pub(crate) fn meta(investigation: &Investigation) -> Result<Meta, Failure> {
    let meta = investigation.meta().map_err(|problem| Failure::new(&problem, None))?;
    meta.ok_or_else(|| Failure {
        message: format!("the investigation {} has gone", investigation.id()),
        causes: Vec::new(),
        hint: None,
        exit: Exit::Failed,
    })
}

/// The way out when a report is damaged.
pub(crate) const REMAKE: &str = "`luminosctl run --refresh-plan` on its target makes the report again";

/// The report of an investigation.
pub(crate) fn report(investigation: &Investigation) -> Result<Report, Failure> {
    let report = investigation.report::<Report>().map_err(|problem| Failure::new(&problem, Some(REMAKE)))?;
    report.ok_or_else(|| Failure {
        message: "the investigation has no report yet".to_owned(),
        causes: Vec::new(),
        hint: Some("`luminosctl run` on its target goes on where it was".to_owned()),
        exit: Exit::Failed,
    })
}

/// The report that somebody means: that of an investigation, or a file with one.
pub(crate) fn report_of(word: &Path, session: &mut Session<'_>) -> Result<Report, Stop> {
    Ok(told(word, session)?.report)
}

/// A report, and what is wrong with how it came here.
pub(crate) struct Told {
    pub(crate) report: Report,
    /// What its digest and the state directory have against it; of a file only.
    pub(crate) faults: Vec<String>,
}

/// The same, looked at more closely: a file is held against its own digest, and against the investigation that it comes
/// from, if that is in the state directory.
pub(crate) fn told(word: &Path, session: &mut Session<'_>) -> Result<Told, Stop> {
    let file = session.absolute(word);
    let config = session.resolve(luminos_core::config::Layer::default())?.config;
    if !file.is_file() {
        let found = find(&config.home, word, session)?;
        return Ok(Told { report: report(&found)?, faults: Vec::new() });
    }
    let (report, words) = read_report(&file)?;
    let mut faults: Vec<String> = Vec::new();
    match words {
        Words::Printed(bytes) => {
            faults.extend(investigation::digest_fault(&bytes));
            faults.extend(against_the_store(&report, &bytes, &config.home));
        }
        Words::Bundled(bytes) => faults.extend(investigation::digest_fault(&bytes)),
        Words::Kept => {}
    }
    Ok(Told { report, faults })
}

/// What is not as the investigation says that a report is from. One that has been made again since says nothing.
fn against_the_store(given: &Report, bytes: &[u8], home: &Path) -> Option<String> {
    let store = Store::existing(home).ok().flatten()?;
    let found = store.investigation(given.investigation.parse().ok()?);
    let kept = found.report::<Report>().ok().flatten()?;
    if kept.made_at != given.made_at {
        return None;
    }
    let written = investigation::json(&kept, None).ok()?;
    drop(kept);
    // Nearly always it is the same; then nothing has to be taken apart.
    if investigation::words_digest(&written) == investigation::words_digest(bytes) {
        return None;
    }
    let parsed = |bytes: &[u8]| {
        let mut document: serde_json::Value = serde_json::from_slice(bytes).ok()?;
        let fields = document.as_object_mut()?;
        fields.remove("digest");
        // How flags stand to a baseline is no part of the investigation.
        for flag in fields.get_mut("flags")?.as_array_mut()? {
            flag.as_object_mut()?.remove("baseline");
        }
        Some(document)
    };
    let words = ["in the state directory", "in the file"];
    let difference = luminos_engine::first_difference([parsed(&written)?], &parsed(bytes)?, words)?;
    let id = found.id();
    Some(format!("it is not the report that the investigation {id} made: {difference}"))
}

/// The words that a report was read from.
enum Words {
    /// As `--json` prints them.
    Printed(Vec<u8>),
    /// Those in a bundle. They were changed on purpose: secrets and paths are taken out.
    Bundled(Vec<u8>),
    /// As the state directory holds them, which are checked there.
    Kept,
}

/// Reads a report that somebody has kept or was sent.
fn read_report(file: &Path) -> Result<(Report, Words), Failure> {
    let shown = for_terminal(file);
    let bytes =
        std::fs::read(file).map_err(|error| Failure::caused_by(format!("cannot read `{shown}`"), &error))?;
    let bundled = luminos_engine::bundled_report(&bytes).map(<[u8]>::to_vec);
    let (bytes, words): (_, fn(Vec<u8>) -> Words) = match bundled {
        Some(bundled) => (bundled, Words::Bundled),
        None => (bytes, Words::Printed),
    };
    let error = match investigation::read_json(&bytes) {
        Ok(report) => return Ok((report, words(bytes))),
        Err(error) => error,
    };
    if let Ok(report) = serde_json::from_slice::<Report>(&bytes) {
        return Ok((report, Words::Kept));
    }
    let failure = Failure::caused_by(format!("`{shown}` is not the report of an investigation"), &error);
    Err(Failure {
        hint: Some("`luminosctl show <target> --json -o FILE` writes one".to_owned()),
        exit: Exit::Usage,
        ..failure
    })
}

/// How an investigation stands, in a word; what the daemon says about it counts more than what is stored.
pub(crate) fn standing(
    investigation: &Investigation,
    meta: &Meta,
    daemon: Option<&DaemonStatus>,
) -> &'static str {
    let id = meta.id.to_string();
    let run = daemon.and_then(|daemon| daemon.runs.iter().find(|run| run.investigation == id));
    match (run, &meta.state) {
        (Some(run), _) if run.paused.is_some() => "paused",
        (Some(_), _) => "running",
        // Its daemon died, or was stopped: nobody works on it.
        (None, State::Running | State::Paused { .. }) => "interrupted",
        (None, State::Done) => "done",
        (None, State::Partial) => "partial",
        (None, State::Failed) => "failed",
        (None, State::Cancelled) if is_plan_only(investigation, meta) => "planned",
        (None, State::Cancelled) => "cancelled",
    }
}

/// Whether there is a plan, and nobody has begun to follow it.
fn is_plan_only(investigation: &Investigation, meta: &Meta) -> bool {
    meta.counters.turns == 0 && matches!(investigation.plan(), Ok(Some(_)))
}

/// What an investigation has used in all its runs, in three numbers that are never mixed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    /// What was spent, and what was lost in flight.
    pub(crate) counters: Counters,
    /// What calls on their way can cost at most.
    pub(crate) reserved: Money,
}

impl Used {
    /// As the daemon tells while a run is under way, and otherwise as its journal and its documents do.
    pub(crate) fn find(investigation: &Investigation, meta: &Meta, daemon: Option<&DaemonStatus>) -> Self {
        let id = meta.id.to_string();
        let run = daemon.and_then(|daemon| daemon.runs.iter().find(|run| run.investigation == id));
        let Some(run) = run else {
            return Self { counters: used(investigation, meta), reserved: Money::default() };
        };
        let before = meta.before;
        let money = run.cost.unwrap_or_default().nanodollars();
        let counters = Counters {
            tokens: before.tokens.saturating_add(run.tokens.0),
            nanodollars: before.nanodollars.saturating_add(money),
            lost_tokens: before.lost_tokens.saturating_add(run.lost.tokens.0),
            lost_nanodollars: before.lost_nanodollars.saturating_add(run.lost.money.nanodollars()),
            ..meta.counters
        };
        Self { counters, reserved: run.reserved.money }
    }

    /// What was spent; `None` if a model without a price was asked.
    pub(crate) fn spent(&self) -> Option<Money> {
        let is_unknown = self.counters.nanodollars == 0 && 0 < self.counters.tokens;
        (!is_unknown).then(|| Money::from_nanodollars(self.counters.nanodollars))
    }

    /// What was reserved for calls whose process died.
    pub(crate) fn lost(&self) -> Money {
        Money::from_nanodollars(self.counters.lost_nanodollars)
    }
}

/// Seconds since an investigation last changed.
pub(crate) fn age(investigation: &Investigation) -> Option<u64> {
    let changed = std::fs::metadata(investigation.dir().join("meta.json")).ok()?.modified().ok()?;
    changed.elapsed().ok().map(|age| age.as_secs())
}
