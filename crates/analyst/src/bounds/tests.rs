use luminos_core::entry::LONGEST_SUMMARY;
use tempfile::TempDir;

use super::*;
use crate::tests::whole_of;

/// Forms of files, each with a place for a name that the reader takes over: `@`.
const FORMS: &[(&str, &str)] = &[
    ("a.csv", "@,b\n1,2\n3,4\n"),
    ("b.csv", "a,b\n@,2\n@,4\nx,4\n"),
    ("c.csv", "a,b\n1,2\n@\n"),
    ("a.tsv", "@\tb\n1\t2\n"),
    ("a.json", "{\"@\": [{\"@\": 1}], \"name\": \"@\"}\n"),
    ("a.jsonl", "{\"@\": \"@\"}\n{\"@\": 2}\n"),
    (
        "a.geojson",
        "{\"type\":\"FeatureCollection\",\"name\":\"@\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"@\":\"@\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}]}",
    ),
    (
        "package.json",
        "{\"name\":\"@\",\"version\":\"@\",\"description\":\"@\",\"license\":\"@\",\"main\":\"@\",\"bin\":{\"@\":\"@\"},\"scripts\":{\"@\":\"@\",\"test\":\"@\"},\"dependencies\":{\"@\":\"@\"},\"engines\":{\"node\":\"@\"},\"workspaces\":[\"@\"]}",
    ),
    (
        "composer.json",
        "{\"name\":\"@\",\"description\":\"@\",\"require\":{\"@\":\"@\"},\"scripts\":{\"@\":\"@\"}}",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"@\"\nversion = \"@\"\ndescription = \"@\"\nlicense = \"@\"\nrust-version = \"@\"\n[dependencies]\n\"@\" = \"1\"\n[workspace]\nmembers = [\"@\"]\n[[bin]]\nname = \"@\"\npath = \"@\"\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"@\"\nversion = \"@\"\ndescription = \"@\"\nrequires-python = \"@\"\ndependencies = [\"@\"]\n[project.scripts]\n\"@\" = \"@\"\n[tool.@]\nx = 1\n",
    ),
    (
        "setup.cfg",
        "[metadata]\nname = @\nversion = @\ndescription = @\n[options]\ninstall_requires =\n    @\n",
    ),
    (
        "setup.py",
        "from setuptools import setup\nsetup(name='@', version='@', description='@', install_requires=['@'])\n",
    ),
    ("requirements.txt", "@==1.0\nflask\n"),
    ("go.mod", "module @\n\ngo 1.22\n\nrequire @ v1.2.3\n"),
    (
        "pom.xml",
        "<project><groupId>@</groupId><artifactId>@</artifactId><version>@</version><name>@</name><description>@</description><modules><module>@</module></modules><dependencies><dependency><groupId>@</groupId><artifactId>@</artifactId></dependency></dependencies></project>",
    ),
    ("build.gradle", "plugins { id '@' }\ngroup = '@'\nversion = '@'\ndependencies { implementation '@' }\n"),
    ("settings.gradle", "rootProject.name = '@'\ninclude '@'\n"),
    ("Gemfile", "source 'x'\ngem '@'\n"),
    (
        "a.gemspec",
        "Gem::Specification.new do |s|\n  s.name = '@'\n  s.summary = '@'\n  s.version = '@'\nend\n",
    ),
    ("CMakeLists.txt", "project(@ VERSION 1.0)\nadd_executable(@ main.c)\nadd_library(@ x.c)\n"),
    ("meson.build", "project('@', 'c', version: '@')\nexecutable('@', 'a.c')\n"),
    ("configure.ac", "AC_INIT([@], [@])\n"),
    ("Makefile", "all: build\n@:\n\techo @\ntest:\n\t@\n"),
    ("justfile", "@:\n    echo\ntest:\n    @\n"),
    ("Dockerfile", "FROM @\nENV @=1\nEXPOSE 80\nENTRYPOINT [\"@\"]\nCMD [\"@\"]\nRUN @\n"),
    (
        "compose.yaml",
        "services:\n  @:\n    image: @\n    ports:\n      - \"@\"\n    environment:\n      @: \"1\"\n",
    ),
    ("k8s.yaml", "apiVersion: v1\nkind: @\nmetadata:\n  name: @\n"),
    (
        "deploy.yml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: @\nspec:\n  template:\n    spec:\n      containers:\n        - name: @\n          image: @\n",
    ),
    (
        ".github/workflows/ci.yml",
        "name: @\non: push\njobs:\n  @:\n    runs-on: @\n    steps:\n      - name: @\n        run: @\n",
    ),
    (".gitlab-ci.yml", "stages: [@]\n@:\n  script:\n    - @\n"),
    ("playbook.yml", "- hosts: @\n  tasks:\n    - name: @\n      apt: name=@\n"),
    (
        "openapi.yaml",
        "openapi: 3.0.0\ninfo:\n  title: @\n  description: @\npaths:\n  /@:\n    get:\n      operationId: @\n",
    ),
    (
        "main.tf",
        "resource \"@\" \"@\" {}\nvariable \"@\" {\n  description = \"@\"\n}\nprovider \"@\" {}\nmodule \"@\" {\n  source = \"@\"\n}\n",
    ),
    ("a.sql", "CREATE TABLE @ (id int, @ text);\nINSERT INTO @ VALUES (1, '@');\n"),
    ("b.sql", "-- @\nCREATE VIEW @ AS SELECT 1;\nCREATE FUNCTION @() RETURNS int;\n"),
    (
        "a.proto",
        "syntax = \"proto3\";\npackage @;\nmessage @ {\n  string @ = 1;\n}\nservice @ {\n  rpc @ (@) returns (@);\n}\n",
    ),
    ("a.graphql", "type @ {\n  @: String\n}\n"),
    (
        "a.mbox",
        "From a@b Mon Jan  1 00:00:00 2024\nFrom: @\nTo: @\nSubject: @\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nList-Id: @\n\nhi\n",
    ),
    ("a.eml", "From: @\nTo: @\nSubject: @\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nhi\n"),
    ("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:@\nORG:@\nEND:VCARD\n"),
    (
        "a.ics",
        "BEGIN:VCALENDAR\nX-WR-CALNAME:@\nBEGIN:VEVENT\nSUMMARY:@\nDTSTART:20240101T000000Z\nEND:VEVENT\nEND:VCALENDAR\n",
    ),
    ("a.log", "2024-01-01 00:00:00 ERROR @\n2024-01-02 00:00:00 INFO @\n"),
    ("access.log", "127.0.0.1 - @ [01/Jan/2024:00:00:00 +0000] \"GET /@ HTTP/1.1\" 200 1 \"@\" \"@\"\n"),
    (
        "a.ipynb",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"# @\"]},{\"cell_type\":\"code\",\"source\":[\"import @\"],\"outputs\":[]}],\"metadata\":{\"kernelspec\":{\"language\":\"@\",\"name\":\"@\"}},\"nbformat\":4}",
    ),
    ("README.md", "# @\n\n@ is a program. @\n\n## Usage\n\n```sh\n@\n```\n\n- `@`: @\n"),
    ("notes.md", "# @\n\n@\n"),
    ("guide.rst", "@\n====\n\n@\n"),
    ("notes.txt", "@\n\n@\n"),
    (
        "paper.tex",
        "\\documentclass{article}\n\\title{@}\n\\author{@}\n\\begin{document}\n\\section{@}\n\\end{document}\n",
    ),
    ("refs.bib", "@article{@,\n title={@},\n author={@}\n}\n"),
    (
        "page.html",
        "<html><head><title>@</title><meta name=\"description\" content=\"@\"></head><body><h1>@</h1><form action=\"@\"></form></body></html>",
    ),
    ("style.css", "/* @ */\n.@ { color: @; }\n"),
    ("a.xml", "<@ a=\"@\"><b>@</b></@>"),
    (
        "feed.xml",
        "<rss><channel><title>@</title><description>@</description><item><title>@</title></item></channel></rss>",
    ),
    (
        "track.gpx",
        "<gpx><metadata><name>@</name></metadata><trk><name>@</name><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2024-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>",
    ),
    (
        "place.kml",
        "<kml><Document><name>@</name><Placemark><name>@</name><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>",
    ),
    (
        "book.fb2",
        "<FictionBook><description><title-info><book-title>@</book-title><author><last-name>@</last-name></author></title-info></description></FictionBook>",
    ),
    ("film.srt", "1\n00:00:01,000 --> 00:00:02,000\n@\n"),
    ("list.m3u", "#EXTM3U\n#EXTINF:1,@\n@\n"),
    ("app.ini", "[@]\n@ = @\n"),
    ("app.properties", "@=@\nspring.application.name=@\n"),
    (".env", "@=@\nPORT=1\n"),
    ("app.toml", "[@]\n\"@\" = \"@\"\n"),
    ("a.service", "[Unit]\nDescription=@\n[Service]\nExecStart=@\n"),
    ("nginx.conf", "server {\n  server_name @;\n  listen 80;\n  location /@ { proxy_pass http://@; }\n}\n"),
    ("crontab", "* * * * * @\n"),
    (
        "App.csproj",
        "<Project Sdk=\"@\"><PropertyGroup><TargetFramework>@</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include=\"@\" Version=\"@\" /><ProjectReference Include=\"@\" /></ItemGroup></Project>",
    ),
    ("a.sln", "Project(\"{x}\") = \"@\", \"@\", \"{y}\"\nEndProject\n"),
    (
        "mix.exs",
        "defmodule @.MixProject do\n  def project do\n    [app: :@, version: \"@\", deps: [{:@, \"1\"}]]\n  end\nend\n",
    ),
    ("Package.swift", "let package = Package(name: \"@\", targets: [.target(name: \"@\")])\n"),
    ("pubspec.yaml", "name: @\ndescription: @\ndependencies:\n  @: ^1.0\n"),
    ("a.cabal", "name: @\nsynopsis: @\nversion: 1\nexecutable @\n  main-is: Main.hs\n"),
    (
        "main.py",
        "\"\"\"@ is the start.\"\"\"\nimport @\nimport os\n\nos.environ['@']\n\nclass @:\n    \"\"\"@.\"\"\"\n    def @(self):\n        pass\n\nif __name__ == '__main__':\n    eval('@')\n",
    ),
    (
        "main.rs",
        "//! @ is the start.\nuse @::x;\n\n/// @.\npub struct @;\n\nfn main() {\n    std::env::var(\"@\").ok();\n}\n",
    ),
    (
        "main.js",
        "// @ is the start.\nconst x = require('@');\nimport y from '@';\n/** @. */\nclass @ {}\nfunction @() {}\nprocess.env.@;\neval('@');\n",
    ),
    (
        "main.ts",
        "// @ is the start.\nimport { x } from '@';\nexport class @ {}\nexport function @(): void {}\n",
    ),
    (
        "main.go",
        "// Package @ is the start.\npackage @\n\nimport \"@\"\n\n// @ does.\ntype @ struct{}\n\nfunc main() {}\nfunc @() {}\n",
    ),
    (
        "Main.java",
        "package @;\nimport @.X;\n/** @. */\npublic class @ {\n  public static void main(String[] a) {}\n  void @() {}\n}\n",
    ),
    (
        "main.c",
        "/* @ is the start. */\n#include \"@\"\nstruct @ { int x; };\nint @(void) { return system(\"@\"); }\nint main(void) { return 0; }\n",
    ),
    ("a.hpp", "// @\nnamespace @ { class @ {}; }\n"),
    (
        "A.cs",
        "using @;\nnamespace @ { /// <summary>@</summary>\npublic class @ { static void Main() {} } }\n",
    ),
    ("a.rb", "# @ is the start.\nrequire '@'\nclass @\n  def @\n  end\nend\n"),
    ("a.php", "<?php\n/** @ */\nnamespace @;\nuse @;\nclass @ { function @() {} }\n"),
    ("a.lua", "-- @ is the start.\nlocal x = require('@')\nfunction @() end\n"),
    ("run.sh", "#!/bin/sh\n# @ is the start.\nexport @=1\n@() { :; }\ncurl http://@ | sh\n"),
    ("a.swift", "import @\n/// @.\nclass @ { func @() {} }\n"),
    ("a.kt", "package @\nimport @\n/** @. */\nclass @ { fun @() {} }\n"),
    ("a.scala", "package @\nimport @\nobject @ extends App\n"),
    ("a.ex", "defmodule @ do\n  @moduledoc \"@\"\n  def @, do: 1\nend\n"),
    ("a.hs", "module @ where\nimport @\ndata @ = X\n"),
    (
        "a.vue",
        "<template><@/></template>\n<script>\nimport X from '@'\nexport default { name: '@' }\n</script>\n",
    ),
    ("a.po", "msgid \"@\"\nmsgstr \"@\"\n"),
    ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n@\n"),
    ("a.ps1", "# @\nfunction @ { }\nImport-Module @\n"),
    ("a.r", "# @\nlibrary(@)\n@ <- function() 1\n"),
    ("LICENSE", "@\n\nCopyright (c) 2024 @\n"),
    ("CODEOWNERS", "* @\n"),
];

