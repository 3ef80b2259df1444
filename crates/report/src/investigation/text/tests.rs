use luminos_core::entry::DirEntry;
use luminos_core::report::{Note, Report, Section};

use super::{directory, text};
use crate::investigation::sample;
use crate::measure::width as columns;
use crate::{Detail, Layout, Style};

fn set(report: &Report, width: usize, detail: Detail) -> String {
    text(report, &Layout { width, style: Style::Plain, detail, ..Layout::default() })
}

#[test]
fn a_report_on_a_wide_page() {
    insta::assert_snapshot!(set(&sample::report(), 120, Detail::Usual), @"
    /home/ada/parcel · 1,204 files · 9 directories · 7.0 MB

      Partial:  the limit of $2.50 was reached after 61 turns

    A web service, written in Rust, with which shops hand parcels to couriers. Customers follow their parcel on a page of
    its own; couriers report by a small API.

      Version     2.1.0 (Cargo.toml:3)
      Test        `cargo test` (README.md:12)
      Begins in   `src/main.rs`
      Parts       `src/routes`: the handlers, one file each
                  `src/domain`: the rules of parcels
      Not told    nothing here says its licence or how it is installed

    Overview
      Shops create shipments over HTTP, couriers are told by webhooks.

      State is kept in PostgreSQL; everything else can be thrown away at any time.

    Purpose
      Lets shops hand parcels to couriers and lets customers follow them.

    Architecture
      One process serves HTTP and talks to PostgreSQL.

      Requests pass three layers:
      - `src/routes` checks what came in and answers in JSON or as a page, depending on what the caller accepts;
      - `src/domain` decides;
      - `src/db` keeps.

    Components
      Routes (src/routes)                Twenty handlers, one file each, and the middleware that knows who is asking.
                                         Sessions live in a signed cookie.
      Tracking (src/domain/tracking.rs)  The states of a parcel as a state machine.

    Subsystems
      Delivery  2 directories
        Everything between an order and a courier.

    Built with
      Rust        the whole service, edition 2021
      PostgreSQL  through sqlx, with migrations

    Entry points
      src/main.rs                 starts the server
      parcelctl (src/bin/ctl.rs)  administers it

    Concerns
      - No test covers refunds.
      - Two ways to read settings.
        They disagree.

    Flags  1 critical · 1 concern · 1 info
      critical  deploy/values.yaml:17
                A database password is kept in the repository. [secret.password]
                │ password: correct-horse
      concern   src/routes/upload.rs:40–44
                Uploads are read into memory whole before their size is checked, so that a few callers can use up all of it.
                │ let body = to_bytes(body, usize::MAX).await?;
                also src/routes/avatar.rs:21
      info      The licence file is missing.

    Not verified  2 of 3 claims
      ? Webhooks are retried for a day. [src/domain/webhook.rs:31–40]
        ! lines 31–40 of src/domain/webhook.rs were never shown to this loop
      ? Uploads are limited to 2 MB. [src/routes/upload.rs:8, src/routes/upload.rs:40–44]
        ! the quote does not say 2 MB

    Directories  6
      deploy/      A container image and a chart for Kubernetes.
      migrations/  41 steps of the schema, from 2021 on.
      src/         The service itself. `main.rs` reads the settings, opens the pool and starts the server.
      src/domain/  (partial) The rules: parcels, couriers, refunds.
      src/routes/  HTTP handlers, one file each. The router in `mod.rs` puts the session check in front of all of them but
                   the two that couriers call, which sign their requests instead; uploads go to a bucket and are scanned …
      web/         The page on which customers follow a parcel.

    What this rests on
      claims       1 of 2 verified (50 %)
      seen         20 of 30 files, 39.2 KB of 82.0 KB (57 %)
      symbols      90 of 120 types and functions seen
      files        1 read whole, 1 in parts, 1 by name and size only, 4 left out, 1 unreadable
      directories  7 of 9 investigated, 2 unchanged since an earlier run, 1 only in part, 1 skipped by the plan, 1 failed
      work         61 turns in directories, 68 model calls in all
      tokens       981,750 (943,300 in, 812,000 of it from the cache; 38,450 out)
      cost         $2.50 spent; $0.00 reserved; $0.131 lost in flight (1 call, 11,200 tokens)
      by pass      survey: 1 call, 4,450 tokens, $0.02; plan: 1 call, 19,100 tokens, $0.0668; directories: 61 calls, 931,000
                   tokens, $2.00; synthesis: 5 calls, 27,200 tokens, $0.412
      time         3 min 12 s, ended 2026-11-16 07:05 UTC
      written by   a model; asked: anthropic/claude-haiku-4-5 for dir, anthropic/claude-opus-4-5 for synthesis
      id           019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee

    Notes
      plan         the plan names `src/legacy`, which is no directory of the target
      left out     fixtures (shallow): no turns were left
      degraded     the model server was overloaded 3 times; calls were repeated
      note         2 directories had not changed since the run of yesterday
    ");
}

#[test]
fn a_report_on_a_narrow_page() {
    insta::assert_snapshot!(set(&sample::report(), 60, Detail::Usual), @"
    /home/ada/parcel · 1,204 files · 9 directories · 7.0 MB

      Partial:  the limit of $2.50 was reached after 61 turns

    A web service, written in Rust, with which shops hand
    parcels to couriers. Customers follow their parcel on a page
    of its own; couriers report by a small API.

      Version     2.1.0 (Cargo.toml:3)
      Test        `cargo test` (README.md:12)
      Begins in   `src/main.rs`
      Parts       `src/routes`: the handlers, one file each
                  `src/domain`: the rules of parcels
      Not told    nothing here says its licence or how it is
                  installed

    Overview
      Shops create shipments over HTTP, couriers are told by
      webhooks.

      State is kept in PostgreSQL; everything else can be thrown
      away at any time.

    Purpose
      Lets shops hand parcels to couriers and lets customers
      follow them.

    Architecture
      One process serves HTTP and talks to PostgreSQL.

      Requests pass three layers:
      - `src/routes` checks what came in and answers in JSON or
        as a page, depending on what the caller accepts;
      - `src/domain` decides;
      - `src/db` keeps.

    Components
      Routes (src/routes)
        Twenty handlers, one file each, and the middleware that
        knows who is asking. Sessions live in a signed cookie.
      Tracking (src/domain/tracking.rs)
        The states of a parcel as a state machine.

    Subsystems
      Delivery  2 directories
        Everything between an order and a courier.

    Built with
      Rust        the whole service, edition 2021
      PostgreSQL  through sqlx, with migrations

    Entry points
      src/main.rs                 starts the server
      parcelctl (src/bin/ctl.rs)  administers it

    Concerns
      - No test covers refunds.
      - Two ways to read settings.
        They disagree.

    Flags  1 critical · 1 concern · 1 info
      critical  deploy/values.yaml:17
                A database password is kept in the repository.
                [secret.password]
                │ password: correct-horse
      concern   src/routes/upload.rs:40–44
                Uploads are read into memory whole before their
                size is checked, so that a few callers can use
                up all of it.
                │ let body = to_bytes(body, usize::MAX).await?;
                also src/routes/avatar.rs:21
      info      The licence file is missing.

    Not verified  2 of 3 claims
      ? Webhooks are retried for a day.
        [src/domain/webhook.rs:31–40]
        ! lines 31–40 of src/domain/webhook.rs were never shown
          to this loop
      ? Uploads are limited to 2 MB. [src/routes/upload.rs:8,
        src/routes/upload.rs:40–44]
        ! the quote does not say 2 MB

    Directories  6
      deploy/      A container image and a chart for Kubernetes.
      migrations/  41 steps of the schema, from 2021 on.
      src/         The service itself. `main.rs` reads the
                   settings, opens the pool and starts the …
      src/domain/  (partial) The rules: parcels, couriers,
                   refunds.
      src/routes/  HTTP handlers, one file each. The router in
                   `mod.rs` puts the session check in front of …
      web/         The page on which customers follow a parcel.

    What this rests on
      claims       1 of 2 verified (50 %)
      seen         20 of 30 files, 39.2 KB of 82.0 KB (57 %)
      symbols      90 of 120 types and functions seen
      files        1 read whole, 1 in parts, 1 by name and size
                   only, 4 left out, 1 unreadable
      directories  7 of 9 investigated, 2 unchanged since an
                   earlier run, 1 only in part, 1 skipped by the
                   plan, 1 failed
      work         61 turns in directories, 68 model calls in
                   all
      tokens       981,750 (943,300 in, 812,000 of it from the
                   cache; 38,450 out)
      cost         $2.50 spent; $0.00 reserved; $0.131 lost in
                   flight (1 call, 11,200 tokens)
      by pass      survey: 1 call, 4,450 tokens, $0.02; plan: 1
                   call, 19,100 tokens, $0.0668; directories: 61
                   calls, 931,000 tokens, $2.00; synthesis: 5
                   calls, 27,200 tokens, $0.412
      time         3 min 12 s, ended 2026-11-16 07:05 UTC
      written by   a model; asked: anthropic/claude-haiku-4-5
                   for dir, anthropic/claude-opus-4-5 for
                   synthesis
      id           019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee

    Notes
      plan         the plan names `src/legacy`, which is no
                   directory of the target
      left out     fixtures (shallow): no turns were left
      degraded     the model server was overloaded 3 times;
                   calls were repeated
      note         2 directories had not changed since the run
                   of yesterday
    ");
}

#[test]
fn in_brief_it_is_what_it_is_and_what_is_wrong() {
    insta::assert_snapshot!(set(&sample::report(), 80, Detail::Brief), @"
    /home/ada/parcel · 1,204 files · 9 directories · 7.0 MB

      Partial:  the limit of $2.50 was reached after 61 turns

    A web service, written in Rust, with which shops hand parcels to couriers.
    Customers follow their parcel on a page of its own; couriers report by a small
    API.

      Version     2.1.0 (Cargo.toml:3)
      Test        `cargo test` (README.md:12)
      Begins in   `src/main.rs`
      Parts       `src/routes`: the handlers, one file each
                  `src/domain`: the rules of parcels
      Not told    nothing here says its licence or how it is installed

    Flags  1 critical · 1 concern · 1 info
      critical  deploy/values.yaml:17
                A database password is kept in the repository. [secret.password]
                │ password: correct-horse
      concern   src/routes/upload.rs:40–44
                Uploads are read into memory whole before their size is checked, so
                that a few callers can use up all of it.
                │ let body = to_bytes(body, usize::MAX).await?;
                also src/routes/avatar.rs:21
      info      The licence file is missing.
    ");
}

#[test]
fn in_full_each_directory_tells_what_it_rests_on() {
    let full = set(&sample::report(), 80, Detail::Full);
    insta::assert_snapshot!(full.split_once("\nDirectories").unwrap().1.split_once("\nWhat").unwrap().0, @"
  7
.
  4 entries · mostly source · 71 % seen · 90 % sure
  A web service for parcels: sources, migrations, a page and its deployment.

deploy/
  4 entries · mostly config · 71 % seen · 90 % sure
  A container image and a chart for Kubernetes.

migrations/
  4 entries · mostly data · 71 % seen · 90 % sure
  41 steps of the schema, from 2021 on.

src/
  4 entries · mostly source · 71 % seen · 90 % sure
  The service itself. `main.rs` reads the settings, opens the pool and starts
  the server.

src/domain/
  4 entries · mostly source · 23 % seen · 40 % sure
  partial:  the limit of $2.50 was reached after 4 of 10 turns
  The rules: parcels, couriers, refunds.
  Not surer because: half of the files were not read

src/routes/
  4 entries · mostly source · 71 % seen · 1 of 2 claims verified · 90 % sure
  HTTP handlers, one file each.

  The router in `mod.rs` puts the session check in front of all of them but the
  two that couriers call, which sign their requests instead; uploads go to a
  bucket and are scanned before anybody sees them.
  See: src/routes/mod.rs, src/routes/upload.rs
  ✓ Every handler checks the session first. [src/routes/mod.rs:12–19]
  ? Uploads are limited to 2 MB. [src/routes/upload.rs:8,
    src/routes/upload.rs:40–44]
    ! the quote does not say 2 MB

web/
  4 entries · mostly source · 71 % seen
  The page on which customers follow a parcel.
");
}

#[test]
fn one_directory_with_its_flags() {
    let report = sample::report();
    let routes =
        report.directories.iter().find(|entry| entry.relative_path.to_word() == "src/routes").unwrap();
    insta::assert_snapshot!(directory(routes, &report.flags, &Layout::default()), @"
src/routes/
  4 entries · mostly source · 71 % seen · 1 of 2 claims verified · 90 % sure
  HTTP handlers, one file each.

  The router in `mod.rs` puts the session check in front of all of them but the
  two that couriers call, which sign their requests instead; uploads go to a
  bucket and are scanned before anybody sees them.
  See: src/routes/mod.rs, src/routes/upload.rs
  ✓ Every handler checks the session first. [src/routes/mod.rs:12–19]
  ? Uploads are limited to 2 MB. [src/routes/upload.rs:8,
    src/routes/upload.rs:40–44]
    ! the quote does not say 2 MB

Flags  1 concern
  concern   src/routes/upload.rs:40–44
            Uploads are read into memory whole before their size is checked, so
            that a few callers can use up all of it.
            │ let body = to_bytes(body, usize::MAX).await?;
            also src/routes/avatar.rs:21
");
}

#[test]
fn the_least_report_has_no_empty_sections() {
    insta::assert_snapshot!(set(&sample::bare(), 80, Detail::Usual), @"
    hello · 1 file · 1 directory · 12 B

    A single script.

    What this rests on
      claims       none that can be checked
      seen         3 of 4 files, 5.9 KB of 8.8 KB (71 %)
      symbols      15 of 20 types and functions seen
      directories  1 of 1 investigated
      time         0 s
      written by   the offline analyst, without a model
    ");
}

#[test]
fn long_lists_end_with_how_to_see_the_rest() {
    let report = set(&sample::large(5_000), 80, Detail::Usual);
    assert!(report.contains("\n  … and 4,980 more: luminosctl flags\n"), "{report}");
    assert!(report.contains("\n  … and 5,000 more: luminosctl show --full\n"), "{report}");
    assert!(report.lines().count() < 120, "{} lines", report.lines().count());
    let full = set(&sample::large(5_000), 80, Detail::Full);
    assert!(full.contains("\npart09/d4999/\n") && !full.contains("more: luminosctl"));
}

#[test]
fn whoever_says_how_many_levels_gets_all_of_them() {
    let mut report = sample::report();
    let one = report.directories.iter().find(|entry| !entry.relative_path.is_root()).unwrap().clone();
    let at = |path: String| DirEntry { relative_path: path.as_str().into(), ..one.clone() };
    report.directories =
        (0..100).flat_map(|number| [at(format!("d{number}")), at(format!("d{number}/below"))]).collect();
    let shown = |depth| text(&report, &Layout { depth, ..Layout::default() });
    let upper = shown(Some(1));
    assert!(upper.contains("\n  d99/ ") && !upper.contains("below"), "{upper}");
    assert!(upper.contains("… and 100 more: luminosctl show --full"), "{upper}");
    assert!(shown(Some(2)).contains("\n  d99/below/ "));
    assert!(!shown(None).contains("below"));
}

#[test]
fn no_list_is_endless() {
    let mut report = sample::report();
    let item = report.findings.sections[&Section::Components][0].clone();
    report.findings.sections.insert(Section::Components, vec![item; 200]);
    report.subsystems = vec![report.subsystems[0].clone(); 100];
    report.notes =
        vec![Note::Plan("the plan names `x`, which is no directory of the target".to_owned()); 10_000];
    report.notes.extend(vec![Note::Partial("a limit was reached".to_owned()); 1_000]);
    report.directories[5].claims = vec![report.directories[5].claims[1].clone(); 500];
    let page = set(&report, 80, Detail::Usual);
    assert!(page.lines().count() < 250, "{} lines", page.lines().count());
    for more in ["180 more:", "80 more:", "9,988 more:", "496 more:", "; and 995 more"] {
        assert!(page.contains(more), "{more}: {page}");
    }
    assert!(!set(&report, 80, Detail::Full).contains(" more: "));
}

#[test]
fn what_is_hostile_is_seen() {
    let report = sample::made_of(&sample::HOSTILE[..4]);
    insta::assert_snapshot!(set(&report, 80, Detail::Brief), @r"
    \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred  \u{202e}gpj.exe\u{2066}\u{200b}
    0 files · 0 directories · 0 B

      Partial:  \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred

    \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
    \u{202e}gpj.exe\u{2066}\u{200b}
    \u{9b}31m\u{7f}\u{0}
    <script>alert(1)</script><img src=x onerror=alert(1)>

      Version     <script>alert(1)</script><img src=x onerror=alert(1)>:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
      Licence     \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
                  <script>alert(1)</script><img src=x onerror=alert(1)>:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
      Needs       \u{202e}gpj.exe\u{2066}\u{200b}: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)
                  \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
      Install     `\u{9b}31m\u{7f}\u{0}`: \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                  (d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:7)
                  `\u{202e}gpj.exe\u{2066}\u{200b}`: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)
      Build       `<script>alert(1)</script><img src=x onerror=alert(1)>`:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
      Test        `\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred`: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
                  `<script>alert(1)</script><img src=x onerror=alert(1)>`:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
      Run         `\u{202e}gpj.exe\u{2066}\u{200b}`: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)
                  `\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred`: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
      Begins in   `\u{9b}31m\u{7f}\u{0}`: \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                  (d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:7)
                  `\u{202e}gpj.exe\u{2066}\u{200b}`: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)
      Read first  <script>alert(1)</script><img src=x onerror=alert(1)>:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
                  `\u{9b}31m\u{7f}\u{0}`: \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                  (d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:7)
      Parts       `\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred`: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
                  <script>alert(1)</script><img src=x onerror=alert(1)>:
                  \u{202e}gpj.exe\u{2066}\u{200b} (d/<script>alert(1)</script><img
                  src=x onerror=alert(1)>:7)
      Talks to    \u{202e}gpj.exe\u{2066}\u{200b}: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)
                  \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred: \u{9b}31m\u{7f}\u{0}
                  (d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:7)
      Tests       \u{9b}31m\u{7f}\u{0}: \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                  (d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:7)
                  \u{202e}gpj.exe\u{2066}\u{200b}: <script>alert(1)</script><img
                  src=x onerror=alert(1)> (d/\u{202e}gpj.exe\u{2066}\u{200b}:7)

    Flags  4 unproved
      unproved  d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:1
                \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                [\u{202e}gpj.exe\u{2066}\u{200b}] (critical, if it is so:
                \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred)
                │ \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred
                also d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:1–2
      unproved  d/<script>alert(1)</script><img src=x onerror=alert(1)>:1–3
                <script>alert(1)</script><img src=x onerror=alert(1)>
                [\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred] (critical, if it is so:
                <script>alert(1)</script><img src=x onerror=alert(1)>)
                │ <script>alert(1)</script><img src=x onerror=alert(1)>
                also d/\u{202e}gpj.exe\u{2066}\u{200b}:1–5
      unproved  d/\u{202e}gpj.exe\u{2066}\u{200b}:1
                \u{202e}gpj.exe\u{2066}\u{200b} [\u{9b}31m\u{7f}\u{0}] (concern, if
                it is so: \u{202e}gpj.exe\u{2066}\u{200b})
                │ \u{202e}gpj.exe\u{2066}\u{200b}
                also d/<script>alert(1)</script><img src=x onerror=alert(1)>:1–3
      unproved  d/\u{9b}31m\u{7f}\u{0}\u{85}\u{2028}:1–2
                \u{9b}31m\u{7f}\u{0} [<script>alert(1)</script><img src=x
                onerror=alert(1)>] (info, if it is so: \u{9b}31m\u{7f}\u{0})
                │ \u{9b}31m\u{7f}\u{0}
                also d/\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred:1–4
    ");
}

#[test]
fn a_run_without_a_model_has_neither_tokens_nor_cost() {
    let mut report = sample::bare();
    report.counters.turns = 3;
    report.counters.calls = 5;
    let page = set(&report, 80, Detail::Usual);
    assert!(page.contains("3 turns in directories, 5 model calls in all\n  time"), "{page}");
}

#[test]
fn hostile_text_is_inert() {
    for width in [0, 60, 120] {
        for detail in [Detail::Brief, Detail::Usual, Detail::Full] {
            let report = set(&sample::hostile(), width, detail);
            let bad =
                |character: char| character != '\n' && luminos_core::Untrusted::is_treacherous(character);
            assert_eq!(report.find(bad), None, "{report:?}");
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let layout = Layout { width: 80, style: Style::Ansi, detail: Detail::Full, ..Layout::default() };
    let coloured = text(&sample::report(), &layout);
    assert!(coloured.contains("\x1b[31mcritical\x1b[0m"));
    let mut bare = String::new();
    for (index, piece) in coloured.split("\x1b[").enumerate() {
        bare.push_str(if index == 0 { piece } else { piece.split_once('m').unwrap().1 });
    }
    let plain = set(&sample::report(), 80, Detail::Full);
    assert_eq!(bare, plain);
}

#[test]
fn no_line_is_wider_than_the_page_and_none_ends_in_spaces() {
    for report in [sample::report(), sample::hostile(), sample::large(100)] {
        for width in [40, 60, 80, 120] {
            let page = set(&report, width, Detail::Full);
            for line in page.lines() {
                assert!(columns(line) <= width, "on a page of {width}: {line}");
                assert_eq!(line.trim_end_matches(' '), line);
            }
            assert!(!page.contains("\n\n\n"), "{page}");
        }
    }
}
