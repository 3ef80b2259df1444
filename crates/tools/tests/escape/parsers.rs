//! Parsers that are made to misbehave.

use crate::theatre::{Theatre, User, users};

fn parsed(theatre: &Theatre, arguments: &[&str], requests: &str) -> String {
    let output = theatre.role(&[arguments, &["in=parse"]].concat(), requests);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_parser_that_dies_is_an_error_and_the_next_call_has_another() {
    for user in users() {
        for confined in
            [&["worker=L1"][..], &["worker=L3"], &[], &["hide=landlock", "worker=L3"], &["hide=seccomp"]]
        {
            let theatre = Theatre::set_up(user);
            let requests = "echo one\npanic this\necho two\neat\necho three\nrecurse\necho four\nspin\necho five\n\
                sleep\necho six\nhush\necho seven\ngrow\ngrow\ngrow\necho eight\n";
            let said = parsed(&theatre, confined, requests);
            // Which signal ends a process that has no memory or stack left depends on what it may still do.
            let said = said.replace("signal 6", "signal 11");
            insta::allow_duplicates! {
                insta::assert_snapshot!(said, @"
                one
                died: the parser failed: cannot bear this
                two
                died: the parser was ended by signal 11: it ran out of memory or stack, or crashed
                three
                died: the parser was ended by signal 11: it ran out of memory or stack, or crashed
                four
                died: parsing was given up after 1.5s
                five
                died: parsing was given up after 1.5s
                six
                died: parsing was given up after 1.5s
                seven
                \0
                \0
                \0
                eight
                ");
            }
        }
    }
}

#[test]
fn a_parser_opens_nothing() {
    if luminos_tools::sandbox::probe().level == luminos_tools::sandbox::Level::L0 {
        return;
    }
    for user in users() {
        for confined in [&["worker=L1"][..], &["worker=L3"], &[]] {
            let theatre = Theatre::set_up(user);
            let said = parsed(&theatre, confined, &format!("probe {}\n", theatre.path().display()));
            assert_eq!(said, "\n", "{user:?} {confined:?}");
        }
    }
}

#[test]
fn long_requests_pass_whole() {
    let theatre = Theatre::set_up(User::Same);
    let long = "x".repeat(10 << 20);
    let said = parsed(&theatre, &["worker=L3"], &format!("echo {long}\n"));
    assert!(said.trim_end() == long, "{} bytes came back", said.len());
}
