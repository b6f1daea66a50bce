//! How small programs can end, as each file says of itself: one `// end:` for each kind of end, and options.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use unpick_symex::{Checks, End, Machine, Options, State, Value};

/// The ways in which a state ends: one for each status that it can have, if these are few.
fn kinds(machine: &mut Machine, state: &State) -> Vec<String> {
    let one = match &state.end {
        Some(End::Exited(Some(status))) => format!("exit {status}"),
        Some(End::Exited(None)) => return statuses(machine, state),
        Some(End::Failed(failure)) => format!("fails {:?}", failure.kind),
        Some(End::Assumed) => "assumed".into(),
        Some(End::Cut(_) | End::Unsolved(_)) => "cut".into(),
        Some(End::Unsupported(..)) => "unsupported".into(),
        None => "stuck".into(),
    };
    vec![one]
}

fn statuses(machine: &mut Machine, state: &State) -> Vec<String> {
    let Some(Value::Bits(status)) = state.exiting.as_ref().map(|exiting| exiting.status.clone())
    else {
        return vec!["exit ?".into()];
    };
    let values = machine.decider.values(&mut machine.terms, &state.path.to_vec(), status, 8);
    if !values.complete {
        return vec!["exit ?".into()];
    }
    values.values.iter().map(|status| format!("exit {status}")).collect()
}

/// The text behind `// key:` in each line that has it.
fn told<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let begin = format!("// {key}: ");
    text.lines().filter_map(|line| line.strip_prefix(&begin)).map(str::trim).collect()
}

fn options(text: &str) -> Options {
    let number = |key| told(text, key).first().map(|number| number.parse().expect("a number"));
    let mut checks = Checks::default();
    for check in told(text, "checks") {
        match check {
            "overflow" => checks.overflow = true,
            "uninitialised" => checks.uninitialised = true,
            "leak" => checks.leak = true,
            other => panic!("no check is called {other}"),
        }
    }
    let recursion = number("recursion").or(Some(1000));
    Options { unwind: number("unwind"), recursion, checks, ..Options::default() }
}

/// What is wrong with a program, if anything is.
fn fault(source: &Path, bitcode: &[u8], adjust: fn(&mut Options)) -> Option<String> {
    let text = std::fs::read_to_string(source).expect("a readable file");
    let expected: BTreeSet<String> = told(&text, "end").into_iter().map(String::from).collect();
    assert!(!expected.is_empty(), "{source:?} says nothing");
    let mut options = options(&text);
    adjust(&mut options);
    let mut machine = common::machine(bitcode, options);
    let ends = common::ends(&mut machine, 200);
    // What is assumed is not asked about where the solver is asked late, or branches merge.
    let asked = machine.options.eager && !machine.options.merge;
    let counts = |end: &String| asked || end != "assumed";
    let expected: BTreeSet<String> = expected.into_iter().filter(counts).collect();
    let mut found = BTreeSet::new();
    for state in &ends {
        if common::feasible(&mut machine, state) {
            found.extend(kinds(&mut machine, state).into_iter().filter(counts));
        }
    }
    let detail =
        || ends.iter().map(|state| format!("{:?}", state.end)).collect::<Vec<_>>().join("\n  ");
    let (eager, merge) = (machine.options.eager, machine.options.merge);
    (found != expected).then(|| {
        let how = format!("eager {eager}, merge {merge}");
        format!("{source:?} ({how}): {found:?} instead of {expected:?}\n  {}", detail())
    })
}

/// As it is, where the solver is asked late, and where branches merge.
const WAYS: [fn(&mut Options); 3] =
    [|_| {}, |options| options.eager = false, |options| options.merge = true];

#[test]
fn programs_end_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ends");
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut sources: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    sources.sort();
    assert!(sources.len() > 80);
    let mut faults = Vec::new();
    for source in &sources {
        let bitcode = common::compile(source, &["-w"]);
        faults.extend(WAYS.iter().filter_map(|adjust| fault(source, &bitcode, *adjust)));
    }
    assert!(
        faults.is_empty(),
        "{} of {} programs:\n{}",
        faults.len(),
        sources.len(),
        faults.join("\n")
    );
}
