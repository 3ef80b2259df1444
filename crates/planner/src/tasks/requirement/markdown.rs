//! As much Markdown as a requirement needs: headings, lists, tables and what is left.
//!
//! Fenced code is text, never structure.

/// A text in lines, with its headings.
pub(super) struct Document<'t> {
    lines: Vec<Line<'t>>,
}

#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    number: usize,
    text: &'t str,
    kind: LineKind<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind<'t> {
    Heading { level: usize, text: &'t str },
    Code,
    Other,
}

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

/// The lines below a heading.
pub(super) struct Section<'d, 't> {
    lines: &'d [Line<'t>],
}

impl<'t> Document<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut fence: Option<&str> = None;
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
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
                (None, None) => heading(trimmed)
                    .map_or(LineKind::Other, |(level, text)| LineKind::Heading { level, text }),
            };
            lines.push(Line { number: index + 1, text, kind });
        }
        Self { lines }
    }

    /// The first section of one of these names that there is. It ends at the next heading that is not deeper; below the
    /// title of the document, at any other section.
    pub(super) fn section(&self, names: &[&str]) -> Option<Section<'_, 't>> {
        let named = |name: &str| {
            self.lines.iter().position(
                |line| matches!(line.kind, LineKind::Heading { text, .. } if plain_heading(text) == name),
            )
        };
        let start = names.iter().find_map(|name| named(name))?;
        let LineKind::Heading { level, .. } = self.lines[start].kind else { return None };
        let boundary = if level == 1 { 2 } else { level };
        let rest = &self.lines[start + 1..];
        let end = rest
            .iter()
            .position(|line| matches!(line.kind, LineKind::Heading { level, .. } if level <= boundary))
            .unwrap_or(rest.len());
        Some(Section { lines: &rest[..end] })
    }

    pub(super) fn has_sections(&self) -> bool {
        let headings = self.lines.iter().filter(|line| matches!(line.kind, LineKind::Heading { .. }));
        1 < headings.count()
    }

    /// The first heading.
    pub(super) fn title(&self) -> Option<String> {
        self.lines.iter().find_map(|line| match line.kind {
            LineKind::Heading { text, .. } => Some(plain_text(text)),
            LineKind::Code | LineKind::Other => None,
        })
    }

    /// The first lines of text that belong together; a list item counts as one.
    pub(super) fn first_paragraph(&self) -> Option<String> {
        let is_text = |line: &&Line<'t>| line.kind == LineKind::Other && !line.text.trim().is_empty();
        let start = self.lines.iter().position(|line| is_text(&line) && !is_rule(line.text))?;
        let first = &self.lines[start];
        if let Some(item) = list_item(first.text) {
            return Some(plain_text(item.text));
        }
        let lines =
            self.lines[start..].iter().take_while(|line| is_text(line) && list_item(line.text).is_none());
        let words: Vec<String> = lines.map(|line| plain_text(line.text)).collect();
        Some(words.join(" ")).filter(|text| !text.is_empty())
    }

    /// All list items of the text.
    pub(super) fn all_items(&self) -> Vec<Item> {
        Section { lines: &self.lines }.items()
    }
}

impl Section<'_, '_> {
    /// All text on its lines, trimmed; deeper headings become plain lines.
    pub(super) fn prose(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.trim_end()).collect();
        let text = lines.join("\n").trim().to_owned();
        if is_empty_word(&text) { String::new() } else { text }
    }

    /// The items of its lists; if it has none, those of its tables.
    pub(super) fn items(&self) -> Vec<Item> {
        let listed: Vec<Item> = self.lines_with_items().into_iter().filter(|item| item.is_listed).collect();
        if !listed.is_empty() {
            return listed.into_iter().filter(|item| !is_empty_word(&item.text)).collect();
        }
        self.tables().iter().flat_map(Table::items).collect()
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
        for line in self.lines {
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
                    let text = plain_text(found.text);
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

struct Listed<'t> {
    text: &'t str,
}

/// The text of a list item: after `-`, `*`, `+`, `1.` or `1)`, and after a checkbox.
fn list_item(line: &str) -> Option<Listed<'_>> {
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

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let text = (1..=6).contains(&level).then(|| text.strip_prefix([' ', '\t'])).flatten()?;
    Some((level, text.trim().trim_end_matches('#').trim()))
}

/// A heading as it is compared: without emphasis, numbers before it, a colon behind it.
fn plain_heading(text: &str) -> String {
    let text = text.trim_matches(['*', '_', ' ']).trim_end_matches(':').trim_matches(['*', '_', ' ']);
    let text = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || ". )".contains(letter));
    text.trim().to_lowercase()
}

/// A line without the marks that only matter on a page.
fn plain_text(text: &str) -> String {
    text.trim().trim_end_matches("  ").replace("**", "").trim().to_owned()
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    3 <= line.len() && line.chars().all(|letter| "-*_= ".contains(letter))
}

/// Words for nothing.
fn is_empty_word(text: &str) -> bool {
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

/// Everything that stands between backticks.
pub(super) fn code_spans(text: &str) -> Vec<String> {
    let spans: Vec<&str> = text.split('`').collect();
    let last = spans.len().saturating_sub(1);
    let inside = spans.iter().enumerate().filter(|(at, _)| at % 2 == 1 && *at < last);
    inside.map(|(_, span)| span.trim().to_owned()).filter(|span| !span.is_empty()).collect()
}
