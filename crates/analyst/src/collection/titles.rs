//! What documents are called: which words are a title, which are nobody's business, which titles are one series or one
//! document in several versions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use luminos_core::fact::Fact;
use luminos_core::proof::Evidence;

use super::lacks;
use crate::words::{clipped, code, count, number, some_of};

/// So many titles of one form are told by the first and the last.
const SERIES: usize = 3;
/// More are no versions of one document.
const VERSIONS: usize = 8;
/// A title is no longer than this.
const LONGEST: usize = 80;

/// A document, with what it is called and how long it is.
pub(super) struct Titled {
    pub(super) name: String,
    pub(super) title: Option<String>,
    /// `12 pages`.
    pub(super) extent: String,
    /// What its bytes are, where that is known.
    pub(super) hash: Option<luminos_core::ContentHash>,
}

impl Titled {
    fn called(&self) -> String {
        self.title.as_ref().map_or_else(|| code(&self.name), |title| quoted(title))
    }

    fn line(&self) -> String {
        match self.extent.as_str() {
            "" => self.called(),
            extent if extent.starts_with("with ") => format!("{} {extent}", self.called()),
            extent => format!("{} ({extent})", self.called()),
        }
    }
}

/// Words with a mark for each number at their end: what comes every week differs by that alone.
pub(super) fn without_numbers(text: &str) -> String {
    let stem = text.trim_end_matches(|last: char| last.is_ascii_digit());
    let is_numbered = stem.len() < text.len() && stem.ends_with([' ', '#', '-', '/']);
    if is_numbered { format!("{stem}…") } else { text.to_owned() }
}

/// A title in its marks. Marks of sentences that are put together would tear it apart.
pub(super) fn quoted(text: &str) -> String {
    let text = text.trim().trim_end_matches('.').replace(['`', '‘', '’'], "'").replace(';', ",");
    format!("‘{}’", clipped(&text, LONGEST))
}

/// Words that programs write where nobody gave a title.
pub(super) fn is_no_title(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    let made =
        ["untitled", "unknown", "document", "microsoft word", "powerpoint presentation", "title", "scan"];
    // `version:3105` is a setting, and so is `User-agent: *`.
    let (key, value) = lower.split_once([':', '=']).unwrap_or((&lower, "  "));
    let is_setting = !key.contains(' ') && !value.trim_start().contains(' ') && !value.starts_with("  ");
    // Remarks of programs begin with signs.
    let begins =
        lower.chars().next().is_some_and(|first| first.is_alphanumeric() || "\"'“‘«„(¿¡".contains(first));
    is_setting
        || !begins
        || lower.contains('$')
        || lower.chars().filter(|character| character.is_alphanumeric()).count() < 3
        || made.iter().any(|word| {
            lower.strip_prefix(word).is_some_and(|rest| rest.chars().all(|rest| !rest.is_alphabetic()))
        })
}

/// Whether words may be a password, a number of a card or an account: such are never told.
pub(super) fn is_private(text: &str) -> bool {
    let lower = text.to_lowercase();
    let names =
        ["passw", "pwd", "login", "pin ", "pin:", "cvc", "cvv", "iban", "secret", "api key", "ahv", "ssn"];
    let mut run = 0;
    let has_long_number = text.chars().any(|character| {
        run = match character {
            _ if character.is_ascii_digit() => run + 1,
            ' ' | '.' | '-' => run,
            _ => 0,
        };
        9 <= run
    });
    // A word of letters, digits and signs is more often a password than anything else.
    let is_mixed = |word: &str| {
        let has = |test: fn(char) -> bool| word.chars().any(test);
        6 <= word.len()
            && has(|character| character.is_ascii_digit())
            && has(|character| character.is_alphabetic())
            && has(|character| "!#$%&*+=?@^_~".contains(character))
    };
    has_long_number
        || text.contains('@')
        || names.iter().any(|name| lower.contains(name))
        || text.split_whitespace().any(is_mixed)
}

