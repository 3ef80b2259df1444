//! Reports made by hand, for tests.

use luminos_core::answer::{Answer, Answers, Candidate, Field};
use luminos_core::entry::{Claim, Coverage, DirEntry, ENTRY_FORMAT, Share, Stamp};
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::{Evidence, ToolCallId};
use luminos_core::report::{Counters, Findings, Item, Note, Origin, Report, Section, Subsystem};
use luminos_core::scan::Category;
use luminos_core::seen::{Extent, Look, SeenFile};
use luminos_core::spend::{Money, PassSpend, Tokens, Totals, Usage};
use luminos_core::{ContentHash, RelPath};

mod hostile;

pub(crate) use hostile::{HOSTILE, hostile, made_of};

pub(crate) fn entry(path: &str, summary: &str) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: format!("/home/ada/parcel/{path}"),
        relative_path: RelPath::from(path),
        child_count: 4,
        summary: summary.to_owned(),
        dominant_category: Category::Source,
        cached_at: Stamp("2026-11-16T07:01:00Z".to_owned()),
        notable_files: Vec::new(),
        confidence: Share::new(0.9),
        confidence_reason: None,
        completeness: Share::new(0.8),
        coverage: Coverage {
            unreadable: 0,
            files: 4,
            files_seen: 3,
            bytes: 9_000,
            bytes_seen: 6_000,
            symbols: 20,
            symbols_seen: 15,
        },
        claims: Vec::new(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: Some(ContentHash([0x22; 32])),
        key: Some(ContentHash([0x33; 32])),
        digest: Some(ContentHash([0x44; 32])),
        epoch: 3,
        run: String::new(),
    }
}

pub(crate) fn evidence(path: &str, lines: (u64, u64), quote: Option<&str>) -> Evidence {
    Evidence {
        path: RelPath::from(path),
        start_line: lines.0,
        end_line: lines.1,
        quote: quote.map(str::to_owned),
        quote_hash: None,
        start: quote.map(|_| 120),
        end: quote.map(|quote| 120 + quote.len() as u64),
        blob: quote.map(|_| ContentHash([0x55; 32])),
        call: quote.map(|_| ToolCallId("call-7".to_owned())),
    }
}

pub(crate) fn claim(text: &str, evidence: Vec<Evidence>, faults: &[&str]) -> Claim {
    let faults: Vec<String> = faults.iter().map(|&fault| fault.to_owned()).collect();
    Claim {
        refuted: false,
        fact: None,
        text: text.to_owned(),
        evidence,
        entries: Vec::new(),
        verified: faults.is_empty(),
        faults,
    }
}

pub(crate) fn flag(severity: Severity, finding: &str, evidence: Vec<Evidence>) -> Flag {
    let path = evidence.first().map_or_else(RelPath::root, |evidence| evidence.path.clone());
    let directory = path.parent().unwrap_or_default();
    let finding = finding.to_owned();
    Flag { path, finding, severity, rule: None, evidence, directory, verified: true, faults: Vec::new() }
}

fn text(text: &str) -> Vec<Item> {
    vec![Item { text: text.to_owned(), ..Item::default() }]
}

fn item(name: &str, path: Option<&str>, text: &str) -> Item {
    Item {
        kind: None,
        name: name.to_owned(),
        path: path.map(RelPath::from),
        text: text.to_owned(),
        sources: Vec::new(),
    }
}

