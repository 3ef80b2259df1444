use regex::bytes::Regex;

use super::kinds::ROWS;
use super::*;

mod samples;

use samples::SAMPLES;

fn masked(text: &str, file: &str) -> String {
    let kind = TextKind::from_name(file.as_bytes());
    let redacted =
        redact(text.as_bytes(), kind).map_or_else(|| text.as_bytes().to_vec(), |redaction| redaction.bytes);
    String::from_utf8(redacted).unwrap()
}

/// Whether a piece of a secret stands in a text.
fn leaks(text: &str, secret: &str) -> bool {
    let piece = secret.len().min(8);
    secret
        .as_bytes()
        .windows(piece)
        .any(|piece| text.as_bytes().windows(piece.len()).any(|part| part == piece))
}

#[test]
fn every_sample_is_found_and_nothing_is_left_of_it() {
    assert!(120 <= SAMPLES.len(), "{} samples", SAMPLES.len());
    let mut left = Vec::new();
    for sample in SAMPLES {
        let filled = sample.fill();
        let shown = masked(&filled.text, sample.file);
        if filled.secrets.iter().any(|secret| leaks(&shown, secret)) {
            left.push(format!("{}: {} -> {}", sample.name, filled.text.trim_end(), shown.trim_end()));
        }
    }
    assert!(left.is_empty(), "{} of {}:\n{}", left.len(), SAMPLES.len(), left.join("\n"));
}

#[test]
fn to_mask_twice_is_to_mask_once() {
    for sample in SAMPLES {
        let once = masked(&sample.fill().text, sample.file);
        assert_eq!(masked(&once, "any"), once, "{}", sample.name);
    }
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    for (file, text) in [
        ("a.rs", "secret_len: usize,"),
        ("a.rs", "let token = next_token();"),
        ("a.rs", "let token = lexer.next_token().unwrap();"),
        ("a.rs", "fn password(&self) -> &str"),
        ("a.rs", "token: Token<'a>,"),
        ("a.ts", "password: string;"),
        ("a.ts", "const { password } = req.body;"),
        ("a.py", "def login(user, password=None, token: str = None):"),
        ("a.py", "password = settings.DB_PASSWORD2"),
        ("a.py", "connect(password=password, token=token2)"),
        ("a.java", "if (password == null) throw new E();"),
        ("a.yaml", "password: ${DB_PASSWORD}"),
        ("a.yaml", "password: {{ vault.password }}"),
        ("a.yaml", "token: null"),
        ("a.yaml", "type: password"),
        ("a.yaml", "secretName: my-tls-secret"),
        ("a.yaml", "kind: SecretStore"),
        ("a.properties", "password.min.length=8"),
        ("a.env", "API_KEY=$API_KEY"),
        ("a.env", "TOKEN=\"\""),
        ("a.html", "<input type=\"password\" name=\"password\" placeholder=\"Password\">"),
        ("a.json", "\"password\": \"Enter your password\""),
        ("a.json", "\"integrity\": \"sha512-abcdefABCDEF0123456789abcdefABCDEF0123456789\""),
        ("a.md", "risk-assessment-of-the-whole-thing-here"),
        ("a.md", "AKIA is a prefix, and so is ghp_short"),
        ("a.md", "task-force-one-two-three-four-five"),
        ("a.md", "The token is checked first. Password rules: none."),
        ("a.lock", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        ("a.txt", "https://example.com:8080/a@b and http://localhost:3000/path"),
        (
            "a.txt",
            "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0\n-----END PUBLIC KEY-----",
        ),
        (
            "a.py",
            "BEGIN = \"-----BEGIN PRIVATE KEY-----\"\nEND = \"-----END PRIVATE KEY-----\"\ndef parse(text):\n    return text",
        ),
        ("a.txt", "größe: ü, 数"),
        ("a.go", "publicKey := \"AAAAC3NzaC1lZDI1NTE5AAAAIJ\""),
        ("a.css", ".password-field { color: #a1b2c3 }"),
        ("any", "private_key: Ed25519"),
        ("any", "bypass = 12345678"),
    ] {
        assert_eq!(masked(text, file), text, "{file}");
    }
}

#[test]
fn published_examples_are_no_secrets() {
    // What only looks like an example is worth no flag, and masked all the same.
    let id = ["AKIA", "IOSFODNN7", "EXAMPLE"].concat();
    assert!(is_published(id.as_bytes()));
    assert_eq!(masked(&id, "a.txt"), "[redacted aws-key]");
    assert!(!is_published(["AKIA", "Q3EXAMPLE", "Z7CANRY"].concat().as_bytes()));
    let key =
        ["Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsu", "Fq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="]
            .concat();
    let text = format!("AccountName=devstoreaccount1;AccountKey={key};");
    assert_eq!(masked(&text, "a.cs"), text);
}

#[test]
fn a_part_is_masked_by_what_stands_before_it() {
    let sample = SAMPLES[0].fill();
    let secrets = find_secrets(sample.text.as_bytes(), TextKind::Other);
    assert_eq!(count_secrets(&secrets), 1);
    let start = sample.text.find(&sample.secrets[2]).unwrap();
    let part = &sample.text.as_bytes()[start..];
    let shown = String::from_utf8(redact_part(part, start, &secrets)).unwrap();
    assert!(!sample.secrets.iter().any(|secret| leaks(&shown, secret)), "{shown}");
    assert!(shown.starts_with("[redacted private-key]\n"), "{shown}");
    let around = find_secrets_around(sample.text.as_bytes(), TextKind::Other, start..start + 8);
    assert_eq!(around.len(), 1);
}

#[test]
fn what_is_blanked_out_keeps_its_place() {
    for sample in SAMPLES {
        let filled = sample.fill();
        let mut bytes = filled.text.clone().into_bytes();
        let secrets = find_secrets(&bytes, TextKind::from_name(sample.file.as_bytes()));
        blank_out(&mut bytes, &secrets);
        assert_eq!(bytes.len(), filled.text.len());
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines(&bytes), lines(filled.text.as_bytes()), "{}", sample.name);
        let shown = String::from_utf8(bytes).unwrap();
        assert!(!filled.secrets.iter().any(|secret| leaks(&shown, secret)), "{}", sample.name);
    }
}

