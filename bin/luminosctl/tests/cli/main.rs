//! The real program, on a machine of its own.

mod config_errors;
mod config_layers;
mod generated;
mod help;
#[cfg(test)]
mod machine;
mod output;
