//! The parts of a target and who uses whom, as a Mermaid diagram.
//!
//! It is drawn from items about what a part uses. Labels are quoted, and what has a meaning in one is left out: a name of the target can draw nothing.

use std::collections::BTreeSet;

use luminos_core::report::{Item, ItemKind};

use crate::prose;

/// A diagram with more arrows shows nothing.
const MOST_ARROWS: usize = 40;
/// A longer label makes the others hard to see.
const LONG: usize = 32;
/// No label is longer, before it is shortened.
const LABEL: usize = 160;

/// The diagram, in its fence; `None` where fewer than two arrows are to be drawn.
pub(super) fn diagram(items: &[Item]) -> Option<String> {
    let mut boxes = Vec::new();
    let mut arrows = Vec::new();
    for item in items {
        let Some(ItemKind::Uses { parts }) = &item.kind else { continue };
        for name in parts {
            if MOST_ARROWS <= arrows.len() || !name.contains(char::is_alphanumeric) {
                continue;
            }
            arrows.push((number_in(&mut boxes, &item.name), number_in(&mut boxes, name)));
        }
    }
    if arrows.len() < 2 {
        return None;
    }
    let boxes = shortened(&boxes);
    let mut lines = vec!["```mermaid".to_owned(), "graph LR".to_owned()];
    lines.extend(boxes.iter().enumerate().map(|(number, label)| format!("  p{number}[\"{label}\"]")));
    lines.extend(arrows.iter().map(|(from, to)| format!("  p{from} --> p{to}")));
    // A diagram that does not parse shows as an error on the page; then none is better.
    if !parses(&lines[1..]) {
        return None;
    }
    lines.push("```".to_owned());
    Some(lines.join("\n"))
}

/// Reads a diagram as Mermaid does, as far as ours go: a direction, boxes with quoted labels, arrows between boxes that
/// are there.
fn parses(lines: &[String]) -> bool {
    let Some((first, rest)) = lines.split_first() else { return false };
    let number = |name: &str| name.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
    let mut boxes = 0;
    let mut arrows = 0;
    for line in rest {
        let Some(line) = line.strip_prefix("  ") else { return false };
        if let Some((from, to)) = line.split_once(" --> ") {
            let is_there = |name: &str| number(name).is_some_and(|number| number < boxes);
            if !is_there(from) || !is_there(to) {
                return false;
            }
            arrows += 1;
            continue;
        }
        let Some((name, label)) = line.split_once("[\"") else { return false };
        let Some(label) = label.strip_suffix("\"]") else { return false };
        // Boxes stand before arrows, each once; a label says something and means nothing else.
        let is_plain =
            !label.trim().is_empty() && !label.contains(['"', '[', ']', '<', '>', '#', ';', '`', '\n']);
        if arrows != 0 || number(name) != Some(boxes) || !is_plain {
            return false;
        }
        boxes += 1;
    }
    first == "graph LR" && 0 < arrows
}

/// The number of the box with a label, which is a new one where there is none yet.
fn number_in(boxes: &mut Vec<String>, name: &str) -> usize {
    let is_plain = |character: &char| {
        character.is_alphanumeric() || matches!(character, '/' | '.' | '-' | '_' | '+' | ' ')
    };
    let label: String = prose::one_line(name).chars().filter(is_plain).take(LABEL).collect();
    boxes.iter().position(|known| *known == label).unwrap_or_else(|| {
        boxes.push(label);
        boxes.len() - 1
    })
}

/// Labels without the way that all long ones have in common, as packages of Java do.
fn shortened(labels: &[String]) -> Vec<String> {
    let mut long = labels.iter().filter(|label| LONG < label.chars().count());
    let Some(first) = long.next() else { return labels.to_vec() };
    let steps: Vec<&str> = first.split('/').collect();
    let common = |label: &String| {
        let same = label.split('/').zip(&steps).take_while(|(one, other)| one == *other).count();
        // The last step is the name.
        same.min(label.matches('/').count())
    };
    let common = long.map(common).chain([common(first)]).min().unwrap_or(0);
    let short: Vec<String> = labels
        .iter()
        .map(|label| match LONG < label.chars().count() {
            true => label.split('/').skip(common).collect::<Vec<_>>().join("/"),
            false => label.clone(),
        })
        .collect();
    // Two boxes with one name would be worse than long names.
    let distinct: BTreeSet<&String> = short.iter().collect();
    if distinct.len() == short.len() { short } else { labels.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, parts: &[&str]) -> Item {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        Item { name: name.to_owned(), kind: Some(ItemKind::Uses { parts }), ..Item::default() }
    }

    #[test]
    fn parts_become_boxes_and_uses_arrows() {
        let items = [
            Item { text: "Most of the code lies in `a`.".to_owned(), ..Item::default() },
            item("src/a", &["src/b", "src/c"]),
            item("src/b", &["src/c", "top-level code"]),
        ];
        insta::assert_snapshot!(diagram(&items).unwrap(), @r#"
        ```mermaid
        graph LR
          p0["src/a"]
          p1["src/b"]
          p2["src/c"]
          p3["top-level code"]
          p0 --> p1
          p0 --> p2
          p1 --> p2
          p1 --> p3
        ```
        "#);
    }

    #[test]
    fn only_what_parses_is_drawn() {
        let check = |text: &str| parses(&text.lines().map(str::to_owned).collect::<Vec<_>>());
        assert!(check("graph LR\n  p0[\"a\"]\n  p1[\"b\"]\n  p0 --> p1"));
        for broken in [
            "",
            "graph TD\n  p0[\"a\"]\n  p0 --> p0",
            "graph LR\n  p0[\"a\"]",
            "graph LR\n  p0[\"a\"]\n  p0 --> p1",
            "graph LR\n  p0[\"a\"b\"]\n  p0 --> p0",
            "graph LR\n  p0[\" \"]\n  p0 --> p0",
            "graph LR\n  p1[\"a\"]\n  p1 --> p1",
            "graph LR\n  p0[\"a\"]\n  p0 --> p0\n  click p0",
        ] {
            assert!(!check(broken), "{broken}");
        }
    }

    #[test]
    fn long_ways_in_common_are_left_out() {
        let way = "src/main/java/org/example/clinic";
        let items = [
            item(&format!("{way}/owner"), &[&format!("{way}/model"), "lib"]),
            item(&format!("{way}/vet"), &[&format!("{way}/model")]),
        ];
        let drawn = diagram(&items).unwrap();
        for label in ["\"owner\"", "\"model\"", "\"vet\"", "\"lib\""] {
            assert!(drawn.contains(label), "{label}: {drawn}");
        }
    }

    #[test]
    fn a_name_draws_nothing() {
        let items = [item("a\"] --> x[\"<b>", &["c\n```", "d;click"]), item("d", &["e"])];
        let drawn = diagram(&items).unwrap();
        assert!(!drawn.contains("<b>") && !drawn.contains("--> x") && !drawn.contains(';'), "{drawn}");
        assert_eq!(drawn.matches("```").count(), 2);
        assert_eq!(diagram(&[item("a", &["b"])]), None);
    }
}
