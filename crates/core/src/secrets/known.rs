//! Values that have the form of secrets and are none: published by those who made them, for trying out.
//!
//! Kept as the sha256 of the value, so that no scanner takes this list for a leak. What is on it is neither flagged nor
//! masked; what only looks like an example is masked and not flagged. Adding one: `printf %s VALUE | sha256sum`.

use sha2::{Digest as _, Sha256};

use crate::ContentHash;

/// What the examples of services end in.
const ENDS: &[&str] = &["EXAMPLE", "EXAMPLEKEY", "EXAMPLETOKEN"];
/// Rows in which the documentation of services writes its examples.
const MARKS: &[&str] = &["XXXXXXXX", "xxxxxxxx", "00000000000000000000", "1234567890123456"];

/// The values, by their sha256, each with where it is published.
const PUBLISHED: &[(&str, &str)] = &[
    (
        "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
        "Azurite and the Azure storage emulator, devstoreaccount1",
    ),
    ("aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615", "the emulator of Azure Cosmos DB"),
    ("2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326", "documentation of Stripe"),
    ("f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397", "documentation of Stripe"),
    ("2d1f7723aabc5c7a51fcdc2463c99b5f3fdbc57cf3134db4ac12913c35976e6f", "documentation of Stripe"),
    ("7f75367e7881255134e1375e723d1dea8ad5f6a4fdb79d938df1f1754a830606", "jwt.io"),
    ("da816f9f2c16e6c5390e7636cadc40c43551bf0bbcf8f36c65539e6633a9c5e8", "jwt.io, before 2018"),
    ("f7026ba153dc0b7d0823c3dfd000864ac47723672d2dee20b49f8690937150c9", "Debian's Chromium"),
    (
        "f7010ed46587929256ab8329e9030bebf3ab3f4390c063fe1e2de30a6ac22162",
        "Chrome's own key, in every installation",
    ),
    ("ea1ca3e25b35a51ea7c8c9e5434d6faa6d49963d09845fb49028aaa4f6a2e709", "documentation of WireGuard"),
    ("3543c50b0cb9cea8e55eb1f529b79f043cb250d485fde7b66cabbb5183add7da", "documentation of GitHub"),
    ("bc3ae723f57c6b9e3fd80b699fcc420f6074b0b1718039669d22631d508ac0a7", "documentation of GitHub"),
];

/// Whether a value says of itself that it is an example, or is published for everybody to use: nobody needs to be told of it.
pub fn is_published(value: &[u8]) -> bool {
    let has = |mark: &&str| value.windows(mark.len()).any(|part| part == mark.as_bytes());
    let is_example = ENDS.iter().any(|end| value.ends_with(end.as_bytes())) || MARKS.iter().any(has);
    is_example && value.len() < 120 || is_known_to_all(value)
}

/// Whether a value is known to everybody. Only such a one is shown: what looks like an example may be a secret after all.
pub(super) fn is_known_to_all(value: &[u8]) -> bool {
    let hash = ContentHash(Sha256::digest(value).into()).to_string();
    PUBLISHED.iter().any(|(known, _)| *known == hash)
}