/// Whether a file says by its name that what is in it is private.
pub(super) fn is_named_private(name: &str) -> bool {
    let lower = name.to_lowercase();
    [
        "passw",
        "login",
        "credential",
        "secret",
        "kennwort",
        "creditcard",
        "credit card",
        "kreditkarte",
        "pincode",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// `title: …` of what stands above a text between lines of three dashes.
pub(super) fn in_front_matter(text: &str) -> Option<String> {
    let mut lines =
        text.strip_prefix("---")?.lines().skip(1).take(30).take_while(|line| line.trim() != "---");
    let title = lines.find_map(|line| line.strip_prefix("title:"))?;
    Some(title.trim().trim_matches(['"', '\'']).to_owned()).filter(|title| !title.is_empty())
}

/// Signs that pages write by their names.
const ENTITIES: [(&str, &str); 11] = [
    ("&nbsp;", " "),
    ("&mdash;", "—"),
    ("&ndash;", "–"),
    ("&#8211;", "–"),
    ("&rsquo;", "'"),
    ("&#8217;", "'"),
    ("&#39;", "'"),
    ("&quot;", "\""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
];

/// `<title>…</title>` of a page; its first heading where it has none.
pub(super) fn of_page(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let inside = |open: &str, close: &str| {
        let start = lower.find(open)?;
        let start = start + lower[start..].find('>')? + 1;
        let end = start + lower[start..].find(close)?;
        let words = text.get(start..end)?.split('<').map(|piece| piece.rsplit('>').next().unwrap_or(piece));
        let words = ENTITIES
            .iter()
            .fold(words.collect::<String>(), |words, (name, means)| words.replace(name, means));
        Some(words.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|words| !words.is_empty())
    };
    inside("<title", "</title").or_else(|| inside("<h1", "</h1"))
}

/// What the titles of all pages end with, or begin with: the name of their site. It is taken out of them.
pub(super) fn site(titled: &mut [Titled]) -> Option<String> {
    let is_page = |one: &Titled| one.name.ends_with(".html") || one.name.ends_with(".htm");
    let marks = [" – ", " — ", " | ", " - ", " · ", " :: "];
    let ends = |title: &str| -> Option<(String, String)> {
        let (mark, at) =
            marks.iter().filter_map(|mark| Some((mark, title.rfind(mark)?))).max_by_key(|(_, at)| *at)?;
        Some((title[..at].to_owned(), title[at + mark.len()..].to_owned()))
    };
    let pages: Vec<&Titled> = titled.iter().filter(|one| is_page(one) && one.title.is_some()).collect();
    let (_, site) = ends(pages.first()?.title.as_deref()?)?;
    let is_same = |one: &&Titled| {
        one.title
            .as_deref()
            .is_some_and(|title| title == site || ends(title).is_some_and(|(_, end)| end == site))
    };
    if pages.len() < 2 || !pages.iter().all(is_same) {
        return None;
    }
    for one in titled.iter_mut().filter(|one| is_page(one)) {
        if let Some((own, _)) = one.title.as_deref().and_then(ends) {
            one.title = Some(own);
        }
    }
    Some(site)
}

/// `\title{…}`.
pub(super) fn of_tex(text: &str) -> Option<String> {
    let title = text.split_once("\\title{")?.1.split(['}', '\n']).next()?.trim();
    (!title.is_empty() && !title.contains('\\')).then(|| title.to_owned())
}

/// Each document in a line; those of one form by the first and the last, those of one title once.
pub(super) fn in_lines(titled: Vec<Titled>) -> Vec<String> {
    let shape = |one: &Titled| form_of(one.title.as_ref().unwrap_or(&one.name));
    let mut lines = Vec::new();
    for group in gathered(titled, shape) {
        let mut called: Vec<String> = group.iter().map(Titled::called).collect();
        called.sort_by_cached_key(|called| in_order(called));
        let is_same = called.first() == called.last();
        match &group[..] {
            [only] => lines.push(only.line()),
            [first, ..] if is_same => lines.push(format!("{} ({}×)", first.called(), group.len())),
            [..] if SERIES <= group.len() => lines.push(format!(
                "{} to {} ({})",
                called.first().map_or("", String::as_str),
                called.last().map_or("", String::as_str),
                number(group.len() as u64)
            )),
            [..] => lines.extend(group.iter().map(Titled::line)),
        }
    }
    lines
}

/// Words with one mark for each number in them: what differs by numbers only is of one form.
pub(crate) fn form_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let digit = if character.is_ascii_digit() { '0' } else { character };
        if !(digit == '0' && out.ends_with('0')) {
            out.push(digit);
        }
    }
    out
}

/// Things of one form together, in the order of the first of each.
pub(crate) fn gathered<T>(things: Vec<T>, form: impl Fn(&T) -> String) -> Vec<Vec<T>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for thing in things {
        let place = *places.entry(form(&thing)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(thing),
            None => groups.push(vec![thing]),
        }
    }
    groups
}

