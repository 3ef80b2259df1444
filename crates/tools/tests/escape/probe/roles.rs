//! What the probe does for the tests besides probing.

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::fd::BorrowedFd;
use std::path::Path;

use luminos_tools::command::Commands;
use luminos_tools::sandbox::{Limits, Support};

use crate::Failure;

/// A process that holds a secret, tells where, and stays until its input ends.
pub(crate) fn victim() -> Result<(), Failure> {
    let secret = Box::new(*b"SECRETS!");
    println!("{}", std::ptr::from_ref(secret.as_ref()).expose_provenance());
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// A process that uses a processor until it is ended.
pub(crate) fn burn() -> Result<(), Failure> {
    loop {
        std::hint::spin_loop();
    }
}

/// Runs each line of its input as a command and tells how it ended.
pub(crate) fn commands(support: &Support, root: BorrowedFd<'_>) -> Result<(), Failure> {
    let commands = Commands::new(support, &[root])?;
    for line in std::io::stdin().lock().lines() {
        let argv: Vec<String> = line?.split_whitespace().map(str::to_owned).collect();
        match commands.run(&argv, root, &Limits::default()) {
            Ok(outcome) => {
                let (stdout, stderr) =
                    (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
                println!("{:?} {stdout:?} {stderr:?}", outcome.end);
            }
            Err(error) => println!("{error}"),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}

pub(crate) fn parser() -> Result<(), Failure> {
    Ok(())
}

pub(crate) fn parse(_: &Support, _: &Path) -> Result<(), Failure> {
    Ok(())
}
