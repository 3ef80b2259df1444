//! A requirement in lines, and which section each line belongs to.
//!
//! Headings begin sections: `# Heading` at any level, a line with `===` or `---` below it, and, for names of sections that
//! are certain, a bold line or a line that ends with a colon. Fenced code is text, never structure.
//!
//! **Guarantee**: every line that says something belongs to exactly one section, or to the text before all of them.

use super::headings::{SectionKind, Standing, meaning, meaning_of_line};
use super::inline::plain_text;
use super::section::{Item, Section, is_rule, list_item};

/// A text in lines, with its headings.
pub(super) struct Document<'t> {
    lines: Vec<(Line<'t>, Owner)>,
    unknown: Vec<Unknown>,
}

/// A line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) text: &'t str,
    pub(super) kind: LineKind<'t>,
    pub(super) place: Place,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind<'t> {
    Heading { level: usize, text: &'t str },
    Code,
    Other,
}

/// Where a line of a section stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the heading that begins the section, or that begins it again.
    Start,
    /// It stands below one.
    Below,
}

/// What a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The text before all sections, that below the title included.
    Opening,
    Section(SectionKind),
    /// A heading that means no section, by its number.
    Unknown(usize),
}

/// A heading whose words mean no section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unknown {
    /// Its text.
    pub(super) heading: String,
    /// Its line, counted from 1.
    pub(super) line: usize,
}

/// The level of a heading that is written as bold text or with a colon: deeper than any other.
const LINE_LEVEL: usize = 7;

impl<'t> Document<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut document = Self { lines: Vec::new(), unknown: Vec::new() };
        document.assign(lines(text.trim_start_matches('\u{feff}')));
        document
    }

    /// Says of each line what it belongs to. A heading that means nothing by itself belongs to the section above it.
    fn assign(&mut self, lines: Vec<Line<'t>>) {
        let level_of = |line: &Line<'_>| match line.kind {
            LineKind::Heading { level, .. } => Some(level),
            LineKind::Code | LineKind::Other => None,
        };
        let tops = lines.iter().filter(|line| level_of(line) == Some(1)).count();
        let mut above: Vec<(usize, Owner)> = Vec::new();
        let mut has_heading = false;
        for mut line in lines {
            let LineKind::Heading { level, text } = line.kind else {
                let owner = above.last().map_or(Owner::Opening, |(_, owner)| *owner);
                self.lines.push((line, owner));
                continue;
            };
            above.retain(|(other, _)| *other < level);
            // Below the one heading of the first level, which is the title, the second level begins anew.
            let parent = above.last().filter(|(other, _)| !(*other == 1 && level == 2 && tops == 1));
            let inherited =
                parent.map(|(_, owner)| *owner).filter(|owner| matches!(owner, Owner::Section(_)));
            let standing = if inherited.is_some() { Standing::Nested } else { Standing::Free };
            let is_title = !has_heading && level == 1 && tops == 1;
            let owner = match (meaning(text, standing), inherited) {
                (Some(section), _) => Owner::Section(section),
                (None, Some(owner)) => owner,
                (None, None) if is_title => Owner::Opening,
                (None, None) => {
                    self.unknown.push(Unknown { heading: plain_text(text), line: line.number });
                    Owner::Unknown(self.unknown.len() - 1)
                }
            };
            if inherited != Some(owner) || meaning(text, standing).is_some() {
                line.place = Place::Start;
            }
            has_heading = true;
            above.push((level, owner));
            self.lines.push((line, owner));
        }
    }

    /// What stands below all headings of a kind; `None` if there is no such heading.
    pub(super) fn section(&self, kind: SectionKind) -> Option<Section<'t>> {
        self.owned_by(Owner::Section(kind))
    }

    /// What stands behind the name of a section and a colon on one line, such as `Allowed paths: src/**`: the names of the kinds
    /// that are asked for, with the line.
    pub(super) fn labelled(&self, kind: SectionKind) -> Vec<(usize, &'t str)> {
        let labelled = |line: &Line<'t>| {
            let text = match line.kind {
                LineKind::Heading { text, .. } => text,
                LineKind::Other => list_item(line.text).map_or(line.text.trim(), |item| item.text),
                LineKind::Code => return None,
            };
            let (name, rest) = text.split_once(':').or_else(|| text.split_once('：'))?;
            let rest = rest.trim_start_matches("**").trim();
            (meaning_of_line(name) == Some(kind) && !rest.is_empty()).then_some((line.number, rest))
        };
        self.lines.iter().filter_map(|(line, _)| labelled(line)).collect()
    }

    /// The text before all sections.
    pub(super) fn opening(&self) -> Section<'t> {
        let mut section = self.owned_by(Owner::Opening).unwrap_or_else(|| Section { lines: Vec::new() });
        section.lines.retain(|line| !matches!(line.kind, LineKind::Heading { .. }));
        section
    }

    /// The headings that mean no section, and what stands below each.
    pub(super) fn unknown(&self) -> Vec<(&Unknown, Section<'t>)> {
        let section = |(number, unknown)| Some((unknown, self.owned_by(Owner::Unknown(number))?));
        self.unknown.iter().enumerate().filter_map(section).collect()
    }

    fn owned_by(&self, owner: Owner) -> Option<Section<'t>> {
        let lines = self.lines.iter().filter(|(_, own)| *own == owner).map(|(line, _)| *line);
        Some(Section { lines: lines.collect() }).filter(|section| !section.lines.is_empty())
    }

    /// Whether the text has no more headings than a title.
    pub(super) fn is_free_text(&self) -> bool {
        let is_heading = |line: &Line<'_>| matches!(line.kind, LineKind::Heading { .. });
        self.lines.iter().filter(|(line, _)| is_heading(line)).count() <= 1
    }

    /// The first heading, if it is no name of a section.
    pub(super) fn title(&self) -> Option<String> {
        let (line, owner) =
            self.lines.iter().find(|(line, _)| matches!(line.kind, LineKind::Heading { .. }))?;
        match (line.kind, owner) {
            (LineKind::Heading { text, .. }, Owner::Opening | Owner::Unknown(_)) => {
                Some(plain_text(text)).filter(|text| !text.is_empty())
            }
            (LineKind::Heading { .. } | LineKind::Code | LineKind::Other, _) => None,
        }
    }

    /// The first lines of text that belong together, wherever they stand; a list item counts as one.
    pub(super) fn first_paragraph(&self) -> Option<String> {
        let all = Section { lines: self.lines.iter().map(|(line, _)| *line).collect() };
        all.first_paragraph().map(|(text, _)| text)
    }

    /// Every list item of the text.
    pub(super) fn all_items(&self) -> Vec<Item> {
        Section { lines: self.lines.iter().map(|(line, _)| *line).collect() }.listed()
    }
}

