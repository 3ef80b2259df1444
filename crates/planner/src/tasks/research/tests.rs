use super::*;

fn evidence(claim: &Claim, path: &str, stance: &str, verified: bool) -> EvidenceRow {
    EvidenceRow {
        claim: claim.id.clone(),
        path: path.to_owned(),
        first_line: 1,
        last_line: 1,
        quote: "q".to_owned(),
        stance: stance.to_owned(),
        verified,
    }
}

#[test]
fn claims_are_tidied_and_a_question_is_always_one() {
    let raw = [
        ("  a   b ".to_owned(), 500, None),
        ("A B".to_owned(), 5, None),
        (" ".to_owned(), 5, None),
        ("secrets leak".to_owned(), -3, None),
    ];
    let claims = tidy_claims(&raw, "q", Profile::Mid);
    let told: Vec<String> =
        claims.iter().map(|claim| format!("{} {} {}", claim.priority, claim.risk, claim.text)).collect();
    assert_eq!(told, ["100 low a b", "1 high secrets leak"]);
    assert_eq!(tidy_claims(&[], " why? ", Profile::Low)[0].text, "why?");
    let many: Vec<_> = (0..30).map(|at| (format!("c{at}"), 50, None)).collect();
    assert_eq!(tidy_claims(&many, "q", Profile::Ultra).len(), 12);
}

#[test]
fn only_verified_places_settle_a_claim() {
    let mut one = tidy_claims(&[], "c", Profile::Mid).remove(0);
    for (rows, expected) in [
        (vec![("a", "supporting", true), ("b", "supporting", true)], ("supported", 90)),
        (vec![("a", "supporting", true)], ("supported", 65)),
        (vec![("a", "supporting", false), ("b", "mention", true)], ("provisional", 35)),
        (vec![("a", "counter", true)], ("refuted", 75)),
        (vec![("a", "supporting", true), ("b", "counter", true)], ("contested", 50)),
    ] {
        let rows: Vec<EvidenceRow> =
            rows.into_iter().map(|(path, stance, ok)| evidence(&one, path, stance, ok)).collect();
        settle(&mut one, &rows, Profile::Mid);
        assert_eq!((one.stance.as_str(), one.confidence), expected);
    }
}

#[test]
fn the_gate_names_what_is_missing() {
    let mut claims = tidy_claims(&[("a".to_owned(), 1, None), ("b".to_owned(), 1, None)], "q", Profile::Low);
    let rows = [evidence(&claims[0], "x", "supporting", true), evidence(&claims[1], "x", "supporting", true)];
    claims.iter_mut().for_each(|claim| settle(claim, &rows, Profile::Low));
    assert_eq!(shortfalls(&claims, &rows, false, Profile::Low), Vec::<String>::new());
    let bad = [evidence(&claims[0], "x", "supporting", true), evidence(&claims[0], "y", "supporting", false)];
    insta::assert_snapshot!(shortfalls(&claims, &bad, false, Profile::Mid).join("\n"), @"
    2 claims, and the profile mid wants 4
    `a` has 1 verified place for or against it, and 2 are wanted
    `b` has 0 verified places for or against it, and 2 are wanted
    nobody has looked for places that speak against the claims
    only 1 of 2 places stand where they are said to
    ");
}
