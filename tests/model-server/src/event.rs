//! Server-sent events: what is in one, and how it looks as bytes.

/// How lines end in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// `\n`, as the services send it.
    #[default]
    Lf,
    /// `\r\n`.
    CrLf,
    /// `\r`.
    Cr,
}

impl LineEnd {
    fn bytes(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// What stands behind `event:`; chat completions have none.
    pub(crate) name: Option<String>,
    /// What stands behind `data:`, possibly in several lines.
    pub(crate) data: String,
    /// A comment line before it.
    pub(crate) comment: Option<String>,
}

impl Event {
    pub(crate) fn named(name: impl Into<String>, data: impl Into<String>) -> Event {
        Event { name: Some(name.into()), data: data.into(), comment: None }
    }

    pub(crate) fn unnamed(data: impl Into<String>) -> Event {
        Event { name: None, data: data.into(), comment: None }
    }

    /// The event as it goes over the wire, its empty line included.
    pub(crate) fn to_bytes(&self, end: LineEnd) -> Vec<u8> {
        let end = end.bytes();
        let mut text = String::with_capacity(self.data.len() + 64);
        let comment = self.comment.iter().map(|comment| format!(": {comment}"));
        let name = self.name.iter().map(|name| format!("event: {name}"));
        let data = self.data.split('\n').map(|line| format!("data: {line}"));
        for line in comment.chain(name).chain(data) {
            text.push_str(&line);
            text.push_str(end);
        }
        text.push_str(end);
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(event: &Event, end: LineEnd, expected: &str) {
        assert_eq!(String::from_utf8(event.to_bytes(end)).unwrap(), expected);
    }

    #[test]
    fn an_event_has_name_data_and_an_empty_line() {
        let ping = Event::named("ping", r#"{"type":"ping"}"#);
        check(&ping, LineEnd::Lf, "event: ping\ndata: {\"type\":\"ping\"}\n\n");
        check(&ping, LineEnd::CrLf, "event: ping\r\ndata: {\"type\":\"ping\"}\r\n\r\n");
        check(&ping, LineEnd::Cr, "event: ping\rdata: {\"type\":\"ping\"}\r\r");
        check(&Event::unnamed("[DONE]"), LineEnd::Lf, "data: [DONE]\n\n");
        let commented = Event { comment: Some("alive".to_owned()), ..Event::unnamed("a\nb") };
        check(&commented, LineEnd::Lf, ": alive\ndata: a\ndata: b\n\n");
    }
}
