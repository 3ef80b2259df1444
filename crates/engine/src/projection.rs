//! What an investigation with a model would take, before any model is asked.
//!
//! The plan is the embedded analyst's; the rest is arithmetic on the scan. Nobody can know how long a conversation will
//! be, so everything is a range, and [`Projection::assumptions`] says in words what its ends rest on.

use std::ops::RangeInclusive;

use luminos_agent::dir_tools;
use luminos_core::TargetKind;
use luminos_core::experience::{Experience, Features};
use luminos_core::plan::{Dirs, Plan, Turns, apply_plan};
use luminos_core::scan::{DirId, Scan};
use luminos_core::spend::{Money, Tokens, Usage};
use luminos_core::whole::Whole;
use luminos_models::ModelFacts;

/// Bytes of text that are a token, at least and at most.
const BYTES_PER_TOKEN: (u64, u64) = (3, 5);
/// What the words of a pass take, its tools apart.
const WORDS: u64 = 1_200;
/// What a file takes in a list.
const LINE: u64 = 15;
/// What one answer of a tool can hold.
const LONGEST_RESULT: u64 = 8_000;
/// What a model writes in a turn, and in the report that ends a loop: at least and at most.
const TURN_OUTPUT: (u64, u64) = (150, 500);
const REPORT_OUTPUT: (u64, u64) = (600, 2_000);
/// What the summary of a directory takes.
const SUMMARY: u64 = 150;
/// How much of what is said again comes from a cache, in hundredths: at most and at least.
const CACHED: (u64, u64) = (90, 50);
/// How far the length of turns may lie from what was measured, in hundredths.
const MEASURED: (u64, u64) = (70, 140);
/// Nobody fills more of a window than this, in hundredths; and the window where it is not known.
const WINDOW_SHARE: u64 = 70;
const USUAL_WINDOW: u64 = 32_000;

/// What an investigation would take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// Directories that would be looked at.
    pub dirs: u64,
    /// Turns on directories.
    pub turns: RangeInclusive<u64>,
    /// Tokens of all passes, input and output together.
    pub tokens: RangeInclusive<Tokens>,
    /// Money; `None` where a price is not known.
    pub cost: Option<RangeInclusive<Money>>,
    /// What the numbers rest on, a sentence each.
    pub assumptions: Vec<String>,
}

/// The plan that the embedded analyst would make.
fn offline_plan(scan: &Scan, experience: &Experience) -> Plan {
    luminos_analyst::plan(
        &Whole { name: "", scan, kind: TargetKind::default(), nonce: "", context_budget: 0 },
        experience,
    )
}

/// What an investigation of a scanned target would take, with a model about which this is known.
pub fn project(
    scan: &Scan,
    facts: Option<&ModelFacts>,
    most: Option<Turns>,
    experience: &Experience,
) -> Projection {
    let dirs = Dirs::of(scan);
    let schedule = apply_plan(&offline_plan(scan, experience), &dirs, most);
    let window = facts.and_then(|facts| facts.window).map_or(USUAL_WINDOW, |window| window.0);
    let room = window * WINDOW_SHARE / 100;
    let tools = tools();
    let (mut least, mut highest) = (Sum::default(), Sum::default());
    let (mut looked_at, mut known) = (0, 0);
    for dir in dirs.ids().filter(|dir| schedule.of(*dir).is_investigated()) {
        looked_at += 1;
        let given = u64::from(schedule.of(dir).turns.0);
        // Between what such directories took on average, less a third, and the most that one of them did.
        let few_many = match experience.expect(dirs.path(dir), &Features::of(scan, dir)) {
            Some(expected) => {
                known += 1;
                let (mean, most) = (u64::from(expected.mean.0), u64::from(expected.most.0));
                ((mean * 2).div_ceil(3).min(given).max(1), most.min(given).max(1))
            }
            None => (given.div_ceil(3).max(2).min(given), given),
        };
        let (files, bytes) = readable(scan, dir);
        least.dir(
            &Dir {
                turns: few_many.0.min(few_many.1),
                opening: tools + WORDS + files * LINE,
                content: bytes / BYTES_PER_TOKEN.1,
                output: TURN_OUTPUT.0,
                report: REPORT_OUTPUT.0,
                room,
            },
            CACHED.0,
        );
        highest.dir(
            &Dir {
                turns: few_many.1,
                opening: tools + WORDS + files * LINE,
                content: bytes / BYTES_PER_TOKEN.0,
                output: TURN_OUTPUT.1,
                report: REPORT_OUTPUT.1,
                room,
            },
            CACHED.1,
        );
    }
    // How long conversations really are is known as soon as there were some.
    let measured = experience.tokens_per_turn();
    if let Some(measured) = measured {
        least.measure(measured.0 * MEASURED.0 / 100);
        highest.measure(measured.0 * MEASURED.1 / 100);
    }
    least.whole(looked_at, 3, room);
    highest.whole(looked_at, 9, room);
    let price = facts.and_then(|facts| facts.price.as_ref());
    // Each call is shorter than the prompts for which some providers ask more.
    let cost = price.map(|price| {
        let price = luminos_models::Price { long_prompt: None, ..price.clone() };
        price.cost(&least.usage)..=price.cost(&highest.usage)
    });
    Projection {
        dirs: looked_at,
        turns: least.turns..=highest.turns,
        tokens: least.usage.total()..=highest.usage.total(),
        cost,
        assumptions: assumptions(looked_at, known, measured, experience.dirs()),
    }
}

