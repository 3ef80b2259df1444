//! The page in a real browser: what is on it, what it does, and what it does not let anybody do.

mod browser;

use serde_json::json;

use self::browser::Browser;
use super::html;
use crate::investigation::sample;
use luminos_core::RelPath;
use luminos_core::entry::Stamp;
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::experience::Features;
use luminos_core::plan::{Order, Tier, Turns};
use luminos_core::report::Report;
use luminos_core::spend::Tokens;
use luminos_core::turns::Account;

fn evaluation(report: &Report) -> Evaluation {
    let rows = report.directories.iter().zip(0_u32..).map(|(entry, number)| {
        let account = Account {
            allocated: Turns(4),
            borrowed: Turns(number % 3),
            used: Turns(4 + number % 3),
            returned: Turns(0),
        };
        DirEvaluation::new(Tier::Default, account, entry, Features::default(), (Tokens(10), None))
    });
    Evaluation::new(Order::LeafFirst, rows.collect(), Stamp::default())
}

fn page(report: &Report) -> String {
    html(report, Some(&evaluation(report)), None)
}

#[test]
fn a_page_comes_to_life_without_a_word_of_complaint_and_asks_nobody() {
    let mut browser = Browser::start();
    browser.open(&page(&sample::report()));
    assert_eq!(browser.tell("document.documentElement.dataset.ready"), json!("yes"));
    assert_eq!(browser.tell("document.querySelector('h1').textContent"), json!("parcel"));
    assert_eq!(browser.tell("document.querySelectorAll('#flags-list .flag').length"), json!(3));
    assert_eq!(browser.tell("document.querySelectorAll('#plan-chart .row').length"), json!(7));
    assert_eq!(browser.tell("3 < document.querySelectorAll('.tile').length"), json!(true));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.requests().len(), 1, "the page itself and nothing else: {:?}", browser.requests());
}

#[test]
fn whoever_asks_for_more_gets_it() {
    let mut browser = Browser::start();
    browser.open(&page(&sample::report()));
    // Filters.
    browser.tell("[...document.querySelectorAll('#flags-tools button')].find((b) => b.textContent.startsWith('info')).click()");
    assert_eq!(browser.tell("document.querySelectorAll('#flags-list .flag').length"), json!(2));
    browser.tell("{ const i = document.querySelector('#tree-tools input'); i.value = 'courier'; i.dispatchEvent(new Event('input')); }");
    assert_eq!(
        browser.tell("[...document.querySelectorAll('#tree .name')].map((n) => n.textContent).join()"),
        json!("src/domain/,src/routes/")
    );
    browser.tell("{ const i = document.querySelector('#tree-tools input'); i.value = ''; i.dispatchEvent(new Event('input')); }");
    // A directory, a claim in it, and the lines that the claim cites.
    let src = "[...document.querySelectorAll('#tree .dir')].find((d) => d.querySelector('.name').textContent === 'src/')";
    browser.tell(&format!("{src}.open = true"));
    browser.until("document.querySelector('#tree .below .dir')");
    let routes = "[...document.querySelectorAll('#tree .below .dir')]\
                  .find((d) => d.querySelector('.name').textContent === 'routes/')";
    browser.tell(&format!("{routes}.open = true"));
    browser.until("document.querySelector('#tree details.claim')");
    browser.tell("document.querySelector('#tree details.claim').open = true");
    browser.until("document.querySelector('#tree .claim .quote')");
    assert_eq!(
        browser.tell("document.querySelector('#tree .claim .quote span').dataset.line + ' ' + document.querySelector('#tree .claim .quote').textContent"),
        json!("12 .layer(from_fn(require_session))")
    );
    // The map by keyboard: into a directory and out of it.
    browser.tell("[...document.querySelectorAll('.tile')].find((t) => t.title.startsWith('src/ ')).focus()");
    browser.press("Enter");
    assert_eq!(browser.tell("document.querySelector('#map-entry h3').textContent"), json!("src/"));
    assert_eq!(browser.tell("document.querySelector('#map-way [aria-current]').textContent"), json!("src"));
    browser.press("ArrowRight");
    assert_eq!(browser.tell("document.activeElement.className.includes('tile')"), json!(true));
    browser.press("Escape");
    assert_eq!(browser.tell("document.querySelector('#map-way [aria-current]').textContent"), json!("all"));
    for mode in ["Attention", "Coverage", "Flags", "Size"] {
        browser.tell(&format!("[...document.querySelectorAll('#map-tools button')].find((b) => b.textContent === '{mode}').click()"));
        assert_eq!(browser.tell("3 < document.querySelectorAll('.tile').length"), json!(true), "{mode}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn day_and_night_follow_the_reader() {
    let mut browser = Browser::start();
    browser.open(&page(&sample::report()));
    let ground = "getComputedStyle(document.body).backgroundColor";
    let day = browser.tell(ground);
    browser.call(
        "Emulation.setEmulatedMedia",
        json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]}),
    );
    let night = browser.tell(ground);
    assert_ne!(day, night);
    browser.tell("document.getElementById('theme').click()");
    assert_eq!(browser.tell(ground), day, "light by choice");
    browser.tell("document.getElementById('theme').click()");
    browser.call(
        "Emulation.setEmulatedMedia",
        json!({"features": [{"name": "prefers-color-scheme", "value": "light"}]}),
    );
    assert_eq!(browser.tell(ground), night, "dark by choice");
    // Nothing sticks out of a narrow window.
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true}),
    );
    let outside = "[...document.querySelectorAll('main *')].filter((e) => 391 < e.getBoundingClientRect().right \
                   && !e.closest('pre, .map, .label, svg')).map((e) => `${e.tagName}.${e.className}`).join()";
    assert_eq!(browser.tell(outside), json!(""));
    assert_eq!(browser.tell("document.documentElement.scrollWidth"), json!(390));
}

