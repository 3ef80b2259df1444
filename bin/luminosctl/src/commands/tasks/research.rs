//! `luminosctl tasks research`

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::Resolved;
use luminos_core::{Exit, Failure};
use luminos_engine::tasks::{
    Asker, Backlog, Claim, EvidenceRow, Job, JobEnd, JobState, Knowledge, Profile, RepoFacts, TaskId,
    collect, collect_task, decompose, knowledge_context, places_by_words, settle, shortfalls, tidy_claims,
    write_report,
};
use luminos_engine::{GatewayModel, PlannerTurn, Store};

use super::model::{MindArgs, ask_settings, asking, runtime};
use super::place::{Place, Purpose};
use super::plan::stands_at;
use super::repository::facts;
use super::{RepoArgs, backlog, failure, inert, known, now};
use crate::commands::run::Watching;
use crate::commands::scan::scan_target;
use crate::known::no_turn;
use crate::printer::Stop;
use crate::session::Session;

/// Answer a question about a repository with claims and their evidence
///
/// The question becomes claims, each claim gets places in the files that speak for or against it, and every place is checked
/// against the bytes. A report that is not good enough says what is missing. Without a model only places that hold the words
/// of the question are found; that proves nothing, and the report says so.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ResearchArgs {
    /// The question; without one, the questions that there are
    question: Option<String>,

    #[command(flatten)]
    repo: RepoArgs,

    /// How thorough: low, mid, high or ultra
    #[arg(long, value_name = "PROFILE", default_value = "mid")]
    profile: Profile,

    #[command(flatten)]
    mind: MindArgs,

    /// Print the report of this job again
    #[arg(long, value_name = "JOB", conflicts_with = "question")]
    show: Option<String>,

    /// Answer this job, or answer it again
    #[arg(long, value_name = "JOB", conflicts_with_all = ["question", "show", "later"])]
    job: Option<String>,

    /// Only note the question, and print the name of its job
    #[arg(long, requires = "question")]
    later: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl tasks research 'How are sessions kept?' --profile low
  luminosctl tasks research                                     the questions that there are

Exit codes:
    0  done: the report is good enough
    1  failed
    2  the command line or the configuration makes no sense
    3  there is a report, and it says what is missing";

/// A question, and what is known of its repository.
struct Desk {
    job: Job,
    profile: Profile,
    repo: PathBuf,
    facts: RepoFacts,
    knowledge: Knowledge,
}

/// Researches and prints.
pub(crate) fn run(args: &ResearchArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.repo.repo, args.mind.over(Default::default()))?;
    let (place, mut backlog) = args.repo.open(&mut session)?;
    if let Some(word) = &args.show {
        let job = backlog.job(word).map_err(|error| failure(&error))?;
        let report = backlog.report(&job.id).map_err(|error| failure(&error))?;
        session.printer.print(
            report.map_or_else(|| "no report yet\n".to_owned(), |report| inert(&report.body) + "\n"),
        )?;
        return Ok(Exit::Done);
    }
    let question = args.question.as_deref().map(str::trim).filter(|question| !question.is_empty());
    let job = match (question, &args.job) {
        (Some(question), _) => backlog.add_job(&place.name, question, args.profile.word(), now()),
        (None, Some(word)) => backlog.job(word),
        (None, None) => return list(&place.name, &backlog, &mut session),
    };
    let job = job.map_err(|error| failure(&error))?;
    if args.later {
        let name = TaskId(job.id).short().to_owned();
        session.printer.print(format_args!("{name}\n"))?;
        session.printer.note(format_args!(
            "`luminosctl tasks plan --research-job {name}` makes its tasks, `tasks research --job {name}` answers it"
        ));
        return Ok(Exit::Done);
    }
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    let desk = prepare(job, &place, watching, &resolved, &mut session)?;
    answer(&desk, &args.mind, &mut backlog, &resolved, &mut session)
}

