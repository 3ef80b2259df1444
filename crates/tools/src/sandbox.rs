//! What a process of ours can no longer do.
//!
//! The boundary is never what a program is asked to do, but what it can: a worker assumes that whatever it parses
//! takes it over one day, a command that its program is the attacker's own. Three roles, each narrower than the
//! one before, and each can only start the next:
//!
//! - a **worker** ([`confine_worker`], once, before its second thread exists) reads the roots it was given and the
//!   few system files that programs need to start; it writes nothing, has no network, and can start a handful of
//!   named programs;
//! - a **command** ([`Cage`]) reads the same roots, is one process with one thread, and signals nobody;
//! - a **parser** ([`ParserProcess`]) opens nothing at all: bytes in, bytes out.
//!
//! Beside them stands the **box** ([`run_boxed`]) around a program of the user's that is used as a model: it has the
//! network and its own configuration, and no file of the target or of the user's.
//!
//! Four layers, and each would nearly do alone: Landlock (files, by descriptor and not by name), a list of system
//! calls that exist at all (seccomp), limits on memory, time and files, and, where the system has them to spare,
//! namespaces without network or shared memory. Landlock and seccomp are the floor ([`Level`]); below it commands
//! are not offered, and [`Support::words`] says why and what helps.
//!
//! **Known limit**: names can be asked about. `stat` and `readlink` of a path outside tell whether it exists, how
//! big it is, where it points; its content stays out of reach.

mod cage;
mod files;
mod namespaces;
mod parser;
mod program;
mod start;
mod starter;
mod support;
mod syscalls;
mod watch;
mod worker;

pub use cage::{Cage, CageRules, CannotStart, Start};
pub use parser::{ParserDied, ParserLimits, ParserProcess, ParserRole, serve_parser};
pub use program::{BoxedProgram, CannotBox, Walls, box_support, run_boxed};
pub use support::{Lack, Level, Support, probe};
pub use watch::{End, Limits, Outcome};
pub use worker::{CannotConfine, Identity, MOST_DATA, WorkerConfinement, confine_worker};
