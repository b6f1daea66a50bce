//! A process to which lines are told and from which lines are heard, within a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

pub(super) struct Process {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    pub(super) fn start(command: &[String]) -> Result<Process, String> {
        let (name, arguments) = command.split_first().ok_or("no command for a solver")?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                format!("the solver {name} could not be started ({error}): is it installed?")
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("the solver {name} has no pipes"));
        };
        let (sender, lines) = channel();
        // Ends with the process, whose output ends then.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { name: name.clone(), child, input, lines })
    }

    pub(super) fn tell(&mut self, text: &str) -> Result<(), String> {
        self.input
            .write_all(text.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("the solver {} does not listen any more: {error}", self.name))
    }

    /// The next line.
    pub(super) fn hear(&mut self, deadline: Instant) -> Result<String, String> {
        let patience = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("{}: timeout", self.name),
            RecvTimeoutError::Disconnected => format!("the solver {} has ended", self.name),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
