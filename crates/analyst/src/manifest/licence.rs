//! Which licence a file grants.

use luminos_core::fact::{Fact, FactKind, Reader};

use crate::eyes::FileText;

pub(super) fn is_licence(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let stem = upper.split('.').next().unwrap_or_default();
    ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"].iter().any(|word| stem.starts_with(word))
        && !upper.ends_with(".PY")
        && !upper.ends_with(".GO")
}

/// Licences by words that stand in their texts. Those whose text holds another's words come first.
const LICENCES: &[(&str, &str)] = &[
    ("GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL"),
    ("GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"),
    ("GNU GENERAL PUBLIC LICENSE", "GPL"),
    ("PYTHON SOFTWARE FOUNDATION LICENSE", "Python-2.0"),
    ("Redis Source Available License", "RSALv2"),
    ("Server Side Public License", "SSPL"),
    ("Business Source License", "BUSL"),
    ("Apache License", "Apache-2.0"),
    ("Mozilla Public License", "MPL-2.0"),
    ("Eclipse Public License - v 2.0", "EPL-2.0"),
    ("Eclipse Public License", "EPL"),
    ("Boost Software License", "BSL-1.0"),
    ("European Union Public Licen", "EUPL-1.2"),
    ("same terms as Perl", "Perl 5 (Artistic-1.0 or GPL)"),
    ("same terms as the Perl 5", "Perl 5 (Artistic-1.0 or GPL)"),
    ("MIT License", "MIT"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"),
    ("This is free and unencumbered software released into the public domain", "Unlicense"),
    ("Permission to use, copy, modify, and/or distribute this software", "ISC"),
    ("Permission to use, copy, modify, and distribute this software", "ISC"),
    ("ISC License", "ISC"),
    ("CC0 1.0 Universal", "CC0-1.0"),
    ("Creative Commons Attribution", "Creative Commons"),
    ("Creative Commons Legal Code", "Creative Commons"),
    ("DO WHAT THE FUCK YOU WANT TO", "WTFPL"),
    // A few words instead of a text.
    ("apache.org/licenses/LICENSE-2.0", "Apache-2.0"),
    ("opensource.org/licenses/MIT", "MIT"),
];

/// The licence whose words stand first in a text.
pub(super) fn of_text(file: &FileText) -> Option<Fact> {
    let found = LICENCES.iter().filter_map(|(words, name)| Some((file.find(words)?, *words, *name)));
    // A licence of several is told by the one that names itself.
    let is_collection = |name: &str| name == "Python-2.0";
    let (line, words, name) = found.min_by_key(|(line, _, name)| (!is_collection(name), *line))?;
    let mut evidence = vec![file.cite_words(line, words)];
    let mut version = |words: &str, short: &str| {
        let line = file.find(words).filter(|found| *found <= line + 4)?;
        evidence.push(file.cite_words(line, words));
        Some(short.to_owned())
    };
    let name = match name {
        "RSALv2" if file.find("Server Side Public License").is_some() => "RSALv2 OR SSPL".to_owned(),
        // Much like MIT, and known by its own name.
        "ISC"
            if file.find("Except as contained in this notice, the name of a copyright holder").is_some() =>
        {
            "curl".to_owned()
        }
        "Creative Commons" if let Some(line) = file.find("CC0 1.0 Universal") => {
            evidence.push(file.cite_lines(line, line));
            "CC0-1.0".to_owned()
        }
        "Creative Commons" => deed(file, &mut evidence).unwrap_or_else(|| name.to_owned()),
        "BSD" => match file.find("Neither the name").or_else(|| file.find("names of its")) {
            Some(line) => {
                evidence.push(file.cite_lines(line, line));
                "BSD-3-Clause".to_owned()
            }
            None => "BSD-2-Clause".to_owned(),
        },
        "AGPL" | "GPL" | "LGPL" => {
            let versions = [("Version 3", "3.0"), ("Version 2.1", "2.1"), ("Version 2", "2.0")];
            let number = versions.iter().find_map(|(words, number)| version(words, number));
            number.map_or(name.to_owned(), |number| format!("{name}-{number}"))
        }
        name => name.to_owned(),
    };
    Some(file.fact(Reader::Manifest, FactKind::Licence { name }, evidence))
}

/// Which of the licences of Creative Commons it is, by its title: `Attribution-NonCommercial 4.0 International`.
fn deed(file: &FileText, evidence: &mut Vec<luminos_core::proof::Evidence>) -> Option<String> {
    let (number, line) = file.lines().take(20).find(|(_, line)| {
        line.contains("Attribution") && line.chars().any(|letter| letter.is_ascii_digit())
    })?;
    let mut name = "CC-BY".to_owned();
    for (word, short) in [("NonCommercial", "-NC"), ("ShareAlike", "-SA"), ("NoDeriv", "-ND")] {
        name.push_str(if line.contains(word) { short } else { "" });
    }
    let is_version = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let version = line.split_whitespace().find(is_version)?;
    evidence.push(file.cite_lines(number, number));
    Some(format!("{name}-{version}"))
}

/// The usual short name of a licence that a manifest names.
pub(crate) fn usual(name: &str) -> String {
    match name.trim() {
        "MIT License" | "The MIT License" => "MIT",
        "Apache License, Version 2.0" | "Apache 2.0" | "Apache License 2.0" | "Apache Software License" => {
            "Apache-2.0"
        }
        "BSD License" => "BSD",
        "GPL-3" => "GPL-3.0",
        "GPL-2" => "GPL-2.0",
        "LGPL-3" => "LGPL-3.0",
        "AGPL-3" => "AGPL-3.0",
        // How Cargo wrote a choice once.
        name if name.contains('/') && !name.contains([' ', ':']) && !name.ends_with(".txt") => {
            return name.replace('/', " OR ");
        }
        name => name,
    }
    .to_owned()
}
