//! The analyst's loop over one directory: look at what matters, in turns, borrow where there is more, report.

use std::collections::BTreeMap;

use luminos_core::entry::{Claim, Share};
use luminos_core::fact::{Change, Fact, FactKind, Opening, Reader, Subject};
use luminos_core::flag::{Flag, Severity};
use luminos_core::job::{Assignment, DirReport, DirResult, ListedFile, Loan, News, Reception, Unfinished};
use luminos_core::plan::Turns;
use luminos_core::proof::{Evidence, Symbols};
use luminos_core::scan::Category;
use luminos_tools::Root;

use super::ahead::Ahead;
use super::compose::Summary;
use super::court::Court;
use super::eyes::Eyes;
use super::git::History;
use super::look::{Looked, look, worth};
use super::tree::PER_TURN;
use super::words::{code, count, some_of};
use super::{bounds, collection, compose, manifest, mentions, readme, rules, sentence, unlisted};
use luminos_core::end::{EndKind, EndReason};
use luminos_core::services::Services;

/// No report has more claims than this; the one on the target itself has all its manifests and pipelines to tell.
const MOST_CLAIMS: usize = 24;
const MOST_CLAIMS_OF_ROOT: usize = 60;
/// So many files that change most are told.
const HOT_SPOTS: usize = 5;
const FEWEST_SPOTS: usize = 2;
/// So many modules that a directory imports are told.
const MODULES: usize = 6;
/// Files named one by one that could not be read.
const UNREADABLE_NAMED: usize = 4;
/// Maximum facts of a directory beside those that claims word. A reader of claims wants few; whoever makes a report of
/// the whole wants every manifest.
const MOST_FACTS: usize = 200;
/// Nor raises a directory more flags.
pub(super) const MOST_FLAGS: usize = 24;

/// Investigates a directory without a model.
pub fn run_dir(assignment: &Assignment, root: &Root, services: &impl Services) -> DirResult {
    run_dir_ahead(assignment, root, services, &Ahead::default())
}

/// The same, where the history of the target may be on its way.
pub fn run_dir_ahead(
    assignment: &Assignment,
    root: &Root,
    services: &impl Services,
    ahead: &Ahead,
) -> DirResult {
    let mut wanted: Vec<_> = assignment.files.iter().filter_map(|file| Some((worth(file)?, file))).collect();
    wanted.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    let is_root = assignment.job.dir.is_root();
    let unlisted = if is_root { unlisted::files(root) } else { Vec::new() };
    let unlisted: Vec<ListedFile> =
        unlisted.iter().map(|(path, size)| unlisted::listed(path, *size)).collect();
    let batches = wanted.len().div_ceil(PER_TURN).max(1) as u32;
    let turns = turns_for(assignment, batches, services);
    let eyes = Eyes::new(assignment, root, services);
    let mut court = Court::of(assignment, root);
    let mut looked: Vec<Looked<'_>> = Vec::new();
    for batch in wanted.chunks(PER_TURN).take(turns as usize) {
        if services.is_stopped() {
            let called = compose::called(assignment);
            let summary = bounds::summary(&compose::summary(assignment, &looked).text(&called));
            let result = DirResult::Partial(Box::new(Unfinished {
                reason: EndReason::Stopped.to_string(),
                end: EndKind::Stopped,
                noted: DirReport { summary, ..DirReport::default() },
                analyst: None,
            }));
            let _ = services.done(result.clone());
            return result;
        }
        eyes.take_turn();
        for (_, file) in batch {
            let Some(text) = eyes.read(&file.path_in(&assignment.job.dir), file.size) else { continue };
            let seen = look(file, &text, &assignment.job.dir, &assignment.files);
            services.news(News::File(Box::new(seen.entry())));
            if let Some(source) = &seen.source {
                let lines = source.symbols.clone();
                services.news(News::Symbols(Symbols { path: seen.path.clone(), lines }));
            }
            looked.push(seen);
            court.keep(text, file);
        }
    }
    if wanted.is_empty() {
        eyes.take_turn();
    }
    let mut beyond: Vec<Fact> = Vec::new();
    for file in &unlisted {
        let Some(text) = eyes.read(&file.name, file.size) else { continue };
        beyond.extend(look(file, &text, &assignment.job.dir, &assignment.files).facts);
    }
    if is_root {
        beyond.extend(history(&eyes, ahead.history(root)));
    }
    let hidden = hidden(assignment, root, &eyes);
    raise_flags(assignment, root, &looked, hidden, services);
    let unseen = wanted.len() - looked.len();
    let summary = compose::summary(assignment, &looked);
    let mut report = report(assignment, &looked, &summary, &beyond, wanted.len(), unseen, &eyes.unreadable());
    collect(assignment, &eyes, &summary, &mut report);
    tell_unreadable(assignment, &eyes.unreadable(), &mut report);
    bounds::bound_report(&mut report);
    let mut result = court.judge(report, &eyes.served());
    if let DirResult::Judged(report) | DirResult::Reported(report) = &mut result {
        keep_the_rest_as_facts(report, most_claims(assignment));
    }
    match services.done(result.clone()) {
        // What it said is all it knows: it can only say it again, and the daemon accepts that.
        Reception::Revise { .. } => {
            let _ = services.done(result.clone());
        }
        Reception::Accepted | Reception::Stale => {}
    }
    result
}

