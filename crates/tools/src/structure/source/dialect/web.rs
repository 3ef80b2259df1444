//! HTML and CSS: what a page uses.

use super::super::engine::{Found, line};
use super::super::grammar::{BASE, Dialect, Role};
use super::super::item::{Item, one_line, unquoted};
use super::super::{Import, Language};
use crate::structure::outline::Note;

pub(in super::super) const HTML: Dialect = Dialect {
    language: Language::Html,
    grammar: || tree_sitter_html::LANGUAGE.into(),
    roles: &[("comment", Role::Comment), ("start_tag", Role::Special), ("self_closing_tag", Role::Special)],
    forks: &[],
    mains: &[],
    is_abyss,
    special,
    ..BASE
};

pub(in super::super) const CSS: Dialect = Dialect {
    language: Language::Css,
    grammar: || tree_sitter_css::LANGUAGE.into(),
    roles: &[("comment", Role::Comment), ("import_statement", Role::Import)],
    forks: &[],
    mains: &[],
    import,
    ..BASE
};

/// Deepest nesting of elements: the grammar copies the list of open ones at every token.
const MOST_OPEN: usize = 500;

/// Elements that are never open, or that the next of their kind closes.
const NEVER_OPEN: &[&[u8]] = &[
    b"area", b"base", b"br", b"col", b"dd", b"dt", b"embed", b"hr", b"img", b"input", b"li", b"link",
    b"meta", b"p", b"param", b"source", b"td", b"th", b"tr", b"track", b"wbr",
];

fn is_abyss(text: &[u8]) -> bool {
    let mut open: Vec<&[u8]> = Vec::new();
    for at in memchr::memchr_iter(b'<', text) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let rest = rest.get(..16).unwrap_or(rest);
        let (is_end, rest) = rest.strip_prefix(b"/").map_or((false, rest), |rest| (true, rest));
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = rest.get(..length).unwrap_or_default();
        let is_known = |known: &&[u8]| known.eq_ignore_ascii_case(name);
        if is_end {
            // An end without its beginning closes nothing.
            if let Some(found) = open.iter().rposition(is_known) {
                open.truncate(found);
            }
        } else if 0 < length && !NEVER_OPEN.iter().any(is_known) {
            open.push(name);
        }
        if MOST_OPEN < open.len() {
            return true;
        }
    }
    false
}

/// The title, scripts and stylesheets of a page.
fn special(item: &Item<'_, '_>, found: &mut Found) {
    let Some(tag) = Item::child_of_kind(item.node, "tag_name") else { return };
    let wanted: &[u8] = match item.bytes_of(tag) {
        b"script" | b"iframe" => b"src",
        b"link" => b"href",
        b"title" => {
            let around = item.parent().and_then(|parent| Item::child_of_kind(parent, "text"));
            if let Some(text) = around {
                let line = line(text.start_position().row);
                found.package.get_or_insert(Note { text: one_line(&item.text_of(text), 200), line });
            }
            return;
        }
        _ => return,
    };
    for attribute in Item::children_of_kind(item.node, "attribute") {
        let name = Item::child_of_kind(attribute, "attribute_name");
        if name.is_none_or(|name| item.bytes_of(name) != wanted) {
            continue;
        }
        let text = item.text_of(attribute);
        let module = text.split_once('=').map(|(_, value)| unquoted(value)).unwrap_or_default();
        found.imports.push(Import {
            written: one_line(&item.text_of(item.node), 200),
            module: one_line(module, 200),
            line: line(item.node.start_position().row),
        });
    }
}

fn import(item: &Item<'_, '_>, found: &mut Found) {
    let written = one_line(&item.text_of(item.node), 200);
    let named = written.trim_start_matches("@import").trim_end_matches(';').trim();
    let named = named.strip_prefix("url(").unwrap_or(named).trim_end_matches(')');
    let module = unquoted(named.split_whitespace().next().unwrap_or_default()).to_owned();
    found.imports.push(Import { written, module, line: line(item.node.start_position().row) });
}
