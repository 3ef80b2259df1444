//! Clients that mean harm, or mean nothing: the daemon goes on, its memory stays what it was, and honest clients are
//! answered as before.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use luminos_engine::{Client, socket_path};
use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use luminos_wire::control::{Hello, Reply, Request};
use luminos_wire::{Frames, VERSION, decode, encode};
use rustix::process::{Pid, Signal, kill_process};

use crate::machine::finish;
use crate::site::{PATIENCE, Site, project, until};

/// Memory that a crowd of strangers may cost the daemon, in KiB.
const MORE_MEMORY: u64 = 48 << 10;

/// A site with a run under way that ends when the gate opens.
fn under_way() -> (Site, Gate, std::process::Child) {
    let gate = Gate::shut();
    let held = vec![Answer::policy().behind(&gate); 100];
    let script = Script::new().when(Matcher::any().offering("read_file"), held).otherwise(Policy::default());
    let site = Site::new(project(), script);
    let started = site.start(".");
    site.until(|counters| 2 <= counters.in_flight);
    (site, gate, started)
}

fn daemon(site: &Site) -> Pid {
    let found = site.processes("serve");
    assert_eq!(found.len(), 1, "there is one daemon");
    found[0]
}

/// Resident memory of a process, in KiB.
fn memory(process: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn descriptors(process: Pid) -> usize {
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

fn call(site: &Site) -> UnixStream {
    // The queue of those who wait to be let in may be full for a moment.
    let deadline = Instant::now() + PATIENCE;
    loop {
        match UnixStream::connect(socket_path(&site.store())) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        thread::yield_now();
    }
}

fn hello(version: u32) -> Vec<u8> {
    encode(&Hello { version, program: "a stranger".to_owned() }).unwrap()
}

/// Says something to the daemon and reads until it hangs up.
fn answer(site: &Site, said: &[u8]) -> Vec<u8> {
    let mut stream = call(site);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // The daemon may hang up while it is still spoken to.
    let _ = stream.write_all(said);
    let mut heard = Vec::new();
    if let Err(error) = stream.read_to_end(&mut heard) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "the daemon does not hang up");
    }
    heard
}

/// How long an honest client waits for answers, the worst of a hundred, on a line that it has and on new ones.
fn worst_wait(site: &Site) -> Duration {
    let mut line = Client::connect(&site.store(), "an honest client").unwrap();
    let mut waits: Vec<Duration> = (0..100)
        .map(|number| {
            let start = Instant::now();
            if number % 10 == 0 {
                line = Client::connect(&site.store(), "an honest client").unwrap();
            }
            assert!(matches!(line.ask(&Request::Status).unwrap(), Reply::Status(_)));
            start.elapsed()
        })
        .collect();
    waits.sort();
    waits[98]
}

/// Frames that are none, or that nobody can want.
fn nonsense() -> Vec<(&'static str, Vec<u8>)> {
    let framed = |body: Vec<u8>| [&(body.len() as u32).to_be_bytes()[..], &body].concat();
    let after = |said: Vec<u8>| [hello(VERSION), said].concat();
    let map_of_numbers = vec![0x81, 0x01, 0x02];
    vec![
        ("the longest length there is", vec![0xff; 64]),
        ("a length of nothing", framed(Vec::new())),
        ("a byte that means nothing", framed(vec![0xc1])),
        ("a hundred thousand lists in one another", framed(vec![0x91; 100_000])),
        ("a map of numbers", framed(map_of_numbers)),
        ("a page", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()),
        ("a text of four gigabytes that does not come", framed(vec![0xdb, 0xff, 0xff, 0xff, 0xff, b'a'])),
        ("words after a greeting", after(b"what is this".to_vec())),
        ("the longest length after a greeting", after(vec![0xff; 8])),
        ("a request that nobody knows", after(framed(rmp_text("make_coffee")))),
        ("a byte more than a greeting", framed([&hello(VERSION)[4..], b"x"].concat())),
        ("zeroes", vec![0; 4096]),
    ]
}

fn rmp_text(text: &str) -> Vec<u8> {
    [&[0xa0 | text.len() as u8][..], text.as_bytes()].concat()
}

#[test]
fn nonsense_is_answered_by_hanging_up() {
    let site = Site::new(project(), Policy::default());
    site.done("--quiet .");
    let daemon = daemon(&site);
    let before = memory(daemon);
    for (what, said) in nonsense() {
        // Once, and many times at once.
        answer(&site, &said);
        let open: Vec<UnixStream> = (0..20).map(|_| call(&site)).collect();
        for mut stream in &open {
            let _ = stream.write_all(&said);
        }
        drop(open);
        let mut line = Client::connect(&site.store(), "an honest client").unwrap();
        assert!(matches!(line.ask(&Request::Status).unwrap(), Reply::Status(_)), "{what}");
    }
    let after = memory(daemon);
    assert!(after < before + MORE_MEMORY, "{before} KiB before, {after} KiB after");
    // Another version is told who is there, and no more.
    let heard = answer(&site, &[hello(VERSION + 1), encode(&Request::Shutdown).unwrap()].concat());
    let mut frames = Frames::new(1 << 20);
    frames.feed(&heard);
    let greeting: Hello = decode(frames.take().unwrap().unwrap()).unwrap();
    assert_eq!(greeting.version, VERSION);
    assert!(frames.take().unwrap().is_none(), "{heard:?}");
    assert_eq!(site.processes("serve"), [daemon]);
}

