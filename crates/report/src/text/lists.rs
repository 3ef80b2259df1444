//! The sections that are lists.

use std::io;

use luminos_core::scan::{DirId, FileId, Largeness, Summary};
use luminos_core::{ByteSize, Untrusted};

use super::page::Page;
use crate::measure::{bar, count, fit, number, percent, width};
use crate::style::Ink;
use crate::time;

/// How much of a list is shown: the rest is in the JSON report.
const SHOWN: usize = 10;
/// How many problems are shown: each one may matter.
const SHOWN_PROBLEMS: usize = 20;
/// A path is not cut below this, whatever stands beside it.
const SHORTEST_PATH: usize = 24;

pub(super) fn categories(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    let mut totals: Vec<_> = summary.categories.iter().filter(|total| total.files > 0).collect();
    if totals.is_empty() {
        return Ok(());
    }
    totals.sort_by_key(|total| std::cmp::Reverse(total.files));
    let all = summary.totals.files;
    let digits = totals.iter().map(|total| number(total.files).len()).max().unwrap_or(0);
    let length = bar_length(page);
    page.section("Categories", "")?;
    for total in totals {
        let bar = padded_bar(page, total.files, all, length);
        page.line(format_args!(
            "  {:8}  {:>digits$}  {bar}  {:>6}  {:>9}",
            total.category.name(),
            number(total.files),
            percent(total.files, all),
            ByteSize(total.bytes),
        ))?;
    }
    Ok(())
}

pub(super) fn large_files(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    if summary.large_files.is_empty() {
        return Ok(());
    }
    let limits =
        format!("over {} lines or {}", number(u64::from(Largeness::LINES)), ByteSize(Largeness::BYTES));
    page.section("Large source files", &limits)?;
    // Both numbers, whichever made it large: they stand in the order of their sizes.
    let shown = summary.large_files.iter().take(SHOWN).map(|large| {
        let file = summary.scan.file(large.file);
        let lines = count(u64::from(file.lines), "line", "lines");
        (lines, ByteSize(file.size).to_string(), file_path(summary, large.file))
    });
    let shown: Vec<(String, String, String)> = shown.collect();
    let column = shown.iter().map(|(lines, ..)| width(lines)).max().unwrap_or(0);
    for (lines, size, path) in &shown {
        let path = fit(path, room_for_path(page, column + 15));
        page.line(format_args!("  {size:>9}  {lines:>column$}  {path}"))?;
    }
    more(page, summary.large_files.len() as u64 + summary.more_large_files, SHOWN, "")
}

pub(super) fn recent_files(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    if summary.recent_files.is_empty() {
        return Ok(());
    }
    page.section("Last modified", "UTC")?;
    for &file in &summary.recent_files {
        let minute = time::minute(summary.scan.file(file).modified);
        let path = file_path(summary, file);
        let path = fit(&path, room_for_path(page, width(&minute) + 4));
        page.line(format_args!("  {minute}  {path}"))?;
    }
    Ok(())
}

pub(super) fn largest_directories(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    if summary.largest_directories.is_empty() {
        return Ok(());
    }
    let all = summary.totals.bytes;
    let length = bar_length(page);
    page.section("Largest directories", &format!("of {}", ByteSize(all)))?;
    for &dir in &summary.largest_directories {
        let bytes = summary.scan.dir(dir).bytes;
        let path = dir_path(summary, dir);
        let path = fit(&path, room_for_path(page, length + 24));
        let bar = padded_bar(page, bytes, all, length);
        page.line(format_args!("  {:>9}  {:>6}  {bar}  {path}/", ByteSize(bytes), percent(bytes, all)))?;
    }
    Ok(())
}

pub(super) fn descriptions(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    let tallies = &summary.signals.file_descriptions;
    if tallies.is_empty() {
        return Ok(());
    }
    page.section("Files their names do not explain", "")?;
    let digits = tallies.iter().map(|tally| number(tally.files).len()).max().unwrap_or(0);
    for tally in tallies.iter().take(SHOWN) {
        let name = fit(&tally.name, page.width.saturating_sub(digits + 4));
        page.line(format_args!("  {:>digits$}  {name}", number(tally.files)))?;
    }
    more(page, tallies.len() as u64, SHOWN, "")
}

pub(super) fn left_out(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    let counts = summary.scan.skipped_counts;
    if counts.total() == 0 {
        return Ok(());
    }
    let all = count(counts.total(), "path", "paths");
    page.section("Left out", &format!("{all}; --why-skipped lists each with its rule"))?;
    let digits = number(counts.total()).len();
    let rules = [
        (counts.ignored, "by ignore files (--no-ignore looks at them)"),
        (counts.hidden, "hidden (-a looks at them)"),
        (counts.always_left_out, "always left out, like .git or node_modules"),
        (counts.excluded, "by --exclude"),
        (counts.elsewhere, "on other file systems, or state of Luminos itself"),
    ];
    for (paths, rule) in rules.into_iter().filter(|(paths, _)| *paths > 0) {
        page.line(format_args!("  {:>digits$}  {rule}", number(paths)))?;
    }
    Ok(())
}

pub(super) fn problems(page: &mut Page<'_>, summary: &Summary<'_>) -> io::Result<()> {
    let problems = &summary.problems;
    if problems.is_empty() {
        return Ok(());
    }
    page.section("Problems", &number(problems.len() as u64))?;
    for problem in problems.iter().take(SHOWN_PROBLEMS) {
        // The words may quote the target: a bad pattern, say.
        let words = Untrusted::new(problem.trouble.to_string().as_bytes()).for_terminal();
        let path = problem.path.for_terminal();
        let path = fit(&path, room_for_path(page, width(&words) + 4));
        let words = page.style.paint(Ink::Alarm, words).to_string();
        page.line(format_args!("  {path}: {words}"))?;
    }
    more(page, problems.len() as u64, SHOWN_PROBLEMS, " (--json lists all)")
}

/// Says how much longer a list is than what is shown of it.
fn more(page: &mut Page<'_>, all: u64, shown: usize, hint: &str) -> io::Result<()> {
    match all.saturating_sub(shown as u64) {
        0 => Ok(()),
        more => page.more(&format!("{} more{hint}", number(more))),
    }
}

fn bar_length(page: &Page<'_>) -> usize {
    (page.width / 3).clamp(10, 26)
}

/// A bar with the blanks that fill its column: colour codes would disturb a padding applied later.
fn padded_bar(page: &Page<'_>, part: u64, whole: u64, length: usize) -> String {
    let bar = bar(part, whole, length);
    let blanks = " ".repeat(length - width(&bar));
    format!("{}{blanks}", page.style.paint(Ink::Bar, bar))
}

fn room_for_path(page: &Page<'_>, taken: usize) -> usize {
    page.width.saturating_sub(taken).max(SHORTEST_PATH)
}

fn file_path(summary: &Summary<'_>, file: FileId) -> String {
    summary.scan.file_path(file).for_terminal()
}

fn dir_path(summary: &Summary<'_>, dir: DirId) -> String {
    summary.scan.dir_path(dir).for_terminal()
}
