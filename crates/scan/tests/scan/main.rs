//! The scan on real trees, made for each test.
#![cfg(test)]

mod cache;
mod hostile;
mod merkle;
mod rules;
mod tokei;
mod tree;
