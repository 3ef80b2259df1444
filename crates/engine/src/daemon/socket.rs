//! Where the daemon listens.
//!
//! Inside the state directory, which is its owner's alone. A path that is too long for a socket (108 bytes) has a short
//! stand-in in a directory of the user's own below the one for temporary files.

use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tokio::net::UnixListener;

/// The longest path that every system takes for a socket.
const LONGEST: usize = 100;

/// The socket of the daemon of a state directory.
pub fn socket_path(home: &Path) -> PathBuf {
    let usual = home.join("run").join("control.sock");
    if usual.as_os_str().len() <= LONGEST {
        return usual;
    }
    let digest = Sha256::digest(home.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let uid = rustix::process::geteuid().as_raw();
    PathBuf::from(format!("/tmp/luminos-{uid}/{name}.sock"))
}

/// A socket that was made here. Whoever has none of it any more leaves what is in its place alone.
#[derive(Debug)]
pub(super) struct Own {
    path: PathBuf,
    id: (u64, u64),
}

impl Own {
    /// Removes it, unless it is another's by now.
    pub(super) fn remove(&self) {
        if identity(&self.path).is_ok_and(|id| id == self.id) {
            remove(&self.path);
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = std::fs::symlink_metadata(path)?;
    Ok((found.dev(), found.ino()))
}

/// Listens. Whoever calls this holds the daemon's lock, so a socket that is there belongs to nobody.
pub(super) fn listen(path: &Path) -> io::Result<(UnixListener, Own)> {
    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    check(dir)?;
    remove(path);
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok((listener, Own { path: path.to_owned(), id: identity(path)? }))
}

/// A directory that others can write to, or that is somebody else's, may hold anything.
fn check(dir: &Path) -> io::Result<()> {
    let found = std::fs::symlink_metadata(dir)?;
    if !found.is_dir() || found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o077 != 0 {
        return Err(io::Error::other("its directory is not the user's own, or others can look into it"));
    }
    Ok(())
}

/// Whether nobody but the user can have put a socket into a directory.
pub(crate) fn is_nobody_elses(dir: &Path) -> bool {
    let found = std::fs::symlink_metadata(dir);
    let user = rustix::process::geteuid().as_raw();
    found.is_ok_and(|found| found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0)
}

fn remove(path: &Path) {
    // What is not there needs no removing; anything else shows when the socket is made.
    let _ = rustix::fs::unlink(path);
}
