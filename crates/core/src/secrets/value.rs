//! What a value looks like: random, a placeholder, a reference to somewhere else.

use std::sync::LazyLock;

use regex::Regex;

/// Bits per character.
pub fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len() as f64;
    let part = |count: &u32| {
        let share = f64::from(*count) / all;
        -share * share.log2()
    };
    counts.iter().filter(|count| 0 < **count).map(part).sum()
}

/// Whether a value looks like a real password or key: no word, no path, no piece of a program.
pub fn is_random(text: &str) -> bool {
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    let is_hex =
        32 <= text.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit()) && has(u8::is_ascii_digit);
    let has_sign = text.contains(['!', '@', '#', '^', '&', '*', '~']);
    let is_mixed = has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_uppercase) || has_sign);
    let is_code = text.contains(['$', '{', '(', '<', '%', '[', ' ', '.', ':', ';', ',']);
    let is_path = text.starts_with(['/', '@', '#']) || text.matches('/').count() > 2;
    let is_camel = !text.contains(['+', '/', '=']) && !has_sign && words_in(text) * 5 > text.len();
    let least = match (is_hex, has_sign) {
        (true, _) => 3.0,
        (false, true) => 3.2,
        (false, false) => 3.6,
    };
    (is_mixed && !is_camel || is_hex) && !is_code && !is_path && least <= entropy(text)
}

/// Runs of small letters of four and more: words of a name such as `passwordResetToken2`.
fn words_in(text: &str) -> usize {
    text.split(|character: char| !character.is_ascii_lowercase()).filter(|run| 4 <= run.len()).count()
}

static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)example|placeholder|change.?(?:me|this|it)|your|xxxx|\btest|test\b|_test|dummy|sample|fake|mock|insert|replace|",
        r"redacted|todo|foobar|hello|lorem|0000|11111|1234567|abcdef|abcd1234|deadbeef|s3cr3t|p[a4]ssw[o0]rd|qwerty|xyz|",
        r"not.?a.?(?:real|secret)|insecure|django-insecure|development|secret_?key"
    ))
    .ok()
});

/// Whether a value says of itself that it is none.
pub fn is_placeholder(text: &str) -> bool {
    PLACEHOLDER.as_ref().is_some_and(|words| words.is_match(text))
}

/// Whether a value refers to one that stands elsewhere: `$NAME`, `${{ secrets.NAME }}`, `<password>`, `%s`.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let starts = |words: &[&str]| words.iter().any(|word| value.starts_with(word.as_bytes()));
    let holds = |word: &[u8]| value.windows(word.len()).any(|part| part == word);
    starts(&["$", "{", "<", "%", "[redacted ", "@{", "!Ref", "!Sub", "*{"])
        || holds(b"${")
        || holds(b"{{")
        || holds(b"#{")
        || holds(b"<%")
        || holds(b"$(")
        || value.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_'))
}

/// Words that stand where a value could, and are none.
const WORDS: &[&str] = &[
    "null", "true", "false", "none", "nil", "undefined", "string", "str", "text", "bytes", "byte", "char", "int",
    "integer", "number", "boolean", "bool", "object", "array", "list", "dict", "map", "any", "required", "optional",
    "secret", "password", "passwd", "token", "void", "self", "this", "yes", "no", "on", "off", "hidden", "redacted",
    "default", "unset", "empty", "value", "varchar", "uuid", "bearer", "basic", "env", "vault", "file", "input",
    "username", "prompt", "ask", "disabled", "enabled", "auto", "never", "always", "usize", "unknown",
];

/// Whether a value without quotes is a word of a language or a type.
pub(super) fn is_word(value: &[u8]) -> bool {
    WORDS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Names of methods that contain digits: `Ed25519`, `sha256`.
pub(super) fn is_method(value: &[u8]) -> bool {
    let methods = [
        "ed25519", "rsa", "sha", "aes", "x509", "pkcs", "hmac", "ecdsa", "oauth", "jwt", "base64", "utf", "argon", "bcrypt",
        "secp", "p256", "p384", "md5", "uint", "int", "float", "utf8", "rfc", "oidc", "hs256", "rs256", "es256", "http",
        "tls", "ssl", "v1", "v2", "s3", "ipv",
    ];
    value.len() <= 14
        && methods.iter().any(|word| {
            value.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        })
}

/// Whether it is a name, or several with dots between: `settings.DB_PASSWORD`.
pub(super) fn is_name(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
    value.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && value.iter().all(is_part)
}

/// Whether there are both letters and digits, or a sign that words do not have.
pub(super) fn is_mixed(value: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit)
            || has(|byte| matches!(byte, b'!' | b'@' | b'#' | b'^' | b'&' | b'*' | b'+' | b'=' | b'~' | b'$' | b'%')))
}

/// What base64 stands for, if it is base64.
pub(super) fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let end = text.iter().rposition(|byte| *byte != b'=').map_or(0, |at| at + 1);
    let (mut bits, mut width, mut out) = (0u32, 0u32, Vec::with_capacity(end * 3 / 4));
    for byte in &text[..end] {
        bits = bits << 6 | u32::from(digit(*byte)?);
        width += 6;
        if 8 <= width {
            width -= 8;
            out.push(u8::try_from(bits >> width & 0xff).ok()?);
            bits &= (1 << width) - 1;
        }
    }
    Some(out)
}

/// Whether base64 stands for a name, a colon and a password.
pub(super) fn is_login_in_base64(text: &[u8]) -> bool {
    decode_base64(text).is_some_and(|login| {
        let colon = login.iter().position(|byte| *byte == b':');
        colon.is_some_and(|colon| 0 < colon && colon + 1 < login.len())
            && login.iter().all(|byte| (b' '..=b'~').contains(byte))
    })
}
