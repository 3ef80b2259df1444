use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{RenameFlags, mkfifoat, mknodat, renameat_with};

use super::*;
use crate::fixture::{Fixture, SECRET, write};

/// Both ways to resolve a path: the kernel's and ours.
fn both(fixture: &Fixture) -> [Root; 2] {
    [fixture.root(), fixture.root().stepwise()]
}

fn read(root: &Root, path: &str) -> Result<(String, String), Why> {
    let mut opened = root.file(&RelPath::from(path)).map_err(|refused| refused.why)?;
    let mut text = String::new();
    opened.file.read_to_string(&mut text).unwrap();
    Ok((opened.name.for_terminal(), text))
}

#[track_caller]
fn check_refused(fixture: &Fixture, path: &str, expected: &[Why]) {
    for root in both(fixture) {
        let why = read(&root, path).expect_err(path);
        assert!(expected.contains(&why), "{path}: {why:?}");
        assert!(root.directory(&RelPath::from(path)).is_err(), "{path} as a directory");
    }
}

#[track_caller]
fn check_read(fixture: &Fixture, path: &str, name: &str, text: &str) {
    for root in both(fixture) {
        assert_eq!(read(&root, path), Ok((name.to_owned(), text.to_owned())), "{path}");
    }
}

#[test]
fn v01_paths_that_climb_are_refused_and_nothing_is_decoded() {
    let fixture = Fixture::new();
    fixture.directory("sub");
    check_refused(&fixture, "../secret", &[Why::Outside]);
    check_refused(&fixture, "sub/../../secret", &[Why::Outside]);
    check_refused(&fixture, "....//....//etc/passwd", &[Why::Missing]);
    check_refused(&fixture, "..\\secret", &[Why::Missing]);
    check_refused(&fixture, "%2e%2e/secret", &[Why::Missing]);
}

#[test]
fn v02_absolute_paths_are_refused_even_inside() {
    let fixture = Fixture::new();
    fixture.file("a", "inside");
    check_refused(&fixture, "/etc/passwd", &[Why::Outside]);
    check_refused(&fixture, fixture.target().join("a").to_str().unwrap(), &[Why::Outside]);
}

#[test]
fn v03_a_sibling_whose_name_begins_the_same_is_outside() {
    let fixture = Fixture::new();
    std::fs::create_dir(fixture.outside("t-evil")).unwrap();
    write(&fixture.outside("t-evil/s"), SECRET.as_bytes());
    check_refused(&fixture, "../t-evil/s", &[Why::Outside]);
}

#[test]
fn v04_links_that_lead_out_or_nowhere_are_refused() {
    let fixture = Fixture::new();
    fixture
        .link("relative", "../secret")
        .link("absolute", fixture.outside("secret"))
        .link("up", "..")
        .link("self", "self")
        .link("dangling", "nothing");
    fixture.file("end", "x");
    for number in 0..41 {
        let to = if number == 0 { "end".to_owned() } else { format!("chain{}", number - 1) };
        fixture.link(&format!("chain{number}"), to);
    }
    check_refused(&fixture, "relative", &[Why::Outside]);
    check_refused(&fixture, "absolute", &[Why::Outside]);
    check_refused(&fixture, "up/secret", &[Why::Outside]);
    check_refused(&fixture, "self", &[Why::LinkLoop]);
    check_refused(&fixture, "dangling", &[Why::Missing]);
    check_refused(&fixture, "chain40", &[Why::LinkLoop]);
    check_read(&fixture, "chain39", "end", "x");
}

#[test]
fn v05_links_that_stay_inside_are_followed_and_named() {
    let fixture = Fixture::new();
    fixture.file("sub/ok", "fine").link("link", "sub/ok").link("dir", "sub").link("sub/back", "../dir/./ok");
    check_read(&fixture, "link", "sub/ok", "fine");
    check_read(&fixture, "dir/ok", "sub/ok", "fine");
    check_read(&fixture, "sub/back", "sub/ok", "fine");
    check_read(&fixture, "sub/../sub//./ok", "sub/ok", "fine");
    for root in both(&fixture) {
        assert_eq!(root.directory(&RelPath::from("dir")).unwrap().name, RelPath::from("sub"));
        assert_eq!(root.directory(&RelPath::root()).unwrap().name, RelPath::root());
        let (stamp, name) = root.look(&RelPath::from("dir/back")).unwrap();
        assert_eq!((stamp.kind, name), (FileType::Symlink, RelPath::from("sub/back")));
    }
}