#[test]
fn hostile_texts_stay_texts() {
    let mut browser = Browser::start();
    browser.open(&page(&sample::hostile()));
    assert_eq!(browser.tell("document.documentElement.dataset.ready"), json!("yes"));
    // Everything that can be opened is opened.
    browser.tell("document.querySelectorAll('.more').forEach((m) => m.click())");
    browser.tell("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
    browser.until("document.querySelector('#tree details.claim')");
    browser.tell("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
    browser.until("document.querySelector('#tree .claim .quote')");
    let ours = "['A','ASIDE','BDI','BODY','BR','BUTTON','CODE','DD','DETAILS','DIV','DL','DT','FIGCAPTION','FIGURE','FOOTER','H1','H2','H3','HEAD',\
                'HEADER','HTML','I','INPUT','LI','MAIN','META','NAV','NOSCRIPT','OPTION','P','PRE','SCRIPT','SECTION','SELECT','SPAN',\
                'STRONG','STYLE','SUMMARY','TABLE','TBODY','TD','TH','TITLE','TR','UL','rect','svg']";
    let strange = format!(
        "[...new Set([...document.querySelectorAll('*')].map((e) => e.tagName))].filter((t) => !{ours}.includes(t)).join()"
    );
    assert_eq!(browser.tell(&strange), json!(""));
    let links = "[...document.querySelectorAll('[href]')].map((e) => e.getAttribute('href')).filter((h) => !h.startsWith('#')).join()";
    assert_eq!(browser.tell(links), json!(""));
    assert_eq!(browser.tell("document.querySelectorAll('script').length"), json!(2));
    assert_eq!(browser.tell("[...document.querySelectorAll('*')].some((e) => [...e.attributes].some((a) => a.name.startsWith('on')))"), json!(false));
    assert_eq!(
        browser
            .tell("/[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0000-\\u0008]/.test(document.body.innerText)"),
        json!(false)
    );
    assert_eq!(
        browser.tell("document.body.textContent.includes('<img src=x onerror=alert(1)>')"),
        json!(true)
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.requests().len(), 1, "{:?}", browser.requests());
}

#[test]
fn even_markup_that_got_through_could_do_nothing() {
    let attack = "<main id=\"main\"><script>document.documentElement.dataset.owned = 'script'</script>\
                  <img src=\"http://127.0.0.1:9/x\" onerror=\"document.documentElement.dataset.owned = 'handler'\">\
                  <style>body { display: none }</style><form action=\"http://127.0.0.1:9/\"></form>";
    let attacked = page(&sample::report()).replacen("<main id=\"main\">", attack, 1);
    let mut browser = Browser::start();
    browser.open(&attacked);
    assert_eq!(browser.tell("document.documentElement.dataset.ready"), json!("yes"));
    assert_eq!(browser.tell("String(document.documentElement.dataset.owned)"), json!("undefined"));
    assert_eq!(browser.tell("getComputedStyle(document.body).display"), json!("block"));
    assert_eq!(browser.tell("(() => { try { document.body.innerHTML = '<b>x</b>'; return 'made'; } catch { return 'refused'; } })()"), json!("refused"));
    assert!(!browser.complaints().is_empty(), "the policy says what it refused");
}

#[test]
fn without_a_script_everything_is_there_as_text() {
    let mut browser = Browser::start();
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&page(&sample::report()));
    let text = browser.text();
    for words in [
        "A web service, written in Rust",
        "A database password is kept in the repository.",
        "password: correct-horse",
        "HTTP handlers, one file each.",
        "Every handler checks the session first.",
        ".layer(from_fn(require_session))",
        "the limit of $2.50 was reached",
        "allocated",
    ] {
        assert!(text.contains(words), "{words} is missing in:\n{text}");
    }
}

#[test]
fn five_thousand_directories_open_with_the_work_of_fifty() {
    let mut browser = Browser::start();
    let report = sample::large(5_000);
    browser.open(&page(&report));
    assert_eq!(browser.tell("document.documentElement.dataset.ready"), json!("yes"));
    let elements =
        |browser: &mut Browser| browser.tell("document.querySelectorAll('*').length").as_u64().unwrap();
    let many = elements(&mut browser);
    assert!(many < 4_000, "{many} elements were made for a page that nobody has touched");
    browser.open(&page(&sample::large(50)));
    let few = elements(&mut browser);
    assert!(many < 4 * few, "{many} elements for 5,000 directories, {few} for 50");
}

#[test]
fn directories_without_the_ones_above_them_still_find_their_place() {
    let mut report = sample::report();
    report
        .directories
        .retain(|entry| entry.relative_path != RelPath::from("src") && !entry.relative_path.is_root());
    let mut browser = Browser::start();
    browser.open(&page(&report));
    let names =
        browser.tell("[...document.querySelectorAll('#tree .name')].map((n) => n.textContent).join()");
    assert_eq!(names, json!("deploy/,migrations/,src/domain/,src/routes/,web/"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_row_does_not_say_its_name_twice_and_lines_of_one_file_stand_together() {
    let mut report = sample::report();
    let deploy = report.directories.iter_mut().find(|entry| entry.relative_path == RelPath::from("deploy"));
    let deploy = deploy.unwrap();
    deploy.summary = "`deploy` holds a <chart> & `values.yaml`.\n\n- an item".to_owned();
    let evidence = |line: u64, words: &str| sample::evidence("deploy/a:1 b.yaml", (line, line), Some(words));
    let evidence = vec![evidence(3, "port: 1"), evidence(7, "port: <2>")];
    deploy.claims = vec![sample::claim("It has two ports.", evidence, &[])];
    let mut browser = Browser::start();
    browser.open(&page(&report));
    let deploy = "[...document.querySelectorAll('#tree .dir')].find((d) => d.querySelector('.name').textContent === 'deploy/')";
    assert_eq!(
        browser.tell(&format!("{deploy}.querySelector('.gist').textContent.trim()")),
        json!("holds a <chart> & values.yaml.")
    );
    browser.tell(&format!("{deploy}.open = true"));
    browser.until(&format!("{deploy}.querySelector('details.claim')"));
    browser.tell(&format!("{deploy}.querySelector('details.claim').open = true"));
    browser.until(&format!("{deploy}.querySelector('.quote')"));
    assert_eq!(
        browser.tell(&format!(
            "[...{deploy}.querySelectorAll('figure')].map((f) => f.innerText.replaceAll('\\n', '|')).join()"
        )),
        json!("deploy/a:1 b.yaml:3, 7|port: 1|port: <2>")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_report_of_nothing_is_a_page_as_well() {
    let mut browser = Browser::start();
    browser.open(&html(&sample::bare(), None, None));
    assert_eq!(browser.tell("document.documentElement.dataset.ready"), json!("yes"));
    assert!(browser.text().contains("Nothing was found that somebody should look at."));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