/// The questions that there are.
fn list(repo: &str, backlog: &Backlog, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let jobs = backlog.jobs(Some(repo)).map_err(|error| failure(&error))?;
    if jobs.is_empty() {
        session.printer.note("no questions yet (hint: luminosctl tasks research 'How are sessions kept?')");
    }
    for job in jobs {
        session.printer.print(format_args!(
            "{}  {:<8}  {:<5}  {}\n",
            TaskId(job.id).short(),
            job.state.word(),
            job.profile,
            inert(&job.query)
        ))?;
    }
    Ok(Exit::Done)
}

/// `luminosctl tasks plan --research-job`: the claims of a question, and a task for each. What is pending does not matter.
pub(super) fn plan(
    word: &str,
    mind: &MindArgs,
    repo: &Path,
    watching: Watching,
    mut session: Session<'_>,
) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(repo, mind.over(Default::default()))?;
    let mut backlog = backlog(&resolved.config.home)?;
    let job = backlog.job(word).map_err(|error| failure(&error))?;
    let place = Place::find(repo, Purpose::Looking, &backlog, &session)?;
    let desk = prepare(job, &place, watching, &resolved, &mut session)?;
    let (claims, notes) = with_turn(&desk, mind, &resolved, &mut session, async |asker, notes| {
        claims(asker, &desk, &backlog, notes).await
    })?;
    let claims = claims?;
    keep(&claims, &desk, &notes, &mut backlog)?;
    for claim in backlog.claims(&desk.job.id).map_err(|error| failure(&error))? {
        let task = claim.task.as_ref().map(TaskId::short).unwrap_or_default();
        session.printer.print(format_args!("{task}  {}\n", inert(&claim.text)))?;
    }
    notes.iter().for_each(|note| session.printer.warn(inert(note)));
    Ok(if notes.is_empty() { Exit::Done } else { Exit::Partial })
}

/// What there is to know about a question.
fn prepare(
    job: Job,
    place: &Place,
    watching: Watching,
    resolved: &Resolved,
    session: &mut Session<'_>,
) -> Result<Desk, Stop> {
    // A bare repository has no files of its own: its question is answered from the worktree that somebody stands in.
    let repo = if job.repo == place.name { place.dir.clone() } else { PathBuf::from(&job.repo) };
    let profile = job.profile.parse().unwrap_or(Profile::Mid);
    let scan = scan_target(&repo, &resolved.config, session)?;
    let facts = facts(&repo, &scan);
    let content = scan.content_hash().to_string();
    let knowledge = known::gather(&repo, &job.query, &facts, &content, &resolved.config, watching, session)?;
    Ok(Desk { job, profile, repo, facts, knowledge })
}

