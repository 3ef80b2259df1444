//! Bodies between braces.

use super::scanner::{Scanner, Token};
use super::words::{Body, Words, is_name};
use super::{LEAST, Measured, Skim};

/// How often the text may be scanned in vain before nothing more is left out: functions inside functions must not make
/// the time grow faster than the text.
const MOST_VAIN: usize = 3;

/// Longest word that means something.
const LONGEST_WORD: usize = 12;

/// What kind of body a brace opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opens {
    /// None that could be left out.
    Nothing,
    /// That of something with a name: functions without one are its details.
    Named,
    /// That of a function without a name, which is no item: what is bound to names in it may be.
    Unnamed,
}

/// What stands before a brace, since the last `;`, `{` or `}`.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    has_word: bool,
    has_name: bool,
    has_list: bool,
    has_type: bool,
    has_held: bool,
    has_control: bool,
    has_equals: bool,
    has_colon: bool,
    has_new: bool,
    is_accessor: bool,
}

impl Head {
    fn see(&mut self, words: &Words, token: Token<'_>, scanner: &Scanner<'_>) {
        match token {
            Token::Word(word) => {
                self.is_accessor = matches!(word, b"get" | b"set" | b"init" | b"add" | b"remove");
                self.has_held |= words.holds.iter().any(|known| known.as_bytes() == word);
                match word {
                    b"if" | b"for" | b"while" | b"switch" | b"do" | b"else" | b"match" | b"loop"
                    | b"select" | b"try" | b"catch" | b"finally" | b"synchronized" | b"with" => {
                        self.has_control = true;
                    }
                    b"foreach" | b"using" | b"lock" | b"fixed" | b"when" | b"case" | b"return"
                        if words.body == Body::CSharp =>
                    {
                        self.has_control = true;
                    }
                    b"struct" | b"class" | b"enum" | b"union" | b"namespace" | b"interface" | b"record"
                    | b"extern" => self.has_type = true,
                    b"new" => self.has_new = true,
                    b"default" if words.body == Body::Script => self.has_name = true,
                    b"function" if words.body == Body::Script => {
                        self.has_word = true;
                        self.has_name |= is_name(scanner.peek());
                    }
                    word => {
                        if let Body::After(known) = words.body {
                            self.has_word |= known.iter().any(|known| known.as_bytes() == word);
                        }
                    }
                }
            }
            Token::Byte(byte) => {
                self.is_accessor = false;
                match byte {
                    b')' => self.has_list = true,
                    b'=' => self.has_equals = true,
                    b':' => self.has_colon = true,
                    _ => {}
                }
            }
        }
    }

    /// What the brace that comes opens. `before` is what stands right before it.
    fn opens(self, words: &Words, before: [u8; 2], parens: u32) -> Opens {
        let after_list = before[1] == b')';
        if parens == 0 && self.has_held && !self.has_list {
            return Opens::Named;
        }
        let is_body = match words.body {
            Body::After(_) => parens == 0 && (self.has_word || words.values && self.has_equals),
            Body::AfterList | Body::CSharp => {
                let is_plain =
                    self.has_list && !self.has_equals && !self.has_control && !self.has_new && parens == 0;
                is_plain && (after_list || !self.has_type)
                    || words.values && before[1] == b'=' && parens == 0
                    || words.body == Body::CSharp && self.is_accessor && parens == 0
            }
            Body::Script => {
                let is_arrow = before == [b'=', b'>'];
                let is_method = after_list && !self.has_control && !self.has_equals && !self.has_word;
                let is_bound = self.has_name || self.has_equals || self.has_colon || is_method;
                if (is_arrow || self.has_word && after_list) && !(is_bound && parens == 0) {
                    return Opens::Unnamed;
                }
                is_arrow || self.has_word && after_list || is_method
            }
        };
        if is_body { Opens::Named } else { Opens::Nothing }
    }
}

/// The text without bodies.
pub(super) fn skim(words: &Words, text: &[u8]) -> Skim {
    let mut skim = Skim { text: Vec::with_capacity(text.len() / 2), ..Skim::default() };
    let mut scanner = Scanner::new(text, words.marks);
    let mut head = Head::default();
    let mut parens = 0_u32;
    let mut outer: Vec<u32> = Vec::new();
    let (mut kept_from, mut rows_cut, mut vain) = (0, 0, 0_usize);
    while let Some(token) = scanner.next() {
        match token {
            Token::Byte(b'{') => {
                let opens = head.opens(words, [scanner.last[0], scanner.last[1]], parens);
                if opens != Opens::Nothing && vain <= MOST_VAIN * text.len() {
                    let open = scanner.at;
                    let first_row = scanner.row;
                    let mut body = scanner.clone();
                    let measured = measure(words, opens, &mut body);
                    let close = body.at.saturating_sub(1);
                    match measured {
                        Some(measured) if LEAST < close - open => {
                            let rows = body.row - first_row;
                            skim.text.extend_from_slice(text.get(kept_from..open).unwrap_or_default());
                            if 0 < rows {
                                skim.text.push(b'\n');
                                rows_cut += rows - 1;
                            }
                            skim.push(body.row - rows_cut + 1, rows.saturating_sub(1), measured);
                            kept_from = close;
                            scanner = body;
                            head = Head::default();
                            continue;
                        }
                        _ => vain += body.at - open,
                    }
                }
                outer.push(parens);
                parens = 0;
                head = Head::default();
            }
            Token::Byte(b'}') => {
                parens = outer.pop().unwrap_or(0);
                head = Head::default();
            }
            Token::Byte(b';') if parens == 0 => head = Head::default(),
            // Members of an object, statements without semicolons: each begins anew.
            Token::Byte(b',') if parens == 0 && words.body == Body::Script => head = Head::default(),
            Token::Byte(b'(' | b'[') => parens += 1,
            Token::Byte(byte @ (b')' | b']')) => {
                parens = parens.saturating_sub(1);
                if parens == 0 && byte == b')' {
                    head.see(words, token, &scanner);
                }
            }
            Token::Word(_) | Token::Byte(_) => {
                if parens == 0 || matches!(token, Token::Word(b"function" | b"new")) {
                    head.see(words, token, &scanner);
                }
            }
        }
    }
    skim.code_lines = scanner.code_rows;
    skim.text.extend_from_slice(text.get(kept_from..).unwrap_or_default());
    skim
}

