//! A headless Chromium on two pipes: it is told what to do and asked what it sees, in its DevTools protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// One browser with one page, for one test. It ends with the test.
pub(super) struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    next: u64,
    events: Vec<Value>,
    folder: tempfile::TempDir,
}

const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                     --disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe";

impl Browser {
    #[expect(clippy::disallowed_methods, reason = "a test starts the browser it looks through")]
    #[track_caller]
    pub(super) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Chromium reads from its third and writes to its fourth descriptor.
        let command = format!(
            "exec timeout 120 chromium {FLAGS} --user-data-dir={}/profile about:blank 3<&0 4>&1 >/dev/null 2>&1",
            folder.path().display()
        );
        let mut process = Command::new("sh")
            .args(["-c", &command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut browser = Self { process, to, from, session: None, next: 0, events: Vec::new(), folder };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method and waits for its answer; events that come in between are kept.
    #[track_caller]
    pub(super) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.to.write_all(&bytes).expect("chromium runs (tests/run installs it)");
        loop {
            let message = self.hear();
            if message["id"] == json!(self.next) {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "chromium has ended (tests/run installs it where it is missing)");
        serde_json::from_slice(&bytes).unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    /// Opens a page and waits until it has loaded.
    pub(super) fn open(&mut self, html: &str) {
        let path: PathBuf = self.folder.path().join("page.html");
        std::fs::write(&path, html).unwrap();
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", path.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.hear();
            self.events.push(event);
        }
    }

    /// What an expression comes to.
    #[track_caller]
    pub(super) fn tell(&mut self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "includeCommandLineAPI": false}),
        );
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].clone()
    }

    /// Waits until something is there. Each question lets the page go on.
    #[track_caller]
    pub(super) fn until(&mut self, expression: &str) {
        let expression = format!(
            "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(Boolean({expression})))))"
        );
        for _ in 0..200 {
            let answer = self.call(
                "Runtime.evaluate",
                json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
            );
            if answer["result"]["value"] == json!(true) {
                return;
            }
        }
        panic!("it never came: {expression}");
    }

    pub(super) fn press(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { "" };
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowRight" => 39,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// All text on the page, whether it could run scripts or not.
    pub(super) fn text(&mut self) -> String {
        let document = self.call("DOM.getDocument", json!({"depth": -1}));
        fn collect(node: &Value, into: &mut String) {
            if matches!(node["nodeName"].as_str(), Some("SCRIPT" | "STYLE")) {
                return;
            }
            if node["nodeType"] == json!(3) {
                into.push_str(node["nodeValue"].as_str().unwrap_or_default());
                into.push(' ');
            }
            for child in node["children"].as_array().into_iter().flatten() {
                collect(child, into);
            }
        }
        let mut text = String::new();
        collect(&document["root"], &mut text);
        text
    }

    /// What the browser complained about since the page was opened.
    pub(super) fn complaints(&mut self) -> Vec<String> {
        self.tell("0");
        let is_one = |event: &&Value| {
            let method = event["method"].as_str().unwrap_or_default();
            matches!(method, "Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled")
        };
        self.events.iter().filter(is_one).map(|event| event["params"].to_string()).collect()
    }

    /// What it asked for since the page was opened.
    pub(super) fn requests(&mut self) -> Vec<String> {
        self.tell("0");
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.map(|event| event["params"]["request"]["url"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
