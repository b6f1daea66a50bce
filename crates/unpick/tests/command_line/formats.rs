//! `unpick report`: what other tools read, as they would read it.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::{Answer, Sandbox};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The official schema of SARIF 2.1.0, out of a package that has it; `None`, and a message, where it cannot be had.
fn official() -> Option<Validator> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let kept = target.join("sarif-schema-2.1.0.json");
    if !kept.is_file() {
        match fetched(&target.join("sarif-schema")) {
            Ok(file) => drop(std::fs::copy(file, &kept)),
            Err(why) => {
                // Past what the test harness keeps to itself.
                let _ = writeln!(std::io::stderr(), "skipped: no schema of SARIF: {why}");
                return None;
            }
        }
    }
    let text = std::fs::read_to_string(&kept).expect("the schema");
    // Its pattern for languages has a bracket too many, which not every reader takes.
    let text = text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema["definitions"]["threadFlow"].is_object(), "this is not SARIF's schema");
    let options = jsonschema::options().should_validate_formats(true);
    Some(options.build(&schema).expect("a schema"))
}

/// A package that needs nothing but the one that has the schema.
fn fetched(folder: &Path) -> Result<PathBuf, String> {
    let manifest = "[package]\nname = \"schema\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\nserde-sarif = { version = \"=0.8.0\", default-features = false }\n";
    std::fs::create_dir_all(folder.join("src")).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("src/lib.rs"), "").map_err(|error| error.to_string())?;
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(|error| error.to_string())?;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .output()
        .map_err(|error| error.to_string())?;
    if !told.status.success() {
        return Err(String::from_utf8_lossy(&told.stderr).trim().to_string());
    }
    let told: Value = serde_json::from_slice(&told.stdout).map_err(|error| error.to_string())?;
    let package = array(&told["packages"]).find(|package| package["name"] == "serde-sarif");
    let path = package.and_then(|package| package["manifest_path"].as_str());
    let path = path.ok_or("the package is not there")?;
    Ok(Path::new(path).with_file_name("src").join("schema.json"))
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// What it says in SARIF, which must be valid.
fn sarif(answer: &Answer) -> Value {
    let told: Value = serde_json::from_slice(&answer.expect(0).stdout).expect("JSON");
    if let Some(official) = official() {
        let wrong: Vec<String> = (official.iter_errors(&told))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{told:#}");
        let mut without = told.clone();
        without["runs"][0]["tool"]["driver"]["name"] = Value::Null;
        assert!(!official.is_valid(&without), "anything is valid");
    }
    told
}

/// Names and messages as nobody would choose them.
fn hostile() -> Value {
    let site = |file: &str| {
        json!({ "thread": 1, "file": file, "line": 3, "column": 0, "function": "f<\u{7}>", "operation": "write",
                "variable": "a\"b\\c\u{0}", "stack": [] })
    };
    json!({
        "schema": "unpick/1", "command": "explore", "verdict": "bug", "complete": false, "memory_model": "sc",
        "stats": {}, "warnings": ["]]> \u{1b}[0m\u{202e}"],
        "findings": [{
            "kind": "assertion", "confirmed": true, "confirmed_by": [], "predicted": false, "schedule": "",
            "message": "x < 1 && y > 2\u{0}\u{1b}[31m]]>\r\n::error::%0A\u{fffe}\u{ffff}",
            "trace": "nowhere/there is.unpick",
            "sites": [site("/elsewhere/100% sure, or: not?#.c"), site("sub folder/\u{fffd}\u{e4}.c"), site("../up.c"), site("")],
        }],
    })
}

#[test]
fn the_story_in_sarif() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.call(&["run", "race.c"]).expect(1);
    let answer = sandbox.call(&["report", "unpick-out", "--format", "sarif"]);
    let told = sarif(&answer);
    let run = &told["runs"][0];
    let first = &run["results"][0];
    assert_eq!((&first["ruleId"], &first["level"]), (&json!("assertion"), &json!("error")));
    let place = &first["locations"][0]["physicalLocation"];
    let file = json!({ "uri": "race.c", "uriBaseId": "%SRCROOT%" });
    assert_eq!((&place["artifactLocation"], &place["region"]["startLine"]), (&file, &json!(14)));
    assert!(first["message"]["text"].as_str().unwrap().contains("It passes when T"), "{first:#}");
    assert!(first["partialFingerprints"]["unpick/v1"].is_string(), "{first:#}");
    // A flow for main and each of the two threads, whose steps together are the run in its order.
    let flows = &first["codeFlows"][0]["threadFlows"];
    let names: Vec<&Value> = array(flows).map(|flow| &flow["id"]).collect();
    assert_eq!(names, ["T0", "T1", "T2"]);
    let steps = array(flows).flat_map(|flow| array(&flow["locations"]));
    let mut steps: Vec<(u64, &str)> = steps
        .map(|step| {
            let text = step["location"]["message"]["text"].as_str().expect("words");
            (step["executionOrder"].as_u64().expect("a number"), text)
        })
        .collect();
    steps.sort();
    assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "{steps:?}");
    let reads = steps.iter().filter(|(_, text)| *text == "read balance = 0").count();
    assert_eq!(reads, 2, "both threads read what was there before: {steps:?}");
    // The change that helps, applied, is the changed file.
    let change = &first["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"], file);
    let fixed = applied(RACE, &change["replacements"]);
    assert!(
        fixed.contains("  pthread_mutex_lock(&region_lock);\n  int seen = balance;"),
        "{fixed}"
    );
    sandbox.write("fixed.c", &fixed);
    sandbox.explore_clean(&["fixed.c"]);
    // Rules are those that are needed, and each has help.
    let rules: Vec<&Value> = array(&run["tool"]["driver"]["rules"]).collect();
    assert!(rules.iter().all(|rule| rule["help"]["text"].is_string()), "{rules:?}");
    for result in array(&run["results"]) {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    assert!(rules.iter().any(|rule| rule["id"] == "race"), "{rules:?}");
    // In a test report the story's parts are tests as well.
    let [tests, failures, errors, _] =
        suite(&sandbox.call(&["report", "unpick-out", "--format", "junit"]));
    let results = array(&run["results"]).count();
    assert!(
        (failures, errors) == (results, 0) && tests >= results + 6,
        "{tests} {failures} {errors}"
    );
}

