//! A whole plan, from a requirement to tasks that are ready to be saved. The model is a parameter; without one, or where it
//! fails, the plan is made by rule and says so.

use luminos_core::spend::Usage;
use luminos_models::Model;

use super::ask::{self, AskSettings, Asker, Inspection};
use super::fallback::fallback;
use super::knowledge::Knowledge;
use super::refine::{Completed, Refined, Surroundings, prepare, refine};
use super::repo::RepoFacts;
use super::requirement::{Parsed, Requirement};
use super::task::Draft;
use super::verify::{Sources, to_ask};

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct PlanInput<'a> {
    /// What is wanted.
    pub parsed: &'a Parsed,
    /// What the rules look at.
    pub around: Surroundings<'a>,
    /// What is known of the repository.
    pub knowledge: &'a Knowledge,
    /// Whether a quote stands at a line of a file.
    pub check: &'a (dyn Fn(&str, u64, &str) -> bool + Sync),
    /// What the judge said about earlier work, in lines.
    pub feedback: &'a [String],
    /// Where the requirement is written if a model completes it.
    pub requirement_file: &'a str,
    /// How the model is asked.
    pub ask: AskSettings,
    /// A number drawn for this plan.
    pub mark: &'a str,
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The tasks.
    pub refined: Refined,
    /// The requirement that they are for.
    pub requirement: Requirement,
    /// What is there and what is missing, if a model has looked.
    pub inspection: Option<Inspection>,
    /// Why the plan is less than it could be; empty for a good one.
    pub degraded: Vec<String>,
    /// What the model's answers used.
    pub usage: Usage,
    /// How many calls there were.
    pub calls: u32,
}

/// Makes a plan.
pub async fn plan<M: Model>(input: PlanInput<'_>, model: Option<&M>) -> Planned {
    let mut parsed = input.parsed.clone();
    let mut warnings = std::mem::take(&mut parsed.warnings);
    let Some(model) = model else {
        let degraded = vec!["no model was asked: there is one task for each acceptance criterion; read them before handing them out".to_owned()];
        return by_rule(input, parsed.requirement, warnings, degraded, None, Usage::default(), 0);
    };
    warnings.extend(parsed.requirement.told_in_part());
    let mut asker = Asker::new(model, input.ask, input.mark);
    let context = context(input.knowledge, &parsed.requirement, input);
    let mut completed: Vec<&str> = Vec::new();
    if !parsed.missing.is_empty() {
        match ask::complete(&mut asker, &mut parsed, &context).await {
            Ok(parts) => completed = parts.iter().map(|part| part.word()).collect(),
            Err(why) => warnings.push(format!("what the requirement does not say was not filled in: {why}")),
        }
    }
    let requirement = parsed.requirement;
    let is_new = input.around.facts.is_uninitialised();
    let mut inspection = None;
    if !is_new {
        match ask::inspect(&mut asker, &requirement, &context, input.check).await {
            Ok(found) => inspection = Some(found),
            Err(why) => {
                let degraded = vec![format!(
                    "the repository was not inspected ({why}): there is one task for each acceptance criterion"
                )];
                return by_rule(input, requirement, warnings, degraded, None, asker.usage, asker.calls);
            }
        }
    }
    if let Some(found) = &inspection {
        warnings.extend(found.notes.iter().cloned());
    }
    let generated =
        ask::generate(&mut asker, &requirement, inspection.as_ref(), &context, &open_work(input)).await;
    let drafts = match generated {
        Ok((drafts, said)) => {
            warnings.extend(said);
            drafts
        }
        Err(why) => {
            let degraded = vec![format!(
                "the model gave no tasks ({why}): there is one task for each acceptance criterion"
            )];
            return by_rule(input, requirement, warnings, degraded, inspection, asker.usage, asker.calls);
        }
    };
    let mut degraded = Vec::new();
    let mut drafts = drafts;
    let gaps = inspection.as_ref().map(|found| found.gaps.clone()).unwrap_or_default();
    for draft in &mut drafts {
        draft.context.criteria.retain(|number| (1..=requirement.acceptance_criteria.len()).contains(number));
        for gap in gaps
            .iter()
            .filter(|gap| gap.criteria.iter().any(|number| draft.context.criteria.contains(number)))
        {
            super::task::add_new(&mut draft.context.evidence, gap.evidence.iter().cloned());
        }
        draft.context.evidence.truncate(6);
    }
    let served = |number: &usize| drafts.iter().any(|draft| draft.context.criteria.contains(number));
    let mut unserved: Vec<usize> =
        gaps.iter().flat_map(|gap| gap.criteria.clone()).filter(|number| !served(number)).collect();
    unserved.sort_unstable();
    unserved.dedup();
    for number in unserved {
        let words = requirement.acceptance_criteria.get(number - 1).cloned().unwrap_or_default();
        warnings.push(format!("no task serves criterion {number}: {words}"));
    }
    if drafts.is_empty() && gaps.is_empty() && inspection.is_some() {
        warnings.push("everything that is wanted is there already: no tasks are needed".to_owned());
    }
    let sync =
        (!completed.is_empty()).then_some(Completed { file: input.requirement_file, parts: &completed });
    let drafts = prepare(
        drafts,
        &requirement,
        &input.parsed.requirement.allowed_paths,
        input.around,
        sync,
        &mut warnings,
    );
    let sources = Sources {
        contract: input.around.contract,
        proposed: &[],
        facts: input.around.facts,
        policy: input.around.policy,
    };
    let wanted = to_ask(&drafts, input.around.verify, sources);
    let mut proposed = Vec::new();
    if !wanted.is_empty() {
        match ask::propose(&mut asker, &requirement, &drafts, &wanted, input.around.facts).await {
            Ok(commands) => proposed = commands,
            Err(why) => degraded.push(format!("the model proposed no verification commands: {why}")),
        }
    }
    let refined = refine(drafts, &proposed, input.around, warnings);
    Planned { refined, requirement, inspection, degraded, usage: asker.usage, calls: asker.calls }
}

