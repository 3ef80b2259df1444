//! A worker's life after it has locked itself in: a runtime with threads, timers, pipes and commands works as ever.
//!
//! Confinement must come before the second thread, and a test harness would be the second: this file is its own.
#![cfg(test)]

use std::fs::{self, File};
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use luminos_tools::command::{self, Commands};
use luminos_tools::sandbox::{CannotConfine, Level, Limits, WorkerConfinement, confine_worker};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const NAME: &str = "a_runtime_works_in_a_worker";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    if has("--list") {
        if !has("--ignored") {
            println!("{NAME}: test");
        }
        return;
    }
    if let [role, path] = arguments.as_slice()
        && role == "worker"
    {
        return a_runtime_works_in_a_worker(Path::new(path));
    }
    // A process around it clears away what a worker cannot.
    let folder = tempfile::tempdir().unwrap();
    let own = std::env::current_exe().unwrap();
    assert!(start(&own).arg("worker").arg(folder.path()).status().unwrap().success());
    println!("test {NAME} ... ok");
}

#[expect(clippy::disallowed_methods, reason = "a test starts its own programs")]
fn start(program: &Path) -> Command {
    Command::new(program)
}

fn a_runtime_works_in_a_worker(path: &Path) {
    let path = path.to_owned();
    let mut hello = File::create(path.join("hello")).unwrap();
    hello.write_all(b"hello\n").unwrap();
    drop(hello);
    // What is kept stays, what is not goes.
    let kept = File::open(path.join("hello")).unwrap();
    let inherited: OwnedFd = rustix::io::fcntl_dupfd_cloexec(&kept, 30).unwrap();
    let inherited = std::mem::ManuallyDrop::new(inherited);

    let too_late = std::thread::scope(|scope| {
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let other = scope.spawn(move || wait.recv());
        let refused = confine_worker(&WorkerConfinement::to(&[], &[]));
        drop(end);
        let _ = other.join();
        refused
    });
    assert!(matches!(too_late, Err(CannotConfine::Threads(2))), "{too_late:?}");

    let root = File::open(&path).unwrap();
    let (readable, executable, keep) = ([root.as_fd()], command::programs(), [kept.as_fd()]);
    let mut confinement = WorkerConfinement::to(&readable, &executable);
    confinement.keep = &keep;
    let orphan = WorkerConfinement { parent: Some(1 << 30), at_most: Level::L0, ..confinement.clone() };
    confinement.parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    let support = confine_worker(&confinement).unwrap();
    assert!(matches!(confine_worker(&orphan), Err(CannotConfine::Orphan)));

    assert_eq!(rustix::io::fcntl_getfd(&*inherited).unwrap_err(), rustix::io::Errno::BADF);
    assert!(rustix::io::fcntl_getfd(&kept).unwrap().contains(rustix::io::FdFlags::CLOEXEC));
    let names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    assert_eq!(names, ["PATH", "LANG", "LC_ALL", "TZ"]);

    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let reads = (0..32).map(|_| {
            let path = path.clone();
            tokio::task::spawn_blocking(move || fs::read_to_string(path.join("hello")).unwrap())
        });
        for read in reads.collect::<Vec<_>>() {
            assert_eq!(read.await.unwrap(), "hello\n");
        }
        let late = tokio::time::timeout(Duration::from_millis(5), std::future::pending::<()>()).await;
        assert!(late.is_err());
        let (mut one, mut other) = tokio::net::UnixStream::pair().unwrap();
        one.write_all(b"ping").await.unwrap();
        let mut heard = [0; 4];
        other.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"ping");

        if Level::L0 == support.level {
            return assert!(Commands::new(&support, &readable).is_err());
        }
        assert!(fs::read("/etc/passwd").is_err());
        assert!(tokio::net::TcpStream::connect("127.0.0.1:9").await.is_err());
        assert!(File::create(path.join("new")).is_err());
        let commands = Arc::new(Commands::new(&support, &readable).unwrap());
        let runs = (0..16).map(|_| {
            let (commands, path) = (Arc::clone(&commands), path.clone());
            tokio::task::spawn_blocking(move || {
                let root = File::open(path).unwrap();
                let argv = ["wc", "-c", "hello"].map(str::to_owned);
                commands.run(&argv, root.as_fd(), &Limits::default()).unwrap().stdout
            })
        });
        for run in runs.collect::<Vec<_>>() {
            assert_eq!(run.await.unwrap(), b"6 hello\n");
        }
    });
}
