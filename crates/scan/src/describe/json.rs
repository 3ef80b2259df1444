//! Whether a text is JSON: one value, or one on each line.

/// What the beginning of a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Json {
    /// One object or array.
    One,
    /// Several, one after the other.
    Many,
}

/// More need not be read: what is JSON for so long is JSON.
const ENOUGH: usize = 4 * 1024;

/// Deeper nesting is not followed: one bit of `Parser::objects` for each level.
const DEEPEST: u32 = 64;

/// Recognises JSON by its first bytes; `whole` tells whether these are all.
///
/// As forgiving as `file`: a comma before a closing bracket is let through.
pub(super) fn recognise(text: &[u8], whole: bool) -> Option<Json> {
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if !matches!(first, b'{' | b'[') {
        return None;
    }
    let cut = !whole || ENOUGH < text.len();
    let mut parser = Parser { text: &text[..text.len().min(ENOUGH)], at: 0, cut, objects: 0, depth: 0 };
    let mut values = 0;
    loop {
        parser.skip_spaces();
        if parser.peek().is_none() && 0 < values {
            return Some(if values == 1 { Json::One } else { Json::Many });
        }
        match parser.value() {
            Ok(()) => values += 1,
            Err(Stop::End) if parser.cut => return Some(if values == 0 { Json::One } else { Json::Many }),
            Err(Stop::End | Stop::Wrong) => return None,
        }
    }
}

/// Why a value was not read to its end.
enum Stop {
    /// The bytes ended first.
    End,
    /// This is not JSON.
    Wrong,
}

/// Reads one value without recursion: a hostile file must not exhaust the stack.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    cut: bool,
    /// One bit for each open bracket: set for an object, clear for an array.
    objects: u64,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Result<u8, Stop> {
        let byte = self.peek().ok_or(Stop::End)?;
        self.at += 1;
        Ok(byte)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn next_solid(&mut self) -> Result<u8, Stop> {
        self.skip_spaces();
        self.next()
    }

    /// Reads one object or array, with all inside.
    fn value(&mut self) -> Result<(), Stop> {
        self.depth = 0;
        let first = self.next_solid()?;
        // After a member, a comma or a bracket must come. After those, another member may.
        let mut member_done = !self.open_or_scalar(first)?;
        while 0 < self.depth {
            let in_object = self.objects & 1 == 1;
            member_done = match self.next_solid()? {
                b'}' if in_object => self.close(),
                b']' if !in_object => self.close(),
                b',' if member_done => false,
                _ if member_done => return Err(Stop::Wrong),
                b'"' if in_object => {
                    self.string()?;
                    if self.next_solid()? != b':' {
                        return Err(Stop::Wrong);
                    }
                    let first = self.next_solid()?;
                    !self.open_or_scalar(first)?
                }
                first if !in_object => !self.open_or_scalar(first)?,
                _ => return Err(Stop::Wrong),
            };
        }
        Ok(())
    }

    /// Whether a bracket was opened, rather than a word, number or string read.
    fn open_or_scalar(&mut self, first: u8) -> Result<bool, Stop> {
        match first {
            b'{' | b'[' if self.depth < DEEPEST => {
                self.objects = self.objects << 1 | u64::from(first == b'{');
                self.depth += 1;
                return Ok(true);
            }
            // A value on its own is a word or a number: too little to call a text JSON.
            _ if self.depth == 0 => return Err(Stop::Wrong),
            b'"' => self.string()?,
            b't' => self.word(b"rue")?,
            b'f' => self.word(b"alse")?,
            b'n' => self.word(b"ull")?,
            b'-' | b'0'..=b'9' => {
                while self
                    .peek()
                    .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    self.at += 1;
                }
            }
            _ => return Err(Stop::Wrong),
        }
        Ok(false)
    }

    /// Closes the innermost bracket, which is a member of the next one.
    fn close(&mut self) -> bool {
        self.objects >>= 1;
        self.depth -= 1;
        true
    }

    fn word(&mut self, rest: &[u8]) -> Result<(), Stop> {
        for expected in rest {
            if self.next()? != *expected {
                return Err(Stop::Wrong);
            }
        }
        Ok(())
    }

    /// The rest of a string, after its opening quote.
    fn string(&mut self) -> Result<(), Stop> {
        loop {
            self.at += memchr::memchr2(b'"', b'\\', &self.text[self.at..]).ok_or(Stop::End)?;
            if self.next()? == b'"' {
                return Ok(());
            }
            self.next()?;
        }
    }
}