#[test]
fn v06_links_into_the_process_are_refused() {
    let fixture = Fixture::new();
    let paths = ["/proc/self/environ", "/proc/self/root/etc/passwd", "/proc/1/cwd", "/dev/fd/3"];
    for (number, path) in paths.iter().enumerate() {
        let name = format!("link{number}");
        fixture.link(&name, path);
        check_refused(&fixture, &name, &[Why::Outside, Why::LinkLoop]);
    }
}

#[test]
fn v07_pseudo_file_systems_are_refused_wherever_the_target_is() {
    let paths = ["proc/self/environ", "proc/kcore", "proc/kmsg", "proc/self/maps", "sys/kernel/notes"];
    let open = |mounts| Root::open_with(Path::new("/"), mounts).unwrap();
    for path in paths {
        for root in [open(Mounts::Stay), open(Mounts::Stay).stepwise()] {
            let why = read(&root, path).unwrap_err();
            assert!(matches!(why, Why::OtherFileSystem | Why::Outside | Why::Missing), "{path}: {why:?}");
        }
        for root in [open(Mounts::Cross), open(Mounts::Cross).stepwise()] {
            let why = read(&root, path).unwrap_err();
            let is_known = matches!(why, Why::Pseudo(_) | Why::LinkLoop | Why::Missing | Why::Denied);
            assert!(is_known, "{path}: {why:?}");
        }
    }
    assert!(matches!(Root::open(Path::new("/proc")), Err(CannotOpen::Pseudo { file_system: "proc", .. })));
    assert!(matches!(Root::open(Path::new("/sys")), Err(CannotOpen::Pseudo { file_system: "sysfs", .. })));
}

