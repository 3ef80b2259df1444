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
