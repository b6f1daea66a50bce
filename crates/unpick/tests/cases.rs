//! Runs every case under `tests/cases` and `corpus` (tests/README.md describes them).
//!
//! One trial for each expectation, one for each model (the oracle alone, without the tool), and the
//! oracle's own tests. `UNPICK_BIN` names another `unpick`; `UNPICK_ROOT` another checkout.

mod oracle;
mod pairs;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long one call of the tool may take unless the case says otherwise.
const SECONDS: u64 = 120;

struct Case {
    folder: PathBuf,
    sources: Vec<String>,
    /// Sources of libraries that the program opens when it runs.
    plugins: Vec<String>,
    /// What builds the program, where it is not the usual one.
    compiler: Option<String>,
    cflags: Vec<String>,
    args: Vec<String>,
    /// Files and folders that lie where the tool is called.
    files: Vec<String>,
    cpp: bool,
    model: Option<oracle::Model>,
    expects: Vec<Expect>,
    /// The built program, or why there is none; in a folder that lives as long as the case.
    built: OnceLock<Result<(tempfile::TempDir, PathBuf), String>>,
}

#[derive(Default)]
struct Expect {
    run: Vec<String>,
    verdict: String,
    exit: i64,
    kind: Option<String>,
    places: Vec<String>,
    message: Option<String>,
    complete: Option<bool>,
    interleavings: Option<u64>,
    classes: Option<u64>,
    events_most: Option<u64>,
    failing: Option<u64>,
    replay: Option<u64>,
    warning: Option<String>,
    stdout_contains: Option<String>,
    stderr_contains: Option<String>,
    trace_shows: Option<String>,
    /// Of `unpick races`: exactly these.
    races: BTreeSet<pairs::Places>,
    deadlocks: BTreeSet<pairs::Places>,
    from_source: bool,
    seconds: u64,
}

// ---- Reading case.toml. Whatever is not understood is an error: no test may assert nothing.

type Read<T> = Result<T, String>;

struct Table<'a>(toml::Table, &'a str);

impl Table<'_> {
    fn take<T>(
        &mut self,
        key: &str,
        convert: impl Fn(&toml::Value) -> Option<T>,
    ) -> Read<Option<T>> {
        match self.0.remove(key) {
            None => Ok(None),
            Some(value) => {
                let wrong = || format!("{}: `{key}` has the wrong type: {value}", self.1);
                convert(&value).map(Some).ok_or_else(wrong)
            }
        }
    }
    fn string(&mut self, key: &str) -> Read<Option<String>> {
        self.take(key, |v| v.as_str().map(str::to_string))
    }
    fn strings(&mut self, key: &str) -> Read<Option<Vec<String>>> {
        self.take(key, strings)
    }
    fn number(&mut self, key: &str) -> Read<Option<u64>> {
        self.take(key, |v| v.as_integer().and_then(|n| u64::try_from(n).ok()))
    }
    fn bool(&mut self, key: &str) -> Read<Option<bool>> {
        self.take(key, |v| v.as_bool())
    }
    fn finish(self) -> Read<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("{}: unknown key `{key}`", self.1)),
        }
    }
    fn need<T>(&self, key: &str, value: Option<T>) -> Read<T> {
        value.ok_or_else(|| format!("{}: `{key}` is missing", self.1))
    }
}

fn strings(value: &toml::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_string)).collect()
}

fn read_model(value: &toml::Value) -> Option<BTreeMap<String, Vec<String>>> {
    value.as_table()?.iter().map(|(k, v)| Some((k.clone(), strings(v)?))).collect()
}

/// `bank.c:31` must name a line that is there, in one of the sources.
fn check_place(folder: &Path, sources: &[String], place: &str) -> Read<()> {
    let (file, line) = place.rsplit_once(':').ok_or(format!("`{place}` is not file:line"))?;
    let line: usize = line.parse().map_err(|_| format!("`{place}` is not file:line"))?;
    let source = sources.iter().find(|s| s.rsplit('/').next() == Some(file));
    let source = source.ok_or(format!("`{place}` is in none of the sources"))?;
    let text =
        std::fs::read_to_string(folder.join(source)).map_err(|e| format!("`{place}`: {e}"))?;
    match text.lines().nth(line.wrapping_sub(1)) {
        Some(code) if !code.trim().is_empty() => Ok(()),
        _ => Err(format!("`{place}`: there is nothing on that line")),
    }
}

