//! Orders in what is only data: how a mind that can be talked into things finds them.

/// Something a text tells its reader to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    Read(String),
    Run(Vec<String>),
}

/// Whether a line, in lower case, talks to its reader as if it were in command.
pub(super) fn is_order(line: &str) -> bool {
    const MARKS: [&str; 6] =
        ["system:", "ignore previous", "ignore all", "ignore your", "new instructions", "you must now"];
    MARKS.iter().any(|mark| line.contains(mark))
}

/// The orders in a text that can be carried out.
pub(super) fn find(text: &str) -> Vec<Order> {
    text.lines().filter(|line| is_order(&line.to_lowercase())).filter_map(order).collect()
}

fn order(line: &str) -> Option<Order> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| matches!(word.to_lowercase().as_str(), "read" | "open" | "run"))?;
    let clean = |word: &&str| word.trim_matches(['`', '"', '\'', ',', ';']).to_owned();
    if words[at].eq_ignore_ascii_case("run") {
        let argv: Vec<String> = words[at + 1..].iter().map(clean).collect();
        return (!argv.is_empty()).then_some(Order::Run(argv));
    }
    let path = words[at + 1..].iter().map(clean).find(|word| word.contains(['/', '.']))?;
    Some(Order::Read(path.trim_end_matches('.').to_owned()))
}
