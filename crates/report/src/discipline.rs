//! Who does not keep to the lock that others keep to.
//!
//! Where threads race in a function that several call, that function is right under the lock that its other callers take: to
//! blame is the caller that takes none, that takes another one, or that shares it with others although it writes. Which of two
//! locks is the right one says its name: what lies beside a variable is there for it. (Eraser's rule, with the calls around
//! each access.) Missed: who takes none in the very function that races, which the race itself names; and of two locks that
//! both lie elsewhere, which is wrong.

use crate::story::{array, text};
use serde_json::{Value, json};
use unpick_model::{Op, Trace};

/// A function, and a place in it.
struct Call<'a> {
    function: &'a str,
    file: &'a str,
    line: u64,
}

/// Calls without a lock; for others first where the lock was taken that does not do. `trace`: a run of the same program.
pub fn undisciplined(races: &Value, trace: &Trace) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let races = array(&races["findings"]).filter(|finding| finding["kind"] == "race");
    for race in races {
        let sides =
            [(0, 1), (1, 0)].map(|(one, other)| (&race["sites"][one], &race["sites"][other]));
        for (suspect, other) in sides {
            let Some(useless) = useless(suspect, other) else { continue };
            let (calls, others) = (calls(suspect), calls(other));
            let lock_at = |lock| calls.iter().find_map(|call| taken(trace, lock, call.function));
            found.extend(useless.and_then(lock_at));
            let alike = calls.iter().zip(&others).take_while(|(a, b)| a.function == b.function);
            let depth = alike.count();
            if let Some(caller) = calls.get(depth).filter(|_| depth > 0) {
                found.push(json!({ "file": caller.file, "line": caller.line }));
            }
        }
    }
    let mut distinct: Vec<Value> = Vec::new();
    for site in found {
        if !distinct.contains(&site) {
            distinct.push(site);
        }
    }
    distinct
}

/// Does the first side lack what the other has? And which lock has it taken instead?
fn useless<'a>(suspect: &'a Value, other: &Value) -> Option<Option<&'a str>> {
    let held = |side: &'a Value| array(&side["held"]).map(text);
    let writes = text(&suspect["operation"]).ends_with("write");
    let variable = text(&other["variable"]);
    let beside = |lock: &str| within(lock).is_some_and(|of| Some(of) == within(variable));
    let Some(lock) = held(suspect).next() else {
        return array(&other["held"]).next().map(|_| None);
    };
    if let Some(shared) = held(suspect).find_map(|lock| lock.strip_suffix(SHARED)) {
        return writes.then_some(Some(shared));
    }
    let right = array(&other["held"]).map(text).any(beside) && !held(suspect).any(beside);
    right.then_some(Some(lock))
}

/// How a lock is told that others may hold, too.
pub(crate) const SHARED: &str = " (shared)";

/// `queue` of `queue.lock`.
fn within(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(object, _)| object)
}

/// The user's calls that led there, the innermost first.
fn calls(side: &Value) -> Vec<Call<'_>> {
    let parse = |told| -> Option<Call<'_>> {
        let (function, at) = text(told).rsplit_once(" (")?;
        let (file, line) = at.strip_suffix(')')?.rsplit_once(':')?;
        Some(Call { function, file, line: line.parse().ok()? })
    };
    let calls = array(&side["stack"]).filter_map(parse);
    calls.filter(|call| !unpick_model::is_system(call.file)).collect()
}

/// Where a function takes the lock.
fn taken(trace: &Trace, lock: &str, function: &str) -> Option<Value> {
    let takes = |op: Op| {
        matches!(op, Op::Lock | Op::ReadLock | Op::WriteLock)
            || matches!(op, Op::TryLock { acquired: true } | Op::TryReadLock { acquired: true })
    };
    let events = trace.events.iter().rev().filter(|event| takes(event.op));
    let named = events.filter(|event| trace.name(event.name) == Some(lock));
    let place =
        named.filter_map(|event| trace.event_place(event)).find(|at| at.function == function);
    place.map(|place| json!({ "file": place.file, "line": place.line }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::trace;

    fn side(operation: &str, held: &[&str], stack: &[&str]) -> Value {
        json!({ "operation": operation, "held": held, "stack": stack, "variable": "queue.count" })
    }

    fn of(sides: [Value; 2]) -> Vec<u64> {
        let mut run = trace(1);
        run.events[0].op = Op::Lock;
        run.names = vec!["other.lock".into()];
        let races = json!({ "findings": [{ "kind": "race", "sites": sides }] });
        undisciplined(&races, &run).iter().filter_map(|site| site["line"].as_u64()).collect()
    }

    #[test]
    fn the_caller_without_a_lock() {
        let good = || side("write", &["queue.lock"], &["put (a.c:1)", "add (a.c:9)"]);
        let bad =
            |held: &[&str]| side("write", held, &["put (a.c:1)", "f (a.c:7)", "main (a.c:20)"]);
        assert_eq!(of([good(), bad(&[])]), [7]);
        assert_eq!(of([bad(&[]), good()]), [7]);
        // Where it took the other one, and the call.
        assert_eq!(of([good(), bad(&["other.lock"])]), [3, 7]);
        assert_eq!(of([good(), bad(&["other.lock", "queue.more"])]), [0; 0]);
        assert_eq!(of([good(), bad(&["queue.lock (shared)"])]), [7]);
    }

    #[test]
    fn nobody_is_to_blame_for_what_the_race_names_itself() {
        let good = side("write", &["queue.lock"], &["put (a.c:1)"]);
        assert_eq!(of([good.clone(), side("write", &[], &["get (a.c:5)"])]), [0; 0]);
        assert_eq!(of([good.clone(), side("write", &[], &["put (a.c:2)"])]), [0; 0]);
        assert_eq!(
            of([side("read", &[], &["put (a.c:2)"]), side("write", &[], &["get (a.c:5)"])]),
            [0; 0]
        );
        let reader = side("read", &["queue.lock (shared)"], &["put (a.c:1)", "f (a.c:7)"]);
        assert_eq!(
            of([side("write", &["queue.lock (shared)"], &["put (a.c:1)", "add (a.c:9)"]), reader]),
            [9]
        );
    }
}
