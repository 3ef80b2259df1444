use super::{Answer, Candidate, Field, LEAST, LONGEST};

fn candidates(of: &[(&str, u8)]) -> Vec<Candidate> {
    of.iter().map(|(text, score)| Candidate::new(text, "a test", *score)).collect()
}

fn texts(of: &[Candidate]) -> Vec<&str> {
    of.iter().map(|candidate| candidate.text.as_str()).collect()
}

#[test]
fn the_best_candidate_answers_and_the_others_are_kept() {
    let answer = Answer::choose(Field::Version, candidates(&[("1.0", 60), ("2.0", 90), ("3.0", 60)]));
    assert_eq!((texts(&answer.told), texts(&answer.others)), (vec!["2.0"], vec!["1.0", "3.0"]));
}

#[test]
fn nothing_is_told_below_the_least_score() {
    let answer = Answer::choose(Field::Version, candidates(&[("1.0", LEAST - 1)]));
    assert_eq!((texts(&answer.told), texts(&answer.others)), (vec![], vec!["1.0"]));
}

#[test]
fn what_says_the_same_counts_once_and_with_the_better_score() {
    let answer = Answer::choose(Field::Licence, candidates(&[("mit", 60), ("MIT", 90), ("", 99)]));
    assert_eq!((texts(&answer.told), texts(&answer.others)), (vec!["MIT"], vec![]));
}

#[test]
fn a_field_tells_as_many_as_a_reader_takes_in() {
    let parts: Vec<(String, u8)> = (0..40).map(|number| (format!("part {number}"), 80)).collect();
    let parts: Vec<(&str, u8)> = parts.iter().map(|(text, score)| (text.as_str(), *score)).collect();
    let answer = Answer::choose(Field::Parts, candidates(&parts));
    assert_eq!((answer.told.len(), answer.others.len()), (8, 12));
    assert_eq!(answer.told[0].text, "part 0");
}

#[test]
fn long_texts_are_cut_between_characters() {
    let long = Candidate::new(&"ä".repeat(LONGEST), "a test", 200);
    assert!(long.text.len() <= LONGEST && long.text.ends_with("ä…"), "{}", long.text);
    assert_eq!(long.score, 100);
}

#[test]
fn every_field_has_its_word() {
    for field in Field::ALL {
        assert_eq!(Field::of_word(field.word()), Some(field));
        let serialized = serde_json::to_value(field).unwrap();
        assert_eq!(serialized, field.word());
    }
    assert_eq!(Field::of_word("versions"), None);
}
