//! Every kind of fact has its words.

use luminos_core::RelPath;
use luminos_core::fact::{Change, Gravity, Reader, Service};

use super::*;

fn text(text: &str) -> String {
    text.to_owned()
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().copied().map(text).collect()
}

fn of(kind: &str, name: &str) -> Symbol {
    Symbol { kind: text(kind), name: text(name) }
}

fn service(name: &str, image: Option<&str>) -> Service {
    Service { name: text(name), image: image.map(text) }
}

fn change(file: &str, commits: u64) -> Change {
    Change { file: text(file), commits }
}

fn holding(count: u64, noun: &str, period: Option<(&str, &str)>, details: Vec<Detail>) -> FactKind {
    let period = period.and_then(|(from, to)| Day::parse(from).zip(Day::parse(to)));
    FactKind::Holding(Holding { count, noun: text(noun), period, details })
}

fn count_of(number: u64, of: &str) -> Count {
    Count { number, of: text(of) }
}

#[track_caller]
fn check(fact: FactKind, words: &str) {
    let fact = Fact::new(Subject::File(RelPath::from("a/b.toml")), fact, Vec::new(), Reader::Manifest);
    assert_eq!(sentence(&fact), format!("`a/b.toml` {words}"));
}

#[test]
fn every_kind_of_fact_has_its_words() {
    check(FactKind::Description { text: text("A “good” thing.") }, "describes it: “A “good” thing.”");
    check(FactKind::OwnWords { text: text("Hm.") }, "says of itself: “Hm.”");
    check(
        FactKind::Package { kind: text("Rust crate"), name: text("x"), version: Some(text("0.1.0")) },
        "declares the Rust crate `x`, version 0.1.0.",
    );
    check(
        FactKind::Package { kind: text("Rust crate"), name: text("x"), version: None },
        "declares the Rust crate `x`.",
    );
    check(FactKind::Version { version: text("0.1.0") }, "names the version 0.1.0.");
    check(FactKind::Licence { name: text("MIT") }, "names the licence MIT.");
    check(
        FactKind::Offers { offer: OfferKind::Targets, names: texts(&["all", "test"]) },
        "has the targets `all` and `test`.",
    );
    check(FactKind::Offers { offer: OfferKind::Programs, names: texts(&["x"]) }, "has the program `x`.");
    check(FactKind::EntryPoint { code: text("fn main") }, "is an entry point: `fn main`.");
    check(FactKind::Members { names: texts(&["x", "y", "z"]) }, "is a workspace of `x`, `y` and `z`.");
    check(FactKind::Dependencies { names: texts(&["x"]) }, "depends on `x`.");
    check(
        FactKind::Definitions { symbols: vec![of("struct", "A"), of("enum", "B")] },
        "defines struct `A` and enum `B`.",
    );
    check(
        FactKind::Mention { of: text("src/a.c"), text: text("It: starts.") },
        "says of `src/a.c`: “It: starts.”",
    );
    check(
        FactKind::NamedBeside { symbol: of("struct", "Hub"), files: 12 },
        "is where struct `Hub` is defined, which 12 files beside it name.",
    );
    check(FactKind::References { dirs: texts(&["x", "y/z"]) }, "refers to `x` and `y/z`.");
    check(FactKind::Title { text: text("Hm") }, "is titled “Hm”");
    check(FactKind::Columns { names: texts(&["id", "name"]) }, "has the columns `id` and `name`.");
    check(FactKind::Imports { modules: texts(&["a.b", "c"]) }, "imports `a.b` and `c`.");
    check(
        FactKind::Period { from: text("2021-01-02"), to: text("2023-04-05") },
        "covers 2021-01-02 to 2023-04-05.",
    );
    check(
        FactKind::Fault { gravity: Gravity::Usual, text: text("1 of 9 values of `x` are missing") },
        "has a catch: 1 of 9 values of `x` are missing.",
    );
    check(
        FactKind::Documentation { symbol: of("class", "Hub"), text: text("What: all meet in.") },
        "explains class `Hub`: “What: all meet in.”",
    );
    check(
        FactKind::Commands { purpose: Purpose::Test, commands: texts(&["make test", "x with y"]) },
        "tests with `make test` and `x with y`.",
    );
    check(
        FactKind::Requirement { tool: text("Python"), version: text(">=3.10") },
        "requires `Python >=3.10`.",
    );
    check(FactKind::DevelopmentDependencies { names: texts(&["mocha"]) }, "names for development `mocha`.");
    check(FactKind::EntryFile { file: text("index.js") }, "is loaded at `index.js`.");
    check(FactKind::Ports { ports: texts(&["80", "443:8443"]) }, "opens port `80` and `443:8443`.");
    check(
        FactKind::Services { services: vec![service("db", Some("postgres:15")), service("web", None)] },
        "starts `db: postgres:15` and `web`.",
    );
    check(FactKind::Variables { names: texts(&["PORT"]) }, "takes from the environment `PORT`.");
    check(
        FactKind::Churn { commits: 200, files: vec![change("a.c", 12), change("b/x y.c", 3)] },
        "shows what the last 200 commits changed most: `a.c` (12) and `b/x y.c` (3).",
    );
    check(FactKind::Counts { types: 1, functions: 0, tests: 2 }, "has 1 type and 2 tests.");
    let history = |last_year: u64, last: &str| FactKind::History {
        commits: 1_200,
        is_cut: true,
        authors: 3,
        first: Day::of_number(18_262),
        last: Day::parse(last).unwrap(),
        last_year,
        last_year_authors: 1,
    };
    check(
        history(5, "2024-05-17"),
        "leads to at least 1,200 commits by 3 authors from 2020-01-01 to 2024-05-17; 5 commits by 1 author in its last twelve months.",
    );
    check(history(1_200, "2020-01-01"), "leads to at least 1,200 commits by 3 authors on 2020-01-01.");
}

