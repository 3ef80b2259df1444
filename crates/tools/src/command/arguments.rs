//! The policy: whether an argv is one we offer.
//!
//! It reads arguments as the programs do: bundled short options, values in the same word or the next, options
//! anywhere before `--`. Long options must be written in full, so that no abbreviation can hide one.

use super::options::{FIND, FIND_HARMFUL, Options, Takes, options};
use super::{Program, Refusal};

const MOST: usize = 256;
const LONGEST: usize = 4096;

/// A command that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked<'a> {
    /// The program.
    pub program: Program,
    /// The files and directories that it is to open, relative to where it starts.
    pub opens: Vec<&'a str>,
}

/// Says which program it is and what it opens, or why it is not run.
pub fn check(argv: &[String]) -> Result<Checked<'_>, Refusal> {
    let (name, arguments) = argv.split_first().ok_or(Refusal::Empty)?;
    if MOST < argv.len() || argv.iter().any(|argument| LONGEST < argument.len()) {
        return Err(Refusal::TooLong { most: MOST, longest: LONGEST });
    }
    if let Some(index) = argv.iter().position(|argument| argument.contains('\0')) {
        return Err(Refusal::ZeroByte(index));
    }
    if name.contains('/') {
        return Err(Refusal::ProgramByPath(name.clone()));
    }
    let program = Program::named(name).ok_or_else(|| Refusal::NotOffered(name.clone()))?;
    let opens = match program {
        Program::Find => {
            check_find(arguments)?;
            Vec::new()
        }
        Program::Wc | Program::Grep | Program::Head | Program::Tail | Program::Sort | Program::Uniq => {
            check_gnu(program, arguments)?
        }
        // These look at what is there, and open no more of it than files and directories.
        Program::File | Program::Stat | Program::Du => {
            check_gnu(program, arguments)?;
            Vec::new()
        }
    };
    Ok(Checked { program, opens })
}

/// What the options of a command say about its operands.
struct Read<'a> {
    operands: Vec<&'a str>,
    pattern_given: bool,
}

/// The files and directories that an offered command reads; `.` where it goes through the working directory by itself.
pub(crate) fn read_by(argv: &[String]) -> Vec<&str> {
    let Some((name, arguments)) = argv.split_first() else { return Vec::new() };
    let Some(program) = Program::named(name).filter(|program| *program != Program::Find) else {
        return Vec::new();
    };
    let Ok(read) = read_options(program, arguments) else { return Vec::new() };
    let pattern = program == Program::Grep && !read.pattern_given;
    let files = read.operands.get(usize::from(pattern)..).unwrap_or_default();
    if files.is_empty() { vec!["."] } else { files.to_vec() }
}

/// The operands of a command that are paths.
fn check_gnu(program: Program, arguments: &[String]) -> Result<Vec<&str>, Refusal> {
    let read = read_options(program, arguments)?;
    let pattern = program == Program::Grep && !read.pattern_given;
    let files = read.operands.get(usize::from(pattern)..).unwrap_or_default();
    if program == Program::Uniq && 1 < files.len() {
        return Err(Refusal::SecondFile);
    }
    files.iter().try_for_each(|file| check_path(file))?;
    // A dash is the standard input, which is empty.
    Ok(files.iter().copied().filter(|file| *file != "-").collect())
}

fn read_options(program: Program, arguments: &[String]) -> Result<Read<'_>, Refusal> {
    let offered = options(program);
    let mut read = Read { operands: Vec::new(), pattern_given: false };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word == "--" {
            read.operands.extend(words.by_ref());
        } else if let Some(long) = word.strip_prefix("--") {
            let wants_value = check_long(program, &offered, long)?;
            read.pattern_given |= long.split('=').next() == Some("regexp");
            if wants_value && words.next().is_none() {
                return Err(value(program, word, "a value must follow"));
            }
        } else if let Some(bundle) = word.strip_prefix('-').filter(|bundle| !bundle.is_empty()) {
            let last = check_bundle(program, &offered, bundle)?;
            read.pattern_given |= bundle.contains('e') && offered.valued.contains('e');
            if last == Wants::NextWord && words.next().is_none() {
                return Err(value(program, word, "a value must follow"));
            }
        } else {
            read.operands.push(word);
        }
    }
    Ok(read)
}

