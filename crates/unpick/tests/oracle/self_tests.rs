//! What is known by other means: closed forms and cases done by hand. Called by the harness, since
//! this file is no test target of its own.

use super::{Count, Model, Result};

pub type Test = fn() -> Result<()>;

pub fn self_tests() -> Vec<(&'static str, Test)> {
    vec![
        ("two threads interleave as binomials", binomials),
        ("three threads interleave as multinomials", multinomial),
        ("locked regions are atomic", locked),
        ("a lost update, counted by hand", lost_update),
        ("abba deadlocks, counted by hand", abba),
        ("a signal picks its waiter", signal_choice),
        ("a barrier orders", barrier),
        ("main cuts off the others", cut_off),
        ("a loop that waits, counted by hand", awaits),
        ("preemption bounds", bounds),
        ("looking up and enumerating agree", agree),
        ("nonsense is refused", refused),
        ("classes of writers are permutations", writers),
        ("classes of readers are subsets", readers),
        ("classes of last-zero, by its closed form", last_zero),
        ("classes of locks, conditions and others, by hand", by_hand),
        ("classes where the program is cut off", cut_classes),
        ("classes by beginnings and by interleavings agree", classes_agree),
        ("no classes where nothing is known of independence", no_classes),
    ]
}

fn model(threads: &[(&str, &[&str])]) -> Result<Model> {
    Model::read(
        &threads
            .iter()
            .map(|(name, steps)| (name.to_string(), steps.iter().map(|s| s.to_string()).collect()))
            .collect(),
    )
}

fn expect(what: &str, got: Count, total: u128, failing: u128) -> Result<()> {
    if got == (Count { total, failing }) {
        return Ok(());
    }
    Err(format!("{what}: {got:?}, not {total} with {failing} failing"))
}

fn factorial(n: u128) -> u128 {
    (1..=n).product()
}

/// Main creates two threads in an atomic section, so that nothing runs in between, and joins them in
/// the order that adds no choice: it waits on a semaphore that each posts as its last step but exit.
fn binomials() -> Result<()> {
    for n in 0..5u128 {
        for m in 0..5u128 {
            let one = vec!["r x"; n as usize];
            let two = vec!["r x"; m as usize];
            let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
            let got = model(&[("main", &main), ("1", &one), ("2", &two)])?.count()?;
            // start and exit are steps of each; main's exit is one of a third "thread".
            let (a, b) = (n + 2, m + 2);
            let all = factorial(a + b + 1) / factorial(a) / factorial(b);
            expect(&format!("{n} and {m} steps"), got, all, 0)?;
        }
    }
    Ok(())
}

fn multinomial() -> Result<()> {
    let main = ["atomic begin", "create 1", "create 2", "create 3", "atomic end", "exit"];
    let steps = ["r x"];
    let got = model(&[("main", &main), ("1", &steps), ("2", &steps), ("3", &steps)])?.count()?;
    expect("three times three steps", got, factorial(10) / 6 / 6 / 6, 0)
}

fn locked() -> Result<()> {
    // Inside the region only the other's start can interleave: count the places by hand.
    // Thread: s L r w U e. Orders in which the regions do not overlap, main already gone.
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
    let body = ["lock m", "r x", "w x", "unlock m"];
    let got = model(&[("main", &main), ("1", &body), ("2", &body)])?.count()?;
    // First thread's region before the second's: the second's start `s` falls among the first's six
    // steps; its L U e come after the first's U; the first's e falls among them.
    // Second's six: s L r w U e; first's s L r w U then e. Second's s: 6 places before the first's U
    // is passed (0..=5 of the first's s L r w U executed), or after it.
    // s among first's [s L r w U]: places 0..=5. Then [L r w U e] and first's e interleave: with s
    // before U (places 0..=4), e goes to any of 6 places; with s after U (place 5), e goes to any of
    // 7 places among [s L r w U e]. In all 5*6 + 7 = 37 for one order, twice. Main's exit is one more
    // step anywhere among the 12.
    expect("locked", got, 2 * 37 * 13, 0)
}

