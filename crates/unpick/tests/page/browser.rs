//! Chromium without a window, by its own protocol over a pair of pipes: just what these tests need of it.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Nothing that is asked here takes so long.
const PATIENCE: i32 = 120_000;

pub struct Browser {
    child: Child,
    to: File,
    from: File,
    read: Vec<u8>,
    asked: u64,
    session: Option<String>,
    /// Errors of scripts, and attempts to reach the network.
    pub complaints: Vec<String>,
    loaded: bool,
    _profile: tempfile::TempDir,
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    assert_eq!(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) }, 0, "a pipe");
    unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) }
}

impl Browser {
    /// `None`: there is no Chromium here.
    pub fn start() -> Option<Browser> {
        let profile = tempfile::tempdir().expect("a folder");
        let (its_input, to) = pipe();
        let (from, its_output) = pipe();
        let (input, output) = (its_input.as_raw_fd(), its_output.as_raw_fd());
        let mut command = Command::new("chromium");
        command
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // It reads from descriptor 3 and writes to 4.
        unsafe {
            command.pre_exec(move || {
                let (input, output) = (libc::dup(input), libc::dup(output));
                let done = libc::dup2(input, 3) == 3 && libc::dup2(output, 4) == 4;
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
            });
        }
        let child = command.spawn().ok()?;
        let mut browser = Browser {
            child,
            to: to.into(),
            from: from.into(),
            read: Vec::new(),
            asked: 0,
            session: None,
            complaints: Vec::new(),
            loaded: false,
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_string);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut text = message.to_string().into_bytes();
        text.push(0);
        self.to.write_all(&text).expect("Chromium takes a message");
        loop {
            let message = self.next();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn next(&mut self) -> Value {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == 0) {
                let message: Vec<u8> = self.read.drain(..=end).collect();
                return serde_json::from_slice(&message[..end]).expect("a message of Chromium");
            }
            let mut poll =
                libc::pollfd { fd: self.from.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            let ready = unsafe { libc::poll(&mut poll, 1, PATIENCE) };
            assert_eq!(ready, 1, "Chromium says nothing");
            let mut bytes = vec![0; 1 << 16];
            let count = self.from.read(&mut bytes).expect("Chromium's output");
            assert!(count > 0, "Chromium has ended");
            self.read.extend(&bytes[..count]);
        }
    }

    /// What it tells without being asked.
    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        let url = params["request"]["url"].as_str().unwrap_or_default();
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown") => self.complaints.push(params.to_string()),
            Some("Runtime.consoleAPICalled") if params["type"] != "log" => {
                self.complaints.push(params.to_string())
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params.to_string())
            }
            Some("Network.requestWillBeSent")
                if !url.starts_with("file:") && !url.starts_with("data:") =>
            {
                self.complaints.push(format!("asks for {url}"))
            }
            _ => {}
        }
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
    }

    pub fn open(&mut self, page: &Path) {
        self.loaded = false;
        let page = page.canonicalize().expect("the page");
        self.ask("Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        while !self.loaded {
            let message = self.next();
            self.note(&message);
        }
    }

    /// The value of an expression, awaited.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().map_or_else(|| panic!("{expression}: {value}"), str::to_string)
    }

    pub fn number(&mut self, expression: &str) -> i64 {
        let value = self.value(expression);
        value.as_i64().unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key });
            if key.len() == 1 && kind == "keyDown" {
                event["text"] = key.into();
            }
            self.ask("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