/// Checks a long option and says whether its value is the next word.
fn check_long(program: Program, offered: &Options, long: &str) -> Result<bool, Refusal> {
    let (name, given) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
    if let Some(why) = harm(offered, &format!("--{name}")) {
        return Err(Refusal::Harmful { program, option: format!("--{name}"), why });
    }
    let kind = offered.long.iter().find_map(|option| {
        let bare = option.trim_end_matches("[=]").trim_end_matches('=');
        (bare == name).then(|| &option[bare.len()..])
    });
    match (kind, given) {
        (Some("=") | Some("[=]"), true) | (Some("[=]") | Some(""), false) => Ok(false),
        (Some("="), false) => Ok(true),
        (Some(_), _) => Err(value(program, &format!("--{name}"), "it takes no value")),
        (None, _) => Err(unknown(program, offered, &format!("--{long}"))),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wants {
    Nothing,
    NextWord,
}

/// Checks short options written together, such as `-rnA3`.
fn check_bundle(program: Program, offered: &Options, bundle: &str) -> Result<Wants, Refusal> {
    for (index, letter) in bundle.char_indices() {
        let option = format!("-{letter}");
        if let Some(why) = harm(offered, &option) {
            return Err(Refusal::Harmful { program, option, why });
        }
        if offered.valued.contains(letter) {
            let rest = &bundle[index + letter.len_utf8()..];
            return Ok(if rest.is_empty() { Wants::NextWord } else { Wants::Nothing });
        }
        let is_number = offered.numbers && letter.is_ascii_digit();
        if !is_number && !offered.flags.contains(letter) {
            return Err(unknown(program, offered, &option));
        }
    }
    Ok(Wants::Nothing)
}

fn harm(offered: &Options, option: &str) -> Option<&'static str> {
    offered.harmful.iter().find(|(harmful, _)| *harmful == option).map(|(_, why)| *why)
}

fn unknown(program: Program, offered: &Options, option: &str) -> Refusal {
    let short = offered.flags.chars().map(|letter| format!("-{letter}"));
    let valued = offered.valued.chars().map(|letter| format!("-{letter} …"));
    let long = offered.long.iter().map(|long| format!("--{long}"));
    let offered = short.chain(valued).chain(long).collect::<Vec<_>>().join(" ");
    Refusal::UnknownOption { program, option: option.to_owned(), offered }
}

fn value(program: Program, option: &str, what: &'static str) -> Refusal {
    Refusal::Value { program, option: option.to_owned(), what }
}

/// `find`: places first, then an expression.
fn check_find(arguments: &[String]) -> Result<(), Refusal> {
    let begins = |word: &str| word.starts_with('-') || ["(", ")", "!", ","].contains(&word);
    // Options about links come before the places.
    let skipped = arguments.iter().take_while(|word| *word == "-P").count();
    let rest = arguments.get(skipped..).unwrap_or_default();
    let places = rest.iter().position(|word| begins(word)).unwrap_or(rest.len());
    let (places, expression) = rest.split_at(places);
    places.iter().try_for_each(|place| check_path(place))?;
    let mut words = expression.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if let Some((_, why)) = FIND_HARMFUL.iter().find(|(harmful, _)| word.starts_with(harmful)) {
            return Err(Refusal::Harmful { program: Program::Find, option: word.to_owned(), why });
        }
        let (_, takes) =
            FIND.iter().find(|(known, _)| *known == word).ok_or_else(|| unknown_to_find(word))?;
        let argument = match takes {
            Takes::Nothing => continue,
            Takes::Word | Takes::Path => words.next(),
        };
        let argument = argument.ok_or_else(|| value(Program::Find, word, "a value must follow"))?;
        if *takes == Takes::Path {
            check_path(argument)?;
        }
    }
    Ok(())
}

fn unknown_to_find(word: &str) -> Refusal {
    let offered = FIND.iter().map(|(known, takes)| match takes {
        Takes::Nothing => (*known).to_owned(),
        Takes::Word | Takes::Path => format!("{known} …"),
    });
    let offered = offered.collect::<Vec<_>>().join(" ");
    Refusal::UnknownOption { program: Program::Find, option: word.to_owned(), offered }
}

/// Refuses in words what the sandbox would refuse with an error number.
fn check_path(path: &str) -> Result<(), Refusal> {
    if path.starts_with('/') || path.split('/').any(|part| part == "..") {
        return Err(Refusal::Outside(path.to_owned()));
    }
    Ok(())
}