#[test]
fn a_crowd_of_strangers_slows_nobody_and_costs_little() {
    let (site, gate, started) = under_way();
    let daemon = daemon(&site);
    let calm = worst_wait(&site);
    let (before, files) = (memory(daemon), descriptors(daemon));

    // A thousand who say nothing; half frames; questions whose answers nobody reads; subscribers who never listen.
    let silent: Vec<UnixStream> = (0..1000).map(|_| call(&site)).collect();
    let half: Vec<UnixStream> = (0..40).map(|_| call(&site)).collect();
    for mut stream in &half {
        let _ = stream.write_all(&hello(VERSION));
        let _ = stream.write_all(&(900_000_u32).to_be_bytes());
        let _ = stream.write_all(&[0x91; 4096]);
    }
    let deaf: Vec<UnixStream> = (0..40).map(|_| call(&site)).collect();
    let id = site.investigation().file_name().unwrap().to_str().unwrap().to_owned();
    for mut stream in &deaf {
        stream.set_nonblocking(true).unwrap();
        let _ = stream.write_all(&hello(VERSION));
        let question = encode(&Request::Status).unwrap();
        // As many as go into the pipe.
        while stream.write_all(&question).is_ok() {}
    }
    let subscribers: Vec<UnixStream> = (0..40).map(|_| call(&site)).collect();
    for mut stream in &subscribers {
        let _ = stream.write_all(&hello(VERSION));
        let _ = stream.write_all(&encode(&Request::Subscribe { investigation: id.clone() }).unwrap());
    }

    let crowded = worst_wait(&site);
    let allowed = (calm * 10).max(Duration::from_millis(250));
    assert!(crowded < allowed, "{crowded:?} in the crowd, {calm:?} without it");
    let during = memory(daemon);
    assert!(during < before + MORE_MEMORY, "{before} KiB before, {during} KiB in the crowd");

    // The run has not noticed anything, and ends while they are all still there.
    gate.open();
    let ended = site.wait(started);
    assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
    assert!(ended.stdout.contains("5 entries were looked at"), "{ended}");
    drop((silent, half, deaf, subscribers));
    until(|| descriptors(daemon) <= files);
}

/// Not even a socket that anybody may open lets another user in: who calls is asked of the system, not of the caller.
#[test]
fn other_users_are_not_let_in() {
    if !rustix::process::geteuid().is_root() {
        // Only root can become somebody else. That others cannot reach the socket at all is checked wherever it is made.
        return;
    }
    let site = Site::new(project(), Policy::default());
    site.done("--quiet .");
    let socket = socket_path(&site.store());
    let mut dir: &Path = &socket;
    while dir != Path::new("/tmp") && dir != Path::new("/") {
        let mode = if dir == socket { 0o666 } else { 0o755 };
        fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
        dir = dir.parent().unwrap();
    }
    let ask = |socket: &Path| {
        let mut stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(&hello(VERSION));
        let _ = stream.write_all(&encode(&Request::Shutdown).unwrap());
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        heard
    };
    let path = socket.clone();
    let as_nobody = thread::spawn(move || {
        // The user of a thread is its own; it ends with it.
        rustix::thread::set_thread_uid(rustix::process::Uid::from_raw(65534)).unwrap();
        ask(&path)
    });
    assert_eq!(as_nobody.join().unwrap(), b"", "nobody was told something");
    // The daemon is still there, and answers its own user.
    let mut line = Client::connect(&site.store(), "its own user").unwrap();
    assert!(matches!(line.ask(&Request::Status).unwrap(), Reply::Status(_)));
}

/// Clients that are killed in the middle of whatever they ask for leave nothing behind.
#[test]
fn clients_that_are_killed_leave_nothing_behind() {
    let (site, gate, mut first) = under_way();
    let daemon = daemon(&site);
    let files = descriptors(daemon);
    for words in [
        "run --model anthropic/claude-haiku-5-5 .",
        "watch --model anthropic/claude-haiku-5-5 .",
        "status .",
        "cancel nothing-of-this-name",
    ] {
        for _ in 0..3 {
            let mut command = site.command(words);
            let mut child = command
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            until(|| files < descriptors(daemon) || child.try_wait().unwrap().is_some());
            let _ = kill_process(Pid::from_child(&child), Signal::KILL);
            child.wait().unwrap();
        }
    }
    // The one who started it, too.
    let _ = kill_process(Pid::from_child(&first), Signal::KILL);
    first.wait().unwrap();
    until(|| descriptors(daemon) <= files);
    gate.open();
    until(|| site.document("meta.json")["state"] == "done");
    let again = site.done("--quiet .");
    assert_eq!(again.code, Some(0));
    let looked_over = site.machine.ended(finish(&mut site.command("fsck"), PATIENCE));
    assert_eq!(looked_over.code, Some(0), "{looked_over}");
}
