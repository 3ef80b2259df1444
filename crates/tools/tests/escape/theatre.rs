//! The stage for a probe: files, sockets and processes of its own user, all within reach and none to be touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

const PROBE: &str = env!("CARGO_BIN_EXE_luminos-escape-probe");

/// The user `nobody`, who exists by number on every machine.
const NOBODY: u32 = 65534;

/// As whom a probe runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum User {
    /// Whoever runs the tests, and that is root.
    Root,
    /// Nobody, made so by root.
    Nobody,
    /// Whoever runs the tests.
    Same,
}

/// Everybody that the tests can be. Who is not root cannot become it.
pub(crate) fn users() -> Vec<User> {
    if rustix::process::geteuid().is_root() { vec![User::Root, User::Nobody] } else { vec![User::Same] }
}

/// A stage with everything on it. It is cleared when it is dropped.
pub(crate) struct Theatre {
    user: User,
    folder: TempDir,
    victim: Child,
    /// Kept open, so that there is something to connect to and something to inherit.
    _open: (TcpListener, UdpSocket, UnixListener, UnixDatagram, UnixListener, OwnedFd),
}

impl Theatre {
    pub(crate) fn set_up(user: User) -> Self {
        let folder = tempfile::Builder::new().prefix("lum").tempdir().unwrap();
        let path = folder.path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        copy_probe(&path.join("probe"));
        let (target, outside) = (path.join("target"), path.join("outside"));
        for dir in [&target, &outside, &outside.join("dir"), &outside.join("dir-mount")] {
            fs::create_dir(dir).unwrap();
        }
        write(&target.join("hello.txt"), "hello\nworld\nhello\n");
        write(&target.join("evil.sh"), "#!/bin/sh\nprintf 'exec_script\\tESCAPED\\t\\n'\n");
        fs::set_permissions(target.join("evil.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        copy_probe(&target.join("evil.bin"));
        symlink("../outside/secret", target.join("link-out")).unwrap();
        for name in ["secret", "victim", "doomed", "attributes"] {
            write(&outside.join(name), &secret_of(path));
        }
        symlink("somewhere", outside.join("link")).unwrap();

        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let control = UnixListener::bind(outside.join("control.sock")).unwrap();
        let log = UnixDatagram::bind(outside.join("log.sock")).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let secret = File::open(outside.join("secret")).unwrap();
        let leaked = rustix::io::fcntl_dupfd_cloexec(&secret, 10).unwrap();
        rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).unwrap();

        give(path, user);
        let (victim, address, key) = victim(&path.join("probe"), user);
        let uid = match user {
            User::Nobody => NOBODY,
            User::Root | User::Same => rustix::process::geteuid().as_raw(),
        };
        let facts = format!(
            "loader={}\nvictim={}\naddress={address}\nshm={key}\nparent={}\ntcp={}\nudp={}\nabstract={name}\nuid={uid}\n\
             descriptor={}\n",
            loader(),
            victim.id(),
            std::process::id(),
            tcp.local_addr().unwrap().port(),
            udp.local_addr().unwrap().port(),
            leaked.as_raw_fd(),
        );
        write(&target.join("facts"), &facts);
        Self { user, folder, victim, _open: (tcp, udp, control, log, hidden, leaked) }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.path().join("target")
    }

    /// What stands in the files that must stay closed.
    pub(crate) fn secret(&self) -> String {
        secret_of(self.path())
    }

    /// The probe, to be started as the stage's user.
    pub(crate) fn probe(&self, arguments: &[&str]) -> Command {
        let mut command = start_as(&self.path().join("probe"), self.user);
        command.args(arguments).env("LUMINOS_ESCAPE_KEY", "SECRET");
        command
    }

    /// Runs the probe in some role, with something to read.
    pub(crate) fn role(&self, arguments: &[&str], input: &str) -> Output {
        let stage = format!("stage={}", self.path().display());
        let mut command = self.probe(arguments);
        command.arg(stage).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Whoever cannot be confined does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// The names of all probes.
    pub(crate) fn names(&self) -> Vec<String> {
        let output = self.probe(&["list"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Tries all probes with these arguments, in as many processes as it takes.
    pub(crate) fn try_all(&self, arguments: &[&str]) -> Verdicts {
        let stage = format!("stage={}", self.path().display());
        let mut verdicts = Verdicts::default();
        let mut left = self.names();
        while !left.is_empty() {
            let output = self.probe(arguments).arg(&stage).args(&left).stdin(Stdio::null()).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let before = left.len();
            for line in text.lines() {
                let mut parts = line.split('\t');
                let (name, verdict) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
                let why = parts.next().unwrap_or("");
                left.retain(|left| left != name);
                verdicts.0.insert(name.to_owned(), (verdict.to_owned(), why.to_owned()));
            }
            assert!(left.len() < before, "{arguments:?}: {output:?}");
        }
        verdicts
    }
}

impl Drop for Theatre {
    fn drop(&mut self) {
        // Its input ends, and it clears away its shared memory.
        drop(self.victim.stdin.take());
        let _ = self.victim.wait();
        // A mount that a probe made goes with the last file system that it is in; only root could make it.
        let _ = start_as(Path::new("/bin/umount"), User::Same)
            .arg(self.path().join("outside/dir-mount"))
            .stderr(Stdio::null())
            .status();
        for name in ["/dev/shm/luminos-escape-new", "/tmp/luminos-escape-new"] {
            let _ = remove(Path::new(name));
        }
    }
}

/// What came of the probes.
#[derive(Debug, Default)]
pub(crate) struct Verdicts(BTreeMap<String, (String, String)>);

impl Verdicts {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn escaped(&self) -> BTreeSet<&str> {
        self.of(|verdict| verdict == "ESCAPED")
    }

    /// Held, or ended in the attempt.
    pub(crate) fn held(&self) -> BTreeSet<&str> {
        self.of(|verdict| verdict != "ESCAPED")
    }

    fn of(&self, wanted: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        self.0.iter().filter(|(_, (verdict, _))| wanted(verdict)).map(|(name, _)| name.as_str()).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "a test sets its own stage")]
pub(crate) fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a test clears its own stage")]
fn remove(path: &Path) -> std::io::Result<()> {
    fs::remove_file(path)
}

#[expect(clippy::disallowed_methods, reason = "a test starts its own programs")]
fn start_as(program: &Path, user: User) -> Command {
    let mut command = Command::new(program);
    if user == User::Nobody {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Copies it in another process: a file that this one has open for writing, or a child of another test that was
/// born meanwhile, could not be executed.
fn copy_probe(to: &Path) {
    assert!(start_as(Path::new("/bin/cp"), User::Same).arg(PROBE).arg(to).status().unwrap().success());
}

fn secret_of(path: &Path) -> String {
    format!("the secret of {}", path.display())
}

/// Makes everything the user's own.
fn give(path: &Path, user: User) {
    if user != User::Nobody {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            give(&entry.path(), user);
        } else if !entry.file_type().unwrap().is_symlink() {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
}

fn victim(probe: &Path, user: User) -> (Child, String, String) {
    let mut child =
        start_as(probe, user).arg("victim").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (address, key) = line.trim().split_once(' ').unwrap();
    (child, address.to_owned(), key.to_owned())
}

/// The system's loader of dynamic programs.
pub(crate) fn loader() -> &'static str {
    ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-riscv64-lp64d.so.1"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .unwrap()
}
