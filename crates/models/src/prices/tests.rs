use std::error::Error;

use super::*;

fn models(users_file: &str) -> Models {
    Models::read(Some(users_file)).unwrap()
}

fn dollars(text: &str) -> Money {
    text.parse().unwrap()
}

#[test]
fn the_built_in_file_reads_exactly() {
    let models = Models::read(None).unwrap();
    let haiku = models.get("claude-haiku-5-5").unwrap();
    assert_eq!(haiku.window, Some(Tokens(1_000_000)));
    assert_eq!(
        haiku.price,
        Some(Price {
            input: dollars("0.1"),
            output: dollars("0.5"),
            cache_write_5m: dollars("0.125"),
            cache_write_1h: dollars("0.2"),
            cache_read: dollars("0.01"),
            long_prompt: Some(LongPrompt { above: Tokens(100_000), thousandths: 5000 }),
        })
    );
    assert!(10 < models.iter().count());
}

#[test]
fn a_call_costs_each_kind_of_token_at_its_price() {
    let models = Models::read(None).unwrap();
    let usage = Usage {
        input: Tokens(1_000_000),
        cache_write_5m: Tokens(100_000),
        cache_write_1h: Tokens(100_000),
        cache_read: Tokens(1_000_000),
        output: Tokens(50_000),
    };
    // 2.00 + 0.25 + 0.40 + 0.10 + 0.50
    let charge = models.charge("claude-sonnet-5-5", &usage);
    assert_eq!(charge, Charge { money: Some(dollars("3.25")), tokens: Tokens(2_250_000) });
}

#[test]
fn a_long_prompt_makes_the_whole_call_dearer() {
    let models = Models::read(None).unwrap();
    let price = models.price("claude-haiku-5-5").unwrap();
    let usage = |input| Usage { input: Tokens(input), output: Tokens(1000), ..Usage::default() };
    assert_eq!(price.cost(&usage(100_000)), dollars("0.0105"));
    assert_eq!(price.cost(&usage(100_001)), dollars("0.0525005"));
}

#[test]
fn parts_of_a_billionth_are_rounded_up() {
    let models = models("[tiny]\ninput = 0.0001\noutput = 0.0001");
    let usage = Usage { input: Tokens(1), output: Tokens(1), ..Usage::default() };
    assert_eq!(models.price("tiny").unwrap().cost(&usage), Money::from_nanodollars(1));
}

#[test]
fn the_worst_case_is_a_cache_miss_that_is_written() {
    let models = Models::read(None).unwrap();
    let worst = models.worst_case("claude-sonnet-5-5", Tokens(1_000_000), Tokens(100_000));
    assert_eq!(worst, Charge { money: Some(dollars("3.5")), tokens: Tokens(1_100_000) });
    let worst = models.clone().cached_for(CacheTime::Hour).worst_case(
        "claude-sonnet-5-5",
        Tokens(1_000_000),
        Tokens(100_000),
    );
    assert_eq!(worst.money, Some(dollars("5")));
    let unknown = models.worst_case("nobody-knows", Tokens(10), Tokens(5));
    assert_eq!(unknown, Charge { money: None, tokens: Tokens(15) });
}

#[test]
fn no_call_costs_more_than_its_worst_case() {
    let models = Models::read(None).unwrap();
    for (id, facts) in models.iter() {
        let price = facts.price.as_ref().unwrap();
        for input in [0, 1, 99_999, 100_000, 100_001, 900_000] {
            let parts = [(input, 0, 0), (0, input, 0), (0, 0, input), (input / 3, input / 3, input / 3)];
            for (plain, written, read) in parts {
                let usage = Usage {
                    input: Tokens(plain),
                    cache_write_5m: Tokens(written),
                    cache_read: Tokens(read),
                    output: Tokens(700),
                    ..Usage::default()
                };
                assert!(
                    price.cost(&usage)
                        <= price.worst_case(Tokens(input), Tokens(700), CacheTime::FiveMinutes),
                    "{id} {usage:?}"
                );
            }
        }
    }
}

#[test]
fn huge_reports_do_not_overflow() {
    let models = Models::read(None).unwrap();
    let all = Tokens(u64::MAX);
    let usage = Usage { input: all, cache_write_5m: all, cache_write_1h: all, cache_read: all, output: all };
    assert_eq!(models.price("claude-fable-5-1").unwrap().cost(&usage), Money::MAX);
}

#[test]
fn a_users_file_changes_columns_and_adds_models() {
    let models = models("[claude-sonnet-5-5]\ncache-read = 0.2\n\n[my-model]\nwindow = 8192\n");
    let sonnet = models.price("claude-sonnet-5-5").unwrap();
    assert_eq!((sonnet.cache_read, sonnet.input), (dollars("0.2"), dollars("2")));
    let mine = models.get("my-model").unwrap();
    assert_eq!((mine.window, mine.price.as_ref()), (Some(Tokens(8192)), None));
}

#[track_caller]
fn refused(users_file: &str, expected: &str) {
    let error = Models::read(Some(users_file)).unwrap_err();
    let words = format!("{error} {}", error.source().map(ToString::to_string).unwrap_or_default());
    assert!(words.contains(expected), "{words}");
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    refused("[m]\nprice = 1", "unknown field `price`");
    refused("[m]\ninput = 1", "[m] in the file of models: `input` and `output` come together");
    refused("[m]\ninput = -1\noutput = 1", "a price is not a plain number");
    refused("[m]\ninput = nan\noutput = 1", "a price is not a plain number");
    refused("[m]\ninput = \"1\"\noutput = 1", "expected a number");
    refused("[m]\ninput = 1\noutput = 1\nlong-prompt-above = 5", "come together");
    refused("[m]\ninput = 1\noutput = 1\nlong-prompt-above = 5\nlong-prompt-factor = 0.5", "at least 1");
    refused("[m]\nwindow = 5\nmax-output = 6", "larger than `window`");
}

#[test]
fn the_lines_that_make_a_price_known_can_be_used() {
    let lines = Models::how_to_price("llama3.2:latest");
    let lines = lines.split_once('\n').unwrap().1.replace('…', "0.5");
    assert_eq!(models(&lines).price("llama3.2:latest").unwrap().input, dollars("0.5"));
}

#[test]
fn a_server_knows_its_limits_better_than_the_table() {
    let facts = Models::read(None).unwrap().get("claude-haiku-4-5").unwrap().clone();
    let served = |max_input| ServedModel { id: "x".to_owned(), max_input, max_output: None };
    assert_eq!(facts.clone().refined(&served(None)), facts);
    let refined = facts.clone().refined(&served(Some(Tokens(4096))));
    assert_eq!((refined.window, refined.max_output), (Some(Tokens(4096)), facts.max_output));
}

#[test]
fn an_answer_is_as_long_as_the_model_and_its_window_allow() {
    let models = models("[both]\nwindow = 1000\nmax-output = 300\n[small]\nwindow = 1000\n");
    for (id, input, asked, expected) in [
        ("unknown", 900, 5000, 5000),
        ("both", 100, 5000, 300),
        ("both", 800, 5000, 200),
        ("both", 100, 50, 50),
        ("small", 100, 5000, 900),
        // The estimate is from above: there is room, though it says that there is none.
        ("small", 5000, 5000, 125),
    ] {
        assert_eq!(models.longest_answer(id, Tokens(input), asked), expected, "{id} {input} {asked}");
    }
}
