//! Parsers that are made to misbehave.

use crate::theatre::{Theatre, User, users};

/// Long enough for everything that ends.
const PATIENT: [&str; 2] = ["60000", "60"];

/// What a worker says that has these requests parsed, within so many milliseconds and seconds of a processor.
fn parsed(theatre: &Theatre, confined: &[&str], limits: [&str; 2], requests: &str) -> String {
    let output = theatre.role(&[confined, &["in=parse"], &limits].concat(), requests);
    String::from_utf8(output.stdout).unwrap()
}

/// A parser is limited on every machine, whatever else there is.
const MACHINES: [&[&str]; 4] =
    [&["worker=L1"], &["worker=L3"], &["hide=landlock", "worker=L3"], &["hide=seccomp"]];

#[test]
fn a_parser_that_dies_is_an_error_and_the_next_call_has_another() {
    for user in users() {
        for confined in MACHINES {
            let theatre = Theatre::set_up(user);
            let requests =
                "echo one\npanic this\necho two\neat\necho three\nrecurse\necho four\ngrow\ngrow\ngrow\n";
            let said = parsed(&theatre, confined, PATIENT, requests);
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
                grown by 104857600
                grown by 104857600
                grown by 104857600
                ");
            }
        }
    }
}

#[test]
fn a_parser_that_does_not_answer_is_given_up() {
    for user in users() {
        for confined in MACHINES {
            let theatre = Theatre::set_up(user);
            let said = parsed(&theatre, confined, ["250", "60"], "spin\nsleep\nhush\n");
            assert_eq!(said, "died: parsing was given up after 250ms\n".repeat(3), "{user:?} {confined:?}");
        }
    }
}

#[test]
fn a_call_has_its_own_time_on_a_processor() {
    for user in users() {
        let theatre = Theatre::set_up(user);
        let said = parsed(&theatre, &["worker=L3"], ["60000", "0"], "echo one\nspin\necho two\n");
        assert_eq!(said, "one\ndied: the parser was ended by signal 24: it used too much\ntwo\n", "{user:?}");
    }
}

#[test]
fn what_is_too_long_is_not_taken() {
    let theatre = Theatre::set_up(User::Same);
    let requests = format!("long\necho {}\necho one\n", "x".repeat(16 << 20));
    let said = parsed(&theatre, &["worker=L3"], PATIENT, &requests);
    insta::assert_snapshot!(said, @"
    died: 16777217 bytes are too many for the parser, which takes 16777216
    died: 16777221 bytes are too many for the parser, which takes 16777216
    one
    ");
}

#[test]
fn a_parser_opens_nothing() {
    if luminos_tools::sandbox::probe().level == luminos_tools::sandbox::Level::L0 {
        return;
    }
    for user in users() {
        for confined in [&["worker=L1"][..], &["worker=L3"], &[]] {
            let theatre = Theatre::set_up(user);
            let said = parsed(&theatre, confined, PATIENT, &format!("probe {}\n", theatre.path().display()));
            assert_eq!(said, "\n", "{user:?} {confined:?}");
        }
    }
}

#[test]
fn long_requests_pass_whole() {
    let theatre = Theatre::set_up(User::Same);
    let long = "x".repeat(10 << 20);
    let said = parsed(&theatre, &["worker=L3"], PATIENT, &format!("echo {long}\n"));
    assert!(said.trim_end() == long, "{} bytes came back", said.len());
}
