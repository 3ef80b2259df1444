use super::*;
use crate::tasks::repo::facts;
use crate::tasks::task::{Origin, Role};

fn draft(files: &[&str], commands: &[&str]) -> Draft {
    let mut draft = Draft::new("t", "g", Origin::Model);
    draft.context.files = files.iter().map(|file| (*file).to_owned()).collect();
    draft.allowed_paths = draft.context.files.clone();
    draft.commands = commands.iter().map(|text| (*text).to_owned()).collect();
    draft
}

const CONTRACT: &str = r#"{
  "commands": ["make lint"],
  "byRole": { "tester": ["make e2e"] },
  "rules": [
    { "whenChangedAny": ["apps/api/**"], "commands": ["make api"] },
    { "whenChangedAny": ["**/*.ts"], "whenChangedAll": ["web/**"], "commands": ["make web", "make lint"] }
  ],
  "visualProbes": [{"url": "x"}]
}"#;

fn contract() -> Contract {
    Contract::read(CONTRACT, &CommandPolicy::default()).unwrap()
}

#[test]
fn rules_of_a_contract_use_real_globs() {
    for (files, expected) in [
        (&["apps/api/y.py"][..], &["make lint", "make api"][..]),
        (&["apps/apix/y.py"], &["make lint"]),
        (&["src/a.ts"], &["make lint"]),
        (&["web/src/a.ts"], &["make lint", "make web"]),
        (&["src/a.ts", "web/b.py"], &["make lint", "make web"]),
    ] {
        assert_eq!(contract().commands_for(&draft(files, &[])), expected, "{files:?}");
    }
    let tester = Draft { role: Role::Tester, ..draft(&["x.py"], &[]) };
    assert_eq!(contract().commands_for(&tester), ["make lint", "make e2e"]);
}

