//! Find files with the same content.

mod hash;
mod report;
mod walk;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// Where to look
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Remove all but one file of each group, for good
    #[arg(long)]
    delete: bool,
    #[arg(long, value_enum, default_value_t = Keep::Oldest)]
    keep: Keep,
}

#[derive(Clone, Copy, ValueEnum)]
enum Keep {
    Oldest,
    Newest,
    Shortest,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let files = walk::candidates(&args.dirs);
    let groups = hash::group(files);
    report::print(&groups);
    if args.delete {
        for g in &groups {
            for path in g.iter().skip(1) {
                if let Err(e) = std::fs::remove_file(path) {
                    eprintln!("twinfind: {}: {e}", path.display());
                }
            }
        }
    }
    if groups.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