#[test]
fn what_files_and_directories_hold_has_its_words() {
    let column = |kind: &str, name: &str, range: Option<(&str, &str)>, different: Option<u64>| Column {
        kind: text(kind),
        name: text(name),
        range: range.map(|(least, most)| (text(least), text(most))),
        different,
    };
    let columns =
        vec![column("integer", "day", Some(("1", "2")), None), column("text", "wheel", None, Some(2))];
    let table = |more_columns: u64| {
        FactKind::Contents(Contents::Table { rows: 3, columns: columns.clone(), more_columns })
    };
    check(table(0), "holds 3 rows; integer `day` (1 to 2) and text `wheel` (2 different).");
    check(table(4), "holds 3 rows; integer `day` (1 to 2), text `wheel` (2 different) and 4 more columns.");
    let log = Contents::Log { lines: 1_000, levels: vec![count_of(2, "ERROR"), count_of(998, "INFO")] };
    check(FactKind::Contents(log), "holds 1,000 lines: 2 ERROR and 998 INFO.");
    let terraform = Contents::Terraform {
        resources: texts(&["aws_instance", "aws_instance"]),
        modules: Vec::new(),
        providers: texts(&["aws"]),
        variables: texts(&["region"]),
        outputs: Vec::new(),
    };
    check(
        FactKind::Contents(terraform),
        "holds Terraform with 2 resources (`aws_instance`), the provider `aws` and 1 variable (`region`).",
    );
    check(holding(1, "photo", None, Vec::new()), "keeps 1 photo.");
    let cameras =
        |took_all: bool, cameras: Vec<Count>| Detail::Cameras { are_scanners: false, took_all, cameras };
    check(
        holding(
            7,
            "photo",
            Some(("2021-01-02", "2023-04-05")),
            vec![
                cameras(false, vec![count_of(3, "A"), count_of(4, "B")]),
                Detail::Text(text("up to 4 × 3 pixels")),
            ],
        ),
        "keeps 7 photos, 2021-01-02 to 2023-04-05: taken with A (3) and B (4); up to 4 × 3 pixels.",
    );
    check(
        holding(2, "photo", Some(("2021", "2021")), vec![cameras(true, vec![count_of(2, "A")])]),
        "keeps 2 photos, 2021: taken with A.",
    );
}
