//! The recordings over a real connection, in pieces.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use luminos_model_server::{Step, split_at, split_every};
use luminos_models::Model;

use crate::{anthropic, blank, openai, plays, question, send};

async fn replay(name: &str, steps: Vec<Step>) -> String {
    let server = plays([steps]).await;
    let result = if name.contains("anthropic") {
        anthropic(&server).complete(&question()).await
    } else {
        openai(&server).complete(&question()).await
    };
    match result {
        Ok(reply) => format!("{reply:#?}"),
        Err(error) => {
            let retry = error.retry_after().map_or("never".to_owned(), |wait| format!("{wait:?}"));
            blank(&server, &format!("{:?}, retry {retry}: {error}", error.kind()))
        }
    }
}

/// A recording comes over the wire in the same way whole, in small pieces, and cut in unlucky places. (Each single
/// cut is tried where the streams are decoded.)
async fn check(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(path).unwrap();
    let length = bytes.len();
    let whole = replay(&name, send(bytes.clone())).await;
    for cut in [1, 9, 17, length / 3, length / 2, length - 6, length - 1] {
        let pieces = split_at(send(bytes.clone()), &[cut], Duration::from_millis(1));
        assert_eq!(replay(&name, pieces).await, whole, "{name} cut at {cut}");
    }
    assert_eq!(replay(&name, split_every(send(bytes), 11, Duration::ZERO)).await, whole, "{name} in pieces");
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
        println!("nothing to do: there are no recordings in {}", dir.display());
        return;
    }
    let files = files(&dir, ".resp.http");
    assert!(40 < files.len());
    for path in files {
        check(&path).await;
    }
}
