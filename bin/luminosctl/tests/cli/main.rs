//! The real program, on a machine of its own.

#[cfg(test)]
mod ask;
#[cfg(test)]
mod ask_live;
#[cfg(test)]
mod ask_program;
#[cfg(test)]
mod bundled;
#[cfg(test)]
mod canaries;
mod config_errors;
mod config_layers;
#[cfg(test)]
mod evolve;
#[cfg(test)]
mod evolve_measure;
#[cfg(test)]
mod evolve_model;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fsck;
mod generated;
mod help;
#[cfg(test)]
mod help_of_runs;
#[cfg(test)]
mod history;
#[cfg(test)]
mod injected;
#[cfg(test)]
mod install;
#[cfg(test)]
mod investigations;
#[cfg(test)]
mod load;
#[cfg(test)]
mod machine;
#[cfg(test)]
mod mutated;
#[cfg(test)]
mod network;
mod output;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod project;
#[cfg(test)]
mod reached;
#[cfg(test)]
mod replayed;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod run_again;
#[cfg(test)]
mod run_alike;
#[cfg(test)]
mod run_borrowing;
#[cfg(test)]
mod run_failures;
#[cfg(test)]
mod run_flags;
#[cfg(test)]
mod run_interrupted;
#[cfg(test)]
mod run_judged;
#[cfg(test)]
mod run_kinds;
#[cfg(test)]
mod run_limits;
#[cfg(test)]
mod run_mended;
#[cfg(test)]
mod run_odd;
mod run_planned;
#[cfg(test)]
mod run_received;
#[cfg(test)]
mod run_refined;
#[cfg(test)]
mod run_secrets;
#[cfg(test)]
mod run_sizes;
#[cfg(test)]
mod run_together;
#[cfg(test)]
mod run_whole;
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
mod site;
#[cfg(test)]
mod specials;
#[cfg(test)]
mod strangers;
#[cfg(test)]
mod tasks;
#[cfg(test)]
mod tasks_bound;
#[cfg(test)]
mod tasks_judged;
#[cfg(test)]
mod tasks_known;
#[cfg(test)]
mod tasks_tracked;
#[cfg(test)]
mod tasks_worked;
#[cfg(test)]
mod tool;
#[cfg(test)]
mod under_way;
#[cfg(test)]
mod verified;
#[cfg(test)]
mod watched;
