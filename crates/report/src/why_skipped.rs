//! What a scan left out, path by path.

use std::io::{self, Write};

use luminos_core::scan::Summary;

use crate::Style;
use crate::measure::{count, number};
use crate::style::Ink;

/// Writes each path that was left out under the rule that did it. Nothing is cut or capped: whoever asks
/// this looks for one path among many.
pub fn write_why_skipped(out: &mut dyn Write, summary: &Summary<'_>, style: Style) -> io::Result<()> {
    let total = summary.scan.skipped_counts.total();
    if total == 0 {
        return writeln!(out, "Nothing was left out.");
    }
    writeln!(out, "{}", style.paint(Ink::Title, format_args!("{} left out", count(total, "path", "paths"))))?;
    for same_rule in summary.skipped.chunk_by(|one, other| one.rule == other.rule) {
        let paths = number(same_rule.len() as u64);
        writeln!(out, "\n{}  {}", same_rule[0].rule, style.paint(Ink::Faint, paths))?;
        for skipped in same_rule {
            writeln!(out, "  {}", skipped.path.for_terminal())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use luminos_core::scan::{Scan, SummaryOptions};

    use super::*;
    use crate::sample;

    fn listing(scan: &Scan) -> String {
        let mut written = Vec::new();
        write_why_skipped(&mut written, &Summary::of(scan, &SummaryOptions::default()), Style::Plain)
            .unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn paths_stand_under_their_rule() {
        insta::assert_snapshot!(listing(&sample::small()), @"
7 paths left out

hidden (-a shows hidden files)  1
  .editorconfig

always left out (--keep NAME looks inside)  1
  .git

Cargo's build output (--keep target looks inside)  1
  target

--exclude private  1
  private

.gitignore: *.log  2
  src/old.log
  web/out.log

.gitignore: *.tmp  1
  notes.tmp
");
    }

    #[test]
    fn hostile_paths_and_patterns_are_inert() {
        insta::assert_snapshot!(listing(&sample::hostile()), @r"
1 path left out

.gitignore: *\u{1b}[1m  1
  x\u{1b}[1m
");
    }

    #[test]
    fn nothing_left_out_is_said_in_words() {
        assert_eq!(listing(&sample::empty()), "Nothing was left out.\n");
    }
}