/// A web service of middling size, not wholly investigated.
pub(crate) fn report() -> Report {
    let mut report = Report::new(Origin::Model, findings(), entries(), flags());
    report.investigation = "019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee".to_owned();
    report.target = "parcel".to_owned();
    report.path = "/home/ada/parcel".to_owned();
    report.content_hash = Some(ContentHash([0x3f; 32]));
    report.set_files((files(), 3));
    report.made_at = Stamp("2026-11-16T07:05:09Z".to_owned());
    let models = [("dir", "anthropic/claude-haiku-4-5"), ("synthesis", "anthropic/claude-opus-4-5")];
    report.models = models.map(|(pass, model)| (pass.to_owned(), model.to_owned())).into();
    report.subsystems = vec![Subsystem {
        told: Default::default(),
        name: "Delivery".to_owned(),
        description: "Everything between an order and a courier.".to_owned(),
        dirs: vec![RelPath::from("src"), RelPath::from("src/routes")],
    }];
    report.counters = Counters {
        dirs: 9,
        files: 1_204,
        bytes: 7_340_032,
        dirs_investigated: 7,
        dirs_reused: 2,
        dirs_partial: 1,
        dirs_skipped: 1,
        dirs_failed: 1,
        turns: 61,
        calls: 68,
        usage: Usage {
            input: Tokens(41_200),
            cache_write_5m: Tokens(90_100),
            cache_write_1h: Tokens(0),
            cache_read: Tokens(812_000),
            output: Tokens(38_450),
        },
        second_judge: None,
        cost: Some(Money::from_nanodollars(2_498_765_432)),
        reserved: Totals::default(),
        lost: Totals { money: Money::from_nanodollars(131_000_000), tokens: Tokens(11_200), calls: 1 },
        seconds: 192,
    };
    let spend = |calls, input, output, nanodollars| PassSpend {
        calls,
        usage: Usage { input: Tokens(input), output: Tokens(output), ..Usage::default() },
        tokens: Tokens(input + output),
        money: Money::from_nanodollars(nanodollars),
        unpriced: 0,
        lost: Totals::default(),
    };
    let passes = [
        ("synthesis", PassSpend { lost: report.counters.lost, ..spend(5, 21_000, 6_200, 412_000_000) }),
        ("survey", spend(1, 4_100, 350, 20_000_000)),
        ("dir", spend(61, 900_000, 31_000, 2_000_000_000)),
        ("plan", spend(1, 18_200, 900, 66_765_432)),
    ];
    report.passes = passes.map(|(pass, spend)| (pass.to_owned(), spend)).into();
    report.notes = vec![
        Note::Partial("the limit of $2.50 was reached after 61 turns".to_owned()),
        Note::Plan("the plan names `src/legacy`, which is no directory of the target".to_owned()),
        Note::LeftOut("fixtures (shallow): no turns were left".to_owned()),
        Note::Degraded("the model server was overloaded 3 times; calls were repeated".to_owned()),
        Note::Other("2 directories had not changed since the run of yesterday".to_owned()),
    ];
    report
}

fn findings() -> Findings {
    let sections = [
        (
            Section::OverallPurpose,
            text("Lets shops hand parcels to couriers and lets customers follow them."),
        ),
        (
            Section::Architecture,
            text(
                "One process serves HTTP and talks to PostgreSQL.\n\nRequests pass three layers:\n- `src/routes` \
                 checks what came in and answers in JSON or as a page, depending on what the caller accepts;\n- \
                 `src/domain` decides;\n- `src/db` keeps.\n",
            ),
        ),
        (
            Section::Components,
            vec![
                Item {
                    sources: vec![RelPath::from("src/routes")],
                    ..item(
                        "Routes",
                        Some("src/routes"),
                        "Twenty handlers, one file each, and the middleware that knows who is asking. Sessions \
                         live in a signed cookie.",
                    )
                },
                item(
                    "Tracking",
                    Some("src/domain/tracking.rs"),
                    "The states of a parcel as a state machine.",
                ),
            ],
        ),
        (
            Section::TechStack,
            vec![
                item("Rust", None, "the whole service, edition 2021"),
                item("PostgreSQL", None, "through sqlx, with migrations"),
            ],
        ),
        (
            Section::EntryPoints,
            vec![
                item("", Some("src/main.rs"), "starts the server"),
                item("parcelctl", Some("src/bin/ctl.rs"), "administers it"),
            ],
        ),
        (
            Section::Concerns,
            [text("No test covers refunds."), text("Two ways to read settings.\nThey disagree.")].concat(),
        ),
    ];
    Findings {
        brief: "A web service, written in Rust, with which shops hand parcels to couriers. Customers follow their \
                parcel on a page of its own; couriers report by a small API."
            .to_owned(),
        detailed: "Shops create shipments over HTTP, couriers are told by webhooks.\n\nState is kept in PostgreSQL; \
                   everything else can be thrown away at any time."
            .to_owned(),
        sections: sections.into(),
        claims: vec![claim(
            "Webhooks are retried for a day.",
            vec![evidence("src/domain/webhook.rs", (31, 40), None)],
            &["lines 31–40 of src/domain/webhook.rs were never shown to this loop"],
        )],
        answers: answers(),
    }
}

