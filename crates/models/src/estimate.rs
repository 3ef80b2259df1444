//! How many tokens a request has, guessed from above.
//!
//! Without the model's own tokenizer the number can only be bounded. The guess follows how byte-pair
//! tokenizers cut: a word is a few tokens; digits, signs and capital letters are one each; letters outside of
//! ASCII cost up to a token for each byte; so do the letters of keys and hashes, which are no words. Prose
//! and code come out up to twice too high, which costs little: a reservation gives back what was not used.

use luminos_core::spend::Tokens;

use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// Small letters of a word that fit into one token.
const LETTERS_PER_TOKEN: u64 = 3;
/// Blanks in a row that fit into one token.
const BLANKS_PER_TOKEN: u64 = 4;
/// What the marks around one message or block cost.
const AROUND_A_BLOCK: u64 = 8;
/// What the marks around one tool cost.
const AROUND_A_TOOL: u64 = 30;
/// What is said before everything else, more if there are tools.
const BEFORE: u64 = 30;
const BEFORE_WITH_TOOLS: u64 = 600;

/// The most tokens that the input of a request has.
pub fn estimate_input(request: &Request) -> Tokens {
    let mut tokens = BEFORE;
    let mut add = |text: &str, around: u64| tokens += estimate_text(text).0 + around;
    request.system.iter().for_each(|text| add(text, AROUND_A_BLOCK));
    for tool in &request.tools {
        add(&tool.name, AROUND_A_TOOL);
        add(&tool.description, 0);
        add(&serde_json::to_string(&tool.schema).unwrap_or_default(), 0);
    }
    if !request.tools.is_empty() {
        add("", BEFORE_WITH_TOOLS);
    }
    if let Some(output) = &request.output {
        add(&output.schema.to_string(), BEFORE_WITH_TOOLS);
    }
    for message in &request.messages {
        add("", AROUND_A_BLOCK);
        match message {
            Message::User(blocks) => blocks.iter().for_each(|block| match block {
                UserBlock::Text(text) => add(text, AROUND_A_BLOCK),
                UserBlock::ToolResult(result) => {
                    add(&result.call_id, AROUND_A_BLOCK);
                    add(&result.text, AROUND_A_BLOCK);
                }
            }),
            Message::Assistant(blocks) => blocks.iter().for_each(|block| match block {
                AssistantBlock::Text(text) => add(text, AROUND_A_BLOCK),
                AssistantBlock::ToolCall(call) => {
                    add(&call.id, AROUND_A_BLOCK);
                    add(&call.name, AROUND_A_BLOCK);
                    add(&call.arguments.to_json(), AROUND_A_BLOCK);
                }
                AssistantBlock::Opaque(block) => add(&block.json.to_string(), AROUND_A_BLOCK),
            }),
        }
    }
    Tokens(tokens)
}

/// The most tokens that a text has.
pub fn estimate_text(text: &str) -> Tokens {
    let [first, second, third, last] = quarters(text.as_bytes());
    let mut counters = [Counter::default(); 4];
    let shortest = first.len().min(second.len()).min(third.len()).min(last.len());
    // Four counters side by side: each step waits for the one before it, but not for its neighbours'.
    for (((first, second), third), last) in first.iter().zip(second).zip(third).zip(last) {
        counters[0].see(*first);
        counters[1].see(*second);
        counters[2].see(*third);
        counters[3].see(*last);
    }
    let mut tokens = 1;
    for (mut counter, quarter) in counters.into_iter().zip([first, second, third, last]) {
        quarter.iter().skip(shortest).for_each(|byte| counter.see(*byte));
        tokens += counter.tokens;
    }
    Tokens(tokens)
}

