//! What every command prints with --json, against the schemas under `schema/`; and what the schemas refuse.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::Path;

/// Members that a document may do without.
const OPTIONAL: &[&str] = &[
    "reason",
    "variable",
    "held",
    "created_at",
    "trace",
    "harm",
    "location",
    "interleavings",
    "classes",
    "redundant",
    "repeated",
    "identical",
    "alternate_schedule",
    "alternate_passes",
    "inputs",
    "search",
    "induction",
    "broken",
    "fingerprint",
    "known",
    "baseline",
    "verified",
    "claims",
    "found_by",
    "found",
    "failing_schedule",
    "failing_trace",
    "interference",
    "dsp_events",
    "alternate_trace",
    "pairs",
    "visits",
];
/// The same of a trace.
const OPTIONAL_IN_TRACES: &[&str] = &[
    "name", "address", "size", "before", "after", "file", "line", "column", "function", "child",
    "status", "private",
];

fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema").join(name);
    let text = std::fs::read_to_string(&path).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// The same, but members that it does not describe are refused.
fn closed(mut schema: Value) -> Value {
    fn close(value: &mut Value) {
        if value["type"] == "object" && value["properties"].is_object() {
            value["unevaluatedProperties"] = false.into();
        }
        match value {
            Value::Object(members) => members.values_mut().for_each(close),
            Value::Array(all) => all.iter_mut().for_each(close),
            _ => {}
        }
    }
    fn open(value: &mut Value) {
        value.as_object_mut().map(|members| members.remove("unevaluatedProperties"));
    }
    close(&mut schema);
    // What a command adds is part of the same object, and so is what a failure adds.
    let commands: Vec<String> = array(&schema["allOf"])
        .filter_map(|rule| rule["then"]["$ref"].as_str()?.strip_prefix("#/$defs/"))
        .map(str::to_string)
        .collect();
    commands.iter().for_each(|command| open(&mut schema["$defs"][command]));
    if schema["$defs"]["outcome"].is_object() {
        open(&mut schema["$defs"]["outcome"]["then"]);
    }
    schema
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::meta::validate(schema).expect("a schema");
    jsonschema::validator_for(schema).expect("a schema")
}

fn fits(validator: &Validator, document: &Value, what: &str) {
    let wrong: Vec<String> = (validator.iter_errors(document))
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{what}: {wrong:#?}\n{document:#}");
}

/// Another type than it has.
fn of_another_type(value: &Value) -> Value {
    match value {
        Value::String(_) => json!(7),
        Value::Array(_) => json!({}),
        Value::Object(_) => json!([]),
        Value::Null => json!({ "odd": 1 }),
        Value::Bool(_) | Value::Number(_) => json!("odd"),
    }
}

/// What it has is there by the names of variables or operations.
fn is_map(path: &str) -> bool {
    ["/values", "/dsp_events/failing", "/dsp_events/alternate"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// Each member once of another type, and once missing: all of that must be refused.
fn refuses_what_is_wrong(validator: &Validator, document: &Value, optional: &[&str]) -> usize {
    fn paths(value: &Value, at: &str, all: &mut Vec<String>) {
        let mut go = |key: &str, inside: &Value| {
            let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            paths(inside, &at, all);
            all.push(at);
        };
        match value {
            Value::Object(members) => members.iter().for_each(|(key, inside)| go(key, inside)),
            Value::Array(list) => {
                // The others are like the first.
                list.iter().take(1).for_each(|inside| go("0", inside));
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    paths(document, "", &mut all);
    for path in &all {
        let mut changed = document.clone();
        let at = changed.pointer_mut(path).expect("a path");
        *at = of_another_type(at);
        assert!(!validator.is_valid(&changed), "{path} may be {}", changed.pointer(path).unwrap());
        let (parent, key) = path.rsplit_once('/').expect("a parent");
        let mut without = document.clone();
        let Some(members) = without.pointer_mut(parent).and_then(Value::as_object_mut) else {
            continue;
        };
        if optional.contains(&key) || is_map(parent) {
            continue;
        }
        members.remove(key);
        assert!(!validator.is_valid(&without), "{path} may be missing");
    }
    all.len()
}

#[test]
fn what_commands_print() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.write("locked.c", LOCKED);
    sandbox.write("any.c", "int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) { if (__VERIFIER_nondet_int() == 7) { reach_error(); __builtin_abort(); } return 0; }\n");
    sandbox.build(&["-g", "-pthread", "race.c", "-o", "race"]);
    let (_, trace) = sandbox.find_bug(&["race"]);
    let recorded = sandbox.call(&["record", "race", "--json"]).json();
    let recording = recorded["recording"].as_str().expect("a recording").to_string();
    let calls: &[(&[&str], &str)] = &[
        (&["explore", "race"], "bug"),
        (&["explore", "race", "--strategy", "dpor", "--all"], "bug"),
        (&["explore", "locked.c", "--strategy", "dfs"], "clean"),
        (&["explore", "nowhere"], "error"),
        (&["explore", "race", "--no-such-option"], "error"),
        (&["replay", &trace, "-n", "3"], "bug"),
        (&["races", "race"], "bug"),
        (&["races", "locked.c"], "clean"),
        (&["explain", &trace], "bug"),
        (&["explain", &recording], "bug"),
        (&["invariants", "race"], "bug"),
        (&["invariants", "locked.c", "--verify", "dfs"], "clean"),
        (&["check", "race.c"], "bug"),
        (&["check", "locked.c"], "clean"),
        (&["check", "any.c", "--engine", "symbolic", "--property", "assert"], "bug"),
        (&["localize", "race.c", "--time", "20"], "bug"),
        (&["localize", "race.c", "--time", "5", "--fixes", "0", "--each-visit", "--pairs"], "bug"),
        (&["localize", "locked.c"], "clean"),
        (&["record", "race"], ""),
        (&["doctor"], ""),
        (&["run", "race.c"], "bug"),
        (&["run", "locked.c"], "clean"),
    ];
    let (open, strict) = (schema("unpick-1.schema.json"), closed(schema("unpick-1.schema.json")));
    let (open, strict) = (validator(&open), validator(&strict));
    for (words, verdict) in calls {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let answer = sandbox.call(&words);
        let document = answer.json();
        assert!(verdict.is_empty() || document["verdict"] == *verdict, "{answer:?}");
        fits(&strict, &document, &answer.command);
        fits(&open, &document, &answer.command);
        let tried = refuses_what_is_wrong(&open, &document, OPTIONAL);
        assert!(tried > 15, "{tried}");
        // Who reads an older schema reads what is added later, too.
        let mut more = document.clone();
        more["added"] = json!(1);
        assert!(open.is_valid(&more) && !strict.is_valid(&more));
    }
}

#[test]
fn traces() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    let answer = sandbox.call(&["trace", "show", &trace, "--json"]);
    let shown: Value = serde_json::from_slice(&answer.expect(0).stdout).expect("JSON");
    let (open, strict) =
        (schema("unpick-trace-1.schema.json"), closed(schema("unpick-trace-1.schema.json")));
    fits(&validator(&strict), &shown, "trace show");
    let tried = refuses_what_is_wrong(&validator(&open), &shown, OPTIONAL_IN_TRACES);
    assert!(tried > 30, "{tried}");
}
