//! Precedence and faults, over the whole table.

use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::{ByteSize, Failure};

fn around(variables: &[(&str, &str)]) -> Surroundings {
    Surroundings {
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
        current_dir: "/work/project".into(),
        home_dir: Some("/home/ada".into()),
    }
}

fn file(path: &str, text: &str) -> ConfigFile {
    ConfigFile { path: path.into(), text: text.to_owned(), author: Author::User }
}

fn from_file(text: &str) -> Result<Resolved, Faults> {
    resolve(Layer::default(), &[file("luminos.toml", text)], &around(&[]))
}

fn from_variables(variables: &[(&str, &str)]) -> Result<Resolved, Faults> {
    resolve(Layer::default(), &[], &around(variables))
}

fn depth_flag(depth: Option<u32>) -> Layer {
    let scan = ScanLayer { depth: Given::by_flag("--depth", depth), ..ScanLayer::default() };
    Layer { scan, ..Layer::default() }
}

proptest! {
    #[test]
    fn the_strongest_place_that_says_something_decides(
        flag in option::of(0..9_u32),
        variable in option::of(10..19_u32),
        project in option::of(20..29_u32),
        user in option::of(30..39_u32),
    ) {
        let around = match variable {
            Some(depth) => around(&[("LUMINOS_SCAN_DEPTH", &depth.to_string())]),
            None => around(&[]),
        };
        let text = |depth: Option<u32>| depth.map_or(String::new(), |depth| format!("[scan]\ndepth = {depth}"));
        let files = [file("luminos.toml", &text(project)), file("/etc/user.toml", &text(user))];
        let resolved = resolve(depth_flag(flag), &files, &around).unwrap();
        prop_assert_eq!(resolved.config.scan.depth, flag.or(variable).or(project).or(user).unwrap_or(3));
    }

    #[test]
    fn nothing_written_in_a_file_makes_reading_it_fail_badly(text in "[a-z.\\[\\]={}\"' \n0-9-]{0,60}") {
        if let Err(faults) = from_file(&text) {
            prop_assert!(faults.iter().count() > 0);
        }
    }
}

#[test]
fn every_setting_can_be_written_in_a_file_and_in_the_environment() {
    let defaults = from_file("").unwrap();
    for (setting, shown) in SETTINGS.iter().zip(defaults.settings()) {
        let resolved = from_file(&format!("{} = {}", setting.key, shown.value)).unwrap();
        assert_eq!(resolved.config, defaults.config, "{}", setting.key);
        let written = resolved.settings().find(|other| other.key == setting.key).unwrap();
        assert_eq!(written.origin.to_string(), "luminos.toml line 1", "{}", setting.key);

        let list = shown.value.as_array().map(|_| "a, b".to_owned());
        let text = list.or(shown.value.as_str().map(str::to_owned)).unwrap_or(shown.value.to_string());
        // An empty variable counts as none.
        let text = if text.is_empty() { "claude".to_owned() } else { text };
        let variable = setting.variable();
        let resolved = from_variables(&[(&variable, &text)]).unwrap();
        let written = resolved.settings().find(|other| other.key == setting.key).unwrap();
        assert_eq!(*written.origin, Origin::Variable(variable));
    }
}

#[test]
fn values_arrive_as_they_were_meant() {
    let text = "home = '~/state'\ncolor = 'never'\n[scan]\nhidden = true\nexclude = ['a', 'b/']\nthreads = 4\n\
                hash-limit = '1.5 KB'";
    let config = from_file(text).unwrap().config;
    assert_eq!(config.home, Path::new("/home/ada/state"));
    assert_eq!(config.color, ColorChoice::Never);
    assert!(config.scan.hidden);
    assert_eq!(config.scan.exclude, ["a", "b"].map(|name| name.parse::<BareName>().unwrap()));
    assert_eq!(config.scan.threads.count(sixteen()).get(), 4);
    assert_eq!(config.scan.hash_limit, ByteSize(1536));

    let config = from_variables(&[
        ("LUMINOS_HOME", "state"),
        ("LUMINOS_SCAN_CACHE", "0"),
        ("LUMINOS_SCAN_KEEP", "dist, build,"),
        ("LUMINOS_SCAN_HASH_LIMIT", "100"),
        ("LUMINOS_SCAN_DEPTH", ""),
    ]);
    let config = config.unwrap().config;
    assert_eq!(config.home, Path::new("/work/project/state"));
    assert!(!config.scan.cache);
    assert_eq!(config.scan.keep, ["dist", "build"].map(|name| name.parse::<BareName>().unwrap()));
    assert_eq!(config.scan.hash_limit, ByteSize(100));
    assert_eq!(config.scan.depth, 3);
    assert_eq!(config.scan.threads.count(sixteen()).get(), 16);
}

