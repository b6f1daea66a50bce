//! The command line: one file a subcommand, wiring only.
//!
//! Exit status: 0 nothing wrong was found, 1 a bug was found, 2 the call or its input is wrong,
//! 3 undecided, 4 Unpick itself failed.

mod around;
mod baseline;
mod cargo;
mod check;
mod checkpoint;
mod common;
mod doctor;
mod explain;
mod explore;
mod failures;
mod interface;
mod invariants;
mod late;
mod localize;
mod page;
mod progress;
mod project;
mod races;
mod record;
mod replay;
mod report;
mod run;
mod sighting;
mod suppressions;
mod target;
mod trace;
mod tracing;
mod unseen;

use clap::{CommandFactory, Parser, Subcommand};
use common::{Common, Problem};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use unpick_build::{BuildError, Language, Toolchain};

#[derive(Parser)]
#[command(
    name = "unpick",
    version,
    about = "Finds, replays and explains concurrency bugs in C, C++ and Rust programs with threads"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write an unpick.toml for this folder: what to build and run, so that other calls need no TARGET
    Init(project::Init),
    /// The whole story of a bug in one go: find it, and say how, why and where it happens and what helps
    Run(run::Run),
    /// Say what this machine lacks for Unpick, and how to get it; try everything once
    Doctor(doctor::Doctor),
    /// Run a program under many schedules and stop at the first failure
    Explore(explore::Explore),
    /// Check a program for every input and every interleaving, up to bounds
    Check(check::Call),
    /// Find the smallest difference between a failing run and one that passes
    Explain(explain::Explain),
    /// Find what holds for the variables that threads share, and what failing runs break of it
    Invariants(invariants::Invariants),
    /// Find the lines to blame for a failure, and values that would have helped
    Localize(localize::Localize),
    /// Find races, seen in a run or predicted from it, and confirm each by a replay
    Races(races::Races),
    /// Run a program once under the system's own scheduler and keep which way each thread went
    Record(record::Record),
    /// Run a saved schedule again, exactly
    Replay(replay::Replay),
    /// Write what was found as a page, or for other tools: SARIF, JUnit, annotations, a graph
    Report(report::Report),
    /// Read a trace
    Trace(trace::TraceCommand),
    /// Print what makes a shell complete this command line
    Completions(interface::Completions),
    /// Write the man pages into a folder
    Man(interface::Man),
    /// Compile and link C so that Unpick can run it: a drop-in for cc
    #[command(name = "cc", disable_help_flag = true)]
    Cc {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// The same for C++: a drop-in for c++
    #[command(name = "c++", disable_help_flag = true)]
    Cxx {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Run cargo so that what it builds can be run by Unpick (in `target/unpick`)
    #[command(name = "cargo", disable_help_flag = true)]
    Cargo {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    unpick_build::standby::inherit();
    unpick_engine::make_room();
    // A panic is our failure, and has a status of its own.
    std::panic::set_hook(Box::new(|info| {
        common::complain(&format!("internal error: {info}"));
        common::complain("please report this, with the command and the program");
        std::process::exit(4);
    }));
    if let Some((language, words)) = as_compiler(std::env::args_os().collect()) {
        return compile(language, &words);
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == "cargo") {
        return cargo::run(&std::env::args_os().skip(2).collect::<Vec<_>>());
    }
    let words = target::prepare(std::env::args_os().collect());
    let words = match project::completed(words, &Cli::command()) {
        Ok(words) => words,
        Err(problem) => {
            let name = std::env::args().nth(1).unwrap_or_default();
            return tell(&problem, &Common { json: asks_for_json(), ..Common::default() }, &name);
        }
    };
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            // Whoever asked for JSON gets a document, also where the rest of the call makes no sense.
            if wrong && asks_for_json() {
                let command = std::env::args().nth(1).unwrap_or_default();
                let problem = Problem::Input(error.to_string().trim_end().to_string());
                common::print(&format!(
                    "{}\n",
                    common::error_document(&command, &problem).to_json_text()
                ));
            }
            let _ = error.print();
            return ExitCode::from(if wrong { 2 } else { 0 });
        }
    };
    let (common, name, result) = match cli.command {
        Command::Init(command) => (Common::default(), "init", project::init(&command)),
        Command::Run(command) => (command.common.clone(), "run", run::run(command)),
        Command::Doctor(command) => (command.common.clone(), "doctor", doctor::run(&command)),
        Command::Explore(command) => (command.common.clone(), "explore", explore::run(command)),
        Command::Check(command) => {
            (command.check.common.clone(), "check", solving().and_then(|()| check::run(command)))
        }
        Command::Explain(command) => {
            (command.common.clone(), "explain", solving().and_then(|()| explain::run(command)))
        }
        Command::Invariants(command) => {
            (command.common.clone(), "invariants", invariants::run(command))
        }
        Command::Localize(command) => {
            let common = command.check.common.clone();
            (common, "localize", solving().and_then(|()| localize::run(command)))
        }
        Command::Races(command) => {
            (command.common.clone(), "races", late::Z3.need().and_then(|()| races::run(command)))
        }
        Command::Record(command) => (command.common.clone(), "record", record::run(command)),
        Command::Replay(command) => (command.common.clone(), "replay", replay::run(command)),
        Command::Report(command) => (Common::default(), "report", report::run(command)),
        Command::Trace(command) => {
            let common = Common { json: command.json(), ..Common::default() };
            (common, "trace", trace::run(command))
        }
        Command::Completions(command) => {
            let done = interface::completions(&command, &mut Cli::command());
            (Common::default(), "completions", done)
        }
        Command::Man(command) => {
            (Common::default(), "man", interface::man(&command, Cli::command()))
        }
        Command::Cc { args } => return compile(Language::C, &args),
        Command::Cxx { args } => return compile(Language::Cxx, &args),
        Command::Cargo { args } => return cargo::run(&args),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(problem) => tell(&problem, &common, name),
    }
}

