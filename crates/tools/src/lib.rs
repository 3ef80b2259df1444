//! The toolbox of a model that must be assumed hostile.
//!
//! Nothing here trusts an argument: paths are resolved by the kernel beneath one descriptor, what parses runs
//! under limits, what is started runs in a sandbox.

pub mod command;
pub mod sandbox;
