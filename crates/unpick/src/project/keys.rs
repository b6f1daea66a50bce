//! What may stand in `unpick.toml`, and what is wrong with what does.

use serde::{Deserialize, Deserializer};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

/// One field a key. What each means is said where `unpick init` writes it (`template.rs`).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Keys {
    pub build: Option<String>,
    #[serde(deserialize_with = "one_or_more")]
    pub target: Vec<String>,
    pub arguments: Vec<String>,
    compile_commands: Option<PathBuf>,
    expect_exit: Option<i32>,
    fail_on: Option<String>,
    fail_if: Option<String>,
    stdin: Option<PathBuf>,
    time: Option<f64>,
    runs: Option<u64>,
    run_time: Option<f64>,
    jobs: Option<u16>,
    memory: Option<u64>,
    strategy: Option<String>,
    seed: Option<u64>,
    #[serde(deserialize_with = "one_or_more")]
    suppressions: Vec<String>,
    baseline: Option<PathBuf>,
    out: Option<PathBuf>,
}

pub const KEYS: [&str; 18] = [
    "build",
    "target",
    "arguments",
    "compile-commands",
    "expect-exit",
    "fail-on",
    "fail-if",
    "stdin",
    "time",
    "runs",
    "run-time",
    "jobs",
    "memory",
    "strategy",
    "seed",
    "suppressions",
    "baseline",
    "out",
];

/// The error begins with its line and column.
pub fn read(text: &str) -> Result<Keys, String> {
    let at = |offset: usize| {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.lines().count().max(1) + usize::from(before.ends_with('\n'));
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}")
    };
    let table = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        format!("{}: not TOML: {}", at(offset), error.message())
    })?;
    for key in table.get_ref().keys() {
        let name: &str = key.get_ref();
        if !KEYS.contains(&name) {
            let place = at(key.span().start);
            return Err(format!("{place}: there is no key `{name}`{}", nearest(name)));
        }
    }
    toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        format!("{}: {}", at(offset), error.message())
    })
}

fn nearest(name: &str) -> String {
    let distance = |key: &&str| strsim::damerau_levenshtein(name, key);
    match KEYS.iter().min_by_key(|key| distance(key)) {
        Some(key) if distance(key) <= name.len().max(2) / 2 => format!("; did you mean `{key}`?"),
        _ => format!("; there are {}", KEYS.join(", ")),
    }
}

fn one_or_more<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a string or a list of strings")]
    enum Either {
        One(String),
        More(Vec<String>),
    }
    Ok(match Either::deserialize(value)? {
        Either::One(one) => vec![one],
        Either::More(more) => more,
    })
}

impl Keys {
    /// The options that a command may get, in their order; `place` says where a path of the file is.
    pub fn options(
        &self,
        command: &str,
        place: &dyn Fn(&Path) -> PathBuf,
    ) -> Vec<(&'static str, OsString)> {
        let path = |path: &PathBuf| place(path).into_os_string();
        let number = |number: String| OsString::from(number);
        // Races and invariants are looked for in runs of another kind: their strategies are their own.
        let strategy = self.strategy.iter().filter(|_| matches!(command, "explore" | "run"));
        let out = self.out.clone().unwrap_or(super::OUT.into());
        let mut options: Vec<(&str, OsString)> = vec![("out", path(&out))];
        options.extend(self.compile_commands.iter().map(|it| ("compile-commands", path(it))));
        options.extend(self.expect_exit.map(|it| ("expect-exit", number(it.to_string()))));
        options.extend(self.fail_on.iter().map(|it| ("fail-on", it.into())));
        options.extend(self.fail_if.iter().map(|it| ("fail-if", it.into())));
        options.extend(self.stdin.iter().map(|it| ("stdin", path(it))));
        options.extend(self.time.map(|it| ("time", number(it.to_string()))));
        options.extend(self.runs.map(|it| ("runs", number(it.to_string()))));
        options.extend(self.run_time.map(|it| ("run-time", number(it.to_string()))));
        options.extend(self.jobs.map(|it| ("jobs", number(it.to_string()))));
        options.extend(self.memory.map(|it| ("memory", number(it.to_string()))));
        options.extend(strategy.map(|it| ("strategy", it.into())));
        options.extend(self.seed.map(|it| ("seed", number(it.to_string()))));
        options.extend(self.suppressions.iter().map(|it| ("suppressions", path(&it.into()))));
        options.extend(self.baseline.iter().map(|it| ("baseline", path(it))));
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        read(text).expect_err("it is wrong")
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        assert_eq!(
            wrong("# a\ntaget = \"x\"\n"),
            "2:1: there is no key `taget`; did you mean `target`?"
        );
        assert_eq!(
            wrong("time = 3\n\nrums = 5\n"),
            "3:1: there is no key `rums`; did you mean `runs`?"
        );
        assert!(
            wrong("something-else-entirely = 1").contains("there are build, target"),
            "all are listed"
        );
        assert!(wrong("[limits]\ntime = 3").starts_with("1:2: there is no key `limits`"));
        let typed = wrong("target = \"x\"\ntime = \"long\"\n");
        assert!(typed.starts_with("2:8: ") && typed.contains("string \"long\""), "{typed}");
        let typed = wrong("target = 3\n");
        assert!(typed.starts_with("1:10: expected a string or a list of strings"), "{typed}");
        let typed = wrong("runs = -3\n");
        assert!(typed.starts_with("1:8: ") && typed.contains("-3"), "{typed}");
        let typed = wrong("jobs = 70000\n");
        assert!(typed.starts_with("1:8: ") && typed.contains("70000"), "{typed}");
        let broken = wrong("time = \n");
        assert!(broken.starts_with("1:") && broken.contains("not TOML"), "{broken}");
        let twice = wrong("time = 1\ntime = 2\n");
        assert!(twice.starts_with("2:1: ") && twice.contains("duplicate"), "{twice}");
    }

    /// No key is forgotten where the file becomes options.
    #[test]
    fn each_key_is_an_option() {
        let text = "compile-commands = 'c'\nexpect-exit = 3\nfail-on = 'race'\nfail-if = 'grep x'\nstdin = 'i'\n\
                    time = 2\nruns = 4\nrun-time = 1.5\njobs = 5\nmemory = 6\nstrategy = 'pct'\nseed = 7\n\
                    suppressions = ['s', 't']\nbaseline = 'b'\nout = 'o'\n";
        let keys = read(text).expect("all is right");
        let place = |path: &Path| Path::new("/p").join(path);
        let given: Vec<String> = keys
            .options("explore", &place)
            .into_iter()
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect();
        let expected = "out=/p/o compile-commands=/p/c expect-exit=3 fail-on=race fail-if=grep x stdin=/p/i time=2 \
                        runs=4 run-time=1.5 jobs=5 memory=6 strategy=pct seed=7 suppressions=/p/s suppressions=/p/t \
                        baseline=/p/b";
        assert_eq!(given.join(" "), expected);
        assert!(!keys.options("races", &place).iter().any(|(name, _)| *name == "strategy"));
        let options = keys.options("explore", &place);
        for key in KEYS.iter().filter(|key| !["build", "target", "arguments"].contains(key)) {
            assert!(options.iter().any(|(name, _)| name == key), "{key}");
        }
    }
}
