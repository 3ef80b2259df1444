use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn around(variables: &[(&str, &str)]) -> Surroundings {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect();
    Surroundings { variables, ..Surroundings::default() }
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn finds(source: &KeySource, around: &Surroundings, expected: Option<&str>) {
    let found = read_key(source, around).unwrap();
    assert_eq!(found.as_ref().map(Secret::expose), expected);
}

#[test]
fn a_key_may_be_in_a_variable() {
    let source = KeySource::Variable("ANTHROPIC_API_KEY".to_owned());
    finds(&source, &around(&[("ANTHROPIC_API_KEY", " sk-1\n")]), Some("sk-1"));
    finds(&source, &around(&[("ANTHROPIC_API_KEY", "")]), None);
    finds(&source, &around(&[]), None);
}

#[test]
fn a_key_may_be_in_a_file_that_nobody_else_can_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    let source = KeySource::File(path.clone());
    finds(&source, &around(&[]), None);
    write(&path, "sk-2\r\n", 0o600);
    finds(&source, &around(&[]), Some("sk-2"));
    for mode in [0o640, 0o604, 0o644, 0o620, 0o601] {
        write(&path, "sk-2", mode);
        let error = read_key(&source, &around(&[])).unwrap_err();
        assert!(matches!(error, BadKey::Exposed { mode: found, .. } if found == mode), "{error}");
    }
    let words = read_key(&source, &around(&[])).unwrap_err().to_string();
    let words = words.replace(&path.display().to_string(), "FILE");
    assert_eq!(words, "the key file FILE can be read by others (mode 0601; hint: chmod 600 FILE)");
}

#[test]
fn a_key_may_be_a_credential_of_a_service() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("anthropic"), "sk-3", 0o400);
    let around = around(&[("CREDENTIALS_DIRECTORY", dir.path().to_str().unwrap())]);
    finds(&KeySource::Credential("anthropic".to_owned()), &around, Some("sk-3"));
    finds(&KeySource::Credential("openai".to_owned()), &around, None);
    finds(&KeySource::Credential("../anthropic".to_owned()), &around, None);
    finds(&KeySource::Credential("anthropic".to_owned()), &self::around(&[]), None);
}

#[test]
fn the_first_key_that_is_there_counts() {
    let sources = ["A", "B"].map(|name| KeySource::Variable(name.to_owned()));
    let found = find_key(&sources, &around(&[("B", "sk-b")])).unwrap().unwrap();
    assert_eq!(found.expose(), "sk-b");
}

#[test]
fn what_is_no_key_is_refused_without_showing_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    for text in ["", " \n", "CANARY CANARY", "CANARY\nCANARY", "CANARYü"] {
        write(&path, text, 0o600);
        let error = read_key(&KeySource::File(path.clone()), &around(&[])).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("CANARY"), "{error}");
    }
    write(&path, &"x".repeat(100_000), 0o600);
    let error = read_key(&KeySource::File(path), &around(&[])).unwrap_err();
    assert!(error.to_string().ends_with("holds is no key: it is too long"), "{error}");
    let error = read_key(&KeySource::File(dir.path().to_owned()), &around(&[])).unwrap_err();
    assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
}

#[test]
fn a_secret_does_not_show_itself() {
    assert_eq!(format!("{:?}", Secret::new("sk-CANARY".to_owned())), "Secret(…)");
}