/// A text in four parts, of about the same length where it can be. Each begins after a byte at which the count begins
/// anew, so that the parts together count what the whole does.
fn quarters(text: &[u8]) -> [&[u8]; 4] {
    let (first, rest) = cut_near(text, text.len() / 4);
    let (second, rest) = cut_near(rest, rest.len() / 3);
    let (third, last) = cut_near(rest, rest.len() / 2);
    [first, second, third, last]
}

fn cut_near(text: &[u8], middle: usize) -> (&[u8], &[u8]) {
    let after = text.get(middle..).unwrap_or_default();
    let other = after.iter().take(MOST_SEARCHED).position(|byte| class(*byte) == Class::Other);
    text.split_at(other.map_or(0, |at| middle + at + 1))
}

/// How far a byte at which the count begins anew is looked for.
const MOST_SEARCHED: usize = 256;

/// Counts the tokens of a text from byte to byte.
#[derive(Clone, Copy, Default)]
struct Counter {
    /// One of `STATES`; the one it begins with is that after a byte of class `Other`.
    state: u8,
    tokens: u64,
}

impl Counter {
    fn see(&mut self, byte: u8) {
        let step = STEPS[usize::from(self.state)][usize::from(byte)];
        self.state = step >> 1;
        self.tokens += u64::from(step & 1);
    }
}

/// For each state and byte, the next state, and in the lowest bit whether that is one token more.
static STEPS: [[u8; 256]; STATES.len()] = steps();

/// What was seen last.
#[derive(Clone, Copy)]
struct Seen {
    class: Class,
    /// How many bytes of the same class stand in a row, this one included, as far as that matters: letters to the number
    /// that fit into one token, blanks likewise, capitals to two.
    run: u64,
    /// Letters that follow a digit are part of a key or a hash until something else comes.
    in_key: bool,
}

const fn seen(class: Class, run: u64, in_key: bool) -> Seen {
    Seen { class, run, in_key }
}

const STATES: [Seen; 17] = [
    seen(Class::Other, 1, false),
    seen(Class::Small, 0, false),
    seen(Class::Small, 1, false),
    seen(Class::Small, 2, false),
    seen(Class::Small, 0, true),
    seen(Class::Small, 1, true),
    seen(Class::Small, 2, true),
    seen(Class::Capital, 1, false),
    seen(Class::Capital, 2, false),
    seen(Class::Capital, 1, true),
    seen(Class::Capital, 2, true),
    seen(Class::Digit, 1, false),
    seen(Class::Digit, 1, true),
    seen(Class::Blank, 0, false),
    seen(Class::Blank, 1, false),
    seen(Class::Blank, 2, false),
    seen(Class::Blank, 3, false),
];

const fn steps() -> [[u8; 256]; STATES.len()] {
    let mut steps = [[0; 256]; STATES.len()];
    let mut state = 0;
    while state < STATES.len() {
        let mut byte = 0;
        while byte < 256 {
            let (next, is_token) = step(STATES[state], class(byte as u8));
            steps[state][byte] = number(next) << 1 | is_token as u8;
            byte += 1;
        }
        state += 1;
    }
    steps
}

/// What follows from a byte of a class, and whether it is one token more.
const fn step(before: Seen, now: Class) -> (Seen, bool) {
    // A capital letter belongs to the word that it begins.
    let begins_word =
        before.run == 1 && matches!(before.class, Class::Capital) && matches!(now, Class::Small);
    let run = if before.class as u8 == now as u8 || begins_word { before.run + 1 } else { 1 };
    let after_digit = matches!(before.class, Class::Digit);
    match now {
        Class::Small => {
            let in_key = before.in_key || after_digit;
            (seen(now, run % LETTERS_PER_TOKEN, in_key), in_key || run % LETTERS_PER_TOKEN == 1)
        }
        Class::Capital => (seen(now, if run == 1 { 1 } else { 2 }, before.in_key || after_digit), true),
        Class::Digit => (seen(now, 1, before.in_key), true),
        Class::Other => (seen(now, 1, false), true),
        // The first blank belongs to the word that follows; more of them are a token for each few.
        Class::Blank => (seen(now, run % BLANKS_PER_TOKEN, false), run % BLANKS_PER_TOKEN == 2),
    }
}