fn read_case(folder: &Path) -> Read<Case> {
    let path = folder.join("case.toml");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let table: toml::Table = text.parse().map_err(|e| format!("{e}"))?;
    let mut table = Table(table, "case");
    let description = table.string("description")?;
    table.need("description", description)?;
    let origin = table.string("origin")?;
    table.need("origin", origin)?;
    let sources = table.strings("sources")?;
    let sources = table.need("sources", sources)?;
    let plugins = table.strings("plugins")?.unwrap_or_default();
    let compiler = table.string("compiler")?;
    let all: Vec<String> = sources.iter().chain(&plugins).cloned().collect();
    let _note = table.string("note")?;
    let language = table.string("language")?;
    let cflags = table.strings("cflags")?.unwrap_or_default();
    let args = table.strings("args")?.unwrap_or_default();
    let files = table.strings("files")?.unwrap_or_default();
    for place in table.strings("fault")?.unwrap_or_default() {
        check_place(folder, &all, &place)?;
    }
    if let Some(fixed) = table.string("fixed")?
        && !folder.join("..").join(&fixed).join("case.toml").is_file()
    {
        return Err(format!("the fixed variant `{fixed}` is no case beside this one"));
    }
    let model = match table.take("model", read_model)? {
        Some(model) => Some(oracle::Model::read(&model).map_err(|e| format!("model: {e}"))?),
        None => None,
    };
    let expects = table.take("expect", |v| {
        v.as_array()?.iter().map(|e| e.as_table().cloned()).collect::<Option<Vec<_>>>()
    })?;
    let expects = table.need("expect", expects)?;
    table.finish()?;

    if sources.is_empty() {
        return Err("no sources".into());
    }
    for source in &all {
        if !folder.join(source).is_file() {
            return Err(format!("no file `{source}`"));
        }
    }
    for file in &files {
        if !folder.join(file).exists() {
            return Err(format!("no file `{file}`"));
        }
    }
    for entry in std::fs::read_dir(folder).map_err(|e| e.to_string())? {
        let name = entry.map_err(|e| e.to_string())?.file_name();
        let name = name.to_string_lossy();
        let code = [".c", ".cc", ".cpp"].iter().any(|end| name.ends_with(end));
        if code && !all.iter().any(|s| *s == name) {
            return Err(format!("`{name}` is not among the sources"));
        }
    }
    let cpp = match language.as_deref() {
        Some("c") => false,
        Some("c++") => true,
        Some(other) => return Err(format!("language `{other}`: c or c++")),
        None => sources.iter().any(|s| s.ends_with(".cpp") || s.ends_with(".cc")),
    };
    let mut read = Vec::new();
    for (index, expect) in expects.into_iter().enumerate() {
        let name = format!("expect {index}");
        // The first is run on the source itself, so that both ways are in use.
        let plain = index == 0
            && all.len() == 1
            && cflags.is_empty()
            && language.is_none()
            && compiler.is_none();
        read.push(read_expect(Table(expect, &name), folder, &all, plain)?);
    }
    if read.is_empty() {
        return Err("expects nothing".into());
    }
    let case = Case {
        folder: folder.to_path_buf(),
        sources,
        plugins,
        compiler,
        cflags,
        args,
        files,
        cpp,
        model,
        expects: read,
        built: OnceLock::new(),
    };
    if case.model.is_none() && case.expects.iter().any(|e| e.failing.is_some()) {
        return Err("`failing` is compared with a model, and there is none".into());
    }
    let unchecked = |e: &Expect| e.classes.is_some() && e.counted().is_none();
    if case.expects.iter().any(unchecked) {
        return Err("`classes` are those of `--strategy dpor` with `complete = true`".into());
    }
    if case.model.is_some() && !case.expects.iter().any(|e| e.counted().is_some()) {
        return Err("a model, but no expectation is complete, so that nothing is counted".into());
    }
    Ok(case)
}

