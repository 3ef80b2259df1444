use luminos_core::scan::{Scan, Summary, SummaryOptions, TreeOptions};

use super::{TextOptions, write_text};
use crate::{Style, sample};

fn text(scan: &Scan, summary: SummaryOptions, options: TextOptions) -> String {
    let mut written = Vec::new();
    write_text(&mut written, &Summary::of(scan, &summary), &options).unwrap();
    String::from_utf8(written).unwrap()
}

fn plain(scan: &Scan) -> String {
    text(scan, SummaryOptions::default(), TextOptions::default())
}

#[test]
fn a_small_project_fits_on_a_screen() {
    insta::assert_snapshot!(plain(&sample::small()), @"
/home/ada/hello · 9 files · 7 directories · 75.3 KB · 1 symlink · 3f3f3f3f

hello/
├── Cargo.toml  512 B
├── README.md  1.5 KB
├── latest  (symlink)
├── secret.key  64 B  [not read: Permission denied]
├── src/
│   ├── lib.rs  47.1 KB
│   ├── main.rs  3.1 KB
│   └── parser/
│       ├── deep/  ...
│       └── tokens.rs  5.0 KB
├── tools/
│   └── run  16.0 KB
└── web/
    └── index.html  2.0 KB

Categories
  source    5  ██████████████▍              55.6%    57.2 KB
  unknown   2  █████▊                       22.2%    16.1 KB
  config    1  ██▉                          11.1%      512 B
  document  1  ██▉                          11.1%     1.5 KB

Languages         files     code  comment    blank
  Rust                4    1,352      172      135
  HTML                1       40        1        3
  ├ JavaScript        1       12        2        1
  └ CSS               1        7        0        0
  TOML                1       14        0        3
  all                 6    1,425      175      142

Large source files  over 1,000 lines or 10.0 MB
    47.1 KB  1,356 lines  src/lib.rs

Last modified  UTC
  2026-11-16 03:05  src/main.rs
  2026-11-16 03:04  src/lib.rs
  2026-11-16 03:03  src/parser/tokens.rs
  2026-11-16 03:03  src/parser/deep/down/here.rs
  2026-11-16 03:02  web/index.html
  2026-11-16 03:01  Cargo.toml
  2026-11-16 03:00  README.md
  2026-11-16 02:00  tools/run
  2026-11-16 01:30  secret.key

Largest directories  of 75.3 KB
    55.2 KB   73.4%  ███████████████████         src/
    16.0 KB   21.3%  █████▌                      tools/
     5.0 KB    6.7%  █▋                          src/parser/
     2.0 KB    2.7%  ▋                           web/
       40 B    0.1%  ▏                           src/parser/deep/

Files their names do not explain
  1  ELF 64-bit LSB pie executable, x86-64, dynamically linked

Left out  7 paths; --why-skipped lists each with its rule
  3  by ignore files (--no-ignore looks at them)
  1  hidden (-a looks at them)
  2  always left out, like .git or node_modules
  1  by --exclude

Problems  1
  secret.key: not read: Permission denied
");
}

#[test]
fn colours_say_nothing_that_words_do_not() {
    let options = TextOptions { style: Style::Ansi, ..TextOptions::default() };
    let coloured = text(&sample::small(), SummaryOptions::default(), options);
    insta::assert_snapshot!(coloured.replace('\x1b', "␛"), @"
␛[1m/home/ada/hello␛[0m · 9 files · 7 directories · 75.3 KB · 1 symlink · 3f3f3f3f

␛[1;34mhello/␛[0m
␛[2m├── ␛[0mCargo.toml  ␛[2m512 B␛[0m
␛[2m├── ␛[0mREADME.md  ␛[2m1.5 KB␛[0m
␛[2m├── ␛[0m␛[36mlatest␛[0m  ␛[2m(symlink)␛[0m
␛[2m├── ␛[0msecret.key  ␛[2m64 B␛[0m  ␛[31m[not read: Permission denied]␛[0m
␛[2m├── ␛[0m␛[1;34msrc/␛[0m
␛[2m│   ├── ␛[0mlib.rs  ␛[2m47.1 KB␛[0m
␛[2m│   ├── ␛[0mmain.rs  ␛[2m3.1 KB␛[0m
␛[2m│   └── ␛[0m␛[1;34mparser/␛[0m
␛[2m│       ├── ␛[0m␛[1;34mdeep/␛[0m  ␛[2m...␛[0m
␛[2m│       └── ␛[0mtokens.rs  ␛[2m5.0 KB␛[0m
␛[2m├── ␛[0m␛[1;34mtools/␛[0m
␛[2m│   └── ␛[0mrun  ␛[2m16.0 KB␛[0m
␛[2m└── ␛[0m␛[1;34mweb/␛[0m
␛[2m    └── ␛[0mindex.html  ␛[2m2.0 KB␛[0m

␛[1mCategories␛[0m
  source    5  ␛[32m██████████████▍␛[0m              55.6%    57.2 KB
  unknown   2  ␛[32m█████▊␛[0m                       22.2%    16.1 KB
  config    1  ␛[32m██▉␛[0m                          11.1%      512 B
  document  1  ␛[32m██▉␛[0m                          11.1%     1.5 KB

␛[1mLanguages␛[0m  ␛[2m       files     code  comment    blank␛[0m
  Rust                4    1,352      172      135
  HTML                1       40        1        3
  ├ JavaScript        1       12        2        1
  └ CSS               1        7        0        0
  TOML                1       14        0        3
  all                 6    1,425      175      142

␛[1mLarge source files␛[0m  ␛[2mover 1,000 lines or 10.0 MB␛[0m
    47.1 KB  1,356 lines  src/lib.rs

␛[1mLast modified␛[0m  ␛[2mUTC␛[0m
  2026-11-16 03:05  src/main.rs
  2026-11-16 03:04  src/lib.rs
  2026-11-16 03:03  src/parser/tokens.rs
  2026-11-16 03:03  src/parser/deep/down/here.rs
  2026-11-16 03:02  web/index.html
  2026-11-16 03:01  Cargo.toml
  2026-11-16 03:00  README.md
  2026-11-16 02:00  tools/run
  2026-11-16 01:30  secret.key

␛[1mLargest directories␛[0m  ␛[2mof 75.3 KB␛[0m
    55.2 KB   73.4%  ␛[32m███████████████████␛[0m         src/
    16.0 KB   21.3%  ␛[32m█████▌␛[0m                      tools/
     5.0 KB    6.7%  ␛[32m█▋␛[0m                          src/parser/
     2.0 KB    2.7%  ␛[32m▋␛[0m                           web/
       40 B    0.1%  ␛[32m▏␛[0m                           src/parser/deep/

␛[1mFiles their names do not explain␛[0m
  1  ELF 64-bit LSB pie executable, x86-64, dynamically linked

␛[1mLeft out␛[0m  ␛[2m7 paths; --why-skipped lists each with its rule␛[0m
  3  by ignore files (--no-ignore looks at them)
  1  hidden (-a looks at them)
  2  always left out, like .git or node_modules
  1  by --exclude

␛[1mProblems␛[0m  ␛[2m1␛[0m
  secret.key: ␛[31mnot read: Permission denied␛[0m
");

    let mut bare = String::new();
    for (index, piece) in coloured.split("\x1b[").enumerate() {
        bare.push_str(if index == 0 { piece } else { piece.split_once('m').unwrap().1 });
    }
    assert_eq!(bare, plain(&sample::small()));
}

#[test]
fn an_empty_directory_says_so() {
    insta::assert_snapshot!(plain(&sample::empty()), @"
/home/ada/hello · 0 files · 1 directory · 0 B · 3f3f3f3f

hello/
(empty)
");
}

#[test]
fn hostile_names_are_inert() {
    let report = plain(&sample::hostile());
    assert!(!report.contains(|character: char| character.is_control() && character != '\n'));
    insta::assert_snapshot!(report, @r"
/tmp/\u{1b}]0;owned\u{7}\xfe · 5 files · 3 directories · 15 B · 00000000

\u{1b}]0;owned\u{7}\xfe/
├── \u{1b}[2Jclear.rs  2 B
├── described  5 B
├── new\nline\rback  1 B
├── \u{202e}txt.exe\u{9b}  3 B
└── \xff\xfe/
    └── \x9b31m/
        └── red  4 B

Categories
  unknown   3  ███████████████▌             60.0%       12 B
  source    1  █████▏                       20.0%        2 B
  data      1  █████▏                       20.0%        1 B

Languages      files     code  comment    blank
  Rust             1    1,001        0        0

Large source files  over 1,000 lines or 10.0 MB
        2 B  1,001 lines  \u{1b}[2Jclear.rs

Last modified  UTC
  2026-11-16 03:04  described
  2026-11-16 03:03  \xff\xfe/\x9b31m/red
  2026-11-16 03:02  \u{202e}txt.exe\u{9b}
  2026-11-16 03:01  \u{1b}[2Jclear.rs
  2026-11-16 03:00  new\nline\rback

Largest directories  of 15 B
        4 B   26.7%  ██████▉                     \xff\xfe/
        4 B   26.7%  ██████▉                     \xff\xfe/\x9b31m/

Files their names do not explain
  1  data, \u{1b}]52;c;stolen\u{7}

Left out  1 path; --why-skipped lists each with its rule
  1  by ignore files (--no-ignore looks at them)

Problems  1
  .gitignore: line 1 is no pattern: bad \u{1b}[31m[
");
}

#[test]
fn many_problems_are_cut_short() {
    insta::assert_snapshot!(plain(&sample::troubled()), @"
/home/ada/hello · 0 files · 2 directories · 0 B · 3f3f3f3f

hello/
└── locked/  [directory not listed: Permission denied]

Problems  1,235
  a/rather/long/path/that/…ide/its/message/0000.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0001.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0002.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0003.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0004.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0005.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0006.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0007.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0008.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0009.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0010.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0011.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0012.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0013.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0014.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0015.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0016.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0017.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0018.bin: not read: Permission denied
  a/rather/long/path/that/…ide/its/message/0019.bin: not read: Permission denied
  … and 1,215 more (--json lists all)
");
}

#[test]
fn a_huge_directory_shows_its_first_entries() {
    let tree = TreeOptions { per_directory: 6, ..TreeOptions::default() };
    let options = SummaryOptions { tree, recent_files: 2, ..SummaryOptions::default() };
    insta::assert_snapshot!(text(&sample::huge(), options, TextOptions::default()), @"
/home/ada/hello · 100,001 files · 2 directories · 976.6 KB · 3f3f3f3f

hello/
├── 000000.dat  10 B
├── 000001.dat  10 B
├── 000002.dat  10 B
├── 000003.dat  10 B
├── 000004.dat  10 B
├── below/
│   └── one  10 B
└── … and 99,995 more
(shortened: scan a directory of it to see more of that)

Categories
  data      100,001  ██████████████████████████  100.0%   976.6 KB

Last modified  UTC
  2026-11-16 03:00  000000.dat
  2026-11-16 03:00  000001.dat

Largest directories  of 976.6 KB
       10 B    0.0%  ▏                           below/
");

    let lines = plain(&sample::huge()).lines().count();
    assert!(lines < 250, "{lines} lines");
}

#[test]
fn no_line_is_wider_than_the_page() {
    for width in [40, 60, 80, 120] {
        let options = TextOptions { width, ..TextOptions::default() };
        let report = text(&sample::troubled(), SummaryOptions::default(), options);
        let widest = report.lines().map(|line| line.chars().count()).max().unwrap();
        // A message is never cut; below 60 columns its path, cut to 24, does not fit beside it.
        assert!(widest <= width.max(60), "{widest} columns on a page of {width}");
    }
}

#[test]
fn a_deep_tree_ends_somewhere() {
    let tree = TreeOptions { depth: u32::MAX, ..TreeOptions::default() };
    let options = SummaryOptions { tree, ..SummaryOptions::default() };
    let report = text(&sample::deep(5_000), options, TextOptions::default());
    assert!(report.ends_with("└── d/  ...\n"), "{report}");
}

#[test]
fn a_target_of_which_all_was_left_out_is_not_called_empty() {
    let mut scan = sample::empty();
    scan.skipped_counts.hidden = 2;
    insta::assert_snapshot!(plain(&scan), @"
/home/ada/hello · 0 files · 1 directory · 0 B · 3f3f3f3f

hello/
(all of it was left out)

Left out  2 paths; --why-skipped lists each with its rule
  2  hidden (-a looks at them)
");
}

#[test]
fn a_long_path_to_the_target_gets_a_line_of_its_own() {
    let mut scan = sample::empty();
    scan.root = format!("/home/{}end", "long/".repeat(20)).into();
    insta::assert_snapshot!(plain(&scan), @"
/home/long/long/long/long/long/long/lon…g/long/long/long/long/long/long/long/end
0 files · 1 directory · 0 B · 3f3f3f3f

end/
(empty)
");
}
