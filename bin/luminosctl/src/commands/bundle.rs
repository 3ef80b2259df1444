//! `luminosctl bundle`

use std::path::PathBuf;

use clap::Args;
use luminos_core::{ByteSize, Exit, Failure};
use luminos_engine::{BundleOptions, bundle};

use super::report::{json, write_file};
use crate::printer::Stop;
use crate::session::{Session, for_terminal};
use crate::{daemon, known};

/// Pack an investigation into one file for a bug report, without secrets
///
/// The file is an archive (tar): the report, what the passes made, the ledgers, the log of tool calls, the end of the
/// daemon's log, and of every turn of a model how long it was, what was called and what it used. Not in it: files of the
/// target beyond what the report quotes, what models were shown and said, keys, words that look like secrets, and the path
/// of your home directory. Look into it before you send it.
///
/// `luminosctl show`, `verify` and `diff` take a bundle where they take a report.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct BundleArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Write it into this file
    #[arg(short, long, value_name = "FILE", default_value = "luminos-bundle.tar")]
    output: PathBuf,

    /// Put in what models were shown and said, too: parts of the target's files, without what looks like a secret
    #[arg(long)]
    with_transcripts: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl bundle . -o bug.tar && tar tvf bug.tar
  luminosctl show bug.tar";

/// Packs.
pub(crate) fn run(args: &BundleArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(luminos_core::config::Layer::default())?.config;
    let found = known::find(&config.home, &args.investigation, &session)?;
    let report = known::report(&found)?;
    let around = session.around();
    // The longest first: the state directory lies in the home directory.
    let paths = [(Some(config.home.as_path()), "$LUMINOS_HOME"), (around.home_dir.as_deref(), "~")];
    let mut hidden: Vec<(String, &'static str)> =
        paths.into_iter().filter_map(|(path, word)| Some((path?.to_str()?.to_owned(), word))).collect();
    hidden.retain(|(path, _)| 1 < path.len());
    hidden.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    let log = std::fs::read(daemon::log(&config.home)).unwrap_or_default();
    let options = BundleOptions {
        transcripts: args.with_transcripts,
        hidden,
        log: String::from_utf8_lossy(&log).into_owned(),
        program: daemon::program(),
    };
    let packed = bundle(&found, &report, &json(&report, None)?, &options)
        .map_err(|error| Failure::caused_by("cannot pack the investigation", &error))?;
    write_file(&args.output, &packed.bytes, &session)?;
    let mut text = format!("`{}` holds\n", for_terminal(&session.absolute(&args.output)));
    for (name, bytes) in &packed.files {
        text.push_str(&format!("  {:>9}  {name}\n", ByteSize(*bytes).to_string()));
    }
    let words = match packed.redactions {
        0 => "nothing in it looked like a secret".to_owned(),
        1 => "1 word that looked like a secret was taken out".to_owned(),
        many => format!("{many} words that looked like secrets were taken out"),
    };
    text.push_str(&format!("{words}; look into it before you send it\n"));
    session.printer.print(text)?;
    Ok(Exit::Done)
}