fn read_expect(mut table: Table, folder: &Path, sources: &[String], plain: bool) -> Read<Expect> {
    let run = table.strings("run")?;
    let verdict = table.string("verdict")?;
    let mut expect = Expect {
        run: table.need("run", run)?,
        verdict: table.need("verdict", verdict)?,
        kind: table.string("kind")?,
        places: table.strings("places_any")?.unwrap_or_default(),
        message: table.string("message")?,
        complete: table.bool("complete")?,
        interleavings: table.number("interleavings")?,
        classes: table.number("classes")?,
        events_most: table.number("events_most")?,
        failing: table.number("failing")?,
        replay: table.number("replay")?,
        warning: table.string("warning")?,
        stdout_contains: table.string("stdout_contains")?,
        stderr_contains: table.string("stderr_contains")?,
        trace_shows: table.string("trace_shows")?,
        seconds: table.number("seconds")?.unwrap_or(SECONDS),
        ..Expect::default()
    };
    if let Some(place) = table.string("place")? {
        if !expect.places.is_empty() {
            return Err(format!("{}: `place` or `places_any`, not both", table.1));
        }
        expect.places.push(place);
    }
    for (key, found) in [("races", &mut expect.races), ("deadlocks", &mut expect.deadlocks)] {
        for text in table.strings(key)?.unwrap_or_default() {
            found.insert(pairs::read(&text)?);
        }
    }
    let together = expect.races.iter().chain(&expect.deadlocks).flatten();
    for place in expect.places.iter().chain(together) {
        check_place(folder, sources, place)?;
    }
    let usual = match expect.verdict.as_str() {
        "clean" => 0,
        "bug" => 1,
        "error" => 2,
        "undecided" => 3,
        other => return Err(format!("{}: no verdict `{other}`", table.1)),
    };
    expect.exit = table.number("exit")?.map_or(usual, |n| n as i64);
    expect.from_source = match table.string("target")?.as_deref() {
        None => plain,
        Some("source") => true,
        Some("program") => false,
        Some(other) => return Err(format!("{}: target `{other}`: source or program", table.1)),
    };
    if expect.run.is_empty() {
        return Err(format!("{}: `run` is empty", table.1));
    }
    if expect.verdict == "bug" && expect.kind.is_none() {
        return Err(format!("{}: a bug of which `kind`?", table.1));
    }
    let about_a_bug = expect.kind.is_some()
        || !expect.places.is_empty()
        || expect.message.is_some()
        || expect.replay.is_some()
        || expect.trace_shows.is_some();
    let kinds = [("race", &expect.races), ("deadlock", &expect.deadlocks)];
    for (kind, found) in kinds {
        if !found.is_empty() && (expect.run[0] != "races" || expect.verdict != "bug") {
            return Err(format!("{}: `{kind}s` without a call that finds them", table.1));
        }
    }
    if expect.verdict != "bug" && about_a_bug {
        return Err(format!("{}: says something about a finding, but expects no bug", table.1));
    }
    table.finish()?;
    Ok(expect)
}

/// What of a model is counted.
#[derive(Clone, Copy)]
enum Counted {
    All,
    Preemptions(u32),
    Classes,
}

impl Expect {
    fn counted(&self) -> Option<Counted> {
        let value = |option: &str| {
            let at = self.run.iter().position(|a| a == option)?;
            self.run.get(at + 1).map(String::as_str)
        };
        if self.complete != Some(true) {
            return None;
        }
        match (value("--strategy"), value("--bound")) {
            (Some("dfs"), None) => Some(Counted::All),
            // With reduction, how many there are is nothing to be counted.
            (Some("pcb"), _) if !self.run.iter().any(|a| a == "--no-reduction") => None,
            (Some("dfs" | "pcb"), Some(bound)) => bound.parse().ok().map(Counted::Preemptions),
            (Some("dpor"), None) => Some(Counted::Classes),
            _ => None,
        }
    }

    /// Are all races and deadlocks of the program listed?
    fn knows_all(&self) -> bool {
        let some = !self.races.is_empty() || !self.deadlocks.is_empty();
        self.run[0] == "races" && (some || self.verdict == "clean")
    }

    /// What `unpick races` has missed, and what it has found that is not there.
    fn differences(&self, json: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        for (kind, expected) in [("race", &self.races), ("deadlock", &self.deadlocks)] {
            let found = pairs::confirmed(json, kind);
            wrong.extend(expected.difference(&found).map(|p| format!("missed {kind}: {p:?}")));
            wrong.extend(found.difference(expected).map(|p| format!("false {kind}: {p:?}")));
        }
        wrong.extend(pairs::alarms(json).iter().map(|p| format!("not confirmed: {p:?}")));
        wrong
    }

    fn name(&self) -> String {
        self.run.join(" ").replace("--strategy ", "").replace("--", "")
    }
}

/// Folders with a case; a folder that has neither a case nor folders below is an error.
fn find(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut below: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    below.sort();
    let files = below.iter().any(|p| p.is_file());
    let folders = below.iter().any(|p| p.is_dir());
    if files || !folders {
        found.push(folder.to_path_buf());
    }
    // What lies beside a case belongs to it.
    for folder in below.iter().filter(|p| p.is_dir() && !files) {
        find(folder, found)?;
    }
    Ok(())
}

