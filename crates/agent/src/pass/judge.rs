//! A second judge: one claim and the lines it cites, and the task to refute it.
//!
//! It sees nothing else, no conversation and no other claim, so nothing that misled whoever wrote the claim misleads it.
//! A single turn. Whatever is not a plain yes counts as a no.

use luminos_core::RelPath;
use luminos_core::entry::Claim;
use luminos_core::job::{Ask, Opening};
use luminos_core::judge::Library;
use luminos_core::talk::{Arguments, AssistantBlock, ToolSpec, UserBlock};
use serde_json::json;

use crate::prompt::{JUDGE, JUDGE_TASK, cut, fence, fenced};

/// How long an answer may be, in tokens.
const MAX_OUTPUT: u32 = 1_024;
/// Bytes of one citation that are shown.
const MOST_CITED: usize = 8 * 1024;
/// Bytes of a reason that are kept.
const MOST_REASON: usize = 400;
/// The tool that ends it.
const SUBMIT: &str = "submit_verdict";

/// What a second judge says about a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opinion {
    /// The cited lines bear it out.
    Stands,
    /// They do not, or it cannot be told, and why.
    Refuted(String),
}

/// Lines that a claim cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    path: RelPath,
    lines: (u64, u64),
    text: String,
}

/// The lines that a claim cites, as they stand in the target.
pub fn cited(claim: &Claim, library: &mut impl Library) -> Vec<Cited> {
    let found = claim.evidence.iter().filter_map(|evidence| {
        let exhibit = library.file(&evidence.path)?;
        let (first, last) = (evidence.start_line.max(1), evidence.end_line.max(1));
        let lines = exhibit.bytes.split(|byte| *byte == b'\n');
        let place = usize::try_from(first - 1).ok()?;
        let count = usize::try_from(last.saturating_sub(first) + 1).ok()?;
        let lines: Vec<String> = lines
            .skip(place)
            .take(count)
            .map(|line| String::from_utf8_lossy(line).trim_end_matches('\r').to_owned())
            .collect();
        let text = cut(&lines.join("\n"), MOST_CITED);
        Some(Cited { path: evidence.path.clone(), lines: (first, last), text })
    });
    found.collect()
}

/// The question whether a claim stands.
pub fn doubt(claim: &Claim, cited: &[Cited], nonce: &str) -> Ask {
    let fence = fence(nonce);
    let shown = cited.iter().map(|Cited { path, lines: (first, last), text }| {
        let label = format!("{} lines {first}-{last}", path.for_terminal());
        fenced(text, &label, &fence)
    });
    let task = JUDGE_TASK.fill(&[
        ("claim", &fenced(&claim.text, "statement", &fence)),
        ("cited", &shown.collect::<Vec<_>>().join("\n\n")),
    ]);
    let opening = Opening {
        system: vec![JUDGE.text(), fence.explanation()],
        tools: vec![submit_verdict()],
        max_output: MAX_OUTPUT,
    };
    Ask { turn: 1, opening: Some(opening), new: vec![UserBlock::Text(task)], compact_before: None }
}

fn submit_verdict() -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": {
            "verdict": { "type": "string", "enum": ["stands", "refuted", "unsure"] },
            "reason": { "type": "string", "description": "What decided it, in one sentence." },
        },
        "required": ["verdict", "reason"],
        "additionalProperties": false,
    });
    ToolSpec {
        name: SUBMIT.to_owned(),
        description: "Say whether the statement stands. This ends your task.".to_owned(),
        schema: schema.as_object().cloned().unwrap_or_default(),
    }
}