/// The lines of a text. Which of them begin a section again is found out later.
fn lines(text: &str) -> Vec<Line<'_>> {
    let all: Vec<&str> = text.lines().collect();
    let mut fence: Option<&str> = None;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, text) in all.iter().copied().enumerate() {
        let trimmed = text.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        let kind = match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                LineKind::Code
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                LineKind::Code
            }
            (Some(_), _) => LineKind::Code,
            (None, None) => {
                let before = index.checked_sub(1).and_then(|at| all.get(at)).copied().unwrap_or_default();
                heading(trimmed, before, all.get(index + 1).copied().unwrap_or_default())
                    .map_or(LineKind::Other, |(level, text)| LineKind::Heading { level, text })
            }
        };
        // The marks below a heading are no text.
        let is_underline = setext_level(text).is_some()
            && matches!(lines.last(), Some(Line { kind: LineKind::Heading { text: above, .. }, text, .. })
                if text.trim() == *above);
        if !is_underline || kind == LineKind::Code {
            lines.push(Line { number: index + 1, text, kind, place: Place::Below });
        }
    }
    lines
}

/// A line as a heading, by its marks, by the line below it, or by its words.
fn heading<'t>(line: &'t str, before: &str, after: &str) -> Option<(usize, &'t str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if 0 < level {
        let text = (1..=6).contains(&level).then(|| text.strip_prefix([' ', '\t'])).flatten()?;
        return Some((level, text.trim().trim_end_matches('#').trim()));
    }
    let line = line.trim();
    if line.is_empty() || list_item(line).is_some() || line.starts_with(['|', '>']) || is_rule(line) {
        return None;
    }
    if let Some(level) = setext_level(after).filter(|_| before.trim().is_empty()) {
        return Some((level, line));
    }
    let is_bold = line.trim_end_matches(':').starts_with("**") && line.trim_end_matches(':').ends_with("**");
    let is_marked = is_bold || line.ends_with([':', '：']);
    (is_marked && meaning_of_line(line).is_some()).then_some((LINE_LEVEL, line))
}

/// The level that a line of `===` or `---` gives to the line above it.
fn setext_level(line: &str) -> Option<usize> {
    let line = line.trim_end();
    let all = |mark: char| 3 <= line.len() && line.chars().all(|letter| letter == mark);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}
