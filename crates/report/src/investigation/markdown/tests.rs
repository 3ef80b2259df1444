use luminos_core::report::Report;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::markdown;
use crate::investigation::sample;

#[test]
fn a_report() {
    insta::assert_snapshot!(markdown(&sample::report(), None), @r"
    # parcel

    1,204 files · 9 directories · 7.0 MB

    > **Partial:** the limit of \$2.50 was reached after 61 turns

    A web service, written in Rust, with which shops hand parcels to couriers. Customers follow their parcel on a page of its own; couriers report by a small API.

    - **Version**: 2\.1.0 \(Cargo.toml\:3\)
    - **Test**: `cargo test` \(README.md\:12\)
    - **Begins in**: `src/main.rs`
    - **Parts**: `src/routes`\: the handlers, one file each; `src/domain`\: the rules of parcels

    ## Overview

    Shops create shipments over HTTP, couriers are told by webhooks.

    State is kept in PostgreSQL; everything else can be thrown away at any time.

    ## Purpose

    Lets shops hand parcels to couriers and lets customers follow them.

    ## Architecture

    One process serves HTTP and talks to PostgreSQL.

    Requests pass three layers\:

    - `src/routes` checks what came in and answers in JSON or as a page, depending on what the caller accepts;
    - `src/domain` decides;
    - `src/db` keeps.

    ## Components

    - **Routes** ([src/routes](src/routes)): Twenty handlers, one file each, and the middleware that knows who is asking. Sessions live in a signed cookie.
    - **Tracking** ([src/domain/tracking.rs](src/domain/tracking.rs)): The states of a parcel as a state machine.

    ## Subsystems

    - **Delivery**: Everything between an order and a courier. ([src](src), [src/routes](src/routes))

    ## Built with

    - **Rust**: the whole service, edition 2021
    - **PostgreSQL**: through sqlx, with migrations

    ## Entry points

    - [src/main.rs](src/main.rs): starts the server
    - **parcelctl** ([src/bin/ctl.rs](src/bin/ctl.rs)): administers it

    ## Concerns

    - No test covers refunds.
    - Two ways to read settings.
      They disagree.

    ## Flags

    1 critical · 1 concern · 1 info

    - **critical** [deploy/values.yaml\:17](deploy/values.yaml#L17): A database password is kept in the repository. (secret.password)

      ```
        password: correct-horse
      ```
    - **concern** [src/routes/upload.rs\:40–44](src/routes/upload.rs#L40-L44): Uploads are read into memory whole before their size is checked, so that a few callers can use up all of it. Also [src/routes/avatar.rs\:21](src/routes/avatar.rs#L21).

      ```
      let body = to_bytes(body, usize::MAX).await?;
      ```
    - **info**: The licence file is missing.

    ## Not verified

    - ? Webhooks are retried for a day. ([src/domain/webhook.rs\:31–40](src/domain/webhook.rs#L31-L40))
      - lines 31–40 of src/domain/webhook.rs were never shown to this loop
    - ? Uploads are limited to 2 MB. ([src/routes/upload.rs\:8](src/routes/upload.rs#L8), [src/routes/upload.rs\:40–44](src/routes/upload.rs#L40-L44))
      - the quote does not say 2 MB

    ## Directories

    ### \.

    4 entries · mostly source · 71 % seen

    A web service for parcels\: sources, migrations, a page and its deployment.

    ### [deploy](deploy)

    4 entries · mostly config · 71 % seen

    A container image and a chart for Kubernetes.

    ### [migrations](migrations)

    4 entries · mostly data · 71 % seen

    41 steps of the schema, from 2021 on.

    ### [src](src)

    4 entries · mostly source · 71 % seen

    The service itself. `main.rs` reads the settings, opens the pool and starts the server.

    ### [src/domain](src/domain)

    4 entries · mostly source · 23 % seen

    > **Partial:** the limit of \$2.50 was reached after 4 of 10 turns

    The rules\: parcels, couriers, refunds.

    ### [src/routes](src/routes)

    4 entries · mostly source · 71 % seen · 1 of 2 claims verified

    HTTP handlers, one file each.

    The router in `mod.rs` puts the session check in front of all of them but the two that couriers call, which sign their requests instead; uploads go to a bucket and are scanned before anybody sees them.

    See [src/routes/mod.rs](src/routes/mod.rs), [src/routes/upload.rs](src/routes/upload.rs).

    - ✓ Every handler checks the session first. ([src/routes/mod.rs\:12–19](src/routes/mod.rs#L12-L19))
    - ? Uploads are limited to 2 MB. ([src/routes/upload.rs\:8](src/routes/upload.rs#L8), [src/routes/upload.rs\:40–44](src/routes/upload.rs#L40-L44))
      - the quote does not say 2 MB

    ### [web](web)

    4 entries · mostly source · 71 % seen

    The page on which customers follow a parcel.

    ## What this rests on

    | | |
    |---|---|
    | claims | 1 of 2 verified \(50 %\) |
    | seen | 20 of 30 files, 39.2 KB of 82.0 KB \(57 %\) |
    | symbols | 90 of 120 types and functions seen |
    | files | 1 read whole, 1 in parts, 1 by name and size only, 4 left out, 1 unreadable |
    | directories | 7 of 9 investigated, 2 unchanged since an earlier run, 1 only in part, 1 skipped by the plan, 1 failed |
    | work | 61 turns in directories, 68 model calls in all |
    | tokens | 981,750 \(943,300 in, 812,000 of it from the cache; 38,450 out\) |
    | cost | \$2.50 spent; \$0.00 reserved; \$0.131 lost in flight \(1 call, 11,200 tokens\) |
    | by pass | survey\: 1 call, 4,450 tokens, \$0.02; plan\: 1 call, 19,100 tokens, \$0.0668; directories\: 61 calls, 931,000 tokens, \$2.00; synthesis\: 5 calls, 27,200 tokens, \$0.412 |
    | time | 3 min 12 s, ended 2026-11-16 07\:05 UTC |
    | written by | a model; asked\: anthropic/claude-haiku-4-5 for dir, anthropic/claude-opus-4-5 for synthesis |
    | id | 019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee |

    ## Notes

    - **plan**: the plan names `src/legacy`, which is no directory of the target
    - **left out**: fixtures \(shallow\)\: no turns were left
    - **degraded**: the model server was overloaded 3 times; calls were repeated
    - **note**: 2 directories had not changed since the run of yesterday
    ");
}

#[test]
fn the_least_report() {
    insta::assert_snapshot!(markdown(&sample::bare(), None), @r"
    # hello

    1 file · 1 directory · 12 B

    A single script.

    ## Directories

    ### \.

    4 entries · mostly source · 71 % seen

    A single script.

    ## What this rests on

    | | |
    |---|---|
    | claims | none that can be checked |
    | seen | 3 of 4 files, 5.9 KB of 8.8 KB \(71 %\) |
    | symbols | 15 of 20 types and functions seen |
    | directories | 1 of 1 investigated |
    | time | 0 s |
    | written by | the offline analyst, without a model |
    ");
}

/// What a reader of Markdown makes of a report that it must not: anything but text, and links that stay inside.
fn breaches(page: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    for event in Parser::new_ext(page, Options::all()) {
        match &event {
            Event::Html(_) | Event::InlineHtml(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                breaches.push(format!("{event:?}"));
            }
            Event::FootnoteReference(_) | Event::Rule | Event::TaskListMarker(_) => {
                breaches.push(format!("{event:?}"));
            }
            Event::Start(
                Tag::Image { .. } | Tag::HtmlBlock | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_),
            ) => {
                breaches.push(format!("{event:?}"));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let is_outside = dest_url.contains([':', '@']) || dest_url.starts_with(['/', '#', '?', '\\']);
                if is_outside || dest_url.split('/').any(|name| name == "..") {
                    breaches.push(format!("{event:?}"));
                }
            }
            Event::Start(_) | Event::End(_) | Event::Text(_) | Event::Code(_) => {}
            Event::SoftBreak | Event::HardBreak => {}
        }
    }
    breaches
}

#[test]
fn the_reader_of_these_tests_notices_what_must_not_be() {
    for page in [
        "a <b>",
        "![x](y)",
        "[x](https://evil.example)",
        "[x](//evil.example)",
        "<x@y.zz>",
        "<div>\n",
        "[x](../../y)",
    ] {
        assert!(!breaches(page).is_empty(), "{page}");
    }
}

/// A page of a report is text and our own links, nothing else.
#[track_caller]
pub(crate) fn check(report: &Report) {
    let page = markdown(report, None);
    assert_eq!(breaches(&page), Vec::<String>::new(), "{page}");
    let bad = |character: char| {
        !matches!(character, '\n' | '\t') && luminos_core::Untrusted::is_treacherous(character)
    };
    assert_eq!(page.find(bad), None, "{page:?}");
    no_bare_addresses(&page);
}

/// Outside of code no address stands there as it came in: GitHub would make links of them. It looks for web addresses
/// before escapes are taken away, and for those of mail afterwards.
#[track_caller]
fn no_bare_addresses(page: &str) {
    // Inside of code and of links nothing becomes a link.
    let mut depth = 0;
    let mut read = String::new();
    for (event, range) in Parser::new_ext(page, Options::all()).into_offset_iter() {
        depth += usize::from(matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::Link { .. })));
        depth -= usize::from(matches!(event, Event::End(TagEnd::CodeBlock | TagEnd::Link)));
        if let Event::Text(text) = event {
            let source = &page[range];
            if depth == 0 {
                assert!(!source.contains("https://") && !source.contains("www.evil"), "{source}");
                read.push_str(&text);
            }
        } else {
            read.push('\n');
        }
    }
    assert!(!read.contains("mail@evil"), "{read}");
}

#[test]
fn what_is_hostile_is_seen() {
    let page = markdown(&sample::made_of(&sample::HOSTILE[3..7]), None);
    insta::assert_snapshot!(page.split_once("\n## Overview").unwrap().0, @r"
    # \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>

    0 files · 0 directories · 0 B

    > **Partial:** \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>

    \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>
    \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>
    https\://evil.example www\.evil.example mail \@ evil.example
    \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example

    - **Version**: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\)
    - **Licence**: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\); \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\)
    - **Needs**: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\); \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\)
    - **Install**: `https://evil.example www.evil.example mail@evil.example`\: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\> \(d/https\://evil.example www\.evil.example mail \@ evil.example\:7\); \`\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\`\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\)
    - **Build**: \`\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\`\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\)
    - **Test**: `<script>alert(1)</script><img src=x onerror=alert(1)>`\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\); \`\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\`\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\)
    - **Run**: \`\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\`\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\); `<script>alert(1)</script><img src=x onerror=alert(1)>`\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\)
    - **Begins in**: https\://evil.example www\.evil.example mail \@ evil.example\: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\> \(d/https\://evil.example www\.evil.example mail \@ evil.example\:7\); \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\)
    - **Read first**: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\); https\://evil.example www\.evil.example mail \@ evil.example\: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\> \(d/https\://evil.example www\.evil.example mail \@ evil.example\:7\)
    - **Parts**: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\); \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\> \(d/\`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example\:7\)
    - **Talks to**: \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\); \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\: https\://evil.example www\.evil.example mail \@ evil.example \(d/\<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\>\:7\)
    - **Tests**: https\://evil.example www\.evil.example mail \@ evil.example\: \<script\>alert\(1\)\</script\>\<img src=x onerror=alert\(1\)\> \(d/https\://evil.example www\.evil.example mail \@ evil.example\:7\); \!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\: \`code\` \`\`\` \`\<b\>\` \\\`\<i\>x\</i\>\` \| cell \| \[x\]\: https\://evil.example \(d/\!\[pixel\]\(https\://evil.example/p.png\) \[click\]\(javascript\:alert\(1\)\) \<https\://evil.example\>\:7\)
    ");
}

#[test]
fn hostile_text_is_text() {
    check(&sample::report());
    check(&sample::hostile());
}