/// A key by which 9 comes before 10.
fn in_order(text: &str) -> Vec<(String, u64)> {
    let mut key: Vec<(String, u64)> = vec![(String::new(), 0)];
    let mut was_digit = false;
    for character in text.chars() {
        let digit = character.to_digit(10).map(u64::from);
        if was_digit && digit.is_none() {
            key.push((String::new(), 0));
        }
        was_digit = digit.is_some();
        if let Some((words, number)) = key.last_mut() {
            match digit {
                Some(digit) => *number = number.saturating_mul(10).saturating_add(digit),
                None => words.push(character),
            }
        }
    }
    key
}

/// Documents whose names differ only by words for versions.
pub(super) fn versions(dir: &str, titled: &[Titled], evidence: &[Evidence]) -> Vec<Fact> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, one) in titled.iter().enumerate() {
        let is_page = one.name.ends_with(".html") || one.name.ends_with(".htm");
        if !is_page {
            groups.entry(plain_stem(&one.name)).or_default().push(at);
        }
    }
    // Many that are numbered are a series, and names that differ by case only are no versions.
    let differ = |group: &[usize]| {
        let names: BTreeSet<String> =
            group.iter().filter_map(|at| titled.get(*at)).map(|one| one.name.to_lowercase()).collect();
        names.len() == group.len()
    };
    let several = groups
        .into_iter()
        .filter(|(stem, group)| (2..=VERSIONS).contains(&group.len()) && !stem.is_empty() && differ(group));
    let told = several.map(|(_, group)| {
        let names: Vec<String> =
            group.iter().filter_map(|at| titled.get(*at)).map(|one| code(&one.name)).collect();
        let mut hashes = group.iter().filter_map(|at| titled.get(*at)?.hash);
        let first = hashes.next();
        let words = if first.is_some() && hashes.all(|hash| Some(hash) == first) {
            format!("{} are the same document, byte for byte", some_of(&names, 4))
        } else {
            let versions = count(names.len() as u64, "version");
            format!("{versions} of one document: {}; nothing says which one counts", some_of(&names, 4))
        };
        let cited: Vec<Evidence> = group.iter().filter_map(|at| evidence.get(*at)).take(3).cloned().collect();
        (words, cited)
    });
    told.filter(|(_, cited)| !cited.is_empty())
        .map(|(words, cited)| lacks(dir, words, cited))
        .take(3)
        .collect()
}

