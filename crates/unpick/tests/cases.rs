//! Runs every case under `tests/cases` and `corpus` (tests/README.md describes them).
//!
//! One trial for each expectation, one for each model (the oracle alone, without the tool), and the
//! oracle's own tests. `UNPICK_BIN` names another `unpick`; `UNPICK_ROOT` another checkout.

mod case;
mod oracle;
mod pairs;
mod recording;

use case::call::{call, call_with};
use case::{Case, Counted, Expect, SECONDS, copy};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Case {
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
        let mut wrong = expect.mismatches(&answer, &json);
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
        wrong.extend(fewer);
        if expect.knows_all() {
            wrong.extend(expect.differences(&json));
        }
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
        if !expect.explained.is_empty() || expect.unexplained.is_some() {
            check_explanation(expect, folder.path(), trace()?)?;
        }
        if expect.from_passing || expect.recorded {
            check_found(self, expect, folder.path(), Path::new(&trace()?))?;
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

/// What lies in a folder, besides the tool's output.
/// The failure's explanation: proven to be the smallest, passing on the program, and naming what is to blame.
fn check_explanation(expect: &Expect, folder: &Path, trace: String) -> Result<(), String> {
    let args = ["explain".into(), trace, "--json".into(), "--time".into(), "60".into()];
    let told = call(folder, &args, expect.seconds)?;
    let json = told.json()?;
    if let Some(part) = &expect.unexplained {
        let reason = json["reason"].as_str().unwrap_or_default();
        let undecided = json["verdict"] == "undecided" && told.status == Some(3);
        return match undecided && reason.contains(part.as_str()) {
            true => Ok(()),
            false => Err(told.wrong(format!("is not undecided for {part:?}"))),
        };
    }
    let sentence = json["sentence"].as_str().unwrap_or_default();
    let named = |part: &&String| part.split('|').any(|one| sentence.contains(one));
    let missing = expect.explained.iter().find(|part| !named(part));
    let flips = expect.flips.is_none_or(|flips| json["flipped_branches"] == flips);
    match missing {
        _ if told.status != Some(1) => Err(told.wrong("is not explained")),
        _ if json["alternate_passes"] != true => Err(told.wrong("the alternate does not pass")),
        _ if json["optimal"] != true => Err(told.wrong("is not proven to be the smallest")),
        _ if !flips => Err(told.wrong("other branches are flipped")),
        Some(part) => Err(told.wrong(format!("the sentence does not name {part:?}"))),
        None => Ok(()),
    }
}

/// Without the failing run: one that passes, and one of which only the threads' ways are known, lead to it.
fn check_found(case: &Case, expect: &Expect, folder: &Path, trace: &Path) -> Result<(), String> {
    let program = case.program()?.display().to_string();
    let mut given: Vec<String> = Vec::new();
    if expect.from_passing {
        let words = ["replay", &program, "--schedule", "u1:", "--record", "visible", "--json"];
        given.push(made(case, expect, folder, &words, "passing", &[0])?);
    }
    if expect.recorded {
        // Who runs when is the system's business: it may fail or pass.
        let words = ["record", &program, "--json"];
        given.push(made(case, expect, folder, &words, "recorded", &[0, 1])?);
        let failing = folder.join("failing.paths");
        recording::of_trace(trace, &case.program()?, &failing)?;
        given.push(failing.display().to_string());
    }
    given.into_iter().try_for_each(|file| check_explanation(expect, folder, file))
}

/// The file that a call leaves in an output folder of its own.
fn made(
    case: &Case,
    expect: &Expect,
    folder: &Path,
    words: &[&str],
    name: &str,
    statuses: &[i32],
) -> Result<String, String> {
    let out = folder.join("out").join(name);
    let mut args: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    args.extend(["--out".into(), out.display().to_string()]);
    if !case.args.is_empty() {
        args.push("--".into());
        args.extend(case.args.iter().cloned());
    }
    let answer = call(folder, &args, expect.seconds)?;
    if !answer.status.is_some_and(|status| statuses.contains(&status)) {
        return Err(answer.wrong(format!("the run that is {name} ends otherwise")));
    }
    let mut files = std::fs::read_dir(&out).map_err(|e| e.to_string())?.flatten();
    let file =
        files.find(|file| file.path().extension().is_some_and(|e| e == "unpick" || e == "paths"));
    file.map(|file| file.path().display().to_string())
        .ok_or_else(|| answer.wrong("nothing is saved"))
}

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
    let parts = [
        "tests/cases",
        "corpus/figures",
        "corpus/sct",
        "corpus/udon",
        "corpus/pubsub",
        "corpus/localize",
        "corpus/work",
    ];
    for (name, case) in case::all(&parts) {
        let case = match case {
            Ok(case) => Arc::new(case),
            Err(e) => {
                trials.push(Trial::test(name, move || Err(e.into())));
                continue;
            }
        };
        if case.model.is_some() {
            let case = case.clone();
            let test = move || check_model(&case).map_err(Failed::from);
            trials.push(Trial::test(format!("{name}::model"), test));
        }
        for index in (0..case.expects.len()).filter(|i| !case.expects[*i].checks()) {
            let case = case.clone();
            let name = format!("{name}::{}", case.expects[index].name());
            let test = move || case.check(&case.expects[index]).map_err(Failed::from);
            trials.push(Trial::test(name, test));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