fn answers() -> Answers {
    let readme = |text: &str, score: u8| {
        Candidate::new(text, "a command in the README", score).at(RelPath::from("README.md"), 12)
    };
    let part = |path: &str, about: &str| Candidate::new(path, "its own words", 80).about(about);
    let of = [
        (Field::Kind, vec![Candidate::new("software", "the files by their kinds", 100)]),
        (Field::Name, vec![Candidate::new("parcels", "the package of the top", 90)]),
        (
            Field::Version,
            vec![
                Candidate::new("2.1.0", "the package of the top", 90).at(RelPath::from("Cargo.toml"), 3),
                Candidate::new("1.9.0", "the changelog", 40)
                    .about("the newest heading")
                    .at(RelPath::from("CHANGELOG.md"), 5),
            ],
        ),
        (Field::Test, vec![readme("cargo test", 90)]),
        (
            Field::Entry,
            vec![Candidate::new("src/main.rs", "a main function", 90).at(RelPath::from("src/main.rs"), 8)],
        ),
        (
            Field::Parts,
            vec![
                part("src/routes", "the handlers, one file each"),
                part("src/domain", "the rules of parcels"),
            ],
        ),
    ];
    of.into_iter().map(|(field, candidates)| (field, Answer::choose(field, candidates))).collect()
}

fn entries() -> Vec<DirEntry> {
    let routes_claims = vec![
        claim(
            "Every handler checks the session first.",
            vec![evidence("src/routes/mod.rs", (12, 19), Some(".layer(from_fn(require_session))"))],
            &[],
        ),
        claim(
            "Uploads are limited to 2 MB.",
            vec![
                evidence("src/routes/upload.rs", (8, 8), Some("const LIMIT: usize = 4 << 20;")),
                evidence("src/routes/upload.rs", (40, 44), None),
            ],
            &["the quote does not say 2 MB"],
        ),
    ];
    vec![
        entry("", "A web service for parcels: sources, migrations, a page and its deployment."),
        entry(
            "src",
            "The service itself. `main.rs` reads the settings, opens the pool and starts the server.",
        ),
        DirEntry {
            claims: routes_claims,
            notable_files: vec![RelPath::from("src/routes/mod.rs"), RelPath::from("src/routes/upload.rs")],
            ..entry(
                "src/routes",
                "HTTP handlers, one file each.\n\nThe router in `mod.rs` puts the session check in front of all of \
                 them but the two that couriers call, which sign their requests instead; uploads go to a bucket and \
                 are scanned before anybody sees them.",
            )
        },
        DirEntry {
            partial: true,
            partial_reason: Some("the limit of $2.50 was reached after 4 of 10 turns".to_owned()),
            confidence: Share::new(0.4),
            confidence_reason: Some("half of the files were not read".to_owned()),
            coverage: Coverage {
                files: 6,
                files_seen: 2,
                bytes: 30_000,
                bytes_seen: 4_096,
                ..Coverage::default()
            },
            ..entry("src/domain", "The rules: parcels, couriers, refunds.")
        },
        DirEntry {
            dominant_category: Category::Data,
            ..entry("migrations", "41 steps of the schema, from 2021 on.")
        },
        DirEntry {
            dominant_category: Category::Config,
            ..entry("deploy", "A container image and a chart for Kubernetes.")
        },
        DirEntry {
            confidence: None,
            completeness: None,
            ..entry("web", "The page on which customers follow a parcel.")
        },
    ]
}

