//! A language's syntax, prepared so that a scanner can jump from one telling byte to the next.

use std::sync::OnceLock;

use tokei::LanguageType;

use crate::language;

/// What a token does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// Opens a string in which a backslash escapes.
    Quote,
    /// Opens a string in which it does not.
    VerbatimQuote,
    /// Opens a comment that ends with its own mark.
    Comment {
        /// Whether it may open inside another comment.
        nests: bool,
    },
    /// Opens a comment that ends with the line.
    LineComment,
}

/// A token and how it looks.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) token: Token,
    pub(super) start: &'static [u8],
    /// Empty for line comments.
    pub(super) end: &'static [u8],
    pub(super) ends_with_space: bool,
}

impl Mark {
    /// Whether it stands at the head of a text whose first byte is already known to be right. Marks are so short
    /// that a call to compare them takes longer than comparing.
    #[inline]
    fn stands_at(&self, text: &[u8]) -> bool {
        self.start.len() <= text.len() && self.start.iter().zip(text).skip(1).all(|(a, b)| a == b)
    }
}

/// How lines of other languages may stand inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Embedding {
    None,
    /// Fenced blocks.
    Markdown,
    /// Scripts, styles and templates in tags.
    Html,
    /// Documentation comments, which are Markdown.
    RustDoc,
}

/// How a language is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Every line that is not blank is code: there are no comments.
    AllCode,
    /// Every line that is not blank is a comment.
    AllComment,
    /// By the marks below.
    Marks,
    /// By tokei itself: its rules for this language depend on more than the marks.
    Tokei,
}

/// Everything the counter needs to know of a language.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) method: Method,
    pub(super) embedding: Embedding,
    pub(super) is_literate: bool,
    /// All marks, in the order in which they are tried.
    marks: Vec<Mark>,
    /// For each byte the marks that start with it, as places in `marks_by_byte`.
    first: Box<[(u16, u16); 256]>,
    marks_by_byte: Vec<u16>,
    /// Bytes that can matter outside strings and comments.
    pub(super) tells_in_code: Box<[bool; 256]>,
    /// For each byte that tells in code, which bytes may follow it for that to be true.
    follows_in_code: Box<[[u64; 4]; 256]>,
    /// Bytes that can matter inside a comment.
    pub(super) tells_in_comment: Box<[bool; 256]>,
    pub(super) line_comments: &'static [&'static str],
    /// Start and end of the comments that have an end.
    pub(super) comments: Vec<(&'static [u8], &'static [u8])>,
    /// Starts of plain strings, which a backslash escapes.
    quotes: &'static [(&'static str, &'static str)],
    /// Without one of these a line cannot change anything.
    important: &'static [&'static str],
}

