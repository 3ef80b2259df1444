//! Investigations that there are, as commands name them.

use std::path::Path;

use luminos_core::report::Report;
use luminos_core::{Exit, Failure};
use luminos_engine::{Investigation, Store, StoreError};

use crate::session::Session;

/// Words for what is wrong with the store.
pub(crate) fn failure(error: &StoreError) -> Failure {
    Failure::new(error, error.hint())
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

/// The report of an investigation.
pub(crate) fn report(investigation: &Investigation) -> Result<Report, Failure> {
    let report = investigation.report::<Report>().map_err(|problem| Failure::new(&problem, None))?;
    report.ok_or_else(|| Failure {
        message: "the investigation has no report yet".to_owned(),
        causes: Vec::new(),
        hint: Some("`luminosctl run` on its target goes on where it was".to_owned()),
        exit: Exit::Failed,
    })
}