fn lost_update() -> Result<()> {
    // The two threads' r w r w: 6 orders, of which 2 (one after the other) keep both updates.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "semwait go",
        "semwait go",
        "r x -> a",
        "assert a == 2",
    ];
    let thread = ["r x -> a", "w x <- a + 1", "sempost go"];
    let got =
        model(&[("objects", &["sem go 0"]), ("main", &main), ("1", &thread), ("2", &thread)])?
            .count()?;
    if got.failing == 0 || got.failing == got.total {
        return Err(format!("{got:?}"));
    }
    // Without start, exit and main's waiting in between: everything in one atomic step but r and w.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "join 1",
        "join 2",
        "r x -> a",
        "assert a == 2",
    ];
    let thread = ["r x -> a", "w x <- a + 1"];
    let got = model(&[("main", &main), ("1", &thread), ("2", &thread)])?.count()?;
    // s r w e of both: 70 orders; join 1 is enabled once 1 is done, and so may come before what 2
    // still does: for k steps of 2 left when 1 exits, join 1 has k + 1 places. Sum over k = 0..=4 of
    // C(3 + 4 - k, 3) * (k + 1) = 35*1 + 20*2 + 10*3 + 4*4 + 1*5 = 126.
    if got.total != 126 {
        return Err(format!("{got:?}, not 126"));
    }
    // Passing: the two's r w do not overlap. 1 first: 2's r comes after 1's w: 2's s at place 0..=3
    // of 1's s r w. s at 0..=2: then [r w e] of 2 with 1's e: e then join 1 in order among 3: pairs of
    // places i <= j of 4: 10. Three times 10 = 30. s after w: [s r w e] with e, join: 15. In all 45.
    // 2 first: 1's r comes after 2's w: 1's s at place 0..=2 of 2's s r w: then [r w e] of 1 with 2's
    // e, join 1 after 1's e: 2's e before 1's r, w, e (3 places) or after 1's e: before or after join 1
    // (2 more): 5. Three times 5 = 15. 1's s after 2's w: [s r w e] with 2's e: 4 + 2 = 6. In all 21.
    expect("lost update", got, 126, 126 - 45 - 21)
}

fn abba() -> Result<()> {
    // Regions of two locks; after the start, the deadlock is: both have taken their first lock.
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "join 1", "join 2"];
    let got = model(&[
        ("main", &main),
        ("1", &["lock a", "lock b", "unlock b", "unlock a"]),
        ("2", &["lock b", "lock a", "unlock a", "unlock b"]),
    ])?
    .count()?;
    // Deadlocks: s1 L1 and s2 L2 in any order, nothing else: C(4, 2) = 6.
    if got.failing != 6 {
        return Err(format!("{got:?}: not 6 deadlocks"));
    }
    Ok(())
}

fn signal_choice() -> Result<()> {
    // Two sleep, one is woken, in a program where nothing else can vary: main sees both asleep.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "semwait s",
        "semwait s",
        "lock m",
        "signal c",
        "unlock m",
        "semwait t",
        "r who -> a",
    ];
    let one = ["lock m", "sempost s", "wait c m", "w who <- 1", "unlock m", "sempost t"];
    let two = ["lock m", "sempost s", "wait c m", "w who <- 2", "unlock m", "sempost t"];
    let count = |last: &'static str| -> Result<Count> {
        let main: Vec<&str> = main.iter().copied().chain([last]).collect();
        model(&[("objects", &["sem s 0", "sem t 0"]), ("main", &main), ("1", &one), ("2", &two)])?
            .count()
    };
    // Symmetric: as many fail by finding 1 as by finding 2, and somebody is always found.
    let (first, second) = (count("assert a != 1")?, count("assert a != 2")?);
    expect("signal", first, second.total, second.failing)?;
    if first.failing == 0 { Err("nobody was woken".into()) } else { Ok(()) }
}

fn barrier() -> Result<()> {
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
    let got = model(&[
        ("objects", &["barrier b 2"]),
        ("main", &main),
        ("1", &["barrier b"]),
        ("2", &["barrier b"]),
    ])?
    .count()?;
    // s a | l e of each, both a's before both l's: C(4, 2) * C(4, 2); main's exit at 9 places.
    expect("barrier", got, 36 * 9, 0)
}