#[test]
fn words_with_marks_are_found_where_the_secret_stands() {
    let text = b"a = 1\npassword = \"s3same-op3n\"; rest\nb = 2\n";
    let secrets = find_secrets(text, TextKind::Program);
    let found = |words: &str| find_redacted(text, 0..text.len(), &secrets, words.as_bytes());
    let mark = "[redacted assigned-secret]";
    assert_eq!(found(&format!("password = \"{mark}\"")), Some(6..30));
    assert_eq!(found(&format!("= 1\npassword = \"{mark}\"; rest\nb")), Some(2..38));
    assert_eq!(found("b = 2"), Some(37..42));
    assert_eq!(found(&format!("{mark}\"; re")), Some(18..34));
    assert_eq!(found("s3same"), None);
}

#[test]
fn pieces_of_secrets_are_taken_out_of_what_programs_show() {
    let sample = SAMPLES[0].fill();
    let mut pieces = SecretPieces::default();
    let text = sample.text.as_bytes();
    pieces.add(text, &find_secrets(text, TextKind::Other));
    let body = &sample.secrets[1];
    let output = format!("keys.txt:3:{body}\n{}\nplain words\n", &body[10..30]);
    let shown = String::from_utf8(pieces.redact(output.as_bytes())).unwrap();
    assert_eq!(shown, "keys.txt:3:[redacted secret]\n[redacted secret]\nplain words\n");
}

#[test]
fn every_row_of_the_table_is_a_shape() {
    for row in ROWS {
        assert!(Regex::new(&format!("(?-u){}", row.shape)).is_ok(), "{}", row.shape);
        assert!(!row.hints.is_empty(), "{}", row.kind.name);
    }
}

/// The quickest of three passes.
fn time_of(text: &[u8]) -> std::time::Duration {
    let pass = || {
        let start = std::time::Instant::now();
        find_secrets(text, TextKind::Settings);
        start.elapsed()
    };
    (0..3).map(|_| pass()).min().unwrap()
}

#[test]
fn time_grows_with_the_length_of_a_text_whatever_stands_in_it() {
    for piece in [
        "a",
        "A1_",
        "password",
        "password=",
        "://x:",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY----- A",
        "eyJaaaaaaaa.",
        "sk-",
        "TOKEN=",
        "password: ",
        "_key ",
        "kind: Secret\n",
        "kind: Secret # a\n",
        "-----END PRIVATE KEY-----\n",
        ":5432:",
        "bearer ",
        "curl -u ",
        "IBAAKC",
        "MIIBAAKC",
        "pass\"value",
        "Private-Lines: 400\n",
        "[redacted ",
    ] {
        let short = piece.repeat((64 << 10) / piece.len());
        let (one, eight) = (time_of(short.as_bytes()), time_of(short.repeat(8).as_bytes()));
        // Eight times as much takes eight times as long; were it squared, it would be sixty-four times.
        let most = one * 28 + std::time::Duration::from_millis(60);
        assert!(eight < most, "{piece:?}: {one:?} for 64 KiB, {eight:?} for 512 KiB");
    }
}