/// From the last one on, so that lines keep their numbers.
fn applied(text: &str, replacements: &Value) -> String {
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    for one in array(replacements).collect::<Vec<_>>().into_iter().rev() {
        let line = |key: &str| one["deletedRegion"][key].as_u64().expect("a line") as usize - 1;
        let inserted = one["insertedContent"]["text"].as_str().expect("text").to_string();
        lines.splice(line("startLine")..line("endLine"), [inserted]);
    }
    lines.concat()
}

#[test]
fn every_document_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.write("locked.c", LOCKED);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    let calls: &[&[&str]] = &[
        &["explore", "race.c", "--json"],
        &["explore", "locked.c", "--json"],
        &["explore", "nowhere", "--json"],
        &["races", "race.c", "--json"],
        &["explain", &trace, "--json"],
        &["invariants", "race.c", "--json"],
        &["check", "race.c", "--json"],
    ];
    for words in calls {
        let document = sandbox.call(words);
        sandbox.write("document.json", &document.stdout);
        let told = sarif(&sandbox.call(&["report", "document.json", "--format", "sarif"]));
        let results = array(&told["runs"][0]["results"]).count();
        let verdict = document.json()["verdict"].clone();
        assert_eq!(results > 0, verdict == "bug", "{words:?} {told:#}");
        let junit = sandbox.call(&["report", "document.json", "--format", "junit"]);
        let counts = suite(&junit);
        let expected = match verdict.as_str() {
            Some("bug") => [results, results, 0, 0],
            Some("clean") => [1, 0, 0, 0],
            _ => [1, 0, 1, 0],
        };
        assert_eq!(counts, expected, "{words:?} {junit:?}");
        let github = sandbox.call(&["report", "document.json", "--format", "github"]);
        let lines = github.expect(0).out().lines().count();
        assert_eq!(lines, results.max(usize::from(verdict == "error")), "{words:?} {github:?}");
        let dot = sandbox.call(&["report", "document.json", "--format", "dot"]);
        match words[0] {
            "explain" => {
                assert!(dot.expect(0).out().starts_with("digraph difference {"), "{dot:?}")
            }
            _ => drop(dot.refused(&["document.json has no explanation to draw"])),
        }
    }
}

/// Tests, failures, errors and those skipped, as the file says and as it is.
fn suite(answer: &Answer) -> [usize; 4] {
    let text = answer.expect(0).out();
    let xml = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let suite = xml.descendants().find(|node| node.has_tag_name("testsuite")).expect("a suite");
    let said = ["tests", "failures", "errors", "skipped"]
        .map(|name| suite.attribute(name).and_then(|it| it.parse().ok()).expect("a number"));
    let there = ["testcase", "failure", "error", "skipped"]
        .map(|name| suite.descendants().filter(|node| node.has_tag_name(name)).count());
    assert_eq!(said, there, "{text}");
    let mut names = HashSet::new();
    for test in suite.descendants().filter(|node| node.has_tag_name("testcase")) {
        assert!(names.insert((test.attribute("classname"), test.attribute("name"))), "{text}");
        assert!(
            test.attribute("name").is_some() && test.attribute("classname").is_some(),
            "{text}"
        );
    }
    said
}