#[test]
fn relative_paths_in_a_file_start_at_the_file() {
    let user = file("/home/ada/.config/luminos/config.toml", "home = 'state'");
    let resolved = resolve(Layer::default(), &[user], &around(&[])).unwrap();
    assert_eq!(resolved.config.home, Path::new("/home/ada/.config/luminos/state"));
    assert_eq!(from_file("home = '../state'").unwrap().config.home, Path::new("/work/project/../state"));
}

#[track_caller]
fn check_color(variables: &[(&str, &str)], expected: ColorChoice) {
    let files = [file("luminos.toml", "color = 'always'")];
    let resolved = resolve(Layer::default(), &files, &around(variables)).unwrap();
    assert_eq!(resolved.config.color, expected, "{variables:?}");
}

#[test]
fn no_color_is_stronger_than_a_file_and_weaker_than_our_own_variable() {
    check_color(&[], ColorChoice::Always);
    check_color(&[("NO_COLOR", "")], ColorChoice::Always);
    check_color(&[("NO_COLOR", "1")], ColorChoice::Never);
    check_color(&[("NO_COLOR", "1"), ("LUMINOS_COLOR", "auto")], ColorChoice::Auto);
    check_color(&[("NO_COLOR", "1"), ("LUMINOS_COLOR", "")], ColorChoice::Never);
}

