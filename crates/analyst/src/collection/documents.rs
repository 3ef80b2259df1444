//! Documents: what they are called, how long they are, in which languages, and which of them are versions, scans or damaged.

use std::collections::BTreeMap;

use luminos_core::fact::{Detail, Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_tools::structure::{self, Outline};

use super::titles::{self, Titled};
use super::{Look, kept, lacks, most, numbered, office, tongues, trifle, warns, words};
use crate::eyes::Peek;
use crate::words::{code, count, number, some_of};

/// So many documents are told by their titles.
const TITLES: usize = 12;
/// So much of a text is read to know its language.
const READ: usize = 8 << 10;

/// What the documents of one directory are together.
#[derive(Default)]
struct Shelf {
    seen: u64,
    titled: Vec<Titled>,
    kinds: BTreeMap<String, u64>,
    languages: BTreeMap<String, u64>,
    /// Programs that made pages.
    makers: BTreeMap<String, u64>,
    scans: Vec<(String, Evidence)>,
    evidence: Vec<Evidence>,
    told: Vec<Fact>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut shelf = Shelf::default();
    for file in files {
        let Some(head) = peek(file) else { continue };
        if head.name.starts_with("~$") {
            let words =
                "it is what an office program leaves beside a document that is open: nothing is in it";
            shelf.told.push(trifle(&head.word, words.to_owned(), vec![head.cite_head()]));
            continue;
        }
        shelf.see(&head, file);
    }
    shelf.told(dir)
}

impl Shelf {
    fn see(&mut self, head: &Peek, file: &ListedFile) {
        let is_whole = head.bytes.len() as u64 == file.size;
        self.seen += 1;
        let ending = head.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_uppercase();
        *self.kinds.entry(ending.clone()).or_default() += 1;
        let outline =
            structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default()).ok();
        let (title, extent) = match outline {
            Some(Outline::Pdf(pdf)) => self.pdf(head, pdf, is_whole),
            Some(Outline::Document(document)) if ending != "TXT" => {
                let text = String::from_utf8_lossy(&head.bytes[..head.bytes.len().min(READ)]).into_owned();
                self.speaks(&text);
                let title = document.title().map(|title| title.text.clone());
                (title.or_else(|| titles::in_front_matter(&text)), String::new())
            }
            Some(Outline::Notebook(notebook)) => self.notebook(head, &notebook),
            _ if is_office(&head.name) => self.office(head, is_whole),
            _ if matches!(ending.as_str(), "HTML" | "HTM") => self.page(head),
            _ if ending == "TEX" => (titles::of_tex(&String::from_utf8_lossy(&head.bytes)), String::new()),
            _ => (self.plain(head, is_whole), String::new()),
        };
        let title = title.filter(|title| !titles::is_private(title) && !titles::is_no_title(title));
        let cited = title.as_deref().and_then(|title| head.cite(title)).unwrap_or_else(|| head.cite_head());
        if self.evidence.len() < TITLES {
            self.evidence.push(cited);
        }
        self.titled.push(Titled { name: head.name.clone(), title, extent, hash: file.hash });
    }

    fn speaks(&mut self, text: &str) {
        if let Some(language) = tongues::language(text) {
            *self.languages.entry(language.to_owned()).or_default() += 1;
        }
    }

    fn pdf(&mut self, head: &Peek, pdf: structure::Pdf, is_whole: bool) -> (Option<String>, String) {
        let has = |word: &[u8]| memchr::memmem::find(&head.bytes, word).is_some();
        let tail = &head.bytes[head.bytes.len().saturating_sub(2048)..];
        if pdf.is_encrypted {
            let words = "it is protected: its text cannot be read without its password".to_owned();
            self.told.push(lacks(&head.word, words, vec![head.cite_head()]));
        } else if memchr::memmem::find(tail, b"%%EOF").is_none() && is_whole {
            let words = "its end is not that of a PDF file: it is cut off or damaged".to_owned();
            self.told.push(warns(&head.word, words, vec![head.cite_head()]));
        } else if !has(b"/ObjStm") && !has(b"/Font") && has(b"/Image") {
            self.scans.push((head.name.clone(), head.cite_head()));
        }
        let pages = pdf.pages.map_or_else(String::new, |pages| count(u64::from(pages), "page"));
        let title = pdf.title.filter(|title| !titles::is_no_title(title));
        (title.or(pdf.heading), pages)
    }

    fn notebook(&mut self, head: &Peek, notebook: &structure::Notebook) -> (Option<String>, String) {
        let has = |word: &[u8]| memchr::memmem::find(&head.bytes, word).is_some();
        if has(b"\"output_type\": \"error\"") || has(b"\"output_type\":\"error\"") {
            let words = "a cell of it ended in an error, and that was kept".to_owned();
            self.told.push(lacks(&head.word, words, vec![head.cite_head()]));
        }
        let cells = count(u64::from(notebook.code_cells), "code cell");
        let output = match (notebook.with_output, notebook.code_cells) {
            (0, 1..) => ", none with output",
            _ => "",
        };
        (notebook.headings.first().map(|heading| heading.text.clone()), format!("{cells}{output}"))
    }

    fn office(&mut self, head: &Peek, is_whole: bool) -> (Option<String>, String) {
        let Some(document) = office::read(&head.bytes) else {
            if !head.bytes.starts_with(b"PK") {
                let words = "by its name it is a packed document and does not begin like one: cut off, renamed or damaged";
                self.told.push(warns(&head.word, words.to_owned(), vec![head.cite_head()]));
            } else if is_whole {
                let words = "it has no list of contents at its end: cut off or damaged";
                self.told.push(warns(&head.word, words.to_owned(), vec![head.cite_head()]));
            }
            return (None, String::new());
        };
        self.speaks(&document.text);
        let plain = |text: &String| titles::quoted(text);
        let headings: Vec<String> = document
            .headings
            .iter()
            .filter(|head| Some(*head) != document.title.as_ref() && !titles::is_private(head))
            .map(plain)
            .collect();
        let sheets: Vec<String> = document.sheets.iter().map(plain).collect();
        let slides = count(document.slides, "slide");
        let within = match (headings.is_empty(), sheets.is_empty(), document.slides) {
            (_, _, 1..) => slides,
            (false, _, _) => format!("with {}", some_of(&headings, 3)),
            (true, false, _) if sheets.len() == 1 => format!("with the sheet {}", sheets.concat()),
            (true, false, _) => format!("with the sheets {}", some_of(&sheets, 4)),
            (true, true, _) => String::new(),
        };
        (document.title, within)
    }

    /// A page by its title, in its language.
    fn page(&mut self, head: &Peek) -> (Option<String>, String) {
        let text = String::from_utf8_lossy(&head.bytes[..head.bytes.len().min(READ)]);
        let made = ["name=\"generator\" content=\"", "name='generator' content='"];
        if let Some((_, rest)) = made.iter().find_map(|mark| text.split_once(mark)) {
            let maker = rest.split(['"', '\'', ';', '(', ',', '`']).next().unwrap_or_default().trim();
            if !maker.is_empty() && maker.len() <= 40 {
                *self.makers.entry(maker.to_owned()).or_default() += 1;
            }
        }
        (titles::of_page(&text), String::new())
    }

    /// Plain text, by its first line.
    fn plain(&mut self, head: &Peek, is_whole: bool) -> Option<String> {
        let is_text =
            [".txt", ".rtf", ".tex"].iter().any(|end| head.name.to_ascii_lowercase().ends_with(end));
        if !is_text || head.bytes.contains(&0) || head.bytes.starts_with(b"{\\rtf") {
            return None;
        }
        if std::str::from_utf8(&head.bytes).is_err() && is_whole {
            let words = "it is not UTF-8: letters beyond ASCII may be read wrongly".to_owned();
            self.told.push(lacks(&head.word, words, vec![head.cite_head()]));
        }
        let text = String::from_utf8_lossy(&head.bytes[..head.bytes.len().min(READ)]).into_owned();
        self.speaks(&text);
        let is_line = |line: &&str| 4 <= line.trim_start_matches(['-', '*', '=', '#', ' ']).len();
        let first = text.lines().map(str::trim).find(is_line)?;
        // A list of things to do has no title, nor has a word that somebody typed in passing.
        let is_item = ["- ", "* ", "• ", "[ ]", "[x]"].iter().any(|mark| first.starts_with(mark));
        let is_word = first.chars().all(char::is_lowercase);
        let first = first.trim_start_matches(['-', '*', '=', '#', ' ']);
        if is_item || is_word {
            return None;
        }
        let is_title = first.chars().count() <= 100 && !titles::is_named_private(&head.name);
        (is_title && !first.contains('\u{fffd}')).then(|| first.trim_end_matches([',', ':']).to_owned())
    }

    fn told(mut self, dir: &str) -> Vec<Fact> {
        if self.seen == 0 {
            return self.told;
        }
        let mut details = words([kinds_of(&self.kinds)]);
        let is_only_english = self.languages.keys().all(|language| language == "English");
        if !is_only_english {
            details.push(Detail::Text(match self.languages.first_key_value() {
                Some((only, all)) if self.languages.len() == 1 && *all == self.seen => format!("in {only}"),
                // Of the others no language is known.
                Some((only, some)) if self.languages.len() == 1 => format!("{} in {only}", number(*some)),
                _ => format!("in {}", most(&self.languages, 4)),
            }));
        }
        if !self.makers.is_empty() {
            details.push(Detail::Text(format!("made with {}", kinds_of(&self.makers))));
        }
        if let Some(site) = titles::site(&mut self.titled) {
            details.insert(0, Detail::Site(titles::quoted(&site)));
        }
        self.told.extend(titles::versions(dir, &self.titled, &self.evidence));
        let names = self.titled.iter().map(|one| one.name.as_str());
        self.told.extend(numbered::months_left_out(dir, names, &self.evidence));
        self.told.extend(numbered::years_left_out(dir, &self.titled, &self.evidence));
        let are_names = self.titled.first().is_some_and(|first| first.title.is_none());
        let shown = some_of(&titles::in_lines(self.titled), TITLES);
        details.push(if are_names { Detail::Names(shown) } else { Detail::Text(shown) });
        let is_all = |endings: &[&str]| self.kinds.keys().all(|kind| endings.contains(&kind.as_str()));
        let noun = match () {
            () if is_all(&["IPYNB"]) => "notebook",
            () if is_all(&["HTML", "HTM"]) => "web page",
            () => "document",
        };
        let keeps = Holding { count: self.seen, noun: noun.to_owned(), period: None, details };
        if !self.scans.is_empty() {
            let names: Vec<String> = self.scans.iter().map(|(name, _)| code(name)).collect();
            let verb = if names.len() == 1 { "is a picture" } else { "are pictures" };
            let words = format!(
                "{} {verb} of paper without text: no search finds what stands there",
                some_of(&names, 3)
            );
            let cited = self.scans.into_iter().map(|(_, cited)| cited).take(3).collect();
            self.told.push(lacks(dir, words, cited));
        }
        self.told.insert(0, kept(dir, keeps, self.evidence));
        self.told
    }
}

/// Whether a file is a document of an office program, packed.
fn is_office(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".docx", ".odt", ".xlsx", ".ods", ".pptx", ".odp"].iter().any(|ending| name.ends_with(ending))
}

/// Of a single kind its name is enough: how many there are was said.
pub(super) fn kinds_of(kinds: &BTreeMap<String, u64>) -> String {
    match kinds.first_key_value() {
        Some((only, _)) if kinds.len() == 1 => only.clone(),
        _ => most(kinds, 4),
    }
}
