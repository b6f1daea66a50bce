//! Witnesses that `unpick check --witness` writes keep the rules of their formats (YAML 2.x and GraphML 1.0), as far as these
//! can be checked without the tools that read them. The readers here share nothing with the writer.

use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Checks a case and gives the witness.
fn witness(case: &str, options: &[&str], suffix: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let case = root().join("tests/check").join(case);
    let source = std::fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path());
    let source = source.into_iter().find(|path| path.extension().is_some_and(|it| it == "c"));
    let file = folder.path().join(format!("witness.{suffix}"));
    let unpick = std::env::var_os("UNPICK_BIN").map(PathBuf::from);
    let output = Command::new(unpick.unwrap_or_else(|| root().join("target/release/unpick")))
        .args(["check", "--quiet", "--out", "out", "--witness"])
        .arg(&file)
        .args(options.iter().map(|word| word.replace("CASE", &case.display().to_string())))
        .arg(source.unwrap())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// YAML as far as witnesses use it: indented lists and maps, scalars on one line, which are numbers, `[]` or in double quotes.
struct Yaml<'t> {
    lines: Vec<(usize, &'t str)>,
    at: usize,
}

fn yaml(text: &str) -> Value {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| (line.len() - line.trim_start().len(), line.trim_start()));
    let mut reader = Yaml { lines: lines.collect(), at: 0 };
    let value = reader.value(0);
    assert_eq!(reader.at, reader.lines.len(), "line {}", reader.at + 1);
    value
}

