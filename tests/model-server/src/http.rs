//! Just enough HTTP/1.1 to receive requests and to write the head of an answer.
//!
//! Own code rather than a library: faults need exact bytes on the wire, split anywhere and cut anywhere.

use std::fmt::Write as _;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The largest head of a request.
const MOST_HEAD: usize = 64 * 1024;

/// The largest body of a request, as on the real service.
pub(crate) const MOST_BODY: usize = 32 * 1024 * 1024;

/// A request as it was received.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// `POST` or another word.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Names in lower case, in the order of their coming.
    pub headers: Vec<(String, String)>,
    /// The body without its framing.
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON, `Null` if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The path without its query.
    pub fn route(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    pub(crate) fn wants_close(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// Why no request could be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// Between two requests: the ordinary end of a connection.
    #[error("the client left")]
    Left,
    #[error("the connection failed")]
    Io(#[from] std::io::Error),
    #[error("not a request of HTTP/1.1: {0}")]
    Malformed(&'static str),
    #[error("the body is larger than {MOST_BODY} bytes")]
    TooLarge(Request),
}

/// Reads one request. Bytes that belong to the next one stay in the buffer.
pub(crate) async fn read_request<R: AsyncRead + Unpin>(
    reader: &mut R,
    buffer: &mut Vec<u8>,
) -> Result<Request, Broken> {
    let end = loop {
        if let Some(end) = find(buffer, b"\r\n\r\n") {
            break end;
        }
        if MOST_HEAD < buffer.len() {
            return Err(Broken::Malformed("the head is too long"));
        }
        if reader.read_buf(buffer).await? == 0 {
            return Err(Broken::Left);
        }
    };
    let head: Vec<u8> = buffer.drain(..end + 4).collect();
    let mut request = parse_head(&head[..end])?;
    if request.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        request.body = read_chunks(reader, buffer).await?;
        return Ok(request);
    }
    let length = request.header("content-length").map_or(Ok(0), str::parse::<usize>);
    let length = length.map_err(|_| Broken::Malformed("content-length is not a number"))?;
    if MOST_BODY < length {
        return Err(Broken::TooLarge(request));
    }
    fill(reader, buffer, length).await?;
    request.body = buffer.drain(..length).collect();
    Ok(request)
}

async fn read_chunks<R: AsyncRead + Unpin>(reader: &mut R, buffer: &mut Vec<u8>) -> Result<Vec<u8>, Broken> {
    let mut body = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = find(buffer, b"\r\n") {
                break end;
            }
            fill(reader, buffer, buffer.len() + 1).await?;
        };
        let line: Vec<u8> = buffer.drain(..end + 2).collect();
        let size = std::str::from_utf8(&line[..end]).ok().and_then(|line| line.split(';').next());
        let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
        let size = size.filter(|size| *size <= MOST_BODY).ok_or(Broken::Malformed("a chunk has no size"))?;
        fill(reader, buffer, size + 2).await?;
        body.extend(buffer.drain(..size));
        buffer.drain(..2);
        if size == 0 {
            return Ok(body);
        }
    }
}

async fn fill<R: AsyncRead + Unpin>(reader: &mut R, buffer: &mut Vec<u8>, size: usize) -> Result<(), Broken> {
    while buffer.len() < size {
        if reader.read_buf(buffer).await? == 0 {
            return Err(Broken::Left);
        }
    }
    Ok(())
}

fn parse_head(head: &[u8]) -> Result<Request, Broken> {
    let head = std::str::from_utf8(head).map_err(|_| Broken::Malformed("the head is not text"))?;
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Broken::Malformed("the first line is not one"));
    };
    let mut request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(Broken::Malformed("a header has no colon"))?;
        request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Ok(request)
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}

/// Status line and headers of an answer, the empty line included.
pub(crate) fn head(status: u16, headers: &[(String, String)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// One chunk of a chunked body; of no bytes, it is the last.
pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8]) -> (Result<Request, Broken>, Vec<u8>) {
        let mut buffer = Vec::new();
        let request = read_request(&mut &bytes[..], &mut buffer).await;
        (request, buffer)
    }

    #[tokio::test]
    async fn a_body_comes_with_a_length_or_in_chunks() {
        let expected = Request {
            method: "POST".to_owned(),
            path: "/v1/x?y".to_owned(),
            headers: vec![("content-length".to_owned(), "3".to_owned())],
            body: b"abc".to_vec(),
        };
        let (request, rest) = read(b"POST /v1/x?y HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET").await;
        assert_eq!((request.unwrap(), rest), (expected.clone(), b"GET".to_vec()));
        assert_eq!(expected.route(), "/v1/x");
        let chunked =
            b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n";
        let (request, rest) = read(chunked).await;
        assert_eq!((request.unwrap().body, rest), (b"abc".to_vec(), vec![]));
    }

    #[tokio::test]
    async fn what_is_not_http_is_refused() {
        for bytes in
            [&b"\x16\x03\x01 hello\r\n\r\n"[..], b"GET / HTTP/1.0\r\n\r\n", b"GET / HTTP/1.1\r\nx\r\n\r\n"]
        {
            assert!(matches!(read(bytes).await.0, Err(Broken::Malformed(_))), "{bytes:?}");
        }
        assert!(matches!(read(b"").await.0, Err(Broken::Left)));
        let huge = format!("POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n", MOST_BODY + 1);
        assert!(matches!(read(huge.as_bytes()).await.0, Err(Broken::TooLarge(_))));
    }
}
