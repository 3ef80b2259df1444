//! Citations that somebody has corrupted: the judge catches a thousand of each kind, and lets all others pass.

use super::*;

const EACH: usize = 1_000;
const FILES: u64 = 4;
const LINES: u64 = 50;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn path(file: u64) -> RelPath {
    RelPath::from(format!("src/limits{file}.rs").as_str())
}

fn blob(file: u64) -> ContentHash {
    ContentHash([u8::try_from(file).unwrap(); 32])
}

fn value(file: u64, line: u64) -> u64 {
    10_000 + file * 1_000 + line * 7
}

fn words(file: u64, line: u64) -> String {
    format!("pub const LIMIT_{file}_{line}: u32 = {};", value(file, line))
}

fn text(file: u64) -> String {
    (1..=LINES).map(|line| format!("{}\n", words(file, line))).collect()
}

fn library() -> Files {
    let exhibit =
        |file| Exhibit { bytes: text(file).into_bytes().into(), blob: blob(file), scanned: Some(blob(file)) };
    Files((0..FILES).map(|file| (path(file), exhibit(file))).collect())
}

/// All of every file was shown but, where there is one, a line.
fn record(besides: Option<(u64, u64)>) -> Vec<Served> {
    let shown = |file: u64, first_line: u64, last_line: u64| {
        let bytes = |lines: u64| (1..=lines).map(|line| words(file, line).len() as u64 + 1).sum();
        let (start, end) = (bytes(first_line - 1), bytes(last_line));
        let call = ToolCallId(format!("read-{file}"));
        Served { path: path(file), blob: Some(blob(file)), start, end, first_line, last_line, call }
    };
    let of_file = |file: u64| match besides {
        Some((other, line)) if other == file => vec![shown(file, 1, line - 1), shown(file, line + 1, LINES)],
        Some(_) | None => vec![shown(file, 1, LINES)],
    };
    (0..FILES).flat_map(of_file).collect()
}

fn judged(claim: Claim, author: Author, served: &[Served]) -> Claim {
    let report = DirReport { claims: vec![claim], ..DirReport::default() };
    let shown = Shown { served, entries: &NO_ENTRIES, author };
    judge(report, shown, &mut library()).report.claims.remove(0)
}

/// A claim with everything that the judge fills in.
fn sound(file: u64, line: u64, author: Author) -> Claim {
    let mut claim = cites("", (line, line), Some(&words(file, line))).claims.remove(0);
    claim.text = format!("`LIMIT_{file}_{line}` is {}.", value(file, line));
    claim.evidence[0].path = path(file);
    let claim = judged(claim, author, &record(None));
    assert!(claim.verified, "{claim:?}");
    claim
}

/// What is done to a claim about a line of a file; the record it is judged by may be another afterwards.
type Corruption = fn(&mut Claim, (u64, u64), &mut Dice) -> Vec<Served>;

const CITATIONS: [(&str, Corruption); 5] = [
    ("quote changed", |claim, _, dice| {
        let quote = claim.evidence[0].quote.as_mut().unwrap();
        let at = usize::try_from(dice.roll(quote.len() as u64)).unwrap();
        let other = if quote.as_bytes()[at] == b'q' { "z" } else { "q" };
        quote.replace_range(at..=at, other);
        record(None)
    }),
    ("line shifted", |claim, (_, line), dice| {
        let to = (line + dice.roll(LINES * 2 - 1)) % (LINES * 2) + 1;
        (claim.evidence[0].start_line, claim.evidence[0].end_line) = (to, to);
        record(None)
    }),
    ("hash swapped", |claim, (file, _), dice| {
        claim.evidence[0].blob = Some(blob((file + 1 + dice.roll(FILES - 1)) % FILES));
        record(None)
    }),
    ("path renamed", |claim, (file, _), dice| {
        // Another file, or one that never was.
        claim.evidence[0].path = path(file + 1 + dice.roll(FILES - 1));
        record(None)
    }),
    ("range never served", |_, (file, line), _| record(Some((file, line)))),
];

const NUMBER: (&str, Corruption) = ("number altered", |claim, (file, line), dice| {
    let other = 100_000 + dice.roll(900_000);
    claim.text = claim.text.replace(&format!("is {}", value(file, line)), &format!("is {other}"));
    record(None)
});

fn check(author: Author, kinds: &[(&str, Corruption)]) {
    let mut dice = Dice(7);
    for (kind, corrupt) in kinds {
        for number in 1..=EACH {
            // The first and the last line have nothing before or after them that could be shown.
            let place = (dice.roll(FILES), 2 + dice.roll(LINES - 2));
            let honest = sound(place.0, place.1, author);
            assert!(judged(honest.clone(), author, &record(None)).verified, "nobody touched it: {honest:?}");
            let mut claim = honest.clone();
            let served = corrupt(&mut claim, place, &mut dice);
            let judged = judged(claim, author, &served);
            assert!(!judged.verified && judged.faults.len() == 1, "{kind}, number {number}: {judged:?}");
        }
    }
}

#[test]
fn a_thousand_corrupted_citations_of_each_kind_are_caught_in_what_a_model_says() {
    let kinds: Vec<_> = CITATIONS.into_iter().chain([NUMBER]).collect();
    check(Author::Model, &kinds);
}

#[test]
fn a_thousand_corrupted_citations_of_each_kind_are_caught_in_what_the_analyst_says() {
    check(Author::Analyst, &CITATIONS);
}
