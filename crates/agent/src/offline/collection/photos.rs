//! Pictures: when they were taken, by which cameras, which of them do not fit.

use std::collections::BTreeMap;

use luminos_core::job::ListedFile;
use luminos_tools::structure::{self, Outline};

use super::{Keeps, Look, Told, days, lacks, most};
use crate::offline::words::{code, count, some_of};

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut taken: Vec<(i64, String, luminos_core::proof::Evidence)> = Vec::new();
    let mut cameras: BTreeMap<String, u64> = BTreeMap::new();
    let mut camera_evidence: BTreeMap<String, luminos_core::proof::Evidence> = BTreeMap::new();
    let (mut seen, mut undated, mut widest) = (0_u64, Vec::new(), (0_u64, 0_u32, 0_u32));
    let mut evidence = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let Ok(Outline::Picture(picture)) =
            structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default())
        else {
            continue;
        };
        seen += 1;
        let pixels = u64::from(picture.width) * u64::from(picture.height);
        if widest.0 < pixels {
            widest = (pixels, picture.width, picture.height);
        }
        if let Some(camera) = picture.camera.filter(|camera| !camera.contains(['(', ',', '`', ':', ';'])) {
            *cameras.entry(camera.clone()).or_default() += 1;
            if let Some(cited) = head.cite(&camera) {
                camera_evidence.entry(camera).or_insert(cited);
            }
        }
        match picture.taken.as_deref().and_then(|text| Some((days::at_start(text)?, head.cite(text)?))) {
            Some((day, cited)) => taken.push((day, head.name.clone(), cited)),
            None => {
                undated.push(head.name.clone());
                evidence.push(head.cite_head());
            }
        }
    }
    if seen == 0 {
        return Vec::new();
    }
    taken.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let mut parts = Vec::new();
    if !cameras.is_empty() {
        parts.push(format!("taken with {}", most(&cameras, 3)));
    }
    if 0 < widest.0 {
        parts.push(format!("up to {} × {} pixels", widest.1, widest.2));
    }
    let ends = taken.iter().filter(|(day, _, _)| !is_far(&taken, *day));
    let mut cited: Vec<_> =
        ends.clone().take(1).chain(ends.clone().next_back()).map(|(_, _, cited)| cited.clone()).collect();
    cited.extend(camera_evidence.into_values().take(3));
    if cited.is_empty() {
        cited.extend(evidence.first().cloned());
    }
    let noun = if taken.is_empty() && cameras.is_empty() { "picture" } else { "photo" };
    let usual: Vec<_> = taken.iter().filter(|(day, _, _)| !is_far(&taken, *day)).collect();
    let period =
        usual.first().zip(usual.last()).map(|(first, last)| (days::told(first.0), days::told(last.0)));
    let keeps =
        Keeps { path: dir.to_owned(), count: seen, noun: noun.to_owned(), period, details: parts.join("; ") };
    let mut told = vec![Told { text: keeps.sentence(), evidence: cited }];
    if !undated.is_empty() && !taken.is_empty() {
        let names: Vec<String> = undated.iter().map(|name| code(name)).collect();
        let verb = if undated.len() == 1 { "carries" } else { "carry" };
        let words =
            format!("{} {verb} no date: {}", count(undated.len() as u64, "picture"), some_of(&names, 3));
        told.push(lacks(dir, words, evidence.into_iter().take(3).collect()));
    }
    told.extend(of_another_year(dir, &taken));
    told
}

/// One or two pictures of a year far from all others: a clock that was wrong, or a guest.
fn of_another_year(dir: &str, taken: &[(i64, String, luminos_core::proof::Evidence)]) -> Option<Told> {
    let far: Vec<_> = taken.iter().filter(|(day, _, _)| is_far(taken, *day)).collect();
    if far.is_empty() {
        return None;
    }
    let names: Vec<String> =
        far.iter().map(|(day, name, _)| format!("{} says {}", code(name), days::told(*day))).collect();
    let words = format!("out of place by its date: {}, years from the rest", some_of(&names, 2));
    Some(lacks(dir, words, far.iter().map(|(_, _, cited)| cited.clone()).collect()))
}

/// Whether a day is years from nearly all others.
fn is_far(taken: &[(i64, String, luminos_core::proof::Evidence)], day: i64) -> bool {
    let middle = taken.get(taken.len() / 2).map_or(day, |(middle, _, _)| *middle);
    let far = |day: i64| 700 < (day - middle).abs();
    5 <= taken.len() && far(day) && taken.iter().filter(|(day, _, _)| far(*day)).count() <= 2
}
