//! `unpick.toml`: what a project says once, so that nobody has to say it with each call.
//!
//! A call without TARGET becomes the call that somebody would have typed: each key of the file is an option of that name,
//! given to the commands that have such an option, unless the command line has it already. So there is one place that knows
//! what options mean, and it is the command itself.

mod build;
mod keys;
mod seen;
mod template;

pub use template::{Init, init};

use crate::common::Problem;
use crate::target::is_source;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use keys::Keys;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub const FILE: &str = "unpick.toml";
/// Where everything goes, unless the file or the call says otherwise.
const OUT: &str = "unpick-out";
/// Commands that look at a program.
const ASKING: [&str; 6] = ["run", "explore", "races", "invariants", "localize", "check"];

/// A file that was read, and where it is.
struct Project {
    file: PathBuf,
    keys: Keys,
}

/// The call as it is meant: where a command that needs a TARGET has none, that of the project, built first.
pub fn completed(words: Vec<OsString>, interface: &Command) -> Result<Vec<OsString>, Problem> {
    let Ok(matches) = interface.clone().try_get_matches_from(&words) else { return Ok(words) };
    let Some((name, given)) = matches.subcommand() else { return Ok(words) };
    if !ASKING.contains(&name) || given.get_many::<PathBuf>("target").is_some() {
        return Ok(words);
    }
    let project = Project::find()?;
    let command = interface.find_subcommand(name).unwrap_or(interface);
    let full = project.call(&words, command, given);
    // What is wrong with a value is said by the option's own parser, but it stands in the file.
    let matches = interface.clone().try_get_matches_from(&full).map_err(|error| {
        let said = error.to_string();
        let first = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Problem::Input(format!("{}: {first}", project.file.display()))
    })?;
    let given = matches.subcommand().map(|(_, given)| given);
    let out = given.and_then(|given| given.get_one::<PathBuf>("out")).cloned();
    let quiet = given.is_some_and(|given| given.get_flag("quiet") || given.get_flag("json"));
    project.make(&out.unwrap_or(OUT.into()), quiet)?;
    Ok(full)
}

impl Project {
    /// In this folder, or in the nearest one above.
    fn find() -> Result<Project, Problem> {
        let here = std::env::current_dir()
            .map_err(|error| Problem::Input(format!("the current folder: {error}")))?;
        let Some(folder) = here.ancestors().find(|folder| folder.join(FILE).is_file()) else {
            return Err(Problem::Input(format!(
                "no TARGET is given, and there is no {FILE} in this folder or above: name a source or a program, or let `unpick init` write one"
            )));
        };
        // As short as it can be said: messages and traces show it.
        let file = if folder == here { FILE.into() } else { folder.join(FILE) };
        let text = std::fs::read_to_string(&file)
            .map_err(|error| Problem::Input(format!("{}: {error}", file.display())))?;
        let keys = keys::read(&text)
            .map_err(|wrong| Problem::Input(format!("{}:{wrong}", file.display())))?;
        if keys.target.is_empty() {
            return Err(Problem::Input(format!(
                "{}: names no target: `target = \"PROGRAM\"`, or a source, says what to run",
                file.display()
            )));
        }
        Ok(Project { file, keys })
    }

    /// Paths in the file are relative to it.
    fn path(&self, path: &Path) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }

    fn targets(&self) -> impl Iterator<Item = PathBuf> {
        self.keys.target.iter().map(|target| self.path(target.as_ref()))
    }

    /// The words of the call with all that the file adds.
    fn call(&self, words: &[OsString], command: &Command, given: &ArgMatches) -> Vec<OsString> {
        let by_user = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
        let (head, tail) = words.split_at(2.min(words.len()));
        let mut full = head.to_vec();
        for (name, value) in self.keys.options(command.get_name(), &|path| self.path(path)) {
            let known = command.get_arguments().find(|option| option.get_long() == Some(name));
            if known.is_some_and(|option| !by_user(option.get_id().as_str())) {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value);
                full.push(word);
            }
        }
        full.extend(self.targets().map(PathBuf::into_os_string));
        full.extend_from_slice(tail);
        if !self.keys.arguments.is_empty() && !tail.iter().any(|word| word == "--") {
            full.push("--".into());
            full.extend(self.keys.arguments.iter().map(OsString::from));
        }
        full
    }

    /// Builds, where there is something to build; then the target must be there.
    fn make(&self, out: &Path, quiet: bool) -> Result<(), Problem> {
        if let Some(command) = &self.keys.build {
            build::run(command, &self.file, out, quiet)?;
        }
        for target in self.targets().filter(|target| !is_source(target)) {
            unpick_build::require_instrumented(&target).map_err(|error| {
                let hint = match self.keys.build {
                    Some(_) => "is that what the build command makes, with $CC and $CXX? (What was built before without Unpick has to be cleaned first.)",
                    None => "is it built, with CC=\"unpick cc\"? The key `build` says how",
                };
                Problem::Input(format!("{error}\nthe target of {}: {hint}", self.file.display()))
            })?;
        }
        Ok(())
    }
}
