//! Facts come back as they were, and never grow.

use super::*;

#[track_caller]
fn comes_back(fact: FactKind, json: &str) {
    let subject = Subject::File(RelPath::from("a/b.toml"));
    let fact = Fact::new(subject, fact, Vec::new(), Reader::Manifest);
    let written = serde_json::to_string(&fact).unwrap();
    assert_eq!(written, format!(r#"{{"subject":{{"file":"a/b.toml"}},"fact":{json},"reader":"manifest"}}"#));
    assert_eq!(serde_json::from_str::<Fact>(&written).unwrap(), fact);
}

#[test]
fn facts_come_back_as_they_were() {
    comes_back(
        FactKind::Package { kind: "Rust crate".to_owned(), name: "x".to_owned(), version: None },
        r#"{"package":{"kind":"Rust crate","name":"x"}}"#,
    );
    comes_back(
        FactKind::Commands { purpose: Purpose::Test, commands: vec!["make test".to_owned()] },
        r#"{"commands":{"purpose":"test","commands":["make test"]}}"#,
    );
    comes_back(
        FactKind::Holding(Holding {
            count: 402,
            noun: "photo".to_owned(),
            period: Some((Day::of_year(2021), Day::of_number(19_000))),
            details: vec![Detail::Cameras {
                are_scanners: false,
                took_all: true,
                cameras: vec![Count { number: 402, of: "X100".to_owned() }],
            }],
        }),
        r#"{"holding":{"count":402,"noun":"photo","period":["2021","2022-01-08"],"details":[{"cameras":{"took_all":true,"cameras":[{"number":402,"of":"X100"}]}}]}}"#,
    );
    comes_back(
        FactKind::Contents(Contents::Log {
            lines: 3,
            levels: vec![Count { number: 2, of: "ERROR".to_owned() }],
        }),
        r#"{"contents":{"log":{"lines":3,"levels":[{"number":2,"of":"ERROR"}]}}}"#,
    );
}

#[test]
fn a_fact_about_its_own_entry_does_not_repeat_the_path() {
    let fact =
        Fact::new(Subject::This, FactKind::Title { text: "Hm".to_owned() }, Vec::new(), Reader::Document);
    assert_eq!(
        serde_json::to_string(&fact).unwrap(),
        r#"{"fact":{"title":{"text":"Hm"}},"reader":"document"}"#
    );
}

#[test]
fn days_are_those_of_the_calendar() {
    for (text, number) in
        [("1970-01-01", 0), ("2000-02-29", 11_016), ("2024-12-31", 20_088), ("1969-12-31", -1)]
    {
        let day = Day::of_number(number);
        assert_eq!(day.to_string(), text);
        assert_eq!(Day::parse(text), Some(day));
    }
    for (seconds, expected) in [
        (1, Some("1970-01-01")),
        (951_782_400, Some("2000-02-29")),
        (1_709_164_800, Some("2024-02-29")),
        (1_735_689_599, Some("2024-12-31")),
        (1_735_689_600, Some("2025-01-01")),
        (0, None),
        (-5, None),
        (i64::MAX, None),
    ] {
        assert_eq!(Day::of_moment(seconds).map(|day| day.to_string()).as_deref(), expected, "{seconds}");
    }
    assert_eq!(Day::parse("1990"), Some(Day::of_year(1990)));
    for no_day in ["", "19", "1990-1-1", "1990-01", "1990-13-01", "1990-01-00", "1990-01-01-01", "year"] {
        assert_eq!(Day::parse(no_day), None, "{no_day}");
    }
    assert!(Day::of_year(2020) < Day::of_number(18_262) && Day::of_number(18_262) < Day::of_year(2021));
}

#[test]
fn no_fact_grows_past_what_is_kept() {
    let long = "é".repeat(1 << 20);
    let many = || vec![long.clone(); 400];
    let kinds = [
        FactKind::Description { text: long.clone() },
        FactKind::Package { kind: long.clone(), name: long.clone(), version: Some(long.clone()) },
        FactKind::Dependencies { names: many() },
        FactKind::Definitions {
            symbols: many().into_iter().map(|name| Symbol { kind: "type".to_owned(), name }).collect(),
        },
        FactKind::Services {
            services: many().into_iter().map(|name| Service { image: Some(name.clone()), name }).collect(),
        },
        FactKind::Contents(Contents::Kubernetes {
            objects: many()
                .into_iter()
                .map(|kind| KubernetesObject { name: Some(kind.clone()), kind })
                .collect(),
        }),
        FactKind::Holding(Holding {
            count: 1,
            noun: long.clone(),
            period: None,
            details: vec![Detail::Text(long.clone()), Detail::List(many()), Detail::Names(long.clone())],
        }),
    ];
    for kind in kinds {
        let fact = Fact::new(Subject::This, kind, Vec::new(), Reader::Source);
        let length = serde_json::to_vec(&fact).unwrap().len();
        assert!(length < 48 << 10, "{length} bytes");
    }
}
