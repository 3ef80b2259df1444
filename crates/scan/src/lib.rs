//! From a path to a [`Scan`](luminos_core::scan::Scan): one parallel walk that reads each file once.

mod language;
mod lines;
