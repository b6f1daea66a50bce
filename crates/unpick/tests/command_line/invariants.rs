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
