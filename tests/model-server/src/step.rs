//! What is done on a connection, in order: the lowest layer of every answer and every fault.
//!
//! A list of steps is a plain value. Everything above decides; `connection` carries out.

use std::time::Duration;

use crate::gate::Gate;

/// One deed on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Send these bytes, and hand them to the network at once.
    Send(Vec<u8>),
    /// Do nothing for a while.
    Pause(Duration),
    /// Do nothing until the gate is open.
    Wait(Gate),
    /// Do nothing until the client leaves.
    Hang,
    /// Send these bytes again and again until the client leaves.
    Endless(Vec<u8>),
    /// Close, the answer being complete.
    Finish,
    /// Close as a program that ends in order does, the answer not being complete.
    Close,
    /// Close so that the client sees a reset.
    Reset,
    /// From here on the prompt of this request can be read from the cache by others.
    Begun,
}

/// Cuts what is sent into pieces that end at these places, counted over all bytes sent.
///
/// Between two pieces there is a pause, which may be zero: then only the other tasks get their turn.
pub fn split_at(steps: Vec<Step>, cuts: &[usize], pause: Duration) -> Vec<Step> {
    let mut cuts: Vec<usize> = cuts.to_vec();
    cuts.sort_unstable();
    let mut sent = 0;
    let mut result = Vec::new();
    for step in steps {
        let Step::Send(bytes) = step else {
            result.push(step);
            continue;
        };
        let inner =
            cuts.iter().map(|cut| cut.saturating_sub(sent)).filter(|cut| (1..bytes.len()).contains(cut));
        let mut inner: Vec<usize> = inner.collect();
        inner.dedup();
        sent += bytes.len();
        let mut from = 0;
        for cut in inner {
            result.push(Step::Send(bytes[from..cut].to_vec()));
            result.push(Step::Pause(pause));
            from = cut;
        }
        result.push(Step::Send(bytes[from..].to_vec()));
    }
    result
}

/// Cuts what is sent into pieces of so many bytes.
pub fn split_every(steps: Vec<Step>, size: usize, pause: Duration) -> Vec<Step> {
    let size = size.max(1);
    let total = bytes_of(&steps).len();
    let cuts: Vec<usize> = (size..total).step_by(size).collect();
    split_at(steps, &cuts, pause)
}

/// All bytes that a list of steps sends, once each.
pub fn bytes_of(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        if let Step::Send(piece) = step {
            bytes.extend_from_slice(piece);
        }
    }
    bytes
}

/// The steps up to this many bytes sent.
pub(crate) fn cut_after(steps: Vec<Step>, limit: usize) -> Vec<Step> {
    let mut left = limit;
    let mut result = Vec::new();
    for step in steps {
        if left == 0 {
            break;
        }
        match step {
            Step::Send(mut bytes) => {
                bytes.truncate(left);
                left -= bytes.len();
                result.push(Step::Send(bytes));
            }
            step @ (Step::Pause(_)
            | Step::Wait(_)
            | Step::Finish
            | Step::Hang
            | Step::Endless(_)
            | Step::Close
            | Step::Reset
            | Step::Begun) => {
                result.push(step);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn send(text: &str) -> Step {
        Step::Send(text.as_bytes().to_vec())
    }

    #[test]
    fn cuts_fall_where_they_were_asked_for() {
        let pause = Step::Pause(Duration::ZERO);
        let steps = vec![send("abcd"), Step::Begun, send("efgh")];
        let expected =
            [send("a"), pause.clone(), send("bcd"), Step::Begun, send("ef"), pause.clone(), send("gh")];
        assert_eq!(split_at(steps.clone(), &[6, 1, 1, 4, 99], Duration::ZERO), expected);
        assert_eq!(cut_after(steps.clone(), 5), [send("abcd"), Step::Begun, send("e")]);
        assert_eq!(cut_after(steps.clone(), 4), [send("abcd")]);
        assert_eq!(cut_after(steps, 0), []);
    }

    proptest! {
        #[test]
        fn splitting_never_changes_the_bytes(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6),
            cuts in prop::collection::vec(0_usize..260, 0..20),
            size in 0_usize..30,
        ) {
            let steps: Vec<Step> = pieces.into_iter().map(Step::Send).collect();
            let whole = bytes_of(&steps);
            prop_assert_eq!(bytes_of(&split_at(steps.clone(), &cuts, Duration::ZERO)), whole.clone());
            prop_assert_eq!(bytes_of(&split_every(steps, size, Duration::ZERO)), whole);
        }
    }
}