#[test]
fn hostile_names_and_messages() {
    let sandbox = Sandbox::new();
    sandbox.write("odd.json", hostile().to_string());
    let told = sarif(&sandbox.call(&["report", "odd.json", "--format", "sarif"]));
    let result = &told["runs"][0]["results"][0];
    let others = array(&result["relatedLocations"]);
    let all: Vec<&Value> = array(&result["locations"])
        .chain(others)
        .map(|place| &place["physicalLocation"]["artifactLocation"])
        .collect();
    let above = sandbox.path("x").parent().and_then(Path::parent).expect("a folder").join("up.c");
    assert_eq!(all[0]["uri"], "file:///elsewhere/100%25%20sure%2C%20or%3A%20not%3F%23.c");
    assert_eq!(
        *all[1],
        json!({ "uri": "sub%20folder/%EF%BF%BD%C3%A4.c", "uriBaseId": "%SRCROOT%" })
    );
    assert_eq!(all[2]["uri"], format!("file://{}", above.display()));
    assert_eq!(all.len(), 3, "a place without a file is none");
    let message = result["message"]["text"].as_str().expect("a message");
    assert!(!message.contains(|letter: char| letter.is_control()), "{message:?}");
    assert_eq!(suite(&sandbox.call(&["report", "odd.json", "--format", "junit"])), [1, 1, 0, 0]);
    let github = sandbox.call(&["report", "odd.json", "--format", "github"]).expect(0).out();
    assert_eq!(github.lines().count(), 1, "{github}");
    let file = "::error file=/elsewhere/100%25 sure%2C or%3A not?#.c,line=3,endLine=3,title=";
    assert!(github.starts_with(file) && github.contains("::error::%250A"), "{github}");
}

/// Also where the names of files and folders are no text at all.
#[test]
fn real_files_with_odd_names() {
    let sandbox = Sandbox::new();
    let name = "my 100%, or: so.c";
    sandbox.write(name, RACE);
    let document = sandbox.call(&["explore", name, "--json"]);
    sandbox.write("document.json", &document.expect(1).stdout);
    let told = sarif(&sandbox.call(&["report", "document.json", "--format", "sarif"]));
    let place = &told["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "my%20100%25%2C%20or%3A%20so.c");
    let folder = sandbox.path("x").with_file_name(OsStr::from_bytes(b"no \xff text"));
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("race.c"), RACE).expect("a file");
    for format in ["sarif", "junit", "github"] {
        let mut explore = sandbox.tool(&["explore", "race.c", "--json"]);
        explore.current_dir(&folder);
        let document = sandbox.finish(explore);
        let file = folder.join("document.json");
        std::fs::write(&file, &document.expect(1).stdout).expect("a file");
        let mut report = sandbox.tool(&["report", "--format", format]);
        report.arg(&file).current_dir(&folder);
        let answer = sandbox.finish(report);
        match format {
            "sarif" => drop(sarif(&answer)),
            "junit" => assert_eq!(suite(&answer), [1, 1, 0, 0]),
            _ => assert!(answer.expect(0).out().starts_with("::error file="), "{answer:?}"),
        }
    }
}

#[test]
fn what_is_no_document() {
    let sandbox = Sandbox::new();
    sandbox.write("text.json", "no JSON");
    sandbox.write("bytes.json", b"\xff\xfe\"\x00");
    sandbox.write("other.json", r#"{ "schema": "unpick/2" }"#);
    sandbox.write("none.json", "[1]");
    sandbox.write("empty/file", "");
    let of = |path: &str| sandbox.call(&["report", path, "--format", "sarif"]);
    of("text.json").refused(&["text.json", "not JSON", "line 1"]);
    of("bytes.json").refused(&["bytes.json", "not JSON"]);
    of("other.json").refused(&["other.json", "unpick/2"]);
    of("none.json").refused(&["none.json", "no `schema`"]);
    of("nowhere").refused(&["nowhere", "there is no such folder or file", "unpick run"]);
    of("empty").refused(&["empty/story.json", "unpick run --out empty"]);
    // A document whose members are all wrong has nothing to tell, and says so in every format.
    sandbox.write(
        "wrong.json",
        r#"{ "schema": "unpick/1", "findings": [7, {}], "parts": 3, "stats": [],
            "sentence": "x", "causes": [{}, 3], "atomic_regions": [{}, { "file": "a.c", "from_line": 0 }] }"#,
    );
    for format in ["sarif", "junit", "github"] {
        let answer = sandbox.call(&["report", "wrong.json", "--format", format]);
        match format {
            "sarif" => drop(sarif(&answer)),
            "junit" => drop(suite(&answer)),
            _ => drop(answer.expect(0)),
        }
    }
}

#[test]
fn from_standard_input_into_a_file() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("odd.json", hostile().to_string());
    let mut report = sandbox.tool(&["report", "-", "--format", "sarif", "--output", "out.sarif"]);
    report.stdin(std::fs::File::open(file).expect("the file"));
    sandbox.finish(report).expect(0).silent_on_stdout();
    let text = std::fs::read(sandbox.path("out.sarif")).expect("a file");
    assert_eq!(serde_json::from_slice::<Value>(&text).expect("JSON")["version"], "2.1.0");
    let answer =
        sandbox.call(&["report", "odd.json", "--format", "sarif", "--output", "nowhere/x"]);
    answer.refused(&["nowhere/x"]);
}
