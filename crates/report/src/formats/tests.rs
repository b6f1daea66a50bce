//! Small findings and traces for the tests of formats.

use super::Material;
use serde_json::{Value, json};
use unpick_model::{
    Access, Event, Finding, Op, Outcome, Output, Place, Program, Record, Schedule, StackId,
    ThreadId, ThreadInfo, Trace,
};

pub fn site(file: &str, line: u32, function: &str, variable: &str) -> Access {
    Access {
        thread: 1,
        file: file.into(),
        line,
        column: 5,
        function: function.into(),
        operation: "write".into(),
        variable: Some(variable.into()),
        stack: Vec::new(),
        held: None,
        created_at: None,
    }
}

pub fn finding(kind: &str, sites: Vec<Access>) -> Finding {
    Finding {
        kind: serde_json::from_value(kind.into()).expect("a kind"),
        message: "something".into(),
        confirmed: true,
        confirmed_by: vec!["replay".into()],
        predicted: false,
        trace: None,
        schedule: String::new(),
        sites,
        harm: None,
        tsan_report: None,
        fingerprint: None,
        known: None,
    }
}

pub fn document(findings: Vec<Value>) -> Value {
    let verdict = if findings.is_empty() { "clean" } else { "bug" };
    json!({ "schema": "unpick/1", "command": "explore", "verdict": verdict, "complete": false,
            "stats": { "strategy": "auto", "runs": 3, "seconds": 0.5 }, "findings": findings,
            "warnings": [] })
}

pub fn material(document: &Value) -> Material<'_> {
    Material { document, traces: &|_, _| None, sources: &|_| None, root: "/root" }
}

/// So many writes, by two threads in turn.
pub fn trace(events: usize) -> Trace {
    let event = |number: usize| Event {
        thread: ThreadId(1 + (number % 2) as u16),
        count: number as u64,
        op: Op::Write,
        address: 0x1000,
        size: 4,
        before: 0,
        after: 1,
        pc: 0x40,
        stack: StackId(0),
        private: false,
        name: 1,
    };
    let place = Place { file: "/root/a.c".into(), line: 3, column: 1, function: "f".into() };
    Trace {
        program: Program::default(),
        strategy: String::new(),
        seed: 1,
        schedule: Schedule::default(),
        shared: Vec::new(),
        record: Record::Visible,
        max_steps: 0,
        outcome: Outcome::Passed,
        threads: vec![ThreadInfo::default(); 3],
        events: (0..events).map(event).collect(),
        wide: Vec::new(),
        stacks: Vec::new(),
        places: [(0x40, place)].into(),
        names: vec!["x".into()],
        output: Output::default(),
        world: Vec::new(),
    }
}