/// Reads through a directory that somebody swaps with a link to the outside as fast as they can.
fn outside_bytes_in_a_race(root: &Root, fixture: &Fixture, time: Duration) -> (u64, u64, u64) {
    let is_over = AtomicBool::new(false);
    let swaps = AtomicU64::new(0);
    let dir = rustix::fs::open(fixture.target(), HELD, Mode::empty()).unwrap();
    let (mut good, mut bad) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                renameat_with(&dir, "d", &dir, "l", RenameFlags::EXCHANGE).unwrap();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let end = Instant::now() + time;
        // However slow the machine, the race must have taken place.
        while Instant::now() < end || swaps.load(Ordering::Relaxed) < 5_000 || good == 0 {
            for path in ["d/f", "d/../d/f", "d/sub/../f"] {
                if let Ok((_, text)) = read(root, path) {
                    good += u64::from(text == "inside");
                    bad += u64::from(text != "inside");
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    (good, bad, swaps.into_inner())
}

#[test]
fn v08_a_directory_swapped_with_a_link_never_shows_the_outside() {
    let fixture = Fixture::new();
    fixture.file("d/f", "inside").directory("d/sub");
    std::fs::create_dir_all(fixture.outside("out/sub")).unwrap();
    write(&fixture.outside("out/f"), SECRET.as_bytes());
    symlink("../out", fixture.target().join("l")).unwrap();
    for root in both(&fixture) {
        let (good, bad, swaps) = outside_bytes_in_a_race(&root, &fixture, Duration::from_millis(1500));
        println!("{good} reads inside, {bad} outside, {swaps} swaps");
        assert!(0 < good && 5_000 <= swaps);
        assert_eq!(bad, 0, "of {good} reads while it was swapped {swaps} times");
    }
}

#[test]
fn v09_a_file_replaced_between_look_and_open_is_not_read() {
    let fixture = Fixture::new();
    let swap = |fixture: &Fixture| {
        let dir = rustix::fs::open(fixture.target(), HELD, Mode::empty()).unwrap();
        renameat_with(&dir, "a", &dir, "b", RenameFlags::EXCHANGE).unwrap();
    };
    fixture.file("a", "first").file("b", "second");
    for root in both(&fixture) {
        let refused = root.file_disturbed(&RelPath::from("a"), || swap(&fixture)).unwrap_err();
        assert_eq!(refused.why, Why::Changed);
    }
    // The same with a pipe, which would hang whoever opens it to read.
    let pipes = Fixture::new();
    pipes.file("a", "first");
    mkfifoat(pipes.root().fd(), "b", Mode::RUSR | Mode::WUSR).unwrap();
    for root in both(&pipes) {
        let start = Instant::now();
        let refused = root.file_disturbed(&RelPath::from("a"), || swap(&pipes)).unwrap_err();
        assert_eq!(refused.why, Why::Changed);
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        swap(&pipes);
    }
}

#[test]
fn v10_what_is_no_file_is_refused_at_once() {
    let fixture = Fixture::new();
    let root = fixture.root();
    mkfifoat(root.fd(), "pipe", Mode::RUSR | Mode::WUSR).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(fixture.target().join("socket")).unwrap();
    let mut kinds = vec![("pipe", FileType::Fifo), ("socket", FileType::Socket)];
    // Only root may make devices; where the test runs as another user there are none to make.
    for (name, kind, numbers) in [
        ("zero", FileType::CharacterDevice, (1, 5)),
        ("tty", FileType::CharacterDevice, (5, 0)),
        ("disk", FileType::BlockDevice, (7, 0)),
    ] {
        let device = rustix::fs::makedev(numbers.0, numbers.1);
        if mknodat(root.fd(), name, kind, Mode::RUSR, device).is_ok() {
            kinds.push((name, kind));
        }
    }
    fixture.file("file", "x").link("to-file", "file").link("to-outside", "../outside");
    for (name, _) in &kinds {
        fixture.link(&format!("to-{name}"), name);
    }
    for root in both(&fixture) {
        for (name, kind) in &kinds {
            // The best of some tries: a busy machine may be slow for its own reasons.
            let fastest = (0..5).map(|_| {
                let start = Instant::now();
                assert_eq!(read(&root, name), Err(Why::NotRegular(*kind)));
                start.elapsed()
            });
            let fastest = fastest.min().unwrap();
            assert!(fastest < Duration::from_millis(10), "{name} took {fastest:?}");
            // Nor is a program given it to open, by its name or through a link.
            for name in [name.to_owned(), &format!("to-{name}")] {
                let refused = root.may_be_opened(&RelPath::from(name)).unwrap_err();
                assert_eq!(refused.why, Why::NotRegular(*kind), "{name}");
            }
        }
        for path in [".", "file", "to-file", "missing", "file/below"] {
            assert!(root.may_be_opened(&RelPath::from(path)).is_ok(), "{path}");
        }
        for path in ["to-outside", "../outside"] {
            assert_eq!(root.may_be_opened(&RelPath::from(path)).unwrap_err().why, Why::Outside, "{path}");
        }
        assert_eq!(read(&root, "."), Err(Why::NotRegular(FileType::Directory)));
    }
}

#[test]
fn v13_paths_longer_than_the_kernel_takes_are_opened_piece_by_piece() {
    let fixture = Fixture::new();
    let name = "d".repeat(200);
    let depth = 50;
    let mut dir = rustix::fs::open(fixture.target(), HELD, Mode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&dir, &name, Mode::RWXU).unwrap();
        dir = openat(&dir, &name, HELD, Mode::empty()).unwrap();
    }
    let file = openat(&dir, "f", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR | Mode::WUSR).unwrap();
    rustix::io::write(&file, b"deep").unwrap();
    let path = format!("{}/f", vec![name; depth].join("/"));
    assert!(4_096 < path.len());
    check_read(&fixture, &path, &path, "deep");
}

#[test]
fn v17_what_is_mounted_inside_is_not_entered() {
    let root = Root::open(Path::new("/")).unwrap();
    assert_eq!(root.directory(&RelPath::from("proc")).unwrap_err().why, Why::OtherFileSystem);
    let root = root.stepwise();
    assert_eq!(root.directory(&RelPath::from("proc")).unwrap_err().why, Why::OtherFileSystem);
}

#[test]
fn v18_nul_and_bytes_that_are_no_text_are_names_like_others() {
    let fixture = Fixture::new();
    fixture.file("a", "x");
    for root in both(&fixture) {
        assert!(matches!(read(&root, "a\0b"), Err(Why::Other(_))));
        assert_eq!(read(&root, &"n".repeat(300)), Err(Why::TooLong));
    }
}

#[test]
fn v20_what_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    fixture.file("closed", "x").file("dir/f", "x");
    let roots = both(&fixture);
    let close = |path: &str| {
        let path = fixture.target().join(path);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
    };
    close("closed");
    close("dir");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Root may read anything, so this thread becomes somebody else.
            if rustix::process::geteuid().is_root() {
                let nobody = rustix::process::Uid::from_raw(65_534);
                rustix::thread::set_thread_uid(nobody).unwrap();
            }
            for root in roots {
                assert_eq!(read(&root, "closed"), Err(Why::Denied));
                assert_eq!(read(&root, "dir/f"), Err(Why::Denied));
                assert_eq!(root.directory(&RelPath::from("dir")).unwrap_err().why, Why::Denied);
            }
        });
    });
}