#[test]
fn a_contract_that_cannot_be_used_is_an_error_with_its_line() {
    let said = |json: &str| Contract::read(json, &CommandPolicy::default()).unwrap_err().to_string();
    let all = [
        said("{\n  \"commands\": \"make\"\n}"),
        said("{\n  \"comands\": []\n}"),
        said("{\n  \"commands\": [\n    \"make a && make b\"\n  ]\n}"),
        said("{\n  \"byRole\": {\n    \"planner\": []\n  }\n}"),
        said("{\n  \"rules\": [\n    {\"whenChangedAny\": [\"../x\"], \"commands\": []}\n  ]\n}"),
        said("{\n  \"rules\": [ 5 ]\n}"),
        said("{\n  \"commands\": [\n"),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    it is not a contract: invalid type: string "make", expected a sequence at line 2 column 20
    it is not a contract: unknown field `comands`, expected one of `commands`, `byRole`, `rules`, `visualProbes`, `$schema` at line 2 column 11
    line 3: the command `make a && make b` cannot be run: `&&` at letter 8 needs a shell, and commands run without one
    line 3: `planner` is not a role; use `worker`, `tester` or `docser`
    line 3: the path `../x`: it leads out of the repository
    it is not a contract: invalid type: integer `5`, expected struct RawRule at line 2 column 14
    it is not a contract: EOF while parsing a list at line 3 column 0
    "#);
}

#[track_caller]
fn commands(mode: VerifyMode, own: &[&str], proposed: &[&str], with_contract: bool) -> Vec<String> {
    let repo = facts(&["Makefile", "go.mod", "a.go"]);
    let contract = contract();
    let proposed = vec![proposed.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()];
    let sources = Sources {
        contract: with_contract.then_some(&contract),
        proposed: &proposed,
        facts: &repo,
        policy: &CommandPolicy::default(),
    };
    let mut drafts = vec![draft(&["a.go"], own)];
    augment(&mut drafts, &VerifySettings { mode, ..VerifySettings::default() }, sources, &mut Vec::new());
    drafts.remove(0).commands
}

#[test]
fn modes_decide_who_is_asked() {
    use VerifyMode::{Contract, Fallback, Hybrid, Llm, Off};
    let detected = ["go test .", "go test ./..."];
    for (mode, own, proposed, with_contract, expected) in [
        (Off, &["a|b", "x"][..], &["p"][..], true, &["x"][..]),
        (Off, &[], &["p"], true, &[]),
        (Contract, &[], &["p"], true, &["make lint"]),
        (Contract, &[], &["p"], false, &[]),
        (Llm, &[], &["p", "a;b"], true, &["p"]),
        (Llm, &[], &[], true, &[]),
        (Fallback, &[], &["p"], false, &detected),
        (Fallback, &[], &["p"], true, &["make lint"]),
        (Hybrid, &[], &["p"], true, &["make lint"]),
        (Hybrid, &[], &["p"], false, &["p"]),
        (Hybrid, &[], &[], false, &detected),
        (Hybrid, &["own"], &["p"], true, &["own"]),
        // What was written and cannot be run counts as nothing, by the one rule for commands.
        (Hybrid, &["a && b"], &["p"], false, &["p"]),
        (Hybrid, &["1", "2", "3", "4", "5"], &[], false, &["1", "2", "3", "4"]),
    ] {
        assert_eq!(commands(mode, own, proposed, with_contract), expected, "{mode} {own:?} {proposed:?}");
    }
}

#[test]
fn manifests_tell_how_to_test() {
    let check = |files: &[&str], manifests: &[(&str, &str)], changed: &[&str], expected: &[&str]| {
        let mut repo = facts(files);
        for (path, text) in manifests {
            repo.files.insert((*path).to_owned());
            repo.manifests.insert((*path).to_owned(), (*text).to_owned());
        }
        assert_eq!(detect(&draft(changed, &[]), &repo), expected, "{files:?} {changed:?}");
    };
    let package = r#"{"scripts": {"test": "mocha", "lint": "eslint ."}}"#;
    check(&["lib/a.js"], &[("package.json", package)], &["lib/a.js"], &["npm test", "npm run lint"]);
    check(
        &["web/a.ts", "pnpm-lock.yaml"],
        &[("web/package.json", package)],
        &["web/a.ts"],
        &["pnpm --dir web test", "pnpm --dir web run lint"],
    );
    check(
        &["a.js"],
        &[("package.json", r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#)],
        &["a.js"],
        &[],
    );
    check(
        &["x/src/a.rs"],
        &[("Cargo.toml", "[workspace]"), ("x/Cargo.toml", "[package]\nname = \"ex\"\n")],
        &["x/src/a.rs"],
        &["cargo test -p ex"],
    );
    check(&["go.mod", "binding/json.go"], &[], &["binding/json.go"], &["go test ./binding", "go test ./..."]);
    check(
        &["pyproject.toml", "src/f/app.py", "tests/test_a.py"],
        &[],
        &["src/f/app.py", "tests/test_a.py"],
        &["python -m pytest tests/test_a.py", "python -m pytest"],
    );
    check(&["Gemfile", "spec/a_spec.rb"], &[], &["lib/a.rb"], &["bundle exec rspec"]);
    check(&["a.c"], &[("Makefile", "all: x\ntest: all\n\t./t\n")], &["a.c"], &["make test"]);
    check(
        &["build.gradle", "gradlew", "core/build.gradle"],
        &[],
        &["core/src/A.java"],
        &["./gradlew :core:test"],
    );
    check(&["go.mod"], &[], &["docs/a.md", "README.md"], &["test -s docs/a.md", "test -s README.md"]);
    check(&["a.txt"], &[], &["a.xyz"], &[]);
    // Of several manifests the one that speaks for the file counts; for a file of no language, that of most files.
    let both = [("package.json", package), ("pyproject.toml", "")];
    let files = ["django/a.py", "django/b.py", "tests/runtests.py", "tests/bulk/tests.py", "js/a.js"];
    check(
        &files,
        &both,
        &["django/a.py", "tests/bulk/tests.py"],
        &["python tests/runtests.py bulk", "python tests/runtests.py"],
    );
    check(&files, &both, &["js/a.js"], &["npm test", "npm run lint"]);
    check(&files, &both, &["settings.conf"], &["python tests/runtests.py"]);
    check(&["build.zig", "src/a.c"], &[("Makefile", "test: x\n")], &["src/a.c"], &["make test"]);
    check(&["app.conf", "src/a.c"], &[("src/Makefile", "test: x\n")], &["app.conf"], &["make -C src test"]);
    check(&["Src/App.sln", "Src/App/App.csproj"], &[], &["Src/App/A.cs"], &["dotnet test Src/App.sln"]);
    check(&["Src/App/App.csproj"], &[], &["Src/App/A.cs"], &["dotnet test Src/App/App.csproj"]);
}

#[test]
fn whole_flows_have_a_command_where_a_manifest_names_one() {
    let named = |files: &[&str], path: &str, text: &str| {
        let mut repo = facts(files);
        repo.files.insert(path.to_owned());
        repo.manifests.insert(path.to_owned(), text.to_owned());
        e2e_command(&repo)
    };
    let package = r#"{"scripts": {"test": "x", "test:e2e": "playwright test"}}"#;
    assert_eq!(named(&[], "package.json", package).as_deref(), Some("npm run test:e2e"));
    assert_eq!(named(&["bun.lock"], "package.json", package).as_deref(), Some("bun run test:e2e"));
    assert_eq!(named(&[], "Makefile", "e2e: build\n\t./e2e\n").as_deref(), Some("make e2e"));
    assert_eq!(named(&[], "Makefile", "test:\n"), None);
}

#[test]
fn an_empty_repository_gets_no_commands_unless_asked() {
    let repo = facts(&[]);
    let sources = Sources { contract: None, proposed: &[], facts: &repo, policy: &CommandPolicy::default() };
    let mut warnings = Vec::new();
    let mut drafts = vec![draft(&["a.go"], &[])];
    augment(&mut drafts, &VerifySettings::default(), sources, &mut warnings);
    assert_eq!((drafts[0].commands.len(), warnings.len()), (0, 1));
    assert!(to_ask(&drafts, &VerifySettings::default(), sources).is_empty());
}
