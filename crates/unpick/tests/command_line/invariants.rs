//! What `unpick invariants` says of another build, of what the user claims, and of what cannot be.

use crate::sandbox::Sandbox;

/// Two threads add to a sum, each with the lock held if `LOCKED`.
const SUM: &str = "#include <pthread.h>
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg) {
    if (LOCKED) pthread_mutex_lock(&m);
    sum = sum + 1;
    if (LOCKED) pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", format!("#define LOCKED 1\n{SUM}"));
    sandbox.write("open.c", format!("#define LOCKED 0\n{SUM}"));
    sandbox
}

#[test]
fn what_another_build_has_lost_is_told() {
    let sandbox = sandbox();
    let call = ["invariants", "--strategy", "dpor", "--quiet"];
    sandbox.call(&[&call[..], &["locked.c", "--save", "old.json"]].concat()).expect(0);
    let same = sandbox.call(&[&call[..], &["locked.c", "--against", "old.json"]].concat());
    assert!(!same.expect(0).out().contains("No longer holds"), "{same:?}");
    let other = sandbox.call(&[&call[..], &["open.c", "--against", "old.json"]].concat());
    let lost = "No longer holds: main():::EXIT  sum == 2";
    assert!(other.expect(1).out().contains(lost), "{other:?}");
}

#[test]
fn a_claim_holds_or_a_run_breaks_it() {
    let sandbox = sandbox();
    let call = ["invariants", "--strategy", "dpor", "--quiet", "--claim", "main():::EXIT sum == 2"];
    let holds = sandbox.call(&[&call[..], &["locked.c"]].concat());
    assert!(holds.expect(0).out().contains("holds in "), "{holds:?}");
    let broken = sandbox.call(&[&call[..], &["open.c"]].concat());
    assert!(broken.expect(1).out().contains("broken by "), "{broken:?}");
    assert!(broken.out().contains("sum = 1 ("), "{broken:?}");
}

#[test]
fn what_cannot_be_is_told() {
    let sandbox = sandbox();
    sandbox.write("garbage.json", "{ garbage");
    sandbox.write("other.json", "{ \"schema\": \"unpick/1\" }");
    for (arguments, told) in [
        (["--against", "missing.json"], "missing.json: No such file"),
        (["--against", "garbage.json"], "garbage.json: "),
        (["--against", "other.json"], "no invariants that `unpick invariants` has saved"),
        (["--block", "1"], "a block has at least 2 accesses"),
        (["--from", "nowhere"], "possible values: passing, failing, all"),
        (["--confidence", "7"], "a number from 0 to 1"),
        (["--verify", "magic"], "no strategy is called `magic`"),
        (["--claim", "sum == 2"], "is not like `function():::EXIT"),
        (["--claim", "main():::EXIT total == 2"], "threads share sum"),
        (["--save", "/nowhere/new.json"], "/nowhere/new.json: "),
    ] {
        let answer =
            sandbox.call(&[&["invariants", "locked.c", "--runs", "3"], &arguments[..]].concat());
        assert!(answer.expect(2).err().contains(told), "{arguments:?}: {answer:?}");
    }
}

/// A ring that is made when it is first used: before that, nothing is behind the pointer.
const RING: &str = r#"#include <pthread.h>
#include <stdlib.h>
#ifdef ASSERTED
#include "told.h"
#else
#define INVARIANT_ENTER_put
#define INVARIANT_EXIT_put
#endif
struct ring { int used; int slot[3]; };
static struct ring *ring;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(int value) {
    INVARIANT_ENTER_put
    if (!ring)
        ring = calloc(1, sizeof *ring);
    ring->slot[ring->used] = value;
    ring->used += 1;
    INVARIANT_EXIT_put
}
static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    put(ring ? ring->used + 5 : 5);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return ring->slot[0] + ring->slot[1] + ring->slot[2] == 18 ? 0 : BROKEN;
}
"#;

fn ring() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("ring.c", format!("#define BROKEN 1\n{RING}"));
    sandbox
}

const LOOK: [&str; 6] = ["invariants", "ring.c", "--strategy", "random", "--runs", "40"];

