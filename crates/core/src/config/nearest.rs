//! The setting that a misspelt name was perhaps meant to be.

use strsim::damerau_levenshtein;

use super::{SETTINGS, Setting, settings::SECTIONS};

/// The setting nearest to what was written, be it a key (`scan.hiden`) or the rest of a variable's name
/// (`SCAN_HIDEN`). Somebody who forgot the section (`hidden`) is understood too.
pub(super) fn nearest_setting(written: &str) -> Option<&'static Setting> {
    let written = plain(written);
    nearest(&written, SETTINGS, |setting| {
        let (_, name) = setting.section_and_name();
        let whole = damerau_levenshtein(&written, &plain(setting.key));
        let without_section = damerau_levenshtein(&written, name) + 1;
        whole.min(without_section)
    })
}

/// The section nearest to what was written.
pub(super) fn nearest_section(written: &str) -> Option<&'static str> {
    nearest(written, SECTIONS, |section| damerau_levenshtein(written, section)).copied()
}

fn nearest<T>(written: &str, known: &'static [T], distance: impl Fn(&T) -> usize) -> Option<&'static T> {
    // Beyond a third of the letters, what is nearest is no longer near: no hint is better than a wrong one.
    let limit = (written.len() / 3).max(1);
    let (distance, nearest) = known.iter().map(|item| (distance(item), item)).min_by_key(|(far, _)| *far)?;
    (distance <= limit).then_some(nearest)
}

/// A name without the differences that people do not see.
fn plain(name: &str) -> String {
    name.replace(['.', '_'], "-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: Option<&str>) {
        assert_eq!(nearest_setting(written).map(|setting| setting.key), expected, "{written}");
    }

    #[test]
    fn misspelt_settings_are_recognised() {
        check("scan.hiden", Some("scan.hidden"));
        check("scan.ignore_files", Some("scan.ignore-files"));
        check("SCAN_HASHLIMIT", Some("scan.hash-limit"));
        check("hidden", Some("scan.hidden"));
        check("colour", Some("color"));
        check("homr", Some("home"));
    }

    #[test]
    fn what_resembles_nothing_gets_no_hint() {
        check("x", None);
        check("workers", None);
        check("scan.follow-symlinks", None);
    }

    #[test]
    fn misspelt_sections_are_recognised() {
        assert_eq!(nearest_section("scna"), Some("scan"));
        assert_eq!(nearest_section("model"), Some("models"));
        assert_eq!(nearest_section("weather"), None);
    }
}
