//! Reading files and the environment into layers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Line, NotObeyed, UnknownVariable};
use super::nearest::{nearest_section, nearest_setting};
use super::project::not_for_projects;
use super::settings::SECTIONS;
use super::table::VARIABLE_PREFIX;
use super::value::{Form, Written, in_words};
use super::{ColorChoice, Given, Layer, Origin, SETTINGS, Surroundings};
use crate::Untrusted;

/// A configuration file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its path, as the user knows it: a relative one starts at the current directory.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Who wrote it.
    pub author: Author,
}

/// Whose words a configuration file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The user: it is their own file, or they named it.
    User,
    /// Whoever wrote the project that the user stands in: not everything is for them to say.
    Project,
}

impl ConfigFile {
    /// What the file says, everything that is wrong with it, and what is not obeyed.
    pub(super) fn layer(&self, around: &Surroundings) -> (Layer, Vec<Fault>, Vec<NotObeyed>) {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let absolute = around.current_dir.join(&self.path);
        let mut reading = Reading {
            text: &self.text,
            path: Arc::from(self.path.as_path()),
            base: absolute.parent().unwrap_or(&around.current_dir),
            around,
            author: self.author,
            layer: Layer::default(),
            faults: Vec::new(),
            not_obeyed: Vec::new(),
        };
        if errors.is_empty() {
            reading.top(table.get_ref());
        }
        // A file that is no TOML is not looked into any further: what the parser makes of the rest would
        // give faults that nobody wrote. Its errors come in the order of its own passes over the text.
        let mut errors: Vec<_> =
            errors.iter().map(|error| (error.span().map_or(0, |span| span.start), error.message())).collect();
        errors.sort_by_key(|(offset, _)| *offset);
        for (offset, message) in errors {
            let place = reading.line(offset);
            reading.faults.push(Fault::NotToml { place, message: message.to_owned() });
        }
        (reading.layer, reading.faults, reading.not_obeyed)
    }
}

/// A file being read.
struct Reading<'a> {
    text: &'a str,
    path: Arc<Path>,
    base: &'a Path,
    around: &'a Surroundings,
    author: Author,
    layer: Layer,
    faults: Vec<Fault>,
    not_obeyed: Vec<NotObeyed>,
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl Reading<'_> {
    fn top(&mut self, table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            let section = SECTIONS.iter().find(|section| **section == key.get_ref().as_ref());
            match (section, value.get_ref()) {
                (Some(section), DeValue::Table(table)) => self.section(section, table),
                (Some(section), other) => {
                    let place = self.line(value.span().start);
                    let found = in_words(other);
                    self.faults.push(Fault::WrongValue { place, key: section, found, expected: "a table" });
                }
                (None, _) => self.setting("", key, value),
            }
        }
    }

    fn section(&mut self, section: &str, table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            self.setting(section, key, value);
        }
    }

    fn setting(&mut self, section: &str, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let known =
            SETTINGS.iter().find(|known| known.section_and_name() == (section, key.get_ref().as_ref()));
        let Some(setting) = known else { return self.unknown(section, key, value) };
        if self.author == Author::Project
            && let Some(why) = not_for_projects(setting.key)
        {
            let place = self.line(key.span().start);
            return self.not_obeyed.push(NotObeyed { place, key: setting.key, why });
        }
        let written = Written { form: Form::Toml(value), base: self.base, around: self.around };
        let Line { path, number } = self.line(key.span().start);
        let origin = Origin::File { path, line: number };
        if let Err(wrong) = (setting.read)(&mut self.layer, &written, origin) {
            let place = self.line(wrong.offset.unwrap_or(value.span().start));
            let (found, expected) = (wrong.found, wrong.expected);
            self.faults.push(Fault::WrongValue { place, key: setting.key, found, expected });
        }
    }

    fn unknown(&mut self, section: &str, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let place = self.line(key.span().start);
        let name = key.get_ref();
        // A quoted name with a dot in it is not the path of a setting, though it may look like one.
        let quote = if name.contains('.') { "\"" } else { "" };
        let dot = if section.is_empty() { "" } else { "." };
        let written = format!("{section}{dot}{quote}{name}{quote}");
        let nearest = match value.get_ref().as_table() {
            Some(_) => nearest_section(&written),
            None => nearest_setting(&written).map(|setting| setting.key),
        };
        let key = Untrusted::new(written.as_bytes()).for_terminal();
        self.faults.push(Fault::UnknownKey { place, key, nearest });
    }

    fn line(&self, offset: usize) -> Line {
        let before = self.text.as_bytes().iter().take(offset);
        Line { path: Arc::clone(&self.path), number: before.filter(|byte| **byte == b'\n').count() + 1 }
    }
}

/// The entries of a table in the order of the file; the parser keeps them by name.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Key<'i>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// What the environment says, what is wrong with it, and what is only odd.
pub(super) fn environment_layer(around: &Surroundings) -> (Layer, Vec<Fault>, Vec<UnknownVariable>) {
    let mut layer = Layer::default();
    let mut faults = Vec::new();
    let mut unknown = Vec::new();
    // Lower than `LUMINOS_COLOR`, which is read below and overwrites it, but higher than any file.
    if around.variable("NO_COLOR").is_some() {
        let origin = Origin::Variable("NO_COLOR".to_owned());
        layer.color = Some(Given { value: ColorChoice::Never, origin });
    }
    for (name, text) in &around.variables {
        let Some(rest) = name.strip_prefix(VARIABLE_PREFIX) else { continue };
        let Some(setting) = SETTINGS.iter().find(|setting| setting.variable() == *name) else {
            let name = Untrusted::new(name.as_bytes()).for_terminal();
            unknown
                .push(UnknownVariable { name, nearest: nearest_setting(rest).map(|near| near.variable()) });
            continue;
        };
        if text.is_empty() {
            continue;
        }
        let written = Written { form: Form::Text(text), base: &around.current_dir, around };
        if let Err(wrong) = (setting.read)(&mut layer, &written, Origin::Variable(name.clone())) {
            let (found, expected) = (wrong.found, wrong.expected);
            faults.push(Fault::WrongVariable { variable: name.clone(), found, expected });
        }
    }
    (layer, faults, unknown)
}