/// Does something in the planner's turn, with a model if there is one. What is odd about it is told in notes.
fn with_turn<T>(
    desk: &Desk,
    mind: &MindArgs,
    resolved: &Resolved,
    session: &mut Session<'_>,
    work: impl AsyncFnOnce(Option<&mut Asker<'_, GatewayModel>>, &mut Vec<String>) -> T,
) -> Result<(T, Vec<String>), Failure> {
    let name = mind.name(resolved, session)?;
    let store = Store::open(&resolved.config.home).map_err(|error| crate::known::failure(&error))?;
    let mut notes = Vec::new();
    let around = session.around();
    runtime()?.block_on(async {
        let told =
            |holder: &str| session.printer.note(format_args!("one plan at a time: waiting for {holder}"));
        let what = format!("luminosctl tasks research {}", TaskId(desk.job.id.clone()).short());
        let _turn = PlannerTurn::take(&store, &what, told).await.map_err(|error| no_turn(&error))?;
        let Some(name) = &name else { return Ok((work(None, &mut notes).await, notes)) };
        session.printer.note(asking(name, around));
        let (gateway, model) = mind.connect(name, resolved, around, &desk.repo).await?;
        let mut asker = Asker::new(&model, ask_settings(resolved), TaskId::fresh().short());
        let done = work(Some(&mut asker), &mut notes).await;
        gateway.stop();
        Ok((done, notes))
    })
}

/// The claims of a question: those that there are, or new ones.
async fn claims(
    asker: Option<&mut Asker<'_, GatewayModel>>,
    desk: &Desk,
    backlog: &Backlog,
    notes: &mut Vec<String>,
) -> Result<Vec<Claim>, Failure> {
    let known = backlog.claims(&desk.job.id).map_err(|error| failure(&error))?;
    if !known.is_empty() {
        return Ok(known);
    }
    let query = &desk.job.query;
    let Some(asker) = asker else {
        notes.push("no model was asked: the question is its only claim".to_owned());
        return Ok(tidy_claims(&[], query, desk.profile));
    };
    let context = knowledge_context(&desk.knowledge, &desk.facts, query);
    Ok(decompose(asker, query, &context, desk.profile).await.unwrap_or_else(|why| {
        notes.push(format!("the question was not taken apart ({why}): it is the only claim"));
        tidy_claims(&[], query, desk.profile)
    }))
}

/// Keeps claims that are new, each with the task that collects evidence for it.
fn keep(claims: &[Claim], desk: &Desk, notes: &[String], backlog: &mut Backlog) -> Result<(), Failure> {
    let is_new = |claim: &&Claim| claim.task.is_none();
    let planned: Vec<_> =
        claims.iter().filter(is_new).map(|claim| (claim.clone(), collect_task(&desk.job, claim))).collect();
    if planned.is_empty() {
        return Ok(());
    }
    backlog.plan_job(&desk.job, &planned, notes, now()).map_err(|error| failure(&error))
}

/// Answers a question: claims, places, verdicts, report.
fn answer(
    desk: &Desk,
    mind: &MindArgs,
    backlog: &mut Backlog,
    resolved: &Resolved,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let check = |path: &str, line: u64, quote: &str| stands_at(&desk.repo, &desk.facts, path, line, quote);
    let job = &desk.job;
    let (found, notes) = with_turn(desk, mind, resolved, session, async |mut asker, notes| {
        let claims = claims(asker.as_deref_mut(), desk, backlog, notes).await?;
        let Some(asker) = asker else {
            let places = |claim: &Claim| places_by_words(claim, &desk.knowledge, &desk.facts, 6);
            notes.push("no model was asked: places were found by their words alone".to_owned());
            let evidence: Vec<EvidenceRow> = claims.iter().flat_map(places).collect();
            return Ok::<_, Failure>((claims, evidence, false));
        };
        let (mut evidence, mut was_challenged) = (Vec::new(), true);
        for claim in &claims {
            let context = knowledge_context(&desk.knowledge, &desk.facts, &claim.text);
            match collect(asker, claim, &context, &check).await {
                Ok(rows) => evidence.extend(rows),
                Err(why) => {
                    was_challenged = false;
                    notes.push(format!("no places for `{}`: {why}", claim.text));
                }
            }
        }
        Ok((claims, evidence, was_challenged))
    })?;
    let (mut claims, mut evidence, was_challenged) = found?;
    keep(&claims, desk, &notes, backlog)?;
    let kept = backlog.claims(&job.id).map_err(|error| failure(&error))?;
    for (claim, kept) in claims.iter_mut().zip(kept) {
        claim.task = kept.task;
        settle(claim, &evidence, desk.profile);
    }
    evidence.sort_by_key(|row: &EvidenceRow| !row.verified);
    let reasons = shortfalls(&claims, &evidence, was_challenged, desk.profile);
    let report = write_report(job, &claims, &evidence, &reasons, now());
    let state = if reasons.is_empty() { JobState::Done } else { JobState::Blocked };
    let end = JobEnd { claims: &claims, evidence: &evidence, report: &report, state, reasons: &reasons };
    backlog.end_job(job, &end, now()).map_err(|error| failure(&error))?;
    session.printer.print(inert(&report.body) + "\n")?;
    session.printer.print(format_args!(
        "\n{}; confidence {} of 100; job {}\n",
        report.summary,
        report.confidence,
        TaskId(job.id.clone()).short()
    ))?;
    notes.iter().for_each(|note| session.printer.warn(inert(note)));
    Ok(if reasons.is_empty() { Exit::Done } else { Exit::Partial })
}
