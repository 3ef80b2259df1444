//! What stands below the headings of one kind: text, lists and tables.

use super::inline::plain_text;
use super::markdown::{Line, LineKind, Place};

/// Something that a section lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// What it says, on one line.
    pub(super) text: String,
    /// Where it begins, counted from 1.
    pub(super) line: usize,
    /// Whether it stands in a list.
    pub(super) is_listed: bool,
}

/// The lines below all headings of one kind, in the order of the text.
pub(super) struct Section<'t> {
    pub(super) lines: Vec<Line<'t>>,
}

/// A section as a list, and what of it is none.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Its items, each on one line.
    pub(super) items: Vec<Item>,
    /// What else it says.
    pub(super) rest: String,
}

impl Section<'_> {
    /// All text on its lines, trimmed; deeper headings become plain lines, and a blank line stands between its parts.
    pub(super) fn prose(&self) -> String {
        let lines: Vec<&str> = self
            .lines
            .iter()
            .map(|line| if line.place == Place::Start { "" } else { line.text.trim_end() })
            .collect();
        let text = lines.join("\n").trim().to_owned();
        if is_empty_word(&text) { String::new() } else { text }
    }

    /// The items of its lists, else those of its tables, else its paragraphs.
    pub(super) fn listing(&self) -> Listing {
        let (listed, others): (Vec<Item>, Vec<Item>) =
            self.lines_with_items().into_iter().partition(|item| item.is_listed);
        let says_something = |item: &Item| !is_empty_word(&item.text);
        if !listed.is_empty() {
            let items = listed.into_iter().filter(says_something).collect();
            return Listing { items, rest: joined(others.iter()) };
        }
        let rows: Vec<Item> = self.tables().iter().flat_map(Table::items).collect();
        if !rows.is_empty() {
            let rest = joined(others.iter().filter(|item| !item.text.starts_with('|')));
            return Listing { items: rows, rest };
        }
        let mut paragraphs: Vec<Item> = Vec::new();
        let mut last = 0;
        for item in others {
            match paragraphs.last_mut() {
                Some(paragraph) if last + 1 == item.line => {
                    paragraph.text.push(' ');
                    paragraph.text.push_str(&item.text);
                    last = item.line;
                }
                Some(_) | None => {
                    last = item.line;
                    paragraphs.push(item);
                }
            }
        }
        Listing { items: paragraphs.into_iter().filter(says_something).collect(), rest: String::new() }
    }

    /// The items of its lists, else those of its tables.
    pub(super) fn listed(&self) -> Vec<Item> {
        let listed = self.list_items();
        if listed.is_empty() { self.tables().iter().flat_map(Table::items).collect() } else { listed }
    }

    /// The items of its lists.
    pub(super) fn list_items(&self) -> Vec<Item> {
        let items = self.lines_with_items().into_iter();
        items.filter(|item| item.is_listed && !is_empty_word(&item.text)).collect()
    }

    /// The first lines of text that belong together, and the numbers of the first and the last of them; a list item counts as
    /// one.
    pub(super) fn first_paragraph(&self) -> Option<(String, (usize, usize))> {
        let is_text = |line: &&Line<'_>| line.kind == LineKind::Other && !line.text.trim().is_empty();
        let start = self.lines.iter().position(|line| is_text(&line) && !is_rule(line.text))?;
        let first = &self.lines[start];
        if let Some(item) = list_item(first.text) {
            return Some((plain_text(item.text), (first.number, first.number)));
        }
        let lines: Vec<&Line<'_>> = self.lines[start..]
            .iter()
            .take_while(|line| is_text(line) && list_item(line.text).is_none())
            .collect();
        let words: Vec<String> = lines.iter().map(|line| plain_text(line.text)).collect();
        let last = lines.last().map_or(first.number, |line| line.number);
        Some((words.join(" "), (first.number, last))).filter(|(text, _)| !text.is_empty())
    }

    /// The section without some of its lines.
    pub(super) fn without(mut self, (first, last): (usize, usize)) -> Self {
        self.lines.retain(|line| !(first..=last).contains(&line.number));
        self
    }

    /// Its tables: a row followed by a rule begins one.
    fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        let others: Vec<&Line<'_>> = self.lines.iter().filter(|line| line.kind == LineKind::Other).collect();
        for (at, line) in others.iter().enumerate() {
            let Some(cells) = cells(line.text) else { continue };
            let is_heading = others.get(at + 1).is_some_and(|next| is_table_rule(next.text));
            match tables.last_mut() {
                Some(table) if !is_heading => table.rows.push((line.number, cells)),
                Some(_) | None => tables.push(Table { heading: cells, rows: Vec::new() }),
            }
        }
        tables
    }

    /// Its lines; an item of a list with the lines that go on, and with what is listed below it, is one.
    pub(super) fn lines_with_items(&self) -> Vec<Item> {
        let mut items: Vec<(Item, usize)> = Vec::new();
        // The deeper heading that the lines stand below: it says what its items are about.
        let mut about = String::new();
        for line in &self.lines {
            match (line.place, line.kind) {
                (Place::Start, _) => about.clear(),
                (Place::Below, LineKind::Heading { text, .. }) => {
                    about = plain_text(text);
                    about.push_str(if about.is_empty() { "" } else { ": " });
                }
                (Place::Below, LineKind::Code | LineKind::Other) => {}
            }
            if matches!(line.kind, LineKind::Heading { .. }) || line.text.trim().is_empty() {
                continue;
            }
            let indent = line.text.len() - line.text.trim_start().len();
            let listed = if line.kind == LineKind::Code { None } else { list_item(line.text) };
            match (listed, items.last_mut()) {
                // Deeper items and lines that go on belong to the item above.
                (Some(found), Some((item, above))) if item.is_listed && *above + 1 < indent => {
                    item.text.push_str("; ");
                    item.text.push_str(&plain_text(found.text));
                }
                (None, Some((item, above))) if item.is_listed && *above < indent => {
                    item.text.push(' ');
                    item.text.push_str(&plain_text(line.text));
                }
                (Some(found), _) => {
                    let text = format!("{about}{}", plain_text(found.text));
                    items.push((Item { text, line: line.number, is_listed: true }, indent));
                }
                (None, _) => {
                    let text = plain_text(line.text);
                    items.push((Item { text, line: line.number, is_listed: false }, indent));
                }
            }
        }
        items.into_iter().map(|(item, _)| item).collect()
    }

    /// The rows of its tables, the one above the rule included, with their lines.
    pub(super) fn rows(&self) -> Vec<(usize, Vec<String>)> {
        let others = self.lines.iter().filter(|line| line.kind == LineKind::Other);
        others.filter_map(|line| cells(line.text).map(|cells| (line.number, cells))).collect()
    }
}

