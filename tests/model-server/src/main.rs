//! Runs the model server by hand, so that whole programs can be pointed at it.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use luminos_model_server::{
    Answer, Honesty, Keys, Manner, ModelServer, Obedience, Policy, Refusal, RetryAfter, Script, Settings,
    Submits, ToolSupport,
};

/// Serve both model interfaces on loopback
///
/// The address is printed on the first line; the server runs until it is ended. Point clients at it with
/// ANTHROPIC_BASE_URL or OPENAI_BASE_URL.
#[derive(Debug, Parser)]
#[command(name = "luminos-model-server", version)]
struct Arguments {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// What it does
    #[arg(long, value_enum, default_value_t = Play::Investigate)]
    policy: Play,
    /// Turns for each directory, the last one included
    #[arg(long, default_value_t = 4)]
    turns: usize,
    /// Files read in one turn
    #[arg(long, default_value_t = 3)]
    reads: usize,
    /// Milliseconds before each answer
    #[arg(long, default_value_t = 0)]
    latency_ms: u64,
    /// Turns more that are asked for in each directory
    #[arg(long, default_value_t = 0)]
    ask_turns: u64,
    /// Obey orders that stand in what is read
    #[arg(long)]
    obey: bool,
    /// Invent evidence
    #[arg(long)]
    invent: bool,
    /// Think before each call
    #[arg(long)]
    think: bool,
    /// Never submit anything
    #[arg(long)]
    never_submit: bool,
    /// The only key that is accepted
    #[arg(long)]
    key: Option<String>,
    /// Refuse tools in chat completions, as some local servers do
    #[arg(long)]
    no_tools: bool,
}

/// What the server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Play {
    /// Investigate directories through tool calls
    Investigate,
    /// Be overloaded
    Overloaded,
    /// Refuse for three seconds, always
    RateLimited,
    /// Be broken
    Broken,
}

impl Arguments {
    fn script(&self) -> Script {
        let always = |refusal: Refusal| Script::new().always(Answer::from(refusal));
        match self.policy {
            Play::Investigate => self.mind().into(),
            Play::Overloaded => always(Refusal::Overloaded),
            Play::RateLimited => always(Refusal::RateLimited(RetryAfter::Seconds(3))),
            Play::Broken => always(Refusal::Internal),
        }
    }

    fn mind(&self) -> Policy {
        Policy {
            turns: self.turns,
            reads_per_turn: self.reads,
            latency: Duration::from_millis(self.latency_ms),
            obedience: if self.obey { Obedience::Obeys } else { Obedience::Flags },
            submits: if self.never_submit { Submits::Never } else { Submits::InTime },
            honesty: if self.invent { Honesty::Invents } else { Honesty::Quotes },
            manner: if self.think { Manner::Thinks } else { Manner::Terse },
            asks_for_turns: self.ask_turns,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            port: self.port,
            keys: self.key.clone().map_or(Keys::Any, Keys::Only),
            tools: if self.no_tools { ToolSupport::Refused } else { ToolSupport::Native },
            ..Settings::default()
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve(&Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: cannot serve on loopback: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: &Arguments) -> io::Result<()> {
    let server = ModelServer::start_with(arguments.script(), arguments.settings()).await?;
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", server.url())?;
    stdout.flush()?;
    server.join().await;
    Ok(())
}