fn scalar(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The end of a key: a colon that is in no quotes.
fn key_of(line: &str) -> Option<(String, &str)> {
    let end = match line.strip_prefix('"') {
        Some(rest) => rest.find("\": ")? + 2,
        None => line.find(':')?,
    };
    let (key, rest) = line.split_at(end);
    let key = if key.starts_with('"') { scalar(key).as_str()?.to_string() } else { key.into() };
    Some((key, rest[1..].trim()))
}

impl Yaml<'_> {
    fn value(&mut self, indent: usize) -> Value {
        let (here, line) = self.lines[self.at];
        assert!(here >= indent, "line {}: {line}", self.at + 1);
        if line.starts_with("- ") { self.list(here) } else { self.map(here) }
    }

    fn list(&mut self, indent: usize) -> Value {
        let mut items = Vec::new();
        while let Some(&(here, line)) = self.lines.get(self.at).filter(|(here, _)| *here == indent)
        {
            let Some(rest) = line.strip_prefix("- ") else { break };
            if key_of(rest).is_none() || rest.ends_with('"') && rest.starts_with('"') {
                items.push(scalar(rest));
                self.at += 1;
            } else {
                self.lines[self.at] = (here + 2, rest);
                items.push(self.map(here + 2));
            }
        }
        Value::Array(items)
    }

    fn map(&mut self, indent: usize) -> Value {
        let mut map = Map::new();
        while let Some(&(here, line)) = self.lines.get(self.at).filter(|(here, _)| *here == indent)
        {
            if line.starts_with("- ") {
                break;
            }
            let (key, rest) = key_of(line).unwrap_or_else(|| panic!("no key: {line}"));
            self.at += 1;
            let value = if rest.is_empty() { self.value(here + 1) } else { scalar(rest) };
            assert!(map.insert(key, value).is_none(), "twice: {line}");
        }
        Value::Object(map)
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value:#}"))
}

fn only(value: &Value, required: &[&str], optional: &[&str]) {
    let map = value.as_object().unwrap_or_else(|| panic!("no map: {value:#}"));
    for key in required {
        assert!(map.contains_key(*key), "{key} is missing: {value:#}");
    }
    let known = |key: &String| required.contains(&&**key) || optional.contains(&&**key);
    let strange = map.keys().find(|key| !known(key));
    assert_eq!(strange, None, "{value:#}");
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

fn is_moment(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00Z"
}

fn is_specification(text: &str) -> bool {
    let formulas = [
        "G ! call(reach_error())",
        "G valid-free",
        "G valid-deref",
        "G valid-memtrack",
        "G valid-memcleanup",
        "G ! overflow",
        "G ! data-race",
        "G ! deadlock",
    ];
    let is_formula = |line: &str| {
        let inner = line.strip_prefix("CHECK( init(main()), LTL(");
        inner.and_then(|it| it.strip_suffix(") )")).is_some_and(|it| formulas.contains(&it))
    };
    text.lines().count() > 0 && text.lines().all(is_formula)
}

/// The one entry, its version and its content.
fn entry(document: &Value, kind: &str) -> Value {
    let [entry] = &document.as_array().unwrap()[..] else { panic!("one entry: {document:#}") };
    only(entry, &["entry_type", "metadata", "content"], &[]);
    assert_eq!(entry["entry_type"], kind);
    let metadata = &entry["metadata"];
    only(metadata, &["format_version", "uuid", "creation_time", "producer", "task"], &[]);
    assert!(is_uuid(text(metadata, "uuid")), "{metadata:#}");
    assert!(is_moment(text(metadata, "creation_time")), "{metadata:#}");
    only(&metadata["producer"], &["name", "version"], &["configuration", "command_line"]);
    let task = &metadata["task"];
    let keys = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    only(task, &keys, &[]);
    assert!(is_specification(text(task, "specification")), "{task:#}");
    assert!(["ILP32", "LP64"].contains(&text(task, "data_model")));
    assert_eq!(task["language"], "C");
    for file in task["input_files"].as_array().unwrap() {
        let hash = text(&task["input_file_hashes"], file.as_str().unwrap());
        assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    }
    entry.clone()
}

/// Waypoints in their order; of a segment exactly the last one is followed, but for the two targets of a race.
fn waypoints(entry: &Value) -> Vec<Value> {
    let segments = entry["content"].as_array().unwrap();
    let mut all = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        only(segment, &["segment"], &[]);
        let points = segment["segment"].as_array().unwrap();
        let last = at + 1 == segments.len();
        let race = text(&entry["metadata"]["task"], "specification").contains("data-race");
        assert!(points.len() == 1 || last && race && points.len() == 2, "{segment:#}");
        for point in points {
            only(point, &["waypoint"], &[]);
            let point = &point["waypoint"];
            check_waypoint(point);
            assert_eq!(point["type"] == "target", last, "{point:#}");
            all.push(point.clone());
        }
    }
    all
}

fn check_waypoint(point: &Value) {
    only(point, &["type", "action", "location"], &["constraint", "thread_id"]);
    assert_eq!(point["action"], "follow");
    let location = &point["location"];
    only(location, &["file_name", "line"], &["column", "function"]);
    assert!(location["line"].as_u64().unwrap() > 0);
    let (format, value) = (point["constraint"]["format"].as_str(), &point["constraint"]["value"]);
    match text(point, "type") {
        "assumption" => assert!(format == Some("c_expression") && value.is_string(), "{point:#}"),
        "function_return" => {
            let constant = value.as_str().and_then(|it| it.strip_prefix("\\result == "));
            assert_eq!(format, Some("acsl_expression"));
            assert!(constant.is_some_and(|it| it.parse::<f64>().is_ok()), "{point:#}");
        }
        "target" => assert!(format.is_none(), "{point:#}"),
        other => panic!("{other}"),
    }
}

/// The character at a location, in the case's only source.
fn character(location: &Value) -> Option<char> {
    let source = std::fs::read_to_string(text(location, "file_name")).unwrap();
    let line = source.lines().nth(location["line"].as_u64()? as usize - 1)?;
    line.chars().nth(location["column"].as_u64()? as usize - 1)
}

#[test]
fn a_violation_by_inputs() {
    let file = &["--property", "CASE/unreach-call.prp"];
    let entry = entry(&yaml(&witness("svcomp/unreach-call", file, "yml")), "violation_sequence");
    assert_eq!(entry["metadata"]["format_version"], "2.2");
    let points = waypoints(&entry);
    let inputs: Vec<&Value> = points.iter().filter(|it| it["type"] == "function_return").collect();
    assert_eq!(inputs.len(), 2);
    for input in inputs {
        assert_eq!(character(&input["location"]), Some(')'), "{input:#}");
    }
}

/// By the symbolic engine, and by runs: the steps of both threads, in an order that ends with the target.
#[test]
fn a_violation_by_threads() {
    for engine in ["symbolic", "native"] {
        let options = &["--engine", engine];
        let text = witness("schedules/message", options, "yml");
        let points = waypoints(&entry(&yaml(&text), "violation_sequence"));
        let threads: HashSet<u64> =
            points.iter().map(|point| point["thread_id"].as_u64().unwrap()).collect();
        assert!(threads.len() >= 2, "{engine}: {text}");
        assert_eq!(points.iter().filter(|point| point["type"] == "target").count(), 1);
    }
}

#[test]
fn a_race_has_two_targets() {
    for engine in ["symbolic", "native"] {
        let options = &["--engine", engine, "--property", "CASE/no-data-race.prp"];
        let text = witness("svcomp/no-data-race", options, "yml");
        let points = waypoints(&entry(&yaml(&text), "violation_sequence"));
        let targets: Vec<&Value> = points.iter().filter(|it| it["type"] == "target").collect();
        assert_eq!(targets.len(), 2, "{engine}: {text}");
        assert_ne!(targets[0]["thread_id"], targets[1]["thread_id"]);
    }
}

#[test]
fn a_proof() {
    let file = &["--property", "CASE/unreach-call.prp"];
    let entry = entry(&yaml(&witness("svcomp/unreach-call-not", file, "yml")), "invariant_set");
    assert_eq!(entry["metadata"]["format_version"], "2.0");
    assert_eq!(entry["content"], json!([]));
}

/// Elements of an XML text: name, attributes, and the text in them; the reader insists that they close.
fn elements(text: &str) -> Vec<(String, Map<String, Value>, String)> {
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut found = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, inside) = part.split_once('>').expect("a tag ends");
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let (expected, _) = open.pop().expect("something is open");
            assert_eq!(expected, name);
            continue;
        }
        let alone = tag.ends_with('/');
        let mut words = tag.trim_end_matches('/').splitn(2, ' ');
        let name = words.next().unwrap().to_string();
        let mut attributes = Map::new();
        let mut rest = words.next().unwrap_or_default().trim();
        while let Some((key, behind)) = rest.split_once("=\"") {
            let (value, behind) = behind.split_once('"').expect("a value ends");
            assert!(attributes.insert(key.trim().into(), value.into()).is_none());
            rest = behind.trim();
        }
        found.push((name.clone(), attributes, inside.trim().to_string()));
        if !alone {
            open.push((name, found.len()));
        }
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

