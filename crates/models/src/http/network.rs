//! How the network is reached from where the user is: through which proxy, and whose certificates are trusted.
//!
//! Both are the user's variables, as a value: a daemon has others than the client that it asks for. What is on this
//! machine is never asked through a proxy.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use luminos_core::config::Surroundings;
use reqwest::{Certificate, NoProxy, Proxy};

use crate::error::{Error, Kind};

/// Addresses of this machine, as a list of exceptions.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";

/// What the user's variables say about the network. Proxies may have passwords, so nothing of it is shown.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Network {
    /// The proxy for addresses with encryption.
    https_proxy: Option<String>,
    /// The proxy for those without.
    http_proxy: Option<String>,
    /// What is asked without a proxy.
    no_proxy: String,
    /// The only certificates to trust; none trusts those of the system.
    certificate_file: Option<PathBuf>,
    /// A directory of such.
    certificate_dir: Option<PathBuf>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Network")
    }
}

/// Variables that this is made of. Of two spellings the first counts.
pub(crate) const NETWORK_VARIABLES: [&str; 10] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

impl Network {
    /// What these surroundings say.
    pub fn of(around: &Surroundings) -> Self {
        let text = |names: [&str; 2]| {
            let value = names.iter().find_map(|name| around.variable(name)).and_then(OsStr::to_str);
            value.map(str::to_owned)
        };
        let all = text(["ALL_PROXY", "all_proxy"]);
        // A daemon stands elsewhere than whoever asks it.
        let path = |name| around.variable(name).map(|path| around.current_dir.join(path));
        Self {
            https_proxy: text(["HTTPS_PROXY", "https_proxy"]).or_else(|| all.clone()),
            http_proxy: text(["HTTP_PROXY", "http_proxy"]).or(all),
            no_proxy: text(["NO_PROXY", "no_proxy"]).unwrap_or_default(),
            certificate_file: path("SSL_CERT_FILE"),
            certificate_dir: path("SSL_CERT_DIR"),
        }
    }

    /// Sets a client up for this network. What the process's own environment says does not count.
    pub(super) fn set_up(&self, builder: reqwest::ClientBuilder) -> Result<reqwest::ClientBuilder, Error> {
        let mut builder = builder.no_proxy();
        let exceptions = || NoProxy::from_string(&format!("{},{LOOPBACK}", self.no_proxy));
        if let Some(proxy) = &self.https_proxy {
            let proxy = usable(proxy).and_then(|proxy| Proxy::https(proxy).ok());
            let proxy = proxy.ok_or_else(|| unusable("HTTPS_PROXY"))?;
            builder = builder.proxy(proxy.no_proxy(exceptions()));
        }
        if let Some(proxy) = &self.http_proxy {
            let proxy = usable(proxy).and_then(|proxy| Proxy::http(proxy).ok());
            let proxy = proxy.ok_or_else(|| unusable("HTTP_PROXY"))?;
            builder = builder.proxy(proxy.no_proxy(exceptions()));
        }
        let certificates = self.certificates()?;
        if !certificates.is_empty() {
            builder = builder.tls_certs_only(certificates);
        }
        Ok(builder)
    }

    fn certificates(&self) -> Result<Vec<Certificate>, Error> {
        let mut found = Vec::new();
        if let Some(file) = &self.certificate_file {
            found
                .extend(read_certificates(file).map_err(|why| bad_certificates("SSL_CERT_FILE", file, why))?);
        }
        if let Some(dir) = &self.certificate_dir {
            let entries =
                fs::read_dir(dir).map_err(|why| bad_certificates("SSL_CERT_DIR", dir, why.to_string()))?;
            // Other files lie in such directories, too.
            found.extend(
                entries.flatten().filter_map(|entry| read_certificates(&entry.path()).ok()).flatten(),
            );
        }
        Ok(found)
    }
}

fn read_certificates(path: &Path) -> Result<Vec<Certificate>, String> {
    // Only a regular file: a pipe that lies in a directory would never end.
    if !fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let found = Certificate::from_pem_bundle(&text).map_err(|_| "it holds no certificates".to_owned())?;
    if found.is_empty() { Err("it holds no certificates".to_owned()) } else { Ok(found) }
}

/// A proxy of a kind that there is; without a kind it is an HTTP proxy.
fn usable(proxy: &str) -> Option<&str> {
    let kind = proxy.split_once("://").map_or("http", |(kind, _)| kind);
    ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(&kind).then_some(proxy)
}

/// The address may hold a password, so it is not shown.
fn unusable(variable: &str) -> Error {
    Error::new(Kind::Misconfigured, "the proxy")
        .message(format!("{variable} (or ALL_PROXY) is no address of one, such as http://proxy.example:3128"))
}

fn bad_certificates(variable: &str, path: &Path, why: String) -> Error {
    let shown = luminos_core::Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal();
    Error::new(Kind::Misconfigured, "the network").message(format!("{variable} names `{shown}`: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(variables: &[(&str, &str)]) -> Network {
        Network::of(&Surroundings {
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
            ..Surroundings::default()
        })
    }

    #[test]
    fn the_usual_variables_are_understood_in_both_spellings() {
        let both =
            network(&[("https_proxy", "http://a:1"), ("ALL_PROXY", "http://b:2"), ("NO_PROXY", "c.d")]);
        assert_eq!(both.https_proxy.as_deref(), Some("http://a:1"));
        assert_eq!(both.http_proxy.as_deref(), Some("http://b:2"));
        assert_eq!(both.no_proxy, "c.d");
        assert_eq!(network(&[("HTTPS_PROXY", "")]), Network::default());
    }

    #[test]
    fn what_cannot_work_is_said_without_the_password() {
        let set_up = |variables: &[(&str, &str)]| {
            let set_up = network(variables).set_up(reqwest::Client::builder());
            set_up.map(drop).map_err(|error| error.to_string())
        };
        let shown = set_up(&[("HTTPS_PROXY", "nonsense://me:SECRET@x")]).unwrap_err();
        assert!(shown.contains("HTTPS_PROXY") && !shown.contains("SECRET"), "{shown}");
        let shown = set_up(&[("SSL_CERT_FILE", "/nowhere/at/all.pem")]).unwrap_err();
        assert!(shown.contains("SSL_CERT_FILE names `/nowhere/at/all.pem`"), "{shown}");
        assert_eq!(set_up(&[("ALL_PROXY", "socks5://127.0.0.1:9")]), Ok(()));
    }
}
