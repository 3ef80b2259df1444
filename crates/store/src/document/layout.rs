//! How documents are laid out: for people as far as they would read, without blanks below that.
//!
//! A third of a large report would be indentation. So what lies deep stands in one line: a claim with its evidence, say.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// What lies deeper than so many brackets does not begin a line.
const DEEPEST: usize = 4;

/// A document's text.
pub(super) fn to_vec(body: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1 << 10);
    let mut serializer = Serializer::with_formatter(&mut bytes, Layout::default());
    body.serialize(&mut serializer)?;
    Ok(bytes)
}

#[derive(Default)]
struct Layout {
    /// How many brackets are open.
    depth: usize,
    /// Whether anything stands in the innermost.
    has_value: bool,
}

impl Layout {
    fn open(&mut self, writer: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn close(&mut self, writer: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        let begins_line = self.has_value && self.depth <= DEEPEST;
        self.depth = self.depth.saturating_sub(1);
        if begins_line {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }

    /// What stands before an element or a name.
    fn begin(&self, writer: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        match (self.depth <= DEEPEST, is_first) {
            (true, true) => self.line(writer),
            (true, false) => writer.write_all(b",").and_then(|()| self.line(writer)),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(b", "),
        }
    }

    fn line(&self, writer: &mut (impl Write + ?Sized)) -> io::Result<()> {
        const BLANKS: &[u8] = b"\n        ";
        // No deeper than `DEEPEST` brackets, two blanks each.
        writer.write_all(BLANKS.get(..1 + 2 * self.depth).unwrap_or(BLANKS))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_people_read_has_lines_and_what_lies_deep_is_one() {
        let document =
            json!({"a": 1, "empty": {}, "none": [], "b": [{"c": [{"d": [1, {"e": "x"}], "f": {}}, 2]}]});
        let text = String::from_utf8(to_vec(&document).unwrap()).unwrap();
        let expected = "{\n  \"a\": 1,\n  \"empty\": {},\n  \"none\": [],\n  \"b\": [\n    {\n      \"c\": [\n        {\"d\": [1, {\"e\": \"x\"}], \"f\": {}},\n        2\n      ]\n    }\n  ]\n}";
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
    }
}