/// Programs and their manifests: without them a target is a collection, and its files are told together.
const PROGRAMS: &[&str] = &[
    ".py",
    ".rs",
    ".js",
    ".ts",
    ".go",
    ".java",
    ".c",
    ".hpp",
    ".cs",
    ".rb",
    ".php",
    ".lua",
    ".sh",
    ".swift",
    ".kt",
    ".scala",
    ".ex",
    ".exs",
    ".hs",
    ".vue",
    ".ps1",
    ".r",
    ".proto",
    ".graphql",
    ".tf",
    ".css",
    ".gemspec",
    ".gradle",
    "justfile",
    "Gemfile",
    "Makefile",
    "Dockerfile",
    ".toml",
    ".cabal",
    ".csproj",
    ".sln",
];

fn is_data(name: &str) -> bool {
    !PROGRAMS.iter().any(|end| name.ends_with(end))
}

/// A target with a directory for each form.
fn target(is_wanted: fn(&str) -> bool, filled: impl Fn(&str) -> String) -> TempDir {
    let target = tempfile::tempdir().unwrap();
    for (at, (name, form)) in FORMS.iter().enumerate().filter(|(_, (name, _))| is_wanted(name)) {
        crate::fixture::put(&target, &format!("d{at}/{name}"), &filled(form));
    }
    target
}

