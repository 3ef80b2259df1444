//! The recordings over a real connection, in pieces.

use std::fs;
use std::path::{Path, PathBuf};

use luminos_models::{Model, Pass, Request};

use crate::server::{Act, Server};
use crate::{anthropic, openai};

async fn replay(name: &str, pieces: Vec<Vec<u8>>) -> String {
    let mut script: Vec<Act> = pieces.into_iter().map(Act::Send).collect();
    script.push(Act::Close);
    let server = Server::start([script]).await;
    let request = Request::question(Pass::Ask, "Hello?", 50);
    let result = if name.contains("anthropic") {
        anthropic(&server).complete(&request).await
    } else {
        openai(&server).complete(&request).await
    };
    match result {
        Ok(reply) => format!("{reply:#?}"),
        Err(error) => {
            let retry = error.retry_after().map_or("never".to_owned(), |wait| format!("{wait:?}"));
            server.blank(&format!("{:?}, retry {retry}: {error}", error.kind()))
        }
    }
}

/// Recordings that come over the wire in the same way whole, in small pieces, and cut in unlucky places.
async fn check(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(path).unwrap();
    let whole = replay(&name, vec![bytes.clone()]).await;
    for cut in [1, 9, 17, bytes.len() / 3, bytes.len() / 2, bytes.len() - 6, bytes.len() - 1] {
        let (before, after) = bytes.split_at(cut);
        let cut_result = replay(&name, vec![before.to_vec(), after.to_vec()]).await;
        assert_eq!(cut_result, whole, "{name} cut at {cut}");
    }
    whole
}

fn files(dir: &Path, ends_with: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.to_string_lossy().ends_with(ends_with)).collect();
    paths.sort();
    paths
}

#[tokio::test]
async fn our_recordings_over_the_wire() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut outcomes = String::new();
    for path in files(&dir, ".http") {
        let outcome = check(&path).await;
        // What a whole answer looks like is shown elsewhere.
        let outcome = if outcome.starts_with("Reply") { "an answer".to_owned() } else { outcome };
        outcomes.push_str(&format!("{}\n  {outcome}\n", path.file_stem().unwrap().to_string_lossy()));
    }
    insta::assert_snapshot!(outcomes);
}

#[tokio::test]
async fn recordings_beside_the_project_over_the_wire() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/transcripts");
    if !dir.is_dir() {
        return;
    }
    for path in files(&dir, ".resp.http") {
        check(&path).await;
    }
}
