use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn id(name: &str) -> CommitId {
    CommitId::new(name)
}

/// r → c1 → c2 → …
fn linear(length: usize) -> Chain {
    let mut chain = Chain::default();
    chain.add(id("r"), None);
    for at in 1..=length {
        let parent = if at == 1 { "r".to_owned() } else { format!("c{}", at - 1) };
        chain.add(id(&format!("c{at}")), Some(id(&parent)));
    }
    chain
}

fn roll(chain: &Chain, base: &str, inspiration: &str, settings: &RollupSettings) -> Rollup {
    roll_up(&Ground::new(chain, &id(base)), chain, &id(inspiration), settings)
}

/// The parts in short: `earliest c4-c8 · chunk c9-c16 · … 24 omitted c9-c32 · recent c33-c40`.
fn parts(chain: &Chain, path: &Path) -> String {
    let words = path.parts.iter().map(|part| {
        let range = part.range();
        let names = format!("{}-{}", chain.id(path.steps[range.start]), chain.id(path.steps[range.end - 1]));
        match part {
            Part::Earliest(_) => format!("earliest {names}"),
            Part::Chunk(_) => format!("chunk {names}"),
            Part::Omitted(_) => format!("omitted {names}"),
            Part::Recent(_) => format!("recent {names}"),
        }
    });
    words.collect::<Vec<_>>().join(" · ")
}

#[track_caller]
fn check(
    base: &str,
    inspiration: &str,
    (block, chunks, recent): (usize, usize, usize),
    expected: &str,
    omitted: usize,
) {
    let chain = linear(80);
    let settings = RollupSettings { block, chunks, recent, root: None };
    let Rollup::Path(path) = roll(&chain, base, inspiration, &settings) else { panic!("no path") };
    assert_eq!((parts(&chain, &path).as_str(), path.omitted()), (expected, omitted));
}

#[test]
fn the_worked_examples_come_out_in_the_order_of_time_and_tell_nothing_twice() {
    check("c3", "c40", (8, 0, 6), "earliest c4-c8 · omitted c9-c32 · recent c33-c40", 24);
    check(
        "c3",
        "c40",
        (8, 3, 6),
        "earliest c4-c8 · chunk c9-c16 · chunk c17-c24 · chunk c25-c32 · recent c33-c40",
        0,
    );
    check(
        "r",
        "c40",
        (8, 3, 6),
        "chunk c1-c8 · omitted c9-c16 · chunk c17-c24 · chunk c25-c32 · recent c33-c40",
        8,
    );
    check("r", "c80", (8, 1, 6), "chunk c1-c8 · omitted c9-c72 · recent c73-c80", 64);
    check("r", "c20", (8, 3, 0), "chunk c1-c8 · chunk c9-c16 · omitted c17-c20", 4);
    check("r", "c12", (4, 3, 2), "chunk c1-c4 · chunk c5-c8 · recent c9-c12", 0);
    check("c9", "c10", (8, 3, 6), "recent c10-c10", 0);
}

#[test]
fn chunks_of_one_step_are_aligned_like_others() {
    check("r", "c12", (1, 0, 2), "earliest c1-c2 · omitted c3-c10 · recent c11-c12", 8);
    check("r", "c12", (1, 2, 2), "chunk c1-c1 · omitted c2-c9 · chunk c10-c10 · recent c11-c12", 8);
    check("r", "c12", (0, 0, 2), "earliest c1-c2 · omitted c3-c10 · recent c11-c12", 8);
}

#[test]
fn steps_before_the_chosen_root_leave_only_the_recent_ones() {
    let chain = linear(40);
    let settings = RollupSettings { chunks: 2, root: Some(id("c5")), ..RollupSettings::default() };
    let Rollup::Path(path) = roll(&chain, "r", "c40", &settings) else { panic!("no path") };
    assert_eq!(parts(&chain, &path), "omitted c1-c34 · recent c35-c40");
    assert_eq!((path.omitted(), path.anchor.clone()), (34, None));

    let Rollup::Path(path) = roll(&chain, "c5", "c40", &settings) else { panic!("no path") };
    let anchor = Anchor { commit: id("c5"), mode: AnchorMode::ExperimentRoot };
    assert_eq!((path.anchor.clone(), path.omitted()), (Some(anchor), 8));
    assert_eq!(parts(&chain, &path), "chunk c6-c13 · omitted c14-c21 · chunk c22-c29 · recent c30-c40");
}

