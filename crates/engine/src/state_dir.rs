//! Whether the state directory can be used.

use std::path::Path;

use luminos_store::{Error, Store, refuse_network};

/// Opens the state directory, making it when it is missing, as every command that keeps something does; and asks what the
/// daemon asks of it.
pub fn check_state_dir(home: &Path) -> Result<(), Error> {
    Store::open(home)?;
    refuse_network(home)
}
