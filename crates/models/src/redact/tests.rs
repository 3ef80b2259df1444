use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let redacted = redact(text);
    assert_eq!(redacted.text, expected);
    assert_eq!(redacted.count, 1, "{text}");
    assert_eq!(redact(expected), Redacted { text: expected.into(), count: 0 }, "once is enough");
}

#[track_caller]
fn untouched(text: &str) {
    assert_eq!(redact(text), Redacted { text: text.into(), count: 0 });
}

/// Assembled here so that no scanner takes this file for a leak.
fn made_up(prefix: &str, length: usize) -> String {
    let body: String = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY".chars().cycle().take(length).collect();
    format!("{prefix}{body}")
}

#[test]
fn known_kinds_of_keys_are_taken_out() {
    check(&format!("id {}, ok", "AKIA".to_owned() + &"Q7".repeat(8)), "id [redacted aws-key], ok");
    check(&made_up("ghp_", 36), "[redacted github-token]");
    check(&made_up("github_pat_", 40), "[redacted github-token]");
    check(&format!("key={} end", made_up("sk-ant-api03-", 40)), "key=[redacted anthropic-key] end");
    check(&made_up("sk-proj-", 48), "[redacted api-key]");
    check(&made_up("xoxb-", 24), "[redacted slack-token]");
    check(&made_up("glpat-", 20), "[redacted gitlab-token]");
    check(&made_up("AIza", 35), "[redacted google-key]");
    check(&made_up("sk_live_", 24), "[redacted stripe-key]");
    let jwt = format!("{}.{}.{}", made_up("eyJ", 20), made_up("eyJ", 30), made_up("", 40));
    check(&format!("Bearer {jwt}\n"), "Bearer [redacted jwt]\n");
}

#[test]
fn private_keys_go_whole_or_cut() {
    let body = "MIIEpAIBAAKCAQEA7abcDEF\nabcDEF/+=\n";
    let (begin, end) = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----");
    let gone = "[redacted private-key]";
    check(&format!("a\n{begin}\n{body}{end}\nb"), &format!("a\n{begin}\n{gone}\n{gone}\n{end}\nb"));
    check(&format!("{begin}\n{}\n", &body[..23]), &format!("{begin}\n{gone}\n"));
    let head = "Proc-Type: 4,ENCRYPTED\n\n";
    check(&format!("{begin}\n{head}{body}{end}"), &format!("{begin}\n{head}{gone}\n{gone}\n{end}"));
    untouched("-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----");
}

#[test]
fn credentials_in_addresses_go_and_the_rest_stays() {
    check("postgres://app:hunter2@db:5432/x", "postgres://app:[redacted url-credentials]@db:5432/x");
    untouched("https://example.com:8080/a@b");
    untouched("http://localhost:3000/path");
}

#[test]
fn settings_that_hold_secrets_lose_their_value() {
    check("DB_PASSWORD=correct-horse-battery", "DB_PASSWORD=[redacted assigned-secret]");
    check("x\nexport STRIPE_SECRET=abcdefgh12\ny", "x\nexport STRIPE_SECRET=[redacted assigned-secret]\ny");
    check(r#""api_key": "0123456789abcdef""#, r#""api_key": "[redacted assigned-secret]""#);
    check("password = 'correcthorse'", "password = '[redacted assigned-secret]'");
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    for text in [
        "secret_len: usize",
        "let token = next_token();",
        "let token = lexer.next_token().unwrap();",
        "fn password(&self) -> &str",
        "token: Token<'a>",
        "if (password == null) throw",
        "API_KEY=$API_KEY",
        "TOKEN=\"\"",
        "risk-assessment-of-the-whole-thing-here",
        "task-force-one-two-three-four-five",
        "AKIA is a prefix",
        "ghp_short",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "größe: ü, 数",
    ] {
        untouched(text);
    }
}

#[test]
fn text_around_a_secret_keeps_its_characters() {
    check(&format!("größe {} 数", made_up("ghp_", 36)), "größe [redacted github-token] 数");
}