#[test]
fn an_inspiration_without_steps_is_one_line() {
    let mut chain = linear(5);
    chain.add(id("other"), None);
    let settings = RollupSettings::default();
    let line =
        |base, inspiration| roll(&chain, base, inspiration, &settings).without_steps().unwrap_or_default();
    assert_eq!(line("c3", "other"), "unavailable: the chains of base and inspiration do not overlap");
    let same = "unique_steps_count: 0 (lca c3): the inspiration is the base, or an ancestor of it";
    assert_eq!(line("c3", "c3"), same);
    assert_eq!(line("c5", "c3"), same);
    assert_eq!(roll(&chain, "c3", " ", &settings), Rollup::Nothing);
    assert_eq!(line("", "c3"), "unavailable: the chains of base and inspiration do not overlap");
}

#[test]
fn a_trajectory_reads_from_the_oldest_to_the_newest() {
    let chain = linear(40);
    let rollup =
        roll(&chain, "r", "c40", &RollupSettings { chunks: 2, recent: 2, ..RollupSettings::default() });
    let Rollup::Path(path) = &rollup else { panic!("no path") };
    let lines = path.lines(
        &chain,
        |place| format!("changes {}\nand more", chain.id(place)),
        |at, chunk| format!("summary {at} of {} steps", chunk.steps.len()),
    );
    insta::assert_snapshot!(lines.join("\n"), @r"
    unique_steps_count: 40 (lca r, anchor r (chain_root))
      Older steps, in chunks:
        [r..c8] summary 0 of 8 steps
      Omitted: 16 steps (c9..c24)
        [c24..c32] summary 1 of 8 steps
      Recent steps (8):
        c33: changes c33 and more
        c34: changes c34 and more
        c35: changes c35 and more
        c36: changes c36 and more
        c37: changes c37 and more
        c38: changes c38 and more
        c39: changes c39 and more
        c40: changes c40 and more
    ");
    insta::assert_json_snapshot!(rollup.meta(&id("r"), &id("c40")), @r#"
    {
      "base_commit_hash": "r",
      "inspiration_commit_hash": "c40",
      "lca_commit_hash": "r",
      "unique_steps_count": 40,
      "omitted_steps": 16,
      "anchor_commit_hash": "r",
      "anchor_mode": "chain_root"
    }
    "#);
}

#[test]
fn chains_longer_than_is_looked_say_so() {
    let chain = linear(5000);
    let line = roll(&chain, "c1", "c5000", &RollupSettings::default()).without_steps();
    assert_eq!(
        line.as_deref(),
        Some("unavailable: base and inspiration have no common commit within 4096 steps")
    );
    let Rollup::Path(path) = roll(&chain, "c905", "c5000", &RollupSettings::default()) else {
        panic!("no path")
    };
    assert_eq!(path.steps.len(), 4095);
}

/// Any data: parents that are missing, circles, several roots, commits that nobody asked about.
fn any_chain() -> impl Strategy<Value = Chain> {
    vec((0_usize..60, proptest::option::of(0_usize..70)), 0..80).prop_map(|links| {
        let mut chain = Chain::default();
        for (child, parent) in links {
            chain.add(id(&child.to_string()), parent.map(|parent| id(&parent.to_string())));
        }
        chain
    })
}

fn any_settings() -> impl Strategy<Value = RollupSettings> {
    (0_usize..10, 0_usize..5, 0_usize..8, proptest::option::of(0_usize..60)).prop_map(
        |(block, chunks, recent, root)| RollupSettings {
            block,
            chunks,
            recent,
            root: root.map(|root| id(&root.to_string())),
        },
    )
}

/// What always holds of a path.
fn hold(chain: &Chain, path: &Path, settings: &RollupSettings) -> Result<(), TestCaseError> {
    let mut at = 0;
    let (mut chunks, mut told) = (0, 0);
    for part in &path.parts {
        let range = part.range();
        prop_assert_eq!(range.start, at);
        prop_assert!(range.start < range.end);
        at = range.end;
        match part {
            Part::Chunk(_) => {
                chunks += 1;
                prop_assert_eq!(range.len(), settings.block.max(1));
            }
            Part::Earliest(_) => prop_assert!(range.len() <= settings.recent && range.start == 0),
            Part::Recent(_) => {
                prop_assert!(range.len() < settings.recent + settings.block.max(1));
                prop_assert_eq!(range.end, path.steps.len());
            }
            Part::Omitted(_) => continue,
        }
        told += range.len();
    }
    prop_assert_eq!(at, path.steps.len());
    prop_assert_eq!(told + path.omitted(), path.steps.len());
    prop_assert!(chunks <= settings.chunks);
    prop_assert_eq!(path.chunks(chain).len(), chunks);
    for pair in path.steps.windows(2) {
        prop_assert_eq!(chain.parent(pair[1]), Some(pair[0]));
    }
    let lines = path.lines(chain, |_| String::new(), |_, _| String::new());
    let omissions = lines.iter().filter(|line| line.starts_with("  Omitted: ")).count();
    prop_assert_eq!(omissions, usize::from(0 < path.omitted()));
    Ok(())
}

proptest! {
    #[test]
    fn every_step_of_a_straight_chain_is_told_or_omitted_once(base in 0_usize..120, more in 0_usize..120, settings in any_settings()) {
        let chain = linear(240);
        let name = |at: usize| if at == 0 { "r".to_owned() } else { format!("c{at}") };
        let settings = RollupSettings { root: None, ..settings };
        match roll(&chain, &name(base), &name(base + more), &settings) {
            Rollup::Path(path) => {
                prop_assert_eq!(path.steps.len(), more);
                hold(&chain, &path, &settings)?;
            }
            Rollup::Nothing | Rollup::Apart { .. } | Rollup::Contained { .. } => prop_assert_eq!(more, 0),
        }
    }

    #[test]
    fn no_data_is_bad_enough_to_break_a_rollup(chain in any_chain(), base in 0_usize..70, inspiration in 0_usize..70, settings in any_settings()) {
        let rollup = roll(&chain, &base.to_string(), &inspiration.to_string(), &settings);
        if let Rollup::Path(path) = &rollup {
            hold(&chain, path, &settings)?;
        }
        rollup.meta(&id("b"), &id("i"));
    }

    #[test]
    fn chunks_stay_the_same_however_far_an_inspiration_is(tip in 30_usize..200, more in 0_usize..40) {
        let chain = linear(240);
        let settings = RollupSettings { chunks: 100, ..RollupSettings::default() };
        let chunks = |tip: usize| match roll(&chain, "r", &format!("c{tip}"), &settings) {
            Rollup::Path(path) => path.chunks(&chain),
            Rollup::Nothing | Rollup::Apart { .. } | Rollup::Contained { .. } => Vec::new(),
        };
        let (nearer, farther) = (chunks(tip), chunks(tip + more));
        prop_assert_eq!(&farther[..nearer.len()], &nearer[..]);
    }
}

proptest! {
    // Each case makes thousands of commits.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn deep_histories_are_told_up_to_where_one_looks(depth in 4090_usize..4104, above in 0_usize..3) {
        let chain = linear(depth + above);
        let name = |at: usize| if at == 0 { "r".to_owned() } else { format!("c{at}") };
        let settings = RollupSettings::default();
        match roll(&chain, &name(above), &name(depth + above), &settings) {
            Rollup::Path(path) => {
                prop_assert!(depth < MOST_DEPTH);
                prop_assert_eq!(path.steps.len(), depth);
                hold(&chain, &path, &settings)?;
            }
            apart @ Rollup::Apart { .. } => {
                prop_assert!(MOST_DEPTH <= depth);
                prop_assert!(apart.without_steps().is_some_and(|line| line.contains("within 4096 steps")));
            }
            Rollup::Nothing | Rollup::Contained { .. } => prop_assert!(false, "there are steps"),
        }
    }
}
