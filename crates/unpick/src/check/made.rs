//! From sources to what the engines look at.

use super::Check;
use crate::common::Problem;
use crate::target::{self, Target};
use unpick_build::Toolchain;
use unpick_engine::Config;

/// A program to run, and its bitcode.
pub struct Made {
    /// `None`: it cannot be run here.
    pub native: Option<(Target, Config)>,
    pub bitcode: Vec<Vec<u8>>,
    /// Why it cannot be run, or why there is no bitcode.
    pub lacks: Option<String>,
}

impl Made {
    /// Does the program start threads? (The names that bitcode mentions stand in it as they are.)
    pub fn has_threads(&self) -> bool {
        let starts: [&[u8]; 4] =
            [b"pthread_create", b"thrd_create", b"_ZNSt6thread", b"__kmpc_fork"];
        let mentions = |unit: &[u8], name: &[u8]| unit.windows(name.len()).any(|part| part == name);
        self.lacks.is_some() && self.native.is_some()
            || self.bitcode.iter().any(|unit| starts.iter().any(|name| mentions(unit, name)))
    }
}

pub fn make(command: &Check) -> Result<Made, Problem> {
    let (common, flags) = (&command.common, &command.common.cflag);
    if command.narrow {
        let flags: Vec<String> = flags.iter().cloned().chain(["-m32".into()]).collect();
        let why = "programs of 32 bits are not run: a counterexample is not confirmed";
        return plain(command, &flags, why.into());
    }
    let target = match target::resolve(&command.target, &command.args, common) {
        Ok(target) => target,
        Err(Problem::Input(text)) => {
            let undefined = undefined(&text);
            if undefined.is_empty() {
                return Err(Problem::Input(text));
            }
            if undefined.iter().any(|name| name == "main") {
                return Err(Problem::Input("there is no `main` in these sources".into()));
            }
            let why = format!(
                "{} {} not defined: what {} is taken for any value, and there is no program to run",
                undefined.join(", "),
                if undefined.len() == 1 { "is" } else { "are" },
                if undefined.len() == 1 { "it gives" } else { "they give" },
            );
            return plain(command, flags, why);
        }
        Err(problem) => return Err(problem),
    };
    let units = unpick_build::units(&target.program)?;
    let missing = units.iter().find(|unit| unit.bitcode.is_empty());
    let lacks = missing
        .map(|unit| format!("{} has no bitcode: clang did not compile it", unit.manifest.source));
    let bitcode = units.into_iter().map(|unit| unit.bitcode).collect();
    let mut config = target.config(&target.symbols()?);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());
    Ok(Made { native: Some((target, config)), bitcode, lacks })
}

pub fn bitcode_alone(command: &Check) -> Result<Made, Problem> {
    plain(command, &command.common.cflag, "nobody asked for a program".into())
}

/// Bitcode alone.
fn plain(command: &Check, flags: &[String], why: String) -> Result<Made, Problem> {
    if let Some(stranger) = command.target.iter().find(|file| !target::is_source(file)) {
        return Err(Problem::Input(format!("{} is not C or C++ source", stranger.display())));
    }
    for source in &command.target {
        std::fs::File::open(source)
            .map_err(|error| Problem::Input(format!("{}: {error}", source.display())))?;
    }
    let tools = Toolchain::discover()?;
    let folder = &command.common.out;
    let commands = target::compile_commands(&command.common)?;
    let bitcode = unpick_build::plain_bitcode(&commands, &command.target, flags, folder, &tools)?;
    Ok(Made { native: None, bitcode, lacks: Some(why) })
}

/// Names that the linker misses.
fn undefined(said: &str) -> Vec<String> {
    let mut names: Vec<String> = said
        .lines()
        .filter_map(|line| line.split_once("undefined reference to `"))
        .filter_map(|(_, rest)| rest.split('\'').next())
        .map(|name| name.split('(').next().unwrap_or(name).to_string())
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_linker_says_what_it_misses() {
        let said = "/usr/bin/ld: a.o: in function `main':\na.c:1: undefined reference to `foo'\n\
                    b.c:2: undefined reference to `bar(int)'\na.c:9: undefined reference to `foo'";
        assert_eq!(super::undefined(said), ["bar", "foo"]);
        assert!(super::undefined("a.c:1: error: expected ';'").is_empty());
    }
}
