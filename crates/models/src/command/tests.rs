use std::fs;
use std::time::Instant;

use rustix::process::{Pid, test_kill_process};
use serde_json::json;

use super::*;
use luminos_core::talk::Arguments;
use luminos_core::talk::{Message, Pass, ToolSpec};

/// A program that is a line of shell.
fn shell(script: &str) -> CommandSettings {
    let template = Template {
        program: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script.to_owned(), "sh".to_owned()],
        protection: Protection::default(),
        variables: &[],
        with_model: template::words("--model {model}"),
        with_schema: Vec::new(),
        last: Vec::new(),
        prints: Prints::Text,
        own: None,
    };
    CommandSettings {
        template,
        model: None,
        launcher: None,
        scratch: "/tmp".into(),
        variables: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".into())]),
        apart: Apart::default(),
        time_limit: Duration::from_secs(30),
        max_bytes: 1 << 20,
    }
}

fn question(text: &str) -> Request {
    Request::question(Pass::Ask, text, 100)
}

async fn ask(settings: CommandSettings, request: &Request) -> Result<Reply, Error> {
    Command::new(settings).complete(request).await
}

#[tokio::test]
async fn the_prompt_comes_on_standard_input_and_not_in_the_arguments() {
    let settings = CommandSettings { model: Some("m1".to_owned()), ..shell("echo \"args: $*\"; cat") };
    let mut request = question("What is a \"secret\"?");
    request.system = vec!["Be brief.".to_owned()];
    let reply = ask(settings, &request).await.unwrap();
    assert_eq!(reply.text(), "args: --model m1\nBe brief.\n\nWhat is a \"secret\"?");
}

#[tokio::test]
async fn only_the_given_variables_are_there_and_those_of_its_private_directory() {
    let script =
        "env | grep -v -e '^PWD=' -e '^_=' -e '^SHLVL=' | sed s,=/tmp/luminos-program-[^/]*,=PRIVATE, | sort";
    let reply = ask(shell(script), &question("?")).await.unwrap();
    assert_eq!(
        reply.text(),
        "CLAUDE_CODE_TMPDIR=PRIVATE/tmp\nPATH=/usr/bin:/bin\nTMPDIR=PRIVATE/tmp\nXDG_CACHE_HOME=PRIVATE/tmp/cache"
    );
}

#[tokio::test]
async fn a_program_runs_in_an_empty_directory_of_its_own_that_is_removed() {
    let reply = ask(shell("pwd; ls -A | wc -l; stat -c %a .."), &question("?")).await.unwrap();
    let text = reply.text();
    let [place, count, mode] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(place.starts_with("/tmp/luminos-program-"), "{text}");
    assert_eq!((count.trim(), mode), ("0", "700"));
    assert!(!std::path::Path::new(place).parent().unwrap().exists());
}

/// Whoever is killed in a call cannot remove its directory.
#[tokio::test]
async fn what_a_killed_call_has_left_is_removed_by_a_later_one() {
    let scratch = tempfile::tempdir().unwrap();
    let old = std::time::SystemTime::now() - STALE * 2;
    for name in ["luminos-program-old", "luminos-program-new", "other"] {
        let path = scratch.path().join(name);
        fs::create_dir_all(path.join("own")).unwrap();
        if name != "luminos-program-new" {
            fs::File::open(&path).unwrap().set_modified(old).unwrap();
        }
    }
    let settings = CommandSettings { scratch: scratch.path().to_owned(), ..shell("echo done") };
    assert_eq!(ask(settings, &question("?")).await.unwrap().text(), "done");
    let mut left: Vec<_> =
        fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["luminos-program-new", "other"]);
}

/// A program that knows these options and says what it was called with.
#[expect(clippy::disallowed_methods, reason = "a test makes its own program")]
fn with_options(dir: &std::path::Path, options: &str) -> CommandSettings {
    let path = dir.join("claude");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --help ] && echo asked >> {0}/asked && echo '{options}' && exit\n\
         echo '{{\"type\":\"result\",\"is_error\":false,\"result\":\"'$(echo \"$*\" | tr -d \\\")'\"}}'\n",
        dir.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let template = Template { program: path.to_str().unwrap().to_owned(), ..Template::claude() };
    CommandSettings { template, ..shell("") }
}

#[tokio::test]
async fn a_program_is_asked_once_which_options_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let older = "--setting-sources <s> --strict-mcp-config --tools <t> --no-session-persistence --settings <s> \
                 --disable-slash-commands";
    let model = Command::new(with_options(dir.path(), older));
    for _ in 0..2 {
        let reply = model.complete(&question("?")).await.unwrap();
        assert!(
            reply
                .text()
                .contains("--setting-sources user --strict-mcp-config --disable-slash-commands --settings")
        );
    }
    assert_eq!(fs::read_to_string(dir.path().join("asked")).unwrap(), "asked\n");
}

