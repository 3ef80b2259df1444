//! YAML, event by event: aliases are seen as aliases and never expanded.

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::super::NotParsed;
use super::super::outline::Lines;
use super::{Builder, Node, Value};

/// Deepest nesting that is read: below it the parser's own time grows faster than the text.
const MOST_DEEP: usize = 200;

/// Most events of one document.
const MOST_EVENTS: usize = 2_000_000;

/// Reads the first document of a file.
pub(super) fn read(text: &str) -> Result<Option<Node>, NotParsed> {
    let mut builder = Builder::default();
    // For each open collection: whether it is a map, and whether its next scalar is a key.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut last = 1;
    for (count, event) in Parser::new_from_str(text).enumerate() {
        let (event, span) = event.map_err(|error| NotParsed::Malformed {
            what: "YAML with a mistake".to_owned(),
            line: u32::try_from(error.marker().line()).unwrap_or(u32::MAX),
        })?;
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        if MOST_DEEP < open.len() || MOST_EVENTS < count {
            let what = "YAML that is nested too deep or has too many parts".to_owned();
            return Err(NotParsed::Malformed { what, line });
        }
        // A block of text reaches up to the line after it.
        let is_block = matches!(&event, Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..));
        let end = u32::try_from(span.end.line()).unwrap_or(line).saturating_sub(u32::from(is_block));
        match event {
            Event::Scalar(text, style, ..) => {
                last = line;
                match open.last_mut() {
                    Some((true, is_key)) if *is_key => {
                        *is_key = false;
                        builder.key(&text, line);
                        continue;
                    }
                    _ => scalar(&mut builder, &text, style, Lines { first: line, last: end.max(line) }),
                }
                last = last.max(end);
            }
            Event::Alias(_) => {
                last = line;
                if let Some((true, is_key)) = open.last_mut()
                    && *is_key
                {
                    *is_key = false;
                    builder.key("*", line);
                    continue;
                }
                builder.scalar(Value::Null, Lines::one(line));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                let is_map = matches!(event, Event::MappingStart(..));
                if let Some((true, is_key)) = open.last_mut()
                    && *is_key
                {
                    // A collection as a key: its parts are passed over as values of a key without a name.
                    builder.key("?", line);
                }
                if is_map {
                    builder.open_map(line)
                } else {
                    builder.open_list(line)
                }
                open.push((is_map, is_map));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                builder.close(last);
                if let Some((true, is_key)) = open.last_mut()
                    && *is_key
                {
                    // That was a key; its value follows and takes its place.
                    *is_key = false;
                    continue;
                }
            }
            Event::DocumentEnd => break,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) => continue,
        }
        // A value was complete: the next scalar of a map is a key.
        if let Some((is_map, is_key)) = open.last_mut() {
            *is_key = *is_map;
        }
    }
    Ok(builder.finish(last))
}

fn scalar(builder: &mut Builder, text: &str, style: ScalarStyle, lines: Lines) {
    if style != ScalarStyle::Plain {
        builder.text(text, lines);
        return;
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => builder.scalar(Value::Null, lines),
        "true" | "false" | "True" | "False" | "TRUE" | "FALSE" => builder.scalar(Value::Bool, lines),
        // Versions such as `1.20` are worth more as they are written.
        _ => builder.text(text, lines),
    }
}
