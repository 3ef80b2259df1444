//! What a model gets wrong, laid over a turn.

use serde_json::{Map, Value, json};

use crate::fault::{Fault, TurnFault};
use crate::turn::{Block, Turn};

/// The turn with its faults.
pub(crate) fn apply(mut turn: Turn, faults: &[Fault]) -> Turn {
    for fault in faults {
        if let Fault::Turn(fault) = fault {
            turn = with(turn, fault);
        }
    }
    turn
}

fn with(mut turn: Turn, fault: &TurnFault) -> Turn {
    match fault {
        TurnFault::TruncatedArguments => {
            if let Some((_, arguments)) = calls(&mut turn).last() {
                let mut half = arguments.len() / 2;
                while !arguments.is_char_boundary(half) {
                    half -= 1;
                }
                arguments.truncate(half);
            }
        }
        TurnFault::WrongTypes => {
            for (_, arguments) in calls(&mut turn) {
                let object: Map<String, Value> = serde_json::from_str(arguments).unwrap_or_default();
                let wrong = object.into_iter().map(|(key, value)| (key, other_type(&value)));
                *arguments = Value::Object(wrong.collect()).to_string();
            }
        }
        TurnFault::ManyCalls(count) => {
            let call = turn.blocks.iter().find(|block| matches!(block, Block::Call { .. })).cloned();
            turn.blocks.extend(std::iter::repeat_n(call, count.saturating_sub(1)).flatten());
        }
        TurnFault::SameIds => {
            for block in &mut turn.blocks {
                if let Block::Call { id, .. } = block {
                    *id = Some("call_always_the_same".to_owned());
                }
            }
        }
        TurnFault::UnknownTool => calls(&mut turn).for_each(|(name, _)| *name = "no_such_tool".to_owned()),
        TurnFault::Usage(usage) => turn.usage = *usage,
    }
    turn
}

fn calls(turn: &mut Turn) -> impl Iterator<Item = (&mut String, &mut String)> {
    turn.blocks.iter_mut().filter_map(|block| match block {
        Block::Call { name, arguments, .. } => Some((name, arguments)),
        Block::Text(_) | Block::Thinking(_) => None,
    })
}

fn other_type(value: &Value) -> Value {
    match value {
        Value::String(_) => json!(17),
        Value::Null | Value::Bool(_) | Value::Number(_) => json!(["not", "this"]),
        Value::Array(_) | Value::Object(_) => json!("not this"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Usage;

    #[track_caller]
    fn check(fault: TurnFault, expected: &[(&str, &str)]) {
        let turn = Turn::call("read", &json!({ "path": "größe", "n": 1 }));
        let mut turn = apply(turn, &[fault.into()]);
        let seen: Vec<(String, String)> =
            calls(&mut turn).map(|(name, arguments)| (name.clone(), arguments.clone())).collect();
        let expected: Vec<(String, String)> =
            expected.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned())).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn faults_change_calls() {
        let arguments = r#"{"path":"größe","n":1}"#;
        check(TurnFault::TruncatedArguments, &[("read", r#"{"path":"gr"#)]);
        check(TurnFault::WrongTypes, &[("read", r#"{"path":17,"n":["not","this"]}"#)]);
        check(TurnFault::ManyCalls(3), &[("read", arguments); 3]);
        check(TurnFault::UnknownTool, &[("no_such_tool", arguments)]);
        check(TurnFault::Usage(Usage::Zero), &[("read", arguments)]);
    }
}