/// A file of each fate.
fn files() -> Vec<SeenFile> {
    let file = |path: &str, extent: Extent, size: u64, bytes_seen: u64| SeenFile {
        path: RelPath::from(path),
        extent,
        size,
        lines: size / 30,
        bytes_seen,
        reason: None,
        blob: (0 < bytes_seen).then_some(ContentHash([0x55; 32])),
        looks: Vec::new(),
    };
    let look = |dir: Option<&str>, end: u64| Look {
        dir: dir.map(RelPath::from),
        start: 0,
        end,
        first_line: 1,
        last_line: end / 30,
        call: ToolCallId("call-7".to_owned()),
    };
    vec![
        SeenFile {
            reason: Some("always left out (--keep NAME looks inside)".to_owned()),
            ..file(".git", Extent::Skipped, 0, 0)
        },
        SeenFile {
            reason: Some("not read: Permission denied".to_owned()),
            ..file("deploy/key.pem", Extent::Unreadable, 1_700, 0)
        },
        SeenFile { reason: Some("symlink".to_owned()), ..file("src/latest", Extent::Metadata, 0, 0) },
        SeenFile { looks: vec![look(None, 900)], ..file("src/main.rs", Extent::Whole, 900, 900) },
        SeenFile {
            looks: vec![look(None, 300), look(Some(""), 1_200)],
            ..file("src/routes/upload.rs", Extent::Ranges, 4_800, 1_200)
        },
    ]
}

fn flags() -> Vec<Flag> {
    vec![
        flag(Severity::Info, "The licence file is missing.", Vec::new()),
        flag(
            Severity::Concern,
            "Uploads are read into memory whole before their size is checked, so that a few callers can use up all of \
             it.",
            vec![
                evidence(
                    "src/routes/upload.rs",
                    (40, 44),
                    Some("let body = to_bytes(body, usize::MAX).await?;"),
                ),
                evidence("src/routes/avatar.rs", (21, 21), None),
            ],
        ),
        Flag {
            rule: Some("secret.password".to_owned()),
            ..flag(
                Severity::Critical,
                "A database password is kept in the repository.",
                vec![evidence("deploy/values.yaml", (17, 17), Some("  password: correct-horse"))],
            )
        },
    ]
}

/// The least there can be.
pub(crate) fn bare() -> Report {
    let findings = Findings {
        brief: "A single script.".to_owned(),
        detailed: "A single script.".to_owned(),
        ..Findings::default()
    };
    let mut report = Report::new(Origin::Offline, findings, vec![entry("", "A single script.")], Vec::new());
    report.target = "hello".to_owned();
    report.counters = Counters { dirs: 1, files: 1, bytes: 12, dirs_investigated: 1, ..Counters::default() };
    report
}

/// More directories and flags than anybody reads.
pub(crate) fn large(dirs: usize) -> Report {
    let entries =
        (0..dirs).map(|number| entry(&format!("part{:02}/d{number:04}", number % 10), "One of many."));
    let tops = (0..10).map(|number| entry(&format!("part{number:02}"), "Many directories."));
    let flags = (0..dirs).map(|number| {
        flag(
            Severity::Concern,
            "It is odd.",
            vec![evidence(&format!("f{number:04}.c"), (1, 1), Some("gets(s);"))],
        )
    });
    Report::new(
        Origin::Mechanical,
        Findings { brief: "Much.".to_owned(), ..Findings::default() },
        entries.chain(tops).collect(),
        flags.collect(),
    )
}
