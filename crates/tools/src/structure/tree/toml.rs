//! TOML.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::outline::Lines;
use super::super::{Limits, NotParsed};
use super::{Builder, LineStarts, Node, Value};

/// Largest document: the reader keeps all of it in memory, and its time grows faster than its size.
const MOST_BYTES: usize = 2 << 20;

/// Most parts of one key: each is a table inside a table.
const MOST_DOTS: usize = 64;

/// Reads a document.
pub(super) fn read(text: &str, limits: &Limits) -> Result<Option<Node>, NotParsed> {
    let most = MOST_BYTES.min(limits.data_bytes);
    if most < text.len() {
        return Err(NotParsed::TooLarge { size: text.len(), most });
    }
    if let Some((row, _)) = text.lines().enumerate().find(|(_, line)| is_abyss(line)) {
        let line = u32::try_from(row + 1).unwrap_or(u32::MAX);
        return Err(NotParsed::Malformed { what: "TOML with a key of too many parts".to_owned(), line });
    }
    let starts = LineStarts::new(text);
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| starts.line(span.start));
        NotParsed::Malformed { what: "TOML with a mistake".to_owned(), line }
    })?;
    let mut builder = Builder::default();
    write(&mut builder, &starts, table.get_ref());
    Ok(builder.finish(starts.line(text.len().saturating_sub(1))))
}

/// Whether a line begins with more dots than a key may have.
fn is_abyss(line: &str) -> bool {
    let before = line.split('=').next().unwrap_or(line);
    MOST_DOTS < memchr::memchr_iter(b'.', before.as_bytes()).take(MOST_DOTS + 1).count()
}

/// What is still to be written: values are handed on without recursion.
enum Todo<'t, 'i> {
    Value(&'t Spanned<DeValue<'i>>),
    Entry(&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>),
    Close(u32),
}

fn write(builder: &mut Builder, starts: &LineStarts, table: &DeTable<'_>) {
    builder.open_map(1);
    let mut todo: Vec<Todo<'_, '_>> = in_order(table);
    while let Some(next) = todo.pop() {
        let value = match next {
            Todo::Close(line) => {
                builder.close(line);
                continue;
            }
            Todo::Entry(key, value) => {
                builder.key(key.get_ref(), starts.line(key.span().start));
                value
            }
            Todo::Value(value) => value,
        };
        let span = value.span();
        let lines = Lines {
            first: starts.line(span.start),
            last: starts.line(span.end.saturating_sub(1).max(span.start)),
        };
        match value.get_ref() {
            DeValue::String(text) => builder.text(text, lines),
            DeValue::Integer(_) | DeValue::Float(_) => builder.scalar(Value::Number, lines),
            DeValue::Boolean(_) => builder.scalar(Value::Bool, lines),
            DeValue::Datetime(moment) => builder.scalar(Value::Moment(moment.to_string()), lines),
            DeValue::Array(items) => {
                builder.open_list(lines.first);
                todo.push(Todo::Close(lines.last));
                todo.extend(items.iter().rev().map(Todo::Value));
            }
            DeValue::Table(table) => {
                builder.open_map(lines.first);
                todo.push(Todo::Close(lines.last));
                todo.extend(in_order(table));
            }
        }
    }
}

/// The entries of a table by their place, last first: the crate keeps them by name.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Todo<'t, 'i>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| std::cmp::Reverse(key.span().start));
    entries.into_iter().map(|(key, value)| Todo::Entry(key, value)).collect()
}