#[test]
fn v22_a_target_that_was_moved_or_deleted_stays_safe() {
    let fixture = Fixture::new();
    fixture.file("a", "inside");
    let root = fixture.root();
    let moved = fixture.outside("moved");
    rustix::fs::rename(fixture.target(), &moved).unwrap();
    std::fs::create_dir(fixture.target()).unwrap();
    write(&fixture.target().join("a"), SECRET.as_bytes());
    assert_eq!(read(&root, "a").unwrap().1, "inside", "the descriptor goes with the directory");
    std::fs::remove_dir_all(&moved).unwrap();
    assert_eq!(read(&root, "a"), Err(Why::Missing));
    let mut left = 0;
    // Whether a directory that is gone can be listed at all is the file system's choice.
    let _ = root.directory(&RelPath::root()).map(|directory| directory.each(|_| left += 1));
    assert_eq!(left, 0);
}

#[test]
fn refusals_help() {
    let fixture = Fixture::new();
    fixture.file("a", "x").directory("sub").link("loop", "loop");
    mkfifoat(fixture.root().fd(), "pipe", Mode::RUSR).unwrap();
    let root = fixture.root();
    let paths = ["../secret", "nothing", "sub", "pipe", "loop", "a/b"];
    let told: Vec<String> =
        paths.iter().map(|path| root.file(&RelPath::from(*path)).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    `../secret`: this leads out of the target. Only what is inside can be opened: use a path relative to the target, such as `src/main.rs`, without a leading `/`; `.` is the target itself.
    `nothing`: there is nothing of that name. Use list_directory to see what there is.
    `sub`: this is a directory. Use list_directory to see what is in it.
    `pipe`: this is a pipe, no regular file, and is never opened.
    `loop`: the links on the way lead round in a circle, or are too many.
    `a/b`: this, or something on the way to it, is no directory.
    ");
}

#[test]
fn v23_the_state_directory_is_no_part_of_the_target() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "needle in the target\n").file("state/luminos/ledger", "needle of our own\n");
    fixture.file("state/luminos-other/b.txt", "needle beside it\n");
    fixture.link("way", "state/luminos").link("state/deep", "luminos/ledger");
    let target = fixture.target();
    for root in [fixture.root(), fixture.root().stepwise()] {
        let root = root.without_own_state(&target, &target.join("state/luminos"));
        assert!(root.holds_own_state());
        for path in [
            "state/luminos/ledger",
            "state/./luminos/ledger",
            "state/luminos-other/../luminos/ledger",
            "way/ledger",
            "state/deep",
        ] {
            assert_eq!(root.file(&RelPath::from(path)).unwrap_err().why, Why::OwnState, "{path}");
        }
        for path in ["state/luminos", "way"] {
            assert_eq!(root.directory(&RelPath::from(path)).unwrap_err().why, Why::OwnState, "{path}");
        }
        root.file(&RelPath::from("state/luminos-other/b.txt")).unwrap();
    }
    let root = fixture.root().without_own_state(&target, &target.join("state/luminos"));
    let mut session =
        crate::Session::new(crate::Scope::Dir, luminos_core::Fence::new(1), crate::Limits::default())
            .in_directory(std::sync::Arc::new(root), RelPath::root());
    let text =
        crate::fixture::told(&mut session, "search", serde_json::json!({ "pattern": "needle", "all": true }));
    assert!(
        text.contains("in the target") && text.contains("beside it") && !text.contains("of our own"),
        "{text}"
    );
    // Beside the target, or around it, it needs no care here.
    assert!(!fixture.root().without_own_state(&target, &fixture.outside("state")).holds_own_state());
}