/// What a directory without a program keeps comes before what single files show.
fn collect(
    assignment: &Assignment,
    eyes: &Eyes<'_, impl Services>,
    composed: &Summary,
    report: &mut DirReport,
) {
    let told = collection::of_dir(assignment, eyes);
    let speaks = |name: &str| readme::is_readme(name) || manifest::is_manifest(name);
    // A README that says nothing of the directory leaves the word to the files.
    let is_told = assignment.files.iter().any(|file| file.name.to_utf8().is_some_and(speaks))
        && report.confidence.is_none_or(|confidence| 0.6 <= confidence.get());
    if !is_told && let Some((inside, remarks)) = collection::summary(&assignment.job.dir, &told) {
        let opening = Opening::Inside(inside);
        let below = composed.below.as_ref().map(|below| format!("\n\n{below}")).unwrap_or_default();
        let first = sentence::opening(&compose::called(assignment), &opening);
        report.summary = format!("{first}{remarks}{below}");
        report.opening = Some(Box::new(opening));
        report.confidence = Share::new(0.8);
        report.confidence_reason =
            Some("Told by what its files hold; nothing written says what it is for.".to_owned());
    }
    // What was told of a set is not told again of its files.
    let is_of_set = |claim: &Claim| claim.fact.as_ref().is_some_and(|fact| collection::is_told(&fact.fact));
    let others = report.claims.drain(..).filter(|claim| told.is_empty() || !is_of_set(claim));
    let claims = told.iter().map(sentence::claim).chain(others);
    report.claims = claims.take(most_claims(assignment) + MOST_FACTS).collect();
}

/// Says what could not be read, where nobody can overlook it: an unreadable directory is not an empty one.
fn tell_unreadable(assignment: &Assignment, files: &[luminos_core::RelPath], report: &mut DirReport) {
    if assignment.unreadable.is_some() {
        let is_blind = assignment.files.is_empty();
        report.completeness = if is_blind { Some(Share::NONE) } else { report.completeness };
        report.confidence = if is_blind { Some(Share::NONE) } else { report.confidence };
        let reason = if is_blind { "It could not be read." } else { "Part of it could not be read." };
        report.confidence_reason = Some(reason.to_owned());
    }
    if files.is_empty() {
        return;
    }
    let names: Vec<String> = files.iter().map(|path| code(&path.to_word())).collect();
    let sentence = format!(" {} could not be read.", some_of(&names, UNREADABLE_NAMED));
    let end = report.summary.find("\n\n").unwrap_or(report.summary.len());
    report.summary.insert_str(end, &sentence);
}

/// What stands behind the claims that are told, and holds, is known all the same.
fn keep_the_rest_as_facts(report: &mut DirReport, most: usize) {
    let rest = report.claims.split_off(most.min(report.claims.len()));
    let known = rest.into_iter().filter(|claim| claim.faults.is_empty());
    report.facts.extend(known.filter_map(|claim| Some(Fact { evidence: claim.evidence, ..*claim.fact? })));
}

/// The root tells of the whole, and may say more.
fn most_claims(assignment: &Assignment) -> usize {
    if assignment.job.dir.is_root() { MOST_CLAIMS_OF_ROOT } else { MOST_CLAIMS }
}

