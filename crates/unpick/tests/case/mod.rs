//! A case as data: what `case.toml` says (tests/README.md), and how the tool's answer is compared with it.
#![allow(dead_code)] // Each harness uses its part.

pub mod call;
pub mod invariants;
pub mod shape;

use crate::{oracle, pairs};
use call::Answer;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How long one call of the tool may take unless the case says otherwise.
pub const SECONDS: u64 = 120;
/// `check` is told its time limit.
const CHECK_SECONDS: u64 = 60;

pub struct Case {
    pub folder: PathBuf,
    pub sources: Vec<String>,
    /// Sources of libraries that the program opens when it runs.
    pub plugins: Vec<String>,
    /// What builds the program, where it is not the usual one.
    pub compiler: Option<String>,
    pub cflags: Vec<String>,
    pub args: Vec<String>,
    /// Files and folders that lie where the tool is called.
    pub files: Vec<String>,
    pub cpp: bool,
    pub model: Option<oracle::Model>,
    pub expects: Vec<Expect>,
    /// The built program, or why there is none; in a folder that lives as long as the case.
    pub built: OnceLock<Result<(tempfile::TempDir, PathBuf), String>>,
}

#[derive(Clone, Default)]
pub struct Expect {
    pub run: Vec<String>,
    pub verdict: String,
    pub exit: i64,
    pub kinds: Vec<String>,
    pub places: Vec<String>,
    pub message: Option<String>,
    /// Of a bug that `check` finds: must the program itself have failed so?
    pub confirmed: Option<bool>,
    pub complete: Option<bool>,
    pub interleavings: Option<u64>,
    pub classes: Option<u64>,
    pub events_most: Option<u64>,
    pub failing: Option<u64>,
    pub replay: Option<u64>,
    pub warning: Option<String>,
    pub stdout_contains: Option<String>,
    pub stderr_contains: Option<String>,
    pub trace_shows: Option<String>,
    /// Parts of the sentence by which `unpick explain` explains the failure.
    pub explained: Vec<String>,
    /// How many branches go the other way then.
    pub flips: Option<u64>,
    /// Why it does not.
    pub unexplained: Option<String>,
    /// The same must come out where only a run is known that passes.
    pub from_passing: bool,
    /// The same must come out of a recording under the system's own scheduler.
    pub recorded: bool,
    /// Of `unpick races`: exactly these.
    pub races: BTreeSet<pairs::Places>,
    pub deadlocks: BTreeSet<pairs::Places>,
    /// Of `unpick localize`: each is how one of the first three lines is told, or `this|or this`.
    pub blames: Vec<String>,
    /// Of `unpick localize`: two places that help together, `one + other`.
    pub both: Vec<String>,
    /// Of `unpick localize`: lines of the first change that is verified.
    pub fixed_by: Vec<String>,
    /// Of `unpick localize`: lines of the change that is told where none is verified.
    pub fixed_perhaps_by: Vec<String>,
    /// Of `unpick localize`: who runs after whom.
    pub turns: Vec<String>,
    /// Of `unpick invariants`: see `invariants.rs`.
    pub invariants: invariants::Expected,
    pub from_source: bool,
    pub seconds: u64,
}

/// How `unpick localize` tells a place: `file:line what had -> value`, and what each visit had and needs.
fn blamed(line: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let change = |of: &Value| format!("{} -> {}", text(&of["had"]), text(&of["value"]));
    let file = text(&line["file"]);
    let file = file.rsplit('/').next().unwrap_or_default();
    let told = format!("{file}:{} {} {}", line["line"], text(&line["what"]), change(line));
    match line["visits"].as_array() {
        Some(all) => format!("{told} ({})", all.iter().map(change).collect::<Vec<_>>().join(", ")),
        None => told,
    }
}

/// The first three lines that `unpick localize` blames.
fn first_lines(json: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut seen: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for line in json["lines"].as_array().into_iter().flatten() {
        let file = text(&line["file"]);
        let place = format!("{}:{}", file.rsplit('/').next().unwrap_or_default(), line["line"]);
        if seen.len() < 3 && !seen.contains(&place) {
            lines.push(blamed(line));
            seen.push(place);
        }
    }
    lines
}

// ---- Reading case.toml. Whatever is not understood is an error: no test may assert nothing.

pub type Read<T> = Result<T, String>;

pub struct Table<'a>(toml::Table, &'a str);

impl Table<'_> {
    pub fn take<T>(
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
    pub fn string(&mut self, key: &str) -> Read<Option<String>> {
        self.take(key, |v| v.as_str().map(str::to_string))
    }
    pub fn strings(&mut self, key: &str) -> Read<Option<Vec<String>>> {
        self.take(key, strings)
    }
    pub fn number(&mut self, key: &str) -> Read<Option<u64>> {
        self.take(key, |v| v.as_integer().and_then(|n| u64::try_from(n).ok()))
    }
    pub fn bool(&mut self, key: &str) -> Read<Option<bool>> {
        self.take(key, |v| v.as_bool())
    }
    pub fn finish(self) -> Read<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("{}: unknown key `{key}`", self.1)),
        }
    }
    pub fn need<T>(&self, key: &str, value: Option<T>) -> Read<T> {
        value.ok_or_else(|| format!("{}: `{key}` is missing", self.1))
    }
}

