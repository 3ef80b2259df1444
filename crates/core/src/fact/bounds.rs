//! How much of what the target says goes into a fact.
//!
//! Names, values and quotations are the target's choice and may have megabytes. They are cut where a fact is made, with an
//! ellipsis, so that whatever is put together of facts stays within what the store keeps.

use std::borrow::Cow;

use super::{Contents, Detail, FactKind};

/// The longest name or path, in bytes.
pub const LONGEST_NAME: usize = 512;
/// The longest text, in bytes.
pub const LONGEST_TEXT: usize = 4 << 10;
/// All names of a list together, in bytes.
const LONGEST_LIST: usize = 16 << 10;

/// At most so many bytes of a text, with `…` where it was cut.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    Cow::Owned(format!("{}…", &text[..end]))
}

fn cut_in_place(text: &mut String, most: usize) {
    if most < text.len() {
        *text = cut(text, most).into_owned();
    }
}

fn cut_name(name: &mut String) {
    cut_in_place(name, LONGEST_NAME);
}

fn cut_text(text: &mut String) {
    cut_in_place(text, LONGEST_TEXT);
}

/// Cuts each element of a list, and the list where all of them together are too long.
fn cut_list<T>(list: &mut Vec<T>, mut cut: impl FnMut(&mut T) -> usize) {
    let mut length = 0;
    list.retain_mut(|element| {
        length += cut(element);
        length <= LONGEST_LIST
    });
}

fn cut_names(names: &mut Vec<String>) {
    cut_list(names, |name| {
        cut_name(name);
        name.len()
    });
}

impl FactKind {
    /// The same with all texts cut to lengths that can be kept.
    #[must_use]
    pub(super) fn bounded(mut self) -> Self {
        match &mut self {
            Self::Description { text } | Self::OwnWords { text } | Self::Fault { text, .. } => cut_text(text),
            Self::Documentation { symbol, text } => {
                cut_name(&mut symbol.name);
                cut_text(text);
            }
            Self::Mention { of, text } => {
                cut_name(of);
                cut_text(text);
            }
            Self::Package { kind, name, version } => {
                [kind, name].into_iter().chain(version).for_each(cut_name);
            }
            Self::NamedBeside { symbol, .. } => cut_name(&mut symbol.name),
            Self::Version { version: name }
            | Self::Licence { name }
            | Self::EntryPoint { code: name }
            | Self::EntryFile { file: name }
            | Self::Title { text: name } => cut_name(name),
            Self::Requirement { tool: one, version: other } | Self::Period { from: one, to: other } => {
                cut_name(one);
                cut_name(other);
            }
            Self::Offers { names, .. }
            | Self::Members { names }
            | Self::Dependencies { names }
            | Self::DevelopmentDependencies { names }
            | Self::Commands { commands: names, .. }
            | Self::Ports { ports: names }
            | Self::Variables { names }
            | Self::Imports { modules: names }
            | Self::References { dirs: names }
            | Self::Columns { names } => cut_names(names),
            Self::Definitions { symbols } => cut_list(symbols, |symbol| {
                cut_name(&mut symbol.name);
                symbol.kind.len() + symbol.name.len()
            }),
            Self::Services { services } => cut_list(services, |service| {
                cut_name(&mut service.name);
                service.image.iter_mut().for_each(cut_name);
                service.name.len() + service.image.as_ref().map_or(0, String::len)
            }),
            Self::Churn { files, .. } => cut_list(files, |change| {
                cut_name(&mut change.file);
                change.file.len()
            }),
            Self::Contents(contents) => contents.bound(),
            Self::Holding(holding) => {
                cut_name(&mut holding.noun);
                cut_list(&mut holding.details, Detail::bound);
            }
            Self::History { .. } | Self::Counts { .. } => {}
        }
        self
    }
}

impl Contents {
    fn bound(&mut self) {
        match self {
            Self::Table { columns, .. } => cut_list(columns, |column| {
                cut_name(&mut column.name);
                let ends = column.range.iter_mut().flat_map(|(least, most)| [least, most]);
                column.name.len()
                    + ends
                        .map(|end| {
                            cut_name(end);
                            end.len()
                        })
                        .sum::<usize>()
            }),
            Self::Notebook { language, .. } => language.iter_mut().for_each(cut_name),
            Self::Terraform { resources, modules, providers, variables, outputs } => {
                [resources, modules, providers, variables, outputs].into_iter().for_each(cut_names);
            }
            Self::Kubernetes { objects } => cut_list(objects, |object| {
                cut_name(&mut object.kind);
                object.name.iter_mut().for_each(cut_name);
                object.kind.len() + object.name.as_ref().map_or(0, String::len)
            }),
            Self::Playbook { hosts, tasks } => [hosts, tasks].into_iter().for_each(cut_names),
            Self::AnsibleTasks { names, .. } => cut_names(names),
            Self::Log { .. } | Self::Mailbox { .. } => {}
        }
    }
}

impl Detail {
    /// Cuts the detail, and says how long it is.
    fn bound(&mut self) -> usize {
        match self {
            Self::Text(text) | Self::Names(text) | Self::With(text) | Self::Site(text) => {
                cut_text(text);
                text.len()
            }
            Self::List(names) => {
                cut_names(names);
                names.iter().map(String::len).sum()
            }
            Self::Counts(counts) | Self::Cameras { cameras: counts, .. } => {
                cut_list(counts, |count| {
                    cut_name(&mut count.of);
                    count.of.len()
                });
                counts.iter().map(|count| count.of.len()).sum()
            }
        }
    }
}