#[tokio::test]
async fn a_program_without_options_that_protect_is_not_asked_anything() {
    let dir = tempfile::tempdir().unwrap();
    let error = ask(with_options(dir.path(), "--verbose"), &question("?")).await.unwrap_err();
    assert_eq!(error.kind(), Kind::ProgramUnprotected);
    let shown = luminos_core::Failure::new(&error, error.hint()).to_string();
    insta::assert_snapshot!(shown.replace(dir.path().to_str().unwrap(), "DIR"), @"
    error: the program `DIR/claude` cannot be told to leave files and tools alone: it knows neither `--safe-mode` nor `--setting-sources` with all that belongs to it

    hint: update the program, or ask a model server
    ");
}

#[tokio::test]
async fn a_reason_on_standard_output_is_told() {
    let logged_out = r#"{"type":"result","is_error":true,"result":"Not logged in · Please run /login"}"#;
    let mut settings = shell(&format!("echo '{logged_out}'; exit 1"));
    settings.template.prints = Prints::ClaudeEvents;
    let error = ask(settings, &question("?")).await.unwrap_err();
    assert_eq!(error.kind(), Kind::ProgramLoggedOut);
    assert_eq!(error.to_string(), "the program `sh` is not logged in: Not logged in · Please run /login");
    let failed = r#"{"type":"turn.failed","error":{"message":"usage limit"}}"#;
    let mut settings = shell(&format!("echo '{failed}'; exit 1"));
    settings.template.prints = Prints::CodexEvents;
    let error = ask(settings, &question("?")).await.unwrap_err();
    assert_eq!(error.to_string(), "the program `sh` failed: usage limit");
    let error = ask(shell("echo no quota; exit 7"), &question("?")).await.unwrap_err();
    assert_eq!(error.to_string(), "the program `sh` failed: no quota");
    // Neither a warning beside it nor another form of it hides it.
    for prints in [Prints::Text, Prints::ClaudeEvents, Prints::CodexEvents] {
        let mut settings = shell("echo old runtime >&2; echo Your credit is used up.; exit 1");
        settings.template.prints = prints;
        let error = ask(settings, &question("?")).await.unwrap_err();
        assert_eq!(error.to_string(), "the program `sh` failed: Your credit is used up.; old runtime");
    }
    let mut settings = shell(r#"echo '{"type":"thread.started"}'"#);
    settings.template.prints = Prints::CodexEvents;
    let error = ask(settings, &question("?")).await.unwrap_err();
    assert_eq!(error.to_string(), "the program `sh` failed: it printed no answer");
}

#[tokio::test]
async fn a_long_reason_is_cut_between_sentences_and_never_in_a_secret_or_a_character() {
    let (key, filler) = ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "Zeichen für Zeichen. ");
    for count in 40..60 {
        let text = format!("{key} {}Das war der Grund.", filler.repeat(count));
        for (before, prints) in [("", Prints::Text), (">&2", Prints::Text), ("", Prints::ClaudeEvents)] {
            let mut settings = shell(&format!("echo '{text}' {before}; exit 1"));
            settings.template.prints = prints;
            let said = ask(settings, &question("?")).await.unwrap_err().to_string();
            assert!(said.ends_with("Zeichen. Das war der Grund."), "{said}");
            assert!(said.contains("… Zeichen für") || said.contains("[redacted"), "{said}");
            assert!(!said.contains("ABCDEFGHIJ") && !said.contains('\u{fffd}'), "{said}");
        }
    }
    // However much comes before it: what is left of a line that was cut is not shown.
    let script = format!(
        "i=0; while [ $i -lt 4000 ]; do echo {key}-ä-$i >&2; i=$((i+1)); done; echo Done for. >&2; exit 1"
    );
    let said = ask(shell(&script), &question("?")).await.unwrap_err().to_string();
    assert!(said.ends_with("Done for.") && !said.contains("ABCDEFGHIJ"), "{said}");
    let backtrace = "echo 'Error: no such model' >&2; echo 'Stack backtrace:' >&2; seq 1000 >&2; exit 1";
    let said = ask(shell(backtrace), &question("?")).await.unwrap_err().to_string();
    assert_eq!(said, "the program `sh` failed: exit status: 1: Error: no such model");
}

#[tokio::test]
async fn a_question_is_never_a_command_of_the_program() {
    let reply = ask(shell("cat"), &question(" /compact now")).await.unwrap();
    assert_eq!(reply.text(), "This is the question:\n\n /compact now");
}

#[tokio::test]
async fn a_program_that_is_linked_from_the_target_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("agent");
    std::os::unix::fs::symlink("/bin/sh", &program).unwrap();
    let mut settings = shell("echo ran");
    settings.template.program = program.to_str().unwrap().to_owned();
    settings.apart = Apart::new(Some(dir.path()), &Default::default());
    let error = ask(settings, &question("?")).await.unwrap_err();
    assert!(error.to_string().contains("lies inside the directory that is looked at"), "{error}");
}

