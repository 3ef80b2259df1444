//! What is written can be read.

use super::*;
use crate::purpose::Purpose;

#[track_caller]
fn there_and_back(statement: Statement, sentence: &str) {
    assert_eq!(statement.sentence(), sentence);
    assert_eq!(Statement::read(sentence), Some(statement));
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn what_is_written_can_be_read() {
    let path = || "a/b.toml".to_owned();
    there_and_back(
        Statement::Describes { path: path(), words: "A “good” thing.".to_owned() },
        "`a/b.toml` describes it: “A “good” thing.”",
    );
    there_and_back(
        Statement::Says { path: path(), words: "Hm.".to_owned() },
        "`a/b.toml` says of itself: “Hm.”",
    );
    let declares = |version: Option<&str>| Statement::Declares {
        path: path(),
        kind: "Rust crate".to_owned(),
        name: "x".to_owned(),
        version: version.map(str::to_owned),
    };
    there_and_back(declares(Some("0.1.0")), "`a/b.toml` declares the Rust crate `x`, version 0.1.0.");
    there_and_back(declares(None), "`a/b.toml` declares the Rust crate `x`.");
    there_and_back(
        Statement::Versioned { path: path(), version: "0.1.0".to_owned() },
        "`a/b.toml` names the version 0.1.0.",
    );
    there_and_back(
        Statement::Licence { path: path(), name: "MIT".to_owned() },
        "`a/b.toml` names the licence MIT.",
    );
    there_and_back(
        Statement::Offers { path: path(), noun: "targets".to_owned(), names: words(&["all", "test"]) },
        "`a/b.toml` has the targets `all` and `test`.",
    );
    there_and_back(
        Statement::Offers { path: path(), noun: "programs".to_owned(), names: words(&["x"]) },
        "`a/b.toml` has the program `x`.",
    );
    there_and_back(
        Statement::Starts { path: path(), what: "fn main".to_owned() },
        "`a/b.toml` is an entry point: `fn main`.",
    );
    there_and_back(
        Statement::Members { path: path(), names: words(&["x", "y", "z"]) },
        "`a/b.toml` is a workspace of `x`, `y` and `z`.",
    );
    there_and_back(Statement::Needs { path: path(), names: words(&["x"]) }, "`a/b.toml` depends on `x`.");
    there_and_back(
        Statement::Defines { path: path(), names: words(&["struct `A`", "enum `B`"]) },
        "`a/b.toml` defines struct `A` and enum `B`.",
    );
    there_and_back(
        Statement::Tells { path: path(), of: "src/a.c".to_owned(), words: "It: starts.".to_owned() },
        "`a/b.toml` says of `src/a.c`: “It: starts.”",
    );
    there_and_back(
        Statement::Named { path: path(), name: "struct `Hub`".to_owned(), users: 12 },
        "`a/b.toml` is where struct `Hub` is defined, which 12 files beside it name.",
    );
    there_and_back(
        Statement::Refers { path: path(), names: words(&["x", "y/z"]) },
        "`a/b.toml` refers to `x` and `y/z`.",
    );
    there_and_back(Statement::Titled { path: path(), title: "Hm".to_owned() }, "`a/b.toml` is titled “Hm”");
    there_and_back(
        Statement::Columns { path: path(), names: words(&["id", "name"]) },
        "`a/b.toml` has the columns `id` and `name`.",
    );
    there_and_back(
        Statement::Imports { path: path(), names: words(&["a.b", "c"]) },
        "`a/b.toml` imports `a.b` and `c`.",
    );
    there_and_back(
        Statement::Holds { path: path(), words: "3 rows; date `day`".to_owned() },
        "`a/b.toml` holds 3 rows; date `day`.",
    );
    there_and_back(
        Statement::Spans { path: path(), from: "2021-01-02".to_owned(), to: "2023-04-05".to_owned() },
        "`a/b.toml` covers 2021-01-02 to 2023-04-05.",
    );
    there_and_back(
        Statement::Lacks { path: path(), words: "1 of 9 values of `x` are missing".to_owned() },
        "`a/b.toml` has a catch: 1 of 9 values of `x` are missing.",
    );
    there_and_back(
        Statement::Explains {
            path: path(),
            name: "class `Hub`".to_owned(),
            words: "What: all meet in.".to_owned(),
        },
        "`a/b.toml` explains class `Hub`: “What: all meet in.”",
    );
    there_and_back(
        Statement::Runs { path: path(), purpose: Purpose::Test, commands: words(&["make test", "x with y"]) },
        "`a/b.toml` tests with `make test` and `x with y`.",
    );
    there_and_back(
        Statement::Requires { path: path(), what: "Python >=3.10".to_owned() },
        "`a/b.toml` requires `Python >=3.10`.",
    );
    there_and_back(
        Statement::Develops { path: path(), names: words(&["mocha"]) },
        "`a/b.toml` names for development `mocha`.",
    );
    there_and_back(
        Statement::Loads { path: path(), what: "index.js".to_owned() },
        "`a/b.toml` is loaded at `index.js`.",
    );
    there_and_back(
        Statement::Listens { path: path(), ports: words(&["80", "443:8443"]) },
        "`a/b.toml` opens port `80` and `443:8443`.",
    );
    there_and_back(
        Statement::Starting { path: path(), names: words(&["db: postgres:15", "web"]) },
        "`a/b.toml` starts `db: postgres:15` and `web`.",
    );
    there_and_back(
        Statement::Takes { path: path(), names: words(&["PORT"]) },
        "`a/b.toml` takes from the environment `PORT`.",
    );
    there_and_back(
        Statement::History { path: path(), words: "3 commits by 1 author".to_owned() },
        "`a/b.toml` leads to 3 commits by 1 author.",
    );
    there_and_back(
        Statement::Churn {
            path: path(),
            commits: 200,
            files: vec![("a.c".to_owned(), 12), ("b/x y.c".to_owned(), 3)],
        },
        "`a/b.toml` shows what the last 200 commits changed most: `a.c` (12) and `b/x y.c` (3).",
    );
    let sentence = imports_sentence(&words(&["a.b", "c", "d"]));
    assert_eq!(imports_in(&format!("Python. {sentence}")).collect::<Vec<_>>(), ["a.b", "c", "d"]);
    assert_eq!(Statement::read("Something else."), None);
}