fn by_rule(
    input: PlanInput<'_>,
    requirement: Requirement,
    mut warnings: Vec<String>,
    degraded: Vec<String>,
    inspection: Option<Inspection>,
    usage: Usage,
    calls: u32,
) -> Planned {
    let drafts: Vec<Draft> = fallback(&requirement, input.knowledge, input.around.facts);
    let drafts = prepare(
        drafts,
        &requirement,
        &input.parsed.requirement.allowed_paths,
        input.around,
        None,
        &mut warnings,
    );
    let refined = refine(drafts, &[], input.around, warnings);
    Planned { refined, requirement, inspection, degraded, usage, calls }
}

/// What a model is told of the repository about a requirement, what the judge said included.
fn context(knowledge: &Knowledge, requirement: &Requirement, input: PlanInput<'_>) -> String {
    let wanted = format!("{} {}", requirement.goal, requirement.acceptance_criteria.join(" "));
    let mut text = String::new();
    if !input.feedback.is_empty() {
        text = format!("What the judge said about earlier work:\n- {}\n", input.feedback.join("\n- "));
    }
    text + &knowledge_context(knowledge, input.around.facts, &wanted)
}

/// What a model is told of a repository about something, in about 45,000 characters.
pub fn knowledge_context(knowledge: &Knowledge, facts: &RepoFacts, wanted: &str) -> String {
    let mut text = String::new();
    let mut add = |part: &str| {
        if text.len() + part.len() < 45_000 {
            text.push_str(part);
        }
    };
    let top: Vec<&str> = facts.top.iter().map(String::as_str).collect();
    add(&format!("Top level: {}\n", top.join(" ")));
    if !knowledge.brief.is_empty() {
        add(&format!("What it is: {}\n", knowledge.brief));
    }
    let ranked = knowledge.rank(wanted, facts, &["**".to_owned()]);
    add("Files that bear on it, best first, with lines that do:\n");
    for file in ranked.iter().take(40) {
        let Some(known) = knowledge.files.get(&file.path) else { continue };
        add(&format!("\n{} ({} lines): {}\n", file.path, known.lines, super::clipped(&known.summary, 300)));
        let mut hits: Vec<_> = known.hits.iter().take(12).collect();
        hits.sort_by_key(|hit| hit.line);
        for hit in hits {
            add(&format!("{}| {}\n", hit.line, super::clipped(&hit.text, 160)));
        }
    }
    add("\nDirectories:\n");
    for (dir, summary) in &knowledge.dirs {
        add(&format!("{dir}: {}\n", super::clipped(summary, 300)));
    }
    add("\nVerified statements:\n");
    for (claim, place) in knowledge.claims.iter().take(60) {
        add(&format!("{} ({place})\n", super::clipped(claim, 200)));
    }
    add("\nAll files:\n");
    for file in &facts.files {
        add(&format!("{file}\n"));
    }
    text
}

fn open_work(input: PlanInput<'_>) -> String {
    let lines = input.around.backlog.iter().rev().take(30);
    let lines: Vec<String> =
        lines.map(|task| format!("- {} ({}): {}", task.title, task.status, task.writes.join(", "))).collect();
    lines.join("\n")
}
