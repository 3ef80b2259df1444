//! What the probe does for the tests besides probing.
#![expect(unsafe_code, reason = "shared memory, and descriptors that are closed behind Rust's back")]

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;

use luminos_tools::command::Commands;
use luminos_tools::sandbox::{
    Cage, CageRules, Limits, ParserLimits, ParserProcess, ParserRole, Start, Support, serve_parser,
};

use crate::Failure;
use crate::stage::{Stage, Verdict};

/// A process that holds a secret and a piece of shared memory, tells where, and stays until its input ends.
pub(crate) fn victim() -> Result<(), Failure> {
    let secret = Box::new(*b"SECRETS!");
    let key = i32::try_from(std::process::id())?;
    // SAFETY: numbers only.
    let shared = unsafe { libc::shmget(key, 1, 0o600 | libc::IPC_CREAT) };
    println!("{} {key}", std::ptr::from_ref(secret.as_ref()).expose_provenance());
    std::io::stdin().read_to_end(&mut Vec::new())?;
    // SAFETY: numbers only, and no place for an answer that is not wanted.
    unsafe { libc::shmctl(shared, libc::IPC_RMID, std::ptr::null_mut()) };
    Ok(())
}

/// A process that uses a processor until it is ended, and has nothing to say.
pub(crate) fn burn() -> ! {
    // SAFETY: nothing is printed afterwards.
    unsafe { libc::close_range(0, 2, 0) };
    loop {
        std::hint::spin_loop();
    }
}

/// A process that does nothing, and does not want to end either.
pub(crate) fn linger() -> Result<(), Failure> {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGXCPU] {
        // SAFETY: no handler, only a refusal.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    // It may not even stop itself; if it may, it does.
    // SAFETY: numbers only.
    unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// A process that talks without end.
pub(crate) fn flood(mut into: impl std::io::Write) -> Result<(), Failure> {
    loop {
        into.write_all(&[b'x'; 4096])?;
    }
}

/// Tells which descriptors and which variables it was given.
pub(crate) fn inheritance() -> Result<(), Failure> {
    // SAFETY: numbers only.
    let open = (0..1024).filter(|fd| 0 <= unsafe { libc::fcntl(*fd, libc::F_GETFD) });
    println!("{:?}", open.collect::<Vec<i32>>());
    for (name, value) in std::env::vars_os() {
        println!("{}={}", name.display(), value.display());
    }
    Ok(())
}

/// A process that starts this program again and waits for it.
#[expect(clippy::disallowed_methods, reason = "what it starts is the test's own")]
pub(crate) fn parent(arguments: &[&str]) -> Result<(), Failure> {
    let status = std::process::Command::new(std::env::current_exe()?).args(arguments).status()?;
    println!("{status}");
    Ok(())
}

/// Runs each line of its input as a command and tells how it ended.
pub(crate) fn commands(support: &Support, root: BorrowedFd<'_>) -> Result<(), Failure> {
    let commands = Commands::new(support, &[root])?;
    for line in std::io::stdin().lock().lines() {
        let argv: Vec<String> = line?.split_whitespace().map(str::to_owned).collect();
        match commands.run(&argv, root, &Limits::default()) {
            Ok(outcome) => {
                let (stdout, stderr) =
                    (String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
                println!("{:?} {stdout:?} {stderr:?}", outcome.end);
            }
            Err(error) => println!("{error}"),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Runs a program in a cage for as long as it likes.
pub(crate) fn hold(
    support: &Support,
    root: BorrowedFd<'_>,
    own: &Path,
    arguments: &[&str],
) -> Result<(), Failure> {
    let cage = Cage::new(support, &CageRules { readable: &[root], executable: &[own] })?;
    let mut all = vec![own.as_os_str()];
    all.extend(arguments.iter().map(std::ffi::OsStr::new));
    let limits = Limits { time: Duration::from_secs(600), cpu_seconds: 600, ..Limits::default() };
    let outcome = cage.run(&Start { program: own, arguments: &all, working_directory: root, limits })?;
    println!("{:?}", outcome.end);
    Ok(())
}

/// A parser whose requests say what goes wrong in it.
pub(crate) fn parser() -> Result<(), Failure> {
    serve_parser(|request| {
        let request = String::from_utf8_lossy(request).into_owned();
        let (word, rest) = request.split_once(' ').unwrap_or((&request, ""));
        match word {
            "echo" => rest.as_bytes().to_vec(),
            "panic" => std::panic::resume_unwind(Box::new(format!("cannot bear {rest}"))),
            "spin" => loop {
                std::hint::spin_loop();
            },
            "sleep" => {
                std::thread::sleep(Duration::from_secs(3600));
                Vec::new()
            }
            "eat" => eat(),
            "recurse" => vec![recurse(1)],
            // More than a quarter of its memory, touched and given back.
            "grow" => format!("grown by {}", vec![1_u8; 100 << 20].len()).into_bytes(),
            "long" => vec![b'x'; (16 << 20) + 1],
            "hush" => {
                // SAFETY: it is about to spin, and nothing it does then needs them.
                unsafe { libc::close_range(0, 2, 0) };
                loop {
                    std::hint::spin_loop();
                }
            }
            "probe" => probe_all(rest).into_bytes(),
            _ => format!("what is {word}?").into_bytes(),
        }
    })?;
    Ok(())
}

fn eat() -> ! {
    let mut eaten = Vec::new();
    loop {
        eaten.push(vec![1_u8; 1 << 20]);
        std::hint::black_box(&eaten);
    }
}

fn recurse(depth: u64) -> u8 {
    let room = std::hint::black_box([depth; 64]);
    if room[0] == 0 { 0 } else { recurse(depth + 1).wrapping_add(std::hint::black_box(room)[1] as u8) }
}

/// Tries to open what every other role may, and a few things that none may.
fn probe_all(folder: &str) -> String {
    let stage = Stage::open(Path::new(folder));
    let names = ["read_outside", "stat", "control_socket", "kill", "fork_bomb", "thread", "leave_session"];
    let mut escaped: Vec<&str> = crate::all()
        .filter(|(name, _)| names.contains(name))
        .filter(|(_, try_it)| try_it(&stage) == Verdict::Escaped)
        .map(|(name, _)| name)
        .collect();
    if std::fs::read("/usr/lib/os-release").is_ok() || std::fs::read_dir("/usr/lib").is_ok() {
        escaped.push("library");
    }
    escaped.join(" ")
}

/// A worker that has each line of its input parsed and prints what came of it.
pub(crate) fn parse(support: &Support, own: &Path, limits: &[&str]) -> Result<(), Failure> {
    let [milliseconds, cpu_seconds] = limits else { return Err("how long may it take?".into()) };
    let role = ParserRole { program: own.to_owned(), arguments: vec!["parser".into()] };
    let limits = ParserLimits {
        time: Duration::from_millis(milliseconds.parse()?),
        cpu_seconds: cpu_seconds.parse()?,
        address_space: 256 << 20,
        frame: 16 << 20,
    };
    let parser = ParserProcess::new(support, role, limits)?;
    for line in std::io::stdin().lock().lines() {
        match parser.call(line?.as_bytes()) {
            Ok(reply) => println!("{}", String::from_utf8_lossy(&reply)),
            Err(died) => println!("died: {died}"),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}