// ---- Running.

struct Answer {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    command: String,
    took: Duration,
}

impl Answer {
    fn wrong(&self, what: impl std::fmt::Display) -> String {
        format!(
            "{what}\ncommand: {}\nexit: {:?} after {:.1?}\nstdout:\n{}\nstderr:\n{}",
            self.command,
            self.status,
            self.took,
            shorten(&self.stdout),
            shorten(&self.stderr)
        )
    }
    /// `--json`: one document on standard output and nothing else there.
    fn json(&self) -> Result<Value, String> {
        let value: Value = serde_json::from_str(&self.stdout)
            .map_err(|e| self.wrong(format!("standard output is not one JSON document: {e}")))?;
        if value["schema"] != "unpick/1" {
            return Err(self.wrong("not of schema unpick/1"));
        }
        Ok(value)
    }
}

fn shorten(text: &str) -> String {
    const MOST: usize = 6000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_string(),
    }
}

fn root() -> PathBuf {
    std::env::var_os("UNPICK_ROOT")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN")
        .map(PathBuf::from)
        .unwrap_or_else(|| root().join("target/release/unpick"))
}

/// Calls the tool in `folder`; its output goes through files, so that neither side can block.
fn call(folder: &Path, args: &[String], seconds: u64) -> Result<Answer, String> {
    call_with(folder, args, seconds, &[])
}

fn call_with(
    folder: &Path,
    args: &[String],
    seconds: u64,
    environment: &[(&str, &str)],
) -> Result<Answer, String> {
    let program = unpick();
    let command = format!("cd {} && {} {}", folder.display(), program.display(), args.join(" "));
    let out = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let err = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let begin = Instant::now();
    let mut child = Command::new(&program)
        .args(args)
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(out.reopen().map_err(|e| e.to_string())?)
        .stderr(err.reopen().map_err(|e| e.to_string())?)
        .spawn()
        .map_err(|e| format!("{command}: {e} (is the tool built? `make build`)"))?;
    let mut wait = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if begin.elapsed() > Duration::from_secs(seconds) {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(20));
    };
    let read = |file: &tempfile::NamedTempFile| -> Result<String, String> {
        let bytes = std::fs::read(file.path()).map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let answer = Answer {
        status: status.and_then(|s| s.code()),
        stdout: read(&out)?,
        stderr: read(&err)?,
        command,
        took: begin.elapsed(),
    };
    match status {
        Some(_) => Ok(answer),
        None => Err(answer.wrong(format!("took longer than {seconds} s"))),
    }
}

impl Case {
    fn paths(&self) -> Vec<String> {
        self.sources.iter().map(|s| self.folder.join(s).display().to_string()).collect()
    }

    fn program(&self) -> Result<PathBuf, String> {
        let built = self.built.get_or_init(|| {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let program = folder.path().join("prog");
            for plugin in &self.plugins {
                let path = self.folder.join(plugin);
                let library = folder.path().join(path.with_extension("so").file_name().unwrap());
                let flags = ["-shared", "-fPIC"].map(String::from);
                self.compile(folder.path(), &flags, &[path.display().to_string()], &library)?;
            }
            let mut flags = vec!["-pthread".to_string()];
            if !self.plugins.is_empty() {
                flags.push("-Wl,-rpath,$ORIGIN".into());
            }
            self.compile(folder.path(), &flags, &self.paths(), &program)?;
            Ok((folder, program))
        });
        built.as_ref().map(|(_, program)| program.clone()).map_err(Clone::clone)
    }

    fn compile(
        &self,
        folder: &Path,
        flags: &[String],
        sources: &[String],
        output: &Path,
    ) -> Result<(), String> {
        let mut args = vec![if self.cpp { "c++" } else { "cc" }.to_string()];
        args.extend(flags.iter().chain(&self.cflags).chain(sources).cloned());
        args.extend(["-o".to_string(), output.display().to_string()]);
        let compiler = self.compiler.as_deref().map(|name| ("UNPICK_CC", name));
        let answer = call_with(folder, &args, SECONDS, compiler.as_slice())?;
        if answer.status != Some(0) || !output.is_file() {
            return Err(answer.wrong("cannot build"));
        }
        Ok(())
    }

