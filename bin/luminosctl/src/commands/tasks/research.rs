//! `luminosctl tasks research`

use clap::Args;
use luminos_core::{Exit, Failure};
use luminos_engine::GatewayModel;
use luminos_engine::tasks::{
    Asker, Claim, EvidenceRow, Job, JobEnd, JobState, Knowledge, Profile, TaskId, collect, collect_task,
    decompose, knowledge_context, places_by_words, settle, shortfalls, tidy_claims, write_report,
};

use super::model::{MindArgs, ask_settings, runtime};
use super::plan::stands_at;
use super::repository::facts;
use super::{RepoArgs, backlog, failure, inert, known, now, repo_name};
use crate::commands::run::Watching;
use crate::commands::scan::scan_target;
use crate::commands::target::real_target;
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

/// Researches and prints.
pub(crate) fn run(args: &ResearchArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.repo.repo, Default::default())?;
    let repo = real_target(&session, &args.repo.repo)?;
    let mut backlog = backlog(&resolved.config.home)?;
    if let Some(word) = &args.show {
        let job = backlog.job(word).map_err(|error| failure(&error))?;
        let report = backlog.report(&job.id).map_err(|error| failure(&error))?;
        session.printer.print(
            report.map_or_else(|| "no report yet\n".to_owned(), |report| inert(&report.body) + "\n"),
        )?;
        return Ok(Exit::Done);
    }
    let Some(question) = args.question.as_deref().map(str::trim).filter(|question| !question.is_empty())
    else {
        for job in backlog.jobs(Some(&repo_name(&repo))).map_err(|error| failure(&error))? {
            session.printer.print(format_args!(
                "{}  {:<8}  {:<5}  {}\n",
                TaskId(job.id).short(),
                job.state.word(),
                job.profile,
                inert(&job.query)
            ))?;
        }
        return Ok(Exit::Done);
    };
    let name = args.mind.name(&resolved)?;
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    let scan = scan_target(&repo, &resolved.config, &mut session)?;
    let facts = facts(&repo, &scan);
    let content = scan.content_hash().to_string();
    let knowledge =
        known::gather(&repo, question, &facts, &content, &resolved.config, watching, &mut session)?;
    let job = backlog
        .add_job(&repo_name(&repo), question, args.profile.word(), now())
        .map_err(|error| failure(&error))?;
    let check = |path: &str, line: u64, quote: &str| stands_at(&repo, &facts, path, line, quote);
    let mut notes = Vec::new();
    let (mut claims, mut evidence, was_challenged) = runtime()?.block_on(async {
        let Some(name) = &name else {
            notes.push("no model was asked: places were found by their words alone".to_owned());
            let claims = tidy_claims(&[], question, args.profile);
            let evidence =
                claims.iter().flat_map(|claim| places_by_words(claim, &knowledge, &facts, 6)).collect();
            return Ok::<_, Failure>((claims, evidence, false));
        };
        let (gateway, model) = args.mind.connect(name, &resolved, session.around()).await?;
        let mut asker = Asker::new(&model, ask_settings(&resolved), TaskId::fresh().short());
        let found = ask(&mut asker, &job, &knowledge, &facts, args.profile, &check, &mut notes).await;
        gateway.stop();
        Ok(found)
    })?;
    let planned: Vec<_> = claims.iter().map(|claim| (claim.clone(), collect_task(&job, claim))).collect();
    backlog.plan_job(&job, &planned, &notes, now()).map_err(|error| failure(&error))?;
    let kept = backlog.claims(&job.id).map_err(|error| failure(&error))?;
    for (claim, kept) in claims.iter_mut().zip(kept) {
        claim.task = kept.task;
        settle(claim, &evidence, args.profile);
    }
    evidence.sort_by_key(|row: &EvidenceRow| !row.verified);
    let reasons = shortfalls(&claims, &evidence, was_challenged, args.profile);
    let report = write_report(&job, &claims, &evidence, &reasons, now());
    let state = if reasons.is_empty() { JobState::Done } else { JobState::Blocked };
    let end = JobEnd { claims: &claims, evidence: &evidence, report: &report, state, reasons: &reasons };
    backlog.end_job(&job, &end, now()).map_err(|error| failure(&error))?;
    session.printer.print(inert(&report.body) + "\n")?;
    session.printer.print(format_args!(
        "\n{}; confidence {} of 100; job {}\n",
        report.summary,
        report.confidence,
        TaskId(job.id).short()
    ))?;
    notes.iter().for_each(|note| session.printer.warn(inert(note)));
    Ok(if reasons.is_empty() { Exit::Done } else { Exit::Partial })
}

async fn ask(
    asker: &mut Asker<'_, GatewayModel>,
    job: &Job,
    knowledge: &Knowledge,
    facts: &luminos_engine::tasks::RepoFacts,
    profile: Profile,
    check: &(dyn Fn(&str, u64, &str) -> bool + Sync),
    notes: &mut Vec<String>,
) -> (Vec<Claim>, Vec<EvidenceRow>, bool) {
    let context = knowledge_context(knowledge, facts, &job.query);
    let claims = decompose(asker, &job.query, &context, profile).await.unwrap_or_else(|why| {
        notes.push(format!("the question was not taken apart ({why}): it is the only claim"));
        tidy_claims(&[], &job.query, profile)
    });
    let (mut evidence, mut all) = (Vec::new(), true);
    for claim in &claims {
        match collect(asker, claim, &knowledge_context(knowledge, facts, &claim.text), check).await {
            Ok(rows) => evidence.extend(rows),
            Err(why) => {
                all = false;
                notes.push(format!("no places for `{}`: {why}", claim.text));
            }
        }
    }
    (claims, evidence, all)
}