pub fn strings(value: &toml::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_string)).collect()
}

pub fn read_model(value: &toml::Value) -> Option<BTreeMap<String, Vec<String>>> {
    value.as_table()?.iter().map(|(k, v)| Some((k.clone(), strings(v)?))).collect()
}

/// `bank.c:31` must name a line that is there, in one of the sources.
pub fn check_place(folder: &Path, sources: &[String], place: &str) -> Read<()> {
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

pub fn read_case(folder: &Path) -> Read<Case> {
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

pub fn read_expect(
    mut table: Table,
    folder: &Path,
    sources: &[String],
    plain: bool,
) -> Read<Expect> {
    let run = table.strings("run")?;
    let verdict = table.string("verdict")?;
    let mut expect = Expect {
        run: table.need("run", run)?,
        verdict: table.need("verdict", verdict)?,
        kinds: table.strings("kinds_any")?.unwrap_or_default(),
        places: table.strings("places_any")?.unwrap_or_default(),
        message: table.string("message")?,
        confirmed: table.bool("confirmed")?,
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
        explained: table.strings("explained")?.unwrap_or_default(),
        flips: table.number("flips")?,
        unexplained: table.string("unexplained")?,
        from_passing: table.bool("from_passing")?.unwrap_or(false),
        recorded: table.bool("recorded")?.unwrap_or(false),
        ..Expect::default()
    };
    if let Some(kind) = table.string("kind")? {
        if !expect.kinds.is_empty() {
            return Err(format!("{}: `kind` or `kinds_any`, not both", table.1));
        }
        expect.kinds.push(kind);
    }
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
    expect.blames = table.strings("blames")?.unwrap_or_default();
    expect.both = table.strings("both")?.unwrap_or_default();
    expect.fixed_by = table.strings("fixed_by")?.unwrap_or_default();
    expect.fixed_perhaps_by = table.strings("fixed_perhaps_by")?.unwrap_or_default();
    expect.turns = table.strings("turns")?.unwrap_or_default();
    let (fixed, perhaps) = (&expect.fixed_by, &expect.fixed_perhaps_by);
    let localised = [&expect.blames, &expect.both, fixed, perhaps, &expect.turns];
    if localised.iter().any(|wanted| !wanted.is_empty()) && expect.run[0] != "localize" {
        return Err(format!("{}: a fault without a call that localises", table.1));
    }
    expect.invariants = invariants::read(&mut table)?;
    if !expect.invariants.is_empty() && expect.run[0] != "invariants" {
        return Err(format!("{}: invariants without a call that finds them", table.1));
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
    let usual = if expect.checks() { CHECK_SECONDS } else { SECONDS };
    expect.seconds = table.number("seconds")?.unwrap_or(usual);
    if expect.verdict == "bug" && expect.kinds.is_empty() {
        return Err(format!("{}: a bug of which `kind`?", table.1));
    }
    let about_a_bug = !expect.kinds.is_empty()
        || !expect.places.is_empty()
        || expect.message.is_some()
        || expect.confirmed.is_some()
        || expect.replay.is_some()
        || !expect.explained.is_empty()
        || expect.unexplained.is_some()
        || expect.trace_shows.is_some();
    if expect.explained.is_empty() && (expect.from_passing || expect.recorded) {
        return Err(format!("{}: `from_passing` or `recorded` without `explained`", table.1));
    }
    if expect.explained.is_empty() && expect.flips.is_some() {
        return Err(format!("{}: `flips` of which explanation?", table.1));
    }
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

impl Case {
    pub fn paths(&self) -> Vec<String> {
        self.sources.iter().map(|s| self.folder.join(s).display().to_string()).collect()
    }
}

/// What of a model is counted.
#[derive(Clone, Copy)]
pub enum Counted {
    All,
    Preemptions(u32),
    Classes,
}

impl Expect {
    pub fn counted(&self) -> Option<Counted> {
        let value = |option: &str| {
            let at = self.run.iter().position(|a| a == option)?;
            self.run.get(at + 1).map(String::as_str)
        };
        // Looks are steps, too: only where the model has them is something counted.
        let looks = self.run[0] == "invariants";
        if self.complete != Some(true)
            || looks && self.classes.is_none() && self.interleavings.is_none()
        {
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
    pub fn knows_all(&self) -> bool {
        let some = !self.races.is_empty() || !self.deadlocks.is_empty();
        self.run[0] == "races" && (some || self.verdict == "clean")
    }

    /// What `unpick races` has missed, and what it has found that is not there.
    pub fn differences(&self, json: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        for (kind, expected) in [("race", &self.races), ("deadlock", &self.deadlocks)] {
            let found = pairs::confirmed(json, kind);
            wrong.extend(expected.difference(&found).map(|p| format!("missed {kind}: {p:?}")));
            wrong.extend(found.difference(expected).map(|p| format!("false {kind}: {p:?}")));
        }
        wrong.extend(pairs::alarms(json).iter().map(|p| format!("not confirmed: {p:?}")));
        wrong
    }

    /// What every call has in common: what is otherwise in the answer than expected.
    pub fn mismatches(&self, answer: &Answer, json: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let finding = &json["findings"][0];
        let mut compare = |what: &str, got: &Value, want: Option<Value>| {
            if want.as_ref().is_some_and(|want| got != want) {
                wrong.push(format!("{what}: {got}, not {}", want.unwrap_or_default()));
            }
        };
        let exit = answer.status.map_or(-1, i64::from);
        compare("verdict", &json["verdict"], Some(self.verdict.clone().into()));
        compare("exit", &exit.into(), Some(self.exit.into()));
        compare("complete", &json["complete"], self.complete.map(Value::from));
        if self.confirmed == Some(true) {
            compare("confirmed", &finding["confirmed"], Some(true.into()));
        }
        let kind = finding["kind"].as_str().unwrap_or("(none)");
        if !self.kinds.is_empty() && !self.kinds.iter().any(|k| k == kind) {
            wrong.push(format!("kind: {kind}, not {}", self.kinds.join(" or ")));
        }
        if !self.places.is_empty() {
            let site = &finding["sites"][0];
            let file = site["file"].as_str().unwrap_or("(none)");
            let file = file.rsplit('/').next().unwrap_or(file);
            let place = format!("{file}:{}", site["line"]);
            if !self.places.contains(&place) {
                wrong.push(format!("place: {place}, not {}", self.places.join(" or ")));
            }
        }
        let mut contains = |what: &str, text: &str, part: &Option<String>| {
            if let Some(part) = part
                && !text.contains(part.as_str())
            {
                wrong.push(format!("{what}: {text:?} does not contain {part:?}"));
            }
        };
        contains("message", finding["message"].as_str().unwrap_or(""), &self.message);
        contains("standard output", &answer.stdout, &self.stdout_contains);
        contains("standard error", &answer.stderr, &self.stderr_contains);
        let warnings = format!("{} {} {}", json["warnings"], json["reason"], answer.stderr);
        contains("warnings", &warnings, &self.warning);
        wrong.extend(self.invariants.mismatches(json));
        let change = &json["fixes"][0];
        let diff = change["diff"].as_str().unwrap_or_default();
        for wanted in self.fixed_by.iter().chain(&self.fixed_perhaps_by) {
            if !diff.lines().any(|line| line == wanted) {
                wrong.push(format!("the first change has no line {wanted:?}: {diff:?}"));
            }
        }
        for (wanted, verified) in [(&self.fixed_by, true), (&self.fixed_perhaps_by, false)] {
            if !wanted.is_empty() && change["verified"] != verified {
                wrong.push(format!("verified should be {verified}: {change}"));
            }
        }
        let turns = json["switches"].as_array().into_iter().flatten();
        let turns: Vec<String> = turns.map(|switch| format!("T{}", switch["thread"])).collect();
        if !self.turns.is_empty() && turns != self.turns {
            wrong.push(format!("threads run in the order {turns:?}, not {:?}", self.turns));
        }
        let lines = first_lines(json);
        for wanted in &self.blames {
            let told = |one: &str| lines.iter().any(|line| line.starts_with(one));
            if !wanted.split('|').any(told) {
                wrong.push(format!("does not blame {wanted:?}, but {lines:?}"));
            }
        }
        let pairs = json["pairs"].as_array().into_iter().flatten();
        let pair =
            |pair: &Value| format!("{} + {}", blamed(&pair["lines"][0]), blamed(&pair["lines"][1]));
        let pairs: Vec<String> = pairs.map(pair).collect();
        for wanted in self.both.iter().filter(|wanted| !pairs.contains(wanted)) {
            wrong.push(format!("does not blame {wanted:?} together, but {pairs:?}"));
        }
        wrong
    }

    /// Does the call model-check? Those are `check.rs`'s, all others `cases.rs`'s.
    pub fn checks(&self) -> bool {
        self.run[0] == "check"
    }

    pub fn name(&self) -> String {
        self.run.join(" ").replace("--strategy ", "").replace("--", "")
    }
}

/// All cases in these parts of the repository, by name; a part without any is an error, and so is a case that
/// cannot be read.
pub fn all(parts: &[&str]) -> Vec<(String, Read<Case>)> {
    let root = call::root();
    let mut cases = Vec::new();
    for part in parts {
        let mut folders = Vec::new();
        match find(&root.join(part), &mut folders) {
            Err(e) => cases.push((part.to_string(), Err(format!("{part}: {e}")))),
            Ok(()) if folders.is_empty() => {
                cases.push((part.to_string(), Err(format!("{part}: no cases"))));
            }
            Ok(()) => {}
        }
        for folder in folders {
            let name = folder.strip_prefix(&root).unwrap_or(&folder).display().to_string();
            let case = read_case(&folder).map_err(|e| format!("{name}: {e}"));
            cases.push((name, case));
        }
    }
    cases
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

/// Copies a file, or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
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
