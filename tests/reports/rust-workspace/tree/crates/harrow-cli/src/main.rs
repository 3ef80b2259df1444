//! `harrowctl`: publish, tail and inspect topics from the command line.

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Append one message
    Publish { topic: String, message: String },
    /// Print messages as they come
    Tail {
        topic: String,
        #[arg(long, default_value_t = 0)]
        from: u64,
    },
}

fn main() -> anyhow::Result<()> {
    match Args::parse().command {
        Command::Publish { topic, message } => println!("{topic} <- {message}"),
        Command::Tail { topic, from } => println!("{topic} from {from}"),
    }
    Ok(())
}
