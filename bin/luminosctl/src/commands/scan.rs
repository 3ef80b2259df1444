//! `luminosctl scan`

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use luminos_core::config::{BareName, Config, Given, Layer, Origin, Resolved, ScanLayer, Threads};
use luminos_core::scan::{DEEPEST, Scan, Summary, SummaryOptions, TreeOptions};
use luminos_core::{ByteSize, Exit, Failure};
use luminos_engine::{Memory, ScanRequest, base_scan};
use luminos_report::{JsonOptions, Style, TextOptions, write_json, write_text, write_why_skipped};
use luminos_scan::{Error, Options, Progress, Scanned};

use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Show what is in a directory: tree, kinds of files, languages, sizes
///
/// Reads every file once and uses no model. What git ignores, hidden files and some directories that hold
/// nothing of one's own (node_modules, build, …) are left out; --why-skipped tells which, and why. Nothing
/// is written into the directory. A second scan reads only what has changed.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ScanArgs {
    /// The directory to look at
    #[arg(default_value = ".")]
    path: PathBuf,

    /// Look at hidden files, too
    #[arg(short, long)]
    all: bool,

    /// Do not honour .gitignore, .ignore and .luminosignore
    #[arg(long)]
    no_ignore: bool,

    /// Leave out files and directories of this name; can be repeated
    ///
    /// A name may have wildcards: --exclude '*.min.js'.
    #[arg(short = 'x', long, value_name = "NAME")]
    exclude: Vec<BareName>,

    /// Look into directories of this name, though they are always left out; can be repeated
    #[arg(long, value_name = "NAME")]
    keep: Vec<BareName>,

    /// Enter other file systems that are mounted inside
    #[arg(long)]
    cross_mounts: bool,

    /// Show this many levels of the tree; the scan itself goes all the way down
    ///
    /// Without this flag or the setting `scan.depth`, three levels are shown, and only as much of them as
    /// leaves the rest of the report on the screen.
    #[arg(short, long, value_name = "LEVELS")]
    depth: Option<u32>,

    /// Work with this many threads; 0 means one for each core
    #[arg(long, value_name = "N")]
    threads: Option<Threads>,

    /// Sample files larger than this (1 GiB) instead of reading them whole
    #[arg(long, value_name = "SIZE")]
    hash_limit: Option<ByteSize>,

    /// Read every file, whatever earlier scans remembered
    #[arg(long)]
    no_cache: bool,

    /// List every path that was left out, and the rule that did it, instead of the report
    ///
    /// With --json, the list is added to the report.
    #[arg(long)]
    why_skipped: bool,

    /// Print the report as JSON; docs/scan-json.md in the source explains every key
    #[arg(long)]
    json: bool,

    /// Add every file to the JSON, with its hash and line counts
    #[arg(long, requires = "json")]
    files: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl scan ~/src/project
  luminosctl scan . --depth 1 --exclude docs
  luminosctl scan . --keep build --why-skipped
  luminosctl scan . --json | jq '.languages[] | {language, code}'
  luminosctl scan . --json --files | jq -r '.files[] | \"\\(.sha256)  \\(.path)\"'

Always left out:
  .git .svn .hg __pycache__ node_modules .tox .mypy_cache .pytest_cache .venv venv .env dist build
  .eggs *.egg-info, and target beside a Cargo.toml

Settings:
  What should hold for every scan can be written into a configuration file:
  `luminosctl config --help` explains how.

Exit codes:
  0  done; what could not be read is listed under problems
  1  the directory could not be scanned
  2  the command line or the configuration makes no sense";

/// Scans and prints.
pub(crate) fn run(args: &ScanArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.path, args.layer())?;
    let is_depth_chosen = is_depth_chosen(&resolved);
    let config = resolved.config;
    let skipped = if args.why_skipped { LeftOut::Listed } else { LeftOut::Counted };
    let scan = scanned(&args.path, &config, skipped, &mut session)?;

    let mut tree = TreeOptions { depth: config.scan.depth, ..TreeOptions::default() };
    if !args.json && !is_depth_chosen {
        tree.nodes = NODES_AT_A_GLANCE;
    }
    let summary = Summary::of(&scan, &SummaryOptions { tree, ..SummaryOptions::default() });
    let style = if session.printer.is_colored() { Style::Ansi } else { Style::Plain };
    if args.json {
        let options = JsonOptions { files: args.files, skipped: args.why_skipped };
        session.printer.write(|out| write_json(out, &summary, options))?;
    } else if args.why_skipped {
        session.printer.write(|out| write_why_skipped(out, &summary, style))?;
    } else {
        let mut options = TextOptions { style, ..TextOptions::default() };
        if !is_depth_chosen {
            options.more_of_tree = "--depth 3 shows more of it";
        }
        let width = session.printer.width().unwrap_or(options.width);
        session.printer.write(|out| write_text(out, &summary, &TextOptions { width, ..options }))?;
    }
    Ok(Exit::Done)
}

/// What becomes of the paths that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    Counted,
    Listed,
}