fn assumptions(dirs: u64, known: u64, measured: Option<Tokens>, experience: u64) -> Vec<String> {
    let ((cached, at_least), (few, many)) = (CACHED, BYTES_PER_TOKEN);
    let by_rule =
        "takes between a third of the turns that a plan by rule gives it, and all of them; none are borrowed";
    let mut said = Vec::new();
    if 0 < known {
        said.push(format!(
            "{known} of {dirs} directories take as many turns as such ones did in earlier investigations with a model"
        ));
    }
    match dirs - known {
        0 => {}
        _ if known == 0 => said.push(format!("a directory {by_rule}")),
        rest => said.push(format!("each of the other {rest} {by_rule}")),
    }
    said.push(match measured {
        Some(tokens) => format!(
            "a turn takes {} to {} tokens: {} on average over {experience} directories of earlier investigations",
            tokens.0 * MEASURED.0 / 100,
            tokens.0 * MEASURED.1 / 100,
            tokens.0
        ),
        None => format!(
            "no earlier investigation with a model tells how long a turn is: a token is taken for {few} to {many} bytes of \
             text, and each file is read once at most"
        ),
    });
    said.extend([
        format!(
            "{at_least} to {cached} % of what is said to the model again comes from the provider's cache"
        ),
        "everything is looked at; what an earlier run with the same model knows costs nothing again"
            .to_owned(),
    ]);
    said
}

/// The smallest window with which a directory can be looked into: instructions, tools and one long answer of a tool, in
/// the part of a window that is filled.
pub fn least_window() -> Tokens {
    Tokens(((tools() + WORDS + LONGEST_RESULT) * 100).div_ceil(WINDOW_SHARE))
}

/// Tokens of the tools that each turn on a directory begins with.
fn tools() -> u64 {
    let bytes = |tool: &luminos_core::talk::ToolSpec| {
        let schema = serde_json::Value::Object(tool.schema.clone()).to_string();
        (tool.name.len() + tool.description.len() + schema.len()) as u64
    };
    dir_tools().iter().map(bytes).sum::<u64>() / 4
}

/// How many files with lines a directory holds directly, and how many bytes they have.
fn readable(scan: &Scan, dir: DirId) -> (u64, u64) {
    let files = scan.files_of(dir).map(|file| scan.file(file)).filter(|file| 0 < file.counts().total());
    files.fold((0, 0), |(files, bytes), file| (files + 1, bytes + file.size))
}

/// One directory's conversation.
struct Dir {
    turns: u64,
    opening: u64,
    content: u64,
    output: u64,
    report: u64,
    room: u64,
}

/// What conversations come to.
#[derive(Default)]
struct Sum {
    turns: u64,
    usage: Usage,
}

impl Sum {
    /// A conversation that grows evenly, of which each turn hears everything again.
    fn dir(&mut self, dir: &Dir, cached: u64) {
        self.turns += dir.turns;
        let read = dir.content.min(LONGEST_RESULT * dir.turns);
        let said = dir.turns * dir.output;
        let grown = (dir.opening + read + said).min(dir.room.max(dir.opening));
        let heard = dir.turns * (dir.opening + grown) / 2;
        let new = (dir.opening + read + said).min(heard);
        self.add(new, heard - new, said + dir.report, cached);
    }

    /// Makes all turns as long as they were found to be.
    fn measure(&mut self, tokens_per_turn: u64) {
        let (assumed, real) = (self.usage.total().0.max(1), self.turns * tokens_per_turn);
        let scaled = |tokens: Tokens| {
            let scaled = u128::from(tokens.0) * u128::from(real) / u128::from(assumed);
            Tokens(u64::try_from(scaled).unwrap_or(u64::MAX))
        };
        let Usage { input, cache_write_5m, cache_write_1h, cache_read, output } = self.usage;
        self.usage = Usage {
            input: scaled(input),
            cache_write_5m: scaled(cache_write_5m),
            cache_write_1h: scaled(cache_write_1h),
            cache_read: scaled(cache_read),
            output: scaled(output),
        };
    }