/// What the repository of the target tells. All of it is pinned by the id of the newest commit, which is cited.
fn history(eyes: &Eyes<'_, impl Services>, history: Option<History>) -> Vec<Fact> {
    let Some(history) = history else { return Vec::new() };
    let tip = &history.tip;
    let Some(text) = eyes.read_whole("git_history", &tip.path) else { return Vec::new() };
    let evidence = vec![text.cite_words(tip.line, &tip.id.hex())];
    let fact = FactKind::History {
        commits: history.commits,
        is_cut: history.is_cut,
        authors: history.authors,
        first: history.first,
        last: history.last,
        last_year: history.last_year,
        last_year_authors: history.last_year_authors,
    };
    let mut found = vec![text.fact(Reader::History, fact, evidence.clone())];
    let told: Vec<(String, u64)> =
        history.churn.files.into_iter().filter(|(file, _)| !file.contains('`')).collect();
    // Where only chores are left, those are what there is.
    let own: Vec<(String, u64)> = told.iter().filter(|(file, _)| !is_chore(file)).cloned().collect();
    let mut files = if own.len() < FEWEST_SPOTS { told } else { own };
    files.truncate(HOT_SPOTS);
    if !files.is_empty() {
        let files = files.into_iter().map(|(file, commits)| Change { file, commits }).collect();
        let churn = FactKind::Churn { commits: history.churn.commits, files };
        found.push(text.fact(Reader::History, churn, evidence));
    }
    found
}

/// Whether a file changes because others do: lists of changes and of packages, pipelines of build servers.
fn is_chore(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    path.starts_with('.')
        || path.contains("/releases/")
        || name.ends_with(".lock")
        || name.ends_with("-lock.json")
        || name.ends_with("-lock.yaml")
        || matches!(
            name.as_str(),
            "go.mod" | "go.sum" | "package.json" | "cargo.toml" | "composer.json" | "gemfile"
        )
        || matches!(name.as_str(), "pyproject.toml" | "pom.xml" | "build.gradle" | "pnpm-workspace.yaml")
        || matches!(stem, "changelog" | "changes" | "history" | "news" | "authors" | "release" | "releases")
}

/// How many turns it takes, after asking for more where there are too few.
fn turns_for(assignment: &Assignment, needed: u32, services: &impl Services) -> u32 {
    let have = assignment.turns.0.saturating_sub(assignment.used.0).max(1);
    if needed <= have {
        return needed;
    }
    let wish = Turns((needed - have).min(Turns::MOST.0));
    let reason = format!("{needed} batches of files are to be read, and there are turns for {have}");
    match services.borrow(wish, &reason) {
        Loan::Granted(granted) => have.saturating_add(granted.0).min(needed),
        Loan::Refused(_) => have,
    }
}

/// Hidden files that often hold passwords: no scan lists them, and nobody would look.
fn hidden(assignment: &Assignment, root: &Root, eyes: &Eyes<'_, impl Services>) -> Vec<Flag> {
    let dir = &assignment.job.dir;
    let paths = rules::hidden_files(assignment, root);
    let texts = paths.into_iter().filter_map(|(path, size)| eyes.read(&path, size));
    texts.flat_map(|text| rules::flags(&text, Category::Config, dir, &[])).collect()
}

