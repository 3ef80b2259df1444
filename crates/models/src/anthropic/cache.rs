//! Where the prompt is cut for the cache.
//!
//! Up to four places: the tools, which change least; the system prompt; the end of the conversation, which
//! moves with it; and, when the last turn was long, the end that the call before had. A place is found again
//! only within twenty blocks, so without the last one a turn with many tool calls would lose the cache.

/// More blocks than this in one turn need a place of their own. The server looks back over twenty.
const LONG_TURN_BLOCKS: usize = 15;

/// A block after which the prompt is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    LastTool,
    LastSystem,
    /// The last block of this message.
    EndOfMessage(usize),
}

/// The places for a prompt of so many tools, system blocks and, by message, conversation blocks.
pub(super) fn breakpoints(tools: usize, system: usize, messages: &[usize]) -> Vec<Place> {
    let mut places = Vec::new();
    if 0 < tools {
        places.push(Place::LastTool);
    }
    if 0 < system {
        places.push(Place::LastSystem);
    }
    let Some(last) = messages.len().checked_sub(1) else { return places };
    // The call before ended two messages earlier: before the model's turn and its results.
    if let Some(before) = last.checked_sub(2)
        && LONG_TURN_BLOCKS < messages[before + 1..].iter().sum()
    {
        places.push(Place::EndOfMessage(before));
    }
    places.push(Place::EndOfMessage(last));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tools: usize, system: usize, messages: &[usize], expected: &[Place]) {
        assert_eq!(breakpoints(tools, system, messages), expected);
    }

    #[test]
    fn the_stable_beginning_and_the_moving_end_are_kept() {
        check(0, 0, &[], &[]);
        check(0, 0, &[1], &[Place::EndOfMessage(0)]);
        check(9, 2, &[1, 2, 2], &[Place::LastTool, Place::LastSystem, Place::EndOfMessage(2)]);
    }

    #[test]
    fn a_long_turn_has_the_end_of_the_call_before_as_well() {
        let expected = [Place::LastTool, Place::LastSystem, Place::EndOfMessage(0), Place::EndOfMessage(2)];
        check(9, 1, &[1, 10, 10], &expected);
        check(9, 1, &[1, 8, 7], &[Place::LastTool, Place::LastSystem, Place::EndOfMessage(2)]);
    }
}