#[tokio::test]
async fn a_large_prompt_and_a_large_answer_do_not_block_each_other() {
    let long = "0123456789abcdef".repeat(40_000);
    assert_eq!(ask(shell("cat"), &question(&long)).await.unwrap().text().len(), long.len());
}

/// Runs a script that starts a process in the background, and waits until that process is gone.
async fn leaves_nothing_behind(script: &str, limit: Duration) -> Result<Reply, Error> {
    let dir = tempfile::tempdir().unwrap();
    let pid_file = dir.path().join("pid");
    let script = script.replace("BACKGROUND", &format!("sleep 600 & echo $! > {}", pid_file.display()));
    let result = ask(CommandSettings { time_limit: limit, ..shell(&script) }, &question("?")).await;
    let pid: i32 = fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    let pid = Pid::from_raw(pid).unwrap();
    // A process that nobody has waited for yet is gone as well.
    let is_alive = || {
        let status = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        test_kill_process(pid).is_ok() && !status.contains(") Z ")
    };
    while is_alive() {
        assert!(Instant::now() < deadline, "{script} left something behind");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    result
}

#[tokio::test]
async fn when_time_is_up_the_whole_group_ends() {
    let error = leaves_nothing_behind("BACKGROUND; wait", Duration::from_millis(500)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::ProgramTimeout);
    assert_eq!(error.to_string(), "the program `sh` took too long and was ended: the limit is 500ms");
}

#[tokio::test]
async fn what_a_program_leaves_running_does_not_hold_up_its_answer() {
    let reply = leaves_nothing_behind("BACKGROUND; echo done", Duration::from_secs(20)).await.unwrap();
    assert_eq!(reply.text(), "done");
}

#[tokio::test]
async fn too_much_output_ends_the_program() {
    let error = leaves_nothing_behind("BACKGROUND; yes", Duration::from_secs(20)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::AnswerTooLarge);
    assert_eq!(
        error.to_string(),
        "the answer of the program `sh` is too large: it printed more than 1048576 bytes"
    );
}

#[tokio::test]
async fn dropping_a_call_ends_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let (started, alive) = (dir.path().join("started"), dir.path().join("alive"));
    let script = format!("touch {}; sleep 1; touch {}", started.display(), alive.display());
    let model = Command::new(shell(&script));
    let request = question("?");
    let mut call = Box::pin(model.complete(&request));
    let deadline = Instant::now() + Duration::from_secs(10);
    while !started.exists() {
        assert!(Instant::now() < deadline);
        let _ = tokio::time::timeout(Duration::from_millis(10), &mut call).await;
    }
    drop(call);
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert!(!alive.exists());
}

#[tokio::test]
async fn failures_are_told_in_words() {
    let mut words = String::new();
    for script in ["echo 'no \u{1b}[31mlogin' >&2; exit 3", "exit 4", "kill -9 $$", "true"] {
        words.push_str(&format!("{}\n", ask(shell(script), &question("?")).await.unwrap_err()));
    }
    let mut missing = shell("");
    missing.template.program = "/no/such/program".to_owned();
    let error = ask(missing, &question("?")).await.unwrap_err();
    words.push_str(&luminos_core::Failure::new(&error, error.hint()).to_string());
    insta::assert_snapshot!(words);
}

