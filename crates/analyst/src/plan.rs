//! Who gets how many turns, by rule: by what directories like it took in earlier investigations; where there were none, by
//! what a directory is called, how much code is in it and how many files there are to read.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::RelPath;
use luminos_core::experience::{Experience, Features};
use luminos_core::plan::{Move, NamedDir, Order, Plan, PriorityDir, Revision, Tier, Turns};

use luminos_core::scan::{DirId, Scan};

use super::role::Role;
use super::tree::{self, DirFacts};
use super::words::{count, number};
use luminos_core::whole::{DirSoFar, DirState, Whole};

/// At most one directory in so many is a priority for its code.
const ONE_IN: usize = 8;
/// With less code nothing is central.
const CENTRAL: u64 = 1_000;

/// Plans an investigation by rule, and by what earlier ones have shown.
pub fn plan(whole: &Whole<'_>, experience: &Experience) -> Plan {
    let dirs = tree::dirs(whole.scan);
    let mut learned = 0_u64;
    let mut plan = Plan { investigation_order: Order::LeafFirst, ..Plan::default() };
    let mut by_code: Vec<&DirFacts> = dirs.iter().filter(|dir| is_central(dir)).collect();
    by_code.sort_by(|a, b| b.code.cmp(&a.code).then_with(|| a.path.cmp(&b.path)));
    by_code.truncate((dirs.len() / ONE_IN).max(1));
    let central: BTreeSet<&str> = by_code.iter().map(|dir| dir.path.as_str()).collect();
    for (id, dir) in whole.scan.dir_ids().zip(&dirs).skip(1) {
        let is_below_skipped =
            plan.skip_dirs.iter().any(|skipped| dir.path.starts_with(&format!("{}/", skipped.path)));
        if is_below_skipped {
            continue;
        }
        if let Some(role @ (Role::Vendored | Role::Generated)) = dir.role {
            plan.skip_dirs.push(named(dir, format!("by its name it holds {}", role.noun())));
        } else if let Some(tier) = by_experience(whole.scan, id, dir, experience) {
            learned += 1;
            match tier {
                Learned::Priority(priority) => plan.priority_dirs.push(priority),
                Learned::Shallow(shallow) => plan.shallow_dirs.push(shallow),
                Learned::Default => {}
            }
        } else if Turns::DEFAULT.0 < dir.turns() {
            let reason = format!("{} to read", count(dir.readable as u64, "file"));
            let turns = Turns(dir.turns().min(Turns::MOST.0));
            plan.priority_dirs.push(PriorityDir { path: dir.path.clone(), reason, suggested_turns: turns });
        } else if central.contains(dir.path.as_str()) {
            let reason =
                format!("{} lines of code in {}", number(dir.code), count(dir.sources as u64, "source file"));
            plan.priority_dirs.push(PriorityDir {
                path: dir.path.clone(),
                reason,
                suggested_turns: Turns::PRIORITY,
            });
        } else if let Some(reason) = shallow(dir) {
            plan.shallow_dirs.push(named(dir, reason));
        }
    }
    plan.notes = format!(
        "Planned by rule: {} priority, {} shallow, {} skipped of {}.",
        plan.priority_dirs.len(),
        plan.shallow_dirs.len(),
        plan.skip_dirs.len(),
        count(dirs.len() as u64, "directory")
    );
    if 0 < learned {
        plan.notes.push_str(&format!(
            " For {}, what such ones took in earlier investigations decided.",
            count(learned, "directory")
        ));
    }
    plan
}

/// What earlier investigations say about a directory.
enum Learned {
    Priority(PriorityDir),
    Shallow(NamedDir),
    /// What everybody gets is right.
    Default,
}

/// Decides by what directories like it took: all that the hungriest of them needed, and some more where they ran short.
fn by_experience(scan: &Scan, id: DirId, dir: &DirFacts, experience: &Experience) -> Option<Learned> {
    let expected = experience.expect(&scan.dir_path(id), &Features::of(scan, id))?;
    let spare = if expected.is_short { Turns::SHALLOW.0 } else { 0 };
    // What is there to read is a fact; what others took is not a reason to give less than that.
    let needed = expected.most.0.saturating_add(spare).max(dir.turns());
    let others = count(expected.dirs, "directory");
    let (mean, most) = (expected.mean.0, expected.most.0);
    let reason = format!("{others} {} took {mean} turns on average, {most} at most", expected.likeness);
    Some(if Turns::DEFAULT.0 < needed {
        let suggested_turns = Turns(needed.min(Turns::MOST.0));
        Learned::Priority(PriorityDir { path: dir.path.clone(), reason, suggested_turns })
    } else if needed <= Turns::SHALLOW.0 {
        Learned::Shallow(named(dir, reason))
    } else {
        Learned::Default
    })
}

fn is_central(dir: &DirFacts) -> bool {
    let is_source = matches!(dir.role, None | Some(Role::Source));
    is_source && CENTRAL <= dir.code
}

fn shallow(dir: &DirFacts) -> Option<String> {
    match dir.role {
        Some(role @ (Role::Docs | Role::Fixtures | Role::Assets | Role::Translations | Role::Examples)) => {
            Some(format!("by its name it holds {}", role.noun()))
        }
        Some(_) | None if dir.turns() <= Turns::SHALLOW.0 => match (dir.files, dir.readable) {
            (0, _) => Some("it only holds other directories".to_owned()),
            (_, 0) => Some("nothing in it is text".to_owned()),
            (files, _) if files <= 3 => Some(count(files as u64, "file")),
            _ => None,
        },
        Some(_) | None => None,
    }
}

fn named(dir: &DirFacts, reason: String) -> NamedDir {
    NamedDir { path: dir.path.clone(), reason }
}

/// Siblings that tell something about one that has not started: at least so many.
const SIBLINGS: usize = 3;

/// Revises a plan by rule: what most siblings needed, one that has not started will need, too.
pub fn revise(so_far: &[DirSoFar]) -> Revision {
    let mut done_in: BTreeMap<Option<RelPath>, Vec<(u32, bool)>> = BTreeMap::new();
    for dir in so_far.iter().filter(|dir| dir.tier == Tier::Default) {
        if let DirState::Done { used, borrowed, partial, .. } = &dir.state {
            done_in.entry(dir.path.parent()).or_default().push((used.0, 0 < borrowed.0 || *partial));
        }
    }
    let mut moves = Vec::new();
    for dir in so_far.iter().filter(|dir| dir.state == DirState::Waiting && dir.tier == Tier::Default) {
        let Some(done) = done_in.get(&dir.path.parent()) else { continue };
        if done.len() < SIBLINGS {
            continue;
        }
        let short = done.iter().filter(|(_, was_short)| *was_short).count();
        let path = dir.path.to_word();
        if done.len() <= short * 2 {
            let reason = format!("{short} of {} siblings ran short of turns", done.len());
            moves.push(Move { path, tier: Tier::Priority, turns: Some(Turns::PRIORITY), reason });
        } else if done.iter().all(|(used, was_short)| *used <= 2 && !was_short) {
            let reason = format!("{} siblings needed two turns or fewer", done.len());
            moves.push(Move { path, tier: Tier::Shallow, turns: None, reason });
        }
    }
    let reason = if moves.is_empty() { "the plan fits what was found" } else { "what siblings needed" };
    Revision { moves, reason: reason.to_owned() }
}
