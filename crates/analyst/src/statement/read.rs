//! Statements read back from their sentences.

use super::Statement;
use crate::purpose::Purpose;

impl Statement {
    /// The statement that a sentence makes; `None` for other sentences.
    pub(crate) fn read(sentence: &str) -> Option<Self> {
        let (path, rest) = sentence.strip_prefix('`')?.split_once('`')?;
        let path = path.to_owned();
        let rest = rest.strip_prefix(' ')?;
        let quoted = |rest: &str| rest.strip_suffix('”').map(str::to_owned);
        if let Some(rest) = rest.strip_prefix("describes it: “") {
            return Some(Self::Describes { path, words: quoted(rest)? });
        }
        if let Some(rest) = rest.strip_prefix("says of itself: “") {
            return Some(Self::Says { path, words: quoted(rest)? });
        }
        if let Some((of, words)) = rest.strip_prefix("says of `").and_then(|rest| rest.split_once("`: “")) {
            return Some(Self::Tells { path, of: of.to_owned(), words: quoted(words)? });
        }
        if let Some(rest) = rest.strip_prefix("is titled “") {
            return Some(Self::Titled { path, title: quoted(rest)? });
        }
        if let Some(rest) = rest.strip_prefix("explains ") {
            let (name, words) = rest.split_once(": “")?;
            return Some(Self::Explains { path, name: name.to_owned(), words: quoted(words)? });
        }
        let rest = rest.strip_suffix('.')?;
        if let Some((purpose, rest)) = Purpose::ALL
            .into_iter()
            .find_map(|purpose| Some((purpose, rest.strip_prefix(purpose.verb())?.strip_prefix(" with ")?)))
        {
            return Some(Self::Runs { path, purpose, commands: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("requires ") {
            return Some(Self::Requires { path, what: rest.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("is where ") {
            let (name, users) = rest.split_once(" is defined, which ")?;
            let users = users.split(' ').next()?.parse().ok()?;
            return Some(Self::Named { path, name: name.to_owned(), users });
        }
        if let Some(rest) = rest.strip_prefix("refers to ") {
            return Some(Self::Refers { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("names for development ") {
            return Some(Self::Develops { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("is loaded at ") {
            return Some(Self::Loads { path, what: rest.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("opens port ") {
            return Some(Self::Listens { path, ports: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("starts ") {
            return Some(Self::Starting { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("takes from the environment ") {
            return Some(Self::Takes { path, names: codes_in(rest) });
        }
        if let Some(words) = rest.strip_prefix("leads to ") {
            return Some(Self::History { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("shows what the last ") {
            let (commits, rest) = rest.split_once(" commits changed most: ")?;
            let mut pieces = rest.split('`').skip(1);
            let mut files = Vec::new();
            while let (Some(file), Some(after)) = (pieces.next(), pieces.next()) {
                let changes = after.trim_start_matches(" (").split(')').next()?.parse().ok()?;
                files.push((file.to_owned(), changes));
            }
            return Some(Self::Churn { path, commits: commits.parse().ok()?, files });
        }
        if let Some(rest) = rest.strip_prefix("declares the ") {
            let (kind, rest) = rest.split_once(" `")?;
            let (name, rest) = rest.split_once('`')?;
            let version = rest.strip_prefix(", version ").map(str::to_owned);
            return Some(Self::Declares { path, kind: kind.to_owned(), name: name.to_owned(), version });
        }
        if let Some(version) = rest.strip_prefix("names the version ") {
            return Some(Self::Versioned { path, version: version.to_owned() });
        }
        if let Some(name) = rest.strip_prefix("names the licence ") {
            return Some(Self::Licence { path, name: name.to_owned() });
        }
        if let Some(what) = rest.strip_prefix("is an entry point: ") {
            return Some(Self::Starts { path, what: what.trim_matches('`').to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("is a workspace of ") {
            return Some(Self::Members { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("depends on ") {
            return Some(Self::Needs { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("imports ") {
            return Some(Self::Imports { path, names: codes_in(rest) });
        }
        if let Some(words) = rest.strip_prefix("holds ") {
            return Some(Self::Holds { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("covers ") {
            let (from, to) = rest.split_once(" to ")?;
            return Some(Self::Spans { path, from: from.to_owned(), to: to.to_owned() });
        }
        if let Some(words) = rest.strip_prefix("has a catch: ") {
            return Some(Self::Lacks { path, words: words.to_owned() });
        }
        if let Some(rest) = rest.strip_prefix("has the columns ") {
            return Some(Self::Columns { path, names: codes_in(rest) });
        }
        if let Some(rest) = rest.strip_prefix("defines ") {
            let names = rest.split(", ").flat_map(|part| part.split(" and ")).map(str::to_owned);
            return Some(Self::Defines { path, names: names.collect() });
        }
        let (noun, rest) = rest.strip_prefix("has the ")?.split_once(' ')?;
        let names = codes_in(rest);
        let noun = if names.len() == 1 { format!("{noun}s") } else { noun.to_owned() };
        Some(Self::Offers { path, noun, names })
    }
}

fn codes_in(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
