//! Where the words of a goal stand in a file.

use super::Mention;
use super::relevance::Goal;
use crate::evolve::clip::clip_line;
use crate::evolve::git::inert;

/// Longer lines are data, not code.
const LONGEST_LINE: usize = 400;

impl Goal {
    /// What a file says about the goal, if anything.
    pub(crate) fn mention(&self, text: &str) -> Option<Mention> {
        if !self.may_match(&text.to_ascii_lowercase()) {
            return None;
        }
        let mut mention = Mention::default();
        for (index, line) in text.lines().enumerate() {
            if LONGEST_LINE < line.len() || !self.may_match(&line.to_ascii_lowercase()) {
                continue;
            }
            let words = self.written_in(line);
            if mention.on_line.len() < words.len() {
                mention.line = index + 1;
                mention.quote = clip_line(&inert(bare(line).as_bytes()), 120);
                mention.on_line.clone_from(&words);
            }
            for word in words {
                if !mention.words.contains(&word) {
                    mention.words.push(word);
                }
            }
        }
        (!mention.words.is_empty()).then_some(mention)
    }
}

/// A line without the marks that make it a comment or the start of a text.
fn bare(line: &str) -> &str {
    let marks = |letter: char| letter.is_whitespace() || "/#*-!\"'%;".contains(letter);
    let bare = line
        .trim_start_matches(marks)
        .trim_end_matches(|letter: char| letter.is_whitespace() || letter == '"');
    if bare.is_empty() { line.trim() } else { bare }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::offline::Facts;

    #[test]
    fn the_line_with_the_most_words_speaks_for_a_file() {
        let goal = Goal::new("Start the development server faster");
        let text = "def start():\n    # the server\n    \"\"\"Run a local development server.\"\"\"\n";
        let mention = goal.mention(text).unwrap();
        assert_eq!(mention.words, ["start", "server", "development"]);
        assert_eq!((mention.line, mention.on_line.len()), (3, 2));
        assert_eq!(mention.quote, "Run a local development server.");
        assert_eq!(goal.mention("nothing of it"), None);
    }

    #[test]
    fn what_a_file_says_counts_beside_its_name() {
        let files = ["src/cli.py", "src/app.py", "src/views.py"].map(str::to_owned).to_vec();
        let goal = Goal::new("Start the development server faster");
        let mut facts = Facts { files, ..Facts::default() };
        let mut learn = |path: &str, text: &str| {
            facts.mentions.extend(goal.mention(text).map(|mention| (path.to_owned(), mention)));
        };
        learn("src/cli.py", "Run a local development server.\n");
        learn("src/app.py", "start here\n");
        let ranked = goal.weighed(&facts).rank(&facts);
        let paths: Vec<&str> = ranked.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["src/cli.py"]);
        assert_eq!(ranked[0].says, Some((1, "Run a local development server.".to_owned())));
    }
}