/// What commands need that look at bitcode and solve. Here, so that children that they try things out in have it, too.
fn solving() -> Result<(), Problem> {
    late::Z3.need()?;
    late::LLVM.need()
}

fn asks_for_json() -> bool {
    std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json")
}

/// A call as a compiler: `unpick cc …`, or `unpick-cc …` where a build system wants its compiler to be one
/// word. The arguments are the compiler's: clap must not look at them.
fn as_compiler(mut words: Vec<OsString>) -> Option<(Language, Vec<OsString>)> {
    let language_of = |name: &str| match name {
        "cc" => Some(Language::C),
        "c++" => Some(Language::Cxx),
        _ => None,
    };
    let called = Path::new(words.first()?).file_name().and_then(|name| name.to_str());
    if let Some(language) =
        called.and_then(|name| name.strip_prefix("unpick-")).and_then(language_of)
    {
        return Some((language, words.split_off(1)));
    }
    let language = language_of(words.get(1)?.to_str()?)?;
    Some((language, words.split_off(2)))
}

fn compile(language: Language, args: &[OsString]) -> ExitCode {
    let result = Toolchain::discover().and_then(|tools| unpick_build::cc(language, args, &tools));
    match result {
        Ok(status) => ExitCode::from(status.clamp(0, 255) as u8),
        Err(error) => not_built(&error),
    }
}

fn not_built(error: &BuildError) -> ExitCode {
    common::complain(&error.to_string());
    ExitCode::from(error.exit_status() as u8)
}

fn tell(problem: &Problem, common: &Common, command: &str) -> ExitCode {
    if common.json {
        let document = common::error_document(command, problem);
        common::print(&format!("{}\n", document.to_json_text()));
    }
    common::complain(&problem.to_string());
    ExitCode::from(problem.status())
}
