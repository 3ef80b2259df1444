//! Whether the state directory can be used.

use std::path::Path;

use luminos_store::{Error, Store};

/// Opens the state directory, making it when it is missing, as every command that keeps something does.
pub fn check_state_dir(home: &Path) -> Result<(), Error> {
    Store::open(home).map(|_| ())
}