    /// Survey, plan, its revisions and the report on the whole.
    fn whole(&mut self, dirs: u64, calls: u64, room: u64) {
        let prompt = (WORDS + dirs * SUMMARY).min(room);
        self.add(calls * prompt, 0, calls * REPORT_OUTPUT.0, 0);
    }

    fn add(&mut self, new: u64, again: u64, output: u64, cached: u64) {
        let cached = again * cached / 100;
        self.usage.cache_write_5m.0 += new;
        self.usage.input.0 += again - cached;
        self.usage.cache_read.0 += cached;
        self.usage.output.0 += output;
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::entry::{Share, Stamp};
    use luminos_core::evaluation::{DirEvaluation, Evaluation};
    use luminos_core::experience::Whose;
    use luminos_core::plan::{Order, Tier};
    use luminos_core::scan::{Builder, FileRecord};

    use super::*;

    fn scan(files: u64) -> Scan {
        let mut builder = Builder::new("/target", vec!["Rust"]);
        for number in 0..files {
            let record = FileRecord { size: 4_000, code: 100, ..FileRecord::default() };
            builder.file_at(format!("src/part{}/file{number}.rs", number % 7).as_bytes(), record);
        }
        builder.finish()
    }

    #[test]
    fn more_to_read_takes_more_and_no_range_is_upside_down() {
        let facts = luminos_models::Models::read(None).unwrap();
        let (_, facts) = facts.iter().find(|(_, facts)| facts.price.is_some()).unwrap();
        let mut before: Option<Projection> = None;
        for files in [1, 10, 100] {
            let now = project(&scan(files), Some(facts), None, &Experience::default());
            assert!(now.turns.start() <= now.turns.end() && now.tokens.start() < now.tokens.end());
            let cost = now.cost.clone().unwrap();
            assert!(Money::default() < *cost.start() && cost.start() < cost.end(), "{cost:?}");
            if let Some(before) = before {
                assert!(before.tokens.end() < now.tokens.end() && before.tokens.start() < now.tokens.start());
                assert!(before.cost.unwrap().end() < cost.end());
            }
            before = Some(now);
        }
    }

    #[test]
    fn without_a_price_there_are_tokens_only() {
        let projection = project(&scan(3), None, None, &Experience::default());
        assert_eq!(projection.cost, None);
        assert!(Tokens(0) < *projection.tokens.start());
    }

    #[test]
    fn what_earlier_runs_took_is_what_is_expected() {
        let scan = scan(14);
        let dirs = Dirs::of(&scan);
        let usual = project(&scan, None, None, &Experience::default());
        assert!(usual.assumptions[1].starts_with("no earlier investigation"), "{:?}", usual.assumptions);
        let row = |dir: DirId| DirEvaluation {
            dir: dirs.path(dir).clone(),
            planned_tier: Tier::Default,
            turns_allocated: Turns(10),
            turns_used: Turns(3),
            turns_borrowed: Turns(0),
            turns_returned: Turns(7),
            utilization: Share::NONE,
            completeness: None,
            coverage: Share::ALL,
            confidence: None,
            verified_claims: (0, 0),
            tokens: Tokens(6_000),
            cost: None,
            partial_reason: None,
            features: Some(Features::of(&scan, dir)),
        };
        let rows = dirs.ids().filter(|dir| 0 < scan.dir(*dir).own_files).map(row).collect();
        let mut experience = Experience::of(Whose::Model);
        experience.remember(&Evaluation::new(Order::LeafFirst, rows, Stamp::default()));
        let now = project(&scan, None, None, &experience);
        assert_eq!(
            now.assumptions[0],
            "7 of 9 directories take as many turns as such ones did in earlier investigations with a model"
        );
        assert!(
            now.assumptions[2]
                .starts_with("a turn takes 1400 to 2800 tokens: 2000 on average over 7 directories"),
            "{:?}",
            now.assumptions
        );
        // Seven times three turns; the target itself, and one directory that only holds others.
        assert_eq!(*now.turns.end(), 21 + 10 + 5);
        assert!(now.turns.end() < usual.turns.end() && now.tokens.end() < usual.tokens.end());
        let turns = now.turns.end() * 2_800;
        assert!(turns <= now.tokens.end().0, "the passes of the whole come on top: {now:?}");
    }

    #[test]
    fn a_limit_of_turns_is_kept() {
        assert!(*project(&scan(100), None, Some(Turns(20)), &Experience::default()).turns.end() <= 20);
    }
}
