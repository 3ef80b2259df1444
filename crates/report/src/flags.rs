//! Flags alone, for `luminosctl flags`.

use std::io::{self, Write};

use luminos_core::flag::Flag;

use crate::investigation::{FlagEntry, flagged};
use crate::sheet::Sheet;
use crate::{Layout, write_json_line};

/// Flags for people, in the order in which they come.
pub fn text(flags: &[Flag], layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    if flags.is_empty() {
        sheet.line("No flags.");
        return sheet.finish();
    }
    sheet.section("Flags", &flagged::counts_of(flags.iter()));
    flags.iter().for_each(|flag| flagged::write(&mut sheet, flag));
    sheet.finish()
}

/// Writes flags for programs: one JSON object on a line, as in the JSON report.
pub fn write_json_lines(out: &mut dyn Write, flags: &[Flag]) -> io::Result<()> {
    flags.iter().try_for_each(|flag| write_json_line(out, &FlagEntry::from(flag)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::sample;

    #[test]
    fn flags_stand_one_below_the_other() {
        let flags = sample::report().flags;
        insta::assert_snapshot!(text(&flags, &Layout { width: 60, ..Layout::default() }), @"
Flags  1 critical · 1 concern · 1 info
  critical  deploy/values.yaml:17
            A database password is kept in the repository.
            [secret.password]
            │ password: correct-horse
  concern   src/routes/upload.rs:40–44
            Uploads are read into memory whole before their
            size is checked, so that a few callers can use
            up all of it.
            │ let body = to_bytes(body, usize::MAX).await?;
            also src/routes/avatar.rs:21
  info      The licence file is missing.
");
        assert_eq!(text(&[], &Layout::default()), "No flags.\n");
    }

    #[test]
    fn a_line_for_each() {
        let mut written = Vec::new();
        write_json_lines(&mut written, &sample::hostile().flags).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert_eq!(written.lines().count(), sample::hostile().flags.len());
        let flags = &sample::report().flags;
        let mut written = Vec::new();
        write_json_lines(&mut written, flags).unwrap();
        insta::assert_snapshot!(String::from_utf8(written).unwrap(), @r#"
{"severity":"critical","path":"deploy/values.yaml","finding":"A database password is kept in the repository.","rule":"secret.password","fingerprint":"1c2204ef243cbdd780f0cfd886b8cfad1ef1a10976a48407d70eb51feb185926","directory":{"path":"deploy"},"verified":true,"evidence":[{"path":"deploy/values.yaml","start_line":17,"end_line":17,"quote":"  password: correct-horse","start_byte":120,"end_byte":145,"sha256":"5555555555555555555555555555555555555555555555555555555555555555","call":"call-7"}]}
{"severity":"concern","path":"src/routes/upload.rs","finding":"Uploads are read into memory whole before their size is checked, so that a few callers can use up all of it.","rule":"model.finding","fingerprint":"99a7eb2aff21fd0ce179c0b2f8e63d827ea592eef07c8c6fd5c220377f10d336","directory":{"path":"src/routes"},"verified":true,"evidence":[{"path":"src/routes/upload.rs","start_line":40,"end_line":44,"quote":"let body = to_bytes(body, usize::MAX).await?;","start_byte":120,"end_byte":165,"sha256":"5555555555555555555555555555555555555555555555555555555555555555","call":"call-7"},{"path":"src/routes/avatar.rs","start_line":21,"end_line":21}]}
{"severity":"info","path":".","finding":"The licence file is missing.","rule":"model.finding","fingerprint":"31be9b226416e71c9bc21d2af2c031f637be7c9df574ab26f7b9df2836b34de3","directory":{"path":"."},"verified":true,"evidence":[]}
"#);
    }
}