/// Goes to the end of a body and counts; `None` if it must stay.
fn measure(words: &Words, opens: Opens, scanner: &mut Scanner<'_>) -> Option<Measured> {
    let mut measured = Measured::default();
    // For each open brace, whether it belongs to a condition or loop, and how many brackets are open around it.
    let mut open: Vec<(bool, u32)> = vec![(false, 0)];
    let mut depth = 0_u32;
    let mut is_control = false;
    let mut head = Head::default();
    let mut parens = 0_u32;
    while let Some(token) = scanner.next() {
        match token {
            Token::Word(word) => {
                let is = |list: &[&str]| list.iter().any(|known| known.as_bytes() == word);
                // Anything of interest is short and in lower case, but for one name.
                if word.len() <= LONGEST_WORD
                    && word.first().is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'D')
                {
                    if words.keep(word, scanner) {
                        return None;
                    }
                    if opens == Opens::Unnamed
                        && word == b"function"
                        && matches!(scanner.last[1], b'=' | b':')
                    {
                        return None;
                    }
                    let is_branch = is(words.branches);
                    if is_branch || is(words.nests) {
                        measured.branches += u32::from(is_branch);
                        measured.nesting = measured.nesting.max(depth + 1);
                        is_control = true;
                    } else if is(words.forks) {
                        measured.branches += 1;
                    } else if word == b"else" {
                        is_control = true;
                    }
                    head.see(words, token, scanner);
                }
            }
            Token::Byte(b'{') => {
                let after_list = scanner.last[1] == b')';
                if head.has_type || head.has_new && after_list {
                    return None;
                }
                // A function inside a function, or a method of an object that is no detail.
                let is_plain = !head.has_control && !head.has_equals && !head.has_new && !is_control;
                let is_method = words.body == Body::CSharp
                    || opens == Opens::Unnamed && words.body == Body::Script && !head.has_word;
                if after_list && is_plain && is_method && parens == 0 {
                    return None;
                }
                open.push((is_control, parens));
                parens = 0;
                depth += u32::from(is_control);
                is_control = false;
                head = Head::default();
            }
            Token::Byte(b'}') => {
                let is_flush = scanner.at == scanner.line_start + 1;
                if is_flush && 1 < open.len() {
                    return None;
                }
                let (was_control, around) = open.pop()?;
                depth -= u32::from(was_control);
                parens = around;
                if open.is_empty() {
                    return Some(measured);
                }
                is_control = false;
                head = Head::default();
            }
            Token::Byte(b';') if parens == 0 => {
                // In Go a brace always follows the condition.
                is_control &= words.statement_before_condition;
                head = Head::default();
            }
            Token::Byte(b'(' | b'[') => parens += 1,
            Token::Byte(byte @ (b')' | b']')) => {
                parens = parens.saturating_sub(1);
                if parens == 0 && byte == b')' {
                    head.has_list = true;
                }
            }
            Token::Byte(byte @ (b'&' | b'|')) if scanner.last[1] == byte => {
                // Without a value before it, `||` begins a closure and `&&` a reference.
                measured.branches += u32::from(is_value(scanner.last[0]));
                scanner.last = [b' '; 3];
            }
            Token::Byte(b'>') if scanner.last[1] == b'=' => {
                measured.branches += u32::from(words.arrows);
                if parens == 0 && is_item_arrow(words, opens, head) {
                    return None;
                }
            }
            // `a ?? b` is one fork; `a?.b`, `a?: T` and `T?` are none.
            Token::Byte(b'?') if words.questions => {
                let is_fork = scanner.last[1] != b'?'
                    && !matches!(
                        scanner.next_byte(),
                        b'.' | b':' | b')' | b',' | b';' | b'>' | b'-' | b']' | b'['
                    );
                measured.branches += u32::from(is_fork);
            }
            Token::Byte(byte @ (b'=' | b':')) if parens == 0 => {
                head.has_equals |= byte == b'=' && scanner.next_byte() != b'>';
                head.has_colon |= byte == b':';
            }
            Token::Byte(_) => {}
        }
    }
    None
}

/// Whether an arrow outside of brackets makes an item: a function that is bound to a name, or one that is its own body.
fn is_item_arrow(words: &Words, opens: Opens, head: Head) -> bool {
    match words.body {
        Body::Script => opens == Opens::Unnamed && (head.has_equals || head.has_colon),
        Body::CSharp => head.has_list && !head.has_equals && !head.has_control,
        Body::After(_) | Body::AfterList => false,
    }
}

/// Whether a byte can be the last one of a value.
fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b')' | b']' | b'}' | b'_' | b'"' | b'?' | 0x80..)
}