/// T looks at x until it is 1: before the write, or at once after it. If before, it sleeps until then. Main's
/// join adds no choice. Steps of T after its start: `r` behind `w`, or `r`, `await`, `r` around it.
fn awaits() -> Result<()> {
    let waiter: &[&str] =
        &["round", "again:", "r x -> a", "if a goto out", "await", "goto again", "out:"];
    let writer: &[&str] = &["create T", "w x <- 1", "join T"];
    // The write before the start, between start and look, or after the look.
    let counted = model(&[("main", writer), ("T", waiter)])?.count()?;
    expect("a write", counted, 3, 0)?;
    // T never comes out; how many of its steps fit before the first write (start, look), and between the two
    // (what was left of these, or, where it slept, await and look)? (0; 0, 1, 2), (1; 0, 1), (2; 0, 1, 2).
    let twice: &[&str] = &["create T", "w x <- 2", "w x <- 0", "join T"];
    let never: &[&str] = &["round", "again:", "r x -> a", "await", "goto again"];
    let counted = model(&[("main", twice), ("T", never)])?.count()?;
    expect("two writes, and nobody comes out", counted, 8, 8)
}

fn cut_off() -> Result<()> {
    // Main yields and ends; j of the other's s r e come before that, the yield at j + 1 places among them.
    let got = model(&[("main", &["create 1", "yield"]), ("1", &["r x"])])?.count()?;
    expect("cut off", got, 1 + 2 + 3 + 4, 0)
}

fn bounds() -> Result<()> {
    let lost = model(&[
        ("main", &["create 1", "create 2", "join 1", "join 2", "r x -> a", "assert a == 2"]),
        ("1", &["r x -> a", "w x <- a + 1"]),
        ("2", &["r x -> a", "w x <- a + 1"]),
    ])?;
    // No preemption: main creates both and blocks; then 1 or 2; after 1 is done, main or 2: where
    // main joins 1 first, 2 is all that is left. 1 first: {join 1, 2} or {2, join 1}; 2 first: 1, then main.
    expect("bound 0", lost.count_bounded(0)?, 3, 0)?;
    let mut last = 0;
    for bound in 0..12 {
        let count = lost.count_bounded(bound)?;
        if count.total < last {
            return Err("a larger bound has fewer interleavings".into());
        }
        last = count.total;
    }
    if last != lost.count()?.total {
        return Err(format!("a large bound gives {last}, none {:?}", lost.count()?));
    }
    if lost.count_bounded(1)?.failing == 0 {
        return Err("one preemption suffices to lose an update".into());
    }
    Ok(())
}

fn agree() -> Result<()> {
    let m = model(&[
        ("objects", &["sem s 1", "var go 0"]),
        ("main", &["create 1", "create 2", "join 1", "join 2", "r x -> a", "assert a == 2"]),
        (
            "1",
            &["lock m", "r go -> g", "if g == 1 goto on", "wait c m", "on:", "unlock m", "rmw x"],
        ),
        ("2", &["lock m", "w go <- 1", "signal c", "unlock m", "semwait s", "rmw x", "sempost s"]),
    ])?;
    let (fast, slow) = (m.count()?, m.enumerate()?);
    expect("enumerated", slow, fast.total, fast.failing)
}

fn refused() -> Result<()> {
    let bad: [&[(&str, &[&str])]; 6] = [
        &[("1", &["r x"])],
        &[("main", &["r x"]), ("1", &["r x"])],
        &[("main", &["create 1"])],
        &[("main", &["lock x", "r x"])],
        &[("main", &["semwait s"])],
        &[("main", &["jump"])],
    ];
    for text in bad {
        if model(text).is_ok() {
            return Err(format!("accepted: {text:?}"));
        }
    }
    let endless = model(&[("main", &["create 1", "l:", "yield", "goto l"]), ("1", &[])])?;
    if endless.count().is_ok() {
        return Err("an endless program was counted".into());
    }
    Ok(())
}

/// `main` creates all and joins all; no order in that.
fn all_joined(bodies: &[Vec<String>]) -> Result<Model> {
    with_objects(&[], bodies)
}

