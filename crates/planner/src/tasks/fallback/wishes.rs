//! What a requirement wishes for, one thing at a time, and in which order.

use std::collections::BTreeSet;

use crate::tasks::knowledge::search_words;
use crate::tasks::requirement::Requirement;
use crate::tasks::roles::infer_role;
use crate::tasks::task::{Dep, Draft, Origin, Role, add_new};

/// One thing that is wished for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) text: String,
    /// The acceptance criterion that it is, from 1; the goal itself has none.
    pub(super) criterion: Option<usize>,
}

/// Words that make a sentence a wish.
const WISHING: &[&str] = &["should", "must", "shall", "need", "needs", "can", "cannot", "may", "will"];
/// Words that a wish begins with.
const ORDERS: &[&str] = &[
    "add",
    "allow",
    "change",
    "cover",
    "describe",
    "document",
    "ensure",
    "explain",
    "expose",
    "extend",
    "fix",
    "handle",
    "implement",
    "improve",
    "keep",
    "let",
    "make",
    "move",
    "print",
    "provide",
    "refuse",
    "reject",
    "remove",
    "rename",
    "replace",
    "return",
    "show",
    "support",
    "test",
    "update",
    "use",
    "write",
];
/// So much of a goal at least is in a criterion that speaks of it.
const SPOKEN_OF: f64 = 0.25;

/// The wishes: each acceptance criterion; in free text, before them, the goal if none of them speaks of it. Where nobody wrote criteria, the
/// sentences of the goal that wish for something.
pub(super) fn wishes(requirement: &Requirement) -> Vec<Wish> {
    let criteria = &requirement.acceptance_criteria;
    if let [only] = criteria.as_slice()
        && *only == requirement.goal
    {
        let texts = sentences(only);
        return texts.into_iter().map(|text| Wish { text, criterion: Some(1) }).collect();
    }
    let of_criterion =
        |(index, text): (usize, &String)| Wish { text: text.clone(), criterion: Some(index + 1) };
    let mut wishes: Vec<Wish> = criteria.iter().enumerate().map(of_criterion).collect();
    // A list below some sentences may leave out what the sentences say; a section of criteria is all there is to it.
    if !requirement.has_criteria_section() && !is_spoken_of(&requirement.goal, &wishes) {
        let text = sentences(&requirement.goal).swap_remove(0);
        wishes.insert(0, Wish { text, criterion: None });
    }
    wishes
}

/// Whether some criterion speaks of the goal itself, and not only of its tests and its documentation.
fn is_spoken_of(goal: &str, wishes: &[Wish]) -> bool {
    let words = search_words(goal);
    let share = |wish: &&Wish| {
        let own: BTreeSet<String> = search_words(&wish.text);
        let is_in =
            |word: &&String| own.iter().any(|it| it.starts_with(*word) || word.starts_with(it.as_str()));
        words.iter().filter(is_in).count() as f64 / words.len().max(1) as f64
    };
    let is_work =
        |wish: &&Wish| infer_role(&Draft::new("", wish.text.as_str(), Origin::Fallback)) == Role::Worker;
    let has_work = wishes.iter().any(|wish| is_work(&wish));
    let mut of_it = wishes.iter().filter(|wish| is_work(wish) || !has_work);
    words.is_empty() || of_it.any(|wish| SPOKEN_OF <= share(&wish))
}