/// Lines of text, one below the other.
fn joined<'i>(items: impl Iterator<Item = &'i Item>) -> String {
    let text = items.map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n");
    if is_empty_word(&text) { String::new() } else { text }
}

struct Table {
    heading: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

impl Table {
    /// Its rows as items: the column that says most, a name before it, and what else a row says in brackets. Mere numbers of
    /// rows are left out.
    fn items(&self) -> Vec<Item> {
        let columns = self.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
        let cell = |cells: &[String], column: usize| cells.get(column).cloned().unwrap_or_default();
        let length = |column: &usize| -> usize {
            self.rows.iter().map(|(_, cells)| cells.get(*column).map_or(0, |cell| cell.chars().count())).sum()
        };
        // Of two columns that say the same amount, the first counts.
        let Some(main) = (0..columns).rev().max_by_key(length) else { return Vec::new() };
        let is_number =
            |text: &str| text.trim_matches(['#', '.', ')']).chars().all(|letter| letter.is_ascii_digit());
        let item = |(line, cells): &(usize, Vec<String>)| {
            let mut text = cell(cells, main);
            let mut besides = Vec::new();
            for column in (0..columns).filter(|column| *column != main) {
                let (said, heading) = (cell(cells, column), cell(&self.heading, column));
                if said.is_empty() || is_number(&said) {
                    continue;
                }
                if column < main && !said.contains(' ') && !said.contains('/') {
                    text = format!("{said}: {text}");
                } else if heading.is_empty() {
                    besides.push(said);
                } else {
                    besides.push(format!("{heading}: {said}"));
                }
            }
            if !besides.is_empty() {
                text.push_str(&format!(" ({})", besides.join("; ")));
            }
            Item { text, line: *line, is_listed: true }
        };
        self.rows.iter().map(item).filter(|item| !is_empty_word(&item.text)).collect()
    }
}

pub(super) struct Listed<'t> {
    pub(super) text: &'t str,
}

/// The text of a list item: after `-`, `*`, `+`, `1.` or `1)`, and after a checkbox.
pub(super) fn list_item(line: &str) -> Option<Listed<'_>> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = match line.chars().next()? {
        '-' | '*' | '+' | '•' => line.trim_start_matches(['-', '*', '+', '•']),
        _ if 0 < digits && digits < 4 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    // More than one mark is a rule or emphasis, not an item.
    if line.len() - rest.len() != 1 && digits == 0 && !line.starts_with('•') {
        return None;
    }
    let text = rest.strip_prefix([' ', '\t'])?.trim();
    let text = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    (!text.is_empty() && text != "[ ]").then_some(Listed { text: text.trim() })
}

pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    3 <= line.len() && line.chars().all(|letter| "-*_= ".contains(letter))
}

/// Words for nothing.
pub(super) fn is_empty_word(text: &str) -> bool {
    let word = text.trim().trim_matches(['(', ')', '.', '-']).to_lowercase();
    matches!(word.as_str(), "" | "none" | "n/a" | "tbd" | "todo")
}

fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.chars().all(|letter| "|-: \t".contains(letter))
}

/// The cells of a table's row; `None` for other lines and for the rule below the heading.
fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    let inner = line.strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    if is_table_rule(line) {
        return None;
    }
    let mut cells = vec![String::new()];
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, cells.last_mut()) {
            ('\\', Some(cell)) if letters.peek() == Some(&'|') => {
                letters.next();
                cell.push('|');
            }
            ('|', _) => cells.push(String::new()),
            (letter, Some(cell)) => cell.push(letter),
            (_, None) => {}
        }
    }
    Some(cells.iter().map(|cell| plain_text(cell)).collect())
}