/// The number of a state.
#[expect(clippy::panic, reason = "it can only be met while the table is made, by the compiler")]
const fn number(seen: Seen) -> u8 {
    let mut number = 0;
    while number < STATES.len() {
        let state = STATES[number];
        if state.class as u8 == seen.class as u8 && state.run == seen.run && state.in_key == seen.in_key {
            return number as u8;
        }
        number += 1;
    }
    // Reached while the table is made, if at all: the compiler says so.
    panic!("a state is missing in the table")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Small,
    Capital,
    Digit,
    Blank,
    Other,
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Small,
        b'A'..=b'Z' => Class::Capital,
        b'0'..=b'9' => Class::Digit,
        b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use luminos_core::talk::Pass;
    use proptest::prelude::*;

    /// The rule as it is told, from byte to byte.
    fn told(text: &str) -> u64 {
        let (mut tokens, mut before, mut run, mut in_key) = (1, Class::Other, 0_u64, false);
        for byte in text.bytes() {
            let now = class(byte);
            let joins = now == before || run == 1 && before == Class::Capital && now == Class::Small;
            run = if joins { run + 1 } else { 1 };
            in_key = match now {
                Class::Small | Class::Capital => in_key || before == Class::Digit,
                Class::Digit => in_key,
                Class::Blank | Class::Other => false,
            };
            tokens += u64::from(match now {
                Class::Small => in_key || run % LETTERS_PER_TOKEN == 1,
                Class::Capital | Class::Digit | Class::Other => true,
                Class::Blank => run % BLANKS_PER_TOKEN == 2,
            });
            before = now;
        }
        tokens
    }

    proptest! {
        #[test]
        fn four_counters_count_what_one_does(text in "([a-z]{0,9}|[A-Z]{0,4}|[0-9]{0,3}|[ \n]{0,6}|[.,(ü]){0,60}") {
            prop_assert_eq!(estimate_text(&text).0, told(&text));
            let long = text.repeat(40);
            prop_assert_eq!(estimate_text(&long).0, told(&long));
        }
    }

    /// A text, and how many tokens SmolLM2 makes of it: a small vocabulary, so more than most.
    #[track_caller]
    fn check(text: &str, counted: u64, at_most_times: u64) {
        let Tokens(estimate) = estimate_text(text);
        assert!(counted <= estimate, "{estimate} for {text:?}");
        assert!(estimate <= counted * at_most_times + 2, "{estimate} for {text:?}");
    }

    #[test]
    fn the_guess_is_never_too_low_and_not_much_too_high() {
        check("", 0, 1);
        check("The quick brown fox jumps over the lazy dog.", 10, 2);
        check("fn main() {\n    println!(\"hello\");\n}\n", 14, 2);
        check("internationalization of misunderstandings", 4, 4);
        check("A LOUD HEADLINE ABOUT EVERYTHING IMPORTANT", 15, 3);
        check("        deeply\n\n\n\t\tindented   text", 9, 2);
        check("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 59, 2);
        check("TUlJRXBBSUJBQUtDQVFFQTdhYmNERUZHSElKS0w=", 32, 2);
        check("{\"a\":[1,2,3],\"b\":{\"c\":null}}", 18, 2);
        check("größenwahnsinnig", 9, 2);
        check("数据结构与算法", 10, 3);
        check("🦀🦀🦀", 9, 2);
        check(include_str!("../../../config/models.toml"), 1623, 2);
    }

    #[test]
    fn a_request_counts_all_that_is_sent() {
        let plain = Request::question(Pass::Ask, "word ".repeat(9000), 5);
        let Tokens(estimate) = estimate_input(&plain);
        assert!((9031..20_000).contains(&estimate), "{estimate}");
    }
}
