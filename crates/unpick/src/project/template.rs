//! `unpick init`: writes `unpick.toml`. Its comments are the documentation of the keys.

use super::FILE;
use super::seen::{self, Seen};
use crate::common::{self, Problem};
use clap::Args;
use std::path::Path;

#[derive(Args)]
pub struct Init {
    /// Replace the file where there is one
    #[arg(long)]
    force: bool,
}

pub fn init(command: &Init) -> Result<u8, Problem> {
    let file = Path::new(FILE);
    if !command.force && file.symlink_metadata().is_ok() {
        return Err(Problem::Input(format!(
            "{FILE} is there already; `unpick init --force` replaces it"
        )));
    }
    let seen = seen::look(Path::new("."));
    std::fs::write(file, text(&seen))
        .map_err(|error| Problem::Input(format!("cannot write {FILE}: {error}")))?;
    let next = match seen.target.is_empty() {
        true => "say there what to run (`target`), then `unpick run`",
        false => "look at it, then `unpick run`",
    };
    common::print(&format!("wrote {FILE}; seen: {}\nnext: {next}\n", seen.what));
    Ok(0)
}

/// A string, with what TOML does not take as it is escaped.
fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

fn text(seen: &Seen) -> String {
    let build = match &seen.build {
        Some(command) => format!("build = {}", quoted(command)),
        None => "# build = \"make\"".into(),
    };
    let target = match &seen.target[..] {
        [] => "# target = \"PROGRAM\"".into(),
        [one] => format!("target = {}", quoted(one)),
        many => {
            let names: Vec<String> = many.iter().map(|name| quoted(name)).collect();
            format!("target = [{}]", names.join(", "))
        }
    };
    let others = match &seen.others[..] {
        [] => String::new(),
        names => format!("# Also seen: {}\n", names.join(", ").replace(['\n', '\r'], " ")),
    };
    TEMPLATE.replace("@build@", &build).replace("@target@", &target).replace("@others@\n", &others)
}

/// What is commented out shows the default, or an example where there is none.
const TEMPLATE: &str = r##"# What `unpick run`, `explore`, `races`, `invariants`, `localize` and `check` do in this folder, and in those below it,
# when they are called without a target. Options of the command line win. Paths are relative to this file.

# How the program is built: a shell command, run here with CC="unpick cc" and CXX="unpick c++". What it says goes to
# build.log in the output folder. Without it the target is taken as it is.
@build@

# What is run: a program that was built so, or C and C++ sources, which Unpick compiles itself.
@others@
@target@

# Its arguments. What stands behind `--` on the command line replaces them.
# arguments = ["4", "input.txt"]

# Where the compiler's options for sources are. Without it: compile_commands.json here or in build/, if there is one.
# compile-commands = "build/compile_commands.json"

## What counts as a failure, besides crashes, failed assertions, deadlocks and the like

# The exit status of a run that passes.
# expect-exit = 0

# "race": accesses that nothing orders, also where nothing goes wrong (explore).
# fail-on = "race"

# A shell command that reads what a run has written, and succeeds if that is wrong.
# fail-if = "grep -q wrong"

# A file for the program's standard input.
# stdin = "input.txt"

## Limits

# Seconds to spend.
# time = 60

# Runs to spend.
# runs = 10000

# Seconds after which a single run ends.
# run-time = 10

# Programs to run at once. Without it, as many as there are processors.
# jobs = 2

# The most memory that a process of the program may take, in MiB.
# memory = 4096

## The search

# How `explore` chooses schedules: auto, dpor, hapset, dfs, pcb, feedback, random, pct, pos.
# strategy = "auto"

# Seed of everything random.
# seed = 1

## What is told

# Files of races and deadlocks that are not to be told, as ThreadSanitizer reads them: one, or a list.
# suppressions = "unpick.suppressions"

# A file of findings that are known (`--write-baseline` writes one): only new ones make the status 1.
# baseline = "unpick.baseline"

# Where traces, builds and reports go.
# out = "unpick-out"
"##;

#[cfg(test)]
mod tests {
    use super::super::keys::{KEYS, read};
    use super::*;

    /// With all that is commented out taken as it stands.
    fn uncommented(text: &str) -> String {
        let key = |line: &str| KEYS.iter().any(|key| line.starts_with(&format!("{key} = ")));
        let lines = text
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|rest| key(rest)).unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_written_is_read() {
        let seen = Seen {
            what: "Makefile".into(),
            build: Some("make CC=\"$CC\" \\\n\t'x'".into()),
            target: vec!["a \"b\".c".into(), "d\\e.c".into()],
            others: vec!["other\nname".into()],
        };
        let keys = read(&text(&seen)).expect("it can be read");
        assert_eq!(keys.build, seen.build);
        assert_eq!(keys.target, seen.target);
        assert!(keys.arguments.is_empty());
        let nothing = read(&text(&Seen::default())).expect("it can be read");
        assert!(nothing.target.is_empty() && nothing.build.is_none());
    }

    /// Each key stands there, with a value of its type.
    #[test]
    fn every_key_is_documented() {
        let full = uncommented(&text(&Seen::default()));
        read(&full).expect("the examples are right");
        for key in KEYS {
            assert!(full.lines().any(|line| line.starts_with(&format!("{key} = "))), "{key}");
        }
    }
}
