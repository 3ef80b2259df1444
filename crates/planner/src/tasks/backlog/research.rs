//! Questions: jobs, their claims, evidence and reports.

use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;
use serde_json::json;

use super::events::{News, record};
use super::rows::{self, Beginning, word};
use super::{Backlog, Error};
use crate::tasks::task::{Draft, Risk, Status, TaskId};
use crate::tasks::word::words;

words! {
    /// How a job stands.
    JobState, "a state of a job" {
        /// Nobody has begun.
        Queued = "queued",
        /// Evidence is being collected.
        Running = "running",
        /// The report is not good enough, and nothing more can be done by itself.
        Blocked = "blocked",
        /// The report is good enough.
        Done = "done",
        /// It was given up.
        Failed = "failed",
        /// Nobody wants it any more.
        Cancelled = "cancelled",
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its name.
    pub id: String,
    /// The repository.
    pub repo: String,
    /// What is asked.
    pub query: String,
    /// How thoroughly.
    pub profile: String,
    /// How it stands.
    pub state: JobState,
    /// What is odd about it.
    pub notes: String,
    /// When it was asked.
    pub created_at: i64,
}

/// Something that may be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Its name.
    pub id: String,
    /// What it says.
    pub text: String,
    /// `provisional`, `supported`, `contested` or `refuted`.
    pub stance: String,
    /// How sure that is, out of 100.
    pub confidence: u32,
    /// The greater, the sooner.
    pub priority: u32,
    /// How much hangs on it.
    pub risk: Risk,
    /// The task that collects evidence for it.
    pub task: Option<TaskId>,
}

/// A place that speaks for or against a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceRow {
    /// The claim.
    pub claim: String,
    /// The file.
    pub path: String,
    /// The first line.
    pub first_line: u64,
    /// The last line.
    pub last_line: u64,
    /// What stands there.
    pub quote: String,
    /// `supporting` or `counter`.
    pub stance: String,
    /// Whether the quote was found there, byte by byte.
    pub verified: bool,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportRow {
    /// In a few sentences.
    pub summary: String,
    /// As a Markdown document.
    pub body: String,
    /// How sure that is, out of 100.
    pub confidence: u32,
    /// When it was written.
    pub created_at: i64,
}

/// How a question ends.
#[derive(Debug, Clone, Copy)]
pub struct JobEnd<'a> {
    /// Its claims, settled.
    pub claims: &'a [Claim],
    /// What was found.
    pub evidence: &'a [EvidenceRow],
    /// What came out.
    pub report: &'a ReportRow,
    /// How it stands now.
    pub state: JobState,
    /// Why it is not done; empty if it is.
    pub reasons: &'a [String],
}

impl Backlog {
    /// Asks a question.
    pub fn add_job(&mut self, repo: &str, query: &str, profile: &str, now: i64) -> Result<Job, Error> {
        let id = uuid::Uuid::now_v7().to_string();
        self.connection.execute(
            "INSERT INTO research_jobs (id, repo, query, profile, state, notes, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, 'queued', '', ?5, ?5)",
            params![id, repo, query, profile, now],
        )?;
        self.job(&id)
    }

    /// A question by its name, or a part of it that nobody else has.
    pub fn job(&self, word: &str) -> Result<Job, Error> {
        let jobs: Vec<Job> = self
            .jobs(None)?
            .into_iter()
            .filter(|job| job.id.starts_with(word) || job.id.ends_with(word))
            .collect();
        match <[Job; 1]>::try_from(jobs) {
            Ok([job]) if !word.is_empty() => Ok(job),
            Ok(_) | Err(_) => Err(Error::NoJob(word.to_owned())),
        }
    }