/// Scans a target for another command.
pub(super) fn scan_target(
    target: &Path,
    config: &Config,
    session: &mut Session<'_>,
) -> Result<Scan, Failure> {
    let mut scan = scanned(target, config, LeftOut::Counted, session)?;
    // As an investigation sees it.
    scan.fold_below(DEEPEST);
    Ok(scan)
}

fn scanned(
    target: &Path,
    config: &Config,
    left_out: LeftOut,
    session: &mut Session<'_>,
) -> Result<Scan, Failure> {
    let names = |names: &[BareName]| names.iter().map(|name| name.as_str().to_owned()).collect();
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = Options {
        hidden: config.scan.hidden,
        ignore_files: config.scan.ignore_files,
        exclude: names(&config.scan.exclude),
        keep: names(&config.scan.keep),
        cross_mounts: config.scan.cross_mounts,
        explain_skipped: left_out == LeftOut::Listed,
        threads: config.scan.threads.count(cores),
        hash_limit: config.scan.hash_limit.0,
        own_state: None,
    };
    let memory = if config.scan.cache { Memory::Used } else { Memory::Unused };
    let request = ScanRequest { target, options, home: &config.home, memory };
    let progress = Progress::default();
    let (scanned, warning) = while_showing(&progress, || base_scan(request, &progress));
    if let Some(warning) = warning {
        let because = std::error::Error::source(&warning).map_or(String::new(), |cause| format!(": {cause}"));
        session.printer.warn(format_args!(
            "{warning}{because}; the next scan will read every file again \
             (hint: --home names another state directory)"
        ));
    }
    let Scanned { scan, .. } = scanned.map_err(|error| explain(&error, target))?;
    Ok(scan)
}

/// Entries of a tree whose depth nobody chose: enough for an overview, and few enough that the rest of the
/// report is still on the screen.
const NODES_AT_A_GLANCE: usize = 60;

/// Whether somebody said how much of the tree to show.
fn is_depth_chosen(resolved: &Resolved) -> bool {
    resolved.settings().any(|setting| setting.key == "scan.depth" && *setting.origin != Origin::Default)
}

impl ScanArgs {
    /// What was given as flags.
    fn layer(&self) -> Layer {
        let names = |names: &Vec<BareName>| (!names.is_empty()).then(|| names.clone());
        Layer {
            scan: ScanLayer {
                hidden: Given::by_flag("--all", self.all.then_some(true)),
                ignore_files: Given::by_flag("--no-ignore", self.no_ignore.then_some(false)),
                exclude: Given::by_flag("--exclude", names(&self.exclude)),
                keep: Given::by_flag("--keep", names(&self.keep)),
                cross_mounts: Given::by_flag("--cross-mounts", self.cross_mounts.then_some(true)),
                depth: Given::by_flag("--depth", self.depth),
                threads: Given::by_flag("--threads", self.threads),
                hash_limit: Given::by_flag("--hash-limit", self.hash_limit),
                cache: Given::by_flag("--no-cache", self.no_cache.then_some(false)),
            },
            ..Layer::default()
        }
    }
}

/// Runs something; when it takes more than a moment and somebody watches, shows how far it has come.
fn while_showing<T: Send>(progress: &Progress, work: impl FnOnce() -> T + Send) -> T {
    /// Nobody wants to see something flash up.
    const MOMENT: Duration = Duration::from_millis(400);
    const STEP: Duration = Duration::from_millis(100);

    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let worker = thread::current();
        let start = Instant::now();
        let work = scope.spawn(move || {
            let done = work();
            worker.unpark();
            done
        });
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        while !work.is_finished() {
            thread::park_timeout(STEP);
            let seconds = start.elapsed().as_secs_f64();
            if start.elapsed() < MOMENT {
                continue;
            }
            let (files, bytes) = (progress.files(), progress.bytes());
            let rate = |amount: u64| (amount as f64 / seconds) as u64;
            bar.set_message(format!(
                "{files} files in {} directories, {}  ({} files/s, {}/s)",
                progress.dirs(),
                ByteSize(bytes),
                rate(files),
                ByteSize(rate(bytes)),
            ));
            bar.tick();
        }
        bar.finish_and_clear();
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Words for a scan that did not come about, and a way out.
fn explain(error: &Error, path: &Path) -> Failure {
    let hint = match error {
        Error::Missing { .. } => "check the spelling; a relative path starts at the current directory",
        Error::NotADirectory { .. } => match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => {
                let parent = for_terminal(parent);
                return Failure::new(
                    error,
                    Some(&format!("scan the directory it lies in: `luminosctl scan {parent}`")),
                );
            }
            Some(_) | None => "scan the directory it lies in: `luminosctl scan .`",
        },
        Error::Unreadable { .. } => "scan it as a user who may read it",
        Error::Pseudo { .. } => "choose a directory with files in it",
        Error::OwnState { .. } => "choose another directory, or move the state directory with --home",
        Error::BadExclude { .. } => {
            let hint = "put a backslash before characters that are no wildcards";
            return Failure::usage(error.to_string(), hint);
        }
        Error::TooMany { .. } => "scan its subdirectories one by one",
        Error::Internal { .. } => {
            "this is a defect of Luminos; `--threads 1` may help to find the file that causes it"
        }
    };
    Failure::new(error, Some(hint))
}