/// Checks programs and data together, and data alone; and the forms that are told most in the target itself.
#[track_caller]
fn check_all(filled: impl Fn(&str) -> String) {
    check(&target(|_| true, &filled));
    check(&target(is_data, &filled));
    let at_top = tempfile::tempdir().unwrap();
    for (name, form) in FORMS.iter().filter(|(name, _)| is_data(name) && !name.contains('/')) {
        crate::fixture::put(&at_top, name, &filled(form));
    }
    check(&at_top);
}

/// Everything that is said of a target is short enough to be kept. Gives the longest sentence of a claim.
#[track_caller]
fn check(target: &TempDir) {
    let (entries, synthesis, script) = whole_of(target);
    for entry in &entries {
        let what = entry.relative_path.to_word();
        entry.check().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(entry.summary.len() < LONGEST_SUMMARY, "{what}: the summary");
        for claim in &entry.claims {
            assert!(claim.text.len() <= LONGEST_CLAIM, "{what}: a claim has {} bytes", claim.text.len());
            for evidence in &claim.evidence {
                let quote = evidence.quote.as_deref().unwrap_or_default();
                assert!(quote.len() <= LONGEST_QUOTE, "{what}: a quote has {} bytes", quote.len());
            }
        }
    }
    for file in script.files() {
        let what = file.relative_path.to_word();
        file.check().unwrap_or_else(|error| panic!("{what}: {error}"));
        let reason = file.notable_reason.unwrap_or_default();
        assert!(reason.len() <= LONGEST_FLAG, "{what}: a reason has {} bytes", reason.len());
    }
    for flag in script.flags().iter().chain(&synthesis.flags) {
        let what = flag.path.to_word();
        assert!(flag.finding.len() <= LONGEST_FLAG, "{what}: a flag has {} bytes", flag.finding.len());
        for evidence in &flag.evidence {
            let quote = evidence.quote.as_deref().unwrap_or_default();
            assert!(quote.len() <= LONGEST_QUOTE, "{what}: a flag's quote has {} bytes", quote.len());
        }
    }
    let findings = &synthesis.findings;
    let most = 4 * LONGEST_CLAIM;
    assert!(findings.brief.len() <= most && findings.detailed.len() <= most, "the report");
    for item in findings.sections.values().flatten() {
        assert!(
            item.name.len() <= LONGEST_CLAIM && item.text.len() <= most,
            "a section: {}",
            item.name.len()
        );
    }
}

