//! The prose of a report, section by section, and what of it was not confirmed.

use luminos_core::RelPath;
use luminos_core::entry::Claim;
use luminos_core::report::{Item, ItemKind, Report, Section, SubsystemTold};

use super::{limit, more};
use crate::Detail;
use crate::investigation::head::Tally;
use crate::investigation::{cited, concerns};
use crate::measure::{count, fit, number, width};
use crate::prose;
use crate::sheet::Sheet;
use crate::style::Ink;

/// How many claims that do not hold are shown; the others stand with their directories.
pub(in crate::investigation) const SHOWN: usize = 5;
/// How many items of a section are shown.
pub(in crate::investigation) const SHOWN_ITEMS: usize = 20;
/// How to see the rest.
const ALL: &str = "luminosctl show --full";

pub(super) fn write(sheet: &mut Sheet, report: &Report, tally: &Tally, detail: Detail) {
    let findings = &report.findings;
    if findings.detailed.trim() != findings.brief.trim() && !findings.detailed.trim().is_empty() {
        sheet.section("Overview", "");
        sheet.prose(2, &findings.detailed);
    }
    // The parts that were found by grouping belong beside those that the prose names.
    let is_before_parts = |section: Section| section <= Section::Components;
    // What the head says is not said again.
    let is_said = |section: Section, items: &[Item]| {
        section == Section::OverallPurpose && items.iter().all(|item| item.is_quoted_in(&findings.brief))
    };
    let before = findings.sections.iter().filter(|(section, _)| is_before_parts(**section));
    for (section, items) in before.filter(|(section, items)| !is_said(**section, items)) {
        self::section(sheet, *section, items, tally, detail);
    }
    subsystems(sheet, report, tally, detail);
    // Where the flags tell all of them, with what to do, they are not told twice.
    let is_told = |section: Section| {
        section == Section::Concerns && detail != Detail::Full && concerns::are_told(report)
    };
    let after = findings.sections.iter().filter(|(section, _)| !is_before_parts(**section));
    for (section, items) in after.filter(|(section, _)| !is_told(**section)) {
        self::section(sheet, *section, items, tally, detail);
    }
}

fn section(sheet: &mut Sheet, section: Section, items: &[Item], tally: &Tally, detail: Detail) {
    if items.is_empty() {
        return;
    }
    let all = tally.items.get(&section).copied().unwrap_or_default();
    let is_shown = |item: &&Item| detail == Detail::Full || !is_edge(section, items, item);
    let shown: Vec<&Item> = items.iter().filter(is_shown).collect();
    let items = &shown[..limit(detail, SHOWN_ITEMS, shown.len())];
    sheet.section(section.title(), "");
    // Names in a column and words beside them, unless the names leave no room.
    let column = items.iter().map(|item| width(&head(item))).max().unwrap_or(0);
    let is_table = items.iter().all(|item| {
        let fits =
            column * 3 <= sheet.width || column + width(&prose::one_line(&item.text)) + 4 <= sheet.width;
        fits && !head(item).is_empty() && prose::lines(&item.text).len() <= 1
    });
    for item in items {
        let text = item
            .path
            .as_ref()
            .map_or(item.text.as_str(), |path| prose::beyond_name(&item.text, &path.for_terminal()));
        match (head(item).as_str(), items.len()) {
            ("", 1) => sheet.prose(2, text),
            ("", _) => {
                // Further lines of the same item stand below its first.
                let lines = prose::lines(text);
                for (index, line) in lines.iter().filter(|line| !line.is_empty()).enumerate() {
                    sheet.hanging(if index == 0 { "  - " } else { "    " }, line);
                }
            }
            (head, _) if is_table => {
                sheet.beside(head, Ink::Directory, column, &prose::one_line(text));
            }
            (head, _) if width(head) + width(&prose::one_line(text)) + 6 <= sheet.width => {
                sheet.beside(head, Ink::Directory, width(head), &prose::one_line(text));
            }
            (head, _) => {
                sheet.painted("  ", Ink::Directory, head);
                sheet.prose(4, text);
            }
        }
    }
    more(sheet, all - items.len() as u64, ALL);
}