/// What an answer to [`doubt`] says. One that says nothing clear refutes; how a clear one is written does not matter.
pub fn opinion(answer: &[AssistantBlock]) -> Opinion {
    let submitted = answer.iter().find_map(|block| match block {
        AssistantBlock::ToolCall(call) if call.name == SUBMIT => match &call.arguments {
            Arguments::Object(arguments) => Some(arguments.clone()),
            Arguments::Invalid { raw, .. } => luminos_tools::repaired(raw)?.as_object().cloned(),
        },
        AssistantBlock::ToolCall(_) | AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => None,
    });
    let submitted = submitted.unwrap_or_default();
    let field = |name: &str| {
        let named = |key: &&String| key.trim().eq_ignore_ascii_case(name);
        let key = submitted.keys().find(named)?;
        submitted.get(key)?.as_str().map(str::trim)
    };
    let verdict = field("verdict").unwrap_or_default();
    let verdict: String = verdict.chars().filter(|letter| letter.is_alphabetic()).collect();
    match (verdict.to_lowercase().as_str(), field("reason").unwrap_or_default()) {
        ("stands", _) => Opinion::Stands,
        ("refuted" | "unsure", reason) if !reason.is_empty() => Opinion::Refuted(cut(reason, MOST_REASON)),
        _ => Opinion::Refuted("it did not say that the cited lines bear this out".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::judge::Exhibit;
    use luminos_core::proof::Evidence;
    use luminos_core::talk::ToolCall;
    use luminos_core::{ContentHash, RelPath};
    use serde_json::{Map, Value};

    use super::*;

    struct Shelf(&'static str);

    impl Library for Shelf {
        fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
            let bytes = self.0.as_bytes().to_vec().into();
            (*path == RelPath::from("src/main.rs")).then_some(Exhibit {
                bytes,
                blob: ContentHash([0; 32]),
                scanned: None,
            })
        }

        fn has(&self, _: &str) -> bool {
            true
        }

        fn numbers(&self, _: &RelPath) -> Vec<u64> {
            Vec::new()
        }
    }

    fn claim() -> Claim {
        let evidence = |path: &str| Evidence {
            path: RelPath::from(path),
            start_line: 2,
            end_line: 3,
            quote: Some("parser::run()".to_owned()),
            quote_hash: None,
            start: None,
            end: None,
            blob: None,
            call: None,
        };
        Claim {
            refuted: false,
            fact: None,
            text: "It starts the parser.".to_owned(),
            evidence: vec![evidence("src/main.rs"), evidence("gone.rs")],
            entries: Vec::new(),
            faults: Vec::new(),
            verified: true,
        }
    }

    #[test]
    fn the_judge_sees_a_claim_and_its_lines_and_nothing_else() {
        let shown = cited(&claim(), &mut Shelf("mod parser;\nfn main() {\r\n    parser::run();\n}\n"));
        let ask = doubt(&claim(), &shown, "0");
        let [UserBlock::Text(task)] = &ask.new[..] else { panic!("{ask:?}") };
        insta::assert_snapshot!(task, @"
        The statement:
        <data-0000000000000000 statement>
        It starts the parser.
        </data-0000000000000000>

        What it cites:
        <data-0000000000000000 src/main.rs lines 2-3>
        fn main() {
            parser::run();
        </data-0000000000000000>

        Does it stand?
        ");
        let opening = ask.opening.unwrap();
        assert_eq!(opening.system[0], JUDGE.text());
        assert_eq!(opening.tools.len(), 1);
    }

    #[test]
    fn only_a_plain_yes_is_one() {
        let call = |name: &str, arguments: Value| {
            let arguments = arguments.as_object().cloned().unwrap_or_else(Map::new);
            AssistantBlock::ToolCall(ToolCall {
                id: "1".to_owned(),
                name: name.to_owned(),
                arguments: Arguments::Object(arguments),
            })
        };
        let check = |answer: &[AssistantBlock], expected: Result<(), &str>| {
            let expected = match expected {
                Ok(()) => Opinion::Stands,
                Err(reason) => Opinion::Refuted(reason.to_owned()),
            };
            assert_eq!(opinion(answer), expected, "{answer:?}");
        };
        let nothing = Err("it did not say that the cited lines bear this out");
        check(&[call(SUBMIT, json!({"verdict": "stands", "reason": "line 3"}))], Ok(()));
        check(&[call(SUBMIT, json!({"verdict": "refuted", "reason": " no parser "}))], Err("no parser"));
        check(&[call(SUBMIT, json!({"verdict": "unsure", "reason": "may be"}))], Err("may be"));
        check(&[call(SUBMIT, json!({"verdict": "refuted"}))], nothing);
        check(&[call(SUBMIT, json!({"verdict": "Stands!"}))], Ok(()));
        check(
            &[call(SUBMIT, json!({"Verdict": " REFUTED.", "Reason": "no parser", "mood": 1}))],
            Err("no parser"),
        );
        check(&[call(SUBMIT, json!({"verdict": "stands or not"}))], nothing);
        check(&[call(SUBMIT, json!({"verdict": true}))], nothing);
        check(&[call("think", json!({"verdict": "stands"}))], nothing);
        check(&[AssistantBlock::Text("It stands.".to_owned())], nothing);
        check(&[], nothing);
    }
}
