//! The second judge: a model that is asked to refute what the bytes have proved, one claim at a time.
//!
//! Claims of a directory are asked about all at once; the gateway lets through as many as it may. What was said is
//! journalled before it counts, so a run that died pays for no opinion twice.

use std::sync::Arc;

use luminos_agent::{Cited, Opinion, cited, doubt, opinion};
use luminos_core::RelPath;
use luminos_core::entry::Claim;
use luminos_core::job::{Ask, NoTurn, Said};
use luminos_core::judge::{Judgement, REFUTED};
use luminos_core::report::SecondJudge;
use luminos_core::talk::{Message, Pass, Request};
use luminos_tools::library::TargetLibrary;
use tokio::task::JoinSet;

use super::loops::{TurnLine, place_of, written};
use super::passes::{Table, call_of};
use crate::minds::Asked;

/// A judgement after the second judge, what that judge was asked, and why it could not be asked about everything.
pub(super) struct Opinions {
    pub(super) judged: Judgement,
    pub(super) tally: SecondJudge,
    pub(super) failure: Option<String>,
}

/// Asks a model about every claim that the bytes have proved. What it refutes holds no longer.
pub(super) async fn second_opinions(
    table: &Table,
    library: Arc<TargetLibrary>,
    dir: &RelPath,
    mut judged: Judgement,
) -> Opinions {
    let proved = judged.report.claims.iter().enumerate().filter(|(_, claim)| claim.verified);
    let proved: Vec<(usize, Claim)> = proved.map(|(place, claim)| (place, claim.clone())).collect();
    let place = judge_place(dir);
    let remembered: Arc<Vec<TurnLine>> = Arc::new(if table.is_resumed {
        let found = table.investigation.transcript::<TurnLine>(&place);
        found.map(luminos_store::Records::into_bodies).unwrap_or_default()
    } else {
        Vec::new()
    });
    let shown = {
        let (dir, claims) = (dir.clone(), proved);
        let read = move || {
            let mut library = library.of(&dir);
            let shown = claims.into_iter().map(|(number, claim)| {
                let cited = cited(&claim, &mut library);
                (number, claim, cited)
            });
            shown.collect::<Vec<(usize, Claim, Vec<Cited>)>>()
        };
        tokio::task::spawn_blocking(read).await.unwrap_or_default()
    };
    let mut asking = JoinSet::new();
    for (number, claim, cited) in shown {
        let ask = doubt(&claim, &cited, &table.nonce);
        let (table, place, remembered) = (table.clone(), place.clone(), Arc::clone(&remembered));
        asking.spawn(async move { (number, said(&table, &place, &remembered, ask).await) });
    }
    let (mut tally, mut failure) = (SecondJudge::default(), None);
    let mut refuted = Vec::new();
    while let Some(joined) = asking.join_next().await {
        match joined {
            Ok((number, Ok(said))) => {
                tally.asked += 1;
                if let Opinion::Refuted(reason) = opinion(&said.content) {
                    tally.refuted += 1;
                    refuted.push((number, reason));
                }
            }
            Ok((_, Err(no_turn))) => failure = Some(no_turn.to_string()),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    refuted.sort();
    for (number, reason) in refuted {
        let fault = format!("{REFUTED}: {reason}");
        judged.faults.push(format!("claim {}: {fault}", number + 1));
        let claim = &mut judged.report.claims[number];
        claim.verified = false;
        claim.refuted = true;
        claim.faults.push(fault);
    }
    Opinions { judged, tally, failure }
}

/// What the second judge was asked about claims of an earlier run, and refuted.
pub(super) fn tally_of(claims: &[Claim]) -> SecondJudge {
    let refuted = claims.iter().filter(|claim| claim.refuted).count() as u64;
    let verified = claims.iter().filter(|claim| claim.verified).count() as u64;
    SecondJudge { asked: verified + refuted, refuted }
}

pub(crate) fn judge_place(dir: &RelPath) -> RelPath {
    RelPath::new([place_of(Pass::Judge).as_bytes(), b"/", dir.as_bytes()].concat())
}

async fn said(table: &Table, place: &RelPath, remembered: &[TurnLine], ask: Ask) -> Result<Said, NoTurn> {
    if let Some(line) = remembered.iter().find(|line| line.failed.is_none() && line.ask == ask) {
        return Ok(line.said.clone());
    }
    let Some(opening) = ask.opening.clone() else { return Err(NoTurn::Stopped) };
    let request = Request {
        pass: Pass::Judge,
        system: opening.system,
        messages: vec![Message::User(ask.new.clone())],
        tools: opening.tools,
        output: None,
        stop_sequences: Vec::new(),
        max_output: opening.max_output,
    };
    let Table { minds, investigation, writer, .. } = table;
    let id = call_of(investigation, place, minds.name(Pass::Judge), &request);
    let question = Asked { pass: Pass::Judge, place, ask: &ask, round: 0 };
    let heard = minds.turn(question, request, id.clone()).await;
    let (key, run) = (table.scan.content_hash(), table.nonce.clone());
    let (line, _) = written(heard, TurnLine::blank(key, ask, Vec::new(), run, 0));
    let kept = investigation.append_turn(writer, place, None, &line).await;
    kept.map_err(|error| NoTurn::Limit(format!("nothing can be stored: {error}")))?;
    minds.journalled(&id);
    line.failed.map_or(Ok(line.said), Err)
}
