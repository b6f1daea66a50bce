//! Options and errors that every command has.

use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unpick_build::BuildError;
use unpick_engine::EngineError;
use unpick_model::Verdict;
use unpick_report::Document;
use unpick_symbols::SymbolsError;
use unpick_trace::TraceError;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Clone, Debug, Args)]
pub struct Common {
    /// One JSON document on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    /// Where traces and builds go
    #[arg(long, value_name = "DIR", default_value = "unpick-out")]
    pub out: PathBuf,
    /// Seconds to spend [default: 60 for explore, unless --runs is given]
    #[arg(long, value_name = "SECONDS", value_parser = positive_time)]
    pub time: Option<f64>,
    /// Runs to spend
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,
    /// Programs to run at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// The most memory that a process of the program may take [default: 4096, or less where memory is short]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub memory: Option<u64>,
    /// The compiler's options for sources [default: compile_commands.json here or in build/, if there is one]
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Only the essential
    #[arg(short, long)]
    pub quiet: bool,
    /// More about what is done
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// For the compiler: what `target::prepare` makes of its options.
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub cflag: Vec<String>,
}

impl Default for Common {
    fn default() -> Common {
        Common {
            json: false,
            out: "unpick-out".into(),
            time: None,
            runs: None,
            jobs: None,
            memory: None,
            compile_commands: None,
            seed: 1,
            quiet: false,
            verbose: 0,
            color: Color::Auto,
            cflag: Vec::new(),
        }
    }
}

impl Common {
    pub fn color(&self) -> bool {
        use_color(self.color)
    }

    pub fn jobs(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or(processors, usize::from)
    }

    /// In bytes. Unless somebody says so, all programs together leave the machine half of its memory.
    pub fn memory(&self, jobs: usize) -> u64 {
        let (pages, size) =
            unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        let half = pages.max(0) as u64 * size.max(0) as u64 / 2;
        self.memory.map_or((half / jobs.max(1) as u64).clamp(1 << 28, 4 << 30), |mib| mib << 20)
    }
}

pub fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

fn terminal() -> Option<libc::winsize> {
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    let known = unsafe { libc::ioctl(1, libc::TIOCGWINSZ, &mut size) } == 0;
    known.then_some(size)
}

/// Columns of the terminal, or a width that fits most.
pub fn width() -> usize {
    let known = terminal().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 20);
    let asked = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    known.or_else(asked).unwrap_or(110)
}

/// Lines of the terminal, where there is one.
pub fn height() -> Option<usize> {
    terminal().map(|size| usize::from(size.ws_row)).filter(|lines| *lines > 0)
}

/// Set by Ctrl-C: finish what is under way, keep what was found.
pub fn interrupted() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        let _ = ctrlc::set_handler(|| {
            unpick_build::interrupt();
            // A second time means: now.
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &STOP
}

/// What can go wrong that is not the program's bug.
#[derive(Debug)]
pub enum Problem {
    /// The call or its input.
    Input(String),
    /// Undecided: a limit, or something unsupported.
    Undecided(String),
    /// Ours.
    Internal(String),
}

impl Problem {
    pub fn status(&self) -> u8 {
        match self {
            Problem::Input(_) => 2,
            Problem::Undecided(_) => 3,
            Problem::Internal(_) => 4,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Problem::Input(text) | Problem::Undecided(text) | Problem::Internal(text)) = self;
        f.write_str(text)
    }
}

impl From<BuildError> for Problem {
    fn from(error: BuildError) -> Problem {
        let text = error.to_string();
        if error.exit_status() == 2 { Problem::Input(text) } else { Problem::Internal(text) }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        let text = error.to_string();
        match error {
            EngineError::Start { .. }
            | EngineError::Surroundings { .. }
            | EngineError::Events(_)
            | EngineError::EndedEarly { .. }
            | EngineError::TooLong { .. } => Problem::Input(text),
            EngineError::Runtime(_) => Problem::Undecided(text),
            // Little memory, few descriptors: the surroundings, not us.
            EngineError::System { .. } | EngineError::Randomised => Problem::Undecided(text),
        }
    }
}

impl From<TraceError> for Problem {
    fn from(error: TraceError) -> Problem {
        Problem::Input(with_causes(&error))
    }
}

impl From<SymbolsError> for Problem {
    fn from(error: SymbolsError) -> Problem {
        Problem::Input(with_causes(&error))
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

pub fn error_document(command: &str, problem: &Problem) -> Document {
    let verdict = match problem {
        Problem::Undecided(_) => Verdict::Undecided,
        _ => Verdict::Error,
    };
    Document { reason: Some(problem.to_string()), ..Document::new(command, verdict) }
}

/// Makes the output folder, or says why it cannot be written.
pub fn output_folder(common: &Common) -> Result<(), Problem> {
    let folder = &common.out;
    let refused =
        |error| Problem::Input(format!("cannot write to the folder {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    // Better now than after an hour of work.
    let probe = folder.join(format!(".unpick-{}", std::process::id()));
    std::fs::write(&probe, b"").map_err(refused)?;
    let _ = std::fs::remove_file(probe);
    Ok(())
}

/// Our standard input where it is a file.
pub fn stdin_file() -> Option<PathBuf> {
    let path = std::fs::read_link("/proc/self/fd/0").ok()?;
    std::fs::metadata(&path).is_ok_and(|file| file.is_file()).then_some(path)
}

/// All of our standard input, as a file in the output folder.
pub fn keep_stdin(common: &Common) -> Result<PathBuf, Problem> {
    let path = common.out.join("stdin");
    let kept = std::fs::File::create(&path)
        .and_then(|mut file| std::io::copy(&mut std::io::stdin().lock(), &mut file));
    match kept {
        Ok(_) => Ok(path),
        Err(error) => Err(Problem::Input(format!("{}: {error}", path.display()))),
    }
}

/// A number of seconds that something can be done in.
pub fn positive_time(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    let possible = seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok();
    if possible { Ok(seconds) } else { Err("not a time that can be spent".into()) }
}

/// Prints to standard output. A reader that has seen enough is no error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The same to standard error.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "unpick: {text}");
}

/// Source files for the reports.
pub fn sources(file: &str) -> Option<Vec<String>> {
    let text = std::fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&text).lines().map(str::to_string).collect())
}

/// Terms are walked by recursion, and some are deep.
const STACK: usize = 1 << 30;

/// Does the work where there is room for that.
pub fn in_a_large_thread<T: Send>(
    work: impl FnOnce() -> Result<T, Problem> + Send,
) -> Result<T, Problem> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread =
            thread.map_err(|error| Problem::Undecided(format!("no thread to work in: {error}")))?;
        thread.join().unwrap_or_else(|_| Err(Problem::Internal("the search failed".into())))
    })
}