fn raise_flags(
    assignment: &Assignment,
    root: &Root,
    looked: &[Looked<'_>],
    hidden: Vec<Flag>,
    services: &impl Services,
) {
    let mut flags: Vec<_> = looked.iter().flat_map(|file| file.flags.iter().cloned()).chain(hidden).collect();
    let links: Vec<_> = looked.iter().map(|file| (file.path.clone(), file.links.as_slice())).collect();
    flags.extend(rules::of_dir(assignment, root, &links));
    for flag in rules::at_most(rules::together(flags), MOST_FLAGS) {
        services.news(News::Flag(bounds::bound_flag(flag)));
    }
}

fn report(
    assignment: &Assignment,
    looked: &[Looked<'_>],
    summary: &Summary,
    beyond: &[Fact],
    wanted: usize,
    unseen: usize,
    unreadable: &[luminos_core::RelPath],
) -> DirReport {
    let known = summary.known;
    let mut facts: Vec<_> =
        looked.iter().flat_map(|file| file.all_facts().map(move |fact| (file, fact))).collect();
    // What the whole is told by comes first, then what the larger files say: a rich directory has more than fits.
    facts.sort_by_key(|(file, fact)| (rank(&fact.fact), std::cmp::Reverse(file.file.lines)));
    let beside = mentions::findings(looked);
    let of_all = imported(assignment, looked).into_iter().chain(beside);
    let of_all: Vec<Fact> = of_all.collect();
    let facts = of_all.iter().chain(beyond).chain(facts.into_iter().map(|(_, fact)| fact));
    let most = most_claims(assignment);
    let mut claims: Vec<Claim> = Vec::new();
    for fact in facts {
        // What only says something of a single file stands in the entry of that.
        if claims.len() < most || rank(&fact.fact) <= OF_THE_WHOLE && claims.len() < most + MOST_FACTS {
            claims.push(sentence::claim(fact));
        }
    }
    let mut reasons: Vec<String> = known.reason().into_iter().collect();
    if 0 < unseen {
        let verb = if unseen == 1 { "was" } else { "were" };
        reasons.push(format!("{unseen} of {} worth reading {verb} not read.", count(wanted as u64, "file")));
    }
    if !unreadable.is_empty() {
        reasons.push(format!("{} could not be read.", count(unreadable.len() as u64, "file")));
    }
    let worst = |file: &&Looked<'_>| file.flags.iter().any(|flag| Severity::Concern <= flag.severity);
    // Of examples and tests, every file is one where something starts.
    let starts = |file: &&Looked<'_>| {
        file.source.as_ref().is_some_and(|source| source.starts.is_some()) && !rules::is_aside(&file.word)
    };
    let notable = looked.iter().filter(|file| worst(file) || starts(file));
    DirReport {
        summary: summary.text(&compose::called(assignment)),
        opening: Some(Box::new(summary.opening.clone())),
        completeness: Some(Share::of((wanted - unseen) as u64, wanted as u64).rounded()),
        confidence: known.confidence(),
        confidence_reason: (!reasons.is_empty()).then(|| reasons.join(" ")),
        claims,
        facts: Vec::new(),
        notable_files: notable.map(|file| file.path.clone()).take(20).collect(),
        corrections: Vec::new(),
    }
}

/// What the files of a directory import most, each module with one line that does.
fn imported(assignment: &Assignment, looked: &[Looked<'_>]) -> Option<Fact> {
    let mut modules: BTreeMap<&str, (usize, &Evidence)> = BTreeMap::new();
    for file in looked {
        let imports = file.source.iter().flat_map(|source| &source.imports);
        for ((module, _), evidence) in imports.zip(&file.imported) {
            modules.entry(module).or_insert((0, evidence)).0 += 1;
        }
    }
    let mut modules: Vec<(&str, usize, &Evidence)> =
        modules.into_iter().map(|(module, (files, evidence))| (module, files, evidence)).collect();
    modules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    modules.truncate(MODULES);
    if modules.is_empty() || assignment.job.dir.is_root() {
        return None;
    }
    let names = modules.iter().map(|(module, _, _)| (*module).to_owned()).collect();
    let imports = FactKind::Imports { modules: names };
    let evidence = modules.into_iter().map(|(_, _, evidence)| evidence.clone()).collect();
    Some(Fact::new(Subject::Dir(assignment.job.dir.clone()), imports, evidence, Reader::Directory))
}

/// Facts of a higher rank are about single files only.
const OF_THE_WHOLE: u8 = 2;

/// How much a fact matters to whoever wants to know the whole: less is more.
fn rank(fact: &FactKind) -> u8 {
    match fact {
        FactKind::Description { .. } | FactKind::Package { .. } => 0,
        FactKind::EntryPoint { .. }
        | FactKind::Offers { .. }
        | FactKind::Members { .. }
        | FactKind::Version { .. }
        | FactKind::Licence { .. }
        | FactKind::Commands { .. }
        | FactKind::Requirement { .. }
        | FactKind::EntryFile { .. }
        | FactKind::Ports { .. }
        | FactKind::Services { .. }
        | FactKind::References { .. }
        | FactKind::NamedBeside { .. }
        | FactKind::History { .. }
        | FactKind::Churn { .. } => 1,
        FactKind::Dependencies { .. }
        | FactKind::DevelopmentDependencies { .. }
        | FactKind::Mention { .. }
        | FactKind::Variables { .. }
        | FactKind::Columns { .. }
        | FactKind::Contents(_)
        | FactKind::Holding(_)
        | FactKind::Period { .. }
        | FactKind::Fault { .. }
        | FactKind::Imports { .. } => 2,
        FactKind::OwnWords { .. } | FactKind::Documentation { .. } => 3,
        FactKind::Title { .. } => 4,
        FactKind::Definitions { .. } | FactKind::Counts { .. } => 5,
    }
}