    /// All questions, the oldest first.
    pub fn jobs(&self, repo: Option<&str>) -> Result<Vec<Job>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT id, repo, query, profile, state, notes, created_at FROM research_jobs
             WHERE ?1 IS NULL OR repo = ?1 ORDER BY created_at, id",
        )?;
        let rows = statement.query_map([repo], |row| {
            let state: String = row.get(4)?;
            Ok(Job {
                id: row.get(0)?,
                repo: row.get(1)?,
                query: row.get(2)?,
                profile: row.get(3)?,
                state: word(&state)?,
                notes: row.get(5)?,
                created_at: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps the claims of a question, each with the task that collects evidence for it, all in one.
    pub fn plan_job(
        &mut self,
        job: &Job,
        claims: &[(Claim, Draft)],
        notes: &[String],
        now: i64,
    ) -> Result<(), Error> {
        let transaction = self.writing()?;
        for (position, (claim, draft)) in claims.iter().enumerate() {
            let task = TaskId::fresh();
            let beginning =
                Beginning { repo: &job.repo, plan: None, status: Status::Queued, block_reason: None, now };
            rows::insert(&transaction, &task, draft, position, beginning)?;
            transaction.execute(
                "INSERT INTO research_claims (id, job, position, text, stance, confidence, priority, risk, task)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![claim.id, job.id, position as i64, claim.text, claim.stance, claim.confidence, claim.priority, claim.risk.word(), task.0],
            )?;
        }
        transaction.execute(
            "UPDATE research_jobs SET state = 'running', notes = ?2, updated_at = ?3 WHERE id = ?1",
            params![job.id, notes.join("\n"), now],
        )?;
        let payload =
            json!({ "query": job.query, "profile": job.profile, "claims": claims.len(), "warnings": notes });
        let kind = "research.planned";
        record(
            &transaction,
            &News { kind, repo: Some(&job.repo), entity: Some(&job.id), agent: None, payload: &payload, now },
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// The claims of a question, in their order.
    pub fn claims(&self, job: &str) -> Result<Vec<Claim>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT id, text, stance, confidence, priority, risk, task FROM research_claims WHERE job = ?1 ORDER BY position",
        )?;
        let rows = statement.query_map([job], |row| {
            let risk: String = row.get(5)?;
            Ok(Claim {
                id: row.get(0)?,
                text: row.get(1)?,
                stance: row.get(2)?,
                confidence: row.get(3)?,
                priority: row.get(4)?,
                risk: word(&risk)?,
                task: row.get::<_, Option<String>>(6)?.map(TaskId),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All evidence of a question.
    pub fn evidence(&self, job: &str) -> Result<Vec<EvidenceRow>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT claim, path, first_line, last_line, quote, stance, verified FROM research_evidence WHERE job = ?1 ORDER BY rowid",
        )?;
        let rows = statement.query_map([job], |row| {
            Ok(EvidenceRow {
                claim: row.get(0)?,
                path: row.get(1)?,
                first_line: row.get::<_, i64>(2)?.unsigned_abs(),
                last_line: row.get::<_, i64>(3)?.unsigned_abs(),
                quote: row.get(4)?,
                stance: row.get(5)?,
                verified: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps what was found about a question and the report, and says how it ends; all in one.
    pub fn end_job(&mut self, job: &Job, end: &JobEnd<'_>, now: i64) -> Result<(), Error> {
        let JobEnd { claims, evidence, report, state, reasons } = *end;
        let transaction = self.writing()?;
        transaction.execute("DELETE FROM research_evidence WHERE job = ?1", [&job.id])?;
        for row in evidence {
            transaction.execute(
                "INSERT INTO research_evidence (id, job, claim, path, first_line, last_line, quote, stance, verified)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    uuid::Uuid::now_v7().to_string(), job.id, row.claim, row.path, row.first_line as i64,
                    row.last_line as i64, row.quote, row.stance, row.verified
                ],
            )?;
        }
        for claim in claims {
            transaction.execute(
                "UPDATE research_claims SET stance = ?2, confidence = ?3 WHERE id = ?1",
                params![claim.id, claim.stance, claim.confidence],
            )?;
            let Some(task) = &claim.task else { continue };
            let is_settled = claim.stance != "provisional";
            let (status, reason) =
                if is_settled { (Status::Done, None) } else { (Status::Blocked, Some("needs evidence")) };
            transaction.execute(
                "UPDATE tasks SET status = ?2, block_reason = ?3, updated_at = ?4 WHERE id = ?1 AND status IN ('queued', 'running', 'blocked')",
                params![task.0, status.word(), reason, now],
            )?;
        }
        transaction.execute(
            "INSERT INTO research_reports (id, job, summary, body, confidence, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![uuid::Uuid::now_v7().to_string(), job.id, report.summary, report.body, report.confidence, now],
        )?;
        transaction.execute(
            "UPDATE research_jobs SET state = ?2, notes = ?3, updated_at = ?4 WHERE id = ?1",
            params![job.id, state.word(), reasons.join("\n"), now],
        )?;
        let payload = json!({ "state": state, "confidence": report.confidence, "evidence": evidence.len(), "reasons": reasons });
        let kind = "research.reported";
        record(
            &transaction,
            &News { kind, repo: Some(&job.repo), entity: Some(&job.id), agent: None, payload: &payload, now },
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// The latest report of a question.
    pub fn report(&self, job: &str) -> Result<Option<ReportRow>, Error> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(ReportRow {
                summary: row.get(0)?,
                body: row.get(1)?,
                confidence: row.get(2)?,
                created_at: row.get(3)?,
            })
        };
        let found = self.connection.query_row(
            "SELECT summary, body, confidence, created_at FROM research_reports WHERE job = ?1 ORDER BY created_at DESC, rowid DESC LIMIT 1",
            [job],
            read,
        );
        Ok(found.optional()?)
    }
}
