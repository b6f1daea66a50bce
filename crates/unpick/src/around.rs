//! What a program has around it while it is run, and how long a run may take: options of every command that runs it.

use crate::common::{self, Common, Problem};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unpick_engine::{Config, Mode};
use unpick_model::Surroundings;

#[derive(Clone, Args)]
pub struct Around {
    /// Seconds after which a run ends
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = common::positive_time)]
    pub run_time: f64,
    /// The exit status that counts as passing
    #[arg(long, value_name = "N", default_value_t = 0)]
    expect_exit: i32,
    /// A file for the program's standard input (`-`: all of ours)
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Start each run in a fresh copy of this folder
    #[arg(long, value_name = "DIR")]
    sandbox_dir: Option<PathBuf>,
    /// A shell command that gets a run's output on its standard input, and succeeds where the run is wrong
    #[arg(long, value_name = "COMMAND")]
    fail_if: Option<String>,
    /// A shell command that drives the program from outside, started beside each run; at its end the program
    /// gets SIGTERM, and if it fails, the run has failed
    #[arg(long, value_name = "COMMAND")]
    client: Option<String>,
    /// Start a new process for each run in place of a fork
    #[arg(long)]
    exec: bool,
}

impl Around {
    pub fn run_time(&self) -> Result<Duration, Problem> {
        Duration::try_from_secs_f64(self.run_time)
            .map_err(|_| Problem::Input(format!("--run-time: {} is not a time", self.run_time)))
    }

    /// Tells an executor of it.
    pub fn configure(&self, config: &mut Config, common: &Common) -> Result<(), Problem> {
        config.surroundings = self.surroundings(common)?;
        config.scratch = Some(common.out.join(format!("sandbox-{}", std::process::id())));
        config.cpu = Some(0);
        if self.exec {
            config.mode = Mode::Fresh;
        }
        Ok(())
    }

    /// The same as words, for a call of this tool that has another standard input.
    pub fn words(&self, common: &Common) -> Result<Vec<String>, Problem> {
        let around = self.surroundings(common)?;
        let mut words = vec![format!("--run-time={}", self.run_time)];
        words.push(format!("--expect-exit={}", around.expected_exit));
        words.extend(around.stdin.map(|file| format!("--stdin={file}")));
        words.extend(around.sandbox.map(|folder| format!("--sandbox-dir={folder}")));
        words.extend(around.fail_if.map(|command| format!("--fail-if={command}")));
        words.extend(around.client.map(|command| format!("--client={command}")));
        words.extend(self.exec.then(|| "--exec".to_string()));
        Ok(words)
    }

    /// With paths that hold wherever we are.
    fn surroundings(&self, common: &Common) -> Result<Surroundings, Problem> {
        let path = |path: &Path| {
            let wrong = |error| Problem::Input(format!("{}: {error}", path.display()));
            let full = std::fs::canonicalize(path).map_err(wrong)?;
            let text = full.to_str().map(str::to_string);
            text.ok_or_else(|| Problem::Input(format!("{}: not UTF-8", path.display())))
        };
        let stdin = match &self.stdin {
            Some(file) if file.as_os_str() == "-" => Some(path(&common::keep_stdin(common)?)?),
            Some(file) => Some(path(file)?),
            // A file is the same for every run; a terminal or a pipe is not.
            None => common::stdin_file().map(|file| path(&file)).transpose()?,
        };
        Ok(Surroundings {
            stdin,
            sandbox: self.sandbox_dir.as_deref().map(path).transpose()?,
            client: self.client.clone(),
            fail_if: self.fail_if.clone(),
            expected_exit: self.expect_exit,
        })
    }
}
