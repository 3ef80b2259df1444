//! Probes at the network, and at sockets of this machine: our own control socket among them.
#![expect(unsafe_code, reason = "probes are system calls")]

use libc::{AF_INET, AF_INET6, AF_UNIX, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM, c_int};

use crate::stage::{Probe, Stage, Verdict, call};

pub(crate) const PROBES: &[Probe] = &[
    ("tcp_connect", |s| tcp(s, Tcp::Connect)),
    ("tcp_listen", |s| tcp(s, Tcp::Listen)),
    ("tcp6_socket", |_| socket(AF_INET6, SOCK_STREAM)),
    ("udp_send", udp_send),
    ("raw_socket", |_| call(libc::SYS_socket, &[i64::from(AF_INET), i64::from(SOCK_RAW), 1])),
    ("packet_socket", |_| socket(libc::AF_PACKET, SOCK_DGRAM)),
    ("netlink_socket", |_| socket(libc::AF_NETLINK, SOCK_RAW)),
    ("vsock_socket", |_| socket(libc::AF_VSOCK, SOCK_STREAM)),
    ("crypto_socket", |_| socket(libc::AF_ALG, libc::SOCK_SEQPACKET)),
    ("control_socket", |s| unix(&s.outside("control.sock").into_bytes(), SOCK_STREAM)),
    ("log_socket", |s| unix(&s.outside("log.sock").into_bytes(), SOCK_DGRAM)),
    ("abstract_socket", |s| unix(&[&[0], s.fact("abstract").as_bytes()].concat(), SOCK_STREAM)),
    ("log_socket_by_pair", log_socket_by_pair),
    ("bind_outside", bind_outside),
    #[cfg(target_arch = "x86_64")]
    ("socket_by_i386_call", socket_by_i386_call),
    #[cfg(target_arch = "x86_64")]
    ("socket_by_x32_call", |_| {
        call(0x4000_0000 | libc::SYS_socket, &[i64::from(AF_UNIX), i64::from(SOCK_STREAM)])
    }),
];

fn socket(family: c_int, kind: c_int) -> Verdict {
    call(libc::SYS_socket, &[i64::from(family), i64::from(kind)])
}

enum Tcp {
    Connect,
    Listen,
}

fn loopback(port: i64) -> libc::sockaddr_in {
    // SAFETY: all zeroes is an address.
    let mut address: libc::sockaddr_in = unsafe { std::mem::zeroed() };
    address.sin_family = AF_INET as u16;
    address.sin_port = u16::try_from(port).unwrap_or(0).to_be();
    address.sin_addr.s_addr = u32::from_ne_bytes([127, 0, 0, 1]);
    address
}

fn tcp(stage: &Stage, what: Tcp) -> Verdict {
    let address = loopback(if matches!(what, Tcp::Connect) { stage.number("tcp") } else { 0 });
    // SAFETY: the address has the size that is said.
    unsafe {
        let fd = libc::socket(AF_INET, SOCK_STREAM, 0);
        if fd < 0 {
            return Verdict::of(-1);
        }
        let (pointer, size) = ((&raw const address).cast(), size_of_val(&address) as u32);
        Verdict::of(i64::from(match what {
            Tcp::Connect => libc::connect(fd, pointer, size),
            Tcp::Listen => libc::bind(fd, pointer, size) | libc::listen(fd, 1),
        }))
    }
}

fn udp_send(stage: &Stage) -> Verdict {
    let address = loopback(stage.number("udp"));
    // SAFETY: one byte, and an address of the size that is said.
    unsafe {
        let fd = libc::socket(AF_INET, SOCK_DGRAM, 0);
        if fd < 0 {
            return Verdict::of(-1);
        }
        let size = size_of_val(&address) as u32;
        Verdict::of(libc::sendto(fd, c"x".as_ptr().cast(), 1, 0, (&raw const address).cast(), size) as i64)
    }
}

fn unix_address(name: &[u8]) -> (libc::sockaddr_un, u32) {
    // SAFETY: all zeroes is an address.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = AF_UNIX as u16;
    for (place, byte) in address.sun_path.iter_mut().zip(name) {
        *place = *byte as libc::c_char;
    }
    (address, (size_of::<u16>() + name.len().min(108)) as u32)
}

fn unix(name: &[u8], kind: c_int) -> Verdict {
    let (address, size) = unix_address(name);
    // SAFETY: an address of the size that is said.
    unsafe {
        let fd = libc::socket(AF_UNIX, kind, 0);
        if fd < 0 {
            return Verdict::of(-1);
        }
        Verdict::of(i64::from(libc::connect(fd, (&raw const address).cast(), size)))
    }
}

/// One end of a pair of datagram sockets can send to any socket that has a name, without `socket` or `connect`.
fn log_socket_by_pair(stage: &Stage) -> Verdict {
    let (address, size) = unix_address(&stage.outside("log.sock").into_bytes());
    let mut pair = [0; 2];
    // SAFETY: room for two descriptors, one byte, and an address of the size that is said.
    unsafe {
        if libc::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.as_mut_ptr()) < 0 {
            return Verdict::of(-1);
        }
        Verdict::of(
            libc::sendto(pair[0], c"x".as_ptr().cast(), 1, 0, (&raw const address).cast(), size) as i64
        )
    }
}

fn bind_outside(stage: &Stage) -> Verdict {
    let (address, size) = unix_address(&stage.outside("bound.sock").into_bytes());
    // SAFETY: an address of the size that is said.
    unsafe {
        let fd = libc::socket(AF_UNIX, SOCK_STREAM, 0);
        if fd < 0 {
            return Verdict::of(-1);
        }
        Verdict::of(i64::from(libc::bind(fd, (&raw const address).cast(), size)))
    }
}

/// The numbers of another architecture, which a filter that looks at numbers alone would misread.
#[cfg(target_arch = "x86_64")]
fn socket_by_i386_call(_: &Stage) -> Verdict {
    const SOCKET: i32 = 359;
    let answer: i32;
    // SAFETY: a system call by the old gate, with numbers only. The compiler keeps `rbx` for itself, so that it is
    // put back.
    unsafe {
        std::arch::asm!(
            "xchg {family:r}, rbx",
            "int 0x80",
            "xchg {family:r}, rbx",
            family = inout(reg) i64::from(AF_UNIX) => _,
            inlateout("eax") SOCKET => answer,
            in("ecx") SOCK_STREAM,
            in("edx") 0,
            lateout("r8") _, lateout("r9") _, lateout("r10") _, lateout("r11") _,
        );
    }
    Verdict::when(0 <= answer, "refused")
}
