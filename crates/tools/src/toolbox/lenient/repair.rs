//! JSON that is not quite JSON: cut off, fenced, with a comma or a line break too many.
//!
//! One pass over the bytes, no deeper than anybody nests arguments. What stands behind the place where nothing can be
//! understood any more is given up; what stood before it is kept. Of a key that appears twice the first one counts.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Number, Value};

/// Deeper values are given up.
const DEEPEST: usize = 32;

/// The value that a text was meant to be, if it begins like one.
pub fn repaired(text: &str) -> Option<Value> {
    let start = text.find(['{', '['])?;
    let mut reader = Reader { chars: text[start..].chars().peekable() };
    reader.value(0)
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn skip(&mut self) -> Option<char> {
        while self.chars.next_if(|letter| letter.is_whitespace()).is_some() {}
        self.chars.peek().copied()
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if DEEPEST < depth {
            return None;
        }
        match self.skip()? {
            '{' => Some(Value::Object(self.object(depth))),
            '[' => Some(Value::Array(self.list(depth))),
            quote @ ('"' | '\'' | '“') => Some(Value::String(self.text(quote))),
            ',' | ':' | '}' | ']' => None,
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Map<String, Value> {
        self.chars.next();
        let mut fields = Map::new();
        loop {
            match self.skip() {
                Some('}') => {
                    self.chars.next();
                    return fields;
                }
                Some(',') => {
                    self.chars.next();
                }
                Some(quote @ ('"' | '\'' | '“')) => {
                    let key = self.text(quote);
                    if self.skip() != Some(':') {
                        return fields;
                    }
                    self.chars.next();
                    let Some(value) = self.value(depth + 1) else { return fields };
                    fields.entry(key).or_insert(value);
                }
                Some(letter) if letter.is_alphabetic() || letter == '_' => {
                    let mut key = String::new();
                    while let Some(letter) =
                        self.chars.next_if(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
                    {
                        key.push(letter);
                    }
                    if self.skip() != Some(':') {
                        return fields;
                    }
                    self.chars.next();
                    let Some(value) = self.value(depth + 1) else { return fields };
                    fields.entry(key).or_insert(value);
                }
                Some(_) | None => return fields,
            }
        }
    }

    fn list(&mut self, depth: usize) -> Vec<Value> {
        self.chars.next();
        let mut items = Vec::new();
        loop {
            match self.skip() {
                Some(']') => {
                    self.chars.next();
                    return items;
                }
                Some(',') => {
                    self.chars.next();
                }
                Some('}' | ':') | None => return items,
                Some(_) => match self.value(depth + 1) {
                    Some(value) => items.push(value),
                    None => return items,
                },
            }
        }
    }

    fn text(&mut self, opening: char) -> String {
        self.chars.next();
        let closing = if opening == '“' { '”' } else { opening };
        let mut text = String::new();
        while let Some(letter) = self.chars.next() {
            match letter {
                '\\' => self.escaped(&mut text),
                letter if letter == closing => break,
                letter => text.push(letter),
            }
        }
        text
    }

    fn escaped(&mut self, text: &mut String) {
        match self.chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b' | 'f') => text.push(' '),
            Some('u') => {
                let high = self.unit();
                let code = match high {
                    Some(high @ 0xd800..0xdc00) => {
                        self.low().map(|low| 0x1_0000 + ((high - 0xd800) << 10) + low)
                    }
                    other => other,
                };
                text.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(letter) => text.push(letter),
            None => {}
        }
    }

    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + self.chars.next_if(char::is_ascii_hexdigit)?.to_digit(16)?;
        }
        Some(unit)
    }

    /// The second half of a letter beyond the first plane.
    fn low(&mut self) -> Option<u32> {
        self.chars.next_if_eq(&'\\')?;
        self.chars.next_if_eq(&'u')?;
        self.unit().filter(|unit| (0xdc00..0xe000).contains(unit)).map(|unit| unit - 0xdc00)
    }

    fn word(&mut self) -> Option<Value> {
        let mut word = String::new();
        while let Some(letter) =
            self.chars.next_if(|letter| !letter.is_whitespace() && !",]}:".contains(*letter))
        {
            word.push(letter);
        }
        match word.as_str() {
            "true" | "True" => return Some(Value::Bool(true)),
            "false" | "False" => return Some(Value::Bool(false)),
            "null" | "None" => return Some(Value::Null),
            _ => {}
        }
        if let Ok(whole) = word.parse::<i64>() {
            return Some(whole.into());
        }
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        Some(match number.and_then(Number::from_f64) {
            Some(number) => Value::Number(number),
            None => Value::String(word),
        })
    }
}