#[test]
fn graphs() {
    let cases: [(&str, &[&str], &str); 4] = [
        ("svcomp/unreach-call", &["--property", "CASE/unreach-call.prp"], "violation_witness"),
        ("schedules/message", &["--engine", "symbolic"], "violation_witness"),
        ("svcomp/no-data-race", &["--property", "CASE/no-data-race.prp"], "violation_witness"),
        ("svcomp/unreach-call-not", &[], "correctness_witness"),
    ];
    for (case, options, kind) in cases {
        let graph = elements(&witness(case, options, "graphml"));
        let named = |name: &'static str| graph.iter().filter(move |(it, _, _)| it == name);
        let keys: HashSet<&str> =
            named("key").map(|(_, it, _)| it["id"].as_str().unwrap()).collect();
        let nodes: Vec<&str> = named("node").map(|(_, it, _)| it["id"].as_str().unwrap()).collect();
        assert_eq!(nodes.len(), nodes.iter().collect::<HashSet<_>>().len(), "{case}");
        let value = |key: &str| {
            let data = named("data").find(|(_, it, _)| it["key"] == key);
            data.map(|(_, _, inside)| inside.clone())
        };
        for (_, data, _) in named("data") {
            assert!(keys.contains(data["key"].as_str().unwrap()), "{case}: {data:?}");
        }
        assert_eq!(value("witness-type").as_deref(), Some(kind), "{case}");
        assert_eq!(value("architecture").as_deref(), Some("64bit"));
        assert!(value("programhash").is_some_and(|hash| hash.len() == 64));
        assert!(value("specification").is_some_and(|it| is_specification(&it)), "{case}");
        assert!(value("creationtime").is_some_and(|it| is_moment(&it)));
        assert_eq!(value("entry").as_deref(), Some("true"));
        let mut threads = HashSet::from(["0".to_string()]);
        let mut path = nodes[0];
        for at in 0..graph.len() {
            let (name, attributes, inside) = &graph[at];
            if name == "edge" {
                assert_eq!(attributes["source"], path, "{case}: one path");
                path = attributes["target"].as_str().unwrap();
            } else if name == "data" && attributes["key"] == "createThread" {
                assert!(threads.insert(inside.clone()), "{case}: T{inside} is created once");
            } else if name == "data" && attributes["key"] == "threadId" {
                assert!(threads.contains(inside), "{case}: T{inside} was not created");
            }
        }
        let violated = value("violation").is_some();
        assert_eq!(violated, kind == "violation_witness", "{case}");
        assert_eq!(path, *nodes.last().unwrap(), "{case}");
    }
}