#[test]
fn all_faults_of_a_file_are_told_at_once_and_in_order() {
    let text = "\
colour = 'auto'
home = 7
hidden = true

[scan]
hiden = true
hidden = 'yes'
depth = -1
threads = 5000
hash-limit = '1 lb'
exclude = [
  'fine',
  'not/fine',
]
keep = 'dist'
cross-mounts = 2026-01-01
\"\\u001b[31m\" = 1

[scna]
depth = 1
";
    let failure = Failure::from(from_file(text).unwrap_err());
    insta::assert_snapshot!(failure, @r#"
    error: the configuration has 13 faults
      because: `luminos.toml` line 1: unknown key `colour` (hint: did you mean `color`?)
      because: `luminos.toml` line 2: `home` cannot be 7 (hint: expected a path)
      because: `luminos.toml` line 3: unknown key `hidden` (hint: did you mean `scan.hidden`?)
      because: `luminos.toml` line 6: unknown key `scan.hiden` (hint: did you mean `scan.hidden`?)
      because: `luminos.toml` line 7: `scan.hidden` cannot be "yes" (hint: expected true or false)
      because: `luminos.toml` line 8: `scan.depth` cannot be -1 (hint: expected a whole number, 0 or more)
      because: `luminos.toml` line 9: `scan.threads` cannot be 5000 (hint: expected a whole number from 0 to 1024)
      because: `luminos.toml` line 10: `scan.hash-limit` cannot be "1 lb" (hint: expected a size like "512 MB", or a number of bytes)
      because: `luminos.toml` line 13: `scan.exclude` cannot be a list with "not/fine" (hint: expected a name without `/`)
      because: `luminos.toml` line 15: `scan.keep` cannot be "dist" (hint: expected a list of names like ["vendor", "fixtures"])
      because: `luminos.toml` line 16: `scan.cross-mounts` cannot be a date (hint: expected true or false)
      because: `luminos.toml` line 17: unknown key `scan.\u{1b}[31m` (hint: `luminosctl config --help` explains all settings)
      because: `luminos.toml` line 19: unknown key `scna` (hint: did you mean `scan`?)

    hint: `luminosctl config path` names the files that are read
    "#);
}

#[test]
fn a_file_that_is_no_toml_is_told_with_its_lines() {
    let failure = Failure::from(
        from_file("color = 'auto'\nhome = \n[scan\nhidden = true\nhidden = true\n").unwrap_err(),
    );
    insta::assert_snapshot!(failure, @"
    error: the configuration has 2 faults
      because: `luminos.toml` line 2: not valid TOML: string values must be quoted, expected literal string
      because: `luminos.toml` line 3: not valid TOML: unclosed table, expected `]`

    hint: `luminosctl config path` names the files that are read
    ");
    let failure = Failure::from(from_file("[scan]\ndepth = 1\ndepth = 2\n").unwrap_err());
    insta::assert_snapshot!(failure, @"
    error: `luminos.toml` line 3: not valid TOML: duplicate key

    hint: `luminosctl config path` names the files that are read
    ");
    let failure = Failure::from(from_file("scan = 3\n").unwrap_err());
    insta::assert_snapshot!(failure, @"
    error: `luminos.toml` line 1: `scan` cannot be 3 (hint: expected a table)

    hint: `luminosctl config path` names the files that are read
    ");
    let failure = Failure::from(from_file("\"scan.depth\" = 3\n").unwrap_err());
    insta::assert_snapshot!(failure, @r#"
    error: `luminos.toml` line 1: unknown key `"scan.depth"` (hint: did you mean `scan.depth`?)

    hint: `luminosctl config path` names the files that are read
    "#);
}

#[test]
fn faults_of_the_environment_name_the_variable() {
    let faults = from_variables(&[
        ("LUMINOS_COLOR", "pink"),
        ("LUMINOS_SCAN_DEPTH", "many"),
        ("LUMINOS_SCAN_EXCLUDE", "a,b/c"),
        ("LUMINOS_SCAN_HIDDEN", "\u{1b}[31m and much more than anybody would want to read"),
    ]);
    insta::assert_snapshot!(Failure::from(faults.unwrap_err()), @r#"
    error: the configuration has 4 faults
      because: environment variable `LUMINOS_COLOR` cannot be "pink" (hint: expected "auto", "always" or "never")
      because: environment variable `LUMINOS_SCAN_DEPTH` cannot be "many" (hint: expected a whole number, 0 or more)
      because: environment variable `LUMINOS_SCAN_EXCLUDE` cannot be a list with "b/c" (hint: expected a name without `/`)
      because: environment variable `LUMINOS_SCAN_HIDDEN` cannot be "\u{1b}[31m and much more than anybody would w…" (hint: expected true or false)
    "#);
}

#[test]
fn unknown_variables_are_odd_but_stop_nothing() {
    let resolved = from_variables(&[
        ("LUMINOS_DEPTH", "1"),
        ("LUMINOS_SCAN_HIDEN", "true"),
        ("LUMINOS_WORKERS", "1"),
        ("LUMINOSITY", "high"),
    ]);
    let warnings: Vec<String> = resolved.unwrap().warnings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(warnings.join("\n"), @"
    unknown environment variable `LUMINOS_DEPTH` (hint: did you mean `LUMINOS_SCAN_DEPTH`?)
    unknown environment variable `LUMINOS_SCAN_HIDEN` (hint: did you mean `LUMINOS_SCAN_HIDDEN`?)
    unknown environment variable `LUMINOS_WORKERS` (hint: `luminosctl config --help` explains all settings)
    ");
}

#[test]
fn without_any_home_the_way_out_is_named() {
    let faults = resolve(Layer::default(), &[], &Surroundings::default()).unwrap_err();
    insta::assert_snapshot!(Failure::from(faults), @"error: `home` has no value: there is no home directory to derive it from (hint: set `LUMINOS_HOME`)");
    let mut around = Surroundings::default();
    around.variables.insert("LUMINOS_HOME".to_owned(), "/state".into());
    assert_eq!(resolve(Layer::default(), &[], &around).unwrap().config.home, Path::new("/state"));
}

fn sixteen() -> std::num::NonZeroUsize {
    std::num::NonZeroUsize::new(16).unwrap()
}
