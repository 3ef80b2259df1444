//! The analyst in place of a model that did not finish its directory.
//!
//! It looks at the directory as it would in a run without a model. It takes no turns and borrows none, and it raises no
//! flags: the rules have looked over the directory before the model's first turn. What it was shown and what it says of
//! files is news like any other, save for files of which the model has said something itself.

use std::cell::RefCell;
use std::collections::BTreeSet;

use luminos_core::RelPath;
use luminos_core::job::{Ask, Assignment, DirReport, DirResult, Loan, Mind, News, NoTurn, Reception, Said};
use luminos_core::plan::Turns;
use luminos_tools::Root;

use luminos_core::services::{Answers, Services};

/// What the analyst says of a directory; `None` where it could not look. `noted` are files that the model summarised.
pub fn report_instead(
    assignment: &Assignment,
    noted: &BTreeSet<RelPath>,
    root: &Root,
    services: &impl Services,
) -> Option<DirReport> {
    let quiet = Quiet { services, noted, handed_in: RefCell::new(None) };
    let assignment = Assignment {
        mind: Mind::Offline,
        turns: Turns(u32::MAX),
        used: Turns(0),
        history: Vec::new(),
        doubts: Vec::new(),
        ..assignment.clone()
    };
    super::run_dir(&assignment, root, &quiet);
    match quiet.handed_in.into_inner()? {
        DirResult::Reported(report) | DirResult::Judged(report) => Some(report),
        DirResult::Partial(_) => None,
    }
}

/// Services of a loop, for whoever works in its place.
struct Quiet<'a, S> {
    services: &'a S,
    noted: &'a BTreeSet<RelPath>,
    handed_in: RefCell<Option<DirResult>>,
}

impl<S: Services> Answers for Quiet<'_, S> {
    fn turn(&self, _: Ask) -> Result<Said, NoTurn> {
        Err(NoTurn::OutOfTurns)
    }

    fn is_stopped(&self) -> bool {
        // Asked, a loop shows that it is alive. Only one that is to leave everything as it is stops here.
        let _ = self.services.is_stopped();
        self.services.is_kept()
    }
}

impl<S: Services> Services for Quiet<'_, S> {
    fn borrow(&self, _: Turns, _: &str) -> Loan {
        Loan::Refused("the analyst takes no turns here".to_owned())
    }

    fn news(&self, news: News) {
        match news {
            News::Turn(_) | News::Flag(_) => {}
            News::File(entry) if self.noted.contains(&entry.relative_path) => {}
            news @ (News::File(_) | News::Tool(_) | News::Served(_) | News::Symbols(_)) => {
                self.services.news(news);
            }
        }
    }

    fn done(&self, result: DirResult) -> Reception {
        *self.handed_in.borrow_mut() = Some(result);
        Reception::Accepted
    }
}
