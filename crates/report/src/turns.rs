//! The turns of a run, one on a line.

use luminos_core::spend::Tokens;
use luminos_core::talk::Pass;
use luminos_core::{RelPath, Untrusted};

use crate::measure::number;

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The pass.
    pub pass: Pass,
    /// The directory, where the pass has one.
    pub dir: Option<RelPath>,
    /// Which turn of its conversation.
    pub turn: u32,
    /// The model.
    pub model: String,
    /// What it wanted called.
    pub said: String,
    /// What it used.
    pub tokens: Tokens,
}

/// All turns, numbered from 1.
pub fn text(turns: &[Turn]) -> String {
    if turns.is_empty() {
        return "no model was asked: the run has no turns to repeat\n".to_owned();
    }
    let places: Vec<String> = turns.iter().map(place).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or_default().min(60);
    let digits = turns.len().to_string().len();
    let mut text = String::new();
    for (before, (turn, place)) in turns.iter().zip(&places).enumerate() {
        let said = Untrusted::new(turn.said.as_bytes()).for_terminal();
        let model = Untrusted::new(turn.model.as_bytes()).for_terminal();
        let tokens = number(turn.tokens.0);
        text.push_str(&format!(
            "{:>digits$}  {place:<width$}  turn {:>2}  {tokens:>9} tokens  {model}  {said}\n",
            before + 1,
            turn.turn
        ));
    }
    text
}

fn place(turn: &Turn) -> String {
    match &turn.dir {
        Some(dir) => format!("{} {}", turn.pass.word(), dir.for_terminal()),
        None => turn.pass.word().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_numbered_as_a_fork_names_them() {
        let turn = |pass, dir: Option<&str>, turn, said: &str| Turn {
            pass,
            dir: dir.map(RelPath::from),
            turn,
            model: "openai/small".to_owned(),
            said: said.to_owned(),
            tokens: Tokens(1234),
        };
        let turns = [
            turn(Pass::Survey, None, 1, "submit_survey"),
            turn(Pass::Dir, Some("src/\u{1b}lib"), 12, "read_file, search"),
        ];
        insta::assert_snapshot!(text(&turns), @r"
        1  survey             turn  1      1,234 tokens  openai/small  submit_survey
        2  dir src/\u{1b}lib  turn 12      1,234 tokens  openai/small  read_file, search
        ");
        assert_eq!(text(&[]), "no model was asked: the run has no turns to repeat\n");
    }
}
