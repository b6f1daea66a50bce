//! The files for GitHub and GitLab: they can be read, their shell is right, and their steps do what they say when they are
//! run here.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::{Answer, Sandbox, installed, unpick};
use serde_json::Value;
use std::path::Path;

/// A YAML file under `contrib`; `None`, with a message, where nobody can read YAML.
fn yaml(name: &str) -> Option<Value> {
    const READ: &str = "import json, sys, yaml; json.dump(yaml.load(open(sys.argv[1]), yaml.BaseLoader), sys.stdout)";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib").join(name);
    let sandbox = Sandbox::new();
    if !installed("python3") || sandbox.run("python3", &["-c", "import yaml"]).status != 0 {
        eprintln!("skipped: python3-yaml is not installed (scripts/install-deps --tests)");
        return None;
    }
    let answer = sandbox.run("python3", &["-c", READ, path.to_str().expect("a path")]);
    Some(serde_json::from_slice(&answer.expect(0).stdout).expect("JSON"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_string()
}

/// bash takes it, and shellcheck has nothing to say.
fn is_right(script: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("script", format!("#!/bin/bash\n{script}"));
    sandbox.run("bash", &["-n", "script"]).expect(0);
    match installed("shellcheck") {
        true => drop(sandbox.run("shellcheck", &["script"]).expect(0)),
        false => eprintln!("not checked: shellcheck is not installed"),
    }
}

/// With the tool under test in PATH.
fn with_tool() -> Sandbox {
    let mut sandbox = Sandbox::new();
    let folder = unpick().parent().expect("a folder").display().to_string();
    sandbox.set("PATH", &format!("{folder}:{}", std::env::var("PATH").expect("a path")));
    sandbox
}

fn gitlab() -> Option<(Value, String)> {
    let job = yaml("gitlab/unpick.yml")?[".unpick"].clone();
    let lines = |name: &str| {
        let lines = job[name].as_array().expect("lines").iter().map(text);
        lines.collect::<Vec<_>>().join("\n")
    };
    let script = format!("{}\n{}", lines("before_script"), lines("script"));
    Some((job, script))
}

/// As a runner does it: all lines in one shell, which ends at the first that fails.
fn run_gitlab(sandbox: &mut Sandbox, variables: &[(&str, &str)]) -> Option<Answer> {
    let (job, script) = gitlab()?;
    for (name, value) in job["variables"].as_object().expect("variables") {
        sandbox.set(name, value.as_str().expect("text"));
    }
    for (name, value) in variables {
        sandbox.set(name, value);
    }
    Some(sandbox.run("bash", &["-eo", "pipefail", "-c", &script]))
}

#[test]
fn gitlab_is_right() {
    let Some((job, script)) = gitlab() else { return };
    is_right(&script);
    assert_eq!(job["artifacts"]["reports"]["junit"], "unpick.xml");
}

#[test]
fn gitlab_finds_a_bug() {
    let mut sandbox = with_tool();
    sandbox.write("race.c", RACE);
    sandbox.write("unpick.toml", "target = 'race.c'\n");
    let Some(answer) = run_gitlab(&mut sandbox, &[("UNPICK_TIME", "20")]) else { return };
    assert!(answer.expect(1).out().contains("assertion failed"), "{answer:?}");
    let sarif = std::fs::read_to_string(sandbox.path("unpick.sarif")).expect("a report");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert!(!sarif["runs"][0]["results"].as_array().expect("results").is_empty(), "{sarif}");
    let junit = std::fs::read_to_string(sandbox.path("unpick.xml")).expect("a report");
    assert!(junit.contains("<failure"), "{junit}");
}

#[test]
fn gitlab_finds_nothing() {
    let mut sandbox = with_tool();
    let program = "#include <string.h>\nint main(int count, char **words) {\n  return count == 3 && !strcmp(words[2], \"b\") ? 3 : 0;\n}\n";
    sandbox.write("words.c", program);
    sandbox.write("locked.c", LOCKED);
    let words = [
        ("UNPICK_TARGET", "words.c"),
        ("UNPICK_ARGUMENTS", "a b"),
        ("UNPICK_OPTIONS", "--expect-exit 3 --jobs 1"),
    ];
    let Some(answer) = run_gitlab(&mut sandbox, &words) else { return };
    answer.expect(0);
    let junit = std::fs::read_to_string(sandbox.path("unpick.xml")).expect("a report");
    assert!(!junit.contains("<failure"), "{junit}");
    // A call that makes no sense leaves no report of an earlier one.
    let wrong =
        run_gitlab(&mut sandbox, &[("UNPICK_TARGET", "nowhere.c"), ("UNPICK_ARGUMENTS", "")]);
    assert_eq!(wrong.expect("an answer").status, 2);
    assert!(!sandbox.path("unpick.xml").exists());
}

/// Only what is new fails.
#[test]
fn gitlab_knows_a_baseline() {
    let mut sandbox = with_tool();
    sandbox.write("race.c", RACE);
    sandbox.call(&["run", "race.c", "--time", "20", "--write-baseline", "known"]).expect(0);
    let words = [("UNPICK_TARGET", "race.c"), ("UNPICK_TIME", "20"), ("UNPICK_BASELINE", "known")];
    let Some(answer) = run_gitlab(&mut sandbox, &words) else { return };
    answer.expect(0);
}

#[test]
fn gitlab_without_the_tool() {
    let mut sandbox = Sandbox::new();
    sandbox.set("PATH", "/usr/bin:/bin");
    let Some(answer) = run_gitlab(&mut sandbox, &[]) else { return };
    answer.expect(1).says(&["UNPICK_SOURCE"]);
}

/// The steps of the action, with its inputs, as a runner does it. Gives all that was said, and the last status.
fn run_github(sandbox: &mut Sandbox, action: &Value, inputs: &[(&str, &str)]) -> (String, i32) {
    let mut known: Vec<(String, String)> = Vec::new();
    for (name, input) in action["inputs"].as_object().expect("inputs") {
        let given =
            inputs.iter().find(|(given, _)| given == name).map(|(_, value)| value.to_string());
        known.push((format!("inputs.{name}"), given.unwrap_or_else(|| text(&input["default"]))));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/github");
    known.push(("github.action_path".into(), folder.display().to_string()));
    for name in ["RUNNER_TEMP", "GITHUB_PATH", "GITHUB_OUTPUT"] {
        sandbox.set(name, sandbox.path(name).to_str().expect("a path"));
    }
    let mut said = String::new();
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let Some(script) = step["run"].as_str() else { continue };
        assert_eq!(step["shell"], "bash");
        let outputs = std::fs::read_to_string(sandbox.path("GITHUB_OUTPUT")).unwrap_or_default();
        let told = outputs.lines().filter_map(|line| line.split_once('='));
        known.extend(
            told.map(|(name, value)| (format!("steps.run.outputs.{name}"), value.to_string())),
        );
        let mut command = sandbox.command("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            let known = known.iter().rev();
            let full = known.fold(text(value), |text, (name, value)| {
                text.replace(&format!("${{{{ {name} }}}}"), value)
            });
            assert!(!full.contains("${{"), "{full} is not known");
            command.env(name, full);
        }
        let answer = sandbox.finish(command);
        said += &answer.out();
        if answer.no_panic().status != 0 {
            return (said, answer.status);
        }
    }
    (said, 0)
}

#[test]
fn github_is_right() {
    let (Some(action), Some(workflow)) = (yaml("github/action.yml"), yaml("github/workflow.yml"))
    else {
        return;
    };
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().expect("steps") {
        if let Some(script) = step["run"].as_str() {
            is_right(script);
            assert!(
                !script.contains("${{"),
                "what others write must not become a part of a script"
            );
        }
    }
    // The example gives only what there is.
    let steps = workflow["jobs"]["explore"]["steps"].as_array().expect("steps");
    let ours = steps
        .iter()
        .find(|step| step["uses"].as_str().is_some_and(|name| name.ends_with("contrib/github")));
    for name in ours.expect("our step")["with"].as_object().expect("inputs").keys() {
        assert!(action["inputs"][name].is_object(), "{name}");
    }
}

#[test]
fn github_finds_a_bug() {
    let Some(action) = yaml("github/action.yml") else { return };
    let mut sandbox = with_tool();
    sandbox.write("race.c", RACE);
    let (said, status) = run_github(&mut sandbox, &action, &[("target", "race.c"), ("time", "20")]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("::error "), "{said}");
    assert!(sandbox.path("unpick.sarif").is_file() && sandbox.path("unpick.xml").is_file());
    sandbox.write("locked.c", LOCKED);
    let (said, status) = run_github(&mut sandbox, &action, &[("target", "locked.c")]);
    assert_eq!(status, 0, "{said}");
}