impl Syntax {
    /// The syntax of a language, prepared on first use.
    pub(super) fn of(language: LanguageType) -> &'static Syntax {
        static SYNTAXES: OnceLock<Vec<OnceLock<Syntax>>> = OnceLock::new();
        let syntaxes = SYNTAXES.get_or_init(|| (0..language::all().len()).map(|_| OnceLock::new()).collect());
        syntaxes[usize::from(language::id_of(language).0)].get_or_init(|| Syntax::prepare(language))
    }

    fn prepare(language: LanguageType) -> Syntax {
        let marks = marks_of(language);
        let mut syntax = Syntax {
            method: Method::Marks,
            embedding: embedding_of(language),
            is_literate: language.is_literate(),
            first: Box::new([(0, 0); 256]),
            marks_by_byte: Vec::new(),
            tells_in_code: Box::new([false; 256]),
            follows_in_code: Box::new([[0; 4]; 256]),
            tells_in_comment: Box::new([false; 256]),
            line_comments: language.line_comments(),
            comments: Vec::new(),
            quotes: language.quotes(),
            important: language.important_syntax(),
            marks,
        };
        syntax.method = syntax.choose_method(language);
        for byte in 0..=255_u8 {
            let start = syntax.marks_by_byte.len() as u16;
            let places = (0_u16..).zip(&syntax.marks).filter(|(_, mark)| mark.start[0] == byte);
            syntax.marks_by_byte.extend(places.map(|(place, _)| place));
            syntax.first[usize::from(byte)] = (start, syntax.marks_by_byte.len() as u16);
        }
        for mark in &syntax.marks {
            syntax.tells_in_code[usize::from(mark.start[0])] = true;
            let follows = &mut syntax.follows_in_code[usize::from(mark.start[0])];
            match mark.start.get(1) {
                Some(&second) => follows[usize::from(second >> 6)] |= 1 << (second & 63),
                None => *follows = [u64::MAX; 4],
            }
            if matches!(mark.token, Token::Comment { .. }) {
                syntax.comments.push((mark.start, mark.end));
                syntax.tells_in_comment[usize::from(mark.start[0])] = true;
                syntax.tells_in_comment[usize::from(mark.end[0])] = true;
            }
        }
        for tells in [&mut syntax.tells_in_code, &mut syntax.tells_in_comment] {
            tells[usize::from(b'\n')] = true;
            tells[usize::from(b'\\')] = true;
        }
        match syntax.embedding {
            Embedding::None | Embedding::RustDoc => {}
            Embedding::Markdown => syntax.tells_in_code[usize::from(b'`')] = true,
            Embedding::Html => syntax.tells_in_code[usize::from(b'<')] = true,
        }
        for always in [b'\n', b'\\', b'`', b'<'] {
            syntax.follows_in_code[usize::from(always)] = [u64::MAX; 4];
        }
        syntax
    }

    fn choose_method(&self, language: LanguageType) -> Method {
        let needs_tokei = matches!(
            language,
            // Notebooks are JSON inside; the target language of Lingua Franca stands in its text; a Fortran
            // comment depends on its column.
            LanguageType::Jupyter
                | LanguageType::LinguaFranca
                | LanguageType::FortranLegacy
                | LanguageType::FortranModern
        );
        if needs_tokei || self.has_hidden_strings(language) {
            Method::Tokei
        } else if self.embedding != Embedding::None {
            Method::Marks
        } else if self.is_literate {
            Method::AllComment
        } else if self.marks.is_empty() {
            Method::AllCode
        } else {
            Method::Marks
        }
    }

    /// Whether a string can open on a line that tokei passes over, since nothing important is on it.
    fn has_hidden_strings(&self, language: LanguageType) -> bool {
        language
            .verbatim_quotes()
            .iter()
            .any(|(start, _)| !self.important.iter().any(|word| start.contains(word)))
    }

    /// Whether a telling byte followed by this one can start anything.
    #[inline]
    pub(super) fn can_follow(&self, first: u8, second: u8) -> bool {
        self.follows_in_code[usize::from(first)][usize::from(second >> 6)] >> (second & 63) & 1 == 1
    }

    /// The first mark that stands at the head of the text.
    #[inline]
    pub(super) fn mark_at(&self, text: &[u8]) -> Option<&Mark> {
        let (start, end) = self.first[usize::from(*text.first()?)];
        self.marks_by_byte[usize::from(start)..usize::from(end)]
            .iter()
            .map(|&place| &self.marks[usize::from(place)])
            .find(|mark| mark.stands_at(text))
    }

    /// The first comment with an end of its own that opens at the head of the text.
    #[inline]
    pub(super) fn comment_at(&self, text: &[u8]) -> Option<&Mark> {
        let (start, end) = self.first[usize::from(*text.first()?)];
        self.marks_by_byte[usize::from(start)..usize::from(end)]
            .iter()
            .map(|&place| &self.marks[usize::from(place)])
            .find(|mark| matches!(mark.token, Token::Comment { .. }) && mark.stands_at(text))
    }

    /// Whether the text opens a string that a backslash before it would escape.
    #[inline]
    pub(super) fn quote_at(&self, text: &[u8]) -> bool {
        self.quotes.iter().any(|(start, _)| text.starts_with(start.as_bytes()))
    }

    /// Whether tokei would look at this line byte by byte.
    pub(super) fn is_important(&self, line: &[u8]) -> bool {
        self.important.iter().any(|word| memchr::memmem::find(line, word.as_bytes()).is_some())
    }
}

/// The marks in the order in which tokei tries them: strings before comments before line comments.
fn marks_of(language: LanguageType) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut add = |token, start: &'static str, end: &'static str| {
        let ends_with_space = start.ends_with(' ');
        marks.push(Mark { token, start: start.as_bytes(), end: end.as_bytes(), ends_with_space });
    };
    for (start, end) in language.doc_quotes() {
        add(Token::Quote, start, end);
    }
    for (start, end) in language.verbatim_quotes() {
        add(Token::VerbatimQuote, start, end);
    }
    for (start, end) in language.quotes() {
        add(Token::Quote, start, end);
    }
    for pair @ (start, end) in language.multi_line_comments() {
        let nests = language.allows_nested() || language.nested_comments().contains(pair);
        add(Token::Comment { nests }, start, end);
    }
    for (start, end) in language.nested_comments() {
        add(Token::Comment { nests: true }, start, end);
    }
    for start in language.line_comments() {
        add(Token::LineComment, start, "");
    }
    marks
}

fn embedding_of(language: LanguageType) -> Embedding {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other three hundred languages embed nothing")]
    match language {
        LanguageType::Markdown | LanguageType::UnrealDeveloperMarkdown => Embedding::Markdown,
        LanguageType::Html
        | LanguageType::RubyHtml
        | LanguageType::Svelte
        | LanguageType::Vue
        | LanguageType::GlimmerJs
        | LanguageType::GlimmerTs => Embedding::Html,
        LanguageType::Rust => Embedding::RustDoc,
        _ => Embedding::None,
    }
}