/// Whether an item says what one part uses, where a sentence says in which layers all of them lie: to go through them one
/// by one is for whoever asks for everything, and for diagrams.
fn is_edge(section: Section, items: &[Item], item: &Item) -> bool {
    section == Section::Architecture
        && matches!(item.kind, Some(ItemKind::Uses { .. }))
        && items.iter().any(|item| item.kind == Some(ItemKind::Layers))
}

/// What an item is about: its name, and where that lies if the name does not say so.
fn head(item: &Item) -> String {
    let name = prose::one_line(&item.name);
    match item.path.as_ref().map(RelPath::for_terminal) {
        Some(path) if name.is_empty() || path == name => path,
        Some(path) if prose::is_short_for(&name, &path) => name,
        Some(path) => format!("{name} ({path})"),
        None => name,
    }
}

fn subsystems(sheet: &mut Sheet, report: &Report, tally: &Tally, detail: Detail) {
    if report.subsystems.is_empty() {
        return;
    }
    sheet.section("Subsystems", "");
    let shown = limit(detail, SHOWN_ITEMS, report.subsystems.len());
    let components = || report.findings.sections.get(&Section::Components).into_iter().flatten();
    for (subsystem, dirs) in report.subsystems[..shown].iter().zip(&tally.subsystems) {
        // One that is a component and of which only its size is known was told with those.
        let is_size = subsystem.told == SubsystemTold::Size;
        let is_component = || {
            components().any(|item| item.path.as_ref().is_some_and(|path| path.to_word() == subsystem.name))
        };
        let is_of_settings = subsystem.told == SubsystemTold::Settings;
        if detail != Detail::Full && (is_of_settings || is_size && is_component()) {
            continue;
        }
        let dirs = count(*dirs, "directory", "directories");
        let name = prose::one_line(&subsystem.name);
        let name = fit(&name, sheet.width.saturating_sub(width(&dirs) + 4));
        let name = sheet.style.paint(Ink::Directory, name).to_string();
        let dirs = sheet.style.paint(Ink::Faint, dirs).to_string();
        sheet.line(format_args!("  {name}  {dirs}"));
        sheet.prose(4, &subsystem.description);
    }
    more(sheet, (tally.subsystems.len() - shown) as u64, ALL);
}

/// Claims that nobody should rely on.
pub(super) fn unverified(sheet: &mut Sheet, report: &Report, tally: &Tally, detail: Detail) {
    let claims: Vec<&Claim> = not_verified(report).collect();
    if claims.is_empty() {
        return;
    }
    let all = report.claims + tally.claims_of_the_whole;
    let note = format!("{} of {}", number(tally.unverified), count(all, "claim", "claims"));
    sheet.section("Not verified", &note);
    let shown = limit(detail, SHOWN, claims.len());
    for claim in &claims[..shown] {
        self::claim(sheet, claim);
    }
    more(sheet, tally.unverified - shown as u64, ALL);
}

/// Claims that do not hold, those about the whole first.
pub(in crate::investigation) fn not_verified(report: &Report) -> impl Iterator<Item = &Claim> {
    let of_the_whole = report.findings.claims.iter();
    let of_dirs = report.directories.iter().flat_map(|entry| &entry.claims);
    of_the_whole.chain(of_dirs).filter(|claim| !claim.verified)
}

/// A claim, whether it holds, and what it rests on.
pub(super) fn claim(sheet: &mut Sheet, claim: &Claim) {
    let mark = if claim.verified { "  ✓ " } else { "  ? " };
    let places: Vec<String> = claim.evidence.iter().map(cited::place).collect();
    let places = if places.is_empty() { String::new() } else { format!(" [{}]", places.join(", ")) };
    sheet.hanging(mark, &format!("{}{places}", prose::one_line(&claim.text)));
    for fault in &claim.faults {
        sheet.hanging("    ! ", &prose::one_line(fault));
    }
}