/// A name without its ending and without what people add to a version.
fn plain_stem(name: &str) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let lower = stem.to_lowercase();
    let mut rest = lower.as_str();
    loop {
        rest = rest.trim_end_matches([' ', '_', '-', '.']);
        let words = [
            "final", "draft", "copy", "kopie", "copie", "entwurf", "old", "alt", "new", "neu", "rev",
            "signed",
        ];
        let cut = words.iter().find_map(|word| {
            let before = rest.strip_suffix(word)?;
            before.ends_with([' ', '_', '-', '.']).then_some(before)
        });
        let bracket = || {
            let (before, inside) = rest.strip_suffix(')')?.rsplit_once('(')?;
            (!inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit())).then_some(before)
        };
        let numbered = || {
            let before = rest.trim_end_matches(|last: char| last.is_ascii_digit());
            let digits = rest.len() - before.len();
            let before = before.strip_suffix('v').filter(|_| (1..=2).contains(&digits))?;
            before.ends_with([' ', '_', '-', '.']).then_some(before)
        };
        match cut.or_else(bracket).or_else(numbered) {
            Some(before) if !before.is_empty() => rest = before,
            _ => return format!("{rest}.{}", ending.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(name: &str, title: Option<&str>) -> Titled {
        Titled {
            name: name.to_owned(),
            title: title.map(str::to_owned),
            extent: "1 page".to_owned(),
            hash: None,
        }
    }

    #[test]
    fn what_is_private_is_no_title() {
        for words in [
            "Visa 4111 1111 1111 1111 exp 04/27",
            "gmail maria@gmail.example Sommer2019!",
            "ebanking Katze77!",
            "Patient 756.1234.5678.97",
            "Password list",
        ] {
            assert!(is_private(words), "{words}");
        }
        for words in
            ["Tax return 2021", "Meeting on 2024-05-17", "Lease of the flat, 4th floor", "Q3/2022 results"]
        {
            assert!(!is_private(words), "{words}");
        }
    }

    #[test]
    fn what_programs_write_is_no_title() {
        for words in [
            "untitled",
            "Untitled 1",
            "Document1",
            "scan0001",
            "--",
            "version:3105",
            "User-agent: *",
            "! $Xorg: rgb.txt,v 1.3 $",
        ] {
            assert!(is_no_title(words), "{words}");
        }
        assert!(!is_no_title("Japan: a journey"));
        assert!(!is_no_title("Documents of the estate"));
        assert!(!is_no_title("Scanning old negatives"));
    }

    #[test]
    fn one_form_is_told_by_its_ends() {
        let bills = (1..=12).map(|month| titled("x.pdf", Some(&format!("Bill {month:02}/2023")))).collect();
        assert_eq!(in_lines(bills), ["‘Bill 01/2023’ to ‘Bill 12/2023’ (12)"]);
        let posts = [10, 9, 2].map(|at| titled("x.html", Some(&format!("Post {at} – blog")))).into();
        assert_eq!(in_lines(posts), ["‘Post 2 – blog’ to ‘Post 10 – blog’ (3)"]);
        let same = vec![titled("a.pdf", Some("Pass")), titled("b.pdf", Some("Pass"))];
        assert_eq!(in_lines(same), ["‘Pass’ (2×)"]);
        assert_eq!(in_lines(vec![titled("scan1.pdf", None)]), ["`scan1.pdf` (1 page)"]);
    }

    #[test]
    fn versions_are_known_by_their_names() {
        let stem = plain_stem("Lease.docx");
        for name in [
            "Lease v2.docx",
            "Lease FINAL.docx",
            "lease_final_v3.docx",
            "Lease (1).docx",
            "Lease - Kopie.docx",
        ] {
            assert_eq!(plain_stem(name), stem, "{name}");
        }
        assert_ne!(plain_stem("Lease 2022.docx"), stem);
        assert_ne!(plain_stem("Lease.pdf"), stem);
    }

    #[test]
    fn the_name_of_a_site_is_told_once() {
        let page = |title: &str| titled("x.html", Some(title));
        let mut pages = [page("News – Fire brigade"), page("Map - Old – Fire brigade"), page("Fire brigade")];
        assert_eq!(site(&mut pages).as_deref(), Some("Fire brigade"));
        let left: Vec<&str> = pages.iter().filter_map(|one| one.title.as_deref()).collect();
        assert_eq!(left, ["News", "Map - Old", "Fire brigade"]);
        assert_eq!(site(&mut [page("A – one"), page("B – two")]), None);
    }

    #[test]
    fn titles_are_found_above_texts() {
        assert_eq!(in_front_matter("---\ntitle: \"Pasta\"\n---\nx").as_deref(), Some("Pasta"));
        assert_eq!(in_front_matter("title: x"), None);
        assert_eq!(of_page("<TITLE>Garden\n blog</TITLE>").as_deref(), Some("Garden blog"));
        assert_eq!(of_page("<h1 class=x>Beds <b>and</b> soil</h1>").as_deref(), Some("Beds and soil"));
        assert_eq!(of_page("<title>"), None);
        assert_eq!(of_tex("\\title{Bees}\n").as_deref(), Some("Bees"));
        assert_eq!(of_tex("\\title{\\textbf{x}}"), None);
    }
}