    fn check(&self, expect: &Expect) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let out = folder.path().join("out");
        for file in &self.files {
            copy(&self.folder.join(file), &folder.path().join(file)).map_err(|e| e.to_string())?;
        }
        let before = contents(folder.path()).map_err(|e| e.to_string())?;
        let mut args = expect.run.clone();
        args.extend(["--json".into(), "--out".into(), out.display().to_string()]);
        if expect.from_source {
            args.extend(self.paths());
        } else {
            args.push(self.program()?.display().to_string());
        }
        if !self.args.is_empty() {
            args.push("--".into());
            args.extend(self.args.iter().cloned());
        }
        let answer = call(folder.path(), &args, expect.seconds)?;
        let json = answer.json()?;
        let mut wrong: Vec<String> = Vec::new();
        let after = contents(folder.path()).map_err(|e| e.to_string())?;
        if !self.files.is_empty() && before != after {
            let names: Vec<_> = after.keys().collect();
            wrong.push(format!("something was written outside the output folder: {names:?}"));
        }
        let mut compare = |what: &str, got: &Value, want: Value| {
            if *got != want {
                wrong.push(format!("{what}: {got}, not {want}"));
            }
        };
        compare("verdict", &json["verdict"], expect.verdict.clone().into());
        compare("exit", &answer.status.map_or(-1, i64::from).into(), expect.exit.into());
        if let Some(complete) = expect.complete {
            compare("complete", &json["complete"], complete.into());
        }
        let stats = &json["stats"];
        if let Some(number) = expect.interleavings {
            compare("interleavings", &stats["interleavings"], number.into());
        }
        if let Some(most) = expect.events_most {
            let average =
                stats["events"].as_u64().unwrap_or(u64::MAX) / stats["runs"].as_u64().unwrap_or(1);
            compare("at most so many events", &(average <= most).into(), true.into());
        }
        if let Some(number) = expect.classes {
            compare("classes", &stats["classes"], number.into());
        }
        let mut fewer = None;
        let counted = self.model.as_ref().zip(expect.counted());
        if let Some((model, counted)) = counted.filter(|(model, how)| is_countable(model, *how)) {
            let count = count(model, counted)?;
            let total = u64::try_from(count.total).map_err(|_| "too many to count")?;
            if let Counted::Classes = counted {
                compare("classes, by the oracle", &stats["classes"], total.into());
                compare("redundant", &stats["redundant"], 0.into());
            } else {
                compare("interleavings, by the oracle", &stats["interleavings"], total.into());
            }
            // The tool counts every run as failing or not, also those before it knew all that is shared.
            let failing = stats["failing"].as_u64().unwrap_or(0);
            if expect.run.iter().any(|a| a == "--all") && u128::from(failing) < count.failing {
                fewer =
                    Some(format!("failing: {failing}, by the oracle at least {}", count.failing));
            }
        }
        let finding = &json["findings"][0];
        if let Some(kind) = &expect.kind {
            compare("kind", &finding["kind"], kind.clone().into());
        }
        wrong.extend(fewer);
        if expect.knows_all() {
            wrong.extend(expect.differences(&json));
        }
        if !expect.places.is_empty() {
            let site = &finding["sites"][0];
            let file = site["file"].as_str().unwrap_or("(none)");
            let file = file.rsplit('/').next().unwrap_or(file);
            let place = format!("{file}:{}", site["line"]);
            if !expect.places.contains(&place) {
                wrong.push(format!("place: {place}, not {}", expect.places.join(" or ")));
            }
        }
        let mut contains = |what: &str, text: &str, part: &Option<String>| {
            if let Some(part) = part
                && !text.contains(part.as_str())
            {
                wrong.push(format!("{what}: {text:?} does not contain {part:?}"));
            }
        };
        contains("message", finding["message"].as_str().unwrap_or(""), &expect.message);
        contains("standard output", &answer.stdout, &expect.stdout_contains);
        contains("standard error", &answer.stderr, &expect.stderr_contains);
        let warnings = format!("{} {} {}", json["warnings"], json["reason"], answer.stderr);
        contains("warnings", &warnings, &expect.warning);
        if !wrong.is_empty() {
            return Err(answer.wrong(wrong.join("\n")));
        }
        let trace = || -> Result<String, String> {
            let path = finding["trace"].as_str().ok_or_else(|| answer.wrong("no trace"))?;
            Ok(folder.path().join(path).display().to_string())
        };
        if let Some(times) = expect.replay {
            let args = ["replay".into(), trace()?, "-n".into(), times.to_string(), "--json".into()];
            let again = call(folder.path(), &args, expect.seconds)?;
            let json = again.json()?;
            if json["verdict"] != expect.verdict || again.status != Some(expect.exit as i32) {
                return Err(again.wrong("replay ends otherwise"));
            }
            if json["stats"]["identical"] != times {
                return Err(again.wrong(format!("not {times} identical")));
            }
        }
        if let Some(part) = &expect.trace_shows {
            let args = ["trace".into(), "show".into(), trace()?];
            let shown = call(folder.path(), &args, expect.seconds)?;
            if shown.status != Some(0) || !shown.stdout.contains(part.as_str()) {
                return Err(shown.wrong(format!("does not show {part:?}")));
            }
        }
        Ok(())
    }
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_file() {
        return std::fs::copy(from, to).map(|_| ());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// What lies in a folder, besides the tool's output.
fn contents(folder: &Path) -> std::io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.ends_with("out") {
            continue;
        }
        if path.is_dir() {
            all.extend(contents(&path)?);
            all.insert(path, Vec::new());
        } else {
            let bytes = std::fs::read(&path)?;
            all.insert(path, bytes);
        }
    }
    Ok(all)
}