#[test]
fn no_name_of_any_form_makes_a_sentence_too_long_to_be_kept() {
    // A word, words, and a word with a backtick and marks in it.
    for filling in ["K".repeat(17_000), "Kk ".repeat(14_000), "é`”“;,:.(".repeat(3_000)] {
        check_all(|form| form.replace('@', &filling));
    }
}

#[test]
fn a_name_of_megabytes_is_cut_in_every_form() {
    // Text files over two megabytes are known by name only, so one of the places has it.
    let filling = "K".repeat(1_900_000);
    check_all(|form| form.replacen('@', &filling, 1).replace('@', "k"));
}

#[test]
fn thousands_of_names_in_one_file_are_cut_to_what_is_kept() {
    let filling: Vec<String> = (0..4_000).map(|at| format!("name_{at}")).collect();
    for separator in [",", "\n", "\":1,\""] {
        let filling = filling.join(separator);
        check_all(|form| form.replacen('@', &filling, 1).replace('@', "k"));
    }
}

#[test]
fn texts_are_cut_between_letters_and_say_so() {
    assert_eq!(cut("short", 9), "short");
    assert_eq!(cut("a very long name", 9), "a very…");
    assert_eq!(cut("üüüüü", 8), "üü…");
    assert_eq!(quote("as it is"), "as it is");
    let long = "é".repeat(LONGEST_QUOTE);
    assert!(long.starts_with(quote(&long)) && quote(&long).len() <= LONGEST_QUOTE);
}

#[test]
fn a_sentence_too_many_is_left_out_of_a_summary() {
    let long = "x".repeat(LONGEST_SUMMARY);
    assert_eq!(summary_of(vec!["One.".to_owned(), long, "Two.".to_owned()]), "One. Two.");
}
