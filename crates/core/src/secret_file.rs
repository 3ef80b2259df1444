//! Files that keep secrets, by what they are called.
//!
//! What is in them is not shown to models that somebody else runs, unless the user wants it. A name proves nothing: secrets
//! elsewhere are found by their form (`secrets`), and a key store of another name is not known here.

use crate::RelPath;

/// Names, in lower case; a `*` in front or at the end stands for anything.
pub const SECRET_NAMES: &[&str] = &[
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.pkcs12",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.kdb",
    "*.ppk",
    "*.agilekeychain",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".dockercfg",
    ".vault-token",
    ".s3cfg",
    ".boto",
    "application_default_credentials.json",
    "*.tfstate",
];

/// Directories in which everything is one, in lower case.
pub const SECRET_DIRS: &[&str] = &[".ssh", ".gnupg", ".password-store"];

/// Files that are one in a directory of some name.
const IN_DIRS: &[(&str, &str)] = &[
    (".aws", "credentials"),
    (".docker", "config.json"),
    (".kube", "config"),
    (".azure", "accesstokens.json"),
    ("gcloud", "credentials.db"),
    (".cargo", "credentials.toml"),
    (".cargo", "credentials"),
    (".gem", "credentials"),
];

/// What is made to be seen: examples, and the public half of a pair of keys.
const PUBLIC: &[&str] =
    &["*.pub", "*.example", "*.sample", "*.template", "*.dist", "*.defaults", "example.env", "sample.env"];

/// Whether a file keeps secrets, by its name and those of the directories around it.
///
/// A search asks this for every file there is, so nothing is copied, and most names are told apart by their lengths.
pub fn is_secret_file(path: &RelPath) -> bool {
    let mut parts = path.as_bytes().rsplit(|byte| *byte == b'/');
    let name = parts.next().unwrap_or_default();
    if PUBLIC.iter().any(|known| fits(known, name)) {
        return false;
    }
    let is = |part: &[u8], known: &str| part.eq_ignore_ascii_case(known.as_bytes());
    let around = parts.clone().next().unwrap_or_default();
    SECRET_NAMES.iter().any(|known| fits(known, name))
        || IN_DIRS.iter().any(|(dir, file)| is(around, dir) && is(name, file))
        || parts.any(|dir| SECRET_DIRS.iter().any(|known| is(dir, known)))
}

fn fits(pattern: &str, name: &[u8]) -> bool {
    match pattern.as_bytes() {
        [b'*', end @ ..] => {
            let start = name.len().checked_sub(end.len());
            start.is_some_and(|start| name[start..].eq_ignore_ascii_case(end))
        }
        [start @ .., b'*'] => name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start)),
        whole => name.eq_ignore_ascii_case(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::{PUBLIC, SECRET_NAMES, is_secret_file};
    use crate::RelPath;

    #[track_caller]
    fn check(paths: &str, expected: bool) {
        for path in paths.split_whitespace() {
            assert_eq!(is_secret_file(&RelPath::from(path)), expected, "{path}");
        }
    }

    #[test]
    fn names_stand_for_anything_only_at_their_ends() {
        for pattern in SECRET_NAMES.iter().chain(PUBLIC) {
            let inner = pattern.strip_prefix('*').or(pattern.strip_suffix('*')).unwrap_or(pattern);
            assert!(!inner.contains('*') && inner.to_ascii_lowercase() == inner, "{pattern}");
        }
    }

    #[test]
    fn secret_files_are_known_by_their_names() {
        check(
            ".env a/.env .env.production prod.env .ENV id_rsa .ssh/id_ed25519 a/id_rsa.bak server.pem tls.key",
            true,
        );
        check("x.kdbx a/b/x.P12 .netrc .pgpass .aws/credentials home/.docker/config.json .kube/config", true);
        check(".ssh/anything .gnupg/private-keys-v1.d/a.key terraform.tfstate .git-credentials", true);
    }

    #[test]
    fn examples_and_the_public_half_are_no_secrets() {
        check(
            ".env.example .env.sample a/.env.template .env.dist example.env id_rsa.pub .ssh/id_ed25519.pub",
            false,
        );
        check(
            "env.py environment.rs credentials config.json src/keys.rs id_map.rs .envelope keystore.go",
            false,
        );
        check("secret_file.rs docs/secrets.md .npmrc", false);
    }

    #[test]
    fn patterns_are_what_other_programs_take_for_patterns() {
        for pattern in SECRET_NAMES {
            assert!(pattern.matches('*').count() <= 1, "{pattern}");
            assert!(!pattern.contains(['?', '[', '\\', '/']), "{pattern}");
        }
    }
}
