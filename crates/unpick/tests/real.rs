//! Real programs, from Debian's source packages, built with the wrapper and nothing else (`tests/real`).
//!
//! Each is run under random schedules on real input, with an oracle for its output: it has to be right every
//! time. Each patch takes out one lock: that must be found, and repeat itself exactly.
//!
//! As a test only the quick ones, and few schedules; `UNPICK_REAL=full` (`make eval-real`) takes all of them at
//! full length and prints a table. What is named on the command line, only that. Where a source cannot be had,
//! the program is skipped, with a message.

use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

struct Program {
    name: String,
    about: toml::Table,
    folder: PathBuf,
}

struct Lengths {
    schedules: u64,
    replays: u64,
    patches: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout")
}

fn unpick() -> PathBuf {
    let usual = || root().join("target/release/unpick");
    std::env::var_os("UNPICK_BIN").map_or_else(usual, PathBuf::from)
}

fn main() -> ExitCode {
    let full = std::env::var("UNPICK_REAL").is_ok_and(|value| value == "full");
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let lengths = match full {
        true => Lengths { schedules: 200, replays: 100, patches: true },
        false => Lengths { schedules: 10, replays: 10, patches: false },
    };
    let mut failed = false;
    println!("{}", Row::head());
    for program in programs() {
        let is_wanted = match wanted.is_empty() {
            true => full || program.flag("quick"),
            false => wanted.iter().any(|name| program.name.contains(name.as_str())),
        };
        if is_wanted {
            for problem in program.check(&lengths) {
                failed = true;
                println!("{}: {problem}", program.name);
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn programs() -> Vec<Program> {
    let folder = root().join("tests/real");
    let entries = std::fs::read_dir(&folder).expect("tests/real");
    let mut found: Vec<Program> = entries
        .map(|entry| entry.expect("a folder's entry").path())
        .filter(|path| path.is_dir())
        .map(|folder| {
            let text = std::fs::read_to_string(folder.join("real.toml")).expect("real.toml");
            let about = text.parse().unwrap_or_else(|error| panic!("{folder:?}: {error}"));
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            Program { name, about, folder }
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// A line of the table.
#[derive(Default)]
struct Row {
    name: String,
    language: String,
    version: String,
    built: f64,
    strategy: String,
    stats: Value,
    result: String,
    replays: String,
}

impl Row {
    fn head() -> String {
        format!(
            "{:24} {:4} {:28} {:>7} {:8} {:>5} {:>7} {:>7} {:>10} {:>8}  {:28} {}",
            "program",
            "",
            "version",
            "build s",
            "strategy",
            "runs",
            "passing",
            "failing",
            "events/run",
            "seconds",
            "found",
            "replays"
        )
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |name: &str| self.stats[name].as_u64().unwrap_or(0);
        write!(
            f,
            "{:24} {:4} {:28} {:>7.1} {:8} {:>5} {:>7} {:>7} {:>10} {:>8.1}  {:28} {}",
            self.name,
            self.language,
            self.version,
            self.built,
            self.strategy,
            count("runs"),
            count("passing"),
            count("failing"),
            count("events") / count("runs").max(1),
            self.stats["seconds"].as_f64().unwrap_or(0.0),
            self.result,
            self.replays
        )
    }
}

impl Program {
    fn text(&self, key: &str) -> &str {
        let text = self.about.get(key).and_then(toml::Value::as_str);
        text.unwrap_or_else(|| panic!("{}: real.toml has no text `{key}`", self.name))
    }

    fn flag(&self, key: &str) -> bool {
        self.about.get(key).and_then(toml::Value::as_bool).unwrap_or(false)
    }

    fn number(&self, key: &str, usual: i64) -> i64 {
        self.about.get(key).and_then(toml::Value::as_integer).unwrap_or(usual)
    }

    fn list(&self, key: &str) -> Vec<String> {
        let list = self.about.get(key).and_then(toml::Value::as_array);
        let list = list.unwrap_or_else(|| panic!("{}: real.toml has no list `{key}`", self.name));
        list.iter().map(|item| item.as_str().expect("text").to_string()).collect()
    }

    /// Builds and runs it, and its patched variants; what is wrong.
    fn check(&self, lengths: &Lengths) -> Vec<String> {
        let mut problems = Vec::new();
        problems.extend(self.check_unchanged(lengths).err());
        let none = Vec::new();
        let patches = self.about.get("patch").and_then(toml::Value::as_array).unwrap_or(&none);
        for patch in patches.iter().filter(|_| lengths.patches) {
            problems.extend(self.check_patched(patch, lengths).err());
        }
        problems
    }

    fn check_unchanged(&self, lengths: &Lengths) -> Result<(), String> {
        let Some((program, built)) = self.build("unpick")? else { return Ok(()) };
        let stage = Stage::new(self, &program)?;
        let runs = lengths.schedules.to_string();
        let document = stage.explore(&["--strategy", "random", "--all", "--runs", &runs])?;
        let mut row = self.row(self.name.clone(), built, "random", &document);
        let stats = &document["stats"];
        let mut problem = None;
        if stats["passing"].as_u64() == Some(lengths.schedules) {
            row.result = "right every time".into();
        } else if stats["failing"].as_u64() > Some(0) {
            // A bug of the program itself is a result, too, if it repeats itself.
            row.result = found(&document);
            (row.replays, problem) = stage.replay(&document, lengths.replays);
            problem
                .get_or_insert(format!("{}: {}", row.result, document["findings"][0]["message"]));
        } else {
            problem = Some(format!("runs that did not end: {document:#}"));
        }
        println!("{row}");
        problem.map_or(Ok(()), Err)
    }

    fn check_patched(&self, patch: &toml::Value, lengths: &Lengths) -> Result<(), String> {
        let text = |key: &str| patch.get(key).and_then(toml::Value::as_str);
        let name = text("name").ok_or("a patch has no name")?;
        let strategy = text("strategy").unwrap_or("random");
        let runs = patch.get("runs").and_then(toml::Value::as_integer).unwrap_or(300).to_string();
        let Some((program, built)) = self.build(name)? else { return Ok(()) };
        let stage = Stage::new(self, &program)?;
        let document = stage.explore(&["--strategy", strategy, "--runs", &runs])?;
        let mut row = self.row(format!("{} - {name}", self.name), built, strategy, &document);
        row.result = found(&document);
        let mut problem = None;
        if document["verdict"] == "bug" {
            (row.replays, problem) = stage.replay(&document, lengths.replays);
        }
        println!("{row}");
        if document["verdict"] != "bug" {
            return Err(format!("{name}: not found: {document:#}"));
        }
        problem.map_or(Ok(()), |problem| Err(format!("{name}: {problem}")))
    }

    fn row(&self, name: String, built: f64, strategy: &str, document: &Value) -> Row {
        Row {
            name,
            built,
            language: self.text("language").into(),
            version: self.version(),
            strategy: strategy.into(),
            stats: document["stats"].clone(),
            ..Row::default()
        }
    }

    /// From the name of the source package's description.
    fn version(&self) -> String {
        let store = std::env::var_os("UNPICK_SOURCES")
            .map_or_else(|| root().join("target/sources"), PathBuf::from);
        let entries = std::fs::read_dir(store.join("packages").join(self.text("package")));
        let names = entries.into_iter().flatten().flatten();
        let names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let description = names.iter().find_map(|name| name.strip_suffix(".dsc"));
        description.map_or("?".into(), |name| name.split('_').nth(1).unwrap_or("?").to_string())
    }

    /// The program's path, and how long it took; `None`: its source cannot be had.
    fn build(&self, flavour: &str) -> Result<Option<(PathBuf, f64)>, String> {
        let begun = Instant::now();
        let output = Command::new(root().join("scripts/build-real"))
            .args([&self.name, flavour])
            .output()
            .map_err(|error| error.to_string())?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {
                let source = String::from_utf8_lossy(&output.stdout).trim().to_string();
                let program = Path::new(&source).join(self.text("program"));
                Ok(Some((program, begun.elapsed().as_secs_f64())))
            }
            Some(77) => {
                println!("{}: skipped: {}", self.name, complaint.trim());
                Ok(None)
            }
            _ => Err(format!("the build failed: {complaint}")),
        }
    }
}

/// Kind and place of the first finding.
fn found(document: &Value) -> String {
    let finding = &document["findings"][0];
    let kind = finding["kind"].as_str().unwrap_or("nothing");
    match document["stats"]["runs_to_first_bug"].as_u64() {
        Some(run) => format!("{kind} in run {run}"),
        None => kind.to_string(),
    }
}

/// A port that is free now. Not one that the system itself gives out: a client that tries such a port before
/// anybody listens may come to be connected with itself.
fn free_port() -> Option<u16> {
    let from = 20_000 + (std::process::id() % 10_000) as u16;
    (from..32_000).find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
}

/// A program with its input, ready to run.
struct Stage<'a> {
    about: &'a Program,
    program: &'a Path,
    folder: tempfile::TempDir,
    port: u16,
}

impl<'a> Stage<'a> {
    fn new(about: &'a Program, program: &'a Path) -> Result<Stage<'a>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let port = free_port().ok_or("no port is free")?;
        let stage = Stage { about, program, folder, port };
        std::fs::create_dir(stage.sandbox()).map_err(|error| error.to_string())?;
        let status = Command::new("sh")
            .args(["-c", &stage.fill(about.text("input"))])
            .current_dir(stage.sandbox())
            .status();
        match status {
            Ok(status) if status.success() => Ok(stage),
            other => Err(format!("the input cannot be made: {other:?}")),
        }
    }

    fn sandbox(&self) -> PathBuf {
        self.folder.path().join("sandbox")
    }

    /// Puts in what is known only now.
    fn fill(&self, text: &str) -> String {
        text.replace("@here@", self.about.folder.to_str().expect("a path of letters"))
            .replace("@program@", self.program.to_str().expect("a path of letters"))
            .replace("@port@", &self.port.to_string())
    }

    fn explore(&self, options: &[&str]) -> Result<Value, String> {
        let jobs = self.about.number("jobs", 2);
        let steps = self.about.number("steps", 10_000_000);
        let mut command = Command::new(unpick());
        command.arg("explore").arg(self.program).args(options);
        command.args(["--json", "--run-time", "60", "--max-steps", &steps.to_string()]);
        command.args(["--jobs", &jobs.to_string()]);
        command.arg("--sandbox-dir").arg(self.sandbox());
        command.args(self.about.list("options").iter().map(|option| self.fill(option)));
        command.arg("--");
        command.args(self.about.list("arguments").iter().map(|argument| self.fill(argument)));
        self.document(command)
    }

    fn document(&self, mut command: Command) -> Result<Value, String> {
        let command = command.current_dir(self.folder.path()).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("{command:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })
    }

    /// How many of the replays were the same, and what is wrong if not all were.
    fn replay(&self, found: &Value, times: u64) -> (String, Option<String>) {
        let Some(trace) = found["findings"][0]["trace"].as_str() else {
            return ("-".into(), Some("no trace was saved".into()));
        };
        let mut command = Command::new(unpick());
        command.args(["replay", trace, "-n", &times.to_string(), "--json", "--run-time", "60"]);
        match self.document(command) {
            Ok(document) => {
                let identical = document["stats"]["identical"].as_u64().unwrap_or(0);
                let problem = (identical != times).then(|| format!("replays differ: {document:#}"));
                (format!("{identical}/{times}"), problem)
            }
            Err(error) => ("-".into(), Some(error)),
        }
    }
}
