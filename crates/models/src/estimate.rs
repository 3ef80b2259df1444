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
        add(&serde_json::Value::Object(tool.schema.clone()).to_string(), 0);
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
    let mut tokens = 1;
    let mut before = Class::Other;
    // How many bytes of the same class stand in a row, this one included.
    let mut run = 0_u64;
    // Letters that follow a digit are part of a key or a hash until something else comes.
    let mut in_key = false;
    for byte in text.bytes() {
        let now = class(byte);
        // A capital letter belongs to the word that it begins.
        run = if now == before || run == 1 && (before, now) == (Class::Capital, Class::Small) {
            run + 1
        } else {
            1
        };
        in_key = match now {
            Class::Small | Class::Capital => in_key || before == Class::Digit,
            Class::Digit => in_key,
            Class::Blank | Class::Other => false,
        };
        tokens += u64::from(match now {
            Class::Small => in_key || run % LETTERS_PER_TOKEN == 1,
            Class::Capital | Class::Digit | Class::Other => true,
            // The first blank belongs to the word that follows; more of them are a token for each few.
            Class::Blank => run % BLANKS_PER_TOKEN == 2,
        });
        before = now;
    }
    Tokens(tokens)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Small,
    Capital,
    Digit,
    Blank,
    Other,
}

fn class(byte: u8) -> Class {
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
