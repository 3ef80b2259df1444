//! Where configuration comes from, and which place wins.

use insta::assert_snapshot;

use crate::machine::Machine;

const USER_FILE: &str = ".config/luminos/config.toml";

#[test]
fn without_any_configuration_the_defaults_hold() {
    assert_snapshot!(Machine::new().run("config show"), @r#"
    exit code: 0
    ---- stdout
    home = "[ROOT]/home/.local/state/luminos"
    color = "auto"

    [scan]
    hidden = false
    ignore-files = true
    exclude = []
    keep = []
    cross-mounts = false
    depth = 3
    threads = 0
    hash-limit = "1 GiB"
    cache = true

    [models]
    config = "[ROOT]/home/.config/luminos/models.toml"
    default = ""
    survey = ""
    plan = ""
    dir = ""
    judge = ""
    synthesis = ""
    connect-timeout = "10 s"
    idle-timeout = "3 min"
    total-timeout = "15 min"
    provider-patience = "10 min"
    count-input = false
    anthropic-version = "2023-06-01"
    anthropic-beta = []
    cache-time = "5m"
    command = []
    command-schema = []
    command-box = true
    program-read = []
    allow-unconfined-program = false

    [daemon]
    idle = 300
    patience = "5 min"

    [planner]
    model = ""
    timeout = "20 min"
    retries = 2
    dedupe-window = "10 min"
    verify-commands = "hybrid"
    verify-max = 4
    verify-augment = false
    verify-uninitialised = false
    tracker = "none"
    tracker-url = "https://api.github.com"
    "#);
}

#[test]
fn all_five_layers_at_once() {
    let machine = Machine::new()
        .with_file(USER_FILE, "home = '/kept'\n[scan]\ndepth = 1\nexclude = ['a']\nkeep = ['dist']\n")
        .with_file("project/luminos.toml", "[scan]\n\n# Deep trees.\ndepth = 2\nexclude = ['b', 'c']\n");
    let variables = [("LUMINOS_SCAN_EXCLUDE", "d, e"), ("LUMINOS_COLOR", "auto"), ("LUMINOS_SCAN_CACHE", "")];
    assert_snapshot!(machine.run_with(&variables, "config show --origin --color never"), @r#"
    exit code: 0
    ---- stdout
    home = "/kept"                                               # [ROOT]/home/.config/luminos/config.toml line 1
    color = "never"                                              # --color

    [scan]
    hidden = false                                               # default
    ignore-files = true                                          # default
    exclude = ["d", "e"]                                         # LUMINOS_SCAN_EXCLUDE
    keep = ["dist"]                                              # [ROOT]/home/.config/luminos/config.toml line 5
    cross-mounts = false                                         # default
    depth = 2                                                    # luminos.toml line 4
    threads = 0                                                  # default
    hash-limit = "1 GiB"                                         # default
    cache = true                                                 # default

    [models]
    config = "[ROOT]/home/.config/luminos/models.toml"  # default
    default = ""                                                 # default
    survey = ""                                                  # default
    plan = ""                                                    # default
    dir = ""                                                     # default
    judge = ""                                                   # default
    synthesis = ""                                               # default
    connect-timeout = "10 s"                                     # default
    idle-timeout = "3 min"                                       # default
    total-timeout = "15 min"                                     # default
    provider-patience = "10 min"                                 # default
    count-input = false                                          # default
    anthropic-version = "2023-06-01"                             # default
    anthropic-beta = []                                          # default
    cache-time = "5m"                                            # default
    command = []                                                 # default
    command-schema = []                                          # default
    command-box = true                                           # default
    program-read = []                                            # default
    allow-unconfined-program = false                             # default

    [daemon]
    idle = 300                                                   # default
    patience = "5 min"                                           # default

    [planner]
    model = ""                                                   # default
    timeout = "20 min"                                           # default
    retries = 2                                                  # default
    dedupe-window = "10 min"                                     # default
    verify-commands = "hybrid"                                   # default
    verify-max = 4                                               # default
    verify-augment = false                                       # default
    verify-uninitialised = false                                 # default
    tracker = "none"                                             # default
    tracker-url = "https://api.github.com"                       # default
    ---- stderr
    `[ROOT]/home/project/luminos.toml` is obeyed, but not by a command that looks at a directory it lies in, such as `luminosctl run .` (`--target DIR` shows what holds there)
    "#);
}

#[test]
fn programs_get_the_same_as_json() {
    let machine = Machine::new().with_file("project/luminos.toml", "[scan]\nexclude = ['b']\n");
    let run = machine.run_with(&[("LUMINOS_SCAN_DEPTH", "9")], "config show --json --home h");
    let settings: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let setting = |key: &str| {
        settings.as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap().to_string()
    };
    assert_snapshot!(
        ["home", "color", "scan.exclude", "scan.depth"].map(setting).join("\n"),
        @r#"
    {"key":"home","value":"[ROOT]/home/project/h","origin":{"kind":"flag","name":"--home"}}
    {"key":"color","value":"auto","origin":{"kind":"default"}}
    {"key":"scan.exclude","value":["b"],"origin":{"kind":"file","path":"[ROOT]/home/project/luminos.toml","line":2}}
    {"key":"scan.depth","value":9,"origin":{"kind":"variable","name":"LUMINOS_SCAN_DEPTH"}}
    "#
    );
}

#[test]
fn what_is_shown_can_be_used_as_a_file() {
    let variables = [
        ("LUMINOS_SCAN_EXCLUDE", "it's,\"b\""),
        ("LUMINOS_MODELS_CONFIG", "/m"),
        ("LUMINOS_SCAN_HASH_LIMIT", "1.5 KB"),
    ];
    let shown = Machine::new().run_with(&variables, "config show --home /h").stdout;
    let machine = Machine::new().with_file("project/saved.toml", &shown);
    let again = machine.run("config show --config saved.toml");
    assert_eq!((again.code, again.stdout), (Some(0), shown));
}

#[test]
fn the_paths_say_which_files_are_read() {
    let machine = Machine::new()
        .with_file("project/luminos.toml", "")
        .with_file("project/src/luminos.toml", "this is not even TOML")
        .with_file("project/src/lib/main.c", "");
    let run = |arguments: &[&str]| {
        let output = machine.command(arguments).current_dir(machine.home().join("project/src/lib")).output();
        machine.ended(output.unwrap())
    };
    assert_snapshot!(run(&["config", "path"]), @"
    exit code: 0
    ---- stdout
    project  [ROOT]/home/project/src/lib/luminos.toml  absent
    project  [ROOT]/home/project/src/luminos.toml      read
    project  [ROOT]/home/project/luminos.toml          not read: a nearer one is
    user     [ROOT]/home/.config/luminos/config.toml   absent
    ");
    assert_snapshot!(run(&["config", "path", "--target", ".."]), @"
    exit code: 0
    ---- stdout
    project  [ROOT]/home/project/src/lib/luminos.toml  absent
    project  [ROOT]/home/project/src/luminos.toml      not read: it lies inside the target
    project  [ROOT]/home/project/luminos.toml          read
    user     [ROOT]/home/.config/luminos/config.toml   absent
    ");
    assert_snapshot!(run(&["config", "path", "--config", "../other.toml", "--json"]), @r#"
    exit code: 0
    ---- stdout
    [
      {
        "role": "named",
        "path": "[ROOT]/home/project/src/lib/../other.toml",
        "standing": "absent"
      },
      {
        "role": "user",
        "path": "[ROOT]/home/.config/luminos/config.toml",
        "standing": "absent"
      }
    ]
    "#);
}

#[test]
fn a_file_inside_the_target_is_not_read_and_that_is_said() {
    let machine = Machine::new().with_file("project/luminos.toml", "[scan]\ndepth = 9\n");
    let run = machine.run("config show --target .");
    assert!(run.stdout.contains("depth = 3\n"), "{run}");
    assert_snapshot!(run.stderr, @"warning: `[ROOT]/home/project/luminos.toml` lies inside the target and is not read (hint: to use it, name it with `--config`)");

    let run = machine.run("config show --target . --config luminos.toml");
    assert!(run.stdout.contains("depth = 9\n"), "{run}");
    assert_eq!(run.stderr, "");
}

/// Whoever wrote the project that one stands in decides neither where results go, nor what is asked, paid, run or trusted.
#[test]
fn what_is_not_for_a_project_to_say_is_not_obeyed_and_config_show_says_so() {
    let theirs = "home = '/tmp/theirs'\n[scan]\ndepth = 9\n[models]\nconfig = 'prices.toml'\ndefault = 'claude'\n\
                  command = ['sh']\nprogram-read = ['~/.ssh']\ncommand-box = false\n[planner]\nmodel = 'codex'\n\
                  tracker = 'github:evil/mine'\ntracker-url = 'https://evil.example'\n";
    let machine = Machine::new()
        .with_file("project/luminos.toml", theirs)
        .with_file("project/prices.toml", "[claude-sonnet-5-5]\ninput = 0\noutput = 0\n")
        .with_file("other/a", "");
    let shown = machine.run("config show --origin");
    assert_eq!(shown.code, Some(0), "{shown}");
    let theirs = shown.stdout.lines().filter(|line| line.contains("# luminos.toml"));
    let theirs: Vec<_> = theirs.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(theirs, ["depth = 9 # luminos.toml line 3"]);
    assert_snapshot!(shown.stderr, @"
    warning: `luminos.toml` line 1: `home` is not obeyed: where results are kept is not for a project to say
    warning: `luminos.toml` line 5: `models.config` is not obeyed: what models cost is not for a project to say
    warning: `luminos.toml` line 6: `models.default` is not obeyed: which models are asked, and how, is not for a project to say
    warning: `luminos.toml` line 7: `models.command` is not obeyed: which programs are run is not for a project to say
    warning: `luminos.toml` line 8: `models.program-read` is not obeyed: what programs may read is not for a project to say
    warning: `luminos.toml` line 9: `models.command-box` is not obeyed: whether programs are confined is not for a project to say
    warning: `luminos.toml` line 11: `planner.model` is not obeyed: which models are asked, and how, is not for a project to say
    warning: `luminos.toml` line 12: `planner.tracker` is not obeyed: who gets a token of yours is not for a project to say
    warning: `luminos.toml` line 13: `planner.tracker-url` is not obeyed: who gets a token of yours is not for a project to say (hint: write it into your own `[ROOT]/home/.config/luminos/config.toml`, or name this file with `--config`)
    `[ROOT]/home/project/luminos.toml` is obeyed, but not by a command that looks at a directory it lies in, such as `luminosctl run .` (`--target DIR` shows what holds there)
    ");
    // Of another directory the rest is obeyed, and results are kept where they always are.
    let other = machine.run("config show --target ../other");
    assert!(other.stderr.ends_with("`[ROOT]/home/project/luminos.toml` is obeyed\n"), "{other}");
    let ran = machine.run("run -q ../other");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(machine.state().exists() && !std::path::Path::new("/tmp/theirs").exists());
    // Whoever names the file means it.
    let named = machine.run("config show --config luminos.toml");
    assert!(named.stdout.contains("tracker = \"github:evil/mine\""), "{named}");
    assert_eq!(named.stderr, "");
}

#[test]
fn a_run_that_goes_on_does_not_obey_a_file_of_its_target_either() {
    let machine = Machine::new().with_file("project/a.md", "# A\n");
    assert_eq!(machine.run("run -q .").code, Some(0));
    machine.write("project/luminos.toml", "[scan]\nthreads = 'nonsense'\n");
    let again = machine.run("resume .");
    assert!(again.stderr.contains("cannot be \"nonsense\""), "{again}");
    machine.write("project/luminos.toml", "[scan]\nhidden = true\n");
    for command in ["resume . -q", "replay . -q"] {
        let again = machine.run(command);
        assert!(again.stderr.contains("lies inside the target and is not read"), "{command}: {again}");
    }
}

#[test]
fn xdg_directories_are_honoured() {
    let machine = Machine::new().with_file("cfg/luminos/config.toml", "[scan]\ndepth = 7\n");
    let [config_home, state_home] = ["cfg", "state"].map(|dir| machine.home().join(dir));
    let mut command = machine.command(&["config", "show", "--origin"]);
    command.env("XDG_CONFIG_HOME", config_home).env("XDG_STATE_HOME", state_home);
    let run = machine.ended(command.output().unwrap());
    // How far the comments stand to the right depends on where the machine lies.
    let lines: Vec<String> = (run.stdout.lines().filter(|line| line.contains("[ROOT]")))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    home = "[ROOT]/home/state/luminos" # default
    depth = 7 # [ROOT]/home/cfg/luminos/config.toml line 2
    config = "[ROOT]/home/cfg/luminos/models.toml" # default
    "#);
}
