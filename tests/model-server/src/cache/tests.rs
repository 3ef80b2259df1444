use super::*;

/// `a` is a segment of 600 tokens, `A` the same with a breakpoint, `h`-prefixed ones live for an hour.
fn prompt(words: &str) -> Vec<Segment> {
    let segments = words.split(' ').map(|word| {
        let hour = word.starts_with('+');
        let word = word.trim_start_matches('+');
        let ttl = if hour { Ttl::OneHour } else { Ttl::FiveMinutes };
        Segment {
            bytes: word.to_lowercase().into_bytes(),
            tokens: 600,
            breakpoint: word.starts_with(char::is_uppercase).then_some(ttl),
        }
    });
    segments.collect()
}

struct Service {
    cache: Cache,
    now: Instant,
}

impl Service {
    fn new() -> Service {
        Service { cache: Cache::default(), now: Instant::now() }
    }

    /// Sends a prompt; gives fresh, read, written for five minutes, written for an hour.
    #[track_caller]
    fn check(&mut self, words: &str, expected: [u64; 4]) {
        let (account, pending) = self.cache.look_up("m", &prompt(words), 1024, self.now);
        self.cache.commit(pending, self.now);
        let seen = [account.fresh, account.read, account.written_5m, account.written_1h];
        assert_eq!(seen, expected, "{words}");
    }

    fn wait(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }
}

#[test]
fn only_breakpoints_write_and_only_the_same_prefix_reads() {
    let mut service = Service::new();
    service.check("a b c", [1800, 0, 0, 0]);
    service.check("a B c", [600, 0, 1200, 0]);
    service.check("a B c", [600, 1200, 0, 0]);
    service.check("a B c D", [0, 1200, 1200, 0]);
    service.check("a b c D", [0, 2400, 0, 0]);
    service.check("x B c D", [0, 0, 2400, 0]);
    service.check("b a c D", [0, 0, 2400, 0]);
}

#[test]
fn a_prefix_below_the_minimum_is_silently_not_cached() {
    let mut service = Service::new();
    service.check("A b", [1200, 0, 0, 0]);
    service.check("A b", [1200, 0, 0, 0]);
    service.check("A B", [0, 0, 1200, 0]);
}

#[test]
fn a_moving_breakpoint_finds_the_entry_of_the_turn_before() {
    let mut service = Service::new();
    service.check("a B", [0, 0, 1200, 0]);
    service.check("a b c D", [0, 1200, 1200, 0]);
    let long = format!("a b c d {} E", "x ".repeat(18).trim());
    service.check(&long, [0, 2400, 19 * 600, 0]);
    let too_long = format!("a b c d e {} F", "y ".repeat(21).trim());
    service.check(&too_long, [0, 0, 27 * 600, 0]);
}

#[test]
fn entries_live_for_their_time_and_every_use_renews_them() {
    let mut service = Service::new();
    service.check("a B", [0, 0, 1200, 0]);
    service.wait(299);
    service.check("a B", [0, 1200, 0, 0]);
    service.wait(299);
    service.check("a B", [0, 1200, 0, 0]);
    service.wait(300);
    service.check("a B", [0, 0, 1200, 0]);
    service.check("a c +D E", [0, 0, 600, 1800]);
    service.wait(3000);
    service.check("a c +D E", [0, 1800, 600, 0]);
}

#[test]
fn an_entry_is_readable_only_once_its_answer_has_begun() {
    let mut cache = Cache::default();
    let now = Instant::now();
    let (first, pending) = cache.look_up("m", &prompt("a B"), 1024, now);
    let (second, _) = cache.look_up("m", &prompt("a B"), 1024, now);
    assert_eq!((first.written(), second.written()), (1200, 1200));
    cache.commit(pending, now);
    let (third, _) = cache.look_up("m", &prompt("a B"), 1024, now);
    assert_eq!((third.read, third.total()), (1200, 1200));
    let (other_model, _) = cache.look_up("n", &prompt("a B"), 1024, now);
    assert_eq!(other_model.read, 0);
}

#[test]
fn automatic_caching_counts_in_steps() {
    let mut cache = Cache::default();
    let now = Instant::now();
    let (first, pending) = cache.look_up_automatic("m", &prompt("a b"), now);
    cache.commit(pending, now);
    assert_eq!((first.read, first.fresh), (0, 1200));
    let (second, _) = cache.look_up_automatic("m", &prompt("a b c"), now);
    assert_eq!((second.read, second.fresh), (1152, 648));
    let (third, _) = cache.look_up_automatic("m", &prompt("a x"), now);
    assert_eq!((third.read, third.fresh), (0, 1200));
}