fn with_objects(objects: &[&str], bodies: &[Vec<String>]) -> Result<Model> {
    let names = 1..=bodies.len();
    let main = names.clone().map(|t| format!("create {t}"));
    let main = main.chain(names.clone().map(|t| format!("join {t}"))).collect();
    let mut text: std::collections::BTreeMap<String, Vec<String>> =
        names.map(|t| t.to_string()).zip(bodies.iter().cloned()).collect();
    text.insert("main".into(), main);
    text.insert("objects".into(), objects.iter().map(|o| o.to_string()).collect());
    Model::read(&text)
}

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|line| line.to_string()).collect()
}

fn writers() -> Result<()> {
    for n in 1..=5 {
        let got = all_joined(&vec![lines(&["w x <- 1"]); n])?.classes()?;
        expect(&format!("{n} writers"), got, factorial(n as u128), 0)?;
    }
    Ok(())
}

fn readers() -> Result<()> {
    for n in 1..=5 {
        let mut bodies = vec![lines(&["w x <- 1"])];
        bodies.resize(n + 1, lines(&["r x"]));
        expect(&format!("{n} readers"), all_joined(&bodies)?.classes()?, 1 << n, 0)?;
    }
    Ok(())
}

/// Thread i sets `array[i] = array[i-1] + 1`; the first looks for the last zero from the end. The paper on
/// optimal DPOR gives 64, 3328 and 147456 for 5, 10 and 15, which is (n + 3) * 2^(n - 2).
fn last_zero() -> Result<()> {
    for n in 2..=5usize {
        let mut search: Vec<String> = Vec::new();
        for i in (0..=n).rev() {
            search.extend([format!("r a{i} -> v"), "if v == 0 goto found".into()]);
        }
        search.push("found:".into());
        let mut bodies = vec![search];
        bodies.extend(
            (1..=n).map(|i| vec![format!("r a{} -> v", i - 1), format!("w a{i} <- v + 1")]),
        );
        let got = all_joined(&bodies)?.classes()?;
        expect(&format!("last zero of {n}"), got, (n as u128 + 3) << (n - 2), 0)?;
    }
    Ok(())
}

fn by_hand() -> Result<()> {
    let same = |body: &[&str], n: usize| vec![lines(body); n];
    let classes =
        |objects: &[&str], bodies: &[Vec<String>]| with_objects(objects, bodies)?.classes();
    // Who has the lock first, second, third.
    let locked = same(&["lock m", "r x -> a", "w x <- a + 1", "unlock m"], 3);
    expect("locks", classes(&[], &locked)?, 6, 0)?;
    // Either both get their first lock (one class, which fails), or one has both before the other.
    let abba = [
        lines(&["lock a", "lock b", "unlock b", "unlock a"]),
        lines(&["lock b", "lock a", "unlock a", "unlock b"]),
    ];
    expect("abba", classes(&[], &abba)?, 3, 1)?;
    // T: trylock, and unlock where it was successful. Each gets it before the other, or one fails.
    let try_lock = same(&["trylock m -> ok", "if ok == 0 goto over", "unlock m", "over:"], 2);
    expect("trylock", classes(&[], &try_lock)?, 4, 0)?;
    // Who is last.
    expect("barrier", classes(&["barrier b 3"], &same(&["barrier b"], 3))?, 3, 0)?;
    expect("two rounds", classes(&["barrier b 3"], &same(&["barrier b", "barrier b"], 3))?, 9, 0)?;
    // Posts commute; each wait takes its place: of two posts and a wait, one of them or both come before.
    let posts = [lines(&["sempost s"]), lines(&["sempost s"]), lines(&["semwait s"])];
    expect("semaphore", classes(&["sem s 0"], &posts)?, 3, 0)?;
    // Readers commute; each is before the writer or behind it.
    let rw = [
        lines(&["rdlock l", "rwunlock l"]),
        lines(&["rdlock l", "rwunlock l"]),
        lines(&["wrlock l", "rwunlock l"]),
    ];
    expect("rwlock", classes(&[], &rw)?, 4, 0)?;
    // One of two comparisons succeeds.
    expect("cas", classes(&[], &same(&["cas x 0 1 -> ok"], 2))?, 2, 0)?;
    // Two failing ones commute: each may still come before or behind the other that succeeds.
    let cas = [lines(&["cas x 0 1"]), lines(&["cas x 7 1"]), lines(&["cas x 7 1"])];
    expect("failing cas", classes(&[], &cas)?, 4, 0)?;
    // Two wait, one signal: before both (1; the order of the two waits: 2), between (2, and who waits then
    // stays asleep), behind both (2, and 2 picks). Before both, both stay asleep: all of them deadlock.
    let waiting = ["lock m", "wait c m", "unlock m"];
    let signal = [lines(&waiting), lines(&waiting), lines(&["lock m", "signal c", "unlock m"])];
    let got = classes(&[], &signal)?;
    // Between: the one that was woken takes the lock again before or after the other one's region. Behind both: once.
    expect("signal", got, 2 + 2 * 2 + 2 * 2, 2 + 2 * 2 + 2 * 2)
}