#[tokio::test]
async fn a_schema_goes_to_a_file_that_is_gone_afterwards() {
    let mut settings = shell("echo \"$2\"; cat \"$2\"");
    settings.template.with_schema = template::words("--output-schema {schema-file}");
    let mut request = question("?");
    request.output = Some(OutputSchema { name: "x".to_owned(), schema: json!({ "type": "object" }) });
    let reply = ask(settings, &request).await.unwrap();
    let text = reply.text();
    let (path, content) = text.split_once('\n').unwrap();
    assert_eq!(content, r#"{"type":"object"}"#);
    assert!(path.contains("luminos-program-") && !std::path::Path::new(path).exists());
    assert_eq!(reply.notes, []);
}

#[tokio::test]
async fn without_a_flag_for_it_a_schema_is_described() {
    let mut request = question("?");
    request.output = Some(OutputSchema { name: "x".to_owned(), schema: json!({ "type": "object" }) });
    let reply = ask(shell("cat"), &request).await.unwrap();
    assert!(reply.text().contains("JSON schema:\n{\"type\":\"object\"}"));
    assert_eq!(reply.notes, [Note::SchemaInPrompt]);
}

#[tokio::test]
async fn tools_are_described_and_calls_are_read() {
    let mut request = question("Look.");
    request.messages.push(Message::Assistant(vec![crate::AssistantBlock::Text("At what?".to_owned())]));
    request.messages.push(Message::user("At {\"user\": \"x\"}\n\"src\"."));
    request.tools = vec![ToolSpec {
        name: "list".to_owned(),
        description: "List.".to_owned(),
        schema: Default::default(),
    }];
    let script =
        "cat >&2; echo '<tool_call>{\"name\":\"list\",\"arguments\":{\"path\":\"src\"}}</tool_call>'";
    let reply = ask(shell(script), &request).await.unwrap();
    let calls: Vec<_> = reply.tool_calls().collect();
    assert_eq!((calls.len(), &calls[0].arguments), (1, &Arguments::parse(r#"{"path":"src"}"#)));
    let described = tools_in_system(&request).unwrap();
    insta::assert_snapshot!(prompt::text(&described));
}

#[test]
fn the_presets_are_read_only_and_keep_the_prompt_off_the_command_line() {
    let mut shown = String::new();
    for template in [Template::codex(), Template::claude()] {
        let settings = CommandSettings { template, model: Some("m1".to_owned()), ..shell("") };
        let command = Command::new(settings);
        let output = OutputSchema { name: "x".to_owned(), schema: json!({ "type": "object" }) };
        let place = command.workplace(Some(&output)).unwrap();
        let path = place.whole().to_string_lossy().into_owned();
        let protection = command.settings.template.protection.sets[0].clone();
        for schema in [None, Some(&output)] {
            let arguments: Vec<String> = command
                .arguments(&protection, &place, schema)
                .iter()
                .map(|it| it.to_string_lossy().replace(&path, "PRIVATE"))
                .collect();
            shown.push_str(&format!("{}: {}\n", command.id(), arguments.join(" ")));
        }
    }
    insta::assert_snapshot!(shown);
}

#[track_caller]
fn reads(template: &Template, printed: &str, expected: Result<(&str, Option<u64>), &str>) {
    let settings = CommandSettings { template: template.clone(), ..shell("") };
    let read = output::read(&settings, printed.as_bytes());
    let read = read.map(|reply| (reply.text(), reply.usage.map(|usage| usage.total().0)));
    let read = read.map_err(|error| error.to_string());
    let expected = expected.map(|(text, tokens)| (text.to_owned(), tokens)).map_err(str::to_owned);
    assert_eq!(read, expected);
}

#[test]
fn the_events_of_codex_are_understood() {
    let codex = Template::codex();
    let events = r#"{"type":"thread.started","thread_id":"t"}
not json
{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"type":"agent_message","text":"First."}}
{"type":"error","message":"reconnecting"}
{"type":"item.completed","item":{"type":"agent_message","text":"Second."}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":7}}"#;
    reads(&codex, events, Ok(("First.\n\nSecond.", Some(107))));
    let failed = r#"{"type":"error","message":"usage limit"}
{"type":"turn.failed","error":{"message":"usage limit"}}"#;
    reads(&codex, failed, Err("the program `codex` failed: usage limit"));
    reads(&codex, "Plain words.\n", Ok(("Plain words.", None)));
    reads(&codex, "", Err("the program `codex` failed: it printed no answer"));
}

#[test]
fn the_events_of_claude_are_understood() {
    let claude = Template::claude();
    let events = r#"{"type":"system","subtype":"init"}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi."}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Hi.","usage":{"input_tokens":3,"cache_read_input_tokens":40,"cache_creation_input_tokens":5,"output_tokens":2}}"#;
    reads(&claude, events, Ok(("Hi.", Some(50))));
    let document = r#"{"type":"result","is_error":false,"result":"Done.","structured_output":{"a":1}}"#;
    reads(&claude, document, Ok((r#"{"a":1}"#, None)));
    let failed = r#"{"type":"result","subtype":"error_max_turns","is_error":true}"#;
    reads(&claude, failed, Err("the program `claude` failed: error_max_turns"));
}
