//! Which language a text is in, by the small words that every sentence needs.

/// Fewer small words say nothing.
const FEWEST: usize = 4;

const WORDS: [(&str, &[&str]); 7] = [
    ("English", &["the", "and", "of", "to", "is", "that", "with", "for", "was", "are", "this", "you"]),
    (
        "German",
        &[
            "der", "die", "das", "und", "ist", "nicht", "mit", "ein", "eine", "für", "den", "von", "sie",
            "ich",
        ],
    ),
    ("French", &["le", "les", "des", "et", "est", "une", "dans", "pour", "que", "qui", "pas", "vous", "du"]),
    ("Italian", &["il", "che", "di", "della", "per", "sono", "non", "gli", "una", "con", "del", "è"]),
    ("Spanish", &["el", "los", "las", "que", "y", "para", "una", "con", "por", "del", "está", "es"]),
    ("Dutch", &["het", "een", "van", "en", "niet", "voor", "zijn", "met", "dat", "op", "aan"]),
    ("Portuguese", &["o", "os", "que", "não", "uma", "para", "com", "do", "da", "em", "são"]),
];

/// The language of a text; `None` where too little speaks for one.
pub(super) fn language(text: &str) -> Option<&'static str> {
    let mut hits = [0_usize; WORDS.len()];
    let is_part = |character: char| character.is_alphanumeric() || character == '\'';
    for word in text.split(|character| !is_part(character)).filter(|word| !word.is_empty()).take(1_500) {
        let word = word.to_lowercase();
        for (count, (_, words)) in hits.iter_mut().zip(WORDS) {
            *count += usize::from(words.contains(&word.as_str()));
        }
    }
    let best = (0..WORDS.len()).max_by_key(|at| (hits[*at], std::cmp::Reverse(*at)))?;
    let next = (0..WORDS.len()).filter(|at| *at != best).map(|at| hits[at]).max().unwrap_or(0);
    (FEWEST <= hits[best] && next * 3 < hits[best] * 2).then_some(WORDS[best].0)
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn small_words_tell_the_language() {
        assert_eq!(
            language(
                "Liebe Oma, vielen Dank für die Socken, sie sind von der besten Art und ich trage sie mit Freude."
            ),
            Some("German")
        );
        assert_eq!(language("This is the report of the year, and it was written for you."), Some("English"));
        assert_eq!(
            language(
                "Je vous prie de trouver les pièces dans le dossier, et une copie du permis pour la mairie."
            ),
            Some("French")
        );
        assert_eq!(language("Mehl, Wasser, Salz"), None);
        assert_eq!(language(""), None);
    }
}
