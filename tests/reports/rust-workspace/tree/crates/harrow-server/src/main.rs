//! `harrowd`, the broker: accepts producers and consumers over TCP.

mod tier;

use std::path::PathBuf;

use clap::Parser;

#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// Configuration file
    #[arg(long, default_value = "/etc/harrow/harrow.toml")]
    config: PathBuf,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    tracing::info!(config = %args.config.display(), "starting");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:7420").await?;
    loop {
        let (stream, peer) = listener.accept().await?;
        tracing::debug!(%peer, "connected");
        tokio::spawn(async move { drop(stream) });
    }
}
