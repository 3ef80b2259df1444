//! Notices a model that goes round in circles.
//!
//! Tools only look, so the same call gives the same result: a model that makes it a third time has lost its way, and
//! one that makes it a fifth time will not find it again. The same goes for two steps in turn (A-B-A-B), for turns
//! of thoughts alone, and for turns without any call.

use std::collections::{BTreeMap, HashMap};

use luminos_core::talk::{Arguments, ToolCall};

/// From so many repetitions on the model is told.
const NUDGE: u32 = 3;
/// At so many the conversation ends.
const STOP: u32 = 5;

/// What to do about the latest turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing.
    Fine,
    /// Tell the model what it is doing.
    Nudge(String),
    /// It is no use.
    Stop(String),
}

/// What the turns of a conversation looked like so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repetition {
    calls: HashMap<String, u32>,
    /// The last four turns, by their calls.
    last: [Option<String>; 4],
    thoughts: u32,
    silent: u32,
}

impl Repetition {
    /// Looks at the calls of one turn. `is_thought` tells the tools that only note something.
    pub(crate) fn turn(&mut self, calls: &[&ToolCall], is_thought: impl Fn(&str) -> bool) -> Verdict {
        if calls.is_empty() {
            self.silent += 1;
            self.push(None);
            return match self.silent {
                STOP.. => Verdict::Stop(format!("{} turns without a tool call", self.silent)),
                _ => Verdict::Fine,
            };
        }
        self.silent = 0;
        let all_thoughts = calls.iter().all(|call| is_thought(&call.name));
        self.thoughts = if all_thoughts { self.thoughts + 1 } else { 0 };
        let mut signatures: Vec<String> = calls.iter().map(|call| signature(call)).collect();
        self.push(Some(signatures.join("\n")));
        // The same call twice in one turn is clumsy, but it is one step.
        signatures.sort();
        signatures.dedup();
        let mut worst = (0, String::new());
        for signature in signatures {
            let count = self.calls.entry(signature.clone()).or_default();
            *count += 1;
            if worst.0 < *count {
                worst = (*count, signature);
            }
        }
        let name = worst.1.split(' ').next().unwrap_or_default().to_owned();
        match (worst.0, self.thoughts) {
            (STOP.., _) => Verdict::Stop(format!("the same call of {name} {} times", worst.0)),
            (_, STOP..) => Verdict::Stop(format!("{} turns of thoughts alone", self.thoughts)),
            (NUDGE.., _) => {
                Verdict::Nudge(format!("you have made the same call of {name} {} times", worst.0))
            }
            (_, NUDGE..) => {
                Verdict::Nudge(format!("you have only noted thoughts for {} turns", self.thoughts))
            }
            _ if self.alternates() => Verdict::Nudge("you are making the same two steps in turn".to_owned()),
            _ => Verdict::Fine,
        }
    }

    /// Forgets the calls: their results were taken away, so that making them again is right.
    pub(crate) fn forget_calls(&mut self) {
        self.calls.clear();
        self.last = Default::default();
    }

    fn push(&mut self, turn: Option<String>) {
        self.last.rotate_left(1);
        self.last[3] = turn;
    }

    fn alternates(&self) -> bool {
        let [a, b, c, d] = &self.last;
        a.is_some() && b.is_some() && a == c && b == d && a != b
    }
}

/// A call as a text that is the same for the same call.
fn signature(call: &ToolCall) -> String {
    match &call.arguments {
        Arguments::Object(object) => {
            let sorted: BTreeMap<&str, String> =
                object.iter().map(|(key, value)| (key.as_str(), value.to_string())).collect();
            format!("{} {sorted:?}", call.name)
        }
        Arguments::Invalid { raw, .. } => format!("{} {raw}", call.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments: Arguments::parse(arguments) }
    }

    /// One letter for each turn: its verdict.
    fn verdicts(turns: &[&[(&str, &str)]]) -> String {
        let mut repetition = Repetition::default();
        let mut shown = String::new();
        for turn in turns {
            let calls: Vec<ToolCall> = turn.iter().map(|(name, arguments)| call(name, arguments)).collect();
            let calls: Vec<&ToolCall> = calls.iter().collect();
            shown.push(match repetition.turn(&calls, |name| name == "think") {
                Verdict::Fine => '.',
                Verdict::Nudge(_) => 'n',
                Verdict::Stop(_) => 's',
            });
        }
        shown
    }

    const A: &[(&str, &str)] = &[("read_file", r#"{"path":"a","offset":1}"#)];
    const A_TOO: &[(&str, &str)] = &[("read_file", r#"{"offset":1,"path":"a"}"#)];
    const B: &[(&str, &str)] = &[("read_file", r#"{"path":"b"}"#)];
    const C: &[(&str, &str)] = &[("read_file", r#"{"path":"c"}"#)];

    #[test]
    fn the_same_call_is_noticed_at_three_and_ends_it_at_five() {
        assert_eq!(verdicts(&[A, A_TOO, A, A, A_TOO]), "..nns");
        assert_eq!(verdicts(&[A, B, C, A, C, A]), ".....n");
        let twice: &[(&str, &str)] = &[A[0], A[0], A[0]];
        assert_eq!(verdicts(&[twice, twice, twice]), "..n");
    }

    #[test]
    fn two_steps_in_turn_are_noticed_at_the_second_round() {
        assert_eq!(verdicts(&[A, B, A, B]), "...n");
        assert_eq!(verdicts(&[A, B, A, C]), "....");
    }

    #[test]
    fn thoughts_alone_lead_nowhere() {
        let thoughts: Vec<String> = (0..5).map(|number| format!(r#"{{"observation":"{number}"}}"#)).collect();
        let turns: Vec<[(&str, &str); 1]> = thoughts.iter().map(|thought| [("think", &**thought)]).collect();
        let turns: Vec<&[(&str, &str)]> = turns.iter().map(|turn| &turn[..]).collect();
        assert_eq!(verdicts(&turns), "..nns");
        assert_eq!(verdicts(&[turns[0], turns[1], A, turns[2], turns[3]]), ".....");
    }

    #[test]
    fn silence_ends_it_at_five() {
        assert_eq!(verdicts(&[&[], &[], &[], &[], &[]]), "....s");
        assert_eq!(verdicts(&[&[], &[], &[], &[], A, &[]]), "......");
    }

    #[test]
    fn after_a_compaction_the_same_call_is_new() {
        let mut repetition = Repetition::default();
        let call = call("read_file", r#"{"path":"a"}"#);
        repetition.turn(&[&call], |_| false);
        repetition.turn(&[&call], |_| false);
        repetition.forget_calls();
        assert_eq!(repetition.turn(&[&call], |_| false), Verdict::Fine);
    }
}
