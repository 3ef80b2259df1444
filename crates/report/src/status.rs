//! What a daemon is doing, for `luminosctl status`.

use serde::Serialize;

use crate::progress::{self, ProgressView};
use crate::sheet::Sheet;
use crate::style::Ink;
use crate::{Layout, prose, time};

/// A daemon and what it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatusView {
    /// Its process.
    pub pid: u32,
    /// The program and its version.
    pub program: String,
    /// How long it has been running.
    pub uptime_seconds: u64,
    /// Whether it ends when there is nothing to do.
    pub ends_when_idle: bool,
    /// What runs.
    pub runs: Vec<ProgressView>,
}

/// What a daemon is doing, for people.
pub fn text(view: &StatusView, layout: &Layout) -> String {
    let mut sheet = Sheet::new(layout);
    let idle = if view.ends_when_idle { "; ends when it has nothing to do" } else { "" };
    let (program, uptime) = (prose::one_line(&view.program), time::duration(view.uptime_seconds));
    sheet.hanging("", &format!("{program}, process {}, up {uptime}{idle}", view.pid));
    if view.runs.is_empty() {
        sheet.line("Nothing is running.");
    }
    for run in &view.runs {
        let what = [prose::one_line(&run.investigation), progress::phase(run)];
        let what =
            what.iter().filter(|word| !word.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" · ");
        let target = prose::one_line(&run.target);
        let target = if target.is_empty() { "?".to_owned() } else { target };
        sheet.line("");
        sheet.painted("", Ink::Title, &target);
        sheet.hanging("  ", &what);
        progress::body(&mut sheet, run);
    }
    sheet.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_at_rest_and_at_work() {
        let mut view = StatusView {
            pid: 4127,
            program: "luminosd 0.1.0".to_owned(),
            uptime_seconds: 3_725,
            ends_when_idle: true,
            runs: Vec::new(),
        };
        insta::assert_snapshot!(text(&view, &Layout::default()), @"
luminosd 0.1.0, process 4127, up 1 h 2 min; ends when it has nothing to do
Nothing is running.
");
        view.runs = vec![
            progress::sample(),
            ProgressView { phase: "scanning".to_owned(), ..ProgressView::default() },
        ];
        insta::assert_snapshot!(text(&view, &Layout::default()), @"
luminosd 0.1.0, process 4127, up 1 h 2 min; ends when it has nothing to do

/home/ada/parcel
  019a8f3e-77aa-7c11-9d2e-5b1f00c0ffee · looking at directories
  ███████████▋                17 of 38 directories
  $0.4123 spent · $0.051 reserved · 2 min 10 s left · 812.3k tokens
  141/400 turns · 1 critical · 3 info · 4 unchanged · 1 waiting for turns
  1 min 35 s
     4/15  src/routes
    12/17  src/domain  waits for th…rovider, 12 s
     1/5   a/rather/long/path/that/does/not/fit/beside/anything/else/here

?
  scanning the files
  0 s
");
    }
}
