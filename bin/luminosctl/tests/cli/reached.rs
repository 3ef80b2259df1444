//! Models that are reached as the user's variables say: through a proxy, and trusting a certificate of the house. What
//! counts is what the client's variables say, though the daemon was started without them.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use luminos_model_server::Policy;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::machine::finish;
use crate::site::{PATIENCE, Site, project};

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/reached/ca.pem");
const CERTIFICATE: &[u8] = include_bytes!("reached/server.pem");
const KEY: &[u8] = include_bytes!("reached/key.pem");

/// Listens on loopback and serves each connection on a thread of its own.
fn listen(serve: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            // A client that goes away in the middle is its own affair.
            thread::spawn(move || serve(connection));
        }
    });
    address
}

/// Reads one request to its end, as far as its length is told.
fn read_request(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    let mut from = BufReader::new(from);
    let mut length = 0;
    loop {
        let mut line = Vec::new();
        if from.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = String::from_utf8_lossy(&line).to_lowercase();
        if let Some(told) = text.strip_prefix("content-length:") {
            length = told.trim().parse().unwrap_or(0);
        }
        if text.trim().is_empty() {
            request.extend_from_slice(b"connection: close\r\n\r\n");
            break;
        }
        request.extend_from_slice(&line);
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    request.extend(body);
    Ok(request)
}

/// A server with encryption in front of another, with the certificate of `model.test` and `localhost`.
fn encrypted(server: SocketAddr) -> SocketAddr {
    let chain = vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = Arc::new(config.unwrap().with_no_client_auth().with_single_cert(chain, key).unwrap());
    listen(move |connection| {
        let session = rustls::ServerConnection::new(Arc::clone(&config)).map_err(io::Error::other)?;
        let mut client = rustls::StreamOwned::new(session, connection);
        let request = read_request(&mut client)?;
        let mut behind = TcpStream::connect(server)?;
        behind.write_all(&request)?;
        io::copy(&mut behind, &mut client)?;
        client.conn.send_close_notify();
        client.flush()
    })
}

/// A proxy that connects everybody to the same server, and remembers whom they wanted.
fn proxy(server: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let wanted = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&wanted);
    let address = listen(move |mut client| {
        let mut head = BufReader::new(client.try_clone()?);
        let mut first = String::new();
        head.read_line(&mut first)?;
        let mut line = String::new();
        while 2 < head.read_line(&mut line)? {
            line.clear();
        }
        seen.lock().unwrap().push(first.trim().to_owned());
        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
        let behind = TcpStream::connect(server)?;
        let (mut up, mut down) = (behind.try_clone()?, client.try_clone()?);
        thread::spawn(move || {
            let _ = io::copy(&mut head, &mut up);
            up.shutdown(Shutdown::Write)
        });
        io::copy(&mut &behind, &mut down)?;
        down.shutdown(Shutdown::Both)
    });
    (address, wanted)
}

/// A site whose daemon runs already, without any of the variables below.
fn site_with_daemon() -> Site {
    let site = Site::new(project(), Policy::default());
    let started = site.machine.run("daemon start");
    assert_eq!(started.code, Some(0), "{started}");
    site
}

const ASK: [&str; 4] = ["ask", "--model", "anthropic/claude-haiku-5-5", "Hello?"];
const RUN: [&str; 4] = ["run", "--model", "anthropic/claude-haiku-5-5", "."];

#[test]
fn a_proxy_of_the_users_is_used_by_ask_and_by_run_though_the_daemon_runs_already() {
    let site = site_with_daemon();
    let (proxy, wanted) = proxy(encrypted(site.server.address()));
    let proxy = format!("http://{proxy}");
    for arguments in [ASK, RUN] {
        let mut command = site.machine.command(&arguments);
        command.env("ANTHROPIC_API_KEY", "key-of-a-test").env("ANTHROPIC_BASE_URL", "https://model.test");
        command.env("HTTPS_PROXY", &proxy).env("SSL_CERT_FILE", AUTHORITY);
        let ended = site.machine.ended(finish(&mut command, PATIENCE));
        assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
        let wanted = std::mem::take(&mut *wanted.lock().unwrap());
        assert!(!wanted.is_empty(), "{arguments:?}");
        assert!(wanted.iter().all(|line| line == "CONNECT model.test:443 HTTP/1.1"), "{wanted:?}");
    }
}

#[test]
fn a_certificate_of_the_users_is_trusted_by_ask_and_by_run_though_the_daemon_runs_already() {
    let site = site_with_daemon();
    let address = format!("https://localhost:{}", encrypted(site.server.address()).port());
    for arguments in [ASK, RUN] {
        let mut command = site.machine.command(&arguments);
        command.env("ANTHROPIC_API_KEY", "key-of-a-test").env("ANTHROPIC_BASE_URL", &address);
        command.env("SSL_CERT_FILE", AUTHORITY);
        let ended = site.machine.ended(finish(&mut command, PATIENCE));
        assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
    }
}

/// Whoever stands in a directory may name a file in it; the daemon stands elsewhere.
#[test]
fn a_relative_certificate_file_is_found_by_ask_and_by_run() {
    let site = site_with_daemon();
    let address = format!("https://localhost:{}", encrypted(site.server.address()).port());
    site.machine.write("ca.pem", std::fs::read(AUTHORITY).unwrap());
    for arguments in [ASK, RUN] {
        let mut command = site.machine.command(&arguments);
        command.env("ANTHROPIC_API_KEY", "key-of-a-test").env("ANTHROPIC_BASE_URL", &address);
        command.env("SSL_CERT_FILE", "../ca.pem");
        let ended = site.machine.ended(finish(&mut command, PATIENCE));
        assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
    }
}

#[test]
fn what_is_on_this_machine_or_excepted_is_never_asked_through_a_proxy() {
    let site = site_with_daemon();
    let (proxy, wanted) = proxy(site.server.address());
    let proxy = format!("http://{proxy}");
    let variables = |arguments: &[&str], base: &str, exceptions: &str| {
        let mut command = site.machine.command(arguments);
        command.env("ANTHROPIC_API_KEY", "key-of-a-test").env("ANTHROPIC_BASE_URL", base);
        command.env("HTTP_PROXY", &proxy).env("ALL_PROXY", &proxy).env("NO_PROXY", exceptions);
        site.machine.ended(finish(&mut command, PATIENCE))
    };
    for arguments in [&ASK[..], &[&RUN[..], &["--fresh"]].concat()] {
        let here = variables(arguments, &site.server.url(), "");
        assert_eq!(here.code, Some(0), "{here}");
        // It does not exist: nobody is reached, and the proxy least of all.
        let excepted = variables(arguments, "http://model.test", "example.com,.test");
        assert_eq!(excepted.code, Some(1), "{excepted}");
    }
    assert_eq!(*wanted.lock().unwrap(), Vec::<String>::new());
}
