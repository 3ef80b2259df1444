use assert_cmd::Command;

fn twinfind() -> Command {
    Command::cargo_bin("twinfind").unwrap()
}

#[test]
fn no_arguments_is_an_error() {
    twinfind().assert().failure();
}

#[test]
fn two_equal_files_are_twins() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), "x").unwrap();
    std::fs::write(dir.path().join("b"), "x").unwrap();
    twinfind().arg(dir.path()).assert().code(1);
}

#[test]
fn empty_files_are_no_twins() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), "").unwrap();
    std::fs::write(dir.path().join("b"), "").unwrap();
    twinfind().arg(dir.path()).assert().code(0);
}