fn cut_classes() -> Result<()> {
    // As many of the other's three steps as have happened when main ends.
    let got = model(&[("main", &["create 1", "yield"]), ("1", &["r x"])])?.classes()?;
    expect("cut off", got, 4, 0)?;
    // The failing step is the last one, wherever the other is: start, write, exit.
    let failing = [lines(&["r x -> a", "assert a == 1"]), lines(&["w y"])];
    expect("failing", all_joined(&failing)?.classes()?, 5, 5)
}

fn classes_agree() -> Result<()> {
    let one = |body: &[&str]| lines(body);
    let menagerie: Vec<(&[&str], Vec<Vec<String>>)> = vec![
        (&[], vec![one(&["lock m", "wait c m", "unlock m"]), one(&["signal c", "broadcast c"])]),
        (&[], vec![one(&["lock m", "timedwait c m -> a", "unlock m"]), one(&["signal c", "w x"])]),
        (
            &["recursive m"],
            vec![one(&["lock m", "lock m", "unlock m", "unlock m"]), one(&["trylock m"])],
        ),
        (
            &["robust m"],
            vec![
                one(&["lock m"]),
                one(&["lock m -> a", "if a == 0 goto on", "consistent m", "on:", "unlock m"]),
            ],
        ),
        (&[], vec![one(&["trywrlock l"]), one(&["tryrdlock l", "w x"]), one(&["tryrdlock l"])]),
        (&["sem s 1"], vec![one(&["semtrywait s"]), one(&["sempost s"]), one(&["semwait s"])]),
        (&["barrier b 2"], vec![one(&["barrier b", "w x"]), one(&["barrier b"]), one(&["r x"])]),
        (&[], vec![one(&["once o", "w x", "oncedone o"]), one(&["once o", "w x", "oncedone o"])]),
        (&[], vec![one(&["futexwait x 0"]), one(&["w x <- 1", "futexwake x 1"])]),
        (
            &[],
            vec![one(&["rmw x -> a", "if a == 0 goto on", "end", "on:"]), one(&["rmw x", "fence"])],
        ),
        (&[], vec![one(&["r x -> a", "assert a == 0"]), one(&["w x <- 1", "yield"])]),
        (&[], vec![one(&["unlock m"]), one(&["lock m", "w x"])]),
    ];
    for (objects, bodies) in menagerie {
        let model = with_objects(objects, &bodies)?;
        let what = format!("{bodies:?}");
        model.check_independence().map_err(|e| format!("{what}: {e}"))?;
        let (fast, slow) = (model.classes()?, model.classes_by_hand()?);
        expect(&what, slow, fast.total, fast.failing)?;
        if fast.total >= model.count()?.total {
            return Err(format!("{what}: as many classes as interleavings"));
        }
    }
    Ok(())
}

fn no_classes() -> Result<()> {
    let atomic = model(&[("main", &["create 1", "atomic begin", "atomic end"]), ("1", &[])])?;
    let spurious = with_objects(&["spurious 1"], &[lines(&["lock m", "wait c m", "unlock m"])])?;
    match (atomic.classes(), spurious.classes()) {
        (Err(_), Err(_)) => Ok(()),
        _ => Err("they were counted".into()),
    }
}