/// What commutes with waiting by spinning is not said in the oracle: such programs have no number of classes.
fn is_countable(model: &oracle::Model, counted: Counted) -> bool {
    !matches!(counted, Counted::Classes) || !model.spins()
}

fn count(model: &oracle::Model, counted: Counted) -> Result<oracle::Count, String> {
    match counted {
        Counted::All => model.count(),
        Counted::Preemptions(bound) => model.count_bounded(bound),
        Counted::Classes => model.classes(),
    }
}

/// The oracle against the numbers that the case itself gives; the tool is not needed.
fn check_model(case: &Case) -> Result<(), String> {
    let model = case.model.as_ref().ok_or("no model")?;
    for expect in &case.expects {
        let Some(counted) = expect.counted().filter(|how| is_countable(model, *how)) else {
            continue;
        };
        let count = count(model, counted)?;
        let stated = match counted {
            Counted::Classes => {
                model.check_independence()?;
                expect.classes
            }
            _ => expect.interleavings,
        };
        if std::env::var_os("UNPICK_SHOW_COUNTS").is_some() {
            println!("{} {}: {count:?}", case.folder.display(), expect.name());
        }
        if stated.is_some_and(|n| u128::from(n) != count.total) {
            return Err(format!("{}: the oracle says {}", expect.name(), count.total));
        }
        if expect.failing.is_some_and(|n| u128::from(n) != count.failing) {
            return Err(format!("{}: the oracle says {} fail", expect.name(), count.failing));
        }
        match (expect.verdict.as_str(), count.failing) {
            ("clean", 0) | ("undecided", _) => {}
            ("bug", n) if n > 0 => {}
            (verdict, n) => return Err(format!("{verdict}, but by the oracle {n} fail")),
        }
    }
    Ok(())
}

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let mut trials = Vec::new();
    for (name, test) in oracle::self_tests() {
        trials.push(Trial::test(format!("oracle::{name}"), move || test().map_err(Failed::from)));
    }
    let root = root();
    let mut folders = Vec::new();
    for part in ["tests/cases", "corpus/figures", "corpus/sct", "corpus/udon", "corpus/pubsub"] {
        let before = folders.len();
        let found = find(&root.join(part), &mut folders);
        let trouble = match found {
            Err(e) => Some(format!("{part}: {e}")),
            Ok(()) if folders.len() == before => Some(format!("{part}: no cases")),
            Ok(()) => None,
        };
        if let Some(trouble) = trouble {
            trials.push(Trial::test(part, move || Err(Failed::from(trouble))));
        }
    }
    for folder in folders {
        let name = folder.strip_prefix(&root).unwrap_or(&folder).display().to_string();
        let case = match read_case(&folder) {
            Ok(case) => Arc::new(case),
            Err(e) => {
                trials.push(Trial::test(name.clone(), move || Err(format!("{name}: {e}").into())));
                continue;
            }
        };
        if case.model.is_some() {
            let case = case.clone();
            let test = move || check_model(&case).map_err(Failed::from);
            trials.push(Trial::test(format!("{name}::model"), test));
        }
        for index in 0..case.expects.len() {
            let case = case.clone();
            let name = format!("{name}::{}", case.expects[index].name());
            let test = move || case.check(&case.expects[index]).map_err(Failed::from);
            trials.push(Trial::test(name, test));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