/// The sentences of a text that wish for something; the first one always does.
fn sentences(text: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut sentences: Vec<String> = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let rest = &text[at + 1..];
        let next = rest.strip_prefix(' ').and_then(|rest| rest.chars().next());
        let is_end = rest.is_empty() || next.is_some_and(|letter| letter.is_uppercase() || letter == '`');
        let is_short = ["e.g", "i.e", "etc", "vs", "cf"].iter().any(|word| text[..at].ends_with(word));
        if is_end && !is_short {
            sentences.push(text[start..=at].trim().to_owned());
            start = at + 1;
        }
    }
    sentences.push(text[start..].trim().to_owned());
    let is_wish = |sentence: &String| {
        let small = sentence.to_lowercase();
        let words: Vec<&str> = small.split(|letter: char| !letter.is_alphanumeric()).collect();
        words.first().is_some_and(|first| ORDERS.contains(first))
            || words.iter().any(|word| WISHING.contains(word))
    };
    sentences.retain(|sentence| !sentence.is_empty());
    let mut index = 0;
    sentences.retain(|sentence| {
        index += 1;
        index == 1 || is_wish(sentence)
    });
    sentences
}

/// Tests and documents come after what they are about: after the tasks that share files or words with them, or after all.
pub(super) fn put_in_order(drafts: &mut [Draft]) {
    let work: Vec<(usize, BTreeSet<String>, Vec<String>)> = drafts
        .iter()
        .enumerate()
        .filter(|(_, draft)| draft.role == Role::Worker)
        .map(|(index, draft)| (index, search_words(&draft.goal), draft.context.files.clone()))
        .collect();
    for draft in drafts.iter_mut().filter(|draft| draft.role != Role::Worker) {
        let words = search_words(&draft.goal);
        let is_about = |(_, their, files): &&(usize, BTreeSet<String>, Vec<String>)| {
            1 < words.intersection(their).count()
                || draft.context.files.iter().any(|file| files.contains(file))
        };
        let mut on: Vec<usize> = work.iter().filter(is_about).map(|(index, _, _)| *index).collect();
        if on.is_empty() {
            on = work.iter().map(|(index, _, _)| *index).collect();
        }
        add_new(&mut draft.depends_on, on.into_iter().map(Dep::done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(requirement: &str) -> Vec<(String, Option<usize>)> {
        let requirement = Requirement::parse(requirement).unwrap().requirement;
        wishes(&requirement).into_iter().map(|wish| (wish.text, wish.criterion)).collect()
    }

    #[test]
    fn sentences_that_wish_for_something_are_taken_apart() {
        let text = "res.send() should take a function, e.g. for Caches. People asked for it. Add tests. Update History.md.";
        let found = texts(text);
        let found: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(
            found,
            ["res.send() should take a function, e.g. for Caches.", "Add tests.", "Update History.md."]
        );
    }

    #[test]
    fn a_goal_that_no_criterion_speaks_of_is_a_task_itself() {
        let text = "Add an option 'scrollanchor' that keeps the cursor row.\n\n- it works with folds\n- tests cover resizing\n";
        let goal = ("Add an option 'scrollanchor' that keeps the cursor row.".to_owned(), None);
        assert_eq!(texts(text)[0], goal);
        assert_eq!(texts(text).len(), 3);
        let bodies =
            "Limit the size of request bodies.\n\n- A middleware refuses when the body is too large\n";
        assert_eq!(texts(bodies).len(), 1);
        let spoken = "Keep the cursor row.\n\n- the cursor row is kept with folds\n- tests cover resizing\n";
        assert_eq!(texts(spoken)[0].1, Some(1));
    }

    #[test]
    fn tests_and_documents_come_after_what_they_are_about() {
        let mut drafts: Vec<Draft> = [
            (Role::Docser, "The guide explains exports and imports"),
            (Role::Worker, "Exports and imports are streamed"),
            (Role::Worker, "Log-in is faster"),
            (Role::Tester, "Tests cover errors"),
        ]
        .map(|(role, goal)| Draft { role, ..Draft::new(goal, goal, Origin::Fallback) })
        .into();
        put_in_order(&mut drafts);
        let on = |at: usize| drafts[at].depends_on.iter().map(|dep| dep.on).collect::<Vec<_>>();
        assert_eq!((on(0), on(1), on(2), on(3)), (vec![1], vec![], vec![], vec![1, 2]));
    }
}
