//! The real program, on a machine of its own.

#[cfg(test)]
mod ask;
mod config_errors;
mod config_layers;
mod generated;
mod help;
#[cfg(test)]
mod help_of_runs;
#[cfg(test)]
mod investigations;
#[cfg(test)]
mod machine;
mod output;
#[cfg(test)]
mod project;
mod scan;
#[cfg(test)]
mod scan_cache;
mod scan_failures;
#[cfg(test)]
mod scan_hostile;
#[cfg(test)]
mod scan_huge;
#[cfg(test)]
mod scan_json;
#[cfg(test)]
mod scan_mounts;
#[cfg(test)]
mod scan_rules;
#[cfg(test)]
mod scan_signals;
#[cfg(test)]
mod server;
#[cfg(test)]
mod setup;
#[cfg(test)]
mod tool;
#[cfg(test)]
mod under_way;