#[test]
fn assertions_compile_and_hold() {
    let sandbox = ring();
    sandbox.call(&[&LOOK[..], &["--assert", "told.h", "--quiet"]].concat()).expect(0);
    let told = std::fs::read_to_string(sandbox.path("told.h")).unwrap();
    for wanted in ["assert(ring != NULL);", "ring->used", "ring->slot[0]"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    let compiler = ["-Wall", "-Werror", "-DASSERTED", "-pthread", "-o", "asserted"];
    sandbox.run("cc", &[&compiler[..], &["ring.c"]].concat()).expect(0);
    sandbox.run(sandbox.path("asserted"), &[]).expect(0);
    // And they can break.
    let wrong = std::fs::read_to_string(sandbox.path("ring.c")).unwrap();
    sandbox.write("wrong.c", wrong.replace("used += 1", "used += 2"));
    sandbox.run("cc", &[&compiler[..], &["wrong.c"]].concat()).expect(0);
    let broken = sandbox.run(sandbox.path("asserted"), &[]);
    assert!(broken.status != 0 && broken.err().contains("Assertion"), "{broken:?}");
}

#[test]
fn what_is_behind_a_pointer_is_a_sequence_too() {
    let sandbox = ring();
    let told = sandbox.call(&LOOK);
    let told = told.expect(0).out();
    for wanted in ["ring->slot[] elements >= 0", "ring->used == orig(ring->used) + 1"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
}

/// By the rules of Daikon's formats, which its manual gives.
#[test]
fn files_for_daikon_follow_its_rules() {
    let sandbox = ring();
    sandbox.call(&[&LOOK[..], &["--daikon", "out", "--quiet"]].concat()).expect(0);
    let read = |name: &str| std::fs::read_to_string(sandbox.path("out").join(name)).unwrap();
    let (declarations, samples) = (read("points.decls"), read("samples.dtrace"));
    let mut declared = std::collections::HashMap::new();
    let mut parts = declarations.split("\n\n").filter(|part| !part.trim().is_empty());
    assert_eq!(parts.next(), Some("decl-version 2.0\nvar-comparability none"));
    for part in parts {
        let mut lines = part.trim().lines();
        let point = lines.next().and_then(|line| line.strip_prefix("ppt ")).expect(part);
        let kind = if point.ends_with(":::ENTER") { "enter" } else { "subexit" };
        assert_eq!(lines.next(), Some(format!("ppt-type {kind}").as_str()), "{part}");
        let mut variables = Vec::new();
        while let Some(line) = lines.next() {
            let name = line.strip_prefix("variable ").expect(part);
            let mut of = |key: &str| {
                let line = lines.next().expect(part).trim();
                line.strip_prefix(key).expect(part).trim().to_string()
            };
            assert_eq!(of("var-kind"), "variable");
            of("dec-type");
            let represented = of("rep-type");
            assert!(["int", "hashcode"].contains(&represented.as_str()), "{part}");
            of("comparability");
            variables.push(name);
        }
        declared.insert(point, variables);
    }
    let mut entered = std::collections::HashSet::new();
    for record in samples.split("\n\n").filter(|record| !record.trim().is_empty()) {
        let lines: Vec<&str> = record.trim().lines().collect();
        let variables = declared.get(lines[0]).expect(record);
        assert_eq!(lines[1], "this_invocation_nonce");
        let (function, at) = lines[0].split_once(":::").expect(record);
        match at {
            "ENTER" => assert!(entered.insert((function, lines[2])), "{record}"),
            _ => assert!(entered.remove(&(function, lines[2])), "{record}"),
        }
        assert_eq!(lines.len(), 3 + 3 * variables.len(), "{record}");
        for (values, name) in lines[3..].chunks(3).zip(variables) {
            assert_eq!(values[0], *name);
            match values[2] {
                "2" => assert_eq!(values[1], "nonsensical"),
                modified => {
                    assert!(["0", "1"].contains(&modified) && values[1].parse::<i64>().is_ok());
                }
            }
        }
    }
    assert!(declared.contains_key("put():::EXIT0") && declared.contains_key("main():::ENTER"));
}
